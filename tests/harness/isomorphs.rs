//! `bench` with equivalent forms of puzzles and with standard input, and the remarks about the puzzles in the reports of `bench`.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use assert_cmd::assert::Assert;

#[cfg(unix)]
use super::bench::SOLUTION;
use super::bench::{PUZZLE, folder};
use super::kept::keep_record;

/// A puzzle for which solvers need guesses.
const GUESSED: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

/// Runs `bench` with these arguments and one round. Returns the result and the record.
fn bench(folder: &Path, arguments: &[&str], input: impl Into<Vec<u8>>) -> (Assert, serde_json::Value) {
    let assert = assert_cmd::Command::cargo_bin("sudobench")
        .unwrap()
        .args(["bench", "--rounds", "1", "--min-time", "0s", "-q", "--export-json", "record.json"])
        .args(arguments)
        .current_dir(folder)
        .write_stdin(input)
        .assert();
    let text = std::fs::read_to_string(folder.join("record.json")).unwrap_or("null".to_owned());
    (assert, serde_json::from_str(&text).unwrap())
}

fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn each_puzzle_is_measured_in_several_forms() {
    let folder = folder();
    let (assert, record) = bench(
        folder.path(),
        &[
            "puzzles.txt",
            "--solvers",
            "mrv,bitslice,bool-table",
            "--sample",
            "2",
            "--isomorphs",
            "3",
            "--keep-puzzles",
        ],
        "",
    );
    let shown = stdout(&assert.success());
    keep_record("record", &record);
    assert_eq!((&record["settings"]["isomorphs"], &record["settings"]["sample"]), (&3.into(), &2.into()));
    assert!(
        shown.contains("puzzles.txt: 2 of 4 puzzles, each in 3 random forms, up to 2 solutions"),
        "{shown}"
    );
    assert!(
        shown.contains("puzzles.txt: forms of a puzzle, the slowest as a multiple of the fastest"),
        "{shown}"
    );
    for (pair, by) in record["pairs"].as_array().unwrap().iter().zip(["time", "nodes", "time"]) {
        assert_eq!((&pair["puzzles"], &pair["statuses"][0]["rows"]), (&6.into(), &6.into()));
        assert_eq!((&pair["spread"]["of"], &pair["spread"]["puzzles"]), (&by.into(), &2.into()));
        let kept = &pair["kept"];
        assert_eq!(kept["form"], serde_json::json!([1, 2, 3, 1, 2, 3]));
        assert_eq!((&kept["number"][0], &kept["number"][3]), (&kept["number"][2], &kept["number"][5]));
        assert_ne!(kept["number"][0], kept["number"][3]);
    }
    // A run without forms reads the same file, so its record describes the dataset in the same way.
    let (_, plain) = bench(folder.path(), &["puzzles.txt", "--solvers", "mrv"], "");
    assert_eq!(plain["datasets"], record["datasets"]);
    assert!(plain["settings"].get("isomorphs").is_none() && plain["pairs"][0].get("spread").is_none());
}

#[test]
fn with_one_form_each_puzzle_is_transformed_and_the_seed_decides_how() {
    let folder = folder();
    let nodes = |words: &[&str]| {
        let asked = ["puzzles.txt", "--solvers", "bitmask", "--keep-puzzles"];
        let (assert, record) = bench(folder.path(), &[&asked[..], words].concat(), "");
        assert.success();
        assert!(record["pairs"][0].get("spread").is_none());
        record["pairs"][0]["kept"]["nodes"].clone()
    };
    let permuted = nodes(&["--isomorphs", "1"]);
    assert_eq!(permuted, nodes(&["--isomorphs", "1"]));
    assert_ne!(permuted, nodes(&["--isomorphs", "1", "--seed", "2"]));
    assert_ne!(permuted, nodes(&[]), "the search goes through other cells");
}

/// A search that takes the cells in order needs a different number of nodes for each form, so the nodes show which form was solved.
#[test]
fn the_forms_are_the_same_as_in_transform() {
    let folder = folder();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/sample.csv");
    let text = std::fs::read_to_string(sample).unwrap();
    // Four different puzzles, then the first of them again.
    let puzzles: Vec<&str> =
        text.lines().skip(1).take(4).flat_map(|row| row.split(',').find(|field| field.len() == 81)).collect();
    let rows = [&puzzles[..], &puzzles[..1]].concat().join("\n");
    std::fs::write(folder.path().join("five.txt"), rows + "\n").unwrap();
    let asked = ["five.txt", "--solvers", "bitmask", "--isomorphs", "3", "--seed", "7", "--keep-puzzles"];
    let (assert, record) = bench(folder.path(), &asked, "");
    assert.success();
    let kept = |column: &str| -> Vec<u64> {
        serde_json::from_value(record["pairs"][0]["kept"][column].clone()).unwrap()
    };
    let mut measured: Vec<[u64; 3]> = kept("number")
        .into_iter()
        .zip(kept("form"))
        .zip(kept("nodes"))
        .map(|((number, form), nodes)| [number, form, nodes])
        .collect();
    measured.sort_unstable();

    let run = |words: &[&str]| {
        let command =
            Command::new(env!("CARGO_BIN_EXE_sudobench")).args(words).current_dir(folder.path()).output();
        assert!(command.as_ref().unwrap().status.success());
        String::from_utf8(command.unwrap().stdout).unwrap()
    };
    run(&["transform", "five.txt", "--random", "3", "--seed", "7", "-q", "-o", "forms.txt"]);
    let solved = run(&["solve", "forms.txt", "--solver", "bitmask", "--columns", "nodes", "-q"]);
    let nodes = solved.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().parse().unwrap());
    let written: Vec<[u64; 3]> = nodes.zip(0..).map(|(nodes, at)| [at / 3 + 1, at % 3 + 1, nodes]).collect();
    assert_eq!(measured, written);
    let differ = written.iter().map(|row| row[2]).collect::<std::collections::BTreeSet<_>>().len();
    assert_eq!(
        differ, 12,
        "the first and the last puzzle are equal and have equal forms; all other forms differ"
    );
}

#[test]
fn records_of_other_forms_are_not_compared() {
    let folder = folder();
    for (name, words) in [("plain.json", [].as_slice()), ("forms.json", &["--isomorphs", "2"])] {
        bench(folder.path(), &[&["puzzles.txt", "--solvers", "mrv"], words].concat(), "").0.success();
        std::fs::rename(folder.path().join("record.json"), folder.path().join(name)).unwrap();
    }
    let compared = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["compare", "plain.json", "forms.json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let shown = String::from_utf8(compared.stdout).unwrap();
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("the form in the file before, 2 random forms of each now"), "{shown}");
}

/// The engine always prints the solution of the original puzzle. This solution is wrong for the puzzle's other forms.
#[cfg(unix)]
#[test]
fn an_engine_that_fails_on_a_form_is_named_with_the_form() {
    let engine = format!("known=sed s/.*/{SOLUTION}/");
    let asked =
        ["puzzles.txt", "--solvers", "null", "--exclude", ".", "--engine", &engine, "--isomorphs", "2"];
    let (assert, record) = bench(folder().path(), &asked, "");
    let shown = stdout(&assert.code(4));
    assert!(shown.contains("form 1 its answer is wrong: r1c"), "{shown}");
    assert!(record["pairs"][0]["error"].as_str().unwrap().starts_with("wrong answer: on puzzle "));
}

#[test]
fn too_many_forms_are_refused() {
    for (isomorphs, code, words) in [
        ("0", 2, "write 1 or more"),
        ("99999999999", 1, "are more than 10000000 forms: use fewer puzzles with --sample"),
    ] {
        let (assert, _) = bench(folder().path(), &["puzzles.txt", "--isomorphs", isomorphs], "");
        let error = String::from_utf8(assert.code(code).get_output().stderr.clone()).unwrap();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn the_whole_file_is_described_even_if_a_sample_is_measured() {
    let folder = folder();
    let rows = format!("{PUZZLE}\n{GUESSED}\n{}\n{PUZZLE}\n", ".".repeat(81));
    std::fs::write(folder.path().join("kinds.txt"), rows).unwrap();
    let expected =
        serde_json::json!({ "clues_min": 0, "clues_max": 30, "solved": 4, "unique": 3, "by_singles": 2 });
    for words in [&[][..], &["--sample", "1"], &["--isomorphs", "2", "--sample", "1", "--seed", "5"]] {
        let (assert, record) =
            bench(folder.path(), &[&["kinds.txt", "--solvers", "mrv"], words].concat(), "");
        let shown = stdout(&assert.success());
        keep_record("record", &record);
        assert_eq!(record["datasets"][0]["fingerprint"], expected);
        let words =
            "its puzzles have 0 to 30 clues; 75.00% have one solution, 50.00% are solved by singles alone";
        assert!(shown.contains(words), "{shown}");
    }
}

#[test]
fn standard_input_can_be_a_dataset() {
    let folder = folder();
    let rows = format!("{PUZZLE}\n{GUESSED}\n").repeat(3);
    std::fs::write(folder.path().join("file.txt"), &rows).unwrap();
    let asked = ["--solvers", "mrv", "--keep-puzzles", "--isomorphs", "2"];
    let (assert, of_file) = bench(folder.path(), &[&["file.txt"], &asked[..]].concat(), "");
    assert.success();
    let (assert, of_stdin) = bench(folder.path(), &[&["-"], &asked[..]].concat(), rows.as_str());
    assert!(stdout(&assert.success()).contains("standard input: 6 puzzles, each in 2 random forms"));
    keep_record("record", &of_stdin);
    for field in ["sha256", "puzzles", "fingerprint"] {
        assert_eq!(of_stdin["datasets"][0][field], of_file["datasets"][0][field], "{field}");
    }
    let dataset = &of_stdin["datasets"][0];
    assert_eq!((&dataset["name"], &dataset["path"]), (&"standard input".into(), &"-".into()));
    for column in ["number", "form", "nodes", "statuses"] {
        let kept = |record: &serde_json::Value| record["pairs"][0]["kept"][column].clone();
        assert_eq!(kept(&of_stdin), kept(&of_file), "{column}");
    }
    // The hash is over the input as it is stored, so a compressed input has another hash.
    let (assert, compressed) = bench(folder.path(), &[&["-"], &asked[..]].concat(), gzip(&rows));
    assert.success();
    assert_eq!(compressed["datasets"][0]["fingerprint"], dataset["fingerprint"]);
    assert_ne!(compressed["datasets"][0]["sha256"], dataset["sha256"]);
}

#[test]
fn standard_input_without_a_puzzle_is_an_error() {
    for (input, words) in [
        ("", "standard input is empty"),
        ("puzzle,solution\n", "standard input has no puzzle"),
        ("no puzzle\n", "standard input does not look like puzzles"),
        ("a,b\n1,2\n", "standard input"),
    ] {
        let (assert, record) = bench(folder().path(), &["-"], input);
        let error = String::from_utf8(assert.code(1).get_output().stderr.clone()).unwrap();
        assert!(error.contains(words), "{error}");
        assert!(record.is_null());
    }
}

/// `bench` and `judge` have no options for the layout of files. Their error message names a command that has these options.
#[test]
fn options_of_another_command_are_reported() {
    let folder = folder();
    std::fs::write(folder.path().join("odd.txt"), format!("{PUZZLE}{}\n", "-".repeat(70_000))).unwrap();
    let (assert, _) = bench(folder.path(), &["odd.txt"], "");
    let error = String::from_utf8(assert.code(1).get_output().stderr.clone()).unwrap();
    let words = "--input-format; `sudobench convert` has that option, but this command does not: convert the file first";
    assert!(error.trim_end().ends_with(words), "{error}");
}
