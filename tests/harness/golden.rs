//! Golden records: files that commands of sudobench wrote, and reports that are made from these files.
//!
//! `tests/harness/golden/` holds:
//!
//! - Records of several kinds, with the datasets and engines that they were measured with. Records of `bench`, `judge`, `solve` and
//!   `overlap` say in `arguments` how they were made. Later versions of the program must be able to read these records, so they are never
//!   replaced by new ones.
//! - `later.json`, `judge_later.json`: records of a second run, for `compare`. The counts of `hardware` in `later.json`, and the commits
//!   and two changes in `history.jsonl`, are made up.
//! - `baseline.txt`, in which the count of one puzzle is one node too small; and `serve.txt`, the messages of `sudobench serve` (`<`) and
//!   of the process that started it (`>`).
//! - `renderings/`: the exact output of `report`, `compare`, `history` and `gate` for these files; for HTML pages, only the digest. After
//!   an intended change, update them with `INSTA_UPDATE=always cargo test --test harness golden`.
//!
//! If the environment variable `SUDOBENCH_GOLDEN` names a folder, the renderings are written into its subfolder `harness`, one file for
//! each command. To see how a page changed, set the variable to a different folder for each of two commits, and compare the folders with
//! `diff -r`.
//!
//! Renderings are compared on Linux only, because mathematical functions give slightly different results on other systems, and awk may be
//! missing there.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest as _, Sha256};
use sudobench_harness::gate::{Baseline, GateReport};
use sudobench_harness::record::{BenchRecord, History, OverlapRecord, RunRecord, write_json};
use sudobench_harness::report;

use super::gate::{BINARY, expect, write_program};

/// Width of the terminal for text reports, in columns.
const WIDTH: usize = 120;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/harness/golden")
}

fn read(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap()
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(BINARY);
    command.current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1").env("COLUMNS", WIDTH.to_string());
    for variable in ["GITHUB_STEP_SUMMARY", "GITHUB_SHA", "CI_COMMIT_SHA", "SUDOBENCH_SIMD"] {
        command.env_remove(variable);
    }
    command
}

/// Runs the program with the arguments in this line.
fn run(folder: &Path, line: &str) -> Output {
    program(folder).args(line.split_whitespace()).output().unwrap()
}

/// Compares texts with the stored texts. Each text has a title.
#[track_caller]
fn assert_as_stored(name: &str, texts: &[(String, String)]) {
    let mut all = String::new();
    for (title, text) in texts {
        keep(title, text);
        if text.starts_with("<!DOCTYPE html>") {
            let digest = Sha256::digest(text.as_bytes());
            let digest: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
            writeln!(all, "==== {title}\n{} bytes, SHA-256 {digest}", text.len()).unwrap();
        } else {
            writeln!(all, "==== {title}\n{text}").unwrap();
        }
    }
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(folder().join("renderings"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, all));
}

/// If the variable `SUDOBENCH_GOLDEN` names a folder, writes a rendering into the subfolder `harness` of that folder.
fn keep(title: &str, text: &str) {
    let Some(kept) = std::env::var_os("SUDOBENCH_GOLDEN") else { return };
    let kept = Path::new(&kept).join("harness");
    fs::create_dir_all(&kept).unwrap();
    let name = title.replace(|at: char| !at.is_alphanumeric() && !"+-.,".contains(at), "_");
    fs::write(kept.join(name), text).unwrap();
}

/// Runs command lines and compares their output with the stored output. Each command line has its expected exit code before it.
#[track_caller]
fn assert_renderings(name: &str, lines: &[(i32, &str)]) {
    let shown = |&(code, line): &(i32, &str)| {
        let output = run(&folder(), line);
        expect(&output, code);
        (line.to_owned(), String::from_utf8(output.stdout).unwrap())
    };
    assert_as_stored(name, &lines.iter().map(shown).collect::<Vec<_>>());
}

/// Checks the reports that `report` makes from a record.
#[track_caller]
fn assert_reports(name: &str) {
    let media = ["", "markdown", "csv", "junit", "html"];
    let lines = media.map(|medium| match medium {
        "" => format!("report {name}.json"),
        _ => format!("report {name}.json --export-{medium} -"),
    });
    assert_renderings(name, &lines.each_ref().map(|line| (0, line.as_str())));
}

#[test]
fn bench_record_renders_as_stored() {
    assert_reports("bench");
}

#[test]
fn bench_record_with_threads_renders_as_stored() {
    assert_reports("threads");
}

#[test]
fn engine_record_renders_as_stored() {
    assert_reports("engines");
}

#[test]
fn isomorph_record_renders_as_stored() {
    assert_reports("isomorphs");
}

#[test]
fn judge_record_renders_as_stored() {
    assert_reports("judge");
}

#[test]
fn comparisons_render_as_stored() {
    assert_renderings(
        "compare",
        &[
            (0, "compare bench.json later.json"),
            (0, "compare bench.json later.json --export-markdown -"),
            (0, "compare bench.json threads.json engines.json isomorphs.json judge.json"),
            (0, "compare judge.json judge_later.json"),
            (0, "compare judge.json judge_later.json --export-markdown -"),
            (0, "report bench.json later.json judge.json --export-csv -"),
            (0, "report bench.json later.json judge.json --export-junit -"),
            (0, "report bench.json later.json --export-html -"),
            (0, "report judge.json judge_later.json --export-html -"),
        ],
    );
}

#[test]
fn history_renders_as_stored() {
    assert_renderings(
        "history",
        &[
            (0, "history history.jsonl"),
            (0, "history history.jsonl --solvers bitslice"),
            (0, "history history.jsonl --export-html -"),
        ],
    );
}

#[test]
fn gate_runs_render_as_stored() {
    assert_renderings(
        "gate",
        &[
            (
                3,
                "gate --record bench.json --limits mean=20us,p50=1ms,p90=1ms,p99=6us,p99.9=1s,max=1s,within:1ms=100%",
            ),
            (3, "gate --record bench.json --limits p99=6us --format github"),
            (3, "gate --record bench.json --limits p99=6us --export-json -"),
            (3, "gate --record bench.json --limits p99=6us --export-markdown -"),
            (3, "gate --record bench.json --limits p99=6us --export-junit -"),
            (4, "gate --record engines.json --limits p99=1s,within:292ms=100%"),
            (3, "gate --record judge.json --limits p99=1s,within:80ms=100%"),
            (
                3,
                "gate gentle.csv tough.csv --solvers mrv,bitslice --baseline baseline.txt --simd baseline -q",
            ),
            (
                0,
                "gate gentle.csv tough.csv --solvers mrv,bitslice --baseline baseline.txt --simd baseline -q --limits nodes=1%",
            ),
            (
                3,
                "gate gentle.csv tough.csv --solvers mrv,bitslice --baseline baseline.txt --simd baseline -q --export-json -",
            ),
        ],
    );
}

/// The stored verdicts are those of a gate that compared two binaries and two builds of an engine.
#[test]
fn gate_verdicts_render_as_stored() {
    let verdicts: GateReport = serde_json::from_str(&read("gate.json")).unwrap();
    let texts = [
        ("gate.json as text", report::gate_text(&verdicts, WIDTH)),
        ("gate.json as annotations", report::gate_annotations(&verdicts)),
        ("gate.json as Markdown", report::gate_markdown(&verdicts)),
        ("gate.json as JUnit", report::gate_junit(&verdicts).unwrap()),
    ];
    assert_as_stored("verdicts", &texts.map(|(title, text)| (title.to_owned(), text)));
}

#[test]
fn overlap_record_renders_as_stored() {
    let record: OverlapRecord = serde_json::from_str(&read("overlap.json")).unwrap();
    let text = report::overlap_text(&record, WIDTH);
    assert_as_stored("overlap", &[("overlap.json as text".to_owned(), text)]);
}

/// On a narrow terminal, the lines of text are broken at other places.
#[test]
fn narrow_tables_render_as_stored() {
    let shown = |line: &str| {
        let output = program(&folder()).args(line.split(' ')).env("COLUMNS", "60").output().unwrap();
        (format!("{line}, 60 columns"), expect(&output, 0))
    };
    let lines = ["report engines.json", "compare bench.json later.json", "history history.jsonl"];
    assert_as_stored("narrow", &lines.map(shown));
}

const BENCH_AND_JUDGE: [&str; 7] = [
    "bench.json",
    "later.json",
    "threads.json",
    "engines.json",
    "isomorphs.json",
    "judge.json",
    "judge_later.json",
];

#[test]
fn files_are_unchanged_when_read_and_written() {
    #[track_caller]
    fn assert_same<T: DeserializeOwned + Serialize>(name: &str) {
        let mut written = Vec::new();
        write_json(&mut written, &serde_json::from_str::<T>(&read(name)).unwrap()).unwrap();
        assert!(String::from_utf8(written).unwrap() == read(name), "{name} is written differently");
    }
    BENCH_AND_JUDGE.iter().for_each(|name| assert_same::<BenchRecord>(name));
    assert_same::<RunRecord>("solve.json");
    assert_same::<OverlapRecord>("overlap.json");
    assert_same::<GateReport>("gate.json");
    let stored = read("history.jsonl");
    let history = History::parse(stored.as_bytes(), "history.jsonl").unwrap();
    let lines = history.entries.iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n");
    assert!(lines.collect::<String>() == stored, "history.jsonl is written differently");
    let baseline: Baseline = read("baseline.txt").parse().unwrap();
    assert_eq!(baseline.to_string(), read("baseline.txt"));
}

/// Makes a copy of the golden folder, in which programs can be run.
fn copy() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_file() {
            fs::copy(&entry, copy.path().join(entry.file_name().unwrap())).unwrap();
        }
    }
    copy
}

/// Members whose fields depend on the machine; they are not compared.
const OF_THE_MACHINE: [&str; 4] = ["noise", "hardware", "figures", "vector_extensions"];

/// Collects the fields of a JSON value: the path of each field with the type of its value. All elements of an array have the same path.
fn fields(value: &serde_json::Value, path: &str, found: &mut BTreeSet<String>) {
    use serde_json::Value;
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(values) => {
            values.iter().for_each(|value| fields(value, &format!("{path}[]"), found));
            "array"
        }
        Value::Object(members) => {
            for (name, member) in members.iter().filter(|(name, _)| !OF_THE_MACHINE.contains(&name.as_str()))
            {
                fields(member, &format!("{path}.{name}"), found);
            }
            "object"
        }
    };
    found.insert(format!("{path} {kind}"));
}

/// Asserts that a record that this version writes has exactly the fields of the stored record, apart from [`OF_THE_MACHINE`].
#[track_caller]
fn assert_same_fields(name: &str, written: &str) {
    let [stored, written] = [&read(name), written].map(|text| {
        let mut found = BTreeSet::new();
        fields(&serde_json::from_str(text).unwrap(), "", &mut found);
        found
    });
    let lost: Vec<_> = stored.difference(&written).collect();
    let added: Vec<_> = written.difference(&stored).collect();
    assert!(lost.is_empty() && added.is_empty(), "{name}: lost {lost:?}, added {added:?}");
}

/// Runs the command of a record again. If a field is added on purpose, add it to the stored record by hand.
#[test]
fn new_records_have_the_stored_fields() {
    let copy = copy();
    for (name, code) in [
        ("bench.json", 0),
        ("threads.json", 0),
        ("engines.json", 4),
        ("isomorphs.json", 0),
        ("judge.json", 4),
        ("solve.json", 0),
        ("overlap.json", 0),
    ] {
        let stored: serde_json::Value = serde_json::from_str(&read(name)).unwrap();
        let arguments = stored["arguments"].as_array().unwrap().iter().map(|word| word.as_str().unwrap());
        // The engines of `engines.json` look up their answers, so they must get the puzzles as they are in the file.
        let same_puzzles = (name == "engines.json").then_some("--same-puzzles");
        expect(&program(copy.path()).args(arguments).args(same_puzzles).output().unwrap(), code);
        assert_same_fields(name, &fs::read_to_string(copy.path().join(name)).unwrap());
    }
}

/// Returns the lines of `serve.txt` that begin with `who`, without this sign: `>` for requests, `<` for answers.
fn said(who: char) -> Vec<String> {
    let text = read("serve.txt");
    text.lines().filter_map(|line| line.strip_prefix(who)).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn requests_of_an_earlier_version_are_answered() {
    let mut serve = program(&folder())
        .args(
            "serve gentle.csv tough.csv --sample 4 --seed 1 --max-solutions 2 --max-nodes 1000000".split(' '),
        )
        .args("--max-time-per-pair 2000000000ns --solvers mrv,bitslice --simd baseline".split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let requests: String = said('>').iter().map(|line| format!("{line}\n")).collect();
    std::io::Write::write_all(&mut serve.stdin.take().unwrap(), requests.as_bytes()).unwrap();
    let output = serve.wait_with_output().unwrap();
    expect(&output, 0);
    /// Returns a message without times, kernel counters and the members `protocol`, `type` and `sample`, which messages of older versions
    /// do not have.
    fn masked(line: &str) -> serde_json::Value {
        fn mask(value: &mut serde_json::Value) {
            match value {
                serde_json::Value::Object(members) => {
                    for name in ["instructions", "protocol", "sample", "type"] {
                        members.remove(name);
                    }
                    members.get_mut("pass_ns").into_iter().for_each(|time| *time = "TIME".into());
                    members.values_mut().for_each(mask);
                }
                serde_json::Value::Array(values) => values.iter_mut().for_each(mask),
                _ => {}
            }
        }
        let mut value = serde_json::from_str(line).unwrap();
        mask(&mut value);
        value
    }
    let answers: Vec<_> = String::from_utf8(output.stdout).unwrap().lines().map(masked).collect();
    assert_eq!(answers, said('<').iter().map(|line| masked(line)).collect::<Vec<_>>());
}

/// The base answers like a binary of an earlier version, and records the requests.
#[test]
fn base_of_an_earlier_version_is_compared() {
    let copy = copy();
    let answers = said('<');
    let script = format!(
        "#!/bin/sh\necho '{}'\nwhile read -r line; do echo \"$line\" >>asked; echo '{}'; done\n",
        answers[0], answers[1]
    );
    write_program(&copy.path().join("base"), &script);
    let line = "gate gentle.csv tough.csv --sample 4 --solvers mrv,bitslice --simd baseline --base ./base --warm-up-time 1s \
                --leg 1ms --min-trials 2 --max-trials 2 --limits time=1000000000% -q";
    let shown = expect(&run(copy.path(), line), 0);
    assert_eq!(shown.matches("over 2 trials").count(), 4, "{shown}");
    let asked = fs::read_to_string(copy.path().join("asked")).unwrap();
    let known: serde_json::Value = serde_json::from_str(&said('>')[0]).unwrap();
    for line in asked.lines() {
        let request: serde_json::Value = serde_json::from_str(line).unwrap();
        for name in known.as_object().unwrap().keys() {
            assert!(request[name].is_u64(), "an earlier version needs `{name}`: {line}");
        }
    }
    assert!(asked.lines().count() > 0);
}
