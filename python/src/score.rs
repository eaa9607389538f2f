//! Scores of predictions in memory.

use std::num::NonZeroU32;
use std::ops::Range;

use arrow_array::types::{Int8Type, UInt8Type, UInt16Type};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use sudobench_rows::facts::{Expected, Prediction, RowScore, Scored};
use sudobench_rows::source::RowFault;
use sudobench_rows::{
    Accuracy, CellErrorSums, CellErrors, PassAt, PredictedRows, PredictionGroups, ScoreSums, ScoredBoards,
    score_each,
};
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::score::{BLOCK, Compared, Score, ScoreBlock};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Puzzle, Solution};

use crate::errors::{of_run, unusable};
use crate::input::{Chunks, Rows};
use crate::interruptible;
use crate::memory::Memory;
use crate::options::threads_or_cores;
use crate::progress::Progress;

/// The scores of many rows, an array for each measure. Rows with a malformed puzzle have zeros, and -1 in `first_error`.
#[derive(IntoPyObject)]
pub(crate) struct RawScores {
    exact: Memory,
    valid: Memory,
    right_cells: Memory,
    right_blanks: Memory,
    blanks: Memory,
    clues_kept: Memory,
    filled: Memory,
    conflicts: Memory,
    /// Cell of the first error; -1 if there is no error.
    first_error: Memory,
    /// Whether the prediction was compared with a solution.
    compared: Memory,
    /// Whether the prediction can be completed.
    solvable: Memory,
    /// Whether the row has a puzzle.
    scored: Memory,
    /// Whether the prediction could not be read.
    malformed: Memory,
    /// Whether the given solution does not solve the puzzle.
    wrong_solution: Memory,
    cells: RawCellErrors,
    notes: Vec<(usize, String)>,
}

/// The scores of a range of rows, column by column.
#[derive(Default)]
struct Piece {
    /// The columns of truth values, in the order in which [`joined`] names them.
    flags: [Vec<bool>; 7],
    /// The columns of small numbers, in the order in which [`joined`] names them.
    counts: [Vec<u8>; 5],
    conflicts: Vec<u16>,
    first_error: Vec<i8>,
    cells: CellErrorSums,
    /// Notes with the number of their row in the piece.
    notes: Vec<(usize, String)>,
}

impl Piece {
    fn rows(&self) -> usize {
        self.conflicts.len()
    }

    /// Appends rows. The score is `None` if the puzzle of the row is malformed. `flags` has three flags for each row: whether the
    /// prediction can be completed, whether it could not be read, and whether the given solution is wrong. Column after column is appended,
    /// because this takes half of the time that row after row takes.
    fn extend<'s>(
        &mut self,
        scores: impl Iterator<Item = Option<&'s Score>> + Clone,
        flags: impl Iterator<Item = [bool; 3]> + Clone,
    ) {
        let compared = || scores.clone().map(|score| score.and_then(|score| score.compared));
        let is = |what: fn(&Score) -> bool| scores.clone().map(move |score| score.is_some_and(what));
        let count = |what: fn(&Score) -> u8| scores.clone().map(move |score| score.map_or(0, what));
        let [exact, valid, is_compared, solvable, scored, malformed, wrong_solution] = &mut self.flags;
        exact.extend(is(|score| score.exact));
        valid.extend(is(|score| score.valid));
        is_compared.extend(is(|score| score.compared.is_some()));
        solvable.extend(flags.clone().map(|[is_solvable, _, _]| is_solvable));
        scored.extend(is(|_| true));
        malformed.extend(flags.clone().map(|[_, is_malformed, _]| is_malformed));
        wrong_solution.extend(flags.map(|[_, _, is_wrong]| is_wrong));
        let [right_cells, right_blanks, blanks, clues_kept, filled] = &mut self.counts;
        right_cells.extend(compared().map(|compared| compared.map_or(0, |compared| compared.right_cells)));
        right_blanks.extend(compared().map(|compared| compared.map_or(0, |compared| compared.right_blanks)));
        blanks.extend(count(|score| score.blanks));
        clues_kept.extend(count(|score| score.clues_kept));
        filled.extend(count(|score| score.filled));
        self.conflicts.extend(scores.clone().map(|score| score.map_or(0, |score| score.conflicts)));
        let first_error = compared().map(|compared| compared.and_then(|compared| compared.first_error));
        self.first_error.extend(first_error.map(|cell| cell.map_or(-1, |cell| cell as i8)));
    }
}

/// Puzzles, predictions and perhaps solutions from Python.
struct Given<'a> {
    puzzles: Chunks<'a>,
    predictions: Chunks<'a>,
    solutions: Option<Chunks<'a>>,
    solvable: bool,
}

impl PredictedRows for Given<'_> {
    type Scores = Piece;

    fn row(&self, row: usize) -> Result<(Puzzle, Prediction), RowFault> {
        let puzzle = self.puzzles.puzzle(row)?;
        let solves = |text: Result<Puzzle, RowFault>| {
            let solution = text.ok().and_then(|grid| Solution::try_from(*grid.values()).ok());
            let solution = solution.filter(|solution| solution.check(&puzzle).is_ok());
            solution.map_or(Expected::Wrong, Expected::Right)
        };
        let solution = self.solutions.as_ref().map(|solutions| solves(solutions.puzzle(row)));
        let board = self.predictions.puzzle(row).map_err(|fault| fault.to_string());
        Ok((puzzle, Prediction { board, form: None, solution }))
    }

    fn has_boards(&self) -> bool {
        self.solutions.is_some() && !self.solvable
    }

    fn read_boards(&self, rows: Range<usize>, boards: &mut ScoredBoards) -> bool {
        self.puzzles.push_boards(rows.clone(), &mut boards.puzzles)
            && self.predictions.push_boards(rows.clone(), &mut boards.predictions)
            && self
                .solutions
                .as_ref()
                .is_some_and(|solutions| solutions.push_boards(rows, &mut boards.solutions))
    }

    fn collect(&self, rows: &[Result<(&Puzzle, &RowScore), RowFault>], piece: &mut Piece) {
        let first = piece.rows();
        for (number, row) in rows.iter().enumerate() {
            if let Ok((puzzle, RowScore { wrong: Some(wrong), .. })) = row {
                piece.cells.add(puzzle, wrong);
            }
            let note = match row {
                Ok((_, row)) => row.note(),
                Err(fault) => Some(fault.to_string()),
            };
            piece.notes.extend(note.map(|note| (first + number, note)));
        }
        let rows = rows.iter().map(|row| row.as_ref().ok().map(|(_, row)| row));
        let flags = rows.clone().map(|row| {
            row.map_or([false; 3], |row| {
                [row.solvable == Some(true), row.fault.is_some(), row.is_expected_wrong]
            })
        });
        piece.extend(rows.map(|row| row.map(|row| &row.score)), flags);
    }

    fn collect_block(&self, block: &ScoreBlock, piece: &mut Piece) {
        piece.cells.add_block(block);
        let flags = [
            block.exact,
            block.valid,
            block.compared,
            [false; BLOCK],
            [true; BLOCK],
            [false; BLOCK],
            [false; BLOCK],
        ];
        for (column, flags) in piece.flags.iter_mut().zip(&flags) {
            column.extend_from_slice(&flags[..block.rows]);
        }
        let ScoreBlock { right_cells, right_blanks, blanks, clues_kept, filled, .. } = block;
        for (column, counts) in
            piece.counts.iter_mut().zip([right_cells, right_blanks, blanks, clues_kept, filled])
        {
            column.extend_from_slice(&counts[..block.rows]);
        }
        piece.conflicts.extend_from_slice(&block.conflicts[..block.rows]);
        piece.first_error.extend_from_slice(&block.first_error[..block.rows]);
    }
}

/// Scores predictions. A single puzzle or a single solution is used for all predictions. `solvable`: whether to find out which predictions
/// can be completed.
///
/// # Errors
/// `ValueError` if the numbers of rows differ, and for wrong options.
#[pyfunction]
pub(crate) fn score(
    py: Python<'_>,
    puzzles: &Rows,
    predictions: &Rows,
    solutions: Option<&Rows>,
    solvable: bool,
    threads: Option<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<RawScores> {
    let threads = threads_or_cores(threads.as_ref())?;
    let level = Level::from_environment().map_err(unusable)?;
    let need = if solvable { Scored::COMPLETE } else { Scored::WITH_SOLUTION };
    puzzles.with_puzzles(py, |puzzles| {
        let puzzles = Chunks::new(puzzles);
        predictions.with_puzzles(py, |predictions| {
            let predictions = Chunks::new(predictions);
            let run = |solutions: Option<Chunks>| {
                let rows = predictions.rows;
                check_rows("puzzles", puzzles.rows, rows)?;
                if let Some(solutions) = &solutions {
                    check_rows("solutions", solutions.rows, rows)?;
                }
                let given = Given { puzzles, predictions, solutions, solvable };
                let progress = Progress::new(progress, Some(rows));
                let pieces = interruptible::run(py, &progress, |watch| {
                    score_each(rows, &given, need, level, threads, watch)
                })?;
                Ok(joined(pieces.map_err(|error| of_run(error, None))?))
            };
            match solutions {
                Some(solutions) => solutions.with_puzzles(py, |solutions| run(Some(Chunks::new(solutions)))),
                None => run(None),
            }
        })
    })
}

fn check_rows(what: &str, found: usize, predictions: usize) -> PyResult<()> {
    match found == predictions || found == 1 {
        true => Ok(()),
        false => Err(unusable(format!("{found} {what} for {predictions} predictions"))),
    }
}

fn joined(pieces: Vec<Piece>) -> RawScores {
    let flags = |number| Memory::of_flags(column(&pieces, |piece| &piece.flags[number]).into_iter());
    let [exact, valid, compared, solvable, scored, malformed, wrong_solution] = std::array::from_fn(flags);
    let counts = |number| Memory::of_numbers::<UInt8Type>(column(&pieces, |piece| &piece.counts[number]));
    let [right_cells, right_blanks, blanks, clues_kept, filled] = std::array::from_fn(counts);
    let conflicts = Memory::of_numbers::<UInt16Type>(column(&pieces, |piece| &piece.conflicts));
    let first_error = Memory::of_numbers::<Int8Type>(column(&pieces, |piece| &piece.first_error));
    let (mut notes, mut before, mut cells) = (Vec::new(), 0, CellErrors::default());
    for piece in pieces {
        let rows = piece.rows();
        notes.extend(piece.notes.into_iter().map(|(row, note)| (before + row, note)));
        before += rows;
        cells.merge(&piece.cells.finish());
    }
    RawScores {
        exact,
        valid,
        right_cells,
        right_blanks,
        blanks,
        clues_kept,
        filled,
        conflicts,
        first_error,
        compared,
        solvable,
        scored,
        malformed,
        wrong_solution,
        cells: cell_errors(&cells),
        notes,
    }
}

/// Numbers of puzzles for each cell: in how many the cell is a clue, in how many this clue is wrong in the prediction, in how many the cell
/// is blank, and in how many this blank is wrong in the prediction.
pub(crate) type RawCellErrors = [Vec<u64>; 4];

/// Returns the errors by cell.
pub(crate) fn cell_errors(errors: &CellErrors) -> RawCellErrors {
    let CellErrors { clues, wrong_clues, blanks, wrong_blanks } = *errors;
    [clues, wrong_clues, blanks, wrong_blanks].map(Into::into)
}

/// Joins a column of all pieces.
fn column<T: Copy>(pieces: &[Piece], of_piece: impl Fn(&Piece) -> &Vec<T>) -> Vec<T> {
    pieces.iter().map(|piece| &of_piece(piece)[..]).collect::<Vec<_>>().concat()
}

/// A mean, and the lower and upper end of its confidence interval. `None` if there are no values to take the mean over.
type Mean = Option<(f64, f64, f64)>;

/// The means of some scores: the number of puzzles, exact, valid, cell accuracy, blank accuracy, and blank accuracy pooled.
pub(crate) type Means = (u64, Mean, Mean, Mean, Mean, Option<f64>);

/// Returns the means of the scores in each bucket. For each row, `measures` has six numbers: exact, valid, right cells, right blanks,
/// blanks, and whether the prediction was compared with a solution. `buckets` has the number of the bucket of each row, or -1.
///
/// # Errors
/// `ValueError` for arrays of other shapes.
#[pyfunction]
pub(crate) fn accuracies(
    measures: PyReadonlyArray2<'_, u8>,
    buckets: PyReadonlyArray1<'_, i64>,
    count: usize,
) -> PyResult<Vec<Means>> {
    let (rows, rest) = measures.as_slice().map_err(unusable)?.as_chunks::<6>();
    let buckets = buckets.as_slice().map_err(unusable)?;
    if !rest.is_empty() || rows.len() != buckets.len() {
        return Err(unusable("the measures and the buckets have different lengths"));
    }
    let mut sums = vec![ScoreSums::default(); count];
    for (&[exact, valid, right_cells, right_blanks, blanks, compared], &bucket) in rows.iter().zip(buckets) {
        let compared = (compared != 0).then_some(Compared { right_cells, right_blanks, first_error: None });
        let score = Score {
            exact: exact != 0,
            valid: valid != 0,
            filled: 0,
            blanks: blanks.min(CELLS as u8),
            clues_kept: 0,
            conflicts: 0,
            compared,
        };
        if let Some(sums) = usize::try_from(bucket).ok().and_then(|bucket| sums.get_mut(bucket)) {
            sums.add_score(&score);
        }
    }
    Ok(sums.iter().map(means).collect())
}

/// pass@k: k, the number of groups, the number of groups that are too small, and the mean.
pub(crate) type RawPassAt = (u32, u64, u64, Mean);

/// Returns pass@k of each `k`. `groups` has the number of the group of each prediction, or -1.
///
/// # Errors
/// `ValueError` for arrays that are not contiguous, and for a `k` of 0.
#[pyfunction]
pub(crate) fn pass_at(
    groups: PyReadonlyArray1<'_, i64>,
    exact: PyReadonlyArray1<'_, u8>,
    numbers: Vec<NonZeroU32>,
) -> PyResult<Vec<RawPassAt>> {
    let mut counts = PredictionGroups::default();
    let groups = groups.as_slice().map_err(unusable)?.iter();
    for (&group, &exact) in groups.zip(exact.as_slice().map_err(unusable)?) {
        if let Ok(group) = u128::try_from(group) {
            counts.add(group, exact != 0);
        }
    }
    Ok(numbers.into_iter().map(|k| pass_at_k(&counts, k)).collect())
}

/// Computes pass@k over groups of predictions.
pub(crate) fn pass_at_k(groups: &PredictionGroups, k: NonZeroU32) -> RawPassAt {
    let PassAt { groups, too_small, accuracy, .. } = groups.pass_at(k);
    (k.get(), groups, too_small, accuracy.map(|Accuracy { mean, low, high }| (mean, low, high)))
}

/// Computes the means from sums over scores.
pub(crate) fn means(sums: &ScoreSums) -> Means {
    let mean = |accuracy: Option<Accuracy>| accuracy.map(|Accuracy { mean, low, high }| (mean, low, high));
    let [exact, valid] = [sums.exact_accuracy(), sums.validity()].map(mean);
    let [cells, blanks] = [sums.cell_accuracy(), sums.blank_accuracy()].map(mean);
    (sums.puzzles, exact, valid, cells, blanks, sums.blank_accuracy_pooled())
}
