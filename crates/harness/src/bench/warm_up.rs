//! The warm-up of all pairs: the first pass, after which only right answers are measured.

use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::solver::{self, Outcome, Question, Status};

use super::agreement::{Said, check_alone, dissenters, fault};
use super::form_answers::check_forms;
use super::pair::Pair;
use super::work::printed_work;
use super::{Contestant, Dataset, Fault, Plan, Step, WarmUp, Work};
use crate::record::Kind;

/// The warm-up may take one part in so many of a pair's time: three rounds then fit into the rest.
pub const WARM_UP_SHARE: u32 = 4;

/// The first pass of every pair, dataset by dataset, and what is wrong with the answers.
pub(super) fn warm_up_all(
    contestants: &mut [Box<dyn Contestant>],
    datasets: &[Dataset],
    plan: &Plan,
    tell: &mut dyn FnMut(Step) -> bool,
) -> Vec<Result<Pair, Fault>> {
    let mut pairs = Vec::new();
    let all_pairs = datasets.len() * contestants.len();
    for (at, dataset) in datasets.iter().enumerate() {
        let mut warm_ups: Vec<Result<FirstAnswers, Fault>> = Vec::new();
        for contestant in contestants.iter_mut() {
            let step = Step {
                round: 0,
                rounds: plan.rounds,
                solver: contestant.name(),
                dataset: dataset.name(),
                done: pairs.len() + warm_ups.len(),
                of: plan.rounds.saturating_add(1).saturating_mul(all_pairs),
                left: None,
            };
            let go_on = tell(step);
            let interrupted = || Fault("interrupted before it was measured".to_owned());
            let warm_up =
                if go_on { warm_up(contestant.as_mut(), dataset, plan) } else { Err(interrupted()) };
            warm_ups.push(if plan.is_interrupted() { Err(interrupted()) } else { warm_up });
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

/// Turns the warm-ups of those whose answers the others refute into faults.
fn disqualify(
    contestants: &[Box<dyn Contestant>],
    dataset: &Dataset,
    plan: &Plan,
    warm_ups: &mut [Result<FirstAnswers, Fault>],
) {
    let answers: Vec<Answers> = (contestants.iter().zip(warm_ups.iter()))
        .map(|(contestant, warm_up)| {
            let outcomes = warm_up.as_ref().map_or(&[][..], |first| first.checked.as_slice());
            Answers { name: contestant.name(), kind: contestant.kind(), outcomes }
        })
        .collect();
    let faults = compare(&answers, dataset, &plan.question);
    for ((warm_up, contestant), fault) in warm_ups.iter_mut().zip(contestants).zip(faults) {
        if let Some((index, fault)) = fault {
            *warm_up = Err(told(contestant.as_ref(), index, &dataset.puzzles()[index], fault));
        }
    }
}

/// The first answers of a contestant to a dataset.
struct FirstAnswers {
    warm_up: WarmUp,
    /// The answers to check: those of the warm-up, and those to the puzzles after it that came within the time for checks.
    checked: Vec<Outcome>,
}

/// Lets a contestant answer a dataset for the first time and has the referee check the answers.
fn warm_up(contestant: &mut dyn Contestant, dataset: &Dataset, plan: &Plan) -> Result<FirstAnswers, Fault> {
    let puzzles = sample(contestant, dataset, plan);
    let warm_up = contestant.warm_up(puzzles, plan.warm_up_allowance())?;
    let mut checked = warm_up.outcomes.clone();
    if contestant.kind().is_external() && checked.len() < puzzles.len() && !plan.check_time.is_zero() {
        checked = contestant.answer_to_check(puzzles, plan.check_time)?;
    }
    check_each(contestant, &checked, dataset)?;
    Ok(FirstAnswers { warm_up, checked })
}

/// The puzzles of a dataset that a contestant is given.
pub(super) fn sample<'d>(contestant: &dyn Contestant, dataset: &'d Dataset, plan: &Plan) -> &'d [Puzzle] {
    let puzzles = match plan.single_sample.map(usize::try_from) {
        Some(Ok(most)) if contestant.kind() == Kind::Single => dataset.puzzles().get(..most),
        _ => None,
    };
    puzzles.unwrap_or(dataset.puzzles())
}

/// Holds what one contestant answered to a whole dataset against the rules, and where it found nothing, against the default variant.
///
/// # Errors
/// [`Fault`] at the first wrong answer.
pub(super) fn check_all(
    contestant: &dyn Contestant,
    outcomes: &[Outcome],
    dataset: &Dataset,
    question: &Question,
) -> Result<(), Fault> {
    check_each(contestant, outcomes, dataset)?;
    let answers = [Answers { name: contestant.name(), kind: contestant.kind(), outcomes }];
    match compare(&answers, dataset, question).into_iter().flatten().next() {
        Some((index, fault)) => Err(told(contestant, index, &dataset.puzzles()[index], fault)),
        None => Ok(()),
    }
}

/// Has the referee check every answer.
fn check_each(contestant: &dyn Contestant, outcomes: &[Outcome], dataset: &Dataset) -> Result<(), Fault> {
    let wrong = |index: usize, words: &str| {
        told(contestant, index, &dataset.puzzles()[index], fault(dataset.puzzle_name(index), words))
    };
    for (index, (puzzle, outcome)) in dataset.puzzles().iter().zip(outcomes).enumerate() {
        check_alone(puzzle, outcome).map_err(|words| wrong(index, &words))?;
    }
    check_forms(dataset, outcomes).map_err(|(index, words)| wrong(index, &words))
}

/// The fault of an answer to the puzzle at `index`, with what was printed for it.
pub(super) fn told(contestant: &dyn Contestant, index: usize, puzzle: &Puzzle, fault: Fault) -> Fault {
    match contestant.printed(index, puzzle) {
        Some(printed) => Fault(format!("{fault}; {printed}")),
        None => fault,
    }
}

/// One contestant's first answers to a dataset.
struct Answers<'a> {
    name: &'a str,
    kind: Kind,
    outcomes: &'a [Outcome],
}

/// Holds the answers of all contestants to one dataset against each other. Returns the fault of each
/// contestant that is wrong at its first wrong answer, with the index of that puzzle.
fn compare(answers: &[Answers], dataset: &Dataset, question: &Question) -> Vec<Option<(usize, Fault)>> {
    let mut faults: Vec<Option<(usize, Fault)>> = vec![None; answers.len()];
    for (index, puzzle) in dataset.puzzles().iter().enumerate() {
        let here: Vec<(usize, &Outcome)> = (answers.iter().enumerate())
            .filter_map(|(who, answers)| Some((who, answers.outcomes.get(index)?)))
            .collect();
        let mut said: Vec<Said> = (here.iter())
            .map(|&(who, outcome)| {
                let Answers { name, kind, .. } = answers[who];
                Said { name, only_solves: kind.is_external(), outcome }
            })
            .collect();
        let second_opinion = second_opinion(&said, puzzle);
        if let Some(outcome) = &second_opinion {
            said.push(Said { name: solver::default_variant().name, only_solves: false, outcome });
        }
        for (position, words) in dissenters(&said, question) {
            if let Some(&(who, _)) = here.get(position) {
                faults[who].get_or_insert_with(|| (index, fault(dataset.puzzle_name(index), &words)));
            }
        }
    }
    faults
}

/// The default variant's answer where only other programs answered and one of them found nothing: "no solution" is
/// the one answer that the referee cannot check.
fn second_opinion(said: &[Said], puzzle: &Puzzle) -> Option<Outcome> {
    let proved = said.iter().any(|said| !said.only_solves && said.outcome.status != Status::Aborted);
    let denied = said.iter().any(|said| said.outcome.status == Status::Unsolvable);
    (denied && !proved).then(|| solver::solve(puzzle))
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{puzzle, right};
    use super::*;

    #[test]
    fn a_program_proves_nothing_and_need_not_find_the_smallest() {
        let dataset = Dataset::from_puzzles("one", vec![Puzzle::EMPTY]);
        let smaller = Outcome { status: Status::Multiple, count: 2, ..solver::solve(&Puzzle::EMPTY) };
        let larger = Outcome { status: Status::Solved, ..right(1) };
        for kind in [Kind::Engine, Kind::Program] {
            let answers = [
                Answers { name: "ours", kind: Kind::Single, outcomes: &[smaller] },
                Answers { name: "theirs", kind, outcomes: &[larger] },
            ];
            assert_eq!(compare(&answers, &dataset, &Question::unique()), [None, None], "{kind:?}");
        }
    }

    #[test]
    fn a_dissenter_is_named_with_the_puzzle_and_the_reason() {
        let dataset = Dataset::from_puzzles("three", vec![puzzle(); 3]);
        let good = [right(1); 3];
        let mut bad = good;
        bad[2] = Outcome { status: Status::Unsolvable, count: 0, solution: None, ..bad[2] };
        let answers = [
            Answers { name: "good", kind: Kind::Single, outcomes: &good },
            Answers { name: "bad", kind: Kind::Single, outcomes: &bad },
            Answers { name: "slow", kind: Kind::Single, outcomes: &good[..1] },
        ];
        let faults = compare(&answers, &dataset, &Question::unique());
        let words = "wrong answer: on puzzle 3 its answer is `unsolvable`, but good solves it";
        assert_eq!(faults, [None, Some((2, Fault(words.to_owned()))), None]);
    }
}
