//! Counts of rows, statuses and search effort.

use serde::{Deserialize, Serialize};
use sudobench_sudoku::solver::{Outcome, Status};

use crate::counts::Counts;

/// Number of classes of marks that are counted separately.
pub const MARK_CLASSES: usize = 16;

/// Number of counts for the columns whose values are from a fixed list. Each value of such a column needs one count. There must be enough
/// counts for all such columns of any verb, because columns that do not fit are not counted.
pub(crate) const MOST_WORDS: usize = 96;

/// Counts of rows, statuses and search effort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    by_status: [u64; Status::ALL.len()],
    /// Number of puzzles that were not solved, because nothing in the run needs an outcome.
    pub unasked: u64,
    /// Number of rows with a mark, by the [class](crate::Marks::class) of the mark.
    #[serde(default, skip_serializing_if = "is_none_marked")]
    pub marked: [u64; MARK_CLASSES],
    /// Number of rows by value, for the chosen columns whose values are from a fixed list: see
    /// [`word_counts`](crate::columns::word_counts).
    #[serde(default, skip_serializing_if = "Counts::is_zero")]
    pub(crate) words: Counts<MOST_WORDS>,
    /// Number of results, such as minimal puzzles or solutions, that a [`Finder`](crate::Finder) found for the kept rows.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub found: u64,
    /// Number of kept rows whose list of results may be incomplete, for example because of a limit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub incomplete: u64,
    /// Number of rows that were counted, but that the filter, the marks or the order left out.
    pub left_out: u64,
    /// Number of output rows of an expansion, such as the forms of `transform`, that were not kept.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out_expanded: u64,
    /// Number of rows whose puzzle lacked zeros at its start, which were restored.
    pub restored: u64,
    /// Number of rows with an expected solution that could be compared with an answer.
    pub compared: u64,
    /// Number of compared rows whose answer differs from the expected solution. If any solution is allowed, rows in which both are correct
    /// are not counted.
    pub mismatches: u64,
    /// Number of puzzles whose solution the referee refused, which is a bug of the solver. These puzzles have the status aborted.
    pub refused: u64,
    /// Time spent in the solver, in nanoseconds, summed over the threads. Divided by the number of puzzles it is the amortised time, which
    /// for batch solvers is far below the latency of a puzzle.
    pub solving_ns: u64,
    /// Number of nodes over all puzzles: see [`Outcome::nodes`].
    pub nodes: u64,
    /// Number of guesses over all puzzles: see [`Outcome::guesses`].
    pub guesses: u64,
    /// Number of puzzles that needed no guess and were not aborted.
    pub without_guess: u64,
}

impl Tally {
    /// Adds the outcome of one puzzle.
    #[inline]
    pub fn record(&mut self, outcome: &Outcome) {
        self.by_status[outcome.status as usize] += 1;
        self.nodes += outcome.nodes;
        self.guesses += outcome.guesses;
        self.without_guess += u64::from(outcome.guesses == 0 && outcome.status != Status::Aborted);
    }

    /// Adds the outcomes of many puzzles.
    pub fn record_all(&mut self, outcomes: &[Outcome]) {
        const BITS: usize = u64::BITS as usize / Status::ALL.len();
        for outcomes in outcomes.chunks((1 << BITS) - 1) {
            // The counts of all statuses are in one register. In memory, each addition would wait for the previous one.
            let mut by_status = 0;
            for outcome in outcomes {
                by_status += 1 << (BITS * outcome.status as usize);
                self.nodes += outcome.nodes;
                self.guesses += outcome.guesses;
                self.without_guess += u64::from(outcome.guesses == 0 && outcome.status != Status::Aborted);
            }
            for (status, count) in self.by_status.iter_mut().enumerate() {
                *count += by_status >> (BITS * status) & ((1 << BITS) - 1);
            }
        }
    }

    /// Adds a row without a puzzle.
    pub fn record_malformed(&mut self) {
        self.by_status[Status::Malformed as usize] += 1;
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Tally) {
        for (count, more) in self.by_status.iter_mut().zip(other.by_status) {
            *count += more;
        }
        self.unasked += other.unasked;
        self.marked.iter_mut().zip(other.marked).for_each(|(count, more)| *count += more);
        self.words.add(&other.words);
        self.found += other.found;
        self.incomplete += other.incomplete;
        self.left_out += other.left_out;
        self.left_out_expanded += other.left_out_expanded;
        self.restored += other.restored;
        self.compared += other.compared;
        self.mismatches += other.mismatches;
        self.refused += other.refused;
        self.solving_ns += other.solving_ns;
        self.nodes += other.nodes;
        self.guesses += other.guesses;
        self.without_guess += other.without_guess;
    }

    /// Returns the number of rows with this status.
    pub fn rows_with(&self, status: Status) -> u64 {
        self.by_status[status as usize]
    }

    /// Returns the number of rows, malformed ones included.
    pub fn rows(&self) -> u64 {
        self.unasked + self.by_status.iter().sum::<u64>()
    }

    /// Returns the number of rows with a puzzle.
    pub fn puzzles(&self) -> u64 {
        self.rows() - self.rows_with(Status::Malformed)
    }

    /// Returns whether every row had a puzzle, and no answer was refused or is a [mismatch](Tally::mismatches).
    pub fn all_read(&self) -> bool {
        self.rows_with(Status::Malformed) + self.mismatches + self.refused == 0
    }

    /// Returns whether every row had a puzzle with a solution, no puzzle was aborted, and no answer is a [mismatch](Tally::mismatches).
    /// Puzzles with several solutions are allowed.
    pub fn all_well(&self) -> bool {
        let failed = self.rows_with(Status::Unsolvable)
            + self.rows_with(Status::Aborted)
            + self.rows_with(Status::Malformed);
        failed + self.mismatches == 0
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn is_none_marked(marked: &[u64; MARK_CLASSES]) -> bool {
    *marked == [0; MARK_CLASSES]
}

#[cfg(test)]
mod tests {
    use sudobench_sudoku::random::Random;

    use super::*;

    #[test]
    fn many_outcomes_are_counted_like_single_ones() {
        let mut random = Random::new(3);
        // `record_all` counts in chunks. The cases are: no puzzles, several chunks with one status, and several chunks with all statuses.
        for (count, statuses) in [(0, 1), (5000, 1), (3000, Status::ALL.len())] {
            let outcomes = Vec::from_iter((0..count).map(|_| Outcome {
                status: Status::ALL[Status::ALL.len() - 1 - random.below(statuses)],
                nodes: random.below(1000) as u64,
                guesses: random.below(3) as u64,
                ..Outcome::ABORTED
            }));
            let (mut each, mut all) = (Tally::default(), Tally::default());
            outcomes.iter().for_each(|outcome| each.record(outcome));
            all.record_all(&outcomes);
            assert_eq!(each, all);
        }
    }
}
