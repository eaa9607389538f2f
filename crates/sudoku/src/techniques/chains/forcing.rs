//! Forcing chains and bidirectional cycles: 6.5 to 7.9.
//!
//! A chain starts at a candidate and proves its opposite. A cycle leads from "on" back to "on", so of its nodes either all or none are true.
//!
//! All chains of the board are ranked by rating, complexity, rules (X, Y, both), start and form; the first is taken. They are not
//! searched one by one. Let `reach[s]` be the candidates that are on at most k strong links after `s` is on. Then
//!
//! ```text
//! reach[s] at k + 1  =  s, and reach[t] at k for all t that are on one strong link after s
//! ```
//!
//! so all starts advance together, and the first k at which a start contradicts itself gives the shortest chain. Cycles depend on the order
//! in which nodes are visited and are searched start by start, but only as far as they can win. A cycle of n nodes that eliminates a
//! candidate implies a chain of at most n + 2 nodes from that candidate being on to being off, so the same sets decide whether to search.

use super::super::board::{Board, PEERS};
use super::super::step::Step;
use super::super::technique::Technique;
use super::links::{Links, Rules, Set};
use super::rating;
use crate::puzzle::Cells;

/// The form of a chain. Of chains of one start that are equal otherwise, the first form wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Cycle,
    /// From on to off.
    EndsOff,
    /// From off to on.
    EndsOn,
}

/// Orders the chains of a board: the smallest is taken.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Rank {
    rating: f64,
    complexity: usize,
    /// The order of [`Rules`].
    key: u8,
    start: usize,
    form: Form,
}

impl Rank {
    fn new(rules: Rules, form: Form, complexity: usize, start: usize) -> Rank {
        let base = match (rules, form) {
            (Rules::Both, _) => 7.0,
            (_, Form::Cycle) => 6.5,
            _ => 6.6,
        };
        Rank { rating: rating(base, complexity), complexity, key: rules as u8, start, form }
    }
}

/// A node of a chain: a candidate, and whether it is on.
type Node = (u16, bool);

/// A chain that was found.
struct Found {
    rank: Rank,
    rules: Rules,
    /// For cycles the nodes, without the repeated start.
    nodes: Vec<Node>,
    /// The cells for each digit that a cycle eliminates.
    eliminations: [Cells; 9],
}

/// Finds the best chain or cycle of the board.
pub(in super::super) fn find(board: &Board) -> Option<Step> {
    let links = Links::new(board);
    match links.len() {
        0..=128 => search::<2>(board, &links),
        129..=256 => search::<4>(board, &links),
        _ => search::<12>(board, &links),
    }
}

fn search<const WORDS: usize>(board: &Board, links: &Links) -> Option<Step> {
    let mut best: Option<Found> = None;
    for rules in [Rules::X, Rules::Y, Rules::Both] {
        let rank = best.as_ref().map(|found| found.rank);
        if rank.is_some_and(|best| Rank::new(rules, Form::Cycle, 4, 0) > best) {
            continue;
        }
        let chains = Chains::<WORDS>::new(links, rules);
        let (chain, reach) = chains.advance(rank);
        if let Some(rank) = chain {
            best = Some(Found { rank, rules, nodes: Vec::new(), eliminations: [Cells::EMPTY; 9] });
        }
        if chains.has_cycle(&reach, best.as_ref().map(|found| found.rank)) {
            for start in 0..links.len() {
                if let Some(cycle) = chains.cycle(board, start, best.as_ref().map(|found| found.rank)) {
                    best = Some(cycle);
                }
            }
        }
    }
    best.map(|found| step(links, found))
}

/// The chains of a board under one set of rules.
struct Chains<'a, const WORDS: usize> {
    links: &'a Links,
    rules: Rules,
    weak: Vec<Set<WORDS>>,
    strong: Vec<Set<WORDS>>,
    /// For each candidate those that are on one strong link after it is on.
    next: Vec<Set<WORDS>>,
}

impl<'a, const WORDS: usize> Chains<'a, WORDS> {
    fn new(links: &'a Links, rules: Rules) -> Chains<'a, WORDS> {
        let all = 0..links.len();
        let weak = all.clone().map(|candidate| Set::from_links(links.weak(rules, candidate))).collect();
        let strong: Vec<_> =
            all.clone().map(|candidate| Set::from_links(links.strong(rules, candidate))).collect();
        let next = all.map(|candidate| {
            let mut next = Set::EMPTY;
            links.weak(rules, candidate).iter().for_each(|&off| next.insert_all(&strong[usize::from(off)]));
            next
        });
        Chains { links, rules, weak, next: next.collect(), strong }
    }

    /// Lets all starts advance until the best chain is found and no longer cycle could be better. Returns the chain, if it is better than
    /// `best`, and for each number of strong links what each start reaches with at most that number.
    fn advance(&self, best: Option<Rank>) -> (Option<Rank>, Vec<Vec<Set<WORDS>>>) {
        let count = self.links.len();
        let mut chain = None;
        let mut reach = vec![Set::EMPTY; count];
        (0..count).for_each(|start| reach[start].insert(start));
        let mut levels = Vec::new();
        for complexity in (4..).step_by(2) {
            let may_find_chain = chain.is_none()
                && self.rules != Rules::Y
                && best.is_none_or(|best| Rank::new(self.rules, Form::EndsOff, complexity, 0) < best);
            if !may_find_chain && !self.may_win(complexity - 2, 0, chain.or(best)) {
                break;
            }
            let mut longer = reach.clone();
            for start in 0..count {
                self.next[start].for_each(|next| longer[start].insert_all(&reach[next]));
            }
            let is_last = longer == reach;
            levels.push(std::mem::replace(&mut reach, longer));
            if is_last {
                break;
            }
            if may_find_chain {
                chain = self
                    .first_contradiction(&reach)
                    .map(|(start, form)| Rank::new(self.rules, form, complexity, start));
            }
        }
        levels.push(reach);
        (chain, levels)
    }

    /// Returns whether a cycle would be better than `best`.
    fn may_win(&self, complexity: usize, start: usize, best: Option<Rank>) -> bool {
        best.is_none_or(|best| Rank::new(self.rules, Form::Cycle, complexity, start) < best)
    }

    /// Returns the first start that reaches its opposite.
    fn first_contradiction(&self, reach: &[Set<WORDS>]) -> Option<(usize, Form)> {
        (0..self.links.len()).find_map(|start| {
            if reach[start].intersects(&self.weak[start]) {
                Some((start, Form::EndsOff))
            } else {
                let ends_on = self.strong[start].any(|on| reach[on].contains(start));
                ends_on.then_some((start, Form::EndsOn))
            }
        })
    }

    /// Returns whether there may be a cycle that is better than `best` and eliminates anything: two places of a digit such that either being
    /// off leads to the other being on and the reverse, and a third place that sees both.
    fn has_cycle(&self, reach: &[Vec<Set<WORDS>>], best: Option<Rank>) -> bool {
        let last = reach.len() - 1;
        // Strong links of the two parts of the cycle, without the first: a cycle of n nodes has n / 2 in all.
        let most = (1..=2 * last).take_while(|links| self.may_win(2 * links + 2, 0, best)).last();
        most.is_some_and(|most| {
            (0..=most.min(last)).any(|first| self.has_parts(&reach[first], &reach[last.min(most - first)]))
        })
    }

    /// Returns whether there may be a cycle of two parts: from "off" to "on", and back. `forth` and `back` hold what each "on" reaches in the
    /// two parts.
    fn has_parts(&self, forth: &[Set<WORDS>], back: &[Set<WORDS>]) -> bool {
        let after_off = |off: usize| {
            let mut after = Set::EMPTY;
            self.strong[off].for_each(|on| after.insert_all(&forth[on]));
            after
        };
        let after_off: Vec<Set<WORDS>> = (0..self.links.len()).map(after_off).collect();
        (0..self.links.len()).any(|seen_by_both| {
            let seen = self.links.weak(Rules::X, seen_by_both);
            let set = Set::from_links(seen);
            seen.iter().any(|&off| {
                let off = usize::from(off);
                let ons = after_off[off].and(&set);
                ons.any(|on| on != off && back[on].intersects(&self.weak[off]))
            })
        })
    }

    /// Returns the best cycle of a start that is better than `best`.
    fn cycle(&self, board: &Board, start: usize, best: Option<Rank>) -> Option<Found> {
        if self.strong[start] == Set::EMPTY || !self.may_win(4, start, best) {
            return None;
        }
        let mut visited = Set::<WORDS>::EMPTY;
        visited.insert(start);
        // The nodes that are on, each with the "off" before it and the position of the "on" before that.
        let mut queue = vec![(start as u16, u16::MAX, 0_u16)];
        let (mut position, mut layer_end, mut complexity) = (0, 1, 2);
        while position < queue.len() {
            if position == layer_end {
                layer_end = queue.len();
                complexity += 2;
                if !self.may_win(complexity, start, best) {
                    return None;
                }
            }
            let on = usize::from(queue[position].0);
            for &off in self.links.weak(self.rules, on) {
                for &next in self.links.strong(self.rules, off.into()) {
                    if usize::from(next) != start {
                        if !visited.contains(next.into()) {
                            visited.insert(next.into());
                            queue.push((next, off, position as u16));
                        }
                    } else if complexity >= 4 && !is_before(&queue, position, off) {
                        let found = self.close(board, &queue, position, off, complexity);
                        if found.is_some() {
                            return found;
                        }
                    }
                }
            }
            position += 1;
        }
        None
    }

    /// Returns the cycle that an "off" after the "on" at a position closes, if it eliminates anything.
    fn close(
        &self,
        board: &Board,
        queue: &[(u16, u16, u16)],
        position: usize,
        last: u16,
        complexity: usize,
    ) -> Option<Found> {
        let mut nodes = vec![(last, false)];
        let mut position = position;
        loop {
            let (on, off, before) = queue[position];
            nodes.push((on, true));
            if position == 0 {
                break;
            }
            nodes.push((off, false));
            position = before.into();
        }
        nodes.reverse();
        let mut cells = Cells::EMPTY;
        let mut seen = [[Cells::EMPTY; 9]; 2];
        for &(node, is_on) in &nodes {
            let candidate = self.links.candidate(node.into());
            cells.insert(candidate.cell.into());
            let seen = &mut seen[usize::from(is_on)][usize::from(candidate.digit)];
            *seen = seen.or(PEERS[usize::from(candidate.cell)]);
        }
        let eliminations: [Cells; 9] = std::array::from_fn(|digit| {
            seen[0][digit].and(seen[1][digit]).and(board.cells(digit)).without(cells)
        });
        let start = queue[0].0.into();
        eliminations.iter().any(|cells| !cells.is_empty()).then(|| Found {
            rank: Rank::new(self.rules, Form::Cycle, complexity, start),
            rules: self.rules,
            nodes,
            eliminations,
        })
    }
}

/// Returns whether an "off" comes before the "on" at a position of a queue.
fn is_before(queue: &[(u16, u16, u16)], position: usize, off: u16) -> bool {
    let mut position = position;
    while position != 0 {
        let (_, before, parent) = queue[position];
        if before == off {
            return true;
        }
        position = parent.into();
    }
    false
}

/// Returns the nodes of the shortest chain from a candidate to its opposite.
fn chain(links: &Links, rules: Rules, start: usize, starts_on: bool) -> Vec<Node> {
    let first = (start as u16, starts_on);
    let mut queue = vec![(first, 0)];
    let mut visited = vec![[false; 2]; links.len()];
    visited[start][usize::from(starts_on)] = true;
    let mut position = 0;
    while position < queue.len() {
        let ((candidate, is_on), _) = queue[position];
        let next =
            if is_on { links.weak(rules, candidate.into()) } else { links.strong(rules, candidate.into()) };
        for &next in next {
            let seen = &mut visited[usize::from(next)][usize::from(!is_on)];
            if !*seen {
                *seen = true;
                queue.push(((next, !is_on), position));
                if (next, !is_on) == (first.0, !first.1) {
                    let mut nodes = vec![(next, !is_on)];
                    while nodes.last() != Some(&first) {
                        nodes.push(queue[position].0);
                        position = queue[position].1;
                    }
                    nodes.reverse();
                    return nodes;
                }
            }
        }
        position += 1;
    }
    Vec::new()
}

fn step(links: &Links, found: Found) -> Step {
    let Found { rank, rules, nodes, eliminations } = found;
    let start = links.candidate(rank.start);
    let nodes = match rank.form {
        Form::Cycle => nodes,
        Form::EndsOff => chain(links, rules, rank.start, true),
        Form::EndsOn => chain(links, rules, rank.start, false),
    };
    let technique = match (rank.form, rules) {
        (Form::Cycle, Rules::X) => Technique::BidirectionalXCycle,
        (Form::Cycle, Rules::Y) => Technique::BidirectionalYCycle,
        (Form::Cycle, Rules::Both) => Technique::BidirectionalCycle,
        (_, Rules::X) if rank.complexity == 6 => Technique::TurbotFish,
        (_, Rules::X) => Technique::ForcingXChain,
        (_, Rules::Y | Rules::Both) => Technique::ForcingChain,
    };
    let eliminations = match rank.form {
        Form::Cycle => by_cell(&eliminations),
        Form::EndsOff => vec![(start.cell, 1 << start.digit)],
        Form::EndsOn => Vec::new(),
    };
    let chain: Vec<_> = nodes
        .iter()
        .map(|&(node, is_on)| {
            let candidate = links.candidate(node.into());
            (candidate.cell, candidate.digit + 1, is_on)
        })
        .collect();
    Step {
        technique,
        rating: rank.rating,
        units: Vec::new(),
        cells: chain.iter().map(|&(cell, _, _)| usize::from(cell)).collect(),
        digits: chain.iter().fold(0, |digits, &(_, digit, _)| digits | 1 << (digit - 1)),
        placement: (rank.form == Form::EndsOn).then_some((start.cell, start.digit + 1)),
        eliminations,
        chain,
    }
}

/// Lists what is eliminated by cell.
fn by_cell(eliminations: &[Cells; 9]) -> Vec<(u8, u16)> {
    let all = eliminations.iter().fold(Cells::EMPTY, |all, cells| all.or(*cells));
    all.iter()
        .map(|cell| {
            let digits = (0..9).filter(|&digit| eliminations[digit].contains(cell));
            (cell as u8, digits.fold(0, |set, digit| set | 1 << digit))
        })
        .collect()
}
