//! `compare`, `report`, `doctor`, `completions` and `man` from end to end.

use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sudobench")).args(arguments).current_dir(folder).output().unwrap()
}

#[track_caller]
fn fine(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Makes a folder with the records of two runs on datasets/sample.csv.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/sample.csv");
    for name in ["a.json", "b.json"] {
        let bench = ["bench", sample.to_str().unwrap(), "--solvers", "mrv,dlx", "--sample", "20", "-q"];
        let how =
            ["--rounds", "2", "--min-time", "0s", "--budgets", "1h", "--keep-puzzles", "--export-json", name];
        fine(folder.path(), &[&bench[..], &how].concat());
    }
    folder
}

#[test]
fn every_report_is_made_from_records_alone() {
    let folder = folder();
    let outputs = [
        ["--export-html", "r.html"],
        ["--export-markdown", "r.md"],
        ["--export-csv", "r.csv"],
        ["--export-junit", "r.xml"],
    ];
    assert_eq!(fine(folder.path(), &[&["report", "a.json", "b.json"], outputs.as_flattened()].concat()), "");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let page = read("r.html");
    for words in
        ["<svg", "virtual best", "latency by percentile", "puzzles solved within a time", "dlx against mrv"]
    {
        assert!(
            page.contains(words) || words == "dlx against mrv" && page.contains("mrv against dlx"),
            "{words}"
        );
    }
    assert!(read("r.md").contains("| mrv | single |"));
    assert_eq!(read("r.csv").lines().count(), 5);
    assert!(read("r.xml").contains("<testcase name=\"mrv\" classname=\"sample.csv\""));
    assert!(fine(folder.path(), &["report", "a.json"]).contains("sample.csv: 20 of 60 puzzles"));
}

#[test]
fn equal_searches_have_equal_counters() {
    let folder = folder();
    let shown = fine(folder.path(), &["compare", "a.json", "b.json", "--export-markdown", "c.md"]);
    assert!(shown.contains("Against a.json") && shown.contains("mrv"), "{shown}");
    assert!(!shown.contains("nodes"), "the same searches: {shown}");
    assert!(
        std::fs::read_to_string(folder.path().join("c.md"))
            .unwrap()
            .contains("| mrv | sample.csv | b.json |")
    );
}

#[test]
fn pairs_that_are_not_compared_are_named_and_can_fail() {
    let folder = folder();
    let write = |name: &str, change: &dyn Fn(&mut serde_json::Value)| {
        let text = std::fs::read_to_string(folder.path().join("a.json")).unwrap();
        let mut record = serde_json::from_str(&text).unwrap();
        change(&mut record);
        std::fs::write(folder.path().join(name), record.to_string()).unwrap();
    };
    write("one.json", &|record| record["pairs"].as_array_mut().unwrap().truncate(1));
    write("none.json", &|record| record["pairs"].as_array_mut().unwrap().clear());
    write("elsewhere.json", &|record| record["machine"]["cores"] = 999.into());
    let cores = "elsewhere.json was made on another machine or with another build profile than a.json";
    for (words, code, shown) in [
        ("a.json one.json", 0, "dlx on sample.csv: only in the first record"),
        ("a.json one.json --fail-on missing", 4, "--fail-on missing: 1 pair"),
        ("one.json a.json --fail-on missing", 0, "not in the first record"),
        ("a.json a.json --fail-on missing,worse", 5, "2 pairs without a verdict: make each record with"),
        ("one.json a.json --fail-on worse,not-compared", 4, "--fail-on not-compared: 1 pair"),
        (
            "none.json none.json",
            1,
            "the records have no pair of solver and dataset: there is nothing to compare",
        ),
        ("a.json elsewhere.json", 0, "mrv on sample.csv: another machine"),
        ("a.json elsewhere.json", 0, cores),
        ("a.json elsewhere.json --fail-on missing,worse", 4, "--fail-on: no pair was compared"),
        ("a.json elsewhere.json --across-machines", 0, " other machine "),
        ("a.json elsewhere.json --across-machines --export-markdown -", 0, cores),
    ] {
        let output = run(folder.path(), &[&["compare"], &words.split(' ').collect::<Vec<_>>()[..]].concat());
        let all = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(
            output.status.code() == Some(code) && all.contains(shown),
            "{words}: {:?} {all}",
            output.status
        );
    }
    let page = fine(folder.path(), &["report", "a.json", "one.json", "--export-html", "-"]);
    assert!(page.contains("1 only in the first record"), "{page}");
}

#[test]
fn invalid_records_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("old.json"), r#"{"schema_version":99,"kind":"bench"}"#).unwrap();
    std::fs::write(folder.path().join("run.json"), r#"{"schema_version":1,"kind":"solve"}"#).unwrap();
    std::fs::write(folder.path().join("torn.json"), r#"{"schema_version":1,"#).unwrap();
    for (name, words) in [
        ("old.json", "schema_version 99"),
        ("run.json", "a record of `solve`; use a record of `sudobench bench`"),
        ("torn.json", "is not a record of `sudobench bench`"),
        ("missing.json", "cannot read the record missing.json"),
    ] {
        let output = run(folder.path(), &["report", name]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(words) && stderr.contains(name), "{stderr}");
    }
}

#[test]
fn the_machine_and_the_command_line_are_described() {
    let folder = tempfile::tempdir().unwrap();
    let text = fine(folder.path(), &["doctor"]);
    assert!(text.contains("timer resolution") && text.contains("processor counters: "), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&fine(folder.path(), &["doctor", "--export-json", "-"])).unwrap();
    assert!(json["machine"]["cores"].as_u64().unwrap() > 0 && json["noise"].is_array());
    assert_eq!(json["counters"]["name"], "processor counters");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(fine(folder.path(), &["completions", shell]).contains("sudobench"), "{shell}");
    }
}

#[test]
fn every_command_has_a_man_page() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(fine(folder.path(), &["man", "--out-dir", "man"]), "");
    let page = |name: &str| std::fs::read_to_string(folder.path().join("man").join(name)).unwrap();
    let main = page("sudobench.1");
    for words in [".TH sudobench 1", "sudobench\\-solve(1)", "Exit codes"] {
        assert!(main.contains(words), "{words}: {main}");
    }
    assert!(page("sudobench-bench.1").contains("max\\-time\\-per\\-puzzle"));
    assert!(page("sudobench-report.1").contains("export\\-html"));
    assert!(!folder.path().join("man/sudobench-serve.1").exists(), "hidden");
    assert_eq!(fine(folder.path(), &["man"]), main);
    assert_eq!(fine(folder.path(), &["man", "gate"]), page("sudobench-gate.1"));
    let unknown = run(folder.path(), &["man", "solved"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8(unknown.stderr).unwrap().contains("choose from solve, "));
}

#[test]
fn records_and_reports_can_go_through_pipes() {
    let folder = folder();
    let piped = |arguments: &[&str]| {
        let record = std::fs::File::open(folder.path().join("a.json")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudobench"));
        command.args(arguments).current_dir(folder.path()).stdin(record).output().unwrap()
    };
    let shown = |arguments: &[&str]| {
        let output = piped(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(shown(&["report", "-"]), fine(folder.path(), &["report", "a.json"]));
    let csv = shown(&["report", "-", "--export-csv", "-", "--export-html", "r.html"]);
    assert!(csv.starts_with("solver,dataset,") && csv.lines().count() == 3, "{csv}");
    let compared = shown(&["compare", "b.json", "-", "--export-markdown", "-"]);
    assert!(compared.starts_with("## sudobench compare") && compared.contains("| standard input |"));
    for twice in [&["report", "-", "-"][..], &["report", "-", "--export-csv", "-", "--export-html", "-"]] {
        assert_eq!(piped(twice).status.code(), Some(2), "{twice:?}");
    }
}

#[test]
fn an_export_to_standard_output_is_its_only_content() {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/sample.csv");
    let bench = |exports: &[&str]| {
        let how = ["--solvers", "mrv", "--rounds", "1", "--min-time", "0s", "--sample", "5", "--quiet"];
        run(folder.path(), &[&["bench", sample.to_str().unwrap()], &how[..], exports].concat())
    };
    for (export, start) in
        [("csv", "solver,"), ("html", "<!DOCTYPE html>"), ("junit", "<?xml"), ("json", "{\n")]
    {
        let output = bench(&[&format!("--export-{export}"), "-"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(start) && !text.contains("geometric"), "{text}");
    }
    assert_eq!(bench(&["--export-junit", "-", "--export-json", "-"]).status.code(), Some(2));
    let solved = run(folder.path(), &["solve", sample.to_str().unwrap(), "--export-json", "-"]);
    assert_eq!((solved.status.code(), solved.stdout.len()), (Some(2), 0));
}

/// The engine answers the puzzles in its warm-up and in three rounds. After that it hangs, until the run is interrupted.
#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_many_rounds_were_done() {
    use super::bench::{SOLUTION, folder};
    use super::engines::{BOUND, runs, unique_sleep};
    let (folder, sleep) = (folder(), unique_sleep());
    let script = format!(
        "while read line; do echo {SOLUTION}; done >answers\n\
         [ $(wc -l <answers) != 4 ] || echo >>passes\n\
         [ ! -s passes ] || [ $(wc -l <passes) -le 4 ] || exec sleep {sleep}\n\
         cat answers\n"
    );
    std::fs::write(folder.path().join("engine"), script).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["bench", "puzzles.txt", "--engine", "e=sh engine", "--solvers", "null", "--min-time", "0s"])
        .arg("--same-puzzles")
        .args(["--rounds", "10", "--max-time-per-pair", "1h", "-q", "--export-json", "record.json"])
        .current_dir(folder.path())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let start = std::time::Instant::now();
    while !runs(&sleep) {
        assert!(start.elapsed() < BOUND, "the engine does not come to its fourth round");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let shown = String::from_utf8(ended.stdout).unwrap();
    let record: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("record.json")).unwrap()).unwrap();
    let pairs = record["pairs"].as_array().unwrap();
    let engine = pairs.iter().find(|pair| pair["solver"] == "e").unwrap();
    assert_eq!(engine["rounds"].as_array().unwrap().len(), 3, "{engine}");
    assert!(shown.contains("e: 3 of 10 rounds, because the run was interrupted"), "{shown}");
    assert_eq!(record["interrupted"], true);
    let words = "the run was interrupted: ";
    let compared = fine(folder.path(), &["compare", "record.json", "record.json"]);
    for (shown, lead) in [(&shown, words.to_owned()), (&compared, format!("record.json: {words}"))] {
        let lead = shown.find(&lead).unwrap_or_else(|| panic!("{shown}"));
        assert!(
            lead < shown.find("  solver ").unwrap()
                && shown.contains("e on puzzles.txt after 3 of 10 rounds"),
            "{shown}"
        );
    }
    let gated = run(folder.path(), &["gate", "--record", "record.json", "--limits", "max=1h"]);
    assert_eq!(gated.status.code(), Some(4), "{}", String::from_utf8_lossy(&gated.stdout));
    for export in ["html", "markdown", "junit"] {
        let report = fine(folder.path(), &["report", "record.json", &format!("--export-{export}"), "-"]);
        assert!(report.contains("3 of 10 rounds"), "{report}");
    }
    let csv = fine(folder.path(), &["report", "record.json", "--export-csv", "-"]);
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let rows = rows.deserialize::<std::collections::HashMap<String, String>>();
    let rounds: Vec<String> = rows
        .map(|row| row.unwrap())
        .filter(|row| row["solver"] == "e")
        .map(|row| row["rounds"].clone())
        .collect();
    assert_eq!(rounds, ["3"]);
}

#[test]
fn one_round_has_no_interval() {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/sample.csv");
    let bench = |rounds: &str| {
        let how = ["--solvers", "mrv", "--min-time", "0s", "--sample", "5", "-q", "--rounds", rounds];
        let export = ["--export-json", &format!("{rounds}.json")];
        fine(folder.path(), &[&["bench", sample.to_str().unwrap()], &how[..], &export].concat())
    };
    let row = |shown: &str| {
        let row = shown.lines().find(|line| line.trim_start().starts_with("mrv ")).unwrap();
        row.split_whitespace().map(str::to_owned).collect::<Vec<String>>()
    };
    let one = bench("1");
    assert_eq!(row(&one)[3], "-", "{one}");
    assert!(!one.contains("too narrow") && !one.contains("of 1 round"), "{one}");
    let few = bench("3");
    assert_eq!((row(&few)[4].as_str(), row(&few)[6].as_str()), ("-", "*"), "{few}");
    assert!(few.contains("* an interval of fewer than 6 rounds is too narrow"), "{few}");
    let enough = bench("6");
    assert!(!enough.contains('*'), "{enough}");
    let csv = fine(folder.path(), &["report", "1.json", "--export-csv", "-"]);
    let figures: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert!(!figures[8].is_empty() && figures[9..11] == ["", ""], "{csv}");
    let compared = fine(folder.path(), &["compare", "1.json", "6.json"]);
    assert!(compared.contains("`sudobench bench --runs 3` (or more)"), "{compared}");
    assert_eq!(row(&compared)[6..], ["-", "-", "-", "-"], "without --runs, there is no verdict: {compared}");
}

#[test]
fn two_records_are_shown_side_by_side() {
    let folder = folder();
    let page = fine(folder.path(), &["report", "a.json", "b.json", "--export-html", "-"]);
    let section = page.find("<section id=\"side-by-side\">").unwrap();
    assert!(section < page.find("<section id=\"record-0\">").unwrap());
    for words in [
        "<dt>B</dt><dd>b.json</dd>",
        "B against A: 2 without a verdict",
        "<caption>sample.csv: figures side by side</caption>",
        "sample.csv: latency by percentile, A and B</h3>",
        "<title>mrv B</title>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let one = fine(folder.path(), &["report", "a.json", "--export-html", "-"]);
    assert!(!one.contains("side-by-side") && !one.contains("Side by side"));
}

/// No cell may start with a character that makes it a formula in a spreadsheet.
#[cfg(unix)]
#[test]
fn no_export_has_a_formula() {
    use super::bench::{SOLUTION, folder};
    let folder = folder();
    let name = "=cmd|x.csv";
    let puzzles = std::fs::read_to_string(folder.path().join("puzzles.txt")).unwrap();
    std::fs::write(folder.path().join(name), &puzzles).unwrap();
    let (engine, judged) = (format!("@sum(1)=sed s/.*/=1{}/", &SOLUTION[2..]), "--program=-1+2=false");
    let bench =
        ["bench", name, "--solvers", "mrv", "--engine", &engine, "--rounds", "1", "--min-time", "0s", "-q"];
    let of_bench =
        ["--export-csv", "bench.csv", "--export-wrong", "wrong.csv", "--export-puzzles", "figures.csv"];
    let json = ["--export-json", "bench.json"];
    let judge = ["judge", judged, "--problem", "boj2580", name, "--export-csv", "judge.csv"];
    let lines: [(&[&str], i32); 4] = [
        (&[&bench[..], &of_bench, &json].concat(), 4),
        (&["report", "bench.json", "--export-csv", "report.csv"], 0),
        (&[&judge[..], &["--export-runs", "runs.csv"]].concat(), 4),
        (&["dedupe", name, "--report-duplicates", "duplicates.csv", "-o", "distinct.txt"], 0),
    ];
    for (words, code) in lines {
        let output = Command::new(env!("CARGO_BIN_EXE_sudobench"))
            .args(words)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    }
    for file in
        ["bench.csv", "wrong.csv", "figures.csv", "report.csv", "judge.csv", "runs.csv", "duplicates.csv"]
    {
        let mut csv = csv::Reader::from_path(folder.path().join(file)).unwrap();
        let rows: Vec<csv::StringRecord> = csv.records().map(|row| row.unwrap()).collect();
        let cells = || rows.iter().flat_map(|row| row.iter());
        assert!(cells().any(|cell| cell == "'=cmd|x.csv"), "{file}: {rows:?}");
        assert!(!cells().any(|cell| cell.starts_with(['=', '+', '-', '@'])), "{file}: {rows:?}");
    }
}
