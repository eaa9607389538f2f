//! Finds out whether an output path leads to a file, which can be replaced, or to a stream, which can only be written to.
//!
//! A file is completed under another name and then renamed. Renaming must not replace anything but a file. So symbolic links are followed
//! first, and a pipe, a device or an open descriptor (`/dev/stdout`, `/proc/self/fd/3`) is written to directly.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
#[cfg(unix)]
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};

use same_file::Handle;

use crate::option_error::OptionError;

/// The kind of file at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A path that names this process's standard output, such as `/dev/stdout`.
    Stdout,
    /// A pipe, a device, or a path that names an open descriptor, such as `/proc/self/fd/3`.
    Stream,
    /// A file, which may not exist yet, or a folder. If the given path is a symbolic link, this is the path of its target.
    File(PathBuf),
}

/// Number of links to follow before they are considered a cycle, as in the Linux kernel.
const MOST_LINKS: usize = 40;

impl Place {
    /// Resolves `path`.
    ///
    /// # Errors
    /// If the path can't be followed, for example because of a cycle of links.
    pub fn resolve(path: &Path) -> io::Result<Place> {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            if let Some((is_ours, descriptor)) = descriptor_of(&path) {
                return Ok(if is_ours && descriptor == "1" { Place::Stdout } else { Place::Stream });
            }
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_symlink() => {
                    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
                    path = folder.join(fs::read_link(&path)?);
                }
                Ok(found) if found.is_file() || found.is_dir() => return Ok(Place::File(path)),
                Ok(_) => return Ok(Place::Stream),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Place::File(path)),
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("too many symbolic links"))
    }

    /// Opens this process's standard output.
    ///
    /// # Errors
    /// The system's error.
    pub fn open_stdout() -> io::Result<Box<dyn Write + Send>> {
        #[cfg(unix)]
        return Ok(Box::new(File::from(io::stdout().as_fd().try_clone_to_owned()?)));
        // `io::stdout` is necessary here, because it converts text to the encoding of the console.
        #[cfg(not(unix))]
        Ok(Box::new(io::stdout()))
    }

    /// Opens `path`, which leads to a stream. Opens it for appending, because `path` can name a descriptor of a file, and the contents of
    /// this file must not be overwritten.
    ///
    /// # Errors
    /// The system's error.
    pub fn open_stream(path: &Path) -> io::Result<File> {
        OpenOptions::new().append(true).open(path)
    }
}

/// Returns whether standard output was possibly closed when the process started.
///
/// Rust's runtime replaces a closed descriptor with `/dev/null`, opened for reading and writing, before `main` starts. Shells open
/// `/dev/null` for writing only, so `>/dev/null` is not mistaken for a closed descriptor. Python's `subprocess.DEVNULL` and Node's `stdio:
/// 'ignore'` open `/dev/null` for reading and writing, so they can't be distinguished from a closed descriptor.
#[cfg(unix)]
pub fn may_be_closed_stdout() -> bool {
    use rustix::fs::{OFlags, fcntl_getfl};
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
    let Ok(open) = io::stdout().as_fd().try_clone_to_owned().and_then(|open| File::from(open).metadata())
    else {
        return true;
    };
    let is_null = open.file_type().is_char_device()
        && fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == open.rdev());
    is_null && fcntl_getfl(io::stdout()).is_ok_and(|flags| flags.contains(OFlags::RDWR))
}

/// Returns false: outside Unix, Rust's runtime does not replace a closed descriptor, so there is nothing to detect.
#[cfg(not(unix))]
pub fn may_be_closed_stdout() -> bool {
    false
}

/// Returns the descriptor that a path names, such as `/proc/self/fd/1`, and whether the descriptor belongs to this process. Links in
/// folders such as `/proc/self/fd` are not followed, because their text need not be the path of their target.
#[cfg(unix)]
fn descriptor_of(path: &Path) -> Option<(bool, &str)> {
    let name = path.file_name()?.to_str().filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))?;
    let folder = fs::canonicalize(path.parent()?).ok()?;
    let is_of = |own: &str| fs::canonicalize(own).is_ok_and(|own| own == folder);
    let is_ours = is_of("/proc/self/fd") || is_of("/dev/fd");
    let is_anybodys = folder.starts_with("/proc") && folder.ends_with("fd");
    (is_ours || is_anybodys).then_some((is_ours, name))
}

/// Returns `None`, because outside Unix no path names a descriptor.
#[cfg(not(unix))]
fn descriptor_of(_: &Path) -> Option<(bool, &str)> {
    None
}

/// Returns the folder of the file at `path`: `.` if the path has no folder.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the path with a suffix added to its name.
pub(crate) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Returns the path without the suffix `end`, such as `.shard.json`, that [`beside`] added. Returns `None` if the path has another suffix.
pub(crate) fn without_end(path: &Path, end: &str) -> Option<PathBuf> {
    // The part before the suffix may be invalid Unicode.
    let has_end = path.file_name()?.to_string_lossy().strip_suffix(end).is_some_and(|name| !name.is_empty());
    has_end.then(|| end.matches('.').fold(path.to_owned(), |path, _| path.with_extension("")))
}

/// Identifies a file, so that two spellings of its path can be compared: if the file exists, by the numbers that the system gives it (on
/// Unix, device and inode), otherwise by its folder and name. Pipes and devices aren't files: several runs may write to `/dev/null`.
#[derive(Debug, PartialEq, Eq)]
enum FileIdentity {
    Existing(Handle),
    /// A file that doesn't exist: its folder and its name.
    Missing(PathBuf, PathBuf),
}

impl FileIdentity {
    /// Returns the identity of the file to which `path` leads, also through a descriptor; `None` if the target is a pipe or a device, or
    /// can't be reached.
    fn from_path(path: &Path) -> Option<FileIdentity> {
        let path = match Place::resolve(path).ok()? {
            Place::File(path) => path,
            // Opening a pipe could block.
            _ if !fs::metadata(path).is_ok_and(|found| found.is_file()) => return None,
            _ => path.to_owned(),
        };
        if let Ok(handle) = Handle::from_path(&path) {
            return Some(FileIdentity::Existing(handle));
        }
        let folder = folder_of(&path);
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        Some(FileIdentity::Missing(folder, path.file_name()?.into()))
    }

    fn from_stdin() -> Option<FileIdentity> {
        FileIdentity::from_stream(Handle::stdin())
    }

    fn from_stdout() -> Option<FileIdentity> {
        FileIdentity::from_stream(Handle::stdout())
    }

    fn from_stream(handle: io::Result<Handle>) -> Option<FileIdentity> {
        let handle =
            handle.ok().filter(|handle| handle.as_file().metadata().is_ok_and(|found| found.is_file()));
        Some(FileIdentity::Existing(handle?))
    }
}

/// Returns whether `path` still leads to this open file.
///
/// # Errors
/// The system's error. If no file exists at `path`, the result is false, not an error.
pub(crate) fn is_file_of(file: &File, path: &Path) -> io::Result<bool> {
    // On Unix, compares metadata without opening another file descriptor, because the process may have reached its limit of open files.
    #[cfg(unix)]
    let same = || -> io::Result<bool> {
        use std::os::unix::fs::MetadataExt as _;
        let (open, named) = (file.metadata()?, fs::metadata(path)?);
        Ok((open.dev(), open.ino()) == (named.dev(), named.ino()))
    };
    #[cfg(not(unix))]
    let same =
        || -> io::Result<bool> { Ok(Handle::from_file(file.try_clone()?)? == Handle::from_path(path)?) };
    match same() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        answer => answer,
    }
}

/// On Unix, gives `file` the mode and, if allowed, the owner of the file that it replaces. The owner can always read and write `file`. On
/// other systems, does nothing.
pub(crate) fn take_permissions(file: &File, replaced: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
        // Usually only the superuser may change the owner. For other users, the new file belongs to the user of this process.
        let _ = fchown(file, Some(replaced.uid()), Some(replaced.gid()));
        file.set_permissions(fs::Permissions::from_mode(replaced.permissions().mode() | 0o600))
    }
    #[cfg(not(unix))]
    {
        let _ = (file, replaced);
        Ok(())
    }
}

/// Checks that no output of a run is the same file as an input or another output. The contents are not compared. Two inputs may be the
/// same file. `-` is standard input or output, which may be redirected to a file.
///
/// # Errors
/// [`OptionError`] if two paths lead to the same file. The error names both paths.
pub fn check_apart<'p>(
    inputs: impl IntoIterator<Item = &'p Path>,
    outputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), OptionError> {
    type Known = (FileIdentity, String);
    let identity = |path: &Path, standard: fn() -> Option<FileIdentity>, name: &str| -> Option<Known> {
        if is_standard(path) {
            return Some((standard()?, name.to_owned()));
        }
        Some((FileIdentity::from_path(path)?, path.display().to_string()))
    };
    let inputs = inputs.into_iter();
    let mut seen: Vec<Known> =
        inputs.filter_map(|path| identity(path, FileIdentity::from_stdin, "standard input")).collect();
    for path in outputs {
        let Some(known) = identity(path, FileIdentity::from_stdout, "standard output") else { continue };
        if let Some((_, other)) = seen.iter().find(|(other, _)| *other == known.0) {
            let what = format!(
                "{} is the same file as {other}, which this run also reads or writes: choose another file",
                known.1
            );
            return Err(OptionError::new(what));
        }
        seen.push(known);
    }
    Ok(())
}

/// Returns whether a path means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_and_descriptors_are_streams() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "").unwrap();
        symlink(at("file"), at("absolute")).unwrap();
        symlink("absolute", at("relative")).unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        symlink("circle", at("circle")).unwrap();
        symlink("/dev/stdout", at("stdout")).unwrap();
        for (name, place) in [
            ("file", Place::File(at("file"))),
            ("relative", Place::File(at("file"))),
            ("dangling", Place::File(at("nowhere"))),
            ("stdout", Place::Stdout),
            ("missing", Place::File(at("missing"))),
        ] {
            assert_eq!(Place::resolve(&at(name)).unwrap(), place, "{name}");
        }
        assert!(Place::resolve(&at("circle")).is_err());
        for stream in ["/dev/null", "/dev/stderr", "/proc/self/fd/2"] {
            assert_eq!(Place::resolve(Path::new(stream)).unwrap(), Place::Stream, "{stream}");
        }
    }

    #[test]
    fn a_file_is_identified_by_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "").unwrap();
        fs::hard_link(at("file"), at("hard")).unwrap();
        symlink("file", at("soft")).unwrap();
        symlink(".", at("here")).unwrap();
        let identity = |name: &str| FileIdentity::from_path(&at(name));
        for other in ["hard", "soft", "here/file", "./file"] {
            assert!(identity("file").is_some() && identity(other) == identity("file"), "{other}");
        }
        assert_eq!(identity("new"), identity("here/new"));
        assert_ne!(identity("new"), identity("file"));
        assert_eq!(FileIdentity::from_path(Path::new("/dev/null")), None);
    }
}
