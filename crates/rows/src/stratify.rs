//! Draws a number of rows of each difficulty, uniformly.
//!
//! ```text
//! first pass    row -> difficulty, and a random number from the seed and the row's place; for each difficulty, the rows with the smallest
//! numbers are kept second pass   these rows are written in order ``` All possible choices of rows of one difficulty are equally likely.
//! Memory grows with the number of rows drawn.

use std::collections::BinaryHeap;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use sudobench_sudoku::random::Random;
use sudobench_sudoku::rate::Difficulty;

use crate::Tally;
use crate::answers::{AnsweredBlock, AnsweredRow, Marks};
use crate::columns::DIFFICULTY;
use crate::facts::{Need, Ratings};
use crate::passes::{PassInputs, over_all};
use crate::run::{Run, RunError, Sink};

/// The reason for two passes over the inputs, for messages.
const PASSES: &str = "rows are drawn in one pass and written in another";

/// Draws rows. The mark of a drawn row is 0; the other rows have no mark and are left out.
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
    /// Largest number of rows of each difficulty.
    rows: NonZeroUsize,
    seed: u64,
    drawn: OnceLock<Drawn>,
}

/// Number of rows of each difficulty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strata {
    /// Number of rows read.
    pub rows: u64,
    /// Number of rows of each difficulty among the rows read: see [`Difficulty::ALL`].
    pub found: [u64; Difficulty::ALL.len()],
    /// Number of drawn rows with each difficulty.
    pub drawn: [u64; Difficulty::ALL.len()],
}

impl Strata {
    /// Returns the number of rows without a difficulty: malformed, or without exactly one solution.
    pub fn others(&self) -> u64 {
        self.rows - self.found.iter().sum::<u64>()
    }
}

/// The results of the first pass.
struct Drawn {
    strata: Strata,
    /// For each input, the lines where drawn rows start, ascending.
    lines: Vec<Vec<u64>>,
    inputs: PassInputs,
}

impl Stratify {
    /// Draws `rows` rows of each difficulty, or all if there are fewer. `seed` decides which rows.
    pub fn new(rows: NonZeroUsize, seed: u64) -> Stratify {
        Stratify { rows, seed, drawn: OnceLock::new() }
    }

    /// Makes `writing` write only drawn rows. After the output is opened and before the first row is written, all rows of `drawing` are
    /// rated. The sources of `drawing` and `writing` must have the same inputs and options. The columns of `drawing` are replaced.
    pub fn run<'r>(self: &Arc<Self>, drawing: Run<'r>, writing: Run<'r>) -> Run<'r> {
        let (first, last) = (Arc::clone(self), Arc::clone(self));
        let marks: Arc<dyn Marks> = Arc::clone(self) as Arc<dyn Marks>;
        writing.marks(marks).prepare(move || first.draw(drawing)).confirm(move |tally| last.check(tally))
    }

    /// Returns the counts, once the first pass is done.
    pub fn strata(&self) -> Option<Strata> {
        self.drawn.get().map(|drawn| drawn.strata)
    }

    /// Runs the first pass.
    fn draw(&self, run: Run<'_>) -> Result<(), RunError> {
        let inputs = PassInputs::of(&run, PASSES);
        let mut drawing = Drawing::new(self.rows, self.seed);
        let sink = Sink::puzzles(|block| {
            drawing.take_in(block);
            ControlFlow::Continue(())
        });
        over_all(run.columns([DIFFICULTY]), sink)?;
        let Drawing { rows, found, kept, .. } = drawing;
        let drawn = std::array::from_fn(|class| kept[class].len() as u64);
        let mut lines = vec![Vec::new(); inputs.len()];
        kept.into_iter().flatten().for_each(|(_, input, line)| lines[input].push(line));
        lines.iter_mut().for_each(|lines| lines.sort_unstable());
        let strata = Strata { rows, found, drawn };
        self.drawn.get_or_init(|| Drawn { strata, lines, inputs }).inputs.check()
    }

    /// Checks that the rows of the second pass are those of the first one.
    fn check(&self, tally: &Tally) -> Result<(), RunError> {
        match self.drawn.get() {
            Some(drawn) => drawn.inputs.check_rows(drawn.strata.rows, tally),
            None => Ok(()),
        }
    }
}

/// Draws `rows` rows of each difficulty, or all if there are fewer, as [`Stratify`] draws them. `difficulties` has the difficulty of each
/// row, or `None` for a row that can't be drawn. Returns the numbers of the drawn rows, from 0, ascending.
///
/// ```
/// use sudobench_rows::stratified;
/// use sudobench_sudoku::rate::Difficulty;
///
/// let difficulties = [Some(Difficulty::Pairs), None, Some(Difficulty::Singles), Some(Difficulty::Pairs)];
/// let drawn = stratified(difficulties, 1.try_into()?, 7);
/// assert!(drawn == [0, 2] || drawn == [2, 3]);
/// # Ok::<(), std::num::TryFromIntError>(())
/// ```
pub fn stratified(
    difficulties: impl IntoIterator<Item = Option<Difficulty>>,
    rows: NonZeroUsize,
    seed: u64,
) -> Vec<u64> {
    let mut drawing = Drawing::new(rows, seed);
    for (row, difficulty) in (0..).zip(difficulties) {
        drawing.add(difficulty, 0, row);
    }
    let mut drawn: Vec<u64> = drawing.kept.into_iter().flatten().map(|(_, _, row)| row).collect();
    drawn.sort_unstable();
    drawn
}

/// The first pass in progress.
struct Drawing {
    /// Largest number of rows of each difficulty.
    most: NonZeroUsize,
    seed: u64,
    rows: u64,
    found: [u64; Difficulty::ALL.len()],
    /// For each difficulty, the rows with the smallest numbers: number, input, line.
    kept: [BinaryHeap<(u64, usize, u64)>; Difficulty::ALL.len()],
}

impl Drawing {
    fn new(most: NonZeroUsize, seed: u64) -> Drawing {
        Drawing { most, seed, rows: 0, found: Default::default(), kept: Default::default() }
    }

    /// Processes the next block. Blocks must come in order.
    fn take_in(&mut self, block: &AnsweredBlock) {
        for row in block.rows() {
            let rated = row.fact::<Ratings>();
            self.add(rated.and_then(|rated| rated.rating.difficulty), block.input(), row.row.line);
        }
    }

    /// Processes the next row.
    fn add(&mut self, difficulty: Option<Difficulty>, input: usize, line: u64) {
        let number = Random::from_stream(self.seed, self.rows).next_u64();
        self.rows += 1;
        let Some(difficulty) = difficulty else { return };
        self.found[difficulty as usize] += 1;
        let kept = &mut self.kept[difficulty as usize];
        let is_wanted = kept.len() < self.most.get();
        if is_wanted || kept.peek().is_some_and(|&(largest, ..)| number < largest) {
            if !is_wanted {
                kept.pop();
            }
            kept.push((number, input, line));
        }
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

    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }

    fn name(&self) -> String {
        format!("stratify {} --seed {}", self.rows, self.seed)
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
