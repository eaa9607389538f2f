//! Neighbours of a puzzle: puzzles with exactly one solution that are made from the puzzle by removing up to three clues and adding up to
//! three clues.
//!
//! Take the list of all solutions that the puzzle has after clues are removed. A set of added clues leaves exactly one solution if exactly
//! one solution in the list contains all of these clues. So with a complete list, the sets of added clues need no searches of their own:
//!
//! ```text
//! for each set of removed clues, the smallest sets first:
//!     base = the puzzle without them
//!     list the solutions of base, up to a bound
//!     if the list is complete:     each set of candidates that exactly one listed solution contains gives a neighbour
//!     if the list is incomplete:   each set of candidates that at most one listed solution contains is added to base,
//!                                  and the resulting puzzles are solved in batches
//! ```
//! An incomplete list still rules out nearly all sets: if two solutions in the list contain a set, the set leaves several solutions. But
//! the first solutions of a search are similar to each other. Therefore, if several clues are added, an incomplete list also gets
//! some solutions with each candidate.

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::canonical::Canonicalizer;
use crate::minimal::Minimality;
use crate::minimals::{PuzzleList, solutions_at};
use crate::puzzle::{CELLS, Cells, Puzzle, Solution, free_digits};
use crate::simd::{Level, LevelError};
use crate::solver::{Auto, Outcome, Question, Solver, Status};

/// The distance between a puzzle and its neighbours: the number of clues to remove and the number of clues to add. Parsed from text such as
/// `-1+1` or `{-1+1}`.
///
/// ```
/// use sudobench_sudoku::vicinity::Distance;
/// let distance: Distance = "{-2+1}".parse()?;
/// assert_eq!(distance.to_string(), "-2+1");
/// assert!("-4+1".parse::<Distance>().is_err());
/// # Ok::<(), sudobench_sudoku::vicinity::DistanceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Distance {
    removed: u8,
    added: u8,
}

/// The error for a text that is not a [`Distance`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a distance: write the numbers of clues to remove and to add, each from 0 to {MOST} and not both 0, such as -1+1 or -2+1"
)]
pub struct DistanceError(String);

/// Largest number of removed clues, and of added clues. With larger numbers there would be too many combinations.
const MOST: u8 = 3;

impl FromStr for Distance {
    type Err = DistanceError;

    fn from_str(text: &str) -> Result<Distance, DistanceError> {
        let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
        let numbers = inner.strip_prefix('-').and_then(|text| text.split_once('+'));
        let number = |text: &str| match text.as_bytes() {
            [digit @ b'0'..=b'9'] if digit - b'0' <= MOST => Some(digit - b'0'),
            _ => None,
        };
        let distance = numbers
            .and_then(|(removed, added)| Some(Distance { removed: number(removed)?, added: number(added)? }));
        distance
            .filter(|distance| distance.removed + distance.added > 0)
            .ok_or_else(|| DistanceError(text.to_owned()))
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "-{}+{}", self.removed, self.added)
    }
}

/// Finds neighbours of puzzles. Use one `Vicinity` per thread.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::vicinity::Vicinity;
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let found = Vicinity::default().neighbours(&puzzle, "-1+0".parse().unwrap(), false, 100).expect("nobody cancels it");
/// assert!(found.is_complete && found.puzzles.iter().all(|neighbour| neighbour.clue_count() == puzzle.clue_count() - 1));
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Debug)]
pub struct Vicinity {
    level: Level,
    solver: Auto,
    minimality: Minimality,
    canonicalizer: Canonicalizer,
    bounds: Bounds,
    cancel: Arc<AtomicBool>,
}

impl Default for Vicinity {
    /// Uses the widest vectors of the CPU.
    fn default() -> Vicinity {
        Vicinity {
            level: Level::widest(),
            solver: Auto::default(),
            minimality: Minimality::default(),
            canonicalizer: Canonicalizer::default(),
            bounds: BOUNDS,
            cancel: Arc::default(),
        }
    }
}

/// Sizes of the lists of solutions. The sizes were found by measurement: with smaller lists, the solver is called more often; with larger
/// lists, making the lists takes longer.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// If one clue is added: a list is complete if the puzzle has at most this number of solutions. If the puzzle has more, the list is
    /// incomplete, and a second search, which visits the cells in reverse order, adds at most this number of solutions again.
    for_one: usize,
    /// Like `for_one`, but if several clues are added.
    for_several: usize,
    /// If several clues are added and the list is incomplete: for each candidate, the number of solutions that are appended to the list.
    /// These are the first solutions that contain the candidate.
    with_each: usize,
}

const BOUNDS: Bounds = Bounds { for_one: 16, for_several: 1024, with_each: 4 };

/// Number of possible neighbours that are tested together.
const AT_ONCE: usize = 4096;

impl Vicinity {
    /// Makes a finder that uses this SIMD level. The results don't depend on the level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<Vicinity, LevelError> {
        let (solver, minimality) = (Auto::new(level)?, Minimality::new(level)?);
        Ok(Vicinity { level, solver, minimality, ..Vicinity::default() })
    }

    /// Sets a cancel flag. The work stops soon after the flag becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Vicinity {
        Vicinity { minimality: self.minimality.cancel(Arc::clone(&cancel)), cancel, ..self }
    }

    /// Sets the sizes of the lists of solutions. Only for tests: the sizes change no result.
    #[doc(hidden)]
    #[must_use]
    pub fn with_list_sizes(self, [for_one, for_several, with_each]: [usize; 3]) -> Vicinity {
        Vicinity { bounds: Bounds { for_one, for_several, with_each }, ..self }
    }

    /// Finds the neighbours of a puzzle at this distance: puzzles with exactly one solution and, if `minimal`, without redundant clues. If
    /// several neighbours are isomorphic, only the first of them is returned. Neighbours that are isomorphic to the puzzle itself are not
    /// returned. At most the first `limit` neighbours are returned. Returns `None` if the work was cancelled.
    ///
    /// A removed clue may be added again, so neighbours at smaller distances are included: -2+2 includes -1+1. Neighbours with fewer
    /// removed clues come first; then they are ordered by the cells of the removed clues, then by the added clues.
    pub fn neighbours(
        &mut self,
        puzzle: &Puzzle,
        distance: Distance,
        minimal: bool,
        limit: usize,
    ) -> Option<PuzzleList> {
        let question = Question { cancel: Some(Arc::clone(&self.cancel)), ..Question::unique_or_first() };
        let seen = HashSet::from([self.canonicalizer.canonical(puzzle).form]);
        let mut search = Search {
            tools: self,
            question,
            minimal,
            limit,
            seen,
            open: Vec::new(),
            found: PuzzleList { puzzles: Vec::new(), is_complete: true },
        };
        // The search ends early at the limit or if it is cancelled.
        let _ended = search.all(puzzle, distance);
        let found = search.found;
        (!self.cancel.load(Ordering::Relaxed)).then_some(found)
    }
}

/// A clue that may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    cell: usize,
    digit: u8,
}

/// The search around one puzzle.
struct Search<'v> {
    /// The solver and other tools, which later searches use again.
    tools: &'v mut Vicinity,
    question: Question,
    minimal: bool,
    limit: usize,
    /// Canonical forms of the found puzzles and of the puzzle itself.
    seen: HashSet<Puzzle>,
    /// Possible neighbours that are not tested yet, in the order in which they were made. The flag of a neighbour says whether it is known
    /// to have exactly one solution.
    open: Vec<(Puzzle, bool)>,
    found: PuzzleList,
}

impl Search<'_> {
    fn all(&mut self, puzzle: &Puzzle, distance: Distance) -> ControlFlow<()> {
        let clues: Vec<usize> = puzzle.clue_cells().iter().collect();
        for removed in 0..=distance.removed {
            // A neighbour may lack fewer clues than `distance.removed`. Then the other `back` clues count as removed and added again, so
            // only `added` clues are new.
            let back = distance.removed - removed;
            let Some(added) = distance.added.checked_sub(back).filter(|added| removed + added > 0) else {
                continue;
            };
            self.without(puzzle, &clues, Cells::EMPTY, usize::from(removed), usize::from(added))?;
        }
        self.test_open()
    }

    /// Chooses `removed` more clues to remove, in addition to the clues in `gone`, in every possible way. Calls `with` for each choice.
    fn without(
        &mut self,
        puzzle: &Puzzle,
        clues: &[usize],
        gone: Cells,
        removed: usize,
        added: usize,
    ) -> ControlFlow<()> {
        if removed == 0 {
            return self.with(puzzle, gone, added);
        }
        for (at, &cell) in clues.iter().enumerate() {
            let gone = gone.with(cell);
            self.without(puzzle, &clues[at + 1..], gone, removed - 1, added)?;
        }
        ControlFlow::Continue(())
    }

    /// Looks for neighbours that lack the clues in `gone` and have `added` new clues.
    fn with(&mut self, puzzle: &Puzzle, gone: Cells, added: usize) -> ControlFlow<()> {
        self.check_cancelled()?;
        let base = puzzle.without(gone);
        if added == 0 {
            return self.push(base, false);
        }
        let most = if added == 1 { self.tools.bounds.for_one } else { self.tools.bounds.for_several };
        let mut list: Vec<Solution> = solutions_at(self.tools.level, &base).take(most + 1).collect();
        if list.is_empty() || self.minimal && list.len() == 1 {
            return ControlFlow::Continue(());
        }
        let is_whole = list.len() <= most;
        if !is_whole {
            // The first solutions have similar first rows. The first solutions of the reversed board, once they are reversed again, have
            // similar last rows instead.
            list.extend(solutions_at(self.tools.level, &turned(&base)).take(most).map(|mut other| {
                other.values_mut().reverse();
                other
            }));
        }
        let mut candidates = candidates_of(&base);
        candidates
            .retain(|candidate| !gone.contains(candidate.cell) || puzzle[candidate.cell] != candidate.digit);
        if !is_whole && added > 1 {
            let (level, with_each) = (self.tools.level, self.tools.bounds.with_each);
            candidates.retain(|candidate| {
                let before = list.len();
                list.extend(solutions_at(level, &filled(&base, *candidate)).take(with_each));
                list.len() > before
            });
        }
        // A duplicate solution would be counted twice.
        list.sort_unstable();
        list.dedup();
        let support = Support::new(&candidates, &list);
        let all = support.all(list.len());
        self.sets(&base, &support, is_whole, (0, added), &all)
    }

    /// Looks for neighbours with `added` more clues, taken from the candidates in `support` from index `from` on. `base` includes the clues
    /// added so far. `have` has one bit for each solution in the list: whether the solution contains the clues added so far.
    fn sets(
        &mut self,
        base: &Puzzle,
        support: &Support,
        is_whole: bool,
        (from, added): (usize, usize),
        have: &[u64],
    ) -> ControlFlow<()> {
        for (at, candidate) in support.candidates.iter().enumerate().skip(from) {
            let solutions = support.solutions_with(at);
            let puzzle = filled(base, *candidate);
            if added == 1 {
                match (up_to_two(have, solutions), is_whole) {
                    (1, true) => self.push(puzzle, true)?,
                    (0 | 1, false) => self.push(puzzle, false)?,
                    _ => {}
                }
                continue;
            }
            self.check_cancelled()?;
            let count = match (up_to_two(have, solutions), is_whole) {
                (2, _) => 2,
                (count, true) => count,
                // If the list is incomplete and has fewer than two solutions with these clues, a search counts the solutions, up to two.
                _ => solutions_at(self.tools.level, &puzzle).take(2).count() as u32,
            };
            // If only one solution is left, another added clue would be redundant.
            if count == 0 || self.minimal && count == 1 {
                continue;
            }
            let both: Vec<u64> = have.iter().zip(solutions).map(|(one, other)| one & other).collect();
            // The next clue is in a later cell.
            let next = support.candidates[at..].iter().position(|other| other.cell > candidate.cell);
            let Some(next) = next else { break };
            self.sets(&puzzle, support, is_whole, (at + next, added - 1), &both)?;
        }
        ControlFlow::Continue(())
    }

    fn check_cancelled(&self) -> ControlFlow<()> {
        if self.tools.cancel.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Adds a possible neighbour. Tests the possible neighbours if there are enough of them.
    fn push(&mut self, puzzle: Puzzle, is_unique: bool) -> ControlFlow<()> {
        self.open.push((puzzle, is_unique));
        if self.open.len() == AT_ONCE { self.test_open() } else { ControlFlow::Continue(()) }
    }

    /// Tests the possible neighbours and stores the actual neighbours in `found`.
    fn test_open(&mut self) -> ControlFlow<()> {
        let mut open = std::mem::take(&mut self.open);
        let unknown: Vec<Puzzle> =
            open.iter().filter(|(_, is_unique)| !is_unique).map(|(puzzle, _)| *puzzle).collect();
        let mut outcomes = vec![Outcome::ABORTED; unknown.len()];
        self.tools.solver.solve_batch(&unknown, &self.question, &mut outcomes);
        let mut outcomes = outcomes.iter();
        open.retain(|(_, is_unique)| {
            *is_unique || outcomes.next().is_some_and(|outcome| outcome.status == Status::Unique)
        });
        let mut unique: Vec<Puzzle> = open.iter().map(|(puzzle, _)| *puzzle).collect();
        if self.minimal {
            let mut are_minimal = vec![false; unique.len()];
            self.tools.minimality.are_minimal(&unique, &[], &mut are_minimal);
            let mut are_minimal = are_minimal.iter();
            unique.retain(|_| are_minimal.next() == Some(&true));
        }
        open.clear();
        self.open = open;
        for puzzle in unique {
            self.check_cancelled()?;
            if !self.seen.insert(self.tools.canonicalizer.canonical(&puzzle).form) {
                continue;
            }
            if self.found.puzzles.len() == self.limit {
                self.found.is_complete = false;
                return ControlFlow::Break(());
            }
            self.found.puzzles.push(puzzle);
        }
        ControlFlow::Continue(())
    }
}

/// Returns the digits that the clues allow in each blank, in ascending order of cell and digit.
fn candidates_of(base: &Puzzle) -> Vec<Candidate> {
    let free = free_digits(base);
    let all = (0..CELLS).flat_map(|cell| (1..=9).map(move |digit| Candidate { cell, digit }));
    all.filter(|&Candidate { cell, digit }| base[cell] == 0 && free[cell] >> (digit - 1) & 1 == 1).collect()
}

fn turned(board: &Puzzle) -> Puzzle {
    let mut turned = *board;
    turned.values_mut().reverse();
    turned
}

fn filled(base: &Puzzle, candidate: Candidate) -> Puzzle {
    let mut puzzle = *base;
    puzzle.values_mut()[candidate.cell] = candidate.digit;
    puzzle
}

/// For each candidate, one bit per solution of a list: whether the solution contains the candidate.
struct Support {
    candidates: Vec<Candidate>,
    /// Number of words per candidate.
    words: usize,
    bits: Vec<u64>,
}

impl Support {
    fn new(candidates: &[Candidate], list: &[Solution]) -> Support {
        let words = list.len().div_ceil(64);
        let mut number = [[None; 10]; CELLS];
        for (at, &Candidate { cell, digit }) in candidates.iter().enumerate() {
            number[cell][usize::from(digit)] = Some(at);
        }
        let mut bits = vec![0; candidates.len() * words];
        for (solution, grid) in list.iter().enumerate() {
            for (digits, &digit) in number.iter().zip(grid.values()) {
                if let Some(at) = digits[usize::from(digit)] {
                    bits[at * words + solution / 64] |= 1 << (solution % 64);
                }
            }
        }
        Support { candidates: candidates.to_vec(), words, bits }
    }

    /// Returns the set of solutions that contain the candidate with index `at`, one bit per solution.
    fn solutions_with(&self, at: usize) -> &[u64] {
        &self.bits[at * self.words..(at + 1) * self.words]
    }

    /// Returns the set of all solutions in a list of this length, one bit per solution.
    fn all(&self, list: usize) -> Vec<u64> {
        let mut all = vec![u64::MAX; self.words];
        if let Some(last) = all.last_mut().filter(|_| !list.is_multiple_of(64)) {
            *last = (1 << (list % 64)) - 1;
        }
        all
    }
}

/// Returns the number of solutions that are in both sets, but at most 2.
fn up_to_two(one: &[u64], other: &[u64]) -> u32 {
    let mut count = 0;
    for (one, other) in one.iter().zip(other) {
        count += (one & other).count_ones();
        if count > 1 {
            return 2;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_read_and_others_refused() {
        for (text, removed, added) in [("-0+1", 0, 1), ("{-3+3}", 3, 3), ("-2+0", 2, 0)] {
            let distance: Distance = text.parse().unwrap();
            assert_eq!(distance, Distance { removed, added });
            assert_eq!(distance.to_string().parse(), Ok(distance));
        }
        for text in [
            "", "-", "-1", "+1", "-1+", "1+1", "-1-1", "-4+1", "-1+10", "{-1+1", "-1+1}", "-0+0", "- 1+1",
            "-1+é",
        ] {
            assert!(text.parse::<Distance>().is_err(), "{text}");
        }
    }
}
