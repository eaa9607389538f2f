//! `sudobench solvers`: lists the registry.

use std::io::Write;

use sudobench_sudoku::solver;

use super::Exit;

/// Prints a line for each variant.
///
/// # Errors
/// Where standard output cannot be written.
pub(super) fn run() -> anyhow::Result<Exit> {
    let mut out = std::io::stdout().lock();
    let width =
        |text: fn(&solver::Variant) -> &str| solver::listed().map(text).map(str::len).max().unwrap_or(0);
    let (names, classes) = (width(|variant| variant.name), width(|variant| variant.class.name()));
    for variant in solver::listed() {
        let (name, class) = (variant.name, variant.class.name());
        writeln!(out, "{name:names$}  {class:classes$}  {} [{}]", variant.summary, variant.source)?;
    }
    Ok(Exit::Fine)
}
