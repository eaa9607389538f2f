//! Number of recursive calls of `bool-table`, compared with a transcription of the backtracker that the online judge BOJ uses in problem
//! 12095.

use sudobench_sudoku::random::Random;
use sudobench_sudoku::solver::BoolTable;
use sudobench_sudoku::{Puzzle, Question, Solver};

use crate::common::grids::{random_clues, random_grid, without};

/// Number of calls at which the judge's program stops.
const JUDGE_STOPS_AT: u64 = 100_000;

/// The recursion of BOJ 12095, statement by statement.
struct Judge {
    board: [u8; 81],
    cnt: u64,
}

impl Judge {
    fn go(&mut self, z: usize) -> bool {
        self.cnt += 1;
        if self.cnt >= JUDGE_STOPS_AT {
            return true;
        }
        if z == 81 {
            return true;
        }
        if self.board[z] != 0 {
            return self.go(z + 1);
        }
        for i in 1..=9 {
            if self.allowed(z, i) {
                self.board[z] = i;
                if self.go(z + 1) {
                    return true;
                }
                self.board[z] = 0;
            }
        }
        false
    }

    fn allowed(&self, z: usize, i: u8) -> bool {
        let (row, column) = (z / 9, z % 9);
        (0..81).all(|other| {
            let same_box = other / 9 / 3 == row / 3 && other % 9 / 3 == column / 3;
            let is_peer = other / 9 == row || other % 9 == column || same_box;
            !is_peer || self.board[other] != i
        })
    }
}

fn calls(puzzle: &Puzzle) -> u64 {
    let mut solver = BoolTable::default();
    solver.solve(puzzle, &Question { max_nodes: Some(JUDGE_STOPS_AT), ..Question::first() });
    solver.calls()
}

#[test]
fn calls_counted_by_hand() {
    let grid = random_grid(&mut Random::new(11));
    // There is one call for each cell, and one call past the last cell.
    assert_eq!(calls(&without(&grid, &[])), 82);
    assert_eq!(calls(&without(&grid, &[80])), 82);
    // No digit is possible in the ninth cell (cell 8), so there are calls for cells 0 to 8 only.
    let blocked: Puzzle = format!("12345678.........9{:.<63}", "").parse().unwrap();
    assert_eq!(calls(&blocked), 9);
    // Cell 0 may hold 1 or 9. With either digit, no digit is possible in cell 8, so there are two calls for each of the cells 1 to 8.
    let blocked: Puzzle = format!(".2345678.........9........1{:.<54}", "").parse().unwrap();
    assert_eq!(calls(&blocked), 1 + 8 + 8);
    // If clues contradict each other, there is no search.
    let contradictory: Puzzle = format!("11{:.<79}", "").parse().unwrap();
    assert_eq!(calls(&contradictory), 0);
}

#[test]
fn calls_agree_with_the_judge() {
    let mut random = Random::new(12);
    for clues in [0, 0, 17, 22, 25, 28, 30, 32, 34, 36, 40, 50, 60, 70] {
        let grid = random_grid(&mut random);
        let puzzle = random_clues(&mut random, &grid, clues);
        let mut judge = Judge { board: *puzzle.values(), cnt: 0 };
        judge.go(0);
        assert_eq!(calls(&puzzle).min(JUDGE_STOPS_AT), judge.cnt, "{puzzle}");
    }
}

#[test]
fn calls_are_reset_for_every_puzzle() {
    let grid = random_grid(&mut Random::new(13));
    let mut solver = BoolTable::default();
    for _ in 0..2 {
        solver.solve(&without(&grid, &[3, 33]), &Question::first());
        let calls = solver.calls();
        solver.solve(&without(&grid, &[]), &Question::first());
        assert_eq!((solver.calls(), calls >= 82), (82, true));
    }
}
