//! A process that sees to it that no engine outlives us, even where we are killed without a word.
//!
//! It is this program again (`sudobench watchdog`), started once. It is told over a pipe which process groups run; the
//! pipe closes when we end, however that comes about, and then it kills what is left. It costs a run one line in a pipe.

use std::io::{self, BufRead, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use super::process_tree::{is_there, kill_group, kill_marked};
use crate::started;

/// How long its end is waited for: it has nothing to do but to look for what is left.
const GRACE: Duration = Duration::from_secs(2);

/// The running watchdog; it ends when this is dropped.
pub(super) struct Watchdog {
    child: Child,
    told: Option<ChildStdin>,
}

impl Watchdog {
    /// Starts it for the processes whose marks begin with `session`.
    pub(super) fn start(session: &str) -> io::Result<Watchdog> {
        let (file, words) = started::again_as_it_is()?;
        let mut command = Command::new(file);
        command
            .args(words)
            .args(["watchdog", session])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // Ctrl-C is for us: the watchdog goes when we have gone.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let told = child.stdin.take();
        Ok(Watchdog { child, told })
    }

    /// Tells it that this process group runs. One that ends by itself when we have gone has a moment to put things in order.
    pub(super) fn watch(&mut self, group: u32, ends_by_itself: bool) {
        self.tell(if ends_by_itself { '~' } else { '+' }, group);
    }

    /// Tells it that this process group has been killed.
    pub(super) fn forget(&mut self, group: u32) {
        self.tell('-', group);
    }

    fn tell(&mut self, sign: char, group: u32) {
        if let Some(told) = &mut self.told {
            // One that somebody killed watches nothing: a run without it is as good until it is killed itself.
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

/// What the watchdog does: hears of process groups until its input ends, and then kills those that still run and every
/// process whose mark begins with `session`.
pub fn watch(session: &str, input: &mut dyn BufRead) {
    let (mut running, mut ending): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    for line in input.lines().map_while(Result::ok) {
        let Some((sign, Ok(group))) = line.split_at_checked(1).map(|(sign, group)| (sign, group.parse()))
        else {
            continue;
        };
        for known in [&mut running, &mut ending] {
            known.retain(|&other| other != group);
        }
        match sign {
            "+" => running.push(group),
            "~" => ending.push(group),
            _ => {}
        }
    }
    running.into_iter().for_each(kill_group);
    let start = Instant::now();
    while ending.iter().any(|&group| is_there(group)) && start.elapsed() < GRACE {
        std::thread::sleep(Duration::from_millis(1));
    }
    ending.into_iter().for_each(kill_group);
    kill_marked(session);
}
