//! Reads TRAIN, the training set of `overlap`, before the rows of TEST are compared with it.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::Tally;
use crate::overlap::{Compared, Keep, Overlap, Overlaps, Training};
use crate::passes::{JobInputs, Passes, over_all};
use crate::run::{Run, RunError, Sink};
use crate::source::{Input, InputRead};

/// Reads TRAIN before the output is opened, because `--resume` compares a digest of TRAIN with the digest that is stored beside the output.
/// Then reads TEST once.
#[derive(Debug)]
pub struct TrainPasses {
    train: Vec<Input>,
    by: Overlaps,
    keep: Keep,
    read: OnceLock<TrainRead>,
}

/// The results of reading TRAIN.
#[derive(Clone, Debug)]
pub struct TrainRead {
    /// Counts of the rows of TRAIN.
    pub tally: Tally,
    /// For each input, how much of it was read.
    pub inputs: Vec<InputRead>,
    /// The number that [`Training::distinct`] returns for each kind of overlap, in the order of [`Overlap::ALL`].
    pub distinct: Vec<u64>,
    /// Time that the reading took.
    pub elapsed: Duration,
}

impl TrainPasses {
    /// Makes the passes that compare TEST with `train` by these kinds of overlap, and that select the rows to write.
    pub(crate) fn new(train: Vec<Input>, by: Overlaps, keep: Keep) -> TrainPasses {
        TrainPasses { train, by, keep, read: OnceLock::new() }
    }

    /// Returns the counts; `None` before TRAIN is read.
    pub fn read(&self) -> Option<&TrainRead> {
        self.read.get()
    }
}

impl Passes for TrainPasses {
    fn count(&self) -> usize {
        1
    }

    fn pass_name(&self, _: usize) -> String {
        "TEST: ".to_owned()
    }

    fn left_out_by(&self) -> Option<&'static str> {
        Some("--keep")
    }

    /// Reads all rows of TRAIN, input by input, because each may have its own layout.
    fn prepare<'r>(self: Arc<Self>, inputs: JobInputs<'r>, writing: Run<'r>) -> Result<Run<'r>, RunError> {
        let clock = Instant::now();
        let mut training = Training::new(self.by);
        let (mut tally, mut inputs_read) = (Tally::default(), Vec::new());
        for (number, input) in self.train.iter().enumerate() {
            let run = (inputs.open_train)(input)?.columns([]).needs(training.needs());
            let sink = Sink::puzzles(|block| {
                block.rows().for_each(|row| training.add(number, &row));
                ControlFlow::Continue(())
            });
            let finished = over_all(run, sink)?;
            (inputs.on_train)(input, &finished);
            tally.merge(&finished.measures.tally);
            inputs_read.extend(finished.inputs);
        }
        if tally.rows() == 0 {
            return Err(RunError::NoRows(" in TRAIN"));
        }
        training.settle();
        let distinct = Overlap::ALL.iter().map(|&overlap| training.distinct(overlap)).collect();
        self.read.get_or_init(|| TrainRead {
            tally,
            inputs: inputs_read,
            distinct,
            elapsed: clock.elapsed(),
        });
        Ok(writing.marks(Arc::new(Compared { training, keep: self.keep })))
    }
}
