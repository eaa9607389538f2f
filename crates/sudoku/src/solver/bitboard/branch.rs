//! Where `bitboard` branches.

use super::infer::BAND;

/// The lanes of the three bands.
pub(super) type Lanes = [[u32; 16]; 3];

/// A digit in a cell: the alternative to try first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) digit: usize,
    pub(super) band: usize,
    /// Its cell, as a bit of the band.
    pub(super) cell: u32,
}

/// By band and cell: the peers of the cell in the three bands.
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

/// The cells of a band that have two digits, and those that have more.
fn two_and_more(lanes: &[u32; 16]) -> (u32, u32) {
    let (mut once, mut twice, mut thrice) = (0, 0, 0);
    for &cells in &lanes[..9] {
        thrice |= twice & cells;
        twice |= once & cells;
        once |= cells;
    }
    (twice & !thrice, thrice)
}

/// The digit that the most two-digit cells share, in that one of its cells that sees the most places of the digit;
/// where no cell has two digits, the smallest of the first cell with more.
pub(super) fn most_constrained(lanes: &Lanes) -> Option<Candidate> {
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

/// The smallest digit of the first cell with several.
pub(super) fn first_open(lanes: &Lanes) -> Option<Candidate> {
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
