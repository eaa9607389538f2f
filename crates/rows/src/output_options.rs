//! The options of a job for its output.

use std::num::NonZeroU64;
use std::path::PathBuf;

#[cfg(feature = "clap")]
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Deserializer};

use crate::as_text;
use crate::sink::OutputFormat;
#[cfg(feature = "clap")]
use crate::sink::usual_endings;

/// The destination, the format and the content of the output.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Output"))]
pub struct OutputOptions {
    /// The file to write instead of standard output. Its extension sets the format and compression.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "FILE", help = OUTPUT, long_help = output_help()))]
    pub output: Option<PathBuf>,
    /// Format of the output [default: from the extension of the output, otherwise csv]
    #[serde(deserialize_with = "output_format")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORMAT", value_parser = output_formats()))]
    pub output_format: Option<OutputFormat>,
    /// Columns to add, in this order, separated by commas; or `all` or `none`
    ///
    /// The columns are listed at the end of this text.
    #[serde(deserialize_with = "columns")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST"))]
    pub columns: Option<String>,
    /// Write only the rows that meet this condition, such as unique,multiple or clues=17..20. Repeatable
    ///
    /// A condition is a list of statuses: a row must have one of them. In this list, `mismatch` means match=no: the answer differs from the
    /// expected solution. A condition can also be NAME=VALUES for a column, such as difficulty=depth2,depth3: the row must have one of the
    /// values. NAME!=VALUES means the opposite, and input.NAME is a column of the input. If there are several conditions, a row must meet
    /// all of them.
    #[serde(deserialize_with = "conditions")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CONDITION"))]
    pub only: Vec<String>,
    /// Sort the rows by these columns; write -NAME for descending order
    ///
    /// NAME is a column that can be added, and input.NAME is a column of the input. Separate several names with commas. Numbers are sorted
    /// as numbers. The values of a column with a fixed list of values, such as difficulty, are sorted in the order of this list. Rows
    /// without a value come last, and equal rows keep their order.
    #[serde(deserialize_with = "columns")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", allow_hyphen_values = true))]
    pub order_by: Option<String>,
    /// Write only the first N rows in the order of --order-by
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub top: Option<NonZeroU64>,
    /// Write only N rows, drawn at random from the rows that --only keeps
    ///
    /// Every choice of N rows is equally likely. The rows keep the order of the input, unless there is --order-by.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub sample: Option<NonZeroU64>,
    /// Seed of the random choice of --sample [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::count::<u64>))]
    pub seed: Option<u64>,
    /// Replace existing files: the output, the partial output of an interrupted run, and all other files that this command writes. Without
    /// this option, a run replaces only the export files of an earlier run
    #[cfg_attr(feature = "clap", arg(long))]
    pub force: bool,
    /// Continue an interrupted run with the same input and options; if there is none, start the run
    ///
    /// After a complete run with --resume, the file FILE.resume.json stays beside the output. The same command then does nothing and exits
    /// with the same code. A different command with this output is refused.
    #[cfg_attr(feature = "clap", arg(long))]
    pub resume: bool,
    /// Do not wait until the output file is stored on the disk
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_sync: bool,
}

#[cfg(feature = "clap")]
const OUTPUT: &str =
    "Write to this file instead of standard output; its extension sets the format and compression";

#[cfg(feature = "clap")]
fn output_help() -> String {
    format!(
        "{OUTPUT}\n\nThe usual extensions are {}. Add .gz or .zst to a text format to compress it. The file is written as FILE.partial and \
         gets its name once it is complete. `score` and `overlap` write rows only with this option.",
        usual_endings("and")
    )
}

fn output_format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<OutputFormat>, D::Error> {
    as_text::named(deserializer, OutputFormat::all(), OutputFormat::name)
}

/// Reads names of columns: a list, or one text.
fn columns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(as_text::texts(deserializer)?.map(|names| names.join(",")))
}

/// Reads conditions: a list, or one text. If the list has several conditions of the short form, such as `unique` and `multiple`, they
/// become one condition.
fn conditions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let texts = as_text::texts(deserializer)?.unwrap_or_default();
    let (mut conditions, words): (Vec<String>, Vec<String>) =
        texts.into_iter().partition(|text| text.contains('='));
    if !words.is_empty() {
        conditions.push(words.join(","));
    }
    Ok(conditions)
}

#[cfg(feature = "clap")]
fn output_formats() -> impl TypedValueParser<Value = OutputFormat> {
    let value = |format: OutputFormat| PossibleValue::new(format.name()).help(format.about);
    PossibleValuesParser::new(OutputFormat::all().map(value)).try_map(|name| name.parse::<OutputFormat>())
}
