//! `split`: all puzzles that count as the same puzzle (`--by`) go to the same file, and every row goes to exactly one of the two files.

use super::*;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Writes `all.csv` with rows of every status, most of them several times in equivalent forms, and with puzzles that have the same
/// solution.
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

#[test]
fn no_class_is_on_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    collection(folder.path());
    let classes = Ran::of(
        command()
            .args(["canonical", &at("all.csv"), "--columns", "canonical,canonical_solution", "-q"])
            .output()
            .unwrap(),
    );
    let classes = classes.expect(4);
    let solved = solve(&[&at("all.csv"), "-q", "--columns", "solution,status"]).expect(4);
    let (forms, grid_forms) = (classes.column("canonical"), classes.column("canonical_solution"));
    let (grids, statuses) = (solved.column("solution"), solved.column("status"));
    let puzzles: Vec<String> = solved
        .column("puzzle")
        .iter()
        .map(|puzzle| puzzle.replace(|cell: char| !('1'..='9').contains(&cell), "."))
        .collect();
    for by in ["text", "isomorph", "solution", "solution_isomorph"] {
        let words = ["split", &at("all.csv"), "--test", "40%", "--by", by, "-q"];
        let sides = Ran::of(command().args(words).output().unwrap()).expect(4).column("side");
        let mut side_of_class = HashMap::new();
        for (row, side) in sides.iter().enumerate() {
            if statuses[row] == "malformed" {
                assert_eq!(side, "");
                continue;
            }
            let is_unique = statuses[row] == "unique";
            let class = match by {
                "text" => &puzzles[row],
                "isomorph" => &forms[row],
                "solution" if is_unique => &grids[row],
                "solution" => &puzzles[row],
                _ if is_unique => &grid_forms[row],
                _ => &forms[row],
            };
            assert_eq!(side_of_class.entry(class).or_insert(side), &side, "{by}: row {row}");
        }
        let test = sides.iter().filter(|side| *side == "test").count();
        assert!(test > sides.len() / 5 && test < sides.len() * 3 / 5, "{by}: {test} of {}", sides.len());
        // Some puzzles must be in the same class, or the check would prove nothing.
        assert!(by == "text" || side_of_class.len() < puzzles.iter().collect::<HashSet<_>>().len(), "{by}");
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

    // A row stays on its side if other rows are removed, and on any number of threads.
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
    // A pipe can't be read a second time for the second file, even if the pipe has a name.
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
