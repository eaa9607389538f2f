//! Shards: parts of a run that are processed separately, possibly on different machines.
//!
//! ```text
//! inputs        |=== shard 1/3 ===|=== shard 2/3 ===|=== shard 3/3 ===|   cut at block boundaries of the whole run
//! each shard    a separate run, whose output is a complete file of its format, with a record next to it
//! merge         compares the records and concatenates the outputs, without the headers after the first
//! ```
//! A shard has the same block boundaries as the whole run. Therefore its rows are equal to the rows of the whole run, even if they contain
//! numbers (such as nodes) that depend on which puzzles are solved together.

use std::ffi::OsString;
use std::fmt;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::option_error::OptionError;

/// The number of a shard, and how many shards there are.
///
/// ```
/// use sudobench_rows::Shard;
/// let shard: Shard = "3/16".parse()?;
/// assert_eq!((shard.number(), shard.count(), shard.to_string()), (3, 16, "3/16".to_owned()));
/// assert!("0/16".parse::<Shard>().is_err());
/// # Ok::<(), sudobench_rows::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    number: NonZeroU32,
    count: NonZeroU32,
}

/// The start or end of a shard, always between two rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cut {
    /// The number of the input, from 0.
    pub input: usize,
    /// The position in the input, from 0: a byte of the decompressed text, a row of a table, or a generated row.
    pub at: u64,
}

/// The part of the inputs that a shard reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Start of the first row of the shard.
    pub start: Cut,
    /// Number of the line in which the first row starts, from 1; for a table, the number of the first row, from 1. `None` if the number is
    /// unknown: lines are then counted from 1 at the start of the shard.
    pub start_line: Option<u64>,
    /// Start of the first row after the shard; `None` if no row follows the shard. Until the shard is read completely, this is an estimate:
    /// the block boundary after the shard's share of the inputs.
    pub end: Option<Cut>,
    /// The number of the line or table row at `end`, counted like `start_line`.
    pub end_line: u64,
}

impl Shard {
    /// Makes the shard with this number. `of` is the number of shards.
    ///
    /// # Errors
    /// [`OptionError`] if `number` is not from 1 to `of`.
    pub fn new(number: u32, of: u32) -> Result<Shard, OptionError> {
        Shard::new_as("shard", number, of)
    }

    fn new_as(noun: &str, number: u32, of: u32) -> Result<Shard, OptionError> {
        match (NonZeroU32::new(number), NonZeroU32::new(of)) {
            (Some(number), Some(of)) if number <= of => Ok(Shard { number, count: of }),
            _ => Err(OptionError::new(format!(
                "there is no {noun} {number} of {of}: in NUMBER/COUNT, NUMBER must be from 1 to COUNT"
            ))),
        }
    }

    /// Parses a text such as `3/16`. Error messages call the parts `noun`.
    pub(crate) fn parse_as(noun: &str, text: &str) -> Result<Shard, OptionError> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let (number, of) = numbers.ok_or_else(|| {
            OptionError::new(format!("write a {noun} as NUMBER/COUNT, such as 3/16, not `{text}`"))
        })?;
        Shard::new_as(noun, number, of)
    }

    /// Returns the number of the shard, from 1.
    pub fn number(self) -> u32 {
        self.number.get()
    }

    /// Returns the number of shards.
    pub fn count(self) -> u32 {
        self.count.get()
    }

    /// Returns the file name of this shard's output: `solved.csv.gz` becomes `solved.shard-03-of-16.csv.gz`. The extension stays, and names
    /// sort by number.
    pub fn file_of(self, output: &Path) -> PathBuf {
        let (number, of) = (self.number.get(), self.count.get());
        let width = of.to_string().len();
        // A name that is not valid Unicode has no `str` to search for the first dot, so the functions of `Path` take off one extension
        // after the other.
        let mut stem = PathBuf::from(output.file_name().unwrap_or_default());
        let mut extensions = vec![OsString::from(format!("shard-{number:0width$}-of-{of}"))];
        while let Some(extension) = stem.extension() {
            extensions.insert(1, extension.to_owned());
            stem = stem.with_extension("");
        }
        let mut name = stem.into_os_string();
        for extension in extensions {
            name.push(".");
            name.push(extension);
        }
        output.with_file_name(name)
    }

    /// Reads the shard from a file name that [`Shard::file_of`] made.
    pub(crate) fn from_file_name(path: &Path) -> Option<Shard> {
        let name = path.file_name()?.to_string_lossy();
        let words = name.rsplit_once(".shard-")?.1;
        let (number, of) = words.split('.').next()?.split_once("-of-")?;
        Shard::new(number.parse().ok()?, of.parse().ok()?).ok()
    }

    /// Divides inputs of this total length into equal shares, one for each shard, and returns the position at which the share of this shard
    /// starts. The first row of the shard may be later, because a shard of inputs starts at a block boundary.
    pub(crate) fn start_in(self, length: u64) -> u64 {
        let before = u128::from(self.number.get() - 1);
        // The quotient is not above the length, so it fits into 64 bits.
        (u128::from(length) * before / u128::from(self.count.get())) as u64
    }

    /// Returns the position at which the share of the next shard starts: see [`Shard::start_in`]. `None` for the last shard.
    pub(crate) fn end_in(self, length: u64) -> Option<u64> {
        let next = Shard::new(self.number.get() + 1, self.count.get()).ok()?;
        Some(next.start_in(length))
    }
}

impl FromStr for Shard {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Shard, OptionError> {
        Shard::parse_as("shard", text)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl Span {
    /// Returns the position at which the shard ends in an input; `None` if the shard does not end in this input.
    pub(crate) fn stop_in(&self, input: usize) -> Option<u64> {
        self.end.filter(|end| end.input == input).map(|end| end.at)
    }

    /// Returns whether the shard reads any part of this input. The input must not be before the input where the shard starts.
    pub(crate) fn reaches(&self, input: usize) -> bool {
        self.end.is_none_or(|end| input < end.input || input == end.input && end.at > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_have_numbers_and_names_that_sort() {
        let refused = |text: &str| text.parse::<Shard>().unwrap_err().to_string();
        let remedy = "in NUMBER/COUNT, NUMBER must be from 1 to COUNT";
        assert_eq!(refused("4/3"), format!("there is no shard 4 of 3: {remedy}"));
        assert_eq!(refused("0/3"), format!("there is no shard 0 of 3: {remedy}"));
        for text in ["", "3", "1/", "a/b", "1/2/3", "-1/2", "1/99999999999"] {
            assert!(refused(text).starts_with("write a shard as NUMBER/COUNT"), "{text}");
        }
        let named = |shard: &str, path: &str| {
            shard.parse::<Shard>().unwrap().file_of(Path::new(path)).to_str().unwrap().to_owned()
        };
        assert_eq!(named("3/16", "out/solved.csv.gz"), "out/solved.shard-03-of-16.csv.gz");
        assert_eq!(named("1/7", "solved"), "solved.shard-1-of-7");
        assert_eq!(named("1/7", ".hidden.npy"), ".hidden.shard-1-of-7.npy");
        assert_eq!(named("1/7", "a..b."), "a.shard-1-of-7..b.");
        for (shard, path) in [("3/16", "out/solved.csv.gz"), ("1/7", "solved"), ("1/7", ".hidden.npy")] {
            let shard: Shard = shard.parse().unwrap();
            assert_eq!(Shard::from_file_name(&shard.file_of(Path::new(path))), Some(shard), "{path}");
        }
        for name in ["solved.csv", "a.shard-9-of-7.csv", "a.shard-1.csv", "a.shard-x-of-y"] {
            assert_eq!(Shard::from_file_name(Path::new(name)), None, "{name}");
        }
    }

    #[test]
    fn parts_cover_a_length_without_gaps() {
        for (length, of) in [(0, 3), (1, 3), (100, 7), (u64::MAX, 5)] {
            let shards: Vec<Shard> = (1..=of).map(|number| Shard::new(number, of).unwrap()).collect();
            assert_eq!(shards[0].start_in(length), 0);
            assert_eq!(shards[of as usize - 1].end_in(length), None);
            for pair in shards.windows(2) {
                assert_eq!(pair[0].end_in(length), Some(pair[1].start_in(length)));
                assert!(pair[0].start_in(length) <= pair[1].start_in(length));
            }
        }
    }
}
