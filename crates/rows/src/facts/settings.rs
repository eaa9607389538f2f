//! The settings of facts. A fact finds its settings by their type, so a new fact needs no change in this file.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

/// The settings of all facts of a run.
#[derive(Clone, Default)]
pub struct Settings(Vec<Setting>);

#[derive(Clone)]
struct Setting {
    /// Name and value of the setting in [`ResolvedJob::settings`](crate::ResolvedJob::settings). `None` if the setting is not stored
    /// there.
    stored: Option<(&'static str, Value)>,
    value: Arc<dyn Any + Send + Sync>,
}

impl Settings {
    /// Adds a setting that affects the bytes of the output. The setting gets this name in
    /// [`ResolvedJob::settings`](crate::ResolvedJob::settings).
    #[must_use]
    pub fn with_stored(mut self, name: &'static str, value: impl Any + Send + Sync + Serialize) -> Settings {
        // Settings are plain data, so the conversion to JSON never fails.
        let stored = Some((name, serde_json::to_value(&value).unwrap_or_default()));
        self.0.push(Setting { stored, value: Arc::new(value) });
        self
    }

    /// Adds a setting that is not part of [`ResolvedJob::settings`](crate::ResolvedJob::settings).
    #[must_use]
    pub fn with(mut self, value: impl Any + Send + Sync) -> Settings {
        self.0.push(Setting { stored: None, value: Arc::new(value) });
        self
    }

    /// Returns the setting of this type that was added last.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.iter().rev().find_map(|setting| setting.value.downcast_ref())
    }

    /// Returns the settings for [`ResolvedJob::settings`](crate::ResolvedJob::settings), by name.
    pub(crate) fn stored(&self) -> Map<String, Value> {
        let stored = self.0.iter().filter_map(|setting| setting.stored.clone());
        stored.map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Settings").field(&self.stored()).finish_non_exhaustive()
    }
}
