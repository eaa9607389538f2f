//! The main job: rows in, the columns that were asked for out.
//!
//! ```text
//! Source -> block -> rows -> puzzles -> outcomes -> referee, expected solutions -> columns -> Sink
//!          (one worker at a time)   (all workers at once)                             (in order)
//! ```
//! Only what some column needs is computed. Every row in comes out as a row, in its order, unless the run keeps only
//! some; each solution has been accepted by the referee.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solver::{self, Variant, referee};
use sudobench_sudoku::{Answer, Outcome, Question, Solver, nanoseconds};

use crate::answers::{AnsweredBlock, Answers, Notice, Notices};
use crate::columns::{self, Column, Needs};
use crate::only::Only;
use crate::pipeline::{self, Reader, ThreadsError, Worker, Writer};
use crate::sink::{Asked, Checkpoint, Destination, DestinationError, Existing, Format, OutputFormat, Target};
use crate::source::{Block, BlockSize, Input, InputRead, Layout, Source, SourceError};
use crate::{Budget, Latency, Measures, Tally};

/// A run over all rows of a source: what is computed, on how many threads, and who is told of it.
///
/// ```
/// use sudobench_batch::{Run, Sink};
/// use sudobench_batch::source::{Options, Source};
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
    only: Option<Only>,
    budgets: Vec<Budget>,
    threads: NonZeroUsize,
    cancel: Arc<AtomicBool>,
    progress: ProgressCall<'r>,
}

type ProgressCall<'r> = Box<dyn FnMut(&Progress) + Send + 'r>;

/// Where a run stands. Told after each block that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Rows answered by this run.
    pub rows: u64,
    /// Stored (compressed) bytes of the inputs that were read.
    pub read: u64,
    /// Those of all inputs, where they are known.
    pub total: Option<u64>,
    /// Time since the start.
    pub elapsed: Duration,
}

/// Where answered rows go.
pub struct Sink<'s> {
    to: To<'s>,
    format: OutputFormat,
}

enum To<'s> {
    Target(Target, Existing),
    Writer(Box<dyn Write + Send + 's>),
    Blocks(BlockCall<'s>),
}

type BlockCall<'s> = Box<dyn FnMut(&AnsweredBlock) -> ControlFlow<()> + Send + 's>;

impl<'s> Sink<'s> {
    /// A file, written as `FILE.partial` and renamed when it is whole. One that exists is not touched: see
    /// [`Sink::target`].
    pub fn file(path: impl Into<PathBuf>) -> Sink<'s> {
        Sink::target(Target::File(path.into()), Existing::Refuse)
    }

    /// A file or standard output, and what to do where the file exists.
    pub fn target(target: Target, existing: Existing) -> Sink<'s> {
        Sink { to: To::Target(target, existing), format: OutputFormat::default() }
    }

    /// Anything that takes bytes; it is given whole rows.
    pub fn writer(writer: impl Write + Send + 's) -> Sink<'s> {
        Sink { to: To::Writer(Box::new(writer)), format: OutputFormat::default() }
    }

    /// A function that is called with each block of answered rows, in their order, on whichever thread is free. `Break`:
    /// later ones are not wanted.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use sudobench_batch::{Run, Sink};
    /// use sudobench_batch::source::{Options, Source};
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
        Sink { to: To::Blocks(Box::new(call)), format: OutputFormat::default() }
    }

    /// How rows are written; CSV unless it is said. Without meaning for [`Sink::blocks`].
    #[must_use]
    pub fn format(self, format: OutputFormat) -> Sink<'s> {
        Sink { format, ..self }
    }
}

/// A run that came to its end, or was interrupted.
#[derive(Debug)]
pub struct Finished {
    /// What was measured: of this run alone, where it went on with an earlier one.
    pub measures: Measures,
    /// When it started.
    pub started: SystemTime,
    /// How long it took, from the first byte read to the last one written.
    pub wall: Duration,
    /// The first rows of each kind that deserve a word.
    pub notices: Vec<Notice>,
    /// What was read of each input.
    pub inputs: Vec<InputRead>,
    /// Rows that an earlier run had answered.
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
    /// An earlier run has answered more rows than the inputs have now.
    #[error(
        "the input has {rows} rows, but the run that is gone on with had answered {resumed_after}: it is another input, or was cut"
    )]
    Shorter {
        /// Rows that there are.
        rows: u64,
        /// Rows that were answered.
        resumed_after: u64,
    },
    /// Something failed halfway. What was done until then is told.
    #[error("{error}")]
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
            only: None,
            budgets: Vec::new(),
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            cancel: Arc::default(),
            progress: Box::new(|_| ()),
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

    /// The rows to keep; the others are answered and counted, but not written.
    #[must_use]
    pub fn only(self, only: Only) -> Run<'r> {
        Run { only: Some(only), ..self }
    }

    /// The times that each puzzle is held against.
    #[must_use]
    pub fn budgets(self, budgets: impl Into<Vec<Budget>>) -> Run<'r> {
        Run { budgets: budgets.into(), ..self }
    }

    /// How many threads read, work and write in their turn.
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

    /// Answers all rows.
    ///
    /// # Errors
    /// [`RunError`]: before anything is written where something cannot be opened or the solver cannot be built, else
    /// [`RunError::Halfway`].
    pub fn to(mut self, sink: Sink<'_>) -> Result<Finished, RunError> {
        self.question.cancel = Some(Arc::clone(&self.cancel));
        let needs = self.needs(&sink);
        let batch_size = if needs.outcome { self.variant.build(self.level)?.batch_size() } else { 1 };
        self.source.set_block_size(block_size(batch_size));
        let depends_on_cuts = self.depends_on_batch(batch_size);
        let layout = Arc::clone(self.source.layout());
        let format = Format::new(sink.format, &layout, &self.columns);
        let header = format.header().to_owned();
        let shared = Arc::new(Shared {
            layout,
            format: (!matches!(sink.to, To::Blocks(_))).then_some(format),
            only: self.only.clone(),
            question: self.question.clone(),
            level: self.level,
            cancel: Arc::clone(&self.cancel),
        });
        let mut workers = (0..self.threads.get())
            .map(|_| BlockWorker::new(&shared, needs.outcome.then_some(self.variant), &self.budgets))
            .collect::<Result<Vec<_>, _>>()?;
        let (mut output, checkpoint) = self.open(sink, needs, batch_size)?;
        self.source.resume_after(checkpoint.rows);
        if checkpoint.bytes == 0
            && let Output::Text(destination) = &mut output
        {
            destination.write(&header, checkpoint.rows)?;
        }
        let (started, clock) = (SystemTime::now(), Instant::now());
        let mut writer = BlockWriter {
            shared: Arc::clone(&shared),
            output,
            resumed_after: checkpoint.rows,
            tally: Tally::default(),
            notices: Notices::default(),
            broke_off: false,
            progress: self.progress,
            clock,
        };
        let mut reader = BlockReader { source: &mut self.source, depends_on_cuts };
        let piped = pipeline::run(&mut reader, &mut workers, &mut writer, &self.cancel);
        let wall = clock.elapsed();

        let mut latency = Latency::new(&self.budgets);
        workers.iter().for_each(|worker| latency.merge(&worker.latency));
        let BlockWriter { output, tally, notices, broke_off, .. } = writer;
        let mut finished = Finished {
            measures: Measures { tally, latency },
            started,
            wall,
            notices: notices.0,
            inputs: self.source.inputs_read(),
            resumed_after: checkpoint.rows,
            interrupted: piped.is_ok()
                && !broke_off
                && (self.cancel.load(Ordering::SeqCst) || is_interrupted(&self.source)),
            partial: None,
        };
        // An input that is no file may be another one now: then its output must not pass for whole.
        let piped = piped.and_then(|()| match self.source.rows_not_reached() {
            0 => Ok(()),
            _ if finished.interrupted => Ok(()),
            missing => {
                Err(RunError::Shorter { rows: checkpoint.rows - missing, resumed_after: checkpoint.rows })
            }
        });
        let is_whole = piped.is_ok() && !finished.interrupted;
        let left = output.end(is_whole).map(|partial| finished.partial = partial);
        let ended = piped.and(left);
        match ended {
            Ok(()) => Ok(finished),
            Err(error) => Err(RunError::Halfway { error: Box::new(error), finished: Box::new(finished) }),
        }
    }

    /// What the columns, the format and the choice of rows need.
    fn needs(&self, sink: &Sink) -> Needs {
        let by_sink = match sink.to {
            // Who is called with rows asks for what the columns say.
            To::Blocks(_) => Needs::NOTHING,
            _ => sink.format.needs(),
        };
        let by_only = if self.only.is_some() { Needs::OUTCOME } else { Needs::NOTHING };
        columns::needs(&self.columns) | by_sink | by_only
    }

    /// Opens the output. The checkpoint tells what an earlier run has written of it.
    fn open<'s>(
        &self,
        sink: Sink<'s>,
        needs: Needs,
        batch_size: usize,
    ) -> Result<(Output<'s>, Checkpoint), RunError> {
        let format = sink.format;
        Ok(match sink.to {
            To::Target(target, existing) => {
                let asked = || Ok::<_, RunError>(self.asked(format, needs, batch_size)?);
                let (destination, checkpoint) = Destination::open(&target, existing, asked)?;
                (Output::Text(destination), checkpoint)
            }
            To::Writer(writer) => {
                (Output::Text(Destination::stream("the output", writer)), Checkpoint::default())
            }
            To::Blocks(call) => (Output::Blocks(call), Checkpoint::default()),
        })
    }

    /// Everything that decides the output's bytes.
    fn asked(&self, format: OutputFormat, needs: Needs, batch_size: usize) -> Result<Asked, SourceError> {
        let (question, options) = (&self.question, self.source.options());
        let answer = match question.answer {
            Answer::Smallest => "smallest",
            Answer::First => "first",
        };
        let columns: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
        let mut asked: Asked = BTreeMap::from([
            ("columns".to_owned(), columns.into()),
            ("only".to_owned(), self.only.as_ref().map(Only::names).into()),
            ("output-format".to_owned(), format.name().into()),
            ("skip".to_owned(), options.skip.into()),
            ("limit".to_owned(), options.limit.into()),
        ]);
        asked.extend(layout_asked(self.source.layout()));
        if needs.outcome {
            asked.extend([
                ("solver".to_owned(), self.variant.name.into()),
                ("max-solutions".to_owned(), question.max_solutions.get().into()),
                ("answer".to_owned(), answer.into()),
                ("max-nodes".to_owned(), question.max_nodes.into()),
                ("max-time-per-puzzle".to_owned(), question.max_time.map(nanoseconds).into()),
            ]);
            if self.depends_on_batch(batch_size) {
                asked.insert("simd".to_owned(), self.level.name().into());
            }
        }
        for (number, input) in self.source.inputs().iter().enumerate() {
            let identity =
                identity(input).map_err(|source| SourceError::Open { input: input.clone(), source })?;
            asked.insert(format!("input {}", number + 1), identity);
        }
        Ok(asked)
    }

    /// Whether the rows depend on the batch that a puzzle is solved in, and so on where blocks are cut and on the width of
    /// the vectors: the counters of a batch do, and with them where it stops at a limit of nodes, and which solution it
    /// finds first.
    fn depends_on_batch(&self, batch_size: usize) -> bool {
        let shows_counters = self.columns.iter().any(|column| matches!(column.name, "nodes" | "guesses"));
        let first_found = self.question.answer == Answer::First;
        batch_size > 1 && (shows_counters || first_found || self.question.max_nodes.is_some())
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

/// How the rows are laid out, by the names of the flags that can say so.
fn layout_asked(layout: &Layout) -> Asked {
    let mut asked = Asked::from([("input-format".to_owned(), layout.format().name().into())]);
    if let Layout::Csv(csv) = layout {
        let text = |name: &Vec<u8>| String::from_utf8_lossy(name).into_owned();
        let header: Option<Vec<String>> =
            csv.header.as_ref().map(|header| header.names.iter().map(text).collect());
        asked.extend([
            ("delimiter".to_owned(), char::from(csv.delimiter).to_string().into()),
            ("header".to_owned(), header.into()),
            ("puzzle-column".to_owned(), (csv.puzzle_column + 1).into()),
            ("solution-column".to_owned(), csv.solution_column.map(|column| column + 1).into()),
        ]);
    }
    asked
}

/// Bytes at the start of an input that stand for the whole, with its size.
const HEAD: u64 = 1 << 20;

/// What an input is recognised by: size, and CRC-32 of the first MiB. A pipe has neither: that it is the same is taken
/// on trust.
fn identity(input: &Input) -> io::Result<serde_json::Value> {
    let Input::File(path) = input else { return Ok(serde_json::Value::Null) };
    let metadata = path.metadata()?;
    if !metadata.is_file() {
        return Ok(serde_json::Value::Null);
    }
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(serde_json::json!({ "bytes": metadata.len(), "crc32 of the first MiB": crc32fast::hash(&head) }))
}

/// Bytes of a row, between a bare puzzle's 82 and the 164 of one with its solution. Blocks are measured by it: two
/// a thread, with their output, have to stay below 8 MiB.
const TYPICAL_ROW: usize = 120;
/// The largest block that is cut for variants that solve one puzzle at a time.
const LARGEST_BLOCK: usize = 256 * 1024;
/// The smallest block: small inputs still spread over the threads.
const SMALLEST_BLOCK: usize = 4 * 1024;

/// Blocks as large as the variant's batches want them.
fn block_size(batch_size: usize) -> BlockSize {
    let batch = batch_size * TYPICAL_ROW;
    BlockSize { min: SMALLEST_BLOCK.max(batch), max: LARGEST_BLOCK.max(batch) }
}

/// A block on its way: the input and the output. Its buffers are used again and again.
#[derive(Debug, Default)]
struct Slot {
    block: Block,
    /// The output rows, where there is a format.
    text: Vec<u8>,
    /// The answers, where rows are handed to a function. Else they stay with the workers, who are fewer than the slots.
    answers: Answers,
    /// Counts of these rows.
    tally: Tally,
    notices: Notices,
    /// Whether the run was interrupted in this block: later ones must not be written.
    cut: bool,
    /// Stored bytes of input read so far, and in all where that is known.
    read: (u64, Option<u64>),
}

/// The source as the pipeline's reader.
struct BlockReader<'s> {
    source: &'s mut Source,
    /// Whether what is answered depends on where blocks are cut.
    depends_on_cuts: bool,
}

impl Reader<Slot, RunError> for BlockReader<'_> {
    fn fill(&mut self, slot: &mut Slot) -> Result<ControlFlow<()>, RunError> {
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
        slot.block = block;
        slot.read = self.source.progress();
        Ok(ControlFlow::Continue(()))
    }
}

/// Whether nothing more is read.
fn is_interrupted(source: &Source) -> bool {
    source.options().cancel.load(Ordering::SeqCst)
}

/// What all threads look at.
struct Shared {
    layout: Arc<Layout>,
    /// `None`: rows are handed to a function.
    format: Option<Format>,
    only: Option<Only>,
    question: Question,
    level: Level,
    cancel: Arc<AtomicBool>,
}

/// What happens to a block: parsed, solved, refereed, compared, measured, formatted. One for each thread.
struct BlockWorker {
    shared: Arc<Shared>,
    /// `None` where no column needs an outcome.
    solver: Option<Box<dyn Solver>>,
    /// The latencies of all blocks of this worker.
    latency: Latency,
    answers: Answers,
}

/// Bytes that the default columns add to a row: a solution, a status and what separates them.
const TYPICAL_ADDITION: usize = 96;

impl BlockWorker {
    fn new(
        shared: &Arc<Shared>,
        variant: Option<&Variant>,
        budgets: &[Budget],
    ) -> Result<BlockWorker, LevelError> {
        Ok(BlockWorker {
            shared: Arc::clone(shared),
            solver: variant.map(|variant| variant.build(shared.level)).transpose()?,
            latency: Latency::new(budgets),
            answers: Answers::default(),
        })
    }

    /// Finds out what the columns need of the puzzles of a block. Returns whether the referee accepts all solutions.
    fn compute(&mut self, slot: &mut Slot) -> bool {
        let BlockWorker { shared, solver, answers, .. } = self;
        answers.outcomes.clear();
        slot.cut = false;
        let Some(solver) = solver else {
            answers.want(slot.block.done, false);
            return true;
        };
        let puzzles = &answers.parsed.puzzles;
        answers.outcomes.resize(puzzles.len(), Outcome::ABORTED);
        let start = Instant::now();
        solver.solve_batch(puzzles, &shared.question, &mut answers.outcomes);
        slot.tally.solving_ns = nanoseconds(start.elapsed());
        let all_stand = referee::all_stand(shared.level, puzzles, &answers.outcomes);
        // An interrupt gives up the puzzles under work: the output ends before the first of them.
        slot.cut = shared.cancel.load(Ordering::SeqCst);
        answers.want(slot.block.done, slot.cut);
        all_stand
    }
}

impl Worker<Slot> for BlockWorker {
    fn work(&mut self, slot: &mut Slot) {
        slot.tally = Tally::default();
        slot.notices.0.clear();
        slot.text.clear();
        self.shared.layout.parse(&slot.block, &mut self.answers.parsed);
        let all_stand = self.compute(slot);
        let BlockWorker { shared, latency, answers, .. } = self;
        let Slot { block, text, tally, .. } = slot;
        let (question, measures) = (&shared.question, (tally, latency));
        let Some(format) = &shared.format else {
            answers.judge(&block.bytes, question, all_stand, measures, |_, _| ());
            slot.notices.take_in(answers, block);
            return std::mem::swap(&mut slot.answers, answers);
        };
        // What the default columns need, so that the text does not grow by doubling: memory is counted in blocks.
        text.reserve_exact(block.bytes.len() + answers.parsed.rows.len() * TYPICAL_ADDITION);
        answers.judge(&block.bytes, question, all_stand, measures, |row, tally| match &shared.only {
            Some(only) if !row.is_kept_by(only) => tally.left_out += 1,
            _ => format.write(row, text),
        });
        slot.notices.take_in(answers, block);
    }
}

/// The open end of a run.
enum Output<'s> {
    Text(Destination<'s>),
    Blocks(BlockCall<'s>),
}

impl Output<'_> {
    /// Ends it. Returns what is left of a file that is not whole.
    fn end(self, is_whole: bool) -> Result<Option<PathBuf>, RunError> {
        Ok(match self {
            Output::Text(destination) if is_whole => destination.finish().map(|()| None)?,
            Output::Text(destination) => destination.leave()?,
            Output::Blocks(_) => None,
        })
    }
}

/// Takes the answered blocks in order: output, counts, progress.
struct BlockWriter<'s, 'r> {
    shared: Arc<Shared>,
    output: Output<'s>,
    resumed_after: u64,
    /// Counts of the rows that were written.
    tally: Tally,
    notices: Notices,
    /// Whether who is called with blocks wants no more of them.
    broke_off: bool,
    progress: ProgressCall<'r>,
    clock: Instant,
}

impl Writer<Slot, RunError> for BlockWriter<'_, '_> {
    fn write(&mut self, slot: &mut Slot) -> Result<ControlFlow<()>, RunError> {
        let answered = self.resumed_after + self.tally.rows() + slot.tally.rows();
        let goes_on = match &mut self.output {
            Output::Text(destination) => {
                if let Err(error) = destination.write(&slot.text, answered) {
                    self.shared.cancel.store(true, Ordering::SeqCst);
                    return Err(error.into());
                }
                ControlFlow::Continue(())
            }
            Output::Blocks(call) => {
                let block = slot.answers.of(&slot.block, self.shared.only.as_ref());
                if self.shared.only.is_some() {
                    slot.tally.left_out = slot.tally.rows() - block.rows().count() as u64;
                }
                let goes_on = call(&block);
                if goes_on.is_break() {
                    self.broke_off = !self.shared.cancel.swap(true, Ordering::SeqCst);
                }
                goes_on
            }
        };
        self.tally.merge(&slot.tally);
        self.notices.append(&mut slot.notices);
        let (read, total) = slot.read;
        (self.progress)(&Progress { rows: self.tally.rows(), read, total, elapsed: self.clock.elapsed() });
        Ok(if slot.cut { ControlFlow::Break(()) } else { goes_on })
    }
}
