//! Detects the layout of an input from the start of its text.
//!
//! ```text
//! text    = byte order mark? count line? body
//! jsonl   the body starts with `{`, and some line is a JSON object
//! csv     otherwise, the first record names a puzzle's column, or most rows with a puzzle have the puzzle in a column of its own
//! lines   otherwise, one of the first three words of some line is a puzzle; csv if an option names a delimiter, a header or a column
//! grids   otherwise, some run of lines makes up a grid
//! ```

use std::borrow::Cow;
use std::ops::Range;

use sudobench_sudoku::puzzle::{CELLS, value_of_byte};

use super::columns::{self, Record};
use super::csv::{self, CsvHeader, CsvLayout};
use super::error::SourceError;
use super::fault::RowFault;
use super::format::{InputFormat, InputKind};
use super::grid;
use super::input::Input;
use super::jsonl::{self, JsonlLayout, Member};
use super::layout::Layout;
use super::lines::{self, LinesLayout};
use super::options::Options;
use super::refused;
use super::spreadsheet::read_puzzle;
use super::text::{self, Line, line_at};

/// Number of bytes at the start of a text that decide its layout.
pub(super) const SAMPLE: usize = 64 * 1024;
/// Largest number of records that are examined to detect the layout.
const RECORDS: usize = 500;

/// A layout, and the start of the rows.
pub(super) struct Detected {
    pub(super) layout: Layout,
    /// Length of the text before the first row: byte order mark, count line, header.
    pub(super) body_start: usize,
}

/// The text to examine, without byte order mark and count line.
struct Sample<'text> {
    input: &'text Input,
    options: &'text Options,
    /// The complete lines of the text.
    text: &'text [u8],
    /// The complete lines, and the incomplete line after them. A `\r` at the end of `text` may be the first half of `\r\n`. The byte after
    /// it, which is only in this field, decides.
    with_rest: &'text [u8],
    /// Position of the text in the input.
    start: usize,
    /// Number of the first physical line of the text, from 1.
    first_line: u64,
    is_all: bool,
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
    let sample = match Sample::new(input, text, is_all, options) {
        Err(SourceError::Empty { .. }) if options.accepts_empty => return empty(input, text, options),
        sample => sample?,
    };
    let table = Table::best(&sample);
    let Some(format) = options.format.or_else(|| guess(&table)) else {
        refused::refuse_json(input, sample.text)?;
        return Err(unknown(&sample));
    };
    let (layout, header_length) = match format.kind {
        InputKind::Csv => {
            let layout = csv_layout(&table)?;
            let header_length = if layout.header.is_some() { table.first_length() } else { 0 };
            (Layout::Csv(layout), header_length)
        }
        InputKind::Jsonl => (Layout::Jsonl(jsonl_layout(&sample)?), 0),
        InputKind::Lines => (Layout::Lines(lines_layout(&sample, format)), 0),
        InputKind::Grids => (Layout::Grids(format), 0),
        InputKind::Typed => {
            let is = format!("not {}", format.magic_name().unwrap_or_default());
            return Err(SourceError::OtherFormat { input: input.clone(), is, asked: format.name() });
        }
    };
    Ok(Detected { layout, body_start: sample.start + header_length })
}

/// Returns the layout of an empty input.
fn empty(input: &Input, text: &[u8], options: &Options) -> Result<Detected, SourceError> {
    let format = options.format.unwrap_or(InputFormat::LINES);
    let layout = match format.kind {
        InputKind::Lines => Layout::Lines(LinesLayout::new(format, options)),
        InputKind::Grids => Layout::Grids(format),
        _ => return Err(SourceError::Empty { input: input.clone() }),
    };
    Ok(Detected { layout, body_start: text.len() })
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
    let sample = Sample::new(input, text, is_all, options)?;
    let differs = |found: String, wanted: String| {
        Err(SourceError::OtherLayout { input: input.clone(), first: first.clone(), found, wanted })
    };
    let fits = match layout {
        Layout::Csv(layout) => {
            let table = Table::new(&sample, layout.delimiter);
            return check_columns(&table, layout).or_else(|(found, wanted)| differs(found, wanted));
        }
        Layout::Jsonl(layout) => {
            let puzzle = &layout.names[layout.puzzle_member];
            let names = names_of(&objects(&sample));
            if !names.is_empty() && !names.contains(puzzle) {
                return differs(format!("members `{}`", names.join(", ")), format!("a member `{puzzle}`"));
            }
            options.format.is_some() || !names.is_empty()
        }
        Layout::Lines(_) | Layout::Grids(_) if options.format.is_some() => true,
        Layout::Lines(_) => line_puzzles(&sample).next().is_some(),
        Layout::Grids(_) => grid_format(&sample).is_some(),
        Layout::Typed(_) => false,
    };
    if fits {
        return Ok(sample.start);
    }
    match guess(&Table::best(&sample)) {
        Some(format) => differs(format.name().into(), layout.format().name().into()),
        None => Err(unknown(&sample)),
    }
}

/// Adds columns to the layout if a later input needs them: for text around its puzzles, or for new members of its JSON objects.
pub(super) fn widen(
    layout: &mut Layout,
    input: &Input,
    text: &[u8],
    is_all: bool,
    options: &Options,
) -> Result<(), SourceError> {
    if let Layout::Jsonl(layout) = layout {
        let later = names_of(&objects(&Sample::new(input, text, is_all, options)?));
        let new: Vec<String> = later.into_iter().filter(|name| !layout.names.contains(name)).collect();
        layout.names.extend(new);
    }
    if let Layout::Lines(layout) = layout {
        let later = lines_layout(&Sample::new(input, text, is_all, options)?, layout.format);
        layout.has_label |= later.has_label;
        layout.has_comment |= later.has_comment;
    }
    Ok(())
}

/// Returns the start of the rows of a later CSV input. If its columns differ from those of the first input, the error names the columns of
/// both inputs.
fn check_columns(table: &Table<'_>, layout: &CsvLayout) -> Result<usize, (String, String)> {
    let start = table.sample.start;
    let names = |names: &mut dyn Iterator<Item = &[u8]>| {
        let names: Vec<String> = names.map(columns::start_of).collect();
        format!("columns `{}`", names.join(&char::from(table.delimiter).to_string()))
    };
    let empty = Record::new();
    let record = table.records.first().unwrap_or(&empty);
    let fields = || record.iter().map(|field| &**field);
    match &layout.header {
        Some(header) if fields().eq(header.names.iter().map(Vec::as_slice)) => {
            Ok(start + table.first_length())
        }
        Some(header) => Err((names(&mut fields()), names(&mut header.names.iter().map(Vec::as_slice)))),
        None if table.has_header() || table.width() != layout.columns => {
            Err((names(&mut fields()), format!("{} columns without a header", layout.columns)))
        }
        None => Ok(start),
    }
}

impl<'text> Sample<'text> {
    fn new(
        input: &'text Input,
        text: &'text [u8],
        is_all: bool,
        options: &'text Options,
    ) -> Result<Sample<'text>, SourceError> {
        if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
            return Err(SourceError::Utf16 { input: input.clone() });
        }
        refused::refuse(input, text)?;
        let mut start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        // An array without rows becomes an empty text, which is allowed.
        if text.len() == start && options.format != Some(InputFormat::NPY) {
            return Err(SourceError::Empty { input: input.clone() });
        }
        let end = if is_all { text.len() } else { start + text::last_line_end(&text[start..]) };
        if end == start && options.format.is_none() {
            return Err(SourceError::NoLineEnd { input: input.clone() });
        }
        let mut first_line = 1;
        if let Some(count) = count_line(&text[start..end], options) {
            start += count.next;
            first_line += 1;
        }
        let (text, with_rest) = (&text[start..end], &text[start..]);
        Ok(Sample { input, options, text, with_rest, start, first_line, is_all })
    }
}

/// Returns the first line if it is only a count of the puzzles: digits, but not a row of a grid.
fn count_line(bytes: &[u8], options: &Options) -> Option<Line> {
    let line = line_at(bytes, 0);
    let text = bytes[line.text.clone()].trim_ascii();
    let is_number = (1..=12).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    let has_no_count =
        [InputFormat::CSV, InputFormat::JSONL, InputFormat::NPY].map(Some).contains(&options.format);
    let could_be_grid_row = text.len() == 9 && {
        let second = line_at(bytes, line.next);
        bytes[second.text].trim_ascii().len() < CELLS
    };
    (is_number && !has_no_count && !could_be_grid_row && line.next < bytes.len()).then_some(line)
}

/// Detects the format by content. `table` is the table that explains its sample best.
fn guess(table: &Table<'_>) -> Option<InputFormat> {
    let sample = table.sample;
    let options = sample.options;
    if sample.text.trim_ascii_start().first() == Some(&b'{') && !objects(sample).is_empty() {
        return Some(InputFormat::JSONL);
    }
    let line_hits = line_puzzles(sample).count();
    let table_hits = table.hits();
    let is_named = table.is_named() && options.header != Some(false);
    // A single word such as `Sudoku` may also be a title above grids.
    let names_columns = is_named && (table.width() > 1 || table.records.len() == 1 || line_hits > 0);
    // Text after a TAB may be the comment of a line. So TAB separates columns only if every row has the same number of columns.
    let beats_lines = table_hits >= line_hits && (table.delimiter != b'\t' || table.is_even());
    if names_columns || (table_hits > 0 && table.width() > 1 && beats_lines) {
        return Some(InputFormat::CSV);
    }
    // These options describe a table, so an input for which the user gives one of them is read as CSV.
    let is_described = options.header == Some(true)
        || options.delimiter.is_some()
        || options.puzzle_column.is_some()
        || options.solution_column.is_some();
    if line_hits > 0 {
        return Some(if is_described { InputFormat::CSV } else { InputFormat::LINES });
    }
    grid_format(sample)
}

/// Returns the format of the sample, if it contains a puzzle as a grid of nine lines.
fn grid_format(sample: &Sample<'_>) -> Option<InputFormat> {
    let text = grids(sample).map(|range| &sample.text[range]).find(|text| grid::puzzle_of(text).is_ok())?;
    let has_tags =
        sample.text.split(|&byte| byte == b'\n').any(|line| matches!(line.first(), Some(b'#' | b'[')));
    Some(match () {
        () if has_tags => InputFormat::SDK,
        () if grid::is_plain(text, Some(b' ')) => InputFormat::BOJ2580,
        () if grid::is_plain(text, None) => InputFormat::BOJ2239,
        () => InputFormat::GRID,
    })
}

/// Returns the positions of the grids in the sample, including invalid ones.
fn grids(sample: &Sample<'_>) -> impl Iterator<Item = Range<usize>> {
    text::records(|at| grid::next_grid(sample.text, at, sample.is_all)).map(|record| record.text)
}

fn unknown(sample: &Sample<'_>) -> SourceError {
    let input = sample.input.clone();
    if let Some((at, fault)) = near_line(sample).or_else(|| near_grid(sample)) {
        let line = sample.first_line + text::count_line_ends(&sample.text[..at]);
        return SourceError::NoneWhole { input, line, fault };
    }
    let before = sample.text.len() - sample.text.trim_ascii_start().len();
    let first = line_at(sample.text, before);
    SourceError::UnknownFormat {
        input,
        line: sample.first_line + text::count_line_ends(&sample.text[..before]),
        text: columns::start_of(&sample.text[first.text]),
    }
}

/// Finds the first line with a word that may be meant as a puzzle, and returns its fault.
fn near_line(sample: &Sample<'_>) -> Option<(usize, RowFault)> {
    let is_border = |byte: &u8| byte.is_ascii_whitespace() || b",;:\"".contains(byte);
    let is_near = |word: &&[u8]| (CELLS / 2..CELLS * 3 / 2).contains(&word.len()) && looks_like_cells(word);
    text::lines(sample.text, 0).find_map(|line| {
        let mut words = sample.text[line.text.clone()].split(is_border).filter(is_near);
        let fault = words.find_map(|word| read_puzzle(word, sample.options.restore_zeros).err())?;
        Some((line.text.start, fault))
    })
}

/// Finds the first line that makes a grid invalid, and returns its fault.
fn near_grid(sample: &Sample<'_>) -> Option<(usize, RowFault)> {
    grids(sample).find_map(|range| {
        let text = &sample.text[range.clone()];
        let (fault, line) = grid::read_grid(text).err()?;
        grid::starts_like_grid(text).then_some((range.start + line, fault))
    })
}

fn csv_layout(table: &Table<'_>) -> Result<CsvLayout, SourceError> {
    let Sample { input, options, with_rest, .. } = table.sample;
    if options.header == Some(true) && table.records.is_empty() {
        return Err(SourceError::NoHeader { input: (*input).clone() });
    }
    let (header, records) = table.records.split_at(usize::from(table.has_header()));
    let header = header.first();
    let columns = header.map_or(table.width(), Vec::len);
    let chosen = columns::choose(input, header, records, columns, options)?;
    let header = header.zip(table.first.as_ref()).map(|(names, line)| CsvHeader {
        names: names.iter().map(|name| name.to_vec()).collect(),
        text: with_rest[line.text.clone()].to_vec(),
    });
    Ok(CsvLayout {
        delimiter: table.delimiter,
        header,
        columns,
        puzzle_column: chosen.puzzle,
        solution_column: chosen.solution,
        restores_zeros: options.restore_zeros,
    })
}

fn jsonl_layout(sample: &Sample<'_>) -> Result<JsonlLayout, SourceError> {
    let Sample { input, options, .. } = *sample;
    let objects = objects(sample);
    if objects.is_empty() {
        return Err(SourceError::NoObject { input: input.clone() });
    }
    let names = names_of(&objects);
    let field = |object: &[Member<'_>], name: &String| {
        let member = object.iter().find(|(other, _)| other == name);
        member.map_or(Cow::default(), |(_, value)| Cow::Owned(jsonl::sample_field(value).into_owned()))
    };
    let record = |object: &Vec<Member<'_>>| names.iter().map(|name| field(object, name)).collect();
    let records: Vec<Record<'_>> = objects.iter().map(record).collect();
    let header: Record<'_> = names.iter().map(|name| Cow::Borrowed(name.as_bytes())).collect();
    let chosen = columns::choose(input, Some(&header), &records, names.len(), options)?;
    let (puzzle_member, solution_member) = (chosen.puzzle, chosen.solution);
    Ok(JsonlLayout { names, puzzle_member, solution_member, restores_zeros: options.restore_zeros })
}

/// Returns the objects among the lines of the sample.
fn objects<'text>(sample: &Sample<'text>) -> Vec<Vec<Member<'text>>> {
    lines_of(sample).take(RECORDS).filter_map(|line| jsonl::members(line).ok()).collect()
}

/// Returns the names of all members of these objects, in the order of their first occurrence.
fn names_of(objects: &[Vec<Member<'_>>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in objects.iter().flatten() {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Returns the layout for lines in `format`. If a line of the sample has text before or after its puzzle, the layout has a column for
/// this text.
fn lines_layout(sample: &Sample<'_>, format: InputFormat) -> LinesLayout {
    let mut layout = LinesLayout::new(format, sample.options);
    for (text, puzzle) in line_puzzles(sample) {
        layout.has_label |= !text[..puzzle.start].trim_ascii().is_empty();
        layout.has_comment |= !text[puzzle.end..].trim_ascii().is_empty();
    }
    layout
}

/// Returns the lines that hold a puzzle, with the position of the puzzle.
fn line_puzzles<'text>(sample: &Sample<'text>) -> impl Iterator<Item = (&'text [u8], Range<usize>)> {
    let restores_zeros = sample.options.restore_zeros;
    let lines = lines_of(sample);
    lines.filter(|line| text::is_row(line)).take(RECORDS).filter_map(move |line| {
        let puzzle = lines::find_puzzle(line);
        read_puzzle(&line[puzzle.clone()], restores_zeros).is_ok().then_some((line, puzzle))
    })
}

fn lines_of<'text>(sample: &Sample<'text>) -> impl Iterator<Item = &'text [u8]> {
    let text = sample.text;
    text::lines(text, 0).map(|line| &text[line.text])
}

/// The sample as CSV with one delimiter.
struct Table<'text> {
    sample: &'text Sample<'text>,
    delimiter: u8,
    records: Vec<Record<'text>>,
    /// The range of the first record, and the position at which the search for the next record starts.
    first: Option<Line>,
}

impl<'text> Table<'text> {
    /// Returns the table for the delimiter that explains the sample best. If several delimiters are equally good, uses the first of them.
    fn best(sample: &'text Sample<'text>) -> Table<'text> {
        let rank = |table: &Table<'_>| (table.is_named(), table.hits(), table.width());
        if let Some(delimiter) = sample.options.delimiter {
            return Table::new(sample, delimiter);
        }
        let mut best = Table::new(sample, b',');
        for delimiter in [b'\t', b';'] {
            let table = Table::new(sample, delimiter);
            if rank(&table) > rank(&best) {
                best = table;
            }
        }
        best
    }

    fn new(sample: &'text Sample<'text>, delimiter: u8) -> Table<'text> {
        let text = sample.with_rest;
        let mut table = Table { sample, delimiter, records: Vec::new(), first: None };
        for record in text::records(|at| csv::next_record(text, at, sample.is_all, delimiter)).take(RECORDS) {
            table.records.push(csv::fields(&text[record.text.clone()], delimiter));
            table.first.get_or_insert(record);
        }
        table
    }

    /// Returns the position at which the search for the second record starts.
    fn first_length(&self) -> usize {
        self.first.as_ref().map_or(0, |record| record.next)
    }

    /// Returns the number of records that have several columns, one of them with a puzzle.
    fn hits(&self) -> usize {
        let is_puzzle = |field: &Cow<'_, [u8]>| columns::is_puzzle(field, self.sample.options.restore_zeros);
        let has_puzzle = |record: &&Record<'_>| record.len() > 1 && record.iter().any(is_puzzle);
        self.records.iter().filter(has_puzzle).count()
    }

    /// Returns whether the first record has a usual name of a puzzle column.
    fn is_named(&self) -> bool {
        self.records.first().is_some_and(columns::names_puzzle)
    }

    /// Returns the number of columns of the first record if it has a usual name of a puzzle column, otherwise the most frequent number of
    /// columns.
    fn width(&self) -> usize {
        if self.is_named() {
            return self.records[0].len();
        }
        let mut widths: Vec<usize> = self.records.iter().map(Vec::len).collect();
        widths.sort_unstable();
        let longest = widths.chunk_by(|a, b| a == b).max_by_key(|run| run.len());
        longest.map_or(1, |run| run[0])
    }

    /// Returns whether all records have the same number of columns.
    fn is_even(&self) -> bool {
        self.records.iter().all(|record| record.len() == self.records[0].len())
    }

    /// Returns whether the first record names the columns.
    ///
    /// The user's option decides first, then a usual name of a puzzle column in the record. Otherwise, a record with a text similar to a
    /// puzzle is a row, even if the record is malformed, and so is a record with fewer or more columns than the others.
    fn has_header(&self) -> bool {
        let Some(record) = self.records.first() else { return false };
        self.sample.options.header.unwrap_or_else(|| {
            self.is_named()
                || (record.len() == self.width() && !record.iter().any(|field| looks_like_cells(field)))
        })
    }
}

/// Returns whether a field may be meant as a puzzle: it is long and consists mostly of cells.
fn looks_like_cells(field: &[u8]) -> bool {
    let cells = field.iter().filter(|&&byte| value_of_byte(byte).is_some()).count();
    field.len() >= 20 && cells * 5 >= field.len() * 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_distinguished_from_a_row() {
        let is_count = |text: &str| count_line(text.as_bytes(), &Options::default()).is_some();
        let puzzle = ".".repeat(81);
        assert!(is_count(&format!("17\n{puzzle}\n")));
        assert!(is_count(&format!("123456789\n{puzzle}\n")));
        assert!(!is_count("123456789\n456789123\n"));
        assert!(!is_count("17"));
        assert!(!is_count(&format!("{}\n{puzzle}\n", "1".repeat(13))));
    }
}
