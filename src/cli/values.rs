//! Values of options: whoever types one wrongly is told what to type instead.

use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use sudobench_batch::pipeline::MOST_THREADS;

/// What `--budgets` says at length: a preset is more than the times that it stands for.
pub(crate) const BUDGETS_HELP: &str = "\
Hold each puzzle against these times, such as 80ms,1s, and against those of at most one preset. A preset is a \
problem of BOJ: it stands for the times that the judge's reference program takes, and asks the judge's question.

boj2580: 80 ms (C++14), 292 ms (Java), 1172 ms (PyPy3), any solution; the judge itself allows 1 s and 256 MB
boj2239: 180 ms (C++17), 2064 ms (PyPy3), 15528 ms (Java), the smallest solution; the judge itself allows 2 s \
and 256 MB";

/// What `--engine-protocol` says at length.
pub(crate) const ENGINE_PROTOCOL_HELP: &str = "\
How engines are given puzzles: all of them, or with NAME= one. Repeatable.

lines: a puzzle a line on standard input, a line for each on standard output (the default)
files: the same lines in files: the command has {input} where it names the file of puzzles, and {output} where it \
names that of its answers; without {output} it prints them
boj2580, boj2239: a program as that problem of the judge asks for it: a process for each puzzle, nine lines in, nine \
lines out. So each puzzle has its time, and budgets count; any solution is an answer";

/// A whole number from 1 up, as `NonZeroU64`, `NonZeroUsize` and the like.
pub(crate) fn at_least_one<T: TryFrom<NonZeroU64>>(text: &str) -> Result<T, String> {
    let number: u64 = text.parse().map_err(|_| "write a whole number from 1 up, such as 4".to_owned())?;
    let number = NonZeroU64::new(number).ok_or("write 1 or more, or leave the option out for its default")?;
    T::try_from(number).map_err(|_| "write a smaller number: this machine cannot count that far".to_owned())
}

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads: NonZeroUsize = at_least_one(text)?;
    if threads.get() > MOST_THREADS {
        return Err(format!("write {MOST_THREADS} or fewer: more would only wait for each other"));
    }
    Ok(threads)
}

/// A time with its unit; 0 is one.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text)
        .map_err(|_| "write a number with its unit, such as 80ms, 2s or 1m30s".to_owned())
}

/// A time with its unit, longer than 0.
pub(crate) fn positive_duration(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("nothing can be done in no time: write a longer one, such as 80ms".to_owned()),
        time => Ok(time),
    }
}

/// A number of bytes; as the judge counts them, 1 MB is 2^20.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let bytes = parse_size::Config::new().with_binary().parse_size(text);
    match bytes.map_err(|_| "write a number with its unit, such as 64KB or 256MB".to_owned())? {
        0 => Err("nothing fits into 0 bytes: write more, such as 64KB".to_owned()),
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_wrong_names_its_remedy() {
        assert_eq!(at_least_one::<NonZeroUsize>("12").unwrap().get(), 12);
        for (text, remedy) in [
            ("0", "write 1 or more"),
            ("-1", "a whole number from 1 up"),
            ("many", "a whole number from 1 up"),
            ("", "a whole number from 1 up"),
            ("99999999999999999999", "a whole number from 1 up"),
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
        assert!(positive_duration("0ms").unwrap_err().contains("a longer one"));
    }
}
