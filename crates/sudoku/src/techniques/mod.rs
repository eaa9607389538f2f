//! Solves a puzzle as a person does, technique by technique, and rates it as Sudoku Explainer 1.2.1 (N. Juillerat, 2007) does.
//!
//! The candidates are those that the clues leave. Then, until all cells are filled, the finders are asked in their order. The
//! first step that any of them finds is applied, and the first finder is asked again.
//!
//! The rating of a puzzle (ER) is the highest rating of its steps, its pearl (EP) the highest up to the first digit that is placed, its
//! diamond (ED) the rating of the first step.

mod aligned;
mod bivalue_grave;
mod board;
mod chains;
pub mod drawing;
mod fish;
mod hint;
mod locking;
mod sets;
mod singles;
mod step;
mod technique;
mod unique_loops;
mod walk;
mod wings;

use std::sync::atomic::AtomicBool;

pub use board::{Board, Digits};
pub use hint::{HintError, Position, hint};
pub use step::{Change, PlayedStep, Step, rating_text, tenths};
pub use technique::{Technique, TechniqueError};
pub use walk::{Walk, Walker};

/// Finds a step of a technique, or none.
type Finder = fn(&Board) -> Option<Step>;

/// The finders with the lowest rating of their steps in tenths, in the order in which they are asked.
const FINDERS: [(u8, Finder); 26] = [
    (10, singles::hidden),
    (17, locking::direct),
    (20, sets::direct_hidden_pair),
    (23, singles::naked),
    (25, sets::direct_hidden_triplet),
    (26, locking::plain),
    (30, sets::naked_pair),
    (32, fish::x_wing),
    (34, sets::hidden_pair),
    (36, sets::naked_triplet),
    (38, fish::swordfish),
    (40, sets::hidden_triplet),
    (42, wings::xy),
    (44, wings::xyz),
    (45, unique_loops::find),
    (50, sets::naked_quad),
    (52, fish::jellyfish),
    (54, sets::hidden_quad),
    (56, bivalue_grave::find),
    (62, aligned::pair),
    (65, chains::forcing),
    (75, aligned::triplet),
    (75, chains::nishio),
    (80, chains::multiple),
    (85, chains::dynamic),
    (90, chains::dynamic_plus),
];

/// Finds a step of a technique that takes long, or none. Ends without a step soon after the flag becomes true.
type LongFinder = fn(&Board, Option<&AtomicBool>) -> Option<Step>;

/// The finders that take tenths of a second. They have the form of [`FINDERS`], and are asked after them.
const LONG_FINDERS: [(u8, LongFinder); 1] = [(95, chains::nested_chains)];

/// Returns the next step; `None` if no technique finds one.
pub fn next_step(board: &Board) -> Option<Step> {
    let long = || LONG_FINDERS.iter().find_map(|(_, find)| find(board, None));
    FINDERS.iter().find_map(|(_, find)| find(board)).or_else(long)
}
