//! The summary at the end of `rate --stratify`.

use std::fmt;

use sudobench_rows::Strata;

use super::rows_summary::write_wrapped;
use super::{RowsSummary, count, share};

/// The summary of a run of `rate --stratify`, for a terminal.
#[derive(Debug)]
pub struct StrataSummary<'t> {
    /// Summary of the rows.
    pub rows: RowsSummary<'t>,
    /// Number of rows of each stratum.
    pub strata: Strata,
}

impl fmt::Display for StrataSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_wrapped(&fmt::from_fn(|f| self.write_lines(f)), self.rows.width, f)
    }
}

impl StrataSummary<'_> {
    /// Writes the summary without wrapping its lines.
    fn write_lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.write_lines(f)?;
        let strata = &self.strata;
        let width = strata.strata.iter().map(|stratum| stratum.value.len()).max().unwrap_or(0).max(11);
        for stratum in &strata.strata {
            let (found, drawn) = (count(stratum.found), count(stratum.drawn));
            let share = share(stratum.found, strata.rows);
            writeln!(f, "  {:<width$} {found:>13}  {share:>8}  {drawn} drawn", stratum.value)?;
        }
        if strata.others() > 0 {
            let (others, share) = (strata.others(), share(strata.others(), strata.rows));
            writeln!(f, "  {:<width$} {:>13}  {share:>8}  none drawn", "none", count(others))?;
        }
        Ok(())
    }
}
