//! The command in this process.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;
use sudobench::command;
use sudobench_harness::child_main;
use sudobench_harness::started::{self, Hosted};

/// Runs the program with what was typed, from its name on, and returns its exit code. Once a process, which is the
/// program's from then on: it takes the signals, and the second Ctrl-C ends it. `host` and `host_words` start it again.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, words: Vec<OsString>, host: PathBuf, host_words: Vec<String>) -> u8 {
    started::hosted(Hosted { words: words.clone(), host, host_words });
    py.detach(|| match child_main() {
        // A helper has done its work.
        Some(_) => 0,
        None => command::start(words) as u8,
    })
}
