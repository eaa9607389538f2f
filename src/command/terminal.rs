//! The terminal that standard output is, if it is one.

/// How many characters a line holds where there is no terminal.
pub(super) const USUAL_WIDTH: usize = 80;

/// How many characters a line of the terminal holds.
pub(super) fn width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some(usize::from(width.0))
}
