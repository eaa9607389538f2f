//! `sudobench check`: values agree with their definitions; `--fail-on`, `--resume`.

use std::collections::BTreeSet;
use std::fs;

use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::solver::{BoolTable, solutions};
use sudobench_sudoku::{Puzzle, Question, Solver, Status, count, solve};

use super::common::MONSTER;
use super::{Ran, command, dataset, sample};

fn check(arguments: &[&str]) -> Ran {
    check_input(b"", arguments)
}

fn check_input(input: &[u8], arguments: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::from_std(command());
    Ran::of(command.arg("check").args(arguments).write_stdin(input).output().unwrap())
}

/// Returns the columns of a puzzle's row, computed directly from their definitions: minimal, redundant, redundant_count, clues, count up to
/// 5, cnt12095, automorphisms.
fn defined(puzzle: &Puzzle) -> [String; 7] {
    let is_unique = |puzzle: &Puzzle| solve(puzzle).status == Status::Unique;
    let without = |cell| puzzle.without(Cells::from_iter([cell]));
    let redundant: Cells = puzzle.clue_cells().iter().filter(|&cell| is_unique(&without(cell))).collect();
    let [minimal, list, number] = match is_unique(puzzle) {
        true => [
            if redundant.is_empty() { "yes" } else { "no" }.to_owned(),
            redundant.to_string(),
            redundant.len().to_string(),
        ],
        false => Default::default(),
    };
    let mut backtracker = BoolTable::default();
    backtracker.solve(puzzle, &Question::first());
    let automorphisms = Canonicalizer::default().canonical(puzzle).automorphisms;
    let [clues, count, calls] = [puzzle.clue_count() as u64, count(puzzle, 5), backtracker.calls()];
    [
        minimal,
        list,
        number,
        clues.to_string(),
        count.to_string(),
        calls.to_string(),
        automorphisms.to_string(),
    ]
}

const NAMES: &str = "minimal,redundant,redundant_count,clues,count,cnt12095,automorphisms";

#[test]
fn every_column_is_as_defined() {
    let minimal = ".5.6..7..........9.3.....54.4.2.1..5....7....7..9..62..8.3.....5...9..1.9.75...8.";
    let contradictory = format!("55{}", ".".repeat(79));
    let unsolvable = format!("{}1", "........1".to_owned() + &".".repeat(71));
    let thin: String =
        sample()[0].0.chars().enumerate().map(|(at, cell)| if at < 30 { '.' } else { cell }).collect();
    let mut puzzles: Vec<String> = sample().into_iter().take(12).map(|(puzzle, _)| puzzle).collect();
    puzzles.extend([
        sample()[0].1.clone(),
        minimal.to_owned(),
        contradictory,
        unsolvable,
        thin,
        ".".repeat(81),
    ]);
    let text = puzzles.iter().fold("puzzle\n".to_owned(), |text, puzzle| text + puzzle + "\n") + "none\n";
    let columns = format!("status,unique,{NAMES},note");
    let ran = check_input(text.as_bytes(), &["--columns", &columns, "--max-solutions", "5", "-q"]).expect(4);
    let records = ran.records();
    assert_eq!(records[0][1..].join(","), columns);
    for (text, record) in puzzles.iter().zip(&records[1..]) {
        let puzzle: Puzzle = text.parse().unwrap();
        let status = solve(&puzzle).status;
        let unique = if status == Status::Unique { "yes" } else { "no" };
        assert_eq!(record[1..3], [status.name(), unique], "{text}");
        assert_eq!(record[3..10], defined(&puzzle), "{text}");
    }
    let malformed = records.last().unwrap();
    assert_eq!(malformed[1], "malformed");
    assert!(malformed[2..10].iter().all(String::is_empty) && malformed[10].starts_with("4 characters"));
    // The values of a column do not depend on which other columns are requested, or on the number of threads.
    for column in columns.split(',') {
        let one = check_input(
            text.as_bytes(),
            &["--columns", column, "--max-solutions", "5", "-q", "--threads", "1"],
        );
        assert_eq!(one.expect(4).column(column), ran.column(column));
    }
}

#[test]
fn candidates_are_the_digits_of_each_cell_separated_by_spaces() {
    let clues = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let several = clues.replace(['9', '6'], ".");
    let input = format!("puzzle\n{clues}\n{several}\n55{}\nnone\n", ".".repeat(79));
    let rows =
        check_input(input.as_bytes(), &["--columns", "candidates,exact_candidates"]).expect(4).records();
    let words = |row: usize, column: usize| rows[row][column].split(' ').collect::<Vec<_>>();
    assert_eq!(rows[0], ["puzzle", "candidates", "exact_candidates"]);
    assert_eq!(words(1, 1)[..6], ["5", "3", "124", "26", "7", "2468"]);
    assert_eq!(words(1, 2).concat(), solve(&clues.parse().unwrap()).solution.unwrap().to_string());
    let solutions: Vec<_> = solutions(&several.parse().unwrap()).collect();
    assert!(solutions.len() > 1);
    for (cell, word) in words(2, 2).into_iter().enumerate() {
        let digits: BTreeSet<u8> = solutions.iter().map(|grid| grid.values()[cell]).collect();
        assert_eq!(word, digits.iter().map(ToString::to_string).collect::<String>(), "{cell}");
    }
    assert_eq!(words(3, 2), ["-"; 81]);
    assert_eq!(rows[4][1..], ["", ""]);
}

#[test]
fn calls_are_counted_up_to_a_bound() {
    let ran = check_input(MONSTER.as_bytes(), &["--columns", "cnt12095", "-q"]).expect(0);
    assert_eq!(ran.column("cnt12095"), ["10000000"]);
}

#[test]
fn the_default_columns_are_the_most_important() {
    let ran = check(&[&dataset("sample.csv")]).expect(0);
    assert!(ran.stdout.starts_with("id,puzzle,solution,clues,level,status,minimal,redundant\n"));
    let minimal = ran.column("minimal").iter().filter(|word| *word == "yes").count();
    assert!(ran.stderr.contains(&format!("  minimal=yes {minimal:>13}  ")), "{}", ran.stderr);
    assert!(ran.stderr.contains(&format!("  minimal=no  {:>13}  ", 60 - minimal)), "{}", ran.stderr);
}

#[test]
fn every_format_has_the_same_answers() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = dataset("statuses.csv");
    let rows = check(&[&input, "--columns", NAMES, "-q"]);
    let rows = if rows.code == 4 { rows } else { rows.expect(0) };
    let code = rows.code;
    check(&[&input, "--columns", NAMES, "-q", "-o", &at("out.jsonl")]).expect(code);
    for (line, redundant) in
        fs::read_to_string(at("out.jsonl")).unwrap().lines().zip(rows.column("redundant"))
    {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["redundant"].as_str().unwrap_or_default(), redundant);
    }
    #[cfg(feature = "tables")]
    {
        check(&[&input, "--columns", NAMES, "-q", "-o", &at("out.parquet")]).expect(code);
        let again = super::solve(&[&at("out.parquet"), "-q", "--columns", "none"]);
        for name in NAMES.split(',') {
            assert_eq!(again.column(name), rows.column(name), "{name}");
        }
    }
    // The format `lines` contains only puzzles, and `--only` selects those with the requested status.
    let lines =
        check(&[&dataset("sample.csv"), "--output-format", "lines", "--only", "unique", "-q"]).expect(0);
    assert_eq!(
        lines.stdout.lines().collect::<Vec<_>>(),
        sample().iter().map(|row| &row.0[..]).collect::<Vec<_>>()
    );
}

#[test]
fn fail_on_fails_exactly_for_its_check() {
    let minimal = ".5.6..7..........9.3.....54.4.2.1..5....7....7..9..62..8.3.....5...9..1.9.75...8.";
    let (not_minimal, multiple) = (sample()[0].0.clone(), ".".repeat(81));
    let gate = |rows: &[&str], more: &[&str]| {
        check_input(rows.join("\n").as_bytes(), &[&["-q", "--input-format", "lines"], more].concat())
    };
    for columns in ["clues", "status,minimal,redundant", "none"] {
        for (rows, unique, is_minimal) in [
            (&[minimal, minimal][..], 0, 0),
            (&[minimal, &not_minimal], 0, 4),
            (&[minimal, &multiple], 4, 4),
            (&[&multiple, &not_minimal], 4, 4),
        ] {
            let of_unique = gate(rows, &["--columns", columns, "--fail-on", "not-unique"]).expect(unique);
            assert_eq!(of_unique.stderr.contains("--fail-on not-unique: 1 puzzle"), unique == 4);
            let of_minimal =
                gate(rows, &["--columns", columns, "--fail-on", "not-minimal"]).expect(is_minimal);
            assert_eq!(of_minimal.stderr.contains("--fail-on not-minimal: "), is_minimal == 4);
            gate(rows, &["--columns", columns]).expect(0);
        }
    }
    let two = gate(&[&multiple, &not_minimal], &["--fail-on", "not-minimal"]);
    assert!(two.stderr.contains("--fail-on not-minimal: 2 puzzles"), "{}", two.stderr);
    // Rows that `--only` leaves out are checked too.
    gate(&[minimal, &multiple], &["--only", "unique", "--fail-on", "not-unique"]).expect(4);
    gate(&[minimal, "none"], &["--fail-on", "not-unique"]).expect(4);
    // Without rows, nothing is checked, so --fail-on must fail.
    check_input(b"puzzle\n", &[]).expect(0);
    let none = check_input(b"puzzle\n", &["--fail-on", "not-unique"]).expect(1);
    assert!(none.stderr.contains("there are no rows"), "{}", none.stderr);
}

#[test]
fn mistyped_options_are_reported() {
    let input = dataset("sample.csv");
    for (arguments, words) in [
        (&["--max-solutions", "0"][..], "write 2 or more"),
        (&["--max-solutions", "1"], "write 2 or more"),
        (&["--max-solutions", "many"], "write a whole number, such as 20000"),
        (&["--fail-on", "minimal"], "possible values: not-unique, not-minimal"),
        (
            &["--columns", "solution"],
            "choose from status, unique, minimal, redundant, redundant_count, clues, clue_pattern,",
        ),
    ] {
        let ran = check(&[&[&input[..]], arguments].concat()).expect(2);
        assert!(ran.stderr.contains(words) && ran.stdout.is_empty(), "{arguments:?}: {}", ran.stderr);
    }
}

/// The interrupt comes within a block of slow rows.
#[test]
#[cfg(unix)]
fn an_interrupt_keeps_checked_rows() {
    const ROWS: usize = 6;
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (folder.path().join("in.txt"), folder.path().join("out.csv"));
    fs::write(&input, format!("{MONSTER}\n").repeat(ROWS)).unwrap();
    let arguments = [
        "check",
        input.to_str().unwrap(),
        "-o",
        out.to_str().unwrap(),
        "--columns",
        "cnt12095",
        "--threads",
        "1",
    ];
    let child = command().args(arguments).stderr(std::process::Stdio::piped()).spawn().unwrap();
    super::interrupts::wait_for(&folder.path().join("out.csv.partial"), 10);
    super::interrupts::interrupt(&child);
    let ran = Ran::of(child.wait_with_output().unwrap()).expect(130);
    assert!(ran.stderr.contains("continue with the same options and --resume"), "{}", ran.stderr);
    let left = fs::read_to_string(folder.path().join("out.csv.partial")).unwrap();
    assert!((1..=ROWS).contains(&left.lines().count()) && left.ends_with('\n'), "{left}");
    let mut resumed = assert_cmd::Command::from_std(command());
    Ran::of(resumed.args(arguments).args(["--resume", "-q"]).output().unwrap()).expect(0);
    let whole = format!("puzzle,cnt12095\n{}", format!("{MONSTER},10000000\n").repeat(ROWS));
    assert!(fs::read_to_string(&out).unwrap() == whole);
}
