//! Draws a given number of rows from each stratum, uniformly at random. A stratum is all rows with the same value in a column, such as the
//! difficulty.
//!
//! ```text
//! first pass    computes the value of each row, and draws a random number from the seed and the row's number;
//!               keeps the rows of each value that have the smallest random numbers
//! second pass   writes these rows in the order of the input
//! ```
//! All possible choices of rows of one stratum are equally likely. Memory grows with the number of rows drawn.

use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use sudobench_sudoku::random::Random;

use crate::Tally;
use crate::answers::{AnsweredRow, Marks};
use crate::columns::{Column, DIFFICULTY};
use crate::facts::Need;
use crate::figures::count;
use crate::filter::Subject;
use crate::order::stratum_of;
use crate::pass_error::PassError;
use crate::passes::{JobInputs, PassInputs, Passes, SummaryLine, over_all};
use crate::run::{Run, RunError, Sink};

/// The reason for two passes over the inputs, for messages.
const PASSES: &str = "rows are drawn in one pass and written in another";

/// Draws a random sample of rows from each stratum. The mark of a drawn row is 0; the other rows have no mark and are left out.
///
/// ```no_run
/// use std::sync::Arc;
/// use sudobench_rows::{Run, Sink, Stratify, columns};
/// use sudobench_rows::source::{Input, Options, Source};
///
/// let open = || Source::open(&[Input::File("sudoku.csv".into())], Options::default());
/// let stratify = Arc::new(Stratify::new(1_000.try_into()?, 1));
/// let (drawing, writing) = (Run::over(open()?), Run::over(open()?).columns([columns::DIFFICULTY]));
/// stratify.run(drawing, writing).to(Sink::file("benchmark.csv"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Stratify {
    /// Largest number of rows to draw from each stratum.
    rows: NonZeroUsize,
    seed: u64,
    /// The column whose values are the strata.
    by: Column,
    drawn: OnceLock<Drawn>,
}

/// Numbers of rows read and drawn, for each stratum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strata {
    /// The column whose values are the strata.
    pub by: &'static str,
    /// Number of rows read.
    pub rows: u64,
    /// The strata in the order of their values: values from a fixed list in the order of the list, numbers by size, texts by their bytes.
    pub strata: Vec<Stratum>,
}

/// A stratum: a value of the column, and how many rows with this value were read and drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stratum {
    /// The value as text.
    pub value: String,
    /// Number of rows read.
    pub found: u64,
    /// Number of rows drawn.
    pub drawn: u64,
}

impl Strata {
    /// Returns the number of rows without a value, such as malformed rows.
    pub fn others(&self) -> u64 {
        self.rows - self.strata.iter().map(|stratum| stratum.found).sum::<u64>()
    }
}

pub(crate) const MOST_STRATA: usize = 1_000;

/// The results of the first pass.
struct Drawn {
    strata: Strata,
    /// For each input, the lines where drawn rows start (in a table, the numbers of the drawn rows), ascending.
    lines: Vec<Vec<u64>>,
    inputs: PassInputs,
}

impl Stratify {
    /// Draws `rows` rows of each difficulty, or all if there are fewer. `seed` decides which rows.
    pub fn new(rows: NonZeroUsize, seed: u64) -> Stratify {
        Stratify { rows, seed, by: DIFFICULTY, drawn: OnceLock::new() }
    }

    /// Draws rows of each value of this column instead of each difficulty.
    #[must_use]
    pub fn by(self, column: Column) -> Stratify {
        Stratify { by: column, ..self }
    }

    /// Makes `writing` write only drawn rows. After the output is opened and before the first row is written, all rows of `drawing` are
    /// read and the rows to write are drawn. The sources of `drawing` and `writing` must have the same inputs and options. The columns of
    /// `drawing` are replaced.
    pub fn run<'r>(self: &Arc<Self>, drawing: Run<'r>, writing: Run<'r>) -> Run<'r> {
        let (first, last) = (Arc::clone(self), Arc::clone(self));
        let marks: Arc<dyn Marks> = Arc::clone(self) as Arc<dyn Marks>;
        writing.marks(marks).prepare(move || first.draw(drawing)).confirm(move |tally| last.check(tally))
    }

    /// Returns the counts; `None` before the first pass is done.
    pub fn strata(&self) -> Option<&Strata> {
        self.drawn.get().map(|drawn| &drawn.strata)
    }

    fn draw(&self, run: Run<'_>) -> Result<(), RunError> {
        let inputs = PassInputs::new(&run, PASSES);
        let mut drawing = Drawing::new(self.rows, self.seed);
        let by = Subject::Column(self.by);
        let sink = Sink::puzzles(|block| {
            for row in block.rows() {
                let stratum = self.by.value(&row).map(|_| stratum_of(&by, &row));
                drawing.add(stratum, block.input(), row.row.line);
            }
            match drawing.strata.len() > MOST_STRATA {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        over_all(run.columns([self.by]), sink)?;
        if drawing.strata.len() > MOST_STRATA {
            return Err(PassError::Strata { column: self.by.name.to_owned(), most: MOST_STRATA }.into());
        }
        let strata = drawing.strata.iter().map(|((_, value), rows)| Stratum {
            value: value.clone(),
            found: rows.found,
            drawn: rows.kept.len() as u64,
        });
        let strata = Strata { by: self.by.name, rows: drawing.rows, strata: strata.collect() };
        let mut lines = vec![Vec::new(); inputs.len()];
        drawing.drawn().for_each(|(input, line)| lines[input].push(line));
        lines.iter_mut().for_each(|lines| lines.sort_unstable());
        self.drawn.get_or_init(|| Drawn { strata, lines, inputs }).inputs.check()
    }

    /// Checks that no input has changed, and that the second pass had as many rows as the first one.
    fn check(&self, tally: &Tally) -> Result<(), RunError> {
        match self.drawn.get() {
            Some(drawn) => drawn.inputs.check_rows(drawn.strata.rows, tally),
            None => Ok(()),
        }
    }
}

/// Draws `rows` rows of each stratum, or all if there are fewer, as [`Stratify`] draws them. `strata` has one item for each row: the key of
/// the row's stratum, or `None` if the row can't be drawn. Returns the numbers of the drawn rows, from 0, ascending.
///
/// ```
/// let difficulties = [Some("pairs"), None, Some("singles"), Some("pairs")];
/// let drawn = sudobench_rows::stratified(difficulties, 1.try_into()?, 7);
/// assert!(drawn == [0, 2] || drawn == [2, 3]);
/// # Ok::<(), std::num::TryFromIntError>(())
/// ```
pub fn stratified<K: Ord>(
    strata: impl IntoIterator<Item = Option<K>>,
    rows: NonZeroUsize,
    seed: u64,
) -> Vec<u64> {
    let mut drawing = Drawing::new(rows, seed);
    for (row, stratum) in (0..).zip(strata) {
        drawing.add(stratum, 0, row);
    }
    let mut drawn: Vec<u64> = drawing.drawn().map(|(_, row)| row).collect();
    drawn.sort_unstable();
    drawn
}

/// The state of the first pass while it runs.
struct Drawing<K> {
    /// Largest number of rows to draw from each stratum.
    most: NonZeroUsize,
    seed: u64,
    rows: u64,
    strata: BTreeMap<K, StratumRows>,
}

#[derive(Default)]
struct StratumRows {
    found: u64,
    /// The rows with the smallest random numbers: for each row its random number, its input and its line.
    kept: BinaryHeap<(u64, usize, u64)>,
}

impl<K: Ord> Drawing<K> {
    fn new(most: NonZeroUsize, seed: u64) -> Drawing<K> {
        Drawing { most, seed, rows: 0, strata: BTreeMap::new() }
    }

    /// Processes the next row. Rows must come in order.
    fn add(&mut self, stratum: Option<K>, input: usize, line: u64) {
        let number = Random::from_stream(self.seed, self.rows).next_u64();
        self.rows += 1;
        let Some(stratum) = stratum else { return };
        let StratumRows { found, kept } = self.strata.entry(stratum).or_default();
        *found += 1;
        let is_wanted = kept.len() < self.most.get();
        if is_wanted || kept.peek().is_some_and(|&(largest, ..)| number < largest) {
            if !is_wanted {
                kept.pop();
            }
            kept.push((number, input, line));
        }
    }

    /// Returns the input and the line of each drawn row, in any order.
    fn drawn(self) -> impl Iterator<Item = (usize, u64)> {
        self.strata.into_values().flat_map(|rows| rows.kept).map(|(_, input, line)| (input, line))
    }
}

impl Passes for Stratify {
    fn left_out_by(&self) -> Option<&'static str> {
        Some("--stratify")
    }

    fn prepare<'r>(self: Arc<Self>, inputs: JobInputs<'r>, writing: Run<'r>) -> Result<Run<'r>, RunError> {
        Ok(self.run((inputs.open)(1)?, writing))
    }

    fn lines(&self) -> Vec<SummaryLine> {
        let Some(strata) = self.strata() else { return Vec::new() };
        let line = |name: &str, rows, drawn: String| SummaryLine {
            name: name.to_owned(),
            rows,
            share: Some((rows, strata.rows)),
            words: format!("{drawn} drawn"),
        };
        let known = strata.strata.iter().map(|found| line(&found.value, found.found, count(found.drawn)));
        let others = Some(strata.others()).filter(|&rows| rows > 0);
        known.chain(others.map(|rows| line("none", rows, "none".to_owned()))).collect()
    }
}

impl Marks for Stratify {
    fn mark(&self, input: usize, row: &AnsweredRow) -> Option<u64> {
        (!self.leaves_out(input, row.row.line)).then_some(0)
    }

    fn leaves_out(&self, input: usize, line: u64) -> bool {
        let lines = self.drawn.get().and_then(|drawn| drawn.lines.get(input));
        lines.is_none_or(|lines| lines.binary_search(&line).is_err())
    }

    fn leaves_out_early(&self) -> bool {
        true
    }

    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }

    fn name(&self) -> String {
        format!("rate --stratify {} --stratify-by {} --seed {}", self.rows, self.by.name, self.seed)
    }
}

impl fmt::Debug for Stratify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stratify")
            .field("name", &self.name())
            .field("strata", &self.strata())
            .finish_non_exhaustive()
    }
}
