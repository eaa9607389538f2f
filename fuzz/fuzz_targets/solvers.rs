//! Solves a batch with every built-in solver, at a SIMD level that the input chooses. Each puzzle must get the same status and number of
//! solutions as from the plain solver (`mrv`), and if there is a solution, it must solve the puzzle. Puzzles for which the plain solver
//! reaches its node limit are left out. If another solver reaches the node limit of the question, its answer is not compared, but the
//! answer must have exactly as many nodes as this limit, and no solution. The iterator `Solutions` must yield the same number of solutions,
//! in ascending order.
#![no_main]

use std::num::NonZeroU64;

use libfuzzer_sys::fuzz_target;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Class, find, listed};
use sudobench_sudoku::{Answer, Outcome, Puzzle, Question, Solutions, Status};

/// The possible numbers of puzzles in a batch. `auto` uses `bitslice` from 96 puzzles on, so 95 and 96 are both tested. The other numbers
/// are smaller or larger than the number of lanes of `bitslice`.
const SIZES: [usize; 10] = [1, 2, 7, 63, 65, 95, 96, 129, 300, 600];
const SOLUTIONS: [u64; 4] = [1, 2, 3, 200];
const NODES: [Option<u64>; 6] = [None, None, Some(0), Some(1), Some(20), Some(300)];
const ANSWERS: [Answer; 2] = [Answer::Smallest, Answer::First];
/// Node limit of the plain solver; puzzles that need more nodes are left out. If the question has no node limit, the solvers of the class
/// `Naive` get this limit as well.
const PATIENCE: u64 = 5_000;
/// Maximum number of puzzles for solvers without constraint propagation, which are slow, and for the iterator `Solutions`.
const FEW: usize = 4;

/// Numbers that choose the SIMD level, the batch size, the number of solutions, the kind of answer and the node limit, and bytes from which
/// the puzzles are made.
type Input = (u8, u8, u8, u8, u8, Vec<[u8; 81]>);

fuzz_target!(|input: Input| {
    let (level, size, solutions, answer, nodes, seeds) = input;
    let levels: Vec<_> = Level::supported().collect();
    let level = *choice(&levels, level);
    let question = Question {
        max_solutions: NonZeroU64::new(*choice(&SOLUTIONS, solutions)).unwrap(),
        answer: *choice(&ANSWERS, answer),
        max_nodes: *choice(&NODES, nodes),
        ..Question::unique()
    };
    let known = with_verdicts(&seeds, &question);
    if known.is_empty() {
        return;
    }
    let batch: Vec<_> = known.iter().cycle().take(*choice(&SIZES, size)).collect();
    let puzzles: Vec<_> = batch.iter().map(|(puzzle, _)| *puzzle).collect();
    for variant in listed() {
        let taken = if variant.class == Class::Propagation { puzzles.len() } else { puzzles.len().min(FEW) };
        let patience = (variant.class == Class::Naive).then_some(PATIENCE);
        let question = Question { max_nodes: question.max_nodes.or(patience), ..question.clone() };
        let mut outcomes = vec![Outcome::CONTRADICTORY; taken];
        variant.build(level).unwrap().solve_batch(&puzzles[..taken], &question, &mut outcomes);
        for ((puzzle, verdict), outcome) in batch.iter().zip(&outcomes) {
            check(puzzle, verdict, outcome, &question, variant.name);
        }
    }
    for (puzzle, verdict) in known.iter().take(FEW) {
        let most = question.max_solutions.get() as usize;
        let found: Vec<_> = Solutions::new(level, puzzle).unwrap().take(most).collect();
        assert_eq!(
            (found.len() as u64, found.first().copied()),
            (verdict.count, verdict.solution),
            "{puzzle}"
        );
        assert!(found.is_sorted_by(|a, b| a < b), "{puzzle}");
    }
});

fn choice<T>(of: &[T], at: u8) -> &T {
    &of[usize::from(at) % of.len()]
}

/// Makes nine puzzles from each of the first eight seeds, and solves them with the plain solver. Returns each puzzle with its outcome,
/// except puzzles that reach the node limit. If a puzzle has several solutions, the outcome contains the smallest solution.
fn with_verdicts(seeds: &[[u8; 81]], question: &Question) -> Vec<(Puzzle, Outcome)> {
    let mut plain = find("mrv").unwrap().build(Level::Baseline).unwrap();
    let question = Question { answer: Answer::Smallest, max_nodes: Some(PATIENCE), ..question.clone() };
    let puzzles = seeds.iter().take(8).flat_map(|seed| (0..9).map(|variation| puzzle_of(seed, variation)));
    let solved = puzzles.map(|puzzle| (puzzle, plain.solve(&puzzle, &question)));
    solved.filter(|(_, outcome)| outcome.status != Status::Aborted).collect()
}

/// Makes a puzzle from bytes. Each byte decides whether its cell has the digit of a certain full grid, another digit, or is blank. So
/// puzzles with solutions are not rare. If `variation` is not 0, digits are renamed, and a few more cells may be blank.
fn puzzle_of(seed: &[u8; 81], variation: usize) -> Puzzle {
    let values = std::array::from_fn(|cell| {
        let (row, column, byte) = (cell / 9, cell % 9, usize::from(seed[cell]));
        match byte {
            _ if variation > 0 && cell == byte * variation % 81 => 0,
            0..100 => ((row * 3 + row / 3 + column + variation) % 9 + 1) as u8,
            247.. => ((byte + variation) % 9 + 1) as u8,
            _ => 0,
        }
    });
    Puzzle::try_from(values).unwrap()
}

/// Compares an outcome with the outcome of the plain solver.
fn check(puzzle: &Puzzle, verdict: &Outcome, outcome: &Outcome, question: &Question, name: &str) {
    if outcome.status == Status::Aborted {
        assert_eq!(Some(outcome.nodes), question.max_nodes, "{name} gave up {puzzle}");
        assert_eq!(outcome.solution, None, "{name} on {puzzle}");
        return;
    }
    assert!(question.max_nodes.is_none_or(|max| outcome.nodes <= max), "{name} on {puzzle}");
    let [a, b] = [outcome, verdict].map(|it| (it.status, it.count, it.solution.is_some()));
    assert_eq!(a, b, "{name} on {puzzle}");
    if question.answer == Answer::Smallest {
        assert_eq!(outcome.solution, verdict.solution, "{name} on {puzzle}");
    }
    outcome.solution.iter().for_each(|solution| assert_eq!(solution.check(puzzle), Ok(()), "{name}"));
}
