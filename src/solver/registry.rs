//! The table of solver variants.
#![forbid(unsafe_code)]

use super::{Solver, null};

/// How much a variant infers before it guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Row-major backtracking without inference: exponential in the blanks, up to minutes a puzzle.
    Naive,
    /// Constraint propagation at every node, then search: microseconds a puzzle.
    Propagation,
    /// Exact cover, by Knuth's Algorithm X.
    ExactCover,
    /// Does not solve.
    Harness,
}

impl Class {
    /// The words that stand for it in lists.
    pub fn name(self) -> &'static str {
        match self {
            Class::Naive => "naive",
            Class::Propagation => "propagation",
            Class::ExactCover => "exact cover",
            Class::Harness => "harness",
        }
    }
}

/// One entry of the registry.
#[derive(Debug)]
pub struct Variant {
    /// The name to type.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Where the idea comes from.
    pub source: &'static str,
    /// Its complexity class.
    pub class: Class,
    /// Whether lists leave it out: it is there for benchmarks of the harness.
    pub hidden: bool,
    build: fn() -> Box<dyn Solver>,
}

impl Variant {
    /// A solver of this variant. Build one for each thread and keep it: building may fill tables.
    pub fn build(&self) -> Box<dyn Solver> {
        (self.build)()
    }
}

/// The variant that is used where none is named.
pub fn default_variant() -> &'static Variant {
    &VARIANTS[0]
}

/// Every variant, the default first.
pub const VARIANTS: &[Variant] = &[Variant {
    name: "null",
    summary: "gives every puzzle up at once: shows what the harness itself costs",
    source: "sudobench",
    class: Class::Harness,
    hidden: true,
    build: || Box::new(null::Null),
}];

/// The variant of that name, hidden ones included.
pub fn find(name: &str) -> Option<&'static Variant> {
    VARIANTS.iter().find(|variant| variant.name == name)
}

/// The variants that solve: all but the hidden ones.
pub fn listed() -> impl Iterator<Item = &'static Variant> {
    VARIANTS.iter().filter(|variant| !variant.hidden)
}
