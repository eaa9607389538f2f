//! An external program as a contestant: a puzzle a line on its input, a line a puzzle on its output.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::puzzle::{CELLS, Puzzle, Solution};
use sudobench_sudoku::solver::{Outcome, Status};

use super::{Contestant, Fault, Pass, WarmUp, in_words};
use crate::figures::counted;
use crate::process::{Children, Output, TICK};
use crate::record::{EngineRecord, Kind};
use crate::statistics::median_u64;

/// Runs on an empty input; the median of them is the start-up.
const STARTUP_RUNS: usize = 3;

/// How long a program may take to end after it closed its output, and how long its output may stay open after it
/// ended with answers missing: what it started may still print them.
const GRACE: Duration = Duration::from_secs(2);

/// How long the output may stay open after the program ended with all its answers given.
const SHORT_GRACE: Duration = Duration::from_millis(20);

/// The shortest wait for the end of a program that has nothing more to print; each is twice the last, up to [`TICK`].
const FIRST_WAIT: Duration = Duration::from_micros(50);

/// Bytes of output that are kept of a run: this many for each puzzle, and once the rest.
const BYTES_OF_A_LINE: usize = 512;
const BYTES_BESIDES: usize = 1 << 20;

/// Of a printed line this many characters are shown.
const SHOWN: usize = 200;

/// An external engine.
pub struct Engine {
    name: String,
    command: String,
    words: Vec<String>,
    blank: char,
    children: Arc<Children>,
    startup_ns: Option<u64>,
    /// What the last run printed.
    output: Vec<u8>,
}

impl Engine {
    /// Reads `NAME=CMD`, the command split into words as a shell does it. `blank` stands for a blank cell in
    /// what the engine is given; `children` starts it.
    ///
    /// # Errors
    /// [`Fault`] where the text has no name, no command or an open quote.
    pub fn parse(text: &str, blank: char, children: &Arc<Children>) -> Result<Engine, Fault> {
        let form = || Fault(format!("`{text}` is not an engine: write NAME='COMMAND ARGUMENTS'"));
        let (name, command) = text.split_once('=').ok_or_else(form)?;
        let words = shell_words::split(command).map_err(|_| form())?;
        if name.trim().is_empty() || words.is_empty() {
            return Err(form());
        }
        let (name, command) = (name.trim().to_owned(), command.to_owned());
        let children = Arc::clone(children);
        Ok(Engine { name, command, words, blank, children, startup_ns: None, output: Vec::new() })
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

    /// The median of some runs on no puzzles; of fewer where they take half the allowance.
    fn measure_startup(&self, allowance: Duration) -> Result<u64, Fault> {
        let (start, mut times) = (Instant::now(), Vec::new());
        while times.is_empty() || (times.len() < STARTUP_RUNS && start.elapsed() < allowance / 2) {
            let left = allowance.saturating_sub(start.elapsed());
            let ran = run(&self.children, &self.words, Vec::new(), None, left)?;
            match (ran.out_of_time, times.is_empty()) {
                (false, _) => times.push(ran.pass.elapsed_ns),
                (true, false) => break,
                (true, true) => {
                    return Err(Fault(format!(
                        "on an empty input it did not end within {}, a quarter of --max-time-per-pair: raise that, or have \
                         it end with its input",
                        in_words(allowance)
                    )));
                }
            }
        }
        Ok(median_u64(&mut times).unwrap_or(0))
    }
}

/// The solution that a line of an engine's output holds: the last run of exactly 81 digits 1 to 9. So the
/// engine may print the puzzle and counts beside it, as `puzzle:count:solution`.
pub fn answer_of_line(line: &[u8]) -> Option<Solution> {
    line.split(|byte| !(b'1'..=b'9').contains(byte)).rev().find_map(|word| Solution::from_text(word).ok())
}

fn lines(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output.split_inclusive(|&byte| byte == b'\n')
}

/// The outcomes that whole lines of output stand for.
fn outcomes_of(output: &[u8]) -> Vec<Outcome> {
    lines(output)
        .map(|line| match answer_of_line(line) {
            Some(solution) => {
                Outcome { status: Status::Solved, count: 1, solution: Some(solution), ..Outcome::ABORTED }
            }
            None => Outcome::CONTRADICTORY,
        })
        .collect()
}

/// The outcomes of a run that was not cut short: one for each puzzle.
fn whole(output: &[u8], puzzles: usize) -> Result<Vec<Outcome>, Fault> {
    let outcomes = outcomes_of(output);
    match outcomes.len() {
        count if count == puzzles => Ok(outcomes),
        count => {
            let lines = counted(count as u64, "line");
            Err(Fault(format!("{lines} of output for {}: {ONE_FOR_EACH}", counted(puzzles as u64, "puzzle"))))
        }
    }
}

const ONE_FOR_EACH: &str = "an engine prints one line for each";

/// The fault of one that prints more lines than there are puzzles. A banner is the usual reason.
fn too_many_lines(output: &[u8], puzzles: usize) -> Fault {
    let first = lines(output).next().unwrap_or_default();
    let hint = match answer_of_line(first) {
        Some(_) => String::new(),
        None => format!("; its first line, {}, holds no solution: is it a banner?", quoted(first)),
    };
    Fault(format!(
        "more lines of output than the {} asked for: {ONE_FOR_EACH}{hint}",
        counted(puzzles as u64, "puzzle")
    ))
}

/// A printed line as it is shown: cut where it is long, with escapes for what a terminal would obey.
fn quoted(line: &[u8]) -> String {
    let line = line.trim_ascii();
    // Four bytes are the most that a character takes.
    let text = String::from_utf8_lossy(&line[..line.len().min(4 * SHOWN)]);
    let shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    let rest = if text.chars().count() > SHOWN || line.len() > 4 * SHOWN { "..." } else { "" };
    format!("`{shown}{rest}`")
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
        let start = Instant::now();
        // A start-up that takes long leaves the pass its time: the two are half of the pair's.
        if self.startup_ns.is_none() {
            self.startup_ns = Some(self.measure_startup(allowance)?);
        }
        let ran = run(&self.children, &self.words, self.input(puzzles), Some(puzzles.len()), allowance)?;
        self.output = ran.output;
        let (pass_ns, elapsed_ns) = (ran.pass.elapsed_ns, nanoseconds(start.elapsed()));
        if !ran.out_of_time {
            return Ok(WarmUp { outcomes: whole(&self.output, puzzles.len())?, pass_ns, elapsed_ns });
        }
        let last_line_end = self.output.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let outcomes = outcomes_of(&self.output[..last_line_end]);
        match outcomes.is_empty() {
            true => Err(Fault(format!(
                "no answer within {}, a quarter of --max-time-per-pair: raise that, or take fewer puzzles with --sample",
                in_words(allowance)
            ))),
            false => Ok(WarmUp { outcomes, pass_ns, elapsed_ns }),
        }
    }

    fn pass(
        &mut self,
        puzzles: &[Puzzle],
        outcomes: &mut [Outcome],
        allowance: Duration,
    ) -> Result<Option<Pass>, Fault> {
        let ran = run(&self.children, &self.words, self.input(puzzles), Some(puzzles.len()), allowance)?;
        self.output = ran.output;
        if ran.out_of_time {
            return Ok(None);
        }
        outcomes.copy_from_slice(&whole(&self.output, puzzles.len())?);
        Ok(Some(ran.pass))
    }

    fn engine(&self) -> Option<EngineRecord> {
        Some(EngineRecord {
            command: self.command.clone(),
            startup_ns: self.startup_ns.unwrap_or(0),
            cpu_ns: 0,
            peak_memory_bytes: 0,
        })
    }

    fn printed(&self, index: usize, puzzle: &Puzzle) -> Option<String> {
        let mut from_here = lines(&self.output).skip(index);
        let line = from_here.next()?;
        let solves = |line| answer_of_line(line).is_some_and(|solution| solution.check(puzzle).is_ok());
        let hint = match from_here.next().is_some_and(solves) {
            true => ", and on the next line an answer: does it print a banner first?",
            false => "",
        };
        Some(format!("for it the engine printed {}{hint}", quoted(line)))
    }
}

/// What came of a run.
#[derive(Debug)]
struct Ran {
    /// All that it printed.
    output: Vec<u8>,
    pass: Pass,
    /// Whether it was killed because its time was over.
    out_of_time: bool,
}

/// Why a run is looked at no longer.
enum Over {
    /// The program and its output have ended.
    Ended,
    OutOfTime,
    /// It did what no engine does.
    Faulty(Fault),
}

/// Runs `command` on `input`, and kills it after `allowance`. Where `puzzles` are given it may print no more lines.
///
/// # Errors
/// [`Fault`] where it cannot be started, ends without success, or prints too much.
fn run(
    children: &Arc<Children>,
    command: &[String],
    input: Vec<u8>,
    puzzles: Option<usize>,
    allowance: Duration,
) -> Result<Ran, Fault> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(Fault("the engine's command is empty".to_owned()));
    };
    let mut command = Command::new(program);
    command.args(arguments);
    let start = Instant::now();
    let mut running = children.start(command)?;
    running.send(input);
    running.end_input();
    let mut printed = Printed::of(puzzles);
    let (mut is_open, mut wait) = (true, FIRST_WAIT);
    let (mut closed, mut ended) = (None, None);
    let (over, elapsed) = loop {
        let elapsed = start.elapsed();
        // Only where nothing is left to print is it worth looking often.
        let is_ending = !is_open || printed.is_complete();
        if ended.is_none() && running.has_ended() {
            ended = Some(elapsed);
        }
        let since = |time: Option<Duration>| time.map(|time| elapsed.saturating_sub(time));
        let grace = if printed.is_complete() { SHORT_GRACE } else { GRACE };
        match (ended, since(ended)) {
            (Some(_), _) if !is_open => break (Over::Ended, elapsed),
            // Something that it left behind holds its output.
            (Some(ended), Some(open_for)) if open_for > grace => break (Over::Ended, ended),
            (Some(ended), _) if elapsed >= allowance => break (Over::Ended, ended),
            _ if children.is_stopped() => break (Over::Faulty(Fault("interrupted".to_owned())), elapsed),
            _ if elapsed >= allowance => break (Over::OutOfTime, elapsed),
            (None, _) if since(closed).is_some_and(|since| since > GRACE) => {
                let words = format!("`{program}` closed its output and did not end");
                break (Over::Faulty(Fault(words)), elapsed);
            }
            _ => {}
        }
        let now = if is_ending || ended.is_some() { wait } else { TICK }.min(allowance - elapsed);
        wait = (wait * 2).min(TICK);
        if !is_open {
            std::thread::sleep(now);
            continue;
        }
        match running.read(now) {
            Output::Bytes(bytes) => {
                wait = FIRST_WAIT;
                if let Err(fault) = printed.take(&bytes) {
                    break (Over::Faulty(fault), elapsed);
                }
            }
            Output::Nothing => {}
            Output::Closed => {
                (is_open, closed, wait) = (false, Some(start.elapsed()), FIRST_WAIT);
            }
        }
    };
    let ended = running.end()?;
    match over {
        Over::Faulty(fault) => return Err(fault),
        Over::Ended if !ended.status.success() => {
            return Err(Fault(format!("`{program}` ended with {}", ended.in_words())));
        }
        Over::Ended | Over::OutOfTime => {}
    }
    let pass = Pass {
        elapsed_ns: nanoseconds(elapsed),
        cpu_ns: ended.cpu_ns,
        peak_memory_bytes: ended.peak_memory_bytes,
        counted: None,
    };
    Ok(Ran { output: printed.output, pass, out_of_time: matches!(over, Over::OutOfTime) })
}

/// What a run has printed so far.
struct Printed {
    puzzles: Option<usize>,
    output: Vec<u8>,
    line_ends: usize,
}

impl Printed {
    fn of(puzzles: Option<usize>) -> Printed {
        Printed { puzzles, output: Vec::new(), line_ends: 0 }
    }

    /// Whether there is a line for each puzzle.
    fn is_complete(&self) -> bool {
        self.puzzles.is_none_or(|puzzles| self.line_ends >= puzzles)
    }

    /// Takes in a piece.
    ///
    /// # Errors
    /// [`Fault`] where it is more than puzzles can need.
    fn take(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.output.extend_from_slice(bytes);
        self.line_ends += bytes.iter().filter(|&&byte| byte == b'\n').count();
        if let Some(puzzles) = self.puzzles {
            let is_torn = self.output.last().is_some_and(|&byte| byte != b'\n');
            if self.line_ends + usize::from(is_torn) > puzzles {
                return Err(too_many_lines(&self.output, puzzles));
            }
        }
        let puzzles = self.puzzles.unwrap_or(0);
        let most = puzzles.saturating_mul(BYTES_OF_A_LINE).saturating_add(BYTES_BESIDES);
        match self.output.len() > most {
            true => Err(Fault(format!(
                "more than {most} bytes of output for {}: {ONE_FOR_EACH}",
                counted(puzzles as u64, "puzzle")
            ))),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{PUZZLE, SOLUTION, puzzle};
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn children() -> Arc<Children> {
        Arc::new(Children::new(Arc::default()))
    }

    fn engine(command: &str) -> Engine {
        Engine::parse(&format!("e={command}"), '.', &children()).unwrap()
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
            let fault = Engine::parse(text, '.', &children()).err().unwrap().to_string();
            assert!(fault.ends_with("write NAME='COMMAND ARGUMENTS'"), "{fault}");
        }
    }

    #[test]
    fn an_engine_is_given_the_blank_of_its_choice() {
        let engine = Engine::parse("e=cat", '0', &children()).unwrap();
        assert_eq!(engine.input(&[puzzle()]), format!("{}\n", PUZZLE.replace('.', "0")).as_bytes());
    }

    #[cfg(unix)]
    #[test]
    fn each_puzzle_has_its_line() {
        let mut solves = engine(&format!("sed s/.*/{SOLUTION}/"));
        let warm_up = solves.warm_up(&[puzzle(); 3], MINUTE).unwrap();
        assert_eq!(warm_up.outcomes.len(), 3);
        assert!(warm_up.outcomes.iter().all(|outcome| outcome.status == Status::Solved));
        assert!(solves.engine().unwrap().startup_ns > 0);
        let fault = engine("head -n 2").warm_up(&[puzzle(); 3], MINUTE).unwrap_err();
        assert_eq!(fault.to_string(), "2 lines of output for 3 puzzles: an engine prints one line for each");
        let mut nothing = [Outcome::ABORTED; 3];
        engine("cat").pass(&[puzzle(); 3], &mut nothing, MINUTE).unwrap().unwrap();
        assert_eq!(nothing[2].status, Status::Unsolvable);
    }

    #[cfg(unix)]
    fn shell(script: &str, input: &str, allowance: Duration) -> Result<Ran, Fault> {
        let command = ["sh".to_owned(), "-c".to_owned(), script.to_owned()];
        run(&children(), &command, input.into(), Some(input.lines().count()), allowance)
    }

    #[cfg(unix)]
    #[test]
    fn output_and_the_kernels_account_come_back() {
        let ran = shell("cat", "one\ntwo\n", MINUTE).unwrap();
        assert_eq!(ran.output, b"one\ntwo\n");
        assert!(ran.pass.peak_memory_bytes > 0 && ran.pass.elapsed_ns > 0 && !ran.out_of_time);
    }

    #[cfg(unix)]
    #[test]
    fn a_failure_tells_the_programs_own_words() {
        let fault = shell("echo no table >&2; exit 3", "", MINUTE).unwrap_err();
        assert_eq!(fault.to_string(), "`sh` ended with exit status: 3: no table");
        let fault = run(&children(), &["no-such-program".to_owned()], Vec::new(), None, MINUTE).unwrap_err();
        assert!(fault.to_string().starts_with("cannot start `no-such-program`"), "{fault}");
    }

    #[cfg(unix)]
    #[test]
    fn one_that_does_not_end_is_killed_and_what_it_said_is_kept() {
        let ran = shell("echo first; exec sleep 600", "one\ntwo\n", Duration::from_secs(2)).unwrap();
        assert_eq!((ran.output.as_slice(), ran.out_of_time), (b"first\n".as_slice(), true));
    }
}
