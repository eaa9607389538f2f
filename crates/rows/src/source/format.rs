//! Input formats: the table of formats and the properties of its entries.

use crate::as_text;

/// An input format: an entry of the table of formats. Its text form is its [name](InputFormat::name).
#[derive(Clone, Copy)]
pub struct InputFormat(&'static InputSpec);

/// Properties of an input format.
#[derive(Debug)]
pub struct InputSpec {
    /// The name on the command line and in records.
    pub name: &'static str,
    /// How the format is recognised by its first bytes; `None` for text formats, which are recognised by their rows.
    pub magic: Option<Magic>,
    /// File name extensions, without the dot, of a format whose files can't be read from a zip archive.
    pub endings: &'static [&'static str],
    /// The reader of its rows.
    pub kind: InputKind,
}

/// The first bytes of every file of a format.
#[derive(Clone, Copy, Debug)]
pub struct Magic {
    /// The bytes. At most 18, because an input is recognised by its first 18 bytes.
    pub bytes: &'static [u8],
    /// Description of such an input for messages: `a Parquet file`.
    pub is: &'static str,
}

/// The readers of rows.
#[derive(Clone, Copy, Debug)]
pub enum InputKind {
    /// Delimited columns.
    Csv,
    /// A JSON object on each line.
    Jsonl,
    /// A puzzle on each line, or a NumPy array, whose rows become lines.
    Lines,
    /// Nine lines for each puzzle.
    Grids,
    /// Typed rows of a file: see [`TypedFormat`](super::TypedFormat).
    Typed,
}

const fn text(name: &'static str, kind: InputKind) -> InputSpec {
    InputSpec { name, magic: None, endings: &[], kind }
}

// Help texts and documentation list the formats in this order.
as_text::format_table! {
    InputFormat, InputSpec, "input format";
    /// Delimited columns, one of them with 81 characters.
    CSV => text("csv", InputKind::Csv),
    /// A JSON object on each line.
    JSONL => text("jsonl", InputKind::Jsonl),
    /// 81 characters on each line, possibly with a label before the puzzle and a comment after the puzzle.
    LINES => text("lines", InputKind::Lines),
    /// The same as the format `lines`, for `.sdm` files.
    SDM => text("sdm", InputKind::Lines),
    /// Nine lines for each puzzle, with `#` tags and `[Puzzle]` sections.
    SDK => text("sdk", InputKind::Grids),
    /// Nine lines for each puzzle, possibly drawn with `|` and `---+---`, and with titles.
    GRID => text("grid", InputKind::Grids),
    /// Nine lines of nine digits with a space between them, 0 for a blank.
    BOJ2580 => text("boj2580", InputKind::Grids),
    /// Nine lines of nine digits, 0 for a blank.
    BOJ2239 => text("boj2239", InputKind::Grids),
    /// A NumPy array with 81 numbers or a text for each row.
    NPY => InputSpec {
        name: "npy",
        magic: Some(Magic { bytes: super::npy::MAGIC, is: "a NumPy array" }),
        endings: &[],
        kind: InputKind::Lines,
    },
}

impl InputFormat {
    /// Returns the description of an input of this format for messages, if the format has magic bytes.
    pub(super) fn magic_name(self) -> Option<&'static str> {
        self.0.magic.map(|magic| magic.is)
    }

    /// If the extension of `name` belongs to a format that can't be read from a zip archive, returns the description of such a file for
    /// messages. Otherwise returns `None`.
    pub(super) fn named_like(name: &str) -> Option<&'static str> {
        let (_, end) = name.rsplit_once('.')?;
        let has_ending =
            |format: &InputFormat| format.0.endings.iter().any(|ending| ending.eq_ignore_ascii_case(end));
        InputFormat::all().find(has_ending)?.magic_name()
    }
}
