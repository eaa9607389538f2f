//! A running program on systems that aren't Unix. The program is a child process of this process, and threads write to and read from its
//! pipes.

use std::io::{Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sudobench_sudoku::nanoseconds;
use wait4::Wait4 as _;

use super::{End, Event, Fault, KEPT_ERROR_BYTES, LimitedProgram, Limits, Run, TICK};

/// Grace period for a killed program to end.
const GRACE: Duration = Duration::from_secs(2);

/// Maximum number of pieces of output that wait to be read. A program that prints more has to wait until they are read, as with any pipe.
const PIECES: usize = 64;

/// Maximum time between two checks whether the program has ended.
const LOOK: Duration = Duration::from_millis(1);

/// Stands for the helper processes that exist only on Unix. Here programs are started directly, so this type is empty.
pub(super) struct System;

impl System {
    /// Does nothing, because no helper is needed.
    pub(super) fn new(_stop: Arc<AtomicBool>) -> std::io::Result<System> {
        Ok(System)
    }

    /// Fails, because limits can't be enforced on this system.
    ///
    /// # Errors
    /// Always.
    pub(super) fn prepare(&self, _limits: &Limits) -> Result<(), Fault> {
        Err(Fault("programs can be run with limits only on Unix".to_owned()))
    }
}

/// A running program. Dropping this value ends the program.
pub(crate) struct Running {
    program: String,
    child: Child,
    start: Instant,
    input: Option<Sender<Vec<u8>>>,
    /// `None` after the end of the output was reported.
    output: Option<Receiver<Vec<u8>>>,
    /// The beginning of the text that the program wrote to standard error.
    errors: Arc<Mutex<Vec<u8>>>,
    is_end_told: bool,
    /// Time from the start of the program until its end was noticed.
    wall: Option<Duration>,
}

impl Running {
    pub(super) fn start(_system: &Arc<System>, command: &Command) -> Result<Running, Fault> {
        let program = command.get_program().to_string_lossy().into_owned();
        let fault = |error: std::io::Error| Fault(format!("cannot start `{program}`: {error}"));
        let mut again = Command::new(command.get_program());
        again.args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => again.env(name, value),
                None => again.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            again.current_dir(folder);
        }
        again.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let start = Instant::now();
        let mut child = again.spawn().map_err(fault)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, to_write) = channel::<Vec<u8>>();
        let (to_read, output) = sync_channel(PIECES);
        let errors = Arc::new(Mutex::new(Vec::new()));
        if let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes {
            // Each thread ends when its pipe ends. If the program stops reading, writing to its input fails; this is no error, because the
            // output of the program shows whether it did its work.
            let kept = Arc::clone(&errors);
            std::thread::spawn(move || to_write.iter().all(|bytes| stdin.write_all(&bytes).is_ok()));
            std::thread::spawn(move || pass_on(stdout, &to_read));
            std::thread::spawn(move || keep_first(stderr, &kept));
        }
        Ok(Running {
            program,
            child,
            start,
            input: Some(input),
            output: Some(output),
            errors,
            is_end_told: false,
            wall: None,
        })
    }

    /// Fails, because limits can't be enforced on this system.
    ///
    /// # Errors
    /// Always.
    pub(super) fn start_limited(system: &Arc<System>, program: &LimitedProgram) -> Result<Running, Fault> {
        system.prepare(&program.limits)?;
        Err(Fault("programs can be run with limits only on Unix".to_owned()))
    }

    /// Does nothing, because there are no runners on this system.
    pub(super) fn check_runner(&self) -> Result<(), Fault> {
        Ok(())
    }

    /// Kills the program, because `self` is dropped.
    pub(super) fn abandon(self) {}

    pub(crate) fn send(&mut self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            // If the program no longer reads, the writing thread has ended, and `bytes` is dropped.
            let _ = input.send(bytes);
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Closes the input. The program gets what was sent so far.
    pub(crate) fn end_input(&mut self) {
        self.input = None;
    }

    /// Waits for the next event, for at most `most`. If the program has just ended, waits for the rest of its output for up to [`TICK`],
    /// even if [`TICK`] is longer than `most`.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the system can't report whether the program has ended.
    pub(crate) fn next(&mut self, most: Duration) -> Result<Event, Fault> {
        let start = Instant::now();
        loop {
            let has_ended = self.is_end_told || self.has_ended()?;
            let left = most.saturating_sub(start.elapsed());
            let now = if has_ended && !self.is_end_told { TICK } else { LOOK.min(left) };
            match self.output.as_ref().map(|output| output.recv_timeout(now)) {
                Some(Ok(bytes)) => return Ok(Event::Output(bytes)),
                Some(Err(RecvTimeoutError::Disconnected)) => {
                    self.output = None;
                    return Ok(Event::Closed);
                }
                Some(Err(RecvTimeoutError::Timeout)) => {}
                None if has_ended => {}
                None => std::thread::sleep(now),
            }
            if has_ended && !self.is_end_told {
                self.is_end_told = true;
                return Ok(Event::Ended);
            }
            if left.is_zero() {
                return Ok(Event::Nothing);
            }
        }
    }

    fn has_ended(&mut self) -> Result<bool, Fault> {
        let fault = |error| Fault(format!("cannot find out whether `{}` has ended: {error}", self.program));
        let ended = self.child.try_wait().map_err(fault)?;
        if ended.is_some() {
            self.wall.get_or_insert(self.start.elapsed());
        }
        Ok(ended.is_some())
    }

    /// Ends the program if it has not ended by itself.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the system can't end it.
    pub(crate) fn end(mut self) -> Result<Run, Fault> {
        let fault = |message: &str, program: &str| Fault(format!("`{program}` does not end: {message}"));
        self.input = None;
        let was_ended = self.has_ended()?;
        // The error is ignored, because a program that has already ended can't be killed.
        let _ = self.child.kill();
        let start = Instant::now();
        let used = loop {
            match self.child.try_wait4().map_err(|error| fault(&error.to_string(), &self.program))? {
                Some(used) => break used,
                None if start.elapsed() > GRACE => {
                    return Err(fault("it was killed, but the system has not ended it yet", &self.program));
                }
                None => std::thread::sleep(Duration::from_micros(50)),
            }
        };
        let mut output = Vec::new();
        while let Some(Ok(bytes)) = self.output.as_ref().map(|output| output.recv_timeout(TICK)) {
            output.extend_from_slice(&bytes);
        }
        let errors = std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner));
        let end = if was_ended { End::Exited(used.status.code().unwrap_or(-1)) } else { End::Stopped };
        Ok(Run {
            cpu_ns: nanoseconds(used.rusage.utime + used.rusage.stime),
            system_ns: nanoseconds(used.rusage.stime),
            wall_ns: nanoseconds(self.wall.unwrap_or(self.start.elapsed())),
            peak_memory_bytes: used.rusage.maxrss,
            output,
            ..Run::from_end(end)
        }
        .with_errors(errors))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The error is ignored, because the program may have ended already. `kill` does not wait until the program has ended.
        let _ = self.child.kill();
    }
}

/// Sends the output to the receiver until the output ends or the receiver is dropped.
fn pass_on(mut stdout: impl Read, to_read: &SyncSender<Vec<u8>>) {
    let mut piece = vec![0; 1 << 16];
    while let Ok(read) = stdout.read(&mut piece)
        && read > 0
        && to_read.send(piece[..read].to_vec()).is_ok()
    {}
}

/// Keeps the beginning of the text. The rest is read and dropped, because otherwise the program would wait for a reader.
fn keep_first(mut stderr: impl Read, errors: &Mutex<Vec<u8>>) {
    let mut piece = vec![0; 4096];
    while let Ok(read) = stderr.read(&mut piece)
        && read > 0
    {
        let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
        let room = KEPT_ERROR_BYTES - errors.len();
        errors.extend_from_slice(&piece[..read.min(room)]);
    }
}
