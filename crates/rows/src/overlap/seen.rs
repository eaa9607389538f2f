//! A set of fingerprints, each with the place of its first occurrence.

use twox_hash::XxHash3_128;

/// Place of a row: the number of its input from 0, and its line from 1 (in a table, the number of the row). Places are ordered like the
/// rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowPlace(u64);

impl RowPlace {
    /// Largest number of inputs.
    pub const MOST_INPUTS: usize = 1 << 16;
    /// Number of bits for the line.
    const LINE: u32 = 44;

    /// Returns the place of a row. All lines of an input from line 2^44 - 1 (17 trillion) on have the same place.
    ///
    /// # Panics
    ///
    /// If there are more than [`RowPlace::MOST_INPUTS`] inputs.
    #[inline]
    pub fn new(input: usize, line: u64) -> RowPlace {
        assert!(
            input < RowPlace::MOST_INPUTS,
            "there are too many inputs: the maximum is {}",
            RowPlace::MOST_INPUTS
        );
        RowPlace((input as u64) << RowPlace::LINE | line.min((1 << RowPlace::LINE) - 1))
    }

    /// The number of the input, from 0.
    #[inline]
    pub fn input(self) -> usize {
        (self.0 >> RowPlace::LINE) as usize
    }

    /// The line, from 1.
    #[inline]
    pub fn line(self) -> u64 {
        self.0 & ((1 << RowPlace::LINE) - 1)
    }

    /// Returns a number of 60 bits for the place.
    #[inline]
    pub(super) fn number(self) -> u64 {
        self.0
    }

    #[inline]
    pub(super) fn from_number(number: u64) -> RowPlace {
        RowPlace(number)
    }
}

/// A fingerprint and a place where it occurs. The fingerprint is stored in halves, because an entry with a `u128` would need padding bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    fingerprint: [u64; 2],
    place: RowPlace,
}

/// Number of bytes for each different fingerprint.
pub(super) const ENTRY_BYTES: usize = size_of::<Entry>();

/// Fingerprints with their places: first the sorted entries, whose fingerprints all differ, then the entries that were added after the last
/// sort.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    entries: Vec<Entry>,
    /// Number of sorted entries, which are the first in `entries`. Their fingerprints all differ.
    settled: usize,
}

/// Number of added entries before the first sort.
const FIRST: usize = 1 << 16;

impl Seen {
    pub(super) fn add(&mut self, fingerprint: u128, place: RowPlace) {
        // Sorting removes entries with repeated fingerprints. So the number of stored entries is at most [`FIRST`], or twice the number of
        // different fingerprints if that is more.
        if self.entries.len() >= FIRST.max(2 * self.settled) {
            self.settle();
        }
        self.entries.push(Entry { fingerprint: halves(fingerprint), place });
    }

    /// Sorts the entries and keeps the first entry of each fingerprint, so that fingerprints can be looked up.
    pub(super) fn settle(&mut self) {
        if self.settled == self.entries.len() {
            return;
        }
        self.entries.sort_unstable();
        self.entries.dedup_by_key(|entry| entry.fingerprint);
        self.settled = self.entries.len();
    }

    /// Returns the first place of a fingerprint. Finds only entries that are [settled](Seen::settle).
    #[inline]
    pub(super) fn place(&self, fingerprint: u128) -> Option<RowPlace> {
        let fingerprint = halves(fingerprint);
        let entries = &self.entries[..self.settled];
        let found = entries.binary_search_by_key(&fingerprint, |entry| entry.fingerprint).ok()?;
        Some(entries[found].place)
    }

    /// Returns the number of different fingerprints. Call [`Seen::settle`] first, because only settled entries are counted.
    pub(super) fn len(&self) -> usize {
        self.settled
    }

    /// Returns a digest of the entries, which does not depend on their order.
    pub(super) fn digest(&self) -> u128 {
        let of_entry = |entry: &Entry| {
            let [high, low] = entry.fingerprint;
            let numbers = [high, low, entry.place.number()].map(u64::to_le_bytes);
            XxHash3_128::oneshot(numbers.as_flattened())
        };
        self.entries.iter().map(of_entry).fold(0, u128::wrapping_add)
    }
}

fn halves(fingerprint: u128) -> [u64; 2] {
    [(fingerprint >> 64) as u64, fingerprint as u64]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_place_of_each_fingerprint_is_found() {
        let mut seen = Seen::default();
        // More entries than [`FIRST`], so they are sorted several times. Each fingerprint is added five times. Half of the fingerprints
        // differ only in their upper 64 bits, the others only in their lower 64 bits.
        let fingerprint = |number: u64| u128::from(number * 7919 % 50_021) << (number % 2 * 64);
        for line in 0..250_000_u64 {
            seen.add(fingerprint(line % 50_000), RowPlace::new((line / 100_000) as usize, line + 1));
        }
        seen.settle();
        assert_eq!(seen.len(), 50_000);
        assert!(seen.entries.capacity() <= 300_000, "{}", seen.entries.capacity());
        for line in 0..50_000 {
            assert_eq!(seen.place(fingerprint(line)), Some(RowPlace::new(0, line + 1)));
        }
        assert_eq!(seen.place(u128::MAX), None);
        assert_eq!(Seen::default().place(0), None);
    }

    #[test]
    fn places_are_ordered_as_rows_are() {
        let place = RowPlace::new(3, 12);
        assert_eq!((place.input(), place.line()), (3, 12));
        assert!(RowPlace::new(2, u64::MAX) < place && place < RowPlace::new(3, 13));
        assert_eq!(RowPlace::from_number(place.number()), place);
    }
}
