//! Solves a puzzle as a person does, technique by technique, and rates it as Sudoku Explainer 1.2.1 (N. Juillerat, 2007) does. Also gives
//! hints, searches with guesses, and draws steps.
//!
//! To rate a puzzle, the candidates of each cell are at first the digits that the clues allow. Then the finders are called in order. The
//! first step that a finder returns is applied, and the search starts again with the first finder, until all cells are filled or no finder
//! returns a step (up to the limit of [`Walker::up_to`]).
//!
//! The rating of a puzzle (ER) is the highest rating of its steps. Its pearl (EP) is the highest rating up to the first step that places a
//! digit. Its diamond (ED) is the rating of the first step.

mod aligned;
mod bivalue_grave;
mod board;
mod chains;
mod changes;
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

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};

use changes::Changes;

use crate::puzzle::Cells;

pub use board::{Board, Digits};
pub use hint::{HintError, Position, hint};
pub use search::{backtrack, guess};
pub use step::{Change, PlayedStep, Step, rating_text, tenths};
pub use technique::{Technique, TechniqueError};
pub use walk::{Walk, Walker};

/// A function that finds a step of one or several techniques, or returns `None`. It may skip patterns that depend only on cells outside of
/// the [`Changes`]: these cells have not changed since the function last returned `None`. A search for dynamic chains may take tenths of a
/// second or longer, so it ends without a step soon after the cancel flag of the session becomes true.
type Finder = fn(&Board, Changes, &Session) -> Option<Step>;

/// The state that the finders share while a puzzle is solved.
#[derive(Default)]
struct Session<'a> {
    /// A flag that cancels long searches when it becomes true.
    cancel: Option<&'a AtomicBool>,
    /// The highest rating, in tenths, of the steps that are wanted; `None` for no limit.
    hardest: Option<u8>,
    /// The chains that were found inside of dynamic chains.
    inner_chains: chains::InnerChainCache,
    /// For each finder, the board when the finder last found no step; `None` before that. Such a board is stored as nine sets: for each
    /// digit, the empty cells that could hold it.
    failures: RefCell<[Option<[Cells; 9]>; FINDERS.len()]>,
    /// For each digit, the larger digits that formed a unique loop together with it in the last search that found no step. (A loop need
    /// not give a step.)
    loop_digits: Cell<[Digits; 9]>,
}

impl Session<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Calls a finder, given by its place in [`FINDERS`]. During the session, candidates may only be removed from the board.
    fn find(&self, finder: usize, board: &Board) -> Option<Step> {
        let failure = self.failures.borrow()[finder];
        let changes = failure.map_or(Changes::ALL, |before| Changes::between(&before, board));
        let step = FINDERS[finder].1(board, changes, self);
        if step.is_none() {
            self.failures.borrow_mut()[finder] = Some(*board.cells_of_digits());
        }
        step
    }

    fn wants(&self, rating: u8) -> bool {
        self.hardest.is_none_or(|hardest| rating <= hardest)
    }
}

/// All finders, each with the easiest of its techniques, in the order in which they are called.
const FINDERS: [(Technique, Finder); 25] = {
    use Technique::*;
    [
        (HiddenSingle, |board, _, _| singles::hidden(board)),
        (DirectPointing, |board, changes, _| locking::direct(board, changes)),
        (DirectHiddenPair, |board, changes, _| sets::direct_hidden(board, changes, DirectHiddenPair, 2)),
        (NakedSingle, |board, _, _| singles::naked(board)),
        (DirectHiddenTriplet, |board, changes, _| {
            sets::direct_hidden(board, changes, DirectHiddenTriplet, 3)
        }),
        (Pointing, |board, changes, _| locking::plain(board, changes, &mut Some)),
        (NakedPair, |board, changes, _| sets::naked(board, changes, NakedPair, 2, &mut Some)),
        (XWing, |board, changes, _| fish::fish(board, changes, XWing, 2, &mut Some)),
        (HiddenPair, |board, changes, _| sets::hidden(board, changes, HiddenPair, 2, &mut Some)),
        (NakedTriplet, |board, changes, _| sets::naked(board, changes, NakedTriplet, 3, &mut Some)),
        (Swordfish, |board, changes, _| fish::fish(board, changes, Swordfish, 3, &mut Some)),
        (HiddenTriplet, |board, changes, _| sets::hidden(board, changes, HiddenTriplet, 3, &mut Some)),
        (XyWing, |board, changes, _| wings::wing(board, changes, false)),
        (XyzWing, |board, changes, _| wings::wing(board, changes, true)),
        (UniqueRectangle1, unique_loops::find),
        (NakedQuad, |board, changes, _| sets::naked(board, changes, NakedQuad, 4, &mut Some)),
        (Jellyfish, |board, changes, _| fish::fish(board, changes, Jellyfish, 4, &mut Some)),
        (HiddenQuad, |board, changes, _| sets::hidden(board, changes, HiddenQuad, 4, &mut Some)),
        (BivalueGrave1, |board, _, _| bivalue_grave::find(board)),
        (AlignedPairExclusion, |board, changes, _| aligned::pair(board, changes)),
        (BidirectionalXCycle, |board, _, _| chains::forcing(board)),
        (AlignedTripletExclusion, |board, changes, _| aligned::triplet(board, changes)),
        (NishioForcingChain, |board, _, session| chains::nishio(board, session)),
        (RegionForcingChains, |board, _, session| chains::multiple(board, session)),
        (DynamicRegionForcingChains, |board, _, session| chains::dynamic(board, session)),
    ]
};

/// Returns the next step; `None` if no technique finds one.
pub fn next_step(board: &Board) -> Option<Step> {
    let session = Session::default();
    FINDERS.iter().find_map(|(_, finder)| finder(board, Changes::ALL, &session))
}
