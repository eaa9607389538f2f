//! A run over rows: reads rows and writes the requested columns.
//!
//! ```text
//! Source -> block -> rows -> puzzles -> outcomes -> referee, expected solutions -> columns -> Sink
//!          (one worker at a time)   (all workers in parallel)                         (in order)
//! ```
//! This module contains the options of a run and connects the parts.
//!
//! A value is computed only if a column, a filter or another option needs it. Every input row becomes one output row, in the same order,
//! unless the run selects, sorts or expands rows. The referee checks each solution that the solver reports before it is written.

mod finished;
mod sink;
mod slot;
mod worker;
mod writer;

pub use finished::{Finished, Progress, RunError};
pub use sink::Sink;

use finished::ProgressCall;
use sink::To;
use slot::{BlockReader, is_interrupted};
use worker::{BlockWorker, Shared};
use writer::{BlockWriter, Output};

use std::any::Any;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::Serialize;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, SolverFactory, Variant};
use sudobench_sudoku::{Answer, Question};

use crate::answers::Marks;
use crate::columns::{self, Column};
use crate::expand::Expand;
use crate::facts::{FactPlan, Isomorphs, Need, Ratings, Settings};
use crate::filter::Filter;
use crate::forms::Cutter;
use crate::input_columns::InputColumns;
use crate::order::{OrderedFormat, RowOrder};
use crate::pipeline::{self, MOST_THREADS, ThreadsError};
use crate::resolved_job::{InputIdentity, LocalJob, ResolvedJob, ResolvedRecipe, ResolvedSolving};
use crate::resume::{ResumeState, StoredJob};
use crate::scoring::{Predictions, Scoring};
use crate::shard::Shard;
use crate::shard_record::ShardRecord;
use crate::sink::{Answered, Compression, Destination, DestinationError, OutputFormat, RowFormat};
use crate::source::{BlockSize, Input, Layout, Options, ResolvedLayout, Source, SourceError};
use crate::{Budget, Tally};

/// A run over the rows of a source, with its options.
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
    solver: Arc<dyn SolverFactory>,
    level: Level,
    question: Question,
    columns: Vec<Column>,
    needs: Vec<Need>,
    grid: Column,
    filter: Filter,
    order: Option<RowOrder>,
    marks: Option<Arc<dyn Marks>>,
    expansion: Option<Arc<dyn Expand>>,
    settings: Settings,
    budgets: Vec<Budget>,
    threads: NonZeroUsize,
    cancel: Arc<AtomicBool>,
    progress: ProgressCall<'r>,
    prepare: Option<PrepareCall<'r>>,
    confirm: Option<ConfirmCall<'r>>,
    report: Option<ReportCall<'r>>,
    /// The shard to process, and a description of this program, which is stored in the shard's record.
    shard: Option<(Shard, serde_json::Value)>,
}

type PrepareCall<'r> = Box<dyn FnOnce() -> Result<(), RunError> + Send + 'r>;
type ConfirmCall<'r> = Box<dyn FnOnce(&Tally) -> Result<(), RunError> + Send + 'r>;
type ReportCall<'r> = Box<dyn FnOnce(&Finished) -> Result<(), RunError> + Send + 'r>;

impl<'r> Run<'r> {
    /// Makes a run that solves the rows of `source` with the default solver, on all cores, for the columns `solution` and `status`.
    pub fn over(source: Source) -> Run<'r> {
        Run {
            source,
            solver: Arc::new(*solver::default_variant()),
            level: Level::widest(),
            question: Question::unique(),
            columns: columns::SOLVE_DEFAULT.to_vec(),
            needs: Vec::new(),
            grid: columns::SOLUTION,
            filter: Filter::default(),
            order: None,
            marks: None,
            expansion: None,
            settings: Settings::default(),
            budgets: Vec::new(),
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            cancel: Arc::default(),
            progress: Box::new(|_| ()),
            prepare: None,
            confirm: None,
            report: None,
            shard: None,
        }
    }

    /// Sets the solver and the SIMD level.
    #[must_use]
    pub fn solver(self, variant: &Variant, level: Level) -> Run<'r> {
        self.solver_from(Arc::new(*variant), level)
    }

    /// Sets the builder of the solvers, and the SIMD level.
    #[must_use]
    pub fn solver_from(self, solver: Arc<dyn SolverFactory>, level: Level) -> Run<'r> {
        Run { solver, level, ..self }
    }

    /// Sets the question that the solver answers for each puzzle: how many solutions to search for, which solution to report, and the
    /// limits.
    #[must_use]
    pub fn question(self, question: Question) -> Run<'r> {
        Run { question, ..self }
    }

    /// Sets the columns to add, in order.
    #[must_use]
    pub fn columns(self, columns: impl Into<Vec<Column>>) -> Run<'r> {
        Run { columns: columns.into(), ..self }
    }

    /// Sets what is computed in addition to what the columns need: facts, or the solver's outcome. A callback that receives the rows can
    /// read these values.
    #[must_use]
    pub fn needs(self, needs: impl Into<Vec<Need>>) -> Run<'r> {
        Run { needs: needs.into(), ..self }
    }

    /// Sets the column of boards that is written in formats without columns, such as `lines` and `npy`: puzzles, solutions or other boards.
    #[must_use]
    pub fn grid(self, grid: Column) -> Run<'r> {
        Run { grid, ..self }
    }

    /// Sets the marks, which give a number to each row or leave the row out. Rows that are left out are counted, but not written.
    #[must_use]
    pub fn marks(self, marks: Arc<dyn Marks>) -> Run<'r> {
        Run { marks: Some(marks), ..self }
    }

    /// Sets the expansion, which turns each row with a puzzle into several output rows. A callback for blocks gets each input row once,
    /// together with the puzzles or steps that were found for the row, but without its transformed forms.
    #[must_use]
    pub fn expand(self, expansion: Arc<dyn Expand>) -> Run<'r> {
        Run { expansion: Some(expansion), ..self }
    }

    /// Sets which random forms each puzzle gets. The number of guesses is averaged over these forms.
    #[must_use]
    pub fn isomorphs(self, isomorphs: Isomorphs) -> Run<'r> {
        Run { settings: self.settings.with(isomorphs), ..self }
    }

    /// Adds a setting for the computation of a fact, such as [`Split`](crate::facts::Split). The setting affects the bytes of the output,
    /// so it is stored with the job, under the name `name`.
    #[must_use]
    pub fn setting(self, name: &'static str, setting: impl Any + Send + Sync + Serialize) -> Run<'r> {
        Run { settings: self.settings.with_stored(name, setting), ..self }
    }

    /// Sets which rows are written; the others are still processed and counted. If rows are expanded, conditions on the columns of expanded
    /// rows are tested for each expanded row.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Run<'r> {
        Run { filter, ..self }
    }

    /// Sets which of the rows that pass the filter are written, and in which order. With an order, no row is written before the last
    /// row is read.
    #[must_use]
    pub fn order(self, order: Option<RowOrder>) -> Run<'r> {
        Run { order, ..self }
    }

    /// Sets the time budgets. The solving time of each puzzle is compared with each budget.
    #[must_use]
    pub fn budgets(self, budgets: impl Into<Vec<Budget>>) -> Run<'r> {
        Run { budgets: budgets.into(), ..self }
    }

    /// Sets the number of threads, at most [`MOST_THREADS`]. Each of the threads reads blocks, processes them and writes them.
    #[must_use]
    pub fn threads(self, threads: NonZeroUsize) -> Run<'r> {
        Run { threads, ..self }
    }

    /// Sets a flag that cancels the run. As soon as the flag becomes true, the puzzles in progress are aborted and the run ends. The output
    /// then contains only complete rows. The run itself sets the flag, for example after an error while writing, or if a callback stops the
    /// run, so that no solver continues needlessly.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Run<'r> {
        Run { cancel, ..self }
    }

    /// Sets a callback for the progress, called after each block.
    #[must_use]
    pub fn progress(self, call: impl FnMut(&Progress) + Send + 'r) -> Run<'r> {
        Run { progress: Box::new(call), ..self }
    }

    /// Sets a function that runs after the output is opened and before the first row is processed. So the function does no work for an
    /// output that can't be written. If the function fails, the partial output is removed, unless it has rows of an earlier run.
    #[must_use]
    pub fn prepare(self, call: impl FnOnce() -> Result<(), RunError> + Send + 'r) -> Run<'r> {
        Run { prepare: Some(Box::new(call)), ..self }
    }

    /// Sets a callback that is called after the last row, with the counts of all rows. If the callback fails, the output isn't completed.
    /// Not called if the run failed or was interrupted, or if an earlier run had completed the output.
    #[must_use]
    pub fn confirm(self, call: impl FnOnce(&Tally) -> Result<(), RunError> + Send + 'r) -> Run<'r> {
        Run { confirm: Some(Box::new(call)), ..self }
    }

    /// Sets a callback that writes reports. The callback is called with the results after the last row is written, but before the output
    /// file gets its final name. If the callback fails, the output isn't completed. If the process is killed during the callback, the
    /// output is still a partial file, so a resumed run writes the reports again. Not called for an output that can't be resumed, such as a
    /// stream or a sorted file. Not called if the run failed or was interrupted, or if an earlier run had completed the output.
    #[must_use]
    pub(crate) fn report(self, call: impl FnOnce(&Finished) -> Result<(), RunError> + Send + 'r) -> Run<'r> {
        Run { report: Some(Box::new(call)), ..self }
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Restricts the run to this shard. If the output is a file, a record is stored next to the file. The record contains `description`,
    /// which describes the program; see [`ShardRecord`].
    #[must_use]
    pub fn shard(self, shard: Shard, description: serde_json::Value) -> Run<'r> {
        Run { shard: Some((shard, description)), ..self }
    }

    /// Runs over the rows and writes them to `sink`.
    ///
    /// # Errors
    /// [`RunError`] during preparation, for example if something can't be opened or the solver can't be built. Later errors, such as a
    /// failure to start the threads, are wrapped in [`RunError::Halfway`].
    pub fn to(mut self, sink: Sink<'_>) -> Result<Finished, RunError> {
        if self.threads.get() > MOST_THREADS {
            // This is checked first, because each thread gets a solver, and building that many solvers would take long.
            return Err(ThreadsError::TooMany(self.threads.get()).into());
        }
        // The solving of a generated puzzle is never cancelled, because solving takes almost no time compared with generating.
        self.question.cancel = self.source.recipe().is_none().then(|| Arc::clone(&self.cancel));
        let properties = self.row_properties(&sink)?;
        self.source.set_block_size(properties.block_size());
        let layout = Arc::clone(self.source.layout());
        self.filter.find_input_columns(&layout)?;
        self.filter.check_empty(self.may_have_solutions(&layout))?;
        let mut format = properties.format.set_up(&layout, &self.columns, self.grid, self.forms().is_some());
        if let Some(order) = &mut self.order {
            order.find_input_columns(&layout)?;
            format =
                Box::new(OrderedFormat { format, order: order.clone(), compression: properties.compression });
        }
        format.check().map_err(DestinationError::from)?;
        let scoring = match self.settings.get::<Predictions>() {
            Some(predictions) => Some(Scoring::find(predictions, &layout)?),
            None => None,
        };
        let has_texts = if sink.has_format() { properties.format.is_text } else { sink.has_texts };
        let orders_by_input = self.order.as_ref().is_some_and(RowOrder::reads_input);
        let reads_input = self.filter.reads_input() || orders_by_input || scoring.is_some();
        self.source.set_texts(has_texts || reads_input);
        if let Some((shard, _)) = &self.shard {
            self.source.restrict_to(*shard)?;
        }
        let (header, has_format, sync) = (format.header().to_owned(), sink.has_format(), sink.sync);
        let record = self.shard_record(&properties, &header)?;
        let (output, before) = match self.open(sink, &properties, &*format, record.as_ref()) {
            Err(RunError::Destination(DestinationError::Whole(path))) => {
                let head = head_of(&properties, &*format);
                let before = match &record {
                    Some(record) => record.answered_of(&path, head),
                    None => ResumeState::answered_of(&path, head, &self.stored_job(&properties, None)?),
                };
                let before = before.map_err(DestinationError::from)?;
                if self.source.inputs().iter().any(Input::is_read_once) {
                    // For a pipe, only its data shows whether the input is the same as in the earlier run.
                    self.source.check_read_before(before.tally.rows(), before.read)?;
                }
                return Ok(Finished::earlier(path, before, &self.budgets));
            }
            opened => opened?,
        };
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
            has_columns: properties.format.has_columns,
            format: has_format.then_some(format),
            filter,
            filter_of_expanded,
            has_words: columns::has_words(&self.columns)
                && !self.marks.as_ref().is_some_and(|marks| marks.leaves_out_early()),
            columns: self.columns.clone(),
            marks: self.marks.clone(),
            expansion: self.expansion.clone(),
            recipe: self.source.recipe().cloned(),
            settings: self.settings.clone(),
            scoring,
            plan: properties.plan.clone(),
            question: self.question.clone(),
            level: self.level,
            cancel: Arc::clone(&self.cancel),
        });
        let mut workers = (0..self.threads.get())
            .map(|_| BlockWorker::new(&shared, &*self.solver, properties.compression))
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
            false => writer.output.write_if_empty(header, properties.compression),
        };
        let mut reader = BlockReader {
            source: &mut self.source,
            depends_on_cuts: depends_on_batch(&self.question, &properties),
            cutter,
        };
        let piped = begun.and_then(|()| pipeline::run(&mut reader, &mut workers, &mut writer, &self.cancel));
        let settled = match &piped {
            Ok(()) if !is_interrupted(&self.source) => writer.output.settle(&self.cancel),
            // If a puzzle could not be generated or is wrong, the rows before it are still written. The fault has set `self.cancel` to end
            // the work of all threads, so `settle` gets the flag of the source, which is set only by an interrupt.
            Err(RunError::Source(SourceError::NotMade(_) | SourceError::MadeWrong { .. })) => {
                writer.output.settle(&self.source.options().cancel)
            }
            _ => Ok(()),
        };
        let piped = settled.and(piped);
        let is_cancelled = self.cancel.load(Ordering::SeqCst) || is_interrupted(&self.source);
        let interrupted = piped.is_ok() && !writer.broke_off && is_cancelled;
        let ended = piped.and_then(|()| match interrupted {
            true => Ok(()),
            // If nothing is written yet, writes the bytes of an empty compressed file.
            false => writer.output.write_if_empty(Vec::new(), properties.compression),
        });
        let ended = ended.and_then(|()| match self.confirm.take() {
            Some(confirm) if !interrupted => confirm(&writer.measures.tally),
            _ => Ok(()),
        });
        if let (Some(order), false) = (&self.order, interrupted) {
            let tally = &mut writer.measures.tally;
            let left_out =
                if self.expansion.is_some() { &mut tally.left_out_expanded } else { &mut tally.left_out };
            *left_out += order.left_out();
        }
        let answered = writer.answered();
        let BlockWriter { output, measures, notices, started, progress, .. } = writer;
        drop(progress);
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
            complete_before: None,
        };
        let ended = ended.and_then(|()| match self.report {
            Some(report) if !interrupted && output.is_resumable() => report(&finished),
            _ => Ok(()),
        });
        let is_whole = ended.is_ok() && !interrupted;
        let record = record.zip(self.source.span()).map(|(record, span)| record.with_span(span));
        let left = output.end(is_whole, sync, record, answered).map(|partial| finished.partial = partial);
        match ended.and(left.map_err(RunError::from)) {
            Ok(()) => Ok(finished),
            Err(error) => Err(RunError::Halfway { error: Box::new(error), finished: Box::new(finished) }),
        }
    }

    /// Returns the number of forms that are written for each row with a puzzle, including the puzzle itself if it is written too. `None` if
    /// rows are not transformed.
    fn forms(&self) -> Option<u64> {
        self.expansion.as_ref()?.transform().map(|transform| transform.forms())
    }

    /// Returns whether the input may have expected solutions, as far as this is known before its rows are read.
    fn may_have_solutions(&self, layout: &Layout) -> bool {
        // An empty standard input gets the layout of lines or grids, although nothing is known about its columns.
        let is_unknown = self.source.options().accepts_empty && layout.format().reads_empty();
        is_unknown || InputColumns::from_layout(layout).solution.is_some()
    }

    /// Returns the initial record of a shard; `None` if the run is not restricted to a shard.
    fn shard_record(
        &self,
        properties: &RowProperties,
        header: &[u8],
    ) -> Result<Option<ShardRecord>, RunError> {
        let Some((shard, description)) = &self.shard else { return Ok(None) };
        let mut start = header.to_owned();
        properties.compression.compress(&mut start).map_err(RunError::Compression)?;
        // If there is no header, `start` is the content of an output without rows: the bytes of an empty compressed file, or nothing.
        let (header_bytes, filler_bytes) = match (header.is_empty(), start.len() as u64) {
            (true, bytes) => (0, bytes),
            (false, bytes) => (bytes, 0),
        };
        let job = as_json(&self.resolved(properties)?)?;
        let (budgets, description) = (self.budget_labels(), description.clone());
        Ok(Some(ShardRecord::new(*shard, job, budgets, description, header_bytes, filler_bytes)))
    }

    fn row_properties(&self, sink: &Sink) -> Result<RowProperties, RunError> {
        let (format, compression) = sink.promised(self.source.layout()).map_err(DestinationError::from)?;
        let plan = self.plan(sink, format);
        let batch_size = if plan.has_outcome() { self.solver.build(self.level)?.batch_size() } else { 1 };
        let forms = self.expansion.as_ref().map_or(1, |expansion| expansion.most().get());
        // Found puzzles stay in memory until they are written. So if many puzzles may be found for a row, a block has fewer rows.
        let found = if self.forms().is_some() { 1 } else { forms };
        let batch_size = batch_size.div_ceil(usize::try_from(found).unwrap_or(usize::MAX));
        Ok(RowProperties { format, compression, plan, batch_size, forms })
    }

    fn plan(&self, sink: &Sink, format: OutputFormat) -> FactPlan {
        let mut needs = self.needs.clone();
        needs.extend(self.columns.iter().flat_map(|column| column.needs));
        if sink.has_format() {
            needs.extend(format.needs(&self.grid));
        }
        // Each generated puzzle is checked before it is written.
        if self.source.recipe().is_some() {
            needs.push(Need::Outcome);
        }
        needs.extend(self.filter.needs());
        needs.extend(self.order.iter().flat_map(RowOrder::needs));
        needs.extend(self.marks.iter().flat_map(|marks| marks.needs()));
        needs.extend(self.expansion.iter().flat_map(|expansion| expansion.needs()));
        FactPlan::new(needs)
    }

    /// Opens the output. Also returns the results of the earlier run, if this run resumes one.
    fn open<'s>(
        &self,
        sink: Sink<'s>,
        properties: &RowProperties,
        format: &dyn RowFormat,
        record: Option<&ShardRecord>,
    ) -> Result<(Output<'s>, Answered), RunError> {
        let head = head_of(properties, format);
        let (destination, checkpoint) = match sink.to {
            To::Target(target, existing) => {
                Destination::open(&target, existing, head, || self.stored_job(properties, record))?
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

    fn resolved(&self, properties: &RowProperties) -> Result<ResolvedJob, SourceError> {
        // This pattern has no `..`, so the compiler reports a new field of `Run` until the field is added here. When you add a field,
        // decide whether it belongs to the job.
        let Run {
            source,
            solver,
            level,
            question,
            columns,
            needs: _,
            grid,
            filter,
            order,
            marks,
            expansion,
            settings,
            budgets: _,
            threads: _,
            cancel: _,
            progress: _,
            prepare: _,
            confirm: _,
            report: _,
            shard: _,
        } = self;
        let RowProperties { format, compression, plan, batch_size: _, forms: _ } = properties;
        // The options marked `_` are not read here. Those that affect the rows are in the layout, with the values that were detected; the
        // column of predictions is in the settings.
        let Options {
            restore_zeros,
            skip,
            limit,
            format: _,
            delimiter: _,
            puzzle_column: _,
            solution_column: _,
            prediction_column: _,
            header: _,
            accepts_empty: _,
            hash: _,
            cancel: _,
            replay: _,
            block: _,
        } = source.options();
        let solving = || {
            let level = depends_on_batch(question, properties).then_some(*level);
            ResolvedSolving::new(solver.identity(), question, level)
        };
        let has_guesses = plan.demand_of::<Ratings>().is_some_and(|demand| demand & Ratings::GUESSES != 0);
        Ok(ResolvedJob {
            columns: columns.iter().map(|column| column.name.to_owned()).collect(),
            only: filter.names().into_iter().map(str::to_owned).collect(),
            order: order.as_ref().map(RowOrder::name),
            board: (!format.has_columns).then(|| grid.name.to_owned()),
            output_format: format.name().to_owned(),
            output_compression: compression.name().to_owned(),
            restore_zeros: *restore_zeros,
            skip: *skip,
            limit: *limit,
            layout: ResolvedLayout::from(&**source.layout()),
            solving: plan.has_outcome().then(solving),
            isomorphs: has_guesses.then(|| settings.get().copied().unwrap_or_default()),
            settings: settings.stored(),
            expansion: expansion.as_ref().map(|expansion| expansion.stored()),
            made: source.recipe().map(ResolvedRecipe::from),
            marks: marks.as_ref().map(|marks| marks.name()),
            inputs: source.inputs().iter().map(InputIdentity::from_input).collect::<Result<_, _>>()?,
        })
    }

    /// Returns the resolved job as JSON, with the other data that `--resume` compares.
    fn stored_job(
        &self,
        properties: &RowProperties,
        record: Option<&ShardRecord>,
    ) -> Result<StoredJob, RunError> {
        let local = LocalJob {
            budgets: self.budget_labels(),
            shard: self.shard.as_ref().map(|(shard, _)| shard.to_string()),
            inputs: self.source.states().to_vec(),
        };
        // The record of a shard contains the job, so the inputs need not be inspected again.
        let job =
            record.map_or_else(|| as_json(&self.resolved(properties)?), |record| Ok(record.job.clone()));
        Ok(StoredJob { job: job?, local: as_json(&local)? })
    }

    fn budget_labels(&self) -> Vec<String> {
        self.budgets.iter().map(Budget::label).collect()
    }
}

fn as_json(value: &impl serde::Serialize) -> Result<serde_json::Value, RunError> {
    serde_json::to_value(value).map_err(|error| RunError::Unprepared(error.into()))
}

struct RowProperties {
    format: OutputFormat,
    compression: Compression,
    plan: FactPlan,
    /// A block should have at least this number of puzzles: the batch size of the solver, divided by `forms` if puzzles or steps are found
    /// for each row.
    batch_size: usize,
    /// Number of output rows for each row with a puzzle, as [`Expand::most`] gives or estimates it; 1 without an expansion.
    forms: u64,
}

impl RowProperties {
    /// Returns the size of blocks that suits the solver's batches and the format.
    fn block_size(&self) -> BlockSize {
        let is_slow = self.plan.is_slow();
        let batch = if is_slow { 1 } else { self.batch_size * TYPICAL_ROW };
        let (smallest, largest) = match is_slow {
            true => (SMALLEST_SLOW_BLOCK, LARGEST_SLOW_BLOCK),
            false => (SMALLEST_BLOCK, self.format.largest_block),
        };
        // The output of a block must stay small for any number of forms.
        let forms = usize::try_from(self.forms).unwrap_or(usize::MAX);
        let share = |bytes: usize| (bytes / forms).max(1);
        BlockSize { min: share(smallest).max(batch), max: share(largest).max(batch) }
    }
}

/// Returns whether the output rows depend on the batch in which a puzzle is solved, and therefore on the block boundaries and the SIMD
/// level. If the same puzzle is solved in another batch, a batch solver may need other numbers of nodes and guesses, so it may exceed a
/// node limit that it did not exceed before. It may also find another solution first.
fn depends_on_batch(question: &Question, properties: &RowProperties) -> bool {
    let first_found = question.answer == Answer::First;
    properties.batch_size > 1 && (properties.plan.has_effort() || first_found || question.max_nodes.is_some())
}

/// Returns the header, if it is overwritten at the end of the run. Returns no bytes for most formats, because their header does not change.
fn head_of<'f>(properties: &RowProperties, format: &'f dyn RowFormat) -> &'f [u8] {
    if properties.format.needs_file() { format.header() } else { &[] }
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("solver", &self.solver.identity())
            .field("level", &self.level)
            .field("question", &self.question)
            .field("columns", &columns::names(&self.columns))
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// Typical number of bytes of a row, between 82 for a puzzle and 164 for a puzzle with its solution. It converts the batch size of a solver
/// to a size of blocks.
const TYPICAL_ROW: usize = 120;
/// Largest number of bytes of a block for a [slow](crate::facts::Fact::IS_SLOW) fact: a few hundred puzzles. A puzzle can take a second,
/// and an interrupt drops work on the blocks in progress. Still, little work is lost: a block has at most about 1/32 of the bytes that were
/// read before it. Only blocks of the smallest size may have a larger share.
const LARGEST_SLOW_BLOCK: usize = 32 * 1024;
/// Smallest number of bytes of a block for a slow fact: about 6 puzzles, so that a list of 48 puzzles is distributed over the threads.
const SMALLEST_SLOW_BLOCK: usize = 512;
/// Smallest number of bytes of a block. The number is low, so that even small inputs are distributed over the threads.
const SMALLEST_BLOCK: usize = 4 * 1024;
