//! Control lines: messages between processes of sudobench. Each line is a JSON object.
//!
//! The field `type` names the message. Binaries of earlier releases must still be measurable, so fields are never removed, new fields are
//! optional, and unknown fields are ignored. The messages are in these modules:
//!
//! - runners: [`messages`](super::messages)
//! - loaders: [`loader`](super::loader)
//! - served binaries: `bench::serve`
//! - the processes of `bench --runs`: `bench::runs`

use std::io;

use serde::Serialize;

/// Version of the protocol that this program speaks.
pub(crate) const PROTOCOL: u32 = 2;

/// Oldest version that is still understood. Its lines have no `type`.
pub(crate) const OLDEST_PROTOCOL: u32 = 1;

/// Length of the longest control line that is read from a runner or a served binary, in bytes. The longest such line in practice is the
/// first line of a served binary, with about 150 bytes for each pair.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;

pub(crate) fn line_of(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Removes and returns the first complete line of the received bytes. The search for its end starts after the first `searched`
/// bytes, which are known to contain no line end.
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
