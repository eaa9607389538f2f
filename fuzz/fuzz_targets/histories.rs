//! Reads any bytes as a history. If the history is accepted, it is written and read again, and rendered as text and as an HTML page.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudobench_harness::analysis::trends;
use sudobench_harness::record::History;
use sudobench_harness::report;

fuzz_target!(|bytes: &[u8]| {
    let Ok(history) = History::parse(bytes, "h.jsonl") else { return };
    let line = |entry| serde_json::to_string(entry).unwrap() + "\n";
    let again: String = history.entries.iter().map(line).collect();
    assert_eq!(History::parse(again.as_bytes(), "h.jsonl").unwrap().entries.len(), history.entries.len());
    let trends = trends(&history.entries);
    report::history_text(&history, &trends, 80);
    report::history_page(&history, &trends, "h.jsonl");
});
