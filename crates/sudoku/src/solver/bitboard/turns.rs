//! Answers a question about a puzzle. To find the smallest solution, two searches of the puzzle take turns. One finds solutions in any
//! order; the other finds them in ascending order, here called "in order".
//! The diagram is for a question that asks for two solutions:
//!
//! ```text
//!   in any order, counting     several solutions are likely, and no     in order, counting
//!     to the limit, or         guess failed                               to the limit, or
//!                          ------------------------------------------>
//!     to the end           <------------------------------------------    to the end
//!                                    too many guesses fail
//!         |
//!         | at the limit, with work left and nothing found in order
//!         v
//!   in order, to its first solution
//! ```
//!
//! If the question asks for more than two solutions, the search in any order runs to its end or to the limit before the search in order
//! starts. If the question asks only for the smallest solution, there is only the search in order. If the question accepts the first
//! solution found instead of the smallest, there is only the search in any order.
//!
//! The search in order starts with the board before the first guess. The first solution of this search is the smallest, whichever search
//! completes the count. Each search continues where it stopped, so neither repeats its own work. Whether several solutions are likely is
//! decided by the board before the first guess, and by the number of guesses (`search.rs`).

use std::mem::swap;

use super::infer::{Board, Rules};
use super::search::{Leave, Progress, Search, Stop, solution_of};
use crate::puzzle::Puzzle;
use crate::simd::{Kernel, Simd};
use crate::solver::found_solutions::FoundSolutions;
use crate::solver::{Answer, Known, Meter, Outcome, Question};

/// The stacks of the two searches. The search that runs first uses the first stack.
pub(super) type Stacks<D> = [Vec<Board<D>>; 2];

/// Answers `question` about `puzzle`. The searches ignore the solutions that `known` excludes.
pub(super) struct TwoSearches<'s, S: Simd<N>, const N: usize> {
    pub(super) simd: S,
    pub(super) puzzle: &'s Puzzle,
    pub(super) known: Option<&'s Known>,
    pub(super) question: &'s Question,
    pub(super) stacks: &'s mut Stacks<S::Digits>,
}

impl<S: Simd<N>, const N: usize> Kernel for TwoSearches<'_, S, N> {
    type Output = Outcome;

    #[inline(always)]
    fn run(self) -> Outcome {
        let TwoSearches { simd, puzzle, known, question, stacks } = self;
        let [stack, mut other_stack] = stacks.each_mut();
        stack.clear();
        other_stack.clear();
        let mut other_progress = Progress::EAGER;
        let mut meter = Meter::start(question);
        let smallest = question.answer == Answer::Smallest;
        // If the question asks only for the smallest solution, no solutions have to be counted first, so the first search is already the
        // search in order.
        let ordered = smallest && question.max_solutions.get() == 1;
        let mut search = Search {
            simd,
            rules: Rules::new(simd),
            puzzle,
            stack,
            meter: &mut meter,
            ordered,
            progress: Progress::default(),
            // If the question asks for two solutions and reports the smallest one, the search in order takes over as soon as several
            // solutions are likely. If the question asks for more than two solutions, the search in any order first counts to its end or to
            // the limit. If this search reaches its end, it has found all solutions, so no search in order is needed.
            leave: if smallest && question.max_solutions.get() == 2 { Leave::WhenMany } else { Leave::Never },
            root: None,
        };
        let (mut found, mut found_in_order) = (FoundSolutions::new(question), FoundSolutions::new(question));
        let mut board = Some(search.first(known.and_then(Known::excluded_candidate)));
        while let Some(mut from) = board {
            match search.go_on(&mut from) {
                Stop::Solved => {
                    let found_here = if search.ordered { &mut found_in_order } else { &mut found };
                    // If known solutions are left out, each solution must be looked at. The same holds in the search in any order if the
                    // smallest solution is requested. Otherwise, the search reports its first solution, and only counts the others.
                    let is_only_counted =
                        (search.ordered || !smallest) && known.is_none() && found_here.kept().is_some();
                    let is_last = if is_only_counted {
                        found_here.count_one().is_break()
                    } else {
                        let solution = solution_of(simd, &from);
                        let counts = !known.is_some_and(|known| known.excludes(&solution));
                        counts && found_here.record_solution(solution).is_break()
                    };
                    if !is_last {
                        if search.ordered && found.all_asked_for() {
                            break;
                        }
                        board = search.next();
                        continue;
                    }
                    let answered = search.ordered || !smallest || found_in_order.kept().is_some();
                    if answered || search.stack.is_empty() {
                        break;
                    }
                    search.leave = Leave::Never;
                }
                Stop::Left => {
                    search.leave = if search.ordered { Leave::Never } else { Leave::WhenFailing };
                }
                Stop::End => break,
            }
            search.ordered = !search.ordered;
            swap(&mut search.stack, &mut other_stack);
            swap(&mut search.progress, &mut other_progress);
            board = search.stack.pop().or_else(|| search.root.take());
        }
        if let Some(smallest) = found_in_order.kept() {
            found.keep(smallest);
            found.count_at_least(found_in_order.count());
        }
        found.outcome(question, &meter)
    }
}
