//! Bench records as CSV: one row a pair, numbers as the record holds them.

use std::io::{self, Write};

use crate::record::{BenchRecord, Measurement, PairRecord};

/// The columns that every record has; one for each budget follows.
const COLUMNS: [&str; 28] = [
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
];

/// Writes the pairs of all records, one after the other.
///
/// # Errors
/// Whatever `out` answers.
pub fn write_bench_csv(out: &mut impl Write, records: &[BenchRecord]) -> io::Result<()> {
    let pairs = || records.iter().flat_map(|record| &record.pairs);
    let measured = pairs().filter_map(|pair| pair.measurement.as_ref());
    let budgets: Vec<u64> = measured
        .map(|measurement| measurement.budgets.iter().map(|budget| budget.limit_ns).collect::<Vec<_>>())
        .max_by_key(Vec::len)
        .unwrap_or_default();
    let mut writer = csv::Writer::from_writer(out);
    let budget_columns = budgets.iter().map(|limit_ns| format!("within_{limit_ns}_ns"));
    writer.write_record(COLUMNS.map(str::to_owned).into_iter().chain(budget_columns))?;
    for pair in pairs() {
        let mut fields = identity(pair);
        match &pair.measurement {
            Some(measurement) => fields.extend(numbers(measurement, &budgets)),
            None => fields.resize(COLUMNS.len() + budgets.len(), String::new()),
        }
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

fn numbers(measurement: &Measurement, budgets: &[u64]) -> Vec<String> {
    fn shown(value: Option<impl ToString>) -> String {
        value.map(|value| value.to_string()).unwrap_or_default()
    }
    let (latency, effort) = (&measurement.latency_ns, &measurement.effort);
    let (engine, hardware) = (&measurement.engine, &measurement.hardware);
    let mut numbers = vec![
        measurement.puzzles.to_string(),
        measurement.complete.to_string(),
        measurement.throughput.median.to_string(),
        measurement.throughput.low.to_string(),
        measurement.throughput.high.to_string(),
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
        shown(engine.as_ref().map(|engine| engine.startup_ns)),
        shown(engine.as_ref().map(|engine| engine.cpu_ns)),
        shown(engine.as_ref().map(|engine| engine.peak_memory_bytes)),
        shown(hardware.map(|hardware| hardware.cycles_per_puzzle)),
        shown(hardware.map(|hardware| hardware.instructions_per_puzzle)),
    ];
    numbers.extend(budgets.iter().map(|limit_ns| {
        let budget = measurement.budgets.iter().find(|budget| budget.limit_ns == *limit_ns);
        shown(budget.map(|budget| budget.within))
    }));
    numbers
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
}
