//! Every variant gives the same verdict on any puzzle, and grids that the referee accepts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudobench::{Limits, Outcome, Puzzle, Status, solver};

fuzz_target!(|values: [u8; 81]| {
    let Some(puzzle) = Puzzle::from_values(values.map(|value| value % 16).map(|v| if v > 9 { 0 } else { v })) else {
        return;
    };
    let limits = Limits { max_nodes: Some(20_000), ..Limits::unique() };
    let mut verdict: Option<(&str, Outcome)> = None;
    for variant in solver::listed() {
        let mut outcomes = [Outcome::ABORTED];
        variant.build().solve_batch(&[puzzle], &limits, &mut outcomes);
        let outcome = outcomes[0];
        if outcome.status == Status::Aborted {
            continue;
        }
        outcome.solution.iter().for_each(|solution| assert_eq!(solution.check(&puzzle), Ok(()), "{}", variant.name));
        if let Some((name, other)) = &verdict {
            let [a, b] = [&outcome, other].map(|outcome| (outcome.status, outcome.count, outcome.solution));
            assert_eq!(a, b, "{} and {name} on {puzzle}", variant.name);
        }
        verdict = Some((variant.name, outcome));
    }
});
