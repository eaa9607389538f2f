//! Files that commands write besides their output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::{UsageError, is_broken_pipe};

/// Writes a file by `write`, or standard output where `path` is `-`.
pub(super) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<Box<dyn Write>>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let is_stdout = is_standard(path);
    let name = if is_stdout { "standard output".to_owned() } else { path.display().to_string() };
    let context = || format!("cannot write {name}");
    let out: Box<dyn Write> = match is_stdout {
        true => Box::new(io::stdout().lock()),
        false => Box::new(File::create(path).with_context(context)?),
    };
    let mut out = BufWriter::new(out);
    match write(&mut out).and_then(|()| Ok(out.flush()?)) {
        // A reader that went away has what it wanted, and does not change how a gate ends.
        Err(error) if is_stdout && is_broken_pipe(&error) => Ok(()),
        written => written.with_context(context),
    }
}

/// Prints text on standard output.
///
/// # Errors
/// Where standard output cannot be written.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    write_file(Path::new("-"), |out| Ok(out.write_all(text.as_bytes())?))
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
