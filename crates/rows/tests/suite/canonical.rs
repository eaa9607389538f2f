//! Tests of canonical forms and of marks, in the different kinds of output. A mark is a number for a row. Rows without a mark are not
//! written.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sudobench_rows::columns::{self, CANONICAL, CANONICAL_FORM, Column, Holds, NOTE, STATUS};
use sudobench_rows::facts::{CanonicalForm, CanonicalSolution, Need};
use sudobench_rows::sink::{Existing, OutputFormat, Target};
use sudobench_rows::source::{Options, Source};
use sudobench_rows::{AnsweredRow, Filter, Marks, Run, Sink};
use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Variant, find};
use sudobench_sudoku::{Outcome, Puzzle, Question, Solution, Solver, Status, solve};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Returns the puzzles of the rows: puzzles with one solution, with none and with many, and two malformed rows.
fn rows() -> Vec<String> {
    let contradictory = format!("55{}", ".".repeat(79));
    let rows = [PUZZLE, "none", SOLUTION, &contradictory, &".".repeat(81), "", PUZZLE];
    rows.map(str::to_owned).to_vec()
}

fn text() -> String {
    let rows = rows().into_iter().enumerate();
    rows.fold("id,puzzle\n".to_owned(), |text, (id, row)| text + &format!("{id},{row}\n"))
}

fn source(text: &str) -> Source {
    Source::from_reader("the test", io::Cursor::new(text.to_owned()), Options::default()).unwrap()
}

fn chosen(names: &str) -> Vec<Column> {
    columns::parse(names, &CANONICAL).unwrap()
}

fn written(run: Run, format: OutputFormat) -> String {
    let mut out = Vec::new();
    run.to(Sink::writer(&mut out).format(format)).unwrap();
    String::from_utf8(out).unwrap()
}

/// Returns the expected values of all columns of `canonical` except `note`, for a row from [`rows`].
fn expected(row: &str) -> [String; 4] {
    let Ok(puzzle) = row.parse::<Puzzle>() else { return Default::default() };
    let mut canonicalizer = Canonicalizer::default();
    let canonical = canonicalizer.canonical(&puzzle);
    assert_eq!(canonical.transformation.apply(&puzzle), canonical.form);
    let outcome = solve(&puzzle);
    let solution = outcome.solution.filter(|_| outcome.status == Status::Unique);
    let of_solution = solution.map(|solution| canonicalizer.canonical(&solution.into()).form.to_string());
    [
        canonical.form.to_string(),
        canonical.transformation.to_string(),
        canonical.automorphisms.to_string(),
        of_solution.unwrap_or_default(),
    ]
}

#[test]
fn forms_are_added_to_every_row() {
    let csv = written(Run::over(source(&text())).columns(CANONICAL), OutputFormat::CSV);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("id,puzzle,canonical,transform,automorphisms,canonical_solution,note"));
    for (id, row) in rows().iter().enumerate() {
        let note = match row.as_str() {
            "none" => "4 characters where a puzzle has 81",
            "" => "0 characters where a puzzle has 81",
            _ => "",
        };
        assert_eq!(lines.next().unwrap(), format!("{id},{row},{},{note}", expected(row).join(",")));
    }
    let jsonl = written(Run::over(source(&text())).columns(CANONICAL), OutputFormat::JSONL);
    for (line, row) in jsonl.lines().zip(rows()) {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        let [form, transform, automorphisms, solution] = expected(&row);
        let or_null = |text: &str| if text.is_empty() { serde_json::Value::Null } else { text.into() };
        assert_eq!(object["canonical"], or_null(&form));
        assert_eq!(object["transform"], or_null(&transform));
        assert_eq!(
            object["automorphisms"],
            automorphisms.parse::<u64>().map_or(serde_json::Value::Null, Into::into)
        );
        assert_eq!(object["canonical_solution"], or_null(&solution));
    }
}

#[test]
fn forms_need_no_solver() {
    let nobody = Variant { build: |_| panic!("no column needs an outcome"), ..*find("mrv").unwrap() };
    let run = || Run::over(source(&text())).solver(&nobody, Level::Baseline);
    let all = written(run().columns(chosen("canonical,transform,automorphisms,note")), OutputFormat::CSV);
    assert_eq!(all.lines().count(), 1 + rows().len());
    let lines = written(run().columns([]).grid(CANONICAL_FORM), OutputFormat::LINES);
    for (line, row) in lines.lines().zip(rows()) {
        match row.parse::<Puzzle>() {
            Ok(_) => assert_eq!(line, expected(&row)[0]),
            Err(error) => assert!(line.starts_with(&format!("# malformed: {error}")), "{line}"),
        }
    }
}

#[test]
fn an_array_has_the_grids_of_its_column() {
    let folder = tempfile::tempdir().unwrap();
    for column in [CANONICAL_FORM, chosen("canonical_solution")[0]] {
        let path = folder.path().join(format!("{}.npy", column.name));
        Run::over(source(&text())).columns([]).grid(column).to(Sink::file(&path)).unwrap();
        let array = std::fs::read(&path).unwrap();
        assert_eq!(array.len(), 128 + rows().len() * 81);
        for (cells, row) in array[128..].as_chunks::<81>().0.iter().zip(rows()) {
            let [form, _, _, solution] = expected(&row);
            let text = if column.name == "canonical" { form } else { solution };
            let values = text.parse::<Puzzle>().map_or([0; 81], Into::into);
            assert_eq!(cells, &values, "{row}");
        }
    }
}

#[test]
fn a_function_gets_forms_only_if_a_column_needs_them() {
    for (columns, has) in [
        (vec![STATUS], (false, false)),
        (chosen("canonical"), (true, false)),
        (CANONICAL.to_vec(), (true, true)),
    ] {
        let run = Run::over(source(&text())).columns(columns);
        let finished = run.to(Sink::blocks(|block| {
            for row in block.rows().filter(|row| row.puzzle.is_some()) {
                let is_unique = row.puzzle.is_some_and(|puzzle| solve(puzzle).status == Status::Unique);
                assert_eq!(row.fact::<CanonicalForm>().is_some(), has.0);
                assert_eq!(row.fact::<CanonicalSolution>().is_some(), has.1 && is_unique);
            }
            ControlFlow::Continue(())
        }));
        assert_eq!(finished.unwrap().measures.tally.rows(), rows().len() as u64);
    }
}

/// A solver that says that every puzzle has exactly one solution, and always returns the same grid.
struct Liar;

impl Solver for Liar {
    fn solve(&mut self, _: &Puzzle, _: &Question) -> Outcome {
        let solution: Solution = SOLUTION.parse().unwrap();
        Outcome { status: Status::Unique, count: 1, solution: Some(solution), ..Outcome::ABORTED }
    }
}

#[test]
fn a_refused_solution_has_no_form() {
    let other = PUZZLE.replacen("53", "35", 1);
    let text = format!("puzzle\n{PUZZLE}\n{other}\n");
    let liar = Variant { build: |_| Ok(Box::new(Liar)), ..*find("mrv").unwrap() };
    let run = Run::over(source(&text)).solver(&liar, Level::Baseline).columns(chosen("canonical_solution"));
    let csv = written(run, OutputFormat::CSV);
    let ends: Vec<usize> = csv.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().len()).collect();
    assert_eq!(ends, [81, 0]);
}

/// Marks every row with twice its id, except rows whose id is a multiple of three. These rows have no mark and are left out.
#[derive(Default)]
struct Ids {
    name: String,
    asked: AtomicUsize,
}

impl Marks for Ids {
    fn mark(&self, input: usize, row: &AnsweredRow) -> Option<u64> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        assert_eq!(input, 0);
        assert_eq!(row.fact::<CanonicalForm>().is_some(), row.puzzle.is_some());
        let text = str::from_utf8(row.text()).unwrap();
        let id: u64 = text.split(',').next().unwrap().parse().unwrap();
        (!id.is_multiple_of(3)).then_some(id * 2)
    }

    fn needs(&self) -> Vec<Need> {
        vec![Need::new::<CanonicalForm>()]
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}

const TWICE: Column =
    Column { name: "twice", about: "the id twice", needs: &[], holds: Holds::Number(|row| row.mark) };

#[test]
fn marks_are_requested_once_for_each_row_and_can_omit_rows() {
    let text = (0..6000).fold("id,puzzle\n".to_owned(), |text, id| {
        text + &format!("{id},{}\n", if id % 5 == 0 { "no puzzle" } else { SOLUTION })
    });
    let expected: String = text
        .lines()
        .skip(1)
        .zip(0..)
        .filter(|(_, id)| id % 3 != 0)
        .map(|(line, id)| format!("{line},{}\n", id * 2))
        .collect();
    for threads in [1, 3] {
        let marks = Arc::new(Ids::default());
        let run = || {
            Run::over(source(&text))
                .columns([TWICE])
                .marks(Arc::clone(&marks) as Arc<dyn Marks>)
                .threads(NonZeroUsize::new(threads).unwrap())
        };
        let mut out = Vec::new();
        let tally = run().to(Sink::writer(&mut out)).unwrap().measures.tally;
        assert_eq!((tally.rows(), tally.left_out, tally.rows_with(Status::Malformed)), (6000, 2000, 1200));
        assert!(String::from_utf8(out).unwrap() == format!("id,puzzle,twice\n{expected}"));
        assert_eq!(marks.asked.swap(0, Ordering::SeqCst), 6000);

        let mut of_blocks = Vec::new();
        let finished = run().to(Sink::blocks(|block| {
            of_blocks.extend(block.rows().map(|row| row.mark.unwrap()));
            ControlFlow::Continue(())
        }));
        assert_eq!(finished.unwrap().measures.tally.left_out, 2000);
        assert!(of_blocks.iter().copied().eq((0..6000).filter(|id| id % 3 != 0).map(|id| id * 2)));
        assert_eq!(marks.asked.load(Ordering::SeqCst), 6000);

        let both =
            run().filter(Filter::parse(["malformed"], &[]).unwrap()).to(Sink::writer(io::sink())).unwrap();
        // Only malformed rows with a mark are written. Each fifth row is malformed, and each third row has no mark. So 2 of each 15 rows
        // are written, such as the rows with the ids 5 and 10. These are 800 of 6,000 rows.
        assert_eq!(both.measures.tally.left_out, 6000 - 800);
    }
}

#[test]
fn a_run_is_resumed_only_with_the_same_marks() {
    let folder = tempfile::tempdir().unwrap();
    let (input, path) = (folder.path().join("in.csv"), folder.path().join("out.csv"));
    std::fs::write(&input, text() + &format!("9,{SOLUTION}\n").repeat(20_000)).unwrap();
    let run = |name: &str, cancels: bool| {
        let marks = Ids { name: name.to_owned(), ..Ids::default() };
        let cancel = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let raised = Arc::clone(&cancel);
        let source = Source::open(&[sudobench_rows::source::Input::File(input.clone())], Options::default());
        let run = Run::over(source.unwrap())
            .columns([TWICE, NOTE])
            .marks(Arc::new(marks))
            .threads(NonZeroUsize::MIN)
            .cancel(cancel)
            .progress(move |_| raised.store(cancels, Ordering::SeqCst));
        run.to(Sink::target(Target::File(path.clone()), Existing::Resume))
    };
    assert!(run("one", true).unwrap().interrupted);
    let refused = run("another", false).unwrap_err().to_string();
    assert!(refused.contains("different command: it had `one`, but this run has `another`"), "{refused}");
    let finished = run("one", false).unwrap();
    assert!(finished.resumed_after > 0);
    assert_eq!(finished.measures.tally.rows(), 20_007);
    assert_eq!(lines_of(&path), 1 + 4);
}

fn lines_of(path: &Path) -> usize {
    std::fs::read_to_string(path).unwrap().lines().count()
}
