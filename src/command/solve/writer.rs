//! Takes the answered blocks in order: output, counts, progress.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::worker::{Notice, NoticeKind, Slot};
use crate::cli::ProgressWhen;
use crate::report::{count, rate};
use sudobench_batch::Tally;
use sudobench_batch::pipeline::Writer;
use sudobench_batch::sink::{Destination, Target};

/// The writing end of a run.
pub(super) struct SolveWriter {
    destination: Destination,
    /// Counts of the rows that were written.
    pub(super) tally: Tally,
    /// The first notices of each kind.
    notices: Vec<Notice>,
    progress: Progress,
    stop: Arc<AtomicBool>,
}

impl SolveWriter {
    /// Writes to `destination`, and raises `stop` where that fails, so that no solver goes on for nothing.
    pub(super) fn new(destination: Destination, progress: Progress, stop: Arc<AtomicBool>) -> SolveWriter {
        SolveWriter { destination, tally: Tally::default(), notices: Vec::new(), progress, stop }
    }

    /// The output, to be finished or left, and the notices. The display of progress is taken away.
    pub(super) fn into_parts(self) -> (Destination, Vec<Notice>) {
        (self.destination, self.notices)
    }
}

impl Writer<Slot> for SolveWriter {
    fn write(&mut self, slot: &mut Slot) -> anyhow::Result<ControlFlow<()>> {
        if let Err(error) = self.destination.write(&slot.text) {
            self.stop.store(true, Ordering::SeqCst);
            return Err(error.into());
        }
        self.tally.merge(&slot.tally);
        for notice in slot.notices.drain(..) {
            if self.notices.iter().filter(|other| other.kind == notice.kind).count() < NoticeKind::SHOWN {
                self.notices.push(notice);
            }
        }
        self.progress.show(self.tally.rows(), slot.progress);
        Ok(if slot.cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

/// Time between two lines of progress where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// The display of progress, on standard error.
pub(super) enum Progress {
    /// None.
    Hidden,
    /// A bar that is redrawn a few times a second.
    Bar {
        /// The bar, counting bytes of input.
        bar: ProgressBar,
        /// When the run started.
        start: Instant,
    },
    /// A line now and then.
    Lines {
        /// When the run started.
        start: Instant,
        /// When the next line is due.
        due: Instant,
    },
}

impl Progress {
    /// The display that was asked for. Where the rows go to the terminal themselves, they are progress enough.
    pub(super) fn new(when: ProgressWhen, quiet: bool, target: &Target) -> Progress {
        let start = Instant::now();
        let rows_are_seen = *target == Target::Stdout && std::io::stdout().is_terminal();
        match when {
            ProgressWhen::Never => Progress::Hidden,
            ProgressWhen::Auto if quiet || rows_are_seen => Progress::Hidden,
            _ if std::io::stderr().is_terminal() => {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
                bar.set_style(ProgressStyle::default_spinner());
                Progress::Bar { bar, start }
            }
            _ => Progress::Lines { start, due: start + LINE_INTERVAL },
        }
    }

    fn show(&mut self, rows: u64, (read, total): (u64, Option<u64>)) {
        let now = Instant::now();
        match self {
            Progress::Hidden => {}
            Progress::Bar { bar, start } => {
                if let Some(total) = total
                    && bar.length().is_none()
                {
                    bar.set_length(total);
                    // The template is a constant, and a fault in it would leave the plain style.
                    let style = ProgressStyle::with_template("{bar:40} {percent}%  {msg}  eta {eta}");
                    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
                }
                bar.set_position(read);
                bar.set_message(rows_and_rate(rows, now - *start));
            }
            Progress::Lines { start, due } => {
                if now >= *due {
                    *due = now + LINE_INTERVAL;
                    let share = total.map(|total| format!(", {}% of the input", read * 100 / total.max(1)));
                    let line = rows_and_rate(rows, now - *start);
                    anstream::eprintln!("sudobench: {line}{}", share.unwrap_or_default());
                }
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Progress::Bar { bar, .. } = self {
            bar.finish_and_clear();
        }
    }
}

fn rows_and_rate(rows: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-9);
    format!("{} rows, {}", count(rows), rate(rows as f64 / seconds))
}
