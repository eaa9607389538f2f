//! JSON lines: an object per line, whose members correspond to columns.
//!
//! ```text
//! puzzle    = a text of 81 characters | a number of 81 digits | 81 cells | 9 rows
//! row       = 9 cells | a text of 9 characters
//! cell      = a number 0 to 9 | null | a text of one character
//! ```
//! If an object has the same member twice, the last one counts, as in most JSON parsers. Blank lines are skipped. Any other line that isn't
//! an object, or whose object holds no puzzle, is a malformed row. Comments are not supported.
//!
//! A typical line has only integers and texts without escapes, in ASCII. This module splits such lines itself, which halved the time of
//! a run over easy puzzles. serde_json reads all other lines and reports their faults.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use memchr::memchr;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use sudobench_sudoku::puzzle::{CELLS, Puzzle, PuzzleError, Solution, value_of_byte};

use super::fault::RowFault;
use super::grid::read_text;
use super::parsed::{MAX_RECORD, ParsedBlock, RowRanges};
use super::spreadsheet::{ReadPuzzle, read_puzzle};
use super::text::line_at;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JsonlLayout {
    /// The member names that the objects at the start of the files have, in order of occurrence.
    pub(super) names: Vec<String>,
    /// Index in `names` of the member with the puzzle.
    pub(super) puzzle_member: usize,
    /// Index in `names` of the member with the expected solution; `None` if there is no such member.
    pub(super) solution_member: Option<usize>,
    /// See [`Options::restore_zeros`](super::Options::restore_zeros).
    pub(super) restores_zeros: bool,
}

/// A member of an object: its name and its raw value.
pub(super) type Member<'text> = (String, &'text RawValue);

impl JsonlLayout {
    /// Returns the value of each of the [names](JsonlLayout::names) in a row: a text without its quotes, any other value unchanged, and an
    /// empty text for `null` or a missing member. Returns `None` if the row isn't an object. Don't call this while rows are
    /// parsed, because it allocates memory.
    pub(super) fn fields<'text>(&self, text: &'text [u8]) -> Option<Vec<Cow<'text, [u8]>>> {
        let mut fields = vec![Cow::Borrowed(&b""[..]); self.names.len()];
        let mut next = 0;
        let mut take = |name: &[u8], value: &'text [u8]| {
            if let Some(place) = place_of(name, &self.names, &mut next) {
                fields[place] = field_of(value);
            }
        };
        if split_plain(text, &mut take).is_none() {
            for (name, value) in members(text).ok()? {
                take(name.as_bytes(), value.get().as_bytes());
            }
        }
        Some(fields)
    }

    pub(super) fn parse(&self, bytes: &[u8], first_line: u64, parsed: &mut ParsedBlock) {
        let (mut at, mut number) = (0, first_line);
        while at < bytes.len() {
            let line = line_at(bytes, at);
            if line.text.len() > MAX_RECORD && is_row(&bytes[line.text.clone()]) {
                parsed.push_overlong(line.text, number);
            } else {
                self.parse_line(bytes, line.text, number, parsed);
            }
            number += 1;
            at = line.next;
        }
    }

    #[inline]
    fn parse_line(&self, bytes: &[u8], text: Range<usize>, number: u64, parsed: &mut ParsedBlock) {
        let line = &bytes[text.clone()];
        let found = match self.find(line) {
            Ok(found) => found,
            Err(_) if !is_row(line) => return,
            Err(error) => {
                let fault = RowFault::NoObject { column: error.column() };
                return parsed.push_fault(RowRanges::bare(text, number), fault);
            }
        };
        if found.is_any_new {
            parsed.unplaced.get_or_insert(parsed.rows.len());
        }
        let (puzzle_text, puzzle) = match found.puzzle {
            Some(value) => (place(shown(value), bytes), read_value(value, self.restores_zeros)),
            None => (text.end..text.end, Err(RowFault::NoMember)),
        };
        let expected = found.expected.filter(|value| *value != b"null").map(shown);
        let expected = expected.filter(|text| !text.is_empty()).map(|text| place(text, bytes));
        parsed
            .push(RowRanges { text, puzzle: puzzle_text, expected, line: number, is_regular: true }, puzzle);
    }

    #[inline]
    fn find<'text>(&self, line: &'text [u8]) -> serde_json::Result<RowMembers<'text>> {
        let (mut found, mut next) = (RowMembers::default(), 0);
        let plain = split_plain(line, |name, value| {
            found.take(self, place_of(name, &self.names, &mut next), value);
        });
        if plain.is_some() { Ok(found) } else { self.find_any(line) }
    }

    #[cold]
    fn find_any<'text>(&self, line: &'text [u8]) -> serde_json::Result<RowMembers<'text>> {
        let (mut found, mut next) = (RowMembers::default(), 0);
        for (name, value) in members(line)? {
            found.take(self, place_of(name.as_bytes(), &self.names, &mut next), value.get().as_bytes());
        }
        Ok(found)
    }
}

/// Returns whether a line is a row, possibly a malformed one. Every line that isn't blank is a row.
pub(super) fn is_row(text: &[u8]) -> bool {
    !text[..text.len().min(MAX_RECORD)].trim_ascii().is_empty()
}

#[derive(Default)]
struct RowMembers<'text> {
    puzzle: Option<&'text [u8]>,
    expected: Option<&'text [u8]>,
    /// Whether there is a member that the layout doesn't have.
    is_any_new: bool,
}

impl<'text> RowMembers<'text> {
    /// Processes a member: stores `value` if it is the puzzle or the expected solution. `place` is the index of the member in the layout;
    /// `None` if the layout doesn't have the member.
    #[inline]
    fn take(&mut self, layout: &JsonlLayout, place: Option<usize>, value: &'text [u8]) {
        match place {
            None => self.is_any_new = true,
            Some(place) if place == layout.puzzle_member => self.puzzle = Some(value),
            place if place == layout.solution_member => self.expected = Some(value),
            Some(_) => {}
        }
    }
}

/// Returns the index of `name` in `names`. The objects of a file often have their members in the same order, so the index `next`, which
/// follows the member found last, is tried first.
#[inline]
fn place_of(name: &[u8], names: &[String], next: &mut usize) -> Option<usize> {
    let is_next = names.get(*next).is_some_and(|other| other.as_bytes() == name);
    let place = if is_next { Some(*next) } else { names.iter().position(|other| other.as_bytes() == name) };
    *next = place.map_or(*next, |place| place + 1);
    place
}

/// Splits a plain object and passes its names and raw values to `each`. An object is plain if it has at least one member, is printable
/// ASCII without backslashes, and has only strings, whole numbers without a sign, `true`, `false` and `null` as values. Returns `None` for
/// any other line; `each` may already have been called.
#[inline]
fn split_plain<'text>(line: &'text [u8], mut each: impl FnMut(&'text [u8], &'text [u8])) -> Option<()> {
    // The loop has no early exit, so that the compiler can vectorize it.
    let is_plain = |byte: u8| (byte.wrapping_sub(b' ') < 0x5f) & (byte != b'\\');
    if !line.iter().fold(true, |all, &byte| all & is_plain(byte)) {
        return None;
    }
    let after = |rest: &'text [u8], byte: u8| {
        let (first, rest) = rest.trim_ascii_start().split_first()?;
        (*first == byte).then_some(rest)
    };
    let mut rest = after(line, b'{')?;
    loop {
        let name;
        (name, rest) = split_at_byte(after(rest, b'"')?, b'"')?;
        rest = after(rest, b':')?.trim_ascii_start();
        let length = match rest.first()? {
            b'"' => memchr(b'"', &rest[1..])? + 2,
            b'1'..=b'9' => rest.iter().take_while(|byte| byte.is_ascii_digit()).count(),
            b'0' => 1,
            b'n' if rest.starts_with(b"null") => 4,
            b't' if rest.starts_with(b"true") => 4,
            b'f' if rest.starts_with(b"false") => 5,
            _ => return None,
        };
        let value;
        (value, rest) = rest.split_at(length);
        each(name, value);
        match after(rest, b',') {
            Some(next) => rest = next,
            None => return after(rest, b'}').filter(|rest| rest.trim_ascii().is_empty()).map(|_| ()),
        }
    }
}

#[inline]
fn split_at_byte(text: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let at = memchr(byte, text)?;
    Some((&text[..at], &text[at + 1..]))
}

/// Returns the ranges of the values of an object's members. If the object is [plain](split_plain), the ranges are in ascending order. If
/// the text isn't an object, returns no ranges.
pub(super) fn values(text: &[u8]) -> Vec<Range<usize>> {
    let mut values = Vec::new();
    if split_plain(text, |_, value| values.push(place(value, text))).is_none() {
        let members = members(text).unwrap_or_default();
        values = members.into_iter().map(|(_, value)| place(value.get().as_bytes(), text)).collect();
    }
    values
}

/// Returns the members of an object in order. If a name occurs several times, it is listed once, at its first place, with its last value.
pub(super) fn members(text: &[u8]) -> serde_json::Result<Vec<Member<'_>>> {
    struct Members;
    impl<'text> Visitor<'text> for Members {
        type Value = Vec<Member<'text>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'text>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members: Self::Value = Vec::new();
            while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                match members.iter_mut().find(|(other, _)| *other == name) {
                    Some(member) => member.1 = value,
                    None => members.push((name, value)),
                }
            }
            Ok(members)
        }
    }
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let members = deserializer.deserialize_map(Members)?;
    deserializer.end()?;
    Ok(members)
}

/// Converts a value to a field of a table: see [`JsonlLayout::fields`].
fn field_of(value: &[u8]) -> Cow<'_, [u8]> {
    match (value, text_of(value)) {
        (b"null", _) => Cow::Borrowed(b""),
        (_, Some(text)) => Cow::Borrowed(text),
        // A text with escapes is decoded. A value that isn't a text stays unchanged.
        (_, None) => decoded(value).map_or(Cow::Borrowed(value), |text| Cow::Owned(text.into_bytes())),
    }
}

/// Converts a value to a field of the sample in which the columns are detected. An array of cells or rows becomes a text of 81 digits.
pub(super) fn sample_field(value: &RawValue) -> Cow<'_, [u8]> {
    match read_board(value.get().as_bytes()) {
        Some(Ok(cells)) => Cow::Owned(cells.map(|cell| cell + b'0').to_vec()),
        _ => field_of(value.get().as_bytes()),
    }
}

/// Returns the content of a value that is a text without escapes; `None` for all other values.
#[inline]
fn text_of(value: &[u8]) -> Option<&[u8]> {
    let inside = value.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    memchr(b'\\', inside).is_none().then_some(inside)
}

/// Returns the content of a value that is a text, with or without escapes; `None` for all other values.
fn decoded(value: &[u8]) -> Option<String> {
    serde_json::from_slice(value).ok()
}

/// Returns the part of a value that a row stores as the text of its puzzle or solution: if the value is a JSON string without escapes, its
/// trimmed content, otherwise the whole value.
#[inline]
pub(super) fn shown(value: &[u8]) -> &[u8] {
    text_of(value).map_or(value, <[u8]>::trim_ascii)
}

/// Returns the range of `part` in `bytes`. `part` must be a slice of `bytes`.
#[inline]
pub(super) fn place(part: &[u8], bytes: &[u8]) -> Range<usize> {
    let start = part.as_ptr().addr() - bytes.as_ptr().addr();
    start..start + part.len()
}

#[inline]
pub(super) fn read_value(value: &[u8], restores_zeros: bool) -> Result<ReadPuzzle, RowFault> {
    match text_of(value) {
        Some(text) => read_puzzle(text.trim_ascii(), restores_zeros),
        None => read_other(value, restores_zeros),
    }
}

/// Parses a puzzle from a value that is not a text, or that is a text with escapes.
fn read_other(value: &[u8], restores_zeros: bool) -> Result<ReadPuzzle, RowFault> {
    match (value, read_board(value)) {
        (b"null", _) => Err(RowFault::Null),
        ([b'-' | b'0'..=b'9', ..], _) => read_puzzle(value, restores_zeros),
        (_, Some(cells)) => Ok(Puzzle::try_from(cells?)?.into()),
        (_, None) => {
            let text = decoded(value).ok_or(RowFault::NoBoard)?;
            read_puzzle(text.trim_ascii().as_bytes(), restores_zeros)
        }
    }
}

/// Parses the text of a prediction: 81 characters, an array of cells or rows, or the lines of a grid.
pub(crate) fn read_prediction(text: &[u8]) -> Result<Puzzle, RowFault> {
    let text = text.trim_ascii();
    match read_board(text) {
        Some(cells) => Ok(Puzzle::try_from(cells?)?),
        None => Ok(read_text(text, false)?.puzzle),
    }
}

pub(crate) fn read_solution(text: &[u8]) -> Option<Solution> {
    if let Ok(solution) = Solution::from_text(text) {
        return Some(solution);
    }
    match read_board(text) {
        Some(cells) => Solution::try_from(cells.ok()?).ok(),
        None => Solution::from_text(decoded(text)?.trim_ascii().as_bytes()).ok(),
    }
}

/// Returns the 81 values of an array of cells or rows, or the array's fault; `None` if the text doesn't start with `[`.
fn read_board(text: &[u8]) -> Option<Result<[u8; CELLS], RowFault>> {
    if !text.starts_with(b"[") {
        return None;
    }
    let mut board = Board { cells: [0; CELLS], found: 0, rows: 0, fault: None };
    let mut reader = serde_json::Deserializer::from_slice(text);
    let read = Part { board: &mut board, depth: 0 }.deserialize(&mut reader).and_then(|()| reader.end());
    Some(match (read, board.fault, board.found) {
        (Err(_), _, _) => Err(RowFault::NoBoard),
        (_, Some(fault), _) => Err(fault),
        (_, _, CELLS) => Ok(board.cells),
        (_, _, found) => Err(RowFault::Cells { found }),
    })
}

/// The cells of an array that were parsed so far.
struct Board {
    cells: [u8; CELLS],
    found: usize,
    rows: usize,
    fault: Option<RowFault>,
}

impl Board {
    fn push(&mut self, cell: Result<u8, RowFault>) {
        // Cells after the 81st are only counted.
        if let Some(place) = self.cells.get_mut(self.found) {
            match cell {
                Ok(value) => *place = value,
                Err(fault) => self.fault = self.fault.or(Some(fault)),
            }
        }
        self.found += 1;
    }

    fn push_number(&mut self, is_negative: bool, magnitude: u64) {
        let value = u8::try_from(magnitude).ok().filter(|&value| value <= 9 && (!is_negative || value == 0));
        let cell = self.found.min(CELLS) as u8;
        self.push(value.ok_or(RowFault::Cell { cell, is_negative, magnitude }));
    }

    fn push_text(&mut self, text: &str) {
        for &byte in text.as_bytes() {
            let fault = PuzzleError::Character { byte, position: self.found };
            self.push(value_of_byte(byte).ok_or(fault.into()));
        }
    }

    /// Ends the row that began at cell `start`. Stores a fault if the row doesn't have 9 cells.
    fn end_row(&mut self, start: usize) {
        self.rows += 1;
        let cells = self.found - start;
        if cells != 9 {
            self.fault = self.fault.or(Some(RowFault::GridCells { row: self.rows, cells }));
        }
    }
}

/// Reads the whole array at depth 0, its rows or cells at depth 1, and the cells of a row at depth 2.
struct Part<'b> {
    board: &'b mut Board,
    depth: usize,
}

impl<'text> DeserializeSeed<'text> for Part<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'text>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'text> Visitor<'text> for Part<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cells or rows of cells")
    }

    fn visit_seq<A: SeqAccess<'text>>(self, mut seq: A) -> Result<(), A::Error> {
        let Part { board, depth } = self;
        let start = board.found;
        if depth > 1 {
            return Err(serde::de::Error::custom("a row in a row"));
        }
        while seq.next_element_seed(Part { board: &mut *board, depth: depth + 1 })?.is_some() {}
        if depth == 1 {
            board.end_row(start);
        }
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.board.push_number(false, value);
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.board.push_number(value < 0, value.unsigned_abs());
        Ok(())
    }

    /// Accepts whole numbers that are written as floats, because some programs convert numbers to floats if a value is missing.
    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        if value.fract() != 0.0 || value.abs() >= 2_f64.powi(53) {
            return Err(E::custom("a cell that is no whole number"));
        }
        self.board.push_number(value < 0.0, value.abs() as u64);
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.board.push(Ok(0));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        let start = self.board.found;
        self.board.push_text(text);
        if self.depth == 1 && text.len() != 1 {
            self.board.end_row(start);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<String, String> {
        let puzzle = read_value(text.as_bytes(), false);
        puzzle.map(|read| read.puzzle.to_string()).map_err(|fault| fault.to_string())
    }

    proptest! {
        /// `split_plain` must split a line exactly like serde_json, or not at all.
        #[test]
        fn plain_objects_agree_with_serde_json(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..12)) {
            let line = pieces.concat();
            for line in [line.clone(), format!("{{\"a\":{line}}}"), format!("{{{line}}}")] {
                let mut split = Vec::new();
                let mut take = |name: &[u8], value: &[u8]| {
                    let (name, value) = (String::from_utf8_lossy(name), String::from_utf8_lossy(value));
                    match split.iter_mut().find(|(other, _)| *other == name) {
                        Some(member) => member.1 = value.into_owned(),
                        None => split.push((name.into_owned(), value.into_owned())),
                    }
                };
                if split_plain(line.as_bytes(), &mut take).is_some() {
                    let members = members(line.as_bytes()).unwrap();
                    let members: Vec<_> = members.iter().map(|(name, value)| (name.clone(), value.get().to_owned())).collect();
                    prop_assert_eq!(split, members);
                }
            }
        }
    }

    const PIECES: &[&str] = &[
        "{",
        "}",
        "{\"a\":",
        "\"b\"",
        ":",
        ",",
        " ",
        "\t",
        "\"",
        "\\",
        "0",
        "7",
        "01",
        "-1",
        "1.5",
        "null",
        "true",
        "false",
        "nul",
        "[",
        "]",
        "\u{1}",
        "\u{7f}",
        "é",
        "\"a\":\"x y\"",
        "\"c\":12",
    ];

    #[test]
    fn boards_are_written_in_many_ways() {
        let mut values = [0; CELLS];
        (values[0], values[12], values[80]) = (5, 7, 9);
        let puzzle = Puzzle::try_from(values).unwrap().to_string();
        let flat: Vec<String> = values.iter().map(u8::to_string).collect();
        let rows: Vec<String> = flat.chunks(9).map(|row| format!("[{}]", row.join(", "))).collect();
        let texts: Vec<String> = flat.chunks(9).map(|row| format!("{:?}", row.concat())).collect();
        for board in [
            format!("[{}]", flat.join(",")),
            format!("[ {} ]", rows.join(" , ")),
            format!("[{}]", texts.join(",")),
            format!("[{}]", flat.join(",").replace('0', "null")),
            format!("[{}]", rows.join(",").replace('0', "\".\"")),
            format!("[{}]", flat.iter().map(|cell| format!("{cell}.0")).collect::<Vec<_>>().join(",")),
            format!("\"\\u0035{}\"", &puzzle[1..]),
        ] {
            assert_eq!(read(&board), Ok(puzzle.clone()), "{board}");
        }
    }

    #[test]
    fn faults_of_boards_are_reported() {
        let with = |cell: &str| format!("[5,{cell}{}]", ",0".repeat(79));
        let row = |cells: usize| format!("[{}]", vec!["0"; cells].join(","));
        let rows = |first: usize, second: usize| {
            format!("[{},{}{}]", row(first), row(second), format!(",{}", row(9)).repeat(7))
        };
        let cell = "which is neither a digit nor 0 for a blank";
        for (board, words) in [
            (with("12"), format!("r1c2 holds 12, {cell}")),
            (with("-3"), format!("r1c2 holds -3, {cell}")),
            (with("18446744073709551615"), format!("r1c2 holds 18446744073709551615, {cell}")),
            (with("-9223372036854775808"), format!("r1c2 holds -9223372036854775808, {cell}")),
            (with("\"?\""), "byte '?' at position 2 is neither a digit nor a blank".to_owned()),
            (with("0,0"), "82 cells where a puzzle has 81".to_owned()),
            ("[]".to_owned(), "0 cells where a puzzle has 81".to_owned()),
            // The number of cells is right, but the array isn't a board.
            (rows(8, 10), "row 1 of the grid has 8 cells instead of 9".to_owned()),
            (with("[0]"), "row 1 of the grid has 1 cell instead of 9".to_owned()),
            ("null".to_owned(), "the puzzle is null".to_owned()),
        ] {
            assert_eq!(read(&board), Err(words), "{board}");
        }
        for board in [with("0.5"), with("true"), with("{}"), format!("[[{}]]", row(81)), "true".to_owned()] {
            assert_eq!(read(&board), Err("the puzzle is neither a text nor 81 cells".to_owned()), "{board}");
        }
    }
}
