//! Facts: computed properties of a puzzle, such as its canonical form or its rating. The solver's outcome is not a fact.
//!
//! A fact names the facts that it builds on, and computes its values for all puzzles of a block. A [`Column`](crate::columns::Column), a
//! filter or a verb says which facts it [needs](Need). Only the needed facts are computed, once for each block.
//! [`AnsweredRow::fact`](crate::AnsweredRow::fact) returns the value for a row. To add a fact, add a file here, and columns that read it.

mod block;
mod canonical;
mod exact_candidates;
mod minimality;
mod overlap;
mod plan;
mod prediction;
mod rating;
mod recursion_calls;
mod score;
mod settings;
mod singles_path;
mod split_side;
mod technique_walk;
mod test_classes;

pub use block::{FactBlock, PuzzlesOfBlock};
pub use canonical::{CanonicalForm, CanonicalSolution};
pub use exact_candidates::ExactCandidates;
pub use minimality::{Minimality, Redundancy};
pub use overlap::{Overlap, SplitBy};
pub use plan::{FactPlan, Facts};
pub use prediction::{Expected, Prediction};
pub use rating::{Isomorphs, Rated, Ratings};
pub use recursion_calls::{MOST_CALLS, RecursionCalls};
pub use score::{RowScore, Scored};
pub use settings::Settings;
pub use singles_path::SinglesPathFact;
pub use split_side::{Split, SplitDraw, SplitSide, TestShare};
pub(crate) use split_side::{SplitStrata, share_of_value};
pub use technique_walk::TechniqueWalk;
pub(crate) use test_classes::{ClassCounts, TestClasses};

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sudobench_sudoku::simd::{Level, LevelError};

/// A computed property of each puzzle. Each thread has its own instance.
///
/// ```
/// use sudobench_rows::columns::{Column, Holds};
/// use sudobench_rows::facts::{Fact, FactContext, Need, PuzzlesOfBlock};
/// use sudobench_sudoku::simd::LevelError;
///
/// /// Number of rows without a clue.
/// struct EmptyRows;
///
/// impl Fact for EmptyRows {
///     type Value = u64;
///
///     fn new(_: &FactContext, _: u32) -> Result<EmptyRows, LevelError> {
///         Ok(EmptyRows)
///     }
///
///     fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<u64>>) {
///         let empty = |row: &&[u8]| row.iter().all(|&value| value == 0);
///         values.extend(block.puzzles.iter().map(|puzzle| Some(puzzle.values().chunks(9).filter(empty).count() as u64)));
///     }
/// }
///
/// const EMPTY_ROWS: Column = Column {
///     name: "empty_rows",
///     about: "rows without a clue",
///     needs: &[Need::new::<EmptyRows>()],
///     holds: Holds::Number(|row| row.fact::<EmptyRows>().copied()),
/// };
/// ```
pub trait Fact: Send + Sized + 'static {
    /// The value for one puzzle.
    type Value: Send + Sync + 'static;

    /// Whether the fact takes far longer than solving the puzzle. If so, blocks are small, so that all threads have work and an interrupt
    /// loses little.
    const IS_SLOW: bool = false;

    /// Returns what this fact reads: other facts, or the solver's outcome. The bits of `demand` select what this fact computes: see
    /// [`Need::Fact`].
    fn builds_on(_demand: u32) -> Vec<Need> {
        Vec::new()
    }

    /// Makes an instance. `demand` combines the bits of all [`Need`]s of this fact.
    ///
    /// # Errors
    /// [`LevelError`] if the CPU lacks the SIMD level.
    fn new(context: &FactContext, demand: u32) -> Result<Self, LevelError>;

    /// Appends the value for each puzzle of the block, in order; `None` for a puzzle without a value. If the run is cancelled, the instance
    /// may append fewer values. The output then ends before the first puzzle for which nothing was appended.
    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<Self::Value>>);
}

/// A fact or an outcome that must be computed.
#[derive(Clone, Copy, Debug)]
pub enum Need {
    /// A solver's outcome.
    Outcome,
    /// A solver's outcome with its nodes and guesses. For a batch solver, these two numbers depend on the width of its vectors and on the
    /// other puzzles of the batch. So a run that needs them from a batch solver can be resumed only at the same SIMD level.
    Effort,
    /// A fact and a demand. The bits of the demand select what the fact computes; each fact defines its own bits.
    Fact(&'static FactSpec, u32),
}

impl Need {
    /// Returns the need that stands for the fact `F`.
    pub const fn new<F: Fact>() -> Need {
        Need::with::<F>(0)
    }

    /// Returns the need that stands for the fact `F`. The bits of `demand` select what the fact computes.
    pub const fn with<F: Fact>(demand: u32) -> Need {
        Need::Fact(const { &FactSpec::new::<F>() }, demand)
    }
}

/// A fact as a value: everything that a [`FactPlan`] needs to know about it.
#[derive(Clone, Copy)]
pub struct FactSpec {
    type_name: fn() -> &'static str,
    is_slow: bool,
    id: TypeId,
    builds_on: fn(u32) -> Vec<Need>,
    make: fn(&FactContext, u32) -> MadeFact,
}

type MadeFact = Result<Box<dyn plan::AnyFact>, LevelError>;

impl fmt::Debug for FactSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FactSpec").field(&(self.type_name)()).finish()
    }
}

impl FactSpec {
    const fn new<F: Fact>() -> FactSpec {
        FactSpec {
            type_name: std::any::type_name::<F>,
            is_slow: F::IS_SLOW,
            id: TypeId::of::<F>(),
            builds_on: F::builds_on,
            make: |context, demand| Ok(Box::new(F::new(context, demand)?)),
        }
    }
}

/// Data for making facts.
#[derive(Clone, Debug)]
pub struct FactContext {
    /// The SIMD level to compute at.
    pub level: Level,
    /// Once this flag is true, facts that take long stop early.
    pub cancel: Arc<AtomicBool>,
    settings: Settings,
}

impl FactContext {
    /// Makes a context.
    pub fn new(level: Level, cancel: Arc<AtomicBool>, settings: Settings) -> FactContext {
        FactContext { level, cancel, settings }
    }

    /// Returns the setting of this type.
    pub fn setting<T: Any>(&self) -> Option<&T> {
        self.settings.get()
    }
}

fn is_cancelled(cancel: &AtomicBool) -> bool {
    cancel.load(Ordering::Relaxed)
}
