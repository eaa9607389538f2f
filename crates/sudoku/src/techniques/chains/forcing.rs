//! Finds forcing chains and bidirectional cycles. Their ratings are 6.5 or more.
//!
//! A node is a candidate that is on (the cell holds the digit) or off. A chain leads from a node to the opposite node, which proves the
//! opposite node. A cycle leads from a node that is on back to this node, so either all its nodes are true or none is.
//!
//! All chains and cycles of the board are ranked by rating, complexity, rules (X, Y, both), start and form; [`find`] returns the first in
//! this order. Chains are not searched one by one: all starts advance together ([`Reach`]). The smallest number of links after which a
//! start reaches its own opposite gives the shortest chain. Cycles are searched one start after the other, because the result depends on
//! the order in which nodes are visited. This search ends where longer cycles could no longer be better than the best chain. If a cycle of
//! n nodes eliminates a candidate, a chain of at most n + 2 nodes leads from "this candidate is on" to "this candidate is off". So the sets
//! of [`Reach`] also show from which starts a search for cycles is needed.
//!
//! Chains with links from units only (X) stay within one digit. Chains with strong links from cells only (Y) stay within the cells with two
//! candidates. So each digit is searched separately, and so are the cells with two candidates. These searches need only small sets.

use std::cmp::Ordering;
use std::rc::Rc;

use super::super::board::{ALL_DIGITS, Board, Digits, PEERS, bits, count};
use super::super::step::Step;
use super::super::technique::Technique;
use super::inner::{Inner, InnerStep};
use super::links::{Candidate, Links, Rules, Set};
use super::rating;
use super::reach::Reach;
use crate::puzzle::Cells;

/// The form of a chain. If the ranks of two chains differ only in the form, the form that is listed first wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Cycle,
    /// A chain that starts with a candidate on and ends with the same candidate off.
    EndsOff,
    /// A chain that starts with a candidate off and ends with the same candidate on.
    EndsOn,
}

/// The rank of a chain. The chain with the smallest rank is taken.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Rank {
    rating: f64,
    complexity: usize,
    rules: Rules,
    /// The candidate at the start: nine times its cell plus its digit, counted from 0.
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
        Rank { rating: rating(base, complexity), complexity, rules, start, form }
    }
}

/// A node of a chain: a candidate, and whether it is on.
type Node = (Candidate, bool);

/// A chain or cycle that was found.
struct Found {
    rank: Rank,
    /// The nodes in order. The start of a cycle is not repeated at the end.
    nodes: Vec<Node>,
    /// For each digit, the cells from which a cycle eliminates it. Empty for chains.
    eliminations: [Cells; 9],
}

/// Finds the best chain or cycle of the board.
pub(in super::super) fn find(board: &Board) -> Option<Step> {
    let links = &Links::new(board);
    let mut best = None;
    for_each_part(board, links, ALL_DIGITS, |chains, members| {
        chains.search(members, Wanted::Best(&mut best));
    });
    let chains = Chains { board, links, rules: Rules::Both };
    chains.search((0..links.len() as u16).collect(), Wanted::Best(&mut best));
    best.map(|found| step(board, found))
}

/// Returns the cycles of the board that eliminate candidates, and the shortest chain of each form from each start, the best first. Cycles
/// are searched under all three rules, chains under [`Rules::X`] and [`Rules::Both`]. `reach` has the sets of candidates that each
/// candidate reaches by any number of links, under [`Rules::Both`].
pub(super) fn all<const WORDS: usize>(board: &Board, links: &Links, reach: &Reach<WORDS>) -> Vec<InnerStep> {
    let mut all = Vec::new();
    let digits = Chains { board, links, rules: Rules::Both }.find_all(reach, &mut all);
    // If there is no chain or cycle under `Rules::Both`, there is none under the other rules, because these rules allow fewer links.
    if digits != 0 {
        for_each_part(board, links, digits, |chains, members| {
            chains.search(members, Wanted::All(&mut all));
        });
    }
    all.sort_by(|one: &Found, other| one.rank.partial_cmp(&other.rank).unwrap_or(Ordering::Equal));
    all.into_iter().map(|found| inner_step(board, found)).collect()
}

/// Calls `visit` with the rules X (links from units only), once for each of the given digits that has strong links. Then calls `visit` once
/// with the rules Y (strong links from cells only). The second argument of `visit` lists the candidates that the chains of this call may
/// contain.
fn for_each_part(board: &Board, links: &Links, digits: Digits, mut visit: impl FnMut(Chains, Vec<u16>)) {
    let to_members = |numbers: &mut dyn Iterator<Item = usize>| numbers.map(|number| number as u16).collect();
    // A digit has strong links only if it has exactly two places in some unit.
    let linked = (0..27).fold(0, |digits, unit| digits | board.digits_with_count(unit, 2));
    for digit in bits(linked & digits) {
        let mut members = board.cells(digit).iter().map(|cell| links.number(cell, digit));
        visit(Chains { board, links, rules: Rules::X }, to_members(&mut members));
    }
    let pairs = board.cells_with_count(2).iter();
    let mut members =
        pairs.flat_map(|cell| bits(board.candidates(cell)).map(move |digit| links.number(cell, digit)));
    visit(Chains { board, links, rules: Rules::Y }, to_members(&mut members));
}

/// The buffers of a search for a chain or a cycle. Later searches reuse them.
#[derive(Default)]
struct Visits {
    /// For a cycle: a queue of the nodes that are on. Each entry has three values: the candidate that is on, the previous candidate (it is
    /// off), and the queue position of the node before the previous candidate (this node is on).
    cycle: Vec<(u16, u16, u16)>,
    /// For a chain: the nodes, each with the position of the node before it.
    chain: Vec<((u16, bool), usize)>,
    /// For each candidate, whether the search has visited its node "off", and whether it has visited its node "on". A search for a cycle
    /// sets only the second value.
    visited: Vec<[bool; 2]>,
}

impl Visits {
    fn clear(&mut self, candidates: usize) {
        self.cycle.clear();
        self.chain.clear();
        self.visited.clear();
        self.visited.resize(candidates, [false; 2]);
    }
}

/// The chains of a board under one set of rules.
#[derive(Clone, Copy)]
struct Chains<'a> {
    board: &'a Board,
    links: &'a Links<'a>,
    rules: Rules,
}

/// The chains that a search looks for.
enum Wanted<'f> {
    /// The best chain, which replaces the given chain if it is better.
    Best(&'f mut Option<Found>),
    /// All chains, which are added to the list.
    All(&'f mut Vec<Found>),
}

impl Chains<'_> {
    /// Searches for chains and cycles that contain only the given candidates.
    fn search(self, members: Vec<u16>, wanted: Wanted) {
        if let Wanted::Best(Some(best)) = &wanted
            && Rank::new(self.rules, Form::Cycle, 4, 0) > best.rank
        {
            return;
        }
        match members.len() {
            0 => {}
            1..=64 => self.search_in::<1>(members, wanted),
            65..=128 => self.search_in::<2>(members, wanted),
            129..=256 => self.search_in::<4>(members, wanted),
            _ => self.search_in::<12>(members, wanted),
        }
    }

    fn search_in<const WORDS: usize>(self, members: Vec<u16>, wanted: Wanted) {
        let mut reach = Reach::<WORDS>::new(self.links, self.rules, members);
        match wanted {
            Wanted::Best(best) => self.find_best(&mut reach, best),
            Wanted::All(all) => {
                reach.close();
                self.find_all(&reach, all);
            }
        }
    }

    /// Adds to `all` the cycles and, except under [`Rules::Y`], the shortest chain of each [`Form`] from each start. `reach` has the sets
    /// of candidates that each candidate reaches by any number of links. Returns the digits of all candidates at which a chain starts or a
    /// cycle may start.
    fn find_all<const WORDS: usize>(self, reach: &Reach<WORDS>, all: &mut Vec<Found>) -> Digits {
        let mut visits = Visits::default();
        let mut digits = 0;
        let digit = |member: u16| 1 << self.links.candidate(member.into()).digit;
        self.cycle_starts(reach, None).for_each(|start| {
            digits |= digit(reach.members[start]);
            self.cycle(reach.members[start], None, &mut visits, &mut |found| {
                all.push(found);
                None
            });
        });
        if self.rules == Rules::Y {
            return digits;
        }
        for start in 0..reach.members.len() {
            let ends_off = reach.last()[start].intersects(&reach.weak[start]);
            let ends_on = reach.strong[start].any(|on| reach.last()[on].contains(start));
            for (form, is_reached) in [(Form::EndsOff, ends_off), (Form::EndsOn, ends_on)] {
                if is_reached {
                    digits |= digit(reach.members[start]);
                    let nodes = self.chain(self.rank(form, 0, reach.members[start]), &mut visits);
                    let rank = self.rank(form, nodes.len(), reach.members[start]);
                    all.push(Found { rank, nodes, eliminations: [Cells::EMPTY; 9] });
                }
            }
        }
        digits
    }

    /// Replaces `best` if there is a better chain or cycle. `reach` must be new: each candidate reaches only itself.
    fn find_best<const WORDS: usize>(self, reach: &mut Reach<WORDS>, best: &mut Option<Found>) {
        let mut rank = best.as_ref().map(|found| found.rank);
        let chain = self.advance(reach, rank).filter(|&chain| rank.is_none_or(|best| chain < best));
        rank = chain.or(rank);
        let mut cycle = None;
        let mut visits = Visits::default();
        self.cycle_starts(reach, rank).for_each(|start| {
            cycle = self.cycle(reach.members[start], rank, &mut visits, &mut Some).or(cycle.take());
            rank = cycle.as_ref().map(|found: &Found| found.rank).or(rank);
        });
        let mut to_found = |rank: Rank| Found {
            rank,
            nodes: self.chain(rank, &mut visits),
            eliminations: [Cells::EMPTY; 9],
        };
        if let Some(found) = cycle.or_else(|| chain.map(&mut to_found)) {
            *best = Some(found);
        }
    }

    fn rank(self, form: Form, complexity: usize, start: u16) -> Rank {
        let Candidate { cell, digit } = self.links.candidate(start.into());
        Rank::new(self.rules, form, complexity, 9 * usize::from(cell) + usize::from(digit))
    }

    /// Extends `reach` link by link, as long as a better chain or a better cycle is possible and each link extends the reach of some
    /// candidate. Returns the rank of the best chain, or `None` if there is no chain or no chain could be better than `best`.
    fn advance<const WORDS: usize>(self, reach: &mut Reach<WORDS>, best: Option<Rank>) -> Option<Rank> {
        let mut chain = None;
        for complexity in (4..).step_by(2) {
            let may_find_chain = chain.is_none()
                && self.rules != Rules::Y
                && best.is_none_or(|best| Rank::new(self.rules, Form::EndsOff, complexity, 0) < best);
            if !may_find_chain && !self.may_win(complexity - 2, chain.or(best)) || !reach.advance() {
                break;
            }
            if may_find_chain {
                chain = self
                    .first_contradiction(reach)
                    .map(|(start, form)| self.rank(form, complexity, reach.members[start]));
            }
        }
        chain
    }

    /// Returns whether a cycle of this complexity could be better than `best`.
    fn may_win(self, complexity: usize, best: Option<Rank>) -> bool {
        best.is_none_or(|best| Rank::new(self.rules, Form::Cycle, complexity, 0) < best)
    }

    /// Returns the first start that reaches its own opposite, and the form of the chain between them.
    fn first_contradiction<const WORDS: usize>(self, reach: &Reach<WORDS>) -> Option<(usize, Form)> {
        let last = reach.last();
        (0..reach.members.len()).find_map(|start| {
            if last[start].intersects(&reach.weak[start]) {
                Some((start, Form::EndsOff))
            } else {
                let strong = reach.strong[start].and(&reach.changed);
                let ends_on = strong.any(|on| last[on].contains(start));
                ends_on.then_some((start, Form::EndsOn))
            }
        })
    }

    /// Returns the starts from which there may be a cycle that is better than `best` and eliminates a candidate.
    ///
    /// Such a cycle contains two places of a digit, and a third place of the digit sees both. In the cycle, one of the two places is on
    /// exactly if the other is off.
    ///
    /// The cycle has two parts: from one place being off to the other being on, and back. Links hold in both directions, so it does not
    /// matter which place comes first.
    fn cycle_starts<const WORDS: usize>(self, reach: &Reach<WORDS>, best: Option<Rank>) -> Set<WORDS> {
        let mut starts = Set::EMPTY;
        let last = reach.links();
        // `most`: the largest number of strong links, without the first link, that a cycle better than `best` can have. A cycle of n nodes
        // has n / 2 strong links in all. If `best` is `None`, there is no limit; `2 * last + 1` is always enough.
        let may_win = |links: &usize| self.may_win(2 * links + 2, best);
        let most = match best {
            Some(_) => (1..=2 * last).take_while(may_win).last().unwrap_or(0),
            None => 2 * last + 1,
        };
        if most == 0 {
            return starts;
        }
        let last = last.min(most);
        let candidate = |position: usize| self.links.candidate(reach.members[position].into());
        let mut of_digit = [Set::<WORDS>::EMPTY; 9];
        for position in 0..reach.members.len() {
            of_digit[usize::from(candidate(position).digit)].insert(position);
        }
        let after = |off: usize, links: usize| {
            let mut after = Set::EMPTY;
            reach.strong[off].for_each(|on| after.insert_all(&reach.at(links)[on]));
            after
        };
        let is_back =
            |on: usize, off: usize, links: usize| reach.at(links.min(last))[on].intersects(&reach.weak[off]);
        for off in (0..reach.members.len()).filter(|&off| reach.strong[off] != Set::EMPTY) {
            let Candidate { cell, digit } = candidate(off);
            let seen = PEERS[usize::from(cell)].and(self.board.cells(digit.into()));
            after(off, last).and(&of_digit[usize::from(digit)]).for_each(|on| {
                if on <= off
                    || !is_back(on, off, last)
                    || PEERS[usize::from(candidate(on).cell)].and(seen).is_empty()
                {
                    return;
                }
                let forth = (0..=last).find(|&links| after(off, links).contains(on));
                if forth.is_some_and(|forth| is_back(on, off, most - forth)) {
                    // A cycle may start at each candidate between `off` and `on`: if `off` is off, this candidate is on, and if this
                    // candidate is on, `on` is on. For the other direction of the cycle, `off` and `on` are swapped.
                    for (off, on) in [(off, on), (on, off)] {
                        after(off, last).for_each(|start| {
                            if reach.at(last)[start].contains(on) {
                                starts.insert(start);
                            }
                        });
                    }
                }
            });
        }
        starts
    }

    /// Searches breadth-first for cycles from `start`, along one path to each node that is on. Calls `found` with each cycle that
    /// eliminates a candidate and is better than `best`, the best cycle first. The search ends when `found` returns a cycle, and returns
    /// this cycle.
    fn cycle(
        self,
        start: u16,
        best: Option<Rank>,
        visits: &mut Visits,
        found: &mut dyn FnMut(Found) -> Option<Found>,
    ) -> Option<Found> {
        let may_win = |complexity| best.is_none_or(|best| self.rank(Form::Cycle, complexity, start) < best);
        visits.clear(self.links.len());
        let Visits { cycle: queue, visited, .. } = visits;
        visited[usize::from(start)][1] = true;
        queue.push((start, u16::MAX, 0));
        let (mut position, mut layer_end, mut complexity) = (0, 1, 2);
        while position < queue.len() {
            if position == layer_end {
                layer_end = queue.len();
                complexity += 2;
                if !may_win(complexity) {
                    return None;
                }
            }
            let on = usize::from(queue[position].0);
            for &off in self.links.weak(self.rules, on) {
                for &next in self.links.strong(self.rules, off.into()) {
                    if next != start {
                        if !std::mem::replace(&mut visited[usize::from(next)][1], true) {
                            queue.push((next, off, position as u16));
                        }
                    } else if complexity >= 4 && !is_before(queue, position, off) {
                        let cycle = self.closed_cycle(queue, position, off, complexity).and_then(&mut *found);
                        if cycle.is_some() {
                            return cycle;
                        }
                    }
                }
            }
            position += 1;
        }
        None
    }

    /// Returns the cycle that the candidate `last` closes. This candidate is off because the node at `position` in the queue is on. Returns
    /// `None` if the cycle eliminates nothing.
    fn closed_cycle(
        self,
        queue: &[(u16, u16, u16)],
        position: usize,
        last: u16,
        complexity: usize,
    ) -> Option<Found> {
        let mut nodes = vec![(self.links.candidate(last.into()), false)];
        let mut position = position;
        loop {
            let (on, off, before) = queue[position];
            nodes.push((self.links.candidate(on.into()), true));
            if position == 0 {
                break;
            }
            nodes.push((self.links.candidate(off.into()), false));
            position = before.into();
        }
        nodes.reverse();
        let mut cells = Cells::EMPTY;
        let mut seen = [[Cells::EMPTY; 9]; 2];
        for &(candidate, is_on) in &nodes {
            cells.insert(candidate.cell.into());
            let seen = &mut seen[usize::from(is_on)][usize::from(candidate.digit)];
            *seen = seen.or(PEERS[usize::from(candidate.cell)]);
        }
        let eliminations: [Cells; 9] = std::array::from_fn(|digit| {
            seen[0][digit].and(seen[1][digit]).and(self.board.cells(digit)).without(cells)
        });
        eliminations.iter().any(|cells| !cells.is_empty()).then(|| Found {
            rank: self.rank(Form::Cycle, complexity, queue[0].0),
            nodes,
            eliminations,
        })
    }

    /// Returns the nodes of the shortest chain from the start of `rank` to the opposite node.
    fn chain(self, rank: Rank, visits: &mut Visits) -> Vec<Node> {
        visits.clear(self.links.len());
        let Visits { chain: queue, visited, .. } = visits;
        let starts_on = rank.form == Form::EndsOff;
        let first = (self.links.number(rank.start / 9, rank.start % 9) as u16, starts_on);
        queue.push((first, 0));
        visited[usize::from(first.0)][usize::from(starts_on)] = true;
        let mut position = 0;
        while position < queue.len() {
            let ((candidate, is_on), _) = queue[position];
            let next = if is_on {
                self.links.weak(self.rules, candidate.into())
            } else {
                self.links.strong(self.rules, candidate.into())
            };
            for &next in next {
                let seen = &mut visited[usize::from(next)][usize::from(!is_on)];
                if !std::mem::replace(seen, true) {
                    queue.push(((next, !is_on), position));
                    if (next, !is_on) == (first.0, !first.1) {
                        let mut nodes = Vec::with_capacity(rank.complexity);
                        let mut position = queue.len() - 1;
                        while position != 0 {
                            nodes.push(queue[position].0);
                            position = queue[position].1;
                        }
                        nodes.push(first);
                        let candidate =
                            |&(number, is_on): &(u16, bool)| (self.links.candidate(number.into()), is_on);
                        return nodes.iter().rev().map(candidate).collect();
                    }
                }
            }
            position += 1;
        }
        Vec::new()
    }
}

/// Returns whether the path to the node at `position` in the queue already contains `off` as a candidate that is off.
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

impl Found {
    fn start(&self) -> Candidate {
        Candidate { cell: (self.rank.start / 9) as u8, digit: (self.rank.start % 9) as u8 }
    }

    /// Returns the nodes of the chain: cell, digit from 1 to 9, and whether it is on.
    fn listed_nodes(&self) -> Vec<(u8, u8, bool)> {
        self.nodes.iter().map(|&(Candidate { cell, digit }, is_on)| (cell, digit + 1, is_on)).collect()
    }

    /// Returns the cells that lose candidates because of the chain, each with these candidates.
    fn eliminations(&self, board: &Board) -> Vec<(u8, Digits)> {
        let Candidate { cell, digit } = self.start();
        match self.rank.form {
            Form::Cycle => by_cell(&self.eliminations),
            Form::EndsOff => vec![(cell, 1 << digit)],
            Form::EndsOn => vec![(cell, board.candidates(cell.into()) & !(1 << digit))],
        }
    }
}

/// Makes an inner chain of a dynamic chain from `found`, a chain or a cycle. `board` has the candidates that the dynamic chain has not
/// removed.
fn inner_step(board: &Board, found: Found) -> InnerStep {
    let nodes = &found.nodes;
    let before = |position: usize| nodes[(position + nodes.len() - 1) % nodes.len()];
    let is_cycle = found.rank.form == Form::Cycle;
    // A cycle is followed in both directions. A node that is off in this direction is on in the reverse direction. For such a node, Sudoku
    // Explainer uses the cell or unit of the weak link as the cause.
    let is_caused = |&position: &usize| is_cycle || position > 0 && nodes[position].1;
    let cause = |position: usize| {
        let (node, is_on) = nodes[position];
        let is_cause = |unit: usize| !is_on || count(board.places(unit, node.digit.into())) == 2;
        Links::cause(before(position).0, node, is_cause)
    };
    InnerStep {
        causes: (0..nodes.len()).filter(is_caused).map(cause).collect(),
        eliminations: found.eliminations(board),
        inner: Rc::new(Inner { nodes: found.listed_nodes(), complexity: found.rank.complexity }),
    }
}

fn step(board: &Board, found: Found) -> Step {
    let start = found.start();
    let eliminations = if found.rank.form == Form::EndsOn { Vec::new() } else { found.eliminations(board) };
    let rank = found.rank;
    let technique = match (rank.form, rank.rules) {
        (Form::Cycle, Rules::X) => Technique::BidirectionalXCycle,
        (Form::Cycle, Rules::Y) => Technique::BidirectionalYCycle,
        (Form::Cycle, Rules::Both) => Technique::BidirectionalCycle,
        (_, Rules::X) if rank.complexity == 6 => Technique::TurbotFish,
        (_, Rules::X) => Technique::ForcingXChain,
        (_, Rules::Y | Rules::Both) => Technique::ForcingChain,
    };
    Step {
        placement: (rank.form == Form::EndsOn).then_some((start.cell, start.digit + 1)),
        eliminations,
        ..Step::by_chains(technique, rank.rating, found.listed_nodes())
    }
}

fn by_cell(eliminations: &[Cells; 9]) -> Vec<(u8, Digits)> {
    let all = eliminations.iter().fold(Cells::EMPTY, |all, cells| all.or(*cells));
    all.iter()
        .map(|cell| {
            let digits = (0..9).filter(|&digit| eliminations[digit].contains(cell));
            (cell as u8, digits.fold(0, |set, digit| set | 1 << digit))
        })
        .collect()
}
