//! The common part of all verbs (commands that process rows of puzzles): inputs, output, progress, messages on standard error, exit code.
//!
//! ```text
//! typed -> Job -> RowsConfig -> run -> the verb's report -> messages, exit code
//! ```
//!
//! The verbs themselves are in the rows package. `verb.rs` runs the verbs that need only this common part.

use std::io::IsTerminal as _;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sudobench_rows::columns::Holds;
use sudobench_rows::sink::{OutputFormat, Target};
use sudobench_rows::source::{Input, SourceError};
use sudobench_rows::verbs::VerbOptions;
use sudobench_rows::{
    AnsweredRow, Cut, Finished, Job, JobEnd, ListGroups, Notice, NoticeKind, OnProgress, OutputOptions, Pass,
    PassResults, Progress, RowOrder, RunError, RunOptions, Sink, Tally, ValidJob,
};
use sudobench_sudoku::Status;
use sudobench_sudoku::simd::Level;

use super::export::{Exports, check_stdout};
use super::interrupt::Flags;
use super::say::{self, say};
use super::typed_puzzles::inputs_of;
use super::{Exit, InterruptedError, UsageError, is_broken_pipe, shard, terminal};
use crate::cli::{ProgressWhen, RowsArgs, RunningArgs};
use sudobench_harness::record::{Build, InputRecord, Machine, RowsSetup};
use sudobench_harness::report::{RowsSummary, count, counted, plural, rate};
use sudobench_harness::started;

/// Remedy if standard output can't take the rows.
pub(super) const ROWS_REMEDY: &str = "-o FILE writes the rows to a file, -o /dev/null discards them";

/// The validated options of a run over rows. Later errors are faults of the data or the system.
pub(super) struct RowsConfig {
    pub(super) job: ValidJob,
    pub(super) threads: NonZeroUsize,
    progress: ProgressWhen,
    /// Ends the run after this number of written blocks.
    stop_after_blocks: Option<NonZeroU64>,
    pub(super) quiet: bool,
    /// Whether solutions or steps of puzzles on the command line are drawn in the terminal. If so, no summary is printed.
    pub(super) draws: bool,
    /// Names of the verb and the options that filter rows, for messages.
    left_out_by: String,
}

/// The result of a run over rows, and the exit code of the program.
pub(super) struct Ran {
    pub(super) finished: Finished,
    pub(super) exit: anyhow::Result<Exit>,
    pub(super) passes: PassResults,
    /// Whether the run has written the exports, or failed to do so.
    has_exported: bool,
}

/// Writes the exports of a run.
pub(super) type WriteExports<'r> = &'r (dyn Fn(&Finished, &PassResults) -> anyhow::Result<()> + Sync);

impl Ran {
    /// Writes the exports of a run that has not written them itself.
    ///
    /// # Errors
    ///
    /// The error of `write`; or if the output was complete before and an export does not exist.
    pub(super) fn export(&self, exports: &Exports, write: WriteExports<'_>) -> anyhow::Result<()> {
        if self.has_exported {
            return Ok(());
        }
        match &self.finished.complete_before {
            Some(_) => exports.check_written(),
            None => write(&self.finished, &self.passes),
        }
    }
}

impl RowsConfig {
    /// Validates the command line of a verb. `hash`: whether inputs are hashed.
    ///
    /// # Errors
    ///
    /// [`UsageError`] if options contradict each other.
    pub(super) fn new(
        typed: RowsArgs,
        verb: impl Into<VerbOptions>,
        hash: bool,
        level: Level,
    ) -> Result<RowsConfig, UsageError> {
        let RowsArgs { inputs, input, mut output, running } = typed;
        let verb = verb.into();
        let inputs = if verb.verb().makes_rows { Vec::new() } else { inputs_of(inputs)? };
        let draws = std::io::stdout().is_terminal() && can_draw(&verb, &inputs, &output);
        if draws {
            output.output_format = Some(OutputFormat::GRID);
        }
        let config = RowsConfig::of(Job { verb, inputs, input, output, shard: None, hash }, running, level)?;
        Ok(RowsConfig { draws, ..config })
    }

    /// Validates the job and the other options of a run. Doesn't decide whether to draw the output.
    ///
    /// # Errors
    /// As [`RowsConfig::new`].
    pub(super) fn of(job: Job, running: RunningArgs, level: Level) -> Result<RowsConfig, UsageError> {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        // This check comes before the shard is read from the environment, which may fail with a less important error.
        if let (Some(_), Some(reason)) = (running.shard, job.verb.verb().unshardable) {
            return Err(UsageError(format!("--shard: {reason}")));
        }
        let shard = running.shard.map(|choice| shard::resolve(choice, |name| std::env::var(name).ok()));
        let job = Job { shard: shard.transpose()?, ..job }.validate(level)?;
        if job.shard.is_some() {
            check_recordable(&job.inputs)?;
        }
        if job.has_rows {
            check_terminal(job.output.format, &job.target)?;
        }
        Ok(RowsConfig {
            draws: false,
            left_out_by: left_out_by(&job),
            job,
            threads: running.threads.unwrap_or_else(cores),
            progress: running.progress,
            stop_after_blocks: running.stop_after_blocks,
            quiet: running.quiet,
        })
    }

    /// Returns all files that the run reads, and all files to which the run writes rows; `-` is standard input or output.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.job.input_files().map(Path::to_owned).chain(self.job.output_files()).collect()
    }

    /// Returns whether rows go to standard output.
    pub(super) fn takes_stdout(&self) -> bool {
        self.job.has_rows && self.job.target == Target::Stdout
    }

    /// Runs the job. `description` returns the fields that this program adds to the record of a shard, such as its arguments and its build.
    /// `write` writes the exports; see [`RunOptions::on_end`].
    ///
    /// # Errors
    ///
    /// If the run can't start. Later errors are in [`Ran::exit`], with the results so far.
    pub(super) fn run(
        &self,
        interrupt: &Flags,
        description: impl FnOnce() -> anyhow::Result<serde_json::Value>,
        list_groups: Option<ListGroups<'_>>,
        write: WriteExports<'_>,
    ) -> anyhow::Result<Ran> {
        self.tell_stdin();
        if self.takes_stdout() {
            check_stdout(ROWS_REMEDY)?;
        }
        let on_pass = |Pass { name, writes }: Pass| -> OnProgress<'_> {
            let mut display = self.display(&name);
            let mut stop = StopAfterBlocks::new(self.stop_after_blocks.filter(|_| writes), interrupt);
            Box::new(move |progress| {
                display.show(progress);
                stop.count_block();
            })
        };
        let on_train = |input: &Input, finished: &Finished| {
            if !self.quiet {
                print_notices(&finished.notices, std::slice::from_ref(input), &finished.measures.tally, None);
            }
        };
        let has_exported = AtomicBool::new(false);
        let on_end = |finished: &Finished, passes: &PassResults| {
            has_exported.store(true, Ordering::Relaxed);
            write(finished, passes).map_err(|error| RunError::Report(error.into()))
        };
        let JobEnd { result, passes } = self.job.run(RunOptions {
            threads: self.threads,
            reading: Arc::clone(&interrupt.reading),
            solving: Arc::clone(&interrupt.solving),
            description: if self.job.shard.is_some() { description()? } else { serde_json::Value::Null },
            on_pass: &on_pass,
            on_train: &on_train,
            on_end: &on_end,
            list_groups,
        });
        let (finished, exit) = self.ended(result)?;
        Ok(Ran { finished, exit, passes, has_exported: has_exported.into_inner() })
    }

    /// Passes each row with its results to `each` instead of writing it.
    ///
    /// # Errors
    ///
    /// As [`RowsConfig::run`].
    pub(super) fn look(
        &self,
        interrupt: &Flags,
        mut each: impl FnMut(usize, &AnsweredRow) + Send,
    ) -> anyhow::Result<Ran> {
        self.tell_stdin();
        let how = RunOptions {
            threads: self.threads,
            reading: Arc::clone(&interrupt.reading),
            solving: Arc::clone(&interrupt.solving),
            description: serde_json::Value::Null,
            on_pass: &|_| Box::new(|_| ()),
            on_train: &|_, _| (),
            on_end: &|_, _| Ok(()),
            list_groups: None,
        };
        let sink = Sink::puzzles(|block| {
            block.rows().for_each(|row| each(block.input(), &row));
            ControlFlow::Continue(())
        });
        let pass = Pass { name: String::new(), writes: false };
        let source = self.job.open(&how.reading);
        let run = source.and_then(|source| self.job.set_up(source, &how, pass));
        let (finished, exit) = self.ended(run.and_then(|run| run.columns([]).to(sink)))?;
        Ok(Ran { finished, exit, passes: PassResults::default(), has_exported: false })
    }

    fn tell_stdin(&self) {
        if self.job.inputs.contains(&Input::Stdin) && std::io::stdin().is_terminal() && !self.quiet {
            say("reading puzzles from the terminal; end them with Ctrl-D");
        }
    }

    /// Returns the results of a run, with the exit code or the error that ended it early.
    fn ended(&self, result: Result<Finished, RunError>) -> anyhow::Result<(Finished, anyhow::Result<Exit>)> {
        match result {
            Ok(finished) => {
                let exit = Ok(self.exit_of(&finished));
                Ok((finished, exit))
            }
            Err(RunError::Halfway { error, finished }) => {
                let exit = failed(*error, &finished);
                Ok((*finished, exit))
            }
            Err(RunError::Interrupted) => Err(InterruptedError.into()),
            Err(error) => Err(error.into()),
        }
    }

    fn display(&self, pass: &str) -> Display {
        Display::new(self.progress, self.quiet, self.job.has_rows.then_some(&self.job.target), pass)
    }

    fn exit_of(&self, finished: &Finished) -> Exit {
        match finished.interrupted {
            true => Exit::Interrupted,
            false => exit_of_whole(&finished.measures.tally, self.job.verb.solves),
        }
    }

    /// Returns the fields that this program adds to the record of a shard, for verbs other than `solve`.
    ///
    /// # Errors
    ///
    /// Errors of `serde_json`.
    pub(super) fn description(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self.setup(self.stored_inputs(), false))?)
    }

    /// Returns the entries of the inputs for the record of a shard. The inputs are not read yet, so the entries have sizes of files but no
    /// hashes.
    pub(super) fn stored_inputs(&self) -> Vec<InputRecord> {
        let size = |input: &Input| match input {
            Input::File(path) => path.metadata().map_or(0, |found| found.len()),
            _ => 0,
        };
        self.job.inputs.iter().map(|input| InputRecord::of(input, size(input), None)).collect()
    }

    /// Returns the fields of a record that don't depend on the rows, for verbs other than `solve`.
    pub(super) fn setup(&self, inputs: Vec<InputRecord>, interrupted: bool) -> RowsSetup {
        let bucket_by = match &self.job.options {
            VerbOptions::Score(score) => score.bucket_by.clone(),
            _ => None,
        };
        RowsSetup {
            command: self.job.verb.name.to_owned(),
            arguments: started::arguments(),
            threads: self.threads.get(),
            inputs,
            bucket_by,
            interrupted,
            machine: Machine::detect(),
            build: Build::current(),
            shards: Vec::new(),
        }
    }

    /// Returns the names of the verb and the options that filter rows, for messages.
    pub(super) fn left_out_by(&self) -> &str {
        &self.left_out_by
    }

    /// Returns the part of the summary about rows and time. `by` is the name of the solver or command that processed the rows.
    pub(super) fn summary<'f>(&'f self, finished: &'f Finished, by: &'f str) -> RowsSummary<'f> {
        RowsSummary {
            tally: &finished.measures.tally,
            wall: finished.wall,
            threads: self.threads.get(),
            by,
            shards: 1,
            resumed_after: finished.resumed_after,
            left_out_by: &self.left_out_by,
            columns: &self.job.output.columns,
            width: terminal::words_width().unwrap_or(usize::MAX),
        }
    }

    /// Reports the number of rows and the time, for a verb other than `solve`.
    pub(super) fn print_summary(&self, finished: &Finished) {
        if !self.quiet {
            say::show(self.summary(finished, self.job.verb.name).text());
        }
    }

    /// Prints remarks on rows, and how to resume if the run was interrupted. `is_whole`: whether the run was completed.
    pub(super) fn print_words(&self, finished: &Finished, is_whole: bool) {
        if finished.interrupted {
            let answered = finished.measures.tally.rows();
            let rows = counted(answered, "row");
            match &finished.partial {
                Some(partial) => say(format_args!(
                    "interrupted after {rows}, which are complete in {}; continue with the same command and --resume",
                    partial.display()
                )),
                None if finished.forms > 0 => say(format_args!(
                    "interrupted after {rows} and {} of the next row",
                    counted(finished.forms, "form")
                )),
                None if self.job.output.order.is_some() => say(format_args!(
                    "interrupted after {rows}; none is written, because --order-by and --sample need all rows: run the command again"
                )),
                // `--skip` can't continue this run, because a run with `--skip` would lack the result of the first pass.
                None if self.job.input.replay.is_some() => {
                    say(format_args!(
                        "interrupted after {rows}; run the command again, with -o so that you can continue an interrupted \
                     run"
                    ));
                }
                None if !self.job.has_rows => {
                    say(format_args!("interrupted after {rows}; run the command again"))
                }
                None => {
                    let skip = self.job.input.skip + answered;
                    let left = self.job.input.limit.map(|limit| limit.saturating_sub(answered));
                    let flag = if self.job.inputs.is_empty() { "--count" } else { "--limit" };
                    let left = left.map(|left| format!(" and {flag} {left}"));
                    say(format_args!(
                        "interrupted after {rows}; continue with --skip {skip}{}",
                        left.unwrap_or_default()
                    ));
                }
            }
        }
        if !self.quiet {
            if let Some(complete) = &finished.complete_before {
                let is_unread = self.job.inputs.iter().any(Input::is_read_once);
                let unread = if is_unread { "; its input from a pipe was not compared" } else { "" };
                say(format_args!(
                    "{} is complete; nothing was done{unread}. This is the report of the run that made it",
                    complete.display()
                ));
            }
            let uncounted = finished.span.as_ref().filter(|span| span.start_line.is_none());
            let uncounted = uncounted.map(|span| span.start);
            print_notices(&finished.notices, &self.job.inputs, &finished.measures.tally, uncounted);
            if let (Some(shard), Target::File(path), true) = (self.job.shard, &self.job.target, is_whole) {
                say(format_args!("shard {shard} is {}", path.display()));
            }
        }
    }
}

/// Counts the blocks that a run has written, and interrupts the run at the number of `--stop-after-blocks`.
struct StopAfterBlocks {
    written: u64,
    limit: Option<NonZeroU64>,
    interrupt: Flags,
}

impl StopAfterBlocks {
    fn new(limit: Option<NonZeroU64>, interrupt: &Flags) -> StopAfterBlocks {
        StopAfterBlocks { written: 0, limit, interrupt: interrupt.clone() }
    }

    fn count_block(&mut self) {
        self.written += 1;
        if self.limit.is_some_and(|limit| self.written >= limit.get()) {
            self.interrupt.raise_all();
        }
    }
}

/// Returns whether the output can be drawn: it consists of the solutions or all steps of puzzles on the command line, and no other output
/// was requested.
fn can_draw(verb: &VerbOptions, inputs: &[Input], output: &OutputOptions) -> bool {
    let is_default = output.output.is_none() && output.output_format.is_none() && output.columns.is_none();
    let are_typed = !inputs.is_empty() && inputs.iter().all(|input| matches!(input, Input::Puzzles(_)));
    let has_all_rows = output.only.is_empty() && output.order_by.is_none() && output.sample.is_none();
    let is_drawn = matches!(verb.verb().grid.holds, Holds::Solution)
        || matches!(verb, VerbOptions::Explain(_)) && has_all_rows;
    is_default && are_typed && is_drawn
}

/// Returns the names of the verb and the options that filter rows out of the output of a job.
fn left_out_by(job: &ValidJob) -> String {
    let own = match &job.options {
        VerbOptions::Dedupe(_) => Some("dedupe"),
        VerbOptions::Rate(rate) => rate.stratify.map(|_| "--stratify"),
        _ => None,
    };
    let only = (!job.output.filter.is_empty()).then_some("--only");
    let order = job.output.order.iter().flat_map(RowOrder::leaves_out_by);
    own.into_iter().chain(only).chain(order).collect::<Vec<_>>().join(" and ")
}

/// Checks that a record can name the inputs.
pub(super) fn check_recordable(inputs: &[Input]) -> Result<(), UsageError> {
    let not_text = inputs.iter().find(|input| matches!(input, Input::File(path) if path.to_str().is_none()));
    not_text.map_or(Ok(()), |input| {
        Err(UsageError(format!(
            "a record contains the names of its inputs, but {input} is not UTF-8: rename the file, or read it from standard input"
        )))
    })
}

/// Refuses to write a binary format to a terminal.
pub(super) fn check_terminal(format: OutputFormat, target: &Target) -> Result<(), UsageError> {
    if format.is_text() || *target != Target::Stdout || !std::io::stdout().is_terminal() {
        return Ok(());
    }
    let name = format.name();
    Err(UsageError(format!("{name} cannot be shown on a terminal: name a file with -o, or use a pipe")))
}

/// Returns the result of a complete run. `solves`: see [`Verb::solves`].
pub(super) fn exit_of_whole(tally: &Tally, solves: bool) -> Exit {
    let all_well = if solves { tally.all_well() } else { tally.all_read() };
    if all_well { Exit::Fine } else { Exit::PuzzleFailed }
}

/// Returns the result of a run that failed before its end.
fn failed(error: RunError, finished: &Finished) -> anyhow::Result<Exit> {
    let remedy = match error {
        RunError::Source(SourceError::NotMade(_) | SourceError::MadeWrong { .. }) => {
            "continue after them with --resume, and with more --attempts if you like"
        }
        RunError::Source(SourceError::ChangedWhileRead { .. }) => {
            "they may be from two versions of the input, so --resume cannot continue them; start again with --force"
        }
        RunError::Source(_) => {
            "continue with --resume once the same input can be read; if you repair the input, start again with --force"
        }
        _ => "remove the cause and continue with --resume",
    };
    let error = anyhow::Error::from(error);
    // If the reader closed the pipe, it needs no more output.
    if is_broken_pipe(&error) {
        return Ok(Exit::Fine);
    }
    Err(with_partial(error, finished, remedy))
}

/// Adds the path of the finished rows and the remedy to the message of an error.
pub(super) fn with_partial(error: anyhow::Error, finished: &Finished, remedy: &str) -> anyhow::Error {
    match &finished.partial {
        Some(partial) => {
            error.context(format!("the rows before the error are in {}; {remedy}", partial.display()))
        }
        None => error,
    }
}

/// Prints the first malformed rows, mismatches and refused grids, and how many more there are of each.
///
/// `uncounted` is the start of a shard if the line number of the start is unknown. In that case, the lines of this input are counted from
/// the start of the shard.
pub(super) fn print_notices(
    notices: &[Notice],
    inputs: &[impl ToString],
    tally: &Tally,
    uncounted: Option<Cut>,
) {
    for kind in NoticeKind::ALL {
        let what = kind.words();
        let total = match kind {
            NoticeKind::Malformed => tally.of(Status::Malformed),
            NoticeKind::Mismatch => tally.mismatches,
            NoticeKind::Refused => tally.refused,
        };
        let shown = notices.iter().filter(|notice| notice.kind == kind);
        for Notice { input, line, text, .. } in shown.clone() {
            // The record doesn't name this input, so a number identifies it.
            let name = inputs
                .get(*input)
                .map_or_else(|| format!("input {}", input.saturating_add(1)), ToString::to_string);
            match uncounted.filter(|start| start.input == *input) {
                Some(Cut { at, .. }) => {
                    say(format_args!("{name}: line {line} from byte {at} on: {what}: {text}"))
                }
                None => say(format_args!("{name}:{line}: {what}: {text}")),
            }
        }
        let more = total.saturating_sub(shown.count() as u64);
        if more > 0 {
            let (more, rows) = (count(more), plural(more, "row"));
            say(format_args!("and {more} more {rows} {what}"));
        }
    }
}

/// Time between two lines of progress if there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Length of the bar. It must be large, so that the remaining time can be computed even if a run takes days.
const BAR_LENGTH: u64 = 1_000_000_000;

/// The display of progress, on standard error.
pub(super) struct Display {
    /// Prefix of all messages: the name of the pass.
    pass: String,
    shown: Shown,
}

/// The kind of progress display.
enum Shown {
    /// No display.
    Hidden,
    /// A bar that is redrawn a few times a second.
    Bar(ProgressBar),
    /// A line from time to time.
    Lines {
        /// Time of the next line.
        due: Instant,
    },
}

impl Display {
    /// Makes the requested display. With `ProgressWhen::Auto`, nothing is shown if `quiet`, or if the rows go to the terminal, where they
    /// show the progress themselves.
    pub(super) fn new(when: ProgressWhen, quiet: bool, target: Option<&Target>, pass: &str) -> Display {
        let rows_are_seen = target == Some(&Target::Stdout) && std::io::stdout().is_terminal();
        let shown = match when {
            ProgressWhen::Never => Shown::Hidden,
            ProgressWhen::Auto if quiet || rows_are_seen => Shown::Hidden,
            _ if std::io::stderr().is_terminal() => {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
                bar.set_style(ProgressStyle::default_spinner());
                Shown::Bar(bar)
            }
            _ => Shown::Lines { due: Instant::now() + LINE_INTERVAL },
        };
        Display { pass: pass.to_owned(), shown }
    }

    /// Shows the progress of a run.
    pub(super) fn show(&mut self, progress: &Progress) {
        let Progress { rows, elapsed, .. } = *progress;
        let Display { pass, shown } = self;
        match shown {
            Shown::Hidden => {}
            Shown::Bar(bar) => {
                if let Some(share) = progress.share() {
                    if bar.length().is_none() {
                        bar.set_length(BAR_LENGTH);
                        // If the template is invalid, the bar has the default style; there is no error, because the user can't fix the
                        // template.
                        let template = format!(
                            "{{bar:{}}} {{percent:>3}}%  eta {{eta}}  {{wide_msg}}",
                            terminal::bar_width()
                        );
                        let style = ProgressStyle::with_template(&template);
                        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
                    }
                    bar.set_position((share * BAR_LENGTH as f64) as u64);
                }
                bar.set_message(format!("{pass}{}", rows_and_rate(rows, elapsed)));
            }
            Shown::Lines { due } => {
                let now = Instant::now();
                if now >= *due {
                    *due = now + LINE_INTERVAL;
                    let share =
                        progress.share().map(|share| format!(", {:.0}% done", (share * 100.0).floor()));
                    let line = rows_and_rate(rows, elapsed);
                    say(format_args!("{pass}{line}{}", share.unwrap_or_default()));
                }
            }
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn rows_and_rate(rows: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-9);
    format!("{}, {}", counted(rows, "row"), rate(rows as f64 / seconds))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::{Cli, Command};

    #[test]
    fn steps_are_drawn_only_if_all_are_requested() {
        let puzzle = ".".repeat(81);
        let can_draw = |arguments: &[&str]| {
            let typed = [&["sudobench"], arguments, &[&puzzle]].concat();
            let Command::Rows(typed) = Cli::try_parse_from(typed).unwrap().command else {
                panic!("{arguments:?}")
            };
            can_draw(&typed.options, &inputs_of(typed.rows.inputs).unwrap(), &typed.rows.output)
        };
        assert!(can_draw(&["explain"]) && can_draw(&["solve"]) && can_draw(&["solve", "--only", "unique"]));
        for options in
            [&["--only", "number=1"][..], &["--order-by", "rating"], &["--sample", "1"], &["-o", "a.csv"]]
        {
            assert!(!can_draw(&[&["explain"], options].concat()), "{options:?}");
        }
        assert!(!can_draw(&["rate"]));
    }
}
