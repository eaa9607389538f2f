//! The watchdog: a helper process that ends external programs even if the main process is killed.
//!
//! The main process is the process that starts the runners. The watchdog is the same program, started a second time by the main process.
//! The watchdog receives the process groups of the runners through a pipe. When the main process ends for any reason, the pipe closes, and
//! the watchdog kills the remaining processes.

use std::io::{self, BufRead, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::time::{Duration, Instant};

use super::helper;
use super::process_tree::{is_there, kill_group, kill_marked};

/// Grace period for runners to end by themselves. Also the maximum time that the main process waits for the watchdog to end.
const GRACE: Duration = Duration::from_secs(2);

/// The running watchdog. Dropping this value ends it.
pub(super) struct Watchdog {
    child: Child,
    told: Option<ChildStdin>,
}

impl Watchdog {
    /// Starts the watchdog for the processes whose marks begin with `session`.
    pub(super) fn start(session: &str) -> io::Result<Watchdog> {
        let mut command = helper::command(&[helper::WATCHDOG, session])?;
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // The watchdog gets its own process group, so that Ctrl-C does not end it. It must outlive this process.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let told = child.stdin.take();
        Ok(Watchdog { child, told })
    }

    /// Tells the watchdog that this process group runs.
    pub(super) fn watch(&mut self, group: u32) {
        self.tell('+', group);
    }

    /// Tells the watchdog that this process group has ended.
    pub(super) fn forget(&mut self, group: u32) {
        self.tell('-', group);
    }

    fn tell(&mut self, sign: char, group: u32) {
        if let Some(told) = &mut self.told {
            // The error is ignored: the watchdog may have been killed, but it is needed only if this process is killed, too.
            let _ = told.write_all(format!("{sign}{group}\n").as_bytes());
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.told = None;
        let start = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && start.elapsed() < GRACE {
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

/// Does the work of the watchdog: receives the process groups of runners until its input ends. Then the runners have some time to end by
/// themselves and clean up. After that, kills the runners that still run and, on Linux, every process whose mark begins with `session`.
pub(super) fn watch(session: &str, input: &mut dyn BufRead) {
    let mut running: Vec<u32> = Vec::new();
    for line in input.lines().map_while(Result::ok) {
        let Some((sign, Ok(group))) = line.split_at_checked(1).map(|(sign, group)| (sign, group.parse()))
        else {
            continue;
        };
        running.retain(|&other| other != group);
        if sign == "+" {
            running.push(group);
        }
    }
    let start = Instant::now();
    while running.iter().any(|&group| is_there(group)) && start.elapsed() < GRACE {
        std::thread::sleep(Duration::from_millis(1));
    }
    running.into_iter().for_each(kill_group);
    kill_marked(session);
}
