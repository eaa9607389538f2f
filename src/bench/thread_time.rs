//! Processor time of the calling thread: what another process takes away from it does not count.

/// Nanoseconds of processor time that this thread has used; 0 where the system does not tell.
#[cfg(unix)]
pub(super) fn thread_time_ns() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u64::try_from(time.tv_nsec));
    seconds.unwrap_or(0) * 1_000_000_000 + nanoseconds.unwrap_or(0)
}

#[cfg(not(unix))]
pub(super) fn thread_time_ns() -> u64 {
    0
}
