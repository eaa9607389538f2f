//! Processes Sudoku puzzles, for example the rows of large files: reads the rows, solves or rates the puzzles on several cores, and writes
//! rows with the results.
//!
//! ```no_run
//! use sudobench_rows::{Run, Sink};
//! use sudobench_rows::source::{Input, Options, Source};
//!
//! let source = Source::open(&[Input::File("sudoku.csv.zip".into())], Options::default())?;
//! let finished = Run::over(source).to(Sink::file("solved.csv"))?;
//! println!("{} rows in {:?}", finished.measures.tally.rows(), finished.wall);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Data flow
//! ```text
//!  bytes      -> source     blocks of raw bytes, decompressed if necessary, split at the ends of records
//!  block      -> rows       line number, puzzle or what is wrong with it, expected solution, the untouched row
//!  puzzles    -> solver     solve_batch(&[Puzzle], question, &mut [Outcome])
//!  outcomes   -> answers    checked by the referee and compared with expected solutions; counts and latencies
//!  answers    -> columns    the requested values
//!  columns    -> sink       output rows: by default one for each input row, in input order
//! ```
//! [`run`] puts these steps together. [`pipeline`] moves the blocks: workers on rayon's threads take turns at reading and at writing. The
//! blocks keep their order, and only a fixed number of them is in memory.
#![forbid(unsafe_code)]

mod accuracy;
mod answers;
mod as_text;
mod augment;
mod board_forms;
mod budgets;
mod candidates;
mod cell_errors;
mod checked_rows;
pub mod columns;
mod counts;
mod dedupe;
mod digest;
mod expand;
mod extract_each;
pub mod facts;
pub mod figures;
mod filter;
mod fingerprint;
mod formats;
mod forms;
mod groups;
mod input_columns;
mod input_options;
mod job;
mod job_difference;
mod keywords;
mod latency;
mod measures;
mod merge;
mod notice;
mod option_error;
mod order;
mod output_options;
mod output_rows;
pub mod overlap;
mod pass_at;
mod pass_error;
mod passes;
mod pieces;
pub mod pipeline;
mod place;
mod resolved_job;
mod resume;
pub mod run;
mod score_each;
mod scores;
mod scoring;
mod shard;
mod shard_record;
pub mod sink;
mod sorter;
pub mod source;
mod split_files;
mod stratified_split;
mod stratify;
mod tally;
mod training;
mod transform;
pub mod values;
pub mod verbs;
mod watch;

pub use accuracy::{Accuracy, Bootstrap, quantile_of_sorted};
pub use answers::{AnsweredBlock, AnsweredRow, FoundItem, Marks, Note, RowForm};
pub use augment::{Augment, AugmentError, BoardsIn, BoardsOut};
pub use board_forms::{BoardForms, Boards, BoardsError};
pub use budgets::{Budget, Budgets, Preset};
pub use candidates::find_candidates;
pub use cell_errors::{CellCounts, CellErrorSums, CellErrors};
pub use checked_rows::CheckedRows;
pub use counts::Counts;
pub use dedupe::{ClassPart, ClassesOfRows, Dedupe, Duplicates, classes_of};
pub use digest::{Digest, hexadecimal};
pub use pass_at::{PassAt, PredictionGroups};
pub use score_each::{PredictedRows, ScoredBoards, score_each};
pub use scores::{MOST_BUCKETS, ScoreRange, ScoreSums, Scores, number};
/// Building blocks for packages that read puzzles from tables, or that store answers in columns of types other than text.
pub mod internals {
    pub use crate::answers::{Answerer, Answers, Choice};
    pub use crate::facts::{FactContext, FactPlan, Settings};
    pub use crate::input_columns::InputColumns;
    pub use crate::latency::Times;
}

pub use expand::{Expand, Finder, Found};
pub use extract_each::extract_each;
pub use facts::{Isomorphs, MOST_CALLS};
pub use filter::Filter;
pub use fingerprint::{draw_key, fingerprint};
pub use formats::add_formats;
pub use groups::{GroupRow, Groups};
pub use input_options::InputOptions;
pub use job::{InputPass, Job, OnEnd, OnPass, OnProgress, RunOptions, ValidJob, target};
pub use latency::{Latency, LatencyCounts, LatencySummary, Within};
pub use measures::RunMeasures;
pub use merge::{MergeError, Merging, ShardOutput, ShardOutputs, ShardOutputsError};
pub use notice::{Notice, NoticeKind};
pub use option_error::OptionError;
pub use order::{RowOrder, Sample};
pub use output_options::OutputOptions;
pub use pass_error::PassError;
pub use passes::{JobInputs, ListGroups, Passes, SummaryLine};
pub use place::{check_apart, is_standard, may_be_closed_stdout};
pub use resolved_job::{InputIdentity, ResolvedJob, ResolvedRecipe, ResolvedSolving};
pub use run::{Finished, Progress, Run, RunError, Sink};
pub use shard::{Cut, Shard, Span};
pub use shard_record::{ShardRecord, ShardRecordError};
pub use split_files::{check_sides, end_sides};
pub use stratified_split::{SplitCounts, SplitStratum, StratifiedSplit};
pub use stratify::{Strata, Stratify, Stratum, stratified};
pub use tally::{MARK_CLASSES, Tally};
pub use training::{TrainPasses, TrainRead};
pub use transform::{Draws, Transform, Transformations};
pub use verbs::{RowOutput, Verb};
pub use watch::{StopFlags, Watch};
