//! An external program as a contestant: a puzzle a line on its input, a line a puzzle on its output.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::puzzle::{CELLS, Puzzle, Solution};
use sudobench_sudoku::solver::{Outcome, Status};
use wait4::{ResUse, Wait4};

use super::{Contestant, Fault, Pass, WarmUp};
use crate::record::{EngineRecord, Kind};
use crate::statistics::median_u64;

/// Runs on an empty input; the median of them is the start-up.
const STARTUP_RUNS: usize = 3;

/// How long a program may take to end after it closed its output or was killed.
const GRACE: Duration = Duration::from_secs(2);

/// Of standard error this much is kept for the message about a failure.
const KEPT_ERROR_BYTES: u64 = 4096;

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
                "no answer within {}: raise --max-time-per-pair, or take fewer puzzles with --sample",
                humantime::format_duration(allowance)
            ))),
            false => Ok(WarmUp { outcomes, pass_ns: elapsed_ns, elapsed_ns }),
        }
    }

    fn pass(&mut self, puzzles: &[Puzzle], outcomes: &mut [Outcome]) -> Result<Pass, Fault> {
        let ran = run(&self.words, &self.input(puzzles), self.allowance)?;
        if ran.out_of_time {
            let allowance = humantime::format_duration(self.allowance);
            return Err(Fault(format!("a pass did not end within {allowance}: raise --max-time-per-pair")));
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

/// What came of a run.
#[derive(Debug)]
struct Ran {
    /// All that it printed.
    output: Vec<u8>,
    pass: Pass,
    /// Whether it was killed because its time was over.
    out_of_time: bool,
}

/// Runs `command` on `input`, and kills it after `allowance`.
///
/// # Errors
/// [`Fault`] where it cannot be started, or ends without success.
fn run(command: &[String], input: &[u8], allowance: Duration) -> Result<Ran, Fault> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(Fault("the engine's command is empty".to_owned()));
    };
    let start = Instant::now();
    let mut child = start_program(program, arguments)?;
    let (mut stdin, mut stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        // A program that ends before it read everything breaks the pipe; what it answered tells the rest.
        scope.spawn(move || stdin.as_mut().map(|stdin| stdin.write_all(input)));
        let (sender, received) = sync_channel(64);
        scope.spawn(move || {
            while let Some(bytes) = stdout.as_mut().and_then(read_some) {
                if sender.send(bytes).is_err() {
                    break;
                }
            }
        });
        let words = scope.spawn(move || first_words(stderr?));
        let (output, out_of_time) = collect(&received, start, allowance);
        drop(received);
        let ended = end(&mut child, out_of_time);
        let elapsed_ns = nanoseconds(start.elapsed());
        let words = words.join().ok().flatten().unwrap_or_default();
        let used = ended.map_err(|error| Fault(format!("`{program}` does not end: {error}")))?;
        if !out_of_time && !used.status.success() {
            return Err(Fault(format!("`{program}` ended with {}: {words}", used.status)));
        }
        let cpu_ns = nanoseconds(used.rusage.utime + used.rusage.stime);
        let pass = Pass { elapsed_ns, cpu_ns, peak_memory_bytes: used.rusage.maxrss };
        Ok(Ran { output, pass, out_of_time })
    })
}

fn start_program(program: &str, arguments: &[String]) -> Result<Child, Fault> {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Fault(format!("cannot start `{program}`: {error}")))
}

/// The beginning of what a program says on standard error; the rest is read and dropped, lest it blocks.
fn first_words(mut stderr: impl Read) -> Option<String> {
    let mut kept = Vec::new();
    stderr.by_ref().take(KEPT_ERROR_BYTES).read_to_end(&mut kept).ok()?;
    std::io::copy(&mut stderr, &mut std::io::sink()).ok()?;
    Some(String::from_utf8_lossy(&kept).trim().to_owned())
}

/// Some bytes, or `None` at the end.
fn read_some(source: &mut impl Read) -> Option<Vec<u8>> {
    let mut bytes = vec![0; 1 << 16];
    let read = source.read(&mut bytes).ok().filter(|&read| read > 0)?;
    bytes.truncate(read);
    Some(bytes)
}

/// Everything that arrives until the end or until the time is over, and whether it was.
fn collect(received: &Receiver<Vec<u8>>, start: Instant, allowance: Duration) -> (Vec<u8>, bool) {
    let mut output = Vec::new();
    loop {
        match received.recv_timeout(allowance.saturating_sub(start.elapsed())) {
            Ok(bytes) => output.extend_from_slice(&bytes),
            Err(RecvTimeoutError::Disconnected) => return (output, false),
            Err(RecvTimeoutError::Timeout) => return (output, true),
        }
    }
}

/// Waits for the end of a program, which it is helped to where it must.
fn end(child: &mut Child, kill_now: bool) -> std::io::Result<ResUse> {
    let mut killed = kill_now;
    if kill_now {
        child.kill()?;
    }
    let start = Instant::now();
    loop {
        if let Some(used) = child.try_wait4()? {
            return Ok(used);
        }
        if !killed && start.elapsed() > GRACE {
            child.kill()?;
            killed = true;
        }
        std::thread::sleep(Duration::from_micros(50));
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

    #[cfg(unix)]
    fn shell(script: &str, input: &str, allowance: Duration) -> Result<Ran, Fault> {
        run(&["sh".to_owned(), "-c".to_owned(), script.to_owned()], input.as_bytes(), allowance)
    }

    #[cfg(unix)]
    #[test]
    fn output_and_the_kernels_account_come_back() {
        let ran = shell("cat", "one\ntwo\n", Duration::from_secs(60)).unwrap();
        assert_eq!(ran.output, b"one\ntwo\n");
        assert!(ran.pass.peak_memory_bytes > 0 && ran.pass.elapsed_ns > 0 && !ran.out_of_time);
    }

    #[cfg(unix)]
    #[test]
    fn a_failure_tells_the_programs_own_words() {
        let fault = shell("echo no table >&2; exit 3", "", Duration::from_secs(60)).unwrap_err();
        assert_eq!(fault.to_string(), "`sh` ended with exit status: 3: no table");
        let fault = run(&["no-such-program".to_owned()], b"", Duration::from_secs(60)).unwrap_err();
        assert!(fault.to_string().starts_with("cannot start `no-such-program`"), "{fault}");
    }

    #[cfg(unix)]
    #[test]
    fn one_that_does_not_end_is_killed_and_what_it_said_is_kept() {
        let ran = shell("echo first; exec sleep 600", "", Duration::from_secs(2)).unwrap();
        assert_eq!((ran.output.as_slice(), ran.out_of_time), (b"first\n".as_slice(), true));
    }
}
