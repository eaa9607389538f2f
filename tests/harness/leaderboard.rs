//! `leaderboard` from end to end: it makes only the missing measurements, and its page can be made again from its record.

use std::path::Path;
use std::process::{Command, Output};

use sha2::{Digest as _, Sha256};

use super::bench::{PUZZLE, SOLUTION, folder};
use super::kept::keep_record;

fn leaderboard(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudobench"));
    command.args(["leaderboard", "."]).args(arguments).current_dir(folder).output().unwrap()
}

/// Writes a `contest.toml` with these rules and contestants. Its only set is the dataset of the folder.
fn write_contest(folder: &Path, rules: &str, contestants: &str) {
    let digest = Sha256::digest(std::fs::read(folder.join("puzzles.txt")).unwrap());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let contest = format!(
        "title = 'Two'\n[rules]\nrounds = 2\nmin_time = '1ms'\n{rules}\n[[set]]\nname = 'set'\nfile = 'puzzles.txt'\nsha256 = '{digest}'\n{contestants}"
    );
    std::fs::write(folder.join("contest.toml"), contest).unwrap();
}

fn record(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("record.json")).unwrap()).unwrap()
}

/// Returns the time at which the measurement of a contestant started, from the record.
fn started(folder: &Path, contestant: &str) -> String {
    record(folder)["leaderboard"]["measured"]["set"][contestant].as_str().unwrap().to_owned()
}

const MRV: &str = "[[contestant]]\nname = 'mrv'\n";

#[test]
fn only_missing_measurements_are_made() {
    let folder = folder();
    let path = folder.path();
    write_contest(path, "", MRV);
    let output = leaderboard(path, &["-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("Throughput: solvers that prove that the solution")
    );
    keep_record("record", &record(path));
    let page = std::fs::read(path.join("leaderboard.html")).unwrap();
    let first = started(path, "mrv");
    // Adds a second contestant: an engine that always prints the solution of the puzzle in the file. This answer is wrong, because the
    // engine gets isomorphs of the puzzle.
    let wrong =
        format!("{MRV}[[contestant]]\nname = 'wrong'\nlicence = 'MIT'\ncommand = 'sed s/.*/{SOLUTION}/'\n");
    write_contest(path, "", &wrong);
    let output = leaderboard(path, &["-q"]);
    assert_eq!(output.status.code(), Some(4), "a contestant is wrong");
    assert_eq!(started(path, "mrv"), first, "it was not measured again");
    let record = record(path);
    keep_record("record", &record);
    let error = record["pairs"][1]["error"].as_str().unwrap();
    assert!(error.contains("wrong answer"), "{error}");
    assert_ne!(std::fs::read(path.join("leaderboard.html")).unwrap(), page);
    let again = leaderboard(path, &["-q"]);
    assert_eq!((again.status.code(), started(path, "mrv")), (Some(4), first));
}

#[test]
fn page_and_tables_can_be_made_from_the_record() {
    let folder = folder();
    let path = folder.path();
    write_contest(path, "", MRV);
    assert_eq!(leaderboard(path, &["-q"]).status.code(), Some(0));
    let again = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["report", "record.json", "--export-html", "again.html", "--export-markdown", "again.md"])
        .current_dir(path)
        .status();
    assert!(again.unwrap().success());
    for (written, again) in [("leaderboard.html", "again.html"), ("leaderboard.md", "again.md")] {
        let [written, again] = [written, again].map(|name| std::fs::read_to_string(path.join(name)).unwrap());
        assert!(written == again);
        assert!(!written.contains(path.to_str().unwrap()), "a path of this machine");
    }
}

#[test]
fn an_invalid_contest_is_refused_with_the_reason() {
    let folder = folder();
    let path = folder.path();
    let refused = |words: &str| {
        let output = leaderboard(path, &["-q"]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(words), "{error}");
        output.status.code().unwrap()
    };
    assert_eq!(refused("contest.toml cannot be read: "), 1);
    for name in ["mrw", "all", "none"] {
        write_contest(path, "", &format!("[[contestant]]\nname = '{name}'\n"));
        assert_eq!(refused(&format!("there is no solver `{name}`")), 2);
    }
    write_contest(path, "", "[[contestant]]\nname = 'x'\ncommand = 'cat'\nprotocol = 'smoke'\n");
    assert_eq!(refused("contestant `x`: protocol `smoke`: write lines, files, library,"), 2);
    write_contest(path, "", MRV);
    std::fs::write(path.join("puzzles.txt"), format!("{PUZZLE}\n")).unwrap();
    assert_eq!(refused("the file of the set `set` has the SHA-256 "), 1);
    assert!(!path.join("record.json").exists());
    write_contest(path, "", MRV);
    std::fs::write(path.join("leaderboard.html"), "mine").unwrap();
    assert_eq!(refused("is not an HTML page of this program"), 1);
    std::fs::remove_file(path.join("leaderboard.html")).unwrap();
    assert_eq!(leaderboard(path, &["-q"]).status.code(), Some(0));
    write_contest(path, "seed = 2", MRV);
    assert_eq!(
        refused("record.json: its rules differ from the rules in contest.toml; use another folder, or"),
        2
    );
    assert_eq!(leaderboard(path, &["-q", "--again"]).status.code(), Some(0));
    assert_eq!(record(path)["seed"], 2);
}
