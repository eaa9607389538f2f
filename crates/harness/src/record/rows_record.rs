//! The stored record of a run of a verb that has no record type of its own, such as `score` or `dedupe`.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use sudobench_rows::columns::{Column, word_counts};
use sudobench_rows::verbs::{SCORE, ScoreOptions};
use sudobench_rows::{Accuracy, Bootstrap, CellErrors, PassAt, ScoreRange, ScoreSums, Scores, Tally};
use sudobench_sudoku::{Status, nanoseconds};

use super::{Build, InputRecord, Machine, RunSetup, SCHEMA_VERSION, ShardTimeRecord, StatusRecord};

/// One run of a verb over rows: its inputs and the counts in its summary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowsRecord {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION) of the program that wrote the record.
    pub schema_version: u32,
    /// The kind of record: always `rows`.
    pub kind: String,
    /// Name of the command, such as `score`.
    pub command: String,
    /// Start of the run, in RFC 3339, UTC.
    pub started: String,
    /// The arguments as typed, without the program's name.
    pub arguments: Vec<String>,
    /// Number of worker threads; for merged shards, the sum.
    pub threads: usize,
    /// The inputs in the order of the command line.
    pub inputs: Vec<InputRecord>,
    /// Number of rows.
    pub rows: u64,
    /// Number of rows for each status that occurs. A puzzle that the run did not give to a solver has no status.
    pub statuses: Vec<StatusRecord>,
    /// For each chosen column with a fixed list of possible values (except `match` and `technique`), the number of rows with each value.
    pub words: Vec<WordsRecord>,
    /// Number of rows that are not written, for example because of `--only` or the verb itself.
    pub left_out: u64,
    /// For verbs that write several output rows for an input row: number of output rows that are not written.
    pub left_out_expanded: u64,
    /// For verbs that write several output rows for an input row: number of results that were found, such as solutions.
    pub found: u64,
    /// Number of rows whose answer was compared with an expected solution.
    pub compared: u64,
    /// Number of rows whose answer differs from the expected solution. If any solution is allowed, a correct answer is not counted, even if
    /// it differs.
    pub mismatches: u64,
    /// Number of puzzles whose leading zeros were restored.
    pub restored: u64,
    /// For `dedupe`: the counts of duplicates.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub duplicates: Option<DuplicatesRecord>,
    /// For `score`: the accuracies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub scores: Option<ScoresRecord>,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// Wall time in nanoseconds. If this run resumed an earlier run, the time of the earlier run is included. For merged shards, the
    /// longest time of a shard.
    pub wall_ns: u64,
    /// The machine.
    pub machine: Machine,
    /// The build of sudobench.
    pub build: Build,
    /// For a run that was merged from shards: the shards in their order. Arguments, machine and build then describe the first shard.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub shards: Vec<ShardTimeRecord>,
}

/// The fields of a record that don't come from the counts of rows. In the record of a shard, they describe the run of the shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowsSetup {
    /// The fields that all verbs have. In JSON, they are on the same level as the other fields.
    #[serde(flatten)]
    pub run: RunSetup,
    /// See [`RowsRecord::command`].
    pub command: String,
    /// See [`ScoresRecord::bucket_by`].
    pub bucket_by: Option<String>,
}

impl RowsRecord {
    /// Makes the record of scores that a Rust or Python program computed without the command `score`. The record has no inputs and no
    /// arguments.
    ///
    /// ```
    /// use sudobench_harness::record::{RowsRecord, ScoresRecord};
    /// use sudobench_harness::report::scores_markdown;
    /// use sudobench_rows::{Scores, verbs::ScoreOptions};
    ///
    /// let scores = ScoresRecord::new(&Scores::default(), &ScoreOptions::default());
    /// assert!(scores_markdown(&RowsRecord::with_scores(scores)).contains("Scores of 0 predictions"));
    /// ```
    pub fn with_scores(scores: ScoresRecord) -> RowsRecord {
        let run = RunSetup {
            arguments: Vec::new(),
            threads: 1,
            inputs: Vec::new(),
            interrupted: false,
            machine: Machine::detect(),
            simd_level: None,
            build: Build::current(),
            shards: Vec::new(),
        };
        let setup = RowsSetup { run, command: SCORE.name.to_owned(), bucket_by: scores.bucket_by.clone() };
        let made = RowsRecord::new(setup, &[], &Tally::default(), SystemTime::now(), Duration::ZERO);
        RowsRecord { rows: scores.all.puzzles, scores: Some(scores), ..made }
    }

    /// Makes the record of a run from its counts, start and wall time, without duplicates and scores. `columns` are the columns of the
    /// output.
    pub fn new(
        RowsSetup { run, command, .. }: RowsSetup,
        columns: &[Column],
        tally: &Tally,
        started: SystemTime,
        wall: Duration,
    ) -> RowsRecord {
        let statuses = Status::ALL.map(|status| (status.name(), tally.rows_with(status)));
        let words = word_counts(columns, tally).map(|(column, counts)| WordsRecord {
            column: column.name.to_owned(),
            rows: counts.into_iter().map(|(word, rows)| (word.to_owned(), rows)).collect(),
        });
        RowsRecord {
            schema_version: SCHEMA_VERSION,
            kind: "rows".to_owned(),
            command,
            started: humantime::format_rfc3339_seconds(started).to_string(),
            arguments: run.arguments,
            threads: run.threads,
            inputs: run.inputs,
            rows: tally.rows(),
            statuses: statuses
                .into_iter()
                .filter(|(_, rows)| *rows > 0)
                .map(|(status, rows)| StatusRecord { status: status.to_owned(), rows })
                .collect(),
            words: words.collect(),
            left_out: tally.left_out,
            left_out_expanded: tally.left_out_expanded,
            found: tally.found,
            compared: tally.compared,
            mismatches: tally.mismatches,
            restored: tally.restored,
            duplicates: None,
            scores: None,
            interrupted: run.interrupted,
            wall_ns: nanoseconds(wall),
            machine: run.machine,
            build: run.build,
            shards: run.shards,
        }
    }
}

/// The possible values of a column, with the number of rows for each value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordsRecord {
    /// The name of the column.
    pub column: String,
    /// The number of rows with each value. Rows without a value are not counted.
    pub rows: BTreeMap<String, u64>,
}

/// Counts of `dedupe`. With `--isomorph`, isomorphic puzzles count as the same puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuplicatesRecord {
    /// Number of different puzzles.
    pub distinct: u64,
    /// Number of rows whose puzzle is in an earlier row.
    pub duplicates: u64,
    /// Number of puzzles that are in several rows.
    pub groups: u64,
    /// The largest number of rows that have the same puzzle.
    pub largest: u64,
}

/// Accuracies of predictions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoresRecord {
    /// The accuracies of all rows.
    pub all: ScoreRecord,
    /// The column that defines the buckets.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bucket_by: Option<String>,
    /// For each value of the column `bucket_by`, the accuracies of the rows with this value. Empty if there are too many values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub buckets: BTreeMap<String, ScoreRecord>,
    /// If the column `bucket_by` has more than 20 different values that are not empty, and all are numbers: the accuracies for ranges of
    /// values, each with about equally many rows. Rows without a value are in no range.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ranges: Vec<RangeRecord>,
    /// pass@k for each requested k: the probability that at least one of k predictions for a puzzle is exact.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub pass_at: Vec<PassAt>,
    /// The column that defines the groups of pass@k. `None`: rows with the same puzzle are a group.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub group_by: Option<String>,
    /// For each cell, the errors in all rows.
    #[serde(default)]
    pub cells: CellErrors,
}

/// Accuracies of the rows whose value in the column [`ScoresRecord::bucket_by`] is a number from `from` to `to`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RangeRecord {
    /// The smallest value that occurs.
    pub from: f64,
    /// The largest value that occurs.
    pub to: f64,
    /// The accuracies.
    pub score: ScoreRecord,
}

/// Accuracies of some rows. Each accuracy is a number from 0 to 1. All except `blank_accuracy_pooled` have a 95 % confidence interval. An
/// accuracy is `None` if there are no rows to take a mean over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreRecord {
    /// Number of predictions: the rows with a puzzle, and the rows that are too long to be read.
    pub puzzles: u64,
    /// Number of rows whose prediction cannot be read. These predictions count as wrong.
    pub malformed_predictions: u64,
    /// Number of rows that are too long to be read. They count as wrong.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub overlong: u64,
    /// Number of rows whose expected solution does not solve the puzzle. For these rows, the expected solution is ignored.
    pub wrong_expected: u64,
    /// Number of rows whose prediction was compared with the solution.
    pub compared: u64,
    /// Share of the predictions that are right: equal to the solution, or, if no solution is known, any solution of the puzzle.
    pub exact: Option<Accuracy>,
    /// Share of the predictions that solve the puzzle, even if the puzzle has several solutions.
    pub valid: Option<Accuracy>,
    /// Mean, over the rows, of right cells / 81.
    pub cell_accuracy: Option<Accuracy>,
    /// Mean, over the rows, of right blanks / blanks.
    pub blank_accuracy: Option<Accuracy>,
    /// Number of right blanks in all rows / number of blanks in all rows.
    pub blank_accuracy_pooled: Option<f64>,
    /// The bootstrap with which the intervals of `cell_accuracy` and `blank_accuracy` were computed. `None` if there are no such means,
    /// or if these intervals were computed from a normal distribution.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bootstrap: Option<Bootstrap>,
}

impl ScoresRecord {
    /// Returns the accuracies that follow from these sums.
    pub fn new(scores: &Scores, options: &ScoreOptions) -> ScoresRecord {
        let of = |sums: &ScoreSums| ScoreRecord::new(sums, scores.bootstrap());
        let range =
            |range: &ScoreRange| RangeRecord { from: range.from, to: range.to, score: of(&range.sums) };
        ScoresRecord {
            all: of(&scores.all),
            bucket_by: options.bucket_by.clone(),
            buckets: scores.buckets.iter().map(|(value, sums)| (value.clone(), of(sums))).collect(),
            ranges: scores.ranges().iter().map(range).collect(),
            pass_at: options.pass_at.iter().map(|&k| scores.groups.pass_at(k)).collect(),
            group_by: options.group_by.clone(),
            cells: scores.cells,
        }
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl ScoreRecord {
    /// Returns the accuracies that follow from these sums. `bootstrap` is the bootstrap for the intervals of the means: see
    /// [`Scores::bootstrap`].
    pub fn new(sums: &ScoreSums, bootstrap: Option<Bootstrap>) -> ScoreRecord {
        ScoreRecord {
            puzzles: sums.puzzles,
            malformed_predictions: sums.malformed,
            overlong: sums.overlong,
            wrong_expected: sums.wrong_expected,
            compared: sums.compared,
            exact: sums.exact_accuracy(),
            valid: sums.validity(),
            cell_accuracy: sums.cell_accuracy(bootstrap),
            blank_accuracy: sums.blank_accuracy(bootstrap),
            blank_accuracy_pooled: sums.blank_accuracy_pooled(),
            bootstrap: sums.bootstrap_of_means(bootstrap),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;

    #[test]
    fn older_records_have_means_without_a_bootstrap() {
        let record = fixtures::score_record();
        let mut stored = serde_json::to_value(&record).unwrap();
        assert_eq!(serde_json::from_value::<RowsRecord>(stored.clone()).unwrap(), record);
        let all = stored["scores"]["all"].as_object_mut().unwrap();
        assert_eq!(all.remove("bootstrap").unwrap(), serde_json::json!({"resamples": 1_000, "seed": 1}));
        let older: RowsRecord = serde_json::from_value(stored).unwrap();
        assert_eq!(older.scores.unwrap().all.bootstrap, None);
    }
}
