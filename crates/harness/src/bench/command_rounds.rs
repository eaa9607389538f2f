//! Measures programs that need not solve Sudoku. In each round, each program runs once, in a newly shuffled order. A program that failed,
//! or whose measurement is complete, gets no further rounds.

use std::time::{Duration, Instant};

use sudobench_sudoku::random::Random;

use super::command::MeasuredCommand;
use crate::process::{Fault, Run};

/// Settings of a measurement of commands.
#[derive(Clone, Copy, Debug)]
pub struct CommandsPlan {
    /// Minimum number of runs of each command, if `max_time` allows them.
    pub rounds: usize,
    /// Minimum total time of the runs of a command, if `max_time` allows it.
    pub min_time: Duration,
    /// Maximum total time of all runs of a command, with the warm-up and the preparations. After the warm-up, a run starts only if a run as
    /// long as the longest one so far still fits into this time.
    pub max_time: Duration,
    /// Seed of the random order of the commands in each round.
    pub seed: u64,
}

/// The next run, reported before the run starts.
#[derive(Clone, Debug)]
pub struct CommandStep<'c> {
    /// The command's name.
    pub name: &'c str,
    /// The round, from 1; 0 in the warm-up.
    pub round: usize,
    /// Number of runs already made, of all commands. Warm-ups don't count.
    pub done: usize,
    /// Number of planned runs of all commands, as far as known.
    pub total: usize,
    /// Estimated time for the remaining runs; `None` if unknown.
    pub left: Option<Duration>,
}

/// Runs each command once to warm up and then in rounds. `tell` is called before each run and returns whether to continue. If `tell`
/// returns false or the user interrupts, the result has the runs made so far. The result for a command that failed or has no run is a
/// fault.
pub fn measure_commands(
    commands: &[MeasuredCommand],
    plan: &CommandsPlan,
    tell: &mut dyn FnMut(&CommandStep) -> bool,
) -> Vec<Result<Vec<Run>, Fault>> {
    let mut samples: Vec<Samples> = commands.iter().map(|_| Samples::default()).collect();
    let mut random = Random::new(plan.seed);
    let mut order: Vec<usize> = (0..commands.len()).collect();
    'rounds: for round in 0.. {
        if samples.iter().all(|it| it.are_over(plan)) {
            break;
        }
        random.shuffle(&mut order);
        for &at in &order {
            if samples[at].are_over(plan) {
                continue;
            }
            let command = &commands[at];
            if !tell(&step(&samples, plan, &command.command().name, round)) {
                break 'rounds;
            }
            let start = Instant::now();
            let run = command.run();
            if command.is_interrupted() {
                break 'rounds;
            }
            samples[at].take(run, start.elapsed());
        }
    }
    samples.into_iter().map(Samples::into_runs).collect()
}

fn step<'c>(samples: &[Samples], plan: &CommandsPlan, name: &'c str, round: usize) -> CommandStep<'c> {
    let due = |it: &Samples| it.runs.len() + it.runs_left(plan);
    let left = samples.iter().map(|it| it.longest.saturating_mul(it.runs_left(plan) as u32)).sum();
    CommandStep {
        name,
        round,
        done: samples.iter().map(|it| it.runs.len()).sum(),
        total: samples.iter().map(due).sum(),
        left: (round > 0).then_some(left),
    }
}

#[derive(Default)]
struct Samples {
    warm_up: Option<Run>,
    runs: Vec<Run>,
    fault: Option<Fault>,
    /// Time that all runs took, with their preparations.
    spent: Duration,
    /// Duration of the longest run, with its preparation.
    longest: Duration,
}

impl Samples {
    fn take(&mut self, run: Result<Run, Fault>, took: Duration) {
        self.spent += took;
        self.longest = self.longest.max(took);
        match run {
            Err(fault) => self.fault = Some(fault),
            Ok(run) if self.warm_up.is_none() => self.warm_up = Some(run),
            Ok(run) => self.runs.push(run),
        }
    }

    fn are_over(&self, plan: &CommandsPlan) -> bool {
        let has_no_time = self.warm_up.is_some() && self.spent + self.longest > plan.max_time;
        self.fault.is_some() || has_no_time || self.runs_left(plan) == 0
    }

    /// Returns the number of runs still needed, as far as known.
    fn runs_left(&self, plan: &CommandsPlan) -> usize {
        let by_number = plan.rounds.saturating_sub(self.runs.len());
        let timed = Duration::from_nanos(self.runs.iter().map(|run| run.wall_ns).sum());
        let missing = plan.min_time.saturating_sub(timed).as_nanos();
        // Before the first run, the duration of a run is unknown, so one run is assumed to take the whole minimum time.
        let longest = if self.longest.is_zero() { plan.min_time } else { self.longest };
        let by_time = missing.div_ceil(longest.as_nanos().max(1));
        if self.fault.is_some() { 0 } else { by_number.max(usize::try_from(by_time).unwrap_or(usize::MAX)) }
    }

    /// Returns the timed runs. If only the warm-up ran, returns the warm-up as the only run.
    fn into_runs(self) -> Result<Vec<Run>, Fault> {
        let Samples { warm_up, mut runs, fault, .. } = self;
        if let Some(fault) = fault {
            return Err(fault);
        }
        if runs.is_empty() {
            runs.extend(warm_up);
        }
        if runs.is_empty() { Err(Fault("interrupted before it was measured".to_owned())) } else { Ok(runs) }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::End;
    use crate::process::fixtures::supervisor;

    fn measured(commands: &[&str], plan: &CommandsPlan) -> (Vec<Result<usize, String>>, Vec<String>) {
        let minute = (Duration::from_secs(60), "--max-time-per-pair");
        let supervisor = supervisor(false);
        let command = |text: &&str| MeasuredCommand::new(text.parse().unwrap(), None, minute, &supervisor);
        let commands: Vec<MeasuredCommand> = commands.iter().map(command).collect();
        let mut steps = Vec::new();
        let runs = measure_commands(&commands, plan, &mut |step| {
            steps.push(format!("{}{}", step.round, step.name));
            steps.len() < 100
        });
        let runs = runs.into_iter().map(|it| it.map(|runs| runs.len()).map_err(|fault| fault.to_string()));
        (runs.collect(), steps)
    }

    const PLAN: CommandsPlan =
        CommandsPlan { rounds: 4, min_time: Duration::ZERO, max_time: Duration::from_secs(60), seed: 1 };

    #[test]
    fn each_command_runs_once_in_each_round_and_a_failure_ends_it() {
        let (runs, mut steps) = measured(&["a=true", "b=true", "c=sh -c 'exit 3'"], &PLAN);
        assert_eq!(runs, [Ok(4), Ok(4), Err("`sh` ended with exit status: 3".to_owned())]);
        let orders: Vec<String> = steps.chunks(2).skip(1).map(|step| step.concat()).collect();
        assert!(orders.len() == 5, "the third command ran in the warm-up alone: {steps:?}");
        steps.sort_unstable();
        assert_eq!(steps, ["0a", "0b", "0c", "1a", "1b", "2a", "2b", "3a", "3b", "4a", "4b"]);
    }

    #[test]
    fn the_first_step_expects_at_least_the_number_of_rounds() {
        let plan = CommandsPlan { min_time: Duration::from_secs(1), ..PLAN };
        let first = step(&[Samples::default(), Samples::default()], &plan, "a", 0);
        assert_eq!((first.done, first.total), (0, 8));
    }

    #[test]
    fn runs_are_needed_until_their_number_and_the_minimum_time_are_reached() {
        let second = Duration::from_secs(1);
        let plan = CommandsPlan { rounds: 2, min_time: 4 * second, ..PLAN };
        let mut samples = Samples::default();
        let mut needed = Vec::new();
        for _ in 0..6 {
            needed.push(samples.runs_left(&plan));
            let run = Run { wall_ns: second.as_nanos() as u64, ..Run::from_end(End::Exited(0)) };
            samples.take(Ok(run), second);
        }
        // Before the first run, one run is assumed to take the minimum time. The first of the six runs is the warm-up.
        assert_eq!(needed, [2, 4, 3, 2, 1, 0]);
        assert!(samples.are_over(&plan));
        let more_rounds = CommandsPlan { rounds: 7, ..plan };
        assert_eq!(samples.runs_left(&more_rounds), 2, "five runs of seven were made");
        assert!(
            samples.are_over(&CommandsPlan { max_time: 6 * second, ..more_rounds }),
            "no time for a run is left"
        );
    }

    #[test]
    fn without_time_the_warm_up_is_the_only_run_and_an_interruption_keeps_the_runs() {
        let runs = |plan: &CommandsPlan| measured(&["a=true"], plan).0;
        assert_eq!(runs(&CommandsPlan { max_time: Duration::from_nanos(1), ..PLAN }), [Ok(1)]);
        let long = CommandsPlan { min_time: Duration::from_secs(3600), max_time: Duration::MAX, ..PLAN };
        assert_eq!(runs(&long), [Ok(98)], "the runs before the interruption");
    }
}
