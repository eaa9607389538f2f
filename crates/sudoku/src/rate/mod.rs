//! How hard a puzzle is, by measures that are defined without a program: each is the same for all equivalent forms, but for
//! [`Rater::guesses`], which is a mean over some of them.
//!
//! Puzzles are rated that have exactly one solution.

mod backdoor;
mod candidates;
mod difficulty;
mod rounds;
mod techniques;
mod trial;

use std::ops::BitOr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use candidates::Candidates;
pub use difficulty::{Difficulty, DifficultyError};
pub use rounds::SinglesPath;
use trial::Ended;

use crate::puzzle::{Puzzle, Solution};
use crate::solver::{Bitboard, Mrv, Question, Solver, Status};

/// Which measures are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Measures {
    /// [`Rating::difficulty`].
    pub difficulty: bool,
    /// [`Rating::singles`].
    pub singles: bool,
    /// [`Rating::locked`].
    pub locked: bool,
    /// [`Rating::pairs`].
    pub pairs: bool,
    /// [`Rating::depth`].
    pub depth: bool,
    /// [`Rating::backdoor`].
    pub backdoor: bool,
}

impl Measures {
    /// None.
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

/// What was found out of a puzzle; `None` where that was not asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rating {
    /// The least that solves it.
    pub difficulty: Option<Difficulty>,
    /// Whether naked and hidden singles solve it: digits that are the only candidate of their cell, or have one place left in a row,
    /// column or box.
    pub singles: Option<bool>,
    /// Whether singles and locked candidates do: where all places of a digit in a box are in one row or column, it has none elsewhere
    /// in that (pointing), and the other way round (claiming).
    pub locked: Option<bool>,
    /// Whether these and pairs do: where two cells of a row, column or box have the same two candidates alone, no other cell of it has
    /// them (naked); where two digits have the same two places alone, no other digit has these (hidden).
    pub pairs: Option<bool>,
    /// The depth of trial and error over singles that solves it: 0 where singles do; 1, 2; 3 where more than 2 is needed.
    ///
    /// At depth k each candidate is supposed in its turn, and struck out where trial and error of depth k - 1 (at depth 0: singles)
    /// leads from there to a cell without a candidate or a digit without a place; until a round strikes nothing out. A supposition
    /// that leads to the solution counts for nothing. (T&E of D. Berthier, "Pattern-Based Constraint Satisfaction and Logic Puzzles",
    /// 2012.)
    pub depth: Option<u8>,
    /// The size of the smallest set of blanks that, filled as in the solution, let singles solve the puzzle: 0, 1, 2; 3 where it is
    /// more than 2.
    pub backdoor: Option<u8>,
}

/// Rates puzzles, one at a time. Kept from puzzle to puzzle, one for each thread.
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
    /// Who finds out whether there is exactly one solution, once somebody asks that.
    solver: Option<Bitboard>,
    question: Question,
}

impl Rater {
    /// The same, given up as soon as this becomes true: then nothing is found out.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Rater {
        Rater { question: Question { cancel: Some(cancel), ..self.question }, ..self }
    }

    /// How much it takes to solve a puzzle; `None` unless it has exactly one solution.
    pub fn difficulty(&mut self, puzzle: &Puzzle) -> Option<Difficulty> {
        self.rate(puzzle, Measures { difficulty: true, ..Measures::NONE })?.difficulty
    }

    /// Rates a puzzle; `None` unless it has exactly one solution.
    pub fn rate(&mut self, puzzle: &Puzzle, wanted: Measures) -> Option<Rating> {
        let outcome = self.solver.get_or_insert_with(Bitboard::default).solve(puzzle, &self.question);
        let solution = outcome.solution.filter(|_| outcome.status == Status::Unique)?;
        self.rate_solved(puzzle, &solution, wanted)
    }

    /// The same for who knows the only solution. `None` where it was given up.
    pub fn rate_solved(&self, puzzle: &Puzzle, solution: &Solution, wanted: Measures) -> Option<Rating> {
        self.measure(puzzle, solution, wanted).ok()
    }

    /// The mean of the guesses that a search makes on forms of a puzzle to prove its solutions, up to two, in thousandths. `None` where
    /// there is no form, and where it was given up.
    ///
    /// The search is the variant `mrv`: it fills naked and hidden singles; where there is none it guesses, and that is counted, at a cell
    /// with two candidates (of several the first, by stack of boxes, then by row), else at a digit with two places (by unit: rows, columns,
    /// boxes; then the smallest), else at a cell with the fewest candidates (row by row). So other forms of a puzzle take other guesses.
    pub fn guesses(&self, forms: impl IntoIterator<Item = Puzzle>) -> Option<u64> {
        let mut solver = Mrv::new();
        let (mut guesses, mut count) = (0, 0);
        for form in forms {
            let outcome = solver.solve(&form, &self.question);
            // A search that guesses little never looks at the flag.
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
        let right = Candidates::of_solution(solution);
        let mut candidates = Candidates::of(puzzle);
        // A puzzle with a solution leads to no contradiction.
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

/// The depth of trial and error that fills candidates which singles do not fill.
fn depth_of(
    candidates: &mut Candidates,
    right: &Candidates,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<u8, Cancelled> {
    for depth in 1..=2 {
        if !candidates.is_full()
            && candidates.follow_trials(depth, &right.0, is_cancelled) == Err(Ended::Cancelled)
        {
            return Err(Cancelled);
        }
        if candidates.is_full() {
            return Ok(depth);
        }
    }
    Ok(3)
}

/// That somebody gave a measurement up.
#[derive(Debug)]
struct Cancelled;
