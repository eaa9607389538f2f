//! Scores: how near a predicted grid is to the solution of its puzzle.
//!
//! The measures are common in papers on machine-learning models that solve Sudoku. Two kinds of cell accuracy are in use, one over all 81
//! cells and one over the blanks of the puzzle. A model that only copies 24 clues and guesses the other cells reaches 0.37 in the first
//! kind. So both are counted, and neither is called just "accuracy".

use crate::puzzle::{CELLS, Puzzle, Solution};
use crate::simd::Level;
use crate::solver::block_referee;

/// The score of one predicted grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Whether the prediction is the solution. If no solution is known: whether the prediction is [valid](Score::valid).
    pub exact: bool,
    /// Whether the prediction is complete, keeps all clues and obeys all rules. If the puzzle has several solutions, a valid prediction can
    /// differ from the known solution.
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
    /// Scores a prediction. If `solution` is given, it must solve the puzzle.
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
    pub fn new(puzzle: &Puzzle, prediction: &Puzzle, solution: Option<&Solution>) -> Score {
        Score::from_cells(puzzle.values(), prediction.values(), solution.map(Solution::values))
    }

    /// Scores predictions like [`Score::new`], each with its puzzle and its solution, and appends the scores. Returns false, and appends
    /// nothing, if one of the solutions does not solve its puzzle. One call for many predictions is faster than checking and scoring them
    /// one by one.
    ///
    /// ```
    /// use sudobench_sudoku::{Puzzle, score::Score, simd::Level, solve};
    ///
    /// let solution = solve(&Puzzle::EMPTY).solution.unwrap();
    /// let (empty, filled) = (Puzzle::EMPTY, Puzzle::from(solution));
    /// let mut scores = Vec::new();
    /// assert!(Score::append_all(Level::widest(), &[empty], &[filled], &[filled], &mut scores));
    /// assert_eq!(scores, [Score::new(&empty, &filled, Some(&solution))]);
    /// assert!(!Score::append_all(Level::widest(), &[empty], &[filled], &[empty], &mut scores));
    /// ```
    pub fn append_all(
        level: Level,
        puzzles: &[Puzzle],
        predictions: &[Puzzle],
        solutions: &[Puzzle],
        scores: &mut Vec<Score>,
    ) -> bool {
        let all_valid = block_referee::all_solve(level, puzzles, solutions);
        if all_valid {
            scores.extend(puzzles.iter().zip(predictions).zip(solutions).map(
                |((puzzle, prediction), solution)| {
                    Score::from_cells(puzzle.values(), prediction.values(), Some(solution.values()))
                },
            ));
        }
        all_valid
    }

    #[inline]
    fn from_cells(clues: &[u8; CELLS], cells: &[u8; CELLS], solution: Option<&[u8; CELLS]>) -> Score {
        // The counters are bytes, so that the loop becomes vector code.
        let (mut blanks, mut filled, mut clues_kept) = (0_u8, 0_u8, 0_u8);
        for (&clue, &cell) in clues.iter().zip(cells) {
            blanks += u8::from(clue == 0);
            filled += u8::from(cell != 0);
            clues_kept += u8::from(clue != 0 && clue == cell);
        }
        let compared = solution.map(|solution| Compared::new(clues, cells, solution));
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
        Compared { right_cells, right_blanks, first_error: first_difference(cells, solution) }
    }
}

/// Returns the first cell in which two grids differ. Looks at all cells, so that the loop becomes vector code.
#[inline]
fn first_difference(cells: &[u8; CELLS], others: &[u8; CELLS]) -> Option<u8> {
    let mut first = u8::MAX;
    for ((cell, other), number) in cells.iter().zip(others).zip(0..) {
        first = first.min(if cell == other { u8::MAX } else { number });
    }
    (first != u8::MAX).then_some(first)
}

/// Number of cells that the function `conflicts` compares at once.
const LANES: usize = 32;

/// Number of cells, rounded up to a multiple of `LANES`.
const PADDED: usize = CELLS.next_multiple_of(LANES);

/// Steps (down, right) from a cell to another cell of the same column, row or box. The steps from all cells reach each pair of cells once.
/// Below the last row comes the first row again, so four steps are enough for the columns.
#[rustfmt::skip]
const STEPS: [(isize, isize); 20] = [
    (1, 0), (2, 0), (3, 0), (4, 0), // columns
    (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (0, 7), (0, 8), // rows
    (1, -2), (1, -1), (1, 1), (1, 2), (2, -2), (2, -1), (2, 1), (2, 2), // boxes
];

/// For each step, the difference between the numbers of its two cells.
const DISTANCES: [usize; STEPS.len()] = {
    let mut distances = [0; STEPS.len()];
    let mut at = 0;
    while at < STEPS.len() {
        let (down, right) = STEPS[at];
        distances[at] = (9 * down + right) as usize;
        at += 1;
    }
    distances
};

/// Largest number in `DISTANCES`: that of the step (4, 0).
const LONGEST: usize = 4 * 9;

/// For each step and each cell: 1 if the step from this cell leads to a cell of the same column, row or box, otherwise 0.
static SEEN: [[u8; PADDED]; STEPS.len()] = {
    let mut seen = [[0; PADDED]; STEPS.len()];
    let mut at = 0;
    while at < STEPS.len() {
        let (down, right) = STEPS[at];
        let mut cell = 0;
        while cell < CELLS {
            let (row, column) = (cell as isize / 9 % 3 + down, cell as isize % 9 + right);
            let in_box = row < 3 && column >= 0 && column < 9 && column / 3 == cell as isize % 9 / 3;
            seen[at][cell] = (right == 0 || down == 0 && column < 9 || in_box) as u8;
            cell += 1;
        }
        at += 1;
    }
    seen
};

/// Counts the pairs of equal digits in a row, column or box. Each pair counts once.
fn conflicts(cells: &[u8; CELLS]) -> u16 {
    // A blank is 0 in one copy of the grid and 255 in the other copy, so it equals no cell.
    let (mut ones, mut others) = ([0; PADDED], [u8::MAX; PADDED + LONGEST]);
    ones[..CELLS].copy_from_slice(cells);
    for (other, &cell) in others.iter_mut().zip(cells) {
        *other = if cell == 0 { u8::MAX } else { cell };
    }
    others.copy_within(..LONGEST, CELLS);
    // Each lane counts at most 20 pairs for each of three cells, so its count fits in a byte.
    let mut counts = [0_u8; LANES];
    for (distance, seen) in DISTANCES.into_iter().zip(&SEEN) {
        let others = others[distance..][..PADDED].as_chunks::<LANES>().0;
        let parts = ones.as_chunks::<LANES>().0.iter().zip(others).zip(seen.as_chunks::<LANES>().0);
        for ((ones, others), seen) in parts {
            for lane in 0..LANES {
                counts[lane] += u8::from(ones[lane] == others[lane]) & seen[lane];
            }
        }
    }
    counts.iter().map(|&count| u16::from(count)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::solve;

    const CLUES: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// Scores a prediction by the definitions, cell by cell.
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
    fn a_solution_is_valid_only_for_puzzles_whose_clues_it_keeps() {
        let puzzle: Puzzle = CLUES.parse().unwrap();
        let right = solve(&puzzle).solution.unwrap();
        let score = Score::new(&puzzle, &right.into(), Some(&right));
        assert!(score.exact && score.valid);
        assert_eq!(score.compared.unwrap().first_error, None);
        let other = solve(&Puzzle::EMPTY).solution.unwrap();
        let score = Score::new(&puzzle, &other.into(), None);
        assert!(!score.valid && score.conflicts == 0);
        // A solution that is not the expected solution is valid but not exact.
        let score = Score::new(&Puzzle::EMPTY, &right.into(), Some(&other));
        assert!(score.valid && !score.exact);
    }

    #[test]
    fn nothing_is_scored_if_one_solution_is_wrong() {
        let puzzle: Puzzle = CLUES.parse().unwrap();
        let right = Puzzle::from(solve(&puzzle).solution.unwrap());
        let other = Puzzle::from(solve(&Puzzle::EMPTY).solution.unwrap());
        let mut scores = Vec::new();
        for wrong in [other, puzzle, Puzzle::EMPTY] {
            let solutions = [right, wrong, right];
            assert!(!Score::append_all(Level::widest(), &[puzzle; 3], &[right; 3], &solutions, &mut scores));
        }
        assert_eq!(scores, []);
    }

    #[test]
    fn a_grid_of_equal_digits_has_the_most_conflicts() {
        let all_nines = Puzzle::try_from([9; CELLS]).unwrap();
        assert_eq!(Score::new(&Puzzle::EMPTY, &all_nines, None), naive(&Puzzle::EMPTY, &all_nines, None));
        assert_eq!(Score::new(&Puzzle::EMPTY, &all_nines, None).conflicts, 810);
    }

    proptest! {
        #[test]
        fn scores_agree_with_the_definitions(
            changes in prop::collection::vec((0..CELLS, 0_u8..=9), 0..40),
            is_known in any::<bool>(),
        ) {
            let puzzle: Puzzle = CLUES.parse().unwrap();
            let solution = solve(&puzzle).solution.unwrap();
            let mut cells = *solution.values();
            changes.iter().for_each(|&(cell, value)| cells[cell] = value);
            let prediction = Puzzle::try_from(cells).unwrap();
            let known = is_known.then_some(&solution);
            let expected = naive(&puzzle, &prediction, known);
            prop_assert_eq!(Score::new(&puzzle, &prediction, known), expected);
            if is_known {
                let mut scores = Vec::new();
                let solutions = [solution.into(); 2];
                let is_right =
                    Score::append_all(Level::widest(), &[puzzle; 2], &[prediction; 2], &solutions, &mut scores);
                prop_assert!(is_right);
                prop_assert_eq!(scores, [expected; 2]);
            }
        }

        #[test]
        fn conflicts_are_counted_in_any_grid(cells in prop::collection::vec(0_u8..=9, CELLS)) {
            let prediction = Puzzle::try_from(<[u8; CELLS]>::try_from(cells).unwrap()).unwrap();
            let expected = naive(&Puzzle::EMPTY, &prediction, None);
            prop_assert_eq!(Score::new(&Puzzle::EMPTY, &prediction, None), expected);
        }
    }
}
