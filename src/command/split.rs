//! `sudobench split`: writes the training rows to one file and the test rows to another file. The input is read once for each side,
//! and with `--stratify` once more.

use std::path::{Path, PathBuf};

use sudobench_harness::report::{count, counted, escape, lines_text};
use sudobench_rows::verbs::SplitOptions;
use sudobench_rows::{Finished, Job, StopFlags, check_sides, end_sides};
use sudobench_sudoku::simd::Level;

use super::rows::{RowsConfig, RunResult};
use super::typed_puzzles::inputs_of;
use super::{Exit, UsageError, say};
use crate::cli::RowsArgs;

/// Writes the training rows to the output, and then the test rows to `test_output`.
pub(super) fn run(
    options: SplitOptions,
    test_output: PathBuf,
    rows: RowsArgs,
    level: Level,
    interrupt: &StopFlags,
) -> anyhow::Result<Exit> {
    let RowsArgs { inputs, input, output, running } = rows;
    let inputs = inputs_of(inputs)?;
    let job = Job { verb: options.into(), inputs, input, output, shard: None, hash: false };
    let [train, test] = job.sides(test_output).map_err(UsageError::from)?;
    let mut train = RowsConfig::from_job(train, running.clone(), level)?;
    let test = RowsConfig::from_job(test, running, level)?;
    check_sides(&mut train.job, &test.job)?;
    let mut worst = Exit::Fine;
    let mut told = Vec::new();
    for (name, config) in [("train", &train), ("test", &test)] {
        let RunResult { finished, exit, .. } = config.run(interrupt, None, &|_| Ok(()))?;
        // The notices about malformed rows are the same for both sides.
        if told.is_empty() || finished.interrupted {
            config.print_words(&finished, exit.is_ok() && !finished.interrupted);
        }
        let exit = exit?;
        if exit == Exit::Interrupted {
            return Ok(exit);
        }
        if worst == Exit::Fine {
            worst = exit;
        }
        told.push((name, config, finished));
    }
    end_sides(&train.job, &test.job)?;
    if !train.quiet {
        show(&told);
        say::show(lines_text(&train.job.pass_lines()));
    }
    Ok(worst)
}

fn show(sides: &[(&str, &RowsConfig, Finished)]) {
    let written = |finished: &Finished| {
        let tally = &finished.measures.tally;
        tally.rows().saturating_sub(tally.left_out)
    };
    let all: u64 = sides.iter().map(|(_, _, finished)| written(finished)).sum();
    let wall: f64 = sides.iter().map(|(_, _, finished)| finished.wall.as_secs_f64()).sum();
    say::show(format_args!("{} split in {wall:.3} s\n", counted(all, "row")));
    for (name, config, finished) in sides {
        let rows = written(finished);
        let share = 100.0 * rows as f64 / all.max(1) as f64;
        let files = config.job.output_files();
        let file = files.first().map_or(Path::new("-"), PathBuf::as_path).display().to_string();
        let file = escape::visible(&file);
        say::show(format_args!("  {name:<11} {:>13}  {share:>7.2}%  {file}\n", count(rows)));
    }
}
