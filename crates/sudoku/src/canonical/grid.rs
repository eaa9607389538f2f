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
//! maps the first stack's columns. These digits are 123 if each column maps to itself (for all 6 orders of the columns), 132 if one column
//! does (for 2 orders), and 231 if none does (for 3 orders).
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

use crate::isomorph::Transformation;
use crate::puzzle::CELLS;

/// All digits of a line, a bit for each.
const ALL: u16 = 0b11_1111_1110;
/// The first line of each band, then of each stack.
const BANDS: [usize; 6] = [0, 3, 6, 9, 12, 15];
/// The pairs of lines in a band.
const PAIRS: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

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

    fn whole_bands(&mut self, lines: &Lines) {
        for band in BANDS {
            if lines.is_whole(band, band + 1) {
                PAIRS.iter().for_each(|[a, b]| self.whole_pair(lines, band + a, band + b));
            }
        }
    }

    fn whole_pair(&mut self, lines: &Lines, a: usize, b: usize) {
        // In a whole band, row 2 begins with 456 789. Its last three digits do not depend on which of the two lines is row 1 (swapping a
        // and b inverts f), nor on which stack is the first.
        let top = lines.top(a, b);
        let row = match [0, 1].map(|column| top.f(top.f(top.f(column)))) {
            [0, 1] => 0,
            [0, 2] | [1, 0] | [2, 1] => 1,
            _ => 2,
        };
        if row > self.smallest >> 4 {
            return;
        }
        for top in [top, lines.top(b, a)] {
            for stack in [0, 3, 6] {
                let own = [stack, stack + 1, stack + 2];
                let next = own.map(|column| top.f(column));
                let last = next.map(|column| top.f(column));
                let orders: &[[usize; 3]] = match last.map(|column| top.f(column) - stack) {
                    [0, 1, _] => &ORDERS,
                    [0, 2, _] => &[[0, 1, 2], [0, 2, 1]],
                    [2, 1, _] => &[[1, 0, 2], [1, 2, 0]],
                    [1, 0, _] => &[[2, 0, 1], [2, 1, 0]],
                    [1, 2, _] => &[[0, 1, 2], [1, 2, 0], [2, 0, 1]],
                    _ => &[[0, 2, 1], [2, 1, 0], [1, 0, 2]],
                };
                for &[x, y, z] in orders {
                    self.offer(&top, row, [own[x], own[y]], [last[x], last[y]], || {
                        [own[x], own[y], own[z], next[x], next[y], next[z], last[x], last[y], last[z]]
                    });
                }
            }
        }
    }

    /// Adds the candidates of mixed bands whose row 2 begins 457 189.
    fn swapped_digits(&mut self, lines: &Lines) {
        // For each pair of lines: the lines a and b, and the places of three digits. These are the digits in the odd columns of b, one for
        // each stack. First come their places in a, then their places in b.
        let mut odd_digits = [([0; 2], [0; 3], [0; 3]); 18];
        // The swapped digits, each as a pair of lines and a stack. They are collected without branches, because the processor could not
        // predict them.
        let (mut swapped, mut count) = ([(0, 0); 64], 0);
        for (pair, ([a, b], odd_digits)) in pairs().zip(&mut odd_digits).enumerate() {
            // Swap a and b if necessary, so that f maps two columns of a stack to the next stack.
            let to_next = lines.thirds[a][1] & lines.thirds[b][0];
            let [a, b] = if to_next & (to_next - 1) == 0 { [b, a] } else { [a, b] };
            let (of_a, of_b) = (&lines.thirds[a], &lines.thirds[b]);
            let digits = [of_a[2] & of_b[0], of_a[0] & of_b[1], of_a[1] & of_b[2]]
                .map(|digit| digit.trailing_zeros() as usize & 15);
            let in_a = digits.map(|digit| lines.places[a][digit]);
            let in_b = digits.map(|digit| lines.places[b][digit]);
            *odd_digits = ([a, b], in_a, in_b);
            for stack in 0..3 {
                let [of_a, of_b] = [(a, in_b[stack]), (b, in_a[stack])]
                    .map(|(line, column)| lines.digits[line][usize::from(column & 15)]);
                swapped[count & 63] = (pair, stack);
                count += usize::from(of_a == of_b);
            }
        }
        for &(pair, stack) in &swapped[..count] {
            let ([a, b], in_a, in_b) = odd_digits[pair];
            let (x, fx) = (in_a[stack], in_b[stack]);
            let before = (stack + 2) % 3;
            self.offer_mixed(&lines.top(a, b), [x, in_b[before]], [fx, in_a[before]], 1);
            // If b is the first row, f is inverted, and maps two columns of a stack to the previous stack.
            let after = (stack + 1) % 3;
            self.offer_mixed(&lines.top(b, a), [fx, in_a[after]], [x, in_b[after]], 1);
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
                    [Some(digit), _, _] => digit,
                    [_, _, Some(digit)] => 8 + digit,
                    _ => continue,
                };
                self.offer_mixed(top, [x, z], [fx, fz], 1 + middle as u16);
            }
        }
    }

    /// Offers a candidate whose row 2 begins with 457. If `middle` is below 8, the digit `middle` comes next, before 8 and 9. Otherwise the
    /// digit `middle - 8` comes after 8 and 9.
    #[inline(always)]
    fn offer_mixed(&mut self, top: &Top, [x, z]: [u8; 2], [fx, fz]: [u8; 2], middle: u16) {
        let y = other(x, z);
        let fy = top.f(y);
        let rest = other(fx, fy);
        let eight = top.f(if middle < 8 { fy } else { fx });
        let label = |column| match top.f(column) {
            from if from == x => 1,
            from if from == y => 2,
            from if from == z => 3,
            _ => 6,
        };
        let row = middle << 8 | label(fz) << 4 | label(eight);
        self.offer(top, row, [x, y], [rest, eight], || [x, y, z, fx, fy, rest, fz, eight, other(fz, eight)]);
    }

    /// Adds a candidate unless its key is larger than the smallest key so far. `row` stands for row 2 in the key: a larger row 2 has a
    /// larger `row`. The first three digits of row 3 are the labels of the columns `least` (the smallest label), `middle`, and a third
    /// column (the largest label), in some order.
    #[inline(always)]
    fn offer(
        &mut self,
        top: &Top,
        row: u16,
        [x, y]: [u8; 2],
        [least, middle]: [u8; 2],
        columns: impl FnOnce() -> [u8; 9],
    ) {
        let label = |column| {
            let from = top.g(column);
            u16::from(from != least) + u16::from(from != least && from != middle)
        };
        let key = row << 4 | label(x) << 2 | label(y);
        if key > self.smallest {
            return;
        }
        if key < self.smallest {
            self.smallest = key;
            self.candidates.clear();
        }
        let (first, second) = (top.first as u8, top.second as u8);
        self.candidates.push(Candidate { first, second, columns: columns(), labels: 0 });
    }
}

/// Returns all pairs of lines that are in the same band or stack.
fn pairs() -> impl Iterator<Item = [usize; 2]> {
    BANDS.into_iter().flat_map(|band| PAIRS.map(|pair| pair.map(|line| band + line)))
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
    use crate::solver::solve;
    use std::collections::BTreeMap;

    /// Makes a grid from random boxes on the diagonal, completed and shuffled.
    fn grid(random: &mut Random) -> [u8; CELLS] {
        let mut values = [0; CELLS];
        for corner in [0, 30, 60] {
            let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
            random.shuffle(&mut digits);
            (0..9).for_each(|place| values[corner + place / 3 * 9 + place % 3] = digits[place]);
        }
        let grid = solve(&Puzzle::try_from(values).unwrap()).solution.unwrap();
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
