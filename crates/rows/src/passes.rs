//! Passes over the inputs before the pass that writes the rows, such as the pass of `dedupe` that counts puzzles.
//!
//! A verb names its passes in [`RowVerb::passes`](crate::verbs::RowVerb::passes). Code that needs the results of one kind of passes, such
//! as the command `overlap`, gets that kind from [`ValidJob::passes`](crate::ValidJob::passes).

use std::any::Any;
use std::sync::Arc;

use crate::Tally;
use crate::groups::Groups;
use crate::pass_error::PassError;
use crate::run::{Finished, Run, RunError, Sink};
use crate::source::{Input, InputState, SourceError};

/// The passes over the inputs before the pass that writes the rows.
///
/// [`Passes::prepare`] decides what the passes read and keep. The passes add [marks](crate::Marks::name) or a [setting](Run::setting) to
/// the run. `--resume` refuses to continue a run whose marks have another name, or whose setting has another value.
pub trait Passes: Any + Send + Sync {
    /// Returns the number of passes over the inputs of the job, including the last pass, which writes the rows.
    fn count(&self) -> usize {
        2
    }

    /// Returns the name of the pass with this number, from 1, for the display of progress.
    fn pass_name(&self, number: usize) -> String {
        let count = self.count();
        if count == 1 { String::new() } else { format!("pass {number} of {count}: ") }
    }

    /// Returns the verb or the option whose passes leave out rows, such as `dedupe` or `--keep`, for messages; `None` if the passes leave
    /// out no rows.
    fn left_out_by(&self) -> Option<&'static str>;

    /// Makes `writing`, the run that writes the rows, depend on the results of the passes. The passes are usually run by
    /// [`Run::prepare`], after the output is opened.
    ///
    /// # Errors
    /// If an input can't be opened, or an option doesn't fit the input.
    fn prepare<'r>(self: Arc<Self>, inputs: JobInputs<'r>, writing: Run<'r>) -> Result<Run<'r>, RunError>;

    /// Returns the counts for the summary at the end of the run. Returns no lines if the passes did not run, because an earlier run had
    /// completed the output.
    fn lines(&self) -> Vec<SummaryLine> {
        Vec::new()
    }
}

impl dyn Passes {
    /// Returns these passes as the type `T`, if they have this type.
    pub fn downcast<T: Passes>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}

/// Callback that gets the duplicates: the rows of each class that has several rows.
pub type ListGroups<'r> = Box<dyn FnOnce(Groups) -> Result<(), RunError> + Send + Sync + 'r>;

/// Makes the runs of passes, with the options of the job.
pub struct JobInputs<'r> {
    /// Makes a run over the inputs of the job, for the pass with this number.
    pub open: &'r (dyn Fn(usize) -> Result<Run<'r>, RunError> + Sync),
    /// Makes a run over another input, TRAIN of `overlap`.
    pub open_train: &'r (dyn Fn(&Input) -> Result<Run<'r>, RunError> + Sync),
    /// Called after each input of TRAIN has been read.
    pub on_train: &'r (dyn Fn(&Input, &Finished) + Sync),
    /// Receives the duplicates of `dedupe`.
    pub list_groups: Option<ListGroups<'r>>,
}

/// A line of the summary at the end of a run: a name and a number, mostly a number of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryLine {
    /// The name of the number. If the number counts the rows with a value, the name is this value.
    pub name: String,
    /// The number.
    pub rows: u64,
    /// The part and the whole of the share that the line shows. `None` if the line shows no share.
    pub share: Option<(u64, u64)>,
    /// Words at the end of the line.
    pub words: String,
}

/// Runs a pass over all rows. An interrupt is an error, because the pass cannot be resumed.
pub(crate) fn over_all(run: Run<'_>, sink: Sink<'_>) -> Result<Finished, RunError> {
    match run.to(sink) {
        Ok(finished) if finished.interrupted => Err(RunError::Interrupted),
        Ok(finished) => Ok(finished),
        Err(RunError::Halfway { error, .. }) => Err(*error),
        Err(error) => Err(error),
    }
}

/// The inputs as they were before the first pass. Later passes check that the inputs have not changed.
#[derive(Debug)]
pub(crate) struct PassInputs {
    inputs: Vec<Input>,
    /// The state of each input before the first pass.
    states: Vec<InputState>,
    /// Why the inputs are read several times, for the error message.
    passes: &'static str,
}

impl PassInputs {
    pub(crate) fn new(run: &Run, passes: &'static str) -> PassInputs {
        let source = run.source();
        PassInputs { states: source.states().to_vec(), inputs: source.inputs().to_vec(), passes }
    }

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
        InputState::from_input(input).map_err(|source| SourceError::Open { input: input.clone(), source })
    };
    inputs.iter().map(state).collect()
}
