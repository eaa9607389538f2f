//! The error for invalid options.

use std::fmt;

/// An invalid option, or an invalid combination of options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct OptionError {
    /// The name of the option, which is shown before the message. `None` if no name is shown.
    pub option: Option<&'static str>,
    /// The fault, mostly with a remedy.
    pub message: String,
}

impl OptionError {
    /// Makes an error with this message.
    pub fn new(message: impl Into<String>) -> OptionError {
        OptionError { option: None, message: message.into() }
    }

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
