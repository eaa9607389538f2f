//! The canonical form of any puzzle, by a breadth-first search row by row.
//!
//! ```text
//! row 1      start a partial form with each line (row or column) that gives the smallest first row. Such a line has the fewest clues in
//!            its emptiest stack. If several lines have equally few there, their second emptiest stack decides, then the third
//! rows 2-9   for each partial form, translate each possible next line into the columns and labels of the form
//!            keep only the partial forms whose new row is the smallest
//! end        each remaining form is equal to the canonical form. The number of automorphisms is the sum over these forms: for each form,
//!            the number of possible orders of its ties and of its equal lines
//!
//! a form     line of each row     column of each slot       label of each digit
//!            2 0 1 . . . . . .    4 3 5 | 0 1 2 | 8 6 7     . 3 1 . 2 . . . .
//!                                 --- tied: these columns are equal so far
//! ```
//! *Ties.* Columns that are blank in all rows so far stay tied, and a later row sorts them: blanks first, then labels,
//! then new digits. So blanks never cause branches. If two tied columns have new digits, their order is open. If there
//! are few possible orders, the search tries all. If there are many (a full row has 1,296), the columns stay tied and their
//! labels stay open until a row decides ([`Opening`]). Ties that are never decided multiply the number of automorphisms, for example by 3!
//! for three tied columns.
//!
//! *What saves work.* Most lines are ruled out because other lines have more leading blanks. Blanks are counted with a table, which has an
//! entry for each combination of clues, column order and ties in a stack. Only the remaining lines are translated. Once a single form is
//! left and its columns and labels are decided, its remaining lines only have to be sorted.
//!
//! A line is a word of nine nibbles, so it fits into a register. Equal lines (such as two blank rows of a band) are processed once and
//! counted.

use crate::isomorph::Transformation;
use crate::puzzle::CELLS;

#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// The partial forms whose rows so far are the smallest possible.
    states: Vec<State>,
    /// The partial forms with one more row.
    extended: Vec<State>,
    candidates: Vec<Candidate>,
    readings: Vec<Reading>,
    /// Number of lines read: the cost of a puzzle, independent of the machine.
    #[cfg(test)]
    lines_read: usize,
}

/// A line that may become the next row.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// Index of the partial form in [`Search::states`].
    state: u32,
    line: u32,
}

/// A line as the next row of a state: its digits are replaced by their labels, its columns are in the state's order, and tied columns and
/// stacks are sorted by labels.
#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    /// Nine labels, a nibble each, the first slot in the highest; [`NEW`] for each new digit. Comparing two such rows gives the same result
    /// as if the new digits had their labels.
    row: u64,
    /// `columns`, `ties` and `stack_ties` are as in [`State`], but columns with different labels are no longer tied.
    columns: u64,
    ties: u8,
    stack_ties: u8,
    /// Ties between stacks that are not blank, have equal labels in equal slots, and have new digits in the same slots. So their order is
    /// open.
    alike: u8,
    /// Ties between columns with new digits.
    new_ties: u8,
}

/// A puzzle as lines: its rows, or its columns if the puzzle is transposed.
#[derive(Clone, Copy, Debug)]
struct Lines {
    /// Nine nibbles per line; nibble `c` is the digit of column `c`.
    digits: [u64; 16],
    /// For each line, the columns in which it has clues, a bit for each column.
    clues: [u16; 16],
    /// Whether some lines of a band, or whole bands, may be equal.
    has_twins: bool,
}

/// A partial form: its first rows, and what they decide about columns and labels.
///
/// Slots are the columns of the form. A stack slot is three neighbouring slots, the place of one stack. The order of the columns in tied
/// slots of a stack is open: swapping them doesn't change the rows so far, because both are blank, or because both have digits that were
/// new in the same row, so that their labels are swapped, too. If new digits leave only a few orders possible ([`MOST_AT_ONCE`]), each
/// order may get a state of its own, without these ties. Stacks are tied while both are blank.
#[derive(Clone, Copy, Debug)]
struct State {
    /// The column in each slot, a nibble each.
    columns: u64,
    /// The label of each digit, a nibble each; [`NEW`] if it has none.
    labels: u64,
    /// The line of each row so far, a nibble each.
    rows: u64,
    /// Number of orders of the lines that lead to this form.
    multiplicity: u32,
    /// The lines that are already rows.
    used: u16,
    /// Two bits per stack slot: whether the first of its three column slots is tied to the second, and the second to the third.
    ties: u8,
    /// Whether the first stack is tied to the second, and the second to the third.
    stack_ties: u8,
    /// For each stack slot, the first column of the stack that is in the slot.
    stacks: [u8; 3],
    /// For each stack slot, the order of its columns and their ties: `order << 5 | ties << 3`. With the clues of a line in the lowest three
    /// bits, this is an index into [`DECIDED`].
    shapes: [u8; 3],
    transposes: bool,
    /// Whether labels of digits depend on an order of columns that is still open. This is so if tied slots have digits. If some line of the
    /// puzzle has a digit twice, the field is always true.
    is_open: bool,
}

/// Stands for the label of a digit that has no label yet; larger than all labels.
const NEW: u64 = 15;
const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
/// Gives the order of three columns of a stack, as an index into [`ORDERS`], and the lowest column of this stack. The index into this table
/// is the first two of the three columns, a nibble each, with the first column in the lower nibble.
const ORDERS_OF: [(u8, u8); 256] = {
    let mut numbers = [(0, 0); 256];
    let mut at = 0;
    while at < 18 {
        let (stack, order) = (at / 6, ORDERS[at % 6]);
        let (first, second) = (3 * stack + order[0] as usize, 3 * stack + order[1] as usize);
        numbers[second << 4 | first] = ((at % 6) as u8, 3 * stack as u8);
        at += 1;
    }
    numbers
};

/// Returns `order`, the columns of a stack (counted within the stack), rearranged: among tied columns, those without clues come first.
const fn arranged(order: [u8; 3], ties: usize, clues: usize) -> [u8; 3] {
    let mut columns = order;
    let mut round = 0;
    while round < 3 {
        let at = round % 2;
        let [a, b, c] = columns;
        if ties >> at & 1 != 0 && clues >> columns[at] & 1 > clues >> columns[at + 1] & 1 {
            columns = if at == 0 { [b, a, c] } else { [a, c, b] };
        }
        round += 1;
    }
    columns
}

/// Tables of what the clues of a line decide about the three columns of a stack: their order, and the remaining ties. The index is `order
/// << 5 | ties << 3 | clues`, with the clue of the stack's first column in the lowest bit.
struct Decided {
    /// Which of the three slots have clues: a bit for each slot, the highest of the three bits for the first slot.
    clues: [u8; 256],
    /// The column in each slot, counted within the stack, a nibble each; above the three nibbles, two bits for ties. The highest bit,
    /// [`UNDECIDED`], is set if two tied columns both have clues, because the labels of these clues then decide the order.
    columns: [u16; 256],
}

const UNDECIDED: u16 = 1 << 15;
static DECIDED: Decided = {
    let mut decided = Decided { clues: [0; 256], columns: [0; 256] };
    let mut index = 0;
    while index < 6 * 32 {
        let (order, ties, clues) = (ORDERS[index >> 5], index >> 3 & 3, index & 7);
        let columns = arranged(order, ties, clues);
        let [a, b, c] = [clues >> columns[0] & 1, clues >> columns[1] & 1, clues >> columns[2] & 1];
        decided.clues[index] = (a << 2 | b << 1 | c) as u8;
        let (both, unlike) = ((a & b) | (b & c) << 1, (a ^ b) | (b ^ c) << 1);
        let packed = columns[0] as u16 | (columns[1] as u16) << 4 | (columns[2] as u16) << 8;
        let undecided = if ties & both != 0 { UNDECIDED } else { 0 };
        decided.columns[index] = packed | ((ties & !unlike) as u16) << 12 | undecided;
        index += 1;
    }
    decided
};

/// The rank of a line as a first row. The index is the set of the columns with clues, a bit for each. Ranks compare the numbers of clues in
/// the three stacks, the smallest number first.
const FIRST_ROWS: [u8; 512] = {
    let mut ranks = [0; 512];
    let mut clues = 0_usize;
    while clues < 512 {
        let counts = [(clues & 7).count_ones(), (clues >> 3 & 7).count_ones(), (clues >> 6).count_ones()];
        let mut count = 1;
        while count <= 3 {
            // A rank is a number in base 4. Its three digits are the numbers of clues of the three stacks, the smallest number first. For
            // each `count`, if n stacks have at least `count` clues, the last n digits grow by 1.
            let stacks = (counts[0] >= count) as u8 + (counts[1] >= count) as u8 + (counts[2] >= count) as u8;
            ranks[clues] += [0, 0b00_0001, 0b00_0101, 0b01_0101][stacks as usize];
            count += 1;
        }
        clues += 1;
    }
    ranks
};

/// Largest number of column orders that the search tries when a row puts new digits into tied columns. If more orders are possible, the
/// columns stay tied and their order stays open.
const MOST_AT_ONCE: u8 = 12;
/// The lowest bit of each of nine nibbles.
const NIBBLES: u64 = 0x1_1111_1111;

fn nibble(packed: u64, at: u64) -> u64 {
    packed >> (4 * at) & 15
}

fn set_nibble(packed: u64, at: u64, value: u64) -> u64 {
    packed & !(15 << (4 * at)) | value << (4 * at)
}

#[inline(always)]
fn each_bit(mut bits: u16, mut each: impl FnMut(u32)) {
    while bits != 0 {
        each(bits.trailing_zeros());
        bits &= bits - 1;
    }
}

fn nibbles<const N: usize>(packed: u64) -> [u8; N] {
    std::array::from_fn(|at| nibble(packed, at as u64) as u8)
}

/// Returns the number of orders of three neighbours that the ties allow. Two bits say whether the first is tied to the second, and the
/// second to the third.
fn orders_of(ties: u8) -> u8 {
    [1, 2, 2, 6][usize::from(ties & 3)]
}

/// Sorts tied values.
#[inline(always)]
fn sort_tied([a, b, c]: [u64; 3], ties: u8) -> [u64; 3] {
    // Without branches, because the processor could not predict them.
    let sorted = |a: u64, b: u64, is_tied: bool| if is_tied & (a > b) { (b, a) } else { (a, b) };
    let (a, b) = sorted(a, b, ties & 1 != 0);
    let (b, c) = sorted(b, c, ties & 2 != 0);
    let (a, b) = sorted(a, b, ties & 1 != 0);
    [a, b, c]
}

impl Search {
    /// Returns the transformation to the smallest form of a puzzle, and the number of automorphisms.
    pub(super) fn smallest(&mut self, values: &[u8; CELLS]) -> (Transformation, u32) {
        let (lines, repeats) = Lines::new(values);
        self.states.clear();
        self.states.extend([false, true].map(|transposes| State::start(transposes, repeats)));
        let mut form = Form { next_label: 1, label_slots: 0, repeats };
        for level in 0..9 {
            self.extended.clear();
            match level {
                0 => self.first_rows(&lines),
                _ => self.late_clues(level, &lines),
            }
            let read = self.read(&lines);
            let closed = numbered(read, form.next_label);
            let row = self.extend_open(level, &lines, &form, closed);
            let first_new = form.next_label;
            form.add(row);
            if row == closed {
                self.extend_closed(level, &lines, read, &form, first_new);
            }
            std::mem::swap(&mut self.states, &mut self.extended);
            if let [state] = &mut self.states[..]
                && state.is_decided(&form)
                && !lines[usize::from(state.transposes)].has_twins
            {
                state.sort_lines(level, &lines[usize::from(state.transposes)]);
                break;
            }
        }
        self.found(&form)
    }

    /// Stores as candidates the lines that give the smallest first row. The digits of a first row are all new and numbered in order, so
    /// only the number of clues in each stack matters.
    fn first_rows(&mut self, lines: &[Lines; 2]) {
        let Search { states, candidates, .. } = self;
        candidates.clear();
        let mut smallest = u8::MAX;
        for (number, state) in states.iter().enumerate().filter(|(_, state)| !state.is_open) {
            let lines = &lines[usize::from(state.transposes)];
            each_bit(state.next_lines(0, lines), |line| {
                let rank = FIRST_ROWS[usize::from(lines.clues[line as usize & 15] & 0x1FF)];
                if rank <= smallest {
                    if rank < smallest {
                        candidates.clear();
                        smallest = rank;
                    }
                    candidates.push(Candidate { state: number as u32, line });
                }
            });
        }
    }

    /// Stores as candidates the lines that begin with the most blanks. All other lines are larger, no matter which labels they get.
    fn late_clues(&mut self, level: u32, lines: &[Lines; 2]) {
        let Search { states, candidates, .. } = self;
        candidates.clear();
        if let [state] = &states[..]
            && !state.is_open
            && level % 3 == 2
        {
            // For the last row of a band, only one line is left.
            let next = state.next_lines(level, &lines[usize::from(state.transposes)]);
            return candidates.push(Candidate { state: 0, line: next.trailing_zeros() });
        }
        let mut most = 0;
        for (number, state) in states.iter().enumerate().filter(|(_, state)| !state.is_open) {
            let lines = &lines[usize::from(state.transposes)];
            each_bit(state.next_lines(level, lines), |line| {
                let blanks = state.leading_blanks(lines.clues[line as usize & 15]);
                if blanks >= most {
                    if blanks > most {
                        candidates.clear();
                        most = blanks;
                    }
                    candidates.push(Candidate { state: number as u32, line });
                }
            });
        }
    }

    /// Translates the line of each candidate to the labels and columns of its state. Returns the smallest of the resulting rows.
    fn read(&mut self, lines: &[Lines; 2]) -> u64 {
        let Search { states, candidates, readings, .. } = self;
        #[cfg(test)]
        {
            self.lines_read += candidates.len();
        }
        readings.clear();
        let mut smallest = u64::MAX;
        for &Candidate { state, line } in &*candidates {
            let state = &states[state as usize];
            let reading = state.read(&lines[usize::from(state.transposes)], line);
            smallest = smallest.min(reading.row);
            readings.push(reading);
        }
        smallest
    }

    /// Extends the states by the candidates whose reading is `row`. The labels from `first_new` on are new in this row.
    fn extend_closed(&mut self, level: u32, lines: &[Lines; 2], row: u64, form: &Form, first_new: u64) {
        let Search { states, extended, candidates, readings, .. } = self;
        for (candidate, reading) in candidates.iter().zip(readings).filter(|(_, reading)| reading.row == row)
        {
            let mut state = states[candidate.state as usize];
            let lines = &lines[usize::from(state.transposes)];
            state.take(level, candidate.line, lines);
            let extension = Extension { line: lines.digits[candidate.line as usize & 15], first_new, form };
            extension.extend(state, reading, extended);
        }
    }

    /// Extends the states that have open labels. Drops extensions with a row larger than `smallest`. Returns the smallest row, which is
    /// `smallest` if no extension has a smaller row.
    fn extend_open(&mut self, level: u32, lines: &[Lines; 2], form: &Form, smallest: u64) -> u64 {
        let Search { states, extended, .. } = self;
        if !states.iter().any(|state| state.is_open) {
            return smallest;
        }
        let mut opening = Opening { form, digits: 0, best: smallest, extended };
        for state in states.iter().filter(|state| state.is_open) {
            let lines = &lines[usize::from(state.transposes)];
            each_bit(state.next_lines(level, lines), |line| {
                #[cfg(test)]
                {
                    self.lines_read += 1;
                }
                let mut state = *state;
                state.take(level, line, lines);
                opening.digits = lines.digits[line as usize & 15];
                opening.each_stack_order(state);
            });
        }
        opening.best
    }

    fn found(&self, form: &Form) -> (Transformation, u32) {
        let automorphisms = self.states.iter().map(|state| {
            let columns: u32 =
                [0, 2, 4].map(|shift| u32::from(orders_of(state.ties >> shift))).iter().product();
            state.multiplicity * columns * u32::from(orders_of(state.stack_ties))
        });
        let first = self.states[0];
        let mut values: [u8; 10] = nibbles(first.labels);
        // Digits without a clue get the unused labels in order.
        let free = values.iter_mut().filter(|label| **label == NEW as u8);
        free.zip(form.next_label as u8..).for_each(|(label, next)| *label = next);
        let (rows, columns) = (nibbles(first.rows), nibbles(first.columns));
        (Transformation::new(first.transposes, &rows, &columns, &values), automorphisms.sum())
    }
}

/// The common data of all states.
#[derive(Clone, Copy, Debug)]
struct Form {
    /// The label that the next new digit gets.
    next_label: u64,
    /// The slot where each label first occurred, a nibble each.
    label_slots: u64,
    /// Whether some line of the puzzle has a digit twice.
    repeats: bool,
}

impl Form {
    /// Adds the labels that are in `row` but not in the rows before it. `row` has nine nibbles, one for each slot; the highest nibble is
    /// the first slot.
    fn add(&mut self, row: u64) {
        loop {
            let others = row ^ (self.next_label * NIBBLES);
            let stands = !(others | others >> 1 | others >> 2 | others >> 3) & NIBBLES;
            if stands == 0 {
                return;
            }
            let slot = match stands.count_ones() {
                1 => 8 - u64::from(stands.trailing_zeros()) / 4,
                _ => NOWHERE,
            };
            self.label_slots |= slot << (4 * self.next_label);
            self.next_label += 1;
        }
    }
}

/// Extends states whose tied columns have digits.
///
/// Fills the row slot by slot, from the first slot on. Among the columns that are tied to a slot, the columns with the smallest label come
/// first. Columns with equal labels stay tied.
///
/// A label is open if it first occurred in a slot that is still tied. When the row uses an open label, the label gets the smallest value
/// that is still possible: the column where the label first occurred moves to the first slot of its tie. If several tied columns can give
/// the smallest label, and the choice affects other columns or labels, each choice is followed.
struct Opening<'a> {
    form: &'a Form,
    digits: u64,
    best: u64,
    extended: &'a mut Vec<State>,
}

/// A row that is partly filled: its slots are filled in order, from the first.
#[derive(Clone, Copy)]
struct Filled {
    state: State,
    row: u64,
    next_label: u64,
    label_slots: u64,
}

impl Opening<'_> {
    /// Tries all orders of tied stacks, but only one order of blank stacks.
    fn each_stack_order(&mut self, state: State) {
        let digits = self.digits;
        let is_blank = |slot: u8| digits >> (4 * state.stacks[usize::from(slot)]) & 0xFFF == 0;
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

    /// Fills the slots of the row from `slot` to the last one.
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
            // A new digit that occurs in several of the tied columns is tried once.
            if smallest == NEW && tied[..number].iter().any(|other| other.digit == offer.digit) {
                continue;
            }
            self.put(filled, slot, tied, |other| match smallest {
                NEW => other.digit == offer.digit,
                _ => other.at == offer.at,
            });
        }
    }

    /// Moves the tied columns that `is_put` selects to the slots from `slot` on, keeps them tied to each other, and continues filling.
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
                // An open label gets the smallest value that is possible.
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

    /// Returns the digit and the label that `slot` would get from the column in slot `at`. The result is meaningless if the two slots are
    /// not tied.
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
        // The column where the label first occurred moves to the first slot of its tie. But if this first slot is `slot`, and the column in
        // slot `at` is another column, then that other column takes the first slot, and the label's column moves to the slot after it.
        let first = if start == slot && stands != at { slot + 1 } else { start };
        Offer { at, digit, label: label + first - stands, decides: true }
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
        (0..3).for_each(|slot| state.note_shape(slot));
        self.extended.push(state);
    }
}

/// The digit and the label that a column would put into a slot.
#[derive(Clone, Copy)]
struct Offer {
    /// The current slot of the column.
    at: u64,
    digit: u64,
    label: u64,
    /// Whether other columns, or labels of other digits, depend on this choice.
    decides: bool,
}

/// Stored for a label instead of a slot, if no single column decides the label: its digit occurs several times in the row where the label
/// is first used (so the board is contradictory).
const NOWHERE: u64 = 15;

impl Filled {
    /// Returns whether a label depends on an undecided order of columns.
    fn is_open(&self, label: u64) -> bool {
        let slot = nibble(self.label_slots, label);
        label != 0 && slot != NOWHERE && self.state.start_of_tie(slot) != self.state.end_of_tie(slot)
    }

    /// Swaps two tied columns and the labels that depend on them.
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
            // The labels that first occurred in tied slots increase by one from slot to slot. So a label changes by the distance of the
            // slots.
            match nibble(self.label_slots, label) {
                slot if slot == a => *labels = set_nibble(*labels, digit, label + b - a),
                slot if slot == b => *labels = set_nibble(*labels, digit, label + a - b),
                _ => {}
            }
        }
    }
}

impl Lines {
    /// Returns rows and columns, and whether one of them has a digit twice.
    fn new(values: &[u8; CELLS]) -> ([Lines; 2], bool) {
        let mut lines = [Lines { digits: [0; 16], clues: [0; 16], has_twins: false }; 2];
        let [rows, columns] = &mut lines;
        // The first eight rows, without their last cells, are eight words of eight bytes. They are transposed together. The ninth row and
        // the ninth column are handled separately.
        let mut square = [0; 8];
        for (row, values) in values.as_chunks::<9>().0.iter().enumerate() {
            let &[a, b, c, d, e, f, g, h, last] = values;
            let word = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            rows.digits[row] = packed(word) | u64::from(last) << 32;
            columns.digits[8] |= u64::from(last) << (4 * row);
            if let Some(to) = square.get_mut(row) {
                *to = word;
            }
        }
        let [.., last_row] = values.as_chunks::<9>().0 else { unreachable!("81 cells are nine rows") };
        for ((to, column), last) in columns.digits.iter_mut().zip(transposed(square)).zip(last_row) {
            *to = packed(column) | u64::from(*last) << 32;
        }
        let mut repeats = 0;
        for lines in &mut lines {
            for (clues, &digits) in lines.clues.iter_mut().zip(&lines.digits[..9]) {
                *clues = clue_columns(digits);
                // Counts how often the line has each digit, in one nibble per digit.
                repeats |= (0..9).fold(0, |counts, column| counts + ONES[nibble(digits, column) as usize]);
            }
        }
        // A count of 2 or more sets one of the upper three bits of its nibble. The lowest nibble counts the blanks, so it is ignored.
        let repeats = repeats & 0xEE_EEEE_EEE0 != 0;
        for lines in &mut lines {
            let [a, b, c, d, e, f, g, h, i] =
                [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|line| u8::from(lines.clues[line] == 0));
            // Without repeated digits, only blank lines can be equal.
            lines.has_twins = repeats || (a + b + c).max(d + e + f).max(g + h + i) > 1;
        }
        (lines, repeats)
    }

    /// Returns the lines of the same band that are equal to this line, including itself, a bit for each.
    fn twins(&self, line: u32) -> u16 {
        let band = line / 3 * 3;
        let is_equal = |other: &u32| self.digits[*other as usize & 15] == self.digits[line as usize & 15];
        (band..band + 3).filter(is_equal).map(|other| 1 << other).sum()
    }

    /// Returns the lines of the band that contains `line`, and the lines of each band whose three lines are equal to these lines, in any
    /// order.
    fn band_twins(&self, line: u32) -> u16 {
        let sorted = |band: u32| sort_tied([0, 1, 2].map(|at| self.digits[(band * 3 + at) as usize & 15]), 3);
        let own = sorted(line / 3);
        (0..3).filter(|&band| sorted(band) == own).map(|band| 7 << (3 * band)).sum()
    }
}

/// The lowest bit of each digit's nibble.
const ONES: [u64; 16] = {
    let mut ones = [0; 16];
    let mut digit = 0;
    while digit < 16 {
        ones[digit] = 1 << (4 * digit);
        digit += 1;
    }
    ones
};

/// Packs eight bytes into nibbles.
fn packed(mut bytes: u64) -> u64 {
    bytes = (bytes | bytes >> 4) & 0x00FF_00FF_00FF_00FF;
    bytes = (bytes | bytes >> 8) & 0x0000_FFFF_0000_FFFF;
    (bytes | bytes >> 16) & 0xFFFF_FFFF
}

/// Transposes eight rows of eight bytes.
fn transposed([mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h]: [u64; 8]) -> [u64; 8] {
    let swap = |above: &mut u64, below: &mut u64, shift: u32, mask: u64| {
        let swapped = (*above >> shift ^ *below) & mask;
        *above ^= swapped << shift;
        *below ^= swapped;
    };
    for (above, below) in [(&mut a, &mut b), (&mut c, &mut d), (&mut e, &mut f), (&mut g, &mut h)] {
        swap(above, below, 8, 0x00FF_00FF_00FF_00FF);
    }
    for (above, below) in [(&mut a, &mut c), (&mut b, &mut d), (&mut e, &mut g), (&mut f, &mut h)] {
        swap(above, below, 16, 0x0000_FFFF_0000_FFFF);
    }
    for (above, below) in [(&mut a, &mut e), (&mut b, &mut f), (&mut c, &mut g), (&mut d, &mut h)] {
        swap(above, below, 32, 0xFFFF_FFFF);
    }
    [a, b, c, d, e, f, g, h]
}

/// Returns the columns in which a line has clues, a bit for each column.
fn clue_columns(digits: u64) -> u16 {
    let clues = (digits | digits >> 1 | digits >> 2 | digits >> 3) & NIBBLES;
    // First moves the bits of three columns side by side, then the three groups of three.
    let threes = (clues | clues >> 3 | clues >> 6) & 0x700_7007;
    (threes | threes >> 9 | threes >> 18) as u16 & 0x1FF
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
            stacks: [0, 3, 6],
            shapes: [3 << 3; 3],
            transposes,
            is_open,
        }
    }

    /// Returns the first slot of the tie that contains this slot.
    fn start_of_tie(&self, slot: u64) -> u64 {
        let ties = self.ties >> (slot / 3 * 2) & 3;
        slot - match slot % 3 {
            0 => 0,
            1 => u64::from(ties & 1),
            _ if ties == 3 => 2,
            _ => u64::from(ties >> 1),
        }
    }

    /// Returns the last slot of the tie that contains this slot.
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

    /// Returns the lines that may be the next row, a bit for each. If several lines are equal, only the first is included.
    #[inline(always)]
    fn next_lines(&self, level: u32, lines: &Lines) -> u16 {
        let unused = !self.used & 0x1FF;
        // At the start of a band, all lines of the earlier bands are used, so any unused line may be next.
        let next = if level.is_multiple_of(3) { unused } else { unused & 7 << (3 * self.last_band(level)) };
        if lines.has_twins { self.first_twins(level, lines, next) } else { next }
    }

    /// Returns the band that the row before `level` was taken from.
    fn last_band(&self, level: u32) -> u64 {
        nibble(self.rows, u64::from(level) - 1) / 3
    }

    #[cold]
    fn first_twins(&self, level: u32, lines: &Lines, next: u16) -> u16 {
        let is_first = |line: u32, twins: u16| (twins & next).trailing_zeros() == line;
        let is_kept = |line: u32| {
            let in_first_band = !level.is_multiple_of(3) || {
                let bands = lines.band_twins(line) & next;
                bands.trailing_zeros() / 3 == line / 3
            };
            next >> line & 1 != 0 && is_first(line, lines.twins(line)) && in_first_band
        };
        (0..9).filter(|&line| is_kept(line)).map(|line| 1 << line).sum()
    }

    /// Takes a line as the next row.
    #[inline(always)]
    fn take(&mut self, level: u32, line: u32, lines: &Lines) {
        if lines.has_twins {
            let unused = !self.used & 0x1FF;
            self.multiplicity *= (lines.twins(line) & unused).count_ones();
            if level.is_multiple_of(3) {
                self.multiplicity *= (lines.band_twins(line) & unused).count_ones() / 3;
            }
        }
        self.used |= 1 << line;
        self.rows |= u64::from(line) << (4 * level);
    }

    /// Returns whether only the order of the lines is open. Eight labels are enough, because the ninth label can only belong to the one
    /// digit that is left.
    fn is_decided(&self, form: &Form) -> bool {
        self.ties == 0 && form.next_label > 8 && !form.repeats
    }

    /// Appends all remaining lines in the order of their readings. No two lines of a band may be equal, and no two bands.
    fn sort_lines(&mut self, level: u32, lines: &Lines) {
        let (columns, labels) = (self.columns, self.labels);
        // `u64::MAX` stands for a line that is already used; no other line has all bits set.
        let mut rows = [u64::MAX; 9];
        each_bit(!self.used & 0x1FF, |line| {
            let digits = lines.digits[line as usize & 15];
            let row = (0..9)
                .fold(0, |row, slot| row << 4 | nibble(labels, nibble(digits, nibble(columns, slot))).min(9));
            rows[line as usize % 9] = row << 4 | u64::from(line);
        });
        let [a, b, c] = [0, 3, 6].map(|band| sort_tied([rows[band], rows[band + 1], rows[band + 2]], 3));
        let mut bands = [a, b, c];
        bands.sort_unstable_by(|one, other| one.map(|row| row >> 4).cmp(&other.map(|row| row >> 4)));
        let mut at = u64::from(level) + 1;
        // A band with used lines comes first, even if another band is smaller.
        let is_begun = |band: &&[u64; 3]| band[2] == u64::MAX;
        for row in bands.iter().filter(is_begun).chain(bands.iter().filter(|band| !is_begun(band))).flatten()
        {
            if *row != u64::MAX {
                self.rows |= (row & 15) << (4 * at);
                at += 1;
            }
        }
    }

    /// Returns the number of blank cells at the start of the row.
    #[inline(always)]
    fn leading_blanks(&self, clues: u16) -> u32 {
        let of_slot = |slot: usize| {
            let clues = clues >> self.stacks[slot] & 7;
            u64::from(DECIDED.clues[usize::from(self.shapes[slot] | clues as u8)])
        };
        let mut slots = [of_slot(0), of_slot(1), of_slot(2)];
        if self.stack_ties != 0 {
            slots = sort_tied(slots, self.stack_ties);
        }
        let [a, b, c] = slots;
        (a << 6 | b << 3 | c).leading_zeros() - 55
    }

    #[inline(always)]
    fn read(&self, lines: &Lines, line: u32) -> Reading {
        let (digits, clues) = (lines.digits[line as usize & 15], lines.clues[line as usize & 15]);
        let row_of = |columns: u64| {
            let label = |slot: u64| nibble(self.labels, nibble(digits, nibble(columns, slot)));
            (0..9).fold(0, |row, slot| row << 4 | label(slot))
        };
        if self.ties == 0 {
            return Reading { row: row_of(self.columns), columns: self.columns, ..Reading::default() };
        }
        if self.stack_ties == 0 {
            let [a, b, c] = [0, 1, 2].map(|slot| self.decided(clues, slot));
            if (a | b | c) & u64::from(UNDECIDED) == 0 {
                let columns = a & 0xFFF | (b & 0xFFF) << 12 | (c & 0xFFF) << 24;
                let [x, y, z] = self.stacks.map(u64::from);
                let columns = columns + x * 0x111 + y * 0x11_1000 + z * 0x1_1100_0000;
                let ties = (a >> 12 | (b >> 12) << 2 | (c >> 12) << 4) as u8;
                return Reading { row: row_of(columns), columns, ties, ..Reading::default() };
            }
        }
        // Labels are in the high bits, so that stacks are sorted by them.
        let mut minirows = [0, 1, 2].map(|slot| self.minirow(digits, clues, slot));
        let (mut stack_ties, mut alike) = (0, 0);
        if self.stack_ties != 0 {
            minirows = sort_tied(minirows, self.stack_ties);
            let [a, b, c] = minirows.map(|minirow| minirow >> 16);
            let same = self.stack_ties & (u8::from(a == b) | u8::from(b == c) << 1);
            let blank = u8::from(b == 0) | u8::from(c == 0) << 1;
            (stack_ties, alike) = (same & blank, same & !blank);
        }
        let [a, b, c] = minirows;
        let row = (a >> 16) << 24 | (b >> 16) << 12 | c >> 16;
        Reading {
            row,
            columns: a >> 4 & 0xFFF | (b >> 4 & 0xFFF) << 12 | (c >> 4 & 0xFFF) << 24,
            ties: (a >> 2 & 3 | (b >> 2 & 3) << 2 | (c >> 2 & 3) << 4) as u8,
            stack_ties,
            alike,
            new_ties: (a & 3 | (b & 3) << 2 | (c & 3) << 4) as u8,
        }
    }

    /// Returns the order of the columns in a stack slot, as far as the clues of a line decide it: see [`Decided::columns`].
    #[inline(always)]
    fn decided(&self, clues: u16, slot: usize) -> u64 {
        let clues = (clues >> self.stacks[slot] & 7) as u8;
        u64::from(DECIDED.columns[usize::from(self.shapes[slot] | clues)])
    }

    /// Reads a line in a stack slot, with tied columns sorted by labels. The result has these parts, from the highest bits to the lowest:
    /// three labels (the first in the highest nibble), three columns (the first in the lowest nibble), two bits of ties, and two bits of
    /// ties between new digits.
    #[inline(always)]
    fn minirow(&self, digits: u64, clues: u16, slot: u64) -> u64 {
        let decided = self.decided(clues, slot as usize);
        if decided & u64::from(UNDECIDED) == 0 {
            let columns = (decided & 0xFFF) + u64::from(self.stacks[slot as usize]) * 0x111;
            let label = |at: u64| nibble(self.labels, nibble(digits, nibble(columns, at)));
            let labels = label(0) << 8 | label(1) << 4 | label(2);
            return labels << 16 | columns << 4 | (decided >> 12) << 2;
        }
        let columns = self.columns >> (12 * slot) & 0xFFF;
        let ties = self.ties >> (2 * slot) & 3;
        let labelled = |at: u64| {
            let column = nibble(columns, at);
            nibble(self.labels, nibble(digits, column)) << 4 | column
        };
        let slots = sort_tied([labelled(0), labelled(1), labelled(2)], ties);
        let [a, b, c] = slots.map(|slot| slot >> 4);
        let ties = u64::from(ties) & (u64::from(a == b) | u64::from(b == c) << 1);
        // A minirow has only three cells, so it cannot have both a tie of two new digits and a tie of two blanks.
        let new = ties & (u64::from(b == NEW) | u64::from(c == NEW) << 1);
        let labels = a << 8 | b << 4 | c;
        let columns = slots[0] & 15 | (slots[1] & 15) << 4 | (slots[2] & 15) << 8;
        labels << 16 | columns << 4 | ties << 2 | new
    }

    fn note_shape(&mut self, slot: u64) {
        let (order, stack) = ORDERS_OF[(self.columns >> (12 * slot) & 0xFF) as usize];
        self.shapes[slot as usize] = order << 5 | (self.ties >> (2 * slot) & 3) << 3;
        self.stacks[slot as usize] = stack;
    }
}

/// Extends states by a line. The states have no open labels.
struct Extension<'a> {
    line: u64,
    /// The first label that is new in the row.
    first_new: u64,
    /// The data that all states share, with the labels of this row already added.
    form: &'a Form,
}

impl Extension<'_> {
    /// Adds all extensions of a state by one new row, the row of `reading`.
    #[inline(always)]
    fn extend(&self, mut state: State, reading: &Reading, extended: &mut Vec<State>) {
        if reading.alike != 0 {
            return self.extend_alike(state, reading, extended);
        }
        if state.ties != 0 {
            (state.columns, state.ties, state.stack_ties) =
                (reading.columns, reading.ties, reading.stack_ties);
            (0..3).for_each(|slot| state.note_shape(slot));
        }
        self.each_order(state, reading.new_ties, extended);
    }

    /// Adds the extensions for all orders of the stacks that have equal labels.
    fn extend_alike(&self, state: State, reading: &Reading, extended: &mut Vec<State>) {
        let orders: &[[u8; 3]] = match reading.alike {
            1 => &[ORDERS[0], ORDERS[2]],
            2 => &ORDERS[..2],
            _ => &ORDERS,
        };
        for order in orders {
            let mut to = State { columns: 0, ties: 0, stack_ties: reading.stack_ties, ..state };
            let mut new_ties = 0;
            for (slot, &from) in (0..).zip(order) {
                to.columns |= (reading.columns >> (12 * from) & 0xFFF) << (12 * slot);
                to.ties |= (reading.ties >> (2 * from) & 3) << (2 * slot);
                new_ties |= (reading.new_ties >> (2 * from) & 3) << (2 * slot);
                to.note_shape(slot);
            }
            self.each_order(to, new_ties, extended);
        }
    }

    /// For each possible order of the tied columns with new digits, adds a copy of the state in which these columns have this order and are
    /// no longer tied. If there are more than [`MOST_AT_ONCE`] orders, adds only the state itself; the labels of the new digits then stay
    /// open.
    #[inline(always)]
    fn each_order(&self, mut state: State, new_ties: u8, extended: &mut Vec<State>) {
        if new_ties == 0 {
            self.label(&mut state);
            return extended.push(state);
        }
        let orders = [0, 2, 4].map(|shift| orders_of(new_ties >> shift));
        let product = orders.iter().product();
        if product > MOST_AT_ONCE {
            state.is_open = true;
            self.label(&mut state);
            return extended.push(state);
        }
        for number in 0..product {
            let (mut to, mut number) = (state, number);
            for (slot, of) in (0..).zip(orders).filter(|&(_, of)| of > 1) {
                to.reorder(slot, number % of, of);
                number /= of;
            }
            self.label(&mut to);
            extended.push(to);
        }
    }

    /// Assigns labels to the new digits.
    #[inline(always)]
    fn label(&self, state: &mut State) {
        for label in self.first_new..self.form.next_label {
            let slot = nibble(self.form.label_slots, label);
            let digit = nibble(self.line, nibble(state.columns, slot));
            state.labels = set_nibble(state.labels, digit, label);
        }
    }
}

impl State {
    /// In a stack slot, puts the tied columns with new digits into one of their `of` possible orders, and unties these columns. `number` is
    /// the number of the order, from 0.
    fn reorder(&mut self, slot: u64, number: u8, of: u8) {
        let order = match (of, self.ties >> (2 * slot) & 3, number) {
            (6, _, number) => ORDERS[usize::from(number)],
            (_, _, 0) => ORDERS[0],
            (_, 1, _) => ORDERS[2],
            _ => ORDERS[1],
        };
        let columns = self.columns >> (12 * slot);
        let [a, b, c] = order.map(|at| nibble(columns, u64::from(at)));
        self.columns = self.columns & !(0xFFF << (12 * slot)) | (a | b << 4 | c << 8) << (12 * slot);
        self.ties &= !(3 << (2 * slot));
        self.note_shape(slot);
    }
}

/// Assigns labels to the new digits of a row.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Puzzle;
    use crate::random::Random;

    /// A filled grid with 648 automorphisms.
    const GRID: &str = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

    /// Returns the largest number of lines that the search reads for one form of the puzzle, among 50 random forms.
    fn most_lines_read(values: [u8; CELLS]) -> usize {
        let puzzle = Puzzle::try_from(values).unwrap();
        let (mut random, mut search) = (Random::new(1), Search::default());
        let of_form = |_| {
            let form = Transformation::random(&mut random).apply(&puzzle);
            search.lines_read = 0;
            search.smallest(form.values());
            search.lines_read
        };
        (0..50).map(of_form).max().unwrap_or(0)
    }

    /// Returns the grid with only the cells whose row and column satisfy `is_kept`.
    fn kept(is_kept: impl Fn(usize, usize) -> bool) -> [u8; CELLS] {
        let grid = GRID.as_bytes();
        std::array::from_fn(|cell| if is_kept(cell / 9, cell % 9) { grid[cell] - b'0' } else { 0 })
    }

    #[test]
    fn a_label_that_moves_to_an_earlier_slot_stays_above_zero() {
        // In an earlier version, an intermediate value became negative, which is an error in builds with overflow checks.
        for text in [
            "15326.7.886731.2.5294875613526791384431528976789436521978643152342157869615982437",
            ".9.4...2..........76..5.....1........11.....1...............7......3.............",
        ] {
            let puzzle: Puzzle = text.parse().unwrap();
            let (transformation, _) = Search::default().smallest(puzzle.values());
            assert!(transformation.apply(&puzzle) < puzzle, "{puzzle}");
        }
    }

    #[test]
    fn equal_parts_are_not_tried_in_all_orders() {
        // For these boards, up to 3,359,232 cell orders lead to the same smallest form.
        for (values, most) in [
            (kept(|_, _| false), 18),
            (kept(|row, column| row + column == 0), 40),
            (kept(|row, column| row + column == 0 || row + column == 16), 60),
            (kept(|row, column| row + column == 0 || (row, column) == (0, 1)), 40),
            (kept(|row, _| row == 0), 30),
            (kept(|row, _| row < 3), 250),
            (kept(|row, column| row == 0 || column == 0), 2_000),
            // Three boxes that can be swapped in many ways.
            (kept(|row, column| row / 3 == column / 3), 8_000),
            (kept(|row, column| row != column), 1_000),
            (kept(|row, column| row + column > 0), 200),
            (kept(|row, column| (row % 3, column % 3) == (0, 0)), 700),
            ([1; CELLS], 150),
            // Contradicting clues, which no valid puzzle has, can cost more.
            (std::array::from_fn(|cell| (cell % 9) as u8 + 1), 30_000),
        ] {
            let read = most_lines_read(values);
            assert!(read <= most, "{read} lines read for {values:?}");
        }
    }
}
