//! The choice of a column by the user.

use std::fmt;

use serde::Deserialize;

/// A column or a JSON member of the input, as the user names it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a name or a number from 1")]
pub enum ColumnChoice {
    /// By its name. If no column has exactly this name, a name that differs only in upper and lower case is used.
    Name(String),
    /// By its number, from 1.
    Number(usize),
}

impl From<&str> for ColumnChoice {
    /// A text of digits is a number, unless the number is too large for `usize`. Any other text is a name.
    fn from(text: &str) -> ColumnChoice {
        let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(number) if all_digits => ColumnChoice::Number(number),
            _ => ColumnChoice::Name(text.to_owned()),
        }
    }
}

impl fmt::Display for ColumnChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnChoice::Name(name) => write!(f, "named '{name}'"),
            ColumnChoice::Number(number) => write!(f, "number {number}"),
        }
    }
}
