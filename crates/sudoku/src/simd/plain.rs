//! Plain integers, where nothing wider is known of the CPU. On x86-64 only tests use them, so that they are checked on
//! machines of both kinds.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::digits::{Count, Lanes, Register};
use super::word::Word;
use super::{Kernel, Simd};

/// What every CPU has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl Simd<2> for Plain {
    type Word = PlainWord;
    type Digits = Lanes<u32, 16>;

    #[inline(always)]
    fn digits(self, lanes: [u32; 16]) -> Self::Digits {
        Lanes(lanes)
    }

    #[inline(always)]
    fn word(self, elements: [u64; 2]) -> PlainWord {
        PlainWord(elements)
    }

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run()
    }
}

/// Two plain `u64`.
#[derive(Clone, Copy)]
pub(crate) struct PlainWord([u64; 2]);

impl Word for PlainWord {
    type Bits = [u64; 2];

    #[inline(always)]
    fn bits(self) -> [u64; 2] {
        self.0
    }

    #[inline(always)]
    fn shifted_left<const BY: i32>(self) -> PlainWord {
        PlainWord(self.0.map(|element| element << BY))
    }

    #[inline(always)]
    fn shifted_right<const BY: i32>(self) -> PlainWord {
        PlainWord(self.0.map(|element| element >> BY))
    }
}

/// Implements the operators of a plain word, element by element.
macro_rules! plain_operator {
    ($operator:ident, $method:ident) => {
        impl $operator for PlainWord {
            type Output = PlainWord;
            #[inline(always)]
            fn $method(self, other: PlainWord) -> PlainWord {
                PlainWord([self.0[0].$method(other.0[0]), self.0[1].$method(other.0[1])])
            }
        }
    };
}
plain_operator!(BitAnd, bitand);
plain_operator!(BitOr, bitor);
plain_operator!(BitXor, bitxor);

impl Not for PlainWord {
    type Output = PlainWord;
    #[inline(always)]
    fn not(self) -> PlainWord {
        PlainWord(self.0.map(|element| !element))
    }
}

/// A lane each.
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
    fn count(registers: [u32; 16]) -> Count<u32> {
        let mut count = Count { once: 0, twice: 0, thrice: 0 };
        for lane in registers {
            count.thrice |= count.twice & lane;
            count.twice |= count.once & lane;
            count.once |= lane;
        }
        count
    }
    #[inline(always)]
    fn lanes(registers: [u32; 16]) -> [u32; 16] {
        registers
    }
}
