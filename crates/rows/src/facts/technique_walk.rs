//! The steps to the solution of a puzzle, with the ratings of Sudoku Explainer.

use std::sync::Arc;

use sudobench_sudoku::simd::LevelError;
use sudobench_sudoku::techniques::{Walk, Walker};

use super::{Fact, FactContext, Need, PuzzlesOfBlock};

/// The steps to the solution, if the puzzle has exactly one solution and its row is not already excluded from the output.
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
        for (number, puzzle) in block.puzzles.iter().enumerate() {
            let is_rated = !block.is_left_out(number) && block.unique_solution(number).is_some();
            if !is_rated {
                values.push(None);
                continue;
            }
            let Some(walk) = self.walker.walk(puzzle) else { return };
            values.push(Some(walk));
        }
    }
}
