//! `bool-table`: calls itself for all 81 cells, including clues, and keeps three tables of used digits.
//!
//! This is the recursion in the source of BOJ 12095, a problem of the Baekjoon Online Judge. The problem measures puzzles by the number of
//! calls of this recursion. Unlike in that source, the tables have their correct size, and callers can read the number of calls.
//!
//! ```text
//! fill(cell):  calls += 1
//!              if cell == 81: a solution
//!              if the cell is a clue: return fill(cell + 1)
//!              for digit in 1..=9, where no table says that it is taken:
//!                  set the three entries; fill(cell + 1); unset them
//! ```

use crate::puzzle::{CELLS, Puzzle};
use crate::solver::found_solutions::FoundSolutions;
use crate::solver::{Meter, Outcome, Question, Solver};

/// For each of nine units of one kind (rows, columns or boxes) and each digit, whether the unit has the digit. The entries of digit 0 are
/// unused.
type Table = [[bool; 10]; 9];

/// The variant `bool-table`. It is public because its number of calls is a measure of difficulty that needs no clock.
#[derive(Debug, Default)]
pub struct BoolTable {
    calls: u64,
}

impl BoolTable {
    /// Returns the number of calls of the recursion in the most recent [`Solver::solve`]. Calls at clues and at the end of the grid count
    /// too.
    ///
    /// After a solve that asks for one solution ([`Question::first`]), this is the number that the program of BOJ 12095 counts; that
    /// program stops at 100,000. The number is 0 if the clues contradict each other, because then there is no search.
    ///
    /// ```
    /// use sudobench_sudoku::{Question, Puzzle, Solver, solver::BoolTable};
    /// let mut solver = BoolTable::default();
    /// solver.solve(&Puzzle::EMPTY, &Question::first());
    /// assert_eq!(solver.calls(), 392);
    /// ```
    pub fn calls(&self) -> u64 {
        self.calls
    }
}

impl Solver for BoolTable {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        self.calls = 0;
        if puzzle.conflict().is_some() {
            return Outcome::CONTRADICTORY;
        }
        let mut search = Search::new(puzzle, question);
        search.fill(0);
        self.calls = search.calls;
        search.found.outcome(question, &search.meter)
    }
}

struct Search<'l> {
    board: [u8; CELLS],
    in_row: Table,
    in_column: Table,
    in_box: Table,
    calls: u64,
    meter: Meter<'l>,
    found: FoundSolutions,
}

impl<'l> Search<'l> {
    fn new(puzzle: &Puzzle, question: &'l Question) -> Search<'l> {
        let mut search = Search {
            board: *puzzle.values(),
            in_row: Table::default(),
            in_column: Table::default(),
            in_box: Table::default(),
            calls: 0,
            meter: Meter::start(question),
            found: FoundSolutions::new(question),
        };
        for (cell, &value) in puzzle.values().iter().enumerate() {
            search.mark(cell, value, value != 0);
        }
        search
    }

    /// Tries all ways to fill the grid from `cell` on. Returns true if the search must end early.
    fn fill(&mut self, cell: usize) -> bool {
        self.calls += 1;
        if cell == CELLS {
            return self.found.record(&self.board).is_break();
        }
        if self.board[cell] != 0 {
            return self.fill(cell + 1);
        }
        let mut tried = 0;
        for digit in 1..=9 {
            if self.is_taken(cell, digit) {
                continue;
            }
            if !self.meter.place_alternative(&mut tried) {
                return true;
            }
            self.board[cell] = digit;
            self.mark(cell, digit, true);
            if self.fill(cell + 1) {
                return true;
            }
            self.mark(cell, digit, false);
            self.board[cell] = 0;
        }
        false
    }

    fn is_taken(&self, cell: usize, digit: u8) -> bool {
        let (row, column, digit) = (cell / 9, cell % 9, usize::from(digit));
        self.in_row[row][digit]
            || self.in_column[column][digit]
            || self.in_box[row / 3 * 3 + column / 3][digit]
    }

    fn mark(&mut self, cell: usize, digit: u8, taken: bool) {
        let (row, column, digit) = (cell / 9, cell % 9, usize::from(digit));
        self.in_row[row][digit] = taken;
        self.in_column[column][digit] = taken;
        self.in_box[row / 3 * 3 + column / 3][digit] = taken;
    }
}
