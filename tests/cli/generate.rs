//! `sudobench generate`: the same puzzles for any number of threads, with `--skip`, and after interrupts; impossible requests.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Question, find};
use sudobench_sudoku::{Puzzle, Status};

use super::interrupts::{interrupt, wait_for};
use super::{Ran, command, solve_input};

fn generate(arguments: &[&str]) -> Ran {
    Ran::of(command().arg("generate").args(arguments).output().unwrap())
}

/// Returns options for short hill climbs.
fn climbs(solver: &str) -> [&str; 8] {
    ["--hardest", solver, "--steps", "6", "--max-nodes", "10000", "--columns", "clues,nodes"]
}

#[test]
fn puzzles_do_not_depend_on_threads_and_format() {
    let kinds: [&[&str]; 4] = [
        &["--count", "90"],
        &["--count", "40", "--clues", "25..32", "--symmetry", "rotational"],
        &["--count", "20", "--solutions", "2..40", "--columns", "count"],
        &["--count", "40", "--difficulty", "singles,pairs", "--columns", "all"],
    ];
    for kind in kinds {
        let one = generate(&[kind, &["--threads", "1"]].concat()).expect(0);
        let two = generate(&[kind, &["--threads", "2", "--simd", "baseline"]].concat()).expect(0);
        assert_eq!(one.stdout, two.stdout, "{kind:?}");
        assert_eq!(one.stdout, generate(&[kind, &["--seed", "1"]].concat()).expect(0).stdout);
        assert_ne!(one.stdout, generate(&[kind, &["--seed", "2"]].concat()).expect(0).stdout);
        let lines: String = one.column("puzzle").iter().map(|puzzle| format!("{puzzle}\n")).collect();
        // A format without columns contains the same puzzles.
        let plain: Vec<&str> = kind.iter().copied().take_while(|word| *word != "--columns").collect();
        let alone = generate(&[&plain[..], &["--output-format", "lines"]].concat()).expect(0);
        assert_eq!(alone.stdout, lines);
    }
}

#[test]
fn rate_finds_the_guesses_that_were_requested() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("made.csv");
    let file = file.to_str().unwrap();
    let kind = ["--count", "20", "--difficulty", "depth1,depth2", "-o", file, "--resume"];
    generate(&[&kind[..], &["--guesses", "4"]].concat()).expect(0);
    let rated = command().args(["rate", file, "--columns", "guesses,difficulty", "-q"]).output().unwrap();
    let rated = Ran::of(rated).expect(0);
    let guesses: Vec<f64> = rated.column("guesses").iter().map(|guesses| guesses.parse().unwrap()).collect();
    assert!(guesses.len() == 20 && guesses.iter().all(|&guesses| guesses >= 4.0), "{guesses:?}");
    assert!(rated.column("difficulty").iter().all(|found| found.starts_with("depth")));
    // Another value of `--guesses` makes other puzzles, so the run must not continue this file.
    let refused = generate(&[&kind[..], &["--guesses", "5"]].concat()).expect(1).stderr;
    assert!(refused.contains("is from a run with different --guesses: it had 4.0"), "{refused}");
}

#[test]
fn columns_describe_the_puzzles() {
    let ran = generate(&["--count", "30", "--columns", "solution,clues,status,count"]).expect(0);
    assert_eq!(ran.records()[0], ["puzzle", "solution", "clues", "status", "count"]);
    let mut dlx = find("dlx").unwrap().build(Level::Baseline).unwrap();
    for record in &ran.records()[1..] {
        let puzzle: Puzzle = record[0].parse().unwrap();
        let outcome = dlx.solve(&puzzle, &Question::unique());
        assert_eq!(outcome.status, Status::Unique);
        assert_eq!(record[1], outcome.solution.unwrap().to_string());
        assert_eq!(record[2..], [puzzle.clue_count().to_string(), "unique".to_owned(), "1".to_owned()]);
    }
    assert!(ran.stderr.starts_with("30 rows in "), "{}", ran.stderr);
    let plain = generate(&["--count", "30", "-q"]).expect(0);
    assert_eq!(plain.records()[0], ["puzzle", "solution"]);
    assert_eq!(plain.stderr, "");
    let solutions = generate(&["--count", "30", "--output-format", "lines", "--board", "solution"]).expect(0);
    assert_eq!(solutions.stdout.lines().collect::<Vec<_>>(), plain.column("solution"));

    let none = generate(&["--count", "8", "--unsolvable", "--columns", "status"]).expect(0);
    assert!(none.column("status").iter().all(|status| status == "unsolvable"));
    let some = generate(&["--count", "8", "--solutions", "3", "--columns", "count,status"]).expect(0);
    assert!(some.column("count").iter().all(|count| count == "3"));
}

#[test]
fn weights_agree_with_the_method() {
    let biased =
        generate(&["--count", "1", "--method", "controlled-bias", "--columns", "clues,weight"]).expect(0);
    let clues: u64 = biased.column("clues")[0].parse().unwrap();
    // The weight is C(81, clues) / C(81, 26).
    let choose = |n: u64| (0..n).fold(1.0, |product, at| product * (81 - at) as f64 / (at + 1) as f64);
    let weight: f64 = biased.column("weight")[0].parse().unwrap();
    assert!((weight / (choose(clues) / choose(26)) - 1.0).abs() < 1e-9, "{clues} clues: {weight}");
    let other = generate(&["--count", "3", "--method", "bottom-up", "--columns", "weight"]).expect(0);
    assert_eq!(other.column("weight"), ["", "", ""]);
}

#[test]
fn files_of_every_format_have_the_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let plain = generate(&["--count", "20"]).expect(0);
    for name in ["a.csv", "a.tsv", "a.csv.gz", "a.jsonl", "a.parquet", "a.npy", "a.txt"] {
        let path = folder.path().join(name);
        let path = path.to_str().unwrap();
        generate(&["--count", "20", "-o", path]).expect(0);
        let read = solve_input(b"", &[path, "--columns", "solution"]).expect(0);
        let of = if name == "a.npy" { read.records()[1..].to_vec() } else { Vec::new() };
        match name {
            "a.npy" => assert_eq!(of.len(), 20),
            "a.tsv" => assert!(fs::read_to_string(path).unwrap().starts_with("puzzle\tsolution\n")),
            _ => assert_eq!(read.column("puzzle"), plain.column("puzzle"), "{name}"),
        }
        assert!(
            generate(&["--count", "20", "-o", path])
                .expect(1)
                .stderr
                .contains("already exists; replace it with --force")
        );
        generate(&["--count", "20", "-o", path, "--force", "--no-sync"]).expect(0);
    }
}

#[test]
fn skipped_puzzles_do_not_change_others() {
    let asked = ["--clues", "24..30"];
    let part = generate(&[&["--count", "50", "--skip", "7"], &asked[..]].concat()).expect(0);
    let all = generate(&[&["--count", "57"], &asked[..]].concat()).expect(0);
    let rows =
        |ran: &Ran, skip: usize| ran.stdout.lines().skip(1 + skip).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rows(&part, 0), rows(&all, 7));
}

/// Starts a run, and waits until its checkpoint covers some rows of the output `partial`.
fn started(arguments: &[&str], partial: &Path) -> Child {
    let mut command = command();
    command.arg("generate").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let told = || -> Option<u64> {
        let state = fs::read(format!("{}.json", partial.display())).ok()?;
        let state: serde_json::Value = serde_json::from_slice(&state).ok()?;
        state["checkpoint"]["output"]["bytes"].as_u64()
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    while told().is_none_or(|bytes| bytes < 500) {
        assert!(Instant::now() < deadline, "no checkpoint within a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn an_interrupted_or_killed_run_is_resumed_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    // With this solver, the run takes long enough to be ended early.
    let climbs = climbs("bool-table");
    let whole = generate(&[&["--count", "150"], &climbs[..]].concat()).expect(0).stdout;
    for (is_killed, threads) in [(false, "1"), (true, "2")] {
        let out = folder.path().join(format!("{threads}.csv"));
        let partial = folder.path().join(format!("{threads}.csv.partial"));
        let asked =
            [&["--count", "150", "--threads", threads, "-o", out.to_str().unwrap()], &climbs[..]].concat();
        let mut child = started(&asked, &partial);
        if is_killed {
            child.kill().unwrap();
            child.wait().unwrap();
        } else {
            interrupt(&child);
            let ran = Ran::of(child.wait_with_output().unwrap()).expect(130);
            assert!(ran.stderr.contains("continue with the same options and --resume"), "{}", ran.stderr);
            let left = fs::read_to_string(&partial).unwrap();
            assert!(left.ends_with('\n') && whole.starts_with(&left), "{left}");
        }
        let other = generate(&[&asked[..], &["--resume", "--seed", "2"]].concat()).expect(1);
        assert!(other.stderr.contains("from a run with different --seed"), "{}", other.stderr);
        let resumed = generate(&[&asked[..], &["--resume"]].concat()).expect(0);
        assert!(resumed.stderr.contains("from an earlier run"), "{}", resumed.stderr);
        assert_eq!(fs::read_to_string(&out).unwrap(), whole);
    }
}

#[test]
fn an_interrupt_does_not_wait_for_hours_of_work() {
    let folder = tempfile::tempdir().unwrap();
    let endless: [&[&str]; 2] = [
        &["--hardest", "bool-table", "--steps", "100000000", "--max-nodes", "100000000"],
        &["--minimal", "--clues", "17", "--attempts", "100000000000"],
    ];
    for (at, asked) in endless.iter().enumerate() {
        let out = folder.path().join(format!("{at}.csv"));
        let mut command = command();
        command.args(["generate", "--count", "5", "-o", out.to_str().unwrap()]).args(*asked);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Waits for the header. There will be no row, because the search for the first puzzle takes hours.
        wait_for(&folder.path().join(format!("{at}.csv.partial")), 1);
        interrupt(&child);
        let ran = Ran::of(child.wait_with_output().unwrap()).expect(130);
        assert!(ran.stderr.contains("interrupted after 0 rows"), "{}", ran.stderr);
    }
}

#[test]
fn a_puzzle_that_is_not_found_ends_the_run_and_more_attempts_continue_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    // About one attempt in twenty finds a minimal puzzle with 22 clues.
    let asked = ["--count", "60", "--minimal", "--clues", "22", "--columns", "clues"];
    let whole = generate(&asked).expect(0).stdout;
    let limited = [&asked[..], &["-o", out.to_str().unwrap(), "--attempts"]].concat();
    for threads in ["1", "2"] {
        let ran = generate(&[&limited[..], &["30", "--threads", threads, "--force"]].concat()).expect(1);
        let left = fs::read_to_string(folder.path().join("out.csv.partial")).unwrap();
        let number = left.lines().count() - 1;
        let words = format!(
            "--resume continues after these rows; it can also be used with more --attempts: puzzle {number} of the seed was not found in 30 \
             attempts: 30 had a different number of clues; request something less rare, allow more --attempts, or start again with --method climb\n"
        );
        assert!(ran.stderr.contains(&words), "{}", ran.stderr);
        assert!(whole.starts_with(&left));
    }
    generate(&[&limited[..], &["100000", "--resume"]].concat()).expect(0);
    assert_eq!(fs::read_to_string(&out).unwrap(), whole);

    // If a puzzle is not found, --order-by and --sample still write the puzzles before it.
    let out = out.to_str().unwrap();
    let few = ["--count", "60", "--minimal", "--clues", "22", "--columns", "solution", "--attempts", "80"];
    let ran = generate(&[&few[..], &["--order-by", "-solution", "-o", out, "--force"]].concat()).expect(1);
    let left = fs::read_to_string(folder.path().join("out.csv.partial")).unwrap();
    let rows: Vec<_> = left.lines().skip(1).map(|row| row.split_once(',').unwrap()).collect();
    assert!(rows.len() > 1 && rows.is_sorted_by(|(_, one), (_, next)| one > next), "{left}");
    let before: Vec<_> = whole.lines().skip(1).take(rows.len()).collect();
    assert!(rows.iter().all(|(puzzle, _)| before.contains(&format!("{puzzle},22").as_str())), "{left}");
    let words = "out.csv.partial; --order-by, --sample and --pass-at need all rows, so the run cannot be continued; start \
                 again with --force";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    std::fs::remove_file(out).unwrap();
    let again = generate(&[&few[..], &["--order-by", "-solution", "-o", out]].concat()).expect(1);
    let words = "out.csv.partial is from a run that did not finish; start again with --force\n";
    assert!(again.stderr.ends_with(words), "{}", again.stderr);
    // A run without --order-by can't continue this file either.
    let unordered = generate(&[&few[..], &["-o", out]].concat()).expect(1);
    assert!(unordered.stderr.ends_with(words), "{}", unordered.stderr);
    let resumed = generate(&[&few[..], &["-o", out, "--resume"]].concat()).expect(1);
    let words = "is from a run with --order-by, --sample or --pass-at, which cannot be continued; start again with --force\n";
    assert!(resumed.stderr.ends_with(words), "{}", resumed.stderr);
    let drawn = generate(&[&few[..], &["--sample", "2"]].concat()).expect(1);
    assert_eq!(drawn.stdout.lines().count(), 3, "{}", drawn.stdout);
}

#[test]
fn conditions_choose_among_the_generated_puzzles() {
    let all = generate(&["--count", "60", "--columns", "clues"]).expect(0);
    let ran = generate(&["--count", "60", "--columns", "clues", "--only", "clues=..24"]).expect(0);
    let kept: Vec<&str> =
        all.stdout.lines().filter(|line| !line.ends_with(|end| ('5'..='9').contains(&end))).collect();
    assert!(kept.len() > 5 && kept.len() < 60, "{}", all.stdout);
    assert_eq!(ran.stdout.lines().collect::<Vec<_>>(), kept);
    assert!(ran.stderr.contains("of these rows, by --only"), "{}", ran.stderr);
}

#[test]
fn the_formats_of_the_judge_can_have_puzzles_or_solutions() {
    for (board, blanks) in [("puzzle", true), ("solution", false)] {
        let ran = generate(&["--count", "1", "--output-format", "boj2580", "--board", board, "-q"]).expect(0);
        let lines = ran.stdout.lines().filter(|line| !line.is_empty()).count();
        assert_eq!((lines, ran.stdout.contains('0')), (9, blanks), "{}", ran.stdout);
    }
}

#[test]
fn common_names_of_symmetries_are_accepted() {
    let made = |symmetry: &str| {
        generate(&["--count", "3", "--clues", "30..40", "--symmetry", symmetry, "-q"]).expect(0).stdout
    };
    for (alias, name) in [
        ("rotate180", "rotational"),
        ("rotational-90", "rotational90"),
        ("mirror-x", "horizontal"),
        ("mirror-y", "vertical"),
        ("anti-diagonal", "antidiagonal"),
    ] {
        assert_eq!(made(alias), made(name), "{alias}");
    }
}

#[test]
fn impossible_requests_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let band = format!("{}{}", ".".repeat(18), "x".repeat(63));
    let corner = format!("{}.", "x".repeat(80));
    let cases: &[(&[&str], &str)] = &[
        (&["--clues", "16"], "no puzzle with fewer than 17 clues has exactly one solution (McGuire"),
        (&["--clues", "30..22"], "30 to 22 clues: write the smaller number first"),
        (&["--clues", "x"], "or 2e4; write a range like 22..30"),
        (&["--solutions", "2..1e20"], "write a smaller number"),
        (&["--minimal", "--clues", "41..50"], "no minimal puzzle with more than 40 clues is known"),
        (&["--method", "climb", "--clues", "41"], "no minimal puzzle with more than 40 clues is known"),
        (&["--max-se", "4.25"], "write a rating from 0 to 19.9 with at most one decimal, such as 4.2"),
        (&["--min-se", "6.3", "--max-se", "6.4"], "no technique is rated 6.3 to 6.4"),
        (
            &["--min-se", "9", "--difficulty", "singles,locked"],
            "puzzles of difficulty locked are rated up to 2.8, but the request needs a rating of 9.0 or more",
        ),
        (
            &["--technique", "naked-pair", "--difficulty", "singles"],
            "rated up to 2.3, but the request needs a rating of 3.0",
        ),
        (&["--hardest-technique", "x-wing", "--difficulty", "locked"], "needs a rating of 3.2 or more"),
        (&["--clues", "26", "--symmetry", "rotational90"], "its clues come in groups of 1 or 4"),
        (&["--symmetry", "round"], "possible values: none, rotational"),
        (&["--pattern", &band], "rows 1 and 2 of one band have no clues"),
        (&["--pattern", "x.x"], "3 characters, but a pattern has 81"),
        (
            &["--pattern", &corner, "--symmetry", "full"],
            "the pattern lacks the symmetry full: it has r1c1 and not r9c9",
        ),
        (&["--solutions", "0..3"], "a range cannot include 0"),
        (&["--solutions", "2..2000000"], "from 1 to 1000000"),
        (&["--solutions", "2", "--unsolvable"], "--solutions: --unsolvable already sets"),
        (&["--solutions", "2", "--minimal"], "several solutions and minimal puzzles cannot be combined"),
        (
            &["--solutions", "2", "--clues", "78..80"],
            "with 78 clues or more a puzzle has at most one solution",
        ),
        (
            &["--solutions", "2", "--pattern", &corner],
            "with 80 clues or more a puzzle has at most one solution",
        ),
        (&["--unsolvable", "--clues", "77"], "a puzzle with 77 clues or more always has a solution"),
        (&["--unsolvable", "--pattern", &corner], "request 76 or fewer"),
        (&["--unsolvable", "--difficulty", "singles"], "no solution and a difficulty cannot be combined"),
        (
            &["--solutions", "2", "--guesses", "3"],
            "several solutions and a number of guesses cannot be combined",
        ),
        (&["--guesses", "0"], "write 1 or more"),
        (&["--difficulty", "easy"], "choose from singles, locked, pairs, depth1, depth2, depth3"),
        (&["--attempts", "0"], "write 1 or more"),
        (&["--hardest", "auto"], "solves many puzzles together"),
        (
            &["--hardest", "mrv", "--clues", "24"],
            "the hardest puzzles and a number of clues cannot be combined",
        ),
        (&["--steps", "9"], "--steps: this option is for the search for hard puzzles: add --hardest"),
        (&["--hardest-engine", "mine"], "write NAME='COMMAND ARGUMENTS'"),
        (
            &["--hardest-engine", "mine=cat", "--hardest", "mrv"],
            "--hardest: --hardest-engine also names a solver",
        ),
        (
            &["--hardest-engine", "mine=cat", "--max-solutions", "1"],
            "--max-solutions: a program of --hardest-engine",
        ),
        (
            &["--hardest-engine", "mine=cat", "--engine-protocol", "boj2580"],
            "cannot print how much work it did: use the protocol `lines`, `files` or `library`",
        ),
        (&["--hardest-engine", "mine=cat", "--engine-protocol", "other=files"], "there is no engine `other`"),
        (&["--blank", "0"], "--hardest-engine <NAME=COMMAND>"),
        (&["--board", "solution"], "--board: only the output formats lines, boj2580, boj2239, grid and npy"),
        (&["--columns", "nodes"], "there is no column `nodes`"),
        (&["--skip", "18446744073709551615"], "skip fewer"),
        (&["--method", "bottom-up", "--clues", "25"], "bottom-up and a number of clues cannot be combined"),
        (
            &["--method", "controlled-bias", "--unsolvable"],
            "controlled-bias and no solution cannot be combined",
        ),
    ];
    for (arguments, words) in cases {
        let all = [&["--count", "1", "-o", out.to_str().unwrap()], *arguments].concat();
        let ran = generate(&all).expect(2);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{arguments:?}");
    }
    assert!(generate(&[]).expect(2).stderr.contains("--count <N>"));
}

#[test]
fn nodes_agree_with_solve() {
    let ran = generate(&[&["--count", "12"], &climbs("bool-table")[..]].concat()).expect(0);
    let solved = solve_input(
        ran.stdout.as_bytes(),
        &["--solver", "bool-table", "--columns", "nodes,status", "--puzzle-column", "puzzle"],
    )
    .expect(0);
    assert_eq!(ran.column("nodes"), solved.column("sudobench_nodes"));
    assert!(solved.column("status").iter().all(|status| status == "unique"));
    let first =
        generate(&[&["--count", "3", "--max-solutions", "1"], &climbs("bool-table")[..]].concat()).expect(0);
    let solved = solve_input(
        first.stdout.as_bytes(),
        &[
            "--solver",
            "bool-table",
            "--columns",
            "nodes",
            "--puzzle-column",
            "puzzle",
            "--max-solutions",
            "1",
        ],
    )
    .expect(0);
    assert_eq!(first.column("nodes"), solved.column("sudobench_nodes"));
}

/// Writes a script that solves with `mrv` and also prints the number of search nodes. Only the first `calls` calls of the script
/// succeed.
fn counting_engine(folder: &Path, calls: usize) {
    let program = env!("CARGO_BIN_EXE_sudobench");
    let script = format!(
        "echo >>calls; [ $(wc -l <calls) -le {calls} ] || {{ echo out of tables >&2; exit 9; }}
        {program} solve --solver mrv --columns solution,nodes -q | sed -e 1d -e 's/^[^,]*,//' -e 's/,/ nodes=/'"
    );
    fs::write(folder.join("engine.sh"), script).unwrap();
    fs::write(folder.join("calls"), "").unwrap();
}

/// Generates four puzzles that are hard for an engine. `engine` is the name and the command of the engine.
fn hard_for(folder: &Path, engine: &str, more: &[&str]) -> Ran {
    hard_ones_for(folder, "4", engine, more)
}

fn hard_ones_for(folder: &Path, count: &str, engine: &str, more: &[&str]) -> Ran {
    let mut command = command();
    command.args(["generate", "--count", count, "--hardest-engine", engine, "--columns", "clues,nodes"]);
    Ran::of(
        command
            .args(["--steps", "3", "--max-nodes", "10000"])
            .args(more)
            .current_dir(folder)
            .output()
            .unwrap(),
    )
}

#[test]
fn a_program_with_the_same_search_gets_the_same_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    counting_engine(folder.path(), 1_000_000);
    let mut by_solver = climbs("mrv");
    by_solver[3] = "3";
    let by_solver = generate(&[&["--count", "4"], &by_solver[..]].concat()).expect(0).stdout;
    for threads in ["1", "2"] {
        let ran = hard_for(folder.path(), "mine=sh engine.sh", &["--threads", threads]).expect(0);
        assert_eq!(ran.stdout, by_solver);
    }
    let files = "mine=sh -c 'sh engine.sh <\"$0\" >\"$1\"' {input} {output}";
    let ran = hard_for(folder.path(), files, &["--engine-protocol", "files", "--blank", "0"]).expect(0);
    assert_eq!(ran.stdout, by_solver);
}

#[test]
fn a_failing_program_ends_the_run_with_complete_rows() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    counting_engine(folder.path(), 1_000_000);
    let whole = hard_for(folder.path(), "mine=sh engine.sh", &[]).expect(0).stdout;
    counting_engine(folder.path(), 1_000_000);
    hard_ones_for(folder.path(), "2", "mine=sh engine.sh", &[]).expect(0);
    // The program works until two puzzles are finished, and fails in a later call.
    let calls = fs::read_to_string(folder.path().join("calls")).unwrap().lines().count();
    counting_engine(folder.path(), calls + 1);
    let ran = hard_for(folder.path(), "mine=sh engine.sh", &["-o", "out.csv", "--threads", "1"]).expect(1);
    let words = "the rows before the error are in out.csv.partial; remove the cause and continue with --resume: --hardest-engine failed: \
                 mine on the puzzle ";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    assert!(ran.stderr.contains("`sh` ended with exit status: 9: out of tables"), "{}", ran.stderr);
    let left = fs::read_to_string(folder.path().join("out.csv.partial")).unwrap();
    assert!(whole.starts_with(&left) && left.lines().count() == 3, "{left}");

    counting_engine(folder.path(), 1_000_000);
    let other = hard_for(folder.path(), "mine=sh ./engine.sh", &["-o", "out.csv", "--resume"]).expect(1);
    assert!(other.stderr.contains("from a run with different"), "{}", other.stderr);
    hard_for(folder.path(), "mine=sh engine.sh", &["-o", "out.csv", "--resume"]).expect(0);
    assert_eq!(fs::read_to_string(&out).unwrap(), whole);
}

#[test]
fn a_program_without_counts_is_refused_before_the_first_row() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("mine={} solve --output-format lines -q", env!("CARGO_BIN_EXE_sudobench"));
    let ran = hard_for(folder.path(), &engine, &["-o", "out.csv"]).expect(1);
    assert!(ran.stderr.contains("print nodes=N or guesses=N after the solution"), "{}", ran.stderr);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_pattern_is_given_up_after_fewer_attempts() {
    let asked = |attempts: &[&str]| {
        let pattern = format!("{}{}", "x".repeat(17), ".".repeat(64));
        generate(&[&["--count", "1", "--solutions", "3", "--pattern", &pattern], attempts].concat()).expect(1)
    };
    assert!(asked(&[]).stderr.contains("was not found in 100 attempts"), "{}", asked(&[]).stderr);
    let stderr = asked(&["--attempts", "7"]).stderr;
    assert!(stderr.contains("was not found in 7 attempts"), "{stderr}");
    // The method `climb` cannot use a pattern, so the message does not suggest this method.
    assert!(stderr.ends_with("request something less rare, or allow more --attempts\n"), "{stderr}");
}
