//! Records against each other: what changed between runs.
//!
//! Runs of different times meet the machine in different states, so a significant difference here says that the
//! runs differ, not why; the paired gate tells the binaries' part.

use super::caveats::machine_differences;
use super::judged::{JudgedChange, judged_change};
use crate::figures::count;
use crate::record::registry::{Comparing, FIGURES, Value};
use crate::record::{BenchRecord, KeptPuzzles, Kind, Measurement, PairRecord, PuzzleName};
use crate::statistics::{ALPHA, ENOUGH_VALUES, RatioTest, holm_steps, median};

/// One pair of one record beside the same pair of the first record.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The solver.
    pub solver: String,
    /// The dataset.
    pub dataset: String,
    /// Which record it is compared in, from 1; the first record is 0.
    pub record: usize,
    /// What came out.
    pub outcome: Compared,
}

impl Comparison {
    /// What changed of a pair that both records measured.
    pub fn change(&self) -> Option<&Change> {
        match &self.outcome {
            Compared::Both(change) => Some(change),
            Compared::Judged(_) | Compared::Not(_) | Compared::Gone => None,
        }
    }

    /// Why the pair was not compared, if it was not.
    pub fn reason(&self) -> Option<&str> {
        match &self.outcome {
            Compared::Not(reason) => Some(reason),
            Compared::Gone => Some("only in the earlier record"),
            Compared::Judged(_) | Compared::Both(_) => None,
        }
    }

    /// Whether it is worse than before: slower, or accepted before and not any more.
    pub fn is_worse(&self) -> bool {
        match &self.outcome {
            Compared::Both(change) => change.verdict == TimeVerdict::Slower,
            Compared::Judged(change) => change.is_lost(),
            Compared::Not(_) | Compared::Gone => false,
        }
    }
}

/// What a comparison comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Compared {
    /// One of the two has no such measurement, or another question was asked.
    Not(String),
    /// Only the first record has the pair.
    Gone,
    /// Both were measured.
    Both(Box<Change>),
    /// Both were judged. No noise is reckoned with: the verdicts are what counts.
    Judged(Box<JudgedChange>),
}

/// How one measurement differs from another.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Puzzles per second before and now.
    pub throughput: (f64, f64),
    /// Puzzles measured before and now.
    pub puzzles: (u64, u64),
    /// Time now over time before, on the puzzles that both have.
    pub time_ratio: f64,
    /// The bounds of the time ratio. `None` where one of the two has a single round.
    pub interval: Option<RatioInterval>,
    /// Whether the times differ by more than noise within the runs.
    pub verdict: TimeVerdict,
    /// Counters that changed: their name, before and now.
    pub counters: Vec<(String, u64, u64)>,
    /// Puzzles newly beyond a budget: the budget's label and the puzzles. Only where both records keep
    /// puzzles.
    pub newly_beyond: Vec<(String, Vec<PuzzleName>)>,
    /// Puzzles with more nodes: which, before, now. Only where both records keep puzzles.
    pub more_nodes: Vec<(PuzzleName, u64, u64)>,
    /// Whether both keep every puzzle.
    pub kept: bool,
}

/// The bounds of a ratio of times, at the level of the pair's test: they leave 1 out exactly where the verdict is that the times
/// differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioInterval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// The chance that such bounds hold the true ratio: 1 less the level at which Holm's procedure, which makes up for the
    /// number of pairs, tested this one.
    pub confidence: f64,
}

/// Whether times differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeVerdict {
    /// It takes longer now.
    Slower,
    /// It takes less time now.
    Faster,
    /// Neither is shown.
    NoDifference,
    /// There are too few rounds for a bootstrap to tell.
    TooFewRounds,
    /// The records are of different machines, whose times say nothing about the solver.
    OtherMachine,
    /// The passes were over different numbers of puzzles: a short pass has its puzzles in the caches and in the branch predictor, so the
    /// puzzles of both take less time in it.
    OtherPuzzles,
}

/// The times of a pair's rounds, on the puzzles that both records have.
struct Times {
    before: Vec<f64>,
    now: Vec<f64>,
}

impl Times {
    /// The rounds of the one that has fewer.
    fn rounds(&self) -> usize {
        self.before.len().min(self.now.len())
    }
}

/// Compares every pair of the later records with the first record, and names the pairs that only the first one has. Pairs of records of
/// different machines are compared if `across_machines`, without a verdict.
pub fn compare(records: &[BenchRecord], across_machines: bool) -> Vec<Comparison> {
    let Some((first, later)) = records.split_first() else { return Vec::new() };
    let mut comparisons = Vec::new();
    let mut times = Vec::new();
    for (at, record) in later.iter().enumerate() {
        let same_machine = machine_differences(first, record).is_empty();
        let mut add = |pair: &PairRecord, outcome| {
            let (solver, dataset) = (pair.solver.clone(), pair.dataset.clone());
            comparisons.push(Comparison { solver, dataset, record: at + 1, outcome });
        };
        for pair in &record.pairs {
            let found = compare_pair(first, record, pair, same_machine || across_machines);
            let (mut outcome, of_rounds) = found.unwrap_or_else(|reason| (Compared::Not(reason), None));
            let mut is_tested = same_machine;
            if let Compared::Both(change) = &mut outcome {
                let same_puzzles = change.puzzles.0 == change.puzzles.1;
                is_tested &= same_puzzles;
                change.verdict = match (same_machine, same_puzzles) {
                    (false, _) => TimeVerdict::OtherMachine,
                    (true, false) => TimeVerdict::OtherPuzzles,
                    (true, true) => change.verdict,
                };
            }
            times.push(of_rounds.filter(|_| is_tested));
            add(pair, outcome);
        }
        for pair in first.pairs.iter().filter(|pair| record.pair(&pair.solver, &pair.dataset).is_none()) {
            times.push(None);
            add(pair, Compared::Gone);
        }
    }
    judge_times(&mut comparisons, &times, first.seed);
    comparisons
}

/// Finds out which times differ, and between which bounds. Pairs with too few rounds are not tested, and so none of the
/// others has to make up for them.
fn judge_times(comparisons: &mut [Comparison], times: &[Option<Times>], seed: u64) {
    let is_enough = |times: &Times| times.rounds() >= ENOUGH_VALUES;
    let tests = times.iter().flatten().filter(|times| is_enough(times)).count();
    let tested: Vec<Option<RatioTest>> = (times.iter())
        .map(|times| times.as_ref().and_then(|it| RatioTest::of(&it.now, &it.before, tests, seed)))
        .collect();
    let p_values = times.iter().zip(&tested).map(|(times, test)| {
        times.as_ref().filter(|times| is_enough(times))?;
        Some(test.as_ref()?.p_value)
    });
    let steps = holm_steps(&p_values.collect::<Vec<_>>(), ALPHA);
    for (((comparison, times), test), step) in comparisons.iter_mut().zip(times).zip(tested).zip(steps) {
        let (Compared::Both(change), Some(times), Some(test)) = (&mut comparison.outcome, times, test) else {
            continue;
        };
        let level = step.map_or(ALPHA, |step| step.level);
        let bounds = test.interval(level).filter(|_| times.rounds() > 1);
        change.interval =
            bounds.map(|it| RatioInterval { low: it.low, high: it.high, confidence: 1.0 - level });
        change.verdict = match step {
            None => TimeVerdict::TooFewRounds,
            Some(step) if !step.rejected => TimeVerdict::NoDifference,
            Some(_) if test.ratio > 1.0 => TimeVerdict::Slower,
            Some(_) => TimeVerdict::Faster,
        };
    }
}

/// The change of one pair, with the times to be tested where noise is reckoned with, or why there is none.
fn compare_pair(
    first: &BenchRecord,
    record: &BenchRecord,
    pair: &PairRecord,
    may_compare_machines: bool,
) -> Result<(Compared, Option<Times>), String> {
    if first.is_judged() != record.is_judged() {
        let words =
            "one of the records is of `judge`, the other of `bench`: their times are not of the same thing";
        return Err(words.to_owned());
    }
    let before = first.pair(&pair.solver, &pair.dataset).ok_or("only in the later record")?;
    if !may_compare_machines {
        return Err("another machine".to_owned());
    }
    if before.kind != pair.kind && (before.kind.is_external() || pair.kind.is_external()) {
        let [was, is] = [before.kind, pair.kind].map(Kind::in_words);
        return Err(format!("another way to give puzzles: {was} before, {is} now"));
    }
    let same_question = (before.max_solutions, before.threads) == (pair.max_solutions, pair.threads);
    if !same_question {
        return Err("another question: max_solutions or threads differ".to_owned());
    }
    let dataset = |record: &'_ BenchRecord| {
        record.datasets.iter().find(|it| it.name == pair.dataset).map(|it| (it.sha256.clone(), it.puzzles))
    };
    if dataset(first) != dataset(record) {
        return Err("another dataset of the same name".to_owned());
    }
    let (Some(old), Some(new)) = (&before.measurement, &pair.measurement) else {
        return Err(pair.error.clone().or(before.error.clone()).unwrap_or_default());
    };
    let same_puzzles = first.seed == record.seed;
    if let Some((old_judge, new_judge)) = old.judge.as_ref().zip(new.judge.as_ref()) {
        let all = old.complete && new.complete && first.settings.sample == record.settings.sample;
        let same_puzzles = all && (same_puzzles || record.settings.sample.is_none());
        let change = judged_change((old, old_judge), (new, new_judge), same_puzzles)?;
        return Ok((Compared::Judged(Box::new(change)), None));
    }
    let limits = |record: &BenchRecord| (record.settings.max_time_per_puzzle_ns, record.settings.max_nodes);
    let gave_up = [old, new].iter().any(|measurement| measurement.with_status("aborted") > 0);
    if gave_up && limits(first) != limits(record) {
        return Err("another question: puzzles were given up, at other limits of time or nodes".to_owned());
    }
    let forms = |record: &BenchRecord| record.settings.isomorphs;
    if forms(first) != forms(record) {
        let words = |forms: Option<u64>| match forms {
            None => "as they stand".to_owned(),
            Some(1) => "in a random form each".to_owned(),
            Some(forms) => format!("in {forms} random forms each"),
        };
        let (before, now) = (words(forms(first)), words(forms(record)));
        return Err(format!("other puzzles: they were measured {now}, and {before} before"));
    }
    let has_fresh = |record: &BenchRecord| record.settings.fresh_forms && pair.kind.is_external();
    if has_fresh(first) != has_fresh(record) {
        let words = "other puzzles: in one record it was given other forms of them in each round (see --same-puzzles)";
        return Err(words.to_owned());
    }
    if (forms(first).is_some() || has_fresh(first)) && !same_puzzles {
        return Err("other puzzles: the seeds differ, and so do the random forms".to_owned());
    }
    let all = dataset(first).map(|(_, puzzles)| puzzles);
    let are_all = Some(old.puzzles) == all && Some(new.puzzles) == all;
    if !are_all && !same_puzzles {
        return Err("other puzzles: the seeds differ, and not all puzzles were measured".to_owned());
    }
    // What a batch solver does with a puzzle depends on the others of the batch, and on their order.
    let same_batch = same_puzzles && old.puzzles == new.puzzles;
    let (change, times) = change(old, new, pair.kind != Kind::Batch || same_batch)?;
    Ok((Compared::Both(Box::new(change)), Some(times)))
}

/// The change from one measurement to another, whose times are still to be judged. Nodes and guesses say something where it
/// is the `same_search`.
fn change(old: &Measurement, new: &Measurement, same_search: bool) -> Result<(Change, Times), String> {
    let common = old.puzzles.min(new.puzzles);
    // If one reached further, its rounds are scaled by the share of its time that the common puzzles took.
    let shares = [old, new].map(|measurement| measurement.share_of_time(common));
    let [Some(old_share), Some(new_share)] = shares else {
        return Err(format!("different puzzles: {} before, {} now", count(old.puzzles), count(new.puzzles)));
    };
    let times = |measurement: &Measurement, share: f64| -> Vec<f64> {
        let of = |throughput: f64| share * measurement.puzzles as f64 / throughput;
        measurement.round_throughputs().into_iter().map(of).collect()
    };
    let times = Times { before: times(old, old_share), now: times(new, new_share) };
    let medians = median(&times.now).zip(median(&times.before)).ok_or("no rounds")?;
    let both_kept = old.kept.as_ref().zip(new.kept.as_ref());
    let change = Change {
        throughput: (old.throughput.median, new.throughput.median),
        puzzles: (old.puzzles, new.puzzles),
        time_ratio: medians.0 / medians.1,
        interval: None,
        verdict: TimeVerdict::TooFewRounds,
        counters: if old.puzzles == new.puzzles { counters(old, new, same_search) } else { Vec::new() },
        newly_beyond: both_kept.map(|(a, b)| newly_beyond(old, a, b)).unwrap_or_default(),
        more_nodes: both_kept.filter(|_| same_search).map(|(a, b)| more_nodes(a, b)).unwrap_or_default(),
        kept: both_kept.is_some(),
    };
    Ok((change, times))
}

/// The exact counters that differ.
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

/// The puzzles of both: which, and its positions before and now.
fn common_puzzles<'k>(
    old: &'k KeptPuzzles,
    new: &'k KeptPuzzles,
) -> impl Iterator<Item = (PuzzleName, usize, usize)> + 'k {
    let of_new: std::collections::HashMap<PuzzleName, usize> =
        new.names().enumerate().map(|(at, name)| (name, at)).collect();
    old.names().enumerate().filter_map(move |(at, name)| Some((name, at, *of_new.get(&name)?)))
}

/// Of each budget, the puzzles that kept it before and exceed it now.
fn newly_beyond(
    measured: &Measurement,
    old: &KeptPuzzles,
    new: &KeptPuzzles,
) -> Vec<(String, Vec<PuzzleName>)> {
    let keeps = |kept: &KeptPuzzles, at: usize, limit_ns: u64| {
        let decided = kept.statuses.as_bytes().get(at) != Some(&b'a');
        decided && kept.elapsed_ns.get(at).is_some_and(|&elapsed_ns| elapsed_ns <= limit_ns)
    };
    let beyond = |limit_ns: u64| -> Vec<PuzzleName> {
        let mut names: Vec<PuzzleName> = common_puzzles(old, new)
            .filter(|&(_, before, now)| keeps(old, before, limit_ns) && !keeps(new, now, limit_ns))
            .map(|(name, ..)| name)
            .collect();
        names.sort_unstable();
        names
    };
    let all = measured.budgets.iter().map(|budget| (budget.label.clone(), beyond(budget.limit_ns)));
    all.filter(|(_, names)| !names.is_empty()).collect()
}

/// The puzzles whose search grew, the largest growth first.
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
    use crate::record::{RoundRecord, fixtures};
    use proptest::prelude::*;

    /// Compares a record of so many rounds times three with what a change makes of it.
    fn outcome_of(repeats: usize, change: impl Fn(&mut BenchRecord)) -> Compared {
        let mut first = fixtures::bench_record();
        let rounds = first.pairs[0].measurement.as_ref().unwrap().rounds.repeat(repeats);
        first.pairs[0].measurement.as_mut().unwrap().rounds = rounds;
        let mut later = first.clone();
        change(&mut later);
        compare(&[first, later], false).remove(0).outcome
    }

    fn outcome(change: impl Fn(&mut BenchRecord)) -> Compared {
        outcome_of(3, change)
    }

    /// Makes the rounds of the record's first pair slower by a factor.
    fn slower(record: &mut BenchRecord, factor: u64) {
        let measurement = record.pairs[0].measurement.as_mut().unwrap();
        for round in &mut measurement.rounds {
            round.elapsed_ns *= factor;
        }
        measurement.throughput.median /= factor as f64;
    }

    #[test]
    fn equal_records_do_not_differ_and_a_slower_one_does() {
        let Compared::Both(same) = outcome(|_| ()) else { panic!() };
        assert_eq!((same.time_ratio, same.verdict), (1.0, TimeVerdict::NoDifference));
        assert_eq!(same.counters, []);
        let Compared::Both(slow) = outcome(|record| slower(record, 3)) else { panic!() };
        assert_eq!((slow.time_ratio, slow.verdict), (3.0, TimeVerdict::Slower));
        let RatioInterval { low, high, .. } = slow.interval.unwrap();
        assert!(1.0 < low && low <= 3.0 && 3.0 <= high, "{slow:?}");
    }

    #[test]
    fn three_rounds_prove_nothing_and_one_has_no_bounds() {
        let Compared::Both(slow) = outcome_of(1, |record| slower(record, 3)) else { panic!() };
        assert_eq!(slow.verdict, TimeVerdict::TooFewRounds);
        assert!(slow.interval.unwrap().low > 1.0, "which is too narrow: {slow:?}");
        let Compared::Both(slow) = outcome(|record| {
            slower(record, 3);
            record.pairs[0].measurement.as_mut().unwrap().rounds.truncate(1);
        }) else {
            panic!()
        };
        assert_eq!((slow.time_ratio, slow.verdict, slow.interval), (3.0, TimeVerdict::TooFewRounds, None));
    }

    #[test]
    fn each_tested_pair_costs_the_others_confidence() {
        let confidences = |tested: usize| -> Vec<f64> {
            let mut first = fixtures::bench_record();
            let measured = first.pairs.iter_mut().filter_map(|pair| pair.measurement.as_mut());
            measured.take(tested).for_each(|measurement| measurement.rounds = measurement.rounds.repeat(3));
            let mut later = first.clone();
            slower(&mut later, 3);
            let compared = compare(&[first, later], false);
            compared.iter().filter_map(|it| Some(it.change()?.interval?.confidence)).collect()
        };
        assert_eq!(confidences(1), [0.95; 6], "those with three rounds are not tested");
        // The one that differs met a sixth of the level, and the next one, where the procedure ended, a fifth.
        let expected = [[1.0 - 0.05 / 6.0].as_slice(), &[1.0 - 0.05 / 5.0; 5]].concat();
        assert_eq!(confidences(6), expected);
    }

    #[test]
    fn a_pair_that_reached_less_is_compared_on_what_both_have() {
        // Of the two puzzles the first took a quarter of the time, and now it takes as long as both did.
        let shorter = |record: &mut BenchRecord| {
            let measurement = record.pairs[0].measurement.as_mut().unwrap();
            (measurement.puzzles, measurement.complete) = (1, false);
        };
        let Compared::Both(known) = outcome(shorter) else { panic!() };
        let found = (known.puzzles, known.time_ratio, known.verdict, known.interval);
        assert_eq!(found, ((2, 1), 4.0, TimeVerdict::OtherPuzzles, None));
        let mut unknown = fixtures::bench_record();
        let measurement = unknown.pairs[0].measurement.as_mut().unwrap();
        measurement.prefixes.retain(|prefix| prefix.puzzles == 2);
        assert_eq!(measurement.share_of_time(1), Some(0.25), "by the puzzles that were kept");
        measurement.kept = None;
        assert_eq!(measurement.share_of_time(1), None);
        let mut short = unknown.clone();
        shorter(&mut short);
        let Compared::Not(reason) = compare(&[unknown, short], false).remove(0).outcome else { panic!() };
        assert_eq!(reason, "different puzzles: 2 before, 1 now");
    }

    #[test]
    fn pairs_of_the_first_record_alone_are_named() {
        let mut first = fixtures::bench_record();
        let later = BenchRecord { pairs: first.pairs.split_off(2), ..first.clone() };
        let compared = compare(&[first, later], false);
        let gone: Vec<&str> = (compared.iter())
            .filter(|comparison| comparison.outcome == Compared::Gone)
            .map(|comparison| comparison.solver.as_str())
            .collect();
        assert_eq!(gone, ["quick", "steady"]);
    }

    #[test]
    fn records_of_other_machines_have_ratios_and_no_verdicts_if_asked_for() {
        let mut first = fixtures::bench_record();
        let measurement = first.pairs[0].measurement.as_mut().unwrap();
        measurement.rounds = measurement.rounds.repeat(3);
        let mut later = first.clone();
        slower(&mut later, 3);
        later.build.profile = "debug".to_owned();
        let compared = compare(&[first, later], true);
        let change = compared[0].change().unwrap();
        assert_eq!(
            (change.time_ratio, change.verdict, change.interval),
            (3.0, TimeVerdict::OtherMachine, None)
        );
        assert!(
            compared.iter().filter_map(Comparison::change).all(|it| it.verdict == TimeVerdict::OtherMachine)
        );
    }

    #[test]
    fn samples_of_other_seeds_are_of_other_puzzles() {
        let sampled = |record: &mut BenchRecord| {
            record.datasets.iter_mut().for_each(|dataset| dataset.puzzles = 9);
        };
        let mut first = fixtures::bench_record();
        sampled(&mut first);
        let mut later = first.clone();
        later.seed = 2;
        let words = "other puzzles: the seeds differ, and not all puzzles were measured";
        assert_eq!(compare(&[first, later], false).remove(0).outcome, Compared::Not(words.to_owned()));
    }

    #[test]
    fn changed_counters_and_puzzles_are_named() {
        let Compared::Both(change) = outcome(|record| {
            let measurement = record.pairs[0].measurement.as_mut().unwrap();
            measurement.effort.as_mut().unwrap().nodes = Some(7);
            let kept = measurement.kept.as_mut().unwrap();
            // In another order: puzzles are matched by their numbers.
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
            match compare(&[first, later], false).remove(0).outcome {
                Compared::Not(reason) => reason,
                _ => String::new(),
            }
        };
        let other = |record: &mut BenchRecord| record.settings.isomorphs = Some(9);
        assert_eq!(not(&|_| (), Some(9)), "");
        assert_eq!(
            not(&other, None),
            "other puzzles: they were measured in 9 random forms each, and as they stand before"
        );
        assert_eq!(
            not(&other, Some(1)),
            "other puzzles: they were measured in 9 random forms each, and in a random form each before"
        );
        let seed = |record: &mut BenchRecord| record.seed = 7;
        assert_eq!(not(&seed, None), "");
        assert_eq!(not(&seed, Some(9)), "other puzzles: the seeds differ, and so do the random forms");
        // Other programs may get other forms in each round.
        let fresh = |record: &mut BenchRecord| record.settings.fresh_forms = true;
        assert_eq!(not(&fresh, None), "", "a solver of this program does not");
        let mut first = fixtures::bench_record();
        first.pairs.iter_mut().for_each(|pair| pair.kind = Kind::Engine);
        let mut later = first.clone();
        fresh(&mut later);
        let outcome = compare(&[first, later], false).remove(0).outcome;
        assert!(matches!(outcome, Compared::Not(reason) if reason.ends_with("(see --same-puzzles)")));
    }

    #[test]
    fn forms_of_a_puzzle_are_told_apart() {
        let Compared::Both(change) = outcome(|record| {
            let kept = record.pairs[0].measurement.as_mut().unwrap().kept.as_mut().unwrap();
            (kept.number, kept.form) = (vec![1, 1], vec![1, 2]);
        }) else {
            panic!()
        };
        assert!(change.more_nodes.is_empty(), "puzzle 1 as it stands is none of its forms");
    }

    #[test]
    fn counters_of_a_batch_in_another_order_say_nothing() {
        // All puzzles of the dataset, in another order.
        for (kind, counters) in [(Kind::Batch, 0), (Kind::Single, 1)] {
            let Compared::Both(change) = outcome(|record| {
                (record.seed, record.pairs[0].kind) = (2, kind);
                record.pairs[0].measurement.as_mut().unwrap().effort.as_mut().unwrap().nodes = Some(7);
            }) else {
                panic!()
            };
            assert_eq!(change.counters.len(), counters);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn a_verdict_and_its_interval_never_contradict_each_other(
            rounds in prop::collection::vec((1u64..=3, prop::collection::vec(95u64..110, 1..12)), 6),
            slowness in prop::collection::vec(80u64..130, 6)
        ) {
            let mut first = fixtures::bench_record();
            let mut later = first.clone();
            let pairs = first.pairs.iter_mut().zip(&mut later.pairs).filter(|(pair, _)| pair.error.is_none());
            for (((old, new), (passes, times)), slowness) in pairs.zip(rounds).zip(slowness) {
                let of = |times: Vec<u64>| -> Vec<RoundRecord> {
                    times.into_iter().map(|elapsed_ns| RoundRecord { passes, elapsed_ns }).collect()
                };
                old.measurement.as_mut().unwrap().rounds = of(times.clone());
                new.measurement.as_mut().unwrap().rounds =
                    of(times.iter().rev().map(|time| time * slowness / 100).collect());
            }
            for comparison in compare(&[first, later], false) {
                let Compared::Both(change) = comparison.outcome else { continue };
                let Some(RatioInterval { low, high, .. }) = change.interval else {
                    prop_assert_eq!(change.verdict, TimeVerdict::TooFewRounds);
                    continue;
                };
                prop_assert!(low <= change.time_ratio && change.time_ratio <= high, "{:?}", change);
                match change.verdict {
                    TimeVerdict::Slower => prop_assert!(low > 1.0, "{:?}", change),
                    TimeVerdict::Faster => prop_assert!(high < 1.0, "{:?}", change),
                    TimeVerdict::NoDifference => prop_assert!(low <= 1.0 && 1.0 <= high, "{:?}", change),
                    TimeVerdict::TooFewRounds | TimeVerdict::OtherMachine | TimeVerdict::OtherPuzzles => {}
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let reasons = [
            outcome(|record| record.pairs[0].solver = "new".to_owned()),
            outcome(|record| record.pairs[0].threads = 8),
            outcome(|record| record.datasets[0].sha256 = "ff".to_owned()),
            outcome(|record| record.pairs[0] = record.pairs[3].clone()),
            outcome(|record| record.pairs[0].kind = Kind::Program),
            outcome(|record| record.machine.cores += 1),
            outcome(|record| {
                record.settings.max_nodes = Some(9);
                record.pairs[0].measurement.as_mut().unwrap().statuses[0].status = "aborted".to_owned();
            }),
        ];
        let unused = outcome(|record| record.settings.max_nodes = Some(9));
        assert!(matches!(unused, Compared::Both(_)), "a limit that gave nothing up: {unused:?}");
        insta::assert_debug_snapshot!(reasons);
    }
}
