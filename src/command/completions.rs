//! `sudobench completions` and `sudobench man`: what a shell and `man` want to know of the command line.

use std::io::Write;

use clap::CommandFactory as _;

use super::Exit;
use crate::cli::{Cli, CompletionsArgs};

/// Prints the completions of one shell.
///
/// # Errors
/// Where standard output cannot be written.
pub(super) fn completions(typed: &CompletionsArgs) -> anyhow::Result<Exit> {
    // Into memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(typed.shell, &mut Cli::command(), "sudobench", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Exit::Fine)
}

/// Prints the man page, with a section for each command.
///
/// # Errors
/// Where standard output cannot be written.
pub(super) fn man() -> anyhow::Result<Exit> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        let man = clap_mangen::Man::new(subcommand.clone());
        writeln!(page, ".SH \"SUDOBENCH {}\"", subcommand.get_name().to_uppercase())?;
        man.render_synopsis_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    std::io::stdout().lock().write_all(&page)?;
    Ok(Exit::Fine)
}
