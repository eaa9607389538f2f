//! The statistics of comparison. Nothing here measures and nothing prints.
//!
//! ```text
//! exact       counts against a stored baseline or the base, no noise      (baseline)
//! commands    numbers and output of two builds of any program, no noise
//! paired      two builds in turn, verdicts from trials                    (series, coverage)
//! budget      measurements against limits of their own
//! ```

mod baseline;
mod budget;
mod commands;
mod coverage;
mod exact;
mod limits;
mod paired;
mod series;
mod verdict;

pub use baseline::{Baseline, BaselineChange, BaselineError, BaselinePair, BaselineTerms, Counts};
pub use budget::{check_budgets, check_record};
pub use commands::{check_counter, check_output};
pub use coverage::{LeftOut, cover};
pub use exact::{Counted, check_builds, check_exact};
pub use limits::{BudgetLimit, GateLimits, LimitError, limits_help};
pub(crate) use paired::conclude;
pub use paired::{Compared, Look, PairTrials, look};
pub use series::{Series, TrialPlan, Unmeasured};
pub use verdict::{
    AllowMissing, Check, CounterValues, Gate, GateReport, GateVerdict, PairedFigures, TimedPuzzles, Work,
};
