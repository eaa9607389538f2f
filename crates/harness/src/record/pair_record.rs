//! A stored pair of a bench record: a solver on a dataset.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sudobench_rows::LatencySummary;

use super::JudgeRecord;
use super::forms::{PuzzleName, SpreadRecord};
use super::run_record::{BudgetRecord, StatusRecord};
use super::{OneByOneRecord, OneByOneTimes, SlowPuzzle, WrongAnswers};
use crate::statistics::{Interval, median};

/// One solver on one dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// The name of the built-in solver, engine or program.
    pub solver: String,
    /// The dataset's name.
    pub dataset: String,
    /// The way in which the solver takes puzzles.
    pub kind: Kind,
    /// For each puzzle, the search of a built-in solver stopped after this number of solutions. 1 in a record of `judge`.
    pub max_solutions: u64,
    /// Whether the solver had to find the smallest solution: of all solutions, the first in the order of their 81 digits. `max_solutions`
    /// is 1 then.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub smallest: bool,
    /// Number of threads of the solver. 1 for an engine, even if the engine starts several threads.
    pub threads: usize,
    /// Reason why there is no measurement.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// The wrong answers, if they are the reason why there is no measurement.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wrong: Option<WrongAnswers>,
    /// The measurement. In JSON, its fields are on the same level as the other fields of the pair.
    #[serde(flatten)]
    pub measurement: Option<Measurement>,
}

/// The way in which a solver takes puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// One puzzle at a time.
    Single,
    /// Many puzzles at once. A puzzle waits for its batch, so its latency is longer than the time of the batch divided by the number of
    /// puzzles.
    Batch,
    /// All puzzles in one other process (an engine). The times of single puzzles in a pass are unknown.
    Engine,
    /// A process for each puzzle (a program). The time of a puzzle is the wall time of its process from start to end; in a record of
    /// `judge`, its processor time.
    Program,
}

impl Kind {
    /// Returns the name of this kind in records and tables.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Describes in which processes the solver runs.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Kind::Single | Kind::Batch => "inside this program",
            Kind::Engine => "one process for all puzzles",
            Kind::Program => "one process for each puzzle",
        }
    }

    pub(crate) fn is_external(self) -> bool {
        matches!(self, Kind::Engine | Kind::Program)
    }
}

/// The kind of answers of a solver.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum AnswerKind {
    /// Any solution, even if there are several.
    Any,
    /// The smallest solution. Only built-in solvers can be asked for it.
    #[serde(skip)]
    Smallest,
    /// The solution if the puzzle has only one, and no solution if it has several.
    Unique,
    /// Only the number of solutions, not the solutions themselves.
    Count,
}

impl AnswerKind {
    /// Returns the name of this kind in records and tables.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl FromStr for AnswerKind {
    type Err = String;

    fn from_str(text: &str) -> Result<AnswerKind, String> {
        let kinds = [AnswerKind::Any, AnswerKind::Unique, AnswerKind::Count];
        let found = kinds.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| "write any, unique or count, or NAME=KIND for one engine".to_owned())
    }
}

/// The kind of answers of an engine, and whether the stated kind is true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswersRecord {
    /// The kind of the engine's answers.
    pub kind: AnswerKind,
    /// The kind that `--engine-answers` states, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stated: Option<AnswerKind>,
    /// Reason why the stated kind is wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<String>,
}

/// The measurement of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Number of measured puzzles. They are the first puzzles of the seeded permutation.
    pub puzzles: u64,
    /// Whether all planned puzzles were measured. False, for example, if the time of the pair ran out.
    pub complete: bool,
    /// Number of answers that were checked before the timing. Absent in older records, and in records of `judge`, which checks all answers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub checked: Option<CheckedRecord>,
    /// Puzzles per second of wall time: the median over the rounds with its bootstrap interval.
    pub throughput: Interval,
    /// Core time per puzzle: wall time x threads / puzzles, median over the rounds.
    pub amortised_ns: f64,
    /// Times of all timed solves, each from the call to the verdict. In a record of `judge`, the processor time of each puzzle (the median
    /// of its runs). Absent for engines.
    pub latency_ns: Option<LatencySummary>,
    /// The histogram of the times in `latency_ns`: base64 of HdrHistogram's V2 encoding, deflated.
    pub histogram: Option<String>,
    /// Histogram of the times of the puzzles with a verdict (in a record of `judge`: of the accepted puzzles). The time of a puzzle is its
    /// median over the rounds. Absent for engines.
    pub verdict_histogram: Option<String>,
    /// For each budget, the exact number of puzzles that have a verdict (in a record of `judge`: that were accepted) and whose time (the
    /// median over the rounds) is within the budget. Empty for engines.
    pub budgets: Vec<BudgetRecord>,
    /// Mean of the times of single puzzles (each time is a median over the rounds). A puzzle without a verdict within the limit (in a
    /// record of `judge`: a puzzle that was not accepted) counts as twice the limit.
    pub par2: Option<Par2>,
    /// Times of an engine's answers when the engine gets one puzzle at a time, or the reason why these times are unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub one_by_one: Option<OneByOneRecord>,
    /// The slowest puzzles, the slowest first; for an engine, only puzzles that it got one at a time. Absent if single puzzles have no
    /// times of their own, as for batch solvers; also absent in records of `judge`, of leaderboards and of older versions.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub slowest: Vec<SlowPuzzle>,
    /// Number of puzzles for each status. In a record of `judge`: `solved` for the accepted puzzles, `aborted` for all others.
    pub statuses: Vec<StatusRecord>,
    /// Nodes and guesses of the searches, summed over the puzzles with a verdict. Absent for programs, and for engines that don't print
    /// counts.
    pub effort: Option<Effort>,
    /// The rounds in order.
    pub rounds: Vec<RoundRecord>,
    /// All runs in order, if the measurement was repeated. The other fields come from the run with the median throughput.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub runs: Vec<RunOfPair>,
    /// Whether there are fewer rounds than planned because the time of the pair ran out.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub out_of_time: bool,
    /// Times for the first puzzles of the permutation, to compare pairs that reached different numbers of puzzles. There is an entry for
    /// each number of puzzles that a pair of the dataset reached, up to the number that this pair reached. For example, if the pairs
    /// reached 100, 250 and 400 puzzles, the pair that reached 250 has entries for 100 and for 250 puzzles.
    pub prefixes: Vec<PrefixRecord>,
    /// Command and use of resources of an engine or a program.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub engine: Option<EngineRecord>,
    /// Counters of the processor, if the kernel provides them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hardware: Option<HardwareRecord>,
    /// Ratios of the largest to the smallest time (or number of nodes) among the forms of a puzzle, if each puzzle was measured in several
    /// equivalent forms. Absent for engines.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub spread: Option<SpreadRecord>,
    /// The judge's verdicts on a program.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub judge: Option<JudgeRecord>,
    /// Figures that have no field of their own, by their keys in the registry. Records of later versions may have more figures.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub figures: BTreeMap<String, f64>,
    /// The results of every single puzzle, if requested.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub kept: Option<KeptPuzzles>,
}

/// Number of answers that were checked before anything was timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedRecord {
    /// Number of checked answers.
    pub answers: u64,
    /// Number of planned puzzles. Each form of a puzzle counts as one.
    pub of: u64,
}

/// PAR-2 (penalised average run time with factor 2), the score of solver competitions: the mean time, in which an unsolved puzzle counts as
/// twice the limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Par2 {
    /// The time limit of a puzzle. If there was no limit, the longest of the measurement's time budgets. In a record of `judge`, the time
    /// limit of the program.
    pub limit_ns: u64,
    /// The score.
    pub mean_ns: f64,
}

impl Par2 {
    /// Returns the score of `puzzles` puzzles. The puzzles with a time in `in_time_ns` were solved within the limit. The others count as
    /// twice the limit.
    pub(crate) fn new(limit_ns: u64, in_time_ns: impl Iterator<Item = u64>, puzzles: usize) -> Par2 {
        let (solved, total) =
            in_time_ns.fold((0, 0.0), |(solved, total), ns| (solved + 1, total + ns as f64));
        let missed = puzzles.saturating_sub(solved) as f64;
        Par2 { limit_ns, mean_ns: (total + missed * 2.0 * limit_ns as f64) / puzzles.max(1) as f64 }
    }
}

/// Exact counts of searches. An engine prints its own counts, and may print only one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Number of puzzles with a verdict; for an engine, only those with a printed count. The other counts are over these puzzles only.
    pub puzzles: u64,
    /// Number of search nodes, as the solver or engine counts them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
    /// Number of guesses (decisions between alternatives), as the solver or engine counts them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub guesses: Option<u64>,
    /// Number of puzzles that got their verdict without a guess.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub without_guess: Option<u64>,
}

/// One round of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundRecord {
    /// Number of passes over the puzzles.
    pub passes: u64,
    /// Wall time of all passes.
    pub elapsed_ns: u64,
    /// Processor time of all passes. 0 if unknown, as in older records.
    #[serde(skip_serializing_if = "super::is_zero", default)]
    pub cpu_ns: u64,
}

/// One of several runs of a measurement. Each run is a separate process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOfPair {
    /// Number of measured puzzles.
    pub puzzles: u64,
    /// The rounds in their order.
    pub rounds: Vec<RoundRecord>,
}

impl RunOfPair {
    /// Returns the puzzles per second of wall time: the median over the rounds.
    pub(crate) fn throughput(&self) -> f64 {
        let throughputs: Vec<f64> = self.rounds.iter().map(|round| round.throughput(self.puzzles)).collect();
        median(&throughputs).unwrap_or(0.0)
    }

    /// Returns the time of a pass by this clock: the median over the rounds. `None` if the clock was not read.
    pub(crate) fn pass_ns(&self, clock: Clock) -> Option<f64> {
        let of_round = |round: &RoundRecord| {
            let time_ns = match clock {
                Clock::Wall => round.elapsed_ns,
                Clock::Processor => round.cpu_ns,
            };
            (time_ns > 0 && round.passes > 0).then(|| time_ns as f64 / round.passes as f64)
        };
        median(&self.rounds.iter().map(of_round).collect::<Option<Vec<f64>>>()?)
    }
}

/// The clock with which a time was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The wall clock.
    Wall,
    /// The processor time of the thread, or of the process and its children.
    Processor,
}

/// Returns the position of the run with the median throughput. If the number of runs is even, it is the slower of the two runs in the
/// middle.
pub(crate) fn middle_run(runs: &[RunOfPair]) -> Option<usize> {
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by(|&a, &b| runs[a].throughput().total_cmp(&runs[b].throughput()));
    order.get(runs.len().checked_sub(1)? / 2).copied()
}

/// The time for the first puzzles of the permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrefixRecord {
    /// Number of puzzles.
    pub puzzles: u64,
    /// If `exact` is true, the sum of the times of the first `puzzles` puzzles. Otherwise, `puzzles` divided by the median throughput.
    pub time_ns: u64,
    /// Whether `time_ns` is the sum of the measured times of single puzzles on one thread.
    pub exact: bool,
    /// Number of puzzles without a verdict among the first `puzzles` puzzles.
    #[serde(skip_serializing_if = "super::is_zero", default)]
    pub given_up: u64,
}

/// The process of an engine, or the processes of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineRecord {
    /// The command as typed.
    pub command: String,
    /// Name of the protocol, as in `--engine-protocol`. Absent in older records and in records of `judge`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub protocol: Option<String>,
    /// Start-up time: wall time of a process that has almost nothing to solve. Its input is empty for the protocol `lines`, one easy puzzle
    /// for `files`, and a solved board if there is a process for each puzzle. For the protocol `library`, this is the time of the first
    /// call of the solver, with one easy puzzle. `throughput` includes the start-up time.
    pub startup_ns: u64,
    /// Processor time of a pass, user and system, median over the rounds. In a record of `judge`: the sum of the times of the puzzles, each
    /// the median of its runs.
    pub cpu_ns: u64,
    /// Largest resident set over the rounds, in bytes. An upper bound, because Linux includes the memory of the process that started the
    /// engine.
    pub peak_memory_bytes: u64,
    /// The kind of answers. Absent in older records and in records of `judge`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answers: Option<AnswersRecord>,
}

/// Counters of the processor in user mode, over all rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HardwareRecord {
    /// Number of cycles per puzzle.
    pub cycles_per_puzzle: f64,
    /// Number of instructions per puzzle.
    pub instructions_per_puzzle: f64,
}

/// All measured puzzles in the order of the permutation. Each field is a column; columns that are not empty have the same length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptPuzzles {
    /// Number of the puzzle in the dataset, from 1.
    pub number: Vec<u64>,
    /// Number of the equivalent form, from 1. Empty if `isomorphs` is absent in the settings.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub form: Vec<u64>,
    /// Time of each puzzle: the median over the rounds. Empty for engines, which have no times of single puzzles in a pass.
    pub elapsed_ns: Vec<u64>,
    /// Number of nodes of each puzzle. Empty for programs, and for engines that don't print this number for every puzzle.
    pub nodes: Vec<u64>,
    /// Number of guesses of each puzzle. Empty for programs, and for engines that don't print this number for every puzzle.
    pub guesses: Vec<u64>,
    /// The status of each puzzle as one letter: `u`nique, `s`olved, `m`ultiple, `x` unsolvable, `a`borted.
    pub statuses: String,
}

impl PairRecord {
    /// Returns the kind of answers. Built-in solvers, programs of `judge`, engines in older records, and pairs without a measurement have
    /// no stored kind: the kind is then `Smallest` if `smallest` is true, otherwise `Any` if `max_solutions` is 1, otherwise `Unique`.
    pub(crate) fn answers(&self) -> AnswerKind {
        match self.engine().and_then(|engine| engine.answers.as_ref()) {
            Some(answers) => answers.kind,
            None if self.smallest => AnswerKind::Smallest,
            None if self.max_solutions == 1 => AnswerKind::Any,
            None => AnswerKind::Unique,
        }
    }

    /// Returns the name of the engine's protocol. `None` if there is no engine, or the protocol is unknown.
    pub(crate) fn protocol(&self) -> Option<&str> {
        self.engine()?.protocol.as_deref()
    }

    fn engine(&self) -> Option<&EngineRecord> {
        self.measurement.as_ref()?.engine.as_ref()
    }
}

impl RoundRecord {
    /// Returns the puzzles per second of wall time, for passes over `puzzles` puzzles.
    pub fn throughput(&self, puzzles: u64) -> f64 {
        (self.passes * puzzles) as f64 * 1e9 / self.elapsed_ns.max(1) as f64
    }
}

impl KeptPuzzles {
    /// Returns the names of the puzzles in their order.
    pub fn names(&self) -> impl Iterator<Item = PuzzleName> {
        let name = |(at, &number): (usize, &u64)| PuzzleName { number, form: self.form.get(at).copied() };
        self.number.iter().enumerate().map(name)
    }

    /// Returns whether the puzzle at this position got its verdict within the limit.
    pub(crate) fn is_within(&self, at: usize, limit_ns: u64) -> bool {
        let decided = self.statuses.as_bytes().get(at) != Some(&b'a');
        decided && self.elapsed_ns.get(at).is_some_and(|&elapsed_ns| elapsed_ns <= limit_ns)
    }
}

impl Measurement {
    /// Returns the time for the first `puzzles` puzzles of the permutation, in nanoseconds. If the measurement has no prefix of this
    /// length, the time is estimated from the throughput.
    pub(crate) fn time_on_prefix(&self, puzzles: u64) -> f64 {
        let kept = self.prefixes.iter().find(|prefix| prefix.puzzles == puzzles);
        kept.map_or_else(|| 1e9 / self.throughput.median * puzzles as f64, |prefix| prefix.time_ns as f64)
    }

    /// Returns how many of the first `puzzles` puzzles of the permutation have no verdict. `puzzles` must be the length of a
    /// [`PrefixRecord`].
    pub(crate) fn given_up_on_prefix(&self, puzzles: u64) -> u64 {
        let kept = self.prefixes.iter().find(|prefix| prefix.puzzles == puzzles);
        match puzzles == self.puzzles {
            true => self.with_status("aborted"),
            false => kept.map_or(0, |prefix| prefix.given_up),
        }
    }

    /// Returns the time of the first `puzzles` puzzles of the permutation as a share of the time of all measured puzzles. `None` if the
    /// share is unknown.
    pub(crate) fn share_of_time(&self, puzzles: u64) -> Option<f64> {
        if puzzles >= self.puzzles {
            return Some(1.0);
        }
        let of = |puzzles: u64| self.prefixes.iter().find(|prefix| prefix.exact && prefix.puzzles == puzzles);
        let whole_ns = of(self.puzzles)?.time_ns;
        // If no pair of the dataset reached exactly this number of puzzles, there is no prefix of this length. Then the times of the single
        // puzzles in `kept` are added up.
        let own_times = || {
            let own = self.kept.as_ref()?.elapsed_ns.get(..usize::try_from(puzzles).ok()?)?;
            Some(own.iter().sum())
        };
        let part_ns: u64 = of(puzzles).map(|prefix| prefix.time_ns).or_else(own_times)?;
        Some(part_ns as f64 / whole_ns.max(1) as f64)
    }

    /// Returns the share of a pass's wall time that was spent on starting the engine or program. `None` for built-in solvers, and in
    /// records of `judge`.
    pub(crate) fn share_of_startup(&self) -> Option<f64> {
        let engine = self.engine.as_ref().filter(|_| self.judge.is_none())?;
        // An external program starts once in a pass, or once for each puzzle. Only in the second case is `latency_ns` known.
        let starts = if self.latency_ns.is_some() { self.puzzles } else { 1 };
        let pass_ns = 1e9 / self.throughput.median * self.puzzles as f64;
        Some(starts as f64 * engine.startup_ns as f64 / pass_ns)
    }

    /// Returns the throughput of an engine or a program without its start-up. `None` if the share of the start-up is unknown, or if the
    /// start-up takes nearly the whole time of a pass, because the remaining time is then mostly noise.
    pub(crate) fn throughput_without_startup(&self) -> Option<f64> {
        const MOST: f64 = 0.9;
        let share = self.share_of_startup().filter(|&share| share < MOST)?;
        Some(self.throughput.median / (1.0 - share))
    }

    /// Returns the throughput with its interval over the rounds, or `None` if there is only one round.
    pub(crate) fn throughput_interval(&self) -> Option<Interval> {
        (self.rounds.len() > 1).then_some(self.throughput)
    }

    /// Returns the throughput of each round, in puzzles per second.
    pub(crate) fn round_throughputs(&self) -> Vec<f64> {
        self.rounds.iter().map(|round| round.throughput(self.puzzles)).collect()
    }

    pub(crate) fn one_by_one_times(&self) -> Option<&OneByOneTimes> {
        match self.one_by_one.as_ref()? {
            OneByOneRecord::Times(times) => Some(times),
            OneByOneRecord::NotTimed(_) => None,
        }
    }

    /// Returns the times of single puzzles: the times of all timed solves, or the times of an engine that got one puzzle at a time.
    pub(crate) fn single_latency_ns(&self) -> Option<LatencySummary> {
        self.latency_ns.or(self.one_by_one_times().map(|times| times.latency_ns))
    }

    pub(crate) fn with_status(&self, name: &str) -> u64 {
        self.statuses.iter().filter(|status| status.status == name).map(|status| status.rows).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures;
    use super::*;

    #[test]
    fn the_start_up_is_subtracted_for_each_pass_or_puzzle() {
        let quick = fixtures::bench_record().pairs.remove(0).measurement.unwrap();
        assert_eq!((quick.puzzles, quick.throughput.median), (2, 1e6));
        let found = |startup_ns, is_program: bool| {
            let engine = EngineRecord {
                command: "e".to_owned(),
                protocol: None,
                startup_ns,
                cpu_ns: 0,
                peak_memory_bytes: 0,
                answers: None,
            };
            let latency_ns = quick.latency_ns.filter(|_| is_program);
            let measurement = Measurement { engine: Some(engine), latency_ns, ..quick.clone() };
            measurement.throughput_without_startup().map(f64::round)
        };
        // A pass takes 2 us for two puzzles.
        assert_eq!(
            [0, 1_000, 1_900].map(|startup_ns| found(startup_ns, false)),
            [Some(1e6), Some(2e6), None]
        );
        assert_eq!([0, 500, 1_000].map(|startup_ns| found(startup_ns, true)), [Some(1e6), Some(2e6), None]);
        assert_eq!(quick.throughput_without_startup(), None);
    }
}
