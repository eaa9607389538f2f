//! `sudobench completions` and `sudobench man`: descriptions of the command line for shells and for `man`.

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_mangen::Man;

use super::export::print_result;
use super::{Exit, UsageError};
use crate::cli::{Cli, CompletionsArgs, ManArgs};

pub(super) fn completions(typed: &CompletionsArgs) -> anyhow::Result<Exit> {
    // The script goes to memory first, because the generator panics on write errors.
    let mut script = Vec::new();
    clap_complete::generate(typed.shell, &mut Cli::command(), "sudobench", &mut script);
    print_result(&String::from_utf8(script)?)?;
    Ok(Exit::Fine)
}

pub(super) fn man(typed: &ManArgs) -> anyhow::Result<Exit> {
    // The command `help` needs no page, because it only shows the help texts of the other commands.
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    if let Some(folder) = &typed.out_dir {
        let context = || format!("cannot write man pages into {}", folder.display());
        std::fs::create_dir_all(folder).with_context(context)?;
        clap_mangen::generate_to(program, folder).with_context(context)?;
        return Ok(Exit::Fine);
    }
    let command = match &typed.command {
        None => &program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| no_such_command(&program, name))?,
    };
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    print_result(&String::from_utf8(page)?)?;
    Ok(Exit::Fine)
}

fn no_such_command(program: &clap::Command, name: &str) -> UsageError {
    let shown = program.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<&str> = shown.map(clap::Command::get_name).collect();
    UsageError(format!("there is no command {name}: choose from {}", names.join(", ")))
}
