//! `dlx`: Sudoku as an exact cover, by Knuth's Algorithm X with dancing links.
//!
//! An *item* is something that must be covered exactly once: a cell, or a digit in a row, a column or a box. The 4 x 81 items are the
//! columns of the exact-cover matrix. An *option* is a digit in a cell; it covers four items. The 729 options are the rows of the matrix.
//!
//! ```text
//! explore:  if no item is left: a solution
//!           choose the item with the fewest options; cover it
//!           for each of its options: cover the option's other items; explore; uncover them in reverse
//!           uncover the item
//! ```
//!
//! The uncovered items form a doubly linked circular list. Each item has such a list of its options. An option has four nodes, one in the
//! list of each item that it covers. The four nodes are stored side by side, so they need no links between them. So a node is only three
//! `u16`. (The Art of Computer Programming, volume 4B, 7.2.2.1, also stores the nodes side by side, but separates options by spacers.)

use std::ops::ControlFlow;

use super::found_solutions::FoundSolutions;
use super::{Meter, Outcome, Question, Solver, smallest};
use crate::puzzle::{CELLS, Puzzle};

/// Number of items. Nodes 0 to 323 are the heads of the items' lists.
const ITEMS: usize = 324;
/// The head of the list of uncovered items.
const ROOT: u16 = 324;
/// The first node of the first option. Because this is a multiple of 4, the four nodes of an option have numbers that differ only in the
/// lowest two bits.
const FIRST_NODE: u16 = 328;
const NODES: usize = FIRST_NODE as usize + 4 * 729;

/// The neighbours of a node in its item's list, and the item.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Node {
    up: u16,
    down: u16,
    item: u16,
}

/// The variant `dlx`. The links are made once; every search restores them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dlx {
    nodes: [Node; NODES],
    left: [u16; ITEMS + 1],
    right: [u16; ITEMS + 1],
    /// Number of remaining options of each item.
    sizes: [u16; ITEMS],
    /// The clues, and the digits of the options chosen so far. After backtracking, stale digits stay until they are overwritten.
    digits: [u8; CELLS],
}

impl Solver for Dlx {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        if puzzle.conflict().is_some() {
            return Outcome::CONTRADICTORY;
        }
        smallest::outcome(puzzle, question, |puzzle, meter, found| self.search(puzzle, meter, found))
    }
}

impl Dlx {
    pub(super) fn new() -> Dlx {
        let mut dlx = Dlx {
            nodes: [Node::default(); NODES],
            left: [0; ITEMS + 1],
            right: [0; ITEMS + 1],
            sizes: [0; ITEMS],
            digits: [0; CELLS],
        };
        for item in 0..=ROOT {
            dlx.right[usize::from(item)] = if item == ROOT { 0 } else { item + 1 };
            dlx.left[usize::from(item)] = if item == 0 { ROOT } else { item - 1 };
        }
        for item in 0..ROOT {
            dlx.nodes[usize::from(item)] = Node { up: item, down: item, item };
        }
        for cell in 0..81 {
            for digit in 1..=9 {
                dlx.append_option(cell, digit);
            }
        }
        dlx
    }

    /// Links the four nodes of an option at the end of their items' lists.
    fn append_option(&mut self, cell: u16, digit: u16) {
        let (row, column) = (cell / 9, cell % 9);
        let in_box = row / 3 * 3 + column / 3;
        let value = digit - 1;
        let items = [cell, 81 + row * 9 + value, 162 + column * 9 + value, 243 + in_box * 9 + value];
        for (node, item) in (first_node_of(cell, digit)..).zip(items) {
            let last = self.nodes[usize::from(item)].up;
            self.nodes[usize::from(node)] = Node { up: last, down: item, item };
            self.nodes[usize::from(last)].down = node;
            self.nodes[usize::from(item)].up = node;
            self.sizes[usize::from(item)] += 1;
        }
    }

    /// Searches a puzzle whose clues don't contradict each other, until the search is complete, `found` has enough
    /// solutions or `meter` stops it.
    fn search(&mut self, puzzle: &Puzzle, meter: &mut Meter, found: &mut FoundSolutions) {
        self.digits = *puzzle.values();
        let clues = || (0..81).zip(puzzle.values()).filter(|&(_, &digit)| digit != 0);
        for (cell, &digit) in clues() {
            let node = first_node_of(cell, digit.into());
            self.cover(self.nodes[usize::from(node)].item);
            self.cover_others(node);
        }
        let _ended_early = self.explore(meter, found);
        for (cell, &digit) in clues().rev() {
            let node = first_node_of(cell, digit.into());
            self.uncover_others(node);
            self.uncover(self.nodes[usize::from(node)].item);
        }
    }

    /// Covers the remaining items in every possible way. Returns `Break` if the search must end early; the links are restored in any case.
    fn explore(&mut self, meter: &mut Meter, found: &mut FoundSolutions) -> ControlFlow<()> {
        let item = self.smallest_item();
        if item == ROOT {
            return found.record(&self.digits);
        }
        match self.sizes[usize::from(item)] {
            0 => return ControlFlow::Continue(()),
            1 => {}
            _ => meter.guess(),
        }
        self.cover(item);
        let mut flow = ControlFlow::Continue(());
        let mut node = self.nodes[usize::from(item)].down;
        while node != item && flow.is_continue() {
            flow = self.choose(node, meter, found);
            node = self.nodes[usize::from(node)].down;
        }
        self.uncover(item);
        flow
    }

    /// Chooses the option of `node`, explores the items that remain, and undoes the choice. The item of `node` must already be covered.
    fn choose(&mut self, node: u16, meter: &mut Meter, found: &mut FoundSolutions) -> ControlFlow<()> {
        if !meter.place() {
            return ControlFlow::Break(());
        }
        let option = (node - FIRST_NODE) / 4;
        self.digits[usize::from(option / 9)] = (option % 9) as u8 + 1;
        self.cover_others(node);
        let flow = self.explore(meter, found);
        self.uncover_others(node);
        flow
    }

    /// Returns the first uncovered item that has at most one option. If there is no such item, returns the item with the fewest options
    /// (the first of several). Returns `ROOT` if all items are covered.
    fn smallest_item(&self) -> u16 {
        let (mut smallest, mut fewest) = (ROOT, u16::MAX);
        let mut item = self.right[usize::from(ROOT)];
        while item != ROOT && fewest > 1 {
            let size = self.sizes[usize::from(item)];
            if size < fewest {
                (smallest, fewest) = (item, size);
            }
            item = self.right[usize::from(item)];
        }
        smallest
    }

    /// Covers the other three items of a node's option.
    fn cover_others(&mut self, node: u16) {
        for other in others(node) {
            self.cover(self.nodes[usize::from(other)].item);
        }
    }

    /// Undoes [`Dlx::cover_others`].
    fn uncover_others(&mut self, node: u16) {
        for other in others(node).into_iter().rev() {
            self.uncover(self.nodes[usize::from(other)].item);
        }
    }

    /// Removes an item from the list of items, and its options from the lists of other items.
    fn cover(&mut self, item: u16) {
        let (left, right) = (self.left[usize::from(item)], self.right[usize::from(item)]);
        self.right[usize::from(left)] = right;
        self.left[usize::from(right)] = left;
        let mut node = self.nodes[usize::from(item)].down;
        while node != item {
            for other in others(node) {
                let Node { up, down, item } = self.nodes[usize::from(other)];
                self.nodes[usize::from(up)].down = down;
                self.nodes[usize::from(down)].up = up;
                self.sizes[usize::from(item)] -= 1;
            }
            node = self.nodes[usize::from(node)].down;
        }
    }

    /// Undoes [`Dlx::cover`] step by step in reverse: removed nodes still know their neighbours.
    fn uncover(&mut self, item: u16) {
        let mut node = self.nodes[usize::from(item)].up;
        while node != item {
            for other in others(node).into_iter().rev() {
                let Node { up, down, item } = self.nodes[usize::from(other)];
                self.sizes[usize::from(item)] += 1;
                self.nodes[usize::from(up)].down = other;
                self.nodes[usize::from(down)].up = other;
            }
            node = self.nodes[usize::from(node)].up;
        }
        let (left, right) = (self.left[usize::from(item)], self.right[usize::from(item)]);
        self.right[usize::from(left)] = item;
        self.left[usize::from(right)] = item;
    }
}

/// Returns the first node of the option that puts `digit` into `cell`: the node in the list of the cell's item.
fn first_node_of(cell: u16, digit: u16) -> u16 {
    FIRST_NODE + 4 * (cell * 9 + digit - 1)
}

/// Returns the other three nodes of a node's option, in cyclic order.
fn others(node: u16) -> [u16; 3] {
    [1, 2, 3].map(|step| node & !3 | (node + step) & 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_starts_with_nine_options_and_every_option_covers_four_items() {
        let dlx = Dlx::new();
        assert_eq!(dlx.sizes, [9; ITEMS]);
        for option in 0..729 {
            let items: Vec<u16> =
                (0..4).map(|at| dlx.nodes[usize::from(FIRST_NODE + 4 * option + at)].item).collect();
            let kinds: Vec<u16> = items.iter().map(|item| item / 81).collect();
            assert_eq!(kinds, [0, 1, 2, 3], "option {option}");
            assert_eq!(items[0], option / 9);
        }
        assert_eq!(others(FIRST_NODE + 6), [FIRST_NODE + 7, FIRST_NODE + 4, FIRST_NODE + 5]);
    }

    #[test]
    fn every_search_restores_the_links() {
        let mut dlx = Dlx::new();
        let full = "483921657967345821251876493548132976729564138136798245372689514814253769695417382";
        let open = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let unsolvable = "12345678.........9..............................................................";
        for text in [&full.replace('9', "."), open, &format!("{unsolvable}.")] {
            let puzzle: Puzzle = text.parse().unwrap();
            for question in [
                Question::unique(),
                Question::first(),
                Question { max_nodes: Some(20), ..Question::unique() },
                Question { max_nodes: Some(0), ..Question::unique() },
            ] {
                dlx.solve(&puzzle, &question);
                assert_eq!(Dlx { digits: [0; CELLS], ..dlx.clone() }, Dlx::new(), "{puzzle} {question:?}");
            }
        }
        dlx.solve(&Puzzle::EMPTY, &Question::unique());
        assert_eq!(Dlx { digits: [0; CELLS], ..dlx.clone() }, Dlx::new());
    }
}
