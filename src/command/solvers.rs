//! `sudobench solvers`: lists the built-in solvers.

use sudobench_sudoku::solver;

use super::export::print_result;
use super::{Exit, terminal};
use sudobench_harness::report::wrapped;

/// Minimum width of the descriptions next to the names.
const NARROWEST: usize = 30;

/// Lists the built-in solvers. Lines are wrapped only on a terminal or if `COLUMNS` is set, so that scripts can parse them.
pub(super) fn run() -> anyhow::Result<Exit> {
    print_result(&listing(terminal::stdout_width().unwrap_or(usize::MAX)))?;
    Ok(Exit::Fine)
}

/// Lists the solvers in lines of at most `width` columns. Descriptions are next to the names, or below them if the terminal is narrow.
fn listing(width: usize) -> String {
    let widest =
        |text: fn(&solver::Variant) -> &str| solver::listed().map(text).map(str::len).max().unwrap_or(0);
    let (names, classes) = (widest(|variant| variant.name), widest(|variant| variant.class.name()));
    let indent = names + classes + 4;
    let mut text = String::new();
    for variant in solver::listed() {
        let (name, class) = (variant.name, variant.class.name());
        let what = format!("{} [{}]", variant.summary, variant.source);
        match width >= indent + NARROWEST {
            true => {
                let first = format!("{name:names$}  {class:classes$}  ");
                text.push_str(&wrapped(&what, width, &first, &" ".repeat(indent)));
            }
            false => {
                text.push_str(&format!("{name}  {class}\n"));
                text.push_str(&wrapped(&what, width, "    ", "    "));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_begins_a_line_of_the_listing() {
        for width in [30, 40, 60, 80, 120, usize::MAX] {
            let listing = listing(width);
            for variant in solver::listed() {
                let start = format!("{} ", variant.name);
                assert_eq!(listing.lines().filter(|line| line.starts_with(&start)).count(), 1, "{listing}");
            }
            assert!(listing.lines().all(|line| line.len() <= width), "{listing}");
        }
    }
}
