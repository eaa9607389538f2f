//! Solves the puzzles of a table with several threads.
//!
//! ```text
//! rows   divided into pieces, whose number and boundaries depend only on the number of rows and on the solver
//! piece  taken by the next free thread: read, solved, checked by the referee, compared, written to its part of the columns
//! ```

use std::fmt;
use std::iter::Enumerate;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec;

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use rayon::ThreadPool;
use sudobench_rows::columns::{self, Column};
use sudobench_rows::internals::{Answerer, Choice, FactContext, FactPlan, Settings, Times};
use sudobench_rows::pipeline::{self, ThreadsError};
use sudobench_rows::{Isomorphs, Tally};
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solver::Variant;
use sudobench_sudoku::{Question, Solver};

use super::added::{AddedColumns, AddedPart};
use super::layout::parse;
use super::memory::Spare;
use super::puzzles::Puzzles;

/// Solvers on their own threads, which are reused for later tables.
pub struct TableSolver {
    variant: Variant,
    level: Level,
    batch_size: usize,
    pool: ThreadPool,
    idle: Mutex<Vec<Worker>>,
    /// Memory of dropped answers, which is reused for the answers to later tables.
    spare: Arc<Spare>,
}

/// The answers to a table.
#[derive(Debug)]
pub struct Solved {
    /// The requested columns.
    pub arrays: Vec<ArrayRef>,
    /// Number of rows with each status, and other counts.
    pub tally: Tally,
}

/// Reasons why a table can't be solved.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The solver cannot be built.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// For example, the answers are too large for their arrays, or the table lacks the expected columns.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
    /// The numbers of expected solutions and of puzzles differ.
    #[error("{expected} expected solutions for {puzzles} puzzles: give one for each puzzle")]
    Lengths {
        /// Number of puzzles.
        puzzles: usize,
        /// Number of expected solutions.
        expected: usize,
    },
    /// [`Question::cancel`] became true.
    #[error("interrupted")]
    Interrupted,
}

/// The state of one thread.
struct Worker {
    answerer: Answerer,
    /// The expected solutions of a piece.
    expected: Vec<u8>,
    times: Times,
}

impl TableSolver {
    /// Starts this number of threads, for solvers of a variant with this SIMD level.
    ///
    /// # Errors
    /// [`TableError::Level`] and [`TableError::Threads`].
    pub fn new(variant: &Variant, level: Level, threads: NonZeroUsize) -> Result<TableSolver, TableError> {
        let solver = variant.build(level)?;
        Ok(TableSolver {
            variant: *variant,
            level,
            batch_size: solver.batch_size(),
            pool: pipeline::pool(threads.get())?,
            idle: Mutex::new(vec![Worker::new(solver, level)]),
            spare: Arc::default(),
        })
    }

    /// Answers `question` for all puzzles. Returns the values of `columns`. Except for times, these don't depend on the number of threads.
    /// `expected` has the expected solution of each puzzle, in the same order. If the question's cancel flag becomes true, no answers are
    /// returned.
    ///
    /// # Errors
    /// [`TableError`]. [`TableError::Arrow`] is also returned if a column returns an index outside its fixed list of values.
    pub fn solve(
        &self,
        puzzles: &Puzzles,
        expected: Option<&Puzzles>,
        question: &Question,
        columns: &[Column],
    ) -> Result<Solved, TableError> {
        self.solve_over(puzzles, expected, question, Isomorphs::DEFAULT, columns, &AtomicU64::new(0))
    }

    /// Like [`TableSolver::solve`], but `isomorphs` sets the random forms of each puzzle over which the column `guesses` is averaged. Adds
    /// the number of finished rows to `done`.
    ///
    /// # Errors
    /// [`TableError`]. [`TableError::Arrow`] is also returned if a column returns an index outside its fixed list of values.
    pub fn solve_over(
        &self,
        puzzles: &Puzzles,
        expected: Option<&Puzzles>,
        question: &Question,
        isomorphs: Isomorphs,
        columns: &[Column],
        done: &AtomicU64,
    ) -> Result<Solved, TableError> {
        if let Some(expected) = expected.map(Puzzles::len).filter(|&expected| expected != puzzles.len()) {
            return Err(TableError::Lengths { puzzles: puzzles.len(), expected });
        }
        let rows = piece_size(puzzles.len(), self.batch_size);
        let mut added = AddedColumns::new(columns, puzzles.solutions(), puzzles.len(), rows, &self.spare)?;
        let parts = added.parts();
        let is_one = parts.len() <= 1;
        let cancel = question.cancel.clone().unwrap_or_default();
        let context = FactContext::new(self.level, cancel, Settings::default().with(isomorphs));
        let work = Work {
            puzzles,
            expected,
            question,
            context,
            plan: columns::facts(columns),
            level: self.level,
            rows,
            parts: Mutex::new(parts.into_iter().enumerate()),
            tally: Mutex::default(),
            done,
        };
        match is_one {
            // A single piece is solved on this thread, because no other thread is needed.
            true => self.take_part(&work)?,
            false => self.pool.broadcast(|_| self.take_part(&work)).into_iter().collect::<Result<(), _>>()?,
        }
        let tally = work.tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Solved { arrays: added.into_arrays()?, tally })
    }

    /// Answers pieces until all pieces are taken, or until the work is cancelled.
    fn take_part(&self, work: &Work) -> Result<(), TableError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = match idle {
            Some(worker) => worker,
            None => Worker::new(self.variant.build(self.level)?, self.level),
        };
        worker.answerer.prepare(&work.plan, &work.context)?;
        let mut tally = Tally::default();
        while let Some((number, mut part)) = work.next()
            && !work.is_cancelled()
        {
            worker.answer(work, number, &mut part, &mut tally);
            work.done.fetch_add(work.rows_of(number).len() as u64, Ordering::Relaxed);
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        work.tally.lock().unwrap_or_else(PoisonError::into_inner).merge(&tally);
        // If the work is cancelled, some pieces may be incomplete. It is not known which pieces these are, so all answers are dropped.
        if work.is_cancelled() { Err(TableError::Interrupted) } else { Ok(()) }
    }
}

impl fmt::Debug for TableSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableSolver")
            .field("variant", &self.variant.name)
            .field("level", &self.level)
            .field("threads", &self.pool.current_num_threads())
            .finish_non_exhaustive()
    }
}

/// The data shared by all threads.
struct Work<'w> {
    puzzles: &'w Puzzles<'w>,
    expected: Option<&'w Puzzles<'w>>,
    question: &'w Question,
    context: FactContext,
    plan: FactPlan,
    level: Level,
    /// Number of rows of a piece.
    rows: usize,
    parts: Mutex<Enumerate<vec::IntoIter<AddedPart<'w>>>>,
    tally: Mutex<Tally>,
    done: &'w AtomicU64,
}

impl<'w> Work<'w> {
    /// Takes the first piece that no thread has taken yet. Returns its number, and the part of the added columns for its answers; `None` if
    /// all pieces are taken.
    fn next(&self) -> Option<(usize, AddedPart<'w>)> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).next()
    }

    fn rows_of(&self, number: usize) -> Range<usize> {
        number * self.rows..((number + 1) * self.rows).min(self.puzzles.len())
    }

    fn is_cancelled(&self) -> bool {
        self.question.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::SeqCst))
    }
}

impl Worker {
    fn new(solver: Box<dyn Solver>, level: Level) -> Worker {
        Worker {
            answerer: Answerer::new(Some(solver), None, level),
            expected: Vec::new(),
            times: Times::default(),
        }
    }

    fn answer(&mut self, work: &Work, number: usize, part: &mut AddedPart, tally: &mut Tally) {
        let Worker { answerer, expected, times } = self;
        let rows = work.rows_of(number);
        let line = rows.start as u64 + 1;
        let parsed = &mut answerer.answers.parsed;
        parsed.clear();
        let is_plain = work.expected.is_none() && work.puzzles.push_plain(rows.clone(), &mut parsed.puzzles);
        if !is_plain {
            parse(work.puzzles, work.expected, rows.clone(), line, expected, parsed);
        }
        if !answerer.answer(work.question, 0..rows.len(), Choice::default(), tally) {
            return;
        }
        let answers = &mut answerer.answers;
        if is_plain {
            // A plain row (a valid puzzle, without an expected solution) has a note only if the referee rejects its solution. So plain rows
            // are filled together, and not checked for notes one by one. Checking each row would take a fifth of the solving time.
            let filled = match answers.has_refused() {
                true => 0,
                false => part.put_plain(answers, line, work.level, tally),
            };
            if filled == rows.len() {
                return;
            }
            // The remaining rows, which `put_plain` did not fill, are checked one by one.
            parse(work.puzzles, None, rows.clone(), line, expected, &mut answers.parsed);
            answers.want(filled..rows.len(), false);
        }
        times.clear();
        answerer.judge(expected, work.question, Choice::default(), (tally, times), |row| part.put(row));
    }
}

/// Returns the number of rows of each piece. The counters of a puzzle depend on the other puzzles in its batch. So that the counters are
/// the same for any number of threads, the size of pieces depends only on the number of rows and the solver. There are enough pieces for
/// many threads, unless the pieces would be smaller than a useful batch. At the end of each piece, some lanes of the solver are empty. If
/// there are many rows, a piece therefore consists of several batches.
fn piece_size(rows: usize, batch_size: usize) -> usize {
    const PIECES: usize = 64;
    const LEAST: usize = 512;
    const BATCHES: usize = 4;
    (rows / PIECES).clamp(LEAST, (BATCHES * batch_size).max(LEAST))
}
