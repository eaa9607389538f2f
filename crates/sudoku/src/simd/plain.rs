//! Plain integers in place of vector registers, for CPU architectures whose vector instructions this crate doesn't use. On all other
//! architectures, only the tests use this module, so that it is tested there too.

use super::digits::Registers;
use super::register::{Count, LaneRegister, Register, WordRegister, filled_up};
use super::word::WordOf;
use super::{Kernel, Simd};

/// The token for plain integers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl Simd<2> for Plain {
    type Word = WordOf<[u64; 2]>;
    type Digits = Registers<u32, 9>;

    #[inline(always)]
    fn digits(self, lanes: [u32; 16]) -> Self::Digits {
        let mut nine = [0; 9];
        nine.copy_from_slice(&lanes[..9]);
        Registers(nine)
    }

    #[inline(always)]
    fn word(self, elements: [u64; 2]) -> WordOf<[u64; 2]> {
        WordOf(elements)
    }

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run()
    }
}

/// A word of plain integers.
impl Register for [u64; 2] {
    #[inline(always)]
    fn and(self, other: [u64; 2]) -> [u64; 2] {
        [self[0] & other[0], self[1] & other[1]]
    }
    #[inline(always)]
    fn or(self, other: [u64; 2]) -> [u64; 2] {
        [self[0] | other[0], self[1] | other[1]]
    }
    #[inline(always)]
    fn xor(self, other: [u64; 2]) -> [u64; 2] {
        [self[0] ^ other[0], self[1] ^ other[1]]
    }
    #[inline(always)]
    fn ones() -> [u64; 2] {
        [!0; 2]
    }
}

impl WordRegister for [u64; 2] {
    type Elements = [u64; 2];

    #[inline(always)]
    fn elements(self) -> [u64; 2] {
        self
    }
    #[inline(always)]
    fn left_64<const BY: i32>(self) -> [u64; 2] {
        self.map(|element| element << BY)
    }
    #[inline(always)]
    fn right_64<const BY: i32>(self) -> [u64; 2] {
        self.map(|element| element >> BY)
    }
    #[inline(always)]
    fn plus_64(self, other: [u64; 2]) -> [u64; 2] {
        [self[0].wrapping_add(other[0]), self[1].wrapping_add(other[1])]
    }
    #[inline(always)]
    fn minus_64(self, other: [u64; 2]) -> [u64; 2] {
        [self[0].wrapping_sub(other[0]), self[1].wrapping_sub(other[1])]
    }
    #[inline(always)]
    fn and_either(self, one: [u64; 2], other: [u64; 2]) -> [u64; 2] {
        self.and(one.or(other))
    }
    #[inline(always)]
    fn majority(self, one: [u64; 2], other: [u64; 2]) -> [u64; 2] {
        self.and(one).or(other.and(self.or(one)))
    }
}

/// Each integer is a lane.
impl Register for u32 {
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
}

impl LaneRegister<9> for u32 {
    const LANES: usize = 1;

    #[inline(always)]
    fn left_32<const BY: i32>(self) -> u32 {
        self << BY
    }
    #[inline(always)]
    fn right_32<const BY: i32>(self) -> u32 {
        self >> BY
    }
    #[inline(always)]
    fn select(self, one: u32, other: u32) -> u32 {
        self & one | !self & other
    }
    #[inline(always)]
    fn zero_lanes(self) -> u16 {
        u16::from(self == 0)
    }
    #[inline(always)]
    fn count(registers: [u32; 9]) -> Count<u32> {
        let mut count = Count { once: 0, twice: 0, thrice: 0 };
        for lane in registers {
            count.thrice |= count.twice & lane;
            count.twice |= count.once & lane;
            count.once |= lane;
        }
        count
    }
    #[inline(always)]
    fn sum(registers: [u32; 9]) -> u32 {
        registers.into_iter().fold(0, u32::wrapping_add)
    }
    #[inline(always)]
    fn lanes(registers: [u32; 9]) -> [u32; 16] {
        filled_up(registers)
    }
}
