//! The `sudobench` command: parse, dispatch, print an error, exit.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser as _;
use sudobench::cli::Cli;
use sudobench::command::{self, Exit, say};

fn main() -> ExitCode {
    let exit = match Cli::try_parse() {
        Ok(typed) => command::run(typed).unwrap_or_else(failed),
        Err(answer) => say::answer(&answer),
    };
    ExitCode::from(exit as u8)
}

fn failed(error: anyhow::Error) -> Exit {
    if command::is_broken_pipe(&error) {
        return Exit::Fine;
    }
    say::say(format_args!("{error:#}"));
    command::exit_of(&error)
}
