//! Canonical (minlex) forms of puzzles and of their solutions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::canonical::{Canonical, Canonicalizer};
use sudobench_sudoku::simd::LevelError;

use super::{Fact, FactContext, Need, PuzzlesOfBlock, is_cancelled};

/// The canonical form of the puzzle, with the transformation from the puzzle to this form and the number of automorphisms.
#[derive(Debug)]
pub struct CanonicalForm {
    canonicalizer: Canonicalizer,
    cancel: Arc<AtomicBool>,
}

impl Fact for CanonicalForm {
    type Value = Canonical;

    fn new(context: &FactContext, _: u32) -> Result<CanonicalForm, LevelError> {
        Ok(CanonicalForm { canonicalizer: Canonicalizer::default(), cancel: Arc::clone(&context.cancel) })
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<Canonical>>) {
        let CanonicalForm { canonicalizer, cancel } = self;
        // The cancel flag is checked for each puzzle, because puzzles with contradictory clues may take milliseconds each.
        let puzzles = block.puzzles.iter().take_while(|_| !is_cancelled(cancel));
        values.extend(puzzles.map(|puzzle| Some(canonicalizer.canonical(puzzle))));
    }
}

/// The canonical form of the puzzle's solution, if the puzzle has exactly one solution.
#[derive(Debug)]
pub struct CanonicalSolution(Canonicalizer);

impl Fact for CanonicalSolution {
    type Value = Puzzle;

    fn builds_on(_: u32) -> Vec<Need> {
        vec![Need::Outcome]
    }

    fn new(_: &FactContext, _: u32) -> Result<CanonicalSolution, LevelError> {
        Ok(CanonicalSolution(Canonicalizer::default()))
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<Puzzle>>) {
        let solutions = (0..block.puzzles.len()).map(|puzzle| block.unique_solution(puzzle));
        values.extend(solutions.map(|solution| Some(self.0.canonical(&solution?.into()).form)));
    }
}
