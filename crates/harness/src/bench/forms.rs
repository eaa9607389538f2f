//! Equivalent forms of puzzles, which the seed determines.
//!
//! Most other modules treat a form like a puzzle. The forms of a puzzle are consecutive in a dataset, so a contestant that runs out of time
//! has seen all forms of nearly all puzzles that it reached.

use sudobench_rows::draw_key;
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::random::DrawKey;

#[derive(Clone, Debug)]
pub(super) struct Forms {
    /// Number of forms of each puzzle.
    pub(super) isomorphs: usize,
    seed: u64,
    /// For each puzzle, in the order of the dataset, the key that together with the seed determines its forms.
    keys: Vec<DrawKey>,
}

impl Forms {
    /// Stores the seed and the keys from which [`Forms::of_puzzle`] makes `isomorphs` forms of each puzzle.
    pub(super) fn new(puzzles: &[Puzzle], isomorphs: usize, seed: u64) -> Forms {
        Forms { isomorphs, seed, keys: puzzles.iter().map(draw_key).collect() }
    }

    /// Returns the transformations that make the forms of the puzzle at this position, first form first. `sudobench transform --random`
    /// makes the same forms for the same puzzle and seed. The transformations do not depend on the sample or on the number of forms.
    pub(super) fn of_puzzle(&self, at: usize) -> impl Iterator<Item = Transformation> {
        let (seed, key) = (self.seed, self.keys[at]);
        (0..self.isomorphs as u64).map(move |number| Transformation::draw(seed, key, number))
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::puzzle;
    use super::*;
    use sudobench_rows::Transform;
    use sudobench_sudoku::canonical::Canonicalizer;

    #[test]
    fn forms_are_the_same_as_in_transform() {
        let puzzles = [Puzzle::EMPTY, puzzle(), Puzzle::EMPTY];
        for (isomorphs, seed) in [(1, 1), (3, 7), (9, 7)] {
            let forms = Forms::new(&puzzles, isomorphs, seed);
            let random = Transform::random((isomorphs as u64).try_into().unwrap(), seed);
            for (at, puzzle) in puzzles.iter().enumerate() {
                let written = random.transformations(puzzle, &mut Canonicalizer::default());
                assert_eq!(forms.of_puzzle(at).collect::<Vec<_>>(), written.collect::<Vec<_>>());
            }
        }
    }
}
