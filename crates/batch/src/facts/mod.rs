//! Facts: what is computed for each puzzle of a block besides a solver's outcome.

mod checks;
mod needs;
mod rating;

pub(crate) use checks::Checker;
pub use checks::{Checked, MOST_CALLS};
pub use needs::Needs;
pub(crate) use rating::RowRater;
pub use rating::{Isomorphs, Rated};
