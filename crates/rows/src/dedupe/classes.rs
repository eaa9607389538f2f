//! Recognises grids that occurred before, by their fingerprints.

use hashbrown::HashTable;

use crate::pass_error::PassError;

/// Classes of grids, numbered in the order of their first occurrence.
///
/// A class needs 24 bytes for its fingerprint and count. The hash table needs five bytes for each of its places, and between 7/16 and 7/8
/// of the places are used. In total, a class needs 30 to 36 bytes, without the spare capacity of the lists.
#[derive(Default)]
pub(super) struct Classes {
    fingerprints: Vec<u128>,
    counts: Vec<u64>,
    /// Hash table that maps each fingerprint to its class: its index in `fingerprints` and in `counts`.
    numbers: HashTable<u32>,
}

pub(super) struct Added {
    pub(super) class: u32,
    pub(super) is_first: bool,
}

impl Classes {
    /// Adds a grid.
    ///
    /// # Errors
    ///
    /// [`PassError::Memory`] if the memory is full, and [`PassError::TooMany`] if there are more than 2³² - 1 classes.
    pub(super) fn add(&mut self, fingerprint: u128) -> Result<Added, PassError> {
        let Classes { fingerprints, counts, numbers } = self;
        let known = numbers.find(hash(fingerprint), |&class| fingerprints[class as usize] == fingerprint);
        if let Some(&class) = known {
            counts[class as usize] += 1;
            return Ok(Added { class, is_first: false });
        }
        // The number `u32::MAX` is not given to a class, because it stands for a row without a class.
        let class = u32::try_from(fingerprints.len()).ok().filter(|&class| class < u32::MAX);
        let class = class.ok_or(PassError::TooMany)?;
        if !self.has_room() {
            return Err(PassError::Memory { classes: class.into() });
        }
        let Classes { fingerprints, counts, numbers } = self;
        fingerprints.push(fingerprint);
        counts.push(1);
        numbers.insert_unique(hash(fingerprint), class, |&class| hash(fingerprints[class as usize]));
        Ok(Added { class, is_first: true })
    }

    /// Reserves memory for one more class. Returns whether there was enough memory.
    fn has_room(&mut self) -> bool {
        let Classes { fingerprints, counts, numbers } = self;
        fingerprints.try_reserve(1).is_ok()
            && counts.try_reserve(1).is_ok()
            && numbers.try_reserve(1, |&class| hash(fingerprints[class as usize])).is_ok()
    }

    /// Returns the number of rows of each class.
    pub(super) fn into_counts(self) -> Vec<u64> {
        self.counts
    }
}

/// Returns the half of a fingerprint that the hash table uses. `--part` uses the other half.
fn hash(fingerprint: u128) -> u64 {
    fingerprint as u64
}
