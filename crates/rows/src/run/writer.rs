//! Receives the processed blocks in order: writes their output, adds up their counts, and reports the progress.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use super::finished::{Progress, ProgressCall, RunError};
use super::sink::BlockCall;
use super::slot::Slot;
use super::worker::Shared;
use crate::notice::Notices;
use crate::pipeline::Writer;
use crate::shard_record::ShardRecord;
use crate::sink::{Answered, Completion, Compression, DestinationError, OutputPiece, RowSink};
use crate::{Budget, Digest, RunMeasures};

pub(super) enum Output<'s> {
    Sink(Box<dyn RowSink + 's>),
    Call(BlockCall<'s>),
}

impl<'s> Output<'s> {
    /// Returns the sink that writes the rows. `None` if rows are passed to a function.
    pub(super) fn sink(&mut self) -> Option<&mut (dyn RowSink + 's)> {
        match self {
            Output::Sink(sink) => Some(&mut **sink),
            Output::Call(_) => None,
        }
    }

    /// Compresses `text` and writes it, if nothing is written yet.
    pub(super) fn write_if_empty(
        &mut self,
        mut text: Vec<u8>,
        compression: Compression,
    ) -> Result<(), RunError> {
        let Some(sink) = self.sink() else { return Ok(()) };
        compression.compress(&mut text).map_err(RunError::Compression)?;
        Ok(sink.write_if_empty(&text)?)
    }

    /// Writes the rows that the sink keeps until the last row is known.
    pub(super) fn settle(&mut self, cancel: &AtomicBool) -> Result<(), RunError> {
        Ok(self.sink().map_or(Ok(()), |sink| sink.settle(cancel))?)
    }

    /// Closes the output. If the output is not complete, returns the path of the partial file, if there is one.
    pub(super) fn end(
        self,
        is_whole: bool,
        sync: bool,
        record: Option<ShardRecord>,
        answered: Answered,
    ) -> Result<Option<PathBuf>, DestinationError> {
        let Output::Sink(sink) = self else { return Ok(None) };
        match is_whole {
            true => sink.finish(Completion { answered, shard: record, sync }).map(|()| None),
            false => sink.leave(answered),
        }
    }

    /// Removes the partial file, if there is one.
    pub(super) fn discard(self) {
        if let Output::Sink(sink) = self {
            sink.discard();
        }
    }

    /// Returns whether a later run can continue the output if this run stops early.
    pub(super) fn is_resumable(&self) -> bool {
        matches!(self, Output::Sink(sink) if sink.is_resumable())
    }
}

pub(super) struct BlockWriter<'s, 'r> {
    pub(super) shared: Arc<Shared>,
    pub(super) output: Output<'s>,
    pub(super) resumed_after: u64,
    /// Measures of the rows of all blocks so far, including the rows that an earlier run has done.
    pub(super) measures: RunMeasures,
    pub(super) notices: Notices,
    /// Digest of the input of all rows so far.
    pub(super) read: Digest,
    /// Number of forms of the last input row that are in the output, or 0 if the output has all of them: see [`Slot::forms`].
    pub(super) forms: u64,
    pub(super) started: SystemTime,
    pub(super) elapsed_before: Duration,
    /// Whether the function that receives blocks needs no more blocks.
    pub(super) broke_off: bool,
    pub(super) progress: ProgressCall<'r>,
    /// Maximum number of rows of this run.
    pub(super) limit: Option<u64>,
    pub(super) clock: Instant,
}

impl<'s, 'r> BlockWriter<'s, 'r> {
    /// Makes a writer that continues after the rows in `before`, which an earlier run has done.
    pub(super) fn new(
        shared: &Arc<Shared>,
        output: Output<'s>,
        before: Answered,
        budgets: &[Budget],
        progress: ProgressCall<'r>,
        limit: Option<u64>,
    ) -> BlockWriter<'s, 'r> {
        let mut measures =
            RunMeasures { tally: before.tally, scores: before.scores, ..RunMeasures::new(budgets) };
        measures.latency.merge(&before.latency);
        BlockWriter {
            shared: Arc::clone(shared),
            output,
            resumed_after: before.tally.rows(),
            measures,
            notices: Notices(before.notices),
            read: before.read,
            forms: before.forms,
            started: before.started,
            elapsed_before: before.elapsed,
            broke_off: false,
            progress,
            limit,
            clock: Instant::now(),
        }
    }

    pub(super) fn answered(&self) -> Answered {
        Answered {
            read: self.read,
            forms: self.forms,
            tally: self.measures.tally,
            scores: self.measures.scores.clone(),
            latency: self.measures.latency.counts(),
            notices: self.notices.0.clone(),
            started: self.started,
            elapsed: self.elapsed_before + self.clock.elapsed(),
        }
    }

    /// Cancels the work of all threads, and returns the error.
    pub(super) fn failed(&self, error: RunError) -> Result<ControlFlow<()>, RunError> {
        self.shared.cancel.store(true, Ordering::SeqCst);
        Err(error)
    }
}

impl Writer<Slot, RunError> for BlockWriter<'_, '_> {
    type Part = OutputPiece;

    fn write_part(&mut self, part: &mut OutputPiece) -> Result<(), RunError> {
        match self.output.sink().map(|sink| sink.write_part(part)) {
            Some(Err(error)) => self.failed(error.into()).map(drop),
            _ => Ok(()),
        }
    }

    fn write(&mut self, slot: &mut Slot) -> Result<ControlFlow<()>, RunError> {
        if let Some(fault) = slot.not_compressed.take() {
            return self.failed(RunError::Compression(fault));
        }
        let goes_on = match &mut self.output {
            Output::Sink(sink) => match sink.write(&mut slot.output) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => return self.failed(error.into()),
            },
            Output::Call(call) => {
                let block = slot.answers.answered_block(&slot.block, self.shared.choice(slot.block.input));
                let goes_on = call(&block);
                if goes_on.is_break() {
                    self.broke_off = !self.shared.cancel.swap(true, Ordering::SeqCst);
                }
                goes_on
            }
        };
        self.measures.tally.merge(&slot.tally);
        if !slot.scores.is_empty() {
            self.measures.scores.merge(&slot.scores);
        }
        self.measures.latency.take_in(&slot.times);
        self.notices.append(&mut slot.notices);
        self.read = self.read.then(slot.read);
        self.forms = slot.forms;
        if self.output.sink().is_some_and(|sink| sink.is_due()) {
            let answered = self.answered();
            if let Some(Err(error)) = self.output.sink().map(|sink| sink.checkpoint(answered)) {
                return self.failed(error.into());
            }
        }
        let (read, total) = slot.progress;
        let rows = self.measures.tally.rows() - self.resumed_after;
        let elapsed = self.clock.elapsed();
        (self.progress)(&Progress { rows, limit: self.limit, read, total, elapsed });
        if let Some(fault) = slot.fault.take().filter(|_| !slot.cut) {
            return self.failed(fault.into());
        }
        Ok(if slot.cut { ControlFlow::Break(()) } else { goes_on })
    }
}
