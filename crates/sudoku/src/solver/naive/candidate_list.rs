//! `candidate-list`: lists the allowed digits at each blank, tries them in turn, and checks the whole board once it is
//! full.
//!
//! ```text
//! fill(index):  if no blank is left: a solution, if every row, column and box is right
//!               list the digits that row, column and box lack
//!               for digit in the list: write it; fill(index + 1)
//!               erase the cell
//! ```

use std::ops::ControlFlow;

use super::blanks::Blanks;
use crate::puzzle::{CELLS, Puzzle};
use crate::solver::found_solutions::FoundSolutions;
use crate::solver::{Meter, Outcome, Question, Solver};

pub(crate) struct CandidateList;

impl Solver for CandidateList {
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

/// The digits that a cell may hold, in ascending order.
#[derive(Default)]
struct Candidates {
    digits: [u8; 9],
    count: usize,
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
            return self.record_if_right();
        };
        let candidates = self.candidates(cell);
        let mut tried = 0;
        for &digit in &candidates.digits[..candidates.count] {
            if !self.meter.place_alternative(&mut tried) {
                return ControlFlow::Break(());
            }
            self.board[cell] = digit;
            self.fill(index + 1)?;
        }
        self.board[cell] = 0;
        ControlFlow::Continue(())
    }

    /// Returns the digits that the row, column and box of `cell` all lack.
    fn candidates(&self, cell: usize) -> Candidates {
        let (row, column) = (cell / 9, cell % 9);
        let corner = row / 3 * 27 + column / 3 * 3;
        let mut held = [false; 10];
        for other in 0..9 {
            held[usize::from(self.board[row * 9 + other])] = true;
            held[usize::from(self.board[other * 9 + column])] = true;
            held[usize::from(self.board[corner + other / 3 * 9 + other % 3])] = true;
        }
        let mut candidates = Candidates::default();
        for digit in 1..=9 {
            if !held[usize::from(digit)] {
                candidates.digits[candidates.count] = digit;
                candidates.count += 1;
            }
        }
        candidates
    }

    fn record_if_right(&mut self) -> ControlFlow<()> {
        if is_right(&self.board) { self.found.record(&self.board) } else { ControlFlow::Continue(()) }
    }
}

/// Returns whether each row, column and box of a full board holds every digit.
fn is_right(board: &[u8; CELLS]) -> bool {
    (0..9).all(|unit| {
        let corner = unit / 3 * 27 + unit % 3 * 3;
        holds_every_digit(|place| board[unit * 9 + place])
            && holds_every_digit(|place| board[place * 9 + unit])
            && holds_every_digit(|place| board[corner + place / 3 * 9 + place % 3])
    })
}

fn holds_every_digit(digit_at: impl Fn(usize) -> u8) -> bool {
    let mut held = [false; 10];
    for place in 0..9 {
        held[usize::from(digit_at(place))] = true;
    }
    held[1..].iter().all(|&holds| holds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_valid_board_is_accepted() {
        let text = b"483921657967345821251876493548132976729564138136798245372689514814253769695417382";
        let board = text.map(|byte| byte - b'0');
        assert!(is_right(&board));
        for cell in 0..CELLS {
            let mut wrong = board;
            wrong[cell] = wrong[cell] % 9 + 1;
            assert!(!is_right(&wrong), "cell {cell} changed unnoticed");
        }
    }
}
