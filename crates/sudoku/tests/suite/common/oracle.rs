//! A solver that is simple enough to be trusted. It shares no code with the library's solvers or its referee.

use sudobench_sudoku::{Answer, Puzzle, Question, Solution, Status};

/// Returns the solutions of a puzzle in ascending order, or any `most` of them if there are more.
pub(crate) fn solutions(puzzle: &Puzzle, most: usize) -> Vec<Solution> {
    let mut grid = *puzzle.values();
    let mut solutions = Vec::new();
    if clues_agree(&grid) {
        fill_tightest(&mut grid, most, &mut solutions);
    }
    solutions.sort();
    solutions
}

/// Returns the smallest solution, if the puzzle has a solution. Each blank in turn gets the smallest digit with which there is still a
/// solution.
pub(crate) fn smallest(puzzle: &Puzzle) -> Option<Solution> {
    let any = |grid: [u8; 81]| solutions(&Puzzle::try_from(grid).unwrap(), 1).first().copied();
    let mut grid = *puzzle.values();
    let mut best = any(grid)?;
    for cell in 0..81 {
        for digit in 1..best.values()[cell] {
            let mut smaller = grid;
            smaller[cell] = digit;
            if grid[cell] == 0
                && let Some(solution) = any(smaller)
            {
                best = solution;
                break;
            }
        }
        grid[cell] = best.values()[cell];
    }
    Some(best)
}

/// The right answers for a puzzle, for comparison with outcomes. [`Truth::new`] stops counting at `most` solutions. If `count` is equal to
/// `most`, use [`Truth::answer`] only for questions that ask for at most `most` solutions.
pub(crate) struct Truth {
    /// Number of solutions, up to `most`.
    pub(crate) count: usize,
    pub(crate) smallest: Option<Solution>,
}

impl Truth {
    pub(crate) fn new(puzzle: &Puzzle, most: usize) -> Truth {
        let solutions = solutions(puzzle, most);
        let all = solutions.len() < most;
        let smallest = if all { solutions.first().copied() } else { smallest(puzzle) };
        Truth { count: solutions.len(), smallest }
    }

    /// Returns the status and the count that a solver must return, and the solution if the question determines it.
    pub(crate) fn answer(&self, question: &Question) -> (Status, u64, Option<Solution>) {
        let limit = question.max_solutions.get();
        let count = limit.min(self.count as u64);
        let status = match (count, limit) {
            (0, _) => Status::Unsolvable,
            (1, 1) => Status::Solved,
            (1, _) => Status::Unique,
            _ => Status::Multiple,
        };
        let decided = question.answer == Answer::Smallest || self.count == 1;
        (status, count, self.smallest.filter(|_| decided))
    }
}

/// Returns the digits that a cell may hold: those that no other cell of its row, column or box has. Bit `d` stands for digit `d`.
fn fitting(grid: &[u8; 81], cell: usize) -> u16 {
    let (row, column) = (cell / 9, cell % 9);
    let mut taken = 0;
    for at in 0..9 {
        let peers = [row * 9 + at, at * 9 + column, (row / 3 * 3 + at / 3) * 9 + column / 3 * 3 + at % 3];
        for peer in peers.into_iter().filter(|&peer| peer != cell) {
            taken |= 1 << grid[peer];
        }
    }
    !taken & 0b11_1111_1110
}

fn clues_agree(grid: &[u8; 81]) -> bool {
    (0..81).all(|cell| grid[cell] == 0 || fitting(grid, cell) >> grid[cell] & 1 == 1)
}

/// Returns the cells of a unit. The numbers 0 to 8 are the rows, 9 to 17 the columns, and 18 to 26 the boxes.
fn unit(number: usize) -> [usize; 9] {
    let of = number % 9;
    std::array::from_fn(|at| match number / 9 {
        0 => of * 9 + at,
        1 => at * 9 + of,
        _ => (of / 3 * 3 + at / 3) * 9 + of % 3 * 3 + at % 3,
    })
}

/// Returns the smallest set of alternatives: the possible digits of a blank, or the possible places of a digit in a row, column or box.
/// Every solution contains one of the alternatives. Returns `None` if no blank is left.
fn fewest_alternatives(grid: &[u8; 81]) -> Option<Vec<(usize, u8)>> {
    let fits: [u16; 81] = std::array::from_fn(|cell| if grid[cell] == 0 { fitting(grid, cell) } else { 0 });
    let blank = (0..81).filter(|&cell| grid[cell] == 0).min_by_key(|&cell| fits[cell].count_ones())?;
    let mut fewest: Vec<(usize, u8)> =
        (1..=9).filter(|digit| fits[blank] >> digit & 1 == 1).map(|digit| (blank, digit)).collect();
    for unit in (0..27).map(unit) {
        let placed = unit.iter().fold(0_u16, |placed, &cell| placed | 1 << grid[cell]);
        for digit in (1..=9_u8).filter(|digit| placed >> digit & 1 == 0) {
            let takes = |cell: &&usize| fits[**cell] >> digit & 1 == 1;
            if unit.iter().filter(takes).count() < fewest.len() {
                fewest = unit.iter().filter(takes).map(|&cell| (cell, digit)).collect();
            }
        }
    }
    Some(fewest)
}

/// Returns the solution if singles alone solve the puzzle: at each step, a blank has one possible digit, or a digit has one place in a row,
/// column or box. Otherwise returns `None`.
pub(crate) fn by_singles(puzzle: &Puzzle) -> Option<Solution> {
    let mut grid = *puzzle.values();
    if !clues_agree(&grid) {
        return None;
    }
    while let Some(alternatives) = fewest_alternatives(&grid) {
        let [(cell, digit)] = alternatives[..] else { return None };
        grid[cell] = digit;
    }
    Solution::try_from(grid).ok()
}

/// Adds solutions of `grid` to `solutions`, until there are `most`. Each step tries the smallest set of alternatives.
fn fill_tightest(grid: &mut [u8; 81], most: usize, solutions: &mut Vec<Solution>) {
    let Some(alternatives) = fewest_alternatives(grid) else {
        solutions.push(Solution::try_from(*grid).unwrap());
        return;
    };
    for (cell, digit) in alternatives {
        if solutions.len() < most {
            grid[cell] = digit;
            fill_tightest(grid, most, solutions);
            grid[cell] = 0;
        }
    }
}
