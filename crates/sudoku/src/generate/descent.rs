//! Removes groups of clues from puzzles: tries the groups in order, and removes a group if there is still only one solution and enough
//! clues are left. Many puzzles are processed together.
//!
//! ```text
//!   the groups of a puzzle, in order       g1 g2 g3 g4 g5 g6 g7 g8 ...
//!   groups that are decided                -  -  +  |                       - removed, + stays
//!   the next groups, tried together                 |  -  +  -  -  |        + stays because of a known unavoidable set
//!   one search: is there another solution?
//!     no                                   all these removals are final: continue with the groups after them
//!     yes                                  the two solutions differ in an unavoidable set, and all groups with clues in this set were
//!                                          removed. So the last of these groups must stay: try the groups after it again
//! ```
//! The result is the same as trying one group after the other. All removed groups can be removed together, so each of them could also be
//! removed when its turn came. A group has to stay if, when its turn came, it had the last clues of an unavoidable set.
//!
//! So one search decides several groups that can be removed, or one group that must stay. Many more groups are decided by unavoidable sets
//! that are found in the grid without a search.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Made;
use crate::puzzle::{CELLS, Cells, Puzzle, Solution};
use crate::random::Random;
use crate::simd::{Level, LevelError, prefetch};
use crate::solver::{Auto, Known, OtherSearches, Outcome, Question, Status};
use crate::unavoidable::{MOST_SMALL_SETS, small_sets};

/// A set of clues, with one bit for each clue: first the clues of the groups, in the order of the groups, then the clues that always stay.
type Clues = u128;

/// Returns the bits below this bit.
#[inline]
fn below(bit: u8) -> Clues {
    // `bit` is at most 81, so the shift does not overflow.
    (1 << bit) - 1
}

#[derive(Clone, Debug)]
pub(super) struct Descent {
    /// The caller's number for the puzzle.
    pub(super) number: u64,
    pub(super) solution: Solution,
    /// The puzzle without the groups whose removal is final. It still has the groups that are only removed in the current trial, `tried`.
    pub(super) puzzle: Puzzle,
    clues: Clues,
    least_clues: u32,
    groups: usize,
    /// The first bit of each group. The entry after the last group is the first bit of the clues that always stay.
    begin: [u8; CELLS + 1],
    /// For each bit, its cell and its group.
    cell_of: [u8; CELLS],
    group_of: [u8; CELLS],
    /// `sets` are the unavoidable sets that are found in the grid without a search, ordered by their last group. For each group,
    /// `first_set` is the index of the first set whose last group is this group.
    sets: Box<[Clues; MOST_SMALL_SETS]>,
    first_set: [u16; CELLS + 1],
    /// `found` are the unavoidable sets that searches found; `ends_found` are their last groups, one bit each.
    found: Vec<Clues>,
    ends_found: u128,
    tried: Tried,
}

/// A trial of the next few groups. Groups that must stay are not removed: groups that a known unavoidable set needs, and groups without
/// which too few clues would be left. `clues` are the clues that are left after the other groups are removed.
#[derive(Clone, Copy, Debug)]
struct Tried {
    clues: Clues,
    /// Index of the group after the last group of the trial.
    end: usize,
}

impl Descent {
    fn new() -> Descent {
        Descent {
            number: 0,
            solution: Solution::ONES,
            puzzle: Puzzle::EMPTY,
            clues: 0,
            least_clues: 0,
            groups: 0,
            begin: [0; CELLS + 1],
            cell_of: [0; CELLS],
            group_of: [0; CELLS],
            sets: Box::new([0; MOST_SMALL_SETS]),
            first_set: [0; CELLS + 1],
            found: Vec::new(),
            ends_found: 0,
            tried: Tried { clues: 0, end: 0 },
        }
    }

    /// Prepares for a new puzzle. `solution` is its only solution, and at least `least_clues` clues stay.
    pub(super) fn start(
        &mut self,
        number: u64,
        (puzzle, solution): (Puzzle, &Solution),
        groups: impl Iterator<Item = Cells>,
        least_clues: usize,
    ) {
        self.number = number;
        self.solution = *solution;
        self.puzzle = puzzle;
        self.least_clues = least_clues.min(CELLS) as u32;
        self.groups = 0;
        let (mut left, mut bits) = (puzzle.clue_cells(), 0);
        // For each cell, its clue as a bit; 0 for a blank.
        let mut masks = [0; CELLS];
        let mut give_bits = |cells: Cells, group: usize| {
            for cell in cells.iter() {
                (self.cell_of[bits], self.group_of[bits]) = (cell as u8, group as u8);
                masks[cell] = 1 << bits;
                bits += 1;
            }
            bits as u8
        };
        for cells in groups {
            let cells = cells.and(left);
            if !cells.is_empty() {
                left = left.without(cells);
                self.begin[self.groups + 1] = give_bits(cells, self.groups);
                self.groups += 1;
            }
        }
        give_bits(left, self.groups);
        self.clues = below(bits as u8);
        self.tried = Tried { clues: self.clues, end: 0 };
        self.found.clear();
        self.ends_found = 0;
        self.note_small_sets(&masks);
    }

    /// Stores the small unavoidable sets of the grid, ordered by their last groups.
    fn note_small_sets(&mut self, masks: &[Clues; CELLS]) {
        let mut sets = [0; MOST_SMALL_SETS];
        let sets = small_sets(&self.solution, masks, &mut sets);
        let mut counts = [0; CELLS + 1];
        let mut last_of = [0; MOST_SMALL_SETS];
        for (&set, last) in sets.iter().zip(&mut last_of) {
            *last = self.last_group(set);
            counts[usize::from(*last)] += 1;
        }
        let mut first = 0;
        for (first_set, count) in self.first_set.iter_mut().zip(counts) {
            *first_set = first;
            first += count;
        }
        let mut next = self.first_set;
        for (&set, last) in sets.iter().zip(last_of) {
            let to = &mut next[usize::from(last)];
            self.sets[usize::from(*to)] = set;
            *to += 1;
        }
    }

    /// Returns the last group of a set, or the number of groups if the set has a clue that always stays.
    fn last_group(&self, set: Clues) -> u8 {
        self.group_of[127 - (set | 1).leading_zeros() as usize]
    }

    /// Returns whether a group must stay: without it, some known unavoidable set would have no clue left. `others` are the clues that would
    /// be left. Only looks at sets whose last group is this group: the other sets are not affected, or have a clue in a later group.
    #[inline]
    fn is_needed(&self, group: usize, others: Clues) -> bool {
        let of_grid = usize::from(self.first_set[group])..usize::from(self.first_set[group + 1]);
        self.sets[of_grid].iter().any(|set| set & others == 0)
            || self.ends_found >> group & 1 == 1 && self.found.iter().any(|set| set & others == 0)
    }

    /// Removes the next groups that no known unavoidable set needs, until enough clues are removed for a search. At least `least_clues`
    /// clues stay. Returns whether any clue was removed.
    fn try_next(&mut self) -> bool {
        let Tried { mut clues, mut end } = self.tried;
        let whole = self.clues.count_ones();
        let mut left = clues.count_ones();
        let least = whole - at_once(whole);
        while end < self.groups && left > least {
            let (from, to) = (self.begin[end], self.begin[end + 1]);
            let others = clues & !(below(to - from) << from);
            let fewer = u32::from(to - from);
            if left >= self.least_clues + fewer && !self.is_needed(end, others) {
                clues = others;
                left -= fewer;
            }
            end += 1;
        }
        self.tried = Tried { clues, end };
        left < whole
    }

    /// Writes the search of the current trial: the puzzle without the clues whose removal is tried, and the known solution, from which
    /// another solution must differ. If a single clue is removed, only the digit of this clue is known, because the search then ends
    /// sooner.
    fn write_search(&self, (puzzle, known): (&mut Puzzle, &mut Known)) {
        *puzzle = self.puzzle;
        let out = self.clues & !self.tried.clues;
        let mut left = out;
        while left != 0 {
            let cell = self.cell_of[left.trailing_zeros() as usize];
            puzzle.values_mut()[usize::from(cell)] = 0;
            left &= left - 1;
        }
        *known = if out.count_ones() == 1 {
            let cell = self.cell_of[out.trailing_zeros() as usize];
            Known::Digit { cell, digit: self.solution[usize::from(cell)] }
        } else {
            Known::Solution(self.solution)
        };
    }

    /// Processes the result of the search in the tried puzzle.
    fn take(&mut self, tried: &Puzzle, outcome: &Outcome) {
        if outcome.status != Status::Solved {
            self.puzzle = *tried;
            self.clues = self.tried.clues;
            return;
        }
        let mut out = self.clues & !self.tried.clues;
        let mut set = out;
        // If a single clue was removed, the puzzle needs this clue, and the clue is not tried again. So the set is not stored, and the
        // other solution is not needed.
        if let Some(other) = outcome.solution.filter(|_| out.count_ones() > 1) {
            while out != 0 {
                let cell = usize::from(self.cell_of[out.trailing_zeros() as usize]);
                // The set keeps only the removed clues that differ between the two solutions. All other clues are equal in both.
                if other[cell] == self.solution[cell] {
                    set &= !(out & out.wrapping_neg());
                }
                out &= out - 1;
            }
            self.found.push(set);
            self.ends_found |= 1 << self.last_group(set);
        }
        let last = self.last_group(set);
        // The set's other groups come before its last group and remain removed, so the puzzle needs the last group. The groups after it
        // are tried again.
        let before = below(self.begin[usize::from(last)]);
        self.tried =
            Tried { clues: self.tried.clues & before | self.clues & !before, end: usize::from(last) + 1 };
    }
}

/// Returns the number of clues to remove before the next search, given the number of remaining clues. At first, many clues are removed,
/// because the first clues can almost always be removed; at the end, only one clue. If several groups of clues were removed and the search
/// finds another solution, only one of the groups is known to be needed, and the other groups need another search. A search after
/// removing several groups also takes longer.
fn at_once(clues: u32) -> u32 {
    match clues {
        60.. => 36,
        44..60 => 4,
        38..44 => 2,
        _ => 1,
    }
}

/// Returns all cells in a random order, each as a group of its own.
pub(super) fn cells_one_by_one(random: &mut Random) -> impl Iterator<Item = Cells> {
    let mut order: [usize; CELLS] = std::array::from_fn(|cell| cell);
    random.shuffle(&mut order);
    order.into_iter().map(Cells::one)
}

/// Largest number of puzzles in progress. It is large enough that the lanes of the solver always have work, until the last puzzles.
const DESCENTS: usize = 2_048;

/// Number of places by which the prefetched puzzle is ahead of the current one.
const AHEAD: usize = 4;

#[derive(Debug, Default)]
pub(super) struct Descents {
    pub(super) solver: Auto,
    pub(super) cancel: Option<Arc<AtomicBool>>,
    /// The puzzles in progress, and finished ones whose memory is reused. Each puzzle has the slot of `searches` with the same index.
    descents: Vec<Descent>,
    searches: OtherSearches,
}

impl Descents {
    pub(super) fn new(level: Level) -> Result<Descents, LevelError> {
        Ok(Descents { solver: Auto::new(level)?, ..Descents::default() })
    }

    /// Makes the puzzles with these numbers and appends them. `start` is passed to [`Descents::run`], and must start the puzzles that have
    /// these numbers. If the work was cancelled, appends nothing and returns false.
    pub(super) fn make(
        &mut self,
        numbers: Range<u64>,
        start: impl FnMut(&mut Descent) -> bool,
        made: &mut Vec<Made>,
    ) -> bool {
        let before = made.len();
        made.resize(before + numbers.clone().count(), Made::NOTHING);
        let is_whole = self.run(start, |descent| {
            let Descent { number, puzzle, solution, .. } = *descent;
            made[before + (number - numbers.start) as usize] = Made { puzzle, solution, weight: None };
        });
        if !is_whole {
            made.truncate(before);
        }
        is_whole
    }

    /// Processes puzzles. `start` prepares a descent for the next puzzle, and returns false if there are no more puzzles. `end` is called
    /// with each result. Returns false if the work was cancelled.
    pub(super) fn run(
        &mut self,
        mut start: impl FnMut(&mut Descent) -> bool,
        mut end: impl FnMut(&Descent),
    ) -> bool {
        let Descents { solver, cancel, descents, searches } = self;
        let question = Question { cancel: cancel.clone(), ..Question::first() };
        searches.clear();
        let mut more = true;
        // Prepares the next search of a descent. If the descent is at its end, the next puzzle takes its place. Returns false if there is
        // no next puzzle.
        let mut next = |descent: &mut Descent, mut has_puzzle: bool| loop {
            if has_puzzle && descent.try_next() {
                return true;
            }
            if has_puzzle {
                end(descent);
            }
            more = more && start(descent);
            if !more {
                return false;
            }
            has_puzzle = true;
        };
        for slot in 0..DESCENTS {
            if slot == descents.len() {
                descents.push(Descent::new());
            }
            if !next(&mut descents[slot], false) {
                break;
            }
            descents[slot].write_search(searches.begin(slot));
        }
        while !searches.is_empty() {
            solver.go_on(searches, &question);
            if cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return false;
            }
            let ended = searches.take_ended();
            for (at, &slot) in ended.iter().enumerate() {
                if let Some(&ahead) = ended.get(at + AHEAD) {
                    prefetch(&descents[ahead as usize]);
                }
                let slot = slot as usize;
                let descent = &mut descents[slot];
                let (puzzle, outcome) = searches.result(slot);
                descent.take(puzzle, outcome);
                if next(descent, true) {
                    descent.write_search(searches.begin(slot));
                }
            }
        }
        true
    }
}
