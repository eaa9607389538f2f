//! `sudobench answer`: a built-in solver as a program for the judge. It reads one puzzle, prints its solution, and ends.

use std::io::{Read as _, Write as _};

use anyhow::Context as _;
use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Outcome, find};

use super::{Exit, UsageError};
use crate::cli::AnswerArgs;
use sudobench_harness::problem::Problem;

pub(super) fn run(typed: &AnswerArgs, level: Level) -> anyhow::Result<Exit> {
    let problem = Problem::named(&typed.problem).ok_or_else(|| {
        UsageError(format!("there is no problem `{}`: write boj2580 or boj2239", typed.problem))
    })?;
    let variant = find(&typed.solver).ok_or_else(|| {
        UsageError(format!("there is no solver `{}`: see `sudobench solvers`", typed.solver))
    })?;
    let mut text = Vec::new();
    std::io::stdin().lock().read_to_end(&mut text).context("cannot read standard input")?;
    text.retain(|byte| !byte.is_ascii_whitespace());
    let puzzle = Puzzle::from_text(&text)?;
    let mut outcome = [Outcome::ABORTED];
    variant.build(level)?.solve_batch(&[puzzle], &problem.question(), &mut outcome);
    let solution = outcome[0].solution.context("the puzzle has no solution")?;
    std::io::stdout().lock().write_all(problem.output(&solution).as_bytes())?;
    Ok(Exit::Fine)
}
