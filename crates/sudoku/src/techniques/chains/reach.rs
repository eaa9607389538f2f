//! The candidates that each candidate reaches by links: if a candidate is on (its cell holds the digit), all candidates that it reaches
//! must be on too. For each candidate and each number k, there is a set of the candidates that it reaches by at most k strong links.
//!
//! The sets of all candidates are computed together:
//!
//! ```text
//! reach[s] at k + 1  =  s, and reach[t] at k for each t to which one weak link and one strong link lead from s
//! ```
//!
//! If the number of links does not matter, [`Reach::close`] takes less time to find the candidates that are reached by any number of links.

use std::cell::OnceCell;

use super::super::board::{Board, bits};
use super::links::{Links, Rules, Set};
use crate::puzzle::UNITS;

/// For some candidates of a board (`members`), the candidates that each of them reaches by the links that the rules allow. The elements of
/// a set are positions in `members`.
#[derive(Debug)]
pub(super) struct Reach<const WORDS: usize> {
    /// The numbers of the candidates, ascending.
    pub(super) members: Vec<u16>,
    pub(super) weak: Vec<Set<WORDS>>,
    pub(super) strong: Vec<Set<WORDS>>,
    /// For each candidate, the candidates that it reaches by one weak link and one strong link.
    next: Vec<Set<WORDS>>,
    /// For each candidate, the set of candidates that it reaches over paths with 0 strong links; then, again for each candidate, the set
    /// that it reaches over paths with at most 1 strong link, and so on. After [`Reach::close`], the last sets are for any number of links.
    reached: Vec<Set<WORDS>>,
    /// The candidates whose set of reached candidates grew in the most recent pass over the candidates; before the first pass, all
    /// candidates.
    pub(super) changed: Set<WORDS>,
    /// For each candidate c, the candidates that must be off if c is on, after any number of links.
    off: OnceCell<Vec<Set<WORDS>>>,
}

impl<const WORDS: usize> Reach<WORDS> {
    /// Starts with candidates that reach only themselves. Links to candidates that are not in `members` are ignored.
    pub(super) fn new(links: &Links, rules: Rules, members: Vec<u16>) -> Reach<WORDS> {
        const NONE: u16 = u16::MAX;
        let mut positions = vec![NONE; links.len()];
        for (position, &member) in members.iter().enumerate() {
            positions[usize::from(member)] = position as u16;
        }
        let to_set = |links: &[u16]| {
            let mut set = Set::EMPTY;
            let positions = links.iter().map(|&link| positions[usize::from(link)]);
            positions.filter(|&position| position != NONE).for_each(|position| set.insert(position.into()));
            set
        };
        let weak: Vec<_> = members.iter().map(|&member| to_set(links.weak(rules, member.into()))).collect();
        let strong: Vec<_> =
            members.iter().map(|&member| to_set(links.strong(rules, member.into()))).collect();
        let mut linked = Set::EMPTY;
        let has_links = |position: &usize| strong[*position] != Set::EMPTY;
        (0..members.len()).filter(has_links).for_each(|position| linked.insert(position));
        let to_next = |weak: &Set<WORDS>| {
            let mut next = Set::EMPTY;
            weak.and(&linked).for_each(|off| next.insert_all(&strong[off]));
            next
        };
        let next = weak.iter().map(to_next).collect();
        let mut reached = Vec::with_capacity(8 * members.len());
        let mut changed = Set::EMPTY;
        for position in 0..members.len() {
            changed.insert(position);
            reached.push(Set::EMPTY);
            reached[position].insert(position);
        }
        Reach { members, weak, strong, next, reached, changed, off: OnceCell::new() }
    }

    /// Returns what each candidate on `board` reaches by any number of links. A dynamic chain has removed candidates from this board.
    /// `self` must be for the board before the chain, with all its candidates and links, and [`Reach::close`] must have been called.
    /// `links` is only used for the numbers of the candidates.
    ///
    /// If a remaining candidate reached a candidate that still has links, it still reaches this candidate. The reason: a path is broken
    /// only if it contains a removed candidate. All candidates after the removed candidate on such a path have been removed or proved by
    /// the chain, so they have no links left. So only paths that use a new link have to be followed.
    pub(super) fn within(&self, links: &Links, board: &Board) -> Reach<WORDS> {
        let count = self.members.len();
        let left = candidates(links, board);
        let mut strong = vec![Set::EMPTY; count];
        let mut linked = Set::EMPTY;
        for_each_pair(links, board, |[one, other]| {
            strong[one].insert(other);
            strong[other].insert(one);
            linked.insert(one);
            linked.insert(other);
        });
        let mut reach = Reach {
            members: self.members.clone(),
            weak: vec![Set::EMPTY; count],
            strong,
            next: vec![Set::EMPTY; count],
            reached: vec![Set::EMPTY; count],
            changed: Set::EMPTY,
            off: OnceCell::new(),
        };
        left.for_each(|on| {
            reach.weak[on] = self.weak[on].and(&left);
            reach.next[on] = self.next[on].and(&linked);
            reach.reached[on] = self.last()[on].and(&linked);
            reach.reached[on].insert(on);
        });
        let mut new_next = vec![Set::EMPTY; count];
        let mut extended = Set::EMPTY;
        linked.for_each(|off| {
            let new = reach.strong[off].without(&self.strong[off]);
            if new != Set::EMPTY {
                extended.insert_all(&reach.weak[off]);
                reach.weak[off].for_each(|on| new_next[on].insert_all(&new));
            }
        });
        extended.for_each(|on| {
            let before = reach.reached[on];
            let mut after = before;
            new_next[on].for_each(|next| after.insert_all(&reach.reached[next]));
            reach.next[on].insert_all(&new_next[on]);
            if after != before {
                reach.reached[on] = after;
                reach.changed.insert(on);
            }
        });
        reach.close();
        reach
    }

    /// Returns whether a forcing chain or a cycle eliminates a candidate of `board`, from which a dynamic chain has removed candidates.
    /// `self` must be for the board before the dynamic chain, as for [`Reach::within`]. The result is only right if that earlier board has
    /// no forcing chain and no cycle that eliminates a candidate.
    ///
    /// Each forcing chain or cycle implies a chain that starts with a candidate on and ends with the same candidate off. Such a chain
    /// contains a strong link that is new on `board`. The chain leads from the candidate to the first side of the link, which is off, then
    /// to the second side, which is on, and from there back to the candidate, which is now off. Only the new links are followed here,
    /// because there are far fewer new links than candidates.
    pub(super) fn has_chain_within(&self, links: &Links, board: &Board) -> bool {
        let off = self.off();
        // `starts`: the sides of the new links, because either side of a link can be the first. `ends`: for each side in `starts`, the
        // candidates that must be off if the side is off.
        let mut starts = Set::EMPTY;
        let mut ends = vec![Set::EMPTY; self.members.len()];
        for_each_pair(links, board, |[one, other]| {
            if !self.strong[one].contains(other) {
                starts.insert(one);
                starts.insert(other);
                ends[one].insert_all(&off[other]);
                ends[other].insert_all(&off[one]);
            }
        });
        let mut pending = starts;
        while pending != Set::EMPTY {
            let mut changed = Set::EMPTY;
            starts.for_each(|start| {
                let before = ends[start];
                let mut after = before;
                before.and(&pending).for_each(|next| after.insert_all(&ends[next]));
                if after != before {
                    ends[start] = after;
                    changed.insert(start);
                }
            });
            pending = changed;
        }
        let left = candidates(links, board);
        starts.any(|start| off[start].and(&left).intersects(&ends[start]))
    }

    /// Returns, for each candidate c, the candidates that must be off if c is on, after any number of links. Call [`Reach::close`] before.
    pub(super) fn off(&self) -> &[Set<WORDS>] {
        self.off.get_or_init(|| {
            let off = |on: &Set<WORDS>| {
                let mut off = Set::EMPTY;
                on.for_each(|on| off.insert_all(&self.weak[on]));
                off
            };
            self.last().iter().map(off).collect()
        })
    }

    /// Finds what each candidate reaches by any number of links. The sets for smaller numbers of links are not kept.
    pub(super) fn close(&mut self) {
        let count = self.next.len();
        while self.changed != Set::EMPTY {
            let mut changed = Set::EMPTY;
            for candidate in 0..count {
                let before = self.reached[candidate];
                let mut after = before;
                let next = self.next[candidate].and(&self.changed);
                next.for_each(|next| after.insert_all(&self.reached[next]));
                if after != before {
                    self.reached[candidate] = after;
                    // The candidates after this one use the extended set already in this pass.
                    self.changed.insert(candidate);
                    changed.insert(candidate);
                }
            }
            self.changed = changed;
        }
    }

    /// Extends the reach of all candidates by one strong link. Returns whether any candidate reaches more than before.
    pub(super) fn advance(&mut self) -> bool {
        let count = self.next.len();
        let start = self.reached.len() - count;
        let mut changed = Set::EMPTY;
        for candidate in 0..count {
            let before = self.reached[start + candidate];
            let mut after = before;
            let next = self.next[candidate].and(&self.changed);
            next.for_each(|next| after.insert_all(&self.reached[start + next]));
            if after != before {
                changed.insert(candidate);
            }
            self.reached.push(after);
        }
        self.changed = changed;
        changed != Set::EMPTY
    }

    /// Returns the number of strong links by which [`advance`](Reach::advance) has extended the reach so far.
    pub(super) fn links(&self) -> usize {
        self.reached.len() / self.next.len().max(1) - 1
    }

    /// Returns what each candidate reaches by at most this number of strong links.
    #[inline]
    pub(super) fn at(&self, links: usize) -> &[Set<WORDS>] {
        let count = self.next.len();
        &self.reached[links * count..][..count]
    }

    /// Returns the furthest reach so far: what each candidate reaches by at most [`links`](Reach::links) strong links or, after
    /// [`close`](Reach::close), by any number of strong links.
    #[inline]
    pub(super) fn last(&self) -> &[Set<WORDS>] {
        &self.reached[self.reached.len() - self.next.len()..]
    }
}

fn candidates<const WORDS: usize>(links: &Links, board: &Board) -> Set<WORDS> {
    let mut candidates = Set::EMPTY;
    for cell in board.empty().iter() {
        bits(board.candidates(cell)).for_each(|digit| candidates.insert(links.number(cell, digit)));
    }
    candidates
}

/// Calls `visit` for each strong link of a board, with the numbers of its two candidates. A link in two units is visited twice.
fn for_each_pair(links: &Links, board: &Board, mut visit: impl FnMut([usize; 2])) {
    for cell in board.cells_with_count(2).iter() {
        visit(pair(board.candidates(cell)).map(|digit| links.number(cell, digit)));
    }
    for unit in 0..27 {
        for digit in bits(board.digits_with_count(unit, 2)) {
            let number = |position: usize| links.number(UNITS[unit][position].into(), digit);
            visit(pair(board.places(unit, digit)).map(number));
        }
    }
}

fn pair(set: u16) -> [usize; 2] {
    [set.trailing_zeros() as usize, set.ilog2() as usize]
}
