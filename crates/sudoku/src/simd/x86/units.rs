//! Checks that grids hold every digit once in each unit, by permuting bytes.
//!
//! ```text
//! digit     1 to 8 become a byte with one bit set, bit 0 to 7; a 9 becomes 0
//! slice i   cell i of each of the 27 units, a byte each. A register holds two slices, so five permutations make all nine slices
//! unit      the OR of the unit's nine bytes must have all eight bits. A byte has at most one bit, so eight of the nine cells must be the
//!           digits 1 to 8, and at most one cell is a 9 or not a digit
//! ```
//! Values above 9 are rejected separately. Each unit has at most one 9, so if the number of 9s is nine times the number of grids, each unit
//! has exactly one.

use std::arch::x86_64::*;

/// The token for AVX-512 with byte permutations over two registers (VBMI).
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitsOfGrids(());

impl UnitsOfGrids {
    /// Returns the token if the CPU has the features.
    pub(crate) fn detect() -> Option<UnitsOfGrids> {
        let found = super::Avx512::detect().is_some() && is_x86_feature_detected!("avx512vbmi");
        found.then_some(UnitsOfGrids(()))
    }

    /// Returns whether all grids keep their clues and hold every digit once in each unit. Each item has the clues of a grid (0 for a
    /// blank), the grid, and optionally a place to which the grid is written.
    pub(crate) fn all_valid<'g>(
        self,
        grids: impl Iterator<Item = (&'g [u8; 81], &'g [u8; 81], Option<&'g mut [u8; 81]>)>,
    ) -> bool {
        // SAFETY: `self` exists only where `detect` found every feature.
        unsafe { all_valid(grids) }
    }
}

/// Start of the second window of 64 cells.
const SECOND: usize = 81 - 64;

/// Indices with which `_mm512_permutex2var_epi8` gathers cells from the two windows of a grid into five registers. An index from 64 on
/// stands for byte `index - 64` of the second window. Each register holds two slices of 32 bytes; slice `n` has cell `n` of each unit.
const SLICES: [[u8; 64]; 5] = {
    let mut slices = [[0; 64]; 5];
    let mut at = 0;
    while at < 5 * 64 {
        // To fill the registers, the last slice and some units occur twice.
        let (slice, unit) = if at / 32 < 9 { (at / 32, at % 32 % 27) } else { (8, at % 32 % 27) };
        let cell = match unit {
            0..9 => unit * 9 + slice,
            9..18 => slice * 9 + unit - 9,
            _ => (unit - 18) / 3 * 27 + (unit - 18) % 3 * 3 + slice / 3 * 9 + slice % 3,
        };
        slices[at / 64][at % 64] = if cell < 64 { cell } else { cell - SECOND + 64 } as u8;
        at += 1;
    }
    slices
};

/// The bit of each digit. The table is repeated for each 16 bytes of a register, because `_mm512_shuffle_epi8` looks up bytes only within
/// 16 bytes.
const BITS: [u8; 64] = {
    let mut bits = [0; 64];
    let mut at = 0;
    while at < 64 {
        if at % 16 >= 1 && at % 16 <= 8 {
            bits[at] = 1 << (at % 16 - 1);
        }
        at += 1;
    }
    bits
};

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn all_valid<'g>(
    clues_cells_and_places: impl Iterator<Item = (&'g [u8; 81], &'g [u8; 81], Option<&'g mut [u8; 81]>)>,
) -> bool {
    // SAFETY: the slice has 64 bytes, and the load needs no alignment.
    let load = |bytes: &[u8; 64]| unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
    let (bits, slices, nine) = (load(&BITS), SLICES, _mm512_set1_epi8(9));
    let slices = [load(&slices[0]), load(&slices[1]), load(&slices[2]), load(&slices[3]), load(&slices[4])];
    let (mut grids, mut nines, mut changed) = (0, 0, 0);
    let mut largest = _mm512_setzero_si512();
    let full = _mm256_set1_epi8(-1);
    let mut units = full;
    for (clues, cells, place) in clues_cells_and_places {
        let ([clues_0, clues_1], [cells_0, cells_1]) = (windows(clues), windows(cells));
        if let Some(place) = place {
            // SAFETY: `[..64]` and `[SECOND..]` are 64 bytes each, and the stores need no alignment.
            unsafe {
                _mm512_storeu_si512(place[..64].as_mut_ptr().cast(), cells_0);
                _mm512_storeu_si512(place[SECOND..].as_mut_ptr().cast(), cells_1);
            }
        }
        changed |= _mm512_mask_cmpneq_epi8_mask(_mm512_test_epi8_mask(clues_0, clues_0), clues_0, cells_0);
        changed |= _mm512_mask_cmpneq_epi8_mask(_mm512_test_epi8_mask(clues_1, clues_1), clues_1, cells_1);
        largest = _mm512_max_epu8(largest, _mm512_max_epu8(cells_0, cells_1));
        nines += u64::from(_mm512_cmpeq_epi8_mask(cells_0, nine).count_ones());
        nines += u64::from((_mm512_cmpeq_epi8_mask(cells_1, nine) >> (64 - SECOND)).count_ones());
        grids += 1;
        let (bits_0, bits_1) = (_mm512_shuffle_epi8(bits, cells_0), _mm512_shuffle_epi8(bits, cells_1));
        let mut joined = _mm512_permutex2var_epi8(bits_0, slices[0], bits_1);
        for slice in &slices[1..] {
            joined = _mm512_or_si512(joined, _mm512_permutex2var_epi8(bits_0, *slice, bits_1));
        }
        let halves = (_mm512_castsi512_si256(joined), _mm512_extracti64x4_epi64::<1>(joined));
        units = _mm256_and_si256(units, _mm256_or_si256(halves.0, halves.1));
    }
    let all_digits = _mm512_cmpgt_epu8_mask(largest, nine) == 0;
    let all_units = _mm256_cmpneq_epi8_mask(units, full) == 0;
    changed == 0 && all_digits && all_units && nines == 9 * grids
}

/// Returns the first 64 cells and the last 64.
#[inline]
#[target_feature(enable = "avx512f")]
fn windows(cells: &[u8; 81]) -> [__m512i; 2] {
    // SAFETY: `[..64]` and `[SECOND..]` are 64 bytes each, and the loads need no alignment.
    unsafe {
        [_mm512_loadu_si512(cells[..64].as_ptr().cast()), _mm512_loadu_si512(cells[SECOND..].as_ptr().cast())]
    }
}
