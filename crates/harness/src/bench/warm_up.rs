//! The warm-up: the first pass of all pairs. Pairs with a wrong answer are not measured further.

use std::collections::BTreeMap;

use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::solver::{self, Outcome, Question, Status};

use super::agreement::{GivenAnswer, check_alone, dissenters};
use super::form_answers::unlike_other_forms;
use super::pair::Pair;
use super::work::printed_work;
use super::wrong::{Failure, GivenPuzzles, check_none_wrong};
use super::{Contestant, Dataset, Fault, Plan, Step, WarmUp, Work};
use crate::record::{AnswerKind, Kind};

/// Divisor for the time limit of the warm-up: the warm-up may use a quarter of the pair's time, so that three rounds fit into the other
/// three quarters.
pub const WARM_UP_SHARE: u32 = 4;

/// Runs the first pass of every pair, dataset by dataset, and checks the answers.
pub(super) fn warm_up_all(
    contestants: &mut [Box<dyn Contestant>],
    datasets: &[Dataset],
    plan: &Plan,
    tell: &mut dyn FnMut(Step) -> bool,
) -> Vec<Result<Pair, Failure>> {
    let mut pairs = Vec::new();
    let all_pairs = datasets.len() * contestants.len();
    for (at, dataset) in datasets.iter().enumerate() {
        let mut warm_ups: Vec<Result<FirstAnswers, Failure>> = Vec::new();
        for contestant in contestants.iter_mut() {
            let step = Step {
                round: 0,
                rounds: plan.rounds,
                solver: contestant.name(),
                dataset: dataset.name(),
                done: pairs.len() + warm_ups.len(),
                total: plan.rounds.saturating_add(1).saturating_mul(all_pairs),
                left: None,
            };
            let go_on = tell(step);
            let interrupted = || Fault("interrupted before it was measured".to_owned());
            let warm_up =
                if go_on { warm_up(contestant.as_mut(), dataset, plan) } else { Err(interrupted()) };
            let warm_up = if plan.is_interrupted() { Err(interrupted()) } else { warm_up };
            warm_ups.push(warm_up.map_err(Failure::from));
        }
        disqualify(contestants, dataset, plan, &mut warm_ups);
        for (contestant, warm_up) in warm_ups.into_iter().enumerate() {
            let kind = contestants[contestant].kind();
            let pair = warm_up.and_then(|FirstAnswers { warm_up, checked }| {
                let mut work = match kind.is_external() {
                    true => printed_work(contestants[contestant].as_ref(), &checked, dataset)?,
                    false => warm_up.outcomes.iter().map(Work::counted).collect(),
                };
                work.truncate(warm_up.outcomes.len());
                let mut pair = Pair::new(contestant, at, kind, (warm_up, work), plan);
                pair.checked = checked.len();
                Ok(pair)
            });
            pairs.push(pair);
        }
    }
    pairs
}

/// Replaces each warm-up that has a wrong answer by a failure.
fn disqualify(
    contestants: &[Box<dyn Contestant>],
    dataset: &Dataset,
    plan: &Plan,
    warm_ups: &mut [Result<FirstAnswers, Failure>],
) {
    let mut answers: Vec<Answers> = (contestants.iter().zip(warm_ups.iter()))
        .map(|(contestant, warm_up)| {
            let outcomes = warm_up.as_ref().map_or(&[][..], |first| first.checked.as_slice());
            Answers::new(contestant.as_ref(), outcomes, dataset)
        })
        .collect();
    compare(&mut answers, dataset, &plan.question);
    let found: Vec<Result<(), Failure>> = (contestants.iter().zip(&answers))
        .map(|(contestant, answers)| answers.check_none_wrong(contestant.as_ref(), dataset))
        .collect();
    for (warm_up, found) in warm_ups.iter_mut().zip(found) {
        if let Err(failure) = found {
            *warm_up = Err(failure);
        }
    }
}

struct FirstAnswers {
    warm_up: WarmUp,
    /// The answers to check: the answers of the warm-up and, if an external program got extra time for checks, its answers to more puzzles.
    checked: Vec<Outcome>,
}

fn warm_up(contestant: &mut dyn Contestant, dataset: &Dataset, plan: &Plan) -> Result<FirstAnswers, Fault> {
    let puzzles = sample(contestant, dataset, plan);
    let warm_up = contestant.warm_up(puzzles, plan.warm_up_allowance())?;
    let mut checked = warm_up.outcomes.clone();
    if contestant.kind().is_external() && checked.len() < puzzles.len() && !plan.check_time.is_zero() {
        checked = contestant.answer_to_check(puzzles, plan.check_time)?;
    }
    Ok(FirstAnswers { warm_up, checked })
}

/// Returns the puzzles that a contestant gets from a dataset.
pub(super) fn sample<'d>(contestant: &dyn Contestant, dataset: &'d Dataset, plan: &Plan) -> &'d [Puzzle] {
    let puzzles = match plan.single_sample.map(usize::try_from) {
        Some(Ok(most)) if contestant.kind() == Kind::Single => dataset.puzzles().get(..most),
        _ => None,
    };
    puzzles.unwrap_or(dataset.puzzles())
}

/// Lets the referee check all answers of one contestant to a dataset. An answer that the referee can't check, such as "no solution", is
/// compared with the answer of the default solver.
///
/// # Errors
///
/// [`Fault`] if an answer is wrong.
pub(super) fn check_all(
    contestant: &dyn Contestant,
    outcomes: &[Outcome],
    dataset: &Dataset,
    question: &Question,
) -> Result<(), Fault> {
    let mut answers = [Answers::new(contestant, outcomes, dataset)];
    compare(&mut answers, dataset, question);
    let [answers] = answers;
    answers.check_none_wrong(contestant, dataset).map_err(|failure| failure.fault)
}

struct Answers<'a> {
    name: &'a str,
    /// The kind of answers of an external program; `None` for a built-in solver.
    answer_kind: Option<AnswerKind>,
    outcomes: &'a [Outcome],
    /// The fault of each wrong answer. The key is the index of the answer in `outcomes`.
    wrong: BTreeMap<usize, String>,
}

impl<'a> Answers<'a> {
    /// Finds those wrong answers that are wrong whatever the other contestants answer: answers that were refused, solutions that
    /// the referee rejects, and answers that differ between the forms of a puzzle.
    fn new(contestant: &'a dyn Contestant, outcomes: &'a [Outcome], dataset: &Dataset) -> Answers<'a> {
        let refused = contestant.refused().iter().filter(|refused| refused.index < outcomes.len());
        let mut wrong: BTreeMap<usize, String> =
            refused.map(|refused| (refused.index, refused.reason.clone())).collect();
        let answer_kind = contestant.answers();
        let solutions = if answer_kind == Some(AnswerKind::Count) { &[] } else { outcomes };
        for (index, (puzzle, outcome)) in dataset.puzzles().iter().zip(solutions).enumerate() {
            if let Err(message) = check_alone(puzzle, outcome) {
                wrong.entry(index).or_insert(message);
            }
        }
        for (index, message) in unlike_other_forms(dataset, outcomes) {
            wrong.entry(index).or_insert(message);
        }
        Answers { name: contestant.name(), answer_kind, outcomes, wrong }
    }

    fn check_none_wrong(&self, contestant: &dyn Contestant, dataset: &Dataset) -> Result<(), Failure> {
        check_none_wrong(contestant, &GivenPuzzles::from_dataset(dataset), self.outcomes, &self.wrong)
    }
}

/// Compares the contestants' answers for one dataset with each other. Answers that are already known to be wrong are left out.
fn compare(answers: &mut [Answers], dataset: &Dataset, question: &Question) {
    for (index, puzzle) in dataset.puzzles().iter().enumerate() {
        let is_open = |answers: &&Answers| !answers.wrong.contains_key(&index);
        let here: Vec<(usize, &Outcome)> = (answers.iter().enumerate())
            .filter(|(_, answers)| is_open(answers))
            .filter_map(|(who, answers)| Some((who, answers.outcomes.get(index)?)))
            .collect();
        let said: Vec<GivenAnswer> = (here.iter())
            .map(|&(who, outcome)| {
                let Answers { name, answer_kind, .. } = answers[who];
                GivenAnswer { name, answers: answer_kind, outcome }
            })
            .collect();
        let opinion = second_opinion(&said, puzzle, question);
        let name = solver::default_variant().name;
        let opinion = opinion.as_ref().map(|outcome| GivenAnswer { name, answers: None, outcome });
        for (position, message) in dissenters(&said, opinion.as_ref(), question) {
            answers[here[position].0].wrong.insert(index, message);
        }
    }
}

/// Returns the answer of the default built-in solver if a second opinion is needed, otherwise `None`. An external program may claim that a
/// puzzle has no solution, only one solution, or a certain number of solutions. The referee can't check such a claim. So a second opinion
/// is needed if there is such a claim, and no answer of a built-in solver decides it.
fn second_opinion(said: &[GivenAnswer], puzzle: &Puzzle, question: &Question) -> Option<Outcome> {
    let proved = said.iter().any(|said| said.answers.is_none() && said.outcome.status != Status::Aborted);
    let denied = said.iter().any(|said| said.outcome.status == Status::Unsolvable) && !proved;
    let is_known = said.iter().any(GivenAnswer::knows_number);
    if !is_known && said.iter().any(GivenAnswer::claims_number) {
        let count = sudobench_sudoku::count(puzzle, question.max_solutions.get().max(2));
        return Some(Outcome { count, ..solver::solve(puzzle) });
    }
    denied.then(|| solver::solve(puzzle))
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{puzzle, right};
    use super::*;

    fn answers<'a>(name: &'a str, kind: Kind, outcomes: &'a [Outcome]) -> Answers<'a> {
        let answer_kind = kind.is_external().then_some(AnswerKind::Any);
        Answers { name, answer_kind, outcomes, wrong: BTreeMap::new() }
    }

    #[test]
    fn a_program_proves_nothing_and_may_find_any_solution() {
        let dataset = Dataset::in_order("one", vec![Puzzle::EMPTY]);
        let smaller = Outcome { status: Status::Multiple, count: 2, ..solver::solve(&Puzzle::EMPTY) };
        let larger = Outcome { status: Status::Solved, ..right(1) };
        for kind in [Kind::Engine, Kind::Program] {
            let (smaller, larger) = ([smaller], [larger]);
            let mut answers = [answers("ours", Kind::Single, &smaller), answers("theirs", kind, &larger)];
            compare(&mut answers, &dataset, &Question::unique());
            assert!(answers.iter().all(|answers| answers.wrong.is_empty()), "{kind:?}");
        }
    }

    #[test]
    fn counting_programs_are_right_if_any_solution_is_requested() {
        let dataset = Dataset::in_order("two", vec![puzzle(), Puzzle::EMPTY]);
        let question = Question::first();
        let first = |puzzle| Outcome { status: Status::Solved, count: 1, ..solver::solve(&puzzle) };
        let ours = [puzzle(), Puzzle::EMPTY].map(first);
        let one = Outcome { status: Status::Solved, solution: None, ..right(1) };
        let theirs = [one, one];
        let mut answers = [answers("ours", Kind::Single, &ours), answers("theirs", Kind::Engine, &theirs)];
        answers[1].answer_kind = Some(AnswerKind::Count);
        compare(&mut answers, &dataset, &question);
        assert!(answers.iter().all(|answers| answers.wrong.is_empty()), "{:?}", answers[0].wrong);
    }

    #[test]
    fn a_wrong_contestant_is_named_with_puzzle_and_reason() {
        let dataset = Dataset::in_order("three", vec![puzzle(); 3]);
        let good = [right(1); 3];
        let mut bad = good;
        bad[2] = Outcome { status: Status::Unsolvable, count: 0, solution: None, ..bad[2] };
        bad[1] = bad[2];
        let mut answers = [
            answers("good", Kind::Single, &good),
            answers("bad", Kind::Single, &bad),
            answers("slow", Kind::Single, &good[..1]),
        ];
        compare(&mut answers, &dataset, &Question::unique());
        let message = "is `unsolvable`, but good solves it".to_owned();
        let wrong = answers.map(|answers| answers.wrong);
        assert_eq!(wrong, [[].into(), [(1, message.clone()), (2, message)].into(), [].into()]);
    }
}
