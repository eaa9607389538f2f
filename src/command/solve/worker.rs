//! What happens to a block of puzzles: parsed, solved, refereed, compared, measured, formatted.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use sudobench_batch::pipeline::{Reader, Worker};
use sudobench_batch::sink::{AnsweredRow, Format, Note};
use sudobench_batch::source::{Block, Layout, Row, Rows, Source};
use sudobench_batch::{Latency, Tally};
use sudobench_sudoku::puzzle::{Puzzle, RefereeError, Solution};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Outcome, Question, Solver, Status, referee};

/// A block on its way: the input and the output. Its buffers are used again and again. What lies between belongs
/// to the workers, who are fewer than the slots.
#[derive(Debug, Default)]
pub(super) struct Slot {
    block: Block,
    /// The output rows.
    pub(super) text: Vec<u8>,
    /// Counts of these rows.
    pub(super) tally: Tally,
    /// Rows that deserve a word on standard error: the first few of each kind.
    pub(super) notices: Vec<Notice>,
    /// Whether the run was interrupted in this block: later ones must not be written.
    pub(super) cut: bool,
    /// Bytes of input read so far, and in all where that is known.
    pub(super) progress: (u64, Option<u64>),
}

/// A row that deserves a word on standard error.
#[derive(Clone, Debug)]
pub(super) struct Notice {
    pub(super) kind: NoticeKind,
    /// Index of the input.
    pub(super) input: usize,
    /// Line in that input, from 1.
    pub(super) line: u64,
    /// What is wrong.
    pub(super) text: String,
}

/// Bytes that the default columns add to a row: a solution, a status and what separates them.
const TYPICAL_ADDITION: usize = 96;

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoticeKind {
    Malformed,
    Mismatch,
    Refused,
}

impl NoticeKind {
    pub(super) const ALL: [NoticeKind; 3] =
        [NoticeKind::Malformed, NoticeKind::Mismatch, NoticeKind::Refused];
    /// Notices of a kind that are worth reading; the count of all is in the tally.
    pub(super) const SHOWN: usize = 5;
}

/// The source as the pipeline's reader.
pub(super) struct SourceReader<'s>(pub(super) &'s mut Source);

impl Reader<Slot> for SourceReader<'_> {
    fn fill(&mut self, slot: &mut Slot) -> anyhow::Result<ControlFlow<()>> {
        let buffer = std::mem::take(&mut slot.block.bytes);
        let Some(block) = self.0.next_block(buffer)? else { return Ok(ControlFlow::Break(())) };
        slot.block = block;
        slot.progress = self.0.progress();
        Ok(ControlFlow::Continue(()))
    }
}

/// Solves blocks: one for each worker thread.
pub(super) struct SolveWorker {
    pub(super) level: Level,
    pub(super) solver: Box<dyn Solver>,
    pub(super) question: Question,
    pub(super) layout: Arc<Layout>,
    pub(super) format: Arc<Format>,
    pub(super) interrupted: Arc<AtomicBool>,
    /// The latencies of all blocks of this worker.
    pub(super) latency: Latency,
    /// The rows of the block under work, and what became of its puzzles.
    pub(super) rows: Rows,
    pub(super) outcomes: Vec<Outcome>,
}

impl Worker<Slot> for SolveWorker {
    fn work(&mut self, slot: &mut Slot) {
        slot.text.clear();
        slot.notices.clear();
        slot.tally = Tally::default();
        self.layout.parse(&slot.block, &mut self.rows);
        self.outcomes.clear();
        self.outcomes.resize(self.rows.puzzles.len(), Outcome::ABORTED);
        let start = Instant::now();
        self.solver.solve_batch(&self.rows.puzzles, &self.question, &mut self.outcomes);
        slot.tally.solving_ns = sudobench_sudoku::nanoseconds(start.elapsed());
        self.write_rows(slot);
    }
}

impl SolveWorker {
    fn write_rows(&mut self, slot: &mut Slot) {
        slot.cut = self.interrupted.load(Ordering::SeqCst);
        let Slot { block, text, tally, notices, cut, .. } = slot;
        let SolveWorker { level, rows, outcomes, question, latency, format, .. } = self;
        let all_stand = referee::all_stand(*level, &rows.puzzles, outcomes);
        // What the default columns need, so that the text does not grow by doubling: memory is counted in blocks.
        text.reserve_exact(block.bytes.len() + rows.rows.len() * TYPICAL_ADDITION);
        let mut answers = rows.puzzles.iter().zip(outcomes);
        for (index, row) in rows.rows.iter().enumerate() {
            let answered = if row.fault.is_none() { answers.next() } else { None };
            if index < block.done {
                continue;
            }
            // An interrupt gives up the puzzles under work: the output ends before the first of them.
            if *cut && answered.as_ref().is_some_and(|(_, outcome)| outcome.status == Status::Aborted) {
                return;
            }
            let (answered, note) = match answered {
                Some((puzzle, outcome)) => {
                    let fault = if all_stand { None } else { fault_of(puzzle, outcome) };
                    let note = judge(&block.bytes, row, (puzzle, fault), outcome, question, tally);
                    latency.record(outcome.elapsed_ns, outcome.status != Status::Aborted);
                    (Some((puzzle, &*outcome)), note)
                }
                None => {
                    tally.record_malformed();
                    (None, Note::None)
                }
            };
            let answer = AnsweredRow { block: &block.bytes, row, answered, note };
            add_notice(notices, block.input, &answer, question);
            format.write(&answer, text);
        }
    }
}

/// What the referee finds wrong with the solution of an outcome.
#[cold]
fn fault_of(puzzle: &Puzzle, outcome: &Outcome) -> Option<RefereeError> {
    outcome.solution.and_then(|solution| solution.check(puzzle).err())
}

/// Counts the answer, unless the referee has found a fault, and holds it against the expected solution.
#[inline]
fn judge(
    block: &[u8],
    row: &Row,
    (puzzle, fault): (&Puzzle, Option<RefereeError>),
    outcome: &mut Outcome,
    question: &Question,
    tally: &mut Tally,
) -> Note {
    if let Some(fault) = fault {
        *outcome = Outcome { status: Status::Aborted, solution: None, ..*outcome };
        tally.refused += 1;
        tally.record(outcome);
        return Note::Refused(fault);
    }
    tally.record(outcome);
    let Some(expected) = &row.expected else { return Note::None };
    if outcome.status == Status::Aborted {
        return Note::None;
    }
    let note = compare(&block[expected.start as usize..expected.end as usize], puzzle, outcome);
    tally.compared += 1;
    tally.mismatches += u64::from(is_mismatch(note, question));
    note
}

/// How the expected solution relates to the answer.
#[inline]
fn compare(expected: &[u8], puzzle: &Puzzle, outcome: &Outcome) -> Note {
    if outcome.solution.is_some_and(|solution| solution.text() == expected) {
        return Note::None;
    }
    let Ok(expected) = Solution::from_text(expected) else { return Note::ExpectedUnreadable };
    match (expected.check(puzzle), outcome.solution) {
        (Err(_), _) => Note::ExpectedWrong,
        (Ok(()), None) => Note::ExpectedExists,
        (Ok(()), Some(_)) => Note::ExpectedAnother,
    }
}

/// Whether the note tells of a mismatch. Where any solution was asked for, another one is as good.
fn is_mismatch(note: Note, question: &Question) -> bool {
    match note {
        Note::None | Note::Refused(_) => false,
        Note::ExpectedAnother => question.answer == sudobench_sudoku::solver::Answer::Smallest,
        Note::ExpectedUnreadable | Note::ExpectedWrong | Note::ExpectedExists => true,
    }
}

/// Adds a notice for a malformed row, a mismatch or a refused grid, if there are not enough of its kind.
fn add_notice(notices: &mut Vec<Notice>, input: usize, row: &AnsweredRow, question: &Question) {
    let kind = match (row.answered, row.note) {
        (None, _) => NoticeKind::Malformed,
        (_, Note::Refused(_)) => NoticeKind::Refused,
        (_, note) if is_mismatch(note, question) => NoticeKind::Mismatch,
        _ => return,
    };
    if notices.iter().filter(|notice| notice.kind == kind).count() < NoticeKind::SHOWN {
        notices.push(Notice { kind, input, line: row.row.line, text: row.note_text() });
    }
}
