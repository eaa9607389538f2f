//! `cell-scan`: calls itself for all 81 cells, and checks each digit by one loop over row, column and box. A flag ends all open calls once
//! the search is over.
//!
//! ```text
//! fill(cell):  if finished: return
//!              if cell == 81: a solution; finished = true if no further solution is requested
//!              if the cell is a clue: fill(cell + 1)
//!              else for digit in 1..=9, where it is valid:
//!                  write it; fill(cell + 1); if finished: return; erase it
//! ```

use crate::puzzle::{CELLS, Puzzle};
use crate::solver::found_solutions::FoundSolutions;
use crate::solver::{Meter, Outcome, Question, Solver};

pub(crate) struct CellScan;

impl Solver for CellScan {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        if puzzle.conflict().is_some() {
            return Outcome::CONTRADICTORY;
        }
        let mut search = Search {
            board: *puzzle.values(),
            finished: false,
            meter: Meter::start(question),
            found: FoundSolutions::new(question),
        };
        search.fill(0);
        search.found.outcome(question, &search.meter)
    }
}

struct Search<'l> {
    board: [u8; CELLS],
    finished: bool,
    meter: Meter<'l>,
    found: FoundSolutions,
}

impl Search<'_> {
    /// Tries all ways to fill the grid from `cell` on, until `finished` is true.
    fn fill(&mut self, cell: usize) {
        if self.finished {
            return;
        }
        if cell == CELLS {
            self.finished = self.found.record(&self.board).is_break();
            return;
        }
        if self.board[cell] != 0 {
            self.fill(cell + 1);
            return;
        }
        let mut tried = 0;
        for digit in 1..=9 {
            if !self.is_valid(cell, digit) {
                continue;
            }
            self.finished = !self.meter.place_alternative(&mut tried);
            if self.finished {
                return;
            }
            self.board[cell] = digit;
            self.fill(cell + 1);
            if self.finished {
                return;
            }
            self.board[cell] = 0;
        }
    }

    /// Returns whether the blank `cell` may hold `digit`: one loop checks its row, column and box together.
    fn is_valid(&self, cell: usize, digit: u8) -> bool {
        let (row, column) = (cell / 9, cell % 9);
        let corner = row / 3 * 27 + column / 3 * 3;
        (0..9).all(|other| {
            self.board[row * 9 + other] != digit
                && self.board[other * 9 + column] != digit
                && self.board[corner + other / 3 * 9 + other % 3] != digit
        })
    }
}
