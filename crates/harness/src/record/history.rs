//! A history: a line of JSON for each run of `gate` or `bench`, appended to one file.
//!
//! The file is used for a long time, by many versions of the program and on many machines. Users keep it on a Git branch or as an artifact
//! of CI, and may merge it by hand. Several runs may append at the same time, so a run locks the file, if the file system supports locks,
//! before it appends its line. If a run holds the lock and can't write its whole line, it removes the part that it wrote. A reader skips an
//! incomplete line and reports its number, and the next run starts a new line. `docs/history.schema.json` describes the fields.

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::contest::DEFAULT_PROTOCOL;
use super::registry::{CountedValues, counted_values};
use super::{AnswerKind, BenchRecord, Machine, Measurement, PairRecord, Settings};
use crate::statistics::{Interval, median_interval};

/// Version of the format of a line. It rises with every change that matters to readers, and is independent of the version of records.
pub const HISTORY_SCHEMA_VERSION: u32 = 1;

/// Value of the field `kind` in a line.
const HISTORY: &str = "history";

/// Maximum time to wait until another run has released its lock.
const LOCK_WAIT: Duration = Duration::from_secs(10);

const LOCK_TICK: Duration = Duration::from_millis(10);

/// One run of `gate` or `bench`, stored as a line of the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// [`HISTORY_SCHEMA_VERSION`] of the program that wrote the line.
    pub schema_version: u32,
    /// The kind of record: always `history`.
    pub kind: String,
    /// Start of the run, in RFC 3339, UTC. The nanoseconds, which older lines lack, prevent two runs from having equal lines. Runs are
    /// sorted by their start.
    pub started: String,
    /// The commit to which the run belongs: a hash, with `-dirty` for uncommitted changes, or the ID that the user typed. Absent if
    /// unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub commit: Option<String>,
    /// The first line of the commit's message.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub subject: Option<String>,
    /// The machine.
    pub machine: Machine,
    /// The SIMD level of the built-in solvers.
    pub simd_level: String,
    /// The version of sudobench.
    pub version: String,
    /// Results of solvers on datasets, or of commands.
    pub pairs: Vec<HistoryPair>,
}

/// Results of a solver on a dataset, or of a command. Values that were not measured are absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HistoryPair {
    /// The name of the built-in solver, engine or command.
    pub solver: String,
    /// The dataset's name; empty for a command.
    pub dataset: String,
    /// Conditions of the measurement: the limits of the search, the seed that chooses the puzzles, and other settings, such as
    /// `max_solutions=2 max_nodes=1000000 seed=1`. Counts and times are compared only if these conditions are equal.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub terms: String,
    /// SHA-256 of the dataset's file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sha256: Option<String>,
    /// Number of puzzles that were counted or timed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub puzzles: Option<u64>,
    /// SIMD level, for solvers whose counts depend on the level.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub simd: Option<String>,
    /// Number of search nodes, as the solver or engine counts them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
    /// Number of guesses (decisions between alternatives), as the solver or engine counts them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub guesses: Option<u64>,
    /// Other counters, such as the numbers that a command prints, or the number of executed instructions. The keys are the names of the
    /// counters.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub counters: BTreeMap<String, f64>,
    /// The first digits of a SHA-256 over the counts of every puzzle.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub digest: Option<String>,
    /// For the paired gate: time of the new build (head) divided by the time of the old build (base).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ratio: Option<RatioRecord>,
    /// For `bench`: core time per puzzle (wall time x threads / puzzles), in nanoseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time_ns: Option<TimeRecord>,
    /// For `bench`: figures without a field of their own, by their keys in the registry.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub figures: BTreeMap<String, f64>,
}

impl HistoryPair {
    /// Returns the exact counts.
    pub fn counts(&self) -> CountedValues {
        counted_values(self.nodes, self.guesses)
    }
}

/// A ratio of times with its interval. The gate's verdict was decided with these bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatioRecord {
    /// The median over the trials and its interval.
    #[serde(flatten)]
    pub interval: Interval,
    /// Number of trials.
    pub trials: u64,
    /// Largest rise of the time that the gate allows, in percent.
    pub limit_percent: f64,
}

/// A time with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeRecord {
    /// The median over the rounds and its interval. If there was only one round, there is no interval, and all three numbers are equal.
    #[serde(flatten)]
    pub interval: Interval,
    /// Number of rounds.
    pub rounds: u64,
}

/// The runs of a history, in the order of their start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// The runs. If lines are equal, which can happen after a merge of two Git branches, only one of them is kept.
    pub entries: Vec<HistoryEntry>,
    /// Numbers (from 1) of the lines that were skipped, because they can't be parsed, are of another kind, or have impossible values.
    pub skipped_lines: Vec<usize>,
}

/// Reasons why a file can't be used as a history, or why nothing can be appended to it.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The file can't be read.
    #[error("cannot read the history {path}")]
    Read {
        /// The file.
        path: String,
        /// The error of the system.
        source: io::Error,
    },
    /// Nothing can be appended to the file.
    #[error("cannot append to the history {path}")]
    Append {
        /// The file.
        path: String,
        /// The error of the system.
        source: io::Error,
    },
    /// A line was written by a newer program, so this program may not understand all of it.
    #[error(
        "line {line} of {path} has schema_version {version}, but this program reads {HISTORY_SCHEMA_VERSION}: use a newer version of \
         sudobench"
    )]
    Newer {
        /// The file.
        path: String,
        /// Number of the line, from 1.
        line: usize,
        /// The version of the line.
        version: u32,
    },
    /// The file is not a history (see [`check_appendable`]), so nothing is appended to it.
    #[error("{path} exists and is not a file that `--history` wrote: choose another file")]
    Foreign {
        /// The file.
        path: String,
    },
    /// No line of the file is a run.
    #[error(
        "{path} is not a history: none of its lines is a valid result of `sudobench gate --history` or `sudobench bench --history`"
    )]
    None {
        /// The file.
        path: String,
    },
}

/// The fields that identify the kind and the version of a line.
#[derive(Deserialize)]
struct Head {
    schema_version: u32,
    kind: String,
}

/// Returns the fields that identify the kind and the version of a line, if the line has them.
///
/// # Errors
///
/// [`HistoryError::Newer`] if the line was written by a newer program.
fn head_of(line: &[u8], number: usize, path: &str) -> Result<Option<Head>, HistoryError> {
    let Ok(head) = serde_json::from_slice::<Head>(line) else { return Ok(None) };
    if head.kind == HISTORY && head.schema_version > HISTORY_SCHEMA_VERSION {
        return Err(HistoryError::Newer {
            path: path.to_owned(),
            line: number,
            version: head.schema_version,
        });
    }
    Ok(Some(head))
}

/// Returns the lines of a history, with their numbers from 1.
fn lines_of(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    (1..).zip(bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii))
}

/// Refuses a file that is not a history. An empty file is accepted. A file with only one line is also accepted if this line may be
/// an incomplete line of a history.
///
/// # Errors
/// [`HistoryError::Newer`] if a line was written by a newer program, [`HistoryError::Foreign`] if the file is not a history.
pub fn check_appendable(bytes: &[u8], path: &str) -> Result<(), HistoryError> {
    let mut has_run = false;
    for (number, line) in lines_of(bytes) {
        has_run |= head_of(line, number, path)?.is_some_and(|head| head.kind == HISTORY);
    }
    let mut lines = lines_of(bytes).map(|(_, line)| line).filter(|line| !line.is_empty());
    let is_torn = match (lines.next(), lines.next()) {
        (None, _) => true,
        (Some(line), None) => may_be_torn(line),
        (Some(_), Some(_)) => false,
    };
    if has_run || is_torn { Ok(()) } else { Err(HistoryError::Foreign { path: path.to_owned() }) }
}

/// Returns whether a line may be an incomplete line of a history: its beginning, without its end.
fn may_be_torn(line: &[u8]) -> bool {
    const START: &str = "{\"schema_version\":";
    const KIND: &str = ",\"kind\":\"history\"";
    let start: String = line
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .take(64)
        .map(|&byte| char::from(byte))
        .collect();
    match start.strip_prefix(START) {
        None => START.starts_with(&start),
        Some(rest) => {
            let rest = rest.trim_start_matches(|character: char| character.is_ascii_digit());
            KIND.starts_with(rest) || rest.starts_with(KIND)
        }
    }
}

impl HistoryEntry {
    /// Returns the start of the run without the fraction of a second.
    pub fn second(&self) -> String {
        self.started.split_once('.').map_or(self.started.clone(), |(second, _)| format!("{second}Z"))
    }

    /// Returns the pairs of a record of `bench`. A pair that was not measured is left out.
    pub fn pairs_of(record: &BenchRecord) -> Vec<HistoryPair> {
        let of = |pair: &PairRecord| {
            let measurement = pair.measurement.as_ref()?;
            let dataset = record.datasets.iter().find(|dataset| dataset.name == pair.dataset)?;
            let is_exact = is_exact(measurement, &record.settings);
            let effort = measurement.effort.filter(|_| is_exact);
            Some(HistoryPair {
                solver: pair.solver.clone(),
                dataset: pair.dataset.clone(),
                terms: terms_of(record, pair),
                sha256: Some(dataset.sha256.clone()),
                puzzles: Some(measurement.puzzles),
                simd: (pair.kind == super::Kind::Batch).then(|| record.simd_level.clone()).flatten(),
                nodes: effort.and_then(|effort| effort.nodes),
                guesses: effort.and_then(|effort| effort.guesses),
                time_ns: time_of(measurement, pair.threads, record.seed),
                figures: measurement.figures.clone(),
                ..HistoryPair::default()
            })
        };
        record.pairs.iter().filter_map(of).collect()
    }

    /// Appends the run as a line to a file, which is created if necessary. If writing fails, the file keeps its old content, unless the
    /// file system does not support locks: then a part of the line may stay.
    ///
    /// # Errors
    ///
    /// [`HistoryError::Append`] if the line can't be appended.
    pub fn append(&self, path: &Path) -> Result<(), HistoryError> {
        let append = || -> io::Result<()> {
            let mut line = serde_json::to_vec(self)?;
            line.push(b'\n');
            append_line(path, line)
        };
        append().map_err(|source| HistoryError::Append { path: path.display().to_string(), source })
    }

    /// Returns whether the times and ratios of this line are possible results of a run.
    fn is_sound(&self) -> bool {
        // About thirty years in nanoseconds.
        const MOST: f64 = 1e18;
        let is_sound = |interval: &Interval| {
            let Interval { median, low, high } = *interval;
            0.0 < low && low <= median && median <= high && high < MOST
        };
        self.pairs.iter().all(|pair| {
            pair.time_ns.is_none_or(|time| is_sound(&time.interval))
                && pair.ratio.is_none_or(|ratio| is_sound(&ratio.interval) && ratio.limit_percent >= 0.0)
        })
    }
}

/// Returns whether the counts of a measurement are independent of any clock.
fn is_exact(measurement: &Measurement, settings: &Settings) -> bool {
    let all_decided = measurement.effort.is_some_and(|effort| effort.puzzles == measurement.puzzles);
    settings.max_time_per_puzzle_ns.is_none() || all_decided
}

/// Returns the conditions of the measurement of a pair, as text for [`HistoryPair::terms`].
fn terms_of(record: &BenchRecord, pair: &PairRecord) -> String {
    let max_nodes = record.settings.max_nodes.map_or("-".to_owned(), |nodes| nodes.to_string());
    let threads = if pair.threads > 1 { format!(" threads={}", pair.threads) } else { String::new() };
    let forms = record.settings.isomorphs.map_or(String::new(), |forms| format!(" isomorphs={forms}"));
    let fresh = if record.settings.fresh_forms && pair.kind.is_external() { " fresh_forms" } else { "" };
    let max_time = record.settings.max_time_per_puzzle_ns;
    let max_time = max_time.map_or(String::new(), |limit| format!(" max_time_per_puzzle={limit}ns"));
    // For a built-in solver, only the kind `Smallest` is written, because the other kinds follow from `max_solutions`. For an engine, every
    // kind except `Any` is written.
    let kind = pair.answers();
    let says_kind =
        if pair.kind.is_external() { kind != AnswerKind::Any } else { kind == AnswerKind::Smallest };
    let answers = if says_kind { format!(" answers={}", kind.name()) } else { String::new() };
    let protocol = pair.protocol().filter(|&protocol| protocol != DEFAULT_PROTOCOL);
    let protocol = protocol.map_or(String::new(), |protocol| format!(" protocol={protocol}"));
    format!(
        "max_solutions={} max_nodes={max_nodes} seed={}{threads}{forms}{fresh}{max_time}{answers}{protocol}",
        pair.max_solutions, record.seed
    )
}

/// Returns the core time per puzzle (wall time x threads / puzzles): the median over the rounds with its interval.
fn time_of(measurement: &Measurement, threads: usize, seed: u64) -> Option<TimeRecord> {
    let throughputs = measurement.round_throughputs();
    let times: Vec<f64> = throughputs.iter().map(|throughput| threads as f64 * 1e9 / throughput).collect();
    let interval = median_interval(&times, seed).filter(|interval| interval.low > 0.0)?;
    Some(TimeRecord { interval, rounds: times.len() as u64 })
}

/// Appends a line, under a lock if the file system supports locks. If the file does not end with a line end, adds one first.
fn append_line(path: &Path, mut line: Vec<u8>) -> io::Result<()> {
    let mut file = File::options().read(true).append(true).create(true).open(path)?;
    let is_alone = wait_for_lock(&file)?;
    let before = file.seek(SeekFrom::End(0))?;
    if before > 0 {
        let mut last = [0];
        file.seek(SeekFrom::Start(before - 1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            line.insert(0, b'\n');
        }
    }
    // The line is normally written with a single call, so that it is complete or absent if this process is killed.
    let written = file.write_all(&line);
    if written.is_err() && is_alone {
        // If only a part of the line was written, for example because the disk is full, removes this part. Without a lock, the part
        // stays, because another run may have appended a line after it.
        file.set_len(before)?;
    }
    written
}

/// Waits until no other run has locked this file or folder. Then locks it; the lock ends when the file is closed. Returns false if locks
/// are not supported.
///
/// # Errors
///
/// If another process keeps the lock for more than 10 seconds, or locking fails.
pub fn wait_for_lock(file: &File) -> io::Result<bool> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            // Some network file systems do not support locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(false);
            }
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if start.elapsed() > LOCK_WAIT => {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "another process has locked it"));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_TICK),
        }
    }
}

impl History {
    /// Parses a history; `path` is its name in errors. Lines that are not a run, or that have impossible values, are skipped. Their numbers
    /// are stored, except for blank lines.
    ///
    /// # Errors
    ///
    /// [`HistoryError`] if a line has a newer version, or no line is a run.
    pub fn parse(bytes: &[u8], path: &str) -> Result<History, HistoryError> {
        let mut history = History::default();
        let mut seen: HashSet<&[u8]> = HashSet::new();
        for (number, line) in lines_of(bytes) {
            if head_of(line, number, path)?.is_none() {
                history.skipped_lines.extend((!line.is_empty()).then_some(number));
                continue;
            }
            let entry = serde_json::from_slice::<HistoryEntry>(line).ok();
            match entry.filter(|entry| entry.kind == HISTORY && entry.is_sound()) {
                None => history.skipped_lines.push(number),
                Some(entry) => history.entries.extend(seen.insert(line).then_some(entry)),
            }
        }
        if history.entries.is_empty() {
            return Err(HistoryError::None { path: path.to_owned() });
        }
        // After a merge of two Git branches, the lines of one branch follow the lines of the other, so all runs are sorted by time. The
        // `Z` is removed before the comparison, because older lines have no fraction of a second, and as text `00.5Z` would come before
        // `00Z`.
        history.entries.sort_by(|a, b| {
            let [a, b] = [a, b].map(|entry| entry.started.trim_end_matches('Z'));
            a.cmp(b)
        });
        Ok(history)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures;
    use super::*;

    fn append(path: &Path, started: &str) {
        HistoryEntry { started: started.to_owned(), ..fixtures::history_entry(1) }.append(path).unwrap();
    }

    fn starts(path: &Path) -> (Vec<String>, Vec<usize>) {
        let history = History::parse(&std::fs::read(path).unwrap(), "h").unwrap();
        (history.entries.into_iter().map(|entry| entry.started).collect(), history.skipped_lines)
    }

    #[test]
    fn lines_round_trip_and_an_incomplete_one_is_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("h.jsonl");
        append(&path, "a");
        append(&path, "c");
        append(&path, "b");
        assert_eq!(starts(&path), (["a", "b", "c"].map(str::to_owned).to_vec(), vec![]), "by their start");
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        append(&path, "d");
        std::fs::write(&path, [&std::fs::read(&path).unwrap()[..], b"\n\xff\xfe\n{}\n{\"a\":1"].concat())
            .unwrap();
        append(&path, "d");
        let all = (["a", "c", "d"].map(str::to_owned).to_vec(), vec![3, 6, 7, 8]);
        assert_eq!(starts(&path), all, "two equal lines count as one");
    }

    #[test]
    fn runs_of_one_second_are_ordered_after_a_run_of_an_older_program() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("h.jsonl");
        let second = "2026-01-01T00:00:00";
        let in_order = ["Z", ".000000009Z", ".5Z"].map(|end| format!("{second}{end}"));
        in_order.iter().rev().for_each(|started| append(&path, started));
        assert_eq!(starts(&path), (in_order.to_vec(), vec![]));
        let history = History::parse(&std::fs::read(&path).unwrap(), "h").unwrap();
        assert!(history.entries.iter().all(|entry| entry.second() == format!("{second}Z")));
    }

    #[test]
    fn newer_versions_and_other_files_are_refused() {
        let entry = HistoryEntry { schema_version: HISTORY_SCHEMA_VERSION + 1, ..fixtures::history_entry(1) };
        let text = format!("\n{}\n", serde_json::to_string(&entry).unwrap());
        let error = |text: &str| History::parse(text.as_bytes(), "h.jsonl").unwrap_err().to_string();
        assert_eq!(
            error(&text),
            "line 2 of h.jsonl has schema_version 2, but this program reads 1: use a newer version of sudobench"
        );
        for none in
            ["", "{}", "puzzle,solution\n", &serde_json::to_string(&fixtures::bench_record()).unwrap()]
        {
            assert!(error(none).starts_with("h.jsonl is not a history: "), "{none}");
        }
    }

    #[test]
    fn impossible_numbers_are_skipped() {
        let mut entry = fixtures::history_entry(1);
        let sound = serde_json::to_string(&entry).unwrap();
        entry.pairs[0].time_ns.as_mut().unwrap().interval.low = 0.0;
        let text = format!("{sound}\n{}\n", serde_json::to_string(&entry).unwrap());
        assert_eq!(History::parse(text.as_bytes(), "h").unwrap().skipped_lines, [2]);
    }

    #[test]
    fn runs_that_append_at_once_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("h.jsonl");
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let path = &path;
                scope.spawn(move || (0..20).for_each(|at| append(path, &format!("{thread} {at}"))));
            }
        });
        let (starts, skipped_lines) = starts(&path);
        assert_eq!((starts.len(), skipped_lines), (80, vec![]));
    }

    #[test]
    fn runs_can_be_appended_to_any_readable_history() {
        let is_appendable = |text: &str| check_appendable(text.as_bytes(), "h.jsonl").is_ok();
        let line = serde_json::to_string(&fixtures::history_entry(1)).unwrap();
        let spaced = line.replace(':', ": ").replace(',', ", ");
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        let sorted: std::collections::BTreeMap<&String, &serde_json::Value> =
            value.as_object().unwrap().iter().collect();
        let sorted = serde_json::to_string(&sorted).unwrap();
        assert!(sorted.starts_with("{\"commit\""), "{sorted}");
        let behind_a_torn_one = format!("{}\n{line}", "x".repeat(10_000));
        for text in [&spaced, &sorted, &behind_a_torn_one] {
            assert!(History::parse(text.as_bytes(), "h.jsonl").is_ok() && is_appendable(text), "{text}");
        }
        for length in [0, 5, 20, 30, line.len()] {
            assert!(is_appendable(&line[..length]) && is_appendable(&spaced[..length]), "{length}");
        }
        let record = serde_json::to_string(&fixtures::bench_record()).unwrap();
        for other in ["puzzle\n", "{\n \"schema_version\"", "# sudobench baseline 1", &record] {
            assert!(!is_appendable(other), "{other}");
        }
    }

    #[test]
    fn a_record_of_bench_becomes_pairs() {
        let mut record = fixtures::bench_record();
        let pairs = HistoryEntry::pairs_of(&record);
        let found: Vec<_> =
            pairs.iter().map(|pair| (pair.solver.as_str(), pair.nodes, pair.simd.as_deref())).collect();
        assert_eq!(found[..2], [("quick", Some(2), None), ("steady", Some(4), Some("avx2"))]);
        assert!(pairs.iter().all(|pair| pair.solver != "broken" && pair.time_ns.is_some()));
        record.pairs[0].smallest = true;
        let terms = &HistoryEntry::pairs_of(&record)[0].terms;
        assert_eq!(terms, "max_solutions=2 max_nodes=- seed=1 answers=smallest");
        // If a time limit aborted a puzzle, the counts depend on a clock.
        record.settings.max_time_per_puzzle_ns = Some(1);
        for pair in &mut record.pairs {
            pair.measurement.iter_mut().for_each(|measurement| measurement.puzzles += 1);
        }
        assert!(HistoryEntry::pairs_of(&record).iter().all(|pair| pair.nodes.is_none()));
    }
}
