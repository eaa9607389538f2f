//! The candidates of a board, and what each of them says about the others.
//!
//! A candidate is "on" if its cell holds the digit, and "off" if not. Two kinds of links join candidates:
//!
//! - weak: if one is on, the other is off. Candidates of one cell, and places of one digit in a unit.
//! - strong: if one is off, the other is on. The only two candidates of a cell, or the only two places of a digit in a unit.
//!
//! Each kind comes from cells ("Y") or from units ("X").

use super::super::board::{Board, UNITS, UNITS_OF, bits, position_in};
use crate::puzzle::CELLS;

/// Which links a chain may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// Both kinds of links from units only.
    X,
    /// Strong links from cells only.
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

/// A set of candidates, by their numbers.
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

    /// Returns the number of candidates in the set.
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

    /// Returns an iterator over the numbers in ascending order.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, set)| {
            let mut left = set;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.wrapping_sub(1);
                (bit < 64).then_some(word * 64 + bit)
            })
        })
    }
}

/// A part of a list of links: first those from the cell, then those from units.
#[derive(Clone, Copy, Debug)]
struct Part {
    start: u32,
    units: u32,
    end: u32,
}

/// Lists of links, one for each candidate.
#[derive(Debug, Default)]
struct Lists {
    links: Vec<u16>,
    parts: Vec<Part>,
}

impl Lists {
    /// Adds the list of the next candidate.
    fn push(&mut self, from_cell: impl Iterator<Item = u16>, from_units: impl Iterator<Item = u16>) {
        let start = self.links.len() as u32;
        self.links.extend(from_cell);
        let units = self.links.len();
        for link in from_units {
            if !self.links[units..].contains(&link) {
                self.links.push(link);
            }
        }
        self.parts.push(Part { start, units: units as u32, end: self.links.len() as u32 });
    }

    fn of_cell(&self, candidate: usize) -> &[u16] {
        let part = self.parts[candidate];
        &self.links[part.start as usize..part.units as usize]
    }

    fn of_units(&self, candidate: usize) -> &[u16] {
        let part = self.parts[candidate];
        &self.links[part.units as usize..part.end as usize]
    }

    fn all(&self, candidate: usize) -> &[u16] {
        let part = self.parts[candidate];
        &self.links[part.start as usize..part.end as usize]
    }
}

/// All candidates of a board, numbered by cell and then by digit, and their links.
#[derive(Debug)]
pub(super) struct Links {
    candidates: Vec<Candidate>,
    /// The number of each candidate by cell and digit.
    numbers: [[u16; 9]; CELLS],
    weak: Lists,
    strong: Lists,
}

impl Links {
    pub(super) fn new(board: &Board) -> Links {
        let mut candidates = Vec::with_capacity(256);
        let mut numbers = [[0; 9]; CELLS];
        for cell in board.empty().iter() {
            for digit in bits(board.candidates(cell)) {
                numbers[cell][digit] = candidates.len() as u16;
                candidates.push(Candidate { cell: cell as u8, digit: digit as u8 });
            }
        }
        let (mut weak, mut strong) = (Lists::default(), Lists::default());
        weak.links.reserve(16 * candidates.len());
        for candidate in &candidates {
            let (cell, digit) = (usize::from(candidate.cell), usize::from(candidate.digit));
            let others = board.candidates(cell) & !(1 << digit);
            let in_cell = || bits(others).map(|other| numbers[cell][other]);
            // The other places in the box, in the row and in the column.
            let places = UNITS_OF[cell].map(|unit| {
                let own = 1 << position_in(unit, cell);
                (usize::from(unit), board.places(unit.into(), digit) & !own)
            });
            let at = |(unit, positions): (usize, u16)| {
                bits(positions).map(move |position| numbers[usize::from(UNITS[unit][position])][digit])
            };
            weak.push(in_cell(), places.into_iter().flat_map(at));
            let only = |others: u16| others.is_power_of_two();
            strong.push(
                in_cell().filter(|_| only(others)),
                places.into_iter().filter(|&(_, positions)| only(positions)).flat_map(at),
            );
        }
        Links { candidates, numbers, weak, strong }
    }

    /// Returns the number of candidates.
    pub(super) fn len(&self) -> usize {
        self.candidates.len()
    }

    pub(super) fn candidate(&self, number: usize) -> Candidate {
        self.candidates[number]
    }

    /// Returns the number of a candidate of the board.
    #[inline]
    pub(super) fn number(&self, cell: usize, digit: usize) -> usize {
        self.numbers[cell][digit].into()
    }

    /// Returns whether the cell of a candidate has exactly two candidates.
    pub(super) fn is_in_pair(&self, candidate: usize) -> bool {
        !self.strong.of_cell(candidate).is_empty()
    }

    /// Returns the candidates that are off if this one is on.
    #[inline]
    pub(super) fn weak(&self, rules: Rules, candidate: usize) -> &[u16] {
        match rules {
            Rules::X => self.weak.of_units(candidate),
            Rules::Y | Rules::Both => self.weak.all(candidate),
        }
    }

    /// Returns the candidates that are on if this one is off.
    #[inline]
    pub(super) fn strong(&self, rules: Rules, candidate: usize) -> &[u16] {
        match rules {
            Rules::X => self.strong.of_units(candidate),
            Rules::Y => self.strong.of_cell(candidate),
            Rules::Both => self.strong.all(candidate),
        }
    }
}
