//! What lies next to a puzzle: the puzzles with one solution that have some clues fewer and some others instead.
//!
//! Whether clues that are added leave one solution can be read off a list of the solutions without them: exactly one of these has
//! them all. So no candidate has to be searched for by itself:
//!
//! ```text
//! for each set of clues that go, from the fewest on:
//!     base = the puzzle without them
//!     list the solutions of base, up to a bound
//!     all of them?   sets of candidates that are in exactly one:           found
//!     more?          sets of candidates that are in at most one of the list: asked, many together
//! ```
//! A list that is not whole still rules nearly all sets out: two of its solutions that have a set prove that it leaves several. Solutions
//! that come first are alike, so for sets of several clues the list gets some with each candidate.

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::canonical::Canonicalizer;
use crate::minimal::Minimality;
use crate::minimals::{Found, solutions_at};
use crate::puzzle::{CELLS, Cells, Puzzle, Solution};
use crate::simd::{Level, LevelError};
use crate::solver::{Answer, Auto, Outcome, Question, Solver, Status};

/// How far neighbours are away. Reads from `-1+1` and `{-1+1}`.
///
/// ```
/// use sudobench_sudoku::vicinity::Distance;
/// let distance: Distance = "{-2+1}".parse()?;
/// assert_eq!((distance.removed(), distance.added()), (2, 1));
/// assert_eq!(distance.to_string(), "-2+1");
/// assert!("-4+1".parse::<Distance>().is_err());
/// # Ok::<(), sudobench_sudoku::vicinity::DistanceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Distance {
    removed: u8,
    added: u8,
}

/// Why a text is no [`Distance`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a distance: write the numbers of clues to remove and to add, each from 0 to {MOST} and not both 0, such as -1+1 or -2+1"
)]
pub struct DistanceError(String);

/// The most clues that go, and that come: with more there are too many ways to try.
const MOST: u8 = 3;

impl Distance {
    /// The clues that go.
    pub fn removed(self) -> u8 {
        self.removed
    }

    /// The clues that come.
    pub fn added(self) -> u8 {
        self.added
    }
}

impl FromStr for Distance {
    type Err = DistanceError;

    fn from_str(text: &str) -> Result<Distance, DistanceError> {
        let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
        let numbers = inner.strip_prefix('-').and_then(|text| text.split_once('+'));
        let number = |text: &str| match text.as_bytes() {
            [digit @ b'0'..=b'9'] if digit - b'0' <= MOST => Some(digit - b'0'),
            _ => None,
        };
        let distance = numbers
            .and_then(|(removed, added)| Some(Distance { removed: number(removed)?, added: number(added)? }));
        distance
            .filter(|distance| distance.removed + distance.added > 0)
            .ok_or_else(|| DistanceError(text.to_owned()))
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "-{}+{}", self.removed, self.added)
    }
}

/// Finds neighbours of puzzles. One for each thread.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::vicinity::Vicinity;
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let found = Vicinity::default().of(&puzzle, "-1+0".parse().unwrap(), false, 100).expect("nobody cancels it");
/// assert!(found.is_complete && found.puzzles.iter().all(|neighbour| neighbour.clues() == puzzle.clues() - 1));
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Debug)]
pub struct Vicinity {
    level: Level,
    solver: Auto,
    minimality: Minimality,
    canonicalizer: Canonicalizer,
    bounds: Bounds,
    cancel: Arc<AtomicBool>,
}

impl Default for Vicinity {
    /// With the widest vectors that the CPU has.
    fn default() -> Vicinity {
        Vicinity {
            level: Level::widest(),
            solver: Auto::default(),
            minimality: Minimality::default(),
            canonicalizer: Canonicalizer::default(),
            bounds: BOUNDS,
            cancel: Arc::default(),
        }
    }
}

/// How much is listed. Measured: with fewer the engine is asked more, with more the lists take longer.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Solutions from each end where one clue is added.
    for_one: usize,
    /// Solutions from each end where several are added.
    for_several: usize,
    /// Solutions with each candidate, where there are more than that.
    with_each: usize,
}

const BOUNDS: Bounds = Bounds { for_one: 16, for_several: 1024, with_each: 4 };

/// Puzzles that are asked about together.
const ASKED: usize = 4096;

impl Vicinity {
    /// The same with vectors of that width. What is found does not depend on it.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] where the CPU lacks the level.
    pub fn new(level: Level) -> Result<Vicinity, LevelError> {
        let (solver, minimality) = (Auto::new(level)?, Minimality::new(level)?);
        Ok(Vicinity { level, solver, minimality, ..Vicinity::default() })
    }

    /// The same, given up as soon as this becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Vicinity {
        Vicinity { minimality: self.minimality.cancel(Arc::clone(&cancel)), cancel, ..self }
    }

    /// The neighbours of a puzzle at that distance, which have exactly one solution, and no redundant clue where they are to be `minimal`: of
    /// isomorphic ones the first, without those that are isomorphic to the puzzle itself; of more than `limit` the first. `None` where it
    /// was cancelled.
    ///
    /// A clue that goes may come back, so that nearer ones are among them: in -2+2 all of -1+1. These come first, then they are in the order
    /// of the cells that lose their clues, then of the clues that come.
    pub fn of(&mut self, puzzle: &Puzzle, distance: Distance, minimal: bool, limit: usize) -> Option<Found> {
        let Vicinity { level, solver, minimality, canonicalizer, bounds, cancel } = self;
        let question =
            Question { answer: Answer::First, cancel: Some(Arc::clone(cancel)), ..Question::unique() };
        let seen = HashSet::from([canonicalizer.canonical(puzzle).form]);
        let mut search = Search {
            level: *level,
            solver,
            minimality,
            canonicalizer,
            question,
            bounds: *bounds,
            cancel,
            minimal,
            limit,
            seen,
            open: Vec::new(),
            found: Found { puzzles: Vec::new(), is_complete: true },
        };
        // Where it breaks off it is at the limit, or cancelled.
        let _ended = search.all(puzzle, distance);
        let found = search.found;
        (!self.cancel.load(Ordering::Relaxed)).then_some(found)
    }
}

/// A clue that may come: its cell and digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    cell: usize,
    digit: u8,
}

/// The search around a puzzle.
struct Search<'v> {
    level: Level,
    solver: &'v mut Auto,
    minimality: &'v mut Minimality,
    canonicalizer: &'v mut Canonicalizer,
    question: Question,
    bounds: Bounds,
    cancel: &'v AtomicBool,
    minimal: bool,
    limit: usize,
    /// The canonical forms of what was found, and of the puzzle itself.
    seen: HashSet<Puzzle>,
    /// What may be a neighbour, in order, and whether it is known to have exactly one solution.
    open: Vec<(Puzzle, bool)>,
    found: Found,
}

impl Search<'_> {
    fn all(&mut self, puzzle: &Puzzle, distance: Distance) -> ControlFlow<()> {
        let clues: Vec<usize> = puzzle.clue_cells().iter().collect();
        for removed in 0..=distance.removed {
            // What comes back instead of going leaves as many fewer to come.
            let back = distance.removed - removed;
            let Some(added) = distance.added.checked_sub(back).filter(|added| removed + added > 0) else {
                continue;
            };
            self.without(puzzle, &clues, Cells::EMPTY, usize::from(removed), usize::from(added))?;
        }
        self.ask()
    }

    /// Goes through the sets of so many of `clues` that go, besides those that are `gone`.
    fn without(
        &mut self,
        puzzle: &Puzzle,
        clues: &[usize],
        gone: Cells,
        removed: usize,
        added: usize,
    ) -> ControlFlow<()> {
        if removed == 0 {
            return self.with(puzzle, gone, added);
        }
        for (at, &cell) in clues.iter().enumerate() {
            let gone = gone.or(Cells::from_iter([cell]));
            self.without(puzzle, &clues[at + 1..], gone, removed - 1, added)?;
        }
        ControlFlow::Continue(())
    }

    /// Takes the clues that are `gone` out and goes through those that come.
    fn with(&mut self, puzzle: &Puzzle, gone: Cells, added: usize) -> ControlFlow<()> {
        self.goes_on()?;
        let base = puzzle.without(gone);
        if added == 0 {
            return self.push(base, false);
        }
        let most = if added == 1 { self.bounds.for_one } else { self.bounds.for_several };
        let mut list: Vec<Solution> = solutions_at(self.level, &base).take(most + 1).collect();
        if list.is_empty() || self.minimal && list.len() == 1 {
            return ControlFlow::Continue(());
        }
        let is_whole = list.len() <= most;
        if !is_whole {
            // Those that come first are alike in the first rows; from the other end others are.
            list.extend(solutions_at(self.level, &turned(&base)).take(most).map(|mut other| {
                other.values_mut().reverse();
                other
            }));
        }
        let mut candidates = candidates_of(&base);
        candidates
            .retain(|candidate| !gone.contains(candidate.cell) || puzzle[candidate.cell] != candidate.digit);
        if !is_whole && added > 1 {
            let (level, with_each) = (self.level, self.bounds.with_each);
            candidates.retain(|candidate| {
                let before = list.len();
                list.extend(solutions_at(level, &filled(&base, *candidate)).take(with_each));
                list.len() > before
            });
        }
        // A solution that is there twice would count twice.
        list.sort_unstable();
        list.dedup();
        let support = Support::new(&candidates, &list);
        let all = support.all(list.len());
        self.sets(&base, &support, is_whole, (0, added), &all)
    }

    /// Goes through the sets of so many candidates from a number on, where `have` are the solutions that have what `base` is filled with.
    fn sets(
        &mut self,
        base: &Puzzle,
        support: &Support,
        is_whole: bool,
        (from, added): (usize, usize),
        have: &[u64],
    ) -> ControlFlow<()> {
        for (at, candidate) in support.candidates.iter().enumerate().skip(from) {
            let solutions = support.of(at);
            let puzzle = filled(base, *candidate);
            if added == 1 {
                match (up_to_two(have, solutions), is_whole) {
                    (1, true) => self.push(puzzle, true)?,
                    (0 | 1, false) => self.push(puzzle, false)?,
                    _ => {}
                }
                continue;
            }
            self.goes_on()?;
            let count = match (up_to_two(have, solutions), is_whole) {
                (2, _) => 2,
                (count, true) => count,
                // What the list tells too little of is found out.
                _ => solutions_at(self.level, &puzzle).take(2).count() as u32,
            };
            // With what leaves one solution already, the next would be redundant.
            if count == 0 || self.minimal && count == 1 {
                continue;
            }
            let both: Vec<u64> = have.iter().zip(solutions).map(|(one, other)| one & other).collect();
            // The next is in a later cell.
            let next = support.candidates[at..].iter().position(|other| other.cell > candidate.cell);
            let Some(next) = next else { break };
            self.sets(&puzzle, support, is_whole, (at + next, added - 1), &both)?;
        }
        ControlFlow::Continue(())
    }

    fn goes_on(&self) -> ControlFlow<()> {
        if self.cancel.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Takes what may be a neighbour.
    fn push(&mut self, puzzle: Puzzle, is_unique: bool) -> ControlFlow<()> {
        self.open.push((puzzle, is_unique));
        if self.open.len() == ASKED { self.ask() } else { ControlFlow::Continue(()) }
    }

    /// Finds out which of the open ones are neighbours.
    fn ask(&mut self) -> ControlFlow<()> {
        let mut open = std::mem::take(&mut self.open);
        let unknown: Vec<Puzzle> =
            open.iter().filter(|(_, is_unique)| !is_unique).map(|(puzzle, _)| *puzzle).collect();
        let mut outcomes = vec![Outcome::ABORTED; unknown.len()];
        self.solver.solve_batch(&unknown, &self.question, &mut outcomes);
        let mut outcomes = outcomes.iter();
        open.retain(|(_, is_unique)| {
            *is_unique || outcomes.next().is_some_and(|outcome| outcome.status == Status::Unique)
        });
        let mut unique: Vec<Puzzle> = open.iter().map(|(puzzle, _)| *puzzle).collect();
        if self.minimal {
            let mut are_minimal = vec![false; unique.len()];
            self.minimality.are_minimal(&unique, &mut are_minimal);
            let mut are_minimal = are_minimal.iter();
            unique.retain(|_| are_minimal.next() == Some(&true));
        }
        open.clear();
        self.open = open;
        for puzzle in unique {
            self.goes_on()?;
            if !self.seen.insert(self.canonicalizer.canonical(&puzzle).form) {
                continue;
            }
            if self.found.puzzles.len() == self.limit {
                self.found.is_complete = false;
                return ControlFlow::Break(());
            }
            self.found.puzzles.push(puzzle);
        }
        ControlFlow::Continue(())
    }
}

/// The digits that may stand in blanks as far as the clues tell, ascending by cell and digit.
fn candidates_of(base: &Puzzle) -> Vec<Candidate> {
    let is_seen = |cell: usize, digit: u8| {
        let (row, column) = (cell / 9, cell % 9);
        let corner = row / 3 * 27 + column / 3 * 3;
        (0..9).any(|at| {
            [row * 9 + at, at * 9 + column, corner + at / 3 * 9 + at % 3]
                .into_iter()
                .any(|peer| base[peer] == digit)
        })
    };
    let all = (0..CELLS).flat_map(|cell| (1..=9).map(move |digit| Candidate { cell, digit }));
    all.filter(|&Candidate { cell, digit }| base[cell] == 0 && !is_seen(cell, digit)).collect()
}

/// The board upside down: its cells from the last to the first.
fn turned(board: &Puzzle) -> Puzzle {
    let mut turned = *board;
    turned.values_mut().reverse();
    turned
}

fn filled(base: &Puzzle, candidate: Candidate) -> Puzzle {
    let mut puzzle = *base;
    puzzle.values_mut()[candidate.cell] = candidate.digit;
    puzzle
}

/// Which solutions of a list have which candidates: a bit for each.
struct Support {
    candidates: Vec<Candidate>,
    /// The words of a candidate.
    words: usize,
    bits: Vec<u64>,
}

impl Support {
    fn new(candidates: &[Candidate], list: &[Solution]) -> Support {
        let words = list.len().div_ceil(64);
        let mut number = [[None; 10]; CELLS];
        for (at, &Candidate { cell, digit }) in candidates.iter().enumerate() {
            number[cell][usize::from(digit)] = Some(at);
        }
        let mut bits = vec![0; candidates.len() * words];
        for (solution, grid) in list.iter().enumerate() {
            for (digits, &digit) in number.iter().zip(grid.values()) {
                if let Some(at) = digits[usize::from(digit)] {
                    bits[at * words + solution / 64] |= 1 << (solution % 64);
                }
            }
        }
        Support { candidates: candidates.to_vec(), words, bits }
    }

    /// The solutions that have a candidate.
    fn of(&self, at: usize) -> &[u64] {
        &self.bits[at * self.words..(at + 1) * self.words]
    }

    /// All solutions of a list of so many.
    fn all(&self, list: usize) -> Vec<u64> {
        let mut all = vec![u64::MAX; self.words];
        if let Some(last) = all.last_mut().filter(|_| !list.is_multiple_of(64)) {
            *last = (1 << (list % 64)) - 1;
        }
        all
    }
}

/// How many are in both, of which more than two count as two.
fn up_to_two(one: &[u64], other: &[u64]) -> u32 {
    let mut count = 0;
    for (one, other) in one.iter().zip(other) {
        count += (one & other).count_ones();
        if count > 1 {
            return 2;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::solver::solve;

    fn distance(text: &str) -> Distance {
        text.parse().unwrap()
    }

    #[test]
    fn distances_are_read_and_others_refused() {
        for (text, removed, added) in [("-0+1", 0, 1), ("{-3+3}", 3, 3), ("-2+0", 2, 0)] {
            assert_eq!(distance(text), Distance { removed, added });
            assert_eq!(distance(&distance(text).to_string()), distance(text));
        }
        for text in [
            "", "-", "-1", "+1", "-1+", "1+1", "-1-1", "-4+1", "-1+10", "{-1+1", "-1+1}", "-0+0", "- 1+1",
            "-1+é",
        ] {
            assert!(text.parse::<Distance>().is_err(), "{text}");
        }
    }

    fn is_unique(puzzle: &Puzzle) -> bool {
        solve(puzzle).status == Status::Unique
    }

    fn is_minimal(puzzle: &Puzzle) -> bool {
        puzzle.clue_cells().iter().all(|cell| !is_unique(&puzzle.without(Cells::from_iter([cell]))))
    }

    /// The parts of a list that have so many members.
    fn parts<T: Copy>(all: &[T], size: usize) -> Vec<Vec<T>> {
        if size == 0 {
            return vec![Vec::new()];
        }
        let with = |at: usize| parts(&all[at + 1..], size - 1).into_iter().map(move |part| (at, part));
        (0..all.len()).flat_map(with).map(|(at, part)| [&[all[at]][..], &part].concat()).collect()
    }

    /// The canonical forms of all neighbours, straight from the definition.
    fn by_definition(
        puzzle: &Puzzle,
        Distance { removed, added }: Distance,
        minimal: bool,
    ) -> HashSet<Puzzle> {
        let mut canonicalizer = Canonicalizer::default();
        let clues: Vec<usize> = puzzle.clue_cells().iter().collect();
        let mut tried = HashSet::new();
        for gone in parts(&clues, usize::from(removed)) {
            let base = puzzle.without(gone.into_iter().collect());
            let blanks: Vec<usize> = Cells::ALL.without(base.clue_cells()).iter().collect();
            for cells in parts(&blanks, usize::from(added)) {
                for code in 0..9_usize.pow(u32::from(added)) {
                    let mut neighbour = base;
                    for (at, &cell) in cells.iter().enumerate() {
                        neighbour.values_mut()[cell] = (code / 9_usize.pow(at as u32) % 9) as u8 + 1;
                    }
                    tried.insert(neighbour);
                }
            }
        }
        let own = canonicalizer.canonical(puzzle).form;
        let found = tried.iter().filter(|&one| one.conflict().is_none() && is_unique(one));
        let found = found.filter(|one| !minimal || is_minimal(one));
        found.map(|one| canonicalizer.canonical(one).form).filter(|form| *form != own).collect()
    }

    #[track_caller]
    fn assert_as_defined(text: &str, distances: &[&str], minimal: &[bool]) {
        let puzzle: Puzzle = text.parse().unwrap();
        for (&asked, &minimal) in
            distances.iter().flat_map(|asked| minimal.iter().map(move |only| (asked, only)))
        {
            let expected = by_definition(&puzzle, distance(asked), minimal);
            let found = Vicinity::default().of(&puzzle, distance(asked), minimal, usize::MAX).unwrap();
            let mut canonicalizer = Canonicalizer::default();
            let forms: HashSet<Puzzle> =
                found.puzzles.iter().map(|one| canonicalizer.canonical(one).form).collect();
            assert_eq!(forms.len(), found.puzzles.len(), "{asked} of {puzzle}: isomorphic ones");
            assert!(forms == expected, "{asked} of {puzzle}: {} and {}", forms.len(), expected.len());
            assert!(found.is_complete);
        }
    }

    /// With one clue less it has few solutions, or many.
    const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const FEW_CLUES: &str =
        "........1.....2.....3....45.....62....5.7.....1.....8.....5....62....8..9..4.....";

    /// The solution of [`EASY`] without so many cells of a fixed order.
    fn with_blanks(count: usize) -> String {
        let solution: Puzzle = solve(&EASY.parse().unwrap()).solution.unwrap().into();
        let mut cells: Vec<usize> = (0..CELLS).collect();
        Random::new(3).shuffle(&mut cells);
        solution.without(cells.into_iter().take(count).collect()).to_string()
    }

    #[test]
    fn several_clues_are_as_defined() {
        // Of full boards nothing is minimal.
        let any = [false];
        assert_as_defined(&with_blanks(4), &["-2+1", "-1+2", "-0+2", "-0+3"], &any);
        assert_as_defined(&with_blanks(30), &["-2+0", "-1+1", "-0+2"], &any);
        // It has several solutions, no solution, or nothing that can go.
        let several = EASY.replacen("53", "..", 1);
        assert_as_defined(&several, &["-0+1", "-0+2"], &any);
        assert_as_defined(&EASY.replacen("53", "51", 1), &["-1+0", "-1+1"], &any);
        assert_as_defined(&".".repeat(81), &["-1+1", "-0+1"], &any);
    }

    #[test]
    fn what_is_listed_changes_nothing() {
        let found = |bounds: Bounds, text: &str, asked: &str, minimal: bool| {
            let mut vicinity = Vicinity { bounds, ..Vicinity::default() };
            vicinity.of(&text.parse().unwrap(), distance(asked), minimal, 500).unwrap()
        };
        for (text, asked, minimal) in
            [(FEW_CLUES, "-1+1", false), (FEW_CLUES, "-1+1", true), (&with_blanks(45), "-1+2", false)]
        {
            let expected = found(BOUNDS, text, asked, minimal);
            for (for_one, for_several, with_each) in [(1, 1, 1), (2, 3, 2), (10_000, 10_000, 1)] {
                let bounds = Bounds { for_one, for_several, with_each };
                assert_eq!(found(bounds, text, asked, minimal), expected, "{asked} of {text}");
            }
        }
    }

    #[test]
    fn the_first_are_told_and_that_there_are_more() {
        let puzzle: Puzzle = EASY.parse().unwrap();
        let of = |limit| Vicinity::default().of(&puzzle, distance("-1+1"), false, limit).unwrap();
        let all = of(usize::MAX);
        for limit in [0, 1, 20, all.puzzles.len() - 1] {
            assert_eq!(of(limit), Found { puzzles: all.puzzles[..limit].to_vec(), is_complete: false });
        }
        assert_eq!(of(all.puzzles.len()), all);
        let baseline =
            Vicinity::new(Level::Baseline).unwrap().of(&puzzle, distance("-1+1"), false, usize::MAX);
        assert_eq!(baseline, Some(all));
        // What is near is far as well, and comes first.
        let further = Vicinity::default().of(&puzzle, distance("-2+1"), false, usize::MAX).unwrap();
        let nearer = Vicinity::default().of(&puzzle, distance("-1+0"), false, usize::MAX).unwrap();
        assert_eq!(further.puzzles[..nearer.puzzles.len()], nearer.puzzles);
    }

    #[test]
    fn what_is_cancelled_is_not_told() {
        let mut vicinity = Vicinity::default().cancel(Arc::new(AtomicBool::new(true)));
        assert_eq!(vicinity.of(&EASY.parse().unwrap(), distance("-1+1"), false, 10), None);
    }

    #[test]
    fn one_clue_for_another_is_as_defined() {
        assert_as_defined(EASY, &["-1+0", "-0+1", "-1+1"], &[false, true]);
        assert_as_defined(FEW_CLUES, &["-1+0", "-1+1"], &[false, true]);
    }
}
