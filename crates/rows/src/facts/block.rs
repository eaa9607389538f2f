//! The puzzles of a block, and their facts.

use std::any::{Any, TypeId};
use std::fmt;

use sudobench_sudoku::{Outcome, Puzzle, Solution, Status};

use super::{Fact, Prediction};

/// The computed facts of a block's puzzles. Values are found by the type of their fact, so a new fact needs no change in this file.
#[derive(Default)]
pub struct FactBlock {
    values: Vec<(TypeId, Box<dyn Any + Send + Sync>)>,
}

impl FactBlock {
    /// Returns the values of a fact, one for each puzzle, or fewer if the run was cancelled; `None` if the fact was not computed.
    pub fn get<F: Fact>(&self) -> Option<&[Option<F::Value>]> {
        let (_, values) = self.values.iter().find(|(id, _)| *id == TypeId::of::<F>())?;
        values.downcast_ref::<Vec<Option<F::Value>>>().map(Vec::as_slice)
    }

    pub(crate) fn value<F: Fact>(&self, puzzle: usize) -> Option<&F::Value> {
        self.get::<F>()?.get(puzzle)?.as_ref()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Removes the values of a fact, and returns their memory for reuse.
    pub(super) fn take<F: Fact>(&mut self) -> Vec<Option<F::Value>> {
        let at = self.values.iter().position(|(id, _)| *id == TypeId::of::<F>());
        let taken = at.and_then(|at| self.values.swap_remove(at).1.downcast::<Vec<Option<F::Value>>>().ok());
        let mut values = taken.map_or_else(Vec::new, |values| *values);
        values.clear();
        values
    }

    pub(super) fn put<F: Fact>(&mut self, values: Vec<Option<F::Value>>) {
        self.values.push((TypeId::of::<F>(), Box::new(values)));
    }
}

impl fmt::Debug for FactBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FactBlock").field("facts", &self.values.len()).finish_non_exhaustive()
    }
}

/// The puzzles of a block, and the data from which their facts are computed.
#[derive(Clone, Copy, Debug)]
pub struct PuzzlesOfBlock<'b> {
    /// The puzzles.
    pub puzzles: &'b [Puzzle],
    /// The solver's outcome for each puzzle; empty if nothing needs outcomes.
    pub outcomes: &'b [Outcome],
    /// Whether the referee has accepted every solution; false if it has not checked them yet.
    pub(crate) all_valid: bool,
    /// For each puzzle, whether [`Marks::leaves_out`](crate::Marks::leaves_out) is true for its row. An empty list means that this is true
    /// for no row.
    pub(crate) left_out: &'b [bool],
    /// The prediction for each puzzle; empty if the rows have no predictions.
    pub predictions: &'b [Prediction],
    /// The facts that were computed before the current fact.
    pub facts: &'b FactBlock,
}

static NO_FACTS: FactBlock = FactBlock { values: Vec::new() };

impl<'b> PuzzlesOfBlock<'b> {
    pub(crate) fn new(
        puzzles: &'b [Puzzle],
        outcomes: &'b [Outcome],
        all_valid: bool,
        left_out: &'b [bool],
    ) -> PuzzlesOfBlock<'b> {
        PuzzlesOfBlock { puzzles, outcomes, all_valid, left_out, predictions: &[], facts: &NO_FACTS }
    }

    /// Returns the solution of the puzzle with this index in the block, if it is the only solution and the referee accepts it.
    pub fn unique_solution(&self, puzzle: usize) -> Option<Solution> {
        let outcome = self.outcomes.get(puzzle).filter(|outcome| outcome.status == Status::Unique)?;
        outcome.solution.filter(|solution| self.all_valid || solution.check(&self.puzzles[puzzle]).is_ok())
    }

    /// Like [`unique_solution`](PuzzlesOfBlock::unique_solution), but also returns `None` if
    /// [`Marks::leaves_out`](crate::Marks::leaves_out) is true for the row. If this returns `None`, slow facts need not be computed.
    pub fn wanted_solution(&self, puzzle: usize) -> Option<Solution> {
        let is_left_out = self.left_out.get(puzzle).is_some_and(|&is_left_out| is_left_out);
        if is_left_out { None } else { self.unique_solution(puzzle) }
    }
}
