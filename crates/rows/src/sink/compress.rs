//! Compressed output, piece by piece.
//!
//! Each piece, usually a block of rows, becomes a gzip member or a zstd frame. Several members or frames, one after the other, form a valid
//! gzip or zstd file (RFC 1952, 2.2; RFC 8878, 3). So the workers compress blocks in parallel, and an interrupted file can be continued
//! after any block.

use std::io::{self, Write as _};

use flate2::write::GzEncoder;

/// The compression of an output. It can be parsed from its [name](Compression::name).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Compression {
    /// No compression.
    #[default]
    None,
    /// gzip.
    Gzip,
    /// zstd.
    Zstd,
}

/// The compression levels, which are the defaults of gzip and zstd. Higher levels gain little for digits.
const GZIP_LEVEL: u32 = 6;
const ZSTD_LEVEL: i32 = 3;

impl Compression {
    /// Returns the name of the compression.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Makes the compressor for the blocks of one thread.
    pub(crate) fn compressor(self) -> io::Result<Compressor> {
        Ok(match self {
            Compression::None => Compressor::None,
            Compression::Gzip => Compressor::Gzip,
            Compression::Zstd => {
                let mut zstd = zstd::bulk::Compressor::new(ZSTD_LEVEL)?;
                zstd.include_checksum(true)?;
                Compressor::Zstd(zstd)
            }
        })
    }

    pub(crate) fn compress(self, text: &mut Vec<u8>) -> io::Result<()> {
        self.compressor()?.compress(text, &mut Vec::new())
    }
}

pub(crate) enum Compressor {
    None,
    Gzip,
    Zstd(zstd::bulk::Compressor<'static>),
}

impl Compressor {
    /// Compresses `text` in place, using `spare` as a buffer. With gzip and zstd, an empty text becomes a few bytes, because an
    /// empty file is neither gzip nor zstd.
    pub(crate) fn compress(&mut self, text: &mut Vec<u8>, spare: &mut Vec<u8>) -> io::Result<()> {
        spare.clear();
        match self {
            Compressor::None => return Ok(()),
            Compressor::Gzip => {
                let mut member = GzEncoder::new(std::mem::take(spare), flate2::Compression::new(GZIP_LEVEL));
                member.write_all(text)?;
                *spare = member.finish()?;
            }
            Compressor::Zstd(zstd) => {
                spare.resize(zstd::zstd_safe::compress_bound(text.len()), 0);
                let length = zstd.compress_to_buffer(text, &mut spare[..])?;
                spare.truncate(length);
            }
        }
        std::mem::swap(text, spare);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn concatenated_blocks_are_one_file() {
        let blocks = ["puzzle,status\n".to_owned(), String::new(), "1,unique\n".repeat(5_000)];
        for compression in [Compression::Gzip, Compression::Zstd] {
            let (mut compressor, mut spare) = (compression.compressor().unwrap(), Vec::new());
            let mut file = Vec::new();
            for block in &blocks {
                let mut text = block.clone().into_bytes();
                compressor.compress(&mut text, &mut spare).unwrap();
                file.append(&mut text);
            }
            assert!(file.len() < 1_000);
            let mut text = String::new();
            match compression {
                Compression::Gzip => flate2::read::MultiGzDecoder::new(&file[..]).read_to_string(&mut text),
                _ => zstd::Decoder::new(&file[..]).unwrap().read_to_string(&mut text),
            }
            .unwrap();
            assert_eq!(text, blocks.concat());
        }
    }
}
