//! `sudobench history`: the trend over the runs of a history.

use std::path::Path;
use sudobench_rows::is_standard;

use super::export::{Exports, Kind};
use super::{Exit, UsageError, terminal};
use crate::cli::HistoryArgs;
use sudobench_harness::analysis;
use sudobench_harness::record::{History, HistoryError, read_stored, read_stored_file};
use sudobench_harness::report;

pub(super) fn run(typed: &HistoryArgs) -> anyhow::Result<Exit> {
    let asked = [(Kind::Html, &typed.export_html)];
    let exports = Exports::open(asked, typed.force, [typed.file.as_path()])?;
    let (mut history, name) = read(&typed.file)?;
    choose(&mut history, &typed.solvers)?;
    let trends = analysis::trends(&history.entries);
    exports.write_text(Kind::Html, || report::history_page(&history, &trends, &name))?;
    let text = report::history_text(&history, &trends, terminal::stdout_width().unwrap_or(usize::MAX));
    exports.print(&text, true)?;
    Ok(Exit::Fine)
}

/// Reads a history. Returns the history and the name of its source, for messages.
fn read(path: &Path) -> Result<(History, String), HistoryError> {
    let is_stdin = is_standard(path);
    let name = if is_stdin { "standard input".to_owned() } else { path.display().to_string() };
    let read = if is_stdin { read_stored(std::io::stdin().lock()) } else { read_stored_file(path) };
    let bytes = read.map_err(|source| HistoryError::Read { path: name.clone(), source })?;
    Ok((History::parse(&bytes, &name)?, name))
}

/// Removes the results of all solvers that are not in `solvers`. Removes nothing if `solvers` is empty.
///
/// # Errors
/// [`UsageError`] if `solvers` has the name of a solver without results in the history.
fn choose(history: &mut History, solvers: &[String]) -> Result<(), UsageError> {
    let mut known: Vec<&str> = Vec::new();
    for pair in history.entries.iter().flat_map(|entry| &entry.pairs) {
        if !known.contains(&pair.solver.as_str()) {
            known.push(&pair.solver);
        }
    }
    if let Some(unknown) = solvers.iter().find(|name| !known.contains(&name.as_str())) {
        let message = format!("no run has a solver `{unknown}`; choose from: {}", known.join(", "));
        return Err(UsageError(message));
    }
    if !solvers.is_empty() {
        for entry in &mut history.entries {
            entry.pairs.retain(|pair| solvers.contains(&pair.solver));
        }
    }
    Ok(())
}
