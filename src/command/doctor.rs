//! `sudobench doctor`: what makes this machine noisy.

use std::io::Write;

use super::Exit;
use crate::cli::DoctorArgs;
use crate::record::{Machine, look_for_noise, write_json};
use crate::report;

/// Looks and prints.
///
/// # Errors
/// Where standard output cannot be written.
pub(super) fn run(typed: &DoctorArgs) -> anyhow::Result<Exit> {
    let (machine, findings) = (Machine::detect(), look_for_noise());
    let mut out = std::io::stdout().lock();
    match typed.json {
        true => write_json(&mut out, &serde_json::json!({ "machine": machine, "noise": findings }))?,
        false => out.write_all(report::doctor_text(&machine, &findings).as_bytes())?,
    }
    Ok(Exit::Fine)
}
