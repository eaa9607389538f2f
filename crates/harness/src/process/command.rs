//! Commands as typed by users.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::Fault;

/// A command with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCommand {
    /// The name.
    pub name: String,
    /// The command as typed.
    pub text: String,
    /// The program and its arguments.
    pub argv: Vec<String>,
}

impl FromStr for NamedCommand {
    type Err = Fault;

    /// Reads `NAME=COMMAND`. The command is split into words as in a shell.
    fn from_str(text: &str) -> Result<NamedCommand, Fault> {
        let form = || Fault(format!("`{text}` is not a name and a command: write NAME='COMMAND ARGUMENTS'"));
        let (name, command) = text.split_once('=').ok_or_else(form)?;
        let argv = shell_words::split(command).map_err(|_| form())?;
        if name.trim().is_empty() || argv.is_empty() {
            return Err(form());
        }
        let (name, text) = (name.trim().to_owned(), command.to_owned());
        Ok(NamedCommand { name, text, argv })
    }
}

/// Prepares an argument vector for a program that runs in an empty folder. If the program's name has no slash, the program is looked up in
/// `PATH` as in a shell. The path of the program, and all arguments that are paths of existing files or folders, become absolute.
///
/// # Errors
///
/// [`Fault`] if the command is empty, or its program doesn't exist or is not executable.
pub fn absolute_argv(argv: &[String]) -> Result<Vec<String>, Fault> {
    let Some((program, arguments)) = argv.split_first() else {
        return Err(Fault("the command is empty".to_owned()));
    };
    let program = program_file(program)?;
    Ok(std::iter::once(program).chain(arguments.iter().map(|word| absolute(word))).collect())
}

/// Returns the path of a program's file. If the name has no slash, the program is looked up in `PATH` as in a shell.
///
/// # Errors
///
/// [`Fault`] if there is no such program, or it is not executable.
pub fn program_file(name: &str) -> Result<String, Fault> {
    if name.contains('/') {
        let path = Path::new(name);
        return match (path.is_file(), is_executable(path)) {
            (true, true) => Ok(absolute(name)),
            (true, false) => Err(Fault(format!(
                "`{name}` is not executable: write its interpreter before it, or run `chmod +x`"
            ))),
            (false, _) => Err(Fault(format!("there is no program `{name}`"))),
        };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&path).map(|folder| folder.join(name));
    let found: Option<PathBuf> = files.find(|path| is_executable(path));
    found.map(|path| absolute(&path.to_string_lossy())).ok_or_else(|| {
        Fault(format!(
            "there is no program `{name}` on the PATH; for a program in this folder, write `./{name}`"
        ))
    })
}

/// Returns whether a file is executable for some user.
#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Returns whether the path is a file. Systems other than Unix have no permission bits that mark a program.
#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Returns the word, or its absolute path if the word is the path of an existing file or folder.
fn absolute(word: &str) -> String {
    let path = Path::new(word);
    match path.exists() {
        true => std::path::absolute(path).map_or(word.to_owned(), |path| path.to_string_lossy().into_owned()),
        false => word.to_owned(),
    }
}
