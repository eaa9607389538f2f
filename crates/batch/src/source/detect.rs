//! The layout of an input, found on the start of its text.
//!
//! ```text
//! text    = byte order mark? count line? body
//! csv     the first record names a puzzle's column, or most rows with puzzles have them in a column
//! lines   otherwise, some line has 81 cells among its first three words
//! grids   otherwise, some run of lines makes up a grid
//! ```

use super::columns::{self, Record};
use super::drawing;
use super::grid;
use super::layout::Layout;
use super::lines::{self, Walked};
use super::table::{Table, best_table, tables};
use super::{Grammar, Input, InputFormat, Options, SourceError};
use sudobench_sudoku::puzzle::Puzzle;

/// How much text is looked at, in bytes.
pub(super) const SAMPLE: usize = 64 * 1024;
/// How many records of it are looked at.
pub(super) const RECORDS: usize = 500;

/// A layout and where the rows start.
pub(super) struct Detected {
    pub(super) layout: Layout,
    /// The length of what stands before the first row: byte order mark, count line, header.
    pub(super) body_start: usize,
}

/// The text to look at, without byte order mark and count line, in whole lines.
pub(super) struct Sample<'text> {
    pub(super) text: &'text [u8],
    /// Its start in the input.
    pub(super) start: usize,
    /// Its physical line, from 1.
    pub(super) first_line: u64,
    pub(super) is_all: bool,
}

/// Finds the layout of the first input.
pub(super) fn detect(
    input: &Input,
    text: &[u8],
    is_all: bool,
    options: &Options,
) -> Result<Detected, SourceError> {
    if let Some(delimiter) = options.delimiter.filter(|byte| matches!(byte, b'"' | b'\n' | b'\r')) {
        return Err(SourceError::Delimiter { delimiter: char::from(delimiter) });
    }
    let sample = Sample::of(input, text, is_all, options)?;
    let tables = tables(&sample, options);
    match options.format {
        Some(InputFormat::Csv) => csv_layout(input, &sample, best_table(&tables), options),
        Some(format) => Ok(plain_layout(&sample, format)),
        None => match guess(&sample, &tables, options) {
            Some(Guess::Csv(table)) => csv_layout(input, &sample, table, options),
            Some(Guess::Plain(format)) => Ok(plain_layout(&sample, format)),
            None => Err(unknown(input, &sample)),
        },
    }
}

/// Checks that a later input has the layout of the first, and finds where its rows start.
pub(super) fn check_later(
    input: &Input,
    text: &[u8],
    is_all: bool,
    options: &Options,
    layout: &Layout,
    first: &Input,
) -> Result<usize, SourceError> {
    let sample = Sample::of(input, text, is_all, options)?;
    let differs = |found: String, wanted: String| {
        Err(SourceError::OtherLayout { input: input.clone(), first: first.clone(), found, wanted })
    };
    let Some(delimiter) = layout.delimiter else {
        let fits = match layout.format.grammar() {
            _ if options.format.is_some() => true,
            Grammar::Lines => line_puzzles(&sample).next().is_some(),
            Grammar::Grids | Grammar::Csv => grid_format(&sample).is_some(),
        };
        return match guess(&sample, &tables(&sample, options), options) {
            _ if fits => Ok(sample.start),
            Some(guess) => differs(guess.format().name().into(), layout.format.name().into()),
            None => Err(unknown(input, &sample)),
        };
    };
    check_columns(&sample, &Table::of(&sample, delimiter), options, layout)
        .or_else(|(found, wanted)| differs(found, wanted))
}

/// Where the rows of a later CSV input start; where it has other columns than the first, what both have.
fn check_columns(
    sample: &Sample<'_>,
    table: &Table<'_>,
    options: &Options,
    layout: &Layout,
) -> Result<usize, (String, String)> {
    let names = |names: &mut dyn Iterator<Item = &[u8]>| {
        let names: Vec<String> = names.map(columns::start_of).collect();
        format!("columns `{}`", names.join(&char::from(table.delimiter).to_string()))
    };
    let empty = Record::new();
    let record = table.records.first().unwrap_or(&empty);
    let fields = || record.iter().map(|field| &**field);
    match &layout.header {
        Some(header) if fields().eq(header.iter().map(Vec::as_slice)) => {
            Ok(sample.start + table.first.as_ref().map_or(0, |line| line.next))
        }
        Some(header) => Err((names(&mut fields()), names(&mut header.iter().map(Vec::as_slice)))),
        None if table.has_header(options) || table.width() != layout.columns => {
            Err((names(&mut fields()), format!("{} columns without a header", layout.columns)))
        }
        None => Ok(sample.start),
    }
}

impl<'text> Sample<'text> {
    fn of(
        input: &Input,
        text: &'text [u8],
        is_all: bool,
        options: &Options,
    ) -> Result<Sample<'text>, SourceError> {
        if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
            return Err(SourceError::Utf16 { input: input.clone() });
        }
        let mut start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        if text.len() == start {
            return Err(SourceError::Empty { input: input.clone() });
        }
        let end = if is_all { text.len() } else { start + lines::last_line_end(&text[start..]) };
        if end == start && options.format.is_none() {
            return Err(SourceError::NoLineEnd { input: input.clone() });
        }
        let mut first_line = 1;
        if let Some(count) = lines::count_line(&text[start..end], options) {
            start += count.next;
            first_line += 1;
        }
        Ok(Sample { text: &text[start..end], start, first_line, is_all })
    }
}

enum Guess<'a, 'text> {
    Csv(&'a Table<'text>),
    Plain(InputFormat),
}

impl Guess<'_, '_> {
    fn format(&self) -> InputFormat {
        match self {
            Guess::Csv(_) => InputFormat::Csv,
            Guess::Plain(format) => *format,
        }
    }
}

/// The format by content.
fn guess<'a, 'text>(
    sample: &Sample<'text>,
    tables: &'a [Table<'text>],
    options: &Options,
) -> Option<Guess<'a, 'text>> {
    let line_hits = line_puzzles(sample).count();
    let table = best_table(tables);
    let table_hits = table.hits();
    let is_named = table.is_named() && options.header != Some(false);
    // A lone word such as `Sudoku` may as well be a title over grids.
    let names_columns = is_named && (table.width() > 1 || table.records.len() == 1 || line_hits > 0);
    // Words behind a puzzle are a comment, unless every row has as many of them.
    let beats_lines = table_hits >= line_hits && (table.delimiter != b'\t' || table.is_even());
    if names_columns || (table_hits > 0 && table.width() > 1 && beats_lines) {
        return Some(Guess::Csv(table));
    }
    if line_hits > 0 {
        return Some(Guess::Plain(InputFormat::Lines));
    }
    grid_format(sample).map(Guess::Plain)
}

/// Which of the formats of nine lines the sample has, if any.
fn grid_format(sample: &Sample<'_>) -> Option<InputFormat> {
    let mut at = 0;
    while let Walked::Record(record) = grid::next_grid(sample.text, at, sample.is_all) {
        let text = &sample.text[record.text];
        at = record.next;
        if drawing::puzzle_of(text).is_err() {
            continue;
        }
        let has_tags =
            sample.text.split(|&byte| byte == b'\n').any(|line| matches!(line.first(), Some(b'#' | b'[')));
        return Some(match () {
            () if has_tags => InputFormat::Sdk,
            () if drawing::is_plain(text, Some(b' ')) => InputFormat::Boj2580,
            () if drawing::is_plain(text, None) => InputFormat::Boj2239,
            () => InputFormat::Grid,
        });
    }
    None
}

fn unknown(input: &Input, sample: &Sample<'_>) -> SourceError {
    let before = sample.text.len() - sample.text.trim_ascii_start().len();
    let first = lines::line_at(sample.text, before);
    SourceError::UnknownFormat {
        input: input.clone(),
        line: sample.first_line + lines::count_line_ends(&sample.text[..before]),
        text: columns::start_of(&sample.text[first.text]),
    }
}

fn csv_layout(
    input: &Input,
    sample: &Sample<'_>,
    table: &Table<'_>,
    options: &Options,
) -> Result<Detected, SourceError> {
    let has_header = table.has_header(options);
    let (header, records) = table.records.split_at(usize::from(has_header));
    let header = header.first();
    let columns = header.map_or(table.width(), Vec::len);
    let chosen = columns::choose(input, header, records, columns, options)?;
    let mut layout = Layout::of(InputFormat::Csv);
    let mut body_start = sample.start;
    if let (Some(header), Some(line)) = (header, &table.first) {
        layout.header = Some(header.iter().map(|name| name.to_vec()).collect());
        layout.header_text = sample.text[line.text.clone()].to_vec();
        body_start += line.next;
    }
    layout.delimiter = Some(table.delimiter);
    layout.columns = columns;
    layout.puzzle_column = chosen.puzzle;
    layout.solution_column = chosen.solution;
    Ok(Detected { layout, body_start })
}

fn plain_layout(sample: &Sample<'_>, format: InputFormat) -> Detected {
    let mut layout = Layout::of(format);
    if format.grammar() == Grammar::Lines {
        for (text, puzzle) in line_puzzles(sample) {
            layout.has_label |= puzzle.start > 0 && !text[..puzzle.start].trim_ascii().is_empty();
            layout.has_comment |= !text[puzzle.end..].trim_ascii().is_empty();
        }
    }
    Detected { layout, body_start: sample.start }
}

/// The lines that hold a puzzle, and where in them.
fn line_puzzles<'text>(
    sample: &Sample<'text>,
) -> impl Iterator<Item = (&'text [u8], std::ops::Range<usize>)> {
    let text = sample.text;
    let mut at = 0;
    let lines = std::iter::from_fn(move || {
        let line = (at < text.len()).then(|| lines::line_at(text, at))?;
        at = line.next;
        Some(&text[line.text])
    });
    lines.filter(|line| lines::is_row(line)).take(RECORDS).filter_map(|line| {
        let puzzle = lines::find_puzzle(line);
        Puzzle::from_text(&line[puzzle.clone()]).is_ok().then_some((line, puzzle))
    })
}
