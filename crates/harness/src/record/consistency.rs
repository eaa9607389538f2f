//! Checks the redundant fields of a record. When a record is read, many figures that follow from raw data, for example from the rounds, are
//! computed again. If a stored figure differs, the record is refused, because it was edited or damaged.

use hdrhistogram::Histogram;
use sudobench_rows::LatencySummary;
use sudobench_sudoku::solver::Status;

use super::{
    BenchRecord, JudgeRecord, KeptPuzzles, Measurement, PairRecord, Par2, histogram_from_text, middle_run,
};
use crate::statistics::median;

/// Largest allowed relative difference between two numbers that were computed in the same way, possibly by different versions.
const ROUNDING: f64 = 1e-9;

/// Largest allowed relative difference between a stored mean and the mean of the histogram. The two means differ a little, because the
/// histogram keeps only three digits of each value.
const HISTOGRAM_ROUNDING: f64 = 0.005;

/// Describes the first field of a measured pair that contradicts the rest of the record. Returns `None` if no field does, or if the pair
/// has no measurement.
pub(super) fn contradiction(record: &BenchRecord, pair: &PairRecord) -> Option<String> {
    let measurement = pair.measurement.as_ref()?;
    let checks = || {
        puzzles(record, pair, measurement)?;
        rounds(record, pair, measurement)?;
        runs(record, measurement)?;
        latency(measurement)?;
        one_by_one(measurement)?;
        budgets(measurement)?;
        counts(measurement)?;
        kept(record, measurement)?;
        measurement.judge.as_ref().map_or(Ok(()), |judge| judged(measurement, judge))
    };
    checks().err()
}

fn ensure(is_right: bool, field: &str, message: impl FnOnce() -> String) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(format!("`{field}` {}", message())) }
}

/// Checks that a stored number agrees with the number that follows from the raw data.
fn equal(field: &str, stored: f64, found: f64) -> Result<(), String> {
    let is_right = (stored - found).abs() <= ROUNDING * found.abs();
    ensure(is_right, field, || format!("is {stored}, but its raw data give {found}"))
}

fn equal_count(field: &str, stored: u64, found: u64) -> Result<(), String> {
    ensure(stored == found, field, || format!("is {stored}, but its raw data give {found}"))
}

/// Checks the number of measured puzzles, and the field `complete`.
fn puzzles(record: &BenchRecord, pair: &PairRecord, measurement: &Measurement) -> Result<(), String> {
    let dataset = record.datasets.iter().find(|dataset| dataset.name == pair.dataset);
    let dataset = dataset.ok_or("`dataset` is not among `datasets`")?;
    let chosen = record.settings.sample.map_or(dataset.puzzles, |sample| sample.min(dataset.puzzles));
    let forms = chosen.saturating_mul(record.settings.isomorphs.unwrap_or(1));
    let measured = measurement.puzzles;
    ensure(measured <= forms, "puzzles", || format!("is {measured}, but only {forms} were planned"))?;
    // This is not checked for `judge`, because `judge` leaves out some puzzles, such as those without a solution.
    let is_right = record.is_judged() || measurement.complete == (measured == forms);
    ensure(is_right, "complete", || {
        format!("is {}, with {measured} of {forms} puzzles", measurement.complete)
    })
}

/// Checks the rounds, and the throughput and the core time per puzzle that follow from the rounds.
fn rounds(record: &BenchRecord, pair: &PairRecord, measurement: &Measurement) -> Result<(), String> {
    let (done, planned) = (measurement.rounds.len(), record.settings.rounds);
    ensure(done > 0, "rounds", || "is empty".to_owned())?;
    ensure(done <= planned, "rounds", || {
        format!("has {done} rounds, but `settings.rounds` is only {planned}")
    })?;
    for round in &measurement.rounds {
        ensure(round.elapsed_ns > 0, "rounds[].elapsed_ns", || "is 0".to_owned())?;
        ensure(round.passes > 0, "rounds[].passes", || "is 0".to_owned())?;
    }
    let throughputs = measurement.round_throughputs();
    let throughput = &measurement.throughput;
    equal("throughput.median", throughput.median, median(&throughputs).unwrap_or(0.0))?;
    let least = throughputs.iter().copied().fold(f64::INFINITY, f64::min) * (1.0 - ROUNDING);
    let most = throughputs.iter().copied().fold(0.0, f64::max) * (1.0 + ROUNDING);
    for (field, bound, is_right) in [
        ("throughput.low", throughput.low, (least..=throughput.median).contains(&throughput.low)),
        ("throughput.high", throughput.high, (throughput.median..=most).contains(&throughput.high)),
    ] {
        ensure(is_right, field, || {
            format!("is {bound}, but the throughputs of the rounds are from {least} to {most}")
        })?;
    }
    let threads = if record.is_judged() { 1 } else { pair.threads };
    equal("amortised_ns", measurement.amortised_ns, 1e9 / throughput.median * threads as f64)
}

/// If there are several runs, checks that the throughput and the rounds are those of the median run.
fn runs(record: &BenchRecord, measurement: &Measurement) -> Result<(), String> {
    let runs = &measurement.runs;
    let (done, planned) = (runs.len() as u64, record.settings.runs.unwrap_or(0));
    ensure(done <= planned, "runs", || format!("has {done} runs, but `settings.runs` is {planned}"))?;
    let Some(middle) = middle_run(runs).and_then(|at| runs.get(at)) else { return Ok(()) };
    let rounds = runs.iter().flat_map(|run| &run.rounds);
    let is_sound = runs.iter().all(|run| !run.rounds.is_empty())
        && rounds.clone().all(|round| round.elapsed_ns > 0 && round.passes > 0);
    ensure(is_sound, "runs[].rounds", || {
        "has a run without a round, or a round without a pass or a time".to_owned()
    })?;
    let throughput = measurement.throughput.median;
    equal("throughput.median", throughput, middle.throughput())?;
    let is_middle =
        runs.iter().any(|run| run.rounds == measurement.rounds && run.puzzles == measurement.puzzles);
    ensure(is_middle, "rounds", || "are not those of the run with the median throughput".to_owned())
}

fn latency(measurement: &Measurement) -> Result<(), String> {
    let (Some(summary), Some(text)) = (&measurement.latency_ns, &measurement.histogram) else {
        let are_both_absent = measurement.latency_ns.is_none() && measurement.histogram.is_none();
        return ensure(are_both_absent, "latency_ns", || {
            "must be present if `histogram` is present, and absent if it is absent".to_owned()
        });
    };
    summary_of_histogram(summary, text)
}

/// Checks the percentiles of the times of an engine that got one puzzle at a time.
fn one_by_one(measurement: &Measurement) -> Result<(), String> {
    let Some(times) = measurement.one_by_one_times() else { return Ok(()) };
    summary_of_histogram(&times.latency_ns, &times.histogram)
        .map_err(|message| format!("`one_by_one`: {message}"))
}

/// Checks that the number of puzzles, the percentiles, the maximum and the mean match the histogram.
fn summary_of_histogram(summary: &LatencySummary, text: &str) -> Result<(), String> {
    let histogram = decoded("histogram", text)?;
    let at = |quantile| histogram.value_at_quantile(quantile).min(summary.max);
    let LatencySummary { puzzles, mean, p50, p90, p99, p99_9, max } = *summary;
    for (field, stored, found) in [
        ("latency_ns.puzzles", puzzles, histogram.len()),
        ("latency_ns.p50", p50, at(0.5)),
        ("latency_ns.p90", p90, at(0.9)),
        ("latency_ns.p99", p99, at(0.99)),
        ("latency_ns.p99_9", p99_9, at(0.999)),
    ] {
        equal_count(field, stored, found)?;
    }
    // The maximum can be checked only if it is within the range of the histogram, because larger values are in the last bucket.
    let is_in_range = max < histogram.high();
    let is_right = !is_in_range || histogram.equivalent(max, histogram.max());
    ensure(is_right, "latency_ns.max", || format!("is {max}, but `histogram` ends at {}", histogram.max()))?;
    let found = histogram.mean();
    let is_right = !is_in_range || (mean - found).abs() <= HISTOGRAM_ROUNDING * found + 1.0;
    ensure(is_right, "latency_ns.mean", || format!("is {mean}, but `histogram` gives about {found}"))
}

fn decoded(field: &str, text: &str) -> Result<Histogram<u64>, String> {
    histogram_from_text(text).map_err(|error| format!("`{field}` is {error}"))
}

/// Checks the number of puzzles within each budget. If the record has a histogram of the times, the number must be between the bounds that
/// follow from the histogram. If the record has the time of each puzzle, the number must also be exactly the number that follows from these
/// times.
fn budgets(measurement: &Measurement) -> Result<(), String> {
    let histogram = measurement.verdict_histogram.as_ref();
    let histogram = histogram.map(|text| decoded("verdict_histogram", text)).transpose()?;
    for budget in &measurement.budgets {
        let (within, limit_ns) = (budget.within, budget.limit_ns);
        equal_count("budgets[].of", budget.of, measurement.puzzles)?;
        ensure(within <= budget.of, "budgets[].within", || format!("is {within} of {}", budget.of))?;
        if let Some(histogram) = &histogram {
            // The bucket that contains the limit can have times on both sides of the limit. Therefore the histogram gives only a lower and
            // an upper bound for `within`.
            let edge = histogram.lowest_equivalent(limit_ns).checked_sub(1);
            let least = edge.map_or(0, |edge| histogram.count_between(0, edge));
            let most = histogram.count_between(0, limit_ns);
            ensure((least..=most).contains(&within), "budgets[].within", || {
                format!("is {within}, but `verdict_histogram` gives {least} to {most}")
            })?;
        }
        if let Some(kept) = measurement.kept.as_ref().filter(|kept| !kept.elapsed_ns.is_empty()) {
            let times = decided_times(kept);
            let found = times.filter(|&elapsed_ns| elapsed_ns <= limit_ns).count() as u64;
            equal_count("budgets[].within", within, found)?;
        }
    }
    Ok(())
}

/// Returns the times of the puzzles in `kept` that have a verdict.
fn decided_times(kept: &KeptPuzzles) -> impl Iterator<Item = u64> {
    let decided = kept.statuses.bytes().zip(&kept.elapsed_ns);
    decided.filter(|(status, _)| *status != b'a').map(|(_, &elapsed_ns)| elapsed_ns)
}

/// Checks that these figures have possible values: PAR-2, the processor counters, the map `figures`, and the numbers of puzzles (with a
/// status, with a verdict, without a guess, in an entry of `prefixes`).
fn counts(measurement: &Measurement) -> Result<(), String> {
    let puzzles = measurement.puzzles;
    let sum = measurement.statuses.iter().fold(0u64, |sum, status| sum.saturating_add(status.rows));
    ensure(sum == puzzles, "statuses", || format!("add up to {sum} rows, but `puzzles` is {puzzles}"))?;
    if let Some(effort) = &measurement.effort {
        let decided = effort.puzzles;
        ensure(decided <= puzzles, "effort.puzzles", || format!("is {decided} of {puzzles}"))?;
        let without = effort.without_guess.unwrap_or(0);
        ensure(without <= decided, "effort.without_guess", || format!("is {without} of {decided}"))?;
    }
    if let Some(par2) = &measurement.par2 {
        let is_right = (0.0..=2.0 * par2.limit_ns as f64).contains(&par2.mean_ns);
        ensure(is_right, "par2.mean_ns", || {
            format!("is {}, but must be from 0 to twice the limit of {}", par2.mean_ns, par2.limit_ns)
        })?;
    }
    for prefix in &measurement.prefixes {
        let length = prefix.puzzles;
        ensure(length <= puzzles, "prefixes[].puzzles", || format!("is {length} of {puzzles}"))?;
    }
    let is_sound = |value: f64| value.is_finite() && value >= 0.0;
    let hardware = measurement.hardware.iter().flat_map(|hardware| {
        let per_puzzle = (hardware.cycles_per_puzzle, hardware.instructions_per_puzzle);
        [("hardware.cycles_per_puzzle", per_puzzle.0), ("hardware.instructions_per_puzzle", per_puzzle.1)]
    });
    let figures = measurement.figures.iter().map(|(key, value)| (key.as_str(), *value));
    for (field, value) in hardware.chain(figures) {
        ensure(is_sound(value), field, || format!("is {value}"))?;
    }
    Ok(())
}

/// Checks the columns of `kept`, and the figures that follow from these columns.
fn kept(record: &BenchRecord, measurement: &Measurement) -> Result<(), String> {
    let Some(kept) = &measurement.kept else { return Ok(()) };
    let puzzles = measurement.puzzles;
    for (field, length, may_be_empty) in [
        ("kept.number", kept.number.len(), false),
        ("kept.statuses", kept.statuses.len(), false),
        ("kept.form", kept.form.len(), true),
        ("kept.elapsed_ns", kept.elapsed_ns.len(), true),
        ("kept.nodes", kept.nodes.len(), true),
        ("kept.guesses", kept.guesses.len(), true),
    ] {
        let is_right = length as u64 == puzzles || (may_be_empty && length == 0);
        ensure(is_right, field, || format!("has {length} values, but `puzzles` is {puzzles}"))?;
    }
    for status in Status::ALL {
        let found = kept.statuses.chars().filter(|&letter| letter == status.letter()).count() as u64;
        equal_count(&format!("statuses ({})", status.name()), measurement.with_status(status.name()), found)?;
    }
    if let Some(effort) = measurement.effort.filter(|effort| effort.puzzles == puzzles) {
        for (field, stored, column) in
            [("effort.nodes", effort.nodes, &kept.nodes), ("effort.guesses", effort.guesses, &kept.guesses)]
        {
            let stored = stored.filter(|_| !column.is_empty());
            stored.map_or(Ok(()), |stored| equal_count(field, stored, sum(column)))?;
        }
    }
    if kept.elapsed_ns.is_empty() {
        return Ok(());
    }
    for prefix in measurement.prefixes.iter().filter(|prefix| prefix.exact) {
        let length = usize::try_from(prefix.puzzles).unwrap_or(usize::MAX).min(kept.elapsed_ns.len());
        equal_count("prefixes[].time_ns", prefix.time_ns, sum(&kept.elapsed_ns[..length]))?;
    }
    let Some(par2) = &measurement.par2 else { return Ok(()) };
    // For a record of `judge`, every accepted puzzle counts as solved in time, because it is within the judge's limits.
    let limit_ns = if record.is_judged() { u64::MAX } else { par2.limit_ns };
    let in_time = decided_times(kept).filter(|&elapsed_ns| elapsed_ns <= limit_ns);
    equal("par2.mean_ns", par2.mean_ns, Par2::new(par2.limit_ns, in_time, kept.elapsed_ns.len()).mean_ns)
}

fn sum(column: &[u64]) -> u64 {
    column.iter().fold(0, |sum, &value| sum.saturating_add(value))
}

/// Checks the fields of the judge's record that follow from other fields, except the verdicts.
fn judged(measurement: &Measurement, judge: &JudgeRecord) -> Result<(), String> {
    let is_right = measurement.latency_ns.as_ref() == Some(&judge.cpu_ns);
    ensure(is_right, "judge.cpu_ns", || "differs from `latency_ns`".to_owned())?;
    let (named, failed) = (judge.failures.len() as u64, judge.failed());
    ensure(named <= failed, "judge.failures", || format!("names {named} puzzles, but only {failed} failed"))?;
    let slowest = judge.slowest.first().map_or(judge.cpu_ns.max, |slow| slow.cpu_ns);
    equal_count("judge.slowest[0].cpu_ns", slowest, judge.cpu_ns.max)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures;
    use super::*;
    use serde_json::{Value, json};

    /// Changes the value at `path` in the pair with index `pair`. Then reads the changed record, and returns the error message.
    fn error(record: &BenchRecord, pair: usize, path: &str, value: Value) -> String {
        let mut changed = serde_json::to_value(record).unwrap();
        let slot = changed["pairs"][pair].pointer_mut(path).unwrap_or_else(|| panic!("no {path}"));
        assert_ne!(*slot, value, "{path}");
        *slot = value;
        BenchRecord::parse(&changed.to_string(), "r.json")
            .map(|_| String::new())
            .unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn a_field_that_contradicts_the_raw_data_is_named() {
        let bench = fixtures::bench_record();
        for (path, value, field) in [
            ("/throughput/median", json!(9_000_000_000.0), "throughput.median"),
            ("/throughput/median", json!(-5.0), "throughput.median"),
            ("/throughput/low", json!(0.0), "throughput.low"),
            ("/throughput/high", json!(1e12), "throughput.high"),
            ("/amortised_ns", json!(1.0), "amortised_ns"),
            ("/rounds/0/elapsed_ns", json!(0), "rounds[].elapsed_ns"),
            ("/rounds/0/elapsed_ns", json!(1), "throughput.median"),
            ("/rounds/0/passes", json!(0), "rounds[].passes"),
            ("/rounds", json!([]), "rounds"),
            ("/puzzles", json!(1), "complete"),
            ("/puzzles", json!(99), "puzzles"),
            ("/complete", json!(false), "complete"),
            ("/dataset", json!("other.txt"), "dataset"),
            ("/latency_ns/puzzles", json!(3), "latency_ns.puzzles"),
            ("/latency_ns/p50", json!(7), "latency_ns.p50"),
            ("/latency_ns/p99_9", json!(7), "latency_ns.p99_9"),
            ("/latency_ns/max", json!(9_999), "latency_ns.max"),
            ("/latency_ns/mean", json!(-1.0), "latency_ns.mean"),
            ("/latency_ns", Value::Null, "latency_ns"),
            ("/histogram", json!("HISTF"), "histogram"),
            ("/budgets/0/within", json!(99), "budgets[].within"),
            ("/budgets/0/within", json!(0), "budgets[].within"),
            ("/budgets/0/of", json!(50), "budgets[].of"),
            ("/statuses/0/rows", json!(1), "statuses"),
            ("/statuses/0/status", json!("multiple"), "statuses (unique)"),
            ("/effort/puzzles", json!(3), "effort.puzzles"),
            ("/effort/without_guess", json!(3), "effort.without_guess"),
            ("/effort/nodes", json!(9), "effort.nodes"),
            ("/effort/guesses", json!(9), "effort.guesses"),
            ("/par2/mean_ns", json!(-1.0), "par2.mean_ns"),
            ("/par2/mean_ns", json!(7.0), "par2.mean_ns"),
            ("/prefixes/0/puzzles", json!(9), "prefixes[].puzzles"),
            ("/prefixes/0/time_ns", json!(9), "prefixes[].time_ns"),
            ("/kept/nodes", json!([1]), "kept.nodes"),
            ("/kept/statuses", json!("uuu"), "kept.statuses"),
        ] {
            let error = error(&bench, 0, path, value);
            let start = format!("r.json: `{field}` ");
            assert!(
                error.starts_with(&start) && error.ends_with(": the record was edited or damaged"),
                "{path}: {error}"
            );
        }
        let judge = fixtures::judge_record();
        for (path, value, field) in [
            ("/judge/cpu_ns/p50", json!(7), "judge.cpu_ns"),
            ("/judge/slowest/0/cpu_ns", json!(7), "judge.slowest[0].cpu_ns"),
        ] {
            let error = error(&judge, 1, path, value);
            assert!(error.starts_with(&format!("r.json: `{field}` ")), "{path}: {error}");
        }
    }

    #[test]
    fn two_measurements_of_one_pair_are_refused() {
        let mut record = fixtures::bench_record();
        record.pairs.push(record.pairs[0].clone());
        let text = serde_json::to_string(&record).unwrap();
        let error = BenchRecord::parse(&text, "r.json").unwrap_err().to_string();
        assert_eq!(error, "r.json has two pairs of quick on easy.txt: it was cut or edited");
    }
}
