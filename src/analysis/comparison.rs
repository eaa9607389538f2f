//! Records against each other: what changed between runs.
//!
//! Runs of different times meet the machine in different states, so a significant difference here says that the
//! runs differ, not why; the paired gate tells the binaries' part.

use super::judged::{JudgedChange, judged_change};
use crate::record::{BenchRecord, KeptPuzzles, Kind, Measurement, PairRecord, PuzzleName};
use crate::statistics::{ALPHA, Interval, RESAMPLES, holm, interval_of_samples, ratio_samples};

/// Rounds below which a bootstrap takes a few equal numbers for certainty.
const ENOUGH_ROUNDS: usize = 6;

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

/// What a comparison comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Compared {
    /// One of the two has no such measurement, or another question was asked.
    Not(String),
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
    /// Time now over time before, with its interval.
    pub time_ratio: Interval,
    /// Whether the difference is more than noise within the runs, corrected over all pairs.
    pub significant: bool,
    /// Whether both have the rounds that a bootstrap needs to tell; else nothing is significant.
    pub enough_rounds: bool,
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

/// Holds every pair of the later records against the first record.
pub fn compare(records: &[BenchRecord]) -> Vec<Comparison> {
    let Some((first, later)) = records.split_first() else { return Vec::new() };
    let mut comparisons = Vec::new();
    let mut p_values = Vec::new();
    for (at, record) in later.iter().enumerate() {
        for pair in &record.pairs {
            let (outcome, p_value) = match compare_pair(first, record, pair) {
                Ok(outcome) => outcome,
                Err(reason) => (Compared::Not(reason), None),
            };
            p_values.push(p_value);
            comparisons.push(Comparison {
                solver: pair.solver.clone(),
                dataset: pair.dataset.clone(),
                record: at + 1,
                outcome,
            });
        }
    }
    for (comparison, significant) in comparisons.iter_mut().zip(holm(&p_values, ALPHA)) {
        if let Compared::Both(change) = &mut comparison.outcome {
            change.significant = significant;
        }
    }
    comparisons
}

/// The change of one pair and its two-sided p-value, where noise is reckoned with, or why there is none.
fn compare_pair(
    first: &BenchRecord,
    record: &BenchRecord,
    pair: &PairRecord,
) -> Result<(Compared, Option<f64>), String> {
    if first.is_judged() != record.is_judged() {
        let words =
            "one of the records is of `judge`, the other of `bench`: their times are not of the same thing";
        return Err(words.to_owned());
    }
    let before = first.pair(&pair.solver, &pair.dataset).ok_or("only in the later record")?;
    let same_question = (before.max_solutions, before.threads) == (pair.max_solutions, pair.threads);
    if !same_question {
        return Err("another question: max_solutions or threads differ".to_owned());
    }
    let hash = |record: &BenchRecord| {
        record.datasets.iter().find(|it| it.name == pair.dataset).map(|it| it.sha256.clone())
    };
    if hash(first) != hash(record) {
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
    if forms(first).is_some() && !same_puzzles {
        return Err("other puzzles: the seeds differ, and so do the random forms".to_owned());
    }
    if old.puzzles != new.puzzles && !same_puzzles {
        return Err("other puzzles: the seeds differ, and so do the numbers of puzzles".to_owned());
    }
    // What a batch solver does with a puzzle depends on the others of the batch, and on their order.
    let same_batch = same_puzzles && old.puzzles == new.puzzles;
    let (change, p_value) = change(old, new, first.seed, pair.kind != Kind::Batch || same_batch)?;
    Ok((Compared::Both(Box::new(change)), Some(p_value)))
}

/// The change from one measurement to another. Nodes and guesses say something where it is the `same_search`.
fn change(
    old: &Measurement,
    new: &Measurement,
    seed: u64,
    same_search: bool,
) -> Result<(Change, f64), String> {
    let common = old.puzzles.min(new.puzzles);
    // Where one reached further, its rounds are scaled by the time it spent on the common puzzles.
    let times = |measurement: &Measurement| -> Vec<f64> {
        let whole_ns = 1e9 / measurement.throughput.median * measurement.puzzles as f64;
        let scale = match measurement.puzzles == common {
            true => 1.0,
            false => measurement.time_on_prefix(common) / whole_ns,
        };
        let of = |throughput: f64| scale * measurement.puzzles as f64 / throughput;
        measurement.round_throughputs().into_iter().map(of).collect()
    };
    let samples = ratio_samples(&times(new), &times(old), seed);
    let time_ratio = interval_of_samples(&samples, &times(new), &times(old)).ok_or("no rounds")?;
    let below = samples.iter().filter(|&&ratio| ratio <= 1.0).count();
    let tail = below.min(samples.len() - below);
    let enough_rounds = old.rounds.len().min(new.rounds.len()) >= ENOUGH_ROUNDS;
    let p_value =
        if enough_rounds { (2.0 * (tail + 1) as f64 / (RESAMPLES + 1) as f64).min(1.0) } else { 1.0 };
    let both_kept = old.kept.as_ref().zip(new.kept.as_ref());
    let change = Change {
        throughput: (old.throughput.median, new.throughput.median),
        time_ratio,
        significant: false,
        enough_rounds,
        counters: if old.puzzles == new.puzzles { counters(old, new, same_search) } else { Vec::new() },
        newly_beyond: both_kept.map(|(a, b)| newly_beyond(old, a, b)).unwrap_or_default(),
        more_nodes: both_kept.filter(|_| same_search).map(|(a, b)| more_nodes(a, b)).unwrap_or_default(),
        kept: both_kept.is_some(),
    };
    Ok((change, p_value))
}

/// The exact counters that differ.
fn counters(old: &Measurement, new: &Measurement, same_search: bool) -> Vec<(String, u64, u64)> {
    let mut all: Vec<(String, u64, u64)> = Vec::new();
    if let Some((before, now)) = old.effort.zip(new.effort).filter(|_| same_search) {
        all.push(("nodes".to_owned(), before.nodes, now.nodes));
        all.push(("guesses".to_owned(), before.guesses, now.guesses));
        all.push(("without a guess".to_owned(), before.without_guess, now.without_guess));
    }
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
    use crate::record::fixtures;

    /// Compares a record of so many rounds times three with what a change makes of it.
    fn outcome_of(repeats: usize, change: impl Fn(&mut BenchRecord)) -> Compared {
        let mut first = fixtures::bench_record();
        let rounds = first.pairs[0].measurement.as_ref().unwrap().rounds.repeat(repeats);
        first.pairs[0].measurement.as_mut().unwrap().rounds = rounds;
        let mut later = first.clone();
        change(&mut later);
        compare(&[first, later]).remove(0).outcome
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
        assert_eq!((same.time_ratio.median, same.significant, same.counters.len()), (1.0, false, 0));
        let Compared::Both(slow) = outcome(|record| slower(record, 3)) else { panic!() };
        assert_eq!(slow.time_ratio.median, 3.0);
        assert!(slow.significant && slow.time_ratio.low > 1.0, "{slow:?}");
    }

    #[test]
    fn three_rounds_prove_nothing() {
        let Compared::Both(slow) = outcome_of(1, |record| slower(record, 3)) else { panic!() };
        assert!(!slow.significant && !slow.enough_rounds && slow.time_ratio.low > 1.0, "{slow:?}");
    }

    #[test]
    fn changed_counters_and_puzzles_are_named() {
        let Compared::Both(change) = outcome(|record| {
            let measurement = record.pairs[0].measurement.as_mut().unwrap();
            measurement.effort.as_mut().unwrap().nodes += 5;
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
            match compare(&[first, later]).remove(0).outcome {
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
        for (kind, counters) in [(Kind::Batch, 0), (Kind::Single, 1)] {
            let Compared::Both(change) = outcome(|record| {
                (record.seed, record.pairs[0].kind) = (2, kind);
                record.pairs[0].measurement.as_mut().unwrap().effort.as_mut().unwrap().nodes += 5;
            }) else {
                panic!()
            };
            assert_eq!(change.counters.len(), counters);
        }
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let reasons = [
            outcome(|record| record.pairs[0].solver = "new".to_owned()),
            outcome(|record| record.pairs[0].threads = 8),
            outcome(|record| record.datasets[0].sha256 = "ff".to_owned()),
            outcome(|record| record.pairs[0] = record.pairs[3].clone()),
        ];
        insta::assert_debug_snapshot!(reasons);
    }
}
