//! Nearly full puzzles. An engine's answers to them show which kind of answers the engine gives. Two puzzles have one solution, two have
//! two solutions, and two have none. These puzzles are never timed.

use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::solver::Outcome;
use sudobench_sudoku::{count, solve};

use super::Fault;
use crate::record::AnswerKind;

/// The probe puzzles. They are nearly full, so that a search ends at once. No row, column or box has a digit twice, because some engines
/// refuse boards with repeated digits.
const PROBES: [&str; 6] = [
    "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179",
    "53...8..26..195348198342567859.614234268.379171392.856961537284287419635345286179",
    "4..678912672195348198342567859761423.26853791713924856961537284287419635345286179",
    "534678912672195348198342567859761423426853791713.2.856961537284287.1.635345286179",
    "3..678912672195348198342567859761423426853791713924856961537284287419635.45286179",
    ".3467.9126.219534819.342567859.614234268.379171392.856961537.842874196.534528.17.",
];

pub(super) fn probes() -> Vec<Puzzle> {
    PROBES.iter().filter_map(|text| text.parse().ok()).collect()
}

/// Checks that the outcomes of the probes agree with this kind of answers. For the kinds `Any` and `Smallest`, accepts all outcomes.
///
/// # Errors
///
/// [`Fault`] that describes a wrong answer, as the rest of a sentence that begins with the engine's name.
pub(super) fn check(kind: AnswerKind, puzzles: &[Puzzle], outcomes: &[Outcome]) -> Result<(), Fault> {
    for (puzzle, outcome) in puzzles.iter().zip(outcomes) {
        let (solutions, has_solution) = (count(puzzle, 2), outcome.solution.is_some());
        let expected = (solutions == 1).then(|| solve(puzzle).solution).flatten();
        let message = match (kind, solutions) {
            (AnswerKind::Any | AnswerKind::Smallest, _) => continue,
            (AnswerKind::Count, _) if outcome.count.min(2) == solutions => continue,
            (AnswerKind::Count, _) => format!("prints {} as the number of solutions", outcome.count),
            (AnswerKind::Unique, 1) if outcome.solution == expected => continue,
            (AnswerKind::Unique, 1) => "does not print the only solution".to_owned(),
            (AnswerKind::Unique, _) if !has_solution => continue,
            (AnswerKind::Unique, _) => "prints a solution".to_owned(),
        };
        let has = match solutions {
            0 => "none",
            1 => "one solution",
            _ => "several solutions",
        };
        return Err(Fault(format!("{message} of {puzzle}, which has {has}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probes_have_one_two_and_no_solutions() {
        let counts: Vec<u64> = probes().iter().map(|puzzle| count(puzzle, 3)).collect();
        assert_eq!(counts, [2, 1, 0, 2, 0, 1]);
    }
}
