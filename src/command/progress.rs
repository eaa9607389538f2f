//! Progress on standard error: of measurements, and of runs over rows.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sudobench_rows::sink::Target;

use super::say::say;
use super::terminal;
use crate::cli::ProgressWhen;
use sudobench_harness::bench::Step;
use sudobench_harness::record::Finding;
use sudobench_harness::report::{counted, escape, rate};

/// Interval between progress lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Number of steps of the progress bar of a run over rows. It must be large, so that the remaining time can be computed even if a run
/// takes days.
const BAR_LENGTH: u64 = 1_000_000_000;

/// The way in which progress is shown. A bar is removed when the value is dropped.
enum Shown {
    Hidden,
    Bar(ProgressBar),
    /// One line per [`LINE_INTERVAL`].
    Lines {
        /// Time of the next line.
        due: Instant,
    },
}

impl Shown {
    fn on_stderr(bar: impl FnOnce() -> ProgressBar) -> Shown {
        match std::io::stderr().is_terminal() {
            true => Shown::Bar(bar()),
            false => Shown::Lines { due: Instant::now() + LINE_INTERVAL },
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Shown::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// Returns the style of a bar with the text `beside` next to it. If the template is invalid, the bar has the default style; there is no
/// error, because the user can't fix the template.
fn bar_style(beside: &str) -> ProgressStyle {
    let template = format!("{{bar:{}}} {{percent:>3}}%  {beside}", terminal::bar_width());
    ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Prints a line if it is due, and sets the time of the next line.
fn say_if_due(due: &mut Instant, line: impl FnOnce() -> String) {
    let now = Instant::now();
    if now >= *due {
        *due = now + LINE_INTERVAL;
        say(line());
    }
}

/// The progress display of a measurement. It has no thread of its own, because such a thread could disturb the measurement. Update the
/// display only between timed passes, because drawing takes processor time.
pub(super) struct MeasurementProgress(Shown);

impl MeasurementProgress {
    /// Makes a bar on a terminal and lines elsewhere. Shows nothing if `quiet`.
    pub(super) fn new(quiet: bool) -> MeasurementProgress {
        if quiet {
            return MeasurementProgress(Shown::Hidden);
        }
        MeasurementProgress(Shown::on_stderr(|| {
            let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr());
            bar.with_style(bar_style("{wide_msg}"))
        }))
    }

    pub(super) fn say(&self, message: &str) {
        match &self.0 {
            Shown::Hidden => {}
            Shown::Bar(bar) => bar.suspend(|| say(message)),
            Shown::Lines { .. } => say(message),
        }
    }

    pub(super) fn tell_noise(&self, findings: &[Finding]) {
        if let Some(message) = noise(findings) {
            self.say(&message);
        }
    }

    /// Shows the next step, the number of steps done, the total number of steps, and an estimate of the remaining time.
    pub(super) fn tell(&mut self, (done, of): (usize, usize), left: Option<Duration>, message: &str) {
        let shown = with_time_left(message, left);
        match &mut self.0 {
            Shown::Hidden => {}
            Shown::Bar(bar) => {
                bar.set_message(escape::visible(&shown).into_owned());
                bar.update(|state| {
                    state.set_len(of as u64);
                    state.set_pos(done as u64);
                });
                // Draws the bar now: normal redraws are limited to a few per second, and the next step may be far away.
                bar.force_draw();
            }
            Shown::Lines { due } => say_if_due(due, || format!("{done} of {of}, {shown}")),
        }
    }

    /// Shows a step of the warm-up or of a round. `part` is text before the description of the step, such as `run 1 of 5, `.
    pub(super) fn tell_step(&mut self, step: &Step, part: &str) {
        self.tell((step.done, step.total), step.left, &format!("{part}{}", turn(step)));
    }
}

fn turn(step: &Step) -> String {
    let Step { round, rounds, solver, dataset, .. } = step;
    match round {
        0 => format!("warm-up: {solver} on {dataset}"),
        round => format!("round {round} of {rounds}: {solver} on {dataset}"),
    }
}

/// Adds the remaining time in whole seconds, if it is known.
fn with_time_left(message: &str, left: Option<Duration>) -> String {
    let Some(left) = left else { return message.to_owned() };
    let seconds = Duration::from_secs(left.as_secs_f64().round() as u64);
    format!("{message}, about {} left", humantime::format_duration(seconds))
}

/// Returns a message about the findings that disturb measurements, or `None` if no finding does.
fn noise(findings: &[Finding]) -> Option<String> {
    let noisy: Vec<String> = (findings.iter().filter(|found| found.is_noisy()))
        .map(|found| format!("{}: {}", found.name, found.value))
        .collect();
    (!noisy.is_empty())
        .then(|| format!("this machine is noisy ({}); see `sudobench doctor`", noisy.join(", ")))
}

pub(super) struct RowsProgress {
    /// Prefix of all messages: the name of the pass.
    pass: String,
    shown: Shown,
}

impl RowsProgress {
    /// Makes the requested display. With `ProgressWhen::Auto`, nothing is shown if `quiet`, or if the rows go to the terminal, where they
    /// show the progress themselves.
    pub(super) fn new(
        when: ProgressWhen,
        quiet: bool,
        target: Option<&Target>,
        pass: String,
    ) -> RowsProgress {
        let rows_are_seen = target == Some(&Target::Stdout) && std::io::stdout().is_terminal();
        let shown = match when {
            ProgressWhen::Never => Shown::Hidden,
            ProgressWhen::Auto if quiet || rows_are_seen => Shown::Hidden,
            _ => Shown::on_stderr(|| {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
                bar.with_style(ProgressStyle::default_spinner())
            }),
        };
        RowsProgress { pass, shown }
    }

    pub(super) fn show(&mut self, progress: &sudobench_rows::Progress) {
        let RowsProgress { pass, shown } = self;
        let rows = || format!("{pass}{}", rows_and_rate(progress.rows, progress.elapsed));
        match shown {
            Shown::Hidden => {}
            Shown::Bar(bar) => {
                if let Some(share) = progress.share() {
                    if bar.length().is_none() {
                        bar.set_length(BAR_LENGTH);
                        bar.set_style(bar_style("eta {eta}  {wide_msg}"));
                    }
                    bar.set_position((share * BAR_LENGTH as f64) as u64);
                }
                bar.set_message(rows());
            }
            Shown::Lines { due } => say_if_due(due, || {
                let share = progress.share().map(|share| format!(", {:.0}% done", (share * 100.0).floor()));
                format!("{}{}", rows(), share.unwrap_or_default())
            }),
        }
    }
}

fn rows_and_rate(rows: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-9);
    format!("{}, {}", counted(rows, "row"), rate(rows as f64 / seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn findings_on_a_noisy_machine_are_shown() {
        let finding = |name: &str, value: &str, advice: &str| Finding {
            name: name.to_owned(),
            value: value.to_owned(),
            advice: advice.to_owned(),
        };
        let noise = noise(&[finding("turbo", "on", "turn it off"), finding("governor", "performance", "")]);
        assert_eq!(noise.unwrap(), "this machine is noisy (turbo: on); see `sudobench doctor`");
        assert_eq!(super::noise(&[]), None);
    }

    #[test]
    fn a_step_names_the_round_the_pair_and_the_time_left() {
        let step =
            Step { round: 0, rounds: 3, solver: "mrv", dataset: "easy.txt", done: 0, total: 4, left: None };
        assert_eq!(turn(&step), "warm-up: mrv on easy.txt");
        assert_eq!(turn(&Step { round: 2, ..step }), "round 2 of 3: mrv on easy.txt");
        assert_eq!(with_time_left("a", None), "a");
        assert_eq!(with_time_left("a", Some(Duration::from_millis(61_400))), "a, about 1m 1s left");
    }
}
