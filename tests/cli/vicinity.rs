//! `sudobench vicinity`: a row for every neighbour.

#[cfg(unix)]
use std::fs;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::vicinity::Vicinity;

use super::{Ran, command, dataset, sample};

fn vicinity(arguments: &[&str]) -> Ran {
    vicinity_input(b"", arguments)
}

fn vicinity_input(input: &[u8], arguments: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::from_std(command());
    Ran::of(command.arg("vicinity").args(arguments).write_stdin(input).output().unwrap())
}

/// A minimal puzzle with 17 clues.
const FEW_CLUES: &str = "........1.....2.....3....45.....62....5.7.....1.....8.....5....62....8..9..4.....";

fn rows() -> Vec<String> {
    vec![
        FEW_CLUES.to_owned(),
        sample()[0].0.clone(),
        "none".to_owned(),
        format!("{FEW_CLUES} a comment"),
        ".".repeat(81),
    ]
}

#[test]
fn there_is_a_row_for_each_neighbour_and_one_without_any() {
    let text = rows().join("\n");
    for (distance, minimal, limit) in
        [("-1+1", false, 50), ("-1+1", true, 10_000), ("-1+0", false, 10_000), ("-0+1", false, 30)]
    {
        let limit_text = limit.to_string();
        let arguments = [
            distance,
            "--input-format",
            "lines",
            "--limit-per-puzzle",
            &limit_text,
            "--columns",
            "neighbour,clues,number,complete",
        ];
        let more: &[&str] = if minimal { &["--minimal"] } else { &[] };
        let run = |threads: &str| {
            vicinity_input(text.as_bytes(), &[&arguments[..], more, &["--threads", threads]].concat())
                .expect(4)
        };
        let ran = run("2");
        assert_eq!(ran.stdout, run("1").stdout);
        let (mut expected, mut total) = (Vec::new(), 0);
        for row in rows() {
            let puzzle = row.split(' ').next().unwrap().parse::<Puzzle>();
            let found = puzzle.map(|puzzle| {
                Vicinity::default().neighbours(&puzzle, distance.parse().unwrap(), minimal, limit).unwrap()
            });
            let complete = match &found {
                Ok(found) if found.is_complete => "yes",
                Ok(_) => "no",
                Err(_) => "",
            };
            let puzzles = found.unwrap_or_default().puzzles;
            total += puzzles.len();
            for (number, one) in puzzles.iter().enumerate() {
                expected.push([
                    one.to_string(),
                    one.clue_count().to_string(),
                    (number + 1).to_string(),
                    complete.to_owned(),
                ]);
            }
            if puzzles.is_empty() {
                expected.push(["", "", "", complete].map(str::to_owned));
            }
        }
        let records = ran.records();
        let at = records[0].iter().position(|name| name == "neighbour").unwrap();
        let found: Vec<Vec<String>> = records[1..].iter().map(|row| row[at..].to_vec()).collect();
        assert_eq!(found, expected, "{distance}");
        let words: String = total.to_string();
        assert!(ran.stderr.contains(&format!("  neighbours  {words:>13}  ")), "{}", ran.stderr);
    }
}

#[test]
fn a_distance_may_be_before_or_after_options_and_in_braces() {
    let input = dataset("sample.csv");
    let rest = ["--limit", "2", "--limit-per-puzzle", "3", "-q"];
    let expected = vicinity(&[&["-1+1", &input[..]], &rest[..]].concat()).expect(0).stdout;
    for arguments in [
        &[&["{-1+1}", &input[..]], &rest[..]].concat()[..],
        &[&rest[..], &["-1+1", &input]].concat(),
        &["-q", "--limit", "2", "-1+1", "--limit-per-puzzle", "3", &input],
        &["--limit=2", "--limit-per-puzzle=3", "-q", "--", "-1+1", &input],
    ] {
        assert_eq!(vicinity(arguments).expect(0).stdout, expected, "{arguments:?}");
    }
    for (arguments, words) in [
        (
            &["-4+1", &input[..]][..],
            "`-4+1` is not a distance: write the numbers of clues to remove and to add, each from 0 to 3",
        ),
        (&["-0+0", &input], "`-0+0` is not a distance"),
        (&[&input], "is not a distance"),
        (&[], "<DISTANCE>"),
        (&["-1+1", &input, "--limit-per-puzzle", "0"], "write 1 or more"),
        (&["-1+1", &input, "--mininal"], "unexpected argument"),
    ] {
        let ran = vicinity(arguments).expect(2);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn neighbours_have_one_solution_and_are_not_isomorphic() {
    let lines =
        vicinity_input(FEW_CLUES.as_bytes(), &["-1+1", "--output-format", "lines", "-q"]).expect(0).stdout;
    let both = format!("{FEW_CLUES}\n{lines}");
    let mut check = assert_cmd::Command::from_std(command());
    let check = check.args(["check", "-q", "--fail-on", "not-unique"]).write_stdin(lines).output().unwrap();
    Ran::of(check).expect(0);
    let mut dedupe = assert_cmd::Command::from_std(command());
    let dedupe = dedupe.args(["dedupe", "--isomorph", "-q"]).write_stdin(both.clone()).output().unwrap();
    assert_eq!(Ran::of(dedupe).expect(0).column("count").len(), both.lines().count());
}

#[test]
#[cfg(unix)]
fn an_ended_run_is_resumed_without_repeated_rows() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let puzzles: Vec<String> = (0..150).map(|row| sample()[row * 7 % 60].0.clone()).collect();
    fs::write(at("in.txt"), puzzles.join("\n")).unwrap();
    let out = at("out.csv");
    let arguments =
        ["vicinity", "-1+1", &at("in.txt"), "--limit-per-puzzle", "100", "--threads", "1", "-q", "-o", &out];
    let run = |more: &[&str]| {
        let mut command = assert_cmd::Command::from_std(command());
        Ran::of(command.args(arguments).args(more).output().unwrap()).expect(0)
    };
    run(&[]);
    let whole = fs::read(&out).unwrap();
    fs::remove_file(&out).unwrap();
    let path = folder.path().join("out.csv");
    Ran::of(super::interrupts::ended_early(&arguments, &path, "-INT")).expect(130);
    super::interrupts::ended_early(&[&arguments[..], &["--resume"]].concat(), &path, "-KILL");
    run(&["--resume"]);
    assert!(fs::read(&out).unwrap() == whole);
}

/// The results of a row are written together. If a row takes hours, none of its results are written until the row is complete.
#[test]
#[cfg(unix)]
fn an_interrupt_drops_the_current_row() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("in.txt"), format!("{}\n{FEW_CLUES}\n", sample()[0].0)).unwrap();
    let arguments = [
        "vicinity",
        "-3+3",
        &at("in.txt"),
        "--limit-per-puzzle",
        "100",
        "--threads",
        "2",
        "-o",
        &at("out.csv"),
    ];
    let (out, partial) = (folder.path().join("out.csv"), folder.path().join("out.csv.partial"));
    let ran = Ran::of(super::interrupts::ended_early(&arguments, &out, "-INT")).expect(130);
    assert!(ran.stderr.contains("interrupted after 1 row, "), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&partial).unwrap().lines().count(), 101);
}
