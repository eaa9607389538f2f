//! Tests of merging the outputs of shards. If no part is damaged, the merged output equals the output of the whole run, byte for byte;
//! compressed outputs are compared after decompression. If a part is damaged, nothing is merged.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use serde_json::{Value, json};
use sudobench_rows::sink::Existing;
use sudobench_rows::source::Options;
use sudobench_rows::{MergeError, Merging, NoticeKind, ResolvedJob, ShardRecord};

use super::sharded::{Sharded, text};

const ENDS: [&str; 9] =
    ["csv", "csv.gz", "csv.zst", "jsonl", "jsonl.gz", "jsonl.zst", "txt", "txt.gz", "npy"];

#[test]
fn parts_of_every_format_merge_to_the_whole() {
    for end in ENDS {
        for cuts in [&[][..], &[3, 7], &[0, 0, 5, 12], &[12], &[0, 12, 12]] {
            Sharded::of_csv(12, cuts, end).assert_whole();
        }
        // The input has no rows. Compressed outputs without rows are merged, too.
        let nothing = Sharded::of_csv(0, &[0, 0], end);
        nothing.assert_whole();
        assert!(nothing.merge().is_err(), "the merged file exists already");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_division_into_parts_merges_to_the_whole(
        rows in 0..60usize,
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        end in prop::sample::select(&ENDS[..]),
    ) {
        let mut cuts: Vec<u64> = cuts.iter().map(|cut| cut.index(rows + 1) as u64).collect();
        cuts.sort_unstable();
        Sharded::of_csv(rows, &cuts, end).assert_whole();
    }

    /// If a byte of a part or of its record was changed, nothing is merged. The only exception is a byte of a record that does not affect
    /// the rows; then the merged output must be right.
    #[test]
    fn a_changed_byte_is_detected(
        end in prop::sample::select(&ENDS[..]),
        at in any::<prop::sample::Index>(),
        bits in 1..=u8::MAX,
        is_record in any::<bool>(),
    ) {
        let sharded = Sharded::of_csv(6, &[2, 4], end);
        let part = sharded.part(2);
        let path = if is_record { ShardRecord::path_of(&part) } else { part };
        let mut bytes = fs::read(&path).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= bits;
        fs::write(&path, bytes).unwrap();
        match sharded.merge() {
            Ok(merged) => {
                let whole = fs::read(sharded.at("whole")).unwrap();
                prop_assert!(is_record && text(&merged, end) == text(&whole, end));
            }
            Err(_) => prop_assert!(!sharded.at("merged").exists()),
        }
    }
}

#[test]
fn reports_cover_the_whole_run() {
    let sharded = Sharded::of_csv(60, &[13, 14, 33], "csv");
    let parts = sharded.read().unwrap();
    let mut whole = sharded.run(Options::default(), &sharded.at("again"));
    let measures = parts.measures();
    let tally = measures.tally;
    assert_eq!((tally.rows(), tally.puzzles(), tally.all_well()), (60, 48, false));
    whole.tally.solving_ns = tally.solving_ns;
    assert_eq!(tally, whole.tally);
    let notices: Vec<_> = parts.notices().iter().map(|notice| (notice.kind, notice.line)).collect();
    let expected = [6, 11, 16, 21, 26].map(|line| (NoticeKind::Malformed, line));
    assert_eq!(notices, expected, "the first five notices, with their line numbers in the whole run");
    assert_eq!(notices, whole.notices.iter().map(|notice| (notice.kind, notice.line)).collect::<Vec<_>>());
    let counts = measures.latency.counts();
    assert_eq!(counts.within, [48]);
    let timed: u64 = counts.histogram.iter().map(|(_, puzzles)| puzzles).sum();
    assert_eq!(timed, 48);
    let each = parts.parts().iter().map(|part| &part.record.answered);
    assert_eq!(counts.total_ns, each.clone().map(|answered| answered.latency.total_ns).sum::<u128>());
    assert_eq!(Some(parts.wall()), each.clone().map(|answered| answered.elapsed).max());
    // The start of the run is the earliest start of a part. For a part with n rows, `Sharded::run` stores the start 1,700,000,000 + n, in
    // seconds. The second part has the fewest rows: one.
    assert_eq!(parts.started(), SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_001));
}

#[test]
fn line_numbers_continue_across_parts() {
    let sharded = Sharded::of_csv(12, &[3, 7], "csv");
    let notice =
        |input: u64, line: u64| json!({ "kind": "Mismatch", "input": input, "line": line, "text": "" });
    // The second part starts at line 41 of the second input, contains the whole third input, and ends before line 8 of the fourth.
    sharded.tell(1, |record| {
        record["end"] = json!({ "input": 1, "at": 400 });
        record["end_line"] = json!(41);
    });
    sharded.tell(2, |record| {
        record["start"] = json!({ "input": 1, "at": 400 });
        record["answered"]["notices"] = json!([notice(1, 1), notice(1, 10), notice(2, 3)]);
        record["end"] = json!({ "input": 3, "at": 70 });
        record["end_line"] = json!(8);
    });
    sharded.tell(3, |record| {
        record["start"] = json!({ "input": 3, "at": 70 });
        record["start_line"] = Value::Null;
        record["answered"]["notices"] = json!([notice(3, 2)]);
    });
    let notices = sharded.read().unwrap().notices();
    let mismatches = notices.iter().filter(|notice| notice.kind == NoticeKind::Mismatch);
    let places: Vec<_> = mismatches.map(|notice| (notice.input, notice.line)).collect();
    assert_eq!(places, [(1, 41), (1, 50), (2, 3), (3, 9)]);
}

#[test]
fn missing_doubled_and_unknown_parts_are_named() {
    let sharded = Sharded::of_csv(12, &[1, 2, 3, 4, 5, 6, 7], "csv");
    let named = |numbers: &[usize]| numbers.iter().map(|&number| sharded.part(number)).collect::<Vec<_>>();
    let refused = |paths: &[PathBuf]| sharded.read_of(paths).unwrap_err();
    assert_eq!(refused(&named(&[1, 2, 4, 5, 6, 7, 8])), "shard 3 of 8 is missing");
    assert_eq!(refused(&named(&[8, 1, 2, 5])), "shards 3, 4, 6 and 7 of 8 are missing");
    assert_eq!(refused(&named(&[2])), "shards 1 and 3 to 8 of 8 are missing");
    assert_eq!(refused(&[]), "there is nothing to merge: no part is named");
    let copied = sharded.at("copy");
    fs::copy(sharded.part(3), &copied).unwrap();
    fs::copy(ShardRecord::path_of(&sharded.part(3)), ShardRecord::path_of(&copied)).unwrap();
    let all = named(&[1, 2, 3, 4, 5, 6, 7, 8]);
    let twice = [&all[..], &[copied.clone(), all[0].clone()]].concat();
    assert_eq!(
        refused(&twice),
        "shard 3/8 was named twice: part-3.csv and copy.csv; name only one of them\n\
         shard 1/8 was named twice: part-1.csv and part-1.csv; name only one of them"
    );
    // Parts and their records can be named together, because a shell pattern may match both.
    let with_records: Vec<PathBuf> =
        all.iter().flat_map(|part| [ShardRecord::path_of(part), part.clone()]).collect();
    assert!(sharded.read_of(&with_records).is_ok());
    // A record can be named instead of its part.
    let records: Vec<PathBuf> = all.iter().map(|part| ShardRecord::path_of(part)).collect();
    assert!(sharded.read_of(&records).is_ok());
    fs::remove_file(&all[1]).unwrap();
    assert_eq!(
        refused(&records),
        "part-2.csv.shard.json is the record of part-2.csv, but this part is missing: run that shard again\nshard 2 of 8 is missing"
    );
    let partial = sharded.folder.path().join("part.shard-2-of-8.csv.partial");
    let state = sharded.folder.path().join("part.shard-2-of-8.csv.partial.json");
    assert_eq!(
        refused(&[&all[..1], &all[2..], &[state, partial]].concat()),
        "shard 2/8 is not complete, because part.shard-2-of-8.csv.partial is a partial file; wait for the shard, or continue it with --resume"
    );
    let absent = sharded.at("absent");
    let words = refused(std::slice::from_ref(&absent));
    assert!(words.starts_with("cannot read absent.csv: ") && words.ends_with("(os error 2)"), "{words}");
    fs::write(&absent, "").unwrap();
    assert!(refused(&[absent]).starts_with("there is no absent.csv.shard.json, which a shard writes beside"));
    assert!(refused(&[sharded.folder.path().to_owned()]).ends_with("it is not a file"));
}

#[test]
fn parts_of_other_runs_are_named() {
    let sharded = Sharded::of_csv(12, &[3, 7], "csv");
    sharded.tell(2, |record| record["job"]["limit"] = json!(5));
    let refused = || sharded.read().unwrap_err();
    assert_eq!(
        refused(),
        "part-2.csv is from another run than part-3.csv: it has different --limit, 5 instead of none\n\
         shard 2 of 3 is missing"
    );
    sharded.tell(2, |record| {
        record["job"]["limit"] = Value::Null;
        record["job"]["inputs"][0]["bytes"] = json!(101);
    });
    assert!(refused().contains("its input 1 is another file, or was changed in between"), "{}", refused());
    sharded.tell(2, |record| {
        record["job"]["inputs"][0]["bytes"] = json!(100);
        record["shard"] = json!("2/4");
    });
    assert_eq!(
        refused(),
        "part-2.csv is shard 2/4, but part-3.csv is one of 3 shards\nshard 2 of 3 is missing"
    );
    sharded.tell(2, |record| record["shard"] = json!("5/3"));
    assert!(refused().contains("there is no shard 5 of 3"), "{}", refused());
}

#[test]
fn gaps_and_overlaps_between_parts_are_named() {
    let refused = |number: usize, end: &'static str, value: Value| {
        let sharded = Sharded::of_csv(12, &[3, 7], "csv");
        sharded.tell(number, |record| record[end] = value);
        sharded.read().unwrap_err()
    };
    let words = refused(2, "start", json!({ "input": 0, "at": 2 }));
    assert!(
        words.starts_with(
            "part-1.csv ends at position 3 of input 1, but part-2.csv starts at position 2 of input 1"
        ),
        "{words}"
    );
    assert!(
        words.contains("inside a quoted field with line breaks")
            && words.ends_with("convert the input to Parquet first")
    );
    assert!(
        refused(2, "end", Value::Null)
            .starts_with("part-2.csv ends with the last row of all inputs, but part-3.csv")
    );
    let first = refused(1, "start", json!({ "input": 0, "at": 2 }));
    assert!(first.contains(
        "part-1.csv.shard.json cannot be used as the record of a shard: the first shard starts at position 2"
    ));
    let last = refused(3, "end", json!({ "input": 0, "at": 12 }));
    assert!(last.contains("the last shard ends at position 12 of input 1"), "{last}");
}

#[test]
fn impossible_records_are_refused() {
    for (what, value) in [
        ("header_bytes", json!(u64::MAX)),
        ("filler_bytes", json!(7)),
        ("budgets", json!(["soon"])),
        ("job", json!(ResolvedJob { output_format: "xlsx".to_owned(), ..ResolvedJob::default() })),
        ("job", json!({ "output_format": "csv", "output_compression": "none" })),
        ("end_line", json!(-1)),
    ] {
        let sharded = Sharded::of_csv(12, &[], "csv");
        sharded.tell(1, |record| record[what] = value.clone());
        let refused = sharded.read().unwrap_err();
        assert!(
            refused.starts_with("part-1.csv.shard.json cannot be used as the record of a shard"),
            "{what}: {refused}"
        );
    }
}

#[test]
fn a_changed_part_is_never_merged() {
    for end in ENDS {
        let sharded = Sharded::of_csv(12, &[3, 7], end);
        let part = sharded.part(2);
        let sound = fs::read(&part).unwrap();
        for at in [0, sound.len() / 2, sound.len() - 1] {
            let mut changed = sound.clone();
            changed[at] ^= 1;
            fs::write(&part, &changed).unwrap();
            let refused = sharded.merge().unwrap_err();
            let words = format!("part-2.{end} was changed after its shard wrote it");
            assert!(refused.starts_with(&words), "{refused}");
            assert!(!sharded.at("merged").exists());
        }
        fs::write(&part, &sound[1..]).unwrap();
        let refused = sharded.merge().unwrap_err();
        let (now, then) = (sound.len() - 1, sound.len());
        assert_eq!(
            refused,
            format!("part-2.{end} has {now} bytes, but its shard wrote {then}; run that shard again")
        );
        fs::write(&part, &sound).unwrap();
        // The part changes after its size was checked, and before it is copied.
        let parts = sharded.read().unwrap();
        fs::write(&part, [&sound[..], b"x"].concat()).unwrap();
        let refused = parts.merge(&sharded.merging(&format!("late.{end}")), |_| ()).unwrap_err().to_string();
        assert!(refused.contains("instead of"), "{refused}");
        fs::write(&part, &sound).unwrap();
        sharded.assert_whole();
    }
}

#[test]
fn an_interrupted_merge_leaves_no_file() {
    let sharded = Sharded::of_csv(12, &[3, 7], "csv");
    let merging = sharded.merging("merged.csv");
    let files = || fs::read_dir(sharded.folder.path()).unwrap().count();
    let before = files();
    let cancel: Arc<AtomicBool> = Arc::clone(&merging.cancel);
    let result = sharded.read().unwrap().merge(&merging, |progress| {
        assert!(progress.read > 0 && progress.total > Some(progress.read));
        cancel.store(true, Ordering::SeqCst);
    });
    assert!(matches!(result, Err(MergeError::Interrupted)), "{result:?}");
    assert_eq!(files(), before);
    // The partial file of a merge that did not finish is replaced only with force.
    fs::write(sharded.folder.path().join("merged.csv.partial"), "half").unwrap();
    let refused = sharded.merge().unwrap_err();
    assert_eq!(refused, "merged.csv.partial is from a run that did not finish; start again with --force");
    let forced = Merging { existing: Existing::Overwrite, cancel: Arc::default(), ..merging };
    sharded.read().unwrap().merge(&forced, |_| ()).unwrap();
    assert_eq!(fs::read(sharded.at("merged")).unwrap(), fs::read(sharded.at("whole")).unwrap());
}

#[test]
fn the_name_must_fit_the_format_of_the_parts() {
    let refused = |end: &'static str, name: &str| {
        let sharded = Sharded::of_csv(3, &[2], end);
        sharded
            .read()
            .unwrap()
            .merge(&sharded.merging(name), |_| ())
            .map_err(|error| sharded.words(&error.to_string()))
    };
    for (end, name, promised, held) in [
        ("csv", "all.jsonl", "jsonl", "csv"),
        ("csv", "all.csv.gz", "csv in gzip", "csv"),
        ("csv.gz", "all.csv", "csv", "csv in gzip"),
        ("csv.gz", "all", "uncompressed data", "csv in gzip"),
        ("npy", "all.txt", "lines", "npy"),
        ("txt", "all.zst", "zstd", "lines"),
    ] {
        let words = refused(end, name).unwrap_err();
        assert!(
            words.ends_with(&format!(
                "{name} is a name for {promised}, but the parts contain {held}: choose a name with the extension of the parts"
            )),
            "{words}"
        );
    }
    let tabs = refused("csv", "all.tsv").unwrap_err();
    assert!(tabs.contains("has the extension for columns separated by tabs"), "{tabs}");
    assert!(refused("csv", "all.xlsx").unwrap_err().contains("which is not supported here"));
    assert_eq!(refused("csv", "all"), Ok(()));
    assert_eq!(refused("jsonl.zst", "all.zst"), Ok(()));
}
