//! What candidates reach by links: for each candidate that is on, the candidates that are on after it, by up to a number of strong links.
//!
//! All candidates advance together:
//!
//! ```text
//! reach[s] at k + 1  =  s, and reach[t] at k for all t that are on one strong link after s
//! ```

use super::links::{Links, Rules, Set};

/// What some candidates of a board reach under a set of rules. Sets hold positions in `members`.
#[derive(Debug)]
pub(super) struct Reach<const WORDS: usize> {
    /// The numbers of the candidates, ascending.
    pub(super) members: Vec<u16>,
    pub(super) weak: Vec<Set<WORDS>>,
    pub(super) strong: Vec<Set<WORDS>>,
    /// For each candidate those that are on one strong link after it is on.
    next: Vec<Set<WORDS>>,
    /// For each number of strong links, one after the other, what each candidate reaches.
    reached: Vec<Set<WORDS>>,
    /// The candidates that reach more by the last link than before.
    pub(super) changed: Set<WORDS>,
}

impl<const WORDS: usize> Reach<WORDS> {
    /// Starts with candidates that reach only themselves. Links to other candidates are left out.
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
        Reach { members, weak, strong, next, reached, changed }
    }

    /// Adds one strong link. Returns whether any candidate reaches more than before.
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

    /// Returns the number of strong links so far.
    pub(super) fn links(&self) -> usize {
        self.reached.len() / self.next.len().max(1) - 1
    }

    /// Returns what each candidate reaches by at most this number of strong links.
    #[inline]
    pub(super) fn at(&self, links: usize) -> &[Set<WORDS>] {
        let count = self.next.len();
        &self.reached[links * count..][..count]
    }

    /// Returns what each candidate reaches by all strong links so far.
    #[inline]
    pub(super) fn last(&self) -> &[Set<WORDS>] {
        &self.reached[self.reached.len() - self.next.len()..]
    }
}
