//! Counts events of the processor for this thread, if the kernel supports it, and reads the processor time of the thread.
//!
//! To add a counter, add a line to [`EVENTS`] and an entry to the registry of figures. The keys of the counts are the keys of figures.

use std::borrow::Cow;
use std::hint::black_box;
use std::io;

use crate::record::registry::{CYCLES, INSTRUCTIONS, Readings};

#[cfg(target_os = "linux")]
pub(super) use system::EVENTS;

#[cfg(target_os = "linux")]
mod system {
    use std::io;

    use perf_event::events::Hardware;
    use perf_event::{Builder, Counter, Group};

    use crate::record::registry::{BRANCH_MISSES, CYCLES, Figure, INSTRUCTIONS};

    pub(in crate::meters) static EVENTS: [(&Figure, Hardware); 3] = [
        (&CYCLES, Hardware::CPU_CYCLES),
        (&INSTRUCTIONS, Hardware::INSTRUCTIONS),
        (&BRANCH_MISSES, Hardware::BRANCH_MISSES),
    ];

    /// Counters that start and stop together, each with the key of its figure.
    pub(super) struct Events {
        group: Group,
        counters: Vec<(&'static str, Counter)>,
    }

    impl Events {
        /// Opens the counters that the processor has. Fails if none can be opened.
        pub(super) fn open() -> io::Result<Events> {
            let mut group = Group::new()?;
            let (mut counters, mut failure) = (Vec::new(), None);
            for (figure, event) in &EVENTS {
                match group.add(&Builder::new(*event)) {
                    Ok(counter) => counters.push((figure.key, counter)),
                    Err(error) => failure = Some(error),
                }
            }
            match failure {
                Some(error) if counters.is_empty() => Err(error),
                _ => Ok(Events { group, counters }),
            }
        }

        pub(super) fn enable(&mut self) -> bool {
            self.group.enable().is_ok()
        }

        pub(super) fn disable(&mut self) -> bool {
            self.group.disable().is_ok()
        }

        /// Returns the counts since the last reset, and resets them.
        pub(super) fn take(&mut self) -> Option<Vec<(&'static str, u64)>> {
            let data = self.group.read().ok()?;
            let counts = self.counters.iter().map(|(key, counter)| (*key, data[counter])).collect();
            self.group.reset().ok()?;
            Some(counts)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    /// There are no counters on this system, so this type has no values.
    pub(super) enum Events {}

    impl Events {
        pub(super) fn open() -> io::Result<Events> {
            Err(io::Error::new(io::ErrorKind::Unsupported, "sudobench can read counters only on Linux"))
        }

        pub(super) fn enable(&mut self) -> bool {
            match *self {}
        }

        pub(super) fn disable(&mut self) -> bool {
            match *self {}
        }

        pub(super) fn take(&mut self) -> Option<Vec<(&'static str, u64)>> {
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
    /// Opens the counters. Fails if no counter can be opened.
    pub(crate) fn open() -> io::Result<Counters> {
        system::Events::open().map(|events| Counters { events, sound: true })
    }

    pub(crate) fn start(&mut self) {
        self.sound &= self.events.enable();
    }

    pub(crate) fn stop(&mut self) {
        self.sound &= self.events.disable();
    }

    /// Returns the counts since the last call of this method, or since the opening if this is the first call. Empty if the counters could
    /// not be started, stopped or read, or if [`readings_of`] rejects the counts.
    pub(crate) fn take(&mut self) -> Readings {
        let counts = self.events.take().filter(|_| self.sound);
        counts.map_or_else(Readings::new, readings_of)
    }
}

/// Returns the counts as readings. Empty if cycles or instructions are missing or 0. In some virtual machines, all counters stay at 0.
pub(super) fn readings_of(counts: impl IntoIterator<Item = (&'static str, u64)>) -> Readings {
    let counts = counts.into_iter().map(|(key, count)| (Cow::Borrowed(key), count as f64));
    let readings: Readings = counts.collect();
    let is_counted = |key| readings.get(key).is_some_and(|&count| count > 0.0);
    if is_counted(CYCLES.key) && is_counted(INSTRUCTIONS.key) { readings } else { Readings::new() }
}

/// Counts the events of a short loop, to find out which counters there are. Empty if the counters can't be used (see [`readings_of`]).
///
/// # Errors
/// If no counter can be opened.
pub(super) fn try_counters() -> io::Result<Readings> {
    let mut counters = Counters::open()?;
    counters.start();
    black_box((0..100_000_u64).fold(0, |sum, number| black_box(sum ^ number)));
    counters.stop();
    Ok(counters.take())
}

/// Returns the processor time of this thread in nanoseconds: the time in which the thread ran on a core. 0 if the system does not report
/// this time.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_that_stay_at_0_give_no_readings() {
        let counts = |cycles, instructions| {
            readings_of([("cycles", cycles), ("instructions", instructions), ("branch_misses", 0)])
        };
        assert_eq!(counts(9, 7).into_iter().collect::<Vec<_>>().len(), 3);
        assert_eq!([counts(0, 7), counts(9, 0), readings_of([])], [(); 3].map(|()| Readings::new()));
    }
}
