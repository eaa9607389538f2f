//! Two temporary work trees of the repository: one keeps the good commit, in the other one git bisects.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tempfile::TempDir;

use crate::command::say::say;
use crate::process::{Children, Fault, NamedCommand};
use crate::repository::Repository;

/// The work trees. They go when this is dropped, even after Ctrl-C.
pub(super) struct Trees {
    /// The one of the good commit.
    pub(super) good: Tree,
    /// The one that goes from commit to commit.
    pub(super) search: Tree,
    folder: Option<TempDir>,
    /// The user's, through programs that an interrupt does not end.
    repository: Repository,
}

/// One work tree.
pub(super) struct Tree {
    /// What stands for the folder that the command was typed in.
    pub(super) folder: PathBuf,
    /// Its top.
    top: PathBuf,
    pub(super) repository: Repository,
}

impl Trees {
    /// Checks both commits out, each in a work tree of its own.
    ///
    /// # Errors
    /// Where the current folder is in no repository, or git fails.
    pub(super) fn check_out(good: &str, bad: &str, children: &Arc<Children>) -> anyhow::Result<Trees> {
        let here = Repository::at(Path::new("."), Arc::clone(children));
        // Where in the repository we are, such as `solvers/`; empty at its top.
        let prefix = here.git(&["rev-parse", "--show-prefix"])?;
        let folder = tempfile::Builder::new().prefix("sudobench-bisect-").tempdir();
        let folder = folder.context("cannot make a folder for work trees")?;
        let tree = |name: &str| {
            let top = folder.path().join(name);
            let repository = Repository::at(&top, Arc::clone(children));
            Tree { folder: top.join(&prefix), top, repository }
        };
        let undisturbed = Arc::new(Children::new(Arc::default()));
        let trees = Trees {
            good: tree("good"),
            search: tree("search"),
            folder: Some(folder),
            repository: Repository::at(Path::new("."), undisturbed),
        };
        for (tree, commit) in [(&trees.good, good), (&trees.search, bad)] {
            here.git(&["worktree", "add", "--quiet", "--detach", &tree.top.to_string_lossy(), commit])?;
        }
        Ok(trees)
    }
}

impl Drop for Trees {
    fn drop(&mut self) {
        for tree in [&self.good, &self.search] {
            // One that was not made is none to remove.
            let path = tree.top.to_string_lossy();
            let _ = self.repository.git(&["worktree", "remove", "--force", "--force", &path]);
        }
        let Some(folder) = self.folder.take() else { return };
        let path = folder.path().to_owned();
        if let Err(error) = folder.close() {
            say(format_args!(
                "cannot remove {}: {error}; remove it, then `git worktree prune`",
                path.display()
            ));
        }
    }
}

impl Tree {
    /// Builds what is checked out.
    ///
    /// # Errors
    /// [`Fault`] with the words of the build, where it fails or takes too long.
    pub(super) fn build(
        &self,
        build: &[OsString],
        children: &Arc<Children>,
        max_time: Duration,
    ) -> Result<(), Fault> {
        if build.is_empty() {
            return Ok(());
        }
        let command = NamedCommand {
            name: String::new(),
            text: String::new(),
            words: Vec::new(),
            folder: self.folder.clone(),
        };
        let finished = children.finish(command.command(build), max_time)?;
        match finished.status.success() {
            true => Ok(()),
            false => {
                Err(Fault(format!("the build failed: {}: {}", finished.status, last_line(&finished.words))))
            }
        }
    }
}

/// What a program said last.
fn last_line(words: &str) -> &str {
    words.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing")
}
