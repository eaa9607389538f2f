//! What locked candidates, pairs and X-wings remove in the middle of a dynamic chain: Dynamic+ (9.0).
//!
//! A pattern that is on the board at the start of the chain was found before. So the pattern rests on candidates that the chain has
//! removed: the other places of its digits, or the other digits of its cells.

use super::super::board::{Board, Digits, UNIT_CELLS, bits};
use super::super::step::Step;
use super::super::{Technique, fish, locking, sets};
use super::links::Candidate;
use crate::puzzle::Cells;

/// Calls a function with each step of a kind of pattern until the function returns a step.
type Finder = fn(&Board, &mut dyn FnMut(Step) -> Option<Step>) -> Option<Step>;

/// The patterns in the order in which they are looked for.
const PATTERNS: [Finder; 4] =
    [locking::each_plain, sets::each_hidden_pair, sets::each_naked_pair, fish::each_x_wing];

/// Candidates that a pattern removes.
pub(super) struct Removal {
    pub(super) removed: Vec<Candidate>,
    /// The candidates that the chain has removed and on which the pattern rests.
    pub(super) basis: Vec<Candidate>,
}

/// Returns what all patterns remove, for the first kind of pattern that removes anything. `left` is what a chain has left of the board
/// `start`.
pub(super) fn removals(start: &Board, left: &Board) -> Vec<Removal> {
    let of_kind = |find: Finder| {
        let mut removals = Vec::new();
        find(left, &mut |step| {
            let basis = basis(start, &step);
            if !basis.is_empty() {
                removals.push(Removal { removed: in_order_of_keys(&step), basis });
            }
            None
        });
        removals
    };
    PATTERNS.into_iter().map(of_kind).find(|removals| !removals.is_empty()).unwrap_or_default()
}

/// Returns the candidates whose removal made the pattern of a step.
fn basis(start: &Board, step: &Step) -> Vec<Candidate> {
    let in_units =
        |units: &[u8]| units.iter().map(|&unit| UNIT_CELLS[usize::from(unit)]).fold(Cells::EMPTY, Cells::or);
    let (cells, digits) = match step.technique {
        Technique::NakedPair => (step.cells, !step.digits),
        Technique::HiddenPair => (in_units(&step.units).without(step.cells), step.digits),
        // Locked candidates and fish: the first half of the units holds the digit.
        _ => {
            let (base, cover) = step.units.split_at(step.units.len() / 2);
            (in_units(base).without(in_units(cover)), step.digits)
        }
    };
    candidates(cells.iter().map(|cell| (cell, start.candidates(cell) & digits)))
}

/// Returns what a step removes in the order in which Sudoku Explainer goes through it: a hash table of 16 places with the cells as keys.
fn in_order_of_keys(step: &Step) -> Vec<Candidate> {
    let mut cells: Vec<(usize, Digits)> =
        step.eliminations.iter().map(|&(cell, digits)| (cell.into(), digits)).collect();
    let places = if cells.len() > 12 { 32 } else { 16 };
    cells.sort_by_key(|(cell, _)| cell % places);
    candidates(cells)
}

fn candidates(cells: impl IntoIterator<Item = (usize, Digits)>) -> Vec<Candidate> {
    let of_cell = |(cell, digits): (usize, Digits)| {
        bits(digits).map(move |digit| Candidate { cell: cell as u8, digit: digit as u8 })
    };
    cells.into_iter().flat_map(of_cell).collect()
}
