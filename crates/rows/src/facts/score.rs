//! The score of a row's prediction. A prediction is a grid that a person or a model filled in.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::extract::TextForm;
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::score::{self, Score};
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solver::default_variant;
use sudobench_sudoku::{Outcome, Puzzle, Question, Solution, Solver, Status};

use super::{Expected, Fact, FactContext, Need, Prediction, PuzzlesOfBlock, is_cancelled};

/// The score of a row, and the faults of its prediction and of its expected solution.
#[derive(Clone, Debug)]
pub struct RowScore {
    /// The score.
    pub score: Score,
    /// Which cells differ from the solution; `None` if the prediction was not compared with a solution.
    pub wrong: Option<[bool; CELLS]>,
    /// Whether the digits of the prediction and the clues can be completed to a solution; false if the prediction could not be read, `None`
    /// if this was not requested.
    pub solvable: Option<bool>,
    /// Why the prediction could not be read. The [`score`](RowScore::score) of such a prediction is the score of a grid without digits.
    pub fault: Option<String>,
    /// How the prediction is written, if it was extracted from a longer text.
    pub form: Option<TextForm>,
    /// The prediction, if it was extracted from a longer text.
    pub grid: Option<Puzzle>,
    /// Whether the expected solution does not solve the puzzle. Such a solution is ignored.
    pub is_expected_wrong: bool,
}

impl RowScore {
    /// Returns a note about an unreadable prediction or a wrong expected solution; `None` if the row has neither.
    pub fn note(&self) -> Option<String> {
        match (&self.fault, self.is_expected_wrong) {
            (Some(fault), _) => Some(format!("prediction: {fault}")),
            (None, true) => Some("the expected solution does not solve the puzzle".to_owned()),
            (None, false) => None,
        }
    }
}

/// Scores the prediction of each row. If the comparison with the solution is requested, and a row has no correct expected solution, the
/// puzzle is solved. If this puzzle doesn't have exactly one solution, its prediction is not compared.
pub struct Scored {
    level: Level,
    solver: Box<dyn Solver>,
    cancel: Arc<AtomicBool>,
    demand: u32,
}

impl Scored {
    /// Demand bit for the comparison with the solution.
    const COMPARED: u32 = 1;
    /// Demand bit for [`RowScore::solvable`].
    const SOLVABLE: u32 = 2;

    /// The need for the parts of the score that are known without solving the puzzle.
    pub const ALONE: Need = Need::new::<Scored>();
    /// The need for the comparison with the solution.
    pub const WITH_SOLUTION: Need = Need::with::<Scored>(Scored::COMPARED);
    /// The need for [`RowScore::solvable`]: whether the prediction can be completed to a solution.
    pub const WITH_COMPLETION: Need = Need::with::<Scored>(Scored::SOLVABLE);
    /// The need for all parts of the score.
    pub const COMPLETE: Need = Need::with::<Scored>(Scored::COMPARED | Scored::SOLVABLE);

    /// Solves the puzzles. For each puzzle, returns the solution if the status is `unique` or `solved` and the referee accepts the
    /// solution. Returns `None` if the run was cancelled.
    fn solve(&mut self, puzzles: &[Puzzle], max_solutions: NonZeroU64) -> Option<Vec<Option<Solution>>> {
        let question = Question { cancel: Some(Arc::clone(&self.cancel)), ..Question::up_to(max_solutions) };
        let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
        self.solver.solve_batch(puzzles, &question, &mut outcomes);
        let is_found = |outcome: &Outcome| matches!(outcome.status, Status::Unique | Status::Solved);
        let found = puzzles.iter().zip(&outcomes).map(|(puzzle, outcome)| {
            let solution = outcome.solution.filter(|_| is_found(outcome));
            solution.filter(|solution| solution.check(puzzle).is_ok())
        });
        (!is_cancelled(&self.cancel)).then(|| found.collect())
    }

    /// For each row, returns the solution to compare the prediction with: the row's expected solution if it is correct, otherwise the
    /// puzzle's only solution if the comparison is demanded. Returns `None` if the run was cancelled.
    fn solutions(&mut self, block: &PuzzlesOfBlock) -> Option<Vec<Option<Solution>>> {
        let given = |prediction: &Prediction| match prediction.solution {
            Some(Expected::Right(solution)) => Some(solution),
            _ => None,
        };
        if self.demand & Scored::COMPARED == 0 {
            return Some(block.predictions.iter().map(given).collect());
        }
        let rows = block.puzzles.iter().zip(block.predictions);
        let unsolved = rows.filter(|(_, prediction)| given(prediction).is_none()).map(|(puzzle, _)| *puzzle);
        let mut solved =
            self.solve(&unsolved.collect::<Vec<_>>(), NonZeroU64::MIN.saturating_add(1))?.into_iter();
        Some(
            block
                .predictions
                .iter()
                .map(|prediction| given(prediction).or_else(|| solved.next().flatten()))
                .collect(),
        )
    }

    /// For each prediction, returns whether it can be completed to a solution. Returns an empty list if this is not requested, and `None`
    /// if the run was cancelled.
    fn solvable(&mut self, block: &PuzzlesOfBlock) -> Option<Vec<bool>> {
        if self.demand & Scored::SOLVABLE == 0 {
            return Some(Vec::new());
        }
        let rows = || block.puzzles.iter().zip(block.predictions);
        let joined = rows().map(|(puzzle, prediction)| joined(puzzle, prediction.board.as_ref().ok()?));
        let joined: Vec<Option<Puzzle>> = joined.collect();
        let possible: Vec<Puzzle> = joined.iter().copied().flatten().collect();
        let mut solved = self.solve(&possible, NonZeroU64::MIN)?.into_iter();
        Some(joined.iter().map(|joined| joined.is_some() && solved.next().flatten().is_some()).collect())
    }
}

/// Returns a board with the digits of the puzzle and of the prediction. `None` if they have different digits in a cell.
fn joined(puzzle: &Puzzle, prediction: &Puzzle) -> Option<Puzzle> {
    let mut cells = *puzzle.values();
    for (cell, &value) in cells.iter_mut().zip(prediction.values()) {
        if *cell != 0 && value != 0 && *cell != value {
            return None;
        }
        *cell |= value;
    }
    Puzzle::try_from(cells).ok()
}

fn differing(cells: &[u8; CELLS], right: &[u8; CELLS]) -> [bool; CELLS] {
    let mut differ = [false; CELLS];
    differ
        .iter_mut()
        .zip(cells.iter().zip(right))
        .for_each(|(differs, (cell, right))| *differs = cell != right);
    differ
}

impl Fact for Scored {
    type Value = RowScore;

    fn new(context: &FactContext, demand: u32) -> Result<Scored, LevelError> {
        Ok(Scored {
            level: context.level,
            solver: default_variant().build(context.level)?,
            cancel: Arc::clone(&context.cancel),
            demand,
        })
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<RowScore>>) {
        let Some(solutions) = self.solutions(block) else { return };
        let Some(solvable) = self.solvable(block) else { return };
        let boards: Vec<&Puzzle> = block
            .predictions
            .iter()
            .map(|prediction| prediction.board.as_ref().unwrap_or(&Puzzle::EMPTY))
            .collect();
        let rows = block.puzzles.iter().zip(&boards).zip(&solutions);
        let rows = rows.map(|((puzzle, &board), solution)| (puzzle, board, solution.as_ref()));
        let mut scores = Vec::with_capacity(boards.len());
        score::append_all(self.level, rows, &mut scores);
        let rows = block.predictions.iter().zip(boards).zip(&solutions).zip(scores).enumerate();
        values.extend(rows.map(|(number, (((prediction, board), solution), score))| {
            Some(RowScore {
                score,
                wrong: solution.map(|solution| differing(board.values(), solution.values())),
                solvable: solvable.get(number).copied(),
                fault: prediction.board.as_ref().err().cloned(),
                form: prediction.form,
                grid: prediction.form.map(|_| *board),
                is_expected_wrong: matches!(prediction.solution, Some(Expected::Wrong)),
            })
        }));
    }
}
