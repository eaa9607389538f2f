//! Errors of the passes that read all rows before the last pass writes them.

use std::io;

use crate::source::Input;

/// Reasons why a pass over the rows failed.
#[derive(Debug, thiserror::Error)]
pub enum PassError {
    /// The memory is full.
    #[error(
        "not enough memory for more than {classes} different puzzles: process one part of them at a time, as \
         `sudobench dedupe --part 1/16` does"
    )]
    Memory {
        /// Number of classes that fit into memory.
        classes: u64,
    },
    /// There are more than 2³² - 1 classes.
    #[error(
        "there are more than 4,294,967,295 different puzzles: process one part of them at a time, as `sudobench dedupe --part 1/16` does"
    )]
    TooMany,
    /// An input changed between two passes.
    #[error(
        "{input} changed while it was read (it is read more than once: {passes}); run the command again when no program writes to the file"
    )]
    Changed {
        /// The input.
        input: Input,
        /// The reason why the input is read several times.
        passes: &'static str,
    },
    /// The column whose values are the strata has too many values.
    #[error(
        "{column} has more than {most} different values: choose a column with fewer values, such as difficulty"
    )]
    Strata {
        /// The column.
        column: String,
        /// The largest allowed number of strata.
        most: usize,
    },
    /// The expected number of test rows is smaller than the number of strata.
    #[error(
        "{column} has {strata} different values, but the test data has about {:.1} rows, fewer than one for each: choose a column with \
         fewer values, merge values such as numbers into ranges, or raise --test",
        (rows * 10.0).floor() / 10.0
    )]
    TestRows {
        /// The column.
        column: String,
        /// The number of strata.
        strata: usize,
        /// The expected number of test rows.
        rows: f64,
    },
    /// The memory is full while the classes of a stratified split are counted.
    #[error(
        "not enough memory for more than {classes} classes: leave out --stratify, because only a split with --stratify needs memory for them"
    )]
    SplitMemory {
        /// Number of classes that fit into memory.
        classes: u64,
    },
    /// A temporary file cannot be written or read.
    #[error(
        "cannot use a temporary file in {}; choose another folder with the variable TMPDIR (on Windows: TMP)",
        std::env::temp_dir().display()
    )]
    Temporary(#[from] io::Error),
}
