//! What a search has found so far: how many solutions, and which of them is reported.

use std::ops::ControlFlow;

use super::{Answer, Meter, Outcome, Question};
use crate::puzzle::{CELLS, Solution};

/// The solutions that a search has found, of which it keeps the one to report.
#[derive(Debug)]
pub(super) struct FoundSolutions {
    count: u64,
    max_solutions: u64,
    answer: Answer,
    kept: Option<Solution>,
}

impl FoundSolutions {
    /// Nothing found yet; the search ends at as many solutions as `question` says.
    pub(super) fn under(question: &Question) -> FoundSolutions {
        FoundSolutions {
            count: 0,
            max_solutions: question.max_solutions.get(),
            answer: question.answer,
            kept: None,
        }
    }

    /// Nothing found yet; the search ends at its first solution.
    pub(super) fn any() -> FoundSolutions {
        FoundSolutions { count: 0, max_solutions: 1, answer: Answer::First, kept: None }
    }

    /// Records the filled grid `digits`. Breaks where it was the last solution asked for.
    #[inline]
    pub(super) fn record(&mut self, digits: &[u8; CELLS]) -> ControlFlow<()> {
        debug_assert!(Solution::try_from(*digits).is_ok(), "a search records filled grids only");
        if self.wants(digits) {
            self.kept = Solution::try_from(*digits).ok();
        }
        self.count_one()
    }

    /// Records `solution`. Breaks where it was the last one asked for.
    #[inline]
    pub(super) fn record_solution(&mut self, solution: Solution) -> ControlFlow<()> {
        if self.wants(solution.values()) {
            self.kept = Some(solution);
        }
        self.count_one()
    }

    /// Whether a solution with these digits is to be reported instead of the one kept so far.
    fn wants(&self, digits: &[u8; CELLS]) -> bool {
        match self.answer {
            Answer::First => self.kept.is_none(),
            Answer::Smallest => self.kept.is_none_or(|kept| digits < kept.values()),
        }
    }

    fn count_one(&mut self) -> ControlFlow<()> {
        self.count += 1;
        if self.all_asked_for() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether the search ended because it found as many solutions as were asked for: there may be more.
    pub(super) fn all_asked_for(&self) -> bool {
        self.count >= self.max_solutions
    }

    /// How many there are so far.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Takes in that another search has found so many.
    pub(super) fn count_at_least(&mut self, count: u64) {
        self.count = self.count.max(count);
    }

    /// The solution to report, as far as the search went.
    pub(super) fn kept(&self) -> Option<Solution> {
        self.kept
    }

    /// Reports `solution` from now on.
    pub(super) fn keep(&mut self, solution: Solution) {
        self.kept = Some(solution);
    }

    /// The outcome of the search, which ended.
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
            let mut found = FoundSolutions::under(&question);
            assert_eq!(found.record(&middle), ControlFlow::Continue(()));
            assert_eq!(found.record(&small), ControlFlow::Continue(()));
            assert!(!found.all_asked_for());
            assert_eq!(found.record(&large), ControlFlow::Break(()));
            assert!(found.all_asked_for());
            assert_eq!(found.kept(), Solution::try_from(expected).ok());
            assert_eq!(found.outcome(&question, &Meter::start(&question)).count, 3);
        }
        assert_eq!(FoundSolutions::any().record(&large), ControlFlow::Break(()));
    }
}
