//! The end of a program and of all that it started.
//!
//! Whatever a program starts is in its process group, unless it leaves it, and inherits its environment, in which
//! [`MARK`] names the run. So on Linux a process is found by its mark wherever it went, unless it cleared its
//! environment as well. On other Unixes the group alone is ended, on Windows the program alone.

use std::process::{Child, Command};

/// The environment variable that names the run which a process belongs to.
const MARK: &str = "SUDOBENCH_CHILD";

/// Has a command start in a process group of its own, with a mark.
pub(super) fn set_apart(command: &mut Command, mark: &str) {
    command.env(MARK, mark);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Kills a program that was [set apart](set_apart), and what it started. It is not reaped before: its number, which
/// is that of the group, would be free for another one.
pub(super) fn kill_all(child: &mut Child, mark: &str) {
    // One that has ended cannot be killed.
    let _ = child.kill();
    kill_group(child.id());
    kill_marked(mark);
}

/// Whether a program has ended. It is not reaped.
#[cfg(unix)]
pub(super) fn has_ended(child: &mut Child) -> std::io::Result<bool> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let Some(pid) = pid(child.id()) else { return Ok(true) };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(pid), options)?.is_some())
}

/// Whether a program has ended.
#[cfg(not(unix))]
pub(super) fn has_ended(child: &mut Child) -> std::io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

/// Kills the process group of this number.
#[cfg(unix)]
pub(super) fn kill_group(group: u32) {
    if let Some(group) = pid(group) {
        // A group without processes cannot be killed.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_group: u32) {}

#[cfg(unix)]
fn pid(number: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(number).ok()?)
}

/// Kills every process that carries the mark `mark`, or one that goes on behind it with a dot.
#[cfg(target_os = "linux")]
pub(super) fn kill_marked(mark: &str) {
    use rustix::process::{PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    use std::time::{Duration, Instant};
    /// For so long what starts others faster than it is killed is followed.
    const PATIENCE: Duration = Duration::from_secs(2);
    let start = Instant::now();
    loop {
        let found = carriers(mark);
        for &number in &found {
            let Some(process) = pid(number).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) else {
                continue;
            };
            // By now the number could be that of another process; behind the descriptor it cannot change.
            if carries(number, mark) {
                // One that has ended, or is another user's, cannot be killed.
                let _ = pidfd_send_signal(process, Signal::KILL);
            }
        }
        if found.is_empty() || start.elapsed() > PATIENCE {
            return;
        }
        // A killed process takes a moment to go.
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn kill_marked(_mark: &str) {}

/// The processes that carry a mark.
#[cfg(target_os = "linux")]
fn carriers(mark: &str) -> Vec<u32> {
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let numbers = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|&number| carries(number, mark)).collect()
}

#[cfg(target_os = "linux")]
fn carries(number: u32, mark: &str) -> bool {
    // Those of other users cannot be read; one that has ended has none.
    let environment = std::fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
    let is_mark = |variable: &[u8]| -> Option<bool> {
        let rest =
            variable.strip_prefix(MARK.as_bytes())?.strip_prefix(b"=")?.strip_prefix(mark.as_bytes())?;
        Some(rest.is_empty() || rest.starts_with(b"."))
    };
    environment.split(|&byte| byte == 0).any(|variable| is_mark(variable) == Some(true))
}
