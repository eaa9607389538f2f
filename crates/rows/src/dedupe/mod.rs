//! Removes duplicates: keeps the first row of each class of equal or isomorphic puzzles, with the number of rows in the
//! class.
//!
//! ```text
//! first pass    puzzle -> fingerprint -> class -> counts            (classes)
//!               rows that are the first of their class              (firsts)
//! second pass   lists the rows of each class with several rows, if requested   (groups)
//! last pass     the first row of each class is written, with the count of the class; malformed rows are written, too
//! ```
//! The first pass needs memory for each class. The last pass needs memory for the counts and for little more than a bit per line. If the
//! memory does not suffice, process the classes in [parts](ClassPart), one after the other or on several machines.

mod classes;
mod firsts;

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use classes::Classes;
use firsts::Firsts;
use sudobench_sudoku::Status;
use sudobench_sudoku::puzzle::CELLS;

use crate::answers::{AnsweredBlock, AnsweredRow, Marks};
use crate::columns;
use crate::facts::{CanonicalForm, Need};
use crate::figures::{count, counted};
use crate::groups::{Groups, RowClasses};
use crate::option_error::OptionError;
use crate::pass_error::PassError;
use crate::passes::{JobInputs, PassInputs, Passes, SummaryLine, over_all};
use crate::run::{Run, RunError, Sink};
use crate::shard::Shard;
use crate::{Tally, fingerprint};

/// The reason why the inputs are read more than once, for error messages.
const PASSES: &str = "duplicates are found in one pass and left out in another";

/// Finds the first row of each class of equal or isomorphic puzzles. The [`AnsweredRow::mark`] of this row is the number of rows in the
/// class. Malformed rows have no class. All malformed rows are kept; if the work is divided into [parts](ClassPart), the first part keeps
/// them.
///
/// ```no_run
/// use std::sync::Arc;
/// use sudobench_rows::{Dedupe, Run, Sink, columns};
/// use sudobench_rows::source::{Input, Options, Source};
///
/// let open = || Source::open(&[Input::File("sudoku.csv".into())], Options::default());
/// let dedupe = Arc::new(Dedupe::default());
/// let (counting, writing) = (Run::over(open()?), Run::over(open()?).columns([columns::COUNT]));
/// dedupe.run(counting, writing, || Ok(())).to(Sink::file("distinct.csv"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Dedupe {
    /// Whether isomorphic puzzles are in one class, not only equal puzzles.
    isomorph: bool,
    /// The classes to process; `None` for all.
    part: Option<ClassPart>,
    /// Whether [`Dedupe::groups`] will be called.
    lists_groups: bool,
    counted: OnceLock<Counted>,
}

/// The results of the first pass.
struct Counted {
    found: Duplicates,
    firsts: Firsts,
    counts: Arc<Vec<u64>>,
    inputs: PassInputs,
    row_classes: Mutex<Option<RowClasses>>,
}

/// Counts of puzzles and duplicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// Number of rows read, including malformed ones.
    pub rows: u64,
    /// Number of rows without a puzzle.
    pub malformed: u64,
    /// Number of rows whose puzzle belongs to a [`ClassPart`] that this run does not process.
    pub of_other_parts: u64,
    /// Number of classes, which is the number of kept rows with a puzzle.
    pub classes: u64,
    /// Number of classes with several rows.
    pub groups: u64,
    /// Number of rows in the largest class; 0 if there is no class.
    pub largest: u64,
}

impl Duplicates {
    /// Returns the number of rows that are not the first of their class.
    pub fn duplicates(&self) -> u64 {
        self.rows - self.malformed - self.of_other_parts - self.classes
    }
}

/// A part of the classes. The fingerprint of a class decides to which part the class belongs. Processing a part needs memory only for the
/// classes of this part. All parts together keep the same rows as a run without parts, but in another order. Malformed rows are kept with
/// the first part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassPart(Shard);

impl ClassPart {
    fn holds(self, fingerprint: u128) -> bool {
        let at = ((fingerprint >> 64) * u128::from(self.0.count())) >> 64;
        at == u128::from(self.0.number() - 1)
    }

    fn is_first(self) -> bool {
        self.0.number() == 1
    }
}

impl FromStr for ClassPart {
    type Err = OptionError;

    /// Parses `3/16`.
    fn from_str(text: &str) -> Result<ClassPart, OptionError> {
        Shard::parse_as("part", text).map(ClassPart)
    }
}

impl fmt::Display for ClassPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Dedupe {
    /// Sets whether isomorphic puzzles are in one class.
    #[must_use]
    pub fn isomorph(self, isomorph: bool) -> Dedupe {
        Dedupe { isomorph, ..self }
    }

    /// Restricts the work to the classes of a part; rows of other parts are left out.
    #[must_use]
    pub fn part(self, part: Option<ClassPart>) -> Dedupe {
        Dedupe { part, ..self }
    }

    /// Sets whether the data that [`Dedupe::groups`] needs is kept in a temporary file, with four bytes per row.
    #[must_use]
    pub fn lists_groups(self, lists_groups: bool) -> Dedupe {
        Dedupe { lists_groups, ..self }
    }

    /// Makes `writing` write only the rows to keep: the first row of each class, and the malformed rows. With a [part](Dedupe::part()),
    /// only the rows of this part. The returned run opens its output, reads all rows of `counting`, calls `counted`, and then writes the
    /// rows. The source of `counting` must have the same inputs and options as the source of `writing`. The columns that were set for
    /// `counting` are not used.
    pub fn run<'r>(
        self: &Arc<Self>,
        counting: Run<'r>,
        writing: Run<'r>,
        counted: impl FnOnce() -> Result<(), RunError> + Send + 'r,
    ) -> Run<'r> {
        let (first, last) = (Arc::clone(self), Arc::clone(self));
        let marks: Arc<dyn Marks> = Arc::clone(self) as Arc<dyn Marks>;
        writing
            .marks(marks)
            .prepare(move || first.count(counting).and_then(|()| counted()))
            .confirm(move |tally| last.check(tally))
    }

    /// Returns the counts; `None` before the first pass is done.
    pub fn found(&self) -> Option<Duplicates> {
        self.counted.get().map(|counted| counted.found)
    }

    /// Reads all rows again, and returns the rows of each class that has several rows. Only the first call returns groups, and only if
    /// [`Dedupe::lists_groups()`] was set.
    ///
    /// # Errors
    /// The errors of [`Run::to`], [`RunError::Interrupted`] and [`RunError::Pass`].
    pub fn groups(&self, run: Run<'_>) -> Result<Groups, RunError> {
        let Some(counted) = self.counted.get() else { return Ok(Groups::default()) };
        let classes = counted.row_classes.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(classes) = classes else { return Ok(Groups::default()) };
        let mut classes = classes.read().map_err(PassError::from)?;
        let mut groups = Groups::new(Arc::clone(&counted.counts)).map_err(PassError::from)?;
        let mut fault = None;
        let finished = over_all(
            run.columns([]),
            Sink::blocks(|block| {
                let taken =
                    block.rows().try_for_each(|row| groups.take_in(block.input(), &row, classes.next()?));
                fault = taken.err();
                if fault.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }),
        )?;
        if let Some(fault) = fault {
            return Err(PassError::from(fault).into());
        }
        self.check(&finished.measures.tally)?;
        groups.finish().map_err(PassError::from)?;
        Ok(groups)
    }

    /// Runs the first pass.
    fn count(&self, run: Run<'_>) -> Result<(), RunError> {
        let inputs = PassInputs::new(&run, PASSES);
        let row_classes = self.lists_groups.then(RowClasses::new).transpose().map_err(PassError::from)?;
        let mut counting =
            Counting { dedupe: self, classes: Classes::default(), firsts: Firsts::default(), row_classes };
        let mut fault = None;
        let columns = if self.isomorph { vec![columns::CANONICAL_FORM] } else { Vec::new() };
        let mut of_other_parts = 0;
        let tally = over_all(
            run.columns(columns),
            Sink::puzzles(|block| match counting.take_in(block) {
                Ok(others) => {
                    of_other_parts += others;
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    fault = Some(error);
                    ControlFlow::Break(())
                }
            }),
        )?
        .measures
        .tally;
        if let Some(fault) = fault {
            return Err(fault.into());
        }
        let Counting { classes, firsts, row_classes, .. } = counting;
        let counts = classes.into_counts();
        let found = Duplicates {
            rows: tally.rows(),
            malformed: tally.rows_with(Status::Malformed),
            of_other_parts,
            classes: counts.len() as u64,
            groups: counts.iter().filter(|&&count| count > 1).count() as u64,
            largest: counts.iter().copied().max().unwrap_or(0),
        };
        let (counts, row_classes) = (Arc::new(counts), Mutex::new(row_classes));
        let counted = Counted { found, firsts, counts, inputs, row_classes };
        self.counted.get_or_init(|| counted).inputs.check()
    }

    /// Checks that no input has changed since the first pass, and that a later pass read as many rows as the first pass.
    fn check(&self, tally: &Tally) -> Result<(), RunError> {
        match self.counted.get() {
            Some(counted) => counted.inputs.check_rows(counted.found.rows, tally),
            None => Ok(()),
        }
    }
}

/// State of the first pass while it counts the rows.
struct Counting<'d> {
    dedupe: &'d Dedupe,
    classes: Classes,
    firsts: Firsts,
    row_classes: Option<RowClasses>,
}

impl Counting<'_> {
    /// Processes the next block. Returns the number of its rows that belong to other parts.
    fn take_in(&mut self, block: &AnsweredBlock) -> Result<u64, PassError> {
        let mut of_other_parts = 0;
        for row in block.rows() {
            let mut class = None;
            if let Some(fingerprint) = self.dedupe.fingerprint_of(&row) {
                if self.dedupe.part.is_none_or(|part| part.holds(fingerprint)) {
                    let added = self.classes.add(fingerprint)?;
                    class = Some(added.class);
                    if added.is_first {
                        self.firsts.push(block.input(), row.row.line)?;
                    }
                } else {
                    of_other_parts += 1;
                }
            }
            if let Some(row_classes) = &mut self.row_classes {
                row_classes.push(class)?;
            }
        }
        Ok(of_other_parts)
    }
}

impl Dedupe {
    /// Returns the fingerprint of a row's class; `None` for a malformed row.
    fn fingerprint_of(&self, row: &AnsweredRow) -> Option<u128> {
        let grid = if self.isomorph { &row.fact::<CanonicalForm>()?.form } else { row.puzzle? };
        Some(fingerprint(grid.values()))
    }
}

/// The result of [`classes_of`]: the rows of a list of grids, grouped into classes of equal grids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassesOfRows {
    /// For each class, the number of its first row, from 0.
    pub firsts: Vec<u64>,
    /// For each class, its number of rows. 0 for the class of a row without a grid.
    pub counts: Vec<u64>,
    /// For each row, the number of its class, from 0.
    pub classes: Vec<u64>,
}

/// Groups rows with equal grids into classes. A row without a grid (`None`) is a class of its own.
///
/// ```
/// let classes = sudobench_rows::classes_of([Some(&[1; 81]), None, Some(&[2; 81]), Some(&[1; 81])])?;
/// assert_eq!((classes.firsts, classes.counts, classes.classes), (vec![0, 1, 2], vec![2, 0, 1], vec![0, 1, 2, 0]));
/// # Ok::<(), sudobench_rows::PassError>(())
/// ```
///
/// # Errors
/// [`PassError::Memory`] if the memory is full, and [`PassError::TooMany`] if there are more than 2³² - 1 classes of grids.
pub fn classes_of<'g>(
    grids: impl IntoIterator<Item = Option<&'g [u8; CELLS]>>,
) -> Result<ClassesOfRows, PassError> {
    let mut known = Classes::default();
    // For each class in `known`, its number among all classes: rows without a grid are classes too, but are not in `known`.
    let mut numbers: Vec<usize> = Vec::new();
    let mut rows = ClassesOfRows::default();
    for (row, grid) in grids.into_iter().enumerate() {
        let added = grid.map(|grid| known.add(fingerprint(grid))).transpose()?;
        let number = match added {
            Some(added) if !added.is_first => numbers[added.class as usize],
            added => {
                let number = rows.firsts.len();
                numbers.extend(added.map(|_| number));
                rows.firsts.push(row as u64);
                rows.counts.push(0);
                number
            }
        };
        rows.counts[number] += u64::from(grid.is_some());
        rows.classes.push(number as u64);
    }
    Ok(rows)
}

impl Passes for Dedupe {
    fn count(&self) -> usize {
        2 + usize::from(self.lists_groups)
    }

    fn left_out_by(&self) -> Option<&'static str> {
        Some("dedupe")
    }

    fn prepare<'r>(self: Arc<Self>, inputs: JobInputs<'r>, writing: Run<'r>) -> Result<Run<'r>, RunError> {
        let counting = (inputs.open)(1)?;
        let dedupe = Arc::clone(&self);
        Ok(self.run(counting, writing, move || match inputs.list_groups {
            Some(list) => list(dedupe.groups((inputs.open)(2)?)?),
            None => Ok(()),
        }))
    }

    fn lines(&self) -> Vec<SummaryLine> {
        let Some(found) = self.found() else { return Vec::new() };
        let line = |name: &str, rows: u64, words: String| SummaryLine {
            name: name.to_owned(),
            rows,
            share: Some((rows, found.rows)),
            words,
        };
        let largest = count(found.largest);
        let repeated = match found.groups {
            0 => String::new(),
            1 => format!("1 puzzle occurs in {largest} rows"),
            groups => format!(
                "{} occur more than once, the most frequent in {largest} rows",
                counted(groups, "puzzle")
            ),
        };
        let up_to = if self.isomorph { "up to isomorphism" } else { "" };
        let mut lines = vec![
            line("distinct", found.classes, up_to.to_owned()),
            line("duplicates", found.duplicates(), repeated),
        ];
        if found.of_other_parts > 0 {
            lines.push(line("other parts", found.of_other_parts, String::new()));
        }
        lines
    }
}

impl Marks for Dedupe {
    fn mark(&self, input: usize, row: &AnsweredRow) -> Option<u64> {
        if row.puzzle.is_none() {
            return self.part.is_none_or(ClassPart::is_first).then_some(0);
        }
        let counted = self.counted.get()?;
        counted.counts.get(counted.firsts.class_of(input, row.row.line)?).copied()
    }

    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }

    fn name(&self) -> String {
        let name = if self.isomorph { "dedupe --isomorph" } else { "dedupe" };
        self.part.map_or(name.to_owned(), |part| format!("{name} --part {part}"))
    }
}

impl fmt::Debug for Dedupe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dedupe")
            .field("name", &self.name())
            .field("found", &self.found())
            .finish_non_exhaustive()
    }
}
