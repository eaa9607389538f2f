//! The one data file of a zip archive, decoded in the order of its bytes.
//!
//! The zip crate reads the index. The data is then read front to back with the decoders of the other formats,
//! so that it streams, and the whole archive passes by to be counted and digested.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::compressed::{Compression, Decoded, ZSTD_WINDOW_LOG};
use super::raw::Raw;
use super::{Input, SourceError};

/// The archive's data file, as the index describes it.
struct Entry {
    start: u64,
    compressed_size: u64,
    method: CompressionMethod,
    crc: u32,
}

/// Opens the one data file of the archive.
pub(super) fn decode(input: &Input, mut file: File, hash: bool) -> Result<Decoded, SourceError> {
    let entry = find_entry(input, &file)?;
    let failed = |source| SourceError::Read { input: input.clone(), line: 1, source };
    file.rewind().map_err(failed)?;
    let raw = Raw::new(Box::new(file), hash);
    let mut bytes = BufReader::with_capacity(128 * 1024, raw.clone());
    io::copy(&mut (&mut bytes).take(entry.start), &mut io::sink()).map_err(failed)?;
    let data = bytes.take(entry.compressed_size);
    let text: Box<dyn Read + Send> = match entry.method {
        CompressionMethod::Stored => Box::new(data),
        CompressionMethod::Deflated => Box::new(DeflateDecoder::new(data)),
        CompressionMethod::Zstd => {
            let mut decoder = zstd::Decoder::with_buffer(data).map_err(failed)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG).map_err(failed)?;
            Box::new(decoder)
        }
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
