//! Reads puzzles into the lanes, and writes solutions from the lanes. Bit-sliced logic converts many grids together, at most one for each
//! lane.
//!
//! ```text
//!   81 values  --pack-->  a word for 16 cells  --transpose-->  four planes  --logic-->  flags of the state
//!                         four bits a cell                     a cell
//! ```
//!
//! Solutions take the same steps in reverse. For many grids, converting them together costs less than converting them one at a time; for a
//! few, it costs more. So the method depends on the number of grids that enter or leave the lanes in a round. Here, "row" means the
//! [`LaneRow`] of a lane:
//! ```text
//!   many    (easy puzzles)      values -> state and state -> values in all lanes, without rows
//!   some    (hard puzzles)      makes the rows of the next puzzles together, one puzzle for each lane;
//!                               collects the rows of solutions, at most as many as there are lanes
//!   a few   (end of a batch)    one grid at a time
//! ```

use super::lane_rows::{BLOCKS, LanePlace, LaneRow, LaneRows, bit_of_lane};
use super::state::{LaneMask, State, majority, place_of};
use super::transpose::{BlocksOfState, RowsOnDemand, StateOfBlocks, Turn, from_blocks, to_blocks, turn};
use crate::puzzle::{CELLS, Puzzle, Solution};
use crate::simd::{Kernel, Simd, Word, prefetch};
use crate::solver::Outcome;

const VALUE_BITS: usize = 4;
/// Number of cells in a packed word.
const CELLS_A_WORD: usize = 64 / VALUE_BITS;
/// Number of words that hold the values of a grid.
const VALUE_WORDS: usize = CELLS.div_ceil(CELLS_A_WORD);

/// Number of places by which the prefetched puzzle (or outcome) is ahead of the current puzzle (or outcome).
const AHEAD: usize = 16;

/// The value of each cell: one word for each bit of the value, the lowest bit first.
type Values<W> = [[W; VALUE_BITS]; CELLS];

/// A solution that is not yet written to its outcome.
#[derive(Clone, Copy)]
struct Waiting {
    puzzle: usize,
    /// The lane of the state that holds the solution. If the solution is stored as a row: the position of the row in `Grids::solutions`.
    lane: usize,
    /// Whether the solution replaces the previous solution of the puzzle even if the previous one is smaller.
    replaces: bool,
}

/// A puzzle that enters a lane.
#[derive(Clone, Copy)]
struct Entering {
    puzzle: usize,
    lane: usize,
}

/// The puzzles of a batch that enter the lanes, and the solutions that leave them.
pub(super) struct Grids<S: Simd<N>, const N: usize> {
    simd: S,
    values: Box<Values<S::Word>>,
    state: Box<State<S::Word>>,
    /// The rows of the puzzles `first..end`.
    puzzles: Box<LaneRows<N>>,
    first: usize,
    end: usize,
    /// Index of the first puzzle that had not entered a lane at the start of the current round. The next round computes from this index how
    /// many puzzles entered in this round, and expects the same number again.
    next_before: usize,
    /// Whether the puzzles of this round enter the state directly. `entering` are the puzzles that do so, and `entered` are their lanes.
    many_enter: bool,
    entering: Vec<Entering>,
    entered: LaneMask<N>,
    /// Whether this round's solutions stay in the state until the round ends. Otherwise, each is copied to a row of `solutions` when found.
    many_leave: bool,
    /// Solutions that are not yet written to their outcomes, one row each. Solutions that are still in the state are not in this field.
    solutions: Box<LaneRows<N>>,
    waiting: Vec<Waiting>,
}

impl<S: Simd<N>, const N: usize> Grids<S, N> {
    const LANES: usize = 64 * N;

    /// Smallest number of grids in a round for which converting directly between values and the state costs less than
    /// converting by way of rows.
    const MANY: usize = Self::LANES * 7 / 16;

    /// Number of grids below which it costs less to handle them one by one.
    const FEW: usize = Self::LANES / 16;

    pub(super) fn new(simd: S) -> Grids<S, N> {
        Grids {
            simd,
            values: Box::new([[simd.zero(); VALUE_BITS]; CELLS]),
            state: State::new(simd.zero()),
            puzzles: LaneRows::new(),
            first: 0,
            end: 0,
            next_before: 0,
            many_enter: false,
            entering: Vec::with_capacity(Self::LANES),
            entered: [0; N],
            many_leave: false,
            solutions: LaneRows::new(),
            waiting: Vec::with_capacity(Self::LANES),
        }
    }

    /// Clears the data of the previous batch.
    pub(super) fn clear(&mut self) {
        (self.first, self.end) = (0, 0);
        self.waiting.clear();
        self.entering.clear();
        self.entered = [0; N];
    }

    /// Decides how this round converts grids. `solved` is the number of solved lanes, and `next..last` are the puzzles that have not
    /// entered a lane yet.
    pub(super) fn start_round(
        &mut self,
        solved: usize,
        (next, last): (usize, usize),
        outcomes: &mut [Outcome],
    ) {
        self.many_leave = solved >= Self::MANY;
        if self.many_leave {
            self.deliver_rows(outcomes);
        }
        // Expects as many entering puzzles as in the previous round.
        let expected = if next == 0 { Self::LANES } else { next - self.next_before };
        self.next_before = next;
        let are_rows = self.end.saturating_sub(next) >= expected;
        self.many_enter = !are_rows && expected.min(last - next) >= Self::MANY;
        if self.many_enter {
            // The rows of puzzles that have not entered a lane are discarded, because `write_entered` uses their memory as a buffer.
            (self.first, self.end) = (0, 0);
        }
    }

    /// Ends the round. If this round's solutions are still in the state, writes them to their outcomes.
    pub(super) fn end_round(&mut self, state: &State<S::Word>, outcomes: &mut [Outcome]) {
        if !std::mem::replace(&mut self.many_leave, false) {
            return;
        }
        let Grids { simd, values, solutions: rows, waiting, .. } = self;
        let simd = *simd;
        simd.call(ValuesOfFlags { zero: simd.zero(), state, values });
        simd.call(SolutionsOfValues { simd, values, rows, waiting, outcomes });
        waiting.clear();
    }

    /// Writes the puzzles of `entering` to the state.
    pub(super) fn write_entered(&mut self, puzzles: &[Puzzle], state: &mut State<S::Word>) {
        if self.entering.is_empty() {
            return;
        }
        let Grids { simd, values, puzzles: rows, entering, entered, .. } = self;
        let simd = *simd;
        simd.call(ValuesOfPuzzles { simd, puzzles, entering, rows, values });
        simd.call(FlagsOfValues { zero: simd.zero(), values, state, lanes: simd.word(*entered) });
        entering.clear();
        *entered = [0; N];
    }

    /// Gives `puzzle`, which is at `position` in `order`, to a lane. The calls must follow this order.
    #[inline(always)]
    pub(super) fn enter(
        &mut self,
        rows: &mut RowsOnDemand<'_, S, N>,
        (puzzles, order): (&[Puzzle], &[u32]),
        (position, puzzle, lane): (usize, usize, usize),
    ) {
        if self.many_enter {
            self.entering.push(Entering { puzzle, lane });
            let (at, bit) = bit_of_lane::<N>(lane);
            self.entered[at] |= bit;
            return;
        }
        let place = LanePlace::from_lane::<N>(lane);
        if position >= self.end {
            if order.len() - position < Self::FEW {
                rows.lanes().set_row(place, &LaneRow::from_puzzle(self.simd, &puzzles[puzzle]));
                return;
            }
            self.load((puzzles, order), position);
        }
        let made = position - self.first;
        let row = (self.puzzles.block(made / (8 * N)), LanePlace::from_lane::<N>(made));
        rows.lanes().take_row(place, row);
    }

    /// Converts the next puzzles, starting with puzzle `first`, to one row each. Converts as many puzzles as there are lanes, or all that
    /// are left if they are fewer.
    #[cold]
    #[inline(never)]
    fn load(&mut self, (puzzles, order): (&[Puzzle], &[u32]), first: usize) {
        (self.first, self.end) = (first, order.len().min(first + Self::LANES));
        let Grids { simd, values, state, puzzles: rows, entering, .. } = self;
        let next = order[first..self.end].iter().zip(0..);
        entering.extend(next.map(|(&puzzle, lane)| Entering { puzzle: puzzle as usize, lane }));
        let simd = *simd;
        simd.call(ValuesOfPuzzles { simd, puzzles, entering, rows, values });
        simd.call(FlagsOfValues { zero: simd.zero(), values, state, lanes: simd.ones() });
        simd.call(BlocksOfState { simd, state, rows });
        simd.call(Turn { simd, blocks: rows.blocks_mut() });
        entering.clear();
    }

    /// Stores the solution that a lane holds, to be written to the outcome of its puzzle later. In the lane, each digit must have exactly
    /// one cell in each box. `replaces` means that the solution replaces an earlier solution even if the earlier one is smaller.
    #[inline(always)]
    pub(super) fn keep(
        &mut self,
        rows: &mut RowsOnDemand<'_, S, N>,
        outcomes: &mut [Outcome],
        (lane, puzzle, replaces): (usize, usize, bool),
    ) {
        if self.many_leave {
            self.waiting.push(Waiting { puzzle, lane, replaces });
            return;
        }
        let kept = self.waiting.len();
        let row = (&*rows.lanes(), LanePlace::from_lane::<N>(lane));
        self.solutions.block_mut(kept / (8 * N)).take_row(LanePlace::from_lane::<N>(kept), row);
        self.waiting.push(Waiting { puzzle, lane: kept, replaces });
        if kept + 1 == Self::LANES {
            self.deliver_rows(outcomes);
        }
    }

    /// Drops the unwritten solutions of a puzzle.
    #[cold]
    pub(super) fn drop_waiting(&mut self, puzzle: usize) {
        for waiting in self.waiting.iter_mut().filter(|waiting| waiting.puzzle == puzzle) {
            waiting.puzzle = usize::MAX;
        }
    }

    /// Writes the stored rows of solutions to their outcomes.
    #[inline(never)]
    pub(super) fn deliver_rows(&mut self, outcomes: &mut [Outcome]) {
        let Grids { simd, values, state, solutions: rows, waiting, .. } = self;
        let simd = *simd;
        if waiting.len() < Self::FEW {
            for &Waiting { puzzle, lane, replaces } in &*waiting {
                let row = rows.block(lane / (8 * N)).row(LanePlace::from_lane::<N>(lane));
                if let Some(outcome) = outcomes.get_mut(puzzle) {
                    note_solution(outcome, replaces, |solution| row.write_solution(solution));
                }
            }
        } else {
            simd.call(Turn { simd, blocks: rows.blocks_mut() });
            simd.call(StateOfBlocks { simd, rows, state });
            simd.call(ValuesOfFlags { zero: simd.zero(), state, values });
            simd.call(SolutionsOfValues { simd, values, rows, waiting, outcomes });
        }
        waiting.clear();
    }
}

/// Reads the values of puzzles, with `rows` as a buffer.
struct ValuesOfPuzzles<'s, S, W, const N: usize> {
    simd: S,
    puzzles: &'s [Puzzle],
    entering: &'s [Entering],
    rows: &'s mut LaneRows<N>,
    values: &'s mut Values<W>,
}

impl<S: Simd<N>, const N: usize> Kernel for ValuesOfPuzzles<'_, S, S::Word, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let ValuesOfPuzzles { simd, puzzles, entering, rows, values } = self;
        for &Entering { puzzle, lane } in entering {
            if let Some(ahead) = puzzles.get(puzzle + AHEAD) {
                prefetch(ahead);
            }
            let Some(puzzle) = puzzles.get(puzzle) else { continue };
            let place = LanePlace::from_lane::<N>(lane);
            let block = rows.block_mut(lane / (8 * N));
            for (word, bits) in packed(puzzle.values()).into_iter().enumerate() {
                *block.word_mut(word, place) = bits;
            }
        }
        for block in 0..BLOCKS {
            turn(simd, rows.block_mut(block));
        }
        for word in 0..VALUE_WORDS {
            from_blocks(simd, rows, word, |bit, plane| {
                let (cell, bit) = place_of_bit(word, bit);
                if let Some(value) = values.get_mut(cell) {
                    value[bit] = plane;
                }
            });
        }
    }
}

/// Returns the cell to which bit `bit` of packed word `word` belongs, and which bit of the cell's value it is. For unused bits, the
/// returned cell is 81 or more. A packed word holds 16 cells: byte `i` holds the value of cell `i` in its low half, and of cell `i + 8` in
/// its high half. So to pack the word, one shift moves eight values, which are then joined with the other eight.
#[inline(always)]
const fn place_of_bit(word: usize, bit: usize) -> (usize, usize) {
    (CELLS_A_WORD * word + bit % 8 / VALUE_BITS * 8 + bit / 8, bit % VALUE_BITS)
}

/// Packs the values of a grid, sixteen per word.
#[inline(always)]
fn packed(values: &[u8; CELLS]) -> [u64; VALUE_WORDS] {
    let mut words = [0; VALUE_WORDS];
    let (eights, last) = values.as_chunks::<8>();
    for (word, pair) in words.iter_mut().zip(eights.as_chunks::<2>().0) {
        *word = u64::from_le_bytes(pair[0]) | u64::from_le_bytes(pair[1]) << VALUE_BITS;
    }
    words[VALUE_WORDS - 1] = u64::from(last[0]);
    words
}

/// Undoes [`packed`]: writes the values in the words to `values`.
#[inline(always)]
fn unpack(words: &[u64; VALUE_WORDS], values: &mut [u8; CELLS]) {
    const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let (eights, last) = values.as_chunks_mut::<8>();
    for (word, pair) in words.iter().zip(eights.as_chunks_mut::<2>().0) {
        *pair = [(word & LOW).to_le_bytes(), (word >> VALUE_BITS & LOW).to_le_bytes()];
    }
    last[0] = (words[VALUE_WORDS - 1] & LOW) as u8;
}

/// For each box, the cell at each place in the box.
const CELLS_OF_BOXES: [[u8; 9]; 9] = {
    let mut cells = [[0; 9]; 9];
    let mut cell = 0;
    while cell < CELLS {
        let (in_box, place) = place_of(cell);
        cells[in_box][place] = cell as u8;
        cell += 1;
    }
    cells
};

/// In each of `lanes`, computes the flags that the clues leave for each digit in each box. A digit that occurs twice in a box keeps no flag
/// there: a contradiction.
struct FlagsOfValues<'s, W> {
    zero: W,
    values: &'s Values<W>,
    state: &'s mut State<W>,
    lanes: W,
}

impl<W: Word> Kernel for FlagsOfValues<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let FlagsOfValues { zero, values, state, lanes } = self;
        for (in_box, cells) in CELLS_OF_BOXES.iter().enumerate() {
            let (band, stack) = (in_box / 3, in_box % 3);
            for digit in 0..9 {
                let mut here = [zero; 9];
                for place in 0..9 {
                    let value = &values[usize::from(cells[place])];
                    let mut is = lanes;
                    for bit in 0..VALUE_BITS {
                        is = if (digit + 1) >> bit & 1 == 1 { is & value[bit] } else { is & !value[bit] };
                    }
                    here[place] = is;
                }
                let [x0, x1, x2, x3, x4, x5, x6, x7, x8] = here;
                let rows = [x0 | x1 | x2, x3 | x4 | x5, x6 | x7 | x8];
                let cols = [x0 | x3 | x6, x1 | x4 | x7, x2 | x5 | x8];
                let none = lanes & !(rows[0] | rows[1] | rows[2]);
                let several = majority(rows[0], rows[1], rows[2]) | majority(cols[0], cols[1], cols[2]);
                // The flags of lanes outside `lanes` don't change.
                let stays = !lanes | none;
                let keep = |flag: W, line| ((flag | lanes) & (line | stays)) & !several;
                for line in 0..3 {
                    let flag = &mut state.bands[band][digit][stack][line];
                    *flag = keep(*flag, rows[line]);
                    let flag = &mut state.bands[3 + stack][digit][band][line];
                    *flag = keep(*flag, cols[line]);
                }
            }
        }
    }
}

/// Computes the value of each cell. Each digit must have one cell in each box.
struct ValuesOfFlags<'s, W> {
    zero: W,
    state: &'s State<W>,
    values: &'s mut Values<W>,
}

impl<W: Word> Kernel for ValuesOfFlags<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let ValuesOfFlags { zero, state, values } = self;
        for (in_box, cells) in CELLS_OF_BOXES.iter().enumerate() {
            for place in 0..9 {
                let mut value = [zero; VALUE_BITS];
                for digit in 0..9 {
                    let [rows, cols] = state.lines(in_box, digit);
                    let is = rows[place / 3] & cols[place % 3];
                    for bit in 0..VALUE_BITS {
                        value[bit] = if (digit + 1) >> bit & 1 == 1 { value[bit] | is } else { value[bit] };
                    }
                }
                values[usize::from(cells[place])] = value;
            }
        }
    }
}

/// Writes solutions to their outcomes, with `rows` as a buffer.
struct SolutionsOfValues<'s, S, W, const N: usize> {
    simd: S,
    values: &'s Values<W>,
    rows: &'s mut LaneRows<N>,
    waiting: &'s [Waiting],
    outcomes: &'s mut [Outcome],
}

impl<S: Simd<N>, const N: usize> Kernel for SolutionsOfValues<'_, S, S::Word, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let SolutionsOfValues { simd, values, rows, waiting, outcomes } = self;
        for word in 0..VALUE_WORDS {
            to_blocks(simd, rows, word, |bit| {
                let (cell, bit) = place_of_bit(word, bit);
                values.get(cell).map_or(simd.zero(), |value| value[bit])
            });
        }
        for block in 0..BLOCKS {
            turn(simd, rows.block_mut(block));
        }
        for (number, &Waiting { puzzle, lane, replaces }) in waiting.iter().enumerate() {
            if let Some(ahead) = waiting.get(number + AHEAD).and_then(|ahead| outcomes.get(ahead.puzzle)) {
                prefetch(ahead);
            }
            let Some(outcome) = outcomes.get_mut(puzzle) else { continue };
            let place = LanePlace::from_lane::<N>(lane);
            let block = rows.block_mut(lane / (8 * N));
            let mut words = [0; VALUE_WORDS];
            for (at, word) in words.iter_mut().enumerate() {
                *word = *block.word_mut(at, place);
            }
            note_solution(outcome, replaces, |solution| unpack(&words, solution.values_mut()));
        }
    }
}

/// Writes a solution to an outcome, unless the outcome has a smaller one that must not be replaced.
#[inline(always)]
fn note_solution(outcome: &mut Outcome, replaces: bool, write: impl Fn(&mut Solution)) {
    match &mut outcome.solution {
        Some(known) if !replaces => {
            let mut found = Solution::ONES;
            write(&mut found);
            *known = found.min(*known);
        }
        solution => write(solution.insert(Solution::ONES)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Baseline, Plain};
    use proptest::prelude::*;

    /// Makes boards. If `are_full`, every box has every digit once. Otherwise the boards have blanks, and sometimes equal digits in a box.
    fn boards(are_full: bool, number: usize) -> impl Strategy<Value = Vec<Puzzle>> {
        let once = Just(b"123456789".to_vec()).prop_shuffle();
        let any = prop::collection::vec(b'1'..=b'9', 9);
        let of_box = prop_oneof![4 => once, u32::from(!are_full) => any];
        let boxes = prop::collection::vec((of_box, prop::collection::vec(0..3_u8, 9)), 9);
        let board = move |boxes: &Vec<(Vec<u8>, Vec<u8>)>| {
            let mut text = [b'.'; CELLS];
            for (cell, digit) in text.iter_mut().enumerate() {
                let (in_box, place) = place_of(cell);
                let (digits, drawn) = &boxes[in_box];
                if are_full || drawn[place] == 0 {
                    *digit = digits[place];
                }
            }
            Puzzle::from_text(&text).unwrap()
        };
        prop::collection::vec(boxes, number).prop_map(move |boards| boards.iter().map(board).collect())
    }

    /// Returns whether some box has no place for this digit. `row` is the row of a lane, which holds all flags of its puzzle.
    fn is_contradictory(row: &LaneRow, digit: usize) -> bool {
        let cells = row.cells()[digit];
        CELLS_OF_BOXES.iter().any(|of_box| of_box.iter().all(|&cell| cells >> cell & 1 == 0))
    }

    fn check_rows<S: Simd<N>, const N: usize>(simd: S, puzzles: &[Puzzle]) {
        let mut grids = Grids::new(simd);
        let descending: Vec<u32> = (0..puzzles.len() as u32).rev().collect();
        grids.load((puzzles, &descending), 0);
        for (lane, puzzle) in puzzles.iter().rev().enumerate().take(64 * N) {
            let many = grids.puzzles.block(lane / (8 * N)).row(LanePlace::from_lane::<N>(lane));
            let one = LaneRow::from_puzzle(simd, puzzle);
            for digit in 0..9 {
                let bad = is_contradictory(&one, digit);
                assert_eq!(is_contradictory(&many, digit), bad, "{puzzle}");
                assert!(
                    bad || (0..6).all(|band| many.nine(band, digit) == one.nine(band, digit)),
                    "{puzzle}"
                );
            }
        }
    }

    fn check_solutions<S: Simd<N>, const N: usize>(simd: S, boards: &[Puzzle]) {
        let lanes = 64 * N;
        let mut outcomes = vec![Outcome::ABORTED; boards.len()];
        let check = |outcomes: &mut Vec<Outcome>| {
            for (outcome, board) in outcomes.iter_mut().zip(boards) {
                assert_eq!(outcome.solution.take().unwrap().values(), board.values());
            }
        };
        let (mut grids, mut state, mut rows) = (Grids::new(simd), State::new(simd.ones()), LaneRows::new());
        // The first round writes the puzzles into the lanes of the state. The second round reads them back as solutions.
        grids.start_round(0, (0, boards.len()), &mut outcomes);
        grids.many_enter = true;
        let mut demanded = RowsOnDemand::new(simd, &state, &mut rows);
        for puzzle in 0..boards.len() {
            grids.enter(&mut demanded, (boards, &[]), (puzzle, puzzle, lanes - 1 - puzzle));
        }
        assert!(!demanded.are_made());
        grids.write_entered(boards, &mut state);
        grids.start_round(lanes, (boards.len(), boards.len()), &mut outcomes);
        let mut demanded = RowsOnDemand::new(simd, &state, &mut rows);
        for puzzle in 0..boards.len() {
            grids.keep(&mut demanded, &mut outcomes, (lanes - 1 - puzzle, puzzle, true));
        }
        assert!(!demanded.are_made());
        grids.end_round(&state, &mut outcomes);
        check(&mut outcomes);
        // Each board is stored as a row, and kept as a solution. The kept solutions are delivered all together, then one at a time.
        for number in [boards.len(), 1] {
            let mut demanded = RowsOnDemand::new(simd, &state, &mut rows);
            for (puzzle, board) in boards.iter().enumerate() {
                demanded.start_block(0);
                demanded.lanes().set_row(LanePlace::from_lane::<N>(0), &LaneRow::from_puzzle(simd, board));
                grids.keep(&mut demanded, &mut outcomes, (0, puzzle, true));
                demanded.end_block();
                if puzzle % number == number - 1 {
                    grids.deliver_rows(&mut outcomes);
                }
            }
            grids.deliver_rows(&mut outcomes);
            check(&mut outcomes);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 32 }))]

        #[test]
        fn rows_of_many_puzzles_equal_rows_made_one_by_one(puzzles in boards(false, 100)) {
            check_rows(Plain, &puzzles);
            check_rows(Baseline, &puzzles);
        }

        #[test]
        fn grids_come_back_unchanged_from_the_state_and_from_rows(boards in boards(true, 60)) {
            check_solutions(Plain, &boards);
            check_solutions(Baseline, &boards);
        }
    }
}
