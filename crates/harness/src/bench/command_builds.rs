//! The two builds of a trial of commands (programs that need no puzzles).

use std::rc::Rc;

use super::command::MeasuredCommand;
use super::passes::{Leg, Passes, Request, ServedPair};
use super::trials::{Side, Sides};
use super::{Fault, Pass};
use crate::process::Run;

/// Commands of one build. Each command has run twice, which shows whether its results are repeatable.
pub struct CommandBuild {
    commands: Vec<MeasuredCommand>,
    first: Vec<Result<[Run; 2], Fault>>,
    served: Vec<ServedPair>,
}

impl CommandBuild {
    /// Runs each command twice.
    pub fn new(commands: Vec<MeasuredCommand>) -> CommandBuild {
        let run_twice =
            |command: &MeasuredCommand| Ok([command.run_with_output()?, command.run_with_output()?]);
        let first: Vec<Result<[Run; 2], Fault>> = commands.iter().map(run_twice).collect();
        let serve = |(command, runs): (&MeasuredCommand, &Result<[Run; 2], Fault>)| ServedPair {
            solver: command.command().name.clone(),
            dataset: String::new(),
            puzzles: 1,
            sample: None,
            pass_ns: runs.as_ref().map_or(0, |[_, second]| second.wall_ns),
            error: runs.as_ref().err().map(Fault::to_string),
        };
        let served = commands.iter().zip(&first).map(serve).collect();
        CommandBuild { commands, first, served }
    }

    /// Returns the commands, each with its first two runs.
    pub fn runs(&self) -> impl Iterator<Item = (&MeasuredCommand, &Result<[Run; 2], Fault>)> {
        self.commands.iter().zip(&self.first)
    }
}

/// The two builds under comparison.
pub struct CommandBuilds {
    /// The old build.
    pub base: Rc<CommandBuild>,
    /// The new build.
    pub head: Rc<CommandBuild>,
}

impl Sides for CommandBuilds {
    fn start(&self, side: Side) -> Result<Box<dyn Passes>, Fault> {
        let build = match side {
            Side::Base => &self.base,
            Side::Head => &self.head,
        };
        Ok(Box::new(Rc::clone(build)))
    }
}

impl Passes for Rc<CommandBuild> {
    fn pairs(&self) -> &[ServedPair] {
        &self.served
    }

    fn run(&mut self, request: Request) -> Result<Leg, Fault> {
        let command = self.commands.get(request.pair);
        let command = command.ok_or_else(|| Fault("there is no such command".to_owned()))?;
        let passes = (0..request.passes.max(1)).map(|_| command.run().map(|run| Pass::from_run(&run)));
        Ok(Leg::from_passes(&passes.collect::<Result<Vec<_>, _>>()?))
    }
}
