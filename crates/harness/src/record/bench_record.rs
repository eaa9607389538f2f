//! The stored record of one run of `bench` (without `--command`) or `judge`. Its structs are separate from the structs with which
//! measurements are made, so that a change of the code does not change the format of the record. `docs/record.schema.json` describes the
//! fields. Times are in nanoseconds, throughput in puzzles per second.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::consistency::contradiction;
use super::run_record::SCHEMA_VERSION;
use super::{
    BudgetRecord, Build, COMMANDS, Finding, Leaderboard, Machine, Measurement, PairRecord, read_stored_file,
    stored_text,
};
use crate::figures::{count, counted};

/// Value of the field `kind` in a record of `bench`.
pub const BENCH: &str = "bench";
/// Value of the field `kind` in a record of `judge`.
pub const JUDGE: &str = "judge";

/// One run of `bench` or `judge`, or the runs of a leaderboard: settings, datasets, machine and results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchRecord {
    /// [`SCHEMA_VERSION`] of the program that wrote the record.
    pub schema_version: u32,
    /// Kind of this record: `bench` or `judge`. In a record of `judge`, the solver of each pair is a program, and the times of single
    /// puzzles are processor times.
    pub kind: String,
    /// Start of the run, in RFC 3339, UTC. In the record of a leaderboard, start of the first run.
    pub started: String,
    /// The arguments as typed, without the program's name. In the record of a leaderboard, only `leaderboard`.
    pub arguments: Vec<String>,
    /// The seed of random choices, such as the permutation of the puzzles and the order of the pairs in each round.
    pub seed: u64,
    /// Settings of the measurement.
    pub settings: Settings,
    /// Whether the run was interrupted. In an interrupted run, `settings.rounds` is the planned number of rounds, and `rounds` of each pair
    /// has the rounds that were measured.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub interrupted: bool,
    /// The datasets in the order of the command line; in the record of a leaderboard, in the order of the contest.
    pub datasets: Vec<DatasetRecord>,
    /// The pairs of a solver and a dataset, dataset by dataset.
    pub pairs: Vec<PairRecord>,
    /// The machine.
    pub machine: Machine,
    /// Name of the SIMD level of the built-in solvers, as in the option `--simd`. Absent in records of older versions, and of `judge` if no
    /// built-in solver was judged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub simd_level: Option<String>,
    /// Properties of the machine, and which of them may disturb measurements.
    pub noise: Vec<Finding>,
    /// The build of sudobench: toolchain, commit, flags.
    pub build: Build,
    /// The contest, if this is the record of a leaderboard.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub leaderboard: Option<Leaderboard>,
}

/// Settings of a measurement by `bench` or `judge`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Number of requested rounds. In a record of `judge`, number of runs of each puzzle.
    pub rounds: usize,
    /// Number of requested runs, if there are several (`--runs`). Each run makes all rounds in its own process.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub runs: Option<u64>,
    /// Minimum time of measurement of a pair, if `max_time_ns` allows it. Does not apply to external programs, which make one pass in each
    /// round. 0 in a record of `judge`.
    pub min_time_ns: u64,
    /// Maximum time of measurement of a pair, warm-up included. 0 in a record of `judge`, which has no such limit.
    pub max_time_ns: u64,
    /// Time limit of a puzzle.
    pub max_time_per_puzzle_ns: Option<u64>,
    /// Node limit of a puzzle.
    #[serde(default)]
    pub max_nodes: Option<u64>,
    /// Maximum number of puzzles taken from each dataset, if there is a maximum.
    pub sample: Option<u64>,
    /// Number of random equivalent forms in which each puzzle was measured, if forms were requested. See also `fresh_forms`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub isomorphs: Option<u64>,
    /// Whether engines and programs got a new form of each puzzle in each round.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub fresh_forms: bool,
}

/// One dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetRecord {
    /// Name that the pairs use: the file's name, or the path if two files have the same name. In the record of a leaderboard, the name of
    /// the set.
    pub name: String,
    /// The path as typed, or as in the contest of a leaderboard.
    pub path: String,
    /// SHA-256 of the file in hexadecimal. For a compressed file, this is the SHA-256 of the compressed bytes.
    pub sha256: String,
    /// Number of rows with a puzzle.
    pub puzzles: u64,
    /// Number of rows without a puzzle. They are left out.
    pub malformed: u64,
    /// Number of puzzles without a solution, which `judge` leaves out. With a sample, only the puzzles that were examined to fill it are
    /// counted. 0 if this was not checked.
    #[serde(skip_serializing_if = "super::is_zero", default)]
    pub unsolvable: u64,
    /// Number of puzzles that `judge` leaves out because they are harder than all inputs of the judge's problem: see `Problem::max_calls`.
    /// With a sample, only the puzzles that were examined to fill it are counted. 0 if this was not checked.
    #[serde(skip_serializing_if = "super::is_zero", default)]
    pub beyond_problem: u64,
    /// Total time in which sudobench itself solved the judged puzzles with the search of BOJ 12095, the recursive search that
    /// `Problem::max_calls` describes. Absent in records of `bench` and of older versions, and if `judge` did not choose the puzzles with
    /// this search.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reference_ns: Option<u64>,
    /// Difficulty of the puzzles. Absent in older records.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fingerprint: Option<Fingerprint>,
}

/// Difficulty of the puzzles of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Smallest number of clues of a puzzle.
    pub clues_min: u64,
    /// Largest number of clues of a puzzle.
    pub clues_max: u64,
    /// Number of puzzles that were solved to count `unique` and `by_singles`: all puzzles, or for a large dataset the first puzzles in the
    /// random order of the measurement.
    pub solved: u64,
    /// Number of the solved puzzles with exactly one solution.
    pub unique: u64,
    /// Number of the solved puzzles that need only naked and hidden singles.
    pub by_singles: u64,
}

/// Reasons why a file can't be used as a record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file can't be read.
    #[error("cannot read the record {path}")]
    Read {
        /// The file.
        path: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The text is not the JSON of a record of `bench` or `judge`.
    #[error("{path} is not a record of `sudobench bench` or `sudobench judge`")]
    Json {
        /// The file.
        path: String,
        /// The error, with its position in the text.
        source: serde_json::Error,
    },
    /// The content can't be used: for example, a record has an unexpected kind or version, or two measurements of the same pair. This is
    /// also the error for a contest file that can't be used.
    #[error("{path} {fault}")]
    Content {
        /// The file.
        path: String,
        /// The fault, and the remedy if there is one.
        fault: String,
    },
    /// A field contradicts the raw data of the record.
    #[error("{path}: {message}, for {solver} on {dataset}: the record was edited or damaged")]
    Contradiction {
        /// The file.
        path: String,
        /// The field and its fault.
        message: String,
        /// The solver of the pair.
        solver: String,
        /// The dataset of the pair.
        dataset: String,
    },
}

impl BenchRecord {
    /// Reads a record from a file.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if the file can't be read, is not a record of `bench` or `judge` of this version, or contradicts itself because it
    /// was edited or damaged.
    pub fn read(path: &Path) -> Result<BenchRecord, RecordError> {
        let shown = path.display().to_string();
        let text = read_stored_file(path).and_then(stored_text);
        let text = text.map_err(|source| RecordError::Read { path: shown.clone(), source })?;
        BenchRecord::parse(&text, &shown)
    }

    /// Reads a record from its text. `path` is its name in errors.
    ///
    /// # Errors
    /// As [`BenchRecord::read`].
    pub fn parse(text: &str, path: &str) -> Result<BenchRecord, RecordError> {
        #[derive(Deserialize)]
        struct Head {
            schema_version: u32,
            kind: String,
        }
        let json = |source| RecordError::Json { path: path.to_owned(), source };
        let content = |fault: String| RecordError::Content { path: path.to_owned(), fault };
        let head: Head = serde_json::from_str(text).map_err(json)?;
        if head.kind == COMMANDS {
            let message = "is a record of `bench --command`, which cannot be used here, because it has no solvers. `bench \
            --command` itself writes its reports; to compare two builds, use `gate --command`";
            return Err(content(message.to_owned()));
        }
        if ![BENCH, JUDGE].contains(&head.kind.as_str()) {
            return Err(content(format!(
                "is a record of `{}`; use a record of `sudobench bench` or `sudobench judge`",
                head.kind
            )));
        }
        if head.schema_version != SCHEMA_VERSION {
            return Err(content(format!(
                "has schema_version {}, but this program reads {SCHEMA_VERSION}: measure again, or use the version of sudobench that \
                 wrote it",
                head.schema_version
            )));
        }
        let record: BenchRecord = serde_json::from_str(text).map_err(json)?;
        let mut seen = HashSet::new();
        for pair in &record.pairs {
            let is_new = seen.insert((&pair.solver, &pair.dataset));
            if let Some(fault) = record.fault_of(pair).or((!is_new).then_some("has two pairs of")) {
                let message = format!("{fault} {} on {}: it was cut or edited", pair.solver, pair.dataset);
                return Err(content(message));
            }
            if let Some(message) = contradiction(&record, pair) {
                let (path, solver, dataset) = (path.to_owned(), pair.solver.clone(), pair.dataset.clone());
                return Err(RecordError::Contradiction { path, message, solver, dataset });
            }
        }
        drop(seen);
        Ok(record)
    }

    /// Returns what is wrong with a pair, or `None`. The text is the beginning of a message that ends with the names of the solver and the
    /// dataset. Every pair must have either a measurement or an error. In a record of `judge`, a measurement must have verdicts that agree
    /// with each other; in a record of `bench`, it must have none.
    fn fault_of(&self, pair: &PairRecord) -> Option<&'static str> {
        if pair.error.is_none() == pair.measurement.is_none() {
            return Some("has neither a whole measurement nor an error for");
        }
        let is_judged = pair.measurement.as_ref().map(|measurement| measurement.judge.is_some());
        match (self.is_judged(), is_judged) {
            (true, Some(false)) => Some("has no verdict for"),
            (false, Some(true)) => Some("is a record of `bench` and has a verdict for"),
            (true, Some(true)) if !pair.measurement.as_ref().is_some_and(has_whole_verdicts) => {
                Some("has verdicts that contradict each other for")
            }
            _ => None,
        }
    }

    pub(crate) fn is_judged(&self) -> bool {
        self.kind == JUDGE
    }

    /// Describes the progress of a pair whose measurement was interrupted: `after 3 of 20 rounds`, `after 2 of 5 runs`, or for `judge`
    /// `after 4 puzzles`. Returns `None` if the pair is complete or has no measurement, or if the run was not interrupted.
    pub(crate) fn unfinished(&self, pair: &PairRecord) -> Option<String> {
        let measurement = pair.measurement.as_ref().filter(|_| self.interrupted)?;
        let (done, planned) = (measurement.rounds.len() as u64, self.settings.rounds as u64);
        if self.is_judged() && !measurement.complete {
            return Some(format!("after {}", counted(measurement.puzzles, "puzzle")));
        }
        let runs = (measurement.runs.len().max(1) as u64, self.settings.runs.unwrap_or(1));
        let told = |(done, planned), what| format!("after {} of {}", count(done), counted(planned, what));
        (done < planned)
            .then(|| told((done, planned), "round"))
            .or_else(|| (runs.0 < runs.1).then(|| told(runs, "run")))
    }

    /// Returns a sentence about the interruption that lists the incomplete pairs. `None` if the run was not interrupted.
    pub(crate) fn interruption(&self) -> Option<String> {
        let unfinished = self.pairs.iter().filter_map(|pair| {
            Some(format!("{} on {} {}", pair.solver, pair.dataset, self.unfinished(pair)?))
        });
        let unfinished: Vec<String> = unfinished.collect();
        let pairs =
            if unfinished.is_empty() { String::new() } else { format!(": {}", unfinished.join(", ")) };
        self.interrupted.then(|| format!("the run was interrupted{pairs}"))
    }

    pub(crate) fn pairs_of<'r>(&'r self, dataset: &str) -> impl Iterator<Item = &'r PairRecord> {
        self.pairs.iter().filter(move |pair| pair.dataset == dataset)
    }

    pub(crate) fn measured<'r>(
        &'r self,
        dataset: &str,
    ) -> impl Iterator<Item = (&'r PairRecord, &'r Measurement)> {
        self.pairs_of(dataset).filter_map(|pair| Some((pair, pair.measurement.as_ref()?)))
    }

    /// Returns the budgets of a dataset, taken from the pair that has the most budgets.
    pub(crate) fn budgets(&self, dataset: &str) -> &[BudgetRecord] {
        let budgets = self.measured(dataset).map(|(_, measurement)| measurement.budgets.as_slice());
        budgets.max_by_key(|budgets| budgets.len()).unwrap_or_default()
    }

    /// Returns all budgets that the records have for a dataset. If several budgets have the same limit, returns only the first of them.
    pub(crate) fn budgets_of_all<'r>(
        records: impl IntoIterator<Item = &'r BenchRecord>,
        dataset: &str,
    ) -> Vec<&'r BudgetRecord> {
        let mut all: Vec<&BudgetRecord> = Vec::new();
        for budget in records.into_iter().flat_map(|record| record.budgets(dataset)) {
            if !all.iter().any(|other| other.limit_ns == budget.limit_ns) {
                all.push(budget);
            }
        }
        all
    }

    /// Returns the pair of this solver on this dataset.
    pub fn pair(&self, solver: &str, dataset: &str) -> Option<&PairRecord> {
        self.pairs.iter().find(|pair| pair.solver == solver && pair.dataset == dataset)
    }
}

/// Returns whether each puzzle has a verdict and the program has the worst of these verdicts.
fn has_whole_verdicts(measurement: &Measurement) -> bool {
    let Some(judge) = &measurement.judge else { return false };
    let verdicts = judge.verdicts.iter().filter(|verdict| verdict.puzzles > 0);
    let worst = verdicts.clone().map(|verdict| verdict.verdict).max();
    let puzzles: u128 = verdicts.map(|verdict| u128::from(verdict.puzzles)).sum();
    worst == Some(judge.verdict) && puzzles == u128::from(measurement.puzzles)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_record_round_trips() {
        for record in [fixtures::bench_record(), fixtures::forms_record()] {
            let text = serde_json::to_string(&record).unwrap();
            assert_eq!(BenchRecord::parse(&text, "r.json").unwrap(), record);
        }
    }

    #[test]
    fn a_record_from_before_the_simd_level_is_read() {
        let mut record = serde_json::to_value(fixtures::bench_record()).unwrap();
        assert_eq!(record["simd_level"], "avx2");
        record.as_object_mut().unwrap().remove("simd_level");
        assert_eq!(BenchRecord::parse(&record.to_string(), "r.json").unwrap().simd_level, None);
    }

    #[test]
    fn a_record_from_before_the_fingerprint_is_read() {
        let mut record = serde_json::to_value(fixtures::bench_record()).unwrap();
        assert_eq!(record["datasets"][0]["fingerprint"]["clues_min"], 17);
        record["datasets"][0].as_object_mut().unwrap().remove("fingerprint");
        assert_eq!(BenchRecord::parse(&record.to_string(), "r.json").unwrap().datasets[0].fingerprint, None);
    }

    #[test]
    fn a_record_of_the_judge_round_trips_with_verdicts() {
        let record = fixtures::judge_record();
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(BenchRecord::parse(&text, "r.json").unwrap(), record);
        let error = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut changed = serde_json::to_value(&record).unwrap();
            change(&mut changed);
            BenchRecord::parse(&changed.to_string(), "r.json").unwrap_err().to_string()
        };
        let cut = error(&|record| {
            record["pairs"][0].as_object_mut().unwrap().remove("judge");
        });
        assert_eq!(cut, "r.json has no verdict for quick on easy.txt: it was cut or edited");
        let renamed = error(&|record| record["kind"] = "bench".into());
        assert!(
            renamed.starts_with("r.json is a record of `bench` and has a verdict for quick"),
            "{renamed}"
        );
        let of_solve = error(&|record| record["kind"] = "solve".into());
        assert!(of_solve.ends_with("use a record of `sudobench bench` or `sudobench judge`"), "{of_solve}");
    }

    #[test]
    fn a_count_of_unsolvable_puzzles_is_stored_only_if_it_is_not_zero() {
        let json = |unsolvable| {
            let mut record = fixtures::judge_record();
            record.datasets[0].unsolvable = unsolvable;
            serde_json::to_value(record).unwrap()["datasets"][0].get("unsolvable").cloned()
        };
        assert_eq!((json(0), json(2)), (None, Some(2.into())));
    }

    #[test]
    fn an_interrupted_record_names_incomplete_pairs() {
        let mut record = fixtures::bench_record();
        record.pairs[0].measurement.as_mut().unwrap().rounds.pop();
        assert_eq!(
            (record.interruption(), record.unfinished(&record.pairs[0])),
            (None, None),
            "its time ran out"
        );
        record.interrupted = true;
        let message = "the run was interrupted: quick on easy.txt after 2 of 3 rounds";
        assert_eq!(record.interruption().as_deref(), Some(message));
        assert_eq!(record.unfinished(&record.pairs[1]), None);
        let mut judged = BenchRecord { interrupted: true, ..fixtures::judge_record() };
        judged.pairs[1].measurement.as_mut().unwrap().complete = false;
        let message = "the run was interrupted: slow on easy.txt after 4 puzzles";
        assert_eq!(judged.interruption().as_deref(), Some(message));
    }

    #[test]
    fn a_measurement_without_rounds_is_refused() {
        let mut record = serde_json::to_value(fixtures::bench_record()).unwrap();
        record["pairs"][0].as_object_mut().unwrap().remove("rounds");
        let error = BenchRecord::parse(&record.to_string(), "r.json").unwrap_err().to_string();
        assert_eq!(
            error,
            "r.json has neither a whole measurement nor an error for quick on easy.txt: it was cut or edited"
        );
    }

    proptest! {
        #[test]
        fn numbers_round_trip_exactly(median in 1e-3..1e12) {
            let mut record = fixtures::bench_record();
            record.pairs[0].measurement.as_mut().unwrap().figures.insert("page_faults".to_owned(), median);
            let text = serde_json::to_string(&record).unwrap();
            prop_assert_eq!(BenchRecord::parse(&text, "r.json").unwrap(), record);
        }
    }
}
