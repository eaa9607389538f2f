//! Makes minimal puzzles from the top down: starts with a full grid, tries to remove each clue in a random order, and keeps the clues whose
//! removal would allow a second solution.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::descent::{Descent, Descents, cells_one_by_one};
use super::{Grids, Made};
use crate::puzzle::Puzzle;
use crate::random::Random;
use crate::simd::{Level, LevelError};

/// Makes minimal puzzles from the top down. Each thread needs its own generator.
///
/// ```
/// use sudobench_sudoku::generate::TopDown;
///
/// let mut made = Vec::new();
/// assert!(TopDown::default().make(1, 0..3, &mut made));
/// let mut last = Vec::new();
/// assert!(TopDown::default().make(1, 2..3, &mut last));
/// assert_eq!(made[2], last[0]);
/// assert!(made.iter().all(|made| made.puzzle.clue_count() < 35 && made.solution.check(&made.puzzle).is_ok()));
/// ```
#[derive(Debug, Default)]
pub struct TopDown {
    grids: Grids,
    descents: Descents,
}

impl TopDown {
    /// Makes a generator that uses this SIMD level. The puzzles don't depend on the level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<TopDown, LevelError> {
        Ok(TopDown { grids: Grids::new(level)?, descents: Descents::new(level)? })
    }

    /// Sets a cancel flag. The work stops soon after the flag becomes true.
    #[must_use]
    pub fn cancel(mut self, cancel: Arc<AtomicBool>) -> TopDown {
        self.descents.cancel = Some(cancel);
        self
    }

    /// Appends one puzzle to `made` for each number in `numbers`. A puzzle depends only on the seed and its number. If the work was
    /// cancelled, appends nothing and returns false.
    pub fn make(&mut self, seed: u64, numbers: Range<u64>, made: &mut Vec<Made>) -> bool {
        let TopDown { grids, descents } = self;
        let mut next = numbers.clone();
        let start = |descent: &mut Descent| {
            let Some(number) = next.next() else { return false };
            let mut random = Random::from_stream(seed, number);
            let solution = grids.grid(&mut random);
            let puzzle = Puzzle::from(solution);
            descent.start(number, (puzzle, &solution), cells_one_by_one(&mut random), 0);
            true
        };
        descents.make(numbers, start, made)
    }
}
