//! The accounts of resource use that the operating system keeps. They are read before and after a pass, while no contestant's clock runs.

use crate::record::registry::Readings;

/// The threads or processes whose account is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// The calling thread, or this whole process if the system keeps no accounts of threads.
    Thread,
    /// All threads of this process.
    Process,
    /// Child processes that have ended and were waited for.
    Children,
}

/// The state of an account at the start of a pass.
pub struct Meters(system::Meters);

impl Meters {
    /// Reads the account. `None` if the system doesn't keep it.
    pub fn start(account: Account) -> Option<Meters> {
        system::Meters::start(account).map(Meters)
    }

    /// Returns the counts since the start. Empty if they are unknown.
    pub fn stop(&self) -> Readings {
        self.0.stop().unwrap_or_default()
    }
}

#[cfg(unix)]
mod system {
    use std::borrow::Cow;

    use nix::sys::resource::{Usage, UsageWho, getrusage};

    use super::{Account, Readings};
    use crate::record::registry::{CONTEXT_SWITCHES, Figure, PAGE_FAULTS};

    /// A figure, and the function that reads it from an account.
    type Meter = (&'static Figure, fn(&Usage) -> i64);

    const METERS: [Meter; 2] = [
        (&PAGE_FAULTS, |usage| usage.minor_page_faults() + usage.major_page_faults()),
        (&CONTEXT_SWITCHES, |usage| {
            usage.voluntary_context_switches() + usage.involuntary_context_switches()
        }),
    ];

    pub(super) struct Meters {
        account: Account,
        before: Usage,
    }

    impl Meters {
        pub(super) fn start(account: Account) -> Option<Meters> {
            Some(Meters { account, before: usage(account)? })
        }

        pub(super) fn stop(&self) -> Option<Readings> {
            let after = usage(self.account)?;
            // Every program has page faults. If the account has none, the system doesn't keep it or the program isn't a child.
            let ran = after.minor_page_faults() > self.before.minor_page_faults();
            let since = |(figure, count): Meter| {
                (Cow::Borrowed(figure.key), (count(&after) - count(&self.before)) as f64)
            };
            (ran || self.account != Account::Children).then(|| METERS.into_iter().map(since).collect())
        }
    }

    fn usage(account: Account) -> Option<Usage> {
        let who = match account {
            #[cfg(target_os = "linux")]
            Account::Thread => UsageWho::RUSAGE_THREAD,
            #[cfg(not(target_os = "linux"))]
            Account::Thread => UsageWho::RUSAGE_SELF,
            Account::Process => UsageWho::RUSAGE_SELF,
            Account::Children => UsageWho::RUSAGE_CHILDREN,
        };
        getrusage(who).ok()
    }
}

#[cfg(not(unix))]
mod system {
    use super::{Account, Readings};

    /// This system has no accounts.
    pub(super) enum Meters {}

    impl Meters {
        pub(super) fn start(_account: Account) -> Option<Meters> {
            None
        }

        pub(super) fn stop(&self) -> Option<Readings> {
            match *self {}
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Returns the count of the figure `key` while `run` runs.
    fn counted(account: Account, key: &str, run: impl FnOnce()) -> Option<f64> {
        let meters = Meters::start(account)?;
        run();
        meters.stop().get(key).copied()
    }

    #[test]
    fn page_faults_of_a_thread_are_counted() {
        let touch = || assert!(std::hint::black_box(vec![1_u8; 1 << 26]).iter().all(|&byte| byte == 1));
        assert!(counted(Account::Thread, "page_faults", touch).unwrap() > 0.0);
    }

    #[test]
    fn waiting_is_a_context_switch() {
        let wait = || std::thread::sleep(std::time::Duration::from_millis(2));
        assert!(counted(Account::Thread, "context_switches", wait).unwrap() > 0.0);
    }

    #[test]
    fn ended_programs_are_counted() {
        let run = || assert!(Command::new("true").status().unwrap().success());
        assert!(counted(Account::Children, "page_faults", run).unwrap() > 0.0);
    }
}
