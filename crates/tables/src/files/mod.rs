//! Reads and writes table files: Parquet and Arrow.
//!
//! ```text
//! table_source    a file whose rows are in groups, as a source of rows; a format implements TableFile
//! output          the record batches that a run writes
//! parquet_source, parquet_sink    Parquet
//! arrow_source, arrow_sink        Arrow, also called Feather
//! text, values    rows of a table as lines of CSV
//! sizes           size of rows as text; slices of arrays without the memory of rows outside the slice
//! seconds         times in seconds, for Parquet
//! ```

mod arrow_sink;
mod arrow_source;
mod output;
mod parquet_sink;
mod parquet_source;
mod seconds;
mod sizes;
mod table_source;
mod text;
mod values;

use sudobench_rows::sink::OutputFormat;
use sudobench_rows::source::TypedFormat;

/// Parquet as an output.
pub const PARQUET: OutputFormat = OutputFormat::new(&parquet_sink::PARQUET);

/// Arrow files as an output.
pub const ARROW: OutputFormat = OutputFormat::new(&arrow_sink::ARROW);

// Table formats as inputs and outputs. Help texts and messages list the formats in this order.
const INPUTS: &[TypedFormat] = &[parquet_source::PARQUET, arrow_source::ARROW];
const OUTPUTS: &[OutputFormat] = &[PARQUET, ARROW];

/// Registers Parquet and Arrow as formats of inputs and outputs. Afterwards, jobs, sources and sinks know them by their names: see
/// [`sudobench_rows::add_formats`].
///
/// Decoders may panic on a damaged file. Such a panic becomes an error. When the first file is read, a panic hook is set for the whole
/// process, so that these panics are not printed. The hook passes all other panics to the previous hook.
pub fn add_formats() {
    sudobench_rows::add_formats(INPUTS, OUTPUTS);
}
