//! Finds the overlap of two datasets, TRAIN and TEST: equal puzzles, isomorphic puzzles, equal solution grids, isomorphic solution grids.
//!
//! ```text
//! TRAIN -> Training       a set of fingerprints for each kind of overlap: of its puzzles, of their canonical forms and so on
//! TEST  -> FoundOverlaps  the sets that contain a row's fingerprints, and the place of the first TRAIN row with the strongest overlap
//! ```

mod columns;
mod kinds;
mod seen;

pub use crate::facts::Overlap;
pub use columns::{COLUMNS, PRINTS};
pub use kinds::Overlaps;
pub use seen::RowPlace;

use strum::VariantArray as _;
use sudobench_sudoku::Status;

use crate::answers::AnsweredRow;
use crate::answers::Marks;
use crate::facts::{CanonicalForm, CanonicalSolution, Need};
use crate::fingerprint;
use seen::{ENTRY_BYTES, Seen};

/// The contents of a dataset as fingerprints of 128 bits: see [`fingerprint`] for the probability that two different grids have the same
/// fingerprint.
#[derive(Clone, Debug)]
pub struct Training {
    by: Overlaps,
    /// The fingerprints of each kind, in the order of [`Overlap::ALL`].
    seen: [Seen; 4],
}

impl Training {
    /// Number of bytes of a stored fingerprint with its place. Each different puzzle needs at most one such entry for each kind of overlap.
    /// While rows are added, repeated fingerprints are stored too, until the next sort removes them.
    pub const BYTES: usize = ENTRY_BYTES;

    /// Makes a dataset without rows, for these kinds of overlap.
    pub fn new(by: Overlaps) -> Training {
        Training { by, seen: Default::default() }
    }

    /// Returns the kinds of overlap.
    pub fn by(&self) -> Overlaps {
        self.by
    }

    /// Returns what must be computed for a row before it is [added](Training::add) or [looked up](Training::find): facts, or the solver's
    /// outcome.
    pub fn needs(&self) -> Vec<Need> {
        self.by.iter().flat_map(Overlap::needs).copied().collect()
    }

    /// Adds a row. `input` is the number of its input, from 0. A row without a puzzle adds nothing.
    ///
    /// # Panics
    /// If there are more inputs than [`RowPlace::MOST_INPUTS`].
    pub fn add(&mut self, input: usize, row: &AnsweredRow) {
        self.add_fingerprints(RowPlace::new(input, row.row.line), |overlap| fingerprint_for(overlap, row));
    }

    /// Adds a row by its fingerprints: see [`fingerprint_for`].
    pub fn add_fingerprints(&mut self, place: RowPlace, fingerprints: impl Fn(Overlap) -> Option<u128>) {
        for overlap in self.by.iter() {
            if let Some(fingerprint) = fingerprints(overlap) {
                self.seen[overlap as usize].add(fingerprint, place);
            }
        }
    }

    /// Prepares for lookups, after all rows are added.
    pub fn settle(&mut self) {
        self.seen.iter_mut().for_each(Seen::settle);
    }

    /// Returns, depending on the kind of overlap, the number of different puzzles, of classes of isomorphic puzzles, of different solution
    /// grids, or of classes of isomorphic solution grids; 0 for a kind that is not in [`Training::by()`]. Call
    /// [`Training::settle`] first.
    pub fn distinct(&self, overlap: Overlap) -> u64 {
        self.seen[overlap as usize].len() as u64
    }

    /// Looks up the puzzle of a row in the dataset. Call [`Training::settle`] first.
    #[inline]
    pub fn find(&self, row: &AnsweredRow) -> FoundOverlaps {
        self.find_fingerprints(|overlap| fingerprint_for(overlap, row))
    }

    /// Looks up a row by its fingerprints: see [`fingerprint_for`].
    #[inline]
    pub fn find_fingerprints(&self, fingerprints: impl Fn(Overlap) -> Option<u128>) -> FoundOverlaps {
        let mut found = FoundOverlaps::default();
        for overlap in self.by.iter() {
            let place =
                fingerprints(overlap).and_then(|fingerprint| self.seen[overlap as usize].place(fingerprint));
            if let Some(place) = place {
                found = found.with(overlap, place);
            }
        }
        found
    }

    /// Returns a digest that identifies this dataset.
    pub fn digest(&self) -> u128 {
        self.seen.iter().fold(0, |digest: u128, seen| digest.rotate_left(1) ^ seen.digest())
    }
}

/// Returns the fingerprint of a row for a kind of overlap. The kind decides which grid has this fingerprint: the puzzle, its canonical
/// form, its only solution, or the canonical form of this solution. Returns `None` if the row has no such grid, or if the grid wasn't
/// computed.
#[inline]
pub fn fingerprint_for(overlap: Overlap, row: &AnsweredRow) -> Option<u128> {
    let unique = || row.outcome.filter(|outcome| outcome.status == Status::Unique);
    let values = match overlap {
        Overlap::Text => row.puzzle?.values(),
        Overlap::Isomorph => row.fact::<CanonicalForm>()?.form.values(),
        Overlap::Solution => unique()?.solution.as_ref()?.values(),
        Overlap::SolutionIsomorph => row.fact::<CanonicalSolution>()?.values(),
    };
    Some(fingerprint(values))
}

/// The overlaps of a puzzle with a dataset, and the place of the first row of the dataset with the strongest of these overlaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoundOverlaps {
    overlaps: Overlaps,
    place: Option<RowPlace>,
}

impl FoundOverlaps {
    /// Returns all kinds of overlap that were found.
    pub fn overlaps(self) -> Overlaps {
        self.overlaps
    }

    /// Returns the place of the first row with the [strongest](Overlaps::strongest) of these overlaps.
    pub fn place(self) -> Option<RowPlace> {
        self.place
    }

    /// Adds an overlap that is weaker than all overlaps found so far.
    fn with(self, overlap: Overlap, place: RowPlace) -> FoundOverlaps {
        FoundOverlaps { overlaps: self.overlaps.with(overlap), place: self.place.or(Some(place)) }
    }

    /// Returns these overlaps and the place as a number, which is the [mark](AnsweredRow::mark) of the row.
    pub fn mark(self) -> u64 {
        let place = self.place.map_or(0, RowPlace::number);
        place << 4 | u64::from(self.overlaps.number())
    }

    /// Returns the overlaps and the place from a mark.
    pub fn from_mark(mark: u64) -> FoundOverlaps {
        let overlaps = Overlaps::from_number(mark as u8);
        FoundOverlaps { overlaps, place: (!overlaps.is_empty()).then(|| RowPlace::from_number(mark >> 4)) }
    }
}

/// The choice of the rows of TEST that are written. It is parsed from its [name](Keep::name).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
pub enum Keep {
    /// The rows that overlap.
    #[default]
    Overlapping,
    /// The rows that don't overlap.
    Clean,
    /// All rows.
    All,
}

impl Keep {
    /// All choices, in the order in which help texts list them.
    pub const ALL: &'static [Keep] = Keep::VARIANTS;

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns one line of help.
    pub fn about(self) -> &'static str {
        match self {
            Keep::Overlapping => "rows that overlap with TRAIN",
            Keep::Clean => "rows that do not overlap with TRAIN: a test set without leaks",
            Keep::All => "all rows; the column `overlap` is empty if the row does not overlap",
        }
    }
}

/// Marks each row of TEST with its overlaps, and selects the rows to write. The [class](Marks::class) of a mark is its set of overlaps, as
/// the number that [`Overlaps::number`] returns.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The rows of TRAIN, in which the rows of TEST are looked up. Call [`Training::settle`] first.
    pub training: Training,
    /// The rows that are written.
    pub keep: Keep,
}

impl Marks for Compared {
    fn mark(&self, _input: usize, row: &AnsweredRow) -> Option<u64> {
        Some(self.training.find(row).mark())
    }

    fn keeps(&self, mark: u64) -> bool {
        let overlaps = !FoundOverlaps::from_mark(mark).overlaps.is_empty();
        match self.keep {
            Keep::Overlapping => overlaps,
            Keep::Clean => !overlaps,
            Keep::All => true,
        }
    }

    fn class(&self, mark: u64) -> usize {
        usize::from(FoundOverlaps::from_mark(mark).overlaps.number())
    }

    fn needs(&self) -> Vec<Need> {
        self.training.needs()
    }

    fn name(&self) -> String {
        let Compared { training, keep } = self;
        format!("overlap --keep {} --by {} TRAIN {:032x}", keep.name(), training.by, training.digest())
    }
}
