//! Measures, compares and judges programs that solve Sudoku puzzles, decides whether a change to such a program passes (the gate), and
//! reports the results.
//!
//! ```text
//! Benchmark  a whole benchmark as a library call
//! bench      datasets, contestants, rounds, paired trials
//! judge      programs under the rules of the online judge
//! problem    the two problems of the online judge: inputs, and checks of outputs
//! leaderboard  the record of a contest, kept up to date
//! record     measurements as stored in files, and histories of measurements
//! analysis   statistics over records and histories
//! gate       decides whether a change passes or fails
//! report     records as text, Markdown, CSV, HTML, JUnit
//! process    starts, feeds, limits and ends external programs
//! meters     counters of the operating system and the processor
//! ```
//!
//! The public API consists of the items below, such as [`Benchmark`], its record, and functions that report the record. It follows semantic
//! versioning. The modules and the other hidden items can change in any release.
#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod analysis;
#[doc(hidden)]
pub mod bench;
mod benchmark;
#[doc(hidden)]
pub mod gate;
#[doc(hidden)]
pub mod judge;
mod leaderboard;
#[doc(hidden)]
pub mod meters;
#[doc(hidden)]
pub mod problem;
#[doc(hidden)]
pub mod process;
#[doc(hidden)]
pub mod record;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod repository;
#[doc(hidden)]
pub mod started;
#[doc(hidden)]
pub mod statistics;

pub use bench::{Contestant, DatasetError, Engine, EngineProtocol, EngineSetup, Step};
#[doc(hidden)]
pub use benchmark::record_of;
pub use benchmark::{Benchmark, BenchmarkError};
#[doc(hidden)]
pub use leaderboard::{add_to_leaderboard, contestant_files, new_leaderboard, update_leaderboard};
pub use process::{Fault, NamedCommand, Supervisor, child_main};
pub use record::{
    Amount, AnswerKind, AnswersRecord, BenchRecord, BudgetRecord, Build, CheckedRecord, DatasetRecord,
    Effort, EngineRecord, Finding, Fingerprint, HardwareRecord, KeptPuzzles, Kind, Machine, Measurement,
    NamedPuzzle, OneByOneRecord, OneByOneTimes, PairRecord, Par2, PrefixRecord, RecordError, RoundRecord,
    RunOfPair, Settings, SlowPuzzle, SpreadRecord, StatusRecord, WrongAnswer, WrongAnswers, write_json,
};
pub use report::{bench_junit, bench_markdown, bench_text, html_page, write_bench_csv};
pub use statistics::Interval;
#[doc(hidden)]
pub use sudobench_rows::figures;
