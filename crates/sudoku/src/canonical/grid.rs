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

/// The search, with its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    candidates: Vec<Candidate>,
}

/// Rows 1 and 2, and the order of the columns.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    first: u8,
    second: u8,
    columns: [u8; 9],
    /// The label of each digit, four bits wide.
    labels: u64,
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
        self.whole_bands(&lines);
        if self.candidates.is_empty() {
            self.swapped_digits(&lines);
        }
        if self.candidates.is_empty() {
            self.mixed_bands(&lines);
        }
        self.keep_smallest(|candidate| lines.read(candidate, candidate.third()));
        self.keep_smallest(|candidate| {
            lines.last_rows(candidate).map(|row| lines.read(candidate, usize::from(row)))
        });
        let found = self.candidates[0];
        Some(lines.found(&found, self.candidates.len() as u32))
    }

    /// Keeps those whose key is the smallest.
    fn keep_smallest<K: Ord>(&mut self, key: impl Fn(&Candidate) -> K) {
        if self.candidates.len() == 1 {
            return;
        }
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
        // More than any.
        let mut smallest = 3;
        for (first, second) in pairs() {
            let (a, b) = (&lines.thirds[first], &lines.thirds[second]);
            if b[0] != a[1] && b[0] != a[2] {
                continue;
            }
            let f = |column| lines.followed(first, second, column);
            let thrice = |column| f(f(f(column)));
            let own = (0..3).filter(|&column| thrice(column) == column).count();
            let class = [2, 1, 3, 0][own];
            if class > smallest {
                continue;
            }
            if class < smallest {
                smallest = class;
                self.candidates.clear();
            }
            for [x, y, z] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                for stack in [0, 3, 6] {
                    let [x, y, z] = [stack + x, stack + y, stack + z];
                    let fits = match class {
                        0 => true,
                        1 => thrice(x) == x,
                        _ => thrice(x) == y,
                    };
                    if fits {
                        let next = [f(x), f(y), f(z)];
                        let last = next.map(f);
                        let columns = [x, y, z, next[0], next[1], next[2], last[0], last[1], last[2]];
                        self.candidates.push(lines.candidate(first, second, columns));
                    }
                }
            }
        }
    }

    /// Row 2 is 457 189 and three others.
    fn swapped_digits(&mut self, lines: &Lines) {
        let mut smallest = u64::MAX;
        for (first, second) in pairs() {
            for stack in 0..3 {
                let pair = Mixed::of(lines, first, second, stack);
                if lines.followed(first, second, lines.followed(first, second, pair.p)) == pair.p {
                    self.mixed(lines, &pair, &mut smallest);
                }
            }
        }
    }

    /// Row 2 is 457 and six others.
    fn mixed_bands(&mut self, lines: &Lines) {
        let mut smallest = u64::MAX;
        for (first, second) in pairs() {
            for stack in 0..3 {
                self.mixed(lines, &Mixed::of(lines, first, second, stack), &mut smallest);
            }
        }
    }

    fn mixed(&mut self, lines: &Lines, pair: &Mixed, smallest: &mut u64) {
        let Mixed { first, second, s0, s1, s2, z, p } = *pair;
        let f = |column| lines.followed(first, second, column);
        let [mut x, mut y] = [s0 * 3 + (z + 1) % 3, s0 * 3 + (z + 2) % 3];
        let fp = f(p);
        if f(y) == p || (f(x) != p && fp == y) {
            std::mem::swap(&mut x, &mut y);
        }
        let both = f(x) != p && fp != x;
        for [x, y] in [[x, y], [y, x]].into_iter().take(1 + usize::from(both)) {
            let (fx, fy, fz) = (f(x), f(y), f(z));
            let rest = 9 * s1 + 3 - fx - fy;
            let eight = f(if fx == p { fy } else { fx });
            let nine = 9 * s2 + 3 - fz - eight;
            let candidate = lines.candidate(first, second, [x, y, z, fx, fy, rest, fz, eight, nine]);
            let row = lines.read(&candidate, second);
            if row > *smallest {
                continue;
            }
            if row < *smallest {
                *smallest = row;
                self.candidates.clear();
            }
            self.candidates.push(candidate);
        }
    }
}

/// Two lines of a mixed band, and a first stack.
struct Mixed {
    first: usize,
    second: usize,
    s0: usize,
    s1: usize,
    s2: usize,
    z: usize,
    p: usize,
}

impl Mixed {
    fn of(lines: &Lines, first: usize, second: usize, s0: usize) -> Mixed {
        let (a, b) = (&lines.thirds[first], &lines.thirds[second]);
        let (mut s1, mut s2) = ((s0 + 1) % 3, (s0 + 2) % 3);
        if (b[s0] & a[s1]).count_ones() == 1 {
            std::mem::swap(&mut s1, &mut s2);
        }
        let place = |digit: u16| usize::from(lines.places[second][digit.trailing_zeros() as usize & 15]);
        Mixed { first, second, s0, s1, s2, z: place(b[s0] & a[s2]), p: place(b[s1] & a[s0]) }
    }
}

/// Two lines of one band, in both orders.
fn pairs() -> impl Iterator<Item = (usize, usize)> {
    let of_band = |band: usize| {
        [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)].map(|(a, b)| (band * 3 + a, band * 3 + b))
    };
    (0..6).flat_map(of_band)
}

impl Candidate {
    /// The line that is left of the band.
    fn third(&self) -> usize {
        let (first, second) = (usize::from(self.first), usize::from(self.second));
        first / 3 * 9 + 3 - first - second
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

    /// The column in which the first line has what the second has in this one.
    fn followed(&self, first: usize, second: usize, column: usize) -> usize {
        let digit = self.digits[second][column & 15];
        usize::from(self.places[first][usize::from(digit & 15)])
    }

    fn candidate(&self, first: usize, second: usize, columns: [usize; 9]) -> Candidate {
        let digits = &self.digits[first];
        let labels = (1..)
            .zip(&columns)
            .fold(0, |labels, (label, &column)| labels | label << (4 * digits[column & 15]));
        Candidate {
            first: first as u8,
            second: second as u8,
            columns: columns.map(|column| column as u8),
            labels,
        }
    }

    /// A row as the candidate reads it, nine labels of four bits.
    fn read(&self, candidate: &Candidate, line: usize) -> u64 {
        let digits = &self.digits[line];
        candidate.columns.iter().fold(0, |row, &column| {
            let digit = digits[usize::from(column) & 15];
            row << 4 | candidate.labels >> (4 * digit) & 15
        })
    }

    /// The rows of the other bands by their labels in the first column.
    fn last_rows(&self, candidate: &Candidate) -> [u8; 6] {
        let first = usize::from(candidate.first);
        let across = if first < 9 { 0 } else { 9 };
        let column = usize::from(candidate.columns[0]);
        let own = first / 3;
        let mut bands = [(own + 1) % 3, (own + 2) % 3].map(|band| {
            let mut rows = [0, 1, 2].map(|row| {
                let line = across + band * 3 + row;
                ((candidate.labels >> (4 * self.digits[line][column & 15]) & 15) as u8, line as u8)
            });
            rows.sort_unstable();
            rows
        });
        bands.sort_unstable();
        std::array::from_fn(|at| bands[at / 3][at % 3].1)
    }

    fn found(&self, candidate: &Candidate, automorphisms: u32) -> Found {
        let last = self.last_rows(candidate);
        let [a, b, c] = [candidate.first, candidate.second, candidate.third() as u8];
        let rows = [a, b, c, last[0], last[1], last[2], last[3], last[4], last[5]];
        Found {
            transposes: candidate.first >= 9,
            rows: rows.map(|line| line % 9),
            columns: candidate.columns,
            values: std::array::from_fn(|digit| (candidate.labels >> (4 * digit) & 15) as u8),
            automorphisms,
        }
    }
}
