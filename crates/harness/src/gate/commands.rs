//! Exact checks of two builds: compares the values of a counter (a number that a program prints, or its number of instructions), or the
//! output of a program.

use std::fmt::Display;

use super::exact::rises;
use super::{Check, CounterValues, Gate, GateVerdict};
use crate::figures::{excerpt, number};

/// Maximum number of characters that a reason quotes from a line of the output.
const SHOWN_CHARACTERS: usize = 60;

/// Compares the value of a counter in the base with the value in the head. The counter belongs to a command, or to a solver on a dataset.
/// The value may rise by `percent` percent. If `base` or `head` has no value, its `Err` has the reason.
pub fn check_counter<E: Display>(
    pair: (&str, &str),
    counter: &str,
    (base, head): (Result<f64, E>, Result<f64, E>),
    percent: f64,
) -> Check {
    let unread = |verdict, side: &str, error: E| {
        Check::new(Gate::Exact, counter, pair, verdict, format!("{side}: {error}"))
    };
    let (base, head) = match (base, head) {
        (_, Err(error)) => return unread(GateVerdict::Broken, "new build", error),
        (Err(error), Ok(_)) => {
            return Check { base_failed: true, ..unread(GateVerdict::Missing, "old build", error) };
        }
        (Ok(base), Ok(head)) => (base, head),
    };
    let (now, before) = (number(head), number(base));
    let change = match base > 0.0 {
        true => format!(" ({})", rise(head / base)),
        false => String::new(),
    };
    let (verdict, reason) = match rises(base, head - base, percent) {
        true => (GateVerdict::Fail, format!("more {counter}: {before} -> {now}{change}, limit +{percent}%")),
        false if head == base => (GateVerdict::Pass, format!("{now} {counter}, as before")),
        false => (GateVerdict::Pass, format!("{now} {counter}, {before} before{change}, limit +{percent}%")),
    };
    let reason = format!("against the old build: {reason}");
    Check {
        counter: Some(CounterValues { base, head }),
        ..Check::new(Gate::Exact, counter, pair, verdict, reason)
    }
}

/// Formats a ratio as a rise in percent. A small rise has more decimal places, because an exact number may change by very little.
fn rise(ratio: f64) -> String {
    let percent = (ratio - 1.0) * 100.0;
    let digits = if percent.abs() >= 0.1 || percent == 0.0 { 2 } else { 5 };
    format!("{percent:+.digits$}%")
}

/// Compares the standard output of a command in the base and in the head.
pub fn check_output(command: &str, base: &[u8], head: &[u8]) -> Check {
    let (verdict, reason) = match first_difference(base, head) {
        None => (GateVerdict::Pass, "against the old build: the same output".to_owned()),
        Some((number, before, now)) => {
            let (before, now) = shown_lines(before, now);
            (
                GateVerdict::Broken,
                format!(
                    "line {number} of the output is {now} in the new build, and {before} in the old build"
                ),
            )
        }
    };
    Check::new(Gate::Exact, "output", (command, ""), verdict, reason)
}

/// Quotes two lines that differ, starting a little before their first difference.
fn shown_lines(before: Option<&[u8]>, now: Option<&[u8]>) -> (String, String) {
    let texts = [before, now].map(|line| line.map(String::from_utf8_lossy));
    let common = match &texts {
        [Some(before), Some(now)] => before.chars().zip(now.chars()).take_while(|(a, b)| a == b).count(),
        _ => 0,
    };
    let from = common.saturating_sub(SHOWN_CHARACTERS / 3);
    let [before, now] = texts.map(|text| {
        let Some(text) = text else { return "missing".to_owned() };
        let (line, end) = match text.strip_suffix('\n') {
            Some(line) => (line, ""),
            None => (text.as_ref(), " without a line end"),
        };
        let rest: String = line.chars().skip(from).collect();
        let dots = if from > 0 { "..." } else { "" };
        format!("`{dots}{}`{end}", excerpt(&rest, SHOWN_CHARACTERS))
    });
    (before, now)
}

/// The first line that differs: its number, from 1, and the line of the base and of the head. A line is `None` if the output of that side
/// ends before it.
type Difference<'o> = (usize, Option<&'o [u8]>, Option<&'o [u8]>);

fn first_difference<'o>(base: &'o [u8], head: &'o [u8]) -> Option<Difference<'o>> {
    let lines = |bytes: &'o [u8]| bytes.split_inclusive(|&byte| byte == b'\n');
    let (mut base, mut head) = (lines(base), lines(head));
    for number in 1.. {
        match (base.next(), head.next()) {
            (None, None) => return None,
            (before, now) if before != now => return Some((number, before, now)),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_compared_exactly_and_outputs_byte_by_byte() {
        let cases = [
            (100.0, 100.0, 0.0),
            (100.0, 101.0, 0.0),
            (100.0, 101.0, 1.0),
            (100.0, 99.0, 0.0),
            (0.0, 1.0, 50.0),
            (0.0, 0.0, 0.0),
            (2e6, 2000001.0, 1.0),
            (1.25, 1.5, 0.0),
            // The rise is exactly the limit.
            (1000.0, 1001.0, 0.1),
            (100.0, 115.0, 15.0),
        ];
        let mut shown = String::new();
        for (base, head, percent) in cases {
            let check = check_counter::<&str>(("parse", ""), "allocs", (Ok(base), Ok(head)), percent);
            shown += &format!("{}: {}\n", check.verdict.name(), check.reason);
        }
        for (base, head) in [
            ("a\nb\n", "a\nb\n"),
            ("a\nb\n", "a\nc\n"),
            ("a\n", "a"),
            ("a\n", "a\nb\n"),
            ("", "b"),
            ("a\n\u{1b}[2J", "a\n"),
            (&"x".repeat(99), &format!("{}y", "x".repeat(98))),
        ] {
            let check = check_output("parse", base.as_bytes(), head.as_bytes());
            shown += &format!("{}: {}\n", check.verdict.name(), check.reason);
        }
        insta::assert_snapshot!(shown);
    }
}
