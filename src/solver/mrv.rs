//! `mrv`: naked and hidden singles until nothing follows, then a guess at the cell with the fewest candidates.
//!
//! The candidates of three cells (a minirow) stand in one `u64`, 16 bits a cell, so that one pass over 27 words
//! finds every single of the grid and every contradiction, with plain integer operations:
//!
//! ```text
//! bits     63..48     47..32       31..16       15..0
//!        (no cell)  third cell  second cell  first cell      of a minirow; in each lane:
//!
//! bit          15      14..9     8..0
//!            filled    unused    candidates 9..1
//! ```
//!
//! A filled cell has no candidates, only the flag `filled`. The unused lane is kept as if it were filled.
//!
//! ```text
//! explore(board):  repeat: find the singles; fill them     until there are none
//!                  if a blank has no candidate or a unit has no place for a digit: back
//!                  if no blank is left: a solution
//!                  for each candidate of the tightest cell: explore(copy of the board with it)
//! ```
#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use super::found::Found;
use super::{Limits, Meter, Outcome, Solver, smallest};
use crate::puzzle::{CELLS, Puzzle, Solution};

/// The lowest bit of each cell of a minirow.
const EACH_CELL: u64 = 0x0001_0001_0001;
/// The lowest bit of each lane of a word.
const EACH_LANE: u64 = 0x0001_0001_0001_0001;
/// The flag `filled` of each lane of a word.
const FILLED: u64 = EACH_LANE << 15;
/// The nine digits of one cell.
const ALL_DIGITS: u64 = 0x1ff;

/// Three blank cells with every candidate, and the lane without a cell.
const OPEN: u64 = (0x8000 << 48) | (EACH_CELL * ALL_DIGITS);

/// One word for each minirow, by stack and row.
type Minirows = [[u64; 9]; 3];

/// The variant `mrv`.
#[derive(Debug)]
pub(super) struct Mrv {
    /// The clues, and what the search filled in. Where the search has gone back, stale digits stay until they
    /// are overwritten: a full board has overwritten them all.
    digits: [u8; CELLS],
}

impl Solver for Mrv {
    fn solve(&mut self, puzzle: &Puzzle, limits: &Limits) -> Outcome {
        let Some(board) = Board::of(puzzle) else {
            return Outcome::CONTRADICTORY;
        };
        let (mut meter, mut found) = (Meter::start(limits), Found::under(limits));
        self.digits = *puzzle.values();
        let _ended_early = self.explore(board, &mut meter, &mut found);
        smallest::outcome(puzzle, limits, meter, found, |puzzle, meter| self.any_solution(puzzle, meter))
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
        let _ended_early = self.explore(Board::of(puzzle)?, meter, &mut found);
        found.kept()
    }

    /// Solves `board` in every way. Breaks where the search is over.
    fn explore(&mut self, mut board: Board, meter: &mut Meter, found: &mut Found) -> ControlFlow<()> {
        match self.propagate(&mut board, meter) {
            Propagated::Settled if board.blanks == 0 => return found.record(&self.digits),
            Propagated::Settled => {}
            Propagated::Contradiction => return ControlFlow::Continue(()),
            Propagated::Stopped => return ControlFlow::Break(()),
        }
        meter.guess();
        let (cell, mut candidates) = board.tightest();
        while candidates != 0 {
            if !meter.place() {
                return ControlFlow::Break(());
            }
            let mut trial = board;
            self.fill(&mut trial, cell, candidates.trailing_zeros());
            candidates &= candidates - 1;
            self.explore(trial, meter, found)?;
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
        mut singles: u64,
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
            self.fill(board, Cell { stack, row, place: bit / 16 }, bit % 16);
            singles &= singles - 1;
        }
        Propagated::Settled
    }

    /// Puts the digit `value + 1` into a blank cell that has it as a candidate.
    fn fill(&mut self, board: &mut Board, cell: Cell, value: u32) {
        board.fill(cell, value);
        self.digits[cell.row * 9 + cell.stack * 3 + cell.place as usize] = value as u8 + 1;
    }
}

/// A cell by its minirow and its place there, 0 to 2.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cell {
    stack: usize,
    row: usize,
    place: u32,
}

/// What is left to fill.
#[derive(Clone, Copy, Debug)]
struct Board {
    minirows: Minirows,
    /// The digits that each row holds, bits 0 to 8.
    in_row: [u16; 9],
    /// The digits that each box holds, by stack and band.
    in_box: [[u16; 3]; 3],
    /// The digits that each column holds: a word for each stack, in the lanes of its columns.
    in_column: [u64; 3],
    blanks: u32,
}

impl Board {
    /// The board of a puzzle; `None` if its clues contradict each other.
    fn of(puzzle: &Puzzle) -> Option<Board> {
        let mut board = Board {
            minirows: [[OPEN; 9]; 3],
            in_row: [0; 9],
            in_box: [[0; 3]; 3],
            in_column: [0; 3],
            blanks: CELLS as u32,
        };
        for (cell, &clue) in puzzle.values().iter().enumerate().filter(|&(_, &clue)| clue != 0) {
            let (row, column) = (cell / 9, cell % 9);
            let cell = Cell { stack: column / 3, row, place: column as u32 % 3 };
            let value = u32::from(clue) - 1;
            if board.minirows[cell.stack][row] >> (16 * cell.place + value) & 1 == 0 {
                return None;
            }
            board.fill(cell, value);
        }
        Some(board)
    }

    /// Puts the digit `value + 1` into a blank cell and strikes it out in the cell's row, column and box.
    #[inline]
    fn fill(&mut self, cell: Cell, value: u32) {
        let Cell { stack, row, place } = cell;
        let everywhere = EACH_CELL << value;
        let in_lane = 1 << (16 * place + value);
        for words in &mut self.minirows {
            words[row] &= !everywhere;
        }
        for word in &mut self.minirows[stack] {
            *word &= !in_lane;
        }
        let band = row / 3;
        for word in &mut self.minirows[stack][band * 3..band * 3 + 3] {
            *word &= !everywhere;
        }
        let word = &mut self.minirows[stack][row];
        *word = *word & !(0xffff << (16 * place)) | 0x8000 << (16 * place);
        self.in_row[row] |= 1 << value;
        self.in_box[stack][band] |= 1 << value;
        self.in_column[stack] |= in_lane;
        self.blanks -= 1;
    }

    /// The candidates that must be filled in: alone in their cell, or alone of their digit in a row, column or
    /// box. `None`: some blank has no candidate, or some digit no place.
    fn singles(&self) -> Option<Minirows> {
        let mut singles = Minirows::default();
        let mut rows = [Tally::default(); 9];
        let mut empty = 0;
        for (stack, words) in self.minirows.iter().enumerate() {
            let mut columns = Tally::default();
            for band in 0..3 {
                let mut in_box = Tally::default();
                for row in band * 3..band * 3 + 3 {
                    in_box.add(words[row]);
                    rows[row].add(words[row]);
                    empty |= words[row].wrapping_sub(EACH_LANE) & !words[row] & FILLED;
                }
                columns.merge(in_box);
                let alone = in_box.folded().alone(self.in_box[stack][band].into(), ALL_DIGITS)? * EACH_CELL;
                for row in band * 3..band * 3 + 3 {
                    singles[stack][row] = words[row] & (alone | lanes_with_one(words[row]));
                }
            }
            let alone = columns.alone(self.in_column[stack], ALL_DIGITS * EACH_CELL)?;
            for (single, &word) in singles[stack].iter_mut().zip(words) {
                *single |= word & alone;
            }
        }
        for row in 0..9 {
            let alone = rows[row].folded().alone(self.in_row[row].into(), ALL_DIGITS)? * EACH_CELL;
            for (singles, minirows) in singles.iter_mut().zip(&self.minirows) {
                singles[row] |= minirows[row] & alone;
            }
        }
        (empty == 0).then_some(singles)
    }

    /// The first blank with the fewest candidates, and these. There is a blank, and each has two or more.
    fn tightest(&self) -> (Cell, u64) {
        let mut tightest = (Cell { stack: 0, row: 0, place: 0 }, u64::MAX);
        for stack in 0..3 {
            for row in 0..9 {
                for place in 0..3 {
                    let candidates = self.minirows[stack][row] >> (16 * place) & ALL_DIGITS;
                    if candidates != 0 && candidates.count_ones() < tightest.1.count_ones() {
                        tightest = (Cell { stack, row, place }, candidates);
                        if candidates.count_ones() == 2 {
                            return tightest;
                        }
                    }
                }
            }
        }
        tightest
    }
}

/// Counts the places of every digit at once, up to "two or more": bit by bit over words.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    once: u64,
    twice: u64,
}

impl Tally {
    fn add(&mut self, word: u64) {
        self.twice |= self.once & word;
        self.once |= word;
    }

    fn merge(&mut self, other: Tally) {
        self.twice |= other.twice | self.once & other.once;
        self.once |= other.once;
    }

    /// Adds the three cells' lanes together, into the lowest.
    fn folded(self) -> Tally {
        let mut folded = self;
        folded.merge(Tally { once: self.once >> 16, twice: self.twice >> 16 });
        folded.merge(Tally { once: self.once >> 32, twice: self.twice >> 32 });
        folded
    }

    /// The digits counted once, within `mask`; `None` if some digit has no place and is not in `held` either.
    fn alone(self, held: u64, mask: u64) -> Option<u64> {
        ((self.once | held) & mask == mask).then_some(self.once & !self.twice & mask)
    }
}

/// All low bits of the lanes that have one bit set; of a filled cell that is the flag, not a candidate.
fn lanes_with_one(word: u64) -> u64 {
    let without_lowest = word & word.wrapping_sub(EACH_LANE);
    let none_left = !(without_lowest + (FILLED - EACH_LANE)) & FILLED;
    none_left - (none_left >> 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_with_one_bit_is_found_beside_any_other() {
        for (first, second) in [(1, 3), (0x100, 0x1ff), (0x8000, 0x101)] {
            let word = 0x8000 << 48 | 0x20 << 32 | second << 16 | first;
            assert_eq!(lanes_with_one(word) & (EACH_CELL * ALL_DIGITS), 0x01ff_0000_01ff);
            assert_eq!(word & lanes_with_one(word), 0x20 << 32 | first & ALL_DIGITS);
        }
    }

    #[test]
    fn a_tally_tells_one_place_from_none_and_several() {
        let mut tally = Tally::default();
        tally.add(0b0011 << 32 | 0b0101 << 16);
        tally.add(0b1000 << 32);
        assert_eq!(tally.folded().alone(0, 0b1111), Some(0b1110));
        assert_eq!(tally.folded().alone(0, 0b1_1111), None);
        assert_eq!(tally.folded().alone(0b1_0000, 0b1_1111), Some(0b1110));
    }

    #[test]
    fn filling_a_cell_strikes_its_digit_out_in_twenty_peers() {
        let mut board = Board::of(&Puzzle::EMPTY).unwrap();
        board.fill(Cell { stack: 1, row: 4, place: 2 }, 6);
        for row in 0..9 {
            for column in 0..9 {
                let is_peer = row == 4 || column == 5 || row / 3 == 1 && column / 3 == 1;
                let lane = board.minirows[column / 3][row] >> (16 * (column % 3)) & 0xffff;
                let expected = match (row, column) {
                    (4, 5) => 0x8000,
                    _ if is_peer => ALL_DIGITS & !(1 << 6),
                    _ => ALL_DIGITS,
                };
                assert_eq!(lane, expected, "row {row}, column {column}");
            }
        }
        assert_eq!((board.blanks, board.in_row[4], board.in_box[1][1]), (80, 1 << 6, 1 << 6));
        assert_eq!(board.in_column, [0, 1 << (32 + 6), 0]);
    }

    #[test]
    fn the_tightest_cell_is_the_first_with_fewest_candidates() {
        let board = Board::of(&Puzzle::EMPTY).unwrap();
        assert_eq!(board.tightest(), (Cell { stack: 0, row: 0, place: 0 }, ALL_DIGITS));
        let clues = format!("{:.<27}{:.<54}", "........1........2........3", "");
        let tightest = Board::of(&clues.parse().unwrap()).unwrap().tightest();
        assert_eq!(tightest, (Cell { stack: 2, row: 0, place: 0 }, ALL_DIGITS & !0b111));
    }
}
