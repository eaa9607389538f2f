//! SIMD levels of the CPU, vector operations, and the only unsafe code of the crate.
//!
//! Code that uses vectors is written once, for a width of `64 * N` bits, and compiled once for each width:
//!
//! ```text
//!  Avx512::detect() -> Some(token)     only a CPU that has the features yields the token
//!        token.word([..])              only a token yields words, so their operators may use vector instructions
//!        token.call(kernel)            and the token may enter a #[target_feature] function,
//!             root(kernel)             into which kernel and operators are inlined
//! ```
//!
//! # Safety
//! There are three kinds of unsafe operations. The first kind calls an intrinsic or a root (a `#[target_feature]` function), so the CPU
//! must have the features. A token proves that the CPU has them: the token's field is private, only `detect` makes a token of a level that
//! not every CPU has, and words are made only from tokens. Some calls need no token, because every CPU of the target has the features. The
//! second kind is unaligned vector loads and stores through pointers; each pointer comes from a slice or array of exactly the width that is
//! read or written. The third kind transmutes registers and arrays of integers into each other; both are plain bits of the same size.
#![allow(unsafe_code)]

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod aarch64;
mod bytes;
mod digits;
mod level;
#[cfg(any(test, not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))))]
mod plain;
mod register;
#[cfg(test)]
mod tests;
mod transpose;
mod word;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(crate) use aarch64::Baseline;
pub(crate) use digits::Digits;
pub(crate) use level::{Build, build_at, build_at_most, build_widest};
pub use level::{Level, LevelError, VARIABLE};
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))))]
pub(crate) use plain::Plain as Baseline;
#[cfg(test)]
pub(crate) use plain::Plain;
#[cfg(test)]
pub(crate) use tests::at_every_level;
pub(crate) use transpose::transpose;
pub(crate) use word::Word;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512, Baseline, Ticks, UnitsOfGrids};

/// A set of cells as bits: cell `i` is bit `i` of `low` for the first 64 cells, and bit `i - 64` of `high` for the
/// other 17.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CellSet {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

/// Code that uses the CPU features that a token (a value of a type that implements [`Simd`]) proves.
///
/// The compiler uses these features only in code that is inlined into the root, the `#[target_feature]` function that [`Simd::call`]
/// enters. So `run`, and every function with vector operations that must be compiled for these features, is `#[inline(always)]`. Words are
/// mostly combined in plain loops, because closures of iterators and array methods are often inlined too late or not at all.
pub(crate) trait Kernel {
    type Output;

    /// Runs the kernel. Implementations are `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Proof that the CPU has a set of features, and the entry to functions that use them.
pub(crate) trait Simd<const N: usize>: Copy + Send + 'static {
    /// The widest word that the features allow.
    type Word: Word<Bits = [u64; N]>;

    /// Nine lanes of 32 bits.
    type Digits: Digits;

    /// Makes a vector whose nine lanes are the first nine elements of `lanes`. The other elements may be copied into the vector's unused
    /// lanes.
    fn digits(self, lanes: [u32; 16]) -> Self::Digits;

    fn word(self, elements: [u64; N]) -> Self::Word;

    #[inline(always)]
    fn zero(self) -> Self::Word {
        self.word([0; N])
    }

    /// Returns the word in which every bit is set.
    #[inline(always)]
    fn ones(self) -> Self::Word {
        self.word([!0; N])
    }

    /// Runs `kernel`, compiled for the features of this token.
    fn call<K: Kernel>(self, kernel: K) -> K::Output;

    /// Returns, for each value 0 to 9, the cells of a puzzle that hold it.
    #[inline(always)]
    fn cells_by_value(self, values: &[u8; 81]) -> [CellSet; 10] {
        bytes::cells_by_value(values)
    }

    /// The inverse of [`Simd::cells_by_value`] for a filled grid: writes the value 1 to 9 of each cell, given the cells of each digit.
    #[inline(always)]
    fn values_of_cells(self, cells: &[CellSet; 9], values: &mut [u8; 81]) {
        bytes::values_of_cells(cells, values);
    }
}

/// On x86-64, prefetches a value that will soon be used; elsewhere, does nothing. This only affects speed.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..size_of::<T>()).step_by(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch accesses no memory, whatever the address, and SSE belongs to every x86-64 CPU.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast::<i8>().wrapping_add(line)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
