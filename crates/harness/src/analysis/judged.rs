//! Compares two judgements of a program.

use std::collections::BTreeMap;

use crate::record::{JudgeRecord, Measurement, Verdict};

/// The difference between two judgements of a program: before, in the first record, and now, in the compared record.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedChange {
    /// The worst verdict before and now.
    pub verdict: (Verdict, Verdict),
    /// Number of accepted puzzles and of all puzzles, before and now.
    pub accepted: ((u64, u64), (u64, u64)),
    /// Median of the puzzles' processor times, in nanoseconds, before and now. The time of a puzzle is the median over its runs.
    pub p50_ns: (u64, u64),
    /// Mean of the puzzles' processor times, in nanoseconds, before and now.
    pub mean_ns: (f64, f64),
    /// For each budget of both records (reference times included), its label and the number of puzzles accepted within this budget, before
    /// and now. Budgets whose number did not change are left out.
    pub within: Vec<(String, u64, u64)>,
    /// Puzzles whose verdict changed; puzzles with a worse verdict come first.
    pub puzzles: Vec<PuzzleChange>,
    /// Whether `puzzles` is complete. It is not complete if a record names only the first failures of the program, or if the records have
    /// different puzzles.
    pub puzzles_are_all: bool,
    /// The limits before and now, in words, if they differ.
    pub limits: Option<(String, String)>,
}

/// A puzzle on which a program's verdict changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleChange {
    /// Number of the puzzle in the dataset, from 1.
    pub number: u64,
    /// The verdict before.
    pub before: Verdict,
    /// The verdict now.
    pub now: Verdict,
}

impl JudgedChange {
    /// Returns whether the program was accepted on every puzzle before and is not now.
    pub(crate) fn is_lost(&self) -> bool {
        let (before, now) = self.verdict;
        before == Verdict::Accepted && now != Verdict::Accepted
    }
}

/// Compares a judgement with an earlier one. `same_puzzles` says whether both have the same puzzles of the dataset.
///
/// # Errors
///
/// The reason as text, if the judgements are for different problems.
pub(super) fn judged_change(
    (old, old_judge): (&Measurement, &JudgeRecord),
    (new, new_judge): (&Measurement, &JudgeRecord),
    same_puzzles: bool,
) -> Result<JudgedChange, String> {
    if old_judge.problem != new_judge.problem {
        return Err(format!("different problems: {} before, {} now", old_judge.problem, new_judge.problem));
    }
    let accepted = |judge: &JudgeRecord| (judge.with_verdict(Verdict::Accepted), judge.puzzles());
    let within = old.budgets.iter().filter_map(|budget| {
        let now = new.budgets.iter().find(|other| other.limit_ns == budget.limit_ns)?;
        (now.within != budget.within).then(|| (budget.label.clone(), budget.within, now.within))
    });
    let names_all = |judge: &JudgeRecord| judge.failures.len() as u64 == judge.failed();
    let limits = (limits(old_judge), limits(new_judge));
    Ok(JudgedChange {
        verdict: (old_judge.verdict, new_judge.verdict),
        accepted: (accepted(old_judge), accepted(new_judge)),
        p50_ns: (old_judge.cpu_ns.p50, new_judge.cpu_ns.p50),
        mean_ns: (old_judge.cpu_ns.mean, new_judge.cpu_ns.mean),
        within: within.collect(),
        puzzles: if same_puzzles { changed_puzzles(old_judge, new_judge) } else { Vec::new() },
        puzzles_are_all: same_puzzles && names_all(old_judge) && names_all(new_judge),
        limits: (limits.0 != limits.1).then_some(limits),
    })
}

fn limits(judge: &JudgeRecord) -> String {
    let time = crate::figures::duration_ns(judge.time_limit_ns as f64);
    format!("{time} and {} MiB ({})", judge.memory_limit_bytes >> 20, judge.language)
}

/// Returns the puzzles that failed in one record and have a different, known verdict in the other. If a record lists all its failures, the
/// verdict on each of its other puzzles is also known: the puzzle was accepted.
fn changed_puzzles(old: &JudgeRecord, new: &JudgeRecord) -> Vec<PuzzleChange> {
    let named = |judge: &JudgeRecord| -> BTreeMap<u64, Verdict> {
        judge.failures.iter().map(|failure| (failure.number, failure.verdict)).collect()
    };
    let (before, now) = (named(old), named(new));
    let of = |judge: &JudgeRecord, named: &BTreeMap<u64, Verdict>, number: u64| {
        let names_all = named.len() as u64 == judge.failed();
        named.get(&number).copied().or(names_all.then_some(Verdict::Accepted))
    };
    let numbers: std::collections::BTreeSet<u64> = before.keys().chain(now.keys()).copied().collect();
    let both = numbers.into_iter().filter_map(|number| {
        Some(PuzzleChange { number, before: of(old, &before, number)?, now: of(new, &now, number)? })
    });
    let mut changed: Vec<PuzzleChange> = both.filter(|change| change.before != change.now).collect();
    changed.sort_by_key(|change| (change.now < change.before, change.number));
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{CompareTerms, ComparisonOutcome, compare};
    use crate::record::{BenchRecord, FailureRecord, VerdictRecord, fixtures};

    /// Compares the fixture's program of this name with the same program after `change`.
    fn outcome(program: &str, change: impl Fn(&mut BenchRecord)) -> ComparisonOutcome {
        let mut first = fixtures::judge_record();
        first.pairs.retain(|pair| pair.solver == program);
        let mut later = first.clone();
        change(&mut later);
        compare(&[first, later], CompareTerms::default()).remove(0).outcome
    }

    fn judge(record: &mut BenchRecord) -> &mut JudgeRecord {
        record.pairs[0].measurement.as_mut().unwrap().judge.as_mut().unwrap()
    }

    fn wrong_on(judge: &mut JudgeRecord, numbers: &[u64], named: usize) {
        let (all, failed) = (4, numbers.len() as u64);
        judge.verdict = Verdict::WrongAnswer;
        judge.verdicts = vec![
            VerdictRecord { verdict: Verdict::Accepted, puzzles: all - failed },
            VerdictRecord { verdict: Verdict::WrongAnswer, puzzles: failed },
        ];
        let of = |&number: &u64| FailureRecord {
            number,
            verdict: Verdict::WrongAnswer,
            words: "it printed nothing".to_owned(),
            line: None,
            puzzle: None,
            reference_calls: None,
        };
        judge.failures = numbers.iter().take(named).map(of).collect();
    }

    #[test]
    fn a_program_that_is_no_longer_accepted_is_reported_with_its_puzzles() {
        let ComparisonOutcome::Judged(change) =
            outcome("quick", |record| wrong_on(judge(record), &[2, 4], 2))
        else {
            panic!()
        };
        assert!(change.is_lost() && change.puzzles_are_all);
        assert_eq!(change.accepted, ((4, 4), (2, 4)));
        let expected = [2, 4].map(|number| PuzzleChange {
            number,
            before: Verdict::Accepted,
            now: Verdict::WrongAnswer,
        });
        assert_eq!(change.puzzles, expected);
    }

    #[test]
    fn worse_verdicts_come_first_and_unknown_ones_are_not_guessed() {
        let ComparisonOutcome::Judged(change) = outcome("slow", |record| wrong_on(judge(record), &[1, 4], 2))
        else {
            panic!()
        };
        let told: Vec<_> = change.puzzles.iter().map(|it| (it.number, it.now.letters())).collect();
        assert_eq!(told, [(1, "WA"), (3, "AC"), (4, "WA")]);
        let ComparisonOutcome::Judged(change) =
            outcome("slow", |record| wrong_on(judge(record), &[1, 3, 4], 1))
        else {
            panic!()
        };
        let told: Vec<_> = change.puzzles.iter().map(|it| (it.number, it.now.letters())).collect();
        assert_eq!((told, change.puzzles_are_all), (vec![(1, "WA")], false));
    }

    #[test]
    fn the_same_judgement_does_not_differ() {
        let ComparisonOutcome::Judged(same) = outcome("slow", |_| ()) else { panic!() };
        assert!(!same.is_lost() && same.puzzles.is_empty() && same.within.is_empty());
        assert_eq!((same.verdict.0, same.limits), (same.verdict.1, None));
        let ComparisonOutcome::Judged(other) =
            outcome("slow", |record| judge(record).time_limit_ns = 1_000_000_000)
        else {
            panic!()
        };
        let limits = ["3.00 s and 256 MiB (java)", "1.00 s and 256 MiB (java)"].map(str::to_owned);
        assert_eq!(other.limits, Some(limits.into()));
    }

    #[test]
    fn different_puzzles_are_not_compared() {
        let sampled = |record: &mut BenchRecord| {
            (record.seed, record.settings.sample) = (2, Some(4));
            wrong_on(judge(record), &[2], 1);
        };
        let ComparisonOutcome::Judged(change) = outcome("quick", sampled) else { panic!() };
        assert!(change.puzzles.is_empty() && !change.puzzles_are_all);
    }

    #[test]
    fn judgements_under_other_rules_are_not_compared() {
        let why = |change: &dyn Fn(&mut BenchRecord)| match outcome("quick", change) {
            ComparisonOutcome::Not(why) => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            why(&|record| judge(record).problem = "boj2239".to_owned()),
            "different problems: boj2580 before, boj2239 now"
        );
        let message = "one record is from `judge` and the other from `bench`: their times do not measure the same thing";
        let of_bench = |record: &mut BenchRecord| {
            *record = fixtures::bench_record();
            record.pairs[0].max_solutions = 1;
        };
        assert_eq!(why(&of_bench), message);
    }
}
