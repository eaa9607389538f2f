//! Of any puzzle: breadth first, row by row.

use super::Found;
use crate::puzzle::CELLS;

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
const NEW: u8 = 15;

/// The search, with its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    states: Vec<State>,
    next: Vec<State>,
}

/// A partial form: rows of the puzzle in order, and what they decide of the columns and labels.
#[derive(Clone, Copy, Debug)]
struct State {
    transposes: bool,
    rows: [u8; 9],
    columns: [u8; 9],
    labels: [u8; 10],
    next_label: u8,
}

impl Search {
    pub(super) fn smallest(&mut self, values: &[u8; CELLS]) -> Found {
        let transposed = std::array::from_fn(|cell| values[cell % 9 * 9 + cell / 9]);
        let grids = [*values, transposed];
        self.states.clear();
        let mut labels = [NEW; 10];
        labels[0] = 0;
        for transposes in [false, true] {
            for s in ORDERS {
                for [a, b, c] in all_within() {
                    let order = [a, b, c];
                    let columns = std::array::from_fn(|at| (s[at / 3] * 3 + order[at / 3][at % 3]) as u8);
                    self.states.push(State { transposes, rows: [0; 9], columns, labels, next_label: 1 });
                }
            }
        }
        for level in 0..9 {
            let mut best = [u8::MAX; 9];
            self.next.clear();
            for state in &self.states {
                let grid = &grids[usize::from(state.transposes)];
                for row in 0..9_u8 {
                    let used = &state.rows[..level];
                    if used.contains(&row) {
                        continue;
                    }
                    let band = row / 3;
                    let allowed = match level % 3 {
                        0 => used.iter().all(|&other| other / 3 != band),
                        _ => used[level - 1] / 3 == band,
                    };
                    if !allowed {
                        continue;
                    }
                    let mut to = *state;
                    let read = std::array::from_fn(|at| {
                        let value = grid[usize::from(row) * 9 + usize::from(state.columns[at])];
                        let label = &mut to.labels[usize::from(value)];
                        if *label == NEW {
                            *label = to.next_label;
                            to.next_label += 1;
                        }
                        *label
                    });
                    if read > best {
                        continue;
                    }
                    if read < best {
                        best = read;
                        self.next.clear();
                    }
                    to.rows[level] = row;
                    self.next.push(to);
                }
            }
            std::mem::swap(&mut self.states, &mut self.next);
        }
        let first = self.states[0];
        let mut values = first.labels;
        let free = values.iter_mut().filter(|label| **label == NEW);
        free.zip(first.next_label..).for_each(|(label, next)| *label = next);
        Found {
            transposes: first.transposes,
            rows: first.rows,
            columns: first.columns,
            values,
            automorphisms: self.states.len() as u32,
        }
    }
}

fn all_within() -> impl Iterator<Item = [[usize; 3]; 3]> {
    (0..216).map(|at| [ORDERS[at % 6], ORDERS[at / 6 % 6], ORDERS[at / 36]])
}
