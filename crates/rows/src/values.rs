//! Parses values of options as users type them. Each error says what to type instead.

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::pipeline::MOST_THREADS;

/// The long help of `--budgets`.
pub const BUDGETS_HELP: &str = "\
Count the puzzles that are solved within these times, such as 80ms,1s. The list may contain one preset: the name of a problem of the \
online judge BOJ. A preset stands for the times of reference programs in several languages. With a preset, the search for each puzzle \
stops at one solution, unless --max-solutions is set.

boj2580: 80 ms (C++14), 292 ms (Java), 1172 ms (PyPy3); any solution. The judge itself allows 1 s and 256 MB
boj2239: 180 ms (C++17), 2064 ms (PyPy3), 15528 ms (Java); the smallest solution. The judge itself allows 2 s and 256 MB";

/// Parses a count as users type it: `20000`, `20_000`, `20,000`, `20k`, `1.5M`, `2e4`.
///
/// The suffixes are powers of 1000: `k` or `K`, `M`, `G`. A decimal point is only allowed with a suffix or an exponent, because `1.000` is
/// one thousand in some languages.
///
/// # Errors
///
/// Advice for the user, if the text is not such a count.
pub fn count<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let number = parse_count(text).map_err(|error| error.to_string())?;
    T::try_from(number).map_err(|_| CountError::TooLarge.to_string())
}

/// If [`count`] can read both parts of `NUMBER/COUNT`, rewrites them with plain digits. Returns any other text as it is.
pub fn plain_fraction(text: &str) -> String {
    let plain = |text: &str| count::<u64>(text).ok();
    let both = text.split_once('/').and_then(|(number, of)| Some((plain(number)?, plain(of)?)));
    both.map_or(text.to_owned(), |(number, of)| format!("{number}/{of}"))
}

/// Parses a count of at least 1, for types such as `NonZeroU64`.
///
/// # Errors
/// Advice for the user, if the text is no such count.
pub fn at_least_one<T: TryFrom<NonZeroU64>>(text: &str) -> Result<T, String> {
    let number = NonZeroU64::new(count(text)?).ok_or("write 1 or more")?;
    T::try_from(number).map_err(|_| CountError::TooLarge.to_string())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum CountError {
    #[error("write a whole number, such as 20000, 20_000, 20k, 1.5M or 2e4")]
    NotWhole,
    #[error("write a smaller number: this one is too large")]
    TooLarge,
}

fn parse_count(text: &str) -> Result<u64, CountError> {
    // 1.5M is 1.5 with an exponent of 6.
    let (mantissa, exponent) = split_exponent(text)?;
    let (whole, fraction) = match (mantissa.split_once('.'), exponent) {
        (None, _) => (mantissa, ""),
        (Some((whole, fraction)), Some(_)) if is_digits(fraction) => (whole, fraction.trim_end_matches('0')),
        (Some(_), _) => return Err(CountError::NotWhole),
    };
    let mut digits = without_separators(whole).ok_or(CountError::NotWhole)?;
    digits.push_str(fraction);
    let zeros = exponent.unwrap_or(0).checked_sub(fraction.len()).ok_or(CountError::NotWhole)?;
    // The text has only digits, so the only fault can be that the number is too large.
    let number: u64 = digits.parse().map_err(|_| CountError::TooLarge)?;
    let scale = u32::try_from(zeros).ok().and_then(|zeros| 10_u64.checked_pow(zeros));
    scale.and_then(|scale| number.checked_mul(scale)).ok_or(CountError::TooLarge)
}

/// Splits a suffix such as `k`, or an exponent, off a number. Returns the text before it, and the power of ten that it means, if any: 3 for
/// `k`.
fn split_exponent(text: &str) -> Result<(&str, Option<usize>), CountError> {
    for (suffixes, exponent) in [(['k', 'K'], 3), (['M'; 2], 6), (['G'; 2], 9)] {
        if let Some(mantissa) = text.strip_suffix(suffixes) {
            return Ok((mantissa, Some(exponent)));
        }
    }
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return Ok((text, None)) };
    let digits = exponent.strip_prefix('+').unwrap_or(exponent);
    if !is_digits(digits) {
        return Err(CountError::NotWhole);
    }
    Ok((mantissa, Some(digits.parse().map_err(|_| CountError::TooLarge)?)))
}

/// Removes separators: `_` between any two digits, or `,` between groups of three. Returns `None` if the text has other characters, or
/// separators in other places.
fn without_separators(text: &str) -> Option<String> {
    let is_grouped = |(at, group): (usize, &str)| group.len() == 3 || (at == 0 && group.len() < 3);
    let separator = match text.contains(',') {
        true if text.split(',').enumerate().all(is_grouped) => ',',
        true => return None,
        false => '_',
    };
    text.split(separator).all(is_digits).then(|| text.replace(separator, ""))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses a number of threads.
///
/// # Errors
///
/// Advice for the user, if the text is not such a number.
pub fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads: NonZeroUsize = at_least_one(text)?;
    if threads.get() > MOST_THREADS {
        return Err(format!("write {MOST_THREADS} or fewer: more threads would only slow each other down"));
    }
    Ok(threads)
}

/// Parses a time with its unit, or 0.
///
/// # Errors
/// Advice for the user, if the text is not a time.
pub fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text)
        .map_err(|_| "write a number with its unit, such as 80ms, 2s or 1m30s".to_owned())
}

/// Parses a time with its unit, longer than 0.
///
/// # Errors
///
/// Advice for the user, if the text is not such a time.
pub fn positive_duration(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("0 is too short: write a longer time, such as 80ms".to_owned()),
        time => Ok(time),
    }
}

/// Parses a rating of Sudoku Explainer, such as 4.2. Returns it in tenths.
///
/// # Errors
/// Advice for the user, if the text is not a number from 0 to 19.9 with at most one decimal.
pub fn rating(text: &str) -> Result<u8, String> {
    let (whole, tenths) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str, most: usize| {
        let is_number = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u8>().ok().filter(|_| is_number)
    };
    let rating = digits(whole, 2).filter(|&whole| whole < 20).zip(digits(tenths, 1));
    let rating = rating.map(|(whole, tenths)| 10 * whole + tenths);
    rating.ok_or_else(|| "write a rating from 0 to 19.9 with at most one decimal, such as 4.2".to_owned())
}

/// Parses a count, or two counts with `..` between them. The counts must fit into `T`.
///
/// # Errors
///
/// Advice for the user, if the text is neither a count nor two counts.
pub fn range<T: TryFrom<u64> + Clone>(text: &str) -> Result<RangeInclusive<T>, String> {
    let number =
        |text: &str| count::<T>(text.trim()).map_err(|error| format!("{error}; write a range like 22..30"));
    let (start, end) = text.split_once("..").unwrap_or((text, text));
    Ok(number(start)?..=number(end)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_parsed_as_typed() {
        for (text, number) in [
            ("0", 0),
            ("007", 7),
            ("20000", 20_000),
            ("20_000", 20_000),
            ("1_000_000", 1_000_000),
            ("1,000,000", 1_000_000),
            ("20,000", 20_000),
            ("20k", 20_000),
            ("20K", 20_000),
            ("1M", 1_000_000),
            ("1.5M", 1_500_000),
            ("1.50k", 1_500),
            ("3G", 3_000_000_000),
            ("1_000k", 1_000_000),
            ("1e6", 1_000_000),
            ("2.5e6", 2_500_000),
            ("2.5E+1", 25),
            ("1.0e0", 1),
            ("18446744073709551615", u64::MAX),
            ("18446744073709551.615k", u64::MAX),
        ] {
            assert_eq!(count(text), Ok(number), "{text}");
        }
    }

    #[test]
    fn both_numbers_of_a_fraction_are_counts() {
        assert_eq!(plain_fraction("3/1k"), "3/1000");
        assert_eq!(plain_fraction("x/1k"), "x/1k");
    }

    #[test]
    fn ratings_have_at_most_one_decimal() {
        for (text, tenths) in [("0", 0), ("4.2", 42), ("9", 90), ("19.9", 199), ("07.0", 70)] {
            assert_eq!(rating(text), Ok(tenths), "{text}");
        }
        for text in
            ["", ".", "4.", ".5", "4.25", "1.2.3", "4,2", "20", "255", "-1", "+1", "1e0", "inf", "nan"]
        {
            assert!(rating(text).is_err(), "{text}");
        }
    }

    #[test]
    fn errors_for_counts_name_a_remedy() {
        let [not_whole, too_large] =
            [CountError::NotWhole, CountError::TooLarge].map(|error| error.to_string());
        for text in [
            "",
            "many",
            "-1",
            "+1",
            " 1",
            "k",
            "e3",
            "1e",
            "1e-3",
            "1e1.5",
            "1.5",
            "1.000",
            "1.",
            ".5k",
            "1.k",
            "1.0005k",
            "2.5e0",
            "_1",
            "1_",
            "1__0",
            ",1",
            "1,",
            "1,00",
            "1,0000",
            "1234,567",
            "1,000_000",
            "1 000",
            "1m",
            "1T",
            "1kk",
            "1e3k",
            "0x10",
            "\u{0661}",
        ] {
            assert_eq!(count::<u64>(text), Err(not_whole.clone()), "{text}");
        }
        for text in
            ["18446744073709551616", "18446744073709552k", "1e20", "99e99999999999999999999", "20000000000G"]
        {
            assert_eq!(count::<u64>(text), Err(too_large.clone()), "{text}");
        }
        assert_eq!(count::<u8>("1k"), Err(too_large));
        assert!(not_whole.contains("20_000, 20k, 1.5M or 2e4"));
    }

    #[test]
    fn errors_for_values_name_a_remedy() {
        assert_eq!(at_least_one::<NonZeroUsize>("12").unwrap().get(), 12);
        assert_eq!(at_least_one::<NonZeroU64>("1e3").unwrap().get(), 1000);
        for (text, remedy) in [
            ("0", "write 1 or more"),
            ("0k", "write 1 or more"),
            ("-1", "write a whole number"),
            ("many", "write a whole number"),
            ("99999999999999999999", "write a smaller number"),
        ] {
            let error = at_least_one::<NonZeroU64>(text).unwrap_err();
            assert!(error.contains(remedy), "{text}: {error}");
        }
        assert!(at_least_one::<std::num::NonZeroU8>("300").unwrap_err().contains("a smaller number"));
        assert_eq!(threads("1024").unwrap().get(), 1024);
        assert!(threads("1025").unwrap_err().contains("1024 or fewer"));
        assert!(threads("0").unwrap_err().contains("write 1 or more"));
    }

    #[test]
    fn times_have_units() {
        assert_eq!(duration("0s"), Ok(Duration::ZERO));
        assert_eq!(positive_duration("1m30s"), Ok(Duration::from_secs(90)));
        assert!(duration("80").unwrap_err().contains("with its unit"));
        assert!(positive_duration("0ms").unwrap_err().contains("a longer time"));
    }
}
