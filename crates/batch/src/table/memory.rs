//! Memory for the answers to a table: zeros, until they are written over.
//!
//! It is used once and given away, so that the system's work for it counts: the first touch of each page of 4 KiB costs as
//! much as solving some 30 puzzles. Large pages take most of that away, where the system has them.

use std::ops::{Deref, DerefMut};

use arrow_buffer::Buffer;
use bytes::Bytes;
use memmap2::MmapMut;

/// From this length on memory is asked for in large pages, each of 2 MiB.
const LARGE: usize = 8 << 20;

/// Bytes that are 0 at first.
#[derive(Debug)]
pub(super) enum Zeros {
    Few(Vec<u8>),
    Many { pages: MmapMut, length: usize },
}

impl Zeros {
    pub(super) fn new(length: usize) -> Zeros {
        let pages = if length < LARGE { None } else { large_pages(length) };
        pages.map_or_else(|| Zeros::Few(vec![0; length]), |pages| Zeros::Many { pages, length })
    }

    /// Forgets the bytes from this one on.
    pub(super) fn truncate(&mut self, to: usize) {
        match self {
            Zeros::Few(bytes) => bytes.truncate(to),
            Zeros::Many { length, .. } => *length = to.min(*length),
        }
    }

    /// The bytes, where they are.
    pub(super) fn into_buffer(self) -> Buffer {
        match self {
            Zeros::Few(bytes) => Buffer::from_vec(bytes),
            Zeros::Many { pages, length } => {
                Buffer::from(Bytes::from_owner(pages)).slice_with_length(0, length)
            }
        }
    }
}

/// Memory straight from the system, in pages as large as it has; `None` where it gives none that way.
fn large_pages(length: usize) -> Option<MmapMut> {
    let pages = MmapMut::map_anon(length).ok()?;
    #[cfg(target_os = "linux")]
    // Without them it is slower, and nothing else.
    drop(pages.advise(memmap2::Advice::HugePage));
    Some(pages)
}

impl Deref for Zeros {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Zeros::Few(bytes) => bytes,
            Zeros::Many { pages, length } => &pages[..*length],
        }
    }
}

impl DerefMut for Zeros {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Zeros::Few(bytes) => bytes,
            Zeros::Many { pages, length } => &mut pages[..*length],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_are_zeros_until_they_are_written() {
        for length in [0, 1, LARGE - 1, LARGE, LARGE + 12_345] {
            let mut zeros = Zeros::new(length);
            assert!(zeros.len() == length && zeros.iter().all(|&byte| byte == 0));
            if let Some(last) = zeros.last_mut() {
                *last = 7;
            }
            zeros.truncate(length + 1);
            let buffer = zeros.into_buffer();
            assert_eq!((buffer.len(), buffer.last()), (length, (length > 0).then_some(&7)));
        }
        let mut zeros = Zeros::new(LARGE);
        zeros.truncate(5);
        assert_eq!(zeros.into_buffer().len(), 5);
    }
}
