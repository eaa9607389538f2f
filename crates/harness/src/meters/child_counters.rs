//! Counts cycles and instructions of a program that this process starts, if the kernel supports it.

use super::HardwareCounts;

#[cfg(target_os = "linux")]
mod system {
    use perf_event::events::{Event, Hardware};
    use perf_event::{Builder, Counter};

    /// Counters that the child processes of this thread inherit. They start at the `exec` of a child process, so this process itself is not
    /// counted.
    pub(super) struct ChildEvents([Counter; 2]);

    impl ChildEvents {
        /// Opens counters for cycles and instructions.
        pub(super) fn open() -> Option<ChildEvents> {
            let [cycles, instructions] = [Hardware::CPU_CYCLES, Hardware::INSTRUCTIONS].map(inherited);
            Some(ChildEvents([cycles?, instructions?]))
        }

        /// Returns the counts of the child processes that have ended since the counters were opened.
        pub(super) fn read(&mut self) -> Option<[u64; 2]> {
            let [cycles, instructions] = &mut self.0;
            Some([cycles.read().ok()?, instructions.read().ok()?])
        }
    }

    fn inherited(event: impl Event) -> Option<Counter> {
        Builder::new(event).inherit(true).enable_on_exec(true).build().ok()
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use perf_event::events::Software;
        use std::process::Command;

        #[test]
        fn a_program_is_counted_and_this_process_is_not() {
            // The test counts page faults, because virtual machines seldom have hardware counters. Software counters are inherited in the
            // same way.
            let faults_of = |script: &str| {
                let [first, second] = [Software::PAGE_FAULTS; 2].map(inherited);
                let mut events = ChildEvents([first?, second?]);
                let ours: Vec<u8> = vec![1; 1 << 24];
                assert_eq!((events.read(), ours.len()), (Some([0, 0]), 1 << 24));
                assert!(Command::new("sh").args(["-c", script]).status().unwrap().success());
                Some(events.read().unwrap()[0])
            };
            // The first start of a shell may cause more page faults than later ones, because the shell isn't in memory yet.
            let Some(_first) = faults_of("exit 0") else { return };
            let one = faults_of("exit 0").unwrap();
            assert!(one > 0);
            let nine = faults_of("for i in 1 2 3 4 5 6 7 8; do sh -c 'exit 0'; done").unwrap();
            assert!(nine > 3 * one, "child processes of the program are not counted: {nine} and {one}");
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    /// Other systems than Linux do not let a process count events of another program without special rights.
    pub(super) enum ChildEvents {}

    impl ChildEvents {
        pub(super) fn open() -> Option<ChildEvents> {
            None
        }

        pub(super) fn read(&mut self) -> Option<[u64; 2]> {
            match *self {}
        }
    }
}

/// Counters of user-mode events in the next program that this thread starts, including the child processes of that program. The kernel does
/// not start the counters again for a second program.
pub(crate) struct ChildCounters(Option<system::ChildEvents>);

impl ChildCounters {
    /// Opens the counters, if the kernel has them.
    pub(crate) fn open() -> ChildCounters {
        ChildCounters(system::ChildEvents::open())
    }

    /// Returns the counts once the program has ended, or `None` if nothing is counted or the counters stayed at 0.
    pub(crate) fn counted(mut self) -> Option<HardwareCounts> {
        let [cycles, instructions] = self.0.as_mut()?.read()?;
        (cycles > 0 && instructions > 0).then_some(HardwareCounts { cycles, instructions })
    }
}
