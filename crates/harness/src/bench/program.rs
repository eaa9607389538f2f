//! A program that was written for a problem of the judge as a contestant: a process for each puzzle, which reads nine
//! lines, prints nine and ends.
//!
//! The time of a puzzle is that of its process, from before its start until its end. The judge's limits do not hold
//! here, but for a time limit that was asked for: what stays within them is told by `judge` and by budgets.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::solver::{Outcome, Status};

use super::engine::{ALLOWANCE, no_answer_within};
use super::{Contestant, Fault, Pass, WarmUp, in_words};
use crate::figures::count;
use crate::problem::Problem;
use crate::process::{End, LimitedProgram, Limits, NamedCommand, Run, Supervisor, absolute_words};
use crate::record::{EngineRecord, Kind, Verdict};
use crate::statistics::median_u64;

/// Runs on a full board; the median of them is the start-up.
const STARTUP_RUNS: usize = 5;

/// A board that is full already.
const FULL_BOARD: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// What a run may print, in bytes: far more than an answer.
const OUTPUT_BYTES: u64 = 4 << 20;

/// Processes that a run may have at a time: an interpreter has threads of its own.
const PROCESSES: u64 = 1_000;

/// The shortest time that a run is worth starting for.
const SHORTEST: Duration = Duration::from_millis(1);

/// A program of a problem.
pub struct Program {
    command: NamedCommand,
    /// The command as it is started.
    words: Vec<String>,
    problem: Problem,
    /// A puzzle is given up after this.
    max_time: Option<Duration>,
    supervisor: Arc<Supervisor>,
    startup_ns: Option<u64>,
}

impl Program {
    /// A program of `problem`, which gives a puzzle up after `max_time`; `supervisor` starts it.
    ///
    /// # Errors
    /// [`Fault`] where there is no such program.
    pub fn new(
        command: NamedCommand,
        problem: Problem,
        max_time: Option<Duration>,
        supervisor: &Arc<Supervisor>,
    ) -> Result<Program, Fault> {
        let words = absolute_words(&command.words)?;
        let supervisor = Arc::clone(supervisor);
        Ok(Program { command, words, problem, max_time, supervisor, startup_ns: None })
    }

    /// The program with a limit of time alone, and bounds that nothing sane meets.
    fn limited(&self, wall: Duration) -> LimitedProgram {
        let limits = Limits {
            cpu: None,
            wall,
            memory_bytes: None,
            address_space_bytes: None,
            output_bytes: OUTPUT_BYTES,
            processes: PROCESSES,
        };
        LimitedProgram { words: self.words.clone(), environment: Vec::new(), limits }
    }

    /// Runs within `allowance`, each within `max_time`.
    fn runs(&self, max_time: Option<Duration>, allowance: Duration) -> Runs<'_> {
        Runs { program: self, max_time, start: Instant::now(), allowance, pass: Pass::default() }
    }

    /// The median of some runs on a full board; of fewer where they take half the allowance. What such a run prints,
    /// and how it ends, is not asked: the puzzles tell.
    fn measure_startup(&self, allowance: Duration) -> Result<u64, Fault> {
        let board = full_board()?;
        let (mut runs, mut times) = (self.runs(None, allowance), Vec::new());
        while times.is_empty() || (times.len() < STARTUP_RUNS && runs.start.elapsed() < allowance / 2) {
            match runs.run(&board)? {
                Ran::Ended(run) => times.push(run.wall_ns),
                Ran::GivenUp(_) | Ran::OutOfTime if times.is_empty() => {
                    return Err(Fault(format!(
                        "on a full board it did not end within {}, {ALLOWANCE}: raise that",
                        in_words(allowance)
                    )));
                }
                Ran::GivenUp(_) | Ran::OutOfTime => break,
            }
        }
        Ok(median_u64(&mut times).unwrap_or(0))
    }

    /// The outcome of a run on a puzzle.
    ///
    /// # Errors
    /// [`Fault`] where it is no answer, with the puzzle: so it can be tried again.
    fn outcome(&self, puzzle: &Puzzle, run: &Run) -> Result<Outcome, Fault> {
        if let Some(end) = bad_end(run) {
            return Err(Fault(format!("on the puzzle {puzzle} it {end}")));
        }
        let ruling = self.problem.check(puzzle, None, &run.output);
        if ruling.verdict != Verdict::Accepted {
            return Err(Fault(format!("wrong answer: on the puzzle {puzzle}: {}", ruling.words)));
        }
        let (solution, elapsed_ns) = (self.problem.solution_of(&run.output), run.wall_ns);
        Ok(Outcome { status: Status::Solved, count: 1, solution, elapsed_ns, ..Outcome::ABORTED })
    }
}

/// How a run ended that did not end well, in words that follow "it"; with what it said last.
fn bad_end(run: &Run) -> Option<String> {
    let end = match &run.end {
        End::Exited(0) => return None,
        End::Exited(code) => format!("ended with exit code {code}"),
        End::Signalled(signal) => format!("was ended by signal {signal}"),
        End::Output => format!("printed more than {OUTPUT_BYTES} bytes"),
        End::Processes => format!("had more than {} processes", count(PROCESSES)),
        End::NotStarted(reason) => format!("could not be started: {reason}"),
        End::CpuTime | End::WallTime | End::Stopped => "took too long".to_owned(),
        End::Memory => "had too much memory".to_owned(),
    };
    Some(if run.words.is_empty() { end } else { format!("{end}: {}", run.words) })
}

fn full_board() -> Result<Puzzle, Fault> {
    FULL_BOARD.parse().map_err(|_| Fault("the full board is none".to_owned()))
}

/// The runs of a pass.
struct Runs<'p> {
    program: &'p Program,
    max_time: Option<Duration>,
    start: Instant,
    allowance: Duration,
    /// What they took together.
    pass: Pass,
}

/// What came of a run.
enum Ran {
    /// It ended by itself, or for another reason than time.
    Ended(Run),
    /// It was ended at the limit for a puzzle.
    GivenUp(Run),
    /// It was not started, or ended, because the time of the pass is over.
    OutOfTime,
}

impl Runs<'_> {
    fn run(&mut self, puzzle: &Puzzle) -> Result<Ran, Fault> {
        let left = self.allowance.saturating_sub(self.start.elapsed());
        if left < SHORTEST {
            return Ok(Ran::OutOfTime);
        }
        let wanted = self.max_time.map_or(left, |most| most.min(left));
        let input = self.program.problem.input(puzzle);
        let run = self.program.supervisor.run(&self.program.limited(wanted), input.as_bytes())?;
        self.pass.add(&run);
        Ok(match run.end {
            End::WallTime if self.max_time == Some(wanted) => Ran::GivenUp(run),
            End::WallTime => Ran::OutOfTime,
            _ => Ran::Ended(run),
        })
    }

    /// The outcome of a puzzle; `None` where the time of the pass is over.
    fn outcome(&mut self, puzzle: &Puzzle) -> Result<Option<Outcome>, Fault> {
        match self.run(puzzle)? {
            Ran::Ended(run) => Ok(Some(self.program.outcome(puzzle, &run)?)),
            Ran::GivenUp(run) => Ok(Some(Outcome { elapsed_ns: run.wall_ns, ..Outcome::ABORTED })),
            Ran::OutOfTime => Ok(None),
        }
    }
}

impl Contestant for Program {
    fn name(&self) -> &str {
        &self.command.name
    }

    fn kind(&self) -> Kind {
        Kind::Program
    }

    fn threads(&self) -> usize {
        1
    }

    fn warm_up(&mut self, puzzles: &[Puzzle], allowance: Duration) -> Result<WarmUp, Fault> {
        let start = Instant::now();
        if self.startup_ns.is_none() {
            self.startup_ns = Some(self.measure_startup(allowance)?);
        }
        let (mut runs, mut outcomes) = (self.runs(self.max_time, allowance), Vec::new());
        let mut pass_ns = 0;
        for puzzle in puzzles {
            let Some(outcome) = runs.outcome(puzzle)? else { break };
            outcomes.push(outcome);
            pass_ns = runs.pass.elapsed_ns;
        }
        match outcomes.is_empty() {
            true => Err(no_answer_within(allowance)),
            false => Ok(WarmUp { outcomes, pass_ns, elapsed_ns: nanoseconds(start.elapsed()) }),
        }
    }

    fn pass(
        &mut self,
        puzzles: &[Puzzle],
        outcomes: &mut [Outcome],
        allowance: Duration,
    ) -> Result<Option<Pass>, Fault> {
        let mut runs = self.runs(self.max_time, allowance);
        for (puzzle, outcome) in puzzles.iter().zip(outcomes) {
            let Some(found) = runs.outcome(puzzle)? else { return Ok(None) };
            *outcome = found;
        }
        Ok(Some(runs.pass))
    }

    fn start_up(&mut self, allowance: Duration) -> Result<Option<Pass>, Fault> {
        let board = full_board()?;
        let mut runs = self.runs(None, allowance);
        Ok(matches!(runs.run(&board)?, Ran::Ended(_)).then_some(runs.pass))
    }

    fn engine(&self) -> Option<EngineRecord> {
        Some(EngineRecord {
            command: self.command.text.clone(),
            startup_ns: self.startup_ns.unwrap_or(0),
            cpu_ns: 0,
            peak_memory_bytes: 0,
        })
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::super::fixtures::{SOLUTION, puzzle};
    use super::*;
    use crate::process::fixtures::supervisor;
    use sudobench_rows::Preset;
    use sudobench_sudoku::puzzle::Solution;

    fn program() -> Program {
        let command = "p=cat".parse().unwrap();
        Program::new(command, Problem::of(Preset::Boj2580), None, &supervisor(false)).unwrap()
    }

    fn ran(end: End, output: &str, words: &str) -> Run {
        Run { wall_ns: 7, output: output.into(), words: words.to_owned(), ..Run::that(end) }
    }

    #[test]
    fn an_answer_in_the_form_of_the_problem_is_one() {
        let solution = Solution::from_text(SOLUTION.as_bytes()).unwrap();
        let output = Problem::of(Preset::Boj2580).output(&solution);
        let outcome = program().outcome(&puzzle(), &ran(End::Exited(0), &output, "")).unwrap();
        assert_eq!(
            (outcome.status, outcome.solution, outcome.elapsed_ns),
            (Status::Solved, Some(solution), 7)
        );
    }

    #[test]
    fn whatever_else_comes_of_a_run_is_told_with_its_puzzle() {
        let compact = Problem::of(Preset::Boj2239).output(&Solution::from_text(SOLUTION.as_bytes()).unwrap());
        let rows = [
            (ran(End::Exited(0), "", ""), "it printed nothing"),
            (ran(End::Exited(0), "no solution\n", ""), "line 1 is `no solution`, not nine digits"),
            (
                ran(End::Exited(0), &compact, ""),
                "line 1 is `534678912`, not nine digits 1 to 9 with one space",
            ),
            (ran(End::Exited(3), &compact, "no table"), "it ended with exit code 3: no table"),
            (ran(End::Signalled(11), "", ""), "it was ended by signal 11"),
            (ran(End::Output, "", ""), "it printed more than 4194304 bytes"),
            (ran(End::Processes, "", ""), "it had more than 1,000 processes"),
            (
                ran(End::NotStarted("Permission denied".to_owned()), "", ""),
                "it could not be started: Permission",
            ),
        ];
        for (run, words) in rows {
            let fault = program().outcome(&puzzle(), &run).unwrap_err().to_string();
            assert!(fault.contains(words) && fault.contains(&puzzle().to_string()), "{fault}");
        }
    }
}
