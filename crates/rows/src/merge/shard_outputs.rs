//! Reads the records of the parts of a run, and checks that the parts are complete.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::job_difference::{Difference, difference};
use crate::notice::Notices;
use crate::place::{beside, without_end};
use crate::resolved_job::ResolvedJob;
use crate::resume::{PARTIAL_END, StoredJob};
use crate::sink::{Compression, OutputFormat};
use crate::{Budget, Cut, Notice, RunMeasures, Shard, ShardRecord, ShardRecordError};

/// Suffix of the state file beside a partial output.
const STATE_END: &str = ".json";

/// All parts of a run, in order.
///
/// ```no_run
/// use std::path::PathBuf;
/// use sudobench_rows::sink::{Existing, Target};
/// use sudobench_rows::{Merging, ShardOutputs};
///
/// let parts = ShardOutputs::read(&[PathBuf::from("solved.shard-1-of-2.csv"), PathBuf::from("solved.shard-2-of-2.csv")])?;
/// let target = Target::File("solved.csv".into());
/// parts.merge(&Merging { target, existing: Existing::Refuse, sync: true, cancel: Default::default() }, |_| ())?;
/// println!("{} rows", parts.measures().tally.rows());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ShardOutputs {
    /// The parts, ordered by number, none missing.
    parts: Vec<ShardOutput>,
    pub(super) job: ResolvedJob,
    format: OutputFormat,
    compression: Compression,
    budgets: Vec<Budget>,
}

/// The output of a shard with its record.
#[derive(Clone, Debug)]
pub struct ShardOutput {
    /// Path of the output.
    pub path: PathBuf,
    /// The record next to the output.
    pub record: ShardRecord,
}

/// Faults that prevent merging the parts, with a message for each.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct ShardOutputsError(pub Vec<String>);

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
        Some(cut) => format!("at position {} of input {}", cut.at, cut.input.saturating_add(1)),
        None => "with the last row of all inputs".to_owned(),
    }
}

impl ShardOutputs {
    /// Reads the records of these files, in any order, and compares them with each other and with the files' sizes.
    /// You may name a part, its record, or both, because a shell pattern for parts may also match records.
    ///
    /// # Errors
    /// [`ShardOutputsError`] with the faults that were found.
    pub fn read(paths: &[PathBuf]) -> Result<ShardOutputs, ShardOutputsError> {
        let mut faults = Vec::new();
        let mut parts = Vec::new();
        let mut not_done = Vec::new();
        let companions = companions(paths);
        for path in paths {
            match read_part(path, &companions) {
                Ok(Some(part)) => parts.push(part),
                Ok(None) => {}
                Err(fault) => {
                    // A fault of this part is reported already, so the part isn't reported as missing too.
                    not_done.extend(Shard::from_file_name(path));
                    faults.push(fault);
                }
            }
        }
        if parts.is_empty() && faults.is_empty() {
            faults.push("there is nothing to merge: no part is named".to_owned());
        }
        faults.extend(parts.iter().filter_map(ShardOutput::size_fault));
        remove_foreign(&mut parts, &mut faults);
        remove_doubled(&mut parts, &mut faults);
        find_missing(&parts, &not_done, &mut faults);
        check_borders(&parts, &mut faults);
        match parts.first().map(ShardOutput::form) {
            Some(Ok((job, format, compression, budgets))) => {
                faults.extend(parts.iter().filter_map(|part| part.layout_fault(format)));
                if let Some(join) = format.join.as_ref().filter(|_| faults.is_empty()) {
                    let paths: Vec<&Path> = parts.iter().map(|part| &*part.path).collect();
                    faults.extend((join.check)(&paths));
                }
                if faults.is_empty() {
                    return Ok(ShardOutputs { parts, job, format, compression, budgets });
                }
            }
            Some(Err(fault)) => faults.push(fault),
            None => {}
        }
        Err(ShardOutputsError(faults))
    }

    /// Returns the parts in order.
    pub fn parts(&self) -> &[ShardOutput] {
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

    /// Returns the total number of bytes of the parts.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().fold(0, |bytes, part| bytes.saturating_add(part.record.output.bytes))
    }

    /// Returns the measurements of the whole run.
    pub fn measures(&self) -> RunMeasures {
        let mut measures = RunMeasures::new(&self.budgets);
        for ShardOutput { record, .. } in &self.parts {
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

    /// Returns the running time of the slowest shard. This is the time of the run if all shards ran in parallel.
    pub fn wall(&self) -> Duration {
        self.parts.iter().map(|part| part.record.answered.elapsed).max().unwrap_or_default()
    }

    /// Returns the first notices of each kind. Their line numbers count from the start of the input, not from the start of the shard.
    pub fn notices(&self) -> Vec<Notice> {
        let mut notices = Notices::default();
        // Each part starts somewhere in an input. This is the number of lines of that input before the part.
        let mut before = 0;
        for ShardOutput { record, .. } in &self.parts {
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

    /// Returns the job that is stored beside a partial file of the merge. No run can resume this file, because no run has a job with
    /// `merged_shards`.
    pub(super) fn asked(&self) -> StoredJob {
        let job = self.parts.first().map(|part| part.record.job.clone()).unwrap_or_default();
        StoredJob { job, local: json!({ "merged_shards": self.parts.len() }) }
    }
}

impl ShardOutput {
    pub(super) fn row_bytes(&self) -> u64 {
        let ShardRecord { header_bytes, filler_bytes, output, .. } = &self.record;
        output.bytes.saturating_sub(*header_bytes).saturating_sub(*filler_bytes)
    }

    fn form(&self) -> Result<(ResolvedJob, OutputFormat, Compression, Vec<Budget>), String> {
        let unreadable = |what: &str| self.unreadable(format!("this program does not know its {what}"));
        let job = ResolvedJob::deserialize(&self.record.job);
        let job =
            job.map_err(|error| self.unreadable(format!("this program cannot read its job: {error}")))?;
        let format = job.output_format.parse().map_err(|_| unreadable("output-format"))?;
        let compression = job.output_compression.parse().map_err(|_| unreadable("output-compression"))?;
        let budgets = self.record.budgets.iter().map(|label| Budget::from_label(label));
        let budgets = budgets.collect::<Option<_>>().ok_or_else(|| unreadable("budgets"))?;
        Ok((job, format, compression, budgets))
    }

    /// Returns a fault if the file does not have the size that its shard wrote.
    fn size_fault(&self) -> Option<String> {
        let now = fs::metadata(&self.path).ok()?.len();
        let then = self.record.output.bytes;
        let part = self.path.display();
        (now != then)
            .then(|| format!("{part} has {now} bytes, but its shard wrote {then}; run that shard again"))
    }

    /// Returns a fault if the lengths in the record do not fit each other or the output.
    fn layout_fault(&self, format: OutputFormat) -> Option<String> {
        let ShardRecord { header_bytes, filler_bytes, output, .. } = &self.record;
        let beside = header_bytes.checked_add(*filler_bytes);
        let sized_header = format.sized_header;
        let is_sound = sized_header.is_none_or(|header| *header_bytes == header(0).len() as u64)
            && beside
                .is_some_and(|bytes| bytes == output.bytes || bytes < output.bytes && *filler_bytes == 0);
        (!is_sound).then(|| self.unreadable("its header does not fit the output".to_owned()))
    }

    /// Returns the fault of a part whose record can't be used.
    fn unreadable(&self, reason: String) -> String {
        ShardRecordError::Unreadable { record: ShardRecord::path_of(&self.path), reason }.to_string()
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

/// Reads the record of a part. `path` is the part or its record. Returns `None` if `path` is in `companions`: the user named a record or a
/// state file, and also the file that it belongs to.
fn read_part(path: &Path, companions: &HashSet<PathBuf>) -> Result<Option<ShardOutput>, String> {
    if companions.contains(path) {
        return Ok(None);
    }
    if let Some(part) = ShardRecord::output_of(path) {
        return match part.exists() {
            true => read_part(&part, companions),
            false => Err(format!(
                "{} is the record of {}, but this part is missing: run that shard again",
                path.display(),
                part.display()
            )),
        };
    }
    let partial = without_end(path, STATE_END).unwrap_or_else(|| path.to_owned());
    if let Some(part) = without_end(&partial, PARTIAL_END) {
        return Err(format!(
            "{} is not complete, because {} is a partial file; wait for the shard, or continue it with --resume",
            Shard::from_file_name(&part).map_or("a shard".to_owned(), |shard| format!("shard {shard}")),
            partial.display()
        ));
    }
    let cannot_read = |reason: io::Error| format!("cannot read {}: {reason}", path.display());
    if !fs::metadata(path).map_err(cannot_read)?.is_file() {
        return Err(cannot_read(io::Error::other("it is not a file")));
    }
    Ok(Some(ShardOutput {
        path: path.to_owned(),
        record: ShardRecord::read(path).map_err(|error| error.to_string())?,
    }))
}

/// Keeps only the parts of one run: the run with the most parts in `parts`. Adds a fault for each part of another run.
fn remove_foreign(parts: &mut Vec<ShardOutput>, faults: &mut Vec<String>) {
    let mut runs: Vec<(u32, Value, usize)> = Vec::new();
    let mut run_of = Vec::new();
    for ShardOutput { record, .. } in parts.iter() {
        let (of, asked) = (record.shard.count(), record.comparable());
        let known = runs.iter().position(|run| (run.0, &run.1) == (of, &asked));
        let run = known.unwrap_or(runs.len());
        if known.is_none() {
            runs.push((of, asked, 0));
        }
        runs[run].2 += 1;
        run_of.push(run);
    }
    // The run with the most parts. If several runs have equally many, the first one.
    let Some(own) = (0..runs.len()).rev().max_by_key(|&run| runs[run].2) else { return };
    let Some(example) = run_of.iter().position(|&run| run == own).map(|at| parts[at].path.clone()) else {
        return;
    };
    let mut at = 0;
    parts.retain(|part| {
        let run = run_of[at];
        at += 1;
        if run == own {
            return true;
        }
        let (path, shard, other) = (part.path.display(), part.record.shard, example.display());
        let (here, there) = (&runs[run].1, &runs[own].1);
        // The jobs are compared first, and on their own, so that `difference` names a differing field by its path inside the job.
        let differs = difference(&here["job"], &there["job"]).or_else(|| difference(here, there));
        faults.push(match differs {
            Some(Difference { what, .. }) if what.starts_with("input ") => format!(
                "{path} is from another run than {other}: its {what} is another file, or was changed in between"
            ),
            Some(Difference { what, then: here, now: there }) => format!(
                "{path} is from another run than {other}: it has different {what}, {here} instead of {there}"
            ),
            None => format!("{path} is shard {shard}, but {other} is one of {} shards", runs[own].0),
        });
        false
    });
}

/// Sorts the parts by number. If several parts have the same number, keeps the first one, and adds a fault for each of the others.
fn remove_doubled(parts: &mut Vec<ShardOutput>, faults: &mut Vec<String>) {
    let mut by_number: BTreeMap<Shard, ShardOutput> = BTreeMap::new();
    for part in parts.drain(..) {
        let shard = part.record.shard;
        match by_number.get(&shard) {
            Some(one) => faults.push(format!(
                "shard {shard} was named twice: {} and {}; name only one of them",
                one.path.display(),
                part.path.display()
            )),
            None => drop(by_number.insert(shard, part)),
        }
    }
    parts.extend(by_number.into_values());
}

/// Reports the missing parts, except those for which a fault is reported already.
fn find_missing(parts: &[ShardOutput], not_done: &[Shard], faults: &mut Vec<String>) {
    let Some(of) = parts.first().map(|part| part.record.shard.count()) else { return };
    let mut known: Vec<u32> = parts.iter().map(|part| part.record.shard.number()).collect();
    known.extend(not_done.iter().filter(|shard| shard.count() == of).map(|shard| shard.number()));
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
        faults.push(missing_words(&numbers, of));
    }
}

/// Checks that the first part starts at the beginning of the inputs, that each other part starts where the previous one ends, and that the
/// last part ends at the end of the inputs.
fn check_borders(parts: &[ShardOutput], faults: &mut Vec<String>) {
    for part in parts {
        let ShardRecord { shard, start, end, .. } = &part.record;
        if shard.number() == 1 && *start != Cut::default() {
            faults.push(part.unreadable(format!(
                "the first shard starts {}, not at the beginning of the first input",
                place(Some(start))
            )));
        }
        if let Some(end) = end.as_ref().filter(|_| shard.number() == shard.count()) {
            faults.push(part.unreadable(format!(
                "the last shard ends {}, not with the last row of all inputs",
                place(Some(end))
            )));
        }
    }
    for pair in parts.windows(2) {
        let [before, after] = [&pair[0], &pair[1]];
        let (end, start) = (before.record.end, after.record.start);
        if before.record.shard.number() + 1 == after.record.shard.number() && end != Some(start) {
            faults.push(format!(
                "{} ends {}, but {} starts {}: the input was split inside a quoted field with line breaks; run the command without \
                 --shard, or convert the input to Parquet first",
                before.path.display(),
                place(end.as_ref()),
                after.path.display(),
                place(Some(&start))
            ));
        }
    }
}
