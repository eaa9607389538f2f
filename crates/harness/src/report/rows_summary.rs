//! The summary at the end of a command that processes rows: number of rows, time, and remarks on some rows.

use std::fmt;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use sudobench_rows::Tally;
use sudobench_rows::columns::{Column, word_counts};
use sudobench_sudoku::Status;

use super::{count, counted, plural, rate, share, wrapped};

/// The summary of a run over rows, for a terminal. It has ANSI styles; print it through `anstream`, which removes them if necessary.
#[derive(Debug)]
pub struct RowsSummary<'t> {
    /// The counts of rows.
    pub tally: &'t Tally,
    /// Wall time of the whole pass.
    pub wall: Duration,
    /// Number of worker threads.
    pub threads: usize,
    /// Name of the solver or of the activity.
    pub by: &'t str,
    /// Number of shards that the run was merged from; 1 if it was not merged.
    pub shards: usize,
    /// Number of rows that were already done by the run that was resumed.
    pub resumed_after: u64,
    /// The option that leaves rows out.
    pub left_out_by: &'t str,
    /// The added columns, whose words are counted.
    pub columns: &'t [Column],
    /// Maximum width of a line in columns.
    pub width: usize,
}

/// Stands for a space at which a line must not be broken. After wrapping, it is replaced by a space.
pub(super) const JOINED: &str = "\u{a0}";
pub(super) const TITLE: Style = Style::new().bold();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Breaks long lines into lines of at most `width` columns, and writes them.
pub(super) fn write_wrapped(
    lines: &impl fmt::Display,
    width: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for line in lines.to_string().lines() {
        let words = line.trim_start();
        let indent = &line[..line.len() - words.len()];
        let wrapped = wrapped(words, width, indent, &format!("{indent}    "));
        f.write_str(&wrapped.replace(JOINED, " "))?;
    }
    Ok(())
}

impl fmt::Display for RowsSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_wrapped(&fmt::from_fn(|f| self.write_lines(f)), self.width, f)
    }
}

impl RowsSummary<'_> {
    /// Writes the summary without wrapping its lines.
    pub(super) fn write_lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_throughput(f)?;
        self.write_statuses(f)
    }

    fn write_throughput(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tally = self.tally;
        let seconds = self.wall.as_secs_f64();
        let per_second = if seconds > 0.0 { tally.puzzles() as f64 / seconds } else { 0.0 };
        let rows = tally.rows();
        write!(f, "{TITLE}{}{TITLE:#} {} in {seconds:.3} s: ", count(rows), plural(rows, "row"))?;
        write!(f, "{TITLE}{}{TITLE:#} puzzles", rate(per_second))?;
        writeln!(
            f,
            " ({}, {}, reading and writing included)",
            self.by,
            counted(self.threads as u64, "thread")
        )?;
        if self.shards > 1 {
            let shards = counted(self.shards as u64, "shard");
            writeln!(f, "  merged from {shards}: time of the longest shard, threads of all shards")?;
        }
        if self.resumed_after > 0 {
            writeln!(
                f,
                "  {} of these from an earlier run, whose time is included",
                counted(self.resumed_after, "row")
            )?;
        }
        Ok(())
    }

    fn write_statuses(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tally = self.tally;
        for status in Status::ALL {
            let rows = tally.of(status);
            let style =
                if matches!(status, Status::Malformed | Status::Aborted) { BAD } else { Style::new() };
            if rows > 0 {
                let share = share(rows, tally.rows());
                writeln!(f, "  {style}{:<11}{style:#} {:>13}  {share:>8}", status.name(), count(rows))?;
            }
        }
        if tally.compared > 0 {
            let style = if tally.mismatches > 0 { BAD } else { Style::new() };
            let (mismatches, compared) = (count(tally.mismatches), count(tally.compared));
            writeln!(
                f,
                "  {style}{:<11}{style:#} {mismatches:>13}  of {compared} expected {}",
                "mismatches",
                plural(tally.compared, "solution")
            )?;
        }
        // The labels have the form of a condition for --only.
        let words: Vec<(String, u64)> = word_counts(self.columns, tally)
            .flat_map(|(column, counts)| {
                let counts = counts.into_iter().filter(|(_, rows)| *rows > 0);
                counts.map(move |(word, rows)| (format!("{}={word}", column.name), rows))
            })
            .collect();
        // These counts are aligned with the counts of the statuses above, unless a label is too long.
        let lengths = words.iter().map(|(label, rows)| label.len() + 1 + count(*rows).len());
        let width = lengths.max().unwrap_or(0).max(25);
        for (label, rows) in words {
            let padding = width - label.len();
            writeln!(f, "  {label}{:>padding$}  {:>8}", count(rows), share(rows, tally.rows()))?;
        }
        if tally.left_out > 0 {
            let kept = count(tally.rows() - tally.left_out);
            writeln!(
                f,
                "  {:<11} {:>13}  of these rows, by {}; {kept} kept",
                "left out",
                count(tally.left_out),
                self.left_out_by
            )?;
        }
        if tally.restored > 0 {
            let restored = count(tally.restored);
            writeln!(f, "  {:<11} {restored:>13}  of these rows, by --restore-zeros", "restored")?;
        }
        if tally.refused > 0 {
            writeln!(
                f,
                "  {BAD}{:<11}{BAD:#} {:>13}  wrong grids: a bug of the solver",
                "refused",
                count(tally.refused)
            )?;
        }
        Ok(())
    }
}
