//! Trial and error: assumes candidates and eliminates those that lead to a contradiction.
//!
//! ```text
//! T&E(0):  naked and hidden singles, until there are none
//! T&E(k):  repeat: T&E(0)
//!                  for each candidate of each blank: eliminate it if T&E(k - 1) of the grid with it filled in leads to a contradiction
//!          until a contradiction, a full grid, or a round that eliminates nothing
//! ```
//! An assumption that leads to a solution eliminates nothing and isn't an answer. (Berthier, "Pattern-Based Constraint
//! Satisfaction and Logic Puzzles", 2012.)
//!
//! Eliminated candidates stay eliminated, and more candidates never lead to more contradictions. So the order doesn't
//! matter, and:
//!
//! - T&E(k) eliminates everything that T&E(k - 1) does, so the cheaper one goes first;
//! - T&E(1) eliminates everything that locked candidates and pairs do, so these go first;
//! - if an assumption leads to no contradiction, neither does any other candidate that it fills in;
//! - a candidate of the solution never leads to a contradiction.

use crate::puzzle::CELLS;

use super::candidates::{Candidates, Contradiction, Minirows, cell_of};

/// Why a trial ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// There is no solution.
    Contradiction,
    /// The work was cancelled.
    Cancelled,
}

impl From<Contradiction> for Ended {
    fn from(_: Contradiction) -> Ended {
        Ended::Contradiction
    }
}

impl Candidates {
    /// Applies T&E of a depth. `right`: candidates that are known to lead to no contradiction.
    pub(super) fn follow_trials(
        &mut self,
        depth: u8,
        right: &Minirows,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<(), Ended> {
        self.follow_less(depth, right, is_cancelled)?;
        let mut harmless = self.with_filled(*right);
        let (mut at, mut idle) = (0, 0);
        while idle < MINIROWS {
            let (stack, row) = (at / 9, at % 9);
            let left = self.0[stack][row] & !harmless[stack][row];
            if left == 0 {
                (at, idle) = ((at + 1) % MINIROWS, idle + 1);
                continue;
            }
            // Checks the flag only where assumptions take long.
            if depth > 1 && is_cancelled() {
                return Err(Ended::Cancelled);
            }
            let (cell, digit) = cell_of(stack, row, left.trailing_zeros());
            let mut supposed = *self;
            supposed.fill(cell, 1 << digit);
            // Nothing is known about the candidates that this assumption leads to.
            match supposed.follow_trials_of(depth - 1, is_cancelled) {
                Ok(()) => harmless = supposed.with_filled(harmless),
                Err(Ended::Contradiction) => {
                    self.strike(cell, 1 << digit);
                    self.follow_less(depth, right, is_cancelled)?;
                    harmless = self.with_filled(*right);
                    idle = 0;
                }
                Err(Ended::Cancelled) => return Err(Ended::Cancelled),
            }
        }
        Ok(())
    }

    /// Applies T&E(1) in rounds that eliminate all refuted candidates together. Returns the sum over the rounds of the wrong candidates that
    /// are left after each.
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
            if next == self {
                break;
            }
            self = next;
            resistance += left;
        }
        resistance
    }

    /// Applies T&E of a depth if no right candidates are known.
    fn follow_trials_of(&mut self, depth: u8, is_cancelled: &dyn Fn() -> bool) -> Result<(), Ended> {
        match depth {
            0 => Ok(self.follow_singles()?),
            _ => self.follow_trials(depth, &[[0; 9]; 3], is_cancelled),
        }
    }

    /// Applies everything cheaper than T&E of a depth above 0 that eliminates no more.
    fn follow_less(
        &mut self,
        depth: u8,
        right: &Minirows,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<(), Ended> {
        match depth {
            1 => Ok(self.follow_pairs()?),
            _ => self.follow_trials(depth - 1, right, is_cancelled),
        }
    }
}

/// Number of words of a grid.
const MINIROWS: usize = 27;
