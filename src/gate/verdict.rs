//! What a gate says of each pair and of the whole.

use serde::{Deserialize, Serialize};

use crate::statistics::Interval;

/// What a check comes to. Ordered by how much it weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Within the limits.
    Pass,
    /// The noise is too large to tell.
    Inconclusive,
    /// Beyond the limits.
    Fail,
    /// Not checked, because a program or an answer is wrong.
    Broken,
}

impl Verdict {
    /// The word that stands for it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Fail => "fail",
            Verdict::Broken => "broken",
        }
    }
}

/// One check of one pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// `exact`, `paired` or `budget`.
    pub gate: String,
    /// The solver.
    pub solver: String,
    /// The dataset.
    pub dataset: String,
    /// What it comes to.
    pub verdict: Verdict,
    /// Why, in a sentence.
    pub reason: String,
    /// Of a paired check: the figures.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub figures: Option<PairedFigures>,
}

/// The figures of a paired check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedFigures {
    /// Time of head over time of base: the median over the blocks and its interval.
    pub ratio: Interval,
    /// The chance of ratios like these if head were slower by no more than the limit, before correction.
    pub p_value: f64,
    /// The ratio of each block.
    pub blocks: Vec<f64>,
    /// The same of the run that was to confirm a failure.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub confirming_blocks: Vec<f64>,
}

/// Everything that a run of the gate found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateReport {
    /// The version of this form.
    pub schema_version: u32,
    /// Always `gate`.
    pub kind: String,
    /// The limits, as `--limits` reads them.
    pub limits: String,
    /// The heaviest of the verdicts.
    pub verdict: Verdict,
    /// All checks.
    pub checks: Vec<Check>,
}

impl GateReport {
    /// The report of these checks.
    pub fn new(limits: &super::GateLimits, checks: Vec<Check>) -> GateReport {
        let verdict = checks.iter().map(|check| check.verdict).max().unwrap_or(Verdict::Pass);
        let schema_version = crate::record::SCHEMA_VERSION;
        GateReport { schema_version, kind: "gate".to_owned(), limits: limits.to_string(), verdict, checks }
    }

    /// How many checks have this verdict.
    pub fn with(&self, verdict: Verdict) -> usize {
        self.checks.iter().filter(|check| check.verdict == verdict).count()
    }
}
