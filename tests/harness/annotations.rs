//! `gate --format github` with hostile names. The names must not add workflow commands to those that the gate writes.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};

use super::gate::{BINARY, expect, folder};

/// Names that need escapes. Without escapes, they would be workflow commands, end a property or a message, or change the direction of text.
const HOSTILE: [&str; 6] = [
    "::error::x",
    "\n::set-env name=PATH::x",
    "a\r\n  ::stop-commands::x\n",
    "title=b,file=c::d%0A::error::x",
    "##[error]x",
    "\u{1b}[31m\u{202e}<b>@octocat</b>",
];

/// Parses annotations as the runner of GitHub does. Returns the decoded titles and messages of the commands. Fails if there is other text
/// that the runner would execute.
#[track_caller]
fn commands(output: &Output) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    for line in stderr.split(['\n', '\r']) {
        assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "{stderr:?}");
    }
    let undone = |text: &str| {
        let codes = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")];
        codes.iter().fold(text.to_owned(), |text, (code, character)| text.replace(code, character))
    };
    let mut found = Vec::new();
    for line in stdout.split(['\n', '\r']).filter(|line| !line.is_empty()) {
        assert!(!line.contains("##[") && !line.contains(['\u{1b}', '\u{202e}']), "{stdout:?}");
        let command = ["::error title=", "::warning title=", "::notice title="]
            .iter()
            .find_map(|command| line.strip_prefix(command));
        let (title, message) =
            command.and_then(|rest| rest.split_once("::")).unwrap_or_else(|| panic!("{line:?}"));
        assert!(!title.contains([',', ':']), "a second property: {line:?}");
        found.push((undone(title), undone(message)));
    }
    assert!(found.iter().any(|(title, _)| title == "sudobench gate"), "{stdout:?}");
    found
}

/// Runs the gate with `--format github`, checks the exit code and the summary of the step, and returns the annotations.
#[track_caller]
fn gated(folder: &Path, arguments: &[&str], code: i32) -> Vec<(String, String)> {
    let summary = folder.join("summary.md");
    let output = Command::new(BINARY)
        .args(["gate", "--format", "github"])
        .args(arguments)
        .env("GITHUB_STEP_SUMMARY", &summary)
        .current_dir(folder)
        .output()
        .unwrap();
    expect(&output, code);
    let shown = std::fs::read_to_string(&summary).unwrap();
    std::fs::remove_file(summary).unwrap();
    let plain = shown.replace("\\<", "");
    assert!(!plain.contains(['<', '\u{1b}', '\u{202e}']) && !plain.contains("@octocat"), "{shown}");
    commands(&output)
}

/// Returns a name as it is shown in an annotation, with escapes.
fn shown(name: &str) -> String {
    name.replace("##[", "##\\[")
        .chars()
        .map(|character| match character.is_control() || character == '\u{202e}' {
            true => character.escape_default().to_string(),
            false => character.to_string(),
        })
        .collect()
}

#[test]
fn names_of_files_are_not_commands() {
    let folder = folder();
    for name in HOSTILE {
        // The slash is replaced, because it would separate a folder from the name.
        let name = name.replace('/', "_");
        std::fs::copy(folder.path().join("sample.csv"), folder.path().join(&name)).unwrap();
        let path = format!("./{name}");
        let found = gated(
            folder.path(),
            &["--solvers", "mrv", "--sample", "5", "--limits", "max=1ns", "--", &path],
            3,
        );
        let title = format!("budget gate, mrv on {}", shown(&name));
        assert!(found.iter().any(|(found, _)| *found == title), "{title:?}: {found:?}");
    }
}

#[test]
fn names_in_a_record_are_not_commands() {
    let folder = folder();
    let bench =
        ["sample.csv", "--solvers", "mrv", "--sample", "5", "--rounds", "1", "--min-time", "0s", "-q"];
    let bench = Command::new(BINARY)
        .arg("bench")
        .args(bench)
        .args(["--export-json", "record.json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    expect(&bench, 0);
    let path = folder.path().join("record.json");
    let record: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    for name in HOSTILE {
        let mut hostile = record.clone();
        for field in ["solver", "dataset"] {
            hostile["pairs"][0][field] = name.into();
        }
        hostile["datasets"][0]["name"] = name.into();
        std::fs::write(&path, hostile.to_string()).unwrap();
        let found = gated(folder.path(), &["--record", "record.json", "--limits", "max=1ns"], 3);
        let title = format!("budget gate, {0} on {0}", shown(name));
        assert!(found.iter().any(|(found, _)| *found == title), "{title:?}: {found:?}");
    }
}

#[test]
fn names_and_output_of_engines_are_not_commands() {
    let folder = folder();
    for name in HOSTILE {
        // The equals sign is replaced, because the name of an engine ends there.
        let name = name.replace('=', "-");
        let engine = format!("{name}=printf '\\n::error::%s\\n##[error]' x");
        let engines = ["sample.csv", "--sample", "5", "--engine", &engine, "--base-engine", &engine];
        let found = gated(folder.path(), &engines, 4);
        let named = shown(name.trim());
        let broken =
            found.iter().find(|(title, _)| title.contains(&named) && title.ends_with(" on sample.csv"));
        assert!(broken.is_some(), "{named:?}: {found:?}");
    }
}
