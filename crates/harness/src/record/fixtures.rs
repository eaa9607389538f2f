//! Records with invented measurements, for tests of code that reads records.

use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use sudobench_rows::verbs::ScoreOptions;
use sudobench_rows::{Budgets, CellErrorSums, Latency, Scores, Tally};
use sudobench_sudoku::score::Score;
use sudobench_sudoku::{Puzzle, solve};

use super::*;
use crate::statistics::Interval;

/// Returns a record of four solvers on two datasets: `quick` is the best on both, `steady` is a slower batch solver, `naive` ran out of
/// time, and `broken` answered wrongly.
pub(crate) fn bench_record() -> BenchRecord {
    // The record is made only once, because many tests use it, and its histograms take long to make.
    static RECORD: LazyLock<BenchRecord> = LazyLock::new(new_bench_record);
    RECORD.clone()
}

fn new_bench_record() -> BenchRecord {
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
            wrong: Some(wrong_answers()),
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
            runs: None,
            min_time_ns: 0,
            max_time_ns: 1_000_000_000,
            max_time_per_puzzle_ns: None,
            max_nodes: None,
            sample: None,
            isomorphs: None,
            fresh_forms: false,
        },
        interrupted: false,
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
        leaderboard: None,
    }
}

/// Returns a contest of the solvers of [`bench_record`] on its datasets.
pub(crate) fn contest() -> Contest {
    let contestant = |name: &str| ContestantSpec {
        name: name.to_owned(),
        command: None,
        protocol: None,
        answers: None,
        version: Some("1.0".to_owned()),
        licence: Some("MIT".to_owned()),
        language: None,
        compiler: None,
        link: None,
        note: None,
    };
    let set = |name: &str| ContestSet {
        name: name.to_owned(),
        file: format!("sets/{name}"),
        sha256: dataset(name).sha256,
        source: None,
    };
    Contest {
        title: "Made up".to_owned(),
        date: None,
        author: None,
        link: None,
        note: None,
        rules: Rules::default(),
        sets: ["easy.txt", "hard.txt"].map(set).to_vec(),
        contestants: ["quick", "steady", "naive", "broken"].map(contestant).to_vec(),
    }
}

/// Returns the leaderboard of [`contest`], with the measurements of [`bench_record`].
pub(crate) fn leaderboard_record() -> BenchRecord {
    let measured = bench_record();
    let now = BenchRecord { datasets: Vec::new(), pairs: Vec::new(), ..measured.clone() };
    let mut record = crate::new_leaderboard(now, contest(), std::collections::BTreeMap::new());
    crate::add_to_leaderboard(&mut record, measured, Some(250.0));
    record
}

/// Returns a record of two wrong answers, which names only one of them.
fn wrong_answers() -> WrongAnswers {
    let wrong = WrongAnswer {
        puzzle: NamedPuzzle { number: 2, form: None, line: 3, puzzle: format!("12{}", ".".repeat(79)) },
        answer: "1".repeat(81),
        reason: "is wrong: a row does not hold every digit once".to_owned(),
    };
    WrongAnswers { answers: 2, of: 2, first: vec![wrong] }
}

/// Like [`bench_record`], but only one puzzle of each dataset was measured, in two forms. Two solvers have a spread over the forms. The
/// spread of `quick` compares times. The spread of `steady` compares nodes, and at least one form was aborted.
pub(crate) fn forms_record() -> BenchRecord {
    let mut record = bench_record();
    (record.settings.sample, record.settings.isomorphs) = (Some(1), Some(2));
    for pair in &mut record.pairs {
        let Some(measurement) = &mut pair.measurement else { continue };
        let spread = SpreadRecord {
            of: Amount::Time,
            puzzles: 1,
            given_up: 0,
            median: 3.0,
            p90: 3.0,
            max: 3.0,
            widest: 1,
            least: 500,
            most: 1_500,
        };
        measurement.spread = match pair.solver.as_str() {
            "quick" => Some(spread),
            "steady" => Some(SpreadRecord { of: Amount::Nodes, given_up: 1, ..spread }),
            _ => None,
        };
        if let Some(kept) = &mut measurement.kept {
            (kept.number, kept.form) = (vec![1, 1], vec![1, 2]);
        }
    }
    record
}

/// Returns a record of `judge` with two programs on four puzzles: `quick` is accepted; `slow` is wrong on the third puzzle and too slow on
/// the fourth.
pub(crate) fn judge_record() -> BenchRecord {
    // Made only once, like `bench_record`.
    static RECORD: LazyLock<BenchRecord> = LazyLock::new(new_judge_record);
    RECORD.clone()
}

fn new_judge_record() -> BenchRecord {
    const ACCEPTED: Verdict = Verdict::Accepted;
    let quick = [3_000_000, 5_000_000, 40_000_000, 90_000_000].map(|cpu_ns| (cpu_ns, ACCEPTED));
    let slow = [
        (210_000_000, ACCEPTED),
        (420_000_000, ACCEPTED),
        (250_000_000, Verdict::WrongAnswer),
        (3_010_000_000, Verdict::TimeLimit),
    ];
    let program = |name: &str, judge| pair(name, "easy.txt", Kind::Program, judge);
    let pairs = vec![
        program("quick", judged("cpp", 1_000_000_000, &quick)),
        program("slow", judged("java", 3_000_000_000, &slow)),
    ];
    let bench = bench_record();
    BenchRecord {
        kind: "judge".to_owned(),
        arguments: vec!["judge".to_owned(), "easy.txt".to_owned()],
        settings: Settings { rounds: 1, ..bench.settings },
        datasets: vec![DatasetRecord { puzzles: 4, ..dataset("easy.txt") }],
        pairs: pairs.into_iter().map(|pair| PairRecord { max_solutions: 1, ..pair }).collect(),
        ..bench
    }
}

/// Makes the measurement of a judged program. `runs` has the processor time and the verdict of the program's run on each puzzle.
fn judged(language: &str, time_limit_ns: u64, runs: &[(u64, Verdict)]) -> Measurement {
    let words = |verdict| match verdict {
        Verdict::WrongAnswer => "row 1 has 5 twice",
        Verdict::TimeLimit => "processor time over 3.00 s",
        _ => "",
    };
    let judged = || (1..).zip(runs).map(|(number, &(cpu_ns, verdict))| (number, cpu_ns, verdict));
    let wall_ns = |cpu_ns: u64| cpu_ns + 2_000_000;
    let count = |of: Verdict| runs.iter().filter(|(_, verdict)| *verdict == of).count() as u64;
    let mut slowest: Vec<SlowRecord> = judged()
        .map(|(number, cpu_ns, verdict)| SlowRecord { number, verdict, cpu_ns, wall_ns: wall_ns(cpu_ns) })
        .collect();
    slowest.sort_by_key(|slow| std::cmp::Reverse(slow.cpu_ns));
    let (mut cpu, mut wall) = (Latency::new(&[]), Latency::new(&[]));
    let mut accepted = Latency::new(&"boj2580".parse::<Budgets>().unwrap().list);
    for (_, cpu_ns, verdict) in judged() {
        cpu.record(cpu_ns, true);
        wall.record(wall_ns(cpu_ns), true);
        if verdict == Verdict::Accepted {
            accepted.record(cpu_ns, true);
        }
    }
    let failures = judged().filter(|(.., verdict)| *verdict != Verdict::Accepted);
    let failures = failures.map(|(number, _, verdict)| FailureRecord {
        line: Some(number + 1),
        puzzle: Some(format!("12{}", ".".repeat(79))),
        reference_calls: (verdict == Verdict::TimeLimit).then_some(5_200_345),
        number,
        verdict,
        words: words(verdict).to_owned(),
    });
    let verdicts: Vec<VerdictRecord> = [Verdict::Accepted, Verdict::WrongAnswer, Verdict::TimeLimit]
        .map(|verdict| VerdictRecord { verdict, puzzles: count(verdict) })
        .into_iter()
        .filter(|counted| counted.puzzles > 0)
        .collect();
    let judge = JudgeRecord {
        problem: "boj2580".to_owned(),
        language: language.to_owned(),
        time_limit_ns,
        wall_limit_ns: 3 * time_limit_ns + 1_000_000_000,
        memory_limit_bytes: 256 << 20,
        output_limit_bytes: 64 << 10,
        held_by: "rlimits, resident memory watched".to_owned(),
        jobs: 1,
        verdict: runs.iter().map(|&(_, verdict)| verdict).max().unwrap(),
        verdicts,
        failures: failures.collect(),
        startup_cpu_ns: 1_000_000,
        startup_wall_ns: 1_500_000,
        cpu_ns: cpu.summary(),
        wall_ns: wall.summary(),
        peak_memory_bytes: 3_500 << 10,
        slowest,
        timed_again: u64::from(count(Verdict::TimeLimit) > 0),
    };
    let puzzles = runs.len() as u64;
    let elapsed_ns: u64 = judged().map(|(_, cpu_ns, _)| wall_ns(cpu_ns)).sum();
    let per_second = puzzles as f64 * 1e9 / elapsed_ns as f64;
    let text = |latency: &Latency| histogram_to_text(latency.histogram()).unwrap();
    let times_ns: Vec<u64> = runs.iter().map(|&(cpu_ns, _)| cpu_ns).collect();
    let statuses = [("solved", count(Verdict::Accepted)), ("aborted", judge.failed())];
    let statuses = statuses.map(|(status, rows)| StatusRecord { status: status.to_owned(), rows });
    let letter = |(_, verdict): &(u64, Verdict)| if *verdict == Verdict::Accepted { 's' } else { 'a' };
    Measurement {
        throughput: Interval { median: per_second, low: per_second, high: per_second },
        amortised_ns: 1e9 / per_second,
        latency_ns: Some(cpu.summary()),
        histogram: Some(text(&cpu)),
        verdict_histogram: Some(text(&accepted)),
        budgets: budget_records(&accepted, puzzles),
        par2: None,
        statuses: statuses.into_iter().filter(|status| status.rows > 0).collect(),
        effort: None,
        rounds: vec![RoundRecord { passes: 1, elapsed_ns, cpu_ns: 0 }],
        out_of_time: false,
        one_by_one: None,
        slowest: Vec::new(),
        prefixes: vec![PrefixRecord { puzzles, time_ns: times_ns.iter().sum(), exact: true, given_up: 0 }],
        engine: Some(EngineRecord {
            command: format!("./{language} --fast"),
            protocol: None,
            startup_ns: judge.startup_wall_ns,
            cpu_ns: times_ns.iter().sum(),
            peak_memory_bytes: judge.peak_memory_bytes,
            answers: None,
        }),
        kept: Some(KeptPuzzles {
            number: (1..=puzzles).collect(),
            form: Vec::new(),
            elapsed_ns: times_ns.clone(),
            nodes: Vec::new(),
            guesses: Vec::new(),
            statuses: runs.iter().map(letter).collect(),
        }),
        judge: Some(judge),
        ..measurement(&times_ns, 1, 1.0)
    }
}

/// Returns the entry of a run in a history, with the counts and the times of one pair. `run` is the number of the run and determines its
/// commit and its start.
pub(crate) fn history_entry(run: u64) -> HistoryEntry {
    let interval = Interval { median: 1_000.0, low: 990.0, high: 1_020.0 };
    HistoryEntry {
        schema_version: HISTORY_SCHEMA_VERSION,
        kind: "history".to_owned(),
        started: format!("2026-01-02T03:{:02}:{:02}Z", run / 60, run % 60),
        commit: Some(format!("{:08x}", run * 0x1111_1111).repeat(5)),
        subject: Some(format!("change {run}")),
        machine: machine(),
        simd_level: "avx2".to_owned(),
        version: "0.1.0".to_owned(),
        pairs: vec![HistoryPair {
            solver: "quick".to_owned(),
            dataset: "easy.txt".to_owned(),
            terms: "max_solutions=2 max_nodes=- seed=1".to_owned(),
            sha256: Some("0123456789abcdef".repeat(4)),
            puzzles: Some(2),
            simd: None,
            nodes: Some(51),
            guesses: Some(1),
            digest: Some("5a1e".to_owned()),
            ratio: None,
            counters: std::collections::BTreeMap::new(),
            time_ns: Some(TimeRecord { interval, rounds: 5 }),
            figures: std::collections::BTreeMap::new(),
        }],
    }
}

fn dataset(name: &str) -> DatasetRecord {
    DatasetRecord {
        name: name.to_owned(),
        path: format!("sets/{name}"),
        sha256: "0123456789abcdef".repeat(4),
        puzzles: 2,
        malformed: 0,
        unsolvable: 0,
        beyond_problem: 0,
        reference_ns: None,
        fingerprint: Some(Fingerprint { clues_min: 17, clues_max: 30, solved: 2, unique: 2, by_singles: 1 }),
    }
}

/// Returns a record of `score` with two predictions for a puzzle with two blanks. The first prediction is right; the second has a wrong
/// digit in the second cell. Each prediction is in its own bucket, and the name of one bucket looks like an HTML tag.
pub(crate) fn score_record() -> RowsRecord {
    let solution = *solve(&Puzzle::EMPTY).solution.unwrap().values();
    let mut clues = solution;
    clues[..2].fill(0);
    let puzzle = Puzzle::try_from(clues).unwrap();
    let (mut scores, mut cells) = (Scores::default(), CellErrorSums::default());
    for (level, wrong) in [("<b>", None), ("gentle", Some(1))] {
        let mut prediction = solution;
        wrong.into_iter().for_each(|cell: usize| prediction[cell] = solution[80]);
        let right = solution.try_into().unwrap();
        let score = Score::new(&puzzle, &Puzzle::try_from(prediction).unwrap(), Some(&right));
        scores.all.add_score(&score);
        scores.buckets.entry(level.to_owned()).or_default().add_score(&score);
        cells.add(&puzzle, &std::array::from_fn(|cell| wrong == Some(cell)));
    }
    scores.cells = cells.finish();
    let options = ScoreOptions { bucket_by: Some("level".to_owned()), ..ScoreOptions::default() };
    let run = RunSetup {
        arguments: vec!["score".to_owned(), "<i>.csv".to_owned()],
        threads: 1,
        inputs: vec![InputRecord { path: "<i>.csv".to_owned(), bytes: 400, sha256: None }],
        interrupted: false,
        machine: machine(),
        simd_level: None,
        build: build(),
        shards: Vec::new(),
    };
    let setup = RowsSetup { run, command: "score".to_owned(), bucket_by: options.bucket_by.clone() };
    RowsRecord {
        scores: Some(ScoresRecord::new(&scores, &options)),
        ..RowsRecord::new(setup, &[], &Tally::default(), SystemTime::UNIX_EPOCH, Duration::ZERO)
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
        smallest: false,
        threads: 1,
        error: None,
        wrong: None,
        measurement: Some(measurement),
    }
}

/// Makes a measurement of as many puzzles as `times_ns` has values. Each value is the time of a single puzzle. There are three rounds of
/// one pass each. The first round took `share` microseconds per puzzle, the second 10% less, the third 10% more.
fn measurement(times_ns: &[u64], nodes: u64, share: f64) -> Measurement {
    let budgets: Budgets = "1us,1ms".parse().unwrap();
    let mut latency = Latency::new(&budgets.list);
    times_ns.iter().for_each(|&time_ns| latency.record(time_ns, true));
    let puzzles = times_ns.len() as u64;
    let elapsed_ns = (share * 1e3) as u64 * puzzles;
    let rounds = [elapsed_ns, elapsed_ns / 10 * 9, elapsed_ns / 10 * 11];
    let text = histogram_to_text(latency.histogram()).unwrap();
    let per_second = |elapsed_ns: u64| puzzles as f64 * 1e9 / elapsed_ns as f64;
    let prefix = |puzzles: usize| PrefixRecord {
        puzzles: puzzles as u64,
        time_ns: times_ns[..puzzles].iter().sum(),
        exact: true,
        given_up: 0,
    };
    let lengths: std::collections::BTreeSet<usize> = [1, times_ns.len()].into();
    const PAR2_LIMIT_NS: u64 = 1_000_000;
    let score =
        |&time_ns: &u64| if time_ns <= PAR2_LIMIT_NS { time_ns as f64 } else { 2.0 * PAR2_LIMIT_NS as f64 };
    Measurement {
        puzzles,
        complete: true,
        checked: None,
        throughput: Interval {
            median: per_second(elapsed_ns),
            low: per_second(rounds[2]),
            high: per_second(rounds[1]),
        },
        amortised_ns: share * 1e3,
        latency_ns: Some(latency.summary()),
        histogram: Some(text.clone()),
        verdict_histogram: Some(text),
        budgets: budget_records(&latency, puzzles),
        par2: Some(Par2 {
            limit_ns: PAR2_LIMIT_NS,
            mean_ns: times_ns.iter().map(score).sum::<f64>() / puzzles as f64,
        }),
        statuses: vec![StatusRecord { status: "unique".to_owned(), rows: puzzles }],
        effort: Some(Effort {
            puzzles,
            nodes: Some(nodes * puzzles),
            guesses: Some(puzzles - 1),
            without_guess: Some(1),
        }),
        out_of_time: false,
        one_by_one: None,
        slowest: Vec::new(),
        rounds: rounds.map(|elapsed_ns| RoundRecord { passes: 1, elapsed_ns, cpu_ns: 0 }).to_vec(),
        prefixes: lengths.into_iter().map(prefix).collect(),
        engine: None,
        hardware: None,
        runs: Vec::new(),
        spread: None,
        judge: None,
        figures: std::collections::BTreeMap::new(),
        kept: Some(KeptPuzzles {
            number: (1..=puzzles).collect(),
            form: Vec::new(),
            elapsed_ns: times_ns.to_vec(),
            nodes: vec![nodes; times_ns.len()],
            guesses: (0..times_ns.len()).map(|at| u64::from(at > 0)).collect(),
            statuses: "u".repeat(times_ns.len()),
        }),
    }
}

fn budget_records(latency: &Latency, of: u64) -> Vec<BudgetRecord> {
    let within = latency.within().iter();
    within
        .map(|within| BudgetRecord {
            label: within.budget.label(),
            limit_ns: within.budget.limit_ns(),
            within: within.puzzles,
            of,
        })
        .collect()
}

/// Returns a record of two commands that were measured, one of which has markup in its name, and of one command that failed.
pub(crate) fn commands_record() -> CommandsRecord {
    let result = |name: &str, times: [f64; 3], ratio: Option<Interval>| CommandResult {
        command: format!("./run {name}"),
        name: name.to_owned(),
        mean: times.iter().sum::<f64>() / 3.0,
        stddev: Some(0.5),
        median: times[1],
        user: 0.75 * times[1],
        system: 0.125,
        min: times[0],
        max: times[2],
        times: times.to_vec(),
        exit_codes: vec![0; 3],
        memory_usage_byte: ratio.map(|_| vec![3 << 20, 4 << 20, 3 << 20]),
        median_interval: Interval { median: times[1], low: times[0], high: times[2] },
        ratio,
    };
    let ratio = Interval { median: 2.0, low: 1.75, high: 2.5 };
    CommandsRecord {
        schema_version: SCHEMA_VERSION,
        kind: COMMANDS.to_owned(),
        started: "2026-01-02T03:04:05Z".to_owned(),
        arguments: vec!["bench".to_owned()],
        seed: 1,
        settings: CommandsSettings { rounds: 3, min_time_ns: 0, max_time_ns: 1, prepare: None },
        interrupted: true,
        results: vec![
            result("<b>slow", [2.0, 2.5, 3.0], Some(ratio)),
            result("fast", [1.0, 1.25, 1.5], None),
        ],
        failures: vec![CommandFailure {
            command: "./run c".to_owned(),
            name: "c".to_owned(),
            error: "`./run` ended with exit status: 3".to_owned(),
        }],
        machine: machine(),
        noise: Vec::new(),
        build: build(),
    }
}

/// Returns a record in which two of the 1,000 rows of `test` overlap with `train`: one has an isomorphic puzzle in `train`, the other only
/// an isomorphic solution. 5 rows of `train` and 3 rows of `test` are malformed or do not have exactly one solution.
pub(crate) fn overlap_record() -> OverlapRecord {
    let rows = |rows, malformed, unique| DatasetRowsRecord {
        inputs: vec![InputRecord { path: "a.csv".to_owned(), bytes: 82 * rows, sha256: None }],
        rows,
        malformed,
        unique: Some(unique),
    };
    let counts = [("text", 0, 0, 11_990), ("isomorph", 1, 1, 11_900), ("solution", 0, 0, 9_000)];
    let counts = counts.into_iter().chain([("solution_isomorph", 2, 1, 8_900)]);
    OverlapRecord {
        schema_version: SCHEMA_VERSION,
        kind: "overlap".to_owned(),
        started: "2026-01-02T03:04:05Z".to_owned(),
        arguments: ["overlap", "a.csv", "--with", "b.csv"].map(str::to_owned).to_vec(),
        threads: 2,
        train: rows(12_000, 4, 11_995),
        test: rows(1_000, 1, 997),
        overlaps: counts
            .map(|(overlap, rows, strongest, distinct_in_train)| OverlapCountRecord {
                overlap: overlap.to_owned(),
                rows,
                strongest,
                distinct_in_train,
            })
            .collect(),
        overlapping: 2,
        interrupted: false,
        wall_ns: 1_250_000_000,
        machine: machine(),
        build: build(),
    }
}
