//! A step: what a technique found, what follows, and how hard it is.

use super::Technique;
use super::board::{Board, Digits};
use crate::puzzle::Cells;

/// One step on the way to the solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The technique.
    pub technique: Technique,
    /// The rating of Sudoku Explainer, such as 2.6. A sum in floating point, as there; [`tenths`] rounds it.
    pub rating: f64,
    /// The units (positions in boxes 0..9, rows 9..18, columns 18..27) that the step rests on.
    pub units: Vec<u8>,
    /// The cells that the step rests on.
    pub cells: Cells,
    /// The digits that the step rests on.
    pub digits: Digits,
    /// The cell that is filled, and its digit from 1 to 9.
    pub placement: Option<(u8, u8)>,
    /// The candidates that go, for each cell.
    pub eliminations: Vec<(u8, Digits)>,
    /// For chains the nodes in their order: cell, digit from 1 to 9, and whether the cell holds the digit. Empty for other techniques.
    pub chain: Vec<(u8, u8, bool)>,
}

impl Step {
    /// Makes a step that fills a cell and eliminates nothing else.
    pub(crate) fn placing(
        technique: Technique,
        rating: f64,
        unit: Option<usize>,
        cell: usize,
        digit: usize,
    ) -> Step {
        Step {
            technique,
            rating,
            units: unit.into_iter().map(|unit| unit as u8).collect(),
            cells: Cells::of(cell),
            digits: 1 << digit,
            placement: Some((cell as u8, digit as u8 + 1)),
            eliminations: Vec::new(),
            chain: Vec::new(),
        }
    }

    /// Makes a step that takes these digits from these cells. Returns `None` if no cell has any of them.
    pub(crate) fn eliminating(board: &Board, basis: Basis, cells: Cells, digits: Digits) -> Option<Step> {
        let eliminations = board.eliminations(cells, digits);
        (!eliminations.is_empty()).then(|| basis.step(eliminations))
    }

    /// Applies the step: takes the candidates away, then fills the cell.
    pub fn apply(&self, board: &mut Board) {
        self.eliminations.iter().for_each(|&(cell, digits)| board.remove(cell.into(), digits));
        if let Some((cell, digit)) = self.placement {
            board.place(cell.into(), digit as usize - 1);
        }
    }
}

/// What a step that eliminates candidates rests on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basis<'a> {
    pub(crate) technique: Technique,
    pub(crate) rating: f64,
    pub(crate) units: &'a [usize],
    pub(crate) cells: Cells,
    pub(crate) digits: Digits,
}

impl Basis<'_> {
    /// Makes the step with these eliminations.
    pub(crate) fn step(self, eliminations: Vec<(u8, Digits)>) -> Step {
        Step {
            technique: self.technique,
            rating: self.rating,
            units: self.units.iter().map(|&unit| unit as u8).collect(),
            cells: self.cells,
            digits: self.digits,
            placement: None,
            eliminations,
            chain: Vec::new(),
        }
    }
}

/// Returns a rating in tenths, as Sudoku Explainer prints it: 26 for 2.6.
pub fn tenths(rating: f64) -> u8 {
    ((rating + 0.05) * 10.0) as u8
}
