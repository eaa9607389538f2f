//! An external program as a contestant: a puzzle a line on its input, a line a puzzle on its output.

use std::time::Duration;

use super::engine_process::{Ran, run};
use super::{Contestant, Fault, Pass, WarmUp};
use crate::record::{EngineRecord, Kind};
use crate::statistics::median_u64;
use sudobench_sudoku::puzzle::{CELLS, Puzzle, Solution};
use sudobench_sudoku::solver::{Outcome, Status};

/// Runs on an empty input; the median of them is the start-up.
const STARTUP_RUNS: usize = 3;

/// An external engine.
pub struct Engine {
    name: String,
    command: String,
    words: Vec<String>,
    blank: char,
    /// No run takes longer than this.
    allowance: Duration,
    startup_ns: Option<u64>,
}

impl Engine {
    /// Reads `NAME=CMD`, the command split into words as a shell does it. `blank` stands for a blank cell in
    /// what the engine is given; a run is killed after `allowance`.
    ///
    /// # Errors
    /// [`Fault`] where the text has no name, no command or an open quote.
    pub fn parse(text: &str, blank: char, allowance: Duration) -> Result<Engine, Fault> {
        let form = || Fault(format!("`{text}` is not an engine: write NAME='COMMAND ARGUMENTS'"));
        let (name, command) = text.split_once('=').ok_or_else(form)?;
        let words = shell_words::split(command).map_err(|_| form())?;
        if name.trim().is_empty() || words.is_empty() {
            return Err(form());
        }
        let (name, command) = (name.trim().to_owned(), command.to_owned());
        Ok(Engine { name, command, words, blank, allowance, startup_ns: None })
    }

    /// The input for these puzzles.
    fn input(&self, puzzles: &[Puzzle]) -> Vec<u8> {
        let mut encoded = [0; 4];
        let blank = self.blank.encode_utf8(&mut encoded).as_bytes();
        let mut input = Vec::with_capacity(puzzles.len() * (CELLS + 1));
        for puzzle in puzzles {
            for &value in puzzle.values() {
                if value == 0 { input.extend_from_slice(blank) } else { input.push(b'0' + value) }
            }
            input.push(b'\n');
        }
        input
    }

    fn measure_startup(&mut self) -> Result<u64, Fault> {
        let mut times = Vec::new();
        for _ in 0..STARTUP_RUNS {
            times.push(run(&self.words, b"", self.allowance)?.pass.elapsed_ns);
        }
        Ok(median_u64(&mut times).unwrap_or(0))
    }
}

/// The solution that a line of an engine's output holds: the last run of exactly 81 digits 1 to 9. So the
/// engine may print the puzzle and counts beside it, as `puzzle:count:solution`.
pub fn answer_of_line(line: &[u8]) -> Option<Solution> {
    line.split(|byte| !(b'1'..=b'9').contains(byte)).rev().find_map(|word| Solution::from_text(word).ok())
}

/// The outcomes that whole lines of output stand for.
fn outcomes_of(output: &[u8]) -> Vec<Outcome> {
    let lines = output.split_inclusive(|&byte| byte == b'\n');
    lines
        .map(|line| match answer_of_line(line) {
            Some(solution) => {
                Outcome { status: Status::Solved, count: 1, solution: Some(solution), ..Outcome::ABORTED }
            }
            None => Outcome::CONTRADICTORY,
        })
        .collect()
}

/// The outcomes of a run that was not cut short: one for each puzzle.
fn whole(ran: &Ran, puzzles: usize) -> Result<Vec<Outcome>, Fault> {
    let outcomes = outcomes_of(&ran.output);
    match outcomes.len() == puzzles {
        true => Ok(outcomes),
        false => Err(Fault(format!(
            "{} lines of output for {puzzles} puzzles: an engine prints one line for each",
            outcomes.len()
        ))),
    }
}

impl Contestant for Engine {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> Kind {
        Kind::Engine
    }

    fn threads(&self) -> usize {
        1
    }

    fn warm_up(&mut self, puzzles: &[Puzzle], allowance: Duration) -> Result<WarmUp, Fault> {
        if self.startup_ns.is_none() {
            self.startup_ns = Some(self.measure_startup()?);
        }
        let ran = run(&self.words, &self.input(puzzles), allowance)?;
        let elapsed_ns = ran.pass.elapsed_ns;
        if !ran.out_of_time {
            return Ok(WarmUp { outcomes: whole(&ran, puzzles.len())?, pass_ns: elapsed_ns, elapsed_ns });
        }
        let last_line_end = ran.output.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut outcomes = outcomes_of(&ran.output[..last_line_end]);
        outcomes.truncate(puzzles.len());
        match outcomes.is_empty() {
            true => Err(Fault(format!(
                "no answer within {}: raise --max-time, or take fewer puzzles with --sample",
                humantime::format_duration(allowance)
            ))),
            false => Ok(WarmUp { outcomes, pass_ns: elapsed_ns, elapsed_ns }),
        }
    }

    fn pass(&mut self, puzzles: &[Puzzle], outcomes: &mut [Outcome]) -> Result<Pass, Fault> {
        let ran = run(&self.words, &self.input(puzzles), self.allowance)?;
        if ran.out_of_time {
            let allowance = humantime::format_duration(self.allowance);
            return Err(Fault(format!("a pass did not end within {allowance}: raise --max-time")));
        }
        outcomes.copy_from_slice(&whole(&ran, puzzles.len())?);
        Ok(ran.pass)
    }

    fn engine(&self) -> Option<EngineRecord> {
        Some(EngineRecord {
            command: self.command.clone(),
            startup_ns: self.startup_ns.unwrap_or(0),
            cpu_ns: 0,
            peak_memory_bytes: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{PUZZLE, SOLUTION, puzzle};
    use super::*;

    fn engine(command: &str) -> Engine {
        Engine::parse(&format!("e={command}"), '.', Duration::from_secs(60)).unwrap()
    }

    #[test]
    fn a_solution_is_found_in_the_lines_that_engines_print() {
        let expected = Solution::from_text(SOLUTION.as_bytes()).ok();
        for line in [
            SOLUTION.to_owned(),
            format!("{PUZZLE}:1:{SOLUTION}\n"),
            format!("{SOLUTION},{SOLUTION}\r\n"),
            format!("{} {SOLUTION} 12 guesses", PUZZLE.replace('.', "0")),
        ] {
            assert_eq!(answer_of_line(line.as_bytes()), expected, "{line}");
        }
        assert_eq!(answer_of_line(format!("{PUZZLE}:0:").as_bytes()), None);
        assert_eq!(answer_of_line(&[b'1'; 82]), None);
    }

    #[test]
    fn what_is_not_an_engine_is_told_how_to_write_one() {
        for text in ["tdoku", "=solve", "name=", "name='open"] {
            let fault = Engine::parse(text, '.', Duration::MAX).err().unwrap().to_string();
            assert!(fault.ends_with("write NAME='COMMAND ARGUMENTS'"), "{fault}");
        }
    }

    #[test]
    fn an_engine_is_given_the_blank_of_its_choice() {
        let engine = Engine::parse("e=cat", '0', Duration::MAX).unwrap();
        assert_eq!(engine.input(&[puzzle()]), format!("{}\n", PUZZLE.replace('.', "0")).as_bytes());
    }

    #[cfg(unix)]
    #[test]
    fn each_puzzle_has_its_line() {
        let mut solves = engine(&format!("sed s/.*/{SOLUTION}/"));
        let warm_up = solves.warm_up(&[puzzle(); 3], Duration::from_secs(60)).unwrap();
        assert_eq!(warm_up.outcomes.len(), 3);
        assert!(warm_up.outcomes.iter().all(|outcome| outcome.status == Status::Solved));
        assert!(solves.engine().unwrap().startup_ns > 0);
        let fault = engine("head -n 2").warm_up(&[puzzle(); 3], Duration::from_secs(60)).unwrap_err();
        assert_eq!(fault.to_string(), "2 lines of output for 3 puzzles: an engine prints one line for each");
        let mut nothing = [Outcome::ABORTED; 3];
        engine("cat").pass(&[puzzle(); 3], &mut nothing).unwrap();
        assert_eq!(nothing[2].status, Status::Unsolvable);
    }
}
