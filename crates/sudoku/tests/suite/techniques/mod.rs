//! Steps by technique and ratings, compared with those of Sudoku Explainer.

mod chains;
mod files;
mod known;
mod properties;
