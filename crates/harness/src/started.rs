//! How this program was started, in order to start it again: as a helper process, or as one side of a gate. If it runs inside an
//! interpreter, the system reports only the interpreter.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

/// A program that runs inside the process of another program.
#[derive(Clone, Debug)]
pub struct Hosted {
    /// The command line, including the program's name.
    pub words: Vec<OsString>,
    /// The host's file.
    pub host: PathBuf,
    /// The arguments that make the host run this program. Its own arguments follow.
    pub host_words: Vec<String>,
}

/// Global, like the arguments of a process.
static HOSTED: OnceLock<Hosted> = OnceLock::new();

/// Declares that this process belongs to another program. Only the first call counts.
pub fn hosted(hosted: Hosted) {
    let _ = HOSTED.set(hosted);
}

/// Returns the command line, including the program's name.
pub fn words() -> Vec<OsString> {
    HOSTED.get().map_or_else(|| std::env::args_os().collect(), |hosted| hosted.words.clone())
}

/// Returns the arguments without the program's name, as a record keeps them.
pub fn arguments() -> Vec<String> {
    words().iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Returns the file of this program, under its usual name, and the arguments that must come first.
///
/// # Errors
///
/// If the system does not report it.
pub fn again() -> io::Result<(PathBuf, Vec<String>)> {
    match HOSTED.get() {
        Some(hosted) => Ok((hosted.host.clone(), hosted.host_words.clone())),
        None => Ok((std::env::current_exe()?, Vec::new())),
    }
}

/// The same file, even if it was replaced by another one since.
pub(crate) fn again_as_it_is() -> io::Result<(PathBuf, Vec<String>)> {
    match HOSTED.get() {
        None if cfg!(target_os = "linux") => Ok(("/proc/self/exe".into(), Vec::new())),
        _ => again(),
    }
}
