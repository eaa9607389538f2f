//! The minimal puzzles inside a puzzle: subsets of its clues that have exactly one solution and no redundant clue.
//!
//! An *unavoidable set* is the set of cells in which another valid grid differs from the solution. A set of clues has exactly one solution
//! if it has a clue in every unavoidable set. So the minimal puzzles are the minimal sets that hit all unavoidable sets. A puzzle has too
//! many unavoidable sets to list them all. But if some clues are removed and a second solution is found, the cells in which it differs from
//! the first solution are an unavoidable set. The search collects such sets:
//!
//! ```text
//! branch(left, kept):                          left: the remaining clues; kept: those of them that must stay
//!     for each clue of left that is not in kept, in the order of the cells:
//!         if it is the only clue of left in an unavoidable set, or there is another solution without it:
//!             it is needed in every subset of left: add it to kept
//!         else: branch(left without it, kept), then add it to kept
//!         stop if a clue of kept is implied by the other clues of kept: it is redundant in every subset of left that contains kept
//!     left is minimal
//! ```
//! In the first cell in which two found puzzles differ, the puzzle that was found earlier has a blank. So the puzzles are found in
//! ascending order, and each puzzle is found once.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::generate::{Reducer, Reduction};
use crate::puzzle::{Cells, Puzzle, Solution};
use crate::random::Random;
use crate::simd::{Level, LevelError};
use crate::solver::{Bitboard, Known, Question, Solutions, solutions};

/// The puzzles that were found for a puzzle, such as its neighbours ([`Vicinity`](crate::vicinity::Vicinity)) or the minimal puzzles
/// inside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleList {
    /// The puzzles, each listed once. The function that finds the puzzles documents their order.
    pub puzzles: Vec<Puzzle>,
    /// Whether the list is known to be complete.
    pub is_complete: bool,
}

/// Finds minimal puzzles inside puzzles. Each thread needs its own finder.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::minimals::Minimals;
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let found = Minimals::default().smallest(&puzzle, 5).expect("nobody cancels it");
/// assert!(found.puzzles.is_sorted() && found.puzzles.len() <= 5);
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Debug)]
pub struct Minimals {
    level: Level,
    solver: Bitboard,
    reducer: Reducer,
    cancel: Arc<AtomicBool>,
}

impl Default for Minimals {
    /// Uses the widest vectors of the CPU.
    fn default() -> Minimals {
        let (level, cancel) = (Level::widest(), Arc::default());
        Minimals { level, solver: Bitboard::default(), reducer: Reducer::default(), cancel }
    }
}

/// Largest number of reductions in one batch. Each reduction stores an order of clues; the orders of a batch take a few megabytes.
const MOST_REDUCTIONS: usize = 4096;
/// Largest number of unavoidable sets kept for a puzzle. Scanning more sets would take longer than another search.
const MOST_SETS: usize = 4096;

impl Minimals {
    /// Makes a finder that uses this SIMD level. The results don't depend on the level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<Minimals, LevelError> {
        let (solver, reducer) = (Bitboard::new(level)?, Reducer::new(level)?);
        Ok(Minimals { level, solver, reducer, cancel: Arc::default() })
    }

    /// Sets a cancel flag. The work stops soon after the flag becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Minimals {
        Minimals { reducer: self.reducer.cancel(Arc::clone(&cancel)), cancel, ..self }
    }

    /// Finds the first `limit` minimal puzzles inside a puzzle, in ascending order; a blank comes before all digits. A puzzle that doesn't
    /// have exactly one solution contains no minimal puzzles. Returns `None` if the work was cancelled.
    pub fn smallest(&mut self, puzzle: &Puzzle, limit: usize) -> Option<PuzzleList> {
        let mut first_two = solutions_at(self.level, puzzle);
        let (Some(solution), None) = (first_two.next(), first_two.next()) else {
            return Some(PuzzleList { puzzles: Vec::new(), is_complete: true });
        };
        let question = Question { cancel: Some(Arc::clone(&self.cancel)), ..Question::first() };
        let (solver, cancel) = (&mut self.solver, &*self.cancel);
        let found = PuzzleList { puzzles: Vec::new(), is_complete: true };
        let clues = puzzle.clue_cells();
        let mut search =
            Search { solver, question, cancel, puzzle, clues, solution, limit, sets: Vec::new(), found };
        // The search ends early at the limit or if it is cancelled.
        let _ended = search.branch(clues, Cells::EMPTY, &mut Vec::new());
        let found = search.found;
        (!self.is_cancelled()).then_some(found)
    }

    /// Finds minimal puzzles inside each puzzle, which must have exactly one solution. Removes redundant clues one after the other, in
    /// `count` random orders. The number with each puzzle is the seed of its random orders. The minimal puzzles are listed in the order in
    /// which they are found. If several orders lead to the same minimal puzzle, it is listed once, so there may be fewer than `count`
    /// puzzles. Returns `None` if the work was cancelled.
    pub fn random(&mut self, puzzles: &[(Puzzle, u64)], count: u64) -> Option<Vec<PuzzleList>> {
        let mut found = vec![PuzzleList::default(); puzzles.len()];
        let mut seen: HashSet<Puzzle> = HashSet::new();
        let mut orders =
            (0..puzzles.len()).flat_map(|at| (0..count).map(move |number| (at, number))).peekable();
        let (mut owners, mut reductions, mut last) = (Vec::new(), Vec::new(), 0);
        while orders.peek().is_some() {
            owners.clear();
            reductions.clear();
            for (at, number) in orders.by_ref().take(MOST_REDUCTIONS) {
                let (puzzle, draws) = puzzles[at];
                let mut cells: Vec<usize> = puzzle.clue_cells().iter().collect();
                Random::from_stream(draws, number).shuffle(&mut cells);
                let groups = cells.into_iter().map(Cells::one).collect();
                owners.push(at);
                reductions.push(Reduction { puzzle, groups, least_clues: 0 });
            }
            if !self.reducer.reduce(&mut reductions) {
                return None;
            }
            for (&at, Reduction { puzzle, .. }) in owners.iter().zip(&reductions) {
                if at != last {
                    seen.clear();
                    last = at;
                }
                if count == 1 || seen.insert(*puzzle) {
                    found[at].puzzles.push(*puzzle);
                }
            }
        }
        Some(found)
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// Returns the solutions of a puzzle. The search uses this SIMD level if the CPU supports the level.
pub(crate) fn solutions_at(level: Level, puzzle: &Puzzle) -> Solutions {
    Solutions::new(level, puzzle).unwrap_or_else(|_| solutions(puzzle))
}

/// The search for the minimal puzzles inside one puzzle.
struct Search<'s> {
    solver: &'s mut Bitboard,
    question: Question,
    cancel: &'s AtomicBool,
    puzzle: &'s Puzzle,
    clues: Cells,
    solution: Solution,
    limit: usize,
    /// For each known unavoidable set, its cells that hold clues.
    sets: Vec<Cells>,
    found: PuzzleList,
}

/// A kept clue that is redundant as long as all remaining clues are present, but may be needed in a smaller subset. `set` is an unavoidable
/// set in which this clue was the only kept clue at the most recent check. Such a set shows that the other kept clues don't imply this
/// clue. `set` is empty before the first check.
struct Chosen {
    cell: usize,
    set: Cells,
}

impl Search<'_> {
    /// Finds the minimal puzzles that consist of all clues of `kept` and some of the other clues of `left`. `left` must have exactly one
    /// solution. `chosen` are the clues of `kept` that were redundant when they were added to `kept`. They may be needed after more clues
    /// are removed.
    fn branch(&mut self, left: Cells, mut kept: Cells, chosen: &mut Vec<Chosen>) -> ControlFlow<()> {
        if self.cancel.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let before = chosen.len();
        let (mut needed, mut looked_at) = (Cells::EMPTY, 0);
        for cell in left.without(kept).iter() {
            needed = needed.or(self.needed(left, looked_at));
            looked_at = self.sets.len();
            if needed.contains(cell) || self.set_of(left, cell).is_some() {
                kept.insert(cell);
                continue;
            }
            if !self.may_all_be_needed(chosen, kept) {
                chosen.truncate(before);
                return ControlFlow::Continue(());
            }
            let without = Cells::one(cell);
            self.branch(left.without(without), kept, chosen)?;
            kept.insert(cell);
            chosen.push(Chosen { cell, set: Cells::EMPTY });
        }
        let is_minimal = self.may_all_be_needed(chosen, kept);
        chosen.truncate(before);
        if !is_minimal {
            return ControlFlow::Continue(());
        }
        if self.found.puzzles.len() == self.limit {
            self.found.is_complete = false;
            return ControlFlow::Break(());
        }
        self.found.puzzles.push(self.with_clues(left));
        ControlFlow::Continue(())
    }

    fn with_clues(&self, cells: Cells) -> Puzzle {
        self.puzzle.without(Cells::ALL.without(cells))
    }

    /// If a known unavoidable set contains exactly one clue of `left`, this clue is needed. Returns the clues that are needed for this
    /// reason. Only checks the sets from index `from` on.
    fn needed(&self, left: Cells, from: usize) -> Cells {
        let hit = self.sets[from..].iter().map(|set| set.and(left)).filter(|hit| hit.len() == 1);
        hit.fold(Cells::EMPTY, Cells::or)
    }

    /// Returns the cells with clues in which `other` differs from the solution. Stores them as an unavoidable set, unless too many sets are
    /// stored already.
    fn learn(&mut self, other: &Solution) -> Cells {
        let differs = |&cell: &usize| other.values()[cell] != self.solution.values()[cell];
        let set = self.clues.iter().filter(differs).collect();
        if self.sets.len() < MOST_SETS {
            self.sets.push(set);
        }
        set
    }

    /// Returns whether no chosen clue is implied by the other clues of `kept`. An implied clue is redundant in each puzzle that contains
    /// all clues of `kept`, so no such puzzle is minimal.
    fn may_all_be_needed(&mut self, chosen: &mut [Chosen], kept: Cells) -> bool {
        chosen.iter_mut().all(|Chosen { cell, set }| {
            let alone = Cells::one(*cell);
            if set.and(kept) == alone {
                return true;
            }
            let known = self.sets.iter().rev().find(|set| set.and(kept) == alone).copied();
            match known.or_else(|| self.set_of(kept, *cell)) {
                Some(found) => *set = found,
                None => return false,
            }
            true
        })
    }

    /// Searches for a valid grid that has all of `clues` except that `cell` has another digit. The cells in which this grid differs from
    /// the solution are an unavoidable set. Stores and returns the cells of this set that hold clues; `None` if there is no such grid, or
    /// if the search was cancelled.
    fn set_of(&mut self, clues: Cells, cell: usize) -> Option<Cells> {
        let puzzle = self.with_clues(clues.without(Cells::one(cell)));
        let known = Known::Digit { cell: cell as u8, digit: self.solution[cell] };
        let other = self.solver.find_other(&puzzle, &known, &self.question).solution?;
        Some(self.learn(&other))
    }
}
