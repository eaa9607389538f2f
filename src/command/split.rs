//! `sudobench split`: writes the training rows to one file and the test rows to another file. The input is read once for each side.

use std::path::{Path, PathBuf};

use sudobench_rows::Finished;
use sudobench_rows::sink::{self, DestinationError, Existing, Place, Target, folder_of};
use sudobench_rows::verbs::SplitOptions;
use sudobench_sudoku::simd::Level;

use super::rows::{Ran, RowsConfig, is_read_once};
use super::{Exit, UsageError, interrupt, say};
use crate::cli::RowsArgs;
use sudobench_harness::report::{count, counted, escape};
use sudobench_rows::{check_apart, is_standard};

/// Writes the training rows to the output, and then the test rows to `test_output`.
///
/// # Errors
///
/// If the command line is invalid, an input can't be read, or an output can't be written.
pub(super) fn run(
    options: &SplitOptions,
    test_output: PathBuf,
    rows: RowsArgs,
    level: Level,
) -> anyhow::Result<Exit> {
    let interrupt = interrupt::flags()?;
    let train_output = rows.output.output.clone().unwrap_or_default();
    let keeps_record = rows.output.resume;
    if is_standard(&train_output) && is_standard(&test_output) {
        let words = "both sides go to standard output: name a file for one of them";
        return Err(UsageError(words.to_owned()).into());
    }
    check_apart([], [train_output.as_path(), test_output.as_path()]).map_err(UsageError::from)?;
    let side = |output: PathBuf, condition: &str| {
        let mut rows = rows.clone();
        rows.output.output = Some(output);
        rows.output.only.push(condition.to_owned());
        rows.output.columns.get_or_insert_with(|| "none".to_owned());
        RowsConfig::new(rows, options.clone(), false, level)
    };
    // Both outputs are checked before one of them is written.
    let mut sides = [("train", side(train_output, "side!=test")?), ("test", side(test_output, "side=test")?)];
    if let Some(input) = sides[0].1.job.inputs.iter().find(|input| is_read_once(input)) {
        let words = format!(
            "--test-output reads the input twice, which {input} does not allow: store it in a file first"
        );
        return Err(UsageError(words).into());
    }
    if !rows.output.force && !rows.output.resume {
        for path in sides.iter().flat_map(|(_, config)| config.job.output_files()) {
            let folder = folder_of(&path);
            anyhow::ensure!(
                folder.is_dir(),
                "cannot create {}: there is no folder {}",
                path.display(),
                folder.display()
            );
            anyhow::ensure!(!path.try_exists()?, DestinationError::Exists(path));
        }
        for (_, config) in &sides {
            sink::look(&config.job.target, Existing::Refuse)?;
        }
        // If the test rows are interrupted, a run with --resume must recognise the complete training rows.
        let train = &mut sides[0].1.job;
        if matches!(&train.target, Target::File(path) if matches!(Place::of(path), Ok(Place::File(_)))) {
            train.existing = Existing::Resume;
        }
    }
    let mut worst = Exit::Fine;
    let mut told = Vec::new();
    for (name, config) in &sides {
        let Ran { finished, exit, .. } =
            config.run(&interrupt, || config.description(), None, &|_, _| Ok(()))?;
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
        told.push((*name, config, finished));
    }
    if !keeps_record {
        sink::forget(&sides[0].1.job.target)?;
    }
    if !sides[0].1.quiet {
        show(&told);
    }
    Ok(worst)
}

/// Reports the number of rows on each side.
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
