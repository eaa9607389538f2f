//! The tables of a record of `judge`.
//!
//! Times are processor times unless a header says otherwise, because the judge's time limit is a limit of processor time. The times include
//! the program's start-up.

use sudobench_rows::Budget;

use super::bench_tables::{fingerprint_note, left_out, within_cell};
use super::figure_cell::{figure_cell, figure_cells, figure_headers, shown, time_cell};
use super::grid::{Cell, Grid};
use super::histogram::draw_histogram;
use super::record_grid::{RecordGrid, RecordTable};
use super::{count, counted, duration_ns, escape, units, wrapped};
use crate::analysis::distinct;
use crate::problem::BOJ_2580_CALLS;
use crate::record::registry::{CPU, STARTUP_CPU, TableId, Unit};
use crate::record::{
    BenchRecord, BudgetRecord, DatasetRecord, JudgeRecord, Measurement, PairRecord, Verdict,
    histogram_from_text,
};
use strum::VariantArray as _;

/// Maximum number of puzzles of each program in the table of the slowest puzzles.
const SLOWEST: usize = 5;
/// Maximum number of failures of each program in the table of failures.
const FAILURES: usize = 5;

/// Page that explains the advice about the time limit.
const ADVICE_PAGE: &str = "docs/JUDGE.md#when-the-time-limit-is-hit";

pub(super) fn judge_grids(record: &BenchRecord) -> Vec<RecordGrid> {
    let of_dataset = |dataset| {
        let grids = [
            (RecordTable::OfDataset, Some(verdicts(record, dataset))),
            (RecordTable::AboveCactus, references(record, dataset)),
            (RecordTable::AbovePercentiles, times(record, dataset).if_any()),
            (RecordTable::OfDataset, slowest(record, dataset).if_any()),
            (RecordTable::OfDataset, failures(record, dataset).if_any()),
        ];
        RecordGrid::of_dataset(dataset, grids)
    };
    let of_datasets = record.datasets.iter().flat_map(of_dataset);
    of_datasets.chain(RecordGrid::overview(record, overview)).collect()
}

/// Draws the processor times of each program's accepted puzzles, with a line at each budget, such as a reference time.
pub(super) fn judge_histograms(record: &BenchRecord, width: usize) -> Vec<String> {
    let pairs = record.datasets.iter().flat_map(|dataset| judged(record, dataset));
    let drawn = pairs.filter_map(|(pair, measurement, _)| {
        let histogram = histogram_from_text(measurement.verdict_histogram.as_ref()?).ok()?;
        let budgets: Vec<Budget> =
            measurement.budgets.iter().filter_map(|budget| Budget::from_label(&budget.label)).collect();
        let drawn = draw_histogram(&histogram, &budgets, width);
        let title = format!("{}: processor time of {}, accepted", pair.dataset, pair.solver);
        let title = wrapped(&escape::visible(&title), width, "", "    ");
        (!drawn.is_empty()).then(|| escape::lines(&format!("{title}{drawn}")))
    });
    drawn.collect()
}

/// Returns the programs that were run on a dataset.
fn judged<'r>(
    record: &'r BenchRecord,
    dataset: &'r DatasetRecord,
) -> impl Iterator<Item = (&'r PairRecord, &'r Measurement, &'r JudgeRecord)> {
    record
        .measured(&dataset.name)
        .filter_map(|(pair, measurement)| Some((pair, measurement, measurement.judge.as_ref()?)))
}

/// Returns the verdicts that occur on a dataset, from good to bad. "Accepted" is always the first, even if it does not occur.
fn verdicts_of(record: &BenchRecord, dataset: &DatasetRecord) -> Vec<Verdict> {
    let occurs =
        |verdict: &Verdict| judged(record, dataset).any(|(_, _, judge)| judge.with_verdict(*verdict) > 0);
    Verdict::VARIANTS.iter().copied().filter(|it| *it == Verdict::Accepted || occurs(it)).collect()
}

/// Makes the table of the verdicts on programs, with the number of puzzles for each verdict.
fn verdicts(record: &BenchRecord, dataset: &DatasetRecord) -> Grid {
    let verdicts = verdicts_of(record, dataset);
    let mut headers = vec!["program", "language", "verdict"];
    headers.extend(verdicts.iter().map(|verdict| verdict.letters()));
    headers.extend(figure_headers(TableId::JudgedVerdicts));
    let mut grid = Grid::new(title(record, dataset), &headers);
    grid.left = 3;
    for pair in record.pairs_of(&dataset.name) {
        let mut row = vec![Cell::from(pair.solver.as_str())];
        let measurement = pair.measurement.as_ref();
        match measurement.and_then(|measurement| Some((measurement, measurement.judge.as_ref()?))) {
            Some((measurement, judge)) => {
                row.extend([Cell::from(judge.language.as_str()), Cell::from(judge.verdict.letters())]);
                row.extend(verdicts.iter().map(|&verdict| verdict_cell(judge, verdict)));
                row.extend(figure_cells(TableId::JudgedVerdicts, measurement));
            }
            None => row.resize(headers.len(), Cell::none()),
        }
        grid.rows.push(row);
        grid.notes.extend(sentences(record, pair));
    }
    grid.notes.extend(dataset.fingerprint.as_ref().map(|kinds| fingerprint_note(dataset, kinds)));
    grid.notes.extend(left_out(dataset, sampled(record, dataset)));
    let failures = &verdicts[1..];
    if !failures.is_empty() {
        let words =
            failures.iter().map(|verdict| format!("{}: {}", verdict.letters(), verdict.description()));
        grid.note(words.collect::<Vec<_>>().join(", "));
    }
    grid
}

fn title(record: &BenchRecord, dataset: &DatasetRecord) -> String {
    let problem = judged(record, dataset).next().map_or(String::new(), |(_, _, judge)| judge.problem.clone());
    // If a sample is judged, puzzles are examined only until the sample is complete. So it is unknown how many puzzles of the whole dataset
    // could be judged.
    let (sample, puzzles) = match sampled(record, dataset) {
        Some(sample) => (format!("{} of ", count(sample)), dataset.puzzles),
        None => (String::new(), judged_at_most(dataset)),
    };
    let runs = record.settings.rounds as u64;
    let repeated = if runs > 1 { format!(", {} each", counted(runs, "run")) } else { String::new() };
    let gap = if problem.is_empty() { "" } else { ", " };
    format!("{}: {problem}{gap}{sample}{}{repeated}", dataset.name, counted(puzzles, "puzzle"))
}

/// Returns the number of puzzles of a dataset, without the puzzles that are known to be left out.
fn judged_at_most(dataset: &DatasetRecord) -> u64 {
    dataset.puzzles.saturating_sub(dataset.unsolvable.saturating_add(dataset.beyond_problem))
}

/// Returns the size of the sample. `None` if there is no sample, or if the sample has all puzzles of the dataset that can be judged.
fn sampled(record: &BenchRecord, dataset: &DatasetRecord) -> Option<u64> {
    record.settings.sample.filter(|&sample| sample < judged_at_most(dataset))
}

fn verdict_cell(judge: &JudgeRecord, verdict: Verdict) -> Cell {
    let puzzles = judge.with_verdict(verdict);
    match verdict {
        Verdict::Accepted => Cell::part(puzzles, judge.puzzles()),
        _ => Cell::count(puzzles),
    }
}

/// Returns sentences about a program: on how many puzzles it was accepted, how its time compares with the search of BOJ 12095 (the judge's
/// own search), and other remarks.
pub(super) fn sentences(record: &BenchRecord, pair: &PairRecord) -> Vec<String> {
    let dataset = record.datasets.iter().find(|dataset| dataset.name == pair.dataset);
    let reference_ns = dataset.and_then(|dataset| dataset.reference_ns);
    let name = &pair.solver;
    let mut sentences: Vec<String> = pair.error.iter().map(|error| format!("{name}: {error}")).collect();
    let Some(measurement) = &pair.measurement else { return sentences };
    let Some(judge) = &measurement.judge else { return sentences };
    let (accepted, failed) = (judge.with_verdict(Verdict::Accepted), judge.failed());
    let part = match (accepted, failed) {
        (1, 0) => "accepted".to_owned(),
        (0, 1) => format!("not accepted ({})", judge.verdict.letters()),
        (0, _) => format!("none of {} accepted", counted(failed, "puzzle")),
        (_, 0) => format!("all {} accepted", counted(accepted, "puzzle")),
        _ => format!("{} of {} accepted", count(accepted), counted(judge.puzzles(), "puzzle")),
    };
    let language = if judge.language == "none" { String::new() } else { format!(" ({})", judge.language) };
    let limit = duration_ns(judge.time_limit_ns as f64);
    let memory = shown(Unit::Bytes)(judge.memory_limit_bytes as f64);
    sentences.push(format!(
        "{name}: {part} within {limit} and {memory}{language}{}",
        standing(measurement, judge, reference_ns)
    ));
    if !measurement.complete {
        sentences.push(format!("{name}: stopped after {}", counted(measurement.puzzles, "puzzle")));
    }
    sentences
}

/// Describes the time of the slowest accepted puzzle. Also compares the program's total time with the time of the search of BOJ 12095 (the
/// judge's own search) on the same puzzles, if that time is known, the run is complete and all puzzles were accepted.
fn standing(measurement: &Measurement, judge: &JudgeRecord, reference_ns: Option<u64>) -> String {
    let histogram = measurement.verdict_histogram.as_ref().and_then(|text| histogram_from_text(text).ok());
    let Some(histogram) = histogram.filter(|histogram| !histogram.is_empty()) else { return String::new() };
    let is_whole = judge.failed() == 0 && measurement.complete;
    let multiple = reference_ns.filter(|&reference_ns| reference_ns > 0 && is_whole).map(|reference_ns| {
        let total_ns = judge.cpu_ns.mean * judge.puzzles() as f64;
        let (all, multiple) = (duration_ns(total_ns), units::multiple(total_ns / reference_ns as f64));
        format!(
            "; all puzzles together took {all}, {multiple} the time of BOJ 12095's search inside sudobench"
        )
    });
    let which = match (histogram.len(), judge.failed()) {
        (1, 0) => "it",
        (_, 0) => "the slowest",
        _ => "the slowest of them",
    };
    format!("; {which} took {}{}", duration_ns(histogram.max() as f64), multiple.unwrap_or_default())
}

/// Returns whether a budget is shown for programs in this language. Every budget is shown, except for the reference times of other
/// languages. Programs in CPython get the reference time of PyPy. Programs in an unknown language get all reference times.
fn concerns(language: &str, budget: &BudgetRecord) -> bool {
    let origin = Budget::from_label(&budget.label).map_or("", |known| known.origin);
    match language {
        _ if origin.is_empty() => true,
        "cpp" => origin.starts_with("C++"),
        "java" => origin == "Java",
        "pypy" | "python" => origin.starts_with("PyPy"),
        _ => true,
    }
}

/// Makes a table that shows for each program how many puzzles were accepted within the reference time of the program's language, and
/// within other budgets. Returns `None` if nothing was run.
fn references(record: &BenchRecord, dataset: &DatasetRecord) -> Option<Grid> {
    let (_, first, _) = judged(record, dataset).next()?;
    let is_shown =
        |budget: &&BudgetRecord| judged(record, dataset).any(|(.., judge)| concerns(&judge.language, budget));
    let columns: Vec<&BudgetRecord> = first.budgets.iter().filter(is_shown).collect();
    let mut headers = vec!["program", "limit"];
    headers.extend(columns.iter().map(|budget| budget.label.as_str()));
    let mut grid = Grid::new(format!("{}: accepted within the reference times", dataset.name), &headers);
    for (pair, measurement, judge) in judged(record, dataset) {
        let mut row = vec![Cell::from(pair.solver.as_str()), time_cell(judge.time_limit_ns as f64)];
        row.extend(columns.iter().map(|column| {
            let same = |budget: &&BudgetRecord| {
                budget.limit_ns == column.limit_ns && concerns(&judge.language, budget)
            };
            measurement.budgets.iter().find(same).map_or(Cell::none(), within_cell)
        }));
        grid.rows.push(row);
    }
    Some(grid)
}

fn times(record: &BenchRecord, dataset: &DatasetRecord) -> Grid {
    let headers: Vec<&str> =
        ["program", STARTUP_CPU.label].into_iter().chain(figure_headers(TableId::JudgedTimes)).collect();
    let title = format!("{}: processor time of a run, start-up included, and wall time", dataset.name);
    let mut grid = Grid::new(title, &headers);
    let mut jobs = 1;
    for (pair, measurement, judge) in judged(record, dataset) {
        // 0 means that the start-up is unknown.
        let startup = figure_cell(&STARTUP_CPU, measurement).filter(|_| judge.startup_cpu_ns > 0);
        let cells = [Cell::from(pair.solver.as_str()), startup.unwrap_or_else(Cell::none)].into_iter();
        grid.rows.push(cells.chain(figure_cells(TableId::JudgedTimes, measurement)).collect());
        if judge.timed_again > 0 {
            let again = counted(judge.timed_again, "puzzle");
            let were = if judge.timed_again == 1 { "was" } else { "were" };
            grid.note(format!(
                "{}: {again} near a limit or a reference time {were} timed again, with no other run at the same time",
                pair.solver
            ));
        }
        jobs = jobs.max(judge.jobs);
    }
    if jobs > 1 {
        grid.note(format!("{jobs} runs at a time disturb each other: times are longer than with --jobs 1"));
    }
    let held_by = distinct(judged(record, dataset).map(|(.., judge)| judge.held_by.as_str()));
    grid.note(format!("limits enforced by {}", held_by.join("; ")));
    grid
}

fn slowest(record: &BenchRecord, dataset: &DatasetRecord) -> Grid {
    let headers = ["program", "puzzle", "verdict", CPU.label, "wall time"];
    let mut grid = Grid::new(format!("{}: slowest puzzles", dataset.name), &headers);
    for (pair, _, judge) in judged(record, dataset) {
        grid.rows.extend(judge.slowest.iter().take(SLOWEST).map(|slow| {
            vec![
                Cell::from(pair.solver.as_str()),
                Cell::count(slow.number),
                Cell::from(slow.verdict.letters()),
                time_cell(slow.cpu_ns as f64),
                time_cell(slow.wall_ns as f64),
            ]
        }));
    }
    grid
}

fn failures(record: &BenchRecord, dataset: &DatasetRecord) -> Grid {
    let headers = ["program", "line", "puzzle", "verdict", "reason"];
    let mut grid = Grid::new(format!("{}: not accepted", dataset.name), &headers);
    grid.left = headers.len();
    for (pair, _, judge) in judged(record, dataset) {
        let shown = judge.failures.iter().take(FAILURES);
        grid.rows.extend(shown.map(|failure| {
            vec![
                Cell::from(pair.solver.as_str()),
                failure.line.map_or(Cell::none(), |line| Cell::number(line as f64, line.to_string())),
                // Older records have only the number of the puzzle.
                Cell::from(failure.puzzle.clone().unwrap_or_else(|| format!("number {}", failure.number))),
                Cell::from(failure.verdict.letters()),
                Cell::from(failure.reason()),
            ]
        }));
        let shown = judge.failures.len().min(FAILURES) as u64;
        let others = judge.failed().saturating_sub(shown);
        if others > 0 {
            let others = counted(others, "more puzzle");
            grid.note(format!("{}: {others} not accepted; `judge --export-runs` writes all", pair.solver));
        }
        grid.notes.extend(time_limit_advice(&pair.solver, judge));
    }
    grid
}

/// Some puzzles are slow to solve if the search always fills the first blank cell, row by row. Returns advice for a program that exceeds
/// the time limit on such puzzles. `None` if there is no such puzzle, or if the program fails even on a solved board, so that its start-up
/// is unknown.
fn time_limit_advice(program: &str, judge: &JudgeRecord) -> Option<String> {
    let known = || judge.failures.iter().filter_map(|failure| failure.reference_calls);
    let of = known().count() as u64;
    let slow = known().filter(|&calls| calls > BOJ_2580_CALLS).count() as u64;
    (slow > 0 && judge.startup_cpu_ns > 0).then(|| {
        format!(
            "{program}: on {slow} of {} over the time limit, BOJ 12095's search takes more than {} calls, because it fills the first \
             blank cell, row by row. If {program} does the same, let it fill the cell with the fewest candidates: {ADVICE_PAGE}",
            counted(of, "puzzle"),
            count(BOJ_2580_CALLS),
        )
    })
}

/// Makes the table with a row for each program and a column for each dataset. A cell has the worst verdict and the number of accepted
/// puzzles.
fn overview(record: &BenchRecord) -> Grid {
    let mut headers = vec!["program"];
    headers.extend(record.datasets.iter().map(|dataset| dataset.name.as_str()));
    let mut grid = Grid::new("Over all datasets", &headers);
    for program in distinct(record.pairs.iter().map(|pair| pair.solver.as_str())) {
        let cell = |dataset: &DatasetRecord| {
            let pair = record.pair(program, &dataset.name)?;
            let judge = pair.measurement.as_ref()?.judge.as_ref()?;
            let accepted = judge.with_verdict(Verdict::Accepted);
            let text =
                format!("{}, {} of {}", judge.verdict.letters(), count(accepted), count(judge.puzzles()));
            Some(Cell::number(accepted as f64, text))
        };
        let cells = record.datasets.iter().map(|dataset| cell(dataset).unwrap_or_else(Cell::none));
        grid.rows.push([Cell::from(program)].into_iter().chain(cells).collect());
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;
    use crate::report::{bench_markdown, bench_text};

    #[test]
    fn a_judged_record_as_text() {
        insta::assert_snapshot!(bench_text(&fixtures::judge_record(), 80));
    }

    #[test]
    fn a_judged_record_as_markdown() {
        insta::assert_snapshot!(bench_markdown(&fixtures::judge_record()));
    }

    /// Returns a record with a program that was not run, a program that failed on many puzzles of two datasets, and remarks of all kinds.
    fn troubled() -> BenchRecord {
        let mut record = fixtures::judge_record();
        record.settings = crate::record::Settings { sample: Some(3), rounds: 5, ..record.settings };
        let dataset = &mut record.datasets[0];
        (dataset.malformed, dataset.unsolvable) = (1, 2);
        dataset.puzzles = 1_002;
        let first = record.pairs[0].measurement.as_mut().unwrap();
        first.complete = false;
        let judge = first.judge.as_mut().unwrap();
        (judge.language, judge.jobs) = ("none".to_owned(), 4);
        record.pairs[1].error = Some("there is no program `slow`".to_owned());
        record.pairs[1].measurement = None;
        let mut crashing = fixtures::judge_record().pairs.swap_remove(1);
        crashing.solver = "crashing".to_owned();
        let measurement = crashing.measurement.as_mut().unwrap();
        measurement.verdict_histogram = None;
        let judge = measurement.judge.as_mut().unwrap();
        judge.verdict = Verdict::RuntimeError;
        judge.verdicts =
            vec![crate::record::VerdictRecord { verdict: Verdict::RuntimeError, puzzles: 1_000 }];
        judge.failures = (1..=100)
            .map(|number| crate::record::FailureRecord {
                number,
                verdict: Verdict::RuntimeError,
                words: "signal 11 (SIGSEGV), and on standard error: a long word about what had become of it"
                    .to_owned(),
                line: None,
                puzzle: None,
                reference_calls: None,
            })
            .collect();
        record.pairs.push(crashing.clone());
        record.datasets.push(DatasetRecord { name: "hard.txt".to_owned(), ..record.datasets[0].clone() });
        record.pairs.push(PairRecord { dataset: "hard.txt".to_owned(), ..crashing });
        record
    }

    #[test]
    fn problems_are_reported() {
        insta::assert_snapshot!(bench_text(&troubled(), 80));
    }

    #[test]
    fn one_puzzle_is_described_in_a_sentence() {
        let mut record = fixtures::judge_record();
        let mut pair = record.pairs.swap_remove(0);
        let measurement = pair.measurement.as_mut().unwrap();
        let mut only = sudobench_rows::Latency::new(&[]);
        only.record(40_000_000, true);
        measurement.verdict_histogram = Some(crate::record::histogram_to_text(only.histogram()).unwrap());
        let judge = measurement.judge.as_mut().unwrap();
        judge.verdicts = vec![crate::record::VerdictRecord { verdict: Verdict::Accepted, puzzles: 1 }];
        judge.cpu_ns.mean = 4e7;
        let message = "quick: accepted within 1.00 s and 256 MiB (cpp); it took 40.0 ms";
        assert_eq!(sentences(&record, &pair), [message]);
        record.datasets[0].reference_ns = Some(20_000_000);
        let with_reference = format!(
            "{message}; all puzzles together took 40.0 ms, 2.00x the time of BOJ 12095's search inside sudobench"
        );
        assert_eq!(sentences(&record, &pair), [with_reference]);
        let measurement = pair.measurement.as_mut().unwrap();
        measurement.verdict_histogram = None;
        let judge = measurement.judge.as_mut().unwrap();
        (judge.verdict, judge.verdicts[0].verdict) = (Verdict::TimeLimit, Verdict::TimeLimit);
        assert_eq!(sentences(&record, &pair), ["quick: not accepted (TLE) within 1.00 s and 256 MiB (cpp)"]);
    }

    #[test]
    fn advice_about_the_time_limit_is_for_a_search_in_the_order_of_cells() {
        let mut judge = fixtures::judge_record().pairs.remove(1).measurement.unwrap().judge.unwrap();
        let advice = time_limit_advice("slow", &judge).unwrap();
        assert!(
            advice.starts_with("slow: on 1 of 1 puzzle over the time limit, BOJ 12095's search"),
            "{advice}"
        );
        let (page, section) = advice.rsplit_once(": ").unwrap().1.split_once('#').unwrap();
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../").to_owned() + page;
        let title = section.replace('-', " ");
        let has_section = |text: &str| text.lines().any(|line| line.to_lowercase() == format!("## {title}"));
        assert!(has_section(&std::fs::read_to_string(page).unwrap()));
        // There is no advice if the search of BOJ 12095 takes few calls, or if the program doesn't end on a solved board: the order of
        // cells is then not the reason why the program is slow.
        judge.failures[1].reference_calls = Some(100_000);
        assert_eq!(time_limit_advice("slow", &judge), None);
        judge.failures[1].reference_calls = Some(5_200_345);
        judge.startup_cpu_ns = 0;
        assert_eq!(time_limit_advice("slow", &judge), None);
    }

    #[test]
    fn a_program_is_compared_with_the_time_of_its_language() {
        let record = fixtures::judge_record();
        let measurement = record.pairs[0].measurement.as_ref().unwrap();
        let held = |language: &str| -> Vec<&str> {
            let of = measurement.budgets.iter().filter(|budget| concerns(language, budget));
            of.map(|budget| budget.label.as_str()).collect()
        };
        assert_eq!(held("cpp"), ["80ms (C++14)"]);
        assert_eq!(held("java"), ["292ms (Java)"]);
        assert_eq!((held("pypy"), held("python")), (vec!["1172ms (PyPy3)"], vec!["1172ms (PyPy3)"]));
        assert_eq!(held("none").len(), 3);
    }
}
