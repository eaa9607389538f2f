//! Gives each stratum the same share of test rows: `split --stratify`. A stratum is all rows with the same value in a column, such as the
//! difficulty.
//!
//! ```text
//! first pass    class and stratum of each row -> number of rows of each class in each stratum -> the test classes
//! later passes  write each row with the side of its class
//! ```
//! `facts/test_classes.rs` chooses the classes, for files and in memory. Memory grows with the number of classes, not with the number of rows.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use crate::Tally;
use crate::answers::{AnsweredBlock, AnsweredRow};
use crate::columns;
use crate::facts::{ClassCounts, Split, SplitDraw, SplitStrata, TestClasses};
use crate::filter::Subject;
use crate::option_error::OptionError;
use crate::order::push_subject;
use crate::pass_error::PassError;
use crate::passes::{PassInputs, over_all};
use crate::run::{Run, RunError, Sink};
use crate::source::Layout;
use crate::stratify::MOST_STRATA;

/// The reason for several passes over the inputs, for messages.
const PASSES: &str = "the test rows are chosen in one pass and written in another";

/// Chooses the test classes of a stratified split. The jobs for the training rows and for the test rows share the choice.
pub struct StratifiedSplit {
    split: Split,
    /// The name of the column whose values are the strata.
    by: String,
    test: Arc<OnceLock<TestClasses>>,
    counted: OnceLock<Counted>,
}

/// The other results of the first pass.
struct Counted {
    /// Number of rows read.
    rows: u64,
    /// The value of each stratum as text.
    values: Vec<String>,
    /// The numbers of the strata in the order of their values.
    order: Vec<usize>,
    inputs: PassInputs,
}

/// The classes and strata that a stratified split found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitCounts {
    /// Number of classes. A class is never divided between the sides.
    pub classes: u64,
    /// Number of classes with several rows.
    pub groups: u64,
    /// The strata in the order of their values: values from a fixed list in the order of the list, numbers by size, a missing value last.
    pub strata: Vec<SplitStratum>,
}

/// The rows with one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitStratum {
    /// The value as text; empty for rows without a value.
    pub value: String,
    /// Number of rows.
    pub rows: u64,
    /// Number of test rows.
    pub test: u64,
}

impl StratifiedSplit {
    /// Splits by the values of this column: a column of `rate`, `clues`, or any other name for a column of the input. `input.NAME` is also a
    /// column of the input.
    pub fn new(split: Split, by: impl Into<String>) -> StratifiedSplit {
        StratifiedSplit { split, by: by.into(), test: Arc::default(), counted: OnceLock::new() }
    }

    /// Returns whether the test classes are chosen.
    pub(crate) fn is_chosen(&self) -> bool {
        self.counted.get().is_some()
    }

    /// Makes `writing` split by the strata. After the output is opened and before the first row is written, all rows of the run that
    /// `counting` makes are read and the test classes are chosen, unless another run has chosen them before. Both runs must have the same
    /// inputs and options. The columns of the first run are replaced.
    ///
    /// # Errors
    /// [`RunError::Option`] if the input has no column of this name, and the errors of `counting`.
    pub(crate) fn run<'r>(
        self: &Arc<Self>,
        counting: impl FnOnce() -> Result<Run<'r>, RunError>,
        writing: Run<'r>,
    ) -> Result<Run<'r>, RunError> {
        let subject = self.subject(writing.source().layout())?;
        let counting = if self.is_chosen() { None } else { Some(counting()?) };
        let (first, last) = (Arc::clone(self), Arc::clone(self));
        let strata = SplitStrata { by: self.by.clone(), test: Arc::clone(&self.test) };
        Ok(writing
            .setting("stratify", strata)
            .prepare(move || match counting {
                Some(counting) => first.count(counting, &subject),
                None => first.counted.get().map_or(Ok(()), |counted| counted.inputs.check()),
            })
            .confirm(move |tally| last.check(tally)))
    }

    /// Returns the counts, once the first pass is done.
    pub fn counts(&self) -> Option<SplitCounts> {
        let (test, counted) = (self.test.get()?, self.counted.get()?);
        let stratum = |&number: &usize| SplitStratum {
            value: counted.values[number].clone(),
            rows: test.strata[number].rows,
            test: test.strata[number].test,
        };
        let strata = counted.order.iter().map(stratum).collect();
        Some(SplitCounts { classes: test.classes, groups: test.groups, strata })
    }

    /// Returns the computed column or the column of the input.
    fn subject(&self, layout: &Layout) -> Result<Subject, OptionError> {
        if let Some(column) = columns::strata().find(|column| column.name == self.by) {
            return Ok(Subject::Column(column));
        }
        let name = self.by.strip_prefix("input.").unwrap_or(&self.by);
        Subject::Input(name.to_owned(), None).found_in(layout).map_err(|error| {
            let computed = columns::names(&columns::strata().collect::<Vec<_>>());
            OptionError::new(format!("{error}; computed columns are {computed}"))
        })
    }

    /// Runs the first pass.
    fn count(&self, run: Run<'_>, subject: &Subject) -> Result<(), RunError> {
        let inputs = PassInputs::of(&run, PASSES);
        let mut counting = Counting {
            subject,
            numbers: BTreeMap::new(),
            counts: ClassCounts::new(self.split.test.expected_rows(1)),
            is_out_of_memory: false,
        };
        let needs: Vec<_> = subject.needs().iter().copied().chain([SplitDraw::need(self.split.by)]).collect();
        let count = |block: &AnsweredBlock| {
            let mut rows = block.rows();
            rows.try_for_each(|row| counting.add(&row))
        };
        let sink = match subject {
            Subject::Input(..) => Sink::blocks(count),
            _ => Sink::puzzles(count),
        };
        let tally = over_all(run.columns([]).needs(needs), sink)?.measures.tally;
        let Counting { numbers, counts, is_out_of_memory, .. } = counting;
        let full = |classes| PassError::SplitMemory { classes };
        let most_classes = counts.most_classes();
        if is_out_of_memory {
            return Err(full(most_classes).into());
        }
        let column = || self.by.clone();
        if numbers.len() > MOST_STRATA {
            return Err(PassError::Strata { column: column(), most: MOST_STRATA }.into());
        }
        let (strata, rows) = counts.totals();
        let share = self.split.test;
        if !share.suffices_for(strata, rows) {
            return Err(
                PassError::TestRows { column: column(), strata, rows: share.expected_rows(rows) }.into()
            );
        }
        let test = counts.choose().map_err(|_| full(most_classes))?;
        self.test.get_or_init(|| test);
        let mut values = vec![String::new(); numbers.len()];
        for ((_, text), number) in &numbers {
            values[*number as usize] = String::from_utf8_lossy(text).into_owned();
        }
        let order = numbers.into_values().map(|number| number as usize).collect();
        self.counted.get_or_init(|| Counted { rows: tally.rows(), values, order, inputs }).inputs.check()
    }

    /// Checks that no input has changed, and that the later pass had as many rows as the first one.
    fn check(&self, tally: &Tally) -> Result<(), RunError> {
        self.counted.get().map_or(Ok(()), |counted| counted.inputs.check_rows(counted.rows, tally))
    }
}

/// The first pass in progress.
struct Counting<'s> {
    subject: &'s Subject,
    /// The numbers of the strata, in the order of their first rows, by the key that orders them and their text.
    numbers: BTreeMap<(Vec<u8>, Vec<u8>), u32>,
    counts: ClassCounts,
    is_out_of_memory: bool,
}

impl Counting<'_> {
    /// Counts the next row. Rows must come in order. Returns `Break` if there are too many strata or the memory is full.
    fn add(&mut self, row: &AnsweredRow) -> ControlFlow<()> {
        // A malformed row has no class, and no stratum.
        let Some(&draw) = row.fact::<SplitDraw>() else { return ControlFlow::Continue(()) };
        let mut key = Vec::new();
        push_subject(self.subject, row, &mut key);
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry((key, self.subject.text(row).into_owned())).or_insert(next);
        self.is_out_of_memory = self.counts.add(draw, number).is_err();
        match self.is_out_of_memory || self.numbers.len() > MOST_STRATA {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl fmt::Debug for StratifiedSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StratifiedSplit")
            .field("split", &self.split)
            .field("by", &self.by)
            .field("counts", &self.counts())
            .finish_non_exhaustive()
    }
}
