//! A program that is judged, with its limits.

use std::time::Duration;

use super::Language;
use crate::problem::Problem;
use crate::process::{LimitedProgram, Limits};

/// Maximum number of processes of a run. In the judge's languages, a program needs only one process; more are allowed for wrapper scripts
/// and helper processes.
const PROCESSES: u64 = 64;

/// A program and its limits.
#[derive(Clone, Debug)]
pub struct JudgedProgram {
    /// The name in tables.
    pub name: String,
    /// The command as one text, for records.
    pub command: String,
    /// The language of the program.
    pub language: Language,
    /// The process to run, with its limits.
    pub limited: LimitedProgram,
}

/// Limits from the command line for all programs. A limit of time or memory that is given replaces the limit that follows from the problem
/// and the language.
#[derive(Clone, Copy, Debug)]
pub struct LimitOptions {
    /// Processor time.
    pub time_limit: Option<Duration>,
    /// Wall time.
    pub wall_limit: Option<Duration>,
    /// Resident memory, in bytes.
    pub memory_limit: Option<u64>,
    /// Largest output, in bytes.
    pub output_limit: u64,
}

impl JudgedProgram {
    /// Makes a judged program from a command in this language, with the limits of a problem. The paths in `argv` must be absolute.
    /// `command` is the command as one text, for records.
    pub fn new(
        name: &str,
        command: &str,
        argv: Vec<String>,
        language: Language,
        problem: Problem,
        options: &LimitOptions,
        environment: Vec<(String, String)>,
    ) -> JudgedProgram {
        let cpu = options.time_limit.unwrap_or_else(|| language.time_limit(problem));
        let memory = options.memory_limit.unwrap_or_else(|| language.memory_limit(problem));
        // The limit of address space stops programs that allocate much memory between two checks of the resident memory. This limit is far
        // above the limit of resident memory, because shared libraries need address space, too.
        let address_space = memory.saturating_mul(2).saturating_add(1 << 30);
        let limits = Limits {
            cpu: Some(cpu),
            wall: options.wall_limit.unwrap_or(cpu * 3 + Duration::from_secs(1)),
            memory_bytes: Some(memory),
            address_space_bytes: language.has_address_space_limit().then_some(address_space),
            output_bytes: options.output_limit,
            processes: PROCESSES,
        };
        let limited = LimitedProgram { argv, environment, limits };
        JudgedProgram { name: name.to_owned(), command: command.to_owned(), language, limited }
    }
}
