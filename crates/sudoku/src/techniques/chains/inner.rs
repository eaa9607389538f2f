//! Chains inside of dynamic chains.

use super::super::board::Digits;

/// The other candidates of a cell, or the other places of a digit in a unit: the reason why a candidate is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Cell { cell: usize },
    Unit { unit: usize, digit: usize },
}

/// A chain inside a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Inner {
    /// The nodes: cell, digit, and whether it is on.
    pub(super) nodes: Vec<(u8, u8, bool)>,
    pub(super) complexity: usize,
}

/// An inner chain with what it removes.
pub(super) struct InnerStep {
    pub(super) inner: Inner,
    pub(super) eliminations: Vec<(u8, Digits)>,
    pub(super) causes: Vec<Cause>,
}
