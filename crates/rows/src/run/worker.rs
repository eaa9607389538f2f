//! The work of a thread on a block: generate the rows if there is no input, parse, answer, format.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::generate::Maker;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::SolverFactory;
use sudobench_sudoku::{Outcome, Puzzle, Question};

use super::finished::RunError;
use super::slot::Slot;
use crate::answers::{Answerer, Answers, Choice, Marks, RowFilter};
use crate::columns::{Column, count_words};
use crate::expand::Expand;
use crate::facts::{FactContext, FactPlan, Settings};
use crate::filter::Filter;
use crate::forms::{FormAt, FormMaker};
use crate::output_rows::OutputRows;
use crate::pipeline::Worker;
use crate::scores::Scores;
use crate::scoring::Scoring;
use crate::sink::{Compression, Compressor, MemberPlace, OutputPiece, RowFormat, RowFormatter, WritePart};
use crate::source::{Block, Input, Layout, Recipe, RowText, SourceError, write_rows};
use crate::{Digest, Tally};

pub(super) struct Shared {
    /// Whether digests of the input and the output are needed, so that the run can be resumed.
    pub(super) is_resumable: bool,
    pub(super) inputs: Vec<Input>,
    pub(super) layout: Arc<Layout>,
    /// Whether the output format has columns: the columns of the input, then the added columns.
    pub(super) has_columns: bool,
    /// The output format. `None` if rows are passed to a function.
    pub(super) format: Option<Box<dyn RowFormat>>,
    /// The conditions on input rows.
    pub(super) filter: Filter,
    /// The conditions on expanded rows.
    pub(super) filter_of_expanded: Filter,
    pub(super) columns: Vec<Column>,
    /// Whether the run counts the values of those added columns whose values are from a fixed list: see [`count_words`].
    pub(super) has_words: bool,
    pub(super) marks: Option<Arc<dyn Marks>>,
    pub(super) expansion: Option<Arc<dyn Expand>>,
    /// The recipe of generated puzzles, if there is no input.
    pub(super) recipe: Option<Recipe>,
    pub(super) settings: Settings,
    pub(super) scoring: Option<Scoring>,
    pub(super) plan: FactPlan,
    pub(super) question: Question,
    pub(super) level: Level,
    pub(super) cancel: Arc<AtomicBool>,
}

impl Shared {
    /// Returns the conditions that decide which rows of an input are written.
    pub(super) fn choice(&self, input: usize) -> Choice<'_> {
        let filter = (!self.filter.is_empty()).then_some(&self.filter as &dyn RowFilter);
        Choice { filter, marks: self.marks.as_deref(), input }
    }
}

/// Parses, answers and formats blocks. One for each thread.
pub(super) struct BlockWorker {
    pub(super) shared: Arc<Shared>,
    /// Generates puzzles, if there is no input.
    pub(super) maker: Option<Maker>,
    pub(super) answerer: Answerer,
    /// Makes the forms of rows. `None` if rows are not transformed, or if they are passed to a function.
    pub(super) form_maker: Option<FormMaker>,
    /// Formats rows. `None` if rows are passed to a function.
    pub(super) formatter: Option<Box<dyn RowFormatter>>,
    pub(super) sealer: Sealer,
}

/// Makes formatted rows ready for the sink.
pub(super) struct Sealer {
    compressor: Compressor,
    /// A buffer for the compressed text.
    spare: Vec<u8>,
    has_digests: bool,
}

impl Sealer {
    /// Compresses the text of a piece, unless the text is empty. If digests are needed, computes the digest of the compressed text.
    fn seal(&mut self, output: &mut OutputPiece) -> io::Result<()> {
        if !output.text.is_empty() {
            self.compressor.compress(&mut output.text, &mut self.spare)?;
        }
        if self.has_digests {
            output.digest = Digest::from_bytes(&output.text);
        }
        Ok(())
    }
}

impl BlockWorker {
    pub(super) fn new(
        shared: &Arc<Shared>,
        solver: &dyn SolverFactory,
        compression: Compression,
    ) -> Result<BlockWorker, RunError> {
        let context = FactContext::new(shared.level, Arc::clone(&shared.cancel), shared.settings.clone());
        let solver = shared.plan.has_outcome().then(|| solver.build(shared.level)).transpose()?;
        let (finder, transform) = match &shared.expansion {
            Some(expansion) => (expansion.finder(shared.level, &shared.cancel)?, expansion.transform()),
            None => (None, None),
        };
        let mut answerer = Answerer::new(solver, finder, shared.level);
        answerer.prepare(&shared.plan, &context)?;
        Ok(BlockWorker {
            shared: Arc::clone(shared),
            answerer,
            maker: match &shared.recipe {
                Some(Recipe { plan, seed }) => {
                    Some(Maker::new(plan, *seed, shared.level, Arc::clone(&shared.cancel))?)
                }
                None => None,
            },
            form_maker: transform
                .filter(|_| shared.format.is_some())
                .map(|transform| FormMaker::new(transform, &shared.layout, shared.has_columns)),
            formatter: shared
                .format
                .as_ref()
                .map(|format| format.formatter())
                .transpose()
                .map_err(RunError::Compression)?,
            sealer: Sealer {
                compressor: compression.compressor().map_err(RunError::Compression)?,
                spare: Vec::new(),
                has_digests: shared.is_resumable,
            },
        })
    }

    /// Finds the first row with something that the output has no place for: text around its puzzle, or a JSON member. Removes this row and
    /// all later ones, and returns the error.
    pub(super) fn refuse_unplaced(&mut self, block: &Block) -> Option<SourceError> {
        let Shared { inputs, layout, format, has_columns, .. } = &*self.shared;
        let parsed = &mut self.answerer.answers.parsed;
        let first = parsed.unplaced?;
        let format = format.as_ref().filter(|_| *has_columns)?;
        let (input, rows) = (&inputs[block.input], &parsed.rows);
        let (row, error) = match layout.rows().row_text() {
            RowText::Object => rows.iter().enumerate().skip(first).find_map(|(at, row)| {
                let text = &block.bytes[row.text.start as usize..row.text.end as usize];
                let is_lost = |name: &String| format.member_place(name) != MemberPlace::Kept;
                let name = layout.rows().new_names(text).into_iter().find(is_lost)?;
                let is_added = format.member_place(&name) == MemberPlace::Taken;
                let (input, line) = (input.clone(), row.line);
                Some((at, SourceError::UnplacedMember { input, line, name, is_added }))
            })?,
            _ => {
                let (line, format) = (rows[first].line, layout.format());
                (first, SourceError::UnplacedWords { input: input.clone(), line, format: format.name() })
            }
        };
        parsed.truncate(row);
        Some(error)
    }

    /// If rows are missing because of a fault, ends the piece before the first missing row. If the piece ends earlier anyway, the fault is
    /// removed from the slot, because a later piece of the block reports it.
    pub(super) fn cut_piece(&self, slot: &mut Slot) {
        let (Some(piece), Some(_)) = (&mut slot.piece, &slot.fault) else { return };
        let rows = self.answerer.answers.parsed.rows.len();
        let end = FormAt { row: rows, form: 0 };
        if piece.to.row < rows {
            slot.fault = None;
        } else {
            piece.to = end;
            piece.from = if piece.from.row < rows { piece.from } else { end };
        }
    }

    /// Generates the puzzles of a block and the rows for them. If a puzzle was not found, returns the reason. Otherwise returns `None`,
    /// also after an interrupt.
    pub(super) fn make(&mut self, block: &mut Block) -> Option<SourceError> {
        let (numbers, maker) = (block.made.clone()?, self.maker.as_mut()?);
        let mut made = Vec::new();
        let ended = maker.make(numbers, &mut made);
        write_rows(&made, &mut block.bytes);
        let weights = &mut self.answerer.answers.weights;
        weights.clear();
        weights.extend(made.iter().map(|made| made.weight));
        ended.err().map(SourceError::NotMade)
    }

    /// Returns the first generated row whose solution is wrong or whose puzzle does not meet the request, and the error for this row.
    pub(super) fn wrong_made(&self, block: &Block) -> Option<(usize, SourceError)> {
        let (numbers, recipe) = (block.made.as_ref()?, self.shared.recipe.as_ref()?);
        let Answers { parsed, outcomes, .. } = &self.answerer.answers;
        let is_wrong = |(puzzle, outcome): (&Puzzle, &Outcome)| {
            let is_valid = outcome.solution.is_none_or(|solution| solution.check(puzzle).is_ok());
            !is_valid || !recipe.plan.accepts(puzzle, outcome)
        };
        let row = parsed.puzzles.iter().zip(outcomes).position(is_wrong)?;
        let (number, puzzle) = (numbers.start + row as u64, parsed.puzzles[row]);
        Some((row, SourceError::MadeWrong { number, puzzle }))
    }

    /// Answers the wanted rows of a block. If an interrupt or a fault ends the run in this block, only the rows before that point are kept.
    pub(super) fn answer(&mut self, slot: &mut Slot) {
        let BlockWorker { shared, answerer, .. } = self;
        let wanted = slot.piece.map_or(slot.block.done..usize::MAX, |piece| piece.from.row..piece.to.row);
        let choice = shared.choice(slot.block.input);
        slot.cut = !answerer.answer(&shared.question, wanted, choice, &mut slot.tally);
        slot.forms = slot.piece.map_or(0, |piece| piece.to.form);
        if slot.cut
            && let Some(piece) = &slot.piece
        {
            // An interrupted piece is dropped as a whole.
            answerer.answers.want_before(piece.from.row);
            slot.forms = piece.from.form;
        }
        if let Some((row, error)) = self.wrong_made(&slot.block) {
            self.answerer.answers.want_before(row);
            slot.fault = Some(error);
        }
    }
}

impl Worker<Slot, OutputPiece> for BlockWorker {
    fn work(&mut self, slot: &mut Slot, write_part: WritePart<'_>) {
        slot.tally = Tally::default();
        slot.times.clear();
        slot.notices.0.clear();
        slot.output.clear();
        let not_made = self.make(&mut slot.block);
        self.shared.layout.parse(&mut slot.block, &mut self.answerer.answers.parsed);
        slot.fault = not_made.or_else(|| self.refuse_unplaced(&slot.block));
        self.cut_piece(slot);
        let BlockWorker { shared, answerer, .. } = self;
        if let Some(scoring) = &shared.scoring {
            scoring.read(&slot.block.bytes, &mut answerer.answers);
        }
        self.answer(slot);
        let BlockWorker { shared, answerer, form_maker, formatter, sealer, .. } = self;
        let expanded_filter = &shared.filter_of_expanded;
        let rows = OutputRows {
            block: &slot.block,
            piece: slot.piece,
            is_cut: slot.cut,
            answerer,
            form_maker: form_maker.as_mut(),
            question: &shared.question,
            choice: shared.choice(slot.block.input),
            expanded_filter: (!expanded_filter.is_empty()).then_some(expanded_filter as &dyn RowFilter),
            tally: &mut slot.tally,
            times: &mut slot.times,
            notices: &mut slot.notices,
        };
        match formatter {
            Some(formatter) => {
                let mut not_compressed = None;
                formatter.format(rows, &mut slot.output, &mut |part| {
                    match sealer.seal(part) {
                        Ok(()) if not_compressed.is_none() => write_part(part),
                        Ok(()) => (),
                        Err(error) => not_compressed = Some(error),
                    }
                    part.clear();
                });
                slot.not_compressed = not_compressed.or_else(|| sealer.seal(&mut slot.output).err());
                self.count_words(slot);
                self.count_scores(slot);
                self.digest(slot);
            }
            None => {
                rows.each(|_| ());
                self.count_scores(slot);
                let BlockWorker { answerer, .. } = self;
                std::mem::swap(&mut slot.answers, &mut answerer.answers);
            }
        }
    }
}

impl BlockWorker {
    /// Counts how often each value occurs in the added columns whose values are from a fixed list, over all rows of the block, written or
    /// not.
    fn count_words(&self, slot: &mut Slot) {
        let BlockWorker { shared, answerer, .. } = self;
        if shared.has_words {
            let rows = answerer.answers.answered_block(&slot.block, shared.choice(slot.block.input));
            rows.all_rows().for_each(|row| count_words(&shared.columns, &row, &mut slot.tally));
        }
    }

    /// Adds up the scores of all rows of the block, written or not.
    fn count_scores(&self, slot: &mut Slot) {
        slot.scores = Scores::default();
        if let Some(scoring) = &self.shared.scoring {
            let rows =
                self.answerer.answers.answered_block(&slot.block, self.shared.choice(slot.block.input));
            slot.scores = scoring.count(rows.all_rows());
        }
    }

    /// If the run can be resumed, computes the digest of the block's input.
    pub(super) fn digest(&mut self, slot: &mut Slot) {
        let Slot { block, .. } = slot;
        if !self.shared.is_resumable {
            return;
        }
        // Generated rows have no input, so no digest of an input is needed.
        if block.made.is_some() {
            return;
        }
        // Typed rows are not read from a text, so a resumed run compares whole input files. A file from a pipe is compared by its digest.
        // This digest is added once, with the first piece of the first block of the file.
        if let Some(piped) = block.piped() {
            slot.read = if slot.piece.is_none_or(|piece| piece.is_first) { piped } else { Digest::default() };
            return;
        }
        // A block with an overlong record has no puzzle, so an interrupt leaves nothing unfinished in it.
        let is_cut = (slot.cut || slot.fault.is_some()) && block.overlong.is_none();
        let answers = &self.answerer.answers;
        let rows = &answers.parsed.rows;
        let end_before = |row: usize| row.checked_sub(1).map_or(0, |last| rows[last].text.end as usize);
        let start = match slot.piece {
            Some(piece) if !piece.is_first => end_before(piece.from.row),
            _ => block.read_before,
        };
        let end = match slot.piece {
            Some(piece) if slot.cut => end_before(piece.from.row),
            Some(piece) if piece.to.row < rows.len() || is_cut => end_before(piece.to.row),
            None if is_cut => answers.end_of_wanted(),
            _ => block.bytes.len(),
        };
        slot.read = Digest::from_bytes(&block.bytes[start.min(end)..end]);
    }
}
