//! The `sudobench` command: what was typed in, an exit code out.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use sudobench::command;
use sudobench_harness::started;

fn main() -> ExitCode {
    ExitCode::from(command::start(started::words()) as u8)
}
