//! The entries of the registry.

use super::{Better, Comparing, CsvGroup, Figure, FoundBy, Limit, Source, TableId, Unit, Value};
use crate::record::{Effort, EngineRecord, JudgeRecord, Measurement};
use crate::statistics::mean;

/// Makes a figure that is in no table and has no limit.
const fn figure(
    key: &'static str,
    (label, unit, better): (&'static str, Unit, Better),
    csv: &'static str,
    source: Source,
    meaning: &'static str,
) -> Figure {
    Figure {
        key,
        label,
        meaning,
        unit,
        better,
        source,
        csv,
        csv_group: CsvGroup::All,
        comparing: Comparing::SideBySide,
        limit: None,
        tables: &[],
    }
}

/// Makes a figure that is read from fields of the record.
const fn stored(
    key: &'static str,
    words: (&'static str, Unit, Better),
    csv: &'static str,
    read: fn(&Measurement) -> Option<Value>,
    meaning: &'static str,
) -> Figure {
    figure(key, words, csv, Source::Record(read), meaning)
}

/// Makes a figure that is measured during each pass. A record has the mean over all passes.
const fn of_passes(
    key: &'static str,
    words: (&'static str, Unit, Better),
    csv: &'static str,
    tables: &'static [(TableId, &'static str)],
    meaning: &'static str,
) -> Figure {
    let figure = figure(key, words, csv, Source::Readings(|passes, _| mean(passes)), meaning);
    Figure { csv_group: CsvGroup::IfKnown, tables, ..figure }
}

/// Makes a figure that is counted during each pass. A record has the mean over all puzzles of all passes.
const fn counted_per_puzzle(
    key: &'static str,
    words: (&'static str, Unit, Better),
    csv: &'static str,
    tables: &'static [(TableId, &'static str)],
    meaning: &'static str,
) -> Figure {
    let figure = figure(key, words, csv, Source::Readings(per_puzzle), meaning);
    Figure { csv_group: CsvGroup::IfKnown, tables, ..figure }
}

/// Returns the mean count per puzzle. `passes` has the count of each pass over `puzzles` puzzles. `None` if there is no pass.
pub(crate) fn per_puzzle(passes: &[f64], puzzles: u64) -> Option<f64> {
    Some(mean(passes)? / puzzles.max(1) as f64)
}

/// Makes a figure that is measured only in trials of `gate`.
const fn of_trials(
    key: &'static str,
    label: &'static str,
    limit: Option<Limit>,
    meaning: &'static str,
) -> Figure {
    Figure { limit, ..figure(key, (label, Nanoseconds, Lower), "", Source::Trials, meaning) }
}

/// Makes a limit on the rise of a figure. The limit applies only if the user sets it.
const fn rise_if_asked(name: &'static str, only_external: bool, unknown: &'static str) -> Option<Limit> {
    Some(Limit::Rise { name, default_percent: None, found_by: FoundBy::Trials { only_external, unknown } })
}

/// Makes a limit on the rise of an exact count. By default, the count must not rise at all.
const fn rise_of_count(name: &'static str) -> Option<Limit> {
    Some(Limit::Rise { name, default_percent: Some(0.0), found_by: FoundBy::Counts })
}

const fn at_most(name: &'static str) -> Option<Limit> {
    Some(Limit::AtMost { name })
}

const fn judged(figure: Figure) -> Figure {
    Figure { csv_group: CsvGroup::Judged, ..figure }
}

const fn of_forms(figure: Figure) -> Figure {
    Figure { csv_group: CsvGroup::Forms, ..figure }
}

macro_rules! latency {
    ($field:ident) => {
        |it| Some(it.latency_ns?.$field.into())
    };
}

fn effort(measurement: &Measurement, count: fn(Effort) -> Option<u64>) -> Option<Value> {
    measurement.effort.and_then(count).map(Value::Count)
}

/// Reads a figure of a process from the judge's record if there is one, otherwise from the engine's record.
fn process(
    measurement: &Measurement,
    judged: fn(&Measurement, &JudgeRecord) -> u64,
    engine: fn(&EngineRecord) -> u64,
) -> Option<Value> {
    let of_judge = measurement.judge.as_ref().map(|judge| judged(measurement, judge));
    of_judge.or_else(|| measurement.engine.as_ref().map(engine)).map(Value::Count)
}

macro_rules! judge {
    ($judge:ident, $value:expr) => {
        |it| it.judge.as_ref().map(|$judge| $value.into())
    };
}

macro_rules! spread {
    ($spread:ident, $value:expr) => {
        |it| it.spread.as_ref().map(|$spread| $value.into())
    };
}

/// Defines the figures, and the list of all of them.
macro_rules! registry {
    ($($name:ident = $figure:expr;)*) => {
        $(
            #[doc = concat!("The figure `", stringify!($name), "`.")]
            pub static $name: Figure = $figure;
        )*

        /// All figures. In each group of columns, CSV has them in this order.
        pub static FIGURES: &[&Figure] = &[$(&$name),*];
    };
}

use Better::{Higher, Lower, Neither};
use TableId::{
    Forms, JudgedSideBySide, JudgedTimes, JudgedVerdicts, Latency, Processor, Score, Search, SideBySide,
    System,
};
use Unit::{Bytes, Count, Multiple, Nanoseconds, Number, Rate, ShareOfVerdicts, SumOfVerdicts, Word};

registry! {
    PUZZLES = stored(
        "puzzles", ("puzzles", Count, Neither), "puzzles",
        |it| Some(it.puzzles.into()), "Puzzles that were measured",
    );
    COMPLETE = stored(
        "complete", ("complete", Word, Neither), "complete",
        |it| Some(Value::Flag(it.complete)), "Whether all puzzles were measured",
    );
    THROUGHPUT = Figure {
        tables: &[(SideBySide, "puzzles/s")],
        ..stored(
            "throughput", ("puzzles/s", Rate, Higher), "puzzles_per_second",
            |it| Some(it.throughput.median.into()), "Puzzles per second of wall time, median over the rounds",
        )
    };
    THROUGHPUT_LOW = stored(
        "throughput_low", ("lower bound of puzzles/s", Rate, Higher), "puzzles_per_second_low",
        |it| it.throughput_interval().map(|bounds| bounds.low.into()), "Lower bound of the 95% interval of the puzzles per second",
    );
    THROUGHPUT_HIGH = stored(
        "throughput_high", ("upper bound of puzzles/s", Rate, Higher), "puzzles_per_second_high",
        |it| it.throughput_interval().map(|bounds| bounds.high.into()), "Upper bound of the 95% interval of the puzzles per second",
    );
    AMORTISED = stored(
        "amortised", ("amortised", Nanoseconds, Lower), "amortised_ns",
        |it| Some(it.amortised_ns.into()), "Time of one core for a puzzle: wall time x threads / puzzles",
    );
    MEAN = Figure {
        limit: at_most("mean"),
        tables: &[(Latency, "mean")],
        ..stored(
            "mean", ("mean", Nanoseconds, Lower), "mean_ns",
            latency!(mean), "Mean time from the entry of a puzzle into the solver to its verdict; in `judge`, mean processor time of a run",
        )
    };
    P50 = Figure {
        limit: at_most("p50"),
        tables: &[(Latency, "p50"), (JudgedTimes, "p50"), (SideBySide, "p50"), (JudgedSideBySide, "processor time, p50")],
        ..stored("p50", ("p50", Nanoseconds, Lower), "p50_ns", latency!(p50), "Median of the times in `mean_ns`")
    };
    P90 = Figure {
        limit: at_most("p90"),
        tables: &[(Latency, "p90"), (JudgedTimes, "p90")],
        ..stored("p90", ("p90", Nanoseconds, Lower), "p90_ns", latency!(p90), "90th percentile of the times in `mean_ns`")
    };
    P99 = Figure {
        limit: at_most("p99"),
        tables: &[(Latency, "p99"), (JudgedTimes, "p99"), (SideBySide, "p99"), (JudgedSideBySide, "processor time, p99")],
        ..stored("p99", ("p99", Nanoseconds, Lower), "p99_ns", latency!(p99), "99th percentile of the times in `mean_ns`")
    };
    P99_9 = Figure {
        limit: at_most("p99.9"),
        tables: &[(Latency, "p99.9")],
        ..stored(
            "p99_9", ("p99.9", Nanoseconds, Lower), "p99_9_ns", latency!(p99_9), "99.9th percentile of the times in `mean_ns`",
        )
    };
    MAX = Figure {
        limit: at_most("max"),
        tables: &[(Latency, "max"), (JudgedTimes, "max"), (SideBySide, "max"), (JudgedSideBySide, "processor time, max")],
        ..stored("max", ("max", Nanoseconds, Lower), "max_ns", latency!(max), "Longest of the times in `mean_ns`")
    };
    PAR2 = Figure {
        tables: &[(Score, "PAR-2"), (SideBySide, "PAR-2")],
        ..stored(
            "par2", ("PAR-2", Nanoseconds, Lower), "par2_ns", |it| Some(it.par2?.mean_ns.into()),
            "Mean time of a puzzle, where a puzzle without a verdict within the limit counts as twice the limit",
        )
    };
    NODES = Figure {
        comparing: Comparing::Exactly,
        limit: rise_of_count("nodes"),
        tables: &[(Search, "nodes/puzzle"), (SideBySide, "nodes/puzzle")],
        ..stored(
            "nodes", ("nodes", SumOfVerdicts, Lower), "nodes",
            |it| effort(it, |effort| effort.nodes), "Search nodes; an engine prints this number after `nodes=`",
        )
    };
    GUESSES = Figure {
        comparing: Comparing::Exactly,
        limit: rise_of_count("guesses"),
        tables: &[(Search, "guesses/puzzle"), (SideBySide, "guesses/puzzle")],
        ..stored(
            "guesses", ("guesses", SumOfVerdicts, Lower), "guesses",
            |it| effort(it, |effort| effort.guesses), "Decisions between alternatives; an engine prints this number after `guesses=`",
        )
    };
    WITHOUT_GUESS = Figure {
        comparing: Comparing::Exactly,
        tables: &[(Search, "no guess")],
        ..stored(
            "without_guess", ("without a guess", ShareOfVerdicts, Higher), "without_guess",
            |it| effort(it, |effort| effort.without_guess), "Puzzles that got their verdict without a guess",
        )
    };
    VERDICTS = stored(
        "verdicts", ("verdicts", Count, Neither), "verdicts",
        |it| effort(it, |effort| Some(effort.puzzles)), "Puzzles with a verdict",
    );
    STARTUP_WALL = stored(
        "startup_wall", ("start-up", Nanoseconds, Lower), "startup_ns",
        |it| process(it, |_, judge| judge.startup_wall_ns, |engine| engine.startup_ns),
        "Wall time of the start-up of an engine or program",
    );
    TRIAL_TIME = of_trials(
        "trial_time", "time",
        Some(Limit::Rise {
            name: "time",
            default_percent: Some(5.0),
            found_by: FoundBy::Trials { only_external: false, unknown: "" },
        }),
        "Processor time of a pass in paired trials; if it is unknown, the wall time",
    );
    TRIAL_WALL = of_trials(
        "trial_wall", "wall time",
        rise_if_asked("wall", true, "its wall time is unknown: leave out the limit of wall"),
        "Wall time of a run of an engine or program in paired trials",
    );
    CPU = Figure {
        tables: &[(SideBySide, "processor time")],
        ..stored(
            "cpu", ("processor time", Nanoseconds, Lower), "cpu_ns",
            |it| process(
                it,
                |it, judge| (judge.cpu_ns.mean * it.puzzles as f64).round() as u64,
                |engine| engine.cpu_ns,
            ),
            "Processor time of a pass of an engine or program, user and system",
        )
    };
    PEAK_MEMORY = Figure {
        limit: rise_if_asked(
            "memory", true,
            "its peak memory is unknown, because it is below the peak memory of the process that starts the program, or because the system \
             does not report peak memory: leave out the limit of memory",
        ),
        tables: &[(SideBySide, "peak memory"), (JudgedVerdicts, "peak memory"), (JudgedSideBySide, "peak memory")],
        ..stored(
            "peak_memory", ("peak memory", Bytes, Lower), "peak_memory_bytes",
            |it| process(it, |_, judge| judge.peak_memory_bytes, |engine| engine.peak_memory_bytes),
            "Largest resident set of an engine or program",
        )
    };
    TRIAL_STARTUP = of_trials(
        "trial_startup", "start-up",
        rise_if_asked(
            "startup", true, "a start-up did not end in time, or its time is unknown: leave out the limit of startup",
        ),
        "Processor time of the start-up of an engine in paired trials",
    );
    CYCLES = Figure {
        tables: &[(Processor, "cycles/puzzle")],
        ..stored(
            "cycles", ("cycles", Number, Lower), "cycles_per_puzzle",
            |it| Some(it.hardware?.cycles_per_puzzle.into()), "Cycles for a puzzle in user mode",
        )
    };
    INSTRUCTIONS = Figure {
        limit: rise_if_asked(
            "instructions", false,
            "the kernel counts no instructions here: leave out the limit, or use a machine where `sudobench doctor` finds counters",
        ),
        tables: &[(Processor, "instructions/puzzle")],
        ..stored(
            "instructions", ("instructions", Number, Lower), "instructions_per_puzzle",
            |it| Some(it.hardware?.instructions_per_puzzle.into()), "Instructions for a puzzle in user mode",
        )
    };
    ROUNDS = stored(
        "rounds", ("rounds", Count, Neither), "rounds",
        |it| Some((it.rounds.len() as u64).into()), "Rounds that were measured",
    );
    PROBLEM = judged(stored(
        "problem", ("problem", Word, Neither), "problem",
        judge!(it, it.problem.as_str()), "The problem of the judge",
    ));
    LANGUAGE = judged(stored(
        "language", ("language", Word, Neither), "language",
        judge!(it, it.language.as_str()), "Language that decides the limits of a program",
    ));
    TIME_LIMIT = judged(stored(
        "time_limit", ("time limit", Nanoseconds, Neither), "time_limit_ns",
        judge!(it, it.time_limit_ns), "Limit of processor time of a program",
    ));
    MEMORY_LIMIT = judged(stored(
        "memory_limit", ("memory limit", Bytes, Neither), "memory_limit_bytes",
        judge!(it, it.memory_limit_bytes), "Memory limit of a program",
    ));
    VERDICT = judged(stored(
        "verdict", ("verdict", Word, Neither), "verdict",
        judge!(it, it.verdict.letters()), "The worst verdict of all puzzles",
    ));
    STARTUP_CPU = judged(stored(
        "startup_cpu", ("start-up", Nanoseconds, Lower), "startup_cpu_ns",
        judge!(it, it.startup_cpu_ns), "Processor time of a program on a solved board",
    ));
    WALL_P50 = judged(Figure {
        tables: &[(JudgedTimes, "wall p50")],
        ..stored(
            "wall_p50", ("wall p50", Nanoseconds, Lower), "wall_p50_ns",
            judge!(it, it.wall_ns.p50), "Median wall time of a run of a program",
        )
    });
    WALL_MAX = judged(Figure {
        tables: &[(JudgedTimes, "wall max")],
        ..stored(
            "wall_max", ("wall max", Nanoseconds, Lower), "wall_max_ns",
            judge!(it, it.wall_ns.max), "Longest wall time of a run of a program",
        )
    });
    TIMED_AGAIN = judged(stored(
        "timed_again", ("timed again", Count, Neither), "timed_again",
        judge!(it, it.timed_again), "Puzzles whose time was near a limit or a budget, so that they were timed again alone",
    ));
    SPREAD_OF = of_forms(stored(
        "spread_of", ("by", Word, Neither), "spread_of",
        spread!(it, it.of.name()), "What differs between the forms: `time` or `nodes`",
    ));
    SPREAD_PUZZLES = of_forms(Figure {
        tables: &[(Forms, "puzzles")],
        ..stored(
            "spread_puzzles", ("puzzles in all forms", Count, Neither), "spread_puzzles",
            spread!(it, it.puzzles), "Puzzles measured in all forms, with a verdict in at least one",
        )
    });
    SPREAD_GIVEN_UP = of_forms(stored(
        "spread_given_up", ("given up", Count, Neither), "spread_given_up",
        spread!(it, it.given_up), "Puzzles with an aborted form",
    ));
    SPREAD_MEDIAN = of_forms(Figure {
        tables: &[(Forms, "median")],
        ..stored(
            "spread_median", ("median spread", Multiple, Lower), "spread_median",
            spread!(it, it.median), "Median over the puzzles of this ratio: largest value of a form / smallest value of a form",
        )
    });
    SPREAD_P90 = of_forms(Figure {
        tables: &[(Forms, "p90")],
        ..stored(
            "spread_p90", ("p90 of spreads", Multiple, Lower), "spread_p90",
            spread!(it, it.p90), "90th percentile of the ratios in `spread_median`",
        )
    });
    SPREAD_MAX = of_forms(Figure {
        tables: &[(Forms, "max")],
        ..stored(
            "spread_max", ("largest spread", Multiple, Lower), "spread_max",
            spread!(it, it.max), "Largest of the ratios in `spread_median`",
        )
    });
    SPREAD_WIDEST = of_forms(Figure {
        tables: &[(Forms, "puzzle of max")],
        ..stored(
            "spread_widest", ("puzzle with the largest spread", Count, Neither), "spread_widest",
            spread!(it, it.widest), "Number of the puzzle with the largest ratio",
        )
    });
    PAGE_FAULTS = of_passes(
        "page_faults", ("page faults/pass", Number, Lower), "page_faults_per_pass",
        &[(System, "page faults/pass"), (SideBySide, "page faults/pass")],
        "Page faults of a pass, mean over all passes; for an engine those of the whole program",
    );
    CONTEXT_SWITCHES = of_passes(
        "context_switches", ("context switches/pass", Number, Lower), "context_switches_per_pass",
        &[(System, "context switches/pass"), (SideBySide, "context switches/pass")],
        "Context switches of a pass (preemptions and waits), mean over all passes",
    );
    BRANCH_MISSES = counted_per_puzzle(
        "branch_misses", ("branch misses", Number, Lower), "branch_misses_per_puzzle",
        &[(Processor, "branch misses/puzzle")], "Wrongly predicted branches for a puzzle in user mode",
    );
    THROUGHPUT_WITHOUT_STARTUP = Figure {
        csv_group: CsvGroup::IfKnown,
        ..stored(
            "throughput_without_startup", ("without start-up", Rate, Higher), "puzzles_per_second_without_startup",
            |it| it.throughput_without_startup().map(Value::Number),
            "Puzzles per second of an engine or program without its median start-up",
        )
    };
    CHECKED = Figure {
        csv_group: CsvGroup::IfKnown,
        ..stored(
            "checked", ("answers checked", Count, Higher), "answers_checked",
            |it| Some(it.checked?.answers.into()), "Answers that were checked before anything was timed",
        )
    };
}
