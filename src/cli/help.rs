//! The layout of help texts. The text of `-h` is short: it explains the options that most people need, and only lists the names of the
//! other options. The text of `--help` explains all options.

use std::fmt::Write as _;

use clap::builder::Styles;
use clap::{Arg, Command};
use sudobench_rows::verbs::{VERBS, VerbGroup};

/// The groups of commands in `sudobench --help`. Each has a title, the verbs of a [`VerbGroup`] or no verbs, and the names of commands that
/// are not verbs.
const GROUPS: [(&str, Option<VerbGroup>, &[&str]); 5] = [
    ("Puzzles", Some(VerbGroup::Puzzles), &[]),
    ("Sets of puzzles", Some(VerbGroup::PuzzleSets), &["merge"]),
    ("Benchmarking", None, &["bench", "leaderboard", "judge", "compare", "report", "solvers", "doctor"]),
    ("Continuous integration (CI)", None, &["gate", "history"]),
    ("Shell", None, &["completions", "man"]),
];

fn commands_of(
    verbs: Option<VerbGroup>,
    others: &'static [&'static str],
) -> impl Iterator<Item = &'static str> {
    let verbs = VERBS.iter().filter(move |verb| Some(verb.group) == verbs);
    verbs.map(|verb| verb.name).chain(others.iter().copied())
}

pub(super) const MOST_WIDTH: usize = 100;

/// The headings of the options that the `-h` text of a verb lists as common options.
const COMMON: [&str; 5] = ["Input", "Output", "Running", "Report", "Global"];

/// Lays out the help of the program and of all its commands except the verbs. The help of a verb is laid out when clap needs the options of
/// this verb.
pub(super) fn lay_out(program: Command) -> Command {
    let commands = grouped_commands(&program);
    let options = program.get_styles().get_header();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{commands}{options}Options:{options:#}\n{{options}}{{after-help}}"
    );
    let global: Vec<Arg> = program.get_arguments().filter(|option| option.is_global_set()).cloned().collect();
    program.help_template(template).mut_subcommands(|command| match is_verb(&command) {
        true => command,
        false => name_hidden_options(command, &global),
    })
}

fn grouped_commands(program: &Command) -> String {
    let styles: &Styles = program.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let width = program.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (group, verbs, others) in GROUPS {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{header}{group}:{header:#}");
        for command in commands_of(verbs, others).filter_map(|name| program.find_subcommand(name)) {
            let (name, about) = (command.get_name(), command.get_about().cloned().unwrap_or_default());
            let _ = writeln!(text, "  {literal}{name:width$}{literal:#}  {about}");
        }
        text.push('\n');
    }
    text
}

fn is_verb(command: &Command) -> bool {
    VERBS.iter().any(|verb| verb.name == command.get_name())
}

/// Adds a list below the options in the `-h` text: the names of the options that only `--help` explains. `global` are the options of
/// all commands, if clap has not added them to this command yet.
pub(super) fn name_hidden_options(command: Command, global: &[Arg]) -> Command {
    let is_verb = is_verb(&command);
    let is_common = |option: &&Arg| is_verb && COMMON.contains(&heading(option));
    let (common, own): (Vec<&Arg>, Vec<&Arg>) = command
        .get_arguments()
        .chain(global)
        .filter(|option| option.is_hide_short_help_set() && !option.is_hide_set())
        .partition(is_common);
    let mut parts = vec![names("More options", &own), names("Common options", &common)];
    parts.extend(command.get_after_help().map(ToString::to_string));
    parts.retain(|part| !part.is_empty());
    command.after_help(parts.join("\n\n"))
}

/// Lists the names of options, with a line for each heading.
fn names(title: &str, options: &[&Arg]) -> String {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for option in options {
        let Some(name) = option.get_long() else { continue };
        match lines.iter_mut().find(|(of, _)| *of == heading(option)) {
            Some((_, names)) => {
                let _ = write!(names, ", --{name}");
            }
            None => lines.push((heading(option), format!("--{name}"))),
        }
    }
    let list: String = lines.iter().map(|(heading, names)| format!("\n  {heading}: {names}")).collect();
    if list.is_empty() { list } else { format!("{title} (--help explains them):{list}") }
}

fn heading(option: &Arg) -> &str {
    option.get_help_heading().unwrap_or("Options")
}

pub(super) fn examples(lines: &[&str]) -> String {
    format!("Examples:\n  {}", lines.join("\n  "))
}

pub(super) fn first_example(lines: &[&str]) -> String {
    lines.first().map(|line| format!("Example:\n  {line}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_command_is_in_one_group_and_has_a_short_description() {
        let program = Cli::command();
        let grouped: Vec<&str> =
            GROUPS.iter().flat_map(|&(_, verbs, others)| commands_of(verbs, others)).collect();
        let shown = program.get_subcommands().filter(|command| !command.is_hide_set());
        let mut count = 0;
        for command in shown {
            let (name, about) = (command.get_name(), command.get_about().unwrap().to_string());
            assert_eq!(grouped.iter().filter(|other| **other == name).count(), 1, "{name}");
            assert!(about.len() <= 70, "{name}: {about}");
            count += 1;
        }
        assert_eq!(grouped.len(), count);
    }
}
