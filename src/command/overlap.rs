//! `sudobench overlap`: which rows of TEST does TRAIN have already?
//!
//! ```text
//! TRAIN -> Training    all of its rows, by fingerprints
//! TEST  -> marks       how Training has each of its rows: counted, and written if rows are asked for
//! ```

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sudobench_batch::overlap::{Compared, Overlap, Overlaps, Place, Training};
use sudobench_batch::source::{Input, InputRead, Source};
use sudobench_batch::{Finished, Run, RunError, Sink, Tally, verb};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Status, nanoseconds, solver};

use super::export::{Exports, Kind, check_apart, is_standard, print};
use super::interrupt::Flags;
use super::rows::{Ran, RowsConfig, inputs_of, print_garbage, print_notices};
use super::say::{say, show};
use super::{Exit, UsageError, interrupt, terminal};
use crate::cli::{ComparingArgs, OverlapArgs};
use crate::record::{
    Build, DatasetRowsRecord, InputRecord, Machine, OverlapCountRecord, OverlapRecord, SCHEMA_VERSION,
    write_json,
};
use crate::report::{counted, overlap_text};
use crate::started;

/// Compares what was asked for, and reports.
///
/// # Errors
/// Whatever keeps the run from its end: usage, inputs, output.
pub(super) fn run(typed: OverlapArgs, level: Level) -> anyhow::Result<Exit> {
    let interrupt = interrupt::flags()?;
    let force = typed.rows.output.force;
    let asked = Asked::of(typed, level)?;
    let exports = asked.exports(force)?;
    if !asked.test.look_at_output()? {
        return Ok(Exit::Fine);
    }
    let clock = Instant::now();
    // What is wrong with TEST is told before all of TRAIN is read.
    let test = asked.test.open(&interrupt)?;
    let Some(Train { training, tally, inputs }) = asked.read_train(&interrupt)? else {
        return Ok(Exit::Interrupted);
    };
    let distinct = Overlap::ALL.iter().map(|&overlap| training.distinct(overlap)).collect();
    let train = asked.dataset(&tally, &inputs);
    let read_for = clock.elapsed();
    let Some(Ran { finished, exit }) = asked.compare(training, test, &interrupt)? else {
        return Ok(Exit::Fine);
    };
    let record = asked.record(train, &finished, distinct, read_for);
    let exported = exports.write(Kind::Json, |out| Ok(write_json(out, &record)?));
    asked.test.print_words(&finished, exit.is_ok() && !finished.interrupted);
    let told = asked.tell(&record, &finished, exports.take_stdout());
    let tallies = [&tally, &finished.measures.tally];
    exit.and(exported).and(told)?;
    Ok(match finished.interrupted {
        true => Exit::Interrupted,
        false => asked.exit_of(&record, tallies),
    })
}

/// What was typed, validated.
struct Asked {
    train: Vec<Input>,
    /// How TEST is read and its rows are written, and how TRAIN is read.
    test: RowsConfig,
    by: Overlaps,
    level: Level,
    comparing: ComparingArgs,
}

impl Asked {
    fn of(typed: OverlapArgs, level: Level) -> Result<Asked, UsageError> {
        let OverlapArgs { mut rows, comparing } = typed;
        if rows.running.shard.is_some() {
            return Err(UsageError(
                "--shard is for rows that are answered one by one; give overlap the whole of TEST, or parts of it with \
                 --skip and --limit, whose counts add up"
                    .to_owned(),
            ));
        }
        let by = comparing.by.unwrap_or(Overlaps::ALL);
        if let Some(fail_on) = comparing.fail_on
            && fail_on.and(by) != fail_on
        {
            return Err(UsageError(format!(
                "--fail-on {fail_on} asks for more than is looked for by --by {by}"
            )));
        }
        let has_rows = rows.output.output.is_some();
        let train = inputs_of(std::mem::replace(&mut rows.inputs, comparing.with.clone()))?;
        if train.len() > Place::MOST_INPUTS {
            return Err(UsageError(format!(
                "{} are more files of TRAIN than can be told apart: put them together",
                train.len()
            )));
        }
        let mut test = RowsConfig::new(rows, verb::OVERLAP, comparing.hash)?;
        test.has_rows = has_rows;
        // Nothing overlaps with nothing, which `--fail-on` would take for a clean test set.
        test.refuse_empty();
        if train.contains(&Input::Stdin) && test.inputs.contains(&Input::Stdin) {
            return Err(UsageError(
                "standard input (`-`) can be TRAIN or TEST, not both: give one of them a file".to_owned(),
            ));
        }
        let asked = Asked { train, test, by, level, comparing };
        let outputs = asked.test.output_files();
        check_apart(asked.train_files(), outputs.iter().map(PathBuf::as_path))?;
        Ok(asked)
    }

    fn train_files(&self) -> impl Iterator<Item = &Path> {
        self.train
            .iter()
            .filter_map(|input| if let Input::File(path) = input { Some(path.as_path()) } else { None })
    }

    /// Looks at what is written beside the rows.
    fn exports(&self, force: bool) -> anyhow::Result<Exports> {
        let files = self.test.files();
        // The counts may go where else the table goes.
        let files =
            files.iter().map(PathBuf::as_path).filter(|path| self.test.has_rows || !is_standard(path));
        let export = [(Kind::Json, &self.comparing.export_json)];
        let exports = Exports::open(export, force, files.chain(self.train_files()))?;
        if exports.take_stdout() && self.test.takes_stdout() {
            let words = "the rows and --export-json both go to standard output: give one of them a file";
            return Err(UsageError(words.to_owned()).into());
        }
        Ok(exports)
    }

    /// Reads all rows of TRAIN, file by file, since each may be laid out in its own way. `None` where it is interrupted.
    fn read_train(&self, interrupt: &Flags) -> anyhow::Result<Option<Train>> {
        let mut training = Training::new(self.by);
        let (mut tally, mut inputs) = (Tally::default(), Vec::new());
        for (number, input) in self.train.iter().enumerate() {
            let source = self.test.open_other(input, interrupt)?;
            let run = self.solving(self.test.look(source, interrupt, "TRAIN: "));
            let run = run.columns([]).needs(training.needs());
            let finished = whole(run.to(Sink::puzzles(|block| {
                block.rows().for_each(|row| training.add(number, &row));
                ControlFlow::Continue(())
            })))?;
            if finished.interrupted {
                say("interrupted while TRAIN was read; nothing is compared yet");
                return Ok(None);
            }
            if !self.test.quiet {
                print_garbage(&finished);
                print_notices(&finished.notices, std::slice::from_ref(input), &finished.measures.tally, None);
            }
            tally.merge(&finished.measures.tally);
            inputs.extend(finished.inputs);
        }
        training.settle();
        Ok(Some(Train { training, tally, inputs }))
    }

    /// Looks all rows of TEST up, and writes those that were asked for. `None` where an earlier run has done it all.
    fn compare(&self, training: Training, source: Source, interrupt: &Flags) -> anyhow::Result<Option<Ran>> {
        let compared = Arc::new(Compared { training, keep: self.comparing.keep });
        if self.test.has_rows {
            let asked = |run| self.solving(run).marks(compared);
            return self.test.run_pass(source, interrupt, "TEST: ", || self.test.description(), asked);
        }
        let run = self.solving(self.test.look(source, interrupt, "TEST: ")).columns([]).marks(compared);
        let finished = whole(run.to(Sink::puzzles(|_| ControlFlow::Continue(()))))?;
        Ok(Some(Ran { finished, exit: Ok(Exit::Fine) }))
    }

    fn solving<'r>(&self, run: Run<'r>) -> Run<'r> {
        run.solver(solver::default_variant(), self.level)
    }

    /// The record of the run, as it is stored.
    fn record(
        &self,
        train: DatasetRowsRecord,
        test: &Finished,
        distinct: Vec<u64>,
        read_for: Duration,
    ) -> OverlapRecord {
        let tally = &test.measures.tally;
        let looked_for = Overlap::ALL.iter().zip(distinct).filter(|(overlap, _)| self.by.has(**overlap));
        OverlapRecord {
            schema_version: SCHEMA_VERSION,
            kind: "overlap".to_owned(),
            started: humantime::format_rfc3339_seconds(test.started).to_string(),
            arguments: started::arguments(),
            threads: self.test.threads.get(),
            train,
            test: self.dataset(tally, &test.inputs),
            overlaps: looked_for
                .map(|(&overlap, distinct_in_train)| OverlapCountRecord {
                    overlap: overlap.name().to_owned(),
                    rows: rows_with(tally, |overlaps| overlaps.has(overlap)),
                    strongest: rows_with(tally, |overlaps| overlaps.strongest() == Some(overlap)),
                    distinct_in_train,
                })
                .collect(),
            overlapping: rows_with(tally, |overlaps| !overlaps.is_empty()),
            interrupted: test.interrupted,
            wall_ns: nanoseconds(read_for + test.wall),
            machine: Machine::detect(),
            build: Build::current(),
        }
    }

    fn dataset(&self, tally: &Tally, inputs: &[InputRead]) -> DatasetRowsRecord {
        let input = |read: &InputRead| InputRecord::of(&read.input, read.bytes, read.sha256.clone());
        let solves = self.by.has(Overlap::Solution) || self.by.has(Overlap::SolutionIsomorph);
        DatasetRowsRecord {
            inputs: inputs.iter().map(input).collect(),
            rows: tally.rows(),
            malformed: tally.of(Status::Malformed),
            unique: solves.then(|| tally.of(Status::Unique)),
        }
    }

    /// Tells the counts: on standard output, unless something else is there.
    fn tell(&self, record: &OverlapRecord, test: &Finished, stdout_is_taken: bool) -> anyhow::Result<()> {
        let quiet = self.test.quiet;
        if stdout_is_taken || self.test.takes_stdout() {
            if !quiet {
                show(overlap_text(record, terminal::words_width().unwrap_or(usize::MAX)));
            }
        } else {
            print(&overlap_text(record, terminal::width().unwrap_or(usize::MAX)))?;
        }
        if !quiet {
            let seconds = record.wall_ns as f64 / 1e9;
            let rows = counted(record.train.rows + record.test.rows, "row");
            let earlier = match test.resumed_after {
                0 => String::new(),
                rows => format!(", {} of TEST by an earlier run, with its time", counted(rows, "row")),
            };
            say(format_args!("{rows} in {seconds:.3} s{earlier}"));
        }
        Ok(())
    }

    /// How the program ends where all rows were looked at.
    fn exit_of(&self, record: &OverlapRecord, tallies: [&Tally; 2]) -> Exit {
        let fail_on = self.comparing.fail_on.unwrap_or_default();
        let mut is_well = tallies.into_iter().all(|tally| tally.of(Status::Malformed) + tally.refused == 0);
        for found in record.overlaps.iter().filter(|found| found.rows > 0) {
            if let Ok(overlap) = found.overlap.parse::<Overlap>()
                && fail_on.has(overlap)
            {
                say(format_args!("--fail-on {}: {} of TEST", found.overlap, counted(found.rows, "row")));
                is_well = false;
            }
        }
        if is_well { Exit::Fine } else { Exit::PuzzleFailed }
    }
}

/// A run of which nothing is kept where it fails halfway.
fn whole(ended: Result<Finished, RunError>) -> anyhow::Result<Finished> {
    ended.map_err(|error| match error {
        RunError::Halfway { error, .. } => (*error).into(),
        error => error.into(),
    })
}

/// What was read of TRAIN.
struct Train {
    training: Training,
    tally: Tally,
    inputs: Vec<InputRead>,
}

/// How many rows overlap so.
fn rows_with(tally: &Tally, overlap: impl Fn(Overlaps) -> bool) -> u64 {
    let marked = tally.marked.iter().enumerate();
    marked.filter(|(number, _)| overlap(Overlaps::of_number(*number as u8))).map(|(_, rows)| rows).sum()
}
