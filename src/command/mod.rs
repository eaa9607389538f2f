//! The commands. Each command validates what was typed, runs, and reports the result. Commands never call each other.

mod answer;
mod bench;
mod bench_commands;
mod compare;
mod completions;
mod dedupe;
mod doctor;
mod explain;
mod export;
mod gate;
mod generate;
mod history;
mod interrupt;
mod judge;
mod kept_history;
mod leaderboard;
mod measure;
mod measuring;
mod merge;
mod overlap;
mod progress;
mod records;
mod report;
mod rows;
mod rows_record;
mod say;
mod serve;
mod shard;
mod solvers;
mod split;
mod suggestions;
mod terminal;
mod typed_puzzles;
mod verb;

use std::ffi::OsString;
use std::io;

use clap::Parser as _;
#[cfg(unix)]
use nix::sys::signal::{SigSet, Signal};
use sudobench_rows::OptionError;
use sudobench_sudoku::simd::{Level, LevelError};

use crate::cli::{Cli, Command};

/// The result of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Fine = 0,
    /// An error such as a failed read or write.
    Failed = 1,
    /// The command line is invalid.
    Usage = 2,
    /// A performance regression.
    Regression = 3,
    /// For example, a puzzle or a program failed, a verdict is bad, or a comparison is missing.
    BadResult = 4,
    /// A check of `gate --fail-inconclusive` or a pair of `compare --fail-on worse` is undecided.
    Inconclusive = 5,
    /// Interrupted by Ctrl-C or another signal.
    Interrupted = 130,
}

/// An error in the command line that is found after parsing, such as two options that contradict each other.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

impl From<OptionError> for UsageError {
    /// Names the option as the command line does.
    fn from(OptionError { option, message }: OptionError) -> UsageError {
        UsageError(match option {
            Some(option) => format!("--{}: {message}", option.replace('_', "-")),
            None => message,
        })
    }
}

/// An interrupt before any result existed.
#[derive(Debug, thiserror::Error)]
#[error("interrupted before the first row was written")]
pub struct InterruptedError;

/// Stack size of the thread that runs the command. The command doesn't run on the main thread, because the stack size of the main thread
/// depends on `ulimit -s`.
const STACK: usize = 8 << 20;

/// Runs the whole program: parses the command line, runs the command, and reports errors. The first of `arguments` is the program's name.
pub fn start(arguments: Vec<OsString>) -> Exit {
    let thread = std::thread::Builder::new().name("command".to_owned()).stack_size(STACK);
    match thread.spawn(|| start_here(arguments)) {
        Ok(command) => command.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(error) => {
            say::say(format_args!("cannot start a thread: {error}"));
            Exit::Failed
        }
    }
}

fn start_here(arguments: Vec<OsString>) -> Exit {
    // Blocks SIGXFSZ in this thread and in the threads that it starts, so that a write beyond the limit of file sizes (`ulimit -f`) is an
    // error and does not kill the program. Ignoring the signal instead would affect all threads of the process. The program also works if
    // the signal can't be blocked, so the error of this call is ignored.
    #[cfg(unix)]
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    #[cfg(feature = "tables")]
    sudobench_tables::add_formats();
    match Cli::try_parse_from(arguments) {
        Ok(typed) => run(typed).unwrap_or_else(|error| failed(&error)),
        Err(answer) => say::answer(answer),
    }
}

/// Returns the first error of several steps that don't depend on each other, such as exports, and prints the other errors. All steps have
/// already run.
fn first_error(steps: impl IntoIterator<Item = anyhow::Result<()>>) -> anyhow::Result<()> {
    let mut errors = steps.into_iter().filter_map(anyhow::Result::err);
    let first = errors.next();
    errors.for_each(|error| say::say(format_args!("{error:#}")));
    first.map_or(Ok(()), Err)
}

fn failed(error: &anyhow::Error) -> Exit {
    if is_broken_pipe(error) {
        return Exit::Fine;
    }
    say::say(format_args!("{error:#}"));
    exit_of(error)
}

fn run(cli: Cli) -> anyhow::Result<Exit> {
    let usage = |error: LevelError| UsageError(error.to_string());
    // Without `--simd`, a wrong value of SUDOBENCH_SIMD is an error for every command, even if the command doesn't use the SIMD level.
    let level = cli.simd.map_or_else(Level::from_environment, Ok).map_err(usage)?;
    match cli.command {
        Command::Rows(typed) => verb::run(*typed, level),
        Command::Merge(typed) => merge::run(&typed),
        Command::Bench(typed) => bench::run(*typed, level),
        Command::Judge(typed) => judge::run(*typed, level),
        Command::Leaderboard(typed) => leaderboard::run(&typed, level),
        Command::Compare(typed) => compare::run(&typed),
        Command::Report(typed) => report::run(&typed),
        Command::Doctor(typed) => doctor::run(&typed),
        Command::Completions(typed) => completions::completions(&typed),
        Command::Man(typed) => completions::man(&typed),
        Command::Gate(typed) => gate::run(*typed, level),
        Command::History(typed) => history::run(&typed),
        Command::Serve(typed) => serve::run(*typed, level),
        Command::Measure => measure::run(),
        Command::Answer(typed) => answer::run(&typed, level),
        Command::Solvers => solvers::run(),
    }
}

fn exit_of(error: &anyhow::Error) -> Exit {
    for cause in error.chain() {
        if cause.is::<UsageError>() {
            return Exit::Usage;
        }
        if cause.is::<InterruptedError>() {
            return Exit::Interrupted;
        }
    }
    Exit::Failed
}

/// Returns whether the reader of the output closed the pipe. This is a success, because the reader needs no more output.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(broken))
}
