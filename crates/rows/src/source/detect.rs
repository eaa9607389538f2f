//! Detects the layout of an input from the start of its text.
//!
//! ```text
//! text    = byte order mark? count line? body
//! jsonl   the body starts with `{`, and some line is a JSON object
//! csv     otherwise, the first record is a header that names the column of puzzles, or one of several columns has the puzzles
//! lines   otherwise, one of the first three words of some line is a puzzle; but csv if an option names a delimiter, a header or a column
//! grids   otherwise, some run of lines makes up a grid
//! ```
//! Each format recognises its own texts: see [`TextReader`](super::TextReader).

use sudobench_sudoku::puzzle::CELLS;

use super::InputFormat;
use super::columns;
use super::error::SourceError;
use super::fault::RowFault;
use super::grid;
use super::input::Input;
use super::layout::Layout;
use super::options::Options;
use super::refused;
use super::sample::{Sample, looks_like_cells};
use super::spreadsheet::read_puzzle;
use super::text::{self, line_at};

pub(super) struct Detected {
    pub(super) layout: Layout,
    /// Length of the text before the first row: byte order mark, count line, header.
    pub(super) body_start: usize,
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
    let found = match options.format {
        Some(format) => {
            let reader = format.reader.ok_or_else(|| {
                let is = format!("not {}", format.magic_name().unwrap_or_default());
                SourceError::OtherFormat { input: input.clone(), is, asked: format.name() }
            })?;
            (reader.find)(&sample)?
        }
        None => recognise(&sample).map(|(_, found)| found).transpose()?,
    };
    let Some((layout, header_length)) = found else {
        refused::refuse_json(input, sample.text, false)?;
        return Err(unknown(&sample));
    };
    Ok(Detected { layout, body_start: sample.start + header_length })
}

fn empty(input: &Input, text: &[u8], options: &Options) -> Result<Detected, SourceError> {
    let format = options.format.unwrap_or(InputFormat::LINES);
    let empty = format.reader.and_then(|reader| reader.empty);
    let layout = empty.ok_or_else(|| SourceError::Empty { input: input.clone() })?(format, options);
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
    let (found, wanted) = match layout.rows().start_of_later(&sample) {
        Ok(Some(start)) => return Ok(sample.start + start),
        Ok(None) => match recognise(&sample) {
            Some((format, _)) => (format.name().into(), layout.format().name().into()),
            None => return Err(unknown(&sample)),
        },
        Err(difference) => difference,
    };
    Err(SourceError::OtherLayout { input: input.clone(), first: first.clone(), found, wanted })
}

/// Adds columns to the layout if a later input needs them: for text around its puzzles, or for new members of its JSON objects.
pub(super) fn widen(
    layout: &mut Layout,
    input: &Input,
    text: &[u8],
    is_all: bool,
    options: &Options,
) -> Result<(), SourceError> {
    if let Some(wider) = layout.rows().widened(&Sample::new(input, text, is_all, options)?) {
        *layout = wider;
    }
    Ok(())
}

/// A layout, and the length of the text before the first row.
type Found = Result<(Layout, usize), SourceError>;

/// Finds the format that recognises the text, and the layout.
fn recognise(sample: &Sample<'_>) -> Option<(InputFormat, Found)> {
    let texts = InputFormat::all().filter(|format| format.magic.is_none());
    let mut readers: Vec<_> = texts.filter_map(|format| Some((format, format.reader?))).collect();
    readers.sort_by_key(|(_, reader)| reader.order);
    readers.into_iter().find_map(|(format, reader)| {
        let found = (reader.find)(sample).transpose()?;
        Some((found.as_ref().map_or(format, |(layout, _)| layout.format()), found))
    })
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

/// Finds the first line with an invalid word that may be meant as a puzzle. Returns the start of the line and the fault of the word.
fn near_line(sample: &Sample<'_>) -> Option<(usize, RowFault)> {
    let is_border = |byte: &u8| byte.is_ascii_whitespace() || b",;:\"".contains(byte);
    let is_near = |word: &&[u8]| (CELLS / 2..CELLS * 3 / 2).contains(&word.len()) && looks_like_cells(word);
    text::lines(sample.text, 0).find_map(|line| {
        let mut words = sample.text[line.text.clone()].split(is_border).filter(is_near);
        let fault = words.find_map(|word| read_puzzle(word, sample.options.restore_zeros).err())?;
        Some((line.text.start, fault))
    })
}

/// Finds the first invalid grid whose first line has about nine cells. Returns the start of its faulty line, and the fault.
fn near_grid(sample: &Sample<'_>) -> Option<(usize, RowFault)> {
    grid::grids(sample).find_map(|range| {
        let text = &sample.text[range.clone()];
        let (fault, line) = grid::read_grid(text).err()?;
        grid::starts_like_grid(text).then_some((range.start + line, fault))
    })
}
