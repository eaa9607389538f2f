//! `score`: rows with predictions in, the same rows out with what is right about each prediction.

use serde::Deserialize;
use sudobench_sudoku::simd::Level;

use super::{RowVerb, Verb};
use crate::columns::{self, Column};
use crate::facts::Scored;
use crate::option_error::OptionError;
use crate::run::Run;
use crate::scoring::{Bucket, Predictions};

/// Scores predicted grids.
pub const SCORE: Verb = Verb {
    name: "score",
    summary: "Score predicted grids: exact, valid, right cells, right blanks",
    columns: &columns::SCORE,
    default: &columns::SCORE_DEFAULT,
    grid: columns::PUZZLE,
    solves: false,
    makes_rows: false,
    unshardable: None,
    notes: &[
        "Predictions:
  A prediction is 81 characters, a JSON array of cells or rows, or a grid of nine lines. A prediction that cannot be read counts as wrong in every mean, \
and the column note says why. Rows whose puzzle is malformed are left out of all means.",
        "Texts:
  With --extract, a prediction is any text. If it has a closed <answer>, only the last one counts; otherwise all that is outside of <think>. The last grid \
there without blanks is the prediction; if there is none, the last grid with blanks (. 0 _). A grid is 81 digits, nine lines, a box, a table or a nested list; \
the column found says which.",
        "Solutions:
  The solution is the one in the row: see --solution-column. If a row has none, or one that does not solve the puzzle, the puzzle is solved. A puzzle \
without exactly one solution is then compared with none, and a prediction is exact if it is valid.",
        "Means:
  The cell accuracy is the mean of right cells / 81, clues included. The blank accuracy is the mean of right blanks / blanks. Pooled, it is all right \
blanks / all blanks. The intervals of 95 % are over puzzles: Wilson's for exact and valid, of a normal distribution for the means.",
    ],
    examples: &[
        "sudobench score predictions.csv --bucket-by difficulty",
        "sudobench score answers.csv --prediction-column answer --export-json scores.json",
        "sudobench score predictions.csv --bucket-by input.level -o scored.csv",
        "sudobench score completions.jsonl --prediction-column completion --extract",
        "sudobench score predictions.csv --columns all --only exact=no -o wrong.csv",
    ],
};

/// Where the predictions are, and how they are counted.
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
    #[cfg_attr(feature = "clap", arg(long, value_name = "COLUMN"))]
    pub bucket_by: Option<String>,
}

impl Default for ScoreOptions {
    fn default() -> ScoreOptions {
        ScoreOptions { prediction_column: "prediction".to_owned(), extract: false, bucket_by: None }
    }
}

impl RowVerb for ScoreOptions {
    const VERB: Verb = SCORE;

    fn needs_output(&self) -> bool {
        false
    }

    fn refuses_empty(&self) -> bool {
        // A mean over nothing could mislead.
        true
    }

    fn set_up<'r>(&self, run: Run<'r>, _: Level, _: &[Column]) -> Result<Run<'r>, OptionError> {
        let bucket_by = self.bucket_by.as_deref().map(Bucket::named);
        let mut needs = vec![Scored::WITH_SOLUTION];
        needs.extend(bucket_by.iter().flat_map(Bucket::needs));
        let predictions =
            Predictions { column: self.prediction_column.clone(), extract: self.extract, bucket_by };
        Ok(run.needs(needs).setting("predictions", predictions))
    }
}
