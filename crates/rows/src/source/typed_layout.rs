//! The layout of typed rows. If a row is also needed as text, its text is a line of CSV with the columns of the layout.

use sudobench_sudoku::puzzle::Puzzle;

use super::InputFormat;
use super::block::Block;
use super::columns::Chosen;
use super::fault::RowFault;
use super::layout::{ResolvedLayout, RowLayout, RowText, Values};
use super::parsed::{ParsedBlock, Row, RowRanges};
use super::typed::TypedLayout;

impl RowLayout for TypedLayout {
    fn format(&self) -> InputFormat {
        self.format
    }

    fn columns(&self) -> (Option<Vec<Vec<u8>>>, Chosen) {
        self.columns.columns()
    }

    fn resolved(&self) -> ResolvedLayout {
        let column = |(name, kind): (_, &String)| format!("{name} {kind}");
        ResolvedLayout {
            delimiter: None,
            header: None,
            input_columns: Some(self.names().zip(&self.types).map(column).collect()),
            ..self.columns.resolved()
        }
    }

    fn row_text(&self) -> RowText {
        self.columns.row_text()
    }

    fn parse(&self, block: &mut Block, parsed: &mut ParsedBlock) {
        let Some(typed) = &block.typed else { return };
        block.bytes.clear();
        let (rows, expected) = (&typed.rows, self.columns.columns);
        if let Err(found) = rows.parse(self, block.first_line, typed.texts, &mut block.bytes, parsed) {
            // If the rows don't fit the layout, all rows become malformed, so that no row is lost.
            parsed.clear();
            for row in 0..rows.len() as u64 {
                let ranges = RowRanges::bare(0..0, block.first_line + row);
                parsed.push_fault(ranges, RowFault::wrong_columns(found, expected));
            }
        }
    }

    fn values<'t>(&self, row: &Row, text: &'t [u8], puzzle: Option<&Puzzle>) -> Values<'t> {
        self.columns.values(row, text, puzzle)
    }

    fn typed(&self) -> Option<&TypedLayout> {
        Some(self)
    }
}
