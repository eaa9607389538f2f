//! Difficulty ratings. Each measure is defined independently of any program and is the same for all equivalent forms of
//! a puzzle, except [`Rater::guesses`], the mean number of guesses of the solver `mrv` over some forms.
//!
//! [`Rater::rate`] rates only puzzles with exactly one solution.

mod backdoor;
mod candidates;
mod difficulty;
mod lanes;
mod rounds;
mod techniques;
mod trial;

use std::ops::BitOr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use candidates::{Candidates, Contradiction};
pub use difficulty::{Difficulty, DifficultyError};
pub use rounds::SinglesPath;
use trial::Harmless;

use crate::puzzle::{Puzzle, Solution};
use crate::solver::{Bitboard, Mrv, Question, Solver, Status};

/// The measures to compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Measures {
    /// Whether to compute [`Rating::difficulty`].
    pub difficulty: bool,
    /// Whether to compute [`Rating::singles`].
    pub singles: bool,
    /// Whether to compute [`Rating::locked`].
    pub locked: bool,
    /// Whether to compute [`Rating::pairs`].
    pub pairs: bool,
    /// Whether to compute [`Rating::depth`].
    pub depth: bool,
    /// Whether to compute [`Rating::backdoor`].
    pub backdoor: bool,
}

impl Measures {
    /// No measure.
    pub const NONE: Measures = Measures {
        difficulty: false,
        singles: false,
        locked: false,
        pairs: false,
        depth: false,
        backdoor: false,
    };
}

impl BitOr for Measures {
    type Output = Measures;

    fn bitor(self, other: Measures) -> Measures {
        Measures {
            difficulty: self.difficulty | other.difficulty,
            singles: self.singles | other.singles,
            locked: self.locked | other.locked,
            pairs: self.pairs | other.pairs,
            depth: self.depth | other.depth,
            backdoor: self.backdoor | other.backdoor,
        }
    }
}

/// The computed measures; `None` if a measure wasn't requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rating {
    /// The lowest level of techniques that solves the puzzle.
    pub difficulty: Option<Difficulty>,
    /// Whether naked and hidden singles solve the puzzle. A naked single is the only candidate of its cell. A hidden single is a digit with
    /// only one place in a row, column or box.
    pub singles: Option<bool>,
    /// Whether singles and locked candidates solve the puzzle. Pointing: if all places of a digit in a box are in one row or column, the
    /// digit is eliminated from the rest of this row or column. Claiming: if all places of a digit in a row or column are in one box, the
    /// digit is eliminated from the rest of this box.
    pub locked: Option<bool>,
    /// Whether singles, locked candidates and pairs solve the puzzle. Naked pair: if two cells of a row, column or box have only the same
    /// two candidates, these candidates are eliminated from the other cells of the row, column or box. Hidden pair: if two digits have only
    /// the same two places, other digits are eliminated from these places.
    pub pairs: Option<bool>,
    /// The depth of trial and error that is needed to solve the puzzle: 0 if singles solve it; 3 stands for every depth above 2.
    ///
    /// At depth k, each candidate is assumed in turn. It is eliminated if trial and error of depth k - 1 (at depth 0: singles) then leads
    /// to a cell without a candidate or a digit without a place. This repeats until a round eliminates nothing. If an assumption leads to
    /// the solution, the puzzle does not count as solved. (T&E of D. Berthier, "Pattern-Based Constraint Satisfaction and Logic Puzzles",
    /// 2012.)
    pub depth: Option<u8>,
    /// The size of the smallest set of blanks such that singles solve the puzzle after these blanks are filled as in the solution: 0, 1, 2,
    /// or 3 for more than 2.
    pub backdoor: Option<u8>,
}

/// Rates puzzles one at a time. Use one rater for many puzzles, and one per thread.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::rate::{Difficulty, Measures, Rater};
///
/// let easy: Puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut rater = Rater::default();
/// assert_eq!(rater.difficulty(&easy), Some(Difficulty::Singles));
/// assert_eq!(rater.difficulty(&Puzzle::EMPTY), None);
///
/// let hard: Puzzle = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1".parse()?;
/// let rating = rater.rate(&hard, Measures { depth: true, backdoor: true, ..Measures::NONE }).unwrap();
/// assert_eq!((rating.depth, rating.backdoor, rating.difficulty), (Some(2), Some(3), None));
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Debug, Default)]
pub struct Rater {
    /// The solver that checks for exactly one solution, created when first needed.
    solver: Option<Bitboard>,
    question: Question,
}

impl Rater {
    /// Sets a cancel flag. The work stops soon after the flag becomes true. A function whose work is cancelled returns `None`; short work
    /// may still be finished.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Rater {
        Rater { question: Question { cancel: Some(cancel), ..self.question }, ..self }
    }

    /// Returns the difficulty of a puzzle. Returns `None` if the puzzle doesn't have exactly one solution, or if the work was cancelled.
    pub fn difficulty(&mut self, puzzle: &Puzzle) -> Option<Difficulty> {
        self.rate(puzzle, Measures { difficulty: true, ..Measures::NONE })?.difficulty
    }

    /// Rates a puzzle. Returns `None` if the puzzle doesn't have exactly one solution, or if the work was cancelled.
    pub fn rate(&mut self, puzzle: &Puzzle, wanted: Measures) -> Option<Rating> {
        let outcome = self.solver.get_or_insert_with(Bitboard::default).solve(puzzle, &self.question);
        let solution = outcome.solution.filter(|_| outcome.status == Status::Unique)?;
        self.rate_solved(puzzle, &solution, wanted)
    }

    /// Rates a puzzle whose only solution is known. Returns `None` if the work was cancelled.
    pub fn rate_solved(&self, puzzle: &Puzzle, solution: &Solution, wanted: Measures) -> Option<Rating> {
        self.measure(puzzle, solution, wanted).ok()
    }

    /// Returns how long a puzzle resists trial and error of depth 1: the number of wrong candidates that are left after each round, summed
    /// over all rounds. The last round fills the grid or eliminates nothing.
    pub(crate) fn resistance(&self, puzzle: &Puzzle, solution: &Solution) -> u32 {
        Candidates::new(puzzle).resistance(&Candidates::from_solution(solution).0)
    }

    /// Returns the mean number of guesses, in thousandths, that a search makes on forms of a puzzle. The search ends when it has found a
    /// second solution, or has shown that no second one exists. If a form has several solutions, the search for the smallest of them is
    /// counted too. Returns `None` if there is no form or the work was cancelled.
    ///
    /// The search is the solver `mrv`. It fills naked and hidden singles. If there are no singles, it guesses, and the guess is counted.
    /// It guesses at the first cell with two candidates, in the order of stacks, then rows. If there is no such cell, it guesses at the
    /// first digit with two places in a unit, in the order of units (rows, columns, boxes), then digits. If there is no such digit either,
    /// it guesses at a cell with the fewest candidates (the first such cell, row by row). So the number of guesses can differ between the
    /// forms of a puzzle.
    pub fn guesses(&self, forms: impl IntoIterator<Item = Puzzle>) -> Option<u64> {
        let mut solver = Mrv::new();
        let (mut guesses, mut count) = (0, 0);
        for form in forms {
            let outcome = solver.solve(&form, &self.question);
            // The flag is checked here too, because a search with few guesses may not check it.
            if outcome.status == Status::Aborted || self.is_cancelled() {
                return None;
            }
            guesses += outcome.guesses;
            count += 1;
        }
        // Halves are rounded up.
        (count > 0).then(|| (guesses * 2_000 + count) / (2 * count))
    }

    fn is_cancelled(&self) -> bool {
        self.question.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    fn measure(&self, puzzle: &Puzzle, solution: &Solution, wanted: Measures) -> Result<Rating, Cancelled> {
        let is_cancelled = || self.is_cancelled();
        let right = Candidates::from_solution(solution);
        let mut candidates = Candidates::new(puzzle);
        // A puzzle with a solution never leads to a contradiction.
        let _ = candidates.follow_singles();
        let by_singles = candidates.is_full();
        let backdoor = match wanted.backdoor {
            true => Some(backdoor::smallest(&candidates, &right, is_cancelled)?),
            false => None,
        };
        let needs_depth = wanted.depth || wanted.difficulty;
        if (wanted.locked || wanted.difficulty) && !candidates.is_full() {
            let _ = candidates.follow_locked();
        }
        let by_locked = candidates.is_full();
        if (wanted.pairs || needs_depth) && !candidates.is_full() {
            let _ = candidates.follow_pairs();
        }
        let by_pairs = candidates.is_full();
        let depth = match needs_depth && !by_singles {
            true => depth_of(&mut candidates, &right, &is_cancelled)?,
            false => 0,
        };
        let difficulty = match depth {
            _ if by_singles => Difficulty::Singles,
            _ if by_locked => Difficulty::Locked,
            _ if by_pairs => Difficulty::Pairs,
            1 => Difficulty::Depth1,
            2 => Difficulty::Depth2,
            _ => Difficulty::Depth3,
        };
        Ok(Rating {
            difficulty: wanted.difficulty.then_some(difficulty),
            singles: wanted.singles.then_some(by_singles),
            locked: wanted.locked.then_some(by_locked),
            pairs: wanted.pairs.then_some(by_pairs),
            depth: wanted.depth.then_some(depth),
            backdoor,
        })
    }
}

/// Returns the depth of trial and error that solves the grid, or 3 if the depth is larger than 2. Call this only if singles alone don't
/// solve the grid.
fn depth_of(
    candidates: &mut Candidates,
    right: &Candidates,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<u8, Cancelled> {
    let mut harmless = Harmless::new(&right.0);
    // A puzzle with a solution never leads to a contradiction.
    let _ = candidates.follow_trials(&mut harmless);
    if candidates.is_full() {
        return Ok(1);
    }
    candidates.follow_nested_trials(&right.0, &mut harmless, is_cancelled)?;
    Ok(if candidates.is_full() { 2 } else { 3 })
}

#[derive(Debug)]
struct Cancelled;
