//! Converts between 81 bytes and sets of cells: which cells hold a value, and which value each cell holds.
//!
//! The 81 bytes are read as two overlapping windows of 64 bytes, so that no byte outside the grid is touched. AVX-512 also writes them as
//! these windows:
//!
//! ```text
//!  cell   0        17                 63 64          80
//!         [------- first window --------]
//!                  [-------- last window ------------]   its last 17 cells are 64 to 80
//! ```

use super::CellSet;

/// Number of bytes before the last window.
const SHIFT: usize = 81 - 64;

#[inline(always)]
fn windows(values: &[u8; 81]) -> [&[u8]; 2] {
    [&values[..64], &values[SHIFT..]]
}

/// Makes a set of cells from its masks in both windows.
#[inline(always)]
fn set_of_masks(first: u64, last: u64) -> CellSet {
    CellSet { low: first, high: last >> (64 - (81 - 64)) }
}

/// Implements `Simd::cells_by_value` without vector instructions: compares eight bytes at once, as one `u64`.
#[inline(always)]
pub(super) fn cells_by_value(values: &[u8; 81]) -> [CellSet; 10] {
    let masks = windows(values).map(|window| {
        let mut masks = [0u64; 10];
        for (at, chunk) in window.as_chunks::<8>().0.iter().enumerate() {
            for (value, mask) in masks.iter_mut().enumerate() {
                *mask |= equal_bytes(u64::from_le_bytes(*chunk), value as u8) << (8 * at);
            }
        }
        masks
    });
    std::array::from_fn(|value| set_of_masks(masks[0][value], masks[1][value]))
}

/// Returns a number in which bit `i` is set if byte `i` of `bytes` equals `value`. All bytes and `value` must be below 128.
#[inline(always)]
fn equal_bytes(bytes: u64, value: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let differing = bytes ^ (ONES * u64::from(value));
    let equal = !(differing + 0x7f * ONES) >> 7 & ONES;
    equal.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Implements `Simd::values_of_cells` without vector instructions: builds four bit planes, one for each bit of a digit, and expands them to
/// bytes, eight cells at a time.
#[inline(always)]
pub(super) fn values_of_cells(cells: &[CellSet; 9], values: &mut [u8; 81]) {
    let mut planes = [CellSet::default(); 4];
    for (digit, set) in cells.iter().enumerate() {
        for (bit, plane) in planes.iter_mut().enumerate() {
            if (digit + 1) >> bit & 1 == 1 {
                plane.low |= set.low;
                plane.high |= set.high;
            }
        }
    }
    for first in [0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 73] {
        let at = |set: &CellSet| match first {
            0..64 => set.low >> first,
            _ => set.high >> (first - 64),
        };
        let mut eight = 0;
        for (bit, plane) in planes.iter().enumerate() {
            eight |= spread(at(plane) as u8) << bit;
        }
        values[first..first + 8].copy_from_slice(&u64::to_le_bytes(eight));
    }
}

/// Expands bit `i` of `bits` to byte `i`, 0 or 1.
#[inline(always)]
fn spread(bits: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let one_bit_a_byte = (u64::from(bits) * ONES) & 0x8040_2010_0804_0201;
    (one_bit_a_byte + 0x7f * ONES) >> 7 & ONES
}

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(super) mod aarch64 {
    use std::arch::aarch64::*;
    use std::mem::transmute;

    use super::{CellSet, set_of_masks, windows};

    /// One bit for each of eight cells, repeated in the second half of the vector.
    const EIGHT: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

    /// Like [`super::cells_by_value`], but builds four bit planes, from 16 bytes at once, and combines the planes.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(in crate::simd) fn cells_by_value_neon(values: &[u8; 81]) -> [CellSet; 10] {
        let [first, last] = windows(values);
        let mut planes = [vdupq_n_u8(0); 4];
        for (bit, plane) in planes.iter_mut().enumerate() {
            // Each byte has the bits of four cells. Adding neighbouring bytes gives bytes with the bits of eight cells, and puts both
            // windows into one vector.
            *plane = vpaddq_u8(cells_with_bit(first, 1 << bit), cells_with_bit(last, 1 << bit));
        }
        let [ones, twos, fours, eights] = planes;
        let small = vmvnq_u8(vorrq_u8(eights, fours));
        let by_rest = [
            vmvnq_u8(vorrq_u8(ones, twos)),
            vbicq_u8(ones, twos),
            vbicq_u8(twos, ones),
            vandq_u8(ones, twos),
        ];
        let mut sets = [CellSet::default(); 10];
        for (value, set) in sets.iter_mut().enumerate() {
            let masks = vandq_u8([small, fours, eights][value / 4], by_rest[value % 4]);
            let masks = vreinterpretq_u64_u8(masks);
            *set = set_of_masks(vgetq_lane_u64::<0>(masks), vgetq_lane_u64::<1>(masks));
        }
        sets
    }

    /// Returns which cells of a window have this bit in their value. A byte of the result has the bits of four cells, so the caller must
    /// still add neighbouring bytes.
    #[inline]
    #[target_feature(enable = "neon")]
    fn cells_with_bit(window: &[u8], bit: u8) -> uint8x16_t {
        let mut cells = [vdupq_n_u8(0); 4];
        for (cells, chunk) in cells.iter_mut().zip(window.as_chunks::<16>().0) {
            *cells = vandq_u8(vtstq_u8(sixteen(*chunk), vdupq_n_u8(bit)), sixteen(EIGHT));
        }
        vpaddq_u8(vpaddq_u8(cells[0], cells[1]), vpaddq_u8(cells[2], cells[3]))
    }

    /// Like [`super::values_of_cells`], but expands 16 cells at a time.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(in crate::simd) fn values_of_cells_neon(cells: &[CellSet; 9], values: &mut [u8; 81]) {
        let mut planes = [vdupq_n_u64(0); 4];
        for (digit, set) in cells.iter().enumerate() {
            for (bit, plane) in planes.iter_mut().enumerate() {
                if (digit + 1) >> bit & 1 == 1 {
                    *plane = vorrq_u64(*plane, vcombine_u64(vcreate_u64(set.low), vcreate_u64(set.high)));
                }
            }
        }
        for (at, chunk) in values.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            *chunk = bytes(values_of_planes(planes, 2 * at as u8));
        }
        // The last 16 cells overlap with the cells that the loop has written. They start at bit 65, so a shift by one bit moves them to a
        // byte boundary.
        for plane in &mut planes {
            *plane = vshrq_n_u64::<1>(*plane);
        }
        if let Some(chunk) = values.last_chunk_mut::<16>() {
            *chunk = bytes(values_of_planes(planes, 8));
        }
    }

    /// Returns the values of 16 cells whose bits start at byte `byte` of the planes.
    #[inline]
    #[target_feature(enable = "neon")]
    fn values_of_planes(planes: [uint64x2_t; 4], byte: u8) -> uint8x16_t {
        const OF_BYTES: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];
        let place = vaddq_u8(sixteen(OF_BYTES), vdupq_n_u8(byte));
        let mut values = vdupq_n_u8(0);
        for (bit, plane) in planes.into_iter().enumerate() {
            let cells = vtstq_u8(vqtbl1q_u8(vreinterpretq_u8_u64(plane), place), sixteen(EIGHT));
            values = vorrq_u8(values, vandq_u8(cells, vdupq_n_u8(1 << bit)));
        }
        values
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn sixteen(bytes: [u8; 16]) -> uint8x16_t {
        // SAFETY: both sides are 16 bytes of plain bits.
        unsafe { transmute::<[u8; 16], uint8x16_t>(bytes) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn bytes(vector: uint8x16_t) -> [u8; 16] {
        // SAFETY: both sides are 16 bytes of plain bits.
        unsafe { transmute::<uint8x16_t, [u8; 16]>(vector) }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use std::arch::x86_64::*;

    use super::{CellSet, SHIFT, set_of_masks, windows};

    /// Like [`super::cells_by_value`], but compares 16 bytes at once.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(in crate::simd) fn cells_by_value_sse2(values: &[u8; 81]) -> [CellSet; 10] {
        let mut masks = [[0u64; 10]; 2];
        for (masks, window) in masks.iter_mut().zip(windows(values)) {
            for (at, chunk) in window.as_chunks::<16>().0.iter().enumerate() {
                // SAFETY: the chunk is an array of 16 bytes, and the load needs no alignment.
                let chunk = unsafe { _mm_loadu_si128(chunk.as_ptr().cast()) };
                for (value, mask) in masks.iter_mut().enumerate() {
                    let equal = _mm_movemask_epi8(_mm_cmpeq_epi8(chunk, _mm_set1_epi8(value as i8)));
                    *mask |= u64::from(equal as u16) << (16 * at);
                }
            }
        }
        sets_of_masks(&masks)
    }

    /// Like [`super::cells_by_value`], but compares 32 bytes at once.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in crate::simd) fn cells_by_value_avx2(values: &[u8; 81]) -> [CellSet; 10] {
        let mut masks = [[0u64; 10]; 2];
        for (masks, window) in masks.iter_mut().zip(windows(values)) {
            for (at, chunk) in window.as_chunks::<32>().0.iter().enumerate() {
                // SAFETY: the chunk is an array of 32 bytes, and the load needs no alignment.
                let chunk = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
                for (value, mask) in masks.iter_mut().enumerate() {
                    let equal = _mm256_movemask_epi8(_mm256_cmpeq_epi8(chunk, _mm256_set1_epi8(value as i8)));
                    *mask |= u64::from(equal as u32) << (32 * at);
                }
            }
        }
        sets_of_masks(&masks)
    }

    /// Makes the set of cells of each value from its masks in both windows.
    #[inline(always)]
    fn sets_of_masks(masks: &[[u64; 10]; 2]) -> [CellSet; 10] {
        let mut sets = [CellSet::default(); 10];
        for (value, set) in sets.iter_mut().enumerate() {
            *set = set_of_masks(masks[0][value], masks[1][value]);
        }
        sets
    }

    /// Like [`super::cells_by_value`], but compares 64 bytes at once.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(in crate::simd) fn cells_by_value_avx512(values: &[u8; 81]) -> [CellSet; 10] {
        // SAFETY: each window is a slice of 64 bytes, and the loads need no alignment.
        let [first, last] = unsafe {
            let [first, last] = windows(values);
            [_mm512_loadu_si512(first.as_ptr().cast()), _mm512_loadu_si512(last.as_ptr().cast())]
        };
        let mut sets = [CellSet::default(); 10];
        for (value, set) in sets.iter_mut().enumerate() {
            let value = _mm512_set1_epi8(value as i8);
            *set = set_of_masks(_mm512_cmpeq_epi8_mask(first, value), _mm512_cmpeq_epi8_mask(last, value));
        }
        sets
    }

    /// Like [`super::values_of_cells`], but one operation writes a digit into all its cells in a window of 64 cells.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(in crate::simd) fn values_of_cells_avx512(cells: &[CellSet; 9], values: &mut [u8; 81]) {
        let (mut first, mut last) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for (digit, set) in cells.iter().enumerate() {
            let value = _mm512_set1_epi8(digit as i8 + 1);
            let window = set.low >> SHIFT | set.high << (64 - SHIFT);
            first = _mm512_mask_mov_epi8(first, set.low, value);
            last = _mm512_mask_mov_epi8(last, window, value);
        }
        // SAFETY: `[..64]` and `[SHIFT..]` are 64 bytes each, and the stores need no alignment.
        unsafe {
            _mm512_storeu_si512(values[..64].as_mut_ptr().cast(), first);
            _mm512_storeu_si512(values[SHIFT..].as_mut_ptr().cast(), last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::CASES;
    use super::super::{Build, Simd, at_every_level};
    use super::*;
    use crate::random::Random;

    /// Computes the result of `cells_by_value` cell by cell.
    fn by_definition(values: &[u8; 81]) -> [CellSet; 10] {
        let mut sets = [CellSet::default(); 10];
        for (cell, &value) in values.iter().enumerate() {
            let set = &mut sets[usize::from(value)];
            if cell < 64 { set.low |= 1 << cell } else { set.high |= 1 << (cell - 64) }
        }
        sets
    }

    /// Compares the two conversions of one SIMD level with sets that are computed cell by cell.
    fn check<S: Simd<N>, const N: usize>(simd: S, values: &[u8; 81]) {
        assert_eq!(simd.cells_by_value(values), by_definition(values));
        let filled = values.map(|value| value.max(1));
        let sets = by_definition(&filled);
        // The buffer starts with other values, to check that all of them are overwritten.
        let mut values = [0xff; 81];
        simd.values_of_cells(&std::array::from_fn(|digit| sets[digit + 1]), &mut values);
        assert_eq!(values, filled);
    }

    #[derive(Clone, Copy)]
    struct Check;

    impl Build for Check {
        type Output = ();

        fn build<S: Simd<N>, const N: usize>(self, simd: S) {
            // With the ten shifts, each value occurs in each cell of the first board, and each value fills the second board once.
            for shift in 0..10 {
                check(simd, &std::array::from_fn(|cell| ((cell * 7 + cell / 9 + shift) % 10) as u8));
                check(simd, &[shift as u8; 81]);
            }
            let mut random = Random::new(3);
            for _ in 0..CASES {
                let blanks = random.below(10);
                check(
                    simd,
                    &std::array::from_fn(
                        |_| if random.below(9) < blanks { 0 } else { random.below(10) as u8 },
                    ),
                );
            }
        }
    }

    #[test]
    fn every_level_agrees_with_the_definition() {
        at_every_level(Check);
    }
}
