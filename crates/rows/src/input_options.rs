//! The options of a job for reading its inputs.

#[cfg(feature = "clap")]
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Deserializer};

use crate::as_text;
use crate::source::{ColumnChoice, InputFormat};

/// How the input is read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Input"))]
pub struct InputOptions {
    /// Format of the input [default: detected from the content]
    ///
    /// With `lines` or `sdm`, the rows always have the columns `label` (the text before the puzzle) and `comment` (the text after it).
    #[serde(deserialize_with = "input_format")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORMAT", value_parser = input_formats()))]
    pub input_format: Option<InputFormat>,
    /// Character between the columns: one character, or `tab` [default: detected]
    #[serde(deserialize_with = "delimiter")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR", value_parser = parse_delimiter))]
    pub delimiter: Option<u8>,
    /// Column (or JSON member) with the puzzles: its name, or its number from 1 [default: detected]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME|NUMBER", value_parser = parse_column))]
    pub puzzle_column: Option<ColumnChoice>,
    /// Column (or JSON member) with the expected solutions: its name, or its number from 1 [default: detected]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME|NUMBER", value_parser = parse_column))]
    pub solution_column: Option<ColumnChoice>,
    /// Whether the first row has the names of the columns [default: detected]
    #[cfg_attr(feature = "clap", arg(long, value_name = "yes|no", value_parser = parse_yes_no))]
    pub header: Option<bool>,
    /// Restore the zeros that a spreadsheet has removed from the start of puzzles
    ///
    /// A text of 40 to 80 digits that contains a 0, but does not start with a 0, then becomes a puzzle: zeros are added at its start until
    /// it has 81 digits.
    #[cfg_attr(feature = "clap", arg(long))]
    pub restore_zeros: bool,
    /// Skip this many rows at the start, counted over all inputs
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROWS", default_value_t = 0, value_parser = crate::values::count::<u64>))]
    pub skip: u64,
    /// Stop after this many rows, such as 20000 or 20k
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROWS", value_parser = crate::values::count::<u64>))]
    pub limit: Option<u64>,
}

fn input_format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<InputFormat>, D::Error> {
    as_text::named(deserializer, InputFormat::all(), InputFormat::name)
}

fn delimiter<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| parse_delimiter(&text)).transpose().map_err(serde::de::Error::custom)
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if text.eq_ignore_ascii_case("tab") || text == "\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"\"\r\n".contains(byte) => Ok(*byte),
        _ => {
            Err("write `tab`, or one ASCII character that is not a letter, digit, quote or line end"
                .to_owned())
        }
    }
}

#[cfg(feature = "clap")]
fn input_formats() -> impl TypedValueParser<Value = InputFormat> {
    PossibleValuesParser::new(InputFormat::all().map(InputFormat::name))
        .try_map(|name| name.parse::<InputFormat>())
}

#[cfg(feature = "clap")]
fn parse_column(text: &str) -> Result<ColumnChoice, String> {
    match ColumnChoice::from(text) {
        ColumnChoice::Number(0) => Err("columns are numbered from 1".to_owned()),
        choice => Ok(choice),
    }
}

#[cfg(feature = "clap")]
fn parse_yes_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("write yes or no".to_owned()),
    }
}
