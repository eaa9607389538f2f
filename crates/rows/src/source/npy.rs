//! NumPy arrays, as text.
//!
//! ```text
//! file    = magic version length header values          numpy.lib.format, versions 1 to 3
//! header  = {'descr': '|u1', 'fortran_order': False, 'shape': (1000, 81), }
//! row     = 81 whole numbers | 9 rows of 9 whole numbers | a text of 81 characters
//! ```
//! Each row becomes a line, so that the reader of lines also reads arrays: row 0 is line 1. A row that isn't a puzzle
//! becomes a line of JSON that allows a precise message: the array of its numbers, or its text in quotes.

use std::io::{self, Cursor, Read, Write as _};

use sudobench_sudoku::puzzle::{CELLS, Puzzle};

use super::format::{InputSpec, Magic, TextReader};
use super::input::Input;
use super::lines;

pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// The properties of the format. The rows of an array become lines.
pub(super) const NPY: InputSpec = InputSpec {
    magic: Some(Magic { bytes: MAGIC, is: "a NumPy array" }),
    ..InputSpec::text("npy", TextReader { may_have_count: false, ..lines::READER })
};

/// Maximum length of a header, in bytes. The headers that `numpy` writes for supported arrays have about 100 bytes.
const MAX_HEADER: u32 = 64 * 1024;
/// Largest text in an array, in characters: far longer than a puzzle.
const MAX_WIDTH: usize = 1024;
/// Approximate number of bytes of a read.
const PIECE: usize = 64 * 1024;

#[derive(Debug, thiserror::Error)]
pub(super) enum ArrayError {
    #[error(transparent)]
    Read(#[from] io::Error),
    /// An array of another kind. `is` names the kind, such as `of type "<f8"`. `remedy` is a Python expression that converts the array `a`.
    #[error("sudobench does not read arrays {is}; convert the array with")]
    Other { is: String, remedy: &'static str },
    /// The input starts like an array, but its header is invalid or not supported.
    #[error("its header {0}")]
    Header(&'static str),
}

impl ArrayError {
    /// Returns the remedy: the command that converts the input, or other advice.
    pub(super) fn remedy(&self, input: &Input) -> String {
        let file = input.argument();
        match self {
            ArrayError::Other { is, remedy } => {
                // Objects of Python are stored as a pickle, which may run any code. `numpy.load` reads a pickle only if this is allowed.
                let pickles = if is.contains(OBJECTS) { ", allow_pickle=True" } else { "" };
                format!(
                    "`python3 -c \"import numpy, sys; a = numpy.load(sys.argv[1]{pickles}); numpy.save('puzzles.npy', {remedy})\" {file}`"
                )
            }
            _ => "download or create the file again".to_owned(),
        }
    }
}

/// The data of an array is longer or shorter than stated in its header.
#[derive(Debug, thiserror::Error)]
pub(super) enum WrongLength {
    #[error("the array should have {rows} rows, but its data has only {row} complete rows")]
    Short { rows: u64, row: u64 },
    #[error(
        "the array has {rows} rows, but the file has more data after them: if it is a second array, \
         store it in its own file"
    )]
    Long { rows: u64 },
}

const OBJECTS: &str = "Python objects";
const AS_NUMBERS: &str = "numpy.ascontiguousarray(a.reshape(-1, 81).astype(numpy.uint8))";
const AS_TEXTS: &str = "a.ravel().astype('S81')";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    /// Integers of this number of bytes, 81 per row.
    Numbers { size: usize, is_signed: bool, is_big_endian: bool },
    /// Texts of this number of bytes, padded with zero bytes.
    Bytes { width: usize },
    /// Texts of this number of four-byte characters, padded with U+0000.
    Characters { width: usize, is_big_endian: bool },
}

impl Values {
    /// Parses a `descr` such as `<i8`.
    fn parse(descr: &str) -> Option<Values> {
        let is_big_endian = descr.starts_with('>');
        let kind = descr.strip_prefix(['<', '>', '|'])?;
        let size: usize = kind.get(1..)?.parse().ok()?;
        let is_text = (1..=MAX_WIDTH).contains(&size);
        match kind.as_bytes().first()? {
            letter @ (b'u' | b'i') if matches!(size, 1 | 2 | 4 | 8) => {
                Some(Values::Numbers { size, is_signed: *letter == b'i', is_big_endian })
            }
            b'S' if is_text => Some(Values::Bytes { width: size }),
            b'U' if is_text => Some(Values::Characters { width: size, is_big_endian }),
            _ => None,
        }
    }

    fn row_length(self) -> usize {
        match self {
            Values::Numbers { size, .. } => CELLS * size,
            Values::Bytes { width } => width,
            Values::Characters { width, .. } => 4 * width,
        }
    }

    fn push_line(self, row: &[u8], lines: &mut Vec<u8>) {
        match self {
            Values::Numbers { size: 1, .. } => push_numbers::<1>(self, row, lines),
            Values::Numbers { size: 2, .. } => push_numbers::<2>(self, row, lines),
            Values::Numbers { size: 4, .. } => push_numbers::<4>(self, row, lines),
            Values::Numbers { .. } => push_numbers::<8>(self, row, lines),
            Values::Bytes { .. } => push_text(&String::from_utf8_lossy(row), lines),
            Values::Characters { is_big_endian, .. } => {
                let code = if is_big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
                let character = |&bytes| char::from_u32(code(bytes)).unwrap_or(char::REPLACEMENT_CHARACTER);
                push_text(&row.as_chunks().0.iter().map(character).collect::<String>(), lines);
            }
        }
        lines.push(b'\n');
    }
}

/// Appends 81 numbers as digits. If a number isn't from 0 to 9, appends a JSON array of the numbers instead.
#[inline]
fn push_numbers<const SIZE: usize>(values: Values, row: &[u8], lines: &mut Vec<u8>) {
    let Values::Numbers { is_signed, is_big_endian, .. } = values else { return };
    let numbers = row.as_chunks::<SIZE>().0;
    let place = if is_big_endian { SIZE - 1 } else { 0 };
    // The loops over all numbers have no early exit, so that the compiler can vectorize them.
    let mut are_cells = true;
    for number in numbers {
        let rest =
            number.iter().enumerate().filter(|(at, _)| *at != place).fold(0, |rest, (_, byte)| rest | byte);
        are_cells &= (rest == 0) & (number[place] <= 9);
    }
    if are_cells {
        return lines.extend(numbers.iter().map(|number| number[place] + b'0'));
    }
    for (cell, number) in numbers.iter().enumerate() {
        lines.push(if cell == 0 { b'[' } else { b',' });
        let push = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        let bits =
            if is_big_endian { number.iter().fold(0, push) } else { number.iter().rev().fold(0, push) };
        // A shift by this number of bits moves the sign bit of the number to the sign bit of 64 bits.
        let unused = 64 - 8 * SIZE;
        // Writing to a Vec does not fail.
        let _ = match is_signed {
            true => write!(lines, "{}", (bits << unused).cast_signed() >> unused),
            false => write!(lines, "{bits}"),
        };
    }
    lines.push(b']');
}

/// Appends a text. If it is a puzzle, leaves out the white space around it; otherwise puts it in quotes.
fn push_text(text: &str, lines: &mut Vec<u8>) {
    let text = text.trim_end_matches('\0');
    let trimmed = text.trim_ascii();
    match Puzzle::from_text(trimmed.as_bytes()) {
        Ok(_) => lines.extend_from_slice(trimmed.as_bytes()),
        Err(_) => lines.extend_from_slice(serde_json::Value::from(text).to_string().as_bytes()),
    }
}

/// Reads an array as text, with a line for each row.
pub(super) struct ArrayText<R> {
    array: R,
    values: Values,
    rows: u64,
    read: u64,
    piece: Vec<u8>,
    lines: Cursor<Vec<u8>>,
    /// The error that ended the reading of the array. It is stored here until the rows that were read completely are returned.
    failure: Option<io::Error>,
}

impl<R: Read> ArrayText<R> {
    /// Reads an array's header, after the [magic bytes](MAGIC).
    pub(super) fn open(mut array: R) -> Result<ArrayText<R>, ArrayError> {
        let header = read_header(&mut array)?;
        let (values, rows) = header.values()?;
        let (piece, lines) = (Vec::new(), Cursor::default());
        Ok(ArrayText { array, values, rows, read: 0, piece, lines, failure: None })
    }

    /// Makes lines from the next rows. After the last row, makes no lines.
    fn fill(&mut self) -> io::Result<()> {
        self.lines.get_mut().clear();
        self.lines.set_position(0);
        self.failure.take().map_or(Ok(()), Err)?;
        let left = self.rows - self.read;
        if left == 0 {
            return match self.array.by_ref().take(1).read_to_end(&mut self.piece)? {
                0 => Ok(()),
                _ => Err(io::Error::new(io::ErrorKind::InvalidData, WrongLength::Long { rows: self.rows })),
            };
        }
        let length = self.values.row_length();
        let rows = left.min((PIECE / length).max(1) as u64) as usize;
        self.piece.clear();
        let wanted = rows * length;
        match self.array.by_ref().take(wanted as u64).read_to_end(&mut self.piece) {
            Ok(found) if found == wanted => {}
            Ok(found) => {
                let row = self.read + (found / length) as u64;
                let short = WrongLength::Short { rows: self.rows, row };
                self.failure = Some(io::Error::new(io::ErrorKind::UnexpectedEof, short));
            }
            Err(failure) => self.failure = Some(failure),
        }
        for row in self.piece.chunks_exact(length) {
            self.values.push_line(row, self.lines.get_mut());
            self.read += 1;
        }
        self.piece.clear();
        // Complete rows are returned before the error.
        if self.lines.get_ref().is_empty() { self.failure.take().map_or(Ok(()), Err) } else { Ok(()) }
    }
}

impl<R: Read> Read for ArrayText<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.lines.position() == self.lines.get_ref().len() as u64 {
            self.fill()?;
        }
        self.lines.read(buffer)
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Header {
    /// The type of the values; `None` if it isn't a simple type.
    descr: Option<String>,
    fortran_order: bool,
    shape: Vec<u64>,
}

impl Header {
    fn values(&self) -> Result<(Values, u64), ArrayError> {
        let other = |is: String, remedy| Err(ArrayError::Other { is, remedy });
        let Some(descr) = &self.descr else {
            return other("of records".to_owned(), "a['NAME']");
        };
        let Some(values) = Values::parse(descr) else {
            // Arrays of Python objects mostly contain texts.
            if descr.ends_with('O') {
                return other(format!("of {OBJECTS}"), AS_TEXTS);
            }
            return other(format!("of type {:?}", shown(descr)), AS_NUMBERS);
        };
        let is_text = !matches!(values, Values::Numbers { .. });
        let remedy = if is_text { AS_TEXTS } else { AS_NUMBERS };
        if self.fortran_order {
            return other("in Fortran order".to_owned(), remedy);
        }
        match (&self.shape[..], is_text) {
            (&[rows], true) | (&[rows, 81] | &[rows, 9, 9], false) => Ok((values, rows)),
            (shape, _) => other(format!("of shape {}", shape_in_python(shape)), remedy),
        }
    }
}

/// Returns the start of the name of a type, because the name may be a text of any length.
fn shown(descr: &str) -> String {
    descr.chars().take(20).collect()
}

fn shape_in_python(shape: &[u64]) -> String {
    let lengths: Vec<String> = shape.iter().map(u64::to_string).collect();
    format!("({}{})", lengths.join(", "), if lengths.len() == 1 { "," } else { "" })
}

fn read_header(array: &mut impl Read) -> Result<Header, ArrayError> {
    let length = match read_bytes(array)? {
        [1, _] => u32::from(u16::from_le_bytes(read_bytes(array)?)),
        [2 | 3, _] => u32::from_le_bytes(read_bytes(array)?),
        _ => return Err(ArrayError::Header("is of a version other than 1, 2 and 3")),
    };
    if length > MAX_HEADER {
        return Err(ArrayError::Header("is longer than 64 KiB"));
    }
    let mut header = vec![0; length as usize];
    read_all(array, &mut header)?;
    let header = str::from_utf8(&header).ok().and_then(parse_header);
    header.ok_or(ArrayError::Header("is not what numpy writes"))
}

fn read_bytes<const COUNT: usize>(array: &mut impl Read) -> Result<[u8; COUNT], ArrayError> {
    let mut bytes = [0; COUNT];
    read_all(array, &mut bytes).map(|()| bytes)
}

fn read_all(array: &mut impl Read, buffer: &mut [u8]) -> Result<(), ArrayError> {
    array.read_exact(buffer).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => ArrayError::Header("is cut short"),
        _ => ArrayError::Read(error),
    })
}

/// Parses the dictionary of a header, in Python's notation.
fn parse_header(text: &str) -> Option<Header> {
    let mut scanner = Scanner { rest: text };
    let (mut descr, mut fortran_order, mut shape) = (None, None, None);
    scanner.eat("{")?;
    while scanner.eat("}").is_none() {
        let key = scanner.text()?;
        scanner.eat(":")?;
        match key {
            "descr" => {
                descr = Some(scanner.text().map(str::to_owned));
                if descr == Some(None) {
                    // If `descr` is a list of fields, the array is refused, so the other keys do not matter.
                    return Some(Header { descr: None, fortran_order: false, shape: Vec::new() });
                }
            }
            "fortran_order" => fortran_order = Some(scanner.truth()?),
            "shape" => shape = Some(scanner.lengths()?),
            _ => return None,
        }
        if scanner.eat(",").is_none() {
            scanner.eat("}")?;
            break;
        }
    }
    let is_end = scanner.rest.trim_ascii().is_empty();
    let header = Header { descr: descr?, fortran_order: fortran_order?, shape: shape? };
    is_end.then_some(header)
}

struct Scanner<'t> {
    rest: &'t str,
}

impl<'t> Scanner<'t> {
    /// Skips white space and `word`. Returns `None` and skips nothing if the remaining text does not continue in this way.
    fn eat(&mut self, word: &str) -> Option<()> {
        self.rest = self.rest.trim_ascii_start().strip_prefix(word)?;
        Some(())
    }

    /// Reads a text in quotes. Escapes are not supported.
    fn text(&mut self) -> Option<&'t str> {
        let start = self.rest.trim_ascii_start();
        let quote = start.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
        let (text, rest) = start[1..].split_once(quote)?;
        self.rest = rest;
        Some(text)
    }

    fn truth(&mut self) -> Option<bool> {
        self.eat("True").map(|()| true).or_else(|| self.eat("False").map(|()| false))
    }

    /// Reads a tuple of lengths. Python 2 writes an `L` after each.
    fn lengths(&mut self) -> Option<Vec<u64>> {
        let mut lengths = Vec::new();
        self.eat("(")?;
        while self.eat(")").is_none() {
            let start = self.rest.trim_ascii_start();
            let end = start.find(|next: char| !next.is_ascii_digit()).unwrap_or(start.len());
            lengths.push(start[..end].parse().ok()?);
            self.rest = &start[end..];
            let _ = self.eat("L");
            if self.eat(",").is_none() {
                self.eat(")")?;
                break;
            }
        }
        Some(lengths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn header(descr: &str, fortran_order: bool, shape: &[u64]) -> Header {
        Header { descr: Some(descr.to_owned()), fortran_order, shape: shape.to_vec() }
    }

    #[test]
    fn headers_of_python_are_parsed() {
        for (text, wanted) in [
            (
                "{'descr': '|u1', 'fortran_order': False, 'shape': (1000, 81), }    \n",
                header("|u1", false, &[1000, 81]),
            ),
            (
                "{\"shape\":(2L,9L,9L),\"descr\":\"<i8\",\"fortran_order\":True}",
                header("<i8", true, &[2, 9, 9]),
            ),
            ("{'descr': '<U81', 'fortran_order': False, 'shape': (7,), }", header("<U81", false, &[7])),
            ("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", header("<f8", false, &[])),
        ] {
            assert_eq!(parse_header(text), Some(wanted), "{text}");
        }
        let records =
            parse_header("{'descr': [('a', '<i4'), ('b', '|S81')], 'fortran_order': False, 'shape': (3,), }");
        assert_eq!(records.and_then(|header| header.descr), None);
        for text in [
            "",
            "{",
            "{}",
            "{'descr': '|u1', 'fortran_order': False}",
            "{'descr': '|u1', 'fortran_order': 0, 'shape': (1, 81)}",
            "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 81)} x",
            "{'descr': '|u1', 'fortran_order': False, 'shape': (1 81)}",
            "{'descr': '|u1', 'fortran_order': False, 'shape': (-1, 81)}",
            "{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999999999999, 81)}",
            "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 81), 'more': 1}",
            "{'descr: '|u1'",
            "{'é",
        ] {
            assert_eq!(parse_header(text), None, "{text}");
        }
    }

    #[test]
    fn other_arrays_are_refused_with_a_conversion() {
        let refused =
            |descr: &str, fortran_order, shape: &[u64]| match header(descr, fortran_order, shape).values() {
                Err(ArrayError::Other { is, remedy }) => (is, remedy),
                other => panic!("{other:?}"),
            };
        assert_eq!(refused("<f8", false, &[3, 81]), ("of type \"<f8\"".to_owned(), AS_NUMBERS));
        assert_eq!(refused("|b1", false, &[3, 81]), ("of type \"|b1\"".to_owned(), AS_NUMBERS));
        assert_eq!(refused("|O", false, &[3]), ("of Python objects".to_owned(), AS_TEXTS));
        assert_eq!(refused("|u1", true, &[3, 81]), ("in Fortran order".to_owned(), AS_NUMBERS));
        assert_eq!(refused("|u1", false, &[81]), ("of shape (81,)".to_owned(), AS_NUMBERS));
        assert_eq!(refused("<i8", false, &[9, 9, 3]), ("of shape (9, 9, 3)".to_owned(), AS_NUMBERS));
        assert_eq!(refused("|S81", false, &[3, 1]), ("of shape (3, 1)".to_owned(), AS_TEXTS));
        for descr in ["", "u", "|u3", "|S0", "|S99999999", "<U", "<M8[ns]", "é"] {
            assert_eq!(Values::parse(descr), None, "{descr}");
        }
    }

    proptest! {
        #[test]
        fn no_header_panics(text in "[{}'\":(), a-zA-Z0-9|<é]{0,80}", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse_header(&text).map(|header| header.values().is_ok());
            let _ = ArrayText::open(&bytes[..]).map(|mut text| io::copy(&mut text, &mut io::sink()));
            let framed = [&[1, 0, text.len() as u8, 0], text.as_bytes(), &bytes].concat();
            let _ = ArrayText::open(&framed[..]).map(|mut text| io::copy(&mut text, &mut io::sink()));
        }
    }
}
