//! Fingerprint of a file, which shows how difficult its puzzles are: the smallest and the largest number of clues, how many puzzles have
//! exactly one solution, and how many puzzles can be solved with singles alone. For the last two numbers, only the first 100,000 puzzles
//! are examined, in the order of the measurement.

use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solve_by_singles;
use sudobench_sudoku::solver::{Outcome, Question, Status, default_variant};

use crate::record::Fingerprint;

/// Maximum number of puzzles that are solved for a fingerprint, so that a large file does not take long.
const MOST: usize = 100_000;

/// The puzzles for the fingerprint of a file, independent of the measured sample.
#[derive(Clone, Debug)]
pub(super) struct Specimens {
    clues_min: u64,
    clues_max: u64,
    /// The first puzzles of the permutation, at most [`MOST`].
    puzzles: Vec<Puzzle>,
}

impl Specimens {
    /// Selects the specimens from the puzzles of a file. `order` has the positions of the puzzles in the order of the measurement.
    pub(super) fn new(puzzles: &[Puzzle], order: &[usize]) -> Specimens {
        let clues = || puzzles.iter().map(|puzzle| puzzle.clue_count() as u64);
        Specimens {
            clues_min: clues().min().unwrap_or(0),
            clues_max: clues().max().unwrap_or(0),
            puzzles: order.iter().take(MOST).map(|&at| puzzles[at]).collect(),
        }
    }

    /// Solves the puzzles and returns the fingerprint.
    ///
    /// # Errors
    /// [`LevelError`] if the CPU does not support the SIMD level.
    pub(super) fn fingerprint(&self, level: Level) -> Result<Fingerprint, LevelError> {
        let mut outcomes = vec![Outcome::ABORTED; self.puzzles.len()];
        default_variant().build(level)?.solve_batch(&self.puzzles, &Question::unique(), &mut outcomes);
        let unique = outcomes.iter().filter(|outcome| outcome.status == Status::Unique).count();
        let by_singles = self.puzzles.iter().filter(|puzzle| solve_by_singles(puzzle).is_some()).count();
        Ok(Fingerprint {
            clues_min: self.clues_min,
            clues_max: self.clues_max,
            solved: self.puzzles.len() as u64,
            unique: unique as u64,
            by_singles: by_singles as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::puzzle;
    use super::*;

    #[test]
    fn all_clues_count_and_some_puzzles_are_solved() {
        let guessed: Puzzle =
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
                .parse()
                .unwrap();
        let puzzles = [vec![puzzle(); 2], vec![guessed, Puzzle::EMPTY]].concat();
        let taken = Specimens::new(&puzzles, &[3, 1, 2, 0]).fingerprint(Level::widest()).unwrap();
        let expected = Fingerprint { clues_min: 0, clues_max: 30, solved: 4, unique: 3, by_singles: 2 };
        assert_eq!(taken, expected);
        let many = Specimens::new(&puzzles, &[1; MOST + 1]);
        assert_eq!((many.clues_min, many.puzzles.len()), (0, MOST), "the clues are from all puzzles");
    }
}
