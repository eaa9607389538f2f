//! Generates the Python functions that read and write files (such as `solve_file`) from the options of the verbs, so that Python
//! gets new verbs and options too.
//!
//! `INSTA_UPDATE=always cargo test --test cli python_functions` makes the file of these functions again.

use std::fmt::Write as _;
use std::fs;

use clap::builder::ArgAction;
use clap::{Arg, Command, CommandFactory as _};
use sudobench::cli::Cli;
use sudobench_rows::columns;
use sudobench_rows::verbs::{VERBS, Verb};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Variant};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/python/python/sudobench/_verb_files.py");

const HEAD: &str = r#""""Functions that run the verbs of the command on files. Generated from the options of the command by tests/cli/python_functions.rs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from . import _files
from ._files import Path, Paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._progress import OnProgress
"#;

/// The notes in the docstring of every verb.
const NOTES: &str = r#"    Rows are written to `OUTPUT.partial`. When this file is complete, it is renamed to `output`. Memory use does not
    depend on the size of the input, except in `dedupe_file`, `overlap_file`, `score_file` with `pass_at` and `split_file` with
    `stratify`. Malformed rows raise no error. They stay in the output, unless an option that chooses rows, such as `only`, leaves them
    out.

    Ctrl-C raises `KeyboardInterrupt`. Finished rows may stay in `OUTPUT.partial`; the message of the exception then says whether the same
    call with `resume=True` continues after them. If a call with the same arguments and `resume=True` has already completed the output,
    nothing is done: the function warns and returns `None`. If a call with other arguments wrote the output, or a call without
    `resume=True` completed it, `resume=True` is an error.

    - `threads`: by default, all cores that this process may use.
    - `progress`: `True` shows a bar of tqdm, or a line on standard error if tqdm is not installed. You can also pass a function, which
      gets the number of finished rows and the finished share of the work (`None` if not known).
"#;

/// Options of the command for which no parameter is generated. The functions lack these options, or have them in another form.
const OTHERS: [&str; 23] = [
    "budgets",
    "inputs",
    "with",
    "output",
    "shard",
    "threads",
    "progress",
    "quiet",
    "stop_after_blocks",
    "fail_on",
    "export_json",
    "hash",
    "export_hgrm",
    "export_histogram_log",
    "export_html",
    "export_svg",
    "export_markdown",
    "report_duplicates",
    "hardest_engine",
    "engine_protocols",
    "blank",
    "max_silence",
    "help",
];

/// A parameter of a function: its name, type, default value and help text.
struct Parameter {
    name: String,
    annotation: String,
    default: Option<String>,
    words: String,
}

impl Parameter {
    fn of(option: &Arg) -> Parameter {
        let is_flag = matches!(option.get_action(), ArgAction::SetTrue);
        let value = option.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
        let words = match option.get_id().as_str() {
            "solver" | "hardest" => solvers(option.get_id() == "hardest"),
            _ => option.get_possible_values().iter().map(|word| word.get_name().to_owned()).collect(),
        };
        let quoted: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let type_of_words = format!("Literal[{}]", quoted.join(", "));
        let type_of_value = match value {
            _ if is_flag => "bool",
            "N" | "ROWS" | "1|2" => "int",
            "N|A..B" => "int | tuple[int, int] | str",
            "TIME" | "SHARE" | "RATING" => "float | str",
            "FILE" => "Path",
            "NAME|NUMBER" => "str | int",
            "yes|no" => "bool",
            "NUMBERS" => "int | Sequence[int]",
            "LIST" | "KINDS" | "CONDITION" => "str | Sequence[str]",
            _ if words.is_empty() => "str",
            _ => &type_of_words,
        };
        let given: Vec<_> = option.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        let default = match given.first() {
            Some(number) if type_of_value == "int" => Some(number.to_string()),
            Some(text) => Some(if is_flag { "False".to_owned() } else { format!("\"{text}\"") }),
            None if option.is_required_set() => None,
            None => Some("None".to_owned()),
        };
        let is_optional = default.as_deref() == Some("None");
        Parameter {
            name: option.get_id().to_string(),
            annotation: format!("{type_of_value}{}", if is_optional { " | None" } else { "" }),
            default,
            // In Python, `20k` is not a number, so this example is removed from the help text.
            words: python_words(&long_help(option)).replace(", such as 20000 or 20k", ""),
        }
    }

    fn signature(&self) -> String {
        let Parameter { name, annotation, default, .. } = self;
        default.as_ref().map_or_else(
            || format!("    {name}: {annotation},\n"),
            |default| format!("    {name}: {annotation} = {default},\n"),
        )
    }
}

/// Returns the names of all listed solvers or, if `single`, only of the solvers that solve one puzzle at a time.
fn solvers(single: bool) -> Vec<String> {
    let is_single = |variant: &&Variant| variant.build(Level::Baseline).unwrap().batch_size() == 1;
    let variants = solver::listed().filter(|variant| !single || is_single(variant));
    variants.map(|variant| variant.name.to_owned()).collect()
}

/// Returns the long help of an option, or the short help if there is no long help. In the help of the command, the first line has no full
/// stop. This function adds a full stop, because in Python other sentences follow on the same line.
fn long_help(option: &Arg) -> String {
    let help = option.get_long_help().or(option.get_help()).map(ToString::to_string).unwrap_or_default();
    match help.split_once("\n\n") {
        Some((first, others)) if !first.ends_with(['.', ':']) => format!("{first}.\n\n{others}"),
        _ => help,
    }
}

/// Names options as Python does: `--max-nodes` is `max_nodes`.
fn python_words(help: &str) -> String {
    let mut words = String::new();
    for (number, part) in help.split("--").enumerate() {
        if number == 0 {
            words.push_str(part);
            continue;
        }
        let end =
            part.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').unwrap_or(part.len());
        let _ = write!(words, "`{}`{}", part[..end].replace('-', "_"), &part[end..]);
    }
    // Flags that already were between backticks are now between double backticks.
    words.replace("``", "`")
}

/// Formats a list item with lines of at most 136 characters.
fn item(name: &str, words: &str) -> String {
    let mut lines = vec![format!("    - `{name}`:")];
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < 136 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("      {word}")),
        }
    }
    lines.join("\n") + "\n"
}

fn function(verb: &Verb, command: &Command) -> String {
    let name = command.get_name();
    let (first, result) = match name {
        "generate" => ("    output: Path,\n    count: int,\n", "Finished"),
        "overlap" => {
            ("    train: Paths,\n    test: Paths,\n    output: Path | None = None,\n", "FinishedOverlap")
        }
        "vicinity" => ("    input: Paths,\n    output: Path,\n    distance: str,\n", "FinishedFound"),
        "explain" => ("    input: Paths,\n    output: Path,\n", "FinishedFound"),
        "dedupe" => ("    input: Paths,\n    output: Path,\n", "FinishedDedupe"),
        "rate" => ("    input: Paths,\n    output: Path,\n", "FinishedRate"),
        "split" => ("    input: Paths,\n    output: Path,\n", "FinishedSplit"),
        "score" => ("    input: Paths,\n    output: Path | None = None,\n", "FinishedScore"),
        _ if command.get_arguments().any(|option| option.get_id() == "limit_per_puzzle") => {
            ("    input: Paths,\n    output: Path,\n", "FinishedFound")
        }
        _ => ("    input: Paths,\n    output: Path,\n", "Finished"),
    };
    let options = command.get_arguments().filter(|option| {
        let id = option.get_id().as_str();
        !OTHERS.contains(&id) && !option.is_global_set() && !option.is_hide_set()
    });
    let parameters: Vec<Parameter> = options.map(Parameter::of).collect();
    let mut text = format!("def {name}_file(\n{first}    *,\n");
    let is_first = |parameter: &Parameter| first.contains(&format!("    {}:", parameter.name));
    for parameter in parameters.iter().filter(|parameter| !is_first(parameter)) {
        text += &parameter.signature();
    }
    if name == "solve" {
        text += "    answer: Literal[\"smallest\", \"first\"] | None = None,\n";
    }
    text += "    threads: int | None = None,\n    progress: bool | OnProgress = False,\n";
    let _ = writeln!(text, ") -> _files.{result} | None:");
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let _ = write!(text, "    \"\"\"{}.\n\n{NOTES}", python_words(about.trim_end_matches('.')));
    for parameter in &parameters {
        text += &item(&parameter.name, &parameter.words);
    }
    if name == "solve" {
        text += &item(
            "answer",
            "which of several solutions is reported: the smallest (read as a number of 81 digits), or the first that is found. By \
             default the smallest, or the first with `max_solutions=1`",
        );
    }
    if !verb.columns.is_empty() {
        let default = columns::names(verb.default);
        let _ = write!(text, "\n    Available columns (default: {default}):\n\n");
    }
    for column in verb.columns {
        text += &item(column.name, &python_words(column.about));
    }
    text += "    \"\"\"\n";
    let _ = writeln!(text, "    return _files.run(_files.{result}, \"{name}\", locals())");
    text
}

#[test]
fn functions_on_files_agree_with_the_verbs() {
    sudobench_tables::add_formats();
    let mut program = Cli::command();
    program.build();
    let mut made = HEAD.to_owned();
    for verb in VERBS {
        let command = program.find_subcommand(verb.name).unwrap();
        made += "\n\n";
        made += &function(verb, command);
    }
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(PATH, &made).unwrap();
    }
    let stored = fs::read_to_string(PATH).unwrap_or_default();
    assert!(
        stored == made,
        "{PATH} does not agree with the options of the verbs; make it again with INSTA_UPDATE=always cargo test --test cli python_functions"
    );
}
