//! Computes the answers for blocks of rows.
//!
//! ```text
//! parsed rows -> solve -> referee -> facts -> find -> judge -> answered rows
//! ```
//! The referee checks the solutions before the facts and the finder read them. If there are neither facts nor a finder, the referee checks
//! the solutions later, for example in [`Answerer::judge`].

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::{Puzzle, Question, Solver};

use super::block::Answers;
use super::marks::Choice;
use super::row::AnsweredRow;
use crate::Tally;
use crate::expand::{Finder, Found};
use crate::facts::{FactContext, FactPlan, Facts};
use crate::latency::Times;

/// Answers one block after the other.
pub struct Answerer {
    /// The parsed rows of the current block, and their answers.
    pub answers: Answers,
    /// `None` if no outcomes are needed in any block.
    solver: Option<Box<dyn Solver>>,
    needs_outcome: bool,
    facts: Facts,
    /// Finds puzzles or steps for each puzzle; `None` if the run searches for neither.
    finder: Option<Box<dyn Finder>>,
    level: Level,
    /// Becomes true if the run is cancelled.
    cancel: Arc<AtomicBool>,
}

impl Answerer {
    /// Makes an answerer that computes neither outcomes nor facts until it is [prepared](Answerer::prepare).
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

    /// Computes the outcomes and facts of all puzzles of the parsed rows. If there is a finder, runs it on the puzzles from the first of
    /// the `wanted` rows to the last parsed row. Returns whether the answers are complete. If they are incomplete, because the run was
    /// cancelled, the wanted rows are limited to the rows before the first incomplete row.
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

    /// Answers puzzles in memory, which have no rows, and returns what the finder finds for each puzzle. Returns `None` if the work is
    /// cancelled, or if there is no finder.
    pub(crate) fn find(&mut self, puzzles: &[Puzzle], question: &Question) -> Option<Vec<Found>> {
        self.answers.parsed.clear();
        self.answers.parsed.puzzles.extend_from_slice(puzzles);
        let is_complete = self.answer(question, 0..0, Choice::default(), &mut Tally::default());
        let found = self.answers.take_found();
        (is_complete && found.len() == puzzles.len()).then_some(found)
    }

    /// Checks the solutions, and compares them with expected solutions. Counts the wanted rows. Calls `each` with each wanted row that the
    /// filter keeps.
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

#[cfg(test)]
mod tests {
    use sudobench_sudoku::{Outcome, Solution, Status, solve};

    use super::*;
    use crate::expand::Expand as _;
    use crate::facts::{Need, Settings};
    use crate::verbs::MinimalsOptions;

    struct SameAnswer(Solution);

    impl Solver for SameAnswer {
        fn solve(&mut self, _: &Puzzle, _: &Question) -> Outcome {
            Outcome { status: Status::Unique, solution: Some(self.0), ..Outcome::ABORTED }
        }
    }

    /// Two puzzles with exactly one solution each, and the solution of the first one.
    fn puzzles() -> ([Puzzle; 2], Solution) {
        let puzzle: Puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let other = puzzle.values().map(|value| if value == 0 { 0 } else { 10 - value });
        ([puzzle, Puzzle::try_from(other).unwrap()], solve(&puzzle).solution.unwrap())
    }

    #[test]
    fn the_finder_gets_only_solutions_that_the_referee_accepts() {
        let (puzzles, solution) = puzzles();
        let (level, cancel) = (Level::widest(), Arc::default());
        let finder = MinimalsOptions::default().finder(level, &cancel).unwrap();
        let mut answerer = Answerer::new(Some(Box::new(SameAnswer(solution))), finder, level);
        let context = FactContext::new(level, Arc::clone(&cancel), Settings::default());
        answerer.prepare(&FactPlan::new([Need::Outcome]), &context).unwrap();
        let question = Question { cancel: Some(Arc::clone(&cancel)), ..Question::unique() };
        let found = answerer.find(&puzzles, &question).unwrap();
        assert!(answerer.answers.has_refused());
        assert_eq!(found.iter().map(Found::is_empty).collect::<Vec<_>>(), [false, true]);
        let found = answerer.find(&puzzles[..1], &question).unwrap();
        assert!(!answerer.answers.has_refused() && !found[0].is_empty());
        cancel.store(true, Ordering::SeqCst);
        assert_eq!(answerer.find(&puzzles, &question), None);
    }
}
