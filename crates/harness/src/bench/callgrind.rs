//! Counts the instructions of other processes with `valgrind --tool=callgrind`. Callgrind needs no counters of the processor (virtual
//! machines seldom have them), and its counts hardly vary.

use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::process::{End, Fault, SHORT_OUTPUT, ScratchFolder, Supervisor};

/// Time limit for valgrind to print its version.
const PATIENCE: Duration = Duration::from_secs(30);

const REMEDY: &str = "install valgrind, check that it works, or leave out --instructions callgrind";

/// Runs programs under callgrind. The files of callgrind are in a temporary folder, which is removed when this value is dropped.
pub struct Callgrind {
    folder: ScratchFolder,
}

impl Callgrind {
    /// Checks that valgrind starts.
    ///
    /// # Errors
    /// [`Fault`] if valgrind doesn't start, or no folder can be made.
    pub fn new(supervisor: &Arc<Supervisor>) -> Result<Callgrind, Fault> {
        let mut version = Command::new("valgrind");
        version.arg("--version");
        let fault = |message: String| Fault(format!("cannot count instructions: {message}: {REMEDY}"));
        let run =
            supervisor.finish(&version, PATIENCE, SHORT_OUTPUT).map_err(|found| fault(found.to_string()))?;
        if run.end != End::Exited(0) {
            return Err(fault(format!("`valgrind --version` ended with {}", run.in_words())));
        }
        let folder = ScratchFolder::new()
            .map_err(|error| Fault(format!("cannot make a folder for callgrind in {error}")))?;
        Ok(Callgrind { folder })
    }

    /// Returns the command line that runs the command `argv` and all its child processes under callgrind.
    pub fn command_line<W: Clone + for<'w> From<&'w str>>(&self, argv: &[W]) -> Vec<W> {
        let files = format!("--callgrind-out-file={}/%p", self.folder.path().display());
        let valgrind = ["valgrind", "-q", "--tool=callgrind", "--trace-children=yes", &files, "--"];
        valgrind.into_iter().map(W::from).chain(argv.iter().cloned()).collect()
    }

    /// Returns the number of instructions of all processes that `run` runs under callgrind.
    ///
    /// # Errors
    /// [`Fault`] if `run` fails, or callgrind left no counts, or its files can't be read.
    pub fn count<T>(&self, run: impl FnOnce() -> Result<T, Fault>) -> Result<u64, Fault> {
        let ran = run();
        let total = self.take_total();
        ran.map_err(|fault| Fault(format!("under valgrind, which is slow and lacks AVX-512: {fault}")))?;
        total
            .map_err(|error| Fault(format!("cannot read the counts of callgrind: {error}")))?
            .ok_or_else(|| Fault("callgrind counted nothing: was the program killed?".to_owned()))
    }

    /// Returns the sum of the counts in the files, one file for each process, and removes the files. `None` if there are no counts.
    fn take_total(&self) -> std::io::Result<Option<u64>> {
        let mut total = None;
        for file in fs::read_dir(self.folder.path())? {
            let path = file?.path();
            let counted = total_of(&fs::read_to_string(&path)?);
            fs::remove_file(path)?;
            total = counted.map(|counted| total.unwrap_or(0) + counted).or(total);
        }
        Ok(total)
    }
}

/// Returns the total that is at the end of a callgrind file.
fn total_of(text: &str) -> Option<u64> {
    let line = text.lines().rev().find_map(|line| line.strip_prefix("totals:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read_from_the_end_of_a_file() {
        let file = "# callgrind format\nevents: Ir\nsummary: 224500\n\ntotals: 224518\n";
        assert_eq!(total_of(file), Some(224_518));
        assert_eq!(total_of("totals: 7 8\n"), Some(7), "other events follow");
        assert_eq!(total_of("# callgrind format\nevents: Ir\n"), None, "the program was killed");
    }
}
