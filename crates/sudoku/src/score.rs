//! Scores: how near a predicted grid is to the solution of its puzzle.
//!
//! The measures are common in papers on machine-learning models that solve Sudoku. Two kinds of cell accuracy are in use, one over all 81
//! cells and one over the blanks of the puzzle. A model that only copies 24 clues and guesses the other cells reaches 0.37 in the first
//! kind. So both are counted, and neither is called just "accuracy".

use crate::puzzle::{CELLS, Puzzle, Solution, UNITS_OF};
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
        let (cells, solution) = (prediction.values(), solution.map(Solution::values));
        let mut score = Score::without_conflicts(puzzle.values(), cells, solution);
        if !score.is_right() {
            score.set_conflicts(conflicts(&[cells])[0]);
        }
        score
    }

    /// Scores a prediction as if it had no conflicts.
    #[inline(always)]
    fn without_conflicts(clues: &[u8; CELLS], cells: &[u8; CELLS], solution: Option<&[u8; CELLS]>) -> Score {
        // The counters are bytes, so that the loops become vector code.
        let mut blanks = 0_u8;
        for &clue in clues {
            blanks += u8::from(clue == 0);
        }
        if solution.is_some_and(|solution| are_equal(cells, solution)) {
            let (filled, clues_kept) = (CELLS as u8, CELLS as u8 - blanks);
            let compared = Some(Compared { right_cells: filled, right_blanks: blanks, first_error: None });
            return Score { exact: true, valid: true, filled, blanks, clues_kept, conflicts: 0, compared };
        }
        let (mut filled, mut clues_kept) = (0_u8, 0_u8);
        for (&clue, &cell) in clues.iter().zip(cells) {
            filled += u8::from(cell != 0);
            clues_kept += u8::from(clue != 0 && clue == cell);
        }
        let valid = usize::from(filled) == CELLS && usize::from(clues_kept + blanks) == CELLS;
        let compared = solution.map(|solution| Compared::new(clues, cells, solution));
        let exact = valid && compared.is_none();
        Score { exact, valid, filled, blanks, clues_kept, conflicts: 0, compared }
    }

    /// Returns whether the prediction equals the known solution, and so has no conflicts.
    #[inline(always)]
    fn is_right(&self) -> bool {
        self.compared.is_some_and(|compared| compared.first_error.is_none())
    }

    /// Sets the number of conflicts in a score that was made by [`Score::without_conflicts`].
    #[inline(always)]
    fn set_conflicts(&mut self, conflicts: u16) {
        self.conflicts = conflicts;
        self.valid &= conflicts == 0;
        self.exact &= conflicts == 0;
    }
}

/// Scores predictions like [`Score::new`], and appends the scores. Each row has a puzzle, a prediction and, if it is known, the solution,
/// which must solve the puzzle. If the CPU lacks the level, a narrower level is used: this is slower and gives the same result.
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
        (puzzle.values(), prediction.values(), solution.map(Solution::values))
    });
    simd::build_at_most(level, AppendCells { rows, scores });
}

/// Scores predictions like [`append_all`], each with a solution that may be wrong. Returns false, and appends nothing, if one of the
/// solutions does not solve its puzzle.
///
/// ```
/// use sudobench_sudoku::score::append_all_if_solved;
/// use sudobench_sudoku::{Puzzle, simd::Level, solve};
///
/// let (empty, right) = (Puzzle::EMPTY, Puzzle::from(solve(&Puzzle::EMPTY).solution.unwrap()));
/// let mut scores = Vec::new();
/// assert!(append_all_if_solved(Level::widest(), &[empty], &[right], &[right], &mut scores));
/// assert!(scores[0].exact);
/// assert!(!append_all_if_solved(Level::widest(), &[empty], &[right], &[empty], &mut scores));
/// ```
pub fn append_all_if_solved(
    level: Level,
    puzzles: &[Puzzle],
    predictions: &[Puzzle],
    solutions: &[Puzzle],
    scores: &mut Vec<Score>,
) -> bool {
    let all_solve = block_referee::all_solve(level, puzzles, solutions);
    if all_solve {
        let rows = puzzles.iter().zip(predictions).zip(solutions);
        let rows = rows.map(|((puzzle, prediction), solution)| {
            (puzzle.values(), prediction.values(), Some(solution.values()))
        });
        simd::build_at_most(level, AppendCells { rows, scores });
    }
    all_solve
}

struct AppendCells<'s, I> {
    /// The clues, the predicted cells and the solution of each row.
    rows: I,
    scores: &'s mut Vec<Score>,
}

impl<'g, I> Kernel for AppendCells<'_, I>
where
    I: Iterator<Item = (&'g [u8; CELLS], &'g [u8; CELLS], Option<&'g [u8; CELLS]>)>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut rows = self.rows.fuse();
        loop {
            // The predictions whose conflicts are still to be counted, and the positions of their scores.
            let (mut grids, mut places, mut waiting) = ([&[0; CELLS]; LANES], [0; LANES], 0);
            for (clues, cells, solution) in rows.by_ref() {
                let score = Score::without_conflicts(clues, cells, solution);
                self.scores.push(score);
                if !score.is_right() {
                    (grids[waiting], places[waiting]) = (cells, self.scores.len() - 1);
                    waiting += 1;
                }
                if waiting == LANES {
                    break;
                }
            }
            if waiting == 0 {
                return;
            }
            let found = conflicts(&grids[..waiting]);
            for lane in 0..waiting {
                self.scores[places[lane]].set_conflicts(found[lane]);
            }
        }
    }
}

impl Compared {
    #[inline(always)]
    fn new(clues: &[u8; CELLS], cells: &[u8; CELLS], solution: &[u8; CELLS]) -> Compared {
        let (mut right_cells, mut right_blanks) = (0_u8, 0_u8);
        for ((&clue, &cell), &right) in clues.iter().zip(cells).zip(solution) {
            right_cells += u8::from(cell == right);
            right_blanks += u8::from(clue == 0 && cell == right);
        }
        Compared { right_cells, right_blanks, first_error: first_difference(cells, solution) }
    }
}

/// Returns whether two grids are equal. Looks at all cells, so that the loop becomes vector code.
#[inline(always)]
fn are_equal(cells: &[u8; CELLS], others: &[u8; CELLS]) -> bool {
    let mut differing = 0;
    for (cell, other) in cells.iter().zip(others) {
        differing |= cell ^ other;
    }
    differing == 0
}

/// Returns the first cell in which two grids differ. Looks at all cells, so that the loop becomes vector code.
#[inline(always)]
fn first_difference(cells: &[u8; CELLS], others: &[u8; CELLS]) -> Option<u8> {
    let mut first = u8::MAX;
    for ((cell, other), number) in cells.iter().zip(others).zip(0..) {
        first = first.min(if cell == other { u8::MAX } else { number });
    }
    (first != u8::MAX).then_some(first)
}

/// Number of grids whose conflicts are counted at once.
const LANES: usize = 32;

/// Side of the squares that are transposed: 16 cells of 16 grids.
const SIDE: usize = 16;

/// For each cell, the later cells of its row, column and box, and how many there are.
static LATER_PEERS: [([u8; 20], usize); CELLS] = {
    let mut later = [([0; 20], 0); CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (mut other, units) = (cell + 1, UNITS_OF[cell]);
        while other < CELLS {
            let others = UNITS_OF[other];
            if units[0] == others[0] || units[1] == others[1] || units[2] == others[2] {
                later[cell].0[later[cell].1] = other as u8;
                later[cell].1 += 1;
            }
            other += 1;
        }
        cell += 1;
    }
    later
};

/// Counts the pairs of equal digits in a row, column or box, for each of at most `LANES` grids. Each pair counts once.
///
/// The grids are transposed: a vector has the same cell of all grids. So one comparison of vectors compares two cells of each grid.
#[inline(always)]
fn conflicts(grids: &[&[u8; CELLS]]) -> [u16; LANES] {
    let mut lanes = [[0; LANES]; CELLS];
    for (group, grids) in grids.chunks(SIDE).enumerate() {
        let first = group * SIDE;
        for start in (0..CELLS - 1).step_by(SIDE) {
            let mut square = [[0; SIDE]; SIDE];
            for (row, grid) in square.iter_mut().zip(grids) {
                row.copy_from_slice(&grid[start..][..SIDE]);
            }
            for (cell, column) in transpose(square).iter().enumerate() {
                lanes[start + cell][first..][..SIDE].copy_from_slice(column);
            }
        }
        for (lane, grid) in grids.iter().enumerate() {
            lanes[CELLS - 1][first + lane] = grid[CELLS - 1];
        }
    }
    // A blank gets a value that no other cell has.
    for (cell, lanes) in lanes.iter_mut().enumerate() {
        for value in lanes {
            *value = if *value == 0 { u8::MAX - cell as u8 } else { *value };
        }
    }
    let mut sums = [0; LANES];
    for (ones, (later, count)) in lanes.iter().zip(&LATER_PEERS) {
        let mut counts = [0; LANES];
        for &other in &later[..*count] {
            let others = &lanes[usize::from(other)];
            for lane in 0..LANES {
                counts[lane] += u8::from(ones[lane] == others[lane]);
            }
        }
        for lane in 0..LANES {
            sums[lane] += u16::from(counts[lane]);
        }
    }
    sums
}

/// Exchanges rows and columns. Each of four steps interleaves the bytes of the first eight rows with those of the last eight.
#[inline(always)]
fn transpose(mut rows: [[u8; SIDE]; SIDE]) -> [[u8; SIDE]; SIDE] {
    for _ in 0..SIDE.ilog2() {
        let mut interleaved = [[0; SIDE]; SIDE];
        for pair in 0..SIDE / 2 {
            let (one, other) = (&rows[pair], &rows[pair + SIDE / 2]);
            for at in 0..SIDE / 2 {
                interleaved[2 * pair][2 * at] = one[at];
                interleaved[2 * pair][2 * at + 1] = other[at];
                interleaved[2 * pair + 1][2 * at] = one[at + SIDE / 2];
                interleaved[2 * pair + 1][2 * at + 1] = other[at + SIDE / 2];
            }
        }
        rows = interleaved;
    }
    rows
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
            assert!(!append_all_if_solved(
                Level::widest(),
                &[puzzle; 3],
                &[right; 3],
                &solutions,
                &mut scores
            ));
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
            rows in 0..3 * LANES,
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
            // Every fourth prediction is right. Each of the other predictions has one more changed cell, which depends on the row.
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
