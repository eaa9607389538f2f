//! The candidates that patterns and inner chains remove in the middle of a dynamic chain. The patterns are locked candidates, hidden and
//! naked pairs, and X-wings. Chains with patterns are Dynamic+ chains (rated 9.0 and more). Chains with inner chains are nested chains
//! (9.5 and more; 10.0 and more if the inner chains may also be cell and region chains).
//!
//! If the board at the start of the dynamic chain had a pattern or an inner chain, an easier technique would have found it before. So each
//! pattern or inner chain exists only because the dynamic chain has removed candidates: other places of its digits, or other digits of its
//! cells.

use std::rc::Rc;

use super::super::board::{Board, Digits, UNIT_CELLS, bits, cells_at};
use super::super::changes::Changes;
use super::super::step::Step;
use super::super::{Technique, fish, locking, sets};
use super::inner::{Cause, Inner, InnerStep};
use super::links::Candidate;
use crate::puzzle::{CELLS, Cells};

/// The kinds of deductions that a dynamic chain may use in addition to links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Nothing: the chain has only links.
    Links,
    /// Patterns.
    Patterns,
    /// Patterns, and inner forcing chains and cycles.
    Chains,
    /// Patterns, inner forcing chains and cycles, and inner cell and region chains.
    Multiple,
}

impl Level {
    pub(super) const ALL: [Level; 4] = [Level::Links, Level::Patterns, Level::Chains, Level::Multiple];

    /// Returns the lowest rating of a chain of this level.
    pub(super) fn base(self) -> f64 {
        match self {
            Level::Links => 8.5,
            Level::Patterns => 9.0,
            Level::Chains => 9.5,
            Level::Multiple => 10.0,
        }
    }
}

/// Candidates that a pattern or an inner chain removes.
pub(super) struct Removal {
    pub(super) removed: Vec<Candidate>,
    /// The candidates whose removal by the dynamic chain made the pattern or the inner chain possible.
    pub(super) basis: Vec<Candidate>,
    /// The inner chain; `None` for a pattern.
    pub(super) inner: Option<Rc<Inner>>,
}

/// Finds steps of one kind of pattern, and passes each of them to a function. If the function returns a step, stops and returns this step.
type Finder = fn(&Board, Changes, &mut dyn FnMut(Step) -> Option<Step>) -> Option<Step>;

/// The patterns in the order in which they are looked for.
const PATTERNS: [Finder; 4] = [
    locking::plain,
    |board, changes, found| sets::hidden(board, changes, Technique::HiddenPair, 2, found),
    |board, changes, found| sets::naked(board, changes, Technique::NakedPair, 2, found),
    |board, changes, found| fish::fish(board, changes, Technique::XWing, 2, found),
];

/// Tries the kinds of patterns and inner chains in order. Returns the removals of the first kind that has any. Removals that don't depend
/// on the dynamic chain (with an empty `basis`) are ignored. `start` is the board at the start of the dynamic chain, and `left` is this
/// board without the candidates that the chain has removed. `chains` returns those inner chains on `left` that the given level allows
/// and the next lower level does not.
pub(super) fn removals(
    start: &Board,
    left: &Board,
    level: Level,
    chains: &dyn Fn(Level) -> Rc<[InnerStep]>,
) -> Vec<Removal> {
    // Patterns without a changed cell would have an empty basis, so they are not looked for.
    let changes = Changes::between(start.cells_of_digits(), left);
    let patterns = |find: Finder| {
        let mut removals = Vec::new();
        find(left, changes, &mut |step| {
            let removed = in_order_of_keys(&step.eliminations);
            removals.push(Removal { removed, basis: pattern_basis(start, &step), inner: None });
            None
        });
        removals
    };
    let chains = |of_level: Level| -> Vec<Removal> {
        let removal = |step: &InnerStep| Removal {
            removed: in_order_of_keys(&step.eliminations),
            basis: chain_basis(start, left, &step.causes),
            inner: Some(Rc::clone(&step.inner)),
        };
        if level < of_level { Vec::new() } else { chains(of_level).iter().map(removal).collect() }
    };
    let with_basis = |mut removals: Vec<Removal>| {
        removals.retain(|removal| !removal.basis.is_empty());
        (!removals.is_empty()).then_some(removals)
    };
    PATTERNS
        .into_iter()
        .find_map(|find| with_basis(patterns(find)))
        .or_else(|| with_basis(chains(Level::Chains)))
        .or_else(|| with_basis(chains(Level::Multiple)))
        .unwrap_or_default()
}

/// Returns the candidates whose removal by the dynamic chain made the pattern of a step possible.
fn pattern_basis(start: &Board, step: &Step) -> Vec<Candidate> {
    let in_units =
        |units: &[u8]| units.iter().map(|&unit| UNIT_CELLS[usize::from(unit)]).fold(Cells::EMPTY, Cells::or);
    let (cells, digits) = match step.technique {
        Technique::NakedPair => (step.cells, !step.digits),
        Technique::HiddenPair => (in_units(&step.units).without(step.cells), step.digits),
        // Locked candidates and X-wings: in the units of the first half of `step.units`, the digit has no place outside the units of the
        // second half.
        _ => {
            let (base, cover) = step.units.split_at(step.units.len() / 2);
            (in_units(base).without(in_units(cover)), step.digits)
        }
    };
    candidates(cells.iter().map(|cell| (cell, start.candidates(cell) & digits)))
}

/// Returns the candidates that the dynamic chain has removed from the cells and units on which an inner chain rests.
fn chain_basis(start: &Board, left: &Board, causes: &[Cause]) -> Vec<Candidate> {
    let mut basis = [0; CELLS];
    for &cause in causes {
        match cause {
            Cause::Cell { cell } => basis[cell] |= start.candidates(cell) & !left.candidates(cell),
            Cause::Unit { unit, digit } => {
                let removed = start.places(unit, digit) & !left.places(unit, digit);
                cells_at(unit, removed).iter().for_each(|cell| basis[cell] |= 1 << digit);
            }
        }
    }
    candidates(basis.into_iter().enumerate())
}

/// Returns eliminations in the order in which Sudoku Explainer visits them, which is the order of a hash table with the cells as keys.
fn in_order_of_keys(eliminations: &[(u8, Digits)]) -> Vec<Candidate> {
    let mut cells: Vec<(usize, Digits)> =
        eliminations.iter().map(|&(cell, digits)| (cell.into(), digits)).collect();
    let places = match cells.len() {
        0..=12 => 16,
        13..=24 => 32,
        _ => 64,
    };
    cells.sort_by_key(|(cell, _)| cell % places);
    candidates(cells)
}

fn candidates(cells: impl IntoIterator<Item = (usize, Digits)>) -> Vec<Candidate> {
    let of_cell = |(cell, digits): (usize, Digits)| {
        bits(digits).map(move |digit| Candidate { cell: cell as u8, digit: digit as u8 })
    };
    cells.into_iter().flat_map(of_cell).collect()
}
