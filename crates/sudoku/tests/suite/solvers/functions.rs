//! Some functions keep one solver for each thread. They must give the same answers as a new solver.

use sudobench_sudoku::solver::{Auto, Bitboard};
use sudobench_sudoku::{Outcome, Puzzle, Question, Solver, Status, count, solutions, solve, solve_all};

/// Returns `count` puzzles: the valid rows of `datasets/statuses.csv`, repeated.
fn puzzles(count: usize) -> Vec<Puzzle> {
    let rows = include_str!("../../../../../datasets/statuses.csv").lines();
    let kinds: Vec<Puzzle> = rows.filter_map(|row| row.split(',').next()?.parse().ok()).collect();
    kinds.into_iter().cycle().take(count).collect()
}

fn timeless(outcomes: Vec<Outcome>) -> Vec<Outcome> {
    outcomes.into_iter().map(|outcome| Outcome { elapsed_ns: 0, ..outcome }).collect()
}

#[test]
fn many_puzzles_are_answered_as_by_a_new_solver_for_each_part() {
    for (count, size) in [(0, 1), (1, 1), (90, 90), (600, 300), (2_000, 500)] {
        let puzzles = puzzles(count);
        let mut expected = vec![Outcome::ABORTED; count];
        for (puzzles, outcomes) in puzzles.chunks(size).zip(expected.chunks_mut(size)) {
            Auto::default().solve_batch(puzzles, &Question::unique(), outcomes);
        }
        assert!(timeless(solve_all(&puzzles)) == timeless(expected), "{count} puzzles");
    }
}

#[test]
#[cfg(feature = "rayon")]
fn the_number_of_threads_changes_no_outcome() {
    let puzzles = puzzles(3_000);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        timeless(pool.install(|| solve_all(&puzzles)))
    };
    let alone = on(1);
    assert!([2, 3, 5].into_iter().all(|threads| on(threads) == alone));
}

#[test]
fn one_puzzle_is_answered_as_by_a_new_solver() {
    for puzzle in puzzles(40) {
        let expected = Bitboard::default().solve(&puzzle, &Question::unique());
        assert_eq!(solve(&puzzle), expected);
        assert_eq!(count(&puzzle, 2), expected.count);
        assert_eq!(count(&puzzle, 0), 0);
        assert_eq!(solutions(&puzzle).next(), expected.solution);
    }
}

#[test]
fn a_thread_that_is_ending_still_gets_answers() {
    /// Solves a puzzle when it is dropped, possibly after the kept solver was dropped. Thread locals are dropped in no defined order,
    /// so the test runs twice: in one run, the thread local `LAST` is initialized after the kept solver, in the other run before it.
    struct AsksAtTheEnd;
    impl Drop for AsksAtTheEnd {
        fn drop(&mut self) {
            assert_eq!(solve(&Puzzle::EMPTY).status, Status::Multiple);
        }
    }
    thread_local!(static LAST: AsksAtTheEnd = const { AsksAtTheEnd });
    for solve_first in [true, false] {
        let thread = std::thread::spawn(move || {
            if solve_first {
                solve(&Puzzle::EMPTY);
            }
            LAST.with(|_| ());
            solve(&Puzzle::EMPTY);
        });
        thread.join().unwrap();
    }
}
