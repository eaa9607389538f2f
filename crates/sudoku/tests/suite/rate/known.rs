//! Puzzles of each difficulty. They were found by a search, or are well known.

use sudobench_sudoku::rate::{Difficulty, Measures, Rater, Rating};
use sudobench_sudoku::{Puzzle, solve};

use super::naive;

pub(crate) const ALL: Measures =
    Measures { difficulty: true, singles: true, locked: true, pairs: true, depth: true, backdoor: true };

/// Minimal puzzles made by random removal of clues, with their difficulty and the size of their smallest backdoor.
const FOUND: [(&str, Difficulty, u8); 11] = [
    (
        "..12...4.3..1...869..45.3...4....8.........5..379.4...6.........12....7.......9.5",
        Difficulty::Singles,
        0,
    ),
    (
        "..7....9..9..5...4..268...7.....8.6..7.91....2.....3.1.3...2..........8.6...75..9",
        Difficulty::Singles,
        0,
    ),
    (
        "...4.6.59..41.....5..7....2..7.85......6..71..4........2....37.3....1..8...9.....",
        Difficulty::Locked,
        1,
    ),
    (
        "4...2......21...9..63.98..1...6..9......4.8....8.....3..5.......1.45.67.74.......",
        Difficulty::Locked,
        1,
    ),
    (
        ".97.23.4.............694.1........2.17.3.....3.....8..6.....57....9.5.3...2...1..",
        Difficulty::Locked,
        2,
    ),
    (
        "..81............7....6....41.......3.6.9....2.8.47..6.4...9...6..2.48......7.25..",
        Difficulty::Pairs,
        1,
    ),
    (
        "...42..8.89.1..5.......91...2......1.7.9.......32.1..46.......33.4...6....2..5..8",
        Difficulty::Pairs,
        1,
    ),
    (
        ".1..4.97....8....39..3.7.........6.536..1..8......2.1....9..76...4..3.2.87.......",
        Difficulty::Depth1,
        1,
    ),
    (
        ".........3..62.7....15...43....6893...........27.9..1.......39.....4..5...4951.78",
        Difficulty::Depth1,
        1,
    ),
    (
        ".4......9....59..7.3..78.2...6.25.7..7..1....5.......3..16.......8..7...7..5..8..",
        Difficulty::Depth1,
        2,
    ),
    (
        ".4..2...76........9.2..84..2......7......7..3.69.......136........9..5....78.53.2",
        Difficulty::Depth1,
        2,
    ),
];

#[track_caller]
pub(crate) fn rated(puzzle: &Puzzle) -> Rating {
    Rater::default().rate(puzzle, ALL).unwrap()
}

/// Rates a puzzle with the naive implementation, which follows the definitions.
#[track_caller]
fn rated_plainly(puzzle: &Puzzle) -> Rating {
    naive::rate(puzzle, &solve(puzzle).solution.unwrap())
}

#[test]
fn each_kind_is_rated_by_its_definition() {
    for (text, difficulty, backdoor) in FOUND {
        let puzzle: Puzzle = text.parse().unwrap();
        let rating = rated(&puzzle);
        assert_eq!((rating.difficulty, rating.backdoor), (Some(difficulty), Some(backdoor)), "{puzzle}");
        assert_eq!(rating, rated_plainly(&puzzle), "{puzzle}");
        assert_eq!(Rater::default().difficulty(&puzzle), Some(difficulty));
    }
}

#[test]
fn well_known_hard_puzzles_have_their_published_depth() {
    let rows = [
        // "Easter Monster" by JPF, Sudoku Players' Forum, 7 April 2007.
        ("1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1", 2, 3),
        // "Golden Nugget" by tarek, the same forum, 2007.
        (".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....", 2, 2),
        // "Loki" by mith: "the first ever puzzle not solvable in T&E(2)" (D. Berthier, in the examples of CSP-Rules).
        ("57....9..........8.1.........168..4......28.9..2.9416.....2.....6.9.82.4...41.6..", 3, 2),
    ];
    for (text, depth, backdoor) in rows {
        let puzzle: Puzzle = text.parse().unwrap();
        let rating = rated(&puzzle);
        assert_eq!((rating.depth, rating.backdoor), (Some(depth), Some(backdoor)), "{puzzle}");
        assert_eq!(rating, rated_plainly(&puzzle), "{puzzle}");
    }
}

#[test]
fn requested_measures_do_not_depend_on_others() {
    let rows = FOUND.iter().map(|(text, ..)| text.parse().unwrap());
    for puzzle in rows {
        let all = rated(&puzzle);
        for bits in 0..64 {
            let wants = |bit: u32| bits >> bit & 1 == 1;
            let wanted = Measures {
                difficulty: wants(0),
                singles: wants(1),
                locked: wants(2),
                pairs: wants(3),
                depth: wants(4),
                backdoor: wants(5),
            };
            let expected = Rating {
                difficulty: all.difficulty.filter(|_| wanted.difficulty),
                singles: all.singles.filter(|_| wanted.singles),
                locked: all.locked.filter(|_| wanted.locked),
                pairs: all.pairs.filter(|_| wanted.pairs),
                depth: all.depth.filter(|_| wanted.depth),
                backdoor: all.backdoor.filter(|_| wanted.backdoor),
            };
            assert_eq!(Rater::default().rate(&puzzle, wanted), Some(expected), "{puzzle} {wanted:?}");
        }
    }
}

#[test]
fn puzzles_without_exactly_one_solution_are_not_rated() {
    let contradictory: Puzzle = format!("{:.<81}", "11").parse().unwrap();
    for puzzle in [Puzzle::EMPTY, contradictory] {
        assert_eq!(Rater::default().rate(&puzzle, ALL), None);
    }
    assert_eq!(Rater::default().guesses([]), None);
}

#[test]
fn guesses_are_a_mean_in_thousandths() {
    let puzzle: Puzzle = FOUND[9].0.parse().unwrap();
    let easy: Puzzle = FOUND[0].0.parse().unwrap();
    let of = |forms: &[Puzzle]| Rater::default().guesses(forms.iter().copied()).unwrap();
    let once = of(&[puzzle]);
    assert!(once > 0 && once % 1_000 == 0);
    assert_eq!(of(&[easy]), 0);
    assert_eq!(of(&[puzzle, easy, easy, easy]), once / 4);
    // A mean that ends in two thirds is rounded up, and a mean that ends in one third is rounded down.
    let thirds = [of(&[puzzle, easy, easy]), of(&[puzzle, puzzle, easy])];
    assert_eq!(thirds, [1, 2].map(|times| (times * once * 2 + 3) / 6));
}

#[test]
fn a_cancelled_rater_returns_nothing() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    let loki: Puzzle =
        "57....9..........8.1.........168..4......28.9..2.9416.....2.....6.9.82.4...41.6..".parse().unwrap();
    let solution = solve(&loki).solution.unwrap();
    let rater = Rater::default().cancel(Arc::new(AtomicBool::new(true)));
    assert_eq!(rater.rate_solved(&loki, &solution, Measures { depth: true, ..Measures::NONE }), None);
    assert_eq!(rater.rate_solved(&loki, &solution, Measures { backdoor: true, ..Measures::NONE }), None);
    assert_eq!(rater.guesses([Puzzle::EMPTY; 1_000]), None);
    // Singles solve this puzzle, so each search ends before it checks the flag. The iterator is endless, so the flag must also be checked
    // between the puzzles.
    let easy: Puzzle =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse().unwrap();
    assert_eq!(rater.guesses(std::iter::repeat(easy)), None);
}
