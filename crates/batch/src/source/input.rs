//! The words for an input: where it is, how its bytes are stored, how its rows are written down.

use std::fmt;
use std::path::PathBuf;

/// A place that puzzles are read from. Displays as `standard input` or as its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The process's standard input.
    Stdin,
    /// A file, or whatever else opens under this path.
    File(PathBuf),
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Stdin => f.write_str("standard input"),
            Input::File(path) => path.display().fmt(f),
        }
    }
}

/// How the rows of an input are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFormat {
    /// Delimited columns, one of which holds 81 characters.
    Csv,
    /// 81 characters a line, perhaps a label before and a comment after.
    Lines,
    /// The same, as `.sdm` files have it.
    Sdm,
    /// Nine lines a puzzle, with `#` tags and `[Puzzle]` sections.
    Sdk,
    /// Nine lines a puzzle, perhaps drawn with `|` and `---+---` and under titles.
    Grid,
    /// Nine lines of nine digits with a space between them, 0 for a blank.
    Boj2580,
    /// Nine lines of nine digits, 0 for a blank.
    Boj2239,
}

impl InputFormat {
    /// All formats, in the order of every listing.
    pub const ALL: [InputFormat; 7] = [
        InputFormat::Csv,
        InputFormat::Lines,
        InputFormat::Sdm,
        InputFormat::Sdk,
        InputFormat::Grid,
        InputFormat::Boj2580,
        InputFormat::Boj2239,
    ];

    /// The word that stands for it on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            InputFormat::Csv => "csv",
            InputFormat::Lines => "lines",
            InputFormat::Sdm => "sdm",
            InputFormat::Sdk => "sdk",
            InputFormat::Grid => "grid",
            InputFormat::Boj2580 => "boj2580",
            InputFormat::Boj2239 => "boj2239",
        }
    }
}

/// How the bytes of an input are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// As they are.
    None,
    /// gzip, of any number of members.
    Gzip,
    /// Zstandard, of any number of frames.
    Zstd,
    /// The one data file of a zip archive.
    Zip,
}

impl Compression {
    /// The word that stands for it in records: `none`, `gzip`, `zstd`, `zip`.
    pub fn name(self) -> &'static str {
        match self {
            Compression::None => "none",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Zip => "zip",
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
