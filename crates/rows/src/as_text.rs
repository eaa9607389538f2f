//! Reads and writes the values of options with serde, for example from the text that a user types: `#[serde(with = "as_text")]`,
//! `#[serde(deserialize_with = "as_text::option")]`. Also has a macro that declares a table of formats, which are parsed from their names.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

use crate::values;

/// Declares the table of formats for the type `$entry`. The table holds the formats of this package and the formats that another package
/// adds. An `$entry` is a reference to a `$spec`, which has the properties of the format. Two entries are equal if their names are equal.
/// An entry is parsed from its name and printed as its name. Error messages call an entry `$what`.
macro_rules! format_table {
    ($entry:ident, $spec:ident, $what:literal; $($(#[doc = $doc:literal])* $name:ident => $own:expr,)*) => {
        /// The formats of other packages.
        static ADDED: std::sync::OnceLock<Vec<$entry>> = std::sync::OnceLock::new();

        /// Adds formats of another package. Only the first call counts.
        pub(crate) fn add(formats: Vec<$entry>) {
            let _ = ADDED.set(formats);
        }

        impl $entry {
            $($(#[doc = $doc])* pub const $name: $entry = $entry({ static SPEC: $spec = $own; &SPEC });)*

            /// The formats of this package.
            const OWN: &'static [$entry] = &[$($entry::$name),*];

            /// Returns the format with these properties.
            pub const fn new(spec: &'static $spec) -> $entry {
                $entry(spec)
            }

            /// Returns all formats, in the order in which they are listed: the formats of this package, then those that were
            /// [added](crate::add_formats).
            pub fn all() -> impl Iterator<Item = $entry> {
                $entry::OWN.iter().chain(ADDED.get().into_iter().flatten()).copied()
            }

            /// Returns the name of the format on the command line and in records.
            pub fn name(self) -> &'static str {
                self.0.name
            }
        }

        /// Makes the properties of the format readable as fields of the entry.
        impl std::ops::Deref for $entry {
            type Target = $spec;

            fn deref(&self) -> &$spec {
                self.0
            }
        }

        impl PartialEq for $entry {
            fn eq(&self, other: &$entry) -> bool {
                self.name() == other.name()
            }
        }

        impl Eq for $entry {}

        impl std::fmt::Debug for $entry {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::fmt::Display for $entry {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $entry {
            type Err = crate::option_error::OptionError;

            fn from_str(name: &str) -> Result<$entry, crate::option_error::OptionError> {
                let unknown =
                    || crate::option_error::OptionError::new(format!("`{name}` is not an {}", $what));
                $entry::all().find(|entry| entry.name() == name).ok_or_else(unknown)
            }
        }
    };
}
pub(crate) use format_table;

pub(crate) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    String::deserialize(deserializer)?.parse().map_err(Error::custom)
}

/// Parses the text of a value that may be left out.
pub(crate) fn option<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.trim().parse()).transpose().map_err(Error::custom)
}

/// Parses a list of texts, or one text with commas.
pub(crate) fn list<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let texts = texts(deserializer)?.unwrap_or_default();
    let words = texts.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| word.parse().map_err(Error::custom)).collect()
}

/// Reads a number, a list of numbers, or a text of numbers with commas between them.
pub(crate) fn numbers<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: FromStr<Err: Display> + Deserialize<'de>,
    D: Deserializer<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a whole number or a list of them")]
    enum Numbers<T> {
        One(T),
        Many(Vec<T>),
        Text(String),
    }
    match Option::<Numbers<T>>::deserialize(deserializer)? {
        None => Ok(Vec::new()),
        Some(Numbers::One(number)) => Ok(vec![number]),
        Some(Numbers::Many(numbers)) => Ok(numbers),
        Some(Numbers::Text(text)) => {
            text.split(',').map(|number| number.trim().parse().map_err(Error::custom)).collect()
        }
    }
}

/// Parses a value from one text, or from a list of texts that are first joined with commas.
pub(crate) fn joined<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    texts(deserializer)?.map(|texts| texts.join(",").parse()).transpose().map_err(Error::custom)
}

/// Reads one text, or a list of texts.
pub(crate) fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a text or a list of texts")]
    enum Texts {
        One(String),
        Many(Vec<String>),
    }
    Ok(Option::<Texts>::deserialize(deserializer)?.map(|texts| match texts {
        Texts::One(text) => vec![text],
        Texts::Many(texts) => texts,
    }))
}

/// Reads a name and returns the value of `all` that has this name. Returns `None` if there is no name.
pub(crate) fn named<'de, T: Copy, D: Deserializer<'de>>(
    deserializer: D,
    all: impl IntoIterator<Item = T>,
    name_of: impl Fn(T) -> &'static str,
) -> Result<Option<T>, D::Error> {
    let Some(name) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let mut known = Vec::new();
    for value in all {
        if name_of(value) == name {
            return Ok(Some(value));
        }
        known.push(name_of(value));
    }
    Err(Error::custom(format!("`{name}` is unknown; choose from {}", known.join(", "))))
}

/// Reads a range: a number, two numbers, or a text such as `22..30`.
pub(crate) fn range<'de, T, D>(deserializer: D) -> Result<Option<RangeInclusive<T>>, D::Error>
where
    T: TryFrom<u64> + Clone + Deserialize<'de>,
    D: Deserializer<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a number, two numbers or a text such as 22..30")]
    enum Range<T> {
        Number(T),
        Both(T, T),
        Text(String),
    }
    Ok(match Option::<Range<T>>::deserialize(deserializer)? {
        None => None,
        Some(Range::Number(number)) => Some(number.clone()..=number),
        Some(Range::Both(least, most)) => Some(least..=most),
        Some(Range::Text(text)) => Some(values::range(&text).map_err(Error::custom)?),
    })
}

/// Reads a rating, given as a number or as a text such as `4.2`. Returns the rating in tenths, such as 42.
pub(crate) fn rating<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a rating such as 4.2")]
    enum Rating {
        Number(f64),
        Text(String),
    }
    let text = Option::<Rating>::deserialize(deserializer)?.map(|rating| match rating {
        Rating::Number(number) => number.to_string(),
        Rating::Text(text) => text,
    });
    let rating = |text: String| values::rating(text.trim()).map_err(|remedy| format!("{text}: {remedy}"));
    text.map(rating).transpose().map_err(Error::custom)
}

/// Reads a time longer than 0: a number of seconds, or a text such as `80ms`.
pub(crate) fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected seconds or a text such as 80ms")]
    enum Time {
        Seconds(f64),
        Text(String),
    }
    let is_time = |time: &Duration| !time.is_zero();
    Ok(match Option::<Time>::deserialize(deserializer)? {
        None => None,
        Some(Time::Seconds(seconds)) => {
            let time = Duration::try_from_secs_f64(seconds).ok().filter(is_time);
            Some(time.ok_or_else(|| Error::custom(format!("{seconds}: give seconds above 0, such as 0.5")))?)
        }
        Some(Time::Text(text)) => Some(values::positive_duration(&text).map_err(Error::custom)?),
    })
}
