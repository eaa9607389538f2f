//! Solves record batches with several threads.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use sudobench_rows::Isomorphs;
use sudobench_rows::OptionError;
use sudobench_rows::Verb;
use sudobench_rows::columns::{self, Column};
use sudobench_rows::source::{self, ColumnChoice, Input, SourceError};
use sudobench_rows::verbs::{CANONICAL, SOLVE};
use sudobench_sudoku::Question;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Variant};

use super::added::AddedColumns;
use super::layout::TableLayout;
use super::solver::{TableError, TableSolver};

/// Returns the batch with the columns `solution` and `status` added. The puzzle column is found in the same way as by [`BatchSolver`].
///
/// # Errors
/// [`Error`]. A row without a puzzle is not an error: its status is `malformed`.
pub fn solve(batch: &RecordBatch) -> Result<RecordBatch, Error> {
    BatchSolver::new(&Options::default())?.solve(batch)
}

/// Returns the batch with the column `canonical` added: the smallest of all equivalent forms of each puzzle. Two puzzles are equivalent if
/// and only if their canonical forms are equal. The puzzle column is found in the same way as by [`BatchSolver`].
///
/// ```
/// use std::sync::Arc;
///
/// use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let backwards: String = puzzle.chars().rev().collect();
/// let puzzles: ArrayRef = Arc::new(StringArray::from(vec![puzzle, &backwards]));
/// let forms = sudobench_tables::canonical(&RecordBatch::try_from_iter([("puzzle", puzzles)])?)?;
/// let forms = forms.column(1);
/// assert_eq!(forms.slice(0, 1).to_data(), forms.slice(1, 1).to_data());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error`]. A row without a puzzle is not an error: its form is null.
pub fn canonical(batch: &RecordBatch) -> Result<RecordBatch, Error> {
    BatchSolver::new(&Options::new(&CANONICAL))?.solve(batch)
}

/// Reasons why a batch cannot be solved.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The list of requested columns is invalid: see [`Options::columns`].
    #[error(transparent)]
    Columns(#[from] OptionError),
    /// No column with puzzles was found, or a column that the options name is missing or can't hold puzzles.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// For example, the threads can't be started, the answers are too large for their arrays, or the work was interrupted.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A batch of a stream has other columns than the first batch, or reading a stream failed.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
}

/// Options of a [`BatchSolver`], such as the columns, the question and the solver.
///
/// ```
/// use sudobench_tables::Options;
/// use sudobench_sudoku::Question;
///
/// let options = Options::default().columns("solution,note")?.question(Question::first()).puzzle_column("quizzes");
/// assert!(Options::default().columns("solution,time").is_err());
/// # Ok::<(), sudobench_tables::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The available columns.
    known: &'static [Column],
    columns: Vec<Column>,
    question: Question,
    variant: Variant,
    level: Level,
    threads: NonZeroUsize,
    isomorphs: Isomorphs,
    source: source::Options,
    done: Arc<AtomicU64>,
}

impl Default for Options {
    /// Returns the default options: the columns `solution` and `status`, proof of uniqueness, and the default solver on all cores.
    fn default() -> Options {
        Options::new(&SOLVE)
    }
}

impl Options {
    /// Returns options for the columns of a verb (a command such as `rate`). The other options are as in [`Options::default`]. A solver
    /// is used only for columns that need one.
    ///
    /// ```
    /// use sudobench_rows::verbs::{CANONICAL, CHECK, RATE};
    /// use sudobench_tables::Options;
    ///
    /// let options = Options::new(&CANONICAL).columns("canonical,transform,automorphisms,canonical_solution,note")?;
    /// let options = Options::new(&CHECK).columns("unique,minimal,redundant,count,cnt12095,automorphisms")?;
    /// let options = Options::new(&RATE).columns("difficulty,singles,locked,pairs,depth,backdoor,guesses,status,note")?;
    /// assert!(Options::new(&CANONICAL).columns("solution").is_err());
    /// assert!(Options::new(&CHECK).columns("solution").is_err());
    /// assert!(Options::new(&RATE).columns("canonical").is_err());
    /// # Ok::<(), sudobench_tables::Error>(())
    /// ```
    pub fn new(verb: &Verb) -> Options {
        Options {
            known: verb.columns,
            columns: verb.default.to_vec(),
            question: Question::unique(),
            variant: *solver::default_variant(),
            level: Level::widest(),
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            isomorphs: Isomorphs::DEFAULT,
            source: source::Options::default(),
            done: Arc::default(),
        }
    }

    /// Sets the columns to add, by name, separated by commas: names of the columns of the verb, or `all` or `none`.
    ///
    /// # Errors
    /// [`Error::Columns`] for an unknown or repeated name, for an empty list, and for `all` or `none` together with other names.
    pub fn columns(self, names: &str) -> Result<Options, Error> {
        Ok(Options { columns: columns::parse(names, self.known)?, ..self })
    }

    /// Sets the question about each puzzle. The question's cancel flag aborts the batch in progress; the error is
    /// [`TableError::Interrupted`].
    #[must_use]
    pub fn question(self, question: Question) -> Options {
        Options { question, ..self }
    }

    /// Sets the solver and its SIMD level.
    #[must_use]
    pub fn solver(self, variant: &Variant, level: Level) -> Options {
        Options { variant: *variant, level, ..self }
    }

    /// Sets the number of solver threads.
    #[must_use]
    pub fn threads(self, threads: NonZeroUsize) -> Options {
        Options { threads, ..self }
    }

    /// Sets how many random forms of each puzzle are made, and their seed. The column `guesses` of [`RATE`](sudobench_rows::verbs::RATE) is
    /// the mean over these forms.
    #[must_use]
    pub fn isomorphs(self, isomorphs: Isomorphs) -> Options {
        Options { isomorphs, ..self }
    }

    /// Sets a counter. While a batch is solved, the number of finished rows is added to this counter.
    #[must_use]
    pub fn done(self, done: Arc<AtomicU64>) -> Options {
        Options { done, ..self }
    }

    /// Sets the puzzle column, by its name or its number from 1. By default, the column is found by its name, or else by the content of the
    /// first rows.
    #[must_use]
    pub fn puzzle_column(mut self, column: impl Into<ColumnChoice>) -> Options {
        self.source.puzzle_column = Some(column.into());
        self
    }

    /// Sets whether to restore zeros that a spreadsheet removed from the start of texts.
    #[must_use]
    pub fn restore_zeros(mut self, restore_zeros: bool) -> Options {
        self.source.restore_zeros = restore_zeros;
        self
    }

    /// Sets the column of the expected solution that answers are compared with. By default, this column is found in the same way as the
    /// puzzle column.
    #[must_use]
    pub fn solution_column(mut self, column: impl Into<ColumnChoice>) -> Options {
        self.source.solution_column = Some(column.into());
        self
    }
}

/// Solves batches. Clones of a `BatchSolver` share its threads.
///
/// ```
/// use arrow_array::{ArrayRef, FixedSizeListArray, RecordBatch, UInt8Array};
/// use arrow_schema::{DataType, Field};
/// use std::sync::Arc;
/// use sudobench_tables::{BatchSolver, Options};
///
/// let solver = BatchSolver::new(&Options::default())?;
/// let field = Arc::new(Field::new("item", DataType::UInt8, false));
/// let cells = Arc::new(UInt8Array::from(vec![0; 3 * 81]));
/// let boards: ArrayRef = Arc::new(FixedSizeListArray::try_new(field, 81, cells, None)?);
/// let batch = RecordBatch::try_from_iter([("boards", boards)])?;
/// let solved = solver.solve(&batch)?;
/// assert_eq!(solved.column(1).data_type(), batch.column(0).data_type());
/// assert_eq!(solved.schema(), solver.schema(&batch)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BatchSolver {
    solver: Arc<TableSolver>,
    options: Options,
}

impl BatchSolver {
    /// Starts the threads.
    ///
    /// # Errors
    /// [`Error::Table`] if the CPU lacks the level, or threads can't be started.
    pub fn new(options: &Options) -> Result<BatchSolver, Error> {
        let solver = TableSolver::new(&options.variant, options.level, options.threads)?;
        Ok(BatchSolver::with_solver(Arc::new(solver), options))
    }

    /// Uses the threads and solvers of an existing [`TableSolver`]. The solver, the level and the threads of the
    /// options are ignored.
    pub fn with_solver(solver: Arc<TableSolver>, options: &Options) -> BatchSolver {
        BatchSolver { solver, options: options.clone() }
    }

    /// Returns the batch with the requested columns added.
    ///
    /// # Errors
    /// [`Error`]. A row without a puzzle is not an error: its status is `malformed`.
    pub fn solve(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let layout = self.layout(batch)?;
        self.solve_as(&layout, &self.schema_of(&layout), batch)
    }

    /// Returns the schema of the batch that [`BatchSolver::solve`] returns for this batch.
    ///
    /// # Errors
    /// [`Error::Source`] if no column holds puzzles, or if a column that the options name is missing or cannot hold puzzles.
    pub fn schema(&self, batch: &RecordBatch) -> Result<SchemaRef, Error> {
        Ok(self.schema_of(&self.layout(batch)?))
    }

    /// Returns an iterator over the batches of a stream, with the requested columns added. The first batches are read now, until a batch
    /// has a row. This batch decides which column holds the puzzles.
    ///
    /// # Errors
    /// [`Error::Source`] as for [`BatchSolver::schema`], [`Error::Arrow`] if the stream fails.
    pub fn stream<R: RecordBatchReader>(&self, batches: R) -> Result<SolvedBatches<R>, Error> {
        SolvedBatches::new(self, batches)
    }

    pub(super) fn layout(&self, batch: &RecordBatch) -> Result<TableLayout, Error> {
        Ok(TableLayout::new(&Input::Reader("the table".to_owned()), batch, &self.options.source)?)
    }

    pub(super) fn schema_of(&self, layout: &TableLayout) -> SchemaRef {
        Arc::new(AddedColumns::schema(&layout.schema, layout.puzzle_column, &self.options.columns))
    }

    pub(super) fn solve_as(
        &self,
        layout: &TableLayout,
        schema: &SchemaRef,
        batch: &RecordBatch,
    ) -> Result<RecordBatch, Error> {
        let (puzzles, expected) = layout.puzzles(batch)?;
        let Options { columns, question, isomorphs, done, .. } = &self.options;
        let solved =
            self.solver.solve_over(&puzzles, expected.as_ref(), question, *isomorphs, columns, done)?;
        let arrays = batch.columns().iter().cloned().chain(solved.arrays).collect();
        Ok(RecordBatch::try_new(Arc::clone(schema), arrays)?)
    }
}

/// The batches of a stream with their answers: see [`BatchSolver::stream`]. The iterator ends after an error.
#[derive(Debug)]
pub struct SolvedBatches<R> {
    solver: BatchSolver,
    layout: TableLayout,
    schema: SchemaRef,
    /// The batches that were read to find the puzzle column, and that the iterator has not returned yet.
    read: VecDeque<RecordBatch>,
    batches: R,
    has_failed: bool,
}

impl<R: RecordBatchReader> SolvedBatches<R> {
    pub(super) fn new(solver: &BatchSolver, mut batches: R) -> Result<SolvedBatches<R>, Error> {
        let mut read = VecDeque::new();
        let mut sample = RecordBatch::new_empty(batches.schema());
        while sample.num_rows() == 0
            && let Some(batch) = batches.next().transpose()?
        {
            sample = batch.clone();
            read.push_back(batch);
        }
        let layout = solver.layout(&sample)?;
        let schema = solver.schema_of(&layout);
        Ok(SolvedBatches { solver: solver.clone(), layout, schema, read, batches, has_failed: false })
    }
}

impl<R: RecordBatchReader> Iterator for SolvedBatches<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        if self.has_failed {
            return None;
        }
        let batch = self.read.pop_front().map(Ok).or_else(|| self.batches.next())?;
        let solved = batch.and_then(|batch| {
            let solved = self.solver.solve_as(&self.layout, &self.schema, &batch);
            solved.map_err(|error| ArrowError::ExternalError(Box::new(error)))
        });
        self.has_failed = solved.is_err();
        Some(solved)
    }
}

impl<R: RecordBatchReader> RecordBatchReader for SolvedBatches<R> {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}
