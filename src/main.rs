//! The `sudobench` command: parse, dispatch, print an error, exit.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;
use sudobench::cli::Cli;
use sudobench::command::{self, Exit};

fn main() -> ExitCode {
    let exit = command::run(Cli::parse()).unwrap_or_else(|error| {
        if command::is_broken_pipe(&error) {
            return Exit::Fine;
        }
        anstream::eprintln!("sudobench: {error:#}");
        command::exit_of(&error)
    });
    ExitCode::from(exit as u8)
}
