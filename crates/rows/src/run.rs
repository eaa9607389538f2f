//! The main job: rows in, the columns that were asked for out.
//!
//! ```text
//! Source -> block -> rows -> puzzles -> outcomes -> referee, expected solutions -> columns -> Sink
//!          (one worker at a time)   (all workers at once)                             (in order)
//! ```
//! Only what some column needs is computed. Every row in comes out as a row, in its order, unless the run keeps only
//! some; each solution has been accepted by the referee.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use sudobench_sudoku::generate::Maker;
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solver::{self, Variant};
use sudobench_sudoku::{Answer, Outcome, Puzzle, Question, nanoseconds};

use crate::answers::{AnsweredBlock, Answerer, Answers, Choice, Marks, RowFilter};
use crate::columns::{self, Column};
use crate::expand::{Expand, Expander};
use crate::facts::{FactContext, FactPlan, Isomorphs, Need, Ratings};
use crate::filter::Filter;
use crate::forms::{Cutter, FormAt, Former, Piece};
use crate::latency::Times;
use crate::notice::{Notice, Notices};
use crate::option_error::OptionError;
use crate::output_rows::OutputRows;
use crate::pass_error::PassError;
use crate::pipeline::{self, MOST_THREADS, Reader, ThreadsError, Worker, Writer};
use crate::resolved_job::{
    InputIdentity, InputState, LocalJob, ResolvedJob, ResolvedLayout, ResolvedRecipe, ResolvedSolving,
};
use crate::resume::StoredJob;
use crate::shard::{Shard, Span};
use crate::shard_record::ShardRecord;
use crate::sink::{
    Answered, Compression, Compressor, Destination, DestinationError, Existing, MemberPlace, OutputFormat,
    OutputPiece, Promise, RowFormat, RowFormatter, RowSink, Target,
};
use crate::source::{Block, BlockSize, Input, InputRead, Layout, Recipe, Source, SourceError, write_rows};
use crate::{Budget, Digest, Measures, Tally};

/// A run over all rows of a source: what is computed, on how many threads, and who is told of it.
///
/// ```
/// use sudobench_rows::{Run, Sink};
/// use sudobench_rows::source::{Options, Source};
///
/// let csv = "id,puzzle\n7,53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
/// let source = Source::from_reader("my rows", csv.as_bytes(), Options::default())?;
/// let mut solved = Vec::new();
/// let finished = Run::over(source).to(Sink::writer(&mut solved))?;
/// assert!(solved.starts_with(b"id,puzzle,solution,status\n7,53..7"));
/// assert!(solved.ends_with(b"345286179,unique\n"));
/// assert_eq!(finished.measures.tally.rows(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run<'r> {
    source: Source,
    variant: &'r Variant,
    level: Level,
    question: Question,
    columns: Vec<Column>,
    needs: Vec<Need>,
    grid: Column,
    filter: Filter,
    marks: Option<Arc<dyn Marks>>,
    expansion: Option<Arc<dyn Expand>>,
    isomorphs: Isomorphs,
    budgets: Vec<Budget>,
    threads: NonZeroUsize,
    cancel: Arc<AtomicBool>,
    progress: ProgressCall<'r>,
    prepare: Option<PrepareCall<'r>>,
    confirm: Option<ConfirmCall<'r>>,
    /// The part that is answered, and what the program says of itself in its record.
    shard: Option<(Shard, serde_json::Value)>,
}

type ProgressCall<'r> = Box<dyn FnMut(&Progress) + Send + 'r>;
type PrepareCall<'r> = Box<dyn FnOnce() -> Result<(), RunError> + Send + 'r>;
type ConfirmCall<'r> = Box<dyn FnOnce(&Tally) -> Result<(), RunError> + Send + 'r>;

/// Where a run stands. Told after each block that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Rows answered by this run.
    pub rows: u64,
    /// Rows that this run answers at most, where there is a limit.
    pub limit: Option<u64>,
    /// Stored (compressed) bytes of the inputs that were read, without those in which there was nothing to do.
    pub read: u64,
    /// Those of all inputs, where they are known.
    pub total: Option<u64>,
    /// Time since the start.
    pub elapsed: Duration,
}

impl Progress {
    /// The share of the work that is done, from 0 to 1: of the rows or of the bytes, whichever is nearer to its end, for
    /// the run ends there. `None` where nobody knows.
    pub fn share(&self) -> Option<f64> {
        let of = |done: u64, all: Option<u64>| all.map(|all| (done as f64 / all.max(1) as f64).min(1.0));
        of(self.rows, self.limit).into_iter().chain(of(self.read, self.total)).reduce(f64::max)
    }
}

/// Where answered rows go.
pub struct Sink<'s> {
    to: To<'s>,
    /// What was asked for; else a file's name says it.
    format: Option<OutputFormat>,
    sync: bool,
    /// Whether who is called looks at the text of rows.
    has_texts: bool,
}

enum To<'s> {
    Target(Target, Existing),
    Writer(Box<dyn Write + Send + 's>),
    Blocks(BlockCall<'s>),
}

type BlockCall<'s> = Box<dyn FnMut(&AnsweredBlock) -> ControlFlow<()> + Send + 's>;

impl<'s> Sink<'s> {
    /// A file, written as `FILE.partial` and renamed when it is whole. Its name says how rows are written and compressed:
    /// see [`Promise`]. One that exists is not touched: see [`Sink::target`].
    pub fn file(path: impl Into<PathBuf>) -> Sink<'s> {
        Sink::target(Target::File(path.into()), Existing::Refuse)
    }

    /// A file or standard output, and what to do where the file exists.
    pub fn target(target: Target, existing: Existing) -> Sink<'s> {
        Sink::new(To::Target(target, existing))
    }

    /// Anything that takes bytes; it is given whole rows.
    pub fn writer(writer: impl Write + Send + 's) -> Sink<'s> {
        Sink::new(To::Writer(Box::new(writer)))
    }

    /// A function that is called with each block of answered rows, in their order, on whichever thread is free. `Break`:
    /// later ones are not wanted.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use sudobench_rows::{Run, Sink};
    /// use sudobench_rows::source::{Options, Source};
    ///
    /// let lines = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\nno puzzle\n";
    /// let mut statuses = Vec::new();
    /// Run::over(Source::from_reader("my rows", lines.as_bytes(), Options::default())?).to(Sink::blocks(|block| {
    ///     statuses.extend(block.rows().map(|row| row.status()));
    ///     ControlFlow::Continue(())
    /// }))?;
    /// use sudobench_sudoku::Status;
    /// assert_eq!(statuses, [Some(Status::Unique), Some(Status::Malformed)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn blocks(call: impl FnMut(&AnsweredBlock) -> ControlFlow<()> + Send + 's) -> Sink<'s> {
        Sink::new(To::Blocks(Box::new(call)))
    }

    /// The same for who looks at puzzles alone: rows of a table have no text then.
    pub fn puzzles(call: impl FnMut(&AnsweredBlock) -> ControlFlow<()> + Send + 's) -> Sink<'s> {
        Sink { has_texts: false, ..Sink::blocks(call) }
    }

    fn new(to: To<'s>) -> Sink<'s> {
        Sink { to, format: None, sync: true, has_texts: true }
    }

    /// How rows are written; CSV unless it is said here or by a file's name. Without meaning for [`Sink::blocks`].
    #[must_use]
    pub fn format(self, format: OutputFormat) -> Sink<'s> {
        Sink { format: Some(format), ..self }
    }

    /// Whether a file has to reach the disk before the run is at its end, so that no power failure takes it away; it has
    /// to unless this is said.
    #[must_use]
    pub fn sync(self, sync: bool) -> Sink<'s> {
        Sink { sync, ..self }
    }

    /// Whether rows are written, not handed to a function.
    fn has_format(&self) -> bool {
        !matches!(self.to, To::Blocks(_))
    }

    /// Returns the format and the compression of rows of `layout`.
    fn promised(&self, layout: &Layout) -> Result<(OutputFormat, Compression), OptionError> {
        let To::Target(Target::File(path), _) = &self.to else {
            return Ok((self.format.unwrap_or_default(), Compression::None));
        };
        let promise = Promise::of(path)?;
        let format = promise.format(path, self.format)?;
        let delimiter = if let Layout::Csv(csv) = layout { csv.delimiter } else { b',' };
        promise.check_delimiter(path, format, delimiter)?;
        Ok((format, promise.compression))
    }
}

/// A run that came to its end, or was interrupted.
#[derive(Debug)]
pub struct Finished {
    /// What was measured: of the whole output, where it went on with an earlier run.
    pub measures: Measures,
    /// When it started, or the run that it went on with.
    pub started: SystemTime,
    /// How long it took, from the first byte read to the last one written, with the time of the run that it went on with.
    pub wall: Duration,
    /// The first rows of each kind that deserve a word.
    pub notices: Vec<Notice>,
    /// What was read of each input.
    pub inputs: Vec<InputRead>,
    /// The part of the inputs that was read, of a [shard](Run::shard).
    pub span: Option<Span>,
    /// Of the row behind those that are answered, the [forms](Run::expand) that are written already.
    pub forms: u64,
    /// Of the rows, those that an earlier run had answered.
    pub resumed_after: u64,
    /// Whether it was cancelled. Then the rows before the first that was given up are written.
    pub interrupted: bool,
    /// What is left of an output that is not whole: `FILE.partial`, to be gone on with.
    pub partial: Option<PathBuf>,
}

/// Why a run did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An input cannot be read, or not further.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The output cannot be written, or not further.
    #[error(transparent)]
    Destination(#[from] DestinationError),
    /// The solver cannot be built.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// What compresses the output cannot be made.
    #[error("cannot compress the output")]
    Compression(#[source] io::Error),
    /// The input has no column of which the filter has a condition.
    #[error(transparent)]
    Filter(#[from] OptionError),
    /// A pass before the one that writes failed.
    #[error(transparent)]
    Pass(#[from] PassError),
    /// What is done before the first row was interrupted.
    #[error("interrupted before the first row")]
    Interrupted,
    /// What is done before the first row failed.
    #[error(transparent)]
    Unprepared(Box<dyn Error + Send + Sync>),
    /// Something failed halfway. What was done until then is told.
    #[error("the run ended halfway")]
    Halfway {
        /// What failed.
        #[source]
        error: Box<RunError>,
        /// What was done.
        finished: Box<Finished>,
    },
}

impl<'r> Run<'r> {
    /// A run that solves all rows of `source` with the default solver, on all cores, for the columns `solution` and
    /// `status`.
    pub fn over(source: Source) -> Run<'r> {
        Run {
            source,
            variant: solver::default_variant(),
            level: Level::widest(),
            question: Question::unique(),
            columns: columns::SOLVE_DEFAULT.to_vec(),
            needs: Vec::new(),
            grid: columns::SOLUTION,
            filter: Filter::default(),
            marks: None,
            expansion: None,
            isomorphs: Isomorphs::DEFAULT,
            budgets: Vec::new(),
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            cancel: Arc::default(),
            progress: Box::new(|_| ()),
            prepare: None,
            confirm: None,
            shard: None,
        }
    }

    /// Who solves, with vectors of which level.
    #[must_use]
    pub fn solver(self, variant: &'r Variant, level: Level) -> Run<'r> {
        Run { variant, level, ..self }
    }

    /// What is asked of each puzzle.
    #[must_use]
    pub fn question(self, question: Question) -> Run<'r> {
        Run { question, ..self }
    }

    /// The columns to add, in their order.
    #[must_use]
    pub fn columns(self, columns: impl Into<Vec<Column>>) -> Run<'r> {
        Run { columns: columns.into(), ..self }
    }

    /// Adds facts to those that the columns need, for a function that is called with the rows.
    #[must_use]
    pub fn needs(self, needs: impl Into<Vec<Need>>) -> Run<'r> {
        Run { needs: needs.into(), ..self }
    }

    /// What the output formats `lines` and `npy` hold, which have no columns: the values of this one, of puzzles or solutions.
    #[must_use]
    pub fn grid(self, grid: Column) -> Run<'r> {
        Run { grid, ..self }
    }

    /// Who knows something of each row, and which are not to be written: those are answered and counted.
    #[must_use]
    pub fn marks(self, marks: Arc<dyn Marks>) -> Run<'r> {
        Run { marks: Some(marks), ..self }
    }

    /// Sets what each row with a puzzle becomes before it is written: several rows. A function that is called with blocks gets each row once,
    /// with all that was found for it; it gets no forms.
    #[must_use]
    pub fn expand(self, expansion: Arc<dyn Expand>) -> Run<'r> {
        Run { expansion: Some(expansion), ..self }
    }

    /// Over which forms of a puzzle the guesses are averaged that rate it.
    #[must_use]
    pub fn isomorphs(self, isomorphs: Isomorphs) -> Run<'r> {
        Run { isomorphs, ..self }
    }

    /// Sets which rows are written; the others are answered and counted all the same. If a row becomes several, conditions on the columns of
    /// these are tested for each of them.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Run<'r> {
        Run { filter, ..self }
    }

    /// The times that each puzzle is held against.
    #[must_use]
    pub fn budgets(self, budgets: impl Into<Vec<Budget>>) -> Run<'r> {
        Run { budgets: budgets.into(), ..self }
    }

    /// How many threads read, work and write in their turn, [`MOST_THREADS`] at most.
    #[must_use]
    pub fn threads(self, threads: NonZeroUsize) -> Run<'r> {
        Run { threads, ..self }
    }

    /// Ends the run with whole rows as soon as this becomes true; the puzzles under work are given up. A failure to write,
    /// and a function that breaks off, make it true as well, so that no solver goes on for nothing.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Run<'r> {
        Run { cancel, ..self }
    }

    /// Who is told where the run stands, after each block.
    #[must_use]
    pub fn progress(self, call: impl FnMut(&Progress) + Send + 'r) -> Run<'r> {
        Run { progress: Box::new(call), ..self }
    }

    /// What is to be done first, as soon as the output is open: no work is done for one that may not be written. Where it fails, an
    /// output of which there was nothing yet is given up.
    #[must_use]
    pub fn prepare(self, call: impl FnOnce() -> Result<(), RunError> + Send + 'r) -> Run<'r> {
        Run { prepare: Some(Box::new(call)), ..self }
    }

    /// Who is asked behind the last row, with the counts of all, whether the output may become whole.
    #[must_use]
    pub fn confirm(self, call: impl FnOnce(&Tally) -> Result<(), RunError> + Send + 'r) -> Run<'r> {
        Run { confirm: Some(Box::new(call)), ..self }
    }

    /// Where the rows come from.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Answers this part of the rows alone. A file is written with a record beside it, which says of the program that ran it what
    /// `description` says; see [`ShardRecord`].
    #[must_use]
    pub fn shard(self, shard: Shard, description: serde_json::Value) -> Run<'r> {
        Run { shard: Some((shard, description)), ..self }
    }

    /// Answers all rows.
    ///
    /// # Errors
    /// [`RunError`]: before anything is written where something cannot be opened or the solver cannot be built, else
    /// [`RunError::Halfway`].
    pub fn to(mut self, sink: Sink<'_>) -> Result<Finished, RunError> {
        if self.threads.get() > MOST_THREADS {
            // Each thread has a solver, so that not even the attempt is cheap.
            return Err(ThreadsError::TooMany(self.threads.get()).into());
        }
        // Puzzles that are made are not thrown away: to solve them takes no time beside that.
        self.question.cancel = self.source.recipe().is_none().then(|| Arc::clone(&self.cancel));
        let form = self.form(&sink)?;
        self.source.set_block_size(form.block_size());
        let layout = Arc::clone(self.source.layout());
        self.filter.find_input_columns(&layout)?;
        let format = form.format.set_up(&layout, &self.columns, self.grid, self.forms().is_some());
        let has_texts = if sink.has_format() { form.format.is_text() } else { sink.has_texts };
        self.source.set_texts(has_texts || self.filter.reads_input());
        if let Some((shard, _)) = &self.shard {
            self.source.restrict_to(*shard)?;
        }
        let (header, has_format, sync) = (format.header().to_owned(), sink.has_format(), sink.sync);
        let record = self.shard_record(&form, &header)?;
        let opened = self.open(sink, &form, &*format, record.as_ref());
        let (output, before) = opened.map_err(|error| compare_complete(error, record.as_ref()))?;
        let clock = Instant::now();
        if let Some(Err(error)) = self.prepare.take().map(|prepare| prepare()) {
            if before.tally.rows() == 0 {
                output.discard();
            }
            return Err(error);
        }
        let before = Answered { elapsed: before.elapsed + clock.elapsed(), ..before };
        let (filter, filter_of_expanded) = match self.expansion {
            Some(_) => self.filter.clone().split(),
            None => (self.filter.clone(), Filter::default()),
        };
        let shared = Arc::new(Shared {
            is_resumable: output.is_resumable(),
            inputs: self.source.inputs().to_vec(),
            layout,
            has_columns: form.format.has_columns(),
            format: has_format.then_some(format),
            filter,
            filter_of_expanded,
            marks: self.marks.clone(),
            expansion: self.expansion.clone(),
            recipe: self.source.recipe().cloned(),
            isomorphs: self.isomorphs,
            plan: form.plan.clone(),
            question: self.question.clone(),
            level: self.level,
            cancel: Arc::clone(&self.cancel),
        });
        let mut workers = (0..self.threads.get())
            .map(|_| BlockWorker::new(&shared, self.variant, form.compression))
            .collect::<Result<Vec<_>, RunError>>()?;
        let resumed_after = before.tally.rows();
        self.source.resume_after(resumed_after, before.read);
        let limit = self.source.rows_to_come();
        let forms = self.forms().unwrap_or(1);
        let done = before.forms;
        let cutter = (forms > 1 && has_format).then(|| Cutter::new(&shared.layout, forms, done));
        let mut writer = BlockWriter::new(&shared, output, before, &self.budgets, self.progress, limit);
        let begun = match header.is_empty() {
            true => Ok(()),
            false => writer.output.write_if_empty(header, form.compression),
        };
        let mut reader = BlockReader {
            source: &mut self.source,
            depends_on_cuts: depends_on_batch(&self.question, &form),
            cutter,
        };
        let piped = begun.and_then(|()| pipeline::run(&mut reader, &mut workers, &mut writer, &self.cancel));

        let is_cancelled = self.cancel.load(Ordering::SeqCst) || is_interrupted(&self.source);
        let interrupted = piped.is_ok() && !writer.broke_off && is_cancelled;
        let ended = piped.and_then(|()| match interrupted {
            true => Ok(()),
            // Not even an empty text is a compressed file of no bytes.
            false => writer.output.write_if_empty(Vec::new(), form.compression),
        });
        let ended = ended.and_then(|()| match self.confirm.take() {
            Some(confirm) if !interrupted => confirm(&writer.measures.tally),
            _ => Ok(()),
        });
        let answered = writer.answered();
        let BlockWriter { output, measures, notices, started, .. } = writer;
        let mut finished = Finished {
            measures,
            started,
            wall: answered.elapsed,
            notices: notices.0,
            inputs: self.source.inputs_read(),
            span: self.source.span().cloned(),
            forms: answered.forms,
            resumed_after,
            interrupted,
            partial: None,
        };
        let is_whole = ended.is_ok() && !interrupted;
        let record = record.zip(self.source.span()).map(|(record, span)| record.of_span(span));
        let left = output.end(is_whole, sync, record, answered).map(|partial| finished.partial = partial);
        match ended.and(left.map_err(RunError::from)) {
            Ok(()) => Ok(finished),
            Err(error) => Err(RunError::Halfway { error: Box::new(error), finished: Box::new(finished) }),
        }
    }

    /// The number of forms that each row with a puzzle becomes, if it becomes forms.
    fn forms(&self) -> Option<u64> {
        self.expansion
            .as_ref()
            .filter(|expansion| expansion.makes_forms())
            .map(|expansion| expansion.most().get())
    }

    /// What is known of a shard before it has read anything; `None` where all is read.
    fn shard_record(&self, form: &Form, header: &[u8]) -> Result<Option<ShardRecord>, RunError> {
        let Some((shard, description)) = &self.shard else { return Ok(None) };
        let mut header = header.to_owned();
        if !header.is_empty() {
            form.compression.compress(&mut header).map_err(RunError::Compression)?;
        }
        let job = as_json(&self.resolved(form)?)?;
        let (budgets, description) = (self.budget_labels(), description.clone());
        Ok(Some(ShardRecord::new(*shard, job, budgets, description, header.len() as u64)))
    }

    /// How the rows of this run come to be.
    fn form(&self, sink: &Sink) -> Result<Form, RunError> {
        let (format, compression) = sink.promised(self.source.layout()).map_err(DestinationError::from)?;
        let plan = self.plan(sink, format);
        let batch_size = if plan.has_outcome() { self.variant.build(self.level)?.batch_size() } else { 1 };
        let forms = self.expansion.as_ref().map_or(1, |expansion| expansion.most().get());
        // What is found stays in memory until it is written: a block has no more puzzles than that allows.
        let found = if self.forms().is_some() { 1 } else { forms };
        let batch_size = batch_size.div_ceil(usize::try_from(found).unwrap_or(usize::MAX));
        Ok(Form { format, compression, plan, batch_size, forms })
    }

    /// Returns the facts that the columns, the format and the choice of rows need.
    fn plan(&self, sink: &Sink, format: OutputFormat) -> FactPlan {
        let mut needs = self.needs.clone();
        needs.extend(self.columns.iter().flat_map(|column| column.needs));
        if sink.has_format() {
            needs.extend(format.needs(&self.grid));
        }
        // Each puzzle that was made is looked at before it is written.
        if self.source.recipe().is_some() {
            needs.push(Need::Outcome);
        }
        needs.extend(self.filter.needs());
        needs.extend(self.marks.iter().flat_map(|marks| marks.needs()));
        needs.extend(self.expansion.iter().flat_map(|expansion| expansion.needs()));
        FactPlan::new(needs)
    }

    /// Opens the output. What an earlier run has answered is told with it.
    fn open<'s>(
        &self,
        sink: Sink<'s>,
        form: &Form,
        format: &dyn RowFormat,
        record: Option<&ShardRecord>,
    ) -> Result<(Output<'s>, Answered), RunError> {
        // The header that is replaced at the end.
        let head = if form.format.needs_file() { format.header() } else { &[] };
        let (destination, checkpoint) = match sink.to {
            To::Target(target, existing) => {
                Destination::open(&target, existing, head, || self.stored_job(form, record))?
            }
            To::Writer(_) if !head.is_empty() => {
                return Err(DestinationError::NeedsFile("the output".to_owned()).into());
            }
            To::Writer(writer) => (Destination::stream("the output", writer), None),
            To::Blocks(call) => return Ok((Output::Call(call), Answered::default())),
        };
        let footer = checkpoint.as_ref().and_then(|checkpoint| checkpoint.footer.as_deref());
        let output = Output::Sink(format.open(destination, footer)?);
        Ok((output, checkpoint.map_or_else(Answered::default, |checkpoint| checkpoint.answered)))
    }

    /// Returns everything that decides the bytes of the output.
    fn resolved(&self, form: &Form) -> Result<ResolvedJob, SourceError> {
        // Without `..`: whoever adds a field decides here whether it belongs to the job.
        let Run {
            source,
            variant,
            level,
            question,
            columns,
            needs: _,
            grid,
            filter,
            marks,
            expansion,
            isomorphs,
            budgets: _,
            threads: _,
            cancel: _,
            progress: _,
            prepare: _,
            confirm: _,
            shard: _,
        } = self;
        let Form { format, compression, plan, batch_size: _, forms: _ } = form;
        let options = source.options();
        let solving = || ResolvedSolving {
            solver: variant.name.to_owned(),
            max_solutions: question.max_solutions,
            answer: match question.answer {
                Answer::Smallest => "smallest".to_owned(),
                Answer::First => "first".to_owned(),
            },
            max_nodes: question.max_nodes,
            max_time_per_puzzle: question.max_time.map(nanoseconds),
            simd: depends_on_batch(question, form).then(|| level.name().to_owned()),
        };
        let has_guesses = plan.demand_of::<Ratings>().is_some_and(|demand| demand & Ratings::GUESSES != 0);
        Ok(ResolvedJob {
            columns: columns.iter().map(|column| column.name.to_owned()).collect(),
            only: filter.names().into_iter().map(str::to_owned).collect(),
            board: (!format.has_columns()).then(|| grid.name.to_owned()),
            output_format: format.name().to_owned(),
            output_compression: compression.name().to_owned(),
            restore_zeros: options.restore_zeros,
            skip: options.skip,
            limit: options.limit,
            layout: ResolvedLayout::from(&**source.layout()),
            solving: plan.has_outcome().then(solving),
            isomorphs: has_guesses.then_some(*isomorphs),
            expansion: expansion.as_ref().map(|expansion| expansion.stored()),
            made: source.recipe().map(ResolvedRecipe::from),
            marks: marks.as_ref().map(|marks| marks.name()),
            inputs: source.inputs().iter().map(InputIdentity::of).collect::<Result<_, _>>()?,
        })
    }

    /// Returns the same as JSON, with what else `--resume` compares.
    fn stored_job(&self, form: &Form, record: Option<&ShardRecord>) -> Result<StoredJob, RunError> {
        let local = LocalJob {
            budgets: self.budget_labels(),
            shard: self.shard.as_ref().map(|(shard, _)| shard.to_string()),
            inputs: self.source.inputs().iter().map(InputState::of).collect::<Result<_, _>>()?,
        };
        // A shard has looked at the inputs already.
        let job = record.map_or_else(|| as_json(&self.resolved(form)?), |record| Ok(record.job.clone()));
        Ok(StoredJob { job: job?, local: as_json(&local)? })
    }

    fn budget_labels(&self) -> Vec<String> {
        self.budgets.iter().map(Budget::label).collect()
    }
}

/// Returns a value as JSON.
fn as_json(value: &impl serde::Serialize) -> Result<serde_json::Value, RunError> {
    serde_json::to_value(value).map_err(|error| RunError::Unprepared(error.into()))
}

/// How the rows of a run come to be.
struct Form {
    format: OutputFormat,
    compression: Compression,
    plan: FactPlan,
    /// Puzzles that the solver takes at once.
    batch_size: usize,
    /// The rows that come out for each with a puzzle, at most.
    forms: u64,
}

impl Form {
    /// Returns the size of blocks that suits the solver's batches and the format.
    fn block_size(&self) -> BlockSize {
        let is_slow = self.plan.is_slow();
        let batch = if is_slow { 1 } else { self.batch_size * TYPICAL_ROW };
        let largest = if is_slow { LARGEST_SLOW_BLOCK } else { self.format.spec().largest_block };
        // What comes out of a block is as much as ever.
        let forms = usize::try_from(self.forms).unwrap_or(usize::MAX);
        let share = |bytes: usize| (bytes / forms).max(1);
        BlockSize { min: share(SMALLEST_BLOCK).max(batch), max: share(largest).max(batch) }
    }
}

/// Whether the rows depend on the batch that a puzzle is solved in, and so on where blocks are cut and on the width of the
/// vectors: the counters of a batch do, and with them where it stops at a limit of nodes, and which solution it finds
/// first.
fn depends_on_batch(question: &Question, form: &Form) -> bool {
    let first_found = question.answer == Answer::First;
    form.batch_size > 1 && (form.plan.has_effort() || first_found || question.max_nodes.is_some())
}

/// Compares a complete output with the record beside it if the run is a shard. Other outputs have no record.
fn compare_complete(error: RunError, record: Option<&ShardRecord>) -> RunError {
    let (RunError::Destination(DestinationError::Whole { path, .. }), Some(record)) = (&error, record) else {
        return error;
    };
    match record.check_complete(path) {
        Ok(()) => DestinationError::Whole { path: path.clone(), is_same_job: true }.into(),
        Err(differs) => DestinationError::from(differs).into(),
    }
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("variant", &self.variant.name)
            .field("level", &self.level)
            .field("question", &self.question)
            .field("columns", &columns::names(&self.columns))
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// Bytes of a row, between a bare puzzle's 82 and the 164 of one with its solution. Blocks are measured by it: two
/// a thread, with their output, have to stay below 8 MiB.
const TYPICAL_ROW: usize = 120;
/// The largest block of puzzles of which a [slow](crate::facts::Fact::IS_SLOW) fact is computed: some hundreds, each of which may take milliseconds.
const LARGEST_SLOW_BLOCK: usize = 32 * 1024;
/// The smallest block: small inputs still spread over the threads.
const SMALLEST_BLOCK: usize = 4 * 1024;

/// A block on its way: the input and the output. Its buffers are used again and again.
#[derive(Debug, Default)]
struct Slot {
    block: Block,
    /// What of the forms of its rows is written, where they are too many to be written at once.
    piece: Option<Piece>,
    /// Of the row behind those that are answered, the forms that are written.
    forms: u64,
    /// The formatted rows, if there is a format.
    output: OutputPiece,
    /// The answers, if rows are handed to a function. Otherwise they stay with the workers, of which there are fewer than slots.
    answers: Answers,
    /// The digest of the text of the wanted rows, from where an earlier run had read.
    read: Digest,
    /// Counts of these rows.
    tally: Tally,
    /// The times of their puzzles.
    times: Times,
    notices: Notices,
    /// Why there is no compressed text.
    not_compressed: Option<io::Error>,
    /// Whether the run was interrupted in this block: later ones must not be written.
    cut: bool,
    /// Why it does not go on behind this block.
    fault: Option<SourceError>,
    /// Stored bytes of input read so far, and in all where that is known.
    progress: (u64, Option<u64>),
}

/// The source as the pipeline's reader.
struct BlockReader<'s> {
    source: &'s mut Source,
    /// Whether what is answered depends on where blocks are cut.
    depends_on_cuts: bool,
    /// What cuts the forms of blocks into pieces, where each puzzle has several.
    cutter: Option<Cutter>,
}

impl Reader<Slot, RunError> for BlockReader<'_> {
    fn fill(&mut self, slot: &mut Slot) -> Result<ControlFlow<()>, RunError> {
        if let Some((piece, block)) = self.cutter.as_mut().and_then(Cutter::next) {
            // An interrupt ends it between two pieces: no later block may follow.
            if is_interrupted(self.source) {
                return Ok(ControlFlow::Break(()));
            }
            (slot.piece, slot.block) = (Some(piece), block);
            return Ok(ControlFlow::Continue(()));
        }
        let buffer = std::mem::take(&mut slot.block.bytes);
        let block = match self.source.next_block(buffer) {
            // An interrupt may have cut it elsewhere than the run that goes on will.
            Ok(Some(_)) if self.depends_on_cuts && is_interrupted(self.source) => {
                return Ok(ControlFlow::Break(()));
            }
            Ok(Some(block)) => block,
            Ok(None) => return Ok(ControlFlow::Break(())),
            // The run ends as it does between two blocks.
            Err(error) if error.is_interrupt() => return Ok(ControlFlow::Break(())),
            Err(error) => return Err(error.into()),
        };
        slot.piece = self.cutter.as_mut().and_then(|cutter| cutter.start(&block));
        slot.block = block;
        slot.progress = self.source.progress();
        Ok(ControlFlow::Continue(()))
    }
}

/// Whether nothing more is read.
fn is_interrupted(source: &Source) -> bool {
    source.options().cancel.load(Ordering::SeqCst)
}

/// What all threads look at.
struct Shared {
    /// Whether what is read and written has to be known again.
    is_resumable: bool,
    inputs: Vec<Input>,
    layout: Arc<Layout>,
    /// Whether the format has columns, those of the input among them.
    has_columns: bool,
    /// `None`: rows are handed to a function.
    format: Option<Box<dyn RowFormat>>,
    /// The conditions on a row that is read.
    filter: Filter,
    /// The conditions on the rows that it becomes, if it becomes several.
    filter_of_expanded: Filter,
    marks: Option<Arc<dyn Marks>>,
    expansion: Option<Arc<dyn Expand>>,
    /// What puzzles are made, where nothing is read.
    recipe: Option<Recipe>,
    isomorphs: Isomorphs,
    plan: FactPlan,
    question: Question,
    level: Level,
    cancel: Arc<AtomicBool>,
}

impl Shared {
    /// Which rows of an input are written.
    fn choice(&self, input: usize) -> Choice<'_> {
        let filter = (!self.filter.is_empty()).then_some(&self.filter as &dyn RowFilter);
        Choice { filter, marks: self.marks.as_deref(), input }
    }
}

/// Parses, answers and formats blocks. One for each thread.
struct BlockWorker {
    shared: Arc<Shared>,
    /// What makes puzzles, where they are not read.
    maker: Option<Maker>,
    answerer: Answerer,
    /// Makes the forms of rows, if rows are transformed.
    former: Option<Former>,
    /// Formats rows; `None` if they are handed to a function.
    formatter: Option<Box<dyn RowFormatter>>,
    compressor: Compressor,
    /// A buffer for the compressed text.
    spare: Vec<u8>,
}

impl BlockWorker {
    fn new(
        shared: &Arc<Shared>,
        variant: &Variant,
        compression: Compression,
    ) -> Result<BlockWorker, RunError> {
        let context = FactContext::new(shared.level, Some(Arc::clone(&shared.cancel))).with(shared.isomorphs);
        let solver = shared.plan.has_outcome().then(|| variant.build(shared.level)).transpose()?;
        let expander = shared.expansion.as_ref();
        let expander =
            expander.map(|expansion| expansion.expander(shared.level, &shared.cancel)).transpose()?;
        let (finder, forms) = match expander {
            Some(Expander::Finder(finder)) => (Some(finder), None),
            Some(Expander::Forms(forms)) => (None, Some(forms)),
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
            former: forms
                .filter(|_| shared.format.is_some())
                .map(|transform| Former::new(transform, &shared.layout, shared.has_columns)),
            formatter: shared
                .format
                .as_ref()
                .map(|format| format.formatter())
                .transpose()
                .map_err(RunError::Compression)?,
            compressor: compression.compressor().map_err(RunError::Compression)?,
            spare: Vec::new(),
        })
    }

    /// Leaves out the rows from the first on that holds words which the output would lose, and returns why.
    fn refuse_unplaced(&mut self, block: &Block) -> Option<SourceError> {
        let Shared { inputs, layout, format, has_columns, .. } = &*self.shared;
        let parsed = &mut self.answerer.answers.parsed;
        let first = parsed.unplaced?;
        let format = format.as_ref().filter(|_| *has_columns)?;
        let (input, rows) = (&inputs[block.input], &parsed.rows);
        let (row, error) = match &**layout {
            Layout::Jsonl(jsonl) => rows.iter().enumerate().skip(first).find_map(|(at, row)| {
                let text = &block.bytes[row.text.start as usize..row.text.end as usize];
                let is_lost = |name: &String| format.member_place(name) != MemberPlace::Kept;
                let name = jsonl.new_names(text).find(is_lost)?;
                let is_added = format.member_place(&name) == MemberPlace::Taken;
                let (input, line) = (input.clone(), row.line);
                Some((at, SourceError::UnplacedMember { input, line, name, is_added }))
            })?,
            layout => {
                let (line, format) = (rows[first].line, layout.format());
                (first, SourceError::UnplacedWords { input: input.clone(), line, format: format.name() })
            }
        };
        parsed.truncate(row);
        Some(error)
    }

    /// Ends a piece before the first row that is left out. What is wrong with that is told where the piece reaches it.
    fn cut_piece(&self, slot: &mut Slot) {
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

    /// Makes the puzzles of a block, and its rows of them. Returns why not all are there, where that is no interrupt.
    fn make(&mut self, block: &mut Block) -> Option<SourceError> {
        let (numbers, maker) = (block.made.clone()?, self.maker.as_mut()?);
        let mut made = Vec::new();
        let ended = maker.make(numbers, &mut made);
        write_rows(&made, &mut block.bytes);
        let weights = &mut self.answerer.answers.weights;
        weights.clear();
        weights.extend(made.iter().map(|made| made.weight));
        ended.err().map(SourceError::NotMade)
    }

    /// Returns the first row whose puzzle was made otherwise than asked for, and the error for it.
    fn wrong_made(&self, block: &Block) -> Option<(usize, SourceError)> {
        let (numbers, recipe) = (block.made.as_ref()?, self.shared.recipe.as_ref()?);
        let Answers { parsed, outcomes, .. } = &self.answerer.answers;
        let is_wrong = |(puzzle, outcome): (&Puzzle, &Outcome)| {
            let stands = outcome.solution.is_none_or(|solution| solution.check(puzzle).is_ok());
            !stands || !recipe.plan.is_kept_by(puzzle, outcome)
        };
        let row = parsed.puzzles.iter().zip(outcomes).position(is_wrong)?;
        let (number, puzzle) = (numbers.start + row as u64, parsed.puzzles[row]);
        Some((row, SourceError::MadeWrong { number, puzzle }))
    }

    /// Answers the rows of a block that are wanted. If an interrupt or a fault ends the run in this block, only the rows before it stay
    /// wanted.
    fn answer(&mut self, slot: &mut Slot) {
        let BlockWorker { shared, answerer, .. } = self;
        let wanted = slot.piece.map_or(slot.block.done..usize::MAX, |piece| piece.from.row..piece.to.row);
        let choice = shared.choice(slot.block.input);
        slot.cut = !answerer.answer(&shared.question, wanted, choice, &mut slot.tally);
        slot.forms = slot.piece.map_or(0, |piece| piece.to.form);
        if slot.cut
            && let Some(piece) = &slot.piece
        {
            // An interrupted piece is given up as a whole.
            answerer.answers.want_before(piece.from.row);
            slot.forms = piece.from.form;
        }
        if let Some((row, error)) = self.wrong_made(&slot.block) {
            self.answerer.answers.want_before(row);
            slot.fault = Some(error);
        }
    }
}

impl Worker<Slot> for BlockWorker {
    fn work(&mut self, slot: &mut Slot) {
        slot.tally = Tally::default();
        slot.times.clear();
        slot.notices.0.clear();
        slot.output.clear();
        let not_made = self.make(&mut slot.block);
        self.shared.layout.parse(&mut slot.block, &mut self.answerer.answers.parsed);
        slot.fault = not_made.or_else(|| self.refuse_unplaced(&slot.block));
        self.cut_piece(slot);
        self.answer(slot);
        let BlockWorker { shared, answerer, former, formatter, .. } = self;
        let expanded_filter = &shared.filter_of_expanded;
        let rows = OutputRows {
            block: &slot.block,
            piece: slot.piece,
            is_cut: slot.cut,
            answerer,
            former: former.as_mut(),
            question: &shared.question,
            choice: shared.choice(slot.block.input),
            expanded_filter: (!expanded_filter.is_empty()).then_some(expanded_filter as &dyn RowFilter),
            tally: &mut slot.tally,
            times: &mut slot.times,
            notices: &mut slot.notices,
        };
        match formatter {
            Some(formatter) => {
                formatter.format(rows, &mut slot.output);
                self.digest(slot);
            }
            None => {
                rows.each(|_| ());
                std::mem::swap(&mut slot.answers, &mut answerer.answers);
            }
        }
    }
}

impl BlockWorker {
    /// Compresses the text of a block, and computes the digests of what was read and of what is written.
    fn digest(&mut self, slot: &mut Slot) {
        let Slot { block, output, .. } = slot;
        if !output.text.is_empty() {
            slot.not_compressed = self.compressor.compress(&mut output.text, &mut self.spare).err();
        }
        if !self.shared.is_resumable {
            return;
        }
        output.digest = Digest::of(&output.text);
        // What is made is not read.
        if block.made.is_some() {
            return;
        }
        // A table is compared by its file. If the file came through a pipe, its digest counts with the first block.
        if let Some(piped) = block.piped() {
            slot.read = if slot.piece.is_none_or(|piece| piece.is_first) { piped } else { Digest::default() };
            return;
        }
        // An overlong record is no puzzle that could have been given up.
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
        slot.read = Digest::of(&block.bytes[start.min(end)..end]);
    }
}

/// The open output of a run.
enum Output<'s> {
    Sink(Box<dyn RowSink + 's>),
    Call(BlockCall<'s>),
}

impl<'s> Output<'s> {
    /// Returns the sink that writes the rows; `None` if they are handed to a function.
    fn sink(&mut self) -> Option<&mut (dyn RowSink + 's)> {
        match self {
            Output::Sink(sink) => Some(&mut **sink),
            Output::Call(_) => None,
        }
    }

    /// Compresses `text` and writes it, if nothing is written yet.
    fn write_if_empty(&mut self, mut text: Vec<u8>, compression: Compression) -> Result<(), RunError> {
        let Some(sink) = self.sink() else { return Ok(()) };
        compression.compress(&mut text).map_err(RunError::Compression)?;
        Ok(sink.write_if_empty(&text)?)
    }

    /// Closes the output. Returns the path of the partial file if the output is not complete.
    fn end(
        self,
        is_whole: bool,
        sync: bool,
        record: Option<ShardRecord>,
        answered: Answered,
    ) -> Result<Option<PathBuf>, DestinationError> {
        let Output::Sink(sink) = self else { return Ok(None) };
        let record = record.map(|record| record.answered(&answered));
        match is_whole {
            true => sink.finish(record, sync).map(|()| None),
            false => sink.leave(answered),
        }
    }

    /// Removes what there is of a file.
    fn discard(self) {
        if let Output::Sink(sink) = self {
            sink.discard();
        }
    }

    /// Returns whether a later run can continue the output if this run stops early.
    fn is_resumable(&self) -> bool {
        matches!(self, Output::Sink(sink) if sink.is_resumable())
    }
}

/// Takes the answered blocks in order: output, counts, progress.
struct BlockWriter<'s, 'r> {
    shared: Arc<Shared>,
    output: Output<'s>,
    resumed_after: u64,
    /// Of the rows that were written, by an earlier run as well.
    measures: Measures,
    notices: Notices,
    /// What was read for them.
    read: Digest,
    /// Of the row behind them, the forms that were written.
    forms: u64,
    started: SystemTime,
    elapsed_before: Duration,
    /// Whether who is called with blocks wants no more of them.
    broke_off: bool,
    progress: ProgressCall<'r>,
    /// Rows that are answered at most.
    limit: Option<u64>,
    clock: Instant,
}

impl<'s, 'r> BlockWriter<'s, 'r> {
    /// Goes on behind what was answered before.
    fn new(
        shared: &Arc<Shared>,
        output: Output<'s>,
        before: Answered,
        budgets: &[Budget],
        progress: ProgressCall<'r>,
        limit: Option<u64>,
    ) -> BlockWriter<'s, 'r> {
        let mut measures = Measures { tally: before.tally, ..Measures::new(budgets) };
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

    /// All that was done until now.
    fn answered(&self) -> Answered {
        Answered {
            read: self.read,
            forms: self.forms,
            tally: self.measures.tally,
            latency: self.measures.latency.counts(),
            notices: self.notices.0.clone(),
            started: self.started,
            elapsed: self.elapsed_before + self.clock.elapsed(),
        }
    }

    /// Ends the work of all threads with an error.
    fn failed(&self, error: RunError) -> Result<ControlFlow<()>, RunError> {
        self.shared.cancel.store(true, Ordering::SeqCst);
        Err(error)
    }
}

impl Writer<Slot, RunError> for BlockWriter<'_, '_> {
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
                let block = slot.answers.of(&slot.block, self.shared.choice(slot.block.input));
                let goes_on = call(&block);
                if goes_on.is_break() {
                    self.broke_off = !self.shared.cancel.swap(true, Ordering::SeqCst);
                }
                goes_on
            }
        };
        self.measures.tally.merge(&slot.tally);
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
