//! The tables of a record, by what they show.

use super::grid::Grid;
use crate::record::{BenchRecord, DatasetRecord};

/// Which table of a record a grid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordTable {
    /// Of `bench`: throughput.
    Speed,
    /// Of `bench`: times of single puzzles.
    Latency,
    /// Of `bench`: what the searches did.
    Search,
    /// Of `bench`: differences between the forms of a puzzle.
    Forms,
    /// Of `bench`: what the operating system counted.
    System,
    /// Of `bench`: the puzzles that took longest.
    SlowestPuzzles,
    /// Of `bench`: wrong answers.
    Wrong,
    /// Of `judge`: verdicts of the programs.
    Verdicts,
    /// Of `judge`: puzzles accepted within the times of the reference.
    References,
    /// Of `judge`: times of the runs.
    Times,
    /// Of `judge`: puzzles that took longest.
    Slowest,
    /// Of `judge`: puzzles that were not accepted.
    Failures,
    /// All solvers on all datasets.
    Overview,
}

/// A table of a record.
pub(super) struct RecordGrid {
    pub(super) table: RecordTable,
    /// The dataset that the table is about. `None` for the overview.
    pub(super) dataset: Option<String>,
    pub(super) grid: Grid,
}

impl RecordGrid {
    /// The tables of a dataset that there are.
    pub(super) fn of_dataset<const N: usize>(
        dataset: &DatasetRecord,
        grids: [(RecordTable, Option<Grid>); N],
    ) -> impl Iterator<Item = RecordGrid> {
        let found = grids.into_iter().filter_map(|(table, grid)| Some((table, grid?)));
        found.map(|(table, grid)| RecordGrid { table, dataset: Some(dataset.name.clone()), grid })
    }

    /// The overview, if there are several datasets.
    pub(super) fn overview(record: &BenchRecord, grid: fn(&BenchRecord) -> Grid) -> Option<RecordGrid> {
        let table = RecordTable::Overview;
        (record.datasets.len() > 1).then(|| RecordGrid { table, dataset: None, grid: grid(record) })
    }
}
