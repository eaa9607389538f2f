//! Compares the numbers of instructions of the old and the new build, counted by callgrind. After the trials, both builds of each solver or
//! command with measured times run again under valgrind: engines and commands once, built-in solvers twice if there are several puzzles.

use std::rc::Rc;
use std::sync::Arc;

use anyhow::Context as _;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::Outcome;

use super::builds::BuildsConfig;
use super::measured::{Command, Measured};
use super::paired::PairedConfig;
use crate::command::measuring::contestants_of;
use crate::command::progress::MeasurementProgress;
use sudobench_harness::bench::{Binaries, Callgrind, CommandBuilds, Dataset, EngineProtocol, count_served};
use sudobench_harness::gate::{Check, check_counter};
use sudobench_harness::process::{Fault, NamedCommand, Supervisor};
use sudobench_harness::record::registry::INSTRUCTIONS;

pub(super) struct InstructionCounter {
    callgrind: Callgrind,
    /// Largest allowed rise of the number of instructions, in percent.
    percent: f64,
    supervisor: Arc<Supervisor>,
}

impl InstructionCounter {
    /// Checks that valgrind is installed.
    pub(super) fn new(percent: f64, supervisor: &Arc<Supervisor>) -> anyhow::Result<InstructionCounter> {
        Ok(InstructionCounter {
            callgrind: Callgrind::new(supervisor)?,
            percent,
            supervisor: Arc::clone(supervisor),
        })
    }

    /// For each command that the trials timed, counts the instructions of one run of each build.
    pub(super) fn commands(
        &self,
        builds: &CommandBuilds,
        timed: &[Check],
        progress: &mut MeasurementProgress,
    ) -> Vec<Check> {
        let mut checks = Vec::new();
        for ((head, _), (base, _)) in builds.head.runs().zip(builds.base.runs()) {
            let pair = (head.command().name.as_str(), "");
            if pairs(timed).contains(&pair) {
                let count = |is_head| if is_head { head } else { base }.count_instructions(&self.callgrind);
                checks.push(self.compare(pair, count, progress));
            }
        }
        checks
    }

    /// For each engine and dataset that the trials timed, counts the instructions of one pass of each build over all puzzles.
    pub(super) fn engines(
        &self,
        builds: &BuildsConfig,
        measured: &Measured,
        datasets: &Rc<[Dataset]>,
        timed: &[Check],
        progress: &mut MeasurementProgress,
    ) -> anyhow::Result<Vec<Check>> {
        let mut checks = Vec::new();
        for (solver, dataset_name) in pairs(timed) {
            let dataset = datasets.iter().find(|dataset| dataset.name() == dataset_name);
            let of_name = |commands: &[Command]| commands.iter().find(|(it, _)| it.name == solver).cloned();
            let (Some(dataset), Some(base), Some(head)) =
                (dataset, of_name(&builds.base), of_name(&measured.engines))
            else {
                continue;
            };
            let count = |is_head| {
                let (command, setup) = if is_head { &head } else { &base };
                if setup.protocol == EngineProtocol::Library {
                    let message = "callgrind counts the instructions of programs, but with --engine-protocol library the engine is a library: leave out --instructions callgrind";
                    return Err(Fault(message.to_owned()));
                }
                let argv = self.callgrind.command_line(&command.argv);
                let command = (NamedCommand { argv, ..command.clone() }, *setup);
                self.count_engine(command, measured, dataset)
            };
            checks.push(self.compare((solver, dataset_name), count, progress));
        }
        Ok(checks)
    }

    /// Counts the instructions of a pass of an engine whose command starts valgrind.
    fn count_engine(&self, command: Command, measured: &Measured, dataset: &Dataset) -> Result<u64, Fault> {
        let engines = contestants_of(&[command], measured.engine_setting(), None, &self.supervisor);
        let mut engines = engines.map_err(|error| Fault(format!("{error:#}")))?;
        let (puzzles, limit) = (dataset.puzzles(), measured.max_silence);
        let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
        self.callgrind.count(|| {
            let pass =
                engines.first_mut().map(|engine| engine.pass(puzzles, &mut outcomes, limit)).transpose()?;
            pass.flatten().ok_or_else(|| {
                let message = "it does not answer all puzzles in time: raise --max-silence, or use fewer puzzles with --sample";
                Fault(message.to_owned())
            })
        })
    }

    /// Counts the instructions of the built-in solvers of two binaries of this program. Each solver runs on all puzzles of the sample. If
    /// there are several puzzles, it runs once more on one of them. The second count is subtracted, because it contains the start-up and
    /// the reading of the dataset.
    pub(super) fn binaries(
        &self,
        paired: &PairedConfig,
        measured: &Measured,
        timed: &[Check],
        progress: &mut MeasurementProgress,
    ) -> anyhow::Result<Vec<Check>> {
        // valgrind does not support AVX-512.
        let level = if measured.level == Level::Avx512 { Level::Avx2 } else { measured.level };
        let paths = measured.paths();
        let mut checks = Vec::new();
        for (solver, dataset) in pairs(timed) {
            // The name of a dataset is its file name, or its path if another dataset has the same file name.
            let path = paths.iter().find(|path| path.as_os_str() == dataset);
            let path = path.or_else(|| paths.iter().find(|path| path.file_name() == Some(dataset.as_ref())));
            let path = path.with_context(|| format!("{dataset} is not one of the datasets"))?;
            let all = paired.binaries_of_pair(solver, path, None, level, &self.supervisor)?;
            let first = paired.binaries_of_pair(solver, path, Some(1), level, &self.supervisor)?;
            let count_part = |part: &Binaries, is_head: bool| {
                count_served(&self.callgrind, if is_head { &part.head } else { &part.base }, part)
            };
            let count = |is_head| {
                let (count, puzzles) = count_part(&all, is_head)?;
                let (apart, _) = if puzzles > 1 { count_part(&first, is_head)? } else { (0, 0) };
                Ok(count.saturating_sub(apart))
            };
            checks.push(self.compare((solver, dataset), count, progress));
        }
        Ok(checks)
    }

    /// Compares the counts that `count` returns for the head and for the base.
    fn compare(
        &self,
        pair: (&str, &str),
        count: impl Fn(bool) -> Result<u64, Fault>,
        progress: &mut MeasurementProgress,
    ) -> Check {
        progress.tell((0, 1), None, &format!("instructions of {}", pair.0));
        let [base, head] = [false, true].map(|is_head| count(is_head).map(|count| count as f64));
        check_counter(pair, INSTRUCTIONS.limit_name(), (base, head), self.percent)
    }
}

fn pairs(timed: &[Check]) -> Vec<(&str, &str)> {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for check in timed.iter().filter(|check| check.figures.is_some()) {
        let pair = (check.solver.as_str(), check.dataset.as_str());
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs
}
