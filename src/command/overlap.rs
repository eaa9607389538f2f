//! `sudobench overlap`: finds the rows of TEST that TRAIN contains.
//!
//! ```text
//! TRAIN    the fingerprints of all rows are stored
//! TEST     the kinds of overlap of each row are found and counted; the rows are written if requested
//! ```

use sudobench_rows::overlap::{Overlap, Overlaps};
use sudobench_rows::source::InputRead;
use sudobench_rows::verbs::OverlapOptions;
use sudobench_rows::{Finished, Job, StopFlags, Tally, TrainPasses, TrainRead};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::{Status, nanoseconds};

use super::export::{Exports, Kind};
use super::rows::{RowsConfig, RunResult, check_recordable};
use super::say::{say, show};
use super::typed_puzzles::inputs_of;
use super::{Exit, UsageError, terminal};
use crate::cli::{ComparingArgs, RecordArgs, RowsArgs};
use sudobench_harness::record::{
    Build, DatasetRowsRecord, InputRecord, Machine, OverlapCountRecord, OverlapRecord, SCHEMA_VERSION,
    write_json,
};
use sudobench_harness::report::{counted, overlap_text};
use sudobench_harness::started;

pub(super) fn run(
    options: OverlapOptions,
    comparing: ComparingArgs,
    recorded: RecordArgs,
    rows: RowsArgs,
    level: Level,
    interrupt: &StopFlags,
) -> anyhow::Result<Exit> {
    let config = OverlapConfig::new(options, comparing, recorded, rows, level)?;
    let exports = config.exports()?;
    let counts_are_only_result = !config.rows.job.has_rows && config.comparing.fail_on.is_none();
    exports.check_print(counts_are_only_result)?;
    let train = || config.rows.job.passes().and_then(TrainPasses::read);
    let write = |finished: &Finished| {
        let Some(train) = train() else { return Ok(()) };
        exports.write(Kind::Json, |out| Ok(write_json(out, &config.record(train, finished))?))
    };
    let ran = config.rows.run(interrupt, None, &write)?;
    let exported = ran.export(&exports, &write);
    let RunResult { finished, exit, .. } = ran;
    let Some(train) = train() else { return Ok(Exit::Fine) };
    let record = config.record(train, &finished);
    config.rows.print_words(&finished, exit.is_ok() && !finished.interrupted);
    let told = config.tell(&record, &finished, &exports, counts_are_only_result);
    let tallies = [&train.tally, &finished.measures.tally];
    exit.and(exported).and(told)?;
    Ok(match finished.interrupted {
        true => Exit::Interrupted,
        false => config.exit_of(&record, tallies),
    })
}

struct OverlapConfig {
    rows: RowsConfig,
    by: Overlaps,
    comparing: ComparingArgs,
    recorded: RecordArgs,
}

impl OverlapConfig {
    fn new(
        mut options: OverlapOptions,
        comparing: ComparingArgs,
        recorded: RecordArgs,
        rows: RowsArgs,
        level: Level,
    ) -> Result<OverlapConfig, UsageError> {
        let by = options.kinds();
        if let Some(fail_on) = comparing.fail_on
            && fail_on.and(by) != fail_on
        {
            return Err(UsageError(format!(
                "--fail-on {fail_on} names kinds of overlap that are missing in --by {by}: add them to --by"
            )));
        }
        options.train = inputs_of(rows.inputs)?;
        let test = inputs_of(options.with.clone())?;
        if recorded.export_json.is_some() {
            check_recordable(&options.train)?;
            check_recordable(&test)?;
        }
        let job = Job {
            inputs: test,
            verb: options.into(),
            input: rows.input,
            output: rows.output,
            shard: None,
            hash: recorded.hash,
        };
        Ok(OverlapConfig { rows: RowsConfig::from_job(job, rows.running, level)?, by, comparing, recorded })
    }

    fn exports(&self) -> anyhow::Result<Exports> {
        // The record may go to standard output instead of the table, but not if the rows go there too.
        let exports = self.rows.open_exports(&[(Kind::Json, &self.recorded.export_json)])?;
        if exports.take_stdout() && self.rows.takes_stdout() {
            let message =
                "the rows and --export-json both go to standard output: name a file for one of them";
            return Err(UsageError(message.to_owned()).into());
        }
        Ok(exports)
    }

    fn record(&self, train: &TrainRead, test: &Finished) -> OverlapRecord {
        let tally = &test.measures.tally;
        let distinct = train.distinct.iter().copied();
        let looked_for = Overlap::ALL.iter().zip(distinct).filter(|(overlap, _)| self.by.has(**overlap));
        OverlapRecord {
            schema_version: SCHEMA_VERSION,
            kind: "overlap".to_owned(),
            started: humantime::format_rfc3339_seconds(test.started).to_string(),
            arguments: started::arguments(),
            threads: self.rows.threads.get(),
            train: self.dataset(&train.tally, &train.inputs),
            test: self.dataset(tally, &test.inputs),
            overlaps: looked_for
                .map(|(&overlap, distinct_in_train)| OverlapCountRecord {
                    overlap: overlap.name().to_owned(),
                    rows: Overlaps::rows_of(tally, |overlaps| overlaps.has(overlap)),
                    strongest: Overlaps::rows_of(tally, |overlaps| overlaps.strongest() == Some(overlap)),
                    distinct_in_train,
                })
                .collect(),
            overlapping: Overlaps::rows_of(tally, |overlaps| !overlaps.is_empty()),
            interrupted: test.interrupted,
            wall_ns: nanoseconds(train.elapsed + test.wall),
            machine: Machine::detect(),
            build: Build::current(),
        }
    }

    fn dataset(&self, tally: &Tally, inputs: &[InputRead]) -> DatasetRowsRecord {
        let solves = self.by.has(Overlap::Solution) || self.by.has(Overlap::SolutionIsomorph);
        DatasetRowsRecord {
            inputs: inputs.iter().map(InputRecord::from).collect(),
            rows: tally.rows(),
            malformed: tally.rows_with(Status::Malformed),
            unique: solves.then(|| tally.rows_with(Status::Unique)),
        }
    }

    /// Prints the counts on standard output, or on standard error if standard output has rows or the record. Also reports the time.
    /// With `--quiet`, nothing is printed on standard error.
    fn tell(
        &self,
        record: &OverlapRecord,
        test: &Finished,
        exports: &Exports,
        is_only_result: bool,
    ) -> anyhow::Result<()> {
        let quiet = self.rows.quiet;
        if exports.take_stdout() || self.rows.takes_stdout() {
            if !quiet {
                show(overlap_text(record, terminal::stderr_width().unwrap_or(usize::MAX)));
            }
        } else {
            exports.print(
                &overlap_text(record, terminal::stdout_width().unwrap_or(usize::MAX)),
                is_only_result,
            )?;
        }
        if !quiet {
            let seconds = record.wall_ns as f64 / 1e9;
            let rows = counted(record.train.rows + record.test.rows, "row");
            let earlier = match test.resumed_after {
                0 => String::new(),
                rows => {
                    format!(", {} of TEST from an earlier run, whose time is included", counted(rows, "row"))
                }
            };
            say(format_args!("{rows} in {seconds:.3} s{earlier}"));
        }
        Ok(())
    }

    /// Reports the kinds of overlap that were found and that `--fail-on` names. Returns the exit code of a complete run.
    fn exit_of(&self, record: &OverlapRecord, tallies: [&Tally; 2]) -> Exit {
        let fail_on = self.comparing.fail_on.unwrap_or_default();
        let mut is_well =
            tallies.into_iter().all(|tally| tally.rows_with(Status::Malformed) + tally.refused == 0);
        for found in record.overlaps.iter().filter(|found| found.rows > 0) {
            if let Ok(overlap) = found.overlap.parse::<Overlap>()
                && fail_on.has(overlap)
            {
                say(format_args!("--fail-on {}: {} of TEST", found.overlap, counted(found.rows, "row")));
                is_well = false;
            }
        }
        if is_well { Exit::Fine } else { Exit::BadResult }
    }
}
