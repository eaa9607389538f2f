//! Solves puzzles step by step, and rates the steps as Sudoku Explainer does.

use std::sync::Arc;

use sudobench_sudoku::simd::LevelError;
use sudobench_sudoku::techniques::{Walk, Walker};

use super::{Fact, FactContext, Need, PuzzlesOfBlock};

/// Ratings and counts of the steps to the solution. There is no value for a puzzle without exactly one solution, nor for a row that
/// [`Marks::leaves_out`](crate::Marks::leaves_out) excludes. If the puzzle needs an unknown technique, only the steps before that technique
/// count.
#[derive(Debug)]
pub struct TechniqueWalk {
    walker: Walker,
}

impl Fact for TechniqueWalk {
    type Value = Walk;
    const IS_SLOW: bool = true;

    fn builds_on(_: u32) -> Vec<Need> {
        vec![Need::Outcome]
    }

    fn new(context: &FactContext, _: u32) -> Result<TechniqueWalk, LevelError> {
        Ok(TechniqueWalk { walker: Walker::default().cancel(Arc::clone(&context.cancel)) })
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<Walk>>) {
        let walk = |(number, puzzle)| match block.wanted_solution(number) {
            Some(_) => self.walker.walk(puzzle).map(Some),
            None => Some(None),
        };
        // Ends if the run is cancelled.
        values.extend(block.puzzles.iter().enumerate().map_while(walk));
    }
}
