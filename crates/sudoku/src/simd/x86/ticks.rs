//! The counter that the system's clock is made of, without the way through the system.

use std::arch::x86_64::{__cpuid, _rdtsc};
use std::sync::OnceLock;

/// A counter of the CPU whose ticks are of one length, whatever the CPU does (invariant TSC).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticks(());

impl Ticks {
    /// The token, where the CPU has such a counter.
    pub(crate) fn detect() -> Option<Ticks> {
        // Asked once: under a hypervisor it takes longer than to solve a puzzle.
        static FOUND: OnceLock<bool> = OnceLock::new();
        let ask = || {
            const LAST_LEAF: u32 = 0x8000_0000;
            const LEAF: u32 = 0x8000_0007;
            const INVARIANT: u32 = 1 << 8;
            !cfg!(miri) && __cpuid(LAST_LEAF).eax >= LEAF && __cpuid(LEAF).edx & INVARIANT != 0
        };
        FOUND.get_or_init(ask).then_some(Ticks(()))
    }

    /// The ticks until now. What stands before may still be under way: that is a few nanoseconds, and to wait for it would cost as many.
    #[inline]
    pub(crate) fn now(self) -> u64 {
        // SAFETY: it accesses no memory, and the counter belongs to every x86-64 CPU.
        unsafe { _rdtsc() }
    }
}
