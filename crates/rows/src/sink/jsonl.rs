//! JSON lines: an object for each row, the input's columns first. Objects of the input stay unchanged, except that boards are transformed
//! if the command transforms rows. In each object, the added members come last.

use std::io::Write as _;

use serde_json::value::RawValue;

use super::format::{FormatSpec, MemberPlace};
use super::name::Ending;
use super::plain::{RowWriter, plain_format};
use crate::answers::AnsweredRow;
use crate::columns::{Column, Value};
use crate::input_columns::InputColumns;
use crate::source::Layout;

pub(super) const JSONL: FormatSpec = FormatSpec {
    endings: &[Ending::new(&["jsonl", "ndjson"])],
    has_columns: true,
    ..FormatSpec::text("jsonl", "one JSON object per line", |setup| {
        plain_format(setup, JsonlWriter::new(setup.layout, setup.columns))
    })
};

/// Writes rows as JSON objects. Members of input objects are copied. Numbers and truth values of a table keep their type, and become
/// `null` if they are missing. Other input values, and numbers that JSON lacks, become strings, with U+FFFD for bytes that are not UTF-8.
/// In the added columns, numbers are JSON numbers, and missing values are `null`.
#[derive(Clone)]
struct JsonlWriter {
    input: InputColumns,
    /// The input columns' keys, as JSON strings.
    input_keys: Vec<String>,
    /// For each input column, whether its values are numbers or truth values. Empty if the input is not a table.
    are_literals: Vec<bool>,
    /// The added columns with their keys, as JSON strings.
    columns: Vec<(Column, String)>,
}

impl JsonlWriter {
    /// Makes a writer for rows of `layout`. If the input has no header, its columns are called `column_1` and so on.
    fn new(layout: &Layout, columns: &[Column]) -> JsonlWriter {
        let input = InputColumns::from_layout(layout);
        let names = input.names_or_numbers();
        JsonlWriter {
            input_keys: names.iter().map(|name| json_string(name)).collect(),
            are_literals: layout.typed().map_or_else(Vec::new, |typed| typed.are_literals.clone()),
            columns: columns
                .iter()
                .copied()
                .zip(InputColumns::added_names(&names, columns).iter().map(|name| json_string(name)))
                .collect(),
            input,
        }
    }

    fn write_input(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        out.push(b'{');
        match self.input.values(row) {
            Some(values) => {
                let are_literals = self.are_literals.iter().copied().chain(std::iter::repeat(false));
                for ((key, field), is_literal) in self.input_keys.iter().zip(values).zip(are_literals) {
                    push_key(key, out);
                    match is_literal {
                        true if field.is_empty() => out.extend_from_slice(b"null"),
                        // A number that JSON lacks, such as infinity, is written as a text.
                        true if serde_json::from_slice::<&RawValue>(&field).is_ok() => {
                            out.extend_from_slice(&field)
                        }
                        _ => push_string(&field, out),
                    }
                }
            }
            // The row can't be split into the columns, so its whole text becomes the member `row`.
            None => {
                push_key("\"row\"", out);
                push_string(row.text(), out);
            }
        }
    }
}

impl RowWriter for JsonlWriter {
    fn member_place(&self, name: &str) -> MemberPlace {
        let key = json_string(name.as_bytes());
        match self.columns.iter().any(|(_, own)| *own == key) {
            true => MemberPlace::Taken,
            false => MemberPlace::Kept,
        }
    }

    fn write(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        match self.input.open_object(row) {
            Some(object) => out.extend_from_slice(object),
            None => self.write_input(row, out),
        }
        for (column, key) in &self.columns {
            push_key(key, out);
            push_value(column.value(row), out);
        }
        out.extend_from_slice(b"}\n");
    }
}

/// Appends a value as JSON, or `null`.
fn push_value(value: Option<Value>, out: &mut Vec<u8>) {
    match value {
        None => out.extend_from_slice(b"null"),
        Some(Value::Solution(solution)) => push_plain(&solution.text(), out),
        Some(Value::Puzzle(puzzle)) => push_plain(&puzzle.text(), out),
        Some(Value::Word(word)) => push_plain(word.as_bytes(), out),
        Some(Value::Text(text)) => push_string(text.as_bytes(), out),
        // Writing to a Vec does not fail.
        Some(Value::Number(number)) => drop(write!(out, "{number}")),
        Some(number @ (Value::Decimal { .. } | Value::Real(_))) => drop(write!(out, "{number}")),
    }
}

fn push_key(key: &str, out: &mut Vec<u8>) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    out.extend_from_slice(key.as_bytes());
    out.push(b':');
}

/// Appends a text that JSON need not escape.
fn push_plain(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(text);
    out.push(b'"');
}

fn push_string(bytes: &[u8], out: &mut Vec<u8>) {
    // Most texts are plain. The loop has no early exit, so that the compiler can vectorize it.
    let is_plain = |&byte: &u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
    match bytes.iter().fold(true, |plain, byte| plain & is_plain(byte)) {
        true => push_plain(bytes, out),
        false => out.extend_from_slice(json_string(bytes).as_bytes()),
    }
}

fn json_string(bytes: &[u8]) -> String {
    serde_json::Value::from(String::from_utf8_lossy(bytes)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts_are_written_like_escaped_ones() {
        for byte in 0..=255 {
            for text in [&[byte][..], &[b'a', byte, b'b'], &[0xC3, byte]] {
                let mut out = Vec::new();
                push_string(text, &mut out);
                assert_eq!(out, json_string(text).as_bytes(), "{text:?}");
            }
        }
    }
}
