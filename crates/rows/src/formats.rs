//! The formats of other packages.
//!
//! Parsers of command lines and JSON find a format by its name alone. Therefore there is one list of added formats for the whole process.

use crate::sink::{self, OutputFormat};
use crate::source::{self, TypedFormat};

/// Adds the formats of another package. Call it once, before any format is parsed. Only the first call has an effect.
pub fn add_formats(inputs: &'static [TypedFormat], outputs: &'static [OutputFormat]) {
    source::add_typed(inputs);
    sink::add(outputs.to_vec());
}
