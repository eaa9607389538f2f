//! Reads any bytes as the output of a judged program, in the output format of each problem. The output must be accepted if and only if it
//! is a correctly filled grid in this format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudobench_harness::problem::Problem;
use sudobench_harness::record::Verdict;
use sudobench_rows::Preset;
use sudobench_sudoku::Puzzle;

fuzz_target!(|output: &[u8]| {
    for (_, preset) in Preset::ALL {
        let problem = Problem::new(preset);
        let ruling = problem.check(&Puzzle::EMPTY, None, output);
        let solution = problem.solution_of(output);
        let is_right = solution.is_some_and(|solution| solution.check(&Puzzle::EMPTY).is_ok());
        assert_eq!(ruling.verdict == Verdict::Accepted, is_right);
        assert_eq!(ruling.reason.is_empty(), is_right);
    }
});
