//! Turns samples into the measurements of a record.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use sudobench_rows::Latency;
use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::solver::{Answer, Outcome, Question, Status};

use super::form_answers::spread;
use super::pair::Pair;
use super::wrong::{Failure, GivenPuzzles};
use super::{Contestant, Dataset, Fault, Plan, Work};
use crate::record::registry::{CYCLES, Figure, INSTRUCTIONS, per_puzzle, values_of_readings};
use crate::record::{
    Amount, BudgetRecord, CheckedRecord, Effort, EngineRecord, HardwareRecord, KeptPuzzles, Kind,
    Measurement, OneByOneRecord, OneByOneTimes, PairRecord, Par2, PrefixRecord, PuzzleFigures, SlowPuzzle,
    SpreadRecord, StatusRecord, WrongAnswers, histogram_to_text,
};
use crate::statistics::{Interval, median_interval, median_u64};

/// Returns the records of all pairs, dataset by dataset, in the order of the contestants.
pub(super) fn summarize(
    contestants: &[Box<dyn Contestant>],
    datasets: &[Dataset],
    plan: &Plan,
    pairs: &[Result<Pair, Failure>],
) -> Vec<PairRecord> {
    let mut records = Vec::with_capacity(pairs.len());
    let Question { max_solutions, answer, .. } = plan.question;
    let seeks_smallest = max_solutions == NonZeroU64::MIN && answer == Answer::Smallest;
    for (at, pair) in pairs.iter().enumerate() {
        let (dataset, contestant) = (at / contestants.len(), at % contestants.len());
        let wrong = pair.as_ref().err().filter(|failure| !failure.wrong.is_empty());
        let wrong = wrong.map(|failure| WrongAnswers::new(&failure.wrong, failure.of as u64));
        let measured = pair.as_ref().map_err(|failure| failure.fault.clone()).and_then(|pair| {
            let own = PuzzleResults::new(pair);
            let lengths = lengths_reached(pairs, dataset);
            describe(contestants[contestant].as_ref(), &datasets[dataset], plan, pair, &own, &lengths)
        });
        let contestant = contestants[contestant].as_ref();
        records.push(PairRecord {
            solver: contestant.name().to_owned(),
            dataset: datasets[dataset].name().to_owned(),
            kind: contestant.kind(),
            max_solutions: max_solutions.get(),
            // An external program may print any solution.
            smallest: seeks_smallest && contestant.answers().is_none(),
            threads: contestant.threads(),
            error: measured.as_ref().err().map(Fault::to_string),
            wrong,
            measurement: measured.ok(),
        });
    }
    records
}

/// The results of a pair over all rounds, puzzle by puzzle. A puzzle has a verdict if neither the warm-up nor more than half of the
/// rounds aborted it.
struct PuzzleResults {
    /// The median time of each puzzle; empty for an engine.
    time_ns: Vec<u64>,
    /// The status of each puzzle; aborted if the puzzle has no verdict.
    status: Vec<Status>,
}

impl PuzzleResults {
    fn new(pair: &Pair) -> PuzzleResults {
        let time_ns = pair.times_ns.iter().map(|times| median_u64(&mut times.clone()).unwrap_or(0)).collect();
        let rounds = pair.rounds.len() as u32;
        let status = |(at, first): (usize, &Outcome)| match pair.decided.get(at) {
            Some(&decided) if decided * 2 < rounds => Status::Aborted,
            _ => first.status,
        };
        PuzzleResults { time_ns, status: pair.first.iter().enumerate().map(status).collect() }
    }

    /// Returns the times of the puzzles that have a verdict.
    fn of_verdicts(&self) -> impl Iterator<Item = u64> {
        let both = self.time_ns.iter().zip(&self.status);
        both.filter(|(_, status)| **status != Status::Aborted).map(|(&time_ns, _)| time_ns)
    }
}

/// Returns how many puzzles each pair of a dataset reached. Equal counts are listed once.
fn lengths_reached(pairs: &[Result<Pair, Failure>], dataset: usize) -> BTreeSet<usize> {
    let here = pairs.iter().flatten().filter(|pair| pair.dataset == dataset);
    here.map(|pair| pair.first.len()).collect()
}

fn describe(
    contestant: &dyn Contestant,
    dataset: &Dataset,
    plan: &Plan,
    pair: &Pair,
    own: &PuzzleResults,
    lengths: &BTreeSet<usize>,
) -> Result<Measurement, Fault> {
    let puzzles = pair.first.len() as u64;
    let throughputs: Vec<f64> = pair.rounds.iter().map(|round| round.throughput(puzzles)).collect();
    let throughput = median_interval(&throughputs, plan.seed)
        .ok_or_else(|| Fault("interrupted before its first round".to_owned()))?;
    let timed = contestant.kind() != Kind::Engine;
    let mut verdicts = Latency::new(&plan.budgets);
    own.of_verdicts().for_each(|time_ns| verdicts.record(time_ns, true));
    let text =
        |latency: &Latency| histogram_to_text(latency.histogram()).map_err(|error| Fault(error.to_string()));
    Ok(Measurement {
        puzzles,
        complete: pair.first.len() == dataset.puzzles().len(),
        checked: Some(CheckedRecord { answers: pair.checked as u64, of: dataset.puzzles().len() as u64 }),
        throughput,
        amortised_ns: 1e9 / throughput.median * contestant.threads() as f64,
        latency_ns: timed.then(|| pair.latency.summary()),
        histogram: timed.then(|| text(&pair.latency)).transpose()?,
        verdict_histogram: timed.then(|| text(&verdicts)).transpose()?,
        budgets: if timed { within_budgets(&verdicts, puzzles) } else { Vec::new() },
        par2: if timed { par2(own, plan) } else { None },
        one_by_one: one_by_one(pair, plan)?,
        slowest: slowest(pair, dataset),
        statuses: count_statuses(&own.status),
        effort: effort(contestant.kind(), pair, own),
        rounds: pair.rounds.clone(),
        runs: Vec::new(),
        out_of_time: pair.is_over && pair.rounds.len() < plan.rounds,
        prefixes: prefixes(contestant, own, throughput, lengths),
        engine: contestant.engine().map(|engine| EngineRecord {
            cpu_ns: median_u64(&mut pair.cpu_ns.clone()).unwrap_or(0),
            peak_memory_bytes: pair.peak_memory_bytes,
            ..engine
        }),
        hardware: hardware(pair, puzzles),
        spread: spread_of_forms(contestant.kind(), pair, own, dataset),
        judge: None,
        figures: values_of_readings(|figure| pair.readings_of(figure), puzzles),
        kept: plan.keep_puzzles.then(|| keep(pair, own, dataset)),
    })
}

fn one_by_one(pair: &Pair, plan: &Plan) -> Result<Option<OneByOneRecord>, Fault> {
    let times = match &pair.single_times {
        None => return Ok(None),
        Some(Err(Fault(reason))) => return Ok(Some(OneByOneRecord::NotTimed(reason.clone()))),
        Some(Ok(times)) => times,
    };
    let mut latency = Latency::new(&plan.budgets);
    times.times_ns.iter().for_each(|&time_ns| latency.record(time_ns, true));
    let histogram = histogram_to_text(latency.histogram()).map_err(|error| Fault(error.to_string()))?;
    Ok(Some(OneByOneRecord::Times(OneByOneTimes {
        latency_ns: latency.summary(),
        histogram,
        budgets: within_budgets(&latency, times.times_ns.len() as u64),
        echo_ns: times.echo_ns,
    })))
}

/// Maximum number of slow puzzles that a record names for each pair.
const KEPT_SLOWEST: usize = 10;

/// Returns the slowest puzzles, the slowest first. Empty for a batch solver, because the time of a puzzle contains the time that it waits
/// for its batch. Also empty for an engine without times of single puzzles.
fn slowest(pair: &Pair, dataset: &Dataset) -> Vec<SlowPuzzle> {
    let times_ns = single_times_ns(pair);
    let mut order: Vec<usize> = (0..times_ns.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(times_ns[index]), index));
    order.truncate(KEPT_SLOWEST);
    let asked = GivenPuzzles::from_dataset(dataset);
    let slow = |index: usize| SlowPuzzle { puzzle: asked.named(index), time_ns: times_ns[index] };
    order.into_iter().map(slow).collect()
}

/// Returns the known times of single puzzles. They belong to the first puzzles of the dataset.
fn single_times_ns(pair: &Pair) -> Vec<u64> {
    match &pair.single_times {
        Some(Ok(times)) => times.times_ns.clone(),
        _ if pair.kind == Kind::Batch => Vec::new(),
        _ => PuzzleResults::new(pair).time_ns,
    }
}

/// Returns the known time, nodes and guesses of each puzzle.
pub(super) fn figures_of_puzzles(pair: &Pair, dataset: &Dataset) -> Vec<PuzzleFigures> {
    let (times_ns, asked) = (single_times_ns(pair), GivenPuzzles::from_dataset(dataset));
    let figures = (0..pair.first.len()).map(|index| PuzzleFigures {
        puzzle: asked.named(index),
        time_ns: times_ns.get(index).copied(),
        nodes: pair.work.get(index).and_then(|work| work.nodes),
        guesses: pair.work.get(index).and_then(|work| work.guesses),
    });
    figures.collect()
}

/// Returns how much the forms of each puzzle differ: in nodes for a batch solver, otherwise in time. `None` if this is not known.
fn spread_of_forms(kind: Kind, pair: &Pair, own: &PuzzleResults, dataset: &Dataset) -> Option<SpreadRecord> {
    match kind {
        Kind::Single | Kind::Program => spread(dataset, Amount::Time, &own.time_ns, &own.status),
        Kind::Batch => {
            let nodes: Vec<u64> = pair.first.iter().map(|outcome| outcome.nodes).collect();
            spread(dataset, Amount::Nodes, &nodes, &own.status)
        }
        Kind::Engine => None,
    }
}

fn hardware(pair: &Pair, puzzles: u64) -> Option<HardwareRecord> {
    let value = |figure: &Figure| per_puzzle(pair.readings_of(figure)?, puzzles);
    Some(HardwareRecord {
        cycles_per_puzzle: value(&CYCLES)?,
        instructions_per_puzzle: value(&INSTRUCTIONS)?,
    })
}

fn within_budgets(verdicts: &Latency, puzzles: u64) -> Vec<BudgetRecord> {
    let kept = verdicts.within().iter();
    kept.map(|within| BudgetRecord {
        label: within.budget.label(),
        limit_ns: within.budget.limit_ns(),
        within: within.puzzles,
        of: puzzles,
    })
    .collect()
}

/// Returns the PAR-2 score for the time limit per puzzle or, if there is no such limit, for the longest budget. `None` if there is no
/// budget either.
fn par2(own: &PuzzleResults, plan: &Plan) -> Option<Par2> {
    let limit = plan.question.max_time.or(plan.budgets.last().map(|budget| budget.limit))?;
    let limit_ns = nanoseconds(limit);
    let in_time = own.of_verdicts().filter(|&time_ns| time_ns <= limit_ns);
    Some(Par2::new(limit_ns, in_time, own.time_ns.len()))
}

fn count_statuses(statuses: &[Status]) -> Vec<StatusRecord> {
    let count = |status: Status| statuses.iter().filter(|&&other| other == status).count() as u64;
    let counted =
        Status::ALL.map(|status| StatusRecord { status: status.name().to_owned(), rows: count(status) });
    counted.into_iter().filter(|record| record.rows > 0).collect()
}

/// Returns the sums of the search counters over the puzzles with a verdict. The counters are from the warm-up. Without a time limit, a
/// built-in solver has the same counters in every pass. `None` if an external program printed no counters.
fn effort(kind: Kind, pair: &Pair, own: &PuzzleResults) -> Option<Effort> {
    let has_verdict = |at: usize| ![pair.first[at].status, own.status[at]].contains(&Status::Aborted);
    let is_counted = |work: &Work| work.nodes.is_some() || work.guesses.is_some();
    let all = pair.work.iter().enumerate();
    let counted = all.filter(|(at, work)| has_verdict(*at) && is_counted(work));
    let counted: Vec<&Work> = counted.map(|(_, work)| work).collect();
    let sum = |count: fn(&Work) -> Option<u64>| counted.iter().map(|work| count(work)).sum();
    (!kind.is_external() || !counted.is_empty()).then(|| Effort {
        puzzles: counted.len() as u64,
        nodes: sum(|work| work.nodes),
        guesses: sum(|work| work.guesses),
        without_guess: sum(|work| work.guesses.map(|guesses| u64::from(guesses == 0))),
    })
}

/// Returns the times of a pair on prefixes of the dataset (its first puzzles), to compare pairs that reached different numbers of puzzles.
/// `lengths` lists how many puzzles the pairs of the dataset reached. Each length up to the number of puzzles that this pair reached gives
/// a prefix.
fn prefixes(
    contestant: &dyn Contestant,
    own: &PuzzleResults,
    throughput: Interval,
    lengths: &BTreeSet<usize>,
) -> Vec<PrefixRecord> {
    let exact = matches!(contestant.kind(), Kind::Single | Kind::Program) && contestant.threads() == 1;
    let time_ns = |length: usize| match exact {
        true => own.time_ns[..length].iter().sum(),
        false => (1e9 / throughput.median * length as f64) as u64,
    };
    let reached = lengths.iter().filter(|&&length| length <= own.status.len());
    let given_up = |length: usize| {
        let statuses = own.status[..length].iter();
        statuses.filter(|status| **status == Status::Aborted).count() as u64
    };
    let prefix = |&length: &usize| PrefixRecord {
        puzzles: length as u64,
        time_ns: time_ns(length),
        exact,
        given_up: given_up(length),
    };
    reached.map(prefix).collect()
}

fn keep(pair: &Pair, own: &PuzzleResults, dataset: &Dataset) -> KeptPuzzles {
    let column = |count: fn(&Work) -> Option<u64>| pair.work.iter().map(count).collect::<Option<Vec<u64>>>();
    let names = || (0..pair.first.len()).map(|index| dataset.puzzle_name(index));
    KeptPuzzles {
        number: names().map(|name| name.number).collect(),
        form: names().filter_map(|name| name.form).collect(),
        elapsed_ns: own.time_ns.clone(),
        nodes: column(|work| work.nodes).unwrap_or_default(),
        guesses: column(|work| work.guesses).unwrap_or_default(),
        statuses: own.status.iter().map(|status| status.letter()).collect(),
    }
}
