//! Puzzles made anew: full grids, and puzzles from which nothing more can be taken.

mod reduce;

pub use reduce::{Reducer, Reduction};
