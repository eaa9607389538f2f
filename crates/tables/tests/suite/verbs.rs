//! Tests the columns of commands (verbs) other than `solve`, for tables.

use std::io::Cursor;
use std::num::NonZeroUsize;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt8Type;
use arrow_array::{Array as _, ArrayRef, StringArray};
use sudobench_rows::columns::{CANONICAL, RATE, parse};
use sudobench_rows::sink::OutputFormat;
use sudobench_rows::source::{Options, Source};
use sudobench_rows::{Run, Sink};
use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::default_variant;
use sudobench_sudoku::{Puzzle, Question, Status, solve};
use sudobench_tables::{Puzzles, TableSolver};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Returns puzzles with one solution, without a solution, and with many solutions, and two malformed rows.
fn rows() -> Vec<String> {
    let contradictory = format!("55{}", ".".repeat(79));
    let rows = [PUZZLE, "none", SOLUTION, &contradictory, &".".repeat(81), "", PUZZLE];
    rows.map(str::to_owned).to_vec()
}

/// Returns the canonical form of a row, the transformation to this form, the number of automorphisms, and the canonical form of the
/// solution.
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

/// The column of canonical forms has the type of the puzzle column, for text and for numbers.
#[test]
fn forms_are_of_the_type_of_their_puzzles() {
    let rows = rows();
    let texts: ArrayRef = Arc::new(StringArray::from_iter(rows.iter().map(|row| Some(row.as_str()))));
    let solver = TableSolver::new(default_variant(), Level::widest(), NonZeroUsize::new(2).unwrap()).unwrap();
    let solved = |array: &ArrayRef| {
        let puzzles = Puzzles::from_array(array).unwrap();
        solver.solve(&puzzles, None, &Question::unique(), &CANONICAL).unwrap()
    };
    let of_texts = solved(&texts);
    for (at, row) in rows.iter().enumerate() {
        let [form, transform, automorphisms, solution] = expected(row);
        let text = |column: usize| {
            let array = of_texts.arrays[column].as_string::<i32>();
            if array.is_null(at) { String::new() } else { array.value(at).to_owned() }
        };
        assert_eq!([text(0), text(1), text(3)], [form, transform, solution]);
        let numbers = of_texts.arrays[2].as_primitive::<arrow_array::types::UInt64Type>();
        assert_eq!(numbers.is_valid(at).then(|| numbers.value(at)), automorphisms.parse().ok());
    }
    // `puzzles` contains no malformed row, so that the fast path for plain rows is used.
    let puzzles: Vec<Puzzle> = rows.iter().filter_map(|row| row.parse().ok()).collect();
    let cells = arrow_array::UInt8Array::from_iter_values(puzzles.iter().flat_map(|puzzle| *puzzle.values()));
    let field = Arc::new(arrow_schema::Field::new("item", arrow_schema::DataType::UInt8, true));
    let lists: ArrayRef = Arc::new(arrow_array::FixedSizeListArray::new(field, 81, Arc::new(cells), None));
    let of_lists = solved(&lists);
    for (column, which) in [(0, 0), (3, 3)] {
        let array = of_lists.arrays[column].as_fixed_size_list();
        assert_eq!(array.data_type(), lists.data_type());
        for (at, puzzle) in puzzles.iter().enumerate() {
            let form = expected(&puzzle.to_string())[which].parse::<Puzzle>();
            assert_eq!(array.is_valid(at), form.is_ok());
            if let Ok(form) = form {
                assert_eq!(array.value(at).as_primitive::<UInt8Type>().values(), form.values());
            }
        }
    }
}

#[test]
fn tables_get_the_same_ratings_as_text() {
    let text = include_str!("../../../../datasets/easy.csv");
    let puzzles: Vec<&str> = text.lines().skip(1).take(40).map(|line| &line[..81]).chain(["none"]).collect();
    let text = puzzles.join("\n");
    let columns = parse("difficulty,singles,depth,backdoor,guesses,status", &RATE).unwrap();
    let mut out = Vec::new();
    let source = Source::from_reader(
        "the test",
        Cursor::new(text.clone()),
        Options { header: Some(false), ..Options::default() },
    );
    Run::over(source.unwrap())
        .columns(columns.clone())
        .to(Sink::writer(&mut out).format(OutputFormat::CSV))
        .unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let array: ArrayRef = Arc::new(StringArray::from(lines));
    let solver = TableSolver::new(default_variant(), Level::widest(), NonZeroUsize::MIN).unwrap();
    let puzzles = Puzzles::from_array(&array).unwrap();
    let solved = solver.solve(&puzzles, None, &Question::unique(), &columns).unwrap();
    let guesses = columns.iter().position(|column| column.name == "guesses").unwrap();
    for (row, line) in String::from_utf8(out).unwrap().lines().skip(1).enumerate() {
        let values: Vec<&str> = line.split(',').skip(1).collect();
        for (at, array) in solved.arrays.iter().enumerate() {
            let text = &super::arrays::texts_of(array)[row];
            match at == guesses && array.is_valid(row) {
                true => assert_eq!(text.parse::<f64>().unwrap(), values[at].parse::<f64>().unwrap()),
                false => assert_eq!(text, values[at]),
            }
        }
    }
}
