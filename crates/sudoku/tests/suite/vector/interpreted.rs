//! A few puzzles with known answers. They are so few that Miri can run them, in `scripts/check-miri`.

use sudobench_sudoku::{Answer, Puzzle};

use super::{asking_for, check_outcome, solve_all, vector_solvers};
use crate::common::oracle::Truth;

/// Puzzles, the number of their solutions (3 means at least 3), and the smallest solution.
const ROWS: [(&str, usize, &str); 4] = [
    // No guess is needed.
    (
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        1,
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
    ),
    // The digits 6 and 7 of the four blanks can be swapped.
    (
        "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179",
        2,
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
    ),
    // A full grid with one wrong digit.
    ("634678912672195348198342567859761423426853791713924856961537284287419635345286179", 0, ""),
    // There are many solutions, so the search for the smallest solution takes many rounds.
    (
        "..4.7..1.672....4..9.3.2.6....7.....4.6.5.7.1..3..4.5........8.....1963.....861.9",
        3,
        "354678912672195348198342567589761423426853791713924856961537284847219635235486179",
    ),
];

#[test]
fn known_answers_at_every_width() {
    // Under Miri, the last row alone would take minutes.
    let rows = &ROWS[..ROWS.len() - usize::from(cfg!(miri))];
    let puzzles: Vec<Puzzle> = rows.iter().map(|(text, ..)| text.parse().unwrap()).collect();
    let question = asking_for(2, Answer::Smallest);
    for (name, mut solver) in vector_solvers() {
        let outcomes = solve_all(&mut *solver, &puzzles, &question);
        for ((puzzle, outcome), (_, count, smallest)) in puzzles.iter().zip(&outcomes).zip(rows) {
            let truth = Truth { count: *count, smallest: smallest.parse().ok() };
            check_outcome(puzzle, &truth, outcome, &question, &name);
        }
    }
}
