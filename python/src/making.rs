//! Requests for puzzles that `generate` makes.

use std::num::NonZeroU64;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use pyo3::prelude::*;
use sudobench_batch::source::{Options, Recipe, Source};
use sudobench_sudoku::Question;
use sudobench_sudoku::generate::Request;

use crate::errors::unusable;
use crate::options::at_least_one;

/// Which puzzles are asked for, as Python gives it. Both ends of a range are included.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RequestOptions {
    count: u64,
    skip: u64,
    clues: Option<(usize, usize)>,
    minimal: bool,
    symmetry: String,
    pattern: Option<String>,
    difficulty: Vec<String>,
    solutions: (u64, u64),
    method: String,
    attempts: u64,
}

/// Which puzzles are asked for, validated.
pub(crate) struct Making {
    recipe: Recipe,
    numbers: Range<u64>,
    /// The question for each puzzle: one solution more than it may have, and the smallest of several.
    pub(crate) question: Question,
}

impl RequestOptions {
    /// Validates the request.
    pub(crate) fn making(self, seed: u64) -> PyResult<Making> {
        let count = at_least_one("count", self.count)?;
        let end = self.skip.checked_add(count.get());
        let end = end.ok_or_else(|| unusable(format!("a seed has {} puzzles: skip fewer", u64::MAX)))?;
        let request = Request {
            clues: self.clues.map(|(least, most)| least..=most),
            minimal: self.minimal,
            symmetry: word("symmetry", &self.symmetry)?,
            pattern: self.pattern.map(|pattern| word("pattern", &pattern)).transpose()?,
            solutions: self.solutions.0..=self.solutions.1,
            difficulties: self
                .difficulty
                .iter()
                .map(|difficulty| word("difficulty", difficulty))
                .collect::<PyResult<_>>()?,
            method: word("method", &self.method)?,
            hardest: None,
            attempts: at_least_one("attempts", self.attempts)?.get(),
        };
        let plan = request.plan().map_err(unusable)?;
        let most = plan.request().solutions.end().saturating_add(1).max(2);
        let question = Question::up_to(NonZeroU64::MIN.saturating_add(most - 1));
        Ok(Making { recipe: Recipe { plan: Arc::new(plan), seed }, numbers: self.skip..end, question })
    }
}

fn word<T: FromStr<Err: std::error::Error>>(option: &str, text: &str) -> PyResult<T> {
    text.trim().parse().map_err(|error| unusable(format!("{option}: {error}")))
}

impl Making {
    /// Returns the source of the puzzles.
    pub(crate) fn source(&self, options: Options) -> Source {
        Source::made(self.recipe.clone(), self.numbers.clone(), options)
    }
}
