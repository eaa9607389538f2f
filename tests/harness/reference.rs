//! Checks that docs/REFERENCE.md agrees with the registries in the code.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use regex_lite::Regex;
use sudobench_harness::record::registry::{CsvGroup, FIGURES, Limit};
use sudobench_rows::sink::OutputFormat;
use sudobench_rows::source::InputFormat;
use sudobench_rows::verbs::VERBS;
use sudobench_sudoku::Status;

/// Returns the page with new generated sections.
fn renewed(mut page: String) -> String {
    for (name, table) in
        [("output-formats", output_formats()), ("columns", columns()), ("figures", figures())]
    {
        let [start, end] = [format!("<!-- generated: {name} -->\n"), format!("<!-- end of {name} -->")];
        let (before, rest) = page.split_once(&start).unwrap_or_else(|| panic!("no {start}"));
        let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end}"));
        page = format!("{before}{start}\n{table}\n{end}{after}");
    }
    page
}

fn output_formats() -> String {
    let mut list = String::new();
    for format in OutputFormat::all() {
        let endings: Vec<_> = (format.endings.iter().flat_map(|ending| ending.names))
            .map(|name| format!("`.{name}`"))
            .collect();
        let (name, about) = (format.name(), format.about);
        let endings = if endings.is_empty() { String::new() } else { format!(" ({})", endings.join(", ")) };
        writeln!(list, "- `{name}`{endings}: {about}").unwrap();
    }
    list
}

/// Returns a list of columns for each group of verbs. If several verbs have the same column, it is listed once, in a group for these verbs.
fn columns() -> String {
    let mut rows: Vec<((&str, &str), Vec<String>)> = Vec::new();
    for verb in VERBS {
        for column in verb.columns {
            let is_default = verb.default.iter().any(|other| other.name == column.name);
            let verb = format!("`{}`{}", verb.name, if is_default { "\\*" } else { "" });
            let key = (column.name, column.about);
            match rows.iter_mut().find(|(other, _)| *other == key) {
                Some((_, verbs)) => verbs.push(verb),
                None => rows.push((key, vec![verb])),
            }
        }
    }
    let mut groups: Vec<(Vec<String>, String)> = Vec::new();
    for ((name, about), verbs) in rows {
        let about = about.replace("yes or no: whether", "whether");
        let line = format!("- `{name}`: {about}\n");
        match groups.iter_mut().find(|(other, _)| *other == verbs) {
            Some((_, lines)) => lines.push_str(&line),
            None => groups.push((verbs, line)),
        }
    }
    let lists: Vec<_> =
        groups.iter().map(|(verbs, lines)| format!("{}:\n\n{lines}", verbs.join(", "))).collect();
    lists.join("\n")
}

/// Returns a list of the figures. If CSV has a column for a figure, the figure is listed under the name of the column.
fn figures() -> String {
    let mut list = String::new();
    for figure in FIGURES {
        let mut names = match (figure.csv, figure.csv_group) {
            ("", _) => format!("`{}`", figure.key),
            (csv, CsvGroup::All) => format!("`{csv}`"),
            (csv, _) => format!("`{csv}`\\*"),
        };
        match figure.limit {
            Some(Limit::Rise { name, default_percent: Some(percent), .. }) => {
                write!(names, " (limit `{name}=P%`, {percent}% by default)").unwrap();
            }
            Some(Limit::Rise { name, .. }) => write!(names, " (limit `{name}=P%`)").unwrap(),
            Some(Limit::AtMost { name }) => write!(names, " (limit `{name}=TIME`)").unwrap(),
            None => (),
        }
        writeln!(list, "- {names}: {}", figure.meaning).unwrap();
    }
    list
}

/// Returns the names in the first column of the first table under a heading. A cell may hold several names.
fn first_cells(page: &str, heading: &str) -> BTreeSet<String> {
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    let rows = section.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let cells = rows.take_while(|line| line.starts_with('|')).map(|line| line.split('|').nth(1).unwrap());
    cells.flat_map(|cell| cell.split(',')).map(|name| name.trim().trim_matches('`').to_owned()).collect()
}

#[test]
fn the_page_agrees_with_the_registries() {
    sudobench_tables::add_formats();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/REFERENCE.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let renewed = renewed(page.clone());
    if std::env::var_os("SUDOBENCH_WRITE_DOCS").is_some() {
        std::fs::write(&path, &renewed).unwrap();
    } else {
        assert_eq!(page, renewed, "SUDOBENCH_WRITE_DOCS=1 cargo test --test harness reference writes it");
    }
    // The tables that were written by hand have a row for each input format, status and exit code.
    let formats: BTreeSet<_> = InputFormat::all().map(|format| format.name().to_owned()).collect();
    assert_eq!(first_cells(&page, "Input"), formats);
    let statuses: BTreeSet<_> = Status::ALL.iter().map(|status| status.name().to_owned()).collect();
    assert_eq!(first_cells(&page, "Statuses"), statuses);
    assert_eq!(first_cells(&page, "Exit codes"), exit_codes_of_help());
}

fn exit_codes_of_help() -> BTreeSet<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_sudobench")).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let (_, codes) = help.split_once("Exit codes:").unwrap();
    let codes = codes.split_once("Counts").map_or(codes, |(codes, _)| codes);
    let number = Regex::new(r"(?:^|\s)(\d+) ").unwrap();
    number.captures_iter(codes).map(|found| found[1].to_owned()).collect()
}
