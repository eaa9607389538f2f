//! Statistics over records: what changed between runs, which solver is best, and what each solver adds to the others.
//!
//! ```text
//! ranking     solvers against each other within one record
//! portfolio   what each solver of a record adds to the others
//! comparison  records against each other
//! judged      two judgements of a program against each other
//! caveats     differences in the conditions of the records
//! trend       each pair over the runs of a history; change_points: where noisy values shift
//! ```

mod caveats;
mod change_points;
mod comparison;
mod judged;
mod portfolio;
mod ranking;
mod trend;

pub use caveats::{Caveat, CaveatKind, Difference, caveats};
pub(crate) use caveats::{level_difference, machine_differences};
pub use change_points::{LEAST_VALUES, LEVEL};
pub use comparison::{
    Change, CompareTerms, Comparison, ComparisonOutcome, RatioInterval, TimeVerdict, compare,
};
pub use judged::{JudgedChange, PuzzleChange};
pub(crate) use portfolio::{Portfolio, portfolio};
pub(crate) use ranking::{Lack, Standing, multiples_of_best, standings};
pub use trend::{
    CountChange, CountPoint, CountTrend, CounterTrend, PairTrend, RatioPoint, TimeShift, TimeTrend, trends,
};

/// Returns the items without repetitions, in the order in which they first occur.
pub(crate) fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}
