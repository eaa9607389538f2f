//! What a run of `solve` says at its end.

use std::fmt;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use sudobench_batch::Measures;
use sudobench_sudoku::solver::Status;

use super::{count, counted, draw_histogram, duration_ns, plural, rate, share, wrapped};

/// The summary of a run, for a terminal. Styled with ANSI codes; print it through `anstream`, which takes them
/// out where they are not wanted.
#[derive(Debug)]
pub struct RunSummary<'m> {
    /// What was measured.
    pub measures: &'m Measures,
    /// Wall time of the whole pass.
    pub wall: Duration,
    /// Worker threads.
    pub threads: usize,
    /// The solver variant's name.
    pub solver: &'m str,
    /// The shards that the run was merged from; 1 where it is one piece.
    pub shards: usize,
    /// Of the rows, those that an earlier run had answered.
    pub resumed_after: u64,
    /// Whether the budgets were asked for. Else they take a line, unless one is missed.
    pub budgets_were_typed: bool,
    /// How many columns a line holds.
    pub width: usize,
}

/// A space where no line is broken, in what is not wrapped yet.
const JOINED: &str = "\u{a0}";
const TITLE: Style = Style::new().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

impl fmt::Display for RunSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in Lines(self).to_string().lines() {
            let words = line.trim_start();
            let indent = &line[..line.len() - words.len()];
            let wrapped = wrapped(words, self.width, indent, &format!("{indent}    "));
            f.write_str(&wrapped.replace(JOINED, " "))?;
        }
        Ok(())
    }
}

/// The summary in lines of any length.
struct Lines<'s, 'm>(&'s RunSummary<'m>);

impl fmt::Display for Lines<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lines(summary) = self;
        summary.write_throughput(f)?;
        summary.write_statuses(f)?;
        if summary.solved() > 0 {
            summary.write_latency(f)?;
            summary.write_budgets(f)?;
        }
        Ok(())
    }
}

impl RunSummary<'_> {
    /// The puzzles that a solver was asked about.
    fn solved(&self) -> u64 {
        self.measures.tally.puzzles() - self.measures.tally.unasked
    }

    fn write_throughput(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tally = &self.measures.tally;
        let seconds = self.wall.as_secs_f64();
        let per_second = if seconds > 0.0 { tally.puzzles() as f64 / seconds } else { 0.0 };
        let rows = tally.rows();
        write!(f, "{TITLE}{}{TITLE:#} {} in {seconds:.3} s: ", count(rows), plural(rows, "row"))?;
        write!(f, "{TITLE}{}{TITLE:#} puzzles", rate(per_second))?;
        // Where no column needs an outcome, nobody solves.
        let solver = if tally.unasked > 0 { "not solved" } else { self.solver };
        writeln!(f, " ({solver}, {}, reading and writing included)", counted(self.threads as u64, "thread"))?;
        if self.shards > 1 {
            let shards = counted(self.shards as u64, "shard");
            writeln!(f, "  merged from {shards}: the time of the longest, the threads of all")?;
        }
        if self.resumed_after > 0 {
            writeln!(
                f,
                "  {} of these by an earlier run, with its time",
                counted(self.resumed_after, "row")
            )?;
        }
        Ok(())
    }

    fn write_statuses(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tally = &self.measures.tally;
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
        if tally.left_out > 0 {
            let kept = count(tally.rows() - tally.left_out);
            writeln!(
                f,
                "  {:<11} {:>13}  of these rows, by --only; {kept} kept",
                "left out",
                count(tally.left_out)
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
        if self.solved() > 0 {
            let mean = |total: u64| total as f64 / self.solved() as f64;
            write!(f, "  nodes {:.1} and guesses {:.2} a puzzle; ", mean(tally.nodes), mean(tally.guesses))?;
            writeln!(f, "{} without a guess", share(tally.without_guess, self.solved()))?;
        }
        Ok(())
    }

    fn write_latency(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.measures.latency.summary();
        writeln!(
            f,
            "{TITLE}latency{TITLE:#} of a puzzle, from entry to verdict, reading and writing left out"
        )?;
        // A run that ends early has timed puzzles whose rows were not written any more.
        if summary.puzzles != self.measures.tally.puzzles() {
            let (puzzles, were) = (summary.puzzles, if summary.puzzles == 1 { "was" } else { "were" });
            let timed = counted(puzzles, "puzzle");
            writeln!(f, "  {timed} {were} timed, not all of them written")?;
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
            write!(f, "  {name}{JOINED}{}", duration_ns(ns).replace(' ', JOINED))?;
        }
        let amortised = self.measures.tally.solving_ns as f64 / self.measures.tally.puzzles().max(1) as f64;
        writeln!(f, "\n  amortised {} of solver time a puzzle", duration_ns(amortised))?;
        f.write_str(&draw_histogram(&self.measures.latency, !self.budgets_take_a_line(), self.width))
    }

    /// Whether nobody asked for the budgets and all are kept: then a line says so.
    fn budgets_take_a_line(&self) -> bool {
        let latency = &self.measures.latency;
        let puzzles = latency.summary().puzzles;
        !self.budgets_were_typed && latency.within().iter().all(|within| within.puzzles == puzzles)
    }

    fn write_budgets(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let puzzles = self.measures.latency.summary().puzzles;
        if self.budgets_take_a_line() {
            let labels: Vec<String> =
                self.measures.latency.within().iter().map(|within| within.budget.label()).collect();
            return writeln!(f, "{TITLE}within budget{TITLE:#}  all, of {}", labels.join(", "));
        }
        if !self.measures.latency.within().is_empty() {
            writeln!(f, "{TITLE}within budget{TITLE:#}")?;
        }
        for within in self.measures.latency.within() {
            let style = if within.puzzles < puzzles { BAD } else { Style::new() };
            let (kept, share) = (count(within.puzzles), share(within.puzzles, puzzles));
            let label = within.budget.label();
            writeln!(f, "  {label:<16} {style}{kept:>13}{style:#} of {}  {share:>8}", count(puzzles))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudobench_batch::Budgets;
    use sudobench_sudoku::solver::Outcome;

    fn measured() -> Measures {
        let mut measures = Measures::new(&"boj2580".parse::<Budgets>().unwrap().list);
        for n in 0..1000u64 {
            let status = if n % 100 == 7 { Status::Aborted } else { Status::Unique };
            measures.record(&Outcome {
                status,
                nodes: n,
                guesses: n / 500,
                elapsed_ns: n * n * 150,
                ..Outcome::ABORTED
            });
        }
        measures.tally.record_malformed();
        measures.tally.compared = 900;
        measures.tally.mismatches = 2;
        measures
    }

    fn rendered(summary: &RunSummary) -> String {
        anstream::adapter::strip_str(&summary.to_string()).to_string()
    }

    #[test]
    fn a_run_is_summed_up() {
        let measures = measured();
        let wall = Duration::from_millis(1250);
        let summary = RunSummary {
            measures: &measures,
            wall,
            threads: 2,
            solver: "mrv",
            shards: 3,
            resumed_after: 12_000,
            budgets_were_typed: true,
            width: usize::MAX,
        };
        insta::assert_snapshot!(rendered(&summary));
    }

    #[test]
    fn a_run_without_puzzles_says_so_without_dividing_by_nothing() {
        let measures = Measures::new(&[]);
        let summary = RunSummary {
            measures: &measures,
            wall: Duration::ZERO,
            threads: 1,
            solver: "mrv",
            shards: 1,
            resumed_after: 0,
            budgets_were_typed: false,
            width: usize::MAX,
        };
        assert_eq!(
            rendered(&summary),
            "0 rows in 0.000 s: 0.00/s puzzles (mrv, 1 thread, reading and writing included)\n"
        );
    }

    #[test]
    fn lines_keep_to_the_width() {
        let measures = measured();
        for (width, budgets_were_typed) in
            [40, 60, 80, 120].into_iter().flat_map(|width| [(width, true), (width, false)])
        {
            let summary = RunSummary {
                measures: &measures,
                wall: Duration::from_millis(1250),
                threads: 1,
                solver: "candidate-list",
                shards: 2,
                resumed_after: 1,
                budgets_were_typed,
                width,
            };
            let text = rendered(&summary);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
            assert!(text.contains("  1 row of these by an earlier run,"), "{text}");
        }
    }
}
