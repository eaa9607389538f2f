//! Reads options from keywords with JSON values, for example from Python.

use serde::de::{DeserializeOwned, Deserializer, Error, Visitor, value};
use serde_json::{Map, Value};

use crate::option_error::OptionError;

/// Parses options from keywords, each of which must be the name of an option.
///
/// # Errors
///
/// [`OptionError`] if an option is unknown, is missing or has an impossible value.
pub(crate) fn read<T: DeserializeOwned>(keywords: Map<String, Value>) -> Result<T, OptionError> {
    let names = names_of::<T>();
    T::deserialize(Value::Object(keywords.clone())).map_err(|error| {
        let message = error.to_string();
        if message.starts_with("missing field") {
            return OptionError::new(message.replace("missing field", "give the option"));
        }
        // A keyword is at fault if parsing it without the other keywords causes the same error as parsing all keywords.
        let is_at_fault = |name: &&&str| {
            let Some(value) = keywords.get(**name) else { return false };
            let alone = T::deserialize(Value::Object(Map::from_iter([((**name).to_owned(), value.clone())])));
            alone.is_err_and(|alone| alone.to_string() == message)
        };
        let option = names.iter().find(is_at_fault).copied();
        let given = option.and_then(|option| keywords.get(option));
        OptionError { option, message: given.and_then(|value| remedy(&message, value)).unwrap_or(message) }
    })
}

/// Returns advice if `value` has the wrong type or is out of range: which values are allowed. `message` is the message of serde, such as
/// `invalid type: string "x", expected u64`. Returns `None` for any other message.
fn remedy(message: &str, value: &Value) -> Option<String> {
    if !message.starts_with("invalid ") && !message.starts_with("expected ") {
        return None;
    }
    let (_, expected) = message.rsplit_once("expected ")?;
    let expected = match expected {
        "u64" | "usize" => format!("a whole number from 0 to {}", u64::MAX),
        "a nonzero u64" | "a nonzero usize" => format!("a whole number from 1 to {}", u64::MAX),
        "a nonzero u32" => format!("a whole number from 1 to {}", u32::MAX),
        "f64" => "a number".to_owned(),
        "a string" => "a text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        other => other.to_owned(),
    };
    Some(format!("give {expected}, not {value}"))
}

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
        #[serde(deserialize_with = "crate::as_text::texts")]
        names_of: Option<Vec<String>>,
    }

    impl Default for Options {
        fn default() -> Options {
            Options { limit: 7, name: None, names_of: None }
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
        assert_eq!(
            refused(json!({ "limit": "x", "name": "a" })),
            "limit: give a whole number from 0 to 18446744073709551615, not \"x\""
        );
        assert_eq!(refused(json!({ "name": 5 })), "name: give a text, not 5");
        assert_eq!(refused(json!({ "names_of": 5 })), "names_of: give a text or a list of texts, not 5");
    }

    #[test]
    fn keywords_are_routed_by_their_names() {
        let mut all = keywords(json!({ "limit": 1, "other": 2 }));
        assert_eq!(split_off(&mut all, names_of::<Options>()), keywords(json!({ "limit": 1 })));
        assert_eq!(all, keywords(json!({ "other": 2 })));
    }
}
