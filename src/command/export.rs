//! Files that commands write besides their output.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context as _;

/// Writes a file by `write`.
pub(super) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", path.display());
    let mut out = BufWriter::new(File::create(path).with_context(context)?);
    write(&mut out).and_then(|()| Ok(out.flush()?)).with_context(context)
}

/// Appends to a file, which is made if need be.
pub(super) fn append_file(path: &Path, text: &str) -> anyhow::Result<()> {
    let open = File::options().append(true).create(true).open(path);
    open.and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot append to {}", path.display()))
}
