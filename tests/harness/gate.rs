//! `gate` from end to end: baselines, paired binaries, budgets, reports, exit codes. No assertion on a time.

use std::path::Path;
use std::process::{Command, Output};

pub(super) const BINARY: &str = env!("CARGO_BIN_EXE_sudobench");

fn gate(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(BINARY).arg("gate").args(arguments).arg("-q").current_dir(folder).output().unwrap()
}

/// A folder with the committed sample.
pub(super) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/sample.csv");
    std::fs::copy(sample, folder.path().join("sample.csv")).unwrap();
    folder
}

#[track_caller]
pub(super) fn expect(output: &Output, code: i32) -> String {
    let shown = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert_eq!(output.status.code(), Some(code), "{}", shown.join("\n"));
    shown.join("\n")
}

#[test]
fn a_baseline_passes_until_a_search_grows() {
    let folder = folder();
    let exact = ["sample.csv", "--solvers", "mrv,dlx", "--sample", "20", "--baseline", "baseline.txt"];
    expect(&gate(folder.path(), &[&exact[..], &["--update-baseline"]].concat()), 0);
    let path = folder.path().join("baseline.txt");
    let baseline = std::fs::read_to_string(&path).unwrap();
    assert!(expect(&gate(folder.path(), &exact), 0).contains("pass: 2 pass"));

    let first = baseline.lines().nth(3).unwrap().split(' ').next().unwrap();
    let (nodes, _) = first.split(':').nth(1).unwrap().split_once('/').unwrap();
    let fewer = first.replace(&format!(":{nodes}/"), &format!(":{}/", nodes.parse::<u64>().unwrap() - 1));
    std::fs::write(&path, baseline.replacen(first, &fewer, 1)).unwrap();
    let reports =
        ["--export-json", "gate.json", "--export-junit", "gate.xml", "--export-markdown", "gate.md"];
    let shown = expect(&gate(folder.path(), &[&exact[..], &reports].concat()), 3);
    assert!(shown.contains("more nodes on 1 puzzle: "), "{shown}");
    for report in ["gate.json", "gate.xml", "gate.md"] {
        let text = std::fs::read_to_string(folder.path().join(report)).unwrap();
        assert!(text.contains("more nodes on 1 puzzle: "), "{report} is written before the failure");
    }
    expect(&gate(folder.path(), &[&exact[..], &["--limits", "nodes=1000%"]].concat()), 0);
    std::fs::write(&path, "not a baseline").unwrap();
    assert!(expect(&gate(folder.path(), &exact), 1).contains("baseline.txt: line 1 of the baseline"));
}

#[test]
fn a_variant_that_is_left_out_of_a_run_is_not_missed() {
    let folder = folder();
    let files = ["sample.csv", "--sample", "5", "--baseline", "baseline.txt"];
    expect(&gate(folder.path(), &[&files[..], &["--solvers", "mrv,dlx", "--update-baseline"]].concat()), 0);
    assert!(
        expect(&gate(folder.path(), &[&files[..], &["--solvers", "mrv"]].concat()), 0)
            .contains("pass: 1 pass")
    );
    let path = folder.path().join("baseline.txt");
    let baseline = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, baseline.replace("pair dlx", "pair removed")).unwrap();
    let shown = expect(&gate(folder.path(), &[&files[..], &["--solvers", "mrv"]].concat()), 3);
    assert!(shown.contains("the baseline has it, this program does not"), "{shown}");
}

#[test]
fn a_binary_is_not_slower_than_itself_by_far() {
    let folder = folder();
    let paired = ["sample.csv", "--solvers", "mrv", "--base", BINARY, "--leg", "1ms", "--min-trials", "3"];
    let output = gate(
        folder.path(),
        &[&paired[..], &["--limits", "time=100000%", "--export-json", "g.json"]].concat(),
    );
    expect(&output, 0);
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("g.json")).unwrap()).unwrap();
    assert_eq!(report["checks"][0]["figures"]["trials"].as_array().unwrap().len(), 3);
    assert!(report["checks"][0]["figures"]["ratio"]["median"].as_f64().unwrap() > 0.0);
}

/// A program that notes the vector width that it was asked for and then is this program.
#[cfg(unix)]
fn noting(folder: &Path, name: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join(name);
    let script = format!("#!/bin/sh\necho \"$SUDOBENCH_SIMD\" >> {name}.asked\nexec '{BINARY}' \"$@\"\n");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
#[cfg(unix)]
fn a_vector_width_that_is_forced_reaches_both_binaries() {
    let folder = folder();
    let (base, head) = (noting(folder.path(), "base"), noting(folder.path(), "head"));
    let paired = ["sample.csv", "--solvers", "mrv", "--base", &base, "--head", &head, "--leg", "1ms"];
    let few = ["--min-trials", "3", "--limits", "time=100000%"];
    let asked = |words: &[&str]| {
        let gated = gate(folder.path(), &[&paired[..], &few, words].concat());
        expect(&gated, 0);
        ["base.asked", "head.asked"].map(|name| {
            let path = folder.path().join(name);
            let asked = std::fs::read_to_string(&path).unwrap();
            std::fs::remove_file(path).unwrap();
            asked.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
        })
    };
    for found in asked(&["--simd", "baseline"]) {
        assert_eq!(found, ["baseline".to_owned()].into());
    }
    // Both sides get one level by its name, whatever each would find for itself.
    let level = sudobench_sudoku::simd::Level::from_environment().unwrap();
    for found in asked(&[]) {
        assert_eq!(found, [level.name().to_owned()].into(), "where none is typed the environment decides");
    }
}

#[test]
fn what_does_not_serve_is_an_error_with_a_remedy() {
    let folder = folder();
    let shown = expect(&gate(folder.path(), &["sample.csv", "--base", "true"]), 1);
    assert!(shown.contains("true does not serve passes: build both binaries"), "{shown}");
    let shown = expect(&gate(folder.path(), &["sample.csv", "--base", "no-such-binary"]), 1);
    assert!(shown.contains("cannot start `no-such-binary`"), "{shown}");
}

#[test]
fn budgets_are_held_against_a_measurement_or_a_record() {
    let folder = folder();
    let budget = |limits: &str, more: &[&str]| {
        let words = [&["--limits", limits][..], more].concat();
        gate(folder.path(), &words)
    };
    let measured = ["sample.csv", "--solvers", "mrv", "--sample", "10"];
    assert!(expect(&budget("within:1h=100%", &measured), 0).contains("10 of 10 puzzles"));
    expect(&budget("p99=1ns", &measured), 3);
    let bench =
        ["sample.csv", "--solvers", "mrv", "--rounds", "1", "--min-time", "0s", "--export-json", "r.json"];
    let bench = Command::new(BINARY).arg("bench").args(bench).current_dir(folder.path()).output().unwrap();
    expect(&bench, 0);
    expect(&budget("max=1h", &["--record", "r.json"]), 0);
    let shown = expect(&budget("within:1ms=1%", &["--record", "r.json"]), 4);
    assert!(shown.contains("--budgets"), "{shown}");
    assert!(expect(&budget("max=1h", &["--record", "sample.csv"]), 1).contains("is not a record"));
}

#[test]
fn github_gets_annotations_and_a_summary() {
    let folder = folder();
    let summary = folder.path().join("summary.md");
    std::fs::write(&summary, "before\n").unwrap();
    let output = Command::new(BINARY)
        .args(["gate", "sample.csv", "--solvers", "mrv", "--limits", "p99=1ns", "--format", "github"])
        .env("GITHUB_STEP_SUMMARY", &summary)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let shown = expect(&output, 3);
    assert!(shown.contains("::error title=budget gate%2C mrv on sample.csv::p99=1ns: p99 is "), "{shown}");
    let summary = std::fs::read_to_string(summary).unwrap();
    assert!(summary.starts_with("before\n## sudobench gate: fail"), "{summary}");
}

#[test]
fn a_gate_without_a_question_is_refused() {
    let folder = folder();
    for (words, remedy) in [
        (vec!["sample.csv"], "--baseline"),
        (vec!["--limits", "p99=1s"], "name a dataset"),
        (vec!["sample.csv", "--limits", "speed=1%"], "cannot be limited"),
        (vec!["sample.csv", "--head", "x"], "--base"),
        (vec!["sample.csv", "--update-baseline"], "--baseline"),
    ] {
        assert!(expect(&gate(folder.path(), &words), 2).contains(remedy), "{words:?}");
    }
}

#[test]
fn every_gate_reads_standard_input_that_came_once() {
    let folder = folder();
    let sample = std::fs::read(folder.path().join("sample.csv")).unwrap();
    let gate = |words: &[&str]| {
        assert_cmd::Command::cargo_bin("sudobench")
            .unwrap()
            .args(["gate", "-", "--solvers", "mrv", "--sample", "5", "--baseline", "b.txt", "-q"])
            .args(words)
            .current_dir(folder.path())
            .write_stdin(sample.clone())
            .assert()
            .success()
    };
    gate(&["--update-baseline"]);
    let baseline = std::fs::read_to_string(folder.path().join("b.txt")).unwrap();
    assert!(baseline.contains("pair mrv standard input puzzles=5 "), "{baseline}");
    let paired = ["--base", BINARY, "--leg", "1ms", "--warm-up-time", "5s", "--min-trials", "2"];
    let limits = ["--max-trials", "2", "--limits", "time=100000%,max=1h", "--max-time-per-pair", "1h"];
    let output = gate(&[&paired[..], &limits].concat());
    let shown = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    for kind in ["exact", "paired", "budget"] {
        assert!(shown.contains(&format!("{kind:<6}  mrv     standard input")), "{shown}");
    }
}

#[test]
fn passes_cannot_be_served_of_what_brings_the_requests() {
    let output = Command::new(BINARY).args(["serve", "-"]).output().unwrap();
    assert!(expect(&output, 2).contains("brings the requests here"));
}

#[test]
fn a_gate_that_compares_nothing_does_not_pass() {
    let folder = folder();
    let exact = ["sample.csv", "--solvers", "mrv", "--sample", "5", "--baseline", "baseline.txt"];
    expect(&gate(folder.path(), &[&exact[..], &["--update-baseline"]].concat()), 0);
    std::fs::rename(folder.path().join("sample.csv"), folder.path().join("other.csv")).unwrap();
    let renamed = ["other.csv", "--solvers", "mrv", "--baseline", "baseline.txt"];
    let shown = expect(&gate(folder.path(), &renamed), 4);
    assert!(
        shown.contains("nothing was compared: the baseline has none of these pairs, but mrv on"),
        "{shown}"
    );
    #[cfg(unix)]
    let ready =
        r#"{"protocol":1,"pairs":[{"solver":"old","dataset":"other.csv","puzzles":5,"pass_ns":1000}]}"#;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let path = folder.path().join("base");
        std::fs::write(&path, format!("#!/bin/sh\necho '{ready}'; cat >/dev/null\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let shown = expect(&gate(folder.path(), &["other.csv", "--solvers", "mrv", "--base", "./base"]), 4);
        assert!(shown.contains("nothing was compared: the base binary has none of these pairs"), "{shown}");
    }
}

#[test]
fn what_is_wrong_is_told_once_and_reads_well() {
    let folder = folder();
    let shown = expect(&gate(folder.path(), &["--record", "nope", "--limits", "p99=80ms"]), 1);
    assert_eq!(shown.matches("No such file").count(), 1, "{shown}");
    let counted =
        ["sample.csv", "--solvers", "mrv", "--sample", "5", "--baseline", "b.txt", "--update-baseline"];
    let output = Command::new(BINARY).arg("gate").args(counted).current_dir(folder.path()).output().unwrap();
    assert!(expect(&output, 0).contains("b.txt holds 1 pair\n"));
    let output = Command::new(BINARY)
        .arg("gate")
        .args(["sample.csv", "--export-json", "nowhere/g.json"])
        .args(["--baseline", "b.txt", "--update-baseline"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(expect(&output, 1).contains("cannot write nowhere/g.json"), "before anything is counted");
}
