//! Steps by technique and ratings, compared with those of Sudoku Explainer.

mod files;
mod known;
mod properties;
