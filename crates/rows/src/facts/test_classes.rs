//! Chooses the test classes of a stratified split, in which about the same share of each stratum becomes test rows.
//!
//! ```text
//! for each class, in ascending order of the draws:
//!     the class goes to the test data if this brings the strata closer to their shares:
//!     the sum of (test rows - share * rows)^2 over the strata becomes smaller
//! ```
//! The draw of a class is a random number of 64 bits. In a split without strata, the classes whose draws, divided by 2^64, are below the
//! share go to the test data. Here, the classes with the smallest draws come first. So most classes are on the same side as in a split
//! without strata.

use std::collections::TryReserveError;

/// The rows that are counted so far: how many rows each class has in each stratum.
///
/// A class needs at most 32 bytes for each stratum of its rows.
#[derive(Debug)]
pub(crate) struct ClassCounts {
    /// The share of test rows.
    share: f64,
    strata: Vec<StratumCount>,
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, Default)]
struct StratumCount {
    rows: u64,
    /// Number of test rows that the stratum still needs.
    lacking: f64,
}

/// Number of rows of one class in one stratum. The draw of the class identifies the class. Until the parts are merged, the rows of a class
/// in a stratum may be counted in several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    draw: u64,
    stratum: u32,
    rows: u32,
}

/// Whenever memory is reserved, it is reserved for at least this number of parts.
const FEWEST_PARTS: usize = 1024;

impl ClassCounts {
    pub(crate) fn new(share: f64) -> ClassCounts {
        ClassCounts { share, strata: Vec::new(), parts: Vec::new() }
    }

    /// Counts a row of the class with this draw. Strata are numbered from 0.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn add(&mut self, draw: u64, stratum: u32) -> Result<(), TryReserveError> {
        let number = stratum as usize;
        if self.strata.len() <= number {
            self.strata.resize(number + 1, StratumCount::default());
        }
        self.strata[number].rows += 1;
        self.strata[number].lacking += self.share;
        if self.parts.len() == self.parts.capacity() {
            self.merge();
            if self.parts.len() > self.parts.capacity() / 2 || self.parts.is_empty() {
                self.parts.try_reserve_exact(self.parts.len().max(FEWEST_PARTS))?;
            }
        }
        self.parts.push(Part { draw, stratum, rows: 1 });
        Ok(())
    }

    /// Returns the number of strata, and the number of counted rows.
    pub(crate) fn totals(&self) -> (usize, u64) {
        (self.strata.len(), self.strata.iter().map(|stratum| stratum.rows).sum())
    }

    /// Returns an upper bound of the number of counted classes.
    pub(crate) fn most_classes(&self) -> u64 {
        self.parts.len() as u64
    }

    /// Sorts the parts, and merges the parts of each class in each stratum.
    fn merge(&mut self) {
        self.parts.sort_unstable();
        self.parts.dedup_by(|next, kept| {
            let is_same = (next.draw, next.stratum) == (kept.draw, kept.stratum);
            // If the sum doesn't fit in `u32`, both parts stay.
            match kept.rows.checked_add(next.rows) {
                Some(rows) if is_same => {
                    kept.rows = rows;
                    true
                }
                _ => false,
            }
        });
    }

    /// Chooses the test classes.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn choose(mut self) -> Result<TestClasses, TryReserveError> {
        self.merge();
        let ClassCounts { mut strata, parts, .. } = self;
        let mut chosen = TestClasses {
            strata: strata.iter().map(|stratum| StratumSides { rows: stratum.rows, test: 0 }).collect(),
            ..TestClasses::default()
        };
        for class in parts.chunk_by(|part, next| part.draw == next.draw) {
            let counts = || {
                class.chunk_by(|part, next| part.stratum == next.stratum).map(|parts| {
                    let rows: u64 = parts.iter().map(|part| u64::from(part.rows)).sum();
                    (parts[0].stratum as usize, rows)
                })
            };
            chosen.classes += 1;
            chosen.groups += u64::from(counts().map(|(_, rows)| rows).sum::<u64>() > 1);
            // If a stratum gets n more test rows, the square of its `lacking` changes by (lacking - n)^2 - lacking^2 = n (n - 2 lacking).
            let change =
                counts().map(|(stratum, rows)| rows as f64 * (rows as f64 - 2.0 * strata[stratum].lacking));
            if change.sum::<f64>() < 0.0 {
                for (stratum, rows) in counts() {
                    strata[stratum].lacking -= rows as f64;
                    chosen.strata[stratum].test += rows;
                }
                chosen.draws.try_reserve(1)?;
                chosen.draws.push(class[0].draw);
            }
        }
        Ok(chosen)
    }
}

/// The test classes of a stratified split.
#[derive(Debug, Default)]
pub(crate) struct TestClasses {
    /// The draws of the test classes, ascending.
    draws: Vec<u64>,
    pub(crate) classes: u64,
    /// Number of classes with several rows.
    pub(crate) groups: u64,
    pub(crate) strata: Vec<StratumSides>,
}

/// The rows of one stratum: how many there are, and how many are in the test data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StratumSides {
    pub(crate) rows: u64,
    pub(crate) test: u64,
}

impl TestClasses {
    pub(crate) fn contains(&self, draw: u64) -> bool {
        self.draws.binary_search(&draw).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_merged_whenever_the_memory_is_full() {
        // 1,500 classes of 40 rows each: three quarters of the classes are in one stratum, the others in a second one. The rows of a class
        // are far apart, so that its parts are merged more than once.
        let mut counts = ClassCounts::new(0.1);
        for row in 0..60_000_u64 {
            let class = row * 7919 % 1500;
            counts.add(class << 20, u32::from(row % 4 == 0)).unwrap();
        }
        assert_eq!(counts.totals(), (2, 60_000));
        assert!(counts.parts.capacity() <= 2 * 3000 && counts.most_classes() >= 1500);
        let chosen = counts.choose().unwrap();
        assert_eq!((chosen.classes, chosen.groups), (1500, 1500));
        let rows = chosen.strata.iter().map(|stratum| stratum.rows).collect::<Vec<_>>();
        assert_eq!(rows, [45_000, 15_000]);
        for stratum in &chosen.strata {
            assert!(stratum.test.abs_diff(stratum.rows / 10) <= 40, "{stratum:?}");
        }
        let tested = (0..1500).filter(|class| chosen.contains(class << 20)).count();
        assert_eq!(tested as u64 * 40, chosen.strata.iter().map(|stratum| stratum.test).sum::<u64>());
    }
}
