//! Reports as JUnit XML, a format that many CI services can show.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};
use strum::VariantArray as _;

use super::bench_tables::rounds_done;
use super::escape::visible;
use super::judge_tables::sentences;
use super::{counted, duration_ns};
use crate::gate::{Check, Gate, GateReport, GateVerdict};
use crate::record::registry::THROUGHPUT;
use crate::record::{BenchRecord, CommandsRecord, FailureRecord, JudgeRecord, PairRecord, Verdict};

/// Maximum number of failures that the text of a case lists.
const SHOWN_FAILURES: usize = 20;

/// Returns the verdicts as JUnit XML: a suite for each kind of check that was done, a case for each check. If a check has a subject, the
/// name of its case ends with the subject, because a pair may have several checks.
///
/// # Errors
///
/// If the XML cannot be written, which does not happen in memory.
pub fn gate_junit(report: &GateReport) -> Result<String, SerializeError> {
    let mut all = Report::new("sudobench gate");
    for gate in Gate::VARIANTS {
        let mut suite = TestSuite::new(gate.name());
        suite.add_test_cases(
            report.checks.iter().filter(|check| check.gate == *gate).map(|check| check_case(report, check)),
        );
        if !suite.test_cases.is_empty() {
            all.add_test_suite(suite);
        }
    }
    all.to_string()
}

/// Makes the case of a check. If the check neither passed nor makes the gate fail, its case is marked as skipped, with the reason.
fn check_case(report: &GateReport, check: &Check) -> TestCase {
    let status = match check.verdict {
        GateVerdict::Pass => TestCaseStatus::success(),
        GateVerdict::Fail => failed(NonSuccessKind::Failure, &check.reason),
        _ if report.fails(check) => failed(NonSuccessKind::Error, &check.reason),
        _ => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message(visible(&check.reason));
            skipped
        }
    };
    let name = match check.subject.as_str() {
        "" => check.solver.clone(),
        subject => format!("{} ({subject})", check.solver),
    };
    // The class is usually the dataset, but a command has no dataset.
    let class = if check.dataset.is_empty() { "command" } else { &check.dataset };
    let mut case = case(class, &name, status);
    if check.verdict == GateVerdict::Pass {
        case.set_system_out(visible(&check.reason));
    }
    case
}

/// Returns records as JUnit XML: a suite for each record and, in the suite, a case for each pair of the record. A case is an error if there
/// is no measurement, or if the verdict is a judge error. It is a failure if a program has any verdict other than accepted and judge error.
///
/// # Errors
///
/// The same as for [`gate_junit`].
pub fn bench_junit(records: &[BenchRecord]) -> Result<String, SerializeError> {
    let kind = |record: &BenchRecord| if record.is_judged() { "judge" } else { "bench" };
    let mut all = Report::new(format!("sudobench {}", records.first().map_or("bench", kind)));
    for record in records {
        let mut suite = suite(kind(record), &record.started);
        suite.add_test_cases(record.pairs.iter().map(|pair| pair_case(record, pair)));
        all.add_test_suite(suite);
    }
    all.to_string()
}

/// Returns JUnit XML with a case for each command. If the command failed, its case is an error. The time of a case is the total time of the
/// runs in the record, which normally don't include the warm-up.
///
/// # Errors
///
/// The same as for [`gate_junit`].
pub fn commands_junit(record: &CommandsRecord) -> Result<String, SerializeError> {
    let mut all = Report::new("sudobench bench");
    let mut suite = suite("bench", &record.started);
    let measured = record.results.iter().map(|it| {
        let mut case = case("command", &it.name, TestCaseStatus::success());
        case.set_time(Duration::from_secs_f64(it.times.iter().sum::<f64>().clamp(0.0, 1e9)));
        let (median, runs) = (duration_ns(it.median * 1e9), counted(it.times.len() as u64, "run"));
        case.set_system_out(format!("{median} (median of {runs})"));
        case
    });
    let failed =
        record.failures.iter().map(|it| case("command", &it.name, failed(NonSuccessKind::Error, &it.error)));
    suite.add_test_cases(measured.chain(failed));
    all.add_test_suite(suite);
    all.to_string()
}

fn suite(name: &str, started: &str) -> TestSuite {
    let mut suite = TestSuite::new(name);
    suite.extra.insert("timestamp".into(), visible(started).into_owned().into());
    suite
}

/// Makes the case of a pair. The time of the case is the total time of all rounds.
fn pair_case(record: &BenchRecord, pair: &PairRecord) -> TestCase {
    let Some(measurement) = &pair.measurement else {
        let message = pair.error.as_deref().unwrap_or_default();
        return case(&pair.dataset, &pair.solver, failed(NonSuccessKind::Error, message));
    };
    let status = measurement.judge.as_ref().map_or_else(TestCaseStatus::success, judged);
    let mut case = case(&pair.dataset, &pair.solver, status);
    case.set_time(Duration::from_nanos(measurement.rounds.iter().map(|round| round.elapsed_ns).sum()));
    case.set_system_out(match measurement.judge {
        Some(_) => visible(&sentences(record, pair).join("; ")).into_owned(),
        None => {
            let rounds =
                rounds_done(record, measurement).map_or(String::new(), |rounds| format!(", {rounds}"));
            format!("{} {}{rounds}", THROUGHPUT.text(measurement), THROUGHPUT.label)
        }
    });
    case
}

/// Returns the status of a judged program, with the first puzzles on which it failed.
fn judged(judge: &JudgeRecord) -> TestCaseStatus {
    let kind = match judge.verdict {
        Verdict::Accepted => return TestCaseStatus::success(),
        Verdict::JudgeError => NonSuccessKind::Error,
        _ => NonSuccessKind::Failure,
    };
    let mut status = failed(kind, &judge.failures_in_words());
    let line = |failure: &FailureRecord| {
        let reason = failure.reason();
        let message = visible(&reason);
        format!("puzzle {}: {}: {message}\n", failure.number, failure.verdict.letters())
    };
    let shown = judge.failures.len().min(SHOWN_FAILURES);
    let mut lines: String = judge.failures[..shown].iter().map(line).collect();
    let others = judge.failed().saturating_sub(shown as u64);
    if others > 0 {
        lines.push_str(&format!("and {}\n", counted(others, "more puzzle")));
    }
    status.set_type(judge.verdict.letters());
    status.set_description(lines);
    status
}

fn case(dataset: &str, solver: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(visible(solver), status);
    case.set_classname(visible(dataset));
    case
}

fn failed(kind: NonSuccessKind, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(visible(message));
    status
}

#[cfg(test)]
mod tests {
    use super::super::gate_report::tests::all_verdicts;
    use super::super::hostile::{hostile, hostile_name};
    use super::*;
    use crate::gate::{AllowMissing, GateLimits};
    use crate::record::fixtures;
    use proptest::prelude::*;
    use quick_xml::XmlVersion;
    use quick_xml::events::Event;

    #[test]
    fn verdicts_as_junit() {
        insta::assert_snapshot!(gate_junit(&all_verdicts()).unwrap());
    }

    #[test]
    fn records_as_junit() {
        insta::assert_snapshot!(bench_junit(&[fixtures::bench_record()]).unwrap());
    }

    #[test]
    fn judged_records_as_junit() {
        let mut record = fixtures::judge_record();
        let judge = record.pairs[1].measurement.as_mut().unwrap().judge.as_mut().unwrap();
        judge.failures = judge.failures.iter().cycle().take(100).cloned().collect();
        judge.verdicts[1].puzzles += 998;
        record.pairs.push(PairRecord {
            solver: "missing".to_owned(),
            error: Some("there is no program `missing`".to_owned()),
            measurement: None,
            ..record.pairs[1].clone()
        });
        insta::assert_snapshot!(bench_junit(&[record]).unwrap());
    }

    #[test]
    fn programs_that_did_not_run_are_errors() {
        let mut record = fixtures::judge_record();
        record.pairs.remove(0);
        let judge = record.pairs[0].measurement.as_mut().unwrap().judge.as_mut().unwrap();
        judge.verdict = Verdict::JudgeError;
        let junit = bench_junit(&[record]).unwrap();
        assert!(junit.contains("<error ") && !junit.contains("<failure "), "{junit}");
    }

    /// Parses the XML, and returns the values of all attributes from the first case on, in order.
    fn read_back(xml: &str) -> Vec<String> {
        // The characters that XML 1.0 allows.
        let is_allowed = |character: char| match character {
            '\t' | '\n' | '\r' => true,
            other => other >= ' ' && !matches!(other, '\u{fffe}' | '\u{ffff}'),
        };
        assert!(xml.chars().all(is_allowed), "{xml:?}");
        let mut reader = quick_xml::Reader::from_str(xml);
        let (mut found, mut in_case) = (Vec::new(), false);
        loop {
            match reader.read_event().unwrap() {
                Event::Eof => return found,
                Event::Start(tag) | Event::Empty(tag) => {
                    in_case |= tag.name().as_ref() == b"testcase";
                    for attribute in tag.attributes() {
                        let value = attribute.unwrap().normalized_value(XmlVersion::Implicit1_0).unwrap();
                        found.extend(in_case.then(|| value.into_owned()));
                    }
                }
                _ => {}
            }
        }
    }

    proptest! {
        #[test]
        fn hostile_names_are_well_formed_and_round_trip(
            solver in hostile(), dataset in hostile_name(), reason in hostile(),
            gate in prop::sample::select(Gate::VARIANTS), verdict in prop::sample::select(GateVerdict::VARIANTS)
        ) {
            let shown = |text: &str| visible(text).into_owned();
            let names = [&solver, &dataset].map(|text| shown(text));
            let check = Check::new(gate, "time", (&solver, &dataset), verdict, reason.clone());
            let report = GateReport::new(GateLimits::default().to_string(), AllowMissing::Nothing, vec![check]);
            let message = (verdict != GateVerdict::Pass).then(|| shown(&reason));
            let name = shown(&format!("{solver} (time)"));
            let expected: Vec<String> = [name, names[1].clone()].into_iter().chain(message).collect();
            prop_assert_eq!(read_back(&gate_junit(&report).unwrap()), expected);

            let check_names = (solver.clone(), dataset.clone());
            let mut record = fixtures::bench_record();
            record.pairs.truncate(1);
            record.started = reason.clone();
            let pair = &mut record.pairs[0];
            (pair.solver, pair.dataset) = (solver, dataset);
            (pair.error, pair.measurement) = (Some(reason.clone()), None);
            let expected: Vec<String> = names.into_iter().chain([shown(&reason)]).collect();
            prop_assert_eq!(read_back(&bench_junit(&[record]).unwrap()), expected);

            let mut record = fixtures::judge_record();
            record.pairs.remove(0);
            let pair = &mut record.pairs[0];
            (pair.solver, pair.dataset) = (check_names.0.clone(), check_names.1.clone());
            let judge = pair.measurement.as_mut().unwrap().judge.as_mut().unwrap();
            judge.failures.iter_mut().for_each(|failure| failure.words = reason.clone());
            let read = read_back(&bench_junit(&[record]).unwrap());
            prop_assert_eq!(&read[..2], &[shown(&check_names.0), shown(&check_names.1)]);
            prop_assert_eq!(read.last().unwrap(), "TLE");
        }
    }
}
