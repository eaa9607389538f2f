//! Other programs: the one way in which they are started, fed, read, bounded and ended.
//!
//! They are strangers: one may hang, print without end, leave others behind that hold its pipes, or not die. So
//! - nothing waits for them without a bound, and whoever waits looks at the flag of Ctrl-C now and then;
//! - the threads that feed and read them are never joined: they end when their pipes close, which the end of the
//!   program and of all that it started makes them do ([`process_tree`](super::process_tree));
//! - what is kept of what they print has a bound;
//! - where we are killed ourselves, the [`watchdog`](super::watchdog) ends them.

use std::io::{Read, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use sudobench_sudoku::nanoseconds;
use wait4::{ResUse, Wait4};

use super::Fault;
use super::process_tree::{MARK, has_ended, kill_all, set_apart};
#[cfg(unix)]
use super::watchdog::Watchdog;

/// The longest wait for a program before the flag of Ctrl-C is looked at again.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// How long a killed program may take to be gone.
const GRACE: Duration = Duration::from_secs(2);

/// How long the end of standard error is waited for, once nobody should hold it any more.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Of standard error this much is kept for the message about a failure.
const KEPT_ERROR_BYTES: usize = 4096;

/// Pieces of output on their way: who prints more waits, as at any pipe.
const PIECES: usize = 64;

/// Who starts programs and sees to it that none is left.
pub struct Children {
    /// What the marks of all of them begin with.
    session: String,
    started: AtomicU64,
    stop: Arc<AtomicBool>,
    #[cfg(unix)]
    watchdog: Option<Mutex<Watchdog>>,
}

impl Children {
    /// Programs that are given up as soon as `stop` becomes true. Nobody watches over them where we are killed.
    pub fn new(stop: Arc<AtomicBool>) -> Children {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Children {
            session: format!("{}-{}", std::process::id(), now.as_nanos()),
            started: AtomicU64::new(0),
            stop,
            #[cfg(unix)]
            watchdog: None,
        }
    }

    /// The same with a watchdog, which is this program again: only for the program itself, not for its tests.
    ///
    /// # Errors
    /// Where the watchdog cannot be started.
    pub fn watched(stop: Arc<AtomicBool>) -> std::io::Result<Children> {
        #[cfg(target_os = "linux")]
        if is_deaf() {
            return Err(std::io::Error::other(
                "this process was started with SIGCHLD ignored, so that the system does not tell how others end",
            ));
        }
        let children = Children::new(stop);
        #[cfg(unix)]
        let children =
            Children { watchdog: Some(Mutex::new(Watchdog::start(&children.session)?)), ..children };
        Ok(children)
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Starts a program.
    ///
    /// # Errors
    /// [`Fault`] where that cannot be.
    pub(crate) fn start(self: &Arc<Self>, mut command: Command) -> Result<Running, Fault> {
        set_apart(&mut command);
        self.start_as_it_is(command, false)
    }

    /// Starts a [runner](super::runner), which sets itself apart, and ends with its input: the watchdog leaves it the time.
    ///
    /// # Errors
    /// As [`Children::start`].
    pub(super) fn start_runner(self: &Arc<Self>, command: Command) -> Result<Running, Fault> {
        self.start_as_it_is(command, true)
    }

    fn start_as_it_is(
        self: &Arc<Self>,
        mut command: Command,
        ends_by_itself: bool,
    ) -> Result<Running, Fault> {
        let mark = format!("{}.{}", self.session, self.started.fetch_add(1, Ordering::Relaxed));
        command.env(MARK, &mark);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let program = command.get_program().to_string_lossy().into_owned();
        let fault = |error: std::io::Error| Fault(format!("cannot start `{program}`: {error}"));
        let mut child = command.spawn().map_err(fault)?;
        #[cfg(unix)]
        self.with_watchdog(|watchdog| watchdog.watch(child.id(), ends_by_itself));
        #[cfg(not(unix))]
        let _ = ends_by_itself;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, to_write) = channel();
        let (to_read, output) = sync_channel(PIECES);
        let words = Arc::new(Mutex::new(Vec::new()));
        let (silent, silence) = channel();
        // From here on dropping it ends the program.
        let running = Running {
            program: program.clone(),
            child,
            mark,
            children: Arc::clone(self),
            input: Some(input),
            output: Some(output),
            words: Arc::clone(&words),
            silence,
            is_reaped: false,
        };
        if let (Some(stdin), Some(stdout), Some(stderr)) = pipes {
            let thread = |name: &str| std::thread::Builder::new().name(format!("{name} of {program}"));
            thread("input").spawn(move || feed(stdin, &to_write)).map_err(fault)?;
            thread("output").spawn(move || pass_on(stdout, &to_read)).map_err(fault)?;
            thread("errors").spawn(move || keep_first(stderr, &words, &silent)).map_err(fault)?;
        }
        Ok(running)
    }

    #[cfg(unix)]
    fn with_watchdog(&self, tell: impl FnOnce(&mut Watchdog)) {
        if let Some(watchdog) = &self.watchdog {
            tell(&mut watchdog.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

/// Whether whoever started us has us ignore the signal that tells of the ends of others.
#[cfg(target_os = "linux")]
fn is_deaf() -> bool {
    const SIGCHLD: u64 = 17;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (SIGCHLD - 1) & 1 == 1)
}

/// Writes until there is no more to write. A program that reads no further breaks the pipe; what it answered tells
/// the rest.
fn feed(mut stdin: ChildStdin, to_write: &Receiver<Vec<u8>>) {
    while let Ok(bytes) = to_write.recv() {
        if stdin.write_all(&bytes).is_err() {
            return;
        }
    }
}

/// Hands on what is printed, until it ends or nobody wants it.
fn pass_on(mut stdout: impl Read, to_read: &SyncSender<Vec<u8>>) {
    let mut piece = vec![0; 1 << 16];
    while let Ok(read) = stdout.read(&mut piece)
        && read > 0
        && to_read.send(piece[..read].to_vec()).is_ok()
    {}
}

/// Keeps the beginning of what is said; the rest is read and dropped, lest the program waits. `_silent` goes at the end.
fn keep_first(mut stderr: impl Read, words: &Mutex<Vec<u8>>, _silent: &Sender<()>) {
    let mut piece = vec![0; KEPT_ERROR_BYTES];
    while let Ok(read) = stderr.read(&mut piece)
        && read > 0
    {
        let mut words = lock(words);
        let room = KEPT_ERROR_BYTES - words.len();
        words.extend_from_slice(&piece[..read.min(room)]);
    }
}

fn lock(words: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    words.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program that runs. Dropping it ends it, and what it started.
pub(crate) struct Running {
    program: String,
    child: Child,
    mark: String,
    children: Arc<Children>,
    input: Option<Sender<Vec<u8>>>,
    output: Option<Receiver<Vec<u8>>>,
    words: Arc<Mutex<Vec<u8>>>,
    silence: Receiver<()>,
    is_reaped: bool,
}

/// What a wait for output came to.
pub(crate) enum Output {
    /// It printed this.
    Bytes(Vec<u8>),
    /// It printed nothing in that time.
    Nothing,
    /// Nobody can print any more.
    Closed,
}

/// A program that has ended.
pub(crate) struct Ended {
    /// How.
    pub(crate) status: ExitStatus,
    /// Processor time of it and of those that it waited for, user and system.
    pub(crate) cpu_ns: u64,
    /// Its largest resident set, in bytes.
    pub(crate) peak_memory_bytes: u64,
    /// The beginning of what it said on standard error.
    pub(crate) words: String,
}

impl Ended {
    /// How it ended and what it said last: `exit status: 3: no table`.
    pub(crate) fn in_words(&self) -> String {
        let Ended { status, words, .. } = self;
        if words.is_empty() { status.to_string() } else { format!("{status}: {words}") }
    }
}

impl Running {
    /// Hands it input, which it reads when it wants to.
    pub(crate) fn send(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            // One that reads no more has no writer any more.
            let _ = input.send(bytes);
        }
    }

    /// There is no more input.
    pub(crate) fn end_input(&mut self) {
        self.input = None;
    }

    /// Waits for output, for so long at most.
    pub(crate) fn read(&self, wait: Duration) -> Output {
        match self.output.as_ref().map(|output| output.recv_timeout(wait)) {
            Some(Ok(bytes)) => Output::Bytes(bytes),
            Some(Err(RecvTimeoutError::Timeout)) => Output::Nothing,
            Some(Err(RecvTimeoutError::Disconnected)) | None => Output::Closed,
        }
    }

    /// Whether it has ended; what it started may go on.
    pub(crate) fn has_ended(&mut self) -> bool {
        // One that nobody knows of any more has.
        has_ended(&mut self.child).unwrap_or(true)
    }

    /// Waits for its end, for so long at most. Returns whether it came.
    pub(crate) fn wait(&mut self, most: Duration) -> bool {
        let start = Instant::now();
        while !self.has_ended() {
            if start.elapsed() > most || self.children.is_stopped() {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// The same, even where Ctrl-C was pressed.
    pub(super) fn wait_whatever(&mut self, most: Duration) {
        let start = Instant::now();
        while !self.has_ended() && start.elapsed() < most {
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// Ends it where it has not ended by itself, with all that it started.
    ///
    /// # Errors
    /// [`Fault`] where the system does not let go of it.
    pub(crate) fn end(mut self) -> Result<Ended, Fault> {
        let used = self.kill()?;
        // All that could say something is gone, but for what hid from us.
        let _ = self.silence.recv_timeout(LAST_WORDS);
        let words = String::from_utf8_lossy(&lock(&self.words)).trim().to_owned();
        let cpu_ns = nanoseconds(used.rusage.utime + used.rusage.stime);
        Ok(Ended { status: used.status, cpu_ns, peak_memory_bytes: used.rusage.maxrss, words })
    }

    fn kill(&mut self) -> Result<ResUse, Fault> {
        self.input = None;
        self.output = None;
        kill_all(&mut self.child, &self.mark);
        #[cfg(unix)]
        self.children.with_watchdog(|watchdog| watchdog.forget(self.child.id()));
        let start = Instant::now();
        let fault = |words: &str| Fault(format!("`{}` does not end: {words}", self.program));
        loop {
            if let Some(used) = self.child.try_wait4().map_err(|error| fault(&error.to_string()))? {
                self.is_reaped = true;
                return Ok(used);
            }
            if start.elapsed() > GRACE {
                return Err(fault("it was killed, and the system still has it"));
            }
            std::thread::sleep(Duration::from_micros(50));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_reaped {
            // Who drops it does not want to hear of it.
            let _ = self.kill();
        }
    }
}
