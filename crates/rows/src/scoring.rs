//! Reads the predictions of a block's rows, and counts their scores.

use serde::{Serialize, Serializer};
use sudobench_sudoku::extract::extract;

use crate::answers::{AnsweredRow, Answers};
use crate::cell_errors::CellErrorSums;
use crate::columns::{self, Column};
use crate::facts::{Expected, Need, Prediction, Scored};
use crate::filter::Subject;
use crate::fingerprint::{fingerprint, fingerprint_of_text};
use crate::input_columns::InputColumns;
use crate::option_error::OptionError;
use crate::scores::Scores;
use crate::source::{Layout, RowFault, read_prediction, read_solution};

/// The options for scoring.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Predictions {
    #[serde(rename = "prediction_column")]
    pub(crate) column: String,
    /// Whether each prediction is a text in which the grid has to be found.
    pub(crate) extract: bool,
    pub(crate) bucket_by: Option<Bucket>,
    /// How predictions are grouped for pass@k; `None` if pass@k is not computed.
    pub(crate) groups: Option<GroupBy<String>>,
}

/// Decides which rows are predictions for the same puzzle. A column of the input is given by its name, or by its [`Subject`] once the
/// layout of the input is known.
#[derive(Clone, Debug, Serialize)]
pub(crate) enum GroupBy<C> {
    /// Rows with equal puzzles.
    Puzzle,
    /// Rows with the same text in this column of the input.
    Column(C),
}

/// A column that defines buckets.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    name: String,
    /// The column, if it is computed; `None` for a column of the input.
    column: Option<Column>,
}

impl Serialize for Bucket {
    /// Writes the name, or `input.NAME` for a column of the input that has the name of a computed column.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_computed = |name: &str| columns::SCORE_BUCKETS.iter().any(|column| column.name == name);
        match self.column {
            None if is_computed(&self.name) => serializer.collect_str(&format_args!("input.{}", self.name)),
            _ => serializer.serialize_str(&self.name),
        }
    }
}

impl Bucket {
    /// Returns the column that a name means: a computed column if there is one with this name, otherwise a column of the input.
    /// `input.NAME` always means a column of the input.
    pub(crate) fn named(name: &str) -> Bucket {
        let column = columns::SCORE_BUCKETS.into_iter().find(|column| column.name == name);
        Bucket { name: name.strip_prefix("input.").unwrap_or(name).to_owned(), column }
    }

    pub(crate) fn needs(&self) -> &'static [Need] {
        self.column.map_or(&[], |column| column.needs)
    }
}

/// The columns for scoring, as they were found in the layout of the input.
#[derive(Clone, Debug)]
pub(crate) struct Scoring {
    predictions: Subject,
    extract: bool,
    /// The computed column or input column whose values define the buckets.
    buckets: Option<Subject>,
    groups: Option<GroupBy<Subject>>,
    /// Whether rows have an expected solution.
    has_expected: bool,
}

impl Scoring {
    pub(crate) fn find(predictions: &Predictions, layout: &Layout) -> Result<Scoring, OptionError> {
        let input = |name: &String| Subject::Input(name.clone(), None).found_in(layout);
        let buckets = predictions.bucket_by.as_ref().map(|bucket| match bucket.column {
            Some(column) => Ok(Subject::Column(column)),
            None => input(&bucket.name),
        });
        let groups = predictions.groups.as_ref().map(|groups| match groups {
            GroupBy::Puzzle => Ok(GroupBy::Puzzle),
            GroupBy::Column(name) => input(name).map(GroupBy::Column),
        });
        let column = input(&predictions.column)?;
        // The prediction column may also be found as the column of the expected solution, for example because an option names it for both.
        // Then the rows have no expected solution.
        let expected = InputColumns::from_layout(layout).solution;
        let has_expected = expected.is_some() && expected != column.input_number();
        let extract = predictions.extract;
        let (buckets, groups) = (buckets.transpose()?, groups.transpose()?);
        Ok(Scoring { predictions: column, extract, buckets, groups, has_expected })
    }

    /// Reads the prediction and the expected solution of each row with a puzzle. The expected solution is removed from the row, so that it
    /// is compared only with the prediction, not with the solver's answer.
    pub(crate) fn read(&self, bytes: &[u8], answers: &mut Answers) {
        let Answers { parsed, predictions, .. } = answers;
        predictions.clear();
        let rows = parsed.rows.iter_mut().filter(|row| row.fault.is_none()).zip(&parsed.puzzles);
        predictions.extend(rows.map(|(row, puzzle)| {
            let range = row.expected.take().filter(|_| self.has_expected);
            let text = self.predictions.input_text(&AnsweredRow::bare(bytes, row));
            let solves = |text: &[u8]| read_solution(text).filter(|solution| solution.check(puzzle).is_ok());
            let solution = range.map(|range| &bytes[range.start as usize..range.end as usize]);
            let (board, form) = if self.extract {
                let found = extract(&String::from_utf8_lossy(&text));
                (found.map(|found| found.grid).ok_or(RowFault::NoGrid), found.map(|found| found.form))
            } else {
                (read_prediction(&text), None)
            };
            Prediction {
                board: board.map_err(|fault| fault.to_string()),
                form,
                solution: solution.map(|text| solves(text).map_or(Expected::Wrong, Expected::Right)),
            }
        }));
    }

    pub(crate) fn count<'r>(&self, rows: impl Iterator<Item = AnsweredRow<'r>>) -> Scores {
        let (mut scores, mut cells) = (Scores::default(), CellErrorSums::default());
        for row in rows {
            self.count_row(&row, &mut scores);
            let wrong = row.fact::<Scored>().and_then(|score| score.wrong.as_ref());
            if let (Some(puzzle), Some(wrong)) = (row.puzzle, wrong) {
                cells.add(puzzle, wrong);
            }
        }
        Scores { cells: cells.finish(), ..scores }
    }

    /// Adds the score of a row, if the row has a score. A row that is too long to be read is counted in
    /// [`ScoreSums::overlong`](crate::scores::ScoreSums::overlong).
    fn count_row(&self, row: &AnsweredRow, scores: &mut Scores) {
        if let Some(RowFault::Overlong { .. }) = row.row.fault {
            return scores.add_overlong(self.buckets.is_some());
        }
        let Some(score) = row.fact::<Scored>() else { return };
        let text = |bucket: &Subject| String::from_utf8_lossy(&bucket.text(row)).into_owned();
        let group = self.groups.as_ref().and_then(|groups| match groups {
            GroupBy::Puzzle => row.puzzle.map(|puzzle| fingerprint(puzzle.values())),
            GroupBy::Column(column) => Some(fingerprint_of_text(&column.input_text(row))),
        });
        scores.add(score, self.buckets.as_ref().map(text), group);
    }
}
