//! The results so far of one contestant on one dataset.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use sudobench_rows::Latency;
use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::solver::{Outcome, Status};

use super::{Fault, Pass, Plan, SingleTimes, WarmUp, Work};
use crate::record::registry::Figure;
use crate::record::{Kind, RoundRecord};

pub(super) struct Pair {
    pub(super) kind: Kind,
    pub(super) contestant: usize,
    pub(super) dataset: usize,
    /// The outcomes of the warm-up, one for each puzzle that is measured.
    pub(super) first: Vec<Outcome>,
    /// Number of answers that were checked before the rounds. Some of them may be for puzzles that are not measured.
    pub(super) checked: usize,
    /// If an engine gets all puzzles at once in the rounds: its times in a separate measurement, which gives it one puzzle at a time, or
    /// the reason why this was not measured.
    pub(super) single_times: Option<Result<SingleTimes, Fault>>,
    /// The work counters of the outcomes in `first`.
    pub(super) work: Vec<Work>,
    /// For each puzzle, its times in the last pass of each round. Empty for an engine that gets all puzzles at once.
    pub(super) times_ns: Vec<Vec<u64>>,
    /// For each puzzle, the number of rounds whose last pass did not abort the puzzle. Empty if `times_ns` is empty.
    pub(super) decided: Vec<u32>,
    /// The times of all puzzles in all passes of the rounds. Empty if `times_ns` is empty.
    pub(super) latency: Latency,
    pub(super) rounds: Vec<RoundRecord>,
    pub(super) cpu_ns: Vec<u64>,
    pub(super) peak_memory_bytes: u64,
    /// Counts of the operating system and the processor during each pass. The key of an entry is the key of a figure. The list of the entry
    /// has one value for each pass in which this figure was counted.
    pub(super) readings: BTreeMap<Cow<'static, str>, Vec<f64>>,
    pub(super) first_pass_ns: u64,
    pub(super) passes_a_round: u64,
    /// Time spent on this pair that counts towards its time limit.
    pub(super) spent_ns: u64,
    /// Whether the pair gets no more rounds, because the time that is left is too short for another round.
    pub(super) is_over: bool,
}

impl Pair {
    pub(super) fn new(
        contestant: usize,
        dataset: usize,
        kind: Kind,
        (warm_up, work): (WarmUp, Vec<Work>),
        plan: &Plan,
    ) -> Pair {
        let puzzles = warm_up.outcomes.len();
        let timed = if kind == Kind::Engine { 0 } else { puzzles };
        Pair {
            kind,
            contestant,
            dataset,
            first: warm_up.outcomes,
            checked: puzzles,
            single_times: None,
            work,
            times_ns: vec![Vec::new(); timed],
            decided: vec![0; timed],
            latency: Latency::new(&[]),
            rounds: Vec::new(),
            cpu_ns: Vec::new(),
            peak_memory_bytes: 0,
            readings: BTreeMap::new(),
            passes_a_round: passes_a_round(kind, warm_up.pass_ns, plan),
            first_pass_ns: warm_up.pass_ns,
            spent_ns: warm_up.elapsed_ns,
            is_over: false,
        }
    }

    /// Estimates the time of this number of further rounds.
    pub(super) fn time_of_rounds(&self, rounds: usize, plan: &Plan) -> Duration {
        let last_ns = self.rounds.last().map(|round| round.elapsed_ns);
        let round_ns = last_ns.unwrap_or(self.first_pass_ns.saturating_mul(self.passes_a_round));
        let left = plan.max_time.saturating_sub(Duration::from_nanos(self.spent_ns));
        let rounds = if self.is_over { 0 } else { rounds as u64 };
        Duration::from_nanos(round_ns.saturating_mul(rounds)).min(left)
    }

    /// Returns the readings of a figure, one for each pass. `None` if a pass lacks the reading.
    pub(super) fn readings_of(&self, figure: &Figure) -> Option<&[f64]> {
        let values = self.readings.get(figure.key).filter(|values| values.len() == self.cpu_ns.len());
        values.map(Vec::as_slice)
    }

    /// Adds one pass with checked outcomes. `last` says whether it is the last pass of its round.
    pub(super) fn record_pass(&mut self, pass: Pass, outcomes: &[Outcome], last: bool) {
        pass.readings.into_iter().for_each(|(key, value)| self.readings.entry(key).or_default().push(value));
        self.cpu_ns.push(pass.cpu_ns);
        self.peak_memory_bytes = self.peak_memory_bytes.max(pass.peak_memory_bytes);
        for (at, times_ns) in self.times_ns.iter_mut().enumerate() {
            let outcome = &outcomes[at];
            let decided = outcome.status != Status::Aborted;
            self.latency.record(outcome.elapsed_ns, decided);
            if last {
                times_ns.push(outcome.elapsed_ns);
                self.decided[at] += u32::from(decided);
            }
        }
    }
}

/// Returns the number of passes in a round. The passes fill the round's share of `plan.min_time`, or of `plan.max_time` if this is
/// shorter. An external program makes one pass in each round, because each pass starts the program again.
fn passes_a_round(kind: Kind, pass_ns: u64, plan: &Plan) -> u64 {
    let share_of = |time| nanoseconds(time) / plan.rounds.max(1) as u64;
    let (least, most) = (share_of(plan.min_time), share_of(plan.max_time));
    match kind {
        Kind::Engine | Kind::Program => 1,
        Kind::Single | Kind::Batch => least.min(most).div_ceil(pass_ns.max(1)).max(1),
    }
}
