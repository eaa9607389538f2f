//! Turns errors into Python exceptions. If a message names options of the command, [`with_keywords`] names the keyword arguments instead.

use std::error::Error;
use std::io;

use arrow_schema::ArrowError;
use pyo3::exceptions::{
    PyFileExistsError, PyFileNotFoundError, PyIsADirectoryError, PyOSError, PyPermissionError, PyValueError,
};
use pyo3::prelude::*;
use pyo3_arrow::error::PyArrowError;
use sudobench_rows::sink::DestinationError;
use sudobench_rows::source::SourceError;
use sudobench_rows::{OptionError, RunError};
use sudobench_tables::TableError;

pyo3::create_exception!(
    sudobench,
    NotGenerated,
    PyValueError,
    "None of the attempts to make a puzzle succeeded. `made` holds the puzzles that were made before; `generate_file` leaves them in `OUTPUT.partial` instead."
);

/// Returns a `ValueError` with this message.
pub(crate) fn unusable(message: impl ToString) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// Returns a `ValueError` whose message names options as keyword arguments.
pub(crate) fn refused(error: &OptionError) -> PyErr {
    unusable(with_keywords(&error.to_string()))
}

/// Returns the exception for an error that occurred while puzzles in memory were solved.
pub(crate) fn table_error(error: TableError) -> PyErr {
    match &error {
        TableError::Threads(_) => PyOSError::new_err(message_of(error)),
        _ => unusable(message_of(error)),
    }
}

/// Returns the exception for an error that occurred while the puzzles of a table were solved.
pub(crate) fn arrow_error(error: sudobench_tables::Error) -> PyErr {
    match error {
        sudobench_tables::Error::Table(error) => table_error(error),
        // If solving a batch of a stream fails, the error is inside an error of Arrow.
        sudobench_tables::Error::Arrow(ArrowError::ExternalError(error)) => match error.downcast() {
            Ok(error) => arrow_error(*error),
            Err(error) => unusable(error),
        },
        error => unusable(message_of(error)),
    }
}

/// Returns the exception for an error of a conversion to Arrow, for example because a requested type isn't supported.
pub(crate) fn conversion_error(error: PyArrowError) -> PyErr {
    match error {
        PyArrowError::ArrowError(error) => unusable(error),
        error => error.into(),
    }
}

/// Formats an error with its causes.
fn message_of(error: impl Error + Send + Sync + 'static) -> String {
    format!("{:#}", anyhow::Error::from(error))
}

/// Returns the exception for a run that did not complete. `context` comes before the message.
pub(crate) fn run_error(error: RunError, context: Option<String>) -> PyErr {
    let exception = match &error {
        RunError::Destination(DestinationError::Exists(_) | DestinationError::PartialExists { .. }) => {
            PyFileExistsError::new_err::<String>
        }
        RunError::Destination(DestinationError::Folder(_))
        | RunError::Source(SourceError::Directory { .. }) => PyIsADirectoryError::new_err,
        RunError::Destination(DestinationError::Busy { .. }) | RunError::Threads(_) => PyOSError::new_err,
        RunError::Source(SourceError::NotMade(_)) => NotGenerated::new_err,
        _ => match kind(&error) {
            None => PyValueError::new_err,
            Some(io::ErrorKind::NotFound) => PyFileNotFoundError::new_err,
            Some(io::ErrorKind::PermissionDenied) => PyPermissionError::new_err,
            Some(_) => PyOSError::new_err,
        },
    };
    let error = anyhow::Error::from(error);
    let error = match context {
        Some(context) => error.context(context),
        None => error,
    };
    exception(with_keywords(&format!("{error:#}")))
}

/// Writes options as keyword arguments: `--max-solutions` becomes `max_solutions`, and `--resume` becomes `resume=True`.
pub(crate) fn with_keywords(text: &str) -> String {
    let (mut words, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("--") {
        words.push_str(&rest[..at]);
        let name = &rest[at + 2..];
        let is_other = |letter: char| !letter.is_ascii_alphanumeric() && letter != '-';
        let (name, after) = name.split_at(name.find(is_other).unwrap_or(name.len()));
        // This `--` may be part of a file name instead of an option. A file name must stay unchanged.
        let mut next = after.chars();
        let is_in_file = words.ends_with(|last: char| last.is_alphanumeric() || "-._/".contains(last))
            || next.next().is_some_and(|next| "._/".contains(next))
                && next.next().is_some_and(char::is_alphanumeric);
        if is_in_file || !name.starts_with(|first: char| first.is_ascii_lowercase()) {
            words.push_str("--");
            words.push_str(name);
        } else {
            // For the command, `--budgets` can decide which of several solutions is reported. For Python functions, `answer` decides this.
            words.push_str(&if name == "budgets" { "answer".to_owned() } else { name.replace('-', "_") });
            if ["force", "resume"].contains(&name) {
                words.push_str("=True");
            }
        }
        rest = after;
    }
    words + rest
}

/// Returns the kind of system error, if the system caused the error.
fn kind(error: &RunError) -> Option<io::ErrorKind> {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(said) = error.downcast_ref::<io::Error>() {
            return Some(said.kind());
        }
        cause = error.source();
    }
    None
}
