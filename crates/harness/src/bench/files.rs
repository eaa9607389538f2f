//! The files of an engine that reads its puzzles from a file. The engine writes its answers to another file or prints them. The files exist
//! only during a run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Fault;
use crate::process::ScratchFolder;

/// Placeholder for the path of the puzzle file in a command.
pub(super) const INPUT: &str = "{input}";

/// Placeholder for the path of the answer file in a command.
pub(super) const OUTPUT: &str = "{output}";

pub(super) struct Files {
    input: PathBuf,
    output: PathBuf,
    /// The folder is removed with its contents when this value is dropped.
    _folder: ScratchFolder,
}

impl Files {
    /// Makes a new folder, and in it a file with the content `input`.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the file can't be written.
    pub(super) fn new(input: &[u8]) -> Result<Files, Fault> {
        let fault = |error: std::io::Error| Fault(format!("cannot write the puzzles to a file: {error}"));
        let folder = ScratchFolder::new().map_err(fault)?;
        let [input_path, output] = ["input", "output"].map(|name| folder.path().join(name));
        std::fs::write(&input_path, input).map_err(fault)?;
        Ok(Files { input: input_path, output, _folder: folder })
    }

    /// Returns the command line with the paths in place of the placeholders.
    pub(super) fn fill(&self, argv: &[String]) -> Vec<OsString> {
        let with_output = |piece: &str| joined(piece.split(OUTPUT).map(OsString::from), &self.output);
        argv.iter().map(|argument| joined(argument.split(INPUT).map(with_output), &self.input)).collect()
    }

    /// Returns whether there are more than `most` bytes of answers.
    pub(super) fn exceeds(&self, most: usize) -> bool {
        std::fs::metadata(&self.output).is_ok_and(|file| file.len() > most as u64)
    }

    /// Returns the answers that the engine wrote.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the engine wrote no regular file, or the file can't be read.
    pub(super) fn answers(&self) -> Result<Vec<u8>, Fault> {
        // Only a regular file is opened, because opening a pipe could wait forever.
        match std::fs::metadata(&self.output) {
            Ok(file) if file.is_file() => std::fs::read(&self.output)
                .map_err(|error| Fault(format!("cannot read the engine's output file: {error}"))),
            Ok(_) => Err(Fault("the output of the engine is not a regular file".to_owned())),
            Err(_) => Err(Fault("the engine wrote no output file".to_owned())),
        }
    }
}

fn joined(pieces: impl Iterator<Item = OsString>, path: &Path) -> OsString {
    let pieces: Vec<OsString> = pieces.collect();
    pieces.join(path.as_os_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn paths_replace_placeholders_within_words() {
        let files = Files::new(b"puzzle\n").unwrap();
        let filled = files.fill(&strings(&["./my solver", "--in={input}", "{output}{input}", "{inputs}"]));
        let [input, output] = [&files.input, &files.output].map(|path| path.to_str().unwrap());
        let expected = [
            "./my solver".to_owned(),
            format!("--in={input}"),
            format!("{output}{input}"),
            "{inputs}".to_owned(),
        ];
        assert_eq!(filled, expected.map(OsString::from));
        assert!(files.input.is_absolute());
        assert_eq!(std::fs::read(&files.input).unwrap(), b"puzzle\n");
    }

    #[test]
    fn answers_are_read_from_a_file() {
        let files = Files::new(b"").unwrap();
        assert_eq!(files.answers(), Err(Fault("the engine wrote no output file".to_owned())));
        std::fs::write(&files.output, "answers").unwrap();
        assert_eq!(files.answers().unwrap(), b"answers");
        assert_eq!((files.exceeds(6), files.exceeds(7)), (true, false));
        std::fs::remove_file(&files.output).unwrap();
        std::fs::create_dir(&files.output).unwrap();
        assert_eq!(files.answers(), Err(Fault("the output of the engine is not a regular file".to_owned())));
        let folder = files.input.parent().unwrap().to_owned();
        drop(files);
        assert!(!folder.exists());
    }
}
