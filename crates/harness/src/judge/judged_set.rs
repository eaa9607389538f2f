//! Selects the judged puzzles of a dataset.

use std::time::Instant;

use sudobench_sudoku::nanoseconds;
use sudobench_sudoku::puzzle::{Puzzle, Solution};
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solver::{BoolTable, Outcome, Question, Solver, default_variant};

use crate::bench::Dataset;
use crate::problem::Problem;

const BATCH: usize = 4096;

/// The puzzles of a dataset that are judged.
#[derive(Clone, Debug)]
pub struct JudgedSet {
    /// The judged puzzles, in the order that they had in the dataset. Each has a solution.
    pub dataset: Dataset,
    /// A solution of each puzzle. If the problem requires the smallest of several solutions, this is the smallest.
    pub solutions: Vec<Solution>,
    /// The numbers of the puzzles that have no solution and are left out.
    pub unsolvable: Vec<u64>,
    /// The numbers of the puzzles that are left out because the search of BOJ 12095 takes more than [`Problem::max_calls`] calls for them.
    pub beyond_problem: Vec<u64>,
}

impl JudgedSet {
    /// Chooses the puzzles of a dataset that could be inputs of the problem: they have a solution and, if the problem has a limit
    /// [`Problem::max_calls`], the search of BOJ 12095 finds a solution within this number of calls. With `takes_all`, puzzles that take
    /// more calls are kept. If `sample` is given, chooses only the first `sample` of these puzzles.
    ///
    /// # Errors
    /// [`LevelError`] if the CPU does not support the SIMD level.
    pub fn choose(
        mut dataset: Dataset,
        problem: Problem,
        level: Level,
        sample: Option<u64>,
        takes_all: bool,
    ) -> Result<JudgedSet, LevelError> {
        let most = sample.map_or(usize::MAX, |sample| usize::try_from(sample).unwrap_or(usize::MAX));
        let max_calls = problem.max_calls.filter(|_| !takes_all);
        let mut reference = Reference::default();
        let (mut kept, mut solutions) = (Vec::new(), Vec::new());
        let (mut unsolvable, mut beyond_problem) = (Vec::new(), Vec::new());
        let found = solutions_of(dataset.puzzles(), problem, level)?;
        for (index, (puzzle, solution)) in dataset.puzzles().iter().zip(found).enumerate() {
            match solution {
                None => unsolvable.push(dataset.number(index)),
                Some(_) if max_calls.is_some_and(|most| !reference.solves(puzzle, most)) => {
                    beyond_problem.push(dataset.number(index));
                }
                Some(solution) => {
                    kept.push(index);
                    solutions.push(solution);
                }
            }
            if kept.len() == most {
                break;
            }
        }
        dataset.keep(&kept);
        let record = dataset.record_mut();
        record.unsolvable = unsolvable.len() as u64;
        record.beyond_problem = beyond_problem.len() as u64;
        record.reference_ns = max_calls.map(|_| reference.elapsed_ns);
        Ok(JudgedSet { dataset, solutions, unsolvable, beyond_problem })
    }
}

/// Returns, for each puzzle, the solution that the problem requires. `None` for a puzzle without a solution. The puzzles are solved batch
/// by batch when their solutions are requested.
///
/// # Errors
/// [`LevelError`] if the CPU does not support the SIMD level.
pub(super) fn solutions_of(
    puzzles: &[Puzzle],
    problem: Problem,
    level: Level,
) -> Result<impl Iterator<Item = Option<Solution>>, LevelError> {
    let (mut solver, question) = (default_variant().build(level)?, problem.question());
    Ok(puzzles.chunks(BATCH).flat_map(move |batch| {
        let mut outcomes = vec![Outcome::ABORTED; batch.len()];
        solver.solve_batch(batch, &question, &mut outcomes);
        outcomes.into_iter().map(|outcome| outcome.solution)
    }))
}

/// The simple recursive search of the checker of BOJ 12095 (see [`Problem::max_calls`]), and the total time that the search took for the
/// puzzles that it solved.
#[derive(Default)]
struct Reference {
    search: BoolTable,
    elapsed_ns: u64,
}

impl Reference {
    /// Returns whether the search solves a puzzle within `max_calls` calls. If so, adds the time of this search to the total.
    fn solves(&mut self, puzzle: &Puzzle, max_calls: u64) -> bool {
        // Each node is a call, so a search that reaches this node limit has made more than `max_calls` calls. A search can make too many
        // calls with fewer nodes, too, because calls at clues and at the end of the grid are not nodes. So the calls are checked below.
        let question = Question { max_nodes: Some(max_calls + 1), ..Question::first() };
        let start = Instant::now();
        let outcome = self.search.solve(puzzle, &question);
        let elapsed = start.elapsed();
        let solves = outcome.solution.is_some() && self.search.calls() <= max_calls;
        if solves {
            self.elapsed_ns += nanoseconds(elapsed);
        }
        solves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudobench_rows::Preset;

    /// The search of BOJ 12095 needs at least 6,670,903,752 calls for `HARD`, and few calls for `EASY`.
    const HARD: &str = "9..8...........5............2..1...3.1.....6....4...7.7.86.........3.1..4.....2..";
    const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn puzzles_that_the_problem_never_gives_are_left_out_and_others_take_their_place() {
        let unsolvable = format!("11{}", ".".repeat(79));
        let puzzles: Vec<Puzzle> =
            [HARD, EASY, &unsolvable, EASY, EASY].map(|text| text.parse().unwrap()).into();
        let chosen = |preset, sample, takes_all| {
            let dataset = Dataset::in_order("d", puzzles.clone());
            let set =
                JudgedSet::choose(dataset, Problem::new(preset), Level::widest(), sample, takes_all).unwrap();
            assert_eq!(set.solutions.len(), set.dataset.puzzles().len());
            let numbers: Vec<u64> = (0..set.solutions.len()).map(|at| set.dataset.number(at)).collect();
            let reference_ns = set.dataset.record().reference_ns;
            (numbers, set.unsolvable, set.beyond_problem, reference_ns.is_some())
        };
        assert_eq!(chosen(Preset::Boj2580, None, false), (vec![2, 4, 5], vec![3], vec![1], true));
        assert_eq!(chosen(Preset::Boj2580, Some(2), false), (vec![2, 4], vec![3], vec![1], true));
        assert_eq!(chosen(Preset::Boj2580, Some(2), true), (vec![1, 2], vec![], vec![], false));
        assert_eq!(chosen(Preset::Boj2239, None, false), (vec![1, 2, 4, 5], vec![3], vec![], false));
    }
}
