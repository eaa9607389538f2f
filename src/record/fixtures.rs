//! A record whose measurements are made up, for tests of everything that reads records.

use sudobench_batch::{Budgets, Latency};

use super::*;
use crate::statistics::Interval;

/// Two datasets; `quick` is the best on both, `steady` a batch solver and slower, `naive` ran out of time,
/// `broken` answered wrongly.
pub(crate) fn bench_record() -> BenchRecord {
    let datasets = ["easy.txt", "hard.txt"];
    let mut pairs = Vec::new();
    for (dataset, slowness) in datasets.iter().zip([1, 4]) {
        pairs.push(pair("quick", dataset, Kind::Single, measurement(&[500, 1_500], 1, 1.0)));
        let steady = measurement(&[800 * slowness, 2_400 * slowness], 2, 2.0 * slowness as f64);
        pairs.push(pair("steady", dataset, Kind::Batch, steady));
        let mut naive = measurement(&[5_000_000], 3, 5_000.0);
        (naive.complete, naive.kept) = (false, None);
        pairs.push(pair("naive", dataset, Kind::Single, naive));
        let fault = "wrong answer: on puzzle 2 its answer is wrong: a row does not hold every digit once";
        pairs.push(PairRecord {
            error: Some(fault.to_owned()),
            measurement: None,
            ..pair("broken", dataset, Kind::Engine, measurement(&[1], 1, 1.0))
        });
    }
    BenchRecord {
        schema_version: SCHEMA_VERSION,
        kind: "bench".to_owned(),
        started: "2026-01-02T03:04:05Z".to_owned(),
        arguments: vec!["bench".to_owned(), "easy.txt".to_owned()],
        seed: 1,
        settings: Settings {
            rounds: 3,
            min_time_ns: 0,
            max_time_ns: 1_000_000_000,
            max_time_per_puzzle_ns: None,
            max_nodes: None,
            sample: None,
        },
        datasets: datasets.map(dataset).to_vec(),
        pairs,
        machine: machine(),
        simd_level: Some("avx2".to_owned()),
        noise: vec![
            Finding { name: "governor".to_owned(), value: "performance".to_owned(), advice: String::new() },
            Finding {
                name: "turbo".to_owned(),
                value: "on".to_owned(),
                advice: "the clock follows heat".to_owned(),
            },
        ],
        build: build(),
    }
}

fn dataset(name: &str) -> DatasetRecord {
    DatasetRecord {
        name: name.to_owned(),
        path: format!("sets/{name}"),
        sha256: "0123456789abcdef".repeat(4),
        puzzles: 2,
        malformed: 0,
    }
}

fn machine() -> Machine {
    Machine {
        cpu: "Example CPU".to_owned(),
        cores: 2,
        memory_bytes: 8 << 30,
        os: "Linux, kernel 6".to_owned(),
        architecture: "x86_64".to_owned(),
        vector_extensions: vec!["avx2".to_owned()],
    }
}

fn build() -> Build {
    Build {
        version: "0.1.0".to_owned(),
        commit: "abcdef012345".to_owned(),
        rustc: "rustc 1.95.0".to_owned(),
        target: "x86_64-unknown-linux-gnu".to_owned(),
        profile: "release".to_owned(),
        rustflags: String::new(),
    }
}

fn pair(solver: &str, dataset: &str, kind: Kind, measurement: Measurement) -> PairRecord {
    PairRecord {
        solver: solver.to_owned(),
        dataset: dataset.to_owned(),
        kind,
        max_solutions: 2,
        threads: 1,
        error: None,
        measurement: Some(measurement),
    }
}

/// A measurement of puzzles with these own times, whose passes took `share` microseconds a puzzle.
fn measurement(times_ns: &[u64], nodes: u64, share: f64) -> Measurement {
    let budgets: Budgets = "1us,1ms".parse().unwrap();
    let mut latency = Latency::new(&budgets.list);
    times_ns.iter().for_each(|&time_ns| latency.record(time_ns, true));
    let puzzles = times_ns.len() as u64;
    let elapsed_ns = (share * 1e3) as u64 * puzzles;
    let rounds = [elapsed_ns, elapsed_ns / 10 * 9, elapsed_ns / 10 * 11];
    let text = histogram_to_text(latency.histogram()).unwrap();
    let per_second = |elapsed_ns: u64| puzzles as f64 * 1e9 / elapsed_ns as f64;
    Measurement {
        puzzles,
        complete: true,
        throughput: Interval {
            median: per_second(elapsed_ns),
            low: per_second(rounds[2]),
            high: per_second(rounds[1]),
        },
        amortised_ns: share * 1e3,
        latency_ns: Some(latency.summary()),
        histogram: Some(text.clone()),
        verdict_histogram: Some(text),
        budgets: (latency.within().iter())
            .map(|within| BudgetRecord {
                label: within.budget.label(),
                limit_ns: within.budget.limit_ns(),
                within: within.puzzles,
                of: puzzles,
            })
            .collect(),
        par2: Some(Par2 { limit_ns: 1_000_000, mean_ns: latency.summary().mean }),
        statuses: vec![StatusRecord { status: "unique".to_owned(), rows: puzzles }],
        effort: Some(Effort { puzzles, nodes: nodes * puzzles, guesses: puzzles - 1, without_guess: 1 }),
        rounds: rounds.map(|elapsed_ns| RoundRecord { passes: 1, elapsed_ns }).to_vec(),
        prefixes: vec![PrefixRecord { puzzles: 1, time_ns: times_ns[0], exact: true }],
        engine: None,
        hardware: None,
        kept: Some(KeptPuzzles {
            number: (1..=puzzles).collect(),
            elapsed_ns: times_ns.to_vec(),
            nodes: vec![nodes; times_ns.len()],
            guesses: vec![1; times_ns.len()],
            statuses: "u".repeat(times_ns.len()),
        }),
    }
}
