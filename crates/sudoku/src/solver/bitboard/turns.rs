//! The smallest solution: two searches of a puzzle that take turns.
//!
//! ```text
//!   in any order, counting     no guess failed, and many were made      in order, counting
//!     to the limit, or     ------------------------------------------>    to the limit, or
//!     to the end           <------------------------------------------    to the end
//!                                    too many guesses fail
//!         |
//!         | at the limit, with work left and nothing found in order
//!         v
//!   in order, to its first solution
//! ```
//!
//! The search in order begins with the board from before the first guess. Its first solution is the smallest, wherever the count
//! is brought to its end. A search that is taken up again goes on where it was left, so that nothing is searched twice by the same.
//! Of a puzzle with one solution guesses fail before they are many, with few exceptions.

use std::mem::swap;

use super::infer::{Board, Rules};
use super::search::{Leave, Progress, Search, Stop, solution_of};
use crate::puzzle::Puzzle;
use crate::simd::{Kernel, Simd};
use crate::solver::found_solutions::FoundSolutions;
use crate::solver::{Answer, Known, Meter, Outcome, Question};

/// The stack of the search that is at work first, and that of the other.
pub(super) type Stacks<D> = [Vec<Board<D>>; 2];

/// Answers a question about a puzzle, whose solutions have to differ from what is known.
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
        // Asked for one solution, the smallest, there is nothing to count before.
        let ordered = smallest && question.max_solutions.get() == 1;
        let mut search = Search {
            simd,
            rules: Rules::new(simd),
            puzzle,
            stack,
            meter: &mut meter,
            ordered,
            progress: Progress::default(),
            // A larger count is taken in any order: where it comes to the end, nothing is asked of order.
            leave: if smallest && question.max_solutions.get() == 2 { Leave::WhenMany } else { Leave::Never },
            root: None,
        };
        let (mut found, mut found_in_order) =
            (FoundSolutions::under(question), FoundSolutions::under(question));
        let mut board = Some(search.first(known.and_then(Known::struck)));
        while let Some(mut from) = board {
            match search.go_on(&mut from) {
                Stop::Solved => {
                    let solution = solution_of(simd, &from);
                    let found_here = if search.ordered { &mut found_in_order } else { &mut found };
                    let counts = !known.is_some_and(|known| known.is(&solution));
                    if !(counts && found_here.record_solution(solution).is_break()) {
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
                    search.leave = if search.ordered { Leave::Never } else { Leave::WhenDear };
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
