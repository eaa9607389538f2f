//! The solvers and engines that `gate` measures, and their datasets.

use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context as _;
use sudobench_rows::source::Input;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Question, Variant};

use crate::command::measuring::{EngineSetting, load};
use sudobench_harness::bench::{Dataset, EngineSetup};
use sudobench_harness::gate::BaselineTerms;
use sudobench_harness::process::{NamedCommand, ScratchFolder};

/// The built-in solvers (`variants`) and engines to measure, their datasets, and the settings for all of them.
pub(super) struct Measured {
    pub(super) inputs: Vec<Input>,
    pub(super) variants: Vec<&'static Variant>,
    pub(super) level: Level,
    pub(super) engines: Vec<Command>,
    pub(super) blank: char,
    /// Time limit of an engine for all puzzles of the sample, in runs that are not timed (`--max-silence`).
    pub(super) max_silence: Duration,
    pub(super) terms: BaselineTerms,
}

/// An engine's command, with its protocol and its kind of answers.
pub(super) type Command = (NamedCommand, EngineSetup);

impl Measured {
    pub(super) fn engine_setting(&self) -> EngineSetting {
        EngineSetting { blank: self.blank, max_solutions: solutions(self.terms), checks_answers: false }
    }

    /// If standard input is a dataset, stores it in a file, because it can be read only once and the datasets are read several times.
    /// Returns the folder of this file; the file is deleted when the folder is dropped.
    pub(super) fn keep_standard_input(&mut self) -> anyhow::Result<Option<ScratchFolder>> {
        let Some(input) = self.inputs.iter_mut().find(|input| **input == Input::Stdin) else {
            return Ok(None);
        };
        let folder = ScratchFolder::new().context("cannot make a folder for a copy of standard input")?;
        let path = folder.path().join(input.to_string());
        let copied = File::create(&path).and_then(|mut file| io::copy(&mut io::stdin().lock(), &mut file));
        copied.context("cannot copy standard input to a file")?;
        *input = Input::File(path);
        Ok(Some(folder))
    }

    /// Removes the datasets without puzzles, and returns their names.
    pub(super) fn take_empty(&mut self) -> anyhow::Result<Vec<String>> {
        let mut empty = Vec::new();
        for input in std::mem::take(&mut self.inputs) {
            match Dataset::holds_any(&input)? {
                true => self.inputs.push(input),
                // Standard input was stored in a file whose file name is the display name of standard input.
                false => empty.push(match &input {
                    Input::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                    Input::Stdin | Input::Puzzles(_) | Input::Reader(_) => input.to_string(),
                }),
            }
        }
        Ok(empty)
    }

    /// Loads the sample of each dataset.
    pub(super) fn load(&self) -> anyhow::Result<Rc<[Dataset]>> {
        Ok(load(&self.inputs, self.terms.seed, Some(self.terms.sample))?.into())
    }

    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let path = |input: &Input| match input {
            Input::File(path) => Some(path.clone()),
            Input::Stdin | Input::Puzzles(_) | Input::Reader(_) => None,
        };
        self.inputs.iter().filter_map(path).collect()
    }
}

/// Returns the question for every puzzle: find solutions up to the maximum number in `terms`. The search ends as soon as `stop` becomes
/// true.
pub(super) fn question(terms: BaselineTerms, stop: &Arc<AtomicBool>) -> Question {
    Question { cancel: Some(Arc::clone(stop)), ..Question::up_to(solutions(terms)) }
}

/// Returns the number of solutions after which a search stops.
fn solutions(terms: BaselineTerms) -> NonZeroU64 {
    NonZeroU64::new(terms.max_solutions).unwrap_or(NonZeroU64::MIN)
}
