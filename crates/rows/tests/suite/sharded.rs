//! Makes the outputs and the records of shards without running shards, for the tests in `merge.rs`. The package `tables` uses this file to
//! test its own formats.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use sudobench_rows::columns::SOLVE;
use sudobench_rows::sink::{Answered, Compression, Existing, OutputFormat, Promise, Target};
use sudobench_rows::source::{Input, Options, Source};
use sudobench_rows::{
    Budget, Digest, InputIdentity, Merging, ResolvedJob, Run, ShardOutputs, ShardRecord, Sink,
};
use tempfile::TempDir;

pub(super) const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Returns CSV with this many rows. Each fifth row is malformed.
pub(super) fn csv(rows: usize) -> String {
    let row = |at: usize| format!("{at},{}\n", if at % 5 == 4 { "none" } else { PUZZLE });
    ["id,puzzle\n".to_owned()].into_iter().chain((0..rows).map(row)).collect()
}

/// The outputs of a whole run and of its shards. This module writes the records of the shards itself, without running shards.
pub(super) struct Sharded {
    pub(super) folder: TempDir,
    /// Extension of all outputs, such as `csv.gz`.
    pub(super) end: &'static str,
    /// Path of the input file.
    pub(super) input: PathBuf,
}

impl Sharded {
    /// Writes the output of the whole run and the parts. `cuts` has the first row, counted from 0, of each part except the first part.
    pub(super) fn new(input: &[u8], name: &str, cuts: &[u64], end: &'static str) -> Sharded {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, input).unwrap();
        let sharded = Sharded { folder, end, input: path };
        sharded.run(Options::default(), &sharded.at("whole"));
        sharded.run(Options { limit: Some(0), ..Options::default() }, &sharded.at("none"));
        for number in 0..=cuts.len() {
            let start = number.checked_sub(1).map(|before| cuts[before]);
            sharded.write_part(number as u32 + 1, cuts.len() as u32 + 1, start, cuts.get(number).copied());
        }
        sharded
    }

    pub(super) fn of_csv(rows: usize, cuts: &[u64], end: &'static str) -> Sharded {
        Sharded::new(csv(rows).as_bytes(), "in.csv", cuts, end)
    }

    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("{name}.{}", self.end))
    }

    pub(super) fn part(&self, number: usize) -> PathBuf {
        self.at(&format!("part-{number}"))
    }

    /// Returns the paths of all parts that exist, the last part first.
    pub(super) fn parts(&self) -> Vec<PathBuf> {
        let parts = (1..).map(|number| self.part(number)).take_while(|part| part.exists());
        let mut parts: Vec<PathBuf> = parts.collect();
        parts.reverse();
        parts
    }

    pub(super) fn run(&self, options: Options, to: &Path) -> Answered {
        let source = Source::open(&[Input::File(self.input.clone())], options).unwrap();
        let columns: Vec<_> = SOLVE.into_iter().filter(|column| column.name != "time_ns").collect();
        let budgets = [Budget { origin: "", limit: Duration::from_secs(60) }];
        let sink = Sink::target(Target::File(to.to_owned()), Existing::Overwrite);
        let finished = Run::over(source).columns(columns).budgets(budgets).to(sink).unwrap();
        Answered {
            tally: finished.measures.tally,
            latency: finished.measures.latency.counts(),
            notices: finished.notices,
            started: SystemTime::UNIX_EPOCH
                + Duration::from_secs(1_700_000_000 + finished.measures.tally.rows()),
            elapsed: finished.wall,
            ..Answered::default()
        }
    }

    /// Writes a part and its record, as a shard would.
    pub(super) fn write_part(&self, number: u32, of: u32, start: Option<u64>, end: Option<u64>) {
        let path = self.part(number as usize);
        let skip = start.unwrap_or(0);
        let limit = end.map(|end| end - skip);
        let mut answered = self.run(Options { skip, limit, ..Options::default() }, &path);
        // For every part with an even number, the line of its first row is unknown. The lines of such a part are counted from 1.
        let start_line = if number % 2 == 1 { Some(skip + 2) } else { None };
        let lines_before = if start_line.is_some() { 0 } else { skip + 1 };
        for notice in &mut answered.notices {
            notice.line -= lines_before;
        }
        let promise = Promise::from_path(&path).unwrap();
        let format = promise.format.unwrap();
        let nothing = fs::read(self.at("none")).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        let header_bytes = match format.name() {
            "csv" | "npy" => nothing.len(),
            _ => 0,
        };
        let has_rows = answered.tally.rows() > 0 || bytes.len() > nothing.len();
        let filler_bytes = if has_rows { 0 } else { bytes.len() - header_bytes };
        if format == OutputFormat::NPY {
            bytes[..header_bytes].copy_from_slice(&nothing);
        }
        let cut = |row: Option<u64>| json!({ "input": 0, "at": row.unwrap_or(0) });
        let job = ResolvedJob {
            output_format: format.name().to_owned(),
            output_compression: promise.compression.name().to_owned(),
            inputs: vec![InputIdentity { bytes: Some(100), sample: Some(7) }],
            ..ResolvedJob::default()
        };
        let record = json!({
            "version": ShardRecord::VERSION,
            "crc32": 0,
            "shard": format!("{number}/{of}"),
            "job": job,
            "budgets": ["60000ms"],
            "start": cut(start),
            "end": end.map(|end| cut(Some(end))),
            "start_line": start_line,
            "end_line": end.map_or(1, |end| end + 2 - lines_before),
            "header_bytes": header_bytes,
            "filler_bytes": if format.is_text { filler_bytes } else { 0 },
            "answered": answered,
            "output": Digest::from_bytes(&bytes),
            "description": Value::Null,
        });
        store(&path, record);
    }

    /// Changes the record of a part.
    pub(super) fn tell(&self, number: usize, change: impl FnOnce(&mut Value)) {
        let path = ShardRecord::path_of(&self.part(number));
        let mut record: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(&mut record);
        store(&self.part(number), record);
    }

    pub(super) fn read(&self) -> Result<ShardOutputs, String> {
        self.read_of(&self.parts())
    }

    /// Reads the parts. If this fails, returns the error message without the name of the folder.
    pub(super) fn read_of(&self, paths: &[PathBuf]) -> Result<ShardOutputs, String> {
        ShardOutputs::read(paths).map_err(|error| self.words(&error.to_string()))
    }

    pub(super) fn words(&self, words: &str) -> String {
        words.replace(&format!("{}/", self.folder.path().display()), "")
    }

    pub(super) fn merging(&self, name: &str) -> Merging {
        let target = Target::File(self.folder.path().join(name));
        Merging { target, existing: Existing::Refuse, sync: false, cancel: Arc::default() }
    }

    /// Merges the parts, and returns the content of the merged file.
    pub(super) fn merge(&self) -> Result<Vec<u8>, String> {
        let merged = self.at("merged");
        let merging = self.merging(merged.file_name().unwrap().to_str().unwrap());
        let result = self.read()?.merge(&merging, |_| ());
        result.map_err(|error| self.words(&error.to_string()))?;
        Ok(fs::read(&merged).unwrap())
    }

    #[track_caller]
    pub(super) fn assert_whole(&self) {
        let (merged, whole) = (self.merge().unwrap(), fs::read(self.at("whole")).unwrap());
        assert_eq!(text(&merged, self.end), text(&whole, self.end), "{}", self.end);
        if Promise::from_path(&self.at("whole")).unwrap().compression == Compression::None {
            assert!(merged == whole);
        }
        let left: Vec<_> = fs::read_dir(self.folder.path()).unwrap().collect();
        assert!(
            !left.iter().any(|file| file.as_ref().unwrap().path().to_string_lossy().contains(".partial"))
        );
    }
}

/// Stores a record with its CRC-32. If `record` is not a valid record, the CRC-32 is 0.
pub(super) fn store(part: &Path, mut record: Value) {
    (record["crc32"], record["description"]) = (json!(0), Value::Null);
    if let Ok(read) = serde_json::from_value::<ShardRecord>(record.clone()) {
        record["crc32"] = json!(Digest::from_bytes(&serde_json::to_vec(&read).unwrap()).crc32);
    }
    fs::write(ShardRecord::path_of(part), record.to_string()).unwrap();
}

/// Returns the content of an output, decompressed if necessary. The bytes are escaped as text that can be printed.
pub(super) fn text(bytes: &[u8], end: &str) -> String {
    let mut text = Vec::new();
    match end.rsplit('.').next().unwrap() {
        "gz" => drop(flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut text).unwrap()),
        "zst" => drop(zstd::Decoder::new(bytes).unwrap().read_to_end(&mut text).unwrap()),
        _ => text = bytes.to_vec(),
    }
    text.escape_ascii().to_string()
}
