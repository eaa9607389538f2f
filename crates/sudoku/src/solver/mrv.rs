//! `mrv`: fills naked and hidden singles until there are none, then guesses at a decision with few alternatives.
//!
//! ```text
//! explore(board):  repeat: find the singles; fill them     until there are none
//!                  if a blank has no candidate or a unit has no place for a digit: return
//!                  if no blank is left: a solution
//!                  for each alternative of the chosen decision: explore(copy of the board with this alternative)
//! ```
//!
//! A decision is the choice of a digit for a cell, or of a place for a digit in a unit.
//!
//! The candidates of a grid are stored in words of three cells, in which plain integer operations find all singles: see
//! [`minirows`](crate::puzzle::minirows). The highest bit of each cell is the flag `filled`.
//!
//! A filled cell has no candidates, only the flag `filled`. [`Board::singles`] finds the singles of all cells, rows, columns and boxes
//! together. Its loops have no branches, so that the compiler can process several words together.
//!
//! Tried and dropped: storing the words of the three bands of a stack side by side, with a fourth word as padding, so that the four words
//! form one vector. This version solved only 0.7 times as many puzzles per second.

use std::ops::ControlFlow;

use super::found_solutions::FoundSolutions;
use super::{Meter, Outcome, Question, Solver, smallest};
use crate::puzzle::minirows::{
    ABOVE as FILLED, ALL_CANDIDATES, ALL_DIGITS, CELL_BITS, Candidate, Count, EACH_CELL, Minirows,
    in_each_cell, place_of,
};
use crate::puzzle::{CELLS, Puzzle, UNITS};

/// The variant `mrv`.
#[derive(Debug)]
pub(crate) struct Mrv {
    /// The clues, and the digits that the search filled in. After backtracking, stale digits stay until they are
    /// overwritten; on a full board all are overwritten.
    digits: [u8; CELLS],
}

impl Solver for Mrv {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        smallest::outcome(puzzle, question, |puzzle, meter, found| self.search(puzzle, meter, found))
    }
}

/// Result of filling singles.
enum Propagated {
    /// All singles are filled, without a contradiction.
    Settled,
    /// The board has no solution.
    Contradiction,
    /// The meter stopped the search.
    Stopped,
}

impl Mrv {
    pub(crate) fn new() -> Mrv {
        Mrv { digits: [0; CELLS] }
    }

    /// Searches a puzzle until the search is complete, `found` has enough solutions or `meter` stops it.
    fn search(&mut self, puzzle: &Puzzle, meter: &mut Meter, found: &mut FoundSolutions) {
        let Some(mut board) = Board::new(puzzle) else { return };
        self.digits = *puzzle.values();
        let _ended_early = self.explore(&mut board, meter, found);
    }

    /// Records all solutions of `board`. Returns `Break` if the search must end early.
    fn explore(
        &mut self,
        board: &mut Board,
        meter: &mut Meter,
        found: &mut FoundSolutions,
    ) -> ControlFlow<()> {
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
            // If a single that was filled since `Board::singles` ran has removed one of these singles, the two singles contradict each
            // other: one cell must have two digits, or one digit of a unit must be in two cells.
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

    fn fill(&mut self, board: &mut Board, candidate: Candidate) {
        board.fill(candidate);
        self.digits[candidate.cell()] = candidate.digit();
    }
}

/// The alternatives of a decision. Exactly one is right in each solution.
#[derive(Clone, Copy, Debug, Default)]
struct Alternatives {
    candidates: [Candidate; 9],
    count: usize,
}

impl Alternatives {
    fn push(&mut self, candidate: Candidate) {
        self.candidates[self.count] = candidate;
        self.count += 1;
    }

    fn as_slice(&self) -> &[Candidate] {
        &self.candidates[..self.count]
    }
}

/// The candidates of the blank cells, and the digits that each row, column and box already has.
#[derive(Clone, Copy, Debug)]
struct Board {
    minirows: Minirows,
    /// The digits in each row, bits 0 to 8.
    in_row: [u32; 9],
    /// The digits in each box, indexed by stack and then by band.
    in_box: [[u32; 3]; 3],
    /// The digits in each column: a word for each stack. The word is laid out like a minirow, but the bits of each cell are the digits of
    /// the cell's column.
    in_column: [u32; 3],
    blanks: u32,
}

impl Board {
    /// Makes the board of a puzzle; `None` if its clues contradict each other.
    fn new(puzzle: &Puzzle) -> Option<Board> {
        let mut board = Board {
            minirows: [[ALL_CANDIDATES; 9]; 3],
            in_row: [0; 9],
            in_box: [[0; 3]; 3],
            in_column: [0; 3],
            blanks: CELLS as u32,
        };
        for (cell, &clue) in puzzle.values().iter().enumerate().filter(|&(_, &clue)| clue != 0) {
            let candidate = Candidate::new(cell, clue);
            if !board.has(candidate) {
                return None;
            }
            board.fill(candidate);
        }
        Some(board)
    }

    /// Returns whether the candidate's cell is blank and may still hold its digit.
    fn has(&self, Candidate { stack, row, bit }: Candidate) -> bool {
        self.minirows[stack][row] >> bit & 1 != 0
    }

    /// Fills a candidate into its blank cell and removes the digit from the candidates of the cell's row, column and
    /// box.
    #[inline]
    fn fill(&mut self, Candidate { stack, row, bit }: Candidate) {
        let value = bit % CELL_BITS;
        let first_bit = bit - value;
        let everywhere = EACH_CELL << value;
        let in_column = 1 << bit;
        for words in &mut self.minirows {
            words[row] &= !everywhere;
        }
        for word in &mut self.minirows[stack] {
            *word &= !in_column;
        }
        let band = row / 3;
        for word in &mut self.minirows[stack][band * 3..band * 3 + 3] {
            *word &= !everywhere;
        }
        let word = &mut self.minirows[stack][row];
        *word = *word & !(ALL_DIGITS << first_bit) | 1 << (first_bit + 9);
        self.in_row[row] |= 1 << value;
        self.in_box[stack][band] |= 1 << value;
        self.in_column[stack] |= in_column;
        self.blanks -= 1;
    }

    /// Returns the candidates that must be filled: each is the only candidate of its cell, or the only place of its digit in a row, column
    /// or box. Returns `None` if some blank has no candidate or some digit has no place.
    fn singles(&self) -> Option<Minirows> {
        let mut singles = Minirows::default();
        let [left, middle, right] = &self.minirows;
        let (mut missing, mut empty) = (0, 0);
        let mut alone_in_row = [0; 9];
        for row in 0..9 {
            let places = Count::new([left[row], middle[row], right[row]]).folded();
            missing |= ALL_DIGITS & !(places.once | self.in_row[row]);
            alone_in_row[row] = in_each_cell(places.alone() & ALL_DIGITS);
        }
        for (stack, words) in self.minirows.iter().enumerate() {
            let in_band = [0, 3, 6].map(|row| Count::new([words[row], words[row + 1], words[row + 2]]));
            let columns = Count::merge(in_band);
            missing |= ALL_CANDIDATES & !(columns.once | self.in_column[stack]);
            let alone_in_column = columns.alone() & ALL_CANDIDATES;
            for (band, places) in in_band.into_iter().enumerate() {
                let places = places.folded();
                missing |= ALL_DIGITS & !(places.once | self.in_box[stack][band]);
                let alone = in_each_cell(places.alone() & ALL_DIGITS) | alone_in_column;
                for row in band * 3..band * 3 + 3 {
                    let word = words[row];
                    empty |= FILLED & !(word | with_candidates(word));
                    singles[stack][row] = word & (alone | alone_in_row[row] | cells_with_one(word));
                }
            }
        }
        (missing | empty == 0).then_some(singles)
    }

    /// Chooses where to guess on a board without singles: in a cell with two candidates if there is one, otherwise between the two places
    /// of a digit in some unit, otherwise in a cell with the fewest candidates.
    ///
    /// Digits with two places are rarely needed, but then save much work: in a puzzle without a solution, the search may run for a long
    /// time before any cell has exactly two candidates.
    fn decision(&self) -> Alternatives {
        let pair = self.cell_with_two().or_else(|| self.digit_with_two_places());
        pair.unwrap_or_else(|| self.tightest_cell())
    }

    /// Returns the candidates of the first cell with exactly two candidates.
    fn cell_with_two(&self) -> Option<Alternatives> {
        for (stack, words) in self.minirows.iter().enumerate() {
            for (row, &word) in words.iter().enumerate() {
                let pairs = cells_with_two(word);
                if pairs != 0 {
                    let column = stack * 3 + (pairs.trailing_zeros() / CELL_BITS) as usize;
                    return Some(self.candidates_of(row * 9 + column));
                }
            }
        }
        None
    }

    /// Returns the places of the first digit that has exactly two places in a row, column or box.
    fn digit_with_two_places(&self) -> Option<Alternatives> {
        // Rows, then columns, then boxes.
        UNITS[9..].iter().chain(&UNITS[..9]).find_map(|unit| {
            let cells = unit.map(usize::from);
            let (mut once, mut twice, mut thrice) = (0, 0, 0);
            for cell in cells {
                let candidates = self.bits_of(cell);
                thrice |= twice & candidates;
                twice |= once & candidates;
                once |= candidates;
            }
            let digits = twice & !thrice & ALL_DIGITS;
            (digits != 0).then(|| {
                let mut places = Alternatives::default();
                let digit = digits.trailing_zeros() as u8 + 1;
                let candidates = cells.map(|cell| Candidate::new(cell, digit));
                candidates.into_iter().filter(|&place| self.has(place)).for_each(|place| places.push(place));
                places
            })
        })
    }

    /// Returns the candidates of the blank with the fewest candidates. If there are several such blanks, chooses the first.
    fn tightest_cell(&self) -> Alternatives {
        let blanks = (0..CELLS).filter(|&cell| self.bits_of(cell) & ALL_DIGITS != 0);
        blanks
            .min_by_key(|&cell| self.bits_of(cell).count_ones())
            .map_or_else(Alternatives::default, |cell| self.candidates_of(cell))
    }

    /// Returns the ten bits of a cell: the candidates are bits 0 to 8, and the flag `filled` is bit 9.
    fn bits_of(&self, cell: usize) -> u32 {
        let (stack, row, shift) = place_of(cell);
        (self.minirows[stack][row] >> shift) & ((1 << CELL_BITS) - 1)
    }

    fn candidates_of(&self, cell: usize) -> Alternatives {
        let mut alternatives = Alternatives::default();
        let candidates = (1..=9).map(|digit| Candidate::new(cell, digit));
        candidates
            .filter(|&candidate| self.has(candidate))
            .for_each(|candidate| alternatives.push(candidate));
        alternatives
    }
}

/// Finds the cells of `word` with exactly one bit, either a candidate or the flag `filled`. For each such cell, the result has all nine
/// candidate bits.
fn cells_with_one(word: u32) -> u32 {
    let without_lowest = word & word.wrapping_sub(EACH_CELL);
    let none_left = FILLED & !with_candidates(without_lowest);
    none_left - (none_left >> 9)
}

/// Finds the cells of `word` with exactly two candidates. For each such cell, the result has one bit, in the place of the flag `filled`.
/// Filled cells are never found, because the flag `filled` is their only bit.
fn cells_with_two(word: u32) -> u32 {
    let without_lowest = word & word.wrapping_sub(EACH_CELL);
    let without_two = without_lowest & ((without_lowest | FILLED) - EACH_CELL);
    with_candidates(without_lowest) & !with_candidates(without_two)
}

/// Finds the cells of `word` with at least one candidate. For each such cell, the result has one bit, in the place of the flag `filled`.
fn with_candidates(word: u32) -> u32 {
    ((word & ALL_CANDIDATES) + ALL_CANDIDATES) & FILLED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_without_a_candidate_and_a_digit_without_a_place_are_contradictions() {
        let singles = |clues: &str| Board::new(&format!("{clues:.<81}").parse().unwrap()).unwrap().singles();
        assert_eq!(singles(""), Some(Minirows::default()));
        assert_eq!(singles("12345678.........9"), None);
        // The 1 of row 3 must be in box 3, where the 2, the 3 and the 1 in column 7 leave no place.
        let no_place_in_box = "1...........1............23........................1";
        assert_eq!(singles(no_place_in_box), None);
        // With the 8 clues of row 1, the 9 is the only candidate of the last cell, and this cell is the only place for the 9 in the row.
        assert_eq!(
            singles("12345678"),
            Some([[0; 9], [0; 9], [0x100 << (2 * CELL_BITS), 0, 0, 0, 0, 0, 0, 0, 0]])
        );
    }

    #[test]
    fn filling_a_cell_removes_its_digit_from_twenty_peers() {
        let mut board = Board::new(&Puzzle::EMPTY).unwrap();
        board.fill(Candidate::new(4 * 9 + 5, 7));
        for row in 0..9 {
            for column in 0..9 {
                let is_peer = row == 4 || column == 5 || row / 3 == 1 && column / 3 == 1;
                let expected = match (row, column) {
                    (4, 5) => 0x200,
                    _ if is_peer => ALL_DIGITS & !(1 << 6),
                    _ => ALL_DIGITS,
                };
                assert_eq!(board.bits_of(row * 9 + column), expected, "row {row}, column {column}");
            }
        }
        assert_eq!((board.blanks, board.in_row[4], board.in_box[1][1]), (80, 1 << 6, 1 << 6));
        assert_eq!(board.in_column, [0, 1 << 26, 0]);
    }

    /// Returns the cells and digits of the alternatives.
    fn alternatives(clues: &str) -> Vec<(usize, u8)> {
        let board = Board::new(&format!("{clues:.<81}").parse().unwrap()).unwrap();
        board.decision().as_slice().iter().map(|candidate| (candidate.cell(), candidate.digit())).collect()
    }

    #[test]
    fn a_decision_is_a_cell_with_two_else_a_digit_with_two_places_else_the_tightest_cell() {
        // The last two cells of row 1 can only hold 8 and 9.
        assert_eq!(alternatives("1234567"), [(7, 8), (7, 9)]);
        // Row 3 has no 1 yet. The 1s in boxes 1 and 2 and in column 7 leave two places for it.
        let ones = format!("{:.<12}{:.<21}{}", "1", "1", "1");
        assert_eq!(alternatives(&ones), [(25, 1), (26, 1)]);
        // The other cells of row 1 and of box 1 have six candidates, which are the fewest. The first of them is chosen.
        assert_eq!(alternatives("123"), [4, 5, 6, 7, 8, 9].map(|digit| (3, digit)));
    }

    /// Makes a word from its three cells, in order.
    fn word(cells: [u32; 3]) -> u32 {
        cells[2] << 20 | cells[1] << 10 | cells[0]
    }

    #[test]
    fn a_cell_with_one_bit_is_found_beside_any_other() {
        assert_eq!(cells_with_one(word([0x001, 0x003, 0x100])), word([0x1ff, 0, 0x1ff]));
        assert_eq!(cells_with_one(word([0x1ff, 0x010, 0x180])), word([0, 0x1ff, 0]));
        assert_eq!(
            word([0x200, 0x200, 0x020]) & cells_with_one(word([0x200, 0x200, 0x020])),
            word([0, 0, 0x020])
        );
    }

    #[test]
    fn cells_with_two_bits_are_found_beside_any_other() {
        assert_eq!(cells_with_two(word([0x101, 0x200, 0x200])), word([0x200, 0, 0]));
        assert_eq!(cells_with_two(word([0x200, 0x003, 0x007])), word([0, 0x200, 0]));
        assert_eq!(cells_with_two(word([0x1ff, 0x200, 0x180])), word([0, 0, 0x200]));
        assert_eq!(cells_with_two(word([0x1ff, 0x200, 0x00e])), 0);
    }

    #[test]
    fn a_count_distinguishes_one_place_from_none_and_several() {
        let count =
            Count::new([word([0, 0b0101, 0b0010]), word([0, 0, 0b1001]), word([0, 0, 0b0010])]).folded();
        assert_eq!(count.alone() & ALL_DIGITS, 0b1100);
        assert_eq!(count.once & ALL_DIGITS, 0b1111);
    }
}
