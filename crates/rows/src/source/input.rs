//! Descriptions of an input: its place and its compression.

use std::fmt;
use std::path::PathBuf;

/// A source of puzzles. Its text form is `standard input`, its path, `the command line` or its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The process's standard input.
    Stdin,
    /// A file, or anything else that can be opened by this path.
    File(PathBuf),
    /// Puzzles that were typed as arguments, joined to a text with one puzzle on each line.
    Puzzles(String),
    /// Any other source, by its name: the name passed to [`Source::from_reader`](super::Source::from_reader), or `generated puzzles`.
    Reader(String),
}

impl Input {
    /// Returns whether the input can be read only once, such as standard input and other pipes.
    pub fn is_read_once(&self) -> bool {
        match self {
            Input::Stdin | Input::Reader(_) => true,
            Input::File(path) => path.metadata().is_ok_and(|found| !found.is_file()),
            Input::Puzzles(_) => false,
        }
    }

    /// Returns the path of a file as the argument of a shell command; `FILE` for other inputs.
    pub(super) fn argument(&self) -> String {
        let Input::File(path) = self else { return "FILE".to_owned() };
        shell_words::quote(&path.to_string_lossy()).into_owned()
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

/// Binary logarithm of the maximum size of a zstd window, in bytes. The maximum is the default of the zstd program: 128 MiB. Decompression
/// needs as much memory as the window.
pub(super) const ZSTD_WINDOW_LOG: u32 = 27;

/// The compression of an input. Its text form is its [name](InputCompression::name).
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum InputCompression {
    /// No compression.
    None,
    /// gzip, of any number of members.
    Gzip,
    /// Zstandard, of any number of frames.
    Zstd,
    /// The only data file of a zip archive.
    Zip,
}

impl InputCompression {
    /// Returns the name of the compression in records: `none`, `gzip`, `zstd`, `zip`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
