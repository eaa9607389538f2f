//! Trial and error: candidates are supposed, and struck out where that leads to a contradiction.
//!
//! ```text
//! T&E(0):  naked and hidden singles, until there is none
//! T&E(k):  repeat: T&E(0)
//!                  for each candidate of each blank: where T&E(k - 1) of the grid with it in its cell leads to a contradiction,
//!                  strike it out
//!          until a contradiction, a full grid, or a round that strikes nothing out
//! ```
//! A supposition that leads to a solution strikes nothing out, and is no answer. (Berthier, "Pattern-Based Constraint Satisfaction and
//! Logic Puzzles", 2012.)
//!
//! What is struck out stays struck out, and more candidates never lead to more contradictions: so the order does not matter, and
//!
//! - what T&E(k - 1) strikes out, T&E(k) strikes out too: the cheaper one goes first;
//! - so do locked candidates and pairs, each of which T&E(1) can do;
//! - where a supposition leads to none, neither does any other candidate that it fills in;
//! - a candidate of the solution never leads to one.

use super::candidates::{Candidates, Contradiction, Minirows, cell_of};

/// Why a trial ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// There is no solution.
    Contradiction,
    /// Somebody gave it up.
    Cancelled,
}

impl From<Contradiction> for Ended {
    fn from(_: Contradiction) -> Ended {
        Ended::Contradiction
    }
}

impl Candidates {
    /// T&E of a depth. `right`: candidates that are known to lead to no contradiction.
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
            // Only where suppositions are long is there reason to look.
            if depth > 1 && is_cancelled() {
                return Err(Ended::Cancelled);
            }
            let (cell, digit) = cell_of(stack, row, left.trailing_zeros());
            let mut supposed = *self;
            supposed.fill(cell, 1 << digit);
            // Of what it leads to nothing is known.
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

    /// The same where nothing is known.
    fn follow_trials_of(&mut self, depth: u8, is_cancelled: &dyn Fn() -> bool) -> Result<(), Ended> {
        match depth {
            0 => Ok(self.follow_singles()?),
            _ => self.follow_trials(depth, &[[0; 9]; 3], is_cancelled),
        }
    }

    /// What is cheaper than T&E of a depth above 0, and strikes out no more.
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

/// The words of a grid.
const MINIROWS: usize = 27;
