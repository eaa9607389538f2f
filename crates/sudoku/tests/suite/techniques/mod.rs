//! The steps that techniques find, and the ratings, compared with the results of Sudoku Explainer.

mod chains;
mod files;
mod known;
mod properties;
mod search;
