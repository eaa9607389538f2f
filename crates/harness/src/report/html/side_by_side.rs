//! The first section of a page of several records: the changes from the first record to each later record.
//!
//! Letters stand for the records, because the names of records are too long for headers. A difference is shown only if the solver had the
//! same task and the same puzzles in both records: `compare` must be able to compare the pair, and both records must have the same number
//! of puzzles.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::plot::Plot;
use super::{plots, table};
use crate::analysis::{CompareTerms, Comparison, ComparisonOutcome, TimeVerdict, caveats, compare, distinct};
use crate::record::registry::{Comparing, Figure, TableId, figures_of};
use crate::record::{BenchRecord, BudgetRecord, DatasetRecord, Kind, Measurement, PairRecord, Verdict};
use crate::report::bench_tables::within_cell;
use crate::report::compare_report::{compare_grids, in_words, percent};
use crate::report::count;
use crate::report::figure_cell::figure_cell;
use crate::report::grid::{Cell, Grid};

pub(super) const ID: &str = "side-by-side";

/// Returns the section of two or more records with these `names`.
pub(super) fn section(records: &[BenchRecord], names: &[String]) -> Markup {
    let comparisons = compare(records, CompareTerms::default());
    let letters: Vec<String> = (0..records.len()).map(letter).collect();
    let compared = Compare { records, comparisons: &comparisons };
    html! {
        section id=(ID) {
            h2 { "Side by side" }
            dl { @for (letter, name) in letters.iter().zip(names) { dt { (letter) } dd { (name) } } }
            ul {
                @for (record, letter) in letters.iter().enumerate().skip(1) {
                    li { (verdicts(&comparisons, record, letter)) }
                }
            }
            @for grid in compare_grids(&comparisons, &caveats(records), &letters) { (table(&grid)) }
            @for dataset in &records[0].datasets {
                @for plot in compared.plots(dataset, &letters) { (plot.html()) }
                @let figures = compared.figures(dataset, &letters);
                @if !figures.rows.is_empty() { (table(&figures)) }
            }
        }
    }
}

/// Returns the letter of a record: `A` to `Z`, then numbers.
fn letter(at: usize) -> String {
    let letter = u8::try_from(at).ok().filter(|at| *at < 26).map(|at| char::from(b'A' + at));
    letter.map_or_else(|| (at + 1).to_string(), String::from)
}

/// Returns a text that says how many pairs of a record have each verdict. The verdicts compare the pairs with the first record. The most
/// important verdict comes first.
fn verdicts(comparisons: &[Comparison], record: usize, letter: &str) -> String {
    let place_and_words = |comparison: &Comparison| match &comparison.outcome {
        ComparisonOutcome::Judged(change) if change.is_lost() => (0, "accepted before and not now"),
        ComparisonOutcome::Judged(change) if change.verdict.0 != change.verdict.1 => {
            (1, "with another verdict")
        }
        ComparisonOutcome::Judged(_) => (2, "with the same verdict"),
        ComparisonOutcome::Both(change) => match change.verdict {
            TimeVerdict::Slower => (3, in_words(change.verdict)),
            TimeVerdict::Faster => (4, in_words(change.verdict)),
            TimeVerdict::Same => (5, in_words(change.verdict)),
            TimeVerdict::NotSignificant => (6, in_words(change.verdict)),
            TimeVerdict::TooFewRuns => (7, "without a verdict"),
            TimeVerdict::UnequalRuns | TimeVerdict::OtherMachine | TimeVerdict::OtherPuzzles => {
                (7, in_words(change.verdict))
            }
        },
        ComparisonOutcome::Not(_) => (8, "not compared"),
        ComparisonOutcome::Gone => (9, "only in the first record"),
    };
    let mut counts: BTreeMap<(u8, &str), u64> = BTreeMap::new();
    for comparison in comparisons.iter().filter(|comparison| comparison.record == record) {
        *counts.entry(place_and_words(comparison)).or_default() += 1;
    }
    let counts: Vec<String> =
        counts.iter().map(|((_, words), pairs)| format!("{} {words}", count(*pairs))).collect();
    format!("{letter} against {}: {}", self::letter(0), counts.join(", "))
}

/// The figure of a measurement that a row shows.
enum Shown {
    Figure(&'static Figure, &'static str),
    /// Number of puzzles that the judge accepted.
    Accepted,
    /// Number of puzzles within a budget.
    Within(BudgetRecord),
}

impl Shown {
    fn name(&self) -> String {
        match self {
            Shown::Figure(_, header) => (*header).to_owned(),
            Shown::Accepted => "accepted".to_owned(),
            Shown::Within(budget) => format!("within {}", budget.label),
        }
    }

    /// Returns the table cell with this figure of a measurement. `None` if the measurement doesn't have the figure.
    fn cell(&self, measurement: &Measurement) -> Option<Cell> {
        match self {
            Shown::Figure(figure, _) => figure_cell(figure, measurement),
            Shown::Accepted => {
                let judge = measurement.judge.as_ref()?;
                let accepted = judge.with_verdict(Verdict::Accepted);
                let text = format!("{} of {}", count(accepted), count(judge.puzzles()));
                Some(Cell::number(accepted as f64, text))
            }
            Shown::Within(shown) => {
                let budget = measurement.budgets.iter().find(|budget| budget.limit_ns == shown.limit_ns)?;
                Some(within_cell(budget))
            }
        }
    }

    /// Returns whether a batch solver's value of this figure depends on the order of the puzzles.
    fn depends_on_order(&self) -> bool {
        matches!(self, Shown::Figure(figure, _) if figure.comparing == Comparing::Exactly)
    }
}

struct Compare<'r> {
    records: &'r [BenchRecord],
    comparisons: &'r [Comparison],
}

impl<'r> Compare<'r> {
    /// Returns the pair of this solver and dataset in the record with index `record`. `None` if the record does not have the pair. Also
    /// `None` if only one of this record and the first record is of `judge`, because `judge` and `bench` have different figures.
    fn pair(&self, record: usize, solver: &str, dataset: &str) -> Option<&'r PairRecord> {
        let same_kind = self.records[record].is_judged() == self.records[0].is_judged();
        self.records[record].pair(solver, dataset).filter(|_| same_kind)
    }

    /// Returns whether the figures of a pair can be compared with its figures in the first record: the task and the puzzles must be the
    /// same.
    fn is_comparable(&self, record: usize, solver: &str, dataset: &str) -> bool {
        let pair = self.comparisons.iter().find(|comparison| {
            (comparison.record, comparison.solver.as_str(), comparison.dataset.as_str())
                == (record, solver, dataset)
        });
        match pair.map(|comparison| &comparison.outcome) {
            Some(ComparisonOutcome::Both(change)) => change.puzzles.0 == change.puzzles.1,
            Some(ComparisonOutcome::Judged(change)) => {
                let ((_, before), (_, now)) = change.accepted;
                before == now
                    && (self.is_same_order(record) || self.records[record].settings.sample.is_none())
            }
            Some(ComparisonOutcome::Not(_) | ComparisonOutcome::Gone) | None => false,
        }
    }

    fn is_same_order(&self, record: usize) -> bool {
        self.records[record].seed == self.records[0].seed
    }

    /// Returns the solvers of a dataset, starting with the solvers of the first record.
    fn solvers(&self, dataset: &str) -> Vec<&'r str> {
        let pairs = self.records.iter().flat_map(|record| record.pairs_of(dataset));
        distinct(pairs.map(|pair| pair.solver.as_str()))
    }

    /// Returns a figure of a solver in each record, with the differences from the first record. `None` if no record has the figure.
    fn cells(&self, shown: &Shown, solver: &str, dataset: &str) -> Option<Vec<Cell>> {
        let cell = |record| {
            let pair = self.pair(record, solver, dataset)?;
            shown.cell(pair.measurement.as_ref()?)
        };
        let is_batch = self.pair(0, solver, dataset).is_some_and(|pair| pair.kind == Kind::Batch);
        let first = cell(0);
        let mut is_known = first.is_some();
        let mut cells = vec![first.clone().unwrap_or_else(Cell::none)];
        for record in 1..self.records.len() {
            let now = cell(record);
            is_known |= now.is_some();
            let is_comparable = self.is_comparable(record, solver, dataset)
                && (self.is_same_order(record) || !(shown.depends_on_order() && is_batch));
            let values = first.as_ref().zip(now.as_ref()).filter(|_| is_comparable);
            let difference = values.and_then(|(first, now)| difference(first.value?, now.value?));
            cells.extend([now, difference].map(|cell| cell.unwrap_or_else(Cell::none)));
        }
        is_known.then_some(cells)
    }

    /// Makes the table of a dataset: the figures of all records, one figure after the other.
    fn figures(&self, dataset: &DatasetRecord, letters: &[String]) -> Grid {
        let mut headers = vec!["figure".to_owned(), "solver".to_owned(), letters[0].clone()];
        for letter in &letters[1..] {
            headers.extend([letter.clone(), "difference".to_owned()]);
        }
        let mut grid = Grid::new(format!("{}: figures side by side", dataset.name), &[]);
        (grid.headers, grid.left) = (headers, 2);
        let (table, first) = match self.records[0].is_judged() {
            true => (TableId::JudgedSideBySide, Some(Shown::Accepted)),
            false => (TableId::SideBySide, None),
        };
        let figures = figures_of(table).map(|(figure, header)| Shown::Figure(figure, header));
        let mut all: Vec<Shown> = first.into_iter().chain(figures).collect();
        let budgets = BenchRecord::budgets_of_all(self.records, &dataset.name);
        all.extend(budgets.into_iter().cloned().map(Shown::Within));
        for shown in &all {
            grid.rows.extend(self.solvers(&dataset.name).into_iter().filter_map(|solver| {
                let cells = self.cells(shown, solver, &dataset.name)?;
                Some([Cell::from(shown.name()), Cell::from(solver)].into_iter().chain(cells).collect())
            }));
        }
        grid
    }

    /// If there are two records, returns plots that show the curves of both records together. Only pairs with comparable figures have
    /// curves. If there are more than two records, returns no plots.
    fn plots(&self, dataset: &DatasetRecord, letters: &[String]) -> Vec<Plot> {
        let ([first, second], [a, b]) = (self.records, letters) else { return Vec::new() };
        let Some(same) = second.datasets.iter().find(|other| other.name == dataset.name) else {
            return Vec::new();
        };
        let budgets = BenchRecord::budgets_of_all(self.records, &dataset.name);
        let in_one = |of: fn(&BenchRecord, &DatasetRecord) -> Option<Plot>| {
            let is_shown = |solver: &str| self.is_comparable(1, solver, &dataset.name);
            let both = plots::in_one([of(first, dataset)?, of(second, same)?], &budgets, [a, b], is_shown)?;
            Some(Plot {
                title: format!("{}, {a} and {b}", both.title),
                description: format!(
                    "{} A solver has the same colour in both records; the curves of {b} have other dashes.",
                    both.description
                ),
                ..both
            })
        };
        [plots::percentiles, plots::cactus].into_iter().filter_map(in_one).collect()
    }
}

/// Formats the difference between two values of a figure. `None` if the first value is 0 and the second is not.
fn difference(first: f64, now: f64) -> Option<Cell> {
    match first {
        first if first == now => Some(Cell::number(1.0, "same")),
        0.0 => None,
        _ => Some(Cell::number(now / first, percent(now / first))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{RunOfPair, fixtures};
    use crate::report::html::html_page;

    /// Returns the text of the table with this caption, a line for each row.
    fn rows(page: &str, caption: &str) -> Vec<String> {
        let start = page.find(&format!("<caption>{caption}</caption>")).expect(caption);
        let table = &page[start..start + page[start..].find("</table>").unwrap()];
        let cells = |row: &str| -> Vec<String> {
            let cells =
                row.split("<t").skip(1).filter(|cell| cell.starts_with("d ") || cell.starts_with("d>"));
            cells
                .map(|cell| cell[cell.find('>').unwrap() + 1..cell.find("</td>").unwrap()].to_owned())
                .collect()
        };
        table.split("<tr>").skip(2).map(|row| cells(row).join(" | ")).collect()
    }

    /// Returns two records. The second record is slower, has more nodes and exceeds a budget.
    fn two() -> [BenchRecord; 2] {
        let mut first = fixtures::bench_record();
        for pair in &mut first.pairs {
            let Some(measurement) = &mut pair.measurement else { continue };
            let (puzzles, rounds) = (measurement.puzzles, measurement.rounds.clone());
            measurement.runs = vec![RunOfPair { puzzles, rounds }; 3];
        }
        let mut second = first.clone();
        let measurement = second.pairs[0].measurement.as_mut().unwrap();
        measurement.throughput.median /= 2.0;
        let of_runs = measurement.runs.iter_mut().flat_map(|run| &mut run.rounds);
        measurement.rounds.iter_mut().chain(of_runs).for_each(|round| round.elapsed_ns *= 2);
        *measurement.effort.as_mut().unwrap().nodes.as_mut().unwrap() += 1;
        let kept = measurement.kept.as_mut().unwrap();
        (kept.elapsed_ns[0], kept.nodes[0]) = (2_000, 2);
        measurement.budgets[0].within = 0;
        [first, second]
    }

    fn page(records: &[BenchRecord]) -> String {
        let names: Vec<String> = (0..records.len()).map(|at| format!("<{at}>.json")).collect();
        html_page(records, &names)
    }

    #[test]
    fn two_records_stand_side_by_side_before_anything_else() {
        let page = page(&two());
        let section = &page[page.find("<section").unwrap()..page.find("<section id=\"record-0\"").unwrap()];
        assert!(section.starts_with("<section id=\"side-by-side\">"), "{section}");
        assert!(section.contains("<dt>B</dt><dd>&lt;1&gt;.json</dd>"), "{section}");
        assert!(section.contains("B against A: 1 slower, 5 same, 2 not compared"));
        let told = [
            rows(section, "Against A").remove(0),
            rows(section, "Counters that changed").join("\n"),
            rows(section, "Puzzles newly beyond a budget").join("\n"),
            rows(section, "Puzzles with more nodes").join("\n"),
            rows(section, "easy.txt: figures side by side").join("\n"),
        ];
        insta::assert_snapshot!(told.join("\n\n"));
        for title in
            ["easy.txt: latency by percentile, A and B", "hard.txt: puzzles solved within a time, A and B"]
        {
            assert!(section.contains(&format!("<h3>{title}</h3>")), "{title}");
        }
        assert!(section.contains("<title>quick A</title>") && section.contains("<title>steady B</title>"));
    }

    #[test]
    fn differences_are_shown_only_for_the_same_puzzles() {
        let [first, mut second] = two();
        let measurement = second.pairs[0].measurement.as_mut().unwrap();
        (measurement.puzzles, measurement.complete) = (1, false);
        second.datasets[1].sha256 = "ff".to_owned();
        let page = page(&[first, second]);
        let quick = |dataset: &str| {
            let rows = rows(&page, &format!("{dataset}: figures side by side"));
            rows.into_iter().find(|row| row.starts_with("puzzles/s | quick")).unwrap()
        };
        assert_eq!(quick("easy.txt"), "puzzles/s | quick | 1,000,000 | 500,000 | -");
        assert_eq!(quick("hard.txt"), "puzzles/s | quick | 1,000,000 | 1,000,000 | -", "another dataset");
        assert!(!page.contains("hard.txt: latency by percentile, A and B"));
    }

    #[test]
    fn searches_of_batches_in_another_order_are_not_compared() {
        let [first, mut second] = two();
        second.seed = 2;
        let rows = rows(&page(&[first, second]), "easy.txt: figures side by side");
        let nodes =
            |solver: &str| rows.iter().find(|row| row.starts_with(&format!("nodes/puzzle | {solver}")));
        assert_eq!(nodes("steady").unwrap(), "nodes/puzzle | steady | 2.00 | 2.00 | -");
        assert_eq!(nodes("quick").unwrap(), "nodes/puzzle | quick | 1.00 | 1.50 | +50.0%");
    }

    #[test]
    fn each_later_record_is_compared_with_the_first() {
        let [first, second] = two();
        let page = page(&[first.clone(), second.clone(), second]);
        let rows = rows(&page, "easy.txt: figures side by side");
        assert_eq!(rows[0], "puzzles/s | quick | 1,000,000 | 500,000 | -50.0% | 500,000 | -50.0%");
        assert!(page.contains("C against A: 1 slower") && !page.contains("A and B</h3>"));
        assert_eq!([letter(25), letter(26)], ["Z", "27"]);
    }

    #[test]
    fn programs_stand_side_by_side_and_kinds_do_not_mix() {
        let first = fixtures::judge_record();
        let mut second = first.clone();
        second.pairs[0].measurement.as_mut().unwrap().latency_ns.as_mut().unwrap().p50 *= 2;
        let page = page(&[first.clone(), second]);
        let rows = rows(&page, "easy.txt: figures side by side");
        assert_eq!(rows[0], "accepted | quick | 4 of 4 | 4 of 4 | same");
        assert_eq!(rows[2], "processor time, p50 | quick | 5.00 ms | 10.0 ms | +100.0%");
        let mixed = self::page(&[first, fixtures::bench_record()]);
        assert!(mixed.contains("B against A: 8 not compared") && !mixed.contains("A and B</h3>"));
    }
}
