//! Command lines whose outputs are digested. They are made from the table of verbs.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::Verb;
use super::inputs::{self, HOSTILE, MORE};
use super::run::{Folder, run};

/// Options for outputs in many formats.
const OUTPUTS: [&str; 14] = [
    "-o out.csv",
    "-o out.csv.gz",
    "-o out.csv.zst",
    "-o out.jsonl",
    "-o out.jsonl.zst",
    "-o out.txt",
    "-o out.txt.gz",
    "-o out.npy",
    "-o out.parquet",
    "-o out.arrow",
    "-o out.tsv",
    "-o out.boj --output-format boj2580",
    "-o out.boj --output-format boj2239",
    "--output-format npy",
];

/// Input files, each with the options for an output. How rows are converted depends on both formats, so the formats are tested in pairs.
const MEETINGS: [(&str, &str); 13] = [
    ("hostile.jsonl", "-o out.jsonl"),
    ("hostile.jsonl", "-o out.parquet"),
    ("arrays.jsonl", "-o out.parquet"),
    ("hostile.parquet", "-o out.parquet"),
    ("hostile.parquet", "-o out.jsonl"),
    ("hostile.arrow", "-o out.arrow"),
    ("hostile.arrow", "-o out.csv"),
    ("hostile.txt", "-o out.jsonl"),
    ("hostile.txt", "-o out.parquet"),
    ("hostile_grids.txt", "-o out.jsonl"),
    ("numbers.npy", "-o out.npy"),
    ("numbers.npy", "-o out.parquet"),
    ("tabs.tsv", "-o out.tsv"),
];

/// Options that select input rows, leave out rows of the output, or restore zeros.
const FILTERS: [&str; 9] = [
    "--only unique",
    "--only multiple,unsolvable",
    "--only malformed",
    "--only mismatch",
    "--only solved",
    "--skip 3 --limit 10",
    "--limit 0",
    "--skip 1000",
    "-q --restore-zeros",
];

/// Runs all command lines of a verb, and compares the digests of the results with the stored digests.
#[track_caller]
pub(super) fn assert_as_stored(verb: &Verb) {
    let folder = Folder::new(&format!("digests-{}", verb.name));
    let lines: Vec<String> = cases(verb, &folder).iter().map(|line| folder.digest(line)).collect();
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/golden"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description("exit code, digest of the outputs, digest of standard error, command");
    settings.bind(|| insta::assert_snapshot!(verb.name, lines.join("\n")));
}

/// Returns all command lines of a verb, without duplicates.
fn cases(verb: &Verb, folder: &Folder) -> Vec<String> {
    let mut cases = Vec::new();
    let mut add = |input: &str, more: &str| {
        let case = format!("{} {more}", verb.command.replace("{input}", input_path(input).as_str()));
        cases.push(case.trim_end().to_owned());
    };
    let reads = verb.command.contains("{input}");
    let inputs = if reads { &inputs::ALL[..] } else { &["hostile.csv"] };
    inputs.iter().for_each(|input| add(input, verb.to_stdout));
    OUTPUTS.iter().for_each(|output| add("hostile.csv", output));
    if reads {
        let more = if verb.name == "solve" { &MORE[..] } else { &[] };
        more.iter().for_each(|input| add(input, verb.to_stdout));
        MEETINGS.iter().for_each(|(input, output)| add(input, output));
        FILTERS.iter().for_each(|filter| add("hostile.csv", &format!("{filter} {}", verb.to_stdout)));
    }
    let lists = column_lists(verb, folder);
    if let (Some(all), true) = (lists.first(), reads) {
        // Each reason why a row is malformed is in the column `note`. In the output format `lines`, the reason is written instead of the
        // board.
        for input in &HOSTILE[1..] {
            add(input, &format!("--columns {all} {}", verb.to_stdout));
            add(input, "-o out.txt");
        }
    }
    for columns in lists {
        add("hostile.csv", &format!("--columns {columns} {}", verb.to_stdout));
        if columns.contains(',') {
            add("hostile.csv", &format!("--columns {columns} -o out.jsonl"));
            add("hostile.csv", &format!("--columns {columns} -o out.parquet"));
        }
    }
    for line in verb.others {
        let named = line.replace("{hostile}", &input_path("hostile.csv"));
        cases.push(named.replace("{plain}", &input_path("plain.csv")));
    }
    // Removes duplicates: if a verb has only one column, the case for all columns equals the case for this column.
    let mut seen = BTreeSet::new();
    cases.retain(|case| seen.insert(case.clone()));
    cases
}

/// Returns the path of an input, relative to the folder of a run.
fn input_path(name: &str) -> String {
    format!("../inputs/{name}")
}

/// Returns values of `--columns`: all columns of a verb together, each column alone, and no column.
fn column_lists(verb: &Verb, folder: &Folder) -> Vec<String> {
    let help = run(&folder.path("inputs"), &format!("{} --help", verb.name)).stdout;
    let help = String::from_utf8(help).unwrap();
    let names: Vec<&str> = column_names(&help).filter(|name| !verb.skipped_columns.contains(name)).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let each = names.iter().map(|&name| name.to_owned());
    std::iter::once(names.join(",")).chain(each).chain(["none".to_owned()]).collect()
}

/// Returns the names of the columns that a help text lists. A description may have several lines, which are indented like names.
fn column_names(help: &str) -> impl Iterator<Item = &str> {
    let listed = help.lines().skip_while(|line| !line.starts_with("Columns (--columns):")).skip(1);
    let listed = listed.take_while(|line| !line.trim_start().starts_with("[default:"));
    let named = listed.filter_map(|line| line.trim_start().split_once(' '));
    named.filter(|(_, about)| about.starts_with(' ')).map(|(name, _)| name)
}

#[test]
fn columns_are_found_in_the_help() {
    let mut help = String::new();
    writeln!(help, "Columns (--columns):\n  depth       the depth of\n  not enough\n  status      is")
        .unwrap();
    writeln!(help, "  [default: depth]\n  other  no column").unwrap();
    assert_eq!(column_names(&help).collect::<Vec<_>>(), ["depth", "status"]);
}
