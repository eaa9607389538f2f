//! The common part of the verbs: inputs, output, progress, messages on standard error, exit code.
//!
//! ```text
//! typed -> Job -> RowsConfig -> run -> the verb's report -> messages, exit code
//! ```

use std::io::IsTerminal as _;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use sudobench_rows::columns::Holds;
use sudobench_rows::sink::{Existing, OutputFormat, Target};
use sudobench_rows::source::Input;
use sudobench_rows::verbs::{SolveOptions, VerbOptions};
use sudobench_rows::{
    AnsweredRow, Cut, Finished, InputPass, Job, ListGroups, Notice, NoticeKind, OnProgress, OutputOptions,
    RowOrder, RunError, RunOptions, Sink, StopFlags, Tally, ValidJob, check_apart, is_standard,
};
use sudobench_sudoku::Status;
use sudobench_sudoku::simd::Level;

use super::export::{Exports, Kind, check_stdout};
use super::progress::RowsProgress;
use super::say::say;
use super::typed_puzzles::inputs_of;
use super::{Exit, InterruptedError, UsageError, is_broken_pipe, shard, terminal};
use crate::cli::{ProgressWhen, RowsArgs, RunningArgs};
use sudobench_harness::record::{Build, InputRecord, Machine, RowsSetup, RunSetup, SolveSetup};
use sudobench_harness::report::{RowsSummary, count, counted, plural};
use sudobench_harness::started;

/// Remedy if standard output can't take the rows.
pub(super) const ROWS_REMEDY: &str = "-o FILE writes the rows to a file, -o /dev/null discards them";

/// The validated options of a run over rows.
pub(super) struct RowsConfig {
    pub(super) job: ValidJob,
    pub(super) threads: NonZeroUsize,
    level: Level,
    progress: ProgressWhen,
    /// Ends the run after this number of written blocks.
    stop_after_blocks: Option<NonZeroU64>,
    pub(super) quiet: bool,
    /// Whether solutions or steps of puzzles on the command line are drawn in the terminal.
    pub(super) draws: bool,
    /// The verb and the options that leave rows out of the output, for messages.
    left_out_by: String,
}

/// The result of a run over rows, and the exit code of the program.
pub(super) struct RunResult {
    pub(super) finished: Finished,
    pub(super) exit: anyhow::Result<Exit>,
    /// Whether the run has already tried to write the exports, successfully or not.
    has_exported: bool,
}

pub(super) type WriteExports<'r> = &'r (dyn Fn(&Finished) -> anyhow::Result<()> + Sync);

impl RunResult {
    /// Writes the exports of a run that has not written them itself.
    ///
    /// # Errors
    ///
    /// If `write` fails, or if the output was already complete when the run started and an export does not exist.
    pub(super) fn export(&self, exports: &Exports, write: WriteExports<'_>) -> anyhow::Result<()> {
        if self.has_exported {
            return Ok(());
        }
        match &self.finished.complete_before {
            Some(_) => exports.check_written(),
            None => write(&self.finished),
        }
    }
}

impl RowsConfig {
    /// Validates the command line of a verb. `hash`: whether inputs are hashed.
    ///
    /// # Errors
    ///
    /// [`UsageError`] if the command line is invalid, for example because options contradict each other.
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
        let config =
            RowsConfig::from_job(Job { verb, inputs, input, output, shard: None, hash }, running, level)?;
        Ok(RowsConfig { draws, ..config })
    }

    /// Validates the job and the other options of a run. In the result, `draws` is false.
    ///
    /// # Errors
    /// As [`RowsConfig::new`].
    pub(super) fn from_job(job: Job, running: RunningArgs, level: Level) -> Result<RowsConfig, UsageError> {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        // This check comes before the shard is read from the environment, which may fail with a less important error.
        if running.shard.is_some() {
            job.verb.check_shardable()?;
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
            level,
            progress: running.progress,
            stop_after_blocks: running.stop_after_blocks,
            quiet: running.quiet,
        })
    }

    /// Opens exports that are written in addition to the rows.
    ///
    /// # Errors
    /// As [`Exports::open`]; [`UsageError`] if an export is a file that the run reads or to which it writes rows.
    pub(super) fn open_exports(&self, asked: &[(Kind, &Option<PathBuf>)]) -> anyhow::Result<Exports> {
        let rows = if self.job.has_rows { self.job.output_files() } else { Vec::new() };
        let exports = asked.iter().filter_map(|(_, path)| path.as_deref()).filter(|path| !is_standard(path));
        let written = rows.iter().map(PathBuf::as_path).chain(exports);
        check_apart(self.job.input_files(), written).map_err(UsageError::from)?;
        Exports::open(asked.iter().copied(), self.is_forced(), [])
    }

    pub(super) fn is_forced(&self) -> bool {
        self.job.existing == Existing::Overwrite
    }

    pub(super) fn takes_stdout(&self) -> bool {
        self.job.has_rows && self.job.target == Target::Stdout
    }

    /// Runs the job. `write` writes the exports; see [`RunOptions::on_end`].
    ///
    /// # Errors
    ///
    /// If the run ends without results: for example, if the run can't start or is interrupted before the first row. Other errors are in
    /// [`RunResult::exit`], with the results so far.
    pub(super) fn run(
        &self,
        interrupt: &StopFlags,
        list_groups: Option<ListGroups<'_>>,
        write: WriteExports<'_>,
    ) -> anyhow::Result<RunResult> {
        self.tell_stdin();
        if self.takes_stdout() {
            check_stdout(ROWS_REMEDY)?;
        }
        let on_pass = |InputPass { name, writes }: InputPass| -> OnProgress<'_> {
            let target = self.job.has_rows.then_some(&self.job.target);
            let mut display = RowsProgress::new(self.progress, self.quiet, target, name);
            let (mut blocks, limit) = (0, self.stop_after_blocks.filter(|_| writes));
            Box::new(move |progress| {
                display.show(progress);
                blocks += 1;
                if limit.is_some_and(|limit| blocks >= limit.get()) {
                    interrupt.reading.store(true, Ordering::SeqCst);
                    interrupt.solving.store(true, Ordering::SeqCst);
                }
            })
        };
        let on_train = |input: &Input, finished: &Finished| {
            if !self.quiet {
                print_notices(&finished.notices, std::slice::from_ref(input), &finished.measures.tally, None);
            }
        };
        let has_exported = AtomicBool::new(false);
        let on_end = |finished: &Finished| {
            has_exported.store(true, Ordering::Relaxed);
            write(finished).map_err(|error| RunError::Report(error.into()))
        };
        let result = self.job.run(RunOptions {
            description: if self.job.shard.is_some() { self.description()? } else { serde_json::Value::Null },
            on_pass: &on_pass,
            on_train: &on_train,
            on_end: &on_end,
            list_groups,
            ..RunOptions::new(self.threads, interrupt.clone())
        });
        let (finished, exit) = self.ended(result)?;
        Ok(RunResult { finished, exit, has_exported: has_exported.into_inner() })
    }

    /// Passes each row with its results to `each` instead of writing it.
    ///
    /// # Errors
    ///
    /// As [`RowsConfig::run`].
    pub(super) fn look(
        &self,
        interrupt: &StopFlags,
        mut each: impl FnMut(usize, &AnsweredRow) + Send,
    ) -> anyhow::Result<RunResult> {
        self.tell_stdin();
        let how = RunOptions::new(self.threads, interrupt.clone());
        let sink = Sink::puzzles(|block| {
            block.rows().for_each(|row| each(block.input(), &row));
            ControlFlow::Continue(())
        });
        let (finished, exit) = self.ended(self.job.look(&how, &[], sink))?;
        Ok(RunResult { finished, exit, has_exported: false })
    }

    fn tell_stdin(&self) {
        if self.job.inputs.contains(&Input::Stdin) && std::io::stdin().is_terminal() && !self.quiet {
            say("reading puzzles from the terminal: press Ctrl-D after the last one");
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
                let remedy = self.job.remedy(&error);
                let error = anyhow::Error::from(*error);
                // If the reader closed the pipe, it needs no more output.
                let exit = match is_broken_pipe(&error) {
                    true => Ok(Exit::Fine),
                    false => Err(with_partial(error, &finished, remedy)),
                };
                Ok((*finished, exit))
            }
            Err(RunError::Interrupted) => Err(InterruptedError.into()),
            Err(error) => Err(error.into()),
        }
    }

    fn exit_of(&self, finished: &Finished) -> Exit {
        match finished.interrupted {
            true => Exit::Interrupted,
            false => exit_of_whole(&finished.measures.tally, self.job.verb.solves),
        }
    }

    /// Returns the fields that this program adds to the record of a shard, such as its arguments and its build. The inputs are not read
    /// yet, so their entries have sizes of files but no hashes.
    fn description(&self) -> serde_json::Result<serde_json::Value> {
        let size = |input: &Input| match input {
            Input::File(path) => path.metadata().map_or(0, |found| found.len()),
            _ => 0,
        };
        let inputs = self.job.inputs.iter().map(|input| InputRecord::new(input, size(input), None));
        let run = self.run_setup(inputs.collect(), false);
        match &self.job.options {
            VerbOptions::Solve(options) => serde_json::to_value(self.solve_setup(options, run)),
            _ => serde_json::to_value(self.rows_setup(run)),
        }
    }

    /// Returns the fields of a record that don't depend on the rows.
    pub(super) fn run_setup(&self, inputs: Vec<InputRecord>, interrupted: bool) -> RunSetup {
        let solves = matches!(self.job.options, VerbOptions::Solve(_));
        RunSetup {
            arguments: started::arguments(),
            threads: self.threads.get(),
            inputs,
            interrupted,
            machine: Machine::detect(),
            simd_level: solves.then(|| self.level.name().to_owned()),
            build: Build::current(),
            shards: Vec::new(),
        }
    }

    /// Adds the fields that only a record of `solve` has.
    pub(super) fn solve_setup(&self, options: &SolveOptions, run: RunSetup) -> SolveSetup {
        let max_solutions = options.question().max_solutions.get();
        SolveSetup { run, solver: options.solver.name.to_owned(), max_solutions }
    }

    /// Adds the fields that only the records of verbs other than `solve` have.
    pub(super) fn rows_setup(&self, run: RunSetup) -> RowsSetup {
        let bucket_by = match &self.job.options {
            VerbOptions::Score(score) => score.bucket_by.clone(),
            _ => None,
        };
        RowsSetup { run, command: self.job.verb.name.to_owned(), bucket_by }
    }

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
            width: terminal::stderr_width().unwrap_or(usize::MAX),
        }
    }

    /// Prints remarks on rows and, after an interrupt, how to continue or repeat the run. `is_whole`: whether the run was completed.
    pub(super) fn print_words(&self, finished: &Finished, is_whole: bool) {
        if finished.interrupted {
            let answered = finished.measures.tally.rows();
            let rows = counted(answered, "row");
            match finished.interruption(self.job.can_resume()) {
                Some(words) => say(format_args!("{words}")),
                None if finished.forms > 0 => say(format_args!(
                    "interrupted after {rows} and {} of the next row; run the command again",
                    counted(finished.forms, "form")
                )),
                None if self.job.output.order.is_some() => say(format_args!(
                    "interrupted after {rows}; nothing is written, because --order-by and --sample need all rows: run the command again"
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
                say(format_args!(
                    "{} is complete; nothing was done. This is the report of the run that made it",
                    complete.display()
                ));
            }
            let uncounted = finished.span.as_ref().filter(|span| span.start_line.is_none());
            let uncounted = uncounted.map(|span| span.start);
            print_notices(&finished.notices, &self.job.inputs, &finished.measures.tally, uncounted);
            if let (Some(shard), Target::File(path), true) = (self.job.shard, &self.job.target, is_whole) {
                say(format_args!("the output of shard {shard} is {}", path.display()));
            }
        }
    }
}

/// Returns whether the output can be drawn as grids: the puzzles are on the command line, the output consists of their solutions or of all
/// their steps, and no other output was requested.
fn can_draw(verb: &VerbOptions, inputs: &[Input], output: &OutputOptions) -> bool {
    let is_default = output.output.is_none() && output.output_format.is_none() && output.columns.is_none();
    let are_typed = !inputs.is_empty() && inputs.iter().all(|input| matches!(input, Input::Puzzles(_)));
    let has_all_rows = output.only.is_empty() && output.order_by.is_none() && output.sample.is_none();
    let is_drawn = matches!(verb.verb().grid.holds, Holds::Solution)
        || matches!(verb, VerbOptions::Explain(_)) && has_all_rows;
    is_default && are_typed && is_drawn
}

/// Returns the verb and the options that leave rows out of a job's output, such as `dedupe and --only`.
fn left_out_by(job: &ValidJob) -> String {
    let only = (!job.output.filter.is_empty()).then_some("--only");
    let order = job.output.order.iter().flat_map(RowOrder::options_that_leave_out);
    job.left_out_by().into_iter().chain(only).chain(order).collect::<Vec<_>>().join(" and ")
}

/// Checks that a record can name the inputs.
pub(super) fn check_recordable(inputs: &[Input]) -> Result<(), UsageError> {
    let not_text = inputs.iter().find(|input| matches!(input, Input::File(path) if path.to_str().is_none()));
    not_text.map_or(Ok(()), |input| {
        Err(UsageError(format!(
            "a record contains the names of its inputs, but the name {input} is not UTF-8: rename the file, or read it from standard input"
        )))
    })
}

/// Refuses to write a binary format to a terminal.
pub(super) fn check_terminal(format: OutputFormat, target: &Target) -> Result<(), UsageError> {
    if format.is_text || *target != Target::Stdout || !std::io::stdout().is_terminal() {
        return Ok(());
    }
    let name = format.name();
    Err(UsageError(format!("{name} cannot be shown on a terminal: name a file with -o, or use a pipe")))
}

/// Returns the exit code of a complete run. `solves`: see [`Verb::solves`].
pub(super) fn exit_of_whole(tally: &Tally, solves: bool) -> Exit {
    let all_well = if solves { tally.all_well() } else { tally.all_read() };
    if all_well { Exit::Fine } else { Exit::BadResult }
}

/// Adds to the error message the place of the rows that were written before the error, and the remedy.
pub(super) fn with_partial(error: anyhow::Error, finished: &Finished, remedy: &str) -> anyhow::Error {
    match finished.rows_before_error(remedy) {
        Some(words) => error.context(words),
        None => error,
    }
}

/// Prints the first malformed rows, mismatches and refused grids, and how many more there are of each kind.
///
/// `uncounted` is the start of a shard if the line number of this start is unknown. Then, for the input in which the shard starts, lines
/// are counted from this start.
pub(super) fn print_notices(
    notices: &[Notice],
    inputs: &[impl ToString],
    tally: &Tally,
    uncounted: Option<Cut>,
) {
    for kind in NoticeKind::ALL {
        let what = kind.words();
        let total = match kind {
            NoticeKind::Malformed => tally.rows_with(Status::Malformed),
            NoticeKind::Mismatch => tally.mismatches,
            NoticeKind::Refused => tally.refused,
        };
        let shown = notices.iter().filter(|notice| notice.kind == kind);
        for Notice { input, line, text, .. } in shown.clone() {
            // If `inputs` has no name for the input, the message shows its number.
            let name = inputs
                .get(*input)
                .map_or_else(|| format!("input {}", input.saturating_add(1)), ToString::to_string);
            match uncounted.filter(|start| start.input == *input) {
                Some(Cut { at, .. }) => {
                    say(format_args!("{name}: line {line}, counted from byte {at}: {what}: {text}"))
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
