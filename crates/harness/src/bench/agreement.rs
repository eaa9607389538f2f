//! Checks answers: the referee checks solutions, and the answers of contestants to the same puzzle are compared.

use std::collections::BTreeMap;

use sudobench_sudoku::puzzle::{Puzzle, Solution};
use sudobench_sudoku::solver::{Answer, Outcome, Question, Status};

use super::{Contestant, Fault};
use crate::record::{AnswerKind, PuzzleName};

pub(super) struct GivenAnswer<'a> {
    pub(super) name: &'a str,
    /// The kind of answers of an external program; `None` for a built-in solver.
    pub(super) answers: Option<AnswerKind>,
    pub(super) outcome: &'a Outcome,
}

/// Checks a single outcome: if the status says that there are solutions, the outcome must have a solution that the referee accepts. If the
/// status is `unsolvable`, it must have none. Aborted outcomes are not checked.
///
/// # Errors
///
/// The fault, as the rest of a sentence that begins with "its answer".
pub(super) fn check_alone(puzzle: &Puzzle, outcome: &Outcome) -> Result<(), String> {
    match (outcome.status, &outcome.solution) {
        (Status::Aborted, _) | (Status::Unsolvable, None) => Ok(()),
        (Status::Unique | Status::Solved | Status::Multiple, Some(solution)) => {
            solution.check(puzzle).map_err(|fault| format!("is wrong: {fault}"))
        }
        (status, Some(_)) => Err(format!("is `{}`, but has a solution", status.name())),
        (status, None) => Err(format!("is `{}` without a solution", status.name())),
    }
}

/// Compares the answers to one puzzle with each other. Each answer, except a mere number of solutions, must have passed [`check_alone`].
///
/// Facts come first: a solution refutes "unsolvable", and two different solutions refute "unique". If the smallest solution is requested, a
/// smaller solution refutes a larger one of a built-in solver. An external program may state whether the solution is unique, or how many
/// solutions there are. This statement is compared with the answer of one built-in solver: a contestant that knows the number of solutions
/// or else the default solver (`opinion`). If no answer was found wrong, the built-in solvers among the contestants
/// vote, except those that aborted. If a majority agrees, only the other votes count as wrong answers. If there is no majority, all votes
/// count as wrong answers.
///
/// Returns the index of each wrong answer with the reason.
pub(super) fn dissenters(
    given: &[GivenAnswer],
    opinion: Option<&GivenAnswer>,
    question: &Question,
) -> Vec<(usize, String)> {
    let solutions: BTreeMap<Solution, &str> =
        given.iter().chain(opinion).filter_map(|given| Some((given.outcome.solution?, given.name))).collect();
    let known = given.iter().chain(opinion).find(|given| given.knows_number());
    let mut wrong: Vec<(usize, String)> = given
        .iter()
        .enumerate()
        .filter_map(|(index, given)| {
            let message =
                refuted(given, &solutions, question).or_else(|| miscounted(given, known?, question))?;
            Some((index, message))
        })
        .collect();
    if wrong.is_empty() {
        wrong = outvoted(given);
    }
    wrong
}

impl GivenAnswer<'_> {
    /// Returns whether the answer is from a built-in solver and says that a puzzle has one solution, several or none.
    pub(super) fn knows_number(&self) -> bool {
        self.answers.is_none()
            && matches!(self.outcome.status, Status::Unique | Status::Multiple | Status::Unsolvable)
    }

    /// Returns whether the answer is from an external program and says something about the number of solutions: the number itself, or only
    /// whether there is exactly one solution.
    pub(super) fn claims_number(&self) -> bool {
        let claims = matches!(self.answers, Some(AnswerKind::Unique | AnswerKind::Count));
        claims && self.outcome.status != Status::Aborted
    }
}

/// Returns the contradiction between an answer and the known solutions, if there is one.
fn refuted(given: &GivenAnswer, solutions: &BTreeMap<Solution, &str>, question: &Question) -> Option<String> {
    let (smallest, finder) = solutions.first_key_value()?;
    let (largest, other) = solutions.last_key_value()?;
    let demands_smallest = question.answer == Answer::Smallest && given.answers.is_none();
    match (given.outcome.status, given.answers) {
        // Programs with these kinds of answers print no solution if a puzzle has several solutions. So an answer without a solution may
        // be right although a solution is known. `miscounted` checks these answers.
        (_, Some(AnswerKind::Unique | AnswerKind::Count)) => None,
        (Status::Unsolvable, Some(AnswerKind::Any)) => {
            Some(format!("has no solution, but {finder} finds one"))
        }
        (Status::Unsolvable, None) => Some(format!("is `unsolvable`, but {finder} solves it")),
        (Status::Unique, _) if smallest != largest => {
            let witness = if given.outcome.solution.as_ref() == Some(smallest) { other } else { finder };
            Some(format!("is `unique`, but {witness} has another solution"))
        }
        (Status::Solved | Status::Multiple, _)
            if demands_smallest && given.outcome.solution != Some(*smallest) =>
        {
            Some(format!("is not the smallest solution: {finder} finds a smaller one"))
        }
        _ => None,
    }
}

/// If the answer `given` is from a program that proves uniqueness or counts solutions, compares it with the answer `known`, which is taken
/// as right. Returns the fault, if there is one.
fn miscounted(given: &GivenAnswer, known: &GivenAnswer, question: &Question) -> Option<String> {
    if !given.claims_number() {
        return None;
    }
    let (found, expected, name) = (given.outcome, known.outcome, known.name);
    let counted = expected.count.min(question.max_solutions.get());
    match (given.answers, expected.status) {
        (Some(AnswerKind::Count), _) if found.count != counted => {
            Some(format!("is {}, but {name} counts {counted}", found.count))
        }
        (Some(AnswerKind::Unique), Status::Unique) if found.solution.is_none() => {
            Some(format!("has no solution, but {name} finds the only one"))
        }
        (Some(AnswerKind::Unique), Status::Multiple) if found.solution.is_some() => Some(
            "has a solution, but the puzzle has several: with --engine-answers unique, an engine must not print one"
                .to_owned(),
        ),
        _ => None,
    }
}

/// Compares the answers of the built-in solvers. Returns the solvers whose status or number of solutions differs from the majority's. If
/// the answers differ and none has a majority, returns all built-in solvers that did not abort.
fn outvoted(given: &[GivenAnswer]) -> Vec<(usize, String)> {
    let proves = |given: &&GivenAnswer| given.answers.is_none() && given.outcome.status != Status::Aborted;
    let mut votes: BTreeMap<(Status, u64), usize> = BTreeMap::new();
    for given in given.iter().filter(proves) {
        *votes.entry((given.outcome.status, given.outcome.count)).or_default() += 1;
    }
    let all: usize = votes.values().sum();
    let majority = votes.iter().find(|(_, count)| **count * 2 > all).map(|(verdict, _)| *verdict);
    if votes.len() <= 1 {
        return Vec::new();
    }
    let differs = |given: &GivenAnswer| Some((given.outcome.status, given.outcome.count)) != majority;
    let describe = |given: &GivenAnswer| {
        format!(
            "is `{}` ({} found), but other solvers differ",
            given.outcome.status.name(),
            given.outcome.count
        )
    };
    let voters = given.iter().enumerate().filter(|(_, given)| proves(given) && differs(given));
    voters.map(|(index, given)| (index, describe(given))).collect()
}

/// The parts of an answer that must be equal each time the same contestant answers the same puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeats {
    /// The status, the count and the solution.
    All,
    /// The status and the count. The solution must be equal only if the puzzle has no other solution, because the solution that a batch
    /// solver finds first depends on the other puzzles in the batch.
    AllButSolution,
    /// The status and the count. The solution must be right, but it may differ, because a later round may use another equivalent form of
    /// the puzzle.
    Status,
    /// The status and the count. The contestant's answers contain no solution grids.
    Count,
}

impl Repeats {
    pub(super) fn new(contestant: &dyn Contestant, question: &Question) -> Repeats {
        match contestant.answers() {
            Some(AnswerKind::Any | AnswerKind::Smallest | AnswerKind::Unique) => Repeats::Status,
            Some(AnswerKind::Count) => Repeats::Count,
            None if question.answer == Answer::First => Repeats::AllButSolution,
            None => Repeats::All,
        }
    }
}

/// Compares a later answer with the answer of the warm-up.
///
/// # Errors
///
/// The rest of a sentence that begins with "its answer": the fault of the later answer, or that it differs from the answer in the warm-up.
pub(super) fn check_again(
    puzzle: &Puzzle,
    before: &Outcome,
    now: &Outcome,
    repeats: Repeats,
) -> Result<(), String> {
    let check_alone = || if repeats == Repeats::Count { Ok(()) } else { check_alone(puzzle, now) };
    // An aborted answer is not compared, because a puzzle may exceed a time limit in one round and not in another.
    if before.status == Status::Aborted || now.status == Status::Aborted {
        return check_alone();
    }
    let acceptable = match repeats {
        Repeats::All => before.solution == now.solution,
        Repeats::AllButSolution if now.status == Status::Unique => before.solution == now.solution,
        Repeats::AllButSolution | Repeats::Status | Repeats::Count => check_alone().is_ok(),
    };
    if before.status == now.status && before.count == now.count && acceptable {
        return Ok(());
    }
    check_alone()?;
    Err("differs from its answer in the warm-up".to_owned())
}

pub(super) fn fault(name: PuzzleName, message: &str) -> Fault {
    Fault(format!("wrong answer: on puzzle {name} its answer {message}"))
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{puzzle, right};
    use super::*;

    const LATER: &str = "987654321246173985351928746128537694634892157795461832519286473472319568863745219";

    const SEVENTH: PuzzleName = PuzzleName { number: 7, form: None };

    fn solution(text: &str) -> Option<Solution> {
        Solution::from_text(text.as_bytes()).ok()
    }

    fn given<'a>(name: &'a str, outcome: &'a Outcome) -> GivenAnswer<'a> {
        GivenAnswer { name, answers: None, outcome }
    }

    #[test]
    fn the_solution_and_its_status_are_checked() {
        assert_eq!(check_alone(&puzzle(), &right(1)), Ok(()));
        let wrong = Outcome { solution: solution(LATER), ..right(1) };
        assert_eq!(check_alone(&puzzle(), &wrong).unwrap_err(), "is wrong: r1c1 differs from the clue");
        let without = Outcome { solution: None, ..right(1) };
        assert_eq!(check_alone(&puzzle(), &without).unwrap_err(), "is `unique` without a solution");
        let beyond = Outcome { status: Status::Unsolvable, ..right(1) };
        assert_eq!(check_alone(&puzzle(), &beyond).unwrap_err(), "is `unsolvable`, but has a solution");
    }

    #[test]
    fn facts_refute_answers() {
        let (right, question) = (right(1), Question::unique());
        let none = Outcome { status: Status::Unsolvable, count: 0, solution: None, ..right };
        let found = dissenters(&[given("a", &none), given("b", &none), given("c", &right)], None, &question);
        let message = "is `unsolvable`, but c solves it".to_owned();
        assert_eq!(found, [(0, message.clone()), (1, message)]);
        let engine = GivenAnswer { name: "e", answers: Some(AnswerKind::Any), outcome: &none };
        let message = "has no solution, but c finds one".to_owned();
        assert_eq!(dissenters(&[engine, given("c", &right)], None, &question), [(0, message)]);
        let larger = Outcome { status: Status::Multiple, count: 2, solution: solution(LATER), ..right };
        let found = dissenters(&[given("a", &right), given("b", &larger)], None, &question);
        assert_eq!(found[0], (0, "is `unique`, but b has another solution".to_owned()));
        assert_eq!(found[1], (1, "is not the smallest solution: a finds a smaller one".to_owned()));
        assert_eq!(dissenters(&[given("a", &larger), given("b", &larger)], None, &question), []);
    }

    #[test]
    fn the_majority_decides_what_facts_leave_open() {
        let one = right(1);
        let two = Outcome { status: Status::Multiple, count: 2, ..one };
        let aborted = Outcome::ABORTED;
        let question = Question::unique();
        let names = |given: &[GivenAnswer]| -> Vec<usize> {
            dissenters(given, None, &question).into_iter().map(|(index, _)| index).collect()
        };
        assert_eq!(names(&[given("a", &one), given("b", &one), given("c", &two)]), [2]);
        assert_eq!(names(&[given("a", &one), given("b", &two)]), [0, 1]);
        assert!(names(&[given("a", &one), given("b", &aborted), given("c", &one)]).is_empty());
        let engine = Outcome { status: Status::Solved, ..one };
        assert!(
            names(&[
                given("a", &one),
                GivenAnswer { name: "e", answers: Some(AnswerKind::Any), outcome: &engine }
            ])
            .is_empty()
        );
    }

    #[test]
    fn proofs_and_counts_of_programs_are_compared_with_a_solver() {
        let (one, none) = (right(1), Outcome::CONTRADICTORY);
        let two = Outcome { status: Status::Multiple, count: 2, ..one };
        let counts = |count, status| Outcome { status, count, solution: None, ..one };
        let miscount = |kind, found: &Outcome, known: &Outcome| {
            let engine = GivenAnswer { name: "e", answers: Some(kind), outcome: found };
            dissenters(&[given("s", known), engine], None, &Question::unique())
                .into_iter()
                .map(|it| it.1)
                .next()
        };
        use AnswerKind::{Count, Unique};
        for (kind, found, known, expected) in [
            (Unique, one, one, None),
            (Unique, none, two, None),
            (Unique, none, none, None),
            (Unique, none, one, Some("has no solution, but s finds the only one")),
            (Unique, one, two, Some("has a solution, but the puzzle has several: ")),
            (Count, counts(2, Status::Multiple), two, None),
            (Count, none, none, None),
            (Count, counts(2, Status::Multiple), one, Some("is 2, but s counts 1")),
            (Count, none, one, Some("is 0, but s counts 1")),
        ] {
            let message = miscount(kind, &found, &known);
            let (found, expected) = (message.clone().unwrap_or_default(), expected.unwrap_or_default());
            assert!(found.starts_with(expected) && message.is_none() == expected.is_empty(), "{found}");
        }
    }

    #[test]
    fn a_changed_answer_is_noticed() {
        let (puzzle, first) = (puzzle(), right(1));
        assert_eq!(check_again(&puzzle, &first, &right(9), Repeats::All), Ok(()));
        assert_eq!(check_again(&puzzle, &first, &Outcome::ABORTED, Repeats::All), Ok(()));
        let other = Outcome { count: 2, status: Status::Multiple, ..first };
        let message = check_again(&puzzle, &first, &other, Repeats::All).unwrap_err();
        assert_eq!(
            fault(SEVENTH, &message).to_string(),
            "wrong answer: on puzzle 7 its answer differs from its answer in the warm-up"
        );
        let wrong = Outcome { solution: solution(LATER), ..first };
        let message = check_again(&puzzle, &first, &wrong, Repeats::AllButSolution).unwrap_err();
        assert_eq!(message, "is wrong: r1c1 differs from the clue");
    }

    #[test]
    fn another_solution_is_right_if_any_is_allowed() {
        let empty = Puzzle::EMPTY;
        let before = Outcome { status: Status::Solved, ..right(1) };
        let now = Outcome { solution: solution(LATER), ..before };
        assert_eq!(check_again(&empty, &before, &now, Repeats::AllButSolution), Ok(()));
        let changed = [
            check_again(&empty, &before, &now, Repeats::All),
            check_again(
                &empty,
                &before,
                &Outcome { status: Status::Multiple, ..now },
                Repeats::AllButSolution,
            ),
            check_again(&empty, &before, &Outcome { count: 2, ..now }, Repeats::AllButSolution),
            check_again(
                &empty,
                &right(1),
                &Outcome { status: Status::Unique, ..now },
                Repeats::AllButSolution,
            ),
        ];
        for fault in changed {
            assert!(fault.unwrap_err().ends_with("differs from its answer in the warm-up"));
        }
        let refused = check_again(&puzzle(), &before, &now, Repeats::AllButSolution).unwrap_err();
        assert_eq!(refused, "is wrong: r1c1 differs from the clue");
    }
}
