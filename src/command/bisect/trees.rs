//! Two temporary work trees of the repository: one keeps the good commit, in the other one git bisects.

use std::ffi::OsString;
use std::fs;
use std::io;
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
    /// What git keeps of it, in the user's repository.
    git_dir: PathBuf,
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
            Tree { folder: top.join(&prefix), top, repository, git_dir: PathBuf::new() }
        };
        let undisturbed = Arc::new(Children::new(Arc::default()));
        let mut trees = Trees {
            good: tree("good"),
            search: tree("search"),
            folder: Some(folder),
            repository: Repository::at(Path::new("."), undisturbed),
        };
        for (tree, commit) in [(&mut trees.good, good), (&mut trees.search, bad)] {
            here.git(&["worktree", "add", "--quiet", "--detach", &tree.top.to_string_lossy(), commit])?;
            tree.git_dir = tree.repository.git(&["rev-parse", "--absolute-git-dir"])?.into();
        }
        Ok(trees)
    }
}

impl Drop for Trees {
    fn drop(&mut self) {
        for tree in [&self.good, &self.search] {
            let path = tree.top.to_string_lossy();
            let remove = ["worktree", "remove", "--force", "--force", &path];
            // Of one that is no work tree any more git removes what it knows of it, once its folder is gone. One that was not
            // made is none to remove.
            if self.repository.git(&remove).is_err() && fs::remove_dir_all(&tree.top).is_ok() {
                let _ = self.repository.git(&remove);
            }
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
    /// Builds the commit, which is checked out.
    ///
    /// # Errors
    /// [`Fault`] with the words of the build, where it fails or takes too long; where it goes to another commit, for what is built is
    /// then not of this one; where the commit lacks the folder.
    pub(super) fn build(
        &self,
        commit: &str,
        build: &[OsString],
        children: &Arc<Children>,
        max_time: Duration,
    ) -> Result<(), Fault> {
        if !self.folder.is_dir() {
            let folder = self.folder.strip_prefix(&self.top).unwrap_or(&self.folder);
            return Err(Fault(format!("this commit has no folder {}", folder.display())));
        }
        if build.is_empty() {
            return Ok(());
        }
        let built = self.run(build, children, max_time);
        self.mend().map_err(|error| Fault(format!("cannot mend what the build left: {error}")))?;
        built?;
        let head = self.repository.git(&["rev-parse", "HEAD"])?;
        match head == commit {
            true => Ok(()),
            false => Err(Fault(format!(
                "the build moved HEAD to {head}: what it leaves is not of this commit; have it neither commit nor check out"
            ))),
        }
    }

    /// Makes this a work tree again that git can be asked about. Nobody else works in it.
    fn mend(&self) -> io::Result<()> {
        let (link, expected) = (self.top.join(".git"), format!("gitdir: {}\n", self.git_dir.display()));
        if fs::read_to_string(&link).ok().as_deref() != Some(&expected) {
            match fs::symlink_metadata(&link) {
                Ok(found) if found.is_dir() => fs::remove_dir_all(&link)?,
                Ok(_) => fs::remove_file(&link)?,
                Err(_) => {}
            }
            fs::write(&link, expected)?;
        }
        for lock in ["index.lock", "HEAD.lock"] {
            match fs::remove_file(self.git_dir.join(lock)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    fn run(&self, build: &[OsString], children: &Arc<Children>, max_time: Duration) -> Result<(), Fault> {
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
