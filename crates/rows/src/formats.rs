//! The formats of other packages.
//!
//! Parsers of command lines and of JSON find a format by its name and know nothing but the name. Therefore the formats that a
//! program adds are one list for the whole process.

use crate::sink::{self, OutputFormat};
use crate::source::{self, TypedFormat};

/// Adds formats of another package to those of this one. Call it once, before a format is named: only the first call has an effect.
pub fn add_formats(inputs: &'static [TypedFormat], outputs: &'static [OutputFormat]) {
    source::add_typed(inputs);
    sink::add(outputs);
}
