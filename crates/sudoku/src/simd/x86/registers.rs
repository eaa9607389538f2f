//! The vector registers of x86-64.

use std::arch::x86_64::*;
use std::mem::transmute;

use crate::simd::register::{Count, LaneRegister, Register, WordRegister, count_three, filled_up, join};

/// Implements the register traits for a vector type. Every intrinsic passed to this macro must be one that the CPU supports. The token of
/// the SIMD level proves this (see the module `simd`).
macro_rules! register {
    ($vector:ident: $elements:literal elements, $parts:literal registers for nine lanes, $all:literal for sixteen;
     $and:ident, $or:ident, $xor:ident, $ones:expr;
     $left_64:ident, $right_64:ident, $plus_64:ident, $minus_64:ident, $left_32:ident, $right_32:ident;
     |$this:ident, $one:ident, $other:ident| $and_either:expr, $majority:expr, $select:expr;
     |$zero:ident| $zero_lanes:expr, |$parts_of:ident| $count:expr, $sum:expr) => {
        impl Register for $vector {
            #[inline(always)]
            fn and(self, other: $vector) -> $vector {
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $and(self, other) }
            }
            #[inline(always)]
            fn or(self, other: $vector) -> $vector {
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $or(self, other) }
            }
            #[inline(always)]
            fn xor(self, other: $vector) -> $vector {
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $xor(self, other) }
            }
            #[inline(always)]
            fn ones() -> $vector {
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $ones }
            }
        }

        impl WordRegister for $vector {
            type Elements = [u64; $elements];

            #[inline(always)]
            fn elements(self) -> [u64; $elements] {
                // SAFETY: both sides are plain bits of the same size.
                unsafe { transmute::<$vector, [u64; $elements]>(self) }
            }
            #[inline(always)]
            fn left_64<const BY: i32>(self) -> $vector {
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $left_64(self, _mm_cvtsi32_si128(BY)) }
            }
            #[inline(always)]
            fn right_64<const BY: i32>(self) -> $vector {
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $right_64(self, _mm_cvtsi32_si128(BY)) }
            }
            #[inline(always)]
            fn plus_64(self, other: $vector) -> $vector {
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $plus_64(self, other) }
            }
            #[inline(always)]
            fn minus_64(self, other: $vector) -> $vector {
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $minus_64(self, other) }
            }
            #[inline(always)]
            fn and_either(self, $one: $vector, $other: $vector) -> $vector {
                let $this = self;
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $and_either }
            }
            #[inline(always)]
            fn majority(self, $one: $vector, $other: $vector) -> $vector {
                let $this = self;
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $majority }
            }
        }

        impl LaneRegister<$parts> for $vector {
            const LANES: usize = 16 / $all;

            #[inline(always)]
            fn left_32<const BY: i32>(self) -> $vector {
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $left_32(self, _mm_cvtsi32_si128(BY)) }
            }
            #[inline(always)]
            fn right_32<const BY: i32>(self) -> $vector {
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $right_32(self, _mm_cvtsi32_si128(BY)) }
            }
            #[inline(always)]
            fn select(self, $one: $vector, $other: $vector) -> $vector {
                let $this = self;
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $select }
            }
            #[inline(always)]
            fn zero_lanes(self) -> u16 {
                let $zero = self;
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $zero_lanes }
            }
            #[inline(always)]
            fn count($parts_of: [$vector; $parts]) -> Count<$vector> {
                $count
            }
            #[inline(always)]
            fn sum($parts_of: [$vector; $parts]) -> $vector {
                // SAFETY: a token proves that the CPU has the instructions.
                unsafe { $sum }
            }
            #[inline(always)]
            fn lanes(registers: [$vector; $parts]) -> [u32; 16] {
                // SAFETY: both sides are 64 bytes of plain bits.
                unsafe { transmute::<[$vector; $all], [u32; 16]>(filled_up(registers)) }
            }
        }
    };
}

register!(
    __m128i: 2 elements, 3 registers for nine lanes, 4 for sixteen;
    _mm_and_si128, _mm_or_si128, _mm_xor_si128, _mm_set1_epi64x(-1);
    _mm_sll_epi64, _mm_srl_epi64, _mm_add_epi64, _mm_sub_epi64, _mm_sll_epi32, _mm_srl_epi32;
    |this, one, other| _mm_and_si128(this, _mm_or_si128(one, other)),
        _mm_or_si128(_mm_and_si128(this, one), _mm_and_si128(other, _mm_or_si128(this, one))),
        _mm_or_si128(_mm_and_si128(this, one), _mm_andnot_si128(this, other));
    |lanes| _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(lanes, _mm_setzero_si128()))) as u16,
    |parts| count_quarter(count_three(parts)), sum_quarter(_mm_add_epi32(_mm_add_epi32(parts[0], parts[1]), parts[2]))
);
register!(
    __m256i: 4 elements, 2 registers for nine lanes, 2 for sixteen;
    _mm256_and_si256, _mm256_or_si256, _mm256_xor_si256, _mm256_set1_epi64x(-1);
    _mm256_sll_epi64, _mm256_srl_epi64, _mm256_add_epi64, _mm256_sub_epi64, _mm256_sll_epi32, _mm256_srl_epi32;
    |this, one, other| _mm256_and_si256(this, _mm256_or_si256(one, other)),
        _mm256_or_si256(_mm256_and_si256(this, one), _mm256_and_si256(other, _mm256_or_si256(this, one))),
        _mm256_or_si256(_mm256_and_si256(this, one), _mm256_andnot_si256(this, other));
    |lanes| _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(lanes, _mm256_setzero_si256()))) as u16,
    |parts| {
        // SAFETY: a token proves that the CPU has AVX2.
        unsafe {
            let Count { once, twice, thrice } = count_quarter(count_half(parts[0], parts[1]));
            Count {
                once: _mm256_broadcastsi128_si256(once),
                twice: _mm256_broadcastsi128_si256(twice),
                thrice: _mm256_broadcastsi128_si256(thrice),
            }
        }
    },
    {
        let eight = _mm256_add_epi32(parts[0], parts[1]);
        let four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight));
        _mm256_broadcastsi128_si256(sum_quarter(four))
    }
);
register!(
    __m512i: 8 elements, 1 registers for nine lanes, 1 for sixteen;
    _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512, _mm512_set1_epi64(-1);
    _mm512_sll_epi64, _mm512_srl_epi64, _mm512_add_epi64, _mm512_sub_epi64, _mm512_sll_epi32, _mm512_srl_epi32;
    |this, one, other| _mm512_ternarylogic_epi64::<0xe0>(this, one, other),
        _mm512_ternarylogic_epi64::<0xe8>(this, one, other),
        _mm512_ternarylogic_epi64::<0xca>(this, one, other);
    |lanes| _mm512_testn_epi32_mask(lanes, lanes),
    |parts| {
        // Counts each bit over groups of three lanes, then adds up the counts of three groups. The lanes are rotated, so every lane gets
        // the result. If the register were split into halves, the result would have to be copied to the other lanes.
        let threes = count_three([parts[0], turned::<3>(parts[0]), turned::<6>(parts[0])]);
        join_three([
            threes,
            Count {
                once: turned::<1>(threes.once),
                twice: turned::<1>(threes.twice),
                thrice: turned::<1>(threes.thrice),
            },
            Count {
                once: turned::<2>(threes.once),
                twice: turned::<2>(threes.twice),
                thrice: turned::<2>(threes.thrice),
            },
        ])
    },
    {
        let pair = _mm512_add_epi32(parts[0], turned::<3>(parts[0]));
        let threes = _mm512_add_epi32(pair, turned::<6>(parts[0]));
        _mm512_add_epi32(_mm512_add_epi32(threes, turned::<1>(threes)), turned::<2>(threes))
    }
);

/// Rotates nine lanes down by `BY` places.
#[inline(always)]
fn turned<const BY: usize>(lanes: __m512i) -> __m512i {
    const { assert!(BY < 9) };
    let from: [u32; 16] = const {
        let mut from = [0; 16];
        let mut lane = 0;
        while lane < 16 {
            from[lane] = ((lane + BY) % 9) as u32;
            lane += 1;
        }
        from
    };
    // SAFETY: both sides are 64 bytes of plain bits; a token proves that the CPU has AVX-512 F.
    unsafe { _mm512_permutexvar_epi32(transmute::<[u32; 16], __m512i>(from), lanes) }
}

/// Adds three counts.
#[inline(always)]
fn join_three([a, b, c]: [Count<__m512i>; 3]) -> Count<__m512i> {
    let once = count_three([a.once, b.once, c.once]);
    let twice = a.twice.and(b.once.or(c.once)).or(b.twice.and(a.once.or(c.once)));
    Count {
        once: once.once,
        twice: once.twice.or(a.twice.or(b.twice).or(c.twice)),
        thrice: once
            .thrice
            .or(a.thrice)
            .or(b.thrice.or(c.thrice))
            .or(twice.or(c.twice.and(a.once.or(b.once)))),
    }
}

/// Counts each bit over the lanes of two vectors of eight lanes. The result has four lanes, whose counts the caller must still add up.
#[inline(always)]
unsafe fn count_half(a: __m256i, b: __m256i) -> Count<__m128i> {
    // SAFETY: the caller guarantees that the CPU has AVX2.
    unsafe {
        let (once, twice) = (_mm256_or_si256(a, b), _mm256_and_si256(a, b));
        let low = (_mm256_castsi256_si128(once), _mm256_castsi256_si128(twice));
        let high = (_mm256_extracti128_si256::<1>(once), _mm256_extracti128_si256::<1>(twice));
        let none = _mm_setzero_si128();
        join(
            Count { once: low.0, twice: low.1, thrice: none },
            Count { once: high.0, twice: high.1, thrice: none },
        )
    }
}

/// Adds up the counts of four lanes, and returns the result in every lane.
#[inline(always)]
fn count_quarter(four: Count<__m128i>) -> Count<__m128i> {
    let two = join(four, swapped::<0x4e>(four));
    join(two, swapped::<0xb1>(two))
}

/// Adds up the four lanes, and returns the sum in every lane.
#[inline(always)]
fn sum_quarter(four: __m128i) -> __m128i {
    // SAFETY: SSE2 belongs to every x86-64 CPU.
    unsafe {
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0x4e>(four));
        _mm_add_epi32(two, _mm_shuffle_epi32::<0xb1>(two))
    }
}

/// Returns the lanes in another order. `ORDER` is the order, in the format of `_mm_shuffle_epi32`.
#[inline(always)]
fn swapped<const ORDER: i32>(count: Count<__m128i>) -> Count<__m128i> {
    // SAFETY: SSE2 belongs to every x86-64 CPU.
    unsafe {
        Count {
            once: _mm_shuffle_epi32::<ORDER>(count.once),
            twice: _mm_shuffle_epi32::<ORDER>(count.twice),
            thrice: _mm_shuffle_epi32::<ORDER>(count.thrice),
        }
    }
}
