//! The summaries at the end of `rate --stratify` and `split --stratify`.

use std::fmt::{self, Write as _};

use sudobench_rows::{SplitCounts, Strata};

use super::escape::visible;
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

/// Returns the summary of a run of `split --stratify` with one output as text: the summary of its rows, and the counts of the split.
pub fn split_text(rows: &RowsSummary, counts: &SplitCounts) -> String {
    rows.text_with(|text| write_split(counts, text))
}

/// Returns the counts of `split --stratify` as text: the number of classes, and for each stratum its rows and its test rows.
pub fn split_counts_text(counts: &SplitCounts) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_split(counts, &mut text);
    text
}

fn write_split(counts: &SplitCounts, text: &mut String) -> fmt::Result {
    let (classes, groups) = (count(counts.classes), count(counts.groups));
    writeln!(
        text,
        "  {:<11} {classes:>13}  each on one side; {groups} of them have several rows",
        "classes"
    )?;
    let name =
        |value: &str| if value.is_empty() { "(no value)".to_owned() } else { visible(value).into_owned() };
    let names: Vec<String> = counts.strata.iter().map(|stratum| name(&stratum.value)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(11);
    for (stratum, name) in counts.strata.iter().zip(&names) {
        let (rows, test, share) =
            (count(stratum.rows), count(stratum.test), share(stratum.test, stratum.rows));
        writeln!(text, "  {name:<width$} {rows:>13}  {share:>8}  {test} in the test data")?;
    }
    Ok(())
}
