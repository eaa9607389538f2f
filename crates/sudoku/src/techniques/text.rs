//! Steps as text, in the notation of the Sudoku forums.

use std::fmt;

use super::Technique;
use super::board::{Digits, bits};
use super::step::Step;
use crate::puzzle::Cells;

impl fmt::Display for Step {
    /// Writes the step as people do: the technique, what it rests on, and what follows.
    ///
    /// ```text
    /// Hidden Single: 9 in b4 => r4c1=9
    /// Naked Pair: 3,7 in r4c15 => r4c2<>3
    /// Pointing: 4 in b1/r2 => r2c78<>4
    /// Forcing Chain: r1c2=5 -> r1c8<>5 -> r1c8=6 => r3c8<>6
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} => ", self.technique, self.basis_text())?;
        match self.placement_text() {
            Some(placement) => f.write_str(&placement),
            None => f.write_str(&self.eliminations_text().unwrap_or_default()),
        }
    }
}

impl Step {
    /// Returns the cell that the step fills and its digit, such as `r4c1=9`; `None` if it fills none.
    pub fn placement_text(&self) -> Option<String> {
        let (cell, digit) = self.placement?;
        Some(format!("{}={digit}", cells_text(Cells::of(cell.into()))))
    }

    /// Returns the candidates that the step takes away, by digit, such as `r4c2<>3, r57c2<>7`; `None` if it takes none.
    pub fn eliminations_text(&self) -> Option<String> {
        let of_digit = |digit: usize| {
            let cells = self.eliminations.iter().filter(|(_, digits)| digits >> digit & 1 == 1);
            let cells: Cells = cells.map(|&(cell, _)| cell.into()).collect();
            (!cells.is_empty()).then(|| format!("{}<>{}", cells_text(cells), digit + 1))
        };
        let texts: Vec<String> = (0..9).filter_map(of_digit).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    }

    /// Returns what the step rests on.
    fn basis_text(&self) -> String {
        use Technique::*;
        let chain = || self.chain.iter().map(|&node| node_text(node));
        match (self.technique, self.chain.first()) {
            (CellForcingChains | DynamicCellForcingChains, Some(&(cell, ..))) => {
                cells_text(Cells::of(cell.into()))
            }
            (RegionForcingChains | DynamicRegionForcingChains, Some((_, digit, _))) => {
                format!("{digit} in {}", self.units_text())
            }
            (
                NishioForcingChain
                | ContradictionForcingChain
                | DoubleForcingChain
                | DynamicContradictionForcingChains
                | DynamicDoubleForcingChains,
                Some(&first),
            ) => node_text(first),
            (_, Some(_)) => chain().collect::<Vec<_>>().join(" -> "),
            // What these rest on are whole units, not some of their cells.
            (
                HiddenSingle | DirectPointing | DirectClaiming | Pointing | Claiming | XWing | Swordfish
                | Jellyfish,
                None,
            ) => {
                format!("{} in {}", digits_text(self.digits), self.units_text())
            }
            (_, None) => format!("{} in {}", digits_text(self.digits), cells_text(self.cells)),
        }
    }

    /// Returns the units: those of one kind together, such as `b1/r2` or `r29/c38`.
    fn units_text(&self) -> String {
        let mut text = String::new();
        let mut last = ' ';
        for unit in &self.units {
            let kind = ['b', 'r', 'c'][usize::from(unit / 9)];
            if kind != last {
                text.push_str(if text.is_empty() { "" } else { "/" });
                text.push(kind);
                last = kind;
            }
            text.push((b'1' + unit % 9) as char);
        }
        text
    }
}

/// Returns a node of a chain: `r1c2=5` for a cell that holds the digit, `r1c2<>5` for one that does not.
fn node_text((cell, digit, is_on): (u8, u8, bool)) -> String {
    format!("{}{}{digit}", cells_text(Cells::of(cell.into())), if is_on { "=" } else { "<>" })
}

/// Returns digits with commas between them.
fn digits_text(digits: Digits) -> String {
    bits(digits).map(|digit| (digit + 1).to_string()).collect::<Vec<_>>().join(",")
}

/// Returns cells with those of one row together, and rows with the same columns together: `r4c15`, `r29c38`, `r1c2,r5c6`.
fn cells_text(cells: Cells) -> String {
    let mut columns_of_row = [0_u16; 9];
    cells.iter().for_each(|cell| columns_of_row[cell / 9] |= 1 << (cell % 9));
    let mut texts = Vec::new();
    for row in 0..9 {
        let columns = columns_of_row[row];
        let is_first = !columns_of_row[..row].contains(&columns);
        if columns != 0 && is_first {
            let number = |position: usize| (b'1' + position as u8) as char;
            let rows = (row..9).filter(|&other| columns_of_row[other] == columns);
            texts.push(format!(
                "r{}c{}",
                rows.map(number).collect::<String>(),
                bits(columns).map(number).collect::<String>()
            ));
        }
    }
    texts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(names: &str) -> Cells {
        let cell = |name: &str| {
            let digit = |at: usize| usize::from(name.as_bytes()[at] - b'1');
            digit(1) * 9 + digit(3)
        };
        names.split(' ').map(cell).collect()
    }

    #[test]
    fn cells_of_a_row_or_a_rectangle_stand_together() {
        for (given, text) in [
            ("r4c1", "r4c1"),
            ("r4c1 r4c5", "r4c15"),
            ("r2c3 r2c8 r9c3 r9c8", "r29c38"),
            ("r1c2 r5c6", "r1c2,r5c6"),
            ("r1c2 r5c2 r3c4", "r15c2,r3c4"),
        ] {
            assert_eq!(cells_text(cells(given)), text);
        }
    }

    #[test]
    fn a_step_names_what_it_rests_on_and_what_follows() {
        let step = Step {
            units: vec![9],
            cells: cells("r4c1 r4c5"),
            digits: 0b100_0100,
            placement: None,
            eliminations: vec![(28, 0b100), (29, 0b100_0100)],
            ..Step::placing(Technique::NakedPair, 3.0, None, 0, 0)
        };
        assert_eq!(step.to_string(), "Naked Pair: 3,7 in r4c15 => r4c23<>3, r4c3<>7");
        let pointing =
            Step { technique: Technique::Pointing, units: vec![0, 10], digits: 0b1000, ..step.clone() };
        assert_eq!(pointing.to_string(), "Pointing: 4 in b1/r2 => r4c23<>3, r4c3<>7");
        let single = Step::placing(Technique::HiddenSingle, 1.2, Some(3), 27, 8);
        assert_eq!(single.to_string(), "Hidden Single: 9 in b4 => r4c1=9");
        let chain = vec![(1, 5, true), (7, 5, false), (7, 6, true)];
        let forcing =
            Step { technique: Technique::ForcingChain, chain, eliminations: vec![(25, 0b10_0000)], ..step };
        assert_eq!(forcing.to_string(), "Forcing Chain: r1c2=5 -> r1c8<>5 -> r1c8=6 => r3c8<>6");
    }
}
