//! Finds unique rectangles and unique loops. These techniques assume that the puzzle has exactly one solution.
//!
//! ```text
//! ab . . | ab . .     A loop of cells that goes from unit to unit. If all its cells had only the candidates a and b, these two could be
//! ab . . | abc . .    swapped, and the puzzle would have two solutions. So at least one of the cells with more candidates holds one of its
//!                     extra digits.
//! ```
//! Type 1: one cell has extra digits, so a and b are removed from this cell. Type 2: several cells have one extra digit, the same in each,
//! so it is removed from the cells that see all of them. Type 3: two cells with extra digits count as one cell of a naked or hidden set.
//! Type 4: two cells of a unit have extra digits, and one of a and b has no other place in the unit, so the other of a and b is removed
//! from both cells.

use super::board::{
    ALL_DIGITS, Board, Digits, UNIT_CELLS, bits, cells_at, common_units, count, position_in, see_all,
};
use super::changes::Changes;
use super::sets::{candidates_in, find_set};
use super::step::{Basis, Step};
use super::{Session, Technique};
use crate::puzzle::{CELLS, Cells, UNITS, UNITS_OF};

/// The kinds of units (box, row, column), as positions in the elements of [`UNITS_OF`].
const KINDS: [usize; 3] = [0, 1, 2];

const RECTANGLES: [Technique; 4] = [
    Technique::UniqueRectangle1,
    Technique::UniqueRectangle2,
    Technique::UniqueRectangle3,
    Technique::UniqueRectangle4,
];

const LOOPS: [Technique; 4] =
    [Technique::UniqueLoop1, Technique::UniqueLoop2, Technique::UniqueLoop3, Technique::UniqueLoop4];

/// Returns the rating of loops with this number of cells, without the surcharge of type 3.
fn rating(cells: usize) -> f64 {
    match cells {
        0..=4 => 4.5,
        5..=6 => 4.6,
        7..=8 => 4.7,
        _ => 5.0,
    }
}

/// Searches the loops of the board. Returns the step with the lowest rating of all loops. If ratings are equal, the lowest type wins; if
/// types are also equal, the step found first.
///
/// Cells that have not changed form no new loop. But an old loop may have a new step: types 3 and 4 also depend on cells outside the loop.
pub(super) fn find(board: &Board, changes: Changes, session: &Session) -> Option<Step> {
    let mut search =
        Search { board, pair: 0, both: Cells::EMPTY, path: Vec::new(), loop_digits: [0; 9], best: None };
    let earlier_loops = session.loop_digits.get();
    // Loops that contain an earlier start were found when the search began at that start.
    let mut earlier_starts = Cells::EMPTY;
    for start in board.cells_with_count(2).iter() {
        search.pair = board.candidates(start);
        let left = board.empty().without(earlier_starts);
        earlier_starts.insert(start);
        let both = bits(search.pair).fold(left, |cells, digit| cells.and(board.cells(digit)));
        let had_loop = earlier_loops[search.pair.trailing_zeros() as usize] & search.pair != 0;
        if !had_loop && !changes.affect(both) {
            continue;
        }
        search.both = loop_cells(both);
        if search.both.contains(start) {
            search.path.clear();
            search.path.push(start);
            search.extend(None, [units_of(start), 0], 0, 0);
        }
    }
    if search.best.is_none() {
        session.loop_digits.set(search.loop_digits);
    }
    search.best.map(|best| best.step)
}

/// Returns the cells that loops may contain: the largest subset of `cells` in which each cell shares units of at least two kinds with other
/// cells of the subset.
fn loop_cells(cells: Cells) -> Cells {
    let leads_on = |&cell: &usize| {
        let others = cells.without(Cells::one(cell));
        let is_shared = |kind: &usize| !UNIT_CELLS[usize::from(UNITS_OF[cell][*kind])].and(others).is_empty();
        KINDS.iter().filter(|kind| is_shared(kind)).count() >= 2
    };
    let left = cells.iter().filter(leads_on).collect();
    if left == cells { cells } else { loop_cells(left) }
}

/// Returns the three units of a cell, one bit each.
fn units_of(cell: usize) -> u32 {
    UNITS_OF[cell].into_iter().fold(0, |units, unit| units | 1 << unit)
}

struct Best {
    /// The rating, then the type of the loop, counted from 0.
    rank: (f64, usize),
    step: Step,
}

/// A depth-first search for the loops of two digits that start at a cell.
struct Search<'a> {
    board: &'a Board,
    /// The two digits.
    pair: Digits,
    /// The cells that have both digits of the pair as candidates. The starts of earlier searches and the cells that no loop can contain are
    /// left out.
    both: Cells,
    path: Vec<usize>,
    /// For each digit, the larger digits with which it forms a loop.
    loop_digits: [Digits; 9],
    best: Option<Best>,
}

impl Search<'_> {
    /// Extends the path from its last cell, through units of another kind than the unit that led to this cell.
    ///
    /// `visited` are the units of the path's cells at even and at odd places. A loop visits each of its units twice: once at an even place
    /// and once at an odd place. `extra` are the extra digits so far, `extra_cells` is the number of cells that have them.
    fn extend(&mut self, last_kind: Option<usize>, visited: [u32; 2], extra: Digits, extra_cells: usize) {
        if !self.is_better((rating(self.path.len()), 0)) {
            return;
        }
        let (start, cell) = (self.path[0], self.path[self.path.len() - 1]);
        let parity = self.path.len() % 2;
        for kind in KINDS.into_iter().filter(|&kind| Some(kind) != last_kind) {
            let unit = UNITS_OF[cell][kind] as usize;
            for next in self.both.and(UNIT_CELLS[unit]).without(Cells::one(cell)).iter() {
                if next == start && self.path.len() >= 4 {
                    if visited[0] == visited[1] {
                        self.follow_loop(extra);
                    }
                    continue;
                }
                let more = self.board.candidates(next) & !self.pair;
                let may_join = more == 0 || count(extra | more) == 1 || extra_cells < 2;
                if !may_join || visited[parity] & units_of(next) != 0 || self.path.contains(&next) {
                    continue;
                }
                let mut visited = visited;
                visited[parity] |= units_of(next);
                self.path.push(next);
                self.extend(Some(kind), visited, extra | more, extra_cells + usize::from(more != 0));
                self.path.pop();
            }
        }
    }

    /// Offers the steps that follow from the loop in `path`. Their types depend on the cells with extra digits, and on these digits.
    fn follow_loop(&mut self, extra: Digits) {
        let smaller = self.pair.trailing_zeros() as usize;
        self.loop_digits[smaller] |= self.pair & !(1 << smaller);
        let mut extra_cells = [0; CELLS];
        let mut number = 0;
        for &cell in self.path.iter().filter(|&&cell| self.board.candidates(cell) != self.pair) {
            extra_cells[number] = cell;
            number += 1;
        }
        match extra_cells[..number] {
            [] => {}
            [cell] => self.offer(0, 0.0, None, Cells::one(cell), self.pair),
            [first, second] => {
                match count(extra) {
                    1 => self.offer(1, 0.0, None, see_all([first, second]), extra),
                    _ => self.follow_type_3(first, second, extra),
                }
                self.follow_type_4(first, second);
            }
            ref cells => {
                self.offer(1, 0.0, None, see_all(cells.iter().copied()), extra);
            }
        }
    }

    /// Looks for a naked set with the extra digits of two cells, or a hidden set with the two digits of the loop.
    fn follow_type_3(&mut self, first: usize, second: usize, extra: Digits) {
        for degree in 2..=7 {
            for unit in common_units(Cells::one(first).with(second)) {
                let empty = self.board.empty_in(unit);
                let [of_first, of_second] = [first, second].map(|cell| position_in(unit as u8, cell));
                if 2 * degree <= empty && degree >= count(extra) {
                    self.follow_naked(unit, degree, of_first, of_second, extra);
                }
                if 2 * degree < empty {
                    self.follow_hidden(unit, degree, of_first, of_second, extra);
                }
            }
        }
    }

    fn follow_naked(&mut self, unit: usize, degree: usize, first: usize, second: usize, extra: Digits) {
        let common = [first, second]
            .iter()
            .fold(extra, |common, &position| common & self.board.candidates(UNITS[unit][position].into()));
        let (mut masks, eligible) = candidates_in(self.board, unit, 2..=9);
        masks[first] = extra;
        let board = self.board;
        let set = find_set(&masks, eligible & !(1 << second), degree, &mut |positions, digits| {
            let victims = UNIT_CELLS[unit].without(cells_at(unit, positions | 1 << second));
            // An extra digit that only one of the two cells has must also be a candidate of another cell of the set.
            let others =
                bits(positions & !(1 << first)).fold(common, |others, position| others | masks[position]);
            let is_wanted = positions >> first & 1 == 1
                && others == digits
                && !victims.and(board.cells_with_any(digits)).is_empty();
            is_wanted.then_some((victims, digits))
        });
        if let Some((victims, digits)) = set {
            self.offer(2, 0.1 * (degree - 1) as f64, Some(unit), victims, digits);
        }
    }

    fn follow_hidden(&mut self, unit: usize, degree: usize, first: usize, second: usize, extra: Digits) {
        let masks = self.board.places_in(unit).map(|places| places & !(1 << second));
        let others = bits(ALL_DIGITS & !extra & !self.pair).filter(|&digit| masks[digit] != 0);
        let eligible = others.fold(self.pair, |digits, digit| digits | 1 << digit);
        let (board, pair) = (self.board, self.pair);
        let set = find_set(&masks, eligible, degree, &mut |digits, positions| {
            let victims = cells_at(unit, positions & !(1 << first));
            let gone = ALL_DIGITS & !digits;
            let is_wanted = digits & pair == pair && !victims.and(board.cells_with_any(gone)).is_empty();
            is_wanted.then_some((victims, gone))
        });
        if let Some((victims, digits)) = set {
            self.offer(2, 0.1 * (degree - 2) as f64, Some(unit), victims, digits);
        }
    }

    /// Looks for a unit that contains the two cells with extra digits, and in which one of the two digits of the loop has no other place.
    fn follow_type_4(&mut self, first: usize, second: usize) {
        let cells = Cells::one(first).with(second);
        let is_locked = |digit: usize, unit: usize| self.board.cells(digit).and(UNIT_CELLS[unit]) == cells;
        let locked = bits(self.pair).find_map(|digit| {
            let unit = common_units(cells).filter(|&unit| is_locked(digit, unit)).last()?;
            Some((digit, unit))
        });
        if let Some((digit, unit)) = locked {
            self.offer(3, 0.0, Some(unit), cells, self.pair & !(1 << digit));
        }
    }

    /// Keeps the step that removes the digits `gone` from the cells `victims`, if it removes anything and is better than the best step so
    /// far. `kind` is the type of the loop, counted from 0. `surcharge` is added to the rating of the loop.
    fn offer(&mut self, kind: usize, surcharge: f64, unit: Option<usize>, victims: Cells, gone: Digits) {
        let rank = (rating(self.path.len()) + surcharge, kind);
        if !self.is_better(rank) {
            return;
        }
        let techniques = if self.path.len() == 4 { RECTANGLES } else { LOOPS };
        let basis = Basis {
            technique: techniques[kind],
            units: unit.as_slice(),
            cells: self.path.iter().copied().collect(),
            digits: self.pair,
        };
        if let Some(step) = Step::eliminating(self.board, basis, victims, gone) {
            self.best = Some(Best { rank, step: Step { rating: rank.0, ..step } });
        }
    }

    fn is_better(&self, rank: (f64, usize)) -> bool {
        self.best.as_ref().is_none_or(|best| rank < best.rank)
    }
}
