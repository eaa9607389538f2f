//! What an interrupted run is recognised by.

use std::collections::BTreeMap;
use std::io::Read as _;

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};

use super::config::Config;
use sudobench_batch::sink::{Column, Format, ResumeState};
use sudobench_batch::source::{Input, Layout, hexadecimal};
use sudobench_sudoku::solver::Answer;

/// Bytes at the start of an input that stand for the whole, with its size.
const HEAD: u64 = 1 << 20;

/// Everything that shapes the output: the same values give the same rows, but for times and what a limit of time
/// aborts.
///
/// # Errors
/// Where an input cannot be read.
pub(super) fn state(config: &Config, layout: &Layout, format: &Format) -> anyhow::Result<ResumeState> {
    let (question, options, csv) = (&config.question, &config.options, layout.csv());
    let mut asked = BTreeMap::from([
        ("solver", config.variant.name.to_owned()),
        ("columns", config.columns.iter().map(|column| column.name()).collect::<Vec<_>>().join(",")),
        ("max-solutions", question.max_solutions.to_string()),
        ("answer", format!("{:?}", question.answer)),
        ("max-nodes", format!("{:?}", question.max_nodes)),
        ("max-time", format!("{:?}", question.max_time)),
        ("skip", options.skip.to_string()),
        ("limit", format!("{:?}", options.limit)),
        ("input-format", layout.format().name().to_owned()),
        ("puzzle-column", csv.map_or(0, |csv| csv.puzzle_column).to_string()),
        ("solution-column", format!("{:?}", csv.and_then(|csv| csv.solution_column))),
    ])
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect::<BTreeMap<_, _>>();
    if depends_on_simd(config) {
        asked.insert("simd".to_owned(), config.level.name().to_owned());
    }
    for (number, input) in config.inputs.iter().enumerate() {
        asked.insert(format!("input {}", number + 1), fingerprint(input)?);
    }
    Ok(ResumeState {
        format: config.output_format,
        delimiter: csv.map_or(b',', |csv| csv.delimiter),
        has_header: !format.header().is_empty(),
        asked,
    })
}

/// Whether the rows depend on the width of the vectors: the counters of a batch do, and with them where it stops at a
/// limit of nodes, and which solution it finds first.
fn depends_on_simd(config: &Config) -> bool {
    let shows_counters =
        [Column::Nodes, Column::Guesses].iter().any(|column| config.columns.contains(column));
    let first_found = config.question.answer == Answer::First;
    config.batch_size > 1 && (shows_counters || first_found || config.question.max_nodes.is_some())
}

/// Size and digest of the first MiB. Standard input has neither: that it is the same is taken on trust.
fn fingerprint(input: &Input) -> anyhow::Result<String> {
    let Input::File(path) = input else { return Ok("-".to_owned()) };
    let metadata = path.metadata().with_context(|| format!("cannot read {input}"))?;
    if !metadata.is_file() {
        return Ok("-".to_owned());
    }
    let mut head = Vec::new();
    let file = std::fs::File::open(path).with_context(|| format!("cannot read {input}"))?;
    file.take(HEAD).read_to_end(&mut head).with_context(|| format!("cannot read {input}"))?;
    let digest = hexadecimal(Sha256::new_with_prefix(&head));
    Ok(format!("{} bytes, {digest}", metadata.len()))
}
