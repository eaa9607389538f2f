//! The summary at the end of `rate --stratify`.

use std::fmt::Write as _;

use sudobench_rows::Strata;

use super::{RowsSummary, count, share};

/// Returns the summary of a run of `rate --stratify` as text: the summary of its rows, and the number of rows of each stratum.
pub fn strata_text(rows: &RowsSummary, strata: &Strata) -> String {
    rows.text_with(|text| {
        let width = strata.strata.iter().map(|stratum| stratum.value.len()).max().unwrap_or(0).max(11);
        for stratum in &strata.strata {
            let (found, drawn) = (count(stratum.found), count(stratum.drawn));
            let share = share(stratum.found, strata.rows);
            writeln!(text, "  {:<width$} {found:>13}  {share:>8}  {drawn} drawn", stratum.value)?;
        }
        if strata.others() > 0 {
            let (others, share) = (strata.others(), share(strata.others(), strata.rows));
            writeln!(text, "  {:<width$} {:>13}  {share:>8}  none drawn", "none", count(others))?;
        }
        Ok(())
    })
}
