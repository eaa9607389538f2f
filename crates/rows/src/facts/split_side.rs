//! Decides whether a puzzle belongs to the training data or to the test data.

use std::collections::TryReserveError;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::random::{DrawKey, draw};
use sudobench_sudoku::simd::LevelError;

use super::test_classes::{ClassCounts, TestClasses};
use super::{CanonicalForm, CanonicalSolution, Fact, FactContext, Need, PuzzlesOfBlock, SplitBy};
use crate::as_text;
use crate::fingerprint::fingerprint;
use crate::option_error::OptionError;

/// A split into training and test data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// The property that the puzzles of a class have in common.
    pub by: SplitBy,
    /// The share of the test data: without strata, the probability that a class goes to the test data; with strata, the share of the rows
    /// of each stratum.
    #[serde(deserialize_with = "as_text::deserialize", serialize_with = "as_text::serialize")]
    pub test: TestShare,
    /// The seed. Without strata, the side of a class depends only on the class, the seed and the share [`test`](Split::test).
    pub seed: u64,
}

impl Split {
    /// Returns whether a class belongs to the test data of a split without strata. A class is given by a puzzle or a filled grid that
    /// represents it.
    pub fn is_test(&self, class: &[u8; 81]) -> bool {
        self.is_test_draw(self.draw(class))
    }

    /// Returns whether the class with this random number belongs to the test data.
    fn is_test_draw(&self, draw: u64) -> bool {
        // An f64 holds 53 bits without rounding.
        ((draw >> 11) as f64) < self.test.0 * (1_u64 << 53) as f64
    }

    /// Returns for each row whether it belongs to the test data. In each stratum, the share of test rows is about [`Split::test`]. Each
    /// item of `rows` has the class of a row and the number of its stratum, from 0. A row without a stratum is never in the test data. All
    /// rows of a class that have a stratum are on the same side.
    ///
    /// `split --stratify` treats all rows without a value as one more stratum: see [`StratifiedSplit`](crate::StratifiedSplit). If you pass
    /// these rows as one stratum too, this function chooses the same rows as `split --stratify`.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn stratified(&self, rows: &[([u8; 81], Option<u32>)]) -> Result<Vec<bool>, TryReserveError> {
        let mut counts = ClassCounts::new(self.test.expected_rows(1));
        let mut draws = Vec::new();
        draws.try_reserve_exact(rows.len())?;
        for (class, stratum) in rows {
            let draw = self.draw(class);
            draws.push(stratum.map(|_| draw));
            if let Some(stratum) = *stratum {
                counts.add(draw, stratum)?;
            }
        }
        let test = counts.choose()?;
        Ok(draws.into_iter().map(|draw| draw.is_some_and(|draw| test.contains(draw))).collect())
    }

    fn draw(&self, class: &[u8; 81]) -> u64 {
        draw(self.seed, DrawKey::from_fingerprint(fingerprint(class)), 0).next_u64()
    }
}

/// The share of the test data: more than 0 and less than 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestShare(f64);

impl TestShare {
    /// One tenth.
    pub const DEFAULT: TestShare = TestShare(0.1);

    /// Returns the expected number of test rows among `rows` rows.
    pub fn expected_rows(self, rows: u64) -> f64 {
        self.0 * rows as f64
    }

    /// Returns whether the expected number of test rows among `rows` rows is at least the number of strata. Always true for
    /// one stratum or none.
    pub fn suffices_for(self, strata: usize, rows: u64) -> bool {
        strata <= 1 || strata as f64 <= self.expected_rows(rows)
    }
}

impl fmt::Display for TestShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for TestShare {
    type Err = OptionError;

    /// Reads `10%` or `0.1`.
    fn from_str(text: &str) -> Result<TestShare, OptionError> {
        let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
        let share = number.trim().parse().ok().map(|number: f64| number / unit);
        let share = share.filter(|share| *share > 0.0 && *share < 1.0);
        share.map(TestShare).ok_or_else(|| {
            OptionError::new(format!(
                "`{text}` is not a share above 0 and below 1: write a share such as 10% or 0.1"
            ))
        })
    }
}

/// Reads a share, given as a number or as a text.
pub(crate) fn share_of_value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TestShare, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a share such as 0.1 or 10%")]
    enum Given {
        Number(f64),
        Text(String),
    }
    let text = match Given::deserialize(deserializer)? {
        Given::Number(number) => number.to_string(),
        Given::Text(text) => text,
    };
    text.parse().map_err(serde::de::Error::custom)
}

/// The random number of a puzzle's class. It depends only on the class and on the setting [`Split`].
///
/// If a puzzle has no solution or several, its class is the puzzle itself with [`SplitBy::Solution`], and its canonical form with
/// [`SplitBy::SolutionIsomorph`].
#[derive(Debug)]
pub struct SplitDraw {
    split: Split,
    canonicalizer: Canonicalizer,
}

impl SplitDraw {
    /// Returns the [`Need`] for this fact in a split of this kind.
    pub const fn need(by: SplitBy) -> Need {
        Need::with::<SplitDraw>(1 << by as u32)
    }

    fn class_by_solution(&self, block: &PuzzlesOfBlock, number: usize) -> [u8; 81] {
        let solution = block.unique_solution(number);
        solution.map_or(*block.puzzles[number].values(), |solution| *Puzzle::from(solution).values())
    }
}

impl Fact for SplitDraw {
    type Value = u64;

    fn builds_on(demand: u32) -> Vec<Need> {
        let is_demanded = |by: &&SplitBy| demand & 1 << **by as u32 != 0;
        SplitBy::ALL.iter().filter(is_demanded).flat_map(|by| by.needs()).copied().collect()
    }

    fn new(context: &FactContext, _: u32) -> Result<SplitDraw, LevelError> {
        Ok(SplitDraw { split: split_of(context), canonicalizer: Canonicalizer::default() })
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<u64>>) {
        for (number, puzzle) in block.puzzles.iter().enumerate() {
            let class = match self.split.by {
                SplitBy::Text => *puzzle.values(),
                SplitBy::Isomorph => match block.facts.value::<CanonicalForm>(number) {
                    Some(canonical) => *canonical.form.values(),
                    // The run was cancelled before this canonical form was computed.
                    None => return,
                },
                SplitBy::Solution => self.class_by_solution(block, number),
                SplitBy::SolutionIsomorph => match block.facts.value::<CanonicalSolution>(number) {
                    Some(form) => *form.values(),
                    None => *self.canonicalizer.canonical(puzzle).form.values(),
                },
            };
            values.push(Some(self.split.draw(&class)));
        }
    }
}

fn split_of(context: &FactContext) -> Split {
    let default = Split { by: SplitBy::default(), test: TestShare::DEFAULT, seed: 1 };
    context.setting().copied().unwrap_or(default)
}

/// The strata of a split, as a setting of [`SplitSide`].
#[derive(Clone, Debug)]
pub(crate) struct SplitStrata {
    /// The name of the column whose values are the strata.
    pub(crate) by: String,
    /// The test classes, once they are chosen.
    pub(crate) test: Arc<OnceLock<TestClasses>>,
}

impl Serialize for SplitStrata {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.by)
    }
}

/// The side of a puzzle: 0 for training, 1 for test. Without strata, the side depends only on the [draw](SplitDraw) of the puzzle's class
/// and on the share of the test data. So a puzzle keeps its side when other rows are added or removed.
#[derive(Debug)]
pub struct SplitSide {
    split: Split,
    test: Option<Arc<OnceLock<TestClasses>>>,
}

impl SplitSide {
    /// Returns the [`Need`] for this fact in a split of this kind.
    pub const fn need(by: SplitBy) -> Need {
        Need::with::<SplitSide>(1 << by as u32)
    }

    fn is_test(&self, draw: u64) -> bool {
        match &self.test {
            Some(test) => test.get().is_some_and(|test| test.contains(draw)),
            None => self.split.is_test_draw(draw),
        }
    }
}

impl Fact for SplitSide {
    type Value = usize;

    fn builds_on(demand: u32) -> Vec<Need> {
        vec![Need::with::<SplitDraw>(demand)]
    }

    fn new(context: &FactContext, _: u32) -> Result<SplitSide, LevelError> {
        let strata = context.setting::<SplitStrata>();
        Ok(SplitSide { split: split_of(context), test: strata.map(|strata| Arc::clone(&strata.test)) })
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<usize>>) {
        let draws = block.facts.get::<SplitDraw>().unwrap_or_default();
        values.extend(draws.iter().map(|draw| draw.map(|draw| usize::from(self.is_test(draw)))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a different class for each number.
    fn class(number: usize) -> [u8; 81] {
        std::array::from_fn(|cell| (number >> (3 * cell.min(8)) & 7) as u8)
    }

    fn split(test: f64, seed: u64) -> Split {
        Split { by: SplitBy::Text, test: TestShare(test), seed }
    }

    fn test_rows(rows: &[([u8; 81], Option<u32>)], are_test: &[bool], stratum: Option<u32>) -> usize {
        rows.iter().zip(are_test).filter(|((_, of_row), is_test)| *of_row == stratum && **is_test).count()
    }

    #[test]
    fn each_stratum_has_its_share() {
        // Four strata of 1000, 100, 10 and 4 rows, and rows without a stratum. Each row has its own class.
        let strata = (0..).zip([1000, 100, 10, 4]).flat_map(|(stratum, rows)| vec![Some(stratum); rows]);
        let rows: Vec<_> =
            strata.chain([None; 50]).enumerate().map(|(row, of_row)| (class(row), of_row)).collect();
        for seed in 0..20 {
            let are_test = split(0.1, seed).stratified(&rows).unwrap();
            let found = [Some(0), Some(1), Some(2), Some(3), None]
                .map(|stratum| test_rows(&rows, &are_test, stratum));
            assert_eq!(found, [100, 10, 1, 0, 0]);
            // Only a few classes are not on the side that they have in a split without strata (`is_test`).
            let moved = rows.iter().zip(&are_test).filter(|((of_row, stratum), is_test)| {
                stratum.is_some() && split(0.1, seed).is_test(of_row) != **is_test
            });
            assert!(moved.count() < 60);
        }
    }

    #[test]
    fn a_class_stays_on_one_side() {
        // 800 classes of 1 to 5 rows. One class in ten is in two of the three strata.
        let class_rows = |number: usize| {
            let stratum = move |row: usize| if number % 10 == 4 { row % 2 } else { number % 3 };
            (0..number % 5 + 1).map(move |row| (class(number), Some(stratum(row) as u32)))
        };
        let rows: Vec<_> = (0..800).flat_map(class_rows).collect();
        for seed in 0..20 {
            let are_test = split(0.2, seed).stratified(&rows).unwrap();
            let mut sides = std::collections::HashMap::new();
            for ((class, _), is_test) in rows.iter().zip(&are_test) {
                assert_eq!(sides.entry(*class).or_insert(*is_test), is_test);
            }
            for stratum in 0..3 {
                let all = rows.iter().filter(|(_, of_row)| *of_row == Some(stratum)).count();
                let found = test_rows(&rows, &are_test, Some(stratum));
                // The share is not exact, because some classes are in two strata.
                assert!((found as f64 - 0.2 * all as f64).abs() <= 0.02 * all as f64, "{found} of {all}");
            }
        }
        assert!(split(0.2, 1).stratified(&[]).unwrap().is_empty());
    }
}
