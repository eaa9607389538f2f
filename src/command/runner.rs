//! `sudobench runner`: runs a program under limits, for the process that started it.

use super::Exit;

/// Serves runs until its input ends.
///
/// # Errors
/// Where nobody can be answered any more, and where the system has no limits.
pub(super) fn run() -> anyhow::Result<Exit> {
    #[cfg(unix)]
    sudobench_harness::process::serve_runs(std::io::stdin(), &mut std::io::stdout().lock())?;
    #[cfg(not(unix))]
    anyhow::bail!("programs are run under limits on Unix alone");
    #[cfg(unix)]
    Ok(Exit::Fine)
}
