//! A contestant with scripted answers and times, for tests.

use std::time::Duration;

use sudobench_sudoku::puzzle::{Puzzle, Solution};
use sudobench_sudoku::random::Random;
use sudobench_sudoku::solver::{Outcome, Status};

use super::{Allowance, Contestant, Fault, Pass, SingleTimes, WarmUp, Work};
use crate::record::Kind;

/// A puzzle with one solution: [`SOLUTION`].
pub(crate) const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub(crate) const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

pub(crate) fn puzzle() -> Puzzle {
    PUZZLE.parse().unwrap()
}

/// Makes `count` different puzzles, most of which have several solutions: [`PUZZLE`] with its digits renamed and about half of its clues
/// removed.
pub(crate) fn open_puzzles(count: usize) -> Vec<Puzzle> {
    let mut random = Random::new(1);
    let open = |_| {
        let mut digits = *b"123456789";
        random.shuffle(&mut digits);
        let mut keep =
            |clue: u8| if random.below(2) == 0 { '.' } else { char::from(digits[usize::from(clue - b'1')]) };
        let text: String = PUZZLE.bytes().map(|clue| if clue == b'.' { '.' } else { keep(clue) }).collect();
        text.parse().unwrap()
    };
    (0..count).map(open).collect()
}

/// Returns the right outcome of [`puzzle`], reached in this number of nanoseconds.
pub(crate) fn right(elapsed_ns: u64) -> Outcome {
    let solution = Solution::from_text(SOLUTION.as_bytes()).ok();
    Outcome { status: Status::Unique, count: 1, solution, nodes: 51, guesses: 1, elapsed_ns }
}

/// A contestant whose answers and times are given as lists. It gives the same answers in each pass.
pub(crate) struct Scripted {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) outcomes: Vec<Outcome>,
    /// The wall time of each pass. If there are more passes than times, the last time is repeated.
    pub(crate) pass_ns: Vec<u64>,
    /// Maximum number of puzzles that a warm-up answers. A warm-up leaves out all later puzzles.
    pub(crate) reaches: usize,
    /// Wall time of the warm-up, if it differs from the first pass.
    pub(crate) warm_up_ns: Option<u64>,
    pub(crate) passes: usize,
    /// The work counters that the contestant prints in the warm-up and in each pass. If there are more passes than entries, the last entry
    /// is repeated.
    pub(crate) work: Vec<Vec<Work>>,
    pub(crate) single_times: Option<SingleTimes>,
}

impl Scripted {
    pub(crate) fn new(name: &'static str, outcomes: Vec<Outcome>, pass_ns: &[u64]) -> Scripted {
        let reaches = outcomes.len();
        let (kind, pass_ns) = (Kind::Single, pass_ns.to_vec());
        Scripted {
            name,
            kind,
            outcomes,
            pass_ns,
            reaches,
            warm_up_ns: None,
            passes: 0,
            work: Vec::new(),
            single_times: None,
        }
    }
}

impl Contestant for Scripted {
    fn name(&self) -> &str {
        self.name
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn threads(&self) -> usize {
        1
    }

    fn warm_up(&mut self, puzzles: &[Puzzle], _allowance: Allowance) -> Result<WarmUp, Fault> {
        let reached = puzzles.len().min(self.reaches);
        let pass_ns = self.warm_up_ns.unwrap_or(self.pass_ns[0]);
        Ok(WarmUp { outcomes: self.outcomes[..reached].to_vec(), pass_ns, elapsed_ns: pass_ns })
    }

    fn answer_to_check(&mut self, puzzles: &[Puzzle], _allowance: Duration) -> Result<Vec<Outcome>, Fault> {
        Ok(self.outcomes[..puzzles.len().min(self.outcomes.len())].to_vec())
    }

    fn pass(
        &mut self,
        puzzles: &[Puzzle],
        outcomes: &mut [Outcome],
        _allowance: Duration,
    ) -> Result<Option<Pass>, Fault> {
        outcomes.copy_from_slice(&self.outcomes[..puzzles.len()]);
        let elapsed_ns = *self.pass_ns.get(self.passes).or(self.pass_ns.last()).unwrap_or(&1);
        self.passes += 1;
        let counts = [("cycles", 200.0), ("instructions", 300.0), ("branch_misses", 0.5)];
        let readings = counts.map(|(key, count)| (key.into(), count * puzzles.len() as f64)).into();
        Ok(Some(Pass {
            elapsed_ns,
            cpu_ns: elapsed_ns - 1,
            peak_memory_bytes: 4096,
            readings,
            ..Pass::default()
        }))
    }

    fn answer_one_by_one(
        &mut self,
        _puzzles: &[Puzzle],
        _longest: Duration,
        _allowance: Duration,
    ) -> Option<Result<SingleTimes, Fault>> {
        self.single_times.clone().map(Ok)
    }

    fn work(&self) -> Vec<Work> {
        self.work.get(self.passes).or(self.work.last()).cloned().unwrap_or_default()
    }
}
