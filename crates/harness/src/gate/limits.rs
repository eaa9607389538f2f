//! The limits of `--limits`: `nodes=0%,time=5%,p99=80ms,within:292ms=100%`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::record::registry::{Figure, Limit, figures_at_most, rising_figures};

/// Limits of a gate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GateLimits {
    /// The figures whose rise was limited on the command line or by [`GateLimits::with_default`], with their percentages.
    rises: Vec<(&'static Figure, f64)>,
    /// The counters of commands whose rise was limited on the command line or by [`GateLimits::with_counters`], with their percentages.
    counters: Vec<(String, f64)>,
    /// Limits for single measurements.
    pub budgets: Vec<BudgetLimit>,
}

/// A fixed limit for a single measurement.
#[derive(Clone, Debug, PartialEq)]
pub enum BudgetLimit {
    /// A time of the measurement must not exceed a maximum.
    AtMost {
        /// The limited time.
        figure: &'static Figure,
        /// The maximum.
        at_most: Duration,
    },
    /// At least this share of the puzzles must be answered within this time. An aborted puzzle is not answered. In a record of `judge`,
    /// only accepted puzzles count as answered.
    Within {
        /// The time.
        limit: Duration,
        /// The share, in percent.
        at_least_percent: f64,
    },
}

/// Returns the long help of `--limits`: everything that can be limited, and the default limits.
pub fn limits_help() -> String {
    let rises: Vec<String> = rising_figures().map(|figure| format!("{}=P%", figure.limit_name())).collect();
    let points: Vec<&str> = figures_at_most().map(Figure::limit_name).collect();
    format!(
        "Limits, separated by commas. The gate fails if a limit that you name has no measurement, unless \
         --allow-missing=all is given.\n\nLargest rise above the old value: {}, \
         counter:NAME=P%\nHighest value: {}=TIME\nSmallest share of puzzles that are solved within a time: within:TIME=P%\n\n[default: {}]",
        rises.join(", "),
        points.join("|"),
        GateLimits::default()
    )
}

fn limit_names() -> String {
    let names: Vec<&str> = rising_figures().chain(figures_at_most()).map(Figure::limit_name).collect();
    names.join(", ")
}

/// Reasons why a text is not a list of limits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// The item is not `WHAT=LIMIT`.
    #[error(
        "`{0}` is not a limit: write WHAT=LIMIT, such as nodes=0%, time=5%, p99=80ms or within:292ms=100%"
    )]
    Form(String),
    /// The name of the limit is unknown.
    #[error(
        "`{0}` cannot be limited; choose from {names}, within:TIME, counter:NAME",
        names = limit_names()
    )]
    Unknown(String),
    /// Invalid percentage.
    #[error("`{0}` is not a percentage such as 5%: write 0% or more; for within:TIME, write 0% to 100%")]
    Percent(String),
    /// Invalid time.
    #[error("`{0}` is not a time such as 80ms: write a time above 0, with its unit")]
    Time(String),
    /// The same name is limited twice.
    #[error("`{0}` is limited twice: leave out one of the two limits")]
    Twice(String),
}

impl FromStr for GateLimits {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<GateLimits, LimitError> {
        let mut limits = GateLimits::default();
        let mut seen: Vec<&str> = Vec::new();
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let form = || LimitError::Form(item.to_owned());
            let (what, limit) = item.split_once('=').ok_or_else(form)?;
            let (what, limit) = (what.trim(), limit.trim());
            if seen.contains(&what) {
                return Err(LimitError::Twice(what.to_owned()));
            }
            seen.push(what);
            limits.set(what, limit)?;
        }
        Ok(limits)
    }
}

impl GateLimits {
    /// Returns by how many percent this figure may rise: the percentage of [`GateLimits::explicit_rises`], or else the default. `None` if
    /// its rise is not limited.
    pub fn percent(&self, figure: &Figure) -> Option<f64> {
        let default = || match figure.limit {
            Some(Limit::Rise { default_percent, .. }) => default_percent,
            Some(Limit::AtMost { .. }) | None => None,
        };
        let written = self.explicit_rises().find(|(written, _)| *written == figure);
        written.map_or_else(default, |(_, percent)| Some(percent))
    }

    /// Returns the figures whose rise was limited on the command line or by [`GateLimits::with_default`], with the percentages. If a
    /// limit is not used by any check, the gate must report this, because the user expects each limit to be checked.
    pub fn explicit_rises(&self) -> impl Iterator<Item = (&'static Figure, f64)> {
        self.rises.iter().copied()
    }

    /// Adds a limit for the rise of this figure if none was typed.
    #[must_use]
    pub fn with_default(mut self, figure: &'static Figure, percent: f64) -> GateLimits {
        if !self.has_explicit(figure) {
            self.rises.push((figure, percent));
        }
        self
    }

    /// Removes the explicit limit for the rise of this figure. If the figure has a default limit, that limit applies again.
    #[must_use]
    pub fn without(mut self, figure: &Figure) -> GateLimits {
        self.rises.retain(|(written, _)| *written != figure);
        self
    }

    /// Returns whether [`GateLimits::explicit_rises`] has a limit for this figure.
    pub fn has_explicit(&self, figure: &Figure) -> bool {
        self.explicit_rises().any(|(written, _)| written == figure)
    }

    /// Adds a limit of 0% for each counter in `names` that has no limit yet. `names` are counters of commands.
    #[must_use]
    pub fn with_counters<'n>(mut self, names: impl Iterator<Item = &'n str>) -> GateLimits {
        for name in names {
            if self.counters.iter().all(|(written, _)| written != name) {
                self.counters.push((name.to_owned(), 0.0));
            }
        }
        self
    }

    /// Returns by how many percent this counter of a command may rise. Without a limit for the counter, 0 percent: it may not rise.
    pub fn counter_percent(&self, name: &str) -> f64 {
        self.explicit_counters().find(|(written, _)| *written == name).map_or(0.0, |(_, percent)| percent)
    }

    /// Returns the counters of commands that have a limit, each with the percentage by which the counter may rise.
    pub fn explicit_counters(&self) -> impl Iterator<Item = (&str, f64)> {
        self.counters.iter().map(|(name, percent)| (name.as_str(), *percent))
    }

    /// Formats the limits in the syntax of `--limits`: all explicit limits, and the default limits of the figures that a run measures.
    /// `finds` returns whether the run measures a figure.
    pub fn to_text(&self, finds: impl Fn(&Figure) -> bool) -> String {
        let holding = rising_figures().filter(|figure| self.has_explicit(figure) || finds(figure));
        let rises = holding.filter_map(|it| Some(format!("{}={}%", it.limit_name(), self.percent(it)?)));
        let counters = self.counters.iter().map(|(name, percent)| format!("counter:{name}={percent}%"));
        let budgets = self.budgets.iter().map(BudgetLimit::to_string);
        rises.chain(counters).chain(budgets).collect::<Vec<_>>().join(",")
    }

    fn set(&mut self, what: &str, limit: &str) -> Result<(), LimitError> {
        if let Some(name) = what.strip_prefix("counter:") {
            self.counters.push((name.to_owned(), percent(limit)?));
            return Ok(());
        }
        match rising_figures().find(|figure| figure.limit_name() == what) {
            Some(figure) => self.rises.push((figure, percent(limit)?)),
            None => self.budgets.push(budget(what, limit)?),
        }
        Ok(())
    }
}

fn budget(what: &str, limit: &str) -> Result<BudgetLimit, LimitError> {
    if let Some(limit_text) = what.strip_prefix("within:") {
        let at_least_percent = percent(limit)?;
        if at_least_percent > 100.0 {
            return Err(LimitError::Percent(limit.to_owned()));
        }
        return Ok(BudgetLimit::Within { limit: time(limit_text)?, at_least_percent });
    }
    let figure = figures_at_most().find(|figure| figure.limit_name() == what);
    let figure = figure.ok_or_else(|| LimitError::Unknown(what.to_owned()))?;
    Ok(BudgetLimit::AtMost { figure, at_most: time(limit)? })
}

fn percent(text: &str) -> Result<f64, LimitError> {
    let number = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    let number = number.filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| LimitError::Percent(text.to_owned()))
}

fn time(text: &str) -> Result<Duration, LimitError> {
    let time = humantime::parse_duration(text).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| LimitError::Time(text.to_owned()))
}

impl fmt::Display for BudgetLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BudgetLimit::AtMost { figure, at_most } => {
                write!(f, "{}={}", figure.limit_name(), compact(*at_most))
            }
            BudgetLimit::Within { limit, at_least_percent } => {
                write!(f, "within:{}={at_least_percent}%", compact(*limit))
            }
        }
    }
}

/// Formats a time as one number in the largest unit that divides it, such as `1172ms`.
fn compact(time: Duration) -> String {
    const UNITS: [(&str, u128); 5] = [
        ("h", 3_600_000_000_000),
        ("m", 60_000_000_000),
        ("s", 1_000_000_000),
        ("ms", 1_000_000),
        ("us", 1_000),
    ];
    let ns = time.as_nanos();
    let fitting = UNITS.iter().find(|(_, unit)| ns.is_multiple_of(*unit));
    fitting.map_or_else(|| format!("{ns}ns"), |(name, unit)| format!("{}{name}", ns / unit))
}

impl fmt::Display for GateLimits {
    /// Formats all limits, including defaults.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(|_| true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::registry::{GUESSES, NODES, P99, PEAK_MEMORY, TRIAL_TIME};
    use proptest::prelude::*;

    #[test]
    fn help_names_all_limits() {
        insta::assert_snapshot!(limits_help());
    }

    #[test]
    fn limits_are_read() {
        let limits: GateLimits = "nodes=0%, time=2.5% ,p99=80ms,within:292ms=100%".parse().unwrap();
        let percents = [&NODES, &TRIAL_TIME, &GUESSES, &PEAK_MEMORY].map(|figure| limits.percent(figure));
        assert_eq!(percents, [Some(0.0), Some(2.5), Some(0.0), None]);
        assert_eq!([&NODES, &GUESSES].map(|figure| limits.has_explicit(figure)), [true, false]);
        assert_eq!(
            limits.budgets,
            [
                BudgetLimit::AtMost { figure: &P99, at_most: Duration::from_millis(80) },
                BudgetLimit::Within { limit: Duration::from_millis(292), at_least_percent: 100.0 },
            ]
        );
        assert_eq!("".parse(), Ok(GateLimits::default()));
        let limits: GateLimits = "counter:allocs=2%".parse().unwrap();
        let limits = limits.with_counters(["allocs", "copies"].into_iter());
        assert_eq!(["allocs", "copies"].map(|name| limits.counter_percent(name)), [2.0, 0.0]);
        assert_eq!(
            limits.to_text(|figure| figure == &TRIAL_TIME),
            "time=5%,counter:allocs=2%,counter:copies=0%"
        );
    }

    #[test]
    fn times_are_written_as_typed() {
        for typed in ["1172ms", "1s", "80ms", "1500us", "7ns", "90s", "2m", "1h"] {
            let limits: GateLimits = format!("within:{typed}=100%").parse().unwrap();
            assert!(limits.to_string().ends_with(&format!(",within:{typed}=100%")), "{limits}");
        }
    }

    #[test]
    fn invalid_limits_are_named_with_a_remedy() {
        let error = |text: &str| text.parse::<GateLimits>().unwrap_err().to_string();
        for (text, message) in [
            ("nodes", "`nodes` is not a limit: write WHAT=LIMIT"),
            ("speed=5%", "`speed` cannot be limited"),
            ("time=5", "`5` is not a percentage"),
            ("time=-5%", "`-5%` is not a percentage"),
            ("time=NaN%", "`NaN%` is not a percentage"),
            ("p99=fast", "`fast` is not a time"),
            ("p99=0ms", "`0ms` is not a time"),
            ("within:1s=101%", "`101%` is not a percentage"),
            ("within:=1%", "`` is not a time"),
            ("time=1%,time=2%", "`time` is limited twice: leave out one of the two limits"),
        ] {
            assert!(error(text).starts_with(message), "{text}: {}", error(text));
        }
    }

    fn any_budget() -> impl Strategy<Value = BudgetLimit> {
        let time = || (1u64..100_000_000_000).prop_map(Duration::from_nanos);
        let figure = prop::sample::select(figures_at_most().collect::<Vec<_>>());
        prop_oneof![
            (figure, time()).prop_map(|(figure, at_most)| BudgetLimit::AtMost { figure, at_most }),
            (time(), 0.0..=100.0)
                .prop_map(|(limit, at_least_percent)| BudgetLimit::Within { limit, at_least_percent }),
        ]
    }

    proptest! {
        #[test]
        fn written_limits_round_trip(
            rises in prop::sample::subsequence(
                rising_figures().collect::<Vec<_>>(), 0..=rising_figures().count()
            ),
            percents in prop::collection::vec(0.0..1e6, rising_figures().count()), budget in any_budget()
        ) {
            let rises = rises.into_iter().zip(percents).collect();
            let limits = GateLimits { rises, counters: vec![("allocs".to_owned(), 1.5)], budgets: vec![budget] };
            let back: GateLimits = limits.to_string().parse().unwrap();
            for figure in rising_figures() {
                prop_assert_eq!(back.percent(figure), limits.percent(figure));
            }
            prop_assert_eq!(back.counters, limits.counters);
            prop_assert_eq!(back.budgets, limits.budgets);
        }

        #[test]
        fn parsing_never_panics(text in "\\PC{0,40}") {
            let _ = text.parse::<GateLimits>();
        }
    }
}
