//! Selecting rows and columns of the output.
#![cfg(unix)]

use std::fs;

use super::interrupts::{QUICK, stopped};
use super::{Ran, command, dataset, sample, solve, solve_input};

#[test]
fn rows_are_filtered_by_status_and_all_are_counted() {
    let input = dataset("statuses.csv");
    let all = solve(&[&input, "--columns", "status"]).expect(4);
    for only in ["multiple", "unsolvable,malformed", "unique"] {
        let kept = solve(&[&input, "--columns", "status", "--only", only]).expect(4);
        let wanted: Vec<String> = all
            .column("status")
            .into_iter()
            .filter(|status| only.split(',').any(|it| it == status))
            .collect();
        assert_eq!(kept.column("status"), wanted, "{only}");
        let left_out = all.column("status").len() - wanted.len();
        let line = kept.stderr.lines().find(|line| line.contains("left out")).unwrap().to_owned();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[2], left_out.to_string(), "{line}");
    }
    let wrong = solve(&[&input, "--only", "uniq"]).expect(2);
    assert!(wrong.stderr.contains("is not a status; write one of"), "{}", wrong.stderr);
}

#[test]
fn the_column_match_compares_with_the_expected_solution() {
    let [first, second] = [0, 1].map(|row| sample().swap_remove(row));
    let (puzzle, solution) = &first;
    // Row 2 has the second puzzle, but the solution of the first puzzle.
    let input = format!(
        "puzzle,solution\n{puzzle},{solution}\n{},{solution}\nnone,{solution}\n{puzzle},\n",
        second.0
    );
    let ran = solve_input(input.as_bytes(), &["--columns", "match,status"]).expect(4);
    assert_eq!(ran.column("match"), ["yes", "no", "", ""]);
    let kept = solve_input(input.as_bytes(), &["--columns", "match", "--only", "mismatch"]).expect(4);
    assert_eq!(kept.column("match"), ["no"]);
}

/// If rows are left out, the number of rows in the output is not the number of input rows that are done. Resuming must work nevertheless.
#[test]
fn a_run_that_filters_rows_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (folder.path().join("in.txt"), folder.path().join("out.csv"));
    let (sample, mut text) = (sample(), String::new());
    for number in 0..700 {
        let word = if number % 3 == 0 { "bad" } else { &sample[number % 60].0 };
        text.push_str(&format!("{word} {number}\n"));
    }
    fs::write(&input, text).unwrap();
    let (input, out) = (input.to_str().unwrap(), out.to_str().unwrap());
    let arguments =
        [&[input, "-o", out, "--only", "malformed", "--input-format", "lines"], &QUICK[..]].concat();
    stopped(&arguments);
    let resumed = solve(&[&arguments[..], &["--resume"]].concat()).expect(4);
    let whole = fs::read_to_string(out).unwrap();
    assert_eq!(whole.lines().count(), 1 + 234, "{}", resumed.stderr);
    assert!(whole.lines().skip(1).all(|line| line.ends_with(",malformed")), "{whole}");
    let other = solve(&[&arguments[..], &["--force"]].concat()).expect(4);
    assert!(fs::read_to_string(out).unwrap() == whole, "{}", other.stderr);
}

fn run(arguments: &[&str]) -> Ran {
    Ran::of(command().args(arguments).output().unwrap())
}

/// The expected rows are selected from the output of the same command without the condition.
#[test]
fn conditions_on_columns_keep_the_rows_that_meet_them() {
    let (sample, statuses) = (dataset("sample.csv"), dataset("statuses.csv"));
    let number = |text: &str| text.parse::<f64>().ok();
    let within =
        |text: &str, low: f64, high: f64| number(text).is_some_and(|number| (low..=high).contains(&number));
    type Keeps<'k> = &'k dyn Fn(&str) -> bool;
    let cases: &[(&[&str], &str, &str, Keeps)] = &[
        (&["check", &statuses], "minimal=no", "minimal", &|value| value == "no"),
        (&["check", &statuses], "minimal!=no", "minimal", &|value| value != "no"),
        (&["check", &statuses], "minimal=", "minimal", &str::is_empty),
        (&["check", &sample], "redundant_count=1..3,5", "redundant_count", &|value| {
            within(value, 1.0, 3.0) || value == "5"
        }),
        (&["check", &statuses], "status=multiple,malformed", "status", &|value| {
            ["multiple", "malformed"].contains(&value)
        }),
        (&["rate", &sample], "difficulty=depth1,depth2", "difficulty", &|value| value.starts_with("depth")),
        (&["rate", &sample], "guesses=0.1..2.5", "guesses", &|value| within(value, 0.1, 2.5)),
        (&["canonical", &statuses], "automorphisms=2..", "automorphisms", &|value| within(value, 2.0, 1e9)),
        (&["solve", &sample], "nodes=..0", "nodes", &|value| value == "0"),
        (&["solve", &statuses], "note!=", "note", &|value| !value.is_empty()),
        (&["solve", &sample], "input.level=gentle", "level", &|value| value == "gentle"),
        (&["solve", &sample], "input.id=7..9,60", "id", &|value| within(value, 7.0, 9.0) || value == "60"),
        (&["minimals", &sample, "--random", "3", "--limit", "5"], "number=2..", "number", &|value| {
            within(value, 2.0, 9.0)
        }),
        (&["minimals", &statuses], "status=unique", "status", &|value| value == "unique"),
        (&["dedupe", &sample, &sample, "--limit", "70"], "count=2..", "count", &|value| value == "2"),
    ];
    for &(arguments, condition, column, keeps) in cases {
        // For `solve`, the column of times is left out, because times differ from run to run.
        let columns = if arguments[0] == "solve" { "status,clues,nodes,guesses,match,note" } else { "all" };
        let all: &[&str] = &["-q", "--columns", columns];
        let every = run(&[arguments, all].concat());
        let kept = run(&[arguments, all, &["--only", condition]].concat());
        let wanted: Vec<_> = every.records()[1..]
            .iter()
            .zip(every.column(column))
            .filter(|(_, value)| keeps(value))
            .map(|(record, _)| record.clone())
            .collect();
        assert!(kept.records()[1..] == wanted, "{arguments:?} {condition}: {}", kept.stdout);
        let some = (1..every.records().len() - 1).contains(&wanted.len());
        assert!(some, "{condition} keeps {} rows of {}", wanted.len(), every.records().len() - 1);
    }
}

#[test]
fn all_conditions_must_hold_and_wrong_ones_are_refused() {
    let sample = dataset("sample.csv");
    let kept = run(&[
        "check",
        &sample,
        "--columns",
        "minimal",
        "--only",
        "minimal=no",
        "--only",
        "input.id=..9",
        "-q",
    ]);
    let ids = kept.column("id");
    let each =
        |condition| run(&["check", &sample, "--columns", "minimal", "--only", condition, "-q"]).column("id");
    let (redundant, first) = (each("minimal=no"), each("input.id=..9"));
    assert_eq!(ids, first.into_iter().filter(|id| redundant.contains(id)).collect::<Vec<_>>());
    assert!(!ids.is_empty());
    for (condition, code, words) in [
        (
            "minimal=perhaps",
            2,
            "--only: the column `minimal` never has the value `perhaps`: its values are yes, no",
        ),
        ("clues=9..3", 2, "--only: the column `clues` never has the value `9..3`: its values are numbers"),
        ("nothing=1", 2, "--only: there is no column `nothing`; choose from status, unique, minimal"),
        ("input.nothing=1", 1, "the input has no column `nothing`; its columns are id, puzzle"),
    ] {
        let refused = run(&["check", &sample, "--only", condition]).expect(code);
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
}

#[test]
fn conditions_that_no_row_can_meet_are_refused() {
    let puzzles = dataset("formats/lines.txt");
    let generate = ["generate", "--count", "3"];
    let score = ["score", &dataset("sample.csv"), "--prediction-column", "solution", "-o", "-"];
    for (command, condition, code, words) in [
        (
            &generate[..],
            "match=yes",
            1,
            "there are no expected solutions; choose a condition on another column: solution, clues, status,",
        ),
        (&generate, "weight=1..", 1, "only --method controlled-bias gives puzzles a weight"),
        (&generate, "malformed", 2, "--only: `generate` never has the status malformed"),
        (&generate, "unique,multiple", 2, "--only: `generate` never has the status multiple"),
        (&["solve", &puzzles], "mismatch", 1, "no row can meet `mismatch`, because there are no expected"),
        (&["rate", &puzzles], "match!=", 1, "no row can meet `match!=`, because there are no expected"),
        (&score, "found=lines", 1, "no row can meet `found=lines`, because the option --extract is missing"),
    ] {
        let refused = run(&[command, &["-q", "--only", condition]].concat()).expect(code);
        assert!(
            refused.stderr.contains(words) && refused.stdout.is_empty(),
            "{condition}: {}",
            refused.stderr
        );
    }
    // These conditions are accepted. The last run reads empty standard input, so nothing shows that expected solutions are missing.
    for (command, condition) in [
        (&[&generate[..], &["--solutions", "2..9"]].concat()[..], "multiple"),
        (&[&generate[..], &["--hardest", "mrv", "--steps", "1", "--max-solutions", "1"]].concat(), "solved"),
        (&generate, "match!=yes"),
        (&["solve", &puzzles], "match="),
        (&["solve", &puzzles], "unique,mismatch"),
        (&["solve", "-"], "mismatch"),
    ] {
        let ran = run(&[command, &["-q", "--columns", "none", "--only", condition]].concat());
        assert_eq!(ran.stdout.lines().count() > 1, command[1] != "-", "{condition}: {}", ran.stderr);
    }
}

/// Conditions can name the columns of a Parquet file, although its rows are not text. If an input row becomes several output rows, the
/// output rows that are left out have their own count.
#[test]
fn conditions_on_tables_and_on_expanded_rows() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    run(&["solve", &dataset("sample.csv"), "-q", "--columns", "status", "-o", &at("in.parquet")]).expect(0);
    run(&[
        "solve",
        &at("in.parquet"),
        "-q",
        "--columns",
        "clues",
        "--only",
        "input.id=5..6",
        "-o",
        &at("out.parquet"),
    ])
    .expect(0);
    assert_eq!(solve(&[&at("out.parquet"), "-q", "--columns", "none"]).expect(0).column("id"), ["5", "6"]);
    let arguments =
        ["minimals", &dataset("sample.csv"), "--limit", "3", "--random", "4", "--only", "number=2"];
    let ran = run(&arguments).expect(0);
    assert_eq!(ran.column("id"), ["1", "2", "3"]);
    let line = ran.stderr.lines().find(|line| line.contains("left out")).unwrap();
    assert!(line.contains(" 9  of the resulting rows, by --only"), "{line}");
}
