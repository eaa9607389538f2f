//! Reports a record of `bench --command`: for a terminal, as Markdown, CSV, JUnit and an HTML page.

use std::io::{self, Write};
use std::time::Duration;

use maud::html;
use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::export_csv::ExportCsv;
use super::figure_cell::{shown, time_cell};
use super::grid::{Cell, Grid};
use super::html::{page, table};
use super::junit::{case, failed};
use super::record_tables::conditions;
use super::{count, counted, escape, units};
use crate::record::registry::Unit;
use crate::record::{CommandResult, CommandsRecord};

/// Minimum number of runs for a reliable interval. With fewer runs, intervals are too narrow.
const FEW: usize = crate::statistics::ENOUGH_VALUES;

/// Returns the table as text, in lines of at most `width` columns.
pub fn commands_text(record: &CommandsRecord, width: usize) -> String {
    grid(record).text(width)
}

/// Returns the table as Markdown.
pub fn commands_markdown(record: &CommandsRecord) -> String {
    let conditions = escape::markdown_paragraph(&conditions_of(record));
    format!("## sudobench bench\n\n{conditions}\n\n{}", grid(record).markdown())
}

/// Returns the table as an HTML page.
pub fn commands_page(record: &CommandsRecord) -> String {
    page("sudobench report", &html! { (table(&grid(record))) p.note { (conditions_of(record)) } })
}

/// Writes a CSV row for each command, with times in seconds.
///
/// # Errors
/// If `out` can't be written.
pub fn write_commands_csv(out: &mut impl Write, record: &CommandsRecord) -> io::Result<()> {
    let mut writer = ExportCsv::new(out);
    writer.write_row([
        "name",
        "command",
        "error",
        "runs",
        "mean",
        "stddev",
        "median",
        "median_low",
        "median_high",
        "min",
        "max",
        "user",
        "system",
        "peak_memory_bytes",
        "ratio",
        "ratio_low",
        "ratio_high",
    ])?;
    for it in &record.results {
        let number = |value: f64| value.to_string();
        let optional = |value: Option<f64>| value.map_or(String::new(), number);
        let median = it.median_interval;
        let row = [
            it.name.clone(),
            it.command.clone(),
            String::new(),
            it.times.len().to_string(),
            number(it.mean),
            optional(it.stddev),
            number(it.median),
            number(median.low),
            number(median.high),
            number(it.min),
            number(it.max),
            number(it.user),
            number(it.system),
            peak_memory(it).map_or(String::new(), |bytes| bytes.to_string()),
            optional(it.ratio.map(|ratio| ratio.median)),
            optional(it.ratio.map(|ratio| ratio.low)),
            optional(it.ratio.map(|ratio| ratio.high)),
        ];
        writer.write_row(row)?;
    }
    for it in &record.failures {
        let cells = [it.name.as_str(), &it.command, &it.error].into_iter().chain([""; 14]);
        writer.write_row(cells)?;
    }
    writer.flush()
}

/// Returns JUnit XML with a case for each command. If the command failed, its case is an error. The time of a case is the total time of all
/// runs of the command.
///
/// # Errors
///
/// If the XML can't be written, which does not happen in memory.
pub fn commands_junit(record: &CommandsRecord) -> Result<String, SerializeError> {
    let mut suite = TestSuite::new("bench");
    suite.extra.insert("timestamp".into(), escape::visible(&record.started).into_owned().into());
    let measured = record.results.iter().map(|it| {
        let mut case = case("command", &it.name, TestCaseStatus::success());
        case.set_time(Duration::from_secs_f64(it.times.iter().sum::<f64>().clamp(0.0, 1e9)));
        case.set_system_out(format!(
            "{} (median of {})",
            seconds(it.median).text,
            counted(it.times.len() as u64, "run")
        ));
        case
    });
    let failed =
        record.failures.iter().map(|it| case("command", &it.name, failed(NonSuccessKind::Error, &it.error)));
    suite.add_test_cases(measured.chain(failed).collect::<Vec<TestCase>>());
    let mut all = Report::new("sudobench bench");
    all.add_test_suite(suite);
    all.to_string()
}

fn conditions_of(record: &CommandsRecord) -> String {
    conditions(&record.machine, &record.build, &record.noise, (&record.started, record.seed))
}

fn grid(record: &CommandsRecord) -> Grid {
    let headers = [
        "command",
        "runs",
        "median",
        "95%",
        "mean",
        "deviation",
        "min",
        "max",
        "user",
        "system",
        "peak memory",
        "over fastest",
        "95%",
    ];
    let mut grid = Grid::new("Commands, wall time", &headers);
    grid.rows = record.results.iter().map(row).collect();
    if record.interrupted {
        grid.lead.push("the run was interrupted".to_owned());
    }
    grid.notes.extend(record.failures.iter().map(|it| format!("{}: {}", it.name, it.error)));
    if record.results.iter().any(|it| it.times.len() < FEW) {
        grid.notes.push(format!(
            "intervals of fewer than {FEW} runs are too narrow: raise --rounds or --max-time-per-pair"
        ));
    }
    if record.results.iter().any(|it| peak_memory(it).is_none()) {
        grid.notes.push(
            "the peak memory of a command is unknown if it is below that of the small process that starts the commands".to_owned(),
        );
    }
    grid
}

fn row(it: &CommandResult) -> Vec<Cell> {
    let interval = |low: String, high: String| Cell::from(format!("[{low}, {high}]"));
    let bytes = |bytes: u64| Cell::number(bytes as f64, shown(Unit::Bytes)(bytes as f64));
    let median = it.median_interval;
    let [ratio, ratio_interval] = match it.ratio {
        None => [Cell::number(1.0, units::multiple(1.0)), Cell::none()],
        Some(ratio) => [
            Cell::number(ratio.median, units::multiple(ratio.median)),
            interval(units::multiple(ratio.low), units::multiple(ratio.high)),
        ],
    };
    vec![
        Cell::from(it.name.as_str()),
        Cell::number(it.times.len() as f64, count(it.times.len() as u64)),
        seconds(it.median),
        interval(seconds(median.low).text, seconds(median.high).text),
        seconds(it.mean),
        it.stddev.map_or_else(Cell::none, seconds),
        seconds(it.min),
        seconds(it.max),
        seconds(it.user),
        seconds(it.system),
        peak_memory(it).map_or_else(Cell::none, bytes),
        ratio,
        ratio_interval,
    ]
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
    fn a_record_of_commands_keeps_to_its_published_schema() {
        let schema = include_str!("../../../../docs/commands.schema.json");
        let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
        let record = serde_json::to_value(fixtures::commands_record()).unwrap();
        let errors: Vec<String> = schema.iter_errors(&record).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(serde_json::from_value::<CommandsRecord>(record).unwrap(), fixtures::commands_record());
    }
}
