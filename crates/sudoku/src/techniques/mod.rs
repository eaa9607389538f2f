//! Solves a puzzle as a person does, technique by technique, and rates it as Sudoku Explainer 1.2.1 (N. Juillerat, 2007) does.
//!
//! The candidates are those that the clues leave. Then, until all cells are filled, the [finders](FINDERS) are asked in their order. The
//! first step that any of them finds is applied, and the first finder is asked again.
//!
//! The rating of a puzzle (ER) is the highest rating of its steps, its pearl (EP) the highest up to the first digit that is placed, its
//! diamond (ED) the rating of the first step.

mod board;
mod chains;
mod singles;
mod step;
mod technique;

pub use board::{Board, Digits};
pub use step::{Step, tenths};
pub use technique::{Technique, TechniqueError};

/// Finds a step of a technique, or none.
type Finder = fn(&Board) -> Option<Step>;

/// All finders, in the order in which they are asked.
const FINDERS: [Finder; 6] =
    [singles::hidden, singles::naked, chains::forcing, chains::nishio, chains::multiple, chains::dynamic];

/// Returns the next step; `None` if no technique finds one.
pub fn next_step(board: &Board) -> Option<Step> {
    FINDERS.iter().find_map(|find| find(board))
}
