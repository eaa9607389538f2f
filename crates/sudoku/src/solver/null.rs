//! `null` solves nothing: a run with it shows the cost of everything except solving.

use super::{Outcome, Question, Solver};
use crate::puzzle::Puzzle;

/// Aborts every puzzle immediately.
pub(super) struct Null;

impl Solver for Null {
    fn solve(&mut self, _puzzle: &Puzzle, _question: &Question) -> Outcome {
        Outcome::ABORTED
    }
}
