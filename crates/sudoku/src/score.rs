//! Scores: how near a predicted grid is to the solution of its puzzle.
//!
//! The measures are common in papers on machine-learning models that solve Sudoku. Two kinds of cell accuracy are in use, one over all 81
//! cells and one over the blanks of the puzzle. A model that only copies 24 clues and guesses the other cells reaches 0.37 in the first
//! kind. So both are counted, and neither is called just "accuracy".

use crate::puzzle::{CELLS, Puzzle, Solution};
use crate::simd::{self, Kernel, Level};
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
    /// The first wrong or empty cell; `None` if there is none. Cells are numbered row by row from 0.
    pub first_error: Option<u8>,
}

impl Score {
    /// Scores a prediction. If `solution` is given, it must solve the puzzle. For many predictions, [`append_all`] takes much less time.
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
        let mut scores = Vec::new();
        append_all(Level::widest(), [(puzzle, prediction, solution)].into_iter(), &mut scores);
        scores[0]
    }
}

/// The scores of at most [`BLOCK`] predictions: an array for each field of [`Score`], and counts for each cell. In the arrays of length
/// [`BLOCK`], element `i` belongs to prediction `i`, and elements from `rows` on are meaningless. If the solution of a prediction is not
/// known, its elements of `right_cells`, `right_blanks` and `first_error` are meaningless, and so are the counts of wrong cells in the
/// whole block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreBlock {
    /// Number of predictions.
    pub rows: usize,
    /// See [`Score::exact`].
    pub exact: [bool; BLOCK],
    /// See [`Score::valid`].
    pub valid: [bool; BLOCK],
    /// See [`Score::filled`].
    pub filled: [u8; BLOCK],
    /// See [`Score::blanks`].
    pub blanks: [u8; BLOCK],
    /// See [`Score::clues_kept`].
    pub clues_kept: [u8; BLOCK],
    /// See [`Score::conflicts`].
    pub conflicts: [u16; BLOCK],
    /// Whether the solution is known.
    pub compared: [bool; BLOCK],
    /// See [`Compared::right_cells`].
    pub right_cells: [u8; BLOCK],
    /// See [`Compared::right_blanks`].
    pub right_blanks: [u8; BLOCK],
    /// See [`Compared::first_error`]; -1 if there is none.
    pub first_error: [i8; BLOCK],
    /// For each cell, the number of puzzles in which it is blank.
    pub blanks_by_cell: [u8; CELLS],
    /// For each cell, the number of puzzles in which it is blank and the prediction differs from the solution.
    pub wrong_blanks_by_cell: [u8; CELLS],
    /// For each cell, the number of puzzles in which it is a clue and the prediction differs from the solution.
    pub wrong_clues_by_cell: [u8; CELLS],
}

impl ScoreBlock {
    const EMPTY: ScoreBlock = ScoreBlock {
        rows: 0,
        exact: [false; BLOCK],
        valid: [false; BLOCK],
        filled: [0; BLOCK],
        blanks: [0; BLOCK],
        clues_kept: [0; BLOCK],
        conflicts: [0; BLOCK],
        compared: [false; BLOCK],
        right_cells: [0; BLOCK],
        right_blanks: [0; BLOCK],
        first_error: [-1; BLOCK],
        blanks_by_cell: [0; CELLS],
        wrong_blanks_by_cell: [0; CELLS],
        wrong_clues_by_cell: [0; CELLS],
    };

    /// Returns the score of a prediction, which must be one of the first `rows`.
    pub fn score(&self, row: usize) -> Score {
        Score {
            exact: self.exact[row],
            valid: self.valid[row],
            filled: self.filled[row],
            blanks: self.blanks[row],
            clues_kept: self.clues_kept[row],
            conflicts: self.conflicts[row],
            compared: self.compared[row].then(|| Compared {
                right_cells: self.right_cells[row],
                right_blanks: self.right_blanks[row],
                first_error: u8::try_from(self.first_error[row]).ok(),
            }),
        }
    }
}

/// Scores predictions like [`Score::new`], and appends the scores. Each row has a puzzle, a prediction and, if known, a solution of the
/// puzzle. If the CPU lacks the level, a narrower level is used: this is slower and gives the same result.
///
/// ```
/// use sudobench_sudoku::score::{Score, append_all};
/// use sudobench_sudoku::{Puzzle, simd::Level, solve};
///
/// let solution = solve(&Puzzle::EMPTY).solution.unwrap();
/// let (empty, filled) = (Puzzle::EMPTY, Puzzle::from(solution));
/// let mut scores = Vec::new();
/// append_all(Level::widest(), [(&empty, &filled, Some(&solution))].into_iter(), &mut scores);
/// assert_eq!(scores, [Score::new(&empty, &filled, Some(&solution))]);
/// ```
pub fn append_all<'g>(
    level: Level,
    rows: impl Iterator<Item = (&'g Puzzle, &'g Puzzle, Option<&'g Solution>)>,
    scores: &mut Vec<Score>,
) {
    let rows = rows.map(|(puzzle, prediction, solution)| {
        [puzzle.values(), prediction.values(), solution.map_or(Puzzle::EMPTY.values(), Solution::values)]
    });
    each_block(level, rows, |block| scores.extend((0..block.rows).map(|row| block.score(row))));
}

/// Checks the solutions, and scores predictions like [`append_all`]. Calls `found` with the scores of each block of at most [`BLOCK`]
/// predictions. Returns false, and scores nothing, if one of the solutions does not solve its puzzle. `predictions[i]` and `solutions[i]`
/// belong to `puzzles[i]`.
///
/// # Panics
/// If the slices differ in length.
///
/// ```
/// use sudobench_sudoku::score::score_if_solved;
/// use sudobench_sudoku::{Puzzle, simd::Level, solve};
///
/// let (empty, right) = (Puzzle::EMPTY, Puzzle::from(solve(&Puzzle::EMPTY).solution.unwrap()));
/// let (level, mut exact) = (Level::widest(), 0);
/// assert!(score_if_solved(level, &[empty], &[right], &[right], |block| exact += u8::from(block.exact[0])));
/// assert!(!score_if_solved(level, &[empty], &[right], &[empty], |_| exact += 1));
/// assert_eq!(exact, 1);
/// ```
pub fn score_if_solved(
    level: Level,
    puzzles: &[Puzzle],
    predictions: &[Puzzle],
    solutions: &[Puzzle],
    found: impl FnMut(&ScoreBlock),
) -> bool {
    assert_eq!(puzzles.len(), predictions.len(), "each puzzle needs a prediction");
    let all_solve = block_referee::all_solve(level, puzzles, solutions);
    if all_solve {
        let rows = puzzles.iter().zip(predictions).zip(solutions);
        let rows = rows.map(|((puzzle, prediction), solution)| {
            [puzzle.values(), prediction.values(), solution.values()]
        });
        each_block(level, rows, found);
    }
    all_solve
}

/// The clues, the predicted cells and the cells of the solution. If the solution is not known, its cells are blank.
type Row<'g> = [&'g [u8; CELLS]; 3];

/// Scores rows, and calls `found` with the scores of each block of at most [`BLOCK`] rows.
fn each_block<'g>(level: Level, rows: impl Iterator<Item = Row<'g>>, mut found: impl FnMut(&ScoreBlock)) {
    let mut rows = rows.fuse();
    loop {
        // Unused rows of a block get a puzzle without blanks and a right prediction, so they add nothing to the counts for each cell.
        let (mut grids, mut count) = ([[&[1; CELLS]; BLOCK]; 3], 0);
        for row in rows.by_ref().take(BLOCK) {
            for (grids, grid) in grids.iter_mut().zip(row) {
                grids[count] = grid;
            }
            count += 1;
        }
        if count == 0 {
            return;
        }
        let mut block = simd::build_at_most(level, ScoreGrids { grids: &grids });
        block.rows = count;
        found(&block);
    }
}

const ALL: u8 = CELLS as u8;

/// Number of predictions that are scored at once.
pub const BLOCK: usize = 64;

/// A number for each row of a block. The array is aligned like the widest vectors, because loading a vector from two cache lines takes
/// twice the time.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Lanes([u8; BLOCK]);

/// The puzzles, the predictions and the solutions of the rows of a block.
///
/// Scoring transposes the grids: each vector then has the same cell of all grids. So one comparison of two vectors compares a pair of cells
/// in every grid.
struct ScoreGrids<'b, 'g> {
    grids: &'b [[&'g [u8; CELLS]; BLOCK]; 3],
}

impl Kernel for ScoreGrids<'_, '_> {
    type Output = ScoreBlock;

    #[inline(always)]
    fn run(self) -> ScoreBlock {
        let [puzzles, predictions, solutions] = self.grids;
        let clues = transposed(puzzles);
        let mut block = ScoreBlock::EMPTY;
        if predictions == solutions && solutions.iter().all(|right| right[0] != 0) {
            for cell in 0..CELLS {
                let mut blanks = 0;
                for row in 0..BLOCK {
                    let is_blank = clues[cell].0[row] == 0;
                    block.blanks[row] += u8::from(is_blank);
                    blanks += u8::from(is_blank);
                }
                block.blanks_by_cell[cell] = blanks;
            }
            for row in 0..BLOCK {
                block.clues_kept[row] = ALL - block.blanks[row];
            }
            (block.exact, block.valid, block.compared) = ([true; BLOCK], [true; BLOCK], [true; BLOCK]);
            (block.filled, block.right_cells, block.right_blanks) =
                ([ALL; BLOCK], [ALL; BLOCK], block.blanks);
            return block;
        }
        let (cells, right) = (transposed(predictions), transposed(solutions));
        let mut first = [u8::MAX; BLOCK];
        for cell in 0..CELLS {
            let (clues, cells, right) = (&clues[cell].0, &cells[cell].0, &right[cell].0);
            let (mut blanks, mut wrong_blanks, mut wrong_clues) = (0, 0, 0);
            for row in 0..BLOCK {
                let (is_blank, is_right) = (clues[row] == 0, cells[row] == right[row]);
                block.filled[row] += u8::from(cells[row] != 0);
                block.blanks[row] += u8::from(is_blank);
                block.clues_kept[row] += u8::from(!is_blank & (clues[row] == cells[row]));
                block.right_cells[row] += u8::from(is_right);
                block.right_blanks[row] += u8::from(is_blank & is_right);
                first[row] = first[row].min(if is_right { u8::MAX } else { cell as u8 });
                blanks += u8::from(is_blank);
                wrong_blanks += u8::from(is_blank & !is_right);
                wrong_clues += u8::from(!is_blank & !is_right);
            }
            block.blanks_by_cell[cell] = blanks;
            block.wrong_blanks_by_cell[cell] = wrong_blanks;
            block.wrong_clues_by_cell[cell] = wrong_clues;
        }
        block.conflicts = conflicts(cells);
        for row in 0..BLOCK {
            let is_complete = (block.filled[row] == ALL) & (block.clues_kept[row] + block.blanks[row] == ALL);
            block.valid[row] = is_complete & (block.conflicts[row] == 0);
            block.compared[row] = right[0].0[row] != 0;
            block.exact[row] = if block.compared[row] { first[row] == u8::MAX } else { block.valid[row] };
            block.first_error[row] = first[row] as i8;
        }
        block
    }
}

/// Side of the squares that are transposed: 16 cells of 16 grids.
const SIDE: usize = 16;

/// Returns a vector for each cell, with the values of this cell in all grids.
#[inline(always)]
fn transposed(grids: &[&[u8; CELLS]; BLOCK]) -> [Lanes; CELLS] {
    let mut lanes = [Lanes([0; BLOCK]); CELLS];
    for first in (0..BLOCK).step_by(SIDE) {
        let grids = &grids[first..][..SIDE];
        for start in (0..CELLS - 1).step_by(SIDE) {
            let mut square = [[0; SIDE]; SIDE];
            for (row, grid) in square.iter_mut().zip(grids) {
                row.copy_from_slice(&grid[start..][..SIDE]);
            }
            for (lanes, column) in lanes[start..].iter_mut().zip(&simd::transpose(square)) {
                lanes.0[first..][..SIDE].copy_from_slice(column);
            }
        }
        for (row, grid) in grids.iter().enumerate() {
            lanes[CELLS - 1].0[first + row] = grid[CELLS - 1];
        }
    }
    lanes
}

/// Counts the pairs of equal digits in a row, column or box, for each grid. Each pair counts once.
#[inline(always)]
fn conflicts(mut cells: [Lanes; CELLS]) -> [u16; BLOCK] {
    // A blank gets a value that no other cell has.
    for (cell, lanes) in cells.iter_mut().enumerate() {
        for value in &mut lanes.0 {
            *value = if *value == 0 { u8::MAX - cell as u8 } else { *value };
        }
    }
    let mut sums = [0; BLOCK];
    for unit in 0..9 {
        let mut counts = Lanes([0; BLOCK]);
        for one in 0..8 {
            for other in one + 1..9 {
                count_equal(&cells[9 * unit + one], &cells[9 * unit + other], &mut counts);
                count_equal(&cells[9 * one + unit], &cells[9 * other + unit], &mut counts);
            }
        }
        let corner = unit / 3 * 27 + unit % 3 * 3;
        // The pairs of cells of a box that share neither a row nor a column.
        for one in 0..3 {
            for other in 0..3 {
                if one != other {
                    count_equal(&cells[corner + one], &cells[corner + 9 + other], &mut counts);
                    count_equal(&cells[corner + one], &cells[corner + 18 + other], &mut counts);
                    count_equal(&cells[corner + 9 + one], &cells[corner + 18 + other], &mut counts);
                }
            }
        }
        for (sum, count) in sums.iter_mut().zip(counts.0) {
            *sum += u16::from(count);
        }
    }
    sums
}

#[inline(always)]
fn count_equal(one: &Lanes, other: &Lanes, counts: &mut Lanes) {
    for row in 0..BLOCK {
        counts.0[row] += u8::from(one.0[row] == other.0[row]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::solver::solve_simply;

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
        let right = solve_simply(&puzzle).solution.unwrap();
        let score = Score::new(&puzzle, &right.into(), Some(&right));
        assert!(score.exact && score.valid);
        assert_eq!(score.compared.unwrap().first_error, None);
        let other = solve_simply(&Puzzle::EMPTY).solution.unwrap();
        let score = Score::new(&puzzle, &other.into(), None);
        assert!(!score.valid && score.conflicts == 0);
        // A solution that is not the expected solution is valid but not exact.
        let score = Score::new(&Puzzle::EMPTY, &right.into(), Some(&other));
        assert!(score.valid && !score.exact);
    }

    #[test]
    fn nothing_is_scored_if_one_solution_is_wrong() {
        let puzzle: Puzzle = CLUES.parse().unwrap();
        let right = Puzzle::from(solve_simply(&puzzle).solution.unwrap());
        let other = Puzzle::from(solve_simply(&Puzzle::EMPTY).solution.unwrap());
        for wrong in [other, puzzle, Puzzle::EMPTY] {
            let (puzzles, solutions, level) = ([puzzle; 3], [right, wrong, right], Level::widest());
            assert!(!score_if_solved(level, &puzzles, &[right; 3], &solutions, |_| panic!("scored")));
        }
    }

    #[test]
    fn no_row_is_left_out_silently() {
        let (one, two) = ([Puzzle::EMPTY; 1], [Puzzle::EMPTY; 2]);
        for [predictions, solutions] in [[&one[..], &two], [&two, &one]] {
            let score = || score_if_solved(Level::widest(), &two, predictions, solutions, |_| ());
            assert!(std::panic::catch_unwind(score).is_err());
        }
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
            rows in 0..3 * BLOCK,
            is_known in any::<bool>(),
        ) {
            let puzzle: Puzzle = CLUES.parse().unwrap();
            let solution = solve_simply(&puzzle).solution.unwrap();
            let mut cells = *solution.values();
            changes.iter().for_each(|&(cell, value)| cells[cell] = value);
            let prediction = Puzzle::try_from(cells).unwrap();
            let known = is_known.then_some(&solution);
            let expected = naive(&puzzle, &prediction, known);
            prop_assert_eq!(Score::new(&puzzle, &prediction, known), expected);
            // Every fourth prediction is right. The others have the cells of `prediction`, except for one cell that depends on `row`.
            let predictions: Vec<Puzzle> = (0..rows)
                .map(|row| {
                    let mut cells = if row % 4 == 0 { *solution.values() } else { cells };
                    cells[row % CELLS] = if row % 4 == 0 { cells[row % CELLS] } else { (row % 10) as u8 };
                    Puzzle::try_from(cells).unwrap()
                })
                .collect();
            let expected: Vec<Score> = predictions.iter().map(|grid| naive(&puzzle, grid, known)).collect();
            for &level in Level::ALL {
                let mut scores = Vec::new();
                append_all(level, predictions.iter().map(|grid| (&puzzle, grid, known)), &mut scores);
                prop_assert_eq!(&scores, &expected);
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
