//! The tokens of the x86-64 SIMD levels, and the roots: functions that are compiled for the CPU features of a token.

mod registers;
mod ticks;
mod units;

use std::arch::x86_64::{__m128i, __m256i, __m512i};
use std::mem::transmute;

pub(crate) use ticks::Ticks;
pub(crate) use units::UnitsOfGrids;

use super::digits::Registers;
use super::word::WordOf;
use super::{CellSet, Kernel, Simd, bytes};

/// The token for SSE2, which every x86-64 CPU has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Baseline;

/// The token for AVX2 and the bit operations of the x86-64-v3 level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// The token for AVX-512 F, BW, DQ and VL (the AVX-512 features of the x86-64-v4 level, except CD) and for all features of [`Avx2`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx2 {
    /// Returns the token if the CPU has the features.
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
    /// Returns the token if the CPU has the features.
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

impl Simd<2> for Baseline {
    type Word = WordOf<__m128i>;
    type Digits = Registers<__m128i, 3>;

    #[inline(always)]
    fn digits(self, lanes: [u32; 16]) -> Self::Digits {
        // SAFETY: both sides are 64 bytes of plain bits, and SSE2 belongs to every x86-64 CPU.
        let [first, second, third, _] = unsafe { transmute::<[u32; 16], [__m128i; 4]>(lanes) };
        Registers([first, second, third])
    }

    #[inline(always)]
    fn word(self, elements: [u64; 2]) -> WordOf<__m128i> {
        // SAFETY: both sides are 16 bytes of plain bits, and SSE2 belongs to every x86-64 CPU.
        WordOf(unsafe { transmute::<[u64; 2], __m128i>(elements) })
    }

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run()
    }

    #[inline(always)]
    fn cells_by_value(self, values: &[u8; 81]) -> [CellSet; 10] {
        // SAFETY: SSE2 belongs to every x86-64 CPU.
        unsafe { bytes::x86::cells_by_value_sse2(values) }
    }
}

impl Simd<4> for Avx2 {
    type Word = WordOf<__m256i>;
    type Digits = Registers<__m256i, 2>;

    #[inline(always)]
    fn digits(self, lanes: [u32; 16]) -> Self::Digits {
        // SAFETY: both sides are 64 bytes of plain bits; the token proves that the CPU has the instructions.
        Registers(unsafe { transmute::<[u32; 16], [__m256i; 2]>(lanes) })
    }

    #[inline(always)]
    fn word(self, elements: [u64; 4]) -> WordOf<__m256i> {
        // SAFETY: both sides are 32 bytes of plain bits; the token proves that the CPU has the instructions.
        WordOf(unsafe { transmute::<[u64; 4], __m256i>(elements) })
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
    type Word = WordOf<__m512i>;
    type Digits = Registers<__m512i, 1>;

    #[inline(always)]
    fn digits(self, lanes: [u32; 16]) -> Self::Digits {
        // SAFETY: both sides are 64 bytes of plain bits; the token proves that the CPU has the instructions.
        Registers(unsafe { transmute::<[u32; 16], [__m512i; 1]>(lanes) })
    }

    #[inline(always)]
    fn word(self, elements: [u64; 8]) -> WordOf<__m512i> {
        // SAFETY: both sides are 64 bytes of plain bits; the token proves that the CPU has the instructions.
        WordOf(unsafe { transmute::<[u64; 8], __m512i>(elements) })
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
