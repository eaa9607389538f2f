//! Finds the candidates of puzzles in memory, on several threads.

use std::num::NonZeroUsize;
use std::sync::Arc;

use rayon::prelude::*;
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::candidates::{CandidateFinder, CandidateLevel, CellDigits};
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::simd::Level;

use crate::pipeline;
use crate::run::RunError;
use crate::watch::Watch;

/// Returns the candidates of each puzzle: 81 sets of digits, as [`CellDigits`]. The result is the same for any number of threads.
///
/// ```
/// use sudobench_rows::find_candidates;
/// use sudobench_sudoku::candidates::CandidateLevel;
/// use sudobench_sudoku::{Puzzle, simd::Level};
///
/// let (level, threads) = (Level::widest(), 1.try_into()?);
/// let found = find_candidates(&[Puzzle::EMPTY], CandidateLevel::Exact, level, threads, &Default::default())?;
/// assert_eq!(found, [[0b1_1111_1111; 81]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RunError::Interrupted`] if the work is cancelled, [`RunError::Level`] if the CPU lacks the SIMD level, and [`RunError::Threads`] if
/// the threads cannot be started.
pub fn find_candidates(
    puzzles: &[Puzzle],
    candidates: CandidateLevel,
    level: Level,
    threads: NonZeroUsize,
    watch: &Watch,
) -> Result<Vec<CellDigits>, RunError> {
    let mut found = vec![[0; CELLS]; puzzles.len()];
    let piece = pipeline::piece_of(puzzles.len(), threads);
    let of_piece = |(puzzles, found): (&[Puzzle], &mut [CellDigits])| {
        let mut finder = CandidateFinder::new(level)?.cancel(Arc::clone(&watch.cancel));
        if !finder.find(puzzles, candidates, found) {
            return Err(RunError::Interrupted);
        }
        watch.add(puzzles.len());
        Ok(())
    };
    pipeline::pool(threads.get())?
        .install(|| puzzles.par_chunks(piece).zip(found.par_chunks_mut(piece)).try_for_each(of_piece))?;
    Ok(found)
}
