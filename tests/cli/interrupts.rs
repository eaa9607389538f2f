//! Ctrl-C and going on.
#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{MONSTER, Ran, command, dataset, sample, solve, solve_input};

/// Rows that take a naive solver about two seconds, each given up at its time limit.
fn slow_input(folder: &Path) -> String {
    let path = folder.join("slow.txt");
    fs::write(&path, format!("{MONSTER}\n").repeat(700)).unwrap();
    path.to_str().unwrap().to_owned()
}

pub(super) const SLOW: [&str; 8] =
    ["--solver", "blank-scan", "--max-time-per-puzzle", "3ms", "--threads", "1", "--columns", "status"];

/// Starts a run, interrupts it as soon as its partial output has rows, and returns how it ended.
pub(super) fn interrupted(arguments: &[&str], partial: &Path) -> Ran {
    let mut command = command();
    command.arg("solve").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(partial).map_or(0, |found| found.len()) < 1000 {
        assert!(Instant::now() < deadline, "no output within a minute");
        std::thread::sleep(Duration::from_millis(2));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    Ran::of(child.wait_with_output().unwrap())
}

#[test]
fn an_interrupted_run_leaves_whole_rows_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (slow_input(folder.path()), folder.path().join("out.csv"));
    let partial = folder.path().join("out.csv.partial");
    let arguments = [&[input.as_str(), "-o", out.to_str().unwrap()], &SLOW[..]].concat();
    let ran = interrupted(&arguments, &partial).expect(130);
    assert!(ran.stderr.contains("--resume to go on"), "{}", ran.stderr);
    let left = fs::read_to_string(&partial).unwrap();
    let rows = left.lines().count() - 1;
    assert!(left.ends_with("aborted\n") && (1..700).contains(&rows), "{rows} rows");

    // Nothing is lost or started anew by accident.
    let refused = solve(&arguments).expect(1);
    assert!(refused.stderr.contains("is left from an interrupted run"), "{}", refused.stderr);
    let other = [&arguments[..], &["--resume", "--max-nodes", "5"]].concat();
    assert!(solve(&other).expect(1).stderr.contains("from a run with other max-nodes"));

    // A torn last row, as a crash leaves it, is written again.
    fs::write(&partial, format!("{left}{}", &MONSTER[..30])).unwrap();
    let resumed = solve(&[&arguments[..], &["--resume"]].concat()).expect(4);
    assert!(resumed.stderr.contains(&format!("resumed after {rows} rows")), "{}", resumed.stderr);
    let whole = fs::read_to_string(&out).unwrap();
    let expected = format!("puzzle,status\n{}", format!("{MONSTER},aborted\n").repeat(700));
    assert!(whole == expected, "{} lines", whole.lines().count());
    assert!(!partial.exists());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "input and output alone are left");
}

/// The counters of a batch are those of its puzzles together, so a batch that was torn has to be solved whole again.
#[test]
fn a_run_that_was_killed_within_a_block_goes_on_with_the_same_counters() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let partial = folder.path().join("out.csv.partial");
    // Without their first clues puzzles have many solutions: then how lanes branch depends on what else is there.
    let thinned = |(puzzle, _): &(String, String)| format!("{}{}\n", ".".repeat(20), &puzzle[20..]);
    let input = sample().iter().map(thinned).collect::<String>().repeat(250);
    let arguments =
        ["-o", out.to_str().unwrap(), "--columns", "solution,nodes,guesses", "--input-format", "lines"];
    solve_input(input.as_bytes(), &[&arguments[..], &["--force"]].concat()).expect(0);
    let whole = fs::read_to_string(&out).unwrap();
    fs::remove_file(&out).unwrap();

    // Kept waiting for more input, the run cannot end before it is killed.
    let mut child = command().arg("solve").args(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&partial).map_or(0, |found| found.len()) < 1000 {
        assert!(Instant::now() < deadline, "no output within a minute");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What was written behind the last checkpoint, and a row that was torn, are written again.
    let mut torn = fs::read(&partial).unwrap();
    torn.extend_from_slice(&whole.as_bytes()[..100]);
    fs::write(&partial, torn).unwrap();
    let resumed = solve_input(input.as_bytes(), &[&arguments[..], &["--resume"]].concat()).expect(0);
    assert!(fs::read_to_string(&out).unwrap() == whole, "{}", resumed.stderr);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "the output alone is left");
}

#[test]
fn an_output_that_was_changed_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (slow_input(folder.path()), folder.path().join("out.csv"));
    let partial = folder.path().join("out.csv.partial");
    let arguments = [&[input.as_str(), "-o", out.to_str().unwrap()], &SLOW[..], &["--resume"]].concat();
    interrupted(&arguments, &partial).expect(130);
    let left = fs::read_to_string(&partial).unwrap();
    let without_a_row: String = left.lines().skip(1).map(|line| format!("{line}\n")).collect();
    for (changed, words) in
        [(without_a_row, "it has been cut"), (left.replace("aborted", "unique!"), "changed since")]
    {
        fs::write(&partial, changed).unwrap();
        assert!(solve(&arguments).expect(1).stderr.contains(words));
    }
}

#[test]
fn another_input_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (slow_input(folder.path()), folder.path().join("out.csv"));
    let arguments = [&[input.as_str(), "-o", out.to_str().unwrap()], &SLOW[..]].concat();
    interrupted(&arguments, &folder.path().join("out.csv.partial")).expect(130);
    fs::write(&input, format!("{}\n", sample()[0].0)).unwrap();
    let ran = solve(&[&arguments[..], &["--resume"]].concat()).expect(1);
    assert!(ran.stderr.contains("from a run with other input 1"), "{}", ran.stderr);
    let forced = solve(&[&arguments[..], &["--force"]].concat());
    assert!(forced.code == 0 || forced.code == 4, "{}", forced.stderr);
    assert!(out.exists());
}

#[test]
fn resuming_where_nothing_is_left_starts_at_the_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    solve(&[&dataset("sample.csv"), "-o", out.to_str().unwrap(), "--resume", "-q"]).expect(0);
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 61);
}

#[test]
fn an_interrupt_does_not_wait_for_a_hard_puzzle() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("monster.txt");
    // Enough easy rows for blocks of their own before the puzzle that takes minutes.
    let easy = format!("{}\n", sample()[0].0).repeat(200);
    fs::write(&input, format!("{easy}{MONSTER}\n{easy}")).unwrap();
    let out = folder.path().join("out.csv");
    let arguments =
        [input.to_str().unwrap(), "-o", out.to_str().unwrap(), "--solver", "blank-scan", "--threads", "1"];
    let ran = interrupted(&arguments, &folder.path().join("out.csv.partial")).expect(130);
    assert!(ran.stderr.contains("interrupted after"), "{}", ran.stderr);
}

#[test]
fn a_pipe_that_has_become_shorter_does_not_make_the_output_whole() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let partial = folder.path().join("out.csv.partial");
    let arguments = ["-o", out.to_str().unwrap(), "--threads", "1", "--input-format", "lines"];
    let row = format!("{}\n", sample()[0].0);
    let mut child = command().arg("solve").args(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Rows come until a checkpoint tells of some.
    let told = || -> Option<u64> {
        let state = fs::read(folder.path().join("out.csv.partial.json")).ok()?;
        let state: serde_json::Value = serde_json::from_slice(&state).ok()?;
        state["checkpoint"]["rows"].as_u64()
    };
    let (mut rows, deadline) = (0, Instant::now() + Duration::from_secs(60));
    while told().is_none_or(|told| told <= 7) {
        assert!(Instant::now() < deadline, "no checkpoint within a minute");
        stdin.write_all(row.repeat(10_000).as_bytes()).unwrap();
        rows += 10_000;
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = solve_input(row.repeat(7).as_bytes(), &[&arguments[..], &["--resume"]].concat()).expect(1);
    assert!(resumed.stderr.contains("the input has 7 rows, but the run"), "{}", resumed.stderr);
    assert!(partial.exists() && !out.exists());
    solve_input(row.repeat(rows).as_bytes(), &[&arguments[..], &["--resume", "-q"]].concat()).expect(0);
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), rows + 1);
}
