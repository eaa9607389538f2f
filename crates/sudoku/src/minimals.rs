//! The minimal puzzles inside a puzzle: of its clues as many as are needed, and none that is not.
//!
//! A set of clues has one solution where it has a clue in every *unavoidable set*: in the cells in which some other filled grid differs
//! from the solution. So the minimal puzzles are the minimal sets that hit all of those. There are far too many to be listed, but each
//! search that finds another solution tells one, and the search learns them as it goes:
//!
//! ```text
//! branch(left, kept):                          left: clues that are there; kept: those of them that stay
//!     for each clue of left that is not kept, in the order of the cells:
//!         needed? an unavoidable set has nothing else of left, or there is another solution without it
//!             then it is needed in every part of left: keep it
//!         else branch(left without it, kept), then keep it
//!         end here if some kept clue is implied by the others that are kept: no part of left that has those all needs it
//!     left is minimal
//! ```
//! The first clue in which two found puzzles differ is blank in the one that comes first: they come in ascending order, each once.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::generate::{Reducer, Reduction};
use crate::puzzle::{Cells, Puzzle, Solution};
use crate::random::Random;
use crate::simd::{Level, LevelError};
use crate::solver::{Bitboard, Known, Question, Solutions, solutions};

/// Puzzles that were found for another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The puzzles, each once, in the order that who found them promises.
    pub puzzles: Vec<Puzzle>,
    /// Whether these are known to be all that there are.
    pub is_complete: bool,
}

/// Finds minimal puzzles inside puzzles. One for each thread.
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
    /// With the widest vectors that the CPU has.
    fn default() -> Minimals {
        let (level, cancel) = (Level::widest(), Arc::default());
        Minimals { level, solver: Bitboard::default(), reducer: Reducer::default(), cancel }
    }
}

/// What is reduced at once, at most: memory for a few megabytes of orders.
const MOST_REDUCTIONS: usize = 4096;
/// Unavoidable sets that are kept of a puzzle: looking through more would take longer than to search anew.
const MOST_SETS: usize = 4096;

impl Minimals {
    /// The same with vectors of that width. What is found does not depend on it.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] where the CPU lacks the level.
    pub fn new(level: Level) -> Result<Minimals, LevelError> {
        let (solver, reducer) = (Bitboard::new(level)?, Reducer::new(level)?);
        Ok(Minimals { level, solver, reducer, cancel: Arc::default() })
    }

    /// The same, given up as soon as this becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Minimals {
        Minimals { reducer: self.reducer.cancel(Arc::clone(&cancel)), cancel, ..self }
    }

    /// The minimal puzzles inside a puzzle, in ascending order, a blank before all digits; of more than `limit` the first. None where it
    /// has not exactly one solution. `None` where it was cancelled.
    pub fn smallest(&mut self, puzzle: &Puzzle, limit: usize) -> Option<Found> {
        let mut first_two = solutions_at(self.level, puzzle);
        let (Some(solution), None) = (first_two.next(), first_two.next()) else {
            return Some(Found { puzzles: Vec::new(), is_complete: true });
        };
        let question = Question { cancel: Some(Arc::clone(&self.cancel)), ..Question::first() };
        let (solver, cancel) = (&mut self.solver, &*self.cancel);
        let found = Found { puzzles: Vec::new(), is_complete: true };
        let clues = puzzle.clue_cells();
        let mut search =
            Search { solver, question, cancel, puzzle, clues, solution, limit, sets: Vec::new(), found };
        // Where it breaks off it is at the limit, or cancelled.
        let _ended = search.branch(clues, Cells::EMPTY, &mut Vec::new());
        let found = search.found;
        (!self.is_cancelled()).then_some(found)
    }

    /// Of each puzzle, which has exactly one solution, the minimal puzzles that are left where clues are taken out in `count` random orders,
    /// one clue after the other if the solution stays the only one. Which orders follows from the number that stands beside the puzzle.
    /// What comes out of several orders is there once, so that there may be fewer than `count`. `None` where it was cancelled.
    pub fn random(&mut self, puzzles: &[(Puzzle, u64)], count: u64) -> Option<Vec<Found>> {
        let mut found = vec![Found::default(); puzzles.len()];
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
                Random::of_stream(draws, number).shuffle(&mut cells);
                let groups = cells.into_iter().map(|cell| Cells::from_iter([cell])).collect();
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

/// The solutions of a puzzle, searched for at a level that the CPU has.
pub(crate) fn solutions_at(level: Level, puzzle: &Puzzle) -> Solutions {
    Solutions::new(level, puzzle).unwrap_or_else(|_| solutions(puzzle))
}

/// The search in a puzzle.
struct Search<'s> {
    solver: &'s mut Bitboard,
    question: Question,
    cancel: &'s AtomicBool,
    puzzle: &'s Puzzle,
    clues: Cells,
    solution: Solution,
    limit: usize,
    /// Of the unavoidable sets that are known the cells that hold clues.
    sets: Vec<Cells>,
    found: Found,
}

/// A clue that stays although the others do without it, and the last set that was seen to need it.
struct Chosen {
    cell: usize,
    set: Cells,
}

impl Search<'_> {
    /// Finds the minimal puzzles that have all clues of `kept` and otherwise some of `left`, which leave one solution. `chosen` are those of
    /// `kept` that `left` can do without.
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
            let without = Cells::from_iter([cell]);
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
        self.found.puzzles.push(self.of(left));
        ControlFlow::Continue(())
    }

    /// The puzzle with these clues alone.
    fn of(&self, cells: Cells) -> Puzzle {
        self.puzzle.without(Cells::ALL.without(cells))
    }

    /// The clues of `left` that are the only ones there in a set, of the sets from that number on.
    fn needed(&self, left: Cells, from: usize) -> Cells {
        let hit = self.sets[from..].iter().map(|set| set.and(left)).filter(|hit| hit.len() == 1);
        hit.fold(Cells::EMPTY, Cells::or)
    }

    /// The cells of clues in which another grid differs.
    fn learn(&mut self, other: &Solution) -> Cells {
        let differs = |&cell: &usize| other.values()[cell] != self.solution.values()[cell];
        let set = self.clues.iter().filter(differs).collect();
        if self.sets.len() < MOST_SETS {
            self.sets.push(set);
        }
        set
    }

    /// Whether some part of the clues that has these may need all that were chosen: none is implied by the others.
    fn may_all_be_needed(&mut self, chosen: &mut [Chosen], kept: Cells) -> bool {
        chosen.iter_mut().all(|Chosen { cell, set }| {
            let alone = Cells::from_iter([*cell]);
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

    /// The cells of clues in which a grid differs from the solution that has these clues but for one, whose cell has another digit; `None`
    /// where there is no such grid. What is found is learned.
    fn set_of(&mut self, clues: Cells, cell: usize) -> Option<Cells> {
        let puzzle = self.of(clues.without(Cells::from_iter([cell])));
        let known = Known::Digit { cell: cell as u8, digit: self.solution[cell] };
        let other = self.solver.find_other(&puzzle, &known, &self.question).solution?;
        Some(self.learn(&other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Status, solve};

    const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn puzzle(text: &str) -> Puzzle {
        text.parse().unwrap()
    }

    fn is_unique(puzzle: &Puzzle) -> bool {
        solve(puzzle).status == Status::Unique
    }

    /// Straight from the definition.
    fn is_minimal(puzzle: &Puzzle) -> bool {
        let without = |cell| puzzle.without(Cells::from_iter([cell]));
        is_unique(puzzle) && puzzle.clue_cells().iter().all(|cell| !is_unique(&without(cell)))
    }

    /// A minimal puzzle with so many more clues of its solution.
    fn thickened(random: &mut Random, more: usize) -> Puzzle {
        let solution: Puzzle = solve(&puzzle(EASY)).solution.unwrap().into();
        let minimal = Minimals::default().random(&[(solution, random.next_u64())], 1).unwrap().remove(0);
        let mut blanks: Vec<usize> = Cells::ALL.without(minimal.puzzles[0].clue_cells()).iter().collect();
        random.shuffle(&mut blanks);
        solution.without(blanks.into_iter().skip(more).collect())
    }

    fn redundant(puzzle: &Puzzle) -> Vec<usize> {
        let without = |cell| puzzle.without(Cells::from_iter([cell]));
        puzzle.clue_cells().iter().filter(|&cell| is_unique(&without(cell))).collect()
    }

    /// All minimal puzzles inside one, by trying all parts of its clues that have what cannot be left out.
    fn by_brute_force(puzzle: &Puzzle) -> Vec<Puzzle> {
        let redundant = redundant(puzzle);
        let part = |bits: u32| {
            let gone = redundant.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
            puzzle.without(gone.map(|(_, &cell)| cell).collect())
        };
        let mut all: Vec<Puzzle> = (0..1 << redundant.len()).map(part).filter(is_minimal).collect();
        all.sort();
        all
    }

    #[test]
    fn all_are_found_in_order_as_by_brute_force() {
        let mut random = Random::new(1);
        let mut several = 0;
        for more in [0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4] {
            let mut thick = || Some(thickened(&mut random, more));
            let puzzle = std::iter::from_fn(&mut thick).find(|puzzle| redundant(puzzle).len() <= 8).unwrap();
            let expected = by_brute_force(&puzzle);
            several += usize::from(expected.len() > 5);
            let found = Minimals::default().smallest(&puzzle, expected.len()).unwrap();
            assert_eq!(found, Found { puzzles: expected.clone(), is_complete: true }, "{puzzle}");
            for limit in [0, 1, expected.len() / 2].into_iter().filter(|&limit| limit < expected.len()) {
                let some = Minimals::default().smallest(&puzzle, limit).unwrap();
                assert_eq!(some, Found { puzzles: expected[..limit].to_vec(), is_complete: false });
            }
        }
        assert!(several > 1, "{several}");
    }

    #[test]
    fn a_full_grid_has_too_many_of_which_the_smallest_are_found() {
        let found = Minimals::default().smallest(&puzzle(SOLUTION), 20).unwrap();
        assert!(found.puzzles.len() == 20 && !found.is_complete);
        assert!(found.puzzles.is_sorted() && found.puzzles.iter().all(is_minimal));
        assert_eq!(Minimals::new(Level::Baseline).unwrap().smallest(&puzzle(SOLUTION), 20), Some(found));
    }

    #[test]
    fn there_is_none_without_exactly_one_solution() {
        for text in [
            ".".repeat(81),
            format!("11{}", ".".repeat(79)),
            EASY.replacen('5', ".", 1).replacen('3', ".", 1),
        ] {
            if !is_unique(&puzzle(&text)) {
                let none = Found { puzzles: Vec::new(), is_complete: true };
                assert_eq!(Minimals::default().smallest(&puzzle(&text), 10), Some(none), "{text}");
            }
        }
    }

    #[test]
    fn random_ones_are_minimal_different_and_the_same_in_any_company() {
        let puzzles = [(puzzle(EASY), 1), (puzzle(SOLUTION), 2), (puzzle(EASY), 3)];
        let found = Minimals::default().random(&puzzles, 30).unwrap();
        for (one, found) in puzzles.iter().zip(&found) {
            assert_eq!(Minimals::default().random(&[*one], 30).unwrap(), std::slice::from_ref(found));
            let different: HashSet<&Puzzle> = found.puzzles.iter().collect();
            assert!(different.len() == found.puzzles.len() && found.puzzles.iter().all(is_minimal));
            let first = Minimals::default().random(&[*one], 1).unwrap().remove(0);
            assert_eq!(first.puzzles[..], found.puzzles[..1]);
        }
        assert_eq!(found[1].puzzles.len(), 30);
        let all = Minimals::default().smallest(&puzzles[0].0, 100_000).unwrap();
        assert!(found[0].puzzles.iter().all(|one| all.puzzles.binary_search(one).is_ok()));
    }

    #[test]
    fn what_is_cancelled_is_not_told() {
        let cancelled = || Minimals::default().cancel(Arc::new(AtomicBool::new(true)));
        assert_eq!(cancelled().smallest(&puzzle(SOLUTION), 10), None);
        assert_eq!(cancelled().random(&[(puzzle(SOLUTION), 1)], 10), None);
    }
}
