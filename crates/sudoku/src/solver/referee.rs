//! The referee on a whole block, compiled for the vectors of this CPU: that takes two fifths off it.

use crate::puzzle::Puzzle;
use crate::simd::{self, Build, Kernel, Level, Simd};
use crate::solver::Outcome;

/// Whether [`crate::Solution::check`] finds no fault in any solution of `outcomes`, which answer `puzzles`. Where the
/// CPU lacks the level, it goes by the narrowest: that takes longer and finds the same.
///
/// ```
/// use sudobench_sudoku::{Outcome, Puzzle, simd::Level, solve, solver::referee::all_stand};
/// let right = solve(&Puzzle::EMPTY);
/// let wrong = Outcome { solution: [1; 81].try_into().ok(), ..right };
/// assert!(all_stand(Level::widest(), &[Puzzle::EMPTY], &[right]));
/// assert!(!all_stand(Level::widest(), &[Puzzle::EMPTY], &[wrong]));
/// ```
pub fn all_stand(level: Level, puzzles: &[Puzzle], outcomes: &[Outcome]) -> bool {
    let check = CheckAll { puzzles, outcomes };
    simd::build_at(level, check).unwrap_or_else(|_| check.build(simd::Baseline))
}

#[derive(Clone, Copy)]
struct CheckAll<'s> {
    puzzles: &'s [Puzzle],
    outcomes: &'s [Outcome],
}

impl Build for CheckAll<'_> {
    type Output = bool;

    fn build<S: Simd<N>, const N: usize>(self, simd: S) -> bool {
        simd.call(self)
    }
}

impl Kernel for CheckAll<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        for (puzzle, outcome) in self.puzzles.iter().zip(self.outcomes) {
            if let Some(solution) = &outcome.solution
                && solution.check(puzzle).is_err()
            {
                return false;
            }
        }
        true
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
        let wrong = Outcome { solution: Solution::try_from(swapped).ok(), ..right };
        let stands =
            [right, wrong, Outcome::ABORTED].map(|outcome| all_stand(Level::widest(), &[puzzle], &[outcome]));
        assert_eq!(stands, [true, false, true]);
        assert!(all_stand(Level::widest(), &[puzzle; 3], &[right, Outcome::ABORTED, right]));
        assert!(!all_stand(Level::widest(), &[puzzle; 3], &[right, Outcome::ABORTED, wrong]));
    }
}
