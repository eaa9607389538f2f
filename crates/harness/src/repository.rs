//! Finds the commit to which a run belongs.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::process::{End, SHORT_OUTPUT, Supervisor};

/// Time limit for git, long enough for a large work tree.
const PATIENCE: Duration = Duration::from_secs(600);

/// Options for git. They turn off some settings with which git would start other programs.
const PLAIN: [&str; 6] =
    ["-c", "log.showSignature=false", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/// Environment variables in which GitHub and GitLab store the commit of a CI run.
const COMMIT_VARIABLES: [&str; 2] = ["GITHUB_SHA", "CI_COMMIT_SHA"];

/// A commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// The hash, with `-dirty` if git found uncommitted changes; or the ID that the user typed.
    pub hash: String,
    /// The first line of the commit's message, if git reports it.
    pub subject: Option<String>,
}

/// Returns the commit that was `named` explicitly. If none was named, returns the commit that GitHub or GitLab names in the environment of
/// a CI run or, outside CI, the commit that is checked out in the folder.
///
/// # Errors
///
/// The message of git if git finds no commit, or the reason why git can't run.
pub fn commit_of(named: Option<&str>, folder: &Path, supervisor: &Arc<Supervisor>) -> Result<Commit, String> {
    let by_service =
        || COMMIT_VARIABLES.iter().find_map(|name| std::env::var(name).ok().filter(|text| is_hash(text)));
    let describe = ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"];
    let hash = match named.map(str::to_owned).or_else(by_service) {
        Some(hash) => hash,
        None => git(&describe, folder, supervisor)?,
    };
    let plain_hash = hash.trim_end_matches("-dirty");
    // An ID that the user typed is not always a git hash. Git is asked for the subject only if all characters are hexadecimal digits.
    let may_be_known = plain_hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let subject =
        may_be_known.then(|| git(&["log", "-1", "--format=%s", plain_hash, "--"], folder, supervisor).ok());
    Ok(Commit { hash, subject: subject.flatten() })
}

/// Returns the output of git, without surrounding spaces.
///
/// # Errors
///
/// The message of git in one line, or the reason why git can't run.
fn git(arguments: &[&str], folder: &Path, supervisor: &Arc<Supervisor>) -> Result<String, String> {
    let mut command = Command::new("git");
    command.arg("--no-pager").args(PLAIN).args(arguments).current_dir(folder);
    // If this program runs in a git hook, git has set these variables for the repository of the hook. Then git would use that repository
    // instead of the repository of `folder`.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    // Git must never ask for a password.
    command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    let run = supervisor.finish(&command, PATIENCE, SHORT_OUTPUT).map_err(|fault| fault.to_string())?;
    if run.end != End::Exited(0) {
        let parts: Vec<&str> = run.stderr_start.split_whitespace().collect();
        return Err(format!("git: {}", parts.join(" ")));
    }
    Ok(String::from_utf8_lossy(&run.output).trim().to_owned())
}

/// Returns whether a text is a complete git hash.
fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
