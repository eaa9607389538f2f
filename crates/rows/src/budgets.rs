//! Budgets: time limits for a puzzle. The measured times are compared with these limits.

use std::num::NonZeroU64;
use std::str::FromStr;
use std::time::Duration;

use sudobench_sudoku::solver::{Answer, Question};

use crate::option_error::OptionError;

/// A time limit for a puzzle, and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The programming language, such as `C++14`, if the limit comes from a [`Preset`]: the limit is the time of the judge's own program
    /// in this language. Empty for a time that the user gave, and for the default budgets.
    pub origin: &'static str,
    /// The time limit.
    pub limit: Duration,
}

impl Budget {
    /// Returns the name of the budget in reports: `80ms`, or `80ms (C++14)`.
    pub fn label(&self) -> String {
        let time = match self.limit.as_nanos() {
            ns if ns % 1_000_000 == 0 => format!("{}ms", ns / 1_000_000),
            ns if ns % 1_000 == 0 => format!("{}us", ns / 1_000),
            ns => format!("{ns}ns"),
        };
        if self.origin.is_empty() { time } else { format!("{time} ({})", self.origin) }
    }

    /// Returns the budget with this label, if there is one.
    pub fn from_label(label: &str) -> Option<Budget> {
        let named = Preset::ALL.iter().flat_map(|(_, preset)| preset.budgets());
        let origins = named.map(|(origin, _)| origin).chain([""]);
        let time = label.split(" (").next().and_then(|time| humantime::parse_duration(time).ok())?;
        origins.map(|origin| Budget { origin, limit: time }).find(|budget| budget.label() == label)
    }

    /// Returns the time in nanoseconds.
    pub fn limit_ns(&self) -> u64 {
        sudobench_sudoku::nanoseconds(self.limit)
    }
}

/// A problem of the Baekjoon Online Judge (BOJ). In a list of budgets, its name stands for the times of the judge's own programs for the
/// problem, in three languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Preset {
    /// Digits separated by spaces; any solution is accepted; 1 s, 256 MB
    #[cfg_attr(feature = "clap", value(alias = "2580"))]
    Boj2580,
    /// Nine digits a line; only the smallest solution is accepted; 2 s, 256 MB
    #[cfg_attr(feature = "clap", value(alias = "2239"))]
    Boj2239,
}

impl Preset {
    /// All presets with their names on the command line.
    pub const ALL: [(&'static str, Preset); 2] = [("boj2580", Preset::Boj2580), ("boj2239", Preset::Boj2239)];

    fn budgets(self) -> [(&'static str, u64); 3] {
        match self {
            Preset::Boj2580 => [("C++14", 80), ("Java", 292), ("PyPy3", 1172)],
            Preset::Boj2239 => [("C++17", 180), ("PyPy3", 2064), ("Java", 15_528)],
        }
    }
}

/// The budgets of a run, and the preset if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// The budgets, shortest first.
    pub list: Vec<Budget>,
    /// The preset, if there is one. It affects the question to the solver: see [`Budgets::question`].
    pub preset: Option<Preset>,
}

impl FromStr for Budgets {
    type Err = OptionError;

    /// Reads a comma-separated list of times (`80ms`, `1s`) and at most one preset.
    fn from_str(text: &str) -> Result<Budgets, OptionError> {
        let mut budgets = Budgets { list: Vec::new(), preset: None };
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            budgets.add(item)?;
        }
        Ok(budgets.and(&[]))
    }
}

impl Budgets {
    /// Returns the [`Question`] for the solver. The solver searches for at most `max_solutions` solutions. If `max_solutions` is `None`,
    /// the maximum is 1 if there is a preset, because the judge requires one solution, and 2 if there is no preset. BOJ 2239 requires the
    /// smallest solution, even if the maximum is 1.
    pub fn question(&self, max_solutions: Option<NonZeroU64>) -> Question {
        let by_default = if self.preset.is_some() { Question::first() } else { Question::unique() };
        let question = Question::up_to(max_solutions.unwrap_or(by_default.max_solutions));
        match self.preset {
            Some(Preset::Boj2239) => Question { answer: Answer::Smallest, ..question },
            _ => question,
        }
    }

    /// Returns the budgets of a preset.
    pub fn from_preset(preset: Preset) -> Budgets {
        let named = preset.budgets().map(|(origin, ms)| Budget { origin, limit: Duration::from_millis(ms) });
        Budgets { list: named.to_vec(), preset: Some(preset) }
    }

    /// Adds other budgets and returns all budgets, shortest first. If several budgets have the same time, only one of them is kept: if
    /// possible, one with an origin.
    pub fn and(mut self, others: &[Budget]) -> Budgets {
        self.list.extend_from_slice(others);
        self.list.sort_by_key(|budget| (budget.limit, budget.origin.is_empty()));
        self.list.dedup_by_key(|budget| budget.limit);
        self
    }

    fn add(&mut self, item: &str) -> Result<(), OptionError> {
        if let Some(&(_, preset)) = Preset::ALL.iter().find(|(name, _)| *name == item) {
            if self.preset.is_some_and(|other| other != preset) {
                return Err(OptionError::new("boj2580 and boj2239 cannot be combined: choose one of them"));
            }
            self.preset = Some(preset);
            self.list.extend(Budgets::from_preset(preset).list);
            return Ok(());
        }
        let limit = humantime::parse_duration(item).map_err(|_| {
            OptionError::new(format!(
                "`{item}` is neither a time such as 80ms nor one of the presets boj2580, boj2239"
            ))
        })?;
        if limit.is_zero() {
            return Err(OptionError::new("no puzzle can meet a budget of 0: write a longer time"));
        }
        self.list.push(Budget { origin: "", limit });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<String> {
        text.parse::<Budgets>().unwrap().list.iter().map(Budget::label).collect()
    }

    #[test]
    fn times_and_presets_are_read_and_sorted() {
        assert_eq!(labels("1172ms, 80ms"), ["80ms", "1172ms"]);
        assert_eq!(labels("boj2580"), ["80ms (C++14)", "292ms (Java)", "1172ms (PyPy3)"]);
        assert_eq!(labels("boj2239,1us"), ["1us", "180ms (C++17)", "2064ms (PyPy3)", "15528ms (Java)"]);
        assert_eq!(labels("80ms,boj2580"), labels("boj2580,80ms"));
        assert_eq!(labels(""), Vec::<String>::new());
        for budget in "boj2580,7us,11ns".parse::<Budgets>().unwrap().list {
            assert_eq!(Budget::from_label(&budget.label()), Some(budget));
        }
        for label in ["", "80", "80ms (Rust)", "0.08s", "80ms ("] {
            assert_eq!(Budget::from_label(label), None, "{label}");
        }
    }

    #[test]
    fn invalid_budgets_are_named() {
        let error = |text: &str| text.parse::<Budgets>().unwrap_err().to_string();
        assert_eq!(
            error("80ms,fast"),
            "`fast` is neither a time such as 80ms nor one of the presets boj2580, boj2239"
        );
        assert_eq!(error("0s"), "no puzzle can meet a budget of 0: write a longer time");
        assert!(error("boj2580,boj2239").contains("cannot be combined"));
    }

    #[test]
    fn a_preset_has_the_question_of_its_judge() {
        let rows = [
            ("80ms", None, 2, Answer::Smallest),
            ("80ms", Some(1), 1, Answer::First),
            ("boj2580", None, 1, Answer::First),
            ("boj2580", Some(2), 2, Answer::Smallest),
            ("boj2239", None, 1, Answer::Smallest),
            ("boj2239", Some(1), 1, Answer::Smallest),
            ("boj2239", Some(200), 200, Answer::Smallest),
        ];
        for (budgets, typed, max_solutions, answer) in rows {
            let asked = budgets.parse::<Budgets>().unwrap().question(typed.and_then(NonZeroU64::new));
            assert_eq!(
                (asked.max_solutions.get(), asked.answer),
                (max_solutions, answer),
                "{budgets} {typed:?}"
            );
        }
    }
}
