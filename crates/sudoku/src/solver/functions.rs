//! Functions that solve puzzles. The caller doesn't have to build a solver: [`solve`], [`count`] and [`solve_all`] use solvers that each
//! thread keeps, and the other functions build their own. Solvers that use vectors get the widest SIMD level of the CPU.

use std::cell::Cell;
use std::num::NonZeroU64;
use std::thread::LocalKey;

use super::mrv::Mrv;
use super::{Auto, Bitboard, Outcome, Question, Solutions, Solver};
use crate::puzzle::{CELLS, Puzzle, Solution};

thread_local! {
    static ONE: Cell<Option<Bitboard>> = const { Cell::new(None) };
    static MANY: Cell<Option<Auto>> = const { Cell::new(None) };
}

/// Calls `work` with the solver that this thread keeps. The first call builds the solver.
fn with_kept<S: Default, T>(kept: &'static LocalKey<Cell<Option<S>>>, work: impl FnOnce(&mut S) -> T) -> T {
    // Destructors of other thread locals may call this function after the kept solver is dropped. Then a new solver is built.
    let mut solver = kept.try_with(Cell::take).ok().flatten().unwrap_or_default();
    let result = work(&mut solver);
    let _kept_or_dropped = kept.try_with(|kept| kept.set(Some(solver)));
    result
}

/// Solves a puzzle and proves uniqueness: see [`Question::unique`]. Each thread reuses its solver, so a call takes hardly more time than
/// with a solver of your own.
///
/// ```
/// use sudobench_sudoku::{Puzzle, Status, solve};
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// assert_eq!(solve(&puzzle).status, Status::Unique);
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
pub fn solve(puzzle: &Puzzle) -> Outcome {
    with_kept(&ONE, |solver| solver.solve(puzzle, &Question::unique()))
}

/// Counts the solutions of a puzzle, up to `limit`.
///
/// ```
/// use sudobench_sudoku::{Puzzle, count};
/// assert_eq!(count(&Puzzle::EMPTY, 1_000), 1_000);
/// let contradictory: Puzzle = format!("{:.<81}", "11").parse()?;
/// assert_eq!(count(&contradictory, 1_000), 0);
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
pub fn count(puzzle: &Puzzle, limit: u64) -> u64 {
    let Some(max_solutions) = NonZeroU64::new(limit) else { return 0 };
    let question = Question { max_solutions, ..Question::unique_or_first() };
    with_kept(&ONE, |solver| solver.solve(puzzle, &question).count)
}

/// Returns an iterator over all solutions of a puzzle in lexicographic order. Each solution is searched for only when it is requested.
///
/// ```
/// use sudobench_sudoku::{Puzzle, solutions};
/// let first: Vec<_> = solutions(&Puzzle::EMPTY).take(3).collect();
/// assert!(first.is_sorted() && first.iter().all(|solution| solution.check(&Puzzle::EMPTY).is_ok()));
/// ```
pub fn solutions(puzzle: &Puzzle) -> Solutions {
    Solutions::widest(puzzle)
}

/// Returns the solution if naked and hidden singles alone fill the grid, otherwise `None`. A solution that is found in this way is the only
/// one.
///
/// ```
/// use sudobench_sudoku::{Puzzle, solve, solve_by_singles};
/// let easy: Puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// assert_eq!(solve_by_singles(&easy), solve(&easy).solution);
/// assert_eq!(solve_by_singles(&Puzzle::EMPTY), None);
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
pub fn solve_by_singles(puzzle: &Puzzle) -> Option<Solution> {
    // `mrv` fills singles and then guesses. Singles alone need one node for each blank. A search that backtracks needs more, so the node
    // limit stops it. A search whose guesses were all correct stays within the limit, but is recognized by its number of guesses.
    let max_nodes = Some((CELLS - puzzle.clue_count()) as u64);
    let outcome = Mrv::new().solve(puzzle, &Question { max_nodes, ..Question::first() });
    outcome.solution.filter(|_| outcome.guesses == 0)
}

/// Solves puzzles and proves uniqueness. Element `i` of the result is the outcome of `puzzles[i]`. With the feature `rayon`, uses the
/// threads of the current pool, otherwise only this thread. Except for the times, the outcomes are the same with any number of threads.
///
/// ```
/// use sudobench_sudoku::{Puzzle, Status, solve_all};
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let outcomes = solve_all(&[puzzle; 500]);
/// assert_eq!(outcomes.len(), 500);
/// assert!(outcomes.iter().all(|outcome| outcome.status == Status::Unique));
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
pub fn solve_all(puzzles: &[Puzzle]) -> Vec<Outcome> {
    let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
    let size = part_size(puzzles.len());
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        let parts = puzzles.par_chunks(size).zip(outcomes.par_chunks_mut(size));
        parts.for_each(|(puzzles, outcomes)| solve_part(puzzles, outcomes));
    }
    #[cfg(not(feature = "rayon"))]
    for (puzzles, outcomes) in puzzles.chunks(size).zip(outcomes.chunks_mut(size)) {
        solve_part(puzzles, outcomes);
    }
    outcomes
}

fn solve_part(puzzles: &[Puzzle], outcomes: &mut [Outcome]) {
    with_kept(&MANY, |solver| solver.solve_batch(puzzles, &Question::unique(), outcomes));
}

/// Returns the size of the parts that the puzzles are divided into, given the number of puzzles. A part is solved as one batch, so the
/// nodes and guesses of a puzzle can depend on the other puzzles of its part. Nodes and guesses must not depend on the number of threads,
/// so the size of a part doesn't depend on it either. With 32,768 puzzles or more, there are at least 64 parts, enough for many cores.
/// Fewer puzzles are divided into as few parts as possible with at most 512 puzzles each (the largest number of lanes of `bitslice`).
fn part_size(puzzles: usize) -> usize {
    const PARTS: usize = 64;
    const LEAST: usize = 512;
    const MOST: usize = 16_384;
    let parts = puzzles.div_ceil((puzzles / PARTS).clamp(LEAST, MOST)).max(1);
    puzzles.div_ceil(parts).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_even_and_neither_tiny_nor_huge() {
        assert_eq!([0, 1, 95, 512].map(part_size), [1, 1, 95, 512]);
        assert_eq!([513, 1_025, 40_000, 1_000_000].map(part_size), [257, 342, 625, 15_625]);
    }
}
