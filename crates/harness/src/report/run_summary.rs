//! The summary at the end of a run of `solve`.

use std::fmt::{self, Write as _};

use anstyle::Style;
use sudobench_rows::{Budget, Latency};

use super::histogram::draw_histogram;
use super::rows_summary::{BAD, JOINED, TITLE};
use super::units::batch_caption;
use super::{RowsSummary, count, counted, duration_ns, share};

/// The summary of a run of `solve`, for a terminal. It has ANSI styles; print it through `anstream`, which removes them if necessary.
#[derive(Debug)]
pub struct RunSummary<'m> {
    /// Summary of the rows.
    pub rows: RowsSummary<'m>,
    /// The times of the puzzles.
    pub latency: &'m Latency,
    /// Whether the user set the budgets. If not, they are shown in one line, unless a puzzle exceeds a budget.
    pub budgets_were_typed: bool,
}

impl RunSummary<'_> {
    /// Returns the summary as text.
    pub fn text(&self) -> String {
        // If nothing needs the solver's answers, the puzzles are not solved.
        let by = if self.rows.tally.unasked > 0 { "not solved" } else { self.rows.by };
        RowsSummary { by, ..self.rows }.text_with(|text| {
            if self.solved() > 0 {
                self.write_nodes(text)?;
                self.write_latency(text)?;
                self.write_budgets(text)?;
            }
            Ok(())
        })
    }

    fn solved(&self) -> u64 {
        self.rows.tally.puzzles() - self.rows.tally.unasked
    }

    fn write_nodes(&self, text: &mut String) -> fmt::Result {
        let tally = self.rows.tally;
        let mean = |total: u64| total as f64 / self.solved() as f64;
        write!(text, "  nodes {:.1} and guesses {:.2} a puzzle; ", mean(tally.nodes), mean(tally.guesses))?;
        writeln!(text, "{} without a guess", share(tally.without_guess, self.solved()))
    }

    fn write_latency(&self, text: &mut String) -> fmt::Result {
        let summary = self.latency.summary();
        let amortised = self.rows.tally.solving_ns as f64 / self.rows.tally.puzzles().max(1) as f64;
        writeln!(
            text,
            "{TITLE}time{TITLE:#} of a puzzle  {} of solver time, amortised over all puzzles",
            duration_ns(amortised)
        )?;
        writeln!(text, "{TITLE}latency{TITLE:#} of a puzzle, from entering the solver to the answer")?;
        // If puzzles are solved one after the other, their latencies add up to at most the solver's time. If the mean latency is much
        // larger than the solver's time for a puzzle, the puzzles wait for batches.
        if summary.mean > 2.0 * amortised {
            writeln!(text, "  {}", batch_caption(&[self.rows.by.to_owned()]))?;
        }
        // If a run ends early, the rows of some timed puzzles may not have been written.
        if summary.puzzles != self.rows.tally.puzzles() {
            let (puzzles, were) = (summary.puzzles, if summary.puzzles == 1 { "was" } else { "were" });
            let timed = counted(puzzles, "puzzle");
            writeln!(text, "  {timed} {were} timed, but not all rows were written")?;
        }
        let figures = [
            ("mean", summary.mean),
            ("p50", summary.p50 as f64),
            ("p90", summary.p90 as f64),
            ("p99", summary.p99 as f64),
            ("p99.9", summary.p99_9 as f64),
            ("max", summary.max as f64),
        ];
        for (name, ns) in figures {
            write!(text, "  {name}{JOINED}{}", duration_ns(ns).replace(' ', JOINED))?;
        }
        text.write_str("\n")?;
        let marked = if self.budgets_take_a_line() { &[] } else { self.latency.within() };
        let budgets: Vec<Budget> = marked.iter().map(|within| within.budget.clone()).collect();
        text.write_str(&draw_histogram(self.latency.histogram(), &budgets, self.rows.width))
    }

    /// Returns whether one line is enough for the budgets, because they are the default budgets and no puzzle exceeds them.
    fn budgets_take_a_line(&self) -> bool {
        let latency = self.latency;
        let puzzles = latency.summary().puzzles;
        !self.budgets_were_typed && latency.within().iter().all(|within| within.puzzles == puzzles)
    }

    fn write_budgets(&self, text: &mut String) -> fmt::Result {
        let puzzles = self.latency.summary().puzzles;
        if self.budgets_take_a_line() {
            let labels: Vec<String> =
                self.latency.within().iter().map(|within| within.budget.label()).collect();
            return writeln!(
                text,
                "{TITLE}within budget{TITLE:#}  all puzzles, for the budgets {}",
                labels.join(", ")
            );
        }
        if !self.latency.within().is_empty() {
            writeln!(text, "{TITLE}within budget{TITLE:#}")?;
        }
        for within in self.latency.within() {
            let style = if within.puzzles < puzzles { BAD } else { Style::new() };
            let (kept, share) = (count(within.puzzles), share(within.puzzles, puzzles));
            let label = within.budget.label();
            writeln!(text, "  {label:<16} {style}{kept:>13}{style:#} of {}  {share:>8}", count(puzzles))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use sudobench_rows::{Budgets, RunMeasures};
    use sudobench_sudoku::solver::{Outcome, Status};

    fn measured() -> RunMeasures {
        let mut measures = RunMeasures::new(&"boj2580".parse::<Budgets>().unwrap().list);
        for n in 0..1000u64 {
            let status = if n % 100 == 7 { Status::Aborted } else { Status::Unique };
            measures.tally.record(&Outcome { status, nodes: n, guesses: n / 500, ..Outcome::ABORTED });
            measures.latency.record(n * n * 150, status != Status::Aborted);
        }
        measures.tally.record_malformed();
        measures.tally.compared = 900;
        measures.tally.mismatches = 2;
        measures
    }

    fn rendered(summary: &RunSummary) -> String {
        anstream::adapter::strip_str(&summary.text()).to_string()
    }

    #[test]
    fn a_run_is_summarized() {
        let measures = measured();
        let wall = Duration::from_millis(1250);
        let summary = RunSummary {
            rows: RowsSummary {
                tally: &measures.tally,
                wall,
                threads: 2,
                by: "mrv",
                shards: 3,
                resumed_after: 12_000,
                left_out_by: "--only",
                columns: &[],
                width: usize::MAX,
            },
            latency: &measures.latency,
            budgets_were_typed: true,
        };
        insta::assert_snapshot!(rendered(&summary));
    }

    /// If the waiting time were shown as the time of a puzzle, the solver that is fastest in batches would look slow.
    #[test]
    fn waiting_for_a_batch_is_not_shown_as_time_of_a_puzzle() {
        let mut measures = measured();
        let text = |measures: &RunMeasures| {
            let rows = RowsSummary {
                tally: &measures.tally,
                wall: Duration::from_secs(1),
                threads: 1,
                by: "auto",
                shards: 1,
                resumed_after: 0,
                left_out_by: "--only",
                columns: &[],
                width: usize::MAX,
            };
            rendered(&RunSummary { rows, latency: &measures.latency, budgets_were_typed: false })
        };
        // The solver time is 50 ms a puzzle, and the mean latency is 49.9 ms, so the puzzles can have been solved one after the other.
        measures.tally.solving_ns = 1000 * 50_000_000;
        assert!(!text(&measures).contains("batch"), "{}", text(&measures));
        measures.tally.solving_ns = 1000 * 3_510;
        let batches = text(&measures);
        let [time, latency, caption] =
            ["time of a puzzle  3.51 us", "latency of a puzzle", "auto takes puzzles in batches"]
                .map(|message| batches.find(message).unwrap_or_else(|| panic!("{message}: {batches}")));
        assert!(time < latency && latency < caption, "{batches}");
    }

    #[test]
    fn a_run_without_puzzles_is_summarized_without_dividing_by_zero() {
        let measures = RunMeasures::new(&[]);
        let summary = RunSummary {
            rows: RowsSummary {
                tally: &measures.tally,
                wall: Duration::ZERO,
                threads: 1,
                by: "mrv",
                shards: 1,
                resumed_after: 0,
                left_out_by: "--only",
                columns: &[],
                width: usize::MAX,
            },
            latency: &measures.latency,
            budgets_were_typed: false,
        };
        assert_eq!(
            rendered(&summary),
            "0 rows in 0.000 s: 0.00 puzzles/s (mrv, 1 thread, reading and writing included)\n"
        );
    }

    #[test]
    fn lines_keep_to_the_width() {
        let measures = measured();
        for (width, budgets_were_typed) in
            [40, 60, 80, 120].into_iter().flat_map(|width| [(width, true), (width, false)])
        {
            let summary = RunSummary {
                rows: RowsSummary {
                    tally: &measures.tally,
                    wall: Duration::from_millis(1250),
                    threads: 1,
                    by: "candidate-list",
                    shards: 2,
                    resumed_after: 1,
                    left_out_by: "--only",
                    columns: &[],
                    width,
                },
                latency: &measures.latency,
                budgets_were_typed,
            };
            let text = rendered(&summary);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
            assert!(text.contains("  1 row of these from an earlier run,"), "{text}");
        }
    }
}
