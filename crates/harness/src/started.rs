//! Stores how this program was started, so that it can be started again, for example as a helper process. If the program runs inside an
//! interpreter, the system reports only the interpreter, so the interpreter's process must call [`hosted`].

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

/// A program that runs inside the process of another program.
#[derive(Clone, Debug)]
pub struct Hosted {
    /// The command line, including the program's name.
    pub argv: Vec<OsString>,
    /// Path of the host program.
    pub host: PathBuf,
    /// The arguments that make the host run this program. The arguments of this program follow them.
    pub host_arguments: Vec<String>,
}

/// The program that [`hosted`] declared. This is a global value, like the arguments of a process.
static HOSTED: OnceLock<Hosted> = OnceLock::new();

/// Declares that this program runs in the process of another program. Only the first call has an effect.
pub fn hosted(hosted: Hosted) {
    let _ = HOSTED.set(hosted);
}

/// Returns the command line, including the program's name.
pub fn argv() -> Vec<OsString> {
    HOSTED.get().map_or_else(|| std::env::args_os().collect(), |hosted| hosted.argv.clone())
}

/// Returns the arguments of the command line as text, without the program's name.
pub fn arguments() -> Vec<String> {
    argv().iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Returns the path of the file that starts this program again (the host's file if there is a host), and the arguments that must come
/// before all other arguments.
///
/// # Errors
///
/// If the system does not report the path.
pub fn again() -> io::Result<(PathBuf, Vec<String>)> {
    match HOSTED.get() {
        Some(hosted) => Ok((hosted.host.clone(), hosted.host_arguments.clone())),
        None => Ok((std::env::current_exe()?, Vec::new())),
    }
}

/// Like [`again`], but on Linux, if there is no host, the path refers to the file that was started, even if the file was replaced since
/// then.
pub(crate) fn again_as_it_is() -> io::Result<(PathBuf, Vec<String>)> {
    match HOSTED.get() {
        None if cfg!(target_os = "linux") => Ok(("/proc/self/exe".into(), Vec::new())),
        _ => again(),
    }
}
