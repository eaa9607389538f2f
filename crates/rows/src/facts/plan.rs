//! Selects the facts of a run and their order, and computes the facts of each block.

use std::any::TypeId;
use std::fmt;

use sudobench_sudoku::simd::LevelError;

use super::block::{FactBlock, PuzzlesOfBlock};
use super::{Fact, FactContext, FactSpec, Need};

/// All facts that a run needs. Each comes after the facts that it builds on.
#[derive(Clone, Debug, Default)]
pub struct FactPlan {
    has_outcome: bool,
    has_effort: bool,
    facts: Vec<(&'static FactSpec, u32)>,
}

impl FactPlan {
    /// Makes a plan of the needed facts and of the facts that they build on.
    pub fn new(needs: impl IntoIterator<Item = Need>) -> FactPlan {
        let mut collected = FactPlan::default();
        needs.into_iter().for_each(|need| collected.collect(need));
        let mut plan = FactPlan { facts: Vec::new(), ..collected };
        for (fact, _) in &collected.facts {
            plan.place(fact, &collected);
        }
        plan
    }

    /// Adds a needed fact and the facts that it builds on, in any order.
    fn collect(&mut self, need: Need) {
        let (fact, demand) = match need {
            Need::Outcome => return self.has_outcome = true,
            Need::Effort => return (self.has_outcome, self.has_effort) = (true, true),
            Need::Fact(fact, demand) => (fact, demand),
        };
        let known = self.demand(fact.id);
        if known.is_some_and(|known| known & demand == demand) {
            return;
        }
        let demand = demand | known.unwrap_or_default();
        self.facts.retain(|(other, _)| other.id != fact.id);
        self.facts.push((fact, demand));
        (fact.builds_on)(demand).into_iter().for_each(|need| self.collect(need));
    }

    /// Adds a fact after the facts that it builds on, unless it was added already.
    fn place(&mut self, fact: &'static FactSpec, collected: &FactPlan) {
        if self.demand(fact.id).is_some() {
            return;
        }
        let demand = collected.demand(fact.id).unwrap_or_default();
        for need in (fact.builds_on)(demand) {
            if let Need::Fact(other, _) = need {
                self.place(other, collected);
            }
        }
        self.facts.push((fact, demand));
    }

    fn demand(&self, id: TypeId) -> Option<u32> {
        self.facts.iter().find(|(other, _)| other.id == id).map(|(_, demand)| *demand)
    }

    /// Returns the combined demand for a fact, as bits: see [`Need::Fact`]. `None` if the fact is not needed.
    pub fn demand_of<F: Fact>(&self) -> Option<u32> {
        self.demand(TypeId::of::<F>())
    }

    /// Returns whether a solver has to solve the puzzles.
    pub fn has_outcome(&self) -> bool {
        self.has_outcome
    }

    /// Returns whether nodes or guesses of a solver are needed.
    pub fn has_effort(&self) -> bool {
        self.has_effort
    }

    /// Returns whether any fact is needed. The solver's outcome is not a fact.
    pub fn has_facts(&self) -> bool {
        !self.facts.is_empty()
    }

    /// Returns whether any of the facts [takes long](Fact::IS_SLOW).
    pub fn is_slow(&self) -> bool {
        self.facts.iter().any(|(fact, _)| fact.is_slow)
    }

    /// Makes the facts for one thread.
    ///
    /// # Errors
    /// [`LevelError`] if the CPU lacks the SIMD level.
    pub fn facts(&self, context: &FactContext) -> Result<Facts, LevelError> {
        let make = |(fact, demand): &(&'static FactSpec, u32)| (fact.make)(context, *demand);
        Ok(Facts(self.facts.iter().map(make).collect::<Result<_, _>>()?))
    }
}

/// The facts of one thread, which compute the values of one block after the other.
#[derive(Default)]
pub struct Facts(Vec<Box<dyn AnyFact>>);

impl Facts {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Computes all facts. Returns how many puzzles, counted from the first one, have all facts. If the run was not cancelled, these are
    /// all puzzles.
    pub(crate) fn compute(&mut self, puzzles: &PuzzlesOfBlock, known: &mut FactBlock) -> usize {
        // Empties each fact's list of values, so that its memory can be used for the values of this block. Drops the values of all facts
        // that are not computed here, so that nothing reads the values of the previous block.
        let mut before = std::mem::take(known);
        self.0.iter().for_each(|fact| fact.take_memory(&mut before, known));
        let complete = self.0.iter_mut().map(|fact| fact.compute(puzzles, known)).min();
        complete.unwrap_or(puzzles.puzzles.len())
    }
}

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Facts").field(&self.0.len()).finish()
    }
}

/// A fact of any type.
pub(super) trait AnyFact: Send {
    /// Removes the values of the previous block, and keeps their memory for the next values.
    fn take_memory(&self, before: &mut FactBlock, known: &mut FactBlock);

    /// Computes the values. Returns the number of values.
    fn compute(&mut self, puzzles: &PuzzlesOfBlock, known: &mut FactBlock) -> usize;
}

impl<F: Fact> AnyFact for F {
    fn take_memory(&self, before: &mut FactBlock, known: &mut FactBlock) {
        known.put::<F>(before.take::<F>());
    }

    fn compute(&mut self, puzzles: &PuzzlesOfBlock, known: &mut FactBlock) -> usize {
        let mut values = known.take::<F>();
        Fact::compute(self, &PuzzlesOfBlock { facts: known, ..*puzzles }, &mut values);
        let complete = values.len();
        known.put::<F>(values);
        complete
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sudobench_sudoku::Puzzle;
    use sudobench_sudoku::simd::Level;

    use super::*;
    use crate::facts::Settings;

    /// A fact that builds on [`Second`] if `demand & 2` is not 0. Its value is the value of `Second` plus 1.
    struct First;
    struct Second;

    impl Fact for First {
        type Value = u32;

        fn builds_on(demand: u32) -> Vec<Need> {
            if demand & 2 == 0 { Vec::new() } else { vec![Need::Effort, Need::with::<Second>(4)] }
        }

        fn new(_: &FactContext, _: u32) -> Result<First, LevelError> {
            Ok(First)
        }

        fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<u32>>) {
            let second = block.facts.get::<Second>().unwrap_or_default();
            values.extend(second.iter().map(|value| value.map(|value| value + 1)));
        }
    }

    impl Fact for Second {
        type Value = u32;
        const IS_SLOW: bool = true;

        fn new(_: &FactContext, demand: u32) -> Result<Second, LevelError> {
            assert_eq!(demand, 5);
            Ok(Second)
        }

        fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<u32>>) {
            // Stops before the last puzzle, as a cancelled fact may do.
            values.extend((1..block.puzzles.len() as u32).map(Some));
        }
    }

    #[test]
    fn facts_come_after_their_dependencies_and_demands_add_up() {
        let plan = FactPlan::new([Need::with::<First>(1), Need::with::<Second>(1)]);
        assert!(!plan.has_outcome() && plan.is_slow());
        let plan = FactPlan::new([Need::with::<First>(1), Need::with::<Second>(1), Need::with::<First>(2)]);
        assert_eq!((plan.demand_of::<First>(), plan.demand_of::<Second>()), (Some(3), Some(5)));
        assert!(plan.has_outcome() && plan.has_effort());
        assert_eq!(
            plan.facts.iter().map(|(fact, _)| fact.id).collect::<Vec<_>>(),
            [TypeId::of::<Second>(), TypeId::of::<First>()]
        );

        let mut facts =
            plan.facts(&FactContext::new(Level::Baseline, Arc::default(), Settings::default())).unwrap();
        let (puzzles, mut known) = ([Puzzle::EMPTY; 3], FactBlock::default());
        for count in [3, 1] {
            let block = PuzzlesOfBlock::new(&puzzles[..count], &[], true, &[]);
            assert_eq!(facts.compute(&block, &mut known), count - 1);
        }
        assert_eq!(known.value::<First>(0), None, "the values of the previous block are gone");
        assert!(known.get::<First>().is_some());
        let none = PuzzlesOfBlock::new(&puzzles, &[], true, &[]);
        assert_eq!(Facts::default().compute(&none, &mut known), 3);
        assert!(known.is_empty(), "facts that nothing needs any more are gone");
    }

    #[test]
    fn without_needs_nothing_is_computed() {
        let plan = FactPlan::new([]);
        assert!(!plan.has_outcome() && !plan.has_effort() && !plan.has_facts() && !plan.is_slow());
    }
}
