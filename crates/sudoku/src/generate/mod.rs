//! Generates full grids and puzzles.
//!
//! A method makes puzzles by number: puzzle number `k` of a seed doesn't depend on which other puzzles are made in the same call.

mod bottom_up;
mod completion;
mod controlled_bias;
mod descent;
mod grids;
mod hardest;
mod maker;
mod method;
mod neighbour;
mod pattern;
mod reduce;
mod request;
mod step_request;
mod symmetry;
mod top_down;
mod tridagon;

pub use bottom_up::BottomUp;
pub use controlled_bias::ControlledBias;
pub use grids::Grids;
pub use hardest::Hardest;
pub use maker::{Generated, Maker, NotMade};
pub use method::{Method, MethodError};
pub use pattern::{Pattern, PatternError, PatternFault};
pub use reduce::{Reducer, Reduction};
pub use request::{
    FewestGuesses, MOST_AMBIGUOUS_CLUES, MOST_MINIMAL_CLUES, MOST_SOLUTIONS, MOST_UNSOLVABLE_CLUES, Plan,
    Request, RequestError,
};
pub use step_request::StepRequest;
pub use symmetry::{Symmetry, SymmetryError};
pub use top_down::TopDown;

use crate::puzzle::{Puzzle, Solution};

/// A generated minimal puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made {
    /// The puzzle; it has exactly one solution.
    pub puzzle: Puzzle,
    /// Its solution.
    pub solution: Solution,
    /// Weight of the puzzle in a mean over all minimal puzzles, up to a factor that is the same for all puzzles. `None` if the bias of the
    /// method is not known.
    pub weight: Option<f64>,
}

impl Made {
    /// Stands for a puzzle that isn't made yet.
    const NOTHING: Made = Made { puzzle: Puzzle::EMPTY, solution: Solution::ONES, weight: None };
}
