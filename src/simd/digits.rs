//! Sixteen lanes of 32 bits, nine of them in use: a lane is a digit, and its bits are the 27 cells of a band.
//!
//! One, two or four registers hold the lanes, by width. Everything happens within a lane but for one question:
//! how many candidates has each cell? That is a sum over the lanes, bit by bit, up to three:
//!
//! ```text
//!   once = a | b     twice = a & b | twice a | twice b     halves, then quarters, then lanes
//! ```
//!
//! With one register the lanes are permuted instead: three threes, then their sum.

#[cfg(target_arch = "x86_64")]
mod x86;

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// The lanes in use.
const NINE: u16 = 0x1ff;

/// The bits set in at least one, two and three lanes.
#[derive(Clone, Copy)]
pub(crate) struct Count<T> {
    pub(crate) once: T,
    pub(crate) twice: T,
    pub(crate) thrice: T,
}

/// Sixteen lanes of 32 bits.
pub(crate) trait Digits:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self> + Send
{
    /// Each lane shifted to the left.
    fn left<const BY: i32>(self) -> Self;

    /// Each lane shifted to the right.
    fn right<const BY: i32>(self) -> Self;

    /// In each of the nine lanes, the bits set in at least one, two and three lanes. The other lanes must be zero, and
    /// what they hold then means nothing.
    fn count(self) -> Count<Self>;

    /// Which lanes are zero, as bits.
    fn zero_lanes(self) -> u16;

    /// Whether the nine lanes are zero.
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.zero_lanes() & NINE == NINE
    }

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
    fn count(registers: [Self; K]) -> Count<Self>;
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
    fn count(self) -> Count<Self> {
        let Count { once, twice, thrice } = R::count(self.0);
        Count { once: Lanes([once; K]), twice: Lanes([twice; K]), thrice: Lanes([thrice; K]) }
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
