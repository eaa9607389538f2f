//! An external program as a contestant.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::solver::Outcome;

use super::answer_probes::{self, probes};
use super::engine_judge::JudgedProcesses;
use super::engine_library::LibraryCalls;
use super::engine_lines::Lines;
use super::engine_text::{AnswerForm, lines, quoted, work_of_line};
use super::exchange::{Answers, Exchange, OneByOne, StartUp};
use super::files::{INPUT, OUTPUT};
use super::protocol::EngineProtocol;
use super::{Allowance, Contestant, Fault, Pass, Refused, SingleTimes, Stopped, WarmUp, Work, in_words};
use crate::problem::Problem;
use crate::process::{NamedCommand, Supervisor};
use crate::record::{AnswerKind, AnswersRecord, EngineRecord, Kind};
use crate::statistics::median_u64;

/// An engine: an external program that answers puzzles.
pub struct Engine {
    command: NamedCommand,
    protocol: EngineProtocol,
    exchange: Box<dyn Exchange>,
    /// A program that prints its input. Its time for a puzzle shows the cost of the pipes. `None` unless the protocol is `lines`.
    echo: Option<Lines>,
    startup_ns: Option<u64>,
    form: AnswerForm,
    /// The kind of answers that the user stated, if any.
    stated: Option<AnswerKind>,
    /// Whether the engine must answer the probe puzzles before its warm-up, to show the kind of its answers.
    is_to_be_probed: bool,
    /// Reason why the probe puzzles did not confirm the stated kind of answers.
    fault: Option<String>,
    last: Answers,
}

/// Name and command line of a program that prints its input, to measure the cost of the pipes. If the program is not installed, this cost
/// is unknown.
const ECHO: &str = "echo=cat";

/// Maximum time that an engine may take for the probe puzzles.
const PROBE_TIME: Duration = Duration::from_secs(10);

impl Engine {
    /// Makes an engine. `blank` is the character for a blank cell in lines. If each puzzle gets its own process, `max_time` is the time
    /// limit of each process.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the command does not suit the protocol, or if each puzzle gets its own process and the program doesn't exist or is not
    /// executable.
    pub fn new(
        command: NamedCommand,
        protocol: EngineProtocol,
        blank: char,
        max_time: Option<Duration>,
        supervisor: &Arc<Supervisor>,
    ) -> Result<Engine, Fault> {
        if protocol != EngineProtocol::Files
            && let Some(place) = [INPUT, OUTPUT].iter().find(|place| command.text.contains(**place))
        {
            let (name, text) = (&command.name, &command.text);
            return Err(Fault(format!(
                "`{text}` has {place}, which means a file only with --engine-protocol files: add --engine-protocol {name}=files (or \
                 protocol = \"files\" in contest.toml), or leave out {place}"
            )));
        }
        let exchange: Box<dyn Exchange> = match protocol {
            EngineProtocol::Lines => Box::new(Lines::new(&command, blank, supervisor)),
            EngineProtocol::Files => Box::new(Lines::with_files(&command, blank, supervisor)?),
            EngineProtocol::Library => Box::new(LibraryCalls::new(&command, supervisor)?),
            EngineProtocol::Judge(preset) => {
                Box::new(JudgedProcesses::new(&command, Problem::new(preset), max_time, supervisor)?)
            }
        };
        // With the protocol `lines`, the times of single puzzles contain the cost of the pipes. The program `ECHO` shows this cost.
        let echo = if protocol == EngineProtocol::Lines { ECHO.parse().ok() } else { None };
        Ok(Engine {
            command,
            protocol,
            exchange,
            echo: echo.map(|echo| Lines::new(&echo, blank, supervisor)),
            startup_ns: None,
            form: AnswerForm { kind: AnswerKind::Any, limit: 1 },
            stated: None,
            is_to_be_probed: false,
            fault: None,
            last: Answers::default(),
        })
    }

    /// Sets the kind of answers: `stated` is the kind that the user stated, if any. The question asks for up to `max_solutions` solutions.
    /// If `checks` is true and the kind of answers matters, the engine answers six probe puzzles before its warm-up. Its answers show
    /// whether the stated kind is right or, if the user stated none, which kind of answers the engine gives.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the engine's protocol does not support this kind.
    pub fn answering(
        mut self,
        stated: Option<AnswerKind>,
        max_solutions: NonZeroU64,
        checks: bool,
    ) -> Result<Engine, Fault> {
        let (kind, limit) = (stated.unwrap_or(AnswerKind::Any), max_solutions.get());
        let is_program = self.exchange.kind() == Kind::Program;
        if is_program && kind != AnswerKind::Any {
            return Err(Fault(format!(
                "--engine-answers {}={} does not fit --engine-protocol {}, with which an engine may print any solution: leave out \
                 --engine-answers, or use --engine-protocol lines",
                self.command.name,
                kind.name(),
                self.protocol.name()
            )));
        }
        (self.stated, self.form) = (stated, AnswerForm { kind, limit });
        // The kind doesn't matter if the stated kind is `any`, or if no kind is stated and the question asks for only one solution.
        let is_of_interest = stated.map_or(limit > 1, |stated| stated != AnswerKind::Any);
        self.is_to_be_probed = checks && is_of_interest && !is_program;
        Ok(self)
    }

    /// Lets the engine answer the probe puzzles, to determine the kind of its answers.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the user stated that the engine counts solutions, and the engine's answers to the probe puzzles do not confirm this.
    fn probe(&mut self, allowance: Duration) -> Result<(), Fault> {
        let kind = self.stated.unwrap_or(AnswerKind::Unique);
        let (form, probes) = (AnswerForm { kind, limit: 2 }, probes());
        let not_checked = |Fault(fault)| Fault(format!("cannot be checked on the built-in puzzles: {fault}"));
        let most = allowance.min(PROBE_TIME);
        let answers = self.exchange.answer(&probes, form, most);
        let found = answers.map_err(not_checked).and_then(|answers| {
            match (answers.refused.first(), answers.is_complete) {
                (Some(refused), _) => {
                    let (puzzle, printed) = (probes[refused.index], quoted(&refused.output));
                    Err(Fault(format!("prints {printed} instead of a number of solutions for {puzzle}")))
                }
                (None, true) => answer_probes::check(kind, &probes, &answers.outcomes),
                (None, false) => {
                    let within = in_words(most);
                    Err(Fault(format!("does not answer the six built-in test puzzles within {within}")))
                }
            }
        });
        match (found, self.stated) {
            (Ok(()), _) => self.form.kind = kind,
            (Err(fault), Some(AnswerKind::Count)) => {
                return Err(Fault(format!(
                    "--engine-answers says that the engine counts solutions, but it {fault}"
                )));
            }
            (Err(Fault(fault)), Some(_)) => (self.form.kind, self.fault) = (AnswerKind::Any, Some(fault)),
            (Err(_), None) => self.form.kind = AnswerKind::Any,
        }
        Ok(())
    }

    /// Runs the engine a few times on almost no input, and returns the median time of a run in nanoseconds. After half the allowance, no
    /// further run starts.
    fn measure_startup(&self, allowance: Allowance) -> Result<u64, Fault> {
        let StartUp { runs, on, remedy } = self.exchange.start_up_runs();
        let (start, mut times) = (Instant::now(), Vec::new());
        while times.is_empty() || (times.len() < runs && start.elapsed() < allowance.time / 2) {
            let ran = self.exchange.start_up(allowance.time.saturating_sub(start.elapsed()))?;
            match (ran.is_complete, times.is_empty()) {
                (true, _) => times.push(ran.pass.elapsed_ns),
                (false, false) => break,
                (false, true) => {
                    let (within, used) = (allowance.in_words(), ran.stopped().used_in_words());
                    return Err(Fault(format!(
                        "on {on} it did not end within {within}; it {used}: raise that limit{remedy}"
                    )));
                }
            }
        }
        Ok(median_u64(&mut times).unwrap_or(0))
    }
}

/// Number of passes that measure the cost of pipes.
const ECHO_PASSES: usize = 5;

/// Returns the cost of the pipes: the time per puzzle, in nanoseconds, of a program that reads all these puzzles and prints what it reads.
/// The start-up of that program is subtracted. `None` if the time can't be measured within `allowance`, for example because the puzzles are
/// too few.
pub fn pipes_ns(puzzles: &[Puzzle], allowance: Duration, supervisor: &Arc<Supervisor>) -> Option<f64> {
    let echo = Lines::new(&ECHO.parse().ok()?, '.', supervisor);
    let start = Instant::now();
    let (mut starts, mut passes) = (Vec::new(), Vec::new());
    let form = AnswerForm { kind: AnswerKind::Any, limit: 1 };
    for _ in 0..ECHO_PASSES {
        starts.push(echo.start_up(allowance.saturating_sub(start.elapsed())).ok()?.pass.elapsed_ns);
        let answers = echo.answer(puzzles, form, allowance.saturating_sub(start.elapsed())).ok()?;
        passes.push(answers.is_complete.then_some(answers.pass.elapsed_ns)?);
    }
    let (start_up, pass) = (median_u64(&mut starts)?, median_u64(&mut passes)?);
    Some(pass.checked_sub(start_up)? as f64 / puzzles.len().max(1) as f64)
}

impl Contestant for Engine {
    fn name(&self) -> &str {
        &self.command.name
    }

    fn kind(&self) -> Kind {
        self.exchange.kind()
    }

    fn threads(&self) -> usize {
        1
    }

    fn answers(&self) -> Option<AnswerKind> {
        Some(self.form.kind)
    }

    fn warm_up(&mut self, puzzles: &[Puzzle], allowance: Allowance) -> Result<WarmUp, Fault> {
        if std::mem::take(&mut self.is_to_be_probed) {
            self.probe(allowance.time)?;
        }
        let start = Instant::now();
        // The runs that measure the start-up get the whole allowance, and so does the first pass. The probe puzzles had a time limit of
        // their own.
        if self.startup_ns.is_none() {
            self.startup_ns = Some(self.measure_startup(allowance)?);
        }
        self.last = self.exchange.answer(puzzles, self.form, allowance.time)?;
        if self.last.outcomes.is_empty() && !puzzles.is_empty() {
            let (within, used) = (allowance.in_words(), self.last.stopped().used_in_words());
            return Err(Fault(format!(
                "it gave no answer within {within}; it {used}: raise that limit, or use fewer puzzles with --sample"
            )));
        }
        Ok(WarmUp {
            outcomes: self.last.outcomes.clone(),
            pass_ns: self.last.pass.elapsed_ns,
            elapsed_ns: nanoseconds(start.elapsed()),
        })
    }

    fn answer_to_check(&mut self, puzzles: &[Puzzle], allowance: Duration) -> Result<Vec<Outcome>, Fault> {
        let reached = self.last.outcomes.len().min(puzzles.len());
        // If each puzzle has its own process, the run can continue after the last answered puzzle. If one process gets all puzzles, its
        // answers may depend on earlier puzzles, so the run starts again with the first puzzle.
        match self.exchange.kind() {
            Kind::Program => {
                let more = self.exchange.answer(&puzzles[reached..], self.form, allowance)?;
                self.last.outcomes.extend(more.outcomes);
                let later = |refused: Refused| Refused { index: reached + refused.index, ..refused };
                self.last.refused.extend(more.refused.into_iter().map(later));
            }
            _ => {
                let answers = self.exchange.answer(puzzles, self.form, allowance)?;
                if answers.outcomes.len() > reached {
                    self.last = answers;
                }
            }
        }
        Ok(self.last.outcomes.clone())
    }

    fn pass(
        &mut self,
        puzzles: &[Puzzle],
        outcomes: &mut [Outcome],
        allowance: Duration,
    ) -> Result<Option<Pass>, Fault> {
        self.last = self.exchange.answer(puzzles, self.form, allowance)?;
        if !self.last.is_complete {
            return Ok(None);
        }
        outcomes.copy_from_slice(&self.last.outcomes);
        Ok(Some(self.last.pass.clone()))
    }

    fn answer_one_by_one(
        &mut self,
        puzzles: &[Puzzle],
        longest: Duration,
        allowance: Duration,
    ) -> Option<Result<SingleTimes, Fault>> {
        if self.exchange.kind() != Kind::Engine {
            return None;
        }
        Some(self.exchange.answer_one_by_one(puzzles, self.form, longest, allowance).map(
            |OneByOne { output, times_ns }| {
                let (outcomes, refused) = self.form.outcomes(&output);
                let echo = (self.echo.as_ref())
                    .map(|echo| echo.answer_one_by_one(puzzles, self.form, longest, allowance));
                let echo_ns = echo.and_then(|echo| median_u64(&mut echo.ok()?.times_ns));
                self.last = Answers { outcomes: outcomes.clone(), refused, output, ..Answers::default() };
                SingleTimes { outcomes, times_ns, echo_ns }
            },
        ))
    }

    fn stopped(&self) -> Option<Stopped> {
        (!self.last.is_complete).then(|| self.last.stopped())
    }

    fn start_up(&mut self, allowance: Duration) -> Result<Option<Pass>, Fault> {
        let ran = self.exchange.start_up(allowance)?;
        Ok(ran.is_complete.then_some(ran.pass))
    }

    fn printed_lines(&self) -> Vec<&[u8]> {
        lines(&self.last.output).collect()
    }

    fn refused(&self) -> &[Refused] {
        &self.last.refused
    }

    fn work(&self) -> Vec<Work> {
        lines(&self.last.output).map(work_of_line).collect()
    }

    fn engine(&self) -> Option<EngineRecord> {
        Some(EngineRecord {
            command: self.command.text.clone(),
            protocol: Some(self.protocol.name().to_owned()),
            startup_ns: self.startup_ns.unwrap_or(0),
            cpu_ns: 0,
            peak_memory_bytes: 0,
            answers: Some(AnswersRecord {
                kind: self.form.kind,
                stated: self.stated,
                fault: self.fault.clone(),
            }),
        })
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::super::fixtures::{SOLUTION, puzzle};
    use super::*;
    use crate::process::fixtures::supervisor;
    use sudobench_sudoku::solver::Status;

    const MINUTE: Allowance = Allowance { time: Duration::from_secs(60), limit: "a minute" };

    fn engine(command: &str) -> Engine {
        let command = format!("e={command}").parse().unwrap();
        Engine::new(command, EngineProtocol::Lines, '.', None, &supervisor(false)).unwrap()
    }

    #[test]
    fn pipes_cost_some_time_for_each_puzzle() {
        let (puzzles, supervisor) = (vec![puzzle(); 50_000], supervisor(false));
        // On a busy machine, a start may take longer than a pass, and the cost is then unknown. So the test makes several attempts, and one
        // success is enough.
        let ns = (0..20).find_map(|_| pipes_ns(&puzzles, MINUTE.time, &supervisor)).unwrap();
        assert!(ns > 0.0 && ns < 1e6, "{ns}");
    }

    #[test]
    fn each_puzzle_has_its_line() {
        let mut solves = engine(&format!("sed s/.*/{SOLUTION}/"));
        let warm_up = solves.warm_up(&[puzzle(); 3], MINUTE).unwrap();
        assert_eq!(warm_up.outcomes.len(), 3);
        assert!(warm_up.outcomes.iter().all(|outcome| outcome.status == Status::Solved));
        assert!(solves.engine().unwrap().startup_ns > 0);
        let fault = engine("head -n 2").warm_up(&[puzzle(); 3], MINUTE).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "2 lines of output for 3 puzzles: an engine must print one line for each puzzle"
        );
        let mut nothing = [Outcome::ABORTED; 3];
        engine("cat").pass(&[puzzle(); 3], &mut nothing, MINUTE.time).unwrap().unwrap();
        assert_eq!(nothing[2].status, Status::Unsolvable);
    }
}
