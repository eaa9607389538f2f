//! The commit that a run belongs to.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::process::{End, Supervisor};

/// Longer than git takes for anything that it is asked here, in a large work tree too.
const PATIENCE: Duration = Duration::from_secs(600);

/// Turns off settings of the user that would start other programs.
const PLAIN: [&str; 6] =
    ["-c", "log.showSignature=false", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/// Variables in which services of continuous integration name the commit that they run for.
const COMMIT_VARIABLES: [&str; 2] = ["GITHUB_SHA", "CI_COMMIT_SHA"];

/// A commit, as people know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// Its hash, with `-dirty` for uncommitted changes.
    pub hash: String,
    /// The first line of its message, where git tells.
    pub subject: Option<String>,
}

/// Returns the commit that a service of continuous integration names, else the one that is checked out in the folder. `None` if
/// there is neither.
pub fn commit_of(folder: &Path, supervisor: &Arc<Supervisor>) -> Option<Commit> {
    let named =
        COMMIT_VARIABLES.iter().find_map(|name| std::env::var(name).ok().filter(|text| is_hash(text)));
    let describe = ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"];
    let hash = named.or_else(|| git(&describe, folder, supervisor))?;
    let plain_hash = hash.trim_end_matches("-dirty");
    let subject = git(&["log", "-1", "--format=%s", plain_hash, "--"], folder, supervisor);
    Some(Commit { hash, subject })
}

/// Returns what git prints, without the spaces around it. `None` if there is no git, or it fails or takes too long.
fn git(words: &[&str], folder: &Path, supervisor: &Arc<Supervisor>) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("--no-pager").args(PLAIN).args(words).current_dir(folder);
    // A hook of git sets these for its own repository.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    // Nobody is asked for a password.
    command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    let run = supervisor.finish(&command, PATIENCE).ok().filter(|run| run.end == End::Exited(0))?;
    Some(String::from_utf8_lossy(&run.output).trim().to_owned())
}

/// Whether a text is a whole hash of git.
fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
