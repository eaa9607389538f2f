//! The candidates of a grid, and how naked and hidden singles reduce them.
//!
//! Candidates are stored in words: see [`minirows`](crate::puzzle::minirows). The highest bit of each cell is not used.
//!
//! A filled cell has a single candidate, so it looks like a naked single. One step finds all singles and all filled cells of the grid, and
//! removes their digits from all their peers together, without a branch. The steps are repeated until nothing changes.

use crate::puzzle::minirows::{
    ABOVE, ALL_CANDIDATES, ALL_DIGITS, Count, EACH_CELL, MinirowWord, Minirows, in_each_cell, place_of,
};
use crate::puzzle::{CELLS, Cells, Puzzle, Solution};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidates(pub(super) Minirows);

/// A cell has no candidate left, or a digit has no place in a row, column or box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contradiction;

impl Candidates {
    /// Makes the candidates of a puzzle: the digit of each clue, and all nine digits for each blank.
    pub(crate) fn new(puzzle: &Puzzle) -> Candidates {
        let mut candidates = Candidates([[0; 9]; 3]);
        for (cell, &value) in puzzle.values().iter().enumerate() {
            let digits = if value == 0 { ALL_DIGITS } else { 1 << (value - 1) };
            let (stack, row, shift) = place_of(cell);
            candidates.0[stack][row] |= digits << shift;
        }
        candidates
    }

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

    /// Returns the filled cells: those with exactly one candidate.
    pub(super) fn filled_cells(&self) -> Cells {
        (0..CELLS).filter(|&cell| self.digits_of(cell).is_power_of_two()).collect()
    }

    pub(super) fn is_within(&self, other: &Candidates) -> bool {
        let words = self.0.as_flattened().iter().zip(other.0.as_flattened());
        words.fold(0, |missing, (word, other)| missing | word & !other) == 0
    }

    /// Returns whether every cell is filled. Call this method only if every cell has a candidate. A full grid without a contradiction is a
    /// solution.
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

/// The rules that find and fill singles by bitwise operations on minirows. The fields are the constants that the rules need.
#[derive(Clone, Copy)]
pub(super) struct Rules<T> {
    each_cell: T,
    above: T,
    digits: T,
    candidates: T,
}

impl<T: MinirowWord> Rules<T> {
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

    /// Returns the singles of a grid, including its filled cells, and a word that is not 0 if a cell has no candidate or a digit has no
    /// place. If this word is not 0, the singles are meaningless.
    #[inline(always)]
    pub(super) fn singles(self, words: &[[T; 9]; 3]) -> ([[T; 9]; 3], T) {
        let Rules { above, digits, candidates, .. } = self;
        let mut bad = digits & !digits;
        let mut singles = *words;
        let mut in_row = words[0];
        for row in 0..9 {
            let count = Count::new([words[0][row], words[1][row], words[2][row]]).folded().within(digits);
            bad = bad | digits & !count.once;
            in_row[row] = in_each_cell(count.alone());
        }
        for stack in 0..3 {
            let in_band = in_each_band(&words[stack]);
            let columns = Count::merge(in_band);
            bad = bad | candidates & !columns.once;
            for band in 0..3 {
                let count = in_band[band].folded().within(digits);
                bad = bad | digits & !count.once;
                let alone = in_each_cell(count.alone()) | columns.alone();
                for row in band * 3..band * 3 + 3 {
                    let word = words[stack][row];
                    bad = bad | above & !(word & candidates).plus(candidates);
                    singles[stack][row] = word & (alone | in_row[row] | self.cells_with_one(word));
                }
            }
        }
        (singles, bad)
    }

    /// Fills singles and removes their digits from the peers of their cells. Returns two words: the first is not 0 if a candidate was
    /// removed (it is the union of the removed candidates over all minirows), and the second is not 0 if two singles contradict each other.
    #[inline(always)]
    pub(super) fn fill(self, words: &mut [[T; 9]; 3], singles: &[[T; 9]; 3]) -> (T, T) {
        let Rules { each_cell, above, digits, .. } = self;
        let mut bad = digits & !digits;
        let mut removed = bad;
        let mut taken_in_row = words[0];
        for row in 0..9 {
            let count =
                Count::new([singles[0][row], singles[1][row], singles[2][row]]).folded().within(digits);
            bad = bad | count.twice;
            taken_in_row[row] = in_each_cell(count.once);
        }
        for stack in 0..3 {
            let in_band = in_each_band(&singles[stack]);
            let columns = Count::merge(in_band);
            bad = bad | columns.twice;
            for band in 0..3 {
                let count = in_band[band].folded().within(digits);
                bad = bad | count.twice;
                let taken = in_each_cell(count.once) | columns.once;
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

pub(super) const RULES: Rules<u32> =
    Rules { each_cell: EACH_CELL, above: ABOVE, digits: ALL_DIGITS, candidates: ALL_CANDIDATES };

/// For each box of a stack, counts the places of each digit in each column of the box.
#[inline(always)]
fn in_each_band<T: MinirowWord>(words: &[T; 9]) -> [Count<T>; 3] {
    [
        Count::new([words[0], words[1], words[2]]),
        Count::new([words[3], words[4], words[5]]),
        Count::new([words[6], words[7], words[8]]),
    ]
}
