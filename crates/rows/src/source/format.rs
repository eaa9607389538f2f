//! Input formats: the table of formats and the properties of its entries.

use std::sync::OnceLock;

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
    pub mark: Option<Mark>,
    /// File name extensions, without the dot, of a format whose files can't be read from a zip archive.
    pub endings: &'static [&'static str],
    /// The reader of its rows.
    pub kind: InputKind,
}

/// The first bytes of every file of a format.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
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
    /// A puzzle on each line.
    Lines,
    /// Nine lines for each puzzle.
    Grids,
    /// A NumPy array, whose rows become lines.
    Array,
    /// Typed rows of a file: see [`TypedFormat`](super::TypedFormat).
    Typed,
}

/// The formats of other packages.
static ADDED: OnceLock<Vec<InputFormat>> = OnceLock::new();

/// Adds formats of another package. Only the first call counts.
pub(super) fn add(formats: Vec<InputFormat>) {
    let _ = ADDED.set(formats);
}

const fn text(name: &'static str, kind: InputKind) -> InputSpec {
    InputSpec { name, mark: None, endings: &[], kind }
}

/// Declares the formats of this package from their table.
macro_rules! formats {
    ($($(#[doc = $doc:literal])* $name:ident => $spec:expr,)*) => {
        impl InputFormat {
            $($(#[doc = $doc])* pub const $name: InputFormat = InputFormat({ static SPEC: InputSpec = $spec; &SPEC });)*

            /// The formats of this package.
            const OWN: &'static [InputFormat] = &[$(InputFormat::$name),*];
        }
    };
}

// Help texts and documentation list the formats in this order.
formats! {
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
        mark: Some(Mark { bytes: super::npy::MARK, is: "a NumPy array" }),
        endings: &[],
        kind: InputKind::Array,
    },
}

as_text::known_by_name!(InputFormat, "input format");

impl InputFormat {
    /// Returns the format with these properties.
    pub const fn new(spec: &'static InputSpec) -> InputFormat {
        InputFormat(spec)
    }

    /// Returns all formats, in the order in which they are listed: the formats of this package, then those that were
    /// [added](crate::add_formats).
    pub fn all() -> impl Iterator<Item = InputFormat> {
        InputFormat::OWN.iter().chain(ADDED.get().into_iter().flatten()).copied()
    }

    /// The name on the command line and in records.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the properties of the format.
    pub fn spec(self) -> &'static InputSpec {
        self.0
    }

    /// Returns the description of an input of this format for messages, if the format has a mark.
    pub(super) fn marked(self) -> Option<&'static str> {
        self.0.mark.map(|mark| mark.is)
    }

    /// If the extension of `name` belongs to a format that can't be read from a zip archive, returns the description of such a file for
    /// messages. Otherwise returns `None`.
    pub(super) fn named_like(name: &str) -> Option<&'static str> {
        let (_, end) = name.rsplit_once('.')?;
        let has_ending =
            |format: &InputFormat| format.0.endings.iter().any(|ending| ending.eq_ignore_ascii_case(end));
        InputFormat::all().find(has_ending)?.marked()
    }
}
