//! Compressed inputs, told apart by their first bytes, never by their names.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};

use flate2::bufread::MultiGzDecoder;

use super::raw::{Opened, Raw};
use super::{Input, SourceError};

/// How the bytes of an input are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// As they are.
    None,
    /// gzip, of any number of members.
    Gzip,
    /// Zstandard, of any number of frames.
    Zstd,
    /// The one data file of a zip archive.
    Zip,
}

impl Compression {
    /// The word that stands for it in records: `none`, `gzip`, `zstd`, `zip`.
    pub fn name(self) -> &'static str {
        match self {
            Compression::None => "none",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Zip => "zip",
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An input whose text can be read.
pub(super) struct Decoded {
    pub(super) text: Box<dyn Read + Send>,
    pub(super) raw: Raw,
    pub(super) compression: Compression,
}

/// The bytes that are read ahead to tell the compression.
const MAGIC_BYTES: u64 = 8;
const BUFFER: usize = 128 * 1024;
/// The largest window of `zstd --long`; the decoder refuses it unless asked.
pub(super) const ZSTD_WINDOW_LOG: u32 = 31;

/// Finds out how an opened input is compressed and decodes it.
pub(super) fn decode(input: &Input, opened: Opened, hash: bool) -> Result<Decoded, SourceError> {
    let is_file = opened.size.is_some();
    let mut raw = Raw::new(opened.reader, hash);
    let mut head = Vec::new();
    let failed = |source| SourceError::Read { input: input.clone(), line: 1, source };
    (&mut raw).take(MAGIC_BYTES).read_to_end(&mut head).map_err(failed)?;
    let compression = match head.as_slice() {
        [0x1f, 0x8b, ..] => Compression::Gzip,
        // A frame, or one of the frames that decoders skip.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => Compression::Zip,
        _ => Compression::None,
    };
    refuse_others(input, &head)?;
    if compression == Compression::Zip {
        let file = if is_file { reopen(input)? } else { spool(input, Cursor::new(head).chain(raw))? };
        return super::zip::decode(input, file, hash);
    }
    let head = Cursor::new(head);
    let buffered = || BufReader::with_capacity(BUFFER, raw.clone());
    let text: Box<dyn Read + Send> = match compression {
        Compression::Gzip => Box::new(MultiGzDecoder::new(head.chain(buffered()))),
        Compression::Zstd => {
            let mut decoder = zstd::Decoder::with_buffer(head.chain(buffered())).map_err(failed)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG).map_err(failed)?;
            Box::new(decoder)
        }
        Compression::None | Compression::Zip => Box::new(head.chain(raw.clone())),
    };
    Ok(Decoded { text, raw, compression })
}

/// Compressions that need another program first.
fn refuse_others(input: &Input, head: &[u8]) -> Result<(), SourceError> {
    let (name, command) = match head {
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => ("xz", "xz -dc"),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => ("bzip2", "bzip2 -dc"),
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => ("7-Zip", "7z x -so"),
        [0x04, 0x22, 0x4d, 0x18, ..] => ("lz4", "lz4 -dc"),
        _ => return Ok(()),
    };
    let remedy = match input {
        Input::File(path) => format!("{command} {} | sudobench solve", path.display()),
        Input::Stdin => format!("{command} FILE | sudobench solve"),
    };
    Err(SourceError::Compression { input: input.clone(), name, remedy })
}

/// A second handle on a regular file, since the index of a zip is at its end.
fn reopen(input: &Input) -> Result<File, SourceError> {
    let Input::File(path) = input else { return Err(SourceError::NoInput) };
    File::open(path).map_err(|source| SourceError::Open { input: input.clone(), source })
}

/// Stores what comes through a pipe in an unnamed temporary file.
fn spool(input: &Input, mut reader: impl Read) -> Result<File, SourceError> {
    let store = || -> io::Result<File> {
        let mut file = tempfile::tempfile()?;
        io::copy(&mut reader, &mut file)?;
        file.rewind()?;
        Ok(file)
    };
    let mut store = store;
    store().map_err(|source| SourceError::Spool { input: input.clone(), source })
}
