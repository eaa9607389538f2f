//! Searches for other solutions than the known ones, in slots.
//!
//! When a search has ended, the next one can take its slot while the others continue. So the lanes of `bitslice` always have work. At the
//! end of a batch, most of them would be idle.

use super::{Known, Outcome};
use crate::puzzle::{Puzzle, Solution};

/// Searches in slots. Each searches a puzzle for a solution that [`Known`] does not exclude.
#[derive(Debug, Default)]
pub(crate) struct OtherSearches {
    /// For each slot: the puzzle, the solutions that the search ignores, and the outcome.
    pub(super) puzzles: Vec<Puzzle>,
    pub(super) known: Vec<Known>,
    pub(super) outcomes: Vec<Outcome>,
    /// The slots in the order in which their searches began. `bitslice` needs the whole list until all searches have ended.
    pub(super) order: Vec<u32>,
    /// The slots whose searches ended in the last call of the solver.
    pub(super) ended: Vec<u32>,
    /// Number of searches that have not ended.
    pub(super) unended: usize,
    /// Whether `bitslice` is working on some searches.
    pub(super) has_begun: bool,
}

impl OtherSearches {
    /// Gives up all searches.
    pub(crate) fn clear(&mut self) {
        self.order.clear();
        (self.unended, self.has_begun) = (0, false);
    }

    /// Begins a search in a slot: the first slot that was never used, or a slot without a search. Returns the puzzle and the known solutions
    /// of the search, for writing.
    pub(crate) fn begin(&mut self, slot: usize) -> (&mut Puzzle, &mut Known) {
        if slot == self.puzzles.len() {
            self.puzzles.push(Puzzle::EMPTY);
            self.known.push(Known::Solution(Solution::ONES));
            self.outcomes.push(Outcome::ABORTED);
        }
        self.order.push(slot as u32);
        self.unended += 1;
        (&mut self.puzzles[slot], &mut self.known[slot])
    }

    /// Returns whether all searches have ended.
    pub(crate) fn is_empty(&self) -> bool {
        self.unended == 0
    }

    /// Returns the slots whose searches ended in the last call of the solver.
    pub(crate) fn take_ended(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.ended)
    }

    /// Returns the puzzle and the outcome of a search that has ended.
    pub(crate) fn result(&self, slot: usize) -> (&Puzzle, &Outcome) {
        (&self.puzzles[slot], &self.outcomes[slot])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Cells;
    use crate::random::Random;
    use crate::solver::{Auto, Bitboard, Question, Solver, Status};

    /// Returns a grid without some cells, and the solutions that its search ignores: this grid or, if `without_digit`, all solutions that have
    /// the grid's digit in one removed cell.
    fn search(random: &mut Random, without_digit: bool) -> (Puzzle, Known) {
        let empty = Bitboard::default().solve(&Puzzle::EMPTY, &Question::first());
        let solution = empty.solution.expect("the empty grid has solutions");
        let mut order: [usize; 81] = std::array::from_fn(|cell| cell);
        random.shuffle(&mut order);
        let removed: Cells = order[..30 + random.below(26)].iter().copied().collect();
        let known = match without_digit {
            true => Known::Digit { cell: order[0] as u8, digit: solution[order[0]] },
            false => Known::Solution(solution),
        };
        (Puzzle::from(solution).without(removed), known)
    }

    /// Puts new searches into the slots of ended ones, and compares each outcome with the outcome of a solver for single puzzles.
    #[test]
    fn slots_are_used_again() {
        let (mut auto, mut one) = (Auto::default(), Bitboard::default());
        let (mut random, question) = (Random::new(4), Question::first());
        let mut searches = OtherSearches::default();
        let mut begun = 0;
        let mut begin = |searches: &mut OtherSearches, slot: usize| {
            begun += 1;
            if begun <= 6_000 {
                let (puzzle, known) = searches.begin(slot);
                (*puzzle, *known) = search(&mut random, begun % 3 == 0);
            }
        };
        for slot in 0..1_500 {
            begin(&mut searches, slot);
        }
        let mut statuses = [0; 2];
        while !searches.is_empty() {
            auto.go_on(&mut searches, &question);
            for slot in searches.take_ended() {
                let slot = slot as usize;
                let (puzzle, outcome) = searches.result(slot);
                let expected = one.find_other(puzzle, &searches.known[slot], &question).status;
                assert_eq!(outcome.status, expected, "{puzzle}");
                statuses[usize::from(expected == Status::Solved)] += 1;
                begin(&mut searches, slot);
            }
        }
        assert_eq!(statuses.iter().sum::<u32>(), 6_000);
        assert!(statuses.iter().all(|&number| number > 1_000), "{statuses:?}");
    }

    /// After searches were given up, their lanes must not affect the next batch.
    #[test]
    fn a_batch_after_searches_were_given_up_is_as_the_first_one() {
        let mut random = Random::new(5);
        let (puzzles, known): (Vec<Puzzle>, Vec<Known>) = (0..600).map(|_| search(&mut random, true)).unzip();
        let solved = |auto: &mut Auto| {
            let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
            auto.find_others(&puzzles, &known, &Question::first(), &mut outcomes);
            outcomes.iter().map(|outcome| (outcome.status, outcome.nodes)).collect::<Vec<_>>()
        };
        let first = solved(&mut Auto::default());
        let (mut auto, mut searches) = (Auto::default(), OtherSearches::default());
        for slot in 0..1_500 {
            let (puzzle, known) = searches.begin(slot);
            (*puzzle, *known) = search(&mut random, true);
        }
        auto.go_on(&mut searches, &Question::first());
        assert!(!searches.is_empty());
        assert_eq!(solved(&mut auto), first);
    }
}
