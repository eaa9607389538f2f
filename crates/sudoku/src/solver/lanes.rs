//! Words of three cells, and the integer operations that find singles and pairs in them.
//!
//! A minirow (three cells where a box meets a row) stands in one `u32`, ten bits (a lane) for each cell:
//!
//! ```text
//! bit       29    28..20       19    18..10        9     8..0
//!         filled  9 .. 1     filled  9 .. 1     filled  9 .. 1
//!         - third cell --    - second cell -    - first cell --
//! ```
//!
//! A filled cell has no candidates, only the flag `filled`.

/// The bits of a cell.
pub(super) const LANE: u32 = 10;
/// The lowest bit of each cell of a minirow.
pub(super) const EACH_CELL: u32 = 1 | 1 << LANE | 1 << (2 * LANE);
/// The flag `filled` of each cell of a minirow.
pub(super) const FILLED: u32 = EACH_CELL << 9;
/// The nine digits of one cell.
pub(super) const ALL_DIGITS: u32 = 0x1ff;
/// The nine digits of each cell of a minirow.
pub(super) const ALL_CANDIDATES: u32 = EACH_CELL * ALL_DIGITS;

/// Counts the places of every digit at once, up to "two or more": bit by bit over words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    pub(super) once: u32,
    pub(super) twice: u32,
}

impl Tally {
    /// Counts the places in three words.
    pub(super) fn of([first, second, third]: [u32; 3]) -> Tally {
        Tally { once: first | second | third, twice: first & second | (first | second) & third }
    }

    /// The sum of three counts.
    pub(super) fn merge(tallies: [Tally; 3]) -> Tally {
        let [first, second, third] = tallies.map(|tally| tally.twice);
        let Tally { once, twice } = Tally::of(tallies.map(|tally| tally.once));
        Tally { once, twice: twice | first | second | third }
    }

    /// The sum over the three cells' lanes, in the lowest lane.
    pub(super) fn folded(self) -> Tally {
        Tally::merge(
            [0, LANE, 2 * LANE].map(|shift| Tally { once: self.once >> shift, twice: self.twice >> shift }),
        )
    }

    /// The bits counted once.
    pub(super) fn alone(self) -> u32 {
        self.once & !self.twice
    }
}

/// The digits of one cell in all three.
pub(super) fn in_each_cell(digits: u32) -> u32 {
    digits | digits << LANE | digits << (2 * LANE)
}

/// The candidates' bits of each lane that has one bit set, be it a candidate or the flag `filled`.
pub(super) fn lanes_with_one(word: u32) -> u32 {
    let without_lowest = word & word.wrapping_sub(EACH_CELL);
    let none_left = FILLED & !has_low_bits(without_lowest);
    none_left - (none_left >> 9)
}

/// Some bit of each lane that has two bits set; a lane's flag `filled` is its only bit.
pub(super) fn lanes_with_two(word: u32) -> u32 {
    let without_lowest = word & word.wrapping_sub(EACH_CELL);
    let without_two = without_lowest & ((without_lowest | FILLED) - EACH_CELL);
    has_low_bits(without_lowest) & !has_low_bits(without_two)
}

/// The flag bit of each lane that has one of its lower bits set.
pub(super) fn has_low_bits(word: u32) -> u32 {
    ((word & ALL_CANDIDATES) + ALL_CANDIDATES) & FILLED
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word of three lanes, the first cell's first.
    fn word(lanes: [u32; 3]) -> u32 {
        lanes[2] << 20 | lanes[1] << 10 | lanes[0]
    }

    #[test]
    fn a_lane_with_one_bit_is_found_beside_any_other() {
        assert_eq!(lanes_with_one(word([0x001, 0x003, 0x100])), word([0x1ff, 0, 0x1ff]));
        assert_eq!(lanes_with_one(word([0x1ff, 0x010, 0x180])), word([0, 0x1ff, 0]));
        assert_eq!(
            word([0x200, 0x200, 0x020]) & lanes_with_one(word([0x200, 0x200, 0x020])),
            word([0, 0, 0x020])
        );
    }

    #[test]
    fn lanes_with_two_bits_are_found_beside_any_other() {
        assert_eq!(lanes_with_two(word([0x101, 0x200, 0x200])), word([0x200, 0, 0]));
        assert_eq!(lanes_with_two(word([0x200, 0x003, 0x007])), word([0, 0x200, 0]));
        assert_eq!(lanes_with_two(word([0x1ff, 0x200, 0x180])), word([0, 0, 0x200]));
        assert_eq!(lanes_with_two(word([0x1ff, 0x200, 0x00e])), 0);
    }

    #[test]
    fn a_tally_tells_one_place_from_none_and_several() {
        let tally =
            Tally::of([word([0, 0b0101, 0b0010]), word([0, 0, 0b1001]), word([0, 0, 0b0010])]).folded();
        assert_eq!(tally.alone() & ALL_DIGITS, 0b1100);
        assert_eq!(tally.once & ALL_DIGITS, 0b1111);
    }
}
