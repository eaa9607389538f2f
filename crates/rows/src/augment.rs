//! Makes new forms of training pairs (a puzzle and its solution) and writes them to arrays of the caller.

use std::ops::Range;

use sudobench_sudoku::isomorph::{ChangeKinds, Transformation};
use sudobench_sudoku::puzzle::{CELLS, Cells};
use sudobench_sudoku::random::DrawKey;

/// In each epoch of a training run, draws a new form of each pair. A pair is a puzzle and its solution, which get the same transformation.
///
/// The transformation depends only on the seed, the kinds of changes, the epoch and the index of the pair, and is the same in every version
/// of sudobench. The transformation doesn't depend on the puzzle, so equal puzzles at two indices usually get different forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Augment {
    /// The seed.
    pub seed: u64,
    /// The kinds of changes that make the new form, such as relabelled digits.
    pub kinds: ChangeKinds,
    /// The number that stands for a blank: 0, or 1 for the tokens of HRM (Hierarchical Reasoning Model). A digit is stored as the digit
    /// plus this number.
    pub blank: u8,
}

/// The reason why a puzzle or its solution cannot be transformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} {row} (counted from 0): {} holds {value}, but each cell must hold a number from {first} to {last}{remedy}",
    Cells::one(*.cell), first = .blank, last = .blank + 9, remedy = remedy(*.blank, *.value))]
pub struct AugmentError {
    /// Which board it is: `puzzle` or `solution`.
    pub what: &'static str,
    /// The number of the board, from 0.
    pub row: usize,
    /// The cell, from 0.
    pub cell: usize,
    /// The number in this cell.
    pub value: i128,
    /// The number that stands for a blank.
    pub blank: u8,
}

fn remedy(blank: u8, value: i128) -> &'static str {
    match (blank, value) {
        (0, 10) => "; for the tokens of HRM, in which 1 is a blank, pass tokens='hrm'",
        (1, 0) => "; for digits, in which 0 is a blank, pass tokens='digits'",
        _ => "",
    }
}

/// An array of boards that can be read.
pub trait BoardsIn: Sync {
    /// Returns the numbers of a board. Numbers that don't fit in a byte become 255.
    fn board(&self, row: usize) -> [u8; CELLS];

    /// Returns the number in a cell of a board.
    fn number(&self, row: usize, cell: usize) -> i128;
}

/// An array of boards that can be written.
pub trait BoardsOut: Send {
    /// Writes the numbers of a board.
    fn set_board(&mut self, row: usize, board: &[u8; CELLS]);
}

macro_rules! integers {
    ($($number:ty)*) => {
        $(impl BoardsIn for &[[$number; CELLS]] {
            #[inline]
            fn board(&self, row: usize) -> [u8; CELLS] {
                self[row].map(|number| u8::try_from(number).unwrap_or(u8::MAX))
            }

            fn number(&self, row: usize, cell: usize) -> i128 {
                i128::from(self[row][cell])
            }
        }

        impl BoardsOut for &mut [[$number; CELLS]] {
            #[inline]
            fn set_board(&mut self, row: usize, board: &[u8; CELLS]) {
                // Boards hold numbers of at most 10.
                self[row] = board.map(|number| number as $number);
            }
        })*
    };
}

integers!(u8 u16 u32 u64 i8 i16 i32 i64);

impl Augment {
    /// Transforms the pairs in `rows`. `from` holds the arrays of the puzzles and of the solutions to read; `to` holds the arrays to write.
    /// `index[row]` is the index of the pair in the dataset. The transformation depends on this index.
    ///
    /// ```
    /// use sudobench_rows::Augment;
    /// use sudobench_sudoku::isomorph::ChangeKinds;
    ///
    /// let augment = Augment { seed: 7, kinds: "digits".parse()?, blank: 0 };
    /// let (puzzles, solutions) = ([[5_u8; 81]; 2], [[5_i64; 81]; 2]);
    /// let (mut inputs, mut labels) = ([[0_u8; 81]; 2], [[0_i64; 81]; 2]);
    /// augment.write(3, &[40, 41], [&&puzzles[..], &&solutions[..]], [&mut &mut inputs[..], &mut &mut labels[..]], 0..2)?;
    /// assert_eq!(inputs.map(|input| i64::from(input[0])), labels.map(|label| label[0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`AugmentError`] names the first cell that holds neither a digit nor a blank.
    ///
    /// # Panics
    /// If an array or `index` has too few rows.
    pub fn write(
        &self,
        epoch: u64,
        index: &[u64],
        from: [&dyn BoardsIn; 2],
        to: [&mut dyn BoardsOut; 2],
        rows: Range<usize>,
    ) -> Result<(), AugmentError> {
        let [puzzles, solutions] = to;
        for row in rows {
            let key = DrawKey::from_epoch(epoch, index[row]);
            let transformation = Transformation::draw_of(self.kinds, self.seed, key, 0);
            let [puzzle, solution] =
                [self.values(from[0], "puzzle", row)?, self.values(from[1], "solution", row)?];
            let forms = transformation.apply_to_both(&puzzle, &solution);
            let [puzzle, solution] = forms.map(|form| form.map(|value| value + self.blank));
            puzzles.set_board(row, &puzzle);
            solutions.set_board(row, &solution);
        }
        Ok(())
    }

    /// Returns the values of a board, 0 for a blank.
    #[inline]
    fn values(
        &self,
        boards: &dyn BoardsIn,
        what: &'static str,
        row: usize,
    ) -> Result<[u8; CELLS], AugmentError> {
        let blank = self.blank;
        let values = boards.board(row).map(|number| number.wrapping_sub(blank));
        if values.iter().fold(0, |most, &value| value.max(most)) > 9 {
            let cell = values.iter().position(|&value| value > 9).unwrap_or_default();
            return Err(AugmentError { what, row, cell, value: boards.number(row, cell), blank });
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the forms of one pair, whose puzzle has the values 0 to 8 in each row.
    fn forms(augment: Augment, epoch: u64, index: u64) -> ([u8; CELLS], [i64; CELLS]) {
        let values: [u8; CELLS] = std::array::from_fn(|cell| (cell % 9) as u8 + augment.blank);
        let (puzzle, solution) = ([values], [values.map(|value| i64::from(value) + 1)]);
        let (mut input, mut label) = ([[0; CELLS]], [[0; CELLS]]);
        let to: [&mut dyn BoardsOut; 2] = [&mut &mut input[..], &mut &mut label[..]];
        augment.write(epoch, &[index], [&&puzzle[..], &&solution[..]], to, 0..1).unwrap();
        (input[0], label[0])
    }

    #[test]
    fn forms_depend_only_on_seed_epoch_and_index() {
        let augment = Augment { seed: 1, kinds: ChangeKinds::ALL, blank: 0 };
        let drawn = Transformation::draw(1, DrawKey::from_epoch(2, 3), 0);
        let values = std::array::from_fn(|cell| (cell % 9) as u8);
        let (input, label) = forms(augment, 2, 3);
        assert_eq!(input, drawn.apply_to_values(&values));
        assert_eq!(label, drawn.apply_to_values(&values.map(|value| value + 1)).map(i64::from));
        // Users reproduce their training data from the seed, the epoch and the index, so the drawn forms must never change.
        assert_eq!(drawn.to_string(), "r645312789c879123456d964582731");
        let others =
            [forms(augment, 3, 3), forms(augment, 2, 4), forms(Augment { seed: 2, ..augment }, 2, 3)];
        assert!(others.iter().all(|(other, _)| *other != input));
        let (tokens, _) = forms(Augment { blank: 1, ..augment }, 2, 3);
        assert_eq!(tokens, input.map(|value| value + 1));
    }

    #[test]
    fn invalid_numbers_are_named() {
        let mut puzzles = [[1_i64; CELLS]; 3];
        let solutions = [[1_u8; CELLS]; 3];
        for (blank, value, words) in [
            (
                0,
                10,
                "puzzle 2 (counted from 0): r9c9 holds 10, but each cell must hold a number from 0 to 9; for the tokens of HRM",
            ),
            (
                0,
                -100,
                "puzzle 2 (counted from 0): r9c9 holds -100, but each cell must hold a number from 0 to 9",
            ),
            (
                1,
                0,
                "puzzle 2 (counted from 0): r9c9 holds 0, but each cell must hold a number from 1 to 10; for digits",
            ),
            (
                1,
                i64::MAX,
                "puzzle 2 (counted from 0): r9c9 holds 9223372036854775807, but each cell must hold a number from 1 to 10",
            ),
        ] {
            puzzles[2][80] = value;
            let augment = Augment { seed: 1, kinds: ChangeKinds::ALL, blank };
            let (mut input, mut label) = ([[0_u8; CELLS]; 3], [[0_u8; CELLS]; 3]);
            let to: [&mut dyn BoardsOut; 2] = [&mut &mut input[..], &mut &mut label[..]];
            let from: [&dyn BoardsIn; 2] = [&&puzzles[..], &&solutions[..]];
            let error = augment.write(0, &[0, 1, 2], from, to, 0..3).unwrap_err().to_string();
            assert!(error.starts_with(words), "{error}");
            assert_eq!(error.contains("pass tokens="), words.contains(';'), "{error}");
        }
    }
}
