//! The findings of `doctor`.

use super::grid::{Cell, Grid};
use super::{counted, escape, wrapped};
use crate::record::{Finding, Machine};

/// Returns the description of the machine and the findings as text, in lines of at most `width` columns.
pub fn doctor_text(machine: &Machine, findings: &[Finding], width: usize) -> String {
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
    escape::lines(&format!(
        "{}{}\n{}\n{}",
        line(&format!(
            "{cpu}, {}, {} MiB, {architecture} with {}",
            counted(*cores as u64, "core"),
            memory_bytes >> 20,
            vector_extensions.join(", ")
        )),
        line(os),
        noise(findings).text(width),
        line(&verdict)
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
        insta::assert_snapshot!(doctor_text(&record.machine, &record.noise, 48));
        assert!(
            doctor_text(&record.machine, &[], 80)
                .ends_with("Nothing was found that disturbs measurements.\n")
        );
    }
}
