//! Tests of `gate --base`. If the base (the old binary) is faulty, the gate must end, report the fault, and leave no process of the base.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::engines::{BOUND, assert_gone, runs, unique_sleep};
use super::gate::{BINARY, expect, folder, write_program};

/// Makes a command that runs the gate with a script as its base.
fn gate(folder: &Path, script: &str) -> Command {
    write_program(&folder.join("base"), &format!("#!/bin/sh\n{script}\n"));
    let mut command = Command::new(BINARY);
    command
        .args(["gate", "sample.csv", "--solvers", "mrv", "--sample", "20", "--base", "./base", "-q"])
        .args(["--warm-up-time", "400ms", "--leg", "1ms", "--min-trials", "2"])
        .current_dir(folder);
    command
}

#[track_caller]
fn assert_fault(script: &str, code: i32, words: &str) {
    let (folder, sleep) = (folder(), unique_sleep());
    let script = script.replace("$SLEEP", &format!("sleep {sleep}")).replace("$READY", READY);
    let start = Instant::now();
    // The limit is short only if the message is about a base that hangs.
    let silence = if words.contains("did not answer within") { "1s" } else { "30s" };
    let shown =
        expect(&gate(folder.path(), &script).args(["--max-silence", silence]).output().unwrap(), code);
    assert!(start.elapsed() < BOUND, "{script}: {:?}", start.elapsed());
    assert!(shown.contains(words), "{script}: {shown}");
    assert!(shown.contains("missing") && shown.contains("only the new build: "), "{script}: {shown}");
    assert_gone(&sleep);
}

const READY: &str = r#"echo '{"protocol":1,"pairs":[{"solver":"mrv","dataset":"sample.csv","puzzles":20,"pass_ns":100000}]}'"#;

#[test]
fn a_base_that_hangs_is_given_up() {
    assert_fault("$SLEEP; true", 4, "./base did not answer within ");
    assert_fault("$READY; $SLEEP & read line; wait", 4, "./base did not answer within ");
    assert_fault(
        "printf '{\"protocol\":1,'; exec >&-; $SLEEP",
        4,
        "./base cannot run measurements for `gate`",
    );
}

#[test]
fn a_base_that_prints_other_output_is_refused() {
    assert_fault("echo hello; $SLEEP", 4, "./base cannot run measurements for `gate`: build both binaries");
    assert_fault("yes", 4, "./base cannot run measurements for `gate`: build both binaries");
    assert_fault("cat /dev/zero", 4, "./base cannot run measurements for `gate`: build both binaries");
    assert_fault(
        "$READY; read line; echo hello; $SLEEP",
        4,
        "./base printed something that is not an answer",
    );
    assert_fault("$READY; read line; cat /dev/zero", 4, "./base printed something that is not an answer");
    assert_fault("$READY; yes '{\"pass_ns\":1}'", 4, "./base sends an answer without a request");
}

/// A pair whose warm-up did not reach all puzzles does not pass, because it was not compared on all puzzles.
#[test]
fn a_base_that_reaches_a_part_of_the_puzzles_does_not_pass() {
    let folder = folder();
    let ready = READY.replace("\"puzzles\":20", "\"puzzles\":7");
    let script = format!("{ready}; while read line; do echo '{{\"pass_ns\":1000}}'; done");
    let mut gate = gate(folder.path(), &script);
    gate.args(["--max-trials", "6", "--limits", "time=100000000%", "--export-json", "g.json"]);
    let shown = expect(&gate.output().unwrap(), 4);
    assert!(
        shown
            .contains("7 of 20 puzzles timed; one build or both did not answer the 13 other puzzles in time"),
        "{shown}"
    );
    assert!(shown.contains("raise --warm-up-time, or use fewer puzzles with --sample"), "{shown}");
    let json = std::fs::read_to_string(folder.path().join("g.json")).unwrap();
    assert!(json.contains("\"timed\": 7,\n        \"of\": 20"), "{json}");
}

#[test]
fn a_base_that_crashes_is_reported_with_its_message() {
    assert_fault(
        "echo no licence >&2; exit 3",
        4,
        "./base ended before it was ready: exit status: 3: no licence",
    );
    assert_fault("kill -SEGV $$", 4, "./base ended before it was ready: signal: 11");
    assert_fault(
        "echo \"error: unrecognized subcommand 'serve'\" >&2; exit 2",
        4,
        "./base cannot run these measurements for `gate` (exit status: 2: error: unrecognized subcommand 'serve'): build both \
         binaries from versions that have `gate` and the solvers",
    );
    assert_fault(
        "$READY; read line; echo out of luck >&2; kill -ABRT $$",
        4,
        "./base ended during the measurement: signal: 6 (SIGABRT): out of luck",
    );
}

/// The base is a script that writes its arguments to a file and then runs this program.
#[test]
fn batch_solvers_are_timed_on_full_batches_by_default() {
    let folder = folder();
    let script = format!("echo \"$SUDOBENCH_SINGLE_SAMPLE $*\" >> asked; exec '{BINARY}' \"$@\"");
    gate(folder.path(), &script);
    let asked = |solvers: &str, more: &[&str]| {
        let log = folder.path().join("asked");
        let _ = std::fs::remove_file(&log);
        let mut gate = Command::new(BINARY);
        gate.args([
            "gate",
            "sample.csv",
            "--solvers",
            solvers,
            "--base",
            "./base",
            "-q",
            "--limits",
            "time=100000%",
        ])
        .args(["--leg", "1ms", "--min-trials", "2", "--max-trials", "2", "--warm-up-time", "20s"])
        .args(more)
        .env("SUDOBENCH_SINGLE_SAMPLE", "7")
        .current_dir(folder.path());
        expect(&gate.output().unwrap(), 0);
        let text = std::fs::read_to_string(log).unwrap();
        text.split(" --seed").next().unwrap().to_owned()
    };
    assert_eq!(asked("mrv,dlx", &[]), " serve sample.csv --sample 500");
    let batches = asked("mrv,bitslice", &[]);
    let sample: u64 = batches.strip_prefix("500 serve sample.csv --sample ").unwrap().parse().unwrap();
    assert!(sample >= 4 * 4096, "{batches}");
    assert_eq!(asked("mrv,bitslice", &["--sample", "20"]), " serve sample.csv --sample 20");
}

#[test]
fn a_served_binary_has_a_smaller_sample_for_solvers_of_single_puzzles() {
    let folder = folder();
    let puzzles = |single: Option<&str>| -> Vec<u64> {
        let mut serve = Command::new(BINARY);
        serve
            .args(["serve", "sample.csv", "--sample", "50", "--solvers", "mrv,bitslice"])
            .stdin(Stdio::null());
        match single {
            Some(single) => serve.env("SUDOBENCH_SINGLE_SAMPLE", single),
            None => serve.env_remove("SUDOBENCH_SINGLE_SAMPLE"),
        };
        let served = serve.current_dir(folder.path()).output().unwrap();
        let ready: serde_json::Value = serde_json::from_slice(&served.stdout).unwrap();
        ready["pairs"].as_array().unwrap().iter().map(|pair| pair["puzzles"].as_u64().unwrap()).collect()
    };
    assert_eq!(puzzles(Some("20")), [20, 50]);
    assert_eq!(puzzles(Some("100")), [50, 50]);
    assert_eq!(puzzles(None), [50, 50]);
}

#[test]
fn an_interrupt_or_a_kill_leaves_no_process() {
    for (signal, code) in [("-INT", Some(130)), ("-TERM", Some(130)), ("-KILL", None)] {
        let (folder, sleep) = (folder(), unique_sleep());
        let mut gate = gate(folder.path(), &format!("sleep {sleep} & sleep {sleep}"));
        let mut child = gate.args(["--max-silence", "1h"]).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while !runs(&sleep) {
            assert!(start.elapsed() < BOUND, "the base does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), code);
        assert_gone(&sleep);
    }
}
