//! Counters of the operating system and the processor, for a pass in this process or for a program that this process starts.
//!
//! ```text
//! account              page faults and context switches, from the accounts of the operating system
//! counters             events of the processor in a thread (child_counters: in a program), if the kernel lets us count them
//! processor_counters   what `doctor` reports about these counters
//! ```

mod account;
#[cfg(unix)]
mod child_counters;
mod counters;
mod processor_counters;

pub use account::{Account, Meters};
#[cfg(unix)]
pub(crate) use child_counters::ChildCounters;
pub(crate) use counters::{Counters, thread_time_ns};
pub use processor_counters::processor_counters;
