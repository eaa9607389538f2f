//! `sudobench doctor`: finds what makes measurements on this machine noisy, and which counters of the processor can be read.

use super::export::{Exports, Kind};
use super::{Exit, terminal};
use crate::cli::DoctorArgs;
use sudobench_harness::meters::processor_counters;
use sudobench_harness::record::{Machine, look_for_noise, write_json};
use sudobench_harness::report;

/// Width of lines if the width of standard output is unknown, for example if it is a pipe. Lines are wrapped even then, because the advice
/// has long sentences.
const USUAL_WIDTH: usize = 80;

pub(super) fn run(typed: &DoctorArgs) -> anyhow::Result<Exit> {
    let (machine, findings) = (Machine::detect(), look_for_noise());
    let exports = Exports::open([(Kind::Json, &typed.export_json)], typed.force, [])?;
    let counters = processor_counters();
    let json = serde_json::json!({ "machine": machine, "noise": findings, "counters": counters });
    exports.write(Kind::Json, |out| Ok(write_json(out, &json)?))?;
    let width = terminal::stdout_width().unwrap_or(USUAL_WIDTH);
    exports.print(&report::doctor_text(&machine, &findings, &counters, width), true)?;
    Ok(Exit::Fine)
}
