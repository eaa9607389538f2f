//! Reader -> workers -> ordered writer, in bounded memory.
//!
//! ```text
//!              free slots (bounded)
//!   +-----------------------------------------------------+
//!   v                                                     |
//! fill: one worker at a time --> work: all in parallel --> done: one worker at a time writes them in order
//! ```
//! A slot contains a block of input and its results. A worker takes a free slot, lets the reader fill it, processes it and passes it on. If
//! no other worker is writing, this worker writes all slots that are next in order. So the workers are the only threads, and a block mostly
//! stays in the cache of one core from reading to writing. The number of slots is fixed, so memory is bounded for inputs of any length. If
//! the results of a slot are large, its worker passes on parts of them before the slot is finished. A worker waits while another one reads,
//! and while all slots are in use. Before it passes on a part, it waits until all earlier slots are written.
//!
//! This file contains nothing about puzzles.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Maximum number of threads. Hardly any machine has more cores, and a machine can still start this many threads with their solvers.
pub const MOST_THREADS: usize = 1024;

/// The worker threads cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ThreadsError {
    /// More than [`MOST_THREADS`] threads were requested.
    #[error("cannot start {0} worker threads: the maximum is {MOST_THREADS}")]
    TooMany(usize),
    /// The system refuses to start that many threads.
    #[error("cannot start {threads} worker threads: {words}; {started} could be started, so try --threads {}", .started.max(&1))]
    Refused {
        /// Number of requested threads.
        threads: usize,
        /// Number of threads that were started.
        started: usize,
        /// The system's error.
        words: String,
    },
}

/// Fills slots with input, one after the other, on whichever thread is free.
pub trait Reader<S, E>: Send {
    /// Fills a slot. Returns `Break` at the end of the input; the slot is then not used.
    ///
    /// # Errors
    /// Any error that ends the reading. Slots that were filled before the error are still processed and written.
    fn fill(&mut self, slot: &mut S) -> Result<ControlFlow<()>, E>;
}

/// Processes slots in any order. Each worker thread has its own instance.
pub trait Worker<S, P>: Send {
    /// Processes a slot that the reader filled. May call `write_part` with parts of the results. The parts are written in the order of the
    /// calls, before the slot itself.
    fn work(&mut self, slot: &mut S, write_part: &mut dyn FnMut(&mut P));
}

/// Receives the slots in the order in which the reader filled them, on any thread.
pub trait Writer<S, E>: Send {
    /// Results of a slot that are written before the slot is finished.
    type Part;

    /// Receives a part of the results of a slot, after all earlier slots and before the slot itself.
    ///
    /// # Errors
    /// Any error. It ends the run.
    fn write_part(&mut self, part: &mut Self::Part) -> Result<(), E>;

    /// Receives a slot, after all its parts. Returns `Break` if no later slots are needed.
    ///
    /// # Errors
    /// Any error. It ends the run.
    fn write(&mut self, slot: &mut S) -> Result<ControlFlow<()>, E>;
}

/// Number of slots per worker: one that is being processed, and one that is finished and waits until it is next in order.
const SLOTS_PER_WORKER: usize = 2;

/// Runs the `reader`, the `workers` and the `writer`, on one rayon thread for each worker. The run ends if the input ends, if the writer
/// returns `Break`, or if something fails. If `stop` becomes true, nothing more is read, and the slots that are already filled are
/// finished.
///
/// # Errors
/// - an error if the threads cannot be started; nothing is read then
/// - the error of the writer
/// - the error of the reader, if the writer did not fail
///
/// # Panics
/// If there is no worker. If the reader, a worker or the writer panics; the panic is passed on after all workers have ended.
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
    W: Worker<S, K::Part>,
    K: Writer<S, E>,
{
    // For rayon, zero threads means one per core.
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
        writer_free: Condvar::new(),
        stop,
    };
    let workers: Vec<Mutex<&mut W>> = workers.iter_mut().map(Mutex::new).collect();
    pool.broadcast(|context| {
        let mut worker = workers[context.index()].lock().unwrap_or_else(PoisonError::into_inner);
        circuit.work(&mut **worker);
    });
    circuit.into_result()
}

/// Starts this number of threads, which must be at least one.
///
/// # Errors
/// [`ThreadsError`] for too many threads, or if the system starts fewer.
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

/// The data shared by the workers. No thread holds both locks at the same time.
struct Circuit<'r, S, E, R, K> {
    intake: Mutex<Intake<'r, E, R>>,
    output: Mutex<Output<'r, S, E, K>>,
    /// Signalled when a slot becomes free or the run ends.
    freed: Condvar,
    /// Signalled when a worker has written all finished slots that are next in order, or the run ends.
    writer_free: Condvar,
    stop: &'r AtomicBool,
}

/// The reading side of the pipeline. It is locked while a slot is filled.
struct Intake<'r, E, R> {
    reader: &'r mut R,
    filled: u64,
    /// The result of reading; `None` while there may be more input.
    result: Option<Result<(), E>>,
}

/// The writing side of the pipeline. It is locked only briefly, because slots are written outside the lock.
struct Output<'r, S, E, K> {
    free: Vec<S>,
    /// Finished slots that are not written yet, by slot number.
    done: BTreeMap<u64, S>,
    written: u64,
    /// `None` while a worker writes.
    writer: Option<&'r mut K>,
    /// The result of the run, if it ended before the end of the input; otherwise `None`.
    result: Option<Result<(), E>>,
}

impl<'r, S, E, R: Reader<S, E>, K: Writer<S, E>> Circuit<'r, S, E, R, K> {
    /// Fills slots, processes them and passes them on, until no more slots are filled.
    fn work<W: Worker<S, K::Part>>(&self, worker: &mut W) {
        let end_on_panic = EndOnPanic(self);
        while let Some((number, mut slot)) = self.filled_slot() {
            worker.work(&mut slot, &mut |part| self.write_part(number, part));
            self.hand_in(number, slot);
        }
        std::mem::forget(end_on_panic);
    }

    /// Fills a free slot with the next block. Returns the slot and its number; `None` at the end of the input, or if the run ends early.
    fn filled_slot(&self) -> Option<(u64, S)> {
        let mut slot = self.free_slot()?;
        // A reader that panicked is not used again.
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

    /// Waits for a free slot. Returns `None` if the run is over.
    fn free_slot(&self) -> Option<S> {
        let is_busy = |output: &mut Output<S, E, K>| output.free.is_empty() && output.result.is_none();
        let waited = self.freed.wait_while(self.output(), is_busy);
        let mut output = waited.unwrap_or_else(PoisonError::into_inner);
        if output.result.is_some() {
            return None;
        }
        output.free.pop()
    }

    /// Adds a finished slot to the slots to write. If no other worker is writing, writes the finished slots that are next in order.
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
        self.writer_free.notify_all();
    }

    /// Waits until all earlier slots are written, and then writes a part of the slot `number`. Drops the part if the run ends before.
    fn write_part(&self, number: u64, part: &mut K::Part) {
        let waits = |output: &mut Output<S, E, K>| {
            output.result.is_none() && (output.written < number || output.writer.is_none())
        };
        let waited = self.writer_free.wait_while(self.output(), waits);
        let mut output = waited.unwrap_or_else(PoisonError::into_inner);
        if output.result.is_some() {
            return;
        }
        let Some(writer) = output.writer.take() else { return };
        drop(output);
        let written = writer.write_part(part);
        // No other thread needed the writer: slots are written in order, and this slot is the next one and is not finished.
        let mut output = self.output();
        output.writer = Some(writer);
        if let Err(error) = written {
            self.end(&mut output, Err(error));
        }
    }

    fn end(&self, output: &mut Output<S, E, K>, result: Result<(), E>) {
        output.result = Some(result);
        self.freed.notify_all();
        self.writer_free.notify_all();
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
    /// Returns the next slot in order, if it is done.
    fn next_done(&mut self) -> Option<S> {
        self.done.remove(&self.written)
    }
}

/// Ends the run for all workers if one worker panics, because the other workers would wait forever for the slot of that worker. The value
/// is dropped only in case of a panic.
struct EndOnPanic<'c, 'r, S, E, R: Reader<S, E>, K: Writer<S, E>>(&'c Circuit<'r, S, E, R, K>);

impl<S, E, R: Reader<S, E>, K: Writer<S, E>> Drop for EndOnPanic<'_, '_, S, E, R, K> {
    fn drop(&mut self) {
        self.0.end(&mut self.0.output(), Ok(()));
    }
}

#[cfg(test)]
mod tests;
