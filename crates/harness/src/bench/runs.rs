//! Repeats a measurement several times, each time in a new process.
//!
//! All rounds of one process have the same memory layout and are made within a short time. Runs have different layouts and are made at
//! different times, so the differences between runs show how much another record of the same solvers may differ.
//!
//! A process gets one message with the settings and the puzzles. So a file is read only once for all runs, and standard input works, too.
//! The messages are lines:
//!
//! ```text
//! parent   -> {"type":"measure","level":"avx2","threads":1,"solvers":["mrv"],"engines":[...],"blank":".","isomorphs":null,"plan":{...},"datasets":[...]}
//! child    -> {"type":"step","round":1,"rounds":10,"solver":"mrv","dataset":"hard.txt","done":2,"of":22,"left_ns":4000000}
//! child    -> {"type":"measured","pairs":[...],"wrong":[...],"puzzles":[...]}
//! ```
//! If the input of the child ends early, the child stops and answers with its measurements so far.

use std::io::{BufRead, Write};
use std::num::NonZeroUsize;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sudobench_sudoku::nanoseconds;

use super::dataset::StoredDataset;
use super::serve::send;
use super::{Contestant, Dataset, EngineSetup, Fault, Measured, Plan, Step, measure};
use crate::process::{End, Event, NamedCommand, Supervisor, TICK, line_of, take_line};
use crate::record::{AnswerKind, RunOfPair, middle_run};

/// Time limit for an interrupted run to report its measurements so far, and for any run to end after its answer.
const GRACE: Duration = Duration::from_secs(10);

/// Describes what a process must measure.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename = "measure")]
pub struct RunRequest {
    /// Name of the SIMD level of the built-in solvers.
    pub level: String,
    /// Number of threads of each built-in solver.
    pub threads: NonZeroUsize,
    /// Names of the solvers; `none` means no solver.
    pub solvers: Vec<String>,
    /// The engines.
    pub engines: Vec<RequestedEngine>,
    /// The character for a blank cell in the input of engines.
    pub blank: char,
    /// Number of random equivalent forms in which each puzzle is measured, if forms are requested.
    pub isomorphs: Option<NonZeroUsize>,
    plan: Plan,
    datasets: Vec<StoredDataset>,
}

/// An engine that the process must measure.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RequestedEngine {
    /// `NAME=COMMAND`, as typed.
    pub command: String,
    protocol: String,
    /// The kind of the engine's answers, if the user stated it.
    answers: Option<AnswerKind>,
}

impl RequestedEngine {
    /// Describes this engine for a request.
    pub fn new(command: &NamedCommand, setup: EngineSetup) -> RequestedEngine {
        RequestedEngine {
            command: format!("{}={}", command.name, command.text),
            protocol: setup.protocol.name().to_owned(),
            answers: setup.answers,
        }
    }

    /// Returns the protocol and the kind of answers of the engine.
    ///
    /// # Errors
    /// [`Fault`] if the protocol is unknown.
    pub fn setup(&self) -> Result<EngineSetup, Fault> {
        Ok(EngineSetup { protocol: self.protocol.parse()?, answers: self.answers })
    }
}

impl RunRequest {
    /// Makes the request to measure these datasets. [`Dataset::into_forms`] must not have been called on them. The caller sets the
    /// contestants, `blank` and `isomorphs`.
    pub fn new(level: &str, threads: NonZeroUsize, plan: &Plan, datasets: &[Dataset]) -> RunRequest {
        RunRequest {
            level: level.to_owned(),
            threads,
            solvers: Vec::new(),
            engines: Vec::new(),
            blank: '.',
            isomorphs: None,
            plan: plan.clone(),
            datasets: datasets.iter().map(Dataset::stored).collect(),
        }
    }

    /// Returns the plan. The measurement ends as soon as `stop` becomes true.
    pub fn plan(&self, stop: &Arc<AtomicBool>) -> Plan {
        let mut plan = self.plan.clone();
        plan.question.cancel = Some(Arc::clone(stop));
        plan
    }

    /// Returns the datasets.
    ///
    /// # Errors
    /// [`Fault`] if a dataset of the message is not valid, or has too many forms.
    pub fn datasets(&self) -> Result<Vec<Dataset>, Fault> {
        let fault = |error: String| Fault(format!("the request is not valid: {error}"));
        let load = |stored: &StoredDataset| {
            let dataset = Dataset::from_stored(stored).map_err(fault)?;
            match self.isomorphs {
                Some(isomorphs) => {
                    dataset.into_forms(isomorphs, self.plan.seed).map_err(|error| fault(error.to_string()))
                }
                None => Ok(dataset),
            }
        };
        self.datasets.iter().map(load).collect()
    }

    /// Reads a request, which is the first line of the input.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the line can't be read or is not a request.
    pub fn read(input: &mut dyn BufRead) -> Result<RunRequest, Fault> {
        let mut line = String::new();
        input.read_line(&mut line).map_err(|error| Fault(format!("cannot read the request: {error}")))?;
        serde_json::from_str(&line).map_err(|error| Fault(format!("the request is not valid: {error}")))
    }
}

/// A message of a measuring process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum RunMessage {
    Step {
        round: usize,
        rounds: usize,
        solver: String,
        dataset: String,
        done: usize,
        of: usize,
        left_ns: Option<u64>,
    },
    Measured(Measured),
}

/// Measures every contestant on every dataset, and writes each step and then the result to `output`, one message per line. The measurement
/// ends early when `stop` becomes true or `output` can't be written.
///
/// # Errors
///
/// If `output` can't be written.
pub fn answer_run(
    contestants: &mut [Box<dyn Contestant>],
    datasets: &[Dataset],
    plan: &Plan,
    stop: &AtomicBool,
    output: &mut dyn Write,
) -> std::io::Result<()> {
    let mut failed = None;
    let measured = measure(contestants, datasets, plan, &mut |step: Step| {
        let Step { round, rounds, solver, dataset, done, total, left } = step;
        let (solver, dataset) = (solver.to_owned(), dataset.to_owned());
        let left_ns = left.map(nanoseconds);
        let sent =
            send(output, &RunMessage::Step { round, rounds, solver, dataset, done, of: total, left_ns });
        failed = sent.err().or(failed.take());
        failed.is_none() && !stop.load(Ordering::Relaxed)
    });
    failed.map_or_else(|| send(output, &RunMessage::Measured(measured)), Err)
}

/// Several runs of one measurement.
pub struct Runs<'a> {
    /// The command that starts a process which answers requests with [`answer_run`].
    pub command: &'a Command,
    /// The request that each process gets.
    pub request: &'a RunRequest,
    /// Number of runs.
    pub runs: NonZeroUsize,
    /// Starts the processes.
    pub supervisor: &'a Supervisor,
}

impl Runs<'_> {
    /// Makes the runs, one after the other, and returns each pair with all its runs. `tell` receives each step with the number of the run.
    /// If the first run is interrupted, its measurements so far are returned. If a later run is interrupted, that run is dropped.
    ///
    /// # Errors
    ///
    /// [`Fault`] if a process can't be started, or ends without a valid answer or does not answer after an interrupt.
    pub fn measure(&self, tell: &mut dyn FnMut(usize, Step)) -> Result<Measured, Fault> {
        let mut measured = Vec::new();
        for run in 1..=self.runs.get() {
            let in_run = |fault: Fault| Fault(format!("run {run} of {}: {fault}", self.runs));
            let of_run = self.run(run, tell).map_err(in_run)?;
            let is_whole = !self.supervisor.is_interrupted();
            if is_whole || measured.is_empty() {
                measured.push(of_run);
            }
            if !is_whole {
                break;
            }
        }
        Ok(combine(measured))
    }

    fn run(&self, run: usize, tell: &mut dyn FnMut(usize, Step)) -> Result<Measured, Fault> {
        let message = line_of(self.request).map_err(|error| Fault(error.to_string()))?;
        let mut running = self.supervisor.start(self.command)?;
        running.send(message);
        let start = Instant::now();
        let (mut pending, mut searched, mut measured) = (Vec::new(), 0, None);
        let mut deadline: Option<Instant> = None;
        loop {
            if deadline.is_none() && (self.supervisor.is_interrupted() || measured.is_some()) {
                // Closes the input of the process. After an interrupt, this makes the process stop its measurement and answer.
                running.end_input();
                deadline = Some(Instant::now() + GRACE);
            }
            if deadline.is_some_and(|deadline| Instant::now() > deadline) {
                return measured
                    .ok_or_else(|| Fault("its process did not answer after the interrupt".to_owned()));
            }
            match running.next(TICK)? {
                Event::Output(bytes) => pending.extend_from_slice(&bytes),
                Event::Ended => break,
                Event::Closed | Event::Nothing => {}
            }
            while let Some(line) = take_line(&mut pending, searched) {
                searched = 0;
                match serde_json::from_slice(&line) {
                    Ok(RunMessage::Measured(found)) => measured = Some(found),
                    Ok(RunMessage::Step { round, rounds, solver, dataset, done, of, left_ns }) => {
                        let left = left_ns.map(|left_ns| {
                            let left = Duration::from_nanos(left_ns);
                            let to_come = u32::try_from(self.runs.get() - run).unwrap_or(u32::MAX);
                            left.saturating_add((start.elapsed() + left).saturating_mul(to_come))
                        });
                        let (solver, dataset) = (&solver, &dataset);
                        let (done, total) = ((run - 1) * of + done, self.runs.get().saturating_mul(of));
                        tell(run, Step { round, rounds, solver, dataset, done, total, left });
                    }
                    Err(error) => {
                        return Err(Fault(format!("the answer of its process cannot be read: {error}")));
                    }
                }
            }
            searched = pending.len();
        }
        let ended = running.end()?;
        match measured {
            Some(measured) => Ok(measured),
            None if ended.end == End::Exited(0) => {
                Err(Fault("its process ended without an answer".to_owned()))
            }
            None => Err(Fault(format!("its process ended with {}", ended.in_words()))),
        }
    }
}

/// Combines the pairs of several runs. The results of a pair come from the run with the median throughput, but the pair gets the rounds of
/// all runs. If a pair failed in some runs, it has the error and the wrong answers of the first failed run.
fn combine(mut runs: Vec<Measured>) -> Measured {
    let of_run = |run: &Measured, at: usize| {
        let measurement = run.pairs[at].measurement.as_ref()?;
        Some(RunOfPair { puzzles: measurement.puzzles, rounds: measurement.rounds.clone() })
    };
    let (planned, pairs) = (runs.len(), runs.iter().map(|run| run.pairs.len()).min().unwrap_or(0));
    let mut combined = Measured::default();
    for at in 0..pairs {
        let all: Vec<RunOfPair> = runs.iter().filter_map(|run| of_run(run, at)).collect();
        let failed = runs.iter().position(|run| run.pairs[at].error.is_some());
        let chosen = failed.or_else(|| middle_run(&all)).unwrap_or(0);
        let run = &mut runs[chosen];
        let mut pair = run.pairs[at].clone();
        pair.error = pair.error.map(|error| match planned {
            1 => error,
            _ => format!("in run {} of {planned}: {error}", chosen + 1),
        });
        if let Some(measurement) = &mut pair.measurement {
            measurement.runs = all;
        }
        combined.pairs.push(pair);
        combined.wrong.extend(run.wrong.get_mut(at).map(std::mem::take));
        combined.puzzles.extend(run.puzzles.get_mut(at).map(std::mem::take));
    }
    combined
}

#[cfg(test)]
mod tests {
    use super::super::EngineProtocol;
    use super::super::fixtures::{Scripted, puzzle, right};
    use super::*;
    use crate::record::WrongAnswer;
    use sudobench_rows::Budget;
    use sudobench_sudoku::puzzle::Puzzle;
    use sudobench_sudoku::solver::{Answer, Question};

    fn request(isomorphs: Option<usize>) -> RunRequest {
        let dataset = Dataset::from_puzzles("two", vec![puzzle(), Puzzle::EMPTY], 7).unwrap();
        let plan = Plan {
            question: Question { max_nodes: Some(9), ..Question::unique() },
            budgets: "70ms,boj2580".parse::<sudobench_rows::Budgets>().unwrap().list,
            rounds: 2,
            check_time: Duration::from_secs(30),
            seed: 7,
            fresh_forms: true,
            times_single_puzzles: true,
            lists_puzzles: true,
            keep_puzzles: true,
            ..Plan::new(Question::unique(), Duration::from_secs(60))
        };
        let one = NonZeroUsize::MIN;
        let command: NamedCommand = "mine=./solve -q".parse().unwrap();
        let setup = EngineSetup { protocol: EngineProtocol::Files, answers: Some(AnswerKind::Count) };
        RunRequest {
            isomorphs: isomorphs.and_then(NonZeroUsize::new),
            engines: vec![RequestedEngine::new(&command, setup)],
            ..RunRequest::new("avx2", one, &plan, &[dataset])
        }
    }

    #[test]
    fn a_request_round_trips() {
        let asked = request(Some(3));
        let read = RunRequest::read(&mut line_of(&asked).unwrap().as_slice()).unwrap();
        assert_eq!(format!("{read:?}"), format!("{asked:?}"));
        let plan = read.plan(&Arc::default());
        let labels: Vec<String> = plan.budgets.iter().map(Budget::label).collect();
        assert_eq!(labels, ["70ms", "80ms (C++14)", "292ms (Java)", "1172ms (PyPy3)"]);
        assert_eq!((plan.question.max_nodes, plan.question.answer), (Some(9), Answer::Smallest));
        assert_eq!((plan.check_time, plan.lists_puzzles), (Duration::from_secs(30), true));
        let setup = read.engines[0].setup().unwrap();
        assert_eq!((setup.protocol, setup.answers), (EngineProtocol::Files, Some(AnswerKind::Count)));
        let dataset = read.datasets().unwrap().remove(0);
        assert_eq!((dataset.puzzles().len(), dataset.isomorphs()), (6, Some(3)));
        let as_it_stands = request(None).datasets().unwrap().remove(0);
        let expected = Dataset::from_puzzles("two", vec![puzzle(), Puzzle::EMPTY], 7).unwrap();
        assert_eq!(as_it_stands.puzzles(), expected.puzzles());
        assert_eq!(as_it_stands.puzzle_name(0), expected.puzzle_name(0));
        assert_eq!([0, 1].map(|at| as_it_stands.line(at)), [0, 1].map(|at| expected.line(at)));
        let refused = RunRequest::read(&mut &b"what\n"[..]).unwrap_err();
        assert!(refused.0.starts_with("the request is not valid: "));
    }

    fn measured(pass_ns: u64) -> Measured {
        let contestant =
            |name| Box::new(Scripted::new(name, vec![right(1); 2], &[pass_ns])) as Box<dyn Contestant>;
        let mut contestants = [contestant("a"), contestant("b")];
        let dataset = Dataset::in_order("two", vec![puzzle(); 2]);
        let plan =
            Plan { question: Question::unique(), fresh_forms: false, ..request(None).plan(&Arc::default()) };
        let mut output = Vec::new();
        answer_run(&mut contestants, &[dataset], &plan, &AtomicBool::new(false), &mut output).unwrap();
        let last = output.split_inclusive(|&byte| byte == b'\n').next_back().unwrap();
        let RunMessage::Measured(measured) = serde_json::from_slice(last).unwrap() else { panic!() };
        measured
    }

    #[test]
    fn a_pair_comes_from_the_median_run_with_the_rounds_of_all() {
        let mut runs: Vec<Measured> = [40, 20, 30, 50].map(measured).into();
        for (run, time_ns) in runs.iter_mut().zip([40, 20, 30, 50]) {
            run.puzzles[0][0].time_ns = Some(time_ns);
        }
        let combined = combine(runs);
        assert_eq!((combined.puzzles[0][0].time_ns, combined.puzzles[0].len()), (Some(40), 2));
        let measurement = combined.pairs[0].measurement.as_ref().unwrap();
        assert_eq!((measurement.rounds[0].elapsed_ns, measurement.runs.len()), (40, 4));
        let elapsed: Vec<u64> = measurement.runs.iter().map(|run| run.rounds[0].elapsed_ns).collect();
        assert_eq!(elapsed, [40, 20, 30, 50]);
    }

    #[test]
    fn a_pair_that_fails_in_one_run_is_not_measured() {
        let mut runs: Vec<Measured> = [40, 20, 30].map(measured).into();
        let failed = &mut runs[1].pairs[1];
        (failed.error, failed.measurement) = (Some("wrong answer".to_owned()), None);
        let puzzle = runs[1].puzzles[1].remove(0).puzzle;
        runs[1].wrong[1] =
            vec![WrongAnswer { puzzle, answer: "no".to_owned(), reason: "is short".to_owned() }];
        let combined = combine(runs);
        assert_eq!(combined.pairs[1].error.as_deref(), Some("in run 2 of 3: wrong answer"));
        assert!(combined.pairs[1].measurement.is_none() && combined.pairs[0].measurement.is_some());
        assert_eq!([0, 1].map(|at| combined.wrong[at].len()), [0, 1]);
    }
}
