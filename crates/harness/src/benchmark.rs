//! A whole benchmark as a library call: it takes solvers and puzzles, and returns a record.

use std::time::{Duration, SystemTime};

use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solver::{Meter, Variant};
use sudobench_sudoku::{Outcome, Puzzle, Question, Solution, Solver, nanoseconds};

use crate::bench::{self, Contestant, Dataset, DatasetError, InProcess, Plan, Step};
use crate::record::{
    BENCH, BenchRecord, Build, Finding, Machine, PairRecord, SCHEMA_VERSION, Settings, look_for_noise,
};
use crate::started;

/// A benchmark: the solvers, the puzzles, and the settings of the measurement.
///
/// It works like `sudobench bench`. In the warm-up, the referee checks the answers, and the answers of the solvers are compared with each
/// other. If a solver gives a wrong answer on a dataset, the record reports the wrong answer and has no times of the solver on this
/// dataset. The pairs of a solver and a dataset take turns, in an order that is shuffled for each round.
///
/// ```
/// use std::time::Duration;
///
/// use sudobench_harness::{Benchmark, bench_text};
/// use sudobench_sudoku::{Puzzle, solver};
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let record = Benchmark::new()
///     // Your own solver. This one only calls an existing solver.
///     .function("mine", |puzzle| sudobench_sudoku::solve(puzzle).solution)
///     .variant(solver::find("mrv").ok_or("no such solver")?)
///     .dataset("one puzzle", vec![puzzle])
///     .rounds(3)
///     .min_time(Duration::from_millis(1))
///     .run()?;
/// assert_eq!(record.pairs.len(), 2);
/// assert!(record.pairs.iter().all(|pair| pair.error.is_none()));
/// assert!(bench_text(&record, 100).contains("mine"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Benchmark {
    solvers: Vec<Added>,
    datasets: Vec<(String, Vec<Puzzle>)>,
    plan: Plan,
    level: Level,
}

/// A solver or contestant that the user added. Built-in solvers (variants) and other solvers become contestants later, when the
/// [`Question`] is known.
enum Added {
    Variant(&'static Variant),
    Solver(String, Box<dyn Solver>),
    Contestant(Box<dyn Contestant>),
}

/// Reasons why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchmarkError {
    /// There is no solver, or no dataset.
    #[error("a benchmark needs at least one solver and one dataset")]
    Empty,
    /// Two solvers or two datasets have the same name, so records could not distinguish them.
    #[error("two solvers or two datasets have the name `{0}`: rename one of them, or leave it out")]
    SameName(String),
    /// The CPU does not support the SIMD level.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The dataset cannot be used.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
}

impl Default for Benchmark {
    fn default() -> Benchmark {
        Benchmark::new()
    }
}

impl Benchmark {
    /// Makes a benchmark with default settings: any solution, ten rounds, at least one second and at most one minute for each pair, and the
    /// seed 1.
    pub fn new() -> Benchmark {
        let plan = Plan {
            rounds: 10,
            min_time: Duration::from_secs(1),
            warm_up_limit: "the warm-up's share of max_time",
            times_single_puzzles: true,
            ..Plan::new(Question::first(), Duration::from_secs(60))
        };
        Benchmark { solvers: Vec::new(), datasets: Vec::new(), plan, level: Level::widest() }
    }

    /// Sets the question for each puzzle: how many solutions to look for, and the limits of the search.
    #[must_use]
    pub fn question(mut self, question: Question) -> Benchmark {
        self.plan.question = question;
        self
    }

    /// Sets the number of rounds. 0 counts as 1.
    #[must_use]
    pub fn rounds(mut self, rounds: usize) -> Benchmark {
        self.plan.rounds = rounds.max(1);
        self
    }

    /// Sets the minimum time that the passes of a pair take together, over all rounds, unless the maximum time is shorter. This does not
    /// apply to external programs, which make one pass in each round.
    #[must_use]
    pub fn min_time(mut self, time: Duration) -> Benchmark {
        self.plan.min_time = time;
        self
    }

    /// Sets the time limit of a pair, warm-up included.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Benchmark {
        self.plan.max_time = time;
        self
    }

    /// Sets the seed, which decides the order of the puzzles in a dataset, the order of the pairs in each round, and the bootstrap.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Benchmark {
        self.plan.seed = seed;
        self
    }

    /// Sets the SIMD level of the built-in solvers. The default is the widest level of the CPU.
    #[must_use]
    pub fn level(mut self, level: Level) -> Benchmark {
        self.level = level;
        self
    }

    /// Adds a built-in solver.
    #[must_use]
    pub fn variant(mut self, variant: &'static Variant) -> Benchmark {
        self.solvers.push(Added::Variant(variant));
        self
    }

    /// Adds your own solver.
    #[must_use]
    pub fn solver(mut self, name: impl Into<String>, solver: Box<dyn Solver>) -> Benchmark {
        self.solvers.push(Added::Solver(name.into(), solver));
        self
    }

    /// Adds a function that returns a solution, or `None` if the puzzle has no solution. Each puzzle is timed. Use it with a question for
    /// [any solution](Question::first), because the function does not report whether there are other solutions.
    #[must_use]
    pub fn function(
        self,
        name: impl Into<String>,
        find: impl FnMut(&Puzzle) -> Option<Solution> + Send + 'static,
    ) -> Benchmark {
        self.solver(name, Box::new(Function(find)))
    }

    /// Adds a contestant that answers puzzles and reports its times, such as an [`Engine`](bench::Engine).
    #[must_use]
    pub fn contestant(mut self, contestant: impl Contestant + 'static) -> Benchmark {
        self.solvers.push(Added::Contestant(Box::new(contestant)));
        self
    }

    /// Adds puzzles, which are measured in an order that the seed decides.
    #[must_use]
    pub fn dataset(mut self, name: impl Into<String>, puzzles: Vec<Puzzle>) -> Benchmark {
        self.datasets.push((name.into(), puzzles));
        self
    }

    /// Measures all solvers on all datasets.
    ///
    /// # Errors
    ///
    /// [`BenchmarkError`] if nothing was measured. If a solver fails or gives a wrong answer on a dataset, this is not an error: the pair
    /// of this solver and dataset has the reason in [`PairRecord::error`].
    pub fn run(self) -> Result<BenchRecord, BenchmarkError> {
        self.run_with_progress(|_| true)
    }

    /// Like [`Benchmark::run`], but calls `tell` before each step. If `tell` returns `false`, the benchmark ends early: the record has the
    /// rounds that were measured until then, and its field `interrupted` is true.
    ///
    /// # Errors
    ///
    /// The errors of [`Benchmark::run`].
    pub fn run_with_progress(
        self,
        mut tell: impl FnMut(Step) -> bool,
    ) -> Result<BenchRecord, BenchmarkError> {
        let Benchmark { solvers, datasets, plan, level } = self;
        let contestant = |added: Added| -> Result<Box<dyn Contestant>, LevelError> {
            let question = plan.question.clone();
            Ok(match added {
                Added::Variant(variant) => Box::new(InProcess::new(variant, level, 1, question)?),
                Added::Solver(name, solver) => Box::new(InProcess::from_solver(name, solver, question)),
                Added::Contestant(contestant) => contestant,
            })
        };
        let mut contestants = solvers.into_iter().map(contestant).collect::<Result<Vec<_>, _>>()?;
        let dataset = |(name, puzzles): (String, _)| Dataset::from_puzzles(&name, puzzles, plan.seed);
        let mut datasets = datasets.into_iter().map(dataset).collect::<Result<Vec<_>, _>>()?;
        if contestants.is_empty() || datasets.is_empty() {
            return Err(BenchmarkError::Empty);
        }
        check_names(contestants.iter().map(|contestant| contestant.name()))?;
        check_names(datasets.iter().map(Dataset::name))?;
        datasets.iter_mut().try_for_each(|dataset| dataset.take_fingerprint(level))?;
        let (start, noise) = (SystemTime::now(), look_for_noise());
        let mut stopped = false;
        let measured = bench::measure(&mut contestants, &datasets, &plan, &mut |step| {
            stopped |= !tell(step);
            !stopped
        });
        let record = record_of(start, level, &plan, None, &datasets, measured.pairs, noise);
        Ok(BenchRecord { interrupted: record.interrupted || stopped, ..record })
    }
}

fn check_names<'n>(names: impl Iterator<Item = &'n str>) -> Result<(), BenchmarkError> {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if seen.contains(&name) {
            return Err(BenchmarkError::SameName(name.to_owned()));
        }
        seen.push(name);
    }
    Ok(())
}

/// Makes the record of the measurements since `start`. `noise` lists the properties of the machine that may disturb measurements, as found
/// before the measurement. `sample` is the maximum number of puzzles taken from each dataset, if there is a maximum.
pub fn record_of(
    start: SystemTime,
    level: Level,
    plan: &Plan,
    sample: Option<u64>,
    datasets: &[Dataset],
    pairs: Vec<PairRecord>,
    noise: Vec<Finding>,
) -> BenchRecord {
    BenchRecord {
        schema_version: SCHEMA_VERSION,
        kind: BENCH.to_owned(),
        started: humantime::format_rfc3339_seconds(start).to_string(),
        arguments: started::arguments(),
        seed: plan.seed,
        settings: Settings {
            rounds: plan.rounds,
            runs: None,
            min_time_ns: nanoseconds(plan.min_time),
            max_time_ns: nanoseconds(plan.max_time),
            max_time_per_puzzle_ns: plan.question.max_time.map(nanoseconds),
            max_nodes: plan.question.max_nodes,
            sample,
            fresh_forms: plan.fresh_forms && pairs.iter().any(|pair| pair.kind.is_external()),
            isomorphs: datasets.iter().find_map(|dataset| dataset.isomorphs()).map(|it| it as u64),
        },
        interrupted: plan.is_interrupted(),
        datasets: datasets.iter().map(|dataset| dataset.record().clone()).collect(),
        pairs,
        machine: Machine::detect(),
        simd_level: Some(level.name().to_owned()),
        noise,
        build: Build::current(),
        leaderboard: None,
    }
}

struct Function<F>(F);

impl<F: FnMut(&Puzzle) -> Option<Solution> + Send> Solver for Function<F> {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        let Function(find) = self;
        let solution = find(puzzle);
        let meter = Meter::start(question);
        Outcome::searched(question, u64::from(solution.is_some()), solution, &meter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn quick() -> Benchmark {
        let benchmark = Benchmark::new().rounds(2).min_time(Duration::ZERO);
        benchmark.dataset("two", vec![PUZZLE.parse().unwrap(), Puzzle::EMPTY])
    }

    #[test]
    fn wrong_solvers_are_named_and_not_timed() {
        let right = |puzzle: &Puzzle| sudobench_sudoku::solve(puzzle).solution;
        let wrong: Solution = sudobench_sudoku::solve(&Puzzle::EMPTY).solution.unwrap();
        let record = quick().function("right", right).function("wrong", move |_| Some(wrong)).run().unwrap();
        let [good, bad] = &record.pairs[..] else { panic!("{} pairs", record.pairs.len()) };
        assert!(good.error.is_none() && good.measurement.is_some());
        assert!(
            bad.error.as_ref().unwrap().contains("is wrong") && bad.measurement.is_none(),
            "{:?}",
            bad.error
        );
        assert_eq!(record.datasets[0].puzzles, 2);
        let again = BenchRecord::parse(&serde_json::to_string(&record).unwrap(), "r.json").unwrap();
        assert_eq!(again, record);
    }

    #[test]
    fn equal_names_are_refused() {
        let none = |_: &Puzzle| None;
        assert!(matches!(quick().run(), Err(BenchmarkError::Empty)));
        let twice = quick().function("a", none).function("a", none).run();
        assert!(matches!(twice, Err(BenchmarkError::SameName(name)) if name == "a"));
        let empty = Benchmark::new().function("a", none).dataset("empty", Vec::new()).run();
        assert!(matches!(empty, Err(BenchmarkError::Dataset(DatasetError::Empty(_)))));
    }
}
