//! What the system counts: cycles and instructions of this thread or of a program that it starts, where the kernel offers them, and
//! processor time of this thread.

use super::Counted;

#[cfg(target_os = "linux")]
mod system {
    use perf_event::events::{Event, Hardware};
    use perf_event::{Builder, Counter, Group};

    /// Counters that whatever this thread starts inherits, and that run from its `exec` on: this process itself is not counted.
    pub(super) struct ChildEvents<const N: usize>([Counter; N]);

    impl ChildEvents<2> {
        /// Cycles and instructions.
        pub(super) fn open() -> Option<ChildEvents<2>> {
            let [cycles, instructions] = [Hardware::CPU_CYCLES, Hardware::INSTRUCTIONS].map(inherited);
            Some(ChildEvents([cycles?, instructions?]))
        }
    }

    impl<const N: usize> ChildEvents<N> {
        /// The counts of what has ended since.
        pub(super) fn read(&mut self) -> Option<[u64; N]> {
            let counts: Option<Vec<u64>> = self.0.iter_mut().map(|counter| counter.read().ok()).collect();
            counts?.try_into().ok()
        }
    }

    fn inherited(event: impl Event) -> Option<Counter> {
        Builder::new(event).inherit(true).enable_on_exec(true).build().ok()
    }

    /// Two counters that run together.
    pub(super) struct Events {
        group: Group,
        cycles: Counter,
        instructions: Counter,
    }

    impl Events {
        /// `None` where the kernel, its settings or the virtual machine do not let this process count.
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

        /// Cycles and instructions since the last reset, and resets.
        pub(super) fn take(&mut self) -> Option<(u64, u64)> {
            let data = self.group.read().ok()?;
            let counts = (data[&self.cycles], data[&self.instructions]);
            self.group.reset().ok()?;
            Some(counts)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use perf_event::events::Software;
        use std::process::Command;

        #[test]
        fn a_program_is_counted_and_this_process_is_not() {
            // Virtual machines seldom have the hardware's counters; those of the kernel are inherited alike.
            let faults_of = |script: &str| {
                let mut events = ChildEvents([inherited(Software::PAGE_FAULTS)?]);
                let ours: Vec<u8> = vec![1; 1 << 24];
                assert_eq!((events.read(), ours.len()), (Some([0]), 1 << 24));
                assert!(Command::new("sh").args(["-c", script]).status().unwrap().success());
                Some(events.read().unwrap()[0])
            };
            let Some(one) = faults_of("exit 0") else { return };
            assert!(one > 0);
            let nine = faults_of("for i in 1 2 3 4 5 6 7 8; do sh -c 'exit 0'; done").unwrap();
            assert!(nine > 3 * one, "what it starts is counted along: {nine} and {one}");
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    /// No system but Linux offers counters of another program without help.
    pub(super) enum ChildEvents {}

    impl ChildEvents {
        pub(super) fn open() -> Option<ChildEvents> {
            None
        }

        pub(super) fn read(&mut self) -> Option<[u64; 2]> {
            match *self {}
        }
    }

    /// No system but Linux offers counters to a process without help.
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

/// Counters of the one program that this thread starts behind them, with all that that starts, in user mode. They are for one alone: the
/// kernel forgets to start them for a second.
pub(super) struct ChildCounters(Option<ChildEventsOfSystem>);

#[cfg(target_os = "linux")]
type ChildEventsOfSystem = system::ChildEvents<2>;
#[cfg(not(target_os = "linux"))]
type ChildEventsOfSystem = system::ChildEvents;

impl ChildCounters {
    /// Opens them, if the kernel has some.
    pub(super) fn open() -> ChildCounters {
        ChildCounters(ChildEventsOfSystem::open())
    }

    /// What was counted, once the program has ended. `None` where nothing counts, or where the counters stayed at 0.
    pub(super) fn counted(mut self) -> Option<Counted> {
        let [cycles, instructions] = self.0.as_mut()?.read()?;
        (cycles > 0 && instructions > 0).then_some(Counted { cycles, instructions })
    }
}

/// Counters of the thread that opened them, in user mode.
pub(super) struct Counters {
    events: system::Events,
    sound: bool,
}

impl Counters {
    /// Opens them; `None` where there are none.
    pub(super) fn open() -> Option<Counters> {
        system::Events::open().map(|events| Counters { events, sound: true })
    }

    /// Counts from here.
    pub(super) fn start(&mut self) {
        self.sound &= self.events.enable();
    }

    /// Counts until here.
    pub(super) fn stop(&mut self) {
        self.sound &= self.events.disable();
    }

    /// The counts since the last call. `None` where any step failed, or where the counters stayed at 0, as some virtual
    /// machines let them.
    pub(super) fn take(&mut self) -> Option<Counted> {
        let (cycles, instructions) = self.events.take().filter(|_| self.sound)?;
        (cycles > 0 && instructions > 0).then_some(Counted { cycles, instructions })
    }
}

/// Nanoseconds of processor time that this thread has used: what another process takes away from it does not count.
/// 0 where the system does not tell.
#[cfg(unix)]
pub(super) fn thread_time_ns() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u64::try_from(time.tv_nsec));
    seconds.unwrap_or(0) * 1_000_000_000 + nanoseconds.unwrap_or(0)
}

/// No clock of a thread is known here.
#[cfg(not(unix))]
pub(super) fn thread_time_ns() -> u64 {
    0
}
