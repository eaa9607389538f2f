//! The difficulty of puzzles.

use std::num::NonZeroU64;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sudobench_sudoku::rate::{Measures, Rater, Rating};
use sudobench_sudoku::simd::LevelError;
use sudobench_sudoku::{Puzzle, Solution};

use super::{Fact, FactContext, Need, PuzzlesOfBlock};
use crate::transform::random_transformations;

/// The difficulty of a puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rated {
    /// The ratings that are equal for all forms of the puzzle.
    pub rating: Rating,
    /// Mean number of guesses of the solver `mrv` over random forms, in thousandths; `None` if it was not requested.
    pub guesses: Option<u64>,
}

/// The random forms of a puzzle. The guesses are averaged over these forms. [`Transform::random`](crate::Transform::random) makes the same
/// forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Isomorphs {
    /// Number of forms.
    #[serde(rename = "isomorphs")]
    pub forms: NonZeroU64,
    /// The seed. Equal puzzles get the same forms from the same seed.
    pub seed: u64,
}

impl Isomorphs {
    /// Ten forms, with seed 1.
    pub const DEFAULT: Isomorphs = Isomorphs { forms: NonZeroU64::new(10).unwrap(), seed: 1 };
}

impl Default for Isomorphs {
    fn default() -> Isomorphs {
        Isomorphs::DEFAULT
    }
}

/// The rating of the puzzle, if the puzzle has exactly one solution, and [`Marks::leaves_out`](crate::Marks::leaves_out) is not true for
/// its row.
#[derive(Debug)]
pub struct Ratings {
    rater: Rater,
    measures: Measures,
    /// The forms over which guesses are averaged; `None` if the mean of guesses is not demanded.
    isomorphs: Option<Isomorphs>,
}

impl Ratings {
    /// Demand bit for the mean number of guesses over random forms. The setting [`Isomorphs`] selects the forms.
    pub const GUESSES: u32 = 1;

    /// Returns the need for these measures.
    pub const fn need(measures: Measures) -> Need {
        let Measures { difficulty, singles, locked, pairs, depth, backdoor } = measures;
        let bits = difficulty as u32
            | (singles as u32) << 1
            | (locked as u32) << 2
            | (pairs as u32) << 3
            | (depth as u32) << 4
            | (backdoor as u32) << 5;
        Need::with::<Ratings>(bits << 1)
    }

    fn measures(demand: u32) -> Measures {
        let has = |bit: u32| demand >> 1 & 1 << bit != 0;
        Measures {
            difficulty: has(0),
            singles: has(1),
            locked: has(2),
            pairs: has(3),
            depth: has(4),
            backdoor: has(5),
        }
    }

    /// Rates a puzzle with exactly one solution. `None` if the run was cancelled.
    fn rate(&self, puzzle: &Puzzle, solution: &Solution) -> Option<Rated> {
        let rating = self.rater.rate_solved(puzzle, solution, self.measures)?;
        let mut rated = Rated { rating, guesses: None };
        if let Some(Isomorphs { forms, seed }) = self.isomorphs {
            let transformations = random_transformations(puzzle, forms, seed);
            rated.guesses = Some(self.rater.guesses(transformations.map(|form| form.apply(puzzle)))?);
        }
        Some(rated)
    }
}

impl Fact for Ratings {
    type Value = Rated;
    const IS_SLOW: bool = true;

    fn builds_on(_: u32) -> Vec<Need> {
        vec![Need::Outcome]
    }

    fn new(context: &FactContext, demand: u32) -> Result<Ratings, LevelError> {
        let isomorphs = context.setting::<Isomorphs>().copied().unwrap_or_default();
        Ok(Ratings {
            rater: Rater::default().cancel(Arc::clone(&context.cancel)),
            measures: Ratings::measures(demand),
            isomorphs: (demand & Ratings::GUESSES != 0).then_some(isomorphs),
        })
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<Rated>>) {
        let rate = |(number, puzzle)| match block.wanted_solution(number) {
            Some(solution) => self.rate(puzzle, &solution).map(Some),
            None => Some(None),
        };
        // Ends if the run is cancelled.
        values.extend(block.puzzles.iter().enumerate().map_while(rate));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demands_name_the_measures() {
        for measures in [
            Measures::NONE,
            Measures { difficulty: true, depth: true, ..Measures::NONE },
            Measures { singles: true, locked: true, pairs: true, backdoor: true, ..Measures::NONE },
        ] {
            let Need::Fact(_, demand) = Ratings::need(measures) else { panic!("a rating is a fact") };
            assert_eq!(Ratings::measures(demand | Ratings::GUESSES), measures);
        }
    }
}
