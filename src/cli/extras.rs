//! The command lines of `sudobench doctor`, `completions`, `man` and `answer`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use clap_complete::Shell;

use super::help::{examples, first_example};

/// The arguments of `sudobench doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Write the findings as JSON; `-` writes them to standard output instead of the table
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,
    /// Replace an existing file even if sudobench did not write it
    #[arg(long)]
    pub force: bool,
}

/// The arguments of `sudobench completions`.
#[derive(Debug, Args)]
#[command(after_help = first_example(COMPLETIONS), after_long_help = examples(COMPLETIONS))]
pub struct CompletionsArgs {
    /// Name of the shell
    pub shell: Shell,
}

const COMPLETIONS: &[&str] =
    &["sudobench completions bash > sudobench.bash", "sudobench completions zsh > _sudobench"];

/// The arguments of `sudobench man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Command whose page is shown; without a command, the page of the program is shown
    pub command: Option<String>,
    /// Write the pages of the program and of all commands into this folder; it is created if necessary
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "command")]
    pub out_dir: Option<PathBuf>,
}

/// The arguments of `sudobench answer`, which `judge --solver` runs.
#[derive(Debug, Args)]
pub struct AnswerArgs {
    /// Problem of the judge: boj2580 or boj2239
    pub problem: String,
    /// Name of the solver
    pub solver: String,
}
