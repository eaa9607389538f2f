//! Scores predictions that are in memory, on several threads.
//!
//! A row with a puzzle, a prediction and a correct solution needs no solver, unless the score must say whether the prediction can be
//! completed. Rows that need no solver are read, checked and scored 128 at a time, while their boards are in the cache. If a row among the
//! 128 lacks a board or has a wrong solution, [`Scored`] scores all 128.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::score::{ScoreBlock, score_if_solved};
use sudobench_sudoku::simd::Level;

use crate::facts::{
    FactBlock, FactContext, FactPlan, Facts, Need, Prediction, PuzzlesOfBlock, RowScore, Scored, Settings,
};
use crate::pieces::{for_each_piece, piece_size};
use crate::run::RunError;
use crate::source::RowFault;
use crate::watch::Watch;

/// Number of rows whose boards are scored together: few enough that most of them stay in the first-level cache.
const BOARDS_AT_ONCE: usize = 128;

/// The boards of some rows: puzzles, predictions and solutions.
#[derive(Clone, Debug, Default)]
pub struct ScoredBoards {
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
    /// The predicted grids.
    pub predictions: Vec<Puzzle>,
    /// The expected solutions, which may be wrong.
    pub solutions: Vec<Puzzle>,
}

/// Predictions in memory, and how their scores are collected.
pub trait PredictedRows: Sync {
    /// The collected scores of a piece of the rows.
    type Scores: Send;

    /// Returns the puzzle and the prediction of a row.
    ///
    /// # Errors
    /// [`RowFault`] if the puzzle is malformed.
    fn row(&self, row: usize) -> Result<(Puzzle, Prediction), RowFault>;

    /// Returns whether [`read_boards`](PredictedRows::read_boards) can read rows. Returns false if the rows have no solutions, or if the
    /// scores must also say which predictions can be completed.
    fn has_boards(&self) -> bool;

    /// Appends the boards of these rows, and returns true. If a row lacks one of its three boards, returns false; the boards of some rows
    /// may then be appended already.
    fn read_boards(&self, rows: Range<usize>, boards: &mut ScoredBoards) -> bool;

    /// Adds `rows` to `scores`: for each row its puzzle and its score, or the fault of a malformed puzzle. Called in the order of the rows.
    fn collect(&self, rows: &[Result<(&Puzzle, &RowScore), RowFault>], scores: &mut Self::Scores);

    /// Adds the rows of `block` to `scores`. Each of these rows has a puzzle, a prediction and a correct solution. Called in the order of
    /// the rows.
    fn collect_block(&self, block: &ScoreBlock, scores: &mut Self::Scores);
}

/// Scores predictions in memory on several threads, piece by piece. `place` is called for each piece, in the order of the rows. It gets the
/// number of rows of the piece, and returns the value in which the scores of the piece are collected. Returns the collected scores of each
/// piece, in the same order.
///
/// # Errors
/// [`RunError::Interrupted`] if the work is cancelled, [`RunError::Level`] if the CPU lacks the SIMD level, and [`RunError::Threads`] if
/// the threads can't be started.
pub fn score_each<P: PredictedRows>(
    rows: usize,
    predictions: &P,
    need: Need,
    level: Level,
    threads: NonZeroUsize,
    watch: &Watch,
    mut place: impl FnMut(usize) -> P::Scores,
) -> Result<Vec<P::Scores>, RunError> {
    let plan = FactPlan::new([need]);
    let context = FactContext::new(level, Arc::clone(&watch.cancel), Settings::default());
    let piece = piece_size(rows, threads);
    let at_once = if predictions.has_boards() { BOARDS_AT_ONCE } else { piece };
    let of_piece = |(Range { start, end }, mut scores): (Range<usize>, P::Scores)| {
        let mut scorer = Scorer { plan: &plan, context: &context, facts: None };
        let mut boards = ScoredBoards::default();
        for start in (start..end).step_by(at_once) {
            let rows = start..end.min(start + at_once);
            if watch.is_cancelled() {
                return Err(RunError::Interrupted);
            }
            let is_scored = predictions.has_boards()
                && boards.read(predictions, rows.clone())
                && boards.score(level, |block| predictions.collect_block(block, &mut scores));
            if !is_scored {
                scorer.score(predictions, rows.clone(), &mut scores)?;
            }
            watch.add(rows.len());
        }
        Ok(scores)
    };
    let pieces = (0..rows).step_by(piece).map(|start| start..rows.min(start + piece));
    let pieces: Vec<(Range<usize>, P::Scores)> =
        pieces.map(|rows| (rows.clone(), place(rows.len()))).collect();
    for_each_piece(pieces, threads, watch, of_piece)
}

impl ScoredBoards {
    /// Replaces the boards with the boards of these rows. Returns false if a row doesn't have three boards.
    fn read(&mut self, predictions: &impl PredictedRows, rows: Range<usize>) -> bool {
        [&mut self.puzzles, &mut self.predictions, &mut self.solutions].into_iter().for_each(Vec::clear);
        predictions.read_boards(rows, self)
    }

    /// Scores the predictions. Returns false, and scores nothing, if one of the solutions is wrong.
    fn score(&self, level: Level, found: impl FnMut(&ScoreBlock)) -> bool {
        score_if_solved(level, &self.puzzles, &self.predictions, &self.solutions, found)
    }
}

/// Scores rows by computing their facts, also if they lack a board or have a wrong solution.
struct Scorer<'p> {
    plan: &'p FactPlan,
    context: &'p FactContext,
    /// `None` until the first rows are scored, because making the facts takes time: a solver is built.
    facts: Option<Facts>,
}

impl Scorer<'_> {
    fn score<P: PredictedRows>(
        &mut self,
        predictions: &P,
        rows: Range<usize>,
        scores: &mut P::Scores,
    ) -> Result<(), RunError> {
        let facts = match &mut self.facts {
            Some(facts) => facts,
            none => none.insert(self.plan.facts(self.context)?),
        };
        let (mut puzzles, mut boards, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            match predictions.row(row) {
                Ok((puzzle, board)) => {
                    puzzles.push(puzzle);
                    boards.push(board);
                    faults.push(None);
                }
                Err(fault) => faults.push(Some(fault)),
            }
        }
        let mut known = FactBlock::default();
        let block = PuzzlesOfBlock::new(&puzzles, &[], true, &[]);
        let scored = facts.compute(&PuzzlesOfBlock { predictions: &boards, ..block }, &mut known);
        if scored < puzzles.len() {
            return Err(RunError::Interrupted);
        }
        let found = known.get::<Scored>().unwrap_or_default().iter().flatten();
        let mut found = puzzles.iter().zip(found);
        let row = |fault: Option<RowFault>| match fault {
            Some(fault) => Some(Err(fault)),
            None => found.next().map(Ok),
        };
        predictions.collect(&faults.into_iter().filter_map(row).collect::<Vec<_>>(), scores);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sudobench_sudoku::score::Score;
    use sudobench_sudoku::{Solution, solve};

    use super::*;
    use crate::facts::Expected;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// Predictions for one puzzle. `without_puzzle` and `with_wrong_solution` are the indices of two special rows.
    struct Rows {
        puzzle: Puzzle,
        predictions: Vec<Puzzle>,
        without_puzzle: usize,
        with_wrong_solution: usize,
        has_boards: bool,
    }

    impl Rows {
        fn solution(&self, row: usize) -> Solution {
            solve(if row == self.with_wrong_solution { &Puzzle::EMPTY } else { &self.puzzle })
                .solution
                .unwrap()
        }
    }

    impl PredictedRows for Rows {
        /// The score of each row (`None` for a row without a puzzle), and the number of rows that [`PredictedRows::collect_block`] added.
        type Scores = (Vec<Option<Score>>, usize);

        fn row(&self, row: usize) -> Result<(Puzzle, Prediction), RowFault> {
            if row == self.without_puzzle {
                return Err(RowFault::Null);
            }
            let solution = self.solution(row);
            let is_right = solution.check(&self.puzzle).is_ok();
            let solution = Some(if is_right { Expected::Right(solution) } else { Expected::Wrong });
            Ok((self.puzzle, Prediction { board: Ok(self.predictions[row]), form: None, solution }))
        }

        fn has_boards(&self) -> bool {
            self.has_boards
        }

        fn read_boards(&self, rows: Range<usize>, boards: &mut ScoredBoards) -> bool {
            boards.puzzles.extend(rows.clone().map(|_| self.puzzle));
            boards.predictions.extend(&self.predictions[rows.clone()]);
            boards.solutions.extend(rows.clone().map(|row| Puzzle::from(self.solution(row))));
            !rows.contains(&self.without_puzzle)
        }

        fn collect(&self, rows: &[Result<(&Puzzle, &RowScore), RowFault>], (scores, _): &mut Self::Scores) {
            scores.extend(rows.iter().map(|row| row.as_ref().ok().map(|(_, row)| row.score)));
        }

        fn collect_block(&self, block: &ScoreBlock, scores: &mut Self::Scores) {
            scores.0.extend((0..block.rows).map(|row| Some(block.score(row))));
            scores.1 += block.rows;
        }
    }

    #[test]
    fn rows_scored_as_boards_have_the_same_scores() {
        let puzzle: Puzzle = PUZZLE.parse().unwrap();
        let right = *solve(&puzzle).solution.unwrap().values();
        let predictions = (0..5 * BOARDS_AT_ONCE + 3).map(|row| {
            let mut cells = right;
            cells[row % 81] = (row % 10) as u8;
            Puzzle::try_from(cells).unwrap()
        });
        let (without_puzzle, with_wrong_solution) = (BOARDS_AT_ONCE, 3 * BOARDS_AT_ONCE + 1);
        let mut rows = Rows {
            puzzle,
            predictions: predictions.collect(),
            without_puzzle,
            with_wrong_solution,
            has_boards: false,
        };
        let score = |rows: &Rows| {
            let (count, one) = (rows.predictions.len(), NonZeroUsize::MIN);
            let watch = Watch::default();
            score_each(count, rows, Scored::WITH_SOLUTION, Level::widest(), one, &watch, |_| {
                Default::default()
            })
            .unwrap()
        };
        let others: Vec<Option<Score>> = score(&rows).into_iter().flat_map(|(scores, _)| scores).collect();
        assert_eq!(others.iter().position(Option::is_none), Some(without_puzzle));
        rows.has_boards = true;
        let pieces = score(&rows);
        let boards: usize = pieces.iter().map(|(_, boards)| boards).sum();
        assert!(boards > 0 && boards < rows.predictions.len());
        assert!(pieces.into_iter().flat_map(|(scores, _)| scores).eq(others));
    }

    #[test]
    fn cancelled_work_has_no_scores() {
        let puzzle: Puzzle = PUZZLE.parse().unwrap();
        let rows = Rows {
            puzzle,
            predictions: vec![puzzle; 2],
            without_puzzle: 9,
            with_wrong_solution: 9,
            has_boards: true,
        };
        let watch = Watch::default();
        watch.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        let found =
            score_each(2, &rows, Scored::WITH_SOLUTION, Level::widest(), NonZeroUsize::MIN, &watch, |_| {
                Default::default()
            });
        assert!(matches!(found, Err(RunError::Interrupted)));
    }
}
