//! Files: the whole pipeline of the command.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use serde_json::{Map, Value};
use sudobench_batch::overlap::{Overlap, Overlaps};
use sudobench_batch::sink::DestinationError;
use sudobench_batch::source::Input;
use sudobench_batch::verbs::VerbOptions;
use sudobench_batch::{
    Finished, Job, JobEnd, OnProgress, OptionError, Pass, Progress, RunError, RunOptions, ValidJob,
};
use sudobench_sudoku::Status;
use sudobench_sudoku::rate::Difficulty;
use sudobench_sudoku::simd::Level;

use crate::errors::{of_run, of_source, unusable};
use crate::interruptible::{Flags, interruptible};
use crate::options::threads_or_cores;

/// Counts, each with its name.
type Counts = Vec<(&'static str, u64)>;

/// What became of a job. What a verb does not count is empty.
#[derive(IntoPyObject)]
pub(crate) struct JobAnswers {
    rows: u64,
    statuses: Counts,
    left_out: u64,
    restored: u64,
    compared: u64,
    mismatches: u64,
    notices: Vec<String>,
    resumed_after: u64,
    seconds: f64,
    /// What `dedupe` counted, and the verbs that find boards.
    found: Counts,
    /// How many rows have each difficulty, of `rate` with `stratify`.
    strata: Counts,
    /// How many of them were drawn.
    drawn: Counts,
    /// How many rows of TEST overlap in each way, of `overlap`; one may do so in several.
    overlaps: Counts,
}

/// What is said of rows where they are solved; Python tells it in a bar.
pub(crate) type Told = Option<Progress>;

/// Runs a verb over files. `keywords` is a JSON object with the options of the verb, of the input and of the output. `train` are the files
/// of TRAIN of `overlap`. `progress` is called with the rows that are done and the share of the work, now and then and at the end. `None`
/// where an earlier run has done it all.
///
/// # Errors
/// As the command, in its words: `FileExistsError`, `FileNotFoundError`, `OSError`, else `ValueError`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python's own code gathers them")]
pub(crate) fn run_job(
    py: Python<'_>,
    verb: &str,
    inputs: Vec<PathBuf>,
    train: Vec<PathBuf>,
    output: Option<PathBuf>,
    keywords: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Option<JobAnswers>> {
    let mut job = job(verb, keywords)?;
    if inputs.is_empty() && !job.verb.verb().makes_rows {
        return Err(unusable("name a file to read"));
    }
    job.inputs = inputs.into_iter().map(Input::File).collect();
    job.output.output = output;
    if let VerbOptions::Overlap(overlap) = &mut job.verb {
        overlap.train = train.into_iter().map(Input::File).collect();
    }
    let job = valid(job)?;
    let threads = threads_or_cores(threads)?;
    let flags = Flags::default();
    let mut counted = None;
    let finished = Watched::new(progress).finish(py, &flags, |told| {
        let on_pass = |_: Pass| -> OnProgress<'_> { Box::new(telling(told)) };
        let end = job.run(how(threads, &flags, &on_pass));
        let JobEnd { result, duplicates, strata, .. } = end;
        counted = Some((duplicates, strata));
        result
    })?;
    Ok(finished.map(|finished| {
        let (duplicates, strata) = counted.unwrap_or_default();
        let tally = &finished.measures.tally;
        let found = match (job.options.find(), duplicates) {
            (Some(_), _) => vec![("found", tally.found), ("incomplete", tally.incomplete)],
            (_, Some(found)) => vec![
                ("distinct", found.classes),
                ("duplicates", found.duplicates()),
                ("groups", found.groups),
                ("largest", found.largest),
                ("of_other_parts", found.of_other_parts),
            ],
            _ => Vec::new(),
        };
        let named = |rows: [u64; Difficulty::ALL.len()]| Difficulty::NAMES.into_iter().zip(rows).collect();
        let overlaps = match &job.options {
            VerbOptions::Overlap(options) => {
                let kinds = Overlap::ALL.iter().filter(|&&kind| options.kinds().has(kind));
                let rows = |kind| Overlaps::rows_of(tally, |overlaps| overlaps.has(kind));
                kinds.map(|&kind| (kind.name(), rows(kind))).collect()
            }
            _ => Vec::new(),
        };
        JobAnswers {
            rows: tally.rows(),
            statuses: Status::ALL.iter().map(|&status| (status.name(), tally.of(status))).collect(),
            left_out: tally.left_out,
            restored: tally.restored,
            compared: tally.compared,
            mismatches: tally.mismatches,
            notices: notices(&job, &finished),
            resumed_after: finished.resumed_after,
            seconds: finished.wall.as_secs_f64(),
            found,
            strata: strata.map(|strata| named(strata.found)).unwrap_or_default(),
            drawn: strata.map(|strata| named(strata.drawn)).unwrap_or_default(),
            overlaps,
        }
    }))
}

/// Reads a job from the keywords of a Python function.
pub(crate) fn job(verb: &str, keywords: &str) -> PyResult<Job> {
    let keywords: Map<String, Value> = serde_json::from_str(keywords).map_err(unusable)?;
    Job::of_keywords(verb, keywords).map_err(|error| refused(&error))
}

/// Checks everything that can be told without reading.
pub(crate) fn valid(job: Job) -> PyResult<ValidJob> {
    let level = Level::from_environment().map_err(unusable)?;
    job.validate(level).map_err(|error| refused(&error))
}

/// `ValueError` in the words of Python: its options are keywords.
fn refused(error: &OptionError) -> PyErr {
    unusable(error.to_string().replace("--", ""))
}

/// How a job is run for Python.
pub(crate) fn how<'r>(
    threads: NonZeroUsize,
    flags: &Flags,
    on_pass: &'r (dyn Fn(Pass) -> OnProgress<'r> + Sync),
) -> RunOptions<'r> {
    RunOptions {
        threads,
        reading: Arc::clone(&flags.reading),
        solving: Arc::clone(&flags.solving),
        description: Value::Null,
        on_pass,
        on_train: &|_, _| (),
        list_groups: None,
    }
}

/// The first rows that deserve a word.
fn notices(job: &ValidJob, finished: &Finished) -> Vec<String> {
    let words = |notice: &sudobench_batch::Notice| {
        let what = notice.kind.words();
        let input = job.inputs.get(notice.input).map(ToString::to_string).unwrap_or_default();
        format!("{input}:{}: {what}: {}", notice.line, notice.text)
    };
    finished.notices.iter().map(words).collect()
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
