//! Limits as people write them: `nodes=0%,time=5%,p99=80ms,within:292ms=100%`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What a gate lets through.
#[derive(Clone, Debug, PartialEq)]
pub struct GateLimits {
    /// By how many percent the nodes of a puzzle may rise.
    pub nodes_percent: f64,
    /// By how many percent the guesses of a puzzle may rise.
    pub guesses_percent: f64,
    /// By how many percent the time of a pair may rise.
    pub time_percent: f64,
    /// What measurements are held against by themselves.
    pub budgets: Vec<BudgetLimit>,
}

/// One limit that a measurement keeps by itself, whatever it was before.
#[derive(Clone, Debug, PartialEq)]
pub enum BudgetLimit {
    /// A point of the latency distribution is at most this.
    Latency {
        /// Which point.
        point: Point,
        /// The most that it may be.
        at_most: Duration,
    },
    /// At least this share of the puzzles has a verdict within the time.
    Within {
        /// The time.
        limit: Duration,
        /// The share, in percent.
        at_least_percent: f64,
    },
}

/// A point of a latency distribution, by its name in limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Point {
    /// The mean.
    Mean,
    /// The median.
    P50,
    /// 90%.
    P90,
    /// 99%.
    P99,
    /// 99.9%.
    #[strum(serialize = "p99.9")]
    P999,
    /// The slowest.
    Max,
}

impl Point {
    /// Its name in limits.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Why a text is not a list of limits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// An item is not `WHAT=LIMIT`.
    #[error(
        "`{0}` is not a limit: write WHAT=LIMIT, such as nodes=0%, time=5%, p99=80ms or within:292ms=100%"
    )]
    Form(String),
    /// What is limited is unknown.
    #[error(
        "`{0}` cannot be limited: there are nodes, guesses, time, mean, p50, p90, p99, p99.9, max, within:TIME"
    )]
    Unknown(String),
    /// A percentage is none.
    #[error("`{0}` is not a percentage such as 5%")]
    Percent(String),
    /// A time is none.
    #[error("`{0}` is not a time such as 80ms")]
    Time(String),
    /// One thing is limited twice.
    #[error("`{0}` is limited twice")]
    Twice(String),
}

impl Default for GateLimits {
    /// No rise of counts, 5% of time, no budgets.
    fn default() -> GateLimits {
        GateLimits { nodes_percent: 0.0, guesses_percent: 0.0, time_percent: 5.0, budgets: Vec::new() }
    }
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
    fn set(&mut self, what: &str, limit: &str) -> Result<(), LimitError> {
        match what {
            "nodes" => self.nodes_percent = percent(limit)?,
            "guesses" => self.guesses_percent = percent(limit)?,
            "time" => self.time_percent = percent(limit)?,
            _ => self.budgets.push(budget(what, limit)?),
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
    let point = what.parse().map_err(|_| LimitError::Unknown(what.to_owned()))?;
    Ok(BudgetLimit::Latency { point, at_most: time(limit)? })
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
            BudgetLimit::Latency { point, at_most } => {
                write!(f, "{}={}", point.name(), compact(*at_most))
            }
            BudgetLimit::Within { limit, at_least_percent } => {
                write!(f, "within:{}={at_least_percent}%", compact(*limit))
            }
        }
    }
}

/// A time as people type it: one number, in the largest unit of which it is a multiple, such as `1172ms`.
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "nodes={}%,guesses={}%,time={}%",
            self.nodes_percent, self.guesses_percent, self.time_percent
        )?;
        self.budgets.iter().try_for_each(|budget| write!(f, ",{budget}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use strum::VariantArray as _;

    #[test]
    fn limits_are_read() {
        let limits: GateLimits = "nodes=0%, time=2.5% ,p99=80ms,within:292ms=100%".parse().unwrap();
        assert_eq!((limits.nodes_percent, limits.time_percent, limits.guesses_percent), (0.0, 2.5, 0.0));
        assert_eq!(
            limits.budgets,
            [
                BudgetLimit::Latency { point: Point::P99, at_most: Duration::from_millis(80) },
                BudgetLimit::Within { limit: Duration::from_millis(292), at_least_percent: 100.0 },
            ]
        );
        assert_eq!("".parse(), Ok(GateLimits::default()));
    }

    #[test]
    fn times_are_written_as_people_type_them() {
        for typed in ["1172ms", "1s", "80ms", "1500us", "7ns", "90s", "2m", "1h"] {
            let limits: GateLimits = format!("within:{typed}=100%").parse().unwrap();
            assert!(limits.to_string().ends_with(&format!(",within:{typed}=100%")), "{limits}");
        }
    }

    #[test]
    fn what_is_no_limit_is_named_with_a_remedy() {
        let error = |text: &str| text.parse::<GateLimits>().unwrap_err().to_string();
        for (text, words) in [
            ("nodes", "`nodes` is not a limit: write WHAT=LIMIT"),
            ("speed=5%", "`speed` cannot be limited"),
            ("time=5", "`5` is not a percentage"),
            ("time=-5%", "`-5%` is not a percentage"),
            ("time=NaN%", "`NaN%` is not a percentage"),
            ("p99=fast", "`fast` is not a time"),
            ("p99=0ms", "`0ms` is not a time"),
            ("within:1s=101%", "`101%` is not a percentage"),
            ("within:=1%", "`` is not a time"),
            ("time=1%,time=2%", "`time` is limited twice"),
        ] {
            assert!(error(text).starts_with(words), "{text}: {}", error(text));
        }
    }

    fn any_budget() -> impl Strategy<Value = BudgetLimit> {
        let time = || (1u64..100_000_000_000).prop_map(Duration::from_nanos);
        let point = prop::sample::select(Point::VARIANTS);
        prop_oneof![
            (point, time()).prop_map(|(point, at_most)| BudgetLimit::Latency { point, at_most }),
            (time(), 0.0..=100.0)
                .prop_map(|(limit, at_least_percent)| BudgetLimit::Within { limit, at_least_percent }),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            nodes_percent in 0.0..1e6, guesses_percent in 0.0..1e6, time_percent in 0.0..1e6,
            budget in any_budget()
        ) {
            let limits = GateLimits { nodes_percent, guesses_percent, time_percent, budgets: vec![budget] };
            prop_assert_eq!(limits.to_string().parse(), Ok(limits));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,40}") {
            let _ = text.parse::<GateLimits>();
        }
    }
}
