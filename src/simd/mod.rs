//! Vector widths: which the CPU has, which is used, and the only unsafe code of the crate.
//!
//! The solvers are written once, as loops over `[u64; N]`, and LLVM turns those loops into vector code for
//! whichever instruction set the surrounding function may use. So all that is needed here is a door into
//! functions that may use more than the baseline:
//!
//! ```text
//!  Avx512::detect() -> Some(token)     only a CPU that has the features yields the token
//!        token.call(|| kernel(..))     so this may enter a #[target_feature] function,
//!             root(closure)            into which closure and kernel are inlined and vectorised
//! ```
//!
//! # Safety
//! Two kinds of unsafe operation exist here. Entering a root needs its CPU features: a token is the proof, for
//! its field is private and `detect` alone makes one. Unaligned vector loads and stores take pointers: each is
//! made from an array reference of exactly the width that is read or written.
#![allow(unsafe_code)]

mod bytes;
mod level;

pub use level::{Level, LevelError, force, level};

/// The cells of a grid, as bits: cell `i` is bit `i` of `low` for the first 64, bit `i - 64` of `high` for the
/// other 17.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CellSet {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

/// The proof that a set of CPU features is there, and the door into functions that use it.
pub(crate) trait Simd: Copy + Send + 'static {
    /// Runs `kernel` compiled for the features of this token.
    fn call<R>(self, kernel: impl FnOnce() -> R) -> R;

    /// For each value 0 to 9, the cells of a puzzle that hold it.
    #[inline(always)]
    fn cells_by_value(self, values: &[u8; 81]) -> [CellSet; 10] {
        bytes::cells_by_value(values)
    }

    /// The inverse for a filled grid: the value 1 to 9 of each cell, from the cells of each digit.
    #[inline(always)]
    fn values_of_cells(self, cells: &[CellSet; 9]) -> [u8; 81] {
        bytes::values_of_cells(cells)
    }
}

/// What every CPU of the target has: SSE2 on x86-64, NEON on 64-bit ARM.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Baseline;

impl Simd for Baseline {
    #[inline(always)]
    fn call<R>(self, kernel: impl FnOnce() -> R) -> R {
        kernel()
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
    use super::{CellSet, Simd, bytes};

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
    fn root_avx2<R>(kernel: impl FnOnce() -> R) -> R {
        kernel()
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn root_avx512<R>(kernel: impl FnOnce() -> R) -> R {
        kernel()
    }

    impl Simd for Avx2 {
        #[inline(always)]
        fn call<R>(self, kernel: impl FnOnce() -> R) -> R {
            // SAFETY: `self` exists only where `detect` found every feature of the root.
            unsafe { root_avx2(kernel) }
        }

        #[inline(always)]
        fn cells_by_value(self, values: &[u8; 81]) -> [CellSet; 10] {
            // SAFETY: `self` exists only where `detect` found AVX2.
            unsafe { bytes::x86::cells_by_value_avx2(values) }
        }
    }

    impl Simd for Avx512 {
        #[inline(always)]
        fn call<R>(self, kernel: impl FnOnce() -> R) -> R {
            // SAFETY: `self` exists only where `detect` found every feature of the root.
            unsafe { root_avx512(kernel) }
        }

        #[inline(always)]
        fn cells_by_value(self, values: &[u8; 81]) -> [CellSet; 10] {
            // SAFETY: `self` exists only where `detect` found AVX-512 BW.
            unsafe { bytes::x86::cells_by_value_avx512(values) }
        }

        #[inline(always)]
        fn values_of_cells(self, cells: &[CellSet; 9]) -> [u8; 81] {
            // SAFETY: `self` exists only where `detect` found AVX-512 BW.
            unsafe { bytes::x86::values_of_cells_avx512(cells) }
        }
    }
}
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};
