//! Descriptions of an input: its place, its compression, its format.

use std::fmt;
use std::path::PathBuf;

/// A place that puzzles are read from. Displays as `standard input`, its path, `the command line` or its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The process's standard input.
    Stdin,
    /// A file, or whatever else opens under this path.
    File(PathBuf),
    /// Puzzles as they were typed, one a line.
    Puzzles(String),
    /// The reader that was passed to [`Source::from_reader`](super::Source::from_reader) under this name.
    Reader(String),
}

impl Input {
    /// Returns the argument that names it on a command line.
    pub(super) fn argument(&self) -> String {
        if let Input::File(path) = self { path.display().to_string() } else { "FILE".to_owned() }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Stdin => f.write_str("standard input"),
            Input::File(path) => path.display().fmt(f),
            Input::Puzzles(_) => f.write_str("the command line"),
            Input::Reader(name) => f.write_str(name),
        }
    }
}

/// Largest window that the zstd program accepts by default: 128 MiB, which is also the memory needed.
pub(super) const ZSTD_WINDOW_LOG: u32 = 27;

/// How the bytes of an input are stored. Displays as its [name](Compression::name).
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
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
    /// Returns its name in records: `none`, `gzip`, `zstd`, `zip`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
