//! The CPU counter with ticks of constant length (invariant TSC), if the CPU has one. It is read without a call into the system.

use std::arch::x86_64::{__cpuid, _rdtsc};
use std::sync::OnceLock;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticks(());

impl Ticks {
    /// Returns the token if the CPU has a counter with ticks of constant length.
    pub(crate) fn detect() -> Option<Ticks> {
        // Cached: under a hypervisor, this check takes longer than solving a puzzle.
        static FOUND: OnceLock<bool> = OnceLock::new();
        let ask = || {
            const LAST_LEAF: u32 = 0x8000_0000;
            const LEAF: u32 = 0x8000_0007;
            const INVARIANT: u32 = 1 << 8;
            !cfg!(miri) && __cpuid(LAST_LEAF).eax >= LEAF && __cpuid(LEAF).edx & INVARIANT != 0
        };
        FOUND.get_or_init(ask).then_some(Ticks(()))
    }

    /// Returns the number of ticks so far. Earlier instructions may still be running. The resulting error is a few nanoseconds; waiting for
    /// these instructions would take about 10 nanoseconds (`docs/notes/costs.md`).
    #[inline]
    pub(crate) fn now(self) -> u64 {
        // SAFETY: the instruction accesses no memory, and every x86-64 CPU has the counter.
        unsafe { _rdtsc() }
    }
}
