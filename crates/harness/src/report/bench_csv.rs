//! Records as CSV: one row a pair, numbers as the record holds them.
//!
//! ```text
//! columns of all pairs | those of programs, where a record of `judge` is among them
//!                      | those of forms of puzzles, where some were measured in several | one for each budget
//! ```

use std::collections::BTreeSet;
use std::io::{self, Write};

use strum::VariantArray as _;

use crate::record::{BenchRecord, JudgeRecord, Measurement, PairRecord, SpreadRecord, Verdict};

/// The columns of every pair.
const COLUMNS: [&str; 29] = [
    "solver",
    "dataset",
    "kind",
    "max_solutions",
    "threads",
    "error",
    "puzzles",
    "complete",
    "puzzles_per_second",
    "puzzles_per_second_low",
    "puzzles_per_second_high",
    "amortised_ns",
    "mean_ns",
    "p50_ns",
    "p90_ns",
    "p99_ns",
    "p99_9_ns",
    "max_ns",
    "par2_ns",
    "nodes",
    "guesses",
    "without_guess",
    "verdicts",
    "startup_ns",
    "cpu_ns",
    "peak_memory_bytes",
    "cycles_per_puzzle",
    "instructions_per_puzzle",
    "rounds",
];

/// The columns of programs; one for each verdict follows.
const JUDGED: [&str; 9] = [
    "problem",
    "language",
    "time_limit_ns",
    "memory_limit_bytes",
    "verdict",
    "startup_cpu_ns",
    "wall_p50_ns",
    "wall_max_ns",
    "timed_again",
];

/// The columns of who was measured on several forms of each puzzle.
const SPREAD: [&str; 7] = [
    "spread_of",
    "spread_puzzles",
    "spread_given_up",
    "spread_median",
    "spread_p90",
    "spread_max",
    "spread_widest",
];

/// Writes the pairs of all records, one after the other.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_bench_csv(out: &mut impl Write, records: &[BenchRecord]) -> io::Result<()> {
    let pairs = || records.iter().flat_map(|record| &record.pairs);
    let measured = || pairs().filter_map(|pair| pair.measurement.as_ref());
    let budgets: BTreeSet<u64> =
        measured().flat_map(|measurement| &measurement.budgets).map(|budget| budget.limit_ns).collect();
    let mut columns: Vec<String> = COLUMNS.map(str::to_owned).to_vec();
    let with_judged = records.iter().any(BenchRecord::is_judged);
    if with_judged {
        columns.extend(JUDGED.map(str::to_owned));
        columns.extend(Verdict::VARIANTS.iter().map(|verdict| verdict.letters().to_lowercase()));
    }
    let with_spread = measured().any(|measurement| measurement.spread.is_some());
    if with_spread {
        columns.extend(SPREAD.map(str::to_owned));
    }
    columns.extend(budgets.iter().map(|limit_ns| format!("within_{limit_ns}_ns")));
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(&columns)?;
    for pair in pairs() {
        let mut fields = identity(pair);
        if let Some(measurement) = &pair.measurement {
            fields.extend(numbers(measurement));
            if with_judged {
                fields.extend(judged(measurement.judge.as_ref()));
            }
            if with_spread {
                fields.extend(spread(measurement.spread.as_ref()));
            }
            fields.extend(budgets.iter().map(|limit_ns| within(measurement, *limit_ns)));
        }
        fields.resize(columns.len(), String::new());
        writer.write_record(fields)?;
    }
    writer.flush()?;
    Ok(())
}

fn identity(pair: &PairRecord) -> Vec<String> {
    vec![
        pair.solver.clone(),
        pair.dataset.clone(),
        pair.kind.name().to_owned(),
        pair.max_solutions.to_string(),
        pair.threads.to_string(),
        pair.error.clone().unwrap_or_default(),
    ]
}

fn numbers(measurement: &Measurement) -> Vec<String> {
    fn shown(value: Option<impl ToString>) -> String {
        value.map(|value| value.to_string()).unwrap_or_default()
    }
    let (latency, effort) = (&measurement.latency_ns, &measurement.effort);
    let hardware = &measurement.hardware;
    let process = process(measurement);
    let bounds = measurement.throughput_interval();
    vec![
        measurement.puzzles.to_string(),
        measurement.complete.to_string(),
        measurement.throughput.median.to_string(),
        shown(bounds.map(|bounds| bounds.low)),
        shown(bounds.map(|bounds| bounds.high)),
        measurement.amortised_ns.to_string(),
        shown(latency.map(|latency| latency.mean)),
        shown(latency.map(|latency| latency.p50)),
        shown(latency.map(|latency| latency.p90)),
        shown(latency.map(|latency| latency.p99)),
        shown(latency.map(|latency| latency.p99_9)),
        shown(latency.map(|latency| latency.max)),
        shown(measurement.par2.map(|par2| par2.mean_ns)),
        shown(effort.map(|effort| effort.nodes)),
        shown(effort.map(|effort| effort.guesses)),
        shown(effort.map(|effort| effort.without_guess)),
        shown(effort.map(|effort| effort.puzzles)),
        shown(process.map(|(startup_ns, ..)| startup_ns)),
        shown(process.map(|(_, cpu_ns, _)| cpu_ns)),
        shown(process.map(|(.., peak_memory_bytes)| peak_memory_bytes)),
        shown(hardware.map(|hardware| hardware.cycles_per_puzzle)),
        shown(hardware.map(|hardware| hardware.instructions_per_puzzle)),
        measurement.rounds.len().to_string(),
    ]
}

/// Wall time of the start, processor time of a pass, and peak memory: of an engine, or of a program.
fn process(measurement: &Measurement) -> Option<(u64, u64, u64)> {
    if let Some(judge) = &measurement.judge {
        let pass_ns = judge.cpu_ns.mean * measurement.puzzles as f64;
        return Some((judge.startup_wall_ns, pass_ns.round() as u64, judge.peak_memory_bytes));
    }
    let engine = measurement.engine.as_ref()?;
    Some((engine.startup_ns, engine.cpu_ns, engine.peak_memory_bytes))
}

/// Of what is no program the fields are empty.
fn judged(judge: Option<&JudgeRecord>) -> Vec<String> {
    let Some(judge) = judge else { return vec![String::new(); JUDGED.len() + Verdict::VARIANTS.len()] };
    let mut fields = vec![
        judge.problem.clone(),
        judge.language.clone(),
        judge.time_limit_ns.to_string(),
        judge.memory_limit_bytes.to_string(),
        judge.verdict.letters().to_owned(),
        judge.startup_cpu_ns.to_string(),
        judge.wall_ns.p50.to_string(),
        judge.wall_ns.max.to_string(),
        judge.timed_again.to_string(),
    ];
    fields.extend(Verdict::VARIANTS.iter().map(|&verdict| judge.with_verdict(verdict).to_string()));
    fields
}

/// Of who was not measured on several forms the fields are empty.
fn spread(spread: Option<&SpreadRecord>) -> Vec<String> {
    let Some(spread) = spread else { return vec![String::new(); SPREAD.len()] };
    vec![
        spread.of.name().to_owned(),
        spread.puzzles.to_string(),
        spread.given_up.to_string(),
        spread.median.to_string(),
        spread.p90.to_string(),
        spread.max.to_string(),
        spread.widest.to_string(),
    ]
}

fn within(measurement: &Measurement, limit_ns: u64) -> String {
    let budget = measurement.budgets.iter().find(|budget| budget.limit_ns == limit_ns);
    budget.map(|budget| budget.within.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;

    #[test]
    fn a_record_as_csv() {
        let mut out = Vec::new();
        write_bench_csv(&mut out, &[fixtures::bench_record()]).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap());
    }

    #[test]
    fn one_round_has_no_bounds() {
        let mut record = fixtures::bench_record();
        record.pairs.truncate(1);
        record.pairs[0].measurement.as_mut().unwrap().rounds.truncate(1);
        let mut out = Vec::new();
        write_bench_csv(&mut out, &[record]).unwrap();
        let mut reader = csv::Reader::from_reader(&out[..]);
        let row: std::collections::HashMap<String, String> = reader.deserialize().next().unwrap().unwrap();
        let shown = ["", "_low", "_high"].map(|of| row[&format!("puzzles_per_second{of}")].as_str());
        assert_eq!((shown, row["rounds"].as_str()), (["1000000", "", ""], "1"));
    }

    #[test]
    fn a_record_of_forms_as_csv() {
        let mut record = fixtures::forms_record();
        record.pairs.truncate(3);
        let mut out = Vec::new();
        write_bench_csv(&mut out, &[record]).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap());
    }

    #[test]
    fn records_of_both_kinds_as_csv() {
        let mut bench = fixtures::bench_record();
        bench.pairs.truncate(1);
        let mut out = Vec::new();
        write_bench_csv(&mut out, &[bench, fixtures::judge_record()]).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap());
    }
}
