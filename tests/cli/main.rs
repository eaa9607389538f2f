//! Tests of the command from end to end: output, messages, exit codes, files. The measuring commands are tested in `tests/harness`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say so and end")]

#[path = "../../crates/sudoku/tests/suite/common/mod.rs"]
mod common;
#[path = "../common/kept.rs"]
mod kept;

mod blocks;
mod canonical;
mod check;
mod choosing;
mod datasets;
mod dedupe;
mod explain;
mod faults;
mod formats;
mod generate;
mod golden;
mod help;
mod interrupts;
mod merging;
mod minimals;
mod ordering;
mod output;
mod overlap;
#[cfg(feature = "tables")]
mod python_functions;
mod rate;
mod reports;
mod score;
mod shards;
mod solutions;
mod solving;
mod split;
mod transform;
mod vicinity;
mod words;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The results of a run of the command.
struct Ran {
    stdout: String,
    stderr: String,
    code: i32,
}

impl Ran {
    fn of(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code().unwrap() }
    }

    /// Returns the run. Fails if its exit code is not `code`.
    #[track_caller]
    fn expect(self, code: i32) -> Ran {
        assert_eq!(self.code, code, "stderr: {}", self.stderr);
        self
    }

    /// Returns the rows of a CSV output, including the header.
    fn records(&self) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(self.stdout.as_bytes());
        reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
    }

    /// Returns the values of the column with this name in a CSV output, without the header.
    fn column(&self, name: &str) -> Vec<String> {
        let records = self.records();
        let at = records[0].iter().position(|column| column == name);
        let at = at.unwrap_or_else(|| panic!("no column {name} in {:?}", records[0]));
        records[1..].iter().map(|record| record[at].clone()).collect()
    }
}

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudobench"));
    command.stdin(Stdio::null()).env("NO_COLOR", "1");
    command
}

/// Runs `sudobench solve` with these arguments and an empty standard input.
fn solve(arguments: &[&str]) -> Ran {
    solve_input(b"", arguments)
}

/// Runs `sudobench solve` with `input` on standard input, through a pipe.
fn solve_input(input: &[u8], arguments: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::from_std(command());
    Ran::of(command.arg("solve").args(arguments).write_stdin(input).output().unwrap())
}

fn dataset(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets").join(name);
    path.to_str().unwrap().to_owned()
}

/// Returns the puzzles and solutions of `datasets/sample.csv`.
fn sample() -> Vec<(String, String)> {
    let mut reader = csv::Reader::from_path(dataset("sample.csv")).unwrap();
    reader.records().map(|row| row.unwrap()).map(|row| (row[1].to_owned(), row[2].to_owned())).collect()
}

/// Asserts that a text has no control characters except line feeds, no embeddings or overrides of the direction of text (U+202A to U+202E),
/// and no workflow commands of GitHub.
#[track_caller]
fn assert_harmless(text: &str) {
    let hidden = |character: char| {
        character != '\n' && (character.is_control() || ('\u{202a}'..='\u{202e}').contains(&character))
    };
    assert!(!text.contains(hidden), "{text:?}");
    for line in text.lines() {
        assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "{text:?}");
    }
}
