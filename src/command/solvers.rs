//! `sudobench solvers`: lists the registry.

use sudobench_sudoku::solver;

use super::export::print;
use super::{Exit, terminal};
use crate::report::wrapped;

/// Prints a line for each variant; lines are wrapped on a terminal alone, so that scripts can split them.
///
/// # Errors
/// Where standard output cannot be written.
pub(super) fn run() -> anyhow::Result<Exit> {
    let mut text = String::new();
    let width =
        |text: fn(&solver::Variant) -> &str| solver::listed().map(text).map(str::len).max().unwrap_or(0);
    let (names, classes) = (width(|variant| variant.name), width(|variant| variant.class.name()));
    let indent = names + classes + 4;
    let room = terminal::width().map_or(usize::MAX, |width| width.saturating_sub(indent).max(20));
    for variant in solver::listed() {
        let (name, class) = (variant.name, variant.class.name());
        let lines = wrapped(&format!("{} [{}]", variant.summary, variant.source), room);
        let what = lines.join(&format!("\n{:indent$}", ""));
        text.push_str(&format!("{name:names$}  {class:classes$}  {what}\n"));
    }
    print(&text)?;
    Ok(Exit::Fine)
}
