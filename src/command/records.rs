//! Reads the records that the command line names.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sudobench_rows::is_standard;

use super::UsageError;
use sudobench_harness::record::{BenchRecord, read_stored, stored_text};

const STANDARD_INPUT: &str = "standard input";

/// Reads records of `bench` or `judge`, and returns them with their names. `-` is standard input.
///
/// # Errors
///
/// If a record can't be read, or standard input is named twice.
pub(super) fn read_records(paths: &[PathBuf]) -> anyhow::Result<(Vec<BenchRecord>, Vec<String>)> {
    if paths.iter().filter(|path| is_standard(path)).count() > 1 {
        return Err(UsageError("standard input can have only one record: name `-` once".to_owned()).into());
    }
    let records = paths.iter().map(|path| read_record(path)).collect::<anyhow::Result<_>>()?;
    Ok((records, paths.iter().map(|path| name(path)).collect()))
}

fn read_record(path: &Path) -> anyhow::Result<BenchRecord> {
    if !is_standard(path) {
        return Ok(BenchRecord::read(path)?);
    }
    let text = read_stored(std::io::stdin().lock()).and_then(stored_text);
    let text = text.with_context(|| format!("cannot read {STANDARD_INPUT}"))?;
    Ok(BenchRecord::parse(&text, STANDARD_INPUT)?)
}

fn name(path: &Path) -> String {
    if is_standard(path) { STANDARD_INPUT.to_owned() } else { path.display().to_string() }
}
