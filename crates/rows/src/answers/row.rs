//! One answered row.

use std::ops::Range;

use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::techniques::PlayedStep;
use sudobench_sudoku::{Outcome, Puzzle, RefereeError, Status};

use crate::expand::Found;
use crate::facts::{Fact, FactBlock};
use crate::source::{Row, RowFault};

/// An input row with all computed values.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredRow<'a> {
    /// The bytes of the block. The ranges of `row` point into them.
    pub block: &'a [u8],
    /// The parsed row: its ranges, its line, and the reason if it is malformed.
    pub row: &'a Row,
    /// The puzzle; `None` for a malformed row.
    pub puzzle: Option<&'a Puzzle>,
    /// The solver's outcome, if it was computed.
    pub outcome: Option<&'a Outcome>,
    /// The remark on the answer or on the expected solution.
    pub note: Note,
    /// The puzzles or steps that were found for the puzzle, and the index of the puzzle or step that this output row shows; `None` for a
    /// malformed row, and if the run has no [`Finder`](crate::Finder).
    pub found: Option<FoundItem<'a>>,
    /// The weight of a generated puzzle in a mean over all minimal puzzles. `None` if the puzzle was read from an input, or if the
    /// generation method has no weights.
    pub weight: Option<f64>,
    /// The number that the run's [`Marks`](crate::Marks) give to this row; `None` if they give the row no number, or if the run has no
    /// marks.
    pub mark: Option<u64>,
    pub(crate) facts: Option<&'a FactBlock>,
    /// Number of the puzzle in its block, from 0.
    pub(crate) puzzle_number: usize,
    /// If this row is a transformed input row (a form): the transformation, and the transformed expected solution. The puzzle and the text
    /// of this row are then transformed too, and the row has no outcome and no facts.
    pub form: Option<&'a RowForm>,
}

/// A remark of the referee, or of the comparison with the expected solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Note {
    /// No remark.
    #[default]
    None,
    /// The answer differs from the expected solution, because the expected solution is not 81 digits.
    ExpectedUnreadable,
    /// The answer differs from the expected solution, which does not solve the puzzle.
    ExpectedWrong,
    /// The answer differs from the expected solution, which solves the puzzle as well.
    ExpectedAnother {
        /// Whether the run accepts the first solution that the solver finds, instead of the smallest one. If so, the answer is as good as
        /// the expected solution.
        is_as_good: bool,
    },
    /// The solver says that there is no solution, but the expected solution solves the puzzle.
    ExpectedExists,
    /// The solver's grid was refused by the referee.
    Refused(RefereeError),
}

impl Note {
    /// Returns the text for the column `note`. Empty for [`Note::None`].
    pub fn text(self) -> String {
        match self {
            Note::None => String::new(),
            Note::ExpectedUnreadable => "the expected solution is not 81 digits".to_owned(),
            Note::ExpectedWrong => "the expected solution does not solve the puzzle".to_owned(),
            Note::ExpectedAnother { .. } => {
                "the puzzle has several solutions, and the expected solution is not the one that was found"
                    .to_owned()
            }
            Note::ExpectedExists => {
                "no solution was found, but the expected solution solves the puzzle".to_owned()
            }
            Note::Refused(fault) => format!("the solver's answer is wrong: {fault}"),
        }
    }

    /// Returns whether the answer differs from the expected solution. If the run accepts the first solution found, and both solutions are
    /// correct, the difference does not count.
    pub fn is_mismatch(self) -> bool {
        match self {
            Note::None | Note::Refused(_) => false,
            Note::ExpectedAnother { is_as_good } => !is_as_good,
            Note::ExpectedUnreadable | Note::ExpectedWrong | Note::ExpectedExists => true,
        }
    }
}

impl<'a> AnsweredRow<'a> {
    #[inline]
    pub(crate) fn bare(block: &'a [u8], row: &'a Row) -> AnsweredRow<'a> {
        AnsweredRow {
            block,
            row,
            puzzle: None,
            outcome: None,
            note: Note::None,
            found: None,
            weight: None,
            mark: None,
            facts: None,
            puzzle_number: 0,
            form: None,
        }
    }

    /// Returns the value of a fact for the row's puzzle; `None` for a malformed row, if the puzzle has no value, and if nothing needs the
    /// fact.
    pub fn fact<F: Fact>(&self) -> Option<&'a F::Value> {
        self.facts?.value::<F>(self.puzzle_number)
    }

    /// Passes the row to `each` once for each puzzle or step that was found for it, and once if none was found.
    #[inline]
    pub(crate) fn for_each_found(&self, mut each: impl FnMut(&AnsweredRow)) {
        each(self);
        let Some(FoundItem { all, .. }) = self.found else { return };
        for number in 1..all.len() {
            each(&AnsweredRow { found: Some(FoundItem { all, number }), ..*self });
        }
    }

    /// Returns the row's status; `None` if the row has a puzzle but no outcome.
    pub fn status(&self) -> Option<Status> {
        match (self.puzzle, self.outcome) {
            (None, _) => Some(Status::Malformed),
            (Some(_), outcome) => outcome.map(|outcome| outcome.status),
        }
    }

    /// Returns whether the answer is the expected solution or, if the run accepts any solution, another correct one. Returns `None` if the
    /// row has no expected solution or no outcome, if the solver gave up, or if the referee refused the answer.
    pub fn is_match(&self) -> Option<bool> {
        self.row.expected.as_ref()?;
        let decided = self.outcome.is_some_and(|outcome| outcome.status != Status::Aborted);
        decided.then(|| !self.note.is_mismatch())
    }

    /// Returns the text of the column `note`. `None` if the row is not malformed and has no remark.
    #[inline]
    pub fn note_if_any(&self) -> Option<String> {
        let is_fine = self.row.fault.is_none() && self.note == Note::None;
        (!is_fine).then(|| self.note_text())
    }

    /// Returns the text of the column `note`: why the row is malformed, or the remark on the answer or on the expected solution.
    pub fn note_text(&self) -> String {
        self.row.fault.as_ref().map_or_else(|| self.note.text(), RowFault::to_string)
    }

    /// Returns the text of the input row, unchanged; for a form of a row, the text of the form.
    pub fn text(&self) -> &'a [u8] {
        self.part(&self.row.text)
    }

    pub(crate) fn part(&self, range: &Range<u32>) -> &'a [u8] {
        &self.block[range.start as usize..range.end as usize]
    }
}

/// A form of an input row: one transformation is applied to all boards of the row.
#[derive(Clone, Debug)]
pub struct RowForm {
    /// The transformation from the input row to this form.
    pub transformation: Transformation,
    /// The transformed expected solution; `None` if the row has no expected solution, or if the expected solution is not a board.
    pub solution: Option<Puzzle>,
}

/// One of the puzzles or steps that were found for a row.
#[derive(Clone, Copy, Debug)]
pub struct FoundItem<'a> {
    /// All results of the row.
    pub all: &'a Found,
    /// The number of this result, from 0.
    pub number: usize,
}

impl<'a> FoundItem<'a> {
    /// Returns the puzzle, or the board before the step; `None` if nothing was found.
    pub fn puzzle(&self) -> Option<&'a Puzzle> {
        self.all.puzzle(self.number)
    }

    /// Returns the step; `None` if none was found.
    pub fn step(&self) -> Option<&'a PlayedStep> {
        self.all.step(self.number)
    }
}
