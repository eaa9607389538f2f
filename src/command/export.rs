//! Files that commands write besides their output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::UsageError;

/// Writes a file by `write`, or standard output where `path` is `-`.
pub(super) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<Box<dyn Write>>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", path.display());
    let out: Box<dyn Write> = match is_standard(path) {
        true => Box::new(io::stdout().lock()),
        false => Box::new(File::create(path).with_context(context)?),
    };
    let mut out = BufWriter::new(out);
    write(&mut out).and_then(|()| Ok(out.flush()?)).with_context(context)
}

/// Whether one of the exports takes standard output, which then has nothing else.
///
/// # Errors
/// [`UsageError`] where several do.
pub(super) fn takes_stdout<'p>(
    exports: impl IntoIterator<Item = &'p Option<PathBuf>>,
) -> Result<bool, UsageError> {
    match exports.into_iter().flatten().filter(|path| is_standard(path)).count() {
        0 => Ok(false),
        1 => Ok(true),
        several => {
            Err(UsageError(format!("{several} exports go to standard output: give all but one a file")))
        }
    }
}

/// Whether a path stands for standard input or output.
pub(super) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Appends to a file, which is made if need be.
pub(super) fn append_file(path: &Path, text: &str) -> anyhow::Result<()> {
    let open = File::options().append(true).create(true).open(path);
    open.and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot append to {}", path.display()))
}

/// Looks, before anything is measured, whether every file can be written, so that a wrong path costs nothing. What is
/// there stays as it is until there is something to write. `-` is standard output.
///
/// # Errors
/// Where one cannot be written.
pub(super) fn prepare_exports(paths: &[&Path]) -> anyhow::Result<()> {
    for path in paths.iter().filter(|path| !is_standard(path)) {
        check_writable(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn check_writable(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(found) if found.is_file() || found.is_dir() => File::options().append(true).open(path).map(drop),
        // To open a pipe may wait for its reader.
        Ok(_) => Ok(()),
        // A link that leads nowhere yet.
        Err(_) if path.is_symlink() => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            File::options().append(true).create_new(true).open(path)?;
            std::fs::remove_file(path)
        }
        Err(error) => Err(error),
    }
}
