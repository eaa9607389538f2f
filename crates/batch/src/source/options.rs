//! What the user says about the inputs.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::input::InputFormat;

/// A column of a CSV input, as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnChoice {
    /// By the header's name for it, in any case.
    Name(String),
    /// By its number, from 1.
    Number(usize),
}

impl From<&str> for ColumnChoice {
    /// Digits alone are a number, everything else is a name.
    fn from(text: &str) -> ColumnChoice {
        let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(number) if all_digits => ColumnChoice::Number(number),
            _ => ColumnChoice::Name(text.to_owned()),
        }
    }
}

impl fmt::Display for ColumnChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnChoice::Name(name) => write!(f, "named '{name}'"),
            ColumnChoice::Number(number) => write!(f, "number {number}"),
        }
    }
}

/// The size of blocks, in bytes of decoded text.
///
/// A block has a 32nd of what was read before it, between the two bounds: a small input is spread over the
/// threads, a large one has few blocks. A record longer than the bound still comes in one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSize {
    /// The size of the first block.
    pub min: usize,
    /// No block is cut larger; at most 1 GiB, a larger value means that.
    pub max: usize,
}

impl BlockSize {
    /// The sizes within what is possible.
    pub(super) fn bounded(self) -> BlockSize {
        let max = self.max.clamp(1, 1 << 30);
        BlockSize { min: self.min.clamp(1, max), max }
    }
}

impl Default for BlockSize {
    fn default() -> BlockSize {
        BlockSize { min: 32 * 1024, max: 1024 * 1024 }
    }
}

/// What the user says about the inputs. The default finds everything out and reads everything.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format. `None`: from the content.
    pub format: Option<InputFormat>,
    /// The byte between columns. `None`: the one of `,` TAB `;` that fits the content.
    pub delimiter: Option<u8>,
    /// The column of the puzzle. `None`: from the header, else from the content.
    pub puzzle_column: Option<ColumnChoice>,
    /// The column of the expected solution. `None`: from the header, else from the content, else none.
    pub solution_column: Option<ColumnChoice>,
    /// Whether the first record of a CSV input names the columns. `None`: from the content.
    pub header: Option<bool>,
    /// Put back the zeros that a spreadsheet took from the start of puzzles, in formats whose puzzles are texts of 81
    /// characters: fewer digits than 81, and more than half as many, become a puzzle. `false`: such a row is malformed.
    pub restore_zeros: bool,
    /// Leave out this many rows at the start, malformed ones included, counted over all inputs.
    pub skip: u64,
    /// Stop after this many rows. `None`: no limit.
    pub limit: Option<u64>,
    /// Digest each input as it is read, to its end even where `limit` stops before it.
    pub hash: bool,
    /// Once this is true, no more is read of files and standard input, and no read waits any longer: blocks of what was
    /// read follow, then an error that [is an interrupt](super::SourceError::is_interrupt).
    pub cancel: Arc<AtomicBool>,
    /// How large blocks are. A [`Run`](crate::Run) sets what fits its solver.
    pub block: BlockSize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_of_digits_is_a_number() {
        assert_eq!(ColumnChoice::from("12"), ColumnChoice::Number(12));
        for name in ["", "puzzle", "1a", "+1", "99999999999999999999999"] {
            assert_eq!(ColumnChoice::from(name), ColumnChoice::Name(name.to_owned()));
        }
    }
}
