//! Of filled grids: row 1 is 123456789 in any case, so row 2 decides.
//!
//! ```text
//! a   . . . | . . . | . . .     row 1: any of the 18 lines, in any order of its columns
//! b   . . . | . . . | . . .     row 2: another line of its band
//!
//! f: column -> the column in which a has what b has here. It leads out of the stack; f of a stack's three columns lies
//!    in one other stack for all stacks of the band's lines, or for none:
//!
//! whole   a   1 2 3 | 4 5 6 | 7 8 9     the columns of the first stack decide the others: f of them, and f of those.
//!         b   4 5 6 | 7 8 9 | . . .     f thrice permutes the first stack: what is free is 123 where each column comes to
//!                                       itself, 132 where one does, 231 where none does.
//! mixed   a   x y z |       |           two columns of a stack lead to the next one (majority), and one to the third
//!         b   4 5 7 | . . . | . . .     (minority). f(x) f(y) come next, then f(z); 8 and 9 as row 2 meets them.
//! ```
//! Whole bands win over mixed ones. Of mixed ones those rows win that hold the same two digits in two columns, swapped:
//! 457 189. Each candidate fixes all columns and labels: what is left is to compare.

use super::Found;
use crate::puzzle::CELLS;

/// The digits of a line, a bit for each.
const ALL: u16 = 0b11_1111_1110;
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The first lines of the bands, then of the stacks.
const BANDS: [usize; 6] = [0, 3, 6, 9, 12, 15];
const PAIRS: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];

/// The search, with its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    candidates: Vec<Candidate>,
    /// What row 2, and row 3 in the first stack, of all of them are: smaller if they are.
    smallest: u16,
}

/// Rows 1 and 2, and the order of the columns.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    first: u8,
    second: u8,
    columns: [u8; 9],
}

/// The nine rows, then the nine columns, each as a line of nine places.
struct Lines {
    digits: [[u8; 16]; 18],
    /// Where a digit is.
    places: [[u8; 16]; 18],
    /// The digits of each third of a line, a bit for each.
    thirds: [[u16; 3]; 18],
}

impl Search {
    /// `None` where it is no filled grid, or its digits contradict each other.
    pub(super) fn smallest(&mut self, values: &[u8; CELLS]) -> Option<Found> {
        let lines = Lines::of(values)?;
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
                let labels = lines.labels(candidate);
                lines.read(candidate.third(), candidate, labels)
            });
        }
        if self.candidates.len() > 1 {
            self.keep_smallest(|candidate| {
                let labels = lines.labels(candidate);
                let rows = lines.last_rows(candidate, labels);
                rows.map(|row| lines.read(usize::from(row), candidate, labels))
            });
        }
        Some(lines.found(&self.candidates[0], self.candidates.len() as u32))
    }

    /// Keeps those whose key is the smallest.
    fn keep_smallest<K: Ord>(&mut self, key: impl Fn(&Candidate) -> K) {
        let mut smallest = key(&self.candidates[0]);
        let mut kept = 1;
        for at in 1..self.candidates.len() {
            let candidate = self.candidates[at];
            let key = key(&candidate);
            if key > smallest {
                continue;
            }
            if key < smallest {
                smallest = key;
                kept = 0;
            }
            self.candidates[kept] = candidate;
            kept += 1;
        }
        self.candidates.truncate(kept);
    }

    /// Row 2 is 456 789 and 123, 132 or 231.
    fn whole_bands(&mut self, lines: &Lines) {
        for band in BANDS {
            let (a, b) = (&lines.thirds[band], &lines.thirds[band + 1]);
            if b[0] == a[1] || b[0] == a[2] {
                for [a, b] in PAIRS {
                    self.whole(lines, band + a, band + b);
                }
            }
        }
    }

    fn whole(&mut self, lines: &Lines, a: usize, b: usize) {
        let f = lines.follow(a, b);
        let round = [0, 1].map(|column| f(f(f(column))));
        let class = match round {
            [0, 1] => 0,
            [0, 2] | [1, 0] | [2, 1] => 1,
            _ => 2,
        };
        if class > self.smallest >> 4 {
            return;
        }
        // The same class both ways: one permutation is the inverse of the other.
        for (first, second) in [(a, b), (b, a)] {
            let f = lines.follow(first, second);
            for stack in [0, 3, 6] {
                let own = [0, 1, 2].map(|place| stack + place);
                let next = own.map(&f);
                let last = next.map(&f);
                let round = last.map(|column| f(column) - stack);
                let orders: &[[usize; 3]] = match round {
                    [0, 1, _] => &ORDERS,
                    [0, 2, _] => &[[0, 1, 2], [0, 2, 1]],
                    [2, 1, _] => &[[1, 0, 2], [1, 2, 0]],
                    [1, 0, _] => &[[2, 0, 1], [2, 1, 0]],
                    [1, 2, _] => &[[0, 1, 2], [1, 2, 0], [2, 0, 1]],
                    _ => &[[0, 2, 1], [2, 1, 0], [1, 0, 2]],
                };
                for &[x, y, z] in orders {
                    self.offer(lines, [first, second], class, [own[x], own[y]], [last[x], last[y]], || {
                        [own[x], own[y], own[z], next[x], next[y], next[z], last[x], last[y], last[z]]
                    });
                }
            }
        }
    }

    /// Takes a candidate whose row 2 is not larger. Row 3 begins with three labels in an order that is open: those of the columns
    /// `least`, `middle` and another.
    #[inline(always)]
    fn offer(
        &mut self,
        lines: &Lines,
        [first, second]: [usize; 2],
        row: u16,
        [x, y]: [u8; 2],
        [least, middle]: [u8; 2],
        columns: impl FnOnce() -> [u8; 9],
    ) {
        let g = lines.follow(first, third(first, second));
        let label = |column| {
            let from = g(column);
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
        self.candidates.push(Candidate { first: first as u8, second: second as u8, columns: columns() });
    }

    /// Row 2 is 457 189 and three others.
    fn swapped_digits(&mut self, lines: &Lines) {
        // Collected without a branch, for which are swapped no processor foresees.
        let (mut odd_ones, mut hits, mut count) = ([([0; 2], [0; 3], [0; 3]); 18], [(0, 0); 64], 0);
        let pairs = BANDS.into_iter().flat_map(|band| PAIRS.map(|[a, b]| (band + a, band + b)));
        for (at, ((a, b), odd_ones)) in pairs.zip(&mut odd_ones).enumerate() {
            let [of_a, of_b] = [&lines.thirds[a], &lines.thirds[b]];
            let some = of_a[0] & of_b[1];
            let (a, b, of_a, of_b) =
                if some & (some - 1) == 0 { (a, b, of_a, of_b) } else { (b, a, of_b, of_a) };
            let odd = [of_a[2] & of_b[0], of_a[0] & of_b[1], of_a[1] & of_b[2]]
                .map(|digit| digit.trailing_zeros() as usize & 15);
            let in_a = odd.map(|digit| lines.places[a][digit]);
            let in_b = odd.map(|digit| lines.places[b][digit]);
            *odd_ones = ([a, b], in_a, in_b);
            for stack in 0..3 {
                let (x, p) = (in_a[stack], in_b[stack]);
                hits[count & 63] = (at, stack);
                count +=
                    usize::from(lines.digits[b][usize::from(x & 15)] == lines.digits[a][usize::from(p & 15)]);
            }
        }
        for &(at, stack) in &hits[..count] {
            let ([a, b], in_a, in_b) = odd_ones[at];
            let (x, p) = (in_a[stack], in_b[stack]);
            let (before, after) = ((stack + 2) % 3, (stack + 1) % 3);
            self.mixed(lines, a, b, [x, other(x, in_b[before]), in_b[before]], [p, in_a[before]], 1);
            self.mixed(lines, b, a, [p, other(p, in_a[after]), in_a[after]], [x, in_b[after]], 1);
        }
    }

    /// Row 2 is 457 and six others.
    fn mixed_bands(&mut self, lines: &Lines) {
        for (a, b) in BANDS.into_iter().flat_map(|band| PAIRS.map(|[a, b]| (band + a, band + b))) {
            for (first, second) in [(a, b), (b, a)] {
                let f = lines.follow(first, second);
                for stack in [0, 3, 6] {
                    for [x, y, z] in ORDERS.map(|order| order.map(|place| stack + place as u8)) {
                        let (fx, fy, fz) = (f(x), f(y), f(z));
                        if fx / 3 != fy / 3 {
                            continue;
                        }
                        let rest = other(fx, fy);
                        let label = |column| match f(column) {
                            from if from == x => 1,
                            from if from == y => 2,
                            from if from == z => 3,
                            _ => 10,
                        };
                        // 457 d89, 457 89d, or what is larger the other way round.
                        let middle = match [fx, fy, rest].map(label) {
                            [d @ 1..4, _, _] => d,
                            [_, _, d @ 1..4] => 8 + d,
                            _ => continue,
                        };
                        self.mixed(lines, first, second, [x, y, z], [fx, fz], middle);
                    }
                }
            }
        }
    }

    /// A candidate of which row 2 is 457, then the digit `middle` before 8 and 9, or `middle - 8` behind them.
    #[inline(always)]
    fn mixed(
        &mut self,
        lines: &Lines,
        first: usize,
        second: usize,
        [x, y, z]: [u8; 3],
        [fx, fz]: [u8; 2],
        middle: u16,
    ) {
        let f = lines.follow(first, second);
        let fy = f(y);
        let label = |column| match f(column) {
            from if from == x => 1,
            from if from == y => 2,
            from if from == z => 3,
            _ => 6,
        };
        let rest = other(fx, fy);
        let eight = f(if middle < 8 { fy } else { fx });
        let row = middle << 8 | label(fz) << 4 | label(eight);
        self.offer(lines, [first, second], row, [x, y], [rest, eight], || {
            [x, y, z, fx, fy, rest, fz, eight, other(fz, eight)]
        });
    }
}

/// The third column of a stack.
fn other(a: u8, b: u8) -> u8 {
    a / 3 * 9 + 3 - a - b
}

fn sorted([a, b, c]: [u16; 3]) -> [u16; 3] {
    let (a, b) = (a.min(b), a.max(b));
    let (b, c) = (b.min(c), b.max(c));
    [a.min(b), a.max(b), c]
}

/// The line that is left of a band.
fn third(first: usize, second: usize) -> usize {
    first / 3 * 9 + 3 - first - second
}

impl Candidate {
    fn third(&self) -> usize {
        third(usize::from(self.first), usize::from(self.second))
    }
}

impl Lines {
    fn of(values: &[u8; CELLS]) -> Option<Lines> {
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
        let mut all = ALL;
        for line in &lines.thirds {
            all &= line[0] | line[1] | line[2];
        }
        for band in 0..3 {
            for stack in 0..3 {
                let [a, b, c] = [0, 1, 2].map(|row| lines.thirds[band * 3 + row][stack]);
                all &= a | b | c;
            }
        }
        (all == ALL).then_some(lines)
    }

    /// f: the column in which the first line has what the second has in a column.
    fn follow(&self, first: usize, second: usize) -> impl Fn(u8) -> u8 {
        let (places, digits) = (&self.places[first], &self.digits[second]);
        |column| places[usize::from(digits[usize::from(column & 15)] & 15)]
    }

    /// The label of each digit, four bits wide.
    fn labels(&self, candidate: &Candidate) -> u64 {
        let digits = &self.digits[usize::from(candidate.first)];
        let columns = candidate.columns.iter().map(|&column| digits[usize::from(column & 15)]);
        (1..).zip(columns).fold(0, |labels, (label, digit)| labels | label << (4 * digit))
    }

    /// A row of the form, each label four bits wide.
    fn read(&self, line: usize, candidate: &Candidate, labels: u64) -> u64 {
        let digits = &self.digits[line];
        candidate.columns.iter().fold(0, |row, &column| {
            let digit = digits[usize::from(column & 15)];
            row << 4 | labels >> (4 * digit) & 15
        })
    }

    /// The rows of the other bands by their labels in the first column.
    fn last_rows(&self, candidate: &Candidate, labels: u64) -> [u8; 6] {
        let first = usize::from(candidate.first);
        let across = if first < 9 { 0 } else { 9 };
        let column = usize::from(candidate.columns[0]);
        let own = first / 3;
        let [a, b] = [(own + 1) % 3, (own + 2) % 3].map(|band| {
            let line = across + band * 3;
            sorted([line, line + 1, line + 2].map(|line| {
                let label = labels >> (4 * self.digits[line][column & 15]) & 15;
                (label as u16) << 8 | line as u16
            }))
        });
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        [a[0], a[1], a[2], b[0], b[1], b[2]].map(|row| row as u8)
    }

    fn found(&self, candidate: &Candidate, automorphisms: u32) -> Found {
        let labels = self.labels(candidate);
        let last = self.last_rows(candidate, labels);
        let [a, b, c] = [candidate.first, candidate.second, candidate.third() as u8];
        let rows = [a, b, c, last[0], last[1], last[2], last[3], last[4], last[5]];
        Found {
            transposes: candidate.first >= 9,
            rows: rows.map(|line| line % 9),
            columns: candidate.columns,
            values: std::array::from_fn(|digit| (labels >> (4 * digit) & 15) as u8),
            automorphisms,
        }
    }
}
