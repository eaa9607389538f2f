//! Random numbers from a seed: the same on every machine and in every version.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
///
/// Records contain only seeds, so a seed must give the same numbers in every version. A dependency could change the numbers, so the
/// generator is implemented here.
///
/// ```
/// use sudobench_sudoku::random::Random;
///
/// let mut random = Random::new(1);
/// assert_eq!(random.next_u64(), 10_451_216_379_200_822_465);
/// assert!(random.below(6) < 6);
/// let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
/// random.shuffle(&mut digits);
/// assert_ne!(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Random(u64);

impl Random {
    /// Makes the generator of this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Makes the generator of one stream. Each seed has many independent streams: with one stream for each puzzle, for example, the draws
    /// for one puzzle don't depend on the draws for other puzzles.
    ///
    /// ```
    /// use sudobench_sudoku::random::Random;
    /// assert_eq!(Random::from_stream(1, 0), Random::from_stream(1, 0));
    /// assert_ne!(Random::from_stream(1, 0), Random::from_stream(1, 1));
    /// ```
    pub fn from_stream(seed: u64, stream: u64) -> Random {
        // Different streams have different start states, because each step between the stream number and the state is reversible.
        Random(Random(Random(seed).next_u64() ^ stream).next_u64())
    }

    /// Returns the next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`, or 0 if `bound` is 0. Uses multiplication (Lemire 2019); the bias is below
    /// `bound / 2^64`.
    pub fn below(&mut self, bound: usize) -> usize {
        let product = u128::from(self.next_u64()) * bound as u128;
        // The high half of the product is below `bound`, which is a usize.
        (product >> 64) as usize
    }

    /// Shuffles `items` (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Returns the random generator for draw number `number`, from 0, of the puzzle or row that `key` identifies. The same seed, key and
/// number give the same generator on every machine and in every version.
///
/// ```
/// use sudobench_sudoku::random::{DrawKey, draw};
///
/// let key = DrawKey::from_row(7);
/// assert_eq!(draw(1, key, 0), draw(1, key, 0));
/// assert_ne!(draw(1, key, 0), draw(1, key, 1));
/// assert_ne!(draw(1, key, 0), draw(2, key, 0));
/// assert_ne!(draw(1, key, 0), draw(1, DrawKey::from_row(8), 0));
/// ```
pub fn draw(seed: u64, key: DrawKey, number: u64) -> Random {
    // For one seed and key, different numbers give different start states, because each step from the number to the state is reversible.
    Random::new(Random::new(key.seeded(seed) ^ number).next_u64())
}

/// Identifies the puzzle or row for which random numbers are drawn. The draws for one key don't depend on the other keys or on the order of
/// the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DrawKey(u128);

impl DrawKey {
    /// Makes the key of a puzzle, or of anything else with a fingerprint of 128 evenly distributed bits. Equal fingerprints get equal
    /// draws.
    pub const fn from_fingerprint(fingerprint: u128) -> DrawKey {
        DrawKey(fingerprint)
    }

    /// Makes the key of a row from its number. Equal puzzles in two rows get different draws.
    pub fn from_row(row: u64) -> DrawKey {
        DrawKey::from_random(Random::from_stream(ROW, row))
    }

    /// Makes the key of a puzzle from its index in one epoch of a training run. The puzzle gets different draws in each epoch.
    pub fn from_epoch(epoch: u64, index: u64) -> DrawKey {
        DrawKey::from_random(Random::from_stream(Random::from_stream(EPOCH, epoch).next_u64(), index))
    }

    fn from_random(mut random: Random) -> DrawKey {
        DrawKey(u128::from(random.next_u64()) << 64 | u128::from(random.next_u64()))
    }

    /// Mixes the key with a seed. The result is a seed that depends on both.
    pub fn seeded(self, seed: u64) -> u64 {
        Random::new(seed ^ self.0 as u64).next_u64() ^ (self.0 >> 64) as u64
    }
}

/// Seeds of the generators that make keys. The two seeds differ, so that the keys of rows differ from the keys of epochs.
const ROW: u64 = u64::from_be_bytes(*b"     row");
const EPOCH: u64 = u64::from_be_bytes(*b"   epoch");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_the_reference_implementation() {
        let mut random = Random::new(1_234_567);
        let first: [u64; 3] = std::array::from_fn(|_| random.next_u64());
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn draws_are_the_same_in_every_version() {
        let fingerprint = DrawKey::from_fingerprint(0x2dcd_d0ef_5581_69d5_2424_de47_9cf0_07a2);
        let drawn = [fingerprint, DrawKey::from_row(3), DrawKey::from_epoch(3, 0)]
            .map(|key| [0, 1].map(|number| draw(1, key, number).next_u64()));
        let expected = [
            [7_425_334_667_931_512_078, 8_297_238_749_152_192_332],
            [13_878_171_878_592_404_790, 11_372_754_545_737_652_616],
            [2_791_026_785_533_641_450, 4_360_471_285_680_985_481],
        ];
        assert_eq!(drawn, expected);
    }

    #[test]
    fn keys_of_rows_and_epochs_differ() {
        let rows = (0..100).map(DrawKey::from_row);
        let epochs = (0..100).map(|at| DrawKey::from_epoch(at % 10, at / 10));
        let keys: std::collections::HashSet<DrawKey> = rows.chain(epochs).collect();
        assert_eq!(keys.len(), 200);
        // The seed and the number of a row are not interchangeable.
        assert_ne!(draw(1, DrawKey::from_row(2), 0), draw(2, DrawKey::from_row(1), 0));
    }

    #[test]
    fn a_shuffle_is_a_permutation_that_its_seed_decides() {
        let shuffled = |seed| {
            let mut items: Vec<usize> = (0..100).collect();
            Random::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(1);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
        assert_eq!(Random::new(1).below(0), 0);
    }
}
