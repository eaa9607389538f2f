//! `sudobench solutions`: a row for every solution.

use sudobench_sudoku::{Puzzle, Solution};

use super::{Ran, command};

fn solutions(input: &str, arguments: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::from_std(command());
    Ran::of(command.arg("solutions").args(arguments).write_stdin(input).output().unwrap())
}

#[test]
fn all_solutions_are_listed_once_in_ascending_order() {
    let puzzle: Puzzle =
        "....8..1.....5....2......5.9..8.....6....9....7.2..3...3....2.7.....6.8.1...4....".parse().unwrap();
    let count = sudobench_sudoku::count(&puzzle, 10_000);
    assert!(count > 20, "{count}");
    let input = format!("puzzle,id\n{puzzle},a\n,b\n");
    let ran = solutions(&input, &["--columns", "solution,number,complete,status,note"]).expect(4);
    let rows: Vec<Vec<&str>> = ran.stdout.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len() as u64, count.min(1000) + 1);
    let found: Vec<Solution> = rows[..rows.len() - 1].iter().map(|row| row[2].parse().unwrap()).collect();
    assert!(found.is_sorted() && found.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(found.iter().all(|solution| solution.check(&puzzle).is_ok()));
    for (number, row) in rows[..rows.len() - 1].iter().enumerate() {
        let complete = if count <= 1000 { "yes" } else { "no" };
        assert_eq!((row[1], row[3], row[4]), ("a", &*(number + 1).to_string(), complete));
    }
    let last = rows.last().unwrap();
    assert_eq!((last[1], last[2], last[3], last[5]), ("b", "", "", "malformed"));
}

#[test]
fn the_limit_is_reported_and_a_puzzle_without_solutions_has_one_row() {
    let unsolvable = format!("{:.<81}", "11");
    let input = format!("{}\n{unsolvable}\n", ".".repeat(81));
    let ran = solutions(&input, &["--limit-per-puzzle", "2", "--columns", "solution,complete"]).expect(0);
    let rows: Vec<&str> = ran.stdout.lines().skip(1).collect();
    assert_eq!(rows.len(), 3, "{}", ran.stdout);
    assert!(rows[0].ends_with(",no") && rows[1].ends_with(",no") && rows[2].ends_with(",,yes"), "{rows:?}");
    assert!(
        ran.stderr.contains("incomplete") && ran.stderr.contains("more results than --limit-per-puzzle 2"),
        "{}",
        ran.stderr
    );
    let lines = solutions(&input, &["--limit-per-puzzle", "2", "--output-format", "lines", "-q"]);
    assert_eq!(lines.stdout.lines().filter(|line| line.parse::<Solution>().is_ok()).count(), 2);
}
