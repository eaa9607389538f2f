//! The process that starts programs for another process, limits and measures them, and ends them with their child processes.
//!
//! The runner is sudobench itself, started again as a process that uses little memory. So the runner starts programs quickly, and adds
//! little to the memory that the kernel counts for the programs. The standard input of the runner is a socket for
//! [`messages`](super::messages). The socket also transfers the descriptors of the programs' pipes. The runner passes the pipes to the
//! program and does not read them.
//!
//! - The runner leads a session of its own, without a terminal. Each run has its own process group in this session.
//! - Under the judge's isolation, a run has an empty folder, few environment variables, and only its three standard descriptors. Limits of
//!   the system (`setrlimit`, and cgroup v2 if allowed) are set for the runner, and programs inherit them, so they apply from the program's
//!   first instruction on. On Linux, a limit of processor time is set for the program right after its start, and the runner also checks
//!   limits that `setrlimit` does not have, every [`TICK`]: processor time, resident memory and number of processes of the whole process
//!   tree.
//! - On Linux, the runner is the subreaper of a run: a process whose parent ends becomes the runner's child. At the end of a run, the
//!   runner kills its children until it has none. So no process outlives a run, even if it is in another session or group.
//! - The kernel counts the processor time of all children that the runner waited for. These times are exact. On Linux, they include the
//!   child processes that the program left behind. They miss the children of a process that ignores SIGCHLD. So for a run under limits, the
//!   runner also adds up the times that it observed, and uses the larger of the two sums.
//! - When the process that started the runner ends for any reason, the input of the runner ends. Then the runner ends the running program
//!   and itself.
//!
//! The runner makes measurements fair and cleans up, but it is not a sandbox: a program has the permissions of the user, and can even kill
//! the runner.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::io::{self, IoSliceMut, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{SigSet, Signal as NixSignal};
use nix::sys::time::{TimeVal, TimeValLike as _};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, FdFlags};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::process::{Resource, Rlimit, Signal, WaitOptions, kill_process, setrlimit, setsid, wait};
use sudobench_sudoku::nanoseconds;
use wait4::{ResUse, Wait4 as _};

use super::cgroup::Cgroup;
use super::lines::{PROTOCOL, line_of, take_line};
use super::messages::{FromRunner, Isolation, Start, ToRunner};
use super::process_tree::{MARK, is_over, kill_group, pid, tree};
use super::scratch::{remove_all, remove_contents};
use super::{End, Run};
use crate::meters::{Account, ChildCounters, Meters};

/// Interval between two checks of a run under limits.
const TICK: Duration = Duration::from_millis(10);

/// Grace period for killed processes to end.
const GRACE: Duration = Duration::from_secs(5);

/// The largest file that a run under limits may write, in bytes.
const FILE_BYTES: u64 = 64 << 20;

/// Number of processes and threads that the user may start in addition to those that already run. The system applies this limit to all
/// processes of the user together, so the runner also counts the processes of the run every [`TICK`].
#[cfg(target_os = "linux")]
const MORE_TASKS: u64 = 1024;

/// Starts programs on request, until standard input ends.
///
/// # Errors
///
/// If the process that started this one can't be reached or sends something that is not a message, or if a run can't be prepared or cleaned
/// up: for example because the system does not end killed processes.
pub(super) fn serve() -> io::Result<()> {
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut control = Control { socket, received: Vec::new(), descriptors: VecDeque::new() };
    let Some(ToRunner::Hello { protocol: PROTOCOL, isolation, folder }) = control.next()? else {
        return control.send(&FromRunner::Failed {
            message: "this program and its runner have different versions".to_owned(),
        });
    };
    let served = serve_runs(isolation, folder.as_deref(), &mut control);
    if let Some(folder) = folder {
        // The folder is removed here because the process that owns it may have been killed.
        remove_all(&folder);
    }
    served
}

fn serve_runs(isolation: Isolation, folder: Option<&Path>, control: &mut Control) -> io::Result<()> {
    let cgroup = match isolate(isolation) {
        Ok(cgroup) => cgroup,
        Err(error) => {
            return control.send(&FromRunner::Failed { message: format!("limits cannot be set: {error}") });
        }
    };
    let held_by = match (isolation, &cgroup) {
        (Isolation::Inherit, _) => "nothing",
        (Isolation::Judge { .. }, None) if cfg!(not(target_os = "linux")) => "rlimits",
        (Isolation::Judge { .. }, None) => "rlimits, and by watching memory and processes",
        (Isolation::Judge { .. }, Some(_)) => {
            "rlimits and cgroup v2 (memory, pids), and by watching memory and processes"
        }
    };
    control.send(&FromRunner::Ready { protocol: PROTOCOL, held_by: held_by.to_owned() })?;
    let runner = Runner { isolation, folder, cgroup };
    while let Some(message) = control.next()? {
        // Other messages are ignored, because `End` may arrive after the run is over.
        if let ToRunner::Start(start) = message {
            match runner.run(*start, control)? {
                Some(run) => control.send(&FromRunner::Ran(Box::new(run)))?,
                None => break,
            }
        }
    }
    Ok(())
}

/// The socket to the process that started this one.
struct Control {
    socket: UnixStream,
    received: Vec<u8>,
    /// Received descriptors that are not used for a program yet.
    descriptors: VecDeque<OwnedFd>,
}

impl Control {
    fn send(&mut self, message: &FromRunner) -> io::Result<()> {
        self.socket.write_all(&line_of(message)?)
    }

    /// Waits for the next message. Returns `None` at the end of the messages.
    fn next(&mut self) -> io::Result<Option<ToRunner>> {
        loop {
            if let Some(line) = take_line(&mut self.received, 0) {
                return Ok(Some(serde_json::from_slice(&line)?));
            }
            let mut piece = [0; 4096];
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
            let mut with_descriptors = RecvAncillaryBuffer::new(&mut space);
            let mut pieces = [IoSliceMut::new(&mut piece)];
            let read = match recvmsg(&self.socket, &mut pieces, &mut with_descriptors, RecvFlags::empty()) {
                Ok(received) => received.bytes,
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            };
            for message in with_descriptors.drain() {
                if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                    for descriptor in descriptors {
                        // With this flag, a program does not inherit the descriptors; it gets them only as its standard streams.
                        rustix::io::fcntl_setfd(&descriptor, FdFlags::CLOEXEC)?;
                        self.descriptors.push_back(descriptor);
                    }
                }
            }
            if read == 0 {
                return Ok(None);
            }
            self.received.extend_from_slice(&piece[..read]);
        }
    }

    /// Returns the standard input, output and error for the next program.
    fn pipes(&mut self) -> io::Result<[OwnedFd; 3]> {
        let mut next = || {
            self.descriptors.pop_front().ok_or_else(|| io::Error::other("the program's pipes are missing"))
        };
        Ok([next()?, next()?, next()?])
    }
}

/// Starts a session of its own, and sets the limits that programs inherit.
fn isolate(isolation: Isolation) -> io::Result<Option<Cgroup>> {
    setsid()?;
    // This process may have inherited a blocked SIGXFSZ. Programs would inherit it too, but this signal must end a program that writes a
    // file beyond the limit.
    SigSet::from(NixSignal::SIGXFSZ).thread_unblock()?;
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let Isolation::Judge { memory_bytes, address_space_bytes, processes } = isolation else {
        return Ok(None);
    };
    // Programs must not inherit descriptors that this process inherited.
    close_fds::set_fds_cloexec(3, &[]);
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, FILE_BYTES)?;
    if let Some(bytes) = address_space_bytes {
        limit(Resource::As, bytes)?;
    }
    #[cfg(target_os = "linux")]
    limit(Resource::Nproc, super::process_tree::tasks_of_user() + MORE_TASKS)?;
    Ok(Cgroup::enter(memory_bytes, processes))
}

/// Sets a limit, unless a lower limit is set already.
fn limit(resource: Resource, most: u64) -> io::Result<()> {
    let now = rustix::process::getrlimit(resource);
    let lower = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
    Ok(setrlimit(resource, Rlimit { current: lower(now.current), maximum: lower(now.maximum) })?)
}

/// Settings of all runs.
struct Runner<'f> {
    isolation: Isolation,
    /// Folder in which each run gets its own folder.
    folder: Option<&'f Path>,
    cgroup: Option<Cgroup>,
}

impl Runner<'_> {
    /// Runs a program until it ends, reaches a limit, or its end is requested. Then kills the processes that the program left behind.
    /// Returns `None` if the process that started this one has ended.
    fn run(&self, start: Start, control: &mut Control) -> io::Result<Option<Run>> {
        let pipes = control.pipes()?;
        let own_folder = self.folder.map(|folder| folder.join("run"));
        if let Some(folder) = &own_folder {
            fs::create_dir(folder)?;
        }
        let used_before = used_by_children()?;
        let kills_before = self.cgroup.as_ref().map_or(0, Cgroup::kills);
        let meters = Meters::start(Account::Children);
        let counters = (self.isolation == Isolation::Inherit).then(ChildCounters::open);
        let limits = RunLimits::new(&start, self.isolation);
        let started = Instant::now();
        let spawned = self.command(start, own_folder.as_deref(), pipes).spawn();
        let mut child = match spawned {
            Ok(child) => child,
            Err(error) => {
                self.clear()?;
                return Ok(Some(Run::from_end(End::NotStarted(error.to_string()))));
            }
        };
        limit_processor_time(child.id(), limits.cpu);
        let mut going = Going::new(&child, limits, started);
        let over = going.watch(control)?;
        let wall = started.elapsed();
        if matches!(over, Over::Ended) {
            control.send(&FromRunner::Ended)?;
            // The child processes of the program may run until the end of the run is requested.
            if !is_end_asked(control)? {
                end_all(&mut child)?;
                self.clear()?;
                return Ok(None);
            }
        }
        let ended = end_all(&mut child)?;
        // If a process ignores SIGCHLD, the kernel adds the times of its children to no total. So the larger value is used: the kernel's
        // total, or the sum of the times that the runner observed.
        let [user, system] = used_by_children()?;
        let system = system.saturating_sub(used_before[1]);
        let used = (user.saturating_sub(used_before[0]) + system).max(going.seen_cpu());
        self.clear()?;
        let has_no_memory = self.cgroup.as_ref().is_some_and(|cgroup| cgroup.kills() > kills_before);
        let end = match over {
            Over::Gone => return Ok(None),
            _ if has_no_memory => End::Memory,
            Over::Ended => end_of(ended.status),
            Over::Limit(end) => end,
        };
        let mut readings = meters.map(|meters| meters.stop()).unwrap_or_default();
        readings.extend(counters.map(ChildCounters::counted).unwrap_or_default());
        Ok(Some(Run {
            cpu_ns: nanoseconds(used),
            system_ns: nanoseconds(system),
            wall_ns: nanoseconds(wall),
            peak_memory_bytes: going.peak_bytes.max(ended.rusage.maxrss),
            memory_floor_bytes: own_peak_bytes(),
            readings,
            ..Run::from_end(end)
        }))
    }

    fn command(
        &self,
        start: Start,
        own_folder: Option<&Path>,
        [input, output, errors]: [OwnedFd; 3],
    ) -> Command {
        let mut words = start.words.into_iter().map(OsString::from);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        if let Some(folder) = own_folder {
            command.current_dir(folder).env_clear();
            command.env("HOME", folder).env("TMPDIR", folder).env("LANG", "C.UTF-8");
            // If this runner is killed, the program is still found and ended: its environment has the variable that `MARK` names.
            for name in ["PATH", MARK] {
                if let Some(value) = std::env::var_os(name) {
                    command.env(name, value);
                }
            }
        }
        if let Some(folder) = start.folder {
            command.current_dir(PathBuf::from(OsString::from(folder)));
        }
        for (name, value) in start.environment {
            match value {
                Some(value) => command.env(OsString::from(name), OsString::from(value)),
                None => command.env_remove(OsString::from(name)),
            };
        }
        command.stdin(Stdio::from(input)).stdout(Stdio::from(output)).stderr(Stdio::from(errors));
        command.process_group(0);
        command
    }

    /// Removes everything in the folder of runs, because a program may have removed or renamed its own folder, or put files next to it.
    fn clear(&self) -> io::Result<()> {
        let Some(folder) = self.folder else { return Ok(()) };
        if fs::remove_dir(folder.join("run")).is_err() || fs::read_dir(folder)?.next().is_some() {
            // Keeps the folder itself if possible, because the process that owns it has locked it.
            if remove_contents(folder).is_err() {
                remove_all(folder);
                fs::create_dir_all(folder)?;
            }
        }
        Ok(())
    }
}

/// Waits for the request to end the run. Returns `false` if the process that started this one has ended.
fn is_end_asked(control: &mut Control) -> io::Result<bool> {
    Ok(matches!(control.next()?, Some(ToRunner::End)))
}

/// Reason why the runner stopped watching a run.
enum Over {
    /// The program ended by itself.
    Ended,
    /// The runner must end the program, for this reason.
    Limit(End),
    /// The process that started this one has ended.
    Gone,
}

#[derive(Clone, Copy)]
struct RunLimits {
    cpu: Option<Duration>,
    wall: Option<Duration>,
    memory_bytes: Option<u64>,
    processes: Option<u64>,
}

impl RunLimits {
    fn new(start: &Start, isolation: Isolation) -> RunLimits {
        let (memory_bytes, processes) = match isolation {
            Isolation::Inherit => (None, None),
            Isolation::Judge { memory_bytes, processes, .. } => (memory_bytes, Some(processes)),
        };
        let [cpu, wall] = [start.max_cpu_ns, start.max_wall_ns].map(|most| most.map(Duration::from_nanos));
        RunLimits { cpu, wall, memory_bytes, processes }
    }

    /// Returns whether the runner must look at the processes of the run every [`TICK`], because the system does not enforce all limits.
    fn have_to_be_watched(&self) -> bool {
        self.cpu.is_some() || self.memory_bytes.is_some() || self.processes.is_some()
    }
}

struct Going {
    child: u32,
    /// A descriptor that is readable once the program has ended. `None` if the system has no such descriptor.
    ended: Option<OwnedFd>,
    limits: RunLimits,
    start: Instant,
    peak_bytes: u64,
    /// The last known processor time of every observed process. The key is the process number and the start time.
    seen: HashMap<(u32, u64), Duration>,
}

impl Going {
    fn new(child: &Child, limits: RunLimits, start: Instant) -> Going {
        let child = child.id();
        Going { child, ended: end_of_process(child), limits, start, peak_bytes: 0, seen: HashMap::new() }
    }

    /// Waits until the program has ended or must be ended.
    fn watch(&mut self, control: &mut Control) -> io::Result<Over> {
        let mut next_look = self.limits.have_to_be_watched().then_some(TICK);
        loop {
            let elapsed = self.start.elapsed();
            if self.limits.wall.is_some_and(|most| elapsed >= most) {
                return Ok(Over::Limit(End::WallTime));
            }
            if next_look.is_some_and(|time| elapsed >= time) {
                next_look = Some(elapsed + TICK);
                if let Some(end) = self.look() {
                    return Ok(Over::Limit(end));
                }
            }
            let until = [next_look, self.limits.wall].into_iter().flatten().min();
            let (is_asked, has_ended) = self.wait(control, until.map(|time| time.saturating_sub(elapsed)))?;
            if has_ended {
                return Ok(Over::Ended);
            }
            if is_asked {
                return Ok(match control.next()? {
                    Some(ToRunner::End) => Over::Limit(End::Stopped),
                    _ => Over::Gone,
                });
            }
        }
    }

    /// Waits until a message arrives or the program ends, but at most for the time `most`. Returns whether there is a message, and whether
    /// the program has ended.
    fn wait(&self, control: &Control, most: Option<Duration>) -> io::Result<(bool, bool)> {
        // If no descriptor signals the end of the program, the end is checked every millisecond.
        let most = match self.ended {
            Some(_) => most,
            None => Some(Duration::from_millis(1)),
        };
        let mut watched = vec![PollFd::new(&control.socket, PollFlags::IN)];
        watched.extend(self.ended.as_ref().map(|ended| PollFd::new(ended, PollFlags::IN)));
        wait_until_ready(&mut watched, most)?;
        let has_ended = match self.ended {
            Some(_) => !watched[1].revents().is_empty(),
            None => is_over(self.child)?,
        };
        Ok((!watched[0].revents().is_empty(), has_ended))
    }

    /// Measures the resources that the run uses. Returns the reason to end the run if a limit is exceeded.
    fn look(&mut self) -> Option<End> {
        let tree = tree();
        let running = tree.iter().filter(|process| !process.has_ended).count() as u64;
        // The number of processes is checked before the memory: shared pages count for each process, so too many processes may also exceed
        // the memory limit.
        if self.limits.processes.is_some_and(|most| running > most) {
            return Some(End::Processes);
        }
        let resident_bytes = tree.iter().map(|process| process.resident_bytes).sum();
        self.peak_bytes = self.peak_bytes.max(resident_bytes);
        if self.limits.memory_bytes.is_some_and(|most| resident_bytes > most) {
            return Some(End::Memory);
        }
        for process in &tree {
            self.seen.insert((process.number, process.start), process.own_cpu);
        }
        let now: Duration = tree.iter().map(|process| process.own_cpu + process.waited_cpu).sum();
        let cpu = now.max(self.seen_cpu());
        self.limits.cpu.is_some_and(|most| cpu > most).then_some(End::CpuTime)
    }

    fn seen_cpu(&self) -> Duration {
        self.seen.values().sum()
    }
}

/// Ends the program with its child processes, and waits for their end. Returns the resources that the program used. Also searches the
/// process tree, because a process may have left the process group.
fn end_all(child: &mut Child) -> io::Result<ResUse> {
    let start = Instant::now();
    let mut ended = None;
    loop {
        if ended.is_none() {
            kill_group(child.id());
            ended = child.try_wait4()?;
        }
        let are_others_gone = ended.is_some() && take_in_others()?;
        if let (Some(ended), true) = (ended, are_others_gone) {
            return Ok(ended);
        }
        kill_tree();
        if start.elapsed() > GRACE {
            return Err(io::Error::other("the system has not ended the killed processes"));
        }
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// Reaps the ended processes that a run left behind. Returns whether no process is left.
fn take_in_others() -> io::Result<bool> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => return Ok(false),
            Err(Errno::CHILD) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
    }
}

fn kill_tree() {
    // Parents are killed before their children. Once the parent of a process has ended, only this runner can reap the process, so the
    // process number stays valid.
    for number in tree().iter().map(|process| process.number) {
        if let Some(process) = pid(number) {
            // The error is ignored, because a process that has ended can't be killed.
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, signal) => End::Signalled(signal.unwrap_or(0)),
    }
}

/// Returns two processor times: in user mode and in system mode. Each is the sum over all child processes that this process waited for,
/// with the descendants that those child processes waited for.
fn used_by_children() -> io::Result<[Duration; 2]> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let of = |time: TimeVal| Duration::from_micros(u64::try_from(time.num_microseconds()).unwrap_or(0));
    Ok([of(usage.user_time()), of(usage.system_time())])
}

/// Returns the largest resident set of this process in bytes, or 0 if the system does not report it.
fn own_peak_bytes() -> u64 {
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    let peak = getrusage(UsageWho::RUSAGE_SELF).map_or(0, |usage| usage.max_rss());
    u64::try_from(peak).unwrap_or(0) * unit
}

/// Sets the system's limit of processor time, in whole seconds and a little above `most`, because this process normally ends the program at
/// `most`. The system enforces its limit even if this process is stopped.
#[cfg(target_os = "linux")]
fn limit_processor_time(child: u32, most: Option<Duration>) {
    if let (Some(most), Some(process)) = (most, pid(child)) {
        let seconds = most.as_secs() + 2;
        let limit = Rlimit { current: Some(seconds), maximum: Some(seconds + 1) };
        // The error is ignored, because a process that has ended needs no limit.
        let _ = rustix::process::prlimit(Some(process), Resource::Cpu, limit);
    }
}

/// Does nothing, because `prlimit` is a function of Linux.
#[cfg(not(target_os = "linux"))]
fn limit_processor_time(_child: u32, _most: Option<Duration>) {}

/// Returns a descriptor that is readable once the process has ended.
#[cfg(target_os = "linux")]
fn end_of_process(child: u32) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid(child)?, rustix::process::PidfdFlags::empty()).ok()
}

/// Returns `None`, because `pidfd_open` is a function of Linux.
#[cfg(not(target_os = "linux"))]
fn end_of_process(_child: u32) -> Option<OwnedFd> {
    None
}

/// Waits until one of these descriptors is ready, a signal arrives, or the time `most` is over.
pub(super) fn wait_until_ready(watched: &mut [PollFd<'_>], most: Option<Duration>) -> io::Result<()> {
    let timeout =
        most.map(|most| Timespec { tv_sec: most.as_secs() as i64, tv_nsec: i64::from(most.subsec_nanos()) });
    match poll(watched, timeout.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
