//! Files: the whole pipeline of the command.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use sudobench::command::check_apart;
use sudobench_batch::sink::{self, DestinationError, Existing, OutputFormat, Promise, Target};
use sudobench_batch::source::{ColumnChoice, Input, InputFormat, Options, Replay, Source};
use sudobench_batch::verb::{DEDUPE, RATE};
use sudobench_batch::{
    Dedupe, Filter, Finished, NoticeKind, OptionError, OutputOptions, Progress, RowOutput, Run, RunError,
    Sink, Strata, Stratify, Verb, columns,
};
use sudobench_sudoku::Status;
use sudobench_sudoku::rate::Difficulty;

use crate::errors::{of_run, of_source, unusable};
use crate::interruptible::{Flags, interruptible};
use crate::making::Making;
use crate::options::{Asked, ColumnKey, Solving, SolvingOptions};

/// How files are read and written, as it was typed.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct FileOptions {
    columns: Option<Vec<String>>,
    only: Option<Vec<String>>,
    input_format: Option<String>,
    output_format: Option<String>,
    puzzle_column: Option<ColumnKey>,
    solution_column: Option<ColumnKey>,
    header: Option<bool>,
    skip: u64,
    limit: Option<u64>,
    force: bool,
    resume: bool,
}

/// What became of a file.
#[derive(IntoPyObject)]
pub(crate) struct FileAnswers {
    rows: u64,
    statuses: Vec<(&'static str, u64)>,
    left_out: u64,
    restored: u64,
    compared: u64,
    mismatches: u64,
    notices: Vec<String>,
    resumed_after: u64,
    seconds: f64,
}

/// What is said of rows where they are solved; Python tells it in a bar.
pub(crate) type Told = Option<Progress>;

/// Writes the rows of files into a file, with columns of a verb behind them. `progress` is called with the rows that are done and the share of the work, now
/// and then and at the end. `None` where an earlier run has done it all.
///
/// # Errors
/// As the command, in its words: `FileExistsError`, `FileNotFoundError`, `OSError`, else `ValueError`.
#[pyfunction]
pub(crate) fn write_file(
    py: Python<'_>,
    verb: Asked,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    solving: SolvingOptions,
    options: FileOptions,
    progress: Option<Py<PyAny>>,
) -> PyResult<Option<FileAnswers>> {
    let solving = solving.solving()?;
    let flags = Flags::default();
    let job = Job::new(verb, inputs, output, options, &solving, &flags)?;
    let finished = job.finish(py, &solving, &flags, progress)?;
    Ok(finished.map(|finished| answers(&job.inputs, &finished)))
}

/// How many puzzles there are, and how often.
#[derive(IntoPyObject)]
pub(crate) struct DuplicatesFound {
    distinct: u64,
    duplicates: u64,
    groups: u64,
    largest: u64,
    of_other_parts: u64,
}

/// Writes the first of each class of the rows of files into a file. `progress` is called as by [`write_file`], for both passes.
/// `None` where an earlier run has done it all.
///
/// # Errors
/// As [`write_file`].
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python's own code gathers them")]
pub(crate) fn dedupe_file(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    isomorph: bool,
    part: Option<String>,
    solving: SolvingOptions,
    options: FileOptions,
    progress: Option<Py<PyAny>>,
) -> PyResult<Option<(FileAnswers, DuplicatesFound)>> {
    let solving = solving.solving()?;
    let flags = Flags::default();
    let part = part.map(|part| part.parse().map_err(|error: OptionError| unusable(format!("part: {error}"))));
    let dedupe = Arc::new(Dedupe::default().isomorph(isomorph).part(part.transpose()?));
    let mut job = Job::new(Asked(DEDUPE), inputs, output, options, &solving, &flags)?;
    job.options.replay = Some(Replay::default());
    job.dedupe = Some(Arc::clone(&dedupe));
    let finished = job.finish(py, &solving, &flags, progress)?;
    Ok(finished.zip(dedupe.found()).map(|(finished, found)| {
        let found = DuplicatesFound {
            distinct: found.classes,
            duplicates: found.duplicates(),
            groups: found.groups,
            largest: found.largest,
            of_other_parts: found.of_other_parts,
        };
        (answers(&job.inputs, &finished), found)
    }))
}

/// How many rows there are of each difficulty, and how many of those were drawn.
#[derive(IntoPyObject)]
pub(crate) struct RowsDrawn {
    found: Vec<(&'static str, u64)>,
    drawn: Vec<(&'static str, u64)>,
}

/// Writes the rows of files into a file, with how hard their puzzles are; with `stratify` so many rows of each difficulty alone.
/// `progress` is called as by [`write_file`], with `stratify` for both passes. `None` where an earlier run has done it all.
///
/// # Errors
/// As [`write_file`].
#[pyfunction]
pub(crate) fn rate_file(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    stratify: Option<usize>,
    solving: SolvingOptions,
    options: FileOptions,
    progress: Option<Py<PyAny>>,
) -> PyResult<Option<(FileAnswers, RowsDrawn)>> {
    let solving = solving.solving()?;
    let flags = Flags::default();
    if stratify.is_some() && options.only.is_some() {
        return Err(unusable("only and stratify both choose rows: give one of them"));
    }
    let none = || unusable("stratify=0: give 1 or more, or leave it out");
    let stratify = stratify
        .map(|rows| NonZeroUsize::new(rows).ok_or_else(none))
        .transpose()?
        .map(|rows| Arc::new(Stratify::new(rows, solving.isomorphs.seed)));
    let mut job = Job::new(Asked(RATE), inputs, output, options, &solving, &flags)?;
    if stratify.is_some() {
        job.options.replay = Some(Replay::default());
    }
    job.stratify = stratify.clone();
    let finished = job.finish(py, &solving, &flags, progress)?;
    let strata = stratify.and_then(|stratify| stratify.strata());
    Ok(finished.map(|finished| (answers(&job.inputs, &finished), drawn(strata))))
}

fn drawn(strata: Option<Strata>) -> RowsDrawn {
    let named = |rows: [u64; Difficulty::ALL.len()]| Difficulty::NAMES.into_iter().zip(rows).collect();
    RowsDrawn {
        found: strata.map(|strata| named(strata.found)).unwrap_or_default(),
        drawn: strata.map(|strata| named(strata.drawn)).unwrap_or_default(),
    }
}

/// The exception with what is left to go on with.
fn interrupted(py: Python<'_>, exception: PyErr, finished: Option<&Finished>) -> PyErr {
    let partial = finished.and_then(|finished| finished.partial.as_ref().map(|partial| (finished, partial)));
    match partial {
        Some((finished, partial)) if exception.is_instance_of::<PyKeyboardInterrupt>(py) => {
            PyKeyboardInterrupt::new_err(format!(
                "interrupted after {} rows, all whole in {}; resume=True goes on",
                finished.measures.tally.rows(),
                partial.display()
            ))
        }
        _ => exception,
    }
}

/// What was typed about files, validated.
pub(crate) struct Job {
    verb: Verb,
    pub(crate) inputs: Vec<Input>,
    /// What is made instead of read.
    making: Option<Making>,
    options: Options,
    columns: Vec<columns::Column>,
    filter: Filter,
    format: OutputFormat,
    output: PathBuf,
    existing: Existing,
    /// Who leaves duplicates out.
    dedupe: Option<Arc<Dedupe>>,
    /// Who draws rows of each difficulty.
    stratify: Option<Arc<Stratify>>,
}

/// The conditions of `only`. Words of the short form that are given one by one are one condition.
fn conditions(texts: Vec<String>) -> Vec<String> {
    let (mut conditions, words): (Vec<String>, Vec<String>) =
        texts.into_iter().partition(|text| text.contains('='));
    if !words.is_empty() {
        conditions.push(words.join(","));
    }
    conditions
}

impl Job {
    fn new(
        verb: Asked,
        inputs: Vec<PathBuf>,
        output: PathBuf,
        typed: FileOptions,
        solving: &Solving,
        flags: &Flags,
    ) -> PyResult<Job> {
        if inputs.is_empty() {
            return Err(unusable("name a file to read"));
        }
        let outputs = sink::files_of(&output).unwrap_or_default();
        check_apart(inputs.iter().map(PathBuf::as_path), outputs.iter().map(PathBuf::as_path))
            .map_err(unusable)?;
        let inputs = inputs.into_iter().map(Input::File).collect();
        Job::of(verb, inputs, output, typed, solving, flags)
    }

    /// One that makes its rows.
    pub(crate) fn made(
        verb: Asked,
        making: Making,
        output: PathBuf,
        typed: FileOptions,
        solving: &Solving,
        flags: &Flags,
    ) -> PyResult<Job> {
        let inputs = vec![Input::Reader("generated puzzles".to_owned())];
        let mut job = Job::of(verb, inputs, output, typed, solving, flags)?;
        job.options.delimiter = Promise::of(&job.output).map_err(unusable)?.delimiter;
        job.making = Some(making);
        Ok(job)
    }

    fn of(
        Asked(verb): Asked,
        inputs: Vec<Input>,
        output: PathBuf,
        typed: FileOptions,
        solving: &Solving,
        flags: &Flags,
    ) -> PyResult<Job> {
        let asked: Option<OutputFormat> = typed
            .output_format
            .map(|name| {
                name.parse().map_err(|_| {
                    unknown("output_format", &name, OutputFormat::ALL.iter().map(|format| format.name()))
                })
            })
            .transpose()?;
        let RowOutput { format, columns, filter } = verb
            .output(OutputOptions {
                path: Some(&output),
                format: asked,
                columns: typed.columns.map(|names| names.join(",")).as_deref(),
                only: &conditions(typed.only.unwrap_or_default()),
            })
            .map_err(unusable)?;
        Ok(Job {
            verb,
            inputs,
            making: None,
            options: Options {
                format: typed
                    .input_format
                    .map(|name| {
                        name.parse().map_err(|_| {
                            unknown(
                                "input_format",
                                &name,
                                InputFormat::ALL.iter().map(|format| format.name()),
                            )
                        })
                    })
                    .transpose()?,
                puzzle_column: typed.puzzle_column.map(ColumnChoice::from),
                solution_column: typed.solution_column.map(ColumnChoice::from),
                header: typed.header,
                skip: typed.skip,
                limit: typed.limit,
                restore_zeros: solving.restore_zeros,
                cancel: Arc::clone(&flags.reading),
                ..Options::default()
            },
            columns,
            filter,
            format,
            output,
            existing: match (typed.resume, typed.force) {
                (true, true) => {
                    return Err(unusable("force=True starts anew and resume=True goes on: give one of them"));
                }
                (true, _) => Existing::Resume,
                (_, true) => Existing::Overwrite,
                _ => Existing::Refuse,
            },
            dedupe: None,
            stratify: None,
        })
    }

    /// Does it all, and tells `progress` meanwhile. `None` where an earlier run has done it.
    pub(crate) fn finish(
        &self,
        py: Python<'_>,
        solving: &Solving,
        flags: &Flags,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Finished>> {
        Watched::new(progress).finish(py, flags, |told| self.run(solving, flags, told))
    }

    fn run(&self, solving: &Solving, flags: &Flags, told: &Mutex<Told>) -> Result<Finished, RunError> {
        let tell = telling(told);
        let source = match &self.making {
            Some(making) => making.source(self.options.clone()),
            None => Source::open(&self.inputs, self.options.clone())?,
        };
        let mut run = Run::over(source)
            .solver(solving.variant, solving.level)
            .question(solving.question.clone())
            .isomorphs(solving.isomorphs)
            .columns(self.columns.clone())
            .grid(self.verb.grid)
            .threads(solving.threads())
            .cancel(Arc::clone(&flags.solving))
            .filter(self.filter.clone())
            .progress(tell);
        if let Some(dedupe) = &self.dedupe {
            let counting = Run::over(Source::open(&self.inputs, self.options.clone())?)
                .threads(solving.threads())
                .cancel(Arc::clone(&flags.solving))
                .progress(tell);
            run = dedupe.run(counting, run, || Ok(()));
        }
        if let Some(stratify) = &self.stratify {
            let drawing = Run::over(Source::open(&self.inputs, self.options.clone())?)
                .solver(solving.variant, solving.level)
                .question(solving.question.clone())
                .threads(solving.threads())
                .cancel(Arc::clone(&flags.solving))
                .progress(tell);
            run = stratify.run(drawing, run);
        }
        run.to(Sink::target(Target::File(self.output.clone()), self.existing).format(self.format))
    }
}

/// A run that tells Python how far it is.
pub(crate) struct Watched {
    progress: Option<Py<PyAny>>,
    told: Mutex<Told>,
}

impl Watched {
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Watched {
        Watched { progress, told: Mutex::default() }
    }

    /// Calls Python with what was told last.
    fn tell(&self, py: Python<'_>) -> PyResult<()> {
        let told = *self.told.lock().unwrap_or_else(PoisonError::into_inner);
        match self.progress.as_ref().zip(told) {
            Some((call, progress)) => call.call1(py, (progress.rows, progress.share())).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Does the run, and calls Python meanwhile. `None` where an earlier run has done it.
    pub(crate) fn finish(
        &self,
        py: Python<'_>,
        flags: &Flags,
        run: impl FnOnce(&Mutex<Told>) -> Result<Finished, RunError> + Send,
    ) -> PyResult<Option<Finished>> {
        let told = &self.told;
        let tell = |py: Python<'_>| self.tell(py);
        let (ran, exception) = interruptible(py, flags, tell, || run(told))?;
        if let Some(exception) = exception {
            return Err(interrupted(py, exception, ran.as_ref().ok()));
        }
        match ran {
            Ok(finished) => {
                self.tell(py)?;
                Ok(Some(finished))
            }
            // So that a loop that resumes until all is well comes to its end.
            Err(RunError::Destination(DestinationError::Whole { .. })) => Ok(None),
            Err(RunError::Halfway { error, finished }) => Err(of_run(
                *error,
                finished.partial.map(|partial| {
                    format!(
                        "the rows before the fault are in {}; resume=True goes on with the same input",
                        partial.display()
                    )
                }),
            )),
            Err(RunError::Source(error)) => Err(of_source(error)),
            Err(error) => Err(of_run(error, None)),
        }
    }
}

/// Keeps what is told, for Python.
pub(crate) fn telling(told: &Mutex<Told>) -> impl Fn(&Progress) + Copy + Send {
    move |progress| *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(*progress)
}

fn unknown(option: &str, name: &str, known: impl Iterator<Item = &'static str>) -> PyErr {
    unusable(format!("{option}={name:?}: there are {}", known.collect::<Vec<_>>().join(", ")))
}

pub(crate) fn answers(inputs: &[Input], finished: &Finished) -> FileAnswers {
    let tally = &finished.measures.tally;
    let notice = |notice: &sudobench_batch::Notice| {
        let what = match notice.kind {
            NoticeKind::Malformed => "malformed",
            NoticeKind::Mismatch => "unlike the expected solution",
            NoticeKind::Refused => "refused by the referee",
        };
        format!("{}:{}: {what}: {}", inputs[notice.input], notice.line, notice.text)
    };
    FileAnswers {
        rows: tally.rows(),
        statuses: Status::ALL.iter().map(|&status| (status.name(), tally.of(status))).collect(),
        left_out: tally.left_out,
        restored: tally.restored,
        compared: tally.compared,
        mismatches: tally.mismatches,
        notices: finished.notices.iter().map(notice).collect(),
        resumed_after: finished.resumed_after,
        seconds: finished.wall.as_secs_f64(),
    }
}
