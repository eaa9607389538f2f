//! `sudobench leaderboard`: makes the measurements that are missing in the record of a contest, and writes the record, the page and the
//! tables.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use anyhow::Context as _;
use sudobench_rows::source::Input;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::Question;

use super::export::{Exports, Kind, print};
use super::measuring::ContestantNames;
use super::progress::MeasurementProgress;
use super::say::say;
use super::{Exit, UsageError, first_error, interrupt};
use crate::cli::LeaderboardArgs;
use sudobench_harness::bench::{self, Dataset, EngineProtocol, Plan};
use sudobench_harness::process::Supervisor;
use sudobench_harness::record::{
    BenchRecord, Contest, ContestSet, ContestantSpec, Finding, PairRecord, Rules, look_for_noise, write_json,
};
use sudobench_harness::report;
use sudobench_harness::{
    add_to_leaderboard, contestant_files, new_leaderboard, record_of, update_leaderboard,
};

const CONTEST: &str = "contest.toml";
const RECORD: &str = "record.json";
const PAGE: &str = "leaderboard.html";
const TABLES: &str = "leaderboard.md";

/// Extra time before the rounds for a program that can't answer all puzzles within the time limit of the rules. Its answers in this time
/// are checked, but not timed, as with `bench --check-time`.
const CHECK_TIME: Duration = Duration::from_secs(30);

/// Maximum time, for each set, for measuring the cost of the pipes: the time that reading and writing through pipes takes.
const PIPES_TIME: Duration = Duration::from_secs(10);

/// Brings the leaderboard of a folder up to date.
pub(super) fn run(typed: &LeaderboardArgs, level: Level) -> anyhow::Result<Exit> {
    let folder = typed.folder.display();
    // The commands and files of the contest are relative to this folder.
    std::env::set_current_dir(&typed.folder).with_context(|| format!("cannot open the folder {folder}"))?;
    update(typed, level).with_context(|| folder.to_string())
}

fn update(typed: &LeaderboardArgs, level: Level) -> anyhow::Result<Exit> {
    let contest = Contest::read(Path::new(CONTEST))?;
    let supervisor = Arc::new(Supervisor::new(Arc::default()));
    let session = Session {
        plan: plan_of(&contest.rules, supervisor.interrupt_flag()),
        sample: contest.rules.sample.map(u64::from),
        noise: look_for_noise(),
        level,
        supervisor,
    };
    ContestantNames::from_contest(&contest.contestants)?;
    let mut record = session.record(contest, typed.again)?;
    let [json, page, tables] = [RECORD, PAGE, TABLES].map(|name| Some(PathBuf::from(name)));
    let asked = [(Kind::Json, &json), (Kind::Html, &page), (Kind::Markdown, &tables)];
    let exports = Exports::open(asked, false, [Path::new(CONTEST)])?;
    interrupt::raise_on_signal(session.supervisor.interrupt_flag())?;
    let mut progress = MeasurementProgress::new(typed.quiet);
    let work = work_to_do(&record);
    if !work.is_empty() {
        progress.tell_noise(&session.noise);
    }
    for (set, specs) in &work {
        let Some((measured, pipes_ns)) = session.measure(set, specs, &mut progress)? else { break };
        add_to_leaderboard(&mut record, measured, pipes_ns);
        write(&exports, &record)?;
    }
    drop(progress);
    if session.supervisor.is_interrupted() {
        say(
            "interrupted: the same command continues with the set that was not finished; leave out --again if this run finished a set",
        );
        return Ok(Exit::Interrupted);
    }
    if work.is_empty() {
        // Writes the files even if there is nothing to measure, because the descriptions in the contest may have changed.
        write(&exports, &record)?;
    }
    print(&report::leaderboard_text(&record, super::terminal::stdout_width().unwrap_or(usize::MAX)))?;
    Ok(match record.pairs.iter().any(|pair| pair.error.is_some()) {
        true => Exit::BadResult,
        false => Exit::Fine,
    })
}

/// Returns each set that is not measured completely, with the contestants that still must be measured on the set.
fn work_to_do(record: &BenchRecord) -> Vec<(ContestSet, Vec<ContestantSpec>)> {
    let Some(board) = &record.leaderboard else { return Vec::new() };
    let of_set = |set: &ContestSet| (set.clone(), board.to_measure(&set.name).into_iter().cloned().collect());
    let work = board.contest.sets.iter().map(of_set);
    work.filter(|(_, specs): &(ContestSet, Vec<ContestantSpec>)| !specs.is_empty()).collect()
}

fn write(exports: &Exports, record: &BenchRecord) -> anyhow::Result<()> {
    let records = std::slice::from_ref(record);
    first_error([
        exports.write(Kind::Json, |out| Ok(write_json(out, record)?)),
        exports.write_text(Kind::Html, || report::html_page(records, &[RECORD.to_owned()])),
        exports.write_text(Kind::Markdown, || report::bench_markdown(record)),
    ])
}

fn plan_of(rules: &Rules, stop: &Arc<AtomicBool>) -> Plan {
    let question = Question { cancel: Some(Arc::clone(stop)), ..Question::up_to(rules.max_solutions) };
    Plan {
        rounds: rules.rounds.get(),
        min_time: rules.min_time,
        warm_up_limit: "the warm-up's share of max_time",
        check_time: CHECK_TIME,
        seed: rules.seed,
        // In each round, external programs get new isomorphs of the puzzles, so that they gain nothing if they remember answers.
        fresh_forms: true,
        times_single_puzzles: true,
        ..Plan::new(question, rules.max_time)
    }
}

/// The settings that all measurements of a run share.
struct Session {
    plan: Plan,
    sample: Option<u64>,
    noise: Vec<Finding>,
    level: Level,
    supervisor: Arc<Supervisor>,
}

impl Session {
    /// Returns the record of the folder, updated to the current description of the contest. Returns a new record if the folder has no
    /// record, or if `again` asks to measure everything.
    fn record(&self, contest: Contest, again: bool) -> anyhow::Result<BenchRecord> {
        let files = contestant_files(&contest.contestants)?;
        let now = self.record_of(SystemTime::now(), &[], Vec::new());
        let path = Path::new(RECORD);
        if again || !path.try_exists().with_context(|| format!("cannot read {RECORD}"))? {
            return Ok(new_leaderboard(now, contest, files));
        }
        let mut record = BenchRecord::read(path)?;
        update_leaderboard(&mut record, &now, contest, files).map_err(|fault| {
            UsageError(format!(
                "{RECORD}: {fault}; use another folder, or measure everything again with --again"
            ))
        })?;
        Ok(record)
    }

    fn record_of(&self, start: SystemTime, datasets: &[Dataset], pairs: Vec<PairRecord>) -> BenchRecord {
        let noise = self.noise.clone();
        let record = record_of(start, self.level, &self.plan, self.sample, datasets, pairs, noise);
        // The record is meant to be published, so it must not contain a path of this machine.
        BenchRecord { arguments: vec!["leaderboard".to_owned()], ..record }
    }

    /// Measures some contestants on a set. If a contestant is a program with the protocol `lines`, also tries to measure the time that
    /// reading and writing through pipes takes for each puzzle. Returns `None` after an interrupt.
    fn measure(
        &self,
        set: &ContestSet,
        specs: &[ContestantSpec],
        progress: &mut MeasurementProgress,
    ) -> anyhow::Result<Option<(BenchRecord, Option<f64>)>> {
        let (plan, supervisor) = (&self.plan, &self.supervisor);
        let start = SystemTime::now();
        let loaded = Dataset::load(&Input::File(PathBuf::from(&set.file)), plan.seed, self.sample)?;
        let (found, expected) = (&loaded.record().sha256, &set.sha256);
        anyhow::ensure!(
            found.eq_ignore_ascii_case(expected),
            "the file of the set `{}` has the SHA-256 {found}, but {CONTEST} says {expected}: use the right file, or correct `sha256`",
            set.name
        );
        let mut dataset = loaded.named(&set.name).into_forms(NonZeroUsize::MIN, plan.seed)?;
        dataset.take_fingerprint(self.level)?;
        let mut contestants =
            ContestantNames::from_contest(specs)?.contestants(self.level, plan, supervisor)?;
        let measured = bench::measure(&mut contestants, std::slice::from_ref(&dataset), plan, &mut |step| {
            progress.tell_step(&step, "");
            !supervisor.is_interrupted()
        });
        if supervisor.is_interrupted() {
            return Ok(None);
        }
        let has_pipes = specs.iter().any(|spec| spec.protocol() == Some(EngineProtocol::Lines.name()));
        let pipes_ns =
            has_pipes.then(|| bench::pipes_ns(dataset.puzzles(), PIPES_TIME, supervisor)).flatten();
        Ok(Some((self.record_of(start, &[dataset], measured.pairs), pipes_ns)))
    }
}
