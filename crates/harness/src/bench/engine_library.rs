//! Solvers in shared libraries. A pass runs in one separate process, which calls the solver for each puzzle. The time of the pass is only
//! the time of these calls. If the solver says that a puzzle has one solution but does not write it, the process makes a second call, which
//! is not timed.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sudobench_sudoku::puzzle::Puzzle;

use super::engine_lines::{EngineRun, Printed, easy_puzzle, input_of, run};
use super::engine_text::{AnswerForm, lines};
use super::exchange::{Answers, Exchange, OneByOne, StartUp};
use super::{Fault, Pass};
use crate::figures::counted;
use crate::process::{FromLoader, LoadRequest, NamedCommand, Supervisor, Timed};
use crate::record::{AnswerKind, Kind};

/// Name of the function that is called if the command does not name one.
const FUNCTION: &str = "solve";

/// An engine that is a function in a shared library.
pub(super) struct LibraryCalls {
    /// Path of the library as typed.
    shown: String,
    path: PathBuf,
    function: String,
    flags: u32,
    supervisor: Arc<Supervisor>,
}

struct Called {
    output: Vec<u8>,
    /// The total times and counts of the answered calls and, if requested, the time of each call.
    timed: Timed,
    ran: EngineRun,
}

impl LibraryCalls {
    /// Reads the command: the path of the library, then optionally the name of the function and a number that is passed to it.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the command has another form.
    pub(super) fn new(command: &NamedCommand, supervisor: &Arc<Supervisor>) -> Result<LibraryCalls, Fault> {
        let form = || {
            let text = &command.text;
            Fault(format!(
                "`{text}` is not a command of --engine-protocol library: write 'LIBRARY [FUNCTION [FLAGS]]', where FLAGS is a whole number \
                 from 0 to {}",
                u32::MAX
            ))
        };
        let [path, rest @ ..] = command.argv.as_slice() else { return Err(form()) };
        let (function, flags) = match rest {
            [] => (FUNCTION, 0),
            [function] => (function.as_str(), 0),
            [function, flags] => (function.as_str(), flags.parse().map_err(|_| form())?),
            _ => return Err(form()),
        };
        // Makes the path absolute, because the system would search for a name without a slash in the folders of its own libraries.
        let absolute = std::path::absolute(path).map_err(|_| form())?;
        let (shown, function) = (path.clone(), function.to_owned());
        Ok(LibraryCalls { shown, path: absolute, function, flags, supervisor: Arc::clone(supervisor) })
    }

    /// Runs a process that calls the solver for these puzzles.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the library can't be called, or if it crashes or ends the process.
    fn call(
        &self,
        puzzles: &[Puzzle],
        form: AnswerForm,
        times_each: bool,
        allowance: Duration,
    ) -> Result<Called, Fault> {
        let request = LoadRequest {
            library: self.path.clone(),
            function: self.function.clone(),
            flags: self.flags,
            limit: match form.kind {
                AnswerKind::Any | AnswerKind::Smallest => 1,
                AnswerKind::Unique => 2,
                AnswerKind::Count => form.limit,
            },
            counts: form.kind == AnswerKind::Count,
            times_each,
        };
        let command = request.command().map_err(|error| Fault(error.to_string()))?;
        let (input, printed) = (input_of(puzzles, '.'), Printed::bytes(puzzles.len()));
        let mut ran = run(&self.supervisor, &command, &self.shown, input, printed, None, allowance)?;
        // If single puzzles are timed, the caller puts the engine's name before this message, so the message does not name the library.
        let library = if times_each { String::new() } else { format!("`{}` ", self.shown) };
        let (mut output, mut timed, mut block) = (Vec::new(), None::<Timed>, Vec::new());
        for line in lines(&std::mem::take(&mut ran.output)) {
            if !line.starts_with(b"{") {
                block.extend_from_slice(line);
                continue;
            }
            match serde_json::from_slice(line) {
                Ok(FromLoader::Timed(more)) => match &mut timed {
                    Some(timed) => timed.add(more),
                    None => timed = Some(more),
                },
                Ok(FromLoader::Failed { message }) => {
                    // Names the path as typed, so that a published message shows no folder of this machine.
                    let message = message.replace(&*self.path.to_string_lossy(), &self.shown);
                    return Err(Fault(format!("{library}{message}")));
                }
                // If the process was ended, its last line may be incomplete.
                Err(_) => break,
            }
            output.append(&mut block);
        }
        let (answered, asked) = (lines(&output).count(), puzzles.len());
        if answered > asked || (answered < asked && !ran.out_of_time) {
            let asked = counted(asked as u64, "puzzle");
            let fault = format!(
                "{library}ended the process that calls it: {answered} of {asked} answered; the function must return, not exit"
            );
            return Err(Fault(fault));
        }
        Ok(Called { output, timed: timed.unwrap_or_default(), ran })
    }
}

impl Exchange for LibraryCalls {
    fn kind(&self) -> Kind {
        Kind::Engine
    }

    fn start_up_runs(&self) -> StartUp {
        StartUp { runs: 3, on: "one easy puzzle", remedy: "" }
    }

    /// Measures a first call, in which many solvers compute their tables.
    fn start_up(&self, allowance: Duration) -> Result<Answers, Fault> {
        self.answer(&[easy_puzzle()?], AnswerForm { kind: AnswerKind::Any, limit: 1 }, allowance)
    }

    fn answer(&self, puzzles: &[Puzzle], form: AnswerForm, allowance: Duration) -> Result<Answers, Fault> {
        let Called { output, timed, ran } = self.call(puzzles, form, false, allowance)?;
        let whole = ran.pass;
        let broken_off = Pass {
            elapsed_ns: whole.elapsed_ns.saturating_sub(timed.elapsed_ns),
            cpu_ns: whole.cpu_ns.saturating_sub(timed.cpu_ns),
            ..Pass::default()
        };
        let Timed { elapsed_ns, cpu_ns, readings, .. } = timed;
        let pass = Pass { elapsed_ns, cpu_ns, readings, ..whole };
        let (outcomes, refused) = form.outcomes(&output);
        Ok(Answers { outcomes, refused, output, pass, broken_off, is_complete: !ran.out_of_time })
    }

    fn answer_one_by_one(
        &self,
        puzzles: &[Puzzle],
        form: AnswerForm,
        _longest: Duration,
        allowance: Duration,
    ) -> Result<OneByOne, Fault> {
        // The first call is not used, because many solvers compute their tables in it.
        let puzzles: Vec<Puzzle> = std::iter::once(easy_puzzle()?).chain(puzzles.iter().copied()).collect();
        let Called { output, timed, .. } = self.call(&puzzles, form, true, allowance)?;
        let output = lines(&output).skip(1).flatten().copied().collect();
        Ok(OneByOne { output, times_ns: timed.times_ns.into_iter().skip(1).collect() })
    }
}
