//! `sudobench minimals`: a row for every minimal puzzle.

use std::fs;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::minimals::Minimals;

#[cfg(unix)]
use super::interrupts::ended_early;
use super::{Ran, command, dataset, sample};

fn minimals(arguments: &[&str]) -> Ran {
    minimals_input(b"", arguments)
}

fn minimals_input(input: &[u8], arguments: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::from_std(command());
    Ran::of(command.arg("minimals").args(arguments).write_stdin(input).output().unwrap())
}

/// Takes a minimal puzzle, adds this many clues from its solution, and returns the result.
fn thick(more: usize) -> String {
    let minimal = ".5.6..7..........9.3.....54.4.2.1..5....7....7..9..62..8.3.....5...9..1.9.75...8.";
    let solution = "851649732472153869639782154348261975296875341715934628184327596563498217927516483";
    let mut left = more;
    let cell = |(clue, digit): (char, char)| match clue {
        '.' if left > 0 => {
            left -= 1;
            digit
        }
        clue => clue,
    };
    minimal.chars().zip(solution.chars()).map(cell).collect()
}

/// Returns puzzles that contain few minimal puzzles, many, or none.
fn rows() -> Vec<String> {
    vec![
        thick(0),
        thick(3),
        "none".to_owned(),
        ".".repeat(81),
        sample()[0].0.clone(),
        format!("55{}", ".".repeat(79)),
    ]
}

#[test]
fn there_is_a_row_for_each_minimal_puzzle_and_one_without_any() {
    let text = rows()
        .iter()
        .enumerate()
        .fold("id,puzzle\n".to_owned(), |text, (id, row)| text + &format!("{id},{row}\n"));
    let run = |threads: &str| {
        minimals_input(
            text.as_bytes(),
            &["--limit-per-puzzle", "20", "--columns", "all", "--threads", threads],
        )
        .expect(4)
    };
    let ran = run("2");
    assert_eq!(ran.stdout, run("1").stdout);
    let mut expected = vec![
        ["id", "puzzle", "minimal", "clues", "number", "complete", "status"].map(str::to_owned).to_vec(),
    ];
    let (mut found, mut incomplete) = (0, 0);
    for (id, row) in rows().into_iter().enumerate() {
        let puzzle = row.parse::<Puzzle>();
        let all = puzzle.map(|puzzle| Minimals::default().smallest(&puzzle, 20).unwrap()).unwrap_or_default();
        let complete = if row == "none" {
            ""
        } else if all.is_complete {
            "yes"
        } else {
            "no"
        };
        incomplete += usize::from(complete == "no");
        found += all.puzzles.len();
        for (number, minimal) in all.puzzles.iter().enumerate() {
            let [clues, number] = [minimal.clue_count(), number + 1].map(|number| number.to_string());
            expected.push(vec![
                id.to_string(),
                row.clone(),
                minimal.to_string(),
                clues,
                number,
                complete.to_owned(),
                "unique".to_owned(),
            ]);
        }
        if all.puzzles.is_empty() {
            let status = match id {
                2 => "malformed",
                3 => "multiple",
                _ => "unsolvable",
            };
            let none = ["", "", ""].map(str::to_owned);
            expected.push(
                [&[id.to_string(), row][..], &none, &[complete.to_owned(), status.to_owned()]].concat(),
            );
        }
    }
    let records: Vec<Vec<String>> = ran.records().into_iter().map(|row| row[..7].to_vec()).collect();
    assert_eq!(records, expected);
    assert!(found > 25 && incomplete > 0);
    assert!(ran.stderr.contains(&format!("  minimals    {found:>13}  ")), "{}", ran.stderr);
    let words = format!("{incomplete:>13}  of these rows, with more results than --limit-per-puzzle 20");
    assert!(ran.stderr.contains(&words), "{}", ran.stderr);
}

#[test]
fn every_format_has_the_same_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("in.csv"), format!("puzzle\n{}\n", rows().join("\n"))).unwrap();
    let run = |input: &str, more: &[&str]| {
        minimals(&[&[input, "--limit-per-puzzle", "7", "-q"], more].concat()).expect(4)
    };
    let found = run(&at("in.csv"), &[]).column("minimal");
    run(&at("in.csv"), &["-o", &at("out.txt")]);
    let lines = fs::read_to_string(at("out.txt")).unwrap();
    for (line, found) in lines.lines().zip(&found) {
        if found.is_empty() {
            assert!(
                line.starts_with("# malformed")
                    || line.starts_with("# multiple")
                    || line.starts_with("# unsolvable"),
                "{line}"
            );
        } else {
            assert_eq!(line, found);
        }
    }
    assert_eq!(lines.lines().count(), found.len());
    run(&at("in.csv"), &["-o", &at("out.npy")]);
    assert_eq!(fs::read(at("out.npy")).unwrap().len(), 128 + 81 * found.len());
    let jsonl = run(&at("in.csv"), &["--output-format", "jsonl"]).stdout;
    let of_line = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["minimal"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(jsonl.lines().map(of_line).collect::<Vec<_>>(), found);
    #[cfg(feature = "tables")]
    {
        // Writes a table from a text input, and another table from a table. In both cases, an input row can become several rows.
        run(&at("in.csv"), &["-o", &at("text.parquet")]);
        super::solve(&[&at("in.csv"), "-q", "--columns", "none", "-o", &at("in.parquet")]).expect(4);
        run(&at("in.parquet"), &["-o", &at("table.parquet")]);
        let rows = run(&at("in.csv"), &[]).column("puzzle");
        for name in ["text.parquet", "table.parquet"] {
            let again =
                super::solve(&[&at(name), "-q", "--columns", "none", "--puzzle-column", "puzzle"]).expect(4);
            assert_eq!(
                (again.column("puzzle"), again.column("minimal")),
                (rows.clone(), found.clone()),
                "{name}"
            );
        }
    }
}

#[test]
fn random_results_depend_only_on_seed_and_puzzle() {
    let input = dataset("sample.csv");
    let run = |more: &[&str]| minimals(&[&[&input[..], "-q"], more].concat()).expect(0);
    let three = run(&["--random", "3"]);
    assert_eq!(three.stdout, run(&["--random", "3", "--threads", "1", "--seed", "1"]).stdout);
    let (ids, found) = (three.column("id"), three.column("minimal"));
    let first: Vec<&String> =
        (1..=60).map(|id| &found[ids.iter().position(|of| *of == id.to_string()).unwrap()]).collect();
    assert_eq!(run(&["--random", "1"]).column("minimal").iter().collect::<Vec<_>>(), first);
    assert_ne!(run(&["--random", "1", "--seed", "2"]).column("minimal").iter().collect::<Vec<_>>(), first);
    // All found puzzles are minimal.
    let mut check = assert_cmd::Command::from_std(command());
    let check = check.args(["check", "-q", "--columns", "minimal", "--fail-on", "not-minimal"]);
    Ran::of(check.write_stdin(found.join("\n")).output().unwrap()).expect(0);
    // If several random orders lead to the same puzzle, this puzzle is written once.
    let few = minimals_input(thick(1).as_bytes(), &["--random", "500", "-q"]).expect(0).column("minimal");
    let all = minimals_input(thick(1).as_bytes(), &["-q"]).expect(0).column("minimal");
    let mut sorted = few.clone();
    sorted.sort();
    assert_eq!(sorted, all);
}

#[test]
fn mistyped_options_are_reported() {
    for (arguments, words) in [
        (&["--limit-per-puzzle", "0"][..], "write 1 or more"),
        (&["--random", "2", "--limit-per-puzzle", "3"], "--limit-per-puzzle: --random already sets"),
        (&["--seed", "2"], "--seed: only --random and --sample use this seed: add one of them"),
        (&["--columns", "neighbour"], "choose from minimal, clues, number, complete, status, note"),
    ] {
        let ran = minimals(&[&[&dataset("sample.csv")[..]], arguments].concat()).expect(2);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
#[cfg(unix)]
fn an_ended_run_is_resumed_without_repeated_rows() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let puzzles: Vec<String> = (0..300).map(|row| sample()[row * 7 % 60].0.clone()).collect();
    fs::write(at("in.txt"), puzzles.join("\n")).unwrap();
    for name in ["out.csv", "out.npy"] {
        let (out, path) = (at(name), folder.path().join(name));
        let arguments =
            ["minimals", &at("in.txt"), "--limit-per-puzzle", "40", "--threads", "1", "-q", "-o", &out];
        let run = |more: &[&str]| {
            let mut command = assert_cmd::Command::from_std(command());
            Ran::of(command.args(arguments).args(more).output().unwrap())
        };
        run(&[]).expect(0);
        let whole = fs::read(&out).unwrap();
        fs::remove_file(&out).unwrap();
        Ran::of(ended_early(&arguments, &path, "-INT")).expect(130);
        ended_early(&[&arguments[..], &["--resume"]].concat(), &path, "-KILL");
        let mut other = assert_cmd::Command::from_std(command());
        let other =
            other.args(["minimals", &at("in.txt"), "--limit-per-puzzle", "41", "-o", &out, "--resume"]);
        let other = Ran::of(other.output().unwrap()).expect(1);
        assert!(other.stderr.contains("from a run with different --limit-per-puzzle"), "{}", other.stderr);
        run(&["--resume"]).expect(0);
        assert!(fs::read(&out).unwrap() == whole, "{name}");
    }
}

#[test]
fn dedupe_finds_equal_results() {
    let random =
        [&dataset("sample.csv"), &dataset("sample.csv"), "--random", "2", "-q", "--output-format", "lines"];
    let lines = minimals(&random).expect(0).stdout;
    let mut dedupe = assert_cmd::Command::from_std(command());
    let dedupe = dedupe.args(["dedupe", "--isomorph", "-q"]).write_stdin(lines.clone()).output().unwrap();
    let counts = Ran::of(dedupe).expect(0).column("count");
    assert!(2 * counts.len() <= lines.lines().count() && counts.iter().all(|count| count != "1"));
}
