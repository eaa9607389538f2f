//! How hard the steps of a puzzle are, as Sudoku Explainer rates them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::simd::LevelError;
use sudobench_sudoku::techniques::{Path, path};

use super::{Fact, FactContext, Need, PuzzlesOfBlock};

/// The path through the techniques, if the puzzle has exactly one solution and its row may be written.
#[derive(Debug)]
pub struct TechniquePath {
    cancel: Option<Arc<AtomicBool>>,
}

impl Fact for TechniquePath {
    type Value = Path;
    const NAME: &'static str = "technique path";
    const IS_SLOW: bool = true;

    fn builds_on(_: u32) -> Vec<Need> {
        vec![Need::Outcome]
    }

    fn new(context: &FactContext, _: u32) -> Result<TechniquePath, LevelError> {
        Ok(TechniquePath { cancel: context.cancel.clone() })
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<Path>>) {
        for (number, puzzle) in block.puzzles.iter().enumerate() {
            let is_rated = !block.is_left_out(number) && block.unique_solution(number).is_some();
            if !is_rated {
                values.push(None);
                continue;
            }
            let Some(path) = path(puzzle, self.cancel.as_deref()) else { return };
            values.push(Some(path));
        }
    }
}
