//! The side of a split into training and test data that a puzzle belongs to.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::random::{DrawKey, draw};
use sudobench_sudoku::simd::LevelError;

use super::{CanonicalForm, CanonicalSolution, Fact, FactContext, Need, PuzzlesOfBlock};
use crate::as_text;
use crate::fingerprint::fingerprint;
use crate::option_error::OptionError;

/// What decides the side of a puzzle. Puzzles of one class are always on the same side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum SplitBy {
    /// Equal puzzles are on the same side
    Text,
    /// Equivalent puzzles are on the same side
    Isomorph,
    /// Puzzles with the same solution are on the same side
    Grid,
    /// Puzzles with equivalent solutions are on the same side; this includes equivalent puzzles
    #[default]
    GridIsomorph,
}

/// A split into training and test data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// Which puzzles belong together.
    pub by: SplitBy,
    /// The expected share of the classes that go to the test data.
    #[serde(deserialize_with = "as_text::deserialize", serialize_with = "as_text::serialize")]
    pub test: TestShare,
    /// Decides, with the class, its side.
    pub seed: u64,
}

impl Split {
    /// Returns whether a class belongs to the test data. A class is a puzzle or a filled grid that stands for all of its class.
    pub fn is_test(&self, class: &[u8; 81]) -> bool {
        let number = draw(self.seed, DrawKey::from_fingerprint(fingerprint(class)), 0).next_u64();
        // 53 bits are a number of f64 without rounding.
        ((number >> 11) as f64) < self.test.0 * (1_u64 << 53) as f64
    }
}

/// The share of the test data: more than 0 and less than 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestShare(f64);

impl TestShare {
    /// A tenth.
    pub const DEFAULT: TestShare = TestShare(0.1);
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
            OptionError::new(format!("`{text}` is not a share between 0 and 1: write it as 10% or 0.1"))
        })
    }
}

/// Reads a share that Python gives as a number or a text.
pub(crate) fn share_of_value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TestShare, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
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

/// The side of a puzzle: 0 for training, 1 for test. It depends only on the puzzle's class and on the setting [`Split`], so that a puzzle keeps its side when
/// other rows come or go.
///
/// If a puzzle has no solution or several, `Grid` goes by the puzzle and `GridIsomorph` by its canonical form.
#[derive(Debug)]
pub struct SplitSide {
    split: Split,
    canonicalizer: Canonicalizer,
}

impl SplitSide {
    /// Needs the side in a split by this.
    pub const fn need(by: SplitBy) -> Need {
        Need::with::<SplitSide>(1 << by as u32)
    }

    fn class_by_grid(&self, block: &PuzzlesOfBlock, number: usize) -> [u8; 81] {
        let solution = block.unique_solution(number);
        solution.map_or(*block.puzzles[number].values(), |solution| *Puzzle::from(solution).values())
    }
}

impl Fact for SplitSide {
    type Value = usize;
    const NAME: &'static str = "side of a split";

    fn builds_on(demand: u32) -> Vec<Need> {
        let needs = |by: SplitBy| demand & 1 << by as u32 != 0;
        let mut needed = Vec::new();
        if needs(SplitBy::Isomorph) {
            needed.push(Need::of::<CanonicalForm>());
        }
        if needs(SplitBy::Grid) {
            needed.push(Need::Outcome);
        }
        if needs(SplitBy::GridIsomorph) {
            needed.push(Need::of::<CanonicalSolution>());
        }
        needed
    }

    fn new(context: &FactContext, _: u32) -> Result<SplitSide, LevelError> {
        let split = context.setting().copied().unwrap_or(Split {
            by: SplitBy::default(),
            test: TestShare::DEFAULT,
            seed: 1,
        });
        Ok(SplitSide { split, canonicalizer: Canonicalizer::default() })
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<usize>>) {
        for (number, puzzle) in block.puzzles.iter().enumerate() {
            let class = match self.split.by {
                SplitBy::Text => *puzzle.values(),
                SplitBy::Isomorph => match block.facts.value::<CanonicalForm>(number) {
                    Some(canonical) => *canonical.form.values(),
                    // Cancelled.
                    None => return,
                },
                SplitBy::Grid => self.class_by_grid(block, number),
                SplitBy::GridIsomorph => match block.facts.value::<CanonicalSolution>(number) {
                    Some(form) => *form.values(),
                    None => *self.canonicalizer.canonical(puzzle).form.values(),
                },
            };
            values.push(Some(usize::from(self.split.is_test(&class))));
        }
    }
}
