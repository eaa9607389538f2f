//! Candidates: the digits that each cell of a puzzle may hold.
//!
//! The exact candidates of a cell are the digits that the cell has in some solution. Finding them needs a search:
//!
//! 1. Search for two solutions. If the puzzle has only one solution, the digits of this solution are the candidates.
//! 2. If the puzzle has several solutions, eliminate digits by singles and locked candidates. The remaining digits are *possible*.
//! 3. Choose a cell, and a possible digit that no known solution has in this cell. Add the digit to the puzzle as a clue, and search for a
//!    solution. If there is one, all its digits are candidates. If there is none, the digit is impossible in this cell, and step 2 is
//!    repeated without this digit.
//! 4. Repeat step 3 until every possible digit of every cell is in a known solution.
//!
//! Each solution shows up to 81 candidates, so many candidates need no search of their own. The searches of many puzzles run together.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::puzzle::{CELLS, Puzzle, Solution, allowed_digits};
use crate::rate::{Candidates, Contradiction};
use crate::simd::{Level, LevelError};
use crate::solver::{Auto, Outcome, Question, Solver, Status};

/// The digits of each cell: bit 0 for the digit 1, bit 8 for the digit 9.
pub type CellDigits = [u16; CELLS];

/// The rules that eliminate impossible digits. Each level also eliminates everything that the levels before it eliminate.
///
/// If a level shows that a puzzle has no solution, the result has no candidate in any cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CandidateLevel {
    /// A blank may hold the digits that its row, column and box do not have. This level does not detect contradictions.
    Clues,
    /// Naked and hidden singles are filled in until there are none.
    Singles,
    /// Singles and locked candidates (pointing and claiming) are applied until neither finds anything.
    Locked,
    /// Only digits that occur in some solution remain.
    Exact,
}

/// The reason why a text is not the name of a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a level of candidates; choose from clues, singles, locked, exact")]
pub struct CandidateLevelError(String);

impl CandidateLevel {
    /// All levels.
    pub const ALL: [CandidateLevel; 4] =
        [CandidateLevel::Clues, CandidateLevel::Singles, CandidateLevel::Locked, CandidateLevel::Exact];

    /// Returns the name of the level.
    pub fn name(self) -> &'static str {
        match self {
            CandidateLevel::Clues => "clues",
            CandidateLevel::Singles => "singles",
            CandidateLevel::Locked => "locked",
            CandidateLevel::Exact => "exact",
        }
    }
}

impl std::str::FromStr for CandidateLevel {
    type Err = CandidateLevelError;

    fn from_str(name: &str) -> Result<CandidateLevel, CandidateLevelError> {
        let level = CandidateLevel::ALL.into_iter().find(|level| level.name() == name);
        level.ok_or_else(|| CandidateLevelError(name.to_owned()))
    }
}

/// Finds the candidates of many puzzles together. Use one finder for each thread.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::candidates::{CandidateFinder, CandidateLevel};
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut found = [[0; 81]; 1];
/// assert!(CandidateFinder::default().find(&[puzzle], CandidateLevel::Clues, &mut found));
/// assert_eq!(found[0][..3], [1 << 4, 1 << 2, 1 << 0 | 1 << 1 | 1 << 3]); // 5, 3, and one of 1, 2, 4
/// assert!(CandidateFinder::default().find(&[puzzle], CandidateLevel::Exact, &mut found));
/// assert_eq!(found[0][2], 1 << 3);
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Debug, Default)]
pub struct CandidateFinder {
    solver: Auto,
    cancel: Option<Arc<AtomicBool>>,
}

/// A puzzle with several solutions. For some of its possible digits, it is not known yet whether they occur in a solution.
struct Open {
    /// The index of the puzzle in the chunk of puzzles that are searched together.
    number: usize,
    /// The digits that are not known to be impossible.
    possible: Candidates,
    /// The digits of the known solutions.
    seen: CellDigits,
    /// The cell where [`next_searches`] looked for a digit most recently. The next call continues [`STEP`] cells further on.
    cell: usize,
}

/// A search for a solution with a digit in a cell.
struct Search {
    /// The position of the puzzle in the list of open puzzles.
    open: usize,
    cell: usize,
    /// The digit as a bit.
    digit: u16,
}

/// Number of puzzles that are searched together.
const AT_ONCE: usize = 4096;

/// Number of searches that fill the vectors of the solver.
const FULL_BATCH: usize = 512;

/// Distance between two cells that are searched one after the other. It has no factor in common with 81, so every cell is reached.
const STEP: usize = 31;

impl CandidateFinder {
    /// Makes a finder that uses this SIMD level. The results don't depend on the level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<CandidateFinder, LevelError> {
        Ok(CandidateFinder { solver: Auto::new(level)?, cancel: None })
    }

    /// Sets a cancel flag. The work stops soon after the flag becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> CandidateFinder {
        CandidateFinder { cancel: Some(cancel), ..self }
    }

    /// Writes to `found[i]` the candidates of `puzzles[i]`. Returns false if the work was cancelled.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn find(&mut self, puzzles: &[Puzzle], level: CandidateLevel, found: &mut [CellDigits]) -> bool {
        assert_eq!(puzzles.len(), found.len(), "candidates for every puzzle");
        for (puzzles, found) in puzzles.chunks(AT_ONCE).zip(found.chunks_mut(AT_ONCE)) {
            match level {
                CandidateLevel::Clues => by_each(puzzles, found, allowed_digits),
                CandidateLevel::Singles => {
                    by_each(puzzles, found, |puzzle| digits_after(puzzle, Candidates::follow_singles));
                }
                CandidateLevel::Locked => {
                    by_each(puzzles, found, |puzzle| digits_after(puzzle, Candidates::follow_locked));
                }
                CandidateLevel::Exact => self.find_exact(puzzles, found),
            }
            if self.is_cancelled() {
                return false;
            }
        }
        true
    }

    fn find_exact(&mut self, puzzles: &[Puzzle], found: &mut [CellDigits]) {
        let mut open = self.open(puzzles, found);
        let mut outcomes = Vec::new();
        while !open.is_empty() && !self.is_cancelled() {
            // If there are too few puzzles to fill the vectors, each puzzle gets several searches, because a search in a full vector takes
            // less time. The exception: if fewer than 8 puzzles are left, each gets only one search.
            let each = if open.len() < 8 { 1 } else { (FULL_BATCH / open.len()).max(1) };
            let (searches, probes) = next_searches(puzzles, &mut open, each);
            outcomes.clear();
            outcomes.resize(probes.len(), Outcome::ABORTED);
            let question = Question { cancel: self.cancel.clone(), ..Question::first() };
            self.solver.solve_batch(&probes, &question, &mut outcomes);
            for (search, outcome) in searches.iter().zip(&outcomes) {
                let open = &mut open[search.open];
                match &outcome.solution {
                    Some(solution) => add(solution, &mut open.seen),
                    None if outcome.status == Status::Unsolvable => {
                        open.possible.strike(search.cell, search.digit.into());
                    }
                    None => {}
                }
            }
            for open in &mut open {
                // The puzzle has solutions, so there can be no contradiction.
                let _ = open.possible.follow_locked();
            }
            open.retain(|open| {
                found[open.number] = open.seen;
                (0..CELLS).any(|cell| open.undecided(cell) != 0)
            });
        }
    }

    /// Finds the candidates of the puzzles that have no solution or exactly one. Returns the puzzles with several solutions.
    fn open(&mut self, puzzles: &[Puzzle], found: &mut [CellDigits]) -> Vec<Open> {
        found.fill([0; CELLS]);
        let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
        let question = Question { cancel: self.cancel.clone(), ..Question::unique_or_first() };
        self.solver.solve_batch(puzzles, &question, &mut outcomes);
        let mut open = Vec::new();
        for (number, (puzzle, outcome)) in puzzles.iter().zip(&outcomes).enumerate() {
            let Some(solution) = &outcome.solution else { continue };
            add(solution, &mut found[number]);
            if outcome.status == Status::Multiple {
                let mut possible = Candidates::new(puzzle);
                let _ = possible.follow_locked();
                open.push(Open { number, possible, seen: found[number], cell: 0 });
            }
        }
        open
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

impl Open {
    /// Returns the digits that are possible in a cell, but that no known solution has in this cell.
    fn undecided(&self, cell: usize) -> u16 {
        self.possible.digits_of(cell) as u16 & !self.seen[cell]
    }
}

/// Chooses up to `each` searches for each open puzzle. Returns the searches and, for each search, the puzzle to solve: the open puzzle with
/// the tried digit as an additional clue.
fn next_searches(puzzles: &[Puzzle], open: &mut [Open], each: usize) -> (Vec<Search>, Vec<Puzzle>) {
    let (mut searches, mut probes) = (Vec::new(), Vec::new());
    for (position, open) in open.iter_mut().enumerate() {
        let mut left = each;
        for _ in 0..CELLS {
            open.cell = (open.cell + STEP) % CELLS;
            let digits = open.undecided(open.cell);
            if digits != 0 {
                let digit = digits.trailing_zeros();
                let mut probe = puzzles[open.number];
                probe.values_mut()[open.cell] = digit as u8 + 1;
                searches.push(Search { open: position, cell: open.cell, digit: 1 << digit });
                probes.push(probe);
                left -= 1;
                if left == 0 {
                    break;
                }
            }
        }
    }
    (searches, probes)
}

fn by_each(puzzles: &[Puzzle], found: &mut [CellDigits], candidates: impl Fn(&Puzzle) -> CellDigits) {
    puzzles.iter().zip(found).for_each(|(puzzle, found)| *found = candidates(puzzle));
}

/// Returns the digits of each cell after eliminations. If there is a contradiction, no cell has a digit.
fn digits_after(
    puzzle: &Puzzle,
    eliminate: impl Fn(&mut Candidates) -> Result<(), Contradiction>,
) -> CellDigits {
    let mut candidates = Candidates::new(puzzle);
    match eliminate(&mut candidates) {
        Ok(()) => std::array::from_fn(|cell| candidates.digits_of(cell) as u16),
        Err(Contradiction) => [0; CELLS],
    }
}

fn add(solution: &Solution, digits: &mut CellDigits) {
    for (digits, &value) in digits.iter_mut().zip(solution.values()) {
        *digits |= 1 << (value - 1);
    }
}
