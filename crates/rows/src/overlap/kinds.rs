//! Sets of kinds of overlap.

use std::fmt;
use std::str::FromStr;

use crate::facts::Overlap;
use crate::option_error::OptionError;
use crate::tally::Tally;

/// A set of kinds of [`Overlap`]. The text form of the set is the names of the kinds, separated by commas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlaps(u8);

impl Overlaps {
    /// The empty set.
    pub const NONE: Overlaps = Overlaps(0);
    /// The set of all kinds.
    pub const ALL: Overlaps = Overlaps(0b1111);

    /// Returns whether the set contains a kind.
    #[inline]
    pub fn has(self, overlap: Overlap) -> bool {
        self.0 & Overlaps::from(overlap).0 != 0
    }

    /// Returns the kinds, the strongest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Overlap> {
        Overlap::ALL.iter().copied().filter(move |&overlap| self.has(overlap))
    }

    /// Returns whether the set is empty.
    pub fn is_empty(self) -> bool {
        self == Overlaps::NONE
    }

    /// Returns the strongest kind.
    #[inline]
    pub fn strongest(self) -> Option<Overlap> {
        Overlap::ALL.get(self.0.trailing_zeros() as usize).copied()
    }

    /// Returns the intersection of two sets.
    #[must_use]
    pub fn and(self, other: Overlaps) -> Overlaps {
        Overlaps(self.0 & other.0)
    }

    /// Adds a kind.
    #[inline]
    #[must_use]
    pub fn with(self, overlap: Overlap) -> Overlaps {
        Overlaps(self.0 | Overlaps::from(overlap).0)
    }

    /// Returns the number of the set, 0 to 15: one bit for each kind. The strongest kind has the lowest bit.
    #[inline]
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns the set with this [number](Overlaps::number). Only the four lowest bits are used.
    #[inline]
    pub fn from_number(number: u8) -> Overlaps {
        Overlaps(number & Overlaps::ALL.0)
    }
}

impl From<Overlap> for Overlaps {
    #[inline]
    fn from(overlap: Overlap) -> Overlaps {
        Overlaps(1 << overlap as u8)
    }
}

impl fmt::Display for Overlaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().map(Overlap::name).collect::<Vec<_>>().join(","))
    }
}

impl Overlaps {
    /// Returns the number of rows whose set of overlaps satisfies `is_meant`. `tally` is from the run that compared the rows with TRAIN.
    pub fn rows_of(tally: &Tally, is_meant: impl Fn(Overlaps) -> bool) -> u64 {
        let marked = tally.marked.iter().enumerate();
        marked
            .filter(|(number, _)| is_meant(Overlaps::from_number(*number as u8)))
            .map(|(_, rows)| rows)
            .sum()
    }
}

impl FromStr for Overlaps {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Overlaps, OptionError> {
        let mut read = Overlaps::NONE;
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let overlap: Overlap = name.parse().map_err(|_| {
                OptionError::new(format!(
                    "`{name}` is not a kind of overlap; choose from {}",
                    Overlap::NAMES.join(", ")
                ))
            })?;
            read = read.with(overlap);
        }
        if read.is_empty() {
            let known = Overlap::NAMES.join(", ");
            let message = format!("name kinds of overlap, such as text,isomorph; choose from {known}");
            return Err(OptionError::new(message));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_parsed_and_displayed_by_names() {
        assert_eq!(Overlap::ALL.iter().map(|overlap| overlap.name()).collect::<Vec<_>>(), Overlap::NAMES);
        let read = |text: &str| text.parse::<Overlaps>();
        assert_eq!(read("solution, text,text").unwrap().to_string(), "text,solution");
        assert_eq!(read("text,isomorph,solution,solution_isomorph"), Ok(Overlaps::ALL));
        let refused = |text: &str| read(text).unwrap_err().to_string();
        assert!(refused("texts").starts_with("`texts` is not a kind of overlap; choose from text, isomorph"));
        assert!(refused(" ,").starts_with("name kinds of overlap, such as text,isomorph"));
        for number in 0..=Overlaps::ALL.number() {
            assert_eq!(Overlaps::from_number(number).number(), number);
        }
    }

    #[test]
    fn the_strongest_is_the_first_of_the_list() {
        assert_eq!(Overlaps::NONE.strongest(), None);
        assert_eq!(Overlaps::ALL.strongest(), Some(Overlap::Text));
        let weak = Overlaps::from(Overlap::SolutionIsomorph).with(Overlap::Solution);
        assert_eq!(weak.strongest(), Some(Overlap::Solution));
        assert_eq!(weak.and(Overlap::SolutionIsomorph.into()).strongest(), Some(Overlap::SolutionIsomorph));
    }
}
