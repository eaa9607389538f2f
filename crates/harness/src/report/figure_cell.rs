//! Figures as cells of tables.

use super::grid::Cell;
use super::{count, duration_ns, share, units};
use crate::record::Measurement;
use crate::record::registry::{Figure, TableId, Unit, figures_of};

/// A figure of a measurement. `None` if the measurement doesn't have it.
pub(super) fn figure_cell(figure: &Figure, measurement: &Measurement) -> Option<Cell> {
    let value = figure.value(measurement)?;
    let Some(number) = value.number() else { return Some(Cell::from(value.to_string())) };
    let verdicts = measurement.effort.map_or(0, |effort| effort.puzzles);
    Some(match figure.unit {
        Unit::Nanoseconds => time_cell(number),
        Unit::Bytes => Cell::number(number, format!("{:.1} MiB", number / f64::from(1 << 20))),
        Unit::Rate | Unit::Number => Cell::number(number, units::number(number)),
        Unit::Count | Unit::Word => Cell::number(number, count(number as u64)),
        Unit::SumOfVerdicts => {
            let mean = number / verdicts.max(1) as f64;
            Cell::number(mean, units::number(mean))
        }
        Unit::ShareOfVerdicts => Cell::number(number, share(number as u64, verdicts)),
        Unit::Multiple => Cell::number(number, units::multiple(number)),
    })
}

/// The cells of the figures that a table shows.
pub(super) fn figure_cells(table: TableId, measurement: &Measurement) -> impl Iterator<Item = Cell> {
    figures_of(table).map(|(figure, _)| figure_cell(figure, measurement).unwrap_or_else(Cell::none))
}

/// The headers of the figures that a table shows.
pub(super) fn figure_headers<'h>(table: TableId) -> impl Iterator<Item = &'h str> {
    figures_of(table).map(|(_, header)| header)
}

/// A time.
pub(super) fn time_cell(ns: f64) -> Cell {
    Cell::number(ns, duration_ns(ns))
}
