//! One untimed pass that counts: the measurement of gate A.

use super::agreement::{check_alone, fault};
use super::{Dataset, Fault};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Outcome, Question, Variant};

/// Solves every puzzle of a dataset once under `question` and has the referee check the answers.
///
/// All puzzles are one batch, as in a pass of `bench` on one thread. With no limit of time the outcomes follow from
/// the puzzles and the limits, for a variant that solves many puzzles at once at a given vector width.
///
/// # Errors
/// [`Fault`] at the first wrong answer.
pub fn count(
    variant: &Variant,
    level: Level,
    dataset: &Dataset,
    question: &Question,
) -> Result<Vec<Outcome>, Fault> {
    let mut outcomes = vec![Outcome::ABORTED; dataset.puzzles().len()];
    let mut solver = variant.build(level).map_err(|error| Fault(error.to_string()))?;
    solver.solve_batch(dataset.puzzles(), question, &mut outcomes);
    for (index, (puzzle, outcome)) in dataset.puzzles().iter().zip(&outcomes).enumerate() {
        check_alone(puzzle, outcome).map_err(|words| fault(dataset.number(index), &words))?;
    }
    Ok(outcomes)
}
