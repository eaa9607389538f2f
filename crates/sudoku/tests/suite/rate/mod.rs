//! How hard puzzles are, held against the definitions written down plainly, against what is published, and against what has to hold
//! of all forms of a puzzle.

mod known;
mod naive;
mod properties;
