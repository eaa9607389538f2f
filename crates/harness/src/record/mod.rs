//! Files with the results of measurements, and with descriptions of the machine and the build with which the measurements were made.

mod bench_record;
mod commands_record;
mod consistency;
mod contest;
#[cfg(test)]
pub(crate) mod fixtures;
mod forms;
mod histogram_text;
mod history;
mod input;
mod judge_record;
mod machine;
mod noise;
mod overlap_record;
mod pair_record;
pub mod registry;
mod rows_record;
mod run_record;
mod single_puzzles;
mod wrong_answers;

pub use bench_record::{BENCH, BenchRecord, DatasetRecord, Fingerprint, JUDGE, RecordError, Settings};
pub use commands_record::{COMMANDS, CommandFailure, CommandResult, CommandsRecord, CommandsSettings};
pub use contest::{Contest, ContestSet, ContestantFile, ContestantSpec, Leaderboard, Rules};
pub use forms::{Amount, PuzzleName, SpreadRecord};
pub(crate) use histogram_text::histogram_to_text;
pub use histogram_text::{HistogramTextError, histogram_from_text};
pub use history::{
    HISTORY_SCHEMA_VERSION, History, HistoryEntry, HistoryError, HistoryPair, RatioRecord, TimeRecord,
    check_appendable, wait_for_lock,
};
pub use input::{read_stored, read_stored_file, stored_text};
pub use judge_record::{FailureRecord, JudgeRecord, JudgedPuzzle, SlowRecord, Verdict, VerdictRecord};
pub use machine::{Build, Machine};
pub use noise::{Finding, look_for_noise};
pub use overlap_record::{DatasetRowsRecord, OverlapCountRecord, OverlapRecord};
pub(crate) use pair_record::middle_run;
pub use pair_record::{
    AnswerKind, AnswersRecord, CheckedRecord, Clock, Effort, EngineRecord, HardwareRecord, KeptPuzzles, Kind,
    Measurement, PairRecord, Par2, PrefixRecord, RoundRecord, RunOfPair,
};
pub use rows_record::{DuplicatesRecord, RowsRecord, RowsSetup, ScoreRecord, ScoresRecord, WordsRecord};
pub use run_record::{
    BudgetRecord, InputRecord, RunRecord, RunSetup, SCHEMA_VERSION, ShardTimeRecord, SolveSetup,
    StatusRecord, write_json,
};
pub use single_puzzles::{NamedPuzzle, OneByOneRecord, OneByOneTimes, PuzzleFigures, SlowPuzzle};
pub use wrong_answers::{WrongAnswer, WrongAnswers};

/// Returns whether a count is 0. A count of 0 is not written to a record. When a record is read, an absent count is 0.
fn is_zero(count: &u64) -> bool {
    *count == 0
}
