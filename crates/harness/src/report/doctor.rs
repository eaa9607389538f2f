//! The findings of `doctor`.

use super::grid::{Cell, Grid};
use super::{counted, escape, wrapped};
use crate::record::{Finding, Machine};

/// Returns the description of the machine and the findings as text, in lines of at most `width` columns. `counters` is the finding about
/// the processor's counters.
pub fn doctor_text(machine: &Machine, findings: &[Finding], counters: &Finding, width: usize) -> String {
    let Machine { cpu, cores, memory_bytes, os, architecture, vector_extensions } = machine;
    let noisy = findings.iter().filter(|found| found.is_noisy()).count();
    let verdict = match noisy {
        0 => "Nothing was found that disturbs measurements.".to_owned(),
        noisy => format!(
            "{noisy} of {} {} measurements: trust ratios of interleaved runs (bench, gate), not runs made at \
             different times.",
            counted(findings.len() as u64, "finding"),
            if noisy == 1 { "disturbs" } else { "disturb" }
        ),
    };
    let line = |text: &str| wrapped(&escape::visible(text), width, "", "  ");
    let Finding { name, value, advice } = counters;
    let advice = if advice.is_empty() { String::new() } else { format!("; {advice}") };
    escape::lines(&format!(
        "{}{}\n{}\n{}{}",
        line(&format!(
            "{cpu}, {}, {} MiB, {architecture} with {}",
            counted(*cores as u64, "core"),
            memory_bytes >> 20,
            vector_extensions.join(", ")
        )),
        line(os),
        noise(findings).text(width),
        line(&verdict),
        line(&format!("{name}: {value}{advice}"))
    ))
}

/// Makes the table of the findings about a machine: whether each finding disturbs measurements, and what helps.
pub(super) fn noise(findings: &[Finding]) -> Grid {
    let mut grid = Grid::new("What disturbs measurements on this machine", &["", "what", "found", "advice"]);
    grid.left = grid.headers.len();
    grid.rows.extend(findings.iter().map(|found| {
        let mark = if found.is_noisy() { "noisy" } else { "fine" };
        [mark, &found.name, &found.value, &found.advice].map(Cell::from).to_vec()
    }));
    grid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;

    #[test]
    fn findings_as_text() {
        let record = fixtures::bench_record();
        let counters = |value: &str, advice: &str| Finding {
            name: "processor counters".to_owned(),
            value: value.to_owned(),
            advice: advice.to_owned(),
        };
        let missing = counters("no permission", "allow them");
        insta::assert_snapshot!(doctor_text(&record.machine, &record.noise, &missing, 48));
        let found = counters("cycles, instructions", "");
        assert!(doctor_text(&record.machine, &[], &found, 80).ends_with(
            "Nothing was found that disturbs measurements.\nprocessor counters: cycles, instructions\n"
        ));
    }
}
