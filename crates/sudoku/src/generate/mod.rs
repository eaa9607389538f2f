//! Puzzles made anew: full grids, and puzzles from which nothing more can be taken.
//!
//! A method makes puzzles of a seed by number: number `k` of a seed is the same puzzle, whichever others are made with it.

mod bottom_up;
mod completion;
mod controlled_bias;
mod descent;
mod grids;
mod hardest;
mod maker;
mod method;
mod pattern;
mod reduce;
mod request;
mod symmetry;
mod top_down;
mod unavoidable;

pub use bottom_up::BottomUp;
pub use controlled_bias::ControlledBias;
pub use grids::Grids;
pub use hardest::Hardest;
pub use maker::{Generated, Maker, NotMade};
pub use method::{Method, MethodError};
pub use pattern::{Pattern, PatternError, PatternFault};
pub use reduce::{Reducer, Reduction};
pub use request::{
    FEWEST_CLUES, MOST_AMBIGUOUS_CLUES, MOST_MINIMAL_CLUES, MOST_SOLUTIONS, MOST_UNSOLVABLE_CLUES, Plan,
    Request, RequestError,
};
pub use symmetry::{Symmetry, SymmetryError};
pub use top_down::TopDown;

use crate::puzzle::{Puzzle, Solution};

/// A puzzle that was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made {
    /// The puzzle, which has exactly one solution.
    pub puzzle: Puzzle,
    /// Its solution.
    pub solution: Solution,
    /// Of a method that says how it samples: what the puzzle stands for in a weighted mean, up to a factor that all share.
    pub weight: Option<f64>,
}

/// The place of a puzzle that is not made yet.
fn nothing_made() -> Made {
    Made { puzzle: Puzzle::EMPTY, solution: Solution::ONES, weight: None }
}
