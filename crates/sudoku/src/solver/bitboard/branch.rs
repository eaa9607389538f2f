//! Chooses where `bitboard` branches, and splits the board.

use super::configuration::{Configuration, fewest};
use super::infer::{BAND, Board, Rules};
use crate::simd::{Digits, Simd};

/// For each of the three bands of a board, the cells of each digit, copied out of the vectors.
type PlainBoard = [[u32; 16]; 3];

/// A digit in a cell: the alternative that is tried first.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    digit: usize,
    band: usize,
    /// The cell, as a bit of the band.
    cell: u32,
}

/// For each band and each cell of the band: the cell's peers, as a set of cells for each of the three bands.
static PEERS: [[[u32; 3]; 27]; 3] = {
    let mut peers = [[[0; 3]; 27]; 3];
    let mut index = 0;
    while index < 81 * 81 {
        let (cell, other) = (index / 81, index % 81);
        let same_box = cell / 27 == other / 27 && cell % 9 / 3 == other % 9 / 3;
        let same_line = cell / 9 == other / 9 || cell % 9 == other % 9;
        if cell != other && (same_box || same_line) {
            peers[cell / 27][cell % 27][other / 27] |= 1 << (other % 27);
        }
        index += 1;
    }
    peers
};

/// Returns the cells of a band that have exactly two digits, and the cells that have more than two.
fn two_and_more(lanes: &[u32; 16]) -> (u32, u32) {
    let (mut once, mut twice, mut thrice) = (0, 0, 0);
    for &cells in &lanes[..9] {
        thrice |= twice & cells;
        twice |= once & cells;
        once |= cells;
    }
    (twice & !thrice, thrice)
}

/// Chooses the digit that occurs in the largest number of cells with exactly two digits. Among these cells, chooses the cell that has the
/// most peers in which the digit is possible. If no cell has exactly two digits, returns the smallest digit of the first cell with more
/// than two digits.
fn most_constrained(lanes: &PlainBoard) -> Option<Candidate> {
    let two = lanes.map(|lanes| two_and_more(&lanes).0);
    if two == [0; 3] {
        return first_open(lanes);
    }
    let pairs =
        |digit: usize| -> u32 { (0..3).map(|band| (two[band] & lanes[band][digit]).count_ones()).sum() };
    let (mut digit, mut most) = (0, 0);
    for candidate in 0..9 {
        let count = pairs(candidate);
        if count > most {
            (digit, most) = (candidate, count);
        }
    }
    let mut best = (0, None);
    for band in 0..3 {
        let mut cells = two[band] & lanes[band][digit];
        while cells != 0 {
            let cell = cells & cells.wrapping_neg();
            let peers = &PEERS[band][cells.trailing_zeros() as usize % 27];
            let seen: u32 = (0..3).map(|other| (peers[other] & lanes[other][digit]).count_ones()).sum();
            if best.1.is_none() || seen > best.0 {
                best = (seen, Some(Candidate { digit, band, cell }));
            }
            cells ^= cell;
        }
    }
    best.1
}

/// Returns the smallest digit of the first cell with several digits.
fn first_open(lanes: &PlainBoard) -> Option<Candidate> {
    for (band, lanes) in lanes.iter().enumerate() {
        let (two, more) = two_and_more(lanes);
        let open = (two | more) & BAND;
        if open != 0 {
            let cell = open & open.wrapping_neg();
            let digit = (0..9).find(|&digit| lanes[digit] & cell != 0)?;
            return Some(Candidate { digit, band, cell });
        }
    }
    None
}

/// For each digit: ones in its lane, zeros in the others.
static LANE_OF_DIGIT: [[u32; 16]; 9] = {
    let mut table = [[0; 16]; 9];
    let mut digit = 0;
    while digit < 9 {
        table[digit][digit] = !0;
        digit += 1;
    }
    table
};

/// Splits a settled board (the rules find nothing more in it) into two disjoint parts. `board` becomes the part to try first; the other
/// part is returned.
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
        let lane = simd.digits(LANE_OF_DIGIT[digit]);
        for band in 0..3 {
            board[band] = board[band] & (simd.digits([first[band]; 16]) | !lane);
            rest[band] = rest[band] & (simd.digits([others[band]; 16]) | !lane);
        }
        return rest;
    }
    let lanes: PlainBoard = [board[0].lanes(), board[1].lanes(), board[2].lanes()];
    let choice = if ordered { first_open(&lanes) } else { most_constrained(&lanes) };
    if let Some(Candidate { digit, band, cell }) = choice {
        let (lane, cell) = (simd.digits(LANE_OF_DIGIT[digit]), simd.digits([cell; 16]));
        board[band] = board[band] & (lane | !cell);
        rest[band] = rest[band] & !(lane & cell);
    }
    rest
}

/// Splits a board like [`split`], but the board doesn't have to be settled. In the first part, the first cell of `cells` gets its smallest
/// digit, and is added to the `single` cells. Returns `None` if `cells` is empty. Only the masks of the cells are copied out of the
/// vectors, not the board.
#[inline(always)]
pub(super) fn split_first<const N: usize, S: Simd<N>>(
    simd: S,
    board: &mut Board<S::Digits>,
    cells: &Board<S::Digits>,
    single: &mut Board<S::Digits>,
) -> Option<Board<S::Digits>> {
    let mut cells = [cells[0].lanes()[0], cells[1].lanes()[0], cells[2].lanes()[0]];
    // Keeps only the first cell of the set: the lowest bit of the first mask that isn't 0.
    cells[0] &= cells[0].wrapping_neg();
    cells[1] = if cells[0] == 0 { cells[1] & cells[1].wrapping_neg() } else { 0 };
    cells[2] = if cells[0] | cells[1] == 0 { cells[2] & cells[2].wrapping_neg() } else { 0 };
    if cells == [0; 3] {
        return None;
    }
    let cell = [simd.digits([cells[0]; 16]), simd.digits([cells[1]; 16]), simd.digits([cells[2]; 16])];
    let empty = (board[0] & cell[0] | board[1] & cell[1] | board[2] & cell[2]).zero_lanes();
    let lane = simd.digits(LANE_OF_DIGIT[(!empty).trailing_zeros() as usize % 9]);
    let mut rest = *board;
    for band in 0..3 {
        single[band] = single[band] | lane & cell[band];
        board[band] = board[band] & (lane | !cell[band]);
        rest[band] = rest[band] & !(lane & cell[band]);
    }
    Some(rest)
}
