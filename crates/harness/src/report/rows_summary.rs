//! The summary at the end of a command that processes rows: number of rows, time, and how many rows
//! have each status or were left out.

use std::fmt::{self, Write as _};
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
    /// Wall time of the run, including the earlier run that it resumed. For merged shards, the time of the slowest shard.
    pub wall: Duration,
    /// Number of worker threads; for merged shards, the sum over all shards.
    pub threads: usize,
    /// Name of the solver or, for a command other than `solve`, a name such as `rate`.
    pub by: &'t str,
    /// Number of shards that the run was merged from; 1 if it was not merged.
    pub shards: usize,
    /// Number of rows that were already done by the run that was resumed.
    pub resumed_after: u64,
    /// What leaves rows out, such as the option `--only`.
    pub left_out_by: &'t str,
    /// The added columns. For a column with a fixed list of possible values (except `match` and `technique`), the summary shows the number
    /// of rows with each value.
    pub columns: &'t [Column],
    /// Maximum width of a line, in columns of the terminal.
    pub width: usize,
}

/// Stands for a space at which a line must not be broken. After wrapping, it is replaced by a space.
pub(super) const JOINED: &str = "\u{a0}";
pub(super) const TITLE: Style = Style::new().bold();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();

impl RowsSummary<'_> {
    /// Returns the summary as text. No line is wider than `width`.
    pub fn text(&self) -> String {
        self.text_with(|_| Ok(()))
    }

    /// Returns the summary as text, followed by the lines that `write_more` writes.
    pub(super) fn text_with(&self, write_more: impl FnOnce(&mut String) -> fmt::Result) -> String {
        let mut lines = String::new();
        // Writing to a string does not fail.
        let _ = self
            .write_throughput(&mut lines)
            .and_then(|()| self.write_statuses(&mut lines))
            .and_then(|()| write_more(&mut lines));
        let wrap = |line: &str| {
            let words = line.trim_start();
            let indent = &line[..line.len() - words.len()];
            wrapped(words, self.width, indent, &format!("{indent}    ")).replace(JOINED, " ")
        };
        lines.lines().map(wrap).collect()
    }

    fn write_throughput(&self, text: &mut String) -> fmt::Result {
        let tally = self.tally;
        let seconds = self.wall.as_secs_f64();
        let per_second = if seconds > 0.0 { tally.puzzles() as f64 / seconds } else { 0.0 };
        let rows = tally.rows();
        write!(text, "{TITLE}{}{TITLE:#} {} in {seconds:.3} s: ", count(rows), plural(rows, "row"))?;
        write!(text, "{TITLE}{}{TITLE:#} puzzles/s", rate(per_second).trim_end_matches("/s"))?;
        writeln!(
            text,
            " ({}, {}, reading and writing included)",
            self.by,
            counted(self.threads as u64, "thread")
        )?;
        if self.shards > 1 {
            let shards = counted(self.shards as u64, "shard");
            writeln!(text, "  merged from {shards}: time of the slowest shard, threads of all shards")?;
        }
        if self.resumed_after > 0 {
            writeln!(
                text,
                "  {} of these from an earlier run, whose time is included",
                counted(self.resumed_after, "row")
            )?;
        }
        Ok(())
    }

    fn write_statuses(&self, text: &mut String) -> fmt::Result {
        let tally = self.tally;
        for status in Status::ALL {
            let rows = tally.rows_with(status);
            let style =
                if matches!(status, Status::Malformed | Status::Aborted) { BAD } else { Style::new() };
            if rows > 0 {
                write_count(text, style, status.name(), rows, &format!("{:>8}", share(rows, tally.rows())))?;
            }
        }
        if tally.compared > 0 {
            let style = if tally.mismatches > 0 { BAD } else { Style::new() };
            let of = format!("of {}", counted(tally.compared, "expected solution"));
            write_count(text, style, "mismatches", tally.mismatches, &of)?;
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
            writeln!(text, "  {label}{:>padding$}  {:>8}", count(rows), share(rows, tally.rows()))?;
        }
        if tally.left_out > 0 {
            let kept = count(tally.rows() - tally.left_out);
            let rest = format!("of these rows, by {}; {kept} kept", self.left_out_by);
            write_count(text, Style::new(), "left out", tally.left_out, &rest)?;
        }
        if tally.restored > 0 {
            write_count(text, Style::new(), "restored", tally.restored, "of these rows, by --restore-zeros")?;
        }
        if tally.refused > 0 {
            write_count(text, BAD, "refused", tally.refused, "wrong grids: a bug of the solver")?;
        }
        Ok(())
    }
}

pub(super) fn write_count(text: &mut String, style: Style, name: &str, rows: u64, rest: &str) -> fmt::Result {
    writeln!(text, "  {style}{name:<11}{style:#} {:>13}  {rest}", count(rows))
}
