//! The steps that techniques find, from the clues of a puzzle towards its solution, and the rating of the puzzle.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::singles::{self, HiddenSingle};
use super::step::{PlayedStep, Step, tenths};
use super::{Board, FINDERS, Session, Technique};
use crate::puzzle::Puzzle;

/// How hard a puzzle is by the techniques that it needs. Ratings are in tenths: 26 for 2.6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The highest rating of the steps (ER). If the walk is unfinished, only the steps before its end count.
    pub rating: u8,
    /// The highest rating up to the first step that fills a cell (EP); 0 if no step does.
    pub pearl: u8,
    /// The rating of the first step (ED); 0 without a step.
    pub diamond: u8,
    /// The technique of the first step with the highest rating; `None` without a step.
    pub hardest: Option<Technique>,
    /// Number of steps.
    pub steps: u32,
    /// Number of steps of each technique, by its place in [`Technique::ALL`].
    pub counts: [u16; Technique::ALL.len()],
    /// Whether cells are still empty at the end, because no technique found a step or because the next step was rated too high for
    /// [`Walker::up_to`].
    pub is_unfinished: bool,
}

/// Follows the steps of puzzles. Use puzzles with exactly one solution, because some techniques assume that there is only one.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::techniques::{Technique, Walker};
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let walk = Walker::default().walk(&puzzle).unwrap();
/// assert_eq!((walk.rating, walk.pearl, walk.diamond), (12, 12, 12));
/// assert_eq!((walk.hardest, walk.steps), (Some(Technique::HiddenSingle), 51));
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Walker {
    cancel: Option<Arc<AtomicBool>>,
    hardest: Option<u8>,
}

impl Walker {
    /// Ends each walk before the first step that is rated higher than `hardest`, in tenths. A walk that ends this way has
    /// [`Walk::is_unfinished`] set.
    #[must_use]
    pub fn up_to(self, hardest: u8) -> Walker {
        Walker { hardest: Some(hardest), ..self }
    }

    /// Sets a cancel flag. The work stops soon after the flag becomes true.
    #[must_use]
    pub fn cancel(self, cancel: Arc<AtomicBool>) -> Walker {
        Walker { cancel: Some(cancel), ..self }
    }

    /// Follows the steps of a puzzle. Returns `None` if the work was cancelled.
    pub fn walk(&self, puzzle: &Puzzle) -> Option<Walk> {
        self.follow(puzzle, |board, found| found.apply(board))
    }

    /// Like [`Walker::walk`], but also returns the steps, each with the board before the step and the candidates that the step changes.
    /// Returns `None` if the work was cancelled.
    pub fn walk_with_steps(&self, puzzle: &Puzzle) -> Option<(Walk, Vec<PlayedStep>)> {
        let mut steps = Vec::new();
        let walk =
            self.follow(puzzle, |board, found| steps.push(PlayedStep::play(found.into_step(), board)))?;
        Some((walk, steps))
    }

    pub(super) fn session(&self) -> Session<'_> {
        Session { cancel: self.cancel.as_deref(), hardest: self.hardest, ..Session::default() }
    }

    fn follow(&self, puzzle: &Puzzle, mut apply: impl FnMut(&mut Board, Found)) -> Option<Walk> {
        let mut board = Board::new(puzzle);
        let mut ratings = Ratings::default();
        let mut counts = [0; Technique::ALL.len()];
        let session = self.session();
        while !board.empty().is_empty() && !session.is_cancelled() {
            let Some(found) = Found::wanted(&board, &session) else { break };
            let technique = found.technique();
            counts[technique as usize] += 1;
            ratings.add(technique, found.rating(), found.fills_a_cell());
            apply(&mut board, found);
        }
        if session.is_cancelled() {
            return None;
        }
        Some(Walk {
            rating: tenths(ratings.highest),
            pearl: tenths(ratings.pearl.unwrap_or(0.0)),
            diamond: tenths(ratings.diamond.unwrap_or(0.0)),
            hardest: ratings.hardest,
            steps: counts.iter().map(|&count| u32::from(count)).sum(),
            counts,
            is_unfinished: !board.empty().is_empty(),
        })
    }
}

/// The ratings of the steps so far.
#[derive(Default)]
struct Ratings {
    highest: f64,
    pearl: Option<f64>,
    diamond: Option<f64>,
    hardest: Option<Technique>,
}

impl Ratings {
    fn add(&mut self, technique: Technique, rating: f64, fills_a_cell: bool) {
        if rating > self.highest {
            self.highest = rating;
            self.hardest = Some(technique);
        }
        self.diamond.get_or_insert(self.highest);
        if fills_a_cell {
            self.pearl.get_or_insert(self.highest);
        }
    }
}

/// The next step.
pub(super) enum Found {
    HiddenSingle(HiddenSingle),
    Other(Step),
}

impl Found {
    /// Returns the next step. Finders that find only steps harder than wanted are skipped.
    fn next(board: &Board, session: &Session) -> Option<Found> {
        if let Some(single) = singles::find_hidden(board) {
            return Some(Found::HiddenSingle(single));
        }
        let mut finders =
            (1..FINDERS.len()).filter(|&finder| session.wants(FINDERS[finder].0.lowest_rating()));
        finders.find_map(|finder| session.find(finder, board)).map(Found::Other)
    }

    /// Returns the next step, unless it is rated too high.
    pub(super) fn wanted(board: &Board, session: &Session) -> Option<Found> {
        Found::next(board, session).filter(|found| session.wants(tenths(found.rating())))
    }

    fn technique(&self) -> Technique {
        match self {
            Found::HiddenSingle(_) => Technique::HiddenSingle,
            Found::Other(step) => step.technique,
        }
    }

    fn rating(&self) -> f64 {
        match self {
            Found::HiddenSingle(single) => single.rating,
            Found::Other(step) => step.rating,
        }
    }

    fn fills_a_cell(&self) -> bool {
        match self {
            Found::HiddenSingle(_) => true,
            Found::Other(step) => step.placement.is_some(),
        }
    }

    fn apply(&self, board: &mut Board) {
        match self {
            Found::HiddenSingle(single) => board.place(single.cell, single.digit),
            Found::Other(step) => step.apply(board),
        }
    }

    pub(super) fn into_step(self) -> Step {
        match self {
            Found::HiddenSingle(single) => single.into_step(),
            Found::Other(step) => step,
        }
    }
}
