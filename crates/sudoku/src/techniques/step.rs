//! A step: what a technique found, what follows, and how hard it is.

use std::fmt;

use super::Technique;
use super::board::{Board, Digits, bits};
use crate::puzzle::{CELLS, Cells, Puzzle};

/// One step on the way to the solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The technique.
    pub technique: Technique,
    /// The rating of Sudoku Explainer, such as 2.6. It is a floating-point sum, as in Sudoku Explainer; [`tenths`] rounds it. Steps of a
    /// search have no rating: it is 0.
    pub rating: f64,
    /// The units of the step's pattern, by number: boxes are 0..9, rows 9..18, columns 18..27.
    pub units: Vec<u8>,
    /// The cells of the step's pattern.
    pub cells: Cells,
    /// The digits of the step's pattern.
    pub digits: Digits,
    /// The cell that is filled, and its digit from 1 to 9.
    pub placement: Option<(u8, u8)>,
    /// The cells that lose candidates, each with the candidates that the step removes from it. Candidates that disappear because the step
    /// fills a cell are not listed.
    pub eliminations: Vec<(u8, Digits)>,
    /// For chains, the nodes in order, one chain after the other: cell, digit from 1 to 9, and whether the cell holds the digit. Empty for
    /// other techniques.
    pub chain: Vec<(u8, u8, bool)>,
}

impl Step {
    /// Makes a step with the lowest rating of its technique. The other fields are still empty.
    pub(super) fn new(technique: Technique) -> Step {
        Step {
            technique,
            rating: f64::from(technique.lowest_rating()) / 10.0,
            units: Vec::new(),
            cells: Cells::EMPTY,
            digits: 0,
            placement: None,
            eliminations: Vec::new(),
            chain: Vec::new(),
        }
    }

    /// Makes a step that fills a cell and has no eliminations. The step has the lowest rating of its technique.
    pub(crate) fn placing(technique: Technique, unit: Option<usize>, cell: usize, digit: usize) -> Step {
        Step {
            units: unit.into_iter().map(|unit| unit as u8).collect(),
            cells: Cells::one(cell),
            digits: 1 << digit,
            placement: Some((cell as u8, digit as u8 + 1)),
            ..Step::new(technique)
        }
    }

    /// Makes a step that follows from chains. `chain` are their nodes, as in [`Step::chain`].
    pub(crate) fn by_chains(technique: Technique, rating: f64, chain: Vec<(u8, u8, bool)>) -> Step {
        Step {
            rating,
            cells: chain.iter().map(|&(cell, _, _)| usize::from(cell)).collect(),
            digits: chain.iter().fold(0, |digits, &(_, digit, _)| digits | 1 << (digit - 1)),
            chain,
            ..Step::new(technique)
        }
    }

    /// Makes a step that removes these digits from the candidates of these cells. It has the lowest rating of its technique. Returns `None`
    /// if none of these cells has one of the digits as a candidate.
    pub(crate) fn eliminating(board: &Board, basis: Basis, cells: Cells, digits: Digits) -> Option<Step> {
        let eliminations = board.eliminations(cells, digits);
        (!eliminations.is_empty()).then(|| basis.step(eliminations))
    }

    /// Applies the step: removes the candidates, then fills the cell. For a backtrack, `board` must be the board before the guess.
    pub fn apply(&self, board: &mut Board) {
        self.eliminations.iter().for_each(|&(cell, digits)| board.remove(cell.into(), digits));
        if let Some((cell, digit)) = self.placement {
            board.place(cell.into(), digit as usize - 1);
        }
    }
}

/// A step with the board before it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedStep {
    /// The filled cells before the step.
    pub board: Puzzle,
    /// The candidates of the empty cells before the step.
    pub candidates: [Digits; CELLS],
    /// The step.
    pub step: Step,
    /// The cells that the step changes, ascending.
    pub changes: Vec<Change>,
}

/// The candidates of a cell before and after a step. After a cell is filled, its digit is the only candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The cell.
    pub cell: u8,
    /// Its candidates before the step.
    pub before: Digits,
    /// Its candidates after the step.
    pub after: Digits,
}

impl PlayedStep {
    pub(crate) fn play(step: Step, board: &mut Board) -> PlayedStep {
        let before = board.clone();
        step.apply(board);
        PlayedStep::between(&before, step, board, before.empty())
    }

    /// Makes the record of a step that leads from the board `before` to the board `after`. `cells` must contain all cells that the step
    /// changes.
    pub(crate) fn between(before: &Board, step: Step, after: &Board, cells: Cells) -> PlayedStep {
        let change =
            |cell: usize| Change { cell: cell as u8, before: before.digits(cell), after: after.digits(cell) };
        let changes = cells.iter().map(change);
        let changes =
            changes.filter(|change| change.before != change.after || change.cell_is_filled_by(&step));
        PlayedStep {
            board: before.filled(),
            candidates: *before.all_candidates(),
            changes: changes.collect(),
            step,
        }
    }

    /// Returns the board before the step.
    pub fn board_before(&self) -> Board {
        Board::with_candidates(&self.board, &self.candidates)
    }

    /// Returns the changes as text, such as `r1c6:2468>8 r1c9:248>24`.
    pub fn changes_text(&self) -> String {
        self.changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }
}

impl Change {
    fn cell_is_filled_by(&self, step: &Step) -> bool {
        step.placement.is_some_and(|(cell, _)| cell == self.cell)
    }
}

impl fmt::Display for Change {
    /// Writes the cell and its candidates before and after, such as `r1c6:2468>8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}:", self.cell / 9 + 1, self.cell % 9 + 1)?;
        bits(self.before).try_for_each(|digit| write!(f, "{}", digit + 1))?;
        f.write_str(">")?;
        bits(self.after).try_for_each(|digit| write!(f, "{}", digit + 1))
    }
}

impl fmt::Display for Step {
    /// Writes the step in the usual notation of Sudoku forums.
    ///
    /// ```text
    /// Hidden Single: 3 in b1 => r3c5=3
    /// Pointing: 4 in b1/r2 => r2c56<>4
    /// Naked Pair: 3,7 in r4c15 => r4c2<>37, r4c8<>3
    /// X-Wing: 9 in c35/r28 => r2c7<>9
    /// Forcing Chain: r1c2=5 -> r1c8<>5 -> r1c8=6 => r3c8<>6
    /// Guess: 3,7 in r4c5 => r4c5=3
    /// Backtrack: no place for 9 in c2 => r4c5<>3
    /// ```
    /// For locked candidates and fish, the text names units: first the units that hold the digit, then the units from which the digit is
    /// removed. For a hidden single, the text names the unit. For a single chain, it names the nodes; for several chains, it names the
    /// cell, unit or candidate from which they start. For a guess, it names all candidates of the cell. For a backtrack, it names a cell
    /// without a candidate, or a digit and a unit that has no place for it. For all other techniques, it names digits and cells.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let follows = [self.placement_text(), self.eliminations_text()];
        let follows: Vec<String> = follows.into_iter().flatten().collect();
        write!(f, "{}: {} => {}", self.technique, self.basis_text(), follows.join(", "))
    }
}

impl Step {
    /// Returns the cell that the step fills and its digit, such as `r4c1=9`; `None` if it fills none.
    pub fn placement_text(&self) -> Option<String> {
        self.placement.map(|(cell, digit)| node_text((cell, digit, true)))
    }

    /// Returns [`Step::eliminations`] as text, such as `r4c27<>37, r4c4<>3`; `None` without eliminations. Cells that lose the
    /// same digits are written together, at the place of the first of them.
    pub fn eliminations_text(&self) -> Option<String> {
        let mut texts: Vec<String> = Vec::new();
        let mut left = self.eliminations.clone();
        while let Some(&(_, gone)) = left.first() {
            let cells = left.iter().filter(|(_, digits)| *digits == gone).map(|&(cell, _)| cell.into());
            texts.push(format!("{}<>{}", cells_text(cells.collect()), digits_text(gone)));
            left.retain(|(_, digits)| *digits != gone);
        }
        (!texts.is_empty()).then(|| texts.join(", "))
    }

    /// Returns the units of the step's pattern, such as `b1/r2`; `None` if there are none.
    pub fn units_text(&self) -> Option<String> {
        (!self.units.is_empty()).then(|| units_text(&self.units))
    }

    /// Returns the cells of the step's pattern, such as `r4c15`.
    pub fn cells_text(&self) -> String {
        cells_text(self.cells)
    }

    /// Returns the digits of the step's pattern, such as `37`.
    pub fn digits_text(&self) -> String {
        digits_text(self.digits)
    }

    /// Returns the nodes of the chains in order, such as `r1c2=5 -> r1c8<>5`; `None` if the step has no chain.
    pub fn chain_text(&self) -> Option<String> {
        let nodes: Vec<String> = self.chain.iter().map(|&node| node_text(node)).collect();
        (!nodes.is_empty()).then(|| nodes.join(" -> "))
    }

    /// Returns the step's pattern as text, for the part of the notation before ` => `.
    fn basis_text(&self) -> String {
        use Technique::*;
        let digits = || bits(self.digits).map(|digit| (digit + 1).to_string()).collect::<Vec<_>>().join(",");
        match (self.technique, self.chain.first()) {
            (
                CellForcingChains
                | DynamicCellForcingChains
                | DynamicPlusCellForcingChains
                | NestedCellForcingChains,
                Some(&(cell, ..)),
            ) => cells_text(Cells::one(cell.into())),
            (
                RegionForcingChains
                | DynamicRegionForcingChains
                | DynamicPlusRegionForcingChains
                | NestedRegionForcingChains,
                Some((_, digit, _)),
            ) => {
                format!("{digit} in {}", units_text(&self.units))
            }
            (
                NishioForcingChain
                | DynamicContradictionForcingChains
                | DynamicDoubleForcingChains
                | DynamicPlusContradictionForcingChains
                | DynamicPlusDoubleForcingChains
                | NestedContradictionForcingChains
                | NestedDoubleForcingChains,
                Some(&first),
            ) => node_text(first),
            (_, Some(_)) => self.chain_text().unwrap_or_default(),
            (Backtrack, None) if self.units.is_empty() => {
                format!("no candidate in {}", cells_text(self.cells))
            }
            (Backtrack, None) => format!("no place for {} in {}", digits(), units_text(&self.units)),
            (
                HiddenSingle | DirectPointing | DirectClaiming | Pointing | Claiming | XWing | Swordfish
                | Jellyfish,
                None,
            ) => format!("{} in {}", digits(), units_text(&self.units)),
            (_, None) => format!("{} in {}", digits(), cells_text(self.cells)),
        }
    }
}

fn digits_text(digits: Digits) -> String {
    bits(digits).map(|digit| (digit + 1).to_string()).collect()
}

/// Returns a node of a chain: `r1c2=5` for a cell that holds the digit, `r1c2<>5` for one that does not.
fn node_text((cell, digit, is_on): (u8, u8, bool)) -> String {
    format!("{}{}{digit}", cells_text(Cells::one(cell.into())), if is_on { "=" } else { "<>" })
}

/// Writes units such as `b1/r2` or `c35/r28`. Consecutive units of the same kind are written together.
fn units_text(units: &[u8]) -> String {
    let mut text = String::new();
    for same_kind in units.chunk_by(|one, next| one / 9 == next / 9) {
        if !text.is_empty() {
            text.push('/');
        }
        text.push(['b', 'r', 'c'][usize::from(same_kind[0] / 9)]);
        text.extend(same_kind.iter().map(|unit| char::from(b'1' + unit % 9)));
    }
    text
}

/// Writes cells such as `r4c15` or `r12c3,r5c4`: rows with the same columns are written together, or columns with the same rows if this
/// gives fewer groups.
pub(super) fn cells_text(cells: Cells) -> String {
    let by_rows = grouped(cells, |cell| (cell / 9, cell % 9), 'r', 'c');
    let by_columns = grouped(cells, |cell| (cell % 9, cell / 9), 'c', 'r');
    if by_columns.matches(',').count() < by_rows.matches(',').count() { by_columns } else { by_rows }
}

/// Writes cells as groups. A group has all lines (rows or columns) whose cells are at the same positions. `place` returns the line and the
/// position of a cell. `line` and `position` are the letters for lines and positions, `r` or `c`. Rows are always written before columns.
fn grouped(cells: Cells, place: fn(usize) -> (usize, usize), line: char, position: char) -> String {
    let mut positions: [u16; 9] = [0; 9];
    for (line, position) in cells.iter().map(place) {
        positions[line] |= 1 << position;
    }
    let mut groups: Vec<(u16, u16)> = Vec::new();
    for (number, &positions) in positions.iter().enumerate().filter(|(_, positions)| **positions != 0) {
        match groups.iter_mut().find(|(_, of_group)| *of_group == positions) {
            Some((lines, _)) => *lines |= 1 << number,
            None => groups.push((1 << number, positions)),
        }
    }
    let part = |letter: char, numbers: u16| {
        bits(numbers).fold(String::from(letter), |mut text, number| {
            text.push(char::from(b'1' + number as u8));
            text
        })
    };
    let mut text = String::new();
    for (lines, positions) in groups {
        if !text.is_empty() {
            text.push(',');
        }
        let (lines, positions) = (part(line, lines), part(position, positions));
        text += &if line == 'r' { lines + &positions } else { positions + &lines };
    }
    text
}

/// The technique and the pattern (units, cells, digits) of a step that eliminates candidates. Its fields are also in [`Step`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basis<'a> {
    pub(crate) technique: Technique,
    pub(crate) units: &'a [usize],
    pub(crate) cells: Cells,
    pub(crate) digits: Digits,
}

impl Basis<'_> {
    /// Makes the step with these eliminations. It has the lowest rating of its technique.
    pub(crate) fn step(self, eliminations: Vec<(u8, Digits)>) -> Step {
        Step {
            units: self.units.iter().map(|&unit| unit as u8).collect(),
            cells: self.cells,
            digits: self.digits,
            eliminations,
            ..Step::new(self.technique)
        }
    }
}

/// Writes a rating that is given in tenths: 26 becomes `2.6`.
pub fn rating_text(tenths: u8) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Returns a rating in tenths, such as 26 for 2.6. It is rounded as Sudoku Explainer rounds the ratings that it prints.
pub fn tenths(rating: f64) -> u8 {
    ((rating + 0.05) * 10.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(places: &[(usize, usize)]) -> Cells {
        places.iter().map(|(row, column)| (row - 1) * 9 + column - 1).collect()
    }

    #[test]
    fn cells_are_grouped_by_rows_or_by_columns() {
        let rows = [
            ("r4c15", &[(4, 1), (4, 5)][..]),
            ("r12c34", &[(1, 3), (1, 4), (2, 3), (2, 4)]),
            ("r16c3,r2c45", &[(1, 3), (2, 4), (2, 5), (6, 3)]),
            ("r12c1,r23c2", &[(1, 1), (2, 1), (2, 2), (3, 2)]),
            ("r9c9", &[(9, 9)]),
            ("", &[]),
        ];
        for (text, places) in rows {
            assert_eq!(cells_text(cells(places)), text);
        }
    }

    #[test]
    fn steps_are_written_in_the_usual_notation() {
        let step = Step {
            technique: Technique::NakedPair,
            rating: 3.0,
            units: vec![12],
            cells: cells(&[(4, 1), (4, 5)]),
            digits: 0b100_0100,
            placement: None,
            eliminations: vec![(28, 0b100_0100), (30, 0b100), (33, 0b100_0100)],
            chain: Vec::new(),
        };
        assert_eq!(step.to_string(), "Naked Pair: 3,7 in r4c15 => r4c27<>37, r4c4<>3");
        let claim =
            Step { technique: Technique::Swordfish, units: vec![18, 20, 22, 9, 10, 17], digits: 1, ..step };
        assert!(claim.to_string().starts_with("Swordfish: 1 in c135/r129 => "), "{claim}");
        let single = Step::placing(Technique::HiddenSingle, Some(0), 22, 2);
        assert_eq!(single.to_string(), "Hidden Single: 3 in b1 => r3c5=3");
        let chain = vec![(1, 5, true), (7, 5, false), (7, 6, true)];
        let forcing =
            Step { technique: Technique::ForcingChain, chain, eliminations: vec![(25, 0b10_0000)], ..claim };
        assert_eq!(forcing.to_string(), "Forcing Chain: r1c2=5 -> r1c8<>5 -> r1c8=6 => r3c8<>6");
    }
}
