//! An engine as the solver for which `generate` searches hard puzzles.
//!
//! The engine is started again for each puzzle, so that no answer depends on the puzzles before it. The engine has to print its work as
//! `nodes=N` or `guesses=N`. Processor time cannot be used, because it differs from run to run, so the generated puzzles would differ, too.
//!
//! A [`Solver`] has no way to fail, but an engine can. So the first failure is stored, and the supervisor's stop flag is set. `generate`
//! then ends as if Ctrl-C was pressed, and [`EngineSolverFactory::failure`] returns the failure.

use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solver::{Auto, Outcome, Question, Solver, SolverFactory};

use super::agreement::check_alone;
use super::engine_lines::easy_puzzle;
use super::wrong::printed;
use super::{Contestant as _, Engine, EngineProtocol, Fault, in_words};
use crate::process::{NamedCommand, Supervisor};

/// Makes solvers that run an engine, which must print how much work each puzzle took.
pub struct EngineSolverFactory(Arc<Setup>);

/// The data that all solvers of the engine share.
struct Setup {
    command: NamedCommand,
    protocol: EngineProtocol,
    blank: char,
    max_silence: Duration,
    supervisor: Arc<Supervisor>,
    identity: String,
    failure: OnceLock<Fault>,
}

impl EngineSolverFactory {
    /// Makes the solver factory for an engine. `blank` is the character for a blank cell in the engine's input. An answer that takes longer
    /// than `max_silence` is a failure. The caller must end its search when the supervisor's stop flag is set.
    ///
    /// # Errors
    /// [`Fault`] if the command doesn't suit the protocol, or if the protocol belongs to a problem of the judge.
    pub fn new(
        command: NamedCommand,
        protocol: EngineProtocol,
        blank: char,
        max_silence: Duration,
        supervisor: &Arc<Supervisor>,
    ) -> Result<EngineSolverFactory, Fault> {
        if let EngineProtocol::Judge(_) = protocol {
            return Err(Fault(format!(
                "a program of --engine-protocol {} cannot print how much work it did: use the protocol `lines`, `files` or `library`",
                protocol.name()
            )));
        }
        let identity = format!("engine {} ({})", command.text, protocol.name());
        let supervisor = Arc::clone(supervisor);
        let setup =
            Setup { command, protocol, blank, max_silence, supervisor, identity, failure: OnceLock::new() };
        setup.engine()?;
        Ok(EngineSolverFactory(Arc::new(setup)))
    }

    /// Runs the engine on an easy puzzle. Returns false if the engine fails or is interrupted.
    pub fn is_ready(&self) -> bool {
        easy_puzzle().is_ok_and(|easy| self.0.work(&easy).is_some())
    }

    /// Returns the first failure.
    pub fn failure(&self) -> Option<&Fault> {
        self.0.failure.get()
    }
}

impl Setup {
    fn engine(&self) -> Result<Engine, Fault> {
        Engine::new(self.command.clone(), self.protocol, self.blank, None, &self.supervisor)
    }

    /// Like [`Setup::printed_work`], but if the engine fails, stores the failure, sets the supervisor's stop flag and returns `None`.
    fn work(&self, puzzle: &Puzzle) -> Option<u64> {
        match self.printed_work(puzzle) {
            Ok(work) => Some(work),
            // An interrupted engine has not failed.
            Err(_) if self.supervisor.is_interrupted() => None,
            Err(Fault(fault)) => {
                let message = format!("{} on the puzzle {puzzle}: {fault}", self.command.name);
                // Only the first failure is reported.
                let _ = self.failure.set(Fault(message));
                self.supervisor.interrupt_flag().store(true, Ordering::SeqCst);
                None
            }
        }
    }

    /// Returns the amount of work (nodes or guesses) that the engine prints for a puzzle.
    ///
    /// # Errors
    /// [`Fault`] if the engine fails, its answer is wrong, or it prints no number.
    fn printed_work(&self, puzzle: &Puzzle) -> Result<u64, Fault> {
        let mut engine = self.engine()?;
        let mut outcomes = [Outcome::ABORTED];
        if engine.pass(&[*puzzle], &mut outcomes, self.max_silence)?.is_none() {
            let within = in_words(self.max_silence);
            return Err(Fault(format!("no answer within {within}: raise --max-silence")));
        }
        let what = || printed(&engine, 0, puzzle).unwrap_or_default();
        check_alone(puzzle, &outcomes[0])
            .map_err(|reason| Fault(format!("the answer {reason}; {}", what())))?;
        if outcomes[0].solution.is_none() {
            return Err(Fault(format!("the engine gave no solution; {}", what())));
        }
        let work = engine.work().into_iter().next().unwrap_or_default();
        if let Some(word) = work.unreadable {
            return Err(Fault(format!(
                "the engine printed {word}, which is not a whole number of at least 0"
            )));
        }
        work.nodes.or(work.guesses).ok_or_else(|| {
            Fault(format!(
                "the engine did not print how hard the puzzle was: make it print nodes=N or guesses=N after the solution (a shared library returns the number of guesses); {}",
                what()
            ))
        })
    }
}

impl SolverFactory for EngineSolverFactory {
    fn identity(&self) -> &str {
        &self.0.identity
    }

    fn build(&self, level: Level) -> Result<Box<dyn Solver>, LevelError> {
        Ok(Box::new(EngineSolver { setup: Arc::clone(&self.0), solver: Auto::new(level)? }))
    }
}

impl fmt::Debug for EngineSolverFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EngineSolverFactory").field(&self.0.identity).finish()
    }
}

/// Finds the answers with a built-in solver, but reports the engine's work as the number of nodes.
struct EngineSolver {
    setup: Arc<Setup>,
    solver: Auto,
}

impl Solver for EngineSolver {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        let is_allowed = |nodes: &u64| question.max_nodes.is_none_or(|most| *nodes <= most);
        let Some(nodes) = self.setup.work(puzzle).filter(is_allowed) else { return Outcome::ABORTED };
        let unlimited = Question { max_nodes: None, cancel: None, ..question.clone() };
        Outcome { nodes, ..self.solver.solve(puzzle, &unlimited) }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::super::fixtures::{SOLUTION, puzzle};
    use super::*;
    use crate::process::fixtures::supervisor;

    fn engine(script: &str, max_silence: Duration) -> EngineSolverFactory {
        let command = format!("mine=sh -c \"{script}\"").parse().unwrap();
        EngineSolverFactory::new(command, EngineProtocol::Lines, '.', max_silence, &supervisor(false))
            .unwrap()
    }

    fn solve(engine: &EngineSolverFactory, max_nodes: u64) -> Outcome {
        let question = Question { max_nodes: Some(max_nodes), ..Question::unique() };
        engine.build(Level::Baseline).unwrap().solve(&puzzle(), &question)
    }

    #[test]
    fn the_printed_work_is_the_measure() {
        use sudobench_sudoku::solver::Status::{Aborted, Unique};
        let long = Duration::from_secs(60);
        for (script, limit, expected) in [
            (format!("sed s/.*/{SOLUTION}\\ nodes=7\\ guesses=3/"), 7, (Unique, 7)),
            (format!("sed s/.*/{SOLUTION}\\ guesses=3/"), 9, (Unique, 3)),
            (format!("sed s/.*/{SOLUTION}\\ nodes=7/"), 6, (Aborted, 0)),
        ] {
            let engine = engine(&script, long);
            let outcome = solve(&engine, limit);
            assert_eq!((outcome.status, outcome.nodes), expected, "{script}: {:?}", engine.failure());
            assert!(engine.failure().is_none());
        }
    }

    #[test]
    fn a_failure_is_kept_and_ends_the_run() {
        let wrong = format!("435{}", &SOLUTION[3..]);
        let long = Duration::from_secs(60);
        for (script, max_silence, message) in [
            ("exit 3".to_owned(), long, "`sh` ended with exit status: 3"),
            (
                "sleep 600".to_owned(),
                Duration::from_millis(200),
                "no answer within 200ms: raise --max-silence",
            ),
            (format!("sed s/.*/{wrong}\\ nodes=1/"), long, "the answer is wrong: r1c1 differs from the clue"),
            (
                "sed s/.*/none/".to_owned(),
                long,
                "the engine gave no solution; for this puzzle, the engine printed `none`",
            ),
            (format!("sed s/.*/{SOLUTION}/"), long, "print nodes=N or guesses=N after the solution"),
            (
                format!("sed s/.*/{SOLUTION}\\ nodes=x/"),
                long,
                "printed `nodes=x`, which is not a whole number",
            ),
        ] {
            let engine = engine(&script, max_silence);
            assert_eq!(solve(&engine, 9).status, sudobench_sudoku::Status::Aborted);
            let failure = engine.failure().unwrap().to_string();
            let start = format!("mine on the puzzle {}: ", puzzle());
            assert!(failure.starts_with(&start) && failure.contains(message), "{script}: {failure}");
            assert!(engine.0.supervisor.is_interrupted());
        }
    }
}
