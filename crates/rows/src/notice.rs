//! Notices about rows, for the user.

use serde::{Deserialize, Serialize};

/// A notice about a row: see [`NoticeKind`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// The kind of notice.
    pub kind: NoticeKind,
    /// The number of the input, from 0.
    pub input: usize,
    /// The line in that input, or the number of the row in a table, from 1.
    pub line: u64,
    /// Text of the notice, as in the column `note`.
    pub text: String,
}

/// The kinds of notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoticeKind {
    /// A row that holds no puzzle.
    Malformed,
    /// An answer that differs from the expected solution, unless any solution is allowed and both are correct.
    Mismatch,
    /// A solver's grid that the referee refused.
    Refused,
}

impl NoticeKind {
    /// All kinds, in the order in which the notices are listed.
    pub const ALL: [NoticeKind; 3] = [NoticeKind::Malformed, NoticeKind::Mismatch, NoticeKind::Refused];

    /// Returns the words that describe a row with a notice of this kind.
    pub fn words(self) -> &'static str {
        match self {
            NoticeKind::Malformed => "malformed",
            NoticeKind::Mismatch => "differs from the expected solution",
            NoticeKind::Refused => "wrong answer of the solver",
        }
    }

    /// Maximum number of notices of each kind. Later notices are dropped, but the [`Tally`](crate::Tally) counts their rows.
    pub const KEPT: usize = 5;
}

/// The first notices of each kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notices(pub(crate) Vec<Notice>);

impl Notices {
    pub(crate) fn has_room(&self, kind: NoticeKind) -> bool {
        self.0.iter().filter(|other| other.kind == kind).count() < NoticeKind::KEPT
    }

    /// Adds the notices of later rows, up to the maximum number of each kind.
    pub(crate) fn append(&mut self, later: &mut Notices) {
        for notice in later.0.drain(..) {
            if self.has_room(notice.kind) {
                self.0.push(notice);
            }
        }
    }
}
