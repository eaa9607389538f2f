//! The verdicts of a gate on each pair and on the whole run.

use serde::{Deserialize, Serialize};

use crate::record::registry::{Figure, TRIAL_TIME, rising_figures};
use crate::statistics::Interval;

/// The kind of check.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Gate {
    /// Counts are compared with a baseline, or counts and outputs are compared with an old build.
    Exact,
    /// Two builds are compared by trials, in which they run in turn.
    Paired,
    /// A measurement is compared with fixed limits.
    Budget,
}

impl Gate {
    /// Returns the name that records and tables use.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The verdict of a check. The variants are sorted from the least severe to the most severe.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum GateVerdict {
    /// The check found no fault.
    Pass,
    /// There is too much noise, or there are too few trials, for a verdict.
    Inconclusive,
    /// The check was not made or is incomplete, for example because there was nothing to compare with.
    Missing,
    /// A figure is beyond its limit, or an answer changed. This is more severe than a missing check, because a regression was found.
    Fail,
    /// A program failed, an answer is wrong, or the output of a command changed.
    Broken,
}

impl GateVerdict {
    /// Returns the name that records and tables use.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// One check of one pair, or a check with the verdict `Missing` for several pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// The kind of check.
    pub gate: Gate,
    /// The solver, engine or command. `*` stands for all solvers.
    pub solver: String,
    /// The dataset. Empty for a command. `*` stands for all datasets.
    pub dataset: String,
    /// The subject of the check, for example `baseline`, the counter of a command, the figure of a paired check, or the limit. Empty if the
    /// check has no single subject. The gate, solver, dataset and subject together identify a check.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub subject: String,
    /// The verdict.
    pub verdict: GateVerdict,
    /// The reason, as a sentence.
    pub reason: String,
    /// Whether the verdict is "missing" because the base failed.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub base_failed: bool,
    /// Paired checks: the number of puzzles that the trials measure, and the number of all puzzles.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub timed: Option<TimedPuzzles>,
    /// Paired checks: the figures.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub figures: Option<PairedFigures>,
    /// Exact checks: the counts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub work: Option<ExactCounts>,
    /// Exact checks of one number: the number in the base and in the head.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub counter: Option<CounterValues>,
}

/// The values of one counter in the two builds under comparison.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterValues {
    /// Value of the base.
    pub base: f64,
    /// Value of the head.
    pub head: f64,
}

/// Number of puzzles that the trials of a pair measure, and the total number of puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedPuzzles {
    /// Number of puzzles that every trial measures.
    pub timed: u64,
    /// Number of puzzles of the dataset, or of its sample.
    pub of: u64,
}

/// Exact counts of a pair. A built-in solver has the same counts on each machine. If it solves many puzzles at once, this is true only at
/// the same SIMD level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExactCounts {
    /// Number of puzzles that were counted.
    pub puzzles: u64,
    /// SHA-256 of the dataset's file.
    pub sha256: String,
    /// SIMD level, for solvers whose counts depend on the level.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub simd: Option<String>,
    /// Total number of nodes, without puzzles whose number of nodes is unknown; `None` if an engine does not report nodes.
    pub nodes: Option<u64>,
    /// Total number of guesses, without puzzles whose number of guesses is unknown; `None` if an engine does not report guesses.
    pub guesses: Option<u64>,
    /// The first digits of a SHA-256 over the counts of all puzzles. It changes if any count of a puzzle changes, even if the sums stay the
    /// same.
    pub digest: String,
}

fn default_figure() -> &'static Figure {
    &TRIAL_TIME
}

/// Serializes a figure as its name in `--limits`.
mod by_limit_name {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use super::{Figure, rising_figures};

    pub(super) fn serialize<S: Serializer>(figure: &Figure, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(figure.limit_name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<&'static Figure, D::Error> {
        let name = String::deserialize(deserializer)?;
        let found = rising_figures().find(|figure| figure.limit_name() == name);
        found.ok_or_else(|| D::Error::custom(format!("there is no figure `{name}`")))
    }
}

/// The figures of a paired check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedFigures {
    /// The measured figure. Reports of older versions of this program have no such field; their figure is the time.
    #[serde(default = "default_figure", with = "by_limit_name")]
    pub figure: &'static Figure,
    /// Ratio of head to base: the median over the trials of the first series, and its interval.
    pub ratio: Interval,
    /// Probability of ratios at least as high as the measured ones if the figure rose by no more than the limit. Not corrected for the
    /// number of pairs.
    pub p_value: f64,
    /// The ratio of each trial of the first series.
    pub trials: Vec<f64>,
    /// The ratio of each trial of the confirming series. Empty if there was no such series.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub confirming_trials: Vec<f64>,
}

/// The results of a run of the gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateReport {
    /// The version of this format.
    pub schema_version: u32,
    /// Always `gate`.
    pub kind: String,
    /// The limits, as `--limits` reads them.
    pub limits: String,
    /// The most severe verdict of the checks. A missing check counts as passed if `allow_missing` permits it.
    pub verdict: GateVerdict,
    /// Which missing checks count as passed. Reports show these checks as warnings. If all checks are missing, none counts as passed.
    #[serde(skip_serializing_if = "AllowMissing::is_nothing", default)]
    pub allow_missing: AllowMissing,
    /// All checks.
    pub checks: Vec<Check>,
}

/// Which missing checks may pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AllowMissing {
    /// No missing check.
    #[default]
    Nothing,
    /// Only checks that are missing because the base failed.
    Base,
    /// All missing checks.
    All,
}

impl AllowMissing {
    fn is_nothing(&self) -> bool {
        *self == AllowMissing::Nothing
    }

    fn covers(self, check: &Check) -> bool {
        match self {
            AllowMissing::Nothing => false,
            AllowMissing::Base => check.base_failed,
            AllowMissing::All => true,
        }
    }
}

/// Name that stands for every solver or every dataset.
const ALL: &str = "*";

impl Check {
    /// If the puzzle that causes most of the difference is known, appends its name to the reason.
    pub fn blame(&mut self, puzzle: Option<String>) {
        if let Some(puzzle) = puzzle {
            self.reason += &format!("; puzzle {puzzle} causes most of the difference");
        }
    }

    /// Makes a check of a solver on a dataset, without figures or counts.
    pub fn new(
        gate: Gate,
        subject: &str,
        (solver, dataset): (&str, &str),
        verdict: GateVerdict,
        reason: String,
    ) -> Check {
        Check {
            gate,
            solver: solver.to_owned(),
            dataset: dataset.to_owned(),
            subject: subject.to_owned(),
            verdict,
            reason,
            base_failed: false,
            timed: None,
            figures: None,
            work: None,
            counter: None,
        }
    }

    /// Returns whether the trials of this check show that the time rose by more than the limit.
    pub fn is_slower(&self) -> bool {
        self.verdict == GateVerdict::Fail && self.subject == TRIAL_TIME.limit_name()
    }

    /// Makes a check with the verdict `Missing`, for all solvers on a dataset.
    pub fn missing(gate: Gate, subject: &str, dataset: &str, reason: String) -> Check {
        Check::new(gate, subject, (ALL, dataset), GateVerdict::Missing, reason)
    }

    /// Makes a check with the verdict `Missing`, for all solvers on all datasets.
    pub fn all_missing(gate: Gate, subject: &str, reason: String) -> Check {
        Check::missing(gate, subject, ALL, reason)
    }
}

impl GateReport {
    /// Makes the report of the checks. If there are no checks or all checks are missing, nothing was compared, so the run doesn't pass,
    /// even if missing checks are allowed. A check with the verdict "missing" is then added to give this reason. If there are checks and
    /// `allow_missing` is `Nothing`, none is added, because the missing checks give reasons of their own.
    pub fn new(limits: String, allow_missing: AllowMissing, mut checks: Vec<Check>) -> GateReport {
        let compares = checks.iter().any(|check| check.verdict != GateVerdict::Missing);
        let allows = allow_missing != AllowMissing::Nothing;
        if !compares && (allows || checks.is_empty()) {
            let remedy = if allows {
                ": with --allow-missing, a run passes only if at least one check was made"
            } else {
                ""
            };
            checks.push(Check::all_missing(Gate::Exact, "", format!("nothing was compared{remedy}")));
        }
        let allow_missing = if compares { allow_missing } else { AllowMissing::Nothing };
        let weighs = |check: &Check| match check.verdict {
            GateVerdict::Missing if allow_missing.covers(check) => GateVerdict::Pass,
            verdict => verdict,
        };
        let verdict = checks.iter().map(weighs).max().unwrap_or(GateVerdict::Pass);
        let schema_version = crate::record::SCHEMA_VERSION;
        GateReport { schema_version, kind: "gate".to_owned(), limits, verdict, allow_missing, checks }
    }

    /// Returns whether a check makes the whole run fail.
    pub fn fails(&self, check: &Check) -> bool {
        match check.verdict {
            GateVerdict::Pass | GateVerdict::Inconclusive => false,
            GateVerdict::Missing => !self.allow_missing.covers(check),
            GateVerdict::Fail | GateVerdict::Broken => true,
        }
    }

    /// Returns the number of checks with this verdict.
    pub fn count_with(&self, verdict: GateVerdict) -> usize {
        self.checks.iter().filter(|check| check.verdict == verdict).count()
    }
}
