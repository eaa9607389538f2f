//! Decides whether a change passes. This module measures nothing and prints nothing. In the table, the names in parentheses are helper
//! modules.
//!
//! ```text
//! exact       compares counts with a stored baseline or the base; no noise       (baseline)
//! commands    compares numbers and output of two builds of any program; no noise
//! paired      compares two builds by trials, which run both in turn               (series, coverage)
//! budget      compares measurements with fixed limits
//! limits      reads the limits of `--limits`
//! verdict     the result of a check, and the verdict on the whole run
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
pub use coverage::{LeftOutResult, cover};
pub use exact::{Counted, check_builds, check_exact};
pub use limits::{BudgetLimit, GateLimits, LimitError, limits_help};
pub use paired::ComparedFigure;
pub use series::{Series, TrialPlan, Unmeasured};
pub use verdict::{
    AllowMissing, Check, CounterValues, ExactCounts, Gate, GateReport, GateVerdict, PairedFigures,
    TimedPuzzles,
};
