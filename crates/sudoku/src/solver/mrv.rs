//! `mrv`: naked and hidden singles until nothing follows, then a guess where the fewest alternatives are open.
//!
//! ```text
//! explore(board):  repeat: find the singles; fill them     until there are none
//!                  if a blank has no candidate or a unit has no place for a digit: back
//!                  if no blank is left: a solution
//!                  for each alternative of the tightest decision: explore(copy of the board with it)
//! ```
//!
//! A decision is which digit a cell holds, or where in a unit a digit goes.

use std::ops::ControlFlow;

use super::found::Found;
use super::minirows::{Board, Candidate};
use super::{Meter, Outcome, Question, Solver, smallest};
use crate::puzzle::{CELLS, Puzzle, Solution};

/// The variant `mrv`.
#[derive(Debug)]
pub(super) struct Mrv {
    /// The clues, and what the search filled in. Where the search has gone back, stale digits stay until they
    /// are overwritten: a full board has overwritten them all.
    digits: [u8; CELLS],
}

impl Solver for Mrv {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        let Some(mut board) = Board::of(puzzle) else {
            return Outcome::CONTRADICTORY;
        };
        let (mut meter, mut found) = (Meter::start(question), Found::under(question));
        self.digits = *puzzle.values();
        let _ended_early = self.explore(&mut board, &mut meter, &mut found);
        smallest::outcome(puzzle, question, meter, found, |puzzle, meter| self.any_solution(puzzle, meter))
    }
}

/// Where following the singles led.
enum Propagated {
    /// No single is left.
    Settled,
    /// The board has no solution.
    Contradiction,
    /// The meter stopped the search.
    Stopped,
}

impl Mrv {
    pub(super) fn new() -> Mrv {
        Mrv { digits: [0; CELLS] }
    }

    /// Any solution of a puzzle.
    fn any_solution(&mut self, puzzle: &Puzzle, meter: &mut Meter) -> Option<Solution> {
        let mut found = Found::any();
        self.digits = *puzzle.values();
        let _ended_early = self.explore(&mut Board::of(puzzle)?, meter, &mut found);
        found.kept()
    }

    /// Solves `board` in every way. Breaks where the search is over.
    fn explore(&mut self, board: &mut Board, meter: &mut Meter, found: &mut Found) -> ControlFlow<()> {
        match self.propagate(board, meter) {
            Propagated::Settled if board.blanks == 0 => return found.record(&self.digits),
            Propagated::Settled => {}
            Propagated::Contradiction => return ControlFlow::Continue(()),
            Propagated::Stopped => return ControlFlow::Break(()),
        }
        meter.guess();
        for &candidate in board.decision().as_slice() {
            if !meter.place() {
                return ControlFlow::Break(());
            }
            let mut trial = *board;
            self.fill(&mut trial, candidate);
            self.explore(&mut trial, meter, found)?;
        }
        ControlFlow::Continue(())
    }

    /// Fills the singles of `board` until there are none.
    fn propagate(&mut self, board: &mut Board, meter: &mut Meter) -> Propagated {
        while board.blanks != 0 {
            let Some(singles) = board.singles() else {
                return Propagated::Contradiction;
            };
            let blanks = board.blanks;
            for (stack, words) in singles.iter().enumerate() {
                for (row, &singles) in words.iter().enumerate().filter(|&(_, &singles)| singles != 0) {
                    let filled = self.fill_minirow(board, stack, row, singles, meter);
                    if !matches!(filled, Propagated::Settled) {
                        return filled;
                    }
                }
            }
            if board.blanks == blanks {
                break;
            }
        }
        Propagated::Settled
    }

    /// Fills the singles of one minirow.
    fn fill_minirow(
        &mut self,
        board: &mut Board,
        stack: usize,
        row: usize,
        mut singles: u32,
        meter: &mut Meter,
    ) -> Propagated {
        while singles != 0 {
            // A single that an earlier one of the same pass has struck out: two digits for one cell, or two
            // cells for one digit of a unit.
            if singles & board.minirows[stack][row] != singles {
                return Propagated::Contradiction;
            }
            if !meter.place() {
                return Propagated::Stopped;
            }
            let bit = singles.trailing_zeros();
            self.fill(board, Candidate { stack, row, bit });
            singles &= singles - 1;
        }
        Propagated::Settled
    }

    /// Puts a candidate into its cell.
    fn fill(&mut self, board: &mut Board, candidate: Candidate) {
        board.fill(candidate);
        self.digits[candidate.cell()] = candidate.digit();
    }
}
