//! What `doctor` found.

use super::grid::{Cell, Grid};
use crate::record::{Finding, Machine};

/// The machine and what disturbs measurements on it, as text.
pub fn doctor_text(machine: &Machine, findings: &[Finding]) -> String {
    let Machine { cpu, cores, memory_bytes, os, architecture, vector_extensions } = machine;
    let mut text = format!(
        "{cpu}, {cores} cores, {} MiB, {architecture} with {}\n{os}\n\n",
        memory_bytes >> 20,
        vector_extensions.join(", ")
    );
    let mut grid = Grid::new("What disturbs measurements here", &["", "what", "found", "advice"]);
    grid.left = grid.headers.len();
    grid.rows = findings
        .iter()
        .map(|found| {
            let mark = if found.is_noisy() { "noisy" } else { "fine" };
            [mark, &found.name, &found.value, &found.advice].map(Cell::from).to_vec()
        })
        .collect();
    text.push_str(&grid.text());
    let noisy = findings.iter().filter(|found| found.is_noisy()).count();
    text.push_str(&match noisy {
        0 => "\nNothing was found that disturbs measurements.\n".to_owned(),
        noisy => format!(
            "\n{noisy} of {} disturb measurements: trust ratios of interleaved runs (bench, gate), not runs of \
             different times.\n",
            findings.len()
        ),
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;

    #[test]
    fn findings_as_text() {
        let record = fixtures::bench_record();
        insta::assert_snapshot!(doctor_text(&record.machine, &record.noise));
        assert!(
            doctor_text(&record.machine, &[]).ends_with("Nothing was found that disturbs measurements.\n")
        );
    }
}
