//! Temporary folders. A process removes its folders when they are no longer needed.
//!
//! A killed process can't remove its folders, so on Unix a later process of this program removes them. There, a process keeps its folders
//! locked. Another process removes a folder only if the folder is not locked, belongs to the same user, and has a name of the form that
//! this program uses. On other systems, folders of killed processes stay.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// Prefix of the folders' names.
const PREFIX: &str = "sudobench-scratch-";

/// Number of random letters and digits in a folder's name, after [`PREFIX`].
const RANDOM: usize = 12;

/// Maximum number of attempts to make a folder. An attempt fails if another process removes the folder before it is locked.
const TRIES: usize = 10;

/// A new temporary folder. Dropping this value removes the folder with its contents.
pub struct ScratchFolder {
    path: PathBuf,
    /// Lock on the folder while it is used.
    _lock: Option<File>,
}

impl ScratchFolder {
    /// Makes a folder.
    ///
    /// # Errors
    ///
    /// If the folder can't be made or locked. The error names the system's folder for temporary files.
    pub fn new() -> io::Result<ScratchFolder> {
        sweep_once();
        let named = |error: io::Error| {
            let folder = std::env::temp_dir();
            io::Error::new(error.kind(), format!("{}: {}", folder.display(), io::Error::from(error.kind())))
        };
        for _ in 0..TRIES {
            let made = tempfile::Builder::new().prefix(PREFIX).rand_bytes(RANDOM).tempdir().map_err(named)?;
            let (lock, is_ours) = lock(made.path()).map_err(named)?;
            if is_ours {
                return Ok(ScratchFolder { path: made.keep(), _lock: lock });
            }
        }
        Err(named(io::ErrorKind::ResourceBusy.into()))
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        remove_all(&self.path);
    }
}

/// Locks a new folder, and returns whether it still exists: another process may have removed it as an abandoned folder.
#[cfg(unix)]
fn lock(folder: &Path) -> io::Result<(Option<File>, bool)> {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(file) = File::open(folder) else { return Ok((None, false)) };
    match file.lock() {
        Ok(()) => {}
        // On a file system without locks, other processes can't lock the folder either, so they won't remove it.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok((None, true)),
        Err(error) => return Err(error),
    }
    let identity = |found: &fs::Metadata| (found.dev(), found.ino());
    let is_there = fs::symlink_metadata(folder)
        .is_ok_and(|found| file.metadata().is_ok_and(|locked| identity(&locked) == identity(&found)));
    Ok((Some(file), is_there))
}

/// Folders can't be locked on this system, so a process never removes the folders of another process.
#[cfg(not(unix))]
fn lock(_: &Path) -> io::Result<(Option<File>, bool)> {
    Ok((None, true))
}

/// On Unix, removes the folders of killed processes. Only the first call in this process does so.
pub(super) fn sweep_once() {
    static SWEPT: Once = Once::new();
    SWEPT.call_once(|| {
        #[cfg(unix)]
        sweep(&std::env::temp_dir());
    });
}

/// Removes the scratch folders in `temporary` whose processes have ended. Folders of other users and folders that can't be removed stay.
#[cfg(unix)]
fn sweep(temporary: &Path) {
    use std::os::unix::fs::MetadataExt as _;
    let user = rustix::process::geteuid().as_raw();
    let Ok(entries) = fs::read_dir(temporary) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(is_name)
            && fs::symlink_metadata(entry.path()).is_ok_and(|found| found.is_dir() && found.uid() == user);
        if !is_ours {
            continue;
        }
        if let Ok(folder) = File::open(entry.path())
            && folder.try_lock().is_ok()
        {
            remove_all(&entry.path());
        }
    }
}

/// Returns whether `name` is a possible name of a scratch folder: [`PREFIX`], then a text of letters and digits with the length [`RANDOM`].
#[cfg(unix)]
fn is_name(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|random| {
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Removes a folder with all its contents, on Unix even if a program made parts of it read-only. Files that can't be removed stay.
pub(super) fn remove_all(folder: &Path) {
    let removed = fs::remove_dir_all(folder);
    #[cfg(unix)]
    if removed.is_err() {
        let _ = make_writable(folder);
        let _ = fs::remove_dir_all(folder);
    }
    #[cfg(not(unix))]
    let _ = removed;
}

/// Removes everything in a folder, but not the folder itself.
#[cfg(unix)]
pub(super) fn remove_contents(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => remove_all(&entry.path()),
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}

/// Makes a folder and all folders in it writable, so that their contents can be removed.
#[cfg(unix)]
fn make_writable(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            make_writable(&entry.path())?;
        }
    }
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn only_abandoned_folders_are_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let in_it = |name: &str| temporary.path().join(name);
        let [left, held, link] = ["aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"]
            .map(|random| in_it(&format!("{PREFIX}{random}")));
        let others =
            ["sudobench-results", "sudobench-scratch-mine", "sudobench-scratch-a-file-of-1"].map(in_it);
        for folder in [&left, &held, &others[0], &others[1]] {
            fs::create_dir_all(folder.join("run")).unwrap();
            fs::write(folder.join("run/input"), "1").unwrap();
        }
        fs::write(&others[2], "").unwrap();
        std::os::unix::fs::symlink(&others[0], &link).unwrap();
        let (lock, is_ours) = lock(&held).unwrap();
        assert!(is_ours);
        sweep(temporary.path());
        assert!(!left.exists() && held.join("run/input").exists() && link.exists());
        assert!(others.iter().all(|other| other.exists()));
        assert!(others[0].join("run/input").exists());
        drop(lock);
        // The sweep is repeated: a process that another test starts at the same time may have a copy of the locked descriptor until its
        // `exec`.
        let swept = (0..500).any(|_| {
            sweep(temporary.path());
            std::thread::sleep(Duration::from_millis(if held.exists() { 20 } else { 0 }));
            !held.exists()
        });
        assert!(swept);
    }

    #[test]
    fn a_folder_is_removed_with_its_owner() {
        let folder = ScratchFolder::new().unwrap();
        let path = folder.path().to_owned();
        assert!(is_name(path.file_name().unwrap().to_str().unwrap()));
        fs::create_dir(path.join("run")).unwrap();
        fs::write(path.join("run/a"), "").unwrap();
        fs::write(path.join("b"), "").unwrap();
        remove_contents(&path).unwrap();
        assert!(fs::read_dir(&path).unwrap().next().is_none());
        drop(folder);
        assert!(!path.exists());
    }
}
