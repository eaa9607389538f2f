//! A running program on Unix. A [runner](super::runner) starts and ends the program. This process reads and writes the program's pipes.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use sudobench_sudoku::nanoseconds;

use super::messages::{FromRunner, Isolation, Start, ToRunner, Word};
use super::runner::wait_until_ready;
use super::runners::Runner;
pub(super) use super::runners::System;
use super::{End, Event, Fault, KEPT_ERROR_BYTES, LimitedProgram, Run};

/// After the end of a program, at most about this many bytes of its remaining output are read. A pipe normally holds fewer bytes.
const REST_BYTES: usize = 1 << 20;

/// Maximum size of the pieces in which output is read, in bytes: the usual size of a pipe.
const PIECE_BYTES: usize = 1 << 16;

const ERROR_PIECE_BYTES: usize = 4096;

/// A running program. Dropping this value ends the program with its child processes.
pub(crate) struct Running {
    system: Arc<System>,
    program: String,
    /// The runner. `None` after it was lost or returned.
    runner: Option<Runner>,
    input: Option<OwnedFd>,
    /// Input for the program. The first `written` bytes have been written to the pipe.
    sent: Vec<u8>,
    written: usize,
    output: Option<OwnedFd>,
    piece: Box<[u8]>,
    errors: Option<OwnedFd>,
    /// The beginning of the text that came through `errors`.
    kept_errors: Vec<u8>,
    is_input_whole: bool,
    has_ended: bool,
    is_end_told: bool,
    is_limited: bool,
    run: Option<Box<Run>>,
    started: Instant,
}

impl Running {
    /// Lets a runner start a program without limits.
    ///
    /// # Errors
    ///
    /// [`Fault`] if no runner can be started or reached, or no pipe can be made. If the program itself can't be started, [`Running::next`]
    /// or [`Running::end`] reports the error.
    pub(super) fn start(system: &Arc<System>, command: &Command) -> Result<Running, Fault> {
        let argv = std::iter::once(command.get_program()).chain(command.get_args());
        let variables = command.get_envs().map(|(name, value)| (Word::from(name), value.map(Word::from)));
        let start = Start {
            words: argv.map(Word::from).collect(),
            environment: variables.collect(),
            folder: command.get_current_dir().map(|folder| Word::from(folder.as_os_str())),
            max_cpu_ns: None,
            max_wall_ns: None,
        };
        Running::start_in(system, Isolation::Inherit, start)
    }

    /// Lets a runner start a program under limits.
    ///
    /// # Errors
    /// [`Fault`] if no runner can be started or reached, no pipe can be made, or the limits can't be enforced.
    pub(super) fn start_limited(system: &Arc<System>, program: &LimitedProgram) -> Result<Running, Fault> {
        let text = |text: &String| Word::Text(text.clone());
        let variables = program.environment.iter().map(|(name, value)| (text(name), Some(text(value))));
        let start = Start {
            words: program.argv.iter().map(text).collect(),
            environment: variables.collect(),
            folder: None,
            max_cpu_ns: program.limits.cpu.map(nanoseconds),
            max_wall_ns: Some(nanoseconds(program.limits.wall)),
        };
        Running::start_in(system, program.limits.isolation(), start)
    }

    fn start_in(system: &Arc<System>, isolation: Isolation, start: Start) -> Result<Running, Fault> {
        let program = match start.words.first() {
            Some(Word::Text(text)) => text.clone(),
            Some(Word::Bytes(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
            None => String::new(),
        };
        let fault = |error: io::Error| Fault(format!("cannot start `{program}`: {error}"));
        let runner = system.runner(isolation)?;
        let (their_input, input) = io::pipe().map_err(fault)?;
        let (output, their_output) = io::pipe().map_err(fault)?;
        let (errors, their_errors) = io::pipe().map_err(fault)?;
        let [input, output, errors] = [input.into(), output.into(), errors.into()].map(|pipe: OwnedFd| {
            rustix::io::ioctl_fionbio(&pipe, true).map_err(|error| fault(error.into()))?;
            Ok(Some(pipe))
        });
        let started = Instant::now();
        let theirs = [their_input.as_fd(), their_output.as_fd(), their_errors.as_fd()];
        runner.send(&ToRunner::Start(Box::new(start)), &theirs)?;
        Ok(Running {
            system: Arc::clone(system),
            runner: Some(runner),
            input: input?,
            sent: Vec::new(),
            written: 0,
            output: output?,
            piece: vec![0; PIECE_BYTES].into(),
            errors: errors?,
            kept_errors: Vec::new(),
            is_input_whole: false,
            has_ended: false,
            is_end_told: false,
            is_limited: isolation != Isolation::Inherit,
            run: None,
            started,
            program,
        })
    }

    /// Sends input to the program. The input is written to the pipe during calls of [`Running::next`] and [`Running::end_input`].
    pub(crate) fn send(&mut self, bytes: Vec<u8>) {
        match self.sent.is_empty() {
            true => self.sent = bytes,
            false => self.sent.extend(bytes),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Ends the program's input after the bytes that were sent so far.
    pub(crate) fn end_input(&mut self) {
        self.is_input_whole = true;
        self.write();
    }

    /// Waits for the next event, for at most this time.
    ///
    /// # Errors
    /// [`Fault`] if the runner is lost, or if it reports that a program without limits could not be started.
    pub(crate) fn next(&mut self, most: Duration) -> Result<Event, Fault> {
        let start = Instant::now();
        loop {
            self.write();
            self.read_errors();
            if let Some(event) = self.read_output() {
                return Ok(event);
            }
            self.hear()?;
            if self.has_ended && !self.is_end_told {
                // The remaining output is returned before `Event::Ended`.
                let event = self.read_output();
                self.is_end_told = event.is_none();
                return Ok(event.unwrap_or(Event::Ended));
            }
            let left = most.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(Event::Nothing);
            }
            self.wait(left)?;
        }
    }

    /// Ends the program if it has not ended by itself, and ends its child processes.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the runner is lost, if a program without limits couldn't be started, or if the system can't end the program.
    pub(crate) fn end(mut self) -> Result<Run, Fault> {
        self.stop()?;
        let mut run = self.run.take().ok_or_else(|| Fault(format!("`{}` does not end", self.program)))?;
        while run.output.len() < REST_BYTES
            && let Some(Event::Output(bytes)) = self.read_output()
        {
            run.output.extend_from_slice(&bytes);
        }
        self.read_errors();
        let mut run = run.with_errors(std::mem::take(&mut self.kept_errors));
        run.enforced_by = self.runner.as_ref().map_or(String::new(), |runner| runner.enforced_by.clone());
        self.give_back();
        Ok(run)
    }

    /// Checks that the runner can still end the program.
    ///
    /// # Errors
    /// [`Fault`] if a signal such as SIGSTOP has stopped the runner.
    pub(super) fn check_runner(&self) -> Result<(), Fault> {
        self.runner.as_ref().map_or(Ok(()), Runner::check_is_running)
    }

    /// Kills a runner that does not answer, with all its child processes.
    pub(super) fn abandon(mut self) {
        self.runner = None;
    }

    /// Lets the runner end the program, and waits for the result of the run. A runner that does not answer is killed.
    fn stop(&mut self) -> Result<(), Fault> {
        self.input = None;
        let stopped = self.ask_to_stop();
        if stopped.is_err() {
            self.runner = None;
        }
        stopped?;
        self.check_start()
    }

    fn ask_to_stop(&mut self) -> Result<(), Fault> {
        let Some(runner) = &mut self.runner else { return Ok(()) };
        if self.run.is_none() {
            runner.send(&ToRunner::End, &[])?;
        }
        while self.run.is_none() {
            let message = runner.wait_for_line()?;
            take(message, &mut self.has_ended, &mut self.run)?;
        }
        Ok(())
    }

    fn give_back(&mut self) {
        if let Some(runner) = self.runner.take() {
            self.system.take_back(runner);
        }
    }

    /// Reads the messages of the runner that have arrived.
    fn hear(&mut self) -> Result<(), Fault> {
        while let Some(runner) = &mut self.runner
            && self.run.is_none()
            && let Some(message) = runner.line()?
        {
            take(message, &mut self.has_ended, &mut self.run)?;
        }
        self.check_start()
    }

    /// Fails if a program without limits could not be started. Does not fail if a program under limits could not be started, because the
    /// result of the run reports this.
    fn check_start(&self) -> Result<(), Fault> {
        match self.run.as_deref() {
            Some(Run { end: End::NotStarted(reason), .. }) if !self.is_limited => {
                Err(Fault(format!("cannot start `{}`: {reason}", self.program)))
            }
            _ => Ok(()),
        }
    }

    /// Writes as much input as the pipe takes. If the program stops reading, writing fails; this is no error, because the output of the
    /// program shows whether it did its work.
    fn write(&mut self) {
        while let Some(input) = &self.input
            && self.written < self.sent.len()
        {
            match rustix::io::write(input, &self.sent[self.written..]) {
                Ok(written) => self.written += written,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.input = None,
            }
        }
        self.sent.clear();
        self.written = 0;
        if self.is_input_whole {
            self.input = None;
        }
    }

    /// Reads a piece of the output. The end of the output is reported once.
    fn read_output(&mut self) -> Option<Event> {
        let output = self.output.as_ref()?;
        let read = loop {
            match rustix::io::read(output, &mut self.piece[..]) {
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return None,
                // An error when reading counts as the end of the output.
                read => break read.unwrap_or(0),
            }
        };
        if read == 0 {
            self.output = None;
            return Some(Event::Closed);
        }
        Some(Event::Output(self.piece[..read].to_vec()))
    }

    /// Keeps the beginning of the program's standard error. The rest is read and dropped, because otherwise the program would wait for a
    /// reader.
    fn read_errors(&mut self) {
        let mut piece = [0; ERROR_PIECE_BYTES];
        // The number of reads is limited, because the program may write as fast as this loop reads.
        for _ in 0..16 {
            let Some(errors) = &self.errors else { return };
            match rustix::io::read(errors, &mut piece) {
                Ok(0) => self.errors = None,
                Ok(read) => {
                    let room = KEPT_ERROR_BYTES - self.kept_errors.len();
                    self.kept_errors.extend_from_slice(&piece[..read.min(room)]);
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.errors = None,
            }
        }
    }

    /// Waits until there is something to read or to write, for at most this time.
    fn wait(&self, most: Duration) -> Result<(), Fault> {
        let mut watched = Vec::with_capacity(4);
        if let Some(runner) = &self.runner
            && self.run.is_none()
        {
            watched.push(PollFd::new(&runner.control, PollFlags::IN));
        }
        let pipes = [self.output.as_ref(), self.errors.as_ref()].into_iter().flatten();
        watched.extend(pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        if let Some(input) = &self.input
            && !self.sent.is_empty()
        {
            watched.push(PollFd::new(input, PollFlags::OUT));
        }
        wait_until_ready(&mut watched, Some(most))
            .map_err(|error| Fault(format!("cannot wait for a program: {error}")))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The result is ignored, because a dropped run is not used.
        let _ = self.stop();
        self.give_back();
    }
}

/// Processes a message about a run.
fn take(message: FromRunner, has_ended: &mut bool, run: &mut Option<Box<Run>>) -> Result<(), Fault> {
    match message {
        FromRunner::Ended => *has_ended = true,
        FromRunner::Ran(found) => (*has_ended, *run) = (true, Some(found)),
        FromRunner::Failed { message } => return Err(Fault(message)),
        FromRunner::Ready { .. } => return Err(Fault("the runner said twice that it is ready".to_owned())),
    }
    Ok(())
}
