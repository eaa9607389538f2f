//! How naked and hidden singles fill a puzzle, round by round.

use sudobench_sudoku::rate::SinglesPath;
use sudobench_sudoku::simd::LevelError;

use super::{Fact, FactContext, Need, PuzzlesOfBlock};

/// The [`SinglesPath`] of the puzzle, if the puzzle has exactly one solution, and [`Marks::leaves_out`](crate::Marks::leaves_out) is not
/// true for its row.
#[derive(Debug)]
pub struct SinglesPathFact;

impl Fact for SinglesPathFact {
    type Value = SinglesPath;

    fn builds_on(_: u32) -> Vec<Need> {
        vec![Need::Outcome]
    }

    fn new(_: &FactContext, _: u32) -> Result<SinglesPathFact, LevelError> {
        Ok(SinglesPathFact)
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<SinglesPath>>) {
        values.extend(
            block
                .puzzles
                .iter()
                .enumerate()
                .map(|(number, puzzle)| block.wanted_solution(number).map(|_| SinglesPath::follow(puzzle))),
        );
    }
}
