//! `bitmask`: walks a list of the blanks and keeps a 9-bit mask of used digits for each row, column and box.
//!
//! ```text
//! fill(index):  if no blank is left: a solution
//!               allowed = digits in none of the three masks
//!               for digit in allowed, lowest bit first:
//!                   flip it in the three masks; fill(index + 1); flip it back
//! ```

use std::ops::ControlFlow;

use super::blanks::Blanks;
use crate::puzzle::{CELLS, Puzzle};
use crate::solver::found_solutions::FoundSolutions;
use crate::solver::{Meter, Outcome, Question, Solver};

/// Bits 0 to 8 stand for the digits 1 to 9.
const ALL_DIGITS: u16 = 0x1ff;

pub(crate) struct Bitmask;

impl Solver for Bitmask {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        if puzzle.conflict().is_some() {
            return Outcome::CONTRADICTORY;
        }
        let mut search = Search::new(puzzle, question);
        let _ended_early = search.fill(0);
        search.found.outcome(question, &search.meter)
    }
}

struct Search<'l> {
    board: [u8; CELLS],
    blanks: Blanks,
    rows: [u16; 9],
    columns: [u16; 9],
    boxes: [u16; 9],
    meter: Meter<'l>,
    found: FoundSolutions,
}

impl<'l> Search<'l> {
    fn new(puzzle: &Puzzle, question: &'l Question) -> Search<'l> {
        let mut search = Search {
            board: *puzzle.values(),
            blanks: Blanks::new(puzzle),
            rows: [0; 9],
            columns: [0; 9],
            boxes: [0; 9],
            meter: Meter::start(question),
            found: FoundSolutions::new(question),
        };
        for (cell, &value) in puzzle.values().iter().enumerate() {
            search.flip(cell / 9, cell % 9, (1 << value) >> 1);
        }
        search
    }

    /// Tries all ways to fill the blanks from index `index` on. Returns `Break` if the search must end early.
    fn fill(&mut self, index: usize) -> ControlFlow<()> {
        let Some(cell) = self.blanks.get(index) else {
            return self.found.record(&self.board);
        };
        let (row, column) = (cell / 9, cell % 9);
        let taken = self.rows[row] | self.columns[column] | self.boxes[row / 3 * 3 + column / 3];
        let mut allowed = ALL_DIGITS & !taken;
        let mut tried = 0;
        while allowed != 0 {
            let digit = allowed & allowed.wrapping_neg();
            allowed ^= digit;
            if !self.meter.place_alternative(&mut tried) {
                return ControlFlow::Break(());
            }
            self.board[cell] = digit.trailing_zeros() as u8 + 1;
            self.flip(row, column, digit);
            self.fill(index + 1)?;
            self.flip(row, column, digit);
        }
        ControlFlow::Continue(())
    }

    /// Marks the digit whose bit is `digit` as used in the three units of a cell. If the digit is already marked as used, marks it as free
    /// again.
    fn flip(&mut self, row: usize, column: usize, digit: u16) {
        self.rows[row] ^= digit;
        self.columns[column] ^= digit;
        self.boxes[row / 3 * 3 + column / 3] ^= digit;
    }
}
