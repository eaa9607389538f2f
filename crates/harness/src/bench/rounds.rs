//! Rounds: runs the pairs again and again, in an order that is shuffled for each round.
//!
//! Drift of the machine (heat, other processes) then affects the pairs alike, not only those that run last.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::solver::Outcome;

use super::agreement::{Repeats, check_again};
use super::pair::Pair;
use super::summary::{figures_of_puzzles, summarize};
use super::warm_up::warm_up_all;
use super::wrong::{Failure, GivenPuzzles, check_none_wrong};
use super::{Contestant, Dataset, Fault, Plan, Step, in_words};
use crate::meters::Meters;
use crate::record::{PairRecord, PuzzleFigures, RoundRecord, WrongAnswer};

/// The results of a measurement.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    /// The records of all pairs.
    pub pairs: Vec<PairRecord>,
    /// For each pair, in the order of `pairs`, the wrong answers that were found. The record of the pair contains only the first few of
    /// them.
    pub wrong: Vec<Vec<WrongAnswer>>,
    /// For each pair, in the order of `pairs`, the time, nodes and guesses of each puzzle, as far as known. Empty unless the plan requests
    /// them.
    pub puzzles: Vec<Vec<PuzzleFigures>>,
}

/// Measures every contestant on every dataset: the warm-up, then the rounds. `tell` receives each step and returns whether to continue; if
/// it returns false, the result has the rounds made so far.
pub fn measure(
    contestants: &mut [Box<dyn Contestant>],
    datasets: &[Dataset],
    plan: &Plan,
    tell: &mut dyn FnMut(Step) -> bool,
) -> Measured {
    let mut pairs = warm_up_all(contestants, datasets, plan, tell);
    if plan.times_single_puzzles {
        time_single_puzzles(contestants, datasets, plan, &mut pairs);
    }
    let mut random = Random::new(plan.seed);
    let mut scratch = Vec::new();
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    let mut turns = order.clone();
    'rounds: for round in 1..=plan.rounds {
        if plan.is_interrupted() || pairs.iter().flatten().all(|pair| pair.is_over) {
            break;
        }
        let forms = forms_of_round(round, contestants, datasets, plan, &pairs);
        random.shuffle(&mut order);
        order.iter().enumerate().for_each(|(turn, &at)| turns[at] = turn);
        for (turn, &at) in order.iter().enumerate() {
            let start = Instant::now();
            if pairs[at].as_ref().map_or(true, |pair| pair.is_over) {
                continue;
            }
            let left = time_left(&pairs, |at| turns[at] >= turn, plan, plan.rounds - round);
            let Ok(pair) = &mut pairs[at] else { continue };
            let contestant = contestants[pair.contestant].as_mut();
            let dataset = &datasets[pair.dataset];
            let step = Step {
                round,
                rounds: plan.rounds,
                solver: contestant.name(),
                dataset: dataset.name(),
                done: round.saturating_mul(order.len()).saturating_add(turn),
                total: plan.rounds.saturating_add(1).saturating_mul(order.len()),
                left: Some(left),
            };
            if !tell(step) {
                break 'rounds;
            }
            let puzzles = match plan.fresh_forms && contestant.kind().is_external() {
                true => GivenPuzzles { puzzles: &forms[pair.dataset], dataset, form: Some(round as u64) },
                false => GivenPuzzles { puzzles: dataset.puzzles(), dataset, form: None },
            };
            let ran = run_round(contestant, &puzzles, pair, plan, start, &mut scratch);
            if plan.is_interrupted() {
                break 'rounds;
            }
            if let Err(failure) = ran {
                pairs[at] = Err(failure);
            }
        }
    }
    let records = summarize(contestants, datasets, plan, &pairs);
    let puzzles = pairs.iter().map(|pair| {
        pair.as_ref().map_or(Vec::new(), |pair| figures_of_puzzles(pair, &datasets[pair.dataset]))
    });
    let puzzles = if plan.lists_puzzles { puzzles.collect() } else { Vec::new() };
    let wrong = pairs.into_iter().map(|pair| pair.err().map_or(Vec::new(), |failure| failure.wrong));
    Measured { pairs: records, wrong: wrong.collect(), puzzles }
}

/// Maximum number of puzzles that an engine gets one at a time.
const SINGLE_PUZZLES: usize = 200;

/// The time limit of the measurement with one puzzle at a time is the time limit of the pair divided by this number.
const SINGLE_SHARE: u32 = 10;

/// Minimum time limit for the answer to a single puzzle, unless the whole measurement has less time. If an engine does not give its first
/// answer in time, it counts as an engine that prints its answers only at the end of its input.
const SHORTEST_WAIT: Duration = Duration::from_millis(500);

/// Measures engines that normally get all puzzles at once: gives them the first puzzles one at a time, or stores why an engine can't be
/// timed in this way. A wrong answer makes the pair a failure, as in a round.
fn time_single_puzzles(
    contestants: &mut [Box<dyn Contestant>],
    datasets: &[Dataset],
    plan: &Plan,
    pairs: &mut [Result<Pair, Failure>],
) {
    for result in pairs {
        let Ok(pair) = result else { continue };
        if plan.is_interrupted() {
            return;
        }
        let (contestant, dataset) = (contestants[pair.contestant].as_mut(), &datasets[pair.dataset]);
        let puzzles = &dataset.puzzles()[..pair.first.len().min(SINGLE_PUZZLES)];
        // A single puzzle should not take longer than the whole pass of the warm-up. The limit is higher, because times vary.
        let longest =
            Duration::from_nanos(pair.first_pass_ns).saturating_mul(2).saturating_add(SHORTEST_WAIT);
        let (start, allowance) = (Instant::now(), plan.max_time / SINGLE_SHARE);
        let Some(times) = contestant.answer_one_by_one(puzzles, longest.min(allowance), allowance) else {
            continue;
        };
        let checked = times.as_ref().map_or(Ok(()), |times| {
            check_answers(contestant, &GivenPuzzles::from_dataset(dataset), pair, &times.outcomes, plan)
        });
        pair.spent_ns += nanoseconds(start.elapsed());
        pair.single_times = Some(times);
        if let Err(failure) = checked {
            *result = Err(failure);
        }
    }
}

/// Checks `outcomes`, the answers of a contestant to the first puzzles of a dataset, and compares them with the answers of the warm-up.
///
/// # Errors
///
/// [`Failure`] if an answer breaks the rules, is wrong, or differs from the answer of the warm-up.
fn check_answers(
    contestant: &dyn Contestant,
    asked: &GivenPuzzles,
    pair: &Pair,
    outcomes: &[Outcome],
    plan: &Plan,
) -> Result<(), Failure> {
    let repeats = Repeats::new(contestant, &plan.question);
    let refused = contestant.refused().iter();
    let mut wrong: BTreeMap<usize, String> =
        refused.map(|refused| (refused.index, refused.reason.clone())).collect();
    for (at, now) in outcomes.iter().enumerate() {
        if let Err(message) = check_again(&asked.puzzles[at], &pair.first[at], now, repeats) {
            wrong.entry(at).or_insert(message);
        }
    }
    check_none_wrong(contestant, asked, outcomes, &wrong)
}

/// Estimates the remaining time: in this round, for the pairs for which `to_come` returns true; in the `rounds_after` later rounds, for all
/// pairs.
fn time_left(
    pairs: &[Result<Pair, Failure>],
    to_come: impl Fn(usize) -> bool,
    plan: &Plan,
    rounds_after: usize,
) -> Duration {
    let pairs = pairs.iter().enumerate().filter_map(|(at, pair)| Some((at, pair.as_ref().ok()?)));
    let rounds = |at| rounds_after.saturating_add(usize::from(to_come(at)));
    pairs
        .map(|(at, pair)| pair.time_of_rounds(rounds(at), plan))
        .fold(Duration::ZERO, Duration::saturating_add)
}

/// Makes, for each dataset, the equivalent forms of the puzzles that external programs get in a round. The time for this is not measured.
fn forms_of_round(
    round: usize,
    contestants: &[Box<dyn Contestant>],
    datasets: &[Dataset],
    plan: &Plan,
    pairs: &[Result<Pair, Failure>],
) -> Vec<Vec<Puzzle>> {
    let needs_forms =
        |pair: &&Pair| plan.fresh_forms && !pair.is_over && contestants[pair.contestant].kind().is_external();
    let mut reached = vec![0; datasets.len()];
    for pair in pairs.iter().flatten().filter(needs_forms) {
        reached[pair.dataset] = pair.first.len().max(reached[pair.dataset]);
    }
    let both = datasets.iter().zip(reached);
    both.map(|(dataset, puzzles)| dataset.forms(round, puzzles, plan.seed)).collect()
}

/// Runs one round of one pair, whose turn began at `start`: runs its passes, and after each pass checks the result and adds it to the pair.
/// The time of a check is not part of the time of a pass, but it counts towards the pair's time limit, because otherwise many short
/// rounds could take much longer than the limit.
fn run_round(
    contestant: &mut dyn Contestant,
    all: &GivenPuzzles,
    pair: &mut Pair,
    plan: &Plan,
    start: Instant,
    scratch: &mut Vec<Outcome>,
) -> Result<(), Failure> {
    let puzzles = &all.puzzles[..pair.first.len()];
    scratch.clear();
    scratch.resize(puzzles.len(), Outcome::ABORTED);
    let max_ns = nanoseconds(plan.max_time).saturating_sub(pair.spent_ns);
    let mut round = RoundRecord { passes: 0, elapsed_ns: 0, cpu_ns: 0 };
    let spent_ns = |round: &RoundRecord| nanoseconds(start.elapsed()).max(round.elapsed_ns);
    let (mut is_last, mut knows_cpu) = (false, true);
    while !is_last {
        let left = Duration::from_nanos(max_ns.saturating_sub(spent_ns(&round)));
        let meters = contestant.account().and_then(Meters::start);
        let passed = contestant.pass(puzzles, scratch, left);
        let readings = meters.map(|meters| meters.stop());
        // An interrupted pass is dropped, because its time and answers say nothing about the contestant.
        if plan.is_interrupted() {
            return Ok(());
        }
        let Some(mut pass) = passed? else {
            pair.is_over = true;
            return match pair.rounds.is_empty() {
                true => {
                    let far = contestant.stopped().map(|it| format!("; {}", it.in_words(puzzles)));
                    let fault = format!(
                        "a pass did not end within {}, the part of --max-time-per-pair that remained after the warm-up: raise that limit{}",
                        in_words(left),
                        far.unwrap_or_default()
                    );
                    Err(Fault(fault).into())
                }
                false => Ok(()),
            };
        };
        check_answers(contestant, all, pair, scratch, plan)?;
        round.passes += 1;
        round.elapsed_ns += pass.elapsed_ns;
        round.cpu_ns += pass.cpu_ns;
        knows_cpu &= pass.cpu_ns > 0;
        is_last = round.passes == pair.passes_a_round || spent_ns(&round) + pass.elapsed_ns > max_ns;
        if let Some(readings) = readings {
            pass.readings.extend(readings);
        }
        pair.record_pass(pass, scratch, is_last);
    }
    round.cpu_ns = if knows_cpu { round.cpu_ns } else { 0 };
    pair.spent_ns += spent_ns(&round);
    pair.is_over = pair.spent_ns + spent_ns(&round) > nanoseconds(plan.max_time);
    pair.rounds.push(round);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::SingleTimes;
    use super::super::fixtures::{Scripted, puzzle, right};
    use super::*;
    use crate::record::Kind;
    use sudobench_sudoku::solver::{Question, Status};

    fn plan() -> Plan {
        Plan {
            budgets: "1us,1ms".parse::<sudobench_rows::Budgets>().unwrap().list,
            rounds: 4,
            warm_up_limit: "its share",
            check_time: Duration::from_secs(60),
            times_single_puzzles: true,
            lists_puzzles: true,
            keep_puzzles: true,
            ..Plan::new(Question::unique(), Duration::from_secs(60))
        }
    }

    fn measured(contestants: Vec<Scripted>, plan: &Plan) -> Vec<PairRecord> {
        let mut contestants: Vec<Box<dyn Contestant>> =
            contestants.into_iter().map(|scripted| Box::new(scripted) as Box<dyn Contestant>).collect();
        let dataset = Dataset::in_order("two", vec![puzzle(); 2]);
        measure(&mut contestants, &[dataset], plan, &mut |_| true).pairs
    }

    #[test]
    fn counters_belong_to_their_own_dataset() {
        let scripted = Scripted::new("a", vec![right(500); 2], &[4_000]);
        let mut contestants: Vec<Box<dyn Contestant>> = vec![Box::new(scripted)];
        let dataset = |name: &str, puzzles| Dataset::in_order(name, vec![puzzle(); puzzles]);
        let pairs =
            measure(&mut contestants, &[dataset("two", 2), dataset("one", 1)], &plan(), &mut |_| true).pairs;
        for pair in pairs {
            let measurement = pair.measurement.unwrap();
            let hardware = measurement.hardware.unwrap();
            assert_eq!((hardware.cycles_per_puzzle, hardware.instructions_per_puzzle), (200.0, 300.0));
            assert_eq!(measurement.figures["branch_misses"], 0.5);
        }
    }

    #[test]
    fn a_pair_is_measured_round_by_round() {
        let scripted = Scripted::new("a", vec![right(500), right(2_000)], &[4_000, 2_000, 8_000]);
        let pairs = measured(vec![scripted], &plan());
        insta::assert_json_snapshot!(pairs);
    }

    #[test]
    fn a_wrong_answer_gives_no_measurement_and_the_others_are_measured() {
        let wrong = Outcome { solution: None, ..right(1) };
        let pairs = measured(
            vec![
                Scripted::new("bad", vec![right(1), wrong], &[2]),
                Scripted::new("good", vec![right(1), right(1)], &[2]),
            ],
            &plan(),
        );
        assert_eq!(
            pairs[0].error.as_deref(),
            Some("wrong answer: on puzzle 2 its answer is `unique` without a solution")
        );
        assert!(pairs[0].measurement.is_none() && pairs[1].measurement.is_some());
    }

    #[test]
    fn the_rounds_and_puzzles_before_a_timeout_are_kept() {
        let mut slow = Scripted::new("slow", vec![right(1), right(1)], &[24_000_000_000]);
        slow.reaches = 1;
        let fast = Scripted::new("fast", vec![right(3), right(5)], &[8]);
        let pairs = measured(vec![slow, fast], &plan());
        let [slow, fast] = [0, 1].map(|at| pairs[at].measurement.as_ref().unwrap());
        assert_eq!((slow.puzzles, slow.complete, slow.rounds.len()), (1, false, 1));
        assert_eq!((fast.puzzles, fast.complete, fast.rounds.len()), (2, true, 4));
        assert_eq!(fast.time_on_prefix(1), 3.0, "both are comparable on the puzzle that both have");
    }

    #[test]
    fn answers_to_untimed_puzzles_are_checked_too() {
        let outcomes = [right(1); 3].map(|outcome| Outcome { status: Status::Solved, ..outcome });
        let slow = |outcomes: Vec<Outcome>| {
            let engine = Scripted::new("slow", outcomes, &[4]);
            Scripted { kind: Kind::Engine, reaches: 1, ..engine }
        };
        let dataset = Dataset::in_order("three", vec![puzzle(); 3]);
        let measured = |outcomes: &[Outcome], plan: &Plan| {
            let mut contestants: Vec<Box<dyn Contestant>> = vec![Box::new(slow(outcomes.to_vec()))];
            measure(&mut contestants, std::slice::from_ref(&dataset), plan, &mut |_| true).pairs.remove(0)
        };
        let found = measured(&outcomes, &plan()).measurement.unwrap();
        assert_eq!((found.puzzles, found.checked.unwrap().answers, found.checked.unwrap().of), (1, 3, 3));
        let mut wrong = outcomes;
        wrong[2] = Outcome::CONTRADICTORY;
        let error = measured(&wrong, &plan()).error.unwrap();
        assert!(error.starts_with("wrong answer: on puzzle 3 "), "{error}");
        let unchecked = measured(&wrong, &Plan { check_time: Duration::ZERO, ..plan() }).measurement.unwrap();
        assert_eq!(unchecked.checked.unwrap().answers, 1);
    }

    #[test]
    fn the_minimum_time_is_reached_by_repeating_the_pass() {
        let plan = Plan { min_time: Duration::from_nanos(400), ..plan() };
        let pairs = measured(vec![Scripted::new("a", vec![right(1), right(1)], &[30])], &plan);
        let passes: Vec<u64> =
            pairs[0].measurement.as_ref().unwrap().rounds.iter().map(|round| round.passes).collect();
        assert_eq!(passes, [4, 4, 4, 4]);
        let latency = pairs[0].measurement.as_ref().unwrap().latency_ns.unwrap();
        assert_eq!(latency.puzzles, 32, "the histogram holds every timed solve");
    }

    #[test]
    fn an_engine_has_no_latency_and_runs_once_a_round() {
        let plan = Plan { min_time: Duration::from_nanos(400), ..plan() };
        let mut engine = Scripted::new("e", vec![right(0), right(0)], &[30]);
        engine.kind = Kind::Engine;
        let pairs = measured(vec![engine], &plan);
        let measurement = pairs[0].measurement.as_ref().unwrap();
        assert_eq!((measurement.latency_ns, measurement.effort, measurement.rounds.len()), (None, None, 4));
        assert!(measurement.budgets.is_empty());
    }

    #[test]
    fn an_engine_also_gets_one_puzzle_at_a_time() {
        let solved = Outcome { status: Status::Solved, ..right(0) };
        let measured = |outcomes: Vec<Outcome>| {
            let mut engine = Scripted::new("e", vec![solved; 2], &[30]);
            let times = SingleTimes { outcomes, times_ns: vec![700, 900], echo_ns: Some(5) };
            (engine.kind, engine.single_times) = (Kind::Engine, Some(times));
            let mut contestants: Vec<Box<dyn Contestant>> = vec![Box::new(engine)];
            let dataset = Dataset::in_order("two", vec![puzzle(); 2]);
            measure(&mut contestants, &[dataset], &plan(), &mut |_| true)
        };
        let found = measured(vec![solved; 2]);
        let measurement = found.pairs[0].measurement.as_ref().unwrap();
        let times = measurement.one_by_one_times().unwrap();
        assert_eq!((times.latency_ns.max, times.echo_ns, times.budgets[0].within), (900, Some(5), 2));
        let slowest: Vec<_> =
            measurement.slowest.iter().map(|slow| (slow.puzzle.number, slow.time_ns)).collect();
        assert_eq!(slowest, [(2, 900), (1, 700)]);
        assert_eq!(found.puzzles[0].iter().map(|it| it.time_ns).collect::<Vec<_>>(), [Some(700), Some(900)]);
        let wrong = measured(vec![solved, Outcome::CONTRADICTORY]);
        assert!(wrong.pairs[0].error.as_ref().unwrap().starts_with("wrong answer: on puzzle 2 "));
        assert_eq!(wrong.wrong[0].len(), 1);
    }

    #[test]
    fn a_program_has_times_and_no_counts() {
        let mut program = Scripted::new("p", vec![right(500), right(2_000)], &[2_500]);
        program.kind = Kind::Program;
        let pairs = measured(vec![program], &Plan { min_time: Duration::from_nanos(40_000), ..plan() });
        let measurement = pairs[0].measurement.as_ref().unwrap();
        assert_eq!((measurement.latency_ns.unwrap().max, measurement.effort), (2_000, None));
        assert_eq!(measurement.budgets.iter().map(|budget| budget.within).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((measurement.par2.unwrap().mean_ns, measurement.rounds[0].passes), (1_250.0, 1));
        assert_eq!((measurement.prefixes[0].time_ns, measurement.prefixes[0].exact), (2_500, true));
        let kept = measurement.kept.as_ref().unwrap();
        assert_eq!((kept.elapsed_ns.as_slice(), kept.statuses.as_str()), ([500, 2_000].as_slice(), "uu"));
        assert!(kept.nodes.is_empty() && kept.guesses.is_empty());
    }

    #[test]
    fn external_programs_get_other_forms_in_each_round() {
        let plan = Plan { fresh_forms: true, ..plan() };
        // This engine answers the warm-up rightly. Later it repeats the cached answers, which are wrong for other forms of the puzzles.
        let solved = Outcome { status: Status::Solved, ..right(1) };
        let mut cached = Scripted::new("cached", vec![solved; 2], &[4]);
        cached.kind = Kind::Engine;
        let pairs = measured(vec![cached, Scripted::new("single", vec![right(1); 2], &[4])], &plan);
        let error = pairs[0].error.clone().unwrap();
        assert!(error.starts_with("wrong answer: on puzzle 1, form 1 its answer is wrong: "), "{error}");
        assert_eq!(pairs[1].measurement.as_ref().unwrap().rounds.len(), 4);
        let dataset = Dataset::in_order("two", vec![puzzle(); 2]);
        let all = dataset.clone().into_forms(std::num::NonZeroUsize::new(3).unwrap(), 1).unwrap();
        assert_eq!([1, 2, 3].map(|round| dataset.forms(round, 2, 1)[1]), all.puzzles()[3..]);
    }

    #[test]
    fn forms_are_measured_like_puzzles_and_have_a_spread() {
        let isomorphs = std::num::NonZeroUsize::new(2).unwrap();
        let dataset = Dataset::in_order("one", vec![puzzle()]).into_forms(isomorphs, 1).unwrap();
        let solved = |at: usize, elapsed_ns| {
            let outcome = sudobench_sudoku::solve(&dataset.puzzles()[at]);
            Outcome { elapsed_ns, nodes: 10 + 5 * at as u64, ..outcome }
        };
        let outcomes = vec![solved(0, 500), solved(1, 2_000)];
        let mut contestants: Vec<Box<dyn Contestant>> = Vec::new();
        for (name, kind) in
            [("s", Kind::Single), ("b", Kind::Batch), ("e", Kind::Engine), ("p", Kind::Program)]
        {
            contestants.push(Box::new(Scripted { kind, ..Scripted::new(name, outcomes.clone(), &[9]) }));
        }
        let mut unlike = Scripted::new("unlike", outcomes, &[9]);
        unlike.outcomes[1] = Outcome::CONTRADICTORY;
        let pairs = measure(&mut contestants, std::slice::from_ref(&dataset), &plan(), &mut |_| true).pairs;
        let told = |at: usize| {
            let spread = pairs[at].measurement.as_ref().unwrap().spread.clone();
            spread.map(|spread| (spread.of.name(), spread.max))
        };
        assert_eq!(
            [0, 1, 2, 3].map(told),
            [Some(("time", 4.0)), Some(("nodes", 1.5)), None, Some(("time", 4.0))]
        );
        let kept = pairs[0].measurement.as_ref().unwrap().kept.clone().unwrap();
        assert_eq!((kept.number, kept.form), (vec![1, 1], vec![1, 2]));
        // There is no other contestant. So the answer to form 2 is compared with the contestant's own answer to form 1.
        let pairs =
            measure(&mut [Box::new(unlike) as Box<dyn Contestant>], &[dataset], &plan(), &mut |_| true).pairs;
        let error = pairs[0].error.clone().unwrap();
        let message =
            "on puzzle 1, form 2 its answer is `unsolvable` (0 found), but `unique` (1 found) on form 1";
        assert!(error.ends_with(message), "{error}");
    }

    #[test]
    fn an_interruption_keeps_what_was_measured() {
        let mut contestants: Vec<Box<dyn Contestant>> =
            vec![Box::new(Scripted::new("a", vec![right(1); 2], &[2]))];
        let dataset = Dataset::in_order("two", vec![puzzle(); 2]);
        let pairs = measure(&mut contestants, &[dataset], &plan(), &mut |step| step.round < 3).pairs;
        assert_eq!(pairs[0].measurement.as_ref().unwrap().rounds.len(), 2);
    }

    #[test]
    fn each_step_reports_finished_and_remaining_work() {
        let mut contestants: Vec<Box<dyn Contestant>> = vec![
            Box::new(Scripted::new("a", vec![right(1); 2], &[2_000])),
            Box::new(Scripted::new("b", vec![right(1); 2], &[50])),
        ];
        let dataset = Dataset::in_order("two", vec![puzzle(); 2]);
        let plan = Plan { rounds: 2, ..plan() };
        let mut told = Vec::new();
        measure(&mut contestants, &[dataset], &plan, &mut |step| {
            told.push((step.round, step.done, step.total, step.left.map(|left| left.as_nanos())));
            true
        });
        assert_eq!(told[..2], [(0, 0, 6, None), (0, 1, 6, None)]);
        assert_eq!((told[2], told[4].3), ((1, 2, 6, Some(4_100)), Some(2_050)));
        assert_eq!(told.len(), 6);
        assert!(told.windows(2).all(|two| two[0].1 + 1 == two[1].1), "{told:?}");
    }
}
