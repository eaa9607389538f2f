//! Runs the command `sudobench` in this process.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;
use sudobench::command;
use sudobench_harness::child_main;
use sudobench_harness::started::{self, Hosted};

/// Runs the program and returns its exit code. `argv` starts with the program's name. Call this function only once per process, because
/// the program takes over the process: the program handles signals, and a second Ctrl-C ends the process. `host` and `host_arguments` are the
/// command with which the program can start itself again.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, argv: Vec<OsString>, host: PathBuf, host_arguments: Vec<String>) -> u8 {
    started::hosted(Hosted { argv: argv.clone(), host, host_arguments });
    py.detach(|| match child_main() {
        // The process was a helper process of the program, and its work is done.
        Some(_) => 0,
        None => command::start(argv) as u8,
    })
}
