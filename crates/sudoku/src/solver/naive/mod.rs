//! Five row-major backtrackers. They are typical of programs for the Baekjoon Online Judge (BOJ), for example for its problems 2580 and
//! 2239. At each node, a variant does the same work as such a program.

mod bitmask;
mod blank_scan;
mod blanks;
mod bool_table;
mod candidate_list;
mod cell_scan;

pub(super) use bitmask::Bitmask;
pub(super) use blank_scan::BlankScan;
pub use bool_table::BoolTable;
pub(super) use candidate_list::CandidateList;
pub(super) use cell_scan::CellScan;
