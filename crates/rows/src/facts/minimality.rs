//! Whether puzzles are minimal, and which clues are redundant.

use std::sync::Arc;

use sudobench_sudoku::minimal;
use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::simd::LevelError;
use sudobench_sudoku::{Puzzle, Solution};

use super::{Fact, FactContext, Need, PuzzlesOfBlock};

/// Whether the puzzle is minimal, if it has exactly one solution. All puzzles of a block are checked together.
#[derive(Debug)]
pub struct Minimality {
    minimality: minimal::Minimality,
    lists_clues: bool,
}

/// The redundant clues of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redundancy {
    /// Whether every clue is needed.
    pub is_minimal: bool,
    /// The redundant clues: if any one of them is removed, the puzzle still has exactly one solution. `None` unless this list is
    /// [demanded](Minimality::REDUNDANT_CLUES).
    pub redundant: Option<Cells>,
}

impl Minimality {
    /// Bit of the demand that requests the list of redundant clues. Without this bit, only [`Redundancy::is_minimal`] is computed, which
    /// takes less time.
    pub const REDUNDANT_CLUES: u32 = 1;
}

impl Fact for Minimality {
    type Value = Redundancy;

    fn builds_on(_: u32) -> Vec<Need> {
        vec![Need::Outcome]
    }

    fn new(context: &FactContext, demand: u32) -> Result<Minimality, LevelError> {
        let minimality = minimal::Minimality::new(context.level)?.cancel(Arc::clone(&context.cancel));
        Ok(Minimality { minimality, lists_clues: demand & Minimality::REDUNDANT_CLUES != 0 })
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<Redundancy>>) {
        let unique = (0..block.puzzles.len())
            .filter_map(|puzzle| block.unique_solution(puzzle).map(|solution| (puzzle, solution)));
        let (unique, solutions): (Vec<usize>, Vec<Solution>) = unique.unzip();
        let puzzles: Vec<Puzzle> = unique.iter().map(|&puzzle| block.puzzles[puzzle]).collect();
        let Some(answers) = self.ask(&puzzles, &solutions) else { return };
        values.resize(block.puzzles.len(), None);
        for (puzzle, answer) in unique.into_iter().zip(answers) {
            values[puzzle] = Some(answer);
        }
    }
}

impl Minimality {
    /// Returns the results for puzzles with exactly one solution. `None` if the run was cancelled.
    fn ask(&mut self, puzzles: &[Puzzle], solutions: &[Solution]) -> Option<Vec<Redundancy>> {
        if self.lists_clues {
            let mut redundant = vec![Cells::EMPTY; puzzles.len()];
            let is_complete = self.minimality.redundant(puzzles, solutions, &mut redundant);
            let answer = |cells: Cells| Redundancy { is_minimal: cells.is_empty(), redundant: Some(cells) };
            return is_complete.then(|| redundant.into_iter().map(answer).collect());
        }
        let mut are_minimal = vec![false; puzzles.len()];
        let is_complete = self.minimality.are_minimal(puzzles, solutions, &mut are_minimal);
        let answer = |is_minimal| Redundancy { is_minimal, redundant: None };
        is_complete.then(|| are_minimal.into_iter().map(answer).collect())
    }
}
