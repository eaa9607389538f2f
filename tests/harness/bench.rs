//! `bench` from end to end: records that keep to their schema, engines right and wrong, exit codes.

use std::path::Path;
use std::process::{Command, Output};

/// A puzzle of `datasets/sample.csv`'s kind, and its solution.
const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn bench(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["bench", "puzzles.txt", "--rounds", "3", "--min-time", "0s", "-q"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// A folder with a dataset of four lines.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("puzzles.txt"), format!("{PUZZLE}\n").repeat(4)).unwrap();
    folder
}

fn record(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("record.json")).unwrap()).unwrap()
}

fn schema() -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/record.schema.json");
    jsonschema::validator_for(&serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
        .unwrap()
}

#[track_caller]
fn assert_valid(record: &serde_json::Value) {
    let faults: Vec<String> =
        schema().iter_errors(record).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_record_keeps_to_the_published_schema() {
    let folder = folder();
    let exports =
        ["--export-json", "record.json", "--export-csv", "pairs.csv", "--export-markdown", "pairs.md"];
    let output = bench(folder.path(), &[&exports[..], &["--keep-puzzles", "--budgets", "boj2580"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let record = record(folder.path());
    assert_valid(&record);
    for pair in record["pairs"].as_array().unwrap() {
        assert!(pair["throughput"]["median"].as_f64().unwrap() > 0.0);
        assert_eq!((&pair["max_solutions"], &pair["threads"]), (&1.into(), &1.into()));
        assert_eq!(pair["kept"]["number"].as_array().unwrap().len(), 4);
        assert_eq!(pair["budgets"][2]["limit_ns"], 1_172_000_000);
        assert_eq!(pair["rounds"].as_array().unwrap().len(), 3);
    }
    let pairs = record["pairs"].as_array().unwrap().len();
    let csv = std::fs::read_to_string(folder.path().join("pairs.csv")).unwrap();
    assert_eq!(csv.lines().count(), pairs + 1);
    assert!(std::fs::read_to_string(folder.path().join("pairs.md")).unwrap().contains("### puzzles.txt"));
}

#[test]
fn the_vector_level_in_use_is_recorded_and_another_one_warned_of() {
    let folder = folder();
    let told = |words: &[&str]| {
        let output =
            bench(folder.path(), &[&["--solvers", "mrv", "--export-json", "record.json"], words].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let record = record(folder.path());
        assert_valid(&record);
        record["simd_level"].as_str().unwrap().to_owned()
    };
    let usual = told(&[]);
    std::fs::rename(folder.path().join("record.json"), folder.path().join("usual.json")).unwrap();
    assert_eq!(told(&["--simd", "baseline"]), "baseline");
    let compared = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["compare", "usual.json", "record.json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let warning = format!("record.json was measured at the vector level baseline, usual.json at {usual}:");
    let shown = String::from_utf8(compared.stdout).unwrap();
    assert_eq!(shown.contains(&warning), usual != "baseline", "{shown}");
}

#[test]
fn the_schema_refuses_what_is_no_record() {
    assert!(!schema().is_valid(&serde_json::json!({ "schema_version": 1, "kind": "bench" })));
}

#[cfg(unix)]
#[test]
fn a_right_engine_is_measured_and_a_wrong_one_is_named() {
    let folder = folder();
    // The form of tdoku's own command: the puzzle, a count, the solution.
    let solves = format!("right=sed s/.*/&:1:{SOLUTION}/");
    let swapped = format!("435{}", &SOLUTION[3..]);
    let wrong_once = format!("wrong=sed -e s/.*/{SOLUTION}/ -e 3s/.*/{swapped}/");
    let engines = ["--solvers", "null", "--engine", &solves, "--engine", &wrong_once];
    let output = bench(folder.path(), &[&engines[..], &["--export-json", "record.json"]].concat());
    assert_eq!(output.status.code(), Some(4));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("wrong: wrong answer: on puzzle "), "{stdout}");
    assert!(stdout.contains("its answer is wrong: cell 0 differs from the clue"), "{stdout}");
    let record = record(folder.path());
    assert_valid(&record);
    let pair = |name: &str| {
        record["pairs"].as_array().unwrap().iter().find(|pair| pair["solver"] == name).cloned().unwrap()
    };
    assert!(pair("wrong").get("throughput").is_none());
    let right = pair("right");
    assert!(right["throughput"]["median"].as_f64().unwrap() > 0.0);
    assert!(right["engine"]["peak_memory_bytes"].as_u64().unwrap() > 0);
    assert!(right["latency_ns"].is_null(), "no latency is known of an engine");
}

#[cfg(unix)]
#[test]
fn an_engine_that_denies_a_solution_is_refuted_though_nobody_else_is_measured() {
    let output = bench(folder().path(), &["--solvers", "null", "--exclude", "null", "--engine", "mute=cat"]);
    assert_eq!(output.status.code(), Some(4));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("its answer is `unsolvable`, but"), "{stdout}");
}

/// Puzzles without their first two rows: the rest leaves most of them several solutions.
#[test]
fn a_batch_solver_may_find_another_solution_each_time_where_any_will_do() {
    let folder = folder();
    let rows: String = (0..9_000usize)
        .map(|number| {
            let digits = |value: usize| (value + number) % 9 + 1;
            let solution = SOLUTION.bytes().map(|digit| digits(usize::from(digit - b'0')));
            let kept = |at: usize| at >= 18 && !(at * 7 + number).is_multiple_of(3);
            solution
                .enumerate()
                .map(|(at, digit)| if kept(at) { digit.to_string() } else { ".".to_owned() })
                .chain(["\n".to_owned()])
                .collect::<String>()
        })
        .collect();
    std::fs::write(folder.path().join("puzzles.txt"), rows).unwrap();
    for question in [["--max-solutions", "1"], ["--budgets", "boj2580"]] {
        let output = bench(folder.path(), &[&["--solvers", "auto,bitslice,mrv"], &question[..]].concat());
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{shown}");
        assert!(!shown.contains("wrong answer"), "{shown}");
    }
}

#[test]
fn what_is_typed_wrong_is_told() {
    for (arguments, words) in [
        (vec!["--solvers", "magic"], "there is no solver `magic`"),
        (vec!["--engine", "nameless"], "write NAME='COMMAND ARGUMENTS'"),
        (vec!["--solvers", "null", "--engine", "null=cat"], "two solvers are called `null`"),
        (vec!["--exclude", "."], "no solver is left"),
        (vec!["--include", "("], "--include"),
        (vec!["puzzles.txt"], "puzzles.txt is named twice"),
        (vec!["--threads", "0"], "write 1 or more, or leave the option out"),
        (vec!["--sample", "few"], "write a whole number from 1 up"),
        (vec!["--max-time-per-puzzle", "80"], "write a number with its unit"),
    ] {
        let output = bench(folder().path(), &arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains(words), "{stderr}");
    }
    let output = bench(folder().path(), &["nowhere.txt"]);
    assert_eq!(output.status.code(), Some(1));
}
