//! `sudobench overlap`: the rows of TEST that overlap with TRAIN.

use std::collections::HashMap;
use std::fs;
#[cfg(unix)]
use std::io::Write as _;
#[cfg(unix)]
use std::path::Path;
use std::path::PathBuf;
use std::process::Stdio;
#[cfg(unix)]
use std::process::{Child, ChildStdin, Command};

use sudobench_harness::record::OverlapRecord;
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::{Puzzle, Question, Solution, Status, solve, solver};

#[cfg(unix)]
use super::interrupts::{interrupt, wait_for};
use super::{Ran, command, dataset};

/// Runs `sudobench overlap` with these arguments and an empty standard input.
fn overlap(arguments: &[&str]) -> Ran {
    overlap_input(b"", arguments)
}

fn overlap_input(input: &[u8], arguments: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::from_std(command());
    Ran::of(command.arg("overlap").args(arguments).write_stdin(input).output().unwrap())
}

/// A folder with files of puzzles.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn at(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), text).unwrap();
        self.at(name)
    }

    fn record(&self, name: &str) -> OverlapRecord {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }
}

/// Returns the puzzles as text, one per line.
fn lines<'p>(puzzles: impl IntoIterator<Item = &'p Puzzle>) -> String {
    puzzles.into_iter().map(|puzzle| format!("{puzzle}\n")).collect()
}

/// Returns filled grids: three boxes are random, and a solver fills the rest. It is unlikely that two grids are isomorphic.
fn grids(random: &mut Random, count: usize) -> Vec<Solution> {
    let mut solver = solver::default_variant().build(sudobench_sudoku::simd::Level::widest()).unwrap();
    let mut grid = || {
        let mut values = [0; 81];
        for block in 0..3 {
            let mut digits: [u8; 9] = std::array::from_fn(|digit| digit as u8 + 1);
            random.shuffle(&mut digits);
            for (at, digit) in digits.into_iter().enumerate() {
                values[(block * 3 + at / 3) * 9 + block * 3 + at % 3] = digit;
            }
        }
        let puzzle = Puzzle::try_from(values).unwrap();
        solver.solve(&puzzle, &Question::first()).solution.unwrap()
    };
    (0..count).map(|_| grid()).collect()
}

/// Returns a puzzle of this grid with one solution and about 50 clues.
fn puzzle_of(random: &mut Random, grid: &Solution) -> Puzzle {
    loop {
        let mut values = *grid.values();
        (0..40).for_each(|_| values[random.below(81)] = 0);
        let puzzle = Puzzle::try_from(values).unwrap();
        if solve(&puzzle).status == Status::Unique {
            return puzzle;
        }
    }
}

/// Number of rows of TRAIN, and also of TEST. The number is so small that no grid of TEST is isomorphic to a grid of TRAIN by chance. With
/// 50,000 rows each, two grids of TEST would be isomorphic to a grid of TRAIN.
const ROWS: usize = 20_000;

#[test]
fn exactly_the_planted_overlaps_are_found() {
    let folder = Folder::new();
    let random = &mut Random::new(1);
    let grids = grids(random, 2 * ROWS);
    let all: Vec<Puzzle> = grids.iter().map(|grid| puzzle_of(random, grid)).collect();
    let (train, others) = all.split_at(ROWS);
    // Every tenth row of TEST overlaps with a row of TRAIN. The kinds of overlap take turns.
    let kinds = ["text", "isomorph", "solution", "solution_isomorph"];
    let mut test = Vec::new();
    let mut planted = Vec::new();
    for (number, other) in others.iter().enumerate() {
        let from = random.below(ROWS);
        let other_clues = loop {
            let puzzle = puzzle_of(random, &grids[from]);
            if puzzle != train[from] {
                break puzzle;
            }
        };
        let transformation = Transformation::random(random);
        let kind = number / 10 % 4;
        test.push(match (number % 10, kind) {
            (0, 0) => train[from],
            (0, 1) => transformation.apply(&train[from]),
            (0, 2) => other_clues,
            (0, 3) => transformation.apply(&other_clues),
            _ => *other,
        });
        if number % 10 == 0 {
            // Line numbers start at 1, and line 1 is the header.
            planted.push([
                kinds[kind].to_owned(),
                "1".to_owned(),
                (from + 2).to_string(),
                test[number].to_string(),
            ]);
        }
    }
    let train = folder.write("train.csv", format!("question\n{}", lines(train)));
    let test = folder.write("test.csv", format!("id,puzzle\n{}", numbered(&test)));
    let json = folder.at("counts.json");
    let wide = ["--threads", "4", "-o", "-", "--export-json", &json];
    let ran = overlap(&[&[train.as_str(), "--with", &test], &wide[..]].concat()).expect(0);
    assert_eq!(ran.records()[0], ["id", "puzzle", "overlap", "train_input", "train_line"]);
    let rows = ["overlap", "train_input", "train_line", "puzzle"].map(|name| ran.column(name));
    let found: Vec<_> =
        (0..rows[0].len()).map(|row| [0, 1, 2, 3].map(|column| rows[column][row].clone())).collect();
    assert_eq!(found, planted);

    let narrow = overlap(&[&train, "--with", &test, "--threads", "1", "-q", "-o", "-"]).expect(0);
    assert!(narrow.stdout == ran.stdout);
    let record = folder.record("counts.json");
    assert_eq!(
        (record.kind.as_str(), record.train.rows, record.test.rows),
        ("overlap", ROWS as u64, ROWS as u64)
    );
    assert_eq!((record.train.unique, record.overlapping), (Some(ROWS as u64), ROWS as u64 / 10));
    let each = ROWS as u64 / 40;
    // A kind of overlap can include others: for example, isomorphic puzzles also have isomorphic solutions.
    let counted =
        [("text", each), ("isomorph", 2 * each), ("solution", 2 * each), ("solution_isomorph", 4 * each)];
    for (found, (kind, rows)) in record.overlaps.iter().zip(counted) {
        assert_eq!((found.overlap.as_str(), found.rows, found.strongest), (kind, rows, each));
        assert_eq!(found.distinct_in_train, ROWS as u64);
    }
}

/// Returns a line of CSV for each puzzle: its number, counted from 1, and the puzzle.
fn numbered(puzzles: &[Puzzle]) -> String {
    (1..).zip(puzzles).map(|(number, puzzle)| format!("{number},{puzzle}\n")).collect()
}

/// Each row is made from a grid, a choice of clues, and a transformation, so the test knows what two rows have in common.
#[test]
fn overlaps_agree_with_the_construction_of_rows() {
    let folder = Folder::new();
    for seed in 0..3 {
        let random = &mut Random::new(seed);
        let grids = grids(random, 4);
        let clues: Vec<Vec<Puzzle>> =
            grids.iter().map(|grid| (0..4).map(|_| puzzle_of(random, grid)).collect()).collect();
        let forms: Vec<Transformation> = (0..4).map(|_| Transformation::random(random)).collect();
        let rows = |random: &mut Random, count: usize, grids: usize| -> Vec<([usize; 3], Puzzle)> {
            let one = |_| {
                let made = [grids, 4, 4].map(|below| random.below(below));
                (made, forms[made[2]].apply(&clues[made[0]][made[1]]))
            };
            (0..count).map(one).collect()
        };
        // One grid of TEST is not in TRAIN.
        let (train, test) = (rows(random, 20, 3), rows(random, 60, 4));
        let train_file = folder.write("train.txt", lines(train.iter().map(|(_, puzzle)| puzzle)));
        let test_file = folder.write("test.txt", lines(test.iter().map(|(_, puzzle)| puzzle)));
        let json = folder.at("counts.json");
        let files = [train_file.as_str(), "--with", &test_file, "--force", "--export-json", &json];
        let ran = overlap(&[&files[..], &["-o", "-", "--keep", "all"]].concat()).expect(0);

        type IsAlike = fn([usize; 3], [usize; 3]) -> bool;
        let kinds: [(&str, IsAlike); 4] = [
            ("text", |a, b| a == b),
            ("isomorph", |a, b| a[..2] == b[..2]),
            ("solution", |a, b| a[0] == b[0] && a[2] == b[2]),
            ("solution_isomorph", |a, b| a[0] == b[0]),
        ];
        let first = |made, is_alike: IsAlike| train.iter().position(|(other, _)| is_alike(made, *other));
        let mut expected = Vec::new();
        let mut counts: HashMap<&str, u64> = HashMap::new();
        for (made, _) in &test {
            let found: Vec<(&str, usize)> = kinds
                .iter()
                .filter_map(|(kind, is_alike)| Some((*kind, first(*made, *is_alike)? + 1)))
                .collect();
            found.iter().for_each(|(kind, _)| *counts.entry(kind).or_default() += 1);
            let (kind, line) =
                found.first().map_or(("", String::new()), |(kind, line)| (kind, line.to_string()));
            expected.push([kind.to_owned(), line]);
        }
        let columns = ["overlap", "train_line"].map(|name| ran.column(name));
        let rows: Vec<_> =
            (0..test.len()).map(|row| [columns[0][row].clone(), columns[1][row].clone()]).collect();
        assert_eq!(rows, expected, "seed {seed}");
        for found in &folder.record("counts.json").overlaps {
            assert_eq!(
                found.rows,
                counts.get(found.overlap.as_str()).copied().unwrap_or(0),
                "{}",
                found.overlap
            );
        }
    }
}

/// Writes and returns TRAIN and TEST. TRAIN has three puzzles. TEST has one of them, an isomorph of another, and two new puzzles.
fn small(folder: &Folder) -> (Vec<Puzzle>, Vec<Puzzle>) {
    let random = &mut Random::new(7);
    let puzzles: Vec<Puzzle> = grids(random, 5).iter().map(|grid| puzzle_of(random, grid)).collect();
    let form = Transformation::random(random).apply(&puzzles[1]);
    let (train, test) = (puzzles[..3].to_vec(), vec![puzzles[3], form, puzzles[0], puzzles[4]]);
    folder.write("train.txt", lines(&train));
    folder.write("test.txt", lines(&test));
    (train, test)
}

#[test]
fn counts_are_printed_and_rows_written_on_request() {
    let folder = Folder::new();
    let (_, test) = small(&folder);
    let (train, with, out) = (folder.at("train.txt"), folder.at("test.txt"), folder.at("out.csv"));
    let counts = overlap(&[&train, "--with", &with]).expect(0);
    for row in ["TEST has 4 rows, TRAIN 3 rows", "text ", "isomorph ", "solution_isomorph "] {
        assert!(counts.stdout.contains(row), "{row}: {}", counts.stdout);
    }
    let any = counts.stdout.lines().find(|line| line.trim_start().starts_with("any")).unwrap();
    assert_eq!(any.split_whitespace().skip(4).collect::<Vec<_>>(), ["2", "50.00%"]);
    assert!(counts.stderr.starts_with("sudobench: 7 rows in "), "{}", counts.stderr);
    // If rows go to a file, standard output has the counts even with -q.
    let quiet = overlap(&[&train, "--with", &with, "-q", "-o", &out]).expect(0);
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (counts.stdout.clone(), ""));
    let expected =
        format!("puzzle,overlap,train_input,train_line\n{},isomorph,1,2\n{},text,1,1\n", test[1], test[2]);
    assert_eq!(fs::read_to_string(&out).unwrap(), expected);
    // If rows or the record go to standard output, the table goes to standard error.
    let rows = overlap(&[&train, "--with", &with, "-o", "-"]).expect(0);
    assert_eq!(rows.stdout, expected);
    assert!(rows.stderr.contains(&counts.stdout), "{}", rows.stderr);
    let record = overlap(&[&train, "--with", &with, "--export-json", "-", "-q"]).expect(0);
    let record: OverlapRecord = serde_json::from_str(&record.stdout).unwrap();
    assert_eq!((record.overlapping, record.arguments[0].as_str()), (2, "overlap"));
    let both = overlap(&[&train, "--with", &with, "--export-json", "-", "-o", "-"]).expect(2);
    assert!(both.stderr.contains("both go to standard output"), "{}", both.stderr);
}

#[test]
fn kept_rows_and_the_others_are_all_rows() {
    let folder = Folder::new();
    let (_, test) = small(&folder);
    let (train, with) = (folder.at("train.txt"), folder.at("test.txt"));
    let kept = |keep: &str, more: &[&str]| -> Vec<String> {
        let arguments = [&train, "--with", &with, "-q", "--keep", keep, "-o", "-"];
        overlap(&[&arguments[..], more].concat()).expect(0).column("puzzle")
    };
    let text = |rows: &[usize]| rows.iter().map(|&row| test[row].to_string()).collect::<Vec<_>>();
    assert_eq!(kept("overlapping", &[]), text(&[1, 2]));
    assert_eq!(kept("clean", &[]), text(&[0, 3]));
    assert_eq!(kept("all", &[]), text(&[0, 1, 2, 3]));
    assert_eq!(kept("overlapping", &["--by", "text"]), text(&[2]));
    assert_eq!(kept("clean", &["--by", "text,solution"]), text(&[0, 1, 3]));
    assert_eq!(kept("all", &["--skip", "1", "--limit", "2"]), text(&[1, 2]));
    assert_eq!(kept("all", &["--only", "unsolvable"]), text(&[]));
}

#[test]
fn fail_on_fails_if_its_overlap_is_found() {
    let folder = Folder::new();
    small(&folder);
    let (train, with) = (folder.at("train.txt"), folder.at("test.txt"));
    let failed = overlap(&[&train, "--with", &with, "--fail-on", "isomorph,solution"]).expect(4);
    assert!(failed.stderr.contains("--fail-on isomorph: 2 rows of TEST"), "{}", failed.stderr);
    assert!(failed.stderr.contains("--fail-on solution: 1 row of TEST"), "{}", failed.stderr);
    let other = folder
        .write("other.txt", lines(&[puzzle_of(&mut Random::new(3), &grids(&mut Random::new(8), 1)[0])]));
    overlap(&[&train, "--with", &other, "--fail-on", "text,isomorph,solution,solution_isomorph"]).expect(0);
    let more = overlap(&[&train, "--with", &with, "--by", "text", "--fail-on", "isomorph"]).expect(2);
    assert!(more.stderr.contains("names kinds of overlap that are missing"), "{}", more.stderr);
    let unknown = overlap(&[&train, "--with", &with, "--by", "words"]).expect(2);
    assert!(
        unknown.stderr.contains("`words` is not a kind of overlap; choose from text,"),
        "{}",
        unknown.stderr
    );
}

/// Runs the example of the documentation: counts the overlaps, removes them, and checks the result.
#[test]
fn a_split_is_checked_in_three_lines() {
    let folder = Folder::new();
    let (_, test) = small(&folder);
    let run = |line: &str| {
        let mut command = command();
        command.arg("overlap").args(line.split(' ')).current_dir(folder.0.path());
        Ran::of(command.output().unwrap())
    };
    let counts = run("train.txt --with test.txt").expect(0).stdout;
    assert!(counts.contains("50.00%"), "{counts}");
    // The options may also come before TRAIN, as in the usage line.
    assert_eq!(run("--with test.txt train.txt").expect(0).stdout, counts);
    run("train.txt --with test.txt --by text,isomorph --keep clean -o clean.txt").expect(0);
    assert_eq!(fs::read_to_string(folder.path("clean.txt")).unwrap(), lines([&test[0], &test[3]]));
    run("train.txt --with clean.txt --fail-on isomorph").expect(0);
    run("train.txt --with test.txt --fail-on isomorph").expect(4);
}

#[test]
fn a_file_overlaps_completely_with_itself() {
    let input = dataset("sample.csv");
    let ran = overlap(&[&input, "--with", &input, "--export-json", "-"]).expect(0);
    let record: OverlapRecord = serde_json::from_str(&ran.stdout).unwrap();
    assert!(record.overlaps.iter().all(|found| found.rows == 60), "{record:?}");
    assert_eq!(record.overlaps[0].strongest, 60);
}

#[test]
fn rows_without_a_puzzle_or_one_solution_are_reported() {
    let folder = Folder::new();
    let input = dataset("statuses.csv");
    let json = folder.at("counts.json");
    let out = folder.at("out.csv");
    let arguments = [input.as_str(), "--with", &input, "--keep", "all", "-o", &out, "--export-json", &json];
    let ran = overlap(&arguments).expect(4);
    let record = folder.record("counts.json");
    let rows = fs::read_to_string(&out).unwrap();
    let mut reader = csv::Reader::from_reader(rows.as_bytes());
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let unique = records.iter().filter(|row| &row[2] == "unique").count() as u64;
    let malformed = records.iter().filter(|row| &row[2] == "malformed").count() as u64;
    assert!(malformed > 0 && unique > 0 && records.len() as u64 > malformed + unique);
    for row in &records {
        assert_eq!(&row[4], if &row[2] == "malformed" { "" } else { "text" }, "{row:?}");
    }
    let puzzles = records.len() as u64 - malformed;
    assert_eq!((record.test.malformed, record.test.unique), (malformed, Some(unique)));
    let counts: Vec<u64> = record.overlaps.iter().map(|found| found.rows).collect();
    assert_eq!(counts, [puzzles, puzzles, unique, unique]);
    let others = format!("TEST: {} puzzles have no unique solution", puzzles - unique);
    assert!(ran.stdout.contains(&others), "{}", ran.stdout);
    // The message is printed once for TRAIN and once for TEST.
    let told = "statuses.csv:24: malformed: 80 characters where a puzzle has 81";
    assert_eq!(ran.stderr.matches(told).count(), 2, "{}", ran.stderr);
    // Puzzles are not solved if no solutions are compared.
    let ran = overlap(&[&input, "--with", &input, "--by", "text,isomorph", "--export-json", "-"]).expect(4);
    assert!(!ran.stdout.contains("\"unique\""), "{}", ran.stdout);
}

#[test]
fn every_format_can_be_on_either_side() {
    let folder = Folder::new();
    let (train, test) = small(&folder);
    let zeros = |puzzles: &[Puzzle]| lines(puzzles).replace('.', "0");
    let csv = folder.write("train.csv", format!("id\tpuzzle\n{}", numbered(&train).replace(',', "\t")));
    let json = |puzzle: &Puzzle| format!("{{\"question\":\"{puzzle}\"}}\n");
    let jsonl = folder.write("train.jsonl", train.iter().map(json).collect::<String>());
    let sdm = folder.write("test.sdm", zeros(&test));
    let boj = test
        .iter()
        .flat_map(|puzzle| puzzle.rows())
        .map(|row| row.map(|value| char::from(b'0' + value)).iter().collect::<String>() + "\n");
    let boj = folder.write("test.boj", boj.collect::<String>());
    let answer = |train: &str, test: &str| -> (Vec<String>, Vec<String>) {
        let ran = overlap(&[train, "--with", test, "--keep", "all", "-q", "-o", "-"]).expect(0);
        (ran.column("overlap"), ran.column("train_input"))
    };
    let expected = ["", "isomorph", "text", ""].map(str::to_owned);
    for (train, test) in [(&csv, &sdm), (&jsonl, &sdm), (&jsonl, &boj), (&boj, &sdm)] {
        let kinds = answer(train, test).0;
        if train == &boj {
            assert_eq!(kinds, ["text"; 4]);
        } else {
            assert_eq!(kinds, expected, "{train} {test}");
        }
    }
    // The files of TRAIN may have different formats. The output names the first file that has the row.
    let ran = overlap(&[&csv, &jsonl, "--with", &sdm, "-q", "-o", "-"]).expect(0);
    assert_eq!(
        (ran.column("train_input"), ran.column("train_line")),
        (vec!["1".to_owned(); 2], ["3", "2"].map(str::to_owned).to_vec())
    );
}

#[cfg(feature = "tables")]
#[test]
fn rows_are_written_in_every_format() {
    let folder = Folder::new();
    let (_, test) = small(&folder);
    let (train, with) = (folder.at("train.txt"), folder.at("test.txt"));
    let kept = |keep: &str, out: &str| {
        overlap(&[&train, "--with", &with, "-q", "--keep", keep, "-o", out]).expect(0);
    };
    let [array, table, text, json] =
        ["clean.npy", "seen.parquet", "clean.txt.gz", "seen.jsonl"].map(|name| folder.at(name));
    kept("clean", &array);
    kept("overlapping", &table);
    kept("clean", &text);
    kept("overlapping", &json);
    // The kept rows can be read again. Either all of them are in TRAIN, or none.
    for (file, rows, share) in [(&array, 2, 0), (&table, 2, 2), (&text, 2, 0), (&json, 2, 2)] {
        let ran = overlap(&[&train, "--with", file, "--export-json", "-", "-q"]).expect(0);
        let record: OverlapRecord = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((record.test.rows, record.overlapping), (rows, share), "{file}");
    }
    let bytes = fs::read(&array).unwrap();
    let cells: Vec<u8> = [test[0], test[3]].iter().flat_map(|puzzle| *puzzle.values()).collect();
    assert!(bytes.ends_with(&cells));
    let first = fs::read_to_string(&json).unwrap();
    assert!(
        first
            .lines()
            .next()
            .unwrap()
            .ends_with("\"overlap\":\"isomorph\",\"train_input\":1,\"train_line\":2}"),
        "{first}"
    );
}

#[test]
fn either_side_can_be_standard_input_but_not_both() {
    let folder = Folder::new();
    let (train, test) = small(&folder);
    let (train_file, test_file) = (folder.at("train.txt"), folder.at("test.txt"));
    let usual = overlap(&[&train_file, "--with", &test_file, "-q"]).expect(0).stdout;
    let train_in = overlap_input(lines(&train).as_bytes(), &["-", "--with", &test_file, "-q"]).expect(0);
    let test_in = overlap_input(lines(&test).as_bytes(), &[&train_file, "--with", "-", "-q"]).expect(0);
    assert_eq!((&train_in.stdout, &test_in.stdout), (&usual, &usual));
    let both = overlap(&["-", "--with", "-"]).expect(2);
    assert!(both.stderr.contains("can be read only once"), "{}", both.stderr);
    let none = overlap(&["--with", &test_file]).expect(2);
    assert!(none.stderr.contains("<TRAIN>"), "{}", none.stderr);
}

#[test]
fn inputs_without_rows_are_refused() {
    let folder = Folder::new();
    small(&folder);
    let (train, with) = (folder.at("train.txt"), folder.at("test.txt"));
    let empty = folder.write("empty.csv", "puzzle\n");
    for (train, test, words) in
        [(&empty, &with, "no rows in TRAIN,"), (&train, &empty, "no rows,"), (&empty, &empty, "TRAIN")]
    {
        let ran = overlap(&[train, "--with", test]).expect(1);
        assert!(ran.stderr.contains(words) && ran.stdout.is_empty(), "{}", ran.stderr);
    }
}

#[test]
fn nonsensical_options_are_refused_before_train_is_read() {
    let folder = Folder::new();
    small(&folder);
    let (train, with) = (folder.at("train.txt"), folder.at("test.txt"));
    // The faults must be found before TRAIN is read: standard input stays open, so reading it would never end.
    let refused = |arguments: &[&str], code: i32, words: &str| {
        let mut command = command();
        command.arg("overlap").arg("-").args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let held = child.stdin.take();
        let ran = Ran::of(child.wait_with_output().unwrap()).expect(code);
        drop(held);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    };
    let exists = folder.write("out.csv", "");
    refused(&["--with", &with, "-o", &exists], 1, "already exists; replace it with --force");
    let left = folder.at("left.csv");
    folder.write("left.csv.partial", "");
    refused(&["--with", &with, "-o", &left], 1, "is from a run that did not finish");
    refused(&["--with", "missing.csv"], 1, "missing.csv");
    refused(&["--with", &with, "--shard", "1/2", "-o", &left], 2, "--shard: overlap counts all rows");
    refused(
        &["--with", &with, "--columns", "overlap"],
        2,
        "--columns: this command writes rows only with --output",
    );
    refused(&["--with", &with, "--keep", "clean"], 2, "--keep: this command writes rows only with --output");
    refused(&["--with", &with, "-o", &with], 2, "is the same file as");
    let same = overlap(&[&train, "--with", &with, "-o", &train]).expect(2);
    assert!(same.stderr.contains("is the same file as"), "{}", same.stderr);
    refused(&["--with", &with, "-o", &exists, "--resume"], 1, "out.csv.resume.json is missing");
}

/// Starts a comparison whose TEST is standard input, and writes `input` to it. Waits until the process has written rows, then returns the
/// process and its open standard input.
#[cfg(unix)]
fn begun(arguments: &[&str], input: &str, partial: &Path) -> (Child, ChildStdin) {
    let mut command = command();
    command.arg("overlap").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    wait_for(partial, 1000);
    (child, stdin)
}

#[cfg(unix)]
#[test]
fn a_killed_or_interrupted_run_is_resumed_and_counts_all_rows() {
    let folder = Folder::new();
    let (train, test) = small(&folder);
    let (train_file, json) = (folder.at("train.txt"), folder.at("counts.json"));
    // Half a megabyte of rows. Every fourth row is also in TRAIN.
    let test: Vec<Puzzle> = (0..1500).flat_map(|_| test.clone()).collect();
    let input = lines(&test);
    for signal in ["-KILL", "-INT"] {
        let out = folder.at(&format!("out{signal}.csv"));
        let partial = folder.path(&format!("out{signal}.csv.partial"));
        let arguments = [&train_file, "--with", "-", "-o", &out, "--by", "text,solution", "--keep", "all"];
        let (child, stdin) = begun(&arguments, &input, &partial);
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let ended = child.wait_with_output().unwrap();
        drop(stdin);
        if signal == "-INT" {
            let ran = Ran::of(ended).expect(130);
            assert!(ran.stderr.contains("continue with the same options and --resume"), "{}", ran.stderr);
            assert!(ran.stdout.contains("interrupted: there are more rows in TEST"), "{}", ran.stdout);
        }
        assert!(!Path::new(&out).exists());
        // A run with another TRAIN would find other rows, so it must not continue this output.
        let changed = folder.write("changed.txt", lines(&train[1..]));
        let other = ["--with", "-", "-o", &out, "--by", "text,solution", "--keep", "all", "--resume"];
        let refused = overlap_input(input.as_bytes(), &[&[changed.as_str()], &other[..]].concat()).expect(1);
        assert!(refused.stderr.contains("from a run with different TRAIN: it had"), "{}", refused.stderr);
        let again = [&arguments[..], &["--resume", "--export-json", &json]].concat();
        let resumed = overlap_input(input.as_bytes(), &again).expect(0);
        if signal == "-INT" {
            assert!(resumed.stderr.contains("of TEST from an earlier run"), "{}", resumed.stderr);
        }
        let record = folder.record("counts.json");
        let counts: Vec<u64> = record.overlaps.iter().map(|found| found.rows).collect();
        assert_eq!((record.test.rows, counts), (6000, vec![1500, 1500]));
        let whole = arguments.map(|word| if word == out { "-" } else { word });
        let whole = overlap_input(input.as_bytes(), &[&whole[..], &["-q"]].concat()).expect(0);
        assert!(fs::read_to_string(&out).unwrap() == whole.stdout, "{signal}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_while_train_is_read_ends_the_run() {
    let folder = Folder::new();
    let (train, _) = small(&folder);
    let (with, out) = (folder.at("test.txt"), folder.at("out.csv"));
    let mut command = command();
    command.args(["overlap", "-", "--with", &with, "-o", &out, "--by", "text"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // This is more than fits into a pipe, so the program has begun to read when the write ends.
    stdin.write_all(lines(&train).repeat(8000).as_bytes()).unwrap();
    interrupt(&child);
    let ran = Ran::of(child.wait_with_output().unwrap()).expect(130);
    drop(stdin);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("interrupted before the first row"), "{}", ran.stderr);
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 2, "nothing stays behind");
}
