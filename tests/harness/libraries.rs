//! Solvers in shared libraries as engines. Correct solvers are measured; for a faulty solver, only its own pair fails.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use super::bench::{PUZZLE, SOLUTION, folder};
use super::engines::command_lines;
use super::kept::keep_record;

/// Puzzles with one solution, except the last, which has two.
const PUZZLES: [&str; 4] = [
    PUZZLE,
    "53...8..26..195348198342567859.614234268.379171392.856961537284287419635345286179",
    ".3467.9126.219534819.342567859.614234268.379171392.856961537.842874196.534528.17.",
    "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179",
];

/// Makes a folder with `lib.so`, compiled with these further options, and `puzzles.txt`.
fn library_folder(options: &[&str]) -> tempfile::TempDir {
    let folder = folder();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/harness/libraries.c");
    let compiled = Command::new("cc")
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", "lib.so"])
        .args(options)
        .arg(source)
        .current_dir(folder.path())
        .status();
    assert!(compiled.unwrap().success());
    std::fs::write(folder.path().join("puzzles.txt"), PUZZLES[..3].join("\n")).unwrap();
    folder
}

/// Measures some functions of `lib.so`, and returns the exit code, standard output, and the pairs of the record.
fn measured(folder: &Path, commands: &[&str], arguments: &[&str]) -> (i32, String, Vec<serde_json::Value>) {
    let mut bench = Command::new(env!("CARGO_BIN_EXE_sudobench"));
    bench
        .args(["bench", "puzzles.txt", "--engine-protocol", "library", "--solvers", "none", "-q"])
        .args(["--rounds", "2", "--min-time", "0s", "--export-json", "record.json"])
        .args(arguments)
        .current_dir(folder);
    for (at, command) in commands.iter().enumerate() {
        bench.args(["--engine", &format!("e{at}={command}")]);
    }
    let ended = bench.output().unwrap();
    let text = std::fs::read_to_string(folder.join("record.json"))
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ended.stderr)));
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    keep_record("record", &record);
    // The processes that call a library have its absolute path in their command lines.
    let path = folder.canonicalize().unwrap();
    let is_left = |word: &String| word.contains(path.to_str().unwrap());
    assert!(!command_lines().iter().flatten().any(is_left), "a process is left");
    let pairs = record["pairs"].as_array().unwrap().clone();
    (ended.status.code().unwrap(), String::from_utf8(ended.stdout).unwrap(), pairs)
}

#[test]
fn right_answers_are_measured() {
    let folder = library_folder(&[]);
    let (code, text, pairs) = measured(folder.path(), &["lib.so", "./lib.so prints", "lib.so solve 7"], &[]);
    assert_eq!(code, 0, "{text}");
    for pair in &pairs {
        assert_eq!((&pair["kind"], &pair["engine"]["answers"]["kind"]), (&"engine".into(), &"unique".into()));
        let times = &pair["one_by_one"]["times"];
        assert_eq!(
            (&times["latency_ns"]["puzzles"], &times["echo_ns"]),
            (&3.into(), &serde_json::Value::Null)
        );
        assert!(pair["rounds"][0]["elapsed_ns"].as_u64().unwrap() > 0, "{pair}");
    }
    let (_, search) = text.split_once("puzzles.txt: search").unwrap();
    let (search, _) = search.split_once("puzzles.txt: ").unwrap();
    let row = |name: &str| search.lines().find(|line| line.trim_start().starts_with(name));
    assert!(row("e0 ").is_some() && row("e1 ").is_none() && row("e2 ").unwrap().contains("7.00"), "{text}");
}

#[test]
fn loading_is_not_part_of_the_time() {
    let folder = library_folder(&["-DLOAD_MICROSECONDS=300000"]);
    let (code, text, pairs) = measured(folder.path(), &["lib.so"], &[]);
    assert_eq!(code, 0, "{text}");
    assert!(pairs[0]["rounds"][0]["elapsed_ns"].as_u64().unwrap() < 300_000_000, "{}", pairs[0]);
}

#[test]
fn solutions_are_counted_up_to_the_limit() {
    let folder = library_folder(&[]);
    std::fs::write(folder.path().join("puzzles.txt"), PUZZLES.join("\n")).unwrap();
    let count = ["--engine-answers", "count"];
    let (code, text, pairs) = measured(folder.path(), &["lib.so", "lib.so forgets"], &count);
    assert_eq!(code, 0, "{text}");
    assert!(pairs.iter().all(|pair| pair["engine"]["answers"]["kind"] == "count"), "{text}");
    let (code, text, pairs) = measured(folder.path(), &["lib.so"], &["--max-solutions", "1"]);
    assert_eq!((code, &pairs[0]["engine"]["answers"]["kind"]), (0, &"any".into()), "{text}");
}

#[test]
fn a_failure_affects_only_its_pair() {
    let folder = library_folder(&[]);
    std::fs::write(folder.path().join("text.so"), SOLUTION).unwrap();
    let cases = [
        ("lib.so", ""),
        ("lib.so wrong", "wrong answer: on puzzle "),
        (
            "lib.so forgets",
            "for this puzzle, the engine printed `1 solution, but it did not write 81 digits`",
        ),
        ("lib.so crashes", "`lib.so` ended with signal: "),
        ("lib.so leaves", "`lib.so` ended the process that calls it: 0 of 1 puzzle answered"),
        (
            "lib.so missing",
            "`lib.so` has no function `missing`: write the name of the solver's function after the path",
        ),
        ("none.so", "`none.so` cannot be loaded: none.so: "),
        ("text.so", "`text.so` cannot be loaded: text.so: "),
    ];
    let (code, text, pairs) = measured(folder.path(), &cases.map(|(command, _)| command), &[]);
    assert_eq!(code, 4, "{text}");
    for ((command, words), pair) in cases.iter().zip(&pairs) {
        let error = pair["error"].as_str().unwrap_or_default();
        assert!(error.contains(words) && error.is_empty() == words.is_empty(), "{command}: {error}");
    }
}

#[test]
fn a_solver_that_hangs_is_measured_on_the_earlier_puzzles() {
    let folder = library_folder(&[]);
    let hangs = ["lib.so hangs", "lib.so"];
    let time = ["--max-time-per-pair", "4s", "--check-time", "0s"];
    std::fs::write(folder.path().join("puzzles.txt"), format!(".{}", &PUZZLE[1..])).unwrap();
    // The message must say that the solver used processor time, and not that it waited. On a busy machine, a loop may get so little
    // processor time that it seems to wait, so it is enough if the message is right in one of several attempts.
    let is_told_from_waiting = || {
        let (code, text, pairs) = measured(folder.path(), &hangs[..1], &time);
        let error = pairs[0]["error"].as_str().unwrap();
        assert!(code == 4 && error.starts_with("it gave no answer within 1s"), "{text}");
        error.contains("of processor time")
    };
    assert!((0..10).any(|_| is_told_from_waiting()));
    // The function `hangs` never returns for a puzzle that begins with a blank. The test sets `--seed`, because the order of the puzzles
    // depends on the seed, and `--same-puzzles`, because other forms of the puzzles may begin with a blank.
    let puzzles = [PUZZLES[0], PUZZLES[1], PUZZLES[2]].join("\n");
    std::fs::write(folder.path().join("puzzles.txt"), puzzles).unwrap();
    let arguments = [&time[..], &["--same-puzzles", "--seed", "1"]].concat();
    let (code, text, pairs) = measured(folder.path(), &hangs, &arguments);
    assert_eq!(code, 0, "{text}");
    let reached = [0, 1].map(|at| (&pairs[at]["puzzles"], &pairs[at]["complete"]));
    assert_eq!(reached, [(&1.into(), &false.into()), (&3.into(), &true.into())], "{text}");
}

#[test]
fn a_library_command_with_a_syntax_error_is_refused() {
    let folder = folder();
    for command in ["lib.so solve flags", "lib.so solve 1 2", "lib.so solve -1"] {
        let ended = Command::new(env!("CARGO_BIN_EXE_sudobench"))
            .args([
                "bench",
                "puzzles.txt",
                "--engine",
                &format!("e={command}"),
                "--engine-protocol",
                "library",
            ])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let words = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{words}");
        assert!(words.contains("write 'LIBRARY [FUNCTION [FLAGS]]'"), "{words}");
    }
}

#[test]
fn the_gate_compares_guesses_and_two_libraries() {
    let folder = library_folder(&[]);
    let gate = |arguments: &[&str]| {
        let ended = Command::new(env!("CARGO_BIN_EXE_sudobench"))
            .args(["gate", "puzzles.txt", "--engine-protocol", "library", "-q"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        (ended.status.code().unwrap(), String::from_utf8([ended.stdout, ended.stderr].concat()).unwrap())
    };
    let baseline = ["--baseline", "baseline.txt", "--engine"];
    let (code, text) = gate(&[&baseline[..], &["e=lib.so solve 7", "--update-baseline"]].concat());
    assert_eq!(code, 0, "{text}");
    let (code, text) = gate(&[&baseline[..], &["e=lib.so solve 8"]].concat());
    assert!(code == 3 && text.contains("more guesses on 3 puzzles"), "{text}");
    let (code, text) = gate(&["--engine", "e=lib.so crashes", "--base-engine", "e=lib.so"]);
    assert!(code == 4 && text.contains("new build: `lib.so` ended with signal"), "{text}");
}
