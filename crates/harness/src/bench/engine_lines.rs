//! Engines that answer all puzzles in one process. They read a puzzle from each line of their input and print a line for each puzzle. Input
//! and output may be files.

use std::ffi::{OsStr, OsString};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::puzzle::{CELLS, Puzzle};

use super::engine_text::{AnswerForm, ONE_FOR_EACH, check_number_of_lines, too_many_lines};
use super::exchange::{Answers, Exchange, OneByOne, StartUp};
use super::files::{Files, INPUT, OUTPUT};
use super::{Fault, Pass, in_words};
use crate::figures::counted;
use crate::process::{End, Event, NamedCommand, Running, Supervisor, TICK};
use crate::record::Kind;

/// Time limit for a program to end after it closed its output. Also the time that [`run`] waits for the end of the output after a program
/// ended without all answers, because child processes of the program may still print answers.
const GRACE: Duration = Duration::from_secs(2);

/// Time that [`run`] waits for the end of the output after a program ended with all answers.
const SHORT_GRACE: Duration = Duration::from_millis(20);

/// Number of bytes of output that are allowed for each puzzle on average: only the total of a run is limited.
const BYTES_OF_A_LINE: usize = 512;
/// Number of additional bytes of output that are allowed for the whole run, for example for a banner.
const BYTES_BESIDES: usize = 1 << 20;

/// An easy puzzle, for example for runs that measure the start-up. If an engine reads a file, the file can't be empty, because many engines
/// map it into memory, which fails for an empty file. The board can't be full, because some engines then don't end.
const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

pub(super) struct Lines {
    /// The command line, with placeholders for the paths of files.
    argv: Vec<String>,
    way: Way,
    /// Character for a blank cell.
    blank: char,
    supervisor: Arc<Supervisor>,
}

/// How an engine gets puzzles and returns answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Pipes,
    /// The engine reads a file and prints its answers.
    InputFile,
    /// The engine reads a file and writes its answers to another file. Its standard output is not used.
    BothFiles,
}

impl Lines {
    /// Makes an engine that reads lines and prints lines.
    pub(super) fn new(command: &NamedCommand, blank: char, supervisor: &Arc<Supervisor>) -> Lines {
        let (argv, supervisor) = (command.argv.clone(), Arc::clone(supervisor));
        Lines { argv, way: Way::Pipes, blank, supervisor }
    }

    /// Makes an engine that reads the file whose path replaces `{input}` in its command, and writes the file whose path replaces
    /// `{output}`. If the command has no `{output}`, the engine prints its answers.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the command has no `{input}`.
    pub(super) fn with_files(
        command: &NamedCommand,
        blank: char,
        supervisor: &Arc<Supervisor>,
    ) -> Result<Lines, Fault> {
        let has = |place: &str| command.argv.iter().any(|word| word.contains(place));
        let way = match (has(INPUT), has(OUTPUT)) {
            (true, true) => Way::BothFiles,
            (true, false) => Way::InputFile,
            (false, _) => {
                return Err(Fault(format!(
                    "`{}` has no {INPUT}: with --engine-protocol files, write {INPUT} in the command in place of the path of \
                     the puzzle file; if the engine does not print its answers, write {OUTPUT} in place of the path of the answer file",
                    command.text
                )));
            }
        };
        Ok(Lines { way, ..Lines::new(command, blank, supervisor) })
    }

    fn input(&self, puzzles: &[Puzzle]) -> Vec<u8> {
        input_of(puzzles, self.blank)
    }

    fn run(
        &self,
        command: &Command,
        input: Vec<u8>,
        printed: Printed,
        fault: Option<&dyn Fn() -> Option<Fault>>,
        allowance: Duration,
    ) -> Result<EngineRun, Fault> {
        let program = self.argv.first().map_or("", String::as_str);
        run(&self.supervisor, command, program, input, printed, fault, allowance)
    }

    fn run_for_startup(&self, allowance: Duration) -> Result<EngineRun, Fault> {
        if self.way == Way::Pipes {
            return self.run(&self.command(None), Vec::new(), Printed::bytes(0), None, allowance);
        }
        let files = Files::new(&self.input(&[easy_puzzle()?]))?;
        let too_large = || files.exceeds(most_bytes(1)).then(|| too_many_bytes(most_bytes(1), 1));
        let command = self.command(Some(&files));
        self.run(&command, Vec::new(), Printed::dropped(), Some(&too_large), allowance)
    }

    fn run_on(&self, puzzles: &[Puzzle], allowance: Duration) -> Result<EngineRun, Fault> {
        let (input, printed) = (self.input(puzzles), Printed::lines(puzzles.len()));
        if self.way == Way::Pipes {
            return self.run(&self.command(None), input, printed, None, allowance);
        }
        let files = Files::new(&input)?;
        let command = self.command(Some(&files));
        if self.way == Way::InputFile {
            return self.run(&command, Vec::new(), printed, None, allowance);
        }
        let most = most_bytes(puzzles.len());
        let too_large = || files.exceeds(most).then(|| too_many_bytes(most, puzzles.len()));
        let ran = self.run(&command, Vec::new(), Printed::dropped(), Some(&too_large), allowance)?;
        if let Some(fault) = too_large() {
            return Err(fault);
        }
        // A program that was ended at its time limit may have left an incomplete file, so the file is not read.
        if ran.out_of_time {
            return Ok(ran);
        }
        let ended = |fault: Fault| Fault(format!("{fault}; the engine ended with {}", ran.ended));
        let output = files.answers().map_err(ended)?;
        Ok(EngineRun { output, ..ran })
    }

    /// Passes a puzzle to a running engine, and returns the time and the line of its answer, or `None` if there is no answer within
    /// `longest`.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the engine ends, closes its output, prints more than one line or too long a line, or is interrupted. The caller puts
    /// the engine's name before the text of the fault.
    fn time_answer(
        &self,
        running: &mut Running,
        puzzle: &Puzzle,
        longest: Duration,
    ) -> Result<Option<(u64, Vec<u8>)>, Fault> {
        let (asked, mut line) = (Instant::now(), Vec::new());
        running.send(self.input(std::slice::from_ref(puzzle)));
        loop {
            let waited = asked.elapsed();
            if self.supervisor.is_interrupted() {
                return Err(Fault("was interrupted".to_owned()));
            }
            if waited >= longest {
                return Ok(None);
            }
            match running.next((longest - waited).min(TICK))? {
                Event::Output(bytes) => line.extend_from_slice(&bytes),
                Event::Closed | Event::Ended => {
                    return Err(Fault("ends, or closes its output, before the end of its input".to_owned()));
                }
                Event::Nothing => {}
            }
            match line.iter().position(|&byte| byte == b'\n') {
                Some(end) if end + 1 == line.len() => return Ok(Some((nanoseconds(asked.elapsed()), line))),
                Some(_) => return Err(Fault("prints more than one line for a puzzle".to_owned())),
                None if line.len() > most_bytes(1) => {
                    return Err(Fault("prints more than 1 MiB without a line break".to_owned()));
                }
                None => {}
            }
        }
    }

    fn command(&self, files: Option<&Files>) -> Command {
        let argv = &self.argv;
        let argv: Vec<OsString> =
            files.map_or_else(|| argv.iter().map(OsString::from).collect(), |files| files.fill(argv));
        let mut command = Command::new(argv.first().map_or(OsStr::new(""), OsString::as_os_str));
        command.args(argv.iter().skip(1));
        command
    }
}

impl Exchange for Lines {
    fn kind(&self) -> Kind {
        Kind::Engine
    }

    fn start_up_runs(&self) -> StartUp {
        let on = if self.way == Way::Pipes { "an empty input" } else { "one easy puzzle" };
        StartUp { runs: 3, on, remedy: ", or make it end when its input ends" }
    }

    fn start_up(&self, allowance: Duration) -> Result<Answers, Fault> {
        let EngineRun { output, pass, out_of_time, .. } = self.run_for_startup(allowance)?;
        Ok(Answers { output, pass, is_complete: !out_of_time, ..Answers::default() })
    }

    fn answer_one_by_one(
        &self,
        puzzles: &[Puzzle],
        _form: AnswerForm,
        longest: Duration,
        allowance: Duration,
    ) -> Result<OneByOne, Fault> {
        if self.way != Way::Pipes {
            let message = "reads all puzzles together from a file: use --engine-protocol lines or boj2580 to time each puzzle";
            return Err(Fault(message.to_owned()));
        }
        let easy = easy_puzzle()?;
        let mut running = self.supervisor.start(&self.command(None))?;
        // The time of the first answer is not used, because it contains the start-up of the engine.
        self.time_answer(&mut running, &easy, longest)?.ok_or_else(|| {
            let within = in_words(longest);
            Fault(format!(
                "does not answer line by line (no answer within {within}): make it flush its output after each line, or use \
                 --engine-protocol boj2580"
            ))
        })?;
        let mut answers = OneByOne::default();
        for puzzle in puzzles {
            if running.elapsed() >= allowance {
                break;
            }
            // Without an answer within `longest`, the timing ends here. The answers before this puzzle are kept.
            let Some((time_ns, line)) = self.time_answer(&mut running, puzzle, longest)? else { break };
            answers.times_ns.push(time_ns);
            answers.output.extend_from_slice(&line);
        }
        running.end()?;
        Ok(answers)
    }

    fn answer(&self, puzzles: &[Puzzle], form: AnswerForm, allowance: Duration) -> Result<Answers, Fault> {
        let EngineRun { output, pass, out_of_time, .. } = self.run_on(puzzles, allowance)?;
        let whole = match out_of_time {
            false => {
                check_number_of_lines(&output, puzzles.len())?;
                output.as_slice()
            }
            true => {
                let last_line_end = output.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
                &output[..last_line_end]
            }
        };
        let (outcomes, refused) = form.outcomes(whole);
        Ok(Answers { outcomes, refused, output, pass, is_complete: !out_of_time, ..Answers::default() })
    }
}

/// Returns the puzzle [`EASY`].
///
/// # Errors
///
/// [`Fault`] if the text of the puzzle is not valid, which would be a mistake in this file.
pub(super) fn easy_puzzle() -> Result<Puzzle, Fault> {
    EASY.parse().map_err(|_| Fault("the easy puzzle is not valid".to_owned()))
}

/// Returns the puzzles as lines. `blank` is the character for a blank cell.
pub(super) fn input_of(puzzles: &[Puzzle], blank: char) -> Vec<u8> {
    let mut encoded = [0; 4];
    let blank = blank.encode_utf8(&mut encoded).as_bytes();
    let mut input = Vec::with_capacity(puzzles.len() * (CELLS + 1));
    for puzzle in puzzles {
        for &value in puzzle.values() {
            if value == 0 { input.extend_from_slice(blank) } else { input.push(b'0' + value) }
        }
        input.push(b'\n');
    }
    input
}

#[derive(Debug)]
pub(super) struct EngineRun {
    /// Everything that the program printed, or wrote to its output file. If the program was killed, the last line may be incomplete, and
    /// the output file is not read. Empty if the output was not wanted.
    pub(super) output: Vec<u8>,
    pub(super) pass: Pass,
    /// Description of how the program ended.
    pub(super) ended: String,
    /// Whether the program was killed at its time limit.
    pub(super) out_of_time: bool,
}

/// Reason why [`run`] stopped waiting for the program.
enum Over {
    /// The program has ended. `open` is the time from the program's end until its child processes closed the output. It is 0 if the output
    /// was closed before the program's end, or was not closed in time.
    Ended {
        open: Duration,
    },
    OutOfTime,
    /// The program broke the rules of the protocol.
    Faulty(Fault),
}

/// Runs `command` on `input`. Ends the command after `allowance`, or as soon as `fault` returns a fault. `printed` limits and collects the
/// output of the command. `program` is the name of the command in messages.
///
/// # Errors
///
/// [`Fault`] if the command can't be started, ends without success, closes its output without ending, or prints too much; if `fault`
/// returns a fault; or after an interrupt. If `printed` ignores the output, the command may close its output early and print any amount.
pub(super) fn run(
    supervisor: &Arc<Supervisor>,
    command: &Command,
    program: &str,
    input: Vec<u8>,
    mut printed: Printed,
    fault: Option<&dyn Fn() -> Option<Fault>>,
    allowance: Duration,
) -> Result<EngineRun, Fault> {
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
            // The program has ended, but a process that it started keeps its output open.
            (Some(ended), None) if elapsed > ended + grace || elapsed >= allowance => {
                break (Over::Ended { open: Duration::ZERO }, elapsed);
            }
            _ if supervisor.is_interrupted() => {
                break (Over::Faulty(Fault("interrupted".to_owned())), elapsed);
            }
            _ if elapsed >= allowance => break (Over::OutOfTime, elapsed),
            (None, Some(closed)) if printed.is_wanted && elapsed > closed + GRACE => {
                let message = format!("`{program}` closed its output and did not end");
                break (Over::Faulty(Fault(message)), elapsed);
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
        // On Unix, the runner process measures `wall_ns`, so the time for its messages to this process is not included.
        elapsed_ns: match over {
            Over::Ended { open } => run.wall_ns + nanoseconds(open),
            _ => nanoseconds(elapsed),
        },
        ..Pass::from_run(&run)
    };
    let out_of_time = matches!(over, Over::OutOfTime);
    Ok(EngineRun { output: printed.output, pass, ended: run.in_words(), out_of_time })
}

pub(super) struct Printed {
    puzzles: usize,
    /// Whether the program may print at most one line for each puzzle.
    has_line_limit: bool,
    is_wanted: bool,
    output: Vec<u8>,
    line_ends: usize,
}

impl Printed {
    /// Collects an output of at most one line for each puzzle.
    fn lines(puzzles: usize) -> Printed {
        Printed { has_line_limit: true, ..Printed::bytes(puzzles) }
    }

    /// Collects an output of any number of lines, but of at most [`most_bytes`] bytes for this number of puzzles.
    pub(super) fn bytes(puzzles: usize) -> Printed {
        Printed { puzzles, has_line_limit: false, is_wanted: true, output: Vec::new(), line_ends: 0 }
    }

    /// Ignores the output, however long it is.
    fn dropped() -> Printed {
        Printed { is_wanted: false, ..Printed::bytes(0) }
    }

    /// Returns whether there is a line for each puzzle.
    fn is_complete(&self) -> bool {
        self.line_ends >= self.puzzles
    }

    /// Adds a piece of output.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the output has too many lines or too many bytes for this number of puzzles.
    fn take(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if !self.is_wanted {
            return Ok(());
        }
        self.output.extend_from_slice(bytes);
        self.line_ends += bytes.iter().filter(|&&byte| byte == b'\n').count();
        let is_torn = self.output.last().is_some_and(|&byte| byte != b'\n');
        if self.has_line_limit && self.line_ends + usize::from(is_torn) > self.puzzles {
            return Err(too_many_lines(&self.output, self.puzzles));
        }
        let most = most_bytes(self.puzzles);
        if self.output.len() > most { Err(too_many_bytes(most, self.puzzles)) } else { Ok(()) }
    }
}

fn most_bytes(puzzles: usize) -> usize {
    puzzles.saturating_mul(BYTES_OF_A_LINE).saturating_add(BYTES_BESIDES)
}

fn too_many_bytes(most: usize, puzzles: usize) -> Fault {
    let puzzles = counted(puzzles as u64, "puzzle");
    Fault(format!(
        "more than {most} bytes of output for {puzzles}: {ONE_FOR_EACH}; a library must print nothing"
    ))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::super::fixtures::{PUZZLE, puzzle};
    use super::*;
    use crate::process::fixtures::supervisor;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn an_engine_gets_the_chosen_character_for_blanks() {
        let engine = Lines::new(&"e=cat".parse().unwrap(), '0', &supervisor(false));
        assert_eq!(engine.input(&[puzzle()]), format!("{}\n", PUZZLE.replace('.', "0")).as_bytes());
    }

    fn shell(script: &str, input: &str, allowance: Duration) -> Result<EngineRun, Fault> {
        let printed = Printed::lines(input.lines().count());
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(&supervisor(false), &command, "sh", input.into(), printed, None, allowance)
    }

    #[test]
    fn output_and_resource_use_are_returned() {
        let ran = shell("cat", "one\ntwo\n", MINUTE).unwrap();
        assert_eq!(ran.output, b"one\ntwo\n");
        assert!(ran.pass.peak_memory_bytes > 0 && ran.pass.elapsed_ns > 0 && !ran.out_of_time);
    }

    #[test]
    fn a_failure_includes_the_message_of_the_program() {
        let fault = shell("echo no table >&2; exit 3", "", MINUTE).unwrap_err();
        assert_eq!(fault.to_string(), "`sh` ended with exit status: 3: no table");
        let missing = Lines::new(&"e=no-such-program".parse().unwrap(), '.', &supervisor(false));
        let fault = missing.start_up(MINUTE).unwrap_err();
        assert!(fault.to_string().starts_with("cannot start `no-such-program`"), "{fault}");
    }

    #[test]
    fn an_engine_that_does_not_end_is_killed_and_its_answers_are_kept() {
        let ran = shell("echo first; exec sleep 600", "one\ntwo\n", Duration::from_secs(2)).unwrap();
        assert_eq!((ran.output.as_slice(), ran.out_of_time), (b"first\n".as_slice(), true));
    }
}
