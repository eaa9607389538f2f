//! `score`: compares the prediction in each row with the solution, and adds the scores to the row.

use std::num::NonZeroU32;

use serde::Deserialize;
use sudobench_sudoku::simd::Level;

use super::{RowVerb, Verb, VerbGroup};
use crate::as_text;
use crate::columns::{self, Column, named};
use crate::facts::Scored;
use crate::option_error::OptionError;
use crate::run::Run;
use crate::scoring::{Bucket, GroupBy, Predictions};

/// Scores predicted grids.
pub const SCORE: Verb = Verb {
    name: "score",
    summary: "Score predicted grids: exact, valid, right cells, right blanks",
    group: VerbGroup::PuzzleSets,
    columns: &columns::SCORE,
    default: &[
        named(&columns::SCORE, "exact"),
        named(&columns::SCORE, "valid"),
        named(&columns::SCORE, "right_cells"),
        named(&columns::SCORE, "right_blanks"),
    ],
    notes: &[
        "Predictions:
  A prediction is 81 characters, a JSON array of cells or rows, or a grid of nine lines. A prediction that cannot be read counts as wrong in every mean, \
and the column `note` says why. Rows whose puzzle is malformed are left out of all means. But a row of CSV or JSON lines with more than 64 KiB is too long to be read, and counts as wrong; Parquet and Arrow files can hold longer texts.",
        "Texts:
  With --extract, a prediction is any text. If it contains <answer>...</answer>, only the last such part counts; otherwise all text outside of <think>...</think> counts. The last \
grid there without blanks is the prediction; if there is none, the last grid with blanks (. 0 _). A grid is 81 digits, nine lines, a box, a table or a nested list; \
the column `found` says which.",
        "Solutions:
  A prediction is compared with the solution in its row (see --solution-column). If a row has no solution, or a wrong one, the puzzle is solved. A puzzle \
without exactly one solution then has no solution to compare with, and a prediction is exact if it is valid.",
        "Means:
  The cell accuracy is the mean of right cells / 81, clues included. The blank accuracy is the mean of right blanks / blanks. The pooled blank accuracy is the number of all right \
blanks / all blanks. Rows without a solution to compare with are left out of these three. The 95 % intervals treat each row as one sample: Wilson intervals for exact and valid, \
a bootstrap of 1,000 resamples with a fixed seed for the cell accuracy and the blank accuracy. In a run of 100,000 rows or more, \
these two intervals are computed from a normal distribution. If there are several predictions for a puzzle, the intervals are too narrow; --pass-at 1 has the interval over puzzles.",
        "Buckets:
  --bucket-by shows a line for each value of a column. If the column has more than 20 values, all of them numbers, such as ratings, it shows 10 ranges of \
about equally many rows.",
        "pass@k:
  If c of the n predictions for a puzzle are exact, pass@k is 1 - C(n - c, k) / C(n, k), and the summary shows the mean over puzzles, with an interval from resampled puzzles. As in the programs for \
HumanEval, each puzzle needs at least k predictions; otherwise there is no value for k. The counts take about 50 bytes of memory for each puzzle, and \
such a run can't be resumed.",
    ],
    examples: &[
        "sudobench score predictions.csv --bucket-by difficulty",
        "sudobench score answers.csv --prediction-column answer --export-json scores.json",
        "sudobench score predictions.csv --bucket-by clues --export-html scores.html",
        "sudobench score predictions.csv --bucket-by input.level -o scored.csv",
        "sudobench score answers.csv --prediction-column answer --extract",
        "sudobench score predictions.csv --pass-at 1,2",
        "sudobench score predictions.csv --columns all --only exact=no -o wrong.csv",
    ],
    ..Verb::BASE
};

/// The options of `score`: the column of the predictions, and how to score and group them.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Score"))]
pub struct ScoreOptions {
    /// Column of the predicted grids
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", default_value = "prediction"))]
    pub prediction_column: String,
    /// The predictions are texts, such as answers of a language model: find the grid in each
    #[cfg_attr(feature = "clap", arg(long))]
    pub extract: bool,
    /// Also show the scores for each value of this column: clues, difficulty, or a column of the input
    #[cfg_attr(feature = "clap", arg(long, value_name = "COLUMN", alias = "by"))]
    pub bucket_by: Option<String>,
    /// Also show pass@k for these values of k, such as 1,8: the probability that at least one of k predictions for a puzzle is exact
    #[serde(deserialize_with = "as_text::numbers")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBERS", value_parser = crate::values::at_least_one::<NonZeroU32>, value_delimiter = ','))]
    pub pass_at: Vec<NonZeroU32>,
    /// With --pass-at, rows with the same text in this column of the input are predictions for one puzzle [default: rows with equal
    /// puzzles]
    #[cfg_attr(feature = "clap", arg(long, value_name = "COLUMN"))]
    pub group_by: Option<String>,
}

impl Default for ScoreOptions {
    fn default() -> ScoreOptions {
        ScoreOptions {
            prediction_column: "prediction".to_owned(),
            extract: false,
            bucket_by: None,
            pass_at: Vec::new(),
            group_by: None,
        }
    }
}

impl ScoreOptions {
    /// Returns how rows are grouped; `None` without pass@k.
    fn groups(&self) -> Option<GroupBy<String>> {
        let column = |name: &String| name.strip_prefix("input.").unwrap_or(name).to_owned();
        let groups = || self.group_by.as_ref().map_or(GroupBy::Puzzle, |name| GroupBy::Column(column(name)));
        (!self.pass_at.is_empty()).then(groups)
    }
}

impl RowVerb for ScoreOptions {
    fn adapt(&self, verb: Verb) -> Verb {
        let reason =
            "--pass-at needs all predictions for a puzzle, which shards do not have: leave out --shard";
        let empty_columns: &[_] =
            if self.extract { &[] } else { &[("found", "the option --extract is missing")] };
        Verb { unshardable: self.groups().map(|_| reason), empty_columns, ..verb }
    }

    fn check(&self) -> Result<(), OptionError> {
        match self.group_by {
            Some(_) if self.pass_at.is_empty() => {
                Err(OptionError::new("this option groups rows for --pass-at: add --pass-at")
                    .about("group_by"))
            }
            _ => Ok(()),
        }
    }

    fn prediction_column(&self) -> Option<String> {
        Some(self.prediction_column.clone())
    }

    fn refuses_resume(&self) -> Option<&'static str> {
        let reason =
            "--pass-at needs all rows, and the groups of earlier rows are not stored: leave out --resume";
        self.groups().map(|_| reason)
    }

    fn writes_rows_by_default(&self) -> bool {
        false
    }

    fn needs_rows(&self) -> bool {
        // An empty report with exit code 0 could be mistaken for a success.
        true
    }

    fn set_up<'r>(&self, run: Run<'r>, _: Level, _: &[Column]) -> Result<Run<'r>, OptionError> {
        let bucket_by = self.bucket_by.as_deref().map(Bucket::named);
        let mut needs = vec![Scored::WITH_SOLUTION];
        needs.extend(bucket_by.iter().flat_map(Bucket::needs));
        let predictions = Predictions {
            column: self.prediction_column.clone(),
            extract: self.extract,
            bucket_by,
            groups: self.groups(),
        };
        Ok(run.needs(needs).setting("predictions", predictions))
    }
}
