//! The canonical form of a puzzle: the smallest of all its equivalent forms.
//!
//! Two puzzles are isomorphic if and only if their canonical forms are equal. Forms are compared cell by cell, a blank
//! before all digits. Sudoku literature calls this form the minimal lexicographic form, or minlex.

mod grid;
mod puzzle;

use crate::isomorph::Transformation;
use crate::puzzle::Puzzle;

/// A puzzle's canonical form, and the transformation to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The smallest of all forms of the puzzle.
    pub form: Puzzle,
    /// A transformation from the puzzle to the form. If several transformations lead to the form, the same puzzle always gets the same one.
    pub transformation: Transformation,
    /// Order of the puzzle's automorphism group: how many of the 3,359,232 cell orders leave the puzzle unchanged if its digits are
    /// relabelled suitably. 1 for most puzzles.
    pub automorphisms: u32,
}

/// Finds canonical forms. Use the same `Canonicalizer` for many puzzles, because it reuses its memory.
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
    /// Returns the canonical form of a puzzle. The puzzle may have any number of solutions and clues, even 81, and its
    /// clues may contradict each other.
    pub fn canonical(&mut self, puzzle: &Puzzle) -> Canonical {
        let values = puzzle.values();
        let (transformation, automorphisms) = match values.contains(&0) {
            true => self.puzzles.smallest(values),
            false => self.grids.smallest(values).unwrap_or_else(|| self.puzzles.smallest(values)),
        };
        Canonical { form: transformation.apply(puzzle), transformation, automorphisms }
    }
}
