//! Chains from several starts, and chains that remember what they removed: Nishio (7.5 and more), multiple (8.0) and dynamic (8.5).
//!
//! A run follows all links from one candidate that is on or off. Three things prove a node:
//!
//! - contradiction: a run reaches both sides of a candidate, so its start is wrong;
//! - double: the run from "on" and the run from "off" of one candidate reach the same node;
//! - cell and region: the runs of all candidates of a cell, or of all places of a digit in a unit, reach the same node.
//!
//! A static run uses the links of the board. In a dynamic run each candidate that is off leaves a copy of the board once its links were
//! followed. Strong links of the copy that the board does not have rest on several nodes: on all those removed from the cell or unit.
//!
//! The steps of a board are ranked by rating, complexity (the nodes that each chain rests on, counted for each chain), form and order.

use super::super::board::{ALL_DIGITS, Board, UNITS, UNITS_OF, bits, position_in};
use super::super::step::Step;
use super::super::technique::Technique;
use super::links::{Links, Rules, Set};
use super::rating;

/// The kinds of chains, each with a finder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Contradictions of dynamic runs of one digit.
    Nishio,
    /// Cells and regions with static runs.
    Multiple,
    /// All forms with dynamic runs.
    Dynamic,
}

/// What a step rests on. Of steps that are equal otherwise, the smallest value wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Double = 1,
    Cell = 5,
    Region = 6,
    Contradiction = 7,
}

/// Finds a Nishio contradiction.
pub(in super::super) fn nishio(board: &Board) -> Option<Step> {
    find(board, Kind::Nishio)
}

/// Finds a cell or region chain whose links are all on the board.
pub(in super::super) fn multiple(board: &Board) -> Option<Step> {
    find(board, Kind::Multiple)
}

/// Finds a dynamic chain.
pub(in super::super) fn dynamic(board: &Board) -> Option<Step> {
    find(board, Kind::Dynamic)
}

fn find(board: &Board, kind: Kind) -> Option<Step> {
    let links = Links::new(board);
    match links.len() {
        0..=128 => Search::<2>::new(board, &links, kind).find(),
        0..=256 => Search::<4>::new(board, &links, kind).find(),
        _ => Search::<12>::new(board, &links, kind).find(),
    }
}

/// A candidate by its number, and whether it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    candidate: u16,
    is_on: bool,
}

impl Node {
    fn new(candidate: usize, is_on: bool) -> Node {
        Node { candidate: candidate as u16, is_on }
    }

    fn opposite(self) -> Node {
        Node { is_on: !self.is_on, ..self }
    }

    fn number(self) -> usize {
        usize::from(self.candidate)
    }

    /// The position of the node in tables of all nodes.
    fn position(self) -> usize {
        2 * self.number() + usize::from(self.is_on)
    }
}

/// Sets of nodes: the candidates that are off, and those that are on.
type Nodes<const WORDS: usize> = [Set<WORDS>; 2];

fn insert<const WORDS: usize>(nodes: &mut Nodes<WORDS>, node: Node) {
    nodes[usize::from(node.is_on)].insert(node.number());
}

fn contains<const WORDS: usize>(nodes: &Nodes<WORDS>, node: Node) -> bool {
    nodes[usize::from(node.is_on)].contains(node.number())
}

/// What follows from a start.
struct Run<const WORDS: usize> {
    start: Node,
    reached: Nodes<WORDS>,
    /// The nodes in the order in which they were reached.
    order: Vec<Node>,
    /// For each node that was reached, at its position, the nodes that it rests on, itself included.
    basis: Vec<Nodes<WORDS>>,
    /// The number of nodes that each node rests on.
    complexity: Vec<u16>,
    contradiction: Option<Contradiction<WORDS>>,
}

/// A node that was found to follow after its opposite was reached.
#[derive(Clone, Copy)]
struct Contradiction<const WORDS: usize> {
    node: Node,
    basis: Nodes<WORDS>,
}

fn size<const WORDS: usize>(nodes: &Nodes<WORDS>) -> usize {
    nodes[0].len() + nodes[1].len()
}

/// A step that was found: the smallest is taken.
#[derive(Clone, Debug)]
struct Found {
    rating: f64,
    complexity: usize,
    form: Form,
    /// What is proved.
    target: Node,
    /// The starts of the chains. All lead to the target, or the one start to both sides of a candidate.
    starts: Vec<Node>,
    unit: Option<u8>,
}

struct Search<'a, const WORDS: usize> {
    board: &'a Board,
    links: &'a Links,
    kind: Kind,
    best: Option<Found>,
}

impl<'a, const WORDS: usize> Search<'a, WORDS> {
    fn new(board: &'a Board, links: &'a Links, kind: Kind) -> Search<'a, WORDS> {
        Search { board, links, kind, best: None }
    }

    fn find(mut self) -> Option<Step> {
        let run = |candidate, is_on| self.run(Node::new(candidate, is_on));
        let on: Vec<Run<WORDS>> = (0..self.links.len()).map(|candidate| run(candidate, true)).collect();
        for cell in self.board.empty().iter() {
            let digits = self.board.candidates(cell);
            if digits.count_ones() < if self.kind == Kind::Multiple { 3 } else { 2 } {
                continue;
            }
            for digit in bits(digits) {
                let candidate = self.links.number(cell, digit);
                if self.kind != Kind::Multiple {
                    let off = self.run(Node::new(candidate, false));
                    self.contradiction(&on[candidate]);
                    self.contradiction(&off);
                    if self.kind == Kind::Dynamic && digits.count_ones() > 2 {
                        self.common(Form::Double, None, &[&on[candidate], &off]);
                    }
                }
                if self.kind == Kind::Nishio {
                    continue;
                }
                for unit in UNITS_OF[cell] {
                    let places = self.board.places(unit.into(), digit);
                    if places.count_ones() > 1 && places.trailing_zeros() as usize == position_in(unit, cell)
                    {
                        let place = |position: usize| {
                            &on[self.links.number(UNITS[usize::from(unit)][position].into(), digit)]
                        };
                        let runs: Vec<_> = bits(places).map(place).collect();
                        self.common(Form::Region, Some(unit), &runs);
                    }
                }
            }
            if self.kind != Kind::Nishio {
                let runs: Vec<_> = bits(digits).map(|digit| &on[self.links.number(cell, digit)]).collect();
                self.common(Form::Cell, None, &runs);
            }
        }
        let found = self.best.take()?;
        Some(self.step(found))
    }

    /// Keeps a step if it is better than the best.
    fn offer(&mut self, form: Form, unit: Option<u8>, complexity: usize, target: Node, runs: &[&Run<WORDS>]) {
        let base = match self.kind {
            Kind::Nishio => 7.5,
            Kind::Multiple => 8.0,
            Kind::Dynamic => 8.5,
        };
        if self.best.as_ref().is_none_or(|best| (complexity, form) < (best.complexity, best.form)) {
            let starts = runs.iter().map(|run| run.start).collect();
            self.best =
                Some(Found { rating: rating(base, complexity), complexity, form, target, starts, unit });
        }
    }

    /// Offers the contradiction of a run.
    fn contradiction(&mut self, run: &Run<WORDS>) {
        if let Some(contradiction) = &run.contradiction {
            let opposite = run.complexity[contradiction.node.opposite().position()];
            let complexity = size(&contradiction.basis) + usize::from(opposite);
            self.offer(Form::Contradiction, None, complexity, run.start.opposite(), &[run]);
        }
    }

    /// Offers the nodes that all runs reach, first those that are on, in the order of the first run.
    fn common(&mut self, form: Form, unit: Option<u8>, runs: &[&Run<WORDS>]) {
        let Some((first, others)) = runs.split_first() else { return };
        for is_on in [true, false] {
            let all = |run: &&Run<WORDS>| run.reached[usize::from(is_on)];
            let common = others.iter().fold(all(first), |common, run| common.and(&all(run)));
            if common == Set::EMPTY {
                continue;
            }
            for &target in &first.order {
                if target.is_on == is_on && common.contains(target.number()) {
                    let complexity =
                        runs.iter().map(|run| usize::from(run.complexity[target.position()])).sum();
                    self.offer(form, unit, complexity, target, runs);
                }
            }
        }
    }

    /// Follows the links from a start until there are no more or a contradiction is found. All pending "on" go before each "off".
    fn run(&self, start: Node) -> Run<WORDS> {
        let rules = if self.kind == Kind::Nishio { Rules::X } else { Rules::Both };
        let empty = [Set::EMPTY; 2];
        let mut run = Run {
            start,
            reached: empty,
            order: Vec::with_capacity(2 * self.links.len()),
            basis: vec![empty; 2 * self.links.len()],
            complexity: vec![0; 2 * self.links.len()],
            contradiction: None,
        };
        run.reach(start, empty);
        let mut work = self.board.clone();
        let (mut next_on, mut next_off) = (0, 0);
        loop {
            if let Some(on) = next(&run.order, &mut next_on, true) {
                let basis = run.basis[on.position()];
                for &off in self.links.weak(rules, on.number()) {
                    if !run.reach(Node { candidate: off, is_on: false }, basis) {
                        return run;
                    }
                }
            } else if let Some(off) = next(&run.order, &mut next_off, false) {
                let is_going = if self.kind == Kind::Multiple {
                    let basis = run.basis[off.position()];
                    let mut strong = self.links.strong(rules, off.number()).iter();
                    strong.all(|&on| run.reach(Node { candidate: on, is_on: true }, basis))
                } else {
                    self.follow_removed(&mut run, &work, off)
                };
                if !is_going {
                    return run;
                }
                let candidate = self.links.candidate(off.number());
                work.remove(candidate.cell.into(), 1 << candidate.digit);
            } else {
                return run;
            }
        }
    }

    /// Follows the strong links of an "off" on the board that is left. Returns whether the run goes on.
    fn follow_removed(&self, run: &mut Run<WORDS>, work: &Board, off: Node) -> bool {
        let candidate = self.links.candidate(off.number());
        let (cell, digit) = (usize::from(candidate.cell), usize::from(candidate.digit));
        if self.kind == Kind::Dynamic {
            let others = work.candidates(cell) & !(1 << digit) & ALL_DIGITS;
            if others.is_power_of_two() {
                let on = self.links.number(cell, others.trailing_zeros() as usize);
                let removed = bits(self.board.candidates(cell) & !work.candidates(cell))
                    .map(|digit| self.links.number(cell, digit));
                if !run.reach_from(Node::new(on, true), off, removed) {
                    return false;
                }
            }
        }
        UNITS_OF[cell].into_iter().all(|unit| {
            let places = work.places(unit.into(), digit);
            let others = places & !(1 << position_in(unit, cell));
            let at = |position: usize| self.links.number(UNITS[usize::from(unit)][position].into(), digit);
            !others.is_power_of_two() || {
                let removed = bits(self.board.places(unit.into(), digit) & !places).map(at);
                run.reach_from(Node::new(at(others.trailing_zeros() as usize), true), off, removed)
            }
        })
    }

    fn step(&self, found: Found) -> Step {
        let technique = match (self.kind, found.form) {
            (Kind::Nishio, _) => Technique::NishioForcingChain,
            (Kind::Multiple, Form::Cell) => Technique::CellForcingChains,
            (Kind::Multiple, _) => Technique::RegionForcingChains,
            (Kind::Dynamic, Form::Cell) => Technique::DynamicCellForcingChains,
            (Kind::Dynamic, Form::Region) => Technique::DynamicRegionForcingChains,
            (Kind::Dynamic, Form::Double) => Technique::DynamicDoubleForcingChains,
            (Kind::Dynamic, Form::Contradiction) => Technique::DynamicContradictionForcingChains,
        };
        let mut chain = Vec::new();
        for &start in &found.starts {
            let run = self.run(start);
            let mut add = |basis: &Nodes<WORDS>, last: Option<Node>| {
                let nodes = run.order.iter().copied().filter(|&node| contains(basis, node));
                chain.extend(nodes.chain(last).map(|node| {
                    let candidate = self.links.candidate(node.number());
                    (candidate.cell, candidate.digit + 1, node.is_on)
                }));
            };
            match (found.form, &run.contradiction) {
                (Form::Contradiction, Some(contradiction)) => {
                    add(&run.basis[contradiction.node.opposite().position()], None);
                    add(&contradiction.basis, Some(contradiction.node));
                }
                _ => add(&run.basis[found.target.position()], None),
            }
        }
        let target = self.links.candidate(found.target.number());
        Step {
            technique,
            rating: found.rating,
            units: found.unit.into_iter().collect(),
            cells: chain.iter().map(|&(cell, _, _)| usize::from(cell)).collect(),
            digits: chain.iter().fold(0, |digits, &(_, digit, _)| digits | 1 << (digit - 1)),
            placement: found.target.is_on.then_some((target.cell, target.digit + 1)),
            eliminations: if found.target.is_on {
                Vec::new()
            } else {
                vec![(target.cell, 1 << target.digit)]
            },
            chain,
        }
    }
}

impl<const WORDS: usize> Run<WORDS> {
    /// Adds a node that follows from others. Returns false if its opposite was reached before.
    fn reach(&mut self, node: Node, others: Nodes<WORDS>) -> bool {
        if contains(&self.reached, node) {
            return true;
        }
        let mut basis = others;
        insert(&mut basis, node);
        if contains(&self.reached, node.opposite()) {
            self.contradiction = Some(Contradiction { node, basis });
            return false;
        }
        insert(&mut self.reached, node);
        self.order.push(node);
        self.complexity[node.position()] = size(&basis) as u16;
        self.basis[node.position()] = basis;
        true
    }

    /// Adds an "on" that follows from an "off" and from candidates that were removed.
    fn reach_from(&mut self, on: Node, off: Node, removed: impl Iterator<Item = usize>) -> bool {
        if contains(&self.reached, on) {
            return true;
        }
        let mut basis = self.basis[off.position()];
        for candidate in removed {
            let other = &self.basis[Node::new(candidate, false).position()];
            basis[0].insert_all(&other[0]);
            basis[1].insert_all(&other[1]);
        }
        self.reach(on, basis)
    }
}

/// Returns the next node of a side that was not handled yet.
fn next(order: &[Node], position: &mut usize, is_on: bool) -> Option<Node> {
    while *position < order.len() {
        *position += 1;
        if order[*position - 1].is_on == is_on {
            return Some(order[*position - 1]);
        }
    }
    None
}
