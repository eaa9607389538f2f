//! Minimal puzzles from the top down: a full grid, from which clues are taken out in a random order as long as they can be.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::descent::{Descent, Descents, cells_one_by_one};
use super::{Grids, Made, nothing_made};
use crate::puzzle::Puzzle;
use crate::random::Random;
use crate::simd::{Level, LevelError};

/// Makes minimal puzzles from the top down. One for each thread.
///
/// ```
/// use sudobench_sudoku::generate::TopDown;
///
/// let mut made = Vec::new();
/// assert!(TopDown::default().make(1, 0..3, &mut made));
/// let mut last = Vec::new();
/// assert!(TopDown::default().make(1, 2..3, &mut last));
/// assert_eq!(made[2], last[0]);
/// assert!(made.iter().all(|made| made.puzzle.clues() < 35 && made.solution.check(&made.puzzle).is_ok()));
/// ```
#[derive(Debug, Default)]
pub struct TopDown {
    grids: Grids,
    descents: Descents,
}

impl TopDown {
    /// The same with vectors of that width. What is made does not depend on it.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] where the CPU lacks the level.
    pub fn new(level: Level) -> Result<TopDown, LevelError> {
        Ok(TopDown { grids: Grids::new(level)?, descents: Descents::new(level)? })
    }

    /// The same, given up as soon as this becomes true.
    #[must_use]
    pub fn cancel(mut self, cancel: Arc<AtomicBool>) -> TopDown {
        self.descents.cancel = Some(cancel);
        self
    }

    /// Makes the puzzles with these numbers of a seed, and appends them. Returns whether all are made: where it was cancelled, none is
    /// appended.
    pub fn make(&mut self, seed: u64, numbers: Range<u64>, made: &mut Vec<Made>) -> bool {
        let before = made.len();
        made.resize(before + numbers.clone().count(), nothing_made());
        let TopDown { grids, descents } = self;
        let mut next = numbers.clone();
        let start = |descent: &mut Descent| {
            let Some(number) = next.next() else { return false };
            let mut random = Random::of_stream(seed, number);
            let solution = grids.grid(&mut random);
            descent.start(
                number - numbers.start,
                (Puzzle::from(solution), &solution),
                cells_one_by_one(&mut random),
                0,
            );
            true
        };
        let whole = descents.run(start, |descent| {
            let at = before + descent.number as usize;
            made[at] = Made { puzzle: descent.puzzle, solution: descent.solution, weight: None };
        });
        if !whole {
            made.truncate(before);
        }
        whole
    }
}
