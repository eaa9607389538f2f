//! The runs of a session, and their records.

use sudobench_rows::{Latency, MOST_CALLS};
use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::solver::{BoolTable, Question, Solver as _, Status};

use super::JudgedProgram;
use super::judged_set::JudgedSet;
use super::plan::{Event, Rules};
use crate::problem::Ruling;
use crate::process::Fault;
use crate::record::{
    BudgetRecord, EngineRecord, FailureRecord, JudgeRecord, JudgedPuzzle, KeptPuzzles, Kind, Measurement,
    PairRecord, Par2, PrefixRecord, RoundRecord, SlowRecord, StatusRecord, Verdict, VerdictRecord,
    histogram_to_text,
};
use crate::statistics::{median_interval, median_u64};
use strum::VariantArray as _;

/// Maximum number of failures that a record keeps for each program and dataset.
const KEPT_FAILURES: usize = 100;

/// Maximum number of slow puzzles that a record keeps for each program and dataset.
const KEPT_SLOWEST: usize = 10;

/// Maximum number of puzzles, for each program and dataset, for which a record states how many calls the search of BOJ 12095 makes (up to
/// [`MOST_CALLS`]). Only puzzles over the time limit get such a number. There is a maximum, because this simple recursive search may need
/// some tenths of a second for each puzzle.
const KEPT_CALLS: usize = 20;

/// A puzzle of a set, and the program that runs on this puzzle. The fields are positions in the lists of the session.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) set: usize,
    pub(super) index: usize,
    pub(super) program: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) cpu_ns: u64,
    pub(super) wall_ns: u64,
    pub(super) peak_memory_bytes: u64,
    /// Whether the program was ended because it reached its limit of processor time.
    pub(super) is_out_of_processor_time: bool,
    pub(super) ruling: Ruling,
}

/// Results of the runs of a program on a solved board.
#[derive(Clone, Debug, Default)]
pub(super) struct Startup {
    pub(super) cpu_ns: Vec<u64>,
    pub(super) wall_ns: Vec<u64>,
    /// Whether a run on a solved board failed. If so, no further runs on solved boards are made.
    pub(super) is_hopeless: bool,
    /// How the limits were enforced, in words.
    pub(super) enforced_by: String,
}

#[derive(Clone, Debug, Default)]
pub(super) struct PuzzleRuns {
    samples: Vec<Sample>,
    is_timed_again: bool,
    /// Whether a failure on the puzzle was reported.
    is_told: bool,
}

/// The results of a session.
#[derive(Debug)]
pub struct Judged<'j> {
    programs: &'j [JudgedProgram],
    sets: &'j [JudgedSet],
    rules: &'j Rules,
    pub(super) startups: Vec<Startup>,
    /// For each set and each program, the runs on each puzzle, in the shuffled order of the dataset.
    puzzles: Vec<Vec<Vec<PuzzleRuns>>>,
}

impl PuzzleRuns {
    /// Returns the worst verdict of the runs. The verdict "time limit" counts only if more than half of the runs have it.
    fn ruling(&self) -> Option<&Ruling> {
        let is_slow = |sample: &&Sample| sample.ruling.verdict == Verdict::TimeLimit;
        let slow = self.samples.iter().filter(is_slow).count();
        let counts_slow = slow * 2 > self.samples.len();
        let counted = self.samples.iter().filter(|sample| counts_slow || !is_slow(sample));
        counted.map(|sample| &sample.ruling).max_by_key(|ruling| ruling.verdict)
    }

    /// Adds repeated runs. No other run took place at the same time as these runs. With `replaces`, first removes the earlier runs that
    /// were accepted or over the time limit. Earlier runs with another failure stay, because other runs at the same time can't
    /// cause such a failure.
    pub(super) fn add_repeated(&mut self, alone: Vec<Sample>, replaces: bool) {
        if replaces {
            let is_timing = |verdict| matches!(verdict, Verdict::Accepted | Verdict::TimeLimit);
            self.samples.retain(|sample| !is_timing(sample.ruling.verdict));
        }
        self.samples.extend(alone);
        self.is_timed_again = true;
    }

    fn verdict(&self) -> Option<Verdict> {
        self.ruling().map(|ruling| ruling.verdict)
    }

    fn median(&self, of: impl Fn(&Sample) -> u64) -> u64 {
        median_u64(&mut self.samples.iter().map(of).collect::<Vec<u64>>()).unwrap_or(0)
    }
}

impl<'j> Judged<'j> {
    pub(super) fn new(programs: &'j [JudgedProgram], sets: &'j [JudgedSet], rules: &'j Rules) -> Judged<'j> {
        let of_set = |set: &JudgedSet| vec![vec![PuzzleRuns::default(); set.solutions.len()]; programs.len()];
        Judged {
            programs,
            sets,
            rules,
            startups: vec![Startup::default(); programs.len()],
            puzzles: sets.iter().map(of_set).collect(),
        }
    }

    /// Adds a run, and reports the first failure on its puzzle. If several runs take place at the same time, an exceeded time limit is
    /// reported only at the end, because the puzzle may be run again without other runs at the same time. Returns whether to continue.
    pub(super) fn take(&mut self, task: Task, sample: Sample, tell: &mut dyn FnMut(Event) -> bool) -> bool {
        let tells = match sample.ruling.verdict {
            Verdict::Accepted => false,
            Verdict::TimeLimit => self.rules.jobs == 1,
            _ => true,
        };
        let (set, program) = (&self.sets[task.set], &self.programs[task.program]);
        let runs = self.runs_mut(task);
        let goes_on = !tells || runs.is_told || tell(failure(set, program, task.index, &sample.ruling));
        runs.is_told |= tells;
        runs.samples.push(sample);
        goes_on
    }

    pub(super) fn samples(&self, Task { set, program, index }: Task) -> &[Sample] {
        &self.puzzles[set][program][index].samples
    }

    pub(super) fn runs_mut(&mut self, Task { set, program, index }: Task) -> &mut PuzzleRuns {
        &mut self.puzzles[set][program][index]
    }

    /// Reports the failed puzzles that [`Judged::take`] did not report, because they failed only in repeated runs, or because several runs
    /// took place at the same time. Returns whether to continue.
    pub(super) fn tell_of_rest(&self, tell: &mut dyn FnMut(Event) -> bool) -> bool {
        self.pairs().all(|(set, program, runs)| {
            let mut reached = self.reached(runs).iter().enumerate().filter(|(_, runs)| !runs.is_told);
            reached.all(|(index, runs)| match runs.ruling() {
                Some(ruling) if ruling.verdict != Verdict::Accepted => {
                    tell(failure(set, program, index, ruling))
                }
                _ => true,
            })
        })
    }

    /// Returns the result of every program on every puzzle that was reached, sorted by dataset, by program, and by the shuffled order of
    /// the puzzles in the dataset.
    pub fn puzzles(&self) -> Vec<JudgedPuzzle<'_>> {
        let judged = |(set, program, runs)| judged_puzzles(set, program, self.reached(runs));
        self.pairs().flat_map(judged).collect()
    }

    fn pairs(&self) -> impl Iterator<Item = (&'j JudgedSet, &'j JudgedProgram, &[PuzzleRuns])> {
        self.sets.iter().zip(&self.puzzles).flat_map(|(set, of_programs)| {
            let programs = self.programs.iter().zip(of_programs);
            programs.map(move |(program, runs)| (set, program, runs.as_slice()))
        })
    }

    /// Returns the runs of the puzzles that count. The first puzzle without a run and all later puzzles do not count. With `stop_at_first`,
    /// puzzles after the first failure do not count either.
    fn reached<'r>(&self, runs: &'r [PuzzleRuns]) -> &'r [PuzzleRuns] {
        let reached = runs.iter().position(|runs| runs.samples.is_empty()).unwrap_or(runs.len());
        let has_failed = |runs: &PuzzleRuns| runs.verdict() != Some(Verdict::Accepted);
        let failed = runs[..reached].iter().position(has_failed).filter(|_| self.rules.stop_at_first);
        &runs[..failed.map_or(reached, |at| at + 1)]
    }

    /// Returns the programs that were stopped on a dataset although all puzzles judged so far are accepted, with the dataset and the number
    /// of puzzles that were not judged. There are two causes. The session was interrupted. Or `stop_at_first` ended the program after a
    /// run that exceeded the time limit, but the puzzle of this run was accepted in the end because of other runs.
    pub fn unfinished(&self) -> Vec<(&str, &str, u64)> {
        let mut unfinished = Vec::new();
        for (set, program, runs) in self.pairs() {
            let reached = self.reached(runs);
            let is_accepted = reached.iter().all(|runs| runs.verdict() == Some(Verdict::Accepted));
            if is_accepted && reached.len() < runs.len() {
                let left = (runs.len() - reached.len()) as u64;
                unfinished.push((program.name.as_str(), set.dataset.name(), left));
            }
        }
        unfinished
    }

    /// Returns the worst verdict over all programs and puzzles, or `None` if nothing was run.
    pub fn worst(&self) -> Option<Verdict> {
        self.puzzles().iter().map(|puzzle| puzzle.verdict).max()
    }

    /// Returns the records of all pairs of a dataset and a program, sorted by dataset.
    ///
    /// # Errors
    ///
    /// [`Fault`] if a histogram can't be encoded.
    pub fn records(&self) -> Result<Vec<PairRecord>, Fault> {
        let mut records = Vec::new();
        for (set, of_programs) in self.sets.iter().zip(&self.puzzles) {
            let reached: Vec<&[PuzzleRuns]> = of_programs.iter().map(|runs| self.reached(runs)).collect();
            let mut lengths: Vec<usize> = reached.iter().map(|runs| runs.len()).collect();
            lengths.sort_unstable();
            lengths.dedup();
            for (at, program) in self.programs.iter().enumerate() {
                let measurement = match reached[at].is_empty() {
                    true => None,
                    false => Some(self.measurement(set, at, reached[at], &lengths)?),
                };
                records.push(PairRecord {
                    solver: program.name.clone(),
                    dataset: set.dataset.name().to_owned(),
                    kind: Kind::Program,
                    max_solutions: 1,
                    smallest: false,
                    threads: 1,
                    error: measurement.is_none().then(|| "interrupted before its first puzzle".to_owned()),
                    wrong: None,
                    measurement,
                });
            }
        }
        Ok(records)
    }

    fn measurement(
        &self,
        set: &JudgedSet,
        program: usize,
        runs: &[PuzzleRuns],
        lengths: &[usize],
    ) -> Result<Measurement, Fault> {
        let rules = self.rules;
        let (mut every, mut accepted, mut wall) =
            (Latency::new(&[]), Latency::new(&rules.budgets), Latency::new(&[]));
        let own_ns: Vec<u64> = runs.iter().map(|runs| runs.median(|sample| sample.cpu_ns)).collect();
        let is_accepted = |runs: &PuzzleRuns| runs.verdict() == Some(Verdict::Accepted);
        for (runs, &own_ns) in runs.iter().zip(&own_ns) {
            every.record(own_ns, is_accepted(runs));
            wall.record(runs.median(|sample| sample.wall_ns), true);
            if is_accepted(runs) {
                accepted.record(own_ns, true);
            }
        }
        let puzzles = runs.len() as u64;
        let rounds = rounds(runs, rules.repeat);
        let throughputs: Vec<f64> = rounds.iter().map(|round| round.throughput(puzzles)).collect();
        let throughput =
            median_interval(&throughputs, rules.seed).ok_or_else(|| Fault("there is no round".to_owned()))?;
        let text = |latency: &Latency| {
            histogram_to_text(latency.histogram()).map_err(|error| Fault(error.to_string()))
        };
        let status = |runs: &PuzzleRuns| if is_accepted(runs) { Status::Solved } else { Status::Aborted };
        let count = |status_: Status| runs.iter().filter(|runs| status(runs) == status_).count() as u64;
        let statuses = [Status::Solved, Status::Aborted]
            .map(|status| StatusRecord { status: status.name().to_owned(), rows: count(status) });
        let judge = self.judge_record(set, program, runs, &every, &wall);
        let prefix_ns = |length: usize| own_ns[..length].iter().sum();
        let limit_ns = judge.time_limit_ns;
        Ok(Measurement {
            puzzles,
            complete: runs.len() == set.solutions.len(),
            checked: None,
            throughput,
            amortised_ns: 1e9 / throughput.median,
            latency_ns: Some(every.summary()),
            histogram: Some(text(&every)?),
            verdict_histogram: Some(text(&accepted)?),
            budgets: (accepted.within().iter())
                .map(|within| BudgetRecord {
                    label: within.budget.label(),
                    limit_ns: within.budget.limit_ns(),
                    within: within.puzzles,
                    of: puzzles,
                })
                .collect(),
            par2: Some(par2(&own_ns, runs.iter().map(is_accepted), limit_ns)),
            statuses: statuses.into_iter().filter(|status| status.rows > 0).collect(),
            effort: None,
            rounds,
            out_of_time: false,
            one_by_one: None,
            slowest: Vec::new(),
            prefixes: (lengths.iter().filter(|&&length| length <= runs.len() && length > 0))
                .map(|&length| PrefixRecord {
                    puzzles: length as u64,
                    time_ns: prefix_ns(length),
                    exact: true,
                    given_up: runs[..length].iter().filter(|runs| !is_accepted(runs)).count() as u64,
                })
                .collect(),
            engine: Some(EngineRecord {
                command: self.programs[program].command.clone(),
                protocol: None,
                startup_ns: judge.startup_wall_ns,
                cpu_ns: own_ns.iter().sum(),
                peak_memory_bytes: judge.peak_memory_bytes,
                answers: None,
            }),
            hardware: None,
            runs: Vec::new(),
            spread: None,
            judge: Some(judge),
            figures: std::collections::BTreeMap::new(),
            kept: rules.keep_puzzles.then(|| KeptPuzzles {
                number: (0..runs.len()).map(|index| set.dataset.number(index)).collect(),
                form: Vec::new(),
                elapsed_ns: own_ns.clone(),
                statuses: runs.iter().map(|runs| status(runs).letter()).collect(),
                ..KeptPuzzles::default()
            }),
        })
    }

    fn judge_record(
        &self,
        set: &JudgedSet,
        program: usize,
        runs: &[PuzzleRuns],
        every: &Latency,
        wall: &Latency,
    ) -> JudgeRecord {
        let (startup, program) = (&self.startups[program], &self.programs[program]);
        let limits = &program.limited.limits;
        let puzzles = judged_puzzles(set, program, runs);
        let with =
            |verdict: Verdict| puzzles.iter().filter(|puzzle| puzzle.verdict == verdict).count() as u64;
        let verdicts =
            Verdict::VARIANTS.iter().map(|&verdict| VerdictRecord { verdict, puzzles: with(verdict) });
        let failures = puzzles.iter().filter(|puzzle| puzzle.verdict != Verdict::Accepted);
        let mut calls = ReferenceCalls::default();
        let mut slowest: Vec<&JudgedPuzzle> = puzzles.iter().collect();
        slowest.sort_by_key(|puzzle| (std::cmp::Reverse(puzzle.cpu_ns), puzzle.number));
        let median = |times: &[u64]| median_u64(&mut times.to_vec()).unwrap_or(0);
        JudgeRecord {
            problem: self.rules.problem.name().to_owned(),
            language: program.language.name().to_owned(),
            time_limit_ns: limits.cpu.map_or(u64::MAX, nanoseconds),
            wall_limit_ns: nanoseconds(limits.wall),
            memory_limit_bytes: limits.memory_bytes.unwrap_or(u64::MAX),
            output_limit_bytes: limits.output_bytes,
            held_by: startup.enforced_by.clone(),
            jobs: self.rules.jobs,
            verdict: puzzles.iter().map(|puzzle| puzzle.verdict).max().unwrap_or(Verdict::JudgeError),
            verdicts: verdicts.filter(|record| record.puzzles > 0).collect(),
            failures: (failures.take(KEPT_FAILURES))
                .map(|puzzle| FailureRecord {
                    number: puzzle.number,
                    verdict: puzzle.verdict,
                    words: puzzle.reason.to_owned(),
                    line: Some(puzzle.line),
                    puzzle: Some(puzzle.puzzle.to_string()),
                    reference_calls: calls.of(puzzle),
                })
                .collect(),
            startup_cpu_ns: median(&startup.cpu_ns),
            startup_wall_ns: median(&startup.wall_ns),
            cpu_ns: every.summary(),
            wall_ns: wall.summary(),
            peak_memory_bytes: puzzles.iter().map(|puzzle| puzzle.peak_memory_bytes).max().unwrap_or(0),
            slowest: (slowest.iter().take(KEPT_SLOWEST))
                .map(|puzzle| SlowRecord {
                    number: puzzle.number,
                    verdict: puzzle.verdict,
                    cpu_ns: puzzle.cpu_ns,
                    wall_ns: puzzle.wall_ns,
                })
                .collect(),
            timed_again: runs.iter().filter(|runs| runs.is_timed_again).count() as u64,
        }
    }
}

/// Counts how many calls the search of BOJ 12095 makes on the first puzzles on which a program hit its time limit.
#[derive(Default)]
struct ReferenceCalls {
    search: BoolTable,
    counted: usize,
}

impl ReferenceCalls {
    fn of(&mut self, judged: &JudgedPuzzle) -> Option<u64> {
        if judged.verdict != Verdict::TimeLimit || self.counted == KEPT_CALLS {
            return None;
        }
        self.counted += 1;
        // Each node is a call. So if the search reaches this node limit, it has made at least `MOST_CALLS` calls.
        let question = Question { max_nodes: Some(MOST_CALLS), ..Question::first() };
        self.search.solve(judged.puzzle, &question);
        Some(self.search.calls().min(MOST_CALLS))
    }
}

fn judged_puzzles<'j>(
    set: &'j JudgedSet,
    program: &'j JudgedProgram,
    runs: &'j [PuzzleRuns],
) -> Vec<JudgedPuzzle<'j>> {
    let judged_puzzle = |(index, runs): (usize, &'j PuzzleRuns)| {
        let ruling = runs.ruling()?;
        Some(JudgedPuzzle {
            dataset: set.dataset.name(),
            number: set.dataset.number(index),
            program: &program.name,
            verdict: ruling.verdict,
            reason: &ruling.reason,
            runs: runs.samples.len() as u64,
            cpu_ns: runs.median(|sample| sample.cpu_ns),
            wall_ns: runs.median(|sample| sample.wall_ns),
            peak_memory_bytes: runs.samples.iter().map(|sample| sample.peak_memory_bytes).max().unwrap_or(0),
            line: set.dataset.line(index),
            puzzle: &set.dataset.puzzles()[index],
        })
    };
    runs.iter().enumerate().filter_map(judged_puzzle).collect()
}

/// Returns the rounds in which every puzzle was run. If a puzzle was timed again alone, each round gets the median time of this puzzle.
fn rounds(runs: &[PuzzleRuns], repeat: usize) -> Vec<RoundRecord> {
    let whole = runs.iter().filter(|runs| !runs.is_timed_again).map(|runs| runs.samples.len()).min();
    let wall_ns = |runs: &PuzzleRuns, round: usize| match runs.samples.get(round) {
        Some(sample) if !runs.is_timed_again => sample.wall_ns,
        _ => runs.median(|sample| sample.wall_ns),
    };
    let rounds = 0..whole.unwrap_or(1).clamp(1, repeat);
    rounds
        .map(|round| RoundRecord {
            cpu_ns: 0,
            passes: 1,
            elapsed_ns: runs.iter().map(|runs| wall_ns(runs, round)).sum(),
        })
        .collect()
}

/// Returns PAR-2: the mean of the puzzles' times, in which a puzzle that was not accepted counts as twice the limit.
fn par2(own_ns: &[u64], accepted: impl Iterator<Item = bool>, limit_ns: u64) -> Par2 {
    let in_time = own_ns.iter().zip(accepted).filter(|(_, accepted)| *accepted).map(|(&ns, _)| ns);
    Par2::new(limit_ns, in_time, own_ns.len())
}

fn failure<'a>(
    set: &'a JudgedSet,
    program: &'a JudgedProgram,
    index: usize,
    ruling: &'a Ruling,
) -> Event<'a> {
    Event::Failure {
        program: &program.name,
        dataset: set.dataset.name(),
        number: set.dataset.number(index),
        puzzle: &set.dataset.puzzles()[index],
        ruling,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sudobench_sudoku::{Puzzle, Solution};

    use super::*;
    use crate::bench::Dataset;
    use crate::judge::{Language, LimitOptions};
    use crate::problem::Problem;

    fn sample(verdict: Verdict) -> Sample {
        Sample {
            cpu_ns: 1,
            wall_ns: 1,
            peak_memory_bytes: 0,
            is_out_of_processor_time: false,
            ruling: Ruling { verdict, reason: String::new() },
        }
    }

    #[test]
    fn each_failed_puzzle_is_reported_once() {
        use Verdict::{Accepted, TimeLimit, WrongAnswer};
        let dataset = Dataset::from_puzzles("set", vec![Puzzle::EMPTY], 1).unwrap();
        let solutions = vec![Solution::try_from([1; 81]).unwrap()];
        let sets = [JudgedSet { dataset, solutions, unsolvable: Vec::new(), beyond_problem: Vec::new() }];
        let problem = Problem::named("boj2580").unwrap();
        let limits = LimitOptions {
            time_limit: Some(Duration::from_secs(1)),
            wall_limit: None,
            memory_limit: None,
            output_limit: 1,
        };
        let argv = vec!["/program".to_owned()];
        let programs = [JudgedProgram::new("a", "a", argv, Language::Cpp, problem, &limits, Vec::new())];
        // The number of simultaneous runs, the verdicts of the runs and of the repeated runs, and the reported verdicts.
        type Verdicts = &'static [Verdict];
        let cases: [(usize, Verdicts, Verdicts, Verdicts); 8] = [
            (1, &[Accepted], &[], &[]),
            (1, &[WrongAnswer, TimeLimit, WrongAnswer], &[], &[WrongAnswer]),
            (1, &[Accepted], &[Accepted, WrongAnswer, Accepted], &[WrongAnswer]),
            (1, &[Accepted], &[TimeLimit; 3], &[TimeLimit]),
            (2, &[TimeLimit], &[Accepted; 3], &[]),
            (2, &[TimeLimit], &[TimeLimit], &[TimeLimit]),
            (2, &[Accepted], &[Accepted, WrongAnswer, Accepted], &[WrongAnswer]),
            (2, &[WrongAnswer, TimeLimit, TimeLimit], &[], &[WrongAnswer]),
        ];
        for (jobs, runs, repeated, reported) in cases {
            let rules = Rules {
                problem,
                budgets: Vec::new(),
                repeat: 1,
                jobs,
                stop_at_first: false,
                seed: 1,
                keep_puzzles: false,
            };
            let mut judged = Judged::new(&programs, &sets, &rules);
            let mut told = Vec::new();
            let mut tell = |event: Event| {
                if let Event::Failure { ruling, .. } = event {
                    told.push(ruling.verdict);
                }
                true
            };
            let task = Task { set: 0, index: 0, program: 0 };
            assert!(runs.iter().all(|&verdict| judged.take(task, sample(verdict), &mut tell)));
            if !repeated.is_empty() {
                judged.runs_mut(task).add_repeated(repeated.iter().copied().map(sample).collect(), jobs > 1);
            }
            assert!(judged.tell_of_rest(&mut tell));
            assert_eq!(told, reported, "{jobs} {runs:?} {repeated:?}");
            let prefix = judged.records().unwrap()[0].measurement.as_ref().unwrap().prefixes[0];
            assert_eq!(prefix.given_up, reported.len() as u64, "{jobs} {runs:?} {repeated:?}");
        }
    }

    #[test]
    fn repeated_runs_replace_times_but_no_other_failures() {
        for (before, after) in [
            (Verdict::Accepted, Verdict::Accepted),
            (Verdict::TimeLimit, Verdict::Accepted),
            (Verdict::WrongAnswer, Verdict::WrongAnswer),
            (Verdict::RuntimeError, Verdict::RuntimeError),
        ] {
            let mut runs = PuzzleRuns {
                samples: vec![sample(before), sample(Verdict::Accepted)],
                ..PuzzleRuns::default()
            };
            runs.add_repeated(vec![sample(Verdict::Accepted); 3], true);
            assert_eq!(runs.verdict(), Some(after), "{before:?}");
        }
    }
}
