//! Drawings of steps as SVG: the board before the step with its candidates, the pattern of the step, and the changes.
//!
//! ```text
//! wash     a coloured background: units, cells of the step, the cell that is filled
//! circle   candidates of the step's pattern (for chains: the nodes), and the candidate that the step places
//! line     links of a chain that is a single path or a cycle: dashed from a digit to a digit that it excludes, otherwise solid
//! strike   candidates that the step removes
//! ```
//! Candidates are placed like the digits on a telephone keypad: 1 at the upper left, 9 at the lower right. A drawing loads no other files,
//! and its colours follow the reader's choice of a light or a dark page.

use std::fmt::Write as _;

use super::board::{Board, Digits, bits};
use super::{Step, Technique};
use crate::puzzle::{CELLS, Cells, UNITS};

/// The CSS of drawings. A page with drawings from [`inline_svg`] must contain this CSS once.
pub const STYLE: &str = include_str!("drawing.css");

/// Side of a cell. All lengths are in the units of the SVG file, which are pixels by default.
const CELL: usize = 40;
/// Distance of the board from the left edge and from the top edge. The numbers of the rows and columns are in this margin.
const START: usize = 22;
const SIDE: usize = START + 9 * CELL + 3;
/// Distance between neighbouring candidates of a cell.
const CANDIDATE: usize = 12;

/// Draws the board before a step as an SVG file. `clues` are the cells that are drawn as clues.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::techniques::{Board, drawing, next_step};
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let board = Board::new(&puzzle);
/// let svg = drawing::svg(&board, &next_step(&board).unwrap(), puzzle.clue_cells());
/// assert!(svg.starts_with("<svg ") && svg.contains("<title>Hidden Single: "));
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
pub fn svg(board: &Board, step: &Step, clues: Cells) -> String {
    let attributes = format!(" xmlns=\"http://www.w3.org/2000/svg\" width=\"{SIDE}\" height=\"{SIDE}\"");
    drawn(board, step, clues, &attributes, &format!("\n<style>\n{STYLE}</style>"))
}

/// Draws the board before a step like [`svg`], for a page that already contains [`STYLE`].
pub fn inline_svg(board: &Board, step: &Step, clues: Cells) -> String {
    drawn(board, step, clues, "", "")
}

fn drawn(board: &Board, step: &Step, clues: Cells, attributes: &str, style: &str) -> String {
    let mut drawing = Drawing { board, step, svg: String::new() };
    let (title, about) = (escaped(&step.to_string()), escaped(step.technique.about()));
    let rows: Vec<String> =
        board.values().chunks(9).map(|row| row.iter().map(ToString::to_string).collect()).collect();
    drawing.add(format_args!(
        "<svg{attributes} class=\"step\" role=\"img\" viewBox=\"0 0 {SIDE} {SIDE}\">\n\
         <title>{title}</title>\n<desc>{about} The rows of the board before the step, 0 for a blank: {}.</desc>{style}\n\
         <rect class=\"paper\" width=\"{SIDE}\" height=\"{SIDE}\"/>",
        rows.join(" ")
    ));
    drawing.washes();
    drawing.lines();
    drawing.digits(clues);
    drawing.links();
    drawing.candidates();
    drawing.svg + "</svg>\n"
}

struct Drawing<'a> {
    board: &'a Board,
    step: &'a Step,
    svg: String,
}

impl Drawing<'_> {
    fn add(&mut self, elements: std::fmt::Arguments) {
        // Writing to a string does not fail.
        let _ = writeln!(self.svg, "{elements}");
    }

    fn washes(&mut self) {
        for &unit in &self.step.units {
            let cells = UNITS[usize::from(unit)];
            self.wash("unit", cells[0].into(), cells[8].into());
        }
        let placed = self.step.placement.map_or(Cells::EMPTY, |(cell, _)| Cells::one(cell.into()));
        for cell in self.step.cells.without(placed).iter() {
            self.wash("cell", cell, cell);
        }
        for cell in placed.iter() {
            self.wash("filled", cell, cell);
        }
    }

    /// Adds a rectangle whose upper left cell is `first` and whose lower right cell is `last`.
    fn wash(&mut self, class: &str, first: usize, last: usize) {
        let (x, y) = corner(first);
        let (right, bottom) = corner(last);
        let (width, height) = (right + CELL - x, bottom + CELL - y);
        self.add(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        ));
    }

    fn lines(&mut self) {
        for (class, is_border) in [("thin", false), ("thick", true)] {
            let mut path = String::new();
            for number in (0..=9).filter(|number| (number % 3 == 0) == is_border) {
                let (at, length) = (START + number * CELL, 9 * CELL);
                // Writing to a string does not fail.
                let _ = write!(path, "M{START} {at}h{length}M{at} {START}v{length}");
            }
            self.add(format_args!("<path class=\"{class}\" d=\"{path}\"/>"));
        }
    }

    /// Adds the numbers of rows and columns, the digits of filled cells, and the candidates that are not marked.
    fn digits(&mut self, clues: Cells) {
        let middle = |number: usize| START + number * CELL + CELL / 2;
        self.text("label", START - 7, (0..9).map(|column| (middle(column), column + 1)));
        for row in 0..9 {
            self.text("label", middle(row) + 4, [(START / 2, row + 1)]);
        }
        let (board, marked) = (self.board, self.marked());
        for row in 0..9 {
            let cells = row * 9..row * 9 + 9;
            for (class, is_clue) in [("clue", true), ("solved", false)] {
                let cells = cells
                    .clone()
                    .filter(|&cell| board.values()[cell] != 0 && clues.contains(cell) == is_clue);
                self.text(
                    class,
                    middle(row) + 8,
                    cells.map(|cell| (middle(cell % 9), board.values()[cell].into())),
                );
            }
            for line in [0b111, 0b111_000, 0b111_000_000] {
                let plain = |cell: usize| bits(board.candidates(cell) & line & !marked[cell]);
                let digits = cells.clone().flat_map(|cell| plain(cell).map(move |digit| (cell, digit)));
                let y = line.trailing_zeros() as usize / 3 * CANDIDATE + START + row * CELL + 12;
                self.text("candidate", y, digits.map(|(cell, digit)| (centre(cell, digit).0, digit + 1)));
            }
        }
    }

    /// Adds a line of digits, each with its x coordinate.
    fn text(&mut self, class: &str, y: usize, digits: impl IntoIterator<Item = (usize, usize)>) {
        let (places, digits): (Vec<String>, String) =
            digits.into_iter().map(|(x, digit)| (x.to_string(), char::from(b'0' + digit as u8))).unzip();
        if !digits.is_empty() {
            let places = places.join(" ");
            self.add(format_args!("<text class=\"{class}\" x=\"{places}\" y=\"{y}\">{digits}</text>"));
        }
    }

    /// Adds the links of a chain that is a single path or a cycle. Other chains have several starts or branches, and the list of nodes does
    /// not say which nodes are linked.
    fn links(&mut self) {
        use Technique::*;
        let chain = &self.step.chain;
        let nodes: Vec<_> = match self.step.technique {
            TurbotFish | ForcingXChain | ForcingChain => chain.iter().collect(),
            BidirectionalXCycle | BidirectionalYCycle | BidirectionalCycle => {
                chain.iter().chain(chain.first()).collect()
            }
            _ => Vec::new(),
        };
        for nodes in nodes.windows(2) {
            let [(x, y), (to_x, to_y)] =
                [nodes[0], nodes[1]].map(|&(cell, digit, _)| centre(cell.into(), usize::from(digit) - 1));
            let class = if nodes[0].2 { "excludes" } else { "requires" };
            self.add(format_args!("<path class=\"{class}\" d=\"M{x} {y}L{to_x} {to_y}\"/>"));
        }
    }

    /// Returns for each cell the marked candidates: those of the step's pattern, and those that the step removes or places.
    fn marked(&self) -> [Digits; CELLS] {
        let mut marked = self.basis();
        self.step.eliminations.iter().for_each(|&(cell, digits)| marked[usize::from(cell)] |= digits);
        if let Some((cell, digit)) = self.step.placement {
            marked[usize::from(cell)] |= 1 << (digit - 1);
        }
        marked
    }

    /// Returns for each cell the candidates of the step's pattern: the nodes of a chain, or the digits of the step in its cells.
    fn basis(&self) -> [Digits; CELLS] {
        let mut basis = [0; CELLS];
        match &self.step.chain[..] {
            [] => self
                .step
                .cells
                .iter()
                .for_each(|cell| basis[cell] = self.board.candidates(cell) & self.step.digits),
            nodes => nodes.iter().for_each(|&(cell, digit, _)| basis[usize::from(cell)] |= 1 << (digit - 1)),
        }
        basis
    }

    fn candidates(&mut self) {
        let (basis, marked) = (self.basis(), self.marked());
        let mut gone = [0; CELLS];
        self.step.eliminations.iter().for_each(|&(cell, digits)| gone[usize::from(cell)] = digits);
        for cell in 0..CELLS {
            for digit in bits(marked[cell]) {
                let (x, y) = centre(cell, digit);
                let is_there = |set: Digits| set >> digit & 1 != 0;
                let is_placed = self.step.placement == Some((cell as u8, digit as u8 + 1));
                let is_off = self.step.chain.contains(&(cell as u8, digit as u8 + 1, false));
                let class = match is_there(gone[cell]) {
                    true => "gone",
                    false if is_placed => "placed",
                    false if is_off => "off",
                    false => "on",
                };
                if is_there(basis[cell]) || is_placed {
                    let radius = if is_placed { 8 } else { 6 };
                    self.add(format_args!(
                        "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"
                    ));
                }
                self.text(&format!("mark {class}"), y + 4, [(x, digit + 1)]);
                if class == "gone" {
                    self.add(format_args!("<path class=\"strike\" d=\"M{} {}l10 -10\"/>", x - 5, y + 5));
                }
            }
        }
    }
}

/// Returns the upper left corner of a cell.
fn corner(cell: usize) -> (usize, usize) {
    (START + cell % 9 * CELL, START + cell / 9 * CELL)
}

/// Returns the centre of a candidate. The digit is counted from 0.
fn centre(cell: usize, digit: usize) -> (usize, usize) {
    let (x, y) = corner(cell);
    let first = CELL / 2 - CANDIDATE;
    (x + first + digit % 3 * CANDIDATE, y + first + digit / 3 * CANDIDATE)
}

/// Returns the text as content of an XML element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Puzzle;
    use crate::techniques::Technique;

    /// A step whose chain leads from r1c1=1 to r1c2=2, on an empty board.
    fn step(technique: Technique) -> Step {
        Step {
            technique,
            rating: 7.0,
            units: vec![9],
            cells: Cells::one(0).with(1),
            digits: 0b11,
            placement: None,
            eliminations: vec![(80, 0b1)],
            chain: vec![(0, 1, true), (1, 1, false), (1, 2, true)],
        }
    }

    #[test]
    fn a_drawing_marks_nodes_links_and_eliminations() {
        let board = Board::new(&Puzzle::EMPTY);
        let drawing = svg(&board, &step(Technique::ForcingChain), Cells::EMPTY);
        for part in [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" ",
            "<title>Forcing Chain: r1c1=1 -&gt; r1c2&lt;&gt;1 -&gt; r1c2=2 =&gt; r9c9&lt;&gt;1</title>",
            "for a blank: 000000000 000000000 ",
            "<rect class=\"unit\" x=\"22\" y=\"22\" width=\"360\" height=\"40\"/>",
            "<path class=\"excludes\" d=\"M30 30L70 30\"/>\n<path class=\"requires\" d=\"M70 30L82 30\"/>",
            "<circle class=\"on\" cx=\"30\" cy=\"30\" r=\"6\"/>\n<text class=\"mark on\" x=\"30\" y=\"34\">1</text>",
            "<circle class=\"off\" cx=\"70\" cy=\"30\" r=\"6\"/>",
            "<text class=\"mark gone\" x=\"350\" y=\"354\">1</text>\n<path class=\"strike\" ",
        ] {
            assert!(drawing.contains(part), "{part}: {drawing}");
        }
        let cycle = inline_svg(&board, &step(Technique::BidirectionalCycle), Cells::EMPTY);
        assert!(cycle.contains("<path class=\"excludes\" d=\"M82 30L30 30\"/>"), "{cycle}");
        let branched = inline_svg(&board, &step(Technique::DynamicCellForcingChains), Cells::EMPTY);
        assert!(
            !branched.contains("excludes") && !branched.contains("xmlns") && !branched.contains("<style>")
        );
    }

    #[test]
    fn clues_filled_cells_candidates_and_placements_differ() {
        let mut puzzle = Puzzle::EMPTY;
        puzzle.values_mut()[0] = 5;
        let mut board = Board::new(&puzzle);
        Step::placing(Technique::NakedSingle, None, 1, 6).apply(&mut board);
        let drawing =
            inline_svg(&board, &Step::placing(Technique::HiddenSingle, Some(0), 9, 0), puzzle.clue_cells());
        for part in [
            "<text class=\"clue\" x=\"42\" y=\"50\">5</text>\n<text class=\"solved\" x=\"82\" y=\"50\">7</text>",
            "<rect class=\"filled\" x=\"22\" y=\"62\" width=\"40\" height=\"40\"/>",
            "<circle class=\"placed\" cx=\"30\" cy=\"70\" r=\"8\"/>\n<text class=\"mark placed\" x=\"30\" y=\"74\">1</text>",
        ] {
            assert!(drawing.contains(part), "{part}: {drawing}");
        }
        let candidates: usize = drawing
            .lines()
            .filter_map(|line| line.strip_prefix("<text class=\"candidate\" x=\""))
            .map(|line| line.split(' ').count() - 1)
            .sum();
        let all: usize = board.empty().iter().map(|cell| board.candidates(cell).count_ones() as usize).sum();
        assert_eq!(candidates, all - 1, "the placed one is marked");
    }
}
