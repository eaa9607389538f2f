//! Where a measurement stands, on standard error. Written between passes, never within one: no thread ticks.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::bench::Step;
use crate::record::Finding;

/// How often a line is written where standard error is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// What a measuring command says while it runs. The display goes when this is dropped.
pub(super) enum Progress {
    /// Nothing.
    Quiet,
    /// A bar that is redrawn at each step.
    Bar(ProgressBar),
    /// A line now and then.
    Lines {
        /// When the next is due.
        due: Instant,
    },
}

impl Progress {
    /// A bar on a terminal, lines elsewhere, nothing where `quiet`.
    pub(super) fn new(quiet: bool) -> Progress {
        if quiet {
            return Progress::Quiet;
        }
        if !std::io::stderr().is_terminal() {
            return Progress::Lines { due: Instant::now() + LINE_INTERVAL };
        }
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        // The template is a constant, and a fault in it would leave the plain style.
        let style = ProgressStyle::with_template("{bar:30} {percent:>3}%  {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress::Bar(bar)
    }

    /// Says a sentence of its own line.
    pub(super) fn say(&self, words: &str) {
        match self {
            Progress::Quiet => {}
            Progress::Bar(bar) => bar.suspend(|| anstream::eprintln!("sudobench: {words}")),
            Progress::Lines { .. } => anstream::eprintln!("sudobench: {words}"),
        }
    }

    /// Says what was found to disturb measurements, before there are any to trust.
    pub(super) fn tell_noise(&self, findings: &[Finding]) {
        let noisy: Vec<String> = (findings.iter().filter(|found| found.is_noisy()))
            .map(|found| format!("{} {}", found.name, found.value))
            .collect();
        if !noisy.is_empty() {
            self.say(&format!("this machine is noisy ({}); see `sudobench doctor`", noisy.join(", ")));
        }
    }

    /// Tells what comes next, how many of so many steps are done, and about how long the rest takes.
    pub(super) fn tell(&mut self, (done, of): (usize, usize), left: Option<Duration>, words: &str) {
        let shown = match left {
            Some(left) => format!("{words}, about {} left", rounded(left)),
            None => words.to_owned(),
        };
        match self {
            Progress::Quiet => {}
            Progress::Bar(bar) => {
                bar.set_length(of as u64);
                bar.set_position(done as u64);
                bar.set_message(shown);
                // Redrawing is limited to some times a second, and the next step may be a while.
                bar.force_draw();
            }
            Progress::Lines { due } => {
                let now = Instant::now();
                if now >= *due {
                    *due = now + LINE_INTERVAL;
                    anstream::eprintln!("sudobench: {done} of {of}, {shown}");
                }
            }
        }
    }

    /// Tells a step of rounds; `part` is what they are part of.
    pub(super) fn tell_step(&mut self, step: &Step, part: &str) {
        let Step { round, rounds, solver, dataset, done, of, left } = *step;
        let stage = if round == 0 { "warm-up".to_owned() } else { format!("round {round} of {rounds}") };
        self.tell((done, of), left, &format!("{part}{stage}: {solver} on {dataset}"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// A time in whole seconds.
fn rounded(time: Duration) -> humantime::FormattedDuration {
    humantime::format_duration(Duration::from_secs(time.as_secs_f64().round() as u64))
}
