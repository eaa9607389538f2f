//! Which rows a run keeps.

use std::str::FromStr;

use sudobench_sudoku::Status;

/// The rows that are kept: those of some statuses, those unlike their expected solution, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Only {
    statuses: Vec<Status>,
    mismatches: bool,
}

/// Why a text does not tell which rows to keep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OnlyError {
    /// An item is neither a status nor `mismatch`.
    #[error("`{0}` is neither a status nor `mismatch`; there are {known}, mismatch", known = Status::ALL.map(Status::name).join(", "))]
    Unknown(String),
    /// Nothing would be kept.
    #[error("name the statuses of the rows to keep, such as unique,multiple")]
    Nothing,
}

impl Only {
    /// Whether a row of this status is kept, whose answer is the expected solution or not.
    pub fn keeps(&self, status: Option<Status>, is_match: Option<bool>) -> bool {
        status.is_some_and(|status| self.statuses.contains(&status))
            || self.mismatches && is_match == Some(false)
    }

    /// The statuses whose rows are kept.
    pub fn statuses(&self) -> &[Status] {
        &self.statuses
    }

    /// The names of what is kept, as they are read: `unique,mismatch`.
    pub fn names(&self) -> String {
        let statuses = self.statuses.iter().map(|status| status.name());
        statuses.chain(self.mismatches.then_some("mismatch")).collect::<Vec<_>>().join(",")
    }
}

impl FromStr for Only {
    type Err = OnlyError;

    /// Reads a comma-separated list of statuses, with `mismatch` for rows unlike their expected solution.
    fn from_str(text: &str) -> Result<Only, OnlyError> {
        let mut only = Only::default();
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            match Status::ALL.into_iter().find(|status| status.name() == item) {
                Some(status) if only.statuses.contains(&status) => {}
                Some(status) => only.statuses.push(status),
                None if item == "mismatch" => only.mismatches = true,
                None => return Err(OnlyError::Unknown(item.to_owned())),
            }
        }
        if only == Only::default() { Err(OnlyError::Nothing) } else { Ok(only) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_and_mismatches_are_read_and_others_named() {
        let read =
            |text: &str| text.parse::<Only>().map(|only| only.names()).map_err(|error| error.to_string());
        assert_eq!(read("multiple, unique,unique").as_deref(), Ok("multiple,unique"));
        assert_eq!(read("mismatch,aborted").as_deref(), Ok("aborted,mismatch"));
        assert!(
            read("uniq")
                .unwrap_err()
                .starts_with("`uniq` is neither a status nor `mismatch`; there are unique,")
        );
        assert!(read(",").unwrap_err().starts_with("name the statuses"));
    }
}
