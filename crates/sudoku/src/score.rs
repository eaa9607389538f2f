//! Scores: how near a predicted grid is to the solution of its puzzle.
//!
//! The measures are common in papers on Sudoku models. Two kinds of cell accuracy are in use, one over all 81 cells and one over the blanks
//! of the puzzle. A model that only copies 24 clues and guesses the other cells reaches 0.37 in the first kind. So both are counted, and
//! neither is called just "accuracy".

use crate::puzzle::{CELLS, Puzzle, Solution};

/// The score of one predicted grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Whether the prediction is the solution. If no solution is known: whether it is [valid](Score::valid).
    pub exact: bool,
    /// Whether the prediction is complete, keeps all clues and obeys all rules. It may then be another solution of a puzzle that has several.
    pub valid: bool,
    /// Number of cells with a digit.
    pub filled: u8,
    /// Number of blanks in the puzzle.
    pub blanks: u8,
    /// Number of clues that the prediction keeps.
    pub clues_kept: u8,
    /// Number of pairs of equal digits in a row, column or box. Each pair counts once.
    pub conflicts: u16,
    /// The comparison with the solution; `None` if no solution is known.
    pub compared: Option<Compared>,
}

/// The cells of a prediction, compared with the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Number of right cells, clues included: 0 to 81.
    pub right_cells: u8,
    /// Number of right cells among the blanks of the puzzle.
    pub right_blanks: u8,
    /// The first wrong or empty cell, row by row from 0; `None` if there is none.
    pub first_error: Option<u8>,
}

impl Score {
    /// Scores a prediction. `solution`, if there is one, solves the puzzle.
    ///
    /// ```
    /// use sudobench_sudoku::score::Score;
    /// use sudobench_sudoku::{Puzzle, solve};
    ///
    /// let puzzle: Puzzle =
    ///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
    /// let solution = solve(&puzzle).solution.unwrap();
    /// let mut wrong = *solution.values();
    /// wrong.swap(2, 3);
    /// let score = Score::new(&puzzle, &Puzzle::try_from(wrong)?, Some(&solution));
    /// assert!(!score.exact && !score.valid);
    /// let compared = score.compared.unwrap();
    /// assert_eq!((compared.right_cells, compared.right_blanks, compared.first_error), (79, 49, Some(2)));
    /// assert!(Score::new(&puzzle, &solution.into(), None).exact);
    /// # Ok::<(), sudobench_sudoku::PuzzleError>(())
    /// ```
    #[inline]
    pub fn new(puzzle: &Puzzle, prediction: &Puzzle, solution: Option<&Solution>) -> Score {
        let (clues, cells) = (puzzle.values(), prediction.values());
        // Counts fit in bytes, so that the loop becomes vector code.
        let (mut blanks, mut filled, mut clues_kept) = (0_u8, 0_u8, 0_u8);
        for (&clue, &cell) in clues.iter().zip(cells) {
            blanks += u8::from(clue == 0);
            filled += u8::from(cell != 0);
            clues_kept += u8::from(clue != 0 && clue == cell);
        }
        let compared = solution.map(|solution| Compared::new(clues, cells, solution.values()));
        let is_right = compared.is_some_and(|compared| usize::from(compared.right_cells) == CELLS);
        let conflicts = if is_right { 0 } else { conflicts(cells) };
        let is_whole = usize::from(filled) == CELLS && usize::from(clues_kept + blanks) == CELLS;
        let valid = is_whole && conflicts == 0;
        let exact = compared.map_or(valid, |_| is_right);
        Score { exact, valid, filled, blanks, clues_kept, conflicts, compared }
    }
}

impl Compared {
    #[inline]
    fn new(clues: &[u8; CELLS], cells: &[u8; CELLS], solution: &[u8; CELLS]) -> Compared {
        let (mut right_cells, mut right_blanks) = (0_u8, 0_u8);
        for ((&clue, &cell), &right) in clues.iter().zip(cells).zip(solution) {
            right_cells += u8::from(cell == right);
            right_blanks += u8::from(clue == 0 && cell == right);
        }
        let is_right = usize::from(right_cells) == CELLS;
        let wrong = || cells.iter().zip(solution).position(|(cell, right)| cell != right);
        let first_error = if is_right { None } else { wrong().map(|cell| cell as u8) };
        Compared { right_cells, right_blanks, first_error }
    }
}

/// Counts the pairs of equal digits that see each other.
fn conflicts(cells: &[u8; CELLS]) -> u16 {
    // A word has four bits for each digit, that count it; the bits of blanks are dropped.
    let counts = |cells: [u8; 3]| cells.iter().fold(0_u64, |counts, &cell| counts + (1 << (4 * cell))) & !0xf;
    // Three cells of a row, or of a column, in one box.
    let in_row: [u64; 27] = std::array::from_fn(|part| {
        let start = 3 * part;
        counts([cells[start], cells[start + 1], cells[start + 2]])
    });
    let in_column: [u64; 27] = std::array::from_fn(|part| {
        let start = part / 9 * 27 + part % 9;
        counts([cells[start], cells[start + 9], cells[start + 18]])
    });
    let mut pairs = 0;
    for unit in 0..9 {
        let in_box = unit / 3 * 9 + unit % 3;
        pairs += pairs_of(in_row[3 * unit] + in_row[3 * unit + 1] + in_row[3 * unit + 2]);
        pairs += pairs_of(in_column[unit] + in_column[unit + 9] + in_column[unit + 18]);
        pairs += pairs_of(in_row[in_box] + in_row[in_box + 3] + in_row[in_box + 6]);
    }
    if pairs > 0 {
        // A pair in a box that is in one row, or in one column, was counted twice.
        pairs -= in_row.iter().chain(&in_column).map(|&counts| pairs_of(counts)).sum::<u16>();
    }
    pairs
}

/// Returns the number of pairs of equal digits, from the count of each digit.
#[inline]
fn pairs_of(counts: u64) -> u16 {
    const MORE_THAN_ONE: u64 = 0xee_eeee_eee0;
    if counts & MORE_THAN_ONE == 0 {
        return 0;
    }
    (1..=9)
        .map(|digit| (counts >> (4 * digit) & 0xf) as u16)
        .map(|count| count * count.saturating_sub(1) / 2)
        .sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::solve;

    const CLUES: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// The definitions, cell by cell.
    fn naive(puzzle: &Puzzle, prediction: &Puzzle, solution: Option<&Solution>) -> Score {
        let count = |is: &dyn Fn(usize) -> bool| (0..CELLS).filter(|&cell| is(cell)).count() as u8;
        let sees = |one: usize, other: usize| {
            let in_box = |cell: usize| (cell / 27, cell % 9 / 3);
            one / 9 == other / 9 || one % 9 == other % 9 || in_box(one) == in_box(other)
        };
        let pairs = (0..CELLS).flat_map(|one| (0..one).map(move |other| (one, other)));
        let is_equal = |&(one, other): &(usize, usize)| {
            sees(one, other) && prediction[one] != 0 && prediction[one] == prediction[other]
        };
        let conflicts = pairs.filter(is_equal).count() as u16;
        let valid = Solution::try_from(*prediction.values()).is_ok_and(|filled| filled.check(puzzle).is_ok());
        let compared = solution.map(|solution| {
            let is_right = |cell: usize| prediction[cell] == solution.values()[cell];
            Compared {
                right_cells: count(&is_right),
                right_blanks: count(&|cell| puzzle[cell] == 0 && is_right(cell)),
                first_error: (0..CELLS).find(|&cell| !is_right(cell)).map(|cell| cell as u8),
            }
        });
        Score {
            exact: solution.map_or(valid, |solution| Puzzle::from(*solution) == *prediction),
            valid,
            filled: count(&|cell| prediction[cell] != 0),
            blanks: count(&|cell| puzzle[cell] == 0),
            clues_kept: count(&|cell| puzzle[cell] != 0 && puzzle[cell] == prediction[cell]),
            conflicts,
            compared,
        }
    }

    #[test]
    fn a_solution_of_another_puzzle_is_valid_for_none_but_it() {
        let puzzle: Puzzle = CLUES.parse().unwrap();
        let right = solve(&puzzle).solution.unwrap();
        let score = Score::new(&puzzle, &right.into(), Some(&right));
        assert!(score.exact && score.valid);
        assert_eq!(score.compared.unwrap().first_error, None);
        let other = solve(&Puzzle::EMPTY).solution.unwrap();
        let score = Score::new(&puzzle, &other.into(), None);
        assert!(!score.valid && score.conflicts == 0);
        // Another solution than the expected one is valid, and not exact.
        let score = Score::new(&Puzzle::EMPTY, &right.into(), Some(&other));
        assert!(score.valid && !score.exact);
    }

    #[test]
    fn every_cell_equal_is_the_most_conflicts() {
        let all_nines = Puzzle::try_from([9; CELLS]).unwrap();
        assert_eq!(Score::new(&Puzzle::EMPTY, &all_nines, None), naive(&Puzzle::EMPTY, &all_nines, None));
        assert_eq!(Score::new(&Puzzle::EMPTY, &all_nines, None).conflicts, 810);
    }

    proptest! {
        #[test]
        fn scores_are_those_of_the_definitions(
            changes in prop::collection::vec((0..CELLS, 0_u8..=9), 0..40),
            is_known in any::<bool>(),
        ) {
            let puzzle: Puzzle = CLUES.parse().unwrap();
            let solution = solve(&puzzle).solution.unwrap();
            let mut cells = *solution.values();
            changes.iter().for_each(|&(cell, value)| cells[cell] = value);
            let prediction = Puzzle::try_from(cells).unwrap();
            let known = is_known.then_some(&solution);
            prop_assert_eq!(Score::new(&puzzle, &prediction, known), naive(&puzzle, &prediction, known));
        }
    }
}
