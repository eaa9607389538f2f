//! Values that serde stores as the text that they are parsed from: `#[serde(with = "as_text")]`.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize as _, Deserializer, Serializer};

/// Stores a value as its text.
pub(crate) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Parses the text of a value.
pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}
