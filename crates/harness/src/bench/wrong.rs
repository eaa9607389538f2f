//! Wrong answers. A contestant with a wrong answer on a dataset is not measured on this dataset.

use std::collections::BTreeMap;

use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::solver::{Outcome, Question};

use super::agreement::{Repeats, check_again, fault};
use super::engine_text::{answer_of_line, quoted, shown};
use super::{Contestant, Dataset, Fault, Refused};
use crate::figures::{count, counted};
use crate::record::{NamedPuzzle, PuzzleName, WrongAnswer};

/// A reason why a pair is not measured.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) fault: Fault,
    /// The wrong answers, if they are the reason; otherwise empty.
    pub(super) wrong: Vec<WrongAnswer>,
    /// Number of answers that were checked.
    pub(super) of: usize,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure { fault, wrong: Vec::new(), of: 0 }
    }
}

/// The puzzles that a contestant got: the puzzles of a dataset, or one form of each puzzle.
pub(super) struct GivenPuzzles<'a> {
    pub(super) puzzles: &'a [Puzzle],
    pub(super) dataset: &'a Dataset,
    /// If each puzzle was replaced by an equivalent form: the number of this form, from 1, the same for all puzzles. `None` if the puzzles
    /// are as in the dataset.
    pub(super) form: Option<u64>,
}

impl<'a> GivenPuzzles<'a> {
    pub(super) fn from_dataset(dataset: &'a Dataset) -> GivenPuzzles<'a> {
        GivenPuzzles { puzzles: dataset.puzzles(), dataset, form: None }
    }

    pub(super) fn named(&self, at: usize) -> NamedPuzzle {
        let PuzzleName { number, form } = self.puzzle_name(at);
        NamedPuzzle { number, form, line: self.dataset.line(at), puzzle: self.puzzles[at].to_string() }
    }

    pub(super) fn puzzle_name(&self, at: usize) -> PuzzleName {
        let name = self.dataset.puzzle_name(at);
        PuzzleName { form: self.form.or(name.form), ..name }
    }
}

/// Checks that none of the answers is wrong. `reasons` maps the index of each wrong answer to its fault. The fault is the rest of a
/// sentence that begins with "its answer", but the fault of a refused answer is a complete sentence, such as "it printed nothing".
///
/// # Errors
///
/// [`Failure`] with all wrong answers.
pub(super) fn check_none_wrong(
    contestant: &dyn Contestant,
    asked: &GivenPuzzles,
    outcomes: &[Outcome],
    reasons: &BTreeMap<usize, String>,
) -> Result<(), Failure> {
    let Some((&first, reason)) = reasons.first_key_value() else { return Ok(()) };
    let refused: BTreeMap<usize, &Refused> =
        contestant.refused().iter().map(|refused| (refused.index, refused)).collect();
    let lines = contestant.printed_lines();
    let wrong = reasons.iter().map(|(&index, reason)| {
        let printed = refused.get(&index).map(|refused| refused.output.as_slice());
        let answer = match (printed.or(lines.get(index).copied()), outcomes[index].solution) {
            (Some(text), _) => shown(text),
            (None, Some(solution)) => solution.to_string(),
            (None, None) => outcomes[index].status.name().to_owned(),
        };
        WrongAnswer { puzzle: asked.named(index), answer, reason: reason.clone() }
    });
    let wrong: Vec<WrongAnswer> = wrong.collect();
    let puzzle = &asked.puzzles[first];
    let Fault(first) = match refused.contains_key(&first) {
        true => Fault(format!("wrong answer: on the puzzle {puzzle}: {reason}")),
        false => with_printed_line(contestant, first, puzzle, fault(asked.puzzle_name(first), reason)),
    };
    let (of, count) = (outcomes.len(), count(wrong.len() as u64));
    let fault = match wrong.len() {
        1 => Fault(first),
        _ => Fault(format!("{first}; {count} of {} are wrong", counted(of as u64, "answer"))),
    };
    Err(Failure { fault, wrong, of })
}

/// Returns `fault` together with the line that the contestant printed for the puzzle at `index`, if there is one.
pub(super) fn with_printed_line(
    contestant: &dyn Contestant,
    index: usize,
    puzzle: &Puzzle,
    fault: Fault,
) -> Fault {
    match printed(contestant, index, puzzle) {
        Some(printed) => Fault(format!("{fault}; {printed}")),
        None => fault,
    }
}

/// Describes the line that a contestant last printed for the puzzle at `index`. `None` if there is no such line, as for built-in solvers
/// and for programs that use the protocol of a judge's problem.
pub(super) fn printed(contestant: &dyn Contestant, index: usize, puzzle: &Puzzle) -> Option<String> {
    let lines = contestant.printed_lines();
    let line = lines.get(index)?;
    let solves = |line: &&[u8]| answer_of_line(line).is_some_and(|solution| solution.check(puzzle).is_ok());
    let hint = match lines.get(index + 1).is_some_and(solves) {
        true => ", and on the next line an answer: does it print a banner first?",
        false => "",
    };
    Some(format!("for this puzzle, the engine printed {}{hint}", quoted(line)))
}

/// Checks that the latest answers of a contestant (`now`) agree with its earlier answers (`before`). Both lists are for the puzzles of the
/// dataset from position `from` on.
///
/// # Errors
///
/// [`Fault`] at the first answer that is wrong or differs.
pub(super) fn check_repeated(
    contestant: &dyn Contestant,
    dataset: &Dataset,
    from: usize,
    (before, now): (&[Outcome], &[Outcome]),
    question: &Question,
) -> Result<(), Fault> {
    let repeats = Repeats::new(contestant, question);
    for (at, (before, now)) in before.iter().zip(now).enumerate() {
        let puzzle = &dataset.puzzles()[from + at];
        check_again(puzzle, before, now, repeats).map_err(|reason| {
            with_printed_line(contestant, at, puzzle, fault(dataset.puzzle_name(from + at), &reason))
        })?;
    }
    Ok(())
}
