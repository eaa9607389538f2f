//! Vector widths: which the CPU has, which is used, and the only unsafe code of the crate.
//!
//! The solvers are written once, over a word of `64 * N` bits, and compiled once for each width:
//!
//! ```text
//!  Avx512::detect() -> Some(token)     only a CPU that has the features yields the token
//!        token.word([..])              only a token yields words, so their operators may use vector instructions
//!        token.call(kernel)            and the token may enter a #[target_feature] function,
//!             root(kernel)             into which kernel and operators are inlined
//! ```
//!
//! # Safety
//! Three kinds of unsafe operation exist here. Entering a root, and calling an intrinsic, need CPU features: a
//! token is the proof, for its field is private and `detect` alone makes one, and words come from tokens.
//! Unaligned vector loads and stores take pointers: each is made from a slice of exactly the width that is read
//! or written. Words and arrays of `u64` are transmuted into each other: plain bits of the same size.
#![allow(unsafe_code)]

mod bytes;
mod digits;
mod level;
mod word;

pub(crate) use digits::Digits;
pub(crate) use level::{Build, build, build_at};
pub use level::{Level, LevelError, VARIABLE, force, forced, level};
pub(crate) use word::Word;

/// The cells of a grid, as bits: cell `i` is bit `i` of `low` for the first 64, bit `i - 64` of `high` for the
/// other 17.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CellSet {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

/// Code that runs with the features of a token.
///
/// To be compiled for them, all of it must be inlined into the root: `run` and what it calls are
/// `#[inline(always)]`, and words are combined in plain loops, for the closures of iterators and of array methods
/// are inlined too late, if at all.
pub(crate) trait Kernel {
    /// What it returns.
    type Output;

    /// Runs it. Implementations are `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// The proof that a set of CPU features is there, and the door into functions that use it.
pub(crate) trait Simd<const N: usize>: Copy + Send + 'static {
    /// Its widest word.
    type Word: Word<Bits = [u64; N]>;

    /// Sixteen lanes of 32 bits.
    type Digits: Digits;

    /// Those lanes.
    fn digits(self, lanes: [u32; 16]) -> Self::Digits;

    /// The word with these elements.
    fn word(self, elements: [u64; N]) -> Self::Word;

    /// The word of zeros.
    #[inline(always)]
    fn zero(self) -> Self::Word {
        self.word([0; N])
    }

    /// The word of ones.
    #[inline(always)]
    fn ones(self) -> Self::Word {
        self.word([!0; N])
    }

    /// Runs `kernel` compiled for the features of this token.
    fn call<K: Kernel>(self, kernel: K) -> K::Output;

    /// For each value 0 to 9, the cells of a puzzle that hold it.
    #[inline(always)]
    fn cells_by_value(self, values: &[u8; 81]) -> [CellSet; 10] {
        bytes::cells_by_value(values)
    }

    /// The inverse for a filled grid: writes the value 1 to 9 of each cell, from the cells of each digit.
    #[inline(always)]
    fn values_of_cells(self, cells: &[CellSet; 9], values: &mut [u8; 81]) {
        bytes::values_of_cells(cells, values);
    }
}

/// Asks for the cache lines of a value that will soon be used. A hint: nothing follows from it but time.
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

/// What every CPU of the target has: SSE2 on x86-64, plain integers elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Baseline;

impl Simd<2> for Baseline {
    #[cfg(target_arch = "x86_64")]
    type Word = word::x86::Word128;
    #[cfg(not(target_arch = "x86_64"))]
    type Word = word::plain::Plain;
    #[cfg(target_arch = "x86_64")]
    type Digits = digits::Lanes<std::arch::x86_64::__m128i, 4>;
    #[cfg(not(target_arch = "x86_64"))]
    type Digits = digits::Lanes<u32, 16>;

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn digits(self, lanes: [u32; 16]) -> Self::Digits {
        // SAFETY: both sides are 64 bytes of plain bits, and SSE2 belongs to every x86-64 CPU.
        digits::Lanes(unsafe { std::mem::transmute::<[u32; 16], [std::arch::x86_64::__m128i; 4]>(lanes) })
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn digits(self, lanes: [u32; 16]) -> Self::Digits {
        digits::Lanes(lanes)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn word(self, elements: [u64; 2]) -> Self::Word {
        // SAFETY: SSE2, which has the word's instructions, belongs to every x86-64 CPU.
        unsafe { Self::Word::new(elements) }
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn word(self, elements: [u64; 2]) -> Self::Word {
        word::plain::Plain(elements)
    }

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run()
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn cells_by_value(self, values: &[u8; 81]) -> [CellSet; 10] {
        // SAFETY: SSE2 belongs to every x86-64 CPU.
        unsafe { bytes::x86::cells_by_value_sse2(values) }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256i, __m512i};
    use std::mem::transmute;

    use super::digits::Lanes;
    use super::word::x86::{Word256, Word512};
    use super::{CellSet, Kernel, Simd, bytes};

    /// AVX2 and the bit operations of the x86-64-v3 level.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2(());

    /// AVX-512 F, BW, DQ, VL: the x86-64-v4 level.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx512(());

    impl Avx2 {
        /// The token, where the CPU has the features.
        pub(crate) fn detect() -> Option<Avx2> {
            let found = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            found.then_some(Avx2(()))
        }
    }

    impl Avx512 {
        /// The token, where the CPU has the features.
        pub(crate) fn detect() -> Option<Avx512> {
            let found = Avx2::detect().is_some()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            found.then_some(Avx512(()))
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn root_avx2<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn root_avx512<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }

    impl Simd<4> for Avx2 {
        type Word = Word256;
        type Digits = Lanes<__m256i, 2>;

        #[inline(always)]
        fn digits(self, lanes: [u32; 16]) -> Self::Digits {
            // SAFETY: both sides are 64 bytes of plain bits; the token proves the instructions.
            Lanes(unsafe { transmute::<[u32; 16], [__m256i; 2]>(lanes) })
        }

        #[inline(always)]
        fn word(self, elements: [u64; 4]) -> Word256 {
            // SAFETY: `self` exists only where `detect` found AVX2, which has the word's instructions.
            unsafe { Word256::new(elements) }
        }

        #[inline(always)]
        fn call<K: Kernel>(self, kernel: K) -> K::Output {
            // SAFETY: `self` exists only where `detect` found every feature of the root.
            unsafe { root_avx2(kernel) }
        }

        #[inline(always)]
        fn cells_by_value(self, values: &[u8; 81]) -> [CellSet; 10] {
            // SAFETY: `self` exists only where `detect` found AVX2.
            unsafe { bytes::x86::cells_by_value_avx2(values) }
        }
    }

    impl Simd<8> for Avx512 {
        type Word = Word512;
        type Digits = Lanes<__m512i, 1>;

        #[inline(always)]
        fn digits(self, lanes: [u32; 16]) -> Self::Digits {
            // SAFETY: both sides are 64 bytes of plain bits; the token proves the instructions.
            Lanes(unsafe { transmute::<[u32; 16], [__m512i; 1]>(lanes) })
        }

        #[inline(always)]
        fn word(self, elements: [u64; 8]) -> Word512 {
            // SAFETY: `self` exists only where `detect` found AVX-512 F, which has the word's instructions.
            unsafe { Word512::new(elements) }
        }

        #[inline(always)]
        fn call<K: Kernel>(self, kernel: K) -> K::Output {
            // SAFETY: `self` exists only where `detect` found every feature of the root.
            unsafe { root_avx512(kernel) }
        }

        #[inline(always)]
        fn cells_by_value(self, values: &[u8; 81]) -> [CellSet; 10] {
            // SAFETY: `self` exists only where `detect` found AVX-512 F and BW.
            unsafe { bytes::x86::cells_by_value_avx512(values) }
        }

        #[inline(always)]
        fn values_of_cells(self, cells: &[CellSet; 9], values: &mut [u8; 81]) {
            // SAFETY: `self` exists only where `detect` found AVX-512 F and BW.
            unsafe { bytes::x86::values_of_cells_avx512(cells, values) }
        }
    }
}
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};
