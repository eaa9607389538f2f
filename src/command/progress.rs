//! Where a measurement stands, on a terminal. Written between passes, never within one.

use std::io::{IsTerminal, Write};

use crate::bench::Progress;

/// One line of standard error that is written anew; nothing where that is no terminal.
pub(super) struct BenchProgress {
    shown: bool,
}

impl BenchProgress {
    pub(super) fn new(quiet: bool) -> BenchProgress {
        BenchProgress { shown: !quiet && std::io::stderr().is_terminal() }
    }

    pub(super) fn show(&mut self, progress: Progress) {
        let Progress { round, rounds, solver, dataset } = progress;
        let stage = if round == 0 { "warm-up".to_owned() } else { format!("round {round}/{rounds}") };
        self.write(&format!("{stage}: {solver} on {dataset}"));
    }

    /// Wipes the line.
    pub(super) fn end(&mut self) {
        self.write("");
    }

    fn write(&mut self, line: &str) {
        if self.shown {
            // A terminal that went away takes only the display with it.
            let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
        }
    }
}
