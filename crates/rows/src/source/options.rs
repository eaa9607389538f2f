//! Options for the inputs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::InputFormat;
use super::column_choice::ColumnChoice;
use super::replay::Replay;

/// The size of blocks, in bytes of decoded text.
///
/// The text of an input is cut into blocks near marks. The distance from a mark to the next one is 1/32 of the mark's position, but at
/// least `min` and at most `max`. So a small input is spread over several threads, and the blocks of a large input are large. A block ends
/// with the last record that ends before the next mark, so the block boundaries do not depend on the mark at which reading starts. A record
/// longer than `max` is still in one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSize {
    /// The position of the first mark, and the smallest distance between two marks.
    pub min: usize,
    /// The largest distance between two marks, at most 1 GiB. Larger values are reduced to 1 GiB.
    pub max: usize,
}

impl BlockSize {
    /// Returns the sizes. A size outside the possible range is replaced by the nearest possible size.
    pub(super) fn bounded(self) -> BlockSize {
        let max = self.max.clamp(1, 1 << 30);
        BlockSize { min: self.min.clamp(1, max), max }
    }

    pub(super) fn next_mark(self, mark: u64) -> u64 {
        mark + (mark / 32).clamp(self.min as u64, self.max as u64)
    }

    /// Returns the last mark that is not after `at`.
    pub(super) fn mark_at_or_before(self, at: u64) -> u64 {
        let mut mark = 0;
        while self.next_mark(mark) <= at {
            mark = self.next_mark(mark);
            if mark / 32 >= self.max as u64 {
                // From here on, marks have equal distances.
                return mark + (at - mark) / self.max as u64 * self.max as u64;
            }
        }
        mark
    }

    /// Returns the first mark that is not before `at`.
    pub(super) fn mark_at_or_after(self, at: u64) -> u64 {
        match self.mark_at_or_before(at) {
            mark if mark == at => mark,
            mark => self.next_mark(mark),
        }
    }
}

impl Default for BlockSize {
    fn default() -> BlockSize {
        BlockSize { min: 32 * 1024, max: 1024 * 1024 }
    }
}

/// Options for the inputs. By default, the layout is detected, and all rows are read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format. `None`: detected from the content.
    pub format: Option<InputFormat>,
    /// The byte between columns. `None`: `,`, TAB or `;`, whichever fits the content best.
    pub delimiter: Option<u8>,
    /// The column of the puzzle. `None`: detected from the header, or else from the content.
    pub puzzle_column: Option<ColumnChoice>,
    /// The column of the expected solution. `None`: detected from the header, or else from the content. The input may have no such column.
    pub solution_column: Option<ColumnChoice>,
    /// The column of predictions, if the rows have some. It is neither detected as the column of the puzzle nor as the column of the
    /// expected solution.
    pub prediction_column: Option<ColumnChoice>,
    /// Whether the first record of a CSV input names the columns. `None`: detected from the content.
    pub header: Option<bool>,
    /// Whether to restore zeros that a spreadsheet removed from the start of puzzles. A text or a JSON number of 40 to 80 digits that
    /// contains a zero, but not as its first digit, then becomes a puzzle. Puzzles in arrays of cells or in nine lines stay unchanged.
    /// `false`: a row whose puzzle lost zeros is malformed.
    pub restore_zeros: bool,
    /// Number of rows to skip at the start, malformed ones included, counted over all inputs.
    pub skip: u64,
    /// Maximum number of rows to read after the skipped rows. `None`: no limit.
    pub limit: Option<u64>,
    /// Whether the first input may be empty. If it is empty, it has no rows, and its format is lines unless [`format`](Options::format)
    /// names another format. CSV, JSON lines, NumPy arrays and tables still refuse an empty input. An empty input after the first one is
    /// always an error.
    pub accepts_empty: bool,
    /// Whether to compute the digest of each input. Each input is then read to its end, even after the last row that `limit` allows.
    pub hash: bool,
    /// Cancel flag. Once it is true, reads of files and standard input stop (on Unix, even reads that are waiting for data). Blocks of the
    /// text read so far follow, and then an error that [is an interrupt](super::SourceError::is_interrupt). Generated puzzles end without
    /// an error.
    pub cancel: Arc<AtomicBool>,
    /// Keeps the data of pipes for later sources that are opened with the same `Replay`. `None`: pipes can be read only once.
    pub replay: Option<Replay>,
    /// The size of blocks. A [`Run`](crate::Run) replaces it with a size that suits its solver and its output format.
    pub block: BlockSize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_from_any_position() {
        for (min, max) in [(1, 1), (7, 7), (3, 100), (4096, 65_536), (10, 1 << 30)] {
            let size = BlockSize { min, max };
            let mut mark = 0;
            for _ in 0..1000 {
                let next = size.next_mark(mark);
                assert!(next > mark);
                for at in [mark, mark + 1, next - 1] {
                    assert_eq!(
                        size.mark_at_or_before(at),
                        if at < next { mark } else { next },
                        "{min} {max} {at}"
                    );
                    assert_eq!(
                        size.mark_at_or_after(at),
                        if at == mark { mark } else { next },
                        "{min} {max} {at}"
                    );
                }
                mark = next;
            }
        }
    }

    #[test]
    fn a_column_of_digits_is_a_number() {
        assert_eq!(ColumnChoice::from("12"), ColumnChoice::Number(12));
        for name in ["", "puzzle", "1a", "+1", "99999999999999999999999"] {
            assert_eq!(ColumnChoice::from(name), ColumnChoice::Name(name.to_owned()));
        }
    }
}
