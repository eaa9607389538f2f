//! Inputs of many blocks: the output does not depend on the number of threads.

use std::fmt::Write as _;
#[cfg(target_os = "linux")]
use std::fs;
#[cfg(target_os = "linux")]
use std::io::Write as _;
#[cfg(target_os = "linux")]
use std::process::Stdio;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::random::Random;

#[cfg(target_os = "linux")]
use super::command;
use super::common::grids::renamed;
use super::{Ran, dataset, sample, solve, solve_input};

/// Number of rows: enough for more blocks than threads.
const ROWS: usize = 20_000;

/// Rows with an id, and the status of each.
struct Mixture {
    text: String,
    statuses: Vec<String>,
}

/// Returns rows that are drawn at random from the puzzles in the repository: easy and minimal puzzles, some with several solutions or none,
/// and malformed rows. The digits, rows and columns of each puzzle are permuted.
fn mixture() -> Mixture {
    let mut kinds: Vec<_> = sample().into_iter().map(|(puzzle, _)| (puzzle, "unique".to_owned())).collect();
    let mut reader = csv::Reader::from_path(dataset("statuses.csv")).unwrap();
    kinds.extend(reader.records().map(Result::unwrap).map(|row| (row[0].to_owned(), row[2].to_owned())));
    let mut random = Random::new(9);
    let mut mixture = Mixture { text: "id,puzzle\n".to_owned(), statuses: Vec::new() };
    for id in 0..ROWS {
        let (text, status) = &kinds[random.below(kinds.len())];
        let puzzle = text.parse::<Puzzle>().map(|puzzle| renamed(&mut random, &puzzle).to_string());
        writeln!(mixture.text, "{id},{}", puzzle.as_ref().unwrap_or(text)).unwrap();
        mixture.statuses.push(status.clone());
    }
    mixture
}

/// Returns the columns whose values are the same for all solvers.
fn verdicts(ran: &Ran) -> [Vec<String>; 3] {
    ["status", "count", "solution"].map(|name| ran.column(name))
}

#[test]
fn outputs_do_not_depend_on_the_number_of_threads() {
    let Mixture { text, statuses } = mixture();
    for status in ["unique", "multiple", "unsolvable", "malformed"] {
        assert!(statuses.iter().any(|it| it == status), "no row is {status}");
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &text).unwrap();
    let mut agreed = None;
    for solver in ["auto", "bitslice", "mrv"] {
        let flags = |threads| {
            [
                "-q",
                "--solver",
                solver,
                "--columns",
                "status,count,nodes,guesses,solution",
                "--threads",
                threads,
            ]
        };
        let one = solve_input(text.as_bytes(), &flags("1")).expect(4);
        assert!(one.column("id").iter().eq((0..ROWS).map(|id| id.to_string()).collect::<Vec<_>>().iter()));
        assert!(one.column("status") == statuses, "{solver}");
        assert!(*agreed.get_or_insert_with(|| verdicts(&one)) == verdicts(&one), "{solver}");
        for threads in ["2", "5"] {
            // A pipe is read in other pieces than a file, but the blocks are the same.
            let piped = solve_input(text.as_bytes(), &flags(threads)).expect(4);
            assert!(piped.stdout == one.stdout, "{solver}, {threads} threads, from a pipe");
            let path = file.path().to_str().unwrap();
            let read = solve(&[&[path][..], &flags(threads)].concat()).expect(4);
            assert!(read.stdout == one.stdout, "{solver}, {threads} threads, from a file");
        }
    }
}

/// Only anonymous memory counts (`RssAnon`), because the system shares the pages of the program file between processes and can drop them.
#[cfg(target_os = "linux")]
#[test]
fn a_run_with_two_threads_takes_at_most_16_mib() {
    let sample = sample();
    let rows = sample.iter().map(|(puzzle, solution)| format!("{puzzle},{solution}\n"));
    let rows: String = rows.cycle().take(80_000).collect();
    let mut command = command();
    command.args(["solve", "-q", "--threads", "2", "-o", "/dev/null"]).stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"puzzle,solution\n").unwrap();
    let mut most = 0;
    // A write ends when the run has read nearly all of it. So the memory is measured while the run is working.
    for part in rows.as_bytes().chunks(1 << 18) {
        stdin.write_all(part).unwrap();
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let anonymous = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        most = most.max(anonymous.trim().trim_end_matches(" kB").parse::<u64>().unwrap());
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert!((1024..=16 * 1024).contains(&most), "{most} KiB");
}
