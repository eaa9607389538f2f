//! The history file to which a run is appended, if requested. Like the file of an export, the history file is checked before the work and
//! written after the work.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::Context as _;
use sudobench_rows::sink::{Place, folder_of};
use sudobench_rows::{check_apart, is_standard};
use sudobench_sudoku::simd::Level;

use super::UsageError;
use super::say::say;
use sudobench_harness::process::Supervisor;
use sudobench_harness::record::{
    HISTORY_SCHEMA_VERSION, HistoryEntry, HistoryPair, Machine, check_appendable, read_stored_file,
};
use sudobench_harness::repository::{Commit, commit_of};

pub(super) struct KeptHistory {
    path: PathBuf,
    /// The commit that was typed.
    commit: Option<String>,
}

impl KeptHistory {
    /// Checks that the run can be appended to the file. `others` are the files that the command reads.
    ///
    /// # Errors
    ///
    /// If the file can't be written or is not a history. [`UsageError`] if it is not a regular file, or is one of `others`.
    pub(super) fn open<'p>(
        path: Option<&'p Path>,
        commit: Option<&str>,
        others: impl IntoIterator<Item = &'p Path>,
    ) -> anyhow::Result<Option<KeptHistory>> {
        let Some(path) = path else { return Ok(None) };
        check_apart(others, [path]).map_err(UsageError::from)?;
        let is_file =
            !is_standard(path) && matches!(Place::resolve(path), Ok(Place::File(path)) if !path.is_dir());
        if !is_file {
            let message = format!("a history must be a file, and {} is not one: name a file", path.display());
            return Err(UsageError(message).into());
        }
        look(path).with_context(|| format!("cannot append to the history {}", path.display()))?;
        Ok(Some(KeptHistory { path: path.to_owned(), commit: commit.map(str::to_owned) }))
    }

    /// Appends a run that started at the time `started`. If the run has no results, appends nothing and prints a message.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn append(
        &self,
        started: SystemTime,
        level: Level,
        pairs: Vec<HistoryPair>,
        supervisor: &Arc<Supervisor>,
    ) -> anyhow::Result<()> {
        if pairs.is_empty() {
            let message = "nothing was counted or timed";
            say(format_args!("nothing was appended to {}: {message}", self.path.display()));
            return Ok(());
        }
        let found = commit_of(self.commit.as_deref(), Path::new("."), supervisor);
        let Commit { hash, subject } = found.unwrap_or_else(|reason| {
            say(format_args!(
                "the new line in {} has no commit ({reason}): set it with --commit ID",
                self.path.display()
            ));
            Commit::default()
        });
        let entry = HistoryEntry {
            schema_version: HISTORY_SCHEMA_VERSION,
            kind: "history".to_owned(),
            started: humantime::format_rfc3339_nanos(started).to_string(),
            commit: (!hash.is_empty()).then_some(hash),
            subject,
            machine: Machine::detect(),
            simd_level: level.name().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pairs,
        };
        Ok(entry.append(&self.path)?)
    }
}

/// Checks that a run can be appended to the file. The check does not change the file, because another run may append at the same time.
fn look(path: &Path) -> anyhow::Result<()> {
    match OpenOptions::new().append(true).open(path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Ok(target) = fs::read_link(path) {
                anyhow::bail!("it is a link to {}, which does not exist", target.display());
            }
            // Checks that a file can be created in the folder.
            tempfile::tempfile_in(folder_of(path))?;
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    }
    Ok(check_appendable(&read_stored_file(path)?, &path.display().to_string())?)
}
