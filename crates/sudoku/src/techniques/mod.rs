//! Solves a puzzle as a person does, technique by technique, and rates it as Sudoku Explainer 1.2.1 (N. Juillerat, 2007) does.
//!
//! At the start, the candidates of each cell are the digits that the clues allow. Then, until all cells are filled, the finders are called
//! in order. The first step that a finder returns is applied, and the search starts again with the first finder.
//!
//! The rating of a puzzle (ER) is the highest rating of its steps. Its pearl (EP) is the highest rating up to the first step that places a
//! digit. Its diamond (ED) is the rating of the first step.

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

use std::sync::atomic::{AtomicBool, Ordering};

use Finder::{Long, Quick};
pub use board::{Board, Digits};
pub use hint::{HintError, Position, hint};
pub use step::{Change, PlayedStep, Step, rating_text, tenths};
pub use technique::{Technique, TechniqueError};
pub use walk::{Walk, Walker};

/// A function that finds a step of a technique. It returns `None` if there is no such step.
#[derive(Clone, Copy, Debug)]
enum Finder {
    Quick(fn(&Board) -> Option<Step>),
    /// Takes up to tenths of a second. Ends without a step soon after the flag of the session becomes true.
    Long(fn(&Board, &Session) -> Option<Step>),
}

/// The state that the long finders share while a puzzle is solved.
#[derive(Default)]
struct Session<'a> {
    /// A flag that cancels the long finders when it becomes true.
    cancel: Option<&'a AtomicBool>,
    /// The highest rating, in tenths, that a wanted step may have.
    hardest: Option<u8>,
    /// The inner chains that the long finders have found.
    memory: chains::Memory,
}

impl Session<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Returns whether steps with this rating in tenths are wanted.
    fn wants(&self, rating: u8) -> bool {
        self.hardest.is_none_or(|hardest| rating <= hardest)
    }
}

impl Finder {
    fn find(self, board: &Board, session: &Session) -> Option<Step> {
        match self {
            Finder::Quick(find) => find(board),
            Finder::Long(find) => find(board, session),
        }
    }
}

/// All finders with the lowest rating of their steps in tenths, in the order in which they are called.
const FINDERS: [(u8, Finder); 25] = [
    (10, Quick(singles::hidden)),
    (17, Quick(locking::direct)),
    (20, Quick(sets::direct_hidden_pair)),
    (23, Quick(singles::naked)),
    (25, Quick(sets::direct_hidden_triplet)),
    (26, Quick(locking::plain)),
    (30, Quick(sets::naked_pair)),
    (32, Quick(fish::x_wing)),
    (34, Quick(sets::hidden_pair)),
    (36, Quick(sets::naked_triplet)),
    (38, Quick(fish::swordfish)),
    (40, Quick(sets::hidden_triplet)),
    (42, Quick(wings::xy)),
    (44, Quick(wings::xyz)),
    (45, Quick(unique_loops::find)),
    (50, Quick(sets::naked_quad)),
    (52, Quick(fish::jellyfish)),
    (54, Quick(sets::hidden_quad)),
    (56, Quick(bivalue_grave::find)),
    (62, Quick(aligned::pair)),
    (65, Quick(chains::forcing)),
    (75, Quick(aligned::triplet)),
    (75, Quick(chains::nishio)),
    (80, Quick(chains::multiple)),
    (85, Long(chains::dynamic)),
];

/// Returns the next step; `None` if no technique finds one.
pub fn next_step(board: &Board) -> Option<Step> {
    let session = Session::default();
    FINDERS.iter().find_map(|(_, finder)| finder.find(board, &session))
}
