//! Reads the records of the parts of a run, and checks that the parts are complete.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::notice::Notices;
use crate::place::{beside, without_end};
use crate::resolved_job::ResolvedJob;
use crate::resume::{Difference, PARTIAL_END, StoredJob, difference};
use crate::sink::{Compression, OutputFormat};
use crate::{Budget, Cut, Measures, Notice, Shard, ShardRecord, ShardRecordError};

/// Suffix of the state file beside a partial output.
const STATE_END: &str = ".json";

/// All parts of a run, in order.
///
/// ```no_run
/// use std::path::PathBuf;
/// use sudobench_rows::sink::{Existing, Target};
/// use sudobench_rows::{Merging, Parts};
///
/// let parts = Parts::read(&[PathBuf::from("solved.shard-1-of-2.csv"), PathBuf::from("solved.shard-2-of-2.csv")])?;
/// let target = Target::File("solved.csv".into());
/// parts.merge(&Merging { target, existing: Existing::Refuse, sync: true, cancel: Default::default() }, |_| ())?;
/// println!("{} rows", parts.measures().tally.rows());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Parts {
    /// The parts, ordered by number, none missing.
    parts: Vec<Part>,
    /// The job of all parts.
    pub(super) job: ResolvedJob,
    format: OutputFormat,
    compression: Compression,
    budgets: Vec<Budget>,
}

/// The output of a shard with its record.
#[derive(Clone, Debug)]
pub struct Part {
    /// Path of the output.
    pub path: PathBuf,
    /// The record next to the output.
    pub record: ShardRecord,
}

/// All faults of the parts. The parts can't be merged because of these faults.
#[derive(Debug)]
pub struct PartsError(pub Vec<PartFault>);

/// A fault of one part, or of several parts together.
#[derive(Debug, thiserror::Error)]
pub enum PartFault {
    /// No part was named.
    #[error("there is nothing to merge: no part is named")]
    Nothing,
    /// The record of a part is missing or invalid.
    #[error(transparent)]
    Record(#[from] ShardRecordError),
    /// A part can't be read.
    #[error("cannot read {part}: {reason}")]
    Read {
        /// The part.
        part: PathBuf,
        /// The system's error.
        reason: io::Error,
    },
    /// A record was named, but its part is missing.
    #[error("{record} is the record of {part}, but this part is missing: run that shard again")]
    RecordAlone {
        /// The named record.
        record: PathBuf,
        /// The part of this record.
        part: PathBuf,
    },
    /// The shard is running or was interrupted.
    #[error(
        "{} is not complete, because {partial} is a partial file; wait for the shard, or continue it with --resume",
        shard.map_or("a shard".to_owned(), |shard| format!("shard {shard}"))
    )]
    NotDone {
        /// The partial file.
        partial: PathBuf,
        /// The shard, if the name of the file shows it.
        shard: Option<Shard>,
    },
    /// The run was divided into another number of parts.
    #[error("{part} is shard {shard}, but {other} is one of {of} shards")]
    OtherCount {
        /// The part.
        part: PathBuf,
        /// The shard of the part.
        shard: Shard,
        /// One of the other parts.
        other: PathBuf,
        /// Number of shards of the other part's run.
        of: u32,
    },
    /// The part belongs to another run.
    #[error("{part} is from another run than {other}: it has different {what}, {here} instead of {there}")]
    Foreign {
        /// The part.
        part: PathBuf,
        /// A part of the run that most of the parts belong to.
        other: PathBuf,
        /// The option that differs.
        what: String,
        /// The value of this option for the part, as JSON.
        here: String,
        /// The value of this option for the other part, as JSON.
        there: String,
    },
    /// The part was made from other inputs.
    #[error("{part} is from another run than {other}: its {what} is another file, or was changed in between")]
    OtherInput {
        /// The part.
        part: PathBuf,
        /// A part of the run that most of the parts belong to.
        other: PathBuf,
        /// The input that differs.
        what: String,
    },
    /// One of several parts for the same shard.
    #[error("shard {shard} was named twice: {one} and {other}; name only one of them")]
    Twice {
        /// The shard.
        shard: Shard,
        /// The first named part.
        one: PathBuf,
        /// A part that was named later.
        other: PathBuf,
    },
    /// Some parts are missing.
    #[error("{}", missing_words(numbers, *of))]
    Missing {
        /// The first and the last number of each missing range.
        numbers: Vec<(u32, u32)>,
        /// Number of shards.
        of: u32,
    },
    /// The part differs from what its shard wrote.
    #[error("{part} {fault}; run that shard again")]
    Changed {
        /// The part.
        part: PathBuf,
        /// The fault.
        fault: String,
    },
    /// Rows between two parts are missing, or are in both parts.
    #[error(
        "{before} ends {}, but {after} starts {}: the input was split inside a quoted field with line breaks; run the command without \
        --shard, or convert the input to Parquet first",
        place(end.as_ref()), place(Some(start))
    )]
    Border {
        /// The first part.
        before: PathBuf,
        /// The end of the first part; `None` for the end of all inputs.
        end: Option<Cut>,
        /// The next part.
        after: PathBuf,
        /// The start of the next part.
        start: Cut,
    },
    /// The format can't join the parts.
    #[error("{0}")]
    Join(String),
}

impl fmt::Display for PartsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if at == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for PartsError {}

fn missing_words(numbers: &[(u32, u32)], of: u32) -> String {
    let is_one = matches!(numbers, [(first, last)] if first == last);
    let row = |&(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    };
    let listed: Vec<String> = numbers.iter().map(row).collect();
    let listed = listed.join(", ");
    let listed = match listed.rsplit_once(", ") {
        Some((most, last)) => format!("{most} and {last}"),
        None => listed,
    };
    if is_one {
        format!("shard {listed} of {of} is missing")
    } else {
        format!("shards {listed} of {of} are missing")
    }
}

fn place(cut: Option<&Cut>) -> String {
    match cut {
        Some(cut) => format!("at {} of input {}", cut.at, cut.input.saturating_add(1)),
        None => "with the last row of all inputs".to_owned(),
    }
}

impl Parts {
    /// Reads the records of these files, in any order, and compares them with each other and with the files' sizes.
    /// You may name a part, its record, or both, because a shell pattern for parts may also match records.
    ///
    /// # Errors
    /// [`PartsError`] with everything that is wrong.
    pub fn read(paths: &[PathBuf]) -> Result<Parts, PartsError> {
        let mut faults = Vec::new();
        let mut parts = Vec::new();
        let mut not_done = Vec::new();
        let companions = companions(paths);
        for path in paths {
            match read_part(path, &companions) {
                Ok(Some(part)) => parts.push(part),
                Ok(None) => {}
                Err(fault) => {
                    // The part exists or will exist, so it isn't reported as missing too.
                    not_done.extend(match &fault {
                        PartFault::NotDone { shard, .. } => *shard,
                        _ => Shard::of_file(path),
                    });
                    faults.push(fault);
                }
            }
        }
        if parts.is_empty() && faults.is_empty() {
            faults.push(PartFault::Nothing);
        }
        faults.extend(parts.iter().filter_map(|part| part.size_fault().err()));
        remove_foreign(&mut parts, &mut faults);
        remove_doubled(&mut parts, &mut faults);
        find_missing(&parts, &not_done, &mut faults);
        find_borders(&parts, &mut faults);
        match parts.first().map(Part::form) {
            Some(Ok((job, format, compression, budgets))) => {
                faults.extend(parts.iter().filter_map(|part| part.layout_fault(format)));
                if let Some(join) = format.join.as_ref().filter(|_| faults.is_empty()) {
                    let paths: Vec<&Path> = parts.iter().map(|part| &*part.path).collect();
                    faults.extend((join.check)(&paths).into_iter().map(PartFault::Join));
                }
                if faults.is_empty() {
                    return Ok(Parts { parts, job, format, compression, budgets });
                }
            }
            Some(Err(fault)) => faults.push(fault),
            None => {}
        }
        Err(PartsError(faults))
    }

    /// Returns the parts in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the format of the rows.
    pub fn format(&self) -> OutputFormat {
        self.format
    }

    /// Returns the compression.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Returns the total number of bytes.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().fold(0, |bytes, part| bytes.saturating_add(part.record.output.bytes))
    }

    /// Returns the measurements of the whole run.
    pub fn measures(&self) -> Measures {
        let mut measures = Measures::new(&self.budgets);
        for Part { record, .. } in &self.parts {
            measures.tally.merge(&record.answered.tally);
            measures.scores.merge(&record.answered.scores);
            measures.latency.merge(&record.answered.latency);
        }
        measures
    }

    /// Returns the time at which the earliest shard started.
    pub fn started(&self) -> SystemTime {
        let started = self.parts.iter().map(|part| part.record.answered.started);
        started.min().unwrap_or(SystemTime::UNIX_EPOCH)
    }

    /// Returns the time of the longest shard. This is the time of the run if all shards ran at once.
    pub fn wall(&self) -> Duration {
        self.parts.iter().map(|part| part.record.answered.elapsed).max().unwrap_or_default()
    }

    /// Returns the first notices of each kind, with the lines of their rows in the inputs.
    pub fn notices(&self) -> Vec<Notice> {
        let mut notices = Notices::default();
        // Number of lines before this part, in the input in which the part starts.
        let mut before = 0;
        for Part { record, .. } in &self.parts {
            if record.start_line.is_some() {
                before = 0;
            }
            let absolute = |input: usize, line: u64| match input == record.start.input {
                true => line.saturating_add(before),
                false => line,
            };
            let mut own = record.answered.notices.clone();
            for notice in &mut own {
                notice.line = absolute(notice.input, notice.line);
            }
            notices.append(&mut Notices(own));
            before = record.end.map_or(0, |end| absolute(end.input, record.end_line).saturating_sub(1));
        }
        notices.0
    }

    /// Returns the job of the merged run. If a partial file of the merge is left, no run can resume it, because the job of a run is
    /// different.
    pub(super) fn asked(&self) -> StoredJob {
        let job = self.parts.first().map(|part| part.record.job.clone()).unwrap_or_default();
        StoredJob { job, local: json!({ "merged_shards": self.parts.len() }) }
    }
}

impl Part {
    /// Returns the number of bytes of the rows.
    pub(super) fn row_bytes(&self) -> u64 {
        let ShardRecord { header_bytes, filler_bytes, output, .. } = &self.record;
        output.bytes.saturating_sub(*header_bytes).saturating_sub(*filler_bytes)
    }

    /// Returns the job, the format, the compression and the budgets.
    fn form(&self) -> Result<(ResolvedJob, OutputFormat, Compression, Vec<Budget>), PartFault> {
        let unreadable = |what: &str| self.unreadable(format!("this program does not know its {what}"));
        let job = ResolvedJob::deserialize(&self.record.job);
        let job =
            job.map_err(|error| self.unreadable(format!("this program cannot read its job: {error}")))?;
        let format = job.output_format.parse().map_err(|_| unreadable("output-format"))?;
        let compression = job.output_compression.parse().map_err(|_| unreadable("output-compression"))?;
        let budgets = self.record.budgets.iter().map(|label| Budget::of_label(label));
        let budgets = budgets.collect::<Option<_>>().ok_or_else(|| unreadable("budgets"))?;
        Ok((job, format, compression, budgets))
    }

    /// Checks the size of the file.
    fn size_fault(&self) -> Result<(), PartFault> {
        let part = self.path.clone();
        let Ok(found) = fs::metadata(&part) else { return Ok(()) };
        let then = self.record.output.bytes;
        match found.len() {
            now if now == then => Ok(()),
            now => {
                let fault = format!("has {now} bytes, but its shard wrote {then}");
                Err(PartFault::Changed { part, fault })
            }
        }
    }

    /// Returns a fault if the lengths in the record do not fit each other or the output.
    fn layout_fault(&self, format: OutputFormat) -> Option<PartFault> {
        let ShardRecord { header_bytes, filler_bytes, output, .. } = &self.record;
        let beside = header_bytes.checked_add(*filler_bytes);
        let sized_header = format.sized_header;
        let is_sound = sized_header.is_none_or(|header| *header_bytes == header(0).len() as u64)
            && beside
                .is_some_and(|bytes| bytes == output.bytes || bytes < output.bytes && *filler_bytes == 0);
        (!is_sound).then(|| self.unreadable("its header does not fit the output".to_owned()))
    }

    pub(super) fn unreadable(&self, reason: String) -> PartFault {
        ShardRecordError::Unreadable { record: ShardRecord::path_of(&self.path), reason }.into()
    }
}

/// Returns the paths of the records beside these files, and of the state files beside partial outputs. A returned path is relative if the
/// path of its file is relative.
fn companions(paths: &[PathBuf]) -> HashSet<PathBuf> {
    let state_of =
        |path: &PathBuf| path.to_string_lossy().ends_with(PARTIAL_END).then(|| beside(path, STATE_END));
    let records = paths.iter().map(|path| ShardRecord::path_of(path));
    records.chain(paths.iter().filter_map(state_of)).collect()
}

/// Reads the record of a part. `path` is the part or its record. Returns `None` if `path` is a record or a state file, and the file that it
/// belongs to is named as well.
fn read_part(path: &Path, companions: &HashSet<PathBuf>) -> Result<Option<Part>, PartFault> {
    if companions.contains(path) {
        return Ok(None);
    }
    if let Some(part) = ShardRecord::output_of(path) {
        return match part.exists() {
            true => read_part(&part, companions),
            false => Err(PartFault::RecordAlone { record: path.to_owned(), part }),
        };
    }
    let partial = without_end(path, STATE_END).unwrap_or_else(|| path.to_owned());
    if let Some(part) = without_end(&partial, PARTIAL_END) {
        return Err(PartFault::NotDone { shard: Shard::of_file(&part), partial });
    }
    let cannot_read = |reason| PartFault::Read { part: path.to_owned(), reason };
    if !fs::metadata(path).map_err(cannot_read)?.is_file() {
        return Err(cannot_read(io::Error::other("it is not a file")));
    }
    Ok(Some(Part { path: path.to_owned(), record: ShardRecord::of(path)? }))
}

/// Keeps the parts of the run with the most parts.
fn remove_foreign(parts: &mut Vec<Part>, faults: &mut Vec<PartFault>) {
    let mut runs: Vec<(u32, Value, usize)> = Vec::new();
    let mut run_of = Vec::new();
    for Part { record, .. } in parts.iter() {
        let (of, asked) = (record.shard.of(), record.comparable());
        let known = runs.iter().position(|run| (run.0, &run.1) == (of, &asked));
        let run = known.unwrap_or(runs.len());
        if known.is_none() {
            runs.push((of, asked, 0));
        }
        runs[run].2 += 1;
        run_of.push(run);
    }
    // The first of the runs with the most parts.
    let Some(own) = (0..runs.len()).rev().max_by_key(|&run| runs[run].2) else { return };
    let Some(example) = run_of.iter().position(|&run| run == own).map(|at| parts[at].path.clone()) else {
        return;
    };
    let mut at = 0;
    parts.retain(|Part { path, record }| {
        let run = run_of[at];
        at += 1;
        if run == own {
            return true;
        }
        let (part, other) = (path.clone(), example.clone());
        faults.push(match difference(&runs[run].1, &runs[own].1) {
            Some(Difference { what, .. }) if what.starts_with("input ") => {
                PartFault::OtherInput { part, other, what }
            }
            Some(Difference { what, then: here, now: there }) => {
                PartFault::Foreign { part, other, what, here, there }
            }
            None => PartFault::OtherCount { part, shard: record.shard, other, of: runs[own].0 },
        });
        false
    });
}

/// Sorts the parts by number and keeps the first of each number.
fn remove_doubled(parts: &mut Vec<Part>, faults: &mut Vec<PartFault>) {
    let mut by_number: BTreeMap<Shard, Part> = BTreeMap::new();
    for part in parts.drain(..) {
        let shard = part.record.shard;
        match by_number.get(&shard) {
            Some(one) => {
                faults.push(PartFault::Twice { shard, one: one.path.clone(), other: part.path });
            }
            None => drop(by_number.insert(shard, part)),
        }
    }
    parts.extend(by_number.into_values());
}

/// Reports the missing parts, except those for which a fault is reported already.
fn find_missing(parts: &[Part], not_done: &[Shard], faults: &mut Vec<PartFault>) {
    let Some(of) = parts.first().map(|part| part.record.shard.of()) else { return };
    let mut known: Vec<u32> = parts.iter().map(|part| part.record.shard.number()).collect();
    known.extend(not_done.iter().filter(|shard| shard.of() == of).map(|shard| shard.number()));
    known.sort_unstable();
    let mut numbers = Vec::new();
    let mut next = 1;
    for number in known {
        if number > next {
            numbers.push((next, number - 1));
        }
        next = next.max(number.saturating_add(1));
    }
    if next <= of {
        numbers.push((next, of));
    }
    if !numbers.is_empty() {
        faults.push(PartFault::Missing { numbers, of });
    }
}

/// Checks that each part starts where the previous one ends.
fn find_borders(parts: &[Part], faults: &mut Vec<PartFault>) {
    for part in parts {
        let ShardRecord { shard, start, end, .. } = &part.record;
        if shard.number() == 1 && *start != Cut::default() {
            faults.push(part.unreadable(format!("the first shard starts {}", place(Some(start)))));
        }
        if let Some(end) = end.as_ref().filter(|_| shard.number() == shard.of()) {
            faults.push(part.unreadable(format!("the last shard ends {}", place(Some(end)))));
        }
    }
    for pair in parts.windows(2) {
        let [before, after] = [&pair[0], &pair[1]];
        let (end, start) = (before.record.end, after.record.start);
        if before.record.shard.number() + 1 == after.record.shard.number() && end != Some(start) {
            let [before, after] = [before, after].map(|part| part.path.clone());
            faults.push(PartFault::Border { before, end, after, start });
        }
    }
}
