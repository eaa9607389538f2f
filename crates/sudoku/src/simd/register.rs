//! Operations of a vector register, seen as a word of 64-bit elements or as lanes of 32 bits.
//!
//! # Safety
//!
//! The methods of a vector register use instructions that the CPU must have. Only words and sets of lanes call these methods. Words and
//! sets of lanes are made only from a token, so they exist only on a CPU that has the instructions. This module is private, so no other
//! code can call the methods.

/// Bitwise operations on a register. `ones` returns a register in which every bit is set.
pub(crate) trait Register: Copy + Send {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn ones() -> Self;
}

/// A register of 64-bit elements.
pub(crate) trait WordRegister: Register {
    /// The elements as an array.
    type Elements: PartialEq;

    fn elements(self) -> Self::Elements;
    fn left_64<const BY: i32>(self) -> Self;
    fn right_64<const BY: i32>(self) -> Self;
    fn plus_64(self, other: Self) -> Self;
    fn minus_64(self, other: Self) -> Self;

    /// Returns `self & (one | other)`.
    fn and_either(self, one: Self, other: Self) -> Self;

    /// Returns the bits that are set in at least two of the three registers.
    fn majority(self, one: Self, other: Self) -> Self;
}

/// For several lanes or registers: the bits that are set in at least one of them (`once`), in at least two (`twice`) and in at least three
/// (`thrice`).
#[derive(Clone, Copy)]
pub(crate) struct Count<T> {
    pub(crate) once: T,
    pub(crate) twice: T,
    pub(crate) thrice: T,
}

/// A register of 32-bit lanes; `K` registers hold nine lanes.
pub(crate) trait LaneRegister<const K: usize>: Register {
    /// Number of lanes.
    const LANES: usize;

    fn left_32<const BY: i32>(self) -> Self;
    fn right_32<const BY: i32>(self) -> Self;

    /// For each bit of `self`, returns the bit of `one` if the bit of `self` is set, and the bit of `other` if not.
    fn select(self, one: Self, other: Self) -> Self;
    fn zero_lanes(self) -> u16;
    fn count(registers: [Self; K]) -> Count<Self>;
    fn sum(registers: [Self; K]) -> Self;

    /// Returns the lanes of all registers, followed by zeros.
    fn lanes(registers: [Self; K]) -> [u32; 16];
}

/// Returns these registers, followed by zeros, so that all registers together hold sixteen lanes.
#[inline(always)]
pub(crate) fn filled_up<R: Register, const K: usize, const ALL: usize>(registers: [R; K]) -> [R; ALL] {
    let mut all = [R::ones().xor(R::ones()); ALL];
    all[..K].copy_from_slice(&registers);
    all
}

/// Returns the bits that are set in at least one of the three registers, in at least two, and in all three.
#[inline(always)]
pub(crate) fn count_three<R: WordRegister>([a, b, c]: [R; 3]) -> Count<R> {
    Count { once: a.or(b).or(c), twice: a.majority(b, c), thrice: a.and(b).and(c) }
}

/// Adds two counts. A sum of more than three is stored as three.
#[inline(always)]
pub(crate) fn join<R: Register>(a: Count<R>, b: Count<R>) -> Count<R> {
    Count {
        once: a.once.or(b.once),
        twice: a.once.and(b.once).or(a.twice).or(b.twice),
        thrice: a.twice.and(b.once).or(a.once.and(b.twice)).or(a.thrice).or(b.thrice),
    }
}
