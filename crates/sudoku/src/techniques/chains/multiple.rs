//! Chains from several starts, and chains that record the candidates that they removed. The kinds, with their lowest ratings: Nishio (7.5),
//! multiple (8.0), dynamic (8.5), Dynamic+ (9.0) and nested (9.5 with inner chains from one start, 10.0 with inner chains from several
//! starts).
//!
//! A node is a candidate that is on (its cell holds the digit) or off. A run follows all links from one node. Three things prove a node:
//!
//! - contradiction: a run reaches a candidate both on and off, so the start of the run is wrong;
//! - double: the run from "on" and the run from "off" of one candidate reach the same node;
//! - cell and region: the runs of all candidates of a cell, or of all places of a digit in a unit, reach the same node.
//!
//! A static run uses only the links of the board. A dynamic run has a copy of the board. When it has followed the links of a candidate that
//! is off, it removes this candidate from the copy. So the copy may have strong links that the board does not have. Such a link rests on
//! several nodes: on all candidates that were removed from its cell or unit. When no link is left to follow, a Dynamic+ run looks for
//! patterns in the copy ([`removals`]), and continues with the candidates that the patterns remove. A nested run also looks for chains in
//! the copy.
//!
//! The steps of a board are ranked by rating, complexity, form and the order in which they are found. The complexity is the number of nodes
//! that each chain rests on, added up over the chains, plus the number of nodes of each different inner chain.

use std::cell::LazyCell;
use std::rc::Rc;

use super::super::Session;
use super::super::board::{Board, PEERS, UNIT_CELLS, bits, count, position_in};
use super::super::step::{Step, tenths};
use super::super::technique::Technique;
use super::inner::{Cause, Inner, InnerStep};
use super::links::{Candidate, Links, Rules, Set};
use super::nested::{Level, Removal, removals};
use super::reach::Reach;
use super::{forcing, rating};
use crate::puzzle::{Cells, UNITS, UNITS_OF};

/// The kinds of chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Contradictions, from dynamic runs that use only the links of one digit.
    Nishio,
    /// Cell chains and region chains with static runs.
    Multiple,
    /// All forms with dynamic runs.
    Dynamic(Level),
}

impl Kind {
    fn rules(self) -> Rules {
        if self == Kind::Nishio { Rules::X } else { Rules::Both }
    }

    /// Returns the lowest rating of a step of this kind.
    fn base(self) -> f64 {
        match self {
            Kind::Nishio => 7.5,
            Kind::Multiple => 8.0,
            Kind::Dynamic(level) => level.base(),
        }
    }
}

/// The form of the proof of a step. If two steps have equal complexities, the step whose form has the smaller number wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Double = 1,
    Cell = 5,
    Region = 6,
    Contradiction = 7,
}

pub(in super::super) fn nishio(board: &Board, session: &Session) -> Option<Step> {
    find(board, Kind::Nishio, session)
}

/// Finds a cell or region chain that uses only links of the board itself, not links that arise from eliminations in the chain.
pub(in super::super) fn multiple(board: &Board, session: &Session) -> Option<Step> {
    find(board, Kind::Multiple, session)
}

/// Finds a dynamic chain. Tries the levels in order, and stops at the first level that has such a chain, or before the first level whose
/// chains are rated too high for the session.
pub(in super::super) fn dynamic(board: &Board, session: &Session) -> Option<Step> {
    find(board, Kind::Dynamic(Level::Links), session)
}

fn find(board: &Board, kind: Kind, session: &Session) -> Option<Step> {
    let links = &Links::new(board);
    match links.len() {
        0..=128 => find_in::<2>(board, links, kind, session),
        129..=256 => find_in::<4>(board, links, kind, session),
        _ => find_in::<12>(board, links, kind, session),
    }
}

fn find_in<const WORDS: usize>(board: &Board, links: &Links, kind: Kind, session: &Session) -> Option<Step> {
    let mut reach = Reach::<WORDS>::new(links, kind.rules(), (0..links.len() as u16).collect());
    reach.close();
    Search::new(board, links, &reach, kind, session).find()
}

/// Returns the best cell or region chain for each node that such chains prove, sorted from the best chain to the worst. The chains use only
/// the links of the board. `reach` has the sets of candidates that each candidate reaches by any number of links.
fn all<const WORDS: usize>(board: &Board, links: &Links, reach: &Reach<WORDS>) -> Vec<InnerStep> {
    Search::new(board, links, reach, Kind::Multiple, &Session::default()).all()
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

/// Sets of nodes: first the candidates that are off, then the candidates that are on.
type Nodes<const WORDS: usize> = [Set<WORDS>; 2];

fn insert<const WORDS: usize>(nodes: &mut Nodes<WORDS>, node: Node) {
    nodes[usize::from(node.is_on)].insert(node.number());
}

fn contains<const WORDS: usize>(nodes: &Nodes<WORDS>, node: Node) -> bool {
    nodes[usize::from(node.is_on)].contains(node.number())
}

/// A node that was reached, and why.
#[derive(Clone, Copy, Debug)]
struct Reached {
    node: Node,
    /// The node from which this node follows, as a position in [`Run::order`]. For the start, its own position.
    before: u16,
    /// Number of nodes on the path from the start to this node along `before`. The node rests on at least this number of nodes.
    depth: u16,
    /// The other nodes on which this node rests, as a range in [`Run::removed`].
    removed: (u32, u32),
    /// The index in [`Run::inner`] of the inner chain that removed this candidate, or [`NO_INNER`].
    inner: u16,
}

const NO_INNER: u16 = u16::MAX;

/// The nodes that follow from a start, and how they were reached.
struct Run<const WORDS: usize> {
    reached: Nodes<WORDS>,
    /// The nodes in the order in which they were reached.
    order: Vec<Reached>,
    /// For each reached node, at the index [`Node::position`]: its index in `order`.
    positions: Vec<u16>,
    /// The lists to which [`Reached::removed`] refers, one after the other: the positions of nodes that are off.
    removed: Vec<u16>,
    /// The inner chains that were used.
    inner: Vec<Rc<Inner>>,
    /// A node that follows although its opposite was reached.
    contradiction: Option<Reached>,
    /// The board without the candidates that are off and whose links were already followed; `None` for static runs.
    left: Option<Box<Board>>,
    /// Two positions in `order`. The nodes that are off were followed up to the first position, the nodes that are on up to the second.
    next: [usize; 2],
}

/// A step that was found. The step with the lowest complexity is taken; if complexities are equal, the step with the smallest form.
#[derive(Clone, Debug)]
struct Found {
    complexity: usize,
    form: Form,
    /// The node that is proved.
    target: Node,
    /// The starts of the chains. Either all starts lead to the target, or the only start leads to a candidate both on and off.
    starts: Vec<Node>,
    unit: Option<u8>,
}

/// Calls `visit` with the starts of each cell and each region. For a cell with at least `least` candidates, the starts are its candidates.
/// For a region (a unit and a digit), the starts are the places of the digit in the unit, if there are several and the first of these cells
/// has at least `least` candidates.
fn for_each_group(
    board: &Board,
    links: &Links,
    least: usize,
    mut visit: impl FnMut(Form, Option<u8>, &[usize]),
) {
    let mut starts = Vec::with_capacity(9);
    for cell in board.empty().iter().filter(|&cell| count(board.candidates(cell)) >= least) {
        for digit in bits(board.candidates(cell)) {
            for unit in UNITS_OF[cell] {
                let places = board.places(unit.into(), digit);
                if count(places) > 1 && places.trailing_zeros() as usize == position_in(unit, cell) {
                    let cell = |position: usize| usize::from(UNITS[usize::from(unit)][position]);
                    starts.clear();
                    starts.extend(bits(places).map(|position| links.number(cell(position), digit)));
                    visit(Form::Region, Some(unit), &starts);
                }
            }
        }
        starts.clear();
        starts.extend(bits(board.candidates(cell)).map(|digit| links.number(cell, digit)));
        visit(Form::Cell, None, &starts);
    }
}

/// Returns the places of a digit that cannot be off, and the places that cannot be on, because the links of the digit would lead to a unit
/// with no place left.
fn refuted(places: Cells) -> [Cells; 2] {
    let units: Vec<Cells> =
        UNIT_CELLS.into_iter().map(|unit| unit.and(places)).filter(|unit| !unit.is_empty()).collect();
    // Follows the links. Returns the places that are then on, and the places that are then not off; `None` after a contradiction.
    let follow = |mut on: Cells, mut left: Cells| loop {
        let before = on;
        for unit in &units {
            let unit = unit.and(left);
            if unit.is_empty() {
                return None;
            }
            if !unit.has_several() && unit.and(on).is_empty() {
                on = on.or(unit);
                left = unit.iter().fold(left, |left, cell| left.without(PEERS[cell]));
            }
        }
        if on == before {
            return Some((on, left));
        }
    };
    // If a node leads to no contradiction, the nodes that follow from it lead to no contradiction either.
    let (mut consistent, mut refuted) = ([Cells::EMPTY; 2], [Cells::EMPTY; 2]);
    for cell in places.iter() {
        for is_on in [true, false] {
            let start = Cells::one(cell);
            if consistent[usize::from(is_on)].contains(cell) {
                continue;
            }
            let (on, off) = if is_on { (start, PEERS[cell]) } else { (Cells::EMPTY, start) };
            match follow(on, places.without(off)) {
                Some((on, left)) => {
                    consistent = [consistent[0].or(places.without(left)), consistent[1].or(on)];
                }
                None => refuted[usize::from(is_on)].insert(cell),
            }
        }
    }
    refuted
}

struct Search<'a, const WORDS: usize> {
    board: &'a Board,
    links: &'a Links<'a>,
    reach: &'a Reach<WORDS>,
    kind: Kind,
    /// The best step; if `wants_all`, all steps in the order in which they were found.
    found: Vec<Found>,
    wants_all: bool,
    /// If the session is cancelled, the search looks for no more patterns or inner chains, and returns no step.
    session: &'a Session<'a>,
}

impl<'a, const WORDS: usize> Search<'a, WORDS> {
    fn new(
        board: &'a Board,
        links: &'a Links,
        reach: &'a Reach<WORDS>,
        kind: Kind,
        session: &'a Session,
    ) -> Search<'a, WORDS> {
        Search { board, links, reach, kind, found: Vec::new(), wants_all: false, session }
    }

    fn find(mut self) -> Option<Step> {
        self.search();
        let found = self.found.pop().filter(|_| !self.session.is_cancelled())?;
        Some(self.step(found))
    }

    /// Returns the best step for each target, sorted from the best to the worst.
    fn all(mut self) -> Vec<InnerStep> {
        self.wants_all = true;
        self.search();
        let mut all = std::mem::take(&mut self.found);
        // The rating rises with the complexity, so the complexity decides. Equal steps stay in the order in which they were found.
        all.sort_by_key(|found| (found.complexity, found.form));
        let mut targets: Nodes<WORDS> = [Set::EMPTY; 2];
        all.retain(|found| {
            let is_first = !contains(&targets, found.target);
            insert(&mut targets, found.target);
            is_first
        });
        all.into_iter().map(|found| self.inner_step(found)).collect()
    }

    fn search(&mut self) {
        match self.kind {
            Kind::Nishio => self.nishio(),
            Kind::Multiple => self.multiple(),
            Kind::Dynamic(_) => self.dynamic(),
        }
    }

    /// Looks for contradictions. Follows the links only from starts that lead to one.
    fn nishio(&mut self) {
        let refuted: [[Cells; 2]; 9] = std::array::from_fn(|digit| refuted(self.board.cells(digit)));
        for candidate in 0..self.links.len() {
            let Candidate { cell, digit } = self.links.candidate(candidate);
            for is_on in [true, false] {
                if refuted[usize::from(digit)][usize::from(is_on)].contains(cell.into()) {
                    self.contradiction(&self.run(Node::new(candidate, is_on)));
                }
            }
        }
    }

    /// Looks for cell chains and region chains. The sets of `reach` show which nodes each start reaches. A run also shows the order of the
    /// nodes, but takes longer. So runs are made only for the starts of a cell or region that all reach a common node.
    ///
    /// No run ends early in a contradiction: the start of such a run would also reach its own opposite. That is a forcing chain, and
    /// forcing chains are looked for earlier.
    fn multiple(&mut self) {
        let reached = [self.reach.off(), self.reach.last()];
        let mut runs: Vec<Option<Run<WORDS>>> = Vec::new();
        runs.resize_with(self.links.len(), || None);
        for_each_group(self.board, self.links, 3, |form, unit, starts| {
            let are_apart = |reached: &[Set<WORDS>]| {
                starts.iter().fold(reached[starts[0]], |common, &start| common.and(&reached[start]))
                    == Set::EMPTY
            };
            if reached.into_iter().all(are_apart) {
                return;
            }
            for &start in starts {
                runs[start].get_or_insert_with(|| self.run(Node::new(start, true)));
            }
            let runs: Vec<_> = starts.iter().filter_map(|&start| runs[start].as_ref()).collect();
            self.common(form, unit, &runs);
        });
    }

    /// Looks for steps of all forms, level by level until there is a step or the next level is rated too high. At each level, the
    /// runs continue where they ended at the level before.
    fn dynamic(&mut self) {
        let start = |is_on: bool| -> Vec<Run<WORDS>> {
            (0..self.links.len()).map(|candidate| self.start(Node::new(candidate, is_on))).collect()
        };
        let [mut off, mut on] = [start(false), start(true)];
        for level in Level::ALL.into_iter().filter(|level| self.session.wants(tenths(level.base()))) {
            self.kind = Kind::Dynamic(level);
            off.iter_mut().chain(&mut on).for_each(|run| self.follow(run));
            self.compare(&off, &on);
            if !self.found.is_empty() {
                return;
            }
        }
    }

    /// Offers all steps that the runs prove. `off[c]` and `on[c]` are the runs from candidate c, off and on.
    fn compare(&mut self, off: &[Run<WORDS>], on: &[Run<WORDS>]) {
        for candidate in 0..self.links.len() {
            self.contradiction(&on[candidate]);
            self.contradiction(&off[candidate]);
            if self.board.candidates(self.links.candidate(candidate).cell.into()).count_ones() > 2 {
                self.common(Form::Double, None, &[&on[candidate], &off[candidate]]);
            }
        }
        for_each_group(self.board, self.links, 2, |form, unit, starts| {
            let runs: Vec<_> = starts.iter().map(|&start| &on[start]).collect();
            self.common(form, unit, &runs);
        });
    }

    /// Returns whether a step with at least this complexity could be better than the best step so far. Always true if all steps are wanted.
    fn may_win(&self, form: Form, complexity: usize) -> bool {
        self.wants_all || self.found.iter().all(|best| (complexity, form) < (best.complexity, best.form))
    }

    /// Keeps a step if it is better than the best step so far, or if all steps are wanted.
    fn offer(&mut self, form: Form, unit: Option<u8>, complexity: usize, target: Node, runs: &[&Run<WORDS>]) {
        if self.may_win(form, complexity) {
            let starts = runs.iter().map(|run| run.order[0].node).collect();
            if !self.wants_all {
                self.found.clear();
            }
            self.found.push(Found { complexity, form, target, starts, unit });
        }
    }

    /// If a run has a contradiction, offers the opposite of the run's start as a step.
    fn contradiction(&mut self, run: &Run<WORDS>) {
        if let Some(last) = run.contradiction {
            let opposite = run.get(last.node.opposite());
            let complexity = complexity(&[(run, last), (run, opposite)]);
            self.offer(Form::Contradiction, None, complexity, run.order[0].node.opposite(), &[run]);
        }
    }

    /// Offers the nodes that all runs reach: first the nodes that are on, then the nodes that are off, both in the order of the first run.
    fn common(&mut self, form: Form, unit: Option<u8>, runs: &[&Run<WORDS>]) {
        let Some((first, others)) = runs.split_first() else { return };
        for is_on in [true, false] {
            let all = |run: &&Run<WORDS>| run.reached[usize::from(is_on)];
            let common = others.iter().fold(all(first), |common, run| common.and(&all(run)));
            if common == Set::EMPTY {
                continue;
            }
            for &Reached { node, .. } in &first.order {
                if node.is_on != is_on || !common.contains(node.number()) {
                    continue;
                }
                let least = runs.iter().map(|run| usize::from(run.get(node).depth)).sum();
                if self.may_win(form, least) {
                    let ends: Vec<_> = runs.iter().map(|&run| (run, run.get(node))).collect();
                    let complexity = complexity(&ends);
                    self.offer(form, unit, complexity, node, runs);
                }
            }
        }
    }

    fn runs(&self, found: &Found) -> Vec<Run<WORDS>> {
        found.starts.iter().map(|&start| self.run(start)).collect()
    }

    fn run(&self, start: Node) -> Run<WORDS> {
        let mut run = self.start(start);
        self.follow(&mut run);
        run
    }

    /// Makes a run that has reached only its start.
    fn start(&self, start: Node) -> Run<WORDS> {
        let left = (self.kind != Kind::Multiple).then(|| Box::new(self.board.clone()));
        Run::new(start, self.links.len(), left)
    }

    /// Continues a run until nothing is left to follow or a contradiction is found. A node that is off is followed only if no node
    /// that is on is pending. If no link is left, patterns and inner chains may turn further candidates off.
    fn follow(&self, run: &mut Run<WORDS>) {
        while run.contradiction.is_none() {
            if let Some(on) = run.next(true) {
                let weak = &self.reach.weak[run.order[on].node.number()];
                if weak.without(&run.reached[0]) == Set::EMPTY {
                    continue;
                }
                for &off in self.links.weak(self.kind.rules(), run.order[on].node.number()) {
                    if weak.contains(off.into())
                        && !run.reach(Node { candidate: off, is_on: false }, on, std::iter::empty())
                    {
                        return;
                    }
                }
            } else if let Some(off) = run.next(false) {
                match run.left.take() {
                    None => self.follow_strong(run, off),
                    Some(mut left) => {
                        self.follow_removed(run, &mut left, off);
                        run.left = Some(left);
                    }
                }
            } else if !self.follow_removals(run) {
                return;
            }
        }
    }

    /// Follows the strong links of the board from a node that is off.
    fn follow_strong(&self, run: &mut Run<WORDS>, off: usize) {
        for &on in self.links.strong(self.kind.rules(), run.order[off].node.number()) {
            if !run.reach(Node { candidate: on, is_on: true }, off, std::iter::empty()) {
                return;
            }
        }
    }

    /// Follows the strong links from a node that is off, as they are on the board `left`. Then removes the candidate of this node from
    /// `left`.
    fn follow_removed(&self, run: &mut Run<WORDS>, left: &mut Board, off: usize) {
        let candidate = self.links.candidate(run.order[off].node.number());
        let (cell, digit) = (usize::from(candidate.cell), usize::from(candidate.digit));
        if self.kind != Kind::Nishio {
            let others = left.candidates(cell) & !(1 << digit);
            if others.is_power_of_two() {
                let on = Node::new(self.links.number(cell, others.trailing_zeros() as usize), true);
                let removed = bits(self.board.candidates(cell) & !left.candidates(cell));
                if !run.reach(on, off, removed.map(|digit| self.links.number(cell, digit))) {
                    return;
                }
            }
        }
        for unit in UNITS_OF[cell] {
            let places = left.places(unit.into(), digit);
            let others = places & !(1 << position_in(unit, cell));
            if others.is_power_of_two() {
                let at =
                    |position: usize| self.links.number(UNITS[usize::from(unit)][position].into(), digit);
                let on = Node::new(at(others.trailing_zeros() as usize), true);
                let removed = bits(self.board.places(unit.into(), digit) & !places);
                if !run.reach(on, off, removed.map(at)) {
                    return;
                }
            }
        }
        left.remove(cell, 1 << digit);
    }

    /// Looks for patterns and inner chains on the run's copy of the board. For each candidate that they remove, the run reaches a new node:
    /// the candidate is off. Returns whether the run continues.
    fn follow_removals(&self, run: &mut Run<WORDS>) -> bool {
        let (level, left) = match (self.kind, &run.left) {
            (Kind::Dynamic(level), Some(left)) if level > Level::Links && !self.session.is_cancelled() => {
                (level, left)
            }
            _ => return false,
        };
        let links = LazyCell::new(|| {
            let links = self.links.within(left);
            let reach = self.reach.within(&links, left);
            (links, reach)
        });
        let known = &self.session.inner_chains;
        let chains = |level| match level {
            Level::Chains => {
                known.single.chains(left, || match self.reach.has_chain_within(self.links, left) {
                    true => forcing::all(left, &links.0, &links.1),
                    false => Vec::new(),
                })
            }
            _ => known.multiple.chains(left, || all(left, &links.0, &links.1)),
        };
        let removals = removals(self.board, left, level, &chains);
        let number = |&Candidate { cell, digit }: &Candidate| self.links.number(cell.into(), digit.into());
        for Removal { removed, basis, inner } in &removals {
            let Some((first, others)) = basis.split_first() else { continue };
            let before = run.positions[Node::new(number(first), false).position()].into();
            let inner = inner.as_ref().map_or(NO_INNER, |inner| run.add_inner(Rc::clone(inner)));
            for off in removed {
                let off = Node::new(number(off), false);
                if !run.reach_by(off, before, others.iter().map(number), inner) {
                    return false;
                }
            }
        }
        !removals.is_empty()
    }

    /// Converts a step that was found into an inner chain of a dynamic chain. `self.board` has the candidates that the dynamic chain has
    /// not removed.
    fn inner_step(&self, found: Found) -> InnerStep {
        let first = self.links.candidate(found.starts[0].number());
        // The chains start at all candidates of a cell, or at all places of a digit in a unit.
        let mut causes = vec![match found.unit {
            Some(unit) => Cause::Unit { unit: unit.into(), digit: first.digit.into() },
            None => Cause::Cell { cell: first.cell.into() },
        }];
        let runs = self.runs(&found);
        for (run, &start) in runs.iter().zip(&found.starts) {
            let basis = run.basis(run.get(found.target));
            let is_linked = |reached: &&Reached| {
                reached.node.is_on && reached.node != start && contains(&basis, reached.node)
            };
            causes.extend(run.order.iter().filter(is_linked).map(|reached| {
                let off = run.order[usize::from(reached.before)].node;
                let [off, on] = [off, reached.node].map(|node| self.links.candidate(node.number()));
                Links::cause(off, on, |unit| count(self.board.places(unit, on.digit.into())) == 2)
            }));
        }
        let Candidate { cell, digit } = self.links.candidate(found.target.number());
        let others = self.board.candidates(cell.into()) & !(1 << digit);
        InnerStep {
            causes,
            eliminations: vec![(cell, if found.target.is_on { others } else { 1 << digit })],
            inner: Rc::new(Inner { nodes: self.nodes(&found, &runs), complexity: found.complexity }),
        }
    }

    /// Returns the nodes of all chains of a step, one chain after the other. A node is a cell, a digit from 1 to 9, and whether this
    /// candidate is on.
    fn nodes(&self, found: &Found, runs: &[Run<WORDS>]) -> Vec<(u8, u8, bool)> {
        let mut chain = Vec::new();
        for run in runs {
            let mut add = |last: Reached| {
                let basis = run.basis(last);
                let nodes =
                    run.order.iter().map(|reached| reached.node).filter(|&node| contains(&basis, node));
                let is_new = run.contradiction.is_some_and(|contradiction| contradiction.node == last.node);
                chain.extend(nodes.chain(is_new.then_some(last.node)).map(|node| {
                    let candidate = self.links.candidate(node.number());
                    (candidate.cell, candidate.digit + 1, node.is_on)
                }));
            };
            match (found.form, run.contradiction) {
                (Form::Contradiction, Some(last)) => {
                    add(run.get(last.node.opposite()));
                    add(last);
                }
                _ => add(run.get(found.target)),
            }
        }
        chain
    }

    fn step(&self, found: Found) -> Step {
        let technique = match (self.kind, found.form) {
            (Kind::Nishio, _) => Technique::NishioForcingChain,
            (Kind::Multiple, Form::Cell) => Technique::CellForcingChains,
            (Kind::Multiple, _) => Technique::RegionForcingChains,
            (Kind::Dynamic(level), form) => level.technique(form),
        };
        let runs = self.runs(&found);
        let chain = self.nodes(&found, &runs);
        let target = self.links.candidate(found.target.number());
        let eliminations =
            if found.target.is_on { Vec::new() } else { vec![(target.cell, 1 << target.digit)] };
        Step {
            units: found.unit.into_iter().collect(),
            placement: found.target.is_on.then_some((target.cell, target.digit + 1)),
            eliminations,
            ..Step::by_chains(technique, rating(self.kind.base(), found.complexity), chain)
        }
    }
}

impl Level {
    fn technique(self, form: Form) -> Technique {
        use Technique::*;
        match (self, form) {
            (Level::Links, Form::Cell) => DynamicCellForcingChains,
            (Level::Links, Form::Region) => DynamicRegionForcingChains,
            (Level::Links, Form::Double) => DynamicDoubleForcingChains,
            (Level::Links, Form::Contradiction) => DynamicContradictionForcingChains,
            (Level::Patterns, Form::Cell) => DynamicPlusCellForcingChains,
            (Level::Patterns, Form::Region) => DynamicPlusRegionForcingChains,
            (Level::Patterns, Form::Double) => DynamicPlusDoubleForcingChains,
            (Level::Patterns, Form::Contradiction) => DynamicPlusContradictionForcingChains,
            (Level::Chains | Level::Multiple, Form::Cell) => NestedCellForcingChains,
            (Level::Chains | Level::Multiple, Form::Region) => NestedRegionForcingChains,
            (Level::Chains | Level::Multiple, Form::Double) => NestedDoubleForcingChains,
            (Level::Chains | Level::Multiple, Form::Contradiction) => NestedContradictionForcingChains,
        }
    }
}

/// Returns the number of nodes on which the ends of these chains rest, added up over the chains, plus the nodes of the inner chains. An
/// inner chain that several nodes use is counted once.
fn complexity<const WORDS: usize>(ends: &[(&Run<WORDS>, Reached)]) -> usize {
    let flat: usize = ends.iter().map(|(run, last)| run.complexity(*last)).sum();
    let mut inner: Vec<&Inner> = Vec::new();
    for (run, last) in ends.iter().filter(|(run, _)| !run.inner.is_empty()) {
        let basis = run.basis(*last);
        for reached in run.order.iter().filter(|reached| contains(&basis, reached.node)) {
            if let Some(other) = run.inner.get(usize::from(reached.inner))
                && !inner.contains(&&**other)
            {
                inner.push(other);
            }
        }
    }
    flat + inner.iter().map(|inner| inner.complexity).sum::<usize>()
}

impl<const WORDS: usize> Run<WORDS> {
    fn new(start: Node, candidates: usize, left: Option<Box<Board>>) -> Run<WORDS> {
        let mut run = Run {
            reached: [Set::EMPTY; 2],
            order: Vec::with_capacity(2 * candidates),
            positions: vec![0; 2 * candidates],
            removed: Vec::new(),
            inner: Vec::new(),
            contradiction: None,
            left,
            next: [0; 2],
        };
        insert(&mut run.reached, start);
        run.order.push(Reached { node: start, before: 0, depth: 1, removed: (0, 0), inner: NO_INNER });
        run
    }

    /// Finds the first node of `order` that is on (off if `is_on` is false) and whose links were not followed yet. Marks the node as
    /// followed, and returns its position.
    fn next(&mut self, is_on: bool) -> Option<usize> {
        let position = &mut self.next[usize::from(is_on)];
        while *position < self.order.len() {
            *position += 1;
            if self.order[*position - 1].node.is_on == is_on {
                return Some(*position - 1);
            }
        }
        None
    }

    fn get(&self, node: Node) -> Reached {
        self.order[usize::from(self.positions[node.position()])]
    }

    /// Adds a node that follows from the node at position `before` of the order, and from the candidates in `removed`, which are off.
    /// Returns false if the opposite of the new node was reached before.
    fn reach(&mut self, node: Node, before: usize, removed: impl Iterator<Item = usize>) -> bool {
        self.reach_by(node, before, removed, NO_INNER)
    }

    /// Like [`Run::reach`], for a node that the inner chain with number `inner` proves ([`NO_INNER`] if there is none).
    fn reach_by(
        &mut self,
        node: Node,
        before: usize,
        removed: impl Iterator<Item = usize>,
        inner: u16,
    ) -> bool {
        if contains(&self.reached, node) {
            return true;
        }
        let start = self.removed.len() as u32;
        self.removed.extend(removed.map(|candidate| self.positions[Node::new(candidate, false).position()]));
        let removed = (start, self.removed.len() as u32);
        let reached =
            Reached { node, before: before as u16, depth: self.order[before].depth + 1, removed, inner };
        if contains(&self.reached, node.opposite()) {
            self.contradiction = Some(reached);
            return false;
        }
        insert(&mut self.reached, node);
        self.positions[node.position()] = self.order.len() as u16;
        self.order.push(reached);
        true
    }

    fn add_inner(&mut self, inner: Rc<Inner>) -> u16 {
        self.inner.push(inner);
        self.inner.len() as u16 - 1
    }

    /// Returns all nodes that a node rests on, itself included.
    fn basis(&self, last: Reached) -> Nodes<WORDS> {
        let mut basis = [Set::EMPTY; 2];
        insert(&mut basis, last.node);
        let mut pending = vec![last];
        while let Some(reached) = pending.pop() {
            let (start, end) = reached.removed;
            for &position in self.removed[start as usize..end as usize].iter().chain([&reached.before]) {
                let other = self.order[usize::from(position)];
                if !contains(&basis, other.node) {
                    insert(&mut basis, other.node);
                    pending.push(other);
                }
            }
        }
        basis
    }

    /// Returns the number of nodes from which a node follows, directly or indirectly. The node itself is counted too.
    fn complexity(&self, last: Reached) -> usize {
        if self.removed.is_empty() {
            return last.depth.into();
        }
        let [off, on] = self.basis(last);
        off.len() + on.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Puzzle;
    use crate::techniques::{Walker, next_step};

    /// On a board without a forcing chain, a Nishio run finds a contradiction from exactly those starts that `refuted` returns. A run for
    /// multiple chains finds no contradiction from any start.
    #[test]
    fn sets_and_runs_find_the_same_contradictions() {
        let dataset = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/minimal.csv");
        let rows = std::fs::read_to_string(dataset).unwrap();
        let [mut boards, mut contradictions] = [0, 0];
        for row in rows.lines().skip(1).take(300) {
            let puzzle: Puzzle = row.split(',').next().unwrap().parse().unwrap();
            let mut board = Board::new(&puzzle);
            while let Some(step) = next_step(&board) {
                if step.technique >= Technique::AlignedTripletExclusion {
                    boards += 1;
                    let (links, session) = (Links::new(&board), Session::default());
                    let members = || (0..links.len() as u16).collect();
                    let [x, both] =
                        [Rules::X, Rules::Both].map(|rules| Reach::<12>::new(&links, rules, members()));
                    let nishio = Search::new(&board, &links, &x, Kind::Nishio, &session);
                    let multiple = Search::new(&board, &links, &both, Kind::Multiple, &session);
                    for candidate in 0..links.len() {
                        let Candidate { cell, digit } = links.candidate(candidate);
                        let refuted = refuted(board.cells(digit.into()));
                        for is_on in [false, true] {
                            let start = Node::new(candidate, is_on);
                            let is_refuted = nishio.run(start).contradiction.is_some();
                            assert_eq!(refuted[usize::from(is_on)].contains(cell.into()), is_refuted);
                            assert!(multiple.run(start).contradiction.is_none());
                            contradictions += u32::from(is_refuted);
                        }
                    }
                }
                step.apply(&mut board);
            }
        }
        assert!(boards > 20 && contradictions > 5, "{boards} {contradictions}");
    }

    /// A dynamic chain leaves a board with fewer candidates. The sets of reached candidates for this board can be derived from the sets of
    /// the board before the chain, or computed from this board itself. Both ways give equal sets. [`Reach::has_chain_within`] finds out
    /// whether this board has a forcing chain or cycle.
    #[test]
    fn sets_derived_from_the_board_before_a_chain_match_computed_sets() {
        let puzzle: Puzzle =
            ".12.3....35.1.7..66.725.1...2....89.......3..7..........6..1.2...167...35....3..."
                .parse()
                .unwrap();
        // On the board before the tenth step, no chain that is easier than a nested chain is left.
        let (_, steps) = Walker::default().walk_with_steps(&puzzle).unwrap();
        let board = steps[9].board_before();
        let links = Links::new(&board);
        let mut reach = Reach::<4>::new(&links, Rules::Both, (0..links.len() as u16).collect());
        reach.close();
        let session = Session::default();
        let search = Search::new(&board, &links, &reach, Kind::Dynamic(Level::Patterns), &session);
        let mut boards = [0, 0];
        for start in (0..2 * links.len()).map(|start| Node::new(start / 2, start % 2 == 1)) {
            let run = search.run(start);
            let left = run.left.as_ref().filter(|_| run.contradiction.is_none()).unwrap();
            let links = links.within(left);
            let derived = reach.within(&links, left);
            let mut made = Reach::<4>::new(&links, Rules::Both, (0..links.len() as u16).collect());
            made.close();
            for candidate in 0..links.len() {
                let Candidate { cell, digit } = links.candidate(candidate);
                if left.candidates(cell.into()) >> digit & 1 == 1 {
                    assert_eq!(derived.last()[candidate], made.last()[candidate]);
                    assert_eq!(derived.strong[candidate], made.strong[candidate]);
                }
            }
            let has_chain = !forcing::all(left, &links, &derived).is_empty();
            assert_eq!(reach.has_chain_within(&links, left), has_chain);
            boards[usize::from(has_chain)] += 1;
        }
        assert!(boards[0] > 20 && boards[1] > 20, "{boards:?}");
    }
}
