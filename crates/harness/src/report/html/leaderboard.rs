//! The page of a leaderboard. Readers can sort the tables by a click on a heading. Without JavaScript, the order of the rows does not
//! change; the rankings then show the best solver first.

use maud::{Markup, PreEscaped, html};

use super::{bars, conditions, linked, section, table};
use crate::record::{BenchRecord, Contest, Leaderboard};
use crate::report::record_grid::RecordTable;
use crate::report::record_tables::{grids, title};

const STYLE: &str = include_str!("leaderboard.css");
const SCRIPT: &str = include_str!("leaderboard.js");

pub(super) fn page(record: &BenchRecord, board: &Leaderboard) -> String {
    let grids = grids(record);
    let tables = |wanted: &[RecordTable]| -> Markup {
        html! {
            @for it in grids.iter().filter(|it| wanted.contains(&it.table)) { (table(&it.grid)) }
        }
    };
    let body = html! {
        (heading(&board.contest))
        nav {
            a href="#ranking" { "Ranking" }
            a href="#contestants" { "Contestants" }
            @for (at, dataset) in record.datasets.iter().enumerate() {
                a href={ "#set-" (at) } { (dataset.name) }
            }
        }
        section id="ranking" {
            (tables(&[RecordTable::Ranking]))
            @if let Some(chart) = bars::speed_chart(record) { (chart) }
            (tables(&[RecordTable::Overview, RecordTable::NotRanked]))
        }
        section id="contestants" { (tables(&[RecordTable::Contestants, RecordTable::Sets])) }
        @for (at, dataset) in record.datasets.iter().enumerate() {
            section id={ "set-" (at) } { (section(record, dataset, &grids)) }
        }
        (conditions(record))
        script { (PreEscaped(SCRIPT)) }
    };
    super::page(&title(record), STYLE, &body)
}

/// Shows the date, the author, the link and the note of a contest, as far as the contest has them.
fn heading(contest: &Contest) -> Markup {
    let facts = [&contest.date, &contest.author, &contest.link];
    let facts: Vec<&String> = facts.into_iter().flatten().collect();
    html! {
        @if !facts.is_empty() {
            p.quiet {
                @for (at, fact) in facts.iter().enumerate() { @if at > 0 { ", " } (linked(fact)) }
            }
        }
        @if let Some(note) = &contest.note { p { (note) } }
    }
}
