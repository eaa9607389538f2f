//! The digits that each cell has in at least one solution.

use std::sync::Arc;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::candidates::{CandidateFinder, CandidateLevel, CellDigits};
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::simd::LevelError;

use super::{Fact, FactContext, PuzzlesOfBlock};

/// The exact candidates of each puzzle: the digits that each cell has in at least one solution. All puzzles of a block are searched
/// together.
#[derive(Debug)]
pub struct ExactCandidates {
    finder: CandidateFinder,
}

impl ExactCandidates {
    /// Returns the candidates of each puzzle at this level. Returns `None` if the work is cancelled.
    pub(crate) fn find(&mut self, puzzles: &[Puzzle], level: CandidateLevel) -> Option<Vec<CellDigits>> {
        let mut found = vec![[0; CELLS]; puzzles.len()];
        self.finder.find(puzzles, level, &mut found).then_some(found)
    }
}

impl Fact for ExactCandidates {
    type Value = CellDigits;

    fn new(context: &FactContext, _: u32) -> Result<ExactCandidates, LevelError> {
        Ok(ExactCandidates {
            finder: CandidateFinder::new(context.level)?.cancel(Arc::clone(&context.cancel)),
        })
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<CellDigits>>) {
        values.extend(self.find(block.puzzles, CandidateLevel::Exact).into_iter().flatten().map(Some));
    }
}
