//! How `bitboard` splits a board.

use super::branch::{Candidate, Lanes, first_open, most_constrained};
use super::configuration::{Configuration, fewest};
use super::infer::{Board, Rules};
use crate::simd::{Digits, Simd};

/// By digit: ones in its lane, zeros in the others.
static LANE: [[u32; 16]; 9] = {
    let mut table = [[0; 16]; 9];
    let mut digit = 0;
    while digit < 9 {
        table[digit][digit] = !0;
        digit += 1;
    }
    table
};

/// Splits a settled board in two disjoint parts: it becomes the one to try first, and the other is returned.
#[inline(always)]
pub(super) fn split<const N: usize, S: Simd<N>>(
    simd: S,
    rules: &Rules<S::Digits>,
    board: &mut Board<S::Digits>,
    ordered: bool,
) -> Board<S::Digits> {
    let mut rest = *board;
    let configuration = if ordered { None } else { fewest(simd, rules, board) };
    if let Some(Configuration { digit, first, others }) = configuration {
        let lane = simd.digits(LANE[digit]);
        for band in 0..3 {
            board[band] = board[band] & (simd.digits([first[band]; 16]) | !lane);
            rest[band] = rest[band] & (simd.digits([others[band]; 16]) | !lane);
        }
        return rest;
    }
    let lanes: Lanes = [board[0].lanes(), board[1].lanes(), board[2].lanes()];
    let choice = if ordered { first_open(&lanes) } else { most_constrained(&lanes) };
    if let Some(Candidate { digit, band, cell }) = choice {
        let (lane, cell) = (simd.digits(LANE[digit]), simd.digits([cell; 16]));
        board[band] = board[band] & (lane | !cell);
        rest[band] = rest[band] & !(lane & cell);
    }
    rest
}

/// Splits a board, settled or not, as [`split`] does, on the smallest digit of the first cell of two digits; if
/// `ordered`, of the first cell of several. `None` where there is no such cell. Nothing leaves the registers but the
/// cells' numbers.
#[inline(always)]
pub(super) fn split_first<const N: usize, S: Simd<N>>(
    simd: S,
    board: &mut Board<S::Digits>,
    ordered: bool,
) -> Option<Board<S::Digits>> {
    let mut cells = [0; 3];
    for band in 0..3 {
        let count = board[band].count();
        let several = if ordered { count.twice } else { count.twice & !count.thrice };
        cells[band] = several.lanes()[0];
    }
    // One cell is left, in the first band that has any.
    cells[0] &= cells[0].wrapping_neg();
    cells[1] = if cells[0] == 0 { cells[1] & cells[1].wrapping_neg() } else { 0 };
    cells[2] = if cells[0] | cells[1] == 0 { cells[2] & cells[2].wrapping_neg() } else { 0 };
    if cells == [0; 3] {
        return None;
    }
    let cell = [simd.digits([cells[0]; 16]), simd.digits([cells[1]; 16]), simd.digits([cells[2]; 16])];
    let empty = (board[0] & cell[0] | board[1] & cell[1] | board[2] & cell[2]).zero_lanes();
    let lane = simd.digits(LANE[(!empty).trailing_zeros() as usize % 9]);
    let mut rest = *board;
    for band in 0..3 {
        board[band] = board[band] & (lane | !cell[band]);
        rest[band] = rest[band] & !(lane & cell[band]);
    }
    Some(rest)
}
