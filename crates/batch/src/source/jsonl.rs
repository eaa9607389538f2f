//! JSON lines: an object a line, whose members are what columns are elsewhere.
//!
//! ```text
//! puzzle    = a text of 81 characters | 81 cells | 9 rows
//! row       = 9 cells | a text of 9 characters
//! cell      = a number 0 to 9 | null | a text of one character
//! ```
//! Of a member that an object has twice the last one counts, as for all common readers. A line that is no object, or whose
//! object holds no puzzle, is a malformed row; there are no comments.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use sudobench_sudoku::puzzle::{CELLS, Puzzle, PuzzleError, Solution, cell_of_byte};

use super::block::{MAX_RECORD, ParsedBlock, RowFault, RowRanges};
use super::spreadsheet::{ReadPuzzle, read_puzzle};
use super::text::line_at;

/// How the rows of JSON lines are laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonlLayout {
    /// The names of the members that the objects at the start of the files have, in the order in which they come up.
    pub names: Vec<String>,
    /// The member that is the puzzle, from 0.
    pub puzzle_member: usize,
    /// The member that is the expected solution, from 0; `None` where there is none.
    pub solution_member: Option<usize>,
    /// See [`Options::restore_zeros`](super::Options::restore_zeros).
    pub restores_zeros: bool,
}

/// A member of an object: its name, and its value as it stands.
pub(super) type Member<'text> = (String, &'text RawValue);

impl JsonlLayout {
    /// The values of a row's text for each of the [names](JsonlLayout::names): texts without quotes, other values as they
    /// stand, nothing for `null` and for what the object does not have. `None` where it is no object. Meant for output:
    /// it allocates.
    pub fn fields<'text>(&self, text: &'text [u8]) -> Option<Vec<Cow<'text, [u8]>>> {
        let mut fields = vec![Cow::Borrowed(&b""[..]); self.names.len()];
        for (name, value) in members(text).ok()? {
            if let Some(place) = self.names.iter().position(|other| *other == name) {
                fields[place] = field_of(value);
            }
        }
        Some(fields)
    }

    /// The names of a row's members that are none of the layout's.
    pub(crate) fn new_names(&self, text: &[u8]) -> impl Iterator<Item = String> {
        let members = members(text).unwrap_or_default().into_iter().map(|(name, _)| name);
        members.filter(|name| !self.names.contains(name))
    }

    /// Reads every row of a block.
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
        if !found.are_all_known {
            parsed.unplaced.get_or_insert(parsed.rows.len());
        }
        // Where a part of the line stands in the block.
        let place = |part: &str| {
            let start = part.as_ptr().addr() - bytes.as_ptr().addr();
            start..start + part.len()
        };
        let (puzzle_text, puzzle) = match found.puzzle {
            Some(value) => (place(shown(value)), read_value(value, self.restores_zeros)),
            None => (text.end..text.end, Err(RowFault::NoMember)),
        };
        let expected = found.expected.filter(|value| value.get() != "null").map(shown);
        let expected = expected.filter(|text| !text.is_empty()).map(place);
        parsed
            .push(RowRanges { text, puzzle: puzzle_text, expected, line: number, is_regular: true }, puzzle);
    }

    fn find<'text>(&self, line: &'text [u8]) -> serde_json::Result<Found<'text>> {
        let mut deserializer = serde_json::Deserializer::from_slice(line);
        let found = deserializer.deserialize_map(Finder(self))?;
        deserializer.end()?;
        Ok(found)
    }
}

/// Whether a line is a row, be it a malformed one: not blank.
pub(super) fn is_row(text: &[u8]) -> bool {
    !text[..text.len().min(MAX_RECORD)].trim_ascii().is_empty()
}

/// What a row is made of.
struct Found<'text> {
    puzzle: Option<&'text RawValue>,
    expected: Option<&'text RawValue>,
    /// Whether the layout names all members.
    are_all_known: bool,
}

/// Finds puzzle and expected solution in an object, without a look at the rest but that it is JSON.
struct Finder<'l>(&'l JsonlLayout);

impl<'text> Visitor<'text> for Finder<'_> {
    type Value = Found<'text>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'text>>(self, mut map: A) -> Result<Found<'text>, A::Error> {
        let mut found = Found { puzzle: None, expected: None, are_all_known: true };
        let mut next = 0;
        while let Some(place) = map.next_key_seed(PlaceOfName { names: &self.0.names, next })? {
            match place {
                Some(place) => next = place + 1,
                None => found.are_all_known = false,
            }
            match place {
                Some(place) if place == self.0.puzzle_member => found.puzzle = Some(map.next_value()?),
                Some(place) if Some(place) == self.0.solution_member => {
                    found.expected = Some(map.next_value()?);
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(found)
    }
}

/// Reads a name as its place among all names. Objects of a file mostly have their members in one order.
struct PlaceOfName<'l> {
    names: &'l [String],
    /// Where the name should be.
    next: usize,
}

impl<'text> DeserializeSeed<'text> for PlaceOfName<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'text>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for PlaceOfName<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        if self.names.get(self.next).is_some_and(|next| next == name) {
            return Ok(Some(self.next));
        }
        Ok(self.names.iter().position(|other| other == name))
    }
}

/// The members of an object, in their order; each once, as its last value.
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

/// A value as a field of a table: see [`JsonlLayout::fields`].
fn field_of(value: &RawValue) -> Cow<'_, [u8]> {
    match (value.get(), shown(value)) {
        ("null", _) => Cow::Borrowed(b""),
        // White space belongs to a text.
        (text, _) if text.starts_with('"') => match decoded(text) {
            Some(text) => Cow::Owned(text.into_bytes()),
            None => Cow::Borrowed(text.as_bytes()),
        },
        (text, _) => Cow::Borrowed(text.as_bytes()),
    }
}

/// A value as columns are told apart by: as a field, but a board as its 81 digits.
pub(super) fn sample_field(value: &RawValue) -> Cow<'_, [u8]> {
    match read_board(value.get()) {
        Some(Ok(cells)) => Cow::Owned(cells.map(|cell| cell + b'0').to_vec()),
        _ => field_of(value),
    }
}

/// The part of a value that is shown where it is a puzzle or a solution: a text without escapes without its quotes and the white
/// space around it, all of another value.
fn shown(value: &RawValue) -> &str {
    let text = value.get();
    let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inside.filter(|inside| !inside.contains('\\')).map_or(text, str::trim_ascii)
}

/// What the text of a JSON value says, where that is a text.
fn decoded(value: &str) -> Option<String> {
    serde_json::from_str(value).ok()
}

/// The puzzle that a value is.
#[inline]
fn read_value(value: &RawValue, restores_zeros: bool) -> Result<ReadPuzzle, RowFault> {
    let (text, shown) = (value.get(), shown(value));
    match text.as_bytes().first() {
        Some(b'"') if shown.len() < text.len() => read_puzzle(shown.as_bytes(), restores_zeros),
        Some(b'-' | b'0'..=b'9') => read_puzzle(text.as_bytes(), restores_zeros),
        _ => read_other(text, restores_zeros),
    }
}

/// What is read of the JSON text of a puzzle that is no plain text.
pub(super) fn read_other(text: &str, restores_zeros: bool) -> Result<ReadPuzzle, RowFault> {
    if text == "null" {
        return Err(RowFault::Null);
    }
    match (read_board(text), decoded(text)) {
        (Some(cells), _) => Ok(Puzzle::try_from(cells?)?.into()),
        (None, Some(text)) => read_puzzle(text.trim_ascii().as_bytes(), restores_zeros),
        (None, None) => Err(RowFault::NoBoard),
    }
}

/// The solution that an expected one's text is, as it was shown.
pub(crate) fn read_solution(text: &[u8]) -> Option<Solution> {
    if let Ok(solution) = Solution::from_text(text) {
        return Some(solution);
    }
    let text = str::from_utf8(text).ok()?;
    match read_board(text) {
        Some(cells) => Solution::try_from(cells.ok()?).ok(),
        None => Solution::from_text(decoded(text)?.trim_ascii().as_bytes()).ok(),
    }
}

/// The 81 values of an array of cells or rows. `None` where it is no array.
fn read_board(text: &str) -> Option<Result<[u8; CELLS], RowFault>> {
    if !text.starts_with('[') {
        return None;
    }
    let mut board = Board { cells: [0; CELLS], found: 0, rows: 0, fault: None };
    let read =
        Part { board: &mut board, depth: 0 }.deserialize(&mut serde_json::Deserializer::from_str(text));
    Some(match (read, board.fault, board.found) {
        (Err(_), _, _) => Err(RowFault::NoBoard),
        (_, Some(fault), _) => Err(fault),
        (_, _, CELLS) => Ok(board.cells),
        (_, _, found) => Err(RowFault::Cells { found }),
    })
}

/// The cells of an array, as far as it was read.
struct Board {
    cells: [u8; CELLS],
    /// How many there were.
    found: usize,
    /// Rows among them.
    rows: usize,
    /// What is wrong with the first that is.
    fault: Option<RowFault>,
}

impl Board {
    fn push(&mut self, cell: Result<u8, RowFault>) {
        let (value, fault) = cell.map_or_else(|fault| (0, Some(fault)), |value| (value, None));
        self.fault = self.fault.or(fault);
        if let Some(cell) = self.cells.get_mut(self.found) {
            *cell = value;
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
            self.push(cell_of_byte(byte).ok_or(fault.into()));
        }
    }

    /// Ends a row that began at this cell.
    fn end_row(&mut self, start: usize) {
        self.rows += 1;
        let cells = self.found - start;
        if cells != 9 {
            self.fault = self.fault.or(Some(RowFault::GridCells { row: self.rows, cells }));
        }
    }
}

/// Reads the whole array at depth 0, at depth 1 its rows or cells, at depth 2 the cells of a row.
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

    /// A program that keeps missing values among numbers makes floats of them all.
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

    fn read(text: &str) -> Result<String, String> {
        let puzzle = read_other(text, false);
        puzzle.map(|read| read.puzzle.to_string()).map_err(|fault| fault.to_string())
    }

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
    fn what_is_no_board_is_said() {
        let with = |cell: &str| format!("[5,{cell}{}]", ",0".repeat(79));
        let row = |cells: usize| format!("[{}]", vec!["0"; cells].join(","));
        let rows = |first: usize, second: usize| {
            format!("[{},{}{}]", row(first), row(second), format!(",{}", row(9)).repeat(7))
        };
        let cell = "which is neither a digit nor 0 for a blank";
        for (board, words) in [
            (with("12"), format!("cell 1 holds 12, {cell}")),
            (with("-3"), format!("cell 1 holds -3, {cell}")),
            (with("18446744073709551615"), format!("cell 1 holds 18446744073709551615, {cell}")),
            (with("-9223372036854775808"), format!("cell 1 holds -9223372036854775808, {cell}")),
            (with("\"?\""), "byte '?' at position 2 is neither a digit nor a blank".to_owned()),
            (with("0,0"), "82 cells where a puzzle has 81".to_owned()),
            ("[]".to_owned(), "0 cells where a puzzle has 81".to_owned()),
            // As many cells in all, and yet no board.
            (rows(8, 10), "row 1 of the grid has 8 cells".to_owned()),
            (with("[0]"), "row 1 of the grid has 1 cell".to_owned()),
            ("null".to_owned(), "the puzzle is null".to_owned()),
        ] {
            assert_eq!(read(&board), Err(words), "{board}");
        }
        for board in [with("0.5"), with("true"), with("{}"), format!("[[{}]]", row(81)), "true".to_owned()] {
            assert_eq!(read(&board), Err("the puzzle is neither a text nor 81 cells".to_owned()), "{board}");
        }
    }
}
