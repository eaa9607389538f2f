//! docs/FIGURES.md lists the figures of the registry.

use std::fmt::Write as _;
use std::path::Path;

use sudobench_harness::record::registry::{CsvGroup, FIGURES, Limit, Source};

const HEAD: &str = "# Figures

A figure is one number or word of a measurement. This page is made from the registry of figures in `crates/harness/src/record/registry.rs`. After
a change there: `SUDOBENCH_WRITE_DOCS=1 cargo test --test harness figures`.

- *key*: unique name of the figure. If a record has no field for a figure, its map `figures` holds the value under this name.
- *record*: whether fields of the record hold the value, which [FORMAT.md](FORMAT.md) describes, or the map `figures`. Trials of `gate` keep ratios
  only.
- *CSV*: the column of `--export-csv`. A column in brackets is only there if some measurement has a value.
- *limit*: how `gate --limits` limits the figure. `P%` is a rise against what it was before.

Budgets, verdicts, statuses and the columns of single puzzles are described in [FORMAT.md](FORMAT.md).

| key | meaning | unit | better | record | CSV | limit |
|---|---|---|---|---|---|---|
";

/// The page as the registry has it.
fn page() -> String {
    let mut page = HEAD.to_owned();
    for figure in FIGURES {
        let column = match figure.csv_group {
            _ if figure.csv.is_empty() => "-".to_owned(),
            CsvGroup::All => format!("`{}`", figure.csv),
            CsvGroup::Judged | CsvGroup::Forms | CsvGroup::Some => format!("(`{}`)", figure.csv),
        };
        let limit = match figure.limit {
            Some(Limit::Rise { name, default_percent, .. }) => {
                let default =
                    default_percent.map_or(String::new(), |percent| format!(", {percent}% by default"));
                format!("`{name}=P%`{default}")
            }
            Some(Limit::AtMost { name }) => format!("`{name}=TIME`"),
            None => "-".to_owned(),
        };
        let source = match figure.source {
            Source::Record(_) => "fields",
            Source::Readings(_) => "`figures`",
            Source::Trials => "-",
        };
        let (unit, better): (&str, &str) = (figure.unit.into(), figure.better.into());
        let (key, meaning) = (figure.key, figure.meaning);
        writeln!(page, "| `{key}` | {meaning} | {unit} | {better} | {source} | {column} | {limit} |")
            .unwrap();
    }
    page
}

#[test]
fn the_page_lists_the_figures_of_the_registry() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/FIGURES.md");
    if std::env::var_os("SUDOBENCH_WRITE_DOCS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    assert_eq!(stored, page(), "SUDOBENCH_WRITE_DOCS=1 cargo test --test harness figures writes it");
}
