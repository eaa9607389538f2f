//! Reads any text as a baseline. If a baseline is accepted, it is written as text, and reading this text gives the same baseline.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudobench_harness::gate::Baseline;

fuzz_target!(|text: &str| {
    let Ok(baseline) = text.parse::<Baseline>() else { return };
    assert_eq!(baseline.to_string().parse(), Ok(baseline));
});
