//! Reader -> workers -> ordered writer, in bounded memory.
//!
//! ```text
//!              free slots (bounded)
//!   +-----------------------------------------------------+
//!   v                                                     |
//! fill: one worker at a time --> work: all at once --> done: whoever finds the next one in order writes it
//! ```
//! A slot carries a block of input and what became of it. A worker takes a free slot, has the reader fill it, works on
//! it and hands it in; if nobody is writing, it writes all slots whose turn has come. So there are no threads
//! but the workers, and a block mostly stays in the cache of one core from its reading to its writing. A worker
//! waits only where another is reading, or where all slots are out. There are a fixed number of them, so memory is
//! bounded by that number times their size, whatever the length of the input.
//!
//! This file sees only the traits: it knows nothing of puzzles.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The most threads that can be asked for: more than machines have, and few enough to be started with their solvers.
pub const MOST_THREADS: usize = 1024;

/// The worker threads cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ThreadsError {
    /// More than [`MOST_THREADS`].
    #[error("cannot start {0} worker threads: the maximum is {MOST_THREADS}")]
    TooMany(usize),
    /// The system does not start that many.
    #[error("cannot start {threads} worker threads: {words}; {started} could be started, so try --threads {}", .started.max(&1))]
    Refused {
        /// How many were asked for.
        threads: usize,
        /// How many of them were started.
        started: usize,
        /// What the system says.
        words: String,
    },
}

/// Fills slots with input, one after the other, on whichever thread is free.
pub trait Reader<S, E>: Send {
    /// Fills a slot. `Break`: the input is at its end and the slot is not used.
    ///
    /// # Errors
    /// Whatever keeps it from reading on. Slots filled before are still worked on and written.
    fn fill(&mut self, slot: &mut S) -> Result<ControlFlow<()>, E>;
}

/// Works on slots, in any order. Each worker thread has one.
pub trait Worker<S>: Send {
    /// Works on a slot that the reader filled.
    fn work(&mut self, slot: &mut S);
}

/// Takes the slots in the order in which the reader filled them, on whichever thread is free.
pub trait Writer<S, E>: Send {
    /// Takes a slot. `Break`: later ones are not wanted.
    ///
    /// # Errors
    /// Whatever keeps it from writing on; the run ends.
    fn write(&mut self, slot: &mut S) -> Result<ControlFlow<()>, E>;
}

/// Slots for each worker: one under work, one done before its turn.
const SLOTS_PER_WORKER: usize = 2;

/// Runs `reader`, the `workers` on as many rayon threads, and `writer`, until the input is at its end, the writer
/// breaks off, something fails, or `stop` becomes true (then the reader reads no more, and what it has read is
/// finished).
///
/// Workers are returned by their `&mut`: what they gathered can be read when this returns.
///
/// # Errors
/// A failure to start the threads, before anything is read. Later the writer's error, else the reader's.
///
/// # Panics
/// Where there is no worker. Where the reader, a worker or the writer panics, once all workers have ended.
pub fn run<S, E, R, W, K>(
    reader: &mut R,
    workers: &mut [W],
    writer: &mut K,
    stop: &AtomicBool,
) -> Result<(), E>
where
    S: Default + Send,
    E: From<ThreadsError> + Send,
    R: Reader<S, E>,
    W: Worker<S>,
    K: Writer<S, E>,
{
    // To rayon no threads mean as many as there are cores.
    assert!(!workers.is_empty(), "a run needs at least one worker");
    let threads = workers.len();
    let pool = pool(threads)?;
    let slots = SLOTS_PER_WORKER * threads;
    let circuit = Circuit {
        intake: Mutex::new(Intake { reader, filled: 0, result: None }),
        output: Mutex::new(Output {
            free: (0..slots).map(|_| S::default()).collect(),
            done: BTreeMap::new(),
            written: 0,
            writer: Some(writer),
            result: None,
        }),
        freed: Condvar::new(),
        stop,
    };
    let workers: Vec<Mutex<&mut W>> = workers.iter_mut().map(Mutex::new).collect();
    pool.broadcast(|context| {
        let mut worker = workers[context.index()].lock().unwrap_or_else(PoisonError::into_inner);
        circuit.work(&mut **worker);
    });
    circuit.into_result()
}

/// Starts so many threads, one at least.
///
/// # Errors
/// [`ThreadsError`] for too many, and where the system starts fewer.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, ThreadsError> {
    if threads > MOST_THREADS {
        return Err(ThreadsError::TooMany(threads));
    }
    let mut started = 0;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .spawn_handler(|thread| {
            let name = format!("solver-{}", thread.index());
            std::thread::Builder::new().name(name).spawn(|| thread.run())?;
            started += 1;
            Ok(())
        })
        .build();
    pool.map_err(|error| ThreadsError::Refused { threads, started, words: error.to_string() })
}

/// What the workers share. The two locks are never held together.
struct Circuit<'r, S, E, R, K> {
    intake: Mutex<Intake<'r, E, R>>,
    output: Mutex<Output<'r, S, E, K>>,
    /// Signalled where a slot becomes free, or the run ends.
    freed: Condvar,
    stop: &'r AtomicBool,
}

/// The reading end. Locked while a slot is filled.
struct Intake<'r, E, R> {
    reader: &'r mut R,
    /// The number of slots filled so far.
    filled: u64,
    /// How the input ended.
    result: Option<Result<(), E>>,
}

/// The writing end. Locked for moments only: slots are written outside the lock.
struct Output<'r, S, E, K> {
    free: Vec<S>,
    /// Slots that are done and wait for their turn.
    done: BTreeMap<u64, S>,
    /// The number of slots written so far.
    written: u64,
    /// Absent while a worker writes.
    writer: Option<&'r mut K>,
    /// How the run ended before its time.
    result: Option<Result<(), E>>,
}

impl<'r, S, E, R: Reader<S, E>, K: Writer<S, E>> Circuit<'r, S, E, R, K> {
    /// Fills slots, works on them and hands them in, until there are none.
    fn work<W: Worker<S>>(&self, worker: &mut W) {
        let end_on_panic = EndOnPanic(self);
        while let Some((number, mut slot)) = self.filled_slot() {
            worker.work(&mut slot);
            self.hand_in(number, slot);
        }
        std::mem::forget(end_on_panic);
    }

    /// The next slot of input and its number; `None` where there is no more, or nobody wants it.
    fn filled_slot(&self) -> Option<(u64, S)> {
        let mut slot = self.free_slot()?;
        // A reader that panicked has nothing more to give.
        let mut intake = self.intake.lock().ok()?;
        if intake.result.is_some() || self.stop.load(Ordering::Relaxed) {
            return None;
        }
        match intake.reader.fill(&mut slot) {
            Ok(ControlFlow::Continue(())) => {
                intake.filled += 1;
                Some((intake.filled - 1, slot))
            }
            ended => {
                intake.result = Some(ended.map(drop));
                None
            }
        }
    }

    /// Waits for a free slot; `None` where the run is over.
    fn free_slot(&self) -> Option<S> {
        let is_busy = |output: &mut Output<S, E, K>| output.free.is_empty() && output.result.is_none();
        let waited = self.freed.wait_while(self.output(), is_busy);
        let mut output = waited.unwrap_or_else(PoisonError::into_inner);
        if output.result.is_some() {
            return None;
        }
        output.free.pop()
    }

    /// Takes a slot that is done. If nobody is writing, writes all whose turn has come.
    fn hand_in(&self, number: u64, slot: S) {
        let mut output = self.output();
        output.done.insert(number, slot);
        let Some(writer) = output.writer.take() else { return };
        while output.result.is_none()
            && let Some(mut slot) = output.next_done()
        {
            drop(output);
            let written = writer.write(&mut slot);
            output = self.output();
            match written {
                Ok(ControlFlow::Continue(())) => {
                    output.written += 1;
                    output.free.push(slot);
                    self.freed.notify_one();
                }
                ended => self.end(&mut output, ended.map(drop)),
            }
        }
        output.writer = Some(writer);
    }

    /// Ends the run before its time.
    fn end(&self, output: &mut Output<S, E, K>, result: Result<(), E>) {
        output.result = Some(result);
        self.freed.notify_all();
    }

    fn output(&self) -> MutexGuard<'_, Output<'r, S, E, K>> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S, E, R, K> Circuit<'_, S, E, R, K> {
    fn into_result(self) -> Result<(), E> {
        let output = self.output.into_inner().unwrap_or_else(PoisonError::into_inner);
        let intake = self.intake.into_inner().unwrap_or_else(PoisonError::into_inner);
        output.result.unwrap_or(Ok(())).and(intake.result.unwrap_or(Ok(())))
    }
}

impl<S, E, K> Output<'_, S, E, K> {
    /// The slot whose turn it is, if it is done.
    fn next_done(&mut self) -> Option<S> {
        self.done.remove(&self.written)
    }
}

/// Ends the run for all when a worker panics: the others would wait for ever for its slot. Dropped only then.
struct EndOnPanic<'c, 'r, S, E, R: Reader<S, E>, K: Writer<S, E>>(&'c Circuit<'r, S, E, R, K>);

impl<S, E, R: Reader<S, E>, K: Writer<S, E>> Drop for EndOnPanic<'_, '_, S, E, R, K> {
    fn drop(&mut self) {
        self.0.end(&mut self.0.output(), Ok(()));
    }
}

#[cfg(test)]
mod tests;
