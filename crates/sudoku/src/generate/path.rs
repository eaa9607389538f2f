//! Requests for puzzles by the techniques that solve them.

use std::ops::RangeInclusive;

use crate::techniques::{Technique, Walk};

/// The lowest rating of a puzzle with a blank, in tenths: each of them has a step, and the easiest step is rated 1.0.
const LOWEST_RATING: u8 = 10;

/// What the steps to the solution must be like: see [`Walk`]. The default allows any steps that lead to the solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Techniques that must all occur.
    pub techniques: Vec<Technique>,
    /// Techniques of which one must be the hardest; any if empty.
    pub hardest: Vec<Technique>,
    /// The allowed ratings (ER), in tenths.
    pub ratings: RangeInclusive<u8>,
}

impl Default for Path {
    fn default() -> Path {
        Path { techniques: Vec::new(), hardest: Vec::new(), ratings: 0..=u8::MAX }
    }
}

impl Path {
    /// Returns whether the steps of a puzzle are as requested.
    pub fn is_met_by(&self, walk: &Walk) -> bool {
        !walk.is_beyond
            && self.ratings.contains(&walk.rating)
            && self.techniques.iter().all(|&technique| walk.counts[technique as usize] > 0)
            && (self.hardest.is_empty()
                || walk.hardest.is_some_and(|hardest| self.hardest.contains(&hardest)))
    }

    /// Returns whether no puzzle has such a rating.
    pub(super) fn is_impossible(&self) -> bool {
        self.ratings.is_empty() || *self.ratings.end() < LOWEST_RATING
    }
}
