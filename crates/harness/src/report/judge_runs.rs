//! Writes the results of `judge` as CSV: a row for each program and puzzle.

use std::io::{self, Write};

use super::export_csv::ExportCsv;
use crate::record::JudgedPuzzle;

/// The columns. The header is written even if there are no rows.
const COLUMNS: [&str; 11] = [
    "dataset",
    "number",
    "program",
    "verdict",
    "words",
    "runs",
    "cpu_ns",
    "wall_ns",
    "peak_memory_bytes",
    "line",
    "puzzle",
];

/// Writes a row of CSV for each puzzle of each program, in the given order.
///
/// # Errors
/// If `out` can't be written.
pub fn write_judge_runs<'a>(
    out: &mut impl Write,
    rows: impl IntoIterator<Item = JudgedPuzzle<'a>>,
) -> io::Result<()> {
    let mut writer = ExportCsv::new(out, COLUMNS)?;
    for JudgedPuzzle {
        dataset,
        number,
        program,
        verdict,
        reason,
        runs,
        cpu_ns,
        wall_ns,
        peak_memory_bytes,
        line,
        puzzle,
    } in rows
    {
        writer.write_row([
            dataset,
            &number.to_string(),
            program,
            verdict.letters(),
            reason,
            &runs.to_string(),
            &cpu_ns.to_string(),
            &wall_ns.to_string(),
            &peak_memory_bytes.to_string(),
            &line.to_string(),
            &puzzle.to_string(),
        ])?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::super::export_csv::harmless;
    use super::super::hostile::hostile;
    use super::*;
    use crate::record::Verdict;
    use proptest::prelude::*;
    use sudobench_sudoku::Puzzle;

    fn row<'a>(dataset: &'a str, program: &'a str, reason: &'a str) -> JudgedPuzzle<'a> {
        JudgedPuzzle {
            dataset,
            number: 7,
            program,
            verdict: Verdict::WrongAnswer,
            reason,
            runs: 3,
            cpu_ns: 12_000_000,
            wall_ns: 13_000_000,
            peak_memory_bytes: 1 << 20,
            line: 8,
            puzzle: &Puzzle::EMPTY,
        }
    }

    fn written<'a>(rows: impl IntoIterator<Item = JudgedPuzzle<'a>>) -> String {
        let mut out = Vec::new();
        write_judge_runs(&mut out, rows).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_program_and_puzzle_is_a_row() {
        let header =
            "dataset,number,program,verdict,words,runs,cpu_ns,wall_ns,peak_memory_bytes,line,puzzle\n";
        assert_eq!(written([]), header);
        let puzzle = Puzzle::EMPTY;
        let row = format!("easy.txt,7,slow,WA,\"r1c2, r1c3\",3,12000000,13000000,1048576,8,{puzzle}\n");
        assert_eq!(written([self::row("easy.txt", "slow", "r1c2, r1c3")]), format!("{header}{row}"));
    }

    proptest! {
        #[test]
        fn judge_runs_round_trip(
            dataset in hostile(), program in hostile(), reason in hostile()
        ) {
            let text = written([row(&dataset, &program, &reason)]);
            let mut read = csv::Reader::from_reader(text.as_bytes());
            let row = read.records().next().unwrap().unwrap();
            let written = [&dataset, &program, &reason].map(|text| harmless(text));
            prop_assert_eq!([&row[0], &row[2], &row[4]], written.each_ref().map(|text| &**text));
        }
    }
}
