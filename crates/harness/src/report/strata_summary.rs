//! The summaries at the end of `rate --stratify` and `split --stratify`.

use std::fmt::{self, Write as _};

use sudobench_rows::{SplitCounts, SplitStratum, Strata};

use super::escape::visible;
use super::{RowsSummary, count, share};

/// Returns the summary of a run of `rate --stratify` as text: the summary of its rows, and the number of rows of each stratum.
pub fn strata_text(rows: &RowsSummary, strata: &Strata) -> String {
    rows.text_with(|text| {
        let line = |name: &str, rows, drawn: String| Line {
            name: name.to_owned(),
            rows,
            share: share(rows, strata.rows),
            words: format!("{drawn} drawn"),
        };
        let known = strata.strata.iter().map(|found| line(&found.value, found.found, count(found.drawn)));
        let others = Some(strata.others()).filter(|&rows| rows > 0);
        let others = others.map(|rows| line("none", rows, "none".to_owned()));
        write_lines(&known.chain(others).collect::<Vec<_>>(), text)
    })
}

/// A line of a summary: a stratum and its rows.
struct Line {
    name: String,
    rows: u64,
    share: String,
    words: String,
}

fn write_lines(lines: &[Line], text: &mut String) -> fmt::Result {
    let width = lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0).max(11);
    lines.iter().try_for_each(|Line { name, rows, share, words }| {
        writeln!(text, "  {name:<width$} {:>13}  {share:>8}  {words}", count(*rows))
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
    let line = |stratum: &SplitStratum| Line {
        name: name(&stratum.value),
        rows: stratum.rows,
        share: share(stratum.test, stratum.rows),
        words: format!("{} in the test data", count(stratum.test)),
    };
    write_lines(&counts.strata.iter().map(line).collect::<Vec<_>>(), text)
}
