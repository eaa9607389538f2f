//! `split --stratify`: chooses the test rows so that their share is about the same in each stratum. A stratum is all rows with the same
//! value in a column, such as the difficulty. A class is all rows that must be on the same side (training or test).
//!
//! ```text
//! first pass    class and stratum of each row -> number of rows of each class in each stratum -> the test classes
//! later passes  write the rows of one side in each pass: the rows whose class is on this side
//! ```
//! Memory grows with the number of classes, not with the number of rows.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use crate::Tally;
use crate::answers::{AnsweredBlock, AnsweredRow};
use crate::columns;
use crate::facts::{ClassCounts, Split, SplitDraw, SplitStrata, TestClasses};
use crate::figures::count;
use crate::filter::Subject;
use crate::option_error::OptionError;
use crate::order::stratum_of;
use crate::pass_error::PassError;
use crate::passes::{JobInputs, PassInputs, Passes, SummaryLine, over_all};
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

/// The classes and strata that the first pass of a stratified split has found.
#[derive(Clone, Debug)]
pub struct SplitCounts {
    /// Number of classes. A class is never divided between the sides.
    pub classes: u64,
    /// Number of classes with several rows.
    pub groups: u64,
    /// The strata, in the order of their values.
    pub strata: Vec<SplitStratum>,
}

/// A stratum of a stratified split.
#[derive(Clone, Debug)]
pub struct SplitStratum {
    /// The value of the column; empty for rows without a value.
    pub value: String,
    /// Number of rows.
    pub rows: u64,
    /// Number of test rows.
    pub test: u64,
}

/// The results of the first pass, except the choice of test rows.
struct Counted {
    rows: u64,
    /// The value of each stratum as text, and the number of the stratum. Sorted by value: values from a fixed list are in the order of that
    /// list; otherwise numbers come first, by size, and then texts. A missing value is last.
    strata: Vec<(String, usize)>,
    inputs: PassInputs,
}

impl StratifiedSplit {
    /// Makes a split whose strata are the values of this column: `clues`, or a column of `rate` other than `status` and `note`. Any other
    /// name, and `input.NAME`, means a column of the input.
    pub fn new(split: Split, by: impl Into<String>) -> StratifiedSplit {
        StratifiedSplit { split, by: by.into(), test: Arc::default(), counted: OnceLock::new() }
    }

    /// Returns the number of classes, and the numbers of rows of each stratum; `None` before the first pass has run.
    pub fn found(&self) -> Option<SplitCounts> {
        let (test, counted) = (self.test.get()?, self.counted.get()?);
        let stratum = |(value, number): &(String, usize)| {
            let sides = &test.strata[*number];
            SplitStratum { value: value.clone(), rows: sides.rows, test: sides.test }
        };
        let strata = counted.strata.iter().map(stratum).collect();
        Some(SplitCounts { classes: test.classes, groups: test.groups, strata })
    }

    /// Returns the column whose values are the strata: the computed column of this name if there is one, otherwise the column of the input.
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

    fn count(&self, run: Run<'_>, subject: &Subject) -> Result<(), RunError> {
        let inputs = PassInputs::new(&run, PASSES);
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
        let strata = numbers.into_iter().map(|((_, text), number)| (text, number as usize)).collect();
        self.counted.get_or_init(|| Counted { rows: tally.rows(), strata, inputs }).inputs.check()
    }

    /// Checks that no input has changed, and that the pass that wrote the rows had as many rows as the first pass.
    fn check(&self, tally: &Tally) -> Result<(), RunError> {
        self.counted.get().map_or(Ok(()), |counted| counted.inputs.check_rows(counted.rows, tally))
    }
}

impl Passes for StratifiedSplit {
    fn count(&self) -> usize {
        // One pass is enough if the job for the other side has already chosen the test rows.
        2 - usize::from(self.counted.get().is_some())
    }

    fn left_out_by(&self) -> Option<&'static str> {
        None
    }

    /// Makes the run choose the test classes before its first row, unless the job for the other side has chosen them. Fails if there is no
    /// column whose values can be the strata: neither a computed column nor a column of the input has the requested name.
    fn prepare<'r>(self: Arc<Self>, inputs: JobInputs<'r>, writing: Run<'r>) -> Result<Run<'r>, RunError> {
        let subject = self.subject(writing.source().layout())?;
        let counting = self.counted.get().is_none().then(|| (inputs.open)(1)).transpose()?;
        let (first, last) = (Arc::clone(&self), Arc::clone(&self));
        let strata = SplitStrata { by: self.by.clone(), test: Arc::clone(&self.test) };
        Ok(writing
            .setting("stratify", strata)
            .prepare(move || match counting {
                Some(counting) => first.count(counting, &subject),
                None => first.counted.get().map_or(Ok(()), |counted| counted.inputs.check()),
            })
            .confirm(move |tally| last.check(tally)))
    }

    fn lines(&self) -> Vec<SummaryLine> {
        let Some(SplitCounts { classes, groups, strata }) = self.found() else { return Vec::new() };
        let words = format!("each on one side; {} of them have several rows", count(groups));
        let classes = SummaryLine { name: "classes".to_owned(), rows: classes, share: None, words };
        let stratum = |SplitStratum { value, rows, test }| SummaryLine {
            name: if value.is_empty() { "(no value)".to_owned() } else { value },
            rows,
            share: Some((test, rows)),
            words: format!("{} in the test data", count(test)),
        };
        [classes].into_iter().chain(strata.into_iter().map(stratum)).collect()
    }
}

/// State of the first pass while it counts the rows.
struct Counting<'s> {
    subject: &'s Subject,
    /// The number of each stratum: strata are numbered in the order of their first rows. The map is sorted by the key of the stratum, and
    /// then by its text: see [`stratum_of`].
    numbers: BTreeMap<(Vec<u8>, String), u32>,
    counts: ClassCounts,
    is_out_of_memory: bool,
}

impl Counting<'_> {
    /// Counts the next row. Rows must come in order. Returns `Break` if there are too many strata or the memory is full.
    fn add(&mut self, row: &AnsweredRow) -> ControlFlow<()> {
        // A malformed row has no class, and no stratum.
        let Some(&draw) = row.fact::<SplitDraw>() else { return ControlFlow::Continue(()) };
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(stratum_of(self.subject, row)).or_insert(next);
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
            .finish_non_exhaustive()
    }
}
