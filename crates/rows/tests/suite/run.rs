//! Tests of the library: sources, columns, sinks, callbacks, and reports.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sudobench_rows::columns::{Column, Holds, SOLVE};
use sudobench_rows::sink::{OutputFormat, PART_BYTES};
use sudobench_rows::source::{Input, MAX_RECORD, Options, Source};
use sudobench_rows::verbs::{SOLUTIONS, SolutionsOptions};
use sudobench_rows::{Filter, NoticeKind, Progress, RowOrder, Run, RunError, Sink};
use sudobench_sudoku::Status;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Variant, find};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Returns a row with one solution, a malformed row, a row whose expected solution is wrong, and a row with very many solutions.
fn rows() -> String {
    let wrong = SOLUTION.replace('1', "x").replace('2', "1").replace('x', "2");
    let open = ".".repeat(81);
    format!("puzzle,solution\n{PUZZLE},{SOLUTION}\nnone,\n{PUZZLE},{wrong}\n{open},\n")
}

fn source(text: &str) -> Source {
    Source::from_reader("the test", io::Cursor::new(text.to_owned()), Options::default()).unwrap()
}

/// Returns the output of a run as text.
fn written(run: Run, format: OutputFormat) -> String {
    let mut out = Vec::new();
    run.to(Sink::writer(&mut out).format(format)).unwrap();
    String::from_utf8(out).unwrap()
}

fn column(name: &str) -> Column {
    *SOLVE.iter().find(|column| column.name == name).unwrap()
}

#[test]
fn a_writer_gets_every_row_and_the_caller_the_counts() {
    let mut out = Vec::new();
    let run = Run::over(source(&rows())).columns([column("status"), column("match")]);
    let finished = run.to(Sink::writer(&mut out)).unwrap();
    let text = String::from_utf8(out).unwrap();
    let ends: Vec<&str> = text.lines().map(|line| line.rsplit(',').nth(1).unwrap()).collect();
    assert_eq!(ends, ["status", "unique", "malformed", "unique", "multiple"]);
    let matches: Vec<&str> = text.lines().map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!(matches, ["match", "yes", "", "no", ""]);
    let tally = finished.measures.tally;
    assert_eq!(
        (tally.rows(), tally.compared, tally.mismatches, tally.rows_with(Status::Unique)),
        (4, 2, 1, 2)
    );
    let noticed: Vec<_> = finished.notices.iter().map(|notice| (notice.kind, notice.line)).collect();
    assert_eq!(noticed, [(NoticeKind::Malformed, 3), (NoticeKind::Mismatch, 4)]);
    assert!(!finished.interrupted && finished.inputs[0].bytes == rows().len() as u64);
}

/// Collects the written text, and remembers the length of the longest write.
#[derive(Default)]
struct Longest {
    text: Vec<u8>,
    longest: usize,
}

impl Write for &mut Longest {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.longest = self.longest.max(text.len());
        self.text.write(text)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn many_results_of_a_row_are_written_in_parts() {
    const EACH: u64 = 30_000;
    let open = ".".repeat(81);
    let input = format!("puzzle\n{open}\n{PUZZLE}\n{open}\n");
    let written = |threads: usize, order: Option<&str>| {
        let options = SolutionsOptions { limit_per_puzzle: EACH.try_into().unwrap() };
        let mut written = Longest::default();
        let run = Run::over(source(&input)).columns(SOLUTIONS.default).expand(Arc::new(options));
        let run = run.order(RowOrder::parse(order, None, None, SOLUTIONS.columns).unwrap());
        let finished = run.threads(threads.try_into().unwrap()).to(Sink::writer(&mut written)).unwrap();
        assert_eq!(finished.measures.tally.found, 2 * EACH + 1);
        assert!(written.longest < PART_BYTES + MAX_RECORD, "{}", written.longest);
        assert!(written.text.len() > 4 * PART_BYTES);
        String::from_utf8(written.text).unwrap()
    };
    let text = written(1, None);
    let numbers = text.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse::<u64>().unwrap());
    assert!(numbers.eq((1..=EACH).chain([1]).chain(1..=EACH)));
    assert_eq!(written(2, None), text);
    let mut sorted: Vec<&str> = text.lines().skip(1).collect();
    sorted.sort_by_key(|line| line.rsplit(',').next().unwrap().parse::<u64>().unwrap());
    assert!(written(2, Some("number")).lines().skip(1).eq(sorted));
}

#[test]
fn rows_are_kept_by_status_and_by_mismatch() {
    let kept = |only: &str| {
        let run = Run::over(source(&rows()))
            .columns([column("status")])
            .filter(Filter::parse([only], &[]).unwrap());
        written(run, OutputFormat::JSONL).lines().count()
    };
    for (only, rows) in [("unique", 2), ("malformed,multiple", 2), ("mismatch", 1), ("mismatch,multiple", 2)]
    {
        assert_eq!(kept(only), rows, "{only}");
    }
    assert_eq!(kept("aborted"), 0);
}

#[test]
fn a_function_gets_the_blocks_in_order_on_any_number_of_threads() {
    let text = format!("{PUZZLE} a\n{PUZZLE} b\n").repeat(20_000);
    for threads in [1, 3] {
        let (mut labels, mut blocks) = (Vec::new(), 0);
        let run = Run::over(source(&text)).threads(NonZeroUsize::new(threads).unwrap());
        let finished = run.to(Sink::blocks(|block| {
            blocks += 1;
            labels.extend(block.rows().map(|row| (row.status(), *row.text().last().unwrap())));
            ControlFlow::Continue(())
        }));
        assert_eq!(finished.unwrap().measures.tally.rows(), 40_000);
        assert!(blocks > 2 && labels.len() == 40_000, "{blocks} blocks, {} rows", labels.len());
        assert!(
            labels.chunks(2).all(|pair| pair == [(Some(Status::Unique), b'a'), (Some(Status::Unique), b'b')])
        );
    }
    let mut blocks = 0;
    let run = Run::over(source(&text)).filter(Filter::parse(["multiple"], &[]).unwrap());
    let finished = run.to(Sink::blocks(|block| {
        blocks += 1;
        assert_eq!(block.rows().count(), 0);
        ControlFlow::Break(())
    }));
    let tally = finished.unwrap().measures.tally;
    assert_eq!((blocks, tally.left_out), (1, tally.rows()), "one block was enough");
}

#[test]
fn only_needed_facts_are_computed() {
    const CORNER: Column = Column {
        name: "corner",
        about: "the first cell",
        needs: &[],
        holds: Holds::Number(|row| Some(row.puzzle?.values()[0].into())),
    };
    let nobody = Variant { build: |_| panic!("no column needs an outcome"), ..*find("mrv").unwrap() };
    let run = Run::over(source(&rows())).solver(&nobody, Level::Baseline).columns([CORNER, column("clues")]);
    let text = written(run, OutputFormat::CSV);
    let ends: Vec<String> =
        text.lines().map(|line| line.split(',').skip(2).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(ends, ["corner,clues", "5,30", ",", "5,30", "0,0"]);
}

#[test]
fn real_numbers_round_trip() {
    const THIRD: Column = Column {
        name: "third",
        about: "a third of the first cell, and a number that is too large for an integer",
        needs: &[],
        holds: Holds::Real(|row| match row.puzzle?.values()[0] {
            0 => Some(2.5e21),
            value => Some(f64::from(value) / 3.0),
        }),
    };
    let run = || Run::over(source(&rows())).columns([THIRD]);
    let csv = written(run(), OutputFormat::CSV);
    let values: Vec<Option<f64>> =
        csv.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse().ok()).collect();
    assert_eq!(values, [Some(5.0 / 3.0), None, Some(5.0 / 3.0), Some(2.5e21)]);
    let jsonl = written(run(), OutputFormat::JSONL);
    let of_json =
        jsonl.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["third"].as_f64());
    assert_eq!(of_json.collect::<Vec<_>>(), values);
}

#[test]
fn progress_is_reported_and_a_run_can_be_cancelled() {
    let text = format!("{PUZZLE}\n").repeat(60_000);
    let cancel = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&cancel);
    let mut told: Vec<Progress> = Vec::new();
    let mut out = Vec::new();
    let run = Run::over(source(&text)).threads(NonZeroUsize::MIN).cancel(cancel).progress(|progress| {
        told.push(*progress);
        raised.store(true, Ordering::SeqCst);
    });
    let finished = run.to(Sink::writer(&mut out)).unwrap();
    let rows = finished.measures.tally.rows();
    assert!(finished.interrupted && (1..60_000).contains(&rows), "{rows} rows");
    assert_eq!(told[0].rows, out.iter().filter(|&&byte| byte == b'\n').count() as u64 - 1);
    assert!(told[0].read > 0 && told[0].total.is_none());
}

#[test]
fn progress_counts_the_work_of_the_run() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, format!("{PUZZLE}\n").repeat(60_000)).unwrap();
    let told = |skip: u64, limit: Option<u64>| {
        let options = Options { skip, limit, ..Options::default() };
        let source = Source::open(&[Input::File(file.path().to_owned())], options).unwrap();
        let mut shares = Vec::new();
        let run = Run::over(source).threads(NonZeroUsize::MIN);
        run.progress(|progress| shares.push(progress.share().unwrap())).to(Sink::writer(io::sink())).unwrap();
        shares
    };
    // A block has about 490 KB, and the whole input 5 MB, so progress is reported several times.
    for (skip, limit) in
        [(0, None), (50_000, None), (0, Some(20_000)), (40_000, Some(15_000)), (0, Some(100_000))]
    {
        let shares = told(skip, limit);
        assert!(shares.is_sorted() && shares[0] < 0.6, "{skip} {limit:?}: {shares:?}");
        assert_eq!(*shares.last().unwrap(), 1.0, "{skip} {limit:?}: {shares:?}");
    }
}

/// A writer that accepts this many bytes, and then fails.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_failure_halfway_reports_the_results_so_far() {
    let text = format!("{PUZZLE}\n").repeat(60_000);
    let failed = Run::over(source(&text)).to(Sink::writer(Full(2_000_000))).unwrap_err();
    let words = format!("{:#}", anyhow::Error::from(failed));
    assert_eq!(
        words, "the run stopped before its end: cannot write the output: no storage space",
        "each cause is named once"
    );
    let failed = Run::over(source(&text)).to(Sink::writer(Full(2_000_000))).unwrap_err();
    let RunError::Halfway { error, finished } = failed else { panic!("{failed}") };
    assert!(matches!(*error, RunError::Destination(_)), "{error}");
    assert!((1..60_000).contains(&finished.measures.tally.rows()));
}

#[test]
fn a_file_appears_complete_and_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    Run::over(source(&rows())).to(Sink::file(&path)).unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    assert_eq!(whole.lines().count(), 5);
    let refused = Run::over(source(&rows())).to(Sink::file(&path)).unwrap_err();
    assert!(refused.to_string().contains("exists"), "{refused}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

/// A puzzle whose last cell has no candidate. A solver that fills the cells row by row never ends: it reaches the last cell only when all
/// other cells are filled, and there are countless ways to fill these.
const ENDLESS: &str = "........9...............................................................12345678.";

#[test]
fn a_callback_that_breaks_does_not_wait_for_a_hard_puzzle() {
    // Two threads work on one block each. When the callback gets the first block, the second block is still being solved.
    let text = format!("{}{ENDLESS}\n", format!("{PUZZLE}\n").repeat(60));
    let (given, was_given) = std::sync::mpsc::channel();
    let run = Run::over(source(&text))
        .solver(find("blank-scan").unwrap(), Level::Baseline)
        .threads(NonZeroUsize::new(2).unwrap());
    std::thread::spawn(move || {
        let finished = run.to(Sink::blocks(|_| ControlFlow::Break(()))).unwrap();
        given.send(finished.interrupted).unwrap();
    });
    let interrupted = was_given.recv_timeout(std::time::Duration::from_secs(60));
    assert!(!interrupted.unwrap(), "a run that its callback ends is not an interrupted run");
}

#[test]
fn too_many_threads_are_an_error_with_a_possible_number() {
    for threads in [1025, usize::MAX] {
        let run = Run::over(source(&rows())).threads(NonZeroUsize::new(threads).unwrap());
        let error = run.to(Sink::writer(Vec::new())).unwrap_err();
        assert!(matches!(error, RunError::Threads(_)), "{error}");
        let words = format!("cannot start {threads} worker threads: the maximum is 1024");
        assert_eq!(error.to_string(), words);
    }
}

/// The header of an array contains the number of rows, which is known only at the end. In a pipe, the header can't be changed at the end,
/// because the reader has already read it.
#[test]
fn an_array_can_only_be_written_to_a_file() {
    let mut out = Vec::new();
    let refused =
        Run::over(source(&rows())).to(Sink::writer(&mut out).format(OutputFormat::NPY)).unwrap_err();
    assert!(refused.to_string().starts_with("the output is not a file"), "{refused}");
    assert!(out.is_empty());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.npy");
    Run::over(source(&rows())).columns([]).to(Sink::file(&path)).unwrap();
    let array = std::fs::read(&path).unwrap();
    assert_eq!(array.len(), 128 + 4 * 81);
    assert!(array[128..209].iter().map(|digit| digit + b'0').eq(SOLUTION.bytes()));
    assert_eq!(array[209..290], [0; 81]);
}
