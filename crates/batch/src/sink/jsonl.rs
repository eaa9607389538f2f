//! JSON lines: an object a row, the input's columns first.

use super::input_columns::InputColumns;
use crate::answers::AnsweredRow;
use crate::columns::{Column, Value};
use crate::source::Layout;

/// Rows as JSON objects. Input columns are strings (bytes that are not UTF-8 become U+FFFD), counts are numbers,
/// what a row does not have is `null`.
#[derive(Clone, Debug)]
pub struct JsonlFormat {
    input: InputColumns,
    /// The input columns' keys, as JSON strings.
    input_keys: Vec<String>,
    /// The added columns with their keys, as JSON strings.
    columns: Vec<(Column, String)>,
}

impl JsonlFormat {
    /// JSON lines for rows of `layout`. Columns without a name are called `column_1` and so on.
    pub(super) fn new(layout: &Layout, columns: &[Column]) -> JsonlFormat {
        let input = InputColumns::of(layout);
        let numbered = || (1..=input.len()).map(|number| format!("column_{number}").into_bytes()).collect();
        let names = input.names().unwrap_or_else(numbered);
        JsonlFormat {
            input_keys: names.iter().map(|name| json_string(name)).collect(),
            columns: columns
                .iter()
                .copied()
                .zip(InputColumns::added_names(&names, columns).iter().map(|name| json_string(name)))
                .collect(),
            input,
        }
    }

    /// Appends a row.
    pub(super) fn write(&self, row: &AnsweredRow, out: &mut Vec<u8>) {
        out.push(b'{');
        match self.input.values(row) {
            Some(values) => {
                for (key, field) in self.input_keys.iter().zip(values) {
                    push_member(key, &json_string(&field), out);
                }
            }
            // It has too few values, or more than there are columns: what it has is kept under `row`.
            None => push_member("\"row\"", &json_string(row.text()), out),
        }
        for (column, key) in &self.columns {
            push_member(key, &json_value(&(column.value)(row)), out);
        }
        out.extend_from_slice(b"}\n");
    }
}

/// A value as JSON.
fn json_value(value: &Value) -> String {
    match value {
        Value::None => "null".to_owned(),
        Value::Solution(solution) => json_string(&solution.text()),
        Value::Number(number) => number.to_string(),
        Value::Word(word) => json_string(word.as_bytes()),
        Value::Text(text) => json_string(text.as_bytes()),
    }
}

fn push_member(key: &str, value: &str, out: &mut Vec<u8>) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    out.extend_from_slice(key.as_bytes());
    out.push(b':');
    out.extend_from_slice(value.as_bytes());
}

fn json_string(bytes: &[u8]) -> String {
    serde_json::Value::from(String::from_utf8_lossy(bytes)).to_string()
}
