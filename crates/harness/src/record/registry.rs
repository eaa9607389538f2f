//! The registry of figures. It has the properties of each figure, such as its name, its unit and the tables that show it.
//!
//! A figure is one number or word of a measurement, such as the median time or the number of nodes. To add a figure, write an entry in
//! `figures`. If the figure is measured during each pass, also put its value into the [`Readings`] of a pass: in `meters/account.rs` for a
//! count of the operating system, in `meters/counters.rs` for a count of the processor. The entry decides which tables and CSV columns show
//! the figure.
//!
//! A value that a measurement has several times, for example once for each budget, status, round or puzzle, is not a figure. A value
//! relative to other solvers is not a figure either: `analysis` computes such values.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::Measurement;

mod figures;

pub use figures::*;

/// Values that were measured during one pass or run, by the keys of their figures.
pub type Readings = BTreeMap<Cow<'static, str>, f64>;

/// Adds the readings of one more pass, `next`, to `sums`, the sums over the earlier passes. A reading that one of the passes lacks is
/// removed, because its sum would be too small.
pub(crate) fn add_readings(sums: &mut Readings, next: &Readings) {
    sums.retain(|key, sum| next.get(key).map(|reading| *sum += reading).is_some());
}

/// Value of a figure. In CSV, the value is written with `Display`.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number.
    Count(u64),
    /// Any other number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Word(String),
}

impl Value {
    /// Returns the value as a number. `None` for words and flags.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Value::Count(count) => Some(count as f64),
            Value::Number(number) => Some(number),
            Value::Flag(_) | Value::Word(_) => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Count(count) => count.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Flag(flag) => flag.fmt(f),
            Value::Word(word) => word.fmt(f),
        }
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Value {
        Value::Count(count)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Number(number)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Value {
        Value::Word(word.to_owned())
    }
}

/// Unit of a value, which decides how tables show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Unit {
    /// A time.
    Nanoseconds,
    /// An amount of memory.
    Bytes,
    /// Puzzles per second.
    #[strum(serialize = "puzzles per second")]
    Rate,
    /// A whole number of something.
    Count,
    /// A number per puzzle or per pass. Tables show small numbers with decimals.
    Number,
    /// A sum over the puzzles with a verdict. Tables show the sum divided by the number of these puzzles.
    #[strum(serialize = "sum over the puzzles with a verdict")]
    SumOfVerdicts,
    /// A number of puzzles among the puzzles with a verdict. Tables show the share.
    #[strum(serialize = "puzzles with a verdict")]
    ShareOfVerdicts,
    /// A ratio to another value, such as the time of the fastest solver.
    Multiple,
    /// A word or a flag.
    Word,
}

/// The direction of an improvement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Better {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// Neither less nor more is better.
    #[strum(serialize = "-")]
    Neither,
}

/// The cases in which CSV has the column of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsvGroup {
    /// CSV has the column for all records.
    All,
    /// CSV has the column if one of the records is of `judge`.
    Judged,
    /// CSV has the column if one of the measurements has a spread over the forms of puzzles.
    Forms,
    /// CSV has the column if one of the measurements has a value of the figure.
    IfKnown,
}

/// The source of the value of a figure.
#[derive(Clone, Copy)]
pub enum Source {
    /// The function reads the value from fields of the record, or computes it from them.
    Record(fn(&Measurement) -> Option<Value>),
    /// The map `figures` of the record has the value. `bench` measures the figure during each pass; the function computes the value from
    /// the readings of all passes and the number of puzzles in a pass.
    Readings(fn(&[f64], u64) -> Option<f64>),
    /// The trials of the gate measure the figure. Records don't contain it.
    Trials,
}

/// How `compare` treats a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparing {
    /// `compare` reports every difference between measurements of the same puzzles, because the figure is a count without noise. For a
    /// batch solver, the count depends on the order of the puzzles, so it is compared only if the order is the same, too.
    Exactly,
    /// `compare` does not look for exact differences. A page about several records shows the figure of each record side by side if the
    /// figure is in [`TableId::SideBySide`] or [`TableId::JudgedSideBySide`].
    SideBySide,
}

/// How the gate limits a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// `NAME=P%`: the figure may rise by at most this percentage.
    Rise {
        /// Name of the figure in the gate's limits.
        name: &'static str,
        /// The percentage that applies if the user sets no limit. `None`: the figure is compared only if the user sets a limit.
        default_percent: Option<f64>,
        /// The check that finds the rise.
        found_by: FoundBy,
    },
    /// `NAME=TIME`: the figure of a single measurement must be at most this time.
    AtMost {
        /// Name of the figure in the gate's limits.
        name: &'static str,
    },
}

/// The kind of check by which `gate` finds that a figure has risen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// Exact counts, puzzle by puzzle.
    Counts,
    /// Paired trials.
    Trials {
        /// Whether trials measure this figure only for external programs, and not for built-in solvers.
        only_external: bool,
        /// Message if a trial doesn't have the figure.
        unknown: &'static str,
    },
}

/// A table that shows figures, or a group of columns in such a table. The columns are in the order of the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableId {
    /// Times of single puzzles.
    Latency,
    /// The last columns of the table of times, after the budgets.
    Score,
    /// Work of the searches.
    Search,
    /// Counters of the processor, as additional columns in the table of the searches' work. Shown only if the kernel provides the counters.
    Processor,
    /// Spread of the times or nodes between isomorphic forms of a puzzle.
    Forms,
    /// Work of the operating system for a solver.
    System,
    /// The last columns of the table of the judge's verdicts.
    JudgedVerdicts,
    /// Times of the runs of programs under the judge, start-up included.
    JudgedTimes,
    /// Records of `bench` side by side.
    SideBySide,
    /// Records of `judge` side by side.
    JudgedSideBySide,
}

/// One figure.
pub struct Figure {
    /// Unique name. If the map `figures` of a record has the figure, this is also its key there.
    pub key: &'static str,
    /// The name in sentences.
    pub label: &'static str,
    /// Meaning of the figure, in a sentence for the documentation and for plots.
    pub meaning: &'static str,
    /// Unit of the figure's value.
    pub unit: Unit,
    /// The direction of an improvement.
    pub better: Better,
    /// Source of the figure's value.
    pub source: Source,
    /// Name of the column in CSV. It must never change, because released versions have written it. Empty if CSV does not have the figure.
    pub csv: &'static str,
    /// The cases in which CSV has the column.
    pub csv_group: CsvGroup,
    /// How `compare` treats the figure.
    pub comparing: Comparing,
    /// How the gate limits the figure.
    pub limit: Option<Limit>,
    /// The tables that show the figure, with the header of its column in each table.
    pub tables: &'static [(TableId, &'static str)],
}

impl PartialEq for Figure {
    fn eq(&self, other: &Figure) -> bool {
        self.key == other.key
    }
}

impl fmt::Debug for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.key)
    }
}

impl Figure {
    /// Returns the value that this figure has in a measurement.
    pub fn value(&self, measurement: &Measurement) -> Option<Value> {
        match self.source {
            Source::Record(read) => read(measurement),
            Source::Readings(_) => measurement.figures.get(self.key).copied().map(Value::Number),
            Source::Trials => None,
        }
    }

    /// Returns the value that this figure has in a measurement, as text for CSV.
    pub fn text(&self, measurement: &Measurement) -> String {
        self.value(measurement).map_or(String::new(), |value| value.to_string())
    }

    /// Returns the name of the figure in the gate's limits, or the key of the figure if the gate doesn't limit it.
    pub fn limit_name(&self) -> &'static str {
        match self.limit {
            Some(Limit::Rise { name, .. } | Limit::AtMost { name }) => name,
            None => self.key,
        }
    }

    /// Returns the header of the figure in a table. `None` if the table does not show the figure.
    pub fn header(&self, table: TableId) -> Option<&'static str> {
        self.tables.iter().find(|(other, _)| *other == table).map(|(_, header)| *header)
    }
}

/// The counts of a search: nodes and guesses.
pub const COUNTED: [&Figure; 2] = [&NODES, &GUESSES];

/// Values of the figures in [`COUNTED`], in this order. `None` if a count is unknown.
pub type CountedValues = [Option<u64>; COUNTED.len()];

/// Returns the values of the figures in [`COUNTED`] from the counts of a search.
pub(crate) fn counted_values(nodes: Option<u64>, guesses: Option<u64>) -> CountedValues {
    COUNTED.map(|figure| if *figure == NODES { nodes } else { guesses })
}

/// Returns the figures that a table shows, with their headers.
pub(crate) fn figures_of(table: TableId) -> impl Iterator<Item = (&'static Figure, &'static str)> {
    FIGURES.iter().filter_map(move |&figure| Some((figure, figure.header(table)?)))
}

/// Returns the figures whose rise the gate can limit.
pub fn rising_figures() -> impl Iterator<Item = &'static Figure> {
    FIGURES.iter().copied().filter(|figure| matches!(figure.limit, Some(Limit::Rise { .. })))
}

/// Returns the figures that the gate can limit by a time.
pub(crate) fn figures_at_most() -> impl Iterator<Item = &'static Figure> {
    FIGURES.iter().copied().filter(|figure| matches!(figure.limit, Some(Limit::AtMost { .. })))
}

/// Computes the map `figures` of a measurement. Each of its passes had `puzzles` puzzles. `readings` returns the readings of a figure, one
/// for each pass. If `readings` returns `None` for a figure, the figure has no value.
pub(crate) fn values_of_readings<'a>(
    readings: impl Fn(&Figure) -> Option<&'a [f64]>,
    puzzles: u64,
) -> BTreeMap<String, f64> {
    let value = |figure: &&'static Figure| {
        let Source::Readings(aggregate) = figure.source else { return None };
        Some((figure.key.to_owned(), aggregate(readings(figure)?, puzzles)?))
    };
    FIGURES.iter().filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn keys_and_columns_are_unique() {
        let keys: BTreeSet<&str> = FIGURES.iter().map(|figure| figure.key).collect();
        assert_eq!(keys.len(), FIGURES.len());
        let columns = || FIGURES.iter().map(|figure| figure.csv).filter(|column| !column.is_empty());
        assert_eq!(columns().collect::<BTreeSet<&str>>().len(), columns().count());
        let limits = || rising_figures().chain(figures_at_most()).map(Figure::limit_name);
        assert_eq!(limits().collect::<BTreeSet<&str>>().len(), limits().count());
    }

    #[test]
    fn a_figure_has_the_mean_over_all_passes() {
        let readings =
            BTreeMap::from([(PAGE_FAULTS.key, vec![1.0, 2.0]), (BRANCH_MISSES.key, vec![3.0, 5.0])]);
        let values = values_of_readings(|figure| Some(&readings.get(figure.key)?[..]), 8);
        let expected = [(PAGE_FAULTS.key.to_owned(), 1.5), (BRANCH_MISSES.key.to_owned(), 0.5)];
        assert_eq!(values, BTreeMap::from(expected));
        assert_eq!(values_of_readings(|_| None, 8), BTreeMap::new());
    }
}
