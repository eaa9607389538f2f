//! A program that is run under limits, once for each input.
//!
//! Who runs it is this program again in another process, the [runner](super::runner): it takes inputs a line each, as JSON, and
//! answers each with its [`Run`]. It is small, which keeps starting others cheap and the memory that the kernel counts
//! for them true; and what a run leaves behind becomes its child, so that it finds it wherever it went.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::Fault;
use super::child::{Children, Output, Running, TICK};
use crate::started;

/// A program, and what holds each of its runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitedProgram {
    /// The command: the program, then its arguments. Paths in it are absolute, for it runs in an empty folder.
    pub words: Vec<String>,
    /// Its environment, besides the few variables that every run has (`PATH`, `HOME`, `TMPDIR`, `LANG`).
    pub environment: Vec<(String, String)>,
    /// What holds it.
    pub limits: Limits,
}

/// What holds one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Processor time, user and system, of the program and of all that it started.
    pub cpu: Option<Duration>,
    /// Wall time, which ends it in any case.
    pub wall: Duration,
    /// Resident memory of the program and of all that it started, in bytes.
    pub memory_bytes: Option<u64>,
    /// Address space, in bytes: not for languages that reserve more than they use.
    pub address_space_bytes: Option<u64>,
    /// What it may print, in bytes.
    pub output_bytes: u64,
    /// Processes that may be there at a time.
    pub processes: u64,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// Processor time, user and system, of the program and of all that it started.
    pub cpu_ns: u64,
    /// Wall time from before its start until its end was noticed.
    pub wall_ns: u64,
    /// Largest resident set, in bytes: of the program, or where it was seen larger with all that it started.
    pub peak_memory_bytes: u64,
    /// What it printed, up to the limit.
    pub output: Vec<u8>,
    /// The beginning of what it said on standard error.
    pub words: String,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal that was not ours.
    Signalled(i32),
    /// We ended it: its processor time was over.
    CpuTime,
    /// We ended it: its wall time was over.
    WallTime,
    /// We ended it: it had too much memory.
    Memory,
    /// We ended it: it printed too much.
    Output,
    /// We ended it: there were too many processes.
    Processes,
    /// It could not be started, for this reason.
    NotStarted(String),
}

/// What a runner is told first.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Errand {
    pub(super) program: LimitedProgram,
    /// A folder of its own, in which each run has another one.
    pub(super) folder: PathBuf,
}

/// The first answer of a runner.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Greeting {
    /// It is ready; what holds the runs.
    Ready { held_by: String },
    /// It cannot hold them, for this reason.
    Fault(String),
}

/// How much longer than the wall limit an answer may take: the system may be slow to let go of what is killed.
const GRACE: Duration = Duration::from_secs(10);

/// A runner of one program, which runs it again and again, one run at a time.
pub struct Runner {
    children: Arc<Children>,
    /// Until this is dropped.
    running: Option<Running>,
    folder: PathBuf,
    /// What it has answered and nobody has read.
    unread: Vec<u8>,
    held_by: String,
    most: Duration,
}

impl Runner {
    /// Starts a runner.
    ///
    /// # Errors
    /// [`Fault`] where that cannot be, or the limits cannot be set.
    pub fn start(children: &Arc<Children>, program: &LimitedProgram) -> Result<Runner, Fault> {
        let fault = |error: std::io::Error| Fault(format!("cannot start a runner: {error}"));
        let (file, words) = started::again_as_it_is().map_err(fault)?;
        let mut command = Command::new(file);
        command.args(words).arg("runner");
        let folder = tempfile::Builder::new().prefix("sudobench-run-").tempdir();
        let folder = folder.map_err(|error| {
            let reason = std::io::Error::from(error.kind());
            Fault(format!("cannot make a folder in {}: {reason}", std::env::temp_dir().display()))
        })?;
        let running = children.start_runner(command)?;
        let mut runner = Runner {
            children: Arc::clone(children),
            running: Some(running),
            folder: folder.keep(),
            unread: Vec::new(),
            held_by: String::new(),
            most: program.limits.wall.saturating_add(GRACE),
        };
        runner.send(&Errand { program: program.clone(), folder: runner.folder.clone() })?;
        match parsed(&runner.answer()?)? {
            Greeting::Ready { held_by } => {
                runner.held_by = held_by;
                Ok(runner)
            }
            Greeting::Fault(words) => Err(Fault(words)),
        }
    }

    /// Runs the program once on `input`.
    ///
    /// # Errors
    /// [`Fault`] where the runner is lost or Ctrl-C was pressed; a program that fails is a [`Run`].
    pub fn run(&mut self, input: &[u8]) -> Result<Run, Fault> {
        self.send(String::from_utf8_lossy(input).as_ref())?;
        parsed(&self.answer()?)
    }

    fn send(&self, message: &(impl Serialize + ?Sized)) -> Result<(), Fault> {
        let line = line_of(message).map_err(|error| Fault(error.to_string()))?;
        if let Some(running) = &self.running {
            running.send(line);
        }
        Ok(())
    }

    /// What holds the runs, in words for a record.
    pub fn held_by(&self) -> &str {
        &self.held_by
    }

    /// The next line that it prints.
    fn answer(&mut self) -> Result<Vec<u8>, Fault> {
        let (start, mut looked_at) = (Instant::now(), 0);
        loop {
            if let Some(line) = take_line(&mut self.unread, looked_at) {
                return Ok(line);
            }
            looked_at = self.unread.len();
            match self.running.as_ref().map_or(Output::Closed, |running| running.read(TICK)) {
                _ if self.children.is_stopped() => return Err(Fault("interrupted".to_owned())),
                Output::Bytes(bytes) => self.unread.extend_from_slice(&bytes),
                Output::Nothing if start.elapsed() > self.most => {
                    return Err(Fault("the runner does not answer".to_owned()));
                }
                Output::Nothing => {}
                Output::Closed => return Err(Fault("the runner was killed".to_owned())),
            }
        }
    }
}

impl Drop for Runner {
    /// The end of its input has it end what runs and itself; what does not end so is killed.
    fn drop(&mut self) {
        if let Some(mut running) = self.running.take() {
            running.end_input();
            running.wait_whatever(Duration::from_secs(2));
        }
        // One that was killed did not.
        remove_all(&self.folder);
    }
}

/// Removes a folder with all that is in it, even where a program locked parts of it. What cannot be removed stays: that is
/// no verdict on anybody.
pub(super) fn remove_all(folder: &Path) {
    #[cfg(unix)]
    fn unlock(folder: &Path) -> std::io::Result<()> {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))?;
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                unlock(&entry.path())?;
            }
        }
        Ok(())
    }
    if std::fs::remove_dir_all(folder).is_ok() {
        return;
    }
    #[cfg(unix)]
    let _ = unlock(folder);
    let _ = std::fs::remove_dir_all(folder);
}

/// A message as it goes through a pipe.
pub(super) fn line_of(message: &(impl Serialize + ?Sized)) -> std::io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Takes the first whole line out of what came through a pipe; its end is not among the first `looked_at` bytes.
pub(super) fn take_line(unread: &mut Vec<u8>, looked_at: usize) -> Option<Vec<u8>> {
    let end = unread[looked_at..].iter().position(|&byte| byte == b'\n')?;
    let rest = unread.split_off(looked_at + end + 1);
    Some(std::mem::replace(unread, rest))
}

fn parsed<M: for<'m> Deserialize<'m>>(line: &[u8]) -> Result<M, Fault> {
    serde_json::from_slice(line).map_err(|error| Fault(format!("the runner answered nonsense: {error}")))
}
