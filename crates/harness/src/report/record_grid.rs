//! The tables of a record, each with its kind.

use super::grid::Grid;
use crate::record::{BenchRecord, DatasetRecord};

/// The kind of a table of a record. Pages and reports treat some kinds specially.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordTable {
    /// A table of a dataset. A page shows the plot of times by percentile below it.
    AbovePercentiles,
    /// A table of a dataset. A page shows the cactus plot below it.
    AboveCactus,
    /// Any other table of a dataset.
    OfDataset,
    /// Only in a leaderboard: solvers, sorted by throughput or latency, best first.
    Ranking,
    /// Only in a leaderboard: pairs that are not ranked, because they have an error.
    NotRanked,
    /// Only in a leaderboard: versions and files of the solvers.
    Contestants,
    /// Only in a leaderboard: for each set, its origin, and the time per puzzle that the pipes to programs cost.
    Sets,
    /// The solvers over all datasets.
    Overview,
}

pub(super) struct RecordGrid {
    pub(super) table: RecordTable,
    /// The dataset that the table is about. `None` for the overview and for the tables that only a leaderboard has.
    pub(super) dataset: Option<String>,
    pub(super) grid: Grid,
}

impl RecordGrid {
    /// Makes the tables of a dataset from `grids`. Leaves out each table that is `None`.
    pub(super) fn of_dataset<const N: usize>(
        dataset: &DatasetRecord,
        grids: [(RecordTable, Option<Grid>); N],
    ) -> impl Iterator<Item = RecordGrid> {
        let found = grids.into_iter().filter_map(|(table, grid)| Some((table, grid?)));
        found.map(|(table, grid)| RecordGrid { table, dataset: Some(dataset.name.clone()), grid })
    }

    /// Returns the overview, if there are several datasets.
    pub(super) fn overview(record: &BenchRecord, grid: fn(&BenchRecord) -> Grid) -> Option<RecordGrid> {
        let table = RecordTable::Overview;
        (record.datasets.len() > 1).then(|| RecordGrid { table, dataset: None, grid: grid(record) })
    }
}
