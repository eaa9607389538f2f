//! The status, the count and the solution depend only on the puzzle. The other puzzles in the batch and the position in the batch do not
//! change them.

use proptest::prelude::*;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::{Answer, Outcome};

use super::pool::pool;
use super::{asking_for, vector_solvers};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_order_and_any_split_give_the_same_verdicts(
        seed: u64,
        taken in 1usize..1_200,
        lengths in prop::collection::vec(1usize..600, 1..8),
        max_solutions in prop::sample::select(vec![1, 2, 7]),
    ) {
        let mut random = Random::new(seed);
        let mut order: Vec<usize> = (0..pool().len()).collect();
        random.shuffle(&mut order);
        order.truncate(taken);
        let puzzles: Vec<_> = order.iter().map(|&at| pool()[at].puzzle).collect();
        let question = asking_for(max_solutions, Answer::Smallest);
        for (name, mut solver) in vector_solvers() {
            let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
            let (mut from, mut lengths) = (0, lengths.iter().cycle());
            while from < puzzles.len() {
                let to = puzzles.len().min(from + lengths.next().unwrap());
                solver.solve_batch(&puzzles[from..to], &question, &mut outcomes[from..to]);
                from = to;
            }
            for (outcome, &at) in outcomes.iter().zip(&order) {
                let verdict = (outcome.status, outcome.count, outcome.solution);
                let puzzle = pool()[at].puzzle;
                prop_assert_eq!(verdict, pool()[at].truth.answer(&question), "{}: {}", name, puzzle);
            }
        }
    }
}
