//! Makes the puzzles of a request. Each puzzle has a number.
//!
//! For each puzzle, a limited number of attempts is made. The puzzle is the result of the first attempt that meets the request. Each
//! attempt has a random stream of its own, so a puzzle doesn't depend on the other puzzles that are generated in the same run. Attempts for
//! several puzzles are made together. The usual attempt (the method top-down, one solution, no search for hard puzzles):
//!
//! ```text
//! random stream -> full grid -> the digits in the cells of the pattern; if there is a pattern, and these clues have several solutions,
//!                               change digits until there is one
//!                            -> remove one group of clues after the other, down to the requested number of clues
//!                            -> check minimality, difficulty, guesses and steps
//! ```
//! If several solutions are requested, clues are removed until there are enough solutions; then clues are removed or added to get the
//! requested number of clues. If puzzles without a solution are requested, the digit of a clue is changed. If hard puzzles are requested,
//! the search starts with the checked puzzle.
//!
//! With a method other than top-down, the puzzle is made in another way, but the same checks follow.

use std::cmp::Reverse;
use std::fmt;
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::hardest::Climber;
use super::method::MethodGenerator;
use super::neighbour::{MOST_TAKEN, neighbour};
use super::tridagon::tridagon;
use super::{FewestGuesses, Grids, Made, Method, Plan, Reducer, Reduction, Symmetry};
use crate::minimal::Minimality;
use crate::puzzle::{CELLS, Cells, Puzzle, Solution, is_plain_contradiction};
use crate::random::Random;
use crate::rate::{Measures, Rater};
use crate::simd::{Level, LevelError};
use crate::solver::{Auto, Outcome, Question, Solver, Status};
use crate::techniques::Walker;

/// A generated puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generated {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// See [`Made::weight`].
    pub weight: Option<f64>,
}

/// The parts of a request at which an attempt can fail, in the order in which they are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Failed {
    Solutions,
    Unsolvable,
    Clues,
    Minimal,
    Difficulty,
    Guesses,
    Steps,
    Nodes,
}

/// Distance of an attempt from the request: the first part of the request that the attempt does not meet, and by how much it misses this
/// part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Miss {
    part: Failed,
    by: u64,
}

impl Miss {
    /// Makes a miss for a part of the request that an attempt meets or not, without a distance in between.
    fn whole(part: Failed) -> Miss {
        Miss { part, by: 1 }
    }

    /// Returns whether the miss `other` is at most as far from the request as this miss.
    fn is_reached_by(self, other: Miss) -> bool {
        (Reverse(other.part), other.by) <= (Reverse(self.part), self.by)
    }
}

/// A puzzle that wasn't found. The message says how often each part of the request failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct NotMade {
    /// The puzzle's number.
    pub number: u64,
    /// Number of attempts.
    pub attempts: u64,
    /// A method that might find the puzzle, if the method of the request was the default one.
    pub better_method: Option<Method>,
    /// Number of attempts that failed at each part of the request, in the order of [`Failed`].
    failed: [u64; Failed::WORDS.len()],
}

impl Failed {
    const WORDS: [&str; 8] = [
        "had a different number of solutions",
        "could not be made unsolvable in a way that is not obvious",
        "had a different number of clues",
        "were not minimal",
        "had a different difficulty",
        "took fewer guesses",
        "had other techniques or another rating",
        "took more nodes than allowed",
    ];
}

impl fmt::Display for NotMade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotMade { number, attempts, failed, .. } = self;
        write!(f, "puzzle {number} of the seed was not found in {attempts} attempts")?;
        let failed = failed.iter().zip(Failed::WORDS).filter(|(times, _)| **times > 0);
        for (at, (times, words)) in failed.enumerate() {
            write!(f, "{}{times} {words}", if at == 0 { ": " } else { ", " })?;
        }
        Ok(())
    }
}

/// Limits of [`Maker::narrow`]: `NARROWINGS` is the number of clue changes that it tries, and `MOST_NARROWED` is the number of solutions at
/// which it stops counting.
const NARROWINGS: usize = 2_000;
const MOST_NARROWED: u64 = 1_000;

/// Makes the puzzles of a plan. Each thread needs its own maker.
///
/// ```
/// use sudobench_sudoku::generate::{Maker, Request};
/// use sudobench_sudoku::simd::Level;
/// use sudobench_sudoku::{Status, solve};
///
/// let plan = Request { clues: Some(30..=32), ..Request::default() }.plan()?;
/// let mut made = Vec::new();
/// assert_eq!(Maker::new(&plan, 1, Level::widest(), Default::default())?.make(0..4, &mut made), Ok(true));
/// assert!(made.iter().all(|made| (30..=32).contains(&made.puzzle.clue_count())));
/// assert!(made.iter().all(|made| solve(&made.puzzle).status == Status::Unique));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Maker {
    plan: Plan,
    seed: u64,
    generator: MethodGenerator,
    grids: Grids,
    reducer: Reducer,
    minimality: Minimality,
    solver: Auto,
    rater: Rater,
    walker: Walker,
    climber: Option<Climber>,
    cancel: Arc<AtomicBool>,
}

struct Attempt {
    random: Random,
    grid: Solution,
    puzzle: Puzzle,
    weight: Option<f64>,
    /// Groups of cells whose clues are removed together, in the order in which the groups are tried.
    groups: Vec<Cells>,
    /// In a climb toward a requested number of clues: the groups that are tried last, after all groups in `groups`. Their clues come from
    /// the previous puzzle of the climb. If more than `most_clues` clues are left before these groups are tried, the attempt has failed.
    kept: Vec<Cells>,
    most_clues: usize,
    /// Number of clues that the puzzle should get; 0 if there is no such target.
    target: usize,
    missed: Option<Miss>,
}

/// A puzzle that isn't found yet, and its attempts so far.
struct Open {
    number: u64,
    attempts: u64,
    failed: [u64; Failed::WORDS.len()],
    /// The puzzle from which a climb continues. `None` if the next attempt starts with a new puzzle.
    place: Option<Place>,
}

/// The puzzle that a climb has reached.
struct Place {
    puzzle: Puzzle,
    miss: Miss,
    /// Number of steps since the climb last came nearer to the request.
    steps: u32,
}

/// Distance between classes of difficulty, in units of [`Rater::resistance`].
const CLASS: u32 = 100_000;

/// Largest number of consecutive steps without progress. After one more step without progress, a climb starts again from a new puzzle.
const MOST_STEPS: u32 = 1_000;

impl Maker {
    /// Makes a generator that uses this SIMD level, for the puzzles of a seed. The generator stops when `cancel` becomes true. The puzzles
    /// don't depend on the level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(plan: &Plan, seed: u64, level: Level, cancel: Arc<AtomicBool>) -> Result<Maker, LevelError> {
        let climber = plan.request.hardest.as_ref().map(|hardest| Climber::new(hardest, level, &cancel));
        Ok(Maker {
            plan: plan.clone(),
            seed,
            generator: plan.request.method.build(level, &cancel)?,
            grids: Grids::new(level)?,
            reducer: Reducer::new(level)?.cancel(Arc::clone(&cancel)),
            minimality: Minimality::new(level)?.cancel(Arc::clone(&cancel)),
            solver: Auto::new(level)?,
            rater: Rater::default().cancel(Arc::clone(&cancel)),
            walker: plan.walker().cancel(Arc::clone(&cancel)),
            climber: climber.transpose()?,
            cancel,
        })
    }

    /// Makes the puzzles with these numbers and appends them. Returns false if the work was cancelled; then only the puzzles before the
    /// first missing puzzle are appended.
    ///
    /// # Errors
    /// [`NotMade`] for the first puzzle that isn't found in any of its attempts. The puzzles before this puzzle are appended.
    pub fn make(&mut self, numbers: Range<u64>, made: &mut Vec<Generated>) -> Result<bool, NotMade> {
        if self.plan.is_plain() {
            let mut by_method = Vec::new();
            let is_whole = self.generator.make(self.seed, numbers, &mut by_method);
            made.extend(
                by_method.into_iter().map(|Made { puzzle, weight, .. }| Generated { puzzle, weight }),
            );
            return Ok(is_whole);
        }
        let start = numbers.start;
        let mut open: Vec<Open> = numbers
            .map(|number| Open { number, attempts: 0, failed: Default::default(), place: None })
            .collect();
        let mut found: Vec<Option<Generated>> = vec![None; open.len()];
        let (mut each, mut given_up) = (1, None);
        while !open.is_empty() {
            let room = (self.plan.attempts_at_once() / open.len()).clamp(1, each);
            if !self.round(&mut open, room, |number, generated| {
                // The index is below the length of the list.
                found[(number - start) as usize] = Some(generated);
            }) {
                break;
            }
            if let Some(first) = open.iter().position(|open| open.attempts >= self.plan.request.attempts) {
                // Puzzles after a missing puzzle are not returned, so their attempts end.
                given_up = open.drain(first..).next();
            }
            each = (2 * each).min(Plan::MOST_ATTEMPTS_AT_ONCE);
        }
        made.extend(found.into_iter().map_while(|generated| generated));
        match given_up {
            Some(Open { number, attempts, failed, .. }) if open.is_empty() => {
                Err(NotMade { number, attempts, better_method: self.plan.better_method(), failed })
            }
            _ => Ok(open.is_empty()),
        }
    }

    /// Makes up to `each` more attempts for every open puzzle. Calls `found` with each puzzle that an attempt finds, and removes the puzzle
    /// from `open`. Returns false if the work was cancelled.
    fn round(&mut self, open: &mut Vec<Open>, each: usize, mut found: impl FnMut(u64, Generated)) -> bool {
        let most = self.plan.request.attempts;
        let is_climb = self.plan.request.method == Method::Climb;
        let next = |open: &Open| open.attempts..most.min(open.attempts.saturating_add(each as u64));
        let mut attempts = Vec::new();
        for open in &*open {
            if !self.begin(open, next(open), &mut attempts) {
                return false;
            }
        }
        if !self.finish(&mut attempts) {
            return false;
        }
        let mut attempts = attempts.into_iter();
        open.retain_mut(|open| {
            let next = next(open);
            open.attempts = next.end;
            // Takes all attempts for this puzzle from the iterator, even if the first of them succeeds, because the attempts after them
            // belong to the next puzzle.
            let own: Vec<Attempt> = next.zip(attempts.by_ref()).map(|(_, attempt)| attempt).collect();
            for Attempt { puzzle, weight, missed, .. } in own {
                match missed {
                    Some(miss) => {
                        open.failed[miss.part as usize] += 1;
                        if is_climb {
                            open.continue_from(puzzle, miss);
                        }
                    }
                    None => {
                        found(open.number, Generated { puzzle, weight });
                        return false;
                    }
                }
            }
            true
        });
        true
    }

    /// Starts these attempts for the puzzle `open`, and appends them to `begun`. Returns false if the work was cancelled.
    fn begin(&mut self, open: &Open, attempts: Range<u64>, begun: &mut Vec<Attempt>) -> bool {
        let Maker { plan, seed, generator, grids, solver, .. } = self;
        let seed = Random::from_stream(*seed, open.number).next_u64();
        let new = |random, grid, puzzle| Attempt {
            random,
            grid,
            puzzle,
            weight: None,
            groups: Vec::new(),
            kept: Vec::new(),
            most_clues: CELLS,
            target: 0,
            missed: None,
        };
        let method = plan.request.method;
        if !matches!(method, Method::TopDown | Method::Climb | Method::Tridagon) {
            let mut made = Vec::new();
            let is_whole = generator.make(seed, attempts.clone(), &mut made);
            let made = attempts.zip(made).map(|(attempt, Made { puzzle, solution, weight })| Attempt {
                weight,
                ..new(Random::from_stream(seed, attempt), solution, puzzle)
            });
            begun.extend(made);
            return is_whole;
        }
        for attempt in attempts {
            let mut random = Random::from_stream(seed, attempt);
            let wanted = plan.request.clues.as_ref();
            // A climb to a wanted number of clues is fastest if each step removes one clue. A climb to a rating needs larger steps.
            let most_taken = if wanted.is_some() { 1 } else { MOST_TAKEN };
            let started = match &open.place {
                Some(place) => neighbour(&place.puzzle, most_taken, solver, &mut random),
                None if method == Method::Tridagon => tridagon(solver, &mut random),
                None => None,
            };
            if let Some(start) = started {
                let attempt = new(random, start.grid, start.grid.into());
                begun.push(match (&open.place, wanted) {
                    // After `groups` are tried, only the clues in `kept` are left to try. Usually none or one of them can be removed, hardly
                    // ever two. So the attempt fails if, at that time, it has at least two clues more than the climb's puzzle, and at least
                    // two clues more than the request allows.
                    (Some(place), Some(wanted)) => Attempt {
                        most_clues: place.puzzle.clue_count().max(*wanted.end()) + 1,
                        groups: start.first,
                        kept: start.kept,
                        ..attempt
                    },
                    _ => Attempt { groups: start.order(), ..attempt },
                });
                continue;
            }
            let grid = grids.grid(&mut random);
            let puzzle = Puzzle::from(grid).without(Cells::ALL.without(plan.cells));
            let mut groups = if plan.request.fills_pattern() { Vec::new() } else { plan.orbits.clone() };
            random.shuffle(&mut groups);
            let target = plan.draw_target(&mut random);
            begun.push(Attempt { groups, target, ..new(random, grid, puzzle) });
        }
        true
    }

    /// Continues attempts until each has succeeded or failed. Returns false if the work was cancelled.
    fn finish(&mut self, attempts: &mut [Attempt]) -> bool {
        let (least, most) = self.solutions();
        let is_several = most > 1;
        if self.plan.request.pattern.is_some() && !is_several && !self.reach_one_solution(attempts) {
            return false;
        }
        // Only puzzles with one solution can be reduced. If several solutions are requested, a puzzle with a pattern may have several
        // solutions from the start.
        let have_one = !is_several || self.plan.request.pattern.is_none();
        if have_one && !(self.reduce(attempts, is_several) && self.reduce_kept(attempts)) {
            return false;
        }
        for attempt in attempts.iter_mut().filter(|attempt| attempt.missed.is_none()) {
            if self.is_cancelled() {
                return false;
            }
            let failed = match (least, most) {
                (0, _) => self.contradict(attempt),
                (1, 1) => None,
                _ => self.reach_several_solutions(attempt, least, most),
            };
            attempt.missed = match (failed, self.plan.clues_missed(attempt.puzzle.clue_count())) {
                (Some(part), _) => Some(Miss::whole(part)),
                (None, 0) => None,
                (None, clues) => Some(Miss { part: Failed::Clues, by: clues as u64 }),
            };
        }
        if self.plan.request.minimal && !self.check_minimality(attempts) {
            return false;
        }
        for attempt in attempts.iter_mut().filter(|attempt| attempt.missed.is_none()) {
            attempt.missed = self
                .check_difficulty(attempt)
                .or_else(|| self.check_guesses(attempt))
                .or_else(|| self.check_steps(attempt))
                .or_else(|| self.climb(attempt));
            if self.is_cancelled() {
                return false;
            }
        }
        !self.is_cancelled()
    }

    fn solutions(&self) -> (u64, u64) {
        let solutions = &self.plan.request.solutions;
        (*solutions.start(), *solutions.end())
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn count(&mut self, puzzle: &Puzzle, most: u64) -> u64 {
        let question = Question {
            max_solutions: NonZeroU64::new(most).unwrap_or(NonZeroU64::MIN),
            cancel: Some(Arc::clone(&self.cancel)),
            ..Question::unique_or_first()
        };
        self.solver.solve(puzzle, &question).count
    }

    /// If an attempt has several solutions, changes its clues until there is only one solution. If [`NARROWINGS`] changes are not
    /// enough, marks the attempt as failed. Returns false if the work was cancelled.
    fn reach_one_solution(&mut self, attempts: &mut [Attempt]) -> bool {
        let puzzles: Vec<Puzzle> = attempts.iter().map(|attempt| attempt.puzzle).collect();
        let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
        let question = Question { cancel: Some(Arc::clone(&self.cancel)), ..Question::unique_or_first() };
        self.solver.solve_batch(&puzzles, &question, &mut outcomes);
        for (attempt, outcome) in attempts.iter_mut().zip(&outcomes) {
            if outcome.status != Status::Unique {
                attempt.missed = self.narrow(attempt).map(Miss::whole);
            }
            if self.is_cancelled() {
                return false;
            }
        }
        true
    }

    /// Changes the digits of clues one by one so that the number of solutions falls to one. This is needed if clues are allowed in few
    /// cells only: for nearly all grids, the clues in these cells have other solutions too.
    fn narrow(&mut self, attempt: &mut Attempt) -> Option<Failed> {
        let Attempt { random, grid, puzzle, .. } = attempt;
        let cells: Vec<usize> = puzzle.clue_cells().iter().collect();
        let mut count = self.count(puzzle, MOST_NARROWED);
        for _ in 0..NARROWINGS {
            let mut next = *puzzle;
            // Digits are 1 to 9.
            next.values_mut()[cells[random.below(cells.len())]] = 1 + random.below(9) as u8;
            if next == *puzzle || next.conflict().is_some() {
                continue;
            }
            let left = self.count(&next, (count + 1).min(MOST_NARROWED));
            if (1..=count).contains(&left) && !self.is_cancelled() {
                (*puzzle, count) = (next, left);
            }
            if count == 1 {
                let solution = self.solver.solve(puzzle, &Question::first()).solution;
                return solution.map_or(Some(Failed::Solutions), |solution| {
                    *grid = solution;
                    None
                });
            }
        }
        Some(Failed::Solutions)
    }

    /// Removes clues from attempts with one solution: all redundant clues if `all` is true, otherwise down to the requested number. Returns
    /// false if the work was cancelled.
    fn reduce(&mut self, attempts: &mut [Attempt], all: bool) -> bool {
        let under_way = |attempt: &&mut Attempt| attempt.missed.is_none() && !attempt.groups.is_empty();
        let reduction = |attempt: &mut Attempt| Reduction {
            puzzle: attempt.puzzle,
            groups: attempt.groups.clone(),
            least_clues: if all { 0 } else { attempt.target },
        };
        let mut reductions: Vec<Reduction> = attempts.iter_mut().filter(under_way).map(reduction).collect();
        let is_whole = self.reducer.reduce(&mut reductions);
        for (attempt, reduction) in attempts.iter_mut().filter(under_way).zip(&reductions) {
            attempt.puzzle = reduction.puzzle;
        }
        is_whole
    }

    /// In a climb, removes redundant clues that come from the previous puzzle (`kept`). If an attempt has too many clues before the
    /// removal, it fails. Without a climb, does nothing. Returns false if the work was cancelled.
    fn reduce_kept(&mut self, attempts: &mut [Attempt]) -> bool {
        if self.plan.request.method != Method::Climb {
            return true;
        }
        for attempt in attempts.iter_mut() {
            attempt.groups = std::mem::take(&mut attempt.kept);
            if attempt.puzzle.clue_count() > attempt.most_clues {
                // The attempt fails before the clues in `kept` are tried, so its puzzle may have redundant clues. Because of the large
                // distance (`by`), the climb does not continue from this puzzle.
                attempt.missed = Some(Miss { part: Failed::Clues, by: u64::MAX });
            }
        }
        self.reduce(attempts, false)
    }

    /// Removes clues until there are enough solutions. Then removes or adds clues to bring the number of clues nearer to `target`.
    fn reach_several_solutions(&mut self, attempt: &mut Attempt, least: u64, most: u64) -> Option<Failed> {
        let Attempt { random, grid, puzzle, groups, target, .. } = attempt;
        // The wanted number of solutions is `least`, doubled a random number of times. Without the doublings, nearly all puzzles would
        // have few solutions.
        let doublings = (most / least).ilog2() as usize;
        let wanted = least << random.below(doublings + 1);
        let mut count = self.count(puzzle, most + 1);
        if count > most {
            return Some(Failed::Solutions);
        }
        let taken_out = |puzzle: &Puzzle, group: &Cells| {
            let next = puzzle.without(*group);
            (next != *puzzle).then_some(next)
        };
        while count < wanted && !self.is_cancelled() {
            random.shuffle(groups);
            let mut next = None;
            for candidate in groups.iter().filter_map(|group| taken_out(puzzle, group)) {
                let left = self.count(&candidate, most + 1);
                if left <= most && next.is_none_or(|(_, known)| known < wanted) {
                    next = Some((candidate, left));
                }
                if (wanted..=most).contains(&left) {
                    break;
                }
            }
            let Some(next) = next else { break };
            (*puzzle, count) = next;
        }
        if count < least {
            return Some(Failed::Solutions);
        }
        if *target == 0 {
            return None;
        }
        for group in &*groups {
            let Some(next) = taken_out(puzzle, group).filter(|next| next.clue_count() >= *target) else {
                continue;
            };
            if self.count(&next, most + 1) <= most {
                *puzzle = next;
            }
        }
        for group in &*groups {
            let mut next = *puzzle;
            group.iter().for_each(|cell| next.values_mut()[cell] = grid.values()[cell]);
            if next.clue_count() <= *target && self.count(&next, least) == least {
                *puzzle = next;
            }
        }
        None
    }

    /// Changes the digit of a clue so that there is no solution, but also no plain contradiction, such as two equal clues in one row.
    fn contradict(&mut self, attempt: &mut Attempt) -> Option<Failed> {
        let clues = attempt.puzzle.clue_cells();
        let mut changes: Vec<(usize, u8)> =
            clues.iter().flat_map(|cell| (1..=9).map(move |digit| (cell, digit))).collect();
        attempt.random.shuffle(&mut changes);
        for (cell, digit) in changes {
            let mut changed = attempt.puzzle;
            changed.values_mut()[cell] = digit;
            if !is_plain_contradiction(&changed) && self.count(&changed, 1) == 0 {
                attempt.puzzle = changed;
                return None;
            }
        }
        Some(Failed::Unsolvable)
    }

    /// Marks attempts as failed if their puzzle isn't minimal. Returns false if the work was cancelled.
    fn check_minimality(&mut self, attempts: &mut [Attempt]) -> bool {
        // Without symmetry, clues were removed one by one until none was redundant, so all attempts are minimal.
        if self.plan.request.symmetry == Symmetry::None {
            return true;
        }
        let puzzles: Vec<Puzzle> = attempts
            .iter()
            .filter(|attempt| attempt.missed.is_none())
            .map(|attempt| attempt.puzzle)
            .collect();
        let mut are_minimal = vec![false; puzzles.len()];
        let is_whole = self.minimality.are_minimal(&puzzles, &[], &mut are_minimal);
        let under_way = attempts.iter_mut().filter(|attempt| attempt.missed.is_none());
        for (attempt, is_minimal) in under_way.zip(are_minimal) {
            attempt.missed = (!is_minimal).then_some(Miss::whole(Failed::Minimal));
        }
        is_whole
    }

    fn check_difficulty(&mut self, attempt: &Attempt) -> Option<Miss> {
        let wanted = &self.plan.request.difficulties;
        if wanted.is_empty() {
            return None;
        }
        let measures = Measures { difficulty: true, ..Measures::default() };
        let rating = self.rater.rate_solved(&attempt.puzzle, &attempt.grid, measures);
        let found = rating.and_then(|rating| rating.difficulty)? as u8;
        let classes = wanted.iter().map(|&wanted| (wanted as u8).abs_diff(found)).min()?;
        if classes == 0 {
            return None;
        }
        let is_too_easy = wanted.iter().all(|&wanted| wanted as u8 > found);
        let is_climb = self.plan.request.method == Method::Climb;
        let resistance = match is_climb && is_too_easy {
            true => self.rater.resistance(&attempt.puzzle, &attempt.grid),
            false => 0,
        };
        let by = u64::from(classes) * u64::from(CLASS) - u64::from(resistance.min(CLASS - 1));
        Some(Miss { part: Failed::Difficulty, by })
    }

    fn check_guesses(&mut self, attempt: &Attempt) -> Option<Miss> {
        let FewestGuesses { thousandths, forms } = self.plan.request.guesses?;
        let found = self.rater.guesses(forms(&attempt.puzzle));
        let by = thousandths.saturating_sub(found.unwrap_or(0));
        (by > 0).then_some(Miss { part: Failed::Guesses, by })
    }

    fn check_steps(&self, attempt: &Attempt) -> Option<Miss> {
        let steps = self.plan.request.steps.as_ref()?;
        let by = steps.missed_by(&self.walker.walk(&attempt.puzzle)?);
        (by > 0).then_some(Miss { part: Failed::Steps, by })
    }

    fn climb(&mut self, attempt: &mut Attempt) -> Option<Miss> {
        let climber = self.climber.as_mut()?;
        let Some(nodes) = climber.nodes(&attempt.puzzle) else { return Some(Miss::whole(Failed::Nodes)) };
        attempt.puzzle = climber.climb(attempt.puzzle, nodes, &mut attempt.random);
        None
    }
}

impl Open {
    /// Continues the climb from `puzzle` if the climb has no puzzle yet, or if `puzzle` is at least as near to the request as the current
    /// puzzle of the climb. After too many steps without progress, the climb starts again from a random puzzle.
    fn continue_from(&mut self, puzzle: Puzzle, miss: Miss) {
        let steps = match &self.place {
            Some(place) if place.miss == miss || !place.miss.is_reached_by(miss) => place.steps + 1,
            _ => 0,
        };
        match &mut self.place {
            _ if steps > MOST_STEPS => self.place = None,
            Some(place) if !place.miss.is_reached_by(miss) => place.steps = steps,
            place => *place = Some(Place { puzzle, miss, steps }),
        }
    }
}
