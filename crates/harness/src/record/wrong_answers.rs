//! Fields of a record about wrong answers.

use serde::{Deserialize, Serialize};

use super::NamedPuzzle;

/// So many of the wrong answers of a contestant to a dataset are kept in a record.
const KEPT: usize = 20;

/// The wrong answers of a contestant to a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongAnswers {
    /// Number of wrong answers.
    pub answers: u64,
    /// Number of answers that were checked.
    pub of: u64,
    /// The first wrong answers.
    pub first: Vec<WrongAnswer>,
}

impl WrongAnswers {
    /// The record's form of all wrong answers out of `of` answers.
    pub(crate) fn new(all: &[WrongAnswer], of: u64) -> WrongAnswers {
        WrongAnswers { answers: all.len() as u64, of, first: all[..all.len().min(KEPT)].to_vec() }
    }
}

/// A wrong answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongAnswer {
    /// The puzzle, as it was asked.
    #[serde(flatten)]
    pub puzzle: NamedPuzzle,
    /// The answer: what another program printed, or the solution or the status.
    pub answer: String,
    /// The fault, in words that follow "its answer".
    pub reason: String,
}
