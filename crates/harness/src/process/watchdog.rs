//! A process that ends external programs even if this process is killed.
//!
//! It is this program, started a second time. It gets the process groups of the runners through a pipe. When this process ends for any
//! reason, the pipe closes, and the watchdog kills the remaining processes.

use std::io::{self, BufRead, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::time::{Duration, Instant};

use super::helper;
use super::process_tree::{is_there, kill_group, kill_marked};

/// Time limit for the watchdog to look for remaining processes and end.
const GRACE: Duration = Duration::from_secs(2);

/// The running watchdog; it ends when this is dropped.
pub(super) struct Watchdog {
    child: Child,
    told: Option<ChildStdin>,
}

impl Watchdog {
    /// Starts it for the processes whose marks begin with `session`.
    pub(super) fn start(session: &str) -> io::Result<Watchdog> {
        let mut command = helper::watchdog(session)?;
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // The watchdog must not end with Ctrl-C, but after this process.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let told = child.stdin.take();
        Ok(Watchdog { child, told })
    }

    /// Tells it that this process group runs.
    pub(super) fn watch(&mut self, group: u32) {
        self.tell('+', group);
    }

    /// Tells it that this process group is gone.
    pub(super) fn forget(&mut self, group: u32) {
        self.tell('-', group);
    }

    fn tell(&mut self, sign: char, group: u32) {
        if let Some(told) = &mut self.told {
            // The watchdog may have been killed. Runs work without it, unless this process is killed too.
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

/// The watchdog's work: receives the process groups of runners until its input ends. Then runners end by themselves and clean up. After a
/// moment, it kills runners that still run, and every process whose mark begins with `session`.
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
