//! Where the output of a job goes, and how it looks.

use std::num::NonZeroU64;
use std::path::PathBuf;

#[cfg(feature = "clap")]
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Deserializer};

use crate::as_text;
use crate::sink::OutputFormat;

/// Where the output goes, and how it looks.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Output"))]
pub struct OutputOptions {
    /// Write to this file, through FILE.partial, instead of standard output; .jsonl is JSONL, .parquet Parquet, .arrow or .feather Arrow,
    /// .txt lines, .npy an array, and .gz or .zst behind a name of text compresses
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "FILE"))]
    pub output: Option<PathBuf>,
    /// The output's format, whatever the output's name says [default: as that says, else csv]
    #[serde(deserialize_with = "output_format")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORMAT", value_parser = output_formats()))]
    pub output_format: Option<OutputFormat>,
    /// The columns to add, in order, separated by commas, or `all` or `none`; they are listed below
    #[serde(deserialize_with = "columns")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST"))]
    pub columns: Option<String>,
    /// Write only the rows that meet this condition: statuses such as unique,multiple (`mismatch`: unlike the expected solution), or
    /// NAME=VALUES on a column, such as clues=17..20 or difficulty=depth2,depth3. NAME!=VALUES is the opposite, input.NAME a column of the
    /// input. Of several, all must hold
    #[serde(deserialize_with = "conditions")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CONDITION"))]
    pub only: Vec<String>,
    /// Order the rows by a column of the verb or of the input (input.NAME), or by several, separated by commas; -NAME is descending.
    /// Numbers compare as numbers, words in the order of the column's description; rows without a value come last, and equal rows stay in
    /// their order
    #[serde(deserialize_with = "columns")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", allow_hyphen_values = true))]
    pub order_by: Option<String>,
    /// Write only the first rows in the order of --order-by
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub top: Option<NonZeroU64>,
    /// Write only that many rows, drawn at random from those that --only keeps; every choice is as likely as any other. They stay in the
    /// order of the input unless --order-by is given
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub sample: Option<NonZeroU64>,
    /// Decides which rows --sample draws [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub seed: Option<u64>,
    /// Replace the output file if it exists, and exports whatever they are
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "resume"))]
    pub force: bool,
    /// Continue an interrupted run of the same input and flags, or start one. A run with --resume leaves FILE.resume.json beside its
    /// complete output: with it, the same command does nothing and ends with the same exit code, and another command is refused
    #[cfg_attr(feature = "clap", arg(long, requires = "output"))]
    pub resume: bool,
    /// Do not wait for the output file to reach the disk
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_sync: bool,
}

fn output_format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<OutputFormat>, D::Error> {
    as_text::named(deserializer, OutputFormat::all(), OutputFormat::name)
}

/// Reads names of columns: a list, or one text.
fn columns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(as_text::texts(deserializer)?.map(|names| names.join(",")))
}

/// Reads conditions: a list, or one text. Words of the short form that are given one by one are one condition.
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
    let value = |format: OutputFormat| PossibleValue::new(format.name()).help(format.about());
    PossibleValuesParser::new(OutputFormat::all().map(value)).try_map(|name| name.parse::<OutputFormat>())
}
