//! Nine lanes of 32 bits: a lane is a digit, and its bits are the 27 cells of a band.
//!
//! Depending on the width, the lanes are in one, two or three vector registers, which also have unused lanes, or in nine plain integers.
//! Most operations stay within a lane. Counting finds, for each bit, whether it is set in at least one, two or three lanes. With several
//! vector registers, the registers are combined first, then the halves of a register, then neighbouring lanes. Two counts `a` and `b` are
//! combined in this way:
//!
//! ```text
//!   once   = a.once | b.once
//!   twice  = a.twice | b.twice | a.once & b.once
//!   thrice = a.thrice | b.thrice | a.once & b.twice | a.twice & b.once
//! ```
//!
//! With one vector register, the lanes are permuted instead of split into halves: the first step counts each group of three lanes, and
//! the second step counts the three groups together.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::register::{Count, LaneRegister, Register};

/// A mask with one bit for each of the nine lanes.
const NINE: u16 = 0x1ff;

/// Nine lanes of 32 bits, in registers with up to sixteen lanes.
pub(crate) trait Digits:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self> + Send
{
    /// Shifts each lane to the left, by 1 to 31.
    fn left<const BY: i32>(self) -> Self;

    /// Shifts each lane to the right, by 1 to 31.
    fn right<const BY: i32>(self) -> Self;

    /// For each bit of `self`, returns the bit of `one` if the bit of `self` is set, and the bit of `other` if not.
    fn select(self, one: Self, other: Self) -> Self;

    /// Finds, for each bit, whether it is set in at least one (`once`), two (`twice`) and three (`thrice`) of the nine lanes. Each of the
    /// nine lanes of the result has the same bits. The unused lanes must be zero; their results are undefined.
    fn count(self) -> Count<Self>;

    /// Returns, in each of the nine lanes, the sum of the nine lanes, which wraps around. The unused lanes must be zero;
    /// their results are undefined.
    fn sum(self) -> Self;

    /// Returns a mask of the lanes that are zero: bit `i` is set if lane `i` of the nine lanes is zero. Higher bits are undefined.
    fn zero_lanes(self) -> u16;

    /// Returns whether all nine lanes are zero.
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.zero_lanes() & NINE == NINE
    }

    /// Returns the nine lanes in the first nine elements; the other elements are undefined.
    fn lanes(self) -> [u32; 16];
}

/// Lanes in `K` registers.
#[derive(Clone, Copy)]
pub(crate) struct Registers<R, const K: usize>(pub(super) [R; K]);

/// Implements an operator register by register.
macro_rules! operator {
    ($operator:ident, $method:ident, $of_register:ident) => {
        impl<R: Register, const K: usize> $operator for Registers<R, K> {
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

impl<R: Register, const K: usize> Not for Registers<R, K> {
    type Output = Self;
    #[inline(always)]
    fn not(mut self) -> Self {
        for part in 0..K {
            self.0[part] = self.0[part].xor(R::ones());
        }
        self
    }
}

impl<R: LaneRegister<K>, const K: usize> Digits for Registers<R, K> {
    #[inline(always)]
    fn left<const BY: i32>(mut self) -> Self {
        for part in 0..K {
            self.0[part] = self.0[part].left_32::<BY>();
        }
        self
    }

    #[inline(always)]
    fn right<const BY: i32>(mut self) -> Self {
        for part in 0..K {
            self.0[part] = self.0[part].right_32::<BY>();
        }
        self
    }

    #[inline(always)]
    fn select(mut self, one: Self, other: Self) -> Self {
        for part in 0..K {
            self.0[part] = self.0[part].select(one.0[part], other.0[part]);
        }
        self
    }

    #[inline(always)]
    fn count(self) -> Count<Self> {
        let Count { once, twice, thrice } = R::count(self.0);
        Count { once: Registers([once; K]), twice: Registers([twice; K]), thrice: Registers([thrice; K]) }
    }

    #[inline(always)]
    fn sum(self) -> Self {
        Registers([R::sum(self.0); K])
    }

    #[inline(always)]
    fn zero_lanes(self) -> u16 {
        let mut zero = 0;
        for part in 0..K {
            zero |= self.0[part].zero_lanes() << (part * R::LANES);
        }
        zero
    }

    #[inline(always)]
    fn lanes(self) -> [u32; 16] {
        R::lanes(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{CASES, check_operators, random_bits};
    use super::super::{Build, Simd, at_every_level};
    use super::{Count, Digits, NINE};
    use crate::random::Random;

    /// Compares operations on random lanes with the same operations lane by lane.
    #[derive(Clone, Copy)]
    struct Check;

    impl Build for Check {
        type Output = ();

        fn build<S: Simd<N>, const N: usize>(self, simd: S) {
            let mut random = Random::new(2);
            for case in 0..CASES {
                let [a, b]: [[u32; 9]; 2] =
                    std::array::from_fn(|_| std::array::from_fn(|_| random_bits(&mut random) as u32));
                check_operators(|it| digits(simd, it, 0), nine, [a, b]);
                shifts(simd, a);
                select(simd, a, b, random_bits(&mut random) as u32);
                sum(simd, a);
                count(simd, a);
                // Few bits, so that most bits occur in no lane.
                count(simd, a.map(|bits| bits & b[0] & b[1] & b[2]));
                count(simd, std::array::from_fn(|lane| if lane == case % 9 { a[0] } else { 0 }));
                zero_lanes(simd, a, random_bits(&mut random) as u16);
            }
            zero_lanes(simd, [1; 9], 0);
            zero_lanes(simd, [1 << 31; 9], NINE);
        }
    }

    /// Makes a vector that starts with these nine lanes. The lanes after them are set to `behind`.
    fn digits<S: Simd<N>, const N: usize>(simd: S, lanes: [u32; 9], behind: u32) -> S::Digits {
        simd.digits(std::array::from_fn(|lane| *lanes.get(lane).unwrap_or(&behind)))
    }

    fn nine(digits: impl Digits) -> [u32; 9] {
        *digits.lanes().first_chunk().unwrap()
    }

    fn shifts<S: Simd<N>, const N: usize>(simd: S, lanes: [u32; 9]) {
        macro_rules! by {
            ($($by:literal)*) => {$(
                assert_eq!(nine(digits(simd, lanes, 0).left::<$by>()), lanes.map(|lane| lane << $by));
                assert_eq!(nine(digits(simd, lanes, 0).right::<$by>()), lanes.map(|lane| lane >> $by));
            )*};
        }
        by!(1 2 3 6 9 15 16 18 26 27 31);
    }

    fn select<S: Simd<N>, const N: usize>(simd: S, one: [u32; 9], other: [u32; 9], mask: u32) {
        let selected = digits(simd, [mask; 9], 0).select(digits(simd, one, 0), digits(simd, other, 0));
        let wanted: [u32; 9] = std::array::from_fn(|lane| one[lane] & mask | other[lane] & !mask);
        assert_eq!(nine(selected), wanted);
    }

    fn sum<S: Simd<N>, const N: usize>(simd: S, lanes: [u32; 9]) {
        let wanted = lanes.into_iter().fold(0, u32::wrapping_add);
        assert_eq!(nine(digits(simd, lanes, 0).sum()), [wanted; 9]);
    }

    /// Checks the result of `count` for `lanes`. The expected counts come from a loop over the lanes.
    fn count<S: Simd<N>, const N: usize>(simd: S, lanes: [u32; 9]) {
        let in_lanes: [u32; 32] = std::array::from_fn(|bit| lanes.iter().map(|lane| lane >> bit & 1).sum());
        let wanted = [1, 2, 3].map(|least| {
            (0..32).filter(|&bit| in_lanes[bit] >= least).fold(0, |bits: u32, bit| bits | 1 << bit)
        });
        let Count { once, twice, thrice } = digits(simd, lanes, 0).count();
        assert_eq!([once, twice, thrice].map(nine), wanted.map(|bits| [bits; 9]), "{lanes:x?}");
    }

    /// Sets the lanes in the mask `zero` to zero. Then checks what `zero_lanes` and `is_zero` return for `lanes`.
    fn zero_lanes<S: Simd<N>, const N: usize>(simd: S, lanes: [u32; 9], zero: u16) {
        let lanes = std::array::from_fn(|lane| if zero >> lane & 1 == 1 { 0 } else { lanes[lane] });
        let wanted = (0..9).filter(|&lane| lanes[lane] == 0).fold(0, |zero: u16, lane| zero | 1 << lane);
        for behind in [0, 1] {
            let digits = digits(simd, lanes, behind);
            assert_eq!(digits.zero_lanes() & NINE, wanted, "{lanes:x?}");
            assert_eq!(digits.is_zero(), lanes == [0; 9], "{lanes:x?}");
        }
    }

    #[test]
    fn every_level_agrees_with_a_loop_over_lanes() {
        at_every_level(Check);
    }
}
