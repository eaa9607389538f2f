//! What can go wrong in a pass over the rows before the pass that writes them.

use std::io;

use crate::source::Input;

/// Why a pass over the rows failed.
#[derive(Debug, thiserror::Error)]
pub enum PassError {
    /// The memory is full.
    #[error(
        "there is no memory for more than {classes} different puzzles: take a part of them at a time, such as --part 1/16"
    )]
    Memory {
        /// Number of classes that there was memory for.
        classes: u64,
    },
    /// There are 2³² classes.
    #[error(
        "there are more than 4,294,967,294 different puzzles: take a part of them at a time, such as --part 1/16"
    )]
    TooMany,
    /// An input changed between two passes.
    #[error("{input} was changed while it was read: {passes}; start anew when nobody writes it")]
    Changed {
        /// The input.
        input: Input,
        /// Why it is read twice.
        passes: &'static str,
    },
    /// A temporary file cannot be written or read.
    #[error(
        "cannot keep what is known of the rows in a temporary file in {}; TMPDIR names another folder",
        std::env::temp_dir().display()
    )]
    Temporary(#[from] io::Error),
}
