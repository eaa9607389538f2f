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

#[cfg(not(target_arch = "x86_64"))]
pub(super) mod plain {
    use std::ops::{BitAnd, BitOr, BitXor, Not};

    use super::Word;

    /// Two plain `u64`, where nothing wider is known of the CPU.
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub(crate) struct Plain(pub(in crate::simd) [u64; 2]);

    impl Word for Plain {
        type Bits = [u64; 2];

        #[inline(always)]
        fn bits(self) -> [u64; 2] {
            self.0
        }

        #[inline(always)]
        fn shifted_left<const BY: i32>(self) -> Plain {
            Plain(self.0.map(|element| element << BY))
        }

        #[inline(always)]
        fn shifted_right<const BY: i32>(self) -> Plain {
            Plain(self.0.map(|element| element >> BY))
        }
    }

    /// Implements the operators of a plain word, element by element.
    macro_rules! plain_operator {
        ($operator:ident, $method:ident) => {
            impl $operator for Plain {
                type Output = Plain;
                #[inline(always)]
                fn $method(self, other: Plain) -> Plain {
                    Plain([self.0[0].$method(other.0[0]), self.0[1].$method(other.0[1])])
                }
            }
        };
    }
    plain_operator!(BitAnd, bitand);
    plain_operator!(BitOr, bitor);
    plain_operator!(BitXor, bitxor);

    impl Not for Plain {
        type Output = Plain;
        #[inline(always)]
        fn not(self) -> Plain {
            Plain(self.0.map(|element| !element))
        }
    }
}
