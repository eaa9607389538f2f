//! The work of helper processes. A helper process is this program, started again as a runner, as the watchdog, or as a loader.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use super::{helper, loader};
use crate::started;

/// If this process is a helper process, does its work and returns its exit code. Otherwise returns `None` at once. A program that measures
/// other programs must call this function at the start of `main`, before it does anything else:
///
/// ```
/// # use std::process::ExitCode;
/// fn main() -> ExitCode {
///     if let Some(code) = sudobench_harness::child_main() {
///         return code;
///     }
///     // The program itself.
///     ExitCode::SUCCESS
/// }
/// ```
pub fn child_main() -> Option<ExitCode> {
    let served = serve(&started::argv());
    helper::remember();
    served.map(|served| if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Does the work of a helper process if this process was started as a helper process. Otherwise returns `None`. The first argument is the
/// program's name.
fn serve(arguments: &[OsString]) -> Option<io::Result<()>> {
    let word = |at: usize| arguments.get(at).and_then(|word| word.to_str());
    match word(1)? {
        #[cfg(unix)]
        helper::RUNNER => Some(super::runner::serve()),
        #[cfg(unix)]
        helper::WATCHDOG => {
            super::watchdog::watch(word(2)?, &mut io::stdin().lock());
            Some(Ok(()))
        }
        helper::LOADER => Some(loader::serve(word(2)?)),
        _ => None,
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serves_if_this_is_a_helper() {
        let words: Vec<OsString> = std::env::args_os().collect();
        if let Some(at) = words.iter().position(|word| word == helper::RUNNER || word == helper::WATCHDOG) {
            serve(&words[at - 1..]).unwrap().unwrap();
        }
    }
}
