//! Messages on standard error. Control characters are escaped, so that text from files and other programs can't affect a terminal or a
//! log. In text that the module `report` has rendered, they are already escaped. If standard error can't be written, the run continues as
//! usual.

use std::fmt::Display;
use std::io::Write as _;

use anstream::{AutoStream, ColorChoice};
use clap::CommandFactory as _;
use clap::builder::Styles;
use clap::error::{ContextKind, ContextValue};

use super::{Exit, export, suggestions};
use crate::cli::Cli;
use sudobench_harness::report::escape;
use sudobench_harness::started;

/// Prints a message in a line of its own, after the program's name.
pub(super) fn say(message: impl Display) {
    write(&format!("sudobench: {}\n", escape::visible(&message.to_string())));
}

/// Prints text that the module `report` has rendered. It may contain styles. Text from files and other programs is already escaped in it.
pub(super) fn show(rendered: impl Display) {
    write(&rendered.to_string());
}

/// Prints what is wrong with the command line, or the requested help or version. Returns the exit code of the program.
pub(super) fn answer(answer: clap::Error) -> Exit {
    let typed: Vec<String> = started::argv().iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let is_error = answer.use_stderr();
    let answer = if is_error { with_better_tips(answer, &typed) } else { answer };
    let styled = answer.render().ansi().to_string();
    if !is_error {
        let has_styles = AutoStream::choice(&std::io::stdout()) != ColorChoice::Never;
        let text = if has_styles { styled } else { answer.render().to_string() };
        return match export::print(&text) {
            Ok(()) => Exit::Fine,
            Err(error) => {
                say(format_args!("{error:#}"));
                Exit::Failed
            }
        };
    }
    match typed.iter().any(|word| escape::visible(word) != word.as_str()) {
        true => write(&quoting(&typed)),
        false => write(&styled),
    }
    Exit::Usage
}

/// Improves the tips of clap for an unknown flag or command, and leaves out hidden commands.
fn with_better_tips(error: clap::Error, typed: &[String]) -> clap::Error {
    let mut program = Cli::command();
    program.build();
    suggestions::with_tips(without_hidden_commands(error, &program), &mut program, typed)
}

/// Removes hidden commands from the commands that an error suggests, because clap compares a mistyped command with hidden commands too.
/// Puts the most similar command first.
fn without_hidden_commands(mut error: clap::Error, program: &clap::Command) -> clap::Error {
    let suggested = match error.remove(ContextKind::SuggestedSubcommand) {
        Some(ContextValue::Strings(names)) => names,
        Some(ContextValue::String(name)) => vec![name],
        _ => return error,
    };
    let is_hidden = |name: &str| program.find_subcommand(name).is_some_and(clap::Command::is_hide_set);
    // clap sorts the suggestions by ascending similarity, so the order is reversed.
    let shown: Vec<String> = suggested.into_iter().rev().filter(|name| !is_hidden(name)).collect();
    match (shown.is_empty(), error.get(ContextKind::Suggested)) {
        (false, _) => drop(error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(shown))),
        // If there are no other tips either, their empty list is removed, because clap would print an empty line for it.
        (true, Some(ContextValue::StyledStrs(tips))) if tips.is_empty() => {
            error.remove(ContextKind::Suggested);
        }
        (true, _) => {}
    }
    error
}

/// Returns the error message for a command line that contains control characters. The message quotes these characters, so they are escaped.
/// The message has no styles, because styles consist of control characters, which would be escaped too.
fn quoting(typed: &[String]) -> String {
    let plain = Cli::command().styles(Styles::plain());
    let fault = plain.try_get_matches_from(typed).err();
    let mut text =
        fault.map(|fault| with_better_tips(fault, typed).render().ansi().to_string()).unwrap_or_default();
    for word in typed {
        let value = word.split_once('=').map(|(_, value)| value);
        for quoted in [Some(word.as_str()), value].into_iter().flatten().filter(|quoted| !quoted.is_empty()) {
            text = text.replace(quoted, &escape::visible(quoted));
        }
    }
    escape::lines(&text)
}

/// Writes the text with a single call, so that lines of several programs rarely mix.
fn write(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}
