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
mod search;
mod sets;
mod singles;
mod step;
mod technique;
mod unique_loops;
mod walk;
mod wings;

use std::sync::atomic::{AtomicBool, Ordering};

pub use board::{Board, Digits};
pub use hint::{HintError, Position, hint};
pub use search::{backtrack, guess};
pub use step::{Change, PlayedStep, Step, rating_text, tenths};
pub use technique::{Technique, TechniqueError};
pub use walk::{Walk, Walker};

/// A function that finds a step of a technique. It returns `None` if there is no such step. A search for dynamic chains takes up to tenths
/// of a second, so it ends without a step soon after the cancel flag of the session becomes true.
type Finder = fn(&Board, &Session) -> Option<Step>;

/// The state that the finders share while a puzzle is solved.
#[derive(Default)]
struct Session<'a> {
    /// A flag that cancels long searches when it becomes true.
    cancel: Option<&'a AtomicBool>,
    /// The highest rating, in tenths, that a step may have; `None` for no limit.
    hardest: Option<u8>,
    /// The inner chains that were found.
    inner_chains: chains::InnerChainCache,
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

/// All finders, each with the easiest of its techniques, in the order in which they are called.
const FINDERS: [(Technique, Finder); 25] = {
    use Technique::*;
    [
        (HiddenSingle, |board, _| singles::hidden(board)),
        (DirectPointing, |board, _| locking::direct(board)),
        (DirectHiddenPair, |board, _| sets::direct_hidden(board, DirectHiddenPair, 2)),
        (NakedSingle, |board, _| singles::naked(board)),
        (DirectHiddenTriplet, |board, _| sets::direct_hidden(board, DirectHiddenTriplet, 3)),
        (Pointing, |board, _| locking::plain(board, &mut Some)),
        (NakedPair, |board, _| sets::naked(board, NakedPair, 2, &mut Some)),
        (XWing, |board, _| fish::fish(board, XWing, 2, &mut Some)),
        (HiddenPair, |board, _| sets::hidden(board, HiddenPair, 2, &mut Some)),
        (NakedTriplet, |board, _| sets::naked(board, NakedTriplet, 3, &mut Some)),
        (Swordfish, |board, _| fish::fish(board, Swordfish, 3, &mut Some)),
        (HiddenTriplet, |board, _| sets::hidden(board, HiddenTriplet, 3, &mut Some)),
        (XyWing, |board, _| wings::wing(board, false)),
        (XyzWing, |board, _| wings::wing(board, true)),
        (UniqueRectangle1, |board, _| unique_loops::find(board)),
        (NakedQuad, |board, _| sets::naked(board, NakedQuad, 4, &mut Some)),
        (Jellyfish, |board, _| fish::fish(board, Jellyfish, 4, &mut Some)),
        (HiddenQuad, |board, _| sets::hidden(board, HiddenQuad, 4, &mut Some)),
        (BivalueGrave1, |board, _| bivalue_grave::find(board)),
        (AlignedPairExclusion, |board, _| aligned::pair(board)),
        (BidirectionalXCycle, |board, _| chains::forcing(board)),
        (AlignedTripletExclusion, |board, _| aligned::triplet(board)),
        (NishioForcingChain, chains::nishio),
        (RegionForcingChains, chains::multiple),
        (DynamicRegionForcingChains, chains::dynamic),
    ]
};

/// Returns the next step; `None` if no technique finds one.
pub fn next_step(board: &Board) -> Option<Step> {
    let session = Session::default();
    FINDERS.iter().find_map(|(_, finder)| finder(board, &session))
}
