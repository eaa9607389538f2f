//! Commands as people type them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use super::Fault;

/// A command with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCommand {
    /// The name.
    pub name: String,
    /// The command as typed.
    pub text: String,
    /// Its words; at least one.
    pub words: Vec<String>,
    /// The folder that it runs in and that its paths are meant from; the current one where it is empty.
    pub folder: PathBuf,
}

impl NamedCommand {
    /// The same command, run in a folder.
    pub fn within(self, folder: &Path) -> NamedCommand {
        NamedCommand { folder: folder.to_owned(), ..self }
    }

    /// A command of these words as it is started in the folder. A program that is named by its path is looked for there, which
    /// systems do or do not of themselves.
    pub fn command(&self, words: &[OsString]) -> Command {
        let program = words.first().map_or(Path::new(""), |word| Path::new(word));
        let is_path = program.components().count() > 1;
        let mut command = match is_path && !self.folder.as_os_str().is_empty() {
            true => Command::new(self.folder.join(program)),
            false => Command::new(program),
        };
        command.args(words.iter().skip(1));
        if !self.folder.as_os_str().is_empty() {
            command.current_dir(&self.folder);
        }
        command
    }
}

impl FromStr for NamedCommand {
    type Err = Fault;

    /// Reads `NAME=COMMAND`, the command split into words as a shell does it.
    fn from_str(text: &str) -> Result<NamedCommand, Fault> {
        let form = || Fault(format!("`{text}` names no command: write NAME='COMMAND ARGUMENTS'"));
        let (name, command) = text.split_once('=').ok_or_else(form)?;
        let words = shell_words::split(command).map_err(|_| form())?;
        if name.trim().is_empty() || words.is_empty() {
            return Err(form());
        }
        let (name, text) = (name.trim().to_owned(), command.to_owned());
        Ok(NamedCommand { name, text, words, folder: PathBuf::new() })
    }
}

/// The words of a command as they stand for a program that runs in an empty folder: a program without a slash is looked for
/// as a shell does, and words that are the path of something in `folder` become absolute. An empty `folder` is the current one.
///
/// # Errors
/// [`Fault`] where there is no such program.
pub fn words_from(folder: &Path, words: &[String]) -> Result<Vec<String>, Fault> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(Fault("the command is empty".to_owned()));
    };
    let program = find_program(folder, program)?;
    Ok(std::iter::once(program).chain(arguments.iter().map(|word| absolute(folder, word))).collect())
}

/// The file of a program.
fn find_program(folder: &Path, name: &str) -> Result<String, Fault> {
    if name.contains('/') {
        let path = folder.join(name);
        return match (path.is_file(), is_executable(&path)) {
            (true, true) => Ok(absolute(folder, name)),
            (true, false) => {
                Err(Fault(format!("`{name}` is not executable: give its interpreter, or `chmod +x`")))
            }
            (false, _) => Err(Fault(format!("there is no program `{name}`"))),
        };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&path).map(|folder| folder.join(name));
    let found: Option<PathBuf> = files.find(|path| is_executable(path));
    found.map(|path| absolute(Path::new(""), &path.to_string_lossy())).ok_or_else(|| {
        Fault(format!("there is no program `{name}` on the PATH; one that is here is `./{name}`"))
    })
}

/// Whether a file may be executed by somebody.
#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Whether a file may be executed: other systems tell by its name.
#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// A word, as an absolute path if it is one of something that exists in the folder.
fn absolute(folder: &Path, word: &str) -> String {
    let path = folder.join(word);
    match !word.is_empty() && path.exists() {
        true => std::path::absolute(path).map_or(word.to_owned(), |path| path.to_string_lossy().into_owned()),
        false => word.to_owned(),
    }
}
