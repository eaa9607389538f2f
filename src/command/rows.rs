//! What all verbs over rows share: inputs, output, progress, words on standard error, exit code.
//!
//! ```text
//! typed -> RowsConfig -> Run (of the batch crate) -> what the verb reports -> words, exit code
//! ```
//! A verb adds its columns and what it asks, in a file of its own.

use std::io::IsTerminal as _;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sudobench_batch::columns::Column;
use sudobench_batch::sink::{self, DestinationError, Existing, OutputFormat, Place, Promise, Target};
use sudobench_batch::source::{Input, Options, Replay, Source, SourceError};
use sudobench_batch::{
    Cut, Filter, Finished, Notice, NoticeKind, OutputOptions, Progress, RowOutput, Run, RunError, Shard,
    Sink, Tally, Verb,
};
use sudobench_sudoku::Status;

use super::export::{check_apart, is_standard};
use super::interrupt::Flags;
use super::say::{self, say};
use super::{Exit, InterruptedError, UsageError, is_broken_pipe, shard, terminal};
use crate::cli::{InputArgs, OutputArgs, ProgressWhen, RowsArgs, RunningArgs};
use crate::record::RowsSetup;
use crate::report::{RowsSummary, count, counted, plural, rate};

/// What was typed about rows, validated: whatever is wrong below this is the fault of the data or the system.
pub(super) struct RowsConfig {
    verb: Verb,
    pub(super) inputs: Vec<Input>,
    options: Options,
    target: Target,
    existing: Existing,
    sync: bool,
    format: OutputFormat,
    columns: Vec<Column>,
    filter: Filter,
    pub(super) shard: Option<Shard>,
    pub(super) threads: NonZeroUsize,
    progress: ProgressWhen,
    /// Ends the run after so many written blocks.
    stop_after_blocks: Option<NonZeroU64>,
    pub(super) quiet: bool,
    /// Whether rows are written, not only counted.
    pub(super) has_rows: bool,
}

/// How a run over rows went: what was done, and how the program ends.
pub(super) struct Ran {
    pub(super) finished: Finished,
    pub(super) exit: anyhow::Result<Exit>,
}

impl RowsConfig {
    /// Validates what was typed for a verb. `hash`: whether inputs are digested.
    ///
    /// # Errors
    /// [`UsageError`] where parts of the command line contradict each other.
    pub(super) fn new(typed: RowsArgs, verb: Verb, hash: bool) -> Result<RowsConfig, UsageError> {
        let RowsArgs { inputs, input, output, running } = typed;
        let inputs = inputs_of(inputs)?;
        let mut options = options_of(input, hash);
        // An empty pipe is not an error: the program before it may have found no puzzle. An empty file that was named probably is a mistake.
        options.accepts_empty = inputs == [Input::Stdin];
        RowsConfig::of(inputs, options, output, running, verb)
    }

    /// The same for a verb that makes its rows.
    ///
    /// # Errors
    /// As [`RowsConfig::new`].
    pub(super) fn of_made(
        options: Options,
        output: OutputArgs,
        running: RunningArgs,
        verb: Verb,
    ) -> Result<RowsConfig, UsageError> {
        RowsConfig::of(Vec::new(), options, output, running, verb)
    }

    fn of(
        inputs: Vec<Input>,
        options: Options,
        output: OutputArgs,
        running: RunningArgs,
        verb: Verb,
    ) -> Result<RowsConfig, UsageError> {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let shard = running
            .shard
            .map(|choice| shard::resolve(choice, |name| std::env::var(name).ok()))
            .transpose()?;
        let target = target_of(&output, shard)?;
        let RowOutput { format, columns, filter } = verb.output(OutputOptions {
            path: output.output.as_deref(),
            format: output.output_format,
            columns: output.columns.as_deref(),
            only: &output.only,
        })?;
        check_terminal(format, &target)?;
        if format.needs_file() && target == Target::Stdout {
            return Err(UsageError(format!(
                "{} goes into a file alone, for its first bytes say how many rows there are and are written last: name one with -o",
                format.name()
            )));
        }
        let config = RowsConfig {
            verb,
            inputs,
            options,
            columns,
            target,
            sync: !output.no_sync,
            existing: match (output.resume, output.force) {
                (true, _) => Existing::Resume,
                (_, true) => Existing::Overwrite,
                _ => Existing::Refuse,
            },
            format,
            filter,
            shard,
            threads: running.threads.unwrap_or_else(cores),
            progress: running.progress,
            stop_after_blocks: running.stop_after_blocks,
            quiet: running.quiet,
            has_rows: true,
        };
        let outputs = config.output_files();
        check_apart(config.input_files(), outputs.iter().map(PathBuf::as_path))?;
        Ok(config)
    }

    /// All files that the run reads, and that it writes rows to; `-` where that is standard input or output.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.input_files().map(Path::to_owned).chain(self.output_files()).collect()
    }

    fn input_files(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().map(|input| match input {
            Input::File(path) => path.as_path(),
            _ => Path::new("-"),
        })
    }

    /// The files that rows are written to; `-` where that is standard output.
    pub(super) fn output_files(&self) -> Vec<PathBuf> {
        files_of(&self.target)
    }

    /// The byte between columns that the output's name promises, if it does.
    pub(super) fn promised_delimiter(&self) -> Option<u8> {
        match &self.target {
            Target::File(path) => Promise::of(path).ok()?.delimiter,
            Target::Stdout => None,
        }
    }

    /// Whether the output has columns.
    pub(super) fn has_columns(&self) -> bool {
        self.format.has_columns()
    }

    /// The columns that are added.
    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Whether rows go to standard output.
    pub(super) fn takes_stdout(&self) -> bool {
        self.has_rows && self.target == Target::Stdout
    }

    /// Refuses an output for what is there, before there is work for it. Returns whether there is something left to do.
    ///
    /// # Errors
    /// [`DestinationError`] of what exists.
    pub(super) fn look_at_output(&self) -> Result<bool, DestinationError> {
        if !self.has_rows {
            return Ok(true);
        }
        match sink::look(&self.target, self.existing) {
            // So that a loop that resumes until all is well comes to its end.
            Err(whole @ DestinationError::Whole { .. }) => {
                if !self.quiet {
                    say(&whole);
                }
                Ok(false)
            }
            looked => looked.map(|()| true),
        }
    }

    /// Refuses an empty standard input, for a verb whose answer would mean nothing.
    pub(super) fn refuse_empty(&mut self) {
        self.options.accepts_empty = false;
    }

    /// The same inputs are opened several times: what comes through pipes is kept.
    pub(super) fn read_again(&mut self) {
        self.options.replay = Some(Replay::default());
    }

    /// A run over all rows of `source` that is no more than a look at them, called `pass` in what is told of it meanwhile.
    pub(super) fn look<'r>(&self, source: Source, interrupt: &Flags, pass: &str) -> Run<'r> {
        let mut display = self.display(pass);
        Run::over(source)
            .threads(self.threads)
            .cancel(Arc::clone(&interrupt.solving))
            .progress(move |progress| display.show(progress))
    }

    /// Opens the inputs; an interrupt ends a wait for them.
    ///
    /// # Errors
    /// Where one cannot be read or made out.
    pub(super) fn open(&self, interrupt: &Flags) -> anyhow::Result<Source> {
        if self.inputs.contains(&Input::Stdin) && std::io::stdin().is_terminal() && !self.quiet {
            say("reading puzzles from the terminal; end them with Ctrl-D");
        }
        self.open_again(interrupt)
    }

    /// The same without a word.
    ///
    /// # Errors
    /// As [`RowsConfig::open`].
    pub(super) fn open_again(&self, interrupt: &Flags) -> anyhow::Result<Source> {
        open(&self.inputs, self.options.clone(), interrupt)
    }

    /// Opens another input, all rows of which are to be read as those of the inputs are.
    ///
    /// # Errors
    /// As [`RowsConfig::open`].
    pub(super) fn open_other(&self, input: &Input, interrupt: &Flags) -> anyhow::Result<Source> {
        open(std::slice::from_ref(input), Options { skip: 0, limit: None, ..self.options.clone() }, interrupt)
    }

    /// Runs over the rows of `source`, as `asked` says. `description` is what the record of a shard says of the program. `None` where
    /// an earlier run has done it all.
    ///
    /// # Errors
    /// Where the run cannot start. What fails later is in [`Ran::exit`], beside what was done until then.
    pub(super) fn run<'r>(
        &self,
        source: Source,
        interrupt: &Flags,
        description: impl FnOnce() -> anyhow::Result<serde_json::Value>,
        asked: impl FnOnce(Run<'r>) -> Run<'r>,
    ) -> anyhow::Result<Option<Ran>> {
        self.run_pass(source, interrupt, "", description, asked)
    }

    /// The same for a run that is the last of several passes.
    ///
    /// # Errors
    /// As [`RowsConfig::run`].
    pub(super) fn run_pass<'r>(
        &self,
        source: Source,
        interrupt: &Flags,
        pass: &str,
        description: impl FnOnce() -> anyhow::Result<serde_json::Value>,
        asked: impl FnOnce(Run<'r>) -> Run<'r>,
    ) -> anyhow::Result<Option<Ran>> {
        let mut display = self.display(pass);
        let mut stop = StopAfterBlocks::new(self.stop_after_blocks, interrupt);
        let mut run = asked(Run::over(source))
            .columns(self.columns.clone())
            .grid(self.verb.grid)
            .threads(self.threads)
            .cancel(Arc::clone(&interrupt.solving))
            .filter(self.filter.clone())
            .progress(move |progress| {
                display.show(progress);
                stop.count_block();
            });
        if let Some(shard) = self.shard {
            run = run.shard(shard, description()?);
        }
        let sink = Sink::target(self.target.clone(), self.existing).format(self.format).sync(self.sync);
        match run.to(sink) {
            Ok(finished) => {
                let exit = Ok(self.exit_of(&finished));
                Ok(Some(Ran { finished, exit }))
            }
            Err(RunError::Halfway { error, finished }) => {
                let exit = failed(*error, &finished);
                Ok(Some(Ran { finished: *finished, exit }))
            }
            // So that a loop that resumes until all is well comes to its end.
            Err(RunError::Destination(whole @ DestinationError::Whole { .. })) => {
                if !self.quiet {
                    say(&whole);
                }
                Ok(None)
            }
            Err(RunError::Interrupted) => Err(InterruptedError.into()),
            Err(error) => Err(error.into()),
        }
    }

    fn display(&self, pass: &str) -> Display {
        Display::new(self.progress, self.quiet, self.has_rows.then_some(&self.target), pass)
    }

    fn exit_of(&self, finished: &Finished) -> Exit {
        match finished.interrupted {
            true => Exit::Interrupted,
            false => exit_of_whole(&finished.measures.tally, self.verb.solves),
        }
    }

    /// What the record of a shard says of the program, where that is not asked for solutions.
    ///
    /// # Errors
    /// Those of `serde_json`.
    pub(super) fn description(&self) -> anyhow::Result<serde_json::Value> {
        let inputs = self.inputs.iter().map(ToString::to_string).collect();
        let setup = RowsSetup { command: self.verb.name.to_owned(), threads: self.threads.get(), inputs };
        Ok(serde_json::to_value(setup)?)
    }

    /// Runs over the rows of `source`, as `asked` says, for a verb that is not asked for solutions, and says how that went. `None` where an
    /// earlier run has done it all.
    ///
    /// # Errors
    /// As [`RowsConfig::run`].
    pub(super) fn run_and_tell<'r>(
        &self,
        source: Source,
        interrupt: &Flags,
        asked: impl FnOnce(Run<'r>) -> Run<'r>,
    ) -> anyhow::Result<Option<Ran>> {
        let ran = self.run(source, interrupt, || self.description(), asked)?;
        if let Some(Ran { finished, exit }) = &ran {
            self.print_words(finished, exit.is_ok() && !finished.interrupted);
            self.print_summary(finished);
        }
        Ok(ran)
    }

    /// How many rows there were and how long they took, `by` whom, and what left rows out.
    pub(super) fn summary<'f>(
        &self,
        finished: &'f Finished,
        by: &'f str,
        left_out_by: &'f str,
    ) -> RowsSummary<'f> {
        RowsSummary {
            tally: &finished.measures.tally,
            wall: finished.wall,
            threads: self.threads.get(),
            by,
            shards: 1,
            resumed_after: finished.resumed_after,
            left_out_by,
            width: terminal::words_width().unwrap_or(usize::MAX),
        }
    }

    /// Says how many rows there were and how long they took, for a verb that is not asked for solutions.
    pub(super) fn print_summary(&self, finished: &Finished) {
        if !self.quiet {
            say::show(self.summary(finished, self.verb.name, "--only"));
        }
    }

    /// Says how many puzzles were found, called `what`, and how many rows have more of them than `limit`.
    pub(super) fn print_found(&self, finished: &Finished, what: &str, limit: Option<NonZeroU64>) {
        if self.quiet {
            return;
        }
        let Tally { found, incomplete, .. } = finished.measures.tally;
        let per_second = rate(found as f64 / finished.wall.as_secs_f64().max(1e-9));
        say::show(format_args!("  {what:<11} {:>13}  {per_second}\n", count(found)));
        self.print_left_out_expanded(finished);
        if let (Some(limit), 1..) = (limit, incomplete) {
            let limit = count(limit.get());
            say::show(format_args!(
                "  {:<11} {:>13}  of these rows, with more than the {limit} of --limit-per-puzzle\n",
                "incomplete",
                count(incomplete)
            ));
        }
    }

    /// Says how many of the rows that rows became were left out, if any were.
    pub(super) fn print_left_out_expanded(&self, finished: &Finished) {
        let left_out = finished.measures.tally.left_out_expanded;
        if left_out > 0 && !self.quiet {
            let left_out = count(left_out);
            say::show(format_args!(
                "  {:<11} {left_out:>13}  of the rows that came of these, by --only\n",
                "left out"
            ));
        }
    }

    /// Says what rows deserve a word, and how to go on where the run was interrupted. `is_whole`: whether it came to its end.
    pub(super) fn print_words(&self, finished: &Finished, is_whole: bool) {
        if finished.interrupted {
            let answered = finished.measures.tally.rows();
            let rows = counted(answered, "row");
            match &finished.partial {
                Some(partial) => say(format_args!(
                    "interrupted after {rows}, all whole in {}; give the same command and --resume to \
                     go on",
                    partial.display()
                )),
                None if finished.forms > 0 => say(format_args!(
                    "interrupted after {rows} and {} of the next",
                    counted(finished.forms, "form")
                )),
                // What was counted first is not known to another run.
                None if self.options.replay.is_some() => {
                    say(format_args!("interrupted after {rows}; start anew, with -o to be able to go on"));
                }
                None => {
                    let skip = self.options.skip + answered;
                    let left = self.options.limit.map(|limit| limit.saturating_sub(answered));
                    let flag = if self.inputs.is_empty() { "--count" } else { "--limit" };
                    let left = left.map(|left| format!(" and {flag} {left}"));
                    say(format_args!(
                        "interrupted after {rows}; go on with --skip {skip}{}",
                        left.unwrap_or_default()
                    ));
                }
            }
        }
        if !self.quiet {
            print_garbage(finished);
            let uncounted = finished.span.as_ref().filter(|span| span.start_line.is_none());
            let uncounted = uncounted.map(|span| span.start);
            print_notices(&finished.notices, &self.inputs, &finished.measures.tally, uncounted);
            if let (Some(shard), Target::File(path), true) = (self.shard, &self.target, is_whole) {
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

fn options_of(input: InputArgs, hash: bool) -> Options {
    Options {
        format: input.input_format,
        delimiter: input.delimiter,
        puzzle_column: input.puzzle_column,
        solution_column: input.solution_column,
        header: input.header,
        restore_zeros: input.restore_zeros,
        skip: input.skip,
        limit: input.limit,
        hash,
        ..Options::default()
    }
}

/// Opens inputs; an interrupt ends a wait for them.
fn open(inputs: &[Input], options: Options, interrupt: &Flags) -> anyhow::Result<Source> {
    let options = Options { cancel: Arc::clone(&interrupt.reading), ..options };
    Source::open(inputs, options).map_err(|error| match interrupt.reading.load(Ordering::SeqCst) {
        // Whatever was to be said of half an input.
        true => InterruptedError.into(),
        false => error.into(),
    })
}

/// What the paths stand for; standard input where there are none.
///
/// # Errors
/// [`UsageError`] where standard input is named twice.
pub(super) fn inputs_of(paths: Vec<PathBuf>) -> Result<Vec<Input>, UsageError> {
    if paths.is_empty() {
        return Ok(vec![Input::Stdin]);
    }
    let is_stdin = |path: &PathBuf| is_standard(path);
    if paths.iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(UsageError("standard input (`-`) can be read only once".to_owned()));
    }
    Ok(paths.into_iter().map(|path| if is_stdin(&path) { Input::Stdin } else { Input::File(path) }).collect())
}

/// Where `-o` leads to.
pub(super) fn target(output: Option<&Path>) -> Target {
    match output {
        Some(path) if !is_standard(path) && !matches!(Place::of(path), Ok(Place::Stdout)) => {
            Target::File(path.to_owned())
        }
        _ => Target::Stdout,
    }
}

/// All files that rows are written to; `-` where that is standard output.
pub(super) fn files_of(target: &Target) -> Vec<PathBuf> {
    match target {
        Target::Stdout => vec![PathBuf::from("-")],
        // What cannot be followed is told when it is opened.
        Target::File(path) => sink::files_of(path).unwrap_or_default(),
    }
}

/// What is no text does not go to a terminal.
pub(super) fn check_terminal(format: OutputFormat, target: &Target) -> Result<(), UsageError> {
    if format.is_text() || *target != Target::Stdout || !std::io::stdout().is_terminal() {
        return Ok(());
    }
    let name = format.name();
    Err(UsageError(format!("{name} is not for a terminal: name a file with -o, or send it through a pipe")))
}

/// Where the rows go, of a shard to a file of its own.
fn target_of(output: &OutputArgs, shard: Option<Shard>) -> Result<Target, UsageError> {
    match target(output.output.as_deref()) {
        Target::Stdout if shard.is_some() => Err(UsageError(
            "--shard needs a file: a record stands beside each part, by which they are put together; name one with -o"
                .to_owned(),
        )),
        Target::File(path) if let (Some(shard), Ok(Place::File(_))) = (shard, Place::of(&path)) => {
            Ok(Target::File(shard.file_of(&path)))
        }
        Target::Stdout if output.resume => Err(UsageError(
            "--resume goes on with a file: what went to standard output is gone; leave it out, and give --skip the rows \
             that are done"
                .to_owned(),
        )),
        target => Ok(target),
    }
}

/// How the program ends where all rows are answered. `solves`: see [`Verb::solves`].
pub(super) fn exit_of_whole(tally: &Tally, solves: bool) -> Exit {
    let all_well = if solves { tally.all_well() } else { tally.all_read() };
    if all_well { Exit::Fine } else { Exit::PuzzleFailed }
}

/// How the program ends where the run failed halfway.
fn failed(error: RunError, finished: &Finished) -> anyhow::Result<Exit> {
    let remedy = match error {
        RunError::Source(SourceError::NotMade(_) | SourceError::MadeWrong { .. }) => {
            "--resume goes on behind them, with more --attempts if you like"
        }
        RunError::Source(_) => {
            "--resume goes on once the same input can be read; a mended one is another: start anew with --force"
        }
        _ => "mend it and go on with --resume",
    };
    let error = anyhow::Error::from(error);
    // A reader that went away has what it wanted.
    if is_broken_pipe(&error) {
        return Ok(Exit::Fine);
    }
    Err(match &finished.partial {
        Some(partial) => {
            error.context(format!("the rows before the fault are in {}; {remedy}", partial.display()))
        }
        None => error,
    })
}

/// Names the inputs that have something behind their compressed data.
pub(super) fn print_garbage(finished: &Finished) {
    for read in finished.inputs.iter().filter(|read| read.has_garbage) {
        say(format_args!("{}: trailing garbage ignored", read.input));
    }
}

/// Prints the first malformed rows, mismatches and refused grids, and how many there are in all.
///
/// `uncounted` is where a shard starts of which nobody knows the line: in that input lines are counted from there.
pub(super) fn print_notices(
    notices: &[Notice],
    inputs: &[impl ToString],
    tally: &Tally,
    uncounted: Option<Cut>,
) {
    for kind in NoticeKind::ALL {
        let (total, what) = match kind {
            NoticeKind::Malformed => (tally.of(Status::Malformed), "malformed"),
            NoticeKind::Mismatch => (tally.mismatches, "unlike the expected solution"),
            NoticeKind::Refused => (tally.refused, "refused by the referee"),
        };
        let shown = notices.iter().filter(|notice| notice.kind == kind);
        for Notice { input, line, text, .. } in shown.clone() {
            // Of an input that a record does not name, the number is better than nothing.
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

/// Time between two lines of progress where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// The length of the bar: fine enough to tell the time that is left of a run of days.
const BAR_LENGTH: u64 = 1_000_000_000;

/// The display of progress, on standard error.
pub(super) struct Display {
    /// What goes before all words: which pass it is.
    pass: String,
    shown: Shown,
}

/// How progress is shown.
enum Shown {
    /// None.
    Hidden,
    /// A bar that is redrawn a few times a second.
    Bar(ProgressBar),
    /// A line now and then.
    Lines {
        /// When the next line is due.
        due: Instant,
    },
}

impl Display {
    /// The display that was asked for. Where the rows go to the terminal themselves, they are progress enough.
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

    /// Shows where a run stands.
    pub(super) fn show(&mut self, progress: &Progress) {
        let Progress { rows, elapsed, .. } = *progress;
        let Display { pass, shown } = self;
        match shown {
            Shown::Hidden => {}
            Shown::Bar(bar) => {
                if let Some(share) = progress.share() {
                    if bar.length().is_none() {
                        bar.set_length(BAR_LENGTH);
                        // A fault in the template, which is none of the user's, would leave the plain style.
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
