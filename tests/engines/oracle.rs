//! A naive oracle: backtracking over candidates, written for plainness, and a generator of test puzzles.

use sudobench::{Answer, Limits, Puzzle, Solution, Status};

/// All solutions of a puzzle up to `limit`, in lexicographic order.
pub(crate) fn solutions(puzzle: &Puzzle, limit: usize) -> Vec<[u8; 81]> {
    let mut found = Vec::new();
    if puzzle.conflict().is_none() {
        search(&mut puzzle.values().clone(), limit, &mut found);
        found.sort_unstable();
    }
    found
}

/// The digits that the clues around a blank leave to it, as bits.
fn candidates(grid: &[u8; 81], cell: usize) -> u16 {
    let (row, column) = (cell / 9, cell % 9);
    let mut used = 0;
    for i in 0..9 {
        used |= 1 << grid[row * 9 + i] | 1 << grid[i * 9 + column];
        used |= 1 << grid[(row / 3 * 3 + i / 3) * 9 + column / 3 * 3 + i % 3];
    }
    !used & 0b11_1111_1110
}

/// Fills the blank with the fewest candidates.
fn search(grid: &mut [u8; 81], limit: usize, found: &mut Vec<[u8; 81]>) {
    let blanks = (0..81).filter(|&cell| grid[cell] == 0);
    let Some(cell) = blanks.min_by_key(|&cell| candidates(grid, cell).count_ones()) else {
        found.push(*grid);
        return;
    };
    let open = candidates(grid, cell);
    for digit in (1..=9).filter(|digit| open >> digit & 1 == 1) {
        grid[cell] = digit;
        search(grid, limit, found);
        if found.len() >= limit {
            break;
        }
    }
    grid[cell] = 0;
}

/// The smallest solution: blanks in order, digits ascending.
pub(crate) fn smallest(puzzle: &Puzzle) -> Option<[u8; 81]> {
    fn fill(grid: &mut [u8; 81], from: usize) -> bool {
        let Some(cell) = (from..81).find(|&cell| grid[cell] == 0) else { return true };
        if (cell..81).any(|cell| grid[cell] == 0 && candidates(grid, cell) == 0) {
            return false;
        }
        let open = candidates(grid, cell);
        for digit in (1..=9).filter(|digit| open >> digit & 1 == 1) {
            grid[cell] = digit;
            if fill(grid, cell + 1) {
                return true;
            }
        }
        grid[cell] = 0;
        false
    }
    let mut grid = *puzzle.values();
    (puzzle.conflict().is_none() && fill(&mut grid, 0)).then_some(grid)
}

/// What a solver has to answer: status, count and, where it is determined, the solution.
pub(crate) fn expected(puzzle: &Puzzle, limits: &Limits) -> (Status, u64, Option<Solution>) {
    let limit = limits.max_solutions.get();
    let found = solutions(puzzle, usize::try_from(limit).unwrap_or(usize::MAX));
    let status = match (found.len(), limit) {
        (0, _) => Status::Unsolvable,
        (1, 1) => Status::Solved,
        (1, _) => Status::Unique,
        _ => Status::Multiple,
    };
    let smallest = match found.len() {
        0 => None,
        _ if limits.answer == Answer::First => None,
        count if (count as u64) < limit => Some(found[0]),
        _ => smallest(puzzle),
    };
    (status, found.len() as u64, smallest.and_then(Solution::from_values))
}

/// A small generator of pseudo-random numbers (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }

    /// A random order of `0..9` that keeps threes together: a relabelling of rows or columns.
    fn lines(&mut self) -> [usize; 9] {
        let mut bands = [0, 1, 2];
        self.shuffle(&mut bands);
        let mut lines = [0; 9];
        for (at, band) in bands.into_iter().enumerate() {
            let mut within = [0, 1, 2];
            self.shuffle(&mut within);
            for (step, line) in within.into_iter().enumerate() {
                lines[at * 3 + step] = band * 3 + line;
            }
        }
        lines
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }

    /// A filled grid: the cyclic one with digits, rows and columns relabelled, two rows exchanged where that
    /// keeps it valid.
    pub(crate) fn grid(&mut self) -> [u8; 81] {
        let (rows, columns) = (self.lines(), self.lines());
        let mut digits: [u8; 9] = std::array::from_fn(|digit| digit as u8 + 1);
        self.shuffle(&mut digits);
        std::array::from_fn(|cell| {
            let (row, column) = (rows[cell / 9], columns[cell % 9]);
            digits[(row * 3 + row / 3 + column) % 9]
        })
    }

    /// The puzzle that keeps `clues` random cells of a random grid.
    pub(crate) fn puzzle(&mut self, clues: usize) -> Puzzle {
        let grid = self.grid();
        let mut cells: Vec<usize> = (0..81).collect();
        self.shuffle(&mut cells);
        let mut values = [0; 81];
        for &cell in &cells[..clues] {
            values[cell] = grid[cell];
        }
        Puzzle::from_values(values).expect("values are digits")
    }
}
