//! Fingerprints, which identify a grid among millions of others.

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::random::DrawKey;
use twox_hash::XxHash3_128;

/// Returns the fingerprint of a grid: the XXH3-128 hash of its 81 values, without a seed. The hash is the same on every machine and in
/// every implementation of XXH3-128.
///
/// Equal grids have equal fingerprints. The probability that any two of `n` different grids have the same fingerprint by chance is about n²
/// / 2¹²⁹, which is 1.5 × 10⁻²⁵ for 10⁷ grids. This is no protection against grids that were constructed to have the same fingerprint.
///
/// ```
/// use sudobench_rows::fingerprint;
/// use sudobench_sudoku::Puzzle;
///
/// assert_eq!(fingerprint(Puzzle::EMPTY.values()), 0xb0aba49cb33917bd639f20646a1ec336);
/// ```
#[inline]
pub fn fingerprint(values: &[u8; CELLS]) -> u128 {
    XxHash3_128::oneshot(values)
}

/// Returns the 128-bit fingerprint of a text, with the same hash function as [`fingerprint`].
pub(crate) fn fingerprint_of_text(text: &[u8]) -> u128 {
    XxHash3_128::oneshot(text)
}

/// Returns the key for the random draws of a puzzle, such as the draw of its random forms. Equal puzzles have equal keys.
#[inline]
pub fn draw_key(puzzle: &Puzzle) -> DrawKey {
    DrawKey::from_fingerprint(fingerprint(puzzle.values()))
}

#[cfg(test)]
mod tests {
    use sudobench_sudoku::Puzzle;

    use super::fingerprint;

    /// The fingerprint of a puzzle decides, for example, its part for `dedupe --part` and its random draws, so the fingerprint must never
    /// change. `xxhash.xxh3_128_hexdigest` in Python returns the same number.
    #[test]
    fn fingerprints_agree_with_the_reference() {
        let puzzle: Puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        assert_eq!(fingerprint(puzzle.values()), 0x2dcdd0ef558169d52424de479cf007a2);
    }

    #[test]
    fn grids_that_differ_in_one_cell_differ_in_their_fingerprints() {
        let mut seen = vec![fingerprint(&[0; 81])];
        for cell in 0..81 {
            for value in 1..=9 {
                let mut values = [0; 81];
                values[cell] = value;
                seen.push(fingerprint(&values));
            }
        }
        seen.sort_unstable();
        assert!(seen.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
