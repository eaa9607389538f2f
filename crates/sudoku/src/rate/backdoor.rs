//! The size of a puzzle's smallest backdoor. A backdoor is a set of blanks: if these blanks are filled correctly, singles solve the rest of
//! the puzzle.
//!
//! ```text
//! reached(cells) = all cells that are filled after filling `cells` and all following singles
//! size 0:  reached() has all cells
//! size 1:  reached(a) has all cells, for some blank a
//! size 2:  reached(a, b) has all cells, for some blanks a and b
//! ```
//! If more cells are filled, singles fill at least the same cells. So if `b` is in `reached(a)`, then `reached(a, c)` contains `reached(b,
//! c)` for any cell `c`. Therefore pairs with `b` are not tried. If two blanks reach each other, only pairs with the first of them are
//! tried.

use super::Cancelled;
use super::candidates::Candidates;
use crate::puzzle::{CELLS, Cells};

/// A blank, and the board after this blank and then all singles are filled: the board's filled cells and its candidates.
struct Reached {
    cell: usize,
    cells: Cells,
    candidates: Candidates,
}

/// Returns the size of the smallest backdoor, or 3 if it is larger than 2. In `candidates`, all singles must be filled already.
pub(super) fn smallest(
    candidates: &Candidates,
    solution: &Candidates,
    is_cancelled: impl Fn() -> bool,
) -> Result<u8, Cancelled> {
    if candidates.is_full() {
        return Ok(0);
    }
    let filled = candidates.filled_cells();
    let fill = |candidates: &Candidates, cell: usize| {
        let mut candidates = *candidates;
        candidates.fill(cell, solution.digits_of(cell));
        // Correct digits never lead to a contradiction.
        let _ = candidates.follow_singles();
        candidates
    };
    let mut blanks = Vec::with_capacity(CELLS);
    for cell in (0..CELLS).filter(|&cell| !filled.contains(cell)) {
        let candidates = fill(candidates, cell);
        if candidates.is_full() {
            return Ok(1);
        }
        blanks.push(Reached { cell, cells: candidates.filled_cells(), candidates });
    }
    let leads_on = |blank: &&Reached| {
        let reaches = |other: &Reached| {
            let is_mutual = blank.cells.contains(other.cell);
            other.cells.contains(blank.cell) && if is_mutual { other.cell < blank.cell } else { true }
        };
        !blanks.iter().any(reaches)
    };
    let leading: Vec<&Reached> = blanks.iter().filter(leads_on).collect();
    for (number, first) in leading.iter().enumerate() {
        if is_cancelled() {
            return Err(Cancelled);
        }
        for second in &leading[number + 1..] {
            if fill(&first.candidates, second.cell).is_full() {
                return Ok(2);
            }
        }
    }
    Ok(3)
}
