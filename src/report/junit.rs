//! JUnit XML, which most continuous integration shows.

use super::xml::escape;
use crate::gate::{Check, GateReport, Verdict};
use crate::record::{BenchRecord, PairRecord};

/// The verdicts as JUnit XML: a suite for each gate, a case for each pair.
pub fn gate_junit(report: &GateReport) -> String {
    let mut text =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sudobench gate\">\n");
    for gate in ["exact", "paired", "budget"] {
        let checks: Vec<&Check> = report.checks.iter().filter(|check| check.gate == gate).collect();
        if checks.is_empty() {
            continue;
        }
        let with = |verdict| checks.iter().filter(|check| check.verdict == verdict).count();
        text.push_str(&format!(
            "  <testsuite name=\"{gate}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
            checks.len(),
            with(Verdict::Fail),
            with(Verdict::Broken),
            with(Verdict::Inconclusive)
        ));
        checks.iter().for_each(|check| text.push_str(&test_case(check)));
        text.push_str("  </testsuite>\n");
    }
    text + "</testsuites>\n"
}

fn test_case(check: &Check) -> String {
    let (class, name, reason) = (escape(&check.dataset), escape(&check.solver), escape(&check.reason));
    let inner = match check.verdict {
        Verdict::Pass => format!("<system-out>{reason}</system-out>"),
        Verdict::Fail => format!("<failure message=\"{reason}\"/>"),
        Verdict::Broken => format!("<error message=\"{reason}\"/>"),
        Verdict::Inconclusive => format!("<skipped message=\"{reason}\"/>"),
    };
    format!("    <testcase classname=\"{class}\" name=\"{name}\">{inner}</testcase>\n")
}

/// The pairs of records as JUnit XML: a suite for each record, a case for each pair, an error where there is
/// no measurement.
pub fn bench_junit(records: &[BenchRecord]) -> String {
    let mut text =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sudobench bench\">\n");
    for record in records {
        let errors = record.pairs.iter().filter(|pair| pair.measurement.is_none()).count();
        text.push_str(&format!(
            "  <testsuite name=\"bench\" timestamp=\"{}\" tests=\"{}\" failures=\"0\" errors=\"{errors}\" skipped=\"0\">\n",
            escape(&record.started),
            record.pairs.len()
        ));
        record.pairs.iter().for_each(|pair| text.push_str(&pair_case(pair)));
        text.push_str("  </testsuite>\n");
    }
    text + "</testsuites>\n"
}

/// One pair; its time is that of all rounds.
fn pair_case(pair: &PairRecord) -> String {
    let rounds = pair.measurement.iter().flat_map(|measurement| &measurement.rounds);
    let seconds = rounds.map(|round| round.elapsed_ns).sum::<u64>() as f64 / 1e9;
    let inner = match (&pair.measurement, &pair.error) {
        (Some(measurement), _) => {
            format!("<system-out>{} puzzles/s</system-out>", measurement.throughput.median)
        }
        (None, error) => format!("<error message=\"{}\"/>", escape(error.as_deref().unwrap_or_default())),
    };
    let (class, name) = (escape(&pair.dataset), escape(&pair.solver));
    format!("    <testcase classname=\"{class}\" name=\"{name}\" time=\"{seconds}\">{inner}</testcase>\n")
}

#[cfg(test)]
mod tests {
    use super::super::gate_report::tests::canned;
    use super::*;

    #[test]
    fn verdicts_as_junit() {
        insta::assert_snapshot!(gate_junit(&canned()));
    }

    #[test]
    fn records_as_junit() {
        insta::assert_snapshot!(bench_junit(&[crate::record::fixtures::bench_record()]));
    }
}
