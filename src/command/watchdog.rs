//! `sudobench watchdog`: ends what engines leave behind, once the program that started them is gone.

use super::Exit;
use crate::cli::WatchdogArgs;

/// Listens until its input ends.
///
/// # Errors
/// Where the system has no process groups.
pub(super) fn run(typed: &WatchdogArgs) -> anyhow::Result<Exit> {
    #[cfg(unix)]
    sudobench_harness::process::watch(&typed.session, &mut std::io::stdin().lock());
    #[cfg(not(unix))]
    anyhow::bail!("this system has no process groups to watch over ({})", typed.session);
    #[cfg(unix)]
    Ok(Exit::Fine)
}
