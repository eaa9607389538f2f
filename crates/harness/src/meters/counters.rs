//! Counts cycles and instructions of this thread, if the kernel supports it, and reads its processor time.

use serde::{Deserialize, Serialize};

/// Processor counters of a thread or a program, in user mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HardwareCounts {
    /// Cycles of the core.
    pub cycles: u64,
    /// Retired instructions.
    pub instructions: u64,
}

impl std::ops::Add for HardwareCounts {
    type Output = HardwareCounts;

    fn add(self, other: HardwareCounts) -> HardwareCounts {
        HardwareCounts {
            cycles: self.cycles + other.cycles,
            instructions: self.instructions + other.instructions,
        }
    }
}

#[cfg(target_os = "linux")]
mod system {
    use perf_event::events::Hardware;
    use perf_event::{Builder, Counter, Group};

    /// Two counters that start and stop together.
    pub(super) struct Events {
        group: Group,
        cycles: Counter,
        instructions: Counter,
    }

    impl Events {
        /// Opens the counters. Returns `None` if the kernel, its settings or the virtual machine do not permit this process to count.
        pub(super) fn open() -> Option<Events> {
            let mut group = Group::new().ok()?;
            let cycles = group.add(&Builder::new(Hardware::CPU_CYCLES)).ok()?;
            let instructions = group.add(&Builder::new(Hardware::INSTRUCTIONS)).ok()?;
            Some(Events { group, cycles, instructions })
        }

        pub(super) fn enable(&mut self) -> bool {
            self.group.enable().is_ok()
        }

        pub(super) fn disable(&mut self) -> bool {
            self.group.disable().is_ok()
        }

        /// Returns cycles and instructions since the last reset, and resets them.
        pub(super) fn take(&mut self) -> Option<(u64, u64)> {
            let data = self.group.read().ok()?;
            let counts = (data[&self.cycles], data[&self.instructions]);
            self.group.reset().ok()?;
            Some(counts)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    /// Other systems than Linux have no counters for a process without special rights.
    pub(super) enum Events {}

    impl Events {
        pub(super) fn open() -> Option<Events> {
            None
        }

        pub(super) fn enable(&mut self) -> bool {
            match *self {}
        }

        pub(super) fn disable(&mut self) -> bool {
            match *self {}
        }

        pub(super) fn take(&mut self) -> Option<(u64, u64)> {
            match *self {}
        }
    }
}

/// Counters of events in user mode, for the thread that opened them.
pub(crate) struct Counters {
    events: system::Events,
    sound: bool,
}

impl Counters {
    /// Opens the counters. Returns `None` if the system has no counters.
    pub(crate) fn open() -> Option<Counters> {
        system::Events::open().map(|events| Counters { events, sound: true })
    }

    /// Starts counting.
    pub(crate) fn start(&mut self) {
        self.sound &= self.events.enable();
    }

    /// Stops counting.
    pub(crate) fn stop(&mut self) {
        self.sound &= self.events.disable();
    }

    /// Returns the counts since the last call, or `None` if any step failed or the counters stayed at 0, as in some virtual machines.
    pub(crate) fn take(&mut self) -> Option<HardwareCounts> {
        let (cycles, instructions) = self.events.take().filter(|_| self.sound)?;
        (cycles > 0 && instructions > 0).then_some(HardwareCounts { cycles, instructions })
    }
}

/// Returns the processor time of this thread in nanoseconds, which excludes the time of other processes. 0 if the system does not report
/// it.
#[cfg(unix)]
pub(crate) fn thread_time_ns() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u64::try_from(time.tv_nsec));
    seconds.unwrap_or(0) * 1_000_000_000 + nanoseconds.unwrap_or(0)
}

/// Returns 0, because the processor time of a thread is not read on this system.
#[cfg(not(unix))]
pub(crate) fn thread_time_ns() -> u64 {
    0
}
