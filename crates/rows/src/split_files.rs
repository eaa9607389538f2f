//! `split` with two outputs: one job writes the training rows, and another job writes the test rows.

use std::io;
use std::path::PathBuf;

use crate::job::{Job, ValidJob, target};
use crate::option_error::OptionError;
use crate::place::{Place, check_apart};
use crate::sink::{self, DestinationError, Existing, Target};
use crate::verbs::VerbOptions;

impl Job {
    /// Returns the jobs for the training rows, which go to the output of this job, and for the test rows.
    ///
    /// # Errors
    /// If both outputs are the same, or if an input can't be read twice.
    pub fn sides(mut self, test_output: PathBuf) -> Result<[Job; 2], OptionError> {
        let train_output = self.output.output.clone().unwrap_or_else(|| "-".into());
        if [&train_output, &test_output].iter().all(|path| target(Some(path)) == Target::Stdout) {
            let words = "both sides go to standard output: name a file for one of them";
            return Err(OptionError::new(words));
        }
        check_apart([], [train_output.as_path(), test_output.as_path()])?;
        if let Some(input) = self.inputs.iter().find(|input| input.is_read_once()) {
            return Err(OptionError::new(format!(
                "--test-output reads the input twice, which {input} does not allow: store it in a file first"
            )));
        }
        if let VerbOptions::Split(options) = &mut self.verb {
            options.share_strata();
        }
        let side = |output: PathBuf, condition: &str| {
            let mut job = self.clone();
            job.output.output = Some(output);
            job.output.only.push(condition.to_owned());
            job.output.columns.get_or_insert_with(|| "none".to_owned());
            job
        };
        Ok([side(train_output, "side!=test"), side(test_output, "side=test")])
    }
}

/// Checks both outputs before either of them is written. Also makes the run of the training rows leave a record beside its output file,
/// even without `--resume` (but not with `--force`). If the run of the test rows is then interrupted, this record shows a later run with
/// `--resume` that the training rows are complete. [`end_sides`] removes the record.
///
/// # Errors
/// If one of the two outputs can't be written.
pub fn check_sides(train: &mut ValidJob, test: &ValidJob) -> Result<(), DestinationError> {
    for job in [&*train, test] {
        sink::check_target(&job.target, job.existing)?;
    }
    let is_file =
        matches!(&train.target, Target::File(path) if matches!(Place::resolve(path), Ok(Place::File(_))));
    if train.existing == Existing::Refuse && is_file {
        train.existing = Existing::Resume;
    }
    Ok(())
}

/// Called after both runs. Removes the record that [`check_sides`] left beside the training rows. With `--resume`, the record stays.
///
/// # Errors
/// If the record can't be removed.
pub fn end_sides(train: &ValidJob, test: &ValidJob) -> io::Result<()> {
    if test.existing == Existing::Resume { Ok(()) } else { sink::discard_record(&train.target) }
}
