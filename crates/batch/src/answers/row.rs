//! A row and what became of it.

use std::ops::Range;

use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::minimals::Found;
use sudobench_sudoku::{Outcome, Puzzle, RefereeError, Status};

use crate::facts::{Fact, FactBlock};
use crate::source::{Row, RowFault};

/// An input row and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredRow<'a> {
    /// The bytes of the block that holds the row: the row's ranges point into them.
    pub block: &'a [u8],
    /// Where the row and its parts stand.
    pub row: &'a Row,
    /// The puzzle; `None` for a malformed row.
    pub puzzle: Option<&'a Puzzle>,
    /// The verdict on the puzzle; `None` for a malformed row, and where no solver was asked.
    pub outcome: Option<&'a Outcome>,
    /// What is to be said about the outcome.
    pub note: Note,
    /// What was found for the puzzle, and which of that the row is written for; `None` for a malformed row, and where nothing is
    /// [looked for](crate::Find).
    pub found: Option<FoundPuzzle<'a>>,
    /// What a puzzle that was made counts for in a mean; `None` where nobody says.
    pub weight: Option<f64>,
    /// What the run's [marks](crate::Marks) know of the row; `None` where it has none.
    pub mark: Option<u64>,
    /// The facts of the block.
    pub(crate) facts: Option<&'a FactBlock>,
    /// The number of the puzzle among those of the block.
    pub(crate) puzzle_number: usize,
    /// Where the row is one of the forms of an input row, which. Then its puzzle and its text are those of the form, and nothing has
    /// been computed for it.
    pub form: Option<&'a Form>,
}

/// What is to be said about an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Note {
    /// Nothing.
    #[default]
    None,
    /// The answer differs from the expected solution, which is not 81 digits.
    ExpectedUnreadable,
    /// The answer differs from the expected solution, which does not solve the puzzle.
    ExpectedWrong,
    /// The answer differs from the expected solution, which solves the puzzle as well.
    ExpectedAnother {
        /// Whether any solution was asked for, so that the other one is as good.
        is_as_good: bool,
    },
    /// There is an expected solution, which solves the puzzle, but the solver says that there is none.
    ExpectedExists,
    /// The solver's grid was refused by the referee.
    Refused(RefereeError),
}

impl Note {
    /// The words for the `note` column; empty for [`Note::None`].
    pub fn text(self) -> String {
        match self {
            Note::None => String::new(),
            Note::ExpectedUnreadable => "the expected solution is not 81 digits".to_owned(),
            Note::ExpectedWrong => "the expected solution does not solve the puzzle".to_owned(),
            Note::ExpectedAnother { .. } => "the expected solution is another one of several".to_owned(),
            Note::ExpectedExists => "no solution found, but the expected one solves the puzzle".to_owned(),
            Note::Refused(fault) => format!("the solver's grid was refused: {fault}"),
        }
    }

    /// Whether it tells that the answer is unlike the expected solution.
    pub fn is_mismatch(self) -> bool {
        match self {
            Note::None | Note::Refused(_) => false,
            Note::ExpectedAnother { is_as_good } => !is_as_good,
            Note::ExpectedUnreadable | Note::ExpectedWrong | Note::ExpectedExists => true,
        }
    }
}

impl<'a> AnsweredRow<'a> {
    /// A row of which nothing is known.
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

    /// Returns the value of a fact for the row's puzzle; `None` for a malformed row, if the puzzle has no value, and if nothing needs the fact.
    pub fn fact<F: Fact>(&self) -> Option<&'a F::Value> {
        self.facts?.value::<F>(self.puzzle_number)
    }

    /// The row's status; `None` where no solver was asked about its puzzle.
    pub fn status(&self) -> Option<Status> {
        match (self.puzzle, self.outcome) {
            (None, _) => Some(Status::Malformed),
            (Some(_), outcome) => outcome.map(|outcome| outcome.status),
        }
    }

    /// Whether the answer is the expected solution; `None` where none is expected, or there is no verdict to hold
    /// against it.
    pub fn is_match(&self) -> Option<bool> {
        self.row.expected.as_ref()?;
        let decided = self.outcome.is_some_and(|outcome| outcome.status != Status::Aborted);
        decided.then(|| !self.note.is_mismatch())
    }

    /// The text of the `note` column; `None` where nothing is to be said of the row.
    #[inline]
    pub(crate) fn note_where_any(&self) -> Option<String> {
        let is_fine = self.row.fault.is_none() && self.note == Note::None;
        (!is_fine).then(|| self.note_text())
    }

    /// The text of the `note` column: why a row is malformed, or what is to be said about the answer.
    pub fn note_text(&self) -> String {
        self.row.fault.as_ref().map_or_else(|| self.note.text(), RowFault::to_string)
    }

    /// The untouched input row.
    pub fn text(&self) -> &'a [u8] {
        self.part(&self.row.text)
    }

    /// The bytes of a range of the block.
    pub(crate) fn part(&self, range: &Range<u32>) -> &'a [u8] {
        &self.block[range.start as usize..range.end as usize]
    }
}

/// One of the forms of an input row.
#[derive(Clone, Debug)]
pub struct Form {
    /// What made it of the row.
    pub transformation: Transformation,
    /// The form of the expected solution; `None` where there is none, or it is no board.
    pub solution: Option<Puzzle>,
}

/// Which of the puzzles that were found for a row.
#[derive(Clone, Copy, Debug)]
pub struct FoundPuzzle<'a> {
    /// All that were found.
    pub all: &'a Found,
    /// Its number among them, from 0.
    pub number: usize,
}

impl<'a> FoundPuzzle<'a> {
    /// The puzzle; `None` where none was found.
    pub fn puzzle(&self) -> Option<&'a Puzzle> {
        self.all.puzzles.get(self.number)
    }
}
