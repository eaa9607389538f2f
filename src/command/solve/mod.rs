//! `sudobench solve`: puzzles in, a row for every row out, and a report of the times.

mod config;
mod ending;
mod outputs;
mod resuming;
mod worker;
mod writer;

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};

use super::{Exit, interrupt};
use crate::cli::SolveArgs;
use config::Config;
use outputs::{Outputs, Run};
use sudobench_batch::pipeline;
use sudobench_batch::sink::{Destination, Format};
use sudobench_batch::source::{Input, ParsedBlock, Source};
use sudobench_batch::{Latency, Measures};
use sudobench_sudoku::simd::{Level, LevelError};
use worker::{SolveWorker, SourceReader};
use writer::{Progress, SolveWriter};

/// Solves what was asked for, and reports.
///
/// # Errors
/// Whatever keeps the run from its end: usage, input, output.
pub(super) fn run(typed: SolveArgs, level: Level) -> anyhow::Result<Exit> {
    let interrupted = interrupt::flag()?;
    let config = Config::new(typed, level, Arc::clone(&interrupted))?;
    if config.inputs.contains(&Input::Stdin) && std::io::stdin().is_terminal() && !config.quiet {
        anstream::eprintln!("sudobench: reading puzzles from the terminal; end them with Ctrl-D");
    }
    let mut source = Source::open(&config.inputs, config.options.clone())?;
    let format = Arc::new(Format::new(config.output_format, source.layout(), &config.columns));
    // Report files are opened before the work, so that a wrong path does not cost a night.
    let outputs = Outputs::create(&config)?;
    let state = resuming::state(&config, source.layout(), &format)?;
    let (mut destination, resumed_after) = Destination::open(&config.target, config.existing, &state)?;
    source.resume_after(resumed_after);
    if destination.is_empty()? {
        destination.write(format.header())?;
    }
    let progress = Progress::new(config.progress, config.quiet, &config.target);
    let mut writer = SolveWriter::new(destination, progress, Arc::clone(&interrupted));
    let mut workers = workers(&config, &source, &format, &interrupted)?;

    let (started, clock) = (SystemTime::now(), Instant::now());
    let piped = pipeline::run(&mut SourceReader(&mut source), &mut workers, &mut writer, &interrupted);
    let wall = clock.elapsed();

    let mut measures = Measures { tally: writer.tally, latency: Latency::new(&config.budgets.list) };
    workers.iter().for_each(|worker| measures.latency.merge(&worker.latency));
    let cut_short = piped.is_ok() && interrupted.load(Ordering::SeqCst);
    let (destination, notices) = writer.into_parts();
    let run =
        Run { config: &config, measures: &measures, wall, started, interrupted: cut_short, resumed_after };
    let exit = ending::end(destination, piped, &run);
    if !config.quiet {
        ending::print_notices(&notices, &config.inputs, &measures.tally);
        outputs::print_summary(&run);
    }
    outputs.write(&run, &source)?;
    exit
}

/// A worker for each thread, each with its own solver, built before the clock starts.
fn workers(
    config: &Config,
    source: &Source,
    format: &Arc<Format>,
    interrupted: &Arc<AtomicBool>,
) -> Result<Vec<SolveWorker>, LevelError> {
    let worker = || {
        Ok(SolveWorker {
            level: config.level,
            solver: config.variant.build(config.level)?,
            question: config.question.clone(),
            layout: Arc::clone(source.layout()),
            format: Arc::clone(format),
            interrupted: Arc::clone(interrupted),
            latency: Latency::new(&config.budgets.list),
            rows: ParsedBlock::default(),
            outcomes: Vec::new(),
        })
    };
    (0..config.threads).map(|_| worker()).collect()
}
