//! Finds the canonical form in an obviously correct way: tries all 3,359,232 orders of the cells. An order is given up at the first cell
//! that is larger than in the smallest form so far. Doesn't use the library's search.

use sudobench_sudoku::Puzzle;

const BLANK_ONLY: Labels = Labels { of: [0; 10], next: 1 };

/// The new digit of each digit of the puzzle; 0 if the digit hasn't occurred yet. The new digits are numbered in order of occurrence.
#[derive(Clone, Copy)]
struct Labels {
    of: [u8; 10],
    next: u8,
}

/// The smallest form so far. If a cell becomes smaller, the cells after it are unknown at first and hold 255.
struct Smallest {
    form: [u8; 81],
    orders: u32,
}

/// Returns the smallest form of a puzzle, and the number of cell orders that lead to it.
pub(crate) fn smallest_form(puzzle: &Puzzle) -> (Puzzle, u32) {
    let values = puzzle.values();
    let mut smallest = Smallest { form: [u8::MAX; 81], orders: 0 };
    for columns in orders_of_lines() {
        let upright = |row: usize| columns.map(|column| values[row * 9 + column]);
        let transposed = |row: usize| columns.map(|column| values[column * 9 + row]);
        smallest.extend(&std::array::from_fn(upright), &mut Vec::new(), BLANK_ONLY);
        smallest.extend(&std::array::from_fn(transposed), &mut Vec::new(), BLANK_ONLY);
    }
    (Puzzle::try_from(smallest.form).unwrap(), smallest.orders)
}

impl Smallest {
    /// Tries all rows that may follow the rows in `order`, and all orders of the rows after them.
    fn extend(&mut self, rows: &[[u8; 9]; 9], order: &mut Vec<usize>, labels: Labels) {
        if order.len() == 9 {
            self.orders += 1;
        }
        for row in 0..9 {
            let starts_band = order.len().is_multiple_of(3);
            let may_follow = !order.contains(&row) && (starts_band || order[order.len() - 1] / 3 == row / 3);
            if may_follow && let Some(labels) = self.take(order.len() * 9, &rows[row], labels) {
                order.push(row);
                self.extend(rows, order, labels);
                order.pop();
            }
        }
    }

    /// Compares a row with the nine cells of the form that start at `first`. If the row is smaller, it replaces these cells. Returns `None`
    /// if the row is larger.
    fn take(&mut self, first: usize, row: &[u8; 9], mut labels: Labels) -> Option<Labels> {
        for (cell, &value) in (first..).zip(row) {
            let label = &mut labels.of[usize::from(value)];
            if value != 0 && *label == 0 {
                *label = labels.next;
                labels.next += 1;
            }
            if *label > self.form[cell] {
                return None;
            }
            if *label < self.form[cell] {
                self.form[cell] = *label;
                self.form[cell + 1..].fill(u8::MAX);
                self.orders = 0;
            }
        }
        Some(labels)
    }
}

/// Returns the 1,296 orders of nine rows (or columns) that keep bands (or stacks) together.
fn orders_of_lines() -> impl Iterator<Item = [usize; 9]> {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    (0..1_296).map(|number| {
        let of_bands = ORDERS[number / 216];
        let within = [number / 36 % 6, number / 6 % 6, number % 6];
        std::array::from_fn(|place| of_bands[place / 3] * 3 + ORDERS[within[place / 3]][place % 3])
    })
}
