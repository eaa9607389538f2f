//! The SIMD token of aarch64: a value that proves that the CPU has NEON, and that runs kernels and makes vectors.

mod registers;

use std::arch::aarch64::uint64x2_t;
use std::mem::transmute;

use super::digits::Registers;
use super::word::WordOf;
use super::{CellSet, Kernel, Simd, bytes};

/// The token for NEON, which every CPU of the target has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Baseline;

impl Simd<2> for Baseline {
    type Word = WordOf<uint64x2_t>;
    type Digits = Registers<uint64x2_t, 3>;

    #[inline(always)]
    fn digits(self, lanes: [u32; 16]) -> Self::Digits {
        // SAFETY: both sides are 64 bytes of plain bits, and NEON belongs to every aarch64 CPU.
        let [first, second, third, _] = unsafe { transmute::<[u32; 16], [uint64x2_t; 4]>(lanes) };
        Registers([first, second, third])
    }

    #[inline(always)]
    fn word(self, elements: [u64; 2]) -> WordOf<uint64x2_t> {
        // SAFETY: both sides are 16 bytes of plain bits, and NEON belongs to every aarch64 CPU.
        WordOf(unsafe { transmute::<[u64; 2], uint64x2_t>(elements) })
    }

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run()
    }

    #[inline(always)]
    fn cells_by_value(self, values: &[u8; 81]) -> [CellSet; 10] {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { bytes::aarch64::cells_by_value_neon(values) }
    }

    #[inline(always)]
    fn values_of_cells(self, cells: &[CellSet; 9], values: &mut [u8; 81]) {
        // SAFETY: NEON belongs to every aarch64 CPU.
        unsafe { bytes::aarch64::values_of_cells_neon(cells, values) }
    }
}
