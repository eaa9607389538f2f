//! Sixteen lanes of 32 bits, nine of them in use: a lane is a digit, and its bits are the 27 cells of a band.
//!
//! One, two or four registers hold the lanes, by width. Everything happens within a lane but for one question:
//! which cells have a candidate at all, and which have several? That is a fold over the lanes:
//!
//! ```text
//!   once = a | b     twice = a & b | twice a | twice b     halves, then quarters, then lanes
//! ```

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Sixteen lanes of 32 bits.
pub(crate) trait Digits:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self> + Send
{
    /// Each lane shifted to the left.
    fn left<const BY: i32>(self) -> Self;

    /// Each lane shifted to the right.
    fn right<const BY: i32>(self) -> Self;

    /// In every lane, the bits set in at least one lane, and those set in at least two.
    fn once_and_twice(self) -> (Self, Self);

    /// Which lanes are zero, as bits.
    fn zero_lanes(self) -> u16;

    /// The lanes.
    fn lanes(self) -> [u32; 16];
}

/// One register of `16 / K` lanes.
///
/// # Safety
/// The methods of a vector register need its instructions; a [`Lanes`], which calls them, is made from a token only.
pub(super) trait Register<const K: usize>: Copy + Send {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn ones() -> Self;
    fn left<const BY: i32>(self) -> Self;
    fn right<const BY: i32>(self) -> Self;
    fn zero_lanes(self) -> u16;
    fn fold(registers: [Self; K]) -> (Self, Self);
    fn lanes(registers: [Self; K]) -> [u32; 16];
}

/// The lanes in `K` registers.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<R, const K: usize>(pub(super) [R; K]);

/// Implements an operator register by register.
macro_rules! operator {
    ($operator:ident, $method:ident, $of_register:ident) => {
        impl<R: Register<K>, const K: usize> $operator for Lanes<R, K> {
            type Output = Self;
            #[inline(always)]
            fn $method(mut self, other: Self) -> Self {
                for part in 0..K {
                    self.0[part] = self.0[part].$of_register(other.0[part]);
                }
                self
            }
        }
    };
}
operator!(BitAnd, bitand, and);
operator!(BitOr, bitor, or);
operator!(BitXor, bitxor, xor);

impl<R: Register<K>, const K: usize> Not for Lanes<R, K> {
    type Output = Self;
    #[inline(always)]
    fn not(mut self) -> Self {
        for part in 0..K {
            self.0[part] = self.0[part].xor(R::ones());
        }
        self
    }
}

impl<R: Register<K>, const K: usize> Digits for Lanes<R, K> {
    #[inline(always)]
    fn left<const BY: i32>(mut self) -> Self {
        for part in 0..K {
            self.0[part] = self.0[part].left::<BY>();
        }
        self
    }

    #[inline(always)]
    fn right<const BY: i32>(mut self) -> Self {
        for part in 0..K {
            self.0[part] = self.0[part].right::<BY>();
        }
        self
    }

    #[inline(always)]
    fn once_and_twice(self) -> (Self, Self) {
        let (once, twice) = R::fold(self.0);
        (Lanes([once; K]), Lanes([twice; K]))
    }

    #[inline(always)]
    fn zero_lanes(self) -> u16 {
        let mut zero = 0;
        for part in 0..K {
            zero |= self.0[part].zero_lanes() << (part * 16 / K);
        }
        zero
    }

    #[inline(always)]
    fn lanes(self) -> [u32; 16] {
        R::lanes(self.0)
    }
}

/// Plain integers, a lane each, where nothing wider is known of the CPU.
#[cfg(not(target_arch = "x86_64"))]
impl Register<16> for u32 {
    #[inline(always)]
    fn and(self, other: u32) -> u32 {
        self & other
    }
    #[inline(always)]
    fn or(self, other: u32) -> u32 {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: u32) -> u32 {
        self ^ other
    }
    #[inline(always)]
    fn ones() -> u32 {
        !0
    }
    #[inline(always)]
    fn left<const BY: i32>(self) -> u32 {
        self << BY
    }
    #[inline(always)]
    fn right<const BY: i32>(self) -> u32 {
        self >> BY
    }
    #[inline(always)]
    fn zero_lanes(self) -> u16 {
        u16::from(self == 0)
    }
    #[inline(always)]
    fn fold(registers: [u32; 16]) -> (u32, u32) {
        let (mut once, mut twice) = (0, 0);
        for lane in registers {
            twice |= once & lane;
            once |= lane;
        }
        (once, twice)
    }
    #[inline(always)]
    fn lanes(registers: [u32; 16]) -> [u32; 16] {
        registers
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use std::arch::x86_64::*;
    use std::mem::transmute;

    use super::Register;

    /// Implements a register; every intrinsic in it belongs to the instructions that a token has proved.
    macro_rules! register {
        ($vector:ident, $parts:literal, $and:ident, $or:ident, $xor:ident, $ones:expr, $left:ident, $right:ident,
         |$zero:ident| $zero_lanes:expr, |$fold:ident| $folded:expr) => {
            impl Register<$parts> for $vector {
                #[inline(always)]
                fn and(self, other: $vector) -> $vector {
                    // SAFETY: a token has proved the instructions.
                    unsafe { $and(self, other) }
                }
                #[inline(always)]
                fn or(self, other: $vector) -> $vector {
                    // SAFETY: a token has proved the instructions.
                    unsafe { $or(self, other) }
                }
                #[inline(always)]
                fn xor(self, other: $vector) -> $vector {
                    // SAFETY: a token has proved the instructions.
                    unsafe { $xor(self, other) }
                }
                #[inline(always)]
                fn ones() -> $vector {
                    // SAFETY: a token has proved the instructions.
                    unsafe { $ones }
                }
                #[inline(always)]
                fn left<const BY: i32>(self) -> $vector {
                    // SAFETY: a token has proved the instructions.
                    unsafe { $left(self, _mm_cvtsi32_si128(BY)) }
                }
                #[inline(always)]
                fn right<const BY: i32>(self) -> $vector {
                    // SAFETY: a token has proved the instructions.
                    unsafe { $right(self, _mm_cvtsi32_si128(BY)) }
                }
                #[inline(always)]
                fn zero_lanes(self) -> u16 {
                    let $zero = self;
                    // SAFETY: a token has proved the instructions.
                    unsafe { $zero_lanes }
                }
                #[inline(always)]
                fn fold($fold: [$vector; $parts]) -> ($vector, $vector) {
                    $folded
                }
                #[inline(always)]
                fn lanes(registers: [$vector; $parts]) -> [u32; 16] {
                    // SAFETY: both sides are 64 bytes of plain bits.
                    unsafe { transmute::<[$vector; $parts], [u32; 16]>(registers) }
                }
            }
        };
    }

    register!(
        __m128i,
        4,
        _mm_and_si128,
        _mm_or_si128,
        _mm_xor_si128,
        _mm_set1_epi32(-1),
        _mm_sll_epi32,
        _mm_srl_epi32,
        |lanes| _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(lanes, _mm_setzero_si128()))) as u16,
        |parts| {
            let (low, high) = (meet(parts[0], parts[1]), meet(parts[2], parts[3]));
            fold_quarter(join(low, high))
        }
    );
    register!(
        __m256i,
        2,
        _mm256_and_si256,
        _mm256_or_si256,
        _mm256_xor_si256,
        _mm256_set1_epi32(-1),
        _mm256_sll_epi32,
        _mm256_srl_epi32,
        |lanes| _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(lanes, _mm256_setzero_si256())))
            as u16,
        |parts| {
            // SAFETY: a token has proved AVX2.
            unsafe {
                let (once, twice) = fold_quarter(fold_half(parts[0], parts[1]));
                (_mm256_broadcastsi128_si256(once), _mm256_broadcastsi128_si256(twice))
            }
        }
    );
    register!(
        __m512i,
        1,
        _mm512_and_si512,
        _mm512_or_si512,
        _mm512_xor_si512,
        _mm512_set1_epi32(-1),
        _mm512_sll_epi32,
        _mm512_srl_epi32,
        |lanes| _mm512_testn_epi32_mask(lanes, lanes),
        |parts| {
            // SAFETY: a token has proved AVX-512 F, and with it AVX2.
            unsafe {
                let low = _mm512_castsi512_si256(parts[0]);
                let (once, twice) = fold_quarter(fold_half(low, _mm512_extracti64x4_epi64::<1>(parts[0])));
                (_mm512_broadcast_i32x4(once), _mm512_broadcast_i32x4(twice))
            }
        }
    );

    /// Once and twice of two vectors.
    #[inline(always)]
    fn meet(a: __m128i, b: __m128i) -> (__m128i, __m128i) {
        (a.or(b), a.and(b))
    }

    /// Once and twice of two pairs of once and twice.
    #[inline(always)]
    fn join(a: (__m128i, __m128i), b: (__m128i, __m128i)) -> (__m128i, __m128i) {
        (a.0.or(b.0), a.0.and(b.0).or(a.1).or(b.1))
    }

    /// From two vectors of eight lanes to four lanes.
    #[inline(always)]
    unsafe fn fold_half(a: __m256i, b: __m256i) -> (__m128i, __m128i) {
        // SAFETY: the caller's: the CPU has AVX2.
        unsafe {
            let (once, twice) = (_mm256_or_si256(a, b), _mm256_and_si256(a, b));
            let low = (_mm256_castsi256_si128(once), _mm256_castsi256_si128(twice));
            let high = (_mm256_extracti128_si256::<1>(once), _mm256_extracti128_si256::<1>(twice));
            join(low, high)
        }
    }

    /// From four lanes to the same in every lane.
    #[inline(always)]
    fn fold_quarter(four: (__m128i, __m128i)) -> (__m128i, __m128i) {
        // SAFETY: SSE2 belongs to every x86-64 CPU.
        unsafe {
            let swapped = (_mm_shuffle_epi32::<0x4e>(four.0), _mm_shuffle_epi32::<0x4e>(four.1));
            let two = join(four, swapped);
            join(two, (_mm_shuffle_epi32::<0xb1>(two.0), _mm_shuffle_epi32::<0xb1>(two.1)))
        }
    }
}
