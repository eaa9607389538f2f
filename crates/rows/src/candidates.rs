//! Finds the candidates of puzzles in memory, on several threads.

use std::num::NonZeroUsize;
use std::sync::Arc;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::candidates::{CandidateLevel, CellDigits};
use sudobench_sudoku::simd::Level;

use crate::facts::{ExactCandidates, Fact as _, FactContext, Settings};
use crate::pieces::{for_each_piece, piece_size};
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
    let context = FactContext::new(level, Arc::clone(&watch.cancel), Settings::default());
    let of_piece = |puzzles: &[Puzzle]| {
        let mut finder = ExactCandidates::new(&context, 0)?;
        let found = finder.find(puzzles, candidates).ok_or(RunError::Interrupted)?;
        watch.add(puzzles.len());
        Ok(found)
    };
    let pieces = puzzles.chunks(piece_size(puzzles.len(), threads));
    Ok(for_each_piece(pieces, threads, watch, of_piece)?.concat())
}
