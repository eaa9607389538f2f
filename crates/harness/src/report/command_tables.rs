//! Reports a record of `bench --command`: for a terminal, as Markdown, CSV and an HTML page.

use std::io::{self, Write};

use maud::html;

use super::export_csv::{ExportCsv, optional};
use super::figure_cell::{time_cell, unit_cell};
use super::grid::{Cell, Grid, markdown_report};
use super::html::{page, table};
use super::record_tables::conditions;
use super::units;
use crate::record::registry::{PEAK_MEMORY, Unit};
use crate::record::{CommandResult, CommandsRecord};
use crate::statistics::Interval;

/// Minimum number of runs for a reliable interval. With fewer runs, intervals are too narrow.
const RELIABLE_RUNS: usize = crate::statistics::ENOUGH_VALUES;

/// Returns the table as text, in lines of at most `width` columns.
pub fn commands_text(record: &CommandsRecord, width: usize) -> String {
    grid(record).text(width)
}

/// Returns the table as Markdown.
pub fn commands_markdown(record: &CommandsRecord) -> String {
    markdown_report("sudobench bench", &conditions_of(record), [&grid(record)])
}

/// Returns the table as an HTML page.
pub fn commands_page(record: &CommandsRecord) -> String {
    page("sudobench report", "", &html! { (table(&grid(record))) p.note { (conditions_of(record)) } })
}

/// Writes a CSV row for each command, with times in seconds.
///
/// # Errors
/// If `out` can't be written.
pub fn write_commands_csv(out: &mut impl Write, record: &CommandsRecord) -> io::Result<()> {
    let mut writer = ExportCsv::new(out, CSV.map(|(name, _)| name))?;
    for it in &record.results {
        writer.write_row(CSV.map(|(_, value)| value(it)))?;
    }
    for it in &record.failures {
        let cells = [it.name.as_str(), &it.command, &it.error];
        writer.write_row(cells.into_iter().chain([""; CSV.len() - 3]))?;
    }
    writer.flush()
}

/// The name of a column, and the function that makes its value for a command.
type Column<T> = (&'static str, fn(&CommandResult) -> T);

/// The columns of CSV. A command that failed has values only in the first three columns.
const CSV: [Column<String>; 17] = [
    ("name", |it| it.name.clone()),
    ("command", |it| it.command.clone()),
    ("error", |_| String::new()),
    ("runs", |it| it.times.len().to_string()),
    ("mean", |it| it.mean.to_string()),
    ("stddev", |it| optional(it.stddev)),
    ("median", |it| it.median.to_string()),
    ("median_low", |it| it.median_interval.low.to_string()),
    ("median_high", |it| it.median_interval.high.to_string()),
    ("min", |it| it.min.to_string()),
    ("max", |it| it.max.to_string()),
    ("user", |it| it.user.to_string()),
    ("system", |it| it.system.to_string()),
    (PEAK_MEMORY.csv, |it| optional(peak_memory(it))),
    ("ratio", |it| optional(it.ratio.map(|ratio| ratio.median))),
    ("ratio_low", |it| optional(it.ratio.map(|ratio| ratio.low))),
    ("ratio_high", |it| optional(it.ratio.map(|ratio| ratio.high))),
];

fn conditions_of(record: &CommandsRecord) -> String {
    conditions(&record.machine, &record.build, &record.noise, (&record.started, record.seed))
}

fn grid(record: &CommandsRecord) -> Grid {
    let mut grid = Grid::new("Commands, wall time", &COLUMNS.map(|(header, _)| header));
    grid.rows = record.results.iter().map(|it| COLUMNS.map(|(_, cell)| cell(it)).to_vec()).collect();
    if record.interrupted {
        grid.lead.push("the run was interrupted".to_owned());
    }
    grid.notes.extend(record.failures.iter().map(|it| format!("{}: {}", it.name, it.error)));
    if record.results.iter().any(|it| it.times.len() < RELIABLE_RUNS) {
        grid.note(format!(
            "intervals of fewer than {RELIABLE_RUNS} runs are too narrow: raise --rounds or --max-time-per-pair"
        ));
    }
    if record.results.iter().any(|it| peak_memory(it).is_none()) {
        grid.note(
            "the peak memory of a command is unknown if it is below that of the small process that starts the commands",
        );
    }
    grid
}

/// The columns of the table. The fastest command has no stored ratio; the table shows 1.00x for it.
const COLUMNS: [Column<Cell>; 13] = [
    ("command", |it| Cell::from(it.name.as_str())),
    ("runs", |it| Cell::count(it.times.len() as u64)),
    ("median", |it| seconds(it.median)),
    ("95%", |it| interval(it.median_interval, |time| seconds(time).text)),
    ("mean", |it| seconds(it.mean)),
    ("deviation", |it| it.stddev.map_or_else(Cell::none, seconds)),
    ("min", |it| seconds(it.min)),
    ("max", |it| seconds(it.max)),
    ("user", |it| seconds(it.user)),
    ("system", |it| seconds(it.system)),
    (PEAK_MEMORY.label, |it| {
        peak_memory(it).map_or_else(Cell::none, |bytes| unit_cell(PEAK_MEMORY.unit, bytes as f64))
    }),
    ("over fastest", |it| unit_cell(Unit::Multiple, it.ratio.map_or(1.0, |ratio| ratio.median))),
    ("95%", |it| it.ratio.map_or_else(Cell::none, |ratio| interval(ratio, units::multiple))),
];

fn interval(bounds: Interval, shown: fn(f64) -> String) -> Cell {
    Cell::from(format!("[{}, {}]", shown(bounds.low), shown(bounds.high)))
}

fn seconds(seconds: f64) -> Cell {
    time_cell(seconds * 1e9)
}

/// Returns the largest peak memory among all runs of the command, in bytes.
fn peak_memory(it: &CommandResult) -> Option<u64> {
    it.memory_usage_byte.as_ref().and_then(|peaks| peaks.iter().copied().max())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;
    use crate::report::commands_junit;

    #[test]
    fn a_record_of_commands_in_all_formats() {
        let record = fixtures::commands_record();
        let mut csv = Vec::new();
        write_commands_csv(&mut csv, &record).unwrap();
        let csv = String::from_utf8(csv).unwrap();
        let (text, markdown) = (commands_text(&record, usize::MAX), commands_markdown(&record));
        insta::assert_snapshot!([text, markdown, csv, commands_junit(&record).unwrap()].join("\n----\n"));
        let page = commands_page(&record);
        assert!(page.contains("&lt;b&gt;slow") && !page.contains("<b>"), "{page}");
    }

    #[test]
    fn a_record_of_commands_is_unchanged_when_written_and_read() {
        let record = serde_json::to_value(fixtures::commands_record()).unwrap();
        assert_eq!(serde_json::from_value::<CommandsRecord>(record).unwrap(), fixtures::commands_record());
    }
}
