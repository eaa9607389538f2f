//! Words of 128, 256 and 512 bits, with the operators that bit-sliced logic needs.
//!
//! A word is made only from a token ([`super::Simd::word`]), so the CPU is known to have the instructions for it.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::register::{Register, WordRegister};

/// A word of some 64-bit elements, with bitwise operators.
pub(crate) trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self> + Send
{
    /// The elements as an array.
    type Bits: PartialEq;

    fn bits(self) -> Self::Bits;

    /// Returns the bits that are set in `self` and in at least one of the two other words.
    fn and_either(self, one: Self, other: Self) -> Self;

    /// Returns the bits that are set in at least two of the three words.
    fn majority(self, one: Self, other: Self) -> Self;

    /// Shifts each element to the left by `BY` bits, 1 to 63.
    fn shifted_left<const BY: i32>(self) -> Self;

    /// Shifts each element to the right by `BY` bits, 1 to 63.
    fn shifted_right<const BY: i32>(self) -> Self;

    /// Adds the elements of two words. Nothing is carried from one element to the next.
    fn plus(self, other: Self) -> Self;

    /// Subtracts the elements of another word. No element borrows from the next.
    fn minus(self, other: Self) -> Self;
}

/// One register as a word.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct WordOf<R>(pub(super) R);

impl<R: WordRegister> Word for WordOf<R> {
    type Bits = R::Elements;

    #[inline(always)]
    fn bits(self) -> R::Elements {
        self.0.elements()
    }

    #[inline(always)]
    fn and_either(self, one: Self, other: Self) -> Self {
        WordOf(self.0.and_either(one.0, other.0))
    }

    #[inline(always)]
    fn majority(self, one: Self, other: Self) -> Self {
        WordOf(self.0.majority(one.0, other.0))
    }

    #[inline(always)]
    fn shifted_left<const BY: i32>(self) -> Self {
        WordOf(self.0.left_64::<BY>())
    }

    #[inline(always)]
    fn shifted_right<const BY: i32>(self) -> Self {
        WordOf(self.0.right_64::<BY>())
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        WordOf(self.0.plus_64(other.0))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        WordOf(self.0.minus_64(other.0))
    }
}

impl<R: Register> BitAnd for WordOf<R> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        WordOf(self.0.and(other.0))
    }
}

impl<R: Register> BitOr for WordOf<R> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        WordOf(self.0.or(other.0))
    }
}

impl<R: Register> BitXor for WordOf<R> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        WordOf(self.0.xor(other.0))
    }
}

impl<R: Register> Not for WordOf<R> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        WordOf(self.0.xor(R::ones()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{CASES, check_operators, random_bits};
    use super::super::{Build, Simd, at_every_level};
    use super::Word;
    use crate::random::Random;

    /// Compares operations on a random word with the same operations element by element.
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
                sums(simd, a, b);
            }
        }
    }

    fn sums<S: Simd<N>, const N: usize>(simd: S, a: [u64; N], b: [u64; N]) {
        let each = |operator: fn(u64, u64) -> u64| std::array::from_fn(|at| operator(a[at], b[at]));
        assert_eq!(simd.word(a).plus(simd.word(b)).bits(), each(u64::wrapping_add));
        assert_eq!(simd.word(a).minus(simd.word(b)).bits(), each(u64::wrapping_sub));
    }

    fn shifts<S: Simd<N>, const N: usize>(simd: S, elements: [u64; N]) {
        macro_rules! by {
            ($($by:literal)*) => {$(
                assert_eq!(simd.word(elements).shifted_left::<$by>().bits(), elements.map(|it| it << $by));
                assert_eq!(simd.word(elements).shifted_right::<$by>().bits(), elements.map(|it| it >> $by));
            )*};
        }
        by!(1 2 3 4 7 8 15 16 31 32 33 48 62 63);
    }

    #[test]
    fn every_level_agrees_with_a_loop_over_elements() {
        at_every_level(Check);
    }
}
