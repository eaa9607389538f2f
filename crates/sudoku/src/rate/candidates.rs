//! The candidates of a grid, and how naked and hidden singles reduce them.
//!
//! A minirow (three cells where a box meets a row) is one word, ten bits for each cell:
//!
//! ```text
//! bit     29   28..20      19   18..10       9    8..0
//!         -    9 .. 1      -    9 .. 1       -    9 .. 1
//!         - third cell -   - second cell -   - first cell -
//! ```
//!
//! A filled cell has a single candidate. So one step finds all singles of the grid and all filled cells, and removes their digits from all
//! their peers at once, without a branch. The loop ends when nothing changes.

use std::ops::{BitAnd, BitOr, Not};

use crate::puzzle::{CELLS, Cells, Puzzle, Solution};

/// One word for each minirow, by stack and row.
pub(super) type Minirows = [[u32; 9]; 3];

/// Number of bits of a cell.
pub(super) const CELL_BITS: u32 = 10;
/// The lowest bit of each cell of a minirow.
const EACH_CELL: u32 = 1 | 1 << CELL_BITS | 1 << (2 * CELL_BITS);
/// The bit above the candidates of each cell of a minirow.
const ABOVE: u32 = EACH_CELL << 9;
/// The nine digits of one cell.
pub(super) const ALL_DIGITS: u32 = 0x1ff;
/// The nine digits of each cell of a minirow.
pub(super) const ALL_CANDIDATES: u32 = EACH_CELL * ALL_DIGITS;

/// The candidates of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidates(pub(super) Minirows);

/// A cell has no candidate left, or a digit has no place in a row, column or box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contradiction;

impl Candidates {
    /// Makes the candidates of a puzzle: one for each clue, all for each blank.
    pub(crate) fn new(puzzle: &Puzzle) -> Candidates {
        let mut candidates = Candidates([[0; 9]; 3]);
        for (cell, &value) in puzzle.values().iter().enumerate() {
            let digits = if value == 0 { ALL_DIGITS } else { 1 << (value - 1) };
            let (stack, row, shift) = place_of(cell);
            candidates.0[stack][row] |= digits << shift;
        }
        candidates
    }

    /// Makes the candidates of a filled grid.
    pub(super) fn from_solution(solution: &Solution) -> Candidates {
        Candidates::new(&Puzzle::from(*solution))
    }

    /// Returns the candidates of a cell, bits 0 to 8.
    pub(crate) fn digits_of(&self, cell: usize) -> u32 {
        let (stack, row, shift) = place_of(cell);
        self.0[stack][row] >> shift & ALL_DIGITS
    }

    /// Removes all candidates of a cell except `digit`, which is given as a bit.
    pub(super) fn fill(&mut self, cell: usize, digit: u32) {
        self.strike(cell, ALL_DIGITS & !digit);
    }

    /// Removes candidates of a cell. Returns whether any of them was present.
    pub(crate) fn strike(&mut self, cell: usize, digits: u32) -> bool {
        let (stack, row, shift) = place_of(cell);
        let word = &mut self.0[stack][row];
        let before = *word;
        *word &= !(digits << shift);
        *word != before
    }

    /// Returns `others` with the digits of the filled cells added. Every cell must have a candidate.
    pub(super) fn with_filled(&self, mut others: Minirows) -> Minirows {
        let words = self.0.as_flattened().iter().zip(others.as_flattened_mut());
        words.for_each(|(word, others)| *others |= word & RULES.cells_with_one(*word));
        others
    }

    /// Returns the filled cells. Every cell must have a candidate.
    pub(super) fn filled_cells(&self) -> Cells {
        (0..CELLS).filter(|&cell| self.digits_of(cell).is_power_of_two()).collect()
    }

    /// Returns whether each candidate of this grid is also a candidate of the other grid.
    pub(super) fn is_within(&self, other: &Candidates) -> bool {
        let words = self.0.as_flattened().iter().zip(other.0.as_flattened());
        words.fold(0, |missing, (word, other)| missing | word & !other) == 0
    }

    /// Returns whether every cell is filled. A full grid without a contradiction is a solution.
    pub(super) fn is_full(&self) -> bool {
        self.0.as_flattened().iter().all(|word| word & word.wrapping_sub(EACH_CELL) & ALL_CANDIDATES == 0)
    }

    /// Fills naked and hidden singles until there are none.
    pub(crate) fn follow_singles(&mut self) -> Result<(), Contradiction> {
        loop {
            let (singles, bad) = RULES.singles(&self.0);
            if bad != 0 {
                return Err(Contradiction);
            }
            let (removed, bad) = RULES.fill(&mut self.0, &singles);
            if bad != 0 {
                return Err(Contradiction);
            }
            if removed == 0 {
                return Ok(());
            }
        }
    }
}

/// A minirow, or the minirows of several grids in one vector.
pub(super) trait Row:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Shifts to the left. The caller must make sure that no bit leaves its minirow.
    fn left<const BY: i32>(self) -> Self;

    /// Shifts to the right. Bits of a neighbouring minirow may enter at the top.
    fn right<const BY: i32>(self) -> Self;

    /// Adds. The caller must make sure that no carry leaves its minirow.
    fn plus(self, other: Self) -> Self;

    /// Subtracts. The caller must make sure that no borrow leaves its minirow.
    fn minus(self, other: Self) -> Self;
}

impl Row for u32 {
    #[inline(always)]
    fn left<const BY: i32>(self) -> u32 {
        self << BY
    }

    #[inline(always)]
    fn right<const BY: i32>(self) -> u32 {
        self >> BY
    }

    #[inline(always)]
    fn plus(self, other: u32) -> u32 {
        self + other
    }

    #[inline(always)]
    fn minus(self, other: u32) -> u32 {
        self - other
    }
}

/// The rules that find and fill singles by bitwise operations on minirows. The fields are the constants that the rules need.
#[derive(Clone, Copy)]
pub(super) struct Rules<T> {
    each_cell: T,
    above: T,
    digits: T,
    candidates: T,
}

impl<T: Row> Rules<T> {
    /// Makes the rules. `copy` copies a word to all grids of a vector.
    #[inline(always)]
    pub(super) fn new(copy: impl Fn(u32) -> T) -> Rules<T> {
        Rules {
            each_cell: copy(EACH_CELL),
            above: copy(ABOVE),
            digits: copy(ALL_DIGITS),
            candidates: copy(ALL_CANDIDATES),
        }
    }

    /// Returns the singles of a grid, and a word that is not 0 if a cell has no candidate or a digit has no place. In this case, the
    /// singles are meaningless.
    #[inline(always)]
    pub(super) fn singles(self, words: &[[T; 9]; 3]) -> ([[T; 9]; 3], T) {
        let Rules { above, digits, candidates, .. } = self;
        let mut bad = digits & !digits;
        let mut singles = *words;
        let mut in_row = words[0];
        for row in 0..9 {
            let count = self.folded(Count::new([words[0][row], words[1][row], words[2][row]]));
            bad = bad | digits & !count.once;
            in_row[row] = in_each_cell(count.once & !count.twice & digits);
        }
        for stack in 0..3 {
            let in_band = in_each_band(&words[stack]);
            let columns = Count::merge(in_band);
            bad = bad | candidates & !columns.once;
            for band in 0..3 {
                let count = self.folded(in_band[band]);
                bad = bad | digits & !count.once;
                let alone = in_each_cell(count.once & !count.twice & digits) | columns.once & !columns.twice;
                for row in band * 3..band * 3 + 3 {
                    let word = words[stack][row];
                    bad = bad | above & !(word & candidates).plus(candidates);
                    singles[stack][row] = word & (alone | in_row[row] | self.cells_with_one(word));
                }
            }
        }
        (singles, bad)
    }

    /// Fills singles and removes their digits from the peers of their cells. Returns the union of the removed candidates of all minirows,
    /// and a word that is not 0 if two singles contradict each other.
    #[inline(always)]
    pub(super) fn fill(self, words: &mut [[T; 9]; 3], singles: &[[T; 9]; 3]) -> (T, T) {
        let Rules { each_cell, above, digits, .. } = self;
        let mut bad = digits & !digits;
        let mut removed = bad;
        let mut taken_in_row = words[0];
        for row in 0..9 {
            let count = self.folded(Count::new([singles[0][row], singles[1][row], singles[2][row]]));
            bad = bad | digits & count.twice;
            taken_in_row[row] = in_each_cell(count.once & digits);
        }
        for stack in 0..3 {
            let in_band = in_each_band(&singles[stack]);
            let columns = Count::merge(in_band);
            bad = bad | columns.twice;
            for band in 0..3 {
                let count = self.folded(in_band[band]);
                bad = bad | digits & count.twice;
                let taken = in_each_cell(count.once & digits) | columns.once;
                for row in band * 3..band * 3 + 3 {
                    let single = singles[stack][row];
                    bad = bad | single & (single | above).minus(each_cell); // two digits for one cell
                    let taken = taken | taken_in_row[row] | self.in_cells_of(single);
                    let word = words[stack][row];
                    words[stack][row] = word & !taken | single;
                    removed = removed | word & taken & !single;
                }
            }
        }
        (removed, bad)
    }

    /// Adds the counts of the three cells into the bits of the first cell.
    #[inline(always)]
    fn folded(self, Count { once, twice }: Count<T>) -> Count<T> {
        let digits = self.digits;
        Count::merge([
            Count { once: once & digits, twice: twice & digits },
            Count { once: once.right::<10>() & digits, twice: twice.right::<10>() & digits },
            Count { once: once.right::<20>() & digits, twice: twice.right::<20>() & digits },
        ])
    }

    /// Returns a word in which all nine bits of a cell are set if the cell has at least one candidate in `word`.
    #[inline(always)]
    fn in_cells_of(self, word: T) -> T {
        let flags = word.plus(self.candidates) & self.above;
        flags.minus(flags.right::<9>() & self.each_cell)
    }

    /// Returns the candidates of `word` without the lowest candidate of each cell.
    #[inline(always)]
    fn without_lowest(self, word: T) -> T {
        word & (word | self.above).minus(self.each_cell)
    }

    /// Returns a word in which all nine bits of a cell are set if the cell has exactly one candidate in `word`. Each cell must have at
    /// least one candidate.
    #[inline(always)]
    fn cells_with_one(self, word: T) -> T {
        self.candidates & !self.in_cells_of(self.without_lowest(word))
    }

    /// Returns a word in which all nine bits of a cell are set if the cell has exactly two candidates in `word`.
    #[inline(always)]
    pub(super) fn cells_with_two(self, word: T) -> T {
        let others = self.without_lowest(word);
        self.in_cells_of(others) & !self.in_cells_of(self.without_lowest(others))
    }
}

/// The rules for one grid.
pub(super) const RULES: Rules<u32> =
    Rules { each_cell: EACH_CELL, above: ABOVE, digits: ALL_DIGITS, candidates: ALL_CANDIDATES };

/// For each band of a stack, counts the places of each digit in each column.
#[inline(always)]
fn in_each_band<T: Row>(words: &[T; 9]) -> [Count<T>; 3] {
    [
        Count::new([words[0], words[1], words[2]]),
        Count::new([words[3], words[4], words[5]]),
        Count::new([words[6], words[7], words[8]]),
    ]
}

/// Returns the stack, the row and the first bit of a cell.
pub(super) fn place_of(cell: usize) -> (usize, usize, u32) {
    let (row, column) = (cell / 9, cell % 9);
    (column / 3, row, CELL_BITS * (column % 3) as u32)
}

/// Number of places of each digit, up to "two or more". Bitwise operations count the places of all digits at once. `once` means one place
/// or more, `twice` two or more.
#[derive(Clone, Copy, Debug)]
struct Count<T> {
    once: T,
    twice: T,
}

impl<T: Row> Count<T> {
    /// Counts the places in three words.
    #[inline(always)]
    fn new([first, second, third]: [T; 3]) -> Count<T> {
        Count { once: first | second | third, twice: first & second | (first | second) & third }
    }

    /// Adds three counts.
    #[inline(always)]
    fn merge([first, second, third]: [Count<T>; 3]) -> Count<T> {
        let Count { once, twice } = Count::new([first.once, second.once, third.once]);
        Count { once, twice: twice | first.twice | second.twice | third.twice }
    }
}

/// Copies the digits of one cell to all three cells.
#[inline(always)]
pub(super) fn in_each_cell<T: Row>(digits: T) -> T {
    digits | digits.left::<10>() | digits.left::<20>()
}
