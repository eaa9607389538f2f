//! Counts events of the processor in a program that this process starts, if the kernel supports it.

pub(crate) use system::ChildCounters;

#[cfg(target_os = "linux")]
mod system {
    use perf_event::events::Event;
    use perf_event::{Builder, Counter};

    use crate::meters::counters::{EVENTS, readings_of};
    use crate::record::registry::Readings;

    /// Counters, each with the key of its figure. They count user-mode events in the next program that this thread starts, and in the child
    /// processes of that program. They start at the `exec` of the program, so this process itself is not counted. The kernel does not start
    /// them again for a second program.
    pub(crate) struct ChildCounters(Vec<(&'static str, Counter)>);

    impl ChildCounters {
        /// Opens the counters that the processor has, as far as the kernel permits.
        pub(crate) fn open() -> ChildCounters {
            let open = EVENTS.iter().filter_map(|(figure, event)| Some((figure.key, inherited(*event)?)));
            ChildCounters(open.collect())
        }

        /// Returns the counts. Call this after the program has ended. Empty if a counter can't be read, or if [`readings_of`] returns
        /// nothing.
        pub(crate) fn counted(mut self) -> Readings {
            self.read().map_or_else(Readings::new, readings_of)
        }

        fn read(&mut self) -> Option<Vec<(&'static str, u64)>> {
            self.0.iter_mut().map(|(key, counter)| Some((*key, counter.read().ok()?))).collect()
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
                let mut events = ChildCounters(vec![("faults", inherited(Software::PAGE_FAULTS)?)]);
                let ours: Vec<u8> = vec![1; 1 << 24];
                assert_eq!((events.read(), ours.len()), (Some(vec![("faults", 0)]), 1 << 24));
                assert!(Command::new("sh").args(["-c", script]).status().unwrap().success());
                Some(events.read().unwrap()[0].1)
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
    use crate::record::registry::Readings;

    /// Counts nothing: this program has no counters for this system.
    pub(crate) struct ChildCounters;

    impl ChildCounters {
        pub(crate) fn open() -> ChildCounters {
            ChildCounters
        }

        pub(crate) fn counted(self) -> Readings {
            Readings::new()
        }
    }
}
