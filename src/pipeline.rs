//! Reader -> workers -> ordered writer, in bounded memory.
//!
//! ```text
//!            free slots (bounded)
//!   +-------------------------------------------+
//!   v                                           |
//! reader --(0, slot)--> work queue --> worker --+--> done --> writer: puts the slots back in order
//! one thread            (bounded)      rayon's threads         the calling thread
//! ```
//! A slot carries a block of input and what became of it, and travels round: filled by the reader, worked on by
//! a worker, written by the writer, and free again. There are a fixed number of slots, so memory is bounded by
//! their number times their size, whatever the length of the input, and nothing is allocated on the way.
//!
//! This file sees only the traits: it knows nothing of puzzles.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender, bounded};

/// Fills slots with input, one after the other. Runs in a thread of its own.
pub trait Reader<S>: Send {
    /// Fills a slot. `Break`: the input is at its end and the slot is not used.
    ///
    /// # Errors
    /// Whatever keeps it from reading on. Slots filled before are still worked on and written.
    fn fill(&mut self, slot: &mut S) -> anyhow::Result<ControlFlow<()>>;
}

/// Works on slots, in any order. Each worker thread has one.
pub trait Worker<S>: Send {
    /// Works on a slot that the reader filled.
    fn work(&mut self, slot: &mut S);
}

/// Takes the slots in the order in which the reader filled them.
pub trait Writer<S> {
    /// Takes a slot. `Break`: later ones are not wanted.
    ///
    /// # Errors
    /// Whatever keeps it from writing on; the run ends.
    fn write(&mut self, slot: &mut S) -> anyhow::Result<ControlFlow<()>>;
}

/// Slots for each worker: one under work, one waiting.
const SLOTS_PER_WORKER: usize = 2;
/// Slots besides: one to be filled, one to be written.
const SLOTS_BESIDES: usize = 2;

/// Runs `reader`, the `workers` on as many rayon threads, and `writer` on the calling thread, until the input is
/// at its end, the writer breaks off, something fails, or `stop` becomes true (then the reader reads no more, and
/// what it has read is finished).
///
/// Workers are returned by their `&mut`: what they gathered can be read when this returns.
///
/// # Errors
/// The writer's error, else the reader's, else a failure to start threads.
pub fn run<S, R, W, K>(
    reader: &mut R,
    workers: &mut [W],
    writer: &mut K,
    stop: &AtomicBool,
) -> anyhow::Result<()>
where
    S: Default + Send,
    R: Reader<S>,
    W: Worker<S>,
    K: Writer<S>,
{
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(workers.len())
        .thread_name(|index| format!("solver-{index}"))
        .build()
        .context("cannot start the worker threads; try fewer with --threads")?;
    let slots = SLOTS_PER_WORKER * workers.len() + SLOTS_BESIDES;
    let (free_in, free_out) = bounded(slots);
    let (work_in, work_out) = bounded(slots);
    let (done_in, done_out) = bounded(slots);
    for _ in 0..slots {
        // The channel holds all slots, so this cannot fail.
        let _ = free_in.send(S::default());
    }
    let workers: Vec<Mutex<&mut W>> = workers.iter_mut().map(Mutex::new).collect();
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| read(reader, stop, free_out, work_in));
        scope.spawn(|| {
            let done = done_in;
            pool.broadcast(|context| {
                let mut worker = workers[context.index()].lock().unwrap_or_else(PoisonError::into_inner);
                work(&mut **worker, &work_out, &done);
            });
        });
        let written = write(writer, done_out, free_in);
        let read = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        written.and(read)
    })
}

/// Fills free slots and numbers them. Ends when the input does, or when nobody takes or frees slots any more.
fn read<S, R: Reader<S>>(
    reader: &mut R,
    stop: &AtomicBool,
    free: Receiver<S>,
    work: Sender<(u64, S)>,
) -> anyhow::Result<()> {
    for (number, mut slot) in (0..).zip(free) {
        if stop.load(Ordering::Relaxed)
            || reader.fill(&mut slot)?.is_break()
            || work.send((number, slot)).is_err()
        {
            break;
        }
    }
    Ok(())
}

/// Works on slots until there are none, or nobody wants them.
fn work<S, W: Worker<S>>(worker: &mut W, slots: &Receiver<(u64, S)>, done: &Sender<(u64, S)>) {
    for (number, mut slot) in slots {
        worker.work(&mut slot);
        if done.send((number, slot)).is_err() {
            break;
        }
    }
}

/// Writes slots in the order of their numbers, and sets them free. Returning drops the channels' ends, which
/// ends workers and reader.
fn write<S, K: Writer<S>>(writer: &mut K, done: Receiver<(u64, S)>, free: Sender<S>) -> anyhow::Result<()> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (number, slot) in done {
        early.insert(number, slot);
        while let Some(mut slot) = early.remove(&next) {
            if writer.write(&mut slot)?.is_break() {
                return Ok(());
            }
            next += 1;
            // At its end the reader is gone, and slots are needed no more.
            let _ = free.send(slot);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    struct Count {
        next: u64,
        end: u64,
        fails_at: Option<u64>,
    }
    impl Reader<u64> for Count {
        fn fill(&mut self, slot: &mut u64) -> anyhow::Result<ControlFlow<()>> {
            if self.fails_at == Some(self.next) {
                anyhow::bail!("unreadable at {}", self.next);
            }
            if self.next == self.end {
                return Ok(ControlFlow::Break(()));
            }
            *slot = self.next;
            self.next += 1;
            Ok(ControlFlow::Continue(()))
        }
    }

    /// Squares, and dawdles over every seventh so that slots overtake each other.
    struct Square;
    impl Worker<u64> for Square {
        fn work(&mut self, slot: &mut u64) {
            if slot.is_multiple_of(7) {
                std::thread::sleep(std::time::Duration::from_micros(200));
            }
            *slot *= *slot;
        }
    }

    #[derive(Default)]
    struct Collect {
        seen: Vec<u64>,
        breaks_after: Option<usize>,
        fails_after: Option<usize>,
    }
    impl Writer<u64> for Collect {
        fn write(&mut self, slot: &mut u64) -> anyhow::Result<ControlFlow<()>> {
            self.seen.push(*slot);
            if self.fails_after == Some(self.seen.len()) {
                anyhow::bail!("disk full");
            }
            let broken = self.breaks_after == Some(self.seen.len());
            Ok(if broken { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        }
    }

    fn squares(count: u64) -> Vec<u64> {
        (0..count).map(|number| number * number).collect()
    }

    fn run_with(threads: usize, mut reader: Count, writer: &mut Collect) -> anyhow::Result<()> {
        let mut workers: Vec<Square> = (0..threads).map(|_| Square).collect();
        run(&mut reader, &mut workers, writer, &AtomicBool::new(false))
    }

    #[test]
    fn the_order_is_kept_whatever_the_threads() {
        for threads in [1, 2, 3, 8] {
            let mut writer = Collect::default();
            run_with(threads, Count { next: 0, end: 500, fails_at: None }, &mut writer).unwrap();
            assert_eq!(writer.seen, squares(500));
        }
    }

    #[test]
    fn what_was_read_before_a_failure_is_written() {
        let mut writer = Collect::default();
        let error = run_with(2, Count { next: 0, end: 500, fails_at: Some(123) }, &mut writer).unwrap_err();
        assert_eq!(error.to_string(), "unreadable at 123");
        assert_eq!(writer.seen, squares(123));
    }

    #[test]
    fn a_writer_that_fails_or_has_enough_ends_the_run() {
        let endless = || Count { next: 0, end: u64::MAX, fails_at: None };
        let mut full = Collect { fails_after: Some(10), ..Collect::default() };
        assert_eq!(run_with(2, endless(), &mut full).unwrap_err().to_string(), "disk full");
        let mut satisfied = Collect { breaks_after: Some(10), ..Collect::default() };
        run_with(2, endless(), &mut satisfied).unwrap();
        assert_eq!(satisfied.seen, squares(10));
    }

    #[test]
    fn a_stop_finishes_what_was_read() {
        struct StopAt<'s>(&'s AtomicBool, &'s AtomicUsize);
        impl Worker<u64> for StopAt<'_> {
            fn work(&mut self, slot: &mut u64) {
                self.1.fetch_add(1, Ordering::Relaxed);
                self.0.fetch_or(*slot == 20, Ordering::Relaxed);
            }
        }
        let (stop, worked) = (AtomicBool::new(false), AtomicUsize::new(0));
        let mut writer = Collect::default();
        let mut reader = Count { next: 0, end: u64::MAX, fails_at: None };
        run(&mut reader, &mut [StopAt(&stop, &worked)], &mut writer, &stop).unwrap();
        assert!(writer.seen.len() > 20);
        assert_eq!(writer.seen.len(), worked.into_inner());
        assert!(writer.seen.iter().copied().eq(0..writer.seen.len() as u64));
    }
}
