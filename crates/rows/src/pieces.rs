//! Processes rows in memory piece by piece, on several threads.

use std::num::NonZeroUsize;

use rayon::prelude::*;

use crate::pipeline;
use crate::run::RunError;
use crate::watch::Watch;

/// Returns the number of rows in a piece. If there are enough rows, each thread has several pieces, because some rows take longer than
/// others.
pub(crate) fn piece_size(rows: usize, threads: NonZeroUsize) -> usize {
    const MOST_AT_ONCE: usize = 4096;
    (rows / (4 * threads.get())).clamp(1, MOST_AT_ONCE)
}

/// Does `work` on each piece, and returns the results in the order of the pieces. If there is only one piece or one thread, the calling
/// thread does the work, because starting a thread would not help.
///
/// # Errors
/// [`RunError::Interrupted`] if the work is cancelled before the start of a piece, [`RunError::Threads`] if the threads can't be started,
/// and the errors of `work`.
pub(crate) fn for_each_piece<P: Send, T: Send>(
    pieces: impl IntoIterator<Item = P>,
    threads: NonZeroUsize,
    watch: &Watch,
    work: impl Fn(P) -> Result<T, RunError> + Send + Sync,
) -> Result<Vec<T>, RunError> {
    let work = |piece| if watch.is_cancelled() { Err(RunError::Interrupted) } else { work(piece) };
    let pieces: Vec<P> = pieces.into_iter().collect();
    match threads.get().min(pieces.len()) {
        0 | 1 => pieces.into_iter().map(work).collect(),
        _ => pipeline::pool(threads.get())?.install(|| pieces.into_par_iter().map(work).collect()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn results_are_in_order_and_cancelled_work_has_none() {
        for threads in [1, 3] {
            let (threads, watch) = (NonZeroUsize::new(threads).unwrap(), Watch::default());
            let squares = for_each_piece(0..100_u32, threads, &watch, |number| Ok(number * number)).unwrap();
            assert!(squares.into_iter().eq((0..100).map(|number| number * number)));
            let cancelled = for_each_piece(0..100, threads, &watch, |number| {
                watch.cancel.fetch_or(number == 50, Ordering::Relaxed);
                Ok(())
            });
            assert!(matches!(cancelled, Err(RunError::Interrupted)));
            assert!(for_each_piece([(); 0], threads, &watch, Ok).unwrap().is_empty());
        }
    }

    #[test]
    fn each_thread_has_several_pieces() {
        let size = |rows, threads| piece_size(rows, NonZeroUsize::new(threads).unwrap());
        assert_eq!([size(0, 1), size(100, 1), size(100, 100), size(1 << 20, 2)], [1, 25, 1, 4096]);
    }
}
