//! Finds the grids in texts that are in memory, on several threads.

use std::num::NonZeroUsize;

use sudobench_sudoku::extract::{Extracted, extract};

use crate::pieces::for_each_piece;
use crate::run::RunError;
use crate::watch::Watch;

/// Finds the grid in each text, in order; `None` if there is no grid. Bytes that are not UTF-8 are replaced. With one thread, the
/// calling thread does the work.
///
/// ```
/// use sudobench_rows::extract_each;
///
/// let texts = ["12.......".repeat(9), "none".to_owned()];
/// let found = extract_each(&texts, 2.try_into()?, &Default::default())?;
/// assert_eq!(found.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RunError::Interrupted`] if the work is cancelled; [`RunError::Threads`] if the threads cannot be started.
pub fn extract_each(
    texts: &[impl AsRef<[u8]> + Sync],
    threads: NonZeroUsize,
    watch: &Watch,
) -> Result<Vec<Option<Extracted>>, RunError> {
    for_each_piece(texts, threads, watch, |text| Ok(extract(&String::from_utf8_lossy(text.as_ref()))))
}
