//! `sudobench doctor`: what makes this machine noisy.

use std::io::Write;

use super::export::{takes_stdout, write_file};
use super::{Exit, terminal};
use crate::cli::DoctorArgs;
use crate::record::{Machine, look_for_noise, write_json};
use crate::report;

/// Looks and prints.
///
/// # Errors
/// Where an output cannot be written.
pub(super) fn run(typed: &DoctorArgs) -> anyhow::Result<Exit> {
    let (machine, findings) = (Machine::detect(), look_for_noise());
    if let Some(path) = &typed.export_json {
        let json = serde_json::json!({ "machine": machine, "noise": findings });
        write_file(path, |out| Ok(write_json(out, &json)?))?;
    }
    if !takes_stdout([&typed.export_json])? {
        let width = terminal::width().unwrap_or(terminal::USUAL_WIDTH);
        std::io::stdout().lock().write_all(report::doctor_text(&machine, &findings, width).as_bytes())?;
    }
    Ok(Exit::Fine)
}
