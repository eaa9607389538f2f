//! An iterator over all solutions of a puzzle.

use std::fmt;
use std::iter::FusedIterator;

use super::infer::{Board, Rules};
use super::search::{Leave, Progress, Search, Stop, solution_of};
use crate::puzzle::{Puzzle, Solution};
use crate::simd::{self, Build, Kernel, Level, LevelError, Simd};
use crate::solver::Meter;

/// An iterator over the solutions of a puzzle in lexicographic order. See also [`solutions`](crate::solutions).
///
/// Solutions are not computed in advance, so even if there are billions, you don't wait for all of them to get the first one. The iterator
/// only stores the state of one search.
pub struct Solutions(Box<dyn Iterator<Item = Solution> + Send>);

impl Solutions {
    /// Makes the iterator over the solutions of `puzzle`. The search uses vectors of this SIMD level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    ///
    /// ```
    /// use sudobench_sudoku::{Puzzle, simd::Level, solver::Solutions};
    /// assert!(Solutions::new(Level::Baseline, &Puzzle::EMPTY)?.next().is_some());
    /// # Ok::<(), sudobench_sudoku::simd::LevelError>(())
    /// ```
    pub fn new(level: Level, puzzle: &Puzzle) -> Result<Solutions, LevelError> {
        simd::build_at(level, BuildSolutions(puzzle))
    }

    /// Like [`Solutions::new`], with the widest vectors of the CPU.
    pub(crate) fn widest(puzzle: &Puzzle) -> Solutions {
        simd::build_widest(BuildSolutions(puzzle))
    }
}

impl Iterator for Solutions {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        self.0.next()
    }
}

// A finished search stays finished.
impl FusedIterator for Solutions {}

impl fmt::Debug for Solutions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions").finish_non_exhaustive()
    }
}

/// Makes the iterator over the solutions of a puzzle, for vectors of a given width.
#[derive(Clone, Copy)]
struct BuildSolutions<'p>(&'p Puzzle);

impl Build for BuildSolutions<'_> {
    type Output = Solutions;

    fn build<S: Simd<N>, const N: usize>(self, simd: S) -> Solutions {
        let (progress, stack) = (Progress::default(), Vec::new());
        Solutions(Box::new(Resumed { simd, puzzle: *self.0, stack, progress, has_begun: false }))
    }
}

/// A search that stops at each solution and continues when the next solution is requested.
struct Resumed<S: Simd<N>, const N: usize> {
    simd: S,
    puzzle: Puzzle,
    stack: Vec<Board<S::Digits>>,
    progress: Progress,
    has_begun: bool,
}

impl<S: Simd<N>, const N: usize> Iterator for Resumed<S, N> {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        self.simd.call(Next(self))
    }
}

/// Searches up to the next solution.
struct Next<'s, S: Simd<N>, const N: usize>(&'s mut Resumed<S, N>);

impl<S: Simd<N>, const N: usize> Kernel for Next<'_, S, N> {
    type Output = Option<Solution>;

    #[inline(always)]
    fn run(self) -> Option<Solution> {
        let Resumed { simd, puzzle, stack, progress, has_begun } = self.0;
        let mut meter = Meter::unlimited();
        let mut search = Search {
            simd: *simd,
            rules: Rules::new(*simd),
            puzzle,
            stack,
            meter: &mut meter,
            ordered: true,
            progress: *progress,
            leave: Leave::Never,
            root: None,
        };
        let mut board = if *has_begun { search.next()? } else { search.first(None) };
        let stop = search.go_on(&mut board);
        (*progress, *has_begun) = (search.progress, true);
        matches!(stop, Stop::Solved).then(|| solution_of(*simd, &board))
    }
}
