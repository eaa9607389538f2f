//! The rows that the user is told about.

use serde::{Deserialize, Serialize};

/// A row that deserves a word: a malformed one, a mismatch, a refused grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// What it is about.
    pub kind: NoticeKind,
    /// The number of the input, from 0.
    pub input: usize,
    /// The line in that input, from 1.
    pub line: u64,
    /// What is wrong.
    pub text: String,
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoticeKind {
    /// A row that holds no puzzle.
    Malformed,
    /// An answer unlike the expected solution.
    Mismatch,
    /// A solver's grid that the referee refused.
    Refused,
}

impl NoticeKind {
    /// All kinds, in the order of every list.
    pub const ALL: [NoticeKind; 3] = [NoticeKind::Malformed, NoticeKind::Mismatch, NoticeKind::Refused];

    /// Notices of a kind that are kept: the first ones. How many there are in all is in the [`Tally`](crate::Tally).
    pub const KEPT: usize = 5;
}

/// The first notices of each kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notices(pub(crate) Vec<Notice>);

impl Notices {
    /// Returns whether another notice of this kind is kept.
    pub(crate) fn has_room(&self, kind: NoticeKind) -> bool {
        self.0.iter().filter(|other| other.kind == kind).count() < NoticeKind::KEPT
    }

    /// Adds those of a later block.
    pub(crate) fn append(&mut self, later: &mut Notices) {
        for notice in later.0.drain(..) {
            if self.has_room(notice.kind) {
                self.0.push(notice);
            }
        }
    }
}
