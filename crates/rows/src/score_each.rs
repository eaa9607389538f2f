//! Scores of predictions in memory, on several threads.

use std::num::NonZeroUsize;
use std::sync::Arc;

use rayon::prelude::*;
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::simd::Level;

use crate::facts::{
    FactBlock, FactContext, FactPlan, Need, Prediction, PuzzlesOfBlock, RowScore, Scored, Settings,
};
use crate::pipeline;
use crate::run::RunError;
use crate::source::RowFault;
use crate::watch::Watch;

/// Scores predictions in memory on several threads, piece by piece. `read` returns the puzzle and the prediction of a row, or why the puzzle
/// is malformed; `collect` gets the scores of the rows of a piece, in their order. Returns what it makes of each piece.
///
/// ```
/// use sudobench_rows::facts::{Prediction, RowScore, Scored};
/// use sudobench_rows::score_each;
/// use sudobench_sudoku::{Puzzle, simd::Level};
///
/// let prediction = Prediction { board: Ok(Puzzle::EMPTY), form: None, solution: None };
/// let read = |_| Ok((Puzzle::EMPTY, prediction.clone()));
/// let filled = |rows: &[Result<&RowScore, _>]| rows.iter().flatten().map(|row| row.score.filled).collect::<Vec<_>>();
/// let found = score_each(2, read, Scored::ALONE, filled, Level::widest(), 1.try_into()?, &Default::default())?;
/// assert_eq!(found.concat(), [0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RunError::Interrupted`] once the work is cancelled; [`RunError::Level`] and [`RunError::Threads`].
pub fn score_each<T: Send>(
    rows: usize,
    read: impl Fn(usize) -> Result<(Puzzle, Prediction), RowFault> + Sync,
    need: Need,
    collect: impl Fn(&[Result<&RowScore, RowFault>]) -> T + Sync,
    level: Level,
    threads: NonZeroUsize,
    watch: &Watch,
) -> Result<Vec<T>, RunError> {
    let plan = FactPlan::new([need]);
    let context = FactContext::new(level, Some(Arc::clone(&watch.cancel)), Settings::default());
    let piece = pipeline::piece_of(rows, threads);
    let of_piece = |start: usize| {
        let mut facts = plan.facts(&context)?;
        let mut known = FactBlock::default();
        let (mut puzzles, mut predictions, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for row in start..rows.min(start + piece) {
            match read(row) {
                Ok((puzzle, prediction)) => {
                    puzzles.push(puzzle);
                    predictions.push(prediction);
                    faults.push(None);
                }
                Err(fault) => faults.push(Some(fault)),
            }
        }
        let block = PuzzlesOfBlock::new(&puzzles, &[], true, &[]);
        let scored = facts.compute(&PuzzlesOfBlock { predictions: &predictions, ..block }, &mut known);
        if scored < puzzles.len() || watch.is_cancelled() {
            return Err(RunError::Interrupted);
        }
        watch.add(faults.len());
        let mut scores = known.get::<Scored>().unwrap_or_default().iter().flatten();
        let row = |fault: Option<RowFault>| match fault {
            Some(fault) => Some(Err(fault)),
            None => scores.next().map(Ok),
        };
        Ok(collect(&faults.into_iter().filter_map(row).collect::<Vec<_>>()))
    };
    let starts: Vec<usize> = (0..rows).step_by(piece).collect();
    pipeline::pool(threads.get())?.install(|| starts.into_par_iter().map(of_piece).collect())
}
