//! The blank cells of a puzzle as a list.

use crate::puzzle::{CELLS, Puzzle};

/// The blank cells of a puzzle, in row-major order.
#[derive(Clone, Debug)]
pub(super) struct Blanks {
    cells: [u8; CELLS],
    count: usize,
}

impl Blanks {
    pub(super) fn new(puzzle: &Puzzle) -> Blanks {
        let mut blanks = Blanks { cells: [0; CELLS], count: 0 };
        for (cell, &value) in (0..).zip(puzzle.values()) {
            if value == 0 {
                blanks.cells[blanks.count] = cell;
                blanks.count += 1;
            }
        }
        blanks
    }

    /// Returns the cell of blank number `index`; `None` after the last one.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<usize> {
        self.cells[..self.count].get(index).map(|&cell| usize::from(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_listed_in_order() {
        let mut values = [5; CELLS];
        for cell in [80, 0, 44] {
            values[cell] = 0;
        }
        let blanks = Blanks::new(&Puzzle::try_from(values).unwrap());
        let listed: Vec<usize> = (0..).map_while(|index| blanks.get(index)).collect();
        assert_eq!(listed, [0, 44, 80]);
        assert_eq!(Blanks::new(&Puzzle::EMPTY).get(80), Some(80));
        assert_eq!(Blanks::new(&Puzzle::EMPTY).get(81), None);
    }
}
