//! `sudobench canonical`: formats, malformed rows, shards, `--resume`, threads.

use std::fs;
use std::path::Path;

use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::{Puzzle, Status, solve};

use super::{Ran, command, dataset, sample};

fn canonical(arguments: &[&str]) -> Ran {
    canonical_input(b"", arguments)
}

fn canonical_input(input: &[u8], arguments: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::from_std(command());
    Ran::of(command.arg("canonical").args(arguments).write_stdin(input).output().unwrap())
}

fn form_of(puzzle: &str) -> String {
    Canonicalizer::default().canonical(&puzzle.parse().unwrap()).form.to_string()
}

/// Writes a file. Every 1,000th row is malformed; each other row has a random equivalent form of a puzzle of the sample. Returns the path.
fn write_rows(folder: &Path, rows: usize) -> String {
    let puzzles: Vec<Puzzle> = sample().iter().map(|(puzzle, _)| puzzle.parse().unwrap()).collect();
    let mut random = Random::new(1);
    let mut text = "id,puzzle\n".to_owned();
    for id in 0..rows {
        let form = Transformation::random(&mut random).apply(&puzzles[id % puzzles.len()]);
        match id % 1000 {
            999 => text += &format!("{id},none\n"),
            _ => text += &format!("{id},{form}\n"),
        }
    }
    let path = folder.join("in.csv");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn equivalent_puzzles_have_one_form_and_others_have_others() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 600);
    let ran = canonical(&[&input]).expect(0);
    assert!(ran.stderr.starts_with("600 rows in "), "{}", ran.stderr);
    assert!(ran.stderr.contains(" puzzles/s (canonical, "), "{}", ran.stderr);
    let forms = ran.column("canonical");
    for (id, form) in forms.iter().enumerate() {
        assert_eq!(*form, form_of(&sample()[id % 60].0));
    }
    let distinct: std::collections::BTreeSet<&String> = forms.iter().collect();
    assert_eq!(distinct.len(), 60);
    assert_eq!(canonical(&[&input, "-q"]).expect(0).stderr, "");
}

#[test]
fn columns_have_the_right_values() {
    let ran = canonical(&[
        &dataset("statuses.csv"),
        "--puzzle-column",
        "puzzle",
        "--solution-column",
        "answer",
        "--columns",
        "all",
    ]);
    let puzzles = ran.column("puzzle");
    let columns =
        ["canonical", "transform", "automorphisms", "canonical_solution"].map(|name| ran.column(name));
    for (at, puzzle) in puzzles.iter().enumerate() {
        let [form, transform, automorphisms, solution] = columns.each_ref().map(|column| column[at].as_str());
        let Ok(puzzle) = puzzle.parse::<Puzzle>() else {
            assert_eq!([form, transform, automorphisms, solution], [""; 4]);
            continue;
        };
        assert_eq!(transform.parse::<Transformation>().unwrap().apply(&puzzle).to_string(), form);
        assert!(automorphisms.parse::<u32>().unwrap() >= 1);
        let outcome = solve(&puzzle);
        let expected = outcome.solution.filter(|_| outcome.status == Status::Unique);
        assert_eq!(solution, expected.map_or(String::new(), |solution| form_of(&solution.to_string())));
    }
}

/// A puzzle without a solution is not a failure: it has a canonical form like any other puzzle.
#[test]
fn only_malformed_rows_fail() {
    let fine = format!("{}\n55{}\n{}\n", ".".repeat(81), ".".repeat(79), sample()[0].1);
    for columns in ["canonical", "canonical,canonical_solution"] {
        let ran = canonical_input(fine.as_bytes(), &["--columns", columns]).expect(0);
        assert!(ran.column("canonical").iter().all(|form| form.len() == 81));
    }
    let with_others = format!("{fine}unheard-of\n{}\n", &fine[..80]);
    let ran = canonical_input(with_others.as_bytes(), &["--columns", "canonical,note"]).expect(4);
    assert_eq!(ran.column("canonical")[3..], ["", ""]);
    assert_eq!(
        ran.column("note")[3..],
        ["10 characters where a puzzle has 81", "80 characters where a puzzle has 81"]
    );
    assert!(ran.stderr.contains("standard input:4: malformed: 10 characters"), "{}", ran.stderr);
    assert!(ran.stderr.contains("  malformed               2"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("latency"), "{}", ran.stderr);
}

#[test]
fn every_input_format_gives_the_same_forms() {
    let expected: Vec<String> = sample().iter().take(4).map(|(puzzle, _)| form_of(puzzle)).collect();
    for entry in fs::read_dir(dataset("formats")).unwrap() {
        let path = entry.unwrap().path();
        if ["kaggle1m.arrow", "kaggle1m.parquet"].iter().any(|name| path.ends_with(name))
            && !cfg!(feature = "tables")
        {
            continue;
        }
        let ran = canonical(&[path.to_str().unwrap(), "--output-format", "lines", "-q"]).expect(0);
        let forms: Vec<&str> = ran.stdout.lines().collect();
        let single = ["puzzle.sdk", "boj2580.txt", "boj2239.txt"].iter().any(|name| path.ends_with(name));
        assert_eq!(forms, expected[..if single { 1 } else { 4 }], "{}", path.display());
    }
}

#[test]
fn every_output_format_has_the_forms() {
    let folder = tempfile::tempdir().unwrap();
    let input = format!("{}\nnone\n{}\n", sample()[0].0, sample()[1].1);
    let forms = [form_of(&sample()[0].0), form_of(&sample()[1].1)];
    let to = |name: &str| {
        let path = folder.path().join(name);
        canonical_input(input.as_bytes(), &["-o", path.to_str().unwrap(), "-q"]).expect(4);
        fs::read(path).unwrap()
    };
    let lines = String::from_utf8(to("out.txt")).unwrap();
    assert_eq!(
        lines,
        format!("{}\n# malformed: 4 characters where a puzzle has 81: none\n{}\n", forms[0], forms[1])
    );
    let array = to("out.npy");
    let cells = forms.each_ref().map(|form| *form.parse::<Puzzle>().unwrap().values());
    assert_eq!(array[128..], [cells[0], [0; 81], cells[1]].concat());
    let objects = String::from_utf8(to("out.jsonl")).unwrap();
    let objects: Vec<serde_json::Value> =
        objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects[0]["canonical"], forms[0]);
    assert_eq!(objects[1]["canonical"], serde_json::Value::Null);
    let compressed = to("out.csv.gz");
    assert_eq!(compressed[..2], [0x1f, 0x8b]);
    #[cfg(feature = "tables")]
    assert!(to("out.parquet").starts_with(b"PAR1"));
}

#[test]
fn nonsensical_options_are_refused_with_a_reason() {
    let input = dataset("sample.csv");
    for (arguments, words) in [
        (
            &["--output-format", "boj2580"][..],
            "boj2580 is for solutions: `solve` can write it, but `canonical` cannot",
        ),
        (&["--output-format", "boj2239"], "boj2239 is for solutions"),
        (&["--only", "solved"], "--only: `canonical` never has the status solved"),
        (&["--only", "unique,aborted"], "--only: `canonical` never has the status aborted"),
        (&["--columns", "solution"], "there is no column `solution`; choose from canonical, transform,"),
        (&["--output-format", "npy"], "npy can be written only to a file"),
        (&["--solver", "mrv"], "unexpected argument '--solver'"),
        (&["--export-json", "-"], "name a file for each export of canonical"),
    ] {
        let refused = canonical(&[&[input.as_str()], arguments].concat()).expect(2);
        assert!(refused.stderr.contains(words), "{arguments:?}: {}", refused.stderr);
        assert_eq!(refused.stdout, "");
    }
}

#[test]
fn rows_are_kept_by_their_status() {
    let input = format!("{}\n{}\nnone\n", sample()[0].0, ".".repeat(81));
    for (only, rows) in [("unique", 1), ("unique,multiple", 2), ("malformed", 1), ("unsolvable", 0)] {
        let ran = canonical_input(input.as_bytes(), &["--only", only]).expect(4);
        assert_eq!(ran.records().len(), 1 + rows, "{only}");
    }
}

#[test]
fn merge_writes_only_exports_that_the_command_has() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 100);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    canonical(&[&input, "-o", &path("out.csv"), "--shard", "1/1", "-q"]).expect(0);
    let (part, merged) = (path("out.shard-1-of-1.csv"), path("merged.csv"));
    for (export, file, only) in [
        ("--export-hgrm", "r.hgrm", "solve"),
        ("--export-histogram-log", "r.hlog", "solve"),
        ("--export-html", "r.html", "score"),
        ("--export-markdown", "r.md", "score"),
    ] {
        let arguments = ["merge", &part, "-o", &merged, export, &path(file)];
        let refused = Ran::of(command().args(arguments).output().unwrap()).expect(2);
        let words = format!(
            "{export} is only for runs of `{only}`, but these are parts of `canonical`: leave it out"
        );
        assert!(refused.stderr.contains(&words), "{}", refused.stderr);
        assert!(!Path::new(&path(file)).exists() && !Path::new(&merged).exists());
    }
    let exported = ["merge", &part, "-o", &merged, "-q", "--export-json", &path("r.json")];
    Ran::of(command().args(exported).output().unwrap()).expect(0);
    let record = fs::read_to_string(path("r.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!((&record["command"], &record["rows"]), (&"canonical".into(), &100.into()));
    assert_eq!(record["shards"][0]["shard"], "1/1");
}

#[test]
fn shards_of_different_commands_are_not_merged() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 100);
    let output = folder.path().join("out.csv");
    let output = output.to_str().unwrap();
    canonical(&[&input, "-o", output, "--shard", "1/2", "-q"]).expect(0);
    super::solve(&[&input, "-o", output, "--shard", "2/2", "-q"]).expect(0);
    let parts = [1, 2].map(|number| folder.path().join(format!("out.shard-{number}-of-2.csv")));
    let refused = Ran::of(command().arg("merge").args(&parts).output().unwrap()).expect(1);
    assert!(refused.stderr.contains("is from another run than"), "{}", refused.stderr);
}

#[cfg(unix)]
mod resuming {
    use std::io::Write as _;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use super::*;

    fn wait_for(path: &Path, bytes: u64) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while fs::metadata(path).map_or(0, |found| found.len()) < bytes {
            assert!(Instant::now() < deadline, "no output within a minute");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_killed_run_is_resumed_to_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let rows = fs::read(write_rows(folder.path(), 6000)).unwrap();
        for end in ["csv", "txt", "npy"] {
            let path = |name: &str| folder.path().join(format!("{name}.{end}")).to_str().unwrap().to_owned();
            let (out, whole) = (path("out"), path("whole"));
            canonical_input(&rows, &["-o", &whole, "-q"]).expect(4);
            // The run waits for more input, so it can't end before it is killed.
            let mut child =
                command().args(["canonical", "-o", &out, "-q"]).stdin(Stdio::piped()).spawn().unwrap();
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(&rows).unwrap();
            wait_for(Path::new(&format!("{out}.partial")), 1000);
            child.kill().unwrap();
            child.wait().unwrap();
            let other = canonical_input(&rows, &["-o", &out, "--resume", "--only", "unique"]).expect(1);
            assert!(other.stderr.contains("from a run with different "), "{}", other.stderr);
            canonical_input(&rows, &["-o", &out, "--resume", "-q"]).expect(4);
            assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap(), "{end}");
        }
    }
}
