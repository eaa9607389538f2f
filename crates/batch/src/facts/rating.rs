//! How hard the puzzle of a row is, if it has exactly one solution.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::rate::{Rater, Rating};
use sudobench_sudoku::{Puzzle, Solution};

use super::needs::Needs;
use crate::transform::random_transformations;

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rated {
    /// What is the same for all forms of it.
    pub rating: Rating,
    /// The mean of the guesses of the solver `mrv` over random forms, in thousandths; `None` where nothing needs it.
    pub guesses: Option<u64>,
}

/// The random forms of each puzzle over which guesses are averaged: those that [`Transform::Random`](crate::Transform::Random) draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isomorphs {
    /// How many.
    pub forms: NonZeroU64,
    /// Decides, with the puzzle, which.
    pub seed: u64,
}

impl Isomorphs {
    /// Ten, of the seed 1.
    pub const DEFAULT: Isomorphs = Isomorphs { forms: NonZeroU64::new(10).unwrap(), seed: 1 };
}

impl Default for Isomorphs {
    fn default() -> Isomorphs {
        Isomorphs::DEFAULT
    }
}

/// Rates the puzzles of rows. One for each thread.
#[derive(Debug)]
pub(crate) struct RowRater {
    rater: Rater,
    isomorphs: Isomorphs,
}

impl RowRater {
    /// One that gives up where `cancel` becomes true.
    pub(crate) fn new(isomorphs: Isomorphs, cancel: Option<&Arc<AtomicBool>>) -> RowRater {
        let rater = Rater::default();
        RowRater {
            rater: cancel.map_or(rater, |cancel| Rater::default().cancel(Arc::clone(cancel))),
            isomorphs,
        }
    }

    /// Rates a puzzle with exactly one solution; `None` where that was given up.
    pub(crate) fn rate(&self, puzzle: &Puzzle, solution: &Solution, needs: Needs) -> Option<Rated> {
        let rating = self.rater.rate_solved(puzzle, solution, needs.rating)?;
        let Isomorphs { forms, seed } = self.isomorphs;
        let guesses = match needs.rated_by_guesses {
            true => {
                let transformations = random_transformations(puzzle, forms, seed);
                Some(self.rater.guesses(transformations.map(|form| form.apply(puzzle)))?)
            }
            false => None,
        };
        Some(Rated { rating, guesses })
    }
}
