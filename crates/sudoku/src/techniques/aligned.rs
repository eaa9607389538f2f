//! Aligned pair and triplet exclusion. A combination gives a digit to each of two or three cells. If every combination that gives a certain
//! digit to a certain cell is barred, this digit is removed from the cell.
//!
//! A combination is barred if two cells that see each other have the same digit, or if it uses all candidates of a barring cell. A barring
//! cell sees all of the two or three cells. It has two candidates for pairs, and two or three for triplets. There must be at least two
//! barring cells.

use super::Technique;
use super::board::{Board, Digits, PEERS, bits, count};
use super::changes::Changes;
use super::step::{Basis, Step};
use crate::puzzle::Cells;

/// Returns the empty cells that have several candidates, see no cell with one candidate, and see at least one of the `barring` cells.
fn base_cells(board: &Board, barring: Cells) -> Cells {
    let naked = board.cells_with_count(1);
    let is_base = |&cell: &usize| PEERS[cell].and(naked).is_empty() && !PEERS[cell].and(barring).is_empty();
    board.empty().without(naked).iter().filter(is_base).collect()
}

/// Calls `found` with pairs of base cells in the order (0,1), (0,2), (1,2), (0,3) and so on, until `found` returns `Some`. The first cell
/// of a pair is one of the cells that `firsts` returns for the second cell.
fn find_pair<T>(
    base: Cells,
    firsts: impl Fn(usize) -> Cells,
    mut found: impl FnMut(usize, usize) -> Option<T>,
) -> Option<T> {
    base.iter().find_map(|second| {
        let firsts = base.and(firsts(second)).iter().take_while(|&first| first < second);
        firsts.into_iter().find_map(|first| found(first, second))
    })
}

/// Returns three sets: the cells that see at least one, at least two and at least three of the given cells.
fn see_several(cells: Cells) -> [Cells; 3] {
    let [mut once, mut twice, mut thrice] = [Cells::EMPTY; 3];
    for cell in cells.iter() {
        thrice = thrice.or(twice.and(PEERS[cell]));
        twice = twice.or(once.and(PEERS[cell]));
        once = once.or(PEERS[cell]);
    }
    [once, twice, thrice]
}

/// Makes the step that removes from each cell the candidates that are not in `allowed`. Returns `None` if there are no such candidates.
fn step<const N: usize>(
    board: &Board,
    technique: Technique,
    cells: [usize; N],
    allowed: [Digits; N],
) -> Option<Step> {
    let gone = |(cell, allowed): (usize, Digits)| (cell as u8, board.candidates(cell) & !allowed);
    let mut eliminations: Vec<_> =
        cells.into_iter().zip(allowed).map(gone).filter(|&(_, digits)| digits != 0).collect();
    eliminations.sort_unstable();
    let digits = eliminations.iter().fold(0, |all, (_, digits)| all | digits);
    let basis = Basis { technique, units: &[], cells: cells.into_iter().collect(), digits };
    (!eliminations.is_empty()).then(|| basis.step(eliminations))
}

pub(super) fn pair(board: &Board, changes: Changes) -> Option<Step> {
    let barring = board.cells_with_count(2);
    let of_three = board.cells_with_count(3);
    // A digit is removed only if it is barred together with each candidate of the other cell. Two digits are barred together if a barring
    // cell has exactly these two candidates, or if the digits are equal and the two cells see each other.
    let firsts = |second: usize| {
        let digits = board.candidates(second);
        let peers = PEERS[second];
        let [see_one, see_two, see_three] = see_several(peers.and(barring).and(board.cells_with_any(digits)));
        // A digit can be removed from one of the two cells only if enough barring cells see both cells: as many as the other cell has
        // candidates, or one fewer if the two cells see each other. `if_two`: the possible first cells if the other cell has two
        // candidates. `if_three`: the possible first cells if the other cell has three candidates.
        let if_two = see_two.or(see_one.and(peers));
        let if_three = see_three.or(see_two.and(peers));
        match count(digits) {
            2 => if_two,
            3 => if_two.and(barring).or(if_three),
            _ => if_two.and(barring).or(if_three.and(of_three)).or(see_three),
        }
    };
    find_pair(base_cells(board, barring), firsts, |first, second| {
        let common = PEERS[first].and(PEERS[second]).and(barring);
        if !common.has_several() || !changes.affect(common.with(first).with(second)) {
            return None;
        }
        let see_each_other = PEERS[first].contains(second);
        let mut barred = barred_by_pairs(board, common);
        if see_each_other {
            (0..9).for_each(|digit| barred[digit] |= 1 << digit);
        }
        let allowed = |cell: usize, other: usize| {
            let is_allowed = |&digit: &usize| board.candidates(other) & !barred[digit] != 0;
            bits(board.candidates(cell)).filter(is_allowed).fold(0, |digits, digit| digits | 1 << digit)
        };
        let allowed = [allowed(first, second), allowed(second, first)];
        step(board, Technique::AlignedPairExclusion, [first, second], allowed)
    })
}

/// Returns, for each digit, the digits that cannot be in one cell of the pair if this digit is in the other. Two digits exclude each other
/// in this way if they are the candidates of one of the `cells`. All `cells` must have two candidates and see both cells of the pair.
fn barred_by_pairs(board: &Board, cells: Cells) -> [Digits; 9] {
    let mut barred = [0; 9];
    for digits in cells.iter().map(|cell| board.candidates(cell)) {
        bits(digits).for_each(|digit| barred[digit] |= digits & !(1 << digit));
    }
    barred
}

/// Finds an aligned triplet exclusion.
///
/// The third cell has two or three candidates, and sees the first or the second cell.
pub(super) fn triplet(board: &Board, changes: Changes) -> Option<Step> {
    let barring = board.cells_with_count(2).or(board.cells_with_count(3));
    let base = base_cells(board, barring);
    let third_cells = base.and(barring);
    let (mut most_barred, mut barred) = (Vec::new(), Vec::new());
    let firsts = |second: usize| see_several(PEERS[second].and(barring))[1];
    find_pair(base, firsts, |first, second| {
        let common = PEERS[first].and(PEERS[second]).and(barring);
        let third_cells = third_cells.and(see_several(common)[1]).without(Cells::one(first).with(second));
        let of_first = third_cells.and(PEERS[first]);
        let of_second = third_cells.and(PEERS[second]).without(of_first);
        // If neither the first two cells nor the barring cells have changed, only third cells that have changed are tried.
        let others = common.with(first).with(second);
        let third_cells = if changes.affect(others) { Cells::ALL } else { changes.cells };
        let [of_first, of_second] = [of_first, of_second].map(|cells| cells.and(third_cells));
        if of_first.is_empty() && of_second.is_empty() {
            return None;
        }
        bar_combinations(board, [first, second], common, &mut most_barred);
        of_first.iter().chain(of_second.iter()).find_map(|third| {
            let cells = [first, second, third];
            // `most_barred` uses all barring cells of the first two cells. If even these allow every candidate, the third cell is skipped.
            // Otherwise, only the barring cells that the third cell also sees are used.
            allowed_of_three(board, cells, &most_barred)?;
            bar_combinations(board, [first, second], common.and(PEERS[third]), &mut barred);
            let allowed = allowed_of_three(board, cells, &barred)?;
            step(board, Technique::AlignedTripletExclusion, cells, allowed)
        })
    })
}

/// A digit for each of two cells, and the digits that barring cells then exclude from a third cell.
struct Combination {
    /// The two digits, each as a set with one element.
    digits: [Digits; 2],
    barred: Digits,
}

/// Sets `combinations` to all pairs of digits that the two `cells` may have together. `barring` are the barring cells that these two cells
/// see; the function assumes that the third cell sees them too.
fn bar_combinations(board: &Board, cells: [usize; 2], barring: Cells, combinations: &mut Vec<Combination>) {
    combinations.clear();
    let [pairs, triplets] = [2, 3].map(|count| barring.and(board.cells_with_count(count)));
    let barred = barred_by_pairs(board, pairs);
    let see_each_other = PEERS[cells[0]].contains(cells[1]);
    for first in bits(board.candidates(cells[0])) {
        let same = Digits::from(see_each_other) << first;
        for second in bits(board.candidates(cells[1]) & !barred[first] & !same) {
            let digits = [1 << first, 1 << second];
            combinations.push(Combination { digits, barred: barred[first] | barred[second] });
        }
    }
    for taken in triplets.iter().map(|cell| board.candidates(cell)) {
        for Combination { digits: [first, second], barred } in combinations.iter_mut() {
            let both = *first | *second;
            if first != second && taken & both == both {
                *barred |= taken & !both;
            }
        }
    }
}

/// Returns for each of three cells the digits that occur in an allowed combination; `None` if all candidates of the three cells occur.
fn allowed_of_three(board: &Board, cells: [usize; 3], combinations: &[Combination]) -> Option<[Digits; 3]> {
    let [a, b, c] = cells;
    let all = cells.map(|cell| board.candidates(cell));
    let [of_first, of_second] = [a, b].map(|cell| Digits::from(PEERS[cell].contains(c)).wrapping_neg());
    let mut allowed = [0; 3];
    for &Combination { digits: [first, second], barred } in combinations {
        let third = all[2] & !barred & !(first & of_first) & !(second & of_second);
        if third != 0 {
            allowed = [allowed[0] | first, allowed[1] | second, allowed[2] | third];
            if allowed == all {
                return None;
            }
        }
    }
    Some(allowed)
}
