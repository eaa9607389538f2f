//! Why a text is not the value of an option.

/// Why a text is not the value of an option: what is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OptionError(String);

impl OptionError {
    /// Makes an error with this message.
    pub(crate) fn new(message: impl Into<String>) -> OptionError {
        OptionError(message.into())
    }
}
