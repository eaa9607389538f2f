//! Handles Ctrl-C. The first press asks the run to stop (a run over rows then leaves complete rows); a second press ends the process
//! immediately. On Unix, the signals TERM, HUP and QUIT have the same effect.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use sudobench_rows::StopFlags;

use super::Exit;

/// Grace period for solving the puzzles that were read before an interrupt. After this period, the run only writes the solved rows, which
/// takes little time, so it usually ends within a second of the interrupt.
const GRACE: Duration = Duration::from_millis(800);

/// Time after the first signal in which further signals are ignored. The GNU command `timeout` sends a signal to the program and then to
/// its process group, so the program gets two signals within a millisecond. A person needs longer to press Ctrl-C again.
const ONE_PRESS: Duration = Duration::from_millis(100);

/// Sets `flag` at the first signal that asks the program to end (on Unix INT, TERM, HUP or QUIT). A further signal ends the process,
/// unless it follows the first within [`ONE_PRESS`].
pub(super) fn raise_on_signal(flag: &Arc<AtomicBool>) -> anyhow::Result<()> {
    on_interrupt(flag, || ())
}

/// Returns flags that stop a run over rows. The first signal that asks the program to end raises the flag `reading`, which stops reading.
/// After the time [`GRACE`], the flag `solving` is raised, which stops solving. A further signal ends the process, unless it follows the
/// first within [`ONE_PRESS`].
pub(super) fn flags() -> anyhow::Result<StopFlags> {
    let flags = StopFlags::default();
    let solving = Arc::clone(&flags.solving);
    on_interrupt(&flags.reading, move || {
        let late = Arc::clone(&solving);
        // Another thread waits, because the handler must be free to receive the second signal.
        let waiting = std::thread::Builder::new().spawn(move || {
            std::thread::sleep(GRACE);
            late.store(true, Ordering::SeqCst);
        });
        if waiting.is_err() {
            solving.store(true, Ordering::SeqCst);
        }
    })?;
    Ok(flags)
}

/// Raises the flag and calls `first` at the first signal. A further signal ends the process, unless it follows the first within
/// [`ONE_PRESS`].
fn on_interrupt(flag: &Arc<AtomicBool>, first: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let (raised, mut pressed) = (Arc::clone(flag), None::<Instant>);
    let handler = move || {
        if !raised.swap(true, Ordering::SeqCst) {
            pressed = Some(Instant::now());
            first();
        } else if pressed.is_none_or(|pressed| pressed.elapsed() > ONE_PRESS) {
            std::process::exit(Exit::Interrupted as i32);
        }
    };
    handle_signals(handler).context("cannot set a handler for Ctrl-C")
}

/// Starts a thread, which calls `handler` whenever a signal asks the program to end.
#[cfg(unix)]
fn handle_signals(mut handler: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT])?;
    std::thread::Builder::new().spawn(move || signals.forever().for_each(|_| handler()))?;
    Ok(())
}

#[cfg(not(unix))]
fn handle_signals(handler: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    Ok(ctrlc::set_handler(handler)?)
}
