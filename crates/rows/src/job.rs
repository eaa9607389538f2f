//! A job: a complete request for a run over rows, as plain data. [`Job::validate`] checks the job without reading the inputs.
//!
//! ```text
//! Job -> validate -> ValidJob -> run -> Finished
//! ```

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Map, Value};
use sudobench_sudoku::simd::Level;

use crate::columns::{Column, PUZZLE};
use crate::input_columns::InputColumns;
use crate::input_options::InputOptions;
use crate::keywords;
use crate::option_error::OptionError;
use crate::order::RowOrder;
use crate::output_options::OutputOptions;
use crate::passes::{JobInputs, ListGroups, Passes, SummaryLine};
use crate::place::{Place, check_apart, is_standard};
use crate::resume::{ResumeState, stored_files};
use crate::run::{Finished, Progress, Run, RunError, Sink};
use crate::shard::Shard;
use crate::shard_record::ShardRecord;
use crate::sink::{self, DestinationError, Existing, OutputFormat, Promise, Target};
use crate::source::{ColumnChoice, Input, Options, Recipe, Replay, Source, SourceError};
use crate::verbs::{Board, RowOutput, Verb, VerbOptions};
use crate::watch::StopFlags;

const DEFAULT_SEED: u64 = 1;

/// A request for a run over rows.
#[derive(Clone, Debug)]
pub struct Job {
    /// The verb with its options.
    pub verb: VerbOptions,
    /// The inputs, in order; empty for a verb that generates its rows.
    pub inputs: Vec<Input>,
    /// How to read the inputs.
    pub input: InputOptions,
    /// Where and how to write the output.
    pub output: OutputOptions,
    /// The shard of the inputs to process; `None` for all.
    pub shard: Option<Shard>,
    /// Whether to compute the SHA-256 of each input.
    pub hash: bool,
}

impl Job {
    /// Makes a job from keywords with JSON values. A keyword is the name of an option of the verb, or of a field of [`InputOptions`] or
    /// [`OutputOptions`]. The job has no inputs and no shard yet, and computes no SHA-256.
    ///
    /// # Errors
    /// [`OptionError`] if the verb is unknown, or if a keyword is unknown, is missing or has an invalid value.
    ///
    /// ```
    /// use serde_json::json;
    /// use sudobench_rows::Job;
    ///
    /// let keywords = |value: serde_json::Value| value.as_object().cloned().unwrap_or_default();
    /// let job = Job::from_keywords("minimals", keywords(json!({ "limit_per_puzzle": 5, "columns": ["minimal"], "skip": 2 })))?;
    /// assert_eq!((job.input.skip, job.output.columns.as_deref()), (2, Some("minimal")));
    /// let error = Job::from_keywords("minimals", keywords(json!({ "most": 5 }))).unwrap_err();
    /// assert!(error.to_string().starts_with("there is no option `most`"));
    /// # Ok::<(), sudobench_rows::OptionError>(())
    /// ```
    pub fn from_keywords(verb: &str, mut keywords: Map<String, Value>) -> Result<Job, OptionError> {
        // If an option of the verb has the name of an input or output option, such as `skip` of `generate`, the keyword sets the option of
        // the verb.
        let names = [
            VerbOptions::names_of(verb)?,
            keywords::names_of::<InputOptions>(),
            keywords::names_of::<OutputOptions>(),
        ];
        let [own, input, output] = names.map(|names| keywords::split_off(&mut keywords, names));
        if let Some(name) = keywords.keys().next() {
            return Err(OptionError::new(format!(
                "there is no option `{name}`; choose from {}",
                names.concat().join(", ")
            )));
        }
        Ok(Job {
            verb: VerbOptions::from_keywords(verb, own)?,
            inputs: Vec::new(),
            input: keywords::read(input)?,
            output: keywords::read(output)?,
            shard: None,
            hash: false,
        })
    }

    /// Checks the job without reading the inputs. `level` is the SIMD level of the run.
    ///
    /// # Errors
    /// [`OptionError`] for the first option that is invalid or contradicts another one.
    pub fn validate(self, level: Level) -> Result<ValidJob, OptionError> {
        self.check_combinations()?;
        // These patterns have no `..`, so the compiler reports a new option until it is used here.
        let Job { verb: options, inputs, input, output: asked, shard, hash } = self;
        let InputOptions {
            input_format: format,
            delimiter,
            puzzle_column,
            solution_column,
            header,
            restore_zeros,
            skip,
            limit,
        } = input;
        let verb = options.verb();
        let target = target_of(&asked, shard)?;
        let output = verb.output(&asked, asked.seed.or(options.seed()).unwrap_or(DEFAULT_SEED))?;
        if let Some(order) = &output.order {
            check_order(order, &asked, &options, output.format, shard)?;
        }
        if output.format.needs_file() && target == Target::Stdout {
            return Err(OptionError::new(format!(
                "{} can be written only to a file, because this format completes its header at the end of the run: name a file with -o",
                output.format.name()
            )));
        }
        if output.format.has_columns && options.board() != Board::Puzzle {
            let message = format!(
                "only the output formats {} contain a single board for each row: choose one of them, or leave out this option",
                OutputFormat::names_of(|format| !format.has_columns)
            );
            return Err(OptionError::new(message).about("board"));
        }
        let (made, passes) = (options.made(level)?, options.passes());
        let is_copy = !output.format.has_columns
            && verb.grid.name == PUZZLE.name
            && asked.only.is_empty()
            && output.order.is_none()
            && made.is_none()
            && options.expansion().is_none()
            && passes.as_ref().is_none_or(|passes| passes.left_out_by().is_none())
            // A verb without columns of its own is checked later, by `check_columns`, because the columns of the input must be known.
            && !verb.columns.is_empty();
        if is_copy {
            return Err(OptionError::new(format!(
                "{} adds columns, but the output format {} has none, so the output would only copy the input; choose one of {}, or select rows \
                 with --only",
                verb.name,
                output.format.name(),
                OutputFormat::names_of(|format| format.has_columns)
            )));
        }
        let (skip, limit) = match &made {
            Some((_, numbers)) => (numbers.start, Some(numbers.end - numbers.start)),
            None => (skip, limit),
        };
        let has_rows = has_rows(&options, &asked);
        let input = Options {
            format,
            delimiter,
            puzzle_column,
            solution_column,
            prediction_column: options.prediction_column().map(ColumnChoice::Name),
            header,
            restore_zeros,
            skip,
            limit,
            hash,
            // An empty pipe is not an error, unless the verb needs rows: the program that writes to the pipe may have found no puzzle. An
            // empty named file is probably a mistake.
            accepts_empty: inputs == [Input::Stdin] && !options.needs_rows(),
            // Data from a pipe is kept for the next pass.
            replay: passes.as_ref().filter(|passes| passes.count() > 1).map(|_| Replay::default()),
            ..Options::default()
        };
        let job = ValidJob {
            verb,
            options,
            inputs,
            input,
            made,
            passes,
            output,
            target,
            existing: match (asked.resume, asked.force) {
                (true, _) => Existing::Resume,
                (_, true) => Existing::Overwrite,
                _ => Existing::Refuse,
            },
            sync: !asked.no_sync,
            has_rows,
            shard,
            level,
        };
        let outputs = job.output_files();
        check_apart(job.input_files(), outputs.iter().map(PathBuf::as_path))?;
        Ok(job)
    }

    fn check_combinations(&self) -> Result<(), OptionError> {
        let Job { verb: options, inputs, input, output: asked, shard, hash } = self;
        options.check()?;
        if inputs.iter().chain(options.other_inputs()).filter(|input| **input == Input::Stdin).count() > 1 {
            return Err(OptionError::new(
                "standard input (`-`) can be read only once: name files for the other inputs",
            ));
        }
        if asked.resume && asked.force {
            return Err(OptionError::new(
                "--force and --resume cannot be combined: --force starts the run again, and --resume continues it",
            ));
        }
        if let Some(other) = options.refuses_only().filter(|_| !asked.only.is_empty()) {
            return Err(OptionError::new(other).about("only"));
        }
        if let Some(reason) = options.refuses_resume().filter(|_| asked.resume) {
            return Err(OptionError::new(reason).about("resume"));
        }
        if shard.is_some() {
            options.check_shardable()?;
            if input.skip > 0 || input.limit.is_some() {
                return Err(OptionError::new(SourceError::PartOfPart.to_string()));
            }
            if *hash {
                let message = "a shard does not read its inputs completely, so it cannot compute their SHA-256: leave out this option";
                return Err(OptionError::new(message).about("hash"));
            }
        }
        if !has_rows(options, asked)
            && let Some(option) = option_for_rows(options, asked)
        {
            let message = "this command writes rows only with --output: add --output FILE";
            return Err(OptionError::new(message).about(option));
        }
        check_seed(options, asked)
    }
}

/// Returns whether rows are written, not only counted.
fn has_rows(options: &VerbOptions, asked: &OutputOptions) -> bool {
    options.writes_rows_by_default() || asked.output.is_some()
}

/// Returns an option that is set, but has an effect only if rows are written.
fn option_for_rows(options: &VerbOptions, asked: &OutputOptions) -> Option<&'static str> {
    let common = [
        ("output_format", asked.output_format.is_some()),
        ("columns", asked.columns.is_some()),
        ("only", !asked.only.is_empty()),
        ("order_by", asked.order_by.is_some()),
        ("sample", asked.sample.is_some()),
    ];
    let common = common.into_iter().find(|(_, is_set)| *is_set);
    common.map(|(option, _)| option).or(options.needs_output())
}

/// Refuses a seed if the run makes no random choice. A verb's own seed always has a value, so it is refused only if it is not the default.
fn check_seed(options: &VerbOptions, asked: &OutputOptions) -> Result<(), OptionError> {
    let message = match (asked.seed, options.seed()) {
        _ if asked.sample.is_some() => return Ok(()),
        (None, Some(seed)) if !options.draws() && seed != DEFAULT_SEED => {
            "only --random and --sample use this seed: add one of them"
        }
        (None, _) => return Ok(()),
        (Some(_), _) => "only --sample uses this seed: add --sample",
    };
    Err(OptionError::new(message).about("seed"))
}

/// A [`Job`] that has passed [`Job::validate`].
pub struct ValidJob {
    /// The verb, adapted to its options.
    pub verb: Verb,
    /// The verb's options.
    pub options: VerbOptions,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// How to read the inputs.
    pub input: Options,
    /// The recipe of generated puzzles and the range of their numbers, for a job without inputs.
    made: Option<(Recipe, Range<u64>)>,
    /// The passes over the inputs before the pass that writes.
    passes: Option<Arc<dyn Passes>>,
    /// How to write rows.
    pub output: RowOutput,
    /// Where to write rows.
    pub target: Target,
    /// The action if the output exists.
    pub existing: Existing,
    sync: bool,
    /// Whether rows are written, not only counted.
    pub has_rows: bool,
    /// The shard of the inputs to process.
    pub shard: Option<Shard>,
    level: Level,
}

/// A pass over the inputs, for the display of progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputPass {
    /// Name of the pass, such as `pass 1 of 2: ` or `TRAIN: `; empty if no name is shown.
    pub name: String,
    /// Whether this pass writes the rows or, if no rows are requested, counts them.
    pub writes: bool,
}

/// Callback after each block of a pass.
pub type OnProgress<'r> = Box<dyn FnMut(&Progress) + Send + 'r>;
/// Makes the callback for a pass.
pub type OnPass<'r> = &'r (dyn Fn(InputPass) -> OnProgress<'r> + Sync);
/// Callback that writes the reports of a complete run.
pub type OnEnd<'r> = &'r (dyn Fn(&Finished) -> Result<(), RunError> + Sync);

/// How to run a job. Apart from the flags that stop the run, these options should not change the rows of the output.
pub struct RunOptions<'r> {
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The flags that stop the run.
    pub stop: StopFlags,
    /// The description of the program in the record of a shard.
    pub description: Value,
    /// Called before each pass; returns the callback that receives the progress of this pass.
    pub on_pass: OnPass<'r>,
    /// Called for `overlap` after each input of TRAIN has been read.
    pub on_train: &'r (dyn Fn(&Input, &Finished) + Sync),
    /// Called after the last row of a complete run, before the output file gets its final name. If the callback fails, the output isn't
    /// completed. If the process is killed during the callback, the output is still a partial file, so a run with `--resume` calls the
    /// callback again. Not called if the run writes no rows, if `--resume` can't continue its output (for example a stream), or if an
    /// earlier run has completed the output.
    pub on_end: OnEnd<'r>,
    /// Called with the duplicates of `dedupe` before rows are written. Without
    /// [`DedupeOptions::lists_groups`](crate::verbs::DedupeOptions), no duplicates are collected.
    pub list_groups: Option<ListGroups<'r>>,
}

impl<'r> RunOptions<'r> {
    /// Makes options without a description and without callbacks.
    pub fn new(threads: NonZeroUsize, stop: StopFlags) -> RunOptions<'r> {
        RunOptions {
            threads,
            stop,
            description: Value::Null,
            on_pass: &|_| Box::new(|_| ()),
            on_train: &|_, _| (),
            on_end: &|_| Ok(()),
            list_groups: None,
        }
    }
}

impl ValidJob {
    /// Returns the files that the run reads. `-` stands for standard input.
    pub fn input_files(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().chain(self.options.other_inputs()).filter_map(|input| match input {
            Input::File(path) => Some(path.as_path()),
            Input::Stdin => Some(Path::new("-")),
            Input::Puzzles(_) | Input::Reader(_) => None,
        })
    }

    /// Returns the paths of the output, of files that may be written beside it, and of the record of a shard. `-` stands for standard
    /// output.
    pub fn output_files(&self) -> Vec<PathBuf> {
        let mut files = self.target.files();
        if let (Some(_), Target::File(path)) = (self.shard, &self.target) {
            files.extend(stored_files(ShardRecord::path_of(path)));
        }
        files
    }

    /// Returns whether `--resume` can continue the partial file of a run that stopped early.
    pub fn can_resume(&self) -> bool {
        self.output.order.is_none() && self.options.refuses_resume().is_none()
    }

    /// Returns advice for the user after `error` has ended the run: what to do next, and whether `--resume` can continue after the rows
    /// that were written.
    pub fn remedy(&self, error: &RunError) -> &'static str {
        match error {
            _ if !self.can_resume() => {
                "--order-by, --sample and --pass-at need all rows, so the run cannot be continued; start again with --force"
            }
            RunError::Source(SourceError::NotMade(_) | SourceError::MadeWrong { .. }) => {
                "--resume continues after these rows; it can also be used with more --attempts"
            }
            RunError::Source(SourceError::ChangedWhileRead { .. }) => {
                "these rows may be from two versions of the input, so the run cannot be continued; start again with --force"
            }
            RunError::Source(_) => {
                "if the same input can be read again later, continue with --resume; if you repair the input, start again with --force"
            }
            _ => "remove the cause and continue with --resume",
        }
    }

    /// Opens the inputs, or the source of generated rows. Once `stop.reading` is true, the function stops waiting for an input.
    fn open(&self, stop: &StopFlags) -> Result<Source, RunError> {
        let options = Options { cancel: Arc::clone(&stop.reading), ..self.input.clone() };
        let Some((recipe, numbers)) = &self.made else { return open_inputs(&self.inputs, options) };
        // `skip` and `limit` are already part of the range of numbers.
        let options = Options { skip: 0, limit: None, delimiter: self.promised_delimiter(), ..options };
        Ok(Source::made(recipe.clone(), numbers.clone(), options))
    }

    /// Returns the delimiter that belongs to the extension of the output.
    fn promised_delimiter(&self) -> Option<u8> {
        match &self.target {
            Target::File(path) => Promise::from_path(path).ok()?.delimiter,
            Target::Stdout => None,
        }
    }

    fn set_up<'r>(&self, source: Source, how: &RunOptions<'r>, pass: InputPass) -> Result<Run<'r>, RunError> {
        let mut run =
            run_over(source, how, pass).solver(sudobench_sudoku::solver::default_variant(), self.level);
        if let Some(expansion) = self.options.expansion() {
            run = run.expand(expansion);
        }
        Ok(self.options.set_up(run, self.level, &self.output.columns)?)
    }

    /// Returns the passes over the inputs before the pass that writes, if they have this type.
    pub fn passes<T: Passes>(&self) -> Option<&T> {
        self.passes.as_ref()?.downcast()
    }

    /// Returns the verb or the option whose passes leave out rows, such as `dedupe` or `--keep`; `None` if the passes leave out no rows.
    pub fn left_out_by(&self) -> Option<&'static str> {
        self.passes.as_ref()?.left_out_by()
    }

    /// Returns the counts of the passes before the pass that wrote rows, for the summary at the end of the run.
    pub fn pass_lines(&self) -> Vec<SummaryLine> {
        self.passes.as_ref().map_or_else(Vec::new, |passes| passes.lines())
    }

    /// Processes the rows, computes these columns, and passes the rows to `sink`. Does not write the output of the job.
    ///
    /// # Errors
    /// As [`ValidJob::run`].
    pub fn look(&self, how: &RunOptions, columns: &[Column], sink: Sink) -> Result<Finished, RunError> {
        let pass = InputPass { name: String::new(), writes: false };
        self.set_up(self.open(&how.stop)?, how, pass)?.columns(columns).to(sink)
    }

    /// Runs the job. Run a job only once, because its passes keep their results.
    ///
    /// # Errors
    /// [`RunError`]. If rows may have been written before the error, it is [`RunError::Halfway`].
    pub fn run(&self, how: RunOptions<'_>) -> Result<Finished, RunError> {
        let mut result = self.run_passes(how);
        if let Err(RunError::Destination(DestinationError::PartialExists { partial, can_resume })) =
            &mut result
        {
            *can_resume = self.can_resume() && !ResumeState::needed_all_rows(partial);
        }
        result.and_then(|finished| match self.lacks_rows(&finished) {
            true => Err(RunError::NoRows("")),
            false => Ok(finished),
        })
    }

    /// Returns whether the run had no rows, although the verb needs rows. Returns false for a shard and for an interrupted run.
    fn lacks_rows(&self, finished: &Finished) -> bool {
        let is_part = self.shard.is_some() || finished.interrupted;
        self.options.needs_rows() && !is_part && finished.measures.tally.rows() == 0
    }

    fn run_passes(&self, mut how: RunOptions<'_>) -> Result<Finished, RunError> {
        let list_groups = how.list_groups.take();
        let (how, passes) = (&how, self.passes.as_ref());
        let name = |number: usize| passes.map_or_else(String::new, |passes| passes.pass_name(number));
        let open = |number: usize| {
            let pass = InputPass { name: name(number), writes: false };
            self.set_up(self.open(&how.stop)?, how, pass)
        };
        let open_train = |input: &Input| {
            let options =
                Options { skip: 0, limit: None, cancel: Arc::clone(&how.stop.reading), ..self.input.clone() };
            let source = open_inputs(std::slice::from_ref(input), options)?;
            self.set_up(source, how, InputPass { name: "TRAIN: ".to_owned(), writes: false })
        };
        let writing = self.open(&how.stop)?;
        self.check_columns(&writing)?;
        let pass = InputPass { name: name(passes.map_or(1, |passes| passes.count())), writes: true };
        let mut run = self
            .set_up(writing, how, pass)?
            .columns(self.output.columns.clone())
            .grid(self.verb.grid)
            .filter(self.output.filter.clone())
            .order(self.output.order.clone());
        if let Some(shard) = self.shard {
            run = run.shard(shard, how.description.clone());
        }
        if self.options.refuses_resume().is_none() {
            run = run.report(how.on_end);
        }
        if let Some(passes) = passes {
            if self.has_rows {
                // Faults of the output are reported before the inputs of the passes are opened.
                sink::check_target(&self.target, self.existing)?;
            }
            let (open, open_train, on_train) = (&open, &open_train, how.on_train);
            run = Arc::clone(passes).prepare(JobInputs { open, open_train, on_train, list_groups }, run)?;
        }
        let sink =
            Sink::target(self.target.clone(), self.existing).format(self.output.format).sync(self.sync);
        self.write_or_count(run, sink)
    }

    fn write_or_count(&self, run: Run<'_>, sink: Sink<'_>) -> Result<Finished, RunError> {
        if self.has_rows {
            return run.to(sink);
        }
        // If a run without output rows fails halfway, it leaves no partial output. So the cause is returned, not `RunError::Halfway`.
        run.columns([]).to(Sink::puzzles(|_| ControlFlow::Continue(()))).map_err(|error| match error {
            RunError::Halfway { error, .. } => *error,
            error => error,
        })
    }

    /// Checks that a verb that only copies rows loses no column of the input.
    fn check_columns(&self, source: &Source) -> Result<(), OptionError> {
        let (verb, format) = (&self.verb, self.output.format);
        let columns = InputColumns::from_layout(source.layout());
        if !verb.columns.is_empty() || format.has_columns || columns.count == 1 {
            return Ok(());
        }
        let names: Vec<_> = columns.names_or_numbers();
        let names: Vec<_> = names.iter().map(|name| String::from_utf8_lossy(name)).collect();
        Err(OptionError::new(format!(
            "the output format {} contains only puzzles, but the input has the columns {}; choose one of {} to keep all columns",
            format.name(),
            names.join(", "),
            OutputFormat::names_of(|format| format.has_columns)
        )))
    }
}

/// Checks that `--order-by` or `--sample` can be used with the other options.
fn check_order(
    order: &RowOrder,
    asked: &OutputOptions,
    options: &VerbOptions,
    format: OutputFormat,
    shard: Option<Shard>,
) -> Result<(), OptionError> {
    let (option, alone) = match (&asked.order_by, asked.sample) {
        (Some(_), _) => ("order_by", "the order of all rows"),
        (None, _) => ("sample", "which rows are drawn"),
    };
    let error = |message: String| Err(OptionError::new(message).about(option));
    if asked.resume {
        return error("all rows must be read before the first one is written, so such a run cannot be resumed: leave out --resume".to_owned());
    }
    if shard.is_some() {
        return error(format!(
            "a shard does not know {alone}: merge the shards first, then run `sudobench convert` with these options on the merged file"
        ));
    }
    if !format.is_row_by_row {
        return error(format!(
            "this option does not work with the output format {}; write csv or jsonl, and then use `sudobench convert` to get {}",
            format.name(),
            format.name()
        ));
    }
    let has_forms = options.expansion().is_some_and(|expansion| expansion.transform().is_some());
    if has_forms && order.reads_answers() {
        return error(format!(
            "`{}` does not solve the forms that it writes, so they cannot be ordered by status or match: choose another column",
            options.verb().name
        ));
    }
    Ok(())
}

fn run_over<'r>(source: Source, how: &RunOptions<'r>, pass: InputPass) -> Run<'r> {
    let mut on_progress = (how.on_pass)(pass);
    Run::over(source)
        .threads(how.threads)
        .cancel(Arc::clone(&how.stop.solving))
        .progress(move |progress| on_progress(progress))
}

fn open_inputs(inputs: &[Input], options: Options) -> Result<Source, RunError> {
    let cancel = Arc::clone(&options.cancel);
    Source::open(inputs, options).map_err(|error| match cancel.load(Ordering::SeqCst) {
        // If there was an interrupt, the interrupt is reported, and not the error.
        true => RunError::Interrupted,
        false => error.into(),
    })
}

/// Returns the target that the value of `-o` names: a file or standard output.
pub fn target(output: Option<&Path>) -> Target {
    match output {
        Some(path) if !is_standard(path) && !matches!(Place::resolve(path), Ok(Place::Stdout)) => {
            Target::File(path.to_owned())
        }
        _ => Target::Stdout,
    }
}

/// Returns the target of the rows. A shard has its own file.
fn target_of(output: &OutputOptions, shard: Option<Shard>) -> Result<Target, OptionError> {
    match target(output.output.as_deref()) {
        Target::Stdout if shard.is_some() => Err(OptionError::new(
            "a shard needs an output file, because `merge` reads a record beside this file; name a file with -o",
        )
        .about("shard")),
        Target::File(path) if let (Some(shard), Ok(Place::File(_))) = (shard, Place::resolve(&path)) => {
            Ok(Target::File(shard.file_of(&path)))
        }
        Target::Stdout if output.resume => Err(OptionError::new(
            "a run that writes to standard output cannot be resumed: name a file with -o, or leave out --resume and use --skip to skip the rows that \
             are already done",
        )
        .about("resume")),
        target => Ok(target),
    }
}
