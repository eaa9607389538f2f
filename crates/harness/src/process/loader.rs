//! The helper process that calls a solver in a shared library. If the solver crashes or hangs, only this process is affected.
//!
//! The process reads a puzzle from each line and prints a line for each answer. After each block of answers, the process prints a [control
//! line](super::lines) with the times of the calls. The clocks run only during the calls, not while the process reads and prints.

use std::io::{self, Read as _, Write};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sudobench_loader::{Answer, Board, CELLS, Library};
use sudobench_sudoku::nanoseconds;

use super::helper;
use super::line_of;
use crate::meters::{Account, Counters, Meters, thread_time_ns};
use crate::record::registry::{Readings, add_readings};

/// The number of puzzles of a block doubles until the calls of a block take this long. With longer blocks, more answers would be lost if a
/// puzzle takes forever; with shorter blocks, the clocks would be read too often.
const BLOCK_TIME: Duration = Duration::from_millis(10);

/// The task of the process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LoadRequest {
    pub(crate) library: PathBuf,
    pub(crate) function: String,
    /// Number to pass to the function.
    pub(crate) flags: u32,
    /// Maximum number of solutions to search for.
    pub(crate) limit: u64,
    /// Whether the answers are numbers of solutions.
    pub(crate) counts: bool,
    pub(crate) times_each: bool,
}

/// A control line of the process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum FromLoader {
    /// The times of the calls whose answers were printed since the previous control line.
    Timed(Timed),
    /// The reason why the library can't be called, as the rest of a sentence that begins with the library's name.
    Failed { message: String },
}

/// The times of a block of calls.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Timed {
    pub(crate) elapsed_ns: u64,
    /// Processor time of the thread. 0 if unknown.
    pub(crate) cpu_ns: u64,
    /// Counts of the operating system and the processor. The map's keys are the keys of figures, such as `page_faults`.
    pub(crate) readings: Readings,
    /// Wall time of each call, if requested.
    pub(crate) times_ns: Vec<u64>,
}

impl Timed {
    pub(crate) fn add(&mut self, more: Timed) {
        self.elapsed_ns += more.elapsed_ns;
        self.cpu_ns += more.cpu_ns;
        add_readings(&mut self.readings, &more.readings);
        self.times_ns.extend(more.times_ns);
    }
}

impl LoadRequest {
    /// Returns the command that starts the process.
    ///
    /// # Errors
    /// If this program can't be started again.
    pub(crate) fn command(&self) -> io::Result<Command> {
        helper::command(&[helper::LOADER, &serde_json::to_string(self)?])
    }
}

/// Calls the solver for all puzzles on standard input.
///
/// # Errors
/// If the request or the puzzles can't be read, or the answers can't be written.
pub(super) fn serve(request: &str) -> io::Result<()> {
    let request: LoadRequest = serde_json::from_str(request)?;
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let puzzles = input.lines().map(|line| Ok(Board::new(line.as_bytes().try_into()?)));
    let puzzles: Result<Vec<Board>, std::array::TryFromSliceError> = puzzles.collect();
    let puzzles =
        puzzles.map_err(|_| io::Error::other(format!("a puzzle does not have {CELLS} characters")))?;
    let mut output = own_output()?;
    match Library::open(&request.library, &request.function) {
        Ok(library) => answer_all(&library, &request, &puzzles, &mut output),
        Err(error) => output.write_all(&line_of(&FromLoader::Failed { message: error.to_string() })?),
    }
}

/// Returns standard output for the answers. From then on, text that the library prints to standard output goes to standard error instead.
#[cfg(unix)]
fn own_output() -> io::Result<impl Write> {
    let output = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(std::fs::File::from(output))
}

#[cfg(not(unix))]
fn own_output() -> io::Result<impl Write> {
    Ok(io::stdout().lock())
}

fn answer_all(
    library: &Library,
    request: &LoadRequest,
    puzzles: &[Board],
    output: &mut impl Write,
) -> io::Result<()> {
    let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
    let mut counters = Counters::open().ok();
    let (mut rest, mut size) = (puzzles, 1);
    let (mut solutions, mut answers) = (Vec::new(), Vec::new());
    while !rest.is_empty() {
        let (block, later) = rest.split_at(size.min(rest.len()));
        solutions.clear();
        solutions.resize(block.len(), Board::UNWRITTEN);
        answers.clear();
        answers.reserve(block.len());
        let mut times_ns = Vec::with_capacity(if request.times_each { block.len() } else { 0 });
        let meters = Meters::start(Account::Thread);
        counters.iter_mut().for_each(Counters::start);
        let (cpu_before_ns, start) = (thread_time_ns(), Instant::now());
        for (puzzle, solution) in block.iter().zip(&mut solutions) {
            let asked = request.times_each.then(Instant::now);
            answers.push(library.solve(puzzle, limit, request.flags, solution));
            times_ns.extend(asked.map(|asked| nanoseconds(asked.elapsed())));
        }
        let elapsed = start.elapsed();
        let cpu_ns = thread_time_ns().saturating_sub(cpu_before_ns);
        counters.iter_mut().for_each(Counters::stop);
        let mut readings = meters.map_or_else(Readings::new, |meters| meters.stop());
        readings.extend(counters.as_mut().map(Counters::take).unwrap_or_default());
        let mut lines = Vec::new();
        for ((puzzle, answer), solution) in block.iter().zip(&answers).zip(&mut solutions) {
            // A solver that searches for a second solution does not have to write the first one. If the first one is missing, the solver
            // is called again with the limit 1. This call is not timed.
            if answer.count == 1 && limit > 1 && !request.counts && solution.solution().is_none() {
                library.solve(puzzle, 1, request.flags, solution);
            }
            write_answer(request.counts, answer, solution, &mut lines);
        }
        let timed = Timed { elapsed_ns: nanoseconds(elapsed), cpu_ns, readings, times_ns };
        lines.extend(line_of(&FromLoader::Timed(timed))?);
        output.write_all(&lines)?;
        output.flush()?;
        rest = later;
        if elapsed < BLOCK_TIME {
            size *= 2;
        }
    }
    Ok(())
}

/// Appends an answer to `output`, as a line of the engine protocol `lines`.
fn write_answer(counts: bool, answer: &Answer, solution: &Board, output: &mut Vec<u8>) {
    let count = answer.count;
    match (counts, count, solution.solution()) {
        (true, ..) => output.extend(count.to_string().bytes()),
        (false, 0, _) => output.extend(b"no solution"),
        (false, 1, Some(solution)) => output.extend(solution),
        (false, 1, None) => output.extend(b"1 solution, but it did not write 81 digits"),
        (false, ..) => output.extend(format!("{count} solutions").bytes()),
    }
    if let Some(guesses) = answer.guesses {
        output.extend(format!(" guesses={guesses}").bytes());
    }
    output.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_a_block_lacks_has_no_sum() {
        let block = |counts: &[(&'static str, f64)]| Timed {
            elapsed_ns: 5,
            readings: counts.iter().map(|&(key, count)| (key.into(), count)).collect(),
            ..Timed::default()
        };
        let mut sum = block(&[("page_faults", 1.0), ("cycles", 2.0)]);
        sum.add(block(&[("page_faults", 10.0), ("instructions", 20.0)]));
        assert_eq!((sum.elapsed_ns, sum.readings), (10, block(&[("page_faults", 11.0)]).readings));
    }
}
