//! Measures the time of each puzzle when puzzles are solved one by one.
//!
//! ```text
//! Instant   |---------------------- some puzzles: total nanoseconds ------------------------|
//! ticks     |----|--|-------|---| ...                          each puzzle gets its share   |
//! ```
//! Reading the system's clock takes about 30 nanoseconds (`docs/notes/costs.md`), and solving an easy puzzle only a few hundred. Most
//! x86-64 CPUs have a counter with ticks of constant length. Reading this counter costs a third as much as reading the clock, if the CPU
//! does not first wait until all earlier instructions have finished; this code does not wait. So the counter measures the time of each
//! puzzle in ticks. The clock is read only before and after several puzzles, to compute the length of a tick.
//!
//! This needs no calibration in advance, and the times of the puzzles add up to nearly the time that the clock measures. If one puzzle is
//! timed repeatedly, the times vary about as much as with the clock, and they include less of the cost of reading. On CPUs without such a
//! counter, the clock is read after each puzzle.

use std::time::Instant;

use super::{Outcome, nanoseconds};
use crate::puzzle::Puzzle;
#[cfg(target_arch = "x86_64")]
use crate::simd::Ticks;

/// Solves each puzzle and stores its time in the outcome.
#[inline]
pub(super) fn time_each(puzzles: &[Puzzle], outcomes: &mut [Outcome], solve: impl FnMut(&Puzzle) -> Outcome) {
    #[cfg(target_arch = "x86_64")]
    if let Some(ticks) = Ticks::detect() {
        return by_ticks(ticks, puzzles, outcomes, solve);
    }
    by_clock(puzzles, outcomes, solve);
}

/// Like [`time_each`], but uses only the system's clock.
#[cfg_attr(target_arch = "x86_64", cold)]
fn by_clock(puzzles: &[Puzzle], outcomes: &mut [Outcome], mut solve: impl FnMut(&Puzzle) -> Outcome) {
    let mut start = Instant::now();
    for (puzzle, outcome) in puzzles.iter().zip(outcomes) {
        *outcome = solve(puzzle);
        let end = Instant::now();
        outcome.elapsed_ns = nanoseconds(end - start);
        start = end;
    }
}

/// Number of puzzles between two readings of the clock. The number is so small that the outcomes of these puzzles are probably still in the
/// first-level cache at the second reading.
#[cfg(target_arch = "x86_64")]
const TOGETHER: usize = 128;

/// Like [`time_each`], but uses a CPU counter.
#[cfg(target_arch = "x86_64")]
#[inline]
fn by_ticks(
    ticks: Ticks,
    puzzles: &[Puzzle],
    outcomes: &mut [Outcome],
    mut solve: impl FnMut(&Puzzle) -> Outcome,
) {
    for (puzzles, outcomes) in puzzles.chunks(TOGETHER).zip(outcomes.chunks_mut(TOGETHER)) {
        let first = Moment::now(ticks);
        let mut start = ticks.now();
        for (puzzle, outcome) in puzzles.iter().zip(&mut *outcomes) {
            *outcome = solve(puzzle);
            let end = ticks.now();
            outcome.elapsed_ns = end.saturating_sub(start);
            start = end;
        }
        let tick_ns = first.tick_ns(&Moment::now(ticks));
        for outcome in outcomes {
            // A puzzle always takes some time, even if no tick lies between two readings.
            outcome.elapsed_ns = (outcome.elapsed_ns as f64 * tick_ns + 0.5).max(1.0) as u64;
        }
    }
}

/// The same moment on the CPU counter and on the system's clock.
#[cfg(target_arch = "x86_64")]
struct Moment {
    ticks: u64,
    clock: Instant,
}

#[cfg(target_arch = "x86_64")]
impl Moment {
    fn now(ticks: Ticks) -> Moment {
        /// If the readings take at least this number of ticks, the thread was probably interrupted between them.
        const UNDISTURBED: u64 = 2_000;
        let mut tries = 0;
        loop {
            let before = ticks.now();
            let clock = Instant::now();
            let taken = ticks.now().saturating_sub(before);
            tries += 1;
            // After an interruption, `ticks` and `clock` are different moments, and the times of up to `TOGETHER` puzzles would be wrong.
            // So the readings are repeated, up to five times in all.
            if taken < UNDISTURBED || tries == 5 {
                return Moment { ticks: before.saturating_add(taken / 2), clock };
            }
        }
    }

    /// Returns the mean length of a tick between this moment and `later`, in nanoseconds.
    fn tick_ns(&self, later: &Moment) -> f64 {
        let ticks = later.ticks.saturating_sub(self.ticks).max(1);
        nanoseconds(later.clock - self.clock) as f64 / ticks as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_outcome_belongs_to_its_puzzle_and_has_a_time() {
        let puzzles: Vec<Puzzle> = (0..300)
            .map(|number| {
                let mut values = [0; 81];
                values[number % 81] = 1 + (number / 81) as u8;
                Puzzle::try_from(values).unwrap()
            })
            .collect();
        let answer = |puzzle: &Puzzle| Outcome {
            nodes: puzzle.values().iter().position(|value| *value > 0).unwrap() as u64,
            guesses: puzzle.values().iter().copied().max().unwrap().into(),
            ..Outcome::CONTRADICTORY
        };
        for length in [0, 1, 2, 127, 128, 129, 300] {
            let puzzles = &puzzles[..length];
            for by_clock_alone in [false, true] {
                let mut outcomes = vec![Outcome { count: 7, ..Outcome::ABORTED }; length];
                match by_clock_alone {
                    true => by_clock(puzzles, &mut outcomes, answer),
                    false => time_each(puzzles, &mut outcomes, answer),
                }
                for (puzzle, outcome) in puzzles.iter().zip(outcomes) {
                    assert!(outcome.elapsed_ns > 0);
                    assert_eq!(Outcome { elapsed_ns: 0, ..outcome }, answer(puzzle));
                }
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_clock_gives_the_length_of_a_tick() {
        use std::time::Duration;
        let clock = Instant::now();
        let first = Moment { ticks: 1_000, clock };
        let later = |ticks, ns| Moment { ticks, clock: clock + Duration::from_nanos(ns) };
        assert_eq!(first.tick_ns(&later(5_000, 1_000)), 0.25);
        assert_eq!(first.tick_ns(&later(1_000, 8)), 8.0);
        // A counter that ran backwards, as it may after a switch to another processor.
        assert_eq!(first.tick_ns(&later(10, 8)), 8.0);
    }
}
