//! Sudoku puzzles that stream: read from files of any size, solved on all cores, a row out for every row in, measured.
//!
//! ```no_run
//! use sudobench_batch::{Run, Sink};
//! use sudobench_batch::source::{Input, Options, Source};
//!
//! let source = Source::open(&[Input::File("sudoku.csv.zip".into())], Options::default())?;
//! let finished = Run::over(source).to(Sink::file("solved.csv"))?;
//! println!("{} rows in {:?}", finished.measures.tally.rows(), finished.wall);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The data walk
//! ```text
//! bytes      -> source     blocks of raw bytes, split at record borders, decompressed if need be
//!  block     -> rows       line number, puzzle or what is wrong with it, expected solution, the untouched row
//!  puzzles   -> solver     solve_batch(&[Puzzle], question, &mut [Outcome])
//!  outcomes  -> answers    the referee's word, the expected solution's; counts and latencies
//!  answers   -> columns    what was asked for
//!  columns   -> sink       one output row for every input row, in input order
//! ```
//! [`run`] is the whole of it; [`pipeline`] moves the blocks: workers on rayon's threads, who read and write in turn, in
//! order, in bounded memory.
#![forbid(unsafe_code)]

mod answers;
mod board_forms;
mod budgets;
mod checks;
pub mod columns;
mod dedupe;
mod digest;
mod fingerprint;
mod forms;
mod found;
mod latency;
mod marks;
mod measures;
mod merge;
mod only;
pub mod overlap;
mod passes;
pub mod pipeline;
mod rating;
pub mod run;
mod shard;
pub mod sink;
pub mod source;
mod stratify;
#[cfg(feature = "arrow")]
pub mod table;
mod tally;

pub use answers::{AnsweredBlock, AnsweredRow, Note, Notice, NoticeKind};
pub use board_forms::{BoardForms, Boards, BoardsError};
pub use budgets::{Budget, BudgetError, Budgets, Preset};
pub use checks::{Checked, CheckedRows, MOST_CALLS};
pub use dedupe::{ClassPart, ClassesOfRows, Dedupe, DedupeError, Duplicates, GroupRow, Groups, classes_of};
pub use digest::Digest;
pub use fingerprint::{draw_key, fingerprint};
pub use forms::{Form, Transform, Transformations};
pub use found::{Find, FoundPuzzle};
pub use latency::{HistogramLogError, Latency, LatencyCounts, LatencySummary, Within};
pub use marks::Marks;
pub use measures::Measures;
pub use merge::{MergeError, Merging, Part, PartFault, Parts, PartsError};
pub use only::{Only, OnlyError};
pub use rating::{Isomorphs, Rated};
pub use run::{Finished, Progress, Run, RunError, Sink};
pub use shard::{Cut, Shard, ShardError, ShardRecord, ShardRecordError};
pub use stratify::{Strata, Stratify, StratifyError};
pub use tally::{MARK_CLASSES, Tally};
