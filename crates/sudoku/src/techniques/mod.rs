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
mod fish;
mod locking;
mod sets;
mod singles;
mod step;
mod technique;
mod unique_loops;
mod walk;
mod wings;

pub use board::{Board, Digits};
pub use step::{Step, tenths};
pub use technique::{Technique, TechniqueError};
pub use walk::{Walk, Walker};

/// Finds a step of a technique, or none.
type Finder = fn(&Board) -> Option<Step>;

/// All finders, in the order in which they are asked.
const FINDERS: [Finder; 25] = [
    singles::hidden,
    locking::direct,
    sets::direct_hidden_pair,
    singles::naked,
    sets::direct_hidden_triplet,
    locking::plain,
    sets::naked_pair,
    fish::x_wing,
    sets::hidden_pair,
    sets::naked_triplet,
    fish::swordfish,
    sets::hidden_triplet,
    wings::xy,
    wings::xyz,
    unique_loops::find,
    sets::naked_quad,
    fish::jellyfish,
    sets::hidden_quad,
    bivalue_grave::find,
    aligned::pair,
    chains::forcing,
    aligned::triplet,
    chains::nishio,
    chains::multiple,
    chains::dynamic,
];

/// Returns the next step; `None` if no technique finds one.
pub fn next_step(board: &Board) -> Option<Step> {
    FINDERS.iter().find_map(|find| find(board))
}
