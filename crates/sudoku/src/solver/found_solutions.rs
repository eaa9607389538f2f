//! The solutions that a search has found so far: their number, and the one to report.

use std::ops::ControlFlow;

use super::{Answer, Meter, Outcome, Question};
use crate::puzzle::{CELLS, Solution};

#[derive(Debug)]
pub(super) struct FoundSolutions {
    count: u64,
    max_solutions: u64,
    answer: Answer,
    kept: Option<Solution>,
}

impl FoundSolutions {
    pub(super) fn new(question: &Question) -> FoundSolutions {
        FoundSolutions {
            count: 0,
            max_solutions: question.max_solutions.get(),
            answer: question.answer,
            kept: None,
        }
    }

    /// Records the filled grid `digits`. Returns `Break` if no further solution is needed.
    #[inline]
    pub(super) fn record(&mut self, digits: &[u8; CELLS]) -> ControlFlow<()> {
        debug_assert!(Solution::try_from(*digits).is_ok(), "a search records filled grids only");
        if self.wants(digits) {
            self.kept = Solution::try_from(*digits).ok();
        }
        self.count_one()
    }

    /// Records `solution`. Returns `Break` if no further solution is needed.
    #[inline]
    pub(super) fn record_solution(&mut self, solution: Solution) -> ControlFlow<()> {
        if self.wants(solution.values()) {
            self.kept = Some(solution);
        }
        self.count_one()
    }

    /// Returns whether a solution with these digits replaces the one kept so far.
    fn wants(&self, digits: &[u8; CELLS]) -> bool {
        match self.answer {
            Answer::First => self.kept.is_none(),
            Answer::Smallest => self.kept.is_none_or(|kept| digits < kept.values()),
        }
    }

    /// Counts a solution without keeping it. Returns `Break` if no further solution is needed.
    pub(super) fn count_one(&mut self) -> ControlFlow<()> {
        self.count += 1;
        if self.all_asked_for() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns whether the search has found the requested number of solutions. If so, the puzzle may have more solutions.
    pub(super) fn all_asked_for(&self) -> bool {
        self.count >= self.max_solutions
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Raises the number of solutions to `count`, which another search of the puzzle found. If `count` is smaller, changes nothing.
    pub(super) fn count_at_least(&mut self, count: u64) {
        self.count = self.count.max(count);
    }

    /// Returns the solution that would be reported if the search ended now.
    pub(super) fn kept(&self) -> Option<Solution> {
        self.kept
    }

    pub(super) fn keep(&mut self, solution: Solution) {
        self.kept = Some(solution);
    }

    pub(super) fn outcome(&self, question: &Question, meter: &Meter) -> Outcome {
        Outcome::searched(question, self.count, self.kept, meter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU64;

    #[test]
    fn the_smallest_or_the_first_is_kept_and_the_limit_breaks() {
        let [small, middle, large] = [1, 2, 3].map(|digit| [digit; CELLS]);
        for (answer, expected) in [(Answer::Smallest, small), (Answer::First, middle)] {
            let question =
                Question { answer, max_solutions: NonZeroU64::new(3).unwrap(), ..Question::unique() };
            let mut found = FoundSolutions::new(&question);
            assert_eq!(found.record(&middle), ControlFlow::Continue(()));
            assert_eq!(found.record(&small), ControlFlow::Continue(()));
            assert!(!found.all_asked_for());
            assert_eq!(found.record(&large), ControlFlow::Break(()));
            assert!(found.all_asked_for());
            assert_eq!(found.kept(), Solution::try_from(expected).ok());
            assert_eq!(found.outcome(&question, &Meter::start(&question)).count, 3);
        }
        assert_eq!(FoundSolutions::new(&Question::first()).record(&large), ControlFlow::Break(()));
    }
}
