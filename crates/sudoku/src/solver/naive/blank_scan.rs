//! `blank-scan`: walks a list of the blanks and checks each digit by looking through its row, column and box.
//!
//! ```text
//! fill(index):  if no blank is left: a solution
//!               for digit in 1..=9, where neither row, column nor box holds it:
//!                   write it; fill(index + 1); erase it
//! ```

use std::ops::ControlFlow;

use super::blanks::Blanks;
use crate::puzzle::{CELLS, Puzzle};
use crate::solver::found_solutions::FoundSolutions;
use crate::solver::{Meter, Outcome, Question, Solver};

pub(crate) struct BlankScan;

impl Solver for BlankScan {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        if puzzle.conflict().is_some() {
            return Outcome::CONTRADICTORY;
        }
        let mut search = Search {
            board: *puzzle.values(),
            blanks: Blanks::new(puzzle),
            meter: Meter::start(question),
            found: FoundSolutions::new(question),
        };
        let _ended_early = search.fill(0);
        search.found.outcome(question, &search.meter)
    }
}

struct Search<'l> {
    board: [u8; CELLS],
    blanks: Blanks,
    meter: Meter<'l>,
    found: FoundSolutions,
}

impl Search<'_> {
    /// Tries all ways to fill the blanks from index `index` on. Returns `Break` if the search must end early.
    fn fill(&mut self, index: usize) -> ControlFlow<()> {
        let Some(cell) = self.blanks.get(index) else {
            return self.found.record(&self.board);
        };
        let mut tried = 0;
        for digit in 1..=9 {
            if !self.is_allowed(cell, digit) {
                continue;
            }
            if !self.meter.place_alternative(&mut tried) {
                return ControlFlow::Break(());
            }
            self.board[cell] = digit;
            self.fill(index + 1)?;
            self.board[cell] = 0;
        }
        ControlFlow::Continue(())
    }

    /// Returns whether the row, column and box of the blank `cell` all lack `digit`.
    fn is_allowed(&self, cell: usize, digit: u8) -> bool {
        let (row, column) = (cell / 9, cell % 9);
        for other in 0..9 {
            if self.board[row * 9 + other] == digit {
                return false;
            }
        }
        for other in 0..9 {
            if self.board[other * 9 + column] == digit {
                return false;
            }
        }
        let (top, left) = (row / 3 * 3, column / 3 * 3);
        for box_row in top..top + 3 {
            for box_column in left..left + 3 {
                if self.board[box_row * 9 + box_column] == digit {
                    return false;
                }
            }
        }
        true
    }
}
