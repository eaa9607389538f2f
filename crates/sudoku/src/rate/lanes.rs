//! Grids side by side in vectors. Naked and hidden singles are filled in all grids of a vector at the same time.
//!
//! ```text
//!                      lane 1   lane 2   ..  lane 16
//!   first minirow    [ word     word         word    ]     one minirow of all grids
//!   ..
//!   last minirow     [ word     word         word    ]
//! ```
//!
//! A vector holds the words of as many grids as fit. If the grids need several vectors, the vectors are processed one after the other. All
//! lanes of a vector take as many steps as its slowest lane.

use super::candidates::{Candidates, Rules};
use crate::puzzle::minirows::{Candidate, MinirowWord, Minirows};
use crate::simd::{self, Build, Kernel, Simd, Word};

/// Number of grids, which is the number of words in an AVX-512 register.
pub(super) const LANES: usize = 16;

/// Grids side by side. Each `u64` element contains one word of each of two grids.
#[derive(Clone)]
pub(super) struct Lanes {
    /// Indexed by stack, row and pair of grids.
    elements: [[[u64; LANES / 2]; 9]; 3],
    /// Number of lanes in use. These are the first lanes.
    used: usize,
}

impl Lanes {
    /// Makes lanes that are copies of a grid. All lanes are unused until [`Lanes::assume`] is called.
    pub(super) fn new(grid: &Candidates) -> Lanes {
        let mut elements = [[[0; LANES / 2]; 9]; 3];
        for (elements, &word) in elements.as_flattened_mut().iter_mut().zip(grid.0.as_flattened()) {
            *elements = [in_both_halves(word); LANES / 2];
        }
        Lanes { elements, used: 0 }
    }

    /// Takes the next unused lane. In its grid, assumes that the candidate is true: removes all other candidates of the cell.
    pub(super) fn assume(&mut self, candidate: Candidate) {
        let element = &mut self.elements[candidate.stack][candidate.row][self.used / 2];
        *element &= !(u64::from(candidate.others()) << (32 * (self.used % 2)));
        self.used += 1;
    }

    /// Fills singles in all grids. Returns a bit for each lane with a contradiction.
    pub(super) fn follow_singles(&mut self) -> u32 {
        simd::build_widest(FollowSingles(self))
    }

    pub(super) fn grid(&self, lane: usize) -> Candidates {
        let mut words: Minirows = [[0; 9]; 3];
        for (word, elements) in words.as_flattened_mut().iter_mut().zip(self.elements.as_flattened()) {
            *word = (elements[lane / 2] >> (32 * (lane % 2))) as u32;
        }
        Candidates(words)
    }
}

/// Returns an element (two lanes) with this word in both lanes.
#[inline(always)]
fn in_both_halves(word: u32) -> u64 {
    u64::from(word) << 32 | u64::from(word)
}

impl<W: Word> MinirowWord for W {
    #[inline(always)]
    fn left<const BY: i32>(self) -> W {
        self.shifted_left::<BY>()
    }

    #[inline(always)]
    fn right<const BY: i32>(self) -> W {
        self.shifted_right::<BY>()
    }

    #[inline(always)]
    fn plus(self, other: W) -> W {
        Word::plus(self, other)
    }

    #[inline(always)]
    fn minus(self, other: W) -> W {
        Word::minus(self, other)
    }
}

struct FollowSingles<'l>(&'l mut Lanes);

impl Build for FollowSingles<'_> {
    type Output = u32;

    fn build<S: Simd<N>, const N: usize>(self, simd: S) -> u32 {
        simd.call(FollowSinglesAt { simd, lanes: self.0 })
    }
}

/// Fills singles in all grids at one vector width.
struct FollowSinglesAt<'l, S, const N: usize> {
    simd: S,
    lanes: &'l mut Lanes,
}

impl<S: Simd<N>, const N: usize> Kernel for FollowSinglesAt<'_, S, N> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let FollowSinglesAt { simd, lanes: Lanes { elements, used } } = self;
        let rules = Rules::new(
            #[inline(always)]
            |word| simd.word([in_both_halves(word); N]),
        );
        let mut refuted = 0;
        let mut first = 0;
        while 2 * first < *used {
            let mut words = [[simd.zero(); 9]; 3];
            for stack in 0..3 {
                for row in 0..9 {
                    let mut part = [0; N];
                    part.copy_from_slice(&elements[stack][row][first..first + N]);
                    words[stack][row] = simd.word(part);
                }
            }
            let mut bad = simd.zero();
            loop {
                let (singles, none) = rules.singles(&words);
                let (removed, twice) = rules.fill(&mut words, &singles);
                bad = bad | none | twice;
                if !is_open(removed.bits(), bad.bits()) {
                    break;
                }
            }
            for stack in 0..3 {
                for row in 0..9 {
                    elements[stack][row][first..first + N].copy_from_slice(&words[stack][row].bits());
                }
            }
            let bad = bad.bits();
            for element in 0..N {
                let halves = u32::from(bad[element] as u32 != 0) | u32::from(bad[element] >> 32 != 0) << 1;
                refuted |= halves << (2 * (first + element));
            }
            first += N;
        }
        refuted
    }
}

/// Returns whether some grid without a contradiction has lost candidates, so that another step is needed.
#[inline(always)]
fn is_open<const N: usize>(removed: [u64; N], bad: [u64; N]) -> bool {
    let mut is_open = false;
    for element in 0..N {
        is_open |= removed[element] as u32 != 0 && bad[element] as u32 == 0;
        is_open |= removed[element] >> 32 != 0 && bad[element] >> 32 == 0;
    }
    is_open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::at_every_level;

    /// Tries assumptions side by side and one after the other, and checks that the resulting grids are equal.
    #[derive(Clone, Copy)]
    struct Check;

    impl Build for Check {
        type Output = ();

        fn build<S: Simd<N>, const N: usize>(self, simd: S) {
            let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
            let grid = Candidates::new(&puzzle.parse().unwrap());
            let candidates = (0..3).flat_map(|stack| (0..9).map(move |row| (stack, row)));
            let places: Vec<Candidate> = candidates
                .flat_map(|(stack, row)| (0..30).map(move |bit| Candidate { stack, row, bit }))
                .filter(|place| grid.0[place.stack][place.row] >> place.bit & 1 == 1)
                .collect();
            let mut contradictions = 0;
            for places in places.chunks(LANES) {
                let mut lanes = Lanes::new(&grid);
                places.iter().for_each(|&place| lanes.assume(place));
                let refuted = simd.call(FollowSinglesAt { simd, lanes: &mut lanes });
                for (lane, place) in places.iter().enumerate() {
                    let mut alone = grid;
                    alone.0[place.stack][place.row] &= !place.others();
                    let is_refuted = alone.follow_singles().is_err();
                    assert_eq!(refuted >> lane & 1 == 1, is_refuted, "{place:?}");
                    assert!(is_refuted || lanes.grid(lane) == alone, "{place:?}");
                    contradictions += usize::from(is_refuted);
                }
            }
            assert!((1..places.len()).contains(&contradictions), "{contradictions}");
        }
    }

    #[test]
    fn every_level_follows_singles_as_one_grid_does() {
        at_every_level(Check);
    }
}
