//! Tests that hostile names (names with control characters or markup) have no effect in reports as text, Markdown, HTML, CSV and JSON, and
//! in annotations.

use std::sync::LazyLock;

use comrak::nodes::NodeValue;
use comrak::options::Extension;
use comrak::{Arena, Options, parse_document};
use proptest::prelude::*;
use strum::VariantArray as _;

use super::export_csv::harmless;
use super::*;
use crate::analysis::{
    Caveat, CaveatKind, CompareTerms, Comparison, ComparisonOutcome, Difference, PairTrend, compare, trends,
};
use crate::gate::{AllowMissing, Check, Gate, GateLimits, GateReport, GateVerdict};
use crate::record::{BenchRecord, History, fixtures};

/// Generates text of all kinds, with characters that have an effect in terminals, logs and markup.
pub(super) fn hostile() -> impl Strategy<Value = String> {
    let character = prop::sample::select(
        "<>&\"'|\\`*_[]()#~$-+=:!@/.% \u{0}\u{1b}\u{7f}\u{9b}\u{9d}\u{fffe}\u{ffff}\u{85}\u{2028}\u{202e}\u{2066}\n\r\t"
            .chars()
            .map(String::from)
            .collect::<Vec<_>>(),
    );
    let markup = prop::sample::select(vec![
        "<script>alert(1)</script>",
        "<!--",
        "<br>",
        "[a](http://b.cd)",
        "![a](b)",
        "[a]: b",
        "[^1]",
        "http://a.bc",
        "www.a.bc",
        "a@b.cd",
        "\n# a\n",
        "\n\n- a\n",
        "\n| a |\n",
        "\n---\n",
        "```",
        "~~a~~",
        "**a**",
        "__a__",
        "$a$",
        "&lt;",
        "1. ",
        "> ",
        "::error::a",
        "\n::error::a",
        "##[error]",
        "\u{1b}[31m",
        "\u{1b}]0;a\u{7}",
    ]);
    let any = any::<char>().prop_map(String::from);
    prop::collection::vec(prop_oneof![character, markup.prop_map(str::to_owned), any], 0..8)
        .prop_map(|parts| parts.concat())
}

/// Generates a name like [`hostile`], but never an empty one.
pub(super) fn hostile_name() -> impl Strategy<Value = String> {
    hostile().prop_map(|text| if text.is_empty() { "name".to_owned() } else { text })
}

/// Makes a record of `bench` and one of `judge`. Most texts that can come from outside contain a text from `names`.
fn records(names: [&str; 3]) -> [BenchRecord; 2] {
    [fixtures::bench_record(), judge_record()].map(|mut record| {
        // An interrupted record shows the names of its unfinished pairs above the first table.
        (record.interrupted, record.settings.rounds) = (true, 9);
        renamed(record, names)
    })
}

/// Makes a record of two programs that were judged, and of one that was not run.
fn judge_record() -> BenchRecord {
    let mut record = fixtures::judge_record();
    let mut missing = record.pairs[0].clone();
    (missing.solver, missing.measurement, missing.error) = ("missing".to_owned(), None, Some(String::new()));
    record.pairs.push(missing);
    record
}

fn renamed(mut record: BenchRecord, [solver, dataset, words]: [&str; 3]) -> BenchRecord {
    for (at, dataset_record) in record.datasets.iter_mut().enumerate() {
        let name = format!("{dataset}{at}");
        record.pairs.iter_mut().filter(|pair| pair.dataset == dataset_record.name).for_each(|pair| {
            pair.dataset = name.clone();
            pair.solver = format!("{}{solver}", &pair.solver[..1]);
            pair.error.iter_mut().for_each(|error| *error = words.to_owned());
            let Some(measurement) = &mut pair.measurement else { return };
            measurement.engine.iter_mut().for_each(|engine| engine.command = words.to_owned());
            // The labels of budgets are not replaced, because they determine whether a budget is a reference time.
            let Some(judge) = &mut measurement.judge else { return };
            (judge.problem, judge.language, judge.held_by) =
                (words.to_owned(), words.to_owned(), words.to_owned());
            judge.failures.iter_mut().for_each(|failure| failure.words = words.to_owned());
        });
        (dataset_record.name, dataset_record.sha256) = (name, words.to_owned());
    }
    let (machine, build) = (&mut record.machine, &mut record.build);
    for text in [
        &mut machine.cpu,
        &mut machine.os,
        &mut machine.architecture,
        &mut build.commit,
        &mut build.rustc,
        &mut build.rustflags,
        &mut record.started,
    ] {
        *text = words.to_owned();
    }
    machine.vector_extensions = vec![words.to_owned()];
    record.simd_level = Some(words.to_owned());
    record.arguments = vec![words.to_owned()];
    for found in &mut record.noise {
        found.name = words.to_owned();
        (found.value, found.advice) = (words.to_owned(), words.to_owned());
    }
    record
}

fn gated([solver, dataset, words]: [&str; 3]) -> GateReport {
    let check = |(gate, verdict): (Gate, GateVerdict)| {
        Check::new(gate, words, (solver, dataset), verdict, words.to_owned())
    };
    let kinds = Gate::VARIANTS.iter().cycle().copied().zip(GateVerdict::VARIANTS.iter().copied());
    GateReport::new(GateLimits::default().to_string(), AllowMissing::Nothing, kinds.map(check).collect())
}

fn compared([solver, dataset, words]: [&str; 3]) -> (Vec<Comparison>, Vec<Caveat>, Vec<String>) {
    let comparison = Comparison {
        solver: solver.to_owned(),
        dataset: dataset.to_owned(),
        record: 1,
        outcome: ComparisonOutcome::Not(words.to_owned()),
    };
    let mut judged = [judge_record(), judge_record()].map(|record| renamed(record, [solver, dataset, words]));
    for pair in &mut judged[1].pairs {
        let Some(judge) = pair.measurement.as_mut().and_then(|measurement| measurement.judge.as_mut()) else {
            continue;
        };
        judge.time_limit_ns += 1_000_000_000;
    }
    let comparisons = [
        vec![comparison],
        compare(&judged, CompareTerms { across_machines: true, ..CompareTerms::default() }),
    ]
    .concat();
    let differs = Difference { what: "cores", before: words.to_owned(), now: words.to_owned() };
    let interrupted = CaveatKind::Interrupted(words.to_owned());
    let caveats = [CaveatKind::Level(differs.clone()), CaveatKind::Machine(vec![differs]), interrupted]
        .map(|kind| Caveat { record: 1, kind });
    (comparisons, caveats.to_vec(), vec![solver.to_owned(), dataset.to_owned()])
}

/// Makes a history and its trends. The three parameters are written into most of the texts that could come from outside sudobench.
fn history([solver, dataset, words]: [&str; 3]) -> (History, Vec<PairTrend>) {
    // The trends are computed only once, because they do not depend on names.
    static FOUND: LazyLock<(History, Vec<PairTrend>)> = LazyLock::new(|| {
        let history = history_tables::tests::history();
        let trends = trends(&history.entries);
        (history, trends)
    });
    let (mut history, mut trends) = FOUND.clone();
    let solver = |name: &str| format!("{}{solver}", &name[..1]);
    for entry in &mut history.entries {
        entry.commit.iter_mut().for_each(|commit| *commit = words.to_owned());
        entry.subject = Some(words.to_owned());
        let machine = &mut entry.machine;
        for text in [&mut machine.cpu, &mut machine.os, &mut entry.simd_level, &mut entry.version] {
            *text = words.to_owned();
        }
        for pair in &mut entry.pairs {
            (pair.solver, pair.dataset) = (solver(&pair.solver), dataset.to_owned());
        }
    }
    for trend in &mut trends {
        (trend.solver, trend.dataset) = (solver(&trend.solver), dataset.to_owned());
        trend.times.iter_mut().for_each(|times| times.machine = words.to_owned());
    }
    (history, trends)
}

fn texts(names: [&str; 3], width: usize) -> Vec<String> {
    let [bench, judge] = records(names);
    let (history, trends) = history(names);
    let (comparisons, caveats, records) = compared(names);
    vec![
        bench_text(&bench, width),
        bench_text(&judge, width),
        gate_text(&gated(names), width),
        compare_text(&comparisons, &caveats, &records, width),
        doctor_text(&bench.machine, &bench.noise, &bench.noise[0], width),
        history_text(&history, &trends, width),
    ]
}

fn markdowns(names: [&str; 3]) -> Vec<String> {
    let (comparisons, caveats, called) = compared(names);
    let [bench, judge] = records(names);
    vec![
        bench_markdown(&bench),
        bench_markdown(&judge),
        gate_markdown(&gated(names)),
        compare_markdown(&comparisons, &caveats, &called),
    ]
}

/// Harmless names.
const HARMLESS: [&str; 3] = ["a", "b", "c"];

/// Checks that the text has no effect on a terminal or in the log of a workflow.
fn is_harmless(text: &str) -> bool {
    escape::visible_lines(text) == text
        && text.lines().all(|line| !line.trim_start().starts_with("::") && !line.contains("##["))
}

/// Parses Markdown as GitHub does. Returns the kinds of the nodes, and the texts of the paragraphs, headings and cells.
fn read_markdown(markdown: &str) -> (Vec<String>, Vec<String>) {
    let extension = Extension {
        strikethrough: true,
        table: true,
        autolink: true,
        tasklist: true,
        footnotes: true,
        math_dollars: true,
        alerts: true,
        ..Extension::default()
    };
    let options = Options { extension, ..Options::default() };
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &options);
    let (mut kinds, mut texts) = (Vec::new(), vec![String::new()]);
    for node in root.descendants() {
        match &node.data().value {
            NodeValue::Text(text) => {
                texts.last_mut().unwrap().push_str(text);
                continue;
            }
            NodeValue::TableCell | NodeValue::Paragraph | NodeValue::Heading(_) => texts.push(String::new()),
            _ => {}
        }
        let kind = format!("{:?}", node.data().value);
        kinds.push(kind.split(['(', ' ']).next().unwrap_or_default().to_owned());
    }
    (kinds, texts)
}

/// Returns the tags of a page in order.
fn tags(page: &str) -> Vec<&str> {
    page.split('<').skip(1).map(|tag| tag.split([' ', '>']).next().unwrap_or_default()).collect()
}

/// Returns the first two columns of the rows of a CSV file.
fn names_read_back(csv: &[u8]) -> Vec<[String; 2]> {
    let rows = csv::Reader::from_reader(csv).into_records();
    rows.map(|row| row.unwrap()).map(|row| [row[0].to_owned(), row[1].to_owned()]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn text_has_no_effect_on_a_terminal(
        solver in hostile(), dataset in hostile(), words in hostile(), width in 20..120usize
    ) {
        for text in texts([&solver, &dataset, &words], width) {
            prop_assert!(is_harmless(&text), "{text:?}");
        }
        let report = gated([&solver, &dataset, &words]);
        let annotations = gate_annotations(&report);
        prop_assert!(annotations.lines().count() == GateVerdict::VARIANTS.len(), "{annotations:?}");
        for line in annotations.lines() {
            let command = ["::error title=", "::warning title=", "::notice title="];
            prop_assert!(command.iter().any(|command| line.starts_with(command)), "{line:?}");
            prop_assert!(escape::visible(line) == line);
        }
    }

    #[test]
    fn markdown_has_no_markup_from_names(solver in hostile(), dataset in hostile_name(), words in hostile()) {
        let names = [solver.as_str(), &dataset, &words];
        for (hostile, harmless) in markdowns(names).iter().zip(markdowns(HARMLESS)) {
            let (kinds, texts) = read_markdown(hostile);
            prop_assert_eq!(kinds, read_markdown(&harmless).0, "{}", hostile);
            // Names are shown as they were written, except for the inserted word joiner, which keeps text such as `@name` or `#1` from
            // becoming a reference.
            let plain = |text: &str| text.replace('\u{2060}', "").trim().to_owned();
            let is_there = texts.iter().any(|text| plain(text).ends_with(&plain(&escape::visible(&solver))));
            prop_assert!(is_there, "{solver:?}: {texts:?}");
        }
    }

    #[test]
    fn a_page_has_no_tags_from_names(solver in hostile(), dataset in hostile(), words in hostile()) {
        let report = |names: [&str; 3]| html_page(&records(names), &[names[0].to_owned(), names[1].to_owned()]);
        let trend = |names: [&str; 3]| {
            let (history, trends) = history(names);
            history_page(&history, &trends, names[2])
        };
        for page in [&report as &dyn Fn([&str; 3]) -> String, &trend] {
            let (hostile, harmless) = (page([&solver, &dataset, &words]), page(HARMLESS));
            prop_assert_eq!(tags(&hostile), tags(&harmless));
            prop_assert!(escape::visible_lines(&hostile) == hostile);
        }
    }

    #[test]
    fn two_records_side_by_side_have_no_tags_from_names(
        solver in hostile(), dataset in hostile(), words in hostile()
    ) {
        let page = |names: [&str; 3]| {
            let [bench, _] = records(names);
            let mut later = bench.clone();
            for measurement in later.pairs.iter_mut().filter_map(|pair| pair.measurement.as_mut()) {
                measurement.effort.iter_mut().flat_map(|effort| &mut effort.nodes).for_each(|nodes| *nodes += 1);
                measurement.kept.iter_mut().for_each(|kept| kept.nodes[0] += 1);
            }
            later.simd_level = Some(format!("{}!", names[2]));
            html_page(&[bench, later], &[names[0].to_owned(), names[1].to_owned()])
        };
        let (hostile, harmless) = (page([&solver, &dataset, &words]), page(HARMLESS));
        prop_assert_eq!(tags(&hostile), tags(&harmless));
        prop_assert!(escape::visible_lines(&hostile) == hostile);
    }

    #[test]
    fn records_and_csv_round_trip(solver in hostile(), dataset in hostile(), words in hostile()) {
        let records = records([&solver, &dataset, &words]);
        let mut csv = Vec::new();
        write_bench_csv(&mut csv, &records).unwrap();
        let pairs = records.iter().flat_map(|record| &record.pairs);
        let names = pairs.map(|pair| [&pair.solver, &pair.dataset].map(|name| harmless(name).into_owned()));
        let names: Vec<[String; 2]> = names.collect();
        prop_assert_eq!(names_read_back(&csv), names);
        for record in records {
            let json = serde_json::to_string(&record).unwrap();
            prop_assert_eq!(serde_json::from_str::<BenchRecord>(&json).unwrap(), record);
        }
    }
}
