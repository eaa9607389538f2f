//! Completions of a first band and a first stack, drawn uniformly.
//!
//! ```text
//!   1 2 3    The boxes are numbered as shown. The digits of a row that are not in box 4 are in boxes 5 and 6. For all three rows together,
//!   4 5 6    there are 56 ways to split these digits between box 5 and box 6. Split i is one of these ways.
//!   7 8 9    In the same way, split j is for the rows of boxes 8 and 9 (beside box 7), split u for the columns of boxes 5 and 8 (below
//!            box 2), and split v for the columns of boxes 6 and 9 (below box 3).
//! ```
//! The splits i, j, u and v are a completion if, in each of the boxes 5, 6, 8 and 9, each row shares one digit with each column. About one
//! in 3,650 of all 56^4 combinations of splits is a completion.
//!
//! So a grid is a first band, a first stack and four splits. If all these parts are drawn uniformly, and drawn again until they fit
//! together, every grid has the same probability. But most attempts to draw all four splits would fail. So only i is drawn, and the
//! completions that fit i are counted: some u fit box 5, and some v fit box 6. For each j, some of these u fit box 8, and some of these v
//! fit box 9. One completion is then chosen uniformly, and its grid is kept with a probability in proportion to the number of
//! completions that fit i (see `grids.rs`).

use crate::random::Random;

/// The three lines of a box, each with its three digits in the order of their cells.
pub(super) type Lines = [[u8; 3]; 3];

/// Three sets, each with some of the nine digits or some of the nine places of a box, in fields of ten bits. The highest bit of each field
/// stays free.
type Sets = u32;

/// Number of splits of a band or stack. A split states, for each digit of one box, in which line of the second box and in which line of the
/// third box this digit is.
pub(super) const SPLITS: usize = 56;

const FIELD: u32 = 10;
/// `FREE`: the highest bit of each field. `ALL`: all other bits; if a field is not empty, adding `ALL` carries into its highest bit.
const FREE: Sets = 1 << 9 | 1 << 19 | 1 << 29;
const ALL: Sets = FREE - (1 | 1 << FIELD | 1 << (2 * FIELD));

/// For each split of a band or stack, `PLACES[0]` has a set of three places for each line of the second box: the places of the first box
/// whose digits go to this line. `PLACES[1]` has the same for the lines of the third box.
///
/// ```text
///   k digits of each line go to the next line of the second box, the others to the line after that; in the third box it is reversed
///     a b c | . . .      k is the same for all three lines, so that each line is filled: there are C(3, k)^3 ways for each k,
///     d e f | a b .      1 + 27 + 27 + 1 = 56 in all
///     g h i | c . .
/// ```
static PLACES: [[Sets; SPLITS]; 2] = places();

const fn places() -> [[Sets; SPLITS]; 2] {
    let mut table = [[0; SPLITS]; 2];
    let (mut split, mut chosen) = (0, 0);
    // `chosen` has three bits for each line of the first box. They mark the digits that go to the next line of the second box.
    while chosen < 512_u32 {
        let of = [chosen & 7, chosen >> 3 & 7, chosen >> 6];
        if of[0].count_ones() == of[1].count_ones() && of[1].count_ones() == of[2].count_ones() {
            let mut line = 0;
            while line < 3 {
                let (next, after) = ((line as u32 + 1) % 3 * FIELD, (line as u32 + 2) % 3 * FIELD);
                let (goes, others) = (of[line] << (3 * line), (7 & !of[line]) << (3 * line));
                table[0][split] |= goes << next | others << after;
                table[1][split] |= goes << after | others << next;
                line += 1;
            }
            split += 1;
        }
        chosen += 1;
    }
    table
}

/// Converts sets of places to sets of digits. `digits` are the digits in the places.
#[inline(always)]
fn digits_of(sets: Sets, digits: &[u8; 9]) -> [u16; 3] {
    let mut of = [0; 3];
    for (line, of) in of.iter_mut().enumerate() {
        let mut places = sets >> (FIELD * line as u32) & 511;
        while places != 0 {
            *of |= 1 << digits[places.trailing_zeros() as usize];
            places &= places - 1;
        }
    }
    of
}

/// Returns a bit for each split. A split has three sets of digits for the second box and three for the third box; `which` selects the
/// second box (0) or the third box (1). The bit is 1 if each of the three sets for this box shares a digit with each of the three sets
/// `others`. `digits` are the digits in the places of the first box.
#[inline(always)]
fn fitting(others: [u16; 3], digits: &[u8; 9], which: usize) -> u64 {
    // `spread` gets the sets `others` as sets of places instead of digits. Each of these sets is copied to all three fields.
    let mut place_of = [0; 9];
    for (place, &digit) in digits.iter().enumerate() {
        place_of[usize::from(digit)] = 1 << place;
    }
    let mut spread = [0; 3];
    for (spread, &other) in spread.iter_mut().zip(&others) {
        let mut left = other;
        while left != 0 {
            *spread |= place_of[left.trailing_zeros() as usize % 9];
            left &= left - 1;
        }
        *spread *= 1 | 1 << FIELD | 1 << (2 * FIELD);
    }
    let mut fit = [0_u8; 64];
    for (fit, &sets) in fit.iter_mut().zip(&PLACES[which]) {
        // If a field shares a place with one of the sets `others`, the addition for this set carries into the free bit of the field.
        let shared = ((sets & spread[0]) + ALL) & ((sets & spread[1]) + ALL) & ((sets & spread[2]) + ALL);
        *fit = u8::from(shared & FREE == FREE);
    }
    let mut bits = 0;
    for (at, eight) in fit.as_chunks::<8>().0.iter().enumerate() {
        // The multiplication moves the lowest bits of the eight bytes side by side, into the highest byte.
        bits |= (u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at);
    }
    bits
}

/// The digits of four boxes, each as a number from 0 to 8: boxes 4 and 7 row by row, boxes 2 and 3 column by column.
pub(super) struct Frame {
    pub(super) four: [u8; 9],
    pub(super) seven: [u8; 9],
    pub(super) two: [u8; 9],
    pub(super) three: [u8; 9],
}

/// For each of the boxes 5, 6, 8 and 9: the digits of each row, and the digits of each column. The cell where a row and a column meet holds
/// the digit that is in both sets.
pub(super) type Completion = [([u16; 3], [u16; 3]); 4];

impl Frame {
    /// Draws at random a split i of the rows of boxes 5 and 6, and one of the completions that fit i. Returns the completion and the number
    /// of completions that fit i; `None` if no completion fits.
    #[inline(always)]
    pub(super) fn complete(&self, random: &mut Random) -> Option<(Completion, u32)> {
        let i = random.below(SPLITS);
        let rows_of_five = digits_of(PLACES[0][i], &self.four);
        let rows_of_six = digits_of(PLACES[1][i], &self.four);
        let us = fitting(rows_of_five, &self.two, 0);
        let vs = fitting(rows_of_six, &self.three, 0);
        let mut eights = Fitting::NONE;
        let mut nines = Fitting::NONE;
        eights.fill(us, &self.two, (&self.seven, 0));
        nines.fill(vs, &self.three, (&self.seven, 1));
        let (mut counts, mut whole) = ([0_u32; SPLITS], 0);
        let (of_eight, of_nine) = (eights.by_split(), nines.by_split());
        for j in 0..SPLITS {
            counts[j] = of_eight[j] * of_nine[j];
            whole += counts[j];
        }
        if whole == 0 {
            return None;
        }
        let mut at = random.below(whole as usize) as u32;
        let j = counts.iter().position(|&count| {
            let here = at < count;
            at -= if here { 0 } else { count };
            here
        })?;
        let (u, columns_of_eight) = eights.nth(j, at / of_nine[j])?;
        let (v, columns_of_nine) = nines.nth(j, at % of_nine[j])?;
        let completion = [
            (rows_of_five, digits_of(PLACES[0][u], &self.two)),
            (rows_of_six, digits_of(PLACES[0][v], &self.three)),
            (digits_of(PLACES[0][j], &self.seven), columns_of_eight),
            (digits_of(PLACES[1][j], &self.seven), columns_of_nine),
        ];
        Some((completion, whole))
    }
}

/// Column splits (splits of the columns below box 2, or splits of the columns below box 3), each with the row splits (splits of the rows
/// beside box 7) that fit it.
struct Fitting {
    number: usize,
    /// The first `number` entries of the three arrays are used, one for each column split. `splits` has the number of the column split (0
    /// to 55), `columns` the set of digits of each column of the lower box, and `fits` the row splits beside box 7 that fit the column
    /// split, one bit each.
    splits: [usize; SPLITS],
    columns: [[u16; 3]; SPLITS],
    fits: [u64; SPLITS],
}

impl Fitting {
    const NONE: Fitting =
        Fitting { number: 0, splits: [0; SPLITS], columns: [[0; 3]; SPLITS], fits: [0; SPLITS] };

    /// Stores the column splits whose bits are set in `splits`. `digits` are the digits of the box above the columns. For each column
    /// split, finds the row splits beside box 7 that fit it.
    #[inline(always)]
    fn fill(&mut self, mut splits: u64, digits: &[u8; 9], (seven, which): (&[u8; 9], usize)) {
        while splits != 0 {
            let split = splits.trailing_zeros() as usize;
            let columns = digits_of(PLACES[1][split], digits);
            self.splits[self.number] = split;
            self.columns[self.number] = columns;
            self.fits[self.number] = fitting(columns, seven, which);
            self.number += 1;
            splits &= splits - 1;
        }
    }

    /// Returns, for each row split beside box 7, the number of stored column splits that fit this row split.
    #[inline(always)]
    fn by_split(&self) -> [u32; SPLITS] {
        let mut counts = [0; SPLITS];
        for fits in &self.fits[..self.number] {
            for (j, count) in counts.iter_mut().enumerate() {
                *count += (fits >> j & 1) as u32;
            }
        }
        counts
    }

    /// Returns one of the column splits that fit row split `j`, and the digits of its columns. `number` is the index of the column split
    /// among those that fit.
    #[inline(always)]
    fn nth(&self, j: usize, mut number: u32) -> Option<(usize, [u16; 3])> {
        for at in 0..self.number {
            if self.fits[at] >> j & 1 == 1 {
                if number == 0 {
                    return Some((self.splits[at], self.columns[at]));
                }
                number -= 1;
            }
        }
        None
    }
}
