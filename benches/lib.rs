//! Code that the benches share.

use std::path::PathBuf;
use std::process::Command;

/// Builds the program `sudobench` as a release build, unless it is built already, and returns its path.
///
/// # Panics
///
/// Panics if the program cannot be built.
pub fn program() -> PathBuf {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--release", "--quiet", "--bin", "sudobench"]);
    build.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    assert!(build.status().is_ok_and(|status| status.success()), "`cargo build --release` fails");
    // A bench is the file target/PROFILE/deps/NAME.
    let bench = std::env::current_exe().ok();
    let target = bench.as_deref().and_then(|bench| bench.ancestors().nth(3));
    target
        .unwrap_or("target".as_ref())
        .join("release")
        .join(format!("sudobench{}", std::env::consts::EXE_SUFFIX))
}
