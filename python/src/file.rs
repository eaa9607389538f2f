//! Runs the verbs of the command `sudobench` over files.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict};
use serde_json::{Map, Value};
use sudobench_rows::overlap::{Overlap, Overlaps};
use sudobench_rows::source::Input;
use sudobench_rows::verbs::VerbOptions;
use sudobench_rows::{
    Dedupe, Finished, InputPass, Job, OnProgress, Progress, RunError, RunOptions, StopFlags, StratifiedSplit,
    Stratify, ValidJob, check_sides, end_sides,
};
use sudobench_sudoku::Status;
use sudobench_sudoku::simd::Level;

use crate::errors::{refused, run_error, unusable, with_keywords};
use crate::interruptible::interruptible;
use crate::options::threads_or_cores;
use crate::score::{cell_errors, means, pass_at_k};

/// Runs a verb over files. `keywords` is a JSON object with the options of the verb, of the input and of the output. `train` has the files
/// of the argument TRAIN, if the verb is `overlap`; `test_output` is the file for the test rows, if the verb is `split`. `progress` is
/// called regularly and at the end, with the number of finished rows and the share of the work that is done.
///
/// Returns for each output a dictionary with the fields of the verb's result (`Finished` in Python, or a class based on it). Returns `None`
/// for an output that an earlier run has completed.
///
/// # Errors
///
/// `ValueError`, or `OSError` and its subclasses such as `FileExistsError`, with the message of the command.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "only Python code calls it, with all its arguments")]
pub(crate) fn run_job<'py>(
    py: Python<'py>,
    verb: &str,
    inputs: Vec<PathBuf>,
    train: Vec<PathBuf>,
    output: Option<PathBuf>,
    test_output: Option<PathBuf>,
    keywords: &str,
    threads: Option<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Option<Bound<'py, PyDict>>>> {
    let mut job = job(verb, keywords)?;
    if inputs.is_empty() && !job.verb.verb().makes_rows {
        return Err(unusable("name a file to read"));
    }
    job.inputs = inputs.into_iter().map(Input::File).collect();
    job.output.output = output;
    if let VerbOptions::Overlap(overlap) = &mut job.verb {
        overlap.train = train.into_iter().map(Input::File).collect();
    }
    let Some(test_output) = test_output else {
        return Ok(vec![run(py, &valid(job)?, threads, progress)?]);
    };
    let [train, test] = job.sides(test_output).map_err(|error| refused(&error))?;
    let (mut train, test) = (valid(train)?, valid(test)?);
    check_sides(&mut train, &test).map_err(|error| run_error(error.into(), None))?;
    let of_train = run(py, &train, threads.clone(), progress.as_ref().map(|call| call.clone_ref(py)))?;
    let of_test = run(py, &test, threads, progress)?;
    end_sides(&train, &test)?;
    Ok(vec![of_train, of_test])
}

/// Runs a job. Returns the fields of its result, or `None` if an earlier run has completed the output.
fn run<'py>(
    py: Python<'py>,
    job: &ValidJob,
    threads: Option<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let finished = watched(py, job, threads, progress, |how| job.run(how))?;
    if finished.complete_before.is_some() {
        return Ok(None);
    }
    let tally = &finished.measures.tally;
    let fields = PyDict::new(py);
    let statuses = Status::ALL.iter().map(|&status| (status.name(), tally.rows_with(status)));
    fields.set_item("rows", tally.rows())?;
    fields.set_item("statuses", dict(py, statuses)?)?;
    fields.set_item("left_out", tally.left_out)?;
    fields.set_item("restored", tally.restored)?;
    fields.set_item("compared", tally.compared)?;
    fields.set_item("mismatches", tally.mismatches)?;
    fields.set_item("notices", notices(job, &finished))?;
    fields.set_item("resumed_after", finished.resumed_after)?;
    fields.set_item("seconds", finished.wall.as_secs_f64())?;
    if let Some(found) = job.passes().and_then(Dedupe::found) {
        fields.set_item("distinct", found.classes)?;
        fields.set_item("duplicates", found.duplicates())?;
        fields.set_item("groups", found.groups)?;
        fields.set_item("largest", found.largest)?;
        fields.set_item("of_other_parts", found.of_other_parts)?;
    }
    match &job.options {
        VerbOptions::Overlap(options) => {
            let kinds = Overlap::ALL.iter().filter(|&&kind| options.kinds().has(kind));
            let rows = |kind| Overlaps::rows_of(tally, |overlaps| overlaps.has(kind));
            fields.set_item("overlaps", dict(py, kinds.map(|&kind| (kind.name(), rows(kind))))?)?;
        }
        VerbOptions::Score(options) => {
            let scores = &finished.measures.scores;
            let bootstrap = scores.bootstrap();
            let buckets = scores.buckets.iter().map(|(value, sums)| (value, means(sums, bootstrap)));
            fields.set_item("accuracies", means(&scores.all, bootstrap))?;
            fields.set_item("cell_errors", cell_errors(&scores.cells))?;
            let pass_at: Vec<_> = options.pass_at.iter().map(|&k| pass_at_k(&scores.groups, k)).collect();
            fields.set_item("pass_at", pass_at)?;
            fields.set_item("buckets", buckets.collect::<Vec<_>>().into_py_dict(py)?)?;
        }
        VerbOptions::Rate(_) => {
            let strata = job.passes().and_then(Stratify::strata);
            let strata = strata.map_or(&[][..], |strata| &strata.strata);
            let found = strata.iter().map(|stratum| (&stratum.value, stratum.found));
            let drawn = strata.iter().map(|stratum| (&stratum.value, stratum.drawn));
            fields.set_item("found", found.collect::<Vec<_>>().into_py_dict(py)?)?;
            fields.set_item("drawn", drawn.collect::<Vec<_>>().into_py_dict(py)?)?;
        }
        VerbOptions::Split(_) => {
            let split = job.passes().and_then(StratifiedSplit::found);
            let split = split.as_ref();
            fields.set_item("classes", split.map(|split| split.classes))?;
            fields.set_item("groups", split.map(|split| split.groups))?;
            let strata = || split.into_iter().flat_map(|split| &split.strata);
            let found = strata().map(|stratum| (&stratum.value, stratum.rows));
            let test = strata().map(|stratum| (&stratum.value, stratum.test));
            fields.set_item("found", found.collect::<Vec<_>>().into_py_dict(py)?)?;
            fields.set_item("test", test.collect::<Vec<_>>().into_py_dict(py)?)?;
        }
        options if options.expansion().is_some_and(|expansion| expansion.transform().is_none()) => {
            fields.set_item("found", tally.found)?;
            fields.set_item("incomplete", tally.incomplete)?;
        }
        _ => {}
    }
    Ok(Some(fields))
}

fn dict<'py>(
    py: Python<'py>,
    counts: impl Iterator<Item = (&'static str, u64)>,
) -> PyResult<Bound<'py, PyDict>> {
    counts.collect::<Vec<_>>().into_py_dict(py)
}

/// Reads a job from the keywords of a Python function.
pub(crate) fn job(verb: &str, keywords: &str) -> PyResult<Job> {
    let keywords: Map<String, Value> = serde_json::from_str(keywords).map_err(unusable)?;
    Job::from_keywords(verb, keywords).map_err(|error| refused(&error))
}

/// Checks a job before its input is read.
pub(crate) fn valid(job: Job) -> PyResult<ValidJob> {
    let level = Level::from_environment().map_err(unusable)?;
    job.validate(level).map_err(|error| refused(&error))
}

/// Returns the notices of a run as messages that name the input and the line.
fn notices(job: &ValidJob, finished: &Finished) -> Vec<String> {
    let words = |notice: &sudobench_rows::Notice| {
        let what = notice.kind.words();
        let input = job.inputs.get(notice.input).map(ToString::to_string).unwrap_or_default();
        format!("{input}:{}: {what}: {}", notice.line, notice.text)
    };
    finished.notices.iter().map(words).collect()
}

/// If the exception is a `KeyboardInterrupt` and there is a partial output, returns an exception whose message says how to continue.
/// Otherwise returns the exception unchanged.
fn interrupted(py: Python<'_>, exception: PyErr, finished: Option<&Finished>, job: &ValidJob) -> PyErr {
    match finished.and_then(|finished| finished.interruption(job.can_resume())) {
        Some(words) if exception.is_instance_of::<PyKeyboardInterrupt>(py) => {
            PyKeyboardInterrupt::new_err(with_keywords(&words))
        }
        _ => exception,
    }
}

/// Runs a job in another thread, by calling `run` there. During the run, calls the Python function `progress` regularly.
pub(crate) fn watched(
    py: Python<'_>,
    job: &ValidJob,
    threads: Option<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
    run: impl FnOnce(RunOptions<'_>) -> Result<Finished, RunError> + Send,
) -> PyResult<Finished> {
    let threads = threads_or_cores(threads.as_ref())?;
    let flags = StopFlags::default();
    let last: Mutex<Option<Progress>> = Mutex::default();
    let lock = || last.lock().unwrap_or_else(PoisonError::into_inner);
    let tell = |py: Python<'_>| {
        let last = *lock();
        match progress.as_ref().zip(last) {
            Some((call, progress)) => call.call1(py, (progress.rows, progress.share())).map(|_| ()),
            None => Ok(()),
        }
    };
    let work = || {
        let on_pass = |_: InputPass| -> OnProgress<'_> { Box::new(|progress| *lock() = Some(*progress)) };
        run(RunOptions { on_pass: &on_pass, ..RunOptions::new(threads, flags.clone()) })
    };
    let (ran, exception) = interruptible(py, &flags, tell, work)?;
    if let Some(exception) = exception {
        return Err(interrupted(py, exception, ran.as_ref().ok(), job));
    }
    match ran {
        Ok(finished) => {
            tell(py)?;
            Ok(finished)
        }
        Err(RunError::Halfway { error, finished }) => {
            let rows = finished.rows_before_error(job.remedy(&error));
            Err(run_error(*error, rows))
        }
        Err(error) => Err(run_error(error, None)),
    }
}
