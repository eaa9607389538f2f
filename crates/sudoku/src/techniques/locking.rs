//! Locked candidates: pointing and claiming, each also in a direct form that fills a cell.
//!
//! ```text
//! . . 4 | . . .      All places of 4 in the box lie in one column (pointing): 4 is removed from the rest of the column.
//! . . 4 | . . .      All places of 4 in a column lie in one box (claiming): 4 is removed from the rest of the box.
//! . . . | . . .      Direct: another box of the column, or another column of the box, then has only one place left for 4.
//! ```

use super::Technique;
use super::board::{Board, UNIT_CELLS, bits, cells_at, count};
use super::changes::Changes;
use super::step::{Basis, Step};

/// A way in which units of two kinds cross, such as boxes and rows. A unit of the first kind has three parts, one for each unit of the
/// second kind that crosses it: for boxes and rows, the three rows of a box. Units of the first kind that cross the same three units of the
/// second kind are neighbours, such as the three boxes of a band. The parts with the same number in all three neighbours lie in the same
/// unit of the second kind.
struct Crossing {
    /// The first of the nine units of the first kind.
    first: usize,
    /// For each set of positions, the part that contains all of them; see [`parts`].
    parts: &'static [u8; 512],
    /// The positions of the first part in a unit, one bit each. Each later part is shifted by `shift` from the part before it.
    positions: u16,
    shift: usize,
    /// Given a unit of the first kind, counted from 0, and a part: returns the unit of the second kind that crosses the unit in this part.
    second: fn(usize, usize) -> usize,
    /// Given a unit of the first kind, counted from 0: returns this unit and its two neighbours, ascending.
    neighbours: fn(usize) -> [usize; 3],
    is_pointing: bool,
}

/// The result of [`parts`] if each part is three consecutive positions.
static ROW_PARTS: [u8; 512] = parts(0o7, 3);
/// The result of [`parts`] if each part is a column of a box.
static COLUMN_PARTS: [u8; 512] = parts(0o111, 1);

/// Value for a set of positions that no single part contains, or that has fewer than two positions.
const NO_PART: u8 = 3;

/// Returns, for each set of positions, the part that contains all of them, or [`NO_PART`].
const fn parts(positions: u16, shift: usize) -> [u8; 512] {
    let mut parts = [NO_PART; 512];
    let mut set: u16 = 0;
    while set < 512 {
        let mut part = 0;
        while part < 3 {
            if set.count_ones() >= 2 && set & !(positions << (shift * part)) == 0 {
                parts[set as usize] = part as u8;
            }
            part += 1;
        }
        set += 1;
    }
    parts
}

const fn in_a_row(unit: usize) -> [usize; 3] {
    let first = unit / 3 * 3;
    [first, first + 1, first + 2]
}

const fn in_a_column(unit: usize) -> [usize; 3] {
    let first = unit % 3;
    [first, first + 3, first + 6]
}

/// The crossings in the order in which they are searched: boxes and columns, boxes and rows, columns and boxes, rows and boxes.
static CROSSINGS: [Crossing; 4] = [
    Crossing {
        first: 0,
        parts: &COLUMN_PARTS,
        positions: 0o111,
        shift: 1,
        second: |of_box, part| 18 + of_box % 3 * 3 + part,
        neighbours: in_a_column,
        is_pointing: true,
    },
    Crossing {
        first: 0,
        parts: &ROW_PARTS,
        positions: 0o7,
        shift: 3,
        second: |of_box, part| 9 + of_box / 3 * 3 + part,
        neighbours: in_a_row,
        is_pointing: true,
    },
    Crossing {
        first: 18,
        parts: &ROW_PARTS,
        positions: 0o7,
        shift: 3,
        second: |column, part| part * 3 + column / 3,
        neighbours: in_a_row,
        is_pointing: false,
    },
    Crossing {
        first: 9,
        parts: &ROW_PARTS,
        positions: 0o7,
        shift: 3,
        second: |row, part| row / 3 * 3 + part,
        neighbours: in_a_row,
        is_pointing: false,
    },
];

/// A digit that is locked in the part where two units cross.
struct Locked {
    crossing: &'static Crossing,
    digit: usize,
    /// The unit of the first kind, counted from 0.
    unit: usize,
    part: usize,
    /// The positions of the part's cells in the unit of the first kind. The other cells of the unit of the second kind have the same
    /// positions in the neighbours: see [`Locked::neighbours`].
    positions: u16,
}

impl Locked {
    fn units(&self) -> [usize; 2] {
        [self.crossing.first + self.unit, (self.crossing.second)(self.unit, self.part)]
    }

    /// Returns the places of the digit in [`Locked::unit`].
    fn cells(&self, board: &Board) -> crate::puzzle::Cells {
        let [unit, _] = self.units();
        cells_at(unit, board.places(unit, self.digit))
    }

    /// Returns the two neighbours of [`Locked::unit`], as numbers among all 27 units.
    fn neighbours(&self) -> impl Iterator<Item = usize> {
        let others = (self.crossing.neighbours)(self.unit).into_iter().filter(|&other| other != self.unit);
        others.map(|other| self.crossing.first + other)
    }
}

/// Calls `follow` with each changed digit in each part in which the digit is locked, until `follow` returns a step.
fn find(board: &Board, changes: Changes, mut follow: impl FnMut(&Locked) -> Option<Step>) -> Option<Step> {
    for crossing in &CROSSINGS {
        for digit in bits(changes.digits) {
            for unit in 0..9 {
                let part = crossing.parts[board.places(crossing.first + unit, digit) as usize];
                if part == NO_PART {
                    continue;
                }
                let part = usize::from(part);
                let positions = crossing.positions << (crossing.shift * part);
                let step = follow(&Locked { crossing, digit, unit, part, positions });
                if step.is_some() {
                    return step;
                }
            }
        }
    }
    None
}

/// Finds direct pointing or direct claiming: a digit is locked in a part of a unit, so it has only one place left in a neighbour of this
/// unit.
pub(super) fn direct(board: &Board, changes: Changes) -> Option<Step> {
    find(board, changes, |locked| {
        let (neighbour, left) = locked.neighbours().find_map(|neighbour| {
            let places = board.places(neighbour, locked.digit);
            let left = places & !locked.positions;
            (count(left) == 1 && left != places).then_some((neighbour, left))
        })?;
        let technique = match locked.crossing.is_pointing {
            true => Technique::DirectPointing,
            false => Technique::DirectClaiming,
        };
        let cell = cells_at(neighbour, left).iter().next()?;
        let [first, second] = locked.units();
        Some(Step {
            units: vec![first as u8, second as u8],
            cells: locked.cells(board),
            ..Step::placing(technique, None, cell, locked.digit)
        })
    })
}

/// Finds pointing, which removes a locked digit from the rest of the row or column, or claiming, which removes it from the rest of the box.
/// `found` is called with each step until `found` returns a step.
pub(super) fn plain(
    board: &Board,
    changes: Changes,
    found: &mut dyn FnMut(Step) -> Option<Step>,
) -> Option<Step> {
    find(board, changes, |locked| {
        let mut neighbours = locked.neighbours();
        if !neighbours.any(|neighbour| board.places(neighbour, locked.digit) & locked.positions != 0) {
            return None;
        }
        let technique = if locked.crossing.is_pointing { Technique::Pointing } else { Technique::Claiming };
        let units = locked.units();
        let cells = locked.cells(board);
        let digits = 1 << locked.digit;
        let basis = Basis { technique, units: &units, cells, digits };
        let cells = UNIT_CELLS[units[1]].without(UNIT_CELLS[units[0]]);
        Step::eliminating(board, basis, cells, digits).and_then(&mut *found)
    })
}
