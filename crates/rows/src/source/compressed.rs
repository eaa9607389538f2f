//! Decompresses inputs, and opens files of typed rows (such as Parquet). Compressions and typed formats are recognised by the first bytes,
//! not by file names.
//!
//! The zip crate only reads the index of a zip archive. The archive is then read from its start, and the data of its only data file is
//! decoded with the decoders for gzip and zstd. So the bytes of the archive are counted and digested in order.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};

use flate2::CrcReader;
use flate2::bufread::{DeflateDecoder, GzDecoder};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::InputFormat;
use super::error::SourceError;
use super::input::{Input, InputCompression, ZSTD_WINDOW_LOG};
use super::raw::{Opened, Raw};
use super::refused::refuse_zip;
use super::state::WatchedFile;
use super::typed::{self, RowSource, TypedFormat};
use crate::Digest;

pub(super) struct Decoded {
    pub(super) bytes: Bytes,
    pub(super) raw: Raw,
    pub(super) compression: InputCompression,
}

pub(super) enum Bytes {
    /// A reader of the text, which decompresses it if necessary.
    Text(Box<dyn Read + Send>),
    /// A file of typed rows, within which the reader jumps back and forth. If the file came through a pipe or standard input, its digest
    /// is included.
    Typed(InputFormat, Box<dyn RowSource>, Option<Digest>),
}

/// Number of bytes that are read ahead to recognise the compression or a format of typed rows: the largest size of a zstd frame header with
/// its magic number.
const MAGIC_BYTES: u64 = 18;
const BUFFER: usize = 128 * 1024;

pub(super) fn decode(input: &Input, opened: Opened, hash: bool) -> Result<Decoded, SourceError> {
    // Only a regular file with a path can be opened again. Standard input has no path.
    let file = opened.size.and(opened.watched);
    let mut raw = Raw::new(opened.reader, hash);
    let mut head = Vec::new();
    let failed = |source| SourceError::Read { input: input.clone(), line: 1, source };
    (&mut raw).take(MAGIC_BYTES).read_to_end(&mut head).map_err(failed)?;
    let compression = match head.as_slice() {
        [0x1f, 0x8b, ..] => InputCompression::Gzip,
        // The start of a zstd frame, or of a frame that decoders skip.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => InputCompression::Zstd,
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => InputCompression::Zip,
        _ => InputCompression::None,
    };
    let typed = typed::find(&head);
    if typed.is_some() || compression == InputCompression::Zip {
        let (file, digest) = match file {
            Some(watched) => (reopen(input, &watched)?, None),
            None => {
                let (file, digest) = spool(input, Cursor::new(head).chain(raw.clone()))?;
                (file, Some(digest))
            }
        };
        let Some(TypedFormat { format, open }) = typed else { return decode_zip(input, file, hash) };
        return Ok(Decoded { bytes: Bytes::Typed(format, open(input, file)?, digest), raw, compression });
    }
    if compression == InputCompression::Zstd
        && let Some(window) = zstd_window(&head).filter(|&window| window > 1 << ZSTD_WINDOW_LOG)
    {
        return Err(SourceError::Window { input: input.clone(), window: Some(window) });
    }
    let head = Cursor::new(head);
    let buffered = || BufReader::with_capacity(BUFFER, raw.clone());
    let text: Box<dyn Read + Send> = match compression {
        InputCompression::Gzip => {
            Box::new(Members { member: Some(GzDecoder::new(head.chain(buffered()))), raw: raw.clone() })
        }
        InputCompression::Zstd => Box::new(zstd_decoder(head.chain(buffered())).map_err(failed)?),
        InputCompression::None | InputCompression::Zip => Box::new(head.chain(raw.clone())),
    };
    Ok(Decoded { bytes: Bytes::Text(text), raw, compression })
}

/// Reads the members of a gzip file, one after the other. A member may be followed by another member, or by zero bytes up to the end of the
/// file (padding, as on tapes). Any other data is an error, because it may be a damaged member, and its rows must not be lost unnoticed.
struct Members<R> {
    /// The current member. `None` after the last one.
    member: Option<GzDecoder<R>>,
    /// The stored bytes, which `member` reads through a buffer.
    raw: Raw,
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(member) = &mut self.member else { return Ok(0) };
            let length = member.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            // The member is at its end, and its checksum is right.
            let rest = member.get_mut();
            let has_zeros = skip_zeros(rest)?;
            let is_member = match rest.fill_buf()? {
                [] => false,
                // If the buffer has only one byte, the second byte of the magic bytes is checked later by the decoder.
                [0x1f] | [0x1f, 0x8b, ..] if !has_zeros => true,
                other => {
                    let offset = self.raw.bytes_read() - other.len() as u64;
                    return Err(io::Error::new(
                        io::ErrorKind::InvalidData,
                        format!(
                            "byte {offset} is neither padding nor the start of a gzip member that directly follows the previous one"
                        ),
                    ));
                }
            };
            self.member =
                self.member.take().filter(|_| is_member).map(|member| GzDecoder::new(member.into_inner()));
        }
    }
}

/// Skips zero bytes. Returns whether there were any.
fn skip_zeros(reader: &mut impl BufRead) -> io::Result<bool> {
    let mut any = false;
    loop {
        let bytes = reader.fill_buf()?;
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        if zeros == 0 {
            return Ok(any);
        }
        any = true;
        reader.consume(zeros);
    }
}

/// Returns the window size of the first frame of zstd data, in bytes (RFC 8878, 3.1.1.1). `None` if the frame is skippable or incomplete.
fn zstd_window(head: &[u8]) -> Option<u64> {
    let [0x28, 0xb5, 0x2f, 0xfd, descriptor, rest @ ..] = head else { return None };
    let is_single_segment = descriptor & 0x20 != 0;
    if !is_single_segment {
        let window = rest.first()?;
        let base = 1_u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // The window has the size of the content. The size of the content is stored after the ID of the dictionary.
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let length = 1 << (descriptor >> 6);
    let size = rest.get(dictionary..dictionary + length)?;
    let size = size.iter().rev().fold(0, |size, &byte| size << 8 | u64::from(byte));
    // If the field has two bytes, the size is 256 more than the number in the field.
    Some(if length == 2 { size + 256 } else { size })
}

fn zstd_decoder<R: BufRead>(stored: R) -> io::Result<zstd::Decoder<'static, R>> {
    let mut decoder = zstd::Decoder::with_buffer(stored)?;
    decoder.window_log_max(ZSTD_WINDOW_LOG)?;
    Ok(decoder)
}

/// Opens a regular file a second time, to read at any position, for example the index at the end of a zip archive.
fn reopen(input: &Input, watched: &WatchedFile) -> Result<File, SourceError> {
    let Input::File(path) = input else { return Err(SourceError::NoInput) };
    watched.reopen(path).map_err(|source| SourceError::Open { input: input.clone(), source })
}

/// Stores the data of a pipe or of standard input in an unnamed temporary file. Returns the file and the digest of its bytes.
fn spool(input: &Input, reader: impl Read) -> Result<(File, Digest), SourceError> {
    let store = || -> io::Result<(File, Digest)> {
        let mut file = tempfile::tempfile()?;
        let mut reader = CrcReader::new(reader);
        let bytes = io::copy(&mut reader, &mut file)?;
        file.rewind()?;
        Ok((file, Digest { bytes, crc32: reader.crc().sum() }))
    };
    store().map_err(|source| SourceError::Spool { input: input.clone(), source })
}

/// The only data file of an archive, as described in the index.
struct Entry {
    start: u64,
    compressed_size: u64,
    method: CompressionMethod,
    crc: u32,
}

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
                format!("the file in it is compressed with {other}, which is not supported: unpack it first");
            return Err(SourceError::Zip { input: input.clone(), what });
        }
    };
    let bytes = Bytes::Text(Box::new(Checked { text: CrcReader::new(text), wanted: entry.crc }));
    Ok(Decoded { bytes, raw, compression: InputCompression::Zip })
}

/// Finds the only data file of an archive in the archive's index. Fails if the index can't be read, if there is no data file, if there are
/// several, if the file has the extension of a format that isn't read from archives, or if the file is encrypted.
fn find_entry(input: &Input, file: &File) -> Result<Entry, SourceError> {
    let corrupt = |error: ZipError| {
        let source = match error {
            // Only the cause is reported, because the message of this error repeats the message of its cause.
            ZipError::Io(cause) => cause,
            other => io::Error::new(io::ErrorKind::InvalidData, other),
        };
        SourceError::Corrupt { input: input.clone(), compression: InputCompression::Zip, line: 1, source }
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
        [(_, name)] if let Some(is) = InputFormat::named_like(name) => {
            return Err(refuse(format!(
                "the zip archive contains {is}: unpack it first, e.g. `unzip -p ARCHIVE {} | sudobench solve`",
                shell_words::quote(name)
            )));
        }
        [(index, _)] => *index,
        [] => return Err(refuse("the zip archive contains no file".to_owned())),
        several => {
            let all: Vec<&str> = several.iter().map(|(_, name)| name.as_str()).collect();
            refuse_zip(input, &all)?;
            let list = &all[..all.len().min(10)];
            let more = if all.len() > list.len() { ", ..." } else { "" };
            return Err(refuse(format!(
                "the zip archive contains {} files ({}{more}): unpack the one to read, e.g. `unzip -p ARCHIVE {}`",
                all.len(),
                list.join(", "),
                shell_words::quote(list[0]),
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

/// Returns whether an entry is a data file: not a folder, and not a file that macOS adds to archives.
fn is_data(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    !(base.is_empty() || name.starts_with("__MACOSX/") || base == ".DS_Store")
}

/// Text that is checked against its checksum at the end.
struct Checked {
    text: CrcReader<Box<dyn Read + Send>>,
    wanted: u32,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.text.read(buffer)?;
        if length == 0 && !buffer.is_empty() && self.text.crc().sum() != self.wanted {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum differs"));
        }
        Ok(length)
    }
}
