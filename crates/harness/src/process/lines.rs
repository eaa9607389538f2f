//! Control lines: what this program and its child processes say to each other, one JSON object a line. docs/REFERENCE.md#line-protocol describes them.
//!
//! Runners and served binaries speak this protocol. It only grows, so that a binary of the last release can still be measured: the
//! fields of a message are kept, new ones are optional, and unknown ones are ignored.

use std::io;

use serde::Serialize;

/// The version of the protocol.
pub(crate) const PROTOCOL: u32 = 2;

/// The oldest version that is still understood. Its lines have no `type`.
pub(crate) const OLDEST_PROTOCOL: u32 = 1;

/// The longest control line that is read, in bytes. The longest that is written is the first one to a served binary: about 150 bytes for
/// each pair.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;

/// A message as a line.
pub(crate) fn line_of(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Takes the first whole line from what was received. Its end is not among the first `searched` bytes.
pub(crate) fn take_line(received: &mut Vec<u8>, searched: usize) -> Option<Vec<u8>> {
    let end = received[searched..].iter().position(|&byte| byte == b'\n')?;
    let rest = received.split_off(searched + end + 1);
    Some(std::mem::replace(received, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_one_after_the_other() {
        let mut received = b"one\ntwo\nrest".to_vec();
        assert_eq!(take_line(&mut received, 0).unwrap(), b"one\n");
        assert_eq!(take_line(&mut received, 2).unwrap(), b"two\n");
        assert_eq!((take_line(&mut received, 0), received), (None, b"rest".to_vec()));
    }
}
