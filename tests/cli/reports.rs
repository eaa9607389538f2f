//! The reports of a run: the files, and the summary on standard error.

use std::fs;

use super::{Ran, command, dataset, solve};

#[test]
fn a_record_describes_the_run_and_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    let input = dataset("formats/kaggle1m.csv.gz");
    solve(&[&input, "--export-json", path.to_str().unwrap(), "--hash", "--threads", "2", "-q"]).expect(0);
    let record: sudobench_harness::record::RunRecord =
        serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let level = sudobench_sudoku::simd::Level::from_environment().unwrap();
    assert_eq!(record.simd_level.as_deref(), Some(level.name()), "the environment is the same");
    assert_eq!(record.schema_version, sudobench_harness::record::SCHEMA_VERSION);
    assert_eq!((record.rows, record.compared, record.mismatches, record.threads), (4, 4, 0, 2));
    assert_eq!(record.inputs[0].bytes, fs::metadata(&input).unwrap().len());
    let expected = sha256(&input);
    assert_eq!(record.inputs[0].sha256, Some(expected));
    // On a slow machine, even an easy puzzle may take longer than the shorter budgets.
    let within: Vec<_> = record.budgets.iter().map(|budget| budget.within).collect();
    assert!(within.len() == 3 && within.is_sorted() && within[2] == 4, "{within:?}");
    assert_eq!(record.latency_ns.puzzles, 4);
    assert!(record.build.rustc.starts_with("rustc ") && record.machine.cores > 0);
    assert_eq!(record.arguments[0], "solve");
}

/// Returns the SHA-256 of a file in hexadecimal, as `sha256sum` prints it.
fn sha256(path: &str) -> String {
    use sha2::Digest as _;
    let digest = sha2::Sha256::digest(fs::read(path).unwrap());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn histograms_are_written_for_other_tools() {
    let folder = tempfile::tempdir().unwrap();
    let (hgrm, log) = (folder.path().join("run.hgrm"), folder.path().join("run.hlog"));
    let input = dataset("sample.csv");
    let files = ["--export-hgrm", hgrm.to_str().unwrap(), "--export-histogram-log", log.to_str().unwrap()];
    solve(&[&[input.as_str(), "-q"], &files[..]].concat()).expect(0);
    let percentiles = fs::read_to_string(&hgrm).unwrap();
    assert!(percentiles.trim_start().starts_with("Value"), "{percentiles}");
    assert!(percentiles.contains("Total count    =           60"), "{percentiles}");
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.contains("#[StartTime:") && log.contains("HISTFAAA"), "{log}");
}

#[test]
fn the_summary_is_shown_unless_quiet() {
    let input = dataset("sample.csv");
    assert_eq!(solve(&[&input, "--quiet"]).expect(0).stderr, "");
    let summary = solve(&[&input, "--budgets", "boj2580"]).expect(0).stderr;
    for words in ["60 rows in", "solved", "p99.9", "+-- budget 80ms (C++14)", "1172ms (PyPy3)", "60 of 60"] {
        assert!(summary.contains(words), "no {words:?} in {summary}");
    }
    assert!(!summary.contains('\u{1b}'), "no colours where there is no terminal");
}

#[test]
fn every_verb_counts_the_values_of_its_columns_and_has_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| {
        let words = line.split(' ').map(|word| word.replace('@', &dataset("")));
        let ran = command().args(words).current_dir(folder.path()).output().unwrap();
        let record = std::fs::read_to_string(folder.path().join("r.json")).unwrap();
        let record: serde_json::Value = serde_json::from_str(&record).unwrap();
        (Ran::of(ran), record)
    };
    for (line, counts) in [
        ("solve @statuses.csv", ""),
        (
            "check @statuses.csv --columns unique,minimal",
            "unique=yes 12 unique=no 10 minimal=yes 1 minimal=no 11",
        ),
        ("solutions @statuses.csv --limit-per-puzzle 2 --columns complete", "complete=yes 19 complete=no 3"),
        ("minimals @statuses.csv --random 1", ""),
        ("vicinity -0+1 @statuses.csv --limit-per-puzzle 1 --limit 3", ""),
        ("canonical @statuses.csv", ""),
        ("transform @statuses.csv --random 1", ""),
        ("dedupe @statuses.csv", ""),
        (
            "rate @minimal.csv --limit 200 --only difficulty=pairs",
            "difficulty=singles 82 difficulty=locked 29 difficulty=pairs 9 difficulty=depth1 80",
        ),
        ("generate --count 3 --difficulty singles --columns difficulty", "difficulty=singles 3"),
        ("convert @statuses.csv", ""),
        ("overlap @sample.csv --with @statuses.csv", ""),
    ] {
        let verb = line.split(' ').next().unwrap();
        let output = if verb == "overlap" { "" } else { " -o out.csv" };
        let (ran, record) = run(&format!("{line}{output} --force --export-json r.json"));
        assert!([0, 4].contains(&ran.code), "{line}: {}", ran.stderr);
        let is_own = matches!(verb, "solve" | "overlap");
        assert!(
            is_own || (&record["kind"], &record["command"]) == (&"rows".into(), &verb.into()),
            "{record}"
        );
        let lines = ran.stderr.lines().filter(|line| line.contains('='));
        let told = lines.flat_map(|line| line.split_whitespace().take(2)).collect::<Vec<_>>().join(" ");
        assert_eq!(told, counts, "{line}: {}", ran.stderr);
        for count in counts.split_whitespace().collect::<Vec<_>>().chunks(2) {
            let (column, word) = count[0].split_once('=').unwrap();
            let columns = record["words"].as_array().unwrap();
            let found = columns.iter().find(|found| found["column"] == column).unwrap();
            assert_eq!(found["rows"][word].to_string(), count[1], "{line}: {record}");
        }
    }
}
