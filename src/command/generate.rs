//! `sudobench generate`: puzzles out, as they were asked for.

use std::num::NonZeroU64;
use std::sync::Arc;

use sudobench_batch::source::{Options, Recipe, Source};
use sudobench_batch::{Verb, columns, verb};
use sudobench_sudoku::Question;
use sudobench_sudoku::generate::{Hardest, Request};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver;

use super::rows::{Ran, RowsConfig};
use super::{Exit, UsageError, interrupt};
use crate::cli::{ClimbingArgs, GenerateArgs, NumbersArgs, PuzzlesArgs};

/// Makes the puzzles that were asked for, and says how that went.
///
/// # Errors
/// Whatever keeps the run from its end: usage, output, a puzzle that was not found.
pub(super) fn run(typed: GenerateArgs, level: Level) -> anyhow::Result<Exit> {
    let GenerateArgs { numbers, puzzles, climbing, output, running } = typed;
    let NumbersArgs { count, seed, skip } = numbers;
    let interrupt = interrupt::flags()?;
    if !output.only.is_empty() {
        let words = "--only chooses among rows that are there; here all are as they were asked for";
        return Err(UsageError(words.to_owned()).into());
    }
    if puzzles.solutions.as_ref().is_some_and(|solutions| *solutions.start() == 0) {
        let words = "--solutions counts from 1; --unsolvable asks for puzzles without one";
        return Err(UsageError(words.to_owned()).into());
    }
    let Some(end) = skip.checked_add(count.get()) else {
        return Err(UsageError(format!("a seed has {} puzzles: skip fewer", u64::MAX)).into());
    };
    let hardest = hardest_of(&climbing, level)?;
    let verb = if hardest.is_some() { verb::GENERATE_HARDEST } else { verb::GENERATE };
    let verb = Verb { grid: [columns::PUZZLE, columns::SOLUTION][puzzles.board as usize], ..verb };
    let request = request_of(puzzles, hardest.clone());
    let plan = request.plan().map_err(|error| UsageError(error.to_string()))?;
    let options = Options { skip, limit: Some(count.get()), ..Options::default() };
    let rows = RowsConfig::of_made(options, output, running, verb)?;
    if rows.has_columns() && verb.grid.name != columns::PUZZLE.name {
        let words =
            "--board belongs to the output formats lines, npy, boj2580 and boj2239; the others have columns";
        return Err(UsageError(words.to_owned()).into());
    }
    let (variant, question) = match hardest {
        Some(Hardest { variant, question, .. }) => (variant, question),
        None => {
            // One more than there may be, and of several solutions the smallest.
            let most = plan.request().solutions.end().saturating_add(1);
            let most = NonZeroU64::MIN.saturating_add(most.max(2) - 1);
            (*solver::default_variant(), Question::up_to(most))
        }
    };
    let recipe = Recipe { plan: Arc::new(plan), seed };
    let options = Options {
        delimiter: rows.promised_delimiter(),
        cancel: Arc::clone(&interrupt.reading),
        ..Options::default()
    };
    let source = Source::made(recipe, skip..end, options);
    let Some(Ran { exit, .. }) =
        rows.run_and_tell(source, &interrupt, |run| run.solver(&variant, level).question(question))?
    else {
        return Ok(Exit::Fine);
    };
    exit
}

fn request_of(typed: PuzzlesArgs, hardest: Option<Hardest>) -> Request {
    let one = 1..=1;
    Request {
        clues: typed.clues,
        minimal: typed.minimal,
        symmetry: typed.symmetry,
        pattern: typed.pattern,
        solutions: if typed.unsolvable { 0..=0 } else { typed.solutions.unwrap_or(one) },
        difficulties: typed.difficulty,
        method: typed.method,
        hardest,
        attempts: typed.attempts.get(),
    }
}

/// Whose nodes are to be many, if anybody's.
fn hardest_of(typed: &ClimbingArgs, level: Level) -> anyhow::Result<Option<Hardest>> {
    let Some(variant) = typed.hardest else { return Ok(None) };
    if variant.build(level)?.batch_size() > 1 {
        let words = "its nodes depend on which puzzles it solves together, so that none of them has nodes of its own; name another one";
        return Err(UsageError(format!("--hardest {}: {words}", variant.name)).into());
    }
    let most = NonZeroU64::new(typed.max_solutions).unwrap_or(NonZeroU64::MIN);
    Ok(Some(Hardest {
        variant: *variant,
        question: Question::up_to(most),
        steps: typed.steps,
        max_nodes: typed.max_nodes.get(),
    }))
}
