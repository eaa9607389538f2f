//! An external program as a contestant: a puzzle a line on its input, a line a puzzle on its output. Both may be files.

use std::ffi::{OsStr, OsString};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::puzzle::{CELLS, Puzzle, Solution};
use sudobench_sudoku::solver::{Outcome, Status};

use super::files::{Files, INPUT, OUTPUT};
use super::{Contestant, Fault, Pass, PrintedWork, WarmUp, in_words};
use crate::figures::counted;
use crate::process::{End, Event, NamedCommand, Supervisor, TICK};
use crate::record::{EngineRecord, Kind};
use crate::statistics::median_u64;

/// Runs on an empty input; the median of them is the start-up.
const STARTUP_RUNS: usize = 3;

/// How long a program may take to end after it closed its output, and how long its output may stay open after it
/// ended with answers missing: what it started may still print them.
const GRACE: Duration = Duration::from_secs(2);

/// How long the output may stay open after the program ended with all its answers given.
const SHORT_GRACE: Duration = Duration::from_millis(20);

/// What decides how long the first runs may take, in words.
pub(super) const ALLOWANCE: &str = "which is what a warm-up may take of --max-time-per-pair (in gate B of --warm-up-time, in gate \
                                    A of --max-silence)";

/// Bytes of output that are kept of a run: this many for each puzzle, and once the rest.
const BYTES_OF_A_LINE: usize = 512;
const BYTES_BESIDES: usize = 1 << 20;

/// Of a printed line this many characters are shown.
const SHOWN: usize = 200;

/// A puzzle that takes nobody any time, for the start-up of who reads a file: many map it into memory, and cannot with an
/// empty one; some do not end on a board without blanks.
const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// An external engine.
pub struct Engine {
    command: NamedCommand,
    exchange: Exchange,
    blank: char,
    supervisor: Arc<Supervisor>,
    startup_ns: Option<u64>,
    /// What the last run answered.
    output: Vec<u8>,
}

/// How puzzles and answers go from one to the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exchange {
    Pipes,
    /// It reads a file and prints.
    InputFile,
    /// It reads a file and writes another one; what it prints is for people.
    BothFiles,
}

impl Engine {
    /// An engine that reads and prints lines. `blank` stands for a blank cell in what it is given; `supervisor` starts it.
    pub fn of_lines(command: NamedCommand, blank: char, supervisor: &Arc<Supervisor>) -> Engine {
        let supervisor = Arc::clone(supervisor);
        Engine { command, exchange: Exchange::Pipes, blank, supervisor, startup_ns: None, output: Vec::new() }
    }

    /// An engine that reads a file, whose path stands for `{input}` in its command, and writes the one whose path stands
    /// for `{output}`; without that it prints its answers.
    ///
    /// # Errors
    /// [`Fault`] where the command has no place for the paths.
    pub fn of_files(
        command: NamedCommand,
        blank: char,
        supervisor: &Arc<Supervisor>,
    ) -> Result<Engine, Fault> {
        let has = |place: &str| command.words.iter().any(|word| word.contains(place));
        let exchange = match (has(INPUT), has(OUTPUT)) {
            (true, true) => Exchange::BothFiles,
            (true, false) => Exchange::InputFile,
            (false, _) => {
                return Err(Fault(format!(
                    "`{}` has no place for its files: with --engine-protocol files write {INPUT} where the command \
                     names the file of puzzles, and {OUTPUT} where it names that of its answers, if it does not print them",
                    command.text
                )));
            }
        };
        Ok(Engine { exchange, ..Engine::of_lines(command, blank, supervisor) })
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

    /// The median of some runs on next to nothing; of fewer where they take half the allowance.
    fn measure_startup(&self, allowance: Duration) -> Result<u64, Fault> {
        let (start, mut times) = (Instant::now(), Vec::new());
        while times.is_empty() || (times.len() < STARTUP_RUNS && start.elapsed() < allowance / 2) {
            let left = allowance.saturating_sub(start.elapsed());
            let ran = self.run_for_startup(left)?;
            match (ran.out_of_time, times.is_empty()) {
                (false, _) => times.push(ran.pass.elapsed_ns),
                (true, false) => break,
                (true, true) => {
                    let input =
                        if self.exchange == Exchange::Pipes { "an empty input" } else { "one easy puzzle" };
                    return Err(Fault(format!(
                        "on {input} it did not end within {}, {ALLOWANCE}: raise that, or have it end with its input",
                        in_words(allowance)
                    )));
                }
            }
        }
        Ok(median_u64(&mut times).unwrap_or(0))
    }

    /// A run for the start-up.
    fn run_for_startup(&self, allowance: Duration) -> Result<Ran, Fault> {
        if self.exchange == Exchange::Pipes {
            return run(
                &self.supervisor,
                &self.command(None),
                Vec::new(),
                Printed::of(None),
                None,
                allowance,
            );
        }
        let easy = EASY.parse().map_err(|_| Fault("the easy puzzle is none".to_owned()))?;
        let files = Files::new(&self.input(&[easy]))?;
        let too_large = || files.exceeds(most_bytes(1)).then(|| too_many_bytes(most_bytes(1), 1));
        let command = self.command(Some(&files));
        run(&self.supervisor, &command, Vec::new(), Printed::dropped(), Some(&too_large), allowance)
    }

    /// A run on puzzles.
    fn run_on(&self, puzzles: &[Puzzle], allowance: Duration) -> Result<Ran, Fault> {
        let (input, printed) = (self.input(puzzles), Printed::of(Some(puzzles.len())));
        if self.exchange == Exchange::Pipes {
            return run(&self.supervisor, &self.command(None), input, printed, None, allowance);
        }
        let files = Files::new(&input)?;
        let command = self.command(Some(&files));
        if self.exchange == Exchange::InputFile {
            return run(&self.supervisor, &command, Vec::new(), printed, None, allowance);
        }
        let (most, no_input) = (most_bytes(puzzles.len()), Vec::new());
        let too_large = || files.exceeds(most).then(|| too_many_bytes(most, puzzles.len()));
        let ran = run(&self.supervisor, &command, no_input, Printed::dropped(), Some(&too_large), allowance)?;
        if let Some(fault) = too_large() {
            return Err(fault);
        }
        // What is in a file before its writer has ended may be there in any order.
        if ran.out_of_time {
            return Ok(ran);
        }
        let ended = |fault: Fault| Fault(format!("{fault}; it ended with {}", ran.ended));
        let output = files.answers().map_err(ended)?;
        Ok(Ran { output, ..ran })
    }

    fn command(&self, files: Option<&Files>) -> Command {
        let words = &self.command.words;
        let words: Vec<OsString> =
            files.map_or_else(|| words.iter().map(OsString::from).collect(), |files| files.fill(words));
        let mut command = Command::new(words.first().map_or(OsStr::new(""), OsString::as_os_str));
        command.args(words.iter().skip(1));
        command
    }
}

/// The solution that a line of an engine's output holds: the last run of exactly 81 digits 1 to 9. So the
/// engine may print the puzzle and counts beside it, as `puzzle:count:solution`.
pub fn answer_of_line(line: &[u8]) -> Option<Solution> {
    line.split(|byte| !(b'1'..=b'9').contains(byte)).rev().find_map(|word| Solution::from_text(word).ok())
}

/// The work counters of an answer line: `nodes=51` and `guesses=1` as words of their own, anywhere in it. The first of a name counts.
fn work_of_line(line: &[u8]) -> PrintedWork {
    let words = || line.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b';'));
    let mut unreadable = None;
    let mut number = |name: &[u8]| -> Option<u64> {
        let word = words().find(|word| word.starts_with(name))?;
        let digits = std::str::from_utf8(&word[name.len()..]).ok();
        let number = digits.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let number = number.and_then(|text| text.parse().ok());
        if number.is_none() {
            unreadable.get_or_insert_with(|| quoted(word));
        }
        number
    };
    let (nodes, guesses) = (number(b"nodes="), number(b"guesses="));
    PrintedWork { nodes, guesses, unreadable }
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
        count if count > puzzles => Err(too_many_lines(output, puzzles)),
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
        &self.command.name
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
        let ran = self.run_on(puzzles, allowance)?;
        self.output = ran.output;
        let (pass_ns, elapsed_ns) = (ran.pass.elapsed_ns, nanoseconds(start.elapsed()));
        if !ran.out_of_time {
            return Ok(WarmUp { outcomes: whole(&self.output, puzzles.len())?, pass_ns, elapsed_ns });
        }
        let last_line_end = self.output.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let outcomes = outcomes_of(&self.output[..last_line_end]);
        match outcomes.is_empty() {
            true => Err(no_answer_within(allowance)),
            false => Ok(WarmUp { outcomes, pass_ns, elapsed_ns }),
        }
    }

    fn pass(
        &mut self,
        puzzles: &[Puzzle],
        outcomes: &mut [Outcome],
        allowance: Duration,
    ) -> Result<Option<Pass>, Fault> {
        let ran = self.run_on(puzzles, allowance)?;
        self.output = ran.output;
        if ran.out_of_time {
            return Ok(None);
        }
        outcomes.copy_from_slice(&whole(&self.output, puzzles.len())?);
        Ok(Some(ran.pass))
    }

    fn start_up(&mut self, allowance: Duration) -> Result<Option<Pass>, Fault> {
        let ran = self.run_for_startup(allowance)?;
        Ok((!ran.out_of_time).then_some(ran.pass))
    }

    fn work(&self) -> Vec<PrintedWork> {
        lines(&self.output).map(work_of_line).collect()
    }

    fn engine(&self) -> Option<EngineRecord> {
        Some(EngineRecord {
            command: self.command.text.clone(),
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
    /// How it ended.
    ended: String,
    /// Whether it was killed because its time was over.
    out_of_time: bool,
}

/// Why a run is looked at no longer.
enum Over {
    /// The program has ended. Its output was open for so long after that, since what it started answered on.
    Ended {
        open: Duration,
    },
    OutOfTime,
    /// It did what no engine does.
    Faulty(Fault),
}

/// The fault of a warm-up that reached no puzzle.
pub(super) fn no_answer_within(allowance: Duration) -> Fault {
    Fault(format!(
        "no answer within {}, {ALLOWANCE}: raise that, or take fewer puzzles with --sample",
        in_words(allowance)
    ))
}

/// Runs `command` on `input`, and ends it after `allowance`, or if `fault` finds one. What it prints goes to `printed`.
///
/// # Errors
/// [`Fault`] if it cannot be started, ends without success, or prints too much.
fn run(
    supervisor: &Arc<Supervisor>,
    command: &Command,
    input: Vec<u8>,
    mut printed: Printed,
    fault: Option<&dyn Fn() -> Option<Fault>>,
    allowance: Duration,
) -> Result<Ran, Fault> {
    let program = command.get_program().to_string_lossy();
    let mut running = supervisor.start(command)?;
    running.send(input);
    running.end_input();
    let (mut closed, mut ended): (Option<Duration>, Option<Duration>) = (None, None);
    let (over, elapsed) = loop {
        let elapsed = running.elapsed();
        let grace = if printed.is_complete() { SHORT_GRACE } else { GRACE };
        match (ended, closed) {
            (Some(ended), Some(closed)) => {
                break (Over::Ended { open: closed.saturating_sub(ended) }, elapsed);
            }
            // Something that it left behind holds its output.
            (Some(ended), None) if elapsed > ended + grace || elapsed >= allowance => {
                break (Over::Ended { open: Duration::ZERO }, elapsed);
            }
            _ if supervisor.is_stopped() => break (Over::Faulty(Fault("interrupted".to_owned())), elapsed),
            _ if elapsed >= allowance => break (Over::OutOfTime, elapsed),
            (None, Some(closed)) if printed.is_wanted && elapsed > closed + GRACE => {
                let words = format!("`{program}` closed its output and did not end");
                break (Over::Faulty(Fault(words)), elapsed);
            }
            _ => {}
        }
        if let Some(fault) = fault.and_then(|fault| fault()) {
            break (Over::Faulty(fault), elapsed);
        }
        let until = ended.map_or(allowance, |ended| allowance.min(ended + grace));
        match running.next(until.saturating_sub(elapsed).min(TICK))? {
            Event::Output(bytes) => {
                if let Err(fault) = printed.take(&bytes) {
                    break (Over::Faulty(fault), elapsed);
                }
            }
            Event::Closed => closed = Some(running.elapsed()),
            Event::Ended => ended = Some(running.elapsed()),
            Event::Nothing => {}
        }
    };
    let run = running.end()?;
    match over {
        Over::Faulty(fault) => return Err(fault),
        Over::Ended { .. } if run.end != End::Exited(0) => {
            return Err(Fault(format!("`{program}` ended with {}", run.in_words())));
        }
        Over::Ended { .. } | Over::OutOfTime => {}
    }
    let pass = Pass {
        // The runner's clock does not count how long messages to it and from it take.
        elapsed_ns: match over {
            Over::Ended { open } => run.wall_ns + nanoseconds(open),
            _ => nanoseconds(elapsed),
        },
        cpu_ns: run.cpu_ns,
        peak_memory_bytes: run.peak_memory_bytes,
        memory_floor_bytes: run.memory_floor_bytes,
        counted: run.counted,
        readings: run.readings.clone(),
    };
    let out_of_time = matches!(over, Over::OutOfTime);
    Ok(Ran { output: printed.output, pass, ended: run.in_words(), out_of_time })
}

/// What a run has printed so far.
struct Printed {
    puzzles: Option<usize>,
    /// Whether somebody reads it.
    is_wanted: bool,
    output: Vec<u8>,
    line_ends: usize,
}

impl Printed {
    /// Lines for so many puzzles, no more; where there are none anything that is short.
    fn of(puzzles: Option<usize>) -> Printed {
        Printed { puzzles, is_wanted: true, output: Vec::new(), line_ends: 0 }
    }

    /// What nobody reads.
    fn dropped() -> Printed {
        Printed { is_wanted: false, ..Printed::of(None) }
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
        if !self.is_wanted {
            return Ok(());
        }
        self.output.extend_from_slice(bytes);
        self.line_ends += bytes.iter().filter(|&&byte| byte == b'\n').count();
        if let Some(puzzles) = self.puzzles {
            let is_torn = self.output.last().is_some_and(|&byte| byte != b'\n');
            if self.line_ends + usize::from(is_torn) > puzzles {
                return Err(too_many_lines(&self.output, puzzles));
            }
        }
        let puzzles = self.puzzles.unwrap_or(0);
        let most = most_bytes(puzzles);
        if self.output.len() > most { Err(too_many_bytes(most, puzzles)) } else { Ok(()) }
    }
}

/// The bytes of output that so many puzzles can need.
fn most_bytes(puzzles: usize) -> usize {
    puzzles.saturating_mul(BYTES_OF_A_LINE).saturating_add(BYTES_BESIDES)
}

fn too_many_bytes(most: usize, puzzles: usize) -> Fault {
    let puzzles = counted(puzzles as u64, "puzzle");
    Fault(format!("more than {most} bytes of output for {puzzles}: {ONE_FOR_EACH}"))
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{PUZZLE, SOLUTION, puzzle};
    use super::*;
    #[cfg(unix)]
    use crate::process::fixtures::supervisor;

    #[cfg(unix)]
    const MINUTE: Duration = Duration::from_secs(60);

    #[cfg(unix)]
    fn engine(command: &str) -> Engine {
        Engine::of_lines(format!("e={command}").parse().unwrap(), '.', &supervisor(false))
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

    #[cfg(unix)]
    #[test]
    fn an_engine_is_given_the_blank_of_its_choice() {
        let engine = Engine::of_lines("e=cat".parse().unwrap(), '0', &supervisor(false));
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
        let printed = Printed::of(Some(input.lines().count()));
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(&supervisor(false), &command, input.into(), printed, None, allowance)
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
        let missing = engine("no-such-program");
        let fault = missing.run_for_startup(MINUTE).unwrap_err();
        assert!(fault.to_string().starts_with("cannot start `no-such-program`"), "{fault}");
    }

    #[cfg(unix)]
    #[test]
    fn one_that_does_not_end_is_killed_and_what_it_said_is_kept() {
        let ran = shell("echo first; exec sleep 600", "one\ntwo\n", Duration::from_secs(2)).unwrap();
        assert_eq!((ran.output.as_slice(), ran.out_of_time), (b"first\n".as_slice(), true));
    }
}
