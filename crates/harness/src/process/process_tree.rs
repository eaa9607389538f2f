//! Ends a program with its child processes, and reports the resource use of processes.
//!
//! Child processes belong to the process group of the program, unless they leave the group. They also inherit the program's environment. In
//! this environment, the value of the variable [`MARK`], called the mark, identifies the runner of the program. On Linux, child processes
//! that left the group are ended, too: the runner finds them among the runner's descendants. If the runner is gone, they are found by their
//! mark, unless they cleared their environment. On other Unix systems, only processes in the group are ended; on Windows, only the program.

use std::process::Child;

/// The environment variable that identifies the runner of a process.
pub(super) const MARK: &str = "SUDOBENCH_CHILD";

/// Kills a process that leads its own group, with its child processes. The process and its group have the same number. The caller must not
/// have waited for the process before: after the wait, the system may give this number to another process.
pub(super) fn kill_all(child: &mut Child, mark: &str) {
    // The error is ignored, because a process that has ended can't be killed.
    let _ = child.kill();
    kill_group(child.id());
    kill_marked(mark);
}

/// Returns whether the child with this number has ended. Does not reap it.
pub(super) fn is_over(child: u32) -> std::io::Result<bool> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let Some(pid) = pid(child) else { return Ok(true) };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(pid), options)?.is_some())
}

/// Returns whether the child with this number is stopped, for example by SIGSTOP.
pub(super) fn is_stopped(child: u32) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    pid(child).is_some_and(|pid| matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_))))
}

pub(super) fn kill_group(group: u32) {
    if let Some(group) = pid(group) {
        // The error is ignored, because a group without processes cannot be killed.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Returns whether the process group with this number has processes.
pub(super) fn is_there(group: u32) -> bool {
    pid(group).is_some_and(|group| rustix::process::test_kill_process_group(group).is_ok())
}

pub(super) fn pid(number: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(number).ok()?)
}

/// The report of the system about a process.
#[derive(Debug)]
pub(super) struct Process {
    /// Number of the process (PID).
    pub(super) number: u32,
    /// Time at which the process started, in ticks since the start of the system. Process numbers are reused, so only the number and the
    /// start together identify a process.
    pub(super) start: u64,
    /// Whether the process has ended, but its parent has not yet waited for it.
    pub(super) has_ended: bool,
    /// Whether the process is a kernel thread. A kernel thread has no environment.
    #[cfg(target_os = "linux")]
    is_of_kernel: bool,
    /// Processor time of the process, user and system, to a hundredth of a second.
    pub(super) own_cpu: std::time::Duration,
    /// Processor time of the child processes that this process has waited for.
    pub(super) waited_cpu: std::time::Duration,
    /// Resident memory of the process, in bytes. Shared pages count in full.
    pub(super) resident_bytes: u64,
}

/// Returns the descendants of the current process, parents before their children. On systems other than Linux, the list is empty.
#[cfg(target_os = "linux")]
pub(super) fn tree() -> Vec<Process> {
    let (mut processes, mut numbers) = (Vec::new(), children_of(std::process::id()));
    let mut at = 0;
    while let Some(&number) = numbers.get(at) {
        at += 1;
        processes.extend(process(number));
        numbers.extend(children_of(number));
    }
    processes
}

#[cfg(not(target_os = "linux"))]
pub(super) fn tree() -> Vec<Process> {
    Vec::new()
}

/// The kernel's flag for its own threads (`include/linux/sched.h`).
#[cfg(target_os = "linux")]
const PF_KTHREAD: u64 = 0x0020_0000;

#[cfg(target_os = "linux")]
fn process(number: u32) -> Option<Process> {
    let (page, second) = (rustix::param::page_size() as u64, rustix::param::clock_ticks_per_second().max(1));
    let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // The fields are read after the last closing bracket, because the name, which is in brackets, may contain any characters.
    let (_, fields) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    let field = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
    let time = |ticks: u64| std::time::Duration::from_nanos(ticks.saturating_mul(1_000_000_000 / second));
    Some(Process {
        number,
        start: field(19),
        has_ended: matches!(fields.first(), Some(&("Z" | "X"))),
        is_of_kernel: field(6) & PF_KTHREAD != 0,
        own_cpu: time(field(11) + field(12)),
        waited_cpu: time(field(13) + field(14)),
        resident_bytes: field(21).saturating_mul(page),
    })
}

/// Returns the process numbers of the children of all threads of a process. Children that were already waited for are not included.
#[cfg(target_os = "linux")]
fn children_of(number: u32) -> Vec<u32> {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{number}/task")) else { return Vec::new() };
    let children = tasks.flatten().map(|task| std::fs::read_to_string(task.path().join("children")));
    let children: Vec<String> = children.map(Result::unwrap_or_default).collect();
    children
        .iter()
        .flat_map(|text| text.split_whitespace())
        .filter_map(|number| number.parse().ok())
        .collect()
}

/// Returns the number of threads of this user's processes.
#[cfg(target_os = "linux")]
pub(super) fn tasks_of_user() -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let user = rustix::process::getuid().as_raw();
    let Ok(processes) = std::fs::read_dir("/proc") else { return 0 };
    let of_user = processes.flatten().filter(|entry| entry.metadata().is_ok_and(|found| found.uid() == user));
    of_user.filter_map(|entry| Some(std::fs::read_dir(entry.path().join("task")).ok()?.count() as u64)).sum()
}

/// Kills the processes whose mark is `mark`, or starts with `mark` and a dot.
#[cfg(target_os = "linux")]
pub(super) fn kill_marked(mark: &str) {
    use rustix::process::{PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    use std::time::{Duration, Instant};
    /// Time limit for killing a program that starts child processes faster than they are killed.
    const PATIENCE: Duration = Duration::from_secs(2);
    /// Maximum time to wait for a process that has no environment yet. During `exec`, the environment is absent for a short time.
    const EXEC: Duration = Duration::from_millis(20);
    let start = Instant::now();
    loop {
        let Carriers { found, unclear } = carriers(mark);
        for &number in &found {
            let Some(process) = pid(number).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) else {
                continue;
            };
            // The descriptor always refers to one process, but the number may have passed to another process before the descriptor was
            // opened. So the mark is checked again.
            if carries(number, mark) == Some(true) {
                // The error is ignored, because a process that has ended, or that belongs to another user, can't be killed.
                let _ = pidfd_send_signal(process, Signal::KILL);
            }
        }
        let is_over = found.is_empty() && (!unclear || start.elapsed() > EXEC);
        if is_over || start.elapsed() > PATIENCE {
            return;
        }
        // A killed process takes a moment to end.
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn kill_marked(_mark: &str) {}

#[cfg(target_os = "linux")]
struct Carriers {
    found: Vec<u32>,
    /// Whether a running program had an empty environment, as during `exec`.
    unclear: bool,
}

#[cfg(target_os = "linux")]
fn carriers(mark: &str) -> Carriers {
    let mut carriers = Carriers { found: Vec::new(), unclear: false };
    let Ok(processes) = std::fs::read_dir("/proc") else { return carriers };
    for number in processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()) {
        match carries(number, mark) {
            Some(true) => carriers.found.push(number),
            Some(false) => {}
            None => carriers.unclear |= is_alive_program(number),
        }
    }
    carriers
}

/// Returns whether a process has the mark `mark`, or a mark that starts with `mark` and a dot. Returns `None` if the process has no
/// environment, or if its environment can't be read.
#[cfg(target_os = "linux")]
fn carries(number: u32, mark: &str) -> Option<bool> {
    // The environments of other users' processes can't be read. Ended processes and kernel threads have no environment.
    let environment = std::fs::read(format!("/proc/{number}/environ")).ok()?;
    let is_mark = |variable: &[u8]| -> Option<bool> {
        let rest =
            variable.strip_prefix(MARK.as_bytes())?.strip_prefix(b"=")?.strip_prefix(mark.as_bytes())?;
        Some(rest.is_empty() || rest.starts_with(b"."))
    };
    let carries = environment.split(|&byte| byte == 0).any(|variable| is_mark(variable) == Some(true));
    (!environment.is_empty()).then_some(carries)
}

/// Returns whether a process runs, is not a kernel thread, and lets this user read its environment. If the environment of such a process is
/// empty, the process may be in the middle of `exec`.
#[cfg(target_os = "linux")]
fn is_alive_program(number: u32) -> bool {
    let is_program = process(number).is_some_and(|process| !process.has_ended && !process.is_of_kernel);
    is_program && std::fs::read(format!("/proc/{number}/environ")).is_ok()
}
