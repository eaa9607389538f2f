//! Reads stored files completely, but refuses files above a size limit, so that an endless file does not fill the memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Largest size of a record, baseline or history. Real files are far smaller.
const MOST_BYTES: u64 = 1 << 30;

/// Reads a stored file, such as a record, a baseline or a history. The file may be a pipe.
///
/// # Errors
///
/// If the file can't be read, or is larger than 1 GiB.
pub fn read_stored_file(path: &Path) -> io::Result<Vec<u8>> {
    read_stored(File::open(path)?)
}

/// Like [`read_stored_file`], from a reader.
///
/// # Errors
///
/// As [`read_stored_file`].
pub fn read_stored(reader: impl Read) -> io::Result<Vec<u8>> {
    read_at_most(reader, MOST_BYTES)
}

/// Returns the content of a file as text.
///
/// # Errors
/// If the content is not UTF-8.
pub fn stored_text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

fn read_at_most(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = "it is larger than 1 GiB, and no record, baseline or history is that large";
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_file_is_an_error() {
        let error = read_at_most(io::repeat(0), 100).unwrap_err();
        assert!(error.to_string().starts_with("it is larger than 1 GiB"), "{error}");
        assert_eq!(read_at_most(io::repeat(0).take(100), 100).unwrap().len(), 100);
        assert_eq!(stored_text(vec![0xff]).unwrap_err().to_string(), "it is not UTF-8 text");
    }
}
