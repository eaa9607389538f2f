//! The answered rows of a block.

use std::ops::Range;
use std::time::Instant;

use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::block_referee;
use sudobench_sudoku::{Answer, Outcome, Puzzle, Question, RefereeError, Solver, Status, nanoseconds};

use super::marks::Choice;
use super::row::{AnsweredRow, FoundItem, Note};
use crate::Tally;
use crate::expand::{Finder, Found};
use crate::facts::{FactBlock, Facts, Prediction, PuzzlesOfBlock};
use crate::latency::Times;
use crate::notice::{Notice, NoticeKind, Notices};
use crate::source::{Block, ParsedBlock, Row, read_solution};

/// The rows of a block with their computed values. An instance can be reused for the next block.
#[derive(Debug, Default)]
pub struct Answers {
    /// The parsed rows.
    pub parsed: ParsedBlock,
    /// The outcomes of the puzzles; empty if the puzzles were not solved.
    pub outcomes: Vec<Outcome>,
    /// Whether the referee accepts all solutions; `None` if it has not checked them yet.
    all_valid: Option<bool>,
    /// The prediction for each puzzle; empty if rows have none.
    pub(crate) predictions: Vec<Prediction>,
    facts: FactBlock,
    /// For each puzzle, whether its row is left out regardless of its facts. Empty if the marks leave out no rows
    /// [early](crate::Marks::leaves_out_early), or if the run computes no facts.
    left_out: Vec<bool>,
    /// For each puzzle from the first wanted row to the last parsed row, the puzzles or steps that were found. Shorter if the search was
    /// interrupted. Empty if the run has no finder.
    found: Vec<Found>,
    /// For each generated puzzle, its weight in a mean over all minimal puzzles; empty if the puzzles come from an input.
    pub(crate) weights: Vec<Option<f64>>,
    /// The mark of each wanted row; empty if the run has no marks.
    marks: Vec<Option<u64>>,
    /// The notes other than [`Note::None`], each with the index of its puzzle among the puzzles of the block. Sorted by this index.
    notes: Vec<(usize, Note)>,
    /// The rows to answer. The other rows may have been answered by an earlier run, for example.
    wanted: Range<usize>,
    /// Index of the first wanted puzzle among the puzzles of the block.
    first_puzzle: usize,
}

impl Answers {
    /// Solves the puzzles and adds the solving time to `tally`. Without a solver there are no outcomes.
    pub(super) fn solve(
        &mut self,
        solver: Option<&mut (dyn Solver + 'static)>,
        question: &Question,
        tally: &mut Tally,
    ) {
        let Answers { parsed, outcomes, all_valid, .. } = self;
        *all_valid = None;
        let Some(solver) = solver else { return outcomes.clear() };
        // Old outcomes need not be cleared, because the solver overwrites all of them.
        outcomes.resize(parsed.puzzles.len(), Outcome::ABORTED);
        let start = Instant::now();
        solver.solve_batch(&parsed.puzzles, question, outcomes);
        tally.solving_ns += nanoseconds(start.elapsed());
    }

    #[inline]
    pub(super) fn check_solutions(&mut self, level: Level) {
        if self.all_valid.is_none() {
            self.all_valid = Some(block_referee::all_valid(level, &self.parsed.puzzles, &self.outcomes));
        }
    }

    /// Returns whether the referee has refused a solution. Returns false if the referee has not checked the solutions yet.
    pub fn has_refused(&self) -> bool {
        self.all_valid == Some(false)
    }

    /// Computes the facts of the puzzles. Returns whether the facts are complete. If they are incomplete, because the run was
    /// cancelled, the wanted rows are limited to the rows before the first incomplete row.
    pub(super) fn compute(&mut self, facts: &mut Facts, choice: Choice) -> bool {
        self.left_out.clear();
        if choice.marks.is_some_and(|marks| marks.leaves_out_early()) && !facts.is_empty() {
            let rows = self.parsed.rows.iter().filter(|row| row.fault.is_none());
            self.left_out.extend(rows.map(|row| choice.leaves_out(row.line)));
        }
        let Answers { parsed, outcomes, left_out, predictions, facts: known, .. } = self;
        let all_valid = self.all_valid == Some(true);
        let block = PuzzlesOfBlock::new(&parsed.puzzles, outcomes, all_valid, left_out);
        let complete = facts.compute(&PuzzlesOfBlock { predictions, ..block }, known);
        complete == parsed.puzzles.len() || self.want_before_puzzle(complete)
    }

    /// Runs the finder on the puzzles from the first wanted row to the last parsed row. Returns whether the search is complete. If it is
    /// incomplete, because the run was cancelled, the wanted rows are limited to the rows before the first incomplete row.
    pub(super) fn find(&mut self, finder: &mut dyn Finder) -> bool {
        let Answers { parsed, outcomes, found, first_puzzle, .. } = self;
        found.clear();
        let first = *first_puzzle;
        let puzzles = &parsed.puzzles[first..];
        let outcomes = outcomes.get(first..).unwrap_or_default();
        finder.find(&PuzzlesOfBlock::new(puzzles, outcomes, self.all_valid == Some(true), &[]), found);
        let done = found.len();
        done == puzzles.len() || self.want_before_puzzle(first + done)
    }

    pub(super) fn take_found(&mut self) -> Vec<Found> {
        std::mem::take(&mut self.found)
    }

    /// Returns an upper bound of the number of output rows, if each row has only one form.
    pub(crate) fn rows_out(&self) -> usize {
        self.parsed.rows.len() + self.found.iter().map(|found| found.len()).sum::<usize>()
    }

    /// Sets the wanted rows to this range. If the run was interrupted, limits the range to the rows before the first puzzle that was given
    /// up.
    pub fn want(&mut self, wanted: Range<usize>, is_interrupted: bool) {
        let rows = &self.parsed.rows;
        let is_puzzle = |row: &&Row| row.fault.is_none();
        let end = wanted.end.min(rows.len());
        let start = wanted.start.min(end);
        self.first_puzzle = rows[..start].iter().filter(is_puzzle).count();
        self.wanted = start..end;
        if is_interrupted {
            let mut outcomes = self.outcomes[self.first_puzzle..].iter();
            let is_given_up = |row: &Row| {
                is_puzzle(&row) && outcomes.next().is_some_and(|outcome| outcome.status == Status::Aborted)
            };
            let given_up = rows[start..end].iter().position(is_given_up);
            self.want_before(given_up.map_or(end, |at| start + at));
        }
    }

    pub(crate) fn want_before(&mut self, row: usize) {
        self.wanted.end = row.clamp(self.wanted.start, self.wanted.end);
    }

    /// Limits the wanted rows to the rows before the puzzle with this number. Returns false, so that the caller can return this value to
    /// say that not all wanted rows are answered.
    fn want_before_puzzle(&mut self, puzzle: usize) -> bool {
        let puzzles = self.parsed.rows.iter().enumerate().filter(|(_, row)| row.fault.is_none());
        self.want_before(puzzles.map(|(at, _)| at).nth(puzzle).unwrap_or_default());
        false
    }

    /// Removes the solutions that the referee refuses, compares answers with expected solutions, counts the wanted rows, and passes each
    /// row that is kept to `each`.
    #[inline]
    pub(super) fn judge(
        &mut self,
        bytes: &[u8],
        question: &Question,
        choice: Choice,
        measures: (&mut Tally, &mut Times),
        mut each: impl FnMut(&AnsweredRow),
    ) {
        let (tally, times) = measures;
        self.notes.clear();
        self.marks.clear();
        let refused = if self.all_valid == Some(true) { Vec::new() } else { self.refuse() };
        let has_more = self.has_more();
        let mut at = self.first_puzzle;
        let rows = &self.parsed.rows[self.wanted.clone()];
        let Some(first) = rows.first() else { return };
        // Reused from puzzle to puzzle, because it is large and only a few fields change.
        let mut answered = AnsweredRow::bare(bytes, first);
        for row in rows {
            tally.restored += u64::from(row.is_restored);
            if row.fault.is_some() {
                answered = AnsweredRow::bare(bytes, row);
                tally.record_malformed();
            } else {
                (answered.row, answered.note) = (row, Note::None);
                (answered.puzzle, answered.outcome) = (self.parsed.puzzles.get(at), self.outcomes.get(at));
                if let (Some(puzzle), Some(outcome)) = (answered.puzzle, answered.outcome) {
                    let fault = if refused.is_empty() { None } else { fault_of(&refused, at) };
                    answered.note = judge(bytes, row, (puzzle, fault), outcome, question, tally);
                    times.record(outcome.elapsed_ns, outcome.status != Status::Aborted);
                    if answered.note != Note::None {
                        self.notes.push((at, answered.note));
                    }
                } else {
                    tally.unasked += 1;
                }
                if has_more {
                    (answered.facts, answered.puzzle_number) = (Some(&self.facts), at);
                    answered.found = found_at(&self.found, at, self.first_puzzle);
                    answered.weight = self.weights.get(at).copied().flatten();
                }
                at += 1;
            }
            if let Some(marks) = choice.marks {
                answered.mark = None;
                answered.mark = marks.mark(choice.input, &answered);
                if let Some(mark) = answered.mark {
                    tally.marked[marks.class(mark)] += 1;
                }
                self.marks.push(answered.mark);
            }
            match choice.keeps(&answered) {
                true => {
                    if let Some(FoundItem { all, .. }) = answered.found {
                        tally.found += all.len() as u64;
                        tally.incomplete += u64::from(!all.is_complete());
                    }
                    each(&answered);
                }
                false => tally.left_out += 1,
            }
        }
    }

    /// Returns whether there are computed values other than outcomes: facts, weights, or results of the finder.
    fn has_more(&self) -> bool {
        !(self.facts.is_empty() && self.found.is_empty() && self.weights.is_empty())
    }

    /// Removes the solutions that the referee refuses. Returns the reasons, each with the number of its puzzle.
    #[cold]
    fn refuse(&mut self) -> Vec<(usize, RefereeError)> {
        let Answers { parsed, outcomes, wanted, first_puzzle, .. } = self;
        let puzzles = parsed.rows[wanted.clone()].iter().filter(|row| row.fault.is_none()).count();
        let answered = parsed.puzzles.iter().zip(outcomes).enumerate();
        let refused = answered.skip(*first_puzzle).take(puzzles).filter_map(|(at, (puzzle, outcome))| {
            let fault = outcome.solution?.check(puzzle).err()?;
            *outcome = Outcome { status: Status::Aborted, solution: None, ..*outcome };
            Some((at, fault))
        });
        refused.collect()
    }

    /// Returns `row`, whose puzzle has the number `at` in the block, as an answered row: with the puzzle, its outcome and its facts, but
    /// without text.
    #[inline]
    pub fn plain_row<'a>(&'a self, at: usize, row: &'a Row) -> AnsweredRow<'a> {
        AnsweredRow {
            puzzle: self.parsed.puzzles.get(at),
            outcome: self.outcomes.get(at),
            facts: Some(&self.facts),
            puzzle_number: at,
            ..AnsweredRow::bare(&[], row)
        }
    }

    /// Returns the byte offset in the block at which the last wanted row ends; 0 if there is no wanted row.
    pub(crate) fn end_of_wanted(&self) -> usize {
        self.parsed.rows[self.wanted.clone()].last().map_or(0, |row| row.text.end as usize)
    }

    /// Adds notices about the wanted rows, up to the maximum number for each kind.
    pub(crate) fn add_notices(&self, block: &Block, notices: &mut Notices) {
        // Most blocks have no row with a notice, so their rows are not examined one by one.
        let malformed = self.parsed.rows.len() > self.parsed.puzzles.len();
        if self.notes.is_empty() && !malformed {
            return;
        }
        for row in self.answered_block(block, Choice::default()).all_rows() {
            let kind = match (row.puzzle, row.note) {
                (None, _) => NoticeKind::Malformed,
                (_, Note::Refused(_)) => NoticeKind::Refused,
                (_, note) if note.is_mismatch() => NoticeKind::Mismatch,
                _ => continue,
            };
            if notices.has_room(kind) {
                notices.0.push(Notice {
                    kind,
                    input: block.input,
                    line: row.row.line,
                    text: row.note_text(),
                });
            }
        }
    }

    pub(crate) fn answered_block<'a>(&'a self, block: &'a Block, choice: Choice<'a>) -> AnsweredBlock<'a> {
        AnsweredBlock { block, answers: self, choice }
    }
}

/// Consecutive answered rows of one input.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredBlock<'a> {
    block: &'a Block,
    answers: &'a Answers,
    choice: Choice<'a>,
}

impl<'a> AnsweredBlock<'a> {
    /// Returns the number of the input, from 0.
    pub fn input(&self) -> usize {
        self.block.input
    }

    /// Returns the rows in order, without those that the run leaves out.
    #[inline]
    pub fn rows(&self) -> impl Iterator<Item = AnsweredRow<'a>> + use<'a> {
        let choice = self.choice;
        self.all_rows().filter(move |row| choice.keeps(row))
    }

    /// Returns all rows in order, including the rows that the run leaves out.
    #[inline]
    pub(crate) fn all_rows(&self) -> impl Iterator<Item = AnsweredRow<'a>> + use<'a> {
        let Answers { parsed, outcomes, facts, found, weights, marks, notes, wanted, first_puzzle, .. } =
            self.answers;
        let block = &self.block.bytes[..];
        let mut at = *first_puzzle;
        let mut notes = notes.iter().peekable();
        parsed.rows[wanted.clone()].iter().enumerate().map(move |(number, row)| {
            let mark = marks.get(number).copied().flatten();
            if row.fault.is_some() {
                return AnsweredRow { mark, ..AnsweredRow::bare(block, row) };
            }
            let note = notes.next_if(|(puzzle, _)| *puzzle == at).map_or(Note::None, |(_, note)| *note);
            let (puzzle, outcome) = (parsed.puzzles.get(at), outcomes.get(at));
            let found = found_at(found, at, *first_puzzle);
            let weight = weights.get(at).copied().flatten();
            let puzzle_number = at;
            at += 1;
            AnsweredRow {
                puzzle,
                outcome,
                note,
                facts: Some(facts),
                puzzle_number,
                found,
                weight,
                mark,
                ..AnsweredRow::bare(block, row)
            }
        })
    }
}

/// Returns the puzzles or steps that were found for the puzzle with the number `puzzle`. The first entry of `found` belongs to the puzzle
/// with the number `first`.
fn found_at(found: &[Found], puzzle: usize, first: usize) -> Option<FoundItem<'_>> {
    found.get(puzzle - first).map(|all| FoundItem { all, number: 0 })
}

/// Returns why the referee refuses the solution of this puzzle. `refused` is sorted by the number of the puzzle.
#[cold]
fn fault_of(refused: &[(usize, RefereeError)], puzzle: usize) -> Option<RefereeError> {
    let found = refused.binary_search_by_key(&puzzle, |(puzzle, _)| *puzzle);
    found.ok().map(|at| refused[at].1)
}

/// Counts the answer. Then compares the answer with the row's expected solution, if there is one, unless the solver gave up or the referee
/// refused the answer.
#[inline(always)] // inlined, so that rows without a note (most rows) cost no function call
fn judge(
    block: &[u8],
    row: &Row,
    (puzzle, fault): (&Puzzle, Option<RefereeError>),
    outcome: &Outcome,
    question: &Question,
    tally: &mut Tally,
) -> Note {
    tally.record(outcome);
    if let Some(fault) = fault {
        tally.refused += 1;
        return Note::Refused(fault);
    }
    let Some(expected) = &row.expected else { return Note::None };
    if outcome.status == Status::Aborted {
        return Note::None;
    }
    tally.compared += 1;
    let expected = &block[expected.start as usize..expected.end as usize];
    if outcome.solution.as_ref().is_some_and(|solution| solution.equals_text(expected)) {
        return Note::None;
    }
    let note = compare(expected, puzzle, outcome, question);
    tally.mismatches += u64::from(note.is_mismatch());
    note
}

fn compare(expected: &[u8], puzzle: &Puzzle, outcome: &Outcome, question: &Question) -> Note {
    let Some(expected) = read_solution(expected) else { return Note::ExpectedUnreadable };
    if outcome.solution == Some(expected) {
        return Note::None;
    }
    match (expected.check(puzzle), outcome.solution) {
        (Err(_), _) => Note::ExpectedWrong,
        (Ok(()), None) => Note::ExpectedExists,
        (Ok(()), Some(_)) => Note::ExpectedAnother { is_as_good: question.answer == Answer::First },
    }
}
