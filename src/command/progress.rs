//! Progress of a measurement on standard error. It is written between passes, never during a pass, and without another thread.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::say::say;
use super::terminal;
use sudobench_harness::bench::Step;
use sudobench_harness::record::Finding;
use sudobench_harness::report::escape;

/// Interval between progress lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// The progress of a measuring command. The display is removed when the value is dropped.
pub(super) enum Progress {
    /// No display.
    Quiet,
    /// A bar that is redrawn at each step.
    Bar(ProgressBar),
    /// A line from time to time.
    Lines {
        /// Time of the next line.
        due: Instant,
    },
}

impl Progress {
    /// Makes a bar on a terminal and lines elsewhere. Shows nothing if `quiet`.
    pub(super) fn new(quiet: bool) -> Progress {
        if quiet {
            return Progress::Quiet;
        }
        if !std::io::stderr().is_terminal() {
            return Progress::Lines { due: Instant::now() + LINE_INTERVAL };
        }
        let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr());
        // If the template is invalid, the bar has the default style; there is no error, because the user can't fix the template.
        let template = format!("{{bar:{}}} {{percent:>3}}%  {{wide_msg}}", terminal::bar_width());
        let style = ProgressStyle::with_template(&template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress::Bar(bar)
    }

    /// Prints a message in a line of its own.
    pub(super) fn say(&self, words: &str) {
        match self {
            Progress::Quiet => {}
            Progress::Bar(bar) => bar.suspend(|| say(words)),
            Progress::Lines { .. } => say(words),
        }
    }

    /// Reports causes of noise before the measurement.
    pub(super) fn tell_noise(&self, findings: &[Finding]) {
        if let Some(words) = noise(findings) {
            self.say(&words);
        }
    }

    /// Shows the next step, the number of steps done, the total number of steps, and an estimate of the remaining time.
    pub(super) fn tell(&mut self, (done, of): (usize, usize), left: Option<Duration>, words: &str) {
        let shown = with_time_left(words, left);
        match self {
            Progress::Quiet => {}
            Progress::Bar(bar) => {
                bar.set_message(escape::visible(&shown).into_owned());
                bar.update(|state| {
                    state.set_len(of as u64);
                    state.set_pos(done as u64);
                });
                // Draws the bar now: normal redraws are limited to a few per second, and the next step may be far away.
                bar.force_draw();
            }
            Progress::Lines { due } => {
                let now = Instant::now();
                if now >= *due {
                    *due = now + LINE_INTERVAL;
                    say(format_args!("{done} of {of}, {shown}"));
                }
            }
        }
    }

    /// Shows a step of a round. `part` is text before the description of the step, such as `run 1 of 5, `.
    pub(super) fn tell_step(&mut self, step: &Step, part: &str) {
        self.tell((step.done, step.of), step.left, &format!("{part}{}", turn(step)));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// Names the contestant and the dataset of a step.
fn turn(step: &Step) -> String {
    let Step { round, rounds, solver, dataset, .. } = step;
    match round {
        0 => format!("warm-up: {solver} on {dataset}"),
        round => format!("round {round} of {rounds}: {solver} on {dataset}"),
    }
}

/// Adds the remaining time in whole seconds, if it is known.
fn with_time_left(words: &str, left: Option<Duration>) -> String {
    let Some(left) = left else { return words.to_owned() };
    let seconds = Duration::from_secs(left.as_secs_f64().round() as u64);
    format!("{words}, about {} left", humantime::format_duration(seconds))
}

/// Returns a message about the findings that disturb measurements, or `None` if there are none.
fn noise(findings: &[Finding]) -> Option<String> {
    let noisy: Vec<String> = (findings.iter().filter(|found| found.is_noisy()))
        .map(|found| format!("{}: {}", found.name, found.value))
        .collect();
    (!noisy.is_empty())
        .then(|| format!("this machine is noisy ({}); see `sudobench doctor`", noisy.join(", ")))
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
            Step { round: 0, rounds: 3, solver: "mrv", dataset: "easy.txt", done: 0, of: 4, left: None };
        assert_eq!(turn(&step), "warm-up: mrv on easy.txt");
        assert_eq!(turn(&Step { round: 2, ..step }), "round 2 of 3: mrv on easy.txt");
        assert_eq!(with_time_left("a", None), "a");
        assert_eq!(with_time_left("a", Some(Duration::from_millis(61_400))), "a, about 1m 1s left");
    }
}
