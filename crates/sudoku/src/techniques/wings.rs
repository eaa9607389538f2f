//! XY-wing and XYZ-wing: a pivot cell, and two cells that the pivot sees and that have two candidates each (the wings).
//!
//! ```text
//! XY    pivot x y     wings x z, y z    whatever the pivot is, a wing is z
//! XYZ   pivot x y z   wings x z, y z    the pivot or a wing is z
//! ```

use super::Technique;
use super::board::{Board, PEERS, count};
use super::changes::Changes;
use super::step::{Basis, Step};
use crate::puzzle::Cells;

/// Finds an XYZ-wing if `has_z` is true (the pivot has the candidate z), and an XY-wing if not.
pub(super) fn wing(board: &Board, changes: Changes, has_z: bool) -> Option<Step> {
    let (technique, size) = if has_z { (Technique::XyzWing, 3) } else { (Technique::XyWing, 2) };
    let bivalue = board.cells_with_count(2);
    board.cells_with_count(size).iter().find_map(|pivot| {
        let wings = bivalue.and(PEERS[pivot]);
        if !changes.affect(wings.with(pivot)) {
            return None;
        }
        let of_pivot = board.candidates(pivot);
        let shared = if has_z { 2 } else { 1 };
        let fits = |&wing: &usize| count(board.candidates(wing) & of_pivot) == shared;
        wings.iter().filter(fits).find_map(|first| {
            wings.iter().filter(fits).find_map(|second| {
                let [of_first, of_second] = [first, second].map(|cell| board.candidates(cell));
                let common = of_first & of_second;
                let union = of_pivot | of_first | of_second;
                if count(common) != 1 || count(union) != 3 || (common & of_pivot != 0) != has_z {
                    return None;
                }
                let seen_by_wings = PEERS[first].and(PEERS[second]);
                let victims = if has_z { seen_by_wings.and(PEERS[pivot]) } else { seen_by_wings };
                let cells: Cells = [pivot, first, second].into_iter().collect();
                let basis = Basis { technique, units: &[], cells, digits: common };
                Step::eliminating(board, basis, victims, common)
            })
        })
    })
}
