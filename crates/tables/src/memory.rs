//! Memory for the answers to a table. The memory belongs to the answers, and can be reused after the answers are dropped.
//!
//! The system clears each page that it provides. For a million puzzles, clearing takes a quarter of the solving time. So pages are kept for
//! the next table, and large pages are requested if the system has them: the first access to each page of 4 KiB costs as much as solving
//! about 30 puzzles.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use arrow_buffer::{Buffer, MutableBuffer};
use bytes::Bytes;
use memmap2::MmapMut;

/// Buffers of at least this number of bytes get their own pages from the system. Smaller buffers come from the allocator.
const LARGE: usize = 256 << 10;

/// Largest number of unused bytes that are kept. This is enough for the default columns of a million puzzles.
const MOST_KEPT: usize = 128 << 20;

/// The pages of dropped buffers, kept for the next table. The oldest come first.
#[derive(Debug, Default)]
pub(crate) struct Spare(Mutex<Vec<MmapMut>>);

/// Bytes for the values of a column. Before the first write, the bytes are zeros or values of an earlier table.
#[derive(Debug)]
pub(super) enum ColumnBuffer {
    Few(MutableBuffer),
    Many { pages: Pages, length: usize },
}

/// Pages that are given back to `home` when they are dropped.
#[derive(Debug)]
pub(super) struct Pages {
    /// `None` after the pages are returned.
    pages: Option<MmapMut>,
    home: Weak<Spare>,
}

impl Spare {
    pub(super) fn take(self: &Arc<Spare>, length: usize) -> ColumnBuffer {
        let pages = if length < LARGE { None } else { self.kept(length).or_else(|| new_pages(length)) };
        match pages {
            Some(pages) => {
                ColumnBuffer::Many { pages: Pages { pages: Some(pages), home: Arc::downgrade(self) }, length }
            }
            None => ColumnBuffer::Few(MutableBuffer::from_len_zeroed(length)),
        }
    }

    /// Takes out the smallest kept buffer that has from `length` to twice `length` bytes. Returns `None` if no kept buffer has such a size.
    fn kept(&self, length: usize) -> Option<MmapMut> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |pages: &MmapMut| (length..=length.saturating_mul(2)).contains(&pages.len());
        let best = (0..kept.len()).filter(|&at| fits(&kept[at])).min_by_key(|&at| kept[at].len())?;
        Some(kept.remove(best))
    }

    /// Keeps pages. If all kept pages together exceed [`MOST_KEPT`], frees the oldest. Frees the new pages if they alone exceed this limit.
    fn give_back(&self, pages: MmapMut) {
        if pages.len() > MOST_KEPT {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(pages);
        let mut bytes: usize = kept.iter().map(|pages| pages.len()).sum();
        kept.retain(|pages| {
            let is_kept = bytes <= MOST_KEPT;
            bytes -= if is_kept { 0 } else { pages.len() };
            is_kept
        });
    }
}

/// Requests memory from the system, on Linux in large pages if possible; `None` if the system refuses.
fn new_pages(length: usize) -> Option<MmapMut> {
    let pages = MmapMut::map_anon(length).ok()?;
    #[cfg(target_os = "linux")]
    // An error is ignored, because without large pages the memory is only slower.
    drop(pages.advise(memmap2::Advice::HugePage));
    Some(pages)
}

impl ColumnBuffer {
    /// Converts the bytes to a buffer without copying.
    pub(super) fn into_buffer(self) -> Buffer {
        match self {
            ColumnBuffer::Few(bytes) => bytes.into(),
            ColumnBuffer::Many { pages, length } => {
                Buffer::from(Bytes::from_owner(pages)).slice_with_length(0, length)
            }
        }
    }
}

impl Deref for ColumnBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            ColumnBuffer::Few(bytes) => bytes,
            ColumnBuffer::Many { pages, length } => &pages.as_ref()[..*length],
        }
    }
}

impl DerefMut for ColumnBuffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            ColumnBuffer::Few(bytes) => bytes,
            ColumnBuffer::Many { pages, length } => {
                &mut pages.pages.as_deref_mut().unwrap_or_default()[..*length]
            }
        }
    }
}

impl AsRef<[u8]> for Pages {
    fn as_ref(&self) -> &[u8] {
        self.pages.as_deref().unwrap_or_default()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if let (Some(pages), Some(home)) = (self.pages.take(), self.home.upgrade()) {
            home.give_back(pages);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(spare: &Spare) -> Vec<usize> {
        spare.0.lock().unwrap().iter().map(|pages| pages.len()).collect()
    }

    #[test]
    fn small_and_large_buffers_have_the_requested_length_and_keep_their_contents() {
        let spare = Arc::new(Spare::default());
        for length in [0, 1, LARGE - 1, LARGE, LARGE + 12_345] {
            let mut memory = spare.take(length);
            assert_eq!(memory.len(), length);
            memory.fill(3);
            if let Some(last) = memory.last_mut() {
                *last = 7;
            }
            let buffer = memory.into_buffer();
            assert_eq!((buffer.len(), buffer.last()), (length, (length > 0).then_some(&7)));
            assert!(buffer.iter().rev().skip(1).all(|&byte| byte == 3));
        }
    }

    #[test]
    fn pages_that_fit_are_reused_and_only_some_are_kept() {
        let spare = Arc::new(Spare::default());
        let buffer = spare.take(LARGE).into_buffer();
        let place = buffer.as_ptr();
        let shared = buffer.clone();
        drop(buffer);
        assert!(kept(&spare).is_empty(), "a clone still uses the pages");
        drop(shared);
        assert_eq!(kept(&spare), [LARGE]);
        assert_ne!(spare.take(LARGE + 1).as_ptr(), place);
        assert_eq!(kept(&spare), [LARGE, LARGE + 1]);
        // The smallest kept buffer that is large enough is reused.
        assert_eq!(spare.take(LARGE).as_ptr(), place);
        assert_eq!(spare.take(3 * LARGE).len(), 3 * LARGE);
        drop(spare.take(MOST_KEPT - 3 * LARGE));
        assert_eq!(kept(&spare), [3 * LARGE, MOST_KEPT - 3 * LARGE], "the oldest pages were freed");
        drop(spare.take(MOST_KEPT + 1));
        assert_eq!(kept(&spare).len(), 2, "pages above the limit are not kept");
        let last = spare.take(LARGE).into_buffer();
        drop(spare);
        assert_eq!(last.len(), LARGE, "the buffer outlives the store");
    }
}
