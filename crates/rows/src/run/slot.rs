//! A slot of the pipeline, and the reader that fills slots.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::finished::RunError;
use crate::answers::Answers;
use crate::forms::{Cutter, Piece};
use crate::latency::Times;
use crate::notice::Notices;
use crate::pipeline::Reader;
use crate::scores::Scores;
use crate::sink::OutputPiece;
use crate::source::{Block, Source, SourceError};
use crate::{Digest, Tally};

/// A block with its input and output. Its buffers are reused.
#[derive(Debug, Default)]
pub(super) struct Slot {
    pub(super) block: Block,
    /// The part of the rows' forms to write, if there are too many forms to write together.
    pub(super) piece: Option<Piece>,
    /// After this block (or its `piece`) is written, the output may have only some of the forms of a row. This is the number of these
    /// forms, or 0 if every row in the output has all its forms.
    pub(super) forms: u64,
    pub(super) output: OutputPiece,
    /// The answers, if rows are passed to a function. Otherwise the workers keep the answers, which takes less memory, because there are
    /// fewer workers than slots.
    pub(super) answers: Answers,
    /// The digest that this block adds to [`Answered::read`](crate::sink::Answered::read).
    pub(super) read: Digest,
    pub(super) tally: Tally,
    pub(super) times: Times,
    pub(super) notices: Notices,
    pub(super) scores: Scores,
    pub(super) not_compressed: Option<io::Error>,
    /// Whether the run was interrupted in this block. Then later blocks must not be written.
    pub(super) cut: bool,
    /// The error that ends the run after the rows of this block are written, if there is one.
    pub(super) fault: Option<SourceError>,
    /// Number of input bytes read so far, and the total number of input bytes, if known: see [`Source::progress`].
    pub(super) progress: (u64, Option<u64>),
}

pub(super) struct BlockReader<'s> {
    pub(super) source: &'s mut Source,
    /// Whether the answers depend on the block boundaries.
    pub(super) depends_on_cuts: bool,
    /// Divides the forms of a block's rows into pieces, if each puzzle has several forms.
    pub(super) cutter: Option<Cutter>,
}

impl Reader<Slot, RunError> for BlockReader<'_> {
    fn fill(&mut self, slot: &mut Slot) -> Result<ControlFlow<()>, RunError> {
        if let Some((piece, block)) = self.cutter.as_mut().and_then(Cutter::next) {
            // If the run is interrupted before the last piece of a block, the run ends here, because no later block may follow an
            // unfinished one.
            if is_interrupted(self.source) {
                return Ok(ControlFlow::Break(()));
            }
            (slot.piece, slot.block) = (Some(piece), block);
            return Ok(ControlFlow::Continue(()));
        }
        let buffer = std::mem::take(&mut slot.block.bytes);
        let block = match self.source.next_block(buffer) {
            // The interrupt may have ended the block earlier than usual. Here the answers depend on the block boundaries, so the block is
            // dropped.
            Ok(Some(_)) if self.depends_on_cuts && is_interrupted(self.source) => {
                return Ok(ControlFlow::Break(()));
            }
            Ok(Some(block)) => block,
            Ok(None) => return Ok(ControlFlow::Break(())),
            // An interrupt while the source reads has the same effect as an interrupt between two blocks.
            Err(error) if error.is_interrupt() => return Ok(ControlFlow::Break(())),
            Err(error) => return Err(error.into()),
        };
        slot.piece = self.cutter.as_mut().and_then(|cutter| cutter.start(&block));
        slot.block = block;
        slot.progress = self.source.progress();
        Ok(ControlFlow::Continue(()))
    }
}

pub(super) fn is_interrupted(source: &Source) -> bool {
    source.options().cancel.load(Ordering::SeqCst)
}
