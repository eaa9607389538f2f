//! Finds the boards of a row, such as the puzzle and its solution: values in the row that can be parsed as 81 cells. Then transforms all
//! boards of the row in place.
//!
//! ```text
//! csv     a field      53..7....
//! lines   a word       53..7....
//! jsonl   a member     "53..7...."    [5, 3, 0, 0, 7, ...]    [[5, 3, null, ...], ...]    ["53..7....", ...]
//! grids   none: the output format writes the transformed puzzle itself
//! ```
//!
//! A transformed board is called a form of the board. Only places and digits of cells change, so a form has the same length as its board,
//! and the rest of the row keeps its position. A board for which this would not work is first rewritten. A puzzle that lost zeros at its
//! start, a JSON text with escapes, and a JSON number with blanks such as 0 (its form might start with 0, but a JSON number must not)
//! become a plain text of 81 characters. A JSON array with a cell such as `5e0` becomes an array of digits; cells such as `"5"`, `5.0` and
//! `null` can stay.

use std::ops::Range;

use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::puzzle::{CELLS, Puzzle, value_of_byte};

use super::csv;
use super::jsonl;
use super::layout::{RowLayout, RowText};
use super::lines;
use super::parsed::Row;

/// A row and its boards. Reused from row to row.
#[derive(Debug, Default)]
pub(crate) struct RowBoards {
    /// The text of the row. Boards that can't be transformed in place are already rewritten.
    text: Vec<u8>,
    boards: Vec<Board>,
    /// The text of the row, in which each board is replaced by its form.
    form: Vec<u8>,
}

/// Position of a board in the text of its row.
#[derive(Debug)]
enum Board {
    /// 81 bytes from this position on.
    Text(usize),
    /// The range of each cell. The first byte of a range is the digit of the cell.
    Cells(Box<[Range<usize>; CELLS]>),
}

impl RowBoards {
    /// Stores the text of a row that has a puzzle, and finds the boards in the text. `bytes` is the text of the row, or empty if the text
    /// of the forms is not needed.
    ///
    /// Returns the row with its ranges adapted to the text of its [forms](RowBoards::form). The returned row has no expected solution.
    pub(crate) fn take(&mut self, layout: &dyn RowLayout, bytes: &[u8], row: &Row) -> Row {
        let RowBoards { text, boards, form } = self;
        text.clear();
        boards.clear();
        let mut taken = Row { text: 0..0, puzzle_text: 0..0, expected: None, ..row.clone() };
        let kind = layout.row_text();
        if bytes.is_empty() || matches!(kind, RowText::Drawing) {
            form.clear();
            return taken;
        }
        text.extend_from_slice(bytes);
        let mut puzzle = row.puzzle_text.start as usize - row.text.start as usize
            ..row.puzzle_text.end as usize - row.text.start as usize;
        if row.is_restored && !matches!(kind, RowText::Object) {
            let lost = CELLS - puzzle.len();
            text.splice(puzzle.start..puzzle.start, std::iter::repeat_n(b'0', lost));
            puzzle.end += lost;
        }
        match kind {
            // A field with quotes inside is not a board.
            RowText::Fields(delimiter) => {
                csv::each_content(text, delimiter, |content| boards.extend(board_of_text(text, content)));
            }
            RowText::Puzzle => boards.push(Board::Text(puzzle.start)),
            RowText::Words => boards.extend(lines::words(text).filter_map(|word| board_of_text(text, word))),
            RowText::Object => {
                make_plain(text, row.is_restored.then_some(&puzzle));
                for value in jsonl::values(text) {
                    boards.extend(board_of_value(text, value));
                }
            }
            RowText::Drawing => {}
        }
        form.clone_from(text);
        taken.text = 0..text.len() as u32;
        taken.puzzle_text = puzzle.start as u32..puzzle.end as u32;
        taken
    }

    /// Returns the text of the row with all boards transformed.
    #[inline]
    pub(crate) fn form(&mut self, transformation: &Transformation) -> &[u8] {
        let RowBoards { text, boards, form } = self;
        for board in boards {
            match board {
                Board::Text(start) => {
                    if let (Some(text), Some(form)) =
                        (text[*start..].first_chunk(), form[*start..].first_chunk_mut())
                    {
                        *form = transformation.apply_to_text(text);
                    }
                }
                Board::Cells(cells) => write_cells(transformation, text, cells, form),
            }
        }
        form
    }
}

/// Returns the board in a part of a row, such as its [expected solution](Row::expected); `None` if the part is not a board.
#[inline]
pub(crate) fn read_board(text: &[u8]) -> Option<Puzzle> {
    let puzzle = Puzzle::from_text(text).ok();
    puzzle.or_else(|| jsonl::read_value(text, false).ok().map(|read| read.puzzle))
}

/// Finds the board in a range of a text. White space around the board is ignored.
#[inline]
fn board_of_text(text: &[u8], range: Range<usize>) -> Option<Board> {
    let range = if range.len() == CELLS { range } else { csv::trim(text, range) };
    Puzzle::from_text(&text[range.clone()]).is_ok().then_some(Board::Text(range.start))
}

/// Finds the board in a JSON value. The value must have been rewritten by [`make_plain`].
fn board_of_value(text: &[u8], value: Range<usize>) -> Option<Board> {
    match text[value.start] {
        b'[' => cells_of_array(&text[value.clone()]).map(|cells| {
            Board::Cells(Box::new(cells.map(|cell| value.start + cell.start..value.start + cell.end)))
        }),
        b'"' => board_of_text(text, value.start + 1..value.end - 1),
        _ => board_of_text(text, value),
    }
}

/// Rewrites the boards that can't be transformed in place. Such a board becomes a plain text or an array of plain cells. `restored` is the
/// position of the puzzle if its lost zeros must be put back.
fn make_plain(text: &mut Vec<u8>, restored: Option<&Range<usize>>) {
    let mut values = jsonl::values(text);
    values.sort_by_key(|value| value.start);
    for value in values.into_iter().rev() {
        let is_restored =
            restored.is_some_and(|puzzle| value.start <= puzzle.start && puzzle.end <= value.end);
        if let Some(plain) = plain_value(&text[value.clone()], is_restored) {
            text.splice(value, plain);
        }
    }
}

/// Returns a board as plain text or array, or `None` if the value is plain already or not a board.
fn plain_value(value: &[u8], is_restored: bool) -> Option<Vec<u8>> {
    let quoted = |text: &[u8]| [b"\"", text, b"\""].concat();
    let digits = |puzzle: &Puzzle| puzzle.values().map(|value| b'0' + value);
    match value.first()? {
        b'"' | b'-' | b'0'..=b'9' if is_restored => {
            jsonl::read_value(value, true).ok().map(|read| quoted(&digits(&read.puzzle)))
        }
        b'"' if value.contains(&b'\\') => {
            let text: String = serde_json::from_slice(value).ok()?;
            Puzzle::from_text(text.trim_ascii().as_bytes())
                .is_ok()
                .then(|| quoted(text.trim_ascii().as_bytes()))
        }
        // A transformation may move any cell to the front, but a JSON number with several digits must not start with 0. So a number with
        // blanks (`0`, `-` or `.`) is rewritten as a text.
        b'-' | b'0'..=b'9' => {
            let is_board = value.len() == CELLS && Puzzle::from_text(value).is_ok();
            let may_start_with_any = value.iter().all(|byte| (b'1'..=b'9').contains(byte));
            (is_board && !may_start_with_any).then(|| quoted(value))
        }
        b'[' if cells_of_array(value).is_none() => {
            let puzzle = jsonl::read_value(value, false).ok()?.puzzle;
            let row = |row: &[u8; 9]| row.map(|value| char::from(b'0' + value).to_string()).join(",");
            let has_rows = !matches!(value[1..].trim_ascii_start().first(), Some(b'-' | b'n' | b'0'..=b'9'));
            let rows: Vec<String> = puzzle.rows().map(row).collect();
            Some(
                if has_rows { format!("[[{}]]", rows.join("],[")) } else { format!("[{}]", rows.join(",")) }
                    .into(),
            )
        }
        _ => None,
    }
}

/// Returns the cells of an array that is a board. Each cell must be a digit, a blank, `null`, or a digit followed by `.0`.
fn cells_of_array(value: &[u8]) -> Option<[Range<usize>; CELLS]> {
    let mut cells: [Range<usize>; CELLS] = std::array::from_fn(|_| 0..0);
    let (mut found, mut at) = (0, 0);
    let mut push = |cell: Range<usize>| {
        *cells.get_mut(found)? = cell;
        found += 1;
        Some(())
    };
    while let Some(&byte) = value.get(at) {
        match byte {
            b'"' => {
                let length = value[at + 1..].iter().position(|&byte| byte == b'"')?;
                for cell in at + 1..at + 1 + length {
                    value_of_byte(value[cell])?;
                    push(cell..cell + 1)?;
                }
                at += length + 2;
            }
            b'[' | b']' | b',' => at += 1,
            byte if byte.is_ascii_whitespace() => at += 1,
            _ => {
                let is_end = |byte: &u8| matches!(byte, b',' | b']') || byte.is_ascii_whitespace();
                let length = value[at..].iter().position(is_end)?;
                let is_plain = match &value[at..at + length] {
                    b"null" => true,
                    [digit] | [digit, b'.', b'0'] => digit.is_ascii_digit(),
                    _ => false,
                };
                if !is_plain {
                    return None;
                }
                push(at..at + length)?;
                at += length;
            }
        }
    }
    // Rows of the wrong length are not a board, and neither are arrays inside rows.
    (found == CELLS && jsonl::read_value(value, false).is_ok()).then_some(cells)
}

/// Writes the form of a board whose cells are separated. The text between cells stays, and the bytes after a cell's first byte move with
/// the cell.
fn write_cells(transformation: &Transformation, text: &[u8], cells: &[Range<usize>; CELLS], form: &mut [u8]) {
    let firsts = transformation.apply_to_text(&std::array::from_fn(|cell| text[cells[cell].start]));
    let mut to = cells[0].start;
    for (place, &from) in transformation.cells().iter().enumerate() {
        let cell = &cells[usize::from(from)];
        form[to] = firsts[place];
        form[to + 1..to + cell.len()].copy_from_slice(&text[cell.start + 1..cell.end]);
        to += cell.len();
        let between = cells[place].end..cells.get(place + 1).map_or(cells[place].end, |next| next.start);
        form[to..to + between.len()].copy_from_slice(&text[between.clone()]);
        to += between.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Options, ParsedBlock, Source};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    /// Applies the transformation `notation` to the first row of a text. Returns the transformed text, and the row that
    /// [`RowBoards::take`] returns.
    fn formed(text: &str, restores_zeros: bool, notation: &str) -> (String, Row) {
        let options = Options { restore_zeros: restores_zeros, ..Options::default() };
        let mut source =
            Source::from_reader("text", std::io::Cursor::new(text.as_bytes().to_vec()), options).unwrap();
        let layout = source.layout().clone();
        let mut block = source.next_block(Vec::new()).unwrap().unwrap();
        let mut parsed = ParsedBlock::default();
        layout.parse(&mut block, &mut parsed);
        assert_eq!(parsed.rows[0].fault, None);
        let mut boards = RowBoards::default();
        let row = boards.take(
            layout.rows(),
            &block.bytes[parsed.rows[0].text.start as usize..parsed.rows[0].text.end as usize],
            &parsed.rows[0],
        );
        let form = boards.form(&notation.parse().unwrap());
        (String::from_utf8(form.to_vec()).unwrap(), row)
    }

    /// Replaces each digit by the next larger one (9 by 1), and reverses the order of the columns in each stack.
    const TURNED: &str = "r123456789c321654987d234567891";

    fn turned(board: &str) -> String {
        let transformation: Transformation = TURNED.parse().unwrap();
        let text = board.as_bytes().try_into().unwrap();
        String::from_utf8(transformation.apply_to_text(text).to_vec()).unwrap()
    }

    #[test]
    fn exactly_the_boards_of_a_row_are_found() {
        let (puzzle, solved) = (turned(PUZZLE), turned(SOLVED));
        let zeros = PUZZLE.replace('.', "0");
        for (text, form) in [
            (format!("id,puzzle,solution\n7,{PUZZLE},{SOLVED}\n"), format!("7,{puzzle},{solved}")),
            (
                format!("id,puzzle,words,other\n\"7\",\" {PUZZLE}\",\"a \"\"b\"\"\",{zeros} \n"),
                format!("\"7\",\" {puzzle}\",\"a \"\"b\"\"\",{} ", turned(&zeros)),
            ),
            (
                format!("a {PUZZLE} {SOLVED} 17:{zeros}\n"),
                format!("a {puzzle} {solved} 17:{}", turned(&zeros)),
            ),
            (
                format!("{{\"puzzle\": \"{PUZZLE}\", \"n\": [1,2], \"s\" : {SOLVED}}}\n"),
                format!("{{\"puzzle\": \"{puzzle}\", \"n\": [1,2], \"s\" : {solved}}}"),
            ),
            // A number cannot start with a zero, so the board becomes a text.
            (format!("{{\"puzzle\":{zeros}}}\n"), format!("{{\"puzzle\":\"{}\"}}", turned(&zeros))),
            (
                format!("{{\"puzzle\":\"\\u0035{}\",\"é\":\"\\\"\"}}\n", &PUZZLE[1..]),
                format!("{{\"puzzle\":\"{puzzle}\",\"é\":\"\\\"\"}}"),
            ),
        ] {
            assert_eq!(formed(&text, false, TURNED).0, form);
        }
    }

    #[test]
    fn arrays_keep_their_notation() {
        let rows = |cell: &dyn Fn(char) -> String, start: &str, gap: &str, end: &str, board: &str| {
            let cells: Vec<String> = board.chars().map(cell).collect();
            let row = |row: &[String]| format!("{start}{}{end}", row.join(gap));
            format!("[{}]", cells.chunks(9).map(row).collect::<Vec<_>>().join(", "))
        };
        let number = |cell: char| if cell == '.' { "0".to_owned() } else { cell.to_string() };
        let null = |cell: char| if cell == '.' { "null".to_owned() } else { cell.to_string() };
        let float = |cell: char| if cell == '.' { "null".to_owned() } else { format!("{cell}.0") };
        let text = |cell: char| cell.to_string();
        for (cell, start, gap, end) in [
            (&number as &dyn Fn(char) -> String, "[", ",", "]"),
            (&null, "[", ", ", "]"),
            (&float, "[", " ,", "]"),
            (&number, "", ",", ""),
            (&null, "", ",", ""),
            (&text, "\"", "", "\""),
            (&text, "[\"", "\",\"", "\"]"),
        ] {
            let array = |board: &str| rows(cell, start, gap, end, board);
            let line = |board: &str| format!("{{\"id\":1,\"puzzle\":{},\"x\":[[1],2]}}", array(board));
            assert_eq!(formed(&(line(PUZZLE) + "\n"), false, TURNED).0, line(&turned(PUZZLE)));
        }
        // A cell such as `5e0` is no single digit, so the whole array is rewritten with plain digits.
        let odd =
            format!("{{\"puzzle\":{}}}\n", rows(&number, "[", ",", "]", PUZZLE).replacen("5", "5e0", 1));
        let plain =
            format!("{{\"puzzle\":{}}}", rows(&number, "[", ",", "]", &turned(PUZZLE)).replace(", ", ","));
        assert_eq!(formed(&odd, false, TURNED).0, plain);
    }

    #[test]
    fn lost_zeros_are_restored() {
        let zeros = format!("0{}", &PUZZLE.replace('.', "0")[1..]);
        let (lost, form) = (&zeros[1..], turned(&zeros));
        for (text, wanted) in [
            (format!("id,puzzle\n1,{lost}\n"), format!("1,{form}")),
            (format!("{{\"puzzle\":{lost},\"s\":1}}\n"), format!("{{\"puzzle\":\"{form}\",\"s\":1}}")),
            (format!("{{\"puzzle\":\"{lost}\"}}\n"), format!("{{\"puzzle\":\"{form}\"}}")),
        ] {
            assert_eq!(formed(&text, true, TURNED).0, wanted);
        }
        let (text, row) = formed(&format!("{zeros}\na {lost} b\n"), true, TURNED);
        assert_eq!((text, row.puzzle_text), (form, 0..81));
    }
}
