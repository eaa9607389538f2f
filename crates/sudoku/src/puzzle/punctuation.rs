//! Counts the line feeds of a text, and finds out whether the text has carriage returns or quotes, in one pass.
//!
//! Like [`AlikeRows`](super::AlikeRows), this code always uses the widest vectors of the CPU, even if the run has another SIMD level.

use crate::simd::{self, Kernel};

/// Number of line feeds in a text, and whether it has carriage returns or quotes.
///
/// ```
/// use sudobench_sudoku::puzzle::Punctuation;
/// let found = Punctuation::count(b"\"a\"\nb\n");
/// assert_eq!(found, Punctuation { line_feeds: 2, has_other: true });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Punctuation {
    /// Number of `\n`.
    pub line_feeds: u64,
    /// Whether there is a `\r` or a `"`.
    pub has_other: bool,
}

impl Punctuation {
    /// Counts the punctuation of `text`.
    pub fn count(text: &[u8]) -> Punctuation {
        simd::build_widest(Count(text))
    }
}

struct Count<'t>(&'t [u8]);

/// Number of bytes processed together: the width of the widest vector.
const WINDOW: usize = 64;

/// Number of windows after which the byte counters are read, before they could overflow.
const COUNTED: usize = u8::MAX as usize;

impl Kernel for Count<'_> {
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

/// Returns 0 for a carriage return or a quote, and a larger number for any other byte. So the minimum of these numbers over many bytes is 0
/// if and only if one of the bytes is a carriage return or a quote. Computing the minimum needs fewer instructions than testing each byte.
#[inline(always)]
fn to_other(byte: u8) -> u8 {
    (byte ^ b'\r').min(byte ^ b'"')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::simd::{Build, Simd, at_every_level};

    /// Counts the line feeds in texts of many lengths, looks for quotes and carriage returns, and compares both results with loops over
    /// single bytes.
    #[derive(Clone, Copy)]
    struct Check;

    impl Build for Check {
        type Output = ();

        fn build<S: Simd<N>, const N: usize>(self, simd: S) {
            let mut random = Random::new(11);
            for case in 0..if cfg!(miri) { 10 } else { 600 } {
                // Some texts consist of line feeds only, so that the byte counters reach their limit.
                let bytes = [&b"1,\n\r\"\x8a\0\xff"[..], b"12,\n", b"1,\n\r", b"1.\"\n", b"\n"][case % 5];
                let longest = if case % 20 < 5 && !cfg!(miri) { 3 * COUNTED * WINDOW } else { 5 * WINDOW };
                let length = random.below(longest);
                let mut text: Vec<u8> = (0..length).map(|_| bytes[random.below(bytes.len())]).collect();
                if case % 3 == 0 && !text.is_empty() {
                    // A single byte must be found at any position.
                    text.fill(b'1');
                    let at = random.below(text.len());
                    text[at] = b"\n\r\""[random.below(3)];
                }
                let wanted = Punctuation {
                    line_feeds: text.iter().filter(|byte| **byte == b'\n').count() as u64,
                    has_other: text.iter().any(|byte| b"\r\"".contains(byte)),
                };
                assert_eq!(simd.call(Count(&text)), wanted, "{}", text.escape_ascii());
                assert_eq!(Punctuation::count(&text), wanted);
            }
        }
    }

    #[test]
    fn counts_agree_with_a_loop_over_bytes() {
        at_every_level(Check);
    }
}
