//! Counts the work of solvers and external programs for the exact gate. The counts don't depend on a clock: they come from one untimed pass
//! of a built-in solver, or from two untimed passes of an external program.

use std::time::Duration;

use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Outcome, Question, Variant};

use super::agreement::{check_alone, fault};
use super::warm_up::check_all;
use super::work::printed_work;
use super::wrong::check_repeated;
use super::{Allowance, Contestant, Dataset, Fault, Work, in_words};
use crate::figures::counted;
use crate::record::registry::COUNTED;

/// An answer with the counts of its search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountedAnswer {
    /// The answer. If the answer is from an external program, the nodes and guesses in this field are 0, and the printed numbers are in the
    /// other fields.
    pub outcome: Outcome,
    /// Number of nodes ([`Outcome::nodes`]). `None` if an external program does not print it.
    pub nodes: Option<u64>,
    /// Number of guesses ([`Outcome::guesses`]). `None` if an external program does not print it.
    pub guesses: Option<u64>,
}

/// Solves every puzzle of a dataset once under `question` and has the referee check the answers.
///
/// The solver gets all puzzles in one call, as in a pass of `bench` on one thread. If `question` has no time limit, the outcomes depend
/// only on the puzzles and the other limits, and for a batch solver also on the vector width.
///
/// # Errors
/// [`Fault`] at the first wrong answer, or if the CPU does not support the SIMD level.
pub fn count(
    variant: &Variant,
    level: Level,
    dataset: &Dataset,
    question: &Question,
) -> Result<Vec<CountedAnswer>, Fault> {
    let mut outcomes = vec![Outcome::ABORTED; dataset.puzzles().len()];
    let mut solver = variant.build(level).map_err(|error| Fault(error.to_string()))?;
    solver.solve_batch(dataset.puzzles(), question, &mut outcomes);
    for (index, (puzzle, outcome)) in dataset.puzzles().iter().zip(&outcomes).enumerate() {
        check_alone(puzzle, outcome).map_err(|reason| fault(dataset.puzzle_name(index), &reason))?;
    }
    let answer = |outcome: Outcome| CountedAnswer {
        outcome,
        nodes: Some(outcome.nodes),
        guesses: Some(outcome.guesses),
    };
    Ok(outcomes.into_iter().map(answer).collect())
}

/// Runs an external program on every puzzle of a dataset twice, each time within `allowance`, and returns its answers and counts.
///
/// Counts that differ between two runs (for example because of a random seed) would make gates fail at random, so they are an error.
///
/// # Errors
///
/// [`Fault`] if the program fails, at the first wrong answer, if an answer is missing, if a printed count can't be read or is printed only
/// for some puzzles, or if the runs differ.
pub fn count_printed(
    program: &mut dyn Contestant,
    dataset: &Dataset,
    question: &Question,
    allowance: Duration,
) -> Result<Vec<CountedAnswer>, Fault> {
    let puzzles = dataset.puzzles();
    let outcomes = program.warm_up(puzzles, Allowance { time: allowance, limit: "--max-silence" })?.outcomes;
    if outcomes.len() < puzzles.len() {
        return Err(too_slow(program, "", puzzles, allowance));
    }
    check_all(program, &outcomes, dataset, question)?;
    let work = printed_work(program, &outcomes, dataset)?;
    let mut again = outcomes.clone();
    if program.pass(puzzles, &mut again, allowance)?.is_none() {
        return Err(too_slow(program, " in its second run", puzzles, allowance));
    }
    check_repeated(program, dataset, 0, (&outcomes, &again), question)?;
    for (at, (before, now)) in work.iter().zip(program.work()).enumerate() {
        for (figure, (before, now)) in COUNTED.iter().zip(before.values().into_iter().zip(now.values())) {
            if before != now {
                return Err(does_not_repeat(figure.key, dataset.number(at), before, now));
            }
        }
    }
    let answer = |(&outcome, work): (&Outcome, &Work)| CountedAnswer {
        outcome,
        nodes: work.nodes,
        guesses: work.guesses,
    };
    Ok(outcomes.iter().zip(&work).map(answer).collect())
}

fn too_slow(program: &dyn Contestant, run: &str, puzzles: &[Puzzle], allowance: Duration) -> Fault {
    let (of, within) = (counted(puzzles.len() as u64, "puzzle"), in_words(allowance));
    let far = program.stopped().map_or(String::new(), |it| format!("; {}", it.in_words(puzzles)));
    Fault(format!(
        "it did not answer all {of} within {within}{run}: raise --max-silence, or use fewer puzzles with --sample{far}"
    ))
}

fn does_not_repeat(name: &str, number: u64, before: Option<u64>, now: Option<u64>) -> Fault {
    let shown = |count: Option<u64>| count.map_or("none".to_owned(), |count| count.to_string());
    let (before, now) = (shown(before), shown(now));
    Fault(format!(
        "its {name} differ from run to run (puzzle {number}: {before}, then {now}): exact counts must be the same in each run; use a \
         fixed seed, or do not print {name}"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{Scripted, puzzle, right};
    use super::*;

    fn found(work: [Vec<Work>; 2], tries: &[usize]) -> Result<Vec<CountedAnswer>, String> {
        let dataset = Dataset::in_order("two", vec![puzzle(); 2]);
        let outcomes = tries.iter().map(|_| right(1)).collect();
        let mut program = Scripted { work: work.into(), ..Scripted::new("a", outcomes, &[10, 10]) };
        let counted = count_printed(&mut program, &dataset, &Question::unique(), Duration::from_secs(1));
        counted.map_err(|fault| fault.to_string())
    }

    fn work(nodes: &[Option<u64>]) -> Vec<Work> {
        let of = |&nodes: &Option<u64>| Work { nodes, guesses: Some(3), unreadable: None };
        nodes.iter().map(of).collect()
    }

    #[test]
    fn repeatable_counts_of_every_puzzle_are_counted() {
        let told = work(&[Some(7), Some(8)]);
        let counted = found([told.clone(), told], &[0, 1]).unwrap();
        let counts: Vec<_> = counted.iter().map(|answer| (answer.nodes, answer.guesses)).collect();
        assert_eq!(counts, [(Some(7), Some(3)), (Some(8), Some(3))]);
        assert_eq!(found([Vec::new(), Vec::new()], &[0, 1]).unwrap()[1].guesses, None);
    }

    #[test]
    fn different_counts_and_missing_answers_are_reported() {
        let fault = found([work(&[Some(7), Some(8)]), work(&[Some(7), Some(9)])], &[0, 1]).unwrap_err();
        assert!(fault.starts_with("its nodes differ from run to run (puzzle 2: 8, then 9): "), "{fault}");
        let some = work(&[Some(7), None]);
        let fault = found([some.clone(), some], &[0, 1]).unwrap_err();
        assert!(fault.starts_with("it prints no nodes for puzzle 2, but it does for others: "), "{fault}");
        let bad = |word: &str| vec![Work { unreadable: Some(word.to_owned()), ..Work::default() }; 2];
        let fault = found([bad("`nodes=-5`"), bad("`nodes=-5`")], &[0, 1]).unwrap_err();
        assert_eq!(fault, "on puzzle 1 it printed `nodes=-5`, which is not a whole number of at least 0");
        let fault = found([Vec::new(), Vec::new()], &[0]).unwrap_err();
        assert!(
            fault.starts_with("it did not answer all 2 puzzles within 1s: raise --max-silence"),
            "{fault}"
        );
    }
}
