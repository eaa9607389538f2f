//! The canonical form of a filled grid. The second row of the form decides nearly everything.
//!
//! Row 1 of the form is always 123456789. It can come from any line of the grid, a row or a column, with the columns in any order. So two
//! lines a and b of one band, the future rows 1 and 2, are described by a function of columns:
//!
//! ```text
//! f(column) = the column where a has the digit that b has in `column`
//!
//! a   1 2 3 | 4 5 6 | 7 8 9     f maps no column into its own stack; here f(first column) = fourth column
//! b   4 5 6 | 7 8 9 | 1 2 3
//! ```
//! In a *whole* band, f maps each stack to one other stack, so row 2 begins 456 789. The order of the first stack's columns determines the
//! order of all columns: x y z, f(x) f(y) f(z), f(f(x)) f(f(y)) f(f(z)). The last three digits of row 2 show where f, applied three times,
//! maps the first stack's columns. The smallest possible digits are 123 if each column maps to itself (all 6 orders of the columns give
//! 123), 132 if one column does (2 orders give 132), and 231 if none does (3 orders give 231).
//!
//! In a *mixed* band, f maps two columns of each stack to one of the other stacks, and the third column, called odd, to the remaining
//! stack. The two columns move in the same direction in all stacks: to the next stack, or to the previous one. So row 2 begins 457.
//! Everything follows from x and y of the first stack, whose odd column is z:
//!
//! ```text
//!     x y z | fx fy rest | fz . .     rest: the third column of the stack of fx and fy. Two of the three are not odd. f maps these to the
//! a   1 2 3 | 4  5  6    | 7  8 9     last two columns, in the same order, so that 8 comes before 9 in row 2.
//! b   4 5 7 | 1  8  9    | . . .      Here fx is odd, and f(fx) = x: two digits are swapped between the rows.
//! ```
//! One such pair of swapped digits gives the smallest possible beginning, 457 189. Nearly all grids without a whole band have such a pair.
//!
//! So two lines and the order of the columns determine a form that may be the smallest. There are at most 648 such forms, and only grids
//! with whole bands reach that number: 6 bands (3 of rows, 3 of columns), 6 ways to choose two lines of a band as rows 1 and 2, 3 stacks,
//! 6 orders. A few digits rule out most forms. Only the other forms are compared row by row.

use std::hint::select_unpredictable;

use crate::isomorph::Transformation;
use crate::puzzle::CELLS;

/// All digits of a line, a bit for each.
const ALL: u16 = 0b11_1111_1110;
/// The first line of each band, then of each stack.
const BANDS: [usize; 6] = [0, 3, 6, 9, 12, 15];
/// The pairs of lines in a band.
const PAIRS: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// For a whole band: the last three digits of row 2 (0 for 123, 1 for 132, 2 for 231), and the orders of the first stack's columns that
/// give these digits. The index is `3 * i + j` if f, applied three times, maps column 0 of the stack to its column `i`, and column 1 to its
/// column `j`. No band has an index with an empty list.
const ENDINGS: [(u16, &[[usize; 3]]); 9] = [
    (0, &[]),
    (0, &ORDERS),
    (1, &[[0, 1, 2], [0, 2, 1]]),
    (1, &[[2, 0, 1], [2, 1, 0]]),
    (0, &[]),
    (2, &[[0, 1, 2], [1, 2, 0], [2, 0, 1]]),
    (2, &[[0, 2, 1], [2, 1, 0], [1, 0, 2]]),
    (1, &[[1, 0, 2], [1, 2, 0]]),
    (0, &[]),
];

/// The previous stack of each stack.
const PREVIOUS: [usize; 3] = [2, 0, 1];
/// The next stack of each stack.
const NEXT: [usize; 3] = [1, 2, 0];
/// For each stack, the sum of the numbers of its columns (from 0).
const SUMS: [u8; 3] = [3, 12, 21];

/// Finds the smallest forms of filled grids. Keys are compared without branches where possible: the processor could not predict such
/// branches, and wrong predictions would take a quarter of the time.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    candidates: Vec<Candidate>,
    /// The smallest key so far. Keys order the candidates by row 2, and then by the first three digits of row 3. `candidates` holds only
    /// candidates with this key.
    smallest: u16,
}

/// The lines that become rows 1 and 2 of the form, and the columns in the order of the form.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    first: u8,
    second: u8,
    columns: [u8; 9],
    /// The label of each digit (the digit that replaces it in the form), four bits wide; 0 until a row has to be read.
    labels: u64,
}

/// The nine rows, then the nine columns, each as a line of nine places.
struct Lines {
    digits: [[u8; 16]; 18],
    /// For each line, the place of each digit.
    places: [[u8; 16]; 18],
    /// The digits in each third of a line, as a set with a bit for each digit.
    thirds: [[u16; 3]; 18],
}

/// Three lines of a band as the first rows of a form.
struct Top<'a> {
    first: usize,
    second: usize,
    places: &'a [u8; 16],
    second_row: &'a [u8; 16],
    third_row: &'a [u8; 16],
}

/// A pair of lines in a mixed band, ordered so that f (see the start of this file) maps two columns of each stack to the next stack.
#[derive(Clone, Copy, Default)]
struct MixedPair {
    /// The lines a and b.
    lines: [u8; 2],
    /// For each stack, the places of the digit that b has in the stack's odd column: `odd[0]` has its place in a, `odd[1]` its place in b.
    odd: [[u8; 3]; 2],
    /// The digits of the other line in these places: `opposite[0]` has digits of b, `opposite[1]` has digits of a.
    opposite: [[u8; 3]; 2],
}

/// The two lines and the columns that determine a form with a pair of swapped digits. For the names, see the start of this file.
struct Swapped {
    first: u8,
    second: u8,
    x: u8,
    z: u8,
    fx: u8,
    fz: u8,
}

impl Search {
    /// Returns the transformation to the smallest form, and the number of automorphisms. Returns `None` if some row, column or box lacks a
    /// digit.
    pub(super) fn smallest(&mut self, values: &[u8; CELLS]) -> Option<(Transformation, u32)> {
        let lines = Lines::new(values)?;
        self.candidates.clear();
        self.smallest = u16::MAX;
        self.whole_bands(&lines);
        if self.candidates.is_empty() {
            self.swapped_digits(&lines);
        }
        if self.candidates.is_empty() {
            self.mixed_bands(&lines);
        }
        if self.candidates.len() > 1 {
            self.keep_smallest(|candidate| {
                candidate.labels = lines.labels(candidate);
                lines.read(candidate.third(), candidate)
            });
        }
        if self.candidates.len() > 1 {
            self.keep_smallest(|candidate| {
                // The other rows determine the last one.
                let [rows @ .., _] = lines.last_rows(candidate);
                rows.map(|row| lines.read(usize::from(row), candidate))
            });
        }
        let mut first = self.candidates[0];
        first.labels = lines.labels(&first);
        Some((lines.transformation(&first), self.candidates.len() as u32))
    }

    /// Keeps the candidates with the smallest key.
    fn keep_smallest<K: Ord>(&mut self, key: impl Fn(&mut Candidate) -> K) {
        let mut smallest = None;
        let mut kept = 0;
        for at in 0..self.candidates.len() {
            let mut candidate = self.candidates[at];
            let key = key(&mut candidate);
            if smallest.as_ref().is_some_and(|smallest| key > *smallest) {
                continue;
            }
            if smallest.as_ref().is_none_or(|smallest| key < *smallest) {
                smallest = Some(key);
                kept = 0;
            }
            self.candidates[kept] = candidate;
            kept += 1;
        }
        self.candidates.truncate(kept);
    }

    /// Finds the pairs of lines in whole bands that give the smallest last three digits of row 2, and adds the candidates of these pairs.
    fn whole_bands(&mut self, lines: &Lines) {
        let (mut pairs, mut count, mut smallest) = ([[0; 2]; 18], 0, u16::MAX);
        for band in BANDS {
            if lines.is_whole(band, band + 1) {
                for [a, b] in pairs_of(band) {
                    // The last three digits of row 2 depend neither on which of the two lines is row 1 (swapping a and b inverts f), nor on
                    // which stack is the first.
                    let top = lines.top(a, b);
                    let (ending, _) = top.ending(0, [0, 1].map(|column| top.f(top.f(column))));
                    if ending < smallest {
                        (smallest, count) = (ending, 0);
                    }
                    pairs[count] = [a, b];
                    count += usize::from(ending == smallest);
                }
            }
        }
        pairs[..count].iter().for_each(|&[a, b]| self.whole_pair(lines, a, b));
    }

    fn whole_pair(&mut self, lines: &Lines, a: usize, b: usize) {
        // For each choice of the first row and the first stack: the columns of the first, second and third stack, and the orders of the
        // first stack's columns that give the smallest row 2.
        let tops = [lines.top(a, b), lines.top(b, a)];
        let ways: [_; 6] = std::array::from_fn(|way| {
            let (top, stack) = (&tops[way / 3], way as u8 % 3 * 3);
            let own = [stack, stack + 1, stack + 2];
            let next = own.map(|column| top.f(column));
            let last = next.map(|column| top.f(column));
            let (_, orders) = top.ending(stack, [last[0], last[1]]);
            (top, [own, next, last], orders)
        });
        let (mut keys, mut smallest) = ([[0; 6]; 6], u16::MAX);
        for (keys, (top, [own, _, last], orders)) in keys.iter_mut().zip(&ways) {
            let below = own.map(|column| top.g(column));
            for (key, &[x, y, _]) in keys.iter_mut().zip(*orders) {
                let least = [last[x], last[y]];
                *key = position(below[x], least) << 2 | position(below[y], least);
                smallest = smallest.min(*key);
            }
        }
        if !self.accepts(smallest) {
            return;
        }
        for (keys, (top, [own, next, last], orders)) in keys.iter().zip(&ways) {
            for (key, &[x, y, z]) in keys.iter().zip(*orders) {
                if *key == smallest {
                    self.add(
                        top,
                        [own[x], own[y], own[z], next[x], next[y], next[z], last[x], last[y], last[z]],
                    );
                }
            }
        }
    }

    /// Adds the candidates of mixed bands whose row 2 begins 457 189.
    fn swapped_digits(&mut self, lines: &Lines) {
        let mut mixed_pairs = [MixedPair::default(); 18];
        // Bit `3 * pair + stack` is set if the digit in the odd column of this stack (see the start of this file) is swapped with another
        // digit.
        let mut swapped = 0_u64;
        for (pair, ([a, b], mixed)) in pairs().zip(&mut mixed_pairs).enumerate() {
            // Swap a and b if necessary, so that f maps two columns of a stack to the next stack.
            let to_next = lines.thirds[a][1] & lines.thirds[b][0];
            let is_one = to_next & (to_next - 1) == 0;
            let (a, b) = (select_unpredictable(is_one, b, a), select_unpredictable(is_one, a, b));
            let (of_a, of_b) = (&lines.thirds[a], &lines.thirds[b]);
            let digits = [of_a[2] & of_b[0], of_a[0] & of_b[1], of_a[1] & of_b[2]]
                .map(|digit| digit.trailing_zeros() as usize & 15);
            let in_a = digits.map(|digit| lines.places[a][digit]);
            let in_b = digits.map(|digit| lines.places[b][digit]);
            let of_a = in_b.map(|column| lines.digits[a][usize::from(column & 15)]);
            let of_b = in_a.map(|column| lines.digits[b][usize::from(column & 15)]);
            for stack in 0..3 {
                swapped |= u64::from(of_a[stack] == of_b[stack]) << (3 * pair + stack);
            }
            *mixed = MixedPair { lines: [a as u8, b as u8], odd: [in_a, in_b], opposite: [of_b, of_a] };
        }
        // Each pair of swapped digits gives two forms: form number `2 * bit`, with line `a` as the first row, and form number
        // `2 * bit + 1`, with line `b`. In a third of the forms, f(fz) is y, so the seventh digit of row 2 is 2. If there are such forms,
        // only they can be candidates.
        let (mut forms, mut count) = ([0_u8; 128], 0);
        let mut rest = swapped;
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let (MixedPair { lines: [a, b], odd: [in_a, in_b], opposite }, stack) =
                (&mixed_pairs[bit / 3], bit % 3);
            let f = |first: &u8, digit: u8| lines.places[usize::from(*first)][usize::from(digit & 15)];
            // x, y and z are the columns of one stack. So f(fz) is y if the sum of x, z and f(fz) is the sum of the stack's columns.
            let previous = PREVIOUS[stack];
            let sum = in_a[stack] + in_b[previous] + f(a, opposite[0][previous]);
            forms[count & 127] = 2 * bit as u8;
            count += usize::from(sum == SUMS[previous]);
            let next = NEXT[stack];
            let sum = in_b[stack] + in_a[next] + f(b, opposite[1][next]);
            forms[count & 127] = 2 * bit as u8 + 1;
            count += usize::from(sum == SUMS[stack]);
        }
        if count == 0 {
            for number in (0..108).filter(|number| swapped >> (number / 2) & 1 == 1) {
                forms[count] = number;
                count += 1;
            }
        }
        let forms = &forms[..count & 127];
        let form = |number: u8| {
            let (bit, first) = (usize::from(number / 2), usize::from(number % 2));
            let (mixed, stack) = (&mixed_pairs[bit / 3], bit % 3);
            // If b is the first row, f is inverted, and maps two columns of a stack to the previous stack.
            let before = [PREVIOUS, NEXT][first][stack];
            let (of_first, of_second) = (&mixed.odd[first], &mixed.odd[1 - first]);
            Swapped {
                first: mixed.lines[first],
                second: mixed.lines[1 - first],
                x: of_first[stack],
                z: of_second[before],
                fx: of_second[stack],
                fz: of_first[before],
            }
        };
        let mut keys = [0; 128];
        for (key, &number) in keys.iter_mut().zip(forms) {
            *key = lines.key(&form(number));
            self.smallest = self.smallest.min(*key);
        }
        for (key, &number) in keys.iter().zip(forms) {
            if *key == self.smallest {
                self.candidates.push(lines.candidate(&form(number)));
            }
        }
    }

    /// Adds the candidates of mixed bands without swapped digits. About one in 60,000 grids without a whole band needs this, so it may be
    /// slow.
    fn mixed_bands(&mut self, lines: &Lines) {
        for [a, b] in pairs() {
            self.mixed_pair(&lines.top(a, b));
            self.mixed_pair(&lines.top(b, a));
        }
    }

    fn mixed_pair(&mut self, top: &Top) {
        for stack in [0, 3, 6] {
            for [x, y, z] in ORDERS.map(|order| order.map(|place| stack + place as u8)) {
                let (fx, fy, fz) = (top.f(x), top.f(y), top.f(z));
                if fx / 3 != fy / 3 {
                    continue;
                }
                let label = |column| [x, y, z].iter().position(|&first| first == top.f(column));
                // Row 2 begins with 457 d89 or 457 89d, where d is 1, 2 or 3. Orders that give 457 8d9 are skipped, because row 2 becomes
                // smaller if x and y are swapped.
                let middle = match [fx, fy, other(fx, fy)].map(label) {
                    [Some(place), _, _] => 1 + place as u16,
                    [_, _, Some(place)] => 9 + place as u16,
                    _ => continue,
                };
                let columns = mixed_columns(top, [x, z], [fx, fz], middle);
                if self.accepts(mixed_key(top, &columns, middle)) {
                    self.add(top, columns);
                }
            }
        }
    }

    /// Returns whether a key is at most the smallest key so far. If it is smaller, it becomes the smallest, and the candidates are removed.
    fn accepts(&mut self, key: u16) -> bool {
        if key < self.smallest {
            self.smallest = key;
            self.candidates.clear();
        }
        key == self.smallest
    }

    fn add(&mut self, top: &Top, columns: [u8; 9]) {
        let (first, second) = (top.first as u8, top.second as u8);
        self.candidates.push(Candidate { first, second, columns, labels: 0 });
    }
}

/// Returns the columns of a form whose row 2 begins with 457, given x and z and the columns to which f maps them. If `middle` is below 8,
/// the digit `middle` comes next in row 2, before 8 and 9. Otherwise the digit `middle - 8` comes after 8 and 9.
#[inline(always)]
fn mixed_columns(top: &Top, [x, z]: [u8; 2], [fx, fz]: [u8; 2], middle: u16) -> [u8; 9] {
    let y = other(x, z);
    let fy = top.f(y);
    let eight = top.f(if middle < 8 { fy } else { fx });
    [x, y, z, fx, fy, other(fx, fy), fz, eight, other(fz, eight)]
}

/// Returns the key of the form with these columns, which [`mixed_columns`] returned for `middle`.
#[inline(always)]
fn mixed_key(top: &Top, &[x, y, z, _, _, rest, fz, eight, _]: &[u8; 9], middle: u16) -> u16 {
    let [seventh, eighth] = [fz, eight].map(|column| position(top.f(column), [x, y, z]));
    let [first, second] = [x, y].map(|column| position(top.g(column), [rest, eight]));
    middle << 8 | seventh << 6 | eighth << 4 | first << 2 | second
}

/// Returns the position of a column among `columns`, or `N` if it is not there.
#[inline(always)]
fn position<const N: usize>(column: u8, columns: [u8; N]) -> u16 {
    let (mut position, mut is_absent) = (0, true);
    for other in columns {
        is_absent &= column != other;
        position += u16::from(is_absent);
    }
    position
}

/// Returns all pairs of lines that are in the same band or stack.
fn pairs() -> impl Iterator<Item = [usize; 2]> {
    BANDS.into_iter().flat_map(pairs_of)
}

/// Returns the pairs of lines in a band.
fn pairs_of(band: usize) -> [[usize; 2]; 3] {
    PAIRS.map(|pair| pair.map(|line| band + line))
}

/// Returns the line of the band that is neither `first` nor `second`.
fn third(first: usize, second: usize) -> usize {
    first / 3 * 9 + 3 - first - second
}

/// Returns the column of the stack that is neither `a` nor `b`.
fn other(a: u8, b: u8) -> u8 {
    a / 3 * 9 + 3 - a - b
}

fn sorted([a, b, c]: [u16; 3]) -> [u16; 3] {
    let (a, b) = (a.min(b), a.max(b));
    let (b, c) = (b.min(c), b.max(c));
    [a.min(b), a.max(b), c]
}

impl Top<'_> {
    /// Returns the column where the first row has the digit that the second row has in `column`.
    fn f(&self, column: u8) -> u8 {
        self.places[usize::from(self.second_row[usize::from(column & 15)] & 15)]
    }

    /// Returns the entry of [`ENDINGS`] for `stack` as the first stack. `twice` are the columns to which f, applied twice, maps the first
    /// two columns of `stack`.
    fn ending(&self, stack: u8, twice: [u8; 2]) -> (u16, &'static [[usize; 3]]) {
        let [first, second] = twice.map(|column| usize::from(self.f(column) - stack));
        ENDINGS[3 * first + second]
    }

    /// Returns the column where the first row has the digit that the third row has in `column`.
    fn g(&self, column: u8) -> u8 {
        self.places[usize::from(self.third_row[usize::from(column & 15)] & 15)]
    }
}

impl Candidate {
    fn third(&self) -> usize {
        third(usize::from(self.first), usize::from(self.second))
    }
}

impl Lines {
    fn new(values: &[u8; CELLS]) -> Option<Lines> {
        let mut lines = Lines { digits: [[0; 16]; 18], places: [[0; 16]; 18], thirds: [[0; 3]; 18] };
        for row in 0..9 {
            for column in 0..9 {
                let digit = values[row * 9 + column] & 15;
                lines.digits[row][column] = digit;
                lines.digits[9 + column][row] = digit;
                lines.places[row][usize::from(digit)] = column as u8;
                lines.places[9 + column][usize::from(digit)] = row as u8;
                lines.thirds[row][column / 3] |= 1 << digit;
                lines.thirds[9 + column][row / 3] |= 1 << digit;
            }
        }
        let mut seen = ALL;
        for line in &lines.thirds {
            seen &= line[0] | line[1] | line[2];
        }
        for [a, b, c] in lines.thirds[..9].as_chunks().0 {
            for stack in 0..3 {
                seen &= a[stack] | b[stack] | c[stack];
            }
        }
        (seen == ALL).then_some(lines)
    }

    /// Returns whether the band of the lines `a` and `b` is whole. Any two lines of a band give the same result.
    fn is_whole(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.thirds[a], &self.thirds[b]);
        b[0] == a[1] || b[0] == a[2]
    }

    fn top(&self, first: usize, second: usize) -> Top<'_> {
        let third = third(first, second);
        let [second_row, third_row] = [&self.digits[second], &self.digits[third]];
        Top { first, second, places: &self.places[first], second_row, third_row }
    }

    /// Returns the key of a form with swapped digits.
    #[inline(always)]
    fn key(&self, &Swapped { first, second, x, z, fx, fz }: &Swapped) -> u16 {
        let top = self.top(usize::from(first), usize::from(second));
        mixed_key(&top, &mixed_columns(&top, [x, z], [fx, fz], 1), 1)
    }

    fn candidate(&self, &Swapped { first, second, x, z, fx, fz }: &Swapped) -> Candidate {
        let top = self.top(usize::from(first), usize::from(second));
        Candidate { first, second, columns: mixed_columns(&top, [x, z], [fx, fz], 1), labels: 0 }
    }

    fn labels(&self, candidate: &Candidate) -> u64 {
        let digits = &self.digits[usize::from(candidate.first)];
        let columns = candidate.columns.iter().map(|&column| digits[usize::from(column & 15)]);
        (1..).zip(columns).fold(0, |labels, (label, digit)| labels | label << (4 * digit))
    }

    /// Returns a line as a row of the form: nine labels of four bits each, the first column in the highest bits.
    fn read(&self, line: usize, candidate: &Candidate) -> u64 {
        let digits = &self.digits[line];
        candidate.columns.iter().fold(0, |row, &column| {
            let digit = digits[usize::from(column & 15)];
            row << 4 | candidate.labels >> (4 * digit) & 15
        })
    }

    /// Returns the lines that become rows 4 to 9, ordered by their labels in the first column: first the rows within each band, then the
    /// two bands.
    fn last_rows(&self, candidate: &Candidate) -> [u8; 6] {
        let first = usize::from(candidate.first);
        let (rows_or_columns, own) = (first / 9 * 9, first / 3);
        let column = usize::from(candidate.columns[0] & 15);
        let [a, b] = [(own + 1) % 3, (own + 2) % 3].map(|band| {
            let line = rows_or_columns + band * 3;
            sorted([line, line + 1, line + 2].map(|line| {
                let label = candidate.labels >> (4 * self.digits[line][column]) & 15;
                (label as u16) << 8 | line as u16
            }))
        });
        let [[a, b, c], [d, e, f]] = if a < b { [a, b] } else { [b, a] };
        [a, b, c, d, e, f].map(|row| row as u8)
    }

    fn transformation(&self, candidate: &Candidate) -> Transformation {
        let [d, e, f, g, h, i] = self.last_rows(candidate);
        let rows = [candidate.first, candidate.second, candidate.third() as u8, d, e, f, g, h, i];
        let values = std::array::from_fn(|digit| (candidate.labels >> (4 * digit) & 15) as u8);
        Transformation::new(candidate.first >= 9, &rows.map(|line| line % 9), &candidate.columns, &values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Puzzle;
    use crate::random::Random;
    use crate::solver::solve_simply;
    use std::collections::BTreeMap;

    /// Makes a grid from random boxes on the diagonal, completed and shuffled.
    fn grid(random: &mut Random) -> [u8; CELLS] {
        let mut values = [0; CELLS];
        for corner in [0, 30, 60] {
            let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
            random.shuffle(&mut digits);
            (0..9).for_each(|place| values[corner + place / 3 * 9 + place % 3] = digits[place]);
        }
        let grid = solve_simply(&Puzzle::try_from(values).unwrap()).solution.unwrap();
        *Transformation::random(random).apply_to_solution(&grid).values()
    }

    /// Tries all orders of the columns. Returns each combination of row 2 and the start of row 3, with the number of orders that give it.
    fn by_all_orders(top: &Top) -> BTreeMap<(u64, u64), usize> {
        let mut rows = BTreeMap::new();
        for order in 0..1_296 {
            let columns: [u8; 9] = std::array::from_fn(|at| {
                let within = [order / 36 % 6, order / 6 % 6, order % 6][at / 3];
                (ORDERS[order / 216][at / 3] * 3 + ORDERS[within][at % 3]) as u8
            });
            let label = |column| 1 + columns.iter().position(|&at| at == column).unwrap() as u64;
            let second = columns.iter().fold(0, |row, &column| row * 10 + label(top.f(column)));
            let third = columns[..3].iter().fold(0, |row, &column| row * 10 + label(top.g(column)));
            *rows.entry((second, third)).or_default() += 1;
        }
        rows
    }

    #[test]
    fn two_lines_give_the_same_rows_as_all_orders_of_the_columns() {
        let (mut random, mut beginnings) = (Random::new(457), BTreeMap::new());
        for _ in 0..60 {
            let lines = Lines::new(&grid(&mut random)).unwrap();
            for [a, b] in pairs() {
                let tops = [lines.top(a, b), lines.top(b, a)];
                let mut search = Search { smallest: u16::MAX, ..Search::default() };
                if lines.is_whole(a, b) {
                    search.whole_pair(&lines, a, b);
                } else {
                    tops.iter().for_each(|top| search.mixed_pair(top));
                }
                let mut all = by_all_orders(&tops[0]);
                by_all_orders(&tops[1])
                    .into_iter()
                    .for_each(|(rows, count)| *all.entry(rows).or_default() += count);
                let ((second, third), count) = all.pop_first().unwrap();
                *beginnings.entry(second / 1_000).or_insert(0) += 1;
                assert_eq!(search.candidates.len(), count, "{second}");
                for candidate in &mut search.candidates {
                    candidate.labels = lines.labels(candidate);
                    let digits = |row: u64| (0..9).rev().fold(0, |sum, at| sum * 10 + (row >> (4 * at) & 15));
                    assert_eq!(digits(lines.read(usize::from(candidate.second), candidate)), second);
                    assert_eq!(digits(lines.read(candidate.third(), candidate)) / 1_000_000, third);
                }
            }
        }
        let beginnings: Vec<_> = beginnings.into_keys().collect();
        assert_eq!(beginnings, [456_789, 457_189, 457_289, 457_389, 457_893]);
    }

    #[test]
    fn anything_but_a_filled_grid_is_refused() {
        let grid = grid(&mut Random::new(1));
        assert!(Lines::new(&grid).is_some());
        for cell in 0..CELLS {
            for value in (0..=9).filter(|&value| value != grid[cell]) {
                let mut other = grid;
                other[cell] = value;
                assert!(Lines::new(&other).is_none(), "{value} in cell {cell}");
            }
        }
        // Rows and columns are valid, boxes are not.
        let shifted = std::array::from_fn(|cell| ((cell / 9 + cell % 9) % 9 + 1) as u8);
        assert!(Lines::new(&shifted).is_none());
    }
}
