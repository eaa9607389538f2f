//! One self-contained page: tables and plots of records, nothing fetched, no script.

mod plot;
mod plots;

use std::fmt::Write as _;

use super::bench_tables::{grids, time_cell};
use super::grid::{Cell, Grid};
use super::xml::escape;
use super::{count, duration_ns, share, units};
use crate::analysis::{Portfolio, portfolio, times_best};
use crate::record::{BenchRecord, DatasetRecord};

const STYLE: &str = include_str!("page.css");

/// The page of these records; `names` are what they are called.
pub fn html_page(records: &[BenchRecord], names: &[String]) -> String {
    let mut body = String::from("<h1>sudobench report</h1>\n");
    if records.len() > 1 {
        let links: Vec<String> = (names.iter().enumerate())
            .map(|(at, name)| format!("<a href=\"#record-{at}\">{}</a>", escape(name)))
            .collect();
        let _ = writeln!(body, "<nav>{}</nav>", links.join(""));
    }
    for (at, (record, name)) in records.iter().zip(names).enumerate() {
        let _ = writeln!(body, "<section id=\"record-{at}\">");
        body.push_str(&summary(record, name));
        for dataset in &record.datasets {
            body.push_str(&section(record, dataset));
        }
        body.push_str(&conditions(record));
        body.push_str("</section>\n");
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>sudobench report</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{body}</body>\n</html>\n"
    )
}

/// What the record says in a sentence a dataset, and the table over all datasets.
fn summary(record: &BenchRecord, name: &str) -> String {
    let mut html = format!(
        "<p class=\"quiet\">{}, {}; sudobench {} {}</p>\n<ul>\n",
        escape(name),
        escape(&record.started),
        escape(&record.build.version),
        escape(&record.build.commit)
    );
    for dataset in &record.datasets {
        let _ = writeln!(html, "<li>{}</li>", escape(&headline(record, dataset)));
    }
    html.push_str("</ul>\n");
    if record.datasets.len() > 1 {
        html.push_str(&grids(record).last().map(table).unwrap_or_default());
    }
    html
}

/// Who is fastest, and by how much.
fn headline(record: &BenchRecord, dataset: &DatasetRecord) -> String {
    let mut ranked: Vec<_> = times_best(record, &dataset.name)
        .into_iter()
        .filter_map(|(pair, multiple)| Some((multiple?, pair, pair.measurement.as_ref()?)))
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wrong =
        record.pairs.iter().filter(|pair| pair.dataset == dataset.name && pair.error.is_some()).count();
    let failed = if wrong > 0 { format!(" {wrong} not measured: see the notes.") } else { String::new() };
    match ranked.as_slice() {
        [] => format!("{}: nothing was measured.{failed}", dataset.name),
        [(_, best, measurement), others @ ..] => {
            let next = others.first().map_or(String::new(), |(multiple, pair, _)| {
                format!("; next is {} at {} the time", pair.solver, units::multiple(*multiple))
            });
            format!(
                "{}: {} is fastest with {} puzzles/s on {} puzzles{next}.{failed}",
                dataset.name,
                best.solver,
                units::number(measurement.throughput.median),
                count(measurement.puzzles)
            )
        }
    }
}

/// Tables and plots of one dataset.
fn section(record: &BenchRecord, dataset: &DatasetRecord) -> String {
    let mut html = format!("<h2>{}</h2>\n", escape(&dataset.name));
    let of_dataset = format!("{}: ", dataset.name);
    let mut plots =
        [plots::percentiles(record, dataset), plots::cactus(record, dataset)].into_iter().flatten();
    // Speed and its curve, latency and the cactus, then what explains them.
    for grid in grids(record).iter().filter(|grid| grid.title.starts_with(&of_dataset)) {
        html.push_str(&table(grid));
        html.push_str(&plots.next().map(|plot| plot.html()).unwrap_or_default());
    }
    match portfolio(record, &dataset.name) {
        Some(portfolio) => html.push_str(&table(&portfolio_grid(dataset, &portfolio))),
        None => html.push_str(
            "<p class=\"note\">Virtual best solver, unique solves and scatter plots need every puzzle by itself: \
             measure two solvers or more with --keep-puzzles.</p>\n",
        ),
    }
    let scatters = plots::scatters(record, dataset);
    if !scatters.is_empty() {
        html.push_str("<div class=\"plots\">\n");
        scatters.iter().for_each(|plot| html.push_str(&plot.html()));
        html.push_str("</div>\n");
    }
    html
}

/// What each solver adds to the others.
fn portfolio_grid(dataset: &DatasetRecord, portfolio: &Portfolio) -> Grid {
    let title = format!("{}: virtual best solver", dataset.name);
    let mut grid = Grid::new(title, &["solver", "solved", "unique solves", "fastest on", "mean own time"]);
    let all = portfolio.puzzles as u64;
    let part = |puzzles: usize| {
        let text = format!("{} ({})", count(puzzles as u64), share(puzzles as u64, all));
        Cell::number(puzzles as f64, text)
    };
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
            Cell::number(member.unique_solves as f64, count(member.unique_solves as u64)),
            part(member.best_on),
            time_cell(member.mean_ns),
        ]);
    }
    let limit = portfolio.limit_ns.map_or(String::new(), |ns| format!(" within {}", duration_ns(ns as f64)));
    grid.notes.push(format!(
        "On the {} puzzles of those that reached the most; solved{limit}. The virtual best takes each puzzle's best time.",
        count(all)
    ));
    grid
}

/// A grid as a table; cells keep the record's number in `data-value`.
fn table(grid: &Grid) -> String {
    let class = |at: usize| if at < grid.left { " class=\"name\"" } else { "" };
    let mut html =
        format!("<div class=\"wide\"><table>\n<caption>{}</caption>\n<thead><tr>", escape(&grid.title));
    for (at, header) in grid.headers.iter().enumerate() {
        let _ = write!(html, "<th scope=\"col\"{}>{}</th>", class(at), escape(header));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &grid.rows {
        html.push_str("<tr>");
        for (at, cell) in row.iter().enumerate() {
            let value = cell.value.map_or(String::new(), |value| format!(" data-value=\"{value}\""));
            let _ = write!(html, "<td{}{value}>{}</td>", class(at), escape(&cell.text));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table></div>\n");
    for note in &grid.notes {
        let _ = writeln!(html, "<p class=\"note\">{}</p>", escape(note));
    }
    html
}

/// The machine, the build, the settings.
fn conditions(record: &BenchRecord) -> String {
    let (machine, build, settings) = (&record.machine, &record.build, &record.settings);
    let time = |ns: u64| duration_ns(ns as f64);
    let per_puzzle = settings.max_time_per_puzzle_ns.map_or("no limit".to_owned(), time);
    let nodes = settings.max_nodes.map_or(String::new(), |nodes| format!(", {} nodes", count(nodes)));
    let limits = per_puzzle + &nodes;
    let sample = settings.sample.map_or("all".to_owned(), count);
    let facts = [
        ("processor", format!("{}, {} cores", machine.cpu, machine.cores)),
        ("vectors", vectors(record)),
        ("memory", format!("{} MiB", count(machine.memory_bytes >> 20))),
        ("system", format!("{}, {}", machine.os, machine.architecture)),
        ("build", format!("{}, {}, {}, {}", build.commit, build.rustc, build.target, build.profile)),
        ("flags", if build.rustflags.is_empty() { "none".to_owned() } else { build.rustflags.clone() }),
        (
            "rounds",
            format!(
                "{}, {} to {} a pair",
                settings.rounds,
                time(settings.min_time_ns),
                time(settings.max_time_ns)
            ),
        ),
        ("limit a puzzle", limits),
        ("puzzles", format!("{sample}, permuted by seed {}", record.seed)),
        ("command", record.arguments.join(" ")),
    ];
    let mut html = String::from("<h2>Conditions</h2>\n<dl>\n");
    for (name, value) in facts {
        let _ = writeln!(html, "<dt>{name}</dt><dd>{}</dd>", escape(&value));
    }
    for dataset in &record.datasets {
        let _ =
            writeln!(html, "<dt>{}</dt><dd>SHA-256 {}</dd>", escape(&dataset.name), escape(&dataset.sha256));
    }
    html.push_str("</dl>\n");
    let mut noise = Grid::new("What disturbs measurements on this machine", &["", "what", "found", "advice"]);
    noise.left = noise.headers.len();
    for found in &record.noise {
        let mark = if found.is_noisy() { "noisy" } else { "fine" };
        noise.rows.push([mark, &found.name, &found.value, &found.advice].map(Cell::from).to_vec());
    }
    html + &table(&noise)
}

/// What the processor has, and which level of it was in use.
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
        insta::assert_snapshot!(page.replace(STYLE, "/* page.css */\n"));
    }

    #[test]
    fn a_page_fetches_nothing_and_runs_nothing() {
        let mut record = fixtures::bench_record();
        record.pairs[0].solver = "<script>alert(1)</script>".to_owned();
        let page = html_page(&[record.clone(), record], &["a".to_owned(), "b".to_owned()]);
        for word in ["http:", "https:", "<script", "url(", "@import", "src="] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
