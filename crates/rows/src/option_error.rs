//! The error for an invalid value of an option.

use std::fmt;

/// An invalid value of an option, with the fault and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct OptionError {
    /// The name of the option. `None` if the caller knows the option, or if the error belongs to no single option.
    pub option: Option<&'static str>,
    /// The fault and the remedy.
    pub message: String,
}

impl OptionError {
    /// Makes an error with this message.
    pub fn new(message: impl Into<String>) -> OptionError {
        OptionError { option: None, message: message.into() }
    }

    /// Names the option.
    pub(crate) fn about(self, option: &'static str) -> OptionError {
        OptionError { option: Some(option), ..self }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.option {
            Some(option) => write!(f, "{option}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}
