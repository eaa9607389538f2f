//! Reads the first line of any bytes as the record of a shard, and the rest as the output of the shard, and merges the output. Nothing may
//! panic. If the merge succeeds, the output must have at least as many bytes as the record counts.
#![no_main]

use std::fs;
use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use sudobench_rows::sink::{Existing, Target};
use sudobench_rows::{Digest, Merging, ShardOutputs, ShardRecord};

fuzz_target!(|input: &[u8]| {
    let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
    let (record, output) = (&input[..end], input.get(end + 1..).unwrap_or_default());
    let part = std::env::temp_dir().join(format!("sudobench-fuzz-part-{}", std::process::id()));
    fs::write(&part, output).unwrap();
    // The checksum is corrected, so that inputs reach the code after the check of the checksum.
    let parsed = serde_json::from_slice::<ShardRecord>(record);
    fs::write(ShardRecord::path_of(&part), parsed.as_ref().map_or(record.to_vec(), sealed)).unwrap();
    let Ok(parts) = ShardOutputs::read(std::slice::from_ref(&part)) else { return };
    let merged = part.with_added_extension("merged");
    let merging = Merging {
        target: Target::File(merged.clone()),
        existing: Existing::Overwrite,
        sync: false,
        cancel: Arc::default(),
    };
    if parts.merge(&merging, |_| ()).is_ok() {
        assert!(output.len() as u64 >= parts.bytes());
        fs::remove_file(merged).unwrap();
    }
});

/// Returns the record with the correct CRC-32.
fn sealed(record: &ShardRecord) -> Vec<u8> {
    let with = |record: &ShardRecord, crc32: u32| {
        let mut value = serde_json::to_value(record).unwrap_or(Value::Null);
        value["crc32"] = crc32.into();
        serde_json::from_value::<ShardRecord>(value)
    };
    let mut counted = record.clone();
    counted.description = Value::Null;
    let Ok(counted) = with(&counted, 0) else { return Vec::new() };
    let crc32 = Digest::from_bytes(&serde_json::to_vec(&counted).unwrap()).crc32;
    with(record, crc32).map_or(Vec::new(), |record| serde_json::to_vec(&record).unwrap())
}
