//! Finds equal clues in one box, a contradiction that the inference of `bitboard` doesn't find immediately.

use crate::simd::CellSet;

/// Returns whether some box holds a digit twice, given the cells of each value.
///
/// If two equal clues are in different boxes of a row or column, their digit cannot be placed in all three boxes of the band or stack, so
/// the first pass finds the contradiction. If they are in one box, both stay. The contradiction then appears only when some other digit has
/// no place. On a nearly empty grid, the search may run practically forever before that happens. So equal clues in a box are looked for
/// before the first guess.
///
/// ```text
///   the clues of a digit        fold the rows     fold the columns of each box     fewer bits (one a box)
///   in a band                                                                      than clues?
///   .1. ... ...
///   ... ... 1..              -> .1. ... 1.1    -> 1.. ... 1..                      two of three: yes
///   ... ... ..1
/// ```
#[inline(always)]
pub(super) fn box_has_twice(sets: &[CellSet; 10]) -> bool {
    /// The top left cell of each box of two bands. The 54 cells of the two bands are the lowest bits.
    const CORNERS: u64 = 0o111 | 0o111 << 27;
    let mut doubled = 0;
    for set in &sets[1..] {
        let two_bands = set.low & ((1 << 54) - 1);
        let last_band = set.low >> 54 | set.high << 10;
        let mut boxes = 0;
        for bands in [two_bands, last_band] {
            let rows = bands | bands >> 9 | bands >> 18;
            boxes += ((rows | rows >> 1 | rows >> 2) & CORNERS).count_ones();
        }
        doubled |= boxes ^ (set.low.count_ones() + set.high.count_ones());
    }
    doubled != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Puzzle;
    use crate::simd::{Baseline, Simd};

    #[test]
    fn every_pair_in_a_box_is_found_and_no_other() {
        for first in 0..81 {
            for second in first + 1..81 {
                let mut values = [0; 81];
                values[first] = 7;
                values[second] = 7;
                let puzzle = Puzzle::try_from(values).unwrap();
                let box_of = |cell: usize| (cell / 27, cell % 9 / 3);
                let found = box_has_twice(&Baseline.cells_by_value(puzzle.values()));
                assert_eq!(found, box_of(first) == box_of(second), "{first} {second}");
            }
        }
    }
}
