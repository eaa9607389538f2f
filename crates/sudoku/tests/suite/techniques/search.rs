//! Traces with search: guesses, backtracks, and the steps of techniques up to a rating.

use std::array;

use sudobench_sudoku::techniques::{Board, PlayedStep, Technique, Walker, next_step, tenths};
use sudobench_sudoku::{Puzzle, Solution, solve};

use super::chains;
use super::known::rated;

/// Returns whether a cell is in a unit. Units are numbered as in a step.
fn is_in(unit: u8, cell: usize) -> bool {
    let number = usize::from(unit % 9);
    match unit {
        0..9 => cell / 27 * 3 + cell % 9 / 3 == number,
        9..18 => cell / 9 == number,
        _ => cell % 9 == number,
    }
}

/// Replays only the recorded changes of a trace, which must lead to the solution, and checks each guess and each backtrack.
fn check(puzzle: &Puzzle, highest: u8, steps: &[PlayedStep]) {
    let mut marks: [u16; 81] = array::from_fn(|cell| Board::new(puzzle).digits(cell));
    // The guesses that were not taken back, each with the candidates before it.
    let mut guesses: Vec<([u16; 81], (u8, u8))> = Vec::new();
    for played in steps {
        let (board, step) = (played.board_before(), &played.step);
        assert_eq!(array::from_fn(|cell| board.digits(cell)), marks, "{puzzle} {step}");
        let before = marks;
        for change in &played.changes {
            assert_eq!(marks[usize::from(change.cell)], change.before, "{puzzle} {step}");
            marks[usize::from(change.cell)] = change.after;
        }
        match step.technique {
            Technique::Guess => {
                let easier = next_step(&board).filter(|step| tenths(step.rating) <= highest);
                assert_eq!(easier, None, "{puzzle} {step}");
                let (cell, digit) = step.placement.unwrap();
                let options = |cell: usize| board.candidates(cell).count_ones();
                let fewest = board.empty().iter().min_by_key(|&cell| options(cell)).unwrap();
                assert_eq!(usize::from(cell), fewest, "{puzzle} {step}");
                assert_eq!(
                    board.candidates(fewest).trailing_zeros(),
                    u32::from(digit) - 1,
                    "{puzzle} {step}"
                );
                guesses.push((before, (cell, digit)));
            }
            Technique::Backtrack => {
                let (mut former, (cell, digit)) = guesses.pop().unwrap();
                former[usize::from(cell)] &= !(1 << (digit - 1));
                assert_eq!(marks, former, "{puzzle} {step}");
                assert_eq!(step.eliminations, [(cell, 1 << (digit - 1))], "{puzzle} {step}");
                // The step names a cell without candidates, or a unit and a digit that has no place in it.
                match step.units[..] {
                    [] => {
                        assert_eq!(board.candidates(step.cells.iter().next().unwrap()), 0, "{puzzle} {step}")
                    }
                    _ => {
                        let has = |&cell: &usize| board.digits(cell) & step.digits != 0;
                        let place = (0..81).filter(|&cell| is_in(step.units[0], cell)).find(has);
                        assert_eq!(place, None, "{puzzle} {step}");
                    }
                }
                assert!(step.to_string().contains(": no "), "{step}");
                // No solution contains both this guess and all guesses before it.
                let mut guessed = *puzzle.values();
                for &(cell, digit) in guesses.iter().map(|(_, guess)| guess).chain([&(cell, digit)]) {
                    guessed[usize::from(cell)] = digit;
                }
                assert_eq!(solve(&Puzzle::try_from(guessed).unwrap()).solution, None, "{puzzle} {step}");
            }
            _ => assert!(tenths(step.rating) <= highest, "{puzzle} {step}"),
        }
    }
    let digits: [u8; 81] = marks.map(|marks| marks.trailing_zeros() as u8 + 1);
    assert!(marks.iter().all(|marks| marks.count_ones() == 1), "{puzzle}");
    let solution = Solution::try_from(digits).unwrap();
    assert_eq!(Some(solution), solve(puzzle).solution, "{puzzle}");
}

#[test]
fn a_trace_with_search_leads_to_the_solution_and_each_backtrack_is_justified() {
    let rated = rated().into_iter().step_by(10).map(|rated| rated.puzzle);
    let hard = chains::rows().into_iter().step_by(10).map(|(puzzle, _)| puzzle);
    let (mut guesses, mut backtracks) = (0, 0);
    for puzzle in rated.chain(hard) {
        for highest in [0, 12, 23, 28, 50] {
            let steps = Walker::default().up_to(highest).search(&puzzle).unwrap();
            check(&puzzle, highest, &steps);
            let count = |name| steps.iter().filter(|played| played.step.technique == name).count();
            guesses += count(Technique::Guess);
            backtracks += count(Technique::Backtrack);
        }
    }
    assert!(guesses > backtracks && backtracks > 1_000, "{guesses} {backtracks}");
}

#[test]
fn a_puzzle_that_techniques_solve_has_no_guesses() {
    for puzzle in rated().into_iter().step_by(20).map(|rated| rated.puzzle) {
        let (_, steps) = Walker::default().walk_with_steps(&puzzle).unwrap();
        assert_eq!(Walker::default().search(&puzzle), Some(steps), "{puzzle}");
    }
}

#[test]
fn a_search_of_a_puzzle_without_a_solution_ends() {
    let mut backtracks = 0;
    for puzzle in rated().into_iter().step_by(20).map(|rated| rated.puzzle) {
        // Fills a cell with a wrong digit that is a candidate of the cell.
        let (board, solution) = (Board::new(&puzzle), solve(&puzzle).solution.unwrap());
        let cell = board.empty().iter().max_by_key(|&cell| board.candidates(cell).count_ones()).unwrap();
        let wrong = board.candidates(cell) & !(1 << (solution[cell] - 1));
        let mut values = *puzzle.values();
        values[cell] = wrong.trailing_zeros() as u8 + 1;
        let puzzle = Puzzle::try_from(values).unwrap();
        let steps = Walker::default().up_to(12).search(&puzzle).unwrap();
        let guessed = |technique| steps.iter().filter(|played| played.step.technique == technique).count();
        assert_eq!(guessed(Technique::Guess), guessed(Technique::Backtrack), "{puzzle}");
        backtracks += guessed(Technique::Backtrack);
    }
    assert!(backtracks > 0);
}
