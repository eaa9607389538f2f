//! Keeps records that the tests make, so that `scripts/check-schemas` can compare them with the published schemas.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

/// If the environment variable `SUDOBENCH_KEPT_RECORDS` names a folder, writes the record into a file of this folder. The file's name
/// begins with `schema`, the name of the schema that the record must match, such as `gate` for `docs/gate.schema.json`.
pub(crate) fn keep_record(schema: &str, record: &serde_json::Value) {
    let Some(folder) = std::env::var_os("SUDOBENCH_KEPT_RECORDS") else { return };
    let text = record.to_string();
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    std::fs::write(Path::new(&folder).join(format!("{schema}-{:016x}.json", hasher.finish())), text).unwrap();
}
