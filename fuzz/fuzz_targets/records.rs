//! Reads any text as a record of `bench`. If the record is accepted, it is written and read again, rendered as text, Markdown, HTML, CSV
//! and JUnit, compared with itself, and checked with limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudobench_harness::analysis::{CompareTerms, caveats, compare};
use sudobench_harness::gate::{GateLimits, check_record};
use sudobench_harness::record::BenchRecord;
use sudobench_harness::report;

fuzz_target!(|text: &str| {
    let Ok(record) = BenchRecord::parse(text, "r.json") else { return };
    let again = serde_json::to_string(&record).unwrap();
    assert_eq!(BenchRecord::parse(&again, "r.json").unwrap(), record);
    let limits: GateLimits = "mean=1ms,p50=1ms,p99.9=1ms,max=1ms,within:80ms=100%".parse().unwrap();
    check_record(&record, &limits.budgets);
    report::bench_text(&record, 80);
    report::truncated(&report::bench_markdown(&record));
    let (records, names) = ([record.clone(), record], ["r.json".to_owned(), "r.json".to_owned()]);
    report::html_page(&records, &names);
    report::write_bench_csv(&mut Vec::new(), &records).unwrap();
    report::bench_junit(&records).unwrap();
    let terms = CompareTerms { across_machines: true, ..CompareTerms::default() };
    let (comparisons, caveats) = (compare(&records, terms), caveats(&records));
    report::compare_text(&comparisons, &caveats, &names, 80);
    report::compare_markdown(&comparisons, &caveats, &names);
});
