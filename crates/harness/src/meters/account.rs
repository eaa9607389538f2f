//! The accounts of resource use that the operating system keeps. They are read before and after a pass, while no contestant's clock runs.

use std::borrow::Cow;

use crate::record::registry::{Figure, PAGE_FAULTS, Readings};

/// The threads or processes whose account is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// The calling thread. On systems other than Linux, this whole process.
    Thread,
    /// All threads of this process.
    Process,
    /// Child processes that have ended and were waited for.
    Children,
}

/// The state of an account at the start of a pass.
pub struct Meters {
    account: Account,
    before: Totals,
}

/// The total counts of an account up to now, each with its figure.
type Totals = [(&'static Figure, i64); 2];

impl Meters {
    /// Reads the account. `None` if the system doesn't keep it.
    pub fn start(account: Account) -> Option<Meters> {
        Some(Meters { account, before: totals(account)? })
    }

    /// Returns the counts since the call of [`Meters::start`]. Empty if they are unknown.
    pub fn stop(&self) -> Readings {
        let Some(after) = totals(self.account) else { return Readings::new() };
        let both = self.before.iter().zip(after);
        let since =
            both.map(|((figure, before), (_, after))| (Cow::Borrowed(figure.key), (after - before) as f64));
        let counts: Readings = since.collect();
        // Every program has page faults. If the account of the child processes counted none, the system doesn't keep this account, or the
        // program isn't a child process of this process.
        let ran = counts.get(PAGE_FAULTS.key).is_some_and(|&faults| faults > 0.0);
        if ran || self.account != Account::Children { counts } else { Readings::new() }
    }
}

#[cfg(unix)]
fn totals(account: Account) -> Option<Totals> {
    use crate::record::registry::CONTEXT_SWITCHES;
    use nix::sys::resource::{UsageWho, getrusage};

    let who = match account {
        #[cfg(target_os = "linux")]
        Account::Thread => UsageWho::RUSAGE_THREAD,
        #[cfg(not(target_os = "linux"))]
        Account::Thread => UsageWho::RUSAGE_SELF,
        Account::Process => UsageWho::RUSAGE_SELF,
        Account::Children => UsageWho::RUSAGE_CHILDREN,
    };
    let usage = getrusage(who).ok()?;
    let switches = usage.voluntary_context_switches() + usage.involuntary_context_switches();
    let faults = usage.minor_page_faults() + usage.major_page_faults();
    Some([(&PAGE_FAULTS, faults), (&CONTEXT_SWITCHES, switches)])
}

/// Returns `None`, because no accounts are read on this system.
#[cfg(not(unix))]
fn totals(_account: Account) -> Option<Totals> {
    None
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
