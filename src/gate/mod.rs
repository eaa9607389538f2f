//! The statistics of comparison. Nothing here measures and nothing prints.
//!
//! ```text
//! ranking     solvers against each other within one record
//! portfolio   what each solver of a record adds to the others
//! comparison  records against each other
//! exact       gate A: counts against a stored baseline, no noise          (baseline)
//! paired      gate B: two binaries in turn, verdicts from blocks          (sequential)
//! budget      measurements against limits of their own
//! ```
#![forbid(unsafe_code)]

mod baseline;
mod budget;
mod comparison;
mod exact;
mod limits;
mod paired;
mod portfolio;
mod ranking;
mod sequential;
mod vector_level;
mod verdict;

pub use baseline::{Baseline, BaselineError, BaselinePair, Counts, Question};
pub use budget::check_budgets;
pub use comparison::{Change, Compared, Comparison, compare};
pub use exact::{Counted, check_exact};
pub use limits::{BudgetLimit, GateLimits, LimitError, Point};
pub use paired::{ALPHA, Look, PairBlocks, conclude, holm, look};
pub use portfolio::{Member, Portfolio, portfolio};
pub use ranking::{Standing, standings, times_best};
pub use sequential::{BlockPlan, BlockSource, Ratios};
pub use vector_level::{OtherLevel, other_levels};
pub use verdict::{Check, GateReport, PairedFigures, Verdict};
