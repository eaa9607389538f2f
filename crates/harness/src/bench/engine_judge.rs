//! Programs for a problem of an online judge (BOJ 2580 or 2239): each puzzle has its own process, which reads nine lines, prints nine lines
//! and ends.
//!
//! The time of a puzzle is the time of its process, from before its start until its end. The judge's limits do not apply here. The user can
//! set a time limit. The limits of the output and of the number of processes are high, and stop faulty programs. To see which puzzles are
//! within the judge's limits, use the command `judge` or budgets.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::solver::{Outcome, Status};

use super::engine_text::AnswerForm;
use super::exchange::{Answers, Exchange, StartUp};
use super::{Fault, Refused};
use crate::figures::count;
use crate::problem::Problem;
use crate::process::{End, LimitedProgram, Limits, NamedCommand, Run, Supervisor, absolute_argv};
use crate::record::{Kind, Verdict};

/// A solved board, for the runs that measure the start-up.
const SOLVED_BOARD: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Largest output of a run, in bytes. An answer is far smaller.
const OUTPUT_BYTES: u64 = 4 << 20;

/// Maximum number of processes of a run. Some systems count threads instead of processes, and then the number of threads is limited to a
/// multiple of this number. An interpreter may have many threads, so the limit is high.
const PROCESSES: u64 = 1_000;

/// If less than this is left of the time for all puzzles, no further run starts.
const SHORTEST: Duration = Duration::from_millis(1);

/// An engine that starts a process for each puzzle.
pub(super) struct JudgedProcesses {
    argv: Vec<String>,
    problem: Problem,
    max_time: Option<Duration>,
    supervisor: Arc<Supervisor>,
}

impl JudgedProcesses {
    /// Makes an engine for `problem` that may take `max_time` for each puzzle.
    ///
    /// # Errors
    /// [`Fault`] if the program of the command does not exist or is not executable.
    pub(super) fn new(
        command: &NamedCommand,
        problem: Problem,
        max_time: Option<Duration>,
        supervisor: &Arc<Supervisor>,
    ) -> Result<JudgedProcesses, Fault> {
        let argv = absolute_argv(&command.argv)?;
        Ok(JudgedProcesses { argv, problem, max_time, supervisor: Arc::clone(supervisor) })
    }

    /// Runs the program on a puzzle, for at most this time.
    fn run(&self, puzzle: &Puzzle, wall: Duration) -> Result<Run, Fault> {
        let limits = Limits {
            cpu: None,
            wall,
            memory_bytes: None,
            address_space_bytes: None,
            output_bytes: OUTPUT_BYTES,
            processes: PROCESSES,
        };
        let program = LimitedProgram { argv: self.argv.clone(), environment: Vec::new(), limits };
        self.supervisor.run(&program, self.problem.input(puzzle).as_bytes())
    }

    /// Returns the outcome of a run on a puzzle. If the answer is refused, also returns the reason.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the run failed. The message names the puzzle, so that users can repeat the run.
    fn outcome(&self, puzzle: &Puzzle, run: &Run) -> Result<(Outcome, Option<String>), Fault> {
        if let Some(end) = bad_end(run) {
            return Err(Fault(format!("on the puzzle {puzzle} it {end}")));
        }
        let (ruling, elapsed_ns) = (self.problem.check(puzzle, None, &run.output), run.wall_ns);
        if ruling.verdict != Verdict::Accepted {
            return Ok((Outcome { elapsed_ns, ..Outcome::CONTRADICTORY }, Some(ruling.reason)));
        }
        let solution = self.problem.solution_of(&run.output);
        Ok((Outcome { status: Status::Solved, count: 1, solution, elapsed_ns, ..Outcome::ABORTED }, None))
    }
}

/// Describes how a run failed, as the rest of a sentence that begins with "it". The description contains the beginning of the program's
/// standard error. Returns `None` if the run succeeded.
fn bad_end(run: &Run) -> Option<String> {
    let end = match &run.end {
        End::Exited(0) => return None,
        End::Exited(code) => format!("ended with exit code {code}"),
        End::Signalled(signal) => format!("was ended by signal {signal}"),
        End::Output => format!("printed more than {OUTPUT_BYTES} bytes"),
        End::Processes => format!("had more than {} processes", count(PROCESSES)),
        End::NotStarted(reason) => format!("could not be started: {reason}"),
        End::CpuTime | End::WallTime | End::Stopped => "took too long".to_owned(),
        End::Memory => "used too much memory".to_owned(),
    };
    Some(if run.stderr_start.is_empty() { end } else { format!("{end}: {}", run.stderr_start) })
}

impl Exchange for JudgedProcesses {
    fn kind(&self) -> Kind {
        Kind::Program
    }

    fn start_up_runs(&self) -> StartUp {
        StartUp { runs: 5, on: "a solved board", remedy: "" }
    }

    /// Runs the program on a solved board. The output and the exit code are ignored; the runs on puzzles show whether the program works.
    fn start_up(&self, allowance: Duration) -> Result<Answers, Fault> {
        let board =
            SOLVED_BOARD.parse().map_err(|_| Fault("the solved board is not a valid puzzle".to_owned()))?;
        let run = self.run(&board, allowance)?;
        let mut answers = Answers { is_complete: run.end != End::WallTime, ..Answers::default() };
        answers.pass.add(&run);
        Ok(answers)
    }

    fn answer(&self, puzzles: &[Puzzle], _form: AnswerForm, allowance: Duration) -> Result<Answers, Fault> {
        let (start, mut answers) = (Instant::now(), Answers::default());
        for (index, puzzle) in puzzles.iter().enumerate() {
            let left = allowance.saturating_sub(start.elapsed());
            if left < SHORTEST {
                return Ok(answers);
            }
            let most = self.max_time.map_or(left, |most| most.min(left));
            let run = self.run(puzzle, most)?;
            let outcome = match run.end {
                End::WallTime if self.max_time == Some(most) => {
                    Outcome { elapsed_ns: run.wall_ns, ..Outcome::ABORTED }
                }
                End::WallTime => {
                    answers.broken_off.add(&run);
                    return Ok(answers);
                }
                _ => {
                    let (outcome, refused) = self.outcome(puzzle, &run)?;
                    let output = run.output.clone();
                    answers.refused.extend(refused.map(|reason| Refused { index, reason, output }));
                    outcome
                }
            };
            answers.pass.add(&run);
            answers.outcomes.push(outcome);
        }
        Ok(Answers { is_complete: true, ..answers })
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::super::fixtures::{SOLUTION, puzzle};
    use super::*;
    use crate::process::fixtures::supervisor;
    use sudobench_rows::Preset;
    use sudobench_sudoku::puzzle::Solution;

    fn program() -> JudgedProcesses {
        let command = "p=cat".parse().unwrap();
        JudgedProcesses::new(&command, Problem::new(Preset::Boj2580), None, &supervisor(false)).unwrap()
    }

    fn ran(end: End, output: &str, message: &str) -> Run {
        Run { wall_ns: 7, output: output.into(), stderr_start: message.to_owned(), ..Run::from_end(end) }
    }

    #[test]
    fn an_answer_in_the_form_of_the_problem_is_accepted() {
        let solution = Solution::from_text(SOLUTION.as_bytes()).unwrap();
        let output = Problem::new(Preset::Boj2580).output(&solution);
        let (outcome, refused) = program().outcome(&puzzle(), &ran(End::Exited(0), &output, "")).unwrap();
        assert_eq!(refused, None);
        assert_eq!(
            (outcome.status, outcome.solution, outcome.elapsed_ns),
            (Status::Solved, Some(solution), 7)
        );
    }

    #[test]
    fn all_other_ends_of_a_run_are_reported() {
        let compact =
            Problem::new(Preset::Boj2239).output(&Solution::from_text(SOLUTION.as_bytes()).unwrap());
        let refused = [
            ("", "it printed nothing"),
            ("no solution\n", "line 1 is `no solution`, not nine digits"),
            (&compact, "line 1 is `534678912`, not nine digits 1 to 9 with one space"),
        ];
        for (output, message) in refused {
            let (_, reason) = program().outcome(&puzzle(), &ran(End::Exited(0), output, "")).unwrap();
            assert!(reason.as_ref().unwrap().contains(message), "{reason:?}");
        }
        let rows = [
            (ran(End::Exited(3), &compact, "no table"), "it ended with exit code 3: no table"),
            (ran(End::Signalled(11), "", ""), "it was ended by signal 11"),
            (ran(End::Output, "", ""), "it printed more than 4194304 bytes"),
            (ran(End::Processes, "", ""), "it had more than 1,000 processes"),
            (
                ran(End::NotStarted("Permission denied".to_owned()), "", ""),
                "it could not be started: Permission",
            ),
        ];
        for (run, message) in rows {
            let fault = program().outcome(&puzzle(), &run).unwrap_err().to_string();
            assert!(fault.contains(message) && fault.contains(&puzzle().to_string()), "{fault}");
        }
    }
}
