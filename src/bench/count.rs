//! One untimed pass that counts: the measurement of gate A.
#![forbid(unsafe_code)]

use super::agreement::{check_alone, fault};
use super::{Dataset, Fault};
use crate::solver::{Limits, Outcome, Variant};

/// Solves every puzzle of a dataset once under `limits` and has the referee check the answers. Limits of nodes
/// give the same outcomes on every machine; limits of time do not.
///
/// # Errors
/// [`Fault`] at the first wrong answer.
pub fn count(variant: &Variant, dataset: &Dataset, limits: &Limits) -> Result<Vec<Outcome>, Fault> {
    let mut outcomes = vec![Outcome::ABORTED; dataset.puzzles().len()];
    variant.build().solve_batch(dataset.puzzles(), limits, &mut outcomes);
    for (index, (puzzle, outcome)) in dataset.puzzles().iter().zip(&outcomes).enumerate() {
        check_alone(puzzle, outcome).map_err(|words| fault(dataset.number(index), &words))?;
    }
    Ok(outcomes)
}
