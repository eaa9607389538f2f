//! The git repository that something is in, through the `git` of the system.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::process::{Children, Fault};

/// Longer than anything takes that is asked of git here, a checkout of a large tree included.
const PATIENCE: Duration = Duration::from_secs(600);

/// Settings of a user that would start other programs, or end what git leaves to do in the background.
const PLAIN: [&str; 10] = [
    "-c",
    "log.showSignature=false",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "advice.detachedHead=false",
];

/// Where services of continuous integration tell which commit they run for.
const COMMIT_VARIABLES: [&str; 2] = ["GITHUB_SHA", "CI_COMMIT_SHA"];

/// A repository, or a work tree of one.
#[derive(Clone)]
pub struct Repository {
    folder: PathBuf,
    children: Arc<Children>,
}

/// A commit, as people know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// Its hash, with `-dirty` for uncommitted changes.
    pub hash: String,
    /// The first line of its message, where git tells.
    pub subject: Option<String>,
}

impl Repository {
    /// The repository that a folder is in, if it is in one: nothing is asked yet.
    pub fn at(folder: &Path, children: Arc<Children>) -> Repository {
        Repository { folder: folder.to_owned(), children }
    }

    /// The commit that a run is of: the one that a service of continuous integration names, else the one of the folder.
    /// `None` where neither tells.
    pub fn commit(&self) -> Option<Commit> {
        let named =
            COMMIT_VARIABLES.iter().find_map(|name| std::env::var(name).ok().filter(|text| is_hash(text)));
        let describe = ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"];
        let hash = named.or_else(|| self.git(&describe).ok())?;
        let subject = self.subject(hash.trim_end_matches("-dirty")).ok();
        Some(Commit { hash, subject })
    }

    /// The first line of a commit's message.
    ///
    /// # Errors
    /// As [`Repository::git`].
    pub fn subject(&self, hash: &str) -> Result<String, Fault> {
        self.git(&["log", "-1", "--format=%s", hash, "--"])
    }

    /// What git prints, without the spaces around it.
    ///
    /// # Errors
    /// [`Fault`] where there is no git, it takes too long, or fails: with its words.
    pub fn git(&self, words: &[&str]) -> Result<String, Fault> {
        let mut command = Command::new("git");
        command.arg("--no-pager").args(PLAIN).args(words).current_dir(&self.folder);
        // A hook of git sets these for its own repository. No password is asked for.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(variable);
        }
        command.env("GIT_TERMINAL_PROMPT", "0");
        let finished = self.children.finish(command, PATIENCE)?;
        if !finished.status.success() {
            let (verb, said) = (words.first().unwrap_or(&""), finished.words);
            return Err(Fault(format!("`git {verb}` failed ({}): {said}", finished.status)));
        }
        Ok(String::from_utf8_lossy(&finished.output).trim().to_owned())
    }
}

/// Whether a text is a whole hash of git.
fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
