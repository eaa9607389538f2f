//! Tests that tables (arrays and plain memory) give the same answers as text with the same puzzles.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, FixedSizeListArray, Int64Array, LargeListArray,
    ListArray, PrimitiveArray, RecordBatch, RunArray, StringArray, UInt64Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, Schema};
use proptest::prelude::*;
use sudobench_rows::columns::{Column, SOLVE, SOLVE_DEFAULT};
use sudobench_rows::source::{Input, Options, Source};
use sudobench_rows::{Run, Sink};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{Variant, default_variant, find, solve};
use sudobench_sudoku::{Outcome, Puzzle, Question, Solver, Status};
use sudobench_tables::{AddedColumns, Puzzles, Solved, TableError, TableLayout, TableSolver};

use super::arrays::{integer_array, text_array, texts_of};

/// The content of a row: its cells, or `None` for a null row. The value 12 is invalid in a cell.
type Cells = Option<Vec<u8>>;

/// Returns puzzles with one solution, with several solutions and without a solution, and malformed rows.
fn rows() -> Vec<Cells> {
    let lines = include_str!("../../../../datasets/statuses.csv").lines();
    let puzzles = lines.filter_map(|line| line.split(',').next()?.parse().ok());
    let mut rows: Vec<Cells> = puzzles.map(|puzzle: Puzzle| Some(puzzle.values().to_vec())).collect();
    let mut wrong = rows[0].clone().unwrap();
    wrong[40] = 12;
    rows.extend([None, Some(wrong), Some(vec![1; 80]), Some(vec![]), Some(vec![0; 90]), None]);
    rows
}

/// The kinds of columns that hold puzzles.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Text,
    Words,
    Runs,
    List,
    Fixed,
    Grid,
    FixedGrid,
}

/// Returns the columns to test: the kind of each column, and the type of its values. For texts and lists, there is a column of each type;
/// for dictionary and run-end encodings, only of some types.
fn kinds() -> Vec<(Kind, DataType)> {
    use DataType::*;
    let texts = [Utf8, LargeUtf8, Utf8View, Binary, LargeBinary, BinaryView, FixedSizeBinary(81)];
    let numbers = [UInt8, Int8, UInt16, Int16, UInt32, Int32, UInt64, Int64];
    let lists = [Kind::List, Kind::Fixed, Kind::Grid, Kind::FixedGrid];
    let mut kinds: Vec<_> = texts.into_iter().map(|text| (Kind::Text, text)).collect();
    kinds.extend([Utf8, LargeUtf8, LargeBinary].map(|text| (Kind::Words, text)));
    kinds.extend([Utf8, BinaryView].map(|text| (Kind::Runs, text)));
    kinds.extend(lists.into_iter().flat_map(|list| numbers.clone().map(|number| (list, number))));
    kinds
}

/// Returns whether a row in a column of this type can have a number of cells other than 81.
fn has_any_length(kind: Kind, data_type: &DataType) -> bool {
    !matches!(kind, Kind::Fixed | Kind::FixedGrid) && *data_type != DataType::FixedSizeBinary(81)
}

fn text_of(cells: &[u8]) -> Vec<u8> {
    cells.iter().map(|&cell| b".123456789\0\0?"[usize::from(cell)]).collect()
}

/// Returns the rows as a column of this kind and type. If the type allows it, the memory of a null row contains a board, which must not be
/// read.
fn array(kind: Kind, data_type: &DataType, rows: &[Cells]) -> ArrayRef {
    let nulls = Some(NullBuffer::from_iter(rows.iter().map(Option::is_some)));
    let cells: Vec<&[u8]> = rows.iter().map(|cells| cells.as_deref().unwrap_or(&[7; 81])).collect();
    match kind {
        Kind::Text => {
            let texts: Vec<Vec<u8>> = cells.iter().map(|cells| text_of(cells)).collect();
            text_array(&texts, nulls, data_type)
        }
        Kind::Words | Kind::Runs => {
            // Equal rows share one value in the array of values. If some row is null, one of the values is null.
            let mut distinct: Vec<Cells> = rows.to_vec();
            distinct.sort();
            distinct.dedup();
            let values = array(Kind::Text, data_type, &distinct);
            let place = |cells: &Cells| distinct.binary_search(cells).unwrap() as i32;
            if kind == Kind::Words {
                let keys = rows.iter().enumerate();
                let keys = keys.map(|(row, cells)| (row % 2 == 0 || cells.is_some()).then(|| place(cells)));
                return Arc::new(DictionaryArray::new(PrimitiveArray::<Int32Type>::from_iter(keys), values));
            }
            // Runs of equal rows.
            let starts: Vec<usize> =
                (0..rows.len()).filter(|&row| row == 0 || rows[row] != rows[row - 1]).collect();
            let ends = starts.iter().skip(1).copied().chain([rows.len()]).map(|end| end as i32);
            let runs: Vec<Cells> = starts.iter().map(|&row| rows[row].clone()).collect();
            if rows.is_empty() {
                return arrow_array::new_empty_array(&runs_type(data_type));
            }
            let values = array(Kind::Text, data_type, &runs);
            Arc::new(
                RunArray::try_new(&PrimitiveArray::<Int32Type>::from_iter_values(ends), &values).unwrap(),
            )
        }
        _ => {
            let numbers = integer_array(cells.iter().flat_map(|cells| cells.iter().copied()), data_type);
            let item = |data_type: &DataType| Arc::new(Field::new("item", data_type.clone(), true));
            let lengths = || cells.iter().map(|cells| cells.len());
            match kind {
                Kind::List => {
                    let offsets = OffsetBuffer::from_lengths(lengths());
                    Arc::new(ListArray::new(item(data_type), offsets, numbers, nulls))
                }
                Kind::Fixed => Arc::new(FixedSizeListArray::new(item(data_type), 81, numbers, nulls)),
                Kind::FixedGrid => {
                    let rows = FixedSizeListArray::new(item(data_type), 9, numbers, None);
                    Arc::new(FixedSizeListArray::new(item(rows.data_type()), 9, Arc::new(rows), nulls))
                }
                _ => {
                    // The cells of a grid are divided into rows of nine. The last row may be shorter.
                    let of_grid = |cells: usize| (0..cells).step_by(9).map(move |cell| 9.min(cells - cell));
                    let rows = OffsetBuffer::from_lengths(lengths().flat_map(of_grid));
                    let rows = ListArray::new(item(data_type), rows, numbers, None);
                    let grids = OffsetBuffer::from_lengths(lengths().map(|cells| of_grid(cells).count()));
                    Arc::new(LargeListArray::new(item(rows.data_type()), grids, Arc::new(rows), nulls))
                }
            }
        }
    }
}

fn runs_type(values: &DataType) -> DataType {
    let ends = Arc::new(Field::new("run_ends", DataType::Int32, false));
    DataType::RunEndEncoded(ends, Arc::new(Field::new("values", values.clone(), true)))
}

/// All columns of `solve` except the time, which differs from run to run.
static COLUMNS: LazyLock<Vec<Column>> =
    LazyLock::new(|| SOLVE.into_iter().filter(|column| column.name != "time_ns").collect());

/// Solvers with 1, 2 and 5 threads. The solver `bitboard` solves one puzzle at a time, so the counters of a puzzle do not depend on how the
/// rows are divided into blocks.
static SOLVERS: LazyLock<[TableSolver; 3]> = LazyLock::new(|| {
    [1, 2, 5].map(|threads| {
        let threads = NonZeroUsize::new(threads).unwrap();
        TableSolver::new(find("bitboard").unwrap(), Level::widest(), threads).unwrap()
    })
});

/// Writes the rows as CSV text and solves this text. Returns the list of values of each column.
fn columns_of_text(rows: &[Cells], expected: &[Cells]) -> Vec<Vec<String>> {
    let text = |cells: &Cells| String::from_utf8(text_of(cells.as_deref().unwrap_or_default())).unwrap();
    let mut csv = "puzzle,solution\n".to_owned();
    for (puzzle, solution) in rows.iter().zip(expected) {
        csv += &format!("{},{}\n", text(puzzle), text(solution));
    }
    let mut out = Vec::new();
    let source = Source::from_reader("text", std::io::Cursor::new(csv), Options::default()).unwrap();
    let run = Run::over(source).columns(COLUMNS.clone()).solver(find("bitboard").unwrap(), Level::widest());
    run.to(Sink::writer(&mut out)).unwrap();
    let mut columns = vec![Vec::new(); COLUMNS.len()];
    for record in csv::Reader::from_reader(out.as_slice()).records() {
        let record = record.unwrap();
        columns
            .iter_mut()
            .zip(record.iter().skip(2))
            .for_each(|(column, value)| column.push(value.to_owned()));
    }
    columns
}

fn layout(columns: &[(&str, ArrayRef)]) -> (RecordBatch, TableLayout) {
    let batch = RecordBatch::try_from_iter(columns.iter().cloned()).unwrap();
    let options = Options { puzzle_column: Some("puzzle".into()), ..Options::default() };
    let layout = TableLayout::new(&Input::Reader("the table".to_owned()), &batch, &options).unwrap();
    (batch, layout)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn arrays_of_every_type_give_the_same_answers_as_text(
        picked in prop::collection::vec((0..200usize, 0..3u8), 1..30),
        length in prop_oneof![Just(0usize), 1..40usize, 500..1200usize],
        (before, behind) in (0..10usize, 0..3usize),
    ) {
        let pool = rows();
        let all = before + length + behind;
        let pick = |row: usize| picked[row % picked.len()];
        let puzzles: Vec<Cells> = (0..all).map(|row| pool[pick(row).0 % pool.len()].clone()).collect();
        let solution = |puzzle: &Cells, choice| match (choice, puzzle) {
            (0, Some(cells)) if cells.len() == 81 => {
                let puzzle = Puzzle::try_from(<[u8; 81]>::try_from(&cells[..]).unwrap()).ok()?;
                Some(sudobench_sudoku::solve(&puzzle).solution?.values().to_vec())
            }
            (1, _) => Some(vec![3; 81]),
            _ => None,
        };
        let expected: Vec<Cells> =
            puzzles.iter().enumerate().map(|(row, puzzle)| solution(puzzle, pick(row).1)).collect();
        for (number, (kind, data_type)) in kinds().into_iter().enumerate() {
            let mut puzzles = puzzles.clone();
            if !has_any_length(kind, &data_type) {
                // In a column of this type, every row has 81 cells. So rows that are too short or too long get 81 invalid cells instead.
                let is_whole = |cells: &Vec<u8>| cells.len() == 81;
                puzzles.iter_mut().flatten().filter(|cells| !is_whole(cells)).for_each(|cells| *cells = vec![12; 81]);
            }
            let sliced = |cells| array(kind, &data_type, cells).slice(before, length);
            let (batch, layout) = layout(&[("puzzle", sliced(&puzzles)), ("solution", sliced(&expected))]);
            prop_assert_eq!((layout.puzzle_column, layout.solution_column), (0, Some(1)));
            let (of_array, expected_of_array) = layout.puzzles(&batch).unwrap();
            let solver = &SOLVERS[number % SOLVERS.len()];
            let Solved { arrays, tally } =
                solver.solve(&of_array, expected_of_array.as_ref(), &Question::unique(), &COLUMNS).unwrap();
            prop_assert_eq!(tally.rows(), length as u64);
            let rows = before..before + length;
            let wanted = columns_of_text(&puzzles[rows.clone()], &expected[rows.clone()]);
            let fields = AddedColumns::fields(&layout.schema, 0, &COLUMNS);
            for ((array, field), wanted) in arrays.iter().zip(&fields).zip(&wanted) {
                array.to_data().validate_full().unwrap();
                prop_assert_eq!(array.data_type(), field.data_type());
                prop_assert_eq!(array.len(), length);
                let found = texts_of(array);
                // Malformed lists and nulls have other notes than malformed texts, so the notes of lists and nulls are not compared.
                let is_compared = |row: &usize| match field.name() {
                    name if name != "note" => true,
                    _ => puzzles[before + row].is_some() && !matches!(kind, Kind::List | Kind::Fixed | Kind::Grid | Kind::FixedGrid),
                };
                for row in (0..length).filter(is_compared) {
                    prop_assert_eq!(&found[row], &wanted[row], "{:?} {} {} {}", kind, data_type, field.name(), row);
                }
            }
            let solutions = &arrays[0];
            if !matches!(kind, Kind::Words | Kind::Runs) {
                prop_assert_eq!(solutions.data_type(), batch.column(0).data_type());
            }
            // All solutions have 81 digits or are null.
            prop_assert!(texts_of(solutions).iter().all(|text| text.is_empty() || text.len() == 81));
        }
    }
}

#[test]
fn plain_memory_gives_the_same_answers_as_arrays() {
    let rows: Vec<Cells> = rows().into_iter().cycle().take(1500).collect();
    let solver = &SOLVERS[1];
    let solve = |puzzles: &Puzzles| solver.solve(puzzles, None, &Question::unique(), &COLUMNS).unwrap();
    let values: Vec<[u8; 81]> = rows
        .iter()
        .map(|cells| cells.as_deref().and_then(|cells| cells.try_into().ok()).unwrap_or([99; 81]))
        .collect();
    let lists: Vec<Cells> = values.iter().map(|cells| Some(cells.to_vec())).collect();
    let lists = array(Kind::Fixed, &DataType::UInt8, &lists);
    let (of_values, of_lists) =
        (solve(&Puzzles::from_values(&values)), solve(&Puzzles::from_array(&lists).unwrap()));
    for (value, list) in of_values.arrays.iter().zip(&of_lists.arrays) {
        value.to_data().validate_full().unwrap();
        assert_eq!(texts_of(value), texts_of(list));
    }
    // NumPy pads shorter texts with NUL bytes.
    let padded: Vec<u8> = rows
        .iter()
        .flat_map(|cells| {
            let mut text = text_of(cells.as_deref().unwrap_or_default());
            text.resize(100, 0);
            text
        })
        .collect();
    let wanted = columns_of_text(&rows, &vec![None; rows.len()]);
    let of_texts = solve(&Puzzles::from_texts(&padded, 100).unwrap());
    for (array, wanted) in of_texts.arrays.iter().zip(&wanted) {
        array.to_data().validate_full().unwrap();
        assert_eq!(&texts_of(array), wanted);
    }
    assert!(Puzzles::from_texts(&padded, 81).is_none() && Puzzles::from_texts(&padded, 0).is_none());
}

/// A solver with wrong answers: each puzzle gets the outcome of [`PUZZLE`].
struct Liar;

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

impl Solver for Liar {
    fn solve(&mut self, _: &Puzzle, _: &Question) -> Outcome {
        solve(&PUZZLE.parse().unwrap())
    }
}

#[test]
fn exactly_the_refused_grids_are_reported() {
    const ROWS: usize = 300;
    let right: Puzzle = PUZZLE.parse().unwrap();
    let liar = Variant { build: |_| Ok(Box::new(Liar)), ..*find("mrv").unwrap() };
    let solver = TableSolver::new(&liar, Level::widest(), NonZeroUsize::MIN).unwrap();
    let mut wrong = *right.values();
    wrong[0] = 9;
    for refused in [vec![0], vec![63], vec![64], vec![130, 131, 299], (0..ROWS).collect(), vec![]] {
        let values: Vec<[u8; 81]> =
            (0..ROWS).map(|row| if refused.contains(&row) { wrong } else { *right.values() }).collect();
        let lists: Vec<Cells> = values.iter().map(|cells| Some(cells.to_vec())).collect();
        let text = array(Kind::Text, &DataType::Utf8, &lists);
        for puzzles in [Puzzles::from_values(&values), Puzzles::from_array(&text).unwrap()] {
            let Solved { arrays, tally } =
                solver.solve(&puzzles, None, &Question::unique(), &COLUMNS).unwrap();
            assert_eq!(
                (tally.refused, tally.rows_with(Status::Aborted)),
                (refused.len() as u64, refused.len() as u64)
            );
            assert_eq!((tally.rows(), tally.puzzles()), (ROWS as u64, ROWS as u64));
            for (column, array) in COLUMNS.iter().zip(&arrays) {
                array.to_data().validate_full().unwrap();
                let found = texts_of(array);
                for row in 0..ROWS {
                    let is_refused = refused.contains(&row);
                    let text = &found[row];
                    match column.name {
                        "solution" => assert_eq!(array.is_null(row), is_refused, "{row} of {refused:?}"),
                        "status" => assert_eq!(text, if is_refused { "aborted" } else { "unique" }),
                        "note" => assert_eq!(text.contains("the solver's answer is wrong"), is_refused),
                        "count" => assert_eq!(text, "1"),
                        _ => {}
                    }
                }
            }
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_answer() {
    let rows: Vec<Cells> = rows().into_iter().cycle().take(20_000).collect();
    let array = array(Kind::List, &DataType::UInt8, &rows);
    let columns: Vec<Column> = COLUMNS.clone();
    // The counters of this solver depend on the other puzzles in a batch, so the division into batches must not depend on the number of
    // threads.
    let on = |threads: usize| {
        let threads = NonZeroUsize::new(threads).unwrap();
        let solver = TableSolver::new(default_variant(), Level::widest(), threads).unwrap();
        let solve = || {
            let puzzles = Puzzles::from_array(&array).unwrap();
            let solved = solver.solve(&puzzles, None, &Question::unique(), &columns).unwrap();
            let mut tally = solved.tally;
            tally.solving_ns = 0;
            (solved.arrays.iter().map(|array| array.to_data()).collect::<Vec<_>>(), tally)
        };
        let first = solve();
        // Solvers are reused, and several callers can use them at once.
        std::thread::scope(|scope| {
            for caller in [scope.spawn(solve), scope.spawn(solve)] {
                assert!(caller.join().unwrap() == first);
            }
        });
        first
    };
    let alone = on(1);
    for threads in [2, 3, 8] {
        assert!(on(threads) == alone, "{threads} threads");
    }
}

#[test]
fn faults_of_lists_have_their_own_messages() {
    let note = |array: ArrayRef| {
        let puzzles = Puzzles::from_array(&array).unwrap();
        let solved = SOLVERS[0].solve(&puzzles, None, &Question::unique(), &[SOLVE[8]]).unwrap();
        texts_of(&solved.arrays[0])
    };
    let item = |data_type: DataType| Arc::new(Field::new("item", data_type, true));
    let signed = |cell: i64| {
        let mut cells = vec![0; 81];
        cells[5] = cell;
        let cells = Arc::new(Int64Array::from(cells));
        note(Arc::new(FixedSizeListArray::new(item(DataType::Int64), 81, cells, None)))
    };
    assert_eq!(signed(-1), ["r1c6 holds -1, which is neither a digit nor 0 for a blank"]);
    assert_eq!(signed(200), ["r1c6 holds 200, which is neither a digit nor 0 for a blank"]);
    assert_eq!(
        signed(i64::MIN),
        ["r1c6 holds -9223372036854775808, which is neither a digit nor 0 for a blank"]
    );
    let cells = Arc::new(UInt64Array::from(vec![u64::MAX; 81]));
    let large: ArrayRef = Arc::new(FixedSizeListArray::new(item(DataType::UInt64), 81, cells, None));
    assert_eq!(note(large), ["r1c1 holds 18446744073709551615, which is neither a digit nor 0 for a blank"]);
    let holes: Int64Array = (0..81).map(|cell| (cell != 80).then_some(0)).collect();
    let holes: ArrayRef = Arc::new(FixedSizeListArray::new(item(DataType::Int64), 81, Arc::new(holes), None));
    assert_eq!(note(holes), ["a cell of the puzzle is null"]);
    let lengths = |kind, rows: &[usize]| {
        let rows: Vec<Cells> = rows.iter().map(|&cells| Some(vec![0; cells])).collect();
        note(array(kind, &DataType::UInt8, &rows))
    };
    assert_eq!(
        lengths(Kind::List, &[0, 1, 80]),
        ["0 cells where a puzzle has 81", "1 cell where a puzzle has 81", "80 cells where a puzzle has 81"]
    );
    assert_eq!(
        lengths(Kind::Grid, &[72, 80]),
        ["a grid of 8 rows instead of 9", "row 9 of the grid has 8 cells instead of 9"]
    );
    let digits = StringArray::from(vec!["1".repeat(40) + &"0".repeat(39)]);
    assert_eq!(
        note(Arc::new(digits)),
        ["79 digits where a puzzle has 81; if zeros at the start were lost, --restore-zeros restores them"]
    );
}

#[test]
fn columns_are_found_by_name_and_content_and_refused_by_type() {
    let solved = || array(Kind::Text, &DataType::Utf8, &[Some(vec![7; 81])]);
    let open = || array(Kind::Fixed, &DataType::UInt8, &[Some(vec![0; 81])]);
    let number = || -> ArrayRef { Arc::new(Int64Array::from(vec![1])) };
    let find = |columns: &[(&str, ArrayRef)], options: &Options| {
        let batch = RecordBatch::try_from_iter(columns.iter().cloned()).unwrap();
        let layout = TableLayout::new(&Input::Reader("the table".to_owned()), &batch, options);
        layout.map(|layout| (layout.puzzle_column, layout.solution_column)).map_err(|error| error.to_string())
    };
    let found = Options::default();
    assert_eq!(find(&[("a", number()), ("b", solved()), ("c", open())], &found), Ok((2, Some(1))));
    assert_eq!(find(&[("grid", number()), ("b", open())], &found), Ok((1, None)));
    // The column `solution` can't hold solutions, so it is ignored.
    assert_eq!(find(&[("puzzle", open()), ("solution", number())], &found), Ok((0, None)));
    let named = |column: &str| Options { puzzle_column: Some(column.into()), ..Options::default() };
    assert_eq!(find(&[("b", solved()), ("C", open())], &named("c")), Ok((1, Some(0))));
    let refused = find(&[("n", number()), ("C", open())], &named("n")).unwrap_err();
    let words = "the column `n` of the table has the type Int64, which cannot contain puzzles: a number cannot store 81 digits";
    assert!(refused.starts_with(words), "{refused}");
    let truth: ArrayRef = Arc::new(BooleanArray::from(vec![true]));
    let refused = find(&[("b", truth)], &named("b")).unwrap_err();
    assert!(refused.contains("the type Boolean, which cannot contain puzzles: use strings"), "{refused}");
    assert!(find(&[("n", number())], &named("z")).unwrap_err().contains("1 `n`"));
    assert!(find(&[("n", number())], &found).unwrap_err().contains("1 `n`"));
}

#[test]
fn added_columns_have_unique_names_and_keep_array_types() {
    let tensor = [("ARROW:extension:name", "arrow.fixed_shape_tensor"), ("PARQUET:field_id", "3")];
    let tensor = tensor.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let cells = DataType::new_fixed_size_list(DataType::UInt8, 81, false);
    let schema = Schema::new(vec![
        Field::new("status", DataType::Utf8, true),
        Field::new("puzzle", cells.clone(), true).with_metadata(tensor.clone().into()),
        Field::new("sudobench_status", DataType::Utf8, true),
    ]);
    let fields = AddedColumns::fields(&schema, 1, &SOLVE_DEFAULT);
    let names: Vec<&String> = fields.iter().map(Field::name).collect();
    assert_eq!(names, ["solution", "sudobench_status_2"]);
    assert_eq!(fields[0].data_type(), &cells);
    assert_eq!(fields[0].metadata(), &tensor[..1].iter().cloned().collect());
}

#[test]
fn cancelled_work_and_missing_expectations_are_errors() {
    let values = [[0; 81]; 600];
    let question = Question { cancel: Some(Arc::new(AtomicBool::new(true))), ..Question::unique() };
    for (solver, rows) in [(&SOLVERS[0], 600), (&SOLVERS[1], 600), (&SOLVERS[1], 1)] {
        let solved = solver.solve(&Puzzles::from_values(&values[..rows]), None, &question, &SOLVE_DEFAULT);
        assert!(matches!(solved, Err(TableError::Interrupted)));
    }
    let (puzzles, fewer) = (Puzzles::from_values(&values), Puzzles::from_values(&values[1..]));
    let solved = SOLVERS[0].solve(&puzzles, Some(&fewer), &Question::unique(), &SOLVE_DEFAULT);
    let words = "599 expected solutions for 600 puzzles: give one for each puzzle";
    assert_eq!(solved.unwrap_err().to_string(), words);
}
