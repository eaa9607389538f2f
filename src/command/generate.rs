//! `sudobench generate --hardest-engine`: the external program for which the puzzles should be hard.

use std::sync::Arc;

use sudobench_rows::StopFlags;

use super::{InterruptedError, UsageError};
use crate::cli::HardestEngineArgs;
use sudobench_harness::bench::{EngineProtocol, EngineSolverFactory, engine_setups};
use sudobench_harness::process::{Fault, Supervisor};

/// Returns the external program of `--hardest-engine`, or `None` without this option. If the external program fails later, the flag
/// `interrupt.solving` is set, which ends the run.
///
/// # Errors
/// [`UsageError`] if the command doesn't suit the protocol, or if `--engine-protocol` names another engine or is given twice.
pub(super) fn engine(
    typed: HardestEngineArgs,
    interrupt: &StopFlags,
) -> Result<Option<Arc<EngineSolverFactory>>, UsageError> {
    let HardestEngineArgs { hardest_engine, engine_protocols, blank, max_silence } = typed;
    let Some(command) = hardest_engine else { return Ok(None) };
    let usage = |fault: Fault| UsageError(format!("--hardest-engine: {fault}"));
    let supervisor = Arc::new(Supervisor::new(Arc::clone(&interrupt.solving)));
    let setups = engine_setups(std::slice::from_ref(&command), &engine_protocols, &[]).map_err(usage)?;
    let protocol = setups.first().map_or(EngineProtocol::Lines, |setup| setup.protocol);
    let engine =
        EngineSolverFactory::new(command, protocol, blank, max_silence, &supervisor).map_err(usage)?;
    Ok(Some(Arc::new(engine)))
}

/// Runs the external program on an easy puzzle. This happens before an output is opened, so the output stays unchanged if the program
/// fails.
///
/// # Errors
/// If the program fails, or Ctrl-C is pressed.
pub(super) fn try_out(engine: &EngineSolverFactory) -> anyhow::Result<()> {
    match (engine.is_ready(), failure(engine)) {
        (true, _) => Ok(()),
        (false, failure) => Err(failure.unwrap_or_else(|| InterruptedError.into())),
    }
}

pub(super) fn failure(engine: &EngineSolverFactory) -> Option<anyhow::Error> {
    Some(anyhow::Error::from(engine.failure()?.clone()).context("--hardest-engine failed"))
}
