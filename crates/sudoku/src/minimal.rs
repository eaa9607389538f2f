//! Minimal puzzles: finds the clues that could each be removed without allowing a second solution.
//!
//! A clue is *redundant* if the puzzle without it still has exactly one solution. A puzzle is *minimal* if no clue is
//! redundant.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::probe::{Probe, Prober};
use crate::puzzle::{CELLS, Cells, Puzzle, Solution, UsedDigits};
use crate::simd::{Level, LevelError};
use crate::unavoidable::needed_clues;

/// Finds the redundant clues of many puzzles together. Each thread needs its own finder.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::minimal::Minimality;
/// use sudobench_sudoku::puzzle::Cells;
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut redundant = [Cells::EMPTY];
/// assert!(Minimality::default().redundant(&[puzzle], &[], &mut redundant));
/// let mut are_minimal = [true];
/// assert!(Minimality::default().are_minimal(&[puzzle], &[], &mut are_minimal));
/// assert_eq!(are_minimal[0], redundant[0].is_empty());
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Debug, Default)]
pub struct Minimality {
    prober: Prober,
}

impl Minimality {
    /// Makes a `Minimality` that uses this SIMD level. The results don't depend on the level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<Minimality, LevelError> {
        Ok(Minimality { prober: Prober::new(level)? })
    }

    /// Sets a cancel flag. The work stops soon after the flag becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Minimality {
        Minimality { prober: self.prober.cancel(cancel) }
    }

    /// Writes to `are_minimal[i]` whether `puzzles[i]`, which must have exactly one solution, is minimal. Returns false
    /// if the work was cancelled before all puzzles were decided.
    ///
    /// `solutions` are the solutions of the puzzles, or empty if the solutions are not known. With the solutions, many needed clues of
    /// puzzles with up to 27 clues are found without a search.
    ///
    /// A single redundant clue is enough to show that a puzzle is not minimal. So the clue that is most likely redundant is tested first:
    /// the clue whose row, column and box contain the most different digits.
    ///
    /// # Panics
    /// If the slices differ in length. An empty `solutions` is allowed.
    pub fn are_minimal(
        &mut self,
        puzzles: &[Puzzle],
        solutions: &[Solution],
        are_minimal: &mut [bool],
    ) -> bool {
        assert_eq!(puzzles.len(), are_minimal.len(), "one answer for every puzzle");
        assert_known_for_all(puzzles, solutions);
        are_minimal.fill(true);
        let mut undecided: Vec<Undecided> = Vec::with_capacity(puzzles.len());
        for (number, puzzle) in puzzles.iter().enumerate() {
            let used = UsedDigits::new(puzzle);
            let cells = puzzle.clue_cells();
            // If row, column and box leave only one digit for the cell, its clue is redundant: no search is needed.
            are_minimal[number] = !cells.iter().any(|cell| used.seen_by(cell).count_ones() == 9);
            if are_minimal[number] {
                let left = unproved_clues(puzzle, solutions.get(number));
                undecided.push(Undecided { number, left, used });
            }
        }
        let (mut probes, mut have_other) = (Vec::new(), Vec::new());
        // Each round tests more clues per puzzle than the round before, because the puzzles that are left are fewer and more likely
        // minimal.
        for at_once in [1, 2, 4, 8, 16, CELLS] {
            probes.clear();
            for Undecided { number, left, used } in &mut undecided {
                for _ in 0..at_once.min(left.len()) {
                    let digits_seen = |&cell: &usize| used.seen_by(cell).count_ones();
                    let likeliest = left.iter().max_by_key(digits_seen).unwrap_or_default();
                    *left = left.without(Cells::one(likeliest));
                    probes.push((*number, Probe { puzzle: puzzles[*number], cell: likeliest as u8 }));
                }
            }
            have_other.clear();
            have_other.resize(probes.len(), false);
            let asked: Vec<Probe> = probes.iter().map(|(_, probe)| *probe).collect();
            if !self.prober.probe(&asked, &mut have_other) {
                return false;
            }
            for ((number, _), has_other) in probes.iter().zip(&have_other) {
                are_minimal[*number] &= has_other;
            }
            undecided.retain(|undecided| are_minimal[undecided.number] && !undecided.left.is_empty());
        }
        true
    }

    /// Writes to `redundant[i]` the redundant clues of `puzzles[i]`, which must have exactly one solution. Returns
    /// false if the work was cancelled before all puzzles were decided. For `solutions` see
    /// [`Minimality::are_minimal`].
    ///
    /// # Panics
    /// If the slices differ in length. An empty `solutions` is allowed.
    pub fn redundant(&mut self, puzzles: &[Puzzle], solutions: &[Solution], redundant: &mut [Cells]) -> bool {
        /// Number of probes after which a batch ends. A batch fills all lanes of the solver many times and takes about 1 MB of memory.
        const AT_ONCE: usize = 12_288;
        assert_eq!(puzzles.len(), redundant.len(), "one answer for every puzzle");
        assert_known_for_all(puzzles, solutions);
        let (mut probes, mut have_other) = (Vec::new(), Vec::new());
        let mut first = 0;
        while first < puzzles.len() {
            probes.clear();
            let mut end = first;
            while end < puzzles.len() && probes.len() < AT_ONCE {
                let open = unproved_clues(&puzzles[end], solutions.get(end));
                probes.extend(open.iter().map(|cell| Probe { puzzle: puzzles[end], cell: cell as u8 }));
                redundant[end] = open;
                end += 1;
            }
            have_other.clear();
            have_other.resize(probes.len(), false);
            if !self.prober.probe(&probes, &mut have_other) {
                return false;
            }
            let mut answers = have_other.iter();
            for open in &mut redundant[first..end] {
                // `zip` advances its first iterator first, so the cells are the first iterator. When the cells end, no answer of the next
                // puzzle is taken.
                let answered = open.iter().zip(answers.by_ref());
                *open = answered.filter(|(_, has_other)| !**has_other).map(|(cell, _)| cell).collect();
            }
            first = end;
        }
        true
    }
}

/// Returns the clues for which a search must decide whether they are needed. `solution` is the solution of the puzzle, if it is known.
fn unproved_clues(puzzle: &Puzzle, solution: Option<&Solution>) -> Cells {
    /// If a puzzle has at most this many clues, its needed clues are first looked for without a search. Puzzles with more clues are hardly
    /// ever minimal, so it is faster to start the search for a redundant clue immediately.
    const FEW_CLUES: usize = 27;
    let clues = puzzle.clue_cells();
    match solution.filter(|_| clues.len() <= FEW_CLUES) {
        Some(solution) => clues.without(needed_clues(puzzle, solution)),
        None => clues,
    }
}

fn assert_known_for_all(puzzles: &[Puzzle], solutions: &[Solution]) {
    assert!(
        solutions.is_empty() || solutions.len() == puzzles.len(),
        "one solution for every puzzle, or none"
    );
}

/// A puzzle that may be minimal.
struct Undecided {
    number: usize,
    /// The clues that still have to be tested.
    left: Cells,
    used: UsedDigits,
}
