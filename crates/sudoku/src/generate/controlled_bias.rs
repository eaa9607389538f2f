//! Minimal puzzles with a bias that is known (D. Berthier, "Unbiased statistics of a CSP - a controlled-bias generator", 2009).
//!
//! Clues of a random full grid are taken out in a random order, without going back, down to nothing. If a puzzle on the way is minimal, it
//! is taken; else another grid and order are tried. The sets of clues on the way are nested, and every set of n cells is met with
//! probability 1 / C(81, n): so a minimal puzzle with n clues comes with a probability that n alone decides, and means weighted by C(81, n)
//! are those of all minimal puzzles.
//!
//! ```text
//!   the last 34 clues of an order        hold a clue of each small unavoidable set?       masks; most fail
//!                                        one solution?                                    one search; most fail
//!   one less, and one less, ...          until there is another solution: the last puzzle before is the only one that can be minimal
//!                                        is it?                                           one probe a clue
//! ```
//! So what is met is what would be met by trying every puzzle on the way, but for puzzles of more than 34 clues, which hardly exist.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::unavoidable::{MOST_SMALL_SETS, small_sets};
use super::{Grids, Made, nothing_made};
use crate::minimal::Minimality;
use crate::puzzle::{CELLS, Puzzle, Solution};
use crate::random::Random;
use crate::simd::{Level, LevelError};
use crate::solver::{Auto, Known, Outcome, Question, Status};

/// The most clues of a minimal puzzle that is looked for: of 5,926,343 that Berthier made none had more than 32.
pub(super) const MOST_CLUES: usize = 34;

/// Orders that are tried on each grid. That they share it makes grids with many minimal puzzles a little too rare: the second
/// puzzle of the same grid would be lost, and one order in some hundred thousand leads to one.
const ORDERS: usize = 256;

/// Grids that are tried at once, of one number or of several.
const GRIDS_AT_ONCE: u64 = 64;

/// Makes minimal puzzles with a known bias. One for each thread.
///
/// The weight of a puzzle is C(81, clues) / C(81, 26). Some hundred thousand orders are tried for each puzzle.
///
/// ```no_run
/// use sudobench_sudoku::generate::ControlledBias;
///
/// let mut made = Vec::new();
/// assert!(ControlledBias::default().make(1, 0..100, &mut made));
/// let weight = |made: &sudobench_sudoku::generate::Made| made.weight.unwrap_or_default();
/// let clues: f64 = made.iter().map(|made| weight(made) * made.puzzle.clues() as f64).sum();
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

/// A set of nested puzzles that may hold a minimal one.
struct Chain {
    /// The number of the puzzle that is to be made, the grid and the order: the first that leads to a puzzle counts.
    at: (u64, u64, usize),
    solution: Solution,
    /// The cells that go next are at the end.
    cells: [u8; MOST_CLUES],
    puzzle: Puzzle,
}

impl ControlledBias {
    /// The same with vectors of that width. What is made does not depend on it.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] where the CPU lacks the level.
    pub fn new(level: Level) -> Result<ControlledBias, LevelError> {
        let (grids, solver) = (Grids::new(level)?, Auto::new(level)?);
        Ok(ControlledBias { grids, solver, minimality: Minimality::new(level)?, cancel: None })
    }

    /// The same, given up as soon as this becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> ControlledBias {
        let minimality = self.minimality.cancel(cancel.clone());
        ControlledBias { minimality, cancel: Some(cancel), ..self }
    }

    /// Makes the puzzles with these numbers of a seed, and appends them. Returns whether all are made: where it was cancelled, none is
    /// appended.
    pub fn make(&mut self, seed: u64, numbers: Range<u64>, made: &mut Vec<Made>) -> bool {
        let before = made.len();
        made.resize(before + numbers.clone().count(), nothing_made());
        // By number that is not made yet: the grid that comes next.
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
            // In order: the first of a number stays.
            for Chain { at: (number, ..), puzzle, solution, .. } in minimal {
                if let Some(place) = open.iter().position(|(open, _)| *open == number) {
                    open.remove(place);
                    let weight = Some(weight(puzzle.clues()));
                    made[before + (number - numbers.start) as usize] = Made { puzzle, solution, weight };
                }
            }
        }
        true
    }

    /// Draws the orders of a grid, and appends those whose last cells hold a clue of each small unavoidable set.
    fn draw(&mut self, seed: u64, (number, grid): (u64, u64), chains: &mut Vec<Chain>) {
        let mut random = Random::of_stream(Random::of_stream(seed, number).next_u64(), grid);
        let solution = self.grids.grid(&mut random);
        let masks: [u128; CELLS] = std::array::from_fn(|cell| 1 << cell);
        let mut sets = [0; MOST_SMALL_SETS];
        let mut found = 0;
        small_sets(&solution, &masks, |set| {
            sets[found] = set;
            found += 1;
        });
        let sets = &mut sets[..found];
        // The smallest are missed most often.
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

    /// The chains that hold a minimal puzzle, each at it. `None` where it was cancelled.
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
        let mut are_minimal = vec![false; puzzles.len()];
        if !self.minimality.are_minimal(&puzzles, &mut are_minimal) {
            return None;
        }
        let mut minimal: Vec<Chain> =
            ended.into_iter().zip(are_minimal).filter_map(|(chain, is)| is.then_some(chain)).collect();
        minimal.sort_unstable_by_key(|chain| chain.at);
        Some(minimal)
    }
}

/// C(81, clues) / C(81, 26).
fn weight(clues: usize) -> f64 {
    let choices = |clues: usize| (0..clues).fold(1.0, |all, at| all * (CELLS - at) as f64 / (at + 1) as f64);
    choices(clues) / choices(26)
}
