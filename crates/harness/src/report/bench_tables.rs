//! The tables of a record of `bench`.

use std::collections::{BTreeMap, BTreeSet};

use super::compare_report::percent;
use super::figure_cell::{figure_cell, figure_cells, figure_headers, time_cell, unit_cell};
use super::grid::{Cell, Grid};
use super::record_grid::{RecordGrid, RecordTable};
use super::{count, counted, duration_ns, plural, share, units};
use crate::analysis::{Lack, Standing, multiples_of_best, standings};
use crate::record::registry::{
    AMORTISED, Figure, THROUGHPUT, THROUGHPUT_WITHOUT_STARTUP, TableId, Unit, figures_of,
};
use crate::record::{
    Amount, AnswerKind, BenchRecord, BudgetRecord, CheckedRecord, DatasetRecord, Fingerprint, Measurement,
    NamedPuzzle, OneByOneRecord, OneByOneTimes, PairRecord, RunOfPair,
};
use crate::statistics::ENOUGH_VALUES;

pub(super) fn bench_grids(record: &BenchRecord) -> Vec<RecordGrid> {
    let of_dataset = |dataset| {
        let grids = [
            (RecordTable::AbovePercentiles, Some(speed(record, dataset))),
            (RecordTable::AboveCactus, latency(record, dataset)),
            (RecordTable::OfDataset, slowest(record, dataset)),
            (RecordTable::OfDataset, search(record, dataset)),
            (RecordTable::OfDataset, spread(record, dataset)),
            (RecordTable::OfDataset, system(record, dataset)),
            (RecordTable::OfDataset, wrong_answers(record, dataset)),
        ];
        RecordGrid::of_dataset(dataset, grids)
    };
    let of_datasets = record.datasets.iter().flat_map(of_dataset);
    of_datasets.chain(RecordGrid::overview(record, overview)).collect()
}

/// Makes the table of the throughputs. They are computed from the whole wall time of a pass.
fn speed(record: &BenchRecord, dataset: &DatasetRecord) -> Grid {
    let question = record.pairs.first().map_or(String::new(), |pair| {
        let solutions = match pair.answers() {
            AnswerKind::Smallest => "the smallest solution".to_owned(),
            _ => format!("up to {}", counted(pair.max_solutions, "solution")),
        };
        format!("{solutions}, {}", counted(pair.threads as u64, "thread"))
    });
    let sampled = record.settings.sample.filter(|&sample| sample < dataset.puzzles);
    let sample = sampled.map_or(String::new(), |sample| format!("{} of ", count(sample)));
    let puzzles = counted(dataset.puzzles, "puzzle");
    let title = format!("{}: {sample}{puzzles}{}, {question}", dataset.name, in_forms(record));
    let has_startup = record.measured(&dataset.name).any(|(_, it)| it.share_of_startup().is_some());
    let kinds = kinds_of_answers(record.measured(&dataset.name).map(|(pair, _)| pair.answers()));
    let mut headers = vec!["solver", "kind"];
    headers.extend((kinds > 1).then_some("answers"));
    headers.extend([THROUGHPUT.label, "95% interval"]);
    headers.extend(has_startup.then_some(THROUGHPUT_WITHOUT_STARTUP.label));
    headers.extend(["time/best", AMORTISED.label, "measured"]);
    let mut grid = Grid::new(title, &headers);
    grid.notes.extend(dataset.fingerprint.as_ref().map(|kinds| fingerprint_note(dataset, kinds)));
    grid.notes.extend(left_out(dataset, None));
    for (pair, multiple) in multiples_of_best(record, &dataset.name) {
        let mut row = vec![Cell::from(pair.solver.as_str()), Cell::from(pair.kind.name())];
        match &pair.measurement {
            Some(measurement) => {
                row.extend((kinds > 1).then(|| Cell::from(pair.answers().name())));
                row.extend(speed_cells(measurement, multiple, has_startup));
            }
            None => row.resize(headers.len(), Cell::none()),
        }
        grid.rows.push(row);
        grid.notes.extend(remarks(record, pair));
    }
    grid.notes.extend((kinds > 1).then(|| KINDS_APART.to_owned()));
    if record.settings.fresh_forms && record.measured(&dataset.name).any(|(pair, _)| pair.kind.is_external())
    {
        grid.note("external programs got other forms of the puzzles in each round");
    }
    grid.notes.extend(short_of_rounds(record, dataset));
    grid.notes.extend(between_runs(record, dataset));
    grid.notes.extend(record.measured(&dataset.name).any(|(_, it)| is_narrow(it)).then(narrow_note));
    grid
}

const KINDS_APART: &str = "answers: `any` prints any solution, `smallest` the smallest one, `unique` proves that the solution is the only one, `count` counts the solutions; time/best \
                           compares only solvers with the same kind of answers; with --max-solutions 1, the built-in solvers also find any solution, and with --budgets boj2239 the smallest one";

fn kinds_of_answers(kinds: impl Iterator<Item = AnswerKind>) -> usize {
    kinds.collect::<BTreeSet<AnswerKind>>().len()
}

/// Describes the requested forms of each puzzle ([`Settings::isomorphs`](crate::record::Settings)); empty if none were requested. Does not
/// mention the new forms that external programs may get in each round.
pub(super) fn in_forms(record: &BenchRecord) -> String {
    match record.settings.isomorphs {
        None => String::new(),
        Some(1) => ", each in a random form".to_owned(),
        Some(isomorphs) => format!(", each in {} random forms", count(isomorphs)),
    }
}

/// Returns the noun for what was measured: `form` if puzzles have several forms, otherwise `puzzle`.
pub(super) fn puzzle_or_form(record: &BenchRecord) -> &'static str {
    if record.settings.isomorphs > Some(1) { "form" } else { "puzzle" }
}

/// Describes the difficulty of a dataset in one sentence.
pub(super) fn fingerprint_note(dataset: &DatasetRecord, kinds: &Fingerprint) -> String {
    let clues = match (kinds.clues_min, kinds.clues_max) {
        (fewest, most) if fewest == most => counted(most, "clue"),
        (fewest, most) => format!("{fewest} to {}", counted(most, "clue")),
    };
    let of = match kinds.solved < dataset.puzzles {
        true => format!("of the first {} in random order, ", count(kinds.solved)),
        false => String::new(),
    };
    let share = |puzzles: u64| share(puzzles, kinds.solved);
    let (unique, by_singles) = (share(kinds.unique), share(kinds.by_singles));
    format!(
        "its puzzles have {clues}; {of}{unique} have one solution, {by_singles} are solved by singles alone"
    )
}

/// Describes the rows of a dataset that were left out. If there is a `sample`, puzzles were examined only until the sample was full, and
/// the counts of puzzles cover only the examined puzzles. Malformed rows are always counted in the whole file.
pub(super) fn left_out(dataset: &DatasetRecord, sample: Option<u64>) -> Vec<String> {
    let kinds = [
        (dataset.malformed, "malformed row", ""),
        (dataset.unsolvable, "puzzle", " without a solution"),
        (dataset.beyond_problem, "puzzle", " too hard for this problem"),
    ];
    let kinds = kinds.into_iter().filter(|(rows, ..)| *rows > 0);
    let in_words = kinds.map(|(rows, noun, which)| {
        let is = if rows == 1 { "is" } else { "are" };
        format!("{}{which} {is} left out", counted(rows, noun))
    });
    let passed_over = dataset.unsolvable.saturating_add(dataset.beyond_problem);
    let looked_at = sample.filter(|_| passed_over > 0).map(|sample| {
        format!(
            "to fill the sample, {} were looked at",
            counted(sample.saturating_add(passed_over), "puzzle")
        )
    });
    in_words.chain(looked_at).collect()
}

/// Lists the solvers that made fewer rounds than planned, with the number of rounds and the reason.
fn short_of_rounds(record: &BenchRecord, dataset: &DatasetRecord) -> Vec<String> {
    let mut short: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (pair, measurement) in record.measured(&dataset.name) {
        let Some(rounds) = rounds_done(record, measurement) else { continue };
        // If the run was not interrupted, the time of the pair ran out.
        let reason = match measurement.out_of_time || !record.interrupted {
            true => "because the time of the pair ran out (--max-time-per-pair)",
            false => "because the run was interrupted",
        };
        short.entry(format!("{rounds}, {reason}")).or_default().push(&pair.solver);
    }
    short.into_iter().map(|(rounds, solvers)| format!("{}: {rounds}", solvers.join(", "))).collect()
}

/// Describes for each pair how much the runs differ. `None` if nothing was measured in several runs.
fn between_runs(record: &BenchRecord, dataset: &DatasetRecord) -> Option<String> {
    let planned = record.settings.runs?;
    let of_pair = |(pair, measurement): (&PairRecord, &Measurement)| {
        let speeds = measurement.runs.iter().map(RunOfPair::throughput);
        let (least, most) =
            speeds.fold((f64::INFINITY, 0.0_f64), |(least, most), it| (least.min(it), most.max(it)));
        let middle = measurement.throughput.median;
        let done = measurement.runs.len() as u64;
        let fewer = if done < planned {
            format!(" ({} of {} runs)", count(done), count(planned))
        } else {
            String::new()
        };
        format!("{} {} to {}{fewer}", pair.solver, percent(least / middle), percent(most / middle))
    };
    let pairs: Vec<String> = record.measured(&dataset.name).map(of_pair).collect();
    (!pairs.is_empty()).then(|| {
        format!(
            "{}, each in a process of its own; the figures are those of the run with the median throughput. Speeds of the slowest and \
             the fastest run, compared with that run: {}",
            counted(planned, "run"),
            pairs.join(", ")
        )
    })
}

/// Returns text such as `3 of 10 rounds` if a pair has fewer rounds than planned, otherwise `None`.
pub(super) fn rounds_done(record: &BenchRecord, measurement: &Measurement) -> Option<String> {
    let (done, asked) = (measurement.rounds.len(), record.settings.rounds);
    (done < asked).then(|| format!("{} of {}", count(done as u64), counted(asked as u64, "round")))
}

/// Mark of an interval that is too narrow.
const NARROW: &str = " *";

/// Returns whether a measurement has an interval from too few rounds.
fn is_narrow(measurement: &Measurement) -> bool {
    measurement.throughput_interval().is_some() && measurement.rounds.len() < ENOUGH_VALUES
}

fn narrow_note() -> String {
    format!("* an interval of fewer than {ENOUGH_VALUES} rounds is too narrow")
}

fn interval_cell(measurement: &Measurement) -> Cell {
    measurement.throughput_interval().map_or(Cell::none(), |bounds| {
        let narrow = if is_narrow(measurement) { NARROW } else { "" };
        Cell::from(format!("{} - {}{narrow}", units::number(bounds.low), units::number(bounds.high)))
    })
}

fn speed_cells(measurement: &Measurement, multiple: Option<f64>, has_startup: bool) -> Vec<Cell> {
    let measured = match measurement.complete {
        true => count(measurement.puzzles),
        false => format!("first {}", count(measurement.puzzles)),
    };
    let cell = |figure: &Figure| figure_cell(figure, measurement).unwrap_or_else(Cell::none);
    let mut cells = vec![cell(&THROUGHPUT), interval_cell(measurement)];
    // Built-in solvers have no start-up, so both columns show the same throughput.
    let without_startup =
        if measurement.engine.is_some() { &THROUGHPUT_WITHOUT_STARTUP } else { &THROUGHPUT };
    cells.extend(has_startup.then(|| cell(without_startup)));
    cells.extend([
        multiple_cell(multiple),
        cell(&AMORTISED),
        Cell::number(measurement.puzzles as f64, measured),
    ]);
    cells
}

fn multiple_cell(multiple: Option<f64>) -> Cell {
    multiple.map_or_else(Cell::none, |multiple| unit_cell(Unit::Multiple, multiple))
}

/// Returns remarks about a pair that readers need to understand its numbers.
fn remarks(record: &BenchRecord, pair: &PairRecord) -> Vec<String> {
    let name = &pair.solver;
    let mut remarks: Vec<String> = pair.error.iter().map(|error| format!("{name}: {error}")).collect();
    let Some(measurement) = &pair.measurement else { return remarks };
    if !measurement.complete {
        remarks.push(format!(
            "{name}: its time ran out after {} in shuffled order; time/best covers only these{}",
            counted(measurement.puzzles, puzzle_or_form(record)),
            measurement.checked.map_or(String::new(), |checked| format!("; {}", checked_in_words(checked)))
        ));
    }
    match measurement.with_status("aborted") {
        0 => (),
        aborted => remarks.push(format!("{name}: gave up {}", counted(aborted, puzzle_or_form(record)))),
    }
    let stated = measurement.engine.as_ref().and_then(|engine| engine.answers.as_ref());
    remarks.extend(stated.and_then(|answers| {
        let (stated, fault) = (answers.stated?.name(), answers.fault.as_ref()?);
        Some(format!(
            "{name}: --engine-answers says `{stated}`, but the engine {fault}, so it is ranked as `any`"
        ))
    }));
    remarks.extend(measurement.engine.as_ref().map(|engine| {
        let share = match (measurement.share_of_startup(), measurement.throughput_without_startup()) {
            (Some(share), Some(_)) => format!("{:.1}% of its time", 100.0 * share),
            _ => "nearly all of its time: take more or harder puzzles".to_owned(),
        };
        format!(
            "{name}: start-up {} ({share}), processor time {} a pass, peak memory at most {} KiB",
            duration_ns(engine.startup_ns as f64),
            duration_ns(engine.cpu_ns as f64),
            count(engine.peak_memory_bytes >> 10)
        )
    }));
    remarks
}

/// Describes how many answers were checked: `45 of 401 answers checked`.
fn checked_in_words(checked: CheckedRecord) -> String {
    match checked.answers < checked.of {
        true => format!("{} of {} checked", count(checked.answers), counted(checked.of, "answer")),
        false => format!("all {} checked", counted(checked.of, "answer")),
    }
}

/// Mark of an engine that was timed one puzzle at a time, on all its puzzles or only on the first puzzles.
const TIMED_ONE_BY_ONE: &str = " *";

/// Makes the table of latencies and budgets. Its notes say why engines have no times of single puzzles. Returns `None` if there are neither
/// times of single puzzles nor such notes.
fn latency(record: &BenchRecord, dataset: &DatasetRecord) -> Option<Grid> {
    let budgets = |measurement: &Measurement| match measurement.one_by_one_times() {
        Some(times) => times.budgets.clone(),
        None => measurement.budgets.clone(),
    };
    let is_timed = |it: &Measurement| it.latency_ns.is_some() || it.one_by_one_times().is_some();
    let is_untimed_engine = |it: &Measurement| matches!(it.one_by_one, Some(OneByOneRecord::NotTimed(_)));
    let (_, first) = record.measured(&dataset.name).find(|(_, it)| is_timed(it)).or_else(|| {
        // If there are only engines without times of single puzzles, a table without rows shows the reasons in its notes.
        record.measured(&dataset.name).find(|(_, it)| is_untimed_engine(it))
    })?;
    let labels: Vec<String> =
        budgets(first).iter().map(|budget| format!("within {}", budget.label)).collect();
    let has_score = record.measured(&dataset.name).any(|(_, measurement)| measurement.par2.is_some());
    let mut headers = vec!["solver"];
    headers.extend(figure_headers(TableId::Latency));
    headers.extend(labels.iter().map(String::as_str));
    headers.extend(figure_headers(TableId::Score).filter(|_| has_score));
    let mut grid =
        Grid::new(format!("{}: latency, from entering the solver to the answer", dataset.name), &headers);
    for (pair, measurement) in record.measured(&dataset.name) {
        let (name, times) = (&pair.solver, measurement.one_by_one_times());
        if let Some(OneByOneRecord::NotTimed(reason)) = &measurement.one_by_one {
            grid.note(format!("{name}: no times of single puzzles, since it {reason}"));
        }
        if !is_timed(measurement) {
            continue;
        }
        let mark = if times.is_some() { TIMED_ONE_BY_ONE } else { "" };
        let mut row = vec![Cell::from(format!("{name}{mark}"))];
        let latency_ns = measurement.single_latency_ns();
        row.extend(figure_cells(TableId::Latency, &Measurement { latency_ns, ..measurement.clone() }));
        row.extend(budgets(measurement).iter().map(within_cell));
        row.extend(figure_cells(TableId::Score, measurement).filter(|_| has_score));
        grid.rows.push(row);
        match times {
            Some(times) => grid.note(one_by_one_note(name, times, measurement.puzzles)),
            None if !measurement.complete => grid.note(format!(
                "{name}: times of only the first {}",
                counted(measurement.puzzles, puzzle_or_form(record))
            )),
            None => {}
        }
    }
    Some(grid)
}

fn one_by_one_note(name: &str, times: &OneByOneTimes, puzzles: u64) -> String {
    let timed = times.latency_ns.puzzles;
    let which = if timed < puzzles { format!("the first {}", count(timed)) } else { count(timed) };
    let echo = times.echo_ns.map_or(String::new(), |echo_ns| {
        format!("; the pipes alone take {}, which these times include", duration_ns(echo_ns as f64))
    });
    format!(
        "* {name}: {which} {}, each timed once and sent after the previous answer{echo}",
        plural(timed, "puzzle")
    )
}

pub(super) fn within_cell(budget: &BudgetRecord) -> Cell {
    Cell::part(budget.within, budget.of)
}

/// Mark of an external program that counts its work itself and prints the counts.
const PRINTED: &str = " *";

/// Makes the table of the work of searches. `None` if no contestant reports its work.
fn search(record: &BenchRecord, dataset: &DatasetRecord) -> Option<Grid> {
    let processor = figures_with_values(TableId::Processor, record, dataset);
    let headers: Vec<&str> = (["solver"].into_iter().chain(figure_headers(TableId::Search)))
        .chain(processor.iter().map(|(_, header)| *header))
        .collect();
    let mut grid = Grid::new(format!("{}: search", dataset.name), &headers);
    let mut has_printed = false;
    for (pair, measurement) in record.measured(&dataset.name) {
        if measurement.effort.is_none() {
            continue;
        }
        let is_own = pair.kind.is_external();
        let mark = if is_own { PRINTED } else { "" };
        has_printed |= is_own;
        let mut row = vec![Cell::from(format!("{}{mark}", pair.solver))];
        row.extend(figure_cells(TableId::Search, measurement));
        let counts = processor.iter().map(|(figure, _)| figure_cell(figure, measurement));
        row.extend(counts.map(|cell| cell.unwrap_or_else(Cell::none)));
        grid.rows.push(row);
    }
    if has_printed {
        grid.note("* counts that the engine itself prints; it may count in another way than other solvers");
    }
    if processor.is_empty() {
        let reason = match record.measured(&dataset.name).any(|(pair, _)| pair.threads > 1) {
            true => "read only with --threads 1",
            false => "the kernel offers none to this process",
        };
        grid.note(format!("cycles and instructions: {reason}"));
    }
    grid.if_any()
}

/// Makes the table that shows how much the forms of a puzzle differ. `None` if no measurement has these figures.
fn spread(record: &BenchRecord, dataset: &DatasetRecord) -> Option<Grid> {
    let title = format!("{}: forms of a puzzle, the slowest as a multiple of the fastest", dataset.name);
    let headers: Vec<&str> = (["solver", "by"].into_iter().chain(figure_headers(TableId::Forms)))
        .chain(["its fastest", "its slowest"])
        .collect();
    let mut grid = Grid::new(title, &headers);
    for (pair, measurement) in record.measured(&dataset.name) {
        let Some(spread) = &measurement.spread else { continue };
        let (by, amount): (_, fn(u64) -> Cell) = match spread.of {
            Amount::Time => ("own time", |ns| time_cell(ns as f64)),
            Amount::Nodes => ("nodes", Cell::count),
        };
        let mut row = vec![Cell::from(pair.solver.as_str()), Cell::from(by)];
        row.extend(figure_cells(TableId::Forms, measurement));
        row.extend([amount(spread.least), amount(spread.most)]);
        grid.rows.push(row);
        if spread.given_up > 0 {
            let (solver, given_up) = (&pair.solver, counted(spread.given_up, "puzzle"));
            grid.note(format!(
                "{solver}: at least one form of {given_up} was given up, so the figures are lower bounds"
            ));
        }
    }
    grid.if_any()
}

/// Returns the figures of a table that have a value for at least one solver, with their headers.
fn figures_with_values(
    table: TableId,
    record: &BenchRecord,
    dataset: &DatasetRecord,
) -> Vec<(&'static Figure, &'static str)> {
    let has_value = |figure: &Figure| {
        record.measured(&dataset.name).any(|(_, measurement)| figure.value(measurement).is_some())
    };
    figures_of(table).filter(|(figure, _)| has_value(figure)).collect()
}

/// Makes the table of the operating system's counts during the passes. `None` if the counts are unknown for all solvers.
fn system(record: &BenchRecord, dataset: &DatasetRecord) -> Option<Grid> {
    let figures = figures_with_values(TableId::System, record, dataset);
    let headers: Vec<&str> =
        ["solver"].into_iter().chain(figures.iter().map(|(_, header)| *header)).collect();
    let mut grid = Grid::new(format!("{}: operating system", dataset.name), &headers);
    for (pair, measurement) in record.measured(&dataset.name) {
        let cells: Vec<Option<Cell>> =
            figures.iter().map(|(figure, _)| figure_cell(figure, measurement)).collect();
        if cells.iter().any(Option::is_some) {
            let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(Cell::none));
            grid.rows.push([Cell::from(pair.solver.as_str())].into_iter().chain(cells).collect());
        }
    }
    grid.if_any()
}

/// Returns a cell with the line number of a puzzle in its file, and the number of its form if it has one.
fn line_cell(puzzle: &NamedPuzzle) -> Cell {
    let form = puzzle.form.map_or(String::new(), |form| format!(", form {form}"));
    Cell::number(puzzle.line as f64, format!("{}{form}", puzzle.line))
}

/// If there are at most this many contestants, the table of the slowest puzzles shows all slow puzzles of the record.
const FEW_CONTESTANTS: usize = 3;

/// Number of puzzles of each contestant that the table shows if there are more than [`FEW_CONTESTANTS`] contestants.
const FEW_PUZZLES: usize = 3;

/// Makes the table of the slowest puzzles of each contestant. `None` if the record names no slow puzzle.
fn slowest(record: &BenchRecord, dataset: &DatasetRecord) -> Option<Grid> {
    let timed = || record.measured(&dataset.name).filter(|(_, measurement)| !measurement.slowest.is_empty());
    let shown = if timed().count() > FEW_CONTESTANTS { FEW_PUZZLES } else { usize::MAX };
    let headers = ["solver", "line", "puzzle", "time"];
    let mut grid = Grid::new(format!("{}: slowest puzzles", dataset.name), &headers);
    grid.left = 3;
    for (pair, measurement) in timed() {
        grid.rows.extend(measurement.slowest.iter().take(shown).map(|slow| {
            vec![
                Cell::from(pair.solver.as_str()),
                line_cell(&slow.puzzle),
                Cell::from(slow.puzzle.puzzle.as_str()),
                time_cell(slow.time_ns as f64),
            ]
        }));
    }
    grid.if_any()
}

/// Makes the table of the wrong answers on a dataset. `None` if the record has none.
fn wrong_answers(record: &BenchRecord, dataset: &DatasetRecord) -> Option<Grid> {
    let headers = ["solver", "line", "puzzle", "answer", "reason"];
    let mut grid = Grid::new(format!("{}: wrong answers", dataset.name), &headers);
    grid.left = headers.len();
    for (pair, wrong) in record.pairs_of(&dataset.name).filter_map(|pair| Some((pair, pair.wrong.as_ref()?)))
    {
        grid.rows.extend(wrong.first.iter().map(|answer| {
            vec![
                Cell::from(pair.solver.as_str()),
                line_cell(&answer.puzzle),
                Cell::from(answer.puzzle.puzzle.as_str()),
                Cell::from(answer.answer.as_str()),
                Cell::from(answer.reason.as_str()),
            ]
        }));
        let (of, shown) = (counted(wrong.of, "answer"), wrong.first.len() as u64);
        let more = match shown < wrong.answers {
            true => format!("; here are the first {shown}, `bench --export-wrong` writes all"),
            false => String::new(),
        };
        grid.note(format!("{}: {} of {of} wrong{more}", pair.solver, count(wrong.answers)));
    }
    grid.if_any()
}

fn overview(record: &BenchRecord) -> Grid {
    let standings = standings(record);
    let kinds = kinds_of_answers(standings.iter().filter_map(|standing| standing.answers));
    let mut headers = vec!["solver"];
    headers.extend((kinds > 1).then_some("answers"));
    headers.extend(record.datasets.iter().map(|dataset| dataset.name.as_str()));
    headers.push("geometric mean");
    let title = match record.settings.max_time_per_puzzle_ns {
        None => "Time as a multiple of the best".to_owned(),
        Some(limit_ns) => format!(
            "PAR-2 as a multiple of the best: the mean time, in which each puzzle that was given up counts as twice {}",
            duration_ns(limit_ns as f64)
        ),
    };
    let mut grid = Grid::new(title, &headers);
    for standing in standings {
        let mut row = vec![Cell::from(standing.solver.as_str())];
        row.extend(
            (kinds > 1).then(|| standing.answers.map_or(Cell::none(), |kind| Cell::from(kind.name()))),
        );
        row.extend(standing.multiples_of_best.iter().copied().map(multiple_cell));
        row.push(mean_cell(&standing));
        grid.rows.push(row);
        grid.notes.extend(what_mean_lacks(record, &standing));
    }
    grid
}

/// Formats the geometric mean. If it does not cover all datasets, adds the number of datasets that it covers.
pub(super) fn mean_cell(standing: &Standing) -> Cell {
    let Some(mean) = standing.geometric_mean else { return Cell::none() };
    let at_least = if standing.lacks.iter().any(|lack| lack.puzzles > 0) { "at least " } else { "" };
    let measured = standing.multiples_of_best.iter().flatten().count();
    let of = match standing.datasets_missing() {
        0 => String::new(),
        missing => format!(" (on {measured} of {} datasets)", measured + missing),
    };
    Cell::number(mean, format!("{at_least}{}{of}", units::multiple(mean)))
}

/// Describes the puzzles that the geometric mean of a solver leaves out.
fn what_mean_lacks(record: &BenchRecord, standing: &Standing) -> Option<String> {
    standing.geometric_mean?;
    let lack = |lack: &Lack| match lack.puzzles {
        0 => format!("without {}, on which it was not measured", lack.dataset),
        reached => {
            let of = counted(lack.of, puzzle_or_form(record));
            format!("on the first {} of {of} of {}", count(reached), lack.dataset)
        }
    };
    let lacks: Vec<String> = standing.lacks.iter().map(lack).collect();
    (!lacks.is_empty()).then(|| format!("{}: its mean is {}", standing.solver, lacks.join(", ")))
}

#[cfg(test)]
mod tests {
    use crate::record::{HardwareRecord, fixtures};
    use crate::report::{bench_markdown, bench_text};

    #[test]
    fn a_record_as_text() {
        insta::assert_snapshot!(bench_text(&fixtures::bench_record(), usize::MAX));
    }

    #[test]
    fn each_counter_of_the_processor_is_a_column_if_it_was_counted() {
        let mut record = fixtures::bench_record();
        let search = |record: &crate::record::BenchRecord| {
            let text = bench_text(record, usize::MAX);
            let from = text.find("easy.txt: search").unwrap();
            text[from..].split("\n\n").next().unwrap().to_owned()
        };
        assert!(search(&record).contains("cycles and instructions: the kernel offers none"));
        record.pairs[0].threads = 2;
        assert!(search(&record).contains("cycles and instructions: read only with --threads 1"));
        let measurement = record.pairs[0].measurement.as_mut().unwrap();
        measurement.hardware =
            Some(HardwareRecord { cycles_per_puzzle: 900.0, instructions_per_puzzle: 2_000.0 });
        let text = search(&record);
        assert!(text.contains("instructions/puzzle") && !text.contains("branch misses"), "{text}");
        let measurement = record.pairs[0].measurement.as_mut().unwrap();
        measurement.figures.insert("branch_misses".to_owned(), 12.5);
        let text = search(&record);
        assert!(text.contains("branch misses/puzzle") && text.contains("12.5"), "{text}");
    }

    #[test]
    fn a_record_of_forms_as_text() {
        insta::assert_snapshot!(bench_text(&fixtures::forms_record(), 100));
    }

    #[test]
    fn a_record_as_markdown() {
        insta::assert_snapshot!(bench_markdown(&fixtures::bench_record()));
    }
}
