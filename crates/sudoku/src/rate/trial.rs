//! Trial and error: assumes candidates and eliminates those that lead to a contradiction.
//!
//! ```text
//! T&E(0):  naked and hidden singles, until there are none
//! T&E(k):  repeat: T&E(0)
//!                  for each candidate of each blank: fill it in; if T&E(k - 1) then leads to a contradiction, eliminate it
//!          until a contradiction, a full grid, or a round that eliminates nothing
//! ```
//! If an assumption leads to a solution, nothing is eliminated, and the puzzle does not count as solved. (Berthier, "Pattern-Based
//! Constraint Satisfaction and Logic Puzzles", 2012.)
//!
//! Eliminated candidates stay eliminated, and more candidates never lead to more contradictions. So the order of the trials doesn't matter,
//! and:
//!
//! - T&E(2) eliminates everything that T&E(1) eliminates, so the cheaper T&E(1) is applied first;
//! - T&E(1) eliminates everything that locked candidates and pairs eliminate, so locked candidates and pairs are applied first;
//! - if an assumption leads to no contradiction and fills in other candidates, assuming one of these candidates leads to no contradiction
//!   either;
//! - if all candidates that are left after an assumption are still there after later eliminations, the assumption would lead to the same
//!   grid again, so it isn't tried again;
//! - a candidate of the solution never leads to a contradiction.

use crate::puzzle::CELLS;
use crate::puzzle::minirows::{Candidate, Minirows};

use super::Cancelled;
use super::candidates::{Candidates, Contradiction, RULES};
use super::lanes::{LANES, Lanes};

/// The harmless candidates of a grid: candidates that are known to lead to no contradiction.
pub(super) struct Harmless {
    /// The candidates that stay harmless, whatever else is eliminated: those of the solution, if it is known.
    right: Minirows,
    /// The grids to which assumptions have led without a contradiction.
    grids: Vec<Candidates>,
    all: Minirows,
}

impl Harmless {
    /// Makes the harmless candidates of a grid in which no assumption has been tried.
    pub(super) fn new(right: &Minirows) -> Harmless {
        Harmless { right: *right, grids: Vec::new(), all: *right }
    }

    /// Adds the grid to which an assumption led without a contradiction.
    fn add(&mut self, grid: Candidates) {
        self.all = grid.with_filled(self.all);
        self.grids.push(grid);
    }

    /// Updates the harmless candidates; call this after eliminations, with the new `grid`. If a stored grid has a candidate that `grid` no
    /// longer has, the assumption that led to the stored grid may now lead to a different grid, so the stored grid is removed.
    fn keep_within(&mut self, grid: &Candidates) {
        self.grids.retain(|led_to| led_to.is_within(grid));
        let all = grid.with_filled(self.right);
        self.all = self.grids.iter().fold(all, |all, led_to| led_to.with_filled(all));
    }
}

impl Candidates {
    /// Applies T&E(1). `harmless` are the harmless candidates of this grid, or of this grid before some candidates were eliminated.
    pub(super) fn follow_trials(&mut self, harmless: &mut Harmless) -> Result<(), Contradiction> {
        self.follow_singles()?;
        harmless.keep_within(self);
        loop {
            let mut lanes = Lanes::new(self);
            let mut candidates = [Candidate::default(); LANES];
            let mut count = 0;
            for candidate in self.doubtful(&harmless.all).take(LANES) {
                lanes.assume(candidate);
                candidates[count] = candidate;
                count += 1;
            }
            if count == 0 {
                return Ok(());
            }
            let refuted = lanes.follow_singles();
            let is_refuted = |lane: usize| refuted >> lane & 1 == 1;
            for lane in (0..count).filter(|&lane| !is_refuted(lane)) {
                harmless.add(lanes.grid(lane));
            }
            let mut has_refuted = false;
            for lane in (0..count).filter(|&lane| is_refuted(lane)) {
                let Candidate { stack, row, bit } = candidates[lane];
                self.0[stack][row] &= !(1 << bit);
                has_refuted = true;
            }
            if has_refuted {
                self.follow_singles()?;
                harmless.keep_within(self);
            }
        }
    }

    /// Applies T&E(2); ends early at a contradiction. `right` are candidates that are known to lead to no contradiction, such as the
    /// candidates of the solution. `harmless` are the candidates of this grid that are known to lead to no contradiction in T&E(1).
    pub(super) fn follow_nested_trials(
        &mut self,
        right: &Minirows,
        harmless: &mut Harmless,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<(), Cancelled> {
        if self.follow_trials(harmless).is_err() {
            return Ok(());
        }
        let mut tried = Harmless::new(right);
        tried.keep_within(self);
        loop {
            let next = self.doubtful(&tried.all).next();
            let Some(candidate) = next else { return Ok(()) };
            let Candidate { stack, row, bit } = candidate;
            if is_cancelled() {
                return Err(Cancelled);
            }
            let mut supposed = *self;
            supposed.0[stack][row] &= !candidate.others();
            // Normally the candidates of the solution are harmless. But `supposed` assumes `candidate`. If `candidate` is wrong, even the
            // candidates of the solution can lead to a contradiction. So no candidate is known to be harmless here.
            match supposed.follow_trials(&mut Harmless::new(&[[0; 9]; 3])) {
                Ok(()) => tried.add(supposed),
                Err(Contradiction) => {
                    self.0[stack][row] &= !(1 << bit);
                    if self.follow_trials(harmless).is_err() {
                        return Ok(());
                    }
                    tried.keep_within(self);
                }
            }
        }
    }

    /// Returns the candidates that aren't known to be harmless. The candidates of cells with two candidates come first, because the cell is
    /// filled if one of its candidates is eliminated.
    fn doubtful(&self, harmless: &Minirows) -> impl Iterator<Item = Candidate> {
        [true, false].into_iter().flat_map(move |is_of_two| {
            (0..27).flat_map(move |at| {
                let (stack, row) = (at / 9, at % 9);
                let word = self.0[stack][row];
                let of_two = RULES.cells_with_two(word);
                let mut left = word & !harmless[stack][row] & if is_of_two { of_two } else { !of_two };
                std::iter::from_fn(move || {
                    let bit = left.trailing_zeros();
                    left &= left.wrapping_sub(1);
                    (bit < u32::BITS).then_some(Candidate { stack, row, bit })
                })
            })
        })
    }

    /// Applies T&E(1) in rounds that eliminate all refuted candidates together; before each round, singles, locked candidates and pairs are
    /// applied. The last round is one after which the grid is filled, or one that eliminates nothing. Returns the number of wrong
    /// candidates that are left after each round, summed over all rounds.
    pub(super) fn resistance(mut self, right: &Minirows) -> u32 {
        let right = Candidates(*right);
        let mut resistance = 0;
        while self.follow_pairs().is_ok() && !self.is_full() {
            let mut next = self;
            let mut left = 0;
            for cell in 0..CELLS {
                let wrong = self.digits_of(cell) & !right.digits_of(cell);
                for digit in (0..9).map(|digit| 1 << digit).filter(|digit| wrong & digit != 0) {
                    let mut supposed = self;
                    supposed.fill(cell, digit);
                    match supposed.follow_singles() {
                        Ok(()) => left += 1,
                        Err(Contradiction) => {
                            next.strike(cell, digit);
                        }
                    }
                }
            }
            resistance += left;
            if next == self {
                break;
            }
            self = next;
        }
        resistance
    }
}
