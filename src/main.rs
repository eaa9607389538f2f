//! The `sudobench` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use sudobench::command;
use sudobench_harness::{child_main, started};

fn main() -> ExitCode {
    child_main().unwrap_or_else(|| ExitCode::from(command::start(started::argv()) as u8))
}
