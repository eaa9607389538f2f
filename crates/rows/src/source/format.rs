//! The properties of an input format.

use super::InputFormat;
use super::error::SourceError;
use super::layout::Layout;
use super::options::Options;
use super::sample::Sample;

/// Properties of an input format.
#[derive(Debug)]
pub struct InputSpec {
    /// The name on the command line and in records.
    pub name: &'static str,
    /// How the format is recognised by its first bytes; `None` for text formats, which are recognised by their rows.
    pub magic: Option<Magic>,
    /// File name extensions, without the dot, that show that a file in a zip archive has this format. They are only needed for formats that
    /// can't be read from a zip archive; otherwise empty.
    pub endings: &'static [&'static str],
    /// The reader of a format of text; `None` for typed rows, whose reader is in a [`TypedFormat`](super::TypedFormat).
    pub reader: Option<TextReader>,
}

/// The first bytes of every file of a format.
#[derive(Clone, Copy, Debug)]
pub struct Magic {
    /// The bytes. At most 18, because an input is recognised by its first 18 bytes.
    pub bytes: &'static [u8],
    /// Description of such an input for messages: `a Parquet file`.
    pub is: &'static str,
}

/// The reader of a format of text.
#[derive(Clone, Copy, Debug)]
pub struct TextReader {
    /// The readers look at a text in the order of this number. The first that recognises the text reads it.
    pub(super) order: u8,
    pub(super) find: FindLayout,
    /// Returns the layout of an empty text. `None` if an empty text is an error.
    pub(super) empty: Option<fn(InputFormat, &Options) -> Layout>,
    /// Whether the first line of a text may be the number of puzzles.
    pub(super) may_have_count: bool,
}

/// Finds the layout of a text, and the length of the text before the first row. Returns `None` if the text isn't of this format and the
/// user hasn't named the format.
type FindLayout = fn(&Sample<'_>) -> Result<Option<(Layout, usize)>, SourceError>;

impl InputSpec {
    pub(super) const fn text(name: &'static str, reader: TextReader) -> InputSpec {
        InputSpec { name, magic: None, endings: &[], reader: Some(reader) }
    }

    /// Returns whether this format accepts an empty text, as an input without rows.
    pub(crate) fn reads_empty(&self) -> bool {
        self.reader.is_some_and(|reader| reader.empty.is_some())
    }
}
