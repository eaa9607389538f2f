//! Counts the recursive calls of the search of the online-judge problem BOJ 12095.

use std::sync::Arc;

use sudobench_sudoku::simd::LevelError;
use sudobench_sudoku::solver::BoolTable;
use sudobench_sudoku::{Question, Solver as _};

use super::{Fact, FactContext, PuzzlesOfBlock, is_cancelled};

/// The number of calls at which counting ends.
pub const MOST_CALLS: u64 = 10_000_000;

/// Number of calls of the recursion of BOJ 12095, up to [`MOST_CALLS`].
#[derive(Debug)]
pub struct RecursionCalls {
    backtracker: BoolTable,
    /// The question of BOJ 12095, which asks for one solution, with a limit of [`MOST_CALLS`] nodes. Each node is a placed digit, followed
    /// by a call; the first call comes before any node. So a search that ends at the limit has made more than [`MOST_CALLS`] calls.
    question: Question,
}

impl Fact for RecursionCalls {
    type Value = u64;

    fn new(context: &FactContext, _: u32) -> Result<RecursionCalls, LevelError> {
        let question = Question {
            max_nodes: Some(MOST_CALLS),
            cancel: Some(Arc::clone(&context.cancel)),
            ..Question::first()
        };
        Ok(RecursionCalls { backtracker: BoolTable::default(), question })
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<u64>>) {
        for puzzle in block.puzzles {
            self.backtracker.solve(puzzle, &self.question);
            if self.question.cancel.as_deref().is_some_and(is_cancelled) {
                return;
            }
            values.push(Some(self.backtracker.calls().min(MOST_CALLS)));
        }
    }
}
