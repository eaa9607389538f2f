//! `solve` as typed -> validated.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::cli::{InputArgs, OutputArgs, ProgressWhen, ReportingArgs, SolveArgs};
use crate::command::UsageError;
use sudobench_batch::Budgets;
use sudobench_batch::sink::{Column, Existing, FormatName as OutputFormat, Target};
use sudobench_batch::source::{BlockSize, Input, Options};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Question, Variant};

/// A run of `solve`, validated: whatever is wrong below this is the fault of the data or the system.
pub(super) struct Config {
    pub(super) inputs: Vec<Input>,
    pub(super) options: Options,
    pub(super) variant: &'static Variant,
    /// The variant's [`sudobench_sudoku::solver::Solver::batch_size`].
    pub(super) batch_size: usize,
    pub(super) level: Level,
    pub(super) question: Question,
    pub(super) threads: usize,
    pub(super) target: Target,
    pub(super) existing: Existing,
    pub(super) output_format: OutputFormat,
    pub(super) columns: Vec<Column>,
    pub(super) budgets: Budgets,
    pub(super) report: Option<PathBuf>,
    pub(super) hgrm: Option<PathBuf>,
    pub(super) histogram_log: Option<PathBuf>,
    pub(super) progress: ProgressWhen,
    pub(super) quiet: bool,
}

/// Bytes of a row, between a bare puzzle's 82 and the 164 of one with its solution. Blocks are measured by it: two
/// a thread, with their output, have to stay below 8 MiB.
const TYPICAL_ROW: usize = 120;
/// The largest block that is cut for variants that solve one puzzle at a time.
const LARGEST_BLOCK: usize = 256 * 1024;
/// The smallest block: small inputs still spread over the threads.
const SMALLEST_BLOCK: usize = 4 * 1024;

impl Config {
    /// Validates what was typed. `interrupted` gives up the puzzles under work when it becomes true.
    ///
    /// # Errors
    /// [`UsageError`] where parts of the command line contradict each other.
    pub(super) fn new(
        typed: SolveArgs,
        level: Level,
        interrupted: Arc<AtomicBool>,
    ) -> Result<Config, UsageError> {
        let SolveArgs { inputs, input, solving, output, reporting } = typed;
        let inputs = inputs_of(inputs)?;
        let columns = columns_of(&output)?;
        check_files(&output, &reporting)?;
        let question = Question {
            max_nodes: solving.max_nodes,
            max_time: solving.max_time,
            cancel: Some(interrupted),
            ..reporting.budgets.question(solving.max_solutions)
        };
        let built = solving.solver.build(level).map_err(|error| UsageError(error.to_string()))?;
        let batch_size = built.batch_size();
        let options = options_of(input, batch_size, reporting.hash);
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Ok(Config {
            inputs,
            options,
            variant: solving.solver,
            batch_size,
            level,
            question,
            threads: solving.threads.unwrap_or_else(cores).get(),
            target: target_of(&output),
            existing: match (output.resume, output.force) {
                (true, _) => Existing::Resume,
                (_, true) => Existing::Overwrite,
                _ => Existing::Refuse,
            },
            output_format: output.output_format,
            columns,
            budgets: reporting.budgets,
            report: reporting.report,
            hgrm: reporting.hgrm,
            histogram_log: reporting.histogram_log,
            progress: reporting.progress,
            quiet: reporting.quiet,
        })
    }
}

fn options_of(input: InputArgs, batch_size: usize, hash: bool) -> Options {
    Options {
        format: input.input_format,
        delimiter: input.delimiter,
        puzzle_column: input.puzzle_column,
        solution_column: input.solution_column,
        header: input.header,
        skip: input.skip,
        limit: input.limit,
        hash,
        block: block_size(batch_size),
    }
}

fn inputs_of(paths: Vec<PathBuf>) -> Result<Vec<Input>, UsageError> {
    if paths.is_empty() {
        return Ok(vec![Input::Stdin]);
    }
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    if paths.iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(UsageError("standard input (`-`) can be read only once".to_owned()));
    }
    Ok(paths.into_iter().map(|path| if is_stdin(&path) { Input::Stdin } else { Input::File(path) }).collect())
}

fn target_of(output: &OutputArgs) -> Target {
    match &output.output {
        Some(path) if path.as_os_str() != "-" => Target::File(path.clone()),
        _ => Target::Stdout,
    }
}

fn columns_of(output: &OutputArgs) -> Result<Vec<Column>, UsageError> {
    let has_columns = matches!(output.output_format, OutputFormat::Csv | OutputFormat::Jsonl);
    match &output.columns {
        Some(_) if !has_columns => Err(UsageError(
            "--columns belongs to the output formats csv and jsonl; the others have none".to_owned(),
        )),
        Some(list) => Ok(list.0.clone()),
        None => Ok(Column::DEFAULT.to_vec()),
    }
}

/// No two outputs may go to one file.
fn check_files(output: &OutputArgs, reporting: &ReportingArgs) -> Result<(), UsageError> {
    let files = [&output.output, &reporting.report, &reporting.hgrm, &reporting.histogram_log];
    let mut seen: Vec<&PathBuf> = Vec::new();
    for path in files.into_iter().flatten() {
        if seen.contains(&path) {
            return Err(UsageError(format!("{} is named for two outputs", path.display())));
        }
        seen.push(path);
    }
    Ok(())
}

/// Blocks as large as the variant's batches want them.
fn block_size(batch_size: usize) -> BlockSize {
    let batch = batch_size * TYPICAL_ROW;
    BlockSize { min: SMALLEST_BLOCK.max(batch), max: LARGEST_BLOCK.max(batch) }
}
