//! Computes the answers for blocks of rows. The blocks are parts of streams or of tables.
//!
//! ```text
//! parsed rows -> solve -> referee -> facts -> find -> judge -> answered rows
//! ```
//! The referee checks the solutions before the facts and the finder read them. If there are neither facts nor a finder, the referee checks
//! the solutions later: in [`Answerer::judge`], or while a table writes the solutions to an array.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::{Question, Solver};

use super::block::Answers;
use super::marks::Choice;
use super::row::AnsweredRow;
use crate::Tally;
use crate::expand::Finder;
use crate::facts::{FactContext, FactPlan, Facts};
use crate::latency::Times;

/// Answers one block after the other. Each thread has its own instance.
pub struct Answerer {
    /// The parsed rows of the current block, and their answers.
    pub answers: Answers,
    /// The solver; `None` if no outcome is ever needed.
    solver: Option<Box<dyn Solver>>,
    needs_outcome: bool,
    facts: Facts,
    /// Finds puzzles or steps for each puzzle; `None` if the run searches for neither.
    finder: Option<Box<dyn Finder>>,
    level: Level,
    /// If this becomes true, the puzzles in progress are dropped.
    cancel: Arc<AtomicBool>,
}

impl Answerer {
    /// Makes an answerer that computes nothing until it is [prepared](Answerer::prepare).
    pub fn new(solver: Option<Box<dyn Solver>>, finder: Option<Box<dyn Finder>>, level: Level) -> Answerer {
        Answerer {
            answers: Answers::default(),
            solver,
            needs_outcome: false,
            facts: Facts::default(),
            finder,
            level,
            cancel: Arc::default(),
        }
    }

    /// Sets the facts to compute for the next blocks, and whether to compute outcomes.
    ///
    /// # Errors
    /// [`LevelError`] if the CPU lacks the SIMD level.
    pub fn prepare(&mut self, plan: &FactPlan, context: &FactContext) -> Result<(), LevelError> {
        self.needs_outcome = plan.has_outcome();
        self.facts = plan.facts(context)?;
        self.cancel.clone_from(&context.cancel);
        Ok(())
    }

    /// Computes the outcomes and facts of all puzzles of the parsed rows, and runs the finder for the puzzles of the `wanted` rows. Returns
    /// whether the answers are complete. If they are incomplete, because the run was cancelled, the wanted rows are limited to the rows
    /// before the first incomplete row.
    pub fn answer(
        &mut self,
        question: &Question,
        wanted: Range<usize>,
        choice: Choice,
        tally: &mut Tally,
    ) -> bool {
        let Answerer { answers, facts, finder, .. } = self;
        let solver = self.solver.as_deref_mut().filter(|_| self.needs_outcome);
        let has_solver = solver.is_some();
        answers.solve(solver, question, tally);
        let is_interrupted = has_solver && self.cancel.load(Ordering::SeqCst);
        answers.want(wanted, is_interrupted);
        if !facts.is_empty() || finder.is_some() {
            answers.check_solutions(self.level);
        }
        let mut is_complete = answers.compute(facts, choice) && !is_interrupted;
        if let Some(finder) = finder {
            is_complete &= answers.find(&mut **finder);
        }
        is_complete
    }

    /// Checks the solutions of the wanted rows and compares them with the expected solutions. Counts the rows, and passes the rows that are
    /// kept to `each`.
    #[inline]
    pub fn judge(
        &mut self,
        bytes: &[u8],
        question: &Question,
        choice: Choice,
        measures: (&mut Tally, &mut Times),
        each: impl FnMut(&AnsweredRow),
    ) {
        self.answers.check_solutions(self.level);
        self.answers.judge(bytes, question, choice, measures, each);
    }
}
