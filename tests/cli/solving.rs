//! `sudobench solve`: the status of each puzzle, the options that decide how many solutions are searched for, and limits.

use super::{Ran, command, dataset, sample, solve, solve_input};

#[test]
fn statuses_agree_with_the_dataset() {
    let ran = solve(&[&dataset("statuses.csv"), "--columns", "status,solution,note"]).expect(4);
    assert_eq!(ran.column("status"), ran.column("expected_status"));
    for (answer, solution) in ran.column("answer").iter().zip(ran.column("solution")) {
        assert!(answer.is_empty() || *answer == solution, "{answer} {solution}");
    }
    let notes = ran.column("note");
    assert_eq!(notes.iter().filter(|note| !note.is_empty()).count(), 4, "{notes:?}");
    assert!(ran.stderr.contains("statuses.csv:24: malformed: 80 characters where a puzzle has 81"));
    assert!(ran.stderr.contains("0  of 15 expected solutions"), "{}", ran.stderr);
}

#[test]
fn output_does_not_depend_on_solver_or_level() {
    let input = dataset("sample.csv");
    let with = |flags: &[&str]| {
        let arguments = [&[input.as_str(), "-q", "--limit", "20"], flags].concat();
        solve(&arguments).expect(0).stdout
    };
    let expected = with(&[]);
    assert_eq!(expected.lines().count(), 21);
    for variant in sudobench_sudoku::solver::listed() {
        assert_eq!(with(&["--solver", variant.name]), expected, "{}", variant.name);
    }
    for level in sudobench_sudoku::simd::Level::supported() {
        assert_eq!(with(&["--simd", level.name()]), expected, "{level}");
    }
}

fn two_solutions() -> String {
    let mut reader = csv::Reader::from_path(dataset("statuses.csv")).unwrap();
    let row = reader.records().map(Result::unwrap).find(|row| row[3].starts_with("two solutions")).unwrap();
    row[0].to_owned() + "\n"
}

#[test]
fn the_question_decides_the_status() {
    let input = two_solutions();
    let asked = |flags: &[&str]| -> Vec<String> {
        let ran = solve_input(input.as_bytes(), &[&["--columns", "status,count"], flags].concat()).expect(0);
        ran.records().swap_remove(1)[1..].to_vec()
    };
    assert_eq!(asked(&[]), ["multiple", "2"]);
    assert_eq!(asked(&["--max-solutions", "1"]), ["solved", "1"]);
    assert_eq!(asked(&["--max-solutions", "50"]), ["multiple", "2"]);
    assert_eq!(asked(&["--budgets", "boj2580"]), ["solved", "1"]);
    assert_eq!(asked(&["--budgets", "boj2580", "--max-solutions", "2"]), ["multiple", "2"]);
}

#[test]
fn boj2239_requires_the_smallest_solution() {
    let input = two_solutions();
    let smallest = solve_input(input.as_bytes(), &["--columns", "solution"]).expect(0).column("solution");
    for variant in sudobench_sudoku::solver::listed() {
        let flags = ["--budgets", "boj2239", "--columns", "solution", "--solver", variant.name];
        assert_eq!(solve_input(input.as_bytes(), &flags).expect(0).column("solution"), smallest);
    }
}

#[test]
fn expected_solutions_are_compared_and_mismatches_marked() {
    let (puzzle, solution) = sample().swap_remove(3);
    let wrong = solution.replacen('1', "2", 1);
    let input = format!("puzzle,solution\n{puzzle},{solution}\n{puzzle},{wrong}\n{puzzle},12\n{puzzle},\n");
    let ran = solve_input(input.as_bytes(), &["--columns", "status,note"]).expect(4);
    let note = ran.column("note");
    assert_eq!(note[0], "");
    assert_eq!(note[1], "the expected solution does not solve the puzzle");
    assert_eq!(note[2], "the expected solution is not 81 digits");
    assert_eq!(note[3], "");
    assert!(
        ran.stderr.contains("standard input:3: differs from the expected solution: the expected"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("2  of 3 expected solutions"), "{}", ran.stderr);
}

#[test]
fn another_solution_matches_if_any_is_requested() {
    let puzzle = two_solutions();
    let puzzle = puzzle.trim();
    let both = |flags: &[&str]| -> Ran {
        let smallest =
            solve_input(puzzle.as_bytes(), &["--columns", "solution"]).column("solution").remove(0);
        let other = other_solution(puzzle, &smallest);
        solve_input(format!("puzzle,solution\n{puzzle},{other}\n{puzzle},{smallest}\n").as_bytes(), flags)
    };
    both(&["--max-solutions", "1"]).expect(0);
    assert!(both(&[]).expect(4).stderr.contains(
        "the puzzle has several solutions, and the expected solution is not the one that was found"
    ));
}

/// Returns the second solution of a puzzle with four blanks that two digits can fill in two ways. `solution` is the first solution.
fn other_solution(puzzle: &str, solution: &str) -> String {
    let blanks: Vec<usize> =
        puzzle.char_indices().filter(|(_, cell)| *cell == '.').map(|(at, _)| at).collect();
    let digit = |blank: usize| solution.as_bytes()[blank];
    let (first, second) =
        (digit(blanks[0]), blanks.iter().map(|&at| digit(at)).find(|&d| d != digit(blanks[0])).unwrap());
    let swapped = solution.bytes().enumerate().map(|(at, byte)| match (blanks.contains(&at), byte) {
        (true, byte) if byte == first => second,
        (true, _) => first,
        (false, byte) => byte,
    });
    String::from_utf8(swapped.collect()).unwrap()
}

#[test]
fn a_puzzle_aborted_at_a_limit_changes_the_exit_code() {
    let monsters = [super::common::MONSTER; 3].join("\n");
    for (flag, value) in [("--max-nodes", "5000"), ("--max-time-per-puzzle", "3ms")] {
        let flags = ["--solver", "blank-scan", flag, value, "--columns", "status,solution"];
        let ran = solve_input(monsters.as_bytes(), &flags).expect(4);
        assert_eq!(ran.column("status"), ["aborted"; 3]);
        assert_eq!(ran.column("solution"), [""; 3]);
        assert!(ran.stderr.contains("0 of 3"), "an aborted puzzle is not within any budget: {}", ran.stderr);
    }
}

#[test]
fn skip_and_limit_select_rows() {
    let input = dataset("sample.csv");
    let ids = |flags: &[&str]| solve(&[&[input.as_str(), "-q"], flags].concat()).expect(0).column("id");
    assert_eq!(ids(&["--skip", "57"]), ["58", "59", "60"]);
    assert_eq!(ids(&["--skip", "2", "--limit", "3"]), ["3", "4", "5"]);
    assert_eq!(ids(&["--limit", "0"]), Vec::<String>::new());
}

#[test]
fn counts_are_accepted_as_typed() {
    let input = dataset("sample.csv");
    let rows = |arguments: &[&str]| {
        solve(&[&[&input[..], "--columns", "status"], arguments].concat()).expect(0).column("status").len()
    };
    assert_eq!(rows(&["--limit", "1e1"]), 10);
    for limit in ["1e6", "1_000_000", "1,000,000", "1M", "20k"] {
        assert_eq!(rows(&["--limit", limit, "--max-nodes", limit]), 60, "{limit}");
    }
    assert_eq!(rows(&["--skip", "0.05k"]), 10);
    for (limit, words) in [
        ("many", "write a whole number, such as 20000, 20_000, 20k, 1.5M or 2e4"),
        ("1e30", "write a smaller number: this one is too large"),
    ] {
        let ran = solve(&[&input, "--limit", limit]).expect(2);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

#[test]
fn reports_without_solving_do_not_mention_it() {
    let ran = solve(&[&dataset("sample.csv"), "--columns", "clues"]).expect(0);
    assert!(ran.stderr.contains("60 rows in") && ran.stderr.contains("(not solved, "), "{}", ran.stderr);
    for word in ["latency", "guess", "timed", "budget"] {
        assert!(!ran.stderr.contains(word), "{word}: {}", ran.stderr);
    }
}

#[test]
fn too_many_threads_are_refused() {
    let refused = solve(&[&dataset("sample.csv"), "--threads", "1000000"]).expect(2);
    assert!(refused.stderr.contains("write 1024 or fewer"), "{}", refused.stderr);
}

#[test]
fn puzzles_can_be_arguments_of_every_verb() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| Ran::of(command().args(words).current_dir(folder.path()).output().unwrap());
    let [(first, solution), (second, _)] = [0, 1].map(|at| sample().swap_remove(at));
    let solved = run(&["solve", "-q", &first, &second]).expect(0);
    assert_eq!(solved.column("puzzle"), [first.clone(), second.clone()]);
    assert_eq!(solved.column("solution")[0], solution);
    assert_eq!(run(&["rate", "-q", &second, "--columns", "singles"]).expect(0).column("singles"), ["yes"]);
    // The drawn grid of a solution can be an argument, and is read as a puzzle with 81 clues.
    let drawn = run(&["solve", "-q", &first, "--output-format", "grid"]).expect(0).stdout;
    assert!(drawn.lines().count() == 12 && drawn.contains("------+-------+------"), "{drawn}");
    let again = run(&["check", "-q", &drawn, &second, "--columns", "clues"]).expect(0);
    assert_eq!(again.column("clues"), ["81", "34"]);
    // With another puzzle, the job is different, so `--resume` refuses it.
    run(&["solve", "-q", &first, "-o", "out.csv", "--resume"]).expect(0);
    run(&["solve", "-q", &first, "-o", "out.csv", "--resume"]).expect(0);
    run(&["solve", "-q", &second, "-o", "out.csv", "--resume"]).expect(1);
    // An argument that is almost a puzzle is reported. If a file has a puzzle as its name, the file is read.
    for (word, told) in
        [(&first[1..], "it has 80 characters instead of 81"), ("12\n34", "write nine lines of nine cells")]
    {
        assert!(run(&["solve", word]).expect(2).stderr.contains(told));
    }
    assert!(run(&["solve", "123"]).expect(1).stderr.contains("cannot open 123"));
    std::fs::write(folder.path().join(&first), format!("{second}\n")).unwrap();
    assert_eq!(run(&["solve", "-q", &first]).expect(0).column("puzzle"), [second]);
}
