//! Words of 128, 256 and 512 bits, with the operators that bit-sliced logic needs.
//!
//! A word is made from a token alone ([`super::Simd::word`]), so whoever holds one is on a CPU that has its
//! instructions.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A word of some 64-bit elements, with bitwise operators.
pub(crate) trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self> + Send
{
    /// Its elements, as an array.
    type Bits: PartialEq;

    /// Its elements.
    fn bits(self) -> Self::Bits;

    /// Each element shifted to the left.
    fn shifted_left<const BY: i32>(self) -> Self;

    /// Each element shifted to the right.
    fn shifted_right<const BY: i32>(self) -> Self;
}

/// Implements a word over a vector register of x86-64.
#[cfg(target_arch = "x86_64")]
macro_rules! vector_word {
    ($word:ident, $vector:ident, $elements:literal, $and:ident, $or:ident, $xor:ident, $ones:expr,
     $left:ident, $right:ident) => {
        /// One vector register.
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct $word(std::arch::x86_64::$vector);

        impl $word {
            /// The word with these elements.
            ///
            /// # Safety
            /// The CPU has the instructions of the word.
            #[inline(always)]
            pub(in crate::simd) unsafe fn new(elements: [u64; $elements]) -> $word {
                // SAFETY: both sides are plain bits of the same size.
                $word(unsafe {
                    std::mem::transmute::<[u64; $elements], std::arch::x86_64::$vector>(elements)
                })
            }
        }

        impl Word for $word {
            type Bits = [u64; $elements];

            #[inline(always)]
            fn bits(self) -> [u64; $elements] {
                // SAFETY: both sides are plain bits of the same size.
                unsafe { std::mem::transmute::<std::arch::x86_64::$vector, [u64; $elements]>(self.0) }
            }

            #[inline(always)]
            fn shifted_left<const BY: i32>(self) -> $word {
                // SAFETY: a word exists only where the CPU has its instructions.
                $word(unsafe { std::arch::x86_64::$left(self.0, std::arch::x86_64::_mm_cvtsi32_si128(BY)) })
            }

            #[inline(always)]
            fn shifted_right<const BY: i32>(self) -> $word {
                // SAFETY: a word exists only where the CPU has its instructions.
                $word(unsafe { std::arch::x86_64::$right(self.0, std::arch::x86_64::_mm_cvtsi32_si128(BY)) })
            }
        }

        impl BitAnd for $word {
            type Output = $word;
            #[inline(always)]
            fn bitand(self, other: $word) -> $word {
                // SAFETY: a word exists only where the CPU has its instructions.
                $word(unsafe { std::arch::x86_64::$and(self.0, other.0) })
            }
        }

        impl BitOr for $word {
            type Output = $word;
            #[inline(always)]
            fn bitor(self, other: $word) -> $word {
                // SAFETY: a word exists only where the CPU has its instructions.
                $word(unsafe { std::arch::x86_64::$or(self.0, other.0) })
            }
        }

        impl BitXor for $word {
            type Output = $word;
            #[inline(always)]
            fn bitxor(self, other: $word) -> $word {
                // SAFETY: a word exists only where the CPU has its instructions.
                $word(unsafe { std::arch::x86_64::$xor(self.0, other.0) })
            }
        }

        impl Not for $word {
            type Output = $word;
            #[inline(always)]
            fn not(self) -> $word {
                // SAFETY: a word exists only where the CPU has its instructions.
                $word(unsafe { std::arch::x86_64::$xor(self.0, $ones) })
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use std::arch::x86_64::{_mm_set1_epi64x, _mm256_set1_epi64x, _mm512_set1_epi64};
    use std::ops::{BitAnd, BitOr, BitXor, Not};

    use super::Word;

    vector_word!(
        Word128,
        __m128i,
        2,
        _mm_and_si128,
        _mm_or_si128,
        _mm_xor_si128,
        _mm_set1_epi64x(-1),
        _mm_sll_epi64,
        _mm_srl_epi64
    );
    vector_word!(
        Word256,
        __m256i,
        4,
        _mm256_and_si256,
        _mm256_or_si256,
        _mm256_xor_si256,
        _mm256_set1_epi64x(-1),
        _mm256_sll_epi64,
        _mm256_srl_epi64
    );
    vector_word!(
        Word512,
        __m512i,
        8,
        _mm512_and_si512,
        _mm512_or_si512,
        _mm512_xor_si512,
        _mm512_set1_epi64(-1),
        _mm512_sll_epi64,
        _mm512_srl_epi64
    );
}

#[cfg(test)]
mod tests {
    use super::super::tests::{CASES, check_operators, random_bits};
    use super::super::{Build, Simd, at_every_level};
    use super::Word;
    use crate::random::Random;

    /// Holds a word of random elements against the same done element by element.
    #[derive(Clone, Copy)]
    struct Check;

    impl Build for Check {
        type Output = ();

        fn build<S: Simd<N>, const N: usize>(self, simd: S) {
            assert_eq!(simd.zero().bits(), [0; N]);
            assert_eq!(simd.ones().bits(), [u64::MAX; N]);
            let mut random = Random::new(1);
            for _ in 0..CASES {
                let [a, b]: [[u64; N]; 2] =
                    std::array::from_fn(|_| std::array::from_fn(|_| random_bits(&mut random)));
                check_operators(|it| simd.word(it), |vector| vector.bits(), [a, b]);
                shifts(simd, a);
            }
        }
    }

    fn shifts<S: Simd<N>, const N: usize>(simd: S, elements: [u64; N]) {
        macro_rules! by {
            ($($by:literal)*) => {$(
                assert_eq!(simd.word(elements).shifted_left::<$by>().bits(), elements.map(|it| it << $by));
                assert_eq!(simd.word(elements).shifted_right::<$by>().bits(), elements.map(|it| it >> $by));
            )*};
        }
        by!(0 1 2 3 4 7 8 15 16 31 32 33 48 62 63);
    }

    #[test]
    fn every_level_does_what_each_element_would() {
        at_every_level(Check);
    }
}
