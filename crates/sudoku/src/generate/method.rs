//! The methods that generate puzzles, by name.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::symmetry::listed;
use super::{BottomUp, ControlledBias, Made, TopDown};
use crate::simd::{Level, LevelError};

/// A method that generates puzzles. Each method has its own bias: it makes some puzzles more often than others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Removes clues from a full grid: see [`TopDown`].
    #[default]
    TopDown,
    /// Adds clues to an empty grid: see [`BottomUp`].
    BottomUp,
    /// Draws minimal puzzles with a known bias: see [`ControlledBias`].
    ControlledBias,
    /// Changes a random minimal puzzle step by step until it meets the request.
    Climb,
    /// Removes clues from a grid with a tridagon, a pattern that is hard for trial and error.
    Tridagon,
}

/// The reason why a text is not the name of a [`Method`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown method `{0}`: choose from {names}", names = listed(&Method::ALL.map(Method::name)))]
pub struct MethodError(String);

impl Method {
    /// All methods, in the order in which help texts list them.
    pub const ALL: [Method; 5] =
        [Method::TopDown, Method::BottomUp, Method::ControlledBias, Method::Climb, Method::Tridagon];

    /// Returns the name of the method.
    pub const fn name(self) -> &'static str {
        match self {
            Method::TopDown => "top-down",
            Method::BottomUp => "bottom-up",
            Method::ControlledBias => "controlled-bias",
            Method::Climb => "climb",
            Method::Tridagon => "tridagon",
        }
    }

    /// Returns a description of the method for help texts, in one line.
    pub const fn about(self) -> &'static str {
        match self {
            Method::TopDown => "start with a full grid and remove clues in a random order",
            Method::BottomUp => "add random clues until there is one solution, then remove redundant clues",
            Method::ControlledBias => {
                "draw from all minimal puzzles, each with a weight; thousands of times slower than top-down"
            }
            Method::Climb => {
                "change a minimal puzzle step by step until it meets the request; for rare requests"
            }
            Method::Tridagon => {
                "start with a pattern that resists trial and error; for depth2 and ratings of 8.5 or more"
            }
        }
    }

    /// Builds the generator for a SIMD level. The generator stops when `cancel` becomes true.
    pub(super) fn build(self, level: Level, cancel: &Arc<AtomicBool>) -> Result<MethodGenerator, LevelError> {
        Ok(match self {
            // A climb starts with puzzles that are made from the top down. `tridagon` has no generator of its own: see `Maker`.
            Method::TopDown | Method::Climb | Method::Tridagon => {
                MethodGenerator::TopDown(TopDown::new(level)?.cancel(Arc::clone(cancel)))
            }
            Method::BottomUp => MethodGenerator::BottomUp(BottomUp::new(level)?.cancel(Arc::clone(cancel))),
            Method::ControlledBias => {
                MethodGenerator::ControlledBias(ControlledBias::new(level)?.cancel(Arc::clone(cancel)))
            }
        })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(name: &str) -> Result<Method, MethodError> {
        let found = Method::ALL.into_iter().find(|method| method.name() == name);
        found.ok_or_else(|| MethodError(name.to_owned()))
    }
}

#[derive(Debug)]
pub(super) enum MethodGenerator {
    TopDown(TopDown),
    BottomUp(BottomUp),
    ControlledBias(ControlledBias),
}

impl MethodGenerator {
    /// Appends one puzzle to `made` for each number in `numbers`. A puzzle depends only on the seed and its number. Returns false if the
    /// work was cancelled.
    pub(super) fn make(&mut self, seed: u64, numbers: Range<u64>, made: &mut Vec<Made>) -> bool {
        match self {
            MethodGenerator::TopDown(top_down) => top_down.make(seed, numbers, made),
            MethodGenerator::BottomUp(bottom_up) => bottom_up.make(seed, numbers, made),
            MethodGenerator::ControlledBias(biased) => biased.make(seed, numbers, made),
        }
    }
}
