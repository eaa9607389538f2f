//! `sudobench doctor`, `completions` and `man`, as typed.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use clap_complete::Shell;

/// Tell what makes measurements on this machine noisy, and what helps
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Write the findings as JSON, as records hold them; `-` is standard output, instead of the table
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,
    /// Replace a file of that name whatever it is, not only an earlier export
    #[arg(long)]
    pub force: bool,
}

/// Print the completions of a shell
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// Print a man page
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The command that the page is of; the page of the program where none is named
    pub command: Option<String>,
    /// Write the pages of the program and of each command into this folder, which is made if need be
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "command")]
    pub out_dir: Option<PathBuf>,
}

/// `answer`, which `judge --solver` runs.
#[derive(Debug, Args)]
pub struct AnswerArgs {
    /// The problem
    pub problem: String,
    /// The variant
    pub solver: String,
}
