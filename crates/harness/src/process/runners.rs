//! The runners of this process: child processes that start programs for it. Free runners wait for the next program.

use std::io::{self, IoSlice, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, recv, sendmsg};

use super::lines::{MAX_LINE_BYTES, PROTOCOL, line_of, take_line};
use super::messages::{FromRunner, Isolation, ToRunner};
use super::process_tree::{MARK, is_over, is_stopped, kill_all};
use super::runner::wait_until_ready;
use super::scratch::{ScratchFolder, sweep_once};
use super::watchdog::Watchdog;
use super::{Fault, Limits, TICK, helper};

/// Time limit for sending a message to a runner. Also the time limit for answers that do not depend on how long a program runs.
const GRACE: Duration = Duration::from_secs(10);

/// Grace period for a runner to end. After Ctrl-C, also the time limit for an answer of a runner.
const LAST_GRACE: Duration = Duration::from_secs(2);

/// The runners of a supervisor.
pub(super) struct System {
    shared: Arc<Shared>,
    idle: Mutex<Vec<Runner>>,
}

/// The shared data of all runners.
struct Shared {
    /// The first part of the mark of every runner. A mark is the value of the environment variable `SUDOBENCH_CHILD` of a runner and its
    /// programs.
    session: String,
    started: AtomicU64,
    stop: Arc<AtomicBool>,
    watchdog: Mutex<Watchdog>,
}

impl Shared {
    fn with_watchdog(&self, tell: impl FnOnce(&mut Watchdog)) {
        tell(&mut self.watchdog.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl System {
    /// Starts the watchdog. After `stop` becomes true, the wait for an answer of a runner is shorter.
    ///
    /// # Errors
    ///
    /// If the watchdog can't be started, or the system doesn't report how processes end.
    pub(super) fn new(stop: Arc<AtomicBool>) -> io::Result<System> {
        #[cfg(target_os = "linux")]
        if ignores_ends_of_children() {
            return Err(io::Error::other(
                "this process was started with SIGCHLD ignored, so the system does not report how child processes end",
            ));
        }
        sweep_once();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let session = format!("{}-{}", std::process::id(), now.as_nanos());
        let watchdog = Mutex::new(Watchdog::start(&session)?);
        let shared = Shared { session, started: AtomicU64::new(0), stop, watchdog };
        Ok(System { shared: Arc::new(shared), idle: Mutex::default() })
    }

    /// Makes sure that these limits can be enforced.
    ///
    /// # Errors
    /// [`Fault`] if the limits can't be enforced.
    pub(super) fn prepare(&self, limits: &Limits) -> Result<(), Fault> {
        let runner = self.runner(limits.isolation())?;
        self.take_back(runner);
        Ok(())
    }

    /// Returns a free runner with this isolation, or starts a new one.
    ///
    /// # Errors
    ///
    /// [`Fault`] if no runner is free and no new runner can be started.
    pub(super) fn runner(&self, isolation: Isolation) -> Result<Runner, Fault> {
        let free = || {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let at = idle.iter().position(|runner| runner.isolation == isolation)?;
            Some(idle.swap_remove(at))
        };
        while let Some(mut runner) = free() {
            if runner.is_alive() {
                return Ok(runner);
            }
        }
        Runner::start(&self.shared, isolation)
    }

    /// Takes back a runner whose program has ended.
    pub(super) fn take_back(&self, runner: Runner) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(runner);
    }

    #[cfg(test)]
    pub(super) fn free_runners(&self) -> usize {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Drop for System {
    fn drop(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner);
        // First asks all runners to end, so that they end at the same time. Dropping a runner then waits for its end.
        idle.iter().for_each(Runner::dismiss);
    }
}

/// A runner: a process that starts programs for this process, one at a time.
pub(super) struct Runner {
    shared: Arc<Shared>,
    child: Child,
    /// The value of the environment variable that [`MARK`] names, in the runner and its programs.
    mark: String,
    isolation: Isolation,
    /// The folder of the runner, if its programs run in an empty folder.
    folder: Option<ScratchFolder>,
    pub(super) control: UnixStream,
    /// Answers that were received but not yet read.
    received: Vec<u8>,
    /// How the limits are enforced, in the words of the runner, such as `rlimits, and by watching memory and processes`.
    pub(super) enforced_by: String,
}

impl Runner {
    /// Starts a runner.
    ///
    /// # Errors
    /// [`Fault`] if the runner can't be started or can't enforce the limits.
    fn start(shared: &Arc<Shared>, isolation: Isolation) -> Result<Runner, Fault> {
        let fault = |error: io::Error| Fault(format!("cannot start a runner: {error}"));
        let mut command = helper::command(&[helper::RUNNER]).map_err(fault)?;
        let mark = format!("{}.{}", shared.session, shared.started.fetch_add(1, Ordering::Relaxed));
        let (control, theirs) = UnixStream::pair().map_err(fault)?;
        control.set_write_timeout(Some(GRACE)).map_err(fault)?;
        command.env(MARK, &mark);
        command.stdin(Stdio::from(OwnedFd::from(theirs))).stdout(Stdio::null()).stderr(Stdio::null());
        let folder = match isolation {
            Isolation::Inherit => None,
            Isolation::Judge { .. } => Some(
                ScratchFolder::new().map_err(|error| Fault(format!("cannot make a folder in {error}")))?,
            ),
        };
        let child = command.spawn().map_err(fault)?;
        shared.with_watchdog(|watchdog| watchdog.watch(child.id()));
        // From here on, dropping the runner ends the process.
        let mut runner = Runner {
            shared: Arc::clone(shared),
            child,
            mark,
            isolation,
            folder,
            control,
            received: Vec::new(),
            enforced_by: String::new(),
        };
        let folder = runner.folder.as_ref().map(|folder| folder.path().to_owned());
        runner.send(&ToRunner::Hello { protocol: PROTOCOL, isolation, folder }, &[])?;
        match runner.wait_for_line()? {
            FromRunner::Ready { protocol: PROTOCOL, held_by } => {
                runner.enforced_by = held_by;
                Ok(runner)
            }
            FromRunner::Failed { message } => Err(Fault(message)),
            _ => Err(Fault("the runner is another version of this program".to_owned())),
        }
    }

    pub(super) fn send(&self, message: &ToRunner, descriptors: &[BorrowedFd<'_>]) -> Result<(), Fault> {
        let line = line_of(message).map_err(|error| Fault(error.to_string()))?;
        let lost = |error: io::Error| Fault(format!("the runner is lost: {error}"));
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut with_descriptors = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() {
            with_descriptors.push(SendAncillaryMessage::ScmRights(descriptors));
        }
        // If the runner has ended, `sendmsg` returns an error. The signal SIGPIPE does not end this process, because programs in Rust and
        // Python ignore it.
        let sent = loop {
            match sendmsg(&self.control, &[IoSlice::new(&line)], &mut with_descriptors, SendFlags::empty()) {
                Err(Errno::INTR) => {}
                sent => break sent.map_err(|error| lost(error.into()))?,
            }
        };
        (&self.control).write_all(&line[sent..]).map_err(lost)
    }

    /// Returns the next message if it has arrived.
    pub(super) fn line(&mut self) -> Result<Option<FromRunner>, Fault> {
        let lost = || Fault("the runner was killed or failed".to_owned());
        loop {
            if let Some(line) = take_line(&mut self.received, 0) {
                let parsed = serde_json::from_slice(&line);
                return parsed
                    .map(Some)
                    .map_err(|error| Fault(format!("the answer of the runner cannot be read: {error}")));
            }
            if self.received.len() > MAX_LINE_BYTES {
                return Err(Fault("the answer of the runner is too long".to_owned()));
            }
            let mut piece = [0; 4096];
            match recv(&self.control, &mut piece, RecvFlags::DONTWAIT) {
                Ok((0, _)) => return Err(lost()),
                Ok((read, _)) => self.received.extend_from_slice(&piece[..read]),
                Err(Errno::AGAIN) => return Ok(None),
                Err(Errno::INTR) => {}
                Err(_) => return Err(lost()),
            }
        }
    }

    /// Waits at most [`GRACE`] for a message that the runner sends promptly, even if a program is still running.
    pub(super) fn wait_for_line(&mut self) -> Result<FromRunner, Fault> {
        let start = Instant::now();
        loop {
            if let Some(line) = self.line()? {
                return Ok(line);
            }
            self.check_is_running()?;
            let left = GRACE.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Err(Fault("the runner does not answer".to_owned()));
            }
            let mut watched = [PollFd::new(&self.control, PollFlags::IN)];
            wait_until_ready(&mut watched, Some(left.min(TICK)))
                .map_err(|error| Fault(format!("cannot wait for the runner: {error}")))?;
            if self.shared.stop.load(Ordering::Relaxed) && start.elapsed() > LAST_GRACE {
                return Err(Fault("interrupted".to_owned()));
            }
        }
    }

    /// Checks that no signal such as SIGSTOP has stopped the runner. A stopped runner enforces no limits, and can't answer.
    ///
    /// # Errors
    /// [`Fault`] if the runner is stopped.
    pub(super) fn check_is_running(&self) -> Result<(), Fault> {
        match is_stopped(self.child.id()) {
            true => Err(Fault("the runner was stopped by a signal such as SIGSTOP".to_owned())),
            false => Ok(()),
        }
    }

    /// Returns whether the runner still runs and has sent no unexpected message.
    fn is_alive(&mut self) -> bool {
        matches!(self.line(), Ok(None))
    }

    /// Asks the runner to end, but does not wait for its end. [`Runner::wait_for_end`] waits.
    fn dismiss(&self) {
        // The error is ignored, because a runner that has ended needs no request.
        let _ = self.control.shutdown(std::net::Shutdown::Both);
    }

    /// Waits up to [`LAST_GRACE`] for the end of the runner, unless a signal such as SIGSTOP has stopped the runner. After that, kills the
    /// runner if it still runs, and all processes with the runner's mark.
    fn wait_for_end(&mut self) {
        let start = Instant::now();
        let ends_by_itself = |child| !is_over(child).unwrap_or(true) && !is_stopped(child);
        while ends_by_itself(self.child.id()) && start.elapsed() < LAST_GRACE {
            std::thread::sleep(Duration::from_micros(200));
        }
        kill_all(&mut self.child, &self.mark);
        self.shared.with_watchdog(|watchdog| watchdog.forget(self.child.id()));
        // The process was killed, so this wait is short.
        let _ = self.child.wait();
        // Removes the folder, because a killed runner did not remove it.
        self.folder = None;
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.dismiss();
        self.wait_for_end();
    }
}

/// Returns whether this process ignores SIGCHLD, the signal that reports the end of child processes. A process can inherit this setting
/// from the process that started it.
#[cfg(target_os = "linux")]
fn ignores_ends_of_children() -> bool {
    const SIGCHLD: u64 = 17;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (SIGCHLD - 1) & 1 == 1)
}
