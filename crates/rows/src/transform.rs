//! The equivalent forms of a puzzle that `transform` writes.

use std::num::NonZeroU64;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::isomorph::{ChangeKinds, Transformation};
use sudobench_sudoku::random::DrawKey;

use crate::{as_text, draw_key};

/// The forms that are written for each puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transform {
    /// Random forms. Each form is drawn independently, and all forms are equally likely. So two of the forms may be the same.
    ///
    /// Each form depends only on the seed, the kinds of changes, the puzzle and the number of the form, and is the same in every version.
    /// So equal puzzles have equal forms, in any order and on any machine. With [`Draws`], each row can have its own seed, and the forms of
    /// a row can depend on the row number instead of the puzzle.
    Random {
        /// Number of forms.
        #[serde(rename = "random")]
        forms: NonZeroU64,
        /// The seed.
        seed: u64,
        /// The kinds of changes.
        #[serde(default, with = "as_text", skip_serializing_if = "are_all")]
        kinds: ChangeKinds,
        /// Whether the puzzle itself comes before its forms.
        #[serde(default, skip_serializing_if = "is_left_out")]
        include_original: bool,
    },
    /// The form made by this transformation.
    Apply(#[serde(with = "as_text")] Transformation),
    /// The canonical form.
    Canonical,
}

/// Returns whether all kinds of changes are made. If so, the field is not stored, so that the stored job is equal to the same job in older
/// records, which lack the field.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn are_all(kinds: &ChangeKinds) -> bool {
    *kinds == ChangeKinds::ALL
}

/// Returns whether the original puzzle is left out. If so, the field is not stored, so that the stored job is equal to the same job in
/// older records, which lack the field.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_left_out(include_original: &bool) -> bool {
    !include_original
}

impl Transform {
    /// Requests random forms with all kinds of changes, without the puzzle itself.
    pub fn random(forms: NonZeroU64, seed: u64) -> Transform {
        Transform::Random { forms, seed, kinds: ChangeKinds::ALL, include_original: false }
    }

    /// Returns the number of forms that are written for each puzzle, with the puzzle itself if it is included.
    pub fn forms(&self) -> u64 {
        match self {
            Transform::Random { forms, include_original, .. } => {
                forms.get().saturating_add(u64::from(*include_original))
            }
            Transform::Apply(_) | Transform::Canonical => 1,
        }
    }

    /// Returns the transformations that lead to the forms of a puzzle.
    ///
    /// ```
    /// use sudobench_rows::Transform;
    /// use sudobench_sudoku::Puzzle;
    /// use sudobench_sudoku::canonical::Canonicalizer;
    ///
    /// let random = Transform::random(3.try_into()?, 1);
    /// let mut transformations = random.transformations(&Puzzle::EMPTY, &mut Canonicalizer::default());
    /// assert_eq!(transformations.next().unwrap().to_string(), "r132456789c897132456d876314529");
    /// assert_eq!(transformations.len(), 2);
    /// # Ok::<(), std::num::TryFromIntError>(())
    /// ```
    pub fn transformations(&self, puzzle: &Puzzle, canonicalizer: &mut Canonicalizer) -> Transformations {
        let way = match self {
            &Transform::Random { seed, kinds, include_original, .. } => {
                Way::Random { seed, key: draw_key(puzzle), kinds, include_original }
            }
            Transform::Apply(transformation) => Way::Always(*transformation),
            Transform::Canonical => Way::Always(canonicalizer.canonical(puzzle).transformation),
        };
        Transformations { way, left: 0..self.forms() }
    }
}

/// Additional data that decides the random forms of rows in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draws {
    /// A seed for each row, instead of the seed of the transform.
    pub seeds: Option<Vec<u64>>,
    /// Whether the random transformations of a row depend on the row's number instead of its puzzle. If so, equal puzzles in two rows
    /// usually get different forms.
    pub by_row: bool,
}

impl Draws {
    /// Returns the transformations of the puzzle in row `row`. Rows are numbered from 0.
    pub fn transformations(
        &self,
        transform: &Transform,
        row: usize,
        puzzle: &Puzzle,
        canonicalizer: &mut Canonicalizer,
    ) -> Transformations {
        let mut transformations = transform.transformations(puzzle, canonicalizer);
        if let Way::Random { seed, key, .. } = &mut transformations.way {
            if let Some(&own) = self.seeds.as_ref().and_then(|seeds| seeds.get(row)) {
                *seed = own;
            }
            if self.by_row {
                *key = DrawKey::from_row(row as u64);
            }
        }
        transformations
    }
}

/// The transformations that lead to a puzzle's forms, in the order of the forms.
#[derive(Clone, Debug)]
pub struct Transformations {
    way: Way,
    left: Range<u64>,
}

#[derive(Clone, Debug)]
enum Way {
    Random { seed: u64, key: DrawKey, kinds: ChangeKinds, include_original: bool },
    Always(Transformation),
}

impl Transformations {
    /// Limits the iterator to these forms, numbered from 0.
    pub(crate) fn only(self, forms: Range<u64>) -> Transformations {
        Transformations { left: forms, ..self }
    }
}

impl Iterator for Transformations {
    type Item = Transformation;

    #[inline]
    fn next(&mut self) -> Option<Transformation> {
        let number = self.left.next()?;
        Some(match &self.way {
            Way::Always(transformation) => *transformation,
            Way::Random { include_original: true, .. } if number == 0 => Transformation::identity(),
            &Way::Random { seed, key, kinds, include_original } => {
                Transformation::draw_of(kinds, seed, key, number - u64::from(include_original))
            }
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left.end - self.left.start).unwrap_or(usize::MAX);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Transformations {}

/// Returns the random transformations of a puzzle, as [`Transform::Random`] draws them.
pub(crate) fn random_transformations(puzzle: &Puzzle, forms: NonZeroU64, seed: u64) -> Transformations {
    let way = Way::Random { seed, key: draw_key(puzzle), kinds: ChangeKinds::ALL, include_original: false };
    Transformations { way, left: 0..forms.get() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_forms_in_every_version() {
        let puzzle: Puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let forms = |seed, count: u64| {
            let random = Transform::random(count.try_into().unwrap(), seed);
            random
                .transformations(&puzzle, &mut Canonicalizer::default())
                .map(|one| one.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(forms(1, 2), ["r123654798c789132546d967523148", "r123654879c132798465d297643815"]);
        assert_eq!(forms(1, 5)[..2], forms(1, 2));
        assert!(forms(1, 50).iter().all(|form| !forms(2, 50).contains(form)));
    }

    #[test]
    fn rows_can_have_their_own_seed_or_number() {
        let random = Transform::random(2.try_into().unwrap(), 1);
        let forms = |draws: &Draws, row| {
            let puzzle = Puzzle::EMPTY;
            draws.transformations(&random, row, &puzzle, &mut Canonicalizer::default()).collect::<Vec<_>>()
        };
        let plain = forms(&Draws::default(), 0);
        let seeds = Draws { seeds: Some(vec![2, 1]), by_row: false };
        assert_eq!(plain, forms(&Draws::default(), 1));
        assert_eq!(plain, forms(&seeds, 1), "the seed of the transform");
        assert_ne!(plain, forms(&seeds, 0));
        let by_row = Draws { by_row: true, ..Draws::default() };
        assert_ne!(forms(&by_row, 0), forms(&by_row, 1));
        let row = Transformation::draw(1, DrawKey::from_row(1), 0);
        assert_eq!(forms(&by_row, 1)[0], row);
        assert_eq!(forms(&Draws { by_row: true, ..seeds }, 1)[0], row);
    }

    #[test]
    fn the_puzzle_itself_may_come_first() {
        let forms = |include_original| {
            let random = Transform::Random {
                forms: 3.try_into().unwrap(),
                seed: 1,
                kinds: ChangeKinds::ALL,
                include_original,
            };
            let all = random.transformations(&Puzzle::EMPTY, &mut Canonicalizer::default());
            (random.forms(), all.collect::<Vec<_>>())
        };
        let (number, with_original) = forms(true);
        assert_eq!((number, with_original.len()), (4, 4));
        assert_eq!(with_original[0], Transformation::identity());
        assert_eq!(with_original[1..], forms(false).1);
    }

    #[test]
    fn forms_are_drawn_evenly() {
        const DRAWS: u64 = 9_000;
        let random = Transform::random(DRAWS.try_into().unwrap(), 7);
        let mut became = [[0_u64; 10]; 10];
        for transformation in random.transformations(&Puzzle::EMPTY, &mut Canonicalizer::default()) {
            let digits: [u8; 81] = std::array::from_fn(|cell| b'1' + (cell % 9) as u8);
            let form = transformation.apply_to_text(&digits);
            let at = transformation.cells().iter().position(|&cell| cell < 9).unwrap();
            let from = usize::from(transformation.cells()[at]);
            became[from % 9 + 1][usize::from(form[at] - b'0')] += 1;
        }
        let drawn: Vec<u64> = became[1..].iter().map(|digits| digits.iter().sum()).collect();
        assert!(
            became[1..]
                .iter()
                .zip(&drawn)
                .all(|(digits, drawn)| { digits[1..].iter().all(|&count| count.abs_diff(drawn / 9) < 60) }),
            "{became:?}"
        );
    }
}
