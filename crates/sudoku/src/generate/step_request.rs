//! Requests for puzzles that are solved with certain techniques or have a certain rating.

use std::ops::RangeInclusive;

use crate::techniques::{Technique, Walk};

/// Requirements on the steps to the solution: see [`Walk`]. The default allows any steps that lead to the solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRequest {
    /// Techniques that must all occur.
    pub techniques: Vec<Technique>,
    /// The allowed techniques of the hardest step. If empty, any technique is allowed.
    pub hardest: Vec<Technique>,
    /// The allowed ratings of the hardest step, as Sudoku Explainer rates steps (ER), in tenths.
    pub ratings: RangeInclusive<u8>,
}

impl Default for StepRequest {
    fn default() -> StepRequest {
        StepRequest { techniques: Vec::new(), hardest: Vec::new(), ratings: 0..=u8::MAX }
    }
}

/// Amount that each unmet condition adds to the distance from the request, in units of 0.1 rating points (10 is 1.0). Unmet
/// conditions are a missing technique, a hardest step with a technique that isn't allowed, and steps that don't solve the puzzle.
const MISSING: u64 = 10;

impl StepRequest {
    /// Returns how far the steps of a puzzle are from the request, in units of 0.1 rating points. 0 means that the steps are as requested.
    pub fn missed_by(&self, walk: &Walk) -> u64 {
        let (least, most) = (*self.ratings.start(), *self.ratings.end());
        let rating = least.saturating_sub(walk.rating).max(walk.rating.saturating_sub(most));
        let lacks = |technique: &&Technique| walk.counts[**technique as usize] == 0;
        let is_hardest = walk.hardest.is_some_and(|hardest| self.hardest.contains(&hardest));
        let missing = self.techniques.iter().filter(lacks).count()
            + usize::from(!self.hardest.is_empty() && !is_hardest)
            + usize::from(walk.is_unfinished);
        u64::from(rating) + MISSING * missing as u64
    }
}
