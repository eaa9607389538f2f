//! The tables of a leaderboard: rankings over all sets, the pairs that are not ranked, the contestants, and the sets.

use super::bench_tables::mean_cell;
use super::duration_ns;
use super::figure_cell::time_cell;
use super::grid::{Cell, Grid};
use super::record_grid::{RecordGrid, RecordTable};
use crate::analysis::{Standing, distinct, standings};
use crate::figures::rate;
use crate::record::{AnswerKind, BenchRecord, ContestantSpec, Kind, Leaderboard, Measurement};
use crate::statistics::geometric_mean;

/// Number of hexadecimal digits of a file's digest that the table of contestants shows.
const DIGEST: usize = 12;

/// Returns the tables that only a leaderboard has, and no other record of `bench`.
pub(super) fn leaderboard_grids(record: &BenchRecord, board: &Leaderboard) -> Vec<RecordGrid> {
    let standings = standings(record);
    let kinds = [AnswerKind::Unique, AnswerKind::Count, AnswerKind::Smallest, AnswerKind::Any];
    let rankings = kinds.iter().filter_map(|&kind| ranking(record, board, &standings, kind));
    let rankings = rankings.map(|grid| (RecordTable::Ranking, grid));
    let others = [
        (RecordTable::Ranking, latency(record)),
        (RecordTable::NotRanked, not_ranked(record)),
        (RecordTable::Contestants, Some(contestants(record, board))),
        (RecordTable::Sets, Some(sets(record, board))),
    ];
    let others = others.into_iter().filter_map(|(table, grid)| Some((table, grid?)));
    let mut grids: Vec<RecordGrid> =
        rankings.chain(others).map(|(table, grid)| RecordGrid { table, dataset: None, grid }).collect();
    if let Some(first) = grids.first_mut() {
        first.grid.lead.extend(not_measured_yet(board));
    }
    grids
}

fn kind_in_words(kind: AnswerKind) -> &'static str {
    match kind {
        AnswerKind::Unique => "solvers that prove that the solution is the only one",
        AnswerKind::Count => "solvers that count solutions",
        AnswerKind::Smallest => "solvers that find the smallest solution",
        AnswerKind::Any => "solvers that find any solution",
    }
}

/// Ranks the solvers with one kind of answers by throughput. Returns `None` if no solver gives this kind of answers.
fn ranking(
    record: &BenchRecord,
    board: &Leaderboard,
    standings: &[Standing],
    kind: AnswerKind,
) -> Option<Grid> {
    let mut headers = vec!["rank", "solver", "language", "time/best"];
    headers.extend(record.datasets.iter().map(|dataset| dataset.name.as_str()));
    let mut grid = Grid::new(format!("Throughput: {}", kind_in_words(kind)), &headers);
    grid.left = 3;
    for (at, standing) in standings.iter().filter(|standing| standing.answers == Some(kind)).enumerate() {
        let language =
            board.contestant(&standing.solver).and_then(|contestant| language(contestant)).unwrap_or("-");
        let mut row = vec![
            Cell::number(at as f64 + 1.0, (at + 1).to_string()),
            Cell::from(standing.solver.as_str()),
            Cell::from(language),
            mean_cell(standing),
        ];
        row.extend(record.datasets.iter().map(|dataset| {
            let pair = record.pair(&standing.solver, &dataset.name);
            pair.and_then(|pair| pair.measurement.as_ref()).map_or(Cell::none(), speed_cell)
        }));
        grid.rows.push(row);
    }
    grid.note(
        "time/best: geometric mean, over the sets, of the time as a multiple of the best time in this table. The other columns are puzzles a second \
         with half the width of their 95% interval."
            .to_owned(),
    );
    if standings.iter().any(|standing| standing.answers == Some(kind) && !standing.lacks.is_empty()) {
        grid.note("*: the solver was not measured on all puzzles, because its time ran out. Its mean is a lower bound (\"at least\"). A solver that lacks a whole set comes last.");
    }
    grid.if_any()
}

/// Formats the throughput with half the width of its interval: `8.10 M/s ±0.4%`. A star marks a measurement on only a part of the puzzles.
fn speed_cell(measurement: &Measurement) -> Cell {
    let median = measurement.throughput.median;
    let width = measurement
        .throughput_interval()
        .map_or(String::new(), |bounds| format!(" ±{:.1}%", 50.0 * (bounds.high - bounds.low) / median));
    let part = if measurement.complete { "" } else { " *" };
    Cell::number(median, format!("{}{width}{part}", rate(median)))
}

/// Ranks the solvers by the times that they take for one puzzle at a time. `None` if there are no such times.
fn latency(record: &BenchRecord) -> Option<Grid> {
    let mut headers = vec!["solver"];
    headers.extend(record.datasets.iter().map(|dataset| dataset.name.as_str()));
    let mut grid = Grid::new("Latency: one puzzle at a time, median and 99th percentile", &headers);
    let mut rows: Vec<(Option<f64>, Vec<Cell>)> = Vec::new();
    let timed = record.pairs.iter().filter(|pair| pair.kind != Kind::Batch && pair.measurement.is_some());
    let mut has_pipes = false;
    for solver in distinct(timed.map(|pair| pair.solver.as_str())) {
        let (mut row, mut medians) = (vec![Cell::from(solver)], Vec::new());
        for dataset in &record.datasets {
            let measurement = record.pair(solver, &dataset.name).and_then(|pair| pair.measurement.as_ref());
            let one_by_one = measurement.and_then(|it| it.one_by_one_times());
            has_pipes |= one_by_one.is_some_and(|times| times.echo_ns.is_some());
            let summary = measurement.and_then(Measurement::single_latency_ns);
            row.push(summary.map_or(Cell::none(), |summary| {
                medians.push(summary.p50 as f64);
                let text =
                    format!("{}, {}", duration_ns(summary.p50 as f64), duration_ns(summary.p99 as f64));
                Cell::number(summary.p50 as f64, text)
            }));
        }
        // A solver without times on some set comes last, because its mean over fewer sets can't be compared.
        let mean = geometric_mean(&medians).filter(|_| medians.len() == record.datasets.len());
        if !medians.is_empty() {
            rows.push((mean, row));
        }
    }
    rows.sort_by(|a, b| a.0.unwrap_or(f64::INFINITY).total_cmp(&b.0.unwrap_or(f64::INFINITY)));
    grid.rows = rows.into_iter().map(|(_, row)| row).collect();
    grid.note(
        "Sorted by the geometric mean of the medians. Solvers that take many puzzles together are left out.",
    );
    if has_pipes {
        grid.note(
            "The times of programs that answer through pipes include the pipes: see the table of sets.",
        );
    }
    grid.if_any()
}

/// Lists the pairs that have an error. `None` if no pair has one.
fn not_ranked(record: &BenchRecord) -> Option<Grid> {
    let mut grid = Grid::new("Not ranked", &["solver", "set", "reason"]);
    grid.left = 3;
    for pair in &record.pairs {
        if let Some(error) = &pair.error {
            let cells = [&pair.solver, &pair.dataset, error];
            grid.rows.push(cells.map(|text| Cell::from(text.as_str())).to_vec());
        }
    }
    grid.if_any()
}

fn language(contestant: &ContestantSpec) -> Option<&str> {
    contestant.language.as_deref().or(contestant.command.is_none().then_some("Rust"))
}

fn contestants(record: &BenchRecord, board: &Leaderboard) -> Grid {
    let headers =
        ["solver", "version", "licence", "compiler and flags", "called", "files (SHA-256)", "link", "note"];
    let mut grid = Grid::new("Contestants", &headers);
    grid.left = headers.len();
    let text = |text: Option<&str>| Cell::from(text.unwrap_or("-"));
    for contestant in &board.contest.contestants {
        let files = board.files.get(&contestant.name).map(Vec::as_slice).unwrap_or_default();
        let file = |file: &crate::record::ContestantFile| {
            format!("{} {}", file.name, file.sha256.get(..DIGEST).unwrap_or(&file.sha256))
        };
        let build = &record.build;
        let own = contestant.command.is_none();
        let own_version = format!("sudobench {} {}", build.version, build.commit);
        let own_compiler = format!("{} {}", build.rustc, build.rustflags);
        let or_own = |typed: &Option<String>, own_text: &str| {
            let typed = typed.as_deref();
            text(typed.or(own.then_some(own_text.trim())))
        };
        let files = files.iter().map(file).collect::<Vec<_>>().join(", ");
        grid.rows.push(vec![
            Cell::from(contestant.name.as_str()),
            or_own(&contestant.version, &own_version),
            or_own(&contestant.licence, env!("CARGO_PKG_LICENSE")),
            or_own(&contestant.compiler, &own_compiler),
            Cell::from(contestant.protocol().unwrap_or("in process")),
            text(Some(files.as_str()).filter(|files| !files.is_empty())),
            text(contestant.link.as_deref()),
            text(contestant.note.as_deref()),
        ]);
    }
    grid.notes.extend(measured_later(board));
    grid
}

/// Lists the contestants that did not take turns with the first contestants of a set, because they were measured later.
fn measured_later(board: &Leaderboard) -> Vec<String> {
    let mut notes = Vec::new();
    for (set, starts) in &board.measured {
        let Some(first) = starts.values().min() else { continue };
        for (solver, start) in starts.iter().filter(|(_, start)| *start != first) {
            notes.push(format!(
                "{solver} on {set}: measured at {start}; the first contestants were measured at {first}"
            ));
        }
    }
    notes
}

fn sets(record: &BenchRecord, board: &Leaderboard) -> Grid {
    let headers =
        ["set", "source", "SHA-256", "puzzles", "pipes, a puzzle in a stream", "pipes, a puzzle alone"];
    let mut grid = Grid::new("Sets, and the cost of pipes", &headers);
    grid.left = 3;
    for set in &board.contest.sets {
        let dataset = record.datasets.iter().find(|dataset| dataset.name == set.name);
        let puzzles = dataset.map(|dataset| Cell::count(dataset.puzzles));
        let measured = record.measured(&set.name);
        let alone = measured.filter_map(|(_, it)| it.one_by_one_times()?.echo_ns).min();
        let time = |ns: Option<f64>| ns.map_or(Cell::none(), time_cell);
        grid.rows.push(vec![
            Cell::from(set.name.as_str()),
            Cell::from(set.source.as_deref().unwrap_or("-")),
            Cell::from(set.sha256.as_str()),
            puzzles.unwrap_or(Cell::none()),
            time(board.pipes_ns.get(&set.name).copied()),
            time(alone.map(|ns| ns as f64)),
        ]);
    }
    grid.note("Pipes: the time of a program that only prints what it reads. The times of contestants that are called through pipes (lines) include this time.");
    grid
}

/// States how many pairs are not measured yet. `None` if all pairs are measured.
fn not_measured_yet(board: &Leaderboard) -> Option<String> {
    let sets = board.contest.sets.iter();
    let missing: usize = sets.map(|set| board.to_measure(&set.name).len()).sum();
    let of = board.contest.sets.len() * board.contest.contestants.len();
    (missing > 0)
        .then(|| format!("not complete: {missing} of {of} pairs of solver and set are not measured yet"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;
    use crate::report::{bench_markdown, html_page};

    #[test]
    fn a_leaderboard_as_markdown() {
        let record = fixtures::leaderboard_record();
        let markdown = bench_markdown(&record);
        let (own, _) = markdown.split_once("### easy.txt: 2 puzzles").unwrap();
        insta::assert_snapshot!(own);
    }

    #[test]
    fn an_incomplete_leaderboard_says_so() {
        let mut record = fixtures::leaderboard_record();
        let board = record.leaderboard.as_mut().unwrap();
        board.measured.remove("hard.txt");
        let message = "not complete: 4 of 8 pairs of solver and set are not measured yet";
        assert_eq!(not_measured_yet(board).as_deref(), Some(message));
    }

    #[test]
    fn the_page_names_itself_and_no_path_of_the_machine() {
        let mut record = fixtures::leaderboard_record();
        record.arguments = vec!["leaderboard".to_owned()];
        let contest = &mut record.leaderboard.as_mut().unwrap().contest;
        contest.author = Some("An author <b>".to_owned());
        contest.link = Some("https://example.org/".to_owned());
        let page = html_page(&[record], &["/home/me/record.json".to_owned()]);
        for text in [
            "<title>sudobench leaderboard: Made up</title>",
            "An author &lt;b&gt;",
            "<a href=\"https://example.org/\"",
            "<caption>Throughput: solvers that prove that the solution is the only one</caption>",
        ] {
            assert!(page.contains(text), "{text}");
        }
        assert!(!page.contains("/home/me"));
    }
}
