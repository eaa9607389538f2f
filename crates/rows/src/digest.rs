//! Digests of data: the number of its bytes, and a checksum that detects accidental changes.

use serde::{Deserialize, Serialize};

/// The number of bytes of a file or of a part of a file, and the CRC-32 of these bytes (as in gzip and zip). A digest
/// detects accidental changes of a file, not deliberate ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// Number of bytes.
    pub bytes: u64,
    /// CRC-32 of the bytes.
    pub crc32: u32,
}

impl Digest {
    /// Returns the digest of these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Digest {
        Digest { bytes: bytes.len() as u64, crc32: crc32fast::hash(bytes) }
    }

    /// Returns the digest of the bytes of `self` followed by the bytes of `later`, without reading the bytes again. So the digests of
    /// blocks can be computed in parallel.
    #[must_use]
    pub fn then(self, later: Digest) -> Digest {
        let mut before = self.hasher();
        before.combine(&later.hasher());
        Digest { bytes: self.bytes + later.bytes, crc32: before.finalize() }
    }

    fn hasher(self) -> crc32fast::Hasher {
        crc32fast::Hasher::new_with_initial_len(self.crc32, self.bytes)
    }
}

/// Formats the bytes of a digest in hexadecimal, as `sha256sum` does.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_parts_combine_to_the_digest_of_the_whole() {
        let text = b"53..7....6..195....98";
        for cut in 0..=text.len() {
            let (before, later) = text.split_at(cut);
            assert_eq!(
                Digest::from_bytes(before).then(Digest::from_bytes(later)),
                Digest::from_bytes(text),
                "{cut}"
            );
        }
    }
}
