//! Counts of scores, and the accuracies that follow from them.
//!
//! Counts are whole numbers, so that any number of threads and shards gives the same accuracies. A mean and its interval need only the
//! frequency of each number of right cells, so rows are not kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::score::Score;

use crate::accuracy::{Accuracy, Bootstrap, mean, wilson};
use crate::cell_errors::CellErrors;
use crate::facts::RowScore;
use crate::pass_at::PredictionGroups;

/// Maximum number of buckets. If the bucket column has more values, no buckets are counted.
pub const MOST_BUCKETS: usize = 1_000;

/// If the bucket column has more than this number of different values, apart from the empty value, and all of them are numbers, reports
/// show ranges of values instead of single values.
const MOST_VALUES: usize = 20;

/// The largest number of ranges that reports show instead of many values.
const RANGES: u64 = 10;

/// The sums of the scores of all rows, and of the rows in each bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scores {
    /// All rows.
    pub all: ScoreSums,
    /// The errors of all rows by cell.
    pub cells: CellErrors,
    /// The sums for each value of the bucket column; empty if there is no bucket column, or if the column has more than [`MOST_BUCKETS`]
    /// values.
    pub buckets: BTreeMap<String, ScoreSums>,
    /// Whether the bucket column had too many values.
    pub has_too_many: bool,
    /// The predictions by group, for pass@k. No checkpoint stores the groups, because there can be many.
    #[serde(skip)]
    pub groups: PredictionGroups,
}

/// The scores of the rows whose bucket value is a number from `from` to `to`, both included.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreRange {
    /// The smallest value that occurs in the range.
    pub from: f64,
    /// The largest value that occurs in the range.
    pub to: f64,
    /// The sums over the rows of the range.
    pub sums: ScoreSums,
}

/// Sums of scores. Rows with a malformed puzzle are not counted, except for rows that are too long to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreSums {
    /// Number of predictions: the rows with a puzzle, and the rows that are too long to be read.
    pub puzzles: u64,
    /// Number of predictions that are equal to the solution. For a puzzle whose solution is not known, any valid prediction counts.
    pub exact: u64,
    /// Number of predictions that solve their puzzle. If a puzzle has several solutions, any of them is accepted.
    pub valid: u64,
    /// Number of predictions that could not be read. They count as wrong.
    pub malformed: u64,
    /// Number of rows that are too long to be read, most likely because of a long prediction. Their predictions count as wrong, but are not
    /// compared, because the puzzles are unknown.
    pub overlong: u64,
    /// Number of expected solutions that do not solve their puzzle. They are ignored.
    pub wrong_expected: u64,
    /// Number of puzzles whose prediction was compared with the solution.
    pub compared: u64,
    /// For each number of correct cells, the number of compared puzzles that have it.
    right_cells: Frequencies,
    /// The compared puzzles, grouped by their number of blanks. In each group: for each number of correct blanks, the number of puzzles
    /// that have it.
    by_blanks: BTreeMap<u8, Frequencies>,
}

/// At index N: number of times that the number N occurs. The list ends at the largest number that occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Frequencies(Vec<u64>);

impl Frequencies {
    fn add(&mut self, number: u8) {
        let number = usize::from(number);
        if self.0.len() <= number {
            self.0.resize(number + 1, 0);
        }
        self.0[number] += 1;
    }

    fn merge(&mut self, other: &Frequencies) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(times, more)| *times += more);
    }

    /// Returns each number divided by `whole`, and how often the number occurs.
    fn shares(&self, whole: u8) -> impl Iterator<Item = (f64, u64)> {
        let times = self.0.iter().copied().enumerate();
        times.map(move |(number, times)| (number as f64 / f64::from(whole), times))
    }
}

impl Scores {
    /// Returns whether no row was scored.
    pub fn is_empty(&self) -> bool {
        self.all.puzzles == 0
    }

    /// Returns the bootstrap for the intervals of means, both over all rows and over the rows of a bucket. Returns `None` if the number of
    /// all rows is so large that a bootstrap would take too long.
    pub fn bootstrap(&self) -> Option<Bootstrap> {
        Bootstrap::for_rows(self.all.puzzles)
    }

    /// Adds the score of a row, and counts it in its bucket and in its group.
    pub(crate) fn add(&mut self, score: &RowScore, bucket: Option<String>, group: Option<u128>) {
        if let Some(group) = group {
            self.groups.add(group, score.score.exact);
        }
        self.count(bucket, |sums| sums.add(score));
    }

    /// Adds a row that is too long to be read. Its bucket is unknown, so it counts in the bucket of empty values.
    pub(crate) fn add_overlong(&mut self, has_buckets: bool) {
        self.count(has_buckets.then(String::new), ScoreSums::add_overlong);
    }

    fn count(&mut self, bucket: Option<String>, add: impl Fn(&mut ScoreSums)) {
        add(&mut self.all);
        if let Some(bucket) = bucket.filter(|_| !self.has_too_many) {
            add(self.buckets.entry(bucket).or_default());
            self.limit();
        }
    }

    /// Adds the sums of other rows.
    pub fn merge(&mut self, other: &Scores) {
        self.all.merge(&other.all);
        self.cells.merge(&other.cells);
        self.groups.merge(&other.groups);
        self.has_too_many |= other.has_too_many;
        for (bucket, sums) in &other.buckets {
            self.buckets.entry(bucket.clone()).or_default().merge(sums);
        }
        self.limit();
    }

    /// Divides the values of the [buckets](Scores::buckets) into up to 10 ranges, and returns these in increasing order. Returns no ranges
    /// if there are at most 20 values, or if a value is not a number. The empty value is ignored, and its rows are in no range. The ranges
    /// have about equally many rows, unless a single value has many.
    pub fn ranges(&self) -> Vec<ScoreRange> {
        let values = self.buckets.iter().filter(|(value, _)| !value.is_empty());
        let numbers: Option<Vec<(f64, &ScoreSums)>> =
            values.map(|(value, sums)| Some((number(value)?, sums))).collect();
        let Some(mut numbers) = numbers.filter(|numbers| numbers.len() > MOST_VALUES) else {
            return Vec::new();
        };
        numbers.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let all: u64 = numbers.iter().map(|(_, sums)| sums.puzzles).sum();
        let (mut ranges, mut before) = (Vec::<ScoreRange>::new(), 0);
        // The sorted rows are divided into [`RANGES`] equal parts. All rows with the same value belong to the part that contains the middle
        // one of these rows.
        let mut last = None;
        for (value, sums) in numbers {
            let place = (2 * before + sums.puzzles) * RANGES / (2 * all);
            match ranges.last_mut() {
                Some(range) if last == Some(place) => {
                    range.to = value;
                    range.sums.merge(sums);
                }
                _ => ranges.push(ScoreRange { from: value, to: value, sums: sums.clone() }),
            }
            (last, before) = (Some(place), before + sums.puzzles);
        }
        ranges
    }

    fn limit(&mut self) {
        self.has_too_many |= self.buckets.len() > MOST_BUCKETS;
        if self.has_too_many {
            self.buckets.clear();
        }
    }
}

impl ScoreSums {
    /// Adds the score of a row.
    pub fn add(&mut self, row: &RowScore) {
        self.malformed += u64::from(row.fault.is_some());
        self.wrong_expected += u64::from(row.is_expected_wrong);
        self.add_score(&row.score);
    }

    fn add_overlong(&mut self) {
        self.puzzles += 1;
        self.overlong += 1;
    }

    /// Adds the score of a prediction.
    pub fn add_score(&mut self, score: &Score) {
        self.puzzles += 1;
        self.exact += u64::from(score.exact);
        self.valid += u64::from(score.valid);
        let Some(compared) = score.compared else { return };
        self.compared += 1;
        self.right_cells.add(compared.right_cells);
        self.by_blanks.entry(score.blanks).or_default().add(compared.right_blanks);
    }

    fn merge(&mut self, other: &ScoreSums) {
        self.puzzles += other.puzzles;
        self.exact += other.exact;
        self.valid += other.valid;
        self.malformed += other.malformed;
        self.overlong += other.overlong;
        self.wrong_expected += other.wrong_expected;
        self.compared += other.compared;
        self.right_cells.merge(&other.right_cells);
        for (blanks, right_blanks) in &other.by_blanks {
            self.by_blanks.entry(*blanks).or_default().merge(right_blanks);
        }
    }

    /// Share of the predictions that are [exact](ScoreSums::exact); `None` if there are no puzzles.
    pub fn exact_accuracy(&self) -> Option<Accuracy> {
        wilson(self.exact, self.puzzles)
    }

    /// Share of the predictions that solve their puzzle.
    pub fn validity(&self) -> Option<Accuracy> {
        wilson(self.valid, self.puzzles)
    }

    /// Mean accuracy of the compared puzzles. The accuracy of one puzzle is its number of correct cells / 81, where clues count as cells,
    /// too. The interval of the mean comes from the bootstrap or, without a bootstrap, from a normal distribution. If there is only one
    /// puzzle, the interval is 0 to 1.
    pub fn cell_accuracy(&self, bootstrap: Option<Bootstrap>) -> Option<Accuracy> {
        mean(self.right_cells.shares(CELLS as u8).collect(), bootstrap)
    }

    /// Mean over the compared puzzles of the share of correct blanks: blanks with the correct digit / blanks. Puzzles without blanks do not
    /// count. The interval is as in [`ScoreSums::cell_accuracy`].
    pub fn blank_accuracy(&self, bootstrap: Option<Bootstrap>) -> Option<Accuracy> {
        let with_blanks = self.by_blanks.iter().filter(|(blanks, _)| **blanks > 0);
        mean(with_blanks.flat_map(|(blanks, right)| right.shares(*blanks)).collect(), bootstrap)
    }

    /// Returns the bootstrap if it gave the interval of a mean. Without compared puzzles, there is no mean, so this returns `None`.
    pub fn bootstrap_of_means(&self, bootstrap: Option<Bootstrap>) -> Option<Bootstrap> {
        bootstrap.filter(|_| self.compared > 0)
    }

    /// Share of correct blanks among the blanks of all compared puzzles; `None` if there is no blank.
    pub fn blank_accuracy_pooled(&self) -> Option<f64> {
        let rows = |right: &Frequencies| right.0.iter().sum::<u64>();
        let blanks: u64 = self.by_blanks.iter().map(|(blanks, right)| u64::from(*blanks) * rows(right)).sum();
        let right = self.by_blanks.values().flat_map(|right| (0..).zip(&right.0));
        let right: u64 = right.map(|(number, times): (u64, &u64)| number * times).sum();
        (blanks > 0).then(|| right as f64 / blanks as f64)
    }
}

/// Returns the number that a bucket's value stands for; `None` if the value is not a finite number.
pub fn number(value: &str) -> Option<f64> {
    value.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use sudobench_sudoku::score::Score;
    use sudobench_sudoku::{Puzzle, solve};

    use super::*;

    fn scored(blanks: usize, wrong: usize) -> RowScore {
        let solution = solve(&Puzzle::EMPTY).solution.unwrap();
        let (mut clues, mut cells) = (*solution.values(), *solution.values());
        clues[..blanks].fill(0);
        cells[..wrong].fill(0);
        let (puzzle, prediction) = (Puzzle::try_from(clues).unwrap(), Puzzle::try_from(cells).unwrap());
        let score = Score::new(&puzzle, &prediction, Some(&solution));
        RowScore {
            score,
            wrong: None,
            solvable: None,
            fault: None,
            form: None,
            grid: None,
            is_expected_wrong: false,
        }
    }

    #[test]
    fn accuracies_are_means_over_puzzles() {
        let mut sums = ScoreSums::default();
        [(4, 0), (4, 1), (2, 1), (0, 0)].iter().for_each(|&(blanks, wrong)| sums.add(&scored(blanks, wrong)));
        assert_eq!((sums.puzzles, sums.exact, sums.valid), (4, 2, 2));
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        near(sums.cell_accuracy(None).unwrap().mean, (1.0 + 80.0 / 81.0 + 80.0 / 81.0 + 1.0) / 4.0);
        near(sums.blank_accuracy(None).unwrap().mean, (1.0 + 0.75 + 0.5) / 3.0);
        near(sums.blank_accuracy_pooled().unwrap(), 8.0 / 10.0);
        // `exact` has Wilson's interval for 2 of 4. The accuracy of blanks has the normal interval for the ratios 1, 3/4, 1/2.
        let exact = sums.exact_accuracy().unwrap();
        assert!((exact.low - 0.150_0).abs() < 1e-3 && (exact.high - 0.850_0).abs() < 1e-3, "{exact:?}");
        let half = 1.96 * (0.0625_f64 / 3.0).sqrt();
        assert!((sums.blank_accuracy(None).unwrap().low - (0.75 - half)).abs() < 1e-4);
        // A resample of the three ratios has a mean between 1/2 and 1. Both extremes are frequent enough to be the bounds.
        let blanks = sums.blank_accuracy(Bootstrap::for_rows(4)).unwrap();
        assert_eq!((blanks.low, blanks.high), (0.5, 1.0));
    }

    #[test]
    fn accuracies_of_no_puzzle_and_of_one_puzzle() {
        let mut sums = ScoreSums::default();
        assert_eq!(
            (sums.exact_accuracy(), sums.cell_accuracy(None), sums.blank_accuracy_pooled()),
            (None, None, None)
        );
        sums.add(&scored(10, 5));
        let blanks = sums.blank_accuracy(None).unwrap();
        assert_eq!((blanks.mean, blanks.low, blanks.high), (0.5, 0.0, 1.0));
    }

    #[test]
    fn scores_and_intervals_do_not_depend_on_how_rows_are_split() {
        let rows: Vec<RowScore> = (0..200).map(|row| scored(30 + row % 7, row * row % 23)).collect();
        let mut whole = Scores::default();
        rows.iter().for_each(|row| whole.add(row, Some("x".to_owned()), None));
        let mut merged = Scores::default();
        for part in rows.chunks(17).rev() {
            let mut scores = Scores::default();
            part.iter().rev().for_each(|row| scores.add(row, Some("x".to_owned()), None));
            // A checkpoint stores the counts as JSON.
            let text = serde_json::to_string(&scores).unwrap();
            let mut with_stored: Scores = serde_json::from_str(&text).unwrap();
            with_stored.merge(&merged);
            merged = with_stored;
        }
        assert_eq!(merged, whole);
        assert_eq!(merged.buckets["x"], merged.all);
        let bootstrap = merged.bootstrap();
        assert!(bootstrap.is_some());
        for of in [ScoreSums::cell_accuracy, ScoreSums::blank_accuracy] {
            let accuracy = of(&whole.all, bootstrap).unwrap();
            assert!(accuracy.low < accuracy.mean && accuracy.mean < accuracy.high, "{accuracy:?}");
            assert_eq!(of(&merged.all, bootstrap), Some(accuracy));
        }
    }

    #[test]
    fn many_numbers_are_shown_as_ranges_of_equally_many_rows() {
        let scores = |values: &[u32]| {
            let mut scores = Scores::default();
            values.iter().for_each(|value| scores.add(&scored(4, 1), Some(value.to_string()), None));
            scores
        };
        let few: Vec<u32> = (0..20).collect();
        assert_eq!(scores(&few).ranges(), []);
        let mut many = scores(
            &(0..500).flat_map(|value| vec![value; if value == 7 { 500 } else { 1 }]).collect::<Vec<_>>(),
        );
        many.add(&scored(4, 0), Some(String::new()), None);
        let ranges = many.ranges();
        let counts: Vec<u64> = ranges.iter().map(|range| range.sums.puzzles).collect();
        assert_eq!(counts.iter().sum::<u64>(), 999);
        assert_eq!((ranges[0].from, ranges[0].to, counts[0]), (0.0, 6.0, 7));
        assert_eq!((ranges[1].from, ranges[1].to, counts[1]), (7.0, 7.0, 500));
        assert!(counts[2..].iter().all(|rows| (90..=110).contains(rows)), "{counts:?}");
        assert!(ranges.is_sorted_by(|one, other| one.to < other.from));
        many.add(&scored(4, 0), Some("word".to_owned()), None);
        assert_eq!(many.ranges(), []);
    }

    #[test]
    fn too_many_buckets_are_dropped_in_any_order() {
        let mut all = Scores::default();
        for part in 0..3 {
            let mut scores = Scores::default();
            (0..400).for_each(|value| scores.add(&scored(3, 1), Some(format!("{part}-{value}")), None));
            assert!(!scores.has_too_many);
            all.merge(&scores);
        }
        assert!(all.has_too_many && all.buckets.is_empty());
        assert_eq!(all.all.puzzles, 1_200);
        let mut few = Scores::default();
        few.add(&scored(3, 1), Some("a".to_owned()), None);
        few.merge(&all);
        assert!(few.has_too_many && few.buckets.is_empty());
    }
}
