//! A program named by `--command`. It may be any program, and it gets no input.

use std::process::Command;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use regex_lite::Regex;

use super::Callgrind;
use crate::process::{End, Fault, NamedCommand, Run, SHORT_OUTPUT, Supervisor};

/// Largest output of a run that can be compared or searched, in bytes.
const MOST_OUTPUT: usize = 64 << 20;

/// A command to measure.
pub struct MeasuredCommand {
    command: NamedCommand,
    /// Command line that runs before each run and is not timed.
    prepare: Option<Vec<String>>,
    max_time: Duration,
    /// Name of the option that sets the time limit, for messages.
    max_time_option: &'static str,
    supervisor: Arc<Supervisor>,
}

impl MeasuredCommand {
    /// Makes a command. Each run takes at most `max_time`; `max_time_option` is the name of the option that sets it.
    pub fn new(
        command: NamedCommand,
        prepare: Option<Vec<String>>,
        (max_time, max_time_option): (Duration, &'static str),
        supervisor: &Arc<Supervisor>,
    ) -> MeasuredCommand {
        MeasuredCommand { command, prepare, max_time, max_time_option, supervisor: Arc::clone(supervisor) }
    }

    /// Returns the command as typed, with its name.
    pub fn command(&self) -> &NamedCommand {
        &self.command
    }

    /// Returns whether the user interrupted this process, for example with Ctrl-C.
    pub fn is_interrupted(&self) -> bool {
        self.supervisor.is_interrupted()
    }

    /// Runs the preparation and then the command, once. The command's output is dropped.
    ///
    /// # Errors
    /// [`Fault`] if the preparation or the command does not start, does not end in time or does not exit with code 0.
    pub fn run(&self) -> Result<Run, Fault> {
        self.run_argv(&self.command.argv, 0)
    }

    /// Runs the preparation and then the command, once. Keeps the command's output.
    ///
    /// # Errors
    /// The errors of [`MeasuredCommand::run`]; and [`Fault`] if the command prints too much to keep.
    pub fn run_with_output(&self) -> Result<Run, Fault> {
        let run = self.run_argv(&self.command.argv, MOST_OUTPUT + 1)?;
        if run.output.len() > MOST_OUTPUT {
            let message = format!(
                "`{}` prints more than {} MiB, which is too much to compare: make it print less",
                self.command.text,
                MOST_OUTPUT >> 20
            );
            return Err(Fault(message));
        }
        Ok(run)
    }

    /// Runs the preparation and then the command, once. Counts the instructions of the command.
    ///
    /// # Errors
    /// The errors of [`MeasuredCommand::run`]; and [`Fault`] if no instructions are counted.
    pub fn count_instructions(&self, callgrind: &Callgrind) -> Result<u64, Fault> {
        callgrind.count(|| self.run_argv(&callgrind.command_line(&self.command.argv), 0))
    }

    /// Runs the preparation and then this command line. Keeps at most `kept` bytes of the output.
    fn run_argv(&self, argv: &[String], kept: usize) -> Result<Run, Fault> {
        if let Some(prepare) = &self.prepare {
            let fault = |fault: Fault| Fault(format!("--prepare: {fault}"));
            self.finish(prepare, SHORT_OUTPUT).map_err(fault)?;
        }
        self.finish(argv, kept)
    }

    /// Runs this command line to its end. Its exit code must be 0.
    fn finish(&self, argv: &[String], kept: usize) -> Result<Run, Fault> {
        let (program, arguments) =
            argv.split_first().ok_or_else(|| Fault("the command is empty".to_owned()))?;
        let mut command = Command::new(program);
        command.args(arguments);
        let start = Instant::now();
        let run = self.supervisor.finish(&command, self.max_time, kept).map_err(|fault| {
            let is_late = start.elapsed() > self.max_time && !self.supervisor.is_interrupted();
            if is_late { Fault(format!("{fault}: raise {}", self.max_time_option)) } else { fault }
        })?;
        match run.end {
            End::Exited(0) => Ok(run),
            _ => Err(Fault(format!("`{program}` ended with {}", run.in_words()))),
        }
    }
}

/// A pattern that finds a number in the output of a program.
#[derive(Clone, Debug)]
pub struct CounterPattern {
    /// Name of the counter.
    pub name: String,
    pattern: Regex,
}

impl FromStr for CounterPattern {
    type Err = Fault;

    /// Reads `NAME=REGEX`. The first group of the pattern is the number.
    fn from_str(text: &str) -> Result<CounterPattern, Fault> {
        let form = || {
            Fault(format!(
                "`{text}` is not a counter: write NAME='REGEX' (no `,` and no `:` in NAME), such as allocs='allocations: ([0-9]+)'"
            ))
        };
        let (name, pattern) = text.split_once('=').ok_or_else(form)?;
        let name = name.trim();
        if name.is_empty() || name.contains([',', ':']) {
            return Err(form());
        }
        let pattern = Regex::new(pattern).map_err(|error| {
            Fault(format!("the counter `{name}`: `{pattern}` is not a valid regular expression: {error}"))
        })?;
        if pattern.captures_len() < 2 {
            let message = format!(
                "the counter `{name}`: `{pattern}` has no group: put the number in parentheses, such as ([0-9]+)"
            );
            return Err(Fault(message));
        }
        Ok(CounterPattern { name: name.to_owned(), pattern })
    }
}

impl CounterPattern {
    /// Reads the number from the standard output of a run or, if the pattern does not match there, from the first MiB of its standard
    /// error.
    ///
    /// # Errors
    /// [`Fault`] if the pattern matches neither standard output nor standard error, or its first group is not a finite number of at least
    /// 0.
    pub fn read(&self, run: &Run) -> Result<f64, Fault> {
        let CounterPattern { name, pattern } = self;
        let group = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            let group = pattern.captures(&text)?.get(1).map_or("", |group| group.as_str());
            Some(group.to_owned())
        };
        let text = group(&run.output).or_else(|| group(&run.errors)).ok_or_else(|| {
            Fault(format!("the counter `{name}`: `{pattern}` matches nothing in the output of the program"))
        })?;
        let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
        number.ok_or_else(|| Fault(format!("the counter `{name}`: `{text}` is not a number of at least 0")))
    }

    /// Reads the number from two runs. Both must print the same number.
    ///
    /// # Errors
    /// The errors of [`CounterPattern::read`]; and [`Fault`] if the numbers of the two runs differ.
    pub fn read_twice(&self, runs: &[Run; 2]) -> Result<f64, Fault> {
        let [first, second] = [self.read(&runs[0])?, self.read(&runs[1])?];
        if first != second {
            let message = format!(
                "the counter `{}` is {first} in one run and {second} in the next, so it cannot be compared exactly",
                self.name
            );
            return Err(Fault(message));
        }
        Ok(first)
    }
}
