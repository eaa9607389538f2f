//! `split`: all puzzles that count as the same puzzle (`--by`) go to the same file, and every row goes to exactly one of the two files.

use super::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use sudobench_rows::facts::{Split, SplitBy};
use sudobench_sudoku::Puzzle;

/// Writes `all.csv`: four random forms of each puzzle of the sample, the puzzles of `statuses.csv`, and groups of puzzles that have the
/// same solution.
fn collection(folder: &Path) {
    let run = |words: &[&str]| Ran::of(command().current_dir(folder).args(words).output().unwrap());
    let transformed = |name: &str, output: &str| {
        let file = dataset(name);
        run(&["transform", &file, "--random", "4", "--columns", "none", "-q", "-o", output])
    };
    transformed("sample.csv", "sample.csv").expect(0);
    let solutions: String = sample().iter().take(9).map(|(_, solution)| format!("{solution}\n")).collect();
    std::fs::write(folder.join("grids.txt"), solutions).unwrap();
    // The solution of each neighbour is the grid from which the neighbour was made.
    run(&[
        "vicinity",
        "-2+0",
        "grids.txt",
        "--limit-per-puzzle",
        "3",
        "--columns",
        "none",
        "-q",
        "-o",
        "near.txt",
    ])
    .expect(0);
    let mut rows = String::from("puzzle\n");
    let add = |rows: &mut String, text: &str| rows.extend(text.lines().map(|puzzle| format!("{puzzle}\n")));
    let column = |name: &str| run(&["convert", name, "--output-format", "jsonl", "-q"]).stdout;
    for line in column("sample.csv").lines().chain(column(&dataset("statuses.csv")).lines()) {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        add(&mut rows, row["puzzle"].as_str().unwrap());
    }
    add(&mut rows, &std::fs::read_to_string(folder.join("near.txt")).unwrap());
    std::fs::write(folder.join("all.csv"), rows).unwrap();
}

/// The values that decide the class of each row of a file.
struct Rows {
    /// The puzzles with a dot for each blank.
    puzzles: Vec<String>,
    statuses: Vec<String>,
    solutions: Vec<String>,
    forms: Vec<String>,
    solution_forms: Vec<String>,
}

impl Rows {
    /// Reads the rows with the commands `canonical` and `solve`.
    fn read(path: &str) -> Rows {
        let words = ["canonical", path, "--columns", "canonical,canonical_solution", "-q"];
        let classes = Ran::of(command().args(words).output().unwrap()).expect(4);
        let solved = solve(&[path, "-q", "--columns", "solution,status"]).expect(4);
        let clues = |puzzle: &String| puzzle.replace(|cell: char| !('1'..='9').contains(&cell), ".");
        Rows {
            puzzles: solved.column("puzzle").iter().map(clues).collect(),
            statuses: solved.column("status"),
            solutions: solved.column("solution"),
            forms: classes.column("canonical"),
            solution_forms: classes.column("canonical_solution"),
        }
    }

    /// Returns the board that identifies the class of a row that is not malformed.
    fn class(&self, row: usize, by: &str) -> &String {
        let is_unique = self.statuses[row] == "unique";
        match by {
            "text" => &self.puzzles[row],
            "isomorph" => &self.forms[row],
            "solution" if is_unique => &self.solutions[row],
            "solution" => &self.puzzles[row],
            _ if is_unique => &self.solution_forms[row],
            _ => &self.forms[row],
        }
    }
}

#[test]
fn no_class_is_on_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    collection(folder.path());
    let rows = Rows::read(&at("all.csv"));
    for by in ["text", "isomorph", "solution", "solution_isomorph"] {
        let words = ["split", &at("all.csv"), "--test", "40%", "--by", by, "-q"];
        let sides = Ran::of(command().args(words).output().unwrap()).expect(4).column("side");
        let mut side_of_class = HashMap::new();
        for (row, side) in sides.iter().enumerate() {
            if rows.statuses[row] == "malformed" {
                assert_eq!(side, "");
                continue;
            }
            let class = rows.class(row, by);
            assert_eq!(side_of_class.entry(class).or_insert(side), &side, "{by}: row {row}");
        }
        let test = sides.iter().filter(|side| *side == "test").count();
        assert!(test > sides.len() / 5 && test < sides.len() * 3 / 5, "{by}: {test} of {}", sides.len());
        // Some puzzles must be in the same class, or the check would prove nothing.
        assert!(
            by == "text" || side_of_class.len() < rows.puzzles.iter().collect::<HashSet<_>>().len(),
            "{by}"
        );
    }
}

#[test]
fn each_row_goes_to_one_of_two_files_with_all_of_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        let mut command = command();
        Ran::of(command.current_dir(&folder).arg("split").args(words.split(' ')).output().unwrap())
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let all = std::fs::read_to_string(dataset("statuses.csv")).unwrap();
    std::fs::write(folder.path().join("all.csv"), &all).unwrap();
    let told = run("all.csv --test 40% -o train.csv --test-output test.csv").expect(4).stderr;
    let header = all.lines().next().unwrap();
    let (train, test) = (read("train.csv"), read("test.csv"));
    let (mut written, mut rows) = (Vec::new(), all.lines().skip(1).collect::<Vec<_>>());
    for (name, text) in [("train", &train), ("test", &test)] {
        assert_eq!(text.lines().next(), Some(header));
        let count = text.lines().count() - 1;
        assert!(
            count > 0
                && told.lines().any(|line| line.split_whitespace().take(2).eq([name, &count.to_string()])),
            "{told}"
        );
        written.extend(text.lines().skip(1));
    }
    written.sort_unstable();
    rows.sort_unstable();
    assert_eq!(written, rows);

    // A row stays on its side if other rows are removed and another number of threads is used.
    let half: Vec<&str> =
        all.lines().enumerate().filter(|(line, _)| line % 2 == 0).map(|(_, row)| row).collect();
    std::fs::write(folder.path().join("half.csv"), half.join("\n")).unwrap();
    run("half.csv --test 40% --threads 3 -o half-train.csv --test-output half-test.csv -q").expect(4);
    for (of_half, of_all) in [("half-train.csv", &train), ("half-test.csv", &test)] {
        assert!(read(of_half).lines().skip(1).all(|row| of_all.lines().any(|other| other == row)));
    }

    // If one of the two outputs can't be written, neither is written.
    for (words, code, message) in [
        ("all.csv -o new.csv --test-output test.csv", 1, "test.csv already exists"),
        ("all.csv -o new.csv --test-output new.csv", 2, "new.csv"),
        ("all.csv -o - --test-output -", 2, "both sides go to standard output"),
        ("- -o new.csv --test-output newer.csv", 2, "reads the input twice"),
        ("all.csv --test-output newer.csv", 2, "--output"),
        ("all.csv --test 0 -o new.csv", 2, "write a share such as 10% or 0.1"),
        ("all.csv -o new.csv --test-output none/newer.csv", 1, "none/newer.csv"),
    ] {
        let stderr = run(words).expect(code).stderr;
        assert!(stderr.contains(message), "{words}: {stderr}");
        assert!(
            !folder.path().join("new.csv").exists() && !folder.path().join("newer.csv").exists(),
            "{words}"
        );
    }
    // A pipe or a device can't be read a second time for the second file, even if it has a name.
    #[cfg(unix)]
    {
        let stderr = run("/dev/null -o new.csv --test-output newer.csv").expect(2).stderr;
        assert!(stderr.contains("reads the input twice, which /dev/null does not allow"), "{stderr}");
        assert!(!folder.path().join("new.csv").exists());
    }
    run("all.csv --test 40% -o train.csv --test-output test.csv --force -q --seed 9").expect(4);
    assert_ne!(read("test.csv"), test);
}

#[test]
fn an_interrupted_split_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        let mut command = command();
        Ran::of(command.current_dir(&folder).arg("split").args(words.split(' ')).output().unwrap())
    };
    let rows: Vec<String> = sample().into_iter().map(|(puzzle, _)| puzzle).collect();
    std::fs::write(folder.path().join("long.txt"), (rows.join("\n") + "\n").repeat(200)).unwrap();
    run("long.txt --by text --test 40% -q -o a.txt --test-output b.txt").expect(0);
    let words = "long.txt --by text --test 40% -q --threads 1 -o c.txt --test-output d.txt --resume";
    run(&format!("{words} --stop-after-blocks 1")).expect(130);
    assert!(folder.path().join("c.txt.partial").exists() && !folder.path().join("d.txt").exists());
    run(words).expect(0);
    // Resumes a run that was started without --resume. In that run, the training rows are complete, but the file of the test rows becomes
    // too large.
    #[cfg(unix)]
    {
        let words = "--by text --test 90% -q -o e.txt --test-output f.txt";
        let limited = format!("ulimit -f 600; \"$0\" split long.txt {words}");
        let mut shell = std::process::Command::new("sh");
        let shell = shell.current_dir(&folder).args(["-c", &limited]).arg(command().get_program());
        let failed = Ran::of(shell.output().unwrap()).expect(1);
        assert!(failed.stderr.contains("remove the cause and continue with --resume"), "{}", failed.stderr);
        assert!(folder.path().join("e.txt").exists() && folder.path().join("f.txt.partial").exists());
        run(&format!("long.txt {words} --resume")).expect(0);
        run("long.txt --by text --test 90% -q -o g.txt --test-output h.txt").expect(0);
        assert!(!folder.path().join("g.txt.resume.json").exists());
        for (whole, resumed) in [("g.txt", "e.txt"), ("h.txt", "f.txt")] {
            let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
            assert!(read(whole) == read(resumed) && !read(whole).is_empty(), "{resumed}");
        }
    }
    for (whole, resumed) in [("a.txt", "c.txt"), ("b.txt", "d.txt")] {
        let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
        assert!(read(whole) == read(resumed) && !read(whole).is_empty(), "{resumed}");
    }
}

/// Writes `levels.csv`: the rows of [`collection`] and a column `level`. The level is empty in some rows, and rows of the same class may
/// have different levels.
fn with_levels(folder: &Path) {
    collection(folder);
    let all = std::fs::read_to_string(folder.join("all.csv")).unwrap();
    let levels = ["easy", "", "\"so, so\"", "hard", "easy"];
    let rows = all.lines().skip(1).enumerate();
    let rows: String =
        rows.map(|(row, puzzle)| format!("{puzzle},{}\n", levels[row * row % 7 % 5])).collect();
    std::fs::write(folder.join("levels.csv"), format!("puzzle,level\n{rows}")).unwrap();
}

#[test]
fn a_file_is_stratified_as_rows_in_memory_are() {
    let folder = tempfile::tempdir().unwrap();
    with_levels(folder.path());
    let path = folder.path().join("levels.csv").to_string_lossy().into_owned();
    let rows = Rows::read(&path);
    let rated =
        Ran::of(command().args(["rate", &path, "--columns", "difficulty,singles", "-q"]).output().unwrap())
            .expect(4);
    let clues = solve(&[&path, "--columns", "clues", "-q"]).expect(4).column("clues");
    for (by, kind) in [
        ("text", SplitBy::Text),
        ("isomorph", SplitBy::Isomorph),
        ("solution", SplitBy::Solution),
        ("solution_isomorph", SplitBy::SolutionIsomorph),
    ] {
        for (stratify, labels) in [
            ("difficulty", rated.column("difficulty")),
            ("singles", rated.column("singles")),
            ("clues", clues.clone()),
            ("level", rated.column("level")),
            ("input.level", rated.column("level")),
        ] {
            let mut numbers = HashMap::new();
            let strata: Vec<_> = (0..labels.len())
                .map(|row| match rows.statuses[row].as_str() {
                    "malformed" => ([0; 81], None),
                    _ => {
                        let next = numbers.len() as u32;
                        let class: Puzzle = rows.class(row, by).parse().unwrap();
                        (*class.values(), Some(*numbers.entry(&labels[row]).or_insert(next)))
                    }
                })
                .collect();
            let split = Split { by: kind, test: "40%".parse().unwrap(), seed: 5 };
            let expected = split.stratified(&strata).unwrap();
            assert!(expected.contains(&true));
            let words =
                ["split", &path, "--test", "40%", "--by", by, "--seed", "5", "--stratify", stratify, "-q"];
            let sides = Ran::of(command().args(words).output().unwrap()).expect(4).column("side");
            for (row, side) in sides.iter().enumerate() {
                let is_malformed = strata[row].1.is_none();
                let wanted = ["train", "test"][usize::from(expected[row])];
                assert_eq!(side, if is_malformed { "" } else { wanted }, "{by} {stratify}: row {row}");
            }
        }
    }
}

#[test]
fn each_difficulty_has_its_share_and_the_report_says_so() {
    let folder = tempfile::tempdir().unwrap();
    with_levels(folder.path());
    let run = |words: &str| {
        let mut command = command();
        Ran::of(command.current_dir(&folder).arg("split").args(words.split(' ')).output().unwrap())
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let options = "levels.csv --test 25% --by isomorph --stratify difficulty";
    let ran = run(&format!("{options} -o train.csv --test-output test.csv")).expect(4);
    let rows = Rows::read(&folder.path().join("levels.csv").to_string_lossy());
    let mut classes: BTreeMap<&String, u64> = BTreeMap::new();
    for row in (0..rows.forms.len()).filter(|row| rows.statuses[*row] != "malformed") {
        *classes.entry(&rows.forms[row]).or_default() += 1;
    }
    let several = classes.values().filter(|rows| **rows > 1).count();
    let line = |name: &str| {
        let line = ran.stderr.lines().find(|line| line.trim_start().starts_with(name));
        line.unwrap_or_else(|| panic!("{name}: {}", ran.stderr)).trim().to_owned()
    };
    let words = format!("{}  each on one side; {several} of them have several rows", classes.len());
    assert!(several > 0 && line("classes").ends_with(&words), "{}", ran.stderr);
    // A row without exactly one solution has no difficulty.
    assert!(line("(no value)").ends_with("in the test data"));
    let counts: Vec<Vec<&str>> = ran
        .stderr
        .lines()
        .filter(|line| line.ends_with("in the test data") && !line.contains("no value"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    let names: Vec<_> = counts.iter().map(|words| words[0]).collect();
    assert!(names.starts_with(&["singles", "locked"]), "the order of the difficulties: {names:?}");
    for words in counts {
        let [all, test] = [words[1], words[3]].map(|number| number.parse::<f64>().unwrap());
        // A class of equivalent puzzles, which has up to five rows here, is never divided.
        assert!((test - all / 4.0).abs() <= 5.0, "{words:?}");
    }

    // Each side has the same rows on any number of threads. The test rows are also the same if `--only` leaves out the training rows, or if
    // the input is a pipe.
    run(&format!("{options} -o one.csv --test-output one-test.csv --threads 1 -q")).expect(4);
    run(&format!("{options} -o three.csv --test-output three-test.csv --threads 3 -q")).expect(4);
    for (side, names) in
        [("train.csv", ["one.csv", "three.csv"]), ("test.csv", ["one-test.csv", "three-test.csv"])]
    {
        assert!(names.iter().all(|name| read(name) == read(side)), "{side}");
    }
    let ran = run(&format!("{options} --only side=test --columns none -o only.csv")).expect(4);
    assert!(
        read("only.csv") == read("test.csv") && ran.stderr.contains("each on one side"),
        "{}",
        ran.stderr
    );
    let piped = ["split", "-", "--test", "25%", "--by", "isomorph", "--stratify", "difficulty"];
    let piped = assert_cmd::Command::from_std(command())
        .args(piped)
        .args(["--only", "side=test", "--columns", "none", "-q"])
        .write_stdin(read("levels.csv"))
        .output();
    assert_eq!(Ran::of(piped.unwrap()).expect(4).stdout, read("test.csv"));
    // With `--limit`, the sides are the same as for a file that has only these rows.
    run("levels.csv --limit 90 --test 40% --stratify level -o first.csv --test-output first-test.csv -q")
        .expect(0);
    let first: String = read("levels.csv").lines().take(91).map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.path().join("head.csv"), first).unwrap();
    run("head.csv --test 40% --stratify level -o head-train.csv --test-output head-test.csv -q").expect(0);
    assert_eq!(read("first-test.csv"), read("head-test.csv"));
    // Control characters in the input have no effect on the terminal.
    let hostile = read("levels.csv").replace("hard", "\u{1b}[31m::error::");
    std::fs::write(folder.path().join("hostile.csv"), hostile).unwrap();
    let ran =
        run("hostile.csv --stratify level -o hostile-train.csv --test-output hostile-test.csv").expect(4);
    assert_harmless(&ran.stderr);
}

#[test]
fn strata_that_cannot_have_their_share_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    with_levels(folder.path());
    let rows: String = (0..1001).map(|row| format!("{},{row}\n", sample()[row % 60].0)).collect();
    std::fs::write(folder.path().join("numbers.csv"), format!("puzzle,number\n{rows}")).unwrap();
    let run = |words: &str| {
        let mut command = command();
        Ran::of(command.current_dir(&folder).arg("split").args(words.split(' ')).output().unwrap())
    };
    for (words, code, message) in [
        (
            "levels.csv --stratify rating",
            1,
            "the input has no column `rating`; its columns are puzzle, level; computed",
        ),
        ("levels.csv --stratify input.clues", 1, "the input has no column `clues`"),
        ("levels.csv --stratify puzzle", 1, "different values, but the test data has about"),
        ("numbers.csv --stratify number", 1, "number has more than 1000 different values"),
        (
            "levels.csv --stratify level --shard 1/2",
            2,
            "--shard: with --stratify, the side of a row depends on all rows",
        ),
    ] {
        for more in ["-o new.csv", "-o new.csv --test-output newer.csv"] {
            if words.contains("--shard") && more.contains("--test-output") {
                continue;
            }
            let stderr = run(&format!("{words} {more}")).expect(code).stderr;
            assert!(stderr.contains(message), "{words}: {stderr}");
            assert_eq!(
                std::fs::read_dir(&folder)
                    .unwrap()
                    .filter(|file| {
                        file.as_ref().unwrap().file_name().to_string_lossy().starts_with("new")
                    })
                    .count(),
                0,
                "{words} {more}"
            );
        }
    }
    let stderr = run("levels.csv --stratify level --output-format lines").expect(2).stderr;
    assert!(stderr.contains("would only copy the input"), "{stderr}");
    std::fs::write(folder.path().join("empty.csv"), "puzzle,level\n").unwrap();
    run("empty.csv --stratify level -o new.csv --test-output newer.csv").expect(0);
}

#[test]
fn an_interrupted_stratified_split_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        let mut command = command();
        Ran::of(command.current_dir(&folder).arg("split").args(words.split(' ')).output().unwrap())
    };
    let rows: Vec<String> =
        sample().into_iter().map(|(puzzle, _)| format!("{puzzle},{}", &puzzle[..1])).collect();
    let rows = (rows.join("\n") + "\n").repeat(200);
    std::fs::write(folder.path().join("long.csv"), format!("puzzle,level\n{rows}")).unwrap();
    let options = "long.csv --by text --test 40% --stratify level -q";
    run(&format!("{options} -o a.csv --test-output b.csv")).expect(0);
    let words = format!("{options} --threads 1 -o c.csv --test-output d.csv --resume");
    run(&format!("{words} --stop-after-blocks 1")).expect(130);
    assert!(folder.path().join("c.csv.partial").exists() && !folder.path().join("d.csv").exists());
    let stderr = run(&words.replace("level", "clues")).expect(1).stderr;
    assert!(stderr.contains("different --stratify: it had `level`, but this run has `clues`"), "{stderr}");
    run(&words).expect(0);
    // If only the training rows are complete, the resumed run first counts the classes again, and then writes the test rows.
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let test = read("d.csv");
    std::fs::remove_file(folder.path().join("d.csv")).unwrap();
    std::fs::remove_file(folder.path().join("d.csv.resume.json")).unwrap();
    run(&words).expect(0);
    assert!(test == read("d.csv"));
    for (whole, resumed) in [("a.csv", "c.csv"), ("b.csv", "d.csv")] {
        assert!(read(whole) == read(resumed) && !read(whole).is_empty(), "{resumed}");
    }
}
