//! What a text of rows has besides cells, found out in one pass: line feeds, carriage returns, quotes.
//!
//! Compiled for the widest vectors of this CPU, as is what reads rows that are alike.

use crate::simd::{self, Build, Kernel, Simd};

/// The line feeds of a text, and whether it has anything else of that kind.
///
/// ```
/// use sudobench_sudoku::puzzle::Punctuation;
/// let found = Punctuation::of(b"\"a\"\nb\n");
/// assert_eq!(found, Punctuation { line_feeds: 2, has_other: true });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Punctuation {
    /// How many `\n` there are.
    pub line_feeds: u64,
    /// Whether there is a `\r` or a `"`.
    pub has_other: bool,
}

impl Punctuation {
    /// What `text` has.
    pub fn of(text: &[u8]) -> Punctuation {
        simd::build_widest(Of(text))
    }
}

struct Of<'t>(&'t [u8]);

impl Build for Of<'_> {
    type Output = Punctuation;

    fn build<S: Simd<N>, const N: usize>(self, simd: S) -> Punctuation {
        simd.call(self)
    }
}

/// Bytes that are looked at together, as many as the widest vector has.
const WINDOW: usize = 64;

/// Windows after which the counters of bytes are read: one more might be too much for them.
const COUNTED: usize = u8::MAX as usize;

impl Kernel for Of<'_> {
    type Output = Punctuation;

    #[inline(always)]
    fn run(self) -> Punctuation {
        let (mut line_feeds, mut nearest) = (0, u8::MAX);
        for piece in self.0.chunks(COUNTED * WINDOW) {
            let (windows, rest) = piece.as_chunks::<WINDOW>();
            let (mut counts, mut all_nearest) = ([0u8; WINDOW], [u8::MAX; WINDOW]);
            for window in windows {
                for at in 0..WINDOW {
                    counts[at] += u8::from(window[at] == b'\n');
                    all_nearest[at] = all_nearest[at].min(to_other(window[at]));
                }
            }
            for at in 0..WINDOW {
                line_feeds += u64::from(counts[at]);
                nearest = nearest.min(all_nearest[at]);
            }
            for &byte in rest {
                line_feeds += u64::from(byte == b'\n');
                nearest = nearest.min(to_other(byte));
            }
        }
        Punctuation { line_feeds, has_other: nearest == 0 }
    }
}

/// 0 for a carriage return and a quote. The least of these needs fewer instructions than whether any byte is one of them.
#[inline(always)]
fn to_other(byte: u8) -> u8 {
    (byte ^ b'\r').min(byte ^ b'"')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::simd::at_every_level;

    /// Looks at texts of many lengths, and holds what is found against a look at each byte.
    #[derive(Clone, Copy)]
    struct Check;

    impl Build for Check {
        type Output = ();

        fn build<S: Simd<N>, const N: usize>(self, simd: S) {
            let mut random = Random::new(11);
            for case in 0..if cfg!(miri) { 10 } else { 600 } {
                // Of some texts every byte is a line feed, so that the counters of bytes come to their end.
                let bytes = [&b"1,\n\r\"\x8a\0\xff"[..], b"12,\n", b"1,\n\r", b"1.\"\n", b"\n"][case % 5];
                let longest = if case % 20 < 5 && !cfg!(miri) { 3 * COUNTED * WINDOW } else { 5 * WINDOW };
                let length = random.below(longest);
                let mut text: Vec<u8> = (0..length).map(|_| bytes[random.below(bytes.len())]).collect();
                if case % 3 == 0 && !text.is_empty() {
                    // One alone must be found wherever it stands.
                    text.fill(b'1');
                    let at = random.below(text.len());
                    text[at] = b"\n\r\""[random.below(3)];
                }
                let wanted = Punctuation {
                    line_feeds: text.iter().filter(|byte| **byte == b'\n').count() as u64,
                    has_other: text.iter().any(|byte| b"\r\"".contains(byte)),
                };
                assert_eq!(simd.call(Of(&text)), wanted, "{}", text.escape_ascii());
                assert_eq!(Punctuation::of(&text), wanted);
            }
        }
    }

    #[test]
    fn it_is_found_as_byte_by_byte() {
        at_every_level(Check);
    }
}
