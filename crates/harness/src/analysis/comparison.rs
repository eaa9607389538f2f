//! Compares records, to find what changed between runs.
//!
//! The state of the machine differs between runs, and the rounds within one run don't show how much this difference changes the times. So a
//! difference in times gets a verdict only if each record has several runs.

use super::caveats::machine_differences;
use super::judged::{JudgedChange, judged_change};
use crate::figures::count;
use crate::record::registry::{Comparing, FIGURES, Value};
use crate::record::{BenchRecord, Clock, KeptPuzzles, Kind, Measurement, PairRecord, PuzzleName};
use crate::statistics::{ALPHA, ENOUGH_RUNS, RatioOfRuns, holm_steps};

/// The comparison of one pair (a solver on a dataset) in a later record with the same pair in the first record.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The solver.
    pub solver: String,
    /// The dataset.
    pub dataset: String,
    /// Position of the compared record. The first record has position 0, so this is at least 1.
    pub record: usize,
    /// The result.
    pub outcome: ComparisonOutcome,
}

impl Comparison {
    /// Returns the change if both records measured the pair and did not judge it.
    pub fn change(&self) -> Option<&Change> {
        match &self.outcome {
            ComparisonOutcome::Both(change) => Some(change),
            ComparisonOutcome::Judged(_) | ComparisonOutcome::Not(_) | ComparisonOutcome::Gone => None,
        }
    }

    /// Returns the reason why the pair was not compared, if it was not.
    pub fn reason(&self) -> Option<&str> {
        match &self.outcome {
            ComparisonOutcome::Not(reason) => Some(reason),
            ComparisonOutcome::Gone => Some("only in the first record"),
            ComparisonOutcome::Judged(_) | ComparisonOutcome::Both(_) => None,
        }
    }

    /// Returns whether the pair is worse than before: it is slower, or it was accepted before and is not accepted now.
    pub fn is_worse(&self) -> bool {
        match &self.outcome {
            ComparisonOutcome::Both(change) => change.verdict == TimeVerdict::Slower,
            ComparisonOutcome::Judged(change) => change.is_lost(),
            ComparisonOutcome::Not(_) | ComparisonOutcome::Gone => false,
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum ComparisonOutcome {
    /// The pair can't be compared. The text is the reason, for example a missing measurement or different settings.
    Not(String),
    /// The first record has the pair, and the compared record lacks it.
    Gone,
    /// Both records measured the pair.
    Both(Box<Change>),
    /// Both records judged the pair. The judgements are compared without a statistical test.
    Judged(Box<JudgedChange>),
}

/// The difference between two measurements of a pair: before, in the first record, and now, in the compared record.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Puzzles per second before and now.
    pub throughput: (f64, f64),
    /// Number of puzzles measured before and now.
    pub puzzles: (u64, u64),
    /// Time now divided by time before, on the puzzles that both records have. The times are wall times unless `interval` names another
    /// clock.
    pub time_ratio: f64,
    /// The bounds of the time ratio. `None` if the times were not tested; `verdict` then has the reason.
    pub interval: Option<RatioInterval>,
    /// The verdict on the difference.
    pub verdict: TimeVerdict,
    /// Counters that changed: the name, the value before, the value now. Empty if the numbers of measured puzzles differ.
    pub counters: Vec<(String, u64, u64)>,
    /// For each budget: its label, and the puzzles that exceed it now but were within it before. Empty unless both records contain the
    /// result of every single puzzle.
    pub newly_beyond: Vec<(String, Vec<PuzzleName>)>,
    /// Puzzles with more nodes: the puzzle, its nodes before, its nodes now. Empty unless both records contain the result of every single
    /// puzzle. Empty for a batch solver if its batches differ.
    pub more_nodes: Vec<(PuzzleName, u64, u64)>,
    /// Whether both records contain the result of every single puzzle.
    pub kept: bool,
}

/// The bounds of [`Change::time_ratio`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioInterval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// Confidence level of the bounds: 1 minus the level at which Holm's procedure tested this pair. The procedure corrects for the number
    /// of pairs.
    pub confidence: f64,
    /// The clock that measured the times.
    pub clock: Clock,
    /// Number of runs before and now.
    pub runs: (usize, usize),
}

/// A verdict on a difference between times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeVerdict {
    /// The solver takes longer now, by significantly more than the threshold.
    Slower,
    /// The solver takes less time now, by significantly more than the threshold.
    Faster,
    /// The difference is not larger than the threshold ([`CompareTerms::same_within`]).
    Same,
    /// The difference is larger than the threshold, but not significantly larger.
    NotSignificant,
    /// One of the records has too few runs for a verdict.
    TooFewRuns,
    /// The runs of a record reached different numbers of puzzles.
    UnequalRuns,
    /// The records are from different machines or build profiles.
    OtherMachine,
    /// The passes were over different numbers of puzzles. In a shorter pass, more of the puzzles stay in the caches and in the branch
    /// predictor, so a puzzle may take less time.
    OtherPuzzles,
}

/// The runs of a pair in both records, on the same puzzles. `before` and `now` have the time of a pass in each run, in nanoseconds.
struct Runs {
    /// The clock that measured these times.
    clock: Clock,
    before: Vec<f64>,
    now: Vec<f64>,
}

impl Runs {
    /// Returns the runs of two measurements, or the verdict if the times of the runs can't be tested.
    fn new(pair: &PairRecord, old: &Measurement, new: &Measurement) -> Result<Runs, TimeVerdict> {
        let both = || old.runs.iter().chain(&new.runs);
        if [old, new].iter().any(|measurement| measurement.runs.len() < ENOUGH_RUNS) {
            return Err(TimeVerdict::TooFewRuns);
        }
        if both().any(|run| run.puzzles != old.puzzles) {
            return Err(TimeVerdict::UnequalRuns);
        }
        // For a built-in solver on one thread, wall time and processor time differ mainly by the time of waiting for a free core. This
        // waiting time says nothing about the solver, so the processor time is compared.
        let only_waits_for_cores = !pair.kind.is_external() && pair.threads == 1;
        let clock = match only_waits_for_cores && both().all(|run| run.pass_ns(Clock::Processor).is_some()) {
            true => Clock::Processor,
            false => Clock::Wall,
        };
        let times = |measurement: &Measurement| -> Result<Vec<f64>, TimeVerdict> {
            let times = measurement.runs.iter().map(|run| run.pass_ns(clock).ok_or(TimeVerdict::TooFewRuns));
            times.collect()
        };
        Ok(Runs { clock, before: times(old)?, now: times(new)? })
    }
}

/// Settings of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompareTerms {
    /// Whether records from different machines are also compared. The times of such records are not tested: see
    /// [`TimeVerdict::OtherMachine`].
    pub across_machines: bool,
    /// Largest relative difference at which two times count as the same.
    pub same_within: f64,
}

impl Default for CompareTerms {
    fn default() -> CompareTerms {
        CompareTerms { across_machines: false, same_within: 0.01 }
    }
}

/// Compares every pair of the later records with the first record. Pairs of the first record that a later record lacks are listed, too.
pub fn compare(records: &[BenchRecord], terms: CompareTerms) -> Vec<Comparison> {
    let Some((first, later)) = records.split_first() else { return Vec::new() };
    let mut comparisons = Vec::new();
    let mut runs = Vec::new();
    for (at, record) in later.iter().enumerate() {
        let same_machine = machine_differences(first, record).is_empty();
        let mut add = |pair: &PairRecord, outcome| {
            let (solver, dataset) = (pair.solver.clone(), pair.dataset.clone());
            comparisons.push(Comparison { solver, dataset, record: at + 1, outcome });
        };
        for pair in &record.pairs {
            let found = compare_pair(first, record, pair, same_machine || terms.across_machines);
            let (mut outcome, mut of_pair) =
                found.unwrap_or_else(|reason| (ComparisonOutcome::Not(reason), None));
            if let ComparisonOutcome::Both(change) = &mut outcome {
                let same_puzzles = change.puzzles.0 == change.puzzles.1;
                change.verdict = match (same_machine, same_puzzles) {
                    (false, _) => TimeVerdict::OtherMachine,
                    (true, false) => TimeVerdict::OtherPuzzles,
                    (true, true) => change.verdict,
                };
                of_pair = of_pair.filter(|_| same_machine && same_puzzles);
            }
            runs.push(of_pair);
            add(pair, outcome);
        }
        for pair in first.pairs.iter().filter(|pair| record.pair(&pair.solver, &pair.dataset).is_none()) {
            runs.push(None);
            add(pair, ComparisonOutcome::Gone);
        }
    }
    judge_times(&mut comparisons, &runs, terms.same_within);
    comparisons
}

/// Tests which times differ, and sets the ratios of the times, their bounds and the verdicts. Pairs with too few runs are not tested, so
/// the correction for the number of pairs does not count them.
fn judge_times(comparisons: &mut [Comparison], runs: &[Option<Runs>], same_within: f64) {
    let tests: Vec<Option<RatioOfRuns>> =
        runs.iter().map(|runs| RatioOfRuns::new(&runs.as_ref()?.now, &runs.as_ref()?.before)).collect();
    let p_values: Vec<Option<f64>> =
        tests.iter().map(|test| Some(test.as_ref()?.p_value(same_within))).collect();
    let steps = holm_steps(&p_values, ALPHA);
    for (((comparison, runs), test), step) in comparisons.iter_mut().zip(runs).zip(tests).zip(steps) {
        let (ComparisonOutcome::Both(change), Some(runs), Some(test), Some(step)) =
            (&mut comparison.outcome, runs, test, step)
        else {
            continue;
        };
        let bounds = test.interval(step.level);
        change.time_ratio = test.ratio();
        change.interval = Some(RatioInterval {
            low: bounds.low,
            high: bounds.high,
            confidence: 1.0 - step.level,
            clock: runs.clock,
            runs: (runs.before.len(), runs.now.len()),
        });
        change.verdict = match step.rejected {
            true if test.ratio() > 1.0 => TimeVerdict::Slower,
            true => TimeVerdict::Faster,
            false if test.ratio().ln().abs() <= same_within.ln_1p() => TimeVerdict::Same,
            false => TimeVerdict::NotSignificant,
        };
    }
}

/// Returns the change of one pair, or the reason why the pair can't be compared. Also returns the runs of the pair, if their times can be
/// tested.
fn compare_pair(
    first: &BenchRecord,
    record: &BenchRecord,
    pair: &PairRecord,
    may_compare_machines: bool,
) -> Result<(ComparisonOutcome, Option<Runs>), String> {
    if first.is_judged() != record.is_judged() {
        let message = "one record is from `judge` and the other from `bench`: their times do not measure the same thing";
        return Err(message.to_owned());
    }
    let before = first.pair(&pair.solver, &pair.dataset).ok_or("not in the first record")?;
    if !may_compare_machines {
        return Err("another machine or build profile".to_owned());
    }
    if before.kind != pair.kind && (before.kind.is_external() || pair.kind.is_external()) {
        let [was, is] = [before.kind, pair.kind].map(Kind::in_words);
        return Err(format!("run in different ways: {was} before, {is} now"));
    }
    let same_question = (before.max_solutions, before.threads) == (pair.max_solutions, pair.threads);
    if !same_question {
        return Err("--max-solutions or --threads differ".to_owned());
    }
    let dataset = |record: &'_ BenchRecord| {
        record.datasets.iter().find(|it| it.name == pair.dataset).map(|it| (it.sha256.clone(), it.puzzles))
    };
    if dataset(first) != dataset(record) {
        return Err("a different dataset with the same name".to_owned());
    }
    let (Some(old), Some(new)) = (&before.measurement, &pair.measurement) else {
        return Err(pair.error.clone().or(before.error.clone()).unwrap_or_default());
    };
    if before.answers() != pair.answers() {
        let [was, is] = [before, pair].map(|pair| pair.answers().name());
        return Err(format!("different kinds of answers: {was} before, {is} now"));
    }
    if let (Some(was), Some(is)) = (before.protocol(), pair.protocol())
        && was != is
    {
        return Err(format!("different protocols: {was} before, {is} now"));
    }
    let same_puzzles = first.seed == record.seed;
    if let Some((old_judge, new_judge)) = old.judge.as_ref().zip(new.judge.as_ref()) {
        let all = old.complete && new.complete && first.settings.sample == record.settings.sample;
        let same_puzzles = all && (same_puzzles || record.settings.sample.is_none());
        let change = judged_change((old, old_judge), (new, new_judge), same_puzzles)?;
        return Ok((ComparisonOutcome::Judged(Box::new(change)), None));
    }
    let limits = |record: &BenchRecord| (record.settings.max_time_per_puzzle_ns, record.settings.max_nodes);
    let gave_up = [old, new].iter().any(|measurement| measurement.with_status("aborted") > 0);
    if gave_up && limits(first) != limits(record) {
        return Err("puzzles were given up, and the limits of time or nodes differ".to_owned());
    }
    let forms = |record: &BenchRecord| record.settings.isomorphs;
    if forms(first) != forms(record) {
        let describe = |forms: Option<u64>| match forms {
            None => "the form in the file".to_owned(),
            Some(1) => "one random form of each".to_owned(),
            Some(forms) => format!("{forms} random forms of each"),
        };
        let (before, now) = (describe(forms(first)), describe(forms(record)));
        return Err(format!("different forms of the puzzles: {before} before, {now} now"));
    }
    let has_fresh = |record: &BenchRecord| record.settings.fresh_forms && pair.kind.is_external();
    if has_fresh(first) != has_fresh(record) {
        let message = "different puzzles: in one record, the engine got different forms of the puzzles in each round (see --same-puzzles)";
        return Err(message.to_owned());
    }
    if (forms(first).is_some() || has_fresh(first)) && !same_puzzles {
        return Err("different puzzles: the seeds differ, and so do the random forms".to_owned());
    }
    let all = dataset(first).map(|(_, puzzles)| puzzles);
    let are_all = Some(old.puzzles) == all && Some(new.puzzles) == all;
    if !are_all && !same_puzzles {
        return Err("different puzzles: the seeds differ, and not all puzzles were measured".to_owned());
    }
    // The work of a batch solver for a puzzle depends on the other puzzles of the batch and on their order.
    let same_batch = same_puzzles && old.puzzles == new.puzzles;
    let mut change = change(old, new, pair.kind != Kind::Batch || same_batch)?;
    let runs = match Runs::new(pair, old, new) {
        Ok(runs) => Some(runs),
        Err(verdict) => {
            change.verdict = verdict;
            None
        }
    };
    Ok((ComparisonOutcome::Both(Box::new(change)), runs))
}

/// Returns the change from one measurement to another, without a verdict on its times. `same_search` says whether nodes and guesses are
/// comparable.
fn change(old: &Measurement, new: &Measurement, same_search: bool) -> Result<Change, String> {
    let common = old.puzzles.min(new.puzzles);
    // If one record has more puzzles, its time is scaled to the share of the common puzzles.
    let shares = [old, new].map(|measurement| measurement.share_of_time(common));
    let [Some(old_share), Some(new_share)] = shares else {
        return Err(format!(
            "different numbers of puzzles: {} before, {} now",
            count(old.puzzles),
            count(new.puzzles)
        ));
    };
    let time = |measurement: &Measurement, share: f64| {
        share * measurement.puzzles as f64 / measurement.throughput.median
    };
    let both_kept = old.kept.as_ref().zip(new.kept.as_ref());
    let change = Change {
        throughput: (old.throughput.median, new.throughput.median),
        puzzles: (old.puzzles, new.puzzles),
        time_ratio: time(new, new_share) / time(old, old_share),
        interval: None,
        verdict: TimeVerdict::TooFewRuns,
        counters: if old.puzzles == new.puzzles { counters(old, new, same_search) } else { Vec::new() },
        newly_beyond: both_kept.map(|(a, b)| newly_beyond(old, a, b)).unwrap_or_default(),
        more_nodes: both_kept.filter(|_| same_search).map(|(a, b)| more_nodes(a, b)).unwrap_or_default(),
        kept: both_kept.is_some(),
    };
    Ok(change)
}

/// Returns the counters that differ: the exact figures (only with `same_search`), and the numbers of puzzles with each status and within
/// each budget.
fn counters(old: &Measurement, new: &Measurement, same_search: bool) -> Vec<(String, u64, u64)> {
    let mut all: Vec<(String, u64, u64)> = Vec::new();
    let exact = FIGURES.iter().filter(|figure| figure.comparing == Comparing::Exactly && same_search);
    all.extend(exact.filter_map(|figure| match (figure.value(old)?, figure.value(new)?) {
        (Value::Count(before), Value::Count(now)) => Some((figure.label.to_owned(), before, now)),
        _ => None,
    }));
    for status in sudobench_sudoku::solver::Status::ALL {
        let name = status.name();
        all.push((name.to_owned(), old.with_status(name), new.with_status(name)));
    }
    for budget in &old.budgets {
        let now = new.budgets.iter().find(|other| other.limit_ns == budget.limit_ns);
        all.extend(now.map(|now| (format!("within {}", budget.label), budget.within, now.within)));
    }
    all.retain(|(_, before, now)| before != now);
    all
}

/// Returns the puzzles that are in both records: each puzzle with its position in `old` and its position in `new`.
fn common_puzzles<'k>(
    old: &'k KeptPuzzles,
    new: &'k KeptPuzzles,
) -> impl Iterator<Item = (PuzzleName, usize, usize)> + 'k {
    let of_new: std::collections::HashMap<PuzzleName, usize> =
        new.names().enumerate().map(|(at, name)| (name, at)).collect();
    old.names().enumerate().filter_map(move |(at, name)| Some((name, at, *of_new.get(&name)?)))
}

/// Returns, for each budget, the puzzles that were within it before and exceed it now.
fn newly_beyond(
    measured: &Measurement,
    old: &KeptPuzzles,
    new: &KeptPuzzles,
) -> Vec<(String, Vec<PuzzleName>)> {
    let beyond = |limit_ns: u64| -> Vec<PuzzleName> {
        let mut names: Vec<PuzzleName> = common_puzzles(old, new)
            .filter(|&(_, before, now)| old.is_within(before, limit_ns) && !new.is_within(now, limit_ns))
            .map(|(name, ..)| name)
            .collect();
        names.sort_unstable();
        names
    };
    let all = measured.budgets.iter().map(|budget| (budget.label.clone(), beyond(budget.limit_ns)));
    all.filter(|(_, names)| !names.is_empty()).collect()
}

/// Returns the puzzles whose search visits more nodes than before, the largest increase first.
fn more_nodes(old: &KeptPuzzles, new: &KeptPuzzles) -> Vec<(PuzzleName, u64, u64)> {
    let nodes = |kept: &KeptPuzzles, at: usize| kept.nodes.get(at).copied();
    let mut grown: Vec<(PuzzleName, u64, u64)> = common_puzzles(old, new)
        .filter_map(|(name, before, now)| Some((name, nodes(old, before)?, nodes(new, now)?)))
        .filter(|(_, before, now)| now > before)
        .collect();
    grown.sort_by_key(|&(name, before, now)| (std::cmp::Reverse(now - before), name));
    grown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{EngineRecord, RoundRecord, RunOfPair, fixtures, middle_run};

    /// Gives a pair one run for each of `times`, which are wall times in nanoseconds per pass. The processor times are half as long.
    fn set_runs(pair: &mut PairRecord, times: &[u64]) {
        let measurement = pair.measurement.as_mut().unwrap();
        let run = |&elapsed_ns: &u64| {
            let round = RoundRecord { passes: 1, elapsed_ns, cpu_ns: elapsed_ns / 2 };
            RunOfPair { puzzles: measurement.puzzles, rounds: vec![round; 3] }
        };
        measurement.runs = times.iter().map(run).collect();
        let middle = &measurement.runs[middle_run(&measurement.runs).unwrap()];
        (measurement.rounds, measurement.throughput.median) = (middle.rounds.clone(), middle.throughput());
    }

    /// Makes two records in which the first pair has these runs, and returns the change of this pair.
    fn compare_runs(before: &[u64], now: &[u64], terms: CompareTerms) -> Change {
        let [first, later] = [before, now].map(|times| {
            let mut record = fixtures::bench_record();
            set_runs(&mut record.pairs[0], times);
            record
        });
        compare(&[first, later], terms).remove(0).change().unwrap().clone()
    }

    fn outcome(change: impl Fn(&mut BenchRecord)) -> ComparisonOutcome {
        let first = fixtures::bench_record();
        let mut later = first.clone();
        change(&mut later);
        compare(&[first, later], CompareTerms::default()).remove(0).outcome
    }

    const RUNS: [u64; 5] = [1_000_000, 1_004_000, 996_000, 1_002_000, 998_000];

    #[test]
    fn times_have_a_verdict_between_records_of_three_runs_each() {
        let slower = RUNS.map(|time| time * 11 / 10);
        let terms = CompareTerms::default();
        let verdict = |before: &[u64], now: &[u64]| compare_runs(before, now, terms).verdict;
        assert_eq!(verdict(&RUNS, &slower), TimeVerdict::Slower);
        assert_eq!(verdict(&slower, &RUNS), TimeVerdict::Faster);
        assert_eq!(verdict(&RUNS[..3], &slower[..3]), TimeVerdict::Slower);
        assert_eq!(verdict(&RUNS, &RUNS), TimeVerdict::Same);
        for (before, now) in [(2, 5), (5, 2), (1, 1), (0, 5)] {
            let change = if before == 0 {
                outcome(|record| set_runs(&mut record.pairs[0], &slower))
            } else {
                ComparisonOutcome::Both(Box::new(compare_runs(&RUNS[..before], &slower[..now], terms)))
            };
            let ComparisonOutcome::Both(change) = change else { panic!("{change:?}") };
            assert_eq!((change.verdict, change.interval), (TimeVerdict::TooFewRuns, None), "{before}, {now}");
        }
        let mut unequal = fixtures::bench_record();
        set_runs(&mut unequal.pairs[0], &RUNS);
        unequal.pairs[0].measurement.as_mut().unwrap().runs[1].puzzles -= 1;
        let change = compare(&[unequal.clone(), unequal], terms).remove(0).change().unwrap().clone();
        assert_eq!((change.verdict, change.interval), (TimeVerdict::UnequalRuns, None));
        let apart = [700_000, 1_300_000, 1_000_000];
        assert_eq!(verdict(&apart, &slower), TimeVerdict::NotSignificant);
    }

    #[test]
    fn a_difference_below_the_threshold_is_ignored() {
        let a_little = RUNS.map(|time| time * 1_008 / 1_000);
        let within = |same_within| CompareTerms { same_within, ..CompareTerms::default() };
        let verdict = |same_within| compare_runs(&RUNS, &a_little, within(same_within)).verdict;
        assert_eq!([0.01, 0.0].map(verdict), [TimeVerdict::Same, TimeVerdict::Slower]);
        let slower = RUNS.map(|time| time * 11 / 10);
        assert_eq!(compare_runs(&RUNS, &slower, within(0.2)).verdict, TimeVerdict::Same);
    }

    #[test]
    fn a_solver_on_one_thread_is_judged_by_processor_time() {
        let change = compare_runs(&RUNS, &RUNS, CompareTerms::default());
        let clock = |change: &Change| change.interval.unwrap().clock;
        assert_eq!(clock(&change), Clock::Processor);
        let records = [0, 1].map(|_| {
            let mut record = fixtures::bench_record();
            set_runs(&mut record.pairs[0], &RUNS);
            record.pairs[0].threads = 2;
            record
        });
        let compared = compare(&records, CompareTerms::default());
        assert_eq!(clock(compared[0].change().unwrap()), Clock::Wall);
    }

    /// Compares two random records `trials` times. Returns how often the second record is called faster, and how often slower. The time of
    /// a run varies by `spread`, and the time of a record by `drift`; the second record takes `ratio` times as long.
    fn verdict_counts(runs: usize, ratio: f64, spread: f64, drift: f64, trials: u64) -> [usize; 2] {
        let mut random = sudobench_sudoku::random::Random::new(3);
        let mut normal =
            || -> f64 { (0..12).map(|_| random.next_u64() as f64 / u64::MAX as f64).sum::<f64>() - 6.0 };
        let mut verdicts = Vec::new();
        let mut records = [(); 2].map(|()| fixtures::bench_record());
        for _ in 0..trials {
            let mut record = |ratio: f64| -> Vec<u64> {
                let level = 1e6 * ratio * (drift * normal()).exp();
                (0..runs).map(|_| (level * (spread * normal()).exp()) as u64).collect()
            };
            set_runs(&mut records[0].pairs[0], &record(1.0));
            set_runs(&mut records[1].pairs[0], &record(ratio));
            verdicts.push(compare(&records, CompareTerms::default()).remove(0).change().unwrap().verdict);
        }
        [TimeVerdict::Faster, TimeVerdict::Slower]
            .map(|wanted| verdicts.iter().filter(|&&verdict| verdict == wanted).count())
    }

    #[test]
    fn equal_records_seldom_get_a_wrong_verdict_and_a_slowdown_of_10_percent_is_found() {
        // The drift is 0 or half the spread of the runs.
        for (spread, drift) in [(0.002, 0.001), (0.01, 0.005), (0.03, 0.0), (0.1, 0.0)] {
            for runs in [3, 5, 10] {
                let wrong: usize = verdict_counts(runs, 1.0, spread, drift, 200).iter().sum();
                assert!(wrong <= 10, "{runs} runs, {spread}, {drift}: {wrong} wrong verdicts of 200");
            }
        }
        for spread in [0.002, 0.01, 0.02] {
            let [faster, slower] = verdict_counts(5, 1.1, spread, 0.0, 40);
            assert!(faster == 0 && slower >= 38, "{spread}: {slower} of 40");
        }
    }

    #[test]
    fn more_tested_pairs_need_wider_intervals() {
        let confidences = |tested: usize| -> Vec<f64> {
            let [first, later] = [1, 3].map(|factor| {
                let mut record = fixtures::bench_record();
                let measured = record.pairs.iter_mut().filter(|pair| pair.measurement.is_some()).take(tested);
                for (at, pair) in measured.enumerate() {
                    set_runs(pair, &RUNS.map(|time| if at == 0 { time * factor } else { time }));
                }
                record
            });
            let compared = compare(&[first, later], CompareTerms::default());
            compared.iter().filter_map(|it| Some(it.change()?.interval?.confidence)).collect()
        };
        assert_eq!(confidences(1), [0.95], "pairs without runs are not tested");
        // Holm's procedure tests the six pairs in the order of their p-values: the first pair at a sixth of the level, the second pair at a
        // fifth. The second pair does not differ, so the procedure ends, and the other pairs get the level of the second pair.
        let expected = [[1.0 - 0.05 / 6.0].as_slice(), &[1.0 - 0.05 / 5.0; 5]].concat();
        assert_eq!(confidences(6), expected);
    }

    #[test]
    fn pairs_are_compared_on_their_common_puzzles() {
        // The first of the two puzzles took a quarter of the total time. Now it takes as long as both puzzles took before, so the ratio is
        // 4.
        let shorter = |record: &mut BenchRecord| {
            let measurement = record.pairs[0].measurement.as_mut().unwrap();
            (measurement.puzzles, measurement.complete) = (1, false);
            measurement.throughput.median /= 2.0;
        };
        let ComparisonOutcome::Both(known) = outcome(shorter) else { panic!() };
        let found = (known.puzzles, known.time_ratio, known.verdict, known.interval);
        assert_eq!(found, ((2, 1), 4.0, TimeVerdict::OtherPuzzles, None));
        let mut unknown = fixtures::bench_record();
        let measurement = unknown.pairs[0].measurement.as_mut().unwrap();
        measurement.prefixes.retain(|prefix| prefix.puzzles == 2);
        assert_eq!(measurement.share_of_time(1), Some(0.25), "computed from the times of the kept puzzles");
        measurement.kept = None;
        assert_eq!(measurement.share_of_time(1), None);
        let mut short = unknown.clone();
        shorter(&mut short);
        let ComparisonOutcome::Not(reason) =
            compare(&[unknown, short], CompareTerms::default()).remove(0).outcome
        else {
            panic!()
        };
        assert_eq!(reason, "different numbers of puzzles: 2 before, 1 now");
    }

    #[test]
    fn pairs_that_only_the_first_record_has_are_named() {
        let mut first = fixtures::bench_record();
        let later = BenchRecord { pairs: first.pairs.split_off(2), ..first.clone() };
        let compared = compare(&[first, later], CompareTerms::default());
        let gone: Vec<&str> = (compared.iter())
            .filter(|comparison| comparison.outcome == ComparisonOutcome::Gone)
            .map(|comparison| comparison.solver.as_str())
            .collect();
        assert_eq!(gone, ["quick", "steady"]);
    }

    #[test]
    fn records_of_other_machines_have_ratios_without_verdicts_on_request() {
        let mut first = fixtures::bench_record();
        set_runs(&mut first.pairs[0], &RUNS);
        let mut later = first.clone();
        set_runs(&mut later.pairs[0], &RUNS.map(|time| time * 3));
        later.build.profile = "debug".to_owned();
        let compared =
            compare(&[first, later], CompareTerms { across_machines: true, ..CompareTerms::default() });
        let change = compared[0].change().unwrap();
        assert!((change.time_ratio - 3.0).abs() < 1e-9);
        assert_eq!((change.verdict, change.interval), (TimeVerdict::OtherMachine, None));
        assert!(
            compared.iter().filter_map(Comparison::change).all(|it| it.verdict == TimeVerdict::OtherMachine)
        );
    }

    #[test]
    fn samples_with_other_seeds_have_other_puzzles() {
        let sampled = |record: &mut BenchRecord| {
            record.datasets.iter_mut().for_each(|dataset| dataset.puzzles = 9);
        };
        let mut first = fixtures::bench_record();
        sampled(&mut first);
        let mut later = first.clone();
        later.seed = 2;
        let message = "different puzzles: the seeds differ, and not all puzzles were measured";
        assert_eq!(
            compare(&[first, later], CompareTerms::default()).remove(0).outcome,
            ComparisonOutcome::Not(message.to_owned())
        );
    }

    #[test]
    fn changed_counters_and_puzzles_are_named() {
        let ComparisonOutcome::Both(change) = outcome(|record| {
            let measurement = record.pairs[0].measurement.as_mut().unwrap();
            measurement.effort.as_mut().unwrap().nodes = Some(7);
            let kept = measurement.kept.as_mut().unwrap();
            // The puzzles are in another order, but they are matched by their numbers.
            kept.number.reverse();
            kept.elapsed_ns = vec![900_000, 600_000_000];
            kept.nodes = vec![1, 6];
        }) else {
            panic!()
        };
        assert_eq!(change.counters, [("nodes".to_owned(), 2, 7)]);
        let first = PuzzleName { number: 1, form: None };
        assert_eq!(change.newly_beyond, [("1us".to_owned(), vec![first]), ("1ms".to_owned(), vec![first])]);
        assert_eq!(change.more_nodes, [(first, 1, 6)]);
    }

    #[test]
    fn other_forms_are_other_puzzles() {
        let not = |change: &dyn Fn(&mut BenchRecord), isomorphs: Option<u64>| {
            let mut first = fixtures::bench_record();
            first.settings.isomorphs = isomorphs;
            let mut later = first.clone();
            change(&mut later);
            match compare(&[first, later], CompareTerms::default()).remove(0).outcome {
                ComparisonOutcome::Not(reason) => reason,
                _ => String::new(),
            }
        };
        let other = |record: &mut BenchRecord| record.settings.isomorphs = Some(9);
        assert_eq!(not(&|_| (), Some(9)), "");
        assert_eq!(
            not(&other, None),
            "different forms of the puzzles: the form in the file before, 9 random forms of each now"
        );
        assert_eq!(
            not(&other, Some(1)),
            "different forms of the puzzles: one random form of each before, 9 random forms of each now"
        );
        let seed = |record: &mut BenchRecord| record.seed = 7;
        assert_eq!(not(&seed, None), "");
        assert_eq!(not(&seed, Some(9)), "different puzzles: the seeds differ, and so do the random forms");
        // With `fresh_forms`, external programs get new equivalent forms of the puzzles in each round.
        let fresh = |record: &mut BenchRecord| record.settings.fresh_forms = true;
        assert_eq!(not(&fresh, None), "", "a solver of this program gets the same puzzles in each round");
        let mut first = fixtures::bench_record();
        first.pairs.iter_mut().for_each(|pair| pair.kind = Kind::Engine);
        let mut later = first.clone();
        fresh(&mut later);
        let outcome = compare(&[first, later], CompareTerms::default()).remove(0).outcome;
        assert!(
            matches!(outcome, ComparisonOutcome::Not(reason) if reason.ends_with("(see --same-puzzles)"))
        );
    }

    #[test]
    fn forms_of_a_puzzle_are_distinguished() {
        let ComparisonOutcome::Both(change) = outcome(|record| {
            let kept = record.pairs[0].measurement.as_mut().unwrap().kept.as_mut().unwrap();
            (kept.number, kept.form) = (vec![1, 1], vec![1, 2]);
        }) else {
            panic!()
        };
        assert!(change.more_nodes.is_empty(), "the original puzzle 1 is not one of its forms");
    }

    #[test]
    fn counters_of_a_batch_in_another_order_are_not_compared() {
        // Both records have all puzzles of the dataset, but in a different order.
        for (kind, counters) in [(Kind::Batch, 0), (Kind::Single, 1)] {
            let ComparisonOutcome::Both(change) = outcome(|record| {
                (record.seed, record.pairs[0].kind) = (2, kind);
                record.pairs[0].measurement.as_mut().unwrap().effort.as_mut().unwrap().nodes = Some(7);
            }) else {
                panic!()
            };
            assert_eq!(change.counters.len(), counters);
        }
    }

    #[test]
    fn pairs_that_cannot_be_compared_have_a_reason() {
        let of_protocols = ["lines", "files"].map(|name| {
            let mut record = fixtures::bench_record();
            let engine = fixtures::judge_record().pairs.remove(0).measurement.unwrap().engine.unwrap();
            let engine = EngineRecord { protocol: Some(name.to_owned()), ..engine };
            record.pairs[0].measurement.as_mut().unwrap().engine = Some(engine);
            record
        });
        let reasons = [
            compare(&of_protocols, CompareTerms::default()).remove(0).outcome,
            outcome(|record| record.pairs[0].solver = "new".to_owned()),
            outcome(|record| record.pairs[0].threads = 8),
            outcome(|record| record.datasets[0].sha256 = "ff".to_owned()),
            outcome(|record| record.pairs[0] = record.pairs[3].clone()),
            outcome(|record| record.pairs[0].kind = Kind::Program),
            outcome(|record| record.pairs[0].smallest = true),
            outcome(|record| record.machine.cores += 1),
            outcome(|record| {
                record.settings.max_nodes = Some(9);
                record.pairs[0].measurement.as_mut().unwrap().statuses[0].status = "aborted".to_owned();
            }),
        ];
        let unused = outcome(|record| record.settings.max_nodes = Some(9));
        assert!(
            matches!(unused, ComparisonOutcome::Both(_)),
            "no puzzle was given up because of the limit: {unused:?}"
        );
        insta::assert_debug_snapshot!(reasons);
    }
}
