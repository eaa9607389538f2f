//! Chains inside of dynamic chains.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::super::board::{Board, Digits};
use crate::puzzle::CELLS;

/// The reason why a candidate is on: all other candidates of the cell are off, or all other places of the digit in the unit are off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Cell { cell: usize },
    Unit { unit: usize, digit: usize },
}

/// A chain inside of a dynamic chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Inner {
    /// The nodes: cell, digit from 1 to 9, and whether it is on.
    pub(super) nodes: Vec<(u8, u8, bool)>,
    pub(super) complexity: usize,
}

/// An inner chain, the candidates that it removes, and the causes on which it rests.
pub(super) struct InnerStep {
    pub(super) inner: Rc<Inner>,
    pub(super) eliminations: Vec<(u8, Digits)>,
    pub(super) causes: Vec<Cause>,
}

/// A cache of inner chains. The key is the set of candidates that a dynamic chain has not removed. Many dynamic chains leave the same
/// candidates: chains from candidates that imply each other, the same chain at a higher level (see `nested.rs`), and chains at later steps
/// of a puzzle.
#[derive(Default)]
pub(in super::super) struct InnerChainCache {
    /// Forcing chains and cycles, which have one start.
    pub(super) single: ChainsByBoard,
    /// Cell and region chains, which have several starts.
    pub(super) multiple: ChainsByBoard,
}

#[derive(Default)]
pub(super) struct ChainsByBoard(RefCell<HashMap<[Digits; CELLS], Rc<[InnerStep]>>>);

/// Maximum number of boards that are kept for each kind of chains, to limit the memory (see docs/notes/rating.md). When this number is
/// reached, all boards of the kind are removed.
const MOST_BOARDS: usize = 8_000;

impl ChainsByBoard {
    /// Returns the chains of a board from the cache. If the cache lacks the board, calls `find` and stores its result.
    pub(super) fn chains(&self, board: &Board, find: impl FnOnce() -> Vec<InnerStep>) -> Rc<[InnerStep]> {
        let candidates = std::array::from_fn(|cell| board.candidates(cell));
        if let Some(steps) = self.0.borrow().get(&candidates) {
            return Rc::clone(steps);
        }
        // If several chains remove the same candidates, only the first is kept.
        let mut different: Vec<InnerStep> = Vec::new();
        for step in find() {
            if different.iter().all(|other| other.eliminations != step.eliminations) {
                different.push(step);
            }
        }
        let steps: Rc<[InnerStep]> = different.into();
        let mut boards = self.0.borrow_mut();
        if boards.len() == MOST_BOARDS {
            boards.clear();
        }
        boards.insert(candidates, Rc::clone(&steps));
        steps
    }
}
