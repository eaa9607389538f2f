//! The candidates of a grid as words of three cells, in which plain integer operations find every single.
//!
//! One pass over 27 words serves all cells, rows, columns and boxes at once. It has no branches, so that the
//! compiler does several words together.
//!
//! Tried and lost: four words side by side for the three bands of a stack, so that each would be one vector,
//! made 0.7 times the puzzles a second.

use super::lanes::{
    ALL_CANDIDATES, ALL_DIGITS, EACH_CELL, FILLED, LANE, Tally, has_low_bits, in_each_cell, lanes_with_one,
    lanes_with_two,
};
use crate::puzzle::{CELLS, Puzzle};

/// One word for each minirow, by stack and row.
pub(super) type Minirows = [[u32; 9]; 3];

/// A digit in a blank cell: a bit of a minirow's word.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Candidate {
    pub(super) stack: usize,
    pub(super) row: usize,
    pub(super) bit: u32,
}

impl Candidate {
    /// The candidate `digit`, 1 to 9, of a cell.
    fn of(cell: usize, digit: u8) -> Candidate {
        let (row, column) = (cell / 9, cell % 9);
        Candidate { stack: column / 3, row, bit: LANE * (column as u32 % 3) + u32::from(digit) - 1 }
    }

    /// Its cell, 0 to 80.
    pub(super) fn cell(self) -> usize {
        self.row * 9 + self.stack * 3 + (self.bit / LANE) as usize
    }

    /// Its digit, 1 to 9.
    pub(super) fn digit(self) -> u8 {
        (self.bit % LANE) as u8 + 1
    }
}

/// The alternatives of a decision, of which exactly one is right in each solution.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Alternatives {
    candidates: [Candidate; 9],
    count: usize,
}

impl Alternatives {
    fn push(&mut self, candidate: Candidate) {
        self.candidates[self.count] = candidate;
        self.count += 1;
    }

    pub(super) fn as_slice(&self) -> &[Candidate] {
        &self.candidates[..self.count]
    }
}

/// What is left to fill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) minirows: Minirows,
    /// The digits that each row holds, bits 0 to 8.
    in_row: [u32; 9],
    /// The digits that each box holds, by stack and band.
    in_box: [[u32; 3]; 3],
    /// The digits that each column holds: a word for each stack, in the lanes of its columns.
    in_column: [u32; 3],
    pub(super) blanks: u32,
}

impl Board {
    /// The board of a puzzle; `None` if its clues contradict each other.
    pub(super) fn of(puzzle: &Puzzle) -> Option<Board> {
        let mut board = Board {
            minirows: [[ALL_CANDIDATES; 9]; 3],
            in_row: [0; 9],
            in_box: [[0; 3]; 3],
            in_column: [0; 3],
            blanks: CELLS as u32,
        };
        for (cell, &clue) in puzzle.values().iter().enumerate().filter(|&(_, &clue)| clue != 0) {
            let candidate = Candidate::of(cell, clue);
            if !board.has(candidate) {
                return None;
            }
            board.fill(candidate);
        }
        Some(board)
    }

    /// Whether the candidate's cell is blank and may still hold its digit.
    fn has(&self, Candidate { stack, row, bit }: Candidate) -> bool {
        self.minirows[stack][row] >> bit & 1 != 0
    }

    /// Puts a candidate into its blank cell and strikes the digit out in the cell's row, column and box.
    #[inline]
    pub(super) fn fill(&mut self, Candidate { stack, row, bit }: Candidate) {
        let value = bit % LANE;
        let lane = bit - value;
        let everywhere = EACH_CELL << value;
        let in_lane = 1 << bit;
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
        *word = *word & !(ALL_DIGITS << lane) | 1 << (lane + 9);
        self.in_row[row] |= 1 << value;
        self.in_box[stack][band] |= 1 << value;
        self.in_column[stack] |= in_lane;
        self.blanks -= 1;
    }

    /// The candidates that must be filled in: alone in their cell, or alone of their digit in a row, column or
    /// box. `None`: some blank has no candidate, or some digit no place.
    pub(super) fn singles(&self) -> Option<Minirows> {
        let mut singles = Minirows::default();
        let [left, middle, right] = &self.minirows;
        let (mut missing, mut empty) = (0, 0);
        let mut alone_in_row = [0; 9];
        for row in 0..9 {
            let places = Tally::of([left[row], middle[row], right[row]]).folded();
            missing |= ALL_DIGITS & !(places.once | self.in_row[row]);
            alone_in_row[row] = in_each_cell(places.alone() & ALL_DIGITS);
        }
        for (stack, words) in self.minirows.iter().enumerate() {
            let in_band = [0, 3, 6].map(|row| Tally::of([words[row], words[row + 1], words[row + 2]]));
            let columns = Tally::merge(in_band);
            missing |= ALL_CANDIDATES & !(columns.once | self.in_column[stack]);
            let alone_in_column = columns.alone() & ALL_CANDIDATES;
            for (band, places) in in_band.into_iter().enumerate() {
                let places = places.folded();
                missing |= ALL_DIGITS & !(places.once | self.in_box[stack][band]);
                let alone = in_each_cell(places.alone() & ALL_DIGITS) | alone_in_column;
                for row in band * 3..band * 3 + 3 {
                    let word = words[row];
                    empty |= FILLED & !(word | has_low_bits(word));
                    singles[stack][row] = word & (alone | alone_in_row[row] | lanes_with_one(word));
                }
            }
        }
        (missing | empty == 0).then_some(singles)
    }

    /// The decision with the fewest alternatives on a board without singles: a cell with two candidates if
    /// there is one, else a digit with two places in some unit, else a cell with the fewest candidates.
    ///
    /// The second kind is rarely needed, and then saves a lot: a puzzle without a solution may have no cell
    /// with two candidates for a long time.
    pub(super) fn decision(&self) -> Alternatives {
        let pair = self.cell_with_two().or_else(|| self.digit_with_two_places());
        pair.unwrap_or_else(|| self.tightest_cell())
    }

    /// The candidates of the first cell that has two.
    fn cell_with_two(&self) -> Option<Alternatives> {
        for (stack, words) in self.minirows.iter().enumerate() {
            for (row, &word) in words.iter().enumerate() {
                let pairs = lanes_with_two(word);
                if pairs != 0 {
                    let column = stack * 3 + (pairs.trailing_zeros() / LANE) as usize;
                    return Some(self.candidates_of(row * 9 + column));
                }
            }
        }
        None
    }

    /// The places of the first digit that has two in a row, column or box.
    fn digit_with_two_places(&self) -> Option<Alternatives> {
        (0..27).find_map(|unit| {
            let cells: [usize; 9] = std::array::from_fn(|place| cell_of_unit(unit, place));
            let (mut once, mut twice, mut thrice) = (0, 0, 0);
            for cell in cells {
                let candidates = self.lane(cell);
                thrice |= twice & candidates;
                twice |= once & candidates;
                once |= candidates;
            }
            let digits = twice & !thrice & ALL_DIGITS;
            (digits != 0).then(|| {
                let mut places = Alternatives::default();
                let digit = digits.trailing_zeros() as u8 + 1;
                let candidates = cells.map(|cell| Candidate::of(cell, digit));
                candidates.into_iter().filter(|&place| self.has(place)).for_each(|place| places.push(place));
                places
            })
        })
    }

    /// The candidates of the first blank that has the fewest.
    fn tightest_cell(&self) -> Alternatives {
        let blanks = (0..CELLS).filter(|&cell| self.lane(cell) & ALL_DIGITS != 0);
        blanks
            .min_by_key(|&cell| self.lane(cell).count_ones())
            .map_or_else(Alternatives::default, |cell| self.candidates_of(cell))
    }

    /// The candidates of a cell, bits 0 to 8, and above them the flag `filled`.
    fn lane(&self, cell: usize) -> u32 {
        let word = self.minirows[cell % 9 / 3][cell / 9];
        (word >> (LANE * (cell as u32 % 3))) & ((1 << LANE) - 1)
    }

    fn candidates_of(&self, cell: usize) -> Alternatives {
        let mut alternatives = Alternatives::default();
        let candidates = (1..=9).map(|digit| Candidate::of(cell, digit));
        candidates
            .filter(|&candidate| self.has(candidate))
            .for_each(|candidate| alternatives.push(candidate));
        alternatives
    }
}

/// The cell at a place, 0 to 8, of a unit: 0 to 8 are rows, 9 to 17 columns, 18 to 26 boxes.
fn cell_of_unit(unit: usize, place: usize) -> usize {
    let number = unit % 9;
    match unit / 9 {
        0 => number * 9 + place,
        1 => place * 9 + number,
        _ => (number / 3 * 3 + place / 3) * 9 + number % 3 * 3 + place % 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_without_a_candidate_and_a_digit_without_a_place_are_contradictions() {
        let singles = |clues: &str| Board::of(&format!("{clues:.<81}").parse().unwrap()).unwrap().singles();
        assert_eq!(singles(""), Some(Minirows::default()));
        assert_eq!(singles("12345678.........9"), None);
        // The 1 of row 3 must stand in box 3, where the 2, the 3 and column 7 leave no place.
        let no_place_in_box = "1...........1............23........................1";
        assert_eq!(singles(no_place_in_box), None);
        // The 8 clues of row 1 leave 9 alone, by the cell and by the row.
        assert_eq!(
            singles("12345678"),
            Some([[0; 9], [0; 9], [0x100 << (2 * LANE), 0, 0, 0, 0, 0, 0, 0, 0]])
        );
    }

    #[test]
    fn filling_a_cell_strikes_its_digit_out_in_twenty_peers() {
        let mut board = Board::of(&Puzzle::EMPTY).unwrap();
        board.fill(Candidate::of(4 * 9 + 5, 7));
        for row in 0..9 {
            for column in 0..9 {
                let is_peer = row == 4 || column == 5 || row / 3 == 1 && column / 3 == 1;
                let expected = match (row, column) {
                    (4, 5) => 0x200,
                    _ if is_peer => ALL_DIGITS & !(1 << 6),
                    _ => ALL_DIGITS,
                };
                assert_eq!(board.lane(row * 9 + column), expected, "row {row}, column {column}");
            }
        }
        assert_eq!((board.blanks, board.in_row[4], board.in_box[1][1]), (80, 1 << 6, 1 << 6));
        assert_eq!(board.in_column, [0, 1 << 26, 0]);
    }

    /// The cells and digits of the alternatives.
    fn alternatives(clues: &str) -> Vec<(usize, u8)> {
        let board = Board::of(&format!("{clues:.<81}").parse().unwrap()).unwrap();
        board.decision().as_slice().iter().map(|candidate| (candidate.cell(), candidate.digit())).collect()
    }

    #[test]
    fn a_decision_is_a_cell_with_two_else_a_digit_with_two_places_else_the_tightest_cell() {
        // The last two cells of row 1 lack 8 and 9.
        assert_eq!(alternatives("1234567"), [(7, 8), (7, 9)]);
        // Row 3 has no 1 yet; boxes 1 and 2 and column 7 leave two places.
        let ones = format!("{:.<12}{:.<21}{}", "1", "1", "1");
        assert_eq!(alternatives(&ones), [(25, 1), (26, 1)]);
        // The rest of row 1 lacks six digits, every other unit more.
        assert_eq!(alternatives("123"), [4, 5, 6, 7, 8, 9].map(|digit| (3, digit)));
    }
}
