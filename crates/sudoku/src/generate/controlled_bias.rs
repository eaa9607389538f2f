//! Minimal puzzles with a known bias (D. Berthier, "Unbiased statistics of a CSP - a controlled-bias generator", 2009).
//!
//! Removes all clues of a random full grid, one after the other in a random order. If one of the puzzles on the way is minimal, it is the
//! result. Otherwise another order is tried, and after a number of orders another grid. The sets of clues on the way are nested, and every
//! set of n cells is reached with probability 1 / C(81, n). So the probability of a minimal puzzle with n clues depends only on n, and
//! means weighted by C(81, n) are means over all minimal puzzles.
//!
//! ```text
//!   the last 34 clues of an order        do they hit each small unavoidable set?          bit masks; most orders fail
//!                                        is there only one solution?                      one search; most orders fail
//!   remove one clue after the other      until there is another solution: only the last puzzle before that can be minimal
//!                                        is it minimal?                                   one probe per clue
//! ```
//! So the result is the same as if every puzzle on the way were tried, except for minimal puzzles with more than 34
//! clues, which are extremely rare.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Grids, Made};
use crate::minimal::Minimality;
use crate::puzzle::{CELLS, Puzzle, Solution};
use crate::random::Random;
use crate::simd::{Level, LevelError};
use crate::solver::{Auto, Known, Outcome, Question, Status};
use crate::unavoidable::{MOST_SMALL_SETS, small_sets};

/// Largest number of clues: minimal puzzles with more clues are not found. Of 5,926,343 puzzles that Berthier generated, none
/// had more than 32.
pub(super) const MOST_CLUES: usize = 34;

/// Number of orders in which clues are removed from each grid. Because these orders share a grid, grids with many minimal puzzles become
/// slightly too rare: a second puzzle of the same grid is dropped. On average, one order in several hundred thousand leads to a puzzle.
const ORDERS: usize = 256;

/// Number of grids that are tried together. If several puzzles are being made, the grids are divided among them.
const GRIDS_AT_ONCE: u64 = 64;

/// Makes minimal puzzles with a known bias. Each thread needs its own generator.
///
/// The weight of a puzzle is C(81, clues) / C(81, 26). On average, several hundred thousand orders of removal are tried for a puzzle.
///
/// ```no_run
/// use sudobench_sudoku::generate::ControlledBias;
///
/// let mut made = Vec::new();
/// assert!(ControlledBias::default().make(1, 0..100, &mut made));
/// let weight = |made: &sudobench_sudoku::generate::Made| made.weight.unwrap_or_default();
/// let clues: f64 = made.iter().map(|made| weight(made) * made.puzzle.clue_count() as f64).sum();
/// let mean = clues / made.iter().map(weight).sum::<f64>();
/// assert!((25.5..27.5).contains(&mean));
/// ```
#[derive(Debug, Default)]
pub struct ControlledBias {
    grids: Grids,
    solver: Auto,
    minimality: Minimality,
    cancel: Option<Arc<AtomicBool>>,
}

/// Nested puzzles, each with one clue less than the puzzle before. One of them may be minimal.
struct Chain {
    /// Three numbers that identify the chain: one for the puzzle to make, one for the grid among the grids drawn for this puzzle, and one
    /// for the order of the cells among the orders drawn for this grid. Each puzzle is taken from its first chain that contains a
    /// minimal puzzle.
    at: (u64, u64, usize),
    solution: Solution,
    /// The cells of the clues. The last cell is removed first.
    cells: [u8; MOST_CLUES],
    puzzle: Puzzle,
}

impl ControlledBias {
    /// Makes a generator that uses this SIMD level. The puzzles don't depend on the level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<ControlledBias, LevelError> {
        let (grids, solver) = (Grids::new(level)?, Auto::new(level)?);
        Ok(ControlledBias { grids, solver, minimality: Minimality::new(level)?, cancel: None })
    }

    /// Sets a cancel flag. The work stops soon after the flag becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> ControlledBias {
        let minimality = self.minimality.cancel(cancel.clone());
        ControlledBias { minimality, cancel: Some(cancel), ..self }
    }

    /// Appends one puzzle to `made` for each number in `numbers`. A puzzle depends only on the seed and its number. If the work was
    /// cancelled, appends nothing and returns false.
    pub fn make(&mut self, seed: u64, numbers: Range<u64>, made: &mut Vec<Made>) -> bool {
        let before = made.len();
        made.resize(before + numbers.clone().count(), Made::NOTHING);
        // The numbers of the puzzles that are not made yet, each with the number of the next grid to try.
        let mut open: Vec<(u64, u64)> = numbers.clone().map(|number| (number, 0)).collect();
        while !open.is_empty() {
            let mut chains = Vec::new();
            let at_once = (GRIDS_AT_ONCE / open.len() as u64).max(1);
            for (number, next) in open.iter_mut().take(GRIDS_AT_ONCE as usize) {
                for grid in *next..*next + at_once {
                    self.draw(seed, (*number, grid), &mut chains);
                }
                *next += at_once;
            }
            let is_cancelled = self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed));
            let Some(minimal) = self.minimal(chains).filter(|_| !is_cancelled) else {
                made.truncate(before);
                return false;
            };
            // The chains are sorted by `at`. For each number, only the puzzle of the first chain is kept.
            for Chain { at: (number, ..), puzzle, solution, .. } in minimal {
                if let Some(place) = open.iter().position(|(open, _)| *open == number) {
                    open.remove(place);
                    let weight = Some(weight(puzzle.clue_count()));
                    made[before + (number - numbers.start) as usize] = Made { puzzle, solution, weight };
                }
            }
        }
        true
    }

    /// Draws the orders in which the clues of a grid are removed. Appends a chain for each order in which the [`MOST_CLUES`] clues that are
    /// removed last include a clue of each small unavoidable set.
    fn draw(&mut self, seed: u64, (number, grid): (u64, u64), chains: &mut Vec<Chain>) {
        let mut random = Random::from_stream(Random::from_stream(seed, number).next_u64(), grid);
        let solution = self.grids.grid(&mut random);
        let masks: [u128; CELLS] = std::array::from_fn(|cell| 1 << cell);
        let mut sets = [0; MOST_SMALL_SETS];
        let sets = small_sets(&solution, &masks, &mut sets);
        // The smallest sets are tested first, because they are most often without a clue.
        sets.sort_unstable_by_key(|set| set.count_ones());
        let mut cells: [u8; CELLS] = std::array::from_fn(|cell| cell as u8);
        for order in 0..ORDERS {
            let mut clues = 0;
            for at in 0..MOST_CLUES {
                cells.swap(at, at + random.below(CELLS - at));
                clues |= masks[usize::from(cells[at])];
            }
            if sets.iter().all(|set| set & clues != 0) {
                let mut puzzle = Puzzle::EMPTY;
                let mut last = [0; MOST_CLUES];
                last.copy_from_slice(&cells[..MOST_CLUES]);
                for &cell in &last {
                    puzzle.values_mut()[usize::from(cell)] = solution[usize::from(cell)];
                }
                chains.push(Chain { at: (number, grid, order), solution, cells: last, puzzle });
            }
        }
    }

    /// Returns the chains that contain a minimal puzzle; the field `puzzle` of each chain holds that puzzle. Returns `None` if the work was
    /// cancelled.
    fn minimal(&mut self, mut chains: Vec<Chain>) -> Option<Vec<Chain>> {
        let question = Question { cancel: self.cancel.clone(), ..Question::first() };
        let mut ended = Vec::new();
        let (mut puzzles, mut known, mut outcomes) = (Vec::new(), Vec::new(), Vec::new());
        let mut clues = MOST_CLUES;
        while !chains.is_empty() {
            puzzles.clear();
            puzzles.extend(chains.iter().map(|chain| chain.puzzle));
            known.clear();
            known.extend(chains.iter().map(|chain| Known::Solution(chain.solution)));
            outcomes.clear();
            outcomes.resize(chains.len(), Outcome::ABORTED);
            self.solver.find_others(&puzzles, &known, &question, &mut outcomes);
            if outcomes.iter().any(|outcome| outcome.status == Status::Aborted) {
                return None;
            }
            let mut next = Vec::new();
            for (mut chain, outcome) in chains.into_iter().zip(&outcomes) {
                if outcome.status == Status::Unsolvable {
                    chain.puzzle.values_mut()[usize::from(chain.cells[clues - 1])] = 0;
                    next.push(chain);
                } else if clues < MOST_CLUES {
                    let cell = usize::from(chain.cells[clues]);
                    chain.puzzle.values_mut()[cell] = chain.solution[cell];
                    ended.push(chain);
                }
            }
            chains = next;
            clues -= 1;
        }
        let puzzles: Vec<Puzzle> = ended.iter().map(|chain| chain.puzzle).collect();
        let solutions: Vec<Solution> = ended.iter().map(|chain| chain.solution).collect();
        let mut are_minimal = vec![false; puzzles.len()];
        if !self.minimality.are_minimal(&puzzles, &solutions, &mut are_minimal) {
            return None;
        }
        let mut minimal: Vec<Chain> =
            ended.into_iter().zip(are_minimal).filter_map(|(chain, is)| is.then_some(chain)).collect();
        minimal.sort_unstable_by_key(|chain| chain.at);
        Some(minimal)
    }
}

fn weight(clues: usize) -> f64 {
    let choices = |clues: usize| (0..clues).fold(1.0, |all, at| all * (CELLS - at) as f64 / (at + 1) as f64);
    choices(clues) / choices(26)
}
