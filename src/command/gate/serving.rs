//! The command line that makes a binary of this program serve passes.

use std::path::PathBuf;
use std::time::Duration;

use regex_lite::Regex;
use sudobench_sudoku::solver;

use crate::cli::SelectionArgs;
use sudobench_harness::bench::WARM_UP_SHARE;
use sudobench_harness::gate::BaselineTerms;

/// Variants that another version of this program may have for each one of this.
const MORE_VARIANTS: usize = 2;

/// What both binaries are to serve.
#[derive(Clone)]
pub(super) struct Serving {
    pub(super) terms: BaselineTerms,
    /// Number of puzzles of each dataset for batch solvers, if it is larger than the sample of the terms.
    pub(super) batch_sample: Option<u64>,
    pub(super) selection: SelectionArgs,
    /// How long a pair warms up.
    pub(super) warm_up_time: Duration,
}

impl Serving {
    /// How long a binary may warm up, all its pairs on so many datasets together.
    pub(super) fn warm_up_of_all(&self, datasets: usize) -> Duration {
        let pairs = datasets * solver::VARIANTS.len() * MORE_VARIANTS;
        self.warm_up_time.saturating_mul(u32::try_from(pairs).unwrap_or(u32::MAX))
    }

    /// Returns the number of puzzles for the solvers that solve them one by one, if it is not the `--sample` of the arguments.
    pub(super) fn single_sample(&self) -> Option<u64> {
        self.batch_sample.map(|_| self.terms.sample)
    }

    /// The words that make a binary serve the gate's pairs. A base that lacks a solver of the head must still start,
    /// so it is asked for all that it has, unless solvers were named.
    pub(super) fn arguments(&self, datasets: &[PathBuf], is_head: bool) -> Vec<String> {
        let mut words = vec!["serve".to_owned()];
        words.extend(datasets.iter().map(|path| path.display().to_string()));
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        option("--sample", self.batch_sample.unwrap_or(self.terms.sample).to_string());
        option("--seed", self.terms.seed.to_string());
        option("--max-solutions", self.terms.max_solutions.to_string());
        option("--max-nodes", self.terms.max_nodes.to_string());
        // What is not warm-up is never used up: passes are asked for one leg at a time.
        let max_time = self.warm_up_time.saturating_mul(WARM_UP_SHARE);
        option("--max-time-per-pair", format!("{}ns", max_time.as_nanos()));
        let SelectionArgs { solvers, include, exclude } = &self.selection;
        let names_all = solvers.iter().any(|name| name == "all");
        let by_name: Vec<String> = match names_all {
            true => Vec::new(),
            false => solvers.iter().map(|name| regex_lite::escape(name)).collect(),
        };
        match (is_head, by_name.is_empty()) {
            (_, true) => (),
            (true, false) => option("--solvers", solvers.join(",")),
            // By pattern, an unknown name is no error.
            (false, false) => option("--include", format!("^({})$", by_name.join("|"))),
        }
        if let Some(pattern) = include.as_ref().filter(|_| is_head || by_name.is_empty()) {
            option("--include", pattern.to_string());
        }
        if let Some(pattern) = exclude.as_ref().map(Regex::to_string) {
            option("--exclude", pattern);
        }
        words
    }
}
