//! The width of the terminal.

use terminal_size::{Height, Width, terminal_size_of};

/// Maximum width of a progress bar in columns.
const BAR_WIDTH: usize = 40;

/// Returns the width of standard output in columns; `None` if it is unknown or 0. The variable `COLUMNS` has priority.
pub(super) fn stdout_width() -> Option<usize> {
    columns(terminal_size_of(std::io::stdout()))
}

/// Returns the width of standard error in columns; `None` if it is unknown or 0. The variable `COLUMNS` has priority.
pub(super) fn stderr_width() -> Option<usize> {
    columns(terminal_size_of(std::io::stderr()))
}

/// Returns the width of a progress bar, which leaves room for the text next to it.
pub(super) fn bar_width() -> usize {
    stderr_width().map_or(BAR_WIDTH, |columns| (columns / 4).min(BAR_WIDTH))
}

/// Returns the value of the variable `COLUMNS` if it is a number, and otherwise the width of the terminal; `None` for 0. If the output goes
/// to a pager, its width is unknown, so users can set `COLUMNS`, as for other programs.
fn columns(found: Option<(Width, Height)>) -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let found = found.map(|(width, _)| usize::from(width.0));
    said.or(found).filter(|&columns| columns > 0)
}
