//! Common code for verbs that read the same inputs several times.

use crate::Tally;
use crate::pass_error::PassError;
use crate::run::{Finished, Run, RunError, Sink};
use crate::source::{Input, InputState, SourceError};

/// Runs a pass over all rows. An interrupt is an error, because the pass cannot be resumed.
pub(crate) fn over_all(run: Run<'_>, sink: Sink<'_>) -> Result<Finished, RunError> {
    match run.to(sink) {
        Ok(finished) if finished.interrupted => Err(RunError::Interrupted),
        Ok(finished) => Ok(finished),
        Err(RunError::Halfway { error, .. }) => Err(*error),
        Err(error) => Err(error),
    }
}

/// The inputs of a first pass. Later passes check that they have not changed.
#[derive(Debug)]
pub(crate) struct PassInputs {
    inputs: Vec<Input>,
    /// The state of each input before the first pass.
    states: Vec<InputState>,
    /// Why the inputs are read several times, for the error message.
    passes: &'static str,
}

impl PassInputs {
    /// Remembers the inputs of a first pass.
    pub(crate) fn of(run: &Run, passes: &'static str) -> PassInputs {
        let source = run.source();
        PassInputs { states: source.states().to_vec(), inputs: source.inputs().to_vec(), passes }
    }

    /// Returns the number of inputs.
    pub(crate) fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Checks that no input has changed.
    ///
    /// # Errors
    ///
    /// [`PassError::Changed`], or an error of the system.
    pub(crate) fn check(&self) -> Result<(), RunError> {
        let now = states(&self.inputs)?;
        let mut inputs = self.states.iter().zip(now).zip(&self.inputs);
        self.refuse(inputs.find(|((then, now), _)| *then != now).map(|(_, input)| input))
    }

    /// Checks that no input has changed, and that a later pass had the same number of rows as the first one. For an input from a pipe, the
    /// number of rows is all that can be compared.
    ///
    /// # Errors
    /// The same errors as [`PassInputs::check`].
    pub(crate) fn check_rows(&self, rows_before: u64, tally: &Tally) -> Result<(), RunError> {
        self.check()?;
        self.refuse(self.inputs.last().filter(|_| tally.rows() != rows_before))
    }

    fn refuse(&self, changed: Option<&Input>) -> Result<(), RunError> {
        match changed {
            Some(input) => Err(PassError::Changed { input: input.clone(), passes: self.passes }.into()),
            None => Ok(()),
        }
    }
}

fn states(inputs: &[Input]) -> Result<Vec<InputState>, SourceError> {
    let state = |input: &Input| {
        InputState::of(input).map_err(|source| SourceError::Open { input: input.clone(), source })
    };
    inputs.iter().map(state).collect()
}
