//! The git repository that something is in, through the `git` of the system.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::process::{Children, Fault, Finished};

/// Longer than anything takes that is asked of git here, a checkout of a large tree included.
const PATIENCE: Duration = Duration::from_secs(600);

/// Instead of the settings of a user that would start other programs or leave something to be done in the background.
const PLAIN: [&str; 12] = [
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
    "-c",
    "core.hooksPath=/dev/null",
];

/// How `git bisect` ends where all that is left was skipped.
const UNDECIDED: i32 = 2;

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

    /// The hash of the commit that a name stands for.
    ///
    /// # Errors
    /// [`Fault`] where there is none of that name, or no repository.
    pub fn resolve(&self, name: &str) -> Result<String, Fault> {
        let resolve = |name: &str| self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", name]);
        // Outside of a repository git knows none either, and that is what is wrong.
        self.git(&["rev-parse", "--git-dir"])?;
        // The name by itself first: behind `:/words` anything more would be one of the words.
        let commit = resolve(name).and_then(|object| resolve(&format!("{object}^{{commit}}")));
        commit.map_err(|_| Fault(format!("git knows no commit `{name}`")))
    }

    /// What git prints, without the spaces around it.
    ///
    /// # Errors
    /// [`Fault`] where there is no git, it takes too long, or fails: with its words.
    pub fn git(&self, words: &[&str]) -> Result<String, Fault> {
        let finished = self.run(words)?;
        let output = String::from_utf8_lossy(&finished.output).trim().to_owned();
        if finished.status.success() {
            return Ok(output);
        }
        // Some of its commands say what is wrong where others print what they found.
        let said = if finished.words.is_empty() { output } else { finished.words };
        let verb = words.first().unwrap_or(&"");
        Err(Fault(format!("`git {verb}` failed ({}): {}", finished.status, one_line(&said))))
    }

    /// Runs git to its end, however that is.
    fn run(&self, words: &[&str]) -> Result<Finished, Fault> {
        let mut command = Command::new("git");
        command.arg("--no-pager").args(PLAIN).args(words).current_dir(&self.folder);
        // A hook of git sets these for its own repository.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(variable);
        }
        // Nobody is asked for a password, and what it says is read here.
        command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        self.children.finish(command, PATIENCE)
    }
}

/// Where a bisection stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bisection {
    /// This commit is checked out, and has to be told good or bad.
    Test(String),
    /// This is the first bad commit.
    Found(String),
    /// One of these is, and none of them can be told good or bad.
    Undecided(Vec<String>),
}

impl Repository {
    /// Begins to bisect in this work tree, and leaves the repository's others alone. What was changed or made in it goes, but for
    /// what git ignores. A merge base may have to be tested first.
    ///
    /// # Errors
    /// [`Fault`] with the words of git.
    pub fn bisect(&self, good: &str, bad: &str) -> Result<Bisection, Fault> {
        self.restore(bad)?;
        self.step(&["bisect", "start", bad, good, "--"])
    }

    /// Tells that a commit is `good` or `bad`, or that it is to `skip`, and goes on to the next.
    ///
    /// # Errors
    /// As [`Repository::bisect`].
    pub fn mark(&self, word: &str, commit: &str) -> Result<Bisection, Fault> {
        self.restore(commit)?;
        // By its name: what was built or measured may have moved HEAD.
        self.step(&["bisect", word, commit])
    }

    /// Makes the work tree that of the commit again, for a build may leave what would keep another one from being checked out. No
    /// branch is moved, whichever it went to.
    fn restore(&self, commit: &str) -> Result<(), Fault> {
        self.git(&["checkout", "--quiet", "--force", "--detach", commit, "--"])?;
        // The second `--force` is for repositories within this one.
        self.git(&["clean", "--quiet", "-d", "--force", "--force"])?;
        Ok(())
    }

    fn step(&self, words: &[&str]) -> Result<Bisection, Fault> {
        let finished = self.run(words)?;
        let output = String::from_utf8_lossy(&finished.output).into_owned();
        let found = output.lines().find_map(|line| line.strip_suffix(" is the first bad commit"));
        if let Some(hash) = found.filter(|hash| is_hash(hash)) {
            return Ok(Bisection::Found(hash.to_owned()));
        }
        if finished.status.code() == Some(UNDECIDED) && output.contains("any of:") {
            return Ok(Bisection::Undecided(
                output.lines().filter(|line| is_hash(line)).map(str::to_owned).collect(),
            ));
        }
        match finished.status.success() {
            true => Ok(Bisection::Test(self.git(&["rev-parse", "HEAD"])?)),
            false => {
                let said = format!("{output}\n{}", finished.words);
                Err(Fault(format!("`git bisect` cannot go on: {}", one_line(&said))))
            }
        }
    }
}

/// What was said in some lines, in one.
fn one_line(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("; ")
}

/// Whether a text is a whole hash of git.
fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_says_in_some_lines_is_shown_in_one() {
        assert_eq!(one_line("error: a\n\n  hint: b\n"), "error: a; hint: b");
        assert_eq!(one_line(""), "");
    }
}
