//! `bitslice`: one puzzle per bit, up to 512 at once.
//!
//! ```text
//!                            lane 511 ... 2 1 0
//!   box 1, digit 1, minirow 1   [ 1 0 .. 1 1 0 ]     a word, or plane: one flag of all puzzles
//!   box 1, digit 1, minirow 2   [ 0 0 .. 1 0 1 ]
//!   ..                                               486 words: the state
//!   box 9, digit 9, minicol 3   [ 1 1 .. 0 0 1 ]
//! ```
//!
//! An AND of two such words makes the same deduction in all these puzzles. No deduction needs a shift or a table, because every flag has a
//! word of its own: a rule is logic between words at fixed places. For each digit in each box, only six flags are stored. They show which
//! of the box's three minirows (rows) and three minicols (columns) still have a place for the digit. The possible cells follow from these
//! flags: see `state.rs`.
//!
//! To branch, and to store the alternatives not yet tried, the solver needs a row of bits per puzzle instead. So if some lane needs its row
//! after a round of inference, the state is transposed to rows. The rows are processed, one block of lanes after the other, and transposed
//! back:
//! ```text
//!   repeat until no lane has work
//!     infer      passes, sometimes with the triple rule                      triple.rs, pass.rs
//!     sort       lanes: contradictory, solved, open, or still changing       lane_solver.rs
//!     choose     where each open lane branches                               choose.rs
//!     transpose  state -> rows, when the first lane needs its row            transpose.rs, lane_rows.rs
//!     work       open: split the row, push one part                          branch.rs
//!                solved: count, remember                                     scheduler.rs, grids.rs
//!                spent (needs a new row): pop, or next puzzle, or steal      scheduler.rs, grids.rs
//!     transpose  rows -> state
//! ```
//!
//! The lanes can be at different depths of their searches. When a puzzle is finished, the next puzzle takes its lane immediately.
//!
//! A *node* is an alternative that is tried: one for each guess, and one for each alternative that is resumed later. A
//! puzzle that needs no guess has no nodes.

mod branch;
mod choose;
mod grids;
mod lane_rows;
mod lane_solver;
mod pass;
mod scheduler;
mod state;
mod transpose;
mod triple;

use std::fmt;

use super::{Known, OtherSearches, Outcome, Question, Solver};
use crate::puzzle::Puzzle;
use crate::simd::{self, Build, Level, LevelError, Simd};
use lane_solver::LaneSolver;

/// Solves batches of any size. It works on 512, 256 or 128 puzzles of a batch at once.
///
/// If you solve the same batch again with the same question and level, the outcomes have the same nodes and guesses, because nothing
/// learned in one batch is kept for the next. The exception is a batch that a time limit or the cancel flag stops. `Bitslice::default` uses
/// the widest vectors of the CPU.
///
/// ```
/// use sudobench_sudoku::{Outcome, Puzzle, Question, Solver, simd::Level, solver::Bitslice};
/// let mut outcomes = [Outcome::ABORTED; 3];
/// Bitslice::new(Level::Baseline)?.solve_batch(&[Puzzle::EMPTY; 3], &Question::unique(), &mut outcomes);
/// assert!(outcomes.iter().all(|outcome| outcome.count == 2));
/// # Ok::<(), sudobench_sudoku::simd::LevelError>(())
/// ```
pub struct Bitslice {
    batch: Box<dyn Batch>,
    /// The order in which the puzzles of an ordinary batch enter the lanes: the numbers from 0 on.
    ascending: Vec<u32>,
}

/// The methods of the solver, independent of its width.
trait Batch: Send {
    /// Solves the puzzles of a batch, or enough of them. In the second case, appends the index of each puzzle that ends to `ended`.
    fn solve(&mut self, batch: &BatchQuestion<'_>, outcomes: &mut [Outcome], ended: &mut Vec<u32>);

    /// Runs one part of a round on the data that the previous batch has left. For benchmarks.
    fn run_part(&mut self, part: Part);
}

/// Puzzles, and the question about them. A call may end before the batch does: see `enough`.
struct BatchQuestion<'b> {
    puzzles: &'b [Puzzle],
    question: &'b Question,
    /// For each puzzle, the solutions that the search ignores; empty if the search accepts every solution.
    known: &'b [Known],
    /// The indices of the puzzles, in the order in which they enter the lanes.
    order: &'b [u32],
    /// The call ends once this number of puzzles have ended. The lanes keep the others until the next call, which continues the batch. If
    /// all puzzles must end in one call: `usize::MAX`.
    enough: usize,
    /// Whether this call continues the batch of the previous call: `puzzles`, `known` and the outcomes are the same for the puzzles that
    /// have not ended, and `order` begins with the previous `order`.
    continues: bool,
}

/// Builds the solver for a width.
#[derive(Clone, Copy)]
struct Width;

impl Build for Width {
    type Output = Bitslice;

    fn build<S: Simd<N>, const N: usize>(self, simd: S) -> Bitslice {
        Bitslice { batch: Box::new(LaneSolver::new(simd)), ascending: Vec::new() }
    }
}

impl Bitslice {
    /// Continues `searches` until a quarter of the unended ones have ended. If they are few, continues until all have ended. `question` must
    /// be [`Question::first`], with or without a cancel flag.
    pub(super) fn go_on(&mut self, searches: &mut OtherSearches, question: &Question, are_few: bool) {
        let OtherSearches { puzzles, known, outcomes, order, ended, unended, has_begun } = searches;
        ended.clear();
        let enough = if are_few { *unended } else { unended.div_ceil(4) };
        let batch = BatchQuestion { puzzles, question, known, order, enough, continues: *has_begun };
        self.batch.solve(&batch, outcomes, ended);
        *unended -= ended.len();
        *has_begun = *unended > 0;
        if !*has_begun {
            order.clear();
        }
    }

    /// Solves a batch. If `known` is not empty, each search ignores the solutions that its element of `known` excludes, and `question` must
    /// be [`Question::first`], with or without a cancel flag.
    pub(super) fn solve_ignoring(
        &mut self,
        (puzzles, known): (&[Puzzle], &[Known]),
        question: &Question,
        outcomes: &mut [Outcome],
    ) {
        let Bitslice { batch, ascending } = self;
        ascending.extend(ascending.len() as u32..puzzles.len() as u32);
        let order = &ascending[..puzzles.len()];
        let question =
            BatchQuestion { puzzles, question, known, order, enough: usize::MAX, continues: false };
        batch.solve(&question, outcomes, &mut Vec::new());
    }

    /// Recommended batch size. Towards the end of a batch, more and more lanes have no useful work. In larger batches, these lanes cost
    /// less for each puzzle, but the puzzles and outcomes need more memory.
    const BATCH: usize = 4096;

    /// Makes a solver that uses this SIMD level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<Bitslice, LevelError> {
        simd::build_at(level, Width)
    }
}

impl Default for Bitslice {
    fn default() -> Bitslice {
        simd::build_widest(Width)
    }
}

impl fmt::Debug for Bitslice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bitslice").finish_non_exhaustive()
    }
}

/// A part of a round, for `benches/kernel.rs`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// The pass over the nine boxes.
    Pass,
    /// The triple rule.
    Triple,
    /// The choice of where each lane branches.
    Choose,
    /// The first half of the transposition from the state to rows, which writes blocks.
    ToBlocks,
    /// The second half of the transposition from the state to rows, within the blocks. The same operation is the first half of the
    /// transposition back to the state.
    Turn,
    /// The second half of the transposition back to the state.
    FromBlocks,
}

impl Bitslice {
    /// Runs one part of a round on the data that the previous batch has left.
    #[doc(hidden)]
    pub fn run_part(&mut self, part: Part) {
        self.batch.run_part(part);
    }
}

impl Solver for Bitslice {
    /// Solves a batch of one puzzle, with most lanes idle.
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        let mut outcomes = [Outcome::ABORTED];
        self.solve_batch(std::slice::from_ref(puzzle), question, &mut outcomes);
        Outcome { elapsed_ns: 0, ..outcomes[0] }
    }

    fn solve_batch(&mut self, puzzles: &[Puzzle], question: &Question, outcomes: &mut [Outcome]) {
        assert_eq!(puzzles.len(), outcomes.len(), "one outcome for every puzzle");
        self.solve_ignoring((puzzles, &[]), question, outcomes);
    }

    fn batch_size(&self) -> usize {
        Bitslice::BATCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Plain;

    #[test]
    fn plain_integers_give_the_stored_search() {
        super::super::tests::assert_as_stored("bitslice", &mut Width.build(Plain));
    }
}
