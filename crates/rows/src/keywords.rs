//! Reads options from keywords with JSON values, as Python and other programs pass them.

use serde::de::{DeserializeOwned, Deserializer, Error, Visitor, value};
use serde_json::{Map, Value};

use crate::option_error::OptionError;

/// Parses options from keywords, each of which is the name of an option.
///
/// # Errors
///
/// [`OptionError`] names the option that is unknown or missing, or has an impossible value.
pub(crate) fn read<T: DeserializeOwned>(keywords: Map<String, Value>) -> Result<T, OptionError> {
    let names = names_of::<T>();
    if let Some(unknown) = keywords.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(OptionError::new(format!(
            "there is no option `{unknown}`; choose from {}",
            names.join(", ")
        )));
    }
    T::deserialize(Value::Object(keywords.clone())).map_err(|error| {
        let message = error.to_string();
        if message.starts_with("missing field") {
            return OptionError::new(message.replace("missing field", "give"));
        }
        // A value is faulty if it causes the same error when it is the only keyword.
        let is_at_fault = |name: &&&str| {
            let Some(value) = keywords.get(**name) else { return false };
            let alone = T::deserialize(Value::Object(Map::from_iter([((**name).to_owned(), value.clone())])));
            alone.is_err_and(|alone| alone.to_string() == message)
        };
        let option = names.iter().find(is_at_fault).copied();
        let is_zero = message.contains("integer `0`, expected a nonzero");
        OptionError {
            option,
            message: if is_zero { "give 1 or more, or leave it out".to_owned() } else { in_words(message) },
        }
    })
}

/// Replaces the names of Rust types in a message with plain words.
fn in_words(message: String) -> String {
    [
        ("expected a nonzero u64", "expected a whole number from 1"),
        ("expected u64", "expected a whole number from 0"),
        ("expected f64", "expected a number"),
    ]
    .iter()
    .fold(message, |message, (rust, words)| message.replace(rust, words))
}

/// Removes the keywords with these names, and returns them with their values.
pub(crate) fn split_off(keywords: &mut Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    names.iter().filter_map(|name| keywords.remove_entry(*name)).collect()
}

/// Returns the names of the fields of a struct, as its `Deserialize` knows them.
pub(crate) fn names_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // The struct asks for its fields by name, and gets no values.
    let _ = T::deserialize(Names(&mut names));
    names
}

/// A deserializer without values. It stores the names of the fields that a struct requests.
struct Names<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, value::Error> {
        Err(value::Error::custom("this deserializer has only the names of fields"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, value::Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Options {
        limit: u64,
        name: Option<String>,
    }

    impl Default for Options {
        fn default() -> Options {
            Options { limit: 7, name: None }
        }
    }

    fn keywords(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn keywords_are_read_and_faults_named() {
        let options: Options = read(keywords(json!({ "name": "a" }))).unwrap();
        assert_eq!((options.limit, options.name.as_deref()), (7, Some("a")));
        let refused = |value| read::<Options>(keywords(value)).unwrap_err().to_string();
        assert_eq!(refused(json!({ "names": 1 })), "there is no option `names`; choose from limit, name");
        assert_eq!(
            refused(json!({ "limit": "x", "name": "a" })),
            "limit: invalid type: string \"x\", expected a whole number from 0"
        );
    }

    #[test]
    fn keywords_are_routed_by_their_names() {
        let mut all = keywords(json!({ "limit": 1, "other": 2 }));
        assert_eq!(split_off(&mut all, names_of::<Options>()), keywords(json!({ "limit": 1 })));
        assert_eq!(all, keywords(json!({ "other": 2 })));
    }
}
