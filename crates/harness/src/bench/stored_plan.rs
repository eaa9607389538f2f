//! How the parts of a plan are serialized, so that a message can contain the plan.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sudobench_sudoku::solver::{Answer, Question};

/// The serialized form of a question. The flag `cancel` is left out, because a flag can only be shared within one process.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Question")]
pub(super) struct StoredQuestion {
    max_solutions: NonZeroU64,
    #[serde(with = "StoredAnswer")]
    answer: Answer,
    max_nodes: Option<u64>,
    max_time: Option<Duration>,
    #[serde(skip)]
    cancel: Option<Arc<AtomicBool>>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Answer", rename_all = "lowercase")]
enum StoredAnswer {
    Smallest,
    First,
}

/// Default of `Plan::warm_up_limit`.
pub(super) fn warm_up_limit() -> &'static str {
    "the warm-up's share of --max-time-per-pair"
}

/// Stores budgets as their labels.
pub(super) mod labels {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};
    use sudobench_rows::Budget;

    pub(in super::super) fn serialize<S: Serializer>(
        budgets: &[Budget],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(budgets.iter().map(Budget::label))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Budget>, D::Error> {
        let budget = |label: &String| {
            Budget::from_label(label).ok_or_else(|| D::Error::custom(format!("`{label}` is no budget")))
        };
        Vec::<String>::deserialize(deserializer)?.iter().map(budget).collect()
    }
}
