//! The progress of a run, its result, and its errors.

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use sudobench_sudoku::simd::LevelError;

use crate::figures::counted;
use crate::notice::Notice;
use crate::option_error::OptionError;
use crate::pass_error::PassError;
use crate::pipeline::ThreadsError;
use crate::shard::Span;
use crate::sink::{Answered, DestinationError};
use crate::source::{InputRead, SourceError};
use crate::{Budget, RunMeasures};

/// The progress of a run or of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of rows done by this run.
    pub rows: u64,
    /// Largest number of rows of this run, if there is a limit.
    pub limit: Option<u64>,
    /// Number of input bytes read, counted before decompression. Bytes at the start are not counted if their rows are skipped, are before
    /// the shard, or were done by an earlier run.
    pub read: u64,
    /// Total number of bytes of the inputs or of the shard, if known, counted like `read`. A run with a limit on its rows may read fewer.
    pub total: Option<u64>,
    /// Time since the start.
    pub elapsed: Duration,
}

impl Progress {
    /// Returns the share of the work that is done, from 0 to 1. This is the share of rows or the share of bytes, whichever is larger,
    /// because the run ends when one of them is complete. Returns `None` if both are unknown.
    pub fn share(&self) -> Option<f64> {
        let of = |done: u64, all: Option<u64>| all.map(|all| (done as f64 / all.max(1) as f64).min(1.0));
        of(self.rows, self.limit).into_iter().chain(of(self.read, self.total)).reduce(f64::max)
    }
}

/// The results of a run, complete or not.
#[derive(Debug)]
pub struct Finished {
    /// The measurements. If the run resumed an earlier one, they cover the whole output.
    pub measures: RunMeasures,
    /// The start of the run, or of the run that it resumed.
    pub started: SystemTime,
    /// The time that the function given to [`Run::prepare`](crate::Run::prepare()) took, plus the time from the start of reading until all
    /// rows were written. If this run resumed an earlier run, the time of the earlier run is included.
    pub wall: Duration,
    /// The first notices of each kind.
    pub notices: Vec<Notice>,
    /// For each input that was reached, the number of bytes read, and their checksum if it was requested.
    pub inputs: Vec<InputRead>,
    /// The part of the inputs that a [shard](crate::Run::shard) read.
    pub span: Option<Span>,
    /// If rows are transformed: number of [forms](crate::Run::expand) of the first incomplete row that are in the output. Otherwise 0.
    pub forms: u64,
    /// Number of rows that an earlier run had done.
    pub resumed_after: u64,
    /// Whether the run was cancelled. If so, the output of all rows before the first unfinished row is written, unless the run has an
    /// [order](crate::Run::order).
    pub interrupted: bool,
    /// The partial output file, if the run did not complete and left such a file.
    pub partial: Option<PathBuf>,
    /// The output file, if an earlier run of the same job had completed it. If so, this run did nothing, and the counts are those of the
    /// earlier run.
    pub complete_before: Option<PathBuf>,
}

impl Finished {
    /// Returns a message that says where the rows before an error are, and what to do next: `remedy`, or to start again if there are no
    /// rows. Returns `None` if there is no partial output.
    pub fn rows_before_error(&self, remedy: &str) -> Option<String> {
        let partial = self.partial.as_ref()?.display();
        Some(match self.measures.tally.rows() {
            0 => "no row was finished before the error; start again with --force".to_owned(),
            _ => format!("the rows before the error are in {partial}; {remedy}"),
        })
    }

    /// Returns a message about an interrupted run: how many rows were finished, and what to do next. Returns `None` if there is no partial
    /// output. `can_resume`: whether `--resume` can continue the run.
    pub fn interruption(&self, can_resume: bool) -> Option<String> {
        let (rows, partial) = (counted(self.measures.tally.rows(), "row"), self.partial.as_ref()?.display());
        let remedy = match can_resume {
            true => "continue with the same options and --resume",
            false => "start again with --force",
        };
        Some(format!("interrupted after {rows}, whose output is in {partial}; {remedy}"))
    }

    /// Returns the result of an earlier run that completed the output at `path`.
    pub(super) fn earlier(path: PathBuf, before: Answered, budgets: &[Budget]) -> Finished {
        let resumed_after = before.tally.rows();
        let mut measures =
            RunMeasures { tally: before.tally, scores: before.scores, ..RunMeasures::new(budgets) };
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

/// Reasons why a run did not complete.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Reading the inputs or generating the puzzles failed.
    #[error(transparent)]
    Source(SourceError),
    /// The output can't be written, or writing failed halfway.
    #[error(transparent)]
    Destination(#[from] DestinationError),
    /// The CPU lacks the requested SIMD level.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// Too many threads were requested, or the threads can't be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// The output can't be compressed.
    #[error("cannot compress the output")]
    Compression(#[source] io::Error),
    /// An option is invalid or doesn't fit the input, such as a condition on a column that the input doesn't have.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A pass over the rows failed: see [`PassError`].
    #[error(transparent)]
    Pass(#[from] PassError),
    /// Interrupted before the first row was written, or in a function that processes rows in memory.
    #[error("interrupted before the first row was written")]
    Interrupted,
    /// Preparation failed, before the first row.
    #[error(transparent)]
    Unprepared(Box<dyn Error + Send + Sync>),
    /// There are no rows, and an empty result could pass for a success. The text says where rows are missing, such as ` in TRAIN`; it is
    /// empty for the inputs of the run.
    #[error("there are no rows{0}, so there is no result")]
    NoRows(&'static str),
    /// A report of the run can't be written.
    #[error(transparent)]
    Report(Box<dyn Error + Send + Sync>),
    /// The run failed after its preparation. Its results so far are included.
    #[error("the run stopped before its end")]
    Halfway {
        /// The error.
        #[source]
        error: Box<RunError>,
        /// The results so far.
        finished: Box<Finished>,
    },
}

impl From<SourceError> for RunError {
    /// If the reading was interrupted, returns [`RunError::Interrupted`], because the input has no fault.
    fn from(error: SourceError) -> RunError {
        if error.is_interrupt() { RunError::Interrupted } else { RunError::Source(error) }
    }
}

pub(super) type ProgressCall<'r> = Box<dyn FnMut(&Progress) + Send + 'r>;
