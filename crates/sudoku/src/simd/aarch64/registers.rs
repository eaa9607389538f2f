//! The operations of the vector register of aarch64.

use std::arch::aarch64::*;
use std::mem::transmute;

use crate::simd::register::{Count, LaneRegister, Register, WordRegister, count_three, filled_up, join};

impl Register for uint64x2_t {
    #[inline(always)]
    fn and(self, other: uint64x2_t) -> uint64x2_t {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { vandq_u64(self, other) }
    }
    #[inline(always)]
    fn or(self, other: uint64x2_t) -> uint64x2_t {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { vorrq_u64(self, other) }
    }
    #[inline(always)]
    fn xor(self, other: uint64x2_t) -> uint64x2_t {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { veorq_u64(self, other) }
    }
    #[inline(always)]
    fn ones() -> uint64x2_t {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { vdupq_n_u64(!0) }
    }
}

impl WordRegister for uint64x2_t {
    type Elements = [u64; 2];

    #[inline(always)]
    fn elements(self) -> [u64; 2] {
        // SAFETY: both sides are 16 bytes of plain bits.
        unsafe { transmute::<uint64x2_t, [u64; 2]>(self) }
    }
    #[inline(always)]
    fn left_64<const BY: i32>(self) -> uint64x2_t {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { vshlq_n_u64::<BY>(self) }
    }
    #[inline(always)]
    fn right_64<const BY: i32>(self) -> uint64x2_t {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { vshrq_n_u64::<BY>(self) }
    }
    #[inline(always)]
    fn plus_64(self, other: uint64x2_t) -> uint64x2_t {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { vaddq_u64(self, other) }
    }
    #[inline(always)]
    fn minus_64(self, other: uint64x2_t) -> uint64x2_t {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { vsubq_u64(self, other) }
    }
    #[inline(always)]
    fn and_either(self, one: uint64x2_t, other: uint64x2_t) -> uint64x2_t {
        self.and(one.or(other))
    }
    #[inline(always)]
    fn majority(self, one: uint64x2_t, other: uint64x2_t) -> uint64x2_t {
        // Where `self` and `one` differ, `other` decides. SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { vbslq_u64(self.xor(one), other, self) }
    }
}

impl LaneRegister<3> for uint64x2_t {
    const LANES: usize = 4;

    #[inline(always)]
    fn left_32<const BY: i32>(self) -> uint64x2_t {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { vreinterpretq_u64_u32(vshlq_n_u32::<BY>(vreinterpretq_u32_u64(self))) }
    }
    #[inline(always)]
    fn right_32<const BY: i32>(self) -> uint64x2_t {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { vreinterpretq_u64_u32(vshrq_n_u32::<BY>(vreinterpretq_u32_u64(self))) }
    }
    #[inline(always)]
    fn select(self, one: uint64x2_t, other: uint64x2_t) -> uint64x2_t {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { vbslq_u64(self, one, other) }
    }
    #[inline(always)]
    fn zero_lanes(self) -> u16 {
        // SAFETY: both sides are 16 bytes of plain bits, and NEON belongs to every aarch64 CPU.
        unsafe {
            let bits = transmute::<[u32; 4], uint32x4_t>([1, 2, 4, 8]);
            vaddvq_u32(vandq_u32(vceqzq_u32(vreinterpretq_u32_u64(self)), bits)) as u16
        }
    }
    #[inline(always)]
    fn count(registers: [uint64x2_t; 3]) -> Count<uint64x2_t> {
        let four = count_three(registers);
        let two = join(four, halves_swapped(four));
        join(two, neighbours_swapped(two))
    }
    #[inline(always)]
    fn sum(registers: [uint64x2_t; 3]) -> uint64x2_t {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe {
            let [a, b, c] = registers.map(|lanes| vreinterpretq_u32_u64(lanes));
            vreinterpretq_u64_u32(vdupq_n_u32(vaddvq_u32(vaddq_u32(vaddq_u32(a, b), c))))
        }
    }
    #[inline(always)]
    fn lanes(registers: [uint64x2_t; 3]) -> [u32; 16] {
        // SAFETY: both sides are 64 bytes of plain bits.
        unsafe { transmute::<[uint64x2_t; 4], [u32; 16]>(filled_up(registers)) }
    }
}

/// Returns lanes 2, 3, 0, 1.
#[inline(always)]
fn halves_swapped(count: Count<uint64x2_t>) -> Count<uint64x2_t> {
    // SAFETY: NEON belongs to every aarch64 CPU.
    unsafe {
        Count {
            once: vextq_u64::<1>(count.once, count.once),
            twice: vextq_u64::<1>(count.twice, count.twice),
            thrice: vextq_u64::<1>(count.thrice, count.thrice),
        }
    }
}

/// Returns lanes 1, 0, 3, 2.
#[inline(always)]
fn neighbours_swapped(count: Count<uint64x2_t>) -> Count<uint64x2_t> {
    // SAFETY: NEON belongs to every aarch64 CPU.
    let swapped = |lanes| unsafe { vreinterpretq_u64_u32(vrev64q_u32(vreinterpretq_u32_u64(lanes))) };
    Count { once: swapped(count.once), twice: swapped(count.twice), thrice: swapped(count.thrice) }
}
