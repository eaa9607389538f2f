//! The process that runs a program under limits, on one input after the other ([`super::limited`]).
//!
//! - It is the leader of a session of its own, without a terminal; each run has a process group in it, an empty folder, few
//!   variables and no descriptors but its three.
//! - Limits of the system (`setrlimit`, and cgroup v2 where it may) are set on this process and inherited: they hold before the
//!   program's first instruction. What the system does not limit is looked at every [`TICK`]: processor time and
//!   resident memory of the whole tree, wall time, what is printed.
//! - On Linux it is the subreaper of all that a run starts: whose parent ends becomes its child. So it kills and waits until it has no
//!   children; nothing outlives a run, in whatever session or group it hides.
//! - The kernel's account of the children that were waited for is exact, and includes those that a run left behind.
//! - Its input ends when we end, however that comes about: then it ends what runs, and itself.
//!
//! This is fairness and hygiene, no sandbox: a program can do what its user can do, and kill this process too.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, Signal, WaitOptions, kill_process, setrlimit, setsid, wait};
use sudobench_sudoku::nanoseconds;
use wait4::{ResUse, Wait4 as _};

use super::cgroup::Cgroup;
use super::limited::{End, Errand, Greeting, LimitedProgram, Limits, Run, line_of, remove_all, take_line};
use super::process_tree::{MARK, is_over, kill_group, pid, tree};

/// How often a run is looked at.
const TICK: Duration = Duration::from_millis(10);

/// How long what was killed may take to be gone.
const GRACE: Duration = Duration::from_secs(5);

/// The largest file that a run may write, in bytes.
const FILE_BYTES: u64 = 64 << 20;

/// Processes and threads that the user may have more than there are, where the system counts them by user: a run's own are counted
/// at each look.
#[cfg(target_os = "linux")]
const MORE_TASKS: u64 = 1024;

/// Of standard error this much is kept.
const KEPT_ERROR_BYTES: usize = 4096;

/// Takes a program and then inputs from `input`, and answers each on `output`, until the input ends.
///
/// # Errors
/// Where nobody can be answered any more.
pub fn serve_runs(input: impl AsFd, output: &mut impl Write) -> io::Result<()> {
    let mut requests = Requests { input: input.as_fd(), unread: Vec::new() };
    let Some(first) = requests.next()? else { return Ok(()) };
    let Errand { program, folder } = serde_json::from_slice(&first)?;
    let served = serve(&program, &folder, &mut requests, output);
    // Who started us may have been killed.
    remove_all(&folder);
    served
}

fn serve(
    program: &LimitedProgram,
    folder: &Path,
    requests: &mut Requests<'_>,
    output: &mut impl Write,
) -> io::Result<()> {
    let cgroup = match hold_ourselves(&program.limits) {
        Ok(cgroup) => cgroup,
        Err(error) => return answer(output, &Greeting::Fault(format!("limits cannot be set: {error}"))),
    };
    let held_by = cgroup.as_ref().map_or(
        "rlimits, memory and processes watched",
        |_| "rlimits and cgroup v2 (memory, pids), memory and processes watched",
    );
    answer(output, &Greeting::Ready { held_by: held_by.to_owned() })?;
    while let Some(request) = requests.next()? {
        let given: String = serde_json::from_slice(&request)?;
        match run(program, folder, given.as_bytes(), requests.input, cgroup.as_ref())? {
            Some(ran) => answer(output, &ran)?,
            None => break,
        }
    }
    Ok(())
}

fn answer(output: &mut impl Write, message: &impl serde::Serialize) -> io::Result<()> {
    output.write_all(&line_of(message)?)?;
    output.flush()
}

/// What is asked, a line each.
struct Requests<'i> {
    input: BorrowedFd<'i>,
    unread: Vec<u8>,
}

impl Requests<'_> {
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some(line) = take_line(&mut self.unread, 0) {
                return Ok(Some(line));
            }
            let mut piece = [0; 4096];
            match rustix::io::read(self.input, &mut piece) {
                Ok(0) => return Ok(None),
                Ok(read) => self.unread.extend_from_slice(&piece[..read]),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Sets what this process hands down to all that it starts.
fn hold_ourselves(limits: &Limits) -> io::Result<Option<Cgroup>> {
    setsid()?;
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    // What we were started with by others may have been left open to us.
    close_fds::set_fds_cloexec(3, &[]);
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, FILE_BYTES)?;
    if let Some(bytes) = limits.address_space_bytes {
        limit(Resource::As, bytes)?;
    }
    #[cfg(target_os = "linux")]
    limit(Resource::Nproc, super::process_tree::tasks_of_user() + MORE_TASKS)?;
    Ok(Cgroup::enter(limits))
}

/// Sets a limit, unless a lower one is there already.
fn limit(resource: Resource, most: u64) -> io::Result<()> {
    let now = rustix::process::getrlimit(resource);
    let lower = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
    Ok(setrlimit(resource, Rlimit { current: lower(now.current), maximum: lower(now.maximum) })?)
}

/// One run. `None`: its end was asked for.
fn run(
    program: &LimitedProgram,
    folder: &Path,
    input: &[u8],
    requests: BorrowedFd<'_>,
    cgroup: Option<&Cgroup>,
) -> io::Result<Option<Run>> {
    let own = folder.join("run");
    fs::create_dir(&own)?;
    let used_before = used_by_children()?;
    let kills_before = cgroup.map_or(0, Cgroup::kills);
    let start = Instant::now();
    let mut child = match command(program, &own).spawn() {
        Ok(child) => child,
        Err(error) => {
            clear(folder)?;
            return Ok(Some(not_started(&error.to_string())));
        }
    };
    let mut going = Going::of(&mut child, input, program.limits, start)?;
    let over = going.watch(requests)?;
    let wall = start.elapsed();
    let ended = end_all(&mut child)?;
    going.read_the_rest()?;
    // A child whose parent does not want to hear of its end is in nobody's account: what was seen of it counts.
    let used = used_by_children()?.saturating_sub(used_before).max(going.seen_cpu());
    clear(folder)?;
    let end = match over {
        Over::Asked => return Ok(None),
        _ if cgroup.is_some_and(|cgroup| cgroup.kills() > kills_before) => End::Memory,
        Over::Ended if going.output.is_too_much => End::Output,
        Over::Ended => end_of(ended.status),
        Over::Limit(end) => end,
    };
    Ok(Some(Run {
        end,
        cpu_ns: nanoseconds(used),
        wall_ns: nanoseconds(wall),
        peak_memory_bytes: going.peak_bytes.max(ended.rusage.maxrss),
        output: going.output.bytes,
        words: String::from_utf8_lossy(&going.errors.bytes).trim().to_owned(),
    }))
}

fn not_started(words: &str) -> Run {
    let words = words.to_owned();
    Run {
        end: End::NotStarted(words),
        cpu_ns: 0,
        wall_ns: 0,
        peak_memory_bytes: 0,
        output: Vec::new(),
        words: String::new(),
    }
}

fn command(program: &LimitedProgram, folder: &Path) -> Command {
    let (file, arguments) =
        program.words.split_first().map_or(("", &[][..]), |(file, rest)| (file.as_str(), rest));
    let mut command = Command::new(file);
    command.args(arguments).current_dir(folder).env_clear();
    command.env("HOME", folder).env("TMPDIR", folder).env("LANG", "C.UTF-8");
    // By the mark it is found where this process is killed.
    for name in ["PATH", MARK] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.envs(program.environment.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    command
}

/// Why a run is looked at no longer.
enum Over {
    Ended,
    Limit(End),
    Asked,
}

/// A run that is under way.
struct Going {
    child: u32,
    /// Readable once the program has ended. `None` where the system has no such thing.
    ended: Option<OwnedFd>,
    output: Stream,
    errors: Stream,
    limits: Limits,
    start: Instant,
    peak_bytes: u64,
    /// The processor time of each process that was ever seen, by number and start.
    seen: HashMap<(u32, u64), Duration>,
}

impl Going {
    fn of(child: &mut Child, input: &[u8], limits: Limits, start: Instant) -> io::Result<Going> {
        if let Some(mut stdin) = child.stdin.take() {
            // An input is smaller than a pipe. One that reads no more breaks it, which is its own affair.
            let _ = stdin.write_all(input);
        }
        let missing = || io::Error::other("the program's pipes are missing");
        let (stdout, stderr) =
            (child.stdout.take().ok_or_else(missing)?, child.stderr.take().ok_or_else(missing)?);
        let most = usize::try_from(limits.output_bytes).unwrap_or(usize::MAX);
        let child = child.id();
        limit_processor_time(child, &limits);
        Ok(Going {
            child,
            ended: end_of_process(child),
            output: Stream::of(OwnedFd::from(stdout), most)?,
            errors: Stream::of(OwnedFd::from(stderr), KEPT_ERROR_BYTES)?,
            limits,
            start,
            peak_bytes: 0,
            seen: HashMap::new(),
        })
    }

    /// Looks on until it has ended or is to be ended.
    fn watch(&mut self, requests: BorrowedFd<'_>) -> io::Result<Over> {
        let mut next_look = TICK;
        loop {
            let elapsed = self.start.elapsed();
            if elapsed >= self.limits.wall {
                return Ok(Over::Limit(End::WallTime));
            }
            if elapsed >= next_look {
                next_look = elapsed + TICK;
                if let Some(end) = self.look() {
                    return Ok(Over::Limit(end));
                }
            }
            let wait = next_look.min(self.limits.wall).saturating_sub(elapsed);
            let seen = self.wait(requests, wait)?;
            if seen.is_asked_to_end {
                return Ok(Over::Asked);
            }
            self.errors.take()?;
            self.output.take()?;
            if self.output.is_too_much {
                return Ok(Over::Limit(End::Output));
            }
            if seen.has_ended {
                return Ok(Over::Ended);
            }
        }
    }

    /// Waits until there is something to see, for so long at most.
    fn wait(&self, requests: BorrowedFd<'_>, most: Duration) -> io::Result<Seen> {
        // Where no descriptor tells of the end, it is asked for.
        let most = if self.ended.is_some() { most } else { most.min(Duration::from_millis(1)) };
        let mut watched = vec![PollFd::from_borrowed_fd(requests, PollFlags::IN)];
        watched.extend(self.ended.as_ref().map(|ended| PollFd::new(ended, PollFlags::IN)));
        let pipes = [&self.output, &self.errors];
        watched.extend(
            pipes.into_iter().filter(|pipe| pipe.is_open).map(|pipe| PollFd::new(&pipe.pipe, PollFlags::IN)),
        );
        let timeout = Timespec { tv_sec: most.as_secs() as i64, tv_nsec: i64::from(most.subsec_nanos()) };
        match poll(&mut watched, Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let has_ended = match self.ended {
            Some(_) => !watched[1].revents().is_empty(),
            None => is_over(self.child)?,
        };
        // Nobody asks for another run before this one is answered: it can only be the end of the input.
        Ok(Seen { is_asked_to_end: !watched[0].revents().is_empty(), has_ended })
    }

    /// Holds what the run takes against the limits that the system does not hold.
    fn look(&mut self) -> Option<End> {
        let tree = tree();
        let running = tree.iter().filter(|process| !process.has_ended).count() as u64;
        // Pages that many share count for each, so that many look large.
        if running > self.limits.processes {
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

    /// The processor time of all processes, as far as it was seen.
    fn seen_cpu(&self) -> Duration {
        self.seen.values().sum()
    }

    /// Reads what is left in the pipes, once nobody writes any more.
    fn read_the_rest(&mut self) -> io::Result<()> {
        self.errors.take()?;
        self.output.take()
    }
}

/// What a wait came to.
struct Seen {
    is_asked_to_end: bool,
    has_ended: bool,
}

/// One of the program's pipes, and what was kept of it.
struct Stream {
    pipe: OwnedFd,
    bytes: Vec<u8>,
    most: usize,
    is_open: bool,
    /// Whether there was more than is kept.
    is_too_much: bool,
}

impl Stream {
    fn of(pipe: OwnedFd, most: usize) -> io::Result<Stream> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Stream { pipe, bytes: Vec::new(), most, is_open: true, is_too_much: false })
    }

    /// Reads what is there: a few pipes full at most, for one may be filled as fast as it is emptied.
    fn take(&mut self) -> io::Result<()> {
        let mut piece = [0; 1 << 16];
        for _ in 0..4 {
            if !self.is_open {
                return Ok(());
            }
            match rustix::io::read(&self.pipe, &mut piece) {
                Ok(0) => self.is_open = false,
                Ok(read) => {
                    let room = self.most - self.bytes.len();
                    self.bytes.extend_from_slice(&piece[..read.min(room)]);
                    self.is_too_much |= read > room;
                }
                Err(Errno::AGAIN) => return Ok(()),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// Ends the program and all that it started, and waits until it is gone. What it used is known then. The program is found
/// in the tree, too: it may have left its group.
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
            return Err(io::Error::other("the system does not let go of what was killed"));
        }
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// Takes in what has ended of all that a run left to us. Returns whether nothing is left.
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

/// Kills all that there is below this process.
fn kill_tree() {
    // They are our children, or theirs: we take them in, so that a number is still its own.
    for number in tree().iter().map(|process| process.number) {
        if let Some(process) = pid(number) {
            // One that has ended cannot be killed.
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

/// How a program ended by itself.
fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, signal) => End::Signalled(signal.unwrap_or(0)),
    }
}

/// Processor time, user and system, of all children that were waited for, and of those that they waited for.
fn used_by_children() -> io::Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let of = |time: nix::sys::time::TimeVal| {
        Duration::new(
            u64::try_from(time.tv_sec()).unwrap_or(0),
            u32::try_from(time.tv_usec()).unwrap_or(0) * 1000,
        )
    };
    Ok(of(usage.user_time()) + of(usage.system_time()))
}

/// The system's own limit of processor time, in whole seconds: for the case that this process is stopped.
#[cfg(target_os = "linux")]
fn limit_processor_time(child: u32, limits: &Limits) {
    if let (Some(most), Some(process)) = (limits.cpu, pid(child)) {
        let seconds = most.as_secs() + 2;
        let limit = Rlimit { current: Some(seconds), maximum: Some(seconds + 1) };
        // One that has ended needs none.
        let _ = rustix::process::prlimit(Some(process), Resource::Cpu, limit);
    }
}

/// Other systems do not set a limit from outside.
#[cfg(not(target_os = "linux"))]
fn limit_processor_time(_child: u32, _limits: &Limits) {}

/// A descriptor that is readable once the process has ended.
#[cfg(target_os = "linux")]
fn end_of_process(child: u32) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid(child)?, rustix::process::PidfdFlags::empty()).ok()
}

/// Other systems have no such descriptor.
#[cfg(not(target_os = "linux"))]
fn end_of_process(_child: u32) -> Option<OwnedFd> {
    None
}

/// Leaves nothing in a folder, and has it be there: a program may have removed or renamed its own, or put something beside it.
fn clear(folder: &Path) -> io::Result<()> {
    if fs::remove_dir(folder.join("run")).is_err() || fs::read_dir(folder)?.next().is_some() {
        remove_all(folder);
        fs::create_dir_all(folder)?;
    }
    Ok(())
}
