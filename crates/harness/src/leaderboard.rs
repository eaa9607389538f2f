//! Keeps the record of a leaderboard up to date: adds new measurements, and removes measurements that no longer belong to the contest.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use sudobench_rows::hexadecimal;

use crate::analysis::{Difference, level_difference, machine_differences};
use crate::process::{Fault, NamedCommand, program_file};
use crate::record::{
    BenchRecord, Contest, ContestantFile, ContestantSpec, Leaderboard, PairRecord, Settings,
};

/// Returns the record of a leaderboard without measurements. `now` is a record without pairs. It describes the machine, the build and the
/// settings of the coming measurements.
pub fn new_leaderboard(
    now: BenchRecord,
    contest: Contest,
    files: BTreeMap<String, Vec<ContestantFile>>,
) -> BenchRecord {
    let (measured, pipes_ns) = (BTreeMap::new(), BTreeMap::new());
    BenchRecord { leaderboard: Some(Leaderboard { contest, files, measured, pipes_ns }), ..now }
}

/// Updates the record of a leaderboard to the current contest and the current files of its contestants. Measurements that no longer belong
/// to the contest are removed. `now` is a record without pairs. It describes the current machine, build and settings.
///
/// # Errors
///
/// [`Fault`] if the record is not the record of a leaderboard, or if new measurements would not be comparable with the old ones, for
/// example because the rules, the puzzles or the machine changed.
pub fn update_leaderboard(
    record: &mut BenchRecord,
    now: &BenchRecord,
    contest: Contest,
    files: BTreeMap<String, Vec<ContestantFile>>,
) -> Result<(), Fault> {
    let Some(board) = &mut record.leaderboard else {
        return Err(Fault("it is not the record of a leaderboard".to_owned()));
    };
    board.update(contest, files, &record.datasets).map_err(Fault)?;
    let is_complete = board.contest.sets.iter().all(|set| board.to_measure(&set.name).is_empty());
    record.pairs.retain(|pair| board.has_measured(&pair.dataset, &pair.solver));
    record.datasets.retain(|dataset| board.measured.contains_key(&dataset.name));
    remove_puzzles(&mut record.pairs); // earlier versions kept some
    // The SIMD level concerns only built-in solvers.
    let has_built_in = record.pairs.iter().any(|pair| !pair.kind.is_external());
    let level = level_difference(record, now).filter(|_| has_built_in);
    let difference = machine_differences(record, now).into_iter().chain(level).next();
    if let (false, Some(Difference { what, before, now })) = (is_complete, difference) {
        return Err(Fault(format!(
            "it was measured under other conditions ({what} {before}, here {now}), and measurements under different conditions are never \
             mixed"
        )));
    }
    sort(record);
    Ok(())
}

/// Adds the measurements of one set to the record of a leaderboard, without the lists of the slowest puzzles and of the wrong answers.
/// `measured` is a record of only this set. `pipes_ns` is the cost of the pipes on this set, if it was measured
/// ([`Leaderboard::pipes_ns`]).
pub fn add_to_leaderboard(record: &mut BenchRecord, measured: BenchRecord, pipes_ns: Option<f64>) {
    let Some(board) = &mut record.leaderboard else { return };
    let BenchRecord { started, datasets, mut pairs, machine, noise, build, simd_level, settings, .. } =
        measured;
    remove_puzzles(&mut pairs);
    for dataset in datasets {
        let starts = board.measured.entry(dataset.name.clone()).or_default();
        starts.extend(pairs.iter().map(|pair| (pair.solver.clone(), started.clone())));
        if let Some(pipes_ns) = pipes_ns {
            board.pipes_ns.insert(dataset.name.clone(), pipes_ns);
        }
        record.datasets.retain(|earlier| earlier.name != dataset.name);
        record.datasets.push(dataset);
    }
    let is_new = |solver: &str, dataset: &str| {
        pairs.iter().any(|pair| pair.solver == solver && pair.dataset == dataset)
    };
    record.pairs.retain(|pair| !is_new(&pair.solver, &pair.dataset));
    record.pairs.extend(pairs);
    (record.machine, record.noise, record.build) = (machine, noise, build);
    let fresh_forms = record.settings.fresh_forms || settings.fresh_forms;
    (record.simd_level, record.settings) = (simd_level, Settings { fresh_forms, ..settings });
    sort(record);
}

/// Removes the lists of the slowest puzzles and of the wrong answers. They contain puzzles, and leaderboards are published, but other
/// people may own the rights to the puzzles.
fn remove_puzzles(pairs: &mut [PairRecord]) {
    for pair in pairs {
        pair.measurement.iter_mut().for_each(|measurement| measurement.slowest.clear());
        pair.wrong.iter_mut().for_each(|wrong| wrong.first.clear());
    }
}

fn sort(record: &mut BenchRecord) {
    let Some(Leaderboard { contest, .. }) = &record.leaderboard else { return };
    let set = |name: &str| contest.sets.iter().position(|set| set.name == name);
    let contestant = |name: &str| contest.contestants.iter().position(|contestant| contestant.name == name);
    record.datasets.sort_by_key(|dataset| set(&dataset.name));
    record.pairs.sort_by_key(|pair| (set(&pair.dataset), contestant(&pair.solver)));
}

/// Returns the files of each contestant with their digests, by the contestant's name. The file of a built-in solver is this program. The
/// files of any other contestant are its program or library, and the arguments of its command that are paths of files. Files that don't
/// exist on this machine are left out.
///
/// # Errors
///
/// [`Fault`] if a command is not valid or a file can't be read.
pub fn contestant_files(
    contestants: &[ContestantSpec],
) -> Result<BTreeMap<String, Vec<ContestantFile>>, Fault> {
    let mut known = BTreeMap::new();
    let mut files = BTreeMap::new();
    for contestant in contestants {
        let of = files_of(contestant, &mut known);
        let of = of.map_err(|Fault(fault)| Fault(format!("contestant `{}`: {fault}", contestant.name)))?;
        files.insert(contestant.name.clone(), of);
    }
    Ok(files)
}

/// Returns the files of one contestant. `known` has the files that were already read, by their paths.
fn files_of(
    contestant: &ContestantSpec,
    known: &mut BTreeMap<PathBuf, ContestantFile>,
) -> Result<Vec<ContestantFile>, Fault> {
    let mut of = |path: PathBuf| {
        if let Some(file) = known.get(&path) {
            return Ok(file.clone());
        }
        let sha256 =
            sha256(&path).map_err(|error| Fault(format!("cannot read {}: {error}", path.display())))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = ContestantFile { name, sha256 };
        known.insert(path, file.clone());
        Ok(file)
    };
    let Some(command) = &contestant.command else {
        let program = std::env::current_exe()
            .map_err(|error| Fault(format!("cannot find the file of this program: {error}")))?;
        return Ok(vec![of(program)?]);
    };
    let command: NamedCommand = format!("{}={command}", contestant.name).parse()?;
    let (program, arguments) =
        command.argv.split_first().ok_or_else(|| Fault("the command is empty".to_owned()))?;
    let file = |word: &String| Some(PathBuf::from(word)).filter(|path| path.is_file());
    // A library does not have to be executable. It is not looked up in PATH.
    let program = program_file(program).ok().map(PathBuf::from).or_else(|| file(program));
    program.into_iter().chain(arguments.iter().filter_map(file)).map(of).collect()
}

fn sha256(path: &Path) -> io::Result<String> {
    Ok(hexadecimal(&Sha256::digest(fs::read(path)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{NamedPuzzle, SlowPuzzle, fixtures};

    /// Returns a leaderboard without measurements, and a record with measurements for it.
    fn board() -> (BenchRecord, BenchRecord) {
        let measured = fixtures::bench_record();
        let now = BenchRecord { datasets: Vec::new(), pairs: Vec::new(), ..measured.clone() };
        (new_leaderboard(now, fixtures::contest(), BTreeMap::new()), measured)
    }

    fn of_set(record: &BenchRecord, set: &str) -> BenchRecord {
        let mut part = record.clone();
        part.datasets.retain(|dataset| dataset.name == set);
        part.pairs.retain(|pair| pair.dataset == set);
        part
    }

    #[test]
    fn sets_can_be_added_in_any_order_and_keep_the_order_of_the_contest() {
        let (mut record, mut measured) = board();
        add_to_leaderboard(&mut record, of_set(&measured, "hard.txt"), None);
        add_to_leaderboard(&mut record, of_set(&measured, "easy.txt"), Some(250.0));
        let wrong: Vec<_> = measured.pairs.iter_mut().filter_map(|pair| pair.wrong.as_mut()).collect();
        assert!(!wrong.is_empty());
        wrong.into_iter().for_each(|wrong| wrong.first.clear());
        assert_eq!((&record.datasets, &record.pairs), (&measured.datasets, &measured.pairs));
        let mut again = of_set(&measured, "easy.txt");
        let puzzle = NamedPuzzle { number: 1, form: None, line: 1, puzzle: ".".repeat(81) };
        let slowest = &mut again.pairs[0].measurement.as_mut().unwrap().slowest;
        slowest.push(SlowPuzzle { puzzle, time_ns: 1 });
        add_to_leaderboard(&mut record, BenchRecord { started: "later".to_owned(), ..again }, None);
        assert_eq!(record.pairs, measured.pairs);
        let board = record.leaderboard.unwrap();
        assert_eq!(board.measured["easy.txt"]["quick"], "later");
        assert_eq!((board.pipes_ns["easy.txt"], board.to_measure("hard.txt").len()), (250.0, 0));
    }

    #[test]
    fn removed_sets_and_contestants_lose_their_measurements() {
        let (mut record, measured) = board();
        let now = record.clone();
        add_to_leaderboard(&mut record, measured, None);
        let mut contest = fixtures::contest();
        contest.contestants.retain(|contestant| contestant.name != "naive");
        contest.sets.retain(|set| set.name != "easy.txt");
        update_leaderboard(&mut record, &now, contest, BTreeMap::new()).unwrap();
        assert!(record.pairs.iter().all(|pair| pair.solver != "naive" && pair.dataset == "hard.txt"));
        assert_eq!(record.datasets.len(), 1);
    }

    #[test]
    fn contestants_of_two_machines_or_levels_are_not_mixed() {
        let (mut record, measured) = board();
        let other_level = BenchRecord { simd_level: Some("avx512".to_owned()), ..record.clone() };
        let mut elsewhere = record.clone();
        elsewhere.machine.cpu = "another".to_owned();
        add_to_leaderboard(&mut record, measured, None);
        let mut update = |now, contest| update_leaderboard(&mut record, now, contest, BTreeMap::new());
        update(&elsewhere, fixtures::contest()).expect("nothing is to be measured");
        let mut more = fixtures::contest();
        let name = "new".to_owned();
        more.contestants.push(ContestantSpec { name, ..more.contestants[0].clone() });
        for (now, difference) in [(&elsewhere, "processor "), (&other_level, "SIMD level avx2, here avx512")]
        {
            let error = update(now, more.clone()).unwrap_err().0;
            let message = format!("it was measured under other conditions ({difference}");
            assert!(error.starts_with(&message), "{error}");
        }
        let mut plain = fixtures::bench_record();
        let error =
            update_leaderboard(&mut plain, &elsewhere, fixtures::contest(), BTreeMap::new()).unwrap_err();
        assert_eq!(error.0, "it is not the record of a leaderboard");
    }

    #[test]
    fn the_files_of_a_contestant_are_its_program_and_the_files_in_its_command() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("solve.py");
        std::fs::write(&script, "abc").unwrap();
        let of = |command: Option<String>| {
            let contestant = ContestantSpec { command, ..fixtures::contest().contestants[0].clone() };
            contestant_files(&[contestant]).unwrap().remove("quick").unwrap()
        };
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let script = of(Some(format!("/no/such/program -x {}", script.display())));
        assert_eq!(script, [ContestantFile { name: "solve.py".to_owned(), sha256: abc.to_owned() }]);
        assert_eq!(of(None).len(), 1, "the only file of a built-in solver is this program");
    }
}
