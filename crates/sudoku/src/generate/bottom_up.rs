//! Minimal puzzles from the bottom up: adds random clues until exactly one solution is left, then removes redundant
//! clues.
//!
//! ```text
//!   repeat   choose a random blank cell and a random digit that no clue in its row, column and box has
//!            no solution: remove the clue again; several: continue; one: remove redundant clues in a random order
//! ```
//! No solution is chosen beforehand. If the clues came from a chosen full grid, this would be the top-down method in
//! another order.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Made;
use super::descent::{Descent, Descents, cells_one_by_one};
use crate::puzzle::{CELLS, Puzzle, Solution};
use crate::random::Random;
use crate::simd::{Level, LevelError};
use crate::solver::{Outcome, Question, Solver, Status};

/// Makes minimal puzzles from the bottom up. Each thread needs its own generator.
///
/// ```
/// use sudobench_sudoku::generate::BottomUp;
///
/// let mut made = Vec::new();
/// assert!(BottomUp::default().make(1, 0..3, &mut made));
/// assert!(made.iter().all(|made| made.puzzle.clue_count() < 35 && made.solution.check(&made.puzzle).is_ok()));
/// ```
#[derive(Debug, Default)]
pub struct BottomUp {
    descents: Descents,
}

struct Growing {
    number: u64,
    random: Random,
    puzzle: Puzzle,
    /// The puzzle with the clue that is being tried.
    tried: Puzzle,
}

/// Largest number of puzzles in progress. At the end of each batch, the solver's SIMD vectors are not full; in a large batch, this costs
/// little.
const AT_ONCE: usize = 4_096;

impl BottomUp {
    /// Makes a generator that uses this SIMD level. The puzzles don't depend on the level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<BottomUp, LevelError> {
        Ok(BottomUp { descents: Descents::new(level)? })
    }

    /// Sets a cancel flag. The work stops soon after the flag becomes true.
    #[must_use]
    pub fn cancel(mut self, cancel: Arc<AtomicBool>) -> BottomUp {
        self.descents.cancel = Some(cancel);
        self
    }

    /// Appends one puzzle to `made` for each number in `numbers`. A puzzle depends only on the seed and its number. If the work was
    /// cancelled, appends nothing and returns false.
    pub fn make(&mut self, seed: u64, numbers: Range<u64>, made: &mut Vec<Made>) -> bool {
        let Some(grown) = self.grow(seed, numbers.clone()) else { return false };
        let mut grown = grown.into_iter();
        let start = |descent: &mut Descent| {
            let Some((Growing { number, mut random, puzzle, .. }, solution)) = grown.next() else {
                return false;
            };
            descent.start(number, (puzzle, &solution), cells_one_by_one(&mut random), 0);
            true
        };
        self.descents.make(numbers, start, made)
    }

    /// Adds random clues to each puzzle until it has exactly one solution. Returns these puzzles with their solutions; `None` if the work
    /// was cancelled.
    fn grow(&mut self, seed: u64, mut numbers: Range<u64>) -> Option<Vec<(Growing, Solution)>> {
        let cancel = self.descents.cancel.clone();
        let question = Question { cancel: cancel.clone(), ..Question::unique_or_first() };
        let (mut growing, mut grown) = (Vec::new(), Vec::new());
        let (mut tried, mut outcomes) = (Vec::new(), Vec::new());
        loop {
            while growing.len() < AT_ONCE
                && let Some(number) = numbers.next()
            {
                let random = Random::from_stream(seed, number);
                growing.push(Growing { number, random, puzzle: Puzzle::EMPTY, tried: Puzzle::EMPTY });
            }
            if growing.is_empty() {
                return Some(grown);
            }
            tried.clear();
            tried.extend(growing.iter_mut().map(Growing::add));
            outcomes.clear();
            outcomes.resize(tried.len(), Outcome::ABORTED);
            self.descents.solver.solve_batch(&tried, &question, &mut outcomes);
            if cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return None;
            }
            let mut next = Vec::with_capacity(AT_ONCE);
            for (mut puzzle, outcome) in growing.into_iter().zip(&outcomes) {
                if outcome.status != Status::Unsolvable {
                    puzzle.puzzle = puzzle.tried;
                }
                match outcome.solution.filter(|_| outcome.status == Status::Unique) {
                    Some(solution) => grown.push((puzzle, solution)),
                    None => next.push(puzzle),
                }
            }
            growing = next;
        }
    }
}

impl Growing {
    /// Chooses a random clue that contradicts no other clue. Returns the puzzle with this clue added.
    fn add(&mut self) -> Puzzle {
        loop {
            let (cell, digit) = (self.random.below(CELLS), 1 + self.random.below(9) as u8);
            if self.puzzle[cell] == 0 {
                self.tried = self.puzzle;
                self.tried.values_mut()[cell] = digit;
                if self.tried.conflict().is_none() {
                    return self.tried;
                }
            }
        }
    }
}
