//! Reads any text as a baseline. An accepted baseline is written as a text that reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudobench_harness::gate::Baseline;

fuzz_target!(|text: &str| {
    let Ok(baseline) = text.parse::<Baseline>() else { return };
    assert_eq!(baseline.to_string().parse(), Ok(baseline));
});
