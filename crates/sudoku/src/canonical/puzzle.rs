//! Of any puzzle: breadth first, row by row.

use super::Found;
use crate::puzzle::CELLS;

/// The search, with its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// The partial forms of which all rows so far are the smallest possible.
    states: Vec<State>,
    /// Those with one row more.
    extended: Vec<State>,
    candidates: Vec<Candidate>,
}

/// A line that may be the next row.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The number of the state.
    state: u32,
    line: u8,
    /// How many equal lines it stands for.
    times: u32,
    row: u64,
}

/// A puzzle as lines: its rows, or where it is transposed its columns.
#[derive(Clone, Copy, Debug)]
struct Lines {
    /// Nine nibbles a line, the digit of column `c` in nibble `c`.
    digits: [u64; 16],
    /// The lines of the same band that are equal to this one, itself among them.
    twins: [u16; 16],
    /// For each band the bands with equal lines, itself among them, as the bits of their first lines.
    twin_bands: [u16; 4],
}

/// A partial form: the first rows, and what they decide of the columns and labels.
///
/// Slots are the columns of the form. Neighbouring slots of a stack are tied while all rows so far are the same if their columns change
/// places: blank in both, or with new digits that would get each other's labels. Stacks are tied likewise, while both are blank.
#[derive(Clone, Copy, Debug)]
struct State {
    /// The column in each slot, a nibble each.
    columns: u64,
    /// The label of each digit, a nibble each; [`NEW`] where it has none.
    labels: u64,
    /// The line of each row so far, a nibble each.
    rows: u64,
    /// Orders of lines that lead to the same form as this one.
    multiplicity: u32,
    /// The lines that are rows already.
    used: u16,
    /// Of each stack slot two bits: whether its first slot is tied to its second, its second to its third.
    ties: u8,
    /// Whether the first stack is tied to the second, the second to the third.
    stack_ties: u8,
    /// Of each stack slot the stack.
    stacks: [u8; 3],
    /// Of each stack slot the order of its columns and their ties, as an index into [`SORTED`].
    shapes: [u8; 3],
    transposes: bool,
    /// Whether tied slots have digits, so that labels depend on the order of columns that is still open.
    is_open: bool,
}

/// Of a digit without a label; larger than all labels.
const NEW: u64 = 15;
const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
/// For the first two columns of an order its number in [`ORDERS`].
const ORDER_NUMBERS: [u8; 16] = {
    let mut numbers = [0; 16];
    let mut at = 0;
    while at < 6 {
        numbers[(ORDERS[at][0] * 4 + ORDERS[at][1]) as usize] = at as u8;
        at += 1;
    }
    numbers
};

/// Which slots of a stack have clues, the first in the highest of three bits, for `order << 5 | ties << 3 | clues` (the clue of the
/// first column in the lowest bit): as late as the ties allow.
const SORTED: [u8; 256] = {
    let mut sorted = [0; 256];
    let mut index = 0;
    while index < 6 * 32 {
        let (order, ties, clues) = (ORDERS[index >> 5], index >> 3 & 3, index & 7);
        let mut slots = [clues >> order[0] & 1, clues >> order[1] & 1, clues >> order[2] & 1];
        let mut round = 0;
        while round < 2 {
            if ties & 1 != 0 && slots[0] > slots[1] {
                slots = [slots[1], slots[0], slots[2]];
            }
            if ties & 2 != 0 && slots[1] > slots[2] {
                slots = [slots[0], slots[2], slots[1]];
            }
            round += 1;
        }
        sorted[index] = (slots[0] * 4 + slots[1] * 2 + slots[2]) as u8;
        index += 1;
    }
    sorted
};
/// Forms of one row are taken up one by one, if they are no more than that; else the order of the columns stays open.
const MOST_AT_ONCE: usize = 12;
/// The lowest bit of each of nine nibbles.
const NIBBLES: u64 = 0x1_1111_1111;

fn nibble(packed: u64, at: u64) -> u64 {
    packed >> (4 * at) & 15
}

fn set_nibble(packed: u64, at: u64, value: u64) -> u64 {
    packed & !(15 << (4 * at)) | value << (4 * at)
}

fn nibbles<const N: usize>(packed: u64) -> [u8; N] {
    std::array::from_fn(|at| nibble(packed, at as u64) as u8)
}

/// Bit 4i where nibble i is not 0.
fn clues(digits: u64) -> u64 {
    (digits | digits >> 1 | digits >> 2 | digits >> 3) & NIBBLES
}

fn sort(a: &mut u64, b: &mut u64) {
    (*a, *b) = ((*a).min(*b), (*a).max(*b));
}

/// Sorts what is tied.
fn sort_tied([a, b, c]: &mut [u64; 3], ties: u8) {
    match ties {
        0 => {}
        1 => sort(a, b),
        2 => sort(b, c),
        _ => {
            sort(a, b);
            sort(b, c);
            sort(a, b);
        }
    }
}

impl Search {
    /// The smallest form of a puzzle.
    pub(super) fn smallest(&mut self, values: &[u8; CELLS]) -> Found {
        let (lines, repeats) = Lines::of(values);
        self.states.clear();
        self.states.extend([false, true].map(|transposes| State::start(transposes, repeats)));
        let mut form = Form { rows: [0; 9], next_label: 1, label_slots: 0, repeats };
        for level in 0..9 {
            self.extended.clear();
            let best = self.keep_smallest(level, &lines, &form);
            let row = self.extend_open(level, &lines, &form, best);
            if row == best {
                self.extend_closed(level, &lines, &form, best);
            }
            form.add(level, row);
            std::mem::swap(&mut self.states, &mut self.extended);
        }
        self.found(&form)
    }

    /// Finds the smallest row that a line of a state without open labels becomes, and keeps the candidates that become it.
    fn keep_smallest(&mut self, level: usize, lines: &[Lines; 2], form: &Form) -> u64 {
        let Search { states, candidates, .. } = self;
        candidates.clear();
        let mut most = 0;
        for (number, state) in states.iter().enumerate().filter(|(_, state)| !state.is_open) {
            let lines = &lines[usize::from(state.transposes)];
            state.each_line(level, lines, |line, times| {
                let blanks = state.leading_blanks(lines.digits[usize::from(line & 15)]);
                if blanks >= most {
                    if blanks > most {
                        candidates.clear();
                        most = blanks;
                    }
                    candidates.push(Candidate { state: number as u32, line, times, row: 0 });
                }
            });
        }
        let mut best = u64::MAX;
        for candidate in &mut *candidates {
            let state = &states[candidate.state as usize];
            let digits = lines[usize::from(state.transposes)].digits[usize::from(candidate.line & 15)];
            candidate.row = state.row(digits, form.next_label);
            best = best.min(candidate.row);
        }
        candidates.retain(|candidate| candidate.row == best);
        best
    }

    fn extend_closed(&mut self, level: usize, lines: &[Lines; 2], form: &Form, row: u64) {
        let Search { states, extended, candidates } = self;
        for Candidate { state, line, times, .. } in candidates.iter().filter(|candidate| candidate.row == row)
        {
            let mut state = states[*state as usize];
            state.multiplicity *= times;
            let digits = lines[usize::from(state.transposes)].digits[usize::from(line & 15)];
            state.extend(level, *line, digits, form.next_label, extended);
        }
    }

    /// Extends the states with open labels, if they lead to no larger row than `best`. Returns the smallest row.
    fn extend_open(&mut self, level: usize, lines: &[Lines; 2], form: &Form, best: u64) -> u64 {
        let Search { states, extended, .. } = self;
        let mut opening = Opening { form, digits: 0, best, extended };
        for state in states.iter().filter(|state| state.is_open) {
            let lines = &lines[usize::from(state.transposes)];
            state.each_line(level, lines, |line, times| {
                let mut state = *state;
                state.multiplicity *= times;
                state.used |= 1 << line;
                state.rows |= u64::from(line) << (4 * level);
                opening.digits = lines.digits[usize::from(line & 15)];
                opening.each_stack_order(state);
            });
        }
        opening.best
    }

    fn found(&self, form: &Form) -> Found {
        let orders = |ties: u8| [1, 2, 2, 6][usize::from(ties & 3)];
        let automorphisms = self.states.iter().map(|state| {
            let columns: u32 = (0..3).map(|slot| orders(state.ties >> (2 * slot))).product();
            state.multiplicity * columns * orders(state.stack_ties)
        });
        let first = self.states[0];
        let mut values: [u8; 10] = nibbles(first.labels);
        let free = values.iter_mut().filter(|label| **label == NEW as u8);
        free.zip(form.next_label as u8..).for_each(|(label, next)| *label = next);
        Found {
            transposes: first.transposes,
            rows: nibbles(first.rows),
            columns: nibbles(first.columns),
            values,
            automorphisms: automorphisms.sum(),
        }
    }
}

/// The rows that all states have in common.
#[derive(Clone, Copy, Debug)]
struct Form {
    /// Nine nibbles each, the first slot in the highest.
    rows: [u64; 9],
    /// The label that the next new digit gets.
    next_label: u64,
    /// The slot in which each label stood first, a nibble each.
    label_slots: u64,
    /// Whether some line of the puzzle has a digit twice.
    repeats: bool,
}

impl Form {
    fn add(&mut self, level: usize, row: u64) {
        self.rows[level] = row;
        for slot in 0..9 {
            let label = nibble(row, 8 - slot);
            if label == self.next_label {
                let stands_often = (0..9).filter(|&slot| nibble(row, slot) == label).count() > 1;
                self.label_slots |= (if stands_often { NOWHERE } else { slot }) << (4 * label);
                self.next_label += 1;
            }
        }
    }
}

/// What extends states whose columns are tied and have digits.
///
/// Slot by slot, from the first: of the columns tied there those with the smallest label come first. A label is open as well if it stood first in
/// a slot that is still tied; then it is the smallest that this can still become, and the column of that slot is the first of those tied to it.
/// Columns that are equal in this stay tied; between such that make others the first, all ways are gone.
struct Opening<'a> {
    form: &'a Form,
    digits: u64,
    best: u64,
    extended: &'a mut Vec<State>,
}

/// A row that is filled from the first slot on.
#[derive(Clone, Copy)]
struct Filled {
    state: State,
    row: u64,
    next_label: u64,
    label_slots: u64,
}

impl Opening<'_> {
    /// Takes tied stacks in all orders; blank ones in one.
    fn each_stack_order(&mut self, state: State) {
        let digits = self.digits;
        let is_blank = |slot: u8| digits >> (12 * state.stacks[usize::from(slot)]) & 0xFFF == 0;
        for order in ORDERS {
            let is_tied = |a: usize, b: usize| (a..b).all(|at| state.stack_ties >> at & 1 != 0);
            let is_possible = (0..3).all(|at| {
                order[at] == at as u8 || is_tied(at.min(order[at].into()), at.max(order[at].into()))
            });
            let keeps_blanks = [(0, 1), (1, 2), (0, 2)]
                .iter()
                .all(|&(a, b)| order[a] < order[b] || !(is_blank(order[a]) && is_blank(order[b])));
            if !is_possible || !keeps_blanks {
                continue;
            }
            let mut to = State { columns: 0, ties: 0, ..state };
            for (slot, &from) in order.iter().enumerate() {
                to.columns |= (state.columns >> (12 * from) & 0xFFF) << (12 * slot);
                to.ties |= (state.ties >> (2 * from) & 3) << (2 * slot);
                to.stacks[slot] = state.stacks[usize::from(from)];
            }
            to.stack_ties &= u8::from(is_blank(order[0]) && is_blank(order[1]))
                | u8::from(is_blank(order[1]) && is_blank(order[2])) << 1;
            let Form { next_label, label_slots, .. } = *self.form;
            self.fill(Filled { state: to, row: 0, next_label, label_slots }, 0);
        }
    }

    /// Fills the row from a slot on.
    fn fill(&mut self, filled: Filled, slot: u64) {
        if filled.row > self.best >> (4 * (9 - slot)) {
            return;
        }
        if slot == 9 {
            return self.push(filled);
        }
        let offers: [Offer; 3] = std::array::from_fn(|at| self.offer(&filled, slot, slot + at as u64));
        let tied = &offers[..(filled.state.end_of_tie(slot) - slot + 1) as usize];
        let smallest = tied.iter().map(|offer| offer.label).min().unwrap_or(NEW);
        let is_smallest = |offer: &&Offer| offer.label == smallest;
        if !tied.iter().filter(is_smallest).any(|offer| offer.decides) {
            return self.put(filled, slot, tied, |offer| offer.label == smallest);
        }
        for (number, offer) in tied.iter().enumerate().filter(|(_, offer)| is_smallest(offer)) {
            // A digit that stands there several times is taken once.
            if smallest == NEW && tied[..number].iter().any(|other| other.digit == offer.digit) {
                continue;
            }
            self.put(filled, slot, tied, |other| match smallest {
                NEW => other.digit == offer.digit,
                _ => other.at == offer.at,
            });
        }
    }

    /// Puts some of the tied columns first, which stay tied to each other, and fills on.
    fn put(&mut self, mut filled: Filled, slot: u64, tied: &[Offer], is_put: impl Fn(&Offer) -> bool) {
        let mut end = slot;
        for offer in tied.iter().filter(|offer| is_put(offer)) {
            filled.swap(end, offer.at);
            end += 1;
        }
        filled.state.untie_behind(end - 1);
        for at in slot..end {
            let digit = nibble(self.digits, nibble(filled.state.columns, at));
            let mut label = nibble(filled.state.labels, digit);
            if label == NEW {
                label = filled.next_label;
                filled.next_label += 1;
                filled.state.labels = set_nibble(filled.state.labels, digit, label);
                let stands = if self.repeats(digit) { NOWHERE } else { at };
                filled.label_slots = set_nibble(filled.label_slots, label, stands);
            } else if filled.is_open(label) {
                // The smallest that it can become.
                let slot = nibble(filled.label_slots, label);
                let first = filled.state.start_of_tie(slot);
                filled.swap(first, slot);
                filled.state.untie_behind(first);
                label = nibble(filled.state.labels, digit);
            }
            filled.row = filled.row << 4 | label;
        }
        self.fill(filled, end);
    }

    /// What a column that is tied to `slot` would put there.
    fn offer(&self, filled: &Filled, slot: u64, at: u64) -> Offer {
        let digit = nibble(self.digits, nibble(filled.state.columns, at));
        let label = nibble(filled.state.labels, digit);
        if label == NEW {
            return Offer { at, digit, label, decides: self.repeats(digit) };
        }
        if !filled.is_open(label) {
            return Offer { at, digit, label, decides: false };
        }
        let stands = nibble(filled.label_slots, label);
        let start = filled.state.start_of_tie(stands);
        // The first of those tied to it, unless that is the place that this column takes itself.
        let first = if start == slot && stands != at { slot + 1 } else { start };
        Offer { at, digit, label: label - stands + first, decides: true }
    }

    fn repeats(&self, digit: u64) -> bool {
        self.form.repeats && (0..9).filter(|&column| nibble(self.digits, column) == digit).count() > 1
    }

    fn push(&mut self, filled: Filled) {
        let Filled { mut state, row, next_label, .. } = filled;
        if row < self.best {
            self.best = row;
            self.extended.clear();
        }
        state.is_open = self.form.repeats || (1..next_label).any(|label| filled.is_open(label));
        state.note_shapes();
        self.extended.push(state);
    }
}

/// What a column would put into a slot.
#[derive(Clone, Copy)]
struct Offer {
    /// The slot in which it is.
    at: u64,
    digit: u64,
    label: u64,
    /// Whether other columns, or the labels of other digits, hang on it.
    decides: bool,
}

/// Where a label stands that hangs on no column: its digit stands several times in its first row.
const NOWHERE: u64 = 15;

impl Filled {
    /// Whether a label hangs on an order of columns that is not decided.
    fn is_open(&self, label: u64) -> bool {
        let slot = nibble(self.label_slots, label);
        label != 0 && slot != NOWHERE && self.state.start_of_tie(slot) != self.state.end_of_tie(slot)
    }

    /// Lets two tied columns change places, and with them the labels that hang on them.
    fn swap(&mut self, a: u64, b: u64) {
        if a == b {
            return;
        }
        let State { columns, labels, .. } = &mut self.state;
        let (first, second) = (nibble(*columns, a), nibble(*columns, b));
        *columns = set_nibble(set_nibble(*columns, a, second), b, first);
        for digit in 1..=9 {
            let label = nibble(*labels, digit);
            if label == NEW {
                continue;
            }
            // Those of a row follow each other from slot to slot.
            match nibble(self.label_slots, label) {
                slot if slot == a => *labels = set_nibble(*labels, digit, label + b - a),
                slot if slot == b => *labels = set_nibble(*labels, digit, label + a - b),
                _ => {}
            }
        }
    }
}

impl Lines {
    /// Rows and columns, and whether one of them has a digit twice.
    fn of(values: &[u8; CELLS]) -> ([Lines; 2], bool) {
        let empty = Lines { digits: [0; 16], twins: [0; 16], twin_bands: [0; 4] };
        let mut lines = [empty; 2];
        let (mut seen, mut repeats) = ([[0_u16; 9]; 2], 0);
        for (row, values) in values.as_chunks::<9>().0.iter().enumerate() {
            let mut packed = 0;
            for (column, &value) in values.iter().enumerate() {
                let (value, bit) = (u64::from(value), (1_u16 << value) & !1);
                packed |= value << (4 * column);
                lines[1].digits[column] |= value << (4 * row);
                repeats |= (seen[0][row] | seen[1][column]) & bit;
                seen[0][row] |= bit;
                seen[1][column] |= bit;
            }
            lines[0].digits[row] = packed;
        }
        lines.iter_mut().for_each(Lines::find_twins);
        (lines, repeats != 0)
    }

    fn find_twins(&mut self) {
        let Lines { digits, twins, twin_bands } = self;
        for line in 0..9 {
            let band = line / 3 * 3;
            twins[line] =
                (band..band + 3).filter(|&other| digits[other] == digits[line]).map(|other| 1 << other).sum();
        }
        let sorted: [[u64; 3]; 3] = std::array::from_fn(|band| {
            let mut lines: [u64; 3] = std::array::from_fn(|at| digits[band * 3 + at]);
            sort_tied(&mut lines, 3);
            lines
        });
        for band in 0..3 {
            twin_bands[band] =
                (0..3).filter(|&other| sorted[other] == sorted[band]).map(|other| 1 << (3 * other)).sum();
        }
    }
}

impl State {
    fn start(transposes: bool, is_open: bool) -> State {
        State {
            columns: 0x8_7654_3210,
            labels: 0xFFFF_FFFF_FFFF_FFF0,
            rows: 0,
            multiplicity: 1,
            used: 0,
            ties: 0x3F,
            stack_ties: 3,
            stacks: [0, 1, 2],
            shapes: [3 << 3; 3],
            transposes,
            is_open,
        }
    }

    /// The first slot of those that are tied to this one, itself among them.
    fn start_of_tie(&self, slot: u64) -> u64 {
        let ties = self.ties >> (slot / 3 * 2) & 3;
        slot - match slot % 3 {
            0 => 0,
            1 => u64::from(ties & 1),
            _ if ties == 3 => 2,
            _ => u64::from(ties >> 1),
        }
    }

    /// The last of them.
    fn end_of_tie(&self, slot: u64) -> u64 {
        let ties = self.ties >> (slot / 3 * 2) & 3;
        slot + match slot % 3 {
            0 if ties == 3 => 2,
            0 => u64::from(ties & 1),
            1 => u64::from(ties >> 1),
            _ => 0,
        }
    }

    fn untie_behind(&mut self, slot: u64) {
        if slot % 3 < 2 {
            self.ties &= !(1 << (slot / 3 * 2 + slot % 3));
        }
    }

    /// Each line that may be the next row, and of how many equal ones it is the first.
    #[inline(always)]
    fn each_line(&self, level: usize, lines: &Lines, mut each: impl FnMut(u8, u32)) {
        let lines_of = |band: u32, times: u32, each: &mut dyn FnMut(u8, u32)| {
            let unused = (7 << (3 * band)) & !self.used;
            let mut left = unused;
            while left != 0 {
                let line = left.trailing_zeros();
                let twins = lines.twins[line as usize & 15] & unused;
                left &= !twins;
                each(line as u8, times * twins.count_ones());
            }
        };
        if !level.is_multiple_of(3) {
            let last = nibble(self.rows, level as u64 - 1) as u32;
            return lines_of(last / 3, 1, &mut each);
        }
        let is_used = |band: u32| self.used >> (3 * band) & 7 != 0;
        let unused: u16 = (0..3).filter(|&band| !is_used(band)).map(|band| 1 << (3 * band)).sum();
        let mut left = unused;
        while left != 0 {
            let band = left.trailing_zeros() / 3;
            let twins = lines.twin_bands[band as usize & 3] & unused;
            left &= !twins;
            lines_of(band, twins.count_ones(), &mut each);
        }
    }

    /// How many cells at the start of the row are blank.
    #[inline(always)]
    fn leading_blanks(&self, digits: u64) -> u32 {
        let clues = clues(digits);
        let of_slot = |slot: usize| {
            let spread = clues >> (12 * u64::from(self.stacks[slot])) & 0x111;
            let clues = (spread | spread >> 3 | spread >> 6) & 7;
            u64::from(SORTED[usize::from(self.shapes[slot] | clues as u8)])
        };
        let mut sorted = [of_slot(0), of_slot(1), of_slot(2)];
        sort_tied(&mut sorted, self.stack_ties);
        let [a, b, c] = sorted;
        (a << 6 | b << 3 | c).leading_zeros() - 55
    }

    /// The labels of three slots of a line, tied ones sorted: twelve bits.
    #[inline(always)]
    fn minirow(&self, digits: u64, slot: usize) -> u64 {
        let columns = self.columns >> (12 * slot);
        let label = |at: u64| nibble(self.labels, nibble(digits, nibble(columns, at)));
        let mut labels = [label(0), label(1), label(2)];
        sort_tied(&mut labels, self.ties >> (2 * slot) & 3);
        let [a, b, c] = labels;
        a << 8 | b << 4 | c
    }

    /// The row that a line becomes: nine nibbles, the first slot in the highest.
    #[inline(always)]
    fn row(&self, digits: u64, next_label: u64) -> u64 {
        let mut minirows = [self.minirow(digits, 0), self.minirow(digits, 1), self.minirow(digits, 2)];
        sort_tied(&mut minirows, self.stack_ties);
        let [a, b, c] = minirows;
        numbered(a << 24 | b << 12 | c, next_label)
    }

    /// Adds a line as the next row, in all ways that lead to the same row.
    fn extend(mut self, level: usize, line: u8, digits: u64, next_label: u64, extended: &mut Vec<State>) {
        self.used |= 1 << line;
        self.rows |= u64::from(line) << (4 * level);
        if self.ties == 0 {
            self.number(digits, next_label);
            extended.push(self);
            return;
        }
        // Label and column of each slot.
        let mut slots: [u64; 9] = std::array::from_fn(|slot| {
            let column = nibble(self.columns, slot as u64);
            nibble(self.labels, nibble(digits, column)) << 4 | column
        });
        let mut minirows = [0; 3];
        let mut orders = [1; 3];
        let mut ties = [0; 3];
        for stack in 0..3 {
            let slots: &mut [u64; 3] =
                slots.as_chunks_mut().0.get_mut(stack).unwrap_or_else(|| unreachable!());
            let tied = self.ties >> (2 * stack) & 3;
            sort_tied(slots, tied);
            let [a, b, c] = slots.map(|slot| slot >> 4);
            minirows[stack] = a << 8 | b << 4 | c;
            ties[stack] = tied & (u8::from(a == b) | u8::from(b == c) << 1);
            if c == NEW && ties[stack] & 2 != 0 {
                orders[stack] = if ties[stack] == 3 && a == NEW { 6 } else { 2 };
            } else if b == NEW && ties[stack] & 1 != 0 {
                orders[stack] = 2;
            }
        }
        let mut order = [0, 1, 2];
        let mut swap = |a: usize, b: usize| {
            if minirows[order[a]] > minirows[order[b]] {
                order.swap(a, b);
            }
        };
        match self.stack_ties {
            0 => {}
            1 => swap(0, 1),
            2 => swap(1, 2),
            _ => {
                swap(0, 1);
                swap(1, 2);
                swap(0, 1);
            }
        }
        let [a, b, c] = order.map(|stack| minirows[stack]);
        let same = self.stack_ties & (u8::from(a == b) | u8::from(b == c) << 1);
        let blank = u8::from(b == 0) | u8::from(c == 0) << 1;
        let stack_orders: &[[usize; 3]] = match same & !blank {
            0 => &[[0, 1, 2]],
            1 => &[[0, 1, 2], [1, 0, 2]],
            2 => &[[0, 1, 2], [0, 2, 1]],
            _ => &[[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]],
        };
        self.stack_ties = same & blank;
        let stays_open = orders.iter().product::<usize>() > MOST_AT_ONCE;
        for stack_order in stack_orders {
            let mut to = self;
            to.columns = 0;
            to.ties = 0;
            for (slot, &at) in stack_order.iter().enumerate() {
                let stack = order[at];
                let [a, b, c] = [0, 1, 2].map(|at| slots[3 * stack + at] & 15);
                to.columns |= (a | b << 4 | c << 8) << (12 * slot);
                to.ties |= ties[stack] << (2 * slot);
                to.stacks[slot] = (a / 3) as u8;
            }
            let mut left = stack_order.map(|at| orders[order[at]]);
            if stays_open {
                to.is_open = left.iter().any(|&orders| orders > 1);
                left = [1; 3];
            }
            to.each_order(left, |mut state| {
                state.number(digits, next_label);
                state.note_shapes();
                extended.push(state);
            });
        }
    }

    /// Takes the tied slots with new digits in all orders.
    fn each_order(self, orders: [usize; 3], mut each: impl FnMut(State)) {
        for a in 0..orders[0] {
            for b in 0..orders[1] {
                for c in 0..orders[2] {
                    let mut state = self;
                    for (slot, (number, of)) in
                        [(a, orders[0]), (b, orders[1]), (c, orders[2])].into_iter().enumerate()
                    {
                        if of > 1 {
                            state.reorder(slot, number, of);
                        }
                    }
                    each(state);
                }
            }
        }
    }

    /// Takes the tied columns with new digits of a stack slot in one of their orders, and unties them.
    fn reorder(&mut self, slot: usize, number: usize, of: usize) {
        let ties = self.ties >> (2 * slot) & 3;
        let order = match (of, ties, number) {
            (6, _, number) => ORDERS[number],
            (_, _, 0) => ORDERS[0],
            // Blanks are tied before the new digits of which this is one: never both pairs of two new ones.
            (_, 1, _) => [1, 0, 2],
            _ => [0, 2, 1],
        };
        let columns = self.columns >> (12 * slot);
        let [a, b, c] = order.map(|at| nibble(columns, u64::from(at)));
        self.columns = self.columns & !(0xFFF << (12 * slot)) | (a | b << 4 | c << 8) << (12 * slot);
        self.ties &= !(3 << (2 * slot));
    }

    /// Gives new digits of a line their labels, in order of their slots.
    #[inline(always)]
    fn number(&mut self, digits: u64, mut next_label: u64) {
        // All of them have labels already.
        if next_label > 9 {
            return;
        }
        for slot in 0..9 {
            let digit = nibble(digits, nibble(self.columns, slot));
            if nibble(self.labels, digit) == NEW {
                self.labels = set_nibble(self.labels, digit, next_label);
                next_label += 1;
            }
        }
    }

    fn note_shapes(&mut self) {
        for slot in 0..3 {
            let columns = self.columns >> (12 * slot);
            let stack = u64::from(self.stacks[slot]) * 3;
            let [a, b] = [nibble(columns, 0) - stack, nibble(columns, 1) - stack];
            let order = ORDER_NUMBERS[(a * 4 + b) as usize & 15];
            self.shapes[slot] = order << 5 | (self.ties >> (2 * slot) & 3) << 3;
        }
    }
}

/// Gives the new digits of a row their labels.
#[inline(always)]
fn numbered(mut row: u64, mut next_label: u64) -> u64 {
    let mut new = row & row >> 1 & row >> 2 & row >> 3 & NIBBLES;
    while new != 0 {
        let at = 63 - new.leading_zeros();
        row = row & !(15 << at) | next_label << at;
        next_label += 1;
        new &= !(1 << at);
    }
    row
}
