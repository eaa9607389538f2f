//! Stores the lines where the first rows of classes start, and finds the class of such a row by its line.

use crate::pass_error::PassError;

/// The first rows of all classes: a bit for each line of each input. Classes are numbered from 0, in the order of their first rows. So the
/// number of a class is the number of bits that are set before the bit of its first row. To find this number quickly, counts are stored at
/// regular distances: see [`Firsts::class_of`].
#[derive(Default)]
pub(super) struct Firsts {
    inputs: Vec<Lines>,
    /// Total number of first rows.
    classes: u64,
}

#[derive(Default)]
struct Lines {
    /// Bit `n % 64` of word `n / 64` belongs to line `n + 1`.
    words: Vec<u64>,
    /// For each group of [`STRIDE`] words, the number of first rows before the group, including the first rows of earlier inputs.
    ranks: Vec<u64>,
}

/// Number of words between two stored counts. The counts take an eighth of the memory of the bits.
const STRIDE: usize = 8;

impl Firsts {
    /// Adds the first row of the next class. The classes must come in the order of their first rows: by input, then by line.
    ///
    /// # Errors
    /// [`PassError::Memory`].
    pub(super) fn push(&mut self, input: usize, line: u64) -> Result<(), PassError> {
        let classes = self.classes;
        let full = || PassError::Memory { classes };
        if self.inputs.len() <= input {
            self.inputs.resize_with(input + 1, Lines::default);
        }
        let Lines { words, ranks } = &mut self.inputs[input];
        let Some((word, bit)) = place_of(line) else { return Err(full()) };
        if let Some(more) = (word + 1).checked_sub(words.len()) {
            words.try_reserve(more).map_err(|_| full())?;
            words.resize(word + 1, 0);
            let places = words.len().div_ceil(STRIDE);
            ranks.try_reserve(places - ranks.len()).map_err(|_| full())?;
            ranks.resize(places, classes);
        }
        words[word] |= bit;
        self.classes += 1;
        Ok(())
    }

    /// Returns the number of the class whose first row starts in this line; `None` if no first row starts there.
    pub(super) fn class_of(&self, input: usize, line: u64) -> Option<usize> {
        let Lines { words, ranks } = self.inputs.get(input)?;
        let (word, bit) = place_of(line)?;
        let found = words.get(word)?;
        if found & bit == 0 {
            return None;
        }
        let between: u32 = words[word / STRIDE * STRIDE..word].iter().map(|word| word.count_ones()).sum();
        Some(ranks[word / STRIDE] as usize + (between + (found & (bit - 1)).count_ones()) as usize)
    }
}

/// Each line has a bit in [`Lines::words`]. Returns the index of the word that has the bit of this line, and a word in which only this bit
/// is set. `None` if `line` is 0, or if the index does not fit in `usize`.
fn place_of(line: u64) -> Option<(usize, u64)> {
    let number = line.checked_sub(1)?;
    Some((usize::try_from(number / 64).ok()?, 1 << (number % 64)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn classes_are_numbered_in_order_of_occurrence(
            inputs in prop::collection::vec(prop::collection::btree_set(1u64..5000, 0..200), 1..4),
            far in 1u64..1_000_000,
        ) {
            let mut firsts = Firsts::default();
            let mut pushed = Vec::new();
            for (input, lines) in inputs.iter().enumerate() {
                for line in lines.iter().copied().chain([5000 + far]) {
                    firsts.push(input, line).unwrap();
                    pushed.push((input, line));
                }
            }
            for (class, &(input, line)) in pushed.iter().enumerate() {
                prop_assert_eq!(firsts.class_of(input, line), Some(class));
            }
            for (input, lines) in inputs.iter().enumerate() {
                for line in (0..5001).filter(|line| !lines.contains(line)) {
                    prop_assert_eq!(firsts.class_of(input, line), None);
                }
            }
            prop_assert_eq!(firsts.class_of(inputs.len(), 1), None);
            prop_assert_eq!(firsts.class_of(0, u64::MAX), None);
        }
    }
}
