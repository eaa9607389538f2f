//! Checks measurements against fixed limits (budgets).
//!
//! For a program that `judge` ran, a limit `within:TIME=P%` counts only the puzzles on which the program was accepted. So if the share `P`
//! is below 100%, a program can pass although it failed on some puzzles. If a program failed on some puzzle, its times do not show its
//! speed, so every limit on a time, such as `p99=80ms`, counts as exceeded.

use super::{BudgetLimit, Check, Gate, GateVerdict};
use crate::figures::duration_ns;
use crate::record::registry::Figure;
use crate::record::{BenchRecord, JudgeRecord, Measurement, PairRecord, Verdict};

/// Compares every pair of a record with every limit. If the measurement of a pair was interrupted, the verdict is "missing", because the
/// figures come from too few rounds, runs or puzzles.
pub fn check_record(record: &BenchRecord, limits: &[BudgetLimit]) -> Vec<Check> {
    let of = |pair: &PairRecord| {
        let mut checks = check_budgets(std::slice::from_ref(pair), limits);
        if let Some(message) = record.unfinished(pair) {
            for (check, limit) in checks.iter_mut().zip(limits) {
                check.verdict = GateVerdict::Missing;
                check.reason = format!("{limit}: the run was interrupted {message}: measure again");
            }
        }
        checks
    };
    record.pairs.iter().flat_map(of).collect()
}

/// Checks every pair against every limit.
pub fn check_budgets(pairs: &[PairRecord], limits: &[BudgetLimit]) -> Vec<Check> {
    pairs.iter().flat_map(|pair| limits.iter().map(|limit| check(pair, limit))).collect()
}

fn check(pair: &PairRecord, limit: &BudgetLimit) -> Check {
    let (verdict, reason) = match (&pair.measurement, &pair.error) {
        (Some(measurement), _) => verdict_and_reason(measurement, limit),
        (None, error) => (GateVerdict::Broken, error.clone().unwrap_or_default()),
    };
    let names = (pair.solver.as_str(), pair.dataset.as_str());
    Check::new(Gate::Budget, &limit.to_string(), names, verdict, format!("{limit}: {reason}"))
}

fn verdict_and_reason(measurement: &Measurement, limit: &BudgetLimit) -> (GateVerdict, String) {
    if measurement.puzzles == 0 {
        return (GateVerdict::Missing, "no puzzle was measured".to_owned());
    }
    let kept = match limit {
        BudgetLimit::AtMost { figure, at_most } => {
            let ns = figure.value(measurement).and_then(|value| value.number());
            ns.map(|ns| time_within(figure, ns, at_most.as_nanos()))
        }
        BudgetLimit::Within { limit, at_least_percent } => {
            share_within(measurement, limit.as_nanos(), *at_least_percent)
        }
    };
    let failures = measurement.judge.as_ref().map(JudgeRecord::failures_in_words).unwrap_or_default();
    let kept = kept.map(|(is_kept, message)| match (failures.is_empty(), limit) {
        (true, _) => (is_kept, message),
        (false, BudgetLimit::AtMost { .. }) => (false, format!("{message}, but {failures}")),
        (false, BudgetLimit::Within { .. }) => (is_kept, format!("{message}; {failures}")),
    });
    match kept {
        None if measurement.judge.is_some() => (
            GateVerdict::Missing,
            "the record has no count for this time: judge counts puzzles only within the reference times, the time limit and the times in --budgets".to_owned(),
        ),
        None if measurement.latency_ns.is_none() => (
            GateVerdict::Missing,
            "the time of each puzzle is unknown: an engine is timed on all puzzles one by one only with --engine-protocol boj2580 or boj2239"
                .to_owned(),
        ),
        None => (
            GateVerdict::Missing,
            "the record does not count the puzzles within this time: measure again with this time in --budgets".to_owned(),
        ),
        Some((false, message)) => (GateVerdict::Fail, message),
        Some((true, message)) if measurement.complete => (GateVerdict::Pass, message),
        Some((true, message)) => {
            let remedy = match measurement.judge {
                Some(_) => "measure again without --stop-at-first",
                None => "raise --max-time-per-pair, or use fewer puzzles with --sample",
            };
            let first = measurement.puzzles;
            let message = format!("{message}, but only the first {first} of the puzzles were measured: {remedy}");
            (GateVerdict::Missing, message)
        }
    }
}

fn time_within(figure: &Figure, ns: f64, at_most_ns: u128) -> (bool, String) {
    let is_kept = ns <= at_most_ns as f64;
    (is_kept, format!("{} is {}", figure.label, three_digits(ns, is_kept)))
}

/// Formats a time with three digits. A time within the limit is rounded down and a time beyond the limit is rounded up, so that the text
/// agrees with the verdict.
fn three_digits(ns: f64, down: bool) -> String {
    let unit = 10f64.powf(ns.max(1.0).log10().floor() - 2.0).max(1.0);
    let rounded = if down { (ns / unit).floor() } else { (ns / unit).ceil() } * unit;
    duration_ns(rounded)
}

/// Returns whether at least `at_least_percent` of the puzzles are answered within a time, and a description. In a record of `judge`, only
/// accepted puzzles count. `None` if the record has no count for this time, or if no puzzles were counted.
fn share_within(measurement: &Measurement, limit_ns: u128, at_least_percent: f64) -> Option<(bool, String)> {
    let budget = measurement.budgets.iter().find(|budget| u128::from(budget.limit_ns) == limit_ns);
    let counted = budget.map(|budget| (budget.within, budget.of));
    let (within, of) = counted
        .or_else(|| accepted_within(measurement.judge.as_ref()?, limit_ns))
        .filter(|&(_, of)| of > 0)?;
    let kept = within as f64 * 100.0 >= at_least_percent * of as f64;
    let missed = of.saturating_sub(within);
    let verb = |count| if count == 1 { "is" } else { "are" };
    Some((
        kept,
        format!("{within} of {of} puzzles {} within the time, {missed} {} not", verb(within), verb(missed)),
    ))
}

/// If `limit_ns` is the judge's time limit, returns the number of puzzles accepted within this time, and the number of all puzzles. Each
/// accepted puzzle was solved within the judge's limit. For any other `limit_ns`, returns `None`.
fn accepted_within(judge: &JudgeRecord, limit_ns: u128) -> Option<(u64, u64)> {
    (u128::from(judge.time_limit_ns) == limit_ns)
        .then(|| (judge.with_verdict(Verdict::Accepted), judge.puzzles()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateLimits;
    use crate::record::fixtures;

    #[test]
    fn rounded_times_never_hide_an_exceeded_limit() {
        let shown =
            [(41_982.0, true), (41_982.0, false), (5_493.4, true), (80_040_000.0, false), (0.4, true)]
                .map(|(ns, down)| three_digits(ns, down));
        assert_eq!(shown, ["41.9 us", "42.0 us", "5.49 us", "80.1 ms", "0 ns"]);
    }

    #[test]
    fn a_record_with_impossible_counts_within_a_budget_is_read() {
        let mut pair = fixtures::bench_record().pairs.swap_remove(0);
        let budget = &mut pair.measurement.as_mut().unwrap().budgets[0];
        budget.within = budget.of + 1;
        let limits: GateLimits = format!("within:{}ns=1%", budget.limit_ns).parse().unwrap();
        assert!(check_budgets(&[pair], &limits.budgets)[0].reason.ends_with("0 are not"));
    }

    #[test]
    fn without_puzzles_no_limit_is_kept() {
        let limits: GateLimits = "max=1s,within:1us=50%".parse().unwrap();
        let mut pair = fixtures::bench_record().pairs.swap_remove(0);
        let measurement = pair.measurement.as_mut().unwrap();
        measurement.budgets.iter_mut().for_each(|budget| (budget.within, budget.of) = (0, 0));
        let verdicts = |pair: &PairRecord| -> Vec<GateVerdict> {
            let checks = check_budgets(std::slice::from_ref(pair), &limits.budgets);
            checks.iter().map(|check| check.verdict).collect()
        };
        assert_eq!(verdicts(&pair)[1], GateVerdict::Missing, "a share of zero puzzles is unknown");
        pair.measurement.as_mut().unwrap().puzzles = 0;
        assert_eq!(verdicts(&pair), [GateVerdict::Missing; 2]);
    }

    #[test]
    fn an_interrupted_pair_is_missing_and_others_are_checked() {
        let limits: GateLimits = "p99=10s".parse().unwrap();
        let mut record = fixtures::bench_record();
        record.pairs[0].measurement.as_mut().unwrap().rounds.pop();
        record.interrupted = true;
        let checks = check_record(&record, &limits.budgets);
        assert_eq!([checks[0].verdict, checks[1].verdict], [GateVerdict::Missing, GateVerdict::Pass]);
        assert!(
            checks[0].reason.ends_with("the run was interrupted after 2 of 3 rounds: measure again"),
            "{:?}",
            checks[0]
        );
    }

    #[test]
    fn each_pair_is_checked_against_each_limit() {
        let limits: GateLimits = "p99=2us,within:1us=50%,within:7us=1%".parse().unwrap();
        let checks = check_budgets(&fixtures::bench_record().pairs, &limits.budgets);
        let shown: Vec<String> = checks
            .iter()
            .filter(|check| check.dataset == "easy.txt")
            .map(|check| format!("{} {}: {}", check.solver, check.verdict.name(), check.reason))
            .collect();
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn a_failing_program_exceeds_latencies_and_shares_count_accepted_puzzles() {
        let limits = "max=5s,within:292ms=25%,within:292ms=26%,within:1s=50%,within:3s=50%,within:7s=1%";
        let limits = limits.split(',').map(|limit| limit.parse::<GateLimits>().unwrap().budgets.remove(0));
        let checks = check_budgets(&fixtures::judge_record().pairs, &limits.collect::<Vec<_>>());
        let shown: Vec<String> = checks
            .iter()
            .map(|check| format!("{} {}: {}", check.solver, check.verdict.name(), check.reason))
            .collect();
        insta::assert_snapshot!(shown.join("\n"));
    }
}
