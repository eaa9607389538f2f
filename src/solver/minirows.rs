//! The candidates of a grid as words of three cells, in which plain integer operations find every single.
//!
//! A minirow (three cells where a box meets a row) stands in one `u64`, 16 bits a cell:
//!
//! ```text
//! bits     63..48     47..32       31..16       15..0
//!        (no cell)  third cell  second cell  first cell      of a minirow; in each lane:
//!
//! bit          15      14..9     8..0
//!            filled    unused    candidates 9..1
//! ```
//!
//! A filled cell has no candidates, only the flag `filled`. The lane without a cell is kept as if it were
//! filled. One pass over the 27 words then serves all cells, rows, columns and boxes at once.
#![forbid(unsafe_code)]

use crate::puzzle::{CELLS, Puzzle};

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
pub(super) type Minirows = [[u64; 9]; 3];

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
        Candidate { stack: column / 3, row, bit: 16 * (column as u32 % 3) + u32::from(digit) - 1 }
    }

    /// Its cell, 0 to 80.
    pub(super) fn cell(self) -> usize {
        self.row * 9 + self.stack * 3 + self.bit as usize / 16
    }

    /// Its digit, 1 to 9.
    pub(super) fn digit(self) -> u8 {
        (self.bit % 16) as u8 + 1
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
    in_row: [u16; 9],
    /// The digits that each box holds, by stack and band.
    in_box: [[u16; 3]; 3],
    /// The digits that each column holds: a word for each stack, in the lanes of its columns.
    in_column: [u64; 3],
    pub(super) blanks: u32,
}

impl Board {
    /// The board of a puzzle; `None` if its clues contradict each other.
    pub(super) fn of(puzzle: &Puzzle) -> Option<Board> {
        let mut board = Board {
            minirows: [[OPEN; 9]; 3],
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
        let (lane, value) = (bit & !15, bit & 15);
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
        *word = *word & !(0xffff << lane) | 0x8000 << lane;
        self.in_row[row] |= 1 << value;
        self.in_box[stack][band] |= 1 << value;
        self.in_column[stack] |= in_lane;
        self.blanks -= 1;
    }

    /// The candidates that must be filled in: alone in their cell, or alone of their digit in a row, column or
    /// box. `None`: some blank has no candidate, or some digit no place.
    pub(super) fn singles(&self) -> Option<Minirows> {
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
                    let column = stack * 3 + pairs.trailing_zeros() as usize / 16;
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
    fn lane(&self, cell: usize) -> u64 {
        self.minirows[cell % 9 / 3][cell / 9] >> (16 * (cell % 3)) & 0xffff
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
    let none_left = !has_low_bits(without_lowest) & FILLED;
    none_left - (none_left >> 15)
}

/// Some bit of each lane that has two bits set; a lane's flag `filled` is its only bit.
fn lanes_with_two(word: u64) -> u64 {
    let without_lowest = word & word.wrapping_sub(EACH_LANE);
    let without_two = without_lowest & ((without_lowest | FILLED) - EACH_LANE);
    has_low_bits(without_lowest) & !has_low_bits(without_two)
}

/// The flag bit of each lane that has one of its lower bits set; no lane has the flag itself.
fn has_low_bits(word: u64) -> u64 {
    (word + (FILLED - EACH_LANE)) & FILLED
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
        board.fill(Candidate::of(4 * 9 + 5, 7));
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

    #[test]
    fn lanes_with_two_bits_are_found_beside_any_other() {
        let two = |lanes: [u64; 3]| lanes_with_two(0x8000 << 48 | lanes[2] << 32 | lanes[1] << 16 | lanes[0]);
        assert_eq!(two([0x101, 0x8000, 0x8000]), 0x8000);
        assert_eq!(two([0x8000, 0x003, 0x007]), 0x8000 << 16);
        assert_eq!(two([0x1ff, 0x8000, 0x180]), 0x8000 << 32);
        assert_eq!(two([0x1ff, 0x8000, 0x00e]), 0);
    }
}
