//! The canonical form: of all forms of a puzzle, the smallest.
//!
//! Two puzzles are isomorphic exactly where their canonical forms are equal. Forms are compared cell by cell, a blank
//! before all digits: what the field calls the minimal lexicographic form, minlex.

mod grid;
mod puzzle;

use crate::isomorph::Transformation;
use crate::puzzle::Puzzle;

/// A puzzle's canonical form, and how it comes to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The smallest of all forms of the puzzle.
    pub form: Puzzle,
    /// A transformation that takes the puzzle to it: of several the first that is found, always the same one.
    pub transformation: Transformation,
    /// Of the 3,359,232 orders of the cells, those that leave the puzzle what it is where its digits are relabelled
    /// suitably: the order of its automorphism group. 1 for most puzzles.
    pub automorphisms: u32,
}

/// Finds canonical forms. Kept from puzzle to puzzle, for its memory is used again.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::canonical::Canonicalizer;
/// use sudobench_sudoku::isomorph::Transformation;
/// use sudobench_sudoku::random::Random;
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut canonicalizer = Canonicalizer::default();
/// let canonical = canonicalizer.canonical(&puzzle);
/// assert_eq!(canonical.transformation.apply(&puzzle), canonical.form);
///
/// let isomorph = Transformation::random(&mut Random::new(1)).apply(&puzzle);
/// assert_eq!(canonicalizer.canonical(&isomorph).form, canonical.form);
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Canonicalizer {
    grids: grid::Search,
    puzzles: puzzle::Search,
}

impl Canonicalizer {
    /// The canonical form of a puzzle, which may have any number of solutions and clues, 81 as well; clues may contradict
    /// each other.
    pub fn canonical(&mut self, puzzle: &Puzzle) -> Canonical {
        let values = puzzle.values();
        let found = match values.contains(&0) {
            true => self.puzzles.smallest(values),
            false => self.grids.smallest(values).unwrap_or_else(|| self.puzzles.smallest(values)),
        };
        let transformation =
            Transformation::new(found.transposes, &found.rows, &found.columns, &found.values);
        Canonical { form: transformation.apply(puzzle), transformation, automorphisms: found.automorphisms }
    }
}

/// The orders and labels that lead to the smallest form.
#[derive(Clone, Copy, Debug)]
struct Found {
    transposes: bool,
    /// For each row of the form the row of the puzzle, or of its transpose.
    rows: [u8; 9],
    /// The same of the columns.
    columns: [u8; 9],
    /// What each value becomes; a blank stays one, and digits that are not there get the labels that are left, in order.
    values: [u8; 10],
    automorphisms: u32,
}
