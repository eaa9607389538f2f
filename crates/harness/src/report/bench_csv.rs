//! Records as CSV: one row for each pair of a solver and a dataset. The numbers are not formatted for readers.
//!
//! ```text
//! the pair | figures of all pairs | if a record is of `judge`: figures of programs, and one column for each verdict
//!          | if a measurement has a spread over forms: figures of forms | one column for each budget
//!          | figures that only some measurements have
//! ```

use std::collections::BTreeSet;
use std::io::{self, Write};

use strum::VariantArray as _;

use super::export_csv::{ExportCsv, optional};
use crate::record::registry::{CsvGroup, FIGURES, Figure};
use crate::record::{BenchRecord, Measurement, PairRecord, Verdict};

/// The columns about the pair itself.
const IDENTITY: [&str; 6] = ["solver", "dataset", "kind", "max_solutions", "threads", "error"];

enum Column {
    Figure(&'static Figure),
    /// Number of puzzles with this verdict of the judge.
    Verdict(Verdict),
    /// Number of puzzles within this budget. The budget is in nanoseconds.
    Within(u64),
}

impl Column {
    fn name(&self) -> String {
        match self {
            Column::Figure(figure) => figure.csv.to_owned(),
            Column::Verdict(verdict) => verdict.letters().to_lowercase(),
            Column::Within(limit_ns) => format!("within_{limit_ns}_ns"),
        }
    }

    fn text(&self, measurement: &Measurement) -> String {
        let count = match *self {
            Column::Figure(figure) => return figure.text(measurement),
            Column::Verdict(verdict) => measurement.judge.as_ref().map(|judge| judge.with_verdict(verdict)),
            Column::Within(limit_ns) => {
                let budget = measurement.budgets.iter().find(|budget| budget.limit_ns == limit_ns);
                budget.map(|budget| budget.within)
            }
        };
        optional(count)
    }
}

/// Returns the columns that are needed for the measurements of these records.
fn columns(records: &[BenchRecord]) -> Vec<Column> {
    let measured =
        || records.iter().flat_map(|record| &record.pairs).filter_map(|pair| pair.measurement.as_ref());
    let of_group = |group| {
        let figures =
            FIGURES.iter().filter(move |figure| figure.csv_group == group && !figure.csv.is_empty());
        figures.map(|&figure| Column::Figure(figure))
    };
    let mut columns: Vec<Column> = of_group(CsvGroup::All).collect();
    if records.iter().any(BenchRecord::is_judged) {
        columns.extend(of_group(CsvGroup::Judged));
        columns.extend(Verdict::VARIANTS.iter().map(|&verdict| Column::Verdict(verdict)));
    }
    if measured().any(|measurement| measurement.spread.is_some()) {
        columns.extend(of_group(CsvGroup::Forms));
    }
    let budgets: BTreeSet<u64> =
        measured().flat_map(|measurement| &measurement.budgets).map(|budget| budget.limit_ns).collect();
    columns.extend(budgets.into_iter().map(Column::Within));
    let is_known = |column: &Column| measured().any(|measurement| !column.text(measurement).is_empty());
    columns.extend(of_group(CsvGroup::IfKnown).filter(is_known));
    columns
}

/// Writes the pairs of all records, record by record.
///
/// # Errors
/// If `out` can't be written.
pub fn write_bench_csv(out: &mut impl Write, records: &[BenchRecord]) -> io::Result<()> {
    let columns = columns(records);
    let mut writer =
        ExportCsv::new(out, IDENTITY.map(str::to_owned).into_iter().chain(columns.iter().map(Column::name)))?;
    for pair in records.iter().flat_map(|record| &record.pairs) {
        let texts = columns.iter().map(|column| {
            pair.measurement.as_ref().map_or(String::new(), |measurement| column.text(measurement))
        });
        writer.write_row(identity(pair).into_iter().chain(texts))?;
    }
    writer.flush()
}

fn identity(pair: &PairRecord) -> [String; IDENTITY.len()] {
    [
        pair.solver.clone(),
        pair.dataset.clone(),
        pair.kind.name().to_owned(),
        pair.max_solutions.to_string(),
        pair.threads.to_string(),
        optional(pair.error.as_ref()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;

    #[test]
    fn a_record_as_csv() {
        let mut out = Vec::new();
        write_bench_csv(&mut out, &[fixtures::bench_record()]).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap());
    }

    #[test]
    fn one_round_has_no_bounds() {
        let mut record = fixtures::bench_record();
        record.pairs.truncate(1);
        record.pairs[0].measurement.as_mut().unwrap().rounds.truncate(1);
        let mut out = Vec::new();
        write_bench_csv(&mut out, &[record]).unwrap();
        let mut reader = csv::Reader::from_reader(&out[..]);
        let row: std::collections::HashMap<String, String> = reader.deserialize().next().unwrap().unwrap();
        let shown = ["", "_low", "_high"].map(|of| row[&format!("puzzles_per_second{of}")].as_str());
        assert_eq!((shown, row["rounds"].as_str()), (["1000000", "", ""], "1"));
    }

    #[test]
    fn a_record_of_forms_as_csv() {
        let mut record = fixtures::forms_record();
        record.pairs.truncate(3);
        let mut out = Vec::new();
        write_bench_csv(&mut out, &[record]).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap());
    }

    #[test]
    fn records_of_both_kinds_as_csv() {
        let mut bench = fixtures::bench_record();
        bench.pairs.truncate(1);
        let mut out = Vec::new();
        write_bench_csv(&mut out, &[bench, fixtures::judge_record()]).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap());
    }

    #[test]
    fn figures_without_a_field_come_last() {
        let mut record = fixtures::bench_record();
        let measurement = record.pairs[0].measurement.as_mut().unwrap();
        measurement.figures = [("page_faults", 1.5), ("of a later version", 2.0)]
            .map(|(key, value)| (key.to_owned(), value))
            .into();
        let mut out = Vec::new();
        write_bench_csv(&mut out, &[record]).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let last = |at: usize| lines[at].rsplit(',').next().unwrap();
        assert_eq!([last(0), last(1), last(2)], ["page_faults_per_pass", "1.5", ""], "{text}");
    }
}
