//! The candidates of a board, and the links between them.
//!
//! A candidate is "on" if its cell holds the digit, and "off" if not. Two kinds of links join candidates:
//!
//! - weak: if one is on, the other is off. Weak links join the candidates of one cell, and the places of one digit in a unit.
//! - strong: if one is off, the other is on. Strong links join the only two candidates of a cell, or the only two places of a digit in a
//!   unit.
//!
//! Each kind comes from cells ("Y") or from units ("X").

use std::cell::OnceCell;
use std::rc::Rc;

use super::super::board::{Board, bits, position_in};
use super::inner::Cause;
use crate::puzzle::{CELLS, UNITS, UNITS_OF};

/// Which links a chain may use. If chains under different rules are equally good, the chain under the rules that come first here is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rules {
    /// Only the links from units, both weak and strong.
    X,
    /// All weak links, and of the strong links only those from cells.
    Y,
    /// All links.
    Both,
}

/// A digit in a cell that may hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) cell: u8,
    pub(super) digit: u8,
}

/// A set of candidates. They are numbered from 0, either by [`Links`] or by their positions in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Set<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Set<WORDS> {
    pub(super) const EMPTY: Set<WORDS> = Set([0; WORDS]);

    #[inline]
    pub(super) fn contains(&self, candidate: usize) -> bool {
        self.0[candidate / 64] >> (candidate % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn insert(&mut self, candidate: usize) {
        self.0[candidate / 64] |= 1 << (candidate % 64);
    }

    #[inline]
    pub(super) fn insert_all(&mut self, others: &Set<WORDS>) {
        for word in 0..WORDS {
            self.0[word] |= others.0[word];
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub(super) fn and(&self, others: &Set<WORDS>) -> Set<WORDS> {
        Set(std::array::from_fn(|word| self.0[word] & others.0[word]))
    }

    #[inline]
    pub(super) fn intersects(&self, others: &Set<WORDS>) -> bool {
        (0..WORDS).any(|word| self.0[word] & others.0[word] != 0)
    }

    #[inline]
    pub(super) fn without(&self, others: &Set<WORDS>) -> Set<WORDS> {
        Set(std::array::from_fn(|word| self.0[word] & !others.0[word]))
    }

    /// Calls `visit` with each element of the set, in ascending order.
    #[inline]
    pub(super) fn for_each(&self, mut visit: impl FnMut(usize)) {
        for word in 0..WORDS {
            let mut left = self.0[word];
            while left != 0 {
                visit(word * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }

    #[inline]
    pub(super) fn any(&self, mut is_met: impl FnMut(usize) -> bool) -> bool {
        (0..WORDS).any(|word| {
            let mut left = self.0[word];
            while left != 0 {
                if is_met(word * 64 + left.trailing_zeros() as usize) {
                    return true;
                }
                left &= left - 1;
            }
            false
        })
    }
}

/// The ranges of one candidate's links in the field `links` of `Lists`. The links from the cell are at `start..units`, and the links from
/// units are at `units..end`.
#[derive(Clone, Copy, Debug)]
struct Part {
    start: u32,
    units: u32,
    end: u32,
}

/// Lists of links, one for each candidate.
#[derive(Debug)]
struct Lists {
    links: Vec<u16>,
    parts: Vec<Part>,
}

impl Lists {
    fn with_capacity(candidates: usize, links: usize) -> Lists {
        Lists { links: Vec::with_capacity(links), parts: Vec::with_capacity(candidates) }
    }

    /// Ends the list of a candidate. Its links from the cell begin at `start`, its links from units begin at `units`.
    fn end_part(&mut self, start: usize, units: usize) {
        self.parts.push(Part { start: start as u32, units: units as u32, end: self.links.len() as u32 });
    }

    fn in_cell(&self, candidate: usize) -> &[u16] {
        let part = self.parts[candidate];
        &self.links[part.start as usize..part.units as usize]
    }

    fn in_units(&self, candidate: usize) -> &[u16] {
        let part = self.parts[candidate];
        &self.links[part.units as usize..part.end as usize]
    }

    fn all(&self, candidate: usize) -> &[u16] {
        let part = self.parts[candidate];
        &self.links[part.start as usize..part.end as usize]
    }
}

/// The candidates of a board, and their links.
#[derive(Debug)]
pub(super) struct Links<'a> {
    board: &'a Board,
    numbered: Rc<Numbered>,
    /// The strong links, which are computed when they are first needed.
    strong: OnceCell<Lists>,
}

/// The candidates of a board, numbered by cell and then by digit, and their weak links.
#[derive(Debug)]
struct Numbered {
    candidates: Vec<Candidate>,
    /// The number of each candidate by cell and digit.
    numbers: [[u16; 9]; CELLS],
    weak: Lists,
}

impl Numbered {
    fn new(board: &Board) -> Numbered {
        let mut candidates = Vec::with_capacity(256);
        let mut numbers = [[0; 9]; CELLS];
        for cell in board.empty().iter() {
            for digit in bits(board.candidates(cell)) {
                numbers[cell][digit] = candidates.len() as u16;
                candidates.push(Candidate { cell: cell as u8, digit: digit as u8 });
            }
        }
        let mut weak = Lists::with_capacity(candidates.len(), 24 * candidates.len());
        for candidate in &candidates {
            let (cell, digit) = (usize::from(candidate.cell), usize::from(candidate.digit));
            // A candidate has at most 8 links to others in its cell and 20 to others in its units.
            let (mut buffer, mut count) = ([0; 28], 0);
            let mut push = |link: u16| {
                buffer[count] = link;
                count += 1;
            };
            let others = board.candidates(cell) & !(1 << digit);
            bits(others).for_each(|other| push(numbers[cell][other]));
            // `in_box`: the positions of the row and of the column that are also in the box. They are skipped, because their cells were
            // already listed with the box.
            let in_box = [0, 7 << (cell % 9 / 3 * 3), 7 << (cell / 27 * 3)];
            for (unit, in_box) in UNITS_OF[cell].into_iter().zip(in_box) {
                let others = board.places(unit.into(), digit) & !(1 << position_in(unit, cell));
                bits(others & !in_box).for_each(|position| {
                    push(numbers[usize::from(UNITS[usize::from(unit)][position])][digit])
                });
            }
            let start = weak.links.len();
            weak.links.extend_from_slice(&buffer[..count]);
            weak.end_part(start, start + others.count_ones() as usize);
        }
        Numbered { candidates, numbers, weak }
    }
}

impl<'a> Links<'a> {
    pub(super) fn new(board: &'a Board) -> Links<'a> {
        Links { board, numbered: Rc::new(Numbered::new(board)), strong: OnceCell::new() }
    }

    /// Returns the links of `board`, which is the board of `self` after some candidates were removed. All candidates keep their numbers and
    /// their weak links, including the removed candidates. Removed candidates have no strong links.
    pub(super) fn within<'b>(&self, board: &'b Board) -> Links<'b> {
        Links { board, numbered: Rc::clone(&self.numbered), strong: OnceCell::new() }
    }

    fn strong_lists(&self) -> Lists {
        let (board, Numbered { candidates, numbers, .. }) = (self.board, &*self.numbered);
        let mut strong = Lists::with_capacity(candidates.len(), 2 * candidates.len());
        for candidate in candidates {
            let (cell, digit) = (usize::from(candidate.cell), usize::from(candidate.digit));
            let start = strong.links.len();
            let has_candidate = board.candidates(cell) >> digit & 1 == 1;
            let others = board.candidates(cell) & !(1 << digit);
            if has_candidate && others.is_power_of_two() {
                strong.links.push(numbers[cell][others.trailing_zeros() as usize]);
            }
            let units = strong.links.len();
            for unit in UNITS_OF[cell].into_iter().filter(|_| has_candidate) {
                let others = board.places(unit.into(), digit) & !(1 << position_in(unit, cell));
                if others.is_power_of_two() {
                    let position = others.trailing_zeros() as usize;
                    let other = numbers[usize::from(UNITS[usize::from(unit)][position])][digit];
                    if !strong.links[units..].contains(&other) {
                        strong.links.push(other);
                    }
                }
            }
            strong.end_part(start, units);
        }
        strong
    }

    pub(super) fn len(&self) -> usize {
        self.numbered.candidates.len()
    }

    pub(super) fn candidate(&self, number: usize) -> Candidate {
        self.numbered.candidates[number]
    }

    #[inline]
    pub(super) fn number(&self, cell: usize, digit: usize) -> usize {
        self.numbered.numbers[cell][digit].into()
    }

    /// Returns the cause of a link between two candidates: the cell of both, or their first common unit that `is_cause` accepts.
    pub(super) fn cause(one: Candidate, other: Candidate, is_cause: impl Fn(usize) -> bool) -> Cause {
        let (cell, digit) = (usize::from(other.cell), usize::from(other.digit));
        let common = UNITS_OF[usize::from(one.cell)].into_iter().zip(UNITS_OF[cell]);
        let mut common = common.filter(|(one, other)| one == other).map(|(unit, _)| usize::from(unit));
        match one.cell == other.cell {
            true => Cause::Cell { cell },
            // There is such a unit, since the candidates are linked.
            false => Cause::Unit { unit: common.find(|&unit| is_cause(unit)).unwrap_or_default(), digit },
        }
    }

    /// Returns the candidates that are off if the given candidate is on, including candidates that were removed from the board.
    #[inline]
    pub(super) fn weak(&self, rules: Rules, candidate: usize) -> &[u16] {
        let weak = &self.numbered.weak;
        match rules {
            Rules::X => weak.in_units(candidate),
            Rules::Y | Rules::Both => weak.all(candidate),
        }
    }

    /// Returns the candidates that are on if the given candidate is off.
    #[inline]
    pub(super) fn strong(&self, rules: Rules, candidate: usize) -> &[u16] {
        let strong = self.strong.get_or_init(|| self.strong_lists());
        match rules {
            Rules::X => strong.in_units(candidate),
            Rules::Y => strong.in_cell(candidate),
            Rules::Both => strong.all(candidate),
        }
    }
}
