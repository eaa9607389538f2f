//! Self-contained pages: tables and plots of records and histories, and the steps of puzzles. The pages of leaderboards and of steps have a
//! script, but can be read without it. The other pages have no script.

mod bars;
mod history;
mod leaderboard;
mod plot;
mod plots;
mod scores;
mod side_by_side;
mod steps;
mod trend_plot;

pub use bars::speed_svg;
pub use history::history_page;
pub use scores::scores_page;
pub use steps::steps_page;

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::bench_tables::{in_forms, puzzle_or_form};
use super::doctor::noise;
use super::figure_cell::time_cell;
use super::grid::{Cell, Grid};
use super::record_grid::{RecordGrid, RecordTable};
use super::record_tables::grids;
use super::{count, counted, duration_ns, escape, units};
use crate::analysis::{Portfolio, distinct, multiples_of_best, portfolio};
use crate::record::{AnswerKind, BenchRecord, DatasetRecord, Kind, Measurement, PairRecord};

const STYLE: &str = include_str!("page.css");

/// Returns the page of these records with these `names`.
pub fn html_page(records: &[BenchRecord], names: &[String]) -> String {
    if let [record] = records
        && let Some(board) = &record.leaderboard
    {
        return leaderboard::page(record, board);
    }
    let body = html! {
        @if records.len() > 1 {
            nav {
                a href={ "#" (side_by_side::ID) } { "side by side" }
                @for (at, name) in names.iter().enumerate() { a href={ "#record-" (at) } { (name) } }
            }
        }
        @if records.len() > 1 { (side_by_side::section(records, names)) }
        @for (at, (record, name)) in records.iter().zip(names).enumerate() {
            @let grids = grids(record);
            section id={ "record-" (at) } {
                (summary(record, name, &grids))
                @for dataset in &record.datasets { (section(record, dataset, &grids)) }
                (conditions(record))
            }
        }
    };
    page("sudobench report", "", &body)
}

/// Returns a complete page. `styles` is the CSS of this page; the CSS of all pages is added.
pub(super) fn page(title: &str, styles: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) (PreEscaped(styles)) }
            }
            body {
                h1 { (title) }
                (body)
            }
        }
    };
    escape::visible_lines(&page.into_string()).into_owned()
}

/// Renders a summary of the record: for `bench`, a sentence for each dataset; then the table over all datasets and the chart of the speeds,
/// if the record has them.
fn summary(record: &BenchRecord, name: &str, grids: &[RecordGrid]) -> Markup {
    let build = &record.build;
    html! {
        p.quiet { (name) ", " (record.started) "; sudobench " (build.version) " " (build.commit) }
        // A record of `judge` gets no sentence for each dataset: notes below its tables of verdicts describe the programs.
        @if !record.is_judged() {
            ul { @for dataset in &record.datasets { li { (headline(record, dataset)) } } }
        }
        @for overview in grids.iter().filter(|it| it.table == RecordTable::Overview) {
            (table(&overview.grid))
        }
        @if let Some(chart) = bars::speed_chart(record) { (chart) }
    }
}

/// Returns a text that names, for each kind of answers, the fastest and the second-fastest contestant, with the ratio of their times. The
/// text also says how many contestants were not measured.
fn headline(record: &BenchRecord, dataset: &DatasetRecord) -> String {
    let ranked: Vec<Ranked> = multiples_of_best(record, &dataset.name)
        .into_iter()
        .filter_map(|(pair, multiple)| Some((multiple?, pair, pair.measurement.as_ref()?)))
        .collect();
    let wrong = record.pairs_of(&dataset.name).filter(|pair| pair.error.is_some()).count();
    let failed = if wrong > 0 { format!(" {wrong} not measured: see the notes.") } else { String::new() };
    let kinds: BTreeSet<AnswerKind> = ranked.iter().map(|(_, pair, _)| pair.answers()).collect();
    let sentences = kinds.iter().map(|&kind| {
        let alike = ranked.iter().copied().filter(|(_, pair, _)| pair.answers() == kind).collect();
        let among = if kinds.len() > 1 {
            format!(" of the solvers that answer `{}`,", kind.name())
        } else {
            String::new()
        };
        fastest(record, alike, &among)
    });
    match ranked.is_empty() {
        true => format!("{}: nothing was measured.{failed}", dataset.name),
        false => format!("{}: {}.{failed}", dataset.name, sentences.collect::<Vec<_>>().join(". ")),
    }
}

/// A measured pair with its time as a multiple of the best time.
type Ranked<'r> = (f64, &'r PairRecord, &'r Measurement);

/// Returns a text that names the fastest and the second-fastest contestant, with the ratio of their times.
fn fastest(record: &BenchRecord, mut ranked: Vec<Ranked>, among: &str) -> String {
    // A contestant that was measured on fewer puzzles than another contestant is left out.
    let most = ranked.iter().map(|(.., measurement)| measurement.puzzles).max();
    ranked.retain(|(.., measurement)| Some(measurement.puzzles) == most);
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some(((_, best, measurement), others)) = ranked.split_first() else { return String::new() };
    let next = others.first().map_or(String::new(), |(multiple, pair, _)| {
        format!("; next is {} at {} the time", pair.solver, units::multiple(*multiple))
    });
    format!(
        "{} is fastest{among} with {} puzzles/s on {}{next}",
        best.solver,
        units::number(measurement.throughput.median),
        counted(measurement.puzzles, puzzle_or_form(record))
    )
}

fn section(record: &BenchRecord, dataset: &DatasetRecord, grids: &[RecordGrid]) -> Markup {
    let of_dataset = grids.iter().filter(|it| it.dataset.as_ref() == Some(&dataset.name));
    // Each plot is below its table.
    let plot_below = |table: RecordTable| match table {
        RecordTable::AbovePercentiles => plots::percentiles(record, dataset),
        RecordTable::AboveCactus => plots::cactus(record, dataset),
        _ => None,
    };
    let scatters = plots::scatters(record, dataset);
    html! {
        h2 { (dataset.name) }
        @for it in of_dataset {
            (table(&it.grid))
            @if let Some(plot) = plot_below(it.table) { (plot.html()) }
        }
        @match portfolio(record, &dataset.name) {
            Some(portfolio) => (table(&portfolio_grid(record, dataset, &portfolio))),
            // The record of a leaderboard does not keep the time of each single puzzle.
            None if record.leaderboard.is_some() => {}
            None => p.note {
                "The virtual best solver, unique solves and scatter plots need the times of single puzzles \
                 of two solvers or more: use --keep-puzzles."
            }
        }
        @if !scatters.is_empty() {
            div.plots { @for plot in &scatters { (plot.html()) } }
        }
    }
}

/// Makes the table of the virtual best solver, with the contribution of each solver.
fn portfolio_grid(record: &BenchRecord, dataset: &DatasetRecord, portfolio: &Portfolio) -> Grid {
    let title = format!("{}: virtual best solver", dataset.name);
    let mut grid = Grid::new(title, &["solver", "solved", "unique solves", "fastest on", "mean own time"]);
    let all = portfolio.puzzles as u64;
    let part = |puzzles: usize| Cell::part(puzzles as u64, all);
    grid.rows.push(vec![
        Cell::from("virtual best"),
        part(portfolio.virtual_best_solved),
        Cell::none(),
        Cell::none(),
        time_cell(portfolio.virtual_best_mean_ns),
    ]);
    for member in &portfolio.members {
        grid.rows.push(vec![
            Cell::from(member.solver.as_str()),
            part(member.solved),
            Cell::count(member.unique_solves as u64),
            part(member.best_on),
            time_cell(member.mean_ns),
        ]);
    }
    let limit = portfolio.limit_ns.map_or(String::new(), |ns| format!(" within {}", duration_ns(ns as f64)));
    grid.note(format!(
        "Compares these solvers on the {} puzzles that all of them reached; `solved` counts the puzzles that were solved{limit}. The virtual best takes each puzzle's best time.",
        count(all)
    ));
    let is_batch = |solver: &str| record.pair(solver, &dataset.name).is_some_and(|it| it.kind == Kind::Batch);
    let members = portfolio.members.iter().map(|member| member.solver.clone());
    let batches: Vec<String> = members.filter(|solver| is_batch(solver)).collect();
    grid.notes.extend((!batches.is_empty()).then(|| units::batch_caption(&batches)));
    grid
}

/// Renders a grid as a table. If a cell shows a number, its attribute `data-value` has the number without rounding.
pub(super) fn table(grid: &Grid) -> Markup {
    let class = |at: usize| (at < grid.left).then_some("name");
    html! {
        @for lead in &grid.lead { p.note { (lead) } }
        div.wide {
            table {
                caption { (grid.title) }
                thead {
                    tr {
                        @for (at, header) in grid.headers.iter().enumerate() {
                            th scope="col" class=[class(at)] { (header) }
                        }
                    }
                }
                tbody {
                    @for row in &grid.rows {
                        tr {
                            @for (at, cell) in row.iter().enumerate() {
                                td class=[class(at)] data-value=[cell.value] { (linked(&cell.text)) }
                            }
                        }
                    }
                }
            }
        }
        @for note in &grid.notes { p.note { (note) } }
    }
}

/// Renders text, as a link if it is an address.
fn linked(text: &str) -> Markup {
    html! {
        @if text.starts_with("https://") { a href=(text) rel="noopener" { (text) } } @else { (text) }
    }
}

fn conditions(record: &BenchRecord) -> Markup {
    let (machine, build, settings) = (&record.machine, &record.build, &record.settings);
    let sample = settings.sample.map_or("all".to_owned(), count);
    let mut facts = vec![
        ("processor", format!("{}, {}", machine.cpu, counted(machine.cores as u64, "core"))),
        ("vectors", vectors(record)),
        ("memory", format!("{} MiB", count(machine.memory_bytes >> 20))),
        ("system", format!("{}, {}", machine.os, machine.architecture)),
        ("build", format!("{}, {}, {}, {}", build.commit, build.rustc, build.target, build.profile)),
        ("flags", if build.rustflags.is_empty() { "none".to_owned() } else { build.rustflags.clone() }),
        ("puzzles", format!("{sample}, permuted by seed {}{}", record.seed, in_forms(record))),
        ("command", record.arguments.join(" ")),
    ];
    facts.splice(6..6, if record.is_judged() { judge_limits(record) } else { bench_limits(record) });
    html! {
        h2 { "Conditions" }
        dl {
            @for (name, value) in &facts { dt { (name) } dd { (value) } }
            @for (program, command) in programs(record) { dt { (program) } dd { (command) } }
            @for dataset in &record.datasets { dt { (dataset.name) } dd { "SHA-256 " (dataset.sha256) } }
        }
        (table(&noise(&record.noise)))
    }
}

fn bench_limits(record: &BenchRecord) -> Vec<(&'static str, String)> {
    let settings = &record.settings;
    let time = |ns: u64| duration_ns(ns as f64);
    let rounds = format!(
        "{}, {} to {} a pair",
        settings.rounds,
        time(settings.min_time_ns),
        time(settings.max_time_ns)
    );
    let per_puzzle = settings.max_time_per_puzzle_ns.map_or("no limit".to_owned(), time);
    let nodes = settings.max_nodes.map_or(String::new(), |nodes| format!(", {} nodes", count(nodes)));
    vec![("rounds", rounds), ("limit per puzzle", per_puzzle + &nodes)]
}

fn judge_limits(record: &BenchRecord) -> Vec<(&'static str, String)> {
    vec![("runs per puzzle", record.settings.rounds.to_string())]
}

/// Lists the programs with their commands, each once.
fn programs(record: &BenchRecord) -> Vec<(&str, &str)> {
    let programs = record.pairs.iter().filter(|pair| pair.kind == Kind::Program);
    distinct(programs.filter_map(|pair| {
        let engine = pair.measurement.as_ref()?.engine.as_ref()?;
        Some((pair.solver.as_str(), engine.command.as_str()))
    }))
}

fn vectors(record: &BenchRecord) -> String {
    let found = record.machine.vector_extensions.join(", ");
    let used = record.simd_level.as_ref();
    used.map_or(found.clone(), |level| format!("{found}; in use: {level}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;

    #[test]
    fn a_page_of_one_record() {
        let page = html_page(&[fixtures::bench_record()], &["record.json".to_owned()]);
        // One line for each element, so that a diff shows what changed.
        insta::assert_snapshot!(page.replace(STYLE, "/* page.css */").replace("><", ">\n<"));
    }

    #[test]
    fn only_contestants_measured_on_the_most_puzzles_can_be_the_fastest() {
        let mut record = fixtures::bench_record();
        let told = |record: &BenchRecord| headline(record, &record.datasets[0]);
        assert!(told(&record).contains("next is steady at 2.00x"), "{}", told(&record));
        // `naive` is faster than all others, but it was measured on only one puzzle.
        let naive = record.pairs[2].measurement.as_mut().unwrap();
        (naive.prefixes[0].time_ns, naive.throughput.median) = (1, 1e9);
        assert!(told(&record).starts_with("easy.txt: quick is fastest"), "{}", told(&record));
        record.pairs[1].max_solutions = 1;
        let apart = told(&record);
        assert!(
            apart.starts_with("easy.txt: steady is fastest of the solvers that answer `any`, with "),
            "{apart}"
        );
        assert!(apart.contains(". quick is fastest of the solvers that answer `unique`, with "), "{apart}");
    }

    #[test]
    fn a_dataset_with_any_name_has_its_tables() {
        let mut record = fixtures::bench_record();
        let names = ["a", "a: b"];
        let old: Vec<String> = record.datasets.iter().map(|dataset| dataset.name.clone()).collect();
        for pair in &mut record.pairs {
            let at = old.iter().position(|name| *name == pair.dataset).unwrap();
            pair.dataset = names[at].to_owned();
        }
        record.datasets.iter_mut().zip(names).for_each(|(dataset, name)| dataset.name = name.to_owned());
        let page = html_page(&[record], &["record.json".to_owned()]);
        assert_eq!(page.matches("<caption>a: b: search</caption>").count(), 1);
    }

    #[test]
    fn a_page_of_forms() {
        let page = html_page(&[fixtures::forms_record()], &["record.json".to_owned()]);
        for words in [
            "easy.txt: quick is fastest with 1,000,000 puzzles/s on 2 forms",
            "<caption>easy.txt: 1 of 2 puzzles, each in 2 random forms, up to 2 solutions, 1 thread</caption>",
            "<caption>easy.txt: forms of a puzzle, the slowest as a multiple of the fastest</caption>",
            "<dt>puzzles</dt><dd>1, permuted by seed 1, each in 2 random forms</dd>",
        ] {
            assert!(page.contains(words), "{words}: {page}");
        }
    }

    #[test]
    fn a_page_of_a_judge() {
        let page = html_page(&[fixtures::judge_record()], &["record.json".to_owned()]);
        for words in [
            "quick: all 4 puzzles accepted",
            "puzzles accepted within a processor time</h3>",
            "processor time by percentile</h3>",
            "<dt>slow</dt><dd>./java --fast</dd>",
            "<dt>runs per puzzle</dt><dd>1</dd>",
            "row 1 has 5 twice",
        ] {
            assert!(page.contains(words), "{words}: {page}");
        }
        assert_eq!(
            page.matches("quick: all 4 puzzles accepted").count(),
            1,
            "the sentence is shown only once"
        );
        for words in ["own time with", "nodes", "--keep-puzzles", "from entering the solver", "rounds"] {
            assert!(!page.contains(words), "{words}");
        }
    }

    #[test]
    fn a_page_without_the_times_of_single_puzzles_names_the_option() {
        for mut record in [fixtures::bench_record(), fixtures::judge_record()] {
            let measurements = record.pairs.iter_mut().filter_map(|pair| pair.measurement.as_mut());
            measurements.for_each(|measurement| measurement.kept = None);
            let page = html_page(&[record], &["record.json".to_owned()]);
            assert!(page.contains("of two solvers or more: use --keep-puzzles"), "{page}");
        }
    }

    #[test]
    fn a_page_is_self_contained_and_has_no_script() {
        let mut record = fixtures::bench_record();
        record.pairs[0].solver = "<script>alert(1)</script>".to_owned();
        let page = html_page(&[record.clone(), record], &["a".to_owned(), "b".to_owned()]);
        for word in ["http:", "https:", "<script", "url(", "@import", "src="] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
