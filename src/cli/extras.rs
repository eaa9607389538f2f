//! `sudobench doctor`, `completions` and `man`, as typed.

use clap::Args;
use clap_complete::Shell;

/// Tell what makes measurements on this machine noisy, and what helps
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Print JSON, as records hold it
    #[arg(long)]
    pub json: bool,
}

/// Print the completions of a shell
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}
