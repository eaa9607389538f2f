//! Where a run stands, and how it ends.

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use sudobench_sudoku::simd::LevelError;

use crate::notice::Notice;
use crate::option_error::OptionError;
use crate::pass_error::PassError;
use crate::pipeline::ThreadsError;
use crate::shard::Span;
use crate::sink::{Answered, DestinationError};
use crate::source::{InputRead, SourceError};
use crate::{Budget, Measures};

/// Where a run stands. Told after each block that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Rows answered by this run.
    pub rows: u64,
    /// Rows that this run answers at most, where there is a limit.
    pub limit: Option<u64>,
    /// Stored (compressed) bytes of the inputs that were read, without those in which there was nothing to do.
    pub read: u64,
    /// Those of all inputs, where they are known.
    pub total: Option<u64>,
    /// Time since the start.
    pub elapsed: Duration,
}

impl Progress {
    /// The share of the work that is done, from 0 to 1: of the rows or of the bytes, whichever is nearer to its end, for
    /// the run ends there. `None` where nobody knows.
    pub fn share(&self) -> Option<f64> {
        let of = |done: u64, all: Option<u64>| all.map(|all| (done as f64 / all.max(1) as f64).min(1.0));
        of(self.rows, self.limit).into_iter().chain(of(self.read, self.total)).reduce(f64::max)
    }
}

/// A run that came to its end, or was interrupted.
#[derive(Debug)]
pub struct Finished {
    /// What was measured: of the whole output, where it went on with an earlier run.
    pub measures: Measures,
    /// When it started, or the run that it went on with.
    pub started: SystemTime,
    /// How long it took, from the first byte read to the last one written, with the time of the run that it went on with.
    pub wall: Duration,
    /// The first rows of each kind that deserve a word.
    pub notices: Vec<Notice>,
    /// What was read of each input.
    pub inputs: Vec<InputRead>,
    /// The part of the inputs that was read, of a [shard](crate::Run::shard).
    pub span: Option<Span>,
    /// Of the row behind those that are answered, the [forms](crate::Run::expand) that are written already.
    pub forms: u64,
    /// Number of rows that an earlier run had answered already.
    pub resumed_after: u64,
    /// Whether it was cancelled. Then the rows before the first that was given up are written.
    pub interrupted: bool,
    /// The partial output file, if the run did not complete. `--resume` continues it.
    pub partial: Option<PathBuf>,
    /// The output file, if an earlier run of the same job had completed it. Then nothing was done, and the counts are those of that run.
    pub complete_before: Option<PathBuf>,
}

impl Finished {
    /// What an earlier run has done, which has completed the output at `path`.
    pub(super) fn earlier(path: PathBuf, before: Answered, budgets: &[Budget]) -> Finished {
        let resumed_after = before.tally.rows();
        let mut measures = Measures { tally: before.tally, ..Measures::new(budgets) };
        measures.latency.merge(&before.latency);
        Finished {
            measures,
            started: before.started,
            wall: before.elapsed,
            notices: before.notices,
            inputs: Vec::new(),
            span: None,
            forms: before.forms,
            resumed_after,
            interrupted: false,
            partial: None,
            complete_before: Some(path),
        }
    }
}

/// Why a run did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An input cannot be read, or not further.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The output cannot be written, or not further.
    #[error(transparent)]
    Destination(#[from] DestinationError),
    /// The solver cannot be built.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// What compresses the output cannot be made.
    #[error("cannot compress the output")]
    Compression(#[source] io::Error),
    /// The input has no column of which the filter has a condition.
    #[error(transparent)]
    Filter(#[from] OptionError),
    /// A pass before the one that writes failed.
    #[error(transparent)]
    Pass(#[from] PassError),
    /// Interrupted during preparation, before the first row.
    #[error("interrupted before the first row")]
    Interrupted,
    /// Preparation failed, before the first row.
    #[error(transparent)]
    Unprepared(Box<dyn Error + Send + Sync>),
    /// Something failed halfway. What was done until then is told.
    #[error("the run stopped before its end")]
    Halfway {
        /// What failed.
        #[source]
        error: Box<RunError>,
        /// What was done.
        finished: Box<Finished>,
    },
}

/// What is told where a run stands.
pub(super) type ProgressCall<'r> = Box<dyn FnMut(&Progress) + Send + 'r>;
