//! A job: a complete request for a run over rows, as plain data. The command line, Python and other programs make jobs. [`Job::validate`]
//! checks everything that can be checked without reading the inputs.
//!
//! ```text
//! Job -> validate -> ValidJob -> run -> JobEnd
//! ```

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use sudobench_sudoku::simd::Level;

use crate::columns::PUZZLE;
use crate::dedupe::{Duplicates, Groups};
use crate::input_columns::InputColumns;
use crate::input_options::InputOptions;
use crate::keywords;
use crate::option_error::OptionError;
use crate::order::RowOrder;
use crate::output_options::OutputOptions;
use crate::overlap::{Compared, Overlap, Training};
use crate::passes::over_all;
use crate::place::{Place, check_apart, is_standard};
use crate::run::{Finished, Progress, Run, RunError, Sink};
use crate::shard::Shard;
use crate::shard_record::ShardRecord;
use crate::sink::{self, DestinationError, Existing, OutputFormat, Promise, Target};
use crate::source::{ColumnChoice, Input, InputRead, Options, Recipe, Replay, Source, SourceError};
use crate::stratified_split::SplitCounts;
use crate::stratify::Strata;
use crate::tally::Tally;
use crate::verbs::{Board, OverlapOptions, Passes, RowOutput, Verb, VerbOptions};

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
    /// Makes a job from keywords: names of the verb's options, of [`InputOptions`] and of [`OutputOptions`], with JSON
    /// values.
    ///
    /// # Errors
    /// [`OptionError`] if the verb is unknown, or if a keyword is unknown, is missing or has an invalid value.
    ///
    /// ```
    /// use serde_json::json;
    /// use sudobench_rows::Job;
    ///
    /// let keywords = |value: serde_json::Value| value.as_object().cloned().unwrap_or_default();
    /// let job = Job::of_keywords("minimals", keywords(json!({ "limit_per_puzzle": 5, "columns": ["minimal"], "skip": 2 })))?;
    /// assert_eq!((job.input.skip, job.output.columns.as_deref()), (2, Some("minimal")));
    /// let error = Job::of_keywords("minimals", keywords(json!({ "most": 5 }))).unwrap_err();
    /// assert!(error.to_string().starts_with("there is no option `most`"));
    /// # Ok::<(), sudobench_rows::OptionError>(())
    /// ```
    pub fn of_keywords(verb: &str, mut keywords: Map<String, Value>) -> Result<Job, OptionError> {
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
            verb: VerbOptions::of_keywords(verb, own)?,
            inputs: Vec::new(),
            input: keywords::read(input)?,
            output: keywords::read(output)?,
            shard: None,
            hash: false,
        })
    }

    /// Checks everything that can be checked without reading the inputs. `level` is the SIMD level of the run.
    ///
    /// # Errors
    /// [`OptionError`] for the first option that is invalid or contradicts another one.
    pub fn validate(self, level: Level) -> Result<ValidJob, OptionError> {
        let Job { verb: options, inputs, input, output: asked, shard, hash } = self;
        options.check()?;
        let verb = options.verb();
        if inputs.iter().chain(train_of(&options)).filter(|input| **input == Input::Stdin).count() > 1 {
            return Err(OptionError::new(
                "standard input (`-`) can be read only once: name files for the other inputs",
            ));
        }
        if asked.resume && asked.force {
            return Err(OptionError::new(
                "force and resume cannot be combined: force starts the run again, and resume continues it",
            ));
        }
        if let Some(other) = options.refuses_only().filter(|_| !asked.only.is_empty()) {
            return Err(OptionError::new(other).about("only"));
        }
        if let Some(reason) = options.refuses_resume().filter(|_| asked.resume) {
            return Err(OptionError::new(reason).about("resume"));
        }
        if let (Some(_), Some(reason)) = (shard, verb.unshardable) {
            return Err(OptionError::new(reason).about("shard"));
        }
        let target = target_of(&asked, shard)?;
        let output = verb.output(&asked, asked.seed.or(options.seed()).unwrap_or(1))?;
        if let Some(order) = &output.order {
            check_order(order, &asked, &options, output.format, shard)?;
        } else if asked.seed.is_some() {
            return Err(OptionError::new("only --sample uses this seed: add --sample").about("seed"));
        }
        if output.format.needs_file() && target == Target::Stdout {
            return Err(OptionError::new(format!(
                "{} can be written only to a file, because this format completes its header at the end of the run: name a file with -o",
                output.format.name()
            )));
        }
        if output.format.has_columns && options.board() != Board::Puzzle {
            let message = format!(
                "only the output formats {} contain a single board for each row; other formats have columns",
                OutputFormat::names_of(|format| !format.has_columns)
            );
            return Err(OptionError::new(message).about("board"));
        }
        let made = options.made(level)?;
        let is_copy = !output.format.has_columns
            && verb.grid.name == PUZZLE.name
            && asked.only.is_empty()
            && output.order.is_none()
            && made.is_none()
            && options.expansion().is_none()
            && matches!(options.passes(false), Passes::One | Passes::Split(_))
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
            None => (input.skip, input.limit),
        };
        let has_passes =
            matches!(options.passes(false), Passes::Dedupe(_) | Passes::Stratify(_) | Passes::Split(_));
        let has_rows = options.writes_rows_by_default() || asked.output.is_some();
        let input = Options {
            format: input.input_format,
            delimiter: input.delimiter,
            puzzle_column: input.puzzle_column,
            solution_column: input.solution_column,
            prediction_column: match &options {
                VerbOptions::Score(score) => Some(ColumnChoice::Name(score.prediction_column.clone())),
                _ => None,
            },
            header: input.header,
            restore_zeros: input.restore_zeros,
            skip,
            limit,
            hash,
            // An empty pipe is not an error: the program before it may have found no puzzle. An empty named file is
            // probably a mistake.
            accepts_empty: inputs == [Input::Stdin] && !options.needs_rows(),
            // Data from a pipe is kept for the next pass.
            replay: has_passes.then(Replay::default),
            ..Options::default()
        };
        let job = ValidJob {
            verb,
            options,
            inputs,
            input,
            made,
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
}

/// A [`Job`] that has passed all checks that need no input.
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
    /// Name of the pass, such as `pass 1 of 2: `; empty if there is only one pass.
    pub name: String,
    /// True for the last pass. This pass writes the rows or, if no rows are requested, only counts them.
    pub writes: bool,
}

/// Callback after each block of a pass.
pub type OnProgress<'r> = Box<dyn FnMut(&Progress) + Send + 'r>;
/// Makes the callback for a pass.
pub type OnPass<'r> = &'r (dyn Fn(InputPass) -> OnProgress<'r> + Sync);
/// Writes reports of a complete run.
pub type OnEnd<'r> = &'r (dyn Fn(&Finished, &PassResults) -> Result<(), RunError> + Sync);
/// Receives the rows of each class of duplicates.
pub type ListGroups<'r> = Box<dyn FnOnce(Groups) -> Result<(), RunError> + Send + Sync + 'r>;

/// How to run a job. Apart from the flags that stop the run, these options don't change the rows of the output.
pub struct RunOptions<'r> {
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// Flag that stops reading once it is true. Rows that were read before are still solved and written.
    pub stop_reading: Arc<AtomicBool>,
    /// Flag that stops solving once it is true. Rows that are not solved yet are dropped.
    pub stop_solving: Arc<AtomicBool>,
    /// The description of the program in the record of a shard.
    pub description: Value,
    /// Called before each pass; returns the callback that receives the progress of this pass.
    pub on_pass: OnPass<'r>,
    /// Called for `overlap` after each input of TRAIN has been read.
    pub on_train: &'r (dyn Fn(&Input, &Finished) + Sync),
    /// Called after the last row of a complete run, before the output file gets its final name. If the callback fails, the output isn't
    /// completed. If the process is killed during the callback, the output is still a partial file, so a run with `--resume` writes the
    /// reports again. Not called if the run writes no rows, if `--resume` can't continue its output (for example a stream), or if an
    /// earlier run has completed the output.
    pub on_end: OnEnd<'r>,
    /// Called with the duplicates of `dedupe` before rows are written. `None`: the duplicates are not listed, which saves a pass.
    pub list_groups: Option<ListGroups<'r>>,
}

/// The end of a job.
pub struct JobEnd {
    /// The result, or the error.
    pub result: Result<Finished, RunError>,
    /// The results of the passes before the rows were written.
    pub passes: PassResults,
}

/// The results of the passes of a job before the pass that writes rows.
#[derive(Debug, Default)]
pub struct PassResults {
    /// The counts of `dedupe`.
    pub duplicates: Option<Duplicates>,
    /// The counts of `rate --stratify`.
    pub strata: Option<Strata>,
    /// The counts of `split --stratify`.
    pub split: Option<SplitCounts>,
    /// The counts of the rows of TRAIN, if the verb is `overlap`.
    pub train: Option<TrainRead>,
}

impl PassResults {
    /// Returns the results of the passes that are done.
    fn collect(passes: &Passes, train: &OnceLock<TrainRead>) -> PassResults {
        let results = PassResults { train: train.get().cloned(), ..PassResults::default() };
        match passes {
            Passes::One | Passes::Overlap(_) => results,
            Passes::Dedupe(dedupe) => PassResults { duplicates: dedupe.found(), ..results },
            Passes::Stratify(stratify) => PassResults { strata: stratify.strata().cloned(), ..results },
            Passes::Split(split) => PassResults { split: split.counts(), ..results },
        }
    }
}

/// Counts of the rows that were read from TRAIN, the training set of `overlap`.
#[derive(Clone, Debug)]
pub struct TrainRead {
    /// Counts of the rows of TRAIN.
    pub tally: Tally,
    /// For each input, how much of it was read.
    pub inputs: Vec<InputRead>,
    /// Number of different puzzles or classes, for each kind of overlap.
    pub distinct: Vec<u64>,
    /// Time that the reading took.
    pub elapsed: Duration,
}

impl ValidJob {
    /// Returns the files that the run reads. `-` stands for standard input.
    pub fn input_files(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().chain(train_of(&self.options)).map(|input| match input {
            Input::File(path) => path.as_path(),
            _ => Path::new("-"),
        })
    }

    /// Returns the files that the run writes: the output and, for a shard, its record. `-` stands for standard output.
    pub fn output_files(&self) -> Vec<PathBuf> {
        let mut files = self.target.files();
        if let (Some(_), Target::File(path)) = (self.shard, &self.target) {
            files.push(ShardRecord::path_of(path));
        }
        files
    }

    /// Returns whether `--resume` can continue the rows of a run that stopped early.
    pub fn can_resume(&self) -> bool {
        self.output.order.is_none() && self.options.refuses_resume().is_none()
    }

    /// Returns advice for the user after `error` has ended the run: what to do next, and whether `--resume` can continue the rows before
    /// the error.
    pub fn remedy(&self, error: &RunError) -> &'static str {
        match error {
            _ if !self.can_resume() => {
                "--resume cannot continue them, because --order-by, --sample and --pass-at need all rows; start again with --force"
            }
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
        }
    }

    /// Opens the inputs, or the source of generated rows. Once `stop_reading` is true, the function stops waiting for an input.
    ///
    /// # Errors
    /// [`RunError::Source`] if an input can't be read or its layout isn't found, and [`RunError::Interrupted`].
    pub fn open(&self, stop_reading: &Arc<AtomicBool>) -> Result<Source, RunError> {
        let options = Options { cancel: Arc::clone(stop_reading), ..self.input.clone() };
        let Some((recipe, numbers)) = &self.made else { return open(&self.inputs, options) };
        // `skip` and `limit` are already part of the range of numbers.
        let options = Options { skip: 0, limit: None, delimiter: self.promised_delimiter(), ..options };
        Ok(Source::made(recipe.clone(), numbers.clone(), options))
    }

    /// Returns the delimiter that belongs to the extension of the output.
    fn promised_delimiter(&self) -> Option<u8> {
        match &self.target {
            Target::File(path) => Promise::of(path).ok()?.delimiter,
            Target::Stdout => None,
        }
    }

    /// Makes a run over `source` according to the verb's options.
    ///
    /// # Errors
    /// [`RunError::Option`] for options that [`Job::validate`] would have refused.
    pub fn set_up<'r>(
        &self,
        source: Source,
        how: &RunOptions<'r>,
        pass: InputPass,
    ) -> Result<Run<'r>, RunError> {
        let mut run =
            run_over(source, how, pass).solver(sudobench_sudoku::solver::default_variant(), self.level);
        if let Some(expansion) = self.options.expansion() {
            run = run.expand(expansion);
        }
        Ok(self.options.set_up(run, self.level, &self.output.columns)?)
    }

    /// Runs the job.
    pub fn run(&self, mut how: RunOptions<'_>) -> JobEnd {
        let list_groups = how.list_groups.take();
        let passes = self.options.passes(list_groups.is_some());
        let train = OnceLock::new();
        let mut result = self.run_passes(&how, &passes, list_groups, &train);
        if let Err(RunError::Destination(DestinationError::PartialExists { can_resume, .. })) = &mut result {
            *can_resume = self.can_resume();
        }
        let result = result.and_then(|finished| match self.lacks_rows(&finished) {
            true => Err(RunError::NoRows("")),
            false => Ok(finished),
        });
        JobEnd { result, passes: PassResults::collect(&passes, &train) }
    }

    /// Returns whether the run had no rows, although the verb needs rows. Returns false for a shard and for an interrupted run.
    fn lacks_rows(&self, finished: &Finished) -> bool {
        let is_part = self.shard.is_some() || finished.interrupted;
        self.options.needs_rows() && !is_part && finished.measures.tally.rows() == 0
    }

    fn run_passes<'r>(
        &self,
        how: &RunOptions<'r>,
        passes: &Passes,
        list_groups: Option<ListGroups<'r>>,
        train: &OnceLock<TrainRead>,
    ) -> Result<Finished, RunError> {
        let count = match passes {
            Passes::One | Passes::Overlap(_) => 1,
            Passes::Stratify(_) => 2,
            Passes::Split(split) => 2 - usize::from(split.is_chosen()),
            Passes::Dedupe(_) => 2 + usize::from(list_groups.is_some()),
        };
        let pass = |number: usize| InputPass {
            name: match passes {
                Passes::One => String::new(),
                Passes::Overlap(_) => "TEST: ".to_owned(),
                _ if count == 1 => String::new(),
                _ => format!("pass {number} of {count}: "),
            },
            writes: number == count,
        };
        let writing = self.open(&how.stop_reading)?;
        self.check_columns(&writing)?;
        let mut run = self
            .set_up(writing, how, pass(count))?
            .columns(self.output.columns.clone())
            .grid(self.verb.grid)
            .filter(self.output.filter.clone())
            .order(self.output.order.clone());
        if let Some(shard) = self.shard {
            run = run.shard(shard, how.description.clone());
        }
        if self.options.refuses_resume().is_none() {
            run = run.report(|finished| (how.on_end)(finished, &PassResults::collect(passes, train)));
        }
        let sink =
            Sink::target(self.target.clone(), self.existing).format(self.output.format).sync(self.sync);
        match passes {
            Passes::One => self.write_or_count(run, sink),
            Passes::Stratify(stratify) => {
                let drawing = self.set_up(self.open(&how.stop_reading)?, how, pass(1))?;
                stratify.run(drawing, run).to(sink)
            }
            Passes::Split(split) => {
                let counting = || self.set_up(self.open(&how.stop_reading)?, how, pass(1));
                split.run(counting, run)?.to(sink)
            }
            Passes::Dedupe(dedupe) => {
                let counting = run_over(self.open(&how.stop_reading)?, how, pass(1));
                let list = || match list_groups {
                    Some(list) => {
                        list(dedupe.groups(run_over(self.open(&how.stop_reading)?, how, pass(2)))?)
                    }
                    None => Ok(()),
                };
                dedupe.run(counting, run, list).to(sink)
            }
            Passes::Overlap(overlap) => {
                if self.has_rows {
                    // Faults of the output are reported before TRAIN is read.
                    sink::check_target(&self.target, self.existing)?;
                }
                let (training, read) = self.read_train(overlap, how)?;
                train.get_or_init(|| read);
                self.write_or_count(run.marks(Arc::new(Compared { training, keep: overlap.keep })), sink)
            }
        }
    }

    /// Writes the rows, or only counts them if no rows are requested.
    fn write_or_count(&self, run: Run<'_>, sink: Sink<'_>) -> Result<Finished, RunError> {
        if self.has_rows {
            return run.to(sink);
        }
        // A run without output rows keeps nothing if it fails halfway, so the error alone is returned.
        run.columns([]).to(Sink::puzzles(|_| ControlFlow::Continue(()))).map_err(|error| match error {
            RunError::Halfway { error, .. } => *error,
            error => error,
        })
    }

    /// Checks that a verb that only copies rows loses no column of the input.
    fn check_columns(&self, source: &Source) -> Result<(), OptionError> {
        let (verb, format) = (&self.verb, self.output.format);
        let columns = InputColumns::of(source.layout());
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

    /// Reads all rows of TRAIN, input by input, because each may have its own layout.
    fn read_train(
        &self,
        overlap: &OverlapOptions,
        how: &RunOptions<'_>,
    ) -> Result<(Training, TrainRead), RunError> {
        let clock = Instant::now();
        let mut training = Training::new(overlap.kinds());
        let (mut tally, mut inputs) = (Tally::default(), Vec::new());
        for (number, input) in overlap.train.iter().enumerate() {
            let options =
                Options { skip: 0, limit: None, cancel: Arc::clone(&how.stop_reading), ..self.input.clone() };
            let source = open(std::slice::from_ref(input), options)?;
            let run = self.set_up(source, how, InputPass { name: "TRAIN: ".to_owned(), writes: false })?;
            let run = run.columns([]).needs(training.needs());
            let sink = Sink::puzzles(|block| {
                block.rows().for_each(|row| training.add(number, &row));
                ControlFlow::Continue(())
            });
            let finished = over_all(run, sink)?;
            (how.on_train)(input, &finished);
            tally.merge(&finished.measures.tally);
            inputs.extend(finished.inputs);
        }
        if tally.rows() == 0 {
            return Err(RunError::NoRows(" in TRAIN"));
        }
        training.settle();
        let distinct = Overlap::ALL.iter().map(|&overlap| training.distinct(overlap)).collect();
        Ok((training, TrainRead { tally, inputs, distinct, elapsed: clock.elapsed() }))
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
    if !options.writes_rows_by_default() && asked.output.is_none() {
        return error("this command writes rows only to the file of -o: add -o FILE".to_owned());
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
            "`{}` does not solve the forms that it writes, so they cannot be ordered by status or match",
            options.verb().name
        ));
    }
    Ok(())
}

/// Returns the inputs TRAIN of `overlap`; none for other verbs.
fn train_of(options: &VerbOptions) -> &[Input] {
    if let VerbOptions::Overlap(overlap) = options { &overlap.train } else { &[] }
}

/// Makes a run over all rows of `source` with the threads, the flags and the progress callback of `how`.
fn run_over<'r>(source: Source, how: &RunOptions<'r>, pass: InputPass) -> Run<'r> {
    let mut on_progress = (how.on_pass)(pass);
    Run::over(source)
        .threads(how.threads)
        .cancel(Arc::clone(&how.stop_solving))
        .progress(move |progress| on_progress(progress))
}

/// Opens inputs.
fn open(inputs: &[Input], options: Options) -> Result<Source, RunError> {
    let cancel = Arc::clone(&options.cancel);
    Source::open(inputs, options).map_err(|error| match cancel.load(Ordering::SeqCst) {
        // Errors of an interrupted input aren't reported.
        true => RunError::Interrupted,
        false => error.into(),
    })
}

/// Returns the target that the value of `-o` names: a file or standard output.
pub fn target(output: Option<&Path>) -> Target {
    match output {
        Some(path) if !is_standard(path) && !matches!(Place::of(path), Ok(Place::Stdout)) => {
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
        Target::File(path) if let (Some(shard), Ok(Place::File(_))) = (shard, Place::of(&path)) => {
            Ok(Target::File(shard.file_of(&path)))
        }
        Target::Stdout if output.resume => Err(OptionError::new(
            "a run that writes to standard output cannot be resumed: leave out --resume, and use --skip to skip the rows that are already done",
        )
        .about("resume")),
        target => Ok(target),
    }
}
