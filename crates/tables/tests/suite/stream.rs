//! Tests streams of batches, and the errors for batches that cannot be solved.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::types::Int8Type;
use arrow_array::{
    Array, ArrayRef, Int32Array, RecordBatch, RecordBatchIterator, RecordBatchReader, StringArray,
};
use arrow_schema::ArrowError;
use sudobench_sudoku::Question;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::default_variant;
use sudobench_tables::{BatchSolver, Error, Options};
use sudobench_tables::{TableError, TableSolver};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn batch(rows: usize) -> RecordBatch {
    let ids: ArrayRef = Arc::new(Int32Array::from_iter_values(0..rows as i32));
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; rows]));
    RecordBatch::try_from_iter([("id", ids), ("text", puzzles)]).unwrap()
}

fn reader(batches: Vec<Result<RecordBatch, ArrowError>>) -> impl RecordBatchReader {
    RecordBatchIterator::new(batches, batch(0).schema())
}

#[test]
fn a_stream_has_a_batch_for_every_batch() {
    let solver = BatchSolver::new(&Options::default()).unwrap();
    let solved = solver.stream(reader([0, 0, 3, 0, 700].map(|rows| Ok(batch(rows))).into())).unwrap();
    let schema = solved.schema();
    assert_eq!(schema, solver.schema(&batch(1)).unwrap());
    let solved: Vec<RecordBatch> = solved.collect::<Result<_, _>>().unwrap();
    assert_eq!(solved.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [0, 0, 3, 0, 700]);
    for batch in &solved {
        assert_eq!(batch.schema(), schema);
        let statuses = batch["status"].as_dictionary::<Int8Type>().downcast_dict::<StringArray>().unwrap();
        assert!(statuses.into_iter().all(|status| status == Some("unique")));
        assert_eq!(batch["solution"].null_count(), 0);
    }
}

#[test]
fn columns_of_a_stream_without_rows_are_found_by_name() {
    let solver = BatchSolver::new(&Options::default()).unwrap();
    let error = solver.stream(reader(vec![])).err().unwrap();
    assert!(matches!(error, Error::Source(_)), "{error}");
    let solver = BatchSolver::new(&Options::default().puzzle_column("text")).unwrap();
    let solved = solver.stream(reader(vec![Ok(batch(0))])).unwrap();
    assert_eq!(solved.schema().fields().len(), 4);
    assert_eq!(solved.map(|batch| batch.unwrap().num_columns()).collect::<Vec<_>>(), [4]);
}

#[test]
fn a_stream_ends_after_an_error() {
    let solver = BatchSolver::new(&Options::default()).unwrap();
    let fault = || Err(ArrowError::ComputeError("broken".to_owned()));
    let mut solved = solver.stream(reader(vec![Ok(batch(1)), fault(), Ok(batch(1))])).unwrap();
    assert!(solved.next().unwrap().is_ok());
    assert!(solved.next().unwrap().unwrap_err().to_string().contains("broken"));
    assert!(solved.next().is_none());
    assert!(matches!(solver.stream(reader(vec![fault()])).err().unwrap(), Error::Arrow(_)));
}

#[test]
fn requested_columns_are_returned() {
    let options = Options::default().columns("count,status").unwrap().question(Question::first());
    let options = options.puzzle_column("2").threads(2.try_into().unwrap());
    let solved = BatchSolver::new(&options).unwrap().solve(&batch(2)).unwrap();
    let names: Vec<String> = solved.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(names, ["id", "text", "count", "status"]);
    let statuses = solved["status"].as_dictionary::<Int8Type>().downcast_dict::<StringArray>().unwrap();
    assert!(statuses.into_iter().all(|status| status == Some("solved")));
    let error = Options::default().columns("time").unwrap_err();
    assert!(error.to_string().starts_with("there is no column `time`"), "{error}");
}

#[test]
fn solvers_of_batches_share_a_table_solver() {
    let options = Options::default();
    let threads = 2.try_into().unwrap();
    let kept = TableSolver::new(default_variant(), Level::widest(), threads).map(Arc::new).unwrap();
    let solvers = [options.clone(), options.columns("count").unwrap()]
        .map(|options| BatchSolver::with_solver(Arc::clone(&kept), &options));
    assert_eq!(solvers.map(|solver| solver.solve(&batch(3)).unwrap().num_columns()), [4, 3]);
    assert_eq!(Arc::strong_count(&kept), 1);
}

#[test]
fn an_interrupt_is_an_error_and_the_next_batch_is_solved() {
    let cancel = Arc::new(AtomicBool::new(true));
    let question = Question { cancel: Some(Arc::clone(&cancel)), ..Question::unique() };
    let solver = BatchSolver::new(&Options::default().question(question)).unwrap();
    assert!(matches!(solver.solve(&batch(1000)), Err(Error::Table(TableError::Interrupted))));
    cancel.store(false, Ordering::SeqCst);
    assert_eq!(solver.solve(&batch(1000)).unwrap().num_rows(), 1000);
}
