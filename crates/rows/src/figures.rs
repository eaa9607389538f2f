//! Formats numbers and texts for readers.

/// Formats a time in nanoseconds with about three digits and its unit: `57 ns`, `1.23 us`, `80.0 ms`, `2.00 s`.
pub fn duration_ns(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 1e3 => return format!("{ns:.0} ns"),
        ns if ns < 1e6 => (ns / 1e3, "us"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    format!("{} {unit}", three_digits(value))
}

/// Formats a rate per second: `831/s`, `12.4 K/s`, `8.10 M/s`.
pub fn rate(per_second: f64) -> String {
    match per_second {
        rate if rate < 1e3 => format!("{}/s", three_digits(rate)),
        rate if rate < 1e6 => format!("{} K/s", three_digits(rate / 1e3)),
        rate => format!("{} M/s", three_digits(rate / 1e6)),
    }
}

/// Maximum number of items that [`listed`] names.
pub const MOST_NAMED: usize = 10;

/// Lists the first [`MOST_NAMED`] items and the number of others.
pub fn listed(items: &[String]) -> String {
    let shown = &items[..items.len().min(MOST_NAMED)];
    let others = items.len() - shown.len();
    let rest = if others > 0 { format!(" and {others} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

fn three_digits(value: f64) -> String {
    let decimals = match value {
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}")
}

/// Formats a count with separators between thousands: `1,000,000`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with its noun: `1 row`, `2,000 rows`.
pub fn counted(value: u64, noun: &str) -> String {
    format!("{} {}", count(value), plural(value, noun))
}

/// Returns the singular or the plural of the noun: `row` for 1, `rows` for other values.
pub fn plural(value: u64, noun: &str) -> String {
    format!("{noun}{}", if value == 1 { "" } else { "s" })
}

/// Formats a share in percent, rounded down, so that `100.00%` always means all. Returns `-` if `whole` is 0.
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let per_ten_thousand = u128::from(part) * 10_000 / u128::from(whole);
    format!("{}.{:02}%", per_ten_thousand / 100, per_ten_thousand % 100)
}

/// Formats a number, possibly with decimal places: `1,200` or `1.25`.
pub fn number(value: f64) -> String {
    match value.fract() == 0.0 && (0.0..1e15).contains(&value) {
        true => count(value as u64),
        false => value.to_string(),
    }
}

/// Names a solver and its dataset: `mrv on easy.txt`. If `dataset` is empty, returns only the name.
pub fn pair_name(solver: &str, dataset: &str) -> String {
    if dataset.is_empty() { solver.to_owned() } else { format!("{solver} on {dataset}") }
}

/// Shortens text from an external source for a message: keeps at most `most` characters and escapes control characters.
/// Reports escape the result again for their format, such as HTML.
pub fn excerpt(text: &str, most: usize) -> String {
    let shown = text.chars().take(most).flat_map(|character| match character.is_control() {
        true => character.escape_debug().collect::<Vec<char>>(),
        false => vec![character],
    });
    let rest = if text.chars().count() > most { "..." } else { "" };
    shown.collect::<String>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_for_readers() {
        let times = [0.0, 999.0, 1000.0, 12_345.0, 80e6, 999.96e6, 1.172e9, 3600e9];
        let read = times.map(duration_ns);
        assert_eq!(read, ["0 ns", "999 ns", "1.00 us", "12.3 us", "80.0 ms", "1000 ms", "1.17 s", "3600 s"]);
        assert_eq!([831.0, 12_400.0, 8.1e6].map(rate), ["831/s", "12.4 K/s", "8.10 M/s"]);
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([1200.0, 1.25, 1e-7].map(number), ["1,200", "1.25", "0.0000001"]);
        assert_eq!([0, 1, 2000].map(|rows| counted(rows, "row")), ["0 rows", "1 row", "2,000 rows"]);
        assert_eq!(share(99_999, 100_000), "99.99%");
        assert_eq!([share(3, 3), share(0, 3), share(0, 0)], ["100.00%", "0.00%", "-"]);
    }
}
