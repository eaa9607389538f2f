//! Formats numbers for benchmark tables, and explains the times of batches.

use crate::figures::count;

/// Formats a number for tables. Large numbers are whole, with separators between thousands. Numbers from 1 to 99.9 have three digits.
/// Smaller numbers have three decimals.
pub(super) fn number(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value if value >= 99.95 => count(value.round() as u64),
        value if value >= 9.995 => format!("{value:.1}"),
        value if value >= 0.9995 => format!("{value:.2}"),
        value => format!("{value:.3}"),
    }
}

/// Explains the latency of these batch solvers.
pub(super) fn batch_caption(names: &[String]) -> String {
    let take = if names.len() == 1 { "takes" } else { "take" };
    format!(
        "{} {take} puzzles in batches: the latency of a puzzle includes the wait for its batch; the cost of a puzzle is the amortised \
         time.",
        names.join(" and ")
    )
}

/// Formats a multiple: `1.00x`.
pub(super) fn multiple(value: f64) -> String {
    format!("{}x", number(value))
}

/// Formats a time that is a whole number in its unit: `500 us`.
pub(super) fn round_time(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns} ns"),
        ns if ns < 1e6 => format!("{} us", ns / 1e3),
        ns if ns < 1e9 => format!("{} ms", ns / 1e6),
        ns => format!("{} s", ns / 1e9),
    }
}

/// Formats a ratio as a rise: `+1.2%`.
pub(super) fn rise(ratio: f64) -> String {
    format!("{:+.1}%", (ratio - 1.0) * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_for_readers() {
        let shown = [0.0, 0.5, 1.0, 12.34, 123_456.7].map(number);
        assert_eq!(shown, ["0", "0.500", "1.00", "12.3", "123,457"]);
        assert_eq!([1.0, 12.5, 4321.0].map(multiple), ["1.00x", "12.5x", "4,321x"]);
        assert_eq!([1.012, 0.5, 1.0].map(rise), ["+1.2%", "-50.0%", "+0.0%"]);
    }
}
