//! Numbers as people read them.
#![forbid(unsafe_code)]

/// A time given in nanoseconds, to three digits with its unit: `81 ns`, `1.23 us`, `292 ms`, `1.17 s`.
pub(super) fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "us"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    format!("{} {unit}", three_digits(value))
}

/// To three significant digits, no fewer than the integer part has.
pub(super) fn three_digits(value: f64) -> String {
    match value.abs() {
        size if size >= 99.95 || value == 0.0 => format!("{value:.0}"),
        size if size >= 9.995 => format!("{value:.1}"),
        size if size >= 0.9995 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A whole number in groups of three digits: `1,234,567`.
pub(super) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A rate: whole and in groups where it is large, to three digits where it is small.
pub(super) fn rate(value: f64) -> String {
    if value >= 100.0 { count(value.round() as u64) } else { three_digits(value) }
}

/// A share of a whole, in percent; 100% only where nothing is missing.
pub(super) fn percent(part: u64, whole: u64) -> String {
    let share = part as f64 / whole.max(1) as f64 * 100.0;
    if part == whole { "100%".to_owned() } else { format!("{:.2}%", share.min(99.99)) }
}

/// A multiple: `1.00x`.
pub(super) fn multiple(value: f64) -> String {
    match value {
        value if value >= 1000.0 => format!("{}x", rate(value)),
        value => format!("{}x", three_digits(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let times = [0.4, 81.0, 1_234.0, 9_996.0, 292e6, 999.6e6, 1_172e6, 15_528e6];
        let shown = times.map(time);
        assert_eq!(
            shown,
            ["0.400 ns", "81.0 ns", "1.23 us", "10.0 us", "292 ms", "1000 ms", "1.17 s", "15.5 s"]
        );
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.5, 12.34, 123_456.7].map(rate), ["0.500", "12.3", "123,457"]);
        assert_eq!([percent(1, 3), percent(99_999, 100_000), percent(5, 5)], ["33.33%", "99.99%", "100%"]);
        assert_eq!([1.0, 12.5, 4321.0].map(multiple), ["1.00x", "12.5x", "4,321x"]);
    }
}
