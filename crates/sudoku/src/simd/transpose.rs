//! Transposes squares of bytes. On x86-64, intrinsics interleave the bytes: the compiler does not always find these instructions for
//! portable code.

/// Exchanges rows and columns. Each of four steps interleaves the bytes of the first eight rows with those of the last eight.
#[inline(always)]
pub(crate) fn transpose(mut rows: [[u8; 16]; 16]) -> [[u8; 16]; 16] {
    for _ in 0..4 {
        let mut interleaved = rows;
        for pair in 0..8 {
            let [low, high] = interleave(rows[pair], rows[pair + 8]);
            (interleaved[2 * pair], interleaved[2 * pair + 1]) = (low, high);
        }
        rows = interleaved;
    }
    rows
}

/// Interleaves the bytes of the first halves, then the bytes of the last halves.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn interleave(one: [u8; 16], other: [u8; 16]) -> [[u8; 16]; 2] {
    use std::arch::x86_64::{__m128i, _mm_unpackhi_epi8, _mm_unpacklo_epi8};
    use std::mem::transmute;
    // SAFETY: both sides are plain bits of the same size, and SSE2 belongs to every x86-64 CPU.
    unsafe {
        let (one, other) = (transmute::<[u8; 16], __m128i>(one), transmute::<[u8; 16], __m128i>(other));
        transmute::<[__m128i; 2], [[u8; 16]; 2]>([
            _mm_unpacklo_epi8(one, other),
            _mm_unpackhi_epi8(one, other),
        ])
    }
}

/// Interleaves the bytes of the first halves, then the bytes of the last halves.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn interleave(one: [u8; 16], other: [u8; 16]) -> [[u8; 16]; 2] {
    let mut interleaved = [[0; 16]; 2];
    for at in 0..16 {
        interleaved[at / 8][at % 8 * 2] = one[at];
        interleaved[at / 8][at % 8 * 2 + 1] = other[at];
    }
    interleaved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns() {
        let byte = |row: usize, column: usize| (16 * row + column) as u8;
        let square = std::array::from_fn(|row| std::array::from_fn(|column| byte(row, column)));
        let expected = std::array::from_fn(|row| std::array::from_fn(|column| byte(column, row)));
        assert_eq!(transpose(square), expected);
    }
}
