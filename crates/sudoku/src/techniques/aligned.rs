//! Aligned pair and triplet exclusion: of two or three cells, a digit goes if all combinations with it are barred.
//!
//! A combination is barred if cells that see each other have the same digit, or if it takes all candidates from a cell that all of them
//! see. Cells of two candidates bar for pairs, cells of two or three for triplets; there must be at least two.

use super::Technique;
use super::board::{Board, Digits, PEERS, bits};
use super::step::{Basis, Step};
use crate::puzzle::{CELLS, Cells};

/// Returns the empty cells that see no cell of one candidate, and at least one of `barring`.
fn base_cells(board: &Board, barring: Cells) -> Cells {
    let naked = board.cells_with_count(1);
    let is_base = |&cell: &usize| PEERS[cell].and(naked).is_empty() && !PEERS[cell].and(barring).is_empty();
    board.empty().without(naked).iter().filter(is_base).collect()
}

/// Calls `found` with each pair of base cells in the order (0,1), (0,2), (1,2), (0,3) and so on, until it returns something.
fn find_pair<T>(base: Cells, mut found: impl FnMut(usize, usize) -> Option<T>) -> Option<T> {
    base.iter().find_map(|second| {
        let before = base.iter().take_while(|&first| first < second);
        before.into_iter().find_map(|first| found(first, second))
    })
}

/// Makes the step that leaves each cell the digits of its allowed combinations. Returns `None` if nothing goes.
fn step<const N: usize>(
    board: &Board,
    technique: Technique,
    rating: f64,
    cells: [usize; N],
    allowed: [Digits; N],
) -> Option<Step> {
    let gone = |(cell, allowed): (usize, Digits)| (cell as u8, board.candidates(cell) & !allowed);
    let mut eliminations: Vec<_> =
        cells.into_iter().zip(allowed).map(gone).filter(|&(_, digits)| digits != 0).collect();
    eliminations.sort_unstable();
    let digits = eliminations.iter().fold(0, |all, (_, digits)| all | digits);
    let basis = Basis { technique, rating, units: &[], cells: cells.into_iter().collect(), digits };
    (!eliminations.is_empty()).then(|| basis.step(eliminations))
}

/// Aligned pair exclusion: 6.2.
pub(super) fn pair(board: &Board) -> Option<Step> {
    let barring = board.cells_with_count(2);
    find_pair(base_cells(board, barring), |first, second| {
        let common = PEERS[first].and(PEERS[second]).and(barring);
        if common.len() < 2 {
            return None;
        }
        let see_each_other = PEERS[first].contains(second);
        // For each digit of one cell the digits that are barred for the other.
        let mut barred: [Digits; 9] = std::array::from_fn(|digit| Digits::from(see_each_other) << digit);
        for cell in common.iter() {
            let digits = board.candidates(cell);
            bits(digits).for_each(|digit| barred[digit] |= digits & !(1 << digit));
        }
        let allowed = |cell: usize, other: usize| {
            let is_allowed = |&digit: &usize| board.candidates(other) & !barred[digit] != 0;
            bits(board.candidates(cell)).filter(is_allowed).fold(0, |digits, digit| digits | 1 << digit)
        };
        let allowed = [allowed(first, second), allowed(second, first)];
        step(board, Technique::AlignedPairExclusion, 6.2, [first, second], allowed)
    })
}

/// Aligned triplet exclusion: 7.5.
///
/// The third cell is among the barring cells that the first or the second sees.
pub(super) fn triplet(board: &Board) -> Option<Step> {
    let barring = board.cells_with_count(2).or(board.cells_with_count(3));
    let base = base_cells(board, barring);
    let third_cells = base.and(barring);
    let mut barred_by = Vec::with_capacity(CELLS);
    find_pair(base, |first, second| {
        let others = Cells::one(first).with(second);
        let of_first = third_cells.and(PEERS[first]).without(others);
        let of_second = third_cells.and(PEERS[second]).without(others).without(of_first);
        let common = PEERS[first].and(PEERS[second]).and(barring);
        if common.len() < 2 {
            return None;
        }
        of_first.iter().chain(of_second.iter()).find_map(|third| {
            let common = common.and(PEERS[third]);
            if common.len() < 2 {
                return None;
            }
            barred_by.clear();
            barred_by.extend(common.iter().map(|cell| board.candidates(cell)));
            let allowed = allowed_of_three(board, [first, second, third], &barred_by);
            step(board, Technique::AlignedTripletExclusion, 7.5, [first, second, third], allowed)
        })
    })
}

/// Returns for each of three cells the digits that occur in an allowed combination. `barred` has the candidates of the cells that all
/// three see.
fn allowed_of_three(board: &Board, cells: [usize; 3], barred: &[Digits]) -> [Digits; 3] {
    let [a, b, c] = cells;
    let see = |one: usize, other: usize| PEERS[one].contains(other);
    let (ab, ac, bc) = (see(a, b), see(a, c), see(b, c));
    let mut allowed = [0; 3];
    for first in bits(board.candidates(a)).map(|digit| 1 << digit) {
        for second in bits(board.candidates(b)).map(|digit| 1 << digit) {
            if ab && first == second {
                continue;
            }
            for third in bits(board.candidates(c)).map(|digit| 1 << digit) {
                let is_new = allowed[0] & first == 0 || allowed[1] & second == 0 || allowed[2] & third == 0;
                let is_clash = ac && first == third || bc && second == third;
                let taken = first | second | third;
                if is_new && !is_clash && !barred.iter().any(|&digits| digits & !taken == 0) {
                    allowed = [allowed[0] | first, allowed[1] | second, allowed[2] | third];
                }
            }
        }
    }
    allowed
}
