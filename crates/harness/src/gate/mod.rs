//! The statistics of comparison. Nothing here measures and nothing prints.
//!
//! ```text
//! exact       gate A: counts against a stored baseline, no noise          (baseline)
//! paired      gate B: two binaries in turn, verdicts from trials          (series)
//! budget      measurements against limits of their own
//! ```

mod baseline;
mod budget;
mod exact;
mod limits;
mod paired;
mod series;
mod verdict;

pub use baseline::{Baseline, BaselineChange, BaselineError, BaselinePair, BaselineTerms, Counts};
pub use budget::{check_budgets, check_record};
pub use exact::{Counted, check_builds, check_exact};
pub use limits::{BudgetLimit, GateLimits, LimitError, limits_help};
pub use paired::{Compared, Look, PairTrials, conclude, look};
pub use series::{Series, TrialPlan, Unmeasured};
pub use verdict::{Check, Gate, GateReport, GateVerdict, PairedFigures, Work};
