//! Checks that each generated puzzle meets its request. The tests count solutions with a solver that the generator does not use.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::generate::{
    FewestGuesses, Generated, Hardest, Maker, Method, Pattern, Plan, Request, StepRequest, Symmetry,
};
use sudobench_sudoku::rate::{Difficulty, Rater};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Question, find};
use sudobench_sudoku::techniques::{Technique, Walker};

fn plan(request: Request) -> Plan {
    request.plan().unwrap()
}

fn maker(plan: &Plan, seed: u64) -> Maker {
    Maker::new(plan, seed, Level::widest(), Arc::default()).unwrap()
}

/// Returns the first `puzzles` puzzles that meet the request and are made from seed 1.
fn first(request: Request, puzzles: u64) -> Vec<Puzzle> {
    let mut made = Vec::new();
    assert_eq!(maker(&plan(request), 1).make(0..puzzles, &mut made), Ok(true));
    made.iter().map(|made| made.puzzle).collect()
}

fn count(puzzle: &Puzzle, most: u64) -> u64 {
    let mut dlx = find("dlx").unwrap().build(Level::Baseline).unwrap();
    dlx.solve(puzzle, &Question::up_to(most.try_into().unwrap())).count
}

fn is_minimal(puzzle: &Puzzle) -> bool {
    puzzle.clue_cells().iter().all(|cell| count(&puzzle.without([cell].into_iter().collect()), 2) == 2)
}

fn clues(clues: RangeInclusive<usize>) -> Request {
    Request { clues: Some(clues), ..Request::default() }
}

/// Returns a pattern of 49 cells with full symmetry.
fn cross() -> Pattern {
    let rows = [
        "x.xxxxx.x",
        "..x...x..",
        "xxx.x.xxx",
        "x..xxx..x",
        "x.xxxxx.x",
        "x..xxx..x",
        "xxx.x.xxx",
        "..x...x..",
        "x.xxxxx.x",
    ];
    rows.concat().parse().unwrap()
}

#[test]
fn the_number_of_clues_is_as_requested() {
    for puzzle in first(Request::default(), 12) {
        assert!(is_minimal(&puzzle));
        assert_eq!(count(&puzzle, 2), 1);
    }
    let mut seen = [false; 82];
    for puzzle in first(clues(30..=35), 40) {
        assert_eq!(count(&puzzle, 2), 1);
        seen[puzzle.clue_count()] = true;
    }
    assert_eq!((0..82).filter(|&clues| seen[clues]).collect::<Vec<_>>(), [30, 31, 32, 33, 34, 35]);
    for puzzle in first(Request { minimal: true, ..clues(25..=26) }, 6) {
        assert!((25..=26).contains(&puzzle.clue_count()) && is_minimal(&puzzle) && count(&puzzle, 2) == 1);
    }
    assert!(first(clues(81..=81), 3).iter().all(|puzzle| puzzle.clue_count() == 81));
}

#[test]
fn symmetric_puzzles_are_symmetric() {
    for symmetry in Symmetry::ALL {
        for puzzle in first(Request { symmetry, ..Request::default() }, 4) {
            assert!(symmetry.fits(puzzle.clue_cells()), "{symmetry}: {puzzle}");
            assert_eq!(count(&puzzle, 2), 1, "{symmetry}: {puzzle}");
            for orbit in symmetry.orbits() {
                let without = puzzle.without(orbit);
                assert!(without == puzzle || count(&without, 2) == 2, "{symmetry}: {puzzle} without {orbit}");
            }
        }
    }
    for puzzle in first(Request { symmetry: Symmetry::Rotational, minimal: true, ..Request::default() }, 2) {
        assert!(Symmetry::Rotational.fits(puzzle.clue_cells()) && is_minimal(&puzzle));
    }
    for puzzle in first(Request { symmetry: Symmetry::Full, ..clues(36..=45) }, 4) {
        assert!(Symmetry::Full.fits(puzzle.clue_cells()) && (36..=45).contains(&puzzle.clue_count()));
    }
}

#[test]
fn clues_fill_the_pattern_or_stay_within_it() {
    let pattern = cross();
    assert!(Symmetry::Full.fits(pattern.cells()));
    let asked = Request { pattern: Some(pattern), ..Request::default() };
    for puzzle in first(asked.clone(), 3) {
        assert!(puzzle.clue_cells() == pattern.cells() && count(&puzzle, 2) == 1);
    }
    for puzzle in first(Request { minimal: true, ..asked.clone() }, 3) {
        assert!(puzzle.clue_cells().without(pattern.cells()).is_empty() && is_minimal(&puzzle));
    }
    for puzzle in first(Request { clues: Some(36..=38), symmetry: Symmetry::Rotational, ..asked }, 3) {
        assert!(puzzle.clue_cells().without(pattern.cells()).is_empty() && count(&puzzle, 2) == 1);
        assert!(Symmetry::Rotational.fits(puzzle.clue_cells()) && (36..=38).contains(&puzzle.clue_count()));
    }
}

#[test]
fn patterns_of_few_cells_are_filled() {
    // The pattern of "Easter Monster", a well-known puzzle with 21 clues.
    let known: Puzzle =
        "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1".parse().unwrap();
    let pattern = Pattern::from(&known);
    for puzzle in first(Request { pattern: Some(pattern), ..Request::default() }, 2) {
        assert!(puzzle.clue_cells() == pattern.cells() && count(&puzzle, 2) == 1);
    }
}

#[test]
fn the_number_of_solutions_is_as_requested() {
    for solutions in [2..=2, 5..=5, 2..=1000, 100..=120] {
        for puzzle in first(Request { solutions: solutions.clone(), ..Request::default() }, 4) {
            assert!(solutions.contains(&count(&puzzle, 2000)), "{solutions:?}: {puzzle}");
        }
    }
    for puzzle in first(Request { solutions: 2..=2, symmetry: Symmetry::Vertical, ..clues(34..=36) }, 3) {
        assert!(count(&puzzle, 3) == 2 && (34..=36).contains(&puzzle.clue_count()));
        assert!(Symmetry::Vertical.fits(puzzle.clue_cells()));
    }
    let many: Vec<u64> = first(Request { solutions: 1..=64, ..Request::default() }, 30)
        .iter()
        .map(|puzzle| count(puzzle, 65))
        .collect();
    assert!(many.iter().any(|&count| count < 4) && many.iter().any(|&count| count > 20), "{many:?}");
}

#[test]
fn unsolvable_puzzles_have_no_plain_contradiction() {
    for request in [clues(24..=30), Request { symmetry: Symmetry::Rotational, ..Request::default() }] {
        for puzzle in first(Request { solutions: 0..=0, ..request.clone() }, 5) {
            assert_eq!((count(&puzzle, 1), puzzle.conflict()), (0, None), "{puzzle}");
            assert!(request.symmetry.fits(puzzle.clue_cells()));
            let fits = |cell: usize, digit: u8| {
                let mut values = *puzzle.values();
                values[cell] = digit;
                Puzzle::try_from(values).unwrap().conflict().is_none()
            };
            for cell in (0..81).filter(|&cell| puzzle[cell] == 0) {
                assert!((1..=9).any(|digit| fits(cell, digit)), "{puzzle}");
            }
            for digit in 1..=9 {
                for row in 0..9 {
                    let mut places =
                        (row * 9..row * 9 + 9).filter(|&cell| puzzle[cell] == 0 && fits(cell, digit));
                    let is_there = (row * 9..row * 9 + 9).any(|cell| puzzle[cell] == digit);
                    assert!(is_there || places.next().is_some(), "{puzzle}");
                }
            }
        }
    }
}

#[test]
fn the_difficulty_is_as_requested() {
    let mut rater = Rater::default();
    for difficulties in [vec![Difficulty::Singles], vec![Difficulty::Pairs, Difficulty::Depth1]] {
        for puzzle in first(Request { difficulties: difficulties.clone(), ..Request::default() }, 4) {
            assert!(difficulties.contains(&rater.difficulty(&puzzle).unwrap()), "{difficulties:?}: {puzzle}");
        }
    }
}

#[test]
fn puzzles_take_the_requested_guesses() {
    let guesses = Some(FewestGuesses { thousandths: 3000, forms: |puzzle| vec![*puzzle] });
    let mut mrv = find("mrv").unwrap().build(Level::Baseline).unwrap();
    for puzzle in first(Request { guesses, ..Request::default() }, 6) {
        assert!(mrv.solve(&puzzle, &Question::unique()).guesses >= 3, "{puzzle}");
    }
    let guesses = Some(FewestGuesses { thousandths: 1_000_000, forms: |puzzle| vec![*puzzle] });
    let never = plan(Request { guesses, attempts: 5, ..Request::default() });
    let refused = maker(&never, 1).make(0..1, &mut Vec::new()).unwrap_err();
    assert_eq!(refused.to_string(), "puzzle 0 of the seed was not found in 5 attempts: 5 took fewer guesses");
}

#[test]
fn the_steps_are_as_requested() {
    let steps = StepRequest {
        techniques: vec![Technique::NakedPair],
        hardest: vec![Technique::XyWing, Technique::NakedTriplet],
        ratings: 30..=42,
    };
    for puzzle in first(Request { steps: Some(steps.clone()), ..Request::default() }, 4) {
        let walk = Walker::default().walk(&puzzle).unwrap();
        assert!(steps.missed_by(&walk) == 0, "{puzzle}: {walk:?}");
        assert!(
            walk.counts[Technique::NakedPair as usize] > 0 && (30..=42).contains(&walk.rating),
            "{puzzle}"
        );
        assert!(steps.hardest.contains(&walk.hardest.unwrap()), "{puzzle}");
        // Without steps that are as hard as the hardest step of this walk, the puzzle is not solved.
        let shorter = Walker::default().up_to(walk.rating - 1).walk(&puzzle).unwrap();
        assert!(shorter.is_unfinished && shorter.rating < walk.rating, "{puzzle}");
    }
    let never =
        StepRequest { techniques: vec![Technique::HiddenQuad], ratings: 0..=54, ..StepRequest::default() };
    let never = plan(Request { steps: Some(never), attempts: 5, ..Request::default() });
    let refused = maker(&never, 1).make(0..1, &mut Vec::new()).unwrap_err();
    assert!(refused.to_string().ends_with("5 had other techniques or another rating"), "{refused}");
    // A full grid has no step, so it has no hardest step either.
    let steps = Some(StepRequest { hardest: vec![Technique::XWing], ..StepRequest::default() });
    let full = plan(Request { steps, attempts: 2, ..clues(81..=81) });
    let refused = maker(&full, 1).make(0..1, &mut Vec::new()).unwrap_err();
    assert!(refused.to_string().ends_with("2 had other techniques or another rating"), "{refused}");
    for (least, most) in [(42, 30), (0, 9)] {
        let impossible = StepRequest { ratings: least..=most, ..StepRequest::default() };
        let refused = Request { steps: Some(impossible), ..Request::default() }.plan().unwrap_err();
        assert!(refused.to_string().starts_with("no puzzle is rated"), "{refused}");
    }
}

#[test]
fn a_puzzle_depends_only_on_its_number_and_seed() {
    let requests = [
        Request::default(),
        clues(24..=26),
        Request { minimal: true, ..clues(24..=24) },
        Request { solutions: 3..=9, ..Request::default() },
        Request { difficulties: vec![Difficulty::Locked], ..Request::default() },
        Request { method: Method::Climb, ..clues(21..=21) },
        Request { method: Method::Tridagon, ..clues(24..=26) },
    ];
    for request in requests {
        let plan = plan(request);
        let make = |level, ranges: &[(u64, u64)]| {
            let mut maker = Maker::new(&plan, 7, level, Arc::default()).unwrap();
            let mut made: Vec<Generated> = Vec::new();
            for &(start, end) in ranges {
                assert_eq!(maker.make(start..end, &mut made), Ok(true));
            }
            made
        };
        let all = make(Level::widest(), &[(0, 9)]);
        assert_eq!(all.len(), 9);
        assert_eq!(make(Level::Baseline, &[(0, 1), (1, 6), (6, 9)]), all);
        assert_eq!(make(Level::widest(), &[(8, 9)]), all[8..]);
        assert!(all.iter().skip(1).all(|other| other.puzzle != all[0].puzzle));
    }
}

#[test]
fn climbs_meet_requests_that_random_puzzles_rarely_meet() {
    let steps = Some(StepRequest { ratings: 83..=90, ..StepRequest::default() });
    let requests = [
        (Request { ..clues(20..=20) }, 3),
        (Request { steps, ..Request::default() }, 2),
        (Request { minimal: true, ..clues(29..=30) }, 2),
    ];
    for (request, puzzles) in requests {
        // With so few attempts, no random puzzle would meet the request. Only a climb, whose steps come nearer to the request, finds such
        // puzzles.
        let request = Request { method: Method::Climb, attempts: 3_000, ..request };
        for puzzle in first(request.clone(), puzzles) {
            assert!(
                request.clues.as_ref().is_none_or(|clues| clues.contains(&puzzle.clue_count())),
                "{puzzle}"
            );
            assert_eq!(count(&puzzle, 2), 1, "{puzzle}");
            let walk = Walker::default().walk(&puzzle).unwrap();
            assert!(
                request.steps.as_ref().is_none_or(|steps| steps.missed_by(&walk) == 0),
                "{puzzle}: {walk:?}"
            );
        }
    }
    let random = Request { attempts: 3_000, ..clues(19..=20) };
    assert!(maker(&plan(random), 1).make(0..3, &mut Vec::new()).is_err());
}

#[test]
fn puzzles_with_a_tridagon_resist_trial_and_error() {
    let depth2 = Request { difficulties: vec![Difficulty::Depth2], attempts: 3_000, ..Request::default() };
    let mut rater = Rater::default();
    for puzzle in first(Request { method: Method::Tridagon, ..depth2.clone() }, 3) {
        assert!(count(&puzzle, 2) == 1 && is_minimal(&puzzle), "{puzzle}");
        assert_eq!(rater.difficulty(&puzzle), Some(Difficulty::Depth2), "{puzzle}");
    }
    let random = plan(Request { attempts: 100, ..depth2 });
    let not_made = maker(&random, 1).make(0..1, &mut Vec::new()).unwrap_err();
    assert_eq!(not_made.better_method, Some(Method::Tridagon));
    let few = Request { difficulties: vec![Difficulty::Depth2], attempts: 1, ..clues(20..=22) };
    let not_made = maker(&plan(few), 1).make(0..1, &mut Vec::new()).unwrap_err();
    assert_eq!(not_made.better_method, Some(Method::Climb));
}

#[test]
fn a_missing_puzzle_is_reported_and_earlier_ones_are_kept() {
    let asked = Request { minimal: true, attempts: 8, ..clues(17..=22) };
    let mut made = Vec::new();
    let not_made = maker(&plan(asked.clone()), 1).make(0..1_000, &mut made).unwrap_err();
    assert_eq!((not_made.number, not_made.attempts), (made.len() as u64, 8));
    let words = not_made.to_string();
    let counted = "was not found in 8 attempts: 8 had a different number of clues";
    assert!(words.starts_with(&format!("puzzle {} of the seed {counted}", made.len())), "{words}");
    // If the range of requested numbers ends directly after the missing puzzle, the result is the same.
    let mut again = Vec::new();
    let until = not_made.number + 1;
    assert_eq!(maker(&plan(asked), 1).make(0..until, &mut again), Err(not_made));
    assert_eq!(again, made);
}

#[test]
fn requests_work_with_every_method() {
    let bottom_up = Request { method: Method::BottomUp, ..Request::default() };
    let plain = first(bottom_up.clone(), 6);
    assert_ne!(plain, first(Request::default(), 6));
    let asked =
        Request { minimal: true, difficulties: vec![Difficulty::Singles], clues: Some(24..=26), ..bottom_up };
    let mut rater = Rater::default();
    for puzzle in plain.iter().chain(&first(asked.clone(), 4)) {
        assert!(count(puzzle, 2) == 1 && is_minimal(puzzle));
    }
    for puzzle in first(asked, 4) {
        assert!((24..=26).contains(&puzzle.clue_count()));
        assert_eq!(rater.difficulty(&puzzle), Some(Difficulty::Singles));
    }
    let biased = Request { method: Method::ControlledBias, ..Request::default() };
    let mut made = Vec::new();
    assert_eq!(maker(&plan(biased), 1).make(0..1, &mut made), Ok(true));
    assert!(made[0].weight.is_some() && is_minimal(&made[0].puzzle));
}

#[test]
fn a_climb_never_descends() {
    let variant = *find("bool-table").unwrap();
    let hardest = |steps| {
        let solver = Arc::new(variant);
        Hardest { solver, question: Question::unique(), steps, max_nodes: 30_000 }
    };
    let climbed = |steps| first(Request { hardest: Some(hardest(steps)), ..Request::default() }, 3);
    let mut solver = variant.build(Level::Baseline).unwrap();
    let mut nodes_of = |puzzles: &[Puzzle]| -> Vec<u64> {
        puzzles.iter().map(|puzzle| solver.solve(puzzle, &Question::unique()).nodes).collect()
    };
    let mut before = vec![0; 3];
    for steps in [0, 4, 16, 40] {
        let puzzles = climbed(steps);
        let nodes = nodes_of(&puzzles);
        assert!(nodes.iter().zip(&before).all(|(now, before)| now >= before), "{before:?}, then {nodes:?}");
        assert!(nodes.iter().all(|&nodes| nodes <= 30_000), "{nodes:?}");
        assert!(puzzles.iter().all(|puzzle| count(puzzle, 2) == 1 && is_minimal(puzzle)));
        before = nodes;
    }
    assert!(before > nodes_of(&climbed(0)));
}

#[test]
fn a_maker_can_be_cancelled() {
    for request in
        [Request::default(), clues(22..=23), Request { solutions: 1000..=1000, ..Request::default() }]
    {
        let cancel = Arc::new(AtomicBool::new(true));
        let mut maker = Maker::new(&plan(request), 1, Level::widest(), cancel).unwrap();
        let mut made = Vec::new();
        assert_eq!(maker.make(0..100, &mut made), Ok(false));
        assert!(made.is_empty());
    }
}
