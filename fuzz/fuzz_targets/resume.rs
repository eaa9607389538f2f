//! Takes the first line of the fuzzer's input as the checkpoint of an interrupted run, and the rest of the input as the partial output of
//! this run. A run may be resumed only if the output matches the checkpoint; everything else must be refused.
#![no_main]

use std::fs;

use libfuzzer_sys::fuzz_target;
use sudobench_rows::Digest;
use sudobench_rows::sink::{Destination, DestinationError, Existing, ResumeState, Target};

fuzz_target!(|input: &[u8]| {
    let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
    let (state, part) = (&input[..end], input.get(end + 1..).unwrap_or_default());
    let parsed = serde_json::from_slice::<ResumeState>(state);
    let out = std::env::temp_dir().join(format!("sudobench-fuzz-{}", std::process::id()));
    let [partial, beside] = ["partial", "partial.json"].map(|end| out.with_added_extension(end));
    fs::write(&partial, part).unwrap();
    // The checksum is corrected, so that inputs reach the code after the check of the checksum.
    fs::write(&beside, parsed.as_ref().map_or(state.to_vec(), sealed)).unwrap();
    let asked = || Ok::<_, DestinationError>(parsed.map(|state| state.asked).unwrap_or_default());
    let opened = Destination::open(&Target::File(out), Existing::Resume, &[], asked);
    if let Ok((destination, Some(checkpoint))) = opened {
        let bytes = usize::try_from(checkpoint.output.bytes).unwrap();
        assert_eq!(checkpoint.output, Digest::from_bytes(&part[..bytes]));
        assert_eq!(destination.written(), checkpoint.output);
        assert_eq!(fs::metadata(&partial).unwrap().len(), checkpoint.output.bytes);
    }
});

/// Returns the checkpoint with the correct CRC-32.
fn sealed(state: &ResumeState) -> Vec<u8> {
    let mut state = serde_json::to_string(state).unwrap();
    let start = state.find("\"crc32\":").unwrap() + "\"crc32\":".len();
    let end = start + state[start..].find(',').unwrap();
    state.replace_range(start..end, "0");
    let crc32 = Digest::from_bytes(state.as_bytes()).crc32.to_string();
    state.replace_range(start..start + 1, &crc32);
    state.into_bytes()
}
