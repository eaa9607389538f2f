//! `sudobench rate`: measures and formats, rows that are not rated, threads, shards, `--resume`, and random rows of each difficulty.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::rate::{Difficulty, Rater};
use sudobench_sudoku::{Puzzle, Status, solve};

use super::{Ran, command, dataset, sample};

/// A puzzle of each difficulty. The last two are JPF's Easter Monster and mith's Loki.
const OF_EACH: [(&str, &str); 6] = [
    ("singles", "..12...4.3..1...869..45.3...4....8.........5..379.4...6.........12....7.......9.5"),
    ("locked", "...4.6.59..41.....5..7....2..7.85......6..71..4........2....37.3....1..8...9....."),
    ("pairs", "..81............7....6....41.......3.6.9....2.8.47..6.4...9...6..2.48......7.25.."),
    ("depth1", ".4..2...76........9.2..84..2......7......7..3.69.......136........9..5....78.53.2"),
    ("depth2", "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"),
    ("depth3", "57....9..........8.1.........168..4......28.9..2.9416.....2.....6.9.82.4...41.6.."),
];

fn rate(arguments: &[&str]) -> Ran {
    rate_input(b"", arguments)
}

fn rate_input(input: &[u8], arguments: &[&str]) -> Ran {
    run("rate", input, arguments)
}

fn run(verb: &str, input: &[u8], arguments: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::from_std(command());
    Ran::of(command.arg(verb).args(arguments).write_stdin(input).output().unwrap())
}

/// Returns one puzzle of each difficulty, one per line.
fn of_each() -> String {
    OF_EACH.iter().map(|(_, puzzle)| format!("{puzzle}\n")).collect()
}

/// Writes a file. Each row has a random form of one of the first four puzzles of [`OF_EACH`]. Some rows are malformed, and some puzzles
/// have many solutions.
fn write_rows(folder: &Path, rows: usize) -> String {
    let puzzles: Vec<Puzzle> = OF_EACH[..4].iter().map(|(_, puzzle)| puzzle.parse().unwrap()).collect();
    let mut random = Random::new(1);
    let mut text = "id,puzzle\n".to_owned();
    for id in 0..rows {
        let form = Transformation::random(&mut random).apply(&puzzles[id % 11 % 4]);
        match id % 100 {
            99 => text += &format!("{id},none\n"),
            49 => text += &format!("{id},{}\n", Puzzle::EMPTY),
            _ => text += &format!("{id},{form}\n"),
        }
    }
    let path = folder.join("in.csv");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn difficulty_of(puzzle: &str) -> Option<Difficulty> {
    Rater::default().difficulty(&puzzle.parse().ok()?)
}

/// Columns by which you can order the puzzles that need only naked and hidden singles.
const PATH: [&str; 4] = ["rounds", "naked_singles", "hidden_singles", "fewest_choices"];

#[test]
fn easy_puzzles_are_distinguished() {
    let columns = format!("singles,{}", PATH.join(","));
    let line = ["--limit", "300", "-q", "--columns", &columns, "--order-by", "-rounds,fewest_choices"];
    let ran = rate(&[&[dataset("easy.csv").as_str()], &line[..]].concat()).expect(0);
    assert_eq!(ran.column("singles"), ["yes"; 300]);
    let [rounds, naked, hidden, fewest] =
        PATH.map(|name| ran.column(name).iter().map(|text| text.parse::<i32>().unwrap()).collect::<Vec<_>>());
    let order: Vec<_> = rounds.iter().zip(&fewest).map(|(&rounds, &fewest)| (-rounds, fewest)).collect();
    assert!(order.is_sorted() && order[0].0 < 2 * order[299].0, "{order:?}");
    for (at, puzzle) in ran.column("puzzle").iter().enumerate() {
        let puzzle: Puzzle = puzzle.parse().unwrap();
        assert_eq!(naked[at] + hidden[at], 81 - puzzle.clue_count() as i32, "{puzzle}");
    }
}

#[test]
fn every_measure_of_every_difficulty() {
    let ran = rate_input(of_each().as_bytes(), &["--columns", "all", "--isomorphs", "1"]).expect(0);
    let names = ["difficulty", "singles", "locked", "pairs", "depth", "backdoor", "se", "status"];
    let columns = names.map(|name| ran.column(name).join(" "));
    assert_eq!(
        columns,
        [
            "singles locked pairs depth1 depth2 depth3",
            "yes no no no no no",
            "yes yes no no no no",
            "yes yes yes no no no",
            "0 1 1 1 2 3",
            "0 1 1 2 3 2",
            "2.0 2.6 2.0 8.4 11.6 ",
            "unique unique unique unique unique unique",
        ]
    );
    let beyond = ["", "", "", "", "", "beyond: needs a technique that is not known"];
    assert_eq!(ran.column("note"), beyond);
    let default = rate_input(of_each().as_bytes(), &[]).expect(0);
    assert_eq!(default.records()[0], ["puzzle", "difficulty"]);
    assert_eq!(default.column("difficulty").join(" "), columns[0]);
    assert!(default.stderr.contains(" puzzles/s (rate, "), "{}", default.stderr);
}

#[test]
fn puzzles_without_exactly_one_solution_have_only_a_status() {
    let typed = ["--puzzle-column", "puzzle", "--solution-column", "answer", "--columns", "all"];
    let ran = rate(&[&[dataset("statuses.csv").as_str()], &typed[..]].concat()).expect(4);
    let puzzles = ran.column("puzzle");
    let statuses = ran.column("status");
    assert_eq!(statuses, ran.column("expected_status"));
    let measures = ["difficulty", "singles", "locked", "pairs", "depth", "backdoor", "guesses"];
    for name in measures.into_iter().chain(PATH) {
        for (at, value) in ran.column(name).iter().enumerate() {
            assert_eq!(value.is_empty(), statuses[at] != "unique", "{name} of {}", puzzles[at]);
        }
    }
    for (puzzle, difficulty) in puzzles.iter().zip(ran.column("difficulty")) {
        assert_eq!(difficulty, difficulty_of(puzzle).map_or(String::new(), |found| found.to_string()));
    }
    // A puzzle with many solutions or none is not a failure.
    let fine = format!("{}\n55{}\n", Puzzle::EMPTY, ".".repeat(79));
    assert_eq!(rate_input(fine.as_bytes(), &["-q"]).expect(0).column("difficulty"), ["", ""]);
}

#[test]
fn guesses_are_the_mean_over_the_forms_that_transform_writes() {
    let input = of_each();
    let rated = |words: &[&str]| {
        let words = [&["--columns", "guesses", "-q"], words].concat();
        rate_input(input.as_bytes(), &words).expect(0).column("guesses")
    };
    for (words, forms, seed) in
        [(&[][..], 10, "1"), (&["--isomorphs", "3", "--seed", "8"], 3, "8"), (&["--isomorphs", "7"], 7, "1")]
    {
        let forms_of = ["--random", &forms.to_string(), "--seed", seed, "--output-format", "lines"];
        let written = run("transform", input.as_bytes(), &forms_of).expect(0).stdout;
        let solving = ["--solver", "mrv", "--columns", "guesses", "-q"];
        let guesses: Vec<u64> = run("solve", written.as_bytes(), &solving)
            .expect(0)
            .column("guesses")
            .iter()
            .map(|guesses| guesses.parse().unwrap())
            .collect();
        let mean = |guesses: &[u64]| {
            let mean = guesses.iter().sum::<u64>() as f64 / forms as f64;
            format!("{mean:.3}")
        };
        let expected: Vec<String> = guesses.chunks(forms).map(mean).collect();
        assert_eq!(rated(words), expected);
        assert_eq!(expected[0], "0.000");
    }
}

#[test]
fn measures_are_typed_in_every_format() {
    let input = format!("{}none\n", of_each());
    let columns = ["--columns", "difficulty,singles,depth,guesses"];
    let arguments = [&columns[..], &["--output-format", "jsonl", "--isomorphs", "2"]].concat();
    let ran = rate_input(input.as_bytes(), &arguments).expect(4);
    assert!(ran.stdout.contains(r#""difficulty":"singles","singles":"yes","depth":0,"guesses":0.000}"#));
    assert!(ran.stdout.ends_with("\"difficulty\":null,\"singles\":null,\"depth\":null,\"guesses\":null}\n"));
    assert!(ran.stdout.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    // An output format without columns would only copy the input.
    let refused = rate_input(input.as_bytes(), &["--output-format", "lines"]).expect(2);
    assert!(
        refused.stderr.contains("would only copy the input; choose one of csv, jsonl, "),
        "{}",
        refused.stderr
    );
    let kept = rate_input(input.as_bytes(), &["--output-format", "lines", "--only", "difficulty=singles"]);
    assert_eq!(kept.expect(4).stdout.lines().count(), 1);
    #[cfg(feature = "tables")]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rated.parquet");
        let path = path.to_str().unwrap();
        rate_input(input.as_bytes(), &[&["-o", path][..], &columns].concat()).expect(4);
        let again = run("transform", b"", &[path, "--random", "1", "--columns", "none"]).expect(4);
        let as_csv = rate_input(input.as_bytes(), &columns).expect(4);
        assert_eq!(again.column("difficulty"), as_csv.column("difficulty"));
        let number = |text: &String| text.parse::<f64>().ok();
        let numbers = |ran: &Ran| ran.column("guesses").iter().map(number).collect::<Vec<_>>();
        assert_eq!(numbers(&again), numbers(&as_csv));
    }
}

#[test]
fn threads_and_vectors_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 1200);
    let on = |words: &[&str]| {
        rate(&[&[input.as_str(), "--columns", "all", "-q"], words].concat()).expect(4).stdout
    };
    let one = on(&["--threads", "1"]);
    assert_eq!(one.lines().count(), 1201);
    assert!(one == on(&["--threads", "3"]) && one == on(&["--simd", "baseline"]));
}

#[test]
fn nonsensical_options_are_refused_with_a_reason() {
    let input = dataset("sample.csv");
    for (arguments, words) in [
        (&["--isomorphs", "0"][..], "write 1 or more"),
        (&["--stratify", "0"], "write 1 or more"),
        (
            &["--stratify", "2", "--stratify-by", "level"],
            "--stratify-by: cannot group rows by `level`; choose from difficulty, singles",
        ),
        (&["--stratify-by", "se"], "--stratify-by: add --stratify"),
        (&["--stratify", "5", "--only", "unique"], "--only: --stratify already chooses the rows"),
        (&["--stratify", "5", "--shard", "1/2", "-o", "x.csv"], "--shard: --stratify draws from all rows"),
        (&["--columns", "rating"], "there is no column `rating`; choose from difficulty, singles, locked,"),
        (&["--only", "solved"], "--only: `rate` never has the status solved"),
        (&["--solver", "mrv"], "unexpected argument '--solver'"),
    ] {
        let refused = rate(&[&[input.as_str()], arguments].concat()).expect(2);
        assert!(refused.stderr.contains(words), "{arguments:?}: {}", refused.stderr);
        assert_eq!(refused.stdout, "");
    }
}

/// Returns how often each difficulty occurs.
fn counts(difficulties: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    difficulties.iter().for_each(|difficulty| *counts.entry(difficulty.as_str()).or_default() += 1);
    counts
}

#[test]
fn rows_of_each_value_of_a_column_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 1500);
    let all = rate(&[&input, "-q", "--columns", "se"]).expect(4);
    let ran = rate(&[&input, "--stratify", "5", "--stratify-by", "se", "--columns", "se,hardest_technique"])
        .expect(4);
    let all = all.column("se");
    let expected: BTreeMap<_, _> = counts(&all)
        .into_iter()
        .filter(|(se, _)| !se.is_empty())
        .map(|(se, rows)| (se, rows.min(5)))
        .collect();
    assert_eq!(counts(&ran.column("se")), expected);
    assert!(expected.len() > 2, "{expected:?}");

    // The strata are listed in the order of their ratings.
    let listed: Vec<f64> = ran
        .stderr
        .lines()
        .filter(|line| line.ends_with("drawn"))
        .filter_map(|line| line.split_whitespace().next()?.parse().ok())
        .collect();
    assert!(listed.is_sorted() && listed.len() == expected.len(), "{}", ran.stderr);
}

#[test]
fn too_many_values_are_refused_before_any_row_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let made = run("generate", b"", &["--minimal", "--count", "2200", "--seed", "5", "-q"]).expect(0).stdout;
    let out = folder.path().join("out.csv");
    let words = ["--stratify", "1", "--stratify-by", "techniques", "-o", out.to_str().unwrap()];
    let ran = rate_input(made.as_bytes(), &words).expect(1);
    assert!(ran.stderr.contains("techniques has more than 1000 different values"), "{}", ran.stderr);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "no output is left");
}

#[test]
fn the_same_number_of_rows_of_each_difficulty_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 1500);
    let all = rate(&[&input, "-q"]).expect(4);
    let drawn = |words: &[&str]| rate(&[&[input.as_str(), "--stratify", "40"], words].concat()).expect(4);
    let ran = drawn(&[]);
    let of_each = BTreeMap::from([("depth1", 40), ("locked", 40), ("pairs", 40), ("singles", 40)]);
    assert_eq!(counts(&ran.column("difficulty")), of_each);

    // Whole rows are drawn. They keep the order of the input, and no row is drawn twice.
    let rows: Vec<&str> = all.stdout.lines().collect();
    let at: Vec<usize> =
        ran.stdout.lines().map(|line| rows.iter().position(|row| *row == line).unwrap()).collect();
    assert!(at.is_sorted_by(|one, next| one < next));

    // For each difficulty, the report shows how many rows have it and how many of these rows are drawn.
    let found = counts(&all.column("difficulty")).remove("pairs").unwrap();
    let line = ran.stderr.lines().find(|line| line.trim_start().starts_with("pairs")).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!([words[1], words[3], words[4]], [&found.to_string(), "40", "drawn"], "{}", ran.stderr);
    assert!(ran.stderr.contains("1,340  of these rows, by --stratify; 160 kept"), "{}", ran.stderr);
    let others = ran.stderr.lines().find(|line| line.trim_start().starts_with("none")).unwrap();
    assert!(others.contains(" 30 ") && others.ends_with("none drawn"), "{}", ran.stderr);

    // The drawn rows depend only on the rows and the seed.
    let same = drawn(&["-q", "--threads", "1"]).stdout;
    assert!(same == ran.stdout && same == drawn(&["-q", "--threads", "3"]).stdout);
    assert!(same != drawn(&["-q", "--seed", "2"]).stdout);
    let piped = rate_input(&fs::read(&input).unwrap(), &["--stratify", "40", "-q"]).expect(4);
    assert!(same == piped.stdout);
    // The values of `singles` are not known for rows that are not drawn, so the record does not count how often each value occurs.
    let path = folder.path().join("run.json");
    let ran = drawn(&["--columns", "singles,difficulty", "--export-json", path.to_str().unwrap()]);
    assert!(!ran.stderr.contains("singles="), "{}", ran.stderr);
    let record: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(record["words"].as_array().map(Vec::len), Some(0), "{record}");
    let others = drawn(&["-q", "--columns", "difficulty,status,guesses", "--isomorphs", "1"]);
    assert_eq!(others.column("id"), ran.column("id"));
    assert!(others.column("status").iter().all(|status| *status == Status::Unique.name()));
}

#[test]
fn all_rows_of_a_rare_difficulty_are_drawn() {
    let input = format!("{}{}\n", of_each(), OF_EACH[0].1);
    let ran = rate_input(input.as_bytes(), &["--stratify", "1000", "--output-format", "lines"]).expect(0);
    assert_eq!(ran.stdout, input);
    let one = rate_input(input.as_bytes(), &["--stratify", "1", "-q"]).expect(0);
    assert_eq!(counts(&one.column("difficulty")).into_values().collect::<Vec<_>>(), [1; 6]);
    let none = rate_input(b"puzzle\n", &["--stratify", "5"]).expect(0);
    assert_eq!(none.stdout, "puzzle,difficulty\n");
}

#[test]
fn gentle_puzzles_are_solved_by_singles() {
    let ran = rate(&[&dataset("sample.csv"), "--columns", "difficulty"]).expect(0);
    let singles =
        sample().into_iter().filter(|(puzzle, _)| difficulty_of(puzzle) == Some(Difficulty::Singles));
    assert_eq!(counts(&ran.column("difficulty"))["singles"], singles.count());
    let grid = solve(&sample()[0].0.parse().unwrap()).solution.unwrap().to_string();
    let nearly_full = grid.replace('1', ".");
    assert_eq!(difficulty_of(&nearly_full), Some(Difficulty::Singles));
}

/// The hardest puzzles take up to a second each, and a block is stored only when all of its puzzles are rated. Therefore blocks have few
/// puzzles.
#[test]
fn rated_rows_are_stored_a_few_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 48);
    let out = folder.path().join("out.csv");
    let words = [&input, "--columns", "se", "-q", "--threads", "1", "-o", out.to_str().unwrap()];
    rate(&[&words[..], &["--stop-after-blocks", "1"]].concat()).expect(130);
    let rows = fs::read_to_string(folder.path().join("out.csv.partial")).unwrap().lines().count() - 1;
    // The only block that is written has at most half of the rows.
    assert!((1..=24).contains(&rows), "{rows} rows of 48");
}

#[cfg(unix)]
mod resuming {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::interrupts::{interrupt, wait_for};

    /// Writes puzzles that take long to rate, and before them easy puzzles that take almost no time.
    fn write_slow(folder: &Path) -> String {
        let mut random = Random::new(3);
        let easy: Puzzle = OF_EACH[0].1.parse().unwrap();
        let loki: Puzzle = OF_EACH[5].1.parse().unwrap();
        let forms = |puzzle: Puzzle, count: usize, random: &mut Random| {
            (0..count)
                .map(|_| format!("{}\n", Transformation::random(random).apply(&puzzle)))
                .collect::<String>()
        };
        let path = folder.join("slow.txt");
        let text = forms(easy, 3_000, &mut random) + &forms(loki, 25, &mut random);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_run_interrupted_within_a_block_is_resumed_to_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let input = write_slow(folder.path());
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (out, partial) = (path("out.csv"), path("out.csv.partial"));
        let arguments = [
            "rate",
            &input,
            "-o",
            &out,
            "--threads",
            "1",
            "--columns",
            "difficulty,guesses",
            "--isomorphs",
            "1",
        ];
        let child = command().args(arguments).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(Path::new(&partial), 200_000);
        let pressed = Instant::now();
        interrupt(&child);
        let ran = Ran::of(child.wait_with_output().unwrap()).expect(130);
        assert!(pressed.elapsed() < Duration::from_secs(120), "{}", ran.stderr);
        assert!(ran.stderr.contains("continue with the same options and --resume"), "{}", ran.stderr);
        let left = fs::read_to_string(&partial).unwrap();
        assert!(left.ends_with('\n') && left.lines().count() < 3_026);

        let other = run("rate", b"", &[&arguments[1..], &["--resume", "--seed", "2"]].concat()).expect(1);
        assert!(other.stderr.contains("from a run with different "), "{}", other.stderr);
        run("rate", b"", &[&arguments[1..], &["--resume"]].concat()).expect(0);
        let whole = path("whole.csv");
        run("rate", b"", &arguments.map(|word| if word == out { &whole } else { word })[1..]).expect(0);
        assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap());
    }

    #[test]
    fn a_resumed_run_draws_the_same_rows() {
        let folder = tempfile::tempdir().unwrap();
        let input = write_rows(folder.path(), 1500);
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (out, whole) = (path("out.csv"), path("whole.csv"));
        let arguments = |out: &str, more: &[&str]| {
            let words = [&[input.as_str(), "-q", "--stratify", "100", "-o", out], more].concat();
            rate(&words)
        };
        arguments(&whole, &[]).expect(4);
        arguments(&out, &["--resume"]).expect(4);
        assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap());
        arguments(&out, &["--resume"]).expect(4);

        // An interrupt while rows are rated leaves no files.
        let slow = write_slow(folder.path());
        let drawing = path("drawn.csv");
        let child = command()
            .args(["rate", &slow, "--stratify", "5", "-o", &drawing])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_start(Path::new(&format!("{drawing}.partial")));
        interrupt(&child);
        let ran = Ran::of(child.wait_with_output().unwrap()).expect(130);
        assert!(ran.stderr.contains("interrupted before the first row"), "{}", ran.stderr);
        assert!(!Path::new(&drawing).exists() && !Path::new(&format!("{drawing}.partial")).exists());
    }

    fn wait_for_start(path: &Path) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !path.exists() {
            assert!(Instant::now() < deadline, "no output within a minute");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
