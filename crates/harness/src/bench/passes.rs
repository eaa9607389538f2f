//! How the two builds under comparison are asked to run passes: the pairs of a build, the requests and the results. A build is a binary of
//! sudobench, or a set of engines or commands.

use serde::{Deserialize, Serialize};

use super::{Fault, Pass};
use crate::record::registry::INSTRUCTIONS;
use crate::statistics::median_u64;

/// A build that runs passes on request.
pub trait Passes {
    /// Returns the pairs that can be requested.
    fn pairs(&self) -> &[ServedPair];

    /// Runs the requested passes and returns the medians of their times and counts, and their largest memory.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the passes can't be run.
    fn run(&mut self, request: Request) -> Result<Leg, Fault>;
}

/// A pair that can be requested by its position in [`Passes::pairs`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServedPair {
    /// The solver.
    pub solver: String,
    /// The dataset's name.
    pub dataset: String,
    /// Largest number of puzzles that a request may ask for. For example, the number that the warm-up reached.
    pub puzzles: u64,
    /// Number of puzzles of the dataset that the solver gets. `None` for a command, and for older binaries, which don't report it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sample: Option<u64>,
    /// Estimated time of a pass over `puzzles` puzzles.
    pub pass_ns: u64,
    /// Reason why the pair can't be requested.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
}

pub(super) fn position(pairs: &[ServedPair], solver: &str, dataset: &str) -> Option<usize> {
    pairs.iter().position(|pair| pair.solver == solver && pair.dataset == dataset)
}

/// A request for passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "leg")]
pub struct Request {
    /// The position of the pair in [`Passes::pairs`].
    pub pair: usize,
    /// Number of puzzles to solve, from the first one on.
    pub puzzles: u64,
    /// Number of passes.
    pub passes: u64,
}

/// The result of a request for passes: the medians of their times and counts, and their largest memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Leg {
    /// Processor time of a pass in nanoseconds, or wall time if the processor time is unknown.
    pub time_ns: u64,
    /// Wall time of a pass in nanoseconds; 0 if unknown.
    pub wall_ns: u64,
    /// Largest resident set of an external program in bytes; 0 if unknown.
    pub memory_bytes: u64,
    /// Processor time of a start-up of an external program in nanoseconds; 0 if the start-up was not measured.
    pub startup_ns: u64,
    /// Number of instructions of a pass; 0 if unknown.
    pub instructions: u64,
}

impl Leg {
    /// Returns the medians over these passes. Memory is the maximum of all passes in which it could be measured, or 0.
    pub(super) fn from_passes(passes: &[Pass]) -> Leg {
        let median =
            |of: fn(&Pass) -> u64| median_u64(&mut passes.iter().map(of).collect::<Vec<_>>()).unwrap_or(0);
        let is_seen = |pass: &&Pass| pass.peak_memory_bytes > pass.memory_floor_bytes;
        let memory = passes.iter().filter(is_seen).map(|pass| pass.peak_memory_bytes).max();
        Leg {
            // Processor time is used if it is known, because the time that a thread waits for a core says nothing about the solver.
            time_ns: median(|pass| if pass.cpu_ns > 0 { pass.cpu_ns } else { pass.elapsed_ns }),
            wall_ns: median(|pass| pass.elapsed_ns),
            memory_bytes: memory.unwrap_or(0),
            startup_ns: 0,
            instructions: median(|pass| pass.readings.get(INSTRUCTIONS.key).map_or(0, |&count| count as u64)),
        }
    }
}
