//! Batches that stream.

use std::collections::VecDeque;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use sudobench_batch::table::TableLayout;

use super::{BatchSolver, Error};

/// The batches of a stream with their answers: see [`BatchSolver::stream`]. It ends after an error.
#[derive(Debug)]
pub struct SolvedBatches<R> {
    solver: BatchSolver,
    layout: TableLayout,
    schema: SchemaRef,
    /// Those that were read to find the puzzles.
    read: VecDeque<RecordBatch>,
    batches: R,
    has_failed: bool,
}

impl<R: RecordBatchReader> SolvedBatches<R> {
    pub(super) fn new(solver: &BatchSolver, mut batches: R) -> Result<SolvedBatches<R>, Error> {
        let mut read = VecDeque::new();
        let mut sample = RecordBatch::new_empty(batches.schema());
        while sample.num_rows() == 0
            && let Some(batch) = batches.next().transpose()?
        {
            sample = batch.clone();
            read.push_back(batch);
        }
        let layout = solver.layout(&sample)?;
        let schema = solver.schema_of(&layout);
        Ok(SolvedBatches { solver: solver.clone(), layout, schema, read, batches, has_failed: false })
    }
}

impl<R: RecordBatchReader> Iterator for SolvedBatches<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        if self.has_failed {
            return None;
        }
        let batch = self.read.pop_front().map(Ok).or_else(|| self.batches.next())?;
        let solved = batch.and_then(|batch| {
            let solved = self.solver.solve_as(&self.layout, &self.schema, &batch);
            solved.map_err(|error| ArrowError::ExternalError(Box::new(error)))
        });
        self.has_failed = solved.is_err();
        Some(solved)
    }
}

impl<R: RecordBatchReader> RecordBatchReader for SolvedBatches<R> {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}
