//! Makes cells of tables from figures.

use super::grid::Cell;
use super::{count, duration_ns, share, units};
use crate::record::Measurement;
use crate::record::registry::{Figure, TableId, Unit, figures_of};

/// Returns the cell of a figure. `None` if the measurement doesn't have the figure.
pub(super) fn figure_cell(figure: &Figure, measurement: &Measurement) -> Option<Cell> {
    let value = figure.value(measurement)?;
    let Some(number) = value.number() else { return Some(Cell::from(value.to_string())) };
    let verdicts = measurement.effort.map_or(0, |effort| effort.puzzles);
    Some(match figure.unit {
        Unit::SumOfVerdicts => unit_cell(figure.unit, number / verdicts.max(1) as f64),
        Unit::ShareOfVerdicts => Cell::number(number, share(number as u64, verdicts)),
        unit => unit_cell(unit, number),
    })
}

/// Returns the function that formats numbers of this unit for tables.
pub(super) fn shown(unit: Unit) -> fn(f64) -> String {
    match unit {
        Unit::Nanoseconds => duration_ns,
        Unit::Bytes => |bytes| format!("{} MiB", units::number(bytes / f64::from(1 << 20))),
        Unit::Rate | Unit::Number | Unit::SumOfVerdicts => units::number,
        Unit::Count | Unit::ShareOfVerdicts | Unit::Word => |number| count(number as u64),
        Unit::Multiple => units::multiple,
    }
}

pub(super) fn figure_cells(table: TableId, measurement: &Measurement) -> impl Iterator<Item = Cell> {
    figures_of(table).map(|(figure, _)| figure_cell(figure, measurement).unwrap_or_else(Cell::none))
}

pub(super) fn figure_headers<'h>(table: TableId) -> impl Iterator<Item = &'h str> {
    figures_of(table).map(|(_, header)| header)
}

pub(super) fn unit_cell(unit: Unit, number: f64) -> Cell {
    Cell::number(number, shown(unit)(number))
}

pub(super) fn time_cell(ns: f64) -> Cell {
    unit_cell(Unit::Nanoseconds, ns)
}
