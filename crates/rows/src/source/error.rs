//! Errors of an input as a whole. A single bad row is not such an error: see [`RowFault`](super::RowFault).

use std::borrow::Cow;
use std::io;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::generate::NotMade;

use super::column_choice::ColumnChoice;
use super::fault::RowFault;
use super::input::{Input, InputCompression, ZSTD_WINDOW_LOG};
use super::waiting;

/// Reasons why an input can't be read, or can't be read further. Most messages name the input, and a remedy if there is one.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The input can't be opened: for example, the file is missing, or its permissions forbid reading.
    #[error("cannot open {input}")]
    Open {
        /// The input.
        input: Input,
        /// The error, usually of the operating system.
        source: io::Error,
    },
    /// A stream can't be divided into shards, because its length is unknown.
    #[error("{input} cannot be split into shards, because its length is unknown: store it in a file first")]
    ShardOfStream {
        /// The input.
        input: Input,
    },
    /// A puzzle could not be generated.
    #[error("{reason}; request something less rare, {remedy}", reason = .0, remedy = match .0.better_method {
        Some(method) => format!("allow more --attempts, or start again with --method {method}"),
        None => "or allow more --attempts".to_owned(),
    })]
    NotMade(NotMade),
    /// A generated puzzle does not meet the request, or its solution is wrong. This is a bug.
    #[error(
        "puzzle {number} of the seed is {puzzle}, but it does not match the request, or its solution is wrong: this is a bug in sudobench, \
         please report it"
    )]
    MadeWrong {
        /// The number of the puzzle among the puzzles of its seed, from 0.
        number: u64,
        /// The generated puzzle.
        puzzle: Puzzle,
    },
    /// `--skip` or `--limit` with a shard.
    #[error("--shard cannot be combined with --skip or --limit, because shards divide the whole input")]
    PartOfPart,
    /// The path is a directory.
    #[error("{input} is a directory: name the files in it")]
    Directory {
        /// The input.
        input: Input,
    },
    /// Reading failed, or was stopped by [`Options::cancel`](super::Options::cancel).
    #[error("cannot read {input} from line {line} on")]
    Read {
        /// The input.
        input: Input,
        /// The first line that could not be read.
        line: u64,
        /// The error, for example of the operating system or of a file format (such as an array that is shorter than its header says), or
        /// the interrupt.
        source: io::Error,
    },
    /// The size or the modification time of a file is no longer the same as when the file was opened.
    #[error(
        "{input} changed while it was read (noticed at line {line}): its size or modification time is different now; run the command \
         again when no program writes to the file"
    )]
    ChangedWhileRead {
        /// The input.
        input: Input,
        /// The first line that was not returned in a block.
        line: u64,
    },
    /// The compressed data is invalid or incomplete, or contradicts its checksum.
    #[error(
        "{input} is corrupt or truncated: its {compression} data cannot be read from line {line} on; download or create the file again"
    )]
    Corrupt {
        /// The input.
        input: Input,
        /// The compression of the input.
        compression: InputCompression,
        /// The first line that could not be read.
        line: u64,
        /// The error of the decoder.
        source: io::Error,
    },
    /// The input has a format that this program recognises but can't read.
    #[error(
        "{input} is {is}, which sudobench does not read directly: convert it first, for example with `{remedy}`"
    )]
    NotRead {
        /// The input.
        input: Input,
        /// The kind of the input, such as `a PDF document`.
        is: Cow<'static, str>,
        /// A command line that converts the input with another program and solves its puzzles.
        remedy: String,
    },
    /// A file of typed rows (such as Parquet) can't be read at all.
    #[error(
        "{input} looks like {is}, but cannot be read: download or create it again; if other programs can read it, {remedy}"
    )]
    Damaged {
        /// The input.
        input: Input,
        /// Description of the format that the first bytes of the file show: `a Parquet file`.
        is: &'static str,
        /// Advice for a file that other programs can read: how to write the file again with one of them.
        remedy: &'static str,
        /// The error of the decoder.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A table can't be read any further.
    #[error("cannot read {input} from row {row} on")]
    Rows {
        /// The input.
        input: Input,
        /// The first row that could not be read.
        row: u64,
        /// The error of the decoder.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Decompression would need too much memory.
    #[error(
        "{input} needs a zstd window of {}, but at most {} MiB are supported: compress it again without --long, e.g. \
         `zstd -dc --long=31 OLD.zst | zstd -o NEW.zst`",
        window.map_or("a larger size".to_owned(), |window| format!("{} MiB", window >> 20)),
        1 << (ZSTD_WINDOW_LOG - 20)
    )]
    Window {
        /// The input.
        input: Input,
        /// Size of the window in bytes, if the first frame states it.
        window: Option<u64>,
    },
    /// A zip archive can't be read as one input.
    #[error("{input}: {what}")]
    Zip {
        /// The input.
        input: Input,
        /// The fault, and the remedy if there is one.
        what: String,
    },
    /// Text in UTF-16.
    #[error("{input} is UTF-16 text: convert it first, e.g. `iconv -f UTF-16 -t UTF-8`")]
    Utf16 {
        /// The input.
        input: Input,
    },
    /// A NumPy array has an unsupported property or an invalid header.
    #[error("{input} is a NumPy array, and {what}: {remedy}")]
    Array {
        /// The input.
        input: Input,
        /// The unsupported property, or the fault of the header.
        what: String,
        /// The remedy.
        remedy: String,
    },
    /// The format that the user named contradicts the start of the file.
    #[error("{input} is {is}; leave out --input-format {asked}")]
    OtherFormat {
        /// The input.
        input: Input,
        /// The kind of input that was found, such as `a Parquet file`; or the kind that the input is not, such as `not a Parquet file`.
        is: String,
        /// The name of the format that the user named.
        asked: &'static str,
    },
    /// The input has no bytes, or only a byte order mark.
    #[error("{input} is empty")]
    Empty {
        /// The input.
        input: Input,
    },
    /// The start of the input has no line end, so no format can be detected.
    #[error(
        "{input} has no line end in its first 64 KiB, so it does not look like puzzles; to read the input anyway, set its format \
         with --input-format"
    )]
    NoLineEnd {
        /// The input.
        input: Input,
    },
    /// No format fits the content.
    #[error(
        "{input} does not look like puzzles: expected CSV with a column of 81 characters, JSON objects with a member of 81 \
         characters, lines of 81 characters or grids of nine lines, but line {line} is `{text}`; to read the input anyway, set its format with --input-format"
    )]
    UnknownFormat {
        /// The input.
        input: Input,
        /// The first line that is not blank.
        line: u64,
        /// The start of this line.
        text: String,
    },
    /// No record ends within the examined start of the input, although the user declared that the first record is a header.
    #[error("{input} has no header: no row ends in its first 64 KiB; leave out --header yes")]
    NoHeader {
        /// The input.
        input: Input,
    },
    /// No line at the start of the input is a JSON object, although the user named the format JSON lines.
    #[error("{input} has no JSON object in its first lines; leave out --input-format jsonl")]
    NoObject {
        /// The input.
        input: Input,
    },
    /// No format fits the content, but a part of it may be meant as a puzzle.
    #[error(
        "{input} does not look like puzzles; line {line} is close to a puzzle, but not valid: {fault}; to read the input anyway, set its \
         format with --input-format"
    )]
    NoneWhole {
        /// The input.
        input: Input,
        /// The faulty line.
        line: u64,
        /// The fault.
        fault: RowFault,
    },
    /// No column holds puzzles.
    #[error(
        "{input} has no column that looks like a puzzle (81 digits and blanks); its columns are {columns}; choose \
         one with --puzzle-column NAME or NUMBER"
    )]
    NoPuzzleColumn {
        /// The input.
        input: Input,
        /// The first columns of the input, with their numbers.
        columns: String,
    },
    /// The requested column does not exist.
    #[error("{input} has no column {choice}; its columns are {columns}")]
    NoSuchColumn {
        /// The input.
        input: Input,
        /// The requested column.
        choice: ColumnChoice,
        /// The first 30 columns that were found at the start of the input, with their numbers.
        columns: String,
    },
    /// The chosen column has a type that can't hold puzzles.
    #[error("the column `{column}` of {input} has the type {found}, which cannot contain puzzles: {why}")]
    ColumnType {
        /// The input.
        input: Input,
        /// The column's name.
        column: String,
        /// The type of the column.
        found: String,
        /// The types that can hold puzzles, or a likely reason for this type.
        why: &'static str,
    },
    /// The requested delimiter can't separate columns.
    #[error(
        "{delimiter:?} cannot separate columns: choose a delimiter that is neither a quote nor a line end"
    )]
    Delimiter {
        /// The requested byte.
        delimiter: char,
    },
    /// A later input has another layout than the first.
    #[error(
        "{input} does not have the layout of {first}: {found} instead of {wanted}; process them in separate runs, or convert one of them"
    )]
    OtherLayout {
        /// The later input.
        input: Input,
        /// The input that was read first.
        first: Input,
        /// The columns, members or format of the later input.
        found: String,
        /// The columns, a member or the format of the first input.
        wanted: String,
    },
    /// The part of the input that an earlier run has read is missing or changed, or an input that the earlier run read to its end is now
    /// longer.
    #[error(
        "{input} is not the same as when the earlier run read it: it was changed or truncated; start again with --force"
    )]
    Changed {
        /// The changed input.
        input: Input,
    },
    /// A line has text around its puzzle, and the output would lose this text.
    #[error(
        "line {line} of {input} has text before or after its puzzle, but the first lines have none, so the output has no column for \
         this text; add --input-format {format}, which always has the columns `label` and `comment`"
    )]
    UnplacedWords {
        /// The input.
        input: Input,
        /// The first line with such text.
        line: u64,
        /// The format that was found.
        format: &'static str,
    },
    /// A JSON object has a member for which the output has no place.
    #[error("line {line} of {input} has the member `{name}`, which no object at the start of the file has: {}",
        if *is_added {
            format!("the output has a column of that name; rename the member first, e.g. `jq -c '.[\"{name}_2\"] = .[\"{name}\"] | del(.[\"{name}\"])'`")
        } else {
            "the output has no column for it; --output-format jsonl keeps all members".to_owned()
        }
    )]
    UnplacedMember {
        /// The input.
        input: Input,
        /// The first line with such a member.
        line: u64,
        /// The member.
        name: String,
        /// Whether an added column has the name of the member. If not, the output has no column for the member.
        is_added: bool,
    },
    /// There is no input at all.
    #[error("no input: name a file, or - for standard input")]
    NoInput,
    /// A zip archive or a file of typed rows comes from a pipe or from standard input, and can't be copied to a temporary file.
    #[error(
        "cannot copy {input} to a temporary file; the copy is necessary because this format has its index at the end: name a file, \
         or send a text format"
    )]
    Spool {
        /// The input.
        input: Input,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl SourceError {
    /// Returns whether the cause of this error is that [`Options::cancel`](super::Options::cancel) stopped the reading.
    pub fn is_interrupt(&self) -> bool {
        waiting::is_interrupt(self)
    }
}
