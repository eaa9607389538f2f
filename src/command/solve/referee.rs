//! The referee on a whole block, compiled for the vectors of this CPU: that nearly halves what it takes.
#![forbid(unsafe_code)]

use crate::puzzle::Puzzle;
use crate::simd::{self, Build, Kernel, Simd};
use crate::solver::Outcome;

/// Finds the outcomes whose solution the referee refuses.
pub(super) struct Referee(Box<dyn Check>);

trait Check: Send {
    fn check(&self, puzzles: &[Puzzle], outcomes: &[Outcome], refused: &mut Vec<bool>);
}

impl Referee {
    /// The referee at the width that [`simd::level`] names.
    pub(super) fn new() -> Referee {
        simd::build(Width)
    }

    /// Notes for each outcome whether it has a solution that [`crate::Solution::check`] finds wrong.
    pub(super) fn check(&self, puzzles: &[Puzzle], outcomes: &[Outcome], refused: &mut Vec<bool>) {
        refused.clear();
        self.0.check(puzzles, outcomes, refused);
    }
}

#[derive(Clone, Copy)]
struct Width;

impl Build for Width {
    type Output = Referee;

    fn build<S: Simd<N>, const N: usize>(self, simd: S) -> Referee {
        Referee(Box::new(At(simd)))
    }
}

/// The referee at one width.
struct At<S, const N: usize>(S);

impl<S: Simd<N>, const N: usize> Check for At<S, N> {
    fn check(&self, puzzles: &[Puzzle], outcomes: &[Outcome], refused: &mut Vec<bool>) {
        self.0.call(CheckAll { puzzles, outcomes, refused });
    }
}

struct CheckAll<'s> {
    puzzles: &'s [Puzzle],
    outcomes: &'s [Outcome],
    refused: &'s mut Vec<bool>,
}

impl Kernel for CheckAll<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (puzzle, outcome) in self.puzzles.iter().zip(self.outcomes) {
            let is_refused = match &outcome.solution {
                Some(solution) => solution.check(puzzle).is_err(),
                None => false,
            };
            self.refused.push(is_refused);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Solution;
    use crate::solver;

    #[test]
    fn wrong_solutions_alone_are_refused() {
        let puzzle: Puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let right = solver::solve(&puzzle);
        let swapped =
            right.solution.unwrap().values().map(|digit| [0, 2, 1, 3, 4, 5, 6, 7, 8, 9][usize::from(digit)]);
        let wrong = Outcome { solution: Solution::from_values(swapped), ..right };
        let mut refused = vec![true; 7];
        Referee::new().check(&[puzzle; 3], &[right, wrong, Outcome::ABORTED], &mut refused);
        assert_eq!(refused, [false, true, false]);
    }
}
