//! Options for the inputs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::column_choice::ColumnChoice;
use super::format::InputFormat;
use super::replay::Replay;

/// The size of blocks, in bytes of decoded text.
///
/// The text of an input is cut at marks. The distance to the next mark is a 32nd of the position, between the two bounds: a small input is
/// spread over the threads, a large one has few blocks. A block ends with the last record that ends before the next mark, so the cuts are
/// the same if reading starts at any mark. A record longer than the bound is still in one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSize {
    /// The first mark.
    pub min: usize,
    /// The longest way between two marks; at most 1 GiB, a larger value means that.
    pub max: usize,
}

impl BlockSize {
    /// The sizes within what is possible.
    pub(super) fn bounded(self) -> BlockSize {
        let max = self.max.clamp(1, 1 << 30);
        BlockSize { min: self.min.clamp(1, max), max }
    }

    /// The mark behind a mark.
    pub(super) fn next_mark(self, mark: u64) -> u64 {
        mark + (mark / 32).clamp(self.min as u64, self.max as u64)
    }

    /// The last mark that is not behind `at`.
    pub(super) fn mark_before(self, at: u64) -> u64 {
        let mut mark = 0;
        while self.next_mark(mark) <= at {
            mark = self.next_mark(mark);
            if mark / 32 >= self.max as u64 {
                // From here on they are equally far apart.
                return mark + (at - mark) / self.max as u64 * self.max as u64;
            }
        }
        mark
    }

    /// The first mark that is not before `at`.
    pub(super) fn mark_behind(self, at: u64) -> u64 {
        match self.mark_before(at) {
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

/// Options for the inputs. The default detects everything and reads everything.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format. `None`: from the content.
    pub format: Option<InputFormat>,
    /// The byte between columns. `None`: the one of `,` TAB `;` that fits the content.
    pub delimiter: Option<u8>,
    /// The column of the puzzle. `None`: found by the header, or else by the content.
    pub puzzle_column: Option<ColumnChoice>,
    /// The column of the expected solution. `None`: found by the header, or else by the content; there may be none.
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
    /// Accept an input of no bytes: it has no rows, and is taken for lines unless [`format`](Options::format) names another format. Such an
    /// input has no CSV header, JSON object, NumPy array or table, so that those formats still refuse it. `false`: an input of no
    /// bytes is an error.
    pub accepts_empty: bool,
    /// Digest each input as it is read, to its end even where `limit` stops before it.
    pub hash: bool,
    /// Once this is true, no more is read of files and standard input, and no read waits any longer: blocks of what was
    /// read follow, then an error that [is an interrupt](super::SourceError::is_interrupt).
    pub cancel: Arc<AtomicBool>,
    /// Keeps what comes through pipes for the next source that is opened with it. `None`: it can be read once.
    pub replay: Option<Replay>,
    /// How large blocks are. A [`Run`](crate::Run) sets what fits its solver.
    pub block: BlockSize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_from_anywhere() {
        for (min, max) in [(1, 1), (7, 7), (3, 100), (4096, 65_536), (10, 1 << 30)] {
            let size = BlockSize { min, max };
            let mut mark = 0;
            for _ in 0..1000 {
                let next = size.next_mark(mark);
                assert!(next > mark);
                for at in [mark, mark + 1, next - 1] {
                    assert_eq!(size.mark_before(at), if at < next { mark } else { next }, "{min} {max} {at}");
                    assert_eq!(
                        size.mark_behind(at),
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
