//! Scores of predictions in memory.

use std::num::NonZeroU32;
use std::ops::Range;

use arrow_array::types::{Int8Type, UInt8Type, UInt16Type};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use sudobench_harness::record::RowsRecord;
use sudobench_harness::report::{scores_markdown, scores_page};
use sudobench_rows::facts::{Expected, Prediction, RowScore, Scored};
use sudobench_rows::source::RowFault;
use sudobench_rows::{
    Accuracy, Bootstrap, CellErrorSums, CellErrors, PassAt, PredictedRows, PredictionGroups, ScoreSums,
    ScoredBoards, score_each,
};
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::score::{Compared, Score, ScoreBlock};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Puzzle, Solution};

use crate::errors::{run_error, unusable};
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
    /// Cell of the first error, or -1.
    first_error: Memory,
    /// Whether the prediction was compared with a solution.
    compared: Memory,
    /// Whether the prediction can be completed; false if this was not requested.
    solvable: Memory,
    /// Whether the row was scored; false if its puzzle is malformed.
    scored: Memory,
    /// Whether the prediction could not be read.
    malformed: Memory,
    /// Whether the given solution does not solve the puzzle.
    wrong_solution: Memory,
    cells: RawCellErrors,
    notes: Vec<(usize, String)>,
}

/// The scores of all rows, column by column.
struct Columns {
    /// The columns of truth values, in the order in which [`raw`] names them.
    flags: [Vec<bool>; 7],
    /// The columns of small numbers, in the order in which [`raw`] names them.
    counts: [Vec<u8>; 5],
    conflicts: Vec<u16>,
    first_error: Vec<i8>,
}

impl Columns {
    /// Makes columns of zeros. The system clears new memory only when it is first written, so columns that stay 0 take little time.
    fn new(rows: usize) -> Columns {
        Columns {
            flags: std::array::from_fn(|_| vec![false; rows]),
            counts: std::array::from_fn(|_| vec![0; rows]),
            conflicts: vec![0; rows],
            first_error: vec![0; rows],
        }
    }

    fn places(&mut self) -> Places<'_> {
        Places {
            flags: self.flags.each_mut().map(Vec::as_mut_slice),
            counts: self.counts.each_mut().map(Vec::as_mut_slice),
            conflicts: &mut self.conflicts,
            first_error: &mut self.first_error,
        }
    }
}

/// The parts of the columns that hold the scores of consecutive rows.
struct Places<'a> {
    flags: [&'a mut [bool]; 7],
    counts: [&'a mut [u8]; 5],
    conflicts: &'a mut [u16],
    first_error: &'a mut [i8],
}

impl<'a> Places<'a> {
    /// Splits off the places of the first `rows` rows, and returns them.
    fn take(&mut self, rows: usize) -> Places<'a> {
        Places {
            flags: self.flags.each_mut().map(|places| first(places, rows)),
            counts: self.counts.each_mut().map(|places| first(places, rows)),
            conflicts: first(&mut self.conflicts, rows),
            first_error: first(&mut self.first_error, rows),
        }
    }
}

fn first<'a, T>(places: &mut &'a mut [T], rows: usize) -> &'a mut [T] {
    places.split_off_mut(..rows).unwrap_or_default()
}

/// The scores of a range of rows.
struct Piece<'a> {
    /// The places in the columns for the rows of the range that are not scored yet.
    places: Places<'a>,
    /// Number of rows of the range that have been scored.
    rows: usize,
    cells: CellErrorSums,
    /// Notes with the number of their row in the piece.
    notes: Vec<(usize, String)>,
}

/// Puzzles, predictions and perhaps solutions from Python.
struct Given<'a> {
    puzzles: Chunks<'a>,
    predictions: Chunks<'a>,
    solutions: Option<Chunks<'a>>,
    solvable: bool,
}

impl<'a> PredictedRows for Given<'a> {
    type Scores = Piece<'a>;

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

    fn collect(&self, rows: &[Result<(&Puzzle, &RowScore), RowFault>], piece: &mut Piece<'a>) {
        let places = piece.places.take(rows.len());
        let [exact, valid, is_compared, solvable, scored, malformed, wrong_solution] = places.flags;
        let [right_cells, right_blanks, blanks, clues_kept, filled] = places.counts;
        for (number, row) in rows.iter().enumerate() {
            let note = match row {
                Ok((_, row)) => row.note(),
                Err(fault) => Some(fault.to_string()),
            };
            piece.notes.extend(note.map(|note| (piece.rows + number, note)));
            places.first_error[number] = -1;
            let Ok((puzzle, row)) = row else { continue };
            scored[number] = true;
            solvable[number] = row.solvable == Some(true);
            malformed[number] = row.fault.is_some();
            wrong_solution[number] = row.is_expected_wrong;
            if let Some(wrong) = &row.wrong {
                piece.cells.add(puzzle, wrong);
            }
            let score = &row.score;
            (exact[number], valid[number]) = (score.exact, score.valid);
            (blanks[number], filled[number]) = (score.blanks, score.filled);
            (clues_kept[number], places.conflicts[number]) = (score.clues_kept, score.conflicts);
            let Some(compared) = score.compared else { continue };
            is_compared[number] = true;
            (right_cells[number], right_blanks[number]) = (compared.right_cells, compared.right_blanks);
            places.first_error[number] = compared.first_error.map_or(-1, |cell| cell as i8);
        }
        piece.rows += rows.len();
    }

    fn collect_block(&self, block: &ScoreBlock, piece: &mut Piece<'a>) {
        let places = piece.places.take(block.rows);
        let [exact, valid, compared, _, scored, _, _] = places.flags;
        let [right_cells, right_blanks, blanks, clues_kept, filled] = places.counts;
        exact.copy_from_slice(&block.exact[..block.rows]);
        valid.copy_from_slice(&block.valid[..block.rows]);
        compared.copy_from_slice(&block.compared[..block.rows]);
        scored.fill(true);
        right_cells.copy_from_slice(&block.right_cells[..block.rows]);
        right_blanks.copy_from_slice(&block.right_blanks[..block.rows]);
        blanks.copy_from_slice(&block.blanks[..block.rows]);
        clues_kept.copy_from_slice(&block.clues_kept[..block.rows]);
        filled.copy_from_slice(&block.filled[..block.rows]);
        places.conflicts.copy_from_slice(&block.conflicts[..block.rows]);
        places.first_error.copy_from_slice(&block.first_error[..block.rows]);
        piece.cells.add_block(block);
        piece.rows += block.rows;
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
                let mut columns = Columns::new(rows);
                let mut places = columns.places();
                let place = |rows| Piece {
                    places: places.take(rows),
                    rows: 0,
                    cells: CellErrorSums::default(),
                    notes: Vec::new(),
                };
                let pieces = interruptible::run(py, &progress, |watch| {
                    score_each(rows, &given, need, level, threads, watch, place)
                })?;
                let (mut notes, mut before, mut cells) = (Vec::new(), 0, CellErrors::default());
                for piece in pieces.map_err(|error| run_error(error, None))? {
                    notes.extend(piece.notes.into_iter().map(|(row, note)| (before + row, note)));
                    before += piece.rows;
                    cells.merge(&piece.cells.finish());
                }
                Ok(raw(columns, &cells, notes))
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

fn raw(columns: Columns, cells: &CellErrors, notes: Vec<(usize, String)>) -> RawScores {
    let flags = columns.flags.map(|flags| Memory::from_flags(flags.into_iter()));
    let [exact, valid, compared, solvable, scored, malformed, wrong_solution] = flags;
    let counts = columns.counts.map(Memory::from_numbers::<UInt8Type>);
    let [right_cells, right_blanks, blanks, clues_kept, filled] = counts;
    let conflicts = Memory::from_numbers::<UInt16Type>(columns.conflicts);
    let first_error = Memory::from_numbers::<Int8Type>(columns.first_error);
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
        cells: cell_errors(cells),
        notes,
    }
}

/// Four lists with a number of compared predictions for each cell: the predictions whose puzzle has a clue in the cell, the predictions
/// with a wrong clue there, the predictions whose puzzle has a blank in the cell, and the predictions that are wrong in this blank.
pub(crate) type RawCellErrors = [Vec<u64>; 4];

pub(crate) fn cell_errors(errors: &CellErrors) -> RawCellErrors {
    let CellErrors { clues, wrong_clues, blanks, wrong_blanks } = *errors;
    [clues, wrong_clues, blanks, wrong_blanks].map(Into::into)
}

/// A mean, and the lower and upper end of its confidence interval. `None` if there are no values to take the mean over.
type Mean = Option<(f64, f64, f64)>;

/// The bootstrap that gave the confidence intervals: the number of resamples, and the seed. `None` without a bootstrap.
type RawBootstrap = Option<(u32, u64)>;

/// The means of some scores: the number of puzzles, exact, valid, cell accuracy, blank accuracy, blank accuracy pooled, and the bootstrap
/// that gave the intervals of the cell accuracy and the blank accuracy.
pub(crate) type Means = (u64, Mean, Mean, Mean, Mean, Option<f64>, RawBootstrap);

/// Returns the means of the scores in each bucket. For each row, `measures` has six numbers: exact, valid, right cells, right blanks,
/// blanks, and whether the prediction was compared with a solution. `buckets` has the number of the bucket of each row, or -1
/// for a row without a bucket. `count` is the number of buckets.
///
/// # Errors
/// `ValueError` for arrays that are not contiguous, and if `measures` and `buckets` have different numbers of rows.
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
    let bootstrap = Bootstrap::for_rows(sums.iter().map(|sums| sums.puzzles).sum());
    Ok(sums.iter().map(|sums| means(sums, bootstrap)).collect())
}

/// The result of pass@k: k, the number of groups, the number of groups with fewer than k predictions, the mean, and the bootstrap that gave
/// its interval.
pub(crate) type RawPassAt = (u32, u64, u64, Mean, RawBootstrap);

/// Returns pass@k for each k in `numbers`. `groups` has the number of the group of each prediction, or -1 for a prediction without a group.
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

pub(crate) fn pass_at_k(groups: &PredictionGroups, k: NonZeroU32) -> RawPassAt {
    let PassAt { groups, too_small, accuracy, bootstrap, .. } = groups.pass_at(k);
    (k.get(), groups, too_small, raw_mean(accuracy), raw_bootstrap(bootstrap))
}

/// Returns the scores as an HTML page if `is_page`, and as Markdown otherwise. `scores` is JSON, like the field `scores` in a record of
/// `sudobench score`.
///
/// # Errors
/// `ValueError` if `scores` is not JSON of this form.
#[pyfunction]
pub(crate) fn score_report(scores: &str, is_page: bool) -> PyResult<String> {
    let record = RowsRecord::with_scores(serde_json::from_str(scores).map_err(unusable)?);
    Ok(if is_page { scores_page(&record) } else { scores_markdown(&record) })
}

/// Computes the means and their intervals from the sums of scores. Without a `bootstrap`, the intervals of the cell accuracy and the blank
/// accuracy come from a normal distribution.
pub(crate) fn means(sums: &ScoreSums, bootstrap: Option<Bootstrap>) -> Means {
    let [exact, valid] = [sums.exact_accuracy(), sums.validity()].map(raw_mean);
    let [cells, blanks] = [sums.cell_accuracy(bootstrap), sums.blank_accuracy(bootstrap)].map(raw_mean);
    let bootstrap = raw_bootstrap(sums.bootstrap_of_means(bootstrap));
    (sums.puzzles, exact, valid, cells, blanks, sums.blank_accuracy_pooled(), bootstrap)
}

fn raw_mean(accuracy: Option<Accuracy>) -> Mean {
    accuracy.map(|Accuracy { mean, low, high }| (mean, low, high))
}

fn raw_bootstrap(bootstrap: Option<Bootstrap>) -> RawBootstrap {
    bootstrap.map(|Bootstrap { resamples, seed }| (resamples, seed))
}
