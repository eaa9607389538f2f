//! Randomness from a seed: the same numbers on every machine and in every version.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
///
/// Written out here because a record names its seed: the permutation that it stands for may not change with a
/// dependency.
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
    /// The generator of this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The generator of one of many streams of a seed, each of which stands for itself: what is drawn for a puzzle does not depend on
    /// who draws for the others.
    ///
    /// ```
    /// use sudobench_sudoku::random::Random;
    /// assert_eq!(Random::of_stream(1, 0), Random::of_stream(1, 0));
    /// assert_ne!(Random::of_stream(1, 0), Random::of_stream(1, 1));
    /// ```
    pub fn of_stream(seed: u64, stream: u64) -> Random {
        // Two streams never start alike: what is between the number and the state can be undone.
        Random(Random(Random(seed).next_u64() ^ stream).next_u64())
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, or 0 where `bound` is 0. By multiplication (Lemire 2019); the bias is below
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
