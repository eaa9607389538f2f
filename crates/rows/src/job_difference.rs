//! Finds the first difference between two stored jobs, and describes it with the names of options.

use serde_json::{Map, Value, json};

/// Descriptions of fields that do not have the name of their option. A field is given by its path in the stored job. Any other field is
/// described by its name, written as an option: `solving.max_nodes` is `--max-nodes`.
const FIELDS: &[(&str, &str)] = &[
    ("board", "--output-format or --board"),
    ("expansion", "command"),
    ("expansion.transform", "--random, --apply or --to"),
    ("expansion.vicinity.distance", "DISTANCE"),
    ("isomorphs.forms", "--isomorphs"),
    ("layout.comment_column", "columns of the input"),
    ("layout.header", "--header or header of the input"),
    ("layout.input_columns", "columns of the input"),
    ("layout.label_column", "columns of the input"),
    ("layout.members", "columns of the input"),
    ("made", "command"),
    ("made.hardest", "--hardest or --hardest-engine"),
    ("made.hardest.solver", "--hardest or --hardest-engine"),
    ("made.path", "--technique, --hardest-technique, --min-se or --max-se"),
    ("made.path.hardest", "--hardest-technique"),
    ("made.path.ratings", "--min-se or --max-se (in tenths)"),
    ("made.path.techniques", "--technique"),
    ("marks", "command or options that choose rows"),
    ("output_compression", "compression of the output"),
    ("settings.predictions.groups", "--pass-at or --group-by"),
    ("solving", "command"),
    ("solving.answer", "--max-solutions or --budgets"),
    ("solving.max_time_per_puzzle", "--max-time-per-puzzle (in nanoseconds)"),
];

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// What differs, in the words of the user: the option, `input` and its number, or another text such as `columns of the input`.
    pub(crate) what: String,
    /// The value in the first job, for messages.
    pub(crate) then: String,
    /// The value in the second job, for messages.
    pub(crate) now: String,
}

/// Returns the first value that differs between two jobs.
pub(crate) fn difference(then: &Value, now: &Value) -> Option<Difference> {
    let differs = difference_at("", then, now)?;
    // If a job generates its rows, its limit is the number of rows to generate, which the option `--count` sets.
    let is_count = differs.what == "--limit" && now["made"].is_object();
    Some(if is_count { Difference { what: "--count".to_owned(), ..differs } } else { differs })
}

/// Returns the first difference between the values of the field at `path`.
fn difference_at(path: &str, then: &Value, now: &Value) -> Option<Difference> {
    if then == now || is_empty(then) && is_empty(now) {
        return None;
    }
    let field = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    let names = |value: &Value| value.as_object().map(|values| values.keys().cloned().collect::<Vec<_>>());
    let is_other_command =
        then.is_null() || now.is_null() || path == "expansion" && names(then) != names(now);
    match (then, now, path) {
        (_, _, "inputs") => Some(difference_of_inputs(then.as_array()?, now.as_array()?)),
        (Value::String(then), Value::String(now), "marks") => difference_of_marks(then, now),
        (_, _, "made" | "made.path" | "made.hardest" | "solving" | "expansion") if is_other_command => {
            Some(described(path, then, now))
        }
        (Value::Object(_) | Value::Null, Value::Object(_) | Value::Null, _) => {
            let none = Map::new();
            let (then, now) = (then.as_object().unwrap_or(&none), now.as_object().unwrap_or(&none));
            let value = |values: &Map<String, Value>, name| values.get(name).cloned().unwrap_or_default();
            let mut names = now.keys().chain(then.keys());
            names.find_map(|name| difference_at(&field(name), &value(then, name), &value(now, name)))
        }
        _ => Some(described(path, then, now)),
    }
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// Describes a difference between the values of the field at `path`.
fn described(path: &str, then: &Value, now: &Value) -> Difference {
    let option = || format!("--{}", path.rsplit('.').next().unwrap_or(path).replace('_', "-"));
    let known = FIELDS.iter().find(|(field, _)| *field == path);
    let what = known.map_or_else(option, |(_, what)| (*what).to_owned());
    Difference { what, then: in_words(then), now: in_words(now) }
}

fn in_words(value: &Value) -> String {
    let list = |values: Vec<String>, separator: &str| values.join(separator);
    match value {
        _ if is_empty(value) => "none".to_owned(),
        Value::String(text) => format!("`{text}`"),
        Value::Array(range) if range.iter().all(Value::is_number) => {
            list(range.iter().map(Value::to_string).collect(), "..")
        }
        Value::Array(values) => list(values.iter().map(in_words).collect(), ", "),
        Value::Object(values) if values.len() == 1 => list(values.keys().cloned().collect(), ""),
        Value::Object(_) => "other options".to_owned(),
        value => value.to_string(),
    }
}

fn difference_of_inputs(then: &[Value], now: &[Value]) -> Difference {
    let differing = then.iter().zip(now).enumerate().find(|(_, (then, now))| then != now);
    let Some((number, (before, after))) = differing.filter(|_| then.len() == now.len()) else {
        let what = "number of inputs".to_owned();
        return Difference { what, then: then.len().to_string(), now: now.len().to_string() };
    };
    let name = ["bytes", "sample", "modified"].into_iter().find(|&name| before[name] != after[name]);
    let words = |input: &Value| match (name, &input[name.unwrap_or_default()]) {
        (_, Value::Null) => "data from a pipe".to_owned(),
        (Some("bytes"), bytes) => format!("{bytes} bytes"),
        (Some("sample"), sample) => format!("content with the checksum {sample}"),
        (_, modified) => format!("the modification time {}", modified.as_str().unwrap_or("unknown")),
    };
    Difference { what: format!("input {}", number + 1), then: words(before), now: words(after) }
}

/// The key under which [`options_in`] stores the command.
const COMMAND: &str = "command";

/// Describes the first difference between two names of [marks](crate::Marks::name): another command, or an option that is missing in one
/// name or has another value.
fn difference_of_marks(then: &str, now: &str) -> Option<Difference> {
    let (then, now) = (options_in(then), options_in(now));
    let mut names = now.keys().chain(then.keys()).map(String::as_str);
    let is_other = |option: &&str| then.get(*option) != now.get(*option);
    let differing = Some(COMMAND).filter(is_other).or_else(|| names.find(is_other))?;
    let words = |options: &Map<String, Value>| in_words(options.get(differing).unwrap_or(&Value::Null));
    Some(Difference { what: differing.to_owned(), then: words(&then), now: words(&now) })
}

/// Splits the name of marks, such as `dedupe --isomorph --part 1/2`, into the command and its options with their values.
fn options_in(name: &str) -> Map<String, Value> {
    let mut options = Map::new();
    let mut words = name.split(' ').peekable();
    options.insert(COMMAND.to_owned(), json!(words.next()));
    while let Some(option) = words.next() {
        let value = words.next_if(|word| !word.starts_with("--"));
        options.insert(option.to_owned(), value.map_or(Value::Bool(true), Value::from));
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(then: &Value, now: &Value) -> String {
        let words = |Difference { what, then, now }| format!("{what}: {then}, {now}");
        difference(then, now).map(words).unwrap_or_default()
    }

    #[test]
    fn differences_are_named_after_options() {
        let job = json!({
            "made": null, "expansion": { "minimals": { "random": 1 } }, "limit": 1, "marks": null,
            "solving": { "solver": "mrv", "max_nodes": null, "answer": "first" },
            "isomorphs": { "forms": 10, "seed": 1 }, "restore_zeros": true, "columns": ["status", "clues"],
        });
        assert_eq!(words_of(&job, &job), "");
        for (pointer, value, words) in [
            ("/solving/max_nodes", json!(5), "--max-nodes: none, 5"),
            ("/solving/answer", json!("smallest"), "--max-solutions or --budgets: `first`, `smallest`"),
            ("/isomorphs/forms", json!(20), "--isomorphs: 10, 20"),
            ("/isomorphs/seed", json!(2), "--seed: 1, 2"),
            ("/limit", json!(2), "--limit: 1, 2"),
            ("/restore_zeros", json!(false), "--restore-zeros: true, false"),
            ("/columns", json!(["count"]), "--columns: `status`, `clues`, `count`"),
            ("/expansion/minimals/random", json!(2), "--random: 1, 2"),
            ("/expansion", Value::Null, "command: minimals, none"),
        ] {
            let mut other = job.clone();
            *other.pointer_mut(pointer).unwrap() = value;
            assert_eq!(words_of(&job, &other), words);
        }
    }

    #[test]
    fn differences_of_generated_puzzles_are_named_after_options() {
        let job = json!({ "limit": 40, "made": { "seed": 1, "clues": null, "path": null } });
        for (pointer, value, words) in [
            ("/limit", json!(80), "--count: 40, 80"),
            ("/made/clues", json!([24, 30]), "--clues: none, 24..30"),
            (
                "/made/path",
                json!({ "techniques": ["Swordfish"], "hardest": [], "ratings": [0, 255] }),
                "--technique, --hardest-technique, --min-se or --max-se: none, other options",
            ),
        ] {
            let mut other = job.clone();
            *other.pointer_mut(pointer).unwrap() = value;
            assert_eq!(words_of(&job, &other), words);
        }
        let path = |techniques: &[&str]| json!({ "made": { "path": { "techniques": techniques } } });
        assert_eq!(words_of(&path(&["Swordfish"]), &path(&[])), "--technique: `Swordfish`, none");
    }

    #[test]
    fn differences_of_inputs_are_in_words() {
        let of = |then: Value, now: Value| words_of(&json!({ "inputs": then }), &json!({ "inputs": now }));
        let first = json!({ "bytes": 1, "sample": 7 });
        assert_eq!(
            of(json!([first, { "bytes": 2 }]), json!([first, { "bytes": 5 }])),
            "input 2: 2 bytes, 5 bytes"
        );
        assert_eq!(
            of(json!([first]), json!([{ "bytes": 1, "sample": 8 }])),
            "input 1: content with the checksum 7, content with the checksum 8"
        );
        assert_eq!(
            of(
                json!([{ "bytes": 1, "modified": "2026-01-01" }]),
                json!([{ "bytes": 1, "modified": "2026-01-02" }])
            ),
            "input 1: the modification time 2026-01-01, the modification time 2026-01-02"
        );
        assert_eq!(of(json!([first]), json!([{}])), "input 1: 1 bytes, data from a pipe");
        assert_eq!(of(json!([first]), json!([])), "number of inputs: 1, 0");
    }

    #[test]
    fn differences_of_marks_are_named_after_options() {
        let of = |then: &str, now: &str| words_of(&json!({ "marks": then }), &json!({ "marks": now }));
        assert_eq!(of("dedupe --part 1/2", "dedupe --part 2/2"), "--part: `1/2`, `2/2`");
        assert_eq!(of("dedupe --isomorph --part 1/2", "dedupe --part 1/2"), "--isomorph: true, none");
        assert_eq!(of("dedupe", "overlap --keep all"), "command: `dedupe`, `overlap`");
    }
}
