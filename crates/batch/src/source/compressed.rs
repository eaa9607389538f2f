//! From stored bytes to text. Compressions are told apart by their first bytes, never by their names.
//!
//! Of a zip, the zip crate reads the index. The data of its one file is then read front to back with the decoders
//! of the other formats, so that it streams, and the whole archive passes by to be counted and digested.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};

use flate2::Crc;
use flate2::bufread::{DeflateDecoder, MultiGzDecoder};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::error::SourceError;
use super::input::{Compression, Input};
use super::raw::{Opened, Raw};

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
const ZSTD_WINDOW_LOG: u32 = 31;

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
        return decode_zip(input, file, hash);
    }
    let head = Cursor::new(head);
    let buffered = || BufReader::with_capacity(BUFFER, raw.clone());
    let text: Box<dyn Read + Send> = match compression {
        Compression::Gzip => Box::new(MultiGzDecoder::new(head.chain(buffered()))),
        Compression::Zstd => Box::new(zstd_decoder(head.chain(buffered())).map_err(failed)?),
        Compression::None | Compression::Zip => Box::new(head.chain(raw.clone())),
    };
    Ok(Decoded { text, raw, compression })
}

fn zstd_decoder<R: BufRead>(stored: R) -> io::Result<zstd::Decoder<'static, R>> {
    let mut decoder = zstd::Decoder::with_buffer(stored)?;
    decoder.window_log_max(ZSTD_WINDOW_LOG)?;
    Ok(decoder)
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
        Input::Stdin | Input::Reader(_) => format!("{command} FILE | sudobench solve"),
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

/// An archive's one data file, as the index describes it.
struct Entry {
    start: u64,
    compressed_size: u64,
    method: CompressionMethod,
    crc: u32,
}

/// Decodes the one data file of an archive.
fn decode_zip(input: &Input, mut file: File, hash: bool) -> Result<Decoded, SourceError> {
    let entry = find_entry(input, &file)?;
    let failed = |source| SourceError::Read { input: input.clone(), line: 1, source };
    file.rewind().map_err(failed)?;
    let raw = Raw::new(Box::new(file), hash);
    let mut bytes = BufReader::with_capacity(BUFFER, raw.clone());
    io::copy(&mut (&mut bytes).take(entry.start), &mut io::sink()).map_err(failed)?;
    let data = bytes.take(entry.compressed_size);
    let text: Box<dyn Read + Send> = match entry.method {
        CompressionMethod::Stored => Box::new(data),
        CompressionMethod::Deflated => Box::new(DeflateDecoder::new(data)),
        CompressionMethod::Zstd => Box::new(zstd_decoder(data).map_err(failed)?),
        other => {
            let what =
                format!("its file is compressed with {other}, which is not read directly: unpack it first");
            return Err(SourceError::Zip { input: input.clone(), what });
        }
    };
    let text = Box::new(Checked { text, crc: Crc::new(), wanted: entry.crc });
    Ok(Decoded { text, raw, compression: Compression::Zip })
}

/// Reads the archive's index.
fn find_entry(input: &Input, file: &File) -> Result<Entry, SourceError> {
    let corrupt = |error: ZipError| {
        let source = io::Error::new(io::ErrorKind::InvalidData, error);
        SourceError::Corrupt { input: input.clone(), compression: Compression::Zip, line: 1, source }
    };
    let refuse = |what: String| SourceError::Zip { input: input.clone(), what };
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(corrupt)?;
    let names: Vec<(usize, String)> = archive
        .file_names_raw()
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .enumerate()
        .filter(|(_, name)| is_data(name))
        .collect();
    let index = match names.as_slice() {
        [(index, _)] => *index,
        [] => return Err(refuse("the zip archive holds no file".to_owned())),
        several => {
            let list: Vec<&str> = several.iter().take(10).map(|(_, name)| name.as_str()).collect();
            let more = if several.len() > list.len() { ", ..." } else { "" };
            return Err(refuse(format!(
                "the zip archive holds {} files ({}{more}): unpack the one to read, e.g. `unzip -p ARCHIVE {}`",
                several.len(),
                list.join(", "),
                list[0],
            )));
        }
    };
    let entry = archive.by_index_raw(index).map_err(corrupt)?;
    if entry.encrypted() {
        return Err(refuse("the zip archive is encrypted: unpack it first".to_owned()));
    }
    let start = entry.data_start().ok_or(ZipError::FileNotFound).map_err(corrupt)?;
    Ok(Entry {
        start,
        compressed_size: entry.compressed_size(),
        method: entry.compression(),
        crc: entry.crc32(),
    })
}

/// Whether an entry is a file that somebody put there, not a folder or what desktops leave behind.
fn is_data(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    !(base.is_empty() || name.starts_with("__MACOSX/") || base == ".DS_Store")
}

/// Text that is compared with its checksum at the end.
struct Checked {
    text: Box<dyn Read + Send>,
    crc: Crc,
    wanted: u32,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.text.read(buffer)?;
        self.crc.update(&buffer[..length]);
        if length == 0 && !buffer.is_empty() && self.crc.sum() != self.wanted {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum differs"));
        }
        Ok(length)
    }
}
