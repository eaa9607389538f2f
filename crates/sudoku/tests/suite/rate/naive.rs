//! Plain implementations of the measures of difficulty. They share no algorithms with the library.

use std::sync::LazyLock;

use sudobench_sudoku::rate::{Difficulty, Rating};
use sudobench_sudoku::{Puzzle, Solution};

/// The candidates of each cell: bit `d` is digit `d`.
type Candidates = [u16; 81];

/// Rates a puzzle by all measures. `solution` must be its only solution.
pub(crate) fn rate(puzzle: &Puzzle, solution: &Solution) -> Rating {
    let start = candidates_of(puzzle);
    let by = |step: &dyn Fn(&mut Candidates) -> bool| {
        let mut candidates = start;
        assert!(singles(&mut candidates));
        while step(&mut candidates) {
            assert!(singles(&mut candidates));
        }
        is_full(&candidates)
    };
    let by_singles = by(&|_| false);
    let by_locked = by(&locked);
    let by_pairs = by(&|candidates| locked(candidates) | pairs(candidates));
    let depth = (0..3).find(|&depth| {
        let mut candidates = start;
        assert!(trial(&mut candidates, depth));
        is_full(&candidates)
    });
    let depth = depth.unwrap_or(3);
    let difficulty = match depth {
        _ if by_singles => Difficulty::Singles,
        _ if by_locked => Difficulty::Locked,
        _ if by_pairs => Difficulty::Pairs,
        0 | 1 => Difficulty::Depth1,
        2 => Difficulty::Depth2,
        _ => Difficulty::Depth3,
    };
    Rating {
        difficulty: Some(difficulty),
        singles: Some(by_singles),
        locked: Some(by_locked),
        pairs: Some(by_pairs),
        depth: Some(depth),
        backdoor: Some(backdoor(&start, solution)),
    }
}

/// Fills singles until no more are found. If `with_locked` is true, also applies locked candidates until they eliminate nothing. Returns
/// the candidates that are left in each cell. If there is a contradiction, no cell has a candidate.
pub(crate) fn candidates(puzzle: &Puzzle, with_locked: bool) -> Candidates {
    let mut candidates = candidates_of(puzzle);
    let mut is_possible = singles(&mut candidates);
    while is_possible && with_locked && locked(&mut candidates) {
        is_possible = singles(&mut candidates);
    }
    if is_possible { candidates } else { [0; 81] }
}

/// Computes the four numbers of a [`SinglesPath`](sudobench_sudoku::rate::SinglesPath) (rounds, naked singles, hidden singles and fewest
/// choices) by their definitions.
pub(crate) fn singles_path(puzzle: &Puzzle) -> [usize; 4] {
    let mut values = *puzzle.values();
    let (mut naked, mut hidden, mut filled) = (0, 0, Vec::new());
    loop {
        let may_hold = |cell: usize, digit: u8| {
            let sees = |unit: &&[usize; 9]| unit.contains(&cell);
            let has_digit = |unit: &[usize; 9]| unit.iter().any(|&other| values[other] == digit);
            values[cell] == 0 && !UNITS.iter().filter(sees).any(has_digit)
        };
        let pairs = || (0..81).flat_map(|cell| (1..=9).map(move |digit| (cell, digit)));
        let candidates: Vec<(usize, u8)> = pairs().filter(|&(cell, digit)| may_hold(cell, digit)).collect();
        let is_naked =
            |&&(cell, _): &&(usize, u8)| candidates.iter().filter(|(other, _)| *other == cell).count() == 1;
        let is_hidden = |&&(cell, digit): &&(usize, u8)| {
            let places = |unit: &[usize; 9]| {
                candidates.iter().filter(|(other, it)| *it == digit && unit.contains(other)).count()
            };
            UNITS.iter().any(|unit| unit.contains(&cell) && places(unit) == 1)
        };
        let mut found: Vec<_> = candidates.iter().filter(is_naked).copied().collect();
        naked += found.len();
        if found.is_empty() {
            found = candidates.iter().filter(is_hidden).copied().collect();
            hidden += found.len();
        }
        if found.is_empty() {
            break;
        }
        filled.push(found.len());
        found.into_iter().for_each(|(cell, digit)| values[cell] = digit);
    }
    let before_last = filled.len().saturating_sub(1).max(1).min(filled.len());
    let fewest =
        if values.contains(&0) { 0 } else { filled[..before_last].iter().copied().min().unwrap_or(0) };
    [filled.len(), naked, hidden, fewest]
}

fn candidates_of(puzzle: &Puzzle) -> Candidates {
    puzzle.values().map(|value| if value == 0 { 0b11_1111_1110 } else { 1 << value })
}

fn is_full(candidates: &Candidates) -> bool {
    candidates.iter().all(|digits| digits.count_ones() == 1)
}

/// The cells of all rows, columns and boxes.
static UNITS: LazyLock<[[usize; 9]; 27]> = LazyLock::new(|| {
    std::array::from_fn(|unit| {
        let of = unit % 9;
        std::array::from_fn(|at| match unit / 9 {
            0 => of * 9 + at,
            1 => at * 9 + of,
            _ => (of / 3 * 3 + at / 3) * 9 + of % 3 * 3 + at % 3,
        })
    })
});

/// Returns the cells of a unit that may hold a digit.
fn places(candidates: &Candidates, unit: &[usize; 9], digit: usize) -> Vec<usize> {
    unit.iter().copied().filter(|&cell| candidates[cell] >> digit & 1 == 1).collect()
}

/// Removes digits from the candidates of cells. Returns whether any candidate was removed.
fn strike(candidates: &mut Candidates, cells: impl IntoIterator<Item = usize>, digits: u16) -> bool {
    let before = *candidates;
    cells.into_iter().for_each(|cell| candidates[cell] &= !digits);
    *candidates != before
}

/// Fills naked and hidden singles until there are none. Returns whether there is no contradiction.
fn singles(candidates: &mut Candidates) -> bool {
    loop {
        let before = *candidates;
        for unit in *UNITS {
            for cell in unit {
                if candidates[cell].count_ones() == 1 {
                    let digit = candidates[cell];
                    strike(candidates, unit.into_iter().filter(|&other| other != cell), digit);
                }
                if candidates[cell] == 0 {
                    return false;
                }
            }
            for digit in 1..=9 {
                let mut places = unit.into_iter().filter(|&cell| candidates[cell] >> digit & 1 == 1);
                match (places.next(), places.next()) {
                    (None, _) => return false,
                    (Some(only), None) => candidates[only] = 1 << digit,
                    _ => {}
                }
            }
        }
        if *candidates == before {
            return true;
        }
    }
}

/// Pointing and claiming: if all places of a digit in one unit are also in another unit, the digit is eliminated from the rest of the other
/// unit.
fn locked(candidates: &mut Candidates) -> bool {
    let mut has_struck = false;
    for one in *UNITS {
        for other in UNITS.into_iter().filter(|other| *other != one) {
            for digit in 1..=9 {
                // All pairs of units are tried. A row and a column share only one cell, so they eliminate only candidates that singles
                // also eliminate. Two units of the same kind share no cell, so they eliminate nothing.
                let places = places(candidates, &one, digit);
                if !places.is_empty() && places.iter().all(|cell| other.contains(cell)) {
                    let elsewhere = other.into_iter().filter(|cell| !one.contains(cell));
                    has_struck |= strike(candidates, elsewhere, 1 << digit);
                }
            }
        }
    }
    has_struck
}

fn pairs(candidates: &mut Candidates) -> bool {
    let mut has_struck = false;
    for unit in *UNITS {
        for first in unit {
            for second in unit.into_iter().filter(|&second| second > first) {
                let digits = candidates[first];
                if digits.count_ones() == 2 && candidates[second] == digits {
                    let elsewhere = unit.into_iter().filter(|&cell| cell != first && cell != second);
                    has_struck |= strike(candidates, elsewhere, digits);
                }
            }
        }
        for first in 1..=9 {
            for second in first + 1..=9 {
                let cells = places(candidates, &unit, first);
                if cells.len() == 2 && places(candidates, &unit, second) == cells {
                    has_struck |= strike(candidates, cells, !(1 << first | 1 << second));
                }
            }
        }
    }
    has_struck
}

/// Applies trial and error with at most `depth` nested trials. Returns whether there is no contradiction.
fn trial(candidates: &mut Candidates, depth: u8) -> bool {
    loop {
        if !singles(candidates) {
            return false;
        }
        let before = *candidates;
        for cell in (0..81).filter(|_| depth > 0) {
            for digit in (1..=9).filter(|digit| before[cell] >> digit & 1 == 1) {
                let mut supposed = *candidates;
                supposed[cell] = 1 << digit;
                if before[cell].count_ones() > 1 && !trial(&mut supposed, depth - 1) {
                    candidates[cell] &= !(1 << digit);
                }
            }
        }
        if *candidates == before {
            return true;
        }
    }
}

/// Returns the size of the smallest backdoor: how many blanks must be filled correctly, at least, so that singles solve the puzzle. Returns
/// 3 if the smallest backdoor has more than two cells.
fn backdoor(start: &Candidates, solution: &Solution) -> u8 {
    let is_one = |cells: &[usize]| {
        let mut candidates = *start;
        cells.iter().for_each(|&cell| candidates[cell] = 1 << solution[cell]);
        assert!(singles(&mut candidates));
        is_full(&candidates)
    };
    if is_one(&[]) {
        0
    } else if (0..81).any(|cell| is_one(&[cell])) {
        1
    } else if (0..81).any(|first| (0..first).any(|second| is_one(&[first, second]))) {
        2
    } else {
        3
    }
}
