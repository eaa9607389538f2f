//! Finds the overlaps between datasets in memory, by the fingerprints of their rows.

use std::slice;

use arrow_array::types::Int64Type;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use sudobench_rows::Watch;
use sudobench_rows::overlap::{FoundOverlaps, Overlap, Overlaps, RowPlace, Training};

use crate::errors::unusable;
use crate::interruptible;
use crate::memory::Memory;
use crate::progress::Progress;

/// A kind of overlap, with the upper halves and the lower halves of the fingerprints of all rows. Both halves are 0 if a row has no
/// fingerprint.
type Prints<'py> = (String, PyReadonlyArray1<'py, u64>, PyReadonlyArray1<'py, u64>);

/// The result of the search for the rows of `test` in `train`.
#[derive(IntoPyObject)]
pub(crate) struct RawOverlap {
    /// For each kind of overlap: its name, which rows of `test` overlap, and the number of different fingerprints in `train`.
    kinds: Vec<(&'static str, Memory, u64)>,
    /// For each row of `test`, the dataset of its match, counted from 0. The match is the first row of `train` that has the strongest kind
    /// of overlap with the row of `test`. -1 if no row of `train` overlaps.
    train_input: Memory,
    /// For each row of `test`, the row number of its match, counted from 0 within the dataset; -1 if no row of `train` overlaps.
    train_row: Memory,
    /// For each dataset of `train`, which of its rows overlap with a row of `test`.
    train_masks: Vec<Memory>,
}

/// Looks up the rows of `test` in the datasets of `train`. All datasets must have fingerprints of the same kinds.
///
/// # Errors
///
/// `ValueError` if the arrays of fingerprints of a dataset have different lengths, or if a kind of overlap is unknown.
#[pyfunction]
pub(crate) fn overlaps(
    py: Python<'_>,
    train: Vec<Vec<Prints<'_>>>,
    test: Vec<Prints<'_>>,
) -> PyResult<RawOverlap> {
    let train = train.iter().map(|prints| Columns::new(prints)).collect::<PyResult<Vec<_>>>()?;
    let test = Columns::new(&test)?;
    interruptible::run(py, &Progress::default(), |watch| {
        let goes_on = |_: &usize| !watch.is_cancelled();
        let training = lookup(&train, test.by, watch);
        let found: Vec<FoundOverlaps> = (0..test.rows)
            .take_while(goes_on)
            .map(|row| training.find_fingerprints(|overlap| test.fingerprint(overlap, row)))
            .collect();
        let mask = |overlap| Memory::from_flags(found.iter().map(|found| found.overlaps().has(overlap)));
        let places = |number: fn(RowPlace) -> i64| {
            let number = |found: &FoundOverlaps| found.place().map_or(-1, number);
            Memory::from_numbers::<Int64Type>(found.iter().map(number).collect())
        };
        let in_test = lookup(slice::from_ref(&test), test.by, watch);
        let is_in_test = |train: &Columns, row| {
            !in_test.find_fingerprints(|overlap| train.fingerprint(overlap, row)).overlaps().is_empty()
        };
        RawOverlap {
            train_masks: train
                .iter()
                .map(|train| {
                    Memory::from_flags((0..train.rows).take_while(goes_on).map(|row| is_in_test(train, row)))
                })
                .collect(),
            kinds: test
                .by
                .iter()
                .map(|overlap| (overlap.name(), mask(overlap), training.distinct(overlap)))
                .collect(),
            train_input: places(|place| place.input() as i64),
            train_row: places(|place| place.line() as i64),
        }
    })
}

/// Builds an index of the datasets. If the work is cancelled, the index lacks rows.
fn lookup(datasets: &[Columns], by: Overlaps, watch: &Watch) -> Training {
    let mut training = Training::new(by);
    for (input, dataset) in datasets.iter().enumerate() {
        for row in (0..dataset.rows).take_while(|_| !watch.is_cancelled()) {
            training.add_fingerprints(RowPlace::new(input, row as u64), |overlap| {
                dataset.fingerprint(overlap, row)
            });
        }
    }
    training.settle();
    training
}

/// The fingerprints of a dataset. `halves` has, for each kind of overlap, the upper and the lower halves of the rows' fingerprints.
struct Columns<'a> {
    by: Overlaps,
    halves: [[&'a [u64]; 2]; 4],
    rows: usize,
}

impl<'a> Columns<'a> {
    fn new(prints: &'a [Prints<'_>]) -> PyResult<Columns<'a>> {
        let mut columns = Columns { by: Overlaps::NONE, halves: Default::default(), rows: 0 };
        for (name, high, low) in prints {
            let overlap: Overlap = name.parse().map_err(unusable)?;
            let halves = [high.as_slice().map_err(unusable)?, low.as_slice().map_err(unusable)?];
            let rows = halves[0].len();
            if halves[1].len() != rows || !columns.by.is_empty() && columns.rows != rows {
                return Err(unusable("the fingerprints have different lengths"));
            }
            columns.by = columns.by.with(overlap);
            columns.halves[overlap as usize] = halves;
            columns.rows = rows;
        }
        Ok(columns)
    }

    fn fingerprint(&self, overlap: Overlap, row: usize) -> Option<u128> {
        let [high, low] =
            self.halves[overlap as usize].map(|half| half.get(row).copied().unwrap_or_default());
        Some(u128::from(high) << 64 | u128::from(low)).filter(|&fingerprint| fingerprint > 0)
    }
}
