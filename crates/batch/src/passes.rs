//! What runs share that read the same inputs several times.

use crate::Tally;
use crate::run::identity;
use crate::run::{Run, RunError, Sink};
use crate::source::{Input, SourceError};

/// Reads all rows, with nothing to go on with. Returns their counts.
pub(crate) fn over_all(run: Run<'_>, sink: Sink<'_>) -> Result<Tally, RunError> {
    match run.to(sink) {
        Ok(finished) if finished.interrupted => Err(RunError::Interrupted),
        Ok(finished) => Ok(finished.measures.tally),
        Err(RunError::Halfway { error, .. }) => Err(*error),
        Err(error) => Err(error),
    }
}

/// What inputs are known by.
pub(crate) fn identities(inputs: &[Input]) -> Result<Vec<serde_json::Value>, SourceError> {
    let identity_of =
        |input: &Input| identity(input).map_err(|source| SourceError::Open { input: input.clone(), source });
    inputs.iter().map(identity_of).collect()
}

/// The first input that is known by something else than before, if there is one.
pub(crate) fn changed<'i>(
    inputs: &'i [Input],
    before: &[serde_json::Value],
) -> Result<Option<&'i Input>, SourceError> {
    let now = identities(inputs)?;
    let changed = before.iter().zip(now).zip(inputs).find(|((then, now), _)| *then != now);
    Ok(changed.map(|(_, input)| input))
}
